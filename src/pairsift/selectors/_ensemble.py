"""EnsembleConstraintScore."""

from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np

from pairsift._sklearn_compat import Interval
from pairsift._typing import FloatArray, RandomState
from pairsift.scores import ensemble_constraint_score
from pairsift.selectors._base import N_JOBS, FromPairs, Supervision
from pairsift.selectors._constrained_laplacian import WEIGHED_LINKS
from pairsift.selectors._cost import Problem, graph_seconds, pair_seconds
from pairsift.selectors._graphs import N_NEIGHBORS, SIGMA
from pairsift.selectors._method import Method
from pairsift.selectors._tables import Table


def _seconds(s: Any, z: Problem) -> float:
    some = z._replace(d=max(int(s.feature_share * z.d), 1))
    return float(s.n_replicates * (graph_seconds(s, some) + pair_seconds(some)))


class EnsembleConstraintScore(FromPairs):
    r"""Select features by constraint score 6 on random rows and columns (EnsCLS).

    Needs must-links or cannot-links, and uses the unlabelled rows.
    Given labels and no pairs, all pairs of labelled rows are used.
    The data is taken as given: where units differ, scale to [0, 1] first
    (``sklearn.preprocessing.MinMaxScaler``).

    Parameters
    ----------
    n_features_to_select : int or float, default=None
        Number or share of features to select; None keeps all and only ranks.
    n_replicates : int, default=50
        Number of random views.
    feature_share : float, default=0.5
        Share of the features in a view, at least one.
    n_neighbors : int, default=5
        Number of nearest neighbours in a view.
    sigma : float or "auto", default=1.0
        The :math:`\sigma` of the similarities :math:`\exp(-d^2/2\sigma^2)`; 1 suits
        few features scaled to [0, 1], ``"auto"`` is the mean distance to the
        `n_neighbors`-th neighbour in a view.
    random_state : int, Generator, RandomState or None, default=None
        Draws the views; an int makes the result reproducible.
    n_jobs : int or None, default=-1
        Number of threads: -1 for all cores, None as in joblib.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
        Mean of the negated constraint scores over the views a feature was in, so that
        higher is better; ``-inf`` for one that was in none, or is constant in one.
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
        Number of must-links and cannot-links used.

    See Also
    --------
    ConstraintScore6 : The score that is averaged.

    Notes
    -----
    As [1]_ describes [2]_ (section 5.3.4): in every replicate the rows in no constraint
    are drawn with replacement and counted once, the constrained rows are all kept, and
    half of the features are drawn; the similarities are those of the view.

    References
    ----------
    .. [1] A. Salmi, K. Hammouche, L. Macaire, "Similarity-based constraint score
       for feature selection", Knowledge-Based Systems 209, 106429, 2020,
       doi:10.1016/j.knosys.2020.106429.
    .. [2] K. Benabdeslem, H. Elghazel, M. Hindawi, "Ensemble constrained Laplacian
       score for efficient and robust semi-supervised feature selection",
       Knowledge and Information Systems 49, 1161-1185, 2016.

    Examples
    --------
    >>> from pairsift import EnsembleConstraintScore, PairConstraints
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.preprocessing import minmax_scale
    >>> X, y = load_wine(return_X_y=True)
    >>> X = minmax_scale(X)
    >>> pairs = PairConstraints.sample(y, 30, 30, random_state=0)
    >>> selector = EnsembleConstraintScore(3, random_state=0)
    >>> selector.fit(X, constraints=pairs).get_support(indices=True)
    array([ 6, 11, 12])
    """

    _method: ClassVar = Method(
        name="ensemble-constraint-score",
        learns_from=WEIGHED_LINKS,
        orientation="minimised",
        cost="O(rn²d) time, O(nk + p) memory, r replicates",
        seconds=_seconds,
        citation="Benabdeslem, Elghazel, Hindawi 2016; Salmi 2020, 5.3.4",
        aliases=("enscls",),
        cheaper={"n_replicates": 10},
    )
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **FromPairs._parameter_constraints,
        "n_replicates": [Interval(Integral, 1, None, closed="left")],
        "feature_share": [Interval(Real, 0, 1, closed="right")],
        "n_neighbors": N_NEIGHBORS,
        "sigma": SIGMA,
        "random_state": ["random_state", np.random.Generator],
        "n_jobs": N_JOBS,
    }

    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        n_replicates: int = 50,
        feature_share: float = 0.5,
        n_neighbors: int = 5,
        sigma: float | str = 1.0,
        random_state: RandomState = None,
        n_jobs: int | None = -1,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.n_replicates = n_replicates
        self.feature_share = feature_share
        self.n_neighbors = n_neighbors
        self.sigma = sigma
        self.random_state = random_state
        self.n_jobs = n_jobs

    def _score(self, table: Table, supervision: Supervision) -> FloatArray:
        return ensemble_constraint_score(
            table.X,
            supervision.must_link,
            supervision.cannot_link,
            n_replicates=self.n_replicates,
            feature_share=self.feature_share,
            n_neighbors=self.n_neighbors,
            sigma=self.sigma,
            random_state=self.random_state,
            n_jobs=self.n_jobs,
        )
