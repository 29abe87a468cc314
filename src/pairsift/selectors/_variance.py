"""VarianceScore and FisherScore."""

from typing import ClassVar

from pairsift._typing import FloatArray
from pairsift.scores import fisher_score, variance_score
from pairsift.selectors._base import BaseScoreSelector, FromClasses, Supervision
from pairsift.selectors._method import CLASSES, NOTHING, Method
from pairsift.selectors._tables import Table


class VarianceScore(BaseScoreSelector):
    """Select the features with the largest variance.

    Needs no labels and no pairs.
    The data is taken as given: where units differ, scale to [0, 1] first
    (``sklearn.preprocessing.MinMaxScaler``).

    Parameters
    ----------
    n_features_to_select : int or float, default=None
        Number or share of features to select; None keeps all and only ranks.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
        Population variance of each feature; 0 for a constant one.
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

    Notes
    -----
    Equation 1.21 of [1]_, the population variance: see
    :func:`pairsift.scores.variance_score`.

    References
    ----------
    .. [1] S. Hijazi, "Semi-supervised margin-based feature selection for
       classification", PhD thesis, Université du Littoral Côte d'Opale and
       Lebanese University, 2019, HAL tel-02489733.

    Examples
    --------
    >>> from pairsift import VarianceScore
    >>> VarianceScore(1).fit([[0, 1], [5, 1], [1, 1]]).get_support()
    array([ True, False])
    """

    _method: ClassVar = Method(
        name="variance-score",
        learns_from=NOTHING,
        orientation="maximised",
        cost="O(nd)",
        seconds=lambda s, z: 2e-8 * z.n * z.d,
        citation="Hijazi 2019, eq. 1.21",
        aliases=("variance",),
        dask=True,
    )
    _accepts_sparse: ClassVar[bool] = True

    def __init__(self, n_features_to_select: int | float | None = None) -> None:
        self.n_features_to_select = n_features_to_select

    def _score(self, table: Table, supervision: Supervision) -> FloatArray:
        return variance_score(table.X)


class FisherScore(FromClasses):
    """Select the features that separate the classes best, one by one.

    Uses the labelled rows only.
    Given pairs and no labels, the groups of rows joined by must-links serve as classes.

    Parameters
    ----------
    n_features_to_select : int or float, default=None
        Number or share of features to select; None keeps all and only ranks.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
        Fisher score of each feature; 0 for a constant one, infinite (and a warning)
        for one that is constant in every class but not over all.
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

    Notes
    -----
    Equation 1.27 of [1]_: the variance between the classes divided by that inside them;
    :func:`pairsift.scores.fisher_score` has the formula.

    References
    ----------
    .. [1] S. Hijazi, "Semi-supervised margin-based feature selection for
       classification", PhD thesis, Université du Littoral Côte d'Opale and
       Lebanese University, 2019, HAL tel-02489733.

    Examples
    --------
    >>> from pairsift import FisherScore
    >>> from sklearn.datasets import load_wine
    >>> X, y = load_wine(return_X_y=True, as_frame=True)
    >>> list(FisherScore(2).fit(X, y).get_feature_names_out())
    ['flavanoids', 'proline']
    """

    _method: ClassVar = Method(
        name="fisher-score",
        learns_from=CLASSES,
        orientation="maximised",
        cost="O(nd)",
        seconds=lambda s, z: 2e-8 * z.n * z.d,
        citation="Hijazi 2019, eq. 1.27",
        aliases=("fisher",),
        dask=True,
    )
    _accepts_sparse: ClassVar[bool] = True

    def __init__(self, n_features_to_select: int | float | None = None) -> None:
        self.n_features_to_select = n_features_to_select

    def _score(self, table: Table, supervision: Supervision) -> FloatArray:
        assert supervision.labels is not None  # FromClasses sees to it
        return self._warn_of_infinite(fisher_score(table.X, supervision.labels))
