"""The README and the guide: their code runs, their tables are true."""

import importlib
import re
from pathlib import Path

import pytest
import sklearn

import pairsift

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_python_examples_run(page, capsys):
    blocks = re.findall(r"```python\n(.*?)```", page.read_text("utf-8"), re.DOTALL)
    names: dict[str, object] = {}
    with sklearn.config_context():
        for block in blocks:
            exec(compile(block, str(page), "exec"), names)


def test_readme_lists_every_method():
    readme = (ROOT / "README.md").read_text("utf-8")
    rows = re.findall(
        r"^\| `([^`]+)` \| `(\w+)` \| (.*?) \| (.*?) \| (.*?) \|$", readme, re.M
    )
    catalogue = pairsift.methods()
    columns = ["name", "class", "needs", "orientation", "citation"]
    assert rows == [tuple(row) for row in catalogue[columns].to_numpy().tolist()]


def test_api_page_lists_every_public_name():
    page = (ROOT / "docs" / "api" / "index.md").read_text("utf-8")
    listed = set(re.findall(r"^   ([\w.]+)$", page, re.M)) - {"pairsift"}
    public = set(pairsift.__all__) - {"__version__"}
    for room in pairsift._ROOMS:
        names = importlib.import_module(f"pairsift.{room}").__all__
        public |= {f"{room}.{name}" for name in names if name not in public}
    assert listed == public


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_relative_links_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text("utf-8")):
        assert (page.parent / target).exists(), target


def test_citation_names_the_version():
    for name in ("CITATION.cff", "README.md"):
        assert pairsift.__version__ in (ROOT / name).read_text("utf-8")
