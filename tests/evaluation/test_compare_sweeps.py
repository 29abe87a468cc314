"""compare over a range: alphas, a grid of parameters, and a reference ranking."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose

from pairsift import FisherScore, ReliefF, ReliefFSc, VarianceScore
from pairsift.evaluation import compare, ranking_distance, ranking_precision
from pairsift.exceptions import DataError, StorageError

OPTIONS = {"classifiers": ["1nn"], "n_splits": 2}
PAIRS = {"strategy": "random", "spread": {"graph": "knn", "n_neighbors": 4}}


@pytest.fixture
def small():
    """Sixty rows of three classes that two of five columns tell apart."""
    rng = np.random.default_rng(0)
    y = np.arange(60) % 3
    X = rng.random((60, 5))
    X[:, 2] += 2.0 * (y == 1)
    X[:, 4] += 2.0 * (y == 2)
    return X, y


def orders(result):
    return {(cell.selector, cell.split): cell.order for cell in result.cells}


def test_every_alpha_makes_a_line_as_if_it_were_given_alone(small):
    selectors = [ReliefFSc(2), VarianceScore()]
    result = compare(
        selectors, *small, questions=15, alphas=[0.3, 0.95], **OPTIONS, **PAIRS
    )
    names = ["relieff-sc, alpha=0.3", "relieff-sc, alpha=0.95", "variance-score"]
    assert list(dict.fromkeys(result.table["selector"])) == names
    assert result.table.groupby("selector")["alpha"].first().loc[names[0]] == 0.3
    assert result.summary()["n_answers"].tolist()[:2] == [15, 15]
    for alpha in (0.3, 0.95):
        spread = PAIRS["spread"] | {"alpha": alpha}
        alone = compare(
            selectors[0],
            *small,
            **{**OPTIONS, "questions": 15, "strategy": "random", "spread": spread},
        )
        [pairs] = {c.n_spread for c in alone.cells if c.split == 0}
        swept = [c for c in result.cells if c.sweep.get("alpha") == alpha]
        assert swept[0].n_spread == pairs
        assert [c.order for c in swept] == [c.order for c in alone.cells]


def test_alphas_go_with_several_numbers_of_questions(small):
    result = compare(
        "relieff-sc",
        *small,
        questions=[0, 8, "all"],
        alphas=[0.3, 0.9],
        **OPTIONS,
        **PAIRS,
    )
    # Without answers there is nothing to spread.
    assert list(dict.fromkeys(result.table["selector"])) == [
        "relieff-sc, no questions",
        "relieff-sc, 8 answers, alpha=0.3",
        "relieff-sc, 8 answers, alpha=0.9",
        "relieff-sc, all labels",
    ]


def test_a_parameter_over_a_grid_is_each_of_its_selectors(small):
    result = compare(
        ["relieff", "fisher-score"],
        *small,
        grid={"relieff__n_neighbors": [1, 4], "relieff__ties": ["share", "index"]},
        **OPTIONS,
    )
    found = orders(result)
    assert len({name for name, _ in found}) == 5
    by_hand = compare({"it": ReliefF(n_neighbors=4, ties="index")}, *small, **OPTIONS)
    for split in (0, 1):
        name = "relieff, n_neighbors=4, ties=index"
        assert found[name, split] == orders(by_hand)["it", split]
    line = result.table.set_index("selector").loc["relieff, n_neighbors=1, ties=index"]
    assert set(line["method"]) == {"relieff"}
    assert set(line["setting"]) == {"n_neighbors=1, ties=index"}
    others = result.table.set_index("selector").loc["fisher-score", "setting"]
    assert others.isna().all()


@pytest.mark.parametrize("reference", ["fisher-score", FisherScore()])
def test_rankings_are_compared_with_that_of_a_selector_with_all_labels(
    small, reference
):
    result = compare(
        ["relieff-sc", "fisher-score"],
        *small,
        n_pairs=10,
        reference=reference,
        **OPTIONS,
    )
    found = orders(result)
    for cell in result.cells:
        optimal = found["fisher-score", cell.split]
        for at, size in enumerate(cell.sizes):
            precision = ranking_precision(cell.order, optimal, size)
            assert cell.precision[at] == precision
            assert cell.distance[at] == ranking_distance(cell.order, optimal, size)
    summary = result.summary(size=2).set_index("selector")
    assert summary.loc["fisher-score", ["precision", "distance"]].tolist() == [1, 0]
    mean = np.mean([c.precision[1] for c in result.cells if c.method == "relieff-sc"])
    assert summary.loc["relieff-sc", "precision"] == mean
    assert {"precision", "distance"} <= set(result.table) & set(result.curves())


def test_a_reference_may_be_a_ranking_by_number_or_name(small):
    X, y = small
    frame = pd.DataFrame(X, columns=list("abcde"))
    names = compare("fisher", frame, y, reference=list("cebda"), **OPTIONS)
    numbers = compare("fisher", X, y, reference=[2, 4, 1, 3, 0], **OPTIONS)
    assert [c.precision for c in names.cells] == [c.precision for c in numbers.cells]
    without = compare("fisher", X, y, **OPTIONS)
    assert without.table["precision"].isna().all()
    assert without.summary()["distance"].isna().all()


def test_a_ranking_of_some_features_has_a_precision_and_no_distance(small):
    from sklearn.base import BaseEstimator

    class Some(BaseEstimator):
        def fit(self, X, y=None):
            self.order_ = np.array([2, 0])
            return self

    result = compare(
        {"some": Some()}, *small, sizes=[1, 2], reference=[2, 4, 1, 3, 0], **OPTIONS
    )
    assert result.cells[0].precision == [1.0, 0.5]
    assert np.isnan(result.table["distance"]).all()


def test_sweep_has_the_mean_accuracies_of_the_summary(small):
    result = compare(
        ["relieff", "variance-score"],
        *small,
        questions=[4, 12, "all"],
        reference="fisher",
        **OPTIONS,
    )
    sweep = result.sweep()
    lines = dict.fromkeys(sweep["line"])
    assert list(lines) == ["relieff", "relieff, all labels", "variance-score"]
    summary = result.summary().set_index("selector")
    of_relieff = sweep[sweep["line"] == "relieff"]
    assert of_relieff["questions"].tolist() == [4, 12]
    for measure in ("mean_accuracy", "low", "high", "precision", "distance"):
        expected = summary.loc[["relieff, 4 answers", "relieff, 12 answers"], measure]
        assert_allclose(of_relieff[measure], expected)
    # What does not depend on the number of questions is level.
    level = sweep[sweep["line"] == "relieff, all labels"]
    assert level["questions"].tolist() == [4, 12]
    assert level["mean_accuracy"].nunique() == 1
    pd.testing.assert_frame_equal(result.sweep("questions"), sweep)


def test_sweep_by_one_of_several(small):
    result = compare(
        "relieff",
        *small,
        questions=[4, 12],
        grid={"relieff__n_neighbors": [3, 1]},
        **OPTIONS,
    )
    assert result.swept == ["questions", "n_neighbors"]
    with pytest.raises(DataError, match="by must be one of 'questions', 'n_neighbors'"):
        result.sweep()
    sweep = result.sweep("n_neighbors")
    assert list(dict.fromkeys(sweep["line"])) == [
        "relieff, 4 answers",
        "relieff, 12 answers",
    ]
    # In rising order, so that lines go from left to right.
    assert sweep["n_neighbors"].tolist() == [1, 3, 1, 3]
    once = compare("relieff", *small, **OPTIONS)
    with pytest.raises(DataError, match="nothing was swept"):
        once.sweep()


def test_sweeps_are_kept_and_read_again(small, tmp_path):
    options = {**OPTIONS, "store": tmp_path, "reference": "fisher"}
    grid = {"relieff__n_neighbors": [1, 4]}
    first = compare("relieff", *small, grid=grid, **options)
    done = []
    again = compare(
        "relieff", *small, grid=grid, progress=lambda *n: done.append(n), **options
    )
    assert done == [(4, 4)]
    assert again.cells == first.cells
    with pytest.raises(StorageError, match="reference is"):
        compare("relieff", *small, **options | {"reference": "variance"})


def test_parallel_sweeps_are_the_same(small):
    options = {**OPTIONS, **PAIRS, "questions": [6, 9], "alphas": [0.4, 0.9]}
    one = compare("relieff-sc", *small, **options)
    two = compare("relieff-sc", *small, n_jobs=2, **options)
    assert orders(one) == orders(two)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"alphas": [0.5]}, "alphas=.* goes with questions"),
        ({"alphas": [0.5], "questions": 3}, "alphas goes with spread"),
        (
            {"alphas": [0.5], "questions": 3, "spread": {"alpha": 0.9}},
            "alphas goes without spread=.'alpha'",
        ),
        (
            {"alphas": [1.5], "questions": 3, "spread": True},
            "alphas must be different numbers above 0 and below 1",
        ),
        ({"grid": {"relieff__k": [1]}}, "'relieff' has no parameter 'k'"),
        ({"grid": {"mrmr__k": [1]}}, "grid must map names .* got 'mrmr__k'"),
        ({"grid": {"relieff__n_neighbors": 3}}, "grid must list at least one value"),
        ({"grid": {"relieff__n_neighbors": [3, 3]}}, "n_neighbors=3' twice"),
        ({"reference": [0, 1]}, "reference must rank each of the 5 features once"),
        ({"reference": "no-such"}, "no-such"),
    ],
)
def test_impossible_sweeps_are_refused(small, options, message):
    with pytest.raises(DataError, match=message):
        compare("relieff", *small, **OPTIONS | options)
