"""A table that is loaded for ``pairsift select``, and its ranking."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from pairsift._formulas import name_among
from pairsift.cli._console import Messages
from pairsift.cli._cost import Cost
from pairsift.cli._piles_file import read_piles
from pairsift.cli._ranking import rank_features
from pairsift.cli._tables import read_constraints, read_table, scale
from pairsift.reports import Ranking, Table

if TYPE_CHECKING:
    import pandas as pd

    from pairsift.constraints import PairConstraints
    from pairsift.selectors import Method


class Reading(NamedTuple):
    """Which columns of a file are features, and how cells are read."""

    label: str | None
    id_column: str | None
    drop: Sequence[str]
    na: Sequence[str]
    categorical: Sequence[str]
    unlabelled: str | None

    def named(self) -> list[tuple[str, str]]:
        """Return the columns that options name, with the options."""
        named = [
            (self.label, "--label"),
            (self.id_column, "--id"),
            *((column, "--drop") for column in self.drop),
            *((column, "--categorical") for column in self.categorical),
        ]
        return [(column, option) for column, option in named if column is not None]

    def among(self, columns: Sequence[str]) -> Reading:
        """Return the same with the names that a table has, without their guards."""
        label, id_column = self.label, self.id_column
        return self._replace(
            label=None if label is None else name_among(label, columns),
            id_column=None if id_column is None else name_among(id_column, columns),
            drop=[name_among(column, columns) for column in self.drop],
            categorical=[name_among(column, columns) for column in self.categorical],
        )


@dataclass(frozen=True)
class Loaded:
    """A table in memory; `Streamed` has methods of the same names for blocks."""

    table: Table

    @property
    def n_features(self) -> int:
        """Number of features."""
        return self.table.features.shape[1]

    @property
    def has_gaps(self) -> bool:
        """Whether values are missing, which not every method takes."""
        return bool(self.table.features.isna().to_numpy().any())

    def with_piles(self, path: Path) -> Table:
        """Return the table with the piles of a file as its labels."""
        return read_piles(path, self.table)

    def pairs(self, path: Path) -> PairConstraints:
        """Read pairs of its rows."""
        return read_constraints(path, self.table)

    def X(self, is_scaled: bool) -> pd.DataFrame:
        """Return the features, numbers scaled to 0..1 if wanted."""
        return scale(self.table.features) if is_scaled else self.table.features

    def with_features(self, table: Table) -> Table:
        """Return a draw with its features, which it has."""
        return table

    def rank(self, *arguments: Any, **options: Any) -> Ranking:
        """Rank the features of the table."""
        return rank_loaded(*arguments, **options)


@contextmanager
def loaded(path: Path, reading: Reading) -> Iterator[Loaded]:
    """Read a table."""
    table = read_table(
        path,
        reading.label,
        reading.id_column,
        reading.drop,
        na=reading.na,
        categorical=reading.categorical,
        unlabelled=reading.unlabelled,
    )
    yield Loaded(table)


def rank_loaded(
    selector_class: Any,
    method: Method,
    parameters: dict[str, Any],
    table: Table,
    pairs: PairConstraints | None,
    messages: Messages,
    *,
    is_scaled: bool,
    uses_labels: bool,
    answers: PairConstraints | None,
) -> Ranking:
    """Rank features in memory; say before if it takes long, and what is shorter."""
    selector = selector_class(**parameters)
    cost = Cost(selector, method, table, pairs, uses_labels=uses_labels)
    if cost.advice is not None:
        messages.note(cost.advice)
    with cost.progress(messages, f"Ranking {table.features.shape[1]} features"):
        return rank_features(
            selector_class,
            method,
            parameters,
            table,
            pairs,
            is_scaled=is_scaled,
            uses_labels=uses_labels,
            answers=answers,
        )
