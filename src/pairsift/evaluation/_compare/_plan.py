"""What a comparison compares: selectors and classifiers by name, and all settings."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import product
from numbers import Integral
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from pairsift._drawing import are_numbers
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
MAX_SIZES = 60
ALL = "all"
"""In place of a number of questions: all labels."""
RANDOM_ORDER = "random-order"
ALL_FEATURES = "all-features"
BASELINES = (RANDOM_ORDER, ALL_FEATURES)
"""Lines that learn nothing, with which methods are compared."""

DrawPairs = Callable[
    [FloatArray, IndexArray, int, np.random.Generator], PairConstraints
]


class Entry(NamedTuple):
    """A selector under its name, and what it learns from."""

    name: str
    selector: Any
    """A selector, or the name of a baseline."""
    kind: str
    questions: int | str | None = None
    """Number of questions whose answers it learns from; 0 for guessed classes, "all"
    for all labels, None for what `kind` says."""
    alpha: float | None = None
    """How far these answers are spread; None for what the plan says."""
    settings: tuple[tuple[str, Any], ...] = ()
    """What tells it from other lines of the same selector: "questions", "alpha" or a
    parameter, and its value."""

    @property
    def sweep(self) -> dict[str, Any]:
        """The settings by name."""
        return dict(self.settings)

    @property
    def label(self) -> str:
        """Its name in the tables."""
        return line_name(self.name, self.sweep)

    @property
    def answers(self) -> tuple[int | str | None, float | None]:
        """Which answers it learns from."""
        return self.questions, self.alpha


def line_name(name: str, sweep: Mapping[str, Any]) -> str:
    """Return the name of a selector, and what tells it from its other lines."""
    return f"{name}, {settings_text(sweep)}" if sweep else name


def settings_text(sweep: Mapping[str, Any]) -> str:
    """Say which of several settings these are."""
    return ", ".join(
        knowledge(value) if key == "questions" else f"{key}={value}"
        for key, value in sweep.items()
    )


def knowledge(number: int | str | None) -> str:
    """Say in two words what this number of questions tells."""
    if number is None:
        return ""
    if number == ALL:
        return "all labels"
    answers = "1 answer" if number == 1 else f"{number} answers"
    return answers if number else "no questions"


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
    reference: Any = None
    """Ranking that others are compared with, or a selector that makes it from all
    training labels."""
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
            "reference": describe(self.reference),
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
    names = [name for name, selector in named if not isinstance(selector, str)]
    for name, kind in wanted.items():
        if name not in names or kind not in KINDS:
            raise DataError(
                f"supervision must map names of selectors ({', '.join(names)}) to "
                f"{', '.join(map(repr, KINDS))}, got {name!r}: {kind!r}."
            )
    return [Entry(n, s, wanted.get(n) or _kind(n, s)) for n, s in named]


def over_grid(
    entries: list[Entry], grid: Mapping[str, Sequence[Any]] | None
) -> list[Entry]:
    """Return each selector once for each combination of the values of its grid."""
    from sklearn.base import clone

    values: dict[str, dict[str, list[Any]]] = {entry.name: {} for entry in entries}
    for key, listed in dict(grid or {}).items():
        name, parameter = _parameter_of(key, entries)
        if isinstance(listed, str) or not hasattr(listed, "__len__") or not len(listed):
            raise DataError(
                f"grid must list at least one value for {key!r}, got {listed!r}."
            )
        values[name][parameter] = list(listed)
    found = []
    for entry in entries:
        for chosen in product(*values[entry.name].values()):
            sweep = dict(zip(values[entry.name], chosen, strict=True))
            selector = entry.selector
            if sweep:
                selector = clone(selector).set_params(**sweep)
            found.append(
                entry._replace(selector=selector, settings=tuple(sweep.items()))
            )
    labels = [entry.label for entry in found]
    twice = [label for label in labels if labels.count(label) > 1]
    if twice:
        raise DataError(f"grid must make different lines, got {twice[0]!r} twice.")
    return found


def _parameter_of(key: Any, entries: list[Entry]) -> tuple[str, str]:
    """Return the selector and the parameter that a key of a grid names."""
    for entry in entries:
        prefix = f"{entry.name}__"
        if isinstance(entry.selector, str):
            continue
        if isinstance(key, str) and key.startswith(prefix):
            parameter = key.removeprefix(prefix)
            known = entry.selector.get_params()
            if parameter not in known:
                raise DataError(
                    f"grid: {entry.name!r} has no parameter {parameter!r}, but "
                    f"{', '.join(known)}."
                )
            return entry.name, parameter
    example = f"{entries[0].name}__n_neighbors"
    raise DataError(
        "grid must map names of selectors and parameters, such as "
        f"{example!r}, to values, got {key!r}."
    )


def as_reference(reference: Any, names: list[str]) -> Any:
    """Return a ranking of feature numbers, or a selector, or None."""
    if reference is None or hasattr(reference, "fit"):
        return reference
    if isinstance(reference, str):
        try:
            return find_method(reference)()
        except ValueError as error:
            raise DataError(f"reference: {error}") from error
    number_of = {name: j for j, name in enumerate(names)}
    listed = [number_of.get(f, f) if isinstance(f, str) else f for f in reference]
    is_whole = all(isinstance(f, Integral) for f in listed)
    if not is_whole or sorted(listed) != list(range(len(names))):
        raise DataError(
            f"reference must rank each of the {len(names)} features once, best first, "
            f"or be a selector that does, got {reference!r}."
        )
    return np.array(listed, dtype=np.int64)


def _named(given: Any) -> tuple[str, Any]:
    is_pair = isinstance(given, tuple | list) and len(given) == 2
    name, selector = given if is_pair else (None, given)
    if isinstance(selector, str) and selector in BASELINES:
        return selector, selector
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
    if isinstance(selector, str):
        return "nothing"
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
    """Return all numbers of features, or MAX_SIZES at equal ratios if more."""
    if n_features <= MAX_SIZES:
        return np.arange(1, n_features + 1)
    ratios = np.geomspace(1, n_features, MAX_SIZES)
    return np.unique(np.round(ratios).astype(np.int64))


def is_swept(sweep: Mapping[str, Any], by: str) -> bool:
    """Whether a line has a place among the others; "all" questions are no number."""
    return by in sweep and not (by == "questions" and sweep[by] == ALL)


def in_order(values: Iterable[Any]) -> list[Any]:
    """Return different values, numbers in rising order."""
    listed = list(dict.fromkeys(values))
    return sorted(listed) if are_numbers(listed) else listed
