"""What columns tell about classes, by variance, and about each other, by ranks."""

from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_matrix

from pairsift._typing import BoolArray, FloatArray

# 1 - ρ² of copies, for which rounding leaves nothing or less: they share 13.8 nats.
MIN_UNSHARED = 1e-12
# Ranks computed at once: few enough to stay in the cache.
BLOCK_CELLS = 2**16
# Products of ranks held at once, where all columns are compared.
PRODUCT_CELLS = 2**20


class VarianceParts(NamedTuple):
    """What the variance of columns between classes is made of, for some rows.

    n_rows; means, scatters : (d_numbers,) of the columns of numbers, sums of squared
    deviations from the mean; sizes : (K,) of the classes; sums : (K, d_numbers),
    deviations from the mean times the share of the class, added; counts :
    (n_categories, K), shares of the classes in the rows of each category.
    """

    n_rows: int
    means: FloatArray
    scatters: FloatArray
    sizes: FloatArray
    sums: FloatArray
    counts: FloatArray

    @classmethod
    def of(
        cls, numbers: FloatArray, indicators: csr_matrix, shares: FloatArray
    ) -> "VarianceParts":
        """Take rows of numbers (n, d_numbers), of categories, and of classes (n, K)."""
        # From its own first value a constant column is 0, whatever the rounding.
        centred = numbers - numbers[:1]
        mean = centred.mean(axis=0) if len(centred) else np.zeros(centred.shape[1])
        centred -= mean
        return cls(
            len(numbers),
            numbers[0] + mean if len(numbers) else mean,
            np.einsum("ij,ij->j", centred, centred),
            shares.sum(axis=0),
            shares.T @ centred,
            indicators @ shares,
        )

    def then(self, later: "VarianceParts") -> "VarianceParts":
        """Return the parts of these rows and of others."""
        n_rows = self.n_rows + later.n_rows
        if n_rows == 0:
            return self
        weight, apart = later.n_rows / n_rows, later.means - self.means
        scatters = self.scatters + later.scatters
        scatters += self.n_rows * weight * apart**2
        sums = self.sums - self.sizes[:, None] * (weight * apart)
        sums += later.sums + later.sizes[:, None] * ((1.0 - weight) * apart)
        return VarianceParts(
            n_rows,
            self.means + weight * apart,
            scatters,
            self.sizes + later.sizes,
            sums,
            self.counts + later.counts,
        )


def explained_variance(
    X: FloatArray, is_categorical: BoolArray, shares: FloatArray
) -> FloatArray:
    """Return the adjusted share of the variance of each column between classes.

    Not below 0, and 0 for constant columns. The variance of a categorical column is
    that of its indicators, added. shares : (n, K), share of each class in each row;
    they add up to 1 in a row, and no class is empty.
    """
    categories = Indicators(X[:, is_categorical])
    numbers = numbers_of(X, is_categorical)
    parts = VarianceParts.of(numbers, categories.matrix, shares)
    return explained_share(parts, is_categorical, categories)


def explained_share(
    parts: VarianceParts, is_categorical: BoolArray, categories: "Categories"
) -> FloatArray:
    """Return what `explained_variance` does, from the parts of all rows."""
    n_rows, n_classes = parts.n_rows, parts.sizes.size
    if n_rows <= n_classes:
        return np.zeros(is_categorical.size)
    between = np.empty(is_categorical.size)
    squares = (parts.sums**2 / parts.sizes[:, None]).sum(axis=0)
    between[~is_categorical] = np.divide(
        squares, parts.scatters, out=np.zeros(squares.size), where=parts.scatters > 0.0
    )
    sizes = parts.counts.sum(axis=1)
    expected = sizes**2 / n_rows
    found = categories.sums((parts.counts**2 / parts.sizes).sum(axis=1) - expected)
    total = categories.sums(sizes - expected)
    between[is_categorical] = np.divide(
        found, total, out=np.zeros(total.size), where=categories.n_categories > 1
    )
    adjusted = 1.0 - (1.0 - between) * (n_rows - 1) / (n_rows - n_classes)
    return np.maximum(adjusted, 0.0)


def numbers_of(X: FloatArray, is_categorical: BoolArray) -> FloatArray:
    """Return the columns of numbers, without a copy where all are."""
    return X[:, ~is_categorical] if is_categorical.any() else X


class Categories:
    """Categories of categorical columns, one column after the other.

    values : of each column, ascending.
    """

    def __init__(self, values: list[FloatArray]) -> None:
        self.values = values
        self.n_categories = np.array([v.size for v in values], dtype=np.int64)
        self.starts = np.cumsum(self.n_categories) - self.n_categories

    def sums(self, values: FloatArray) -> FloatArray:
        """Add up values of categories, for each column."""
        return np.add.reduceat(values, self.starts) if values.size else np.zeros(0)

    def indicators(self, X: FloatArray) -> csr_matrix:
        """Return rows of 0 and 1, one for each category, of some rows X."""
        n_rows, n_columns = X.shape
        codes = [
            np.searchsorted(known, x) + start
            for known, x, start in zip(self.values, X.T, self.starts, strict=True)
        ]
        rows = np.tile(np.arange(n_rows), n_columns)
        where = np.concatenate(codes) if codes else rows, rows
        shape = int(self.n_categories.sum()), n_rows
        return csr_matrix((np.ones(rows.size), where), shape=shape)


class Indicators(Categories):
    """Categorical columns as rows of 0 and 1, one for each category."""

    def __init__(self, X: FloatArray) -> None:
        super().__init__([np.unique(x) for x in X.T])
        self.matrix = self.indicators(X)
        self.sizes = self.matrix @ np.ones(len(X))


class RankAssociations:
    """What one column shares with all others, over all rows and in nats.

    It is -½ ln(1 - a²), with a² the squared rank correlation of two columns of numbers.
    With a categorical column, a² is the squared length of the projection of the ranks
    on its indicators (η²), or of its indicators on those of the other, divided by the
    smaller number of categories less one (Cramér's V²). Both are what a correlation is
    if there are two categories; with more, 1 - a² is enlarged until chance alone gives
    1 / (n - 1), as it does for two columns of numbers.
    """

    ranks: FloatArray
    units: csr_matrix

    def __init__(self, X: FloatArray, is_categorical: BoolArray) -> None:
        categories = Indicators(X[:, is_categorical])
        self._describe(len(X), is_categorical, categories)
        self.ranks = _unit_ranks(numbers_of(X, is_categorical))
        lengths = np.sqrt(categories.sizes)
        self.units = categories.matrix.multiply(1.0 / lengths[:, None]).tocsr()

    def _describe(
        self, n_rows: int, is_categorical: BoolArray, categories: Categories
    ) -> None:
        self.n_rows, self.categories = n_rows, categories
        self.is_categorical = is_categorical
        kinds = np.cumsum(is_categorical), np.cumsum(~is_categorical)
        self.places = np.where(is_categorical, *kinds) - 1
        self.freedom = np.ones(is_categorical.size)
        self.freedom[is_categorical] = np.maximum(categories.n_categories - 1, 1)

    def shared_with(self, feature: int) -> FloatArray:
        """Return what each column shares with one of them, (d,)."""
        unshared = np.maximum(self._unshared(feature), MIN_UNSHARED)
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
        squared = np.empty(self.freedom.size)
        onto_ranks, onto_units = self._squared_products(feature)
        squared[~self.is_categorical] = onto_ranks
        squared[self.is_categorical] = self.categories.sums(onto_units)
        if self.is_categorical[feature]:
            # The constant is in the space of all indicators.
            squared[self.is_categorical] -= 1.0
        fewer = np.minimum(self.freedom, self.freedom[feature])
        more = np.maximum(self.freedom, self.freedom[feature])
        unshared = without_chance(1.0 - squared / fewer, more, self.n_rows)
        return np.clip(unshared, 0.0, 1.0)

    def _squared_products(self, feature: int) -> tuple[FloatArray, FloatArray]:
        """Squared lengths of the ranks, and of the indicators, on those of a column."""
        if not self.is_categorical[feature]:
            ranks = self.ranks[self.places[feature]]
            return (self.ranks @ ranks) ** 2, (self.units @ ranks) ** 2
        units = self.units[self._units_of(feature)]
        onto_units = (self.units @ units.T).power(2).sum(axis=1)
        return ((units @ self.ranks.T) ** 2).sum(axis=0), np.asarray(onto_units).ravel()

    def _units_of(self, feature: int) -> slice:
        """Return the lines of the indicators of a categorical column."""
        place = self.places[feature]
        first = int(self.categories.starts[place])
        return slice(first, first + int(self.categories.n_categories[place]))


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
    step = max(1, BLOCK_CELLS // max(1, len(X)))
    for first in range(0, len(ranks), step):
        # Columns that lie together in memory are sorted faster.
        block = mean_ranks(np.ascontiguousarray(X[:, first : first + step].T))
        block -= (len(X) + 1) / 2.0
        lengths = np.sqrt(np.einsum("ij,ij->i", block, block))[:, None]
        block /= np.where(lengths > 0.0, lengths, 1.0)
        ranks[first : first + step] = block
    return ranks


def mean_ranks(lines: FloatArray) -> FloatArray:
    """Return the ranks of the values of each line, from 1, their mean for ties."""
    # `scipy.stats.rankdata` asks for a stable order, which takes three times as long.
    order = np.argsort(lines, axis=1)
    ascending = np.take_along_axis(lines, order, axis=1)
    is_first = np.ones(lines.shape, dtype=bool)
    is_first[:, 1:] = ascending[:, 1:] != ascending[:, :-1]
    starts = np.flatnonzero(is_first)
    counts = np.diff(starts, append=lines.size)
    means = starts % lines.shape[1] + (counts + 1) / 2.0
    ranks = np.empty(lines.shape)
    np.put_along_axis(ranks, order, np.repeat(means, counts).reshape(ranks.shape), 1)
    return ranks
