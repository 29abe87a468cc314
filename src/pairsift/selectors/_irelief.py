"""IRelief: margins in the weighted space, from labels."""

from numbers import Integral, Real
from typing import Any, ClassVar

from sklearn.exceptions import ConvergenceWarning

from pairsift._sklearn_compat import Interval, StrOptions
from pairsift._typing import FloatArray, IndexArray
from pairsift._warnings import warn_caller
from pairsift.scores import MULTI_CLASS, fit_irelief
from pairsift.selectors._base import N_JOBS, FromClasses, Supervision
from pairsift.selectors._cost import soft_seconds
from pairsift.selectors._method import CLASSES, Method
from pairsift.selectors._tables import Table


class FromLabelledRows(FromClasses):
    """Base of the selectors that look at the labelled rows only."""

    n_labelled_: int

    def _labels(self, supervision: Supervision) -> IndexArray:
        """Return the class of every row, -1 for none, and count the labelled rows."""
        labels = supervision.labels
        assert labels is not None
        self.n_labelled_ = int((labels >= 0).sum())
        return labels


class IRelief(FromLabelledRows):
    r"""Select features by iterative Relief in the weighted space (I-Relief).

    Relief finds neighbours among all features, good and bad. Here they are found in the
    space weighted by what was learnt so far, every row is a neighbour with some
    probability, and rows that look mislabelled count less. Numbers without missing
    values are needed; the method divides by the range of each feature itself.

    Parameters
    ----------
    n_features_to_select : int or float, default=None
        Number or share of features to select; None keeps all and only ranks.
    sigma : float, default=0.5
        Width of the kernel :math:`\exp(-d / \sigma)`, where d is a weighted sum of
        differences between 0 and 1. Small widths look at few neighbours, and
        the iteration may not settle.
    multi_class : {"prior", "nearest"}, default="prior"
        Misses of more than two classes: the near-misses of every other class weighted
        by its prior (I-Relief-1), or the nearest of them all (I-Relief-2).
    max_iter : int, default=100
        Most steps; a warning tells when they did not suffice.
    tol : float, default=1e-6
        The iteration stops when the weights change by no more, in Euclidean norm.
    n_jobs : int or None, default=-1
        Number of threads: -1 for all cores, None as in joblib.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
        The margins z of the last step, so that negative margins are still ranked.
    weights_ : ndarray of shape (n_features,)
        The published weights w, the positive part of z at unit norm.
    n_iter_ : int
        Number of steps.
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
    pairsift.scores.irelief_score : The same as a function on arrays, with its Notes.

    Notes
    -----
    Equations 2.31 to 2.36 of [1]_ after [2]_: margins in which every row is the
    near-hit or the near-miss of another with a probability that falls with their
    weighted distance. :func:`pairsift.scores.irelief_score` has the formulas.

    Features with :math:`z_f \le 0` all have :math:`w_f = 0`, hence the ranking by z.

    References
    ----------
    .. [1] S. Hijazi, "Semi-supervised margin-based feature selection for
       classification", PhD thesis, Université du Littoral Côte d'Opale and
       Lebanese University, 2019, HAL tel-02489733.
    .. [2] Y. Sun, "Iterative RELIEF for feature weighting: algorithms, theories,
       and applications", IEEE TPAMI 29(6), 1035-1051, 2007.

    Examples
    --------
    >>> from pairsift import IRelief
    >>> from sklearn.datasets import load_wine
    >>> X, y = load_wine(return_X_y=True)
    >>> IRelief(3).fit(X, y).get_support(indices=True)
    array([ 6, 11, 12])
    """

    _method: ClassVar = Method(
        name="i-relief",
        learns_from=CLASSES,
        orientation="maximised",
        cost="O(n²d) per step, O(nd) memory",
        seconds=lambda s, z: soft_seconds(z, min(s.max_iter, 10)),
        citation="Sun 2007; Hijazi 2019, eq. 2.31-2.36",
    )
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **FromClasses._parameter_constraints,
        "sigma": [Interval(Real, 0, None, closed="neither")],
        "multi_class": [StrOptions(set(MULTI_CLASS))],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "tol": [Interval(Real, 0, None, closed="left")],
        "n_jobs": N_JOBS,
    }

    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        sigma: float = 0.5,
        multi_class: str = "prior",
        max_iter: int = 100,
        tol: float = 1e-6,
        n_jobs: int | None = -1,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.sigma = sigma
        self.multi_class = multi_class
        self.max_iter = max_iter
        self.tol = tol
        self.n_jobs = n_jobs

    def _score(self, table: Table, supervision: Supervision) -> FloatArray:
        fit = fit_irelief(
            table.X,
            self._labels(supervision),
            sigma=self.sigma,
            multi_class=self.multi_class,
            max_iter=self.max_iter,
            tol=self.tol,
            n_jobs=self.n_jobs,
        )
        if fit.change > self.tol:
            warn_caller(
                f"IRelief did not converge: its weights still changed by "
                f"{fit.change:.1e} in step {fit.n_iter}, wanted tol={self.tol:.1e}: "
                "choose sigma, max_iter or tol larger.",
                ConvergenceWarning,
            )
        self.weights_, self.n_iter_ = fit.weights, fit.n_iter
        return fit.margins
