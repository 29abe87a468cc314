"""Pairs spread over blocks as they spread in memory, on the k-nearest graph."""

import warnings
from unittest.mock import patch

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from numpy.testing import assert_allclose, assert_array_equal

from pairsift import PairConstraints, distributed, propagate
from tests.distributed.problems import EDGES, as_frame, pairs, source, table


def compare(constraints, X, blocks, **options):
    found, said = [], []
    for spread in (
        lambda: propagate(constraints, X, graph="knn", **options),
        lambda: distributed.propagate(constraints, blocks, **options),
    ):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            found.append(spread())
        said.append([str(warning.message) for warning in caught])
        assert all(warning.filename == __file__ for warning in caught)
    here, there = found
    assert said[0] == said[1]
    assert_array_equal(there.must_link, here.must_link)
    assert_array_equal(there.cannot_link, here.cannot_link)
    assert_allclose(there.must_confidence, here.must_confidence, rtol=1e-9)
    assert_allclose(there.cannot_confidence, here.cannot_confidence, rtol=1e-9)
    assert there.ids == here.ids
    return here


@given(edges=EDGES)
@settings(max_examples=3, deadline=None)
def test_any_cut_of_the_rows_spreads_the_pairs_of_memory(edges):
    X, y = table(len(edges))
    given = pairs(y)
    with patch("pairsift.graphs._in_blocks.TARGETS_AT_ONCE", 16):
        spread = compare(given, X, source(X, edges), n_neighbors=3)
        compare(given, X, source(X, edges), links="both", similarity="answered")
    assert spread.n_cannot_link > given.n_cannot_link


def test_text_and_missing_values_are_read_as_in_memory():
    X, y = table(1)
    X[np.random.default_rng(0).random(X.shape) < 0.1] = np.nan
    given = pairs(y)
    compare(given, X, source(X, [9, 9, 31]), n_neighbors=4)
    frame = as_frame(X)
    frame.loc[[3, 20], "word"] = None
    compare(given, frame, source(frame, [0, 14]), n_neighbors=4)
    whole = as_frame(table(2)[0]).assign(flag=np.arange(40) % 3 == 0)
    compare(given, whole, source(whole, [5]), n_neighbors=4)


def test_errors_are_those_in_memory():
    X, y = table(3)
    given = pairs(y)
    for bad, match in [
        (lambda f, rows: f(given, rows, alpha=2.0), "alpha must be above 0"),
        (lambda f, rows: f(given, rows, threshold="no"), "threshold must be"),
        (lambda f, rows: f(PairConstraints(n_samples=40), rows), "nothing to spread"),
        (lambda f, rows: f(rows, given), "takes the pairs first"),
    ]:
        for function, rows in ((propagate, X), (distributed.propagate, source(X, [9]))):
            with pytest.raises(ValueError, match=match):
                bad(function, rows)
    with pytest.raises(TypeError, match="X is a ndarray"):
        distributed.propagate(given, X)
    nothing = pd.DataFrame(np.full((40, 2), np.nan), columns=["a", "b"])
    with pytest.raises(ValueError, match="missing values only"):
        distributed.propagate(given, source(nothing, [9]))


def test_confidences_that_do_not_fit_are_refused():
    X, y = table(4)
    with (
        patch("pairsift._checks.LITTLE_MEMORY", 1e4),
        patch("pairsift._checks.available_memory", lambda: 0.0),
        pytest.raises(
            ValueError, match="confidences of 40 rows beside .* GB of memory"
        ),
    ):
        distributed.propagate(pairs(y), source(X, [9]), n_neighbors=1)


@pytest.mark.dask
def test_dask_collections_spread_pairs():
    da = pytest.importorskip("dask.array")
    X, y = table(5)
    X[::7, 1] = np.nan
    spread = compare(pairs(y), X, da.from_array(X, chunks=(7, 3)), n_neighbors=3)
    assert spread.n_cannot_link > pairs(y).n_cannot_link
