"""How the parts of a session stand in its file: their types and their checksums."""

from __future__ import annotations

import json
import math
import zlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from pairsift._typing import FloatArray, IndexArray
from pairsift._words import listing
from pairsift.active._answers import Event

NOT_CHECKED = ("format", "checksum")
SETTINGS: dict[str, type] = {
    "strategy": str,
    "graph": str,
    "n_neighbors": int,
    "random_state": int,
    "categorical_features": list,
}
# A damaged cell can be as large as no data are, and would let no session begin.
MAX_OF_DAMAGED = 1e150


@dataclass
class Stored:
    """What the file of a session holds.

    n_rows : of data in blocks, of which X are some rows; None if X are all.
    feature_names, sample_ids : None if they are not known.
    damaged : rows of X whose checksums do not fit; complaints : what to warn of.
    """

    X: FloatArray
    settings: dict[str, Any]
    events: list[Event]
    n_rows: int | None = None
    feature_names: list[str] | None = None
    sample_ids: list[str] | None = None
    damaged: IndexArray = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    complaints: list[str] = field(default_factory=list)


def about_checksum(about: dict[str, str]) -> str:
    """Return the checksum of the entries that are not in the data or the journal."""
    entries = sorted(item for item in about.items() if item[0] not in NOT_CHECKED)
    return str(zlib.crc32(json.dumps(entries).encode()))


def row_checksums(rows: FloatArray, first: int) -> bytes:
    """Return the checksums of some rows; each begins with the number of its row."""
    lines = np.ascontiguousarray(rows, dtype="<f8")
    sums = [zlib.crc32(line, first + i) for i, line in enumerate(lines)]
    return np.array(sums, dtype="<u4").tobytes()


def differing_rows(rows: FloatArray, first: int, kept: bytes | None) -> list[int]:
    """Return the rows whose checksums are others; none of a file without checksums."""
    if kept is None:
        return []
    sums = row_checksums(rows, first)
    if not isinstance(kept, bytes) or len(kept) != len(sums):
        return list(range(first, first + len(rows)))
    differ = np.frombuffer(sums, dtype="<u4") != np.frombuffer(kept, dtype="<u4")
    return (first + np.flatnonzero(differ)).tolist()


def without_absurd(X: FloatArray, damaged: IndexArray) -> FloatArray:
    """Let cells of damaged rows be missing that no data can hold."""
    rows = X[damaged]
    rows[~(np.abs(rows) < MAX_OF_DAMAGED)] = np.nan
    X[damaged] = rows
    return X


def as_line(event: Event) -> list[Any]:
    """Return the cells of an event in the table of the journal, its checksum last."""
    rows = (row if row >= 0 else None for row in (event.first, event.second))
    shown = None if event.shown is None else json.dumps(event.shown)
    seconds = None if event.seconds is None else float(event.seconds)
    said = [event.person, seconds, event.text, float(event.time)]
    line = [event.kind, *rows, shown, int(event.replaces), *said]
    return [*line, _line_checksum(line)]


def as_event(line: tuple[Any, ...]) -> Event:
    """Read an event from the cells of its line; ValueError if their types are wrong."""
    kind, first, second, shown, replaces, person, seconds, text, time, _ = line
    compared = None if shown is None else json.loads(shown)
    are_texts = all(isinstance(cell, str) for cell in (kind, person, text))
    are_rows = all(row is None or is_count(row) for row in (first, second))
    is_shown = compared is None or _is_list(compared, int)
    are_times = all(
        isinstance(cell, float) and math.isfinite(cell)
        for cell in (time, 0.0 if seconds is None else seconds)
    )
    if not (are_texts and are_rows and is_shown and are_times and replaces in (0, 1)):
        raise ValueError(f"a line of its journal has cells of wrong types, {line!r}")
    first, second = (-1 if row is None else row for row in (first, second))
    rows = None if compared is None else tuple(compared)
    return Event(kind, first, second, rows, bool(replaces), person, seconds, text, time)


def is_intact(line: tuple[Any, ...]) -> bool:
    """Tell whether the checksum of a line fits, or is not there."""
    *cells, kept = line
    return kept is None or kept == _line_checksum(cells)


def complaint_about(events: list[Event]) -> str:
    """Name the answers whose checksums do not fit by the rows that they are about."""
    named = [
        " and ".join(str(row) for row in (event.first, event.second) if row >= 0)
        for event in events
    ]
    rows = listing([f"row {name or '?'}" for name in named], most=10)
    return f"the checksums of the answers on {rows} do not fit"


def as_shape(text: str) -> tuple[int, int]:
    """Read the shape of the data."""
    shape = json.loads(text)
    if not (_is_list(shape, int) and len(shape) == 2 and min(shape) > 0):
        raise ValueError(f"the shape of its data is {text[:40]!r}")
    return shape[0], shape[1]


def as_settings(text: str) -> dict[str, Any]:
    """Read the parameters of a session."""
    settings = json.loads(text)
    if not isinstance(settings, dict) or not settings.keys() <= SETTINGS.keys():
        raise ValueError(f"its settings are {text[:80]!r}")
    for name, value in settings.items():
        if type(value) is not SETTINGS[name] or (
            name == "categorical_features" and not _is_list(value, int)
        ):
            raise ValueError(f"its setting {name!r} is {value!r}")
    return settings


def as_names(text: str, length: int) -> list[str] | None:
    """Read the names of columns or rows, None if there are none."""
    names = json.loads(text) if text else None
    if names is not None and not (_is_list(names, str) and len(names) == length):
        raise ValueError(f"it has not {length} names of rows or columns as text")
    return names


def is_count(value: Any) -> bool:
    """Tell whether a value is a whole number from 0 on."""
    return type(value) is int and value >= 0


def _is_list(value: Any, kind: type) -> bool:
    return isinstance(value, list) and all(type(entry) is kind for entry in value)


def _line_checksum(line: Iterable[Any]) -> int:
    return zlib.crc32(json.dumps(list(line)).encode())
