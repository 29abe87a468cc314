"""The SURF family: margins to all rows within a radius, from class labels."""

from collections.abc import Callable
from typing import Any, ClassVar

from pairsift._docstrings import documented
from pairsift._sklearn_compat import StrOptions
from pairsift._typing import FloatArray, IndexArray, RandomState
from pairsift.scores import (
    MISS_WEIGHTING,
    multisurf_score,
    multisurf_star_score,
    surf_score,
    surf_star_score,
    swrf_star_score,
)
from pairsift.selectors._method import CLASSES, Method
from pairsift.selectors._relief import ThresholdSelector


class RadiusSelector(ThresholdSelector):
    """What the SURF family shares: no number of neighbours, and how misses count."""

    _score_function: ClassVar[Callable[..., FloatArray]]
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **ThresholdSelector._parameter_constraints,
        "miss_weighting": [StrOptions(set(MISS_WEIGHTING))],
    }

    def __init__(
        self,
        n_features_to_select: int | float | str | None = None,
        *,
        alpha: float = 0.05,
        miss_weighting: str = "prior",
        ramp: tuple[float, float] | None = None,
        categorical_features: Any = "auto",
        missing: str = "probability",
        max_samples: int | None = None,
        random_state: RandomState = None,
        n_jobs: int | None = -1,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.alpha = alpha
        self.miss_weighting = miss_weighting
        self.ramp = ramp
        self.categorical_features = categorical_features
        self.missing = missing
        self.max_samples = max_samples
        self.random_state = random_state
        self.n_jobs = n_jobs

    def _margins(self, X: FloatArray, labels: IndexArray, **options: Any) -> FloatArray:
        score = type(self)._score_function
        return score(X, labels, miss_weighting=self.miss_weighting, **options)


@documented
class SURF(RadiusSelector):
    r"""Select features by SURF: all rows within one radius are neighbours.

    Where ReliefF takes a number of nearest rows, SURF takes all rows nearer than the
    mean distance of two rows, so that there is no number to choose.

    {learns}

    Parameters
    ----------
    {surf_table}

    Attributes
    ----------
    {scores_margin, threshold_, n_labelled_, fitted}

    See Also
    --------
    pairsift.scores.surf_score : The same on arrays.

    Notes
    -----
    After [1]_ and [2]_: the margin of ReliefF with all rows at a distance :math:`\sum_f
    \Delta_f < T`, where T is the mean distance over the n(n-1)/2 pairs of different
    rows. Distances that agree with T up to rounding are not near. A mean over no row is
    0.

    References
    ----------
    {greene2009, urbanowicz2018}

    Examples
    --------
    >>> from pairsift import SURF
    {wine_df}
    >>> list(SURF(2).fit(X, y).get_feature_names_out())
    ['flavanoids', 'proline']
    """

    _method: ClassVar = Method(
        name="surf",
        learns_from=CLASSES,
        orientation="maximised",
        cost="O(n²d), O(nd) memory",
        seconds=lambda s, z: 3e-10 * (s.max_samples or z.m) * z.m * z.d / z.t,
        citation="Greene et al. 2009; Urbanowicz et al. 2018",
        dask=True,
    )
    _score_function = staticmethod(surf_score)


@documented
class SURFStar(RadiusSelector):
    r"""Select features by SURF*: near rows as in SURF, far rows the other way round.

    Far rows of the same class should differ, far rows of other classes should not. This
    finds pairs of features that only matter together, and harms features that matter
    alone: :class:`MultiSURF` is the safer choice.

    {learns}

    Parameters
    ----------
    {surf_table}

    Attributes
    ----------
    {scores_two_margins, threshold_, n_labelled_, fitted}

    See Also
    --------
    pairsift.scores.surf_star_score : The same on arrays.

    Notes
    -----
    After [1]_ and [2]_: the score of SURF, less the same expression over the rows
    farther than the mean distance T.

    References
    ----------
    {greene2010, urbanowicz2018}

    Examples
    --------
    >>> from pairsift import SURFStar
    {wine_df}
    >>> list(SURFStar(2).fit(X, y).get_feature_names_out())
    ['ash', 'proanthocyanins']
    """

    _method: ClassVar = Method(
        name="surf-star",
        learns_from=CLASSES,
        orientation="maximised",
        cost="O(n²d), O(nd) memory",
        seconds=lambda s, z: 3e-10 * (s.max_samples or z.m) * z.m * z.d / z.t,
        citation="Greene et al. 2010; Urbanowicz et al. 2018",
        dask=True,
    )
    _largest_margin = 2.0
    _score_function = staticmethod(surf_star_score)


@documented
class SWRFStar(RadiusSelector):
    r"""Select features by SWRF*: every row counts, by a sigmoid of its distance.

    SURF* counts a row as near or far; here the weight falls smoothly from 1 for the
    nearest to -1 for the farthest rows. What is said of :class:`SURFStar` about
    features that matter alone holds here, too.

    {learns}

    Parameters
    ----------
    {surf_table}

    Attributes
    ----------
    {scores_two_margins, threshold_, n_labelled_, fitted}

    See Also
    --------
    pairsift.scores.swrf_star_score : The same on arrays.

    Notes
    -----
    After [1]_: a row at distance d counts :math:`2 / (1 + \exp(-4 (T - d) / u)) - 1`,
    with the mean T and the standard deviation u of the distances over all pairs of
    different rows; hits, and misses of each class, are averaged over their number.

    References
    ----------
    {stokes2012}

    Examples
    --------
    >>> from pairsift import SWRFStar
    {wine_df}
    >>> list(SWRFStar(2).fit(X, y).get_feature_names_out())
    ['ash', 'magnesium']
    """

    _method: ClassVar = Method(
        name="swrf-star",
        learns_from=CLASSES,
        orientation="maximised",
        cost="O(n²d), O(nd) memory",
        seconds=lambda s, z: 6e-10 * (s.max_samples or z.m) * z.m * z.d / z.t,
        citation="Stokes, Visweswaran 2012",
        dask=True,
    )
    _largest_margin = 2.0
    _score_function = staticmethod(swrf_star_score)


@documented
class MultiSURF(RadiusSelector):
    r"""Select features by MultiSURF: a radius for every row, with a dead band.

    Every row has its own radius, a little less than its mean distance to the others.
    The review [1]_ found it the most reliable of the family over many kinds of
    problems, and there is no number of neighbours to choose.

    {learns}

    Parameters
    ----------
    {surf_table}

    Attributes
    ----------
    {scores_margin, threshold_, n_labelled_, fitted}

    See Also
    --------
    pairsift.scores.multisurf_score : The same on arrays.

    Notes
    -----
    After [1]_: the score of SURF with a radius of its own for every row, see
    :func:`pairsift.scores.multisurf_score`.

    References
    ----------
    {urbanowicz2018}

    Examples
    --------
    >>> from pairsift import MultiSURF
    {wine_df}
    >>> list(MultiSURF(2).fit(X, y).get_feature_names_out())
    ['alcohol', 'proline']
    """

    _method: ClassVar = Method(
        name="multisurf",
        learns_from=CLASSES,
        orientation="maximised",
        cost="O(n²d), O(nd) memory",
        seconds=lambda s, z: 3e-10 * (s.max_samples or z.m) * z.m * z.d / z.t,
        citation="Urbanowicz et al. 2018",
        dask=True,
    )
    _score_function = staticmethod(multisurf_score)


@documented
class MultiSURFStar(RadiusSelector):
    r"""Select features by MultiSURF*: near rows as in MultiSURF, far rows reversed.

    As :class:`SURFStar`, with a radius for every row and a dead band between near and
    far. What is said there about features that matter alone holds here, too.

    {learns}

    Parameters
    ----------
    {surf_table}

    Attributes
    ----------
    {scores_two_margins, threshold_, n_labelled_, fitted}

    See Also
    --------
    pairsift.scores.multisurf_star_score : The same on arrays.

    Notes
    -----
    After [1]_: the score of MultiSURF minus that over far rows, see
    :func:`pairsift.scores.multisurf_star_score`. The authors count far rows by sameness
    :math:`1 - \Delta_f`, which is the same wherever a row has far hits and far misses;
    where it has one kind only, theirs adds a constant to all features, ours none.

    References
    ----------
    {granizo2013, urbanowicz2018}

    Examples
    --------
    >>> from pairsift import MultiSURFStar
    {wine_df}
    >>> list(MultiSURFStar(2).fit(X, y).get_feature_names_out())
    ['ash', 'magnesium']
    """

    _method: ClassVar = Method(
        name="multisurf-star",
        learns_from=CLASSES,
        orientation="maximised",
        cost="O(n²d), O(nd) memory",
        seconds=lambda s, z: 3e-10 * (s.max_samples or z.m) * z.m * z.d / z.t,
        citation="Granizo-Mackenzie, Moore 2013; Urbanowicz et al. 2018",
        dask=True,
    )
    _largest_margin = 2.0
    _score_function = staticmethod(multisurf_star_score)
