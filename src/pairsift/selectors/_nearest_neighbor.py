"""NearestNeighborForward."""

from typing import Any, ClassVar

import numpy as np
from sklearn.model_selection import check_cv

from pairsift._sklearn_compat import StrOptions
from pairsift._typing import FloatArray
from pairsift.scores import nearest_neighbor_path
from pairsift.selectors._base import N_JOBS, BaseScoreSelector, FromClasses, Supervision
from pairsift.selectors._cost import n_tried
from pairsift.selectors._method import CLASSES, Method
from pairsift.selectors._search import ForwardSearch
from pairsift.selectors._tables import Table


class NearestNeighborForward(ForwardSearch, FromClasses):
    """Select features one by one by the accuracy of the nearest neighbour (SFS-1NN).

    Sequential forward selection with a 1-nearest-neighbour classifier, on the labelled
    rows only: the choice of scikit-learn's ``SequentialFeatureSelector`` with
    ``KNeighborsClassifier(1)``, some hundred times faster.
    Given pairs and no labels, the groups of rows joined by must-links serve as classes.
    The data is taken as given: where units differ, scale to [0, 1] first
    (``sklearn.preprocessing.MinMaxScaler``).

    Parameters
    ----------
    n_features_to_select : int or float, default=None
        Number or share of features to select, at which the search stops; None adds all
        and only ranks.
    cv : "loo", int, splitter or iterable, default="loo"
        How accuracy is measured: ``"loo"`` leaves one row out at a time, a number makes
        as many stratified folds, and a splitter of scikit-learn or an iterable of
        (training rows, test rows) is taken as it is; rows are counted among the
        labelled ones. None is 5 folds, as in scikit-learn.
    n_jobs : int or None, default=-1
        Number of threads: -1 for all cores, None as in joblib.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
        By how much the accuracy rose when each feature was added, from the share of the
        largest class on: at least 0, for a feature with which it did not rise, and at
        most that of the feature added before. Features that were not reached have what
        they offered at the last step.
    path_scores_ : ndarray of shape (n_steps,)
        Accuracy after each step, the mean over the folds.
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
    pairsift.scores.nearest_neighbor_path : The same as a function on arrays.
    SimilarityConstraintScore : A forward search without a classifier.

    Notes
    -----
    The wrapper that [1]_ compares with in section 5.2.3, after [2]_. A row takes the
    class of the row at the smallest Euclidean distance in the subset; the feature added
    next is the one with the highest accuracy. Where several rows are tied as the
    nearest (distances agree up to rounding), the share of them that has the right class
    counts; ties between features go to the smaller index.
    The published figures come out only when the wrapper sees the labels of all training
    rows, not of the prototypes alone.

    After a few steps all accuracies are close to each other and the search follows
    chance: what it finds late on the way is no ranking to be trusted.

    References
    ----------
    .. [1] A. Salmi, K. Hammouche, L. Macaire, "Similarity-based constraint score
       for feature selection", Knowledge-Based Systems 209, 106429, 2020,
       doi:10.1016/j.knosys.2020.106429.
    .. [2] R. Kohavi, G. H. John, "Wrappers for feature subset selection",
       Artificial Intelligence 97(1-2), 273-324, 1997.

    Examples
    --------
    >>> from pairsift import NearestNeighborForward
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.preprocessing import minmax_scale
    >>> X, y = load_wine(return_X_y=True)
    >>> X = minmax_scale(X)
    >>> selector = NearestNeighborForward(3).fit(X, y)
    >>> selector.order_[:3]
    array([ 6,  9, 12])
    >>> selector.path_scores_.round(2)
    array([0.7 , 0.93, 0.97])
    """

    _method: ClassVar = Method(
        name="nearest-neighbor-forward",
        learns_from=CLASSES,
        orientation="maximised",
        cost="O(n²d) per step, O(n² + nd) memory",
        seconds=lambda s, z: (2.5e-10 * n_tried(s, z) + 1e-9 * z.d) * z.m**2 / z.t,
        citation="Salmi 2020, section 5.2.3 (SFS-1NN)",
    )
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **BaseScoreSelector._parameter_constraints,
        "cv": [StrOptions({"loo"}), "cv_object"],
        "n_jobs": N_JOBS,
    }

    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        cv: Any = "loo",
        n_jobs: int | None = -1,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.cv = cv
        self.n_jobs = n_jobs

    def _score(self, table: Table, supervision: Supervision) -> FloatArray:
        n_steps = self._n_steps(table.X.shape[1])
        assert supervision.labels is not None
        is_labelled = supervision.labels >= 0
        X, classes = table.X[is_labelled], supervision.labels[is_labelled]
        splits = None
        if not isinstance(self.cv, str):
            splits = check_cv(self.cv, classes, classifier=True).split(X, classes)
        order, accuracies = nearest_neighbor_path(
            X, classes, splits, n_features=n_steps, n_jobs=self.n_jobs
        )
        self.path_scores_ = accuracies[:n_steps]
        largest_class = float(np.bincount(classes).max()) / classes.size
        return self._rise_scores(order, accuracies, largest_class)
