"""What is taken home: pairs, labels, ranking, the journal and the report."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from io import StringIO
from typing import Any

from pairsift._checks import available_memory
from pairsift._formulas import guarded
from pairsift.active import Record
from pairsift.constraints import PairConstraints, pairs_of_text
from pairsift.exceptions import ConstraintError
from pairsift.reports import session_page
from pairsift.webapp._desk import Desk
from pairsift.webapp._guard import Refusal
from pairsift.webapp._insight import ranked, ranker

# Memory of a report. Measured: 120 to 140 MB of address space for up to 2,000 x 100
# cells, and four to six copies of larger tables; a new thread reserves 70 MB.
REPORT_BYTES = 200e6
REPORT_TIMES = 8


def constraints_csv(desk: Desk) -> str:
    """Return the pairs, with the columns a, b and link."""
    pairs = desk.session.constraints
    links = {"must": pairs.must_link, "cannot": pairs.cannot_link}
    lines = (
        (desk.samples.name(a), desk.samples.name(b), link)
        for link, rows in links.items()
        for a, b in rows.tolist()
    )
    return _csv(("a", "b", "link"), lines)


def labels_csv(desk: Desk) -> str:
    """Return the pile of every sorted row, and its name."""
    names, labels = desk.session.names, desk.session.labels
    lines = (
        (desk.samples.name(row), label, names.get(label, ""))
        for row, label in enumerate(labels.tolist())
        if label >= 0
    )
    return _csv(("row", "pile", "name"), lines)


def ranking_csv(desk: Desk) -> str:
    """Return all features, best first, learned from all rows."""
    labels = desk.session.labels
    if len(set(labels.tolist()) - {-1}) < 2:
        raise ConstraintError("features are ranked from two piles on: sort some more.")
    order, scores = ranked(desk.session, labels)
    lines = (
        (rank, desk.features[j], f"{scores[j]:.6g}")
        for rank, j in enumerate(order, start=1)
    )
    return _csv(("rank", "feature", "score"), lines)


def answers_jsonl(desk: Desk) -> str:
    """Return the whole journal, one JSON object per line, nothing left out."""
    seen: dict[str, set[tuple[int, ...]]] = {}
    lines = []
    for number, record in enumerate(desk.session.records, start=1):
        if record.kind == "opinion":
            seen.setdefault(record.person, set()).add(record.rows)
        rows = record.rows
        is_seen = not seen.get(record.person, set()).isdisjoint({rows, rows[:1]})
        line = {"number": number, **_as_dict(record, desk), "saw_opinion": is_seen}
        lines.append(json.dumps(line, ensure_ascii=False))
    return "".join(f"{line}\n" for line in lines)


def report_html(desk: Desk) -> str:
    """Return the report, one page that needs nothing else."""
    _check_memory(desk)
    is_sorted = desk.session.settings["strategy"] == "sort"
    return session_page(
        desk.session,
        X=desk.frame,
        sample_ids=[desk.samples.name(row) for row in range(len(desk.samples))],
        selector=ranker() if is_sorted else None,
        title=f"Features of {desk.title}" if desk.title else None,
    )


def _check_memory(desk: Desk) -> None:
    """Refuse a report that would take more memory than there is.

    Compiled code ends the whole process where it gets no memory.
    """
    needed = REPORT_BYTES + REPORT_TIMES * 8 * desk.session.X.size
    available = available_memory()
    if needed > available:
        raise Refusal(
            503,
            f"the report takes about {needed / 1e6:.0f} MB of memory, and "
            f"{available / 1e6:.0f} MB are available: end other programs, or raise the "
            "limit (ulimit -v) and run `pairsift label` again; all answers are kept.",
        )


EXPORTS: dict[str, tuple[str, Callable[[Desk], str]]] = {
    "constraints.csv": ("text/csv", constraints_csv),
    "labels.csv": ("text/csv", labels_csv),
    "ranking.csv": ("text/csv", ranking_csv),
    "answers.jsonl": ("application/x-ndjson", answers_jsonl),
    "report.html": ("text/html", report_html),
}


def import_constraints(desk: Desk, text: str) -> PairConstraints:
    """Read pairs that were answered elsewhere."""
    ids = [desk.samples.name(row) for row in range(len(desk.samples))]
    # A spreadsheet may begin the file with a byte order mark.
    return pairs_of_text(text.removeprefix("\ufeff"), "the file", ids)


def _as_dict(record: Record, desk: Desk) -> dict[str, Any]:
    name = desk.samples.name
    time = datetime.fromtimestamp(record.time, UTC).isoformat(timespec="milliseconds")
    return {
        "time": time,
        "person": record.person,
        "seconds": record.seconds,
        "question": _question(record),
        "kind": record.kind,
        "rows": [name(row) for row in record.rows],
        "shown": None if record.shown is None else [name(row) for row in record.shown],
        "text": record.text,
        "stands": record.stands,
    }


def _question(record: Record) -> str | None:
    """Return what was asked: a card, a pair, or nothing for other acts."""
    if record.shown is not None or record.kind in ("move", "repeat"):
        return "card"
    return "pair" if record.kind in ("same", "different", "unsure") else None


def _csv(header: Sequence[str], lines: Iterable[Sequence[Any]]) -> str:
    out = StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow(header)
    writer.writerows([guarded(cell) for cell in line] for line in lines)
    return out.getvalue()
