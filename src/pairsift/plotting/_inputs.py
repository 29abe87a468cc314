"""What the pictures are drawn from, checked."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from pairsift._typing import FloatArray, IndexArray
from pairsift.selectors import BaseScoreSelector


def check_fitted(selector: Any, name: str = "selector") -> None:
    """Refuse what is no fitted selector."""
    if not isinstance(selector, BaseScoreSelector):
        raise TypeError(
            f"{name} must be a fitted selector of pairsift, got "
            f"{type(selector).__name__}."
        )
    selector.get_support()  # refuses a selector that is not fitted


def names_of_features(
    selector: Any, feature_names: Sequence[str] | None, n_features: int | None = None
) -> list[str]:
    """Names as given, as seen in fit, or x0, x1, ..."""
    if n_features is None:
        n_features = int(selector.n_features_in_)
    if feature_names is None:
        default = [f"x{j}" for j in range(n_features)]
        feature_names = list(getattr(selector, "feature_names_in_", default))
    if isinstance(feature_names, str) or len(feature_names) != n_features:
        given = (
            "one text"
            if isinstance(feature_names, str)
            else f"{len(feature_names)} names"
        )
        raise ValueError(
            f"feature_names must name the {n_features} features, got {given}."
        )
    return [str(name) for name in feature_names]


def named_selectors(selectors: Any, name: str) -> dict[str, Any]:
    """Selectors, or rankings in their place, by the names given or by their classes."""
    if isinstance(selectors, Mapping):
        found = {str(key): value for key, value in selectors.items()}
    else:
        if isinstance(selectors, BaseScoreSelector):
            selectors = [selectors]
        found = {}
        for selector in selectors if isinstance(selectors, list | tuple) else ():
            check_fitted(selector, f"each of {name}")
            key = type(selector).__name__
            n_before = sum(known.split(" (")[0] == key for known in found)
            found[f"{key} ({n_before + 1})" if n_before else key] = selector
    if not found:
        raise ValueError(
            f"{name} must be a mapping from names to fitted selectors, or a list of "
            f"them, with at least one, got {selectors!r}."
        )
    return found


def as_order(value: Any, name: str, n_features: int) -> IndexArray:
    """Column numbers, best first, of a selector or as given."""
    if isinstance(value, BaseScoreSelector):
        check_fitted(value, name)
        order = np.asarray(value.order_)
    else:
        order = np.asarray(value)
    is_order = order.ndim == 1 and order.size > 0 and order.dtype.kind in "iu"
    if (
        not is_order
        or order.min() < 0
        or order.max() >= n_features
        or np.unique(order).size < order.size
    ):
        raise ValueError(
            f"{name} must be a fitted selector or a list of column numbers from 0 to "
            f"{n_features - 1}, each once, got {value!r}."
        )
    return order.astype(np.int64)


def as_numbers(values: Any, name: str, dimensions: tuple[int, ...]) -> FloatArray:
    """Return finite numbers, in one of the numbers of dimensions accepted."""
    try:
        numbers = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        numbers = np.empty(0)
    if numbers.ndim not in dimensions or 0 in numbers.shape:
        forms = {1: "a list", 2: "a matrix"}
        wanted = " or ".join(forms[dimension] for dimension in dimensions)
        raise ValueError(f"{name} must be {wanted} of numbers, got {values!r}.")
    if not np.isfinite(numbers).all():
        raise ValueError(f"{name} must be finite, got NaN or infinity.")
    return numbers
