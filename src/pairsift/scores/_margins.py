"""Constrained margins: Relief-Sc, ReliefF-Sc and Simba-Sc."""

from typing import Any

import numpy as np

from pairsift import _kernels
from pairsift._checks import as_matrix, check_at_least, check_choice
from pairsift._random import as_generator
from pairsift._typing import BoolArray, FloatArray, IndexArray, PairArray, RandomState
from pairsift.constraints import as_pairs, encode_labels


def relief_sc_score(X: FloatArray, cannot_link: Any, **options: Any) -> FloatArray:
    """Score features by Relief with side constraints: one nearest neighbour a point.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        The data; NaN marks missing cells.
    cannot_link : array-like of shape (n_pairs, 2)
        Ordered pairs (n, m) of rows, used as given.
    **options : dict
        As in :func:`relieff_sc_score`, without `n_neighbors`.

    Returns
    -------
    scores : ndarray of shape (n_features,)
        The margin z of every feature; 0 for a constant one.

    See Also
    --------
    relieff_sc_score : The same over several neighbours, with the formula.

    Examples
    --------
    >>> import numpy as np
    >>> from pairsift.scores import relief_sc_score
    >>> X = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    >>> relief_sc_score(X, [(0, 2)])
    array([1., 0.])
    """
    return relieff_sc_score(X, cannot_link, n_neighbors=1, **options)


def relieff_sc_score(
    X: FloatArray,
    cannot_link: Any,
    *,
    n_neighbors: int = 10,
    must_link: Any = (),
    must_link_weight: float = 0.0,
    metric: str = "manhattan",
    exclude: str = "pair",
    is_categorical: BoolArray | None = None,
    missing: str = "probability",
    labels: IndexArray | None = None,
    n_jobs: int | None = None,
) -> FloatArray:
    r"""Score features by ReliefF with side constraints.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        The data; NaN marks missing cells.
    cannot_link : array-like of shape (n_pairs, 2)
        Ordered pairs (n, m) of rows, used as given.
    n_neighbors : int, default=10
        Number K of near-hits on either side; where there are fewer candidates, the
        mean is taken over those there are, and over none it is 0.
    must_link : array-like of shape (n_pairs, 2), default=()
        Ordered pairs of rows that belong together, only used with a weight.
    must_link_weight : float, default=0.0
        Weight of the must-links' margins, which are subtracted (not in the papers).
    metric : {"manhattan", "euclidean"}, default="manhattan"
        Distance by which neighbours are found, over the differences Δ.
    exclude : {"pair", "self"}, default="pair"
        Who is no near-hit of an end of a pair: both ends, or only itself as published.
    is_categorical : ndarray of shape (n_features,), dtype=bool, default=None
        Qualitative columns; None for none.
    missing : {"probability", "ignore", "constant", "distinct"}, default="probability"
        Difference to a missing cell: ReliefD, ReliefC, ReliefB or Relieved-F.
    labels : ndarray of shape (n_samples,), default=None
        Class numbers, -1 for none; only used for the probabilities of missing cells.
    n_jobs : int, default=None
        Number of threads, None for all cores.

    Returns
    -------
    scores : ndarray of shape (n_features,)
        The margin z of every feature; 0 for a constant one.

    Notes
    -----
    Equation 3.16 of [1]_, with :math:`H_k(x)` the k-th nearest neighbour of x in all of
    X, and :math:`\Delta_f` the difference on feature f divided by its range (or 0 and
    1 for a qualitative feature):

    .. math::
        z_f = \sum_{(n, m)} \frac1K \sum_{k=1}^K
              \Delta_f(x_n, H_k(x_m)) - \Delta_f(x_n, H_k(x_n))

    References
    ----------
    .. [1] S. Hijazi, "Semi-supervised margin-based feature selection for
       classification", PhD thesis, Université du Littoral Côte d'Opale, 2019.

    Examples
    --------
    >>> import numpy as np
    >>> from pairsift.scores import relieff_sc_score
    >>> X = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    >>> relieff_sc_score(X, [(0, 3)], n_neighbors=1)
    array([0., 0.])
    """
    X = as_matrix(X, allow_nan=True)
    _check_options(n_neighbors, metric, exclude, must_link_weight)
    apart = as_pairs(cannot_link, len(X), name="cannot_link")
    together = as_pairs(must_link, len(X), name="must_link")
    if must_link_weight == 0:
        together = together[:0]
    columns = _columns(X, is_categorical, missing, labels)
    ends = np.unique(np.concatenate([apart, together]))
    slots = np.empty(len(X), dtype=np.int64)
    slots[ends] = np.arange(ends.size)
    exclude_partner = exclude == "pair"
    nearest = _nearest(X, ends, columns, n_neighbors, exclude_partner, metric, n_jobs)

    def margins(pairs: PairArray) -> FloatArray:
        return _kernels.margin_sums(
            X, pairs, slots, nearest, n_neighbors, exclude_partner, columns, n_jobs
        )

    z = margins(apart)
    return z - must_link_weight * margins(together) if len(together) else z


def relieff_sc_label_score(
    X: FloatArray,
    labels: Any,
    *,
    n_neighbors: int = 10,
    must_link_weight: float = 0.0,
    metric: str = "manhattan",
    exclude: str = "pair",
    is_categorical: BoolArray | None = None,
    n_jobs: int | None = None,
) -> FloatArray:
    r"""Score features by ReliefF-Sc over all pairs of labelled rows at once.

    The same as :func:`relieff_sc_score` over both directions of every pair of rows of
    different classes, halved, but without listing the pairs: the cost is that of
    finding the neighbours.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        The data, without missing cells.
    labels : array-like of shape (n_samples,)
        Class numbers, -1 for none.
    n_neighbors, must_link_weight, metric, exclude, is_categorical, n_jobs : object
        As in :func:`relieff_sc_score`.

    Returns
    -------
    scores : ndarray of shape (n_features,)
        The margin z of every feature; 0 for a constant one.

    Notes
    -----
    Summed over all pairs, a row h stands among the hits of m as often as it is a
    neighbour of rows of other classes than n, and :math:`\sum |x_n - x_h|` over all n
    and h is a sweep over the sorted values.

    Examples
    --------
    >>> import numpy as np
    >>> from pairsift.scores import relieff_sc_label_score
    >>> X = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    >>> relieff_sc_label_score(X, [0, 0, 1, 1], n_neighbors=1)
    array([2., 0.])
    """
    X = as_matrix(X)
    _check_options(n_neighbors, metric, exclude, must_link_weight)
    codes, classes = encode_labels(labels)
    if codes.shape != (len(X),) or not classes.size:
        raise ValueError(
            f"labels must hold a class number for each of the {len(X)} rows of X, and "
            f"not only -1, got {labels!r}."
        )
    columns = _columns(X, is_categorical, "probability", None)
    rows = np.flatnonzero(codes >= 0)
    exclude_partner = exclude == "pair"
    nearest = _nearest(X, rows, columns, n_neighbors, exclude_partner, metric, n_jobs)

    def margins(same_class: bool) -> FloatArray:
        return _kernels.label_margin_sums(
            X,
            codes,
            rows,
            nearest,
            n_neighbors,
            exclude_partner,
            same_class,
            columns,
            n_jobs,
        )

    z = margins(same_class=False)
    if must_link_weight > 0:
        z = z - must_link_weight * margins(same_class=True)
    return z / 2


def simba_sc_score(
    X: FloatArray,
    cannot_link: Any,
    *,
    n_starts: int = 5,
    step: float = 1.0,
    symmetric: bool = False,
    is_categorical: BoolArray | None = None,
    missing: str = "probability",
    labels: IndexArray | None = None,
    random_state: RandomState = None,
    n_jobs: int | None = None,
) -> FloatArray:
    r"""Score features by Simba with side constraints.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        The data; NaN marks missing cells.
    cannot_link : array-like of shape (n_pairs, 2)
        Ordered pairs (n, m) of rows, used as given.
    n_starts : int, default=5
        Number of passes, each over its own random order of the pairs; the one with the
        largest total margin is kept.
    step : float, default=1.0
        Length of the gradient steps.
    symmetric : bool, default=False
        Whether to step along the mean of the gradients of (n, m) and (m, n).
    is_categorical : ndarray of shape (n_features,), dtype=bool, default=None
        Qualitative columns; None for none.
    missing : {"probability", "ignore", "constant", "distinct"}, default="probability"
        Difference to a missing cell: ReliefD, ReliefC, ReliefB or Relieved-F.
    labels : ndarray of shape (n_samples,), default=None
        Class numbers, -1 for none; only used for the probabilities of missing cells.
    random_state : int, Generator, RandomState or None, default=None
        Seed of the orders.
    n_jobs : int, default=None
        Number of threads, None for all cores.

    Returns
    -------
    scores : ndarray of shape (n_features,)
        Squared weights, the largest of which is 1; 0 for a constant feature.

    Notes
    -----
    Algorithm 3.3 of [1]_, whose step is

    .. math::
        w_f \leftarrow w_f + \left[
            \frac{\Delta_f(x_n, H(x_m))^2}{\|x_n - H(x_m)\|_w} -
            \frac{\Delta_f(x_n, H(x_n))^2}{\|x_n - H(x_n)\|_w} \right] w_f

    with near-hits in the space weighted by w, neither of them n or m. Equations 3.20
    and 3.21 of [1]_ print the norms to the third power; the derivative has the first.
    A zero norm contributes nothing. All weights start at 1, but those of constant
    features at 0: no step would ever change them.

    References
    ----------
    .. [1] S. Hijazi, "Semi-supervised margin-based feature selection for
       classification", PhD thesis, Université du Littoral Côte d'Opale, 2019.
    .. [2] M. Yang, J. Song, "A novel hypothesis-margin based approach for feature
       selection with side pairwise constraints", Neurocomputing 73(16-18), 2859-2872,
       2010.

    Examples
    --------
    >>> import numpy as np
    >>> from pairsift.scores import simba_sc_score
    >>> X = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    >>> simba_sc_score(X, [(0, 2)], random_state=0).round(3)
    array([1.   , 0.172])
    """
    X = as_matrix(X, allow_nan=True)
    check_at_least(n_starts, "n_starts", 1)
    pairs = as_pairs(cannot_link, len(X), name="cannot_link")
    columns = _columns(X, is_categorical, missing, labels)
    rng = as_generator(random_state)
    orders = [pairs[rng.permutation(len(pairs))] for _ in range(n_starts)]
    weights = np.tile((columns.scale > 0).astype(np.float64), (n_starts, 1))
    margins = np.empty(n_starts)

    def run(first: int, last: int) -> None:
        for start in range(first, last):
            w = weights[start]
            _kernels.simba_pass(X, orders[start], columns, step, symmetric, w)
            w /= np.abs(w).max() or 1.0
            margins[start] = _kernels.total_margin(X, pairs, columns, symmetric, w)

    _kernels.on_threads(n_jobs, n_starts, run)
    return weights[margins.argmax()] ** 2


def _check_options(
    n_neighbors: int, metric: str, exclude: str, must_link_weight: float
) -> None:
    check_at_least(n_neighbors, "n_neighbors", 1)
    check_choice(metric, "metric", ("manhattan", "euclidean"))
    check_choice(exclude, "exclude", ("pair", "self"))
    if not must_link_weight >= 0:
        raise ValueError(
            "must_link_weight must be a number of at least 0, got "
            f"{must_link_weight!r}."
        )


def _nearest(
    X: FloatArray,
    rows: IndexArray,
    columns: "_kernels.Columns",
    n_neighbors: int,
    exclude_partner: bool,
    metric: str,
    n_jobs: int | None,
) -> IndexArray:
    """Neighbours of some rows: one more than needed if a partner may be among them."""
    nearest, _ = _kernels.nearest_rows(
        X,
        rows,
        rows[:, None],
        columns,
        np.ones(X.shape[1]),
        metric == "euclidean",
        min(n_neighbors + exclude_partner, max(len(X) - 1, 1)),
        n_jobs,
    )
    return nearest


def _columns(
    X: FloatArray,
    is_categorical: BoolArray | None,
    missing: str,
    labels: IndexArray | None,
) -> "_kernels.Columns":
    check_choice(missing, "missing", ("probability", "ignore", "constant", "distinct"))
    if is_categorical is None:
        is_categorical = np.zeros(X.shape[1], dtype=bool)
    mask = np.asarray(is_categorical)
    if mask.dtype != bool or mask.shape != (X.shape[1],):
        raise ValueError(
            f"is_categorical must be a mask of the {X.shape[1]} columns of X, got "
            f"{mask.dtype} values of shape {mask.shape}."
        )
    if labels is not None:
        labels, _ = encode_labels(labels)
    with np.errstate(over="ignore"):
        columns = _kernels.describe_columns(X, mask, missing=missing, labels=labels)
    if not np.isfinite(columns.span).all():
        raise ValueError(
            f"column {np.flatnonzero(~np.isfinite(columns.span))[0]} of X ranges over "
            "more than numbers can hold: scale it first."
        )
    return columns
