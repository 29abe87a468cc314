"""Class labels of which some are missing."""

import warnings
from typing import Any

import numpy as np

from pairsift._typing import IndexArray, ObjectArray

UNLABELLED = -1


def encode_labels(y: Any) -> tuple[IndexArray, ObjectArray]:
    """Turn labels into class numbers, -1 where a row has no label.

    Parameters
    ----------
    y : array-like of shape (n_samples,)
        Class labels. A row is unlabelled when its label is -1 (a number, never the
        text "-1"), None, NaN, pandas' NA or empty text.

    Returns
    -------
    codes : ndarray of shape (n_samples,), dtype=int64
        Position of each row's label in `classes`, -1 for unlabelled rows.
    classes : ndarray of shape (n_classes,)
        The distinct labels in sorted order.

    Raises
    ------
    ValueError
        If `y` is not one-dimensional or holds numbers that are no class labels.

    Examples
    --------
    >>> from pairsift.constraints import encode_labels
    >>> codes, classes = encode_labels(["b", None, "a", ""])
    >>> codes
    array([ 1, -1,  0, -1])
    >>> classes
    array(['a', 'b'], dtype=object)
    """
    labels = as_label_array(y)
    if labels.ndim != 1:
        raise ValueError(
            f"y must be one-dimensional with one label a row, got shape {labels.shape}."
        )
    if labels.dtype.kind in "iub":
        is_labelled = labels != UNLABELLED
    elif labels.dtype.kind == "f":
        is_labelled = ~np.isnan(labels) & (labels != UNLABELLED)
        _refuse_continuous(labels[is_labelled])
    else:
        labels = labels.astype(object)
        is_labelled = np.array([_is_label(label) for label in labels], dtype=bool)
        numbers = [x for x in labels[is_labelled] if isinstance(x, float | np.floating)]
        _refuse_continuous(np.array(numbers, dtype=np.float64))
    codes = np.full(labels.size, UNLABELLED, dtype=np.int64)
    try:
        classes, codes[is_labelled] = np.unique(
            labels[is_labelled], return_inverse=True
        )
    except TypeError:
        text = np.array([str(label) for label in labels[is_labelled]], dtype=object)
        classes, codes[is_labelled] = np.unique(text, return_inverse=True)
    if classes.size == 1 and classes[0] == 1 and (labels == UNLABELLED).any():
        warnings.warn(
            "-1 means unlabelled, so y has the single class 1; if -1 is a class of "
            "its own, re-encode it (for example as 0).",
            UserWarning,
            stacklevel=3,
        )
    return codes, classes.astype(object)


def as_label_array(y: Any) -> Any:
    """Return labels as an array; NumPy would turn the NaN of a list into text."""
    if isinstance(y, list | tuple):
        return np.array(y, dtype=object)
    return np.asarray(y)


def _is_label(label: Any) -> bool:
    if label is None or type(label).__name__ in ("NAType", "NaTType"):
        return False
    if isinstance(label, str):
        return label.strip() != ""
    return bool(label == label and label != UNLABELLED)


def is_continuous(y: Any) -> bool:
    """Tell whether y is a target for regression, not class labels."""
    target = np.asarray(y)
    return target.dtype.kind == "f" and bool(_fractional(target).size)


def _fractional(labels: Any) -> Any:
    known = labels[~np.isnan(labels)]
    return known[(known != np.floor(known)) | np.isinf(known)]


def _refuse_continuous(labels: Any) -> None:
    fractional = _fractional(labels)
    if fractional.size:
        raise ValueError(
            f"y must hold class labels, got a continuous target (for example "
            f"{float(fractional[0])!r}): turn it into classes first."
        )
