"""mRMR by correlation in plain loops. Columns are lists, kinds True for categories."""

import math


def difference(column, is_category, a, b):
    """Difference of two rows on one column, over its range."""
    if is_category:
        return float(column[a] != column[b])
    width = max(column) - min(column)
    return abs(column[a] - column[b]) / width if width > 0 else 0.0


def shares(columns, kinds, labels):
    """Share of each class in each row: that of the nearest labelled rows."""
    known = [r for r, label in enumerate(labels) if label >= 0]
    classes = sorted({labels[r] for r in known})
    result = []
    for row in range(len(labels)):
        nearest = [row]
        if labels[row] < 0:
            distances = {
                k: sum(
                    difference(c, kind, row, k)
                    for c, kind in zip(columns, kinds, strict=True)
                )
                for k in known
            }
            least = min(distances.values())
            nearest = [k for k in known if distances[k] <= least + 1e-11]
        given = [labels[k] for k in nearest]
        result.append([given.count(c) / len(given) for c in classes])
    return result


def between(column, belongs):
    """Variance between classes, and the whole, not divided by the number of rows."""
    n = len(column)
    mean = math.fsum(column) / n
    total = math.fsum((x - mean) ** 2 for x in column)
    found = 0.0
    for k in range(len(belongs[0])):
        size = math.fsum(row[k] for row in belongs)
        part = math.fsum(row[k] * x for row, x in zip(belongs, column, strict=True))
        found += size * (part / size - mean) ** 2
    return found, total


def relevance(column, is_category, belongs):
    n, n_classes = len(column), len(belongs[0])
    if len(set(column)) == 1 or n <= n_classes:
        return 0.0
    parts = [column]
    if is_category:
        parts = [[float(x == value) for x in column] for value in set(column)]
    sums = [between(part, belongs) for part in parts]
    share = math.fsum(s[0] for s in sums) / math.fsum(s[1] for s in sums)
    return max(0.0, 1 - (1 - share) * (n - 1) / (n - n_classes))


def ranks(column):
    """Number of smaller values plus half of the equal ones."""
    return [
        sum(y < x for y in column) + (sum(y == x for y in column) + 1) / 2
        for x in column
    ]


def squared_correlation(a, b):
    n = len(a)
    a = [x - math.fsum(a) / n for x in a]
    b = [x - math.fsum(b) / n for x in b]
    product = math.fsum(x * y for x, y in zip(a, b, strict=True))
    lengths = math.fsum(x * x for x in a) * math.fsum(y * y for y in b)
    return product**2 / lengths if lengths > 0 else 0.0


def chi_squared(a, b):
    n = len(a)
    total = 0.0
    for x in set(a):
        for y in set(b):
            found = sum(p == x and q == y for p, q in zip(a, b, strict=True))
            expected = a.count(x) * b.count(y) / n
            total += (found - expected) ** 2 / expected
    return total


def shared(a, is_category_a, b, is_category_b):
    """What two columns share, in nats."""
    unshared = 1 - association(a, is_category_a, b, is_category_b)
    return -0.5 * math.log(max(unshared, 1e-12))


def association(a, is_category_a, b, is_category_b):
    """Squared rank correlation, or what stands for it with categories."""
    n, p, q = len(a), 1, 1
    if len(set(a)) == 1 or len(set(b)) == 1:
        return 0.0
    if is_category_a and is_category_b:
        p, q = len(set(a)) - 1, len(set(b)) - 1
        squared = chi_squared(a, b) / (n * min(p, q))
    elif is_category_a:
        return association(b, is_category_b, a, is_category_a)
    elif is_category_b:
        q = len(set(b)) - 1
        belongs = [[float(x == value) for value in sorted(set(b))] for x in b]
        found, total = between(ranks(a), belongs)
        squared = found / total
    else:
        squared = squared_correlation(ranks(a), ranks(b))
    most = max(p, q)
    if most > 1:
        if most == n - 1:
            return 0.0
        squared = 1 - (1 - squared) * (n - 2) / (n - 1 - most)
    return min(1.0, max(squared, 0.0))


def search(columns, kinds, told, n_steps, least=0.01):
    """Add the best by relevance over mean redundancy, then the rest by relevance."""
    left, order, values = list(range(len(columns))), [], []

    def quotient(f):
        if not order:
            return told[f]
        common = [shared(columns[f], kinds[f], columns[s], kinds[s]) for s in order]
        return told[f] / (sum(common) / len(order) + least)

    for _ in range(n_steps):
        found = {f: quotient(f) for f in left}
        best = min(f for f in left if found[f] >= max(found.values()) - 1e-12)
        order.append(best)
        values.append(found[best])
        left.remove(best)
    left.sort(key=lambda f: (-told[f], f))
    return order + left, values + [found[f] for f in left]


def semi_mrmr(columns, kinds, labels, n_steps, least=0.01):
    belongs = shares(columns, kinds, labels)
    told = [relevance(c, k, belongs) for c, k in zip(columns, kinds, strict=True)]
    return search(columns, kinds, told, n_steps, least)


def mrmr(columns, kinds, labels, n_steps):
    known = [r for r, label in enumerate(labels) if label >= 0]
    classes = sorted({labels[r] for r in known})
    belongs = [[float(labels[r] == c) for c in classes] for r in known]
    told = [
        relevance([c[r] for r in known], k, belongs)
        for c, k in zip(columns, kinds, strict=True)
    ]
    return search(columns, kinds, told, n_steps)


def unsupervised_mrmr(columns, kinds, n_steps):
    """The same search, by what a column shares with all others."""
    n, d = len(columns[0]), len(columns)
    told = []
    for f in range(d):
        common = [
            association(columns[f], kinds[f], columns[g], kinds[g])
            for g in range(d)
            if g != f
        ]
        mean = math.fsum(common) / (d - 1) if d > 1 else 0.0
        told.append(max(0.0, 1 - (1 - mean) * (n - 1) / (n - 2)) if n > 2 else 0.0)
    return search(columns, kinds, told, n_steps, least=0.02)
