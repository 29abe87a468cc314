"""compare: by plain loops, without leaks, resumed, side by side, and at its edges."""

import json
import multiprocessing
import os
import signal
import stat
import threading
import warnings
from dataclasses import fields

import numpy as np
import pandas as pd
import pytest
from joblib import parallel_config
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import t
from sklearn.base import BaseEstimator
from sklearn.datasets import load_wine
from sklearn.feature_selection import RFE, SelectKBest, VarianceThreshold
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier

from pairsift import (
    MRMR,
    ConstraintScore1,
    FisherScore,
    LaplacianScore,
    PairConstraints,
    ReliefF,
    ReliefFSc,
    RReliefF,
    VarianceScore,
)
from pairsift.evaluation import (
    Comparison,
    compare,
    redundancy_rate,
    representation_entropy,
    stability,
)
from pairsift.evaluation._compare._cells import Cell, seeded
from pairsift.evaluation._compare._plan import Plan, default_sizes
from pairsift.evaluation._compare._splits import split_rows
from pairsift.exceptions import DataError, StorageError

CELL_FIELDS = [field.name for field in fields(Cell)]


@pytest.fixture
def wine():
    data = load_wine()
    return data.data[:, :6], data.target


@pytest.fixture
def small():
    """Sixty rows of two classes that the third column tells apart."""
    rng = np.random.default_rng(0)
    y = np.arange(60) % 2
    X = rng.normal(size=(60, 5)) * [1.0, 10.0, 1.0, 100.0, 1.0]
    X[:, 2] += 4.0 * y
    return X, y


def without_seconds(result):
    return result.table.drop(columns="seconds")


class Recorder(BaseEstimator):
    """Remembers what it was given; ranks columns as they come."""

    # As one of the package, it is given the rows without a label, too.
    _method = ReliefF._method
    seen = []  # noqa: RUF012

    def fit(self, X, y=None, constraints=None):
        self.seen.append((np.array(X), y, constraints))
        self.order_ = np.arange(X.shape[1])
        return self


class Broken(BaseEstimator):
    """Cannot be fitted on some splits."""

    def __init__(self, limit=0.0):
        self.limit = limit

    def fit(self, X, y):
        if X[:, 0].mean() > self.limit:
            raise ValueError("not\n today")
        self.scores_ = -np.arange(X.shape[1])
        return self


@pytest.fixture
def recorded():
    Recorder.seen.clear()
    return Recorder.seen


def rows_of(plan_of, n_splits):
    return [split_rows(plan_of, split) for split in range(n_splits)]


def plan_for(X, y, **changes):
    options = {
        "data": "data",
        "X": np.asarray(X, dtype=float),
        "is_text": np.zeros(np.shape(X)[1], dtype=bool),
        "names": list(map(str, range(np.shape(X)[1]))),
        "codes": np.asarray(y),
        "classifiers": {"1nn": "1nn"},
        "sizes": default_sizes(np.shape(X)[1]),
        "test_size": 0.3,
        "n_pairs": 40,
        "n_labelled": None,
        "draw_pairs": None,
        "seed": 0,
    }
    return Plan(**(options | changes))


def test_a_small_comparison_by_plain_loops(small):
    X, y = small
    result = compare(
        {"fisher": FisherScore(), "variance": VarianceScore()},
        X,
        y,
        classifiers=["1nn"],
        n_splits=4,
    )
    table = result.table.set_index(["selector", "split", "n_features"])
    for split in range(4):
        train, test = split_rows(plan_for(X, y), split)
        low, high = X[train].min(axis=0), X[train].max(axis=0)
        Z = (X - low) / (high - low)
        orders = {
            "fisher": FisherScore().fit(Z[train], y[train]).order_,
            "variance": VarianceScore().fit(Z[train]).order_,
        }
        for name, order in orders.items():
            for size in range(1, 6):
                kept = order[:size]
                n_right = 0
                for i in test:
                    distances = [sum((Z[i, kept] - Z[j, kept]) ** 2) for j in train]
                    n_right += y[train[int(np.argmin(distances))]] == y[i]
                line = table.loc[(name, split, size)]
                assert_allclose(line["accuracy"], n_right / len(test))
                assert_allclose(
                    line["representation_entropy"],
                    representation_entropy(Z[train], kept),
                    atol=1e-10,
                )
                assert_allclose(
                    line["redundancy_rate"],
                    redundancy_rate(Z[train], kept),
                    atol=1e-10,
                )


def test_redundancy_of_more_features_than_rows():
    rng = np.random.default_rng(0)
    y = np.arange(12) % 2
    X = rng.normal(size=(12, 300))
    X[:, 7] = 1.0
    result = compare(VarianceScore(), X, y, classifiers="1nn", n_splits=1)
    train, _ = split_rows(plan_for(X, y), 0)
    low, high = X[train].min(axis=0), X[train].max(axis=0)
    Z = (X[train] - low) / np.where(high > low, high - low, 1.0)
    order = result.cells[0].order
    assert result.cells[0].sizes[-1] == 300
    for line in result.table.itertuples():
        kept = order[: line.n_features]
        assert_allclose(
            line.representation_entropy, representation_entropy(Z, kept), atol=1e-10
        )
        assert_allclose(line.redundancy_rate, redundancy_rate(Z, kept), atol=1e-10)


def test_splits_are_stratified_and_part_the_rows(wine):
    X, y = wine
    plan = plan_for(X, y)
    splits = rows_of(plan, 3)
    for train, test in splits:
        assert_array_equal(np.sort(np.r_[train, test]), np.arange(len(y)))
        # A class may be off by one row.
        counts = np.bincount(y[test])
        assert_allclose(counts, 0.3 * np.bincount(y), atol=1.0)
    assert not np.array_equal(splits[0][1], splits[1][1])


def test_selectors_see_training_rows_only(small, recorded):
    X, y = small
    # The last rows are far outside; were they scaled with, others would be near 0.
    X = X.copy()
    X[:, 0] = np.arange(60) ** 3
    result = compare(
        [("labels", Recorder()), ("pairs", Recorder()), ("nothing", Recorder())],
        X,
        y,
        classifiers="1nn",
        n_splits=3,
        supervision={"pairs": "pairs", "nothing": "nothing"},
    )
    assert len(recorded) == 9
    assert result.failures.empty
    for k, (seen, labels, pairs) in enumerate(recorded):
        train, _ = split_rows(plan_for(X, y), k % 3)
        scaled = (X[train] - X[train].min(0)) / np.ptp(X[train], axis=0)
        assert_allclose(seen, scaled, atol=1e-12)
        assert seen.shape == (42, 5)
        assert seen.min() == 0.0
        assert_allclose(seen.max(axis=0), 1.0)
        if k < 3:
            assert_array_equal(labels, y[train])
        else:
            assert labels is None
        if k // 3 == 1:
            codes = y[train]
            a, b = codes[pairs.cannot_link].T
            assert (a != b).all()
            a, b = codes[pairs.must_link].T
            assert (a == b).all()
            assert (pairs.n_cannot_link, pairs.n_must_link) == (20, 20)
        else:
            assert pairs is None


def test_constrained_selectors_share_the_pairs_of_a_split(small, recorded):
    X, y = small
    names = {"a": Recorder(), "b": Recorder()}
    kinds = dict.fromkeys(names, "pairs")
    compare(names, X, y, classifiers="1nn", n_splits=2, n_pairs=7, supervision=kinds)
    pairs = [given for _, _, given in recorded]
    assert (pairs[0].n_cannot_link, pairs[0].n_must_link) == (4, 3)
    assert_array_equal(pairs[0].cannot_link, pairs[2].cannot_link)
    assert_array_equal(pairs[1].must_link, pairs[3].must_link)
    assert not np.array_equal(pairs[0].cannot_link, pairs[1].cannot_link)


def test_supervision_is_stated(small):
    X, y = small
    selectors = [ReliefF(), ReliefFSc(), ConstraintScore1(), VarianceScore()]
    result = compare(selectors, X, y, classifiers="1nn", n_splits=2)
    summary = result.summary().set_index("selector")
    assert summary["supervision"].to_dict() == {
        "relieff": "all labels",
        "relieff-sc": "40 pairs",
        "constraint-score-1": "40 pairs",
        "variance-score": "nothing",
    }
    # One of them uses cannot-links only.
    assert summary["n_used"].tolist() == [42, 20, 40, 0]


def test_few_labels_are_few_for_all(small, recorded):
    X, y = small
    given = {"labels": Recorder(), "pairs": Recorder()}
    result = compare(
        given,
        X,
        y,
        classifiers="1nn",
        n_splits=2,
        n_labelled=6,
        n_pairs=100,
        supervision={"pairs": "pairs"},
    )
    for k in (0, 1):
        _, labels, _ = recorded[k]
        assert np.bincount(labels[labels >= 0]).tolist() == [3, 3]
        # All nine and six pairs that the six rows make.
        _, _, pairs = recorded[k + 2]
        assert (pairs.n_cannot_link, pairs.n_must_link) == (9, 6)
        rows = np.unique(np.r_[pairs.cannot_link, pairs.must_link])
        assert_array_equal(rows, np.flatnonzero(labels >= 0))
    assert set(result.table["supervision"]) == {"6 labels", "100 pairs"}


def test_classifiers_know_as_many_labels_as_selectors(small):
    X, y = small
    result = compare(
        Recorder(), X, y, classifiers=["1nn"], n_splits=1, n_labelled=2, sizes=[5]
    )
    _, labels, _ = Recorder.seen[-1]
    train, test = split_rows(plan_for(X, y), 0)
    Z = (X - X[train].min(0)) / np.ptp(X[train], axis=0)
    known = train[labels >= 0]
    model = KNeighborsClassifier(1).fit(Z[known], y[known])
    assert_allclose(result.table["accuracy"], model.score(Z[test], y[test]))


def test_pairs_may_be_drawn_otherwise(small, recorded):
    X, y = small

    def first_rows(X_train, y_train, n_pairs, rng):
        assert X_train.shape == (42, 5)
        assert n_pairs == 3
        b = int(np.flatnonzero(y_train != y_train[0])[0])
        return PairConstraints(cannot_link=[(0, b)], n_samples=len(X_train))

    compare(
        {"r": Recorder()},
        X,
        y,
        classifiers="1nn",
        n_splits=1,
        n_pairs=3,
        draw_pairs=first_rows,
        supervision={"r": "pairs"},
    )
    assert recorded[0][2].n_cannot_link == 1


@pytest.mark.slow
def test_any_number_of_jobs_gives_the_same(wine):
    X, y = wine
    selectors = [ReliefFSc(), MRMR(), ReliefF(max_samples=20)]
    options = {"classifiers": ["1nn", "tree"], "n_splits": 3}
    one = compare(selectors, X, y, **options, n_jobs=1)
    two = compare(selectors, X, y, **options, n_jobs=2)
    pd.testing.assert_frame_equal(
        without_seconds(one), without_seconds(two), check_exact=True
    )


def test_classifiers_without_a_seed_are_given_one(small):
    X, y = small
    model = DecisionTreeClassifier(max_features=1)
    options = {"classifiers": [("random tree", model)], "n_splits": 3}
    first = compare(VarianceScore(), X, y, **options)
    again = compare(VarianceScore(), X, y, **options)
    other = compare(VarianceScore(), X, y, **options, random_state=1)
    pd.testing.assert_frame_equal(without_seconds(first), without_seconds(again))
    assert not without_seconds(first).equals(without_seconds(other))
    assert model.random_state is None


def test_selectors_of_scikit_learn_take_part(small):
    X, y = small
    selectors = [
        SelectKBest(),
        RFE(LogisticRegression(), n_features_to_select=1),
        VarianceThreshold(),
    ]
    result = compare(selectors, X, y, classifiers="1nn", n_splits=2)
    assert list(result.summary()["selector"]) == ["SelectKBest", "RFE"]
    assert all(cell.order[0] == 2 for cell in result.cells)
    # Neither a ranking nor scores.
    assert result.failures["selector"].tolist() == ["VarianceThreshold"] * 2
    assert "has neither order_" in result.failures["error"].iloc[0]


class TestStore:
    def options(self, folder, **changes):
        common = {"classifiers": ["1nn"], "n_splits": 3, "store": folder}
        return common | changes

    def test_finished_cells_are_not_run_again(self, small, recorded, tmp_path):
        X, y = small
        options = self.options(tmp_path / "store")
        first = compare(Recorder(), X, y, **options)
        again = compare(Recorder(), X, y, **options)
        assert len(recorded) == 3
        pd.testing.assert_frame_equal(first.table, again.table, check_exact=True)

    def test_half_a_store_is_completed(self, small, recorded, tmp_path):
        X, y = small
        options = self.options(tmp_path)
        whole = compare(Recorder(), X, y, **options)
        files = sorted((tmp_path / "cells").iterdir())
        files[0].unlink()
        # As a file system may leave it after a power cut.
        files[1].write_text(files[1].read_text("utf-8")[:50], "utf-8")
        steps = []
        again = compare(
            Recorder(), X, y, **options, progress=lambda *step: steps.append(step)
        )
        assert steps == [(1, 3), (2, 3), (3, 3)]
        assert len(recorded) == 5
        pd.testing.assert_frame_equal(without_seconds(whole), without_seconds(again))

    @pytest.mark.parametrize("field", [*CELL_FIELDS, "parameters", "digest", "cell"])
    def test_damaged_field_is_computed_again(self, small, tmp_path, field):
        X, y = small
        wrong = [None, "x", 7.5, ["x"], {"1nn": 3}, True]
        options = self.options(tmp_path, n_splits=len(wrong))
        whole = compare(VarianceScore(), X, y, **options)
        files = sorted((tmp_path / "cells").iterdir())
        n_changed = 0
        for file, value in zip(files, wrong, strict=True):
            stored = json.loads(file.read_text("utf-8"))
            place = stored["cell"] if field in CELL_FIELDS else stored
            n_changed += json.dumps(place[field]) != json.dumps(value)
            place[field] = value
            file.write_text(json.dumps(stored), "utf-8")
        steps = []
        again = compare(
            VarianceScore(), X, y, **options, progress=lambda *step: steps.append(step)
        )
        assert steps[0] == (len(wrong) - n_changed, len(wrong))
        assert n_changed >= len(wrong) - 1
        pd.testing.assert_frame_equal(without_seconds(whole), without_seconds(again))

    def test_cells_of_another_split_are_computed_again(self, small, tmp_path):
        X, y = small
        options = self.options(tmp_path)
        whole = compare(VarianceScore(), X, y, **options)
        one, other, _ = sorted((tmp_path / "cells").iterdir())
        one.write_text(other.read_text("utf-8"), "utf-8")
        again = compare(VarianceScore(), X, y, **options)
        pd.testing.assert_frame_equal(without_seconds(whole), without_seconds(again))

    @pytest.mark.parametrize("changed", ["values", "labels", "seed", "sizes", "pairs"])
    def test_cells_without_settings_are_not_taken_for_others(
        self, small, tmp_path, changed
    ):
        X, y = small
        options = self.options(tmp_path)
        compare(ReliefFSc(), X, y, **options)
        (tmp_path / "settings.json").unlink()
        changes = {
            "seed": {"random_state": 1},
            "sizes": {"sizes": [1, 2]},
            "pairs": {"n_pairs": 10},
        }.get(changed, {})
        if changed == "values":
            X = X[::-1].copy()
        if changed == "labels":
            y = np.roll(y, 1)
        stored = compare(ReliefFSc(), X, y, **options | changes)
        fresh = compare(ReliefFSc(), X, y, **self.options(None, **changes))
        pd.testing.assert_frame_equal(without_seconds(stored), without_seconds(fresh))

    def test_cells_without_settings_are_kept_for_the_same(
        self, small, recorded, tmp_path
    ):
        X, y = small
        options = self.options(tmp_path)
        compare(Recorder(), X, y, **options)
        (tmp_path / "settings.json").unlink()
        compare(Recorder(), X, y, **options)
        assert len(recorded) == 3

    def test_cells_of_before_digests_are_computed_again(
        self, small, recorded, tmp_path
    ):
        X, y = small
        options = self.options(tmp_path)
        compare(Recorder(), X, y, **options)
        for file in (tmp_path / "cells").iterdir():
            stored = json.loads(file.read_text("utf-8"))
            del stored["digest"]
            file.write_text(json.dumps(stored), "utf-8")
        compare(Recorder(), X, y, **options)
        assert len(recorded) == 6

    def test_an_interrupt_loses_nothing(self, small, tmp_path):
        X, y = small
        options = self.options(tmp_path)

        def interrupt(n_done, n_cells):
            if n_done == 2:
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            compare(VarianceScore(), X, y, **options, progress=interrupt)
        assert len(list((tmp_path / "cells").iterdir())) == 2
        steps = []
        compare(
            VarianceScore(), X, y, **options, progress=lambda *step: steps.append(step)
        )
        assert steps[0] == (2, 3)

    def test_splits_and_selectors_are_added(self, small, recorded, tmp_path):
        X, y = small
        compare(Recorder(), X, y, **self.options(tmp_path))
        more = self.options(tmp_path, n_splits=5)
        added = compare([Recorder(), VarianceScore()], X, y, **more)
        assert len(recorded) == 5
        fresh = compare(
            [Recorder(), VarianceScore()], X, y, **self.options(None, n_splits=5)
        )
        pd.testing.assert_frame_equal(without_seconds(added), without_seconds(fresh))

    @pytest.mark.parametrize(
        ("change", "message"),
        [
            ({"test_size": 0.5}, "test_size is 0.3 there and 0.5 here"),
            ({"n_pairs": 10}, "n_pairs is 40 there and 10 here"),
            ({"random_state": 1}, "random_state is 0 there and 1 here"),
            ({"classifiers": ["svm"]}, "classifiers is .*1nn.* there and .*svm.* here"),
            ({"sizes": [1, 2]}, "sizes is"),
            ({"n_labelled": 9}, "n_labelled is null there and 9 here"),
        ],
    )
    def test_other_settings_are_refused(self, small, tmp_path, change, message):
        X, y = small
        compare(VarianceScore(), X, y, **self.options(tmp_path))
        with pytest.raises(StorageError, match=message):
            compare(VarianceScore(), X, y, **self.options(tmp_path, **change))

    def test_other_data_are_refused(self, small, tmp_path):
        X, y = small
        compare(VarianceScore(), X, y, **self.options(tmp_path))
        changed = X.copy()
        changed[0, 0] += 1.0
        with pytest.raises(StorageError, match="X and y have other values there"):
            compare(VarianceScore(), changed, y, **self.options(tmp_path))
        with pytest.raises(StorageError, match="X and y have other values there"):
            compare(VarianceScore(), X, 1 - y, **self.options(tmp_path))

    @pytest.mark.skipif(os.name != "posix", reason="modes of POSIX")
    def test_cells_are_their_owners_alone(self, small, tmp_path):
        X, y = small
        compare(VarianceScore(), X, y, **self.options(tmp_path))
        files = [path for path in tmp_path.rglob("*") if path.is_file()]
        assert len(files) > 1
        assert {stat.S_IMODE(path.stat().st_mode) for path in files} == {0o600}

    def test_another_selector_of_the_same_name_is_refused(self, small, tmp_path):
        X, y = small
        compare({"mine": ReliefF()}, X, y, **self.options(tmp_path))
        with pytest.raises(StorageError, match="results of another 'mine'"):
            compare({"mine": ReliefF(n_neighbors=3)}, X, y, **self.options(tmp_path))

    def test_failures_are_tried_again(self, small, tmp_path):
        X, y = small
        options = self.options(tmp_path)
        failed = compare({"b": Broken(-1.0)}, X, y, **options)
        assert len(failed.failures) == 3
        assert list((tmp_path / "cells").iterdir()) == []

    def test_foreign_settings_are_not_overwritten(self, small, tmp_path):
        X, y = small
        path = tmp_path / "settings.json"
        path.write_text("my notes", "utf-8")
        with pytest.raises(StorageError, match="is no file of settings"):
            compare(VarianceScore(), X, y, **self.options(tmp_path))
        assert path.read_text("utf-8") == "my notes"

    def test_names_that_read_the_same_are_apart(self, small, tmp_path):
        X, y = small
        selectors = {"a/b": ReliefF(), "a-b": VarianceScore()}
        result = compare(selectors, X, y, **self.options(tmp_path))
        again = compare(selectors, X, y, **self.options(tmp_path))
        pd.testing.assert_frame_equal(result.table, again.table)
        assert json.loads((tmp_path / "settings.json").read_text("utf-8"))

    def test_a_seed_is_needed(self, small, tmp_path):
        X, y = small
        options = self.options(tmp_path, random_state=None)
        with pytest.raises(DataError, match="store needs a random_state"):
            compare(VarianceScore(), X, y, **options)


def test_a_failure_does_not_end_the_comparison(small):
    X, y = small
    means = []
    for split in range(6):
        train, _ = split_rows(plan_for(X, y), split)
        column = X[train, 0]
        means.append(((column - column.min()) / np.ptp(column)).mean())
    limit = float(np.median(means))
    result = compare(
        {"broken": Broken(limit), "variance": VarianceScore()},
        X,
        y,
        classifiers="1nn",
        n_splits=6,
    )
    assert (
        result.failures["split"].tolist()
        == np.flatnonzero(np.array(means) > limit).tolist()
    )
    assert set(result.failures["error"]) == {"ValueError: not today"}
    summary = result.summary().set_index("selector")
    assert summary["n_splits"].to_dict() == {"broken": 3, "variance": 6}
    assert result.duels()[["n_better", "n_worse", "n_equal"]].to_numpy().sum() == 3
    # Ranks only where both succeeded: they add up to 1 + 2.
    assert_allclose(summary["mean_rank"].sum(), 3.0)


def test_nothing_but_failures(small):
    X, y = small
    result = compare({"b": Broken(-1.0)}, X, y, n_splits=2)
    assert result.table.empty
    assert result.summary().empty
    assert result.curves().empty
    assert len(result.failures) == 2


class TestResult:
    @pytest.fixture
    def result(self, wine):
        X, y = wine
        selectors = [FisherScore(), VarianceScore(), ReliefFSc()]
        return compare(selectors, X, y, n_splits=4)

    def test_summary_by_hand(self, result):
        line = result.summary().iloc[0]
        assert (line["classifier"], line["selector"]) == ("1nn", "fisher-score")
        table = result.table
        table = table[
            (table["classifier"] == "1nn") & (table["selector"] == "fisher-score")
        ]
        early = table[table["n_features"] <= 3].groupby("split")["accuracy"].mean()
        # 124 rows train and 54 test.
        error = early.std() * np.sqrt(1 / 4 + 54 / 124)
        assert_allclose(line["mean_accuracy"], early.mean())
        assert_allclose(line["standard_error"], error)
        assert_allclose(line["high"], early.mean() + t.ppf(0.975, 3) * error)
        curve = table.groupby("n_features")["accuracy"].mean()
        assert line["best_size"] == curve.idxmax()
        assert_allclose(line["best_accuracy"], curve.max())
        assert line["size"] == 3
        supports = np.zeros((4, 6), dtype=bool)
        for run, cell in enumerate(c for c in result.cells if c.selector[0] == "f"):
            supports[run, cell.order[:3]] = True
        assert_allclose(line["stability"], stability(supports).value)

    def test_mean_ranks_are_run_by_run(self, result):
        runs = result.run_scores().xs("svm", level="classifier")
        expected = (-runs).rank(axis=1).mean()
        lines = result.summary()
        lines = lines[lines["classifier"] == "svm"].set_index("selector")
        assert_allclose(lines["mean_rank"], expected[lines.index])

    def test_curves_have_bands(self, result):
        curves = result.curves()
        assert len(curves) == 3 * 2 * 6
        one = result.table.query(
            "selector == 'relieff-sc' and classifier == '1nn' and n_features == 2"
        )
        line = curves.query(
            "selector == 'relieff-sc' and classifier == '1nn' and n_features == 2"
        ).iloc[0]
        assert_allclose(line["accuracy"], one["accuracy"].mean())
        reach = t.ppf(0.975, 3) * one["accuracy"].std() * np.sqrt(1 / 4 + 54 / 124)
        assert_allclose(line["high"] - line["accuracy"], reach)
        assert_allclose(line["accuracy"] - line["low"], reach)

    def test_duels_are_paired_and_corrected(self, result):
        duels = result.duels("variance-score").query("classifier == '1nn'")
        assert duels["other"].tolist() == ["variance-score"] * 2
        runs = result.run_scores().xs("1nn", level="classifier")
        p_values = []
        for line in duels.itertuples():
            gain = runs[line.selector] - runs["variance-score"]
            error = gain.std() * np.sqrt(1 / 4 + 54 / 124)
            assert_allclose(line.difference, gain.mean())
            assert_allclose(line.standard_error, error)
            assert line.n_better == (gain > 0).sum()
            assert line.n_better + line.n_worse + line.n_equal == 4
            p_values.append(2 * t.sf(abs(gain.mean()) / error, 3))
        low, high = sorted(p_values)
        holm = {low: min(1, 2 * low), high: min(1, max(2 * low, high))}
        assert_allclose(duels["p_value"], [holm[p] for p in p_values])
        assert len(result.duels()) == 2 * 3

    def test_ranks_of_features(self, result):
        ranks = result.ranks()
        assert list(ranks.index) == [str(j) for j in range(6)]
        assert_allclose(ranks.sum(), [21.0] * 3)

    def test_files_hold_every_run(self, result, tmp_path):
        result.to_csv(tmp_path / "runs.csv")
        result.to_parquet(tmp_path / "runs.parquet")
        csv = pd.read_csv(tmp_path / "runs.csv")
        parquet = pd.read_parquet(tmp_path / "runs.parquet")
        assert len(csv) == 3 * 2 * 4 * 6
        pd.testing.assert_frame_equal(csv, parquet, check_dtype=False)
        assert_allclose(csv["accuracy"], result.table["accuracy"])

    def test_join_keeps_data_apart(self, result, small):
        X, y = small
        other = compare(
            [FisherScore(), VarianceScore()], X, y, n_splits=2, name="small"
        )
        both = Comparison.join([result, other])
        assert len(both.table) == len(result.table) + len(other.table)
        # ReliefFSc never ran on the second.
        assert list(both.scores("1nn").index) == ["data"]
        pair = Comparison.join(
            [compare(VarianceScore(), X, y, n_splits=2, name=n) for n in "ab"]
        )
        assert list(pair.scores().index) == ["a", "b"]
        with pytest.raises(DataError, match="got 'data' twice"):
            Comparison.join([result, result])

    def test_wrong_names_are_refused(self, result):
        with pytest.raises(DataError, match="reference must be one of 'fisher-score'"):
            result.duels("nobody")
        with pytest.raises(DataError, match="classifier must be one of '1nn', 'svm'"):
            result.scores("tree")
        with pytest.raises(DataError, match="data must be one of 'data', got 'b'"):
            result.ranks("b")
        with pytest.raises(DataError, match="confidence must be above 0"):
            result.summary(confidence=95)


def test_one_split_has_no_error(small):
    X, y = small
    line = compare(VarianceScore(), X, y, n_splits=1).summary().iloc[0]
    assert np.isnan(line["standard_error"])
    assert np.isnan(line["stability"])
    assert line["mean_rank"] == 1.0


def test_text_classes_data_frames_and_float32(small):
    X, y = small
    frame = pd.DataFrame(X, columns=list("abcde"))
    words = np.array(["no", "yes"])[y]
    expected = compare(FisherScore(), X, y, n_splits=2)
    found = compare(FisherScore(), frame, words, n_splits=2)
    pd.testing.assert_frame_equal(without_seconds(expected), without_seconds(found))
    assert list(found.ranks().index) == list("abcde")
    rough = compare(FisherScore(), np.asfortranarray(X, dtype=np.float32), y)
    assert rough.failures.empty


def test_many_features_are_measured_at_some_sizes():
    sizes = default_sizes(5000)
    assert (sizes[0], sizes[-1]) == (1, 5000)
    assert 40 <= sizes.size <= 60
    assert (np.diff(sizes) > 0).all()
    assert_array_equal(default_sizes(60), np.arange(1, 61))


def test_warnings_are_collected():
    rng = np.random.default_rng(0)
    X = np.ones((20, 2))
    y = rng.permutation(np.arange(20) % 2)
    result = compare(LaplacianScore(), X, y, classifiers="1nn", n_splits=2)
    assert len(result.warnings) == 1
    assert result.warnings[0].startswith("laplacian-score: no feature has a defined")


class Strange:
    """No selector."""


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"selectors": []}, "selectors must name at least one selector"),
        ({"selectors": ["releif"]}, "there is no method 'releif'"),
        ({"selectors": [ReliefF]}, "selectors must be selectors"),
        ({"selectors": [Strange()]}, "selectors must be selectors"),
        ({"selectors": [ReliefF(), ReliefF()]}, "different names, got 'relieff' twice"),
        ({"selectors": [RReliefF()]}, "'rrelieff' needs a numeric target"),
        ({"classifiers": []}, "classifiers must name at least one"),
        ({"classifiers": "2nn"}, "classifier must be one of '1nn'"),
        ({"classifiers": ["1nn", "1nn"]}, "different names, got '1nn' twice"),
        ({"n_splits": 0}, "n_splits must be a whole number of at least 1, got 0"),
        ({"test_size": 1.0}, "test_size must be above 0 and below 1, got 1.0"),
        ({"test_size": 0.01}, "test_size=0.01: "),
        ({"n_pairs": -1}, "n_pairs must be a whole number of at least 1, got -1"),
        ({"n_labelled": 1}, "n_labelled must be a whole number from 2, .* got 1"),
        ({"n_labelled": 50}, "to 42, the training rows, got 50"),
        ({"sizes": [9]}, "sizes must be from 1 to 5"),
        ({"n_jobs": 0}, "n_jobs must be a number of processes"),
        ({"random_state": "x"}, "random_state must be a seed"),
        ({"supervision": {"z": "pairs"}}, "supervision must map names"),
        ({"supervision": {"relieff": "hints"}}, "supervision must map names"),
        ({"X": np.full((60, 5), np.nan)}, "X must hold some values, all are missing"),
        ({"X": np.full((60, 5), np.inf)}, "X must be a table of finite numbers"),
        ({"X": np.full((60, 5), "a")}, "or a data frame that may hold text"),
        ({"y": np.zeros(60)}, "y must hold at least two classes, got 1"),
        ({"y": np.r_[np.zeros(59), 1]}, "class 1.* has one"),
        ({"y": np.arange(60) % 2 - 1}, "30 hold -1 or empty text"),
        ({"y": [0, 1]}, "y must hold one label for each of the 60 rows"),
    ],
)
def test_wrong_arguments_are_refused(small, change, message):
    X, y = small
    arguments = {"selectors": [ReliefF()], "X": X, "y": y} | change
    with pytest.raises(ValueError, match=message):
        compare(
            arguments.pop("selectors"),
            arguments.pop("X"),
            arguments.pop("y"),
            **arguments,
        )


def test_selectors_may_be_named():
    X, y = load_wine(return_X_y=True)
    options = {"classifiers": ["1nn"], "n_splits": 2}
    by_name = compare(["relieff", ("mine", "fisher")], X, y, **options)
    built = compare([ReliefF(), ("mine", FisherScore())], X, y, **options)
    columns = ["selector", "split", "n_features", "accuracy"]
    pd.testing.assert_frame_equal(by_name.table[columns], built.table[columns])


def test_repr_is_one_short_line(small):
    X, y = small
    options = {"n_splits": 2, "classifiers": ["1nn"], "random_state": 0}
    result = compare([VarianceScore(), FisherScore(), Broken(-9.0)], X, y, **options)

    assert repr(result) == (
        "Comparison(n_selectors=2, n_runs=4, n_failed=2, data=[data])"
    )
    many = Comparison((), (), {f"set {k}": ["x"] for k in range(30)})
    assert repr(many).endswith("data=[set 0, set 1, set 2, ...])")


def test_a_notebook_shows_the_mean_accuracies(small):
    X, y = small
    named = [("<b>best</b>", FisherScore()), ("none", VarianceScore())]
    result = compare(named, X, y, classifiers="1nn", n_splits=2)
    table = result._repr_html_()
    assert "<caption>Comparison(n_selectors=2, n_runs=4" in table
    assert "&lt;b&gt;best&lt;/b&gt;" in table
    assert "<b>" not in table
    for mean in result.summary()["mean_accuracy"]:
        assert f"<td>{mean:.3g}</td>" in table
    assert table.count("<tr>") == 3
    assert "<tr>" not in Comparison(())._repr_html_()


def _compare_and_ask_for_the_handler(queue, X, y, n_jobs):
    signal.signal(signal.SIGINT, signal.default_int_handler)
    with warnings.catch_warnings():
        # Inside of a child, joblib works with threads or in turn.
        warnings.simplefilter("ignore")
        compare(VarianceScore(), X, y, n_splits=2, classifiers=["1nn"], n_jobs=n_jobs)
    queue.put(signal.getsignal(signal.SIGINT) is signal.default_int_handler)


@pytest.mark.slow
@pytest.mark.subprocess
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_a_child_process_that_compares_still_hears_interrupts(small, n_jobs):
    context = multiprocessing.get_context("spawn")
    queue = context.Queue()
    child = context.Process(
        target=_compare_and_ask_for_the_handler, args=(queue, *small, n_jobs)
    )
    child.start()
    hears = queue.get(timeout=120)
    child.join(60)
    assert hears


def test_no_number_of_jobs_is_that_of_joblibs_context(small):
    X, y = small
    options = {"n_splits": 2, "classifiers": ["1nn"]}
    seen = []

    class Watched(VarianceScore):
        def fit(self, X, y=None, **others):
            seen.append(threading.current_thread())
            return super().fit(X, y, **others)

    compare(Watched(), X, y, **options)
    assert set(seen) == {threading.main_thread()}
    seen.clear()
    with parallel_config("threading", n_jobs=2):
        compare(Watched(), X, y, **options)
    assert threading.main_thread() not in seen


def test_selectors_side_by_side_have_one_thread_each():
    for n_jobs, expected in [(-1, 1), (None, 1), (2, 2)]:
        pipeline = make_pipeline(ReliefF(n_jobs=n_jobs))
        assert seeded(pipeline, 0, True)[0].n_jobs == expected
        assert seeded(pipeline, 0, False)[0].n_jobs == n_jobs
