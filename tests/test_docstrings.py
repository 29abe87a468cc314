"""Docstrings stand in full in the source, and are equal where they mean the same."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

import pairsift
from tests.bibliography import works
from tools.docsync import differing

SRC = Path(pairsift.__file__).parent


def test_descriptions_of_shared_parameters_are_equal():
    assert differing() == []


def docstrings():
    """Yield every docstring of the package."""
    kinds = ast.Module | ast.ClassDef | ast.FunctionDef
    for path in SRC.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, kinds):
                yield ast.get_docstring(node) or ""


def test_no_docstring_has_a_template():
    mark = re.compile(r"^ *\{\w+(?:, \w+)*\}$", re.M)
    assert [text for text in docstrings() if mark.search(text)] == []


def test_every_work_is_cited_as_the_page_of_references_lists_it():
    cited = set()
    for text in docstrings():
        _, _, references = text.partition("\nReferences\n")
        listed = references.partition("\n\n")[0]
        parts = re.split(r"^\.\. \[\d+\] ", listed, flags=re.M)[1:]
        # A docstring may add a chapter.
        cited |= {" ".join(part.split()).partition(", chapter")[0] for part in parts}
    assert cited
    listed = [work.rstrip(".") for work in works().values()]
    missing = [work for work in cited if not any(work.rstrip(".") in w for w in listed)]
    assert missing == []


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
