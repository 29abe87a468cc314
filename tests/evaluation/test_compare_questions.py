"""compare with questions: who answers, who learns what, and the two ends."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal
from sklearn.base import BaseEstimator
from sklearn.cluster import KMeans
from sklearn.feature_selection import SelectKBest

from pairsift import (
    FCRSC,
    MRMR,
    PairLogistic,
    ReliefF,
    ReliefFSc,
    SemiMRMR,
    VarianceScore,
    propagate,
    select_constraints,
)
from pairsift.evaluation import compare
from pairsift.exceptions import DataError, StorageError


class Recorder(BaseEstimator):
    """Remembers what it was given; ranks columns as they come."""

    # As one of the package, it takes pairs and rows without a label.
    _method = ReliefF._method
    seen = []  # noqa: RUF012

    def fit(self, X, y=None, constraints=None):
        self.seen.append((np.array(X), y, constraints))
        self.order_ = np.arange(X.shape[1])
        return self


@pytest.fixture
def seen():
    Recorder.seen.clear()
    return Recorder.seen


@pytest.fixture
def small():
    """Sixty rows of three classes that two of five columns tell apart."""
    rng = np.random.default_rng(0)
    y = np.arange(60) % 3
    X = rng.random((60, 5))
    X[:, 2] += 2.0 * (y == 1)
    X[:, 4] += 2.0 * (y == 2)
    return X, y


OPTIONS = {"classifiers": ["1nn"], "n_splits": 2}


def summary_of(result):
    return result.summary().set_index("selector")


def test_selectors_of_classes_learn_from_piles_and_of_pairs_from_pairs(small, seen):
    X, y = small
    names = {"piles": Recorder(), "pairs": Recorder()}
    result = compare(
        names, X, y, questions=12, supervision={"pairs": "pairs"}, **OPTIONS
    )
    for k in (0, 1):
        (_, piles, none), (_, no_labels, pairs) = seen[k], seen[k + 2]
        assert none is None
        assert no_labels is None
        assert np.count_nonzero(piles >= 0) == 12
        # A card is the same as one row, and different from a row of each other pile.
        ends = piles[pairs.must_link]
        assert (ends[:, 0] == ends[:, 1]).all()
        assert pairs.n_must_link == 12 - 3
        ends = piles[pairs.cannot_link]
        assert (ends[:, 0] != ends[:, 1]).all()
    summary = summary_of(result)
    assert summary["supervision"].tolist() == ["12 answers"] * 2
    assert summary["n_answers"].tolist() == summary["n_questions"].tolist() == [12, 12]


def test_answers_are_those_of_the_training_labels(small, seen):
    X, y = small
    # A class of each row, as a column: the answers are right if piles agree with it.
    X = np.column_stack([X, y])
    compare({"r": Recorder()}, X, y, questions=20, **OPTIONS)
    for given, piles, _ in seen:
        known = piles >= 0
        classes = np.round(2 * given[known, 5])
        pairs = np.unique(np.column_stack([classes, piles[known]]), axis=0)
        assert len(pairs) == 3


def test_the_two_ends_stand_in_the_same_table(small):
    X, y = small
    result = compare(
        ["semi-mrmr", "relieff-sc", "variance-score"],
        X,
        y,
        questions=[0, 6, 20, "all"],
        **OPTIONS,
    )
    summary = summary_of(result)
    ends = ["no questions", "6 answers", "20 answers", "all labels"]
    assert summary["supervision"].tolist() == [*ends, *ends, "nothing"]
    assert list(summary.index) == [
        *(f"semi-mrmr, {end}" for end in ends),
        *(f"relieff-sc, {end}" for end in ends),
        "variance-score",
    ]
    assert summary["n_answers"].tolist()[:3] == [0, 6, 20]
    assert (
        summary["n_answers"][["semi-mrmr, all labels", "variance-score"]].isna().all()
    )
    assert summary["n_used"].tolist()[:4] == [0, 6, 20, 42]


def test_without_questions_it_is_mrmr_on_classes_of_k_means(small, seen):
    X, y = small
    result = compare(
        {"semi": SemiMRMR(), "seen": Recorder()}, X, y, questions=0, **OPTIONS
    )
    for split, (given, clusters, _) in enumerate(seen):
        assert np.unique(clusters).tolist() == [0, 1, 2, 3]
        inertia = sum(
            ((given[clusters == k] - given[clusters == k].mean(axis=0)) ** 2).sum()
            for k in range(4)
        )
        best = KMeans(4, n_init=50, random_state=0).fit(given).inertia_
        assert inertia <= 1.02 * best
        expected = MRMR(estimator="correlation").fit(given, clusters).order_
        cell = next(c for c in result.cells if (c.selector, c.split) == ("semi", split))
        assert cell.order == expected.tolist()


def test_all_labels_are_those_of_a_plain_comparison(small):
    X, y = small
    selectors = [SemiMRMR(), ReliefFSc()]
    plain = compare(selectors, X, y, n_pairs=None, **OPTIONS)
    all_labels = compare(selectors, X, y, questions="all", **OPTIONS)
    assert [c.order for c in all_labels.cells] == [c.order for c in plain.cells]
    assert set(all_labels.table["selector"]) == {"semi-mrmr", "relieff-sc"}


def test_a_list_asks_on_where_a_number_ends(small):
    X, y = small
    numbers = np.array([4, 9, 15])
    many = compare(["pair-logistic"], X, y, questions=numbers, wrong=0.2, **OPTIONS)
    for number in (4, 9, 15):
        one = compare(["pair-logistic"], X, y, questions=number, wrong=0.2, **OPTIONS)
        label = f"pair-logistic, {number} answers"
        of_many = [c.order for c in many.cells if c.selector == label]
        assert of_many == [c.order for c in one.cells]


def test_the_published_framework_is_one_call(small, seen):
    X, y = small
    result = compare(
        {"relieff-sc": ReliefFSc(), "fcrsc": FCRSC(), "seen": Recorder()},
        X,
        y,
        questions=15,
        strategy="eigenvector",
        spread=True,
        **OPTIONS,
    )
    assert result.failures.empty
    for split, (given, labels, pairs) in enumerate(seen):
        assert labels is None
        assert len(pairs) > 15
        cells = [c for c in result.cells if c.split == split]
        expected = ReliefFSc().fit(given, constraints=pairs)
        assert cells[0].order == expected.order_.tolist()
        assert cells[0].n_used == pairs.n_cannot_link
        assert {c.n_spread for c in cells} == {len(pairs)}
    assert "data: 15 answers were spread to" in result.notes[0]
    assert "of 2 splits" in result.notes[0]


def test_spread_pairs_are_those_of_propagate(seen):
    # The training rows of each split are known: all rows of a class are equal but one.
    rng = np.random.default_rng(1)
    X, y = rng.random((30, 3)), np.arange(30) % 2
    X[:, 0] += 2.0 * y
    options = {"graph": "knn", "n_neighbors": 3}
    compare(
        {"seen": Recorder()},
        X,
        y,
        questions=8,
        strategy="eigenvector",
        spread=options,
        classifiers="1nn",
        n_splits=1,
    )
    given, _, pairs = seen[0]
    codes = (given[:, 0] > 0.5).astype(int)
    known = select_constraints(given, codes, max_queries=8, strategy="eigenvector")
    expected = propagate(known, given, **options)
    assert_array_equal(pairs.cannot_link, expected.cannot_link)
    assert_array_equal(pairs.must_link, expected.must_link)


def test_wrong_answers_are_wrong_and_drawn_from_the_seed(small, seen):
    X, y = small
    options = OPTIONS | {"questions": 20, "strategy": "random"}
    kinds = {"supervision": {"r": "pairs"}}
    links = {}
    for wrong in (0.0, 0.0, 1.0, 0.3):
        seen.clear()
        compare({"r": Recorder()}, X, y, wrong=wrong, **options, **kinds)
        pairs = [c for _, _, c in seen]
        found = [(c.must_link.tolist(), c.cannot_link.tolist()) for c in pairs]
        assert links.setdefault(wrong, found) == found
    flipped = [(cannot, must) for must, cannot in links[0.0]]
    assert links[1.0] == flipped
    assert links[0.3] not in (links[0.0], links[1.0])


@pytest.mark.slow
def test_any_number_of_jobs_gives_the_same(small):
    X, y = small
    options = OPTIONS | {"questions": [0, 8, "all"], "wrong": 0.1, "n_splits": 3}
    selectors = [SemiMRMR(), PairLogistic(), VarianceScore()]
    one = compare(selectors, X, y, **options, n_jobs=1)
    two = compare(selectors, X, y, **options, n_jobs=2)
    pd.testing.assert_frame_equal(
        one.table.drop(columns="seconds"),
        two.table.drop(columns="seconds"),
        check_exact=True,
    )


def test_selectors_of_other_packages_learn_from_the_rows_on_piles(small):
    X, y = small
    for spread in (False, {"graph": "knn"}):
        result = compare([SelectKBest()], X, y, questions=15, spread=spread, **OPTIONS)
        assert result.failures.empty
        assert summary_of(result)["n_used"].tolist() == [15]
        assert all(set(cell.order[:2]) == {2, 4} for cell in result.cells)


def test_few_labels_are_no_class_to_other_packages(small):
    X, y = small
    result = compare([SelectKBest()], X, y, n_labelled=9, **OPTIONS)
    assert summary_of(result)["n_used"].tolist() == [9]
    assert all(set(cell.order[:2]) == {2, 4} for cell in result.cells)


def test_rows_run_out_and_it_is_said(small):
    X, y = small
    result = compare(["semi-mrmr"], X, y, questions=100, **OPTIONS)
    assert summary_of(result)["n_answers"].tolist() == [42]
    assert result.notes == [
        "data: of 100 questions, 42 were asked on average: then all rows were sorted."
    ]


def test_text_and_missing_values_are_asked_about(small):
    X, y = small
    frame = pd.DataFrame(X, columns=list("abcde")).assign(
        f=np.array(["x", "y", "z"])[y]
    )
    frame.loc[::7, "a"] = np.nan
    result = compare(["relieff"], frame, y, questions=[0, 15], **OPTIONS)
    assert result.failures.empty
    assert all(c.order[0] == 5 for c in result.cells if c.n_answers == 15)


def test_answers_that_cannot_be_spread_fail_alone(small):
    X, y = small
    # One card makes no pair, twelve make some.
    result = compare(["semi-mrmr"], X, y, questions=[1, 12], spread=True, **OPTIONS)
    assert set(result.failures["selector"]) == {"semi-mrmr, 1 answer"}
    assert set(result.table["selector"]) == {"semi-mrmr, 12 answers"}


def test_warnings_alike_but_for_numbers_are_told_once(small):
    X, y = small
    result = compare(
        ["pair-logistic"],
        X,
        y,
        questions=60,
        strategy="random",
        wrong=0.4,
        classifiers="1nn",
        n_splits=3,
    )
    told = [w for w in result.warnings if "contradict" in w]
    assert len(told) == 1
    assert told[0].endswith("more like it.)")


class TestStore:
    def run(self, small, folder, **changes):
        X, y = small
        return compare(["semi-mrmr"], X, y, store=folder, **(OPTIONS | changes))

    def test_more_numbers_are_added_to_what_is_there(self, small, tmp_path):
        self.run(small, tmp_path, questions=8)
        n_done = []
        both = self.run(
            small, tmp_path, questions=[8, 12], progress=lambda *n: n_done.append(n)
        )
        assert n_done == [(2, 4), (3, 4), (4, 4)]
        fresh = self.run(small, tmp_path / "other", questions=[8, 12])
        pd.testing.assert_frame_equal(
            both.table.drop(columns="seconds"), fresh.table.drop(columns="seconds")
        )

    @pytest.mark.parametrize(
        ("change", "named"),
        [
            ({"wrong": 0.1}, "wrong is 0.0 there and 0.1 here"),
            ({"strategy": "random"}, 'strategy is "sort" there and "random" here'),
            ({"mode": "pairs"}, 'mode is "cards" there and "pairs" here'),
            ({"spread": True}, "spread is false there and true here"),
        ],
    )
    def test_other_settings_are_refused(self, small, tmp_path, change, named):
        self.run(small, tmp_path, questions=8)
        with pytest.raises(StorageError, match=named):
            self.run(small, tmp_path, questions=8, **change)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"questions": -1}, "questions must be a number of questions from 0, 'all'"),
        ({"questions": 2.5}, "questions must be a number of questions from 0, 'all'"),
        ({"questions": "some"}, "or a list of these, got 'some'"),
        ({"questions": []}, r"different numbers, at least one, got \[\]"),
        ({"questions": [5, 5]}, r"different numbers, at least one, got \[5, 5\]"),
        ({"questions": 5, "n_labelled": 9}, "questions goes without n_labelled"),
        ({"questions": 5, "draw_pairs": print}, "questions goes without draw_pairs"),
        ({"questions": 5, "strategy": "best"}, "strategy must be one of"),
        ({"questions": 5, "mode": "cards", "strategy": "random"}, "mode='cards' goes"),
        ({"questions": 5, "spread": "far"}, "spread must be True, False or a dict"),
        ({"questions": 5, "wrong": 2}, "wrong must be a share from 0 to 1, got 2"),
        ({"wrong": 0.1}, "wrong=0.1 goes with questions: give their number"),
        ({"spread": True}, "spread=True goes with questions"),
        ({"strategy": "random"}, "strategy='random' goes with questions"),
    ],
)
def test_wrong_arguments_are_refused(small, change, message):
    X, y = small
    with pytest.raises(DataError, match=message):
        compare(["semi-mrmr"], X, y, **change)
