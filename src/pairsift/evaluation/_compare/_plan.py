"""What a comparison compares: selectors and classifiers by name, and all settings."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from pairsift._typing import BoolArray, FloatArray, IndexArray
from pairsift._version import __version__
from pairsift.active import Asking
from pairsift.constraints import PairConstraints
from pairsift.evaluation._accuracy import _check_classifier
from pairsift.exceptions import DataError
from pairsift.selectors import find_method

if TYPE_CHECKING:
    from sklearn.base import BaseEstimator

KINDS = ("labels", "pairs", "nothing")
"""What a selector may learn from."""
MOST_SIZES = 60

DrawPairs = Callable[
    [FloatArray, IndexArray, int, np.random.Generator], PairConstraints
]


class Entry(NamedTuple):
    """A selector under its name, and what it learns from."""

    name: str
    selector: Any
    kind: str
    questions: int | str | None = None
    """Number of questions whose answers it learns from; 0 for guessed classes, "all"
    for all labels, None for what `kind` says."""
    suffix: str = ""
    """What tells it from the same selector with other questions."""

    @property
    def label(self) -> str:
        """Its name in the tables."""
        return f"{self.name}, {self.suffix}" if self.suffix else self.name


@dataclass(frozen=True, eq=False)
class Plan:
    """All that decides the numbers of a comparison, but the selectors and splits."""

    data: str
    X: FloatArray
    """Text as category numbers, NaN where a value is missing."""
    is_text: BoolArray
    names: list[str]
    codes: IndexArray
    classifiers: dict[str, str | BaseEstimator]
    sizes: IndexArray
    test_size: float
    n_pairs: int | None
    n_labelled: int | None
    draw_pairs: DrawPairs | None
    seed: int
    asking: Asking = field(default_factory=Asking)
    wrong: float = 0.0
    """Share of wrong answers."""
    is_parallel: bool = False
    """Cells run side by side: a selector keeps to one core."""

    def settings(self) -> dict[str, Any]:
        """Return what must agree for results to stand in one table."""
        digest = hashlib.sha256(np.ascontiguousarray(self.X).tobytes())
        digest.update(self.codes.tobytes())
        if self.is_text.any():
            digest.update(self.is_text.tobytes())
        return {
            "pairsift": __version__,
            "data": self.data,
            "shape": list(self.X.shape),
            "content": digest.hexdigest(),
            "classifiers": {k: describe(v) for k, v in self.classifiers.items()},
            "sizes": self.sizes.tolist(),
            "test_size": self.test_size,
            "n_pairs": self.n_pairs,
            "n_labelled": self.n_labelled,
            "draw_pairs": describe(self.draw_pairs),
            "random_state": self.seed,
            "strategy": self.asking.strategy,
            "mode": self.asking.mode,
            "spread": describe(self.asking.spread),
            "wrong": self.wrong,
        }

    def generator(self, split: int, purpose: int) -> np.random.Generator:
        """Return a stream of its own for each use, whatever the number of splits."""
        key = np.random.SeedSequence(self.seed, spawn_key=(split, purpose))
        return np.random.default_rng(key)


def describe(value: Any) -> Any:
    """Return what JSON can hold and tells one parameter value from another."""
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, np.ndarray):
        digest = hashlib.sha256(np.ascontiguousarray(value).tobytes()).hexdigest()
        return f"array {value.shape} {value.dtype} {digest}"
    if isinstance(value, list | tuple):
        return [describe(item) for item in value]
    if isinstance(value, Mapping):
        return {str(key): describe(item) for key, item in value.items()}
    if isinstance(value, partial):
        return [describe(value.func), describe(value.args), describe(value.keywords)]
    if hasattr(value, "get_params") and not isinstance(value, type):
        kind = f"{type(value).__module__}.{type(value).__qualname__}"
        return {kind: describe(value.get_params(deep=False))}
    if hasattr(value, "__qualname__"):
        return f"{value.__module__}.{value.__qualname__}"
    return repr(value)


def as_entries(selectors: Any, supervision: Mapping[str, str] | None) -> list[Entry]:
    """Return the selectors meant, or an error that names the one that is none."""
    if isinstance(selectors, Mapping):
        selectors = list(selectors.items())
    elif isinstance(selectors, str) or hasattr(selectors, "fit"):
        selectors = [selectors]
    named = [_named(given) for given in selectors]
    if not named:
        raise DataError("selectors must name at least one selector, got none.")
    names = [name for name, _ in named]
    twice = [name for name in names if names.count(name) > 1]
    if twice:
        raise DataError(
            f"selectors must have different names, got {twice[0]!r} twice: give "
            "(name, selector) pairs."
        )
    wanted = dict(supervision or {})
    for name, kind in wanted.items():
        if name not in names or kind not in KINDS:
            raise DataError(
                f"supervision must map names of selectors ({', '.join(names)}) to "
                f"{', '.join(map(repr, KINDS))}, got {name!r}: {kind!r}."
            )
    return [Entry(n, s, wanted.get(n) or _kind(n, s)) for n, s in named]


def _named(given: Any) -> tuple[str, Any]:
    is_pair = isinstance(given, tuple | list) and len(given) == 2
    name, selector = given if is_pair else (None, given)
    if isinstance(selector, str):
        selector = find_method(selector)()
    is_selector = hasattr(selector, "fit") and hasattr(selector, "get_params")
    if not is_selector or isinstance(selector, type):
        raise DataError(
            "selectors must be selectors, such as ReliefF(), names of "
            f"pairsift.methods(), or (name, selector) pairs, got {given!r}."
        )
    if name is None:
        method = getattr(selector, "_method", None)
        name = method.name if method else type(selector).__name__
    return str(name), selector


def _kind(name: str, selector: Any) -> str:
    """Return what a selector learns from by its line of the catalogue."""
    method = getattr(selector, "_method", None)
    if method is None:
        return "labels"
    learns = method.learns_from
    if learns.from_numbers:
        raise DataError(
            f"selectors: {name!r} needs {learns.needs}, and here rows have classes."
        )
    if learns.is_free:
        return "nothing"
    return "pairs" if learns.from_pairs else "labels"


def as_classifiers(
    classifiers: str | BaseEstimator | Sequence[Any] | Mapping[str, Any],
) -> dict[str, str | BaseEstimator]:
    """Return classifiers by name, each one that `accuracy_curve` takes."""
    if isinstance(classifiers, Mapping):
        classifiers = list(classifiers.items())
    elif isinstance(classifiers, str) or hasattr(classifiers, "fit"):
        classifiers = [classifiers]
    found: dict[str, str | BaseEstimator] = {}
    listed: list[Any] = list(classifiers)
    for given in listed:
        is_pair = isinstance(given, tuple | list) and len(given) == 2
        name, classifier = given if is_pair else (None, given)
        _check_classifier(classifier)
        if name is None:
            is_text = isinstance(classifier, str)
            name = classifier if is_text else type(classifier).__name__
        if name in found:
            raise DataError(
                f"classifiers must have different names, got {name!r} twice: give "
                "(name, classifier) pairs."
            )
        found[str(name)] = classifier
    if not found:
        raise DataError("classifiers must name at least one classifier, got none.")
    return found


def default_sizes(n_features: int) -> IndexArray:
    """Return all numbers of features, or MOST_SIZES at equal ratios if more."""
    if n_features <= MOST_SIZES:
        return np.arange(1, n_features + 1)
    ratios = np.geomspace(1, n_features, MOST_SIZES)
    return np.unique(np.round(ratios).astype(np.int64))
