"""How long a ranking takes, and fewer rows where that is too long."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from pairsift.cli._console import Messages
from pairsift.cli._ranking import as_data_error
from pairsift.reports import Table

if TYPE_CHECKING:
    from pairsift._typing import IndexArray
    from pairsift.constraints import PairConstraints
    from pairsift.selectors import Method

LONG = 60.0
"""Seconds from which on something shorter is proposed."""
SHORT = 15.0
"""Seconds that a proposal may take."""
SMALLEST_DRAW = 200
UNITS = (
    (172_800.0, 86_400.0, "days"),
    (5400.0, 3600.0, "hours"),
    (90.0, 60.0, "minutes"),
    (1.0, 1.0, "s"),
)
"""From how many seconds on a duration is told in a unit, and how many that has."""


class Cost:
    """About how long a fit takes, and which options would make it shorter."""

    def __init__(
        self,
        selector: Any,
        method: Method,
        table: Table,
        pairs: PairConstraints | None,
        *,
        uses_labels: bool = True,
    ) -> None:
        self.selector = selector
        self.n_rows, self.n_features = table.features.shape
        codes = _classes(table, method)
        self.n_labelled = int((codes >= 0).sum()) if uses_labels else 0
        self.n_classes = int(codes.max(initial=0)) + 1
        self.n_pairs = 0 if pairs is None else pairs.n_must_link + pairs.n_cannot_link
        self.makes_pairs = self.n_labelled > 0 and method.learns_from.from_pairs
        with as_data_error():
            self.seconds = self._seconds()

    @contextmanager
    def progress(self, messages: Messages, text: str) -> Iterator[None]:
        """Show a spinner while a short fit runs, or how far a long one has come."""
        if self.seconds < SHORT:
            with messages.progress(text):
                yield
            return
        from pairsift._kernels import watching

        # Kernels report nanoseconds of one core.
        total = 1e9 * self._seconds(n_jobs=1)
        with messages.progress(text, total) as advance, watching(advance):
            yield

    @property
    def advice(self) -> str | None:
        """A sentence on a long fit and what is shorter, None for a short one."""
        if self.seconds < LONG:
            return None
        shorter = [
            f"{text} about {spoken(seconds)}"
            for text, seconds in self._proposals()
            if seconds <= self.seconds / 4
        ]
        said = f"this may take {spoken(self.seconds)} (Ctrl-C stops it)"
        if not shorter:
            return f"{said}."
        return f"{said}; {', '.join(shorter).replace(' about', ' takes about', 1)}."

    def _seconds(
        self,
        *,
        share: float = 1.0,
        n_pairs: int | None = None,
        n_jobs: int | None = -1,
        **parameters: Any,
    ) -> float:
        """Estimate the time for a share of the rows, drawn pairs, other parameters."""
        from sklearn.base import clone

        from pairsift.selectors import estimate_seconds

        n_labelled = int(share * self.n_labelled)
        if n_pairs is not None:
            n_labelled = 0
        elif self.makes_pairs:
            n_pairs = n_labelled * (n_labelled - 1) // 2
        return estimate_seconds(
            clone(self.selector).set_params(**parameters),
            max(int(share * self.n_rows), 2),
            self.n_features,
            n_labelled=n_labelled,
            n_pairs=self.n_pairs + (n_pairs or 0),
            n_classes=self.n_classes,
            n_jobs=n_jobs,
        )

    def _proposals(self) -> Iterator[tuple[str, float]]:
        def of_rows(n_rows: int) -> float:
            return self._seconds(share=n_rows / self.n_rows)

        n_rows = _largest(of_rows, SMALLEST_DRAW, self.n_rows // 2)
        if n_rows:
            yield f"--max-samples {n_rows}", of_rows(n_rows)
        n_pairs = 0
        if self.makes_pairs:
            n_pairs = _largest(lambda p: self._seconds(n_pairs=2 * p), 100, 10_000)
        if n_pairs:
            yield f"--sample-pairs {n_pairs}", self._seconds(n_pairs=2 * n_pairs)
        for name, value in self.selector._method.cheaper.items():
            yield f"--param {name}={value}", self._seconds(**{name: value})


def _largest(seconds: Callable[[int], float], least: int, most: int) -> int:
    """Return the largest round number that is fast enough, 0 if there is none."""
    numbers = [m * 10**k for k in range(7) for m in (1, 2, 5)]
    fitting = [n for n in numbers if least <= n <= most and seconds(n) <= SHORT]
    return max(fitting, default=0)


def spoken(seconds: float) -> str:
    """Return a duration as people say it, with one digit that counts."""
    for least, unit, name in UNITS:
        if seconds >= least:
            return f"{float(f'{seconds / unit:.1g}'):g} {name}"
    return "a second"


def draw_rows(
    table: Table, pairs: PairConstraints | None, n_rows: int, method: Method
) -> tuple[Table, PairConstraints | None]:
    """Draw rows, the same ones each time: those of pairs, a share of each class."""
    from pairsift.distributed import rows_in_turn

    if n_rows >= len(table.features):
        return table, pairs
    paired = np.zeros(0, dtype=np.int64)
    if pairs is not None:
        paired = np.unique(np.concatenate([pairs.must_link, pairs.cannot_link]))
    order = rows_in_turn(_classes(table, method), paired)
    return take_rows(table, pairs, np.sort(order[: max(n_rows, paired.size)]))


def take_rows(
    table: Table, pairs: PairConstraints | None, rows: IndexArray
) -> tuple[Table, PairConstraints | None]:
    """Keep some rows of a table, and the pairs inside them."""
    drawn = replace(
        table,
        features=table.features.iloc[rows].reset_index(drop=True),
        labels=None if table.labels is None else table.labels[rows],
        ids=[str(row) if table.ids is None else table.ids[row] for row in rows],
        n_drawn_from=len(table.features),
    )
    return drawn, None if pairs is None else pairs.subset(rows)


def _classes(table: Table, method: Method) -> IndexArray:
    """Return the class of each row, -1 for none; all 0 where there are no classes."""
    from pairsift.constraints import encode_labels

    if method.learns_from.from_numbers:
        return np.zeros(len(table.features), dtype=np.int64)
    if table.labels is None:
        return np.full(len(table.features), -1)
    # What is odd about the labels is said with the ranking.
    with as_data_error(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return encode_labels(table.labels, table.missing_label)[0]
