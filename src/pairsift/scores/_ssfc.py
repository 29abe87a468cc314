"""SSFC: of similar features the more relevant one, from some labels and all rows."""

from collections.abc import Callable
from numbers import Real
from typing import Any, NamedTuple

import numpy as np

from pairsift._checks import check_at_least, check_choice, check_memory
from pairsift._random import as_generator
from pairsift._typing import BoolArray, FloatArray, IndexArray, RandomState
from pairsift.information import (
    ColumnTable,
    as_numbers,
    column_table,
    discrete_mask,
    pair_information,
)
from pairsift.scores._copies import spread_copies
from pairsift.scores._forward_backward import forward_backward_path
from pairsift.scores._irelief import class_codes
from pairsift.scores._search import SEARCH_TIE, ascending, check_quantile, exceeds
from pairsift.scores._ssfc_correlations import Correlations

SSFC_LAMBDAS = ("median", "mean")
SSFC_MEASURES = ("information", "correlation")
SSFC_STOPS = ("permutation", "blanket")
RELEVANCE_TESTS = ("univariate", "multivariate")
SSFC_PERMUTED = ("feature", "similarity")
# Above this number, crossings are drawn instead of listed before taking the median.
MAX_CROSSINGS = 4_000_000
# Numbers for each two features that are kept at once.
N_TABLES = 6


class SSFCPath(NamedTuple):
    """What was eliminated, when and why."""

    order: IndexArray
    """(d,) features: those kept by relevance, then the last eliminated first."""
    reasons: Any
    """(d,) "kept", "redundant" or "irrelevant"."""
    replaced_by: IndexArray
    """(d,) the feature for which a redundant one was eliminated, -1 for others."""
    relevance: FloatArray
    """(d,) what each feature alone tells about the classes, on labelled rows."""
    gains: FloatArray
    """(d,) what it tells in its place of the order, 0 for redundant features."""
    similarities: FloatArray
    """(d, d) S."""
    lambda_: float
    """The weight of the labels in S."""


def ssfc_path(
    X: FloatArray,
    labels: Any,
    *,
    lambda_: float | str = "median",
    measure: str = "information",
    stop: str = "permutation",
    relevance_test: str = "univariate",
    permute: str = "feature",
    quantile: float = 0.95,
    n_permutations: int = 100,
    discrete_features: Any = "auto",
    n_neighbors: int = 6,
    random_state: RandomState = None,
    n_jobs: int | None = -1,
) -> SSFCPath:
    r"""Eliminate redundant, then irrelevant features, until tests keep the others.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        The data.
    labels : array-like of shape (n_samples,)
        Class numbers, at least two of them, and -1 for unlabelled rows.
    lambda_ : {"median", "mean"} or float, default="median"
        Weight of the labels in the similarity of features, see Notes.
    measure : {"information", "correlation"}, default="information"
        What features tell about each other and about the classes: mutual information,
        as published, or absolute correlation.
    stop : {"permutation", "blanket"}, default="permutation"
        When features are no longer redundant: as published, when the most similar two
        are not significantly similar. ``"blanket"`` also wants two features to tell no
        less about each other than the less relevant one about the classes.
    relevance_test : {"univariate", "multivariate"}, default="univariate"
        How irrelevant features are found: each tested by itself, as published, or all
        that are left searched by :func:`forward_backward_path`, with the features
        that matter only together.
    permute : {"feature", "similarity"}, default="feature"
        What a similarity is compared with: that of the shuffled feature in both its
        terms, or the first term alone, which is about 0.
    quantile : float, default=0.95
        Share of shuffled features that must be less similar, or less relevant.
    n_permutations : int, default=100
        How often a feature is shuffled for a test.
    discrete_features : "auto", bool or ndarray of shape (n_features,), default="auto"
        Discrete columns: all, none, or a mask. ``"auto"`` takes a column for discrete
        when it has at most :math:`\max(10, \sqrt n)` distinct values, and at most half
        as many as rows, among all rows.
    n_neighbors : int, default=6
        Number of neighbours by which continuous columns are estimated.
    random_state : int, Generator, RandomState or None, default=None
        Seed of the shuffling.
    n_jobs : int or None, default=-1
        Number of threads: -1 for all cores, None as in joblib.

    Returns
    -------
    path : SSFCPath
        A named tuple with `order` (all features, best first: those kept by relevance,
        then the last eliminated first), `reasons` ("kept", "redundant" or "irrelevant",
        for each feature), `replaced_by` (the feature for which a redundant one was
        eliminated, -1 for others), `relevance`, `gains` (what each feature tells in its
        place of the order), `similarities` and `lambda_`.

    Notes
    -----
    Algorithms 1 and 2 of section 4.1 of [1]_. The similarity of two features is what
    they tell about each other, on all rows, less the difference of what they tell about
    the classes, on labelled rows:

    .. math::
        S(f, g) = I(f; g) - \lambda\, | I(f; y) - I(g; y) |

    The most similar two are tested: if S exceeds the quantile of what it is with one of
    them shuffled, the less relevant one is eliminated (of equals the latter), and so
    on; if not, this ends. Then features are eliminated whose relevance does not exceed
    the quantile of that of shuffled features.

    Decisions where the thesis leaves a choice:

    - Two pairs of features are equally similar at
      :math:`\lambda_{ij} = (A_j - A_i) / (B_j - B_i)`, for S = A - λB. ``"mean"`` is
      the published middle of the smallest and the largest positive one, which is half
      of the largest, some orders of magnitude more than most, and leaves nothing but
      the labels. ``"median"`` is the median of all positive ones, and lets both count.
      With more than four million of them, as many are drawn. Without any, λ = 1.
    - λ is found once, from all features.
    - The feature that would be eliminated is the one shuffled, over all rows. With
      ``permute="feature"`` it enters both terms of S, which is far below 0 for a large
      λ, because a shuffled feature is not relevant, so that features are similar which
      hardly are. The thesis says that S of a shuffled feature is about 0; with
      ``permute="similarity"`` it is, because labels are left out of it.
    - Constant features are irrelevant: a relevance that equals its quantile up to
      rounding does not exceed it.
    - Irrelevant features are eliminated from the least relevant upwards.
    - Equal numbers of a continuous column are moved apart, as in
      :func:`mrmr_path`.

    Three options follow what the thesis leaves to others (sections 4.1 and 7):

    - ``measure="correlation"``: "any other similarity function can be used like the
      Pearson correlation". Of a feature and the classes it is the correlation ratio,
      the root of the share of its variance between classes, which for two classes is
      the absolute correlation. Columns count as numbers, whatever `discrete_features`
      says.
    - ``stop="blanket"``: a similarity that is not zero is "not necessarily big enough".
      Two features are looked at only if :math:`\Phi(f, g) \ge \min(\Phi(f, y),
      \Phi(g, y))` for the measure Φ: the approximate Markov blanket of [2]_, which has
      no threshold to choose either.
    - ``relevance_test="multivariate"``: "features that are irrelevant alone, may be
      very relevant when considered together". The search goes by information, with
      each measure, and looks at pairs of features: O(d²) for d features left.

    References
    ----------
    .. [1] F. Coelho, "Semi-supervised feature selection", PhD thesis, Universidade
       Federal de Minas Gerais and Université catholique de Louvain, 2013.
    .. [2] L. Yu, H. Liu, "Efficient feature selection via analysis of relevance and
       redundancy", JMLR 5, 1205-1224, 2004.

    Examples
    --------
    >>> import numpy as np
    >>> from pairsift.scores import ssfc_path
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(200, 3))
    >>> X[:, 2] = X[:, 0] + 0.1 * X[:, 2]
    >>> y = np.where(np.arange(200) < 60, X[:, 0] > 0, -1)
    >>> path = ssfc_path(X, y, random_state=0)
    >>> path.reasons.tolist()
    ['redundant', 'irrelevant', 'kept']
    """
    check_at_least(n_neighbors, "n_neighbors", 1)
    check_at_least(n_permutations, "n_permutations", 1)
    check_quantile(quantile)
    _check_words(lambda_, measure, stop, relevance_test)
    check_choice(permute, "permute", SSFC_PERMUTED)
    X = as_numbers(X)
    check_memory(
        N_TABLES * 8.0 * X.shape[1] ** 2,
        f"similarities of {X.shape[1]} features",
        "select with SemiMRMR, which keeps no table of features, or drop features "
        "with CollinearityFilter first",
    )
    codes = class_codes(labels, len(X))
    kinds = discrete_mask(X, discrete_features)
    rng = as_generator(random_state)
    options: dict[str, Any] = {"n_neighbors": n_neighbors, "n_jobs": n_jobs}
    features: _Features | Correlations
    if measure == "information":
        features = _Features(spread_copies(X, kinds, codes), kinds, codes, options)
    else:
        features = Correlations(X, codes)
    A = features.information
    B = np.abs(np.subtract.outer(features.relevance, features.relevance))
    weight = lambda_ if not isinstance(lambda_, str) else _weight(A, B, lambda_, rng)
    S = A - weight * B

    def is_redundant(dropped: int, kept: int) -> bool:
        chance, relevance = features.shuffled(dropped, kept, n_permutations, rng)
        if permute == "feature":
            chance = chance - weight * np.abs(features.relevance[kept] - relevance)
        return bool(exceeds(S[kept, dropped], np.quantile(chance, quantile)))

    candidates = S
    if stop == "blanket":
        less = np.minimum.outer(features.relevance, features.relevance)
        candidates = np.where(less <= A, S, -np.inf)
    redundant, replaced_by = _eliminate(candidates, features.relevance, is_redundant)
    left = np.setdiff1d(np.arange(len(S)), redundant)
    if relevance_test == "univariate":
        chance = features.chance_relevance(left, n_permutations, rng)
        threshold = np.quantile(chance, quantile, axis=1)
        is_relevant = exceeds(features.relevance[left], threshold)
        ranked = _by_relevance(left, features.relevance, is_relevant)
    else:
        options |= {"quantile": quantile, "n_permutations": n_permutations}
        ranked = _by_search(X[:, left], codes, left, kinds, rng, options)
    return _path(ranked, redundant, replaced_by, features.relevance, S, float(weight))


def _check_words(lambda_: Any, measure: Any, stop: Any, relevance_test: Any) -> None:
    if isinstance(lambda_, str) or not isinstance(lambda_, Real) or lambda_ < 0:
        check_choice(lambda_, "lambda_", (*SSFC_LAMBDAS, "a number of at least 0"))
    check_choice(measure, "measure", SSFC_MEASURES)
    check_choice(stop, "stop", SSFC_STOPS)
    check_choice(relevance_test, "relevance_test", RELEVANCE_TESTS)


class _Ranked(NamedTuple):
    """The features that are not redundant."""

    order: IndexArray
    n_kept: int
    gains: FloatArray
    """What each feature of the order tells."""


def _by_relevance(
    left: IndexArray, relevance: FloatArray, is_relevant: BoolArray
) -> _Ranked:
    """Algorithm 2: each feature by itself."""
    groups = [
        group[ascending(-relevance[group], SEARCH_TIE)]
        for group in (left[is_relevant], left[~is_relevant])
    ]
    order = np.concatenate(groups)
    return _Ranked(order, groups[0].size, relevance[order])


def _by_search(
    X: FloatArray,
    codes: IndexArray,
    left: IndexArray,
    kinds: BoolArray,
    rng: np.random.Generator,
    options: dict[str, Any],
) -> _Ranked:
    """Search for the features that tell most together."""
    found = forward_backward_path(
        X, codes, discrete_features=kinds[left], random_state=rng, **options
    )
    return _Ranked(left[found.order], found.n_found, found.gains)


def _path(
    ranked: _Ranked,
    redundant: IndexArray,
    replaced_by: IndexArray,
    relevance: FloatArray,
    S: FloatArray,
    weight: float,
) -> SSFCPath:
    reasons = np.full(len(S), "redundant", dtype="<U10")
    reasons[ranked.order] = "irrelevant"
    reasons[ranked.order[: ranked.n_kept]] = "kept"
    gains = np.zeros(len(S))
    gains[ranked.order] = ranked.gains
    order = np.concatenate([ranked.order, redundant[::-1]]).astype(np.int64)
    return SSFCPath(order, reasons, replaced_by, relevance, gains, S, weight)


class _Features:
    """Information of features about each other and about the classes."""

    def __init__(
        self,
        X: FloatArray,
        kinds: BoolArray,
        codes: IndexArray,
        options: dict[str, Any],
    ) -> None:
        self.X, self.kinds, self.options = X, kinds, options
        self.is_labelled = codes >= 0
        self.codes = codes[self.is_labelled]
        self.table = column_table(X, kinds)
        self.labelled = column_table(X[self.is_labelled], kinds)
        self.classes = _discrete(self.codes[:, None])
        features = np.arange(X.shape[1])
        self.relevance = self._pairs(self.labelled, self.classes, features, [0])[:, 0]
        pairs = np.column_stack(np.triu_indices(X.shape[1]))
        values = pair_information(self.table, self.table, pairs, **options)[0]
        self.information = np.empty((X.shape[1], X.shape[1]))
        self.information[pairs[:, 0], pairs[:, 1]] = values
        self.information[pairs[:, 1], pairs[:, 0]] = values

    def shuffled(
        self, feature: int, other: int, n_times: int, rng: np.random.Generator
    ) -> tuple[FloatArray, FloatArray]:
        """Information about another feature, and the classes, of a shuffled one."""
        columns = self.X[_orders(len(self.X), n_times, rng), feature]
        kinds = np.full(n_times, self.kinds[feature])
        times = np.arange(n_times)
        shared = self._pairs(self.table, column_table(columns, kinds), [other], times)
        labelled = column_table(columns[self.is_labelled], kinds)
        relevance = self._pairs(labelled, self.classes, times, [0])
        return shared[0], relevance[:, 0]

    def chance_relevance(
        self, features: IndexArray, n_times: int, rng: np.random.Generator
    ) -> FloatArray:
        """Information of features about shuffled classes, (features, n_times)."""
        classes = _discrete(self.codes[_orders(self.codes.size, n_times, rng)])
        return self._pairs(self.labelled, classes, features, np.arange(n_times))

    def _pairs(
        self, left: ColumnTable, right: ColumnTable, rows: Any, columns: Any
    ) -> FloatArray:
        pairs = np.stack(np.meshgrid(rows, columns, indexing="ij"), axis=-1)
        values = pair_information(left, right, pairs.reshape(-1, 2), **self.options)[0]
        return values.reshape(len(rows), len(columns))


def _discrete(codes: IndexArray) -> ColumnTable:
    return column_table(codes.astype(np.float64), np.ones(codes.shape[1], dtype=bool))


def _orders(n_rows: int, n_times: int, rng: np.random.Generator) -> IndexArray:
    return np.column_stack([rng.permutation(n_rows) for _ in range(n_times)])


def _eliminate(
    S: FloatArray, relevance: FloatArray, is_redundant: Callable[[int, int], bool]
) -> tuple[IndexArray, IndexArray]:
    """Algorithm 1: features in the order of their elimination, and for which."""
    left = np.where(np.triu(np.ones_like(S), 1) > 0, S, -np.inf)
    eliminated: list[int] = []
    replaced_by = np.full(len(S), -1)
    while left.max(initial=-np.inf) > -np.inf:
        most = np.argmax(left >= left.max() - SEARCH_TIE)
        i, j = (int(f) for f in np.unravel_index(most, S.shape))
        kept, dropped = (i, j) if relevance[i] >= relevance[j] else (j, i)
        if not is_redundant(dropped, kept):
            break
        eliminated.append(dropped)
        replaced_by[dropped] = kept
        left[dropped, :] = left[:, dropped] = -np.inf
    return np.array(eliminated, dtype=np.int64), replaced_by


def _weight(A: FloatArray, B: FloatArray, rule: str, rng: np.random.Generator) -> float:
    """λ from the crossings of all pairs of features, 1 if there are none."""
    pairs = np.triu_indices(len(A), 1)
    a, b = A[pairs], B[pairs]
    if rule == "mean":
        # Of all slopes the steepest is one between neighbours, either way round.
        highest, lowest = _steepest(a, b), _steepest(b, a)
        return (highest + 1.0 / lowest) / 2.0 if highest > 0.0 else 1.0
    n_crossings = a.size * (a.size - 1) // 2
    if n_crossings <= MAX_CROSSINGS:
        i, j = np.triu_indices(a.size, 1)
    else:
        i, j = rng.integers(a.size, size=(2, MAX_CROSSINGS))
    rise, run = a[j] - a[i], b[j] - b[i]
    crosses = rise * run > 0.0
    return float(np.median(rise[crosses] / run[crosses])) if crosses.any() else 1.0


def _steepest(y: FloatArray, x: FloatArray) -> float:
    """Largest finite slope between any two points, 0 if none rises."""
    places, groups = np.unique(x, return_inverse=True)
    top = np.full(places.size, -np.inf)
    bottom = np.full(places.size, np.inf)
    np.maximum.at(top, groups, y)
    np.minimum.at(bottom, groups, y)
    slopes = (top[1:] - bottom[:-1]) / np.diff(places)
    return float(slopes.max(initial=0.0))
