"""Entropy of discrete columns, of continuous ones, and of both together."""

from typing import Any

import numpy as np
from scipy.special import digamma

from pairsift import _kernels
from pairsift._checks import check_at_least
from pairsift._typing import FloatArray, IndexArray
from pairsift.information._columns import (
    FLOOR,
    as_numbers,
    as_series,
    column_scales,
    discrete_mask,
    joint_codes,
    warn_of_copies,
)


def entropy(
    X: Any,
    *,
    discrete_features: Any = "auto",
    n_neighbors: int = 6,
    n_jobs: int | None = -1,
) -> float:
    r"""Estimate the joint entropy of columns, in nats.

    Parameters
    ----------
    X : array-like of shape (n_samples,) or (n_samples, n_features)
        The column or columns; text is accepted in a single one.
    discrete_features : "auto", bool or ndarray of shape (n_features,), default="auto"
        Discrete columns, as in :func:`mutual_information`.
    n_neighbors : int, default=6
        Number k of neighbours for continuous columns.
    n_jobs : int or None, default=-1
        Number of threads: -1 for all cores, None as in joblib.

    Returns
    -------
    entropy : float
        At least 0 for discrete columns; a differential entropy, which may be negative,
        where there are continuous ones, and -inf if one of these is constant.

    See Also
    --------
    mutual_information : What columns tell about a target.

    Notes
    -----
    Discrete columns X have :math:`H(X) = -\sum_x p(x) \log p(x)` with observed
    frequencies. Continuous columns Z, of which there are d, have the estimate of
    Kozachenko and Leonenko (equation 6.15 of [1]_)

    .. math::
        \hat h(Z) = \psi(N) - \psi(k) + \frac dN \sum_n \log \varepsilon(n, k)

    where :math:`\varepsilon` is twice the distance to the k-th neighbour, by the
    largest difference of the columns divided by their standard deviations, whose
    logarithms are added at the end; the ball of diameter 1 is a cube of volume 1. Both
    together have the mixed entropy :math:`H(X) + \sum_x p(x) \hat h(Z | X = x)`
    (equation 6.12). A cell x of :math:`m \le k` rows has :math:`k = m - 1`, and a cell
    of one row 0 for its scaled columns.

    Logarithms are natural; the thesis writes base 2, for which the terms with
    :math:`\psi` do not hold. No distance is below 1e-10 (after scaling); a warning
    tells when more than 5 % were.

    References
    ----------
    .. [1] F. Coelho, "Semi-supervised feature selection", PhD thesis, Universidade
       Federal de Minas Gerais and Université catholique de Louvain, 2013.
    .. [2] L. F. Kozachenko, N. N. Leonenko, "Sample estimate of the entropy of a
       random vector", Problems of Information Transmission 23, 95-101, 1987.

    Examples
    --------
    >>> import numpy as np
    >>> from pairsift.information import entropy
    >>> round(entropy(["a", "b", "a", "b"]), 4)
    0.6931
    >>> x = np.random.default_rng(0).uniform(0, np.e, size=(10_000, 1))
    >>> abs(entropy(x) - 1.0) < 0.03
    True
    """
    check_at_least(n_neighbors, "n_neighbors", 1)
    if np.ndim(X) == 1:
        column = as_series(X, len(X), "X")
        if column.dtype.kind not in "iuf":
            column, discrete_features = column.factorize()[0], True
        X = np.asarray(column, dtype=np.float64).reshape(-1, 1)
    X = as_numbers(X)
    is_discrete = discrete_mask(X, discrete_features)
    cells = joint_codes(X[:, is_discrete])
    Z = X[:, ~is_discrete]
    shares = np.bincount(cells) / len(X)
    discrete = max(0.0, float(-(shares * np.log(shares)).sum()))
    if Z.shape[1] == 0:
        return discrete
    scales = column_scales(Z)
    if not scales.all():
        return -np.inf
    given, copies = cell_entropies(Z, scales, cells, n_neighbors, n_jobs)
    warn_of_copies(copies)
    return discrete + float(shares @ given) - float(np.log(scales).sum())


def cell_entropies(
    Z: FloatArray,
    scales: FloatArray,
    cells: IndexArray,
    n_neighbors: int,
    n_jobs: int | None,
) -> tuple[FloatArray, float]:
    """Estimate the entropy of scaled columns in each cell, 0 in a cell of one row.

    Also tell for which share of the rows the distance was below the floor.
    """
    sizes = np.bincount(cells)
    forest = _kernels.grow_forest(Z, scales, cells)
    distances = _kernels.cell_distances(forest, n_neighbors, n_jobs)
    is_shared = sizes > 1
    distances[~is_shared[cells]] = 1.0
    copies = float((distances < FLOOR).mean())
    logs = np.log(2.0 * np.maximum(distances, FLOOR))
    k = np.clip(sizes - 1, 1, n_neighbors)
    mean_logs = np.bincount(cells, logs) / sizes
    entropies = digamma(sizes) - digamma(k) + Z.shape[1] * mean_logs
    return np.where(is_shared, entropies, 0.0), copies
