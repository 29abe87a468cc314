"""Docstrings from parts: filled in, without leftovers, by one bibliography."""

import ast
import importlib
import inspect
import re
import subprocess
import sys
from pathlib import Path

import pytest

import pairsift
from pairsift._docstrings import (
    BIBLIOGRAPHY,
    MARK,
    PARTS,
    REFERENCES,
    _parts,
    _references,
    documented,
    documented_like,
)
from pairsift.selectors._base import BaseScoreSelector, FromClasses, FromPairs

SRC = Path(pairsift.__file__).parent
ROOMS = ["pairsift", *(f"pairsift.{room}" for room in pairsift._ROOMS)]


def model(width, tol):
    """Do something.

    Parameters
    ----------
    width, height : float
        Lengths,

        both of them.
    tol : float
        Where to stop.

    Returns
    -------
    tol : str
        No parameter.
    """


def test_marks_become_texts_at_their_indentation():
    @documented
    def thing():
        """Do it.

        {n_jobs, n_iter_}
            {n_iter_}
        x : {1, 2}
        """

    assert inspect.getdoc(thing).splitlines() == [
        "Do it.",
        "",
        "n_jobs : int or None, default=-1",
        "    Number of threads: -1 for all cores, None as in joblib.",
        "n_iter_ : int",
        "    Number of steps.",
        "    n_iter_ : int",
        "        Number of steps.",
        "x : {1, 2}",
    ]


def test_works_are_numbered_in_their_order():
    @documented
    def thing():
        """Do it.

        {sun2007, kira1992}
        {draper2003}
        """

    numbers = re.findall(r"^ *\.\. \[(\d)\] (\S+ \S+),", thing.__doc__, re.M)
    assert numbers == [("1", "Y. Sun"), ("2", "K. Kira"), ("3", "B. Draper")]


def test_parameters_of_a_model_come_first():
    @documented_like(model)
    def thing():
        """Do it.

        {width}
        {tol, n_iter_}
        """

    lines = [line.strip() for line in thing.__doc__.splitlines() if line.strip()]
    assert lines == [
        *("Do it.", "width, height : float", "Lengths,", "both of them."),
        *("tol : float", "Where to stop.", "n_iter_ : int", "Number of steps."),
    ]


def test_unknown_part_is_an_error():
    def thing():
        """{nonsense}"""

    with pytest.raises(KeyError, match="nonsense"):
        documented(thing)


def test_without_docstring_nothing_is_filled_in():
    def thing():
        pass

    assert documented(thing).__doc__ is None
    assert documented_like(thing)(thing) is thing


@pytest.mark.parametrize("room", ROOMS)
def test_no_mark_is_left(room):
    module = importlib.import_module(room)
    for name in module.__all__:
        thing = getattr(module, name)
        assert not MARK.search(thing.__doc__ or ""), name
        for method, value in vars(thing).items() if isinstance(thing, type) else ():
            assert not MARK.search(getattr(value, "__doc__", "") or ""), method


def used_names():
    for path in SRC.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                for _, names in MARK.findall(ast.get_docstring(node) or ""):
                    yield from names.split(", ")
    for _, names in MARK.findall(_parts.FAMILIES):
        yield from names.split(", ")


def test_every_part_is_used_and_stands_once():
    bases = (BaseScoreSelector, FromPairs, FromClasses)
    of_bases = [text for base in bases for text in base._docstring_parts.values()]
    unused = set(PARTS) - set(used_names())
    assert all(any(PARTS[name] in text for text in of_bases) for name in unused)
    texts = (
        *(_parts.SENTENCES, _parts.DATA, _parts.PARAMETERS),
        *(_parts.ATTRIBUTES, _parts.FAMILIES, _parts.RETURNS, _parts.EXAMPLES),
    )
    keys = re.findall(r"^(\w+)$", "\n".join(texts), re.M)
    assert sorted(keys) == sorted(PARTS)
    assert len(set(PARTS.values())) == len(PARTS)


def test_every_work_is_listed_once_and_fits_the_page():
    texts = (_references.SOURCES, _references.METHODS, _references.MEASURES)
    keys = re.findall(r"^(\w+)$", "\n".join(texts), re.M)
    assert sorted(keys) == sorted(REFERENCES)
    assert sum(map(len, BIBLIOGRAPHY.values())) == len(REFERENCES)
    page = (Path(__file__).parents[1] / "docs" / "references.md").read_text("utf-8")
    assert set(re.findall(r"{{ (\w+) }}", page)) == set(BIBLIOGRAPHY)


@pytest.mark.slow
def test_works_without_docstrings():
    script = (
        # Without a kernel, which would be compiled again.
        "import pairsift, pairsift.scores; "
        "print(pairsift.ReliefF.__doc__, pairsift.scores.variance_score([[0], [2]]))"
    )
    found = subprocess.run(
        [sys.executable, "-OO", "-c", script],
        capture_output=True,
        text=True,
        check=True,
    )
    assert found.stdout == "None [1.]\n"
