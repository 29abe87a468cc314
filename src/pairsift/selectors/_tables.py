"""Data as users hold it, turned into numbers and a mask of categorical columns."""

from collections.abc import Collection, Iterable, Mapping
from typing import Any, NamedTuple, cast

import numpy as np
from scipy.sparse import issparse
from sklearn.base import BaseEstimator
from sklearn.utils import get_tags
from sklearn.utils.validation import check_array, validate_data

from pairsift._blocks import Blocks, SparseRows
from pairsift._checks import (
    MAX_COUNTED,
    check_summable,
    refuse_masked,
    refuse_path,
    warn_of_rounded,
)
from pairsift._sklearn_compat import output_of
from pairsift._typing import BoolArray, FloatArray
from pairsift._warnings import warn_caller
from pairsift._words import listing
from pairsift.selectors._odd_cells import (
    FIRST_DATE,
    LAST_DATE,
    Values,
    find_date,
    find_date_number,
    is_missing,
    kind_of,
    odd_among,
    values_of,
)

IMPUTER = "sklearn.impute.SimpleImputer or KNNImputer"
# The lower median is a value of the column, which columns of integers need.
FILL_FRAME = (
    'X = X.fillna(X.quantile(numeric_only=True, interpolation="lower"))'
    ".fillna(X.mode().iloc[0])"
)
FILL_ARRAY = "X = numpy.where(numpy.isnan(X), numpy.nanmedian(X, axis=0), X)"
ENCODER = "sklearn.preprocessing.OrdinalEncoder or OneHotEncoder"


CHECKS: dict[str, Any] = {
    "dtype": [np.float64, np.float32],
    # NumPy sums other orders of memory in another order of terms.
    "order": "C",
    "ensure_all_finite": "allow-nan",
}


class Table(NamedTuple):
    """A validated data matrix; `Blocks` if it is sparse, or on a cluster."""

    X: FloatArray
    is_categorical: BoolArray

    @property
    def has_missing(self) -> bool:
        """Whether any value is missing."""
        if isinstance(self.X, Blocks):
            return self.X.has_missing
        return bool(np.isnan(self.X.sum()))


def as_table(
    selector: BaseEstimator, X: Any, *, min_samples: int = 2, reset: bool = True
) -> Table:
    """Validate `X` for a selector, and record its feature names or compare them.

    reset : False for the next rows of data seen before.
    """
    name = type(selector).__name__
    refuse_path(X)
    refuse_masked(X)
    if type(X).__module__.partition(".")[0] in ("dask", "dask_expr"):
        instead = getattr(
            selector, "_for_blocks", "pairsift.distributed.fit(selector, X, ...)"
        )
        raise TypeError(
            f"X is a Dask collection, {name} takes data in memory: call {instead}, or "
            "X.compute() if it fits."
        )
    checks = CHECKS | {"ensure_min_samples": min_samples}
    if issparse(X):
        return _sparse_table(selector, X, checks | {"reset": reset})
    wanted = getattr(selector, "categorical_features", None)
    loose = _loose_values(X)
    named = _named(selector, X) if loose else set()
    encoded, is_text = _encode_text(
        X, selector._accepts_categorical, _as_numbers(loose, named)
    )
    if encoded is not None:
        if not selector._accepts_categorical or not _is_auto(wanted):
            _refuse_unmarked_text(selector, X, is_text, wanted, loose)
        _warn_of_loose_columns(selector, X, loose, named)
        validate_data(selector, X, skip_check_array=True, reset=reset)
    # Sums only look for NaN here and in scikit-learn: they may overflow.
    with np.errstate(over="ignore", invalid="ignore"):
        if encoded is not None:
            data = check_array(encoded, input_name="X", estimator=selector, **checks)
        else:
            data = _validate_numbers(selector, X, checks | {"reset": reset})
        may_miss = bool(np.isnan(data.sum()))
    low, high = np.fmin.reduce(data, axis=0), np.fmax.reduce(data, axis=0)
    if not selector._accepts_missing and may_miss and np.isnan(data).any():
        _refuse_missing(selector, X)
    is_categorical = _categorical_mask(selector, is_text, data.shape[1])
    _judge_numbers(selector, X, data, is_categorical, low, high)
    return Table(data, is_categorical)


def as_objects(selector: BaseEstimator, X: Any) -> Any:
    """Return a pandas frame that has categories or text as one of objects.

    scikit-learn wants floats of it, when truth values or nullable numbers stand beside
    the text. Nothing is changed if `transform` returns frames.
    """
    is_frame = hasattr(X, "iloc") and getattr(X, "ndim", 0) == 2
    is_array = output_of(selector) == "default"
    if not is_frame or not is_array or not any(map(_holds_text, X.dtypes)):
        return X
    return X.astype(object)


def selected_columns(selector: BaseEstimator, X: Any, support: BoolArray) -> Any:
    """Return the selected columns of a data frame with the types that they have.

    scikit-learn turns frames other than those of pandas into arrays, which loses the
    types. Returns None where scikit-learn may select: from arrays, where an array is
    wanted, and where no column is selected, because it warns then.
    """
    wanted, frame = output_of(selector), _as_frame(X)
    if wanted == "default" or frame is None or not support.any():
        return None
    validate_data(selector, X, skip_check_array=True, reset=False)
    selected = frame[:, np.flatnonzero(support).tolist()]
    return selected.to_polars() if wanted == "polars" else selected.to_pandas()


def _holds_text(dtype: Any) -> bool:
    """Whether cells of a type that is not NumPy's are no numbers."""
    cells = getattr(getattr(dtype, "categories", None), "dtype", dtype)
    return not isinstance(dtype, np.dtype) and cells.kind not in "biuf"


def _sparse_table(selector: BaseEstimator, X: Any, checks: dict[str, Any]) -> Table:
    """Validate a sparse matrix of any format; cells that are not stored are 0."""
    if not get_tags(selector).input_tags.sparse:
        raise TypeError(
            f"X is a sparse matrix, and {type(selector).__name__} takes dense data: "
            "call X.toarray() if it fits into memory; in a pipeline ask the encoder "
            "for dense output, as OneHotEncoder(sparse_output=False) gives."
        )
    data = validate_data(selector, X, accept_sparse="csr", **checks)
    if not selector._accepts_missing and np.isnan(data.data).any():
        _refuse_missing(selector, X)
    largest = np.abs(data.data).max(initial=0.0)
    check_summable(largest, "X")
    if largest > MAX_COUNTED and X.dtype.kind in "iu":
        columns = X.tocsc()
        for j in range(columns.shape[1]):
            warn_of_rounded(j, columns[:, [j]].data.tolist())
    mask = _categorical_mask(selector, np.zeros(0, dtype=bool), data.shape[1])
    # As in `table_of_blocks`: what selectors ask of X, blocks can do.
    return Table(cast(FloatArray, SparseRows(data)), mask)


def table_of_blocks(
    selector: BaseEstimator,
    X: Blocks,
    head: Any,
    values: Mapping[int, Values],
    text: Iterable[int],
) -> Table:
    """Validate data in blocks for a selector, and record its feature names.

    X : may be infinite, which is refused; head : some rows as they were given; values :
    the values of the columns that may be text; text : those that are.
    """
    wanted = getattr(selector, "categorical_features", None)
    is_text = np.zeros(X.shape[1], dtype=bool)
    is_text[list(text)] = True
    loose = {j: values[j] for j in _loose_values(head)}
    if not selector._accepts_categorical or not _is_auto(wanted):
        _refuse_unmarked_text(selector, head, is_text, wanted, loose)
    _warn_of_loose_columns(selector, head, loose, _named(selector, head))
    validate_data(selector, head, skip_check_array=True)
    extremes = np.stack(X.extremes[:2])
    # Few numbers with the faults of all: scikit-learn has the words for them.
    check_array(extremes, input_name="X", estimator=selector, **CHECKS)
    if len(X) < 2:
        check_array(
            np.zeros(X.shape), ensure_min_samples=2, estimator=selector, input_name="X"
        )
    if X.has_missing and not selector._accepts_missing:
        _refuse_missing(selector, None)
    # What selectors ask of X, blocks can do: the type is that of arrays in memory.
    data = cast(FloatArray, X)
    is_categorical = _categorical_mask(selector, is_text, X.shape[1])
    first = read_block(head, {j: {} for j in text}, selector._accepts_categorical)
    _judge_numbers(selector, head, first, is_categorical, *extremes)
    return Table(data, is_categorical)


def _refuse_missing(selector: BaseEstimator, X: Any) -> None:
    """Refuse missing values, with a line of Python that fills them in."""
    if hasattr(X, "fillna"):
        fill = f" with `{FILL_FRAME}`"
    elif hasattr(X, "to_pandas"):
        fill = f" with `X = X.to_pandas(); {FILL_FRAME}`"
    else:
        fill = "" if X is None else f" with `{FILL_ARRAY}`"
    raise ValueError(
        f"Input X contains NaN: {type(selector).__name__} needs complete data, fill it "
        f"in{fill}, put {IMPUTER} before it in a pipeline of numbers, or take "
        "session.filled() if X is that of a session."
    )


def _categorical_mask(
    selector: BaseEstimator, is_text: BoolArray, n_features: int
) -> BoolArray:
    wanted = getattr(selector, "categorical_features", None)
    names = getattr(selector, "feature_names_in_", None)
    mask = is_text if _is_auto(wanted) else _as_mask(wanted, names, n_features)
    return mask if mask.size == n_features else np.zeros(n_features, dtype=bool)


def mixed_table(X: Any) -> Table:
    """Return any table as numbers: text by category numbers, NaN for missing values."""
    refuse_masked(X)
    loose = _loose_values(X)
    encoded, is_text = _encode_text(X, False, _as_numbers(loose, ()))
    _warn_of_loose_columns(None, X, loose, ())
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


Numbering = Mapping[int, Mapping[Any, int]]
"""Category numbers of the values of each column of text."""


def _encode_text(
    X: Any,
    with_booleans: bool,
    as_numbers: Iterable[int],
    numbering: Numbering | None = None,
) -> tuple[FloatArray | None, BoolArray]:
    """Replace the categorical columns of a data frame by category numbers.

    as_numbers : columns of text or objects that are read as numbers; numbering : of
    data of which X is a part. Returns None and a mask without any when there are none,
    or no data frame.
    """
    frame = _as_frame(X)
    if frame is None:
        return None, np.zeros(0, dtype=bool)
    is_text, _ = _text_columns(frame, with_booleans)
    is_read = np.zeros(is_text.size, dtype=bool)
    is_read[list(as_numbers)] = True
    is_text &= ~is_read
    if not is_text.any() and not is_read.any():
        return None, is_text
    encoded = np.empty(frame.shape)
    is_plain = ~is_text & ~is_read
    if is_plain.any():
        numbers = frame[:, np.flatnonzero(is_plain).tolist()].to_native()
        encoded[:, is_plain] = check_array(
            numbers, dtype=np.float64, ensure_all_finite=False, ensure_min_samples=0
        )
    for j in np.flatnonzero(is_read).tolist():
        cells = _cells_of(frame, j)
        encoded[:, j] = [np.nan if is_missing(cell) else float(cell) for cell in cells]
    for j in np.flatnonzero(is_text).tolist():
        known = {} if numbering is None else dict(numbering[j])
        encoded[:, j] = _category_numbers(_cells_of(frame, j), known)
    return encoded, is_text


def text_values(X: Any, with_booleans: bool) -> dict[int, Values]:
    """Return the values of the columns of a data frame that may be text."""
    frame = _as_frame(X)
    if frame is None:
        return {}
    is_text, _ = _text_columns(frame, with_booleans)
    return {j: values_of(_cells_of(frame, j)) for j in np.flatnonzero(is_text).tolist()}


def text_numbering(
    selector: BaseEstimator, head: Any, values: Mapping[int, Values]
) -> Numbering:
    """Return the category numbers of the columns that are text.

    Columns of text or objects that are read as numbers are none.
    """
    loose = {j: values[j] for j in _loose_values(head)}
    numbers = _as_numbers(loose, _named(selector, head) if loose else ())
    return {
        j: {value: number for number, value in enumerate(known.first_row)}
        for j, known in values.items()
        if j not in numbers
    }


def read_block(X: Any, numbering: Numbering, with_booleans: bool) -> FloatArray:
    """Return some rows as numbers, in C order; infinite ones are left in.

    numbering : of all rows.
    """
    frame = _as_frame(X)
    numbers = set()
    if frame is not None:
        is_loose = _text_columns(frame, with_booleans)[1]
        numbers = set(np.flatnonzero(is_loose).tolist()) - set(numbering)
    encoded, _ = _encode_text(X, with_booleans, numbers, numbering)
    data = X if encoded is None else encoded
    checks = CHECKS | {"ensure_all_finite": False, "ensure_min_samples": 0}
    return check_array(data, input_name="X", **checks).astype(np.float64, copy=False)


def _as_frame(X: Any) -> Any:
    """Return a data frame as one of narwhals, None for what is none."""
    if type(X).__name__ == "LazyFrame":
        raise TypeError("X is a lazy data frame: call X.collect().")
    if isinstance(X, np.ndarray) or not hasattr(X, "columns"):
        return None
    # Loaded with scikit-learn's newer versions anyway, but only needed here.
    import narwhals as nw

    names = [str(name) for name in X.columns]
    if not names:
        raise ValueError("X is a data frame of 0 columns: there is no feature to rank.")
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"X has more than one column named {twice!r}: rename one.")
    frame = nw.from_native(X, eager_only=True, pass_through=True)
    return frame if isinstance(frame, nw.DataFrame) else None


def _text_columns(frame: Any, with_booleans: bool) -> tuple[BoolArray, BoolArray]:
    """Tell which columns may be text, and which of them are not declared to be so."""
    import narwhals as nw

    kinds = [nw.String, nw.Categorical, nw.Enum, nw.Object]
    dtypes = list(frame.schema.values())
    is_text = np.array([dtype in kinds for dtype in dtypes])
    is_boolean = np.array([dtype == nw.Boolean for dtype in dtypes])
    is_number = np.array([dtype.is_numeric() for dtype in dtypes])
    other = np.flatnonzero(~(is_text | is_boolean | is_number))
    if other.size:
        raise ValueError(
            f"X has a column {frame.columns[other[0]]!r} of type {dtypes[other[0]]}: "
            "turn it into numbers or text."
        )
    is_loose = np.array([dtype in (nw.String, nw.Object) for dtype in dtypes])
    return (is_text | is_boolean if with_booleans else is_text), is_loose


def _loose_values(X: Any) -> dict[int, Values]:
    """Return the values of the columns of text and objects, which may be numbers."""
    frame = _as_frame(X)
    if frame is None:
        return {}
    loose = np.flatnonzero(_text_columns(frame, with_booleans=False)[1])
    return {j: values_of(_cells_of(frame, j)) for j in loose.tolist()}


def _named(selector: BaseEstimator, X: Any) -> set[int]:
    """Return the columns of a data frame that categorical_features names."""
    wanted = getattr(selector, "categorical_features", None)
    names = np.asarray(getattr(X, "columns", ()), dtype=object)
    if _is_auto(wanted):
        return set()
    return set(np.flatnonzero(_as_mask(wanted, names, names.size)).tolist())


def _as_numbers(loose: Mapping[int, Values], named: Collection[int]) -> set[int]:
    """Return the columns of text and objects that are read as numbers."""
    return {
        j
        for j, values in loose.items()
        if kind_of(values) == "numbers" and j not in named
    }


def _cells_of(frame: Any, j: int) -> Iterable[Any]:
    """Return the cells of a column of text."""
    cells = frame[:, j].to_numpy()
    try:
        for cell in cells:
            hash(cell)
    except TypeError:
        raise ValueError(
            f"X has a column {str(frame.columns[j])!r} that holds neither numbers nor "
            "text."
        ) from None
    return cells


def _warn_of_loose_columns(
    selector: BaseEstimator | None,
    X: Any,
    loose: Mapping[int, Values],
    named: Collection[int],
) -> None:
    """Warn of columns of text that may be numbers or dates, and of how they are read.

    loose : values of the columns of text and objects; named : those that the user calls
    categorical.
    """
    names = {j: repr(str(list(X.columns)[j])) for j in loose if j not in named}
    kinds = {j: kind_of(loose[j]) for j in names}
    can_name = selector is None or hasattr(selector, "categorical_features")
    keep = ", or name them in categorical_features= if they are categories"
    for kind, said in (
        ("numbers", " are read as numbers"),
        ("codes", ", few or beginning with 0, are taken as categories"),
    ):
        found = [name for j, name in names.items() if kinds[j] == kind]
        if found:
            warn_caller(
                f"numbers that are text or objects in {listing(found, most=3)} of X"
                f"{said}: turn them into numbers (pandas.to_numeric)"
                f"{keep if can_name else ''}."
            )
    for j in names:
        if kinds[j] == "text":
            _warn_of_odd_cells(str(list(X.columns)[j]), loose[j])


def _warn_of_odd_cells(name: str, values: Values) -> None:
    """Warn of a text column that looks like numbers with a few odd cells, or dates."""
    odd, date = odd_among(values), find_date(values)
    if odd is not None:
        warn_caller(
            f"{odd.told(name)}: the column is taken as categorical; if it holds "
            "numbers, turn these cells into numbers or NaN, if not, make it a "
            "category column."
        )
    if date is not None:
        warn_caller(
            f"{name!r} holds dates, such as {date!r}: the column is taken as "
            "categorical, without the order of time; turn dates into numbers, or "
            "make it a category column."
        )


def _judge_numbers(
    selector: BaseEstimator,
    X: Any,
    data: FloatArray,
    is_categorical: BoolArray,
    low: FloatArray,
    high: FloatArray,
) -> None:
    """Refuse numbers that are too large, warn of dates and of rounded numbers.

    X, data : rows as they were given and as numbers; low, high : of each column.
    """
    largest = np.fmax(high, -low)
    if not getattr(selector, "_accepts_huge", False):
        check_summable(np.fmax.reduce(largest), "X")
    names = list(getattr(X, "columns", range(low.size)))
    for j in np.flatnonzero(largest >= MAX_COUNTED).tolist():
        warn_of_rounded(names[j], _column(X, j))
    may_be_dates = ~is_categorical & (low >= FIRST_DATE) & (high <= LAST_DATE)
    for j in np.flatnonzero(may_be_dates).tolist():
        found = find_date_number(data[:, j])
        if found is not None:
            warn_caller(
                f"column {names[j]!r} of X holds dates, such as {found}, taken as "
                "numbers, in which a month is as long as a hundred days: turn it into "
                "days since a date, or name it in categorical_features= if it is none."
            )


def _column(X: Any, j: int) -> list[Any]:
    """Return a column of a data frame or an array as Python's objects."""
    frame = _as_frame(X)
    if frame is not None:
        return list(frame[:, j].to_list())
    return list(np.asarray(X)[:, j].tolist())


def _category_numbers(column: Iterable[Any], numbers: dict[Any, int]) -> FloatArray:
    """Count the values in order of appearance; None, NaN and NA are missing.

    numbers : of values that appeared before.
    """
    return np.array(
        [
            np.nan if is_missing(value) else numbers.setdefault(value, len(numbers))
            for value in column
        ],
        dtype=np.float64,
    )


def _refuse_unmarked_text(
    selector: BaseEstimator,
    X: Any,
    is_text: BoolArray,
    wanted: Any,
    loose: Mapping[int, Values],
) -> None:
    if not is_text.any():
        return
    name = type(selector).__name__
    first = int(np.flatnonzero(is_text)[0])
    column = list(X.columns)[first]
    if not selector._accepts_categorical:
        values = loose.get(first, values_of(()))
        odd = odd_among(values)
        if odd is not None:
            raise ValueError(
                f"{odd.told(str(column))}: {name} takes numbers only, turn these cells "
                "into numbers or NaN."
            )
        if kind_of(values) == "codes":
            raise ValueError(
                f"X has a column {column!r} of numbers as text, and {name} takes "
                "numbers only: turn it into numbers (pandas.to_numeric), or encode it "
                "if it is a category."
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
