"""TuRF: rounds of any selector."""

import pickle
from itertools import pairwise

import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn
from numpy.testing import assert_array_equal
from sklearn.base import BaseEstimator, clone
from sklearn.ensemble import RandomForestClassifier
from sklearn.feature_selection import RFE, SelectKBest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, KFold, cross_validate
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC
from sklearn.utils import get_tags

from pairsift import (
    ConstraintScore1,
    LaplacianScore,
    PairConstraints,
    ReliefF,
    ReliefFSc,
    RReliefF,
    TuRF,
)
from pairsift.selectors import _margins
from tests.selectors.builders import problem


def rounds(X, y, n_dropped, n_kept, **known):
    """Drop the worst columns in plain loops; the groups, the last survivors first."""
    left, groups = list(range(X.shape[1])), []
    while True:
        scores = ReliefF().fit(X[:, left], y, **known).scores_
        ranked = sorted(zip(-scores, left, strict=True))
        best_first = [column for _, column in ranked]
        if len(left) <= n_kept:
            return [best_first, *groups]
        n_stay = max(len(left) - n_dropped, n_kept)
        groups.insert(0, best_first[n_stay:])
        left = sorted(best_first[:n_stay])


@pytest.mark.parametrize(
    ("wanted", "step", "n_dropped", "n_kept"),
    [
        (None, 0.1, 2, 2),
        (None, 1, 1, 1),
        (None, 7, 7, 7),
        (None, 0.01, 1, 1),
        (3, 0.29, 5, 3),
        (5, 4, 4, 5),
        (0.5, 100, 100, 10),
        (20, 3, 3, 20),
        (None, 50, 50, 20),
    ],
)
def test_rounds_agree_with_plain_loops(wanted, step, n_dropped, n_kept):
    X, y = problem(n_samples=60, n_features=20)
    turf = TuRF(None, wanted, step=step).fit(X, y)
    groups = rounds(X, y, n_dropped, n_kept)
    assert_array_equal(turf.order_, np.concatenate(groups))
    assert turf.n_rounds_ == len(groups)
    assert turf.selector_.n_features_in_ == len(groups[0])
    for group, below in pairwise(groups):
        assert turf.scores_[group].min() > turf.scores_[below].max()
    assert turf.scores_.min() >= 0
    assert turf.scores_.max() < turf.n_rounds_
    assert turf.support_.sum() == (turf.n_features_to_select_ if wanted else 20)


def test_scores_by_hand():
    class Fixed(BaseEstimator):
        """Scores are the first row."""

        def fit(self, X, y=None):
            self.scores_ = X[0]
            return self

    X = np.array([[3.0, -np.inf, 5.0, 5.0, 1.0], [0.0, 0.0, 0.0, 0.0, 0.0]])
    turf = TuRF(Fixed(), step=2).fit(X)
    # First round: columns 1 and 4 go, with 0 and 1 of 5 below. Second: one step of two
    # columns is to be left, column 0 goes. Third: columns 2 and 3 are tied.
    assert_array_equal(turf.order_, [2, 3, 0, 4, 1])
    assert turf.n_rounds_ == 3
    assert_array_equal(turf.scores_, [1.0, 0.0, 2.0, 2.0, 0.2])
    # Down to one column: of the tied ones the higher goes, with 0 of 2 below.
    turf = TuRF(Fixed(), 1, step=2).fit(X)
    assert_array_equal(turf.order_, [2, 3, 0, 4, 1])
    assert_array_equal(turf.scores_, [1.0, 0.0, 2.0, 1 + 1 / 3, 0.2])
    assert_array_equal(turf.selector_scores_, X[0])


def test_best_features_do_not_depend_on_where_it_ends():
    X, y = problem(n_samples=60, n_features=30)
    everything = TuRF(step=4).fit(X, y)
    for wanted in range(1, 31):
        turf = TuRF(n_features_to_select=wanted, step=4).fit(X, y)
        if wanted >= 4:
            assert set(turf.order_[:wanted]) == set(everything.order_[:wanted])


def test_irrelevant_columns_are_dropped_before_they_hide_the_others():
    # Two columns that matter only together, among 300: ReliefF alone is misled.
    ranks, ranks_alone = [], []
    for seed in range(3):
        rng = np.random.default_rng(seed)
        X = rng.integers(0, 2, size=(120, 300)).astype(float)
        y = (X[:, 17] != X[:, 203]).astype(int)
        ranks_alone.append(ReliefF().fit(X, y).ranking_[[17, 203]].max())
        ranks.append(TuRF().fit(X, y).ranking_[[17, 203]].max())
    assert min(ranks_alone) > 2
    assert ranks == [2, 2, 2]


@pytest.mark.parametrize("n_copies", [2, 5])
def test_copies_of_a_column_stay_side_by_side(n_copies):
    X, y = problem()
    turf = TuRF(step=1).fit(np.repeat(X, n_copies, axis=1), y)
    assert sorted(turf.order_ // n_copies) == sorted(np.repeat(np.arange(6), n_copies))
    assert set(turf.order_[:n_copies] // n_copies) <= {1, 4}


def test_one_column_takes_one_round():
    X, y = problem()
    turf = TuRF(step=0.5).fit(X[:, :1], y)
    assert (turf.n_rounds_, turf.scores_[0]) == (1, 0.0)


def test_pairs_and_their_rows_reach_the_selector(monkeypatch):
    calls = []
    original = _margins.pair_margins

    def record(X, cannot_link, *others, **options):
        calls.append((X.shape, cannot_link.tolist()))
        return original(X, cannot_link, *others, **options)

    monkeypatch.setattr(_margins, "pair_margins", record)
    X, y = problem()
    c = PairConstraints.sample(y, 15, random_state=0)
    order = np.random.default_rng(0).permutation(40)[:30]
    turf = TuRF(ReliefFSc(symmetric=False), step=2)
    turf.fit(X[order], constraints=c, sample_ids=order)
    expected = ReliefFSc(symmetric=False)
    expected.fit(X[order], constraints=c, sample_ids=order)
    first, *others, last = calls
    assert first == last
    assert [shape for shape, _ in (first, *others)] == [(30, 6), (30, 4), (30, 2)]
    assert all(pairs == first[1] for _, pairs in others)
    assert turf.n_constraints_used_ == expected.n_constraints_used_ < 15


def test_folds_use_the_pairs_of_their_rows():
    X, y = problem(n_samples=60)
    c = PairConstraints.sample(y, 60, random_state=0)
    pipeline = make_pipeline(TuRF(ReliefFSc(), 3, step=2), KNeighborsClassifier())
    cv = KFold(4, shuffle=True, random_state=1)
    with sklearn.config_context(enable_metadata_routing=True):
        result = cross_validate(
            pipeline,
            X,
            y,
            cv=cv,
            params={"constraints": c, "sample_ids": np.arange(60)},
            return_estimator=True,
            error_score="raise",
        )
    for fold, (train, _) in zip(result["estimator"], cv.split(X), strict=True):
        inside = np.isin(c.cannot_link, train).all(axis=1).sum()
        assert fold[0].n_constraints_used_ == inside < 60


@pytest.mark.parametrize("library", [pd, pl])
def test_names_text_and_missing_values_reach_the_selector(library):
    X, y = problem()
    columns = {f"gene {j}": X[:, j] for j in range(6)}
    columns["gene 2"] = np.where(np.arange(40) % 9 == 0, np.nan, X[:, 2])
    columns["colour"] = np.array(["red", "blue", "green"])[y]
    frame = library.DataFrame(columns)
    turf = TuRF(n_features_to_select=2, step=1).fit(frame, y)
    assert turf.order_[0] == 6
    assert turf.feature_names_in_.tolist() == list(columns)
    assert_array_equal(turf.selector_.feature_names_in_, turf.get_feature_names_out())
    assert "colour" in turf.get_feature_names_out()


@pytest.mark.parametrize(
    "marked",
    [[5], [-1], np.arange(6) == 5, ["f"]],
    ids=["index", "end", "mask", "name"],
)
def test_categorical_columns_are_followed_when_columns_go(marked):
    X, y = problem()
    X[:, 5] = np.array([2.0, 0.0, 1.0])[y]
    frame = pd.DataFrame(X, columns=list("abcdef"))
    turf = TuRF(ReliefF(categorical_features=marked), step=1).fit(frame, y)
    assert turf.order_[0] == 5
    by_type = TuRF(step=1).fit(frame.assign(f=frame["f"].astype("category")), y)
    assert_array_equal(turf.selector_scores_, by_type.selector_scores_)


def test_numeric_target_reaches_the_selector():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 12))
    turf = TuRF(RReliefF(), 2).fit(X, 2.0 * X[:, 3] + X[:, 8])
    assert_array_equal(turf.get_support(indices=True), [3, 8])


def test_unsupervised_selector_needs_no_labels():
    X, _ = problem()
    turf = TuRF(LaplacianScore(), step=1).fit(X)
    assert turf.n_rounds_ == 6


@pytest.mark.parametrize(
    "selector",
    [
        SelectKBest(k=1),
        RandomForestClassifier(20, random_state=0),
        LogisticRegression(),
    ],
    ids=lambda selector: type(selector).__name__,
)
def test_other_estimators_with_scores_importances_or_coefficients(selector):
    X, y = problem()
    turf = TuRF(selector, 2, step=2).fit(X, y)
    assert_array_equal(turf.get_support(indices=True), [1, 4])
    assert not hasattr(selector, "n_features_in_")


def test_coefficients_of_several_outputs_are_squared_and_summed():
    X, y = problem()
    turf = TuRF(LogisticRegression(), step=6).fit(X, y)
    expected = (LogisticRegression().fit(X, y).coef_ ** 2).sum(axis=0)
    assert_array_equal(turf.selector_scores_, expected)


def test_undefined_scores_rank_last():
    X, y = problem()
    X[:, 1] = 3.0
    turf = TuRF(ConstraintScore1(), step=2).fit(X, y)
    assert turf.ranking_[1] == 6
    assert np.isfinite(turf.scores_).all()
    assert turf.selector_scores_[1] == -np.inf


@pytest.mark.parametrize(
    ("selector", "error", "message"),
    [
        ("relieff", TypeError, "selector must be an estimator .* got 'relieff'"),
        (ReliefF, TypeError, "selector must be an estimator such as ReliefF()"),
        (
            KNeighborsClassifier(),
            TypeError,
            "scores_, feature_importances_ or coef_ after fit, got KNeighborsClassif",
        ),
    ],
)
def test_what_is_no_selector_is_refused(selector, error, message):
    X, y = problem()
    with pytest.raises(error, match=message):
        TuRF(selector).fit(X, y)


@pytest.mark.parametrize("step", [0, 0.0, 1.0, 1.5, -1, "half"])
def test_impossible_steps_are_refused(step):
    X, y = problem()
    with pytest.raises(ValueError, match="'step' parameter of TuRF"):
        TuRF(step=step).fit(X, y)


def test_number_of_features_of_the_selector_itself_does_not_matter():
    X, y = problem()
    turf = TuRF(ReliefF(5), 2, step=2).fit(X, y)
    assert_array_equal(turf.scores_, TuRF(ReliefF(), 2, step=2).fit(X, y).scores_)


def test_tags_follow_the_selector():
    for selector in (None, ReliefFSc(), LaplacianScore(), RReliefF()):
        inner, tags = get_tags(selector or ReliefF()), get_tags(TuRF(selector))
        assert tags.input_tags.allow_nan == inner.input_tags.allow_nan
        assert tags.input_tags.categorical == inner.input_tags.categorical
        assert tags.target_tags.required == inner.target_tags.required
    assert get_tags(TuRF(RReliefF())).target_tags.required
    assert not get_tags(TuRF(LaplacianScore())).input_tags.allow_nan


def test_nested_parameters_are_set_searched_cloned_and_pickled():
    X, y = problem()
    turf = TuRF(ReliefF(), 2, step=2)
    turf.set_params(selector__n_neighbors=3)
    assert clone(turf).selector.n_neighbors == 3
    fitted = pickle.loads(pickle.dumps(turf.fit(X, y)))
    expected = TuRF(ReliefF(n_neighbors=3), 2, step=2).fit(X, y)
    assert_array_equal(fitted.scores_, expected.scores_)
    search = GridSearchCV(
        make_pipeline(TuRF(ReliefF(), 2), KNeighborsClassifier()),
        {"turf__selector__n_neighbors": [2, 9], "turf__step": [1, 0.5]},
        cv=3,
        error_score="raise",
    )
    assert search.fit(X, y).best_estimator_[0].selector_.n_neighbors in (2, 9)


def test_rounding_drops_no_feature():
    """Scores that differ in the last place are tied: the first feature stays."""

    class Rounded(BaseEstimator):
        def fit(self, X, y=None):
            self.scores_ = np.array([0.3, 0.1 + 0.2, 0.3])[: X.shape[1]]
            return self

    turf = TuRF(Rounded(), step=1).fit(np.arange(12.0).reshape(4, 3))
    assert turf.order_.tolist() == [0, 1, 2]


@pytest.mark.parametrize("n_classes", [2, 3])
def test_with_a_linear_machine_it_is_recursive_feature_elimination(n_classes):
    X, y = problem(n_samples=60, n_features=8)
    y = np.minimum(y, n_classes - 1)
    machine = SVC(kernel="linear")
    expected = RFE(machine, n_features_to_select=1, step=1).fit(X, y)
    assert_array_equal(TuRF(machine, 1, step=1).fit(X, y).ranking_, expected.ranking_)
    expected = RFE(machine, n_features_to_select=3, step=1).fit(X, y)
    assert_array_equal(TuRF(machine, 3, step=1).fit(X, y).support_, expected.support_)
