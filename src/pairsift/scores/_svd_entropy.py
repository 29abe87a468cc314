"""SVD entropy: what a feature adds to the evenness of the singular values."""

from typing import Any

import numpy as np
from scipy.special import entr

from pairsift import _kernels
from pairsift._checks import as_matrix, check_squarable
from pairsift._typing import FloatArray
from pairsift.scores._columns import centred_columns, is_constant
from pairsift.scores._ties import tied_scores


def svd_entropy_score(
    X: FloatArray, *, center: bool = False, n_jobs: int | None = -1
) -> FloatArray:
    r"""Score features by their contribution to the entropy of the singular values.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        The data, taken as given: scale it first if the units differ.
    center : bool, default=False
        Whether to take the mean off every column first; as published it stays.
    n_jobs : int or None, default=-1
        Number of threads: -1 for all cores, None as in joblib.

    Returns
    -------
    scores : ndarray of shape (n_features,)
        Contributions, negative for features that repeat what the others say; ``-inf``
        for a constant feature.

    Notes
    -----
    Equation 3.2 of [1]_ after [2]_, with the singular values s of X, N of them:

    .. math::
        V_j = \frac{s_j^2}{\sum_k s_k^2}, \qquad
        E(X) = -\frac{1}{\log N} \sum_{j=1}^N V_j \log V_j, \qquad
        CE_f = E(X) - E(X_{\setminus f})

    E is between 0, one singular value has it all, and 1, all are equal; it is 0 when N
    is 1 or X is 0. N is the smaller side of the matrix at hand, so it differs in
    the two terms where there are no more features than rows; that moves all
    contributions alike. A constant feature tells no rows apart and ranks last,
    although without centring it has a part in the entropy.

    The singular values are not computed anew without each feature: their squares are
    the roots of an equation in those of the whole matrix, which takes
    :math:`O(\min(n, d)^2)` a feature.

    References
    ----------
    .. [1] F. Coelho, "Semi-supervised feature selection", PhD thesis, Universidade
       Federal de Minas Gerais and Université catholique de Louvain, 2013.
    .. [2] R. Varshavsky, A. Gottlieb, M. Linial, D. Horn, "Novel unsupervised
       feature filtering of biological data", Bioinformatics 22(14), e507-e513,
       2006.

    Examples
    --------
    >>> import numpy as np
    >>> from pairsift.scores import svd_entropy_score
    >>> X = np.array([[1.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.0, 0.0, 0.0]])
    >>> svd_entropy_score(X).round(2)
    array([-0.42, -0.42,  0.58])
    """
    X = as_matrix(X)
    check_squarable(X)
    constant = is_constant(X)
    columns = centred_columns(X) if center else X
    largest = np.abs(columns).max()
    if constant.all() or largest == 0.0:
        return np.full(X.shape[1], -np.inf)
    with _kernels.one_blas_thread():
        values, vectors = _squared_singular_values(columns / largest)
        without = _kernels.downdated_entropies(values, vectors, n_jobs)
        # Beside a feature that is nearly all of the data, rounding is as large as what
        # is left: its place is computed anew. There is one such feature at most.
        for f in np.flatnonzero((vectors**2).sum(axis=1) > 0.99 * values.sum()):
            rest = np.delete(columns, f, axis=1)
            without[f] = _entropy_of(_squared_singular_values(rest)[0])
    n_rows, n_features = X.shape
    whole = _normalised(_entropy_of(values), min(n_rows, n_features))
    contributions = whole - _normalised(without, min(n_rows, n_features - 1))
    # Differences of entropies of at most 1 are right to about 1e-14.
    return tied_scores(np.where(constant, -np.inf, contributions), 1e-3)


def _squared_singular_values(X: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return s² ascending (m,), and the rows of V diag(s) (d, m), of X = U diag(s) V'.

    Of X X' these are the eigenvalues, and the features in its eigenvectors.
    """
    found: list[Any] = []

    def decompose(first: int, last: int) -> None:
        found.append(np.linalg.svd(X, full_matrices=False))

    # LAPACK cannot be interrupted: it is left to itself on a thread.
    _kernels.on_threads(1, 1, decompose, cost=3.0 * X.size * min(X.shape))
    _, s, Vt = found[0]
    return s[::-1] ** 2, np.ascontiguousarray((s[:, None] * Vt)[::-1].T)


def _entropy_of(values: FloatArray) -> float:
    # What rounding leaves of a zero may be so small that its share is 0.
    return float(entr(values / values.sum()).sum()) if values.any() else 0.0


def _normalised(entropy: Any, n_values: int) -> Any:
    return entropy / np.log(n_values) if n_values > 1 else 0.0 * entropy
