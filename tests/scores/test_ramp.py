"""Margins with a ramp against plain loops, and what it does at its ends."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from pairsift import (
    STIR,
    SURF,
    IterativeRelief,
    PairConstraints,
    Relief,
    ReliefF,
    ReliefFSc,
    ReliefSc,
    RReliefF,
    scores,
)
from pairsift.scores import (
    iterative_relief_score,
    multisurf_score,
    relief_sc_score,
    relief_score,
    relieff_sc_score,
    relieff_score,
    rrelieff_score,
    stir_score,
)
from tests.reference import (
    iterative_relief,
    margins as pair_reference,
    relief as reference,
    rrelieff,
)

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


each_radius = pytest.mark.parametrize(
    "name", ["surf", "surf_star", "swrf_star", "multisurf", "multisurf_star"]
)


@each_radius
@pytest.mark.parametrize("ramp", RAMPS, ids=str)
@pytest.mark.parametrize("kind", KINDS)
def test_rows_within_a_radius_agree_with_plain_loops(kind, ramp, name):
    X, labels = data(kind)
    mask, categorical = kinds_of(X)
    score = getattr(scores, f"{name}_score")
    found = score(X, labels, is_categorical=mask, ramp=ramp)
    expected = reference.surf(
        X.astype(np.float64),
        labels,
        name.replace("_", "-"),
        categorical=categorical,
        ramp=ramp,
    )
    assert_allclose(found, expected, atol=1e-12)


@pytest.mark.parametrize("ramp", RAMPS, ids=str)
@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "two rows"])
def test_the_others_agree_with_plain_loops(kind, ramp):
    X, labels = data(kind)
    mask, categorical = kinds_of(X)
    exact, options = X.astype(np.float64), {"is_categorical": mask, "ramp": ramp}
    known = {"categorical": categorical, "ramp": ramp}
    target = np.sin(np.arange(26))
    found = rrelieff_score(X, target, n_neighbors=3, sigma=2.0, **options)
    expected = rrelieff.rrelieff(exact, target, 3, 2.0, **known)
    assert_allclose(found, expected, atol=1e-12)
    found = iterative_relief_score(X, labels, max_iter=3, **options)
    expected = iterative_relief.iterative_relief(exact, labels, max_iter=3, **known)
    assert_allclose(found, expected, atol=1e-11)
    if kind == "random":
        for k, neighborhood in ((3, "relieff"), (None, "multisurf")):
            found = stir_score(
                X, labels, n_neighbors=3, neighborhood=neighborhood, **options
            )
            expected = [t for t, _ in reference.stir(exact, labels, k, **known)]
            assert_allclose(found, expected, rtol=1e-9)


@each_radius
@pytest.mark.parametrize("missing", ["probability", "ignore", "constant", "distinct"])
def test_radii_and_missing_values(name, missing):
    X, labels = data("missing")
    mask, categorical = kinds_of(X)
    options = {"missing": missing, "ramp": (0.1, 0.4)}
    score = getattr(scores, f"{name}_score")
    found = score(X, labels, is_categorical=mask, **options)
    kind = name.replace("_", "-")
    expected = reference.surf(X, labels, kind, categorical=categorical, **options)
    assert_allclose(found, expected, atol=1e-12)


@pytest.mark.parametrize("score", [relieff_score, multisurf_score])
def test_single_precision_finds_and_double_decides(score, monkeypatch):
    """As many rows as are compared in single precision, and narrow ramps."""
    rng = np.random.default_rng(0)
    # Values on a grid: many differences are those where a ramp starts or ends.
    X, labels = np.round(rng.random((300, 5)), 2), np.arange(300) % 3
    X[rng.random(X.shape) < 0.02] = np.nan
    expected = score(X, labels, ramp=(0.2, 0.25))
    monkeypatch.setattr("pairsift._kernels.relief._surf.DOUBLE_CELLS", 0)
    monkeypatch.setattr("pairsift._kernels.relief._tiles.MAX_DISTANCES", 0)
    found = score(X, labels, ramp=(0.2, 0.25))
    assert_allclose(found, expected, atol=2e-6)


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


@pytest.mark.parametrize(
    "selector_class", [Relief, ReliefF, RReliefF, SURF, STIR, IterativeRelief]
)
def test_selectors_of_classes_take_a_ramp(selector_class):
    X, labels = data("random")
    options = {"max_samples": 9, "random_state": 3}
    if selector_class is IterativeRelief:
        options = {}
    if selector_class is RReliefF:
        labels = np.sin(np.arange(26))
    selector = selector_class(ramp=[0.1, 0.5], **options)
    selector.fit(X, labels, missing_label=-1)
    name = {"IterativeRelief": "iterative_relief"}.get(
        selector_class.__name__, selector_class.__name__.lower()
    )
    score = getattr(scores, f"{name}_score")
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
