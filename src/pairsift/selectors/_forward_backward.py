"""ForwardBackwardMI."""

from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np

from pairsift._docstrings import documented_like
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


@documented_like(forward_backward_path)
class ForwardBackwardMI(ForwardSearch, FromClasses):
    r"""Select the features that together tell about the classes.

    Adds one feature after the other, as long as a permutation test says that the set
    tells more with it, and two at once where no single one does; then removes those
    that have become useless. Finds the number of features by itself, and features that
    matter only together. Discrete and continuous columns may be mixed. Uses the
    labelled rows only.
    {learns}
    Units do not matter.

    Parameters
    ----------
    {n_features_found, quantile, n_permutations, familywise, pairs_of_features}
    {must_rise, discrete_features, n_neighbors, random_state, n_jobs}

    Attributes
    ----------
    {scores_information, path_information, fitted}

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
    {coelho2013}

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
