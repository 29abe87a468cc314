"""The figures and times of the article, at a tiny size."""

import re
from pathlib import Path

import numpy as np
import pytest

from reproduction._experiment import Bench
from reproduction._protocols import Split
from reproduction._reproduce import experiments, loader, reproduce
from reproduction.hijazi2021._protocol import (
    Data,
    ranked,
    run_constrained,
    sizes_of,
    tasks_of,
)
from tests.reproduction.parts import cells_of

ARTICLE = Path(__file__).parents[3] / "shared" / "papers" / "002_7777b006d8475172.txt"
WINE = Data("Wine", "wine", 20)


@pytest.fixture
def tasks():
    return list(tasks_of(WINE, Bench(2, 0, loader(None))))


@pytest.mark.skipif(not ARTICLE.exists(), reason="the article is not here")
def test_times_are_those_of_the_article():
    text = ARTICLE.read_text("utf-8")
    printed = text[text.index("TABLE 2: Average execution time") :]
    [experiment] = experiments("hijazi2021", "2")
    for row in dict.fromkeys(cell.row for cell in experiment.cells):
        line = re.search(rf"^{row}\t(.*)$", printed, re.M).group(1)
        ours = [cell.published for cell in experiment.cells if cell.row == row]
        assert ours == [float(number) for number in line.split("\t")]


@pytest.mark.skipif(not ARTICLE.exists(), reason="the article is not here")
def test_stated_numbers_stand_in_the_article():
    text = re.sub(r"\s+", " ", ARTICLE.read_text("utf-8"))
    for sentence in (
        "maximum classification accuracy of 94.60% after only 12 features out of 30",
        "its maximum of 75.94% on only 19 features out of 60",
        "(82.03%) on the full feature space of Sonar dataset, i.e., 60 features",
        "an accuracy of 83.04% over only 37 features",
        "an accuracy of 55.3% on 117 feature was recorded",
        "52.93% on 279 features without feature selection and 55.5% on 141 features "
        "using ReliefF and mRMR",
    ):
        assert sentence in text
    cells = [
        (experiment.table, *cell.key, cell.published)
        for experiment in experiments("hijazi2021")
        for cell in experiment.cells
        if cell.published is not None and cell.unit == "%"
    ]
    assert cells == [
        ("figure-3", "WDBC", "FCRSC C4.5 Acc", 94.60),
        ("figure-4", "Sonar", "FCRSC C4.5 Acc", 75.94),
        ("figure-9", "all features", "KNN Acc", 82.03),
        ("figure-9", "Variance", "KNN Acc", 82.03),
        ("figure-9", "Laplacian", "KNN Acc", 82.03),
        ("figure-9", "FCRSC", "KNN Acc", 83.04),
        ("figure-10", "all features", "KNN Acc", 52.93),
        ("figure-10", "ReliefF", "KNN Acc", 55.5),
        ("figure-10", "mRMR", "KNN Acc", 55.5),
        ("figure-10", "FCRSC", "KNN Acc", 55.3),
    ]


def test_two_thirds_of_the_rows_train(tasks):
    for task in tasks:
        assert (len(task.split.X), len(task.split.X_test)) == (118, 60)
        y = task.split.y
        assert (y[task.cannot_link[:, 0]] != y[task.cannot_link[:, 1]]).all()
        assert len(task.cannot_link) == 20
    assert not np.array_equal(tasks[0].split.X, tasks[1].split.X)


def test_mrmr_ranks_as_many_features_as_there_are_clusters(tasks):
    clusters = len(ranked(tasks[0], "FCRSC"))
    assert 1 < clusters < 13
    assert len(ranked(tasks[0], "mRMR")) == clusters
    for method in ("Variance", "Laplacian", "ReliefF", "Simba-Sc", "Relief-Sc"):
        assert sorted(ranked(tasks[0], method)) == list(range(13))


def test_costly_classifiers_are_tried_at_a_dozen_sizes(rng):
    small = Split(*[np.empty((9, 60)), np.empty(9)] * 2)
    wide = Split(*[np.empty((9, 61)), np.empty(9)] * 2)
    tall = Split(*[np.empty((2001, 5)), np.empty(2001)] * 2)
    assert len(sizes_of(60, small, "SVM")) == 60
    assert len(sizes_of(61, wide, "KNN")) == 61
    dozen = sizes_of(61, wide, "SVM").tolist()
    assert (len(dozen), dozen[0], dozen[-1]) == (12, 1, 61)
    assert sizes_of(5, tall, "C4.5").tolist() == [1, 2, 3, 4, 5]


def test_spambase_has_fewer_runs():
    for experiment in experiments("hijazi2021"):
        for part in experiment.parts:
            # Figure 8 is of Spambase alone.
            is_long = "Spambase" in (part.cells[0].row, experiment.title[-8:])
            is_long &= experiment.table != "figure-4" or part.cells[0].row == "Spambase"
            assert part.share == (10 if is_long else 1), experiment.table


def test_constrained_methods_have_accuracy_and_redundancy_curves():
    found = run_constrained(WINE, Bench(2, 0, loader(None)))
    accuracy = found["Wine", "Relief-Sc C4.5 Acc"]
    assert accuracy.value == max(accuracy.curve.values)
    assert accuracy.curve.sizes == list(range(1, 14))
    entropy = found["Wine", "Relief-Sc RE"]
    assert entropy.value == pytest.approx(np.mean(entropy.curve.values))
    # One feature has all variance in one direction; s have at most log s nats.
    assert entropy.curve.values[0] == pytest.approx(0.0, abs=1e-9)
    assert (np.array(entropy.curve.values) <= np.log(entropy.curve.sizes) + 1e-9).all()
    # It grows with the size, so that it is compared at the sizes of FCRSC only.
    sizes = found["Wine", "FCRSC C4.5 Acc"].curve.sizes
    assert 1 < len(sizes) < 13
    for method in ("Simba-Sc", "Relief-Sc", "FCRSC"):
        assert found["Wine", f"{method} RE"].curve.sizes == sizes


def test_a_figure_without_numbers_is_shown_not_judged():
    [found] = reproduce("hijazi2021", "figure-5", n_runs=1)
    assert {judged.verdict for judged in found.cells} == {"figure"}
    assert {judged.cell.published for judged in found.cells} == {None}
    assert all(judged.ours is not None for judged in found.cells)
    # Five methods, three classifiers.
    assert len(found.curves) == 15


def test_times_are_shown_not_judged(tmp_path):
    found = cells_of("hijazi2021", "2", n_runs=1, data_dir=tmp_path)
    of_wine = found[found["row"] == "Wine"]
    assert set(of_wine["verdict"]) == {"time"}
    assert (of_wine["ours"] > 0).all()
    assert set(found["verdict"][found["row"] == "Sonar"]) == {"no data"}
