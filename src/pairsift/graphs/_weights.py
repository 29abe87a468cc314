"""How strongly an edge joins two rows (H19 section 1.3)."""

import numpy as np

from pairsift import _kernels
from pairsift._blocks import Rows
from pairsift._checks import check_choice, is_positive
from pairsift._typing import FloatArray, PairArray
from pairsift.graphs._in_blocks import as_blocks, rows_of_pairs
from pairsift.graphs._nearest import nearest_neighbors

KERNELS = ("gaussian", "self-tuning", "inverse", "cosine", "binary")


def advice_on_sigma(X: Rows, sigma: float | str, n_neighbors: int) -> str:
    """Say that all similarities vanish at a sigma, and at which they do not."""
    auto = nearest_neighbors(X, n_neighbors)[1][:, -1].mean()
    return (
        f"no two rows of X are similar at sigma={sigma}, all weights vanish: take "
        f"sigma={auto:.3g}, which is sigma='auto' for {n_neighbors} neighbours here, "
        "or scale X first."
    )


def gaussian_weights(
    X: Rows,
    pairs: PairArray,
    sigma: float | str,
    *,
    n_neighbors: int = 5,
    n_jobs: int | None = -1,
) -> FloatArray:
    r"""Return the Gaussian similarity of some pairs of rows.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        The data.
    pairs : ndarray of shape (n_pairs, 2), dtype=int64
        Row numbers.
    sigma : float or "auto"
        The :math:`\sigma` of :math:`\exp(-d^2/2\sigma^2)`; ``"auto"`` is the mean
        distance to the `n_neighbors`-th neighbour.
    n_neighbors : int, default=5
        The neighbour of ``sigma="auto"``.
    n_jobs : int or None, default=-1
        Number of threads: -1 for all cores, None as in joblib.

    Returns
    -------
    weights : ndarray of shape (n_pairs,)
        One similarity per pair.

    Examples
    --------
    >>> import numpy as np
    >>> from pairsift.graphs import gaussian_weights
    >>> X = np.array([[0.0], [1.0], [3.0]])
    >>> gaussian_weights(X, np.array([[0, 1], [1, 2]]), sigma=1.0).round(3)
    array([0.607, 0.135])
    """
    blocks = as_blocks(X)
    kth = None
    if sigma == "auto":
        kth = nearest_neighbors(blocks, n_neighbors, n_jobs=n_jobs)[1][:, -1]
    scales = scales_of(len(blocks), "gaussian", sigma, kth)
    squared = np.empty(len(pairs))
    for some in rows_of_pairs(blocks, pairs):
        squared[some.part] = _kernels.pair_distances(some.X, some.pairs)
    return weights_of("gaussian", squared, scales[pairs[:, 0]], scales[pairs[:, 1]])


def scales_of(
    n_samples: int,
    kernel: str,
    sigma: float | str,
    kth: FloatArray | None,
) -> FloatArray:
    """σ_n σ_m for rows n and m is the product of two of these.

    kth : the distance of each row to its k-th neighbour, None where not needed.
    """
    check_choice(kernel, "kernel", KERNELS)
    if sigma != "auto" and not is_positive(sigma):
        raise ValueError(f"sigma must be a positive number or 'auto', got {sigma!r}.")
    if kth is not None and kernel == "self-tuning":
        return kth
    if kth is not None and sigma == "auto":
        return np.full(n_samples, kth.mean())
    return np.full(n_samples, 1.0 if isinstance(sigma, str) else float(sigma))


def weights_of(
    kernel: str, squared: FloatArray, scale: FloatArray, other_scale: FloatArray
) -> FloatArray:
    """Weights of edges of these squared lengths, between rows of these scales."""
    if kernel == "binary":
        return np.ones(squared.shape)
    with np.errstate(all="ignore"):
        product = scale * other_scale
        ratio = squared / product
    ratio[(product == 0) & (squared == 0)] = 0.0
    return 1.0 / (ratio + 1.0) if kernel == "inverse" else np.exp(-ratio / 2.0)


def unit_rows(X: FloatArray) -> FloatArray:
    norm = np.linalg.norm(X, axis=1)[:, None]
    return np.divide(X, norm, out=np.zeros_like(X), where=norm > 0)
