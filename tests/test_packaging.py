"""What an installation needs: the library without the command line's packages."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from pairsift.__main__ import EXTRA

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
WITHOUT = """
import sys

class NotInstalled:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {names!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, NotInstalled())
"""
FIT = """
import numpy as np
import pairsift
X = np.random.default_rng(0).normal(size=(30, 4))
y = np.arange(30) % 2
pairs = pairsift.PairConstraints.sample(y, 5, 5, random_state=0)
print(pairsift.ReliefF(2).fit(X, y).transform(X).shape)
print(pairsift.PairLogistic(2).fit(X, constraints=pairs).transform(X).shape)
"""


def requirements(extra):
    """Names in a list of pyproject.toml, and in the extras of ours that it names."""
    listed = PROJECT["optional-dependencies"].get(extra, PROJECT["dependencies"])
    names = {re.match(r"[\w-]+", line)[0]: line for line in listed}
    ours = re.search(r"\[(.*)\]", names.pop("pairsift", "[]"))[1]
    return set(names).union(*map(requirements, filter(None, ours.split(","))))


def run_without(names, program):
    return subprocess.run(
        [sys.executable, "-c", WITHOUT.format(names=names) + program],
        capture_output=True,
        text=True,
    )


@pytest.mark.subprocess
def test_selectors_fit_without_pandas_and_the_packages_of_the_command_line():
    names = [*requirements("cli"), *requirements("plot"), "pandas"]
    result = run_without(names, FIT)
    assert (result.stdout, result.stderr) == ("(30, 2)\n" * 2, "")


@pytest.mark.subprocess
@pytest.mark.parametrize("name", EXTRA)
def test_the_command_names_what_is_not_installed(name):
    result = run_without([name], "from pairsift.__main__ import main; main()")
    assert result.returncode == 1
    assert result.stdout == ""
    assert result.stderr == (
        f"pairsift: error: the command needs {name}, which is not installed: "
        "pip install 'pairsift[cli]'.\n"
    )


def test_an_error_of_our_own_is_not_taken_for_a_missing_package(monkeypatch):
    monkeypatch.setitem(sys.modules, "pairsift.cli", None)
    from pairsift.__main__ import main

    with pytest.raises(ModuleNotFoundError, match=r"pairsift\.cli"):
        main()


def test_the_extra_of_the_command_line_is_what_the_message_says():
    assert set(EXTRA) < requirements("cli")
    assert not requirements("cli") & requirements("dependencies")
    assert requirements("cli") < requirements("test")


def test_oldest_dependencies_are_the_declared_ones():
    extras = PROJECT["optional-dependencies"]
    parts = [extras[name] for name in ("cli", "label", "plot")]
    declared = [*PROJECT["dependencies"], *(line for part in parts for line in part)]
    # Old releases of scikit-learn do not find the names of newer frames.
    declared += [line for line in extras["test"] if line.startswith("polars")]
    bounds = dict(line.split(">=") for line in declared)
    text = (ROOT / "tests" / "oldest.txt").read_text("utf-8")
    oldest = dict(re.findall(r"^([\w-]+)==(.+)$", text, re.M))
    assert oldest.keys() == bounds.keys()
    for name, version in oldest.items():
        assert re.fullmatch(rf"{re.escape(bounds[name])}(\.0)*", version), name
