"""Features rebuilt from few others (H19 3.3.1, H21 2.1)."""

import numpy as np
from scipy.sparse import coo_array, csr_array, vstack

from pairsift import _kernels
from pairsift._checks import (
    as_matrix,
    check_choice,
    check_positive,
    check_squarable,
)
from pairsift._typing import BoolArray, FloatArray, IndexArray
from pairsift._warnings import warn_caller

FEATURE_GRAPHS = ("simplex", "lasso")
MAX_FEATURES = 20_000
ROWS_AT_ONCE = 1024
FEATURES_AT_ONCE = 256
# Weights sum to 1: what is smaller than this is rounding.
NEGLIGIBLE = 1e-12


def feature_graph(
    X: FloatArray,
    *,
    kind: str = "simplex",
    alpha: float = 0.001,
    tol: float = 1e-10,
    n_jobs: int | None = -1,
) -> tuple[csr_array, FloatArray]:
    r"""Join every feature to the few others from which it can be rebuilt.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        Data without missing values, taken as given: scale the columns to one range
        first, as the papers do, for example by ``sklearn.preprocessing.minmax_scale``.
    kind : {"simplex", "lasso"}, default="simplex"
        Weights that are not negative, or of any sign and with a penalty. They sum to 1
        in both.
    alpha : float, default=0.001
        Penalty of ``"lasso"``, on the scale of scikit-learn's ``Lasso``. The larger,
        the fewer weights are negative: from some number on none is, and the graph is
        that of ``"simplex"``. A very small one takes nearly as many weights as there
        are rows, and much time.
    tol : float, default=1e-10
        Gap at which a feature is solved, relative to the mean spread of the features
        around their mean feature.
    n_jobs : int or None, default=-1
        Number of threads: -1 for all cores, None as in joblib.

    Returns
    -------
    S : csr_array of shape (n_features, n_features)
        Symmetric similarities with a zero diagonal.
    gaps : ndarray of shape (n_features,)
        By how much the objective of each feature can at most be lowered: a duality
        gap, the one of Frank and Wolfe for ``"simplex"``. 0 where nothing was solved.

    Warns
    -----
    RuntimeWarning
        If a gap is larger than wanted.

    See Also
    --------
    pairsift.FCRSC : Clusters of features on this graph, and their representatives.

    Notes
    -----
    With :math:`A_i` the i-th column of X, n its length, and :math:`s_{ii} = 0`,

    .. math::
        s_i = \arg\min_{1's = 1} \frac1{2n} \|A_i - X s\|_2^2 + \alpha \|s\|_1, \qquad
        S = (|s| + |s|') / 2

    On the simplex :math:`s \ge 0` the norm is 1 and there is nothing to choose: this
    is the projection of :math:`A_i` on the convex hull of the other columns, which is
    sparse by itself. The program of [1]_ (equation 3.24) minimises the norm, which is
    constant there, below a given error, so that any feasible point solves it; the
    error is minimised here. That of [2]_ (equation 3) has no sign constraint and the
    same defect wherever a non-negative point is feasible; its tolerance, never given,
    becomes the penalty.

    Weights sum to 1, so only the differences between columns count: adding the same
    numbers to every column changes nothing. A column and its mirror image are not
    similar on the simplex.

    Decisions beyond the papers:

    - *Equal columns* are one column to the program: they are solved once, similar to
      one another by 1, and as similar to others as one of them alone. Taken one by one
      they would rebuild each other, with weights that nothing determines.
    - *Constant columns* rebuild nothing and are rebuilt by nothing; only equal ones are
      similar.
    - *Without a unique minimum*, when a column lies in the hull of very many others,
      the solver decides: it starts at the nearest column and always takes in the one
      that lowers the objective fastest. The order of the columns matters only where
      these are tied, and ties go to the smaller index.

    The solver is an active-set method on :math:`X'X`, exact up to rounding after a
    finite number of steps; with k weights per feature it takes
    :math:`O(nd^2 + d^2k^2)` time and :math:`O(d^2)` memory, 8 bytes for each pair of
    features. More than 20,000 features are refused.

    References
    ----------
    .. [1] S. Hijazi, "Semi-supervised margin-based feature selection for
       classification", PhD thesis, Université du Littoral Côte d'Opale and
       Lebanese University, 2019, HAL tel-02489733.
    .. [2] S. Hijazi, V. T. Hoang, "A constrained feature selection approach based
       on feature clustering and hypothesis margin maximization", 2021.

    Examples
    --------
    >>> import numpy as np
    >>> from pairsift.graphs import feature_graph
    >>> a, b = np.array([0.0, 1.0, 1.0, 0.0]), np.array([1.0, 1.0, 0.0, 0.0])
    >>> S, gaps = feature_graph(np.column_stack([a, b, 0.75 * a + 0.25 * b]))
    >>> S.toarray()
    array([[0.   , 0.   , 0.875],
           [0.   , 0.   , 0.625],
           [0.875, 0.625, 0.   ]])
    >>> bool((gaps < 1e-12).all())
    True
    """
    X = _checked(X, kind, alpha, tol)
    columns, copy_of = distinct_columns(X)
    is_constant = is_constant_column(X[:, columns])
    solved = np.flatnonzero(~is_constant)
    weights, solved_gaps = rebuild_columns(
        X[:, columns[solved]], kind=kind, alpha=alpha, tol=tol, n_jobs=n_jobs
    )
    gaps = np.zeros(columns.size)
    gaps[solved] = solved_gaps
    size = np.abs(weights).tocoo()
    edges = coo_array(
        (size.data / 2, (solved[size.row], solved[size.col])),
        shape=(columns.size, columns.size),
    ).tocsr()
    return _spread(csr_array(edges + edges.T), copy_of), gaps[copy_of]


def distinct_columns(X: FloatArray) -> tuple[IndexArray, IndexArray]:
    """Return the first of each kind of equal columns, and the number of each's kind."""
    # Minus zero is zero.
    cells = np.ascontiguousarray(X.T) + 0.0
    kinds: dict[bytes, int] = {}
    numbers = [kinds.setdefault(column.tobytes(), len(kinds)) for column in cells]
    copy_of = np.array(numbers, dtype=np.int64)
    _, columns = np.unique(copy_of, return_index=True)
    return columns.astype(np.int64), copy_of


def is_constant_column(X: FloatArray) -> BoolArray:
    """Mark the columns of one value."""
    return X.min(axis=0) == X.max(axis=0)


def rebuild_columns(
    X: FloatArray,
    *,
    kind: str = "simplex",
    alpha: float = 0.001,
    tol: float = 1e-10,
    n_jobs: int | None = -1,
) -> tuple[csr_array, FloatArray]:
    """Solve for the weights s_i, in row i, of all columns of a checked X; and gaps."""
    n_samples, n_features = X.shape
    if n_features < 2:
        return csr_array((n_features, n_features)), np.zeros(n_features)
    is_signed = kind == "lasso"
    gram = _centred_gram(X)
    spread = float(np.trace(gram)) / n_features
    # The same constant row under every column: their weights sum to 1, so nothing
    # changes, but columns without a linear relation that sums to 1 are independent.
    gram += spread
    blocks, gaps = [], []
    for first in range(0, n_features, FEATURES_AT_ONCE):
        weights, gap = _kernels.rebuild(
            gram,
            first,
            min(first + FEATURES_AT_ONCE, n_features),
            alpha * n_samples if is_signed else 0.0,
            is_signed,
            min(n_samples + 1, n_features - 1),
            tol * spread,
            n_jobs,
        )
        weights[np.abs(weights) < NEGLIGIBLE] = 0.0
        blocks.append(csr_array(weights))
        gaps.append(gap)
    gap = np.concatenate(gaps)
    if not (gap <= tol * spread).all():
        warn_caller(
            f"the gap of feature {gap.argmax()} is {gap.max() / spread:.1e} of the "
            f"spread of the features, wanted tol={tol:.1e}: choose tol or alpha "
            "larger, or scale X.",
            RuntimeWarning,
        )
    return csr_array(vstack(blocks)), gap / n_samples


def _centred_gram(X: FloatArray) -> FloatArray:
    """Products of the columns counted from their mean column, in blocks of rows."""
    gram = np.zeros((X.shape[1], X.shape[1]))
    for start in range(0, len(X), ROWS_AT_ONCE):
        block = X[start : start + ROWS_AT_ONCE]
        block = block - block.mean(axis=1, keepdims=True)
        gram += block.T @ block
    return gram


def _spread(S: csr_array, copy_of: IndexArray) -> csr_array:
    """Similarities of all columns from those of the distinct ones."""
    n_features, n_distinct = copy_of.size, S.shape[0]
    if n_features == n_distinct:
        return S
    places = (np.arange(n_features), copy_of)
    copies = csr_array((np.ones(n_features), places), shape=(n_features, n_distinct))
    among = (copies @ copies.T).tocoo()
    is_other = among.row != among.col
    ends = (among.row[is_other], among.col[is_other])
    equal = coo_array((among.data[is_other], ends), shape=among.shape).tocsr()
    return csr_array(copies @ S @ copies.T + equal)


def _checked(X: FloatArray, kind: str, alpha: float, tol: float) -> FloatArray:
    X = as_matrix(X)
    check_choice(kind, "kind", FEATURE_GRAPHS)
    check_positive(alpha, "alpha")
    check_positive(tol, "tol")
    check_squarable(X)
    if X.shape[1] > MAX_FEATURES:
        raise ValueError(
            f"X has {X.shape[1]} features, a feature graph takes at most "
            f"{MAX_FEATURES}: select some first, for example by VarianceScore."
        )
    return X
