"""The door of the Relief family: columns checked and described for the kernels."""

from numbers import Real
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pairsift import _kernels
from pairsift._blocks import Blocks
from pairsift._checks import check_choice
from pairsift._typing import MISSING_MODES, BoolArray, FloatArray, IndexArray
from pairsift.constraints import encode_labels

Ramp: TypeAlias = tuple[float, float] | None


def described_columns(
    X: FloatArray,
    is_categorical: BoolArray | None,
    missing: str,
    labels: IndexArray | None,
    ramp: Ramp = None,
) -> "_kernels.Columns":
    """Check what is known of the columns of X, and describe their differences."""
    mask = _checked_mask(X.shape[1], is_categorical, missing)
    if labels is not None:
        labels, _ = encode_labels(labels)
    with np.errstate(over="ignore"):
        columns = _kernels.describe_columns(X, mask, missing=missing, labels=labels)
    _check_spans(columns.span)
    return with_ramp(columns, ramp)


def with_ramp(columns: "_kernels.Columns", ramp: Any) -> "_kernels.Columns":
    """Let small differences of numbers count as 0, and large ones as 1."""
    if ramp is None:
        return columns
    is_pair = isinstance(ramp, tuple | list | np.ndarray) and len(ramp) == 2
    if not is_pair or not all(isinstance(end, Real) for end in ramp):
        raise ValueError(f"ramp must be two numbers (low, high) or None, got {ramp!r}.")
    low, high = float(ramp[0]), float(ramp[1])
    if not 0.0 <= low < high <= 1.0:
        raise ValueError(
            "ramp must be (low, high) with 0 <= low < high <= 1, shares of the range "
            f"of a feature, got {ramp!r}."
        )
    return columns.on_ramp(low, high)


class Described(NamedTuple):
    """The columns of data in blocks, and the group of each row, see `Columns`."""

    rules: "_kernels.ColumnRules"
    group: NDArray[np.int32]

    def columns_of(self, X: FloatArray, rows: IndexArray) -> "_kernels.Columns":
        """Return the columns of some rows X, given by their numbers."""
        return self.rules.of_rows(X, self.group[rows])


def described_blocks(
    blocks: Blocks,
    is_categorical: BoolArray | None,
    missing: str,
    labels: IndexArray | None,
    ramp: Ramp = None,
) -> Described:
    """Check and describe the columns of data in blocks; two passes if cells miss."""
    mask = _checked_mask(blocks.shape[1], is_categorical, missing)
    if labels is not None:
        labels, _ = encode_labels(labels)
    low, high, _ = blocks.extremes
    with np.errstate(over="ignore"):
        columns = with_ramp(_kernels.complete_columns(low, high, mask), ramp)
    _check_spans(columns.span)
    group = _kernels.missing_groups(len(blocks), missing, labels)
    if not blocks.has_missing:
        return Described(_kernels.ColumnRules(columns), group)
    values = blocks.reduce(_values_of_block, _join_values, mask) if mask.any() else {}
    coding = _kernels.coding_of(values, mask.size)
    counts = blocks.reduce(
        _counts_of_block,
        _add,
        columns,
        coding,
        int(group.max(initial=0)) + 1,
        by_row=group,
    )
    rules = _kernels.missing_rules(columns, coding, counts, missing, labels)
    return Described(rules, group)


def _checked_mask(
    n_features: int, is_categorical: BoolArray | None, missing: str
) -> BoolArray:
    check_choice(missing, "missing", MISSING_MODES)
    if is_categorical is None:
        is_categorical = np.zeros(n_features, dtype=bool)
    mask = np.asarray(is_categorical)
    if mask.dtype != bool or mask.shape != (n_features,):
        raise ValueError(
            f"is_categorical must be a mask of the {n_features} columns of X, got "
            f"{mask.dtype} values of shape {mask.shape}."
        )
    return mask


def _check_spans(span: FloatArray) -> None:
    if not np.isfinite(span).all():
        raise ValueError(
            f"column {np.flatnonzero(~np.isfinite(span))[0]} of X ranges over "
            "more than numbers can hold: scale it first."
        )


def _values_of_block(
    X: FloatArray, first_row: int, is_categorical: BoolArray
) -> dict[int, FloatArray]:
    return _kernels.known_values(X, is_categorical)


def _join_values(
    first: dict[int, FloatArray], second: dict[int, FloatArray]
) -> dict[int, FloatArray]:
    return {j: np.union1d(first[j], second[j]) for j in first}


def _counts_of_block(
    X: FloatArray,
    first_row: int,
    group: NDArray[np.int32],
    columns: "_kernels.Columns",
    coding: "_kernels.Coding",
    n_groups: int,
) -> FloatArray:
    return _kernels.count_cells(X, group, columns, coding, n_groups)


def _add(first: FloatArray, second: FloatArray) -> FloatArray:
    return first + second
