"""Powers of two, and errors in single precision with their bound."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from pairsift import _kernels
from pairsift._kernels.graph import _rough_similarity as rough, _similarity as exact

CLASSES = np.arange(150) % 3


def packed(n_samples, value=1.0):
    return np.full(n_samples * (n_samples - 1) // 2, value)


def powers(function, y):
    return np.array([function(value) for value in y])


def test_power_is_right_to_a_few_units_in_the_last_place(rng):
    y = np.concatenate(
        [[0.0, 0.5, 1.5, 433.0], rng.uniform(0, 2, 200), 433 * rng.random(200)]
    )
    assert_allclose(powers(exact.power, y), 2.0**-y, rtol=4e-16)
    assert exact.power(0.0) == 1.0


def test_power_of_near_features_is_right_too():
    y = np.linspace(0.0, exact.NEAR, 1001)
    assert_allclose(powers(exact.near_power, y), 2.0**-y, rtol=1e-15)


def test_power_is_cut_and_never_undefined():
    cut = 2.0**-433
    for y in (434.0, 1e300, np.inf, np.nan):
        assert exact.power(y) == cut


def test_rough_powers_are_within_their_errors(rng):
    near = np.linspace(0.0, exact.NEAR, 2001).astype(np.float32)
    wrong = powers(rough.near_power, near) - 2.0 ** -near.astype(np.float64)
    assert np.abs(wrong).max() < rough.NEAR_ERROR
    far = np.concatenate([near, 40 * rng.random(2000).astype(np.float32)])
    wrong = powers(rough.far_power, far) - 2.0 ** -far.astype(np.float64)
    assert np.abs(wrong).max() < rough.FAR_ERROR


def plain_errors(columns, features, W, classes, factor):
    n = classes.size
    lower = np.tril_indices(n, -1)
    similarities = np.zeros((n, n))
    similarities[lower] = W
    target = classes[:, np.newaxis] == classes
    return [
        (
            (similarities * 2.0 ** -((factor * (x[:, np.newaxis] - x)) ** 2) - target)[
                lower
            ]
            ** 2
        ).sum()
        for x in columns[features]
    ]


@pytest.mark.parametrize("n_samples", [2, 3, 31, 32, 33, 64, 150])
def test_errors_are_those_of_the_plain_sum(n_samples, rng):
    columns = rng.random((5, n_samples))
    W = rng.random(packed(n_samples).size)
    classes = CLASSES[:n_samples]
    features = np.array([3, 0, 4])
    is_near = np.array([True, True, True, True, False])
    expected = plain_errors(columns, features, W, classes, 0.7)
    actual = _kernels.similarity_errors(columns, features, is_near, W, classes, 0.7)
    assert_allclose(actual, expected, rtol=1e-13)


def test_adding_a_feature_multiplies_similarities(rng):
    x, y = rng.random((2, 40))
    W = packed(40)
    _kernels.add_feature(x, 2.0, 1, W)
    _kernels.add_feature(y, 2.0, None, W)
    i, j = np.tril_indices(40, -1)
    assert_allclose(
        W, 2.0 ** -(4 * (x[i] - x[j]) ** 2 + 4 * (y[i] - y[j]) ** 2), rtol=1e-14
    )


def test_similarities_too_small_for_products_become_zero():
    W = packed(2, 1e-140)
    _kernels.add_feature(np.array([0.0, 10.0]), 1.0, 1, W)
    assert_array_equal(W, [0.0])


def test_parts_bound_what_can_be_gained(rng):
    W = rng.random(packed(50).size)
    classes = CLASSES[:50]
    i, j = np.tril_indices(50, -1)
    same = classes[i] == classes[j]
    parts, largest = _kernels.error_parts(W, classes)
    assert parts == pytest.approx((W**2).sum() + 2 * W[same].sum(), rel=1e-13)
    assert largest == max((W**2).max(), 2 * W[same].max())


# Factor 0.8 leaves the features near, 5 makes them far; the last similarities are so
# small that nothing but their scale is left of the errors.
@pytest.mark.parametrize("factor", [0.8, 5.0, 1000.0])
@pytest.mark.parametrize("scale", [1.0, 1e-5, 1e-60])
@pytest.mark.parametrize("n_samples", [2, 33, 150])
def test_rough_errors_are_within_their_bound(factor, scale, n_samples, rng):
    columns = np.concatenate(
        [rng.random((6, n_samples)), 1e6 + rng.random((1, n_samples))]
    )
    classes = CLASSES[:n_samples]
    W = scale * rng.random(packed(n_samples).size) ** 4
    features = np.arange(7)
    values, is_near, wrong = _kernels.rough_columns(columns, factor)
    parts, largest = _kernels.error_parts(W, classes)
    actual = _kernels.rough_errors(values, is_near, features, W, classes, largest)
    bound = _kernels.rough_bound(wrong, parts, largest, W.size)
    i, j = np.tril_indices(n_samples, -1)
    same = 2.0 * (classes[i] == classes[j])
    for f in features:
        g = 2.0 ** -np.minimum((factor * (columns[f, i] - columns[f, j])) ** 2, 1000.0)
        expected = (g * W * (g * W - same)).sum()
        assert abs(actual[f] - expected) <= bound[f]
    # Bounds are of use: a few millionths of what is at stake, where ranges are small.
    if factor < 10:
        assert bound.max() < 2e-5 * parts


def test_wild_features_are_not_judged_roughly():
    columns = np.array([[0.0, 1e200, -1e200], [0.0, 1.0, 2.0], [0.0, 1e5, 3.0]])
    values, is_near, wrong = _kernels.rough_columns(columns, 1.0)
    assert_array_equal(wrong == np.inf, [True, False, True])
    assert_array_equal(values[[0, 2]], 0.0)
    assert not is_near.any()


@pytest.mark.parametrize("n_samples", [2, 5, 32, 33, 257, 1000])
def test_tiles_cover_every_pair_once(n_samples):
    tiles, edges = rough._tiles(n_samples)
    covered = np.zeros((n_samples + 32, n_samples + 64), dtype=int)
    for i, j, width in tiles:
        assert width % rough.VECTORS == 0
        covered[i : i + rough.TILE_ROWS, j : j + width] += 1
    lower = np.tri(n_samples, k=-1, dtype=bool)
    assert (covered[:n_samples, :n_samples][lower] == 1).all()
    assert covered.max() == 1
    assert edges[0] == 0
    assert edges[-1] == len(tiles)
    assert (np.diff(edges) >= 0).all()


def test_pair_errors_are_those_of_the_plain_sum(rng):
    X = rng.random((20, 4))
    pairs = rng.integers(0, 20, size=(30, 2))
    weights, targets = rng.random(30), rng.integers(0, 2, 30).astype(float)
    delta = X[pairs[:, 0]] - X[pairs[:, 1]]
    w = weights[:, np.newaxis] * 2.0 ** -((1.3 * delta) ** 2)
    expected = ((w - targets[:, np.newaxis]) ** 2).sum(axis=0)
    actual = _kernels.pair_errors(X, pairs, weights, targets, 1.3)
    assert_allclose(actual, expected, rtol=1e-13)


def test_any_number_of_threads_gives_equal_bits(rng):
    columns, W = rng.random((9, 150)), rng.random(packed(150).size)
    features = np.arange(9)
    results = []
    for n_jobs in (1, 2, 5):
        values, is_near, _ = _kernels.rough_columns(columns, 0.8)
        _, largest = parts = _kernels.error_parts(W, CLASSES, n_jobs)
        added = W.copy()
        _kernels.add_feature(columns[0], 0.8, n_jobs, added)
        exactly = _kernels.similarity_errors(
            columns, features, is_near, W, CLASSES, 0.8, n_jobs
        )
        roughly = _kernels.rough_errors(
            values, is_near, features, W, CLASSES, largest, n_jobs
        )
        results.append([*parts, *added, *exactly, *roughly])
    assert_array_equal(results[1], results[0])
    assert_array_equal(results[2], results[0])
