"""Relief and ReliefF on more labelled rows than are gathered: targets travel."""

from typing import Any, NamedTuple

import numpy as np

from pairsift import _kernels
from pairsift._blocks import Blocks, OneBlock, SomeRows
from pairsift._checks import check_at_least
from pairsift._random import as_generator
from pairsift._typing import BoolArray, FloatArray, IndexArray, RandomState
from pairsift.constraints import encode_labels
from pairsift.scores._described_columns import Described, Ramp, described_blocks
from pairsift.scores._in_blocks import as_blocks

# Labelled rows of data in blocks are gathered up to this many bytes.
FEW_BYTES = 2.5e8
# Rows whose neighbours are looked for in one pass.
MAX_TARGETS = 4096


class NeighborRule(NamedTuple):
    """Whose differences make a margin: the nearest rows of each class, or all misses.

    squared : squared differences, in the distances too; share : whether rows tied at
    the last place share what places are left.
    """

    n_neighbors: int
    squared: bool
    share: bool
    is_pooled: bool


def is_large(X: Any, labels: Any) -> bool:
    """Whether there are too many labelled rows to gather; never of data in memory."""
    if not isinstance(X, Blocks) or isinstance(X, OneBlock):
        return False
    codes, _ = encode_labels(labels)
    return bool(8.0 * (codes >= 0).sum() * X.shape[1] > FEW_BYTES)


def checked_classes(labels: Any, n_rows: int) -> IndexArray:
    """Return class numbers of the rows, at least two, -1 for none."""
    codes, classes = encode_labels(labels)
    if codes.shape != (n_rows,) or classes.size < 2:
        raise ValueError(
            f"labels must hold a class number for each of the {n_rows} rows of X, of "
            f"at least two classes beside -1, which means no label, got {labels!r}."
        )
    return codes


def drawn_rows(n_rows: int, max_samples: int, random_state: RandomState) -> IndexArray:
    """Draw the rows whose margins are taken."""
    check_at_least(max_samples, "max_samples", 1)
    n_drawn = min(max_samples, n_rows)
    return as_generator(random_state).choice(n_rows, n_drawn, replace=False)


def miss_weights_of(sizes: IndexArray) -> FloatArray:
    """P(c) / (1 - P(y)), shape (n_classes, n_classes), for class y and miss c."""
    priors = sizes / sizes.sum()
    return priors / (1.0 - priors[:, None])


def block_margins(
    X: Any,
    labels: Any,
    is_categorical: BoolArray | None,
    missing: str,
    draw: tuple[int | None, RandomState],
    rule: NeighborRule,
    ramp: Ramp = None,
) -> FloatArray:
    """Return the mean margins of the targets, (d,), as `relief_sums` gives them.

    Two passes over the data for every MAX_TARGETS targets: one that finds the
    neighbours, and one that gathers them.
    """
    blocks = as_blocks(X, allow_nan=True)
    codes = checked_classes(labels, len(blocks))
    rows = SomeRows(blocks, np.flatnonzero(codes >= 0))
    codes = codes[codes >= 0]
    described = described_blocks(rows, is_categorical, missing, codes, ramp)
    rule = rule._replace(n_neighbors=min(rule.n_neighbors, len(rows)))
    targets = np.arange(len(rows))
    if draw[0] is not None:
        targets = np.sort(drawn_rows(len(rows), draw[0], draw[1]))
    sums, n_known = np.zeros(rows.shape[1]), np.zeros(rows.shape[1])
    for first in range(0, targets.size, MAX_TARGETS):
        some = targets[first : first + MAX_TARGETS]
        more = _sums_of_targets(rows, codes, described, some, rule)
        sums, n_known = sums + more[0], n_known + more[1]
    return sums / np.maximum(n_known, 1.0)


def _sums_of_targets(
    rows: Blocks,
    codes: IndexArray,
    described: Described,
    targets: IndexArray,
    rule: NeighborRule,
) -> tuple[FloatArray, FloatArray]:
    """Sum the margins of some rows, and count those that are known."""
    sizes = np.bincount(codes)
    search = _kernels.Search(
        _kernels.Targets(targets, rows.rows(targets), described.group[targets]),
        rule.n_neighbors,
        rule.squared,
        described.rules,
        codes[targets],
        sizes.size,
        rule.is_pooled,
    )
    marks = np.column_stack([codes, described.group])
    found = rows.reduce(
        _kernels.near_in_block, _kernels.join_near, search, by_row=marks
    )
    lists = _kernels.lists_of_found(found, rule.share)
    near = np.union1d(targets, lists.rows)
    order = np.argsort(codes[near], kind="stable")
    place = np.argsort(order)
    X = rows.rows(near[order])
    class_starts = np.searchsorted(codes[near[order]], np.arange(sizes.size + 1))
    weights = np.empty((0, 0)) if rule.is_pooled else miss_weights_of(sizes)
    return _kernels.sums_of_lists(
        X,
        described.columns_of(X, near[order]),
        _kernels.as_groups(class_starts, weights, sizes),
        place[np.searchsorted(near, targets)],
        lists._replace(rows=place[np.searchsorted(near, lists.rows)]),
        rule.squared,
    )
