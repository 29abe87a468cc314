"""Tables and pair constraints, read from the files that users have."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from pairsift._checks import MAX_COUNTED
from pairsift._formulas import name_among
from pairsift._typing import FloatArray
from pairsift._words import did_you_mean, listing
from pairsift.cli._files import TableFile
from pairsift.exceptions import ConstraintError, DataError
from pairsift.reports import Table, plain_blocks, row_name

if TYPE_CHECKING:
    import pandas as pd

    from pairsift.constraints import PairConstraints


def read_table(
    path: Path,
    label: str | None = None,
    id_column: str | None = None,
    drop: Sequence[str] = (),
    *,
    na: Sequence[str] = (),
    categorical: Sequence[str] = (),
    unlabelled: str | None = None,
) -> Table:
    """Read a data set and set the columns that are no features apart.

    Cells that hold a word of `na` are missing. Columns in `categorical` are text,
    whatever they hold. `unlabelled` is the label of rows without one.
    """
    file = TableFile(path)
    # As text, so that an id 007 stays what the constraints file says.
    as_text = [*categorical, *([] if id_column is None else [id_column])]
    frame = file.read(as_text, na)
    columns = list(frame.columns)
    label = None if label is None else name_among(label, columns)
    id_column = None if id_column is None else name_among(id_column, columns)
    drop = [name_among(column, columns) for column in drop]
    categorical = [name_among(column, columns) for column in categorical]
    options = [(label, "--label"), (id_column, "--id"), *((c, "--drop") for c in drop)]
    apart = [(column, option) for column, option in options if column is not None]
    for column, option in [*apart, *((c, "--categorical") for c in categorical)]:
        check_column(columns, column, option, path)
    if categorical:
        frame = frame.astype(dict.fromkeys(categorical, "category"))
    features = frame.drop(columns={column for column, _ in apart})
    if features.shape[1] == 0:
        raise DataError(f"{path} has no column left to rank.")
    check_cells(features)
    file.notes.extend(rounding_notes(features))
    ids = None if id_column is None else read_ids(frame[id_column])
    if label is None:
        return Table(features, None, ids, notes=tuple(file.notes))
    labels, missing_label, notes = read_labels(frame[label], unlabelled)
    return Table(
        features,
        labels.to_numpy(),
        ids,
        words_for_nothing(file, frame[label], na),
        missing_label,
        tuple(file.notes),
        notes,
    )


def read_constraints(path: Path, table: Table) -> PairConstraints:
    """Read pairs of row ids, or of row numbers when the table has no ids."""
    from pairsift.constraints import PairConstraints

    _refuse_ids_twice(table.ids or ())
    try:
        pairs = PairConstraints.from_csv(path, table.ids, len(table.features))
    except ConstraintError as error:
        said = str(error).removesuffix(".")
        if not said.startswith(str(path)):
            said = f"{path}: {said}"
        if not said.startswith(f"{path} lacks"):
            said += "; correct the line or leave it out"
        raise ConstraintError(f"{said}.") from error
    if pairs.n_must_link + pairs.n_cannot_link == 0:
        raise DataError(f"{path} holds no pairs.")
    return pairs


def _refuse_ids_twice(ids: Sequence[str]) -> None:
    """Refuse ids that do not tell rows apart: the fault is that of the table."""
    seen: set[str] = set()
    for name in ids:
        if name in seen:
            raise DataError(
                f"more than one row of the data has the id {name!r}, so that pairs do "
                "not say which is meant: give rows different ids, or name another "
                "column with --id."
            )
        seen.add(name)


def has_confidences(path: Path) -> bool:
    """Whether a file of pairs has a confidence for each, as `propagate` writes them."""
    header = path.read_text(encoding="utf-8-sig").partition("\n")[0]
    return "confidence" in [name.strip() for name in re.split("[,;\t]", header)]


def draw_constraints(
    table: Table, n_pairs: int, *, with_must_links: bool
) -> PairConstraints:
    """Draw `n_pairs` pairs of each kind from the labels, always the same ones."""
    from pairsift.constraints import PairConstraints

    n_must_link = n_pairs if with_must_links else 0
    return PairConstraints.sample(
        table.labels,
        n_pairs,
        n_must_link,
        random_state=0,
        missing_label=table.missing_label,
    )


def labelled_pairs(
    table: Table, most: int, *, with_must_links: bool
) -> PairConstraints:
    """Return all pairs of labelled rows, if there are at most `most`."""
    from pairsift.constraints import LabelledPairs, PairConstraints, encode_labels

    codes = encode_labels(table.labels, table.missing_label)[0]
    pairs = LabelledPairs(codes)
    must = pairs.all("must", most) if with_must_links else ()
    return PairConstraints(must, pairs.all("cannot", most), n_samples=codes.size)


def join_pairs(
    given: PairConstraints, labelled: PairConstraints, table: Table
) -> PairConstraints:
    """Join given pairs with pairs of labelled rows, unless the labels deny them."""
    from pairsift.constraints import encode_labels

    codes, classes = encode_labels(table.labels, table.missing_label)
    for kind, pairs in (("must", given.must_link), ("cannot", given.cannot_link)):
        ends = codes[pairs]
        is_same = ends[:, 0] == ends[:, 1]
        is_denied = (ends >= 0).all(axis=1) & (is_same == (kind == "cannot"))
        if is_denied.any():
            a, b = pairs[is_denied][0].tolist()
            raise ConstraintError(
                f"the labels contradict {is_denied.sum()} of the pairs: "
                f"{row_name(a, table.ids)} and {row_name(b, table.ids)} are a "
                f"{kind}-link, but labelled {classes[codes[a]]!r} and "
                f"{classes[codes[b]]!r}; correct one of them, or leave the labels out "
                "(--drop in place of --label)."
            )
    return given | labelled


def unit_range(X: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return minimum and width of each column, NaN left out; width 1 if constant."""
    low = np.fmin.reduce(X, axis=0)
    width = np.fmax.reduce(X, axis=0) - low
    return low, np.where(width > 0, width, 1.0)


def scale(features: pd.DataFrame) -> pd.DataFrame:
    """Bring the numeric columns to [0, 1]; a constant column becomes 0."""
    import pandas as pd

    numbers = features.select_dtypes("number")
    X = numbers.to_numpy(dtype=np.float64, na_value=np.nan)
    if np.fmax.reduce(np.abs(X), axis=None, initial=0.0) > np.finfo(float).max / 2:
        # A range may be twice as large as the largest number.
        X = X / 2
    low, width = unit_range(X)
    scaled = pd.DataFrame(
        (X - low) / width, features.index, numbers.columns, copy=False
    )
    if numbers.shape[1] == features.shape[1]:
        return scaled
    others = features.select_dtypes(exclude="number")
    return pd.concat([scaled, others], axis=1)[list(features.columns)]


def check_column(columns: Sequence[str], column: str, option: str, path: Path) -> None:
    """Refuse a column that a table does not have."""
    if column not in columns:
        hint = did_you_mean(column, columns)
        names = listing(columns, most=10)
        raise DataError(
            f"{path} has no column {column!r} for {option}{hint}: it has {names}."
        )


def check_cells(features: pd.DataFrame, *, odd: bool = True) -> None:
    """Refuse cells that no method takes.

    odd : also odd cells among numbers, and dates, which some rows do not show.
    """
    import pandas as pd
    from pandas.api.types import is_hashable

    is_suspect = np.ones(features.shape[1], dtype=bool)
    # One operation on a column takes long if there are many of them.
    for numbers, cells in plain_blocks(features):
        is_suspect[numbers] = np.isinf(cells).any(axis=0)
    for j in np.flatnonzero(is_suspect).tolist():
        name, column = features.columns[j], features.iloc[:, j]
        if isinstance(column.dtype, pd.CategoricalDtype):
            continue
        kind = getattr(column.dtype, "kind", "O")
        if kind in "mMc":
            raise DataError(
                f"column {name!r} holds {column.dtype} values, which no method takes: "
                "turn them into numbers, or leave the column out with --drop."
            )
        if kind == "O" and not column.map(is_hashable).all():
            raise DataError(
                f"column {name!r} holds lists, which no method takes: leave it out "
                "with --drop."
            )
        if kind == "O" and odd:
            _refuse_odd_cells(column)
            refuse_dates(column)
        if kind == "f" and np.isinf(column.to_numpy(np.float64, na_value=0.0)).any():
            raise DataError(
                f"column {name!r} holds infinite values: replace them, or leave the "
                "column out with --drop."
            )
    if odd:
        _refuse_date_numbers(features)


def _refuse_date_numbers(features: pd.DataFrame) -> None:
    """Refuse columns of numbers that are all dates, such as 20240118."""
    from pairsift.selectors import find_date_number

    numbers = features.select_dtypes("number")
    X = numbers.to_numpy(dtype=np.float64, na_value=np.nan)
    low, high = np.fmin.reduce(X, axis=0), np.fmax.reduce(X, axis=0)
    # Few columns have eight digits in all rows and need a closer look.
    for j in np.flatnonzero((low >= 1e7) & (high < 1e8)).tolist():
        date = find_date_number(X[:, j])
        if date is not None:
            _refuse_date(str(numbers.columns[j]), date)


def rounding_notes(features: pd.DataFrame) -> list[str]:
    """Say which columns hold whole numbers that are no floats."""
    numbers = features.select_dtypes("integer")
    X = numbers.to_numpy(dtype=np.float64, na_value=np.nan)
    largest = np.fmax.reduce(np.abs(X), axis=0)
    notes = []
    for j in np.flatnonzero(largest >= MAX_COUNTED).tolist():
        cells = numbers.iloc[:, j].tolist()
        if any(isinstance(c, int) and int(float(c)) != c for c in cells):
            notes.append(
                f"column {numbers.columns[j]!r} holds whole numbers beyond 2**53, "
                "which are rounded, so that different ones become equal: --id or "
                "--drop leaves it out."
            )
    return notes


def _refuse_odd_cells(column: pd.Series, *, is_label: bool = False) -> None:
    """Refuse a column of numbers that a few other cells would make a text column."""
    from pairsift.selectors import find_odd_cells

    odd = find_odd_cells(column)
    if odd is None:
        return
    option = "--unlabelled" if is_label else "--na"
    words = odd.words[:1] if is_label else odd.words[:3]
    marks = " ".join(f"{option} {shlex.quote(word)}" for word in words)
    result = "takes such rows as unlabelled" if is_label else "makes missing values"
    cure = f"{marks} {result}"
    if odd.extra:
        cure = f"write the numbers without {odd.extra}"
    raise DataError(
        f"{odd.told(str(column.name))}: {cure}, --categorical "
        f"{shlex.quote(str(column.name))} takes the column as text."
    )


def refuse_dates(column: pd.Series) -> None:
    """Refuse dates, which a CSV file holds as text."""
    from pairsift.selectors import find_date, values_of

    date = find_date(values_of(column))
    if date is not None:
        _refuse_date(str(column.name), date)


def _refuse_date(name: str, date: str | int) -> None:
    raise DataError(
        f"column {name!r} holds dates, such as {date!r}: turn them into numbers such "
        f"as days, leave the column out with --drop {shlex.quote(name)}, or take it as "
        f"text with --categorical {shlex.quote(name)}."
    )


def read_labels(
    column: pd.Series, unlabelled: str | None
) -> tuple[pd.Series, int | None, tuple[str, ...]]:
    """Return labels, which of them means "no label", and what to say about that."""
    if unlabelled is not None:
        is_marked = _holds(column, unlabelled)
        note = f"no cell of {column.name!r} is {unlabelled!r}, the --unlabelled one."
        is_found = is_marked.any() or not unlabelled
        column = column.astype(object).where(~is_marked, None)
        return column, None, () if is_found else (note,)
    if column.dtype.kind not in "iuf":
        if column.dtype != "category":
            _refuse_odd_cells(column, is_label=True)
        return column, -1, ()
    counts = column.value_counts().to_dict()
    if set(counts) != {-1, 1}:
        return column, -1, ()
    note = (
        f"-1 ({counts[-1]} rows) and 1 ({counts[1]} rows) in {column.name!r} are taken "
        "as two classes; --unlabelled -1 says that -1 is none."
    )
    return column, None, (note,)


def _holds(column: pd.Series, word: str) -> pd.Series:
    """Tell which cells hold a word, or the number that it names."""
    import pandas as pd

    if column.dtype.kind in "iuf":
        return (column == pd.to_numeric(word, errors="coerce")).fillna(False)
    return column.astype(str).str.strip() == word.strip()


def words_for_nothing(
    file: TableFile, labels: pd.Series, na: Sequence[str]
) -> tuple[str, ...]:
    """Return the words of a label column that pandas takes for an empty cell."""
    is_empty = labels.isna().to_numpy()
    words = file.read_words(str(labels.name)) if is_empty.any() else None
    if words is None:
        return ()
    # The file may go on with empty rows.
    words = words.iloc[: is_empty.size]
    return tuple(sorted(set(words[is_empty].str.strip()) - {"", *na}))


def read_ids(column: pd.Series, first_row: int = 0) -> list[str]:
    """Return the ids of some rows as text."""
    if column.isna().any():
        row = first_row + int(column.isna().to_numpy().argmax())
        raise DataError(f"row {row} (counted from 0) has no id in {column.name!r}.")
    return [str(value) for value in column]
