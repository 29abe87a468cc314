"""A folder of finished cells: what is in it survives any end of the program."""

from __future__ import annotations

import json
import os
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path
from typing import Any

from pairsift._file_modes import create
from pairsift.evaluation._compare._cells import Cell, swept_values
from pairsift.evaluation._compare._plan import Entry, describe, line_name
from pairsift.exceptions import StorageError

_SETTINGS = "settings.json"


class CellStore:
    """Finished cells of one comparison, a file each."""

    def __init__(self, folder: Path, settings: dict[str, Any]) -> None:
        self.folder = folder
        self._cells = folder / "cells"
        self._cells.mkdir(parents=True, exist_ok=True)
        path = folder / _SETTINGS
        # As JSON has them: a list where there was a tuple.
        self._settings = json.dumps(settings)
        settings = json.loads(self._settings)
        if path.exists():
            self._check(path, settings)
        else:
            _write(path, settings)

    def load(self, entry: Entry, split: int) -> Cell | None:
        """Return a finished cell, None if it is not there as it was saved.

        A cell of other data, of other settings or of another split does not fit its
        digest; nor does one that was damaged, or saved before there were digests.
        """
        path = self._path(entry, split)
        try:
            stored = json.loads(path.read_text(encoding="utf-8"))
            parameters, values = stored["parameters"], stored["cell"]
            if stored["digest"] != self._digest(path, parameters, values):
                return None
            own: dict[str, Any] = {"selector": entry.label, "method": entry.name}
            own["sweep"] = swept_values(entry)
            cell = Cell(**values | own)
        except (OSError, ValueError, TypeError, KeyError, RecursionError):
            return None
        if parameters != _parameters(entry):
            raise StorageError(
                f"store {self.folder} holds results of another {entry.name!r}, with "
                "other parameters: give another folder, or another name."
            )
        return cell

    def save(self, entry: Entry, cell: Cell) -> None:
        """Keep a cell."""
        path = self._path(entry, cell.split)
        parameters, values = _parameters(entry), asdict(cell)
        digest = self._digest(path, parameters, values)
        _write(path, {"digest": digest, "parameters": parameters, "cell": values})

    def _digest(self, path: Path, parameters: Any, values: Any) -> str:
        """Return the digest of a cell, its place, and the data and settings."""
        # The name of the file has the selector, the questions and the split.
        content = [self._settings, path.name, parameters, values]
        return sha256(json.dumps(content).encode()).hexdigest()

    def _path(self, entry: Entry, split: int) -> Path:
        readable = "".join(c if c.isalnum() else "-" for c in entry.name)[:40]
        # Two names may read the same, and one selector may have several parameters.
        parameters = {k: v for k, v in entry.sweep.items() if k != "questions"}
        name = line_name(entry.name, parameters)
        digest = sha256(name.encode()).hexdigest()[:8]
        asked = "" if entry.questions is None else f"-{entry.questions}"
        return self._cells / f"{readable}-{digest}{asked}-{split:04d}.json"

    def _check(self, path: Path, settings: dict[str, Any]) -> None:
        try:
            stored = json.loads(path.read_text(encoding="utf-8"))
        except ValueError:
            stored = None
        if not isinstance(stored, dict):
            raise StorageError(f"{path} is no file of settings: give another folder.")
        for key, value in settings.items():
            if stored.get(key) != value:
                raise StorageError(
                    f"store {self.folder} holds another comparison, "
                    f"{_difference(key, stored.get(key), value)}: give another folder."
                )


def _difference(key: str, there: Any, here: Any) -> str:
    if key == "content":
        return "X and y have other values there"
    name = "the shape of X" if key == "shape" else key
    return f"{name} is {_short(there)} there and {_short(here)} here"


def _short(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= 60 else text[:59] + "…"


def _parameters(entry: Entry) -> Any:
    return json.loads(json.dumps([entry.kind, describe(entry.selector)]))


def _write(path: Path, content: Any) -> None:
    """Write a file that is there whole or not at all."""
    draft = path.with_name(f".{path.name}.{os.getpid()}.part")
    draft.unlink(missing_ok=True)
    create(draft)
    with draft.open("w", encoding="utf-8") as file:
        json.dump(content, file)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)
