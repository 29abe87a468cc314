"""Class labels of which some are missing."""

from typing import Any

import numpy as np

from pairsift._typing import BoolArray, IndexArray, ObjectArray
from pairsift._warnings import warn_caller

UNLABELLED = -1
# So few rows may well be one of each class.
MAX_SINGLES = 3
# What str() makes of labels that are missing.
WORDS_FOR_NONE = ("nan", "None", "<NA>", "NaT")
# The same of the number for "no label".
WORDS_FOR_UNLABELLED = (*WORDS_FOR_NONE, "-1", "-1.0")
# More numbers than these, and than a tenth of the rows, are hardly classes.
MAX_NUMBERS = 20


class PileNumbers(np.ndarray[Any, Any]):
    """Labels that pairsift has numbered itself, so that -1 is never a class."""

    def __array_wrap__(
        self, array: Any, context: Any = None, return_scalar: bool = False
    ) -> Any:
        # A result of arithmetic is no label any more.
        plain = np.asarray(array)
        return plain[()] if plain.ndim == 0 else plain

    def __repr__(self) -> str:
        return repr(np.asarray(self))


def encode_labels(
    y: Any, missing_label: Any = "auto"
) -> tuple[IndexArray, ObjectArray]:
    """Turn labels into class numbers, -1 where a row has no label.

    Parameters
    ----------
    y : array-like of shape (n_samples,)
        Class labels. A row without one holds None, NaN, pandas' NA, empty text or the
        missing label.
    missing_label : label, None or "auto", default="auto"
        Label that means "no label". None or NaN if every label is a class; "auto" is
        the number -1, never the text "-1".

    Returns
    -------
    codes : ndarray of shape (n_samples,), dtype=int64
        Position of each row's label in `classes`, -1 for unlabelled rows.
    classes : ndarray of shape (n_classes,)
        The distinct labels in sorted order.

    Raises
    ------
    ValueError
        If `y` is not one-dimensional, holds numbers that are no class labels, or mixes
        text with other labels.

    Examples
    --------
    >>> from pairsift.constraints import encode_labels
    >>> codes, classes = encode_labels(["b", None, "a", ""])
    >>> codes
    array([ 1, -1,  0, -1])
    >>> classes
    array(['a', 'b'], dtype=object)
    >>> encode_labels([1, -1, 1, 1], missing_label=None)[0]
    array([1, 0, 1, 1])
    """
    labels = np.asarray(as_label_array(y))
    if labels.ndim != 1:
        raise ValueError(
            "y must be one-dimensional with one label per row, got shape "
            f"{labels.shape}."
        )
    if labels.dtype.kind not in "iubf":
        labels = labels.astype(object)
    mark = UNLABELLED if _is_auto(missing_label) else missing_label
    is_labelled = ~(_is_empty(labels) | _holds(labels, mark))
    known = labels[is_labelled]
    if labels.dtype == object:
        _refuse_mixture(known)
        known = known[[isinstance(x, float | np.floating) for x in known]]
    if known.dtype.kind not in "iub":
        _refuse_continuous(known.astype(np.float64))
    codes = np.full(labels.size, UNLABELLED, dtype=np.int64)
    try:
        classes, codes[is_labelled] = np.unique(
            labels[is_labelled], return_inverse=True
        )
    except TypeError:
        text = np.array([str(label) for label in labels[is_labelled]], dtype=object)
        classes, codes[is_labelled] = np.unique(text, return_inverse=True)
    return codes, classes.astype(object)


def read_labels(y: Any, missing_label: Any = "auto") -> tuple[IndexArray, ObjectArray]:
    """Encode labels as a user hands them over, and warn of what looks wrong."""
    codes, classes = encode_labels(y, missing_label)
    if _is_ambiguous(y, missing_label) and (n_marked := count_marked(y, classes)):
        warn_caller(
            f"y holds -1 in {n_marked} of {codes.size} rows: they are taken as "
            "unlabelled; pass missing_label=None if -1 is a class, or missing_label=-1 "
            "to say that it is not.",
        )
    words = [c for c in classes if isinstance(c, str)]
    named = [word for word in words if word.strip() in WORDS_FOR_UNLABELLED]
    if named and _is_auto(missing_label):
        n_named = int((classes[codes[codes >= 0]] == named[0]).sum())
        warn_caller(
            f"y holds the text {named[0]!r} in {n_named} of {codes.size} rows, taken "
            f"as a class; pass missing_label={named[0]!r} if they have no label, or "
            "missing_label=None if all labels are classes.",
        )
    twins = _twins(classes)
    if twins:
        warn_caller(
            f"y holds {twins[0]!r} and {twins[1]!r}, which differ in case or spaces "
            "only: they are taken as two classes; write them alike if they are one.",
        )
    if classes.size == codes.size > MAX_SINGLES:
        warn_caller(
            f"each of the {codes.size} rows has a label of its own: these labels look "
            "like row ids or a number to predict, not like classes.",
        )
    elif _are_many_numbers(codes, classes):
        warn_caller(
            f"y holds {classes.size} different numbers in {(codes >= 0).sum()} "
            "labelled rows, each taken as a class: if y is a number to predict, take "
            "RReliefF."
        )
    return codes, classes


def _are_many_numbers(codes: IndexArray, classes: ObjectArray) -> bool:
    n_labelled = int((codes >= 0).sum())
    return classes.size > max(MAX_NUMBERS, n_labelled / 10) and not isinstance(
        classes[0], str
    )


def unlabelled_hint(y: Any, missing_label: Any = "auto") -> str:
    """Return the end of an error that may follow from reading -1 as "no label"."""
    if y is None or not _is_ambiguous(y, missing_label):
        return ""
    try:
        codes, classes = encode_labels(y)
    except ValueError:
        # Labels that are no classes have an error of their own.
        return ""
    is_marked = _holds(as_label_array(y), UNLABELLED)
    if not is_marked.any() or (classes.size > 1 and not count_marked(y, classes)):
        return ""
    left = {0: "no class", 1: "one class"}.get(classes.size, f"{classes.size} classes")
    return (
        f" -1 in {is_marked.sum()} of {codes.size} rows was read as 'no label', which "
        f"leaves {left}: if -1 is a class, pass missing_label=None, or code the "
        "classes as 0 and 1."
    )


def _is_ambiguous(y: Any, missing_label: Any) -> bool:
    """Whether -1 may be meant as a class."""
    return _is_auto(missing_label) and not isinstance(y, PileNumbers)


def _twins(classes: ObjectArray) -> tuple[str, str] | None:
    """Return the first two classes whose names differ in case or spaces only."""
    first: dict[str, str] = {}
    for name in (c for c in classes if isinstance(c, str)):
        other = first.setdefault("".join(name.split()).casefold(), name)
        if other != name:
            return other, name
    return None


def count_marked(y: Any, classes: ObjectArray) -> int:
    """Count the rows that hold -1 if that may be a class beside `classes`, else 0.

    Beside 1 alone it is one for sure; beside 0 and 1 it may mean unlabelled, above all
    where most rows hold it.
    """
    if not set(classes) <= {0, 1} or 1 not in classes:
        return 0
    is_marked = _holds(as_label_array(y), UNLABELLED)
    n_marked = int(is_marked.sum())
    return n_marked if classes.size == 1 or 2 * n_marked < is_marked.size else 0


def as_label_array(y: Any) -> Any:
    """Return labels as an array; NumPy would turn the NaN of a list into text."""
    if isinstance(y, list | tuple):
        return np.array(y, dtype=object)
    return y if isinstance(y, PileNumbers) else np.asarray(y)


def _is_auto(missing_label: Any) -> bool:
    return isinstance(missing_label, str) and missing_label == "auto"


def _is_empty(labels: Any) -> BoolArray:
    """Tell which labels are None, NaN, NA or empty text."""
    if labels.dtype.kind in "iub":
        return np.zeros(labels.size, dtype=bool)
    if labels.dtype.kind == "f":
        return np.isnan(labels)
    return np.array([_is_nothing(label) for label in labels], dtype=bool)


def _is_nothing(label: Any) -> bool:
    if label is None or type(label).__name__ in ("NAType", "NaTType"):
        return True
    return label.strip() == "" if isinstance(label, str) else bool(label != label)


def _holds(labels: Any, wanted: Any) -> BoolArray:
    """Tell which labels are a given one, of which numbers never equal text."""
    if labels.dtype.kind in "iubf" and isinstance(wanted, str | None):
        return np.zeros(labels.size, dtype=bool)
    if labels.dtype.kind in "iubf":
        return labels == wanted
    found = [not _is_nothing(x) and bool(x == wanted) for x in labels]
    return np.array(found, dtype=bool)


def _refuse_mixture(labels: Any) -> None:
    words = [label for label in labels if isinstance(label, str)]
    if 0 < len(words) < len(labels):
        other = next(label for label in labels if not isinstance(label, str))
        raise ValueError(
            f"y mixes text such as {words[0]!r} with other labels such as {other!r}: "
            "make all labels text, or all of them numbers."
        )


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
            f"{float(fractional[0])!r}): take RReliefF for a number to predict, or "
            "turn it into classes first."
        )
