"""Labelling sessions on data that no machine has to hold."""

from pathlib import Path
from typing import Any, cast

import numpy as np

from pairsift._blocks import Blocks
from pairsift.active import ActiveSession, SessionDoor
from pairsift.distributed._dask import as_source
from pairsift.distributed._reading import read_table


def session(
    X: Any,
    *,
    strategy: str = "sort",
    random_state: int = 0,
    categorical_features: Any = "auto",
) -> ActiveSession:
    """Begin a labelling session on data in blocks.

    Parameters
    ----------
    X : dask.array.Array, dask.dataframe.DataFrame, path-like or Source
        The data, as :func:`fit` takes them. Values may be missing.
    strategy : {"sort", "random"}, default="sort"
        Which pairs to ask about, see :class:`ActiveSession`. The others compare all
        rows, and are refused.
    random_state : int, default=0
        Seed of the draw of rows, and of "random".
    categorical_features : "auto" or array-like, default="auto"
        Mask, positions or names of the categorical features. "auto" takes the
        columns of text, categories and truth values of a data frame.

    Returns
    -------
    session : ActiveSession
        It asks what a session on the data in memory would ask. Its `labels` have a
        place for each row, and go to ``fit(selector, X, session.labels)``.

    See Also
    --------
    take_rows : The rows of a card, as they were given.
    load_session : Go on with a saved session.

    Notes
    -----
    One pass counts rows and finds the ranges of columns. The first card takes another,
    for a draw of up to 4,000 rows, and one more where values are missing. The first
    cards are rows of the draw: an answer takes no pass over the data, and neither does
    :attr:`~pairsift.ActiveSession.settled`. A row outside the draw is fetched from its
    block when it is asked about or told of, and kept. In memory are these rows, and
    8 bytes for the turn of each row of the data, three times that while turns are
    drawn.

    Examples
    --------
    >>> import numpy as np
    >>> from pairsift import SemiMRMR, distributed
    >>> y = np.arange(600) % 3
    >>> X = np.random.default_rng(0).normal(size=(600, 4))
    >>> X[:, 1] += 5 * y
    >>> parts = np.split(X, 6)
    >>> source = distributed.StreamedSource([lambda i=i: parts[i] for i in range(6)])
    >>> session = distributed.session(source)
    >>> for _ in range(9):
    ...     card = session.ask_card()
    ...     same = [pile for pile in card.piles if y[pile.shown] == y[card.row]]
    ...     session.place(card.row, same[0].number if same else "new")
    >>> fitted = distributed.fit(SemiMRMR(1), source, session.labels)
    >>> fitted.get_support(indices=True)
    array([1])
    """
    table = read_table(SessionDoor(categorical_features), as_source(X))
    return ActiveSession(
        table.X,
        strategy=strategy,
        random_state=random_state,
        categorical_features=np.flatnonzero(table.is_categorical),
    )


def load_session(path: str | Path, X: Any) -> ActiveSession:
    """Go on with a saved session on data in blocks.

    Parameters
    ----------
    path : str or Path
        A file written by :meth:`pairsift.ActiveSession.save`, which holds the answers
        and the rows of the draw.
    X : dask.array.Array, dask.dataframe.DataFrame, path-like or Source
        The data with which the session began; their blocks may be others.

    Returns
    -------
    session : ActiveSession
        Bound to the file: further answers are written at once.

    Raises
    ------
    StorageError
        If there is no such file, or X is not what the session began with: the number
        of rows and the rows of the draw are compared.
    """
    table = read_table(SessionDoor(), as_source(X))
    # The type of tables is that of arrays in memory; these are blocks.
    return ActiveSession.load(path, X=cast(Blocks, table.X))
