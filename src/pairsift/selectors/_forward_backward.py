"""ForwardBackwardMI."""

from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np

from pairsift._sklearn_compat import Interval, StrOptions
from pairsift._typing import FloatArray, IndexArray, RandomState
from pairsift.scores import forward_backward_path
from pairsift.selectors._base import N_JOBS, BaseScoreSelector, FromClasses, Supervision
from pairsift.selectors._cost import Problem
from pairsift.selectors._method import CLASSES, Method
from pairsift.selectors._mrmr import DISCRETE_FEATURES
from pairsift.selectors._search import ForwardSearch
from pairsift.selectors._tables import Table


def search_seconds(s: Any, z: Problem) -> float:
    """Of some steps with single features, and one look at all pairs of features."""
    n_sets = 5 * (z.d + s.n_permutations) + (z.d**2 / 2 if s.pairs else 0)
    return float((2.6e-6 * z.m + 3e-4) * n_sets / z.t)


class ForwardBackwardMI(ForwardSearch, FromClasses):
    r"""Select the features that together tell about the classes.

    Adds one feature after the other, as long as a permutation test says that the set
    tells more with it, and two at once where no single one does; then removes those
    that have become useless. Finds the number of features by itself, and features that
    matter only together. Discrete and continuous columns may be mixed. Uses the
    labelled rows only.
    Given pairs and no labels, the groups of rows joined by must-links serve as classes.
    Units do not matter.

    Parameters
    ----------
    n_features_to_select : "auto", int, float or None, default="auto"
        ``"auto"`` selects the features found, the best one at least. A number or a
        share takes the best of the ranking, None keeps all and only ranks. The search
        is the same.
    quantile : float, default=0.95
        Share of shuffled features that must tell less.
    n_permutations : int, default=20
        How often a feature is shuffled for a test.
    familywise : bool, default=True
        Test the best candidate as the best of all tried; False tests it as if it were
        the only one, as published, and adds useless features more often.
    pairs : bool, default=True
        When no single feature is good enough, try to add two at once. Their number
        grows with the square of the number of features: with hundreds of features,
        False saves much time.
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

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
        What each feature added to what the set tells about the classes, in nats, two
        added at once half each; or what it would add in the end. At least 0, and at
        most that of the feature before it in `order_`: those found in order of
        addition, those removed again, then the others.
    n_found_ : int
        Number of features found.
    removed_ : ndarray of shape (n_removed,)
        Features added and removed again, in this order.
    path_scores_ : ndarray of shape (n_additions,)
        What the features added tell about the classes after each addition, in nats; two
        features at once are one addition.
    path_thresholds_ : ndarray of shape (n_additions,)
        What it had to exceed.
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
    pairsift.scores.forward_backward_path : The same on arrays, with all decisions.
    ClusterHomogeneity : The same with unlabelled rows.
    MRMR : Single features and pairs of them, for many features.

    Notes
    -----
    Algorithm 4 of [1]_: with the features :math:`\Gamma` added before, the feature f of
    the largest :math:`I(\Gamma \cup f; y)` is added if this exceeds the quantile of
    :math:`I(\Gamma \cup f_p; y)`, where p shuffles f (equation 4.12), and at the end m
    is removed if the quantile of :math:`I((\Gamma \setminus m) \cup m_p; y)` is not
    below :math:`I(\Gamma; y)` (equation 4.13). Estimates are those of
    :func:`pairsift.information.mutual_information`, mixed where columns are. Estimates
    of large sets need many rows: where five features matter, one to three are found in
    100 rows, three or four in 300, and all in 2,000 (DCbench and FBench).

    References
    ----------
    .. [1] F. Coelho, "Semi-supervised feature selection", PhD thesis, Universidade
       Federal de Minas Gerais and Université catholique de Louvain, 2013.

    Examples
    --------
    No feature of an exclusive-or tells anything alone:

    >>> from pairsift import ForwardBackwardMI
    >>> from pairsift.datasets import make_xor
    >>> problem = make_xor(1000, random_state=0)
    >>> selector = ForwardBackwardMI(random_state=0).fit(problem.data, problem.target)
    >>> selector.get_support(indices=True).tolist() == problem.relevant.tolist()
    True
    """

    _method: ClassVar = Method(
        name="forward-backward-mi",
        learns_from=CLASSES,
        orientation="maximised",
        cost="O((d + q)kn log n) for the k-th feature, O(d²n log n) for pairs",
        seconds=search_seconds,
        citation="Coelho 2013, sections 4.2.1 and 6.3",
        cheaper={"pairs": False},
    )
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "n_features_to_select": [
            *BaseScoreSelector._parameter_constraints["n_features_to_select"],
            StrOptions({"auto"}),
        ],
        "quantile": [Interval(Real, 0, 1, closed="neither")],
        "n_permutations": [Interval(Integral, 1, None, closed="left")],
        "familywise": ["boolean"],
        "pairs": ["boolean"],
        "must_rise": ["boolean"],
        "discrete_features": DISCRETE_FEATURES,
        "n_neighbors": [Interval(Integral, 1, None, closed="left")],
        "random_state": ["random_state", np.random.Generator],
        "n_jobs": N_JOBS,
    }

    n_found_: int

    def __init__(
        self,
        n_features_to_select: int | float | str | None = "auto",
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
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.quantile = quantile
        self.n_permutations = n_permutations
        self.familywise = familywise
        self.pairs = pairs
        self.must_rise = must_rise
        self.discrete_features = discrete_features
        self.n_neighbors = n_neighbors
        self.random_state = random_state
        self.n_jobs = n_jobs

    def _score(self, table: Table, supervision: Supervision) -> FloatArray:
        assert supervision.labels is not None  # FromClasses sees to it
        return self._search(table.X, supervision.labels, self.random_state)

    def _search(
        self, X: FloatArray, labels: IndexArray, random_state: RandomState
    ) -> FloatArray:
        path = forward_backward_path(
            X,
            labels,
            quantile=self.quantile,
            n_permutations=self.n_permutations,
            familywise=self.familywise,
            pairs=self.pairs,
            must_rise=self.must_rise,
            discrete_features=self.discrete_features,
            n_neighbors=self.n_neighbors,
            random_state=random_state,
            n_jobs=self.n_jobs,
        )
        self.path_scores_, self.path_thresholds_ = path.values, path.thresholds
        self.removed_, self.n_found_ = path.removed, path.n_found
        return self._entry_scores(path.order, path.gains)

    def _best_number(self) -> int:
        return max(1, self.n_found_)
