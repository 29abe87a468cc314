"""FSManifold."""

from numbers import Integral, Real
from typing import Any, ClassVar

from pairsift._sklearn_compat import Interval
from pairsift._typing import FloatArray
from pairsift.scores import fit_fs_manifold
from pairsift.selectors._base import BaseScoreSelector, FromClasses, Supervision
from pairsift.selectors._cost import Problem, graph_seconds
from pairsift.selectors._method import CLASSES_AND_ROWS, Method
from pairsift.selectors._tables import Table


def _seconds(s: Any, z: Problem) -> float:
    """Of the graph, and of some thirty rounds."""
    n_machines = z.c if z.c > 2 else 1
    of_machine = 1e-5 * z.m * (20 + 0.02 * z.m) * n_machines
    return graph_seconds(s, z) + 30 * (
        3e-10 * z.d**3 + 1e-9 * z.m * z.d**2 + of_machine
    )


class FSManifold(FromClasses):
    r"""Select the features of a machine that is smooth over all rows (FS-manifold).

    A linear support vector machine of the labelled rows that should differ little
    between neighbouring rows, labelled or not, and may use a few features only: each
    has an indicator between 0 and 1, and indicators add up to a number given.
    Given pairs and no labels, the groups of rows joined by must-links serve as classes.
    Units do not matter: columns are standardised here.

    Parameters
    ----------
    n_features_to_select : int or float, default=None
        Number or share of features to select; None keeps all and only ranks.
    n_indicators : int, default=None
        What the indicators of all features may add up to; None for the number of
        features to select, or half of all, rounded up, where that is None.
    C : float, default=0.3
        Cost of all labelled rows together at the wrong sides of their margins.
    rho : float, default=1.0
        Weight :math:`\rho` of differences between neighbouring rows.
    n_neighbors : int, default=5
        Number of nearest neighbours, cut to ``n_samples - 1``.
    tol : float, default=1e-5
        It stops when a round lowers the objective by no more than this share of it.
    max_iter : int, default=100
        Most steps; a warning tells when they did not suffice.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
        The length of the weights of a feature over the machines, at least 0.
    indicators_ : ndarray of shape (n_features,)
        The indicators p, which grow with the scores up to 1.
    coef_ : ndarray of shape (n_machines, n_features)
        The weights, for standardised columns: of the second class against the first, or
        of each class against all others.
    intercept_ : ndarray of shape (n_machines,)
        The biases.
    objectives_ : ndarray of shape (n_rounds,)
        The objective after each round.
    n_iter_ : int
        Number of rounds.
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
    pairsift.scores.fs_manifold_score : The scores, with formula and decisions.
    S3VMSelector : A sparse machine with unlabelled rows outside of its margin.

    Notes
    -----
    Equations 3.8 and 3.9 of [1]_, after [2]_. The problem is convex in weights, biases
    and indicators together. Two exact steps take turns, neither of which raises the
    objective; :func:`pairsift.scores.fs_manifold_score` states it with all decisions.

    The graph joins the nearest rows on all columns: among many columns of noise
    neighbours mean little, and so does the smoothness. More than 5,000 features are
    refused.

    References
    ----------
    .. [1] F. Coelho, "Semi-supervised feature selection", PhD thesis, Universidade
       Federal de Minas Gerais and Université catholique de Louvain, 2013.
    .. [2] Z. Xu, R. Jin, M. R. Lyu, I. King, "Discriminative semi-supervised feature
       selection via manifold regularization", IJCAI, 1303-1308, 2009.

    Examples
    --------
    >>> import numpy as np
    >>> from pairsift import FSManifold
    >>> from sklearn.datasets import load_wine
    >>> X, y = load_wine(return_X_y=True)
    >>> few_labels = np.where(np.arange(len(y)) % 10 == 0, y, -1)
    >>> selector = FSManifold(3).fit(X, few_labels)
    >>> selector.get_support(indices=True)
    array([ 0, 10, 12])
    """

    _method: ClassVar = Method(
        name="fs-manifold",
        learns_from=CLASSES_AND_ROWS,
        orientation="maximised",
        cost="O(d³ + l²d) per round for l labels, O(nd + d² + l²) memory",
        seconds=_seconds,
        citation="Xu et al. 2009; Coelho 2013, equations 3.8-3.9",
    )
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **BaseScoreSelector._parameter_constraints,
        "n_indicators": [None, Interval(Integral, 1, None, closed="left")],
        "C": [Interval(Real, 0, 1e6, closed="right")],
        "rho": [Interval(Real, 0, 1e6, closed="right")],
        "n_neighbors": [Interval(Integral, 1, None, closed="left")],
        "tol": [Interval(Real, 0, None, closed="neither")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
    }

    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        n_indicators: int | None = None,
        C: float = 0.3,
        rho: float = 1.0,
        n_neighbors: int = 5,
        tol: float = 1e-5,
        max_iter: int = 100,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.n_indicators = n_indicators
        self.C = C
        self.rho = rho
        self.n_neighbors = n_neighbors
        self.tol = tol
        self.max_iter = max_iter

    def _score(self, table: Table, supervision: Supervision) -> FloatArray:
        n_indicators = self.n_indicators
        if n_indicators is None and self.n_features_to_select is not None:
            n_indicators = self._number_to_select(table.X.shape[1])
        fit = fit_fs_manifold(
            table.X,
            supervision.labels,
            n_indicators=n_indicators,
            C=self.C,
            rho=self.rho,
            n_neighbors=self.n_neighbors,
            tol=self.tol,
            max_iter=self.max_iter,
        )
        self.indicators_, self.coef_ = fit.indicators, fit.weights
        self.intercept_, self.objectives_ = fit.biases, fit.objectives
        self.n_iter_ = fit.objectives.size
        return fit.scores
