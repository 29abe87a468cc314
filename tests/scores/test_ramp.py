"""Margins with a ramp against plain loops, and what it does at its ends."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from pairsift import PairConstraints, Relief, ReliefF, ReliefFSc, ReliefSc
from pairsift.scores import (
    relief_sc_score,
    relief_score,
    relieff_sc_score,
    relieff_score,
)
from tests.reference import margins as pair_reference, relief as reference

RAMPS = [(0.0, 1.0), (0.1, 0.4), (0.0, 0.3), (0.25, 1.0)]
PAIRS = [(0, 5), (7, 2), (11, 4), (3, 8)]


def data(kind):
    """Rows of 3 classes, -1 for none, with a categorical column 3."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(26, 5))
    X[:, 3] = rng.integers(0, 3, size=26)
    if kind == "ties":
        X = np.round(X)
    elif kind == "copies":
        X = X[np.arange(26) // 3]
        X[:, 1] = 2.0
    elif kind == "missing":
        X[rng.random(X.shape) < 0.15] = np.nan
    elif kind == "one column":
        X = X[:, :1]
    elif kind == "two rows":
        return X[:2], np.array([0, 1])
    elif kind == "float32":
        X = np.asfortranarray(X.astype(np.float32))
    return X, np.arange(26) % 4 - 1


KINDS = ["random", "ties", "copies", "missing", "one column", "two rows", "float32"]


def kinds_of(X):
    is_categorical = np.zeros(X.shape[1], dtype=bool)
    is_categorical[3:4] = True
    return is_categorical, np.flatnonzero(is_categorical).tolist()


@pytest.mark.parametrize("ramp", RAMPS, ids=str)
@pytest.mark.parametrize("kind", KINDS)
def test_margins_agree_with_plain_loops(kind, ramp):
    X, labels = data(kind)
    mask, categorical = kinds_of(X)
    exact = X.astype(np.float64)
    for ties in ("share", "index"):
        options = {"ramp": ramp, "ties": ties}
        found = relieff_score(X, labels, n_neighbors=3, is_categorical=mask, **options)
        expected = reference.relieff(
            exact, labels, 3, categorical=categorical, **options
        )
        assert_allclose(found, expected, atol=1e-12)
    found = relief_score(X, labels, is_categorical=mask, ramp=ramp)
    expected = reference.relief(exact, labels, categorical=categorical, ramp=ramp)
    assert_allclose(found, expected, atol=1e-12)


@pytest.mark.parametrize("missing", ["probability", "ignore", "constant", "distinct"])
def test_missing_values_differ_as_without_a_ramp(missing):
    X, labels = data("missing")
    mask, categorical = kinds_of(X)
    X[4] = np.nan
    options = {"missing": missing, "ramp": (0.1, 0.4)}
    found = relieff_score(X, labels, n_neighbors=3, is_categorical=mask, **options)
    expected = reference.relieff(X, labels, 3, categorical=categorical, **options)
    assert_allclose(found, expected, atol=1e-12)
    found = relieff_sc_score(X, PAIRS, n_neighbors=3, is_categorical=mask, **options)
    expected = pair_reference.relieff_sc(
        X, PAIRS, 3, categorical=categorical, **options
    )
    assert_allclose(found, expected, atol=1e-12)


@pytest.mark.parametrize("ramp", RAMPS, ids=str)
@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "two rows"])
def test_margins_of_pairs_agree_with_plain_loops(kind, ramp):
    X, _ = data(kind)
    mask, categorical = kinds_of(X)
    exact = X.astype(np.float64)
    for options in (
        {},
        {"exclude": "self", "ties": "index"},
        {"metric": "euclidean"},
    ):
        options |= {"ramp": ramp}
        found = relieff_sc_score(
            X, PAIRS, n_neighbors=3, is_categorical=mask, **options
        )
        expected = pair_reference.relieff_sc(
            exact, PAIRS, 3, categorical=categorical, **options
        )
        assert_allclose(found, expected, atol=1e-12)
    found = relief_sc_score(X, PAIRS, is_categorical=mask, ramp=ramp)
    expected = pair_reference.relieff_sc(
        exact, PAIRS, 1, categorical=categorical, ramp=ramp
    )
    assert_allclose(found, expected, atol=1e-12)


@pytest.mark.parametrize("kind", KINDS)
def test_the_whole_range_is_no_ramp(kind):
    X, labels = data(kind)
    mask, _ = kinds_of(X)
    for score in (relief_score, relieff_score):
        found = score(X, labels, is_categorical=mask, ramp=(0, 1))
        assert_allclose(found, score(X, labels, is_categorical=mask), atol=1e-12)
    options = {"null": "must-links", "must_link": [(0, 1), (1, 0)], "n_neighbors": 2}
    if len(X) > 2:
        found = relieff_sc_score(X, PAIRS, ramp=(0, 1), **options)
        assert_allclose(found, relieff_sc_score(X, PAIRS, **options), atol=1e-12)


def test_by_hand():
    # Shares of the range: 0, 0.1, 0.5 and 1. Differences up to 0.2 are 0, from 0.6 1.
    X, labels = np.array([[0.0], [1.0], [5.0], [10.0]]), [0, 0, 1, 1]
    # Hits: 0, 0, 0.75, 0.75; misses (nearest): 0.75, 0.5, 0.5, 1.
    found = relieff_score(X, labels, n_neighbors=1, ramp=(0.2, 0.6))
    assert_allclose(found, [(0.75 + 0.5 - 0.25 + 0.25) / 4])


@pytest.mark.parametrize("selector_class", [ReliefSc, ReliefFSc])
@pytest.mark.parametrize("given", ["labels", "pairs"])
def test_selectors_of_pairs_take_a_ramp(selector_class, given):
    X, _ = data("random")
    y = np.arange(26) % 3
    pairs = PairConstraints.from_labels(y)
    known = {"y": y} if given == "labels" else {"constraints": pairs}
    selector = selector_class(ramp=(0.1, 0.5)).fit(X, **known)
    both = np.concatenate([pairs.cannot_link, pairs.cannot_link[:, ::-1]])
    score = relief_sc_score if selector_class is ReliefSc else relieff_sc_score
    assert_allclose(selector.scores_, score(X, both, ramp=(0.1, 0.5)) / 2)
    other = selector_class().fit(X, **known)
    assert not np.allclose(selector.scores_, other.scores_)


@pytest.mark.parametrize("selector_class", [Relief, ReliefF])
def test_selectors_of_classes_take_a_ramp(selector_class):
    X, labels = data("random")
    options = {"max_samples": 9, "random_state": 3}
    selector = selector_class(ramp=[0.1, 0.5], **options).fit(
        X, labels, missing_label=-1
    )
    score = relief_score if selector_class is Relief else relieff_score
    assert_allclose(selector.scores_, score(X, labels, ramp=(0.1, 0.5), **options))


@pytest.mark.parametrize(
    "ramp", [(0.5, 0.5), (0.5, 0.1), (-0.1, 0.5), (0.1, 1.5), (0.1,), (np.nan, 1)]
)
def test_impossible_ramps_are_refused(ramp):
    X, labels = data("random")
    with pytest.raises(ValueError, match="ramp must be"):
        relieff_score(X, labels, ramp=ramp)
    with pytest.raises(ValueError, match="ramp must be"):
        relieff_sc_score(X, PAIRS, ramp=ramp)
    with pytest.raises(ValueError, match="ramp must be"):
        ReliefFSc(ramp=ramp).fit(X, constraints=PairConstraints(cannot_link=PAIRS))
    with pytest.raises(ValueError, match="'ramp' parameter"):
        ReliefF(ramp="steep").fit(X, labels, missing_label=-1)
