"""S3VMSelector."""

from numbers import Real
from typing import Any, ClassVar

import numpy as np

from pairsift._sklearn_compat import Interval, StrOptions
from pairsift._typing import FloatArray
from pairsift.scores import fit_s3vm
from pairsift.selectors._base import BaseScoreSelector, FromClasses, Supervision
from pairsift.selectors._cost import Problem
from pairsift.selectors._method import CLASSES_AND_ROWS, Method
from pairsift.selectors._tables import Table


def _seconds(s: Any, z: Problem) -> float:
    """Of about ten linear programs per machine."""
    n_machines = z.c if z.c > 2 else 1
    return 10.0 * n_machines * (2e-3 + 4e-8 * z.n * z.d * (z.n + z.d) ** 0.5)


class S3VMSelector(FromClasses):
    """Select the features of a sparse linear machine with a wide, empty margin (S³VM).

    A linear support vector machine whose weights are mostly 0, with labelled rows on
    their sides of the margin, and unlabelled ones on whichever side but outside of it.
    Given pairs and no labels, the groups of rows joined by must-links serve as classes.
    Units do not matter: columns are standardised here.

    Parameters
    ----------
    n_features_to_select : "auto", int, float or None, default="auto"
        ``"auto"`` selects the features that have a weight, the best one at least. A
        number or a share takes the best of the ranking, None keeps all and only ranks.
    C : float, default=3.0
        Cost of all labelled rows together at the wrong sides of their margins, beside
        the sum of the weights. With little, all weights are 0.
    unlabelled : float, default=1.0
        What all unlabelled rows together cost beside all labelled ones.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
        The sum of the absolute weights of a feature; where that is 0, how far it is
        from a weight, from -1 to 0.
    coef_ : ndarray of shape (n_machines, n_features)
        The weights, for standardised columns: of the second class against the first, or
        of each class against all others.
    intercept_ : ndarray of shape (n_machines,)
        The biases.
    objectives_ : list of ndarray
        For each machine the objective after each linear program of the last stage.
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
    pairsift.scores.s3vm_score : The scores, with formula and decisions.
    FSManifold : A machine that is smooth over a graph of all rows.
    SCGS : A sparse linear model of labels, pairs and neighbours.

    Notes
    -----
    Section 3.3 of [1]_, after [2]_ and [3]_. Labels of unlabelled rows and a linear
    program, solved exactly, take turns until no label changes: a local minimum of
    the objective, which :func:`pairsift.scores.s3vm_score` states with all decisions.

    It assumes that classes are parted by a gap between the rows. Where they overlap,
    unlabelled rows pull the margin to the nearest gap, be it between noise: compare
    with a small `unlabelled`. Linear programs take time: some seconds a machine at
    2,000 rows and 50 features; more than two million cells are refused.

    References
    ----------
    .. [1] F. Coelho, "Semi-supervised feature selection", PhD thesis, Universidade
       Federal de Minas Gerais and Université catholique de Louvain, 2013.
    .. [2] K. P. Bennett, A. Demiriz, "Semi-supervised support vector machines", NIPS
       11, 368-374, 1998.
    .. [3] L. Yang, L. Wang, "Simultaneous feature selection and classification via
       semi-supervised models", ICNC 1, 646-650, 2007,
       doi:10.1109/ICNC.2007.666.

    Examples
    --------
    >>> import numpy as np
    >>> from pairsift import S3VMSelector
    >>> from sklearn.datasets import load_wine
    >>> X, y = load_wine(return_X_y=True)
    >>> few_labels = np.where(np.arange(len(y)) % 10 == 0, y, -1)
    >>> selector = S3VMSelector().fit(X, few_labels)
    >>> selector.get_support(indices=True)
    array([ 0,  3,  6,  8,  9, 10, 11, 12])
    """

    _method: ClassVar = Method(
        name="s3vm",
        learns_from=CLASSES_AND_ROWS,
        orientation="maximised",
        cost="some ten linear programs of nd cells per class, O(nd) memory",
        seconds=_seconds,
        citation="Bennett, Demiriz 1998; Yang, Wang 2007; Coelho 2013, section 3.3",
    )
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "n_features_to_select": [
            *BaseScoreSelector._parameter_constraints["n_features_to_select"],
            StrOptions({"auto"}),
        ],
        "C": [Interval(Real, 0, None, closed="neither")],
        "unlabelled": [Interval(Real, 0, None, closed="neither")],
    }

    def __init__(
        self,
        n_features_to_select: int | float | str | None = "auto",
        *,
        C: float = 3.0,
        unlabelled: float = 1.0,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.C = C
        self.unlabelled = unlabelled

    def _score(self, table: Table, supervision: Supervision) -> FloatArray:
        fit = fit_s3vm(
            table.X, supervision.labels, C=self.C, unlabelled=self.unlabelled
        )
        self.coef_, self.intercept_ = fit.weights, fit.biases
        self.objectives_ = fit.objectives
        return fit.scores

    def _best_number(self) -> int:
        return max(1, int(np.count_nonzero(self.scores_ > 0.0)))
