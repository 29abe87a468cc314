"""MCFS: eigenvectors by the definition, and Lasso by coordinate descent."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from threadpoolctl import threadpool_limits

from pairsift import MCFS
from pairsift.graphs import similarity_graph
from pairsift.scores import mcfs_score
from pairsift.scores._cluster_targets import cluster_targets
from tests.reference import mcfs as reference
from tests.selectors.builders import problem


def dense_graph(X, **options):
    S = similarity_graph(X, **options)
    return np.asarray(S.todense() if hasattr(S, "todense") else S)


@pytest.mark.parametrize("options", [{"n_neighbors": 9}, {"graph": "full"}])
@pytest.mark.parametrize("n_clusters", [1, 3, 6])
def test_targets_are_the_smooth_eigenvectors(options, n_clusters):
    X, _ = problem()
    S = dense_graph(X, sigma="auto", **options)
    rows, targets = cluster_targets(X, S, n_clusters)
    expected = reference.targets(S, n_clusters)
    assert_array_equal(rows, np.arange(40))
    assert targets.shape == expected.shape
    signs = np.sign((targets * expected).sum(axis=0))
    assert_allclose(targets * signs, expected, atol=1e-10)


@pytest.mark.parametrize("n_nonzero", [1, 2, 4, 6])
def test_coefficients_are_those_of_lasso(n_nonzero):
    X, _ = problem()
    X[:, 2] = 0.1
    selector = MCFS(n_neighbors=9, n_clusters=4, n_nonzero=n_nonzero).fit(X)
    targets = reference.targets(dense_graph(X, n_neighbors=9, sigma="auto"), 4)
    columns = X - X.mean(axis=0)
    assert selector.coef_.shape == (4, 6)
    shares = []
    for a, y in zip(selector.coef_, targets.T, strict=True):
        y = y * np.sign((columns @ a) @ y)
        assert 1 <= np.count_nonzero(a) <= n_nonzero
        products = np.abs(columns.T @ (y - columns @ a))
        penalty = products.max()
        assert_allclose(a, reference.lasso(columns, y, penalty), atol=1e-8)
        shares.append(products / penalty if n_nonzero < 5 else products * 0)
    largest = np.abs(selector.coef_).max(axis=0)
    has_any = (largest > 0) | (np.arange(6) == 2)
    assert_array_equal(selector.scores_[largest > 0], largest[largest > 0])
    if n_nonzero < 5:
        nearness = np.max(shares, axis=0) - 1
        assert_allclose(selector.scores_[~has_any], nearness[~has_any], atol=1e-8)
    assert selector.scores_[2] == -np.inf


def test_number_of_coefficients_is_the_number_of_features_to_select():
    X, _ = problem(n_features=20)
    for wanted, most in ((3, 3), (0.25, 5), (None, 10)):
        coef = MCFS(wanted).fit(X).coef_
        assert np.count_nonzero(coef, axis=1).max() == most
    assert np.count_nonzero(MCFS(3, n_nonzero=7).fit(X).coef_, axis=1).max() == 7


def test_components_are_targets_largest_first(rng):
    X = rng.normal(size=(36, 3)) * 0.1
    cluster = np.repeat([2, 0, 1], [8, 12, 16])
    X[:, 0] += 10 * cluster
    S = similarity_graph(X, n_neighbors=3)
    _, targets = cluster_targets(X, S, 2)
    for target, member in zip(targets.T, (1, 0), strict=True):
        inside = (cluster == member) - (cluster == member).mean()
        assert_allclose(target, inside / np.linalg.norm(inside), atol=1e-12)
    # Three components fill two places; a third and a fourth are computed.
    _, more = cluster_targets(X, S, 4)
    assert more.shape == (36, 5)
    scaled = X / np.ptp(X, axis=0)
    assert MCFS(n_clusters=2, n_neighbors=3).fit(scaled).order_[0] == 0


def test_rows_without_edges_are_left_out(rng):
    X = rng.random(size=(20, 3))
    X[7] += 100
    options = {"graph": "epsilon", "epsilon": 5.0, "sigma": 1.0}
    with_stranger = MCFS(**options).fit(X).scores_
    assert_allclose(with_stranger, MCFS(**options).fit(np.delete(X, 7, 0)).scores_)


def test_features_that_make_the_clusters_are_best(rng):
    X = rng.normal(size=(90, 8))
    y = np.arange(90) % 3
    X[:, 2] += 9 * (y == 1)
    X[:, 5] += 9 * (y == 2)
    selector = MCFS(2, n_clusters=3).fit(X / np.ptp(X, axis=0))
    assert_array_equal(selector.get_support(indices=True), [2, 5])


@pytest.mark.parametrize("n_nonzero", [2, 6])
def test_of_copies_the_first_has_the_coefficient(n_nonzero):
    X, _ = problem()
    options = {"n_nonzero": n_nonzero, "n_clusters": 2}
    twice = MCFS(**options).fit(np.column_stack([X, X]))
    once = MCFS(**options).fit(X)
    assert_allclose(twice.coef_[:, :6], once.coef_, atol=1e-12)
    assert not twice.coef_[:, 6:].any()
    # With all six of them nothing is left to explain.
    expected = np.minimum(once.scores_, 0.0) if n_nonzero == 2 else np.full(6, -1.0)
    assert_allclose(twice.scores_[6:], expected, atol=1e-12)


@pytest.mark.parametrize("graph", ["knn", "full"])
def test_fewer_than_three_joined_rows_are_refused(graph):
    X = np.array([[0.0], [0.0], [1.0], [3.0]])
    with pytest.raises(ValueError, match="at least 3 rows .* got 2 of 4"):
        MCFS(graph=graph, sigma=0.01).fit(X)
    with pytest.raises(ValueError, match="at least 3 rows .* got 2 of 2"):
        MCFS(graph=graph).fit(X[1:3])


@pytest.mark.parametrize("graph", ["knn", "full"])
def test_sigma_too_small_for_any_edge_is_refused(rng, graph):
    X = rng.normal(size=(40, 5))
    distances = np.sort(np.linalg.norm(X[:, None] - X, axis=2), axis=1)[:, 5]
    with pytest.raises(ValueError, match=f"take sigma={distances.mean():.3g}, "):
        MCFS(sigma=0.01, graph=graph).fit(X)


def test_equal_rows_say_that_nothing_is_told():
    with pytest.warns(UserWarning, match="no feature has a defined MCFS"):
        selector = MCFS().fit(np.ones((10, 3)))
    assert_array_equal(selector.scores_, np.full(3, -np.inf))


@pytest.mark.parametrize("n_clusters", [2, 3, 5])
def test_ties_do_not_depend_on_the_order_of_rows(rng, n_clusters):
    """Components of one size, and graphs with multiple eigenvalues."""
    levels = np.stack(np.meshgrid(*[np.arange(3.0)] * 3), axis=-1).reshape(-1, 3)
    pairs = np.repeat(rng.normal(size=(9, 3)), 2, axis=0)
    for X, options in ((levels, {}), (pairs, {"n_neighbors": 1})):
        X = X * [1.0, 1.5, 2.3]
        order = rng.permutation(len(X))
        expected = MCFS(n_clusters=n_clusters, **options).fit(X)
        permuted = MCFS(n_clusters=n_clusters, **options).fit(X[order])
        assert_allclose(permuted.scores_, expected.scores_, atol=1e-9)
        assert len(expected.coef_) <= n_clusters


@pytest.mark.parametrize("parameters", [{"n_clusters": 0}, {"n_nonzero": 0}])
def test_impossible_parameters_are_refused(parameters):
    X, _ = problem()
    with pytest.raises(ValueError, match="parameter of MCFS"):
        MCFS(**parameters).fit(X)


def test_score_function_gives_what_the_selector_does():
    X, _ = problem()
    S = similarity_graph(X, sigma="auto")
    scores = mcfs_score(X, S, n_clusters=3, n_nonzero=2)
    assert_array_equal(scores, MCFS(2, n_clusters=3).fit(X).scores_)
    assert_array_equal(mcfs_score(X, S), MCFS().fit(X).scores_)


def test_graph_of_other_rows_is_refused():
    X, _ = problem()
    with pytest.raises(ValueError, match="S must have one row and column for each of"):
        mcfs_score(X[:-1], similarity_graph(X))


def test_blas_threads_do_not_change_the_bits():
    # Large enough that OpenBLAS takes several threads where it may.
    X = np.random.default_rng(0).normal(size=(400, 5))
    found = []
    for n_threads in (1, 2, 4):
        with threadpool_limits(n_threads, "blas"):
            found.append(MCFS(n_neighbors=9).fit(X).scores_)
    assert_array_equal(found[1], found[0])
    assert_array_equal(found[2], found[0])
