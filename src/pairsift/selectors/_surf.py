"""The SURF family: margins to all rows within a radius, from class labels."""

from collections.abc import Callable
from typing import Any, ClassVar

from pairsift._sklearn_compat import StrOptions
from pairsift._typing import FloatArray, IndexArray, MissingMode, RandomState
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
        missing: MissingMode = "probability",
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


class SURF(RadiusSelector):
    r"""Select features by SURF: all rows within one radius are neighbours.

    Where ReliefF takes a number of nearest rows, SURF takes all rows nearer than the
    mean distance of two rows, so that there is no number to choose.

    Given pairs and no labels, the groups of rows joined by must-links serve as classes.

    Parameters
    ----------
    n_features_to_select : int, float, "significant" or None, default=None
        Number or share of features to select; None keeps all and only ranks.
        ``"significant"`` selects the features whose margin exceeds the threshold τ of
        Kira and Rendell, often none: see the Notes of :class:`Relief`.
    alpha : float, default=0.05
        Largest probability that a feature without any margin exceeds τ; only used by
        ``n_features_to_select="significant"``.
    miss_weighting : {"prior", "pooled"}, default="prior"
        Misses of more than two classes: the mean over each class weighted by its
        prior, as in ReliefF, or one mean over all of them.
    ramp : tuple of two floats or None, default=None
        ``(low, high)``, shares of the range of a feature: differences of numbers up to
        `low` count as 0, from `high` on as 1, and linearly between. None is the share
        itself, see :func:`pairsift.scores.relieff_score`.
    categorical_features : "auto", array-like or None, default="auto"
        Categorical columns as a mask, indices or names; ``"auto"`` takes the text,
        category and boolean columns of a data frame.
    missing : {"probability", "ignore", "constant", "distinct"}, default="probability"
        Difference to a missing value (NaN): the probability of another value, in its
        class where there are classes (ReliefD), left out (ReliefC), one minus one over
        the number of values (ReliefB), or 1 to a known and 0 to a missing value
        (Relieved-F).
    max_samples : int, default=None
        Most labelled rows to take the mean over, drawn at random; None for all.
        Neighbours are found among all labelled rows anyway.
    random_state : int, Generator, RandomState or None, default=None
        Seed of the draw.
    n_jobs : int or None, default=-1
        Number of threads: -1 for all cores, None as in joblib.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
        The mean margin of each feature, from -1 to 1; 0 for a constant one.
    threshold_ : float
        The threshold τ, with ``n_features_to_select="significant"`` only.
    n_labelled_ : int
        Number of rows with a class; the others are left out of everything.
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
    pairsift.scores.surf_score : The same on arrays.

    Notes
    -----
    After [1]_ and [2]_: the margin of ReliefF with all rows at a distance :math:`\sum_f
    \Delta_f < T`, where T is the mean distance over the n(n-1)/2 pairs of different
    rows. Distances that agree with T up to rounding are not near. A mean over no row is
    0.

    References
    ----------
    .. [1] C. S. Greene, N. M. Penrod, J. Kiralis, J. H. Moore, "Spatially Uniform
       ReliefF (SURF) for computationally-efficient filtering of gene-gene
       interactions", BioData Mining 2:5, 2009.
    .. [2] R. J. Urbanowicz, R. S. Olson, P. Schmitt, M. Meeker, J. H. Moore,
       "Benchmarking Relief-based feature selection methods for bioinformatics
       data mining", Journal of Biomedical Informatics 85, 168-188, 2018.

    Examples
    --------
    >>> from pairsift import SURF
    >>> from sklearn.datasets import load_wine
    >>> X, y = load_wine(return_X_y=True, as_frame=True)
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


class SURFStar(RadiusSelector):
    """Select features by SURF*: near rows as in SURF, far rows the other way round.

    Far rows of the same class should differ, far rows of other classes should not. This
    finds pairs of features that only matter together, and harms features that matter
    alone: :class:`MultiSURF` is the safer choice.

    Given pairs and no labels, the groups of rows joined by must-links serve as classes.

    Parameters
    ----------
    n_features_to_select : int, float, "significant" or None, default=None
        Number or share of features to select; None keeps all and only ranks.
        ``"significant"`` selects the features whose margin exceeds the threshold τ of
        Kira and Rendell, often none: see the Notes of :class:`Relief`.
    alpha : float, default=0.05
        Largest probability that a feature without any margin exceeds τ; only used by
        ``n_features_to_select="significant"``.
    miss_weighting : {"prior", "pooled"}, default="prior"
        Misses of more than two classes: the mean over each class weighted by its
        prior, as in ReliefF, or one mean over all of them.
    ramp : tuple of two floats or None, default=None
        ``(low, high)``, shares of the range of a feature: differences of numbers up to
        `low` count as 0, from `high` on as 1, and linearly between. None is the share
        itself, see :func:`pairsift.scores.relieff_score`.
    categorical_features : "auto", array-like or None, default="auto"
        Categorical columns as a mask, indices or names; ``"auto"`` takes the text,
        category and boolean columns of a data frame.
    missing : {"probability", "ignore", "constant", "distinct"}, default="probability"
        Difference to a missing value (NaN): the probability of another value, in its
        class where there are classes (ReliefD), left out (ReliefC), one minus one over
        the number of values (ReliefB), or 1 to a known and 0 to a missing value
        (Relieved-F).
    max_samples : int, default=None
        Most labelled rows to take the mean over, drawn at random; None for all.
        Neighbours are found among all labelled rows anyway.
    random_state : int, Generator, RandomState or None, default=None
        Seed of the draw.
    n_jobs : int or None, default=-1
        Number of threads: -1 for all cores, None as in joblib.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
        The mean margin of each feature, from -2 to 2; 0 for a constant one.
    threshold_ : float
        The threshold τ, with ``n_features_to_select="significant"`` only.
    n_labelled_ : int
        Number of rows with a class; the others are left out of everything.
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
    pairsift.scores.surf_star_score : The same on arrays.

    Notes
    -----
    After [1]_ and [2]_: the score of SURF, less the same expression over the rows
    farther than the mean distance T.

    References
    ----------
    .. [1] C. S. Greene, D. S. Himmelstein, J. Kiralis, J. H. Moore, "The
       informative extremes: using both nearest and farthest individuals can
       improve Relief algorithms in the domain of human genetics", EvoBIO,
       182-193, 2010.
    .. [2] R. J. Urbanowicz, R. S. Olson, P. Schmitt, M. Meeker, J. H. Moore,
       "Benchmarking Relief-based feature selection methods for bioinformatics
       data mining", Journal of Biomedical Informatics 85, 168-188, 2018.

    Examples
    --------
    >>> from pairsift import SURFStar
    >>> from sklearn.datasets import load_wine
    >>> X, y = load_wine(return_X_y=True, as_frame=True)
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


class SWRFStar(RadiusSelector):
    r"""Select features by SWRF*: every row counts, by a sigmoid of its distance.

    SURF* counts a row as near or far; here the weight falls smoothly from 1 for the
    nearest to -1 for the farthest rows. What is said of :class:`SURFStar` about
    features that matter alone holds here, too.

    Given pairs and no labels, the groups of rows joined by must-links serve as classes.

    Parameters
    ----------
    n_features_to_select : int, float, "significant" or None, default=None
        Number or share of features to select; None keeps all and only ranks.
        ``"significant"`` selects the features whose margin exceeds the threshold τ of
        Kira and Rendell, often none: see the Notes of :class:`Relief`.
    alpha : float, default=0.05
        Largest probability that a feature without any margin exceeds τ; only used by
        ``n_features_to_select="significant"``.
    miss_weighting : {"prior", "pooled"}, default="prior"
        Misses of more than two classes: the mean over each class weighted by its
        prior, as in ReliefF, or one mean over all of them.
    ramp : tuple of two floats or None, default=None
        ``(low, high)``, shares of the range of a feature: differences of numbers up to
        `low` count as 0, from `high` on as 1, and linearly between. None is the share
        itself, see :func:`pairsift.scores.relieff_score`.
    categorical_features : "auto", array-like or None, default="auto"
        Categorical columns as a mask, indices or names; ``"auto"`` takes the text,
        category and boolean columns of a data frame.
    missing : {"probability", "ignore", "constant", "distinct"}, default="probability"
        Difference to a missing value (NaN): the probability of another value, in its
        class where there are classes (ReliefD), left out (ReliefC), one minus one over
        the number of values (ReliefB), or 1 to a known and 0 to a missing value
        (Relieved-F).
    max_samples : int, default=None
        Most labelled rows to take the mean over, drawn at random; None for all.
        Neighbours are found among all labelled rows anyway.
    random_state : int, Generator, RandomState or None, default=None
        Seed of the draw.
    n_jobs : int or None, default=-1
        Number of threads: -1 for all cores, None as in joblib.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
        The mean margin of each feature, from -2 to 2; 0 for a constant one.
    threshold_ : float
        The threshold τ, with ``n_features_to_select="significant"`` only.
    n_labelled_ : int
        Number of rows with a class; the others are left out of everything.
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
    pairsift.scores.swrf_star_score : The same on arrays.

    Notes
    -----
    After [1]_: a row at distance d counts :math:`2 / (1 + \exp(-4 (T - d) / u)) - 1`,
    with the mean T and the standard deviation u of the distances over all pairs of
    different rows; hits, and misses of each class, are averaged over their number.

    References
    ----------
    .. [1] M. E. Stokes, S. Visweswaran, "Application of a spatially-weighted Relief
       algorithm for ranking genetic predictors of disease", BioData Mining
       5:20, 2012.

    Examples
    --------
    >>> from pairsift import SWRFStar
    >>> from sklearn.datasets import load_wine
    >>> X, y = load_wine(return_X_y=True, as_frame=True)
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


class MultiSURF(RadiusSelector):
    """Select features by MultiSURF: a radius for every row, with a dead band.

    Every row has its own radius, a little less than its mean distance to the others.
    The review [1]_ found it the most reliable of the family over many kinds of
    problems, and there is no number of neighbours to choose.

    Given pairs and no labels, the groups of rows joined by must-links serve as classes.

    Parameters
    ----------
    n_features_to_select : int, float, "significant" or None, default=None
        Number or share of features to select; None keeps all and only ranks.
        ``"significant"`` selects the features whose margin exceeds the threshold τ of
        Kira and Rendell, often none: see the Notes of :class:`Relief`.
    alpha : float, default=0.05
        Largest probability that a feature without any margin exceeds τ; only used by
        ``n_features_to_select="significant"``.
    miss_weighting : {"prior", "pooled"}, default="prior"
        Misses of more than two classes: the mean over each class weighted by its
        prior, as in ReliefF, or one mean over all of them.
    ramp : tuple of two floats or None, default=None
        ``(low, high)``, shares of the range of a feature: differences of numbers up to
        `low` count as 0, from `high` on as 1, and linearly between. None is the share
        itself, see :func:`pairsift.scores.relieff_score`.
    categorical_features : "auto", array-like or None, default="auto"
        Categorical columns as a mask, indices or names; ``"auto"`` takes the text,
        category and boolean columns of a data frame.
    missing : {"probability", "ignore", "constant", "distinct"}, default="probability"
        Difference to a missing value (NaN): the probability of another value, in its
        class where there are classes (ReliefD), left out (ReliefC), one minus one over
        the number of values (ReliefB), or 1 to a known and 0 to a missing value
        (Relieved-F).
    max_samples : int, default=None
        Most labelled rows to take the mean over, drawn at random; None for all.
        Neighbours are found among all labelled rows anyway.
    random_state : int, Generator, RandomState or None, default=None
        Seed of the draw.
    n_jobs : int or None, default=-1
        Number of threads: -1 for all cores, None as in joblib.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
        The mean margin of each feature, from -1 to 1; 0 for a constant one.
    threshold_ : float
        The threshold τ, with ``n_features_to_select="significant"`` only.
    n_labelled_ : int
        Number of rows with a class; the others are left out of everything.
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
    pairsift.scores.multisurf_score : The same on arrays.

    Notes
    -----
    After [1]_: the score of SURF with a radius of its own for every row, see
    :func:`pairsift.scores.multisurf_score`.

    References
    ----------
    .. [1] R. J. Urbanowicz, R. S. Olson, P. Schmitt, M. Meeker, J. H. Moore,
       "Benchmarking Relief-based feature selection methods for bioinformatics
       data mining", Journal of Biomedical Informatics 85, 168-188, 2018.

    Examples
    --------
    >>> from pairsift import MultiSURF
    >>> from sklearn.datasets import load_wine
    >>> X, y = load_wine(return_X_y=True, as_frame=True)
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


class MultiSURFStar(RadiusSelector):
    r"""Select features by MultiSURF*: near rows as in MultiSURF, far rows reversed.

    As :class:`SURFStar`, with a radius for every row and a dead band between near and
    far. What is said there about features that matter alone holds here, too.

    Given pairs and no labels, the groups of rows joined by must-links serve as classes.

    Parameters
    ----------
    n_features_to_select : int, float, "significant" or None, default=None
        Number or share of features to select; None keeps all and only ranks.
        ``"significant"`` selects the features whose margin exceeds the threshold τ of
        Kira and Rendell, often none: see the Notes of :class:`Relief`.
    alpha : float, default=0.05
        Largest probability that a feature without any margin exceeds τ; only used by
        ``n_features_to_select="significant"``.
    miss_weighting : {"prior", "pooled"}, default="prior"
        Misses of more than two classes: the mean over each class weighted by its
        prior, as in ReliefF, or one mean over all of them.
    ramp : tuple of two floats or None, default=None
        ``(low, high)``, shares of the range of a feature: differences of numbers up to
        `low` count as 0, from `high` on as 1, and linearly between. None is the share
        itself, see :func:`pairsift.scores.relieff_score`.
    categorical_features : "auto", array-like or None, default="auto"
        Categorical columns as a mask, indices or names; ``"auto"`` takes the text,
        category and boolean columns of a data frame.
    missing : {"probability", "ignore", "constant", "distinct"}, default="probability"
        Difference to a missing value (NaN): the probability of another value, in its
        class where there are classes (ReliefD), left out (ReliefC), one minus one over
        the number of values (ReliefB), or 1 to a known and 0 to a missing value
        (Relieved-F).
    max_samples : int, default=None
        Most labelled rows to take the mean over, drawn at random; None for all.
        Neighbours are found among all labelled rows anyway.
    random_state : int, Generator, RandomState or None, default=None
        Seed of the draw.
    n_jobs : int or None, default=-1
        Number of threads: -1 for all cores, None as in joblib.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
        The mean margin of each feature, from -2 to 2; 0 for a constant one.
    threshold_ : float
        The threshold τ, with ``n_features_to_select="significant"`` only.
    n_labelled_ : int
        Number of rows with a class; the others are left out of everything.
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
    pairsift.scores.multisurf_star_score : The same on arrays.

    Notes
    -----
    After [1]_: the score of MultiSURF minus that over far rows, see
    :func:`pairsift.scores.multisurf_star_score`. The authors count far rows by sameness
    :math:`1 - \Delta_f`, which is the same wherever a row has far hits and far misses;
    where it has one kind only, theirs adds a constant to all features, ours none.

    References
    ----------
    .. [1] D. Granizo-Mackenzie, J. H. Moore, "Multiple threshold spatially uniform
       ReliefF for the genetic analysis of complex human diseases", EvoBIO,
       1-10, 2013.
    .. [2] R. J. Urbanowicz, R. S. Olson, P. Schmitt, M. Meeker, J. H. Moore,
       "Benchmarking Relief-based feature selection methods for bioinformatics
       data mining", Journal of Biomedical Informatics 85, 168-188, 2018.

    Examples
    --------
    >>> from pairsift import MultiSURFStar
    >>> from sklearn.datasets import load_wine
    >>> X, y = load_wine(return_X_y=True, as_frame=True)
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
