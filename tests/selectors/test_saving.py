"""Saved selectors, pairs and sessions: plain values, as skops and mlflow write them."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal
from scipy import sparse
from sklearn.base import BaseEstimator

import pairsift
from pairsift import ActiveSession, PairConstraints, SemiMRMR, choose_features
from tests.selectors.builders import build, each_selector, fit_arguments, problem

PLAIN = (bool, int, float, str, type(None))
# What skops has a format of its own for.
KNOWN = (np.ndarray, np.generic, np.random.Generator, sparse.csr_array)


def is_public(cls):
    """Whether users import the class from pairsift or scikit-learn."""
    if cls.__module__.startswith("sklearn."):
        return issubclass(cls, BaseEstimator)
    return getattr(pairsift, cls.__name__, None) is cls


def copied(value, place="value"):
    """A copy made as by skops.io: keys of dicts are text, objects give their state."""
    if isinstance(value, (*PLAIN, *KNOWN)):
        if isinstance(value, np.ndarray) and value.dtype == object:
            assert all(type(cell) in PLAIN for cell in value.ravel()), place
        return value.copy() if isinstance(value, np.ndarray) else value
    if type(value) in (list, tuple):
        cells = enumerate(value)
        return type(value)(copied(cell, f"{place}[{k}]") for k, cell in cells)
    if type(value) is dict:
        assert all(type(key) is str for key in value), place
        return {key: copied(cell, f"{place}.{key}") for key, cell in value.items()}
    cls = type(value)
    assert is_public(cls), f"{place} is a {cls.__module__}.{cls.__name__}"
    new, state = cls.__new__(cls), copied(value.__getstate__(), place)
    if hasattr(new, "__setstate__"):
        new.__setstate__(state)
    else:
        vars(new).update(state)
    return new


def written(value):
    """A copy that skops has written and read."""
    skops = pytest.importorskip("skops.io")
    data = skops.dumps(value)
    names = skops.get_untrusted_types(data=data)
    for name in names:
        assert is_public(type_of(name)) or issubclass(type_of(name), KNOWN), name
    return skops.loads(data, trusted=names)


def type_of(name):
    module, _, cls = name.rpartition(".")
    return getattr(pytest.importorskip(module), cls)


each_way = pytest.mark.parametrize("save", [copied, written])


@each_selector
@each_way
def test_a_saved_selector_is_made_of_plain_values(name, save):
    X, y = problem()
    frame = pd.DataFrame(X, columns=list("abcdef"))
    if pairsift.methods().set_index("class").loc[name, "categorical"]:
        frame["kind"] = np.where(y == 1, "left", "right")
    arguments = fit_arguments(name, y)
    if "y" in arguments and name != "RReliefF":  # needs numbers
        arguments["y"] = np.array(["", "one", "two", "three"])[arguments["y"] + 1]
    selector = build(name, n_features_to_select=3).fit(frame, **arguments)
    again = save(selector)
    assert_array_equal(again.transform(frame), selector.transform(frame))
    assert_array_equal(again.scores_, selector.scores_)


@each_way
def test_a_saved_stream_goes_on(save):
    X, y = problem(n_samples=60)
    streams = [build("OnlineIRelief").partial_fit(X[:30], y[:30]) for _ in range(2)]
    streams[1] = save(streams[1])
    scores = [stream.partial_fit(X[30:], y[30:]).scores_ for stream in streams]
    assert_array_equal(*scores)


@each_way
def test_a_saved_pair_model_predicts(save):
    X, y = problem()
    X[::5, 4] = np.nan
    c = PairConstraints.sample(y, 10, 10, random_state=0)
    selector = build("PairLogistic").fit(X, constraints=c)
    again = save(selector)
    for pairs in (c.must_link, c.cannot_link):
        assert_array_equal(
            again.predict_link_proba(pairs), selector.predict_link_proba(pairs)
        )
    assert_array_equal(again.path_.coefs, selector.path_.coefs)


@each_way
@pytest.mark.parametrize("ids", [None, ["P1", "P2", "P3", "P4"]])
def test_saved_pairs_are_whole(save, ids):
    rows = range(4) if ids is None else ids
    c = PairConstraints(
        [(rows[0], rows[1])], [(rows[3], rows[2])], n_samples=4, ids=ids
    )
    again = save(c)
    assert again == c
    assert again.ids == c.ids
    assert list(again) == list(c)
    with pytest.raises(AttributeError, match="PairConstraints is immutable"):
        again.n_samples = 5
    with pytest.raises(ValueError, match="read-only"):
        again.must_link[0, 0] = 3


@each_way
@pytest.mark.parametrize("mode", ["cards", "pairs"])
def test_a_saved_choice_keeps_its_session(save, mode):
    X, y = problem()
    chosen = choose_features(X, y, 12, mode=mode, selector=SemiMRMR(3))
    again = save(chosen)
    assert_array_equal(again.transform(X), chosen.transform(X))
    assert again.constraints_ == chosen.constraints_
    assert again.session_.history == chosen.session_.history


@each_way
def test_a_saved_session_goes_on(save):
    X, y = problem()
    frame = pd.DataFrame(X, columns=list("abcdef")).assign(
        kind=np.array(list("xyz"))[y]
    )
    session = ActiveSession(frame)
    for _ in range(8):
        card = session.ask_card()
        same = [p.number for p in card.piles if y[p.shown] == y[card.row]]
        session.place(card.row, same[0] if same else "new")
    session.rename(1, "first")
    session.undo()
    session.redo()
    again = save(session)
    assert repr(again) == repr(session)
    assert again.records == session.records
    assert again.names == {1: "first"}
    assert again.ask_card() == session.ask_card()
    assert again.ask() == session.ask()
    again.place(again.ask_card().row, "unsure")
    assert len(again.history) == len(session.history) + 1
