"""What a user should know about the data before trusting a ranking."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from pairsift._words import count, listing
from pairsift.reports._column_codes import ColumnCodes, is_plain

if TYPE_CHECKING:
    import pandas as pd

    from pairsift._typing import BoolArray, IndexArray

# With fewer rows it is no surprise that all values of a column differ, or that one
# agrees with the labels.
_FEW_ROWS = 10
_LABEL_NAMES = {"class", "label", "target", "outcome", "y"}


class Cures(NamedTuple):
    """What a user can do about a column, as ends of sentences."""

    drop: str = "leave it out of X"
    identify: str = "leave it out of X"
    """About a column that looks like the names of the rows."""
    learn: str = "pass it as y"
    """About a column that looks like labels."""
    mark: str = "put NaN in its place if it stands for a missing value"
    """About {sign}, a sign among words."""


PYTHON = Cures()
"""In the words of Python."""


def data_warnings(features: pd.DataFrame, cures: Cures = PYTHON) -> list[str]:
    """Look for columns and rows that make a ranking mean less than it seems."""
    codes = ColumnCodes(features)
    n_values = codes.n_values()
    n_missing = codes.is_missing.sum(axis=0)
    names = list(features.columns)
    constant = [names[j] for j in np.flatnonzero(n_values <= 1)]
    gaps = [f"{names[j]!r} ({n_missing[j]})" for j in np.flatnonzero(n_missing)]
    n_copies = codes.n_copied_rows()
    varying = features.loc[:, n_values > 1]
    found = [
        _headerless(features),
        constant and f"{columns_are(constant)} constant and cannot tell rows apart.",
        gaps and f"missing values in {listing(gaps)}.",
        n_copies and f"{count(n_copies, 'row repeats', 'rows repeat')} earlier rows.",
        *_copied_columns(features, codes, n_values > 1),
        *_id_warnings(varying, n_values[n_values > 1], cures),
        *_name_warnings(varying, cures),
        *_sign_warnings(varying, cures),
    ]
    return [warning for warning in found if warning]


def name_warnings(names: Iterable[str], cures: Cures = PYTHON) -> list[str]:
    """Say what the names of columns tell alone."""
    names = list(names)
    headerless = _headerless(names)
    return [*([headerless] if headerless else []), *_name_warnings(names, cures)]


def _headerless(features: Iterable[str]) -> str | None:
    def is_number(name: str) -> bool:
        # pandas writes the second column named 1.5 as 1.5.1
        return name.replace(".", "").lstrip("-").isdigit()

    if not all(is_number(name) for name in features):
        return None
    return "all column names are numbers: does the file lack a header line?"


def _copied_columns(
    features: pd.DataFrame, codes: ColumnCodes, is_varying: BoolArray
) -> list[str]:
    names, is_number = list(features.columns), is_plain(features)
    return [
        f"column {names[copy]!r} is a copy of {names[first]!r}."
        for first, copy in codes.copied_columns()
        if is_varying[copy]
        and (is_number[copy] or features.iloc[:, copy].equals(features.iloc[:, first]))
    ]


def _id_warnings(
    features: pd.DataFrame, n_values: IndexArray, cures: Cures
) -> list[str]:
    if len(features) < _FEW_ROWS:
        return []
    is_distinct = (n_values == len(features)).tolist()
    distinct = [
        name
        for name, dtype, is_one in zip(
            features.columns, features.dtypes, is_distinct, strict=True
        )
        if is_one and dtype.kind not in "fb"
    ]
    return [
        f"column {name!r} has a different value in every row and looks like an id: it "
        f"was ranked as a feature, {cures.identify}."
        for name in distinct
    ]


def _name_warnings(features: Iterable[str], cures: Cures) -> list[str]:
    """Warn of columns named like a label, other than the y of coordinates."""
    words = {name: set(re.split(r"[\W_]+", name.lower().strip())) for name in features}
    has_x = {"x"} in words.values()
    named = [
        name
        for name, found in words.items()
        if found <= _LABEL_NAMES and not (has_x and found == {"y"})
    ]
    return [
        f"column {name!r} is named like a label, but taken as a feature: {cures.drop}, "
        f"{cures.learn}."
        for name in named
    ]


def repeated_label(
    features: pd.DataFrame, codes: IndexArray, cures: Cures = PYTHON
) -> list[str]:
    """Warn of columns whose values go with the labels one to one."""
    is_labelled = codes >= 0
    labels, rows = codes[is_labelled], features[is_labelled]
    n_classes = np.unique(labels).size
    if labels.size < max(_FEW_ROWS, n_classes + 1):
        return []
    columns = ColumnCodes(rows)
    n_values = columns.n_values()
    # Most columns of numbers have more values than there are classes.
    may_repeat = (n_values > 1) & (n_values <= n_classes)
    repeated = []
    for j in np.flatnonzero(may_repeat & columns.one_value_each(labels)):
        is_known = ~columns.is_missing[:, j]
        pairs = np.column_stack([columns.codes[:, j], labels])[is_known]
        # Each class has one value: they are as many as classes if each has its own.
        is_one_to_one = np.unique(pairs[:, 1]).size == n_values[j]
        if is_one_to_one and len(pairs) >= _FEW_ROWS:
            repeated.append(features.columns[j])
    return [
        f"column {name!r} repeats the label, value by value, but is taken as a "
        f"feature: {cures.drop}."
        for name in repeated
    ]


def _sign_warnings(features: pd.DataFrame, cures: Cures) -> list[str]:
    """Warn of a sign, such as ?, among the words of a text column."""
    found = []
    for name, column in features.select_dtypes(exclude=["number", "bool"]).items():
        sign = only_sign([word for word in column.unique() if isinstance(word, str)])
        if sign:
            n_rows = count(int((column == sign).sum()), "row", "rows")
            found.append(
                f"column {name!r} holds {sign!r} in {n_rows}, taken as a value like "
                f"the others: {cures.mark.format(sign=shlex.quote(sign))}."
            )
    return found


def only_sign(words: Sequence[str]) -> str:
    """Return the word without a letter or digit if all others have some."""
    from pairsift.selectors import is_sign

    signs = [word for word in words if is_sign(word)]
    return signs[0] if len(signs) == 1 < len(words) else ""


def columns_are(names: Sequence[str], one: str = "is", many: str = "are") -> str:
    """Name columns and the verb that fits their number."""
    noun, verb = ("column", one) if len(names) == 1 else ("columns", many)
    return f"{noun} {listing(map(repr, names))} {verb}"
