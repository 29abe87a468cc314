"""STIR: p-values for the margins of the Relief family."""

from numbers import Integral
from typing import Any, ClassVar

from pairsift._sklearn_compat import Interval, StrOptions
from pairsift._statistics import holm
from pairsift._typing import BoolArray, FloatArray, IndexArray, MissingMode, RandomState
from pairsift.scores import NEIGHBORHOODS, stir_test
from pairsift.selectors._method import CLASSES, Method
from pairsift.selectors._relief import SIGNIFICANT, LabelMarginSelector


class STIR(LabelMarginSelector):
    """Select features by statistical inference Relief, with p-values.

    The score of Relief is the mean difference to misses less that to hits; STIR divides
    it by a standard error and reads a p-value off a t distribution. Mind the Notes: the
    differences are not independent, and the p-values are only roughly right.

    Given pairs and no labels, the groups of rows joined by must-links serve as classes.

    Parameters
    ----------
    n_features_to_select : int, float, "significant" or None, default=None
        Number or share of features to select; None keeps all and only ranks.
        ``"significant"`` selects the features whose corrected p-value is below `alpha`.
    alpha : float, default=0.05
        Level of the test; only used by ``n_features_to_select="significant"``.
    neighborhood : {"relieff", "multisurf"}, default="relieff"
        Neighbours of a row: its nearest hits and its nearest misses of any other class,
        or all rows nearer than its radius in :class:`MultiSURF`.
    n_neighbors : int, default=10
        Number K of nearest hits and of nearest misses; fewer where there are fewer.
        Not used by ``neighborhood="multisurf"``.
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
        The t statistic of each feature; 0 for a constant one, infinite (and a warning)
        where differences to neighbours do not vary.
    pvalues_ : ndarray of shape (n_features,)
        One-sided p-values: small when misses differ more than hits.
    corrected_pvalues_ : ndarray of shape (n_features,)
        The p-values after Holm's correction for the number of features.
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
    pairsift.scores.stir_score : The statistic on arrays, with its formula.

    Notes
    -----
    Equations 2.40 to 2.46 of [1]_ after [2]_, with :math:`|M| + |H| - 2` degrees of
    freedom. The article adjusts p-values for the number of features and its authors'
    package by Holm's method, as is done here: in ascending order the i-th p-value is
    multiplied by :math:`d - i + 1`, and is no smaller than those before. All features
    below `alpha` are wrong with a probability of at most `alpha`, if the p-values are
    right.

    The test takes the differences of neighbours for independent draws, which they are
    not: a row is a neighbour of many, and the nearest of a larger crowd are nearer. A
    small p-value is no proof. On pure noise (100 rows, 50 normal features, 100 draws)
    the share of p-values below 0.05 was

    ======================  ============  ==============
    classes                 ``relieff``   ``multisurf``
    ======================  ============  ==============
    two of 50 rows          0.066         0.071
    two of 20 and 80 rows   0.42          0.19
    three of 33 rows        0.008         0.067
    six of 17 rows          0.001         0.070
    ======================  ============  ==============

    Compare with permuted labels where it matters, above all with classes of unequal
    size.

    References
    ----------
    .. [1] S. Hijazi, "Semi-supervised margin-based feature selection for
       classification", PhD thesis, Université du Littoral Côte d'Opale and
       Lebanese University, 2019, HAL tel-02489733.
    .. [2] T. T. Le, R. J. Urbanowicz, J. H. Moore, B. A. McKinney, "STatistical
       Inference Relief (STIR) feature selection", Bioinformatics 35(8),
       1358-1365, 2019.

    Examples
    --------
    >>> from pairsift import STIR
    >>> from sklearn.datasets import load_wine
    >>> X, y = load_wine(return_X_y=True, as_frame=True)
    >>> selector = STIR(2).fit(X, y)
    >>> list(selector.get_feature_names_out())
    ['alcohol', 'proline']
    >>> bool((selector.pvalues_[selector.support_] < 1e-10).all())
    True
    """

    _method: ClassVar = Method(
        name="stir",
        learns_from=CLASSES,
        orientation="maximised",
        cost="O(n²d), O(nd) memory",
        seconds=lambda s, z: 2e-10 * (s.max_samples or z.m) * z.m * z.d / z.t,
        citation="Le et al. 2019; Hijazi 2019, eq. 2.40-2.46",
        dask=True,
    )
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **LabelMarginSelector._parameter_constraints,
        **SIGNIFICANT,
        "neighborhood": [StrOptions(set(NEIGHBORHOODS))],
        "n_neighbors": [Interval(Integral, 1, None, closed="left")],
    }

    def __init__(
        self,
        n_features_to_select: int | float | str | None = None,
        *,
        alpha: float = 0.05,
        neighborhood: str = "relieff",
        n_neighbors: int = 10,
        ramp: tuple[float, float] | None = None,
        categorical_features: Any = "auto",
        missing: MissingMode = "probability",
        max_samples: int | None = None,
        random_state: RandomState = None,
        n_jobs: int | None = -1,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.alpha = alpha
        self.neighborhood = neighborhood
        self.n_neighbors = n_neighbors
        self.ramp = ramp
        self.categorical_features = categorical_features
        self.missing = missing
        self.max_samples = max_samples
        self.random_state = random_state
        self.n_jobs = n_jobs

    def _margins(self, X: FloatArray, labels: IndexArray, **options: Any) -> FloatArray:
        t, self.pvalues_ = stir_test(
            X,
            labels,
            neighborhood=self.neighborhood,
            n_neighbors=self.n_neighbors,
            **options,
        )
        self.corrected_pvalues_ = holm(self.pvalues_)
        return self._warn_of_infinite(t)

    def _is_significant(self) -> BoolArray:
        is_small: BoolArray = self.corrected_pvalues_ < self.alpha
        return is_small
