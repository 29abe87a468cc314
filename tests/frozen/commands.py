"""What the commands print with --json on Wine."""

import json
from pathlib import Path
from typing import Any

import typer.rich_utils  # noqa: F401 -- it asks for colours once, when imported
from sklearn.datasets import load_wine
from typer.testing import CliRunner

from pairsift.cli import app

# Each in a folder that holds wine.csv; later ones find the files of earlier ones.
COMMANDS = {
    "select with labels": "select wine.csv --label class --top 5 --json",
    "select with few labels": "select few.csv --label class --top 5 --json",
    "select with a method": "select wine.csv --label class --method relieff --json",
    "select with nothing": "select wine.csv --drop class --top 5 --json",
    "query": "query wine.csv --drop class --json",
    "select with pairs": (
        "select wine.csv --drop class --constraints constraints.csv --top 5 --json"
    ),
    "propagate": (
        "propagate wine.csv --drop class --constraints constraints.csv "
        "--out spread.csv --json"
    ),
    "evaluate": (
        "evaluate wine.csv --label class --methods relieff,semi-mrmr,fisher-score "
        "--classifiers 1nn --splits 2 --jobs 1 --json"
    ),
    "evaluate with questions": (
        "evaluate wine.csv --label class --methods semi-mrmr --classifiers 1nn "
        "--questions 0,10,all --splits 2 --jobs 1 --json --out asked"
    ),
    "methods": "methods --json",
    "wrong column": "select wine.csv --label klass --json",
    "wrong method": "select wine.csv --label class --method relief-z --json",
    "no file": "select vine.csv --label class --json",
}
# A new pile, three times, then pile 1 and 2 in turn, as the keys of the cards.
ANSWERS = "n\nn\nn\n" + "1\n2\n" * 10
CHANGING = {"seconds", "versions", "took"}


def run_all(folder: Path) -> dict[str, dict[str, Any]]:
    """Run all commands in a folder: exit codes, JSON and the line of an error."""
    frame = load_wine(as_frame=True).frame.rename(columns={"target": "class"})
    names = {0: "Barolo", 1: "Grignolino", 2: "Barbera"}
    frame["class"] = frame["class"].map(names)
    frame.to_csv(folder / "wine.csv", index=False)
    frame.loc[frame.index % 6 != 0, "class"] = None
    frame.to_csv(folder / "few.csv", index=False)
    found = {}
    for name, command in COMMANDS.items():
        result = CliRunner().invoke(app, command.split(), input=ANSWERS)
        printed = steady(json.loads(result.stdout)) if result.stdout else None
        error = "" if result.exit_code == 0 else result.stderr
        found[name] = {"exit": result.exit_code, "json": printed, "error": error}
    return found


def steady(value: Any) -> Any:
    """Leave out what differs from run to run and from version to version."""
    if isinstance(value, dict):
        kept = {key: part for key, part in value.items() if key not in CHANGING}
        return {key: steady(part) for key, part in kept.items()}
    return [*map(steady, value)] if isinstance(value, list) else value
