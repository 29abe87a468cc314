"""A fitted selector, and its data as Python users hold them, made into a ranking."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from pairsift.exceptions import ConstraintError, DataError
from pairsift.reports._data_warnings import data_warnings, repeated_label
from pairsift.reports._ranking import (
    Fit,
    Ranking,
    doubtful,
    method_of,
    ranked_features,
)
from pairsift.reports._table import Table

if TYPE_CHECKING:
    import pandas as pd

    from pairsift._typing import IndexArray
    from pairsift.constraints import PairConstraints
    from pairsift.selectors import Method


class Given(NamedTuple):
    """The data that a selector was fitted to, as far as they are given."""

    X: Any = None
    y: Any = None
    constraints: Any = None
    feature_names: Any = None
    sample_ids: Any = None
    missing_label: Any = "auto"


def fitted_ranking(
    selector: Any, given: Given, *, classes: str = "class", has_doubts: bool = True
) -> Ranking:
    """Return the ranking of a fitted selector, with all that its data tell.

    `classes` is what labels stand for; without `has_doubts` no answer is judged.
    """
    selector.get_support()  # refuses a selector that is not fitted
    names = feature_names_of(selector, given.X, given.feature_names)
    if given.X is None:
        return _without_data(selector, names, given)
    method = method_of(type(selector))
    table = _table(given, names)
    pairs = _pairs(given, table)
    codes, n_labelled = _codes(selector, method, table)
    doubts = []
    if pairs is not None and has_doubts:
        doubts = doubtful(selector, table.features, pairs, table)
    uses_labels = codes is not None and method.learns_from.labels != "no"
    fit = Fit(
        selector,
        table.features,
        table.labels,
        codes if uses_labels else None,
        pairs,
        given.missing_label,
        _seconds(selector, table, n_labelled, pairs),
    )
    return Ranking(
        method=method,
        parameters=selector.get_params(),
        table=table,
        constraints=pairs,
        n_labelled=n_labelled,
        n_constraints_used=int(selector.n_constraints_used_),
        features=ranked_features(selector, names),
        warnings=[
            *data_warnings(table.features),
            *([] if codes is None else repeated_label(table.features, codes)),
            *doubts,
        ],
        fit=fit,
        classes=classes,
    )


def feature_names_of(selector: Any, X: Any, feature_names: Any) -> list[str]:
    """Return names as given, as seen in fit, of the columns of X, or x0, x1, ..."""
    n_features = int(selector.n_features_in_)
    if feature_names is None:
        feature_names = getattr(selector, "feature_names_in_", None)
    if feature_names is None:
        feature_names = getattr(X, "columns", None)
    if feature_names is None:
        feature_names = [f"x{j}" for j in range(n_features)]
    names = _texts(feature_names, "feature_names")
    if len(names) != n_features:
        raise ValueError(
            f"feature_names must name the {n_features} features, got {len(names)}."
        )
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise ValueError(f"feature_names must differ, got {twice!r} twice.")
    return names


def as_frame(X: Any, names: Sequence[str]) -> pd.DataFrame:
    """Return data as a pandas data frame with these names, rows counted from 0."""
    import pandas as pd

    frame = X.to_pandas() if hasattr(X, "to_pandas") else X
    if not isinstance(frame, pd.DataFrame):
        frame = np.asarray(frame)
        if frame.ndim != 2:
            raise DataError(
                "X must be a table of rows and columns, got an array of shape "
                f"{frame.shape}."
            )
        frame = pd.DataFrame(frame).infer_objects()
    if frame.shape[1] != len(names):
        raise DataError(
            f"X must have the {len(names)} columns that the selector was fitted to, "
            f"got {frame.shape[1]}."
        )
    return frame.set_axis(list(names), axis=1).reset_index(drop=True)


def row_ids(sample_ids: Any, n_rows: int) -> list[str] | None:
    """Return the ids of the rows as text, of each row one."""
    if sample_ids is None:
        return None
    ids = _texts(sample_ids, "sample_ids")
    if len(ids) != n_rows:
        raise DataError(f"sample_ids must name the {n_rows} rows of X, got {len(ids)}.")
    return ids


def _texts(values: Any, name: str) -> list[str]:
    if isinstance(values, str) or not hasattr(values, "__iter__"):
        raise TypeError(f"{name} must be a list of names, got {values!r}.")
    return [str(value) for value in values]


def _without_data(selector: Any, names: list[str], given: Given) -> Ranking:
    import pandas as pd

    for name in ("y", "constraints", "sample_ids"):
        if getattr(given, name) is not None:
            raise TypeError(
                f"{name} goes with X: give the data that the selector was fitted to."
            )
    return Ranking(
        method=method_of(type(selector)),
        parameters=selector.get_params(),
        table=Table(pd.DataFrame(columns=names, dtype=np.float64)),
        constraints=None,
        n_labelled=0,
        n_constraints_used=int(selector.n_constraints_used_),
        features=ranked_features(selector, names),
        warnings=[],
        fit=None,
    )


def _table(given: Given, names: list[str]) -> Table:
    from pairsift.constraints import as_label_array, sample_ids_of

    features = as_frame(given.X, names)
    labels = None if given.y is None else as_label_array(given.y)
    if labels is not None and labels.shape != (len(features),):
        raise DataError(
            f"y must have one label for each of the {len(features)} rows of X, got "
            f"an array of shape {labels.shape}."
        )
    names_of_rows = sample_ids_of(given.X, given.constraints, given.sample_ids)
    if names_of_rows is None:
        names_of_rows = getattr(given.constraints, "ids", None)
    ids = row_ids(names_of_rows, len(features))
    return Table(features, labels, ids, missing_label=given.missing_label)


def _pairs(given: Given, table: Table) -> PairConstraints | None:
    from pairsift.constraints import PairConstraints, sample_ids_of

    pairs, n_rows = given.constraints, len(table.features)
    if pairs is None:
        return None
    if not isinstance(pairs, PairConstraints):
        raise ConstraintError(
            f"constraints must be a PairConstraints, got {type(pairs).__name__}."
        )
    sample_ids = sample_ids_of(given.X, pairs, given.sample_ids)
    return PairConstraints(*pairs.resolve(n_rows, sample_ids), n_samples=n_rows)


def _codes(
    selector: Any, method: Method, table: Table
) -> tuple[IndexArray | None, int]:
    """Return classes of the rows, None for a numeric target, and how many have one."""
    from pairsift.constraints import encode_labels

    if method.learns_from.from_numbers:
        return None, int(selector.n_labelled_)
    if table.labels is None:
        return None, 0
    codes = encode_labels(table.labels, table.missing_label)[0]
    return codes, int(np.count_nonzero(codes >= 0))


def _seconds(
    selector: Any, table: Table, n_labelled: int, pairs: PairConstraints | None
) -> float:
    from pairsift.selectors import estimate_seconds

    n_pairs = 0 if pairs is None else len(pairs)
    return estimate_seconds(
        selector, *table.features.shape, n_labelled=n_labelled, n_pairs=n_pairs
    )
