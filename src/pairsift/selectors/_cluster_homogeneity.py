"""ClusterHomogeneity, and its labels for any other selector."""

import warnings
from copy import deepcopy
from numbers import Integral
from typing import Any, ClassVar

import numpy as np

from pairsift._checks import check_at_least
from pairsift._random import as_generator
from pairsift._sklearn_compat import Interval, StrOptions
from pairsift._typing import FloatArray, IndexArray, RandomState
from pairsift.constraints import as_label_array, encode_labels
from pairsift.exceptions import ConstraintError
from pairsift.information import as_numbers, column_scales
from pairsift.selectors._base import Supervision
from pairsift.selectors._cost import Problem
from pairsift.selectors._forward_backward import ForwardBackwardMI, search_seconds
from pairsift.selectors._kmeans import k_means
from pairsift.selectors._method import CLASSES_AND_ROWS, Method
from pairsift.selectors._tables import Table

# More than twice the usual number of neighbours, 6.
LARGE = 13
# Folds of labelled rows by which a number of clusters is chosen, at most.
MAX_FOLDS = 10


def complete_labels(
    X: Any,
    y: Any,
    *,
    n_clusters: int | str = "auto",
    min_size: int | None = None,
    n_init: int = 10,
    random_state: RandomState = None,
) -> IndexArray:
    r"""Give unlabelled rows the number of their cluster as a class.

    Any supervised selector becomes a semi-supervised one by it: features are then
    relevant if they tell the classes of the labelled rows, and the clusters of the
    others.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        The data.
    y : array-like of shape (n_samples,)
        Class labels; unlabelled rows hold -1 (numbers) or None, NaN or empty text.
    n_clusters : int or "auto", default="auto"
        Number of clusters, cut to the number of different rows with a warning;
        ``"auto"`` is :math:`\sqrt u` for u unlabelled rows, at most u over twice the
        `min_size`, and 2 at least.
    min_size : int or None, default=None
        Fewest unlabelled rows of a cluster. Smaller clusters are dissolved, the
        smallest first, and their rows go to the nearest centre that is left. None is 13
        for ``n_clusters="auto"``, and 1 for a given number, which is taken as given.
    n_init : int, default=10
        How often K-means starts anew; the best clusters count.
    random_state : int, Generator, RandomState or None, default=None
        Draws the starts; an int makes the result reproducible.

    Returns
    -------
    completed : ndarray of shape (n_samples,), dtype=int64
        For labelled rows the number of their class, in order of the labels from 0, for
        others a cluster number that follows on those. No row has -1.

    See Also
    --------
    ClusterHomogeneity : A forward-backward search on these labels.

    Notes
    -----
    Section 4.2.2 of [1]_. K-means looks at all rows, with columns divided by their
    standard deviations, so that units do not matter; only unlabelled rows get the
    number of their cluster. There should be so many clusters that each lies within one
    class. A cluster is large enough for an information estimate by k neighbours when
    it has more than 2k rows, hence the 13. Clusters without an unlabelled row get no
    number.

    **What to expect.** Clusters are made of the columns, and nearly all columns tell
    something about them: with 11 labelled rows of Sonar, 55 of 60 columns exceeded the
    95 % quantile of shuffled ones, and 59 with ``min_size=1``. Leave useless columns
    out of `X` before where you know of them.

    Without any label all rows have clusters. If there are fewer than `min_size`
    unlabelled rows, they are one cluster.

    References
    ----------
    .. [1] F. Coelho, "Semi-supervised feature selection", PhD thesis, Universidade
       Federal de Minas Gerais and Université catholique de Louvain, 2013.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.feature_selection import SelectKBest
    >>> import pairsift
    >>> from sklearn.datasets import load_wine
    >>> X, y = load_wine(return_X_y=True)
    >>> few_labels = np.where(np.arange(len(y)) % 20 == 0, y, -1)
    >>> completed = pairsift.complete_labels(X, few_labels, random_state=0)
    >>> SelectKBest(k=3).fit(X, completed).get_support(indices=True)
    array([ 6,  9, 11])
    """
    is_auto = isinstance(n_clusters, str) and n_clusters == "auto"
    if min_size is None:
        min_size = LARGE if is_auto else 1
    check_at_least(min_size, "min_size", 1)
    check_at_least(n_init, "n_init", 1)
    if not is_auto:
        check_at_least(n_clusters, "n_clusters", 1)
    X = as_numbers(X)
    codes, classes = encode_labels(as_label_array(y))
    if codes.shape != (len(X),):
        raise ValueError(
            f"y must hold a label, or -1, for each of the {len(X)} rows of X, got an "
            f"array of shape {codes.shape}."
        )
    is_unknown = codes < 0
    if not is_unknown.any():
        return codes.copy()
    points = X * column_scales(X)
    n_unknown = int(is_unknown.sum())
    if is_auto:
        n_clusters = max(2, int(min(n_unknown**0.5, n_unknown / (2 * min_size))))
        n_clusters = min(n_clusters, len(np.unique(points, axis=0)))
    means = k_means(points, int(n_clusters), n_init, random_state)
    completed = codes.copy()
    clusters = _large_clusters(means.transform(points[is_unknown]), min_size)
    completed[is_unknown] = classes.size + clusters
    return completed


def _large_clusters(distances: FloatArray, min_size: int) -> IndexArray:
    """Nearest centre of each row, without those that are nearest to too few."""
    centres = np.arange(distances.shape[1])
    while True:
        nearest = distances[:, centres].argmin(axis=1)
        sizes = np.bincount(nearest, minlength=centres.size)
        if sizes.min() >= min_size or centres.size == 1:
            return nearest.astype(np.int64)
        centres = np.delete(centres, sizes.argmin())


def _seconds(s: Any, z: Problem) -> float:
    """Of K-means with √n clusters, and of the search among all rows."""
    n_times = 1 if isinstance(s.n_clusters, str | Integral) else len(s.n_clusters) + 1
    once = 3e-7 * z.n**1.5 * z.d / z.t + search_seconds(s, z._replace(m=z.n))
    return n_times * once


class ClusterHomogeneity(ForwardBackwardMI):
    r"""Select the features that together tell about classes and clusters.

    Unlabelled rows get the number of their cluster as a class, and features are
    searched as by :class:`ForwardBackwardMI`. This supposes that clusters lie within
    classes.
    Given pairs and no labels, the groups of rows joined by must-links serve as classes.
    Units do not matter.

    Parameters
    ----------
    n_features_to_select : "auto", int, float or None, default="auto"
        ``"auto"`` selects the features found, the best one at least. A number or a
        share takes the best of the ranking, None keeps all and only ranks. The search
        is the same.
    n_clusters : int, "auto" or array-like of int, default="auto"
        Number of clusters; ``"auto"`` is :math:`\sqrt u` for u unlabelled rows, less
        where these are few. Of several numbers that one is taken whose features tell
        held-out labelled rows apart best, see Notes.
    dissolve : bool or "auto", default="auto"
        Whether clusters of at most ``2 * n_neighbors`` unlabelled rows are dissolved,
        the smallest first; ``"auto"`` does so for ``n_clusters="auto"``, and takes
        given numbers as given.
    cluster_on : {"all", "selected"}, default="all"
        Columns on which clusters are found: all, or those that a search on the labelled
        rows alone selects.
    quantile : float, default=0.95
        Share of shuffled features that must tell less.
    n_permutations : int, default=20
        How often a feature is shuffled for a test.
    familywise : bool, default=True
        Test the best candidate as the best of all tried; False tests it as if it were
        the only one, as published, and adds useless features more often.
    pairs : bool, default=True
        When no single feature is good enough, try to add two at once. Their number
        grows with the square of the number of features: with hundreds of features,
        False saves much time.
    must_rise : bool, default=True
        Add features only if the estimate rises with them, which keeps copies out; False
        goes by the test alone, and loses fewer weak features where rows are few.
    discrete_features : "auto", bool or ndarray of shape (n_features,), default="auto"
        Discrete columns: all, none, or a mask. ``"auto"`` takes a column for discrete
        when it has at most :math:`\max(10, \sqrt n)` distinct values, and at most half
        as many as rows, among all rows.
    n_neighbors : int, default=6
        Number of neighbours by which continuous columns are estimated.
    random_state : int, Generator, RandomState or None, default=None
        Seed of the clusters and of the shuffling.
    n_jobs : int or None, default=-1
        Number of threads: -1 for all cores, None as in joblib.

    Attributes
    ----------
    completed_labels_ : ndarray of shape (n_samples,), dtype=int64
        Class number of labelled rows, in order of the labels from 0, and cluster
        numbers that follow on those for the others.
    n_clusters_ : int
        Number of clusters among the unlabelled rows.
    cluster_accuracies_ : dict or None
        By number of clusters, the accuracy by which it was chosen; None if a single
        number was given.
    scores_ : ndarray of shape (n_features,)
        What each feature added to what the set tells about the classes, in nats, two
        added at once half each; or what it would add in the end. At least 0, and at
        most that of the feature before it in `order_`: those found in order of
        addition, those removed again, then the others.
    n_found_ : int
        Number of features found.
    removed_ : ndarray of shape (n_removed,)
        Features added and removed again, in this order.
    path_scores_ : ndarray of shape (n_additions,)
        What the features added tell about the classes after each addition, in nats; two
        features at once are one addition.
    path_thresholds_ : ndarray of shape (n_additions,)
        What it had to exceed.
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
    complete_labels : These labels, for any other selector.
    ForwardBackwardMI : The same on labelled rows alone.

    Notes
    -----
    Section 4.2 of [1]_, with the labels of :func:`complete_labels` and the search of
    :func:`pairsift.scores.forward_backward_path`. In [1]_ the number of clusters is
    varied, from 2 to 60 or 150, and chosen by the accuracy that is then reported. Here
    it follows from the number of rows, is given, or is chosen among several by labelled
    rows alone: linear discriminant analysis with equal priors on the features found, as
    in [1]_, in up to ten folds of the labelled rows; of equals the smallest number
    counts. Few labelled rows tell little about it.

    Clusters of all columns are made of all columns, useless ones too: nearly every
    column tells something about them. ``cluster_on="selected"`` clusters on the columns
    that the labels ask for, and adds what tells those clusters; it depends on a search
    in few rows.

    References
    ----------
    .. [1] F. Coelho, "Semi-supervised feature selection", PhD thesis, Universidade
       Federal de Minas Gerais and Université catholique de Louvain, 2013.

    Examples
    --------
    >>> import numpy as np
    >>> from pairsift import ClusterHomogeneity
    >>> from sklearn.datasets import load_wine
    >>> X, y = load_wine(return_X_y=True)
    >>> few_labels = np.where(np.arange(len(y)) % 10 == 0, y, -1)
    >>> selector = ClusterHomogeneity(random_state=0).fit(X, few_labels)
    >>> selector.order_[: selector.n_found_]
    array([6, 9, 2, 0, 3])
    """

    _method: ClassVar = Method(
        name="cluster-homogeneity",
        learns_from=CLASSES_AND_ROWS,
        orientation="maximised",
        cost="as forward-backward-mi on all rows, after K-means",
        seconds=_seconds,
        citation="Coelho 2013, section 4.2",
        cheaper={"pairs": False},
    )
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **ForwardBackwardMI._parameter_constraints,
        "n_clusters": [
            StrOptions({"auto"}),
            Interval(Integral, 1, None, closed="left"),
            "array-like",
        ],
        "dissolve": [StrOptions({"auto"}), "boolean"],
        "cluster_on": [StrOptions({"all", "selected"})],
    }

    completed_labels_: IndexArray
    n_clusters_: int
    cluster_accuracies_: dict[int, float] | None

    def __init__(
        self,
        n_features_to_select: int | float | str | None = "auto",
        *,
        n_clusters: Any = "auto",
        dissolve: bool | str = "auto",
        cluster_on: str = "all",
        quantile: float = 0.95,
        n_permutations: int = 20,
        familywise: bool = True,
        pairs: bool = True,
        must_rise: bool = True,
        discrete_features: Any = "auto",
        n_neighbors: int = 6,
        random_state: RandomState = None,
        n_jobs: int | None = -1,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.n_clusters = n_clusters
        self.dissolve = dissolve
        self.cluster_on = cluster_on
        self.quantile = quantile
        self.n_permutations = n_permutations
        self.familywise = familywise
        self.pairs = pairs
        self.must_rise = must_rise
        self.discrete_features = discrete_features
        self.n_neighbors = n_neighbors
        self.random_state = random_state
        self.n_jobs = n_jobs

    def _score(self, table: Table, supervision: Supervision) -> FloatArray:
        assert supervision.labels is not None  # FromClasses sees to it
        X, labels = np.asarray(table.X, dtype=np.float64), supervision.labels
        numbers = self._numbers()
        rng = as_generator(self.random_state)
        columns = np.arange(X.shape[1])
        if self.cluster_on == "selected":
            self._search(X, labels, rng)
            columns = self._features_found()
        self.cluster_accuracies_ = None
        if len(numbers) > 1:
            self.cluster_accuracies_ = {
                number: self._accuracy(X, labels, columns, number, deepcopy(rng))
                for number in numbers
            }
            numbers = _best_of(self.cluster_accuracies_)
        return self._search_completed(X, labels, columns, numbers[0], rng)

    def _search_completed(
        self,
        X: FloatArray,
        labels: IndexArray,
        columns: IndexArray,
        n_clusters: int | str,
        rng: np.random.Generator,
    ) -> FloatArray:
        dissolve = n_clusters == "auto" if self.dissolve == "auto" else self.dissolve
        self.completed_labels_ = complete_labels(
            X[:, columns],
            labels,
            n_clusters=n_clusters,
            min_size=2 * self.n_neighbors + 1 if dissolve else 1,
            random_state=rng,
        )
        self.n_clusters_ = np.unique(self.completed_labels_[labels < 0]).size
        return self._search(X, self.completed_labels_, rng)

    def _features_found(self) -> IndexArray:
        """Return the features that the last search found, the best one at least."""
        return np.flatnonzero(self._places < max(1, self.n_found_))

    def _numbers(self) -> list[Any]:
        """Return the numbers of clusters to try, once each."""
        if isinstance(self.n_clusters, str | Integral):
            return [self.n_clusters]
        numbers = np.asarray(self.n_clusters)
        is_right = numbers.ndim == 1 and numbers.size and numbers.dtype.kind in "iu"
        if not is_right or numbers.min() < 1:
            raise ValueError(
                "n_clusters must be a whole number of at least 1, 'auto', or several "
                f"numbers to choose from, got {self.n_clusters!r}."
            )
        return list(dict.fromkeys(numbers.tolist()))

    def _accuracy(
        self,
        X: FloatArray,
        labels: IndexArray,
        columns: IndexArray,
        n_clusters: int,
        rng: np.random.Generator,
    ) -> float:
        """Accuracy on held-out labelled rows of the features that a number finds."""
        is_known = labels >= 0
        sizes = np.bincount(labels[is_known])
        n_folds = int(min(MAX_FOLDS, sizes[sizes > 0].min()))
        if n_folds < 2:
            raise ConstraintError(
                "several n_clusters to choose from need at least two labelled rows of "
                f"every class, got {sizes.tolist()}: give one number."
            )
        seed = int(deepcopy(rng).integers(2**31))
        self._search_completed(X, labels, columns, n_clusters, rng)
        known = X[is_known][:, self._features_found()]
        return _held_out_accuracy(known, labels[is_known], n_folds, seed)


def _best_of(accuracies: dict[int, float]) -> list[int]:
    """Return the numbers that have the highest accuracy, the smallest first."""
    highest = max(accuracies.values())
    return sorted(n for n, accuracy in accuracies.items() if accuracy == highest)


def _held_out_accuracy(
    X: FloatArray, labels: IndexArray, n_folds: int, seed: int
) -> float:
    """Accuracy of linear discriminant analysis with equal priors, in folds."""
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
    from sklearn.model_selection import StratifiedKFold, cross_val_score

    n_classes = np.unique(labels).size
    model = LinearDiscriminantAnalysis(priors=np.full(n_classes, 1 / n_classes))
    folds = StratifiedKFold(n_folds, shuffle=True, random_state=seed)
    with warnings.catch_warnings():
        # Features may be collinear on few rows.
        warnings.simplefilter("ignore")
        return float(cross_val_score(model, X, labels, cv=folds).mean())
