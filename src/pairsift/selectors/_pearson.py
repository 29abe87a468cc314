"""PearsonScore."""

from typing import ClassVar

from pairsift._typing import FloatArray
from pairsift.scores import pearson_score
from pairsift.selectors._base import FromClasses, Supervision
from pairsift.selectors._method import CLASSES, Method
from pairsift.selectors._tables import Table


class PearsonScore(FromClasses):
    """Select the features with the largest correlation with a class.

    Uses the labelled rows only.
    Given pairs and no labels, the groups of rows joined by must-links serve as classes.
    Units do not matter.

    Parameters
    ----------
    n_features_to_select : int or float, default=None
        Number or share of features to select; None keeps all and only ranks.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
        Absolute correlation of each feature with the class it tells best from the
        others, between 0 and 1; 0 for a constant feature.
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
    pairsift.scores.pearson_score : The same as a function on arrays.
    GramSchmidt : The same beside the features chosen before.

    Notes
    -----
    Equation 3.1 of [1]_: the largest correlation, in absolute value, with the indicator
    of a class; :func:`pairsift.scores.pearson_score` has the formula.

    References
    ----------
    .. [1] F. Coelho, "Semi-supervised feature selection", PhD thesis, Universidade
       Federal de Minas Gerais and Université catholique de Louvain, 2013.

    Examples
    --------
    >>> from pairsift import PearsonScore
    >>> from sklearn.datasets import load_wine
    >>> X, y = load_wine(return_X_y=True, as_frame=True)
    >>> list(PearsonScore(2).fit(X, y).get_feature_names_out())
    ['od280/od315_of_diluted_wines', 'proline']
    """

    _method: ClassVar = Method(
        name="pearson-score",
        learns_from=CLASSES,
        orientation="maximised",
        cost="O(nd)",
        seconds=lambda s, z: 2e-8 * z.n * z.d,
        citation="Coelho 2013, eq. 3.1",
        aliases=("pearson",),
        dask=True,
    )

    def __init__(self, n_features_to_select: int | float | None = None) -> None:
        self.n_features_to_select = n_features_to_select

    def _score(self, table: Table, supervision: Supervision) -> FloatArray:
        assert supervision.labels is not None  # FromClasses sees to it
        return pearson_score(table.X, supervision.labels)
