"""VarianceScore and FisherScore."""

from typing import ClassVar

from pairsift._docstrings import documented
from pairsift._typing import FloatArray
from pairsift.scores import fisher_score, variance_score
from pairsift.selectors._base import BaseScoreSelector, FromClasses, Supervision
from pairsift.selectors._method import CLASSES, NOTHING, Method
from pairsift.selectors._tables import Table


@documented
class VarianceScore(BaseScoreSelector):
    r"""Select the features with the largest variance.

    Needs no labels and no pairs.
    {units}

    Parameters
    ----------
    {n_features_to_select}

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
        Population variance of each feature; 0 for a constant one.
    {fitted}

    Notes
    -----
    Equation 1.21 of [1]_, the population variance: see
    :func:`pairsift.scores.variance_score`.

    References
    ----------
    {hijazi2019}

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


@documented
class FisherScore(FromClasses):
    r"""Select the features that separate the classes best, one by one.

    Uses the labelled rows only.
    {learns}

    Parameters
    ----------
    {n_features_to_select}

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
        Fisher score of each feature; 0 for a constant one, infinite (and a warning)
        for one that is constant in every class but not over all.
    {fitted}

    Notes
    -----
    Equation 1.27 of [1]_: the variance between the classes divided by that inside them;
    :func:`pairsift.scores.fisher_score` has the formula.

    References
    ----------
    {hijazi2019}

    Examples
    --------
    >>> from pairsift import FisherScore
    {wine_df}
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
