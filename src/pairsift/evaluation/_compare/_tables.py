"""A table of one split: as it is for those who take it, and as complete numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from pairsift._typing import BoolArray, FloatArray, IndexArray
from pairsift.exceptions import DataError
from pairsift.selectors import mixed_table

if TYPE_CHECKING:
    import pandas as pd

# A text feature with more values is a name or a comment, and costs as many columns.
MAX_VALUES = 1000
MEAN = "the mean of the training rows"


def read_table(X: Any) -> tuple[FloatArray, BoolArray, list[str]]:
    """Return numbers (NaN where missing), which are of text, and names of features."""
    try:
        matrix, is_text = mixed_table(X)
    except (TypeError, ValueError) as error:
        reason = str(error).partition("\n")[0]
        raise DataError(
            f"X must be a table of finite numbers, or a data frame that may hold text "
            f"and missing values: {reason}"
        ) from error
    if np.isnan(matrix).all():
        raise DataError("X must hold some values, all are missing.")
    names = [str(c) for c in getattr(X, "columns", range(matrix.shape[1]))]
    for j in np.flatnonzero(is_text):
        n_values = np.unique(matrix[~np.isnan(matrix[:, j]), j]).size
        if n_values > MAX_VALUES:
            raise DataError(
                f"X holds text with {n_values:,} different values in {names[j]!r} "
                f"(accepted are {MAX_VALUES:,}): leave the column out."
            )
    return matrix, is_text, names


@dataclass(frozen=True, eq=False)
class SplitTable:
    """Training and test rows, scaled by the training rows."""

    names: list[str]
    is_text: BoolArray
    train: FloatArray
    """Text as category numbers, NaN where a value is missing."""
    train_numbers: FloatArray
    """Complete: text as one column per value, missing values filled."""
    test_numbers: FloatArray
    feature: IndexArray
    """Feature of each column of the complete numbers, ascending."""
    changes: str
    """What was done to make complete numbers of the features, "" for nothing."""

    def for_selector(self, selector: Any) -> tuple[Any, str]:
        """Return the training rows in a form that a selector takes, and the changes."""
        from sklearn.utils import get_tags

        has_text, has_missing = self.is_text.any(), np.isnan(self.train).any()
        if not has_text and not has_missing:
            return self.train, ""
        accepted = get_tags(selector).input_tags
        if has_text and not accepted.categorical:
            return self.train_numbers, self.changes
        X, changes = self.train, ""
        if has_missing and not accepted.allow_nan:
            X = self._filled()
            most = " or their most frequent text" if has_text else ""
            changes = f"missing values filled with {MEAN}{most}"
        return (self._as_frame(X) if has_text else X), changes

    def as_given(self) -> Any:
        """Return the training rows with their text and missing values."""
        return self._as_frame(self.train) if self.is_text.any() else self.train

    def as_features(self, columns: IndexArray) -> IndexArray:
        """Turn a ranking of columns into one of features: each ranks as its best."""
        ranked = dict.fromkeys(self.feature[columns].tolist())
        return np.array(list(ranked), dtype=np.int64)

    def as_columns(
        self, order: IndexArray, sizes: IndexArray
    ) -> tuple[IndexArray, IndexArray]:
        """Return the columns of ranked features, and how many the best `sizes` have."""
        first, last = (
            np.searchsorted(self.feature, order, side=side)
            for side in ("left", "right")
        )
        columns = [np.arange(*ends) for ends in zip(first, last, strict=True)]
        return np.concatenate(columns), np.cumsum(last - first)[sizes - 1]

    def _filled(self) -> FloatArray:
        filled = self.train.copy()
        for j in np.flatnonzero(np.isnan(filled).any(axis=0)):
            column = filled[:, j]
            known = column[~np.isnan(column)]
            fill = _most_frequent(known) if self.is_text[j] else _mean(known)
            column[np.isnan(column)] = fill
        return filled

    def _as_frame(self, X: FloatArray) -> pd.DataFrame:
        """Return a data frame, by whose types selectors know the text."""
        import pandas as pd

        frame = pd.DataFrame(X, columns=self.names)
        text = dict.fromkeys(frame.columns[self.is_text], "category")
        return frame.astype(text)


def split_table(
    X: FloatArray,
    is_text: BoolArray,
    names: list[str],
    train: IndexArray,
    test: IndexArray,
) -> SplitTable:
    """Scale, encode and fill the features by their training rows."""
    from sklearn.preprocessing import MinMaxScaler

    rows = X[train], X[test]
    is_scaled = ~is_text & ~np.isnan(rows[0]).all(axis=0)
    if is_scaled.any():
        # Arrays, whatever the global setting of scikit-learn is.
        scaler = MinMaxScaler().set_output(transform="default")
        scaler.fit(rows[0][:, is_scaled])
        for part in rows:
            part[:, is_scaled] = scaler.transform(part[:, is_scaled])
    has_text, has_missing = is_text.any(), any(np.isnan(p).any() for p in rows)
    numbers = (*rows, np.arange(X.shape[1]))
    if has_text or has_missing:
        numbers = _complete(*rows, is_text)
    changes = [
        has_missing and f"missing values filled with {MEAN}",
        has_text and "text as one column per value",
    ]
    said = ", ".join(change for change in changes if change)
    return SplitTable(names, is_text, rows[0], *numbers, said)


def _complete(
    train: FloatArray, test: FloatArray, is_text: BoolArray
) -> tuple[FloatArray, FloatArray, IndexArray]:
    """Return both parts as numbers without gaps, and the feature of each column."""
    parts, feature = [], []
    for j in range(train.shape[1]):
        values = None
        if is_text[j]:
            values = np.unique(train[~np.isnan(train[:, j]), j])
        both = [_columns(part[:, j], values) for part in (train, test)]
        means = np.array([_mean(c[~np.isnan(c)]) for c in both[0].T])
        parts.append([np.where(np.isnan(part), means, part) for part in both])
        feature += [j] * means.size
    train_numbers, test_numbers = (
        np.column_stack(part) for part in zip(*parts, strict=True)
    )
    return train_numbers, test_numbers, np.array(feature, dtype=np.int64)


def _columns(column: FloatArray, values: FloatArray | None) -> FloatArray:
    """Return numbers as they are, text as one column per value, NaN where missing."""
    if values is None:
        return column[:, None]
    if values.size == 0:
        return np.full((column.size, 1), np.nan)
    # Two different values are at distance 1, as two ends of a range are.
    indicators = (column[:, None] == values) / np.sqrt(2.0)
    indicators[np.isnan(column)] = np.nan
    return indicators


def _mean(known: FloatArray) -> float:
    return float(known.mean()) if known.size else 0.0


def _most_frequent(known: FloatArray) -> float:
    if not known.size:
        return 0.0
    values, counts = np.unique(known, return_counts=True)
    return float(values[counts.argmax()])
