"""Mutual information of many pairs of columns, each column sorted once."""

from typing import Any, NamedTuple

import numpy as np
from scipy.special import digamma

from pairsift import _kernels
from pairsift._checks import check_at_least
from pairsift._typing import BoolArray, FloatArray, IndexArray
from pairsift.information._columns import (
    FLOOR,
    as_numbers,
    as_target,
    codes_of,
    column_scales,
    discrete_mask,
    warn_of_copies,
)


class ColumnTable(NamedTuple):
    """Columns made ready: continuous ones sorted, discrete ones numbered."""

    is_discrete: BoolArray
    """(d,)"""
    varies: BoolArray
    """(d,) False for constant columns."""
    places: IndexArray
    """(d,) place of each column among those of its kind, below."""
    values: FloatArray
    """(continuous, n) as given."""
    order: IndexArray
    """(continuous, n) rows by ascending value."""
    ascending: FloatArray
    """(continuous, n) the values in this order."""
    scales: FloatArray
    """(continuous,) one over the standard deviation."""
    codes: IndexArray
    """(discrete, n) numbers 0, 1, ... of the values."""
    n_codes: IndexArray
    """(discrete,) how many there are."""

    @property
    def n_samples(self) -> int:
        """Number of rows."""
        return self.values.shape[1]


def column_table(X: FloatArray, is_discrete: BoolArray) -> ColumnTable:
    """Sort or number the columns of a checked matrix."""
    n_samples = len(X)
    places = np.where(is_discrete, np.cumsum(is_discrete), np.cumsum(~is_discrete)) - 1
    values = np.ascontiguousarray(X[:, ~is_discrete].T)
    order = np.argsort(values, axis=1, kind="stable")
    scales = column_scales(values.T)
    varies = np.ptp(X, axis=0) > 0.0
    varies[~is_discrete] = scales > 0.0
    codes = np.zeros((int(is_discrete.sum()), n_samples), dtype=np.int64)
    for place, j in enumerate(np.flatnonzero(is_discrete)):
        codes[place] = codes_of(X[:, j])
    return ColumnTable(
        is_discrete,
        varies,
        places,
        values,
        order,
        np.take_along_axis(values, order, axis=1),
        scales,
        codes,
        codes.max(axis=1, initial=0) + 1,
    )


def pair_information(
    left: ColumnTable,
    right: ColumnTable,
    pairs: IndexArray,
    *,
    n_neighbors: int,
    n_jobs: int | None = -1,
) -> tuple[FloatArray, FloatArray]:
    """Mutual information of columns of two tables, each pair by its kinds.

    Continuous with continuous by Kraskov et al., continuous with discrete by Gómez et
    al., discrete with discrete by frequencies; 0 where one is constant. pairs : (m, 2),
    columns of the left and of the right table. Returns (m,), and for each pair the
    share of the distances to the k-th neighbour that were below the floor, (m,).
    """
    information = np.zeros(len(pairs))
    copies = np.zeros(len(pairs))
    psi = digamma(np.arange(1.0, left.n_samples + 1.0))
    k = min(n_neighbors, left.n_samples - 1)
    varies = left.varies[pairs[:, 0]] & right.varies[pairs[:, 1]]
    kinds = left.is_discrete[pairs[:, 0]], right.is_discrete[pairs[:, 1]]
    places = np.column_stack([left.places[pairs[:, 0]], right.places[pairs[:, 1]]])

    chosen = np.flatnonzero(varies & ~kinds[0] & ~kinds[1])
    if chosen.size:
        beside = right.values, right.ascending, right.scales
        information[chosen], n_floored = _kernels.ksg_pairs(
            _sorted(left), *beside, places[chosen], psi, k, FLOOR, n_jobs
        )
        copies[chosen] = n_floored / left.n_samples
    # A discrete column is on the left or on the right.
    for x, y, side in ((left, right, 0), (right, left, 1)):
        chosen = np.flatnonzero(varies & ~kinds[side] & kinds[1 - side])
        if chosen.size:
            sides = np.ascontiguousarray(places[chosen][:, [side, 1 - side]])
            information[chosen], n_floored = _kernels.class_spacing_pairs(
                _sorted(x), y.codes, y.n_codes, sides, psi, k, FLOOR, n_jobs
            )
            copies[chosen] = n_floored / (2 * left.n_samples)
    chosen = np.flatnonzero(varies & kinds[0] & kinds[1])
    if chosen.size:
        information[chosen] = _kernels.contingency_pairs(
            left.codes, right.codes, places[chosen], n_jobs
        )
    return information, copies


def _sorted(table: ColumnTable) -> "_kernels.SortedColumns":
    return _kernels.SortedColumns(table.ascending, table.order, table.scales)


def relevance(
    X: Any,
    y: Any,
    *,
    discrete_features: Any = "auto",
    discrete_target: Any = "auto",
    n_neighbors: int = 6,
    n_jobs: int | None = -1,
) -> FloatArray:
    """Estimate what each column alone tells about a target, in nats.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        The columns.
    y : array-like of shape (n_samples,)
        A class of any kind for each row, or numbers, such as another column.
    discrete_features, discrete_target, n_neighbors, n_jobs : object
        As in :func:`mutual_information`.

    Returns
    -------
    information : ndarray of shape (n_features,)
        The estimates, as they are: also below 0. Constant columns have 0.

    See Also
    --------
    mutual_information : All columns together, and how it is estimated.
    permutation_threshold : What chance alone would give.

    Examples
    --------
    >>> import numpy as np
    >>> from pairsift.information import relevance
    >>> X = np.random.default_rng(0).normal(size=(500, 3))
    >>> int(relevance(X, X[:, 1] > 0).argmax())
    1
    """
    check_at_least(n_neighbors, "n_neighbors", 1)
    X = as_numbers(X)
    table = column_table(X, discrete_mask(X, discrete_features))
    target = as_target(y, len(X), discrete_target)
    if target.numbers.shape[1] > 1:
        raise ValueError(
            f"y must hold one value for each of the {len(X)} rows of X, got an array "
            f"of shape {target.numbers.shape}."
        )
    is_discrete = np.array([target.classes.size > 0])
    classes = target.classes.astype(np.float64).reshape(-1, 1)
    column = classes if is_discrete[0] else target.numbers
    pairs = np.column_stack([np.arange(X.shape[1]), np.zeros(X.shape[1], dtype=int)])
    information, copies = pair_information(
        table,
        column_table(column, is_discrete),
        pairs,
        n_neighbors=n_neighbors,
        n_jobs=n_jobs,
    )
    warn_of_copies(copies.max())
    return information


def pairwise_mutual_information(
    X: Any,
    *,
    discrete_features: Any = "auto",
    n_neighbors: int = 6,
    n_jobs: int | None = -1,
) -> FloatArray:
    r"""Estimate what any two columns tell about each other, in nats.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        The columns.
    discrete_features : "auto", bool or ndarray of shape (n_features,), default="auto"
        Discrete columns, as in :func:`mutual_information`.
    n_neighbors : int, default=6
        Number k of neighbours for continuous columns.
    n_jobs : int or None, default=-1
        Number of threads: -1 for all cores, None as in joblib.

    Returns
    -------
    information : ndarray of shape (n_features, n_features)
        Symmetric; the estimates as they are, also below 0. Constant columns have 0.

    See Also
    --------
    mutual_information : How pairs are estimated, by their kinds.
    relevance : One column with all others.

    Notes
    -----
    On the diagonal is what the estimator gives for a column with itself: the entropy of
    a discrete column; :math:`\psi(n) - \psi(k)` for a continuous one without copies,
    the most that any pair can have, where the truth is infinite.

    Examples
    --------
    >>> import numpy as np
    >>> from pairsift.information import pairwise_mutual_information
    >>> rng = np.random.default_rng(0)
    >>> x = rng.normal(size=500)
    >>> X = np.column_stack([x, rng.normal(size=500), -x + 0.1 * rng.normal(size=500)])
    >>> pairwise_mutual_information(X).round(1)
    array([[4.5, 0. , 2.3],
           [0. , 4.5, 0. ],
           [2.3, 0. , 4.5]])
    """
    check_at_least(n_neighbors, "n_neighbors", 1)
    X = as_numbers(X)
    table = column_table(X, discrete_mask(X, discrete_features))
    pairs = np.column_stack(np.triu_indices(X.shape[1]))
    values, copies = pair_information(
        table, table, pairs, n_neighbors=n_neighbors, n_jobs=n_jobs
    )
    is_other = pairs[:, 0] != pairs[:, 1]
    warn_of_copies(copies[is_other].max(initial=0.0))
    information = np.empty((X.shape[1], X.shape[1]))
    information[pairs[:, 0], pairs[:, 1]] = values
    information[pairs[:, 1], pairs[:, 0]] = values
    return information
