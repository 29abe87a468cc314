"""I-Relief: margins in the weighted space, with neighbours known by probability."""

from typing import Any, NamedTuple

import numpy as np

from pairsift import _kernels
from pairsift._checks import (
    as_matrix,
    check_at_least,
    check_choice,
    check_positive,
)
from pairsift._typing import FloatArray, IndexArray
from pairsift.constraints import encode_labels

MULTI_CLASS = ("prior", "nearest")


class IReliefFit(NamedTuple):
    """Where the iteration stopped."""

    margins: FloatArray
    """The z of the last step."""
    weights: FloatArray
    """z⁺ / ||z⁺||₂, 0 when no margin is positive."""
    n_iter: int
    change: float
    """Length of the last change of the weights."""


def irelief_score(
    X: FloatArray,
    labels: Any,
    *,
    sigma: float = 0.5,
    multi_class: str = "prior",
    max_iter: int = 100,
    tol: float = 1e-6,
    n_jobs: int | None = -1,
) -> FloatArray:
    r"""Score features by I-Relief.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        The data.
    labels : array-like of shape (n_samples,)
        Class labels, at least two of them; unlabelled rows (-1) are left out.
    sigma : float, default=0.5
        Width of the kernel :math:`f(d) = \exp(-d / \sigma)`.
    multi_class : {"prior", "nearest"}, default="prior"
        Misses of more than two classes: the near-misses of every other class weighted
        by its prior (I-Relief-1), or the nearest of them all (I-Relief-2).
    max_iter : int, default=100
        Most steps.
    tol : float, default=1e-6
        The iteration stops when the weights change by no more, in Euclidean norm.
    n_jobs : int or None, default=-1
        Number of threads: -1 for all cores, None as in joblib.

    Returns
    -------
    scores : ndarray of shape (n_features,)
        The margins z of the last step; 0 for a constant feature.

    Notes
    -----
    Equations 2.31 to 2.36 of [1]_ after [2]_: every row m is the near-miss (near-hit)
    of row n with a probability :math:`\alpha_{mn}` (:math:`\beta_{mn}`) proportional to
    :math:`f(\sum_f w_f \Delta_f(x_n, x_m))` among the misses (hits) of n, and n is no
    outlier with probability :math:`\gamma_n = \sum_{hits} f / \sum_{m \ne n} f`:

    .. math::
        z_f = \sum_n \gamma_n \Big( \sum_{m \in M_n} \alpha_{mn} \Delta_f(x_n, x_m)
              - \sum_{m \in H_n} \beta_{mn} \Delta_f(x_n, x_m) \Big), \qquad
        w \leftarrow z^+ / \|z^+\|_2

    beginning with equal weights that add up to 1. :math:`\Delta_f` is the difference
    divided by the range of the feature over the labelled rows. Exponents are shifted by
    the smallest of each group, which changes no probability. A row that is alone in its
    class has :math:`\gamma_n = 0`. Constant features, whose weight is 0 from the first
    step on, have none at the start either. Without a positive margin it stops.

    References
    ----------
    .. [1] S. Hijazi, "Semi-supervised margin-based feature selection for
       classification", PhD thesis, Université du Littoral Côte d'Opale and
       Lebanese University, 2019, HAL tel-02489733.
    .. [2] Y. Sun, "Iterative RELIEF for feature weighting: algorithms, theories,
       and applications", IEEE TPAMI 29(6), 1035-1051, 2007.

    Examples
    --------
    >>> import numpy as np
    >>> from pairsift.scores import irelief_score
    >>> X = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    >>> irelief_score(X, [0, 0, 1, 1]).round(3)
    array([ 3.148, -1.574])
    """
    fit = fit_irelief(
        X,
        labels,
        sigma=sigma,
        multi_class=multi_class,
        max_iter=max_iter,
        tol=tol,
        n_jobs=n_jobs,
    )
    return fit.margins


def fit_irelief(
    X: FloatArray,
    labels: Any,
    *,
    sigma: float,
    multi_class: str,
    max_iter: int,
    tol: float,
    n_jobs: int | None,
) -> IReliefFit:
    """Iterate as in :func:`irelief_score`, and tell where it stopped."""
    check_positive(sigma, "sigma")
    check_choice(multi_class, "multi_class", MULTI_CLASS)
    check_at_least(max_iter, "max_iter", 1)
    points, codes = labelled_points(X, labels)
    shares = miss_shares(codes, multi_class)
    own = np.arange(len(points))
    weights, z = first_weights(points), np.zeros(points.shape[1])
    n_iter, change = 0, np.inf
    while n_iter < max_iter and change > tol and weights.any():
        margins, trust = _kernels.expected_margins(
            points, codes, own, points, codes, shares, weights, float(sigma), n_jobs
        )
        z = (trust[:, None] * margins).sum(axis=0)
        before, weights = weights, unit_positive(z)
        change = float(np.linalg.norm(weights - before))
        n_iter += 1
    return IReliefFit(z, weights, n_iter, change if weights.any() else 0.0)


def labelled_points(X: Any, labels: Any) -> tuple[FloatArray, IndexArray]:
    """Return the labelled rows, every feature scaled to [0, 1], and their classes."""
    X = as_matrix(X)
    codes = class_codes(labels, len(X))
    return scaled(X[codes >= 0]), codes[codes >= 0]


def class_codes(labels: Any, n_samples: int) -> IndexArray:
    """Class numbers of the rows, at least two of them, -1 for none."""
    codes, classes = encode_labels(labels)
    if codes.shape != (n_samples,) or classes.size < 2:
        raise ValueError(
            f"labels must hold a class for each of the {n_samples} rows of X, or -1 "
            f"for no label, and at least two classes, got {labels!r}."
        )
    return codes


def scaled(X: FloatArray) -> FloatArray:
    """Return the data with every feature from 0 to 1, constant ones 0."""
    with np.errstate(over="ignore"):
        columns = _kernels.describe_columns(X, np.zeros(X.shape[1], dtype=bool))
    return np.ascontiguousarray((X - columns.offset) * columns.scale)


def first_weights(points: FloatArray) -> FloatArray:
    """Equal weights of the features that vary, which add up to 1."""
    varies = (points != points[0]).any(axis=0)
    return varies / max(int(varies.sum()), 1)


def unit_positive(z: FloatArray) -> FloatArray:
    """z⁺ / ||z⁺||₂, or 0; margins that only rounding makes positive are none."""
    positive = np.where(z > _kernels.ROUNDING * np.abs(z).max(initial=0.0), z, 0.0)
    return positive / (np.linalg.norm(positive) or 1.0)


def miss_shares(codes: IndexArray, multi_class: str) -> FloatArray:
    """P(c) / (1 - P(r)) for rows of class r, or nothing where misses are pooled."""
    if multi_class == "nearest":
        return np.empty((0, 0))
    counts = np.bincount(codes).astype(np.float64)
    return counts[None, :] / (counts.sum() - counts)[:, None]
