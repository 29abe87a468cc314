"""Random problems, each from its seed alone: a selector, data, and what is known."""

from dataclasses import dataclass, field
from numbers import Integral
from typing import Any

import numpy as np
import pandas as pd

from pairsift import PairConstraints
from pairsift._sklearn_compat import Interval, StrOptions
from tests.selectors.builders import SELECTORS

SHAPES = [(2, 1), (2, 4), (3, 3), (9, 1), (12, 6), (40, 5), (60, 12), (8, 70), (150, 3)]
SCALES = [1e-300, 1e-160, 1e-20, 1e20, 1e100, 1e160, 1e300]
# What they ask for takes as long: a draw would only show that.
AMOUNTS_OF_WORK = {
    "max_iter",
    "max_pairs",
    "max_points",
    "n_epochs",
    "n_first",
    "n_hidden",
    "n_penalties",
    "n_permutations",
    "n_replicates",
    "n_starts",
}
GENERAL = [["normal", "as it is"], ["normal", "units"]]
FEW = {"n_penalties": 5, "n_permutations": 3, "n_replicates": 3, "n_starts": 2}


@dataclass
class Problem:
    """One call of fit."""

    seed: int
    name: str
    X: Any
    """Rows and columns in some form: an array, lists or a data frame."""
    known: dict[str, Any]
    """y, constraints, or neither."""
    parameters: dict[str, Any]
    story: list[str] = field(default_factory=list)
    """What was drawn, to be read when a check fails."""
    is_general: bool = False
    """Whether no two features are tied but by chance."""

    def selector(self, **more: Any) -> Any:
        return SELECTORS[self.name](**self.parameters | more)

    def __str__(self) -> str:
        return f"seed {self.seed}: {self.name}({self.parameters}), {self.story}"


def draw(seed: int) -> Problem:
    names = sorted(SELECTORS)
    name = names[seed % len(names)]
    rng = np.random.default_rng(seed)
    story: list[str] = []
    shape = SHAPES[rng.integers(len(SHAPES))]
    numbers = _numbers(rng, shape, story)
    y = _classes(rng, numbers, story)
    X = _form(rng, numbers, SELECTORS[name], story)
    known = _known(rng, name, numbers, y, story)
    is_general = 12 < len(numbers) > 2 * numbers.shape[1] and story[:2] in GENERAL
    parameters = _parameters(rng, name)
    return Problem(seed, name, X, known, parameters, story, is_general)


def _pick(rng: np.random.Generator, story: list[str], *choices: str) -> str:
    choice = choices[rng.integers(len(choices))]
    story.append(choice)
    return choice


def _numbers(rng: np.random.Generator, shape: Any, story: list[str]) -> Any:
    n, d = shape
    kind = _pick(
        rng, story, "normal", "normal", "levels", "coins", "lattice", "one-hot", "equal"
    )
    X = {
        "normal": lambda: rng.normal(size=shape),
        "levels": lambda: rng.integers(0, 4, shape).astype(float),
        "coins": lambda: rng.integers(0, 2, shape).astype(float),
        "lattice": lambda: np.add.outer(np.arange(n), np.arange(d)) % 7.0,
        "one-hot": lambda: np.eye(d)[rng.integers(0, d, n)],
        "equal": lambda: np.full(shape, rng.normal()),
    }[kind]()
    change = _pick(
        rng,
        story,
        *["as it is"] * 4,
        *["copied rows", "copied columns", "constant column", "one outlier"],
        *["units", "offset", "scale", "one huge column"],
    )
    if change == "copied rows":
        X = X[rng.integers(0, max(n // 3, 1), n)]
    elif change == "copied columns":
        X = X[:, rng.integers(0, max(d // 2, 1), d)]
    elif change == "constant column":
        X[:, rng.integers(d)] = 0.1
    elif change == "one outlier":
        X[rng.integers(n), rng.integers(d)] = 1e6
    elif change == "units":
        X = X * 10.0 ** rng.uniform(-4, 4, d) + rng.normal(size=d)
    elif change == "offset":
        X = X + 1e8
    elif change == "scale":
        X = X * SCALES[rng.integers(len(SCALES))]
    elif change == "one huge column":
        X[:, rng.integers(d)] *= 1e200
    return X


def _classes(rng: np.random.Generator, X: Any, story: list[str]) -> Any:
    n = len(X)
    kind = _pick(
        rng, story, *["told by a column"] * 3, "random", "one class", "rare", "unique"
    )
    if kind == "told by a column":
        column = X[:, rng.integers(X.shape[1])]
        return (column > np.median(column)).astype(int)
    if kind == "random":
        return rng.integers(0, 3, n)
    if kind == "rare":
        return (np.arange(n) == 0).astype(int)
    return np.zeros(n, dtype=int) if kind == "one class" else np.arange(n)


def _form(rng: np.random.Generator, X: Any, cls: Any, story: list[str]) -> Any:
    form = _pick(
        rng,
        story,
        *["float64"] * 6,
        *["float32", "int64", "int8", "bool", "object", "fortran", "strided"],
        *["readonly", "list", "frame", "mixed frame", "missing"],
    )
    if form in ("float32", "int8", "int64") and np.abs(X).max() > 100:
        X = X / np.abs(X).max()
    if form == "strided":
        return np.repeat(X, 2, axis=1)[:, ::2]
    if form == "readonly":
        X = X.copy()
        X.setflags(write=False)
        return X
    if form == "missing" and cls._accepts_missing:
        return np.where(rng.random(X.shape) < 0.2, np.nan, X)
    if form == "frame" or (form == "mixed frame" and not cls._accepts_categorical):
        return pd.DataFrame(X).rename(columns=str)
    if form == "mixed frame":
        frame = pd.DataFrame(X).rename(columns=str)
        frame["text"] = rng.choice(["red", "blue", "green"], len(X))
        frame["yes"] = rng.random(len(X)) < 0.5
        return frame
    return {
        "float32": lambda: X.astype(np.float32),
        "int64": lambda: np.round(100 * X).astype(np.int64),
        "int8": lambda: np.round(100 * X / max(np.abs(X).max(), 1)).astype(np.int8),
        "bool": lambda: np.median(X) < X,
        "object": lambda: X.astype(object),
        "fortran": lambda: np.asfortranarray(X),
        "list": X.tolist,
    }.get(form, X.copy)()


def _known(
    rng: np.random.Generator, name: str, X: Any, y: Any, story: list[str]
) -> dict[str, Any]:
    context = SELECTORS[name]._method.context
    if SELECTORS[name]._method.learns_from.from_numbers:
        return {"y": rng.normal(size=len(X)) + X[:, 0] / (np.abs(X[:, 0]).max() or 1)}
    if context == "unsupervised":
        return {}
    if context == "constrained" and rng.random() < 0.7 and np.unique(y).size > 1:
        return {"constraints": _pairs(rng, y, story)}
    if context == "semi-supervised" or rng.random() < 0.2:
        y = np.where(rng.random(len(y)) < 0.5, y, -1)
    form = _pick(rng, story, "whole", "text", "float", "list")
    if form == "text":
        names = ["", "ill", "well", *map(str, range(y.max()))]
        return {"y": np.array(names)[y + 1]}
    if form == "list":
        return {"y": y.tolist()}
    return {"y": y.astype(float) if form == "float" else y}


def _pairs(rng: np.random.Generator, y: Any, story: list[str]) -> PairConstraints:
    kind = _pick(rng, story, *["both"] * 4, "must-links", "cannot-links")
    pairs = np.array([(a, b) for b in range(len(y)) for a in range(b)])
    pairs = pairs[rng.permutation(len(pairs))[:40]]
    is_same = y[pairs[:, 0]] == y[pairs[:, 1]]
    must = pairs[is_same][: 0 if kind == "cannot-links" else 20]
    cannot = pairs[~is_same][: 0 if kind == "must-links" else 20]
    return PairConstraints(must, cannot, n_samples=len(y))


def _parameters(rng: np.random.Generator, name: str) -> dict[str, Any]:
    """A few parameters that are not the default, as the selector says it takes them."""
    cls = SELECTORS[name]
    own = cls().get_params(deep=False)
    parameters = {key: few for key, few in FEW.items() if key in own}
    if "random_state" in own:
        parameters["random_state"] = 0
    for key, accepted in cls._parameter_constraints.items():
        if key in AMOUNTS_OF_WORK | {"n_jobs", "random_state"} or rng.random() > 0.15:
            continue
        value = _value(rng, accepted[rng.integers(len(accepted))])
        if value is not ...:
            parameters[key] = value
    return parameters


def _value(rng: np.random.Generator, accepted: Any) -> Any:
    """Some value that a constraint allows, often an extreme one; ... for none."""
    if accepted == "boolean":
        return bool(rng.integers(2))
    if isinstance(accepted, StrOptions):
        return str(rng.choice(sorted(accepted.options)))
    if isinstance(accepted, Interval):
        if accepted.type is Integral:
            choices: list[Any] = [1, 2, 3, 50, 10**6, 10**30]
        else:
            choices = [1e-30, 1e-3, 0.3, 0.999, 1.0, 1, 30.0, 1e30, 10**30]
        choices = [value for value in choices if value in accepted]
        return choices[rng.integers(len(choices))] if choices else ...
    if accepted is tuple:
        # The only tuples are ramps.
        return (0.1, 0.6) if rng.integers(2) else (0.0, 1.0)
    return None if accepted is None else ...
