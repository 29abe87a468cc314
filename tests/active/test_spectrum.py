"""The second eigenvector and its sensitivity, step by step and all at once."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.sparse import csr_array

from pairsift.active import _spectrum
from pairsift.active._best_pair import best_pair
from pairsift.active._spectrum import Spectrum
from tests.reference import active as reference


@pytest.fixture(params=["all at once", "step by step"])
def way(request, monkeypatch):
    """Small graphs, solved as small and as large ones are."""
    few = {"all at once": 400, "step by step": 0}[request.param]
    monkeypatch.setattr(_spectrum, "FEW_ROWS", few)


@pytest.fixture(params=["dense", "sparse"])
def form(request):
    return np.asarray if request.param == "dense" else csr_array


def random_graph(rng, n_samples=30):
    S = rng.random((n_samples, n_samples)) ** 3
    S = np.triu(S, 1)
    return S + S.T


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize("seed", range(8))
def test_second_eigenvector_survives_any_changes(form, seed):
    rng = np.random.default_rng(seed)
    S = random_graph(rng)
    spectrum = Spectrum(form(S))
    for _ in range(6):
        spectrum.improve()
        values, _, v = reference.second_eigenvector(S)
        assert_allclose(spectrum.value, values[1], rtol=1e-9)
        assert_allclose(spectrum.vector, v, atol=1e-7)
        n, m = rng.choice(len(S), 2, replace=False)
        weight = float(rng.integers(2))
        spectrum.set_weight(n, m, weight)
        S[n, m] = S[m, n] = weight


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize("seed", range(5))
def test_response_is_the_published_sum(form, seed):
    rng = np.random.default_rng(seed)
    S = random_graph(rng)
    spectrum = Spectrum(form(S))
    spectrum.improve()
    for row in (0, 7, 29):
        g = spectrum.response(row)
        v = spectrum.vector
        actual = np.abs((v[:, None] - v) * (g[:, None] - g))
        assert_allclose(actual, reference.sensitivities(S, row), atol=1e-7)


def test_response_is_the_derivative(rng):
    S = random_graph(rng)
    spectrum = Spectrum(S)
    spectrum.improve()
    row, step = 4, 1e-6
    v, g = spectrum.vector, spectrum.response(row)
    for n, m in [(4, 9), (1, 2), (20, 4)]:
        moved = []
        for sign in (1, -1):
            changed = S.copy()
            changed[n, m] += sign * step
            changed[m, n] += sign * step
            moved.append(reference.second_eigenvector(changed)[2][row])
        difference = (moved[0] - moved[1]) / (2 * step)
        assert_allclose((v[n] - v[m]) * (g[n] - g[m]), difference, rtol=1e-4, atol=1e-8)


@pytest.mark.usefixtures("way")
def test_an_eigenvalue_that_falls_below_the_second_is_noticed():
    """Two weak bridges; when the second one is cut it becomes the weakest."""
    block = np.ones((6, 6)) - np.eye(6)
    S = np.kron(np.eye(3), block)
    S[0, 6] = S[6, 0] = 0.1
    S[7, 12] = S[12, 7] = 0.2
    spectrum = Spectrum(S)
    spectrum.improve()
    spectrum.set_weight(7, 12, 0.01)
    S[7, 12] = S[12, 7] = 0.01
    spectrum.improve()
    values, _, v = reference.second_eigenvector(S)
    assert_allclose(spectrum.value, values[1], rtol=1e-8)
    assert_allclose(spectrum.vector, v, atol=1e-6)


@pytest.mark.usefixtures("way")
def test_repeated_eigenvalues_are_left_out():
    """A complete graph: all eigenvalues equal, nothing responds."""
    S = np.ones((8, 8)) - np.eye(8)
    spectrum = Spectrum(S)
    spectrum.improve()
    assert_allclose(spectrum.value, 8.0, rtol=1e-10)
    assert_allclose(spectrum.response(3), np.zeros(8), atol=1e-6)


@pytest.mark.usefixtures("way")
def test_response_on_several_eigenvectors(rng):
    S = random_graph(rng)
    spectrum = Spectrum(S)
    spectrum.improve()
    values, vectors = spectrum.lowest(3)
    every, V = np.linalg.eigh(np.diag(S.sum(axis=1)) - S)
    assert_allclose(values, every[1:4], rtol=1e-9)
    for q in range(3):
        g = spectrum.response_among(5, q, values, vectors)
        others = [p for p in range(1, 30) if p != q + 1]
        expected = sum(V[5, p] * V[:, p] / (every[q + 1] - every[p]) for p in others)
        assert_allclose(g - g.mean(), expected, atol=1e-7)


def some_graph(rng):
    """A random graph, or one with many equal weights and eigenvalues."""
    n_samples = int(rng.integers(4, 16))
    kind = rng.choice(["random", "whole numbers", "ring", "two cliques", "star"])
    S = np.zeros((n_samples, n_samples))
    if kind == "random":
        S = random_graph(rng, n_samples)
    elif kind == "whole numbers":
        S = np.triu(rng.integers(0, 2, size=S.shape), 1).astype(float)
        S = S + S.T
    elif kind == "ring":
        S[np.arange(n_samples), np.roll(np.arange(n_samples), 1)] = 1.0
        S = S + S.T
    elif kind == "two cliques":
        half = n_samples // 2
        S[:half, :half] = S[half:, half:] = 1.0
        S[0, half] = S[half, 0] = 0.5
    else:
        S[0, 1:] = S[1:, 0] = 1.0
    np.fill_diagonal(S, 0.0)
    # A chain of weak edges, because the graphs of sessions are connected.
    chain = np.arange(n_samples - 1)
    S[chain, chain + 1] = S[chain + 1, chain] = np.maximum(S[chain, chain + 1], 0.25)
    return S


@pytest.mark.parametrize("seed", range(300))
def test_pair_is_the_best_of_the_full_sum(seed):
    """Brute force over all pairs and eigenvectors, some pairs asked already."""
    rng = np.random.default_rng(seed)
    S = some_graph(rng)
    n_samples = len(S)
    pairs = np.column_stack(np.triu_indices(n_samples, 1))
    asked = pairs[rng.random(len(pairs)) < rng.choice([0.0, 0.1, 0.5])]
    spectrum = Spectrum(S)
    spectrum.improve()
    v = spectrum.vector
    row = int(np.argmin(np.abs(v)))
    n, m, utility = best_pair(v, spectrum.response(row), asked)
    values, vectors = np.linalg.eigh(np.diag(S.sum(axis=1)) - S)
    total = np.zeros((n_samples, n_samples))
    for p in range(1, n_samples):
        if abs(values[p] - values[1]) > 1e-10:
            u = vectors[:, p]
            weight = u[row] / (values[1] - values[p])
            total += weight * (v[:, None] - v) * (u[:, None] - u)
    expected = np.abs(total)
    expected[np.tril_indices(n_samples)] = -1.0
    expected[asked[:, 0], asked[:, 1]] = -1.0
    # Pairs equal by the symmetry of the graph differ by rounding only.
    assert_allclose(utility, max(expected.max(), 0.0), rtol=1e-7, atol=1e-12)
    if expected.max() > 1e-9:
        tied = np.argwhere(expected >= expected.max() * (1 - 1e-8))
        assert [n, m] in tied.tolist()


@pytest.mark.usefixtures("way")
def test_a_row_cut_off_by_answers_is_alone_on_the_eigenvector(form, rng):
    """The graph falls apart, 0 is an eigenvalue twice, the vector still sums to 0."""
    S = random_graph(rng, 12)
    spectrum = Spectrum(form(S))
    spectrum.improve()
    for m in range(1, 12):
        spectrum.set_weight(0, m, 0.0)
        spectrum.improve()
    assert_allclose(spectrum.value, 0.0, atol=1e-9)
    expected = np.full(12, -1.0 / np.sqrt(11 * 12))
    expected[0] = 11.0 / np.sqrt(11 * 12)
    assert_allclose(spectrum.vector, expected, atol=1e-6)
    fresh = Spectrum(form(S))
    for m in range(1, 12):
        fresh.set_weight(0, m, 0.0)
    fresh.improve()
    assert_allclose(fresh.vector, expected, atol=1e-6)
