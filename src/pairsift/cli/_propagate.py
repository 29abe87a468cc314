"""``pairsift propagate``: spread pairs to the rows around them."""

from __future__ import annotations

import csv
import sys
import warnings
from collections.abc import Iterator, Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from pairsift._formulas import guarded
from pairsift._replacing import replacing
from pairsift._words import count, printable
from pairsift.cli._console import Messages, is_terminal, print_json
from pairsift.cli._numbers import as_numbers, filling_notes
from pairsift.cli._options import (
    AsJson,
    Categorical,
    DataFile,
    Drop,
    IdColumn,
    Na,
    Quiet,
    Scaled,
    Unlabelled,
)
from pairsift.cli._output import check_outputs
from pairsift.cli._query import GraphName
from pairsift.cli._ranking import as_data_error
from pairsift.cli._spreading import check_as_dict, check_text
from pairsift.cli._tables import read_constraints, read_table
from pairsift.exceptions import DataError
from pairsift.reports import Table, row_name

if TYPE_CHECKING:
    from pairsift.active import HeldOut, PropagatedConstraints
    from pairsift.constraints import PairConstraints


class Links(StrEnum):
    """Which pairs are spread."""

    cannot = "cannot"
    must = "must"
    both = "both"


class SpreadPair(NamedTuple):
    """A line of the result."""

    a: int
    b: int
    link: str
    confidence: float
    is_given: bool


def propagate(
    data: DataFile,
    constraints: Annotated[
        Path,
        typer.Option(
            metavar="FILE",
            help="CSV with the columns a,b,link; link is must or cannot, a and b are "
            "row numbers from 0, or row ids with --id.",
        ),
    ],
    label: Annotated[
        str | None,
        typer.Option(
            metavar="COLUMN",
            help="Column of class labels, left out of the features: says how many of "
            "the new pairs agree with it.",
        ),
    ] = None,
    unlabelled: Unlabelled = None,
    id_column: IdColumn = None,
    drop: Drop = None,
    na: Na = None,
    categorical: Categorical = None,
    links: Annotated[
        Links,
        typer.Option(
            metavar="NAME", help=f"Which pairs to spread: {', '.join(Links)}."
        ),
    ] = Links.cannot,
    alpha: Annotated[
        float,
        typer.Option(
            metavar="NUMBER", help="How much a row takes from its neighbours, 0 to 1."
        ),
    ] = 0.99,
    threshold: Annotated[
        str,
        typer.Option(
            metavar="NUMBER",
            help="Confidence from which on a pair is taken, or mean-row-max.",
        ),
    ] = "mean-row-max",
    graph: Annotated[
        GraphName,
        typer.Option(
            metavar="NAME",
            help="Similarities between nearest neighbours only (knn), or between all "
            "rows (full, as published; often no better than chance); auto is full up "
            "to 3,000 rows.",
        ),
    ] = GraphName.knn,
    is_scaled: Scaled = True,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="CSV with the columns a,b,link,confidence, for --constraints again.",
            show_default="stdout",
        ),
    ] = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Spread pairs to the rows around them.

    Rows that are like two rows said to be different are probably different, too.
    These pairs are guesses, each with a confidence; those given stay as they are.
    How well given pairs are found again from the others says whether to trust them.
    Methods that take the pairs afterwards do not weigh them by confidence.

    [bold]Examples[/]

    pairsift propagate wine.csv --constraints constraints.csv --out spread.csv

    pairsift propagate wine.csv --constraints constraints.csv --label class --links both
    """
    messages = Messages(quiet)
    options = {
        "alpha": alpha,
        "graph": str(graph),
        "threshold": _threshold(threshold),
        "links": str(links),
    }
    check_outputs([out], [data, constraints])
    with messages.progress(f"Reading {data.name}"):
        table = read_table(
            data,
            label,
            id_column,
            drop or [],
            na=na or [],
            categorical=categorical or [],
            unlabelled=unlabelled,
        )
        given = read_constraints(constraints, table)
        X = as_numbers(table.features, is_scaled=is_scaled)
    notes = [*table.notes, *table.label_notes, *filling_notes(table.features)]
    for note in notes:
        messages.note(note)
    with messages.progress("Spreading"), as_data_error():
        spread, checks = _spread(given, X, options)
    messages.note(_summary(spread))
    for check in checks:
        tell = messages.warn if check.is_chance else messages.note
        tell(check_text(check))
    agreement = None if table.labels is None else _agreement(spread, table)
    if agreement is not None:
        messages.note(_agreement_text(**agreement))
    if out is not None:
        with (
            replacing(out) as draft,
            draft.open("w", newline="", encoding="utf-8") as file,
        ):
            _write(spread, table.ids, file)
        messages.note(f"wrote {out}")
    if as_json:
        document = {**options, **_counts(spread), "agreement": agreement}
        document["held_out"] = [check_as_dict(check) for check in checks]
        if out is None:
            document["pairs"] = list(_as_dicts(spread, table.ids))
        print_json(document)
    elif out is None:
        ids = table.ids
        if ids is not None and is_terminal():
            ids = [*map(printable, ids)]
        _write(spread, ids, sys.stdout)


def _threshold(text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        if text == "mean-row-max":
            return text
        raise DataError(
            f"--threshold takes a positive number or mean-row-max, got {text!r}."
        ) from None


def _spread(
    given: PairConstraints, X: Any, options: dict[str, Any]
) -> tuple[list[SpreadPair], tuple[HeldOut, ...]]:
    from pairsift.active import propagate as spread

    with warnings.catch_warnings():
        # That it is no better than chance is said once, in the words of the check.
        warnings.simplefilter("ignore")
        found: PropagatedConstraints = spread(given, X, **options)
    kinds = {
        "must": (found.must_link, found.must_confidence, given.must_link),
        "cannot": (found.cannot_link, found.cannot_confidence, given.cannot_link),
    }
    pairs_found = []
    for link, (pairs, confidences, known) in kinds.items():
        is_known = set(map(tuple, known.tolist()))
        for (a, b), confidence in zip(
            pairs.tolist(), confidences.tolist(), strict=True
        ):
            pairs_found.append(SpreadPair(a, b, link, confidence, (a, b) in is_known))
    return pairs_found, found.held_out


def _counts(spread: Sequence[SpreadPair]) -> dict[str, int]:
    return {
        "n_given": sum(c.is_given for c in spread),
        "n_must_link": sum(c.link == "must" for c in spread),
        "n_cannot_link": sum(c.link == "cannot" for c in spread),
    }


def _summary(spread: Sequence[SpreadPair]) -> str:
    counts = _counts(spread)
    given = count(counts["n_given"], "given pair", "given pairs")
    must = count(counts["n_must_link"], "must-link", "must-links")
    cannot = count(counts["n_cannot_link"], "cannot-link", "cannot-links")
    return f"{given} spread to {len(spread)}: {must}, {cannot}."


def _agreement(spread: Sequence[SpreadPair], table: Table) -> dict[str, Any]:
    """Count the new pairs that the labels confirm, and what random ones would."""
    from pairsift.constraints import LabelledPairs, encode_labels

    codes = encode_labels(table.labels, table.missing_label)[0]
    existing = {link: LabelledPairs(codes).count(link) for link in ("must", "cannot")}
    labels = codes.tolist()
    new = [c for c in spread if not c.is_given]
    known = [c for c in new if labels[c.a] >= 0 and labels[c.b] >= 0]
    n_agreeing = sum((labels[c.a] == labels[c.b]) == (c.link == "must") for c in known)
    return {
        "n_new": len(new),
        "n_agreeing": n_agreeing,
        "n_disagreeing": len(known) - n_agreeing,
        "n_unlabelled": len(new) - len(known),
        "share_by_chance": None
        if not known
        else sum(existing[c.link] for c in known)
        / (len(known) * sum(existing.values())),
    }


def _agreement_text(
    n_new: int,
    n_agreeing: int,
    n_disagreeing: int,
    n_unlabelled: int,
    share_by_chance: float | None,
) -> str:
    n_known = n_agreeing + n_disagreeing
    share = ""
    if n_known:
        share = f" ({n_agreeing / n_known:.1%}, random ones {share_by_chance:.1%})"
    rest = f"; {n_unlabelled} have an unlabelled row" if n_unlabelled else ""
    return (
        f"of {n_new} new pairs, {n_agreeing} agree with the labels{share} and "
        f"{n_disagreeing} do not{rest}."
    )


def _write(spread: Sequence[SpreadPair], ids: Sequence[str] | None, file: Any) -> None:
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(["a", "b", "link", "confidence"])
    for c in spread:
        ends = row_name(c.a, ids), row_name(c.b, ids)
        writer.writerow([*map(guarded, ends), c.link, f"{c.confidence:.6g}"])


def _as_dicts(
    spread: Sequence[SpreadPair], ids: Sequence[str] | None
) -> Iterator[dict[str, Any]]:
    for c in spread:
        yield {
            "a": row_name(c.a, ids),
            "b": row_name(c.b, ids),
            "link": c.link,
            "confidence": c.confidence,
            "given": c.is_given,
        }
