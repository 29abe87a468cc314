"""``pairsift select``: rank the columns of a table."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from pairsift._words import did_you_mean
from pairsift.cli._console import Messages, is_terminal, print_json, print_table
from pairsift.cli._cost import draw_rows, take_rows
from pairsift.cli._drawn_table import is_text, unread
from pairsift.cli._enough import (
    enough_dict,
    enough_section,
    enough_text,
    find_enough_rows,
)
from pairsift.cli._loading import Reading, loaded, rank_loaded
from pairsift.cli._na_words import na_words
from pairsift.cli._number import with_number
from pairsift.cli._options import (
    AsJson,
    Categorical,
    DataFile,
    Drop,
    IdColumn,
    KeepNa,
    Na,
    Quiet,
    Scaled,
    Unlabelled,
)
from pairsift.cli._output import check_outputs, check_ranking_suffix, write_ranking
from pairsift.cli._ranking import PAIR_METHOD, PILE_METHOD, find_method
from pairsift.cli._spreading import Spread, SpreadGraph, spread_options, spread_pairs
from pairsift.cli._tables import draw_constraints, has_confidences, join_pairs
from pairsift.exceptions import DataError
from pairsift.reports import SAFER, Ranking, write_report

SHORT = 30
"""Number of features that a terminal shows without being asked."""
# Chosen by the benchmark `ask` on the sets kept for choosing, see the guide.
LABEL_METHOD = PILE_METHOD
GAPS_METHOD = "relieff"
BLIND_METHOD = "unsupervised-mrmr"
BLIND = (
    "without labels or pairs nothing tells what matters to you: features that go with "
    "many others come first; `pairsift query` asks for a few answers."
)
_WORDS = {"true": True, "false": False, "none": None}


def select(
    ctx: typer.Context,
    data: DataFile,
    label: Annotated[
        str | None,
        typer.Option(
            metavar="COLUMN",
            help="Column of class labels; rows with an empty cell are unlabelled. For "
            "rrelieff, the number to predict.",
        ),
    ] = None,
    unlabelled: Unlabelled = None,
    labels: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="CSV of piles with the columns row,pile, as `query --labels` writes "
            "it, in place of --label.",
        ),
    ] = None,
    constraints: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="CSV with the columns a,b,link; link is must or cannot, a and b are "
            "row numbers from 0, or row ids with --id.",
        ),
    ] = None,
    sample_pairs: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=1,
            help="Learn from N cannot-links drawn at random from the labels, and as "
            "many must-links if the method uses them, beside those of --constraints.",
            show_default="all pairs of labelled rows",
        ),
    ] = None,
    is_spread: Spread = False,
    graph: SpreadGraph = None,
    max_samples: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=2,
            help="Draw N rows, of each class its share, and leave out the others; rows "
            "of --constraints always stay.",
            show_default="all rows",
        ),
    ] = None,
    is_enough_rows: Annotated[
        bool,
        typer.Option(
            "--enough-rows",
            help="Draw rows, twice as many each time, until the features of --top "
            "stay, and leave out the others; the report shows the curve.",
        ),
    ] = False,
    is_streamed: Annotated[
        bool | None,
        typer.Option(
            "--stream/--no-stream",
            help="Read a Parquet file, or a folder of them, block by block.",
            show_default="if the table takes more than a quarter of the free memory",
        ),
    ] = None,
    dask: Annotated[
        bool,
        typer.Option("--dask", help="Read blocks on all cores, as processes of Dask."),
    ] = False,
    scheduler: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS",
            help="Read blocks on the Dask cluster of this scheduler, whose workers see "
            "the file by the same path.",
        ),
    ] = None,
    id_column: IdColumn = None,
    drop: Drop = None,
    na: Na = None,
    keep_na: KeepNa = None,
    categorical: Categorical = None,
    method: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="One of `pairsift methods`.",
            show_default="pair-logistic with pairs, semi-mrmr with labels (relieff "
            "where values are missing), else unsupervised-mrmr",
        ),
    ] = None,
    param: Annotated[
        list[str] | None,
        typer.Option(
            metavar="KEY=VALUE",
            help="Parameter of the method, such as n_neighbors=5; repeat for more.",
        ),
    ] = None,
    top: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=1,
            help="Number of features to select.",
            show_default="the number that the method finds, or 10 if it finds none",
        ),
    ] = None,
    is_scaled: Scaled = True,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Write the ranking: .csv, .tsv, .json or .parquet."
        ),
    ] = None,
    report: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write a self-contained HTML page."),
    ] = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Rank and select the features of a table.

    What is known about the rows comes from --label (some rows may lack a label),
    from --constraints (pairs that are the same or different), or from both: a
    method of pairs then learns from these and from the pairs of labelled rows.

    [bold]Examples[/]

    pairsift select wine.csv --label class --top 5

    pairsift select wine.csv --id bottle --constraints pairs.csv --report wine.html

    pairsift select wine.csv --drop class --constraints pairs.csv --spread

    pairsift select wine.csv --drop class --method variance-score --json
    """
    # Loads the selectors, which `pairsift --help` does not wait for.
    from pairsift.cli._streaming import Where, check_streaming, is_in_blocks, opened

    messages = Messages(quiet)
    has_pairs = constraints is not None or sample_pairs is not None
    has_labels = label is not None or labels is not None
    default = default_method(has_labels=has_labels, has_pairs=has_pairs)
    selector_class, line = find_method(method or default)
    parameters = fit_parameters(selector_class, line.name, param or [], top)
    _check_sampling(sample_pairs, label)
    spreading = spread_options(is_spread, graph)
    _check_spreading(is_spread, constraints, label)
    if label is not None and labels is not None:
        raise DataError("--label and --labels say the same: drop one.")
    _check_drawing(max_samples, is_enough_rows, is_spread or sample_pairs is not None)
    check_ranking_suffix(out)
    check_outputs([out, report], [data, constraints, labels])
    reading = Reading(
        label,
        id_column,
        drop or [],
        na_words(na, keep_na),
        categorical or [],
        unlabelled,
    )
    where = Where(is_streamed, dask, scheduler)
    is_drawn = is_enough_rows or max_samples is not None
    if is_in_blocks(data, where):
        check_streaming(line, is_drawn=is_drawn, is_spread=is_spread)
        opening: Any = opened(data, where, reading, messages)
    elif max_samples is not None and is_text(data):
        opening = unread(data, reading)
    else:
        opening = loaded(data, reading)
    with ExitStack() as stack:
        with messages.progress(f"Reading {data.name}"):
            given = stack.enter_context(opening)
            table = given.table if labels is None else given.with_piles(labels)
            if method is None and default == LABEL_METHOD and given.has_gaps:
                default = GAPS_METHOD
                selector_class, line = find_method(default)
                parameters = fit_parameters(selector_class, default, param or [], top)
            number = with_number(selector_class, parameters, given.n_features)
            parameters = number.parameters
            pairs = None if constraints is None else given.pairs(constraints)
            enough = None
            if is_enough_rows:
                selector, blocks = selector_class(**parameters), given.X(is_scaled)
                enough = find_enough_rows(selector, blocks, table, pairs)
                table, pairs = take_rows(table, pairs, enough.rows)
            elif max_samples is not None:
                table, pairs = draw_rows(table, pairs, max_samples, line)
            table = given.with_features(table)
            if sample_pairs is not None:
                uses_must = "must" in line.learns_from.kinds
                drawn = draw_constraints(table, sample_pairs, with_must_links=uses_must)
                pairs = drawn if pairs is None else join_pairs(pairs, drawn, table)
        for note in [
            *table.notes,
            *([] if line.learns_from.from_numbers else table.label_notes),
            *([] if enough is None else [enough_text(enough)]),
        ]:
            messages.note(note)
        _check_top(top, given.n_features)
        spread = None
        if pairs is not None and spreading is not None:
            with messages.progress("Spreading"):
                spread = spread_pairs(pairs, table, spreading, is_scaled=is_scaled)
            for note in spread.notes:
                messages.note(note)
            pairs = spread.pairs
        rank = given.rank if table.n_drawn_from is None else rank_loaded
        ranking = rank(
            selector_class,
            line,
            parameters,
            table,
            pairs,
            messages,
            is_scaled=is_scaled,
            uses_labels=sample_pairs is None,
            answers=None if spread is None else spread.given,
        )
    if spread is not None:
        ranking = replace(ranking, warnings=[*spread.warnings, *ranking.warnings])
    if constraints is not None and has_confidences(constraints):
        messages.note(
            f"{constraints.name}: the column confidence is not used: each pair counts "
            "the same."
        )
    if method is None:
        messages.note(f"method {default}, the default here; --method takes another.")
    if (method or default) == BLIND_METHOD:
        messages.warn(BLIND)
    messages.note(_summary(ranking))
    if number.chosen_by != "user":
        messages.note(number.note(ranking.n_selected, ranking.method.name))
    for warning in ranking.warnings:
        messages.warn(warning)
    if out is not None:
        write_ranking(ranking, out)
        messages.note(f"wrote {out}")
    if report is not None:
        title = f"{data.name}, features ranked"
        with messages.progress("Writing the report"):
            curve = "" if enough is None else enough_section(enough)
            write_report(report, ranking, title=title, command=ctx.obj, results=curve)
        messages.note(f"wrote {report}")
    if as_json:
        told = None if spread is None else spread.as_dict()
        curve_told = {} if enough is None else {"enough_rows": enough_dict(enough)}
        chosen = {
            "n_selected": ranking.n_selected,
            "n_selected_chosen_by": number.chosen_by,
        }
        print_json(ranking.as_dict() | chosen | {"spread": told} | curve_told)
    else:
        print_ranking(ranking)


def default_method(*, has_labels: bool, has_pairs: bool) -> str:
    """Return the method that is taken when none is named.

    Coin flips, a column with one outlier and columns of noise must not come first.
    """
    if has_pairs:
        return PAIR_METHOD
    return LABEL_METHOD if has_labels else BLIND_METHOD


def _summary(ranking: Ranking) -> str:
    """Say in a sentence what was done."""
    known = []
    if ranking.table.labels is not None:
        known.append(f"{ranking.n_labelled} labelled")
    if ranking.n_constraints_used:
        joined = ""
        if ranking.n_labelled_pairs:
            joined = f", {ranking.n_labelled_pairs} of them of labelled rows"
        known.append(f"{ranking.n_constraints_used} pairs used{joined}")
    return (
        f"{ranking.method.name} ranked {len(ranking.features)} features of "
        f"{ranking.rows_text}"
        + (f" ({', '.join(known)})" if known else "")
        + f" and selected {ranking.n_selected}."
    )


def print_ranking(ranking: Ranking) -> None:
    """Print the ranking; on a terminal only as much as can be read."""
    shown = ranking.features
    if is_terminal() and len(shown) > SHORT:
        is_cut = ranking.n_selected < len(shown)
        shown = shown[: ranking.n_selected if is_cut else SHORT]
    n_more = len(ranking.features) - len(shown)
    print_table(
        ["rank", "feature", "score", "selected"],
        [
            [str(f.rank), f.name, f.score_text, "yes" if f.is_selected else "no"]
            for f in shown
        ],
        right=["rank", "score"],
        whole=["rank", "score", "selected"],
        styles=["bold" if f.is_selected else "dim" for f in shown],
        caption=f"... and {n_more} more (use --out for all)" if n_more else None,
    )


def fit_parameters(
    selector_class: Any, method: str, given: Sequence[str] = (), top: int | None = None
) -> dict[str, Any]:
    """Return the parameters of a selector from KEY=VALUE."""
    accepted = selector_class().get_params()
    parameters = dict(SAFER.get(method, {}))
    # A command gives the same result each time unless told otherwise.
    if "random_state" in accepted:
        parameters["random_state"] = 0
    if top is not None:
        parameters["n_features_to_select"] = top
    for text in given:
        key, is_assigned, value = text.partition("=")
        if not is_assigned:
            raise DataError(f"--param takes KEY=VALUE, got {text!r}.")
        if key not in accepted:
            raise DataError(
                f"{method} has no parameter {key!r}{did_you_mean(key, accepted)}: it "
                f"takes {', '.join(accepted)}."
            )
        if key == "n_features_to_select" and top is not None:
            raise DataError(
                "--top and --param n_features_to_select say the same: drop one."
            )
        parameters[key] = _literal(value)
    return parameters


def _check_drawing(
    max_samples: int | None, is_enough_rows: bool, is_more_told: bool
) -> None:
    if is_enough_rows and max_samples is not None:
        raise DataError("--enough-rows and --max-samples both draw rows: drop one.")
    if is_enough_rows and is_more_told:
        raise DataError(
            "--enough-rows goes neither with --spread nor with --sample-pairs: find "
            "the number of rows first, then give it with --max-samples."
        )


def _check_sampling(sample_pairs: int | None, label: str | None) -> None:
    if sample_pairs is not None and label is None:
        raise DataError("--sample-pairs draws from labels: it goes with --label.")


def _check_spreading(
    is_spread: bool, constraints: Path | None, label: str | None
) -> None:
    if is_spread and (constraints is None or label is not None):
        raise DataError(
            "--spread goes with --constraints and without --label: it guesses what "
            "labels tell for sure."
        )


def _literal(text: str) -> Any:
    """Read a number, a list, True, ... and take anything else as text."""
    if text.lower() in _WORDS:
        return _WORDS[text.lower()]
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return text


def _check_top(top: int | None, n_features: int) -> None:
    if top is not None and top > n_features:
        raise DataError(f"--top {top} asks for more than the {n_features} features.")
