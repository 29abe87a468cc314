"""UnsupervisedMRMR."""

from numbers import Real
from typing import Any, ClassVar

from pairsift._sklearn_compat import Interval, StrOptions
from pairsift._typing import FloatArray
from pairsift.scores import unsupervised_mrmr_path
from pairsift.selectors._base import Supervision
from pairsift.selectors._cost import n_tried
from pairsift.selectors._method import NOTHING, Method
from pairsift.selectors._search import ForwardSearch
from pairsift.selectors._tables import Table


class UnsupervisedMRMR(ForwardSearch):
    """Select features that share much with all others, and little with each other.

    Needs no labels and no pairs. Adds one feature after the other: the one with the
    largest mean squared rank correlation with all other features, divided by what it
    shares with the features added before. A column of noise or of coin flips goes with
    no other, and comes last. Units do not matter.

    Parameters
    ----------
    n_features_to_select : int or float, default=None
        Number or share of features to select; None keeps all and only ranks.
    categorical_features : "auto", array-like or None, default="auto"
        Categorical columns as a mask, indices or names; ``"auto"`` takes the text,
        category and boolean columns of a data frame.
    least_redundancy : float, default=0.02
        Added to the mean redundancy, in nats. A larger number helps against many
        features of noise, which share nothing with any other.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
        Share of the relevance of each feature in its relevance plus its redundancy
        (plus the least) when it was added, from 0 for a feature that shares no more
        than chance with any other to 1; at most that of the feature added before.
        Features that were not reached have their share at the last step.
    path_scores_ : ndarray of shape (n_steps,)
        Relevance over redundancy of each added feature at its step; for the first one
        its relevance.
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

    See Also
    --------
    pairsift.scores.unsupervised_mrmr_path : The same as a function on arrays, with its
        Notes.
    SemiMRMR : From a few labels.

    Notes
    -----
    The next feature has the largest quotient of its mean squared rank correlation with
    all other features and its mean redundancy with those added before;
    :func:`pairsift.scores.unsupervised_mrmr_path` has the formulas.

    What matters to the person who asks may be what no other feature goes with: a few
    answers (:class:`ActiveSession`) tell. Categorical columns count by their
    indicators; :func:`pairsift.scores.semi_mrmr_path` has the formulas.

    The method is not in the papers; it was measured beside them, see the guide.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import load_wine
    >>> from pairsift import UnsupervisedMRMR
    >>> X = load_wine().data
    >>> coin = np.random.default_rng(0).integers(0, 2, size=(len(X), 1))
    >>> selector = UnsupervisedMRMR(3).fit(np.hstack([X, coin]))
    >>> selector.order_[:3], int(selector.order_[-1])
    (array([6, 9, 3]), 13)
    """

    _method: ClassVar = Method(
        name="unsupervised-mrmr",
        learns_from=NOTHING,
        orientation="maximised",
        cost="O(nd min(n, d)), and O(nd) per step; O(nd) memory",
        seconds=lambda s, z: (
            2e-10 * z.n * z.d * min(z.n, z.d) + 2e-9 * z.n * n_tried(s, z)
        ),
        citation="pairsift (not in the papers)",
    )
    _accepts_categorical: ClassVar[bool] = True
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **ForwardSearch._parameter_constraints,
        "categorical_features": ["array-like", StrOptions({"auto"}), None],
        "least_redundancy": [Interval(Real, 0, None, closed="neither")],
    }

    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        categorical_features: Any = "auto",
        least_redundancy: float = 0.02,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.categorical_features = categorical_features
        self.least_redundancy = least_redundancy

    def _score(self, table: Table, supervision: Supervision) -> FloatArray:
        n_steps = self._n_steps(table.X.shape[1])
        order, values = unsupervised_mrmr_path(
            table.X,
            n_features=n_steps,
            is_categorical=table.is_categorical,
            least_redundancy=self.least_redundancy,
        )
        return self._quotient_scores(order, values, n_steps, self.least_redundancy)
