"""I-Relief against the thesis' formulas in plain loops."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from pairsift import _kernels
from pairsift.scores import irelief_score
from pairsift.scores._irelief import fit_irelief, labelled_points, miss_shares
from tests.reference import irelief as reference


def data(rng, n_classes=3, n_samples=18):
    """Unbalanced classes, a constant column, equal rows, one column of few values."""
    X = rng.normal(size=(n_samples, 5))
    y = np.minimum(rng.integers(0, n_classes + 2, size=n_samples), n_classes - 1)
    y[:n_classes] = np.arange(n_classes)
    X[:, 0] += 1.5 * y
    X[:, 2] = 4.0
    X[:, 3] = rng.integers(0, 3, size=n_samples)
    X[5] = X[9]
    return X, y


@pytest.mark.parametrize("multi_class", ["prior", "nearest"])
@pytest.mark.parametrize("sigma", [0.1, 0.5, 3.0])
@pytest.mark.parametrize("n_classes", [2, 3, 5])
@pytest.mark.parametrize("max_iter", [1, 4])
def test_margins_agree_with_plain_loops(rng, multi_class, sigma, n_classes, max_iter):
    X, y = data(rng, n_classes)
    options = {"sigma": sigma, "multi_class": multi_class, "max_iter": max_iter}
    expected = reference.irelief(X.tolist(), y.tolist(), **options)
    z = irelief_score(X, y, **options)
    assert_allclose(z, expected, rtol=1e-10, atol=1e-12)
    assert z[2] == 0.0


def test_margin_by_hand():
    # From row 0 the hit is (0, 1), the misses are (1, 0) and (1, 1). The first weights
    # are one half each: distances 1/2, and 1/2 and 1. All four rows are alike.
    X = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    near, far = np.exp(-0.5), np.exp(-1.0)
    trust = near / (near + near + far)
    expected = 4 * trust * np.array([1.0, far / (near + far) - 1.0])
    z = irelief_score(X, [0, 0, 1, 1], sigma=1.0, max_iter=1)
    assert_allclose(z, expected, rtol=1e-14)


def test_two_classes_have_one_kind_of_misses(rng):
    X, y = data(rng, n_classes=2)
    prior, nearest = (irelief_score(X, y, multi_class=m) for m in ("prior", "nearest"))
    assert_allclose(prior, nearest, rtol=1e-12)


@pytest.mark.parametrize("sigma", [1e-300, 1e-4])
def test_tiny_width_is_one_nearest_neighbour(rng, sigma):
    # Every exponent but that of the nearest would underflow without the shift; a row
    # nearer to a miss than to a hit is an outlier.
    X = rng.normal(size=(12, 3))
    y = np.arange(12) % 2
    delta = np.abs(X[:, None] - X[None]) / np.ptp(X, axis=0)
    distance = delta.mean(axis=2)
    z = np.zeros(3)
    for n in range(12):
        hits = [m for m in range(12) if m != n and y[m] == y[n]]
        misses = [m for m in range(12) if y[m] != y[n]]
        hit = min(hits, key=lambda m: distance[n, m])
        miss = min(misses, key=lambda m: distance[n, m])
        if distance[n, hit] < distance[n, miss]:
            z += delta[n, miss] - delta[n, hit]
    actual = irelief_score(X, y, sigma=sigma, max_iter=1)
    assert_allclose(actual, z, rtol=1e-9, atol=1e-9)


def test_fixed_point_is_one(rng):
    X, y = data(rng)
    fit = fit_irelief(
        X, y, sigma=1.0, multi_class="prior", max_iter=200, tol=1e-12, n_jobs=1
    )
    points, codes = labelled_points(X, y)
    shares = miss_shares(codes, "prior")
    margins, trust = _kernels.expected_margins(
        points, codes, np.arange(len(X)), points, codes, shares, fit.weights, 1.0
    )
    z = np.maximum(trust @ margins, 0.0)
    assert_allclose(z / np.linalg.norm(z), fit.weights, atol=1e-11)
    assert fit.change <= 1e-12
    assert_allclose(np.linalg.norm(fit.weights), 1.0, rtol=1e-14)


def test_unlabelled_rows_are_left_out(rng):
    X, y = data(rng, n_samples=30)
    y[12:20] = -1
    X[12:20] *= 100.0
    assert_array_equal(irelief_score(X, y), irelief_score(X[y >= 0], y[y >= 0]))


def test_row_alone_in_its_class_is_a_miss_only(rng):
    X, y = data(rng, n_classes=2)
    alone = np.append(y[:-1], 7)
    expected = reference.irelief(
        X.tolist(), alone.tolist(), sigma=0.5, multi_class="prior"
    )
    assert_allclose(irelief_score(X, alone), expected, rtol=1e-10, atol=1e-12)


def test_units_of_a_feature_do_not_matter(rng):
    X, y = data(rng)
    scaled = X * [0.01, 3.0, 1.0, 100.0, 7.0] + [5.0, 0.0, 1.0, -2.0, 40.0]
    assert_allclose(
        irelief_score(scaled, y), irelief_score(X, y), rtol=1e-9, atol=1e-12
    )


def test_no_positive_margin_ends_the_iteration():
    X = np.array([[0.0], [1.0], [0.0], [1.0]])
    y = [0, 0, 1, 1]
    fit = fit_irelief(
        X, y, sigma=0.1, multi_class="prior", max_iter=9, tol=0.0, n_jobs=1
    )
    assert fit.margins[0] < 0
    assert fit.n_iter == 1
    assert_array_equal(fit.weights, [0.0])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"labels": [0] * 6}, "labels must hold a class .* at least two classes"),
        ({"labels": [0, 1]}, "labels must hold a class for each of the 6 rows"),
        ({"sigma": 0.0}, "sigma must be a positive number, got 0.0"),
        ({"multi_class": "all"}, "multi_class must be one of 'prior', 'nearest'"),
        ({"max_iter": 0}, "max_iter must be a whole number of at least 1, got 0"),
    ],
)
def test_impossible_arguments_are_refused(arguments, message):
    X = np.arange(12.0).reshape(6, 2)
    with pytest.raises(ValueError, match=message):
        irelief_score(X, **{"labels": [0, 1, 0, 1, 0, 1]} | arguments)
