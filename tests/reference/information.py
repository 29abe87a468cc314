"""Entropy and mutual information in plain loops, from the thesis (slow)."""

import math

from scipy.special import digamma

FLOOR = 1e-10


def discrete_entropy(values):
    """Equation 3.15, in nats."""
    n = len(values)
    return -sum(
        values.count(v) / n * math.log(values.count(v) / n) for v in set(values)
    )


def discrete_information(x, y):
    """Equation 3.16, in nats."""
    n, both = len(x), list(zip(x, y, strict=True))
    total = 0.0
    for a, b in set(both):
        p = both.count((a, b)) / n
        total += p * math.log(p / (x.count(a) / n * y.count(b) / n))
    return total


def spreads(rows):
    """Standard deviations of the columns."""
    n = len(rows)
    found = []
    for j in range(len(rows[0])):
        mean = sum(row[j] for row in rows) / n
        found.append(math.sqrt(sum((row[j] - mean) ** 2 for row in rows) / n))
    return found


def distance(a, b, spread):
    return max(abs(u - v) / s for u, v, s in zip(a, b, spread, strict=True))


def kth_distance(rows, n, k, spread):
    others = [distance(rows[n], rows[m], spread) for m in range(len(rows)) if m != n]
    return max(sorted(others)[k - 1], FLOOR)


def continuous_entropy(rows, k, spread):
    """Equation 6.15 for columns divided by given spreads, C_d = 1."""
    n, d = len(rows), len(rows[0])
    if n == 1:
        return 0.0
    k = min(k, n - 1)
    logs = sum(math.log(2 * kth_distance(rows, m, k, spread)) for m in range(n))
    return -digamma(k) + digamma(n) + d / n * logs


def mixed_information(x, z, y, k):
    """Equation 6.14, entropies by equation 6.15; x : tuples, z : rows, y : classes."""
    n, spread = len(y), spreads(z)
    total = discrete_entropy(x)
    of_value = {}
    for value in set(x):
        cell = [z[i] for i in range(n) if x[i] == value]
        of_value[value] = continuous_entropy(cell, k, spread)
        total += len(cell) / n * of_value[value]
    for c in set(y):
        inside = [i for i in range(n) if y[i] == c]
        given = discrete_entropy([x[i] for i in inside])
        for value in {x[i] for i in inside}:
            part = [z[i] for i in inside if x[i] == value]
            h = continuous_entropy(part, k, spread)
            h = of_value[value] if len(part) == 1 else h
            given += len(part) / len(inside) * h
        total -= len(inside) / n * given
    return total


def mixed_information_616(x, z, y, k):
    """Equation 6.16 term by term; the inner sums run over the distinct x of a class.

    Only where every part has more than k rows, as the terms of ψ(k) have cancelled.
    """
    n, d, spread = len(y), len(z[0]), spreads(z)

    def mean_log(cell):
        logs = [
            math.log(2 * kth_distance(cell, m, k, spread)) for m in range(len(cell))
        ]
        return d / len(cell) * sum(logs)

    total = 0.0
    for value in set(x):
        cell = [z[i] for i in range(n) if x[i] == value]
        m_r = len(cell)
        total -= m_r / n * math.log(m_r / n)
        total += m_r / n * digamma(m_r)
        total += m_r / n * mean_log(cell)
    for c in set(y):
        inside = [i for i in range(n) if y[i] == c]
        m_i = len(inside)
        for value in {x[i] for i in inside}:
            part = [z[i] for i in inside if x[i] == value]
            m_l = len(part)
            total += m_i / n * m_l / m_i * math.log(m_l / m_i)
            total -= m_i / n * m_l / m_i * digamma(m_l)
            total -= m_i / n * m_l / m_i * mean_log(part)
    return total


def mixed_information_617(x, z, y, k):
    """Equation 6.17 by the chain rule of the discrete columns, without its factor."""
    n, spread = len(y), spreads(z)

    def chain(rows):
        total = 0.0
        for g in range(len(rows[0])):
            for before in {row[:g] for row in rows}:
                last = [row[g] for row in rows if row[:g] == before]
                total += len(last) / len(rows) * discrete_entropy(last)
        return total

    total = chain(x)
    for c in set(y):
        total -= y.count(c) / n * chain([x[i] for i in range(n) if y[i] == c])
    for value in set(x):
        cell = [i for i in range(n) if x[i] == value]
        whole = continuous_entropy([z[i] for i in cell], k, spread)
        total += len(cell) / n * whole
        for c in {y[i] for i in cell}:
            part = [z[i] for i in cell if y[i] == c]
            h = continuous_entropy(part, k, spread)
            total -= len(part) / n * (whole if len(part) == 1 else h)
    return total


def ksg(z, y, k):
    """First estimator of Kraskov et al.; z and y are rows of numbers.

    A row at the distance of the k-th neighbour, up to rounding, is not nearer.
    """
    n = len(z)
    spread_z, spread_y = spreads(z), spreads(y)
    both = [[*a, *b] for a, b in zip(z, y, strict=True)]
    k = min(k, n - 1)
    total = 0.0
    for i in range(n):
        radius = kth_distance(both, i, k, spread_z + spread_y) * (1 - 1e-10)
        for rows, spread in ((z, spread_z), (y, spread_y)):
            nearer = sum(
                distance(rows[i], rows[m], spread) < radius for m in range(n) if m != i
            )
            total += digamma(nearer + 1)
    return digamma(k) + digamma(n) - total / n
