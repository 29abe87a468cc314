"""LogisticIRelief and SemiLogisticIRelief: sparse weights from margins."""

from numbers import Integral, Real
from typing import Any, ClassVar

from sklearn.exceptions import ConvergenceWarning

from pairsift._sklearn_compat import Interval, StrOptions
from pairsift._typing import FloatArray
from pairsift._warnings import warn_caller
from pairsift.scores import (
    MULTI_CLASS,
    UNLABELLED_MARGINS,
    LogisticFit,
    fit_logistic_irelief,
    fit_semi_logistic_irelief,
)
from pairsift.selectors._base import N_JOBS, FromClasses, Supervision
from pairsift.selectors._cost import soft_seconds
from pairsift.selectors._irelief import FromLabelledRows
from pairsift.selectors._method import CLASSES, CLASSES_AND_ROWS, Method
from pairsift.selectors._tables import Table


class _LogisticMargins(FromLabelledRows):
    """What the two have in common."""

    tol: float

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **FromClasses._parameter_constraints,
        "sigma": [Interval(Real, 0, None, closed="neither")],
        "alpha": [Interval(Real, 0, None, closed="neither")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "tol": [Interval(Real, 0, None, closed="left")],
        "n_jobs": N_JOBS,
    }

    def _keep(self, fit: LogisticFit) -> FloatArray:
        if fit.change > self.tol:
            warn_caller(
                f"{type(self).__name__} did not converge: its weights still changed "
                f"by {fit.change:.1e} of their norm in step {fit.n_iter}, wanted "
                f"tol={self.tol:.1e}: choose sigma, max_iter or tol larger.",
                ConvergenceWarning,
            )
        self.weights_, self.n_iter_ = fit.weights, fit.n_iter
        return fit.scores


class LogisticIRelief(_LogisticMargins):
    r"""Select features by few weights that make margins large (logistic I-Relief).

    As in :class:`IRelief`, neighbours are found in the space weighted by what was
    learnt so far. Here the cost of a margin is logistic and the sum of the weights is
    to be small, so that most features get no weight, however many there are. Numbers
    without missing values are needed; the method divides by the range of each feature
    itself.

    Parameters
    ----------
    n_features_to_select : int or float, default=None
        Number or share of features to select; None keeps all and only ranks.
    sigma : float, default=1.0
        Width of the kernel :math:`\exp(-d / \sigma)`, where d is a weighted sum of
        differences between 0 and 1, and the weights may be far from 1. Small widths
        look at few neighbours, which finds features that tell something only together;
        large ones settle in fewer steps.
    alpha : float, default=1.0
        Cost of the margins, against the sum of the weights: larger, more features.
    multi_class : {"prior", "nearest"}, default="nearest"
        Misses of more than two classes: the near-misses of every other class weighted
        by its prior, or the nearest of them all.
    max_iter : int, default=100
        Most times that margins are taken; a warning tells when they did not suffice.
    tol : float, default=1e-6
        It stops when margins and weights agree: when the weights change by no more
        than this share of their Euclidean norm.
    n_jobs : int or None, default=-1
        Number of threads: -1 for all cores, None as in joblib.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
        The weight of a feature that has one; of one without, a number from 0 down, the
        nearer to 0 the nearer it is to getting one; ``-inf`` for a constant feature.
    weights_ : ndarray of shape (n_features,)
        The weights w, most of them 0.
    n_iter_ : int
        Number of times that margins were taken.
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
    SemiLogisticIRelief : Learns from unlabelled rows as well.
    pairsift.scores.logistic_irelief_score : The same as a function on arrays, with
        its Notes.

    Notes
    -----
    After [1]_; equation 3.10 of [2]_ without unlabelled rows: the sum of the weights
    plus `alpha` times the logistic loss of the margins of :class:`IRelief` at these
    weights; :func:`pairsift.scores.logistic_irelief_score` has the formulas. Margins
    and weights alternate until they agree, beginning with all weights 1. For given
    margins the problem is convex and is solved to near rounding. A step of the
    alternation that turns against the one before is taken half as long: in full, as
    published, steps settle only for large :math:`\sigma`. Features without weight are
    ranked by the slope of the objective.

    References
    ----------
    .. [1] Y. Sun, S. Todorovic, S. Goodison, "Local-learning-based feature
       selection for high-dimensional data analysis", IEEE TPAMI 32(9),
       1610-1626, 2010.
    .. [2] F. Coelho, "Semi-supervised feature selection", PhD thesis, Universidade
       Federal de Minas Gerais and Université catholique de Louvain, 2013.

    Examples
    --------
    >>> from pairsift import LogisticIRelief
    >>> from sklearn.datasets import load_wine
    >>> X, y = load_wine(return_X_y=True)
    >>> selector = LogisticIRelief(3).fit(X, y)
    >>> selector.get_support(indices=True)
    array([ 6,  9, 12])
    >>> int((selector.weights_ > 0).sum())
    7
    """

    _method: ClassVar = Method(
        name="logistic-i-relief",
        learns_from=CLASSES,
        orientation="maximised",
        cost="O(n²d) per step, O(nd) memory",
        seconds=lambda s, z: soft_seconds(z, min(s.max_iter, 12)),
        citation="Sun, Todorovic, Goodison 2010; Coelho 2013, eq. 3.10",
        aliases=("lir",),
    )
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **_LogisticMargins._parameter_constraints,
        "multi_class": [StrOptions(set(MULTI_CLASS))],
    }

    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        sigma: float = 1.0,
        alpha: float = 1.0,
        multi_class: str = "nearest",
        max_iter: int = 100,
        tol: float = 1e-6,
        n_jobs: int | None = -1,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.sigma = sigma
        self.alpha = alpha
        self.multi_class = multi_class
        self.max_iter = max_iter
        self.tol = tol
        self.n_jobs = n_jobs

    def _score(self, table: Table, supervision: Supervision) -> FloatArray:
        fit = fit_logistic_irelief(
            table.X,
            self._labels(supervision),
            sigma=self.sigma,
            alpha=self.alpha,
            multi_class=self.multi_class,
            max_iter=self.max_iter,
            tol=self.tol,
            n_jobs=self.n_jobs,
        )
        return self._keep(fit)


class SemiLogisticIRelief(_LogisticMargins):
    r"""Select features by margins of labelled and unlabelled rows (SLIR, MSLIR).

    :class:`LogisticIRelief`, with weights that also bring unlabelled rows clearly to
    the side of one class, whichever it is. Numbers without missing values are needed;
    the method divides by the range of each feature itself.

    Parameters
    ----------
    n_features_to_select : int or float, default=None
        Number or share of features to select; None keeps all and only ranks.
    sigma : float, default=1.0
        Width of the kernel :math:`\exp(-d / \sigma)`, as in :class:`LogisticIRelief`.
    alpha : float, default=1.0
        Cost of the margins of labelled rows, against the sum of the weights.
    beta : float, default=0.1
        Cost of the margins of unlabelled rows. There may be many: with a large `beta`
        they decide, labels or not.
    rho : float, default=1.0
        Square of the margin from which on an unlabelled row is clear enough.
    multi_class : str, default="one-margin-per-class"
        Class of an unlabelled row: ``"one-margin-per-class"``, the one with the largest
        margin (MSLIR), or ``"nearest-neighbor"``, that of the nearest labelled row
        (MSLIR-NN). Makes no difference to two classes.
    max_iter : int, default=100
        Most times that margins are taken; a warning tells when they did not suffice.
    tol : float, default=1e-6
        It stops when margins and weights agree: when the weights change by no more
        than this share of their Euclidean norm.
    n_jobs : int or None, default=-1
        Number of threads: -1 for all cores, None as in joblib.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
        The weight of a feature that has one; of one without, a number from 0 down, the
        nearer to 0 the nearer it is to getting one; ``-inf`` for a feature that is
        constant on the labelled rows.
    weights_ : ndarray of shape (n_features,)
        The weights w, most of them 0.
    n_iter_ : int
        Number of times that margins were taken, after those of the start.
    n_labelled_ : int
        Number of rows with a class.
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
    LogisticIRelief : The same without unlabelled rows, and the same when there are
        none.
    pairsift.scores.semi_logistic_irelief_score : The same as a function on arrays,
        with its Notes.

    Notes
    -----
    Equation 3.10 of [1]_ after [2]_: the problem of :class:`LogisticIRelief` plus
    `beta` times a cost of unlabelled rows that fades as their margins grow, where the
    margins of unlabelled rows are differences to labelled ones;
    :func:`pairsift.scores.semi_logistic_irelief_score` has the formula. With two
    classes their sign does not matter; with more, a class is taken as in [3]_ or [4]_.
    The misses of all other classes are one group; ranges are those of all rows. The
    last term is not convex: the weights are a local minimum, which is looked for from
    those of :class:`LogisticIRelief` on.

    References
    ----------
    .. [1] F. Coelho, "Semi-supervised feature selection", PhD thesis, Universidade
       Federal de Minas Gerais and Université catholique de Louvain, 2013.
    .. [2] Y. Cheng, Y. Cai, Y. Sun, J. Li, "Semi-supervised feature selection under
       logistic I-Relief framework", ICPR, 2008.
    .. [3] B. Tang, L. Zhang, "Semi-supervised feature selection based on logistic
       I-RELIEF for multi-classification", PRICAI, 719-731, 2018.
    .. [4] B. Tang, L. Zhang, "Multi-class semi-supervised logistic I-RELIEF feature
       selection based on nearest neighbor", PAKDD, 281-292, 2019.

    Examples
    --------
    >>> import numpy as np
    >>> from pairsift import SemiLogisticIRelief
    >>> from sklearn.datasets import load_wine
    >>> X, y = load_wine(return_X_y=True)
    >>> y[np.arange(len(y)) % 4 > 0] = -1
    >>> SemiLogisticIRelief(3).fit(X, y).get_support(indices=True)
    array([0, 6, 9])
    """

    _method: ClassVar = Method(
        name="semi-logistic-i-relief",
        learns_from=CLASSES_AND_ROWS,
        orientation="maximised",
        cost="O(lnd) per step and class for l labelled rows, O(nd) memory",
        seconds=lambda s, z: soft_seconds(z, z.c * min(s.max_iter, 12)),
        citation="Cheng et al. 2008; Tang, Zhang 2018 and 2019; Coelho 2013, eq. 3.10",
        aliases=("slir", "mslir"),
    )
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **_LogisticMargins._parameter_constraints,
        "beta": [Interval(Real, 0, None, closed="neither")],
        "rho": [Interval(Real, 0, None, closed="neither")],
        "multi_class": [StrOptions(set(UNLABELLED_MARGINS))],
    }

    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        sigma: float = 1.0,
        alpha: float = 1.0,
        beta: float = 0.1,
        rho: float = 1.0,
        multi_class: str = "one-margin-per-class",
        max_iter: int = 100,
        tol: float = 1e-6,
        n_jobs: int | None = -1,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.sigma = sigma
        self.alpha = alpha
        self.beta = beta
        self.rho = rho
        self.multi_class = multi_class
        self.max_iter = max_iter
        self.tol = tol
        self.n_jobs = n_jobs

    def _score(self, table: Table, supervision: Supervision) -> FloatArray:
        fit = fit_semi_logistic_irelief(
            table.X,
            self._labels(supervision),
            sigma=self.sigma,
            alpha=self.alpha,
            beta=self.beta,
            rho=self.rho,
            multi_class=self.multi_class,
            max_iter=self.max_iter,
            tol=self.tol,
            n_jobs=self.n_jobs,
        )
        return self._keep(fit)
