"""CollinearityFilter."""

from numbers import Real
from typing import Any, ClassVar

import numpy as np

from pairsift._sklearn_compat import Interval, StrOptions
from pairsift._typing import FloatArray
from pairsift.scores import (
    COLLINEARITY_MEASURES,
    COLLINEARITY_PREFERENCES,
    collinearity_score,
)
from pairsift.selectors._base import BaseScoreSelector, Supervision
from pairsift.selectors._method import NOTHING, Method
from pairsift.selectors._tables import Table


class CollinearityFilter(BaseScoreSelector):
    """Leave out features that are nearly a multiple of one that is kept.

    Needs no labels and no pairs, and says nothing about relevance: put it before a
    selector that does. Units do not matter.

    Parameters
    ----------
    n_features_to_select : "auto", int, float or None, default="auto"
        ``"auto"`` keeps all features up to the threshold. A number or share keeps those
        least collinear with others, None keeps all and only ranks.
    threshold : float, default=0.9
        Collinearity, between 0 and 1, above which a feature is left out.
    measure : {"correlation", "cosine"}, default="correlation"
        Scalar product of the columns at unit length, with or without their means taken
        off first. "cosine" is the published form; it finds most columns of positive
        numbers collinear.
    prefer : {"uncorrelated", "variance", "first"}, default="uncorrelated"
        Which of two collinear features stays: the one less collinear with all features
        on average, that of the larger variance, or the first column.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
        Minus the largest collinearity with the features kept before, 0 for the first;
        features of at least ``-threshold`` are kept. ``-inf`` for a constant feature.
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
    pairsift.scores.collinearity_score : The same as a function on arrays.
    MICI : Leaves out features by clusters of them.

    Notes
    -----
    After [1]_, as described in [2]_: scalar products :math:`P_{ij}` of the columns at
    unit length, and a threshold above which features are redundant. Which of two is
    left out, the sources leave open. Here the features are gone through in the order
    of `prefer`, ties by index, and one is kept unless :math:`|P_{ij}|` exceeds the
    threshold for a feature kept before. The means are taken off by default, because
    with them any two features of positive numbers are nearly collinear.

    References
    ----------
    .. [1] E. Llobet, O. Gualdron, J. Brezmes, X. Vilanova, X. Correig, "An
       unsupervised dimensionality-reduction technique", IEEE Sensors, 2005.
    .. [2] F. Coelho, "Semi-supervised feature selection", PhD thesis, Universidade
       Federal de Minas Gerais and Université catholique de Louvain, 2013.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from pairsift import CollinearityFilter
    >>> X, _ = load_iris(return_X_y=True, as_frame=True)
    >>> list(CollinearityFilter(threshold=0.9).fit(X).get_feature_names_out())
    ['sepal length (cm)', 'sepal width (cm)', 'petal width (cm)']
    """

    _method: ClassVar = Method(
        name="collinearity-filter",
        learns_from=NOTHING,
        orientation="minimised",
        cost="O(nd²) time, O(nd) memory",
        seconds=lambda s, z: (1e-10 * z.n / z.t + 1e-8) * z.d**2,
        citation="Llobet et al. 2005; Coelho 2013, section 3.2",
    )
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "n_features_to_select": [
            *BaseScoreSelector._parameter_constraints["n_features_to_select"],
            StrOptions({"auto"}),
        ],
        "threshold": [Interval(Real, 0, 1, closed="neither")],
        "measure": [StrOptions(set(COLLINEARITY_MEASURES))],
        "prefer": [StrOptions(set(COLLINEARITY_PREFERENCES))],
    }

    def __init__(
        self,
        n_features_to_select: int | float | str | None = "auto",
        *,
        threshold: float = 0.9,
        measure: str = "correlation",
        prefer: str = "uncorrelated",
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.threshold = threshold
        self.measure = measure
        self.prefer = prefer

    def _score(self, table: Table, supervision: Supervision) -> FloatArray:
        return collinearity_score(
            table.X,
            threshold=self.threshold,
            measure=self.measure,
            prefer=self.prefer,
        )

    def _best_number(self) -> int:
        return max(1, int(np.count_nonzero(self.scores_ >= -self.threshold)))
