"""Relief and ReliefF: margins from class labels."""

from numbers import Integral
from typing import Any, ClassVar

import numpy as np

from pairsift._docstrings import documented
from pairsift._sklearn_compat import Interval, StrOptions
from pairsift._typing import FloatArray, IndexArray, RandomState
from pairsift.scores import relief_score, relieff_score
from pairsift.selectors._base import N_JOBS, BaseScoreSelector, FromClasses, Supervision
from pairsift.selectors._cost import relief_seconds
from pairsift.selectors._method import CLASSES, Method
from pairsift.selectors._tables import Table


class LabelMarginSelector(FromClasses):
    """What the Relief family with labels shares: Δ of any column, drawn rows."""

    _accepts_missing: ClassVar[bool] = True
    _accepts_categorical: ClassVar[bool] = True
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **BaseScoreSelector._parameter_constraints,
        "categorical_features": ["array-like", StrOptions({"auto"}), None],
        "missing": [StrOptions({"probability", "ignore", "constant", "distinct"})],
        "max_samples": [Interval(Integral, 1, None, closed="left"), None],
        "random_state": ["random_state", np.random.Generator],
        "n_jobs": N_JOBS,
    }

    n_labelled_: int

    def _score(self, table: Table, supervision: Supervision) -> FloatArray:
        assert supervision.labels is not None  # FromClasses sees to it
        self.n_labelled_ = int((supervision.labels >= 0).sum())
        return self._margins(
            table.X,
            supervision.labels,
            is_categorical=table.is_categorical,
            missing=self.missing,
            max_samples=self.max_samples,
            random_state=self.random_state,
            n_jobs=self.n_jobs,
        )

    def _margins(self, X: FloatArray, labels: IndexArray, **options: Any) -> FloatArray:
        """Return the mean margin of each feature."""
        raise NotImplementedError("abstract: a selector defines its margins")


@documented
class Relief(LabelMarginSelector):
    r"""Select features by which the nearest row of another class differs (Relief).

    A feature is good when rows differ on it from the nearest row of another class more
    than from the nearest row of their own. :class:`ReliefF` takes several neighbours of
    every class and is less easily misled by noise.

    {learns}

    Parameters
    ----------
    {n_features_to_select, ties, categorical_features, missing, max_samples}
    {random_state, n_jobs}

    Attributes
    ----------
    {scores_margin, n_labelled_, fitted}

    See Also
    --------
    pairsift.scores.relief_score : The same as a function on arrays.

    Notes
    -----
    Algorithm 2.1 of [1]_ over all labelled rows: the mean squared difference to the
    nearest miss minus that to the nearest hit; :func:`pairsift.scores.relief_score` has
    the formula. Differences are divided by the range of the feature (0 or 1 for a
    categorical one). A row alone in its class has no hit to subtract.

    References
    ----------
    {hijazi2019, kira1992}

    Examples
    --------
    >>> from pairsift import Relief
    {wine_df}
    >>> list(Relief(2).fit(X, y).get_feature_names_out())
    ['alcohol', 'proline']
    """

    _method: ClassVar = Method(
        name="relief",
        learns_from=CLASSES,
        orientation="maximised",
        cost="O(n²d), O(nd) memory",
        seconds=lambda s, z: relief_seconds(s, z, 1),
        citation="Kira, Rendell 1992; Hijazi 2019, algorithm 2.1",
        dask=True,
    )
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **LabelMarginSelector._parameter_constraints,
        "ties": [StrOptions({"share", "index"})],
    }

    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        ties: str = "share",
        categorical_features: Any = "auto",
        missing: str = "probability",
        max_samples: int | None = None,
        random_state: RandomState = None,
        n_jobs: int | None = None,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.ties = ties
        self.categorical_features = categorical_features
        self.missing = missing
        self.max_samples = max_samples
        self.random_state = random_state
        self.n_jobs = n_jobs

    def _margins(self, X: FloatArray, labels: IndexArray, **options: Any) -> FloatArray:
        return relief_score(X, labels, ties=self.ties, **options)


@documented
class ReliefF(LabelMarginSelector):
    r"""Select features by which near rows of other classes differ (ReliefF).

    A feature is good when rows differ on it from their nearest rows of other classes
    more than from those of their own, which sees features that only matter together.

    {learns}

    Parameters
    ----------
    {n_features_to_select}
    n_neighbors : int, default=10
        Number K of hits, and of misses of every other class; where a class has fewer,
        the mean is taken over those there are.
    {categorical_features, missing, ties, max_samples, random_state, n_jobs}

    Attributes
    ----------
    {scores_margin, n_labelled_, fitted}

    See Also
    --------
    pairsift.scores.relieff_score : The same as a function on arrays.

    Notes
    -----
    Equation 2.4 of [1]_ over all labelled rows: the mean difference to the nearest
    misses of every other class, weighted by its prior, minus that to the nearest hits;
    :func:`pairsift.scores.relieff_score` has the formula, and says how ties and missing
    values count. Differences are divided by the range of the feature (0 or 1 for a
    categorical one). A row alone in its class has no hits to subtract.

    References
    ----------
    {hijazi2019, kononenko1994, robnik2003}

    Examples
    --------
    >>> from pairsift import ReliefF
    {wine_df}
    >>> list(ReliefF(2).fit(X, y).get_feature_names_out())
    ['flavanoids', 'od280/od315_of_diluted_wines']
    """

    _method: ClassVar = Method(
        name="relieff",
        learns_from=CLASSES,
        orientation="maximised",
        cost="O(n²d), O(nd) memory",
        seconds=lambda s, z: relief_seconds(s, z, s.n_neighbors),
        citation="Kononenko 1994; Hijazi 2019, eq. 2.4",
        dask=True,
    )
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **LabelMarginSelector._parameter_constraints,
        "n_neighbors": [Interval(Integral, 1, None, closed="left")],
        "ties": [StrOptions({"share", "index"})],
    }

    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        n_neighbors: int = 10,
        categorical_features: Any = "auto",
        missing: str = "probability",
        ties: str = "share",
        max_samples: int | None = None,
        random_state: RandomState = None,
        n_jobs: int | None = None,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.n_neighbors = n_neighbors
        self.categorical_features = categorical_features
        self.missing = missing
        self.ties = ties
        self.max_samples = max_samples
        self.random_state = random_state
        self.n_jobs = n_jobs

    def _margins(self, X: FloatArray, labels: IndexArray, **options: Any) -> FloatArray:
        return relieff_score(
            X, labels, n_neighbors=self.n_neighbors, ties=self.ties, **options
        )
