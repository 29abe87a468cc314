"""Margins to all rows within, and beyond, a radius: the SURF family."""

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

import numpy as np

from pairsift._kernels._jit import kernel, number_of_blocks, on_threads, sum_of_blocks
from pairsift._kernels.relief._cells import share_of_ties
from pairsift._kernels.relief._columns import Columns, ignores_missing
from pairsift._kernels.relief._margins import add_marked
from pairsift._kernels.relief._mean_distances import mean_distances
from pairsift._kernels.relief._nearest import Groups, as_groups
from pairsift._kernels.relief._radius import (
    EVERYONE,
    MARKED,
    Radius,
    mark_sigmoid,
    mark_within,
    row_moments,
    weigh_groups,
)
from pairsift._kernels.relief._tiles import Engine
from pairsift._typing import FloatArray, IndexArray

# Fills in weights from the distances of some rows, see `_radius`.
Mark: TypeAlias = Callable[[IndexArray, FloatArray, FloatArray], None]
# Up to this many differences, scores are computed in double precision throughout. Above
# it, differences are weighted and added in single precision within a block of rows, and
# in double precision between blocks: scores are within about 1e-6.
DOUBLE_CELLS = 30_000_000
# What decides: one radius for all rows, one of each row, or a sigmoid of the distance.
SAME_RADIUS, OWN_RADIUS, SIGMOID = range(3)


class Surf(NamedTuple):
    """Which rows count, and how much.

    kind : SAME_RADIUS, near is closer than `center`; OWN_RADIUS, closer than the mean
    distance of the row minus half a standard deviation; SIGMOID, every row counts
    tanh(2 (center - distance) / width); with_far : subtract the same over rows farther
    than the radius (OWN_RADIUS: than the mean plus half a standard deviation).
    """

    kind: int
    center: float = 0.0
    width: float = 0.0
    with_far: bool = False


def surf_sums(
    X: FloatArray,
    class_starts: IndexArray,
    targets: IndexArray,
    miss_weights: FloatArray,
    rule: Surf,
    columns: Columns,
    n_jobs: int | None = -1,
    parts: tuple[int, int] | None = None,
) -> tuple[FloatArray, FloatArray]:
    """Σ_x Σ_c w_c mean Δ_f(x, near misses of c) - mean Δ_f(x, near hits), over targets.

    X : (n, d), sorted by classes; class_starts : (n_classes + 1,) where each begins;
    targets : rows of X; miss_weights : (n_classes, n_classes), w of the class of x and
    of c, or (0, 0) to take the misses of all classes together; parts : first and last
    of the `number_of_blocks` parts of the targets, None for all. Returns sums (p, d)
    over the targets of each part whose differences are not all ignored, and the numbers
    of those (p, d); small data may be one part.
    """
    # A sigmoid of distances magnifies their errors, the mean of what is known as well.
    is_rough = targets.size * X.size > DOUBLE_CELLS
    is_rough &= rule.kind != SIGMOID and not ignores_missing(columns)
    engine = Engine(X, columns, np.float32 if is_rough else np.float64)
    groups = as_groups(class_starts, miss_weights)
    center = np.nan if rule.kind == OWN_RADIUS else rule.center
    radius = Radius(center, rule.with_far, engine.rounding)

    def mark(queries: IndexArray, strip: FloatArray, marks: FloatArray) -> None:
        if rule.kind == SIGMOID:
            mark_sigmoid(rule.center, rule.width, queries, strip, len(X), marks)
        else:
            mark_within(engine, radius, queries, strip, marks)

    over, known = EVERYONE if rule.kind == SIGMOID else MARKED, None
    if parts is None and targets.size == len(X) and not engine.is_ignored:
        known = engine.all_distances(n_jobs)
    # Sums over sorted columns know no ramp.
    is_summed = is_rough and rule.kind == OWN_RADIUS and not columns.has_ramp
    if known is None and is_summed:
        # A better bound of the radius, for fewer rows that need double precision.
        means = mean_distances(X, columns, n_jobs)
        radius = radius._replace(means=means, errors=engine.row_errors())
    if known is None:
        return _by_strips(engine, groups, targets, mark, over, n_jobs, parts)
    return _at_once(engine, groups, known, mark, over, n_jobs)


def _by_strips(
    engine: Engine,
    groups: Groups,
    targets: IndexArray,
    mark: Mark,
    over: int,
    n_jobs: int | None,
    parts: tuple[int, int] | None,
) -> tuple[FloatArray, FloatArray]:
    """Sum margins, a strip of distances after the other."""
    n_samples, n_features = engine.cells.X.shape
    n_blocks = number_of_blocks(targets.size)
    start, stop = (0, n_blocks) if parts is None else parts
    sums, n_known = np.zeros((2, stop - start, n_features))

    def add(first: int, last: int) -> None:
        room = engine.new_strip(), engine.new_strip()
        for part in range(first, last):
            for queries in engine.strips(targets, start + part, n_blocks):
                strip, weights = (engine.part_of(some, queries.size) for some in room)
                engine.distances(queries, strip)
                mark(queries, strip, weights)
                add_marked(
                    engine, groups, queries, over, weights, sums[part], n_known[part]
                )

    n_targets = targets.size * (stop - start) / max(n_blocks, 1)
    cost = 0.2 * n_targets * n_samples * n_features
    on_threads(n_jobs, stop - start, add, cost=cost)
    return sums, n_known


def _at_once(
    engine: Engine,
    groups: Groups,
    known: FloatArray,
    mark: Mark,
    over: int,
    n_jobs: int | None,
) -> tuple[FloatArray, FloatArray]:
    """Sum margins, given all distances; each pair of rows is visited once."""
    n_samples, n_features = engine.cells.X.shape
    weights = np.zeros(known.shape, dtype=known.dtype)

    def weigh(first: int, last: int) -> None:
        queries, some = np.arange(first, last), slice(first, last)
        mark(queries, known[some], weights[some])
        weigh_groups(groups, queries, over, weights[some])

    def add(first: int, last: int, sums: FloatArray) -> None:
        for block in range(first, last):
            engine.add_block_differences(block, weights, sums[block])

    on_threads(n_jobs, n_samples, weigh, cost=5.0 * n_samples**2)
    cost = 0.1 * n_samples * n_samples * n_features
    sums = sum_of_blocks(n_jobs, n_features, add, engine.n_blocks, cost=cost)
    return sums[None], np.full((1, n_features), float(n_samples))


def distance_moments(
    X: FloatArray, columns: Columns, n_jobs: int | None = -1
) -> tuple[float, float]:
    """Mean and standard deviation of the distances between different rows.

    The deviation of distances that agree up to rounding is 0.
    """
    everyone, n_blocks = np.arange(len(X)), number_of_blocks(len(X))
    engine, moments = Engine(X, columns, np.float64), np.zeros((len(X), 3))

    def fill(first: int, last: int) -> None:
        for block in range(first, last):
            for queries in engine.strips(everyone, block, n_blocks):
                _fill_moments(engine.strip_of(queries), queries, moments)

    on_threads(n_jobs, n_blocks, fill, cost=0.2 * len(X) * X.size)
    numbers, means, squares = moments.T
    n = max(numbers.sum(), 1.0)
    mean = float(numbers @ means / n)
    square = squares.sum() + numbers @ (means - mean) ** 2
    deviation = float(np.sqrt(square / n))
    return mean, deviation if deviation > share_of_ties(X.shape[1]) * mean else 0.0


@kernel()
def _fill_moments(strip, queries, moments):
    for q in range(queries.size):
        strip[q, queries[q]] = np.inf
        moments[queries[q]] = row_moments(strip[q])
