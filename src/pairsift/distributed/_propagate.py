"""Pairs that spread over data that no machine has to hold."""

from typing import Any, cast

from pairsift._blocks import Blocks
from pairsift.active import (
    PropagatedConstraints,
    SessionDoor,
    check_kinds,
    points_in_blocks,
    spread_pairs,
)
from pairsift.constraints import PairConstraints
from pairsift.distributed._dask import as_source
from pairsift.distributed._reading import read_table


def propagate(
    constraints: PairConstraints,
    X: Any,
    *,
    alpha: float = 0.99,
    threshold: float | str = "mean-row-max",
    similarity: str = "before",
    links: str = "cannot",
    n_neighbors: int = 7,
) -> PropagatedConstraints:
    """Spread pair constraints to the rows around them, on data in blocks.

    Parameters
    ----------
    constraints : PairConstraints
        What is known. These pairs stay, whatever happens around them.
    X : dask.array.Array, dask.dataframe.DataFrame, path-like or Source
        The data, as :func:`fit` takes them; text and missing values are read as
        :func:`pairsift.propagate` reads them.
    alpha : float, default=0.99
        How much a row takes from its neighbours, above 0 and below 1.
    threshold : float or "mean-row-max", default="mean-row-max"
        Confidence from which on a pair becomes a constraint; by default the mean over
        the rows of the largest confidence in a row.
    similarity : {"before", "answered"}, default="before"
        Similarities of the rows alone, or with 1 for every must-link and 0 for every
        cannot-link given, as :class:`ActiveSession` leaves them by the published
        strategy. The thesis does not say which it means.
    links : {"cannot", "must", "both"}, default="cannot"
        Which constraints are spread; the published method spreads cannot-links.
    n_neighbors : int, default=7
        The neighbour whose distance is the scale of a row's similarities, and the
        number of neighbours of the k-nearest graph.

    Returns
    -------
    propagated : PropagatedConstraints
        What :func:`pairsift.propagate` returns for the data in memory and
        ``graph="knn"``.

    Raises
    ------
    ValueError
        If the graph does not fit into memory.

    Warns
    -----
    UserWarning
        If `held_out` does not show that what was spread is better than chance.

    Notes
    -----
    The graph is always that of nearest neighbours, which is the better choice also for
    data in memory. It is built in passes over the blocks, 4,096 rows compared with all
    others in each, and takes about 120 bytes for each row and neighbour here; pairs
    are spread on the graph alone, which takes about 32 bytes for each row of the data
    and row of a pair.

    Examples
    --------
    >>> import numpy as np
    >>> from pairsift import PairConstraints, distributed
    >>> X = np.random.default_rng(0).normal(size=(60, 2)) + np.arange(60)[:, None] // 30
    >>> source = distributed.StreamedSource([lambda: X[:25], lambda: X[25:]])
    >>> few = PairConstraints(cannot_link=[(0, 30), (5, 50)], n_samples=60)
    >>> many = distributed.propagate(few, source, threshold=1e-6)
    >>> many.n_cannot_link > 2
    True
    """
    check_kinds(constraints, X)
    table = read_table(SessionDoor(), as_source(X))
    return spread_pairs(
        constraints,
        points_in_blocks(cast(Blocks, table.X), table.is_categorical),
        alpha=alpha,
        graph="knn",
        threshold=threshold,
        similarity=similarity,
        links=links,
        n_neighbors=n_neighbors,
        n_jobs=-1,
    )
