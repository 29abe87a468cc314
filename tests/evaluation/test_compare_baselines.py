"""Random order and all features as lines of a comparison, and the verdict."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose

from pairsift.evaluation import accuracy_curve, compare
from pairsift.evaluation._compare._splits import split_rows, table_of
from pairsift.exceptions import DataError
from tests.evaluation.test_compare import plan_for

OPTIONS = {"classifiers": "1nn", "n_splits": 4}


@pytest.fixture
def small():
    """Sixty rows of two classes that the third of six columns tells apart."""
    rng = np.random.default_rng(0)
    y = np.arange(60) % 2
    X = rng.normal(size=(60, 6))
    X[:, 2] += 4.0 * y
    return X, y


def test_all_features_have_the_accuracy_of_all_columns(small):
    X, y = small
    result = compare(["all-features", "variance"], X, y, **OPTIONS)
    table = result.table
    own = table[table["selector"] == "all-features"]
    assert own["n_features"].tolist() == [6] * 4
    whole = table[(table["selector"] == "variance-score") & (table["n_features"] == 6)]
    assert_allclose(own["accuracy"], whole["accuracy"])
    assert_allclose(own["redundancy_rate"], whole["redundancy_rate"])
    assert set(own["supervision"]) == {"nothing"}


def test_random_order_is_the_mean_of_three_orders(small):
    X, y = small
    cell = compare("random-order", X, y, **OPTIONS).cells[0]
    plan = plan_for(X, y)
    table, train, test = table_of(plan, 0)
    rng = plan.generator(0, 6)
    curves = [
        accuracy_curve(
            table.train_numbers,
            y[train],
            table.test_numbers,
            y[test],
            rng.permutation(6),
            classifier="1nn",
            sizes=plan.sizes,
        ).accuracies
        for _ in range(3)
    ]
    assert_allclose(cell.accuracies["1nn"], np.mean(curves, axis=0))
    # Otherwise the mean would be that of a single order.
    assert len({tuple(curve) for curve in curves}) > 1
    assert_allclose(split_rows(plan, 0)[1], test)


def test_baselines_are_the_same_side_by_side_and_stored(small, tmp_path):
    names = ["random-order", "all-features"]
    one = compare(names, *small, store=tmp_path, **OPTIONS)
    again = compare(names, *small, store=tmp_path, **OPTIONS)
    assert one.cells == again.cells
    other = compare([*names, "variance"], *small, questions=[3, "all"], **OPTIONS)
    own = other.table[other.table["selector"].isin(names)]
    pd.testing.assert_frame_equal(own, one.table)


def test_baselines_rank_no_feature(small):
    result = compare(["random-order", "all-features", "fisher"], *small, **OPTIONS)
    assert list(result.ranks()) == ["fisher-score"]


@pytest.mark.parametrize(
    "options",
    [
        {"grid": {"random-order__n_neighbors": [1]}},
        {"supervision": {"all-features": "labels"}},
    ],
)
def test_baselines_take_no_parameters_and_learn_nothing(small, options):
    with pytest.raises(DataError, match="must map names of selectors"):
        compare(["random-order", "all-features", "fisher"], *small, **options)


def test_lines_are_told_one_by_one_as_they_finish(small):
    lines, n_done = [], []
    result = compare(
        ["semi-mrmr", "random-order"],
        *small,
        questions=[5, "all"],
        on_line=lines.append,
        progress=lambda done, _: n_done.append((done, len(lines))),
        **OPTIONS,
    )
    # Those that wait for answers come last.
    names = [line.cells[0].selector for line in lines]
    assert names == ["semi-mrmr, all labels", "random-order", "semi-mrmr, 5 answers"]
    # A line was told before the next began: after 4 runs of 12, after 8, ...
    assert (5, 1) in n_done
    assert (9, 2) in n_done
    own = result.summary().set_index("selector").loc[names[2]]
    assert lines[2].summary()["mean_accuracy"].item() == own["mean_accuracy"]


class TestVerdict:
    def test_a_method_that_is_ahead_is_named_with_numbers(self, small):
        options = OPTIONS | {"n_splits": 10}
        result = compare(["random-order", "fisher"], *small, **options)
        duel = result.duels("random-order").iloc[0]
        points, error = 100 * duel["difference"], 100 * duel["standard_error"]
        assert duel["p_value"] < 0.05
        assert result.verdicts() == [
            f"On data, fisher-score is ahead of random order ({points:+.1f} points of "
            f"accuracy, standard error {error:.1f})."
        ]

    def test_noise_is_not_ahead_of_anything(self):
        rng = np.random.default_rng(1)
        X, y = rng.normal(size=(60, 6)), np.arange(60) % 2
        names = ["random-order", "all-features", "fisher", "variance"]
        (said,) = compare(names, X, y, **OPTIONS).verdicts()
        assert said.startswith("On data, no method is clearly ahead of random order (")
        assert ", and no method is clearly ahead of all features (" in said

    def test_others_that_are_ahead_are_counted(self, small):
        names = ["random-order", "fisher", ("again", "fisher"), ("more", "fisher")]
        options = OPTIONS | {"n_splits": 10}
        (said,) = compare(names, *small, **options).verdicts()
        assert "is ahead of random order (" in said
        assert said.endswith(", as 2 other lines are.")

    def test_one_split_shows_nothing(self, small):
        options = OPTIONS | {"n_splits": 1}
        (said,) = compare(["random-order", "fisher"], *small, **options).verdicts()
        assert "no method is clearly ahead" in said
        assert "one split has no standard error" in said

    def test_without_baselines_there_is_none(self, small):
        assert compare("fisher", *small, **OPTIONS).verdicts() == []

    def test_a_name_with_a_comma_is_closed_by_one(self, small):
        options = OPTIONS | {"n_splits": 10, "questions": [0, "all"]}
        (said,) = compare(["random-order", "fisher"], *small, **options).verdicts()
        assert "fisher-score, all labels, is ahead of random order (" in said


def test_baselines_alone_have_no_verdict(small):
    result = compare(["random-order", "all-features"], *small, **OPTIONS)
    assert result.verdicts() == []
