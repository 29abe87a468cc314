"""How many rows are enough: rankings of growing draws, until the choice stays."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass
from os import PathLike
from typing import Any

import numpy as np

from pairsift._random import as_generator
from pairsift._typing import FloatArray, IndexArray
from pairsift.constraints import PairConstraints, encode_labels
from pairsift.distributed._dask import as_source, gathered, is_dask
from pairsift.distributed._rows import count_rows, joined, rows_of, take_rows
from pairsift.distributed._sources import Source
from pairsift.selectors import BaseScoreSelector

FIRST_DRAW = 1_000
"""Rows of the first draw."""
AGREEMENT = 0.9
"""Jaccard index from which on two choices agree."""
N_STAYS = 2
"""Doublings in a row that have to agree."""
MIN_ROWS = 10
"""Least number of rows that a draw keeps of each class that has them."""
MAX_BYTES = 2**30
"""Size of the largest draw from blocks, 8 bytes for each value."""
# Doublings for which rows are gathered in one pass over the blocks.
_AHEAD = 3


@dataclass(frozen=True)
class EnoughRows:
    """The rankings of growing draws of rows: what `enough_rows` returns.

    Parameters
    ----------
    n_rows : int
        Rows of the last draw.
    is_enough : bool
        Whether the chosen features stayed; False if all rows, or as many as were
        allowed, were drawn before that.
    sizes : ndarray of shape (n_draws,)
        Rows of each draw.
    agreement : ndarray of shape (n_draws,)
        Jaccard index of the features that a draw and the one before it chose: how many
        both chose, by how many either chose. NaN for the first.
    chosen : ndarray
        Numbers of the features that the last draw chose, the best first.
    rows : ndarray of shape (n_rows,)
        Numbers of the rows of the last draw, ascending.
    selector : selector
        A copy of the selector, fitted to the last draw.
    """

    n_rows: int
    is_enough: bool
    sizes: IndexArray
    agreement: FloatArray
    chosen: IndexArray
    rows: IndexArray
    selector: Any


def enough_rows(
    selector: BaseScoreSelector,
    X: Any,
    y: Any = None,
    constraints: PairConstraints | None = None,
    *,
    first: int = FIRST_DRAW,
    agreement: float = AGREEMENT,
    n_stays: int = N_STAYS,
    max_samples: int | None = None,
    missing_label: Any = "auto",
    random_state: Any = 0,
) -> EnoughRows:
    """Rank growing draws of rows until the chosen features stay.

    Parameters
    ----------
    selector : selector
        Any selector that chooses some of the features; it is left as it was. It works
        on draws in memory: also one that cannot work on data in blocks.
    X : array-like, data frame, Dask collection, path-like or Source
        The data, in memory or in blocks as :func:`fit` takes them.
    y : array-like of shape (n_samples,), default=None
        Labels, as in the selector's own `fit`.
    constraints : PairConstraints, default=None
        Pairs of rows.
    first : int, default=1000
        Rows of the first draw; each other has twice the rows of the one before, whose
        rows are among its own.
    agreement : float, default=0.9
        Jaccard index from which on the features of two draws agree.
    n_stays : int, default=2
        Doublings in a row after which the features must agree.
    max_samples : int, default=None
        Rows of the largest draw. None for all rows in memory, and for at most 1 GB of
        rows from blocks, 8 bytes for each value.
    missing_label : label, None or "auto", default="auto"
        Label that means "no label", as in the selector's own `fit`.
    random_state : int, Generator, RandomState or None, default=0
        Seed of the draw.

    Returns
    -------
    enough : EnoughRows
        The number of rows, the agreement after each doubling, and the last ranking.

    Raises
    ------
    ValueError
        If the selector chooses all features, so that nothing can stay.

    Notes
    -----
    Rows of pairs are in every draw, and so are all labelled rows if there are at most
    half as many as in the first draw: what people told is scarce, rows are not. Beyond
    that, a draw has its share of the rows of each class, and at least ten. With up to
    nine chosen features, an agreement of 0.9 means that the sets are equal. Features
    that stay are those of the draw, not proven to be those of all rows: a feature that
    few rows tell of may come in with more of them.

    Rows are gathered from blocks for three doublings in one pass.

    Examples
    --------
    >>> import numpy as np
    >>> from pairsift import FisherScore, distributed
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(20_000, 6))
    >>> y = (X[:, 2] + X[:, 4] > 0).astype(int)
    >>> enough = distributed.enough_rows(FisherScore(2), X, y, first=100)
    >>> enough.sizes, enough.chosen, enough.is_enough
    (array([100, 200, 400]), array([2, 4]), True)
    """
    y = gathered(y)
    is_blocks = isinstance(X, Source | str | PathLike) or is_dask(X)
    table = _Gathered(as_source(X)) if is_blocks else _InMemory(X)
    from_numbers = selector._method.learns_from.from_numbers
    codes = _codes(table.n_rows, None if from_numbers else y, missing_label)
    always = _always(codes, constraints, first, is_number=from_numbers)
    order = rows_in_turn(codes, always, random_state)
    most = table.most_rows if max_samples is None else max_samples
    labels = None if y is None else np.asarray(y)
    sizes: list[int] = []
    chosen: list[IndexArray] = []
    agreed: list[float] = []
    for size in _sizes(max(first, always.size), min(most, table.n_rows)):
        rows = np.sort(order[:size])
        fitted = deepcopy(selector).fit(
            table.take(order, size),
            None if labels is None else labels[rows],
            constraints=None if constraints is None else constraints.subset(rows),
            missing_label=missing_label,
        )
        _refuse_all(fitted)
        sizes.append(size)
        chosen.append(fitted.order_[: int(fitted.support_.sum())])
        agreed.append(_jaccard(chosen[-2], chosen[-1]) if len(chosen) > 1 else np.nan)
        is_enough = len(agreed) > n_stays and min(agreed[-n_stays:]) >= agreement
        if is_enough:
            break
    return EnoughRows(
        sizes[-1],
        is_enough,
        np.array(sizes),
        np.array(agreed),
        chosen[-1],
        rows,
        fitted,
    )


def _sizes(first: int, most: int) -> Iterator[int]:
    """Yield the sizes of draws: each twice the one before, the last all there are."""
    size = min(first, most)
    while size < most:
        yield size
        size *= 2
    yield most


def _jaccard(a: IndexArray, b: IndexArray) -> float:
    either = np.union1d(a, b).size
    return np.intersect1d(a, b).size / either if either else 1.0


def _refuse_all(fitted: BaseScoreSelector) -> None:
    if fitted.support_.all():
        raise ValueError(
            f"{type(fitted).__name__} chooses all {fitted.support_.size} features, so "
            "that none can leave the choice: set n_features_to_select (on the command "
            "line --top)."
        )


def _codes(n_rows: int, y: Any, missing_label: Any) -> IndexArray:
    """Return the class of each row, -1 for none."""
    if y is None:
        return np.full(n_rows, -1)
    codes = encode_labels(y, missing_label)[0]
    if codes.size != n_rows:
        raise ValueError(
            f"y has {codes.size:,} labels, X has {n_rows:,} rows: give one for each."
        )
    return codes


def _always(
    codes: IndexArray,
    constraints: PairConstraints | None,
    first: int,
    *,
    is_number: bool,
) -> IndexArray:
    """Return the rows of every draw."""
    labelled = np.flatnonzero(codes >= 0)
    told = [labelled] if labelled.size <= first // 2 and not is_number else []
    if constraints is not None:
        told += [constraints.must_link.ravel(), constraints.cannot_link.ravel()]
    return np.unique(np.concatenate([np.zeros(0, dtype=np.int64), *told]))


def rows_in_turn(
    codes: IndexArray, always: IndexArray, random_state: Any = 0
) -> IndexArray:
    """Return all rows in an order of which any beginning is a draw.

    codes : class of each row, -1 for none; always : rows that come first. Then come
    some rows of each class, then all at random.
    """
    order = as_generator(random_state).permutation(codes.size)
    turn = _turns(codes[order])
    turn[np.isin(order, always)] = -2.0
    return order[np.argsort(turn, kind="stable")]


def _turns(classes: IndexArray) -> FloatArray:
    """Return numbers to sort by: the first rows of each class, then shares of it."""
    by_class = np.argsort(classes, kind="stable")
    sizes = np.unique(classes, return_counts=True)[1]
    place = np.concatenate([np.arange(size) for size in sizes])
    share = place / np.repeat(sizes, sizes)
    turns = np.empty(classes.size)
    turns[by_class] = np.where(place < MIN_ROWS, place / MIN_ROWS - 1.0, share)
    return turns


class _InMemory:
    """Draws from a table in memory."""

    def __init__(self, X: Any) -> None:
        self._X = X if hasattr(X, "shape") else np.asarray(X)
        self.n_rows = self.most_rows = len(self._X)

    def take(self, order: IndexArray, size: int) -> Any:
        """Return the first rows of an order, sorted."""
        return rows_of(self._X, np.sort(order[:size]))


class _Gathered:
    """Draws from blocks: rows are gathered some doublings ahead."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self.n_rows = count_rows(source)
        head = take_rows(source, np.arange(min(1, self.n_rows)))
        self.most_rows = max(2, MAX_BYTES // (8 * head.shape[1]))
        self._numbers, self._X = np.zeros(0, dtype=np.int64), head[:0]

    def take(self, order: IndexArray, size: int) -> Any:
        """Return the first rows of an order, sorted."""
        n_known = self._numbers.size
        if size > n_known:
            ahead = min(size * 2**_AHEAD, self.most_rows)
            more = np.sort(order[n_known : max(size, ahead)])
            parts = [self._X, take_rows(self._source, more)]
            self._X = joined(parts) if n_known else parts[1]
            self._numbers = np.concatenate([self._numbers, more])
            by_number = np.argsort(self._numbers)
            self._numbers = self._numbers[by_number]
            self._X = rows_of(self._X, by_number)
        wanted = np.sort(order[:size])
        return rows_of(self._X, np.searchsorted(self._numbers, wanted))
