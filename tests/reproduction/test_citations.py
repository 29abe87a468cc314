"""The works are cited by the titles that they have."""

import pytest

from reproduction._reproduce import PAPERS
from tests.bibliography import works
from tests.reproduction.printed import text_of

# The title stands within the first characters of a text.
N_CHARACTERS = 1000


def title_of(key):
    return works()[key].split('"')[1].rstrip(",").lower()


@pytest.mark.parametrize(
    ("number", "key"), [(0, "hijazi2019"), (1, "salmi2020"), (2, "hijazi2021")]
)
def test_titles_are_those_printed(number, key):
    assert title_of(key) in " ".join(text_of(number)[:N_CHARACTERS].lower().split())


@pytest.mark.parametrize("key", list(PAPERS))
def test_the_pages_cite_as_the_bibliography(key):
    assert title_of(key) in PAPERS[key].citation.lower()
