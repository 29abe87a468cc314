"""Eigenvalues after a rank-one change against a full decomposition."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from pairsift import _kernels


def entropy(values):
    values = values[values > 1e-300]
    if not values.size:
        return 0.0
    shares = values / values.sum()
    return -(shares * np.log(shares)).sum()


def cases():
    rng = np.random.default_rng(0)
    yield "random", rng.uniform(0, 3, 9)
    yield "equal", np.ones(6)
    yield "pairs", np.repeat([0.5, 1.0, 7.0], 2)
    yield "zeros", np.array([0.0, 0.0, 0.0, 1.0, 2.0])
    yield "nearly equal", 1.0 + 1e-13 * np.arange(5)
    yield "far apart", 10.0 ** np.arange(-12, 3.0, 2)
    yield "one", np.array([2.0])


CASES = dict(cases())


@pytest.mark.parametrize("name", CASES)
def test_entropies_are_those_of_the_changed_matrix(name, rng):
    values = np.sort(CASES[name])
    m = values.size
    # diag - zz' is positive when z = diag^½ u with |u| of at most 1.
    directions = rng.normal(size=(20, m))
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    directions *= rng.uniform(0, 1, size=(20, 1))
    directions[:3] = np.eye(m)[:1] * [[1.0], [0.5], [0.0]]
    directions[3:6] = np.eye(m)[-1:] * [[0.5], [1e-9], [0.9]]
    vectors = np.sqrt(values) * directions
    expected = [
        entropy(np.maximum(np.linalg.eigvalsh(np.diag(values) - np.outer(z, z)), 0.0))
        for z in vectors
    ]
    actual = _kernels.downdated_entropies(values, vectors)
    assert_allclose(actual, expected, rtol=0, atol=1e-11)


def test_nothing_is_left_of_a_single_value():
    assert_array_equal(
        _kernels.downdated_entropies(np.zeros(3), np.zeros((2, 3))), [0.0, 0.0]
    )
    found = _kernels.downdated_entropies(np.array([4.0]), np.array([[2.0], [1.0]]))
    assert_array_equal(found, [0.0, 0.0])


def test_any_number_of_threads_gives_equal_bits(rng):
    X = rng.normal(size=(30, 90))
    values, U = np.linalg.eigh(X @ X.T)
    vectors = (U.T @ X).T
    expected = _kernels.downdated_entropies(values, vectors, 1)
    for n_jobs in (2, 5, -1, None):
        found = _kernels.downdated_entropies(values, vectors, n_jobs)
        assert_array_equal(found, expected)
