"""The floors of the house: imports point down."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SRC = ROOT / "src" / "pairsift"
# Scores stand on graphs: every graph score is a ratio of forms evaluated in one place.
FLOOR = {
    "_formulas": 0,
    "_memory": 0,
    "_typing": 0,
    "_version": 0,
    "_words": 0,
    "exceptions": 0,
    # Who may read the files that are written.
    "_file_modes": 0,
    # Rows in blocks: what scores read, whether in memory or on a cluster.
    "_blocks": 1,
    "_cores": 0,
    "_checks": 1,
    "_kernels": 1,
    "_random": 1,
    # Writes files as a whole, for pages and for the outputs of commands.
    "_replacing": 1,
    # What a picture shows, for Matplotlib in `plotting` and for SVG in `reports`.
    "_drawing": 1,
    "constraints": 2,
    "_sklearn_compat": 2,
    "graphs": 2,
    "information": 2,
    "scores": 3,
    "selectors": 4,
    "datasets": 4,
    "active": 5,
    # Comparisons take selectors by name and ask questions; pictures show comparisons.
    "evaluation": 6,
    # Selectors, and the labelling loop, on data in blocks; commands call it.
    "distributed": 6,
    "plotting": 7,
    # A page shows rankings, comparisons and sessions; commands write pages.
    "reports": 8,
    # The labelling page hands out the report; the command line starts it.
    "webapp": 9,
    "cli": 10,
    "__main__": 11,
}
ONLY_IN = {
    "numba": {"_kernels"},
    "dask": {"distributed"},
    "typer": {"cli"},
    "rich": {"cli"},
    "matplotlib": {"plotting"},
    "starlette": {"webapp"},
    "uvicorn": {"webapp"},
    # Rows of a session come in by the door of the selectors, for estimators.
    "sklearn": {
        *("_sklearn_compat", "selectors", "datasets", "evaluation", "cli"),
        # Reports clone a selector to rank again from halves of the data.
        *("active", "reports"),
    },
}


@cache
def imports_of(path):
    """All import statements of a file."""
    nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    return [node for node in nodes if isinstance(node, ast.Import | ast.ImportFrom)]


def imported_modules(path):
    for node in imports_of(path):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: relative import"
            if node.module == "pairsift":
                yield from (f"pairsift.{alias.name}" for alias in node.names)
            else:
                yield node.module


def imported_names(path):
    """Yield each name that a file imports from another room, as MODULE.NAME."""
    room = path.relative_to(SRC).parts[0].removesuffix(".py")
    for node in imports_of(path):
        if isinstance(node, ast.ImportFrom) and node.module.startswith("pairsift."):
            target = node.module.split(".")[1]
            if target not in (room, "_version"):
                for alias in node.names:
                    yield f"{node.module}.{alias.name}"


def private_sklearn(name):
    parts = name.split(".")
    return parts[0] == "sklearn" and any(part.startswith("_") for part in parts)


@pytest.mark.parametrize(
    "path", sorted(SRC.rglob("*.py")), ids=lambda p: str(p.relative_to(SRC))
)
def test_imports_point_down(path):
    room = path.relative_to(SRC).parts[0].removesuffix(".py")
    if room == "__init__":
        return
    for name in imported_modules(path):
        top, _, rest = name.partition(".")
        if top == "pairsift":
            target = rest.partition(".")[0]
            if target == "__version__":
                continue
            is_below = target == room or FLOOR.get(target, 99) < FLOOR[room]
            # The topmost room may use the public names as a user does.
            assert is_below or room == "cli", f"{room} -> {target}"
        elif top in ONLY_IN:
            assert room in ONLY_IN[top], f"{room} must not import {top}"
        assert not private_sklearn(name) or room == "_sklearn_compat", name


def test_architecture_page_draws_every_room_on_its_floor():
    page = (ROOT / "docs" / "developer" / "architecture.md").read_text("utf-8")
    picture = page.partition("```text\n")[2].partition("```")[0]
    lines = re.findall(r"^ +(\d+) +(\w+(?:, \w+)*)", picture, re.M)
    drawn = {room: int(floor) for floor, rooms in lines for room in rooms.split(", ")}
    assert drawn == FLOOR


@pytest.mark.parametrize(
    "path", sorted(SRC.rglob("*.py")), ids=lambda p: str(p.relative_to(SRC))
)
def test_rooms_are_entered_by_their_doors(path):
    for name in imported_names(path):
        # Behind the room, which may be private itself, nothing is.
        inside = name.split(".")[2:]
        assert not any(part.startswith("_") for part in inside), name


@pytest.mark.parametrize("room", sorted(r for r in FLOOR if (SRC / r).is_dir()))
def test_doors_share_names_that_another_room_uses(room):
    door = SRC / room / "__init__.py"
    shared = {
        alias.name
        for node in ast.parse(door.read_text(encoding="utf-8")).body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
        if alias.asname == alias.name
    }
    paths = [path for path in SRC.rglob("*.py") if SRC / room not in path.parents]
    used = {name for path in paths for name in imported_names(path)}
    text = "\n".join(path.read_text("utf-8") for path in paths)
    for name in shared:
        is_used = f"pairsift.{room}.{name}" in used
        assert is_used or re.search(rf"\b{room}\.{name}\b", text), name
