"""``pairsift select --enough-rows``: how many rows the choice needs, told and drawn."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

from pairsift.cli._ranking import as_data_error
from pairsift.reports import Line, Section, Table, figure, line_picture, paragraph

if TYPE_CHECKING:
    from pairsift.constraints import PairConstraints
    from pairsift.distributed import EnoughRows


def find_enough_rows(
    selector: Any, X: Any, table: Table, pairs: PairConstraints | None
) -> EnoughRows:
    """Rank growing draws of rows until the chosen features stay."""
    from pairsift.distributed import enough_rows

    from_numbers = selector._method.learns_from.from_numbers
    # What is odd about the data is said with the ranking.
    with as_data_error(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return enough_rows(
            selector,
            X,
            table.labels,
            pairs,
            missing_label=None if from_numbers else table.missing_label,
        )


def enough_text(enough: EnoughRows) -> str:
    """Say what was found in a sentence."""
    drawn = ", ".join(f"{size:,}" for size in enough.sizes.tolist())
    agreed = ", ".join(f"{share:.2f}" for share in enough.agreement[1:].tolist())
    said = "the chosen features stayed" if enough.is_enough else "they did not stay yet"
    if not agreed:
        return f"one draw of {drawn} rows holds all rows that can be drawn."
    return f"draws of {drawn} rows agree by {agreed}: {said}."


def enough_dict(enough: EnoughRows) -> dict[str, Any]:
    """Return what ``--json`` prints."""
    agreed = [None if np.isnan(share) else share for share in enough.agreement.tolist()]
    return {
        "n_rows": enough.n_rows,
        "is_enough": bool(enough.is_enough),
        "sizes": enough.sizes.tolist(),
        "agreement": agreed,
    }


def enough_section(enough: EnoughRows) -> str:
    """Draw the curve as a section of the report."""
    text = (
        "Rows were drawn at random, twice as many each time, and ranked until the "
        f"chosen features stayed twice: {enough_text(enough)} The ranking is that of "
        "the last draw. Two draws agree by the features that both chose, divided by "
        "those that either chose; 0.9 counts as staying."
    )
    parts = [paragraph(text)]
    if enough.sizes.size > 1:
        line = Line(enough.sizes[1:].tolist(), enough.agreement[1:].tolist())
        picture = line_picture(
            [line],
            name="enough-rows",
            title="Agreement of growing draws",
            x_title="rows of the larger draw",
            y_title="agreement",
            is_log=True,
            description=enough_text(enough),
        )
        parts.append(figure(picture, "Agreement of each draw with the one before."))
    return Section("How many rows are enough?", parts).html()
