"""The report: one HTML page that needs nothing but itself."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from io import StringIO
from pathlib import Path
from string import Template
from typing import Any

from pairsift._drawing import by_mean_rank
from pairsift._replacing import replacing
from pairsift._words import escape, shortened
from pairsift.reports._pictures import look
from pairsift.reports._ranking import versions

MAX_WARNINGS = 20


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
    path: Path | StringIO,
    *,
    title: str,
    lead: str,
    sections: Iterable[Section | str],
    command: str,
    parameters: Mapping[str, Any] | None = None,
) -> None:
    """Write a page that ends in how it was made; a section may be HTML.

    `path` may be a text in memory.
    """
    room = files("pairsift.reports")
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
    if isinstance(path, StringIO):
        path.write(page)
        return
    with replacing(path) as draft:
        draft.write_text(page, encoding="utf-8")


def heading(text: str) -> str:
    """Write a heading inside a section."""
    return f"<h3>{escape(text)}</h3>"


def panels(parts: Sequence[str]) -> str:
    """Put parts side by side where the page is wide enough."""
    inner = "\n".join(f"<div>\n{part}\n</div>" for part in parts)
    return f'<div class="panels">\n{inner}\n</div>'


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
    order = by_mean_rank(ranks).tolist()
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


def share_table(
    groups: Sequence[str], words: Sequence[str], shares: Sequence[Sequence[float]]
) -> str:
    """Write shares[group][word] in shaded cells."""
    head = "".join(
        f'<th scope="col" class="number">{escape(shortened(word, 20))}</th>'
        for word in words
    )
    body = "\n".join(
        f"<tr><td>{escape(shortened(group, 20))}</td>"
        + "".join(
            f'<td class="shade" style="--share:{0.55 * share:.2f}">{share:.0%}</td>'
            for share in line
        )
        + "</tr>"
        for group, line in zip(groups, shares, strict=True)
    )
    return (
        '<div class="scroll"><table class="whole"><thead><tr>'
        f'<th scope="col">share of</th>{head}</tr></thead>\n'
        f"<tbody>\n{body}\n</tbody></table></div>"
    )


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


def warning_list(warnings: Sequence[str]) -> str:
    """List warnings, or say that there are none."""
    if not warnings:
        return "<p>None.</p>"
    shown = [*warnings[:MAX_WARNINGS]]
    if len(warnings) > MAX_WARNINGS:
        shown.append(f"... and {len(warnings) - MAX_WARNINGS} more warnings.")
    lines = "\n".join(f"<li>{escape(warning)}</li>" for warning in shown)
    return f'<ul class="warnings">\n{lines}\n</ul>'


def _two_columns(caption: str, values: Mapping[str, Any]) -> str:
    rows = [(name, shortened(str(value), 200)) for name, value in values.items()]
    return html_table(["name", "value"], rows, caption=caption)
