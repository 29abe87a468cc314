"""The report: one HTML page that needs nothing but itself."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Any

from pairsift.cli._output import replacing
from pairsift.cli._pictures import MOST_BARS, bar_picture, look
from pairsift.cli._ranking import Ranking, versions
from pairsift.cli._tables import row_name
from pairsift.cli._words import escape

MOST_ROWS = 1000
MOST_PAIRS = 50
_SIGNS = {"must": "=", "cannot": "≠"}


@dataclass(frozen=True)
class Section:
    """A part of the page under its heading; `parts` are HTML."""

    title: str
    parts: Sequence[str]

    def html(self) -> str:
        """Return the section."""
        name = re.sub(r"[^a-z0-9]+", "-", self.title.lower()).strip("-")
        body = "\n".join(self.parts)
        return (
            f'<section aria-labelledby="{name}">\n'
            f'<h2 id="{name}">{escape(self.title)}</h2>\n{body}\n</section>'
        )


def write_page(
    path: Path,
    *,
    title: str,
    lead: str,
    sections: Iterable[Section | str],
    command: str,
    parameters: Mapping[str, Any] | None = None,
) -> None:
    """Write a page that ends in how it was made; a section may be HTML."""
    room = files("pairsift.cli")
    template = Template(room.joinpath("report.html").read_text(encoding="utf-8"))
    made = [_two_columns("Versions", versions())]
    if parameters:
        made.insert(0, _two_columns("Parameters", parameters))
    page = template.substitute(
        title=escape(title),
        css=room.joinpath("report.css").read_text(encoding="utf-8").strip(),
        lead=escape(lead),
        sections="\n".join(s if isinstance(s, str) else s.html() for s in sections),
        command=escape(command),
        made="\n".join(made),
    )
    with replacing(path) as draft:
        draft.write_text(page, encoding="utf-8")


def write_report(
    path: Path,
    ranking: Ranking,
    *,
    title: str,
    command: str,
    lead: str | None = None,
    results: str = "",
) -> None:
    """Write the page of a ranking; `results` is HTML that goes before it."""
    picture = figure(bar_picture(ranking.features), _picture_note(ranking))
    write_page(
        path,
        title=title,
        lead=lead or _lead(ranking),
        sections=[
            results,
            Section("Ranking", [picture, _ranking_table(ranking)]),
            Section("Warnings", [warning_list(ranking.warnings)]),
            Section("Constraints used", [_constraints(ranking)]),
        ],
        command=command,
        parameters=ranking.parameters,
    )


def paragraph(text: str, kind: str = "") -> str:
    """Write a paragraph; of kind "soft" in small print."""
    return f'<p class="{kind}">{escape(text)}</p>' if kind else f"<p>{escape(text)}</p>"


def figure(picture: str, caption: str, names: Sequence[str] = ()) -> str:
    """Put a caption below a picture, and above it the names of its curves, if any."""
    keys = "".join(
        '<li><svg width="34" height="8" aria-hidden="true">'
        f'<line class="curve {look(number)}" x1="0" y1="4" x2="34" y2="4"/></svg>'
        f"{escape(name)}</li>"
        for number, name in enumerate(names)
    )
    legend = f'<ul class="legend">{keys}</ul>\n' if keys else ""
    return (
        f"<figure>\n{legend}{picture}\n"
        f"<figcaption>{escape(caption)}</figcaption>\n</figure>"
    )


def rank_table(
    features: Sequence[str],
    methods: Sequence[str],
    ranks: Sequence[Sequence[float]],
    most: int = 40,
) -> str:
    """Write ranks[feature][method] in shaded cells, features of small ranks first."""
    means = [sum(row) / len(row) for row in ranks]
    order = sorted(range(len(features)), key=means.__getitem__)
    head = "".join(
        f'<th scope="col" class="number">{escape(name)}</th>' for name in methods
    )
    digits = 0 if all(rank == int(rank) for row in ranks for rank in row) else 1
    body = "\n".join(
        f"<tr><td>{escape(features[i])}</td>"
        + "".join(_shaded(rank, len(features), digits) for rank in ranks[i])
        + f'<td class="number">{means[i]:.1f}</td></tr>'
        for i in order[:most]
    )
    n_more = len(features) - most
    more = paragraph(f"... and {n_more} more features.", "soft") if n_more > 0 else ""
    return (
        '<div class="scroll"><table class="whole"><thead><tr>'
        f'<th scope="col">feature</th>{head}<th scope="col" class="number">mean</th>'
        f"</tr></thead>\n<tbody>\n{body}\n</tbody></table></div>{more}"
    )


def _shaded(rank: float, n_features: int, digits: int) -> str:
    # The first place is dark, from the middle on nothing is.
    share = max(0.0, 1.0 - 2.0 * (rank - 1) / max(1, n_features - 1))
    style = f"--share:{0.55 * share:.2f}"
    return f'<td class="shade" style="{style}">{rank:.{digits}f}</td>'


def html_table(
    header: Sequence[str],
    rows: Iterable[Sequence[str]],
    *,
    numbers: Sequence[str] = (),
    classes: Iterable[str] | None = None,
    caption: str | None = None,
    is_whole: bool = False,
) -> str:
    """Write a table; the columns named in `numbers` are aligned as such.

    Cells of a table that `is_whole` are never broken: it is moved on a narrow page.
    """
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
    kind = ' class="whole"' if is_whole else ""
    return (
        f'<div class="scroll"><table{kind}>{title}<thead><tr>{head}</tr></thead>\n'
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


def warning_list(warnings: Sequence[str]) -> str:
    """List warnings, or say that there are none."""
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
