"""What columns tell about classes, by variance, and about each other, by ranks."""

import numpy as np
from scipy.sparse import csr_matrix
from scipy.stats import rankdata

from pairsift._typing import BoolArray, FloatArray
from pairsift.scores._columns import centred_columns, unit_columns

# 1 - ρ² of copies, for which rounding leaves nothing or less: they share 13.8 nats.
LEAST_UNSHARED = 1e-12
# Ranks computed at once: few enough to stay in the cache.
BLOCK_CELLS = 2**16
# Products of ranks held at once, where all columns are compared.
PRODUCT_CELLS = 2**20


def explained_variance(
    X: FloatArray, is_categorical: BoolArray, shares: FloatArray
) -> FloatArray:
    """Return the adjusted share of the variance of each column between classes.

    Not below 0, and 0 for constant columns. The variance of a categorical column is
    that of its indicators, added. shares : (n, K), share of each class in each row;
    they add up to 1 in a row, and no class is empty.
    """
    n_rows, n_classes = shares.shape
    if n_rows <= n_classes:
        return np.zeros(X.shape[1])
    between = np.empty(X.shape[1])
    sizes = shares.sum(axis=0)
    numbers = unit_columns(centred_columns(X[:, ~is_categorical]))
    sums = shares.T @ numbers
    between[~is_categorical] = (sums**2 / sizes[:, None]).sum(axis=0)
    categories = Indicators(X[:, is_categorical])
    expected = categories.sizes**2 / n_rows
    counts = categories.matrix @ shares
    found = categories.sums((counts**2 / sizes).sum(axis=1) - expected)
    total = categories.sums(categories.sizes - expected)
    between[is_categorical] = np.divide(
        found, total, out=np.zeros(total.size), where=categories.n_categories > 1
    )
    adjusted = 1.0 - (1.0 - between) * (n_rows - 1) / (n_rows - n_classes)
    return np.maximum(adjusted, 0.0)


class Indicators:
    """Categorical columns as rows of 0 and 1, one for each category."""

    def __init__(self, X: FloatArray) -> None:
        n_rows, n_columns = X.shape
        uniques = [np.unique(x, return_inverse=True) for x in X.T]
        self.n_categories = np.array([u[0].size for u in uniques], dtype=np.int64)
        self.starts = np.cumsum(self.n_categories) - self.n_categories
        codes = [u[1].ravel() + s for u, s in zip(uniques, self.starts, strict=True)]
        rows = np.tile(np.arange(n_rows), n_columns)
        where = np.concatenate(codes) if codes else rows, rows
        shape = int(self.n_categories.sum()), n_rows
        self.matrix = csr_matrix((np.ones(rows.size), where), shape=shape)
        self.sizes = self.matrix @ np.ones(n_rows)

    def sums(self, values: FloatArray) -> FloatArray:
        """Add up values of categories, for each column."""
        return np.add.reduceat(values, self.starts) if values.size else np.zeros(0)


class RankAssociations:
    """What one column shares with all others, over all rows and in nats.

    It is -½ ln(1 - a²), with a² the squared rank correlation of two columns of numbers.
    With a categorical column, a² is the squared length of the projection of the ranks
    on its indicators (η²), or of its indicators on those of the other, divided by the
    smaller number of categories less one (Cramér's V²). Both are what a correlation is
    if there are two categories; with more, 1 - a² is enlarged until chance alone gives
    1 / (n - 1), as it does for two columns of numbers.
    """

    def __init__(self, X: FloatArray, is_categorical: BoolArray) -> None:
        self.n_rows = len(X)
        self.is_categorical = is_categorical
        kinds = np.cumsum(is_categorical), np.cumsum(~is_categorical)
        self.places = np.where(is_categorical, *kinds) - 1
        self.ranks = _unit_ranks(X[:, ~is_categorical])
        self.categories = Indicators(X[:, is_categorical])
        lengths = np.sqrt(self.categories.sizes)
        self.units = self.categories.matrix.multiply(1.0 / lengths[:, None]).tocsr()
        self.freedom = np.ones(is_categorical.size)
        self.freedom[is_categorical] = np.maximum(self.categories.n_categories - 1, 1)

    def shared_with(self, feature: int) -> FloatArray:
        """Return what each column shares with one of them, (d,)."""
        unshared = np.maximum(self._unshared(feature), LEAST_UNSHARED)
        return -0.5 * np.log(unshared)

    def mean_squares(self) -> FloatArray:
        """Return the mean of a² of each column and all others, (d,)."""
        is_number = ~self.is_categorical
        totals = np.zeros(is_number.size)
        totals[is_number] = _other_squares(self.ranks)
        for feature in np.flatnonzero(self.is_categorical).tolist():
            squares = 1.0 - self._unshared(feature)
            squares[feature] = 0.0
            totals[feature] = squares.sum()
            totals[is_number] += squares[is_number]
        return totals / max(totals.size - 1, 1)

    def _unshared(self, feature: int) -> FloatArray:
        """Return 1 - a² of each column and one of them, (d,)."""
        place, squared = self.places[feature], np.empty(self.freedom.size)
        if self.is_categorical[feature]:
            first = self.categories.starts[place]
            last = first + self.categories.n_categories[place]
            units = self.units[first:last]
            onto_ranks = ((units @ self.ranks.T) ** 2).sum(axis=0)
            onto_units = np.asarray((self.units @ units.T).power(2).sum(axis=1))
            # The constant is in the space of all indicators.
            onto_units = self.categories.sums(onto_units.ravel()) - 1.0
        else:
            onto_ranks = (self.ranks @ self.ranks[place]) ** 2
            onto_units = self.categories.sums((self.units @ self.ranks[place]) ** 2)
        squared[~self.is_categorical] = onto_ranks
        squared[self.is_categorical] = onto_units
        fewer = np.minimum(self.freedom, self.freedom[feature])
        more = np.maximum(self.freedom, self.freedom[feature])
        unshared = without_chance(1.0 - squared / fewer, more, self.n_rows)
        return np.clip(unshared, 0.0, 1.0)


def without_chance(
    unshared: FloatArray, freedom: FloatArray, n_rows: int
) -> FloatArray:
    """Enlarge 1 - a² as much as chance with some degrees of freedom made it small.

    More than with one: chance alone then gives a mean of 1 - 1 / (n - 1). Where there
    are as many categories as rows it tells everything, and 1 is left.
    """
    left = np.maximum(n_rows - 1.0 - freedom, 0.0)
    factors = np.divide(n_rows - 2.0, left, out=np.ones_like(left), where=left > 0.0)
    corrected = np.where(left > 0.0, unshared * factors, 1.0)
    return np.where(freedom > 1.0, corrected, unshared)


def _other_squares(ranks: FloatArray) -> FloatArray:
    """Return the sums of squared products of each line with all others."""
    n_columns, n_rows = ranks.shape
    # Σ (r·s)² = r' (Σ s s') r: of the two products the smaller one is stored.
    product = ranks.T @ ranks if n_rows < n_columns else None
    sums = np.empty(n_columns)
    step = max(1, PRODUCT_CELLS // max(n_columns, n_rows))
    for first in range(0, n_columns, step):
        block = ranks[first : first + step]
        if product is None:
            sums[first : first + step] = ((block @ ranks.T) ** 2).sum(axis=1)
        else:
            sums[first : first + step] = ((block @ product) * block).sum(axis=1)
    own = (ranks**2).sum(axis=1) ** 2
    return np.maximum(sums - own, 0.0)


def _unit_ranks(X: FloatArray) -> FloatArray:
    """Return ranks, their mean for ties, centred and of unit length, (d, n)."""
    ranks = np.empty((X.shape[1], len(X)))
    step = max(1, BLOCK_CELLS // len(X))
    for first in range(0, len(ranks), step):
        block = rankdata(X[:, first : first + step].T, axis=1) - (len(X) + 1) / 2.0
        lengths = np.sqrt((block**2).sum(axis=1, keepdims=True))
        ranks[first : first + step] = block / np.where(lengths > 0.0, lengths, 1.0)
    return ranks
