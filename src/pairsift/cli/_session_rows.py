"""Rows of a table in the order of the session that is about them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from pairsift.reports import Table

if TYPE_CHECKING:
    import pandas as pd


def in_session_order(
    table: Table, frame: pd.DataFrame, session: Path
) -> tuple[Table, pd.DataFrame]:
    """Return a table, and more columns of it, with the rows as the session has them.

    Rows are matched by their ids, if both have the same ones: the file of the table may
    have been sorted since, and answers are kept by the numbers of rows.
    """
    from pairsift.active import kept_ids

    kept = kept_ids(session) if table.ids is not None and session.exists() else None
    if table.ids is None or kept is None or kept == table.ids:
        return table, frame
    place = {name: row for row, name in enumerate(table.ids)}
    if sorted(kept) != sorted(place):
        return table, frame
    order = [place[name] for name in kept]
    ordered = replace(
        table,
        features=table.features.iloc[order].reset_index(drop=True),
        labels=None if table.labels is None else table.labels[order],
        ids=kept,
    )
    return ordered, frame.iloc[order].reset_index(drop=True)
