"""The values of single runs on disk: what was measured is not measured again."""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import pairsift

_PACKAGE = Path(pairsift.__file__).parent
# What decides values; texts, pages and pictures do not.
_DECIDING = (
    *("_kernels", "constraints", "graphs", "information", "scores", "selectors"),
    *("active", "evaluation", "datasets"),
)


@cache
def sources_digest(paper: str) -> str:
    """Return a digest of the code that the values of a paper follow from."""
    digest = sha256()
    ours = Path(__file__).parent
    for folder in (*(_PACKAGE / name for name in _DECIDING), ours / paper):
        for file in sorted(folder.rglob("*.py")):
            digest.update(file.read_bytes())
    return digest.hexdigest()[:12]


class RunLog:
    """Values by key, a line each in a file to which lines are only added.

    The file is named after the code that made it: after a change of the code another
    one is begun, so that no value of other code is taken for one of this.
    """

    def __init__(self, folder: Path, paper: str, seed: int) -> None:
        self._path = folder / f"{paper}-seed{seed}-{sources_digest(paper)}.jsonl"
        self._values = dict(self._read())

    def value(self, key: Hashable, find: Callable[[], Any]) -> Any:
        """Return what is known under the key, or find and keep it: numbers, lists."""
        name = sha256(repr(key).encode()).hexdigest()[:20]
        if name not in self._values:
            text = json.dumps([name, find()])
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with self._path.open("a", encoding="utf-8") as file:
                # A line may have been cut short by the end of the program before.
                file.write(f"\n{text}")
            self._values[name] = json.loads(text)[1]
        return self._values[name]

    def _read(self) -> list[tuple[str, Any]]:
        if not self._path.exists():
            return []
        found = []
        for line in self._path.read_text(encoding="utf-8").splitlines():
            try:
                name, value = json.loads(line)
            except ValueError:
                continue
            found.append((name, value))
        return found
