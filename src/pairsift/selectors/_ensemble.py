"""EnsembleConstraintScore."""

from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np

from pairsift._docstrings import documented_like
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


@documented_like(ensemble_constraint_score)
class EnsembleConstraintScore(FromPairs):
    r"""Select features by constraint score 6 on random rows and columns (EnsCLS).

    Needs must-links or cannot-links, and uses the unlabelled rows.
    {learns}
    {units}

    Parameters
    ----------
    {n_features_to_select, n_replicates, feature_share, n_neighbors}
    sigma : float or "auto", default=1.0
        The :math:`\sigma` of the similarities :math:`\exp(-d^2/2\sigma^2)`; 1 suits
        few features scaled to [0, 1], ``"auto"`` is the mean distance to the
        `n_neighbors`-th neighbour in a view.
    random_state : int, Generator, RandomState or None, default=None
        Draws the views; an int makes the result reproducible.
    {n_jobs}

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
        Mean of the negated constraint scores over the views a feature was in, so that
        higher is better; ``-inf`` for one that was in none, or is constant in one.
    {fitted}

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
    {salmi2020, benabdeslem2016}

    Examples
    --------
    >>> from pairsift import EnsembleConstraintScore, PairConstraints
    {wine_01}
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
