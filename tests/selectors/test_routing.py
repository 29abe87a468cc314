"""Pair constraints inside pipelines and cross-validation: the right pairs, always."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pandas as pd
import pytest
import sklearn
from numpy.testing import assert_array_equal
from sklearn.base import clone
from sklearn.datasets import load_wine
from sklearn.ensemble import BaggingClassifier
from sklearn.feature_selection import RFE, SelectFromModel
from sklearn.model_selection import (
    GridSearchCV,
    KFold,
    cross_val_score,
    cross_validate,
)
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import MinMaxScaler
from sklearn.semi_supervised import SelfTrainingClassifier

from pairsift import (
    SCGS,
    ConstraintError,
    PairConstraints,
    PairLogistic,
    PairsDisagreeWarning,
    ReliefFSc,
    RReliefF,
    VarianceScore,
)
from pairsift.selectors import _margins
from tests.selectors.builders import problem


@pytest.fixture(autouse=True)
def routing():
    with sklearn.config_context(enable_metadata_routing=True):
        yield


@pytest.fixture
def recorded(monkeypatch):
    """Every (X, cannot_link) that reaches the score function."""
    calls = []
    original = _margins.pair_margins

    def record(X, cannot_link, *others, **options):
        calls.append((X.copy(), cannot_link.copy()))
        return original(X, cannot_link, *others, **options)

    monkeypatch.setattr(_margins, "pair_margins", record)
    return calls


def labelled_rows(X):
    """Data in which the first column says which row of the whole data it is."""
    X = X.copy()
    X[:, 0] = np.arange(len(X))
    return X


def pairs_used(call):
    X, cannot_link = call
    return {frozenset(X[pair, 0].astype(int).tolist()) for pair in cannot_link}


def inside(constraints, rows):
    return {
        frozenset(pair)
        for pair in constraints.cannot_link.tolist()
        if set(pair) <= set(rows.tolist())
    }


def test_every_fold_uses_exactly_the_pairs_of_its_training_rows(recorded):
    X, y = problem(n_samples=60)
    X = labelled_rows(X)
    c = PairConstraints.sample(y, 60, random_state=0)
    cv = KFold(4, shuffle=True, random_state=1)
    pipeline = Pipeline([("select", ReliefFSc(3)), ("knn", KNeighborsClassifier())])
    cross_validate(
        pipeline,
        X,
        y,
        cv=cv,
        params={"constraints": c, "sample_ids": np.arange(60)},
        error_score="raise",
    )
    assert len(recorded) == 4
    for call, (train, _) in zip(recorded, cv.split(X), strict=True):
        assert pairs_used(call) == inside(c, train)
        assert 0 < len(inside(c, train)) < c.n_cannot_link


@pytest.mark.parametrize("kind", [str, int])
def test_as_many_pairs_as_samples_are_found_by_id_in_every_fold(recorded, kind):
    X, y = problem(n_samples=60)
    X = labelled_rows(X)
    rows = PairConstraints.sample(y, 40, 20, random_state=0)
    ids = np.array([f"patient {i}" for i in range(60)] if kind is str else X[:, 0] + 7)
    c = PairConstraints(ids[rows.must_link], ids[rows.cannot_link], ids=ids)
    # An object of this length that looked like an array would be cut to the fold.
    assert len(c) == len(X)
    cv = KFold(4, shuffle=True, random_state=1)
    cross_validate(
        make_pipeline(ReliefFSc(3), KNeighborsClassifier()),
        X,
        y,
        cv=cv,
        params={"constraints": c, "sample_ids": ids},
        error_score="raise",
    )
    for call, (train, _) in zip(recorded, cv.split(X), strict=True):
        assert pairs_used(call) == inside(rows, train)
        assert 0 < len(inside(rows, train)) < rows.n_cannot_link


def test_grid_search_uses_fold_pairs_and_refits_on_all(recorded):
    X, y = problem(n_samples=60)
    X = labelled_rows(X)
    c = PairConstraints.sample(y, 60, random_state=0)
    cv = KFold(3)
    search = GridSearchCV(
        make_pipeline(ReliefFSc(), KNeighborsClassifier()),
        {"relieffsc__n_features_to_select": [1, 3]},
        cv=cv,
        error_score="raise",
    )
    search.fit(X, y, constraints=c, sample_ids=np.arange(60))
    assert len(recorded) == 2 * 3 + 1
    folds = [inside(c, train) for train, _ in cv.split(X)]
    for number, call in enumerate(recorded[:-1]):
        assert pairs_used(call) == folds[number % 3]
    assert pairs_used(recorded[-1]) == inside(c, np.arange(60))
    assert search.best_estimator_[0].n_constraints_used_ == 60


def test_without_sample_ids_a_fold_is_refused_not_guessed():
    X, y = problem(n_samples=60)
    c = PairConstraints.sample(y, 60)
    with pytest.raises(ConstraintError, match="refer to 60 samples, but X has 45 rows"):
        cross_val_score(
            make_pipeline(ReliefFSc(3), KNeighborsClassifier()),
            X,
            y,
            cv=4,
            params={"constraints": c},
            error_score="raise",
        )


def test_sample_ids_in_another_order_find_the_same_pairs(rng):
    X, y = problem(n_samples=60)
    c = PairConstraints.sample(y, 40)
    order = rng.permutation(60)
    expected = ReliefFSc().fit(X, constraints=c)
    shuffled = ReliefFSc().fit(X[order], constraints=c, sample_ids=order)
    np.testing.assert_allclose(shuffled.scores_, expected.scores_, rtol=1e-10)
    part = ReliefFSc().fit(X[:50], constraints=c, sample_ids=np.arange(50))
    alone = ReliefFSc().fit(X[:50], constraints=c.subset(np.arange(50)))
    assert_array_equal(part.scores_, alone.scores_)
    assert part.n_constraints_used_ == alone.n_constraints_used_ < 40


def test_pipeline_without_routing_takes_the_step_name():
    X, y = problem()
    c = PairConstraints.sample(y, 20)
    with sklearn.config_context(enable_metadata_routing=False):
        pipeline = make_pipeline(MinMaxScaler(), ReliefFSc(2))
        pipeline.fit(X, relieffsc__constraints=c)
    assert pipeline[-1].n_constraints_used_ == 20


def test_folds_of_a_frame_are_found_by_its_index(recorded):
    X, y = problem(n_samples=60)
    rows = PairConstraints.sample(y, 60, random_state=0)
    names = np.array([f"patient {i}" for i in range(60)])
    frame = pd.DataFrame(labelled_rows(X), index=names).add_prefix("x")
    c = PairConstraints(cannot_link=names[rows.cannot_link], ids=frame.index)
    cv = KFold(4, shuffle=True, random_state=1)
    pipeline = make_pipeline(ReliefFSc(3), KNeighborsClassifier())
    cross_validate(
        pipeline, frame, y, cv=cv, params={"constraints": c}, error_score="raise"
    )
    for call, (train, _) in zip(recorded, cv.split(X), strict=True):
        assert pairs_used(call) == inside(rows, train)


@pytest.mark.slow
def test_rows_of_a_frame_may_be_in_any_order(rng):
    X, y = problem(n_samples=60)
    frame = pd.DataFrame(X).add_prefix("x")
    c = PairConstraints(*pairs_of(y, 20), ids=frame.index)
    order = rng.permutation(60)
    for selector in (ReliefFSc(), PairLogistic(), VarianceScore(), RReliefF()):
        expected = selector.fit(frame, y, constraints=c).scores_
        shuffled = clone(selector).fit(frame.iloc[order], y[order], constraints=c)
        np.testing.assert_allclose(shuffled.scores_, expected, rtol=1e-6, atol=1e-9)
    model = PairLogistic().fit(frame.iloc[order], constraints=c)
    answers = model.doubtful_answers(frame.iloc[order], constraints=c, threshold=1.0)
    links = {(a, b): link for a, b, link in c}
    ends = [tuple(sorted(order[[a, b]].tolist())) for a, b, *_ in answers]
    assert [found.answer for found in answers] == [links[end] for end in ends]


# ----------------------------------------------------------------------------------
# Steps that change rows


class Sampled(Pipeline):
    """A pipeline that begins with a sampler, which leaves the metadata as they are."""

    def fit(self, X, y, **params):
        smallest = np.unique(y, return_counts=True)[1].min()
        rng = np.random.default_rng(0)
        rows = [
            rng.permutation(np.flatnonzero(y == c))[:smallest] for c in np.unique(y)
        ]
        rows = np.concatenate(rows)
        return super().fit(X[rows], y[rows], **params)


def pairs_of(y, n_pairs):
    c = PairConstraints.sample(y, n_pairs, n_pairs)
    return c.must_link, c.cannot_link


def shuffled_problem():
    X, y = problem(n_samples=150)
    order = np.random.default_rng(1).permutation(150)
    return X[order], y[order], PairConstraints.sample(y[order], 40, 40)


# Pairs of wrong rows may differ in no feature.
learns_nothing = pytest.mark.filterwarnings("ignore:PairLogistic learnt nothing")


def steps(sampler=None):
    selector, last = PairLogistic(2), KNeighborsClassifier(3)
    return [step for step in (sampler, selector, last) if step is not None]


@learns_nothing
def test_pairs_behind_a_sampler_that_keeps_the_number_of_rows_are_warned_of():
    X, y, c = shuffled_problem()
    routed = {"constraints": c, "sample_ids": np.arange(150)}
    names = [("select", PairLogistic(2)), ("knn", KNeighborsClassifier(3))]
    with pytest.warns(
        PairsDisagreeWarning, match="before the selector, so that"
    ) as all_:
        cross_validate(Sampled(names), X, y, params=routed, error_score="raise")
    assert len(all_) == 5  # one a fold
    cross_validate(Pipeline(names), X, y, params=routed, error_score="raise")


@learns_nothing
def test_pairs_behind_a_real_sampler_are_warned_of():
    pytest.importorskip("imblearn")
    from imblearn.pipeline import make_pipeline as make_sampled_pipeline
    from imblearn.under_sampling import RandomUnderSampler

    X, y, c = shuffled_problem()
    routed = {"constraints": c, "sample_ids": np.arange(150)}
    sampler = RandomUnderSampler(random_state=0)
    first = make_sampled_pipeline(*steps(sampler))
    with pytest.warns(PairsDisagreeWarning, match="before the selector, so that"):
        cross_validate(first, X, y, params=routed, error_score="raise")
    selector, last = steps()
    second = make_sampled_pipeline(selector, sampler, last)
    cross_validate(second, X, y, params=routed, error_score="raise")
    # A sampler that keeps the index of a frame lets the pairs be found.
    ids = np.array([f"row {i}" for i in range(150)])
    named = PairConstraints(ids[c.must_link], ids[c.cannot_link], ids=ids)
    frame = pd.DataFrame(X, index=ids).add_prefix("x")
    fitted = make_sampled_pipeline(*steps(sampler)).fit(frame, y, constraints=named)
    expected = PairLogistic(2).fit(X, constraints=c)
    assert_array_equal(fitted[1].support_, expected.support_)


@pytest.mark.parametrize("ids", [None, np.arange(150)])
def test_another_number_of_rows_is_refused_with_the_place_of_the_selector(ids):
    X, y, c = shuffled_problem()
    y[np.flatnonzero(y == 0)[:9]] = 1
    routed = {"constraints": c, "sample_ids": ids}
    routed = {name: value for name, value in routed.items() if value is not None}
    names = [("select", PairLogistic(2)), ("knn", KNeighborsClassifier(3))]
    message = "in a pipeline put the selector before whatever changes rows, such as a s"
    with pytest.raises(ConstraintError, match=message):
        Sampled(names).fit(X, y, **routed)
    few = np.where(np.arange(150) % 4 == 0, y, -1)
    around = SelfTrainingClassifier(make_pipeline(*steps()))
    with pytest.raises(ConstraintError, match=message):
        around.fit(X, few, **routed)
    behind = SelfTrainingClassifier(KNeighborsClassifier(3))
    good = make_pipeline(PairLogistic(2), behind).fit(X, few, constraints=c)
    assert good.classes_.tolist() == [0, 1, 2]


@pytest.mark.parametrize("kind", [int, str])
def test_bagging_finds_the_pairs_of_the_rows_it_draws(kind):
    X, y, c = shuffled_problem()
    ids = np.arange(150)
    if kind is str:
        ids = np.array([f"row {i}" for i in range(150)])
        c = PairConstraints(ids[c.must_link], ids[c.cannot_link], ids=ids)
    bags = BaggingClassifier(make_pipeline(*steps()), 5, random_state=0)
    bags.fit(X, y, constraints=c, sample_ids=ids)
    for rows, bag in zip(bags.estimators_samples_, bags.estimators_, strict=True):
        drawn, first = np.unique(rows, return_index=True)
        n_inside = len(c.subset(drawn))
        assert 0 < bag[0].n_constraints_used_ == n_inside < len(c)
        # The pairs are those of the rows without their copies.
        once = PairLogistic(2).fit(
            X[rows][first], constraints=c, sample_ids=ids[rows][first]
        )
        assert_array_equal(bag[0].support_, once.support_)


@learns_nothing
def test_bagging_without_sample_ids_is_warned_of():
    X, y, c = shuffled_problem()
    bags = BaggingClassifier(make_pipeline(*steps()), 3, random_state=0)
    with pytest.warns(
        PairsDisagreeWarning, match="before the selector, so that"
    ) as all_:
        bags.fit(X, y, constraints=c)
    assert len(all_) == 3


# ----------------------------------------------------------------------------------
# Other clients


def test_routing_is_switched_on_inside_the_objective_of_a_thread():
    X, y, c = shuffled_problem()
    routed = {"constraints": c, "sample_ids": np.arange(150)}

    def objective(options):
        # As optuna's study.optimize(objective, n_jobs=2) calls it.
        with sklearn.config_context(**options):
            model = make_pipeline(*steps())
            return cross_val_score(model, X, y, params=routed, error_score="raise")

    with ThreadPoolExecutor(1) as threads:
        outside = threads.submit(objective, {})
        assert isinstance(outside.exception(), TypeError | ValueError)
        inside = threads.submit(objective, {"enable_metadata_routing": True})
        assert_array_equal(inside.result(), objective({}))


def places_from_the_end(selector):
    return len(selector.ranking_) - selector.ranking_


def test_places_serve_as_importances_where_scores_are_negative():
    X, y = load_wine(return_X_y=True)
    own = SCGS(2).fit(X, y)
    assert (own.scores_ < 0).sum() >= 3
    places = {"importance_getter": places_from_the_end}
    model = SelectFromModel(SCGS(), max_features=2, threshold=-np.inf, **places)
    assert_array_equal(model.fit(X, y).get_support(), own.support_)
    once = RFE(SCGS(), n_features_to_select=2, step=X.shape[1], **places)
    assert_array_equal(once.fit(X, y).support_, own.support_)


def test_scores_serve_as_importances_in_select_from_model():
    X, y = problem()
    model = SelectFromModel(
        ReliefFSc(), importance_getter="scores_", max_features=2, threshold=-np.inf
    )
    assert model.fit(X, y).get_support().sum() == 2
