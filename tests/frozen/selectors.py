"""Every selector on ten small tables, with each kind of supervision."""

import warnings
from typing import Any

import numpy as np
import pandas as pd
from sklearn.datasets import (
    load_breast_cancer,
    load_diabetes,
    load_digits,
    load_iris,
    load_wine,
)

from pairsift import PairConstraints
from tests.selectors.builders import SELECTORS, build


def tables() -> dict[str, tuple[Any, np.ndarray]]:
    """Return ten small tables with the class of each row."""
    wine, wine_y = load_wine(return_X_y=True, as_frame=True)
    cancer, cancer_y = load_breast_cancer(return_X_y=True)
    digits, digits_y = load_digits(n_class=3, return_X_y=True)
    iris, iris_y = load_iris(return_X_y=True)
    diabetes, progression = load_diabetes(return_X_y=True)
    rng = np.random.default_rng(0)
    y = np.arange(60) % 3
    normal = rng.normal(size=(60, 8)) + 2.0 * (y[:, None] == np.arange(8) % 4)
    wide = rng.normal(size=(20, 30)) + (np.arange(20) % 2)[:, None] * (
        np.arange(30) < 4
    )
    apart = rng.normal(size=(80, 6))
    coins = rng.integers(0, 2, size=(50, 7)).astype(float)
    gaps = np.where(rng.random((60, 8)) < 0.15, np.nan, normal)
    mixed = pd.DataFrame(normal[:, :4], columns=[*"abcd"]).assign(
        colour=np.array(["red", "green", "blue"])[(y + (rng.random(60) < 0.2)) % 3],
        smokes=rng.random(60) < 0.4,
    )
    return {
        "wine": (wine[::2].reset_index(drop=True), wine_y[::2].to_numpy()),
        "cancer": (cancer[::8, :10], cancer_y[::8]),
        "iris": (iris[::2], iris_y[::2]),
        "digits": (digits[:90, 8:24], digits_y[:90]),
        "diabetes": (diabetes[:80], (progression[:80] > 140).astype(int)),
        "normal": (normal, y),
        "wide": (wide, np.arange(20) % 2),
        "together": (apart, (apart[:, 0] * apart[:, 3] > 0).astype(int)),
        "coins": (coins, (coins[:, 2] + coins[:, 5] > 1).astype(int)),
        "gaps": (gaps, y),
        "mixed": (mixed, y),
    }


def kinds_of_supervision(y: np.ndarray, number: np.ndarray) -> dict[str, Any]:
    """Return the arguments of `fit`, from all labels to nothing."""
    return {
        "labels": {"y": y},
        "some": {"y": np.where(np.arange(y.size) % 4 == 0, y, -1)},
        "pairs": {"constraints": PairConstraints.sample(y, 15, 10, random_state=0)},
        "number": {"y": number},
        "nothing": {},
    }


def outcome(name: str, X: Any, known: dict[str, Any]) -> dict[str, Any]:
    """Fit one selector; return scores, order and selection, or the type of error."""
    selector = build(name)
    if "n_jobs" in selector.get_params():
        selector.set_params(n_jobs=1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            selector.fit(X, **known)
        except (ValueError, TypeError) as error:
            return {"error": type(error).__name__}
    return {
        "scores": selector.scores_,
        "order": selector.order_,
        "support": np.flatnonzero(selector.support_),
    }


def outcomes(name: str) -> dict[str, dict[str, Any]]:
    """Fit one selector to every table with every kind of supervision."""
    found = {}
    for table, (X, y) in tables().items():
        number = np.arange(len(y)) * 0.37 + y
        for kind, known in kinds_of_supervision(y, number).items():
            if SELECTORS[name]._method.learns_from.from_numbers != (kind == "number"):
                continue
            found[f"{table}/{kind}"] = outcome(name, X, known)
    return found
