"""IterativeRelief: margins within a radius of the weighted space."""

from numbers import Integral, Real
from typing import Any, ClassVar

from sklearn.exceptions import ConvergenceWarning

from pairsift._sklearn_compat import Interval, StrOptions
from pairsift._typing import MISSING_MODES, FloatArray, MissingMode
from pairsift._warnings import warn_caller
from pairsift.scores import fit_iterative_relief
from pairsift.selectors._base import N_JOBS, Supervision
from pairsift.selectors._cost import soft_seconds
from pairsift.selectors._irelief import FromLabelledRows
from pairsift.selectors._method import CLASSES, Method
from pairsift.selectors._relief import RAMP
from pairsift.selectors._tables import Table


class IterativeRelief(FromLabelledRows):
    r"""Select features by Iterative Relief, with all rows within a radius.

    ReliefF finds its neighbours among all features, good and bad, and takes a fixed
    number of them. Here all rows within a radius take part, the nearer the more, and
    distances are taken anew in the space weighted by what was learnt so far.
    :class:`IRelief` is a later iteration of another kind.

    Given pairs and no labels, the groups of rows joined by must-links serve as classes.

    Parameters
    ----------
    n_features_to_select : int or float, default=None
        Number or share of features to select; None keeps all and only ranks.
    radius : float, default=2.0
        Radius around each row, above 1, as a multiple of the distance within which it
        meets a row of every class. With a small radius the iteration takes longer.
    max_iter : int, default=100
        Most steps; a warning tells when they did not suffice.
    tol : float, default=1e-3
        The iteration stops when the margins change by no more, in Euclidean norm, in
        units of the norm of their positive part.
    ramp : tuple of two floats or None, default=None
        ``(low, high)``, shares of the range of a feature: differences of numbers up to
        `low` count as 0, from `high` on as 1, and linearly between. None is the share
        itself, see :func:`pairsift.scores.relieff_score`.
    categorical_features : "auto", array-like or None, default="auto"
        Categorical columns as a mask, indices or names; ``"auto"`` takes the text,
        category and boolean columns of a data frame.
    missing : {"probability", "ignore", "constant", "distinct"}, default="probability"
        Difference to a missing value (NaN): the probability of another value, in its
        class where there are classes (ReliefD), left out (ReliefC), one minus one over
        the number of values (ReliefB), or 1 to a known and 0 to a missing value
        (Relieved-F).
    n_jobs : int or None, default=-1
        Number of threads: -1 for all cores, None as in joblib.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
        The margins z, averaged over the steps, so that negative ones are still ranked;
        0 for a constant feature.
    weights_ : ndarray of shape (n_features,)
        The weights w, the positive part of z at unit norm.
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
    pairsift.scores.iterative_relief_score : The same as a function, with its formula.

    Notes
    -----
    After [1]_ as described in [2]_: in every step, row m counts
    :math:`\max(0, 1 - d_w(x_n, x_m) / R_n)` in the mean differences of row n to its
    hits and to its misses, where :math:`d_w = \sum_f w_f \Delta_f` has the weights
    found so far. The descriptions at hand leave open the radius, how the numbers fall
    and what more than two classes do: :math:`R_n` is `radius` times the distance to the
    nearest row of the farthest class, the fall is linear, and classes weigh by their
    priors as in :class:`ReliefF`. Rows alone in their class are left out. Margins are
    averaged over the steps, of which step t takes the share 2 / (t + 1), since whole
    steps swing for ever between features that matter only together.

    References
    ----------
    .. [1] B. Draper, C. Kaito, J. Bins, "Iterative Relief", CVPR Workshop, 62,
       2003.
    .. [2] S. Hijazi, "Semi-supervised margin-based feature selection for
       classification", PhD thesis, Université du Littoral Côte d'Opale and
       Lebanese University, 2019, HAL tel-02489733.

    Examples
    --------
    >>> from pairsift import IterativeRelief
    >>> from sklearn.datasets import load_wine
    >>> X, y = load_wine(return_X_y=True, as_frame=True)
    >>> list(IterativeRelief(2).fit(X, y).get_feature_names_out())
    ['flavanoids', 'od280/od315_of_diluted_wines']
    """

    _method: ClassVar = Method(
        name="iterative-relief",
        learns_from=CLASSES,
        orientation="maximised",
        cost="O(n²d) per step, O(nd) memory",
        seconds=lambda s, z: 0.6 * soft_seconds(z, min(s.max_iter, 8)),
        citation="Draper, Kaito, Bins 2003; Hijazi 2019, section 2.5.3",
        dask=True,
    )
    _accepts_missing: ClassVar[bool] = True
    _accepts_categorical: ClassVar[bool] = True
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **FromLabelledRows._parameter_constraints,
        "radius": [Interval(Real, 1, None, closed="neither")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "tol": [Interval(Real, 0, None, closed="left")],
        "ramp": RAMP,
        "categorical_features": ["array-like", StrOptions({"auto"}), None],
        "missing": [StrOptions(set(MISSING_MODES))],
        "n_jobs": N_JOBS,
    }

    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        radius: float = 2.0,
        max_iter: int = 100,
        tol: float = 1e-3,
        ramp: tuple[float, float] | None = None,
        categorical_features: Any = "auto",
        missing: MissingMode = "probability",
        n_jobs: int | None = -1,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.radius = radius
        self.max_iter = max_iter
        self.tol = tol
        self.ramp = ramp
        self.categorical_features = categorical_features
        self.missing = missing
        self.n_jobs = n_jobs

    def _score(self, table: Table, supervision: Supervision) -> FloatArray:
        fit = fit_iterative_relief(
            table.X,
            self._labels(supervision),
            radius=self.radius,
            max_iter=self.max_iter,
            tol=self.tol,
            ramp=self.ramp,
            is_categorical=table.is_categorical,
            missing=self.missing,
            n_jobs=self.n_jobs,
        )
        if fit.change > self.tol:
            warn_caller(
                f"IterativeRelief did not converge: its margins still changed by "
                f"{fit.change:.1e} in step {fit.n_iter}, wanted tol={self.tol:.1e}: "
                "choose radius, max_iter or tol larger.",
                ConvergenceWarning,
            )
        self.weights_, self.n_iter_ = fit.weights, fit.n_iter
        return fit.margins
