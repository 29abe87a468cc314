"""The tables of the thesis: typed rightly, and the cells that must come out do."""

import re
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

from pairsift.scores import constraint_score_5
from reproduction._protocols import Split
from reproduction._reproduce import experiments, loader, reproduce
from reproduction.hijazi2019._protocol import (
    ANSWERED,
    CONSTRAINED,
    MATRIX,
    Pairs,
    Task,
    active_pairs,
    curve_of,
    random_pairs,
    split_of,
    spread_pairs,
)
from reproduction.hijazi2019._tables import CHAPTER_3, CHAPTER_4
from tests.reproduction.parts import cells_of

THESIS = Path(__file__).parents[3] / "shared" / "papers" / "000_28f672c4f6b24983.txt"
WINE = next(data for data in CHAPTER_4 if data.row == "Wine")


class Loader:
    """A bench that only loads."""

    seed = 0

    def __init__(self, folder=None):
        self.load = loader(folder)


def task_of(data, folder=None, seed=0):
    rng = np.random.default_rng(seed)
    return Task(data, split_of(data, Loader(folder)), rng)


def verdicts(found, row):
    lines = found[found["row"] == row]
    return dict(zip(lines["column"], lines["verdict"], strict=True))


def margins(X, pairs, k):
    """Sum, over ordered pairs, the mean difference to neighbours of the other end.

    Differences are not divided by anything: the ranges of all rows are 1.
    """
    z = np.zeros(X.shape[1])

    def nearest(row):
        distances = np.abs(X - X[row]).sum(axis=1)
        distances[row] = np.inf
        return np.argsort(distances, kind="stable")[:k]

    for n, m in pairs:
        z += np.abs(X[n] - X[nearest(m)]).mean(axis=0)
        z -= np.abs(X[n] - X[nearest(n)]).mean(axis=0)
    return z


@pytest.mark.skipif(not THESIS.exists(), reason="the thesis is not beside the project")
@pytest.mark.parametrize("table", ["3.2", "3.3", "4.2", "4.3"])
def test_cells_are_those_of_the_thesis(table):
    text = THESIS.read_text("utf-8")
    printed = text[text.index(f"Table {table}: The highest") :]
    [experiment] = experiments("hijazi2019", table)
    for row in dict.fromkeys(cell.row for cell in experiment.cells):
        [line] = re.findall(rf"^{row}\t(.*)$", printed[:3000], re.M)[:1]
        line = line.replace("$\\rightarrow$", "-")
        line = line.replace("<math>\\rightarrow</math>", "-")
        line = re.sub(r"<[^>]*>", "", line).replace(" ", "")
        ours = [
            str(cell.published)
            for cell in experiment.cells
            if cell.row == row and not cell.column.startswith(ANSWERED)
        ]
        theirs = [_plain(number) for number in line.split("\t")]
        # All numbers but those of all features, which are no results.
        at = 5 if table.startswith("3") else 1
        assert [_plain(number) for number in ours] == theirs[:at] + theirs[at + 1 :]


@pytest.mark.skipif(not THESIS.exists(), reason="the thesis is not beside the project")
def test_cells_of_the_large_table_are_those_of_the_thesis():
    text = THESIS.read_text("utf-8")
    start = text.index("Table 4.4: The highest")
    printed = [
        [_plain(re.sub(r"<[^>]*>", "", value)) for value in line.split("\t")[2:]]
        for line in text[start : start + 4000].splitlines()
        if line.count("\t") == 13 and re.search(r"\t[\d.]+\t", line)
    ]
    [experiment] = experiments("hijazi2019", "4.4")
    values = {cell.key: _plain(str(cell.published)) for cell in experiment.cells}
    rows = list(dict.fromkeys(cell.row for cell in experiment.cells))
    again = [row for row in rows if row.startswith(MATRIX)]
    assert again == ["CLS matrix, RCG", "CLS matrix, ACS"]
    for key in [key for key in values if key[0] in again]:
        assert values.pop(key) == values[key[0].replace(MATRIX, "CLS"), key[1]]
    rows = [row for row in rows if row not in again]
    assert len(printed) == len(rows) == 16
    columns = [
        f"{data} {classifier} {what}"
        for classifier in ("1-NN", "SVM")
        for data in ("Wine", "Segmentation", "ColonCancer")
        for what in ("Acc", "d")
    ]
    for row, line in zip(rows, printed, strict=True):
        for column, value in zip(columns, line, strict=True):
            if row != "all features" or column.endswith("Acc"):
                assert values[row, column] == value, (row, column)


def _plain(text):
    try:
        return f"{float(text):g}"
    except ValueError:
        return text


def test_wine_comes_out_without_files():
    found = cells_of("hijazi2019", "4.3", data_dir=Path(__file__).parent)
    assert verdicts(found, "Wine") == {
        "all features Acc": "matches",
        "ACS Acc": "matches",
        "ACS d": "matches",
        "PACS Acc": "matches",
        "PACS d": "differs",
        "PACS answered Acc": "matches",
        "PACS answered d": "differs",
    }
    assert set(verdicts(found, "Heart").values()) == {"no data"}
    assert found["note"][found["row"] == "Heart"].str.contains("heart").all()


@pytest.mark.slow
@pytest.mark.shared_data
def test_exact_cells_of_active_constraints(shared_data):
    found = cells_of("hijazi2019", "4.2", n_runs=2, data_dir=shared_data)
    exact = found[found["verdict"] == "matches"]
    cells = set(zip(exact["row"], exact["column"], strict=True))
    rows = ("Soybean", "Wine", "Heart", "Leukemia")
    assert {(row, "all features Acc") for row in rows} <= cells
    assert {("Wine", "ACS Acc"), ("Wine", "ACS d")} <= cells
    assert {("Heart", "ACS Acc"), ("Heart", "ACS d")} <= cells


@pytest.mark.shared_data
def test_exact_cells_of_labelled_and_unlabelled_methods(shared_data):
    [experiment] = experiments("hijazi2019", "4.4")
    found = {}
    for part in experiment.parts:
        cell = part.cells[0]
        is_wanted = cell.row in ("Fisher", "ReliefF", "Laplacian", "ReliefF-Sc, ACS")
        if is_wanted and not cell.column.startswith("Colon"):
            found |= part.run(Loader(shared_data))
    published = {
        ("Fisher", "Wine 1-NN"): (100.0, 5),
        ("Fisher", "Wine SVM"): (97.73, 5),
        ("Fisher", "Segmentation 1-NN"): (89.52, 11),
        ("Fisher", "Segmentation SVM"): (88.57, 13),
        ("ReliefF", "Segmentation 1-NN"): (89.52, 11),
        ("Laplacian", "Wine 1-NN"): (100.0, 6),
        ("Laplacian", "Segmentation 1-NN"): (89.52, 11),
        ("ReliefF-Sc, ACS", "Wine 1-NN"): (100.0, 5),
        ("ReliefF-Sc, ACS", "Wine SVM"): (98.86, 4),
        ("ReliefF-Sc, ACS", "Segmentation 1-NN"): (89.52, 11),
    }
    for (row, column), (accuracy, size) in published.items():
        assert round(found[row, f"{column} Acc"].value, 2) == accuracy, (row, column)
        assert found[row, f"{column} d"].value == size, (row, column)


def test_margins_on_wine_are_those_of_ranges_over_all_rows():
    task = task_of(WINE)
    for pairs in (active_pairs(task, "ReliefF-Sc"), random_pairs(task, "ReliefF-Sc")):
        z = CONSTRAINED["ReliefF-Sc"](task, pairs)
        assert_allclose(z, margins(task.split.X, pairs.cannot_link, 5), atol=1e-10)


@pytest.mark.slow
@pytest.mark.shared_data
@pytest.mark.parametrize("data", CHAPTER_3 + CHAPTER_4, ids=lambda d: f"{d.row}-{d.k}")
def test_the_rows_that_tell_the_ranges_are_nobodys_neighbours(shared_data, data):
    X = task_of(data, shared_data).split.X
    ends = np.zeros((2, X.shape[1]))
    ends[0, ::2] = ends[1, 1::2] = 1.0
    for x in X:
        among_rows = np.sort(np.abs(X - x).sum(axis=1))
        assert np.abs(ends - x).sum(axis=1).min() > among_rows[data.k]


@pytest.mark.parametrize("choose", [random_pairs, active_pairs])
def test_methods_with_must_links_get_half_of_each_kind(rng, choose):
    # Two clouds that overlap, so that both answers come.
    y = np.arange(40) % 2
    X = rng.random((40, 4)) + 0.3 * y[:, np.newaxis]
    task = Task(WINE._replace(n_pairs=7), Split(X, y, X, y), rng)
    pairs = choose(task, "CS1")
    assert (len(pairs.must_link), len(pairs.cannot_link)) == (3, 4)
    assert (y[pairs.must_link[:, 0]] == y[pairs.must_link[:, 1]]).all()
    assert (y[pairs.cannot_link[:, 0]] != y[pairs.cannot_link[:, 1]]).all()


def test_the_budget_of_cannot_links_counts_questions():
    rng = np.random.default_rng(0)
    X = rng.random((12, 3))
    # One class only, but for a row: nearly all answers are must.
    y = np.zeros(12, dtype=int)
    y[0] = 1
    task = Task(WINE._replace(n_pairs=6, k=3), Split(X, y, X, y), rng)
    pairs = active_pairs(task, "ReliefF-Sc")
    assert len(pairs.must_link) + len(pairs.cannot_link) == 6


def test_asking_for_both_kinds_ends_when_all_pairs_were_asked():
    rng = np.random.default_rng(0)
    X, y = rng.random((6, 3)), np.zeros(6, dtype=int)
    task = Task(WINE._replace(n_pairs=4, k=3), Split(X, y, X, y), rng)
    pairs = active_pairs(task, "CS1")
    assert (len(pairs.must_link), len(pairs.cannot_link)) == (2, 0)


def test_spread_pairs_count_both_ways_and_given_ones_as_asked():
    task = task_of(WINE._replace(alpha=0.99))
    asked = active_pairs(task, "ReliefF-Sc").cannot_link
    spread = spread_pairs(task, "ReliefF-Sc").cannot_link.tolist()
    assert spread[: len(asked)] == asked.tolist()
    new = {tuple(pair) for pair in spread[len(asked) :]}
    assert new
    assert {(b, a) for a, b in new} == new
    assert len(new) == len(spread) - len(asked)


def test_support_vectors_skip_sizes_of_very_many_features(rng):
    X, y = rng.random((12, 260)), np.arange(12) % 2
    split = Split(X[:6], y[:6], X[6:], y[6:])
    sizes, _ = curve_of(split, np.arange(260), "SVM")
    assert sizes.tolist() == [*range(1, 101), 150, 200, 250, 260]
    sizes, _ = curve_of(split, np.arange(260), "1-NN")
    assert sizes.tolist() == list(range(1, 261))


def test_every_method_ranks_every_feature():
    task = task_of(WINE)
    for method, score in CONSTRAINED.items():
        scores = score(task, random_pairs(task, method))
        assert scores.shape == (13,)
        assert not np.isnan(scores).any()


def test_constrained_laplacian_scores_are_shown_in_both_forms():
    task = task_of(WINE)
    pairs = random_pairs(task, MATRIX)
    assert len(pairs.must_link) == len(pairs.cannot_link) == 10
    for method, form in (("CLS", "sum"), (MATRIX, "matrix")):
        expected = constraint_score_5(task.split.X, *pairs, form=form)
        assert_allclose(CONSTRAINED[method](task, pairs), expected)


@pytest.mark.skipif(not THESIS.exists(), reason="the thesis is not beside the project")
@pytest.mark.parametrize("table", ["3.4", "3.5", "3.7"])
def test_times_are_those_of_the_thesis(table):
    text = THESIS.read_text("utf-8")
    printed = text[
        re.search(rf"Table {table}: The (average r|R)unning", text).start() :
    ]
    [experiment] = experiments("hijazi2019", table)
    for row in dict.fromkeys(cell.row for cell in experiment.cells):
        [line] = re.findall(rf"^{row}\t(.*)$", printed[:1500], re.M)[:1]
        ours = [cell.published for cell in experiment.cells if cell.row == row]
        assert ours == [float(number) for number in line.split("\t")]
    assert {cell.unit for cell in experiment.cells} == {"ms"}


@pytest.mark.skipif(not THESIS.exists(), reason="the thesis is not beside the project")
def test_numbers_that_the_text_tells_of_figures_are_those_of_the_thesis():
    text = THESIS.read_text("utf-8")
    assert "(23 constraints on 24 data points)" in text
    assert "0.47 the number of propagated constraints reached 102" in text
    assert "ReliefF-Sc, Simba-Sc, CS1, CS4, and CLS reached a precision value of 1" in (
        text
    )
    stated = {
        (cell.row, cell.column): cell.published
        for table in ("figure-4.7", "figure-4.10")
        for cell in experiments("hijazi2019", table)[0].cells
        if cell.published is not None
    }
    methods = ("ReliefF-Sc", "Simba-Sc", "CS1", "CS4", "CLS", MATRIX)
    assert stated == {
        ("Soybean", "PACS pairs"): 23,
        ("Soybean", "PACS answered pairs"): 23,
        ("Sonar", "PACS pairs"): 102,
        ("Sonar", "PACS answered pairs"): 102,
        **{(f"{method}, ACS", "Segmentation precision"): 1.0 for method in methods},
    }


@pytest.mark.slow
def test_accuracies_against_the_number_of_constraints_on_wine(tmp_path):
    [found] = reproduce("hijazi2019", "figure-4.9", n_runs=1, data_dir=tmp_path)
    values = {cell.key: ours and ours.value for cell, ours, *_ in found.cells}
    task = task_of(WINE._replace(n_pairs=10))
    order = np.argsort(-CONSTRAINED["ReliefF-Sc"](task, active_pairs(task, "")))
    sizes, accuracies = curve_of(task.split, order, "SVM")
    expected = 100 * accuracies[sizes.tolist().index(6)]
    assert values["Wine SVM", "ReliefF-Sc, ACS at 10"] == pytest.approx(expected)
    assert len(found.curves) == 2 * 7
    curve = found.curves["Wine SVM", "ReliefF-Sc, ACS"]
    assert curve.sizes == [5, 10, 15, 20, 30, 40]
    assert curve.values[1] == pytest.approx(expected)
    # Methods without constraints are level lines.
    assert len(set(found.curves["Wine SVM", "Fisher"].values)) == 1


def test_precision_of_a_ranking_against_fisher_on_wine():
    [experiment] = experiments("hijazi2019", "figure-4.10")
    [part] = [
        part
        for part in experiment.parts
        if part.cells[0].key == ("ReliefF-Sc, ACS", "Wine precision")
    ]
    found = part.run(Loader())
    # Of 6 features, 10 stands where Fisher has 11.
    assert found["ReliefF-Sc, ACS", "Wine precision"].value == pytest.approx(5 / 6)


def test_successive_runs_of_relief_sc_are_one_on_wine(tmp_path):
    [found] = reproduce("hijazi2019", "figure-3.4", data_dir=tmp_path)
    curves = {
        column: tuple(curve.values)
        for (row, column), curve in found.curves.items()
        if row == "Wine"
    }
    assert len(curves) == 8
    assert len({curves[column] for column in curves if "Relief" in column}) == 1
    assert len({curves[column] for column in curves if "Simba" in column}) > 1


def test_no_pairs_is_a_table_of_pairs():
    assert Pairs(*random_pairs(task_of(WINE), "Simba-Sc")).must_link.shape == (0, 2)
