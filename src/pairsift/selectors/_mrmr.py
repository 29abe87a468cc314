"""MRMR."""

from numbers import Integral, Real
from typing import Any, ClassVar

from pairsift._sklearn_compat import Interval, StrOptions
from pairsift._typing import FloatArray
from pairsift.scores import mrmr_path
from pairsift.scores._mrmr import FORMS
from pairsift.selectors._base import (
    N_JOBS,
    BaseScoreSelector,
    FromClasses,
    Method,
    Supervision,
)
from pairsift.selectors._search import ForwardSearch
from pairsift.selectors._tables import Table

DISCRETE_FEATURES = [StrOptions({"auto"}), "boolean", "array-like"]


class MRMR(ForwardSearch, FromClasses):
    r"""Select relevant features that share little (mRMR).

    Adds one feature after the other: the one that tells most about the classes, less
    what it shares with the features added before, on average. Uses the labelled rows
    only. Given pairs and no labels, the groups of rows joined by must-links serve as
    classes. Units do not matter.

    Parameters
    ----------
    n_features_to_select : int or float, default=None
        Number or share of features to select, where the search ends; None adds all and
        only ranks.
    form : {"difference", "quotient"}, default="difference"
        Relevance less redundancy (MID), or divided by it (MIQ).
    discretize : float, default=None
        Cut continuous columns into three values at the mean plus and minus so many
        standard deviations; None takes them as they are.
    discrete_features : "auto", bool or ndarray of shape (n_features,), default="auto"
        Discrete columns: all, none, or a mask. ``"auto"`` takes a column for discrete
        when it has at most :math:`\max(10, \sqrt n)` distinct values, and at most half
        as many as rows.
    n_neighbors : int, default=6
        Number of neighbours by which continuous columns are estimated.
    n_jobs : int, default=None
        Number of threads, None for all cores.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
        Minus the place of each feature on the way, -1 for the first added. Features
        that were not reached follow by their relevance.
    path_scores_ : ndarray of shape (n_steps,)
        Difference or quotient of each added feature at its step, in nats or as a ratio;
        for the first one its relevance, ``-inf`` for constant features.
    order_ : ndarray of shape (n_features,)
        Feature indices, best first; ties go to the lower index.
    ranking_ : ndarray of shape (n_features,)
        Rank of each feature, 1 is best.
    support_ : ndarray of shape (n_features,), dtype=bool
        Mask of the selected features.
    n_features_to_select_ : int
        Number of selected features.
    n_constraints_used_ : int
        Number of must-links that made the classes, 0 when labels did.
    n_features_in_ : int
        Number of features seen in fit.
    feature_names_in_ : ndarray of shape (n_features,)
        Names of the features, when `X` has them.

    See Also
    --------
    pairsift.scores.mrmr_path : The same as a function on arrays, with its Notes.
    ForwardBackwardMI : What features tell together, and how many are needed.

    Notes
    -----
    The search of [1]_ for the criteria of equations 16 and 17 of [2]_: beside the
    features S added before, the next one has the largest

    .. math::
        I(f; y) - \frac{1}{|S|} \sum_{s \in S} I(f; s) \qquad \text{or} \qquad
        I(f; y) \Big/ \Big( \frac{1}{|S|} \sum_{s \in S} I(f; s) + 0.01 \Big)

    with the estimates of :mod:`pairsift.information`. Only pairs with a feature added
    are estimated, so that a small `n_features_to_select` saves most of the time.
    ``discretize=1`` is what [1]_ does with continuous columns; it is many times
    quicker, and loses what is inside a piece. Otherwise equal numbers of a continuous
    column are moved apart, no farther than half-way to the values beside them:
    distances between copies say nothing. Constant features come last.

    References
    ----------
    .. [1] H. Peng, F. Long, C. Ding, "Feature selection based on mutual information:
       criteria of max-dependency, max-relevance, and min-redundancy", IEEE TPAMI
       27(8), 1226-1238, 2005.
    .. [2] S. Hijazi, V. T. Hoang, "Constrained feature selection based on feature
       clustering and hypothesis margin", 2021.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from pairsift import MRMR
    >>> X, y = load_wine(return_X_y=True)
    >>> MRMR(3).fit(X, y).order_[:3]
    array([ 6, 10,  0])
    """

    _method: ClassVar = Method(
        name="mrmr",
        context="supervised",
        needs="labels (or must-links)",
        orientation="maximised",
        cost="O(dn√n) a step, O(nd) memory; O(dn) a step for discrete columns",
        citation="Peng, Long, Ding 2005; Hijazi, Hoang 2021, eq. 16-17",
    )
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **BaseScoreSelector._parameter_constraints,
        "form": [StrOptions(set(FORMS))],
        "discretize": [None, Interval(Real, 0, None, closed="neither")],
        "discrete_features": DISCRETE_FEATURES,
        "n_neighbors": [Interval(Integral, 1, None, closed="left")],
        "n_jobs": N_JOBS,
    }

    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        form: str = "difference",
        discretize: float | None = None,
        discrete_features: Any = "auto",
        n_neighbors: int = 6,
        n_jobs: int | None = None,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.form = form
        self.discretize = discretize
        self.discrete_features = discrete_features
        self.n_neighbors = n_neighbors
        self.n_jobs = n_jobs

    def _score(self, table: Table, supervision: Supervision) -> FloatArray:
        order, self.path_scores_ = mrmr_path(
            table.X,
            supervision.labels,
            n_features=self._n_steps(table.X.shape[1]),
            form=self.form,
            discretize=self.discretize,
            discrete_features=self.discrete_features,
            n_neighbors=self.n_neighbors,
            n_jobs=self.n_jobs,
        )
        return self._place_scores(order)
