"""SimilarityConstraintScore."""

from typing import Any, ClassVar

import numpy as np

from pairsift._sklearn_compat import StrOptions
from pairsift._typing import FloatArray, IndexArray
from pairsift.constraints import LabelledPairs, is_continuous
from pairsift.graphs import nearest_prototype_classes
from pairsift.scores import similarity_class_path, similarity_pair_path
from pairsift.selectors._base import (
    N_JOBS,
    BaseScoreSelector,
    FromClasses,
    FromPairs,
    Supervision,
    classes_of,
)
from pairsift.selectors._cost import Problem, n_tried
from pairsift.selectors._graphs import SIGMA
from pairsift.selectors._method import BOTH_LINKS, Learns, Method
from pairsift.selectors._search import ForwardSearch
from pairsift.selectors._tables import Table


def _seconds(s: Any, z: Problem) -> float:
    if s.context == "supervised" and z.m == 0:
        return 2e-9 * z.p * n_tried(s, z) / z.t
    n_rows = z.m if s.context == "supervised" else z.n
    return (3e-10 * n_tried(s, z) + 2e-9 * z.d) * n_rows**2 / z.t


class SimilarityConstraintScore(ForwardSearch, FromPairs, FromClasses):
    r"""Select the subset of features in which rows alike are near, others far.

    Adds one feature after the other, each the best beside those before it, and finds
    the number of features by itself: the subset whose similarities come closest to 1
    for rows of the same class and to 0 for others. Redundant features bring nothing and
    come late. The data is taken as given: scale it to [0, 1] first
    (``sklearn.preprocessing.MinMaxScaler``).

    Parameters
    ----------
    n_features_to_select : "auto", int, float or None, default="auto"
        ``"auto"`` is the number with the smallest error on the whole way. A number or a
        share of features stops the search there, None adds all and only ranks.
    context : {"semi-supervised", "supervised"}, default="semi-supervised"
        Which pairs of rows count. Semi-supervised: all; every row gets the class of the
        nearest row of known class, its prototype. Supervised: the pairs given, or all
        pairs of labelled rows.
    sigma : float or "auto", default=1.0
        The :math:`\sigma` of the similarities :math:`\exp(-d^2/2\sigma^2)`; 1 suits
        data in [0, 1]. ``"auto"`` is the width for which all features together have the
        smallest error, out of 13 between 1/8 and 8 times the median distance above 0 of
        the pairs that count, each :math:`\sqrt2` times the one before; ties go to the
        smaller. All features together being at their best, few are then left out.
    n_jobs : int or None, default=-1
        Number of threads: -1 for all cores, None as in joblib.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
        By how much the normalised error fell when each feature was added: at least 0,
        for a feature with which it did not fall, and at most that of the feature added
        before. Features that were not reached have what they offered at the last step.
    path_scores_ : ndarray of shape (n_steps,)
        Normalised error after each step, smaller is better: divided by
        ``n_samples ** 2`` (semi-supervised), or by the number of ordered pairs that
        count and of their rows (supervised).
    prototypes_ : ndarray of shape (n_samples,), dtype=int64
        Class number of each row of known class, in order of the labels, or its group of
        must-links; -1 for other rows.
    targets_ : ndarray of shape (n_samples,), dtype=int64
        Class number that each row was given: in the semi-supervised context that of its
        nearest prototype, in the supervised one the same as `prototypes_`.
    sigma_ : float
        The width used.
    n_constraints_used_ : int
        Number of pairs used: must-links that made the prototypes (semi-supervised, 0
        when labels did), or all pairs that count (supervised).
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

    See Also
    --------
    pairsift.scores.similarity_class_path : The search over all pairs, on arrays.
    pairsift.scores.similarity_pair_path : The search over listed pairs, on arrays.
    NearestNeighborForward : The same search by the accuracy of a classifier.

    Notes
    -----
    Equations 33 to 39 and algorithm 1 of [1]_. The error of a subset is the sum of
    squared differences between the similarities of rows by its features and those
    wanted, see :func:`pairsift.scores.similarity_class_path`.

    In the semi-supervised context :math:`\hat w_{ij}` is 1 where the nearest prototypes
    of i and j, in the space of all features, are of the same class, and 0 elsewhere;
    the diagonal adds nothing. A prototype is its own nearest, ties go to the smaller
    row, and a class may have a single prototype. In the supervised context only
    must-links (:math:`\hat w = 1`) and cannot-links (0) count, in both directions, and
    both kinds are required: with must-links only, constant features would be best, and
    with cannot-links only, ever more features.

    Given labels and pairs, the supervised context learns from the pairs and the
    semi-supervised one from the labels. Given pairs alone, the groups of rows joined by
    must-links are the prototypes of one class each, as [1]_ proposes for future work;
    the semi-supervised context does not look at cannot-links.

    **What the number of features means.** The width :math:`\sigma` stays the same while
    distances grow with every feature, so that similarities fall from 1 to 0 along the
    way whatever the features are, and the error has its minimum somewhere in between:
    that minimum depends on :math:`\sigma` and on the number and scale of the features
    as much as on their relevance. A wider :math:`\sigma` selects more. On data that is
    not scaled, all similarities are 0 after a few features, all others are tied and
    follow in order of their index.

    Equation 32 prints the norm, 33 its square; their order is the same. [1]_ divides
    the supervised error by :math:`(kp)^2` for p prototypes in each of k classes, which
    counts them with themselves. So does this for given pairs: both directions, and each
    of their rows with itself, which is :math:`(kp)^2` if all pairs of kp rows are
    given. Errors that agree up to rounding (:math:`10^{-12}`) are tied, along the way
    and for the number of features: ties go to the smaller index and to fewer features.

    References
    ----------
    .. [1] A. Salmi, K. Hammouche, L. Macaire, "Similarity-based constraint score
       for feature selection", Knowledge-Based Systems 209, 106429, 2020,
       doi:10.1016/j.knosys.2020.106429.

    Examples
    --------
    >>> import numpy as np
    >>> from pairsift import SimilarityConstraintScore
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.preprocessing import minmax_scale
    >>> X, y = load_wine(return_X_y=True)
    >>> X = minmax_scale(X)
    >>> few_labels = np.where(np.arange(len(y)) % 20 == 0, y, -1)
    >>> selector = SimilarityConstraintScore(sigma=0.5)
    >>> selector.fit(X, few_labels).n_features_to_select_
    8
    >>> selector.order_[:3]
    array([11, 12,  0])
    """

    _method: ClassVar = Method(
        name="similarity-constraint-score",
        learns_from=Learns(
            must="for classes", cannot="if supervised", labels="as pairs"
        ),
        orientation="minimised",
        cost="O(n²d), supervised by p pairs O(pd), per step; O(n² + nd) memory",
        seconds=_seconds,
        citation="Salmi 2020, eq. 33",
    )
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "n_features_to_select": [
            *BaseScoreSelector._parameter_constraints["n_features_to_select"],
            StrOptions({"auto"}),
        ],
        "context": [StrOptions({"semi-supervised", "supervised"})],
        "sigma": SIGMA,
        "n_jobs": N_JOBS,
    }

    prototypes_: IndexArray
    targets_: IndexArray
    sigma_: float

    def __init__(
        self,
        n_features_to_select: int | float | str | None = "auto",
        *,
        context: str = "semi-supervised",
        sigma: float | str = 1.0,
        n_jobs: int | None = -1,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.context = context
        self.sigma = sigma
        self.n_jobs = n_jobs

    def _resolve(
        self,
        table: Table,
        y: Any,
        constraints: Any,
        sample_ids: Any,
        missing_label: Any = "auto",
    ) -> Supervision:
        if self.context == "supervised":
            return FromPairs._resolve(
                self, table, y, constraints, sample_ids, missing_label
            )
        # In a pipeline for regression, y is no label and the pairs are all there is.
        labels = None if constraints is not None and is_continuous(y) else y
        return FromClasses._resolve(
            self, table, labels, constraints, sample_ids, missing_label
        )

    def _needs_consistent_pairs(self) -> bool:
        return self.context == "semi-supervised"

    def _learns(self) -> Learns:
        is_supervised = self.context == "supervised"
        return BOTH_LINKS if is_supervised else self._method.learns_from

    def _lists_pairs(self, table: Table) -> bool:
        return False

    def _score(self, table: Table, supervision: Supervision) -> FloatArray:
        n_samples, n_features = table.X.shape
        options: dict[str, Any] = {
            "n_features": self._n_steps(n_features),
            "sigma": self.sigma,
            "n_jobs": self.n_jobs,
        }
        must, cannot = supervision.must_link, supervision.cannot_link
        if self.context == "supervised" and supervision.is_listed:
            self.prototypes_ = classes_of(supervision._replace(labels=None), n_samples)
            self.targets_ = self.prototypes_
            path = similarity_pair_path(table.X, must, cannot, **options)
            n_rows = np.unique(np.concatenate([must, cannot])).size
            n_cells, n_apart = 2 * (len(must) + len(cannot)) + n_rows, 2 * len(cannot)
        else:
            self.prototypes_ = classes_of(supervision, n_samples)
            self.targets_ = self.prototypes_
            n_cells = int((self.prototypes_ >= 0).sum()) ** 2
            if self.context == "semi-supervised":
                self.targets_ = nearest_prototype_classes(table.X, self.prototypes_)
                n_cells = n_samples**2
            path = similarity_class_path(table.X, self.targets_, **options)
            n_apart = 2 * LabelledPairs(self.targets_).count("cannot")
        order, errors, self.sigma_ = path
        errors /= n_cells
        self.path_scores_ = errors[: options["n_features"]]
        return self._rise_scores(order, -errors, -n_apart / n_cells)

    def _best_number(self) -> int:
        lowest = self.path_scores_.min()
        return int(np.argmax(self.path_scores_ <= lowest * (1.0 + 1e-12))) + 1
