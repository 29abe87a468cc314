"""Salmi et al. 2020: what is typed in is what is printed, and the protocols."""

import re

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.utils import Bunch

from pairsift import ConstraintScore1, SimilarityConstraintScore
from pairsift.datasets import load
from pairsift.evaluation import (
    accuracy_curve,
    draw_prototypes,
    first_rows_split,
    must_link_expansion,
    prototype_accuracy_curve,
)
from reproduction._experiment import VERDICTS, Bench
from reproduction.salmi2020 import PAPER, _protocol as protocol
from reproduction.salmi2020._protocol import Data
from tests.reproduction.parts import run_part
from tests.reproduction.printed import (
    assert_printed,
    lines_between,
    numbers_in,
    rows_of,
    text_of,
)

TABLES = {experiment.table: experiment for experiment in PAPER.experiments}
PRINTED = {
    "2": (r"Database	m	p	$\varepsilon^S$", "Table 2:"),
    "3": ("Table 3: Mean", "#### 5.3"),
    "4": ("Table 4: $NML$", "4. To interpret"),
    "5": ("Database	m	p	$\\varepsilon^{SS}$", "Table 5:"),
    "6": ("Database	LS	Spec", "#### 5.4"),
    "8": ("Database	$Acc(m^*)$", "Table 8:"),
}
TOY = Data("Toy", "toy", 4, (3, 2), n_sizes=2)


@pytest.mark.parametrize("table", PRINTED)
def test_values_are_those_of_the_paper(table):
    lines = lines_between(text_of(1), *PRINTED[table])
    assert_printed(rows_of(TABLES[table]), lines)


def test_times_are_those_of_the_paper():
    lines = lines_between(text_of(1), "Table 7: Run-time", "#### 5.4.3")
    # A comma as decimal point, in TeX.
    lines = [re.sub(r"\\?\$|\\!", "", line).replace(",", ".") for line in lines]
    printed = [numbers_in(line)[-5:] for line in lines if len(numbers_in(line)) == 6]
    assert list(rows_of(TABLES["7"]).values()) == printed


def test_only_tables_have_published_values():
    assert set(PRINTED) | {"7"} == {
        table
        for table, experiment in TABLES.items()
        if any(cell.published is not None for cell in experiment.cells)
    }


@pytest.fixture
def toy(rng):
    y = np.repeat(["a", "b"], 24)
    X = rng.normal(size=(48, 6)) + (y == "b")[:, None] * np.arange(6) / 3
    return Bunch(data=X, target=y)


def bench_of(toy, n_runs=4):
    return Bench(n_runs, 0, lambda name: toy)


def halves(toy):
    X = (toy.data - toy.data.min(axis=0)) / np.ptp(toy.data, axis=0)
    train, test = first_rows_split(toy.target)
    y = (toy.target == "b").astype(int)
    return X[train], y[train], X[test], y[test]


def test_rank_sums_by_hand(toy):
    X, y, X_test, y_test = halves(toy)
    sums = np.zeros(2)
    for run in range(4):
        labels = draw_prototypes(y, 2, np.random.default_rng([0, run]))
        known = labels >= 0
        accuracies = []
        for selector in (
            SimilarityConstraintScore(4, context="supervised"),
            ConstraintScore1(),
        ):
            order = selector.fit(X, labels).order_[:3]
            task = X[known], labels[known], X_test, y_test, order
            accuracies.append(accuracy_curve(*task, sizes=[3]).accuracies[0])
        sums += [1 + sum(other > mine for other in accuracies) for mine in accuracies]

    outcomes = protocol.rank_sum_outcomes(
        ("εS", "C1"), "supervised", TOY, bench_of(toy)
    )

    # Four runs, as if there were a hundred.
    found = [outcomes["Toy, p=2", column].value for column in ("εS", "C1")]
    assert_allclose(found, 25 * sums)
    assert outcomes["Toy, p=2", "C1"].n_runs == 4


def test_mean_accuracy_after_clustering_by_hand(toy):
    X, y, X_test, y_test = halves(toy)
    runs = []
    for run in range(4):
        labels = draw_prototypes(y, 3, np.random.default_rng([0, run]))
        order = ConstraintScore1().fit(X, labels).order_
        # Two sizes in the middles of the halves of 1, ..., 4.
        curve = prototype_accuracy_curve(
            X, labels, X_test, y_test, order, context="semi-supervised", sizes=[1, 3]
        )
        runs.append(100 * curve.accuracies)

    outcomes = protocol.mean_accuracies(("C1",), "semi-supervised", TOY, bench_of(toy))

    outcome = outcomes["Toy", "C1"]
    assert_allclose(outcome.value, np.mean(runs))
    assert_allclose(outcome.spread, np.std(runs, axis=0, ddof=1).mean())


def test_the_curve_is_that_of_the_mean(toy):
    outcomes = protocol.mean_accuracies(("C1",), "supervised", TOY, bench_of(toy))
    sizes, values = outcomes["Toy", "C1"].curve
    assert sizes == [1, 2, 3, 4]
    assert_allclose(np.mean(values), outcomes["Toy", "C1"].value)


def test_a_scale_of_one_is_that_of_the_tables(toy):
    bench = bench_of(toy)
    scaled = protocol.influence_of_sigma(TOY, bench)
    columns = ("εS", "εSS")
    plain = protocol.mean_accuracies(columns, "supervised", TOY, bench)
    for column in columns:
        assert scaled[f"Toy, {column}", "σ=1"] == plain["Toy", column]
    assert len({scaled["Toy, εSS", f"σ={s:g}"].value for s in protocol.SIGMAS}) > 1


def test_mean_scores_are_those_of_the_best_features(toy):
    X, y, *_ = halves(toy)
    labels = draw_prototypes(y, 3, np.random.default_rng([0, 0]))
    scores = sorted(-ConstraintScore1().fit(X, labels).scores_)
    outcomes = protocol.mean_scores("C1", TOY, bench_of(toy))
    assert_allclose(outcomes["C1", "score at 1"].value, scores[0])
    assert_allclose(outcomes["C1", "score at 3"].value, np.mean(scores[:3]))


def test_times_are_seconds(toy):
    outcomes = protocol.times(("mRMR", "SFS-1NN"), 3, TOY, bench_of(toy, 2))
    assert list(outcomes) == [("Toy, m=3", "mRMR"), ("Toy, m=3", "SFS-1NN")]
    assert all(0 < outcome.value < 60 for outcome in outcomes.values())


def test_scores_along_the_path_are_divided_by_the_number_of_their_terms(toy):
    X, y, *_ = halves(toy)
    labels = draw_prototypes(y, 3, np.random.default_rng([0, 0]))
    known = np.flatnonzero(labels >= 0)
    first = SimilarityConstraintScore(4, context="supervised").fit(X, labels).order_[0]
    errors = [
        (np.exp(-((X[i, first] - X[j, first]) ** 2) / 2) - (labels[i] == labels[j]))
        ** 2
        for i in known
        for j in known
    ]
    outcomes = protocol.path_scores("supervised", TOY, bench_of(toy, 1))
    assert_allclose(
        outcomes["εS", "score at 1"].value, np.sum(errors) / len(known) ** 2
    )


def test_expansion_by_hand(toy):
    X, y, *_ = halves(toy)
    found = [
        must_link_expansion(
            X, draw_prototypes(y, 3, np.random.default_rng([0, run])), y
        )
        for run in range(4)
    ]
    outcomes = protocol.expansions(TOY, bench_of(toy))
    assert_allclose(
        outcomes["Toy, p=3", "NML"].value, np.mean([each.nml for each in found])
    )
    assert_allclose(
        outcomes["Toy, p=3", "CNML"].value, np.mean([each.cnml for each in found])
    )


def test_number_of_features_by_hand(toy):
    X, y, X_test, y_test = halves(toy)
    numbers, accuracies = [], []
    for run in range(4):
        labels = draw_prototypes(y, 3, np.random.default_rng([0, run]))
        selector = SimilarityConstraintScore(4, context="supervised").fit(X, labels)
        numbers.append(selector.path_scores_.argmin() + 1)
        curve = prototype_accuracy_curve(X, labels, X_test, y_test, selector.order_[:4])
        accuracies.append(100 * curve.accuracies)

    outcomes = protocol.numbers("supervised", TOY, bench_of(toy))

    assert_allclose(outcomes["Toy", "εS m̂"].value, np.mean(numbers))
    assert_allclose(
        outcomes["Toy", "εS Acc(m̂)"].value,
        np.mean([curve[m - 1] for curve, m in zip(accuracies, numbers, strict=True)]),
    )
    mean = np.mean(accuracies, axis=0)
    assert_allclose(outcomes["Toy", "εS Acc(m*)"].value, mean.max())
    assert outcomes["Toy", "εS m*"].value == mean.round(9).argmax() + 1


def test_costly_databases_get_fewer_runs():
    shares = {
        "3": [1, 1, 1, 1, 1, 1, 2, 2, 4, 5, 5, 10],
        "6": [1, 5, 1, 1, 1, 1, 10, 10, 5, 10, 10, 10],
    }
    for table, expected in shares.items():
        assert [part.share for part in TABLES[table].parts[:-1]] == expected
    pairs = zip(shares["3"], shares["6"], strict=True)
    of_both = [share for pair in pairs for share in pair]
    assert [part.share for part in TABLES["8"].parts] == of_both


def test_another_seed_draws_other_prototypes(toy):
    draws = [
        protocol._labels(TOY, 2, 0, Bench(1, seed, lambda name: toy)).tolist()
        for seed in (0, 1)
    ]
    assert draws[0] != draws[1]


def part_of(table, row):
    parts = TABLES[table].parts
    return next((part for part in parts if part.cells[0].row.startswith(row)), None)


@pytest.fixture(scope="module")
def one_run():
    """A bench that remembers what several tables need."""
    return Bench(1, 0, load)


@pytest.mark.slow
@pytest.mark.parametrize("table", [table for table in TABLES if part_of(table, "WDBC")])
def test_every_cell_of_bundled_data_has_an_outcome(table, one_run):
    found = run_part(part_of(table, "WDBC"), one_run)
    assert found
    for _, outcome, verdict, _ in found:
        assert np.isfinite(outcome.value)
        assert verdict in VERDICTS


@pytest.mark.shared_data
def test_new_must_links_of_ionosphere(shared_data):
    # The relative standard error of 50 draws is 3 % and less.
    bench = Bench(50, 0, lambda name: load(name, data_dir=shared_data))
    for cell, outcome, *_ in run_part(part_of("4", "Ionosphere"), bench):
        assert_allclose(outcome.value, cell.published, rtol=0.1)


@pytest.mark.slow
@pytest.mark.shared_data
@pytest.mark.parametrize(
    ("row", "published"), [("Ionosphere", (12, 7)), ("Libras Movement", (90, 85))]
)
def test_minimum_of_the_score(shared_data, row, published):
    data = next(data for data in protocol.DATABASES if data.row == row)
    bench = Bench(10, 0, lambda name: load(name, data_dir=shared_data))
    for column, number in zip(("εS", "εSS"), published, strict=True):
        fits = [protocol._fitted(data, column, 3, run, bench) for run in range(10)]
        found = [fitted.path_scores_.argmin() + 1 for fitted in fits]
        assert abs(np.mean(found) - number) < 2
