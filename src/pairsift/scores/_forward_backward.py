"""Forward-backward search by the mutual information of sets of features."""

from collections.abc import Callable
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from scipy.special import stdtrit

from pairsift import _kernels
from pairsift._checks import check_at_least
from pairsift._random import as_generator
from pairsift._typing import BoolArray, FloatArray, IndexArray, RandomState
from pairsift.information import (
    as_numbers,
    column_scales,
    discrete_mask,
    joint_codes,
    relevance,
    with_classes,
)
from pairsift.scores._copies import spread_copies
from pairsift.scores._irelief import class_codes
from pairsift.scores._search import (
    SEARCH_TIE,
    ascending,
    check_quantile,
    exceeds,
    first_lowest,
)


class ForwardBackwardPath(NamedTuple):
    """Where the search went."""

    order: IndexArray
    """(d,) features: those found, in order of addition, then the others."""
    n_found: int
    """Number of features added and not removed."""
    values: FloatArray
    """(additions,) information of the features after each addition."""
    thresholds: FloatArray
    """(additions,) what it had to exceed."""
    removed: IndexArray
    """Features added and removed again, in this order."""
    gains: FloatArray
    """(d,) what each feature of the order added to the information."""


def forward_backward_path(
    X: FloatArray,
    labels: Any,
    *,
    quantile: float = 0.95,
    n_permutations: int = 20,
    familywise: bool = True,
    pairs: bool = True,
    must_rise: bool = True,
    discrete_features: Any = "auto",
    n_neighbors: int = 6,
    random_state: RandomState = None,
    n_jobs: int | None = -1,
) -> ForwardBackwardPath:
    r"""Add features as long as all together tell more, then remove those that do not.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        The data.
    labels : array-like of shape (n_samples,)
        Class labels, at least two of them; unlabelled rows (-1) are left out.
    quantile : float, default=0.95
        Share of shuffled features that must tell less.
    n_permutations : int, default=20
        How often a feature is shuffled for a test.
    familywise : bool, default=True
        Test the best candidate as the best of all tried; False tests it as if it were
        the only one, as published, and adds useless features more often.
    pairs : bool, default=True
        When no single feature is good enough, try to add two at once.
    must_rise : bool, default=True
        Add features only if the estimate rises with them, which keeps copies out; False
        goes by the test alone, and loses fewer weak features where rows are few.
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
    path : ForwardBackwardPath
        A named tuple with `order` (all features: those found, in order of addition,
        then the others by what they tell beside these), `n_found`, `values` (the
        information after each addition), `thresholds` (what it had to exceed),
        `removed` (features added and removed again) and `gains` (for each feature of
        `order` by how much the information rose with it, shared by two added at once;
        for features never added what they offered in the end).

    Notes
    -----
    Algorithm 4 of [1]_ with the mixed estimator of
    :func:`pairsift.information.mutual_information`. Of all features the one is looked
    at which, with those added before, has the largest information about the classes.
    It is added if this exceeds the quantile of what it is with this feature shuffled:
    sets of equal size are compared, as estimates of larger sets have a larger bias. At
    the end features are removed one by one, as long as shuffling one leaves, at the
    quantile, no less than all have; the one with the most first.

    Decisions beyond the thesis, which shuffles once and always adds the first:

    - The first feature is tested too.
    - ``familywise=True``: the best of m useless candidates exceeds the 95 % quantile of
      one nearly always when m is large. So the quantile is that of order
      :math:`q^{1/m}`, of a t distribution fitted to the shuffled estimates:
      :math:`\bar I + t_{p-1}(q^{1/m})\, s \sqrt{1 + 1/p}` for p permutations of mean
      :math:`\bar I` and standard deviation s.
    - ``pairs=True``: features that matter only together are found when no single one
      helps: the best pair is tested, both shuffled in one order. Their number grows
      with the square of the number of features, and is looked through once at least.

    - ``must_rise=True``: a near copy of a feature found does not blur the estimate as a
      shuffled one does, and passes the test although it adds nothing. Algorithm 4 asks
      for a rise beside the test; more columns lower an estimate more often than not, so
      that it is hard on weak features where rows are few.
    - Equal numbers of a continuous column are moved apart, as in
      :func:`mrmr_path`.

    References
    ----------
    .. [1] F. Coelho, "Semi-supervised feature selection", PhD thesis, Universidade
       Federal de Minas Gerais and Université catholique de Louvain, 2013.

    Examples
    --------
    >>> import numpy as np
    >>> from pairsift.scores import forward_backward_path
    >>> X = np.random.default_rng(0).uniform(-1, 1, size=(300, 4))
    >>> y = X[:, 1] * X[:, 3] > 0
    >>> path = forward_backward_path(X, y, random_state=0)
    >>> path.order[: path.n_found]
    array([1, 3])
    """
    check_at_least(n_neighbors, "n_neighbors", 1)
    check_at_least(n_permutations, "n_permutations", 2 if familywise else 1)
    check_quantile(quantile)
    X = as_numbers(X)
    codes = class_codes(labels, len(X))
    is_discrete = discrete_mask(X, discrete_features)
    rng = as_generator(random_state)
    X, rows = spread_copies(X, is_discrete, codes), codes >= 0
    about = _Information(X[rows], codes[rows], is_discrete, n_neighbors, n_jobs)
    test = _Test(quantile, n_permutations, familywise, rng)
    found, gains, values, thresholds = _forward(
        about, test, 2 if pairs else 1, must_rise
    )
    rest = np.setdiff1d(np.arange(X.shape[1]), found)
    rest = rest[ascending(-gains[rest], SEARCH_TIE)]
    found, removed = _backward(about, test, found)
    order = np.array([*found, *removed[::-1], *rest], dtype=np.int64)
    return ForwardBackwardPath(
        order,
        len(found),
        np.array(values),
        np.array(thresholds),
        np.array(removed, dtype=np.int64),
        gains[order],
    )


class _Test(NamedTuple):
    quantile: float
    n_permutations: int
    familywise: bool
    rng: np.random.Generator

    def threshold(self, chances: FloatArray, n_tried: int) -> float:
        """Return what the best of `n_tried` candidates must exceed."""
        if not self.familywise:
            return float(np.quantile(chances, self.quantile))
        t = stdtrit(chances.size - 1, self.quantile ** (1.0 / n_tried))
        width = chances.std(ddof=1) * np.sqrt(1.0 + 1.0 / chances.size)
        return float(chances.mean() + t * width)


def _forward(
    about: "_Information", test: _Test, most_at_once: int, must_rise: bool
) -> tuple[list[int], FloatArray, list[float], list[float]]:
    """Add single features, or several at once where no single one will do.

    Also return what each feature added, or would add to those found.
    """
    found: list[int] = []
    values: list[float] = []
    thresholds: list[float] = []
    gains = np.zeros(about.n_features)
    size = 1
    while size <= most_at_once and len(found) + size <= about.n_features:
        left = [f for f in range(about.n_features) if f not in found]
        candidates = [list(some) for some in combinations(left, size)]
        if found or size > 1:
            informations = about.of([found + some for some in candidates])
        else:
            informations = about.alone()
        rises = informations - (values[-1] if values else 0.0)
        if size == 1:
            gains[left] = rises
        best = first_lowest(-informations, SEARCH_TIE)
        together = found + candidates[best]
        chances = about.shuffled(together, candidates[best], test)
        threshold = test.threshold(chances, len(candidates))
        if must_rise and values:
            threshold = max(threshold, values[-1])
        if exceeds(informations[best], threshold):
            gains[candidates[best]] = rises[best] / size
            found, size = together, 1
            values.append(float(informations[best]))
            thresholds.append(threshold)
        else:
            size += 1
    return found, gains, values, thresholds


def _backward(
    about: "_Information", test: _Test, found: list[int]
) -> tuple[list[int], list[int]]:
    """Remove features that are as good when shuffled."""
    removed: list[int] = []
    while len(found) > 1:
        chances = np.array(
            [test.threshold(about.shuffled(found, [f], test), 1) for f in found]
        )
        useless = first_lowest(-chances, SEARCH_TIE)
        if exceeds(about.of([found])[0], chances[useless]):
            break
        removed.append(found[useless])
        found = found[:useless] + found[useless + 1 :]
    return found, removed


class _Information:
    """What sets of features tell about the classes."""

    def __init__(
        self,
        X: FloatArray,
        codes: IndexArray,
        is_discrete: BoolArray,
        n_neighbors: int,
        n_jobs: int | None,
    ) -> None:
        self.X, self.codes, self.is_discrete = X, codes, is_discrete
        self.n_features = X.shape[1]
        self.n_neighbors, self.n_jobs = n_neighbors, n_jobs

    def alone(self) -> FloatArray:
        """Return the information of each feature by itself."""
        return relevance(
            self.X,
            self.codes,
            discrete_features=self.is_discrete,
            n_neighbors=self.n_neighbors,
            n_jobs=self.n_jobs,
        )

    def of(self, sets: list[list[int]]) -> FloatArray:
        """Return the information of each of some sets."""
        return self._each(sets, lambda which: self.X[:, sets[which]])

    def shuffled(self, features: list[int], some: list[int], test: _Test) -> FloatArray:
        """Return the information of a set of which some are shuffled, many times."""
        columns = self.X[:, features]
        is_moved = np.isin(features, some)
        n_rows, n_times = len(columns), test.n_permutations
        orders = [test.rng.permutation(n_rows) for _ in range(n_times)]
        return self._each(
            [features] * n_times,
            lambda which: np.where(is_moved, columns[orders[which]], columns),
        )

    def _each(
        self, sets: list[list[int]], columns_of: Callable[[int], FloatArray]
    ) -> FloatArray:
        values = np.empty(len(sets))

        def fill(first: int, last: int) -> None:
            for which in range(first, last):
                columns = columns_of(which)
                is_discrete = self.is_discrete[sets[which]]
                Z = columns[:, ~is_discrete]
                Z = np.ascontiguousarray(Z[:, column_scales(Z) > 0.0])
                cells = joint_codes(columns[:, is_discrete])
                found = with_classes(Z, cells, self.codes, self.n_neighbors, 1)
                values[which] = found.information

        # The searches for neighbours count what is done.
        cost = 3e3 * len(sets) * len(self.X)
        _kernels.on_threads(self.n_jobs, len(sets), fill, cost=cost, is_counted=False)
        return values
