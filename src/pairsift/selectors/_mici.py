"""MICI: features clustered by how far they depend on each other."""

from numbers import Integral
from typing import Any, ClassVar

import numpy as np

from pairsift._sklearn_compat import Interval, StrOptions
from pairsift._typing import FloatArray, IndexArray
from pairsift.scores import fit_mici
from pairsift.selectors._base import BaseScoreSelector, Supervision
from pairsift.selectors._method import NOTHING, Method
from pairsift.selectors._tables import Table


class MICI(BaseScoreSelector):
    r"""Retain one feature of each cluster of features that say the same (MICI).

    Features are near when they depend on each other linearly. The one with the most
    compact neighbourhood stays, its nearest are left out, and so on. Needs no labels
    and no pairs.
    The data is taken as given: where units differ, scale to [0, 1] first
    (``sklearn.preprocessing.MinMaxScaler``).

    Parameters
    ----------
    n_features_to_select : "auto", int, float or None, default="auto"
        ``"auto"`` is the number of features retained. A number or a share selects the
        best by `scores_`, None keeps all and only ranks.
    n_neighbors : int, default=5
        How many features the first one retained leaves out, cut to the number of
        others; the larger, the fewer are retained. The method is very sensitive to it.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
        What is lost without a feature: its dissimilarity to the feature that discarded
        it or, if it is retained, to the nearest other one retained. Retained features
        score higher than all others; ``-inf`` for a constant feature.
    representatives_ : ndarray of shape (n_features,), dtype=int64
        For each feature the one that discarded it, itself if it was retained. One that
        discarded others may have been discarded later.
    epsilon_ : float
        Dissimilarity up to which features were discarded.
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
        Always 0.

    See Also
    --------
    pairsift.scores.mici_score : The same as a function on arrays.
    CollinearityFilter : Leaves out features by a threshold.

    Notes
    -----
    The maximal information compression index of two features [1]_ is the smaller
    eigenvalue of their covariance matrix, see :func:`pairsift.scores.mici_score`.

    The feature nearest to its k-th nearest feature is retained and these k are
    discarded; that distance of the first round is :math:`\epsilon`. The same is
    repeated among all features not discarded, and k lowered by one whenever no feature
    has k others within :math:`\epsilon`.

    The listing of [1]_ ends when k is 1, although its text discards at k = 1 too; the
    text is followed, so that no two retained features are within :math:`\epsilon`. Of
    tied features the one nearer to all others together is retained, then the lower
    index. Constant features, which the index finds similar to any other, are discarded
    first.

    References
    ----------
    .. [1] P. Mitra, C. A. Murthy, S. K. Pal, "Unsupervised feature selection using
       feature similarity", IEEE TPAMI 24(3), 301-312, 2002,
       doi:10.1109/34.990133.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.preprocessing import minmax_scale
    >>> from pairsift import MICI
    >>> X, _ = load_wine(return_X_y=True)
    >>> selector = MICI(n_neighbors=3).fit(minmax_scale(X))
    >>> selector.get_support(indices=True)
    array([ 0,  1,  2,  3,  4,  6,  7,  9, 10, 12])
    >>> selector.representatives_[[5, 8, 11]]
    array([6, 6, 6])
    """

    _method: ClassVar = Method(
        name="mici",
        learns_from=NOTHING,
        orientation="maximised",
        cost="O(nd² + d³/k) time, O(nd + d²) memory",
        seconds=lambda s, z: (1e-10 * z.n + 5e-8 + 1e-11 * z.d) * z.d**2,
        citation="Mitra, Murthy, Pal 2002; Coelho 2013, section 3.2",
    )
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "n_features_to_select": [
            *BaseScoreSelector._parameter_constraints["n_features_to_select"],
            StrOptions({"auto"}),
        ],
        "n_neighbors": [Interval(Integral, 1, None, closed="left")],
    }

    representatives_: IndexArray
    epsilon_: float

    def __init__(
        self,
        n_features_to_select: int | float | str | None = "auto",
        *,
        n_neighbors: int = 5,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.n_neighbors = n_neighbors

    def _score(self, table: Table, supervision: Supervision) -> FloatArray:
        found = fit_mici(table.X, self.n_neighbors)
        self.representatives_, self.epsilon_ = found.representatives, found.epsilon
        return found.scores

    def _best_number(self) -> int:
        is_own = self.representatives_ == np.arange(self.scores_.size)
        return max(1, int(np.count_nonzero(is_own & np.isfinite(self.scores_))))
