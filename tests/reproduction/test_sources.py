"""Every table and figure of the sources: entered, or why it is no experiment."""

import re
from pathlib import Path

import pytest

from reproduction._reproduce import PAPERS, experiments
from tests.reproduction.printed import text_of

EXAMPLES = Path(__file__).parents[2] / "examples"
NUMBERS = {"hijazi2019": 0, "salmi2020": 1, "hijazi2021": 2, "coelho2013": 3}
CAPTION = re.compile(r"\b(figures?|figs?\.?|tables?)\s+(\d+(?:\.\d+)?)", re.IGNORECASE)

DRAWING = "a drawing that explains a notion"
DATA = "a list of data sets"
WORKED = "a worked example, checked in tests/scores/test_relief.py"
GALLERY = "a toy whose numbers are in a picture only: examples/plot_toy_questions.py"
NETWORKS = "how weights of a network lie when it is trained: nothing is selected"
NO_EXPERIMENT = {
    "hijazi2019": {
        **{f"figure-1.{k}": DRAWING for k in range(1, 9)},
        "figure-2.1": WORKED,
        "2.1": WORKED,
        "figure-2.2": DRAWING,
        "2.2": "a list of methods",
        "figure-3.1": DRAWING,
        "3.1": DATA,
        "3.8": DATA,
        "4.1": DATA,
        "figure-4.1": GALLERY,
        "figure-4.2": DRAWING,
        "figure-4.3": GALLERY,
        "figure-4.4": DRAWING,
    },
    "salmi2020": {"1": DATA, "figure-1": f"{DRAWING}; its points are not given"},
    "hijazi2021": {"1": DATA, "figure-1": DRAWING, "figure-2": DRAWING},
    "coelho2013": {
        **{f"figure-2.{k}": DRAWING for k in range(1, 7)},
        "figure-3.1": DRAWING,
        **{f"figure-5.{k}": DRAWING for k in range(1, 6)},
        **{f"figure-5.{k}": NETWORKS for k in range(6, 13)},
        "figure-5.13": "a plot of data, those of make_pcirc",
    },
}
# The slides of 2018 have no numbers: two show what the thesis has in these figures.
SLIDES = {
    "(a) ColonCancer": ("hijazi2019", "figure-3.3"),
    "Solutions Comparison of Relief-Sc and Simba-Sc": ("hijazi2019", "figure-3.4"),
}


def entered(paper):
    """Names of the tables and figures that some experiment shows."""
    names = {experiment.table for experiment in experiments(paper)}
    for experiment in experiments():
        for name in experiment.also:
            source, _, table = name.rpartition(" ")
            if (source or experiment.paper) == paper:
                names.add(table)
    return names


@pytest.mark.parametrize("paper", NUMBERS)
def test_each_table_and_figure_is_entered_or_is_no_experiment(paper):
    text = text_of(NUMBERS[paper])
    printed = {
        number if word.lower().startswith("table") else f"figure-{number}"
        for word, number in CAPTION.findall(text)
    }
    assert entered(paper) | NO_EXPERIMENT[paper].keys() == printed


@pytest.mark.parametrize("paper", NUMBERS)
def test_what_is_no_experiment_is_not_entered(paper):
    assert not entered(paper) & NO_EXPERIMENT[paper].keys()


def test_every_source_is_gone_through():
    assert set(NUMBERS) == set(NO_EXPERIMENT) == set(PAPERS)
    slides = text_of(4)
    assert not CAPTION.findall(slides)
    assert slides.count("Experimental Results:") == len(SLIDES)
    for words, (paper, table) in SLIDES.items():
        assert words in slides
        assert experiments(paper, table)


def test_nothing_is_pending():
    for experiment in experiments():
        for part in experiment.parts:
            assert (part.run is None) != (part.derive is None), experiment.table


def test_what_is_shown_elsewhere_is_found_by_name():
    [active] = experiments("hijazi2019", "figure-4.5")
    assert (active.paper, active.table) == ("hijazi2019", "4.2")
    [later] = experiments("hijazi2019", "figure-3.5")
    assert (later.paper, later.table) == ("hijazi2021", "figure-3")


def test_the_example_of_the_toy_is_there():
    assert (EXAMPLES / "plot_toy_questions.py").exists()
