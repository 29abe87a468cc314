"""What a user should know about the data before trusting a ranking."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any

from pairsift import reports
from pairsift._words import count, listing
from pairsift.exceptions import DataError
from pairsift.reports import (
    Cures,
    Table,
    columns_are,
    kinds_used,
    only_sign,
    repeated_label,
)

if TYPE_CHECKING:
    import pandas as pd

    from pairsift._blocks import Extremes
    from pairsift.constraints import PairConstraints
    from pairsift.selectors import Method


CURES = Cures(
    drop="--drop leaves it out",
    identify="--id or --drop leaves it out",
    learn="--label of select learns from it",
    mark="--na {sign} makes missing values",
)
"""What to do about a column, in the words of the command line."""


def data_warnings(features: pd.DataFrame) -> list[str]:
    """Look for columns and rows that make a ranking mean less than it seems."""
    return reports.data_warnings(features, CURES)


def name_warnings(names: list[str]) -> list[str]:
    """Say which columns are named like a label, or all like cells."""
    return reports.name_warnings(names, CURES)


def constant_and_gaps(names: list[str], extremes: Extremes) -> list[str]:
    """Say which columns are constant or lack values, from the extremes of all rows.

    Columns of text have no extremes: of them only gaps are told.
    """
    is_constant = extremes.low == extremes.high
    constant = [c for c, is_one in zip(names, is_constant, strict=True) if is_one]
    gaps = [f"{c!r} ({n})" for c, n in zip(names, extremes.n_missing, strict=True) if n]
    found = []
    if constant:
        found.append(f"{columns_are(constant)} constant and cannot tell rows apart.")
    if gaps:
        found.append(f"missing values in {listing(gaps)}.")
    return found


def words_taken_for_none(table: Table) -> list[str]:
    """Say which words of the label column were read as an empty cell."""
    return [
        f"rows with {word!r} in the label column are taken as unlabelled; if it is a "
        "class, write another word."
        for word in table.unlabelled_words
    ]


def label_warnings(table: Table) -> list[str]:
    """Say which labels were read as none or may be none, and which columns give away.

    Empty when there are no labels.
    """
    from pairsift.constraints import WORDS_FOR_NONE, count_marked, encode_labels

    if table.labels is None:
        return []
    found = words_taken_for_none(table)
    codes, classes = encode_labels(table.labels, table.missing_label)
    n_marked = 0 if table.missing_label is None else count_marked(table.labels, classes)
    if n_marked:
        found.append(
            f"{n_marked} of {codes.size} rows hold -1 in the label column and are "
            'taken as unlabelled; --unlabelled "" if -1 is a class, --unlabelled -1 if '
            "it is not."
        )
    words = [label for label in classes if isinstance(label, str)]
    # Who names the rows without a label has said what the others are.
    named = [word for word in words if word.strip() in WORDS_FOR_NONE]
    sign = named[0] if named and table.missing_label is not None else only_sign(words)
    if sign:
        found.append(
            f"rows with {sign!r} in the label column are taken as a class; "
            f"--unlabelled {shlex.quote(sign)} if they have no label."
        )
    return found + repeated_label(table.features, codes, CURES)


def use_warnings(
    method: Method,
    n_used: int,
    labels: Any,
    constraints: PairConstraints | None,
    pairs: PairConstraints | None = None,
) -> list[str]:
    """Say what was given but not used; `pairs` if those of labels were added to it."""
    name, learns = method.name, method.learns_from
    if learns.is_free:
        has_unused_labels = labels is not None and learns.labels == "no"
        given = [has_unused_labels and "labels", constraints and "constraints"]
        unused = " and ".join(kind for kind in given if kind)
        return [f"the {unused} are not used: {name} uses none."] if unused else []
    if constraints is None:
        return []
    counts = {"must": constraints.n_must_link, "cannot": constraints.n_cannot_link}
    used = kinds_used(method, n_used, constraints if pairs is None else pairs)
    reason = f"{name} learns from {learns.needs}."
    if labels is not None and n_used == 0:
        reason = f"labels are given, and {name} learns from those."
    return [
        f"{count(n_given, f'{kind}-link is', f'{kind}-links are')} not used: {reason}"
        for kind, n_given in counts.items()
        if n_given and kind not in used
    ]


def refuse_unusable(method: Method, table: Table, has_constraints: bool) -> None:
    """Say in the words of the command line what a method cannot work with."""
    features = table.features
    incomplete = list(features.columns[features.isna().to_numpy().any(axis=0)])
    text = list(features.select_dtypes(exclude=["number", "bool"]))
    refuse_columns(method, table, has_constraints, incomplete, text)


def refuse_columns(
    method: Method,
    table: Table,
    has_constraints: bool,
    incomplete: list[str],
    text: list[str],
) -> None:
    """Do the same for columns that are not loaded, of which others tell.

    incomplete : columns with missing values; text : columns of words.
    """
    is_free = method.learns_from.is_free
    is_blind = table.labels is None and not has_constraints
    if method.learns_from.from_numbers and table.labels is None:
        raise DataError(f"{method.name} needs {method.needs}: give --label COLUMN.")
    if not is_free and is_blind:
        raise DataError(
            f"{method.name} needs {method.needs}: give --label COLUMN or "
            "--constraints FILE."
        )
    for_missing, for_text = _accepting(table, has_constraints)
    if incomplete and not method.accepts_missing:
        raise DataError(
            f"{columns_are(incomplete, 'has', 'have')} missing values, and "
            f"{method.name} needs complete data: fill them in, such as with the median "
            f"of the column, leave the columns out with --drop, or {for_missing}."
        )
    if text and not method.accepts_categorical:
        raise DataError(
            f"{columns_are(text)} categorical, and {method.name} takes numbers "
            f"only: encode the columns, leave them out with --drop, or {for_text}."
        )


def _accepting(table: Table, has_constraints: bool) -> tuple[str, str]:
    """Say what accepts missing values and what accepts text, given the answers."""
    take = "take a method that accepts them, such as"
    if table.labels is None and not has_constraints:
        ask = (
            "sort some rows with `pairsift label` or `pairsift query`, which accept "
            "them: no method without labels or pairs does"
        )
        return ask, f"{take} unsupervised-mrmr"
    name = "pair-logistic" if table.labels is None else "relieff"
    return f"{take} {name}", f"{take} {name}"
