"""Cells of CSV files that a spreadsheet would run as a formula, made harmless."""

from __future__ import annotations

from collections.abc import Container
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

# A spreadsheet takes a cell that begins with one of these for a formula.
FORMULA_SIGNS = ("=", "+", "-", "@", "\t", "\r")


def guarded(cell: Any) -> Any:
    """Return a cell that no spreadsheet takes for a formula; numbers stay."""
    return f"'{cell}" if isinstance(cell, str) and _is_formula(cell) else cell


def unguarded(cell: str) -> str:
    """Return the text of which `guarded` made a cell."""
    return cell[1:] if cell.startswith("'") and _is_formula(cell) else cell


def guarded_frame(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a data frame whose cells and names no spreadsheet takes for formulas."""
    return frame.map(guarded).rename(columns=guarded)


def name_among(name: str, known: Container[str]) -> str:
    """Return the name that is known: the one given, or else the one without guard."""
    return name if name in known else unguarded(name)


def id_among(cell: str, known: Container[str]) -> str:
    """Return the id that a cell of a file names.

    Files are written with guards, so that the text without the guard comes first.
    """
    bare = unguarded(cell)
    if bare not in known and bare != cell:
        bare = bare.strip()
    return bare if bare in known else cell


def _is_formula(cell: str) -> bool:
    """Whether a cell takes a guard; one that has guards takes another."""
    bare = cell.lstrip("'")
    if not bare.startswith(FORMULA_SIGNS):
        return False
    try:
        float(bare)
    except ValueError:
        return True
    return False
