"""Forward search: one feature after the other, each the best beside those before it."""

from numbers import Real
from typing import Any, Protocol

import numpy as np

from pairsift._checks import check_at_least
from pairsift._typing import FloatArray, IndexArray

# Values that agree up to rounding are tied, and ties go to the smaller index.
SEARCH_TIE = 1e-12


def exceeds(value: Any, threshold: Any) -> Any:
    """Whether values are larger than a threshold, and not only by rounding.

    Shuffled data repeat a value, which no processor's way of adding may tell apart.
    """
    return value > threshold + SEARCH_TIE


class Search(Protocol):
    """What a forward search asks: which feature is best beside those added."""

    def best(self, left: IndexArray) -> tuple[int, float]:
        """Return the best of some features, and the value it leads to."""

    def ranked(self, left: IndexArray) -> tuple[IndexArray, FloatArray]:
        """Return some features, best first, and the value each would lead to."""

    def add(self, feature: int) -> None:
        """Add a feature to the subset."""


def forward_path(
    search: Search, n_features: int, n_steps: int
) -> tuple[IndexArray, FloatArray]:
    """Return all features in order, and the values of the first `n_steps` subsets.

    Behind the features added come the others in the order of the last step, with the
    values of the subsets that have one of them in place of the last added.
    """
    left = np.arange(n_features)
    path: list[int] = []
    values: list[float] = []
    for _ in range(n_steps - 1):
        feature, value = search.best(left)
        search.add(feature)
        path.append(feature)
        values.append(value)
        left = left[left != feature]
    rest, last = search.ranked(left)
    return np.concatenate([path, rest]).astype(np.int64), np.array([*values, *last])


def ascending(values: FloatArray, tolerance: float) -> IndexArray:
    """Return the positions of values in ascending order, ties in order of position."""
    order = np.argsort(values, kind="stable")
    is_larger = np.diff(values[order], prepend=values[order][:1]) > tolerance
    return order[np.lexsort((order, np.cumsum(is_larger)))]


def first_lowest(values: FloatArray, tolerance: float) -> int:
    """Return the first position whose value is the lowest or tied with it."""
    return int(np.argmax(values <= values.min() + tolerance))


def check_n_features(n_features: int | None, n_columns: int) -> int:
    """Return the number of steps that a search is asked for."""
    if n_features is None:
        return n_columns
    check_at_least(n_features, "n_features", 1)
    if n_features > n_columns:
        raise ValueError(
            f"n_features={n_features} asks for more than the {n_columns} features of X."
        )
    return int(n_features)


def check_quantile(quantile: Any) -> None:
    """Refuse what is not a number between 0 and 1."""
    if not isinstance(quantile, Real) or not 0.0 < float(quantile) < 1.0:
        raise ValueError(
            f"quantile must be a number between 0 and 1, got {quantile!r}."
        )
