"""The sparse pair model: pairs, and the path of penalties."""

import operator
from typing import Any, NamedTuple

import numpy as np

from pairsift import _kernels
from pairsift._blocks import Blocks
from pairsift._random import as_generator
from pairsift._typing import BoolArray, FloatArray, IndexArray, PairArray, RandomState
from pairsift.scores._described_columns import (
    Described,
    described_blocks,
    described_columns,
)
from pairsift.scores._in_blocks import as_blocks, gathered_rows
from pairsift.scores._row_contents import (
    contents_of,
    count_values,
    join_counts,
    list_contents,
    shares_of,
    sum_squares,
)
from pairsift.scores._working_set import WorkingSet

# Weight of surrogate pairs, used when only must- or only cannot-links are given.
SUBSTITUTE_WEIGHT = 0.5
# Number of rows that get two unanswered pairs each: one near, one far.
N_UNLABELLED = 60
# Random rows of which the farthest stands in for a different one.
N_FAR = 10
# Rows equally near that all stand in for the same one, at most.
MAX_TIED = 10
TIE = 1e-12
# Columns of 0 and 1 with equally many ones have one weight at first, and rows with
# equally many ones one number. Weights made of these numbers, twice, tell them apart.
N_WEIGHINGS = 3
# Cells of rows held at once.
BLOCK_CELLS = 2**20


class PairPath(NamedTuple):
    """Sparse pair models from the largest penalty down.

    Parameters
    ----------
    penalties : ndarray of shape (n_penalties,)
        Penalties on the sum of weights, descending; at the first all weights are 0.
    coefs : ndarray of shape (n_penalties, n_features)
        Weight of every feature, never negative.
    intercepts : ndarray of shape (n_penalties,)
        Log-odds of "same" for two equal rows.
    objectives : ndarray of shape (n_penalties,)
        Penalised loss.
    gaps : ndarray of shape (n_penalties,)
        How far the objective can be above the minimum, at most.
    """

    penalties: FloatArray
    coefs: FloatArray
    intercepts: FloatArray
    objectives: FloatArray
    gaps: FloatArray

    @property
    def middle(self) -> int:
        """Position of the penalty in the middle of the path."""
        return len(self.penalties) // 2


def not_certified(path: PairPath, tol: float) -> str | None:
    """Return a sentence if some model may be farther from its minimum than `tol`."""
    number = int((path.gaps > tol).sum())
    if not number:
        return None
    return (
        f"{number} of {len(path.gaps)} models may be up to {path.gaps.max():.1e} above "
        f"their minimum, wanted tol={tol:.1e}: choose a larger smallest_penalty or "
        "n_penalties, or a larger tol."
    )


class Examples(NamedTuple):
    """Pairs with what was said of them, +1 for the same, and what each counts."""

    pairs: PairArray
    sign: FloatArray
    share: FloatArray

    @classmethod
    def of(
        cls, must: PairArray, cannot: PairArray, weights: tuple[float, float]
    ) -> "Examples":
        """Give both kinds their total weight, whatever their numbers."""
        counts = len(must), len(cannot)
        shares = [w / max(c, 1) for w, c in zip(weights, counts, strict=True)]
        return cls(
            np.concatenate([must, cannot]),
            np.repeat([1.0, -1.0], counts),
            np.repeat(shares, counts),
        )

    def take(self, chosen: BoolArray) -> "Examples":
        """Return some of the pairs; both kinds keep their total weight."""
        sign, share = self.sign[chosen], self.share[chosen]
        for kind in (1.0, -1.0):
            total = self.share[self.sign == kind].sum()
            share[sign == kind] *= total / max(share[sign == kind].sum(), 1e-300)
        return Examples(self.pairs[chosen], sign, share)

    @property
    def has_both(self) -> bool:
        """Whether some are the same and some are different."""
        return bool((self.sign > 0).any() and (self.sign < 0).any())


class PairProblem:
    """Pairs of rows of one table, to which models are fitted.

    Prepared once: the labelling loop fits anew after every answer.
    """

    def __init__(
        self, X: Any, columns: "_kernels.Columns", n_jobs: int | None = -1
    ) -> None:
        self.X = X
        self.columns = columns
        self._n_jobs = n_jobs

    @classmethod
    def of(
        cls,
        X: FloatArray,
        is_categorical: BoolArray | None = None,
        missing: str = "probability",
        labels: IndexArray | None = None,
        n_jobs: int | None = -1,
    ) -> "PairProblem":
        """Prepare the differences of a table of numbers."""
        if isinstance(X, Blocks):
            described = described_blocks(
                as_blocks(X, allow_nan=True), is_categorical, missing, labels
            )
            return PairsOfBlocks(X, described, n_jobs)
        X = np.ascontiguousarray(X, dtype=np.float64)
        return cls(X, described_columns(X, is_categorical, missing, labels), n_jobs)

    def of_rows(self, rows: IndexArray) -> dict[str, Any]:
        """Return some rows and what is known of the columns, in plain types."""
        columns = self.columns
        if columns.codes.size:
            columns = columns._replace(
                codes=columns.codes[rows], group=columns.group[rows]
            )
        return {"X": self.X[rows], **columns._asdict()}

    @classmethod
    def restored(
        cls,
        kept: dict[str, Any],
        X: FloatArray | None = None,
        n_jobs: int | None = -1,
    ) -> "PairProblem":
        """Return the problem of rows that :meth:`of_rows` kept, or of complete rows."""
        known = {name: kept[name] for name in _kernels.Columns._fields}
        columns = _kernels.Columns(**known)
        return cls(kept["X"] if X is None else X, columns, n_jobs)

    def gathered(self, examples: Examples) -> tuple["PairProblem", Examples]:
        """Return a problem in memory with the rows of these pairs, and the pairs."""
        return self, examples

    def examples(
        self,
        must: PairArray,
        cannot: PairArray,
        random_state: RandomState = 0,
        n_searched: int | None = None,
    ) -> Examples:
        """Return the pairs; a kind that is missing is made up for, at less weight.

        n_searched : number of random rows among which nearest ones are looked for, None
            for all.
        """
        weights = [0.5, 0.5]
        if not len(must):
            must = self._near(cannot, random_state, n_searched)
            weights[0] *= SUBSTITUTE_WEIGHT
        elif not len(cannot):
            rng, is_quick = as_generator(random_state), n_searched is not None
            cannot = self._farthest(np.unique(must), must, rng, is_quick)
            weights[1] *= SUBSTITUTE_WEIGHT
        return Examples.of(must, cannot, (weights[0], weights[1]))

    def with_unlabelled(
        self, examples: Examples, weight: float, random_state: RandomState = 0
    ) -> Examples:
        """Add unanswered pairs: near rows as the same, far rows as different.

        Both kinds have the given total weight; answers are not doubled.
        """
        rng = as_generator(random_state)
        drawn = rng.permutation(len(self.X))[:N_UNLABELLED]
        rows = self.by_content(np.arange(len(self.X)))[drawn]
        apart = examples.pairs[examples.sign < 0]
        near = self._nearest(rows, apart, np.arange(len(self.X)))
        far = self._farthest(rows, examples.pairs[examples.sign > 0], rng)
        n_rows = len(self.X)
        known = np.sort(examples.pairs, axis=1) @ [n_rows, 1]
        near, far = (p[~np.isin(p @ [n_rows, 1], known)] for p in (near, far))
        added = Examples.of(near, far, (weight, weight))
        return Examples(
            *(np.concatenate(parts) for parts in zip(examples, added, strict=True))
        )

    def _near(
        self, cannot: PairArray, random_state: RandomState, n_searched: int | None
    ) -> PairArray:
        """Every end with its nearest row that is not said to be different."""
        ends = np.unique(cannot)
        searched = np.arange(len(self.X))
        if n_searched is not None and n_searched < len(self.X):
            some = as_generator(random_state).choice(
                len(self.X), n_searched, replace=False
            )
            searched = np.union1d(some, ends)
        return self._nearest(ends, cannot, searched)

    def _nearest(
        self, rows: IndexArray, apart: PairArray, searched: IndexArray
    ) -> PairArray:
        """Each row with the nearest of those searched, which are sorted."""
        barred = [
            np.searchsorted(
                searched, np.union1d(apart[(apart == row).any(axis=1)], row)
            )
            for row in rows
        ]
        excluded = np.full((rows.size, max(map(len, barred))), -1, dtype=np.int64)
        for line, partners in zip(excluded, barred, strict=True):
            line[: partners.size] = partners
        nearest, distances = self._nearest_rows(rows, excluded, searched)
        is_tied = distances <= distances[:, :1] * (1.0 + TIE)
        row, place = np.nonzero((nearest >= 0) & is_tied)
        examples = np.column_stack([rows[row], searched[nearest[row, place]]])
        return np.unique(np.sort(examples, axis=1), axis=0)

    def _nearest_rows(
        self, rows: IndexArray, excluded: IndexArray, searched: IndexArray
    ) -> tuple[IndexArray, FloatArray]:
        """Return places among the rows searched, and distances, (q, MAX_TIED)."""
        X, columns = self.X, self.columns
        if searched.size < len(X):
            X = X[searched]
            if columns.codes.size:
                codes, group = columns.codes[searched], columns.group[searched]
                columns = columns._replace(codes=codes, group=group)
        return _kernels.nearest_rows(
            X,
            np.searchsorted(searched, rows),
            excluded,
            columns,
            False,
            MAX_TIED,
            self._n_jobs,
        )

    def _distances(self, pairs: PairArray) -> FloatArray:
        """Return the sums of differences of some pairs."""
        return _kernels.pair_differences(
            self.X, pairs, np.arange(self.X.shape[1]), self.columns, self._n_jobs
        ).sum(axis=0)

    def _farthest(
        self,
        rows: IndexArray,
        together: PairArray,
        rng: np.random.Generator,
        is_quick: bool = False,
    ) -> PairArray:
        """Each row with the farthest of some random ones.

        is_quick : draw by row number, without a look at all rows.
        """
        n_rows = len(self.X)
        drawn = rng.integers(n_rows, size=rows.size * N_FAR)
        if not is_quick:
            by_content = self.by_content(np.arange(n_rows))
            rows = by_content[np.isin(by_content, rows)]
            drawn = by_content[drawn]
        tried = np.sort(np.column_stack([np.repeat(rows, N_FAR), drawn]), axis=1)
        distance = self._distances(tried)
        known = np.sort(together, axis=1) @ [n_rows, 1]
        distance[np.isin(tried @ [n_rows, 1], known)] = 0.0
        best = distance.reshape(-1, N_FAR).argmax(axis=1)
        best += N_FAR * np.arange(rows.size)
        return np.unique(tried[best[distance[best] > 0.0]], axis=0)

    def contents(self, rows: IndexArray) -> FloatArray:
        """Return a number for each of some rows that follows from its cells alone.

        In an order of rows by it, draws and sums do not depend on the order in which
        rows were given. Columns count by the cells that they hold, not by their place,
        and categories by their frequency, as their numbers mean nothing.
        """
        columns = self.columns
        shares = shares_of(count_values(self.X, 0, columns.is_categorical, rows))
        step = max(1, BLOCK_CELLS // self.X.shape[1])
        blocks = [rows[first : first + step] for first in range(0, rows.size, step)]
        weights: Any = None
        for _ in range(N_WEIGHINGS):
            weights = 1.0 + sum(
                sum_squares(self.X[block], 0, columns, shares, weights)
                for block in blocks
            )
        return np.concatenate(
            [
                contents_of(self.X[block], 0, columns, shares, weights)
                for block in blocks
            ]
        )

    def by_content(self, rows: IndexArray) -> IndexArray:
        """Order rows by their cells."""
        return rows[np.argsort(self.contents(rows), kind="stable")]

    def _sorted(self, examples: Examples) -> Examples:
        """Order pairs by the cells of their rows."""
        rows, places = np.unique(examples.pairs, return_inverse=True)
        contents = self.contents(rows)[places.reshape(examples.pairs.shape)]
        low, high = np.sort(contents, axis=1).T
        order = np.lexsort((high, low, examples.share, examples.sign))
        pairs, sign, share = examples
        return Examples(pairs[order], sign[order], share[order])

    def gradient(self, examples: Examples, slope: FloatArray) -> FloatArray:
        """Return the derivative of the loss by every weight."""
        return _kernels.sum_of_differences(
            self.X, examples.pairs, slope, self.columns, self._n_jobs
        )

    def penalties(
        self, examples: Examples, n_penalties: int, smallest: float
    ) -> FloatArray:
        """Return a geometric grid from the penalty at which all weights are 0."""
        examples = self._sorted(examples)
        _, slope = _empty_model(examples)
        largest = max(float(-self.gradient(examples, slope).min()), 1e-12)
        return largest * np.geomspace(1.0, smallest, n_penalties)

    def path(
        self, examples: Examples, penalties: FloatArray, tol: float
    ) -> tuple[PairPath, FloatArray]:
        """Fit a model for every penalty; return also the gradient at the last.

        That of a constant feature, which nothing can be said for, is infinite.
        """
        with _kernels.one_blas_thread():
            path, gradient = self._path(self._sorted(examples), penalties, tol)
        return path, np.where(self.columns.scale > 0.0, gradient, np.inf)

    def _path(
        self, examples: Examples, penalties: FloatArray, tol: float
    ) -> tuple[PairPath, FloatArray]:
        w = np.zeros(self.X.shape[1])
        intercept, slope = _empty_model(examples)
        gradient = self.gradient(examples, slope)
        if not examples.has_both:
            return _flat_path(penalties, w), gradient
        before = penalties[0]
        working = WorkingSet(self, examples, gradient)
        models = []
        for penalty in penalties:
            # The gradient seldom changes faster than the penalty (the strong rule).
            working.add(np.flatnonzero(-gradient >= 2.0 * penalty - before))
            while True:
                intercept, slope = working.fit(penalty, 0.3 * tol, w, intercept)
                gradient = self.gradient(examples, slope)
                value = working.value(penalty, w, intercept)
                gap = value - _kernels.lower_bound(
                    slope, examples.sign, examples.share, gradient, penalty
                )
                wanted = np.where(working.contains, 0.0, -gradient - penalty)
                if gap <= tol or wanted.max() <= 0.0:
                    break
                working.add(_largest(wanted, max(10, working.size)))
            models.append((w.copy(), intercept, value, max(gap, 0.0)))
            working.keep(w > 0.0)
            before = penalty
        coefs, intercepts, values, gaps = map(np.array, zip(*models, strict=True))
        return PairPath(penalties, coefs, intercepts, values, gaps), gradient

    def log_odds(
        self, pairs: PairArray, coef: FloatArray, intercept: float
    ) -> FloatArray:
        """Return the log-odds of "same"."""
        features = np.flatnonzero(coef)
        D = _kernels.pair_differences(
            self.X, pairs, features, self.columns, self._n_jobs
        )
        with _kernels.one_blas_thread():
            return intercept - coef[features] @ D


class PairsOfBlocks(PairProblem):
    """Pairs of rows of data in blocks: chosen there, and then gathered."""

    def __init__(self, X: Blocks, described: Described, n_jobs: int | None) -> None:
        super().__init__(X, described.rules.columns, n_jobs)
        self._described = described

    def gathered(self, examples: Examples) -> tuple[PairProblem, Examples]:
        """Return a problem in memory with the rows of these pairs, and the pairs."""
        rows = np.unique(examples.pairs)
        pairs = np.searchsorted(rows, examples.pairs)
        return self._in_memory(rows), examples._replace(pairs=pairs)

    def _in_memory(self, rows: IndexArray) -> PairProblem:
        X = gathered_rows(self.X, rows)
        return PairProblem(X, self._described.columns_of(X, rows), self._n_jobs)

    def _nearest_rows(
        self, rows: IndexArray, excluded: IndexArray, searched: IndexArray
    ) -> tuple[IndexArray, FloatArray]:
        # All rows are searched: a place is a row.
        described = self._described
        found = self.X.reduce(
            _kernels.nearest_in_block,
            _kernels.join_nearest,
            _kernels.Targets(rows, self.X.rows(rows), described.group[rows]),
            described.rules,
            False,
            MAX_TIED,
            excluded,
            by_row=described.group,
        )
        return found.rows, found.distances

    def _distances(self, pairs: PairArray) -> FloatArray:
        rows = np.unique(pairs)
        return self._in_memory(rows)._distances(np.searchsorted(rows, pairs))

    def contents(self, rows: IndexArray) -> FloatArray:
        """Return a number for each of some rows, or of all, by its cells alone."""
        if rows.size < len(self.X):
            return self._in_memory(rows).contents(np.arange(rows.size))
        columns = self.columns
        counts = self.X.reduce(count_values, join_counts, columns.is_categorical)
        shares = shares_of(counts)
        weights = None
        for _ in range(N_WEIGHINGS):
            weights = 1.0 + self.X.reduce(sum_squares, np.add, columns, shares, weights)
        parts = self.X.reduce(list_contents, operator.add, columns, shares, weights)
        return np.concatenate(parts)[rows]


def _empty_model(examples: Examples) -> tuple[float, FloatArray]:
    """Return intercept and slopes of the model without features."""
    same = examples.share[examples.sign > 0].sum()
    different = examples.share[examples.sign < 0].sum()
    if not examples.has_both:
        same = different = 0.5
    chance = same / (same + different)
    wrong = np.where(examples.sign > 0, 1.0 - chance, chance)
    return float(np.log(same / different)), examples.share * examples.sign * wrong


def _flat_path(penalties: FloatArray, w: FloatArray) -> PairPath:
    """Return models without features, for pairs of one kind only."""
    number = penalties.size
    zero = np.zeros(number)
    return PairPath(penalties, np.tile(w, (number, 1)), zero, zero, zero)


def _largest(values: FloatArray, number: int) -> IndexArray:
    """Return the positions of the largest positive values."""
    number = min(number, int((values > 0.0).sum()))
    return np.sort(np.argsort(-values, kind="stable")[:number])
