"""Selectors on data in blocks: the fit of one machine, with another reader."""

from typing import Any, TypeVar

import numpy as np

from pairsift.constraints import PairConstraints
from pairsift.distributed._dask import as_source, gathered, is_dask
from pairsift.distributed._reading import read_table
from pairsift.selectors import (
    BaseScoreSelector,
    all_or_nothing,
    refuse_wrong_labels,
    selector_classes,
)

S = TypeVar("S", bound=BaseScoreSelector)


def fit(
    selector: S,
    X: Any,
    y: Any = None,
    constraints: PairConstraints | None = None,
    *,
    missing_label: Any = "auto",
) -> S:
    """Fit a selector to data that no machine has to hold.

    Runs on the cluster of the active Dask `Client`. Without one, a Dask collection runs
    on Dask's default scheduler, and Parquet files are read block by block here, without
    Dask.

    Parameters
    ----------
    selector : selector
        One of those marked `dask` in :func:`pairsift.methods`.
    X : dask.array.Array, dask.dataframe.DataFrame, path-like or Source
        The data, in chunks of any size, also of unknown size. Columns that are split
        over chunks are put together. A path is that of a Parquet file, or of a folder
        of them, see :class:`ParquetSource`.
    y : array-like of shape (n_samples,), default=None
        Labels, as in the selector's own `fit`, in memory or of Dask: then they are
        gathered.
    constraints : PairConstraints, default=None
        Pairs of rows, counted from 0 over all chunks.
    missing_label : label, None or "auto", default="auto"
        Label that means "no label", as in the selector's own `fit`.

    Returns
    -------
    selector : selector
        The selector, with the attributes that its own `fit` sets, as NumPy arrays.

    Raises
    ------
    TypeError
        If X is in memory, or the selector cannot work on data in blocks.

    Notes
    -----
    The scores are those of the selector's own `fit` on the data in memory: neighbours
    are equal, sums agree up to rounding (10⁻¹⁰) for any chunks, and have equal bits
    for any number of workers. Each pass over the data computes every chunk once; call
    ``X.persist()`` first if that is slow and the cluster has the memory. Kernels run
    on one thread for each task, so that the workers' threads do not compete.

    Examples
    --------
    >>> import numpy as np
    >>> from pairsift import VarianceScore, distributed
    >>> halves = [np.array([[0.0, 1.0], [5.0, 1.0]]), np.array([[1.0, 1.0]])]
    >>> source = distributed.StreamedSource([lambda i=i: halves[i] for i in range(2)])
    >>> distributed.fit(VarianceScore(1), source).scores_
    array([4.66666667, 0.        ])
    """
    _check_selector(selector)
    source = as_source(X)
    with all_or_nothing(selector):
        selector._validate_params()
        selector._refuse_blocks()
        refuse_wrong_labels(X, y)
        table = read_table(selector, source)
        supervision = selector._resolve(
            table, gathered(y), constraints, None, missing_label
        )
        selector.scores_ = selector._score(table, supervision)
        selector._refuse_nan()
        return selector._rank()


def _check_selector(selector: Any) -> None:
    method = getattr(selector, "_method", None)
    if method is not None and method.dask:
        return
    names = [cls.__name__ for cls in selector_classes() if cls._method.dask]
    raise TypeError(
        f"{type(selector).__name__} does not work on data in blocks, these do: "
        f"{', '.join(names)}."
    )


def transform(selector: BaseScoreSelector, X: Any) -> Any:
    """Return the selected columns of a Dask collection, lazily.

    Parameters
    ----------
    selector : selector
        A fitted selector.
    X : dask.array.Array or dask.dataframe.DataFrame
        Data with the features that the selector was fitted to.

    Returns
    -------
    X_selected : dask.array.Array or dask.dataframe.DataFrame
        The selected columns, in their order; nothing is computed. What is in memory
        is for the selector's own `transform`.
    """
    if not is_dask(X):
        raise TypeError(
            f"X is a {type(X).__name__}: distributed.transform takes a Dask "
            "collection; data in memory are for the selector's own transform."
        )
    support = selector.get_support(indices=True)
    names = getattr(selector, "feature_names_in_", None)
    if X.shape[1] != selector.n_features_in_:
        raise ValueError(
            f"X has {X.shape[1]} features, but {type(selector).__name__} is expecting "
            f"{selector.n_features_in_} features as input."
        )
    if hasattr(X, "chunks"):
        return X[:, support]
    if names is not None and list(X.columns) != list(names):
        other = next(a for a, b in zip(X.columns, names, strict=True) if a != b)
        raise ValueError(
            f"X has a column {other!r} in a place where {type(selector).__name__} has "
            "seen another: columns must be those of fit, in their order."
        )
    return X[[X.columns[j] for j in np.asarray(support)]]
