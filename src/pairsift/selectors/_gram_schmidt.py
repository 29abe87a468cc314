"""GramSchmidt, stopped by a random probe."""

from numbers import Real
from typing import Any, ClassVar

import numpy as np

from pairsift._sklearn_compat import Interval, StrOptions
from pairsift._typing import FloatArray
from pairsift.scores import gram_schmidt_path
from pairsift.selectors._base import BaseScoreSelector, FromClasses, Supervision
from pairsift.selectors._method import CLASSES, Method
from pairsift.selectors._search import ForwardSearch
from pairsift.selectors._tables import Table


class GramSchmidt(ForwardSearch, FromClasses):
    """Select features by their angle to the classes, beside those chosen before.

    Adds the feature nearest to the classes, takes it out of all others and out of the
    classes, and goes on until a random feature might have done as well. Copies and
    linear combinations of features chosen before bring nothing and come last. Uses the
    labelled rows only.
    Given pairs and no labels, the groups of rows joined by must-links serve as classes.
    Units do not matter.

    Parameters
    ----------
    n_features_to_select : "auto", int, float or None, default="auto"
        ``"auto"`` stops at the risk, with one feature at least. A number or a share of
        features goes so far, whatever the risk, None adds all and only ranks.
    risk : float, default=0.01
        Probability that a random probe would be among the features selected by
        ``"auto"``.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
        Squared cosine of each feature with what is left of the classes when it was
        added: 0 for a feature that tells nothing new, and at most that of the feature
        added before. Features that were not reached have their cosine at the last step.
    path_scores_ : ndarray of shape (n_steps,)
        Squared cosine, at each step, of the feature with the classes.
    probe_risk_ : ndarray of shape (n_steps,)
        Probability that a random probe comes before or at each place. With ``"auto"``
        the last may be the one that stopped the search.
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
    pairsift.scores.gram_schmidt_path : The same as a function on arrays.
    PearsonScore : Every feature by itself.

    Notes
    -----
    The method of [1]_, as described in [2]_: it stops when the probability that a
    random probe would have come so far exceeds `risk`;
    :func:`pairsift.scores.gram_schmidt_path` has the formulas, which for more than two
    classes, not treated by [1]_, are ours.

    The probe is a single one, as published. The best of many useless features is nearer
    to the classes than a single random one: with d features, of which most are
    useless, a risk of about 0.01 / d keeps them out.

    References
    ----------
    .. [1] H. Stoppiglia, G. Dreyfus, R. Dubois, Y. Oussar, "Ranking a random
       feature for variable and feature selection", JMLR 3, 1399-1414, 2003.
    .. [2] F. Coelho, "Semi-supervised feature selection", PhD thesis, Universidade
       Federal de Minas Gerais and Université catholique de Louvain, 2013.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from pairsift import GramSchmidt
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> selector = GramSchmidt(risk=1e-4).fit(X, y)
    >>> selector.order_[: selector.n_features_to_select_]
    array([27, 20, 21, 23, 14, 28])
    """

    _method: ClassVar = Method(
        name="gram-schmidt",
        learns_from=CLASSES,
        orientation="maximised",
        cost="O(nd) per step, O(nd) memory",
        seconds=lambda s, z: 1e-9 * z.n * z.d * min(z.n, z.d),
        citation="Stoppiglia et al. 2003; Coelho 2013, section 3.1",
    )
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "n_features_to_select": [
            *BaseScoreSelector._parameter_constraints["n_features_to_select"],
            StrOptions({"auto"}),
        ],
        "risk": [Interval(Real, 0, 1, closed="right")],
    }

    probe_risk_: FloatArray

    def __init__(
        self,
        n_features_to_select: int | float | str | None = "auto",
        *,
        risk: float = 0.01,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.risk = risk

    def _score(self, table: Table, supervision: Supervision) -> FloatArray:
        assert supervision.labels is not None  # FromClasses sees to it
        order, cosines, self.probe_risk_ = gram_schmidt_path(
            table.X,
            supervision.labels,
            n_features=self._n_steps(table.X.shape[1]),
            risk=self.risk if self.n_features_to_select == "auto" else None,
        )
        self.path_scores_ = cosines[: self.probe_risk_.size]
        return self._entry_scores(order, cosines)

    def _best_number(self) -> int:
        return max(1, int(np.count_nonzero(self.probe_risk_ <= self.risk)))
