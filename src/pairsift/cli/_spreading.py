"""``--spread``: pairs spread to the rows around them on the way to a ranking."""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pairsift._words import count
from pairsift.cli._numbers import as_numbers
from pairsift.cli._ranking import as_data_error
from pairsift.exceptions import DataError
from pairsift.reports import Table

if TYPE_CHECKING:
    from pairsift.active import HeldOut
    from pairsift.constraints import PairConstraints


class NearRows(StrEnum):
    """Which rows are near enough to spread to."""

    knn = "knn"
    full = "full"


Spread = Annotated[
    bool,
    typer.Option(
        "--spread",
        help="Spread the pairs to the rows around them first, as `pairsift propagate` "
        "does.",
    ),
]
SpreadGraph = Annotated[
    NearRows | None,
    typer.Option(
        "--graph",
        metavar="NAME",
        help="With --spread, similarities between nearest neighbours only (knn), or "
        "between all rows (full, as published; often no better than chance).",
        show_default="knn",
    ),
]


def spread_options(is_spread: bool, graph: NearRows | None) -> dict[str, Any] | None:
    """Return the options of the library's propagate, None if nothing is spread."""
    if not is_spread:
        if graph is not None:
            raise DataError("--graph goes with --spread: add it, or drop --graph.")
        return None
    return {"graph": str(graph or NearRows.knn)}


@dataclass(frozen=True)
class SpreadPairs:
    """Given pairs, and what they were spread to."""

    given: PairConstraints
    pairs: PairConstraints
    n_left_out: int
    """Number of given pairs that contradict others and were not spread."""
    checks: tuple[HeldOut, ...]
    options: dict[str, Any]

    @property
    def notes(self) -> list[str]:
        """What was spread, and checks that show more than chance."""
        given = count(len(self.given), "given pair", "given pairs")
        must = count(self.pairs.n_must_link, "must-link", "must-links")
        cannot = count(self.pairs.n_cannot_link, "cannot-link", "cannot-links")
        return [
            f"{given} spread to {len(self.pairs)}: {must}, {cannot}.",
            *(check_text(check) for check in self.checks if not check.is_chance),
        ]

    @property
    def warnings(self) -> list[str]:
        """What was left out, and checks that show no more than chance."""
        texts = [check_text(check) for check in self.checks if check.is_chance]
        if self.n_left_out:
            left_out = count(self.n_left_out, "given pair is", "given pairs are")
            texts.append(
                f"{left_out} not spread, the least supported of those that contradict "
                "each other."
            )
        return texts

    def as_dict(self) -> dict[str, Any]:
        """Return what ``--json`` prints."""
        return {
            **self.options,
            "n_given": len(self.given),
            "n_left_out": self.n_left_out,
            "n_must_link": self.pairs.n_must_link,
            "n_cannot_link": self.pairs.n_cannot_link,
            "held_out": [check_as_dict(check) for check in self.checks],
        }


def spread_pairs(
    given: PairConstraints, table: Table, options: dict[str, Any], *, is_scaled: bool
) -> SpreadPairs:
    """Spread given pairs; of those that contradict each other, the better supported."""
    from pairsift.active import propagate
    from pairsift.constraints import PairConstraints

    X = as_numbers(table.features, is_scaled=is_scaled)
    with warnings.catch_warnings(), as_data_error():
        # That it is no better than chance is said once, in the words of the check.
        warnings.simplefilter("ignore")
        kept, left_out = given.without_conflicts()
        found = propagate(kept, X, **options)
    pairs = PairConstraints(found.must_link, found.cannot_link, found.n_samples)
    return SpreadPairs(given, pairs, len(left_out), found.held_out, options)


def check_text(check: HeldOut) -> str:
    """Say how far to trust what was spread."""
    if check.is_chance:
        return f"the spread {check.link}-links may be no better than chance: {check}"
    return f"check of the {check.link}-links: {check}"


def check_as_dict(check: HeldOut) -> dict[str, Any]:
    """Return a check for programs; JSON knows no NaN."""
    fields = {
        key: None if isinstance(value, float) and math.isnan(value) else value
        for key, value in check._asdict().items()
    }
    return fields | {"is_chance": check.is_chance}
