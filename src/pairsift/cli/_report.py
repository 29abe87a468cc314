"""The report: one HTML page that needs nothing but itself."""

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Any

from pairsift.cli._pictures import MOST_BARS, bar_picture
from pairsift.cli._ranking import Ranking, versions
from pairsift.cli._tables import row_name

MOST_ROWS = 1000
MOST_PAIRS = 50
_SIGNS = {"must": "=", "cannot": "≠"}


def write_report(
    path: Path,
    ranking: Ranking,
    *,
    title: str,
    command: str,
    lead: str | None = None,
    results: str = "",
) -> None:
    """Write the page; `results` is HTML that goes before the ranking."""
    room = files("pairsift.cli")
    template = Template(room.joinpath("report.html").read_text(encoding="utf-8"))
    page = template.substitute(
        title=escape(title),
        css=room.joinpath("report.css").read_text(encoding="utf-8").strip(),
        lead=escape(lead or _lead(ranking)),
        results=results,
        picture=bar_picture(ranking.features),
        picture_note=_picture_note(ranking),
        ranking=_ranking_table(ranking),
        warnings=_warnings(ranking.warnings),
        constraints=_constraints(ranking),
        command=escape(command),
        parameters=_two_columns("Parameters", ranking.parameters),
        versions=_two_columns("Versions", versions()),
    )
    path.write_text(page, encoding="utf-8")


def html_table(
    header: Sequence[str],
    rows: Iterable[Sequence[str]],
    *,
    numbers: Sequence[str] = (),
    classes: Iterable[str] | None = None,
    caption: str | None = None,
) -> str:
    """Write a table; the columns named in `numbers` are aligned as such."""
    kinds = [' class="number"' if name in numbers else "" for name in header]
    head = "".join(
        f'<th scope="col"{kind}>{escape(name)}</th>'
        for name, kind in zip(header, kinds, strict=True)
    )
    rows = list(rows)
    body = "\n".join(
        f'<tr class="{name}">'
        + "".join(
            f"<td{kind}>{escape(cell)}</td>"
            for cell, kind in zip(row, kinds, strict=True)
        )
        + "</tr>"
        for row, name in zip(rows, classes or [""] * len(rows), strict=True)
    )
    title = f"<caption>{escape(caption)}</caption>" if caption else ""
    return (
        f'<div class="scroll"><table>{title}<thead><tr>{head}</tr></thead>\n'
        f"<tbody>\n{body}\n</tbody></table></div>"
    )


def _lead(ranking: Ranking) -> str:
    n_rows, n_features = len(ranking.table.features), len(ranking.features)
    chosen = "all of them" if ranking.n_selected == n_features else ranking.n_selected
    return (
        f"{ranking.method['class']} ranked {n_features} features of {n_rows:,} rows "
        f"and selected {chosen}. {_learned_from(ranking)}"
    )


def _learned_from(ranking: Ranking) -> str:
    n_labelled, n_used = ranking.n_labelled, ranking.n_constraints_used
    if ranking.method["needs"] == "nothing":
        return "The method uses neither labels nor constraints."
    if ranking.constraints is not None and n_used:
        return f"It learned from {n_used:,} pair constraints."
    if n_used:
        return (
            f"It learned from the {n_used:,} pairs that {n_labelled:,} labelled rows "
            "make."
        )
    return f"It learned from {n_labelled:,} labelled rows."


def _picture_note(ranking: Ranking) -> str:
    n_features = len(ranking.features)
    notes = [
        "Selected features are coloured, the others grey; a higher score is better."
    ]
    if n_features > MOST_BARS:
        notes.append(f"The best {MOST_BARS} of {n_features} features are shown.")
    if ranking.method["orientation"] == "minimised":
        notes.append("The published score is minimised: it is shown negated.")
    return " ".join(notes)


def _ranking_table(ranking: Ranking) -> str:
    shown = ranking.features[:MOST_ROWS]
    table = html_table(
        ["rank", "feature", "score", "selected"],
        [
            (str(f.rank), f.name, f.score_text, "yes" if f.is_selected else "no")
            for f in shown
        ],
        numbers=["rank", "score"],
        classes=["selected" if f.is_selected else "rest" for f in shown],
    )
    n_more = len(ranking.features) - len(shown)
    return table + (f'<p class="soft">... and {n_more} more.</p>' if n_more else "")


def _warnings(warnings: Sequence[str]) -> str:
    if not warnings:
        return "<p>None.</p>"
    lines = "\n".join(f"<li>{escape(warning)}</li>" for warning in warnings)
    return f'<ul class="warnings">\n{lines}\n</ul>'


def _constraints(ranking: Ranking) -> str:
    if ranking.n_constraints_used and ranking.constraints is None:
        return (
            f"<p>{ranking.n_constraints_used:,} pairs, all those of the "
            f"{ranking.n_labelled:,} labelled rows.</p>"
        )
    used = ranking.pairs_used()
    if not used:
        return "<p>None.</p>"
    counts = " and ".join(
        f"{len(pairs):,} {kind}-links ({_SIGNS[kind]})" for kind, pairs in used.items()
    )
    ids = ranking.table.ids
    rows = "Rows are counted from 0." if ids is None else "Rows are named by their ids."
    lines = [
        f"<li>{escape(row_name(a, ids))} {_SIGNS[kind]} {escape(row_name(b, ids))}</li>"
        for kind, pairs in used.items()
        for a, b in pairs[:MOST_PAIRS].tolist()
    ]
    listed = "\n".join(lines[:MOST_PAIRS])
    is_cut = sum(map(len, used.values())) > MOST_PAIRS
    first = f" The first {MOST_PAIRS}:" if is_cut else ""
    return (
        f'<p>{counts}. <span class="soft">{rows}</span>{first}</p>\n'
        f'<ul class="pairs">\n{listed}\n</ul>'
    )


def _two_columns(caption: str, values: Mapping[str, Any]) -> str:
    rows = [(name, str(value)) for name, value in values.items()]
    return html_table(["name", "value"], rows, caption=caption)
