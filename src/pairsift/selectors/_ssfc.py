"""SSFC."""

from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np

from pairsift._sklearn_compat import Interval, StrOptions
from pairsift._typing import FloatArray, IndexArray, RandomState
from pairsift.scores import (
    RELEVANCE_TESTS,
    SSFC_LAMBDAS,
    SSFC_MEASURES,
    SSFC_PERMUTED,
    SSFC_STOPS,
    ssfc_path,
)
from pairsift.selectors._base import N_JOBS, BaseScoreSelector, FromClasses, Supervision
from pairsift.selectors._cost import Problem
from pairsift.selectors._method import CLASSES_AND_ROWS, Method
from pairsift.selectors._mrmr import DISCRETE_FEATURES
from pairsift.selectors._search import ForwardSearch
from pairsift.selectors._tables import Table


def _seconds(s: Any, z: Problem) -> float:
    """Of the information of all pairs of features, and of shuffled ones."""
    per_row = 5e-9 * (z.n * s.n_neighbors) ** 0.5 + 5e-7
    if s.measure == "correlation":
        per_row = 5e-8
    seconds = per_row * z.n * z.d * (z.d / 2 + s.n_permutations)
    if s.relevance_test == "multivariate":
        # As the search over all features; how many are left is not known.
        n_sets = 5 * (z.d + s.n_permutations) + z.d**2 / 2
        seconds += (2.6e-6 * z.m + 3e-4) * n_sets
    return float(seconds / z.t)


class SSFC(ForwardSearch, FromClasses):
    r"""Select relevant features of which no two are similar (SSFC).

    Of the two most similar features the less relevant one is eliminated, again and
    again, as long as a permutation test says that they are similar; then those that
    tell nothing about the classes. What features tell about each other comes from all
    rows, what they tell about the classes from the labelled ones.
    Given pairs and no labels, the groups of rows joined by must-links serve as classes.
    Units do not
    matter.

    Parameters
    ----------
    n_features_to_select : "auto", int, float or None, default="auto"
        ``"auto"`` selects the features that are left, the best one at least. A number
        or a share takes the best of the ranking, None keeps all and only ranks.
    lambda_ : {"median", "mean"} or float, default="median"
        Weight of the labels in the similarity of features: the median of the weights
        at which two pairs of features are equally similar, the published middle of
        their range, or a number. 0 leaves the labels to the choice between two similar
        features, and to the last step.
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

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
        What each feature tells about the classes, in nats or as a correlation: at least
        0, as for redundant features, which tell nothing new, and at most that of the
        feature before it in `order_`: those left by their relevance, then the last
        eliminated first. With ``relevance_test="multivariate"`` what it tells beside
        those before it, in nats.
    eliminated_ : ndarray of shape (n_eliminated,)
        Features in the order of their elimination: redundant ones, then irrelevant
        ones.
    reasons_ : ndarray of shape (n_features,)
        ``"kept"``, ``"redundant"`` or ``"irrelevant"``.
    replaced_by_ : ndarray of shape (n_features,)
        The feature for which a redundant one was eliminated, -1 for others. It may have
        been eliminated later.
    relevance_ : ndarray of shape (n_features,)
        What each feature alone tells about the classes, in nats or as a correlation.
    similarities_ : ndarray of shape (n_features, n_features)
        The similarities S; on the diagonal what the estimator gives for a feature with
        itself.
    lambda_used_ : float
        The weight used.
    order_ : ndarray of shape (n_features,)
        Feature indices, best first; ties go to the lower index.
    ranking_ : ndarray of shape (n_features,)
        Rank of each feature, 1 is best.
    support_ : ndarray of shape (n_features,), dtype=bool
        Mask of the selected features.
    n_features_to_select_ : int
        Number of selected features.
    n_features_in_ : int
        Number of features seen in fit.
    feature_names_in_ : ndarray of shape (n_features,)
        Names of the features, when `X` has them.
    n_constraints_used_ : int
        Number of must-links that made the classes, 0 when labels did.

    See Also
    --------
    pairsift.scores.ssfc_path : The same as a function on arrays, with all decisions.
    FCRSC : Clusters of features by a sparse graph, margins from pairs.

    Notes
    -----
    Section 4.1 of [1]_: two features are similar as far as they tell about each other,
    minus `lambda_` times the difference of what they tell about the classes (formula in
    :func:`pairsift.scores.ssfc_path`). This is compared with what it is when the less
    relevant of the two is shuffled. The test asks whether two features have anything in
    common, not whether they are the same: with many rows, features of a common cause
    are all similar, and few are left. The published ``lambda_="mean"`` is half of the
    largest crossing (over a million on Sonar, where the median is 1.7), with which only
    features of equal relevance are similar, whatever they share.

    ``stop="blanket"`` is the cure: on six data sets with a fifth of the labels it kept
    7 features in the mean in place of 2, with which a nearest neighbour had 86.1 % in
    place of 69.4 %. The other two options did not help there: 65.7 % with
    ``measure="correlation"``, 63.8 % with ``relevance_test="multivariate"``. The guide
    on redundancy has the table.

    Features that all tell the classes are similar because of that: all but one are
    redundant, and rank behind noise, which is similar to nothing and is eliminated
    later. This is no matter of few labels. With two such features, a copy and seven
    columns of noise, noise was second in all of 20 draws with 20 and with 100 labels of
    200 rows, and so with the other two options; with ``stop="blanket"`` in 6 and 0.

    References
    ----------
    .. [1] F. Coelho, "Semi-supervised feature selection", PhD thesis, Universidade
       Federal de Minas Gerais and Université catholique de Louvain, 2013.

    Examples
    --------
    >>> import numpy as np
    >>> from pairsift import SSFC
    >>> from sklearn.datasets import load_wine
    >>> X, y = load_wine(return_X_y=True)
    >>> some_labels = np.where(np.arange(len(y)) % 3 == 0, y, -1)
    >>> selector = SSFC(random_state=0).fit(X, some_labels)
    >>> selector.get_support(indices=True)
    array([ 2,  7,  8, 12])
    >>> int(selector.replaced_by_[5])
    6
    """

    _method: ClassVar = Method(
        name="ssfc",
        learns_from=CLASSES_AND_ROWS,
        orientation="maximised",
        cost="O(d²n√n + dqn√n) time for q permutations, O(nd + d²) memory",
        seconds=_seconds,
        citation="Coelho 2013, section 4.1",
    )
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "n_features_to_select": [
            *BaseScoreSelector._parameter_constraints["n_features_to_select"],
            StrOptions({"auto"}),
        ],
        "lambda_": [
            StrOptions(set(SSFC_LAMBDAS)),
            Interval(Real, 0, None, closed="left"),
        ],
        "measure": [StrOptions(set(SSFC_MEASURES))],
        "stop": [StrOptions(set(SSFC_STOPS))],
        "relevance_test": [StrOptions(set(RELEVANCE_TESTS))],
        "permute": [StrOptions(set(SSFC_PERMUTED))],
        "quantile": [Interval(Real, 0, 1, closed="neither")],
        "n_permutations": [Interval(Integral, 1, None, closed="left")],
        "discrete_features": DISCRETE_FEATURES,
        "n_neighbors": [Interval(Integral, 1, None, closed="left")],
        "random_state": ["random_state", np.random.Generator],
        "n_jobs": N_JOBS,
    }

    eliminated_: IndexArray

    def __init__(
        self,
        n_features_to_select: int | float | str | None = "auto",
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
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.lambda_ = lambda_
        self.measure = measure
        self.stop = stop
        self.relevance_test = relevance_test
        self.permute = permute
        self.quantile = quantile
        self.n_permutations = n_permutations
        self.discrete_features = discrete_features
        self.n_neighbors = n_neighbors
        self.random_state = random_state
        self.n_jobs = n_jobs

    def _score(self, table: Table, supervision: Supervision) -> FloatArray:
        path = ssfc_path(
            table.X,
            supervision.labels,
            lambda_=self.lambda_,
            measure=self.measure,
            stop=self.stop,
            relevance_test=self.relevance_test,
            permute=self.permute,
            quantile=self.quantile,
            n_permutations=self.n_permutations,
            discrete_features=self.discrete_features,
            n_neighbors=self.n_neighbors,
            random_state=self.random_state,
            n_jobs=self.n_jobs,
        )
        n_kept = int((path.reasons == "kept").sum())
        self.eliminated_ = path.order[n_kept:][::-1]
        self.reasons_, self.replaced_by_ = path.reasons, path.replaced_by
        self.relevance_, self.similarities_ = path.relevance, path.similarities
        self.lambda_used_ = path.lambda_
        return self._entry_scores(path.order, path.gains[path.order])

    def _best_number(self) -> int:
        return max(1, self.reasons_.size - self.eliminated_.size)
