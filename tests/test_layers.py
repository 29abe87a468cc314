"""Imports between packages: the contracts of pyproject.toml, and rules for names."""

import ast
import re
import shutil
import sys
import tomllib
from functools import cache
from pathlib import Path

import importlinter.api  # noqa: F401 - prepares what `use_cases` needs
from importlinter.application import use_cases

ROOT = Path(__file__).parents[1]
SRC = ROOT / "src" / "pairsift"
CONFIG = ROOT / "pyproject.toml"


def is_kept():
    """Check all contracts; the report is printed."""
    # `importlinter.cli` would disable the loggers of other tests.
    return use_cases.lint_imports(str(CONFIG), cache_dir=None)


def test_imports_keep_the_contracts(capsys):
    kept = is_kept()
    assert kept, capsys.readouterr().out


# Each file is a private module with imports that break a contract.
PLANTED = {
    "newcomer.py": "",
    "graphs/_planted.py": "import pairsift.selectors",
    "constraints/_planted.py": "from pairsift.information import entropy",
    "selectors/_planted.py": "from pairsift.graphs import _planted\nimport dask.array",
    "active/_planted.py": "from pairsift import ReliefF\nimport numba",
    "reports/_planted.py": "def draw():\n    import matplotlib.pyplot",
    "webapp/_planted.py": "import pairsift.reports._planted\nimport rich.text",
    "evaluation/_planted.py": "if TYPE_CHECKING:\n    import starlette.routing",
    "information/_planted.py": "from sklearn.utils import check_array",
}
REPORTED = (
    "- pairsift.newcomer",
    "- pairsift.graphs._planted -> pairsift.selectors (l.1)",
    "- pairsift.constraints._planted -> pairsift.information (l.1)",
    "- pairsift.selectors._planted -> pairsift.graphs._planted (l.1)",
    "- pairsift.selectors._planted -> dask (l.2)",
    "- pairsift.active._planted -> pairsift (l.1)",
    "- pairsift.active._planted -> numba (l.2)",
    "- pairsift.reports._planted -> matplotlib (l.2)",
    "- pairsift.webapp._planted -> pairsift.reports._planted (l.1)",
    "- pairsift.webapp._planted -> rich (l.2)",
    "- pairsift.evaluation._planted -> starlette (l.2)",
    "- pairsift.information._planted -> sklearn (l.1)",
)
BROKEN = {
    *("layers", "public names of pairsift"),
    *("private modules of graphs", "private modules of reports"),
    *("Numba", "Dask", "Typer and Rich", "Matplotlib", "Starlette and uvicorn"),
    "scikit-learn",
}


def test_wrong_imports_break_the_contracts(tmp_path, monkeypatch, capsys):
    tree = tmp_path / "pairsift"
    shutil.copytree(SRC, tree, ignore=shutil.ignore_patterns("__pycache__"))
    for name, text in PLANTED.items():
        (tree / name).write_text(text)
    # import-linter then finds the copy, without importing it.
    monkeypatch.delitem(sys.modules, "pairsift")
    monkeypatch.syspath_prepend(tmp_path)
    assert not is_kept()
    # Remove colours (import-linter 2.6) and extra blanks after a dash.
    report = re.sub(r"\x1b\[\d+m|(?<=-)  +", "", capsys.readouterr().out)
    assert set(re.findall(r"^(.+) BROKEN", report, re.M)) == BROKEN
    assert [line for line in REPORTED if line not in report] == []


def test_the_architecture_page_lists_the_packages_of_each_layer():
    config = tomllib.loads(CONFIG.read_text("utf-8"))["tool"]["importlinter"]
    contracts = {contract["name"]: contract for contract in config["contracts"]}
    page = (ROOT / "docs" / "developer" / "architecture.md").read_text("utf-8")
    table = page.partition("## Layers\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| (`.*?`) \|", table, re.M)
    listed = [set(re.findall(r"`(\w+)`", row)) for row in rows]
    assert listed == [
        set(layer.split(" | ")) for layer in contracts["layers"]["layers"]
    ]


# To parse whole files would take twenty times as long.
IMPORT = re.compile(r"^ *((?:from \S+ )?import (?:\([^)]*\)|.*))", re.M)


@cache
def imports():
    """All imports of our files, as pairs (package, whole name)."""
    found = []
    for path in SRC.rglob("*.py"):
        package = path.relative_to(SRC).parts[0].removesuffix(".py")
        for statement in IMPORT.findall(path.read_text("utf-8")):
            node = ast.parse(statement).body[0]
            start = f"{node.module}." if isinstance(node, ast.ImportFrom) else ""
            found += [(package, start + alias.name) for alias in node.names]
    return found


def has_private_part(name):
    return re.search(r"\._(?!_)", name) is not None


def test_no_package_imports_private_names_of_another():
    wrong = []
    for package, name in imports():
        top, _, rest = name.partition(".")
        target, _, inside = rest.partition(".")
        if top == "pairsift" and target != package and has_private_part(f".{inside}"):
            wrong.append(f"{package} -> {name}")
    assert not wrong


def test_private_names_of_sklearn_are_imported_by_one_module():
    private = [
        (package, name)
        for package, name in imports()
        if name.startswith("sklearn.") and has_private_part(name)
    ]
    assert private
    assert [pair for pair in private if pair[0] != "_sklearn_compat"] == []


def test_exports_are_used_by_another_package():
    """An `__init__` imports names as themselves (`X as X`) for other packages only."""
    texts = {path: path.read_text("utf-8") for path in SRC.rglob("*.py")}
    unused = []
    for file in SRC.glob("*/__init__.py"):
        package = file.parent.name
        others = [
            text for path, text in texts.items() if file.parent not in path.parents
        ]
        used = set(re.findall(rf"{package}\.\w+", "\n".join(others)))
        used |= {
            name.removeprefix("pairsift.")
            for user, name in imports()
            if user != package
        }
        exports = re.findall(r"^[^#\n]*\b(\w+) as \1\b", texts[file], re.M)
        unused += sorted({f"{package}.{name}" for name in exports} - used)
    assert unused == []
