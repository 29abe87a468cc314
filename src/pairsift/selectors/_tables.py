"""Data as users hold it, turned into numbers and a mask of categorical columns."""

import warnings
from collections.abc import Iterable
from decimal import Decimal
from numbers import Real
from typing import Any, NamedTuple

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_array, validate_data

from pairsift._checks import refuse_path
from pairsift._typing import BoolArray, FloatArray
from pairsift.selectors._odd_cells import find_odd_cells

IMPUTER = "sklearn.impute.SimpleImputer or KNNImputer"
ENCODER = "sklearn.preprocessing.OrdinalEncoder or OneHotEncoder"


class Table(NamedTuple):
    """A validated data matrix."""

    X: FloatArray
    is_categorical: BoolArray


def as_table(
    selector: BaseEstimator, X: Any, *, min_samples: int = 2, reset: bool = True
) -> Table:
    """Validate `X` for a selector, and record its feature names or compare them.

    reset : False for the next rows of data seen before.
    """
    name = type(selector).__name__
    refuse_path(X)
    if type(X).__module__.partition(".")[0] in ("dask", "dask_expr"):
        raise TypeError(
            f"X is a Dask collection, {name} takes data in memory: call X.compute()."
        )
    checks = {
        "dtype": [np.float64, np.float32],
        # NumPy sums other orders of memory in another order of terms.
        "order": "C",
        "ensure_min_samples": min_samples,
        "ensure_all_finite": "allow-nan",
    }
    wanted = getattr(selector, "categorical_features", None)
    encoded, is_text = _encode_text(X, with_booleans=selector._accepts_categorical)
    if encoded is not None:
        if not selector._accepts_categorical or not _is_auto(wanted):
            _refuse_unmarked_text(selector, X, is_text, wanted)
        else:
            _warn_of_odd_cells(X, is_text)
        validate_data(selector, X, skip_check_array=True, reset=reset)
        data = check_array(encoded, input_name="X", estimator=selector, **checks)
    else:
        data = _validate_numbers(selector, X, checks | {"reset": reset})
    if not selector._accepts_missing and np.isnan(data.sum()) and np.isnan(data).any():
        raise ValueError(
            f"Input X contains NaN: {name} needs complete data, put an imputer "
            f"({IMPUTER}) before it in a pipeline."
        )
    names = getattr(selector, "feature_names_in_", None)
    mask = is_text if _is_auto(wanted) else _as_mask(wanted, names, data.shape[1])
    if mask.size != data.shape[1]:
        mask = np.zeros(data.shape[1], dtype=bool)
    return Table(data, mask)


def mixed_table(X: Any) -> Table:
    """Return any table as numbers: text by category numbers, NaN for missing values."""
    encoded, is_text = _encode_text(X, with_booleans=False)
    _warn_of_odd_cells(X, is_text)
    data = check_array(
        X if encoded is None else encoded,
        dtype=np.float64,
        ensure_all_finite="allow-nan",
        input_name="X",
    )
    return Table(data, is_text if is_text.size else np.zeros(data.shape[1], dtype=bool))


def _is_auto(wanted: Any) -> bool:
    return isinstance(wanted, str) and wanted == "auto"


def _validate_numbers(
    selector: BaseEstimator, X: Any, checks: dict[str, Any]
) -> FloatArray:
    try:
        return validate_data(selector, X, **checks)
    except ValueError as error:
        if "could not convert string" not in str(error):
            raise
        raise ValueError(
            f"X holds text ({error}): {type(selector).__name__} takes numbers here; "
            f"encode the column first ({ENCODER}), or pass a data frame."
        ) from None


def _encode_text(X: Any, with_booleans: bool) -> tuple[FloatArray | None, BoolArray]:
    """Replace the categorical columns of a data frame by category numbers.

    Returns None and a mask without any when there are none, or no data frame.
    """
    if type(X).__name__ == "LazyFrame":
        raise TypeError("X is a lazy data frame: call X.collect().")
    if isinstance(X, np.ndarray) or not hasattr(X, "columns"):
        return None, np.zeros(0, dtype=bool)
    # Loaded with scikit-learn's newer versions anyway, but only needed here.
    import narwhals as nw

    names = [str(name) for name in X.columns]
    if not names:
        raise ValueError("X is a data frame of 0 columns: there is no feature to rank.")
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"X has more than one column named {twice!r}: rename one.")
    frame = nw.from_native(X, eager_only=True, pass_through=True)
    if not isinstance(frame, nw.DataFrame):
        return None, np.zeros(0, dtype=bool)
    kinds = [nw.String, nw.Categorical, nw.Enum, nw.Object]
    dtypes = frame.schema.values()
    is_text = np.array([dtype in kinds for dtype in dtypes])
    is_boolean = np.array([dtype == nw.Boolean for dtype in dtypes])
    is_number = np.array([dtype.is_numeric() for dtype in dtypes])
    other = np.flatnonzero(~(is_text | is_boolean | is_number))
    if other.size:
        raise ValueError(
            f"X has a column {names[other[0]]!r} of type {list(dtypes)[other[0]]}: "
            "turn it into numbers or text."
        )
    encoded = np.empty(frame.shape)
    is_encoded = np.zeros(is_text.size, dtype=bool)
    for j in np.flatnonzero([dtype == nw.Object for dtype in dtypes]).tolist():
        numbers = _as_numbers(frame[:, j].to_numpy())
        if numbers is not None:
            encoded[:, j], is_encoded[j], is_text[j] = numbers, True, False
    if with_booleans:
        is_text |= is_boolean
    if not is_text.any() and not is_encoded.any():
        return None, is_text
    is_plain = ~is_text & ~is_encoded
    if is_plain.any():
        numbers = frame[:, np.flatnonzero(is_plain).tolist()].to_native()
        encoded[:, is_plain] = check_array(
            numbers, dtype=np.float64, ensure_all_finite=False, ensure_min_samples=0
        )
    for j in np.flatnonzero(is_text).tolist():
        try:
            encoded[:, j] = _category_numbers(frame[:, j].to_numpy())
        except TypeError:
            raise ValueError(
                f"X has a column {names[j]!r} that holds neither numbers nor text."
            ) from None
    return encoded, is_text


def _as_numbers(column: Iterable[Any]) -> FloatArray | None:
    """Return a column of objects as numbers, None if some are none or all missing."""
    cells = [np.nan if _is_missing(value) else value for value in column]
    are_numbers = all(
        isinstance(cell, Real | Decimal) and not isinstance(cell, bool)
        for cell in cells
    )
    if not are_numbers:
        return None
    numbers = np.array([float(cell) for cell in cells])
    return None if np.isnan(numbers).all() else numbers


def _warn_of_odd_cells(X: Any, is_text: BoolArray) -> None:
    """Warn of text columns that look like numbers with a few odd cells."""
    for j in np.flatnonzero(is_text).tolist():
        odd = find_odd_cells(_column(X, j))
        if odd is not None:
            warnings.warn(
                f"{odd.told(str(list(X.columns)[j]))}: the column is taken as "
                "categorical; if it holds numbers, turn these cells into numbers or "
                "NaN, if not, make it a category column.",
                stacklevel=4,
            )


def _column(X: Any, j: int) -> Iterable[Any]:
    """Return the cells of a column that was not declared to be categorical."""
    import narwhals as nw

    column = nw.from_native(X, eager_only=True)[:, j]
    is_loose = column.dtype in (nw.String, nw.Object)
    return column.to_numpy() if is_loose else ()


def _category_numbers(column: Iterable[Any]) -> FloatArray:
    """Count the values in order of appearance; None, NaN and NA are missing."""
    numbers: dict[Any, int] = {}
    return np.array(
        [
            np.nan if _is_missing(value) else numbers.setdefault(value, len(numbers))
            for value in column
        ],
        dtype=np.float64,
    )


def _is_missing(value: Any) -> bool:
    return value is None or type(value).__name__ == "NAType" or value != value


def _refuse_unmarked_text(
    selector: BaseEstimator, X: Any, is_text: BoolArray, wanted: Any
) -> None:
    if not is_text.any():
        return
    name = type(selector).__name__
    first = int(np.flatnonzero(is_text)[0])
    column = list(X.columns)[first]
    if not selector._accepts_categorical:
        odd = find_odd_cells(_column(X, first))
        if odd is not None:
            raise ValueError(
                f"{odd.told(str(column))}: {name} takes numbers only, turn these cells "
                "into numbers or NaN."
            )
        raise ValueError(
            f"X has a categorical column, {column!r}: {name} takes numbers only, put "
            f"an encoder ({ENCODER}) before it in a pipeline."
        )
    marked = _as_mask(wanted, np.asarray(X.columns, dtype=object), is_text.size)
    if not marked[is_text].all():
        column = list(X.columns)[int(np.flatnonzero(is_text & ~marked)[0])]
        raise ValueError(
            f"X has a categorical column, {column!r}, that categorical_features does "
            "not name: add it, or pass categorical_features='auto'."
        )


def _as_mask(wanted: Any, names: Any, n_features: int) -> BoolArray:
    """Read categorical_features given as a mask, as indices or as names."""
    mask = np.zeros(n_features, dtype=bool)
    if wanted is None:
        return mask
    given = np.asarray(wanted)
    if given.dtype == bool:
        if given.shape != (n_features,):
            raise ValueError(
                f"categorical_features is a mask of shape {given.shape}, X has "
                f"{n_features} features."
            )
        return given
    if given.dtype.kind in "iu" or given.size == 0:
        if given.size and (given.min() < -n_features or given.max() >= n_features):
            raise ValueError(
                f"categorical_features holds {given.tolist()}, X has {n_features} "
                "features."
            )
        mask[given.astype(np.int64)] = True
        return mask
    position = {name: j for j, name in enumerate(() if names is None else names)}
    for name in given.ravel().tolist():
        if name not in position:
            raise ValueError(
                f"categorical_features names {name!r}, which is no feature of X."
            )
        mask[position[name]] = True
    return mask
