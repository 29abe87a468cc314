"""Pair constraints inside pipelines and cross-validation: the right pairs, always."""

import numpy as np
import pytest
import sklearn
from numpy.testing import assert_array_equal
from sklearn.feature_selection import SelectFromModel
from sklearn.model_selection import (
    GridSearchCV,
    KFold,
    cross_val_score,
    cross_validate,
)
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import MinMaxScaler

from pairsift import ConstraintError, PairConstraints, ReliefFSc
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


def test_scores_serve_as_importances_in_select_from_model():
    X, y = problem()
    model = SelectFromModel(
        ReliefFSc(), importance_getter="scores_", max_features=2, threshold=-np.inf
    )
    assert model.fit(X, y).get_support().sum() == 2
