"""RReliefF in plain loops, from Robnik-Šikonja and Kononenko 2003 (slow)."""

import math

from tests.reference.margins import Delta, is_missing


def ranked(delta, i, ties, k, sigma):
    """Weights d(i, j) of the k nearest rows j, which add up to 1."""

    def of_rank(rank):
        if rank > k:
            return 0.0
        return 1.0 if sigma is None else math.exp(-((rank / sigma) ** 2))

    found = []
    for j in range(delta.n):
        distance = delta.distance(i, j)
        if j != i and distance < math.inf:
            found.append((float(f"{distance:.11g}"), j))
    found.sort()
    weights = {}
    for rank, (distance, j) in enumerate(found, start=1):
        tied = [r for r, (other, _) in enumerate(found, start=1) if other == distance]
        shared = sum(of_rank(r) for r in tied) / len(tied)
        weights[j] = shared if ties == "share" else of_rank(rank)
    total = sum(weights.values())
    return {j: weight / total for j, weight in weights.items()}


def rrelieff(X, y, k, sigma, *, ties="share", targets=None, **kinds):
    rows = [i for i, value in enumerate(y) if not is_missing(value)]
    X, y = [list(X[i]) for i in rows], [float(y[i]) for i in rows]
    delta = Delta(X, **kinds)
    span = max(y) - min(y)
    targets = range(delta.n) if targets is None else targets
    neighbours = {i: ranked(delta, i, ties, k, sigma) for i in targets}
    scores = []
    for f in range(delta.d):
        m, n_dc, n_da, n_dcda = 0, 0.0, 0.0, 0.0
        for i in targets:
            known = {
                j: weight
                for j, weight in neighbours[i].items()
                if weight > 0 and not math.isnan(delta(i, j, f))
            }
            if not known:
                continue
            m += 1
            for j, weight in known.items():
                weight /= sum(known.values())
                change = abs(y[i] - y[j]) / span
                n_dc += change * weight
                n_da += delta(i, j, f) * weight
                n_dcda += change * delta(i, j, f) * weight
        # 0 / 0 is 0, up to the rounding of the sums.
        first = n_dcda / n_dc if n_dc > 1e-12 else 0.0
        second = (n_da - n_dcda) / (m - n_dc) if m - n_dc > 1e-12 else 0.0
        scores.append(first - second)
    return scores
