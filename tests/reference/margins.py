"""Constrained margins in plain loops, straight from the thesis (slow and obvious)."""

import math


def is_missing(value):
    return value is None or value != value


class Delta:
    """Definition 2.3 and section 2.3.2: the difference of two rows on one feature."""

    def __init__(
        self,
        X,
        categorical=(),
        missing="probability",
        labels=None,
        n_bins=20,
        ramp=(0.0, 1.0),
    ):
        self.ramp = ramp
        self.X = [list(row) for row in X]
        self.n, self.d = len(self.X), len(self.X[0])
        self.categorical, self.missing = set(categorical), missing
        self.labels = labels
        self.n_bins = n_bins
        self.low, self.range = [], []
        for j in range(self.d):
            known = [row[j] for row in self.X if not is_missing(row[j])]
            self.low.append(min(known, default=0.0))
            self.range.append(max(known, default=0.0) - min(known, default=0.0))

    def __call__(self, a, b, j):
        x, y = self.X[a][j], self.X[b][j]
        if self.range[j] == 0:
            return 0.0
        if is_missing(x) or is_missing(y):
            return self.unknown(a, b, j)
        if j in self.categorical:
            return float(x != y)
        low, high = self.ramp
        return min(max((abs(x - y) / self.range[j] - low) / (high - low), 0.0), 1.0)

    def unknown(self, a, b, j):
        x, y = self.X[a][j], self.X[b][j]
        both = is_missing(x) and is_missing(y)
        if self.missing == "ignore":
            return math.nan
        if self.missing == "distinct":
            return 0.0 if both else 1.0
        if self.missing == "constant":
            n_values = len(self.values(j)) if j in self.categorical else self.n_bins
            return 1.0 - 1.0 / n_values
        if both:
            return 1.0 - sum(
                self.chance(j, v, a) * self.chance(j, v, b) for v in self.values(j)
            )
        if is_missing(x):
            return 1.0 - self.chance(j, self.value(j, y), a)
        return 1.0 - self.chance(j, self.value(j, x), b)

    def value(self, j, x):
        """The value itself, or the bin of a numeric one."""
        if j in self.categorical:
            return x
        position = (x - self.low[j]) * (1.0 / self.range[j]) * self.n_bins
        return min(int(position + 1e-9), self.n_bins - 1)

    def values(self, j):
        known = (row[j] for row in self.X if not is_missing(row[j]))
        return sorted({self.value(j, x) for x in known})

    def chance(self, j, value, row):
        """P(value | class of the row), or P(value) when it has no (useful) class."""
        everyone = [r[j] for r in self.X if not is_missing(r[j])]
        known = everyone
        if self.labels is not None and self.labels[row] >= 0:
            known = [
                r[j]
                for r, label in zip(self.X, self.labels, strict=True)
                if label == self.labels[row] and not is_missing(r[j])
            ]
        known = known or everyone
        return sum(self.value(j, x) == value for x in known) / len(known)

    def distance(self, a, b, squared=False):
        varying = [j for j in range(self.d) if self.range[j] > 0]
        deltas = [self(a, b, j) for j in varying]
        known = [delta for delta in deltas if not math.isnan(delta)]
        if not known and deltas:
            return math.inf
        total = sum(delta**2 if squared else delta for delta in known)
        return total * len(deltas) / len(known) if len(known) < len(deltas) else total


def nearest(delta, a, excluded, k, squared=False):
    """The k nearest rows to a; distances equal up to rounding are tied."""
    found = []
    for b in range(delta.n):
        distance = delta.distance(a, b, squared)
        if b not in excluded and distance < math.inf:
            found.append((float(f"{distance:.11g}"), b))
    return [b for _, b in sorted(found)[:k]]


def places(delta, a, rows, k, ties="share", squared=False):
    """How much of the k places each row has: (row, share), nearest first."""
    found = []
    for b in rows:
        distance = delta.distance(a, b, squared)
        if b != a and distance < math.inf:
            found.append((float(f"{distance:.11g}"), b))
    found.sort()
    if len(found) <= k:
        return [(b, 1.0) for _, b in found]
    if ties == "index":
        return [(b, 1.0) for _, b in found[:k]]
    worst = found[k - 1][0]
    nearer = [b for distance, b in found if distance < worst]
    tied = [b for distance, b in found if distance == worst]
    share = (k - len(nearer)) / len(tied)
    return [(b, 1.0) for b in nearer] + [(b, share) for b in tied]


def weighted_mean(terms, is_there=False):
    """Mean of (difference, weight); 0 over nothing, NaN when all are ignored.

    is_there : whether there were rows to take the nearest of; without any term they
    have no known column in common with the row.
    """
    if not terms:
        return math.nan if is_there else 0.0
    known = [(x, weight) for x, weight in terms if not math.isnan(x)]
    if not known:
        return math.nan
    return sum(x * w for x, w in known) / sum(w for _, w in known)


def relieff_sc(
    X,
    pairs,
    k,
    *,
    metric="manhattan",
    exclude="pair",
    ties="share",
    must=(),
    must_weight=0.0,
    null=None,
    **kinds,
):
    """Equation 3.16 for ordered pairs (n, m); null : pairs whose mean is subtracted."""
    delta = Delta(X, **kinds)
    squared = metric == "euclidean"
    mean_of_null = [0.0] * delta.d
    if null is not None:
        mean_of_null = mean_margins(delta, null, k, squared, exclude, ties)
    z = [0.0] * delta.d
    for weight, group in ((1.0, pairs), (-must_weight, must)):
        if weight == 0 or not len(group):
            continue
        mean_of_group = mean_margins(delta, group, k, squared, exclude, ties)
        n_pairs = len(group) if null is None else 1
        for f in range(delta.d):
            z[f] += weight * n_pairs * (mean_of_group[f] - mean_of_null[f])
    return z


def mean_margins(delta, pairs, k, squared, exclude, ties):
    """Mean margin of the pairs, feature by feature, over those that are known."""
    total, n_known = [0.0] * delta.d, [0] * delta.d
    for n, m in pairs:
        outside = {n, m} if exclude == "pair" else set()
        others = [b for b in range(delta.n) if b not in outside]
        hits_of_m = places(delta, m, others, k, ties, squared)
        hits_of_n = places(delta, n, others, k, ties, squared)
        far, near = len(set(others) - {m}) > 0, len(set(others) - {n}) > 0
        for f in range(delta.d):
            miss = weighted_mean([(delta(n, h, f), w) for h, w in hits_of_m], far)
            hit = weighted_mean([(delta(n, h, f), w) for h, w in hits_of_n], near)
            if not math.isnan(miss - hit):
                total[f] += miss - hit
                n_known[f] += 1
    return [total[f] / max(n_known[f], 1) for f in range(delta.d)]


def mean(deltas):
    if not deltas:
        return 0.0
    known = [delta for delta in deltas if not math.isnan(delta)]
    return sum(known) / len(known) if known else math.nan


def simba_sc(X, orders, pairs, *, step=1.0, symmetric=False, exclude="pair", **kinds):
    """Algorithm 3.3 for given orders of the pairs, one a start."""
    delta = Delta(X, **kinds)
    best, best_margin = None, -math.inf
    for order in orders:
        w = [0.0 if span == 0 else 1.0 for span in delta.range]
        for n, m in order:
            gradient = [0.0] * delta.d
            directions = [(n, m), (m, n)] if symmetric else [(n, m)]
            for a, b in directions:
                hit_a, hit_b = weighted_nearest(delta, a, b, w, exclude)
                for sign, h in ((1.0, hit_b), (-1.0, hit_a)):
                    norm = weighted_norm(delta, a, h, w)
                    for f in range(delta.d):
                        square = delta(a, h, f) ** 2
                        if norm > 0 and not math.isnan(square):
                            gradient[f] += sign * square / norm / len(directions)
            w = [w[f] + step * gradient[f] * w[f] for f in range(delta.d)]
        largest = max(abs(x) for x in w) or 1.0
        w = [x / largest for x in w]
        margin = total_margin(delta, pairs, w, symmetric, exclude)
        if margin > best_margin:
            best, best_margin = w, margin
    return [x**2 for x in best]


def total_margin(delta, pairs, w, symmetric, exclude):
    total = 0.0
    for n, m in pairs:
        directions = [(n, m), (m, n)] if symmetric else [(n, m)]
        for a, b in directions:
            hit_a, hit_b = weighted_nearest(delta, a, b, w, exclude)
            margin = weighted_norm(delta, a, hit_b, w) - weighted_norm(
                delta, a, hit_a, w
            )
            total += margin / len(directions)
    return total


def weighted_norm(delta, a, b, w):
    terms = [(w[f] * delta(a, b, f)) ** 2 for f in range(delta.d)]
    return math.sqrt(sum(t for t in terms if not math.isnan(t)))


def weighted_nearest(delta, a, b, w, exclude="pair"):
    """Near-hits of a and of b in the weighted space, neither of them a or b.

    With exclude="self" they are found in all rows but a: that of a may be b.
    """
    hits = []
    for end in (a, b):
        found = []
        for r in range(delta.n):
            if r not in ((a, b) if exclude == "pair" else (a, end)):
                terms = [(w[f] * delta(end, r, f)) ** 2 for f in range(delta.d)]
                known = [t for t in terms if not math.isnan(t)]
                if known:
                    scale = delta.d / len(known) if len(known) < delta.d else 1.0
                    found.append((float(f"{sum(known) * scale:.11g}"), r))
        hits.append(min(found)[1])
    return hits
