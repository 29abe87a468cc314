"""Graphs of rows in blocks are those of the rows in memory, edge by edge."""

import warnings
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone

import pairsift
from pairsift import distributed
from pairsift.distributed._reading import read_table
from pairsift.graphs import (
    degrees_and_forms,
    full_graph,
    gaussian_weights,
    nearest_neighbors,
    similarity_graph,
    spreads,
)
from tests.distributed.problems import EDGES, pairs, source, table


def blocks_of(X, edges):
    return read_table(pairsift.VarianceScore(), source(X, edges)).X


@pytest.fixture(autouse=True)
def few_at_once():
    with (
        patch("pairsift.graphs._in_blocks.TARGETS_AT_ONCE", 11),
        patch("pairsift._blocks.GATHERED_BYTES", 24 * 5 * 8),
    ):
        yield


@pytest.mark.slow
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"graph": "mutual-knn", "kernel": "binary"},
        {"kernel": "self-tuning", "n_neighbors": 2},
        {"graph": "epsilon", "epsilon": 1.5, "sigma": "auto"},
    ],
)
@given(edges=EDGES)
@settings(max_examples=3, deadline=None)
def test_edges_and_weights_are_those_in_memory(options, edges):
    for ties in (False, True):
        X, _ = table(len(edges), ties=ties)
        here = similarity_graph(X, **options)
        there = similarity_graph(blocks_of(X, edges), **options)
        assert here.nnz > 0
        assert_array_equal(there.indptr, here.indptr)
        assert_array_equal(there.indices, here.indices)
        assert_array_equal(there.data, here.data)


@given(edges=EDGES)
@settings(max_examples=3, deadline=None)
def test_neighbours_of_ties_are_the_smaller_rows(edges):
    X = np.repeat(np.arange(10.0), 4)[:, None] * np.ones(2)
    rows, distances = nearest_neighbors(blocks_of(X, edges), 3)
    others = [[m for m in range(n - n % 4, n - n % 4 + 4) if m != n] for n in range(40)]
    assert_array_equal(rows, others)
    assert_array_equal(distances, 0.0)
    beyond = nearest_neighbors(blocks_of(X, edges), 5)[0]
    assert_array_equal(beyond, nearest_neighbors(X, 5)[0])


@pytest.mark.parametrize("kernel", ["gaussian", "self-tuning", "cosine"])
def test_full_graphs_are_summed_over_all_pairs_of_blocks(kernel):
    X, _ = table(0)
    blocks = blocks_of(X, [3, 3, 17, 30])
    options = {"kernel": kernel, "sigma": 0.7, "loops": True}
    here = degrees_and_forms(full_graph(X, **options), X)
    there = degrees_and_forms(full_graph(blocks, **options), blocks)
    for found, expected in zip(there, here, strict=True):
        assert_allclose(found, expected, rtol=1e-12)
    with pytest.raises(ValueError, match="rows of the graph where these are in blocks"):
        degrees_and_forms(full_graph(blocks), X)


def test_sums_over_edges_and_rows_keep_their_digits_far_from_zero():
    X, _ = table(1)
    far = X + 1e7
    blocks = blocks_of(far, [8, 20])
    S = similarity_graph(X, n_neighbors=3)
    d, forms = degrees_and_forms(S, blocks)
    assert_allclose(forms, degrees_and_forms(S, far)[1], rtol=1e-12)
    assert_allclose(spreads(d, blocks), spreads(d, X), rtol=1e-7, atol=1e-12)
    assert_array_equal(spreads(d, blocks)[2], 0.0)
    pairs = np.array([[0, 39], [7, 8], [0, 39]])
    weights = gaussian_weights(blocks, pairs, "auto")
    assert_allclose(weights, gaussian_weights(far, pairs, "auto"), rtol=1e-12)


def test_equal_rows_that_are_too_many_are_cut_off_as_in_memory():
    X = np.repeat([[0.0, 1.0], [2.0, 0.0]], 20, axis=0)
    with patch("pairsift.graphs._nearest.MAX_EDGES", 100):
        found = []
        for rows in (X, blocks_of(X, [5, 25])):
            with pytest.warns(UserWarning, match="so many equal rows"):
                found.append(similarity_graph(rows, n_neighbors=3, sigma=1.0))
    assert_array_equal(found[0].toarray(), found[1].toarray())
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        similarity_graph(blocks_of(X, [5, 25]), n_neighbors=3)


def test_graphs_that_do_not_fit_are_refused_with_their_bytes():
    X, _ = table(2)
    selector = pairsift.LaplacianScore(2)
    with (
        patch("pairsift._checks.LITTLE_MEMORY", 0.0),
        patch("pairsift._checks.available_memory", lambda: 1.0),
        pytest.raises(ValueError, match=r"edges from 40 rows to 5 .* take .* GB of"),
    ):
        distributed.fit(selector, source(X, [7]))
    with (
        patch("pairsift.graphs._similarity.available_memory", lambda: 1200.0),
        pytest.raises(ValueError, match="more than 5 pairs of rows are nearer than"),
    ):
        similarity_graph(blocks_of(X, [7]), graph="epsilon", epsilon=9.0)


def test_passes_are_those_of_the_plan():
    X, _ = table(3)
    passes = []

    class Counted(distributed.StreamedSource):
        def reduce(self, partial, merge, numbers, own, shared):
            passes.append(len(numbers))
            return super().reduce(partial, merge, numbers, own, shared)

    blocks = Counted([lambda: X[:20], lambda: X[20:]], sizes=[20, 20])
    with patch("pairsift._blocks.GATHERED_BYTES", 2**20):
        distributed.fit(pairsift.LaplacianScore(2, kernel="binary"), blocks)
    # The survey; four times 11 rows or fewer, and all rows to these; the rows of the
    # edges; the first row as the origin, means and spreads.
    some = [1, 2, 2, 2, 1, 2, 1, 2]
    assert passes == [2, *some, 2, 1, 2, 2]


@pytest.mark.dask
def test_dask_arrays_give_the_graph_in_memory():
    da = pytest.importorskip("dask.array")
    X, y = table(4, ties=True)
    given = pairs(y)
    lazy = da.from_array(X, chunks=(9, 2))
    for selector in (
        pairsift.LaplacianScore(2, n_neighbors=2),
        pairsift.ConstraintScore4(2),
    ):
        here = clone(selector).fit(X, constraints=given)
        there = distributed.fit(selector, lazy, constraints=given)
        assert_allclose(there.scores_, here.scores_, rtol=1e-10, atol=1e-13)
