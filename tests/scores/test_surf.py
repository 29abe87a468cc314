"""The SURF family against the formulas in plain loops."""

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose, assert_array_equal

from pairsift import scores
from tests.reference import relief as reference
from tests.scores.test_relief import each_treatment, mask, mixed_data

SCORES = {
    "surf": scores.surf_score,
    "surf-star": scores.surf_star_score,
    "swrf-star": scores.swrf_star_score,
    "multisurf": scores.multisurf_score,
    "multisurf-star": scores.multisurf_star_score,
}
each_score = pytest.mark.parametrize("name", SCORES)
each_weighting = pytest.mark.parametrize("miss_weighting", ["prior", "pooled"])


def assert_as_in_plain_loops(name, X, y, rtol=1e-10, **options):
    categorical = options.pop("categorical", ())
    expected = reference.surf(X, y, name, categorical=categorical, **options)
    kinds = mask(list(categorical), X.shape[1]) if categorical else None
    actual = SCORES[name](X, y, is_categorical=kinds, **options)
    assert_allclose(actual, expected, rtol=rtol, atol=rtol / 10)


@each_score
@each_weighting
@pytest.mark.parametrize("n_classes", [2, 3, 12])
def test_agrees_with_plain_loops(rng, name, miss_weighting, n_classes):
    X = mixed_data(rng, 30)
    # Unbalanced: the first class is the most frequent one.
    y = np.minimum(rng.geometric(0.3, size=30) - 1, n_classes - 1)
    y[:n_classes] = np.arange(n_classes)
    assert_as_in_plain_loops(
        name, X, y, categorical=(1, 4), miss_weighting=miss_weighting
    )


@each_score
@each_treatment
@each_weighting
def test_missing_values_agree_with_plain_loops(rng, name, missing, miss_weighting):
    X = mixed_data(rng, 24, share_missing=0.15)
    X[5, :] = np.nan
    y = rng.integers(-1, 3, size=24)
    options = {"missing": missing, "miss_weighting": miss_weighting}
    assert_as_in_plain_loops(name, X, y, categorical=(1, 4), **options)


@each_score
@given(data=st.data())
@settings(max_examples=25, deadline=None)
def test_ties_duplicates_and_constants_agree(name, data):
    n, d = data.draw(st.integers(2, 9)), data.draw(st.integers(1, 3))
    X = data.draw(arrays(float, (n, d), elements=st.integers(0, 3).map(float)))
    y = data.draw(st.lists(st.integers(0, 2), min_size=n, max_size=n))
    if len(set(y)) > 1:
        assert_as_in_plain_loops(name, X, np.array(y))


@pytest.fixture
def in_single_precision(monkeypatch):
    monkeypatch.setattr("pairsift._kernels.relief._surf.DOUBLE_CELLS", 0)


@each_score
@each_treatment
def test_single_precision_agrees_with_plain_loops(
    rng, name, missing, in_single_precision
):
    X = mixed_data(rng, 40, share_missing=0.1)
    y = rng.integers(0, 3, size=40)
    assert_as_in_plain_loops(name, X, y, 1e-6, categorical=(1, 4), missing=missing)


@each_score
def test_either_precision_finds_the_same_neighbours(rng, name, monkeypatch):
    X, y = rng.normal(size=(600, 12)), rng.integers(0, 3, size=600)
    # Thirds and sevenths are inexact, and many distances are tied.
    X[:, ::2] = rng.integers(0, 8, size=(600, 6))
    expected = SCORES[name](X, y)
    monkeypatch.setattr("pairsift._kernels.relief._surf.DOUBLE_CELLS", 0)
    # One wrong neighbour would change a score by 1e-5.
    assert_allclose(SCORES[name](X, y), expected, rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize("name", [name for name in SCORES if name != "swrf-star"])
def test_radius_between_numbers_single_precision_cannot_tell_apart(
    name, in_single_precision
):
    # All pairs of rows are about equally far; only double precision sees who is near.
    rng = np.random.default_rng(3)
    X = np.eye(40) + 1e-9 * rng.random((40, 40))
    y = np.arange(40) % 2
    expected = reference.surf(X, y, name)
    # One wrong neighbour would change a score by 1e-3.
    assert_allclose(SCORES[name](X, y), expected, rtol=0, atol=1e-6)


@each_score
@each_treatment
def test_order_of_rows_and_columns_does_not_matter(rng, name, missing):
    X = rng.integers(0, 4, size=(150, 5)).astype(float)
    X[rng.random(X.shape) < 0.1] = np.nan
    y = rng.integers(-1, 3, size=150)
    expected = SCORES[name](X, y, missing=missing)
    rows, columns = rng.permutation(150), rng.permutation(5)
    actual = SCORES[name](X[rows][:, columns], y[rows], missing=missing)
    assert_allclose(actual, expected[columns], rtol=1e-9, atol=1e-12)


@pytest.mark.slow
@each_score
@each_treatment
def test_many_blocks_and_threads_agree_with_few(rng, name, missing, monkeypatch):
    X = np.round(4 * rng.normal(size=(500, 7)))
    X[rng.random(X.shape) < 0.1] = np.nan
    y = rng.integers(0, 4, size=500)
    options = {"missing": missing, "is_categorical": mask([2, 5], 7)}
    expected = SCORES[name](X, y, n_jobs=1, **options)
    assert_array_equal(SCORES[name](X, y, n_jobs=3, **options), expected)
    monkeypatch.setattr("pairsift._kernels.relief._encoded.BLOCK_ROWS", 40)
    monkeypatch.setattr("pairsift._kernels.relief._tiles.STRIP_ROWS", 8)
    assert_allclose(SCORES[name](X, y, **options), expected, rtol=1e-11, atol=1e-13)
    # And with distances that are not kept.
    monkeypatch.setattr("pairsift._kernels.relief._tiles.MAX_DISTANCES", 0)
    assert_allclose(SCORES[name](X, y, **options), expected, rtol=1e-11, atol=1e-13)


def test_distances_that_only_rounding_tells_apart_are_equal():
    """Three rows, all 4/3 apart: 2/3 + 2/3, or 1/3 + 1."""
    X = np.array([[1.0, 3.0, 1.0], [3.0, 1.0, 1.0], [0.0, 0.0, 1.0]])
    assert_array_equal(SCORES["swrf-star"](X, [0, 0, 1]), 0.0)


def test_one_missing_value_does_not_move_the_radius(rng):
    X, y = rng.normal(size=(60, 8)), rng.integers(0, 2, size=60)
    expected = scores.surf_score(X, y)
    X[3, 5] = np.nan
    for missing in ("probability", "ignore", "constant"):
        with_hole = scores.surf_score(X, y, missing=missing)
        assert_allclose(with_hole, expected, atol=0.02)


@each_score
def test_drawn_rows_are_the_only_targets(rng, name):
    X, y = mixed_data(rng, 30), rng.integers(0, 3, size=30)
    actual = SCORES[name](X, y, max_samples=7, random_state=5)
    drawn = np.random.default_rng(5).choice(30, 7, replace=False)
    # Drawn numbers count the rows as they are given.
    expected = reference.surf(X, y, name, targets=sorted(drawn))
    assert_allclose(actual, expected, rtol=1e-10)


@pytest.mark.parametrize("name", ["surf", "multisurf", "surf-star", "multisurf-star"])
def test_finds_features_that_matter_together_only(name):
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, size=(400, 12)).astype(float)
    y = (X[:, 7] != X[:, 3]).astype(int)
    best = np.argsort(-SCORES[name](X, y))[:2]
    assert set(best) == {3, 7}
    shuffled = SCORES[name](X, rng.permutation(y))
    assert np.abs(shuffled).max() < SCORES[name](X, y)[[3, 7]].min()


@each_score
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"miss_weighting": "even"}, "miss_weighting must be .*'prior'.*got 'even'"),
        ({"missing": "drop"}, "missing must be"),
        ({"labels": np.zeros(30)}, "at least two classes"),
    ],
)
def test_wrong_arguments_are_refused(rng, name, options, message):
    X, labels = mixed_data(rng, 30), np.arange(30) % 2
    with pytest.raises(ValueError, match=message):
        SCORES[name](X, **({"labels": labels} | options))


def test_wide_data_gives_the_same_in_either_precision(monkeypatch):
    X = np.random.default_rng(0).normal(size=(60, 9_000))
    y = np.arange(60) % 2
    for score in SCORES.values():
        expected = score(X, y)
        monkeypatch.setattr("pairsift._kernels.relief._surf.DOUBLE_CELLS", 0)
        assert_allclose(score(X, y), expected, rtol=0, atol=1e-6)
        monkeypatch.undo()


def test_errors_of_one_sign_do_not_move_a_radius(monkeypatch):
    # Few values: the rounding of 0.1 and 0.3 adds up over 4,000 columns.
    rng = np.random.default_rng(0)
    n, d = 150, 4_000
    X = rng.choice([0.0, 0.1, 0.1, 0.1, 0.3, 1.0], size=(n, d))
    X *= rng.random((n, d)) < rng.uniform(0.6, 1.0, size=n)[:, None]
    X[0], X[1], X[2:, -40:] = 0.0, 1.0, 0.0
    y = np.sort(np.arange(n) % 2)

    def inside():
        distance = np.delete(np.abs(X - X[1]).sum(axis=1), 1)
        return distance.mean() - distance.std() / 2

    distances = np.abs(X - X[1]).sum(axis=1)
    row = int(np.argmin(np.where(distances > inside(), distances, np.inf)))
    low, high = 0.0, 40.0
    for _ in range(60):
        middle = (low + high) / 2
        X[row, -40:] = middle / 40
        if np.abs(X[row] - X[1]).sum() > inside() - 1.5e-5:
            low = middle
        else:
            high = middle
    expected = scores.multisurf_score(X, y)
    monkeypatch.setattr("pairsift._kernels.relief._surf.DOUBLE_CELLS", 0)
    assert_allclose(scores.multisurf_score(X, y), expected, rtol=0, atol=1e-6)
