"""What a user should know about the data before trusting a ranking."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from pairsift._words import listing
from pairsift.exceptions import DataError
from pairsift.reports import Table, kinds_used, needs_numbers

if TYPE_CHECKING:
    import pandas as pd

    from pairsift._typing import IndexArray
    from pairsift.constraints import PairConstraints

# With fewer rows it is no surprise that all values of a column differ, or that one
# agrees with the labels.
_FEW_ROWS = 10
_LABEL_NAMES = {"class", "label", "target", "outcome", "y"}


def data_warnings(features: pd.DataFrame) -> list[str]:
    """Look for columns and rows that make a ranking mean less than it seems."""
    n_values = features.nunique()
    n_missing = features.isna().sum()
    constant = [c for c in features if n_values[c] <= 1]
    gaps = [f"{c!r} ({n_missing[c]})" for c in features if n_missing[c]]
    n_copies = int(features.duplicated().sum())
    varying = features.drop(columns=constant)
    found = [
        _headerless(features),
        constant and f"{_columns(constant)} constant and cannot tell rows apart.",
        gaps and f"missing values in {listing(gaps)}.",
        n_copies and f"{count(n_copies, 'row repeats', 'rows repeat')} earlier rows.",
        *_copied_columns(varying),
        *_id_warnings(varying, n_values),
        *_name_warnings(varying),
        *_sign_warnings(varying),
    ]
    return [warning for warning in found if warning]


def label_warnings(table: Table) -> list[str]:
    """Say which labels were read as none or may be none, and which columns give away.

    Empty when there are no labels.
    """
    from pairsift.constraints import count_marked, encode_labels

    if table.labels is None:
        return []
    found = [
        f"rows with {word!r} in the label column are taken as unlabelled; if it is a "
        "class, write another word."
        for word in table.unlabelled_words
    ]
    codes, classes = encode_labels(table.labels, table.missing_label)
    n_marked = 0 if table.missing_label is None else count_marked(table.labels, classes)
    if n_marked:
        found.append(
            f"{n_marked} of {codes.size} rows hold -1 in the label column and are "
            'taken as unlabelled; --unlabelled "" if -1 is a class, --unlabelled -1 if '
            "it is not."
        )
    sign = _only_sign([label for label in classes if isinstance(label, str)])
    if sign:
        found.append(
            f"rows with {sign!r} in the label column are taken as a class; "
            f"--unlabelled {shlex.quote(sign)} if they have no label."
        )
    return found + _repeated_label(table.features, codes)


def use_warnings(
    method: Any,
    n_used: int,
    labels: Any,
    constraints: PairConstraints | None,
    pairs: PairConstraints | None = None,
) -> list[str]:
    """Say what was given but not used; `pairs` if those of labels were added to it."""
    name, needs = method["name"], method["needs"]
    if needs.startswith("nothing"):
        has_unused_labels = labels is not None and "labels" not in needs
        given = [has_unused_labels and "labels", constraints and "constraints"]
        unused = " and ".join(kind for kind in given if kind)
        return [f"the {unused} are not used: {name} uses none."] if unused else []
    if constraints is None:
        return []
    counts = {"must": constraints.n_must_link, "cannot": constraints.n_cannot_link}
    used = kinds_used(needs, n_used, constraints if pairs is None else pairs)
    reason = f"{name} learns from {needs}."
    if labels is not None and n_used == 0:
        reason = f"labels are given, and {name} learns from those."
    return [
        f"{count(n_given, f'{kind}-link is', f'{kind}-links are')} not used: {reason}"
        for kind, n_given in counts.items()
        if n_given and kind not in used
    ]


def refuse_unusable(method: Any, table: Table, has_constraints: bool) -> None:
    """Say in the words of the command line what a method cannot work with."""
    is_free = method["needs"].startswith("nothing")
    if needs_numbers(method) and table.labels is None:
        raise DataError(
            f"{method['name']} needs {method['needs']}: give --label COLUMN."
        )
    if not is_free and table.labels is None and not has_constraints:
        raise DataError(
            f"{method['name']} needs {method['needs']}: give --label COLUMN or "
            "--constraints FILE."
        )
    features = table.features
    incomplete = [c for c in features if features[c].isna().any()]
    if incomplete and not method["missing"]:
        raise DataError(
            f"{_columns(incomplete, 'has', 'have')} missing values, and "
            f"{method['name']} needs complete data: fill them in, leave the columns "
            "out with --drop, or take a method that accepts them, such as relieff."
        )
    text = list(features.select_dtypes(exclude=["number", "bool"]))
    if text and not method["categorical"]:
        raise DataError(
            f"{_columns(text)} categorical, and {method['name']} takes numbers only: "
            "encode the columns, leave them out with --drop, or take a method that "
            "accepts them, such as relieff."
        )


def _headerless(features: pd.DataFrame) -> str | None:
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


def _id_warnings(features: pd.DataFrame, n_values: Any) -> list[str]:
    if len(features) < _FEW_ROWS:
        return []
    distinct = [
        name
        for name, column in features.items()
        if n_values[name] == len(features) and column.dtype.kind not in "fb"
    ]
    return [
        f"column {name!r} has a different value in every row and looks like an id: it "
        "was ranked as a feature, --id or --drop leaves it out."
        for name in distinct
    ]


def _name_warnings(features: pd.DataFrame) -> list[str]:
    """Warn of columns named like a label, other than the y of coordinates."""
    words = {name: set(re.split(r"[\W_]+", name.lower().strip())) for name in features}
    has_x = {"x"} in words.values()
    named = [
        name
        for name, found in words.items()
        if found <= _LABEL_NAMES and not (has_x and found == {"y"})
    ]
    return [
        f"column {name!r} is named like a label, but taken as a feature: --drop leaves "
        "it out, --label of select learns from it."
        for name in named
    ]


def _repeated_label(features: pd.DataFrame, codes: IndexArray) -> list[str]:
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
        "feature: --drop leaves it out."
        for name in repeated
    ]


def _sign_warnings(features: pd.DataFrame) -> list[str]:
    """Warn of a sign, such as ?, among the words of a text column."""
    found = []
    for name, column in features.select_dtypes(exclude=["number", "bool"]).items():
        sign = _only_sign([word for word in column.unique() if isinstance(word, str)])
        if sign:
            n_rows = count(int((column == sign).sum()), "row", "rows")
            found.append(
                f"column {name!r} holds {sign!r} in {n_rows}, taken as a value like "
                f"the others: --na {shlex.quote(sign)} makes missing values."
            )
    return found


def _only_sign(words: Sequence[str]) -> str:
    """Return the word without a letter or digit if all others have some."""
    from pairsift.selectors._odd_cells import is_sign

    signs = [word for word in words if is_sign(word)]
    return signs[0] if len(signs) == 1 < len(words) else ""


def _columns(names: Sequence[str], one: str = "is", many: str = "are") -> str:
    noun, verb = ("column", one) if len(names) == 1 else ("columns", many)
    return f"{noun} {listing(map(repr, names))} {verb}"


def count(number: int, one: str, many: str) -> str:
    """Return a number with the noun or verb that fits it."""
    return f"{number} {one if number == 1 else many}"
