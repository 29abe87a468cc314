"""The tile engine against exact differences, pair by pair."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from pairsift._kernels.relief import _tiles
from pairsift._kernels.relief._cells import (
    add_pairs,
    as_cells,
    correct_pairs,
    exact_distance,
    fill_differences,
)
from pairsift._kernels.relief._columns import describe_columns
from pairsift._kernels.relief._tiles import Engine
from tests.reference.margins import Delta

N_ROWS, N_COLUMNS = 60, 70
TREATMENTS = ["probability", "ignore", "constant", "distinct"]
each_treatment = pytest.mark.parametrize("missing", TREATMENTS)
each_share = pytest.mark.parametrize("share_missing", [0.0, 0.05, 0.5])


@pytest.fixture
def small_blocks(monkeypatch):
    monkeypatch.setattr("pairsift._kernels.relief._encoded.BLOCK_ROWS", 16)


def mixed_rows(rng, missing, share_missing):
    X = rng.normal(size=(N_ROWS, N_COLUMNS))
    X[:, ::5] = rng.choice([-3.0, -0.1, 0.0, 4.0], size=X[:, ::5].shape)
    X[:, 7] = 1.0
    X[1] = X[0]
    X[rng.random(X.shape) < share_missing] = np.nan
    is_categorical = np.arange(N_COLUMNS) % 5 == 0
    labels = np.repeat([0, 1, 2], N_ROWS // 3)
    return X, describe_columns(X, is_categorical, missing, labels), labels


def exact_distances(X, columns, squared):
    cells, rows = as_cells(X, columns), range(len(X))
    distances = [[exact_distance(cells, a, b, squared) for b in rows] for a in rows]
    return np.array(distances)


@each_treatment
@pytest.mark.parametrize("squared", [False, True])
def test_exact_distances_agree_with_plain_loops(rng, missing, squared):
    X, columns, labels = mixed_rows(rng, missing, 0.2)
    delta = Delta(X, categorical=range(0, N_COLUMNS, 5), missing=missing, labels=labels)
    cells, deltas = as_cells(X, columns), np.empty(N_COLUMNS)
    for a, b in [(0, 1), (3, 59), (20, 21), (40, 5)]:
        expected = delta.distance(a, b, squared)
        assert_allclose(exact_distance(cells, a, b, squared), expected, rtol=1e-12)
        fill_differences(cells, a, b, False, deltas)
        terms = [delta(a, b, f) for f in range(N_COLUMNS)]
        varies = columns.scale > 0.0
        assert_allclose(deltas[varies], np.array(terms)[varies], atol=1e-14)


@pytest.mark.slow
@pytest.mark.usefixtures("small_blocks")
@each_treatment
@each_share
@pytest.mark.parametrize("squared", [False, True])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_errors_of_distances_stay_within_their_bound(
    rng, missing, share_missing, squared, dtype, monkeypatch
):
    X, columns, _ = mixed_rows(rng, missing, share_missing)
    exact = exact_distances(X, columns, squared)
    engine = Engine(X, columns, dtype, squared)
    rough = engine.all_distances(2)
    absolute, relative = engine.rounding
    off = np.abs(rough[:N_ROWS, :N_ROWS] - exact)
    # The distance of a row to itself is never asked for.
    np.fill_diagonal(off, 0.0)
    assert (off <= absolute + relative * exact).all()
    assert_array_equal(rough[:N_ROWS, N_ROWS:], np.inf)
    queries = np.array([3, 59, 20, 21, 0])
    strip = engine.new_strip(5)
    engine.distances(queries, strip)
    assert (np.abs(strip[:5, :N_ROWS] - rough[queries, :N_ROWS]) <= 2e-4).all()
    # Corrections of missing values, kept or not.
    monkeypatch.setattr("pairsift._kernels.relief._missing.MAX_CELLS", 0)
    again = Engine(X, columns, dtype, squared).all_distances(1)
    assert_array_equal(again, rough)


@pytest.mark.slow
@pytest.mark.usefixtures("small_blocks")
@each_treatment
@pytest.mark.parametrize("ramp", [(0.0, 0.3), (0.2, 0.21), (0.25, 1.0)], ids=str)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_ramps_stay_within_their_bound(rng, missing, ramp, dtype):
    X, columns, labels = mixed_rows(rng, missing, 0.05)
    # On a grid, many rows are as far apart as where a ramp starts or ends.
    X[:, 1::5] = np.round(X[:, 1::5], 1)
    is_categorical = np.arange(N_COLUMNS) % 5 == 0
    columns = describe_columns(X, is_categorical, missing, labels).on_ramp(*ramp)
    for squared in (False, True):
        exact = exact_distances(X, columns, squared)
        engine = Engine(X, columns, dtype, squared)
        off = np.abs(engine.all_distances(2)[:N_ROWS, :N_ROWS] - exact)
        np.fill_diagonal(off, 0.0)
        assert (off <= engine.rounding[0] + engine.rounding[1] * exact).all()
    weights = rng.random(N_COLUMNS) * (np.arange(N_COLUMNS) % 3 > 0)
    strip = Engine(X, columns, np.float64, weights=weights).strip_of(np.array([9]))
    deltas, engine = np.empty(N_COLUMNS), Engine(X, columns, np.float64)
    expected, sums = np.zeros(N_COLUMNS), np.zeros(N_COLUMNS)
    marks = engine.new_strip(1)
    marks[0, :N_ROWS] = rng.normal(size=N_ROWS)
    for b in range(N_ROWS):
        fill_differences(engine.cells, 9, b, False, deltas)
        expected += marks[0, b] * deltas
        if b != 9 and missing != "ignore":
            assert_allclose(strip[0, b], weights @ deltas, rtol=1e-10)
    if missing != "ignore":
        engine.add_differences(np.array([9]), marks, sums)
        assert_allclose(sums, expected, atol=1e-10)


@pytest.mark.slow
@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("missing", ["probability", "constant", "distinct"])
@each_share
def test_sums_of_differences_agree_with_pairs(rng, missing, share_missing):
    X, columns, _ = mixed_rows(rng, missing, share_missing)
    engine = Engine(X, columns, np.float64)
    W = rng.normal(size=(N_ROWS, N_ROWS))
    pairs = np.argwhere(W != 0.0)
    expected = np.zeros(N_COLUMNS)
    of_pairs = W[pairs[:, 0], pairs[:, 1]]
    add_pairs(engine.cells, pairs, of_pairs, False, None, expected)
    correct_pairs(engine.cells, pairs, of_pairs, False, expected)
    by_hand, deltas = np.zeros(N_COLUMNS), np.empty(N_COLUMNS)
    for a, b in pairs:
        fill_differences(engine.cells, a, b, False, deltas)
        by_hand += W[a, b] * deltas
    assert_allclose(expected, by_hand, atol=1e-10)
    sums = np.zeros(N_COLUMNS)
    for queries in np.array_split(rng.permutation(N_ROWS), 7):
        weights = engine.new_strip(queries.size)
        weights[: queries.size, :N_ROWS] = W[queries]
        engine.add_differences(queries, weights, sums)
    assert_allclose(sums, expected, atol=1e-10)
    # Each pair of blocks once.
    sums = np.zeros(N_COLUMNS)
    size = engine.n_blocks * engine.width
    weights = np.zeros((size, size))
    weights[:N_ROWS, :N_ROWS] = W
    for block in range(engine.n_blocks):
        engine.add_block_differences(block, weights, sums)
    assert_allclose(sums, expected, atol=1e-10)


def test_weights_of_lines_are_weights_of_columns(rng):
    X, columns, _ = mixed_rows(rng, "constant", 0.1)
    weights = rng.random(N_COLUMNS) * (np.arange(N_COLUMNS) % 3 > 0)
    engine = Engine(X, columns, np.float64, weights=weights)
    strip = engine.new_strip(1)
    engine.distances(np.array([9]), strip)
    deltas = np.empty(N_COLUMNS)
    for b in range(N_ROWS):
        fill_differences(engine.cells, 9, b, False, deltas)
        if b != 9:
            assert_allclose(strip[0, b], weights @ deltas, rtol=1e-12)


def test_too_many_distances_are_not_kept(rng, monkeypatch):
    X, columns, _ = mixed_rows(rng, "ignore", 0.0)
    engine = Engine(X, columns, np.float32)
    monkeypatch.setattr(_tiles, "MAX_DISTANCES", 4095)
    assert engine.all_distances() is None
    monkeypatch.setattr(_tiles, "MAX_DISTANCES", 4096)
    assert engine.all_distances().shape == (64, 64)


def test_categories_that_single_precision_merges_are_told_apart():
    values = np.array([1e9, 1e9 + 1, 1e9 + 2, 3.5])
    X = np.column_stack([values, values])
    columns = describe_columns(X, np.array([True, True]))
    D = Engine(X, columns, np.float32).all_distances()[:4, :4]
    assert_array_equal(D, 2.0 * (1.0 - np.eye(4)))
