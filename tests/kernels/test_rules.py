"""Rules that turn distances into weights, by hand."""

from itertools import pairwise

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from pairsift._kernels.relief._cells import as_cells, exact_distances
from pairsift._kernels.relief._columns import (
    ColumnRules,
    describe_columns,
    plain_columns,
)
from pairsift._kernels.relief._margins import lists_of
from pairsift._kernels.relief._mean_distances import mean_distances
from pairsift._kernels.relief._nearest import (
    Near,
    Nearest,
    as_groups,
    in_order,
    one_group,
    places_of,
)
from pairsift._kernels.relief._neighbors import Products, hits_of_lists
from pairsift._kernels.relief._radius import (
    MARKED,
    PRESENT,
    Radius,
    lists_of_marks,
    mark_sigmoid,
    mark_within,
    weigh_groups,
)
from pairsift._kernels.relief._tables import (
    _merge,
    empty_tables,
    fill_tables,
    nearest_tables,
)
from pairsift._kernels.relief._targets import (
    Search,
    Targets,
    join_near,
    join_nearest,
    near_in_block,
    nearest_in_block,
)
from pairsift._kernels.relief._tiles import Engine

# One column of range 10: distances of the first row are 0.1, 0.3, 0.3, 0.6 and 1.
LINE = np.array([[0.0], [1.0], [3.0], [3.0], [6.0], [10.0]])


def engine_of(X, dtype=np.float32):
    return Engine(X, describe_columns(X, np.zeros(X.shape[1], dtype=bool)), dtype)


def listed(X, k, *, share=True, groups=None, order=None):
    engine = engine_of(X)
    rule = Nearest(k, 1e-12, share, order)
    groups = one_group(len(X)) if groups is None else groups
    return lists_of(engine, rule, groups, np.array([0]))


def test_tied_rows_share_the_last_place():
    lists = listed(LINE, 2)
    assert_array_equal(lists.rows, [1, 2, 3])
    assert_array_equal(lists.places, [1.0, 0.5, 0.5])


@pytest.mark.parametrize(
    ("order", "row"), [([0, 1, 2, 3, 4, 5], 2), ([0, 1, 3, 2, 4, 5], 3)]
)
def test_the_first_in_order_takes_the_last_place(order, row):
    lists = listed(LINE, 2, share=False, order=np.array(order))
    assert_array_equal(lists.rows, [1, row])
    assert_array_equal(lists.places, [1.0, 1.0])


def test_fewer_rows_than_places_have_one_each():
    lists = listed(LINE, 9)
    assert_array_equal(lists.rows, [1, 2, 3, 4, 5])
    assert_array_equal(lists.places, 1.0)


def test_groups_are_classes_or_hits_and_misses():
    starts = np.array([0, 3, 5, 6])
    by_class = listed(LINE, 1, groups=as_groups(starts, np.ones((3, 3))))
    assert_array_equal(by_class.rows, [1, 3, 5])
    assert_array_equal(by_class.starts, [0, 1, 2, 3])
    pooled = listed(LINE, 1, groups=as_groups(starts, np.empty((0, 0))))
    assert_array_equal(pooled.rows, [1, 3])
    assert_array_equal(pooled.starts, [0, 1, 2])


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_radius_marks_near_and_far_rows_but_not_those_on_it(dtype):
    engine, queries = engine_of(LINE, dtype), np.array([0])
    strip, marks = engine.new_strip(1), engine.new_strip(1)
    engine.distances(queries, strip)
    # 0.3 is on the radius, wherever rounding puts it.
    rule = Radius(0.3, True, engine.rounding)
    mark_within(engine, rule, queries, strip, marks)
    assert_array_equal(marks[0, :6], [0, 1, 0, 0, -1, -1])
    groups = as_groups(np.array([0, 3, 6]), np.full((2, 2), 0.5))
    starts, rows, values = lists_of_marks(groups, queries, MARKED, marks)
    assert_array_equal(rows, [1, 4, 5])
    assert_array_equal(values, [1, -1, -1])
    assert_array_equal(starts, [0, 1, 1, 1, 3])
    weigh_groups(groups, queries, MARKED, marks)
    assert_allclose(marks[0, :6], [0, -1, 0, 0, -0.25, -0.25])


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_row_s_own_radius_is_its_mean_minus_half_a_deviation(dtype):
    engine, queries = engine_of(LINE, dtype), np.array([0])
    strip, marks = engine.new_strip(1), engine.new_strip(1)
    engine.distances(queries, strip)
    mark_within(engine, Radius(np.nan, True, engine.rounding), queries, strip, marks)
    # The distances have mean 0.46 and deviation 0.3137: from 0.303 to 0.617.
    assert_array_equal(marks[0, :6], [0, 1, 1, 1, 0, -1])


def test_sigmoid_counts_every_row():
    strip, marks = np.array([[0.0, 0.5, 1.5, np.inf]]), np.empty((1, 4))
    mark_sigmoid(1.0, 2.0, np.array([0]), strip, 4, marks)
    assert_allclose(marks[0], [0.0, np.tanh(0.5), np.tanh(-0.5), 0.0])


def test_tables_merge_in_any_order(rng):
    X = np.round(4 * rng.normal(size=(40, 3)))
    groups, n_places = as_groups(np.array([0, 15, 40]), np.ones((2, 2))), 9
    distances = np.abs(X[:, None] - X).sum(axis=2).astype(np.float32)
    whole = empty_tables(2, 40, n_places)
    fill_tables(np.arange(40), distances, 0, groups, whole)
    parts = []
    for rows in np.split(np.arange(40), 4):
        parts.append(empty_tables(2, 40, n_places))
        fill_tables(rows, distances[rows], 0, groups, parts[-1])
    for some in (parts, parts[::-1]):
        merged = empty_tables(2, 40, n_places)
        for part in some:
            _merge(merged, part)
        assert_array_equal(merged.distances, whole.distances)
        # The last place may have any of the rows that are tied there.
        is_sure = whole.distances < whole.distances[:, :, -1:]
        assert_array_equal(merged.rows[is_sure], whole.rows[is_sure])


def test_tables_hold_the_nearest_of_every_class(rng, monkeypatch):
    monkeypatch.setattr("pairsift._kernels.relief._encoded.BLOCK_ROWS", 16)
    X = rng.normal(size=(90, 4))
    groups = as_groups(np.array([0, 30, 30, 90]), np.ones((3, 3)))
    engine = engine_of(X)
    tables = nearest_tables(engine, groups, 3, 1)
    span = np.ptp(X, axis=0)
    for a in range(90):
        distances = (np.abs(X - X[a]) / span).sum(axis=1)
        distances[a] = np.inf
        for c, (start, stop) in enumerate([(0, 30), (30, 30), (30, 90)]):
            nearest = start + np.argsort(distances[start:stop])[:3]
            assert_array_equal(tables.rows[c, a, :3][: nearest.size], nearest)


def test_cells_list_missing_values_by_rows():
    X = np.array([[0.0, np.nan, 1.0], [1.0, 2.0, 3.0], [np.nan, 5.0, np.nan]])
    cells = as_cells(X, describe_columns(X, np.zeros(3, dtype=bool)))
    assert_array_equal(cells.starts, [0, 1, 1, 3])
    assert_array_equal(cells.missing, [1, 0, 2])


@pytest.mark.parametrize("missing", ["probability", "constant", "distinct"])
def test_mean_distances_need_no_pairs(rng, missing):
    X = rng.normal(size=(70, 12))
    X[:, ::3], X[:, 4], X[1] = np.round(X[:, ::3]), 2.0, X[0]
    X[rng.random(X.shape) < 0.2] = np.nan
    X[:, 5] = np.nan
    columns = describe_columns(X, np.arange(12) % 3 == 0, missing, np.arange(70) % 3)
    cells, everyone = as_cells(X, columns), np.arange(70)
    for a, mean in enumerate(mean_distances(X, columns, 2)):
        others = np.delete(everyone, a)
        exact = exact_distances(cells, np.full(69, a), others, False)
        assert_allclose(mean, exact.mean(), rtol=1e-13)


def test_exact_means_mark_the_rows_that_double_precision_marks(rng):
    # Sums of tenths: in single precision some distances meet the radius by rounding.
    X = rng.integers(0, 11, size=(120, 6)) / 10.0
    X[rng.random(X.shape) < 0.1] = np.nan
    columns, queries = describe_columns(X, np.zeros(6, dtype=bool)), np.arange(120)
    marks = []
    for dtype in (np.float64, np.float32):
        engine = Engine(X, columns, dtype)
        strip, some = engine.new_strip(120), engine.new_strip(120)
        engine.distances(queries, strip)
        rule = Radius(np.nan, True, engine.rounding)
        if dtype is np.float32:
            means = mean_distances(X, columns)
            rule = rule._replace(means=means, errors=engine.row_errors())
        mark_within(engine, rule, queries, strip, some)
        marks.append(some[:, :120])
    assert_array_equal(marks[0], marks[1])


def test_errors_of_rows_bound_their_root_mean_square(rng):
    X = rng.normal(size=(80, 40))
    X[rng.random(X.shape) < 0.05] = np.nan
    columns = describe_columns(X, np.zeros(40, dtype=bool))
    engine, exact = Engine(X, columns, np.float32), Engine(X, columns, np.float64)
    off = (engine.all_distances() - exact.all_distances())[:80, :80]
    np.fill_diagonal(off, 0.0)
    largest = exact.all_distances()[:80, :80].max()
    bound = engine.row_errors() + engine.rounding[1] * largest
    assert (np.sqrt((off**2).sum(axis=1) / 79) <= bound).all()
    # A row without missing values has a smaller bound than the worst pair of rows.
    assert engine.row_errors().min() < 0.8 * engine.rounding[0]


def test_lists_are_sorted_by_distance_and_tied_rows_by_number():
    # Two lists; a row that is surely nearest has distance -1.
    starts, rows = np.array([0, 4, 6]), np.array([9, 2, 7, 5, 3, 1])
    near = Near(starts, rows, np.array([0.5, 0.7, 0.5 * (1 + 1e-13), -1.0, 0.7, 0.7]))
    ordered, runs = in_order(near, 1e-12)
    assert_array_equal(ordered.rows, [5, 7, 9, 2, 1, 3])
    assert_array_equal(runs, [1, 2, 2, 3, 4, 4])
    places = places_of(near, Nearest(2, 1e-12, share=True))
    assert_array_equal(places, [0.5, 0.0, 0.5, 1.0, 1.0, 1.0])
    places = places_of(near, Nearest(2, 1e-12, share=False))
    assert_array_equal(places, [0.0, 0.0, 1.0, 1.0, 1.0, 1.0])


def test_near_hits_share_as_far_as_the_next_in_line():
    near = Near(np.array([0, 3, 4]), np.array([4, 2, 6, 8]), np.array([2.0, 1.0, 2, 3]))
    hits = hits_of_lists(near, Nearest(2, 1e-12, share=True))
    assert_array_equal(hits.rows, [2, 4, 6, 8])
    assert_array_equal(hits.n_sure, [1, 1])
    assert hits.n_neighbors == 1
    first = hits_of_lists(near, Nearest(3, 1e-12, share=False))
    assert_array_equal(first.n_sure, [2, 1])


@pytest.mark.parametrize("is_pooled", [False, True])
def test_lists_of_blocks_are_those_of_all_rows(rng, is_pooled):
    X = np.round(rng.normal(size=(90, 3)))
    classes, queries = rng.integers(0, 3, 90), np.array([3, 40, 88])
    columns = describe_columns(X, np.zeros(3, dtype=bool))
    rules, group = ColumnRules(columns), np.zeros(90, dtype=np.int32)
    marks = np.column_stack([classes, group])
    targets = Targets(queries, X[queries], group[queries])
    search = Search(targets, 4, False, rules, classes[queries], 3, is_pooled)

    def reduced(partial, join, by_row, *shared):
        edges = [0, 25, 26, 70, 90]
        parts = [partial(X[a:b], a, by_row[a:b], *shared) for a, b in pairwise(edges)]
        return join(join(parts[0], parts[1]), join(parts[2], parts[3]))

    whole = near_in_block(X, 0, marks, search).near
    found = reduced(near_in_block, join_near, marks, search).near
    for near in (whole, found):
        assert near.starts.size == 3 * (2 if is_pooled else 3) + 1
    assert_array_equal(found.starts, whole.starts)
    some, other = (in_order(near, 1e-12)[0] for near in (found, whole))
    assert_array_equal(some.rows, other.rows)
    assert_array_equal(some.distances, other.distances)
    shared = targets, rules, False, 4
    table = reduced(nearest_in_block, join_nearest, group, *shared)
    expected = nearest_in_block(X, 0, group, *shared)
    assert_array_equal(table.rows, expected.rows)
    assert_array_equal(table.distances, expected.distances)


@pytest.mark.parametrize("offset", [0.0, 30.0])
def test_errors_of_products_stay_within_their_bound(rng, offset):
    X = rng.normal(size=(60, 9))
    X[:20] += offset
    columns, queries = plain_columns(X), np.arange(60)
    space = Products(X, columns)
    exact = ((X[:, None] - X) ** 2).sum(axis=2)
    absolute, relative = space.rounding_of(queries).T[:, :, None]
    assert (
        np.abs(space.strip_of(queries) - exact) <= absolute + relative * exact
    ).all()


def test_shares_of_the_classes_that_are_present_add_up_to_one():
    groups = as_groups(np.array([0, 2, 4, 6]), np.tile([0.5, 0.2, 0.3], (3, 1)))
    marks = np.array([[0.0, 0.5, 0.0, 0.0, 0.2, 0.6], [0.0, 0.0, 1.0, 0.0, 0.0, 0.0]])
    assert weigh_groups(groups, np.array([0, 1]), PRESENT, marks) == 1
    assert_allclose(marks, [[0, -1, 0, 0, 0.25, 0.75], [0] * 6])
