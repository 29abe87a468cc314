"""OnlineIRelief as an estimator, at once and chunk by chunk."""

import pickle

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone

from pairsift import ConstraintError, OnlineIRelief, PairConstraints
from pairsift.scores import online_irelief_score
from tests.selectors.builders import problem


def chunks(X, y, size):
    for first in range(0, len(X), size):
        yield X[first : first + size], y[first : first + size]


def streamed(X, y, size=10, **parameters):
    selector = OnlineIRelief(**{"random_state": 0} | parameters)
    for chunk in chunks(X, y, size):
        selector.partial_fit(*chunk)
    return selector


@pytest.mark.parametrize(
    "parameters",
    [
        {},
        {"sigma": 2.0},
        {"multi_class": "nearest"},
        {"n_epochs": 1},
        {"max_points": 20},
        {"random_state": 1},
    ],
)
def test_parameters_reach_the_score(parameters):
    X, y = problem()
    parameters = {"random_state": 0} | parameters
    selector = OnlineIRelief(**parameters).fit(X, y)
    assert_array_equal(selector.scores_, online_irelief_score(X, y, **parameters))
    default = OnlineIRelief(random_state=0).fit(X, y)
    is_default = parameters == {"random_state": 0}
    assert (selector.scores_ != default.scores_).any() == (not is_default)
    assert set(selector.order_[:2]) == {1, 4}
    positive = np.maximum(selector.scores_, 0.0)
    assert_allclose(selector.weights_, positive / np.linalg.norm(positive))
    assert selector.n_labelled_ == selector.n_samples_seen_ == 40
    assert_array_equal(selector.classes_, [0, 1, 2])


def test_selection_is_up_to_date_after_every_chunk():
    X, y = problem(n_samples=300)
    selector = OnlineIRelief(2, random_state=0)
    for n, chunk in enumerate(chunks(X, y, 50), start=1):
        selector.partial_fit(*chunk)
        assert selector.n_samples_seen_ == selector.n_labelled_ == 50 * n
        assert_array_equal(selector.support_, selector.ranking_ <= 2)
        assert (np.diff(selector.scores_[selector.order_]) <= 0).all()
        assert_array_equal(selector.transform(X), X[:, selector.support_])
    assert_array_equal(selector.get_support(indices=True), [1, 4])
    selector.set_params(n_features_to_select=3).partial_fit(X[:1], y[:1])
    assert selector.support_.sum() == 3


@pytest.mark.parametrize("size", [1, 7, 40, 120])
@pytest.mark.parametrize("max_points", [15, 1000])
def test_size_of_chunks_does_not_matter(size, max_points):
    X, y = problem(n_samples=120)
    expected = streamed(X, y, 30, max_points=max_points)
    actual = streamed(X, y, size, max_points=max_points)
    assert_array_equal(actual.scores_, expected.scores_)
    assert len(actual._stream["points"]) <= max_points


def test_unlabelled_rows_are_seen_and_left_out():
    X, y = problem()
    few = np.where(np.arange(40) % 4 < 3, y, -1)
    selector = streamed(X, few)
    assert (selector.n_samples_seen_, selector.n_labelled_) == (40, 30)
    known = streamed(X[few >= 0], few[few >= 0])
    assert_array_equal(selector.scores_, known.scores_)
    selector.partial_fit(100 * X[:5], np.full(5, -1))
    assert_array_equal(selector.scores_, known.scores_)


def test_scores_are_0_until_there_are_two_classes():
    X, y = problem()
    order = np.argsort(y, kind="stable")
    selector = OnlineIRelief(2, random_state=0)
    selector.partial_fit(X[order[:10]], y[order[:10]])
    assert_array_equal(selector.scores_, np.zeros(6))
    assert_array_equal(selector.weights_, np.zeros(6))
    assert_array_equal(selector.get_support(indices=True), [0, 1])
    selector.partial_fit(X[order[10:]], y[order[10:]])
    assert set(selector.order_[:2]) == {1, 4}
    with pytest.raises(ConstraintError, match="needs at least two classes.*1 class"):
        OnlineIRelief().fit(X, np.zeros(40))


def test_classes_may_come_late_and_have_any_name():
    X, y = problem()
    names = np.array(["m", "a", "z"], dtype=object)[y]
    late = np.argsort(y == 1, kind="stable")  # "a" comes last, and sorts first
    actual = streamed(X[late], names[late], 9)
    assert_array_equal(actual.classes_, ["a", "m", "z"])
    assert_allclose(actual.scores_, streamed(X[late], y[late]).scores_, rtol=1e-12)


def test_announced_classes_are_held_to():
    X, y = problem()
    selector = OnlineIRelief(random_state=0)
    selector.partial_fit(X[:1], y[:1], classes=[2, 0, 1])
    assert_array_equal(selector.classes_, [0, 1, 2])
    selector.partial_fit(X[1:], y[1:], classes=[0, 1, 2])
    assert_array_equal(selector.scores_, streamed(X, y).scores_)
    with pytest.raises(ValueError, match=r"class 7, which classes=\[0, 1, 2\] of the"):
        selector.partial_fit(X[:2], [0, 7])
    with pytest.raises(ValueError, match=r"those of the first call.*got \[0, 1\]"):
        selector.partial_fit(X[:2], y[:2], classes=[0, 1])
    assert selector.n_samples_seen_ == 40
    assert_array_equal(selector.scores_, streamed(X, y).scores_)


def test_fit_begins_anew_and_partial_fit_goes_on():
    X, y = problem()
    selector = streamed(X, y).fit(X, y)
    assert_array_equal(
        selector.scores_, OnlineIRelief(random_state=0).fit(X, y).scores_
    )
    assert selector.n_samples_seen_ == 40
    before = selector.scores_
    selector.partial_fit(X[:4], y[:4])
    assert selector.n_samples_seen_ == 44
    # 5 passes of 40 steps, and 4 more steps with margins of at most 1.
    assert 0 < np.abs(selector.scores_ - before).max() <= 2 * 4 / 204


def test_copies_go_on_alike():
    X, y = problem()
    selector = streamed(X[:20], y[:20], max_points=8)
    again = pickle.loads(pickle.dumps(selector))
    for one in (selector, again):
        one.partial_fit(X[20:], y[20:])
    assert_array_equal(selector.scores_, again.scores_)
    twin = clone(selector).partial_fit(X[:20], y[:20]).partial_fit(X[20:], y[20:])
    assert_array_equal(twin.scores_, selector.scores_)


def test_features_are_those_of_the_first_call():
    X, y = problem()
    frame = pd.DataFrame(X, columns=list("abcdef"))
    selector = OnlineIRelief(random_state=0).partial_fit(frame[:20], y[:20])
    assert_array_equal(selector.feature_names_in_, list("abcdef"))
    with pytest.raises(ValueError, match="feature names should match"):
        selector.partial_fit(frame[20:].rename(columns={"a": "x"}), y[20:])
    with pytest.raises(ValueError, match="5 features.*expecting 6|missing"):
        selector.partial_fit(frame[20:].iloc[:, :5], y[20:])
    with pytest.raises(ValueError, match="'colour'.*numbers only"):
        selector.partial_fit(frame[20:].assign(colour="red"), y[20:])
    selector.partial_fit(frame[20:], y[20:])
    assert_array_equal(selector.feature_names_in_, list("abcdef"))
    assert_array_equal(selector.scores_, streamed(X, y).scores_)
    assert selector.n_samples_seen_ == 40


@pytest.mark.parametrize(
    ("X", "y", "message"),
    [
        (np.zeros((2, 3)), None, "OnlineIRelief needs labels: pass y"),
        (np.zeros((2, 3)), [0, 1, 0], "inconsistent numbers of samples"),
        (np.zeros((2, 3)), [0.5, 1.5], "continuous target"),
        (np.full((2, 3), np.nan), [0, 1], "contains NaN"),
        (np.empty((0, 3)), [], "0 sample"),
        (np.zeros((2, 1)), [0, 1], "n_features_to_select=2 .*the 1 features of X"),
    ],
)
def test_impossible_chunks_are_refused_and_leave_no_trace(X, y, message):
    selector = OnlineIRelief(2, random_state=0)
    with pytest.raises(ValueError, match=message):
        selector.partial_fit(X, y)
    data, labels = problem()
    selector.partial_fit(data, labels)
    assert selector.n_samples_seen_ == 40
    assert_array_equal(selector.scores_, streamed(data, labels).scores_)


def test_must_link_groups_are_classes_when_there_are_no_labels():
    X, _ = problem()
    c = PairConstraints([(0, 3), (3, 9), (1, 4)], [(0, 1)], n_samples=40)
    labels = np.full(40, -1)
    labels[[0, 3, 9]] = 0
    labels[[1, 4]] = 1
    selector = OnlineIRelief(random_state=0).fit(X, constraints=c)
    expected = OnlineIRelief(random_state=0).fit(X, labels)
    assert_array_equal(selector.scores_, expected.scores_)
    assert (selector.n_constraints_used_, selector.n_labelled_) == (3, 5)


def test_the_next_rows_must_be_in_memory():
    X, y = problem()
    selector = OnlineIRelief().partial_fit(X, y)

    class Collection:
        pass

    Collection.__module__ = "dask.array.core"
    with pytest.raises(TypeError, match="Dask collection.*in memory"):
        selector.partial_fit(Collection(), y)


def test_failed_partial_fit_leaves_the_rows_before(monkeypatch):
    X, y = problem()
    selector = OnlineIRelief(random_state=0, max_points=8)
    expected = OnlineIRelief(random_state=0, max_points=8)
    for each in (selector, expected):
        each.partial_fit(X[:20], y[:20])

    def interrupt(_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(OnlineIRelief, "_rank", interrupt)
        with pytest.raises(KeyboardInterrupt):
            selector.partial_fit(X[20:30], y[20:30])
    assert pickle.dumps(selector) == pickle.dumps(expected)
    selector.partial_fit(X[30:], y[30:])
    expected.partial_fit(X[30:], y[30:])
    assert_array_equal(selector.scores_, expected.scores_)
