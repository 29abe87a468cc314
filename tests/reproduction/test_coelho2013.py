"""Coelho 2013: what is typed in is what is printed, and the protocols."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.utils import Bunch

from pairsift import LMFS
from pairsift.scores import ssfc_path
from reproduction._experiment import Bench
from reproduction.coelho2013 import (
    PAPER,
    _clusters,
    _mixed,
    _networks,
    _problems,
    _similarity,
)
from tests.reproduction.parts import run_part
from tests.reproduction.printed import (
    assert_printed,
    lines_between,
    numbers_in,
    rows_of,
    text_of,
)

TABLES = {experiment.table: experiment for experiment in PAPER.experiments}
NOT_AS_PRINTED = ("4.13", "4.14", "4.15")
AS_PRINTED = [
    table
    for table in TABLES
    if table not in NOT_AS_PRINTED and not table.startswith("figure-")
]


def test_all_tables_are_there():
    chapter_4 = [f"4.{number}" for number in range(1, 16)]
    chapter_5 = ["5.1", "5.2", "figure-5.14", "figure-5.15", "figure-5.16"]
    shown = ["figure-4.2", "figure-4.10"]
    assert list(TABLES) == [*chapter_4, *shown, *chapter_5, "6.1"]


def lines_of(table):
    """Lines after the caption, which comes once in the list of tables too."""
    return lines_between(text_of(3), f"\nTable {table}: ", "\nTable ")


def without_second_reading(experiment):
    parts = tuple(
        replace(part, cells=tuple(c for c in part.cells if "λ₀" not in "".join(c.key)))
        for part in experiment.parts
    )
    return replace(experiment, parts=parts)


@pytest.mark.parametrize("table", AS_PRINTED)
def test_values_are_those_of_the_thesis(table):
    experiment = without_second_reading(TABLES[table])
    if experiment.title.startswith("Accuracy with SSFC"):
        # Measured share by share, printed model by model.
        rows = rows_of(experiment, order=lambda cell: cell.column)
    else:
        rows = rows_of(experiment)
    assert_printed(rows, lines_of(table))


def test_crossings_are_those_of_the_thesis():
    lines = [line.replace("15-06", "15e-06") for line in lines_of("4.13")]
    assert_printed(rows_of(TABLES["4.13"]), lines)


def test_subsets_are_those_of_the_thesis():
    lines = {line.partition("\t")[0]: line for line in lines_of("4.14")}
    for trial in _clusters._TRIALS:
        *_, by_labels, by_clusters = lines[trial.row].split("\t")
        assert sorted(numbers_in(by_labels)) == list(trial.by_labels)
        assert sorted(numbers_in(by_clusters)) == list(trial.by_clusters)
        sizes = [trial.n_labelled, trial.n_unlabelled, trial.n_clusters]
        assert [numbers_in(lines[trial.row])[i] for i in (2, 3, 5)] == sizes


def test_accuracies_of_subsets_are_those_of_the_thesis():
    rows = {
        trial.row: [
            number
            for subset, accuracy, spread in zip(
                (trial.by_labels, trial.by_clusters),
                trial.accuracies[1:],
                trial.spreads[1:],
                strict=True,
            )
            for number in (len(subset), accuracy, spread)
        ]
        for trial in _clusters._TRIALS
    }
    assert_printed(rows, lines_of("4.15"))


def make_table(rng, n_samples=60, n_features=5):
    y = np.arange(n_samples) % 2
    X = rng.normal(size=(n_samples, n_features))
    X[:, 0] += 3 * y
    X[:, 1] = np.round(4 * X[:, 1])
    X[:, 2] = X[:, 0] + 0.01 * X[:, 2]
    return Bunch(data=X, target=np.where(y == 1, "yes", "no"))


@pytest.fixture
def bench(rng):
    table = make_table(rng)
    return Bench(2, 0, lambda name: table)


def test_text_becomes_numbers_and_gaps_go(rng):
    import pandas as pd

    frame = pd.DataFrame({"word": ["b", "a", "b", "c"], "number": [1.0, 2, np.nan, 4]})
    table = Bunch(data=frame, target=np.array(["x", "y", "x", "x"], dtype=object))
    problem = _problems.load_problem("ILPD", Bench(1, 0, lambda name: table))
    assert_array_equal(problem.X, [[1, 1], [0, 2], [2, 4]])
    assert_array_equal(problem.y, [0, 1, 0])
    assert_array_equal(problem.is_discrete, [True, True])


def test_only_two_digits_are_told_apart(rng):
    table = Bunch(data=rng.normal(size=(10, 2)), target=np.arange(10).astype(str))
    load = Bench(1, 0, lambda name: table)
    assert_array_equal(_problems.load_problem("PEN", load).X, table.data[[6, 9]])
    assert_array_equal(_problems.load_problem("Pen", load).X, table.data[[1, 2]])


def test_accuracy_by_hand(bench):
    X, y = _problems.load_problem("SONAR", bench)
    expected = cross_val_score(
        LinearDiscriminantAnalysis(priors=[0.5, 0.5]),
        X[:, [0, 3]],
        y,
        cv=StratifiedKFold(10, shuffle=True, random_state=1),
    )
    found = _problems.accuracy_of("SONAR", np.array([0, 3]), "LDA", 1, bench)
    assert_allclose(found, [expected.mean(), expected.std(ddof=1)])


def test_a_network_stopped_early_is_no_reason_to_warn(bench):
    # Warnings are errors here; a hundred steps are too few for noise.
    noise = np.array([3, 4])
    found = _problems.accuracy_of("SONAR", noise, "MLP", 0, bench)
    assert 0.2 < found.mean < 0.8


def test_no_features_have_no_accuracy(bench):
    # Thesis: accuracy 0 for ILPD with 30 % of labels and λ = 0.1, with 0 features.
    nothing = np.array([], dtype=int)
    assert _problems.accuracy_of("ILPD", nothing, "LDA", 0, bench) == (0.0, 0.0)


def test_spread_is_the_mean_over_folds():
    found = _problems.mean_accuracy(
        [_problems.Accuracy(0.5, 0.1), _problems.Accuracy(0.0, 0.0)]
    )
    assert_allclose(found[:3], [0.25, 0.05, 2])


@pytest.mark.parametrize(
    ("column", "permute"), [("λ=0.1", "feature"), ("λ₀=0.1", "similarity")]
)
def test_numbers_of_features_by_hand(bench, column, permute):
    X, y = _problems.load_problem("SONAR", bench)
    numbers = []
    for run in range(2):
        labels = _similarity._some_labels("SONAR", 30, run, bench)
        assert (labels >= 0).sum() == 18
        assert_array_equal(labels[labels >= 0], y[labels >= 0])
        path = ssfc_path(
            X,
            labels,
            lambda_=0.1,
            permute=permute,
            n_permutations=20,
            random_state=run,
        )
        numbers.append((path.reasons == "kept").sum())

    outcomes = _similarity._numbers("SONAR", [column], 30, bench)

    found = {row: outcomes[f"30%, {row}", column].value for row in ("min", "max")}
    assert found == {"min": min(numbers), "max": max(numbers)}
    mean = outcomes["30%, mean", column]
    assert_allclose(mean[:3], [np.mean(numbers), np.std(numbers, ddof=1), 2])


def test_range_of_crossings_by_plain_loops(rng):
    d = 5
    A, relevance = rng.random((d, d)), rng.random(d)
    A = A + A.T
    pairs = [(i, j) for i in range(d) for j in range(i + 1, d)]
    slopes = []
    for i, j in pairs:
        for k, m in pairs:
            rise = A[k, m] - A[i, j]
            run = abs(relevance[k] - relevance[m]) - abs(relevance[i] - relevance[j])
            if rise * run > 0:
                slopes.append(rise / run)
    assert_allclose(
        _similarity.range_of_crossings(A, relevance), [min(slopes), max(slopes)]
    )


def test_rounding_makes_no_crossing():
    # Features 0 and 1 are equally relevant up to rounding: B differs by 1e-16.
    relevance = np.array([0.5, 0.5 + 1e-16, 0.2])
    A = np.array([[1.0, 0.1, 0.3], [0.1, 1.0, 0.4], [0.3, 0.4, 1.0]])
    assert_allclose(_similarity.range_of_crossings(A, relevance), [2 / 3, 1.0])


def test_middle_of_crossings(bench):
    outcomes = _similarity._crossings("SONAR", 70, bench)
    low, middle, high = (
        outcomes["SONAR, 70%", f"λ {name}"].value for name in ("low", "mean", "hi")
    )
    assert 0 < low < middle < high
    assert_allclose(middle, (low + high) / 2)


def test_features_that_half_of_the_runs_select(rng, monkeypatch):
    chosen = {0: [0, 2], 1: [2, 3], 2: [2], 3: [3]}
    monkeypatch.setattr(
        _clusters, "_select", lambda trial, kind, run, bench: np.array(chosen[run])
    )
    trial = _clusters._TRIALS[1]
    table = make_table(rng)
    outcomes = _clusters._subsets(trial, Bench(4, 0, lambda name: table))
    assert outcomes["Sonar", "Γˡ"].value == "3,4"


def test_bins():
    X = np.array([[0.0, 5.0], [0.95, 5.0], [5.0, 5.0], [10.0, 5.0]])
    assert_array_equal(_mixed._bins(X), [[0, 0], [0, 0], [5, 0], [9, 0]])


def test_mixed_information_finds_the_class(bench):
    outcomes = _mixed._accuracies("Spam", bench)
    # Classes three standard deviations apart: 0.93 at best.
    for column in _mixed._WAYS:
        assert 0.8 < outcomes["Spam", column].value <= 1


def test_accuracy_cells_have_outcomes(bench, monkeypatch):
    monkeypatch.setattr(_similarity, "_N_PERMUTATIONS", 2)
    part = TABLES["4.8"].parts[0]
    found = run_part(part, replace(bench, n_runs=1))
    assert [cell for cell, *_ in found] == list(part.cells)
    assert all(0 <= outcome.value <= 1 for _, outcome, *_ in found)


@pytest.mark.slow
def test_features_of_networks_by_hand(bench, monkeypatch):
    monkeypatch.setattr(_networks, "N_FOLDS", 3)
    X, y = _problems.load_problem("ILPD", bench)
    numbers, hits = [], []
    folds = StratifiedKFold(3, shuffle=True, random_state=0)
    for train, test in folds.split(X, y):
        selector = LMFS(hidden_bound=3.5, n_hidden=10, random_state=0)
        features = selector.fit(X[train], y[train]).get_support(indices=True)
        numbers.append(features.size)
        model = LinearDiscriminantAnalysis(priors=[0.5, 0.5])
        model.fit(X[train][:, features], y[train])
        hits.append(model.score(X[test][:, features], y[test]))

    found = _networks._released("ILPD", replace(bench, n_runs=1))

    assert_allclose(found["ILPD", "n_s"].value, np.mean(numbers))
    assert_allclose(found["ILPD", "LDA"][:2], [np.mean(hits), np.std(hits, ddof=1)])
    assert 0.5 < found["ILPD", "MLP"].value <= 1


def test_copies_are_the_last_columns_of_the_figures(bench):
    for name, n_features in (("XOR", 7), ("PCIRC", 10)):
        X = _networks._problem(name, bench).X
        assert X.shape[1] == n_features
        for j in (0, 1):
            alike = np.abs(np.corrcoef(X.T)[j])
            assert np.argsort(alike)[-2] == n_features - 2 + j


def test_figures_show_the_mean_over_folds(bench, monkeypatch):
    fold = _networks.Fold(
        None, None, np.array([1, 0]), np.array([1.0, 3.0]), np.ones(2), 1
    )
    other = fold._replace(scores=np.array([0.0, 4.0]), n_released=2)
    monkeypatch.setattr(_networks, "_folds", lambda *_: [fold, other])
    found = _networks._weights("XOR", bench)
    values = {key: outcome.value for key, outcome in found.items()}
    assert values["G", "feature 1"] == 0.5
    assert values["G", "feature 2"] == 3.5
    assert values["G, first steps", "feature 2"] == 1.0
    assert values["share released", "feature 1"] == 0.5
    assert values["share released", "feature 2"] == 1.0


@pytest.mark.shared_data
def test_published_subsets_have_the_published_accuracy(shared_data):
    from pairsift.datasets import load

    bench = Bench(1, 0, lambda name: load(name, data_dir=shared_data))
    for trial in _clusters._TRIALS[1:]:
        for columns, accuracy in zip(
            trial.subsets.values(), trial.accuracies[1:], strict=True
        ):
            found = _problems.accuracy_of(
                trial.row, np.array(columns) - 1, "LDA", 0, bench
            )
            # One assignment of rows to folds and another: about 0.01.
            assert abs(found.mean - accuracy) < 0.02
