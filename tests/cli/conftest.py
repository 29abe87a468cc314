"""A data set as a user has it, and a way to run the command line on it."""

import json

import numpy as np
import pandas as pd
import pytest
import typer.rich_utils  # noqa: F401 -- it asks for colours once, when imported
from sklearn.datasets import load_wine
from typer.testing import CliRunner

from pairsift.cli import app


@pytest.fixture
def run():
    """Run the program in process; `.stdout` and `.stderr` are apart."""

    def invoke(*arguments, answers=None):
        words = [str(argument) for argument in arguments]
        return CliRunner().invoke(app, words, input=answers)

    return invoke


@pytest.fixture
def wine():
    """Wine with text classes, a third of them removed."""
    frame = load_wine(as_frame=True).frame.rename(columns={"target": "class"})
    frame["class"] = frame["class"].map({0: "Barolo", 1: "Grignolino", 2: "Barbera"})
    frame.loc[::3, "class"] = None
    return frame


@pytest.fixture
def wine_csv(wine, tmp_path):
    path = tmp_path / "wine.csv"
    wine.to_csv(path, index=False)
    return path


@pytest.fixture
def write_csv(tmp_path):
    """Write a CSV file from columns or from text."""

    def write(name, content):
        path = tmp_path / name
        if isinstance(content, str):
            path.write_text(content, encoding="utf-8")
        else:
            pd.DataFrame(content).to_csv(path, index=False)
        return path

    return write


@pytest.fixture
def data(tmp_path):
    """Forty rows in two groups that one column tells apart."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(40, 4)), columns=["a", "b", "c", "d"])
    frame["b"] += 6.0 * (np.arange(40) % 2)
    path = tmp_path / "data.csv"
    frame.to_csv(path, index=False)
    return path


@pytest.fixture
def refused(run):
    """Run a command that must be refused and return what it says."""

    def check(*arguments, **options):
        result = run(*arguments, **options)
        assert result.exit_code == 2, result.output
        assert result.stdout == ""
        assert result.stderr.startswith("pairsift: error: ")
        assert result.stderr.count("\n") == 1
        return result.stderr

    return check


@pytest.fixture
def strict_json():
    """Read JSON as the standard has it: no NaN, no Infinity."""

    def refuse(constant):
        raise ValueError(f"{constant} is no JSON")

    return lambda text: json.loads(text, parse_constant=refuse)
