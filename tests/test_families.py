"""The pages of the families: every method explained once, every cited work listed."""

import re
from collections import Counter
from pathlib import Path

import pytest

import pairsift
from tests.bibliography import works

DOCS = Path(__file__).parents[1] / "docs"
PAGES = [
    *sorted((DOCS / "guide" / "families").glob("*.md")),
    DOCS / "guide" / "redundancy.md",
]


def test_every_method_is_explained_on_one_page():
    text = "\n".join(page.read_text("utf-8") for page in PAGES)
    explained = Counter(re.findall(r"\{py:class\}`~pairsift\.(\w+)`", text))
    expected = set(pairsift.methods()["class"]) - {"PairLogistic"}  # has its own page
    assert set(explained) == expected
    assert [name for name, times in explained.items() if times > 1] == []


def test_methods_page_names_every_method():
    page = (DOCS / "guide" / "methods.md").read_text("utf-8")
    numbered = {f"ConstraintScore{i}" for i in range(3, 8)}
    for name in set(pairsift.methods()["class"]) - numbered:
        assert name in page, name
    assert "`ConstraintScore3` to `7`" in page


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_cited_works_are_listed(page):
    cited = set(re.findall(r"\]\(#([a-z]+\d{4}[a-z]*)\)", page.read_text("utf-8")))
    assert cited <= works().keys()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_api_page_lists_the_methods_of_a_family_together(page):
    text = page.read_text("utf-8")
    explained = re.findall(r"\{py:class\}`~pairsift\.(\w+)`", text)
    api = (DOCS / "api" / "index.md").read_text("utf-8")
    address = page.relative_to(DOCS).with_suffix("")
    section = api.partition(f"</{address}>`")[2].partition("~~~")[0]
    listed = re.findall(r"^   ([A-Z]\w+)$", section, re.M)
    assert listed == list(dict.fromkeys(explained))
