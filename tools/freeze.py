"""Freeze what users see, and compare it bit by bit with another tree.

python -m tools.freeze              write tests/frozen/*.json
python -m tools.freeze FILE         write the exact results of this tree to FILE
python -m tools.freeze FILE OTHER   compare two such files, bit by bit

To compare with the start of the rebuild: `git worktree add ../start COMMIT`, write a
file in each tree with PYTHONPATH=src, and compare them.
"""

import contextlib
import json
import pickle
import sys
import tempfile
import warnings
from pathlib import Path
from typing import Any

import numpy as np

from tests.frozen import commands, errors, names, selectors
from tests.selectors.builders import SELECTORS

FOLDER = Path("tests/frozen")
DIGITS = 12


def results() -> dict[str, Any]:
    """Return all that is frozen."""
    with warnings.catch_warnings(), tempfile.TemporaryDirectory() as folder:
        warnings.simplefilter("ignore")
        with contextlib.chdir(folder):
            printed = commands.run_all(Path(folder))
        return {
            "names": names.public(),
            "errors": {key: errors.message(m) for key, m in errors.MISTAKES.items()},
            "selectors": {name: selectors.outcomes(name) for name in SELECTORS},
            "commands": printed,
        }


def as_json(value: Any) -> Any:
    """Return arrays as lists, numbers with the digits that machines agree on."""
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, float):
        return float(f"{value:.{DIGITS}g}")
    if isinstance(value, dict):
        return {key: as_json(part) for key, part in value.items()}
    return [*map(as_json, value)] if isinstance(value, list | tuple) else value


def differences(found: Any, other: Any, where: str = "") -> list[str]:
    """Return where two results differ in any bit."""
    if isinstance(found, dict) and isinstance(other, dict):
        lists = [
            differences(found[key], other[key], f"{where}/{key}")
            if key in found and key in other
            else [f"{where}/{key}: in one only"]
            for key in sorted({*found, *other})
        ]
        return [place for places in lists for place in places]
    if isinstance(found, np.ndarray):
        is_equal = found.shape == other.shape and found.tobytes() == other.tobytes()
    else:
        is_equal = repr(found) == repr(other)
    return [] if is_equal else [where]


def main() -> None:
    """Write the files, or the exact results, or compare two of these."""
    if len(sys.argv) == 3:
        first, second = (pickle.loads(Path(name).read_bytes()) for name in sys.argv[1:])
        found = differences(first, second)
        print(*found, f"{len(found)} differences", sep="\n")
    elif len(sys.argv) == 2:
        Path(sys.argv[1]).write_bytes(pickle.dumps(results()))
    else:
        for name, value in results().items():
            text = json.dumps(as_json(value), indent=None if name == "selectors" else 1)
            (FOLDER / f"{name}.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
