"""Iterative Relief: margins within a radius of the weighted space."""

from typing import Any

import numpy as np

from pairsift import _kernels
from pairsift._checks import check_at_least, check_positive
from pairsift._typing import BoolArray, FloatArray
from pairsift.scores._described_columns import Ramp
from pairsift.scores._irelief import IReliefFit, unit_positive
from pairsift.scores._relief import labelled_rows


def iterative_relief_score(
    X: FloatArray,
    labels: Any,
    *,
    radius: float = 2.0,
    max_iter: int = 100,
    tol: float = 1e-3,
    ramp: tuple[float, float] | None = None,
    is_categorical: BoolArray | None = None,
    missing: str = "probability",
    n_jobs: int | None = -1,
) -> FloatArray:
    r"""Score features by Iterative Relief.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        The data; NaN marks missing values.
    labels : array-like of shape (n_samples,)
        Class labels, at least two of them; unlabelled rows (-1) are left out.
    radius : float, default=2.0
        Radius around each row, above 1, as a multiple of the distance within which it
        meets a row of every class.
    max_iter : int, default=100
        Most steps.
    tol : float, default=1e-3
        The iteration stops when the margins change by no more, in Euclidean norm, in
        units of the norm of their positive part.
    ramp : tuple of two floats or None, default=None
        ``(low, high)``, shares of the range of a feature: differences of numbers up to
        `low` count as 0, from `high` on as 1, and linearly between. None is the share
        itself, see :func:`pairsift.scores.relieff_score`.
    is_categorical : ndarray of shape (n_features,), dtype=bool, default=None
        Categorical columns; None for none.
    missing : {"probability", "ignore", "constant", "distinct"}, default="probability"
        Difference to a missing value (NaN): the probability of another value, in its
        class where there are classes (ReliefD), left out (ReliefC), one minus one over
        the number of values (ReliefB), or 1 to a known and 0 to a missing value
        (Relieved-F).
    n_jobs : int or None, default=-1
        Number of threads: -1 for all cores, None as in joblib.

    Returns
    -------
    scores : ndarray of shape (n_features,)
        The margins z, averaged over the steps; 0 for a constant feature.

    See Also
    --------
    irelief_score : Another iteration, with neighbours known by probability.

    Notes
    -----
    As [1]_ describes [2]_ (section 2.5.3): all rows within a radius :math:`R_n` of row
    n take part, the nearer the more, and distances are weighted by what was found so
    far. With :math:`s_{nm} = \max(0, 1 - d_w(x_n, x_m) / R_n)` and
    :math:`d_w = \sum_f w_f \Delta_f`, a step is

    .. math::
        z_f = \frac1N \sum_n \left[ \sum_{c \ne y_n} \frac{P(c)}{1 - P(y_n)}
              \frac{\sum_{m \in c} s_{nm} \Delta_f(x_n, x_m)}{\sum_{m \in c} s_{nm}} -
              \frac{\sum_{m \in y_n} s_{nm} \Delta_f(x_n, x_m)}
                   {\sum_{m \in y_n} s_{nm}} \right]

    and the weights are :math:`z^+ / \|z^+\|_2`, or equal at the beginning.
    :math:`\Delta_f` is the difference on feature f divided by its range over the
    labelled rows (or 0 and 1 for a categorical feature).

    The sources at hand give neither the radius nor how rows count less nor more than
    two classes nor when to stop. Decisions: :math:`R_n` is `radius` times the distance
    to the nearest row of the class that is farthest in this sense, so that every class
    takes part and the length of w does not matter (a radius common to all rows would
    lose the misses of well separated classes); s falls linearly; classes weigh by their
    priors as in ReliefF; a row alone in its class is left out, and N counts the others.
    Weights and scores are means over the steps, of which step t takes the share
    2 / (t + 1): whole steps swing for ever between features that matter only together.
    Without a positive margin the iteration stops.

    Ignored differences are left out of the means, and in distances replaced by the
    mean of the others; a class without any difference left is left out of the priors.

    References
    ----------
    .. [1] S. Hijazi, "Semi-supervised margin-based feature selection for
       classification", PhD thesis, Université du Littoral Côte d'Opale and
       Lebanese University, 2019, HAL tel-02489733.
    .. [2] B. Draper, C. Kaito, J. Bins, "Iterative Relief", CVPR Workshop, 62,
       2003.

    Examples
    --------
    >>> import numpy as np
    >>> from pairsift.scores import iterative_relief_score
    >>> X = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    >>> iterative_relief_score(X, [0, 0, 1, 1]).round(3)
    array([ 1.   , -0.505])
    """
    fit = fit_iterative_relief(
        X,
        labels,
        radius=radius,
        max_iter=max_iter,
        tol=tol,
        ramp=ramp,
        is_categorical=is_categorical,
        missing=missing,
        n_jobs=n_jobs,
    )
    return fit.margins


def fit_iterative_relief(
    X: FloatArray,
    labels: Any,
    *,
    radius: float,
    max_iter: int,
    tol: float,
    ramp: Ramp = None,
    is_categorical: BoolArray | None,
    missing: str,
    n_jobs: int | None,
) -> IReliefFit:
    """Iterate as in :func:`iterative_relief_score`, and tell where it stopped."""
    check_positive(radius, "radius")
    if radius <= 1.0:
        raise ValueError(f"radius must be above 1, got {radius!r}.")
    check_at_least(max_iter, "max_iter", 1)
    rows = labelled_rows(X, labels, is_categorical, missing, None, None, ramp)
    sizes = np.diff(rows.starts)
    codes, priors = np.repeat(np.arange(sizes.size), sizes), sizes / sizes.sum()
    weights = unit_positive((rows.columns.scale > 0.0).astype(np.float64))
    z, n_iter, change = np.zeros(weights.size), 0, 0.0
    direction = weights
    while n_iter < max_iter and weights.any() and (n_iter == 0 or change > tol):
        sums, n_rows = _kernels.radius_margins(
            rows.X, codes, priors, weights, float(radius), rows.columns, n_jobs
        )
        step = 2.0 / (n_iter + 2.0)
        z = (1.0 - step) * z + step * (sums / np.maximum(n_rows, 1.0))
        weights = unit_positive(z)
        # Weights that stay 0 may hide that a negative margin is on its way up.
        before, direction = direction, z / (np.linalg.norm(np.maximum(z, 0.0)) or 1.0)
        change = float(np.linalg.norm(direction - before)) if weights.any() else 0.0
        n_iter += 1
    return IReliefFit(z, weights, n_iter, change)
