"""The door of the Relief family: columns checked and described for the kernels."""

import numpy as np

from pairsift import _kernels
from pairsift._checks import check_choice
from pairsift._typing import BoolArray, FloatArray, IndexArray
from pairsift.constraints import encode_labels

MISSING = ("probability", "ignore", "constant", "distinct")


def described_columns(
    X: FloatArray,
    is_categorical: BoolArray | None,
    missing: str,
    labels: IndexArray | None,
) -> "_kernels.Columns":
    """Check what is known of the columns of X, and describe their differences."""
    check_choice(missing, "missing", MISSING)
    if is_categorical is None:
        is_categorical = np.zeros(X.shape[1], dtype=bool)
    mask = np.asarray(is_categorical)
    if mask.dtype != bool or mask.shape != (X.shape[1],):
        raise ValueError(
            f"is_categorical must be a mask of the {X.shape[1]} columns of X, got "
            f"{mask.dtype} values of shape {mask.shape}."
        )
    if labels is not None:
        labels, _ = encode_labels(labels)
    with np.errstate(over="ignore"):
        columns = _kernels.describe_columns(X, mask, missing=missing, labels=labels)
    if not np.isfinite(columns.span).all():
        raise ValueError(
            f"column {np.flatnonzero(~np.isfinite(columns.span))[0]} of X ranges over "
            "more than numbers can hold: scale it first."
        )
    return columns
