"""What a user should know about the data before trusting a ranking."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from pairsift._words import count, listing

if TYPE_CHECKING:
    import pandas as pd

    from pairsift._typing import IndexArray

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
    n_values = features.nunique()
    n_missing = features.isna().sum()
    constant = [c for c in features if n_values[c] <= 1]
    gaps = [f"{c!r} ({n_missing[c]})" for c in features if n_missing[c]]
    n_copies = int(features.duplicated().sum())
    varying = features.drop(columns=constant)
    found = [
        _headerless(features),
        constant and f"{columns_are(constant)} constant and cannot tell rows apart.",
        gaps and f"missing values in {listing(gaps)}.",
        n_copies and f"{count(n_copies, 'row repeats', 'rows repeat')} earlier rows.",
        *_copied_columns(varying),
        *_id_warnings(varying, n_values, cures),
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


def _copied_columns(features: pd.DataFrame) -> list[str]:
    from pandas.util import hash_pandas_object

    first_with: dict[int, str] = {}
    warnings = []
    for name, column in features.items():
        values = hash(hash_pandas_object(column, index=False).to_numpy().tobytes())
        first = first_with.setdefault(values, name)
        if first != name and column.equals(features[first]):
            warnings.append(f"column {name!r} is a copy of {first!r}.")
    return warnings


def _id_warnings(features: pd.DataFrame, n_values: Any, cures: Cures) -> list[str]:
    if len(features) < _FEW_ROWS:
        return []
    distinct = [
        name
        for name, column in features.items()
        if n_values[name] == len(features) and column.dtype.kind not in "fb"
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
    import pandas as pd

    is_labelled = codes >= 0
    labels = codes[is_labelled]
    n_classes = np.unique(labels).size
    repeated = []
    for name, column in features[is_labelled].items():
        values = pd.factorize(column)[0]
        n_values, is_known = values.max(initial=-1) + 1, values >= 0
        # Most columns of numbers have more values than there are classes.
        if 1 < n_values <= n_classes < labels.size >= _FEW_ROWS:
            pairs = np.column_stack([values, labels])[is_known]
            n_pairs = len(np.unique(pairs, axis=0))
            is_one_to_one = n_pairs == n_values == np.unique(pairs[:, 1]).size
            if is_one_to_one and len(pairs) >= _FEW_ROWS:
                repeated.append(name)
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
