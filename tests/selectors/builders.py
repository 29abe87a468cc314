"""Every selector with suitable data: a new one is added by its class alone."""

import numpy as np
import pytest

from pairsift import PairConstraints
from pairsift.selectors._base import BaseScoreSelector, FromClasses, FromPairs
from pairsift.selectors._catalogue import selector_classes

SELECTORS = {cls.__name__: cls for cls in selector_classes()}


def defines(name, *methods):
    """Whether a selector has one of the methods beside those of the base classes."""
    shared = (BaseScoreSelector, FromClasses, FromPairs)
    own = [
        cls
        for cls in SELECTORS[name].__mro__
        if cls.__module__.startswith("pairsift") and cls not in shared
    ]
    return any(method in vars(cls) for cls in own for method in methods)


# What `fit` does before and after the score is code of the three base classes: one
# selector of each stands for all, beside those that have a `fit` of their own.
WAYS_TO_FIT = [
    *("VarianceScore", "ReliefF", "ReliefFSc"),
    *(name for name in SELECTORS if defines(name, "fit", "_resolve")),
]
each_selector = pytest.mark.parametrize("name", SELECTORS)
each_way_to_fit = pytest.mark.parametrize("name", WAYS_TO_FIT)


def each_selector_that(condition):
    return pytest.mark.parametrize("name", [*filter(condition, SELECTORS)])


# What a fit does many times over, each time alike: trials with a classifier for every
# feature, draws of rows, starts of a network or of k-means.
FEW = {"n_trials": 2, "n_replicates": 10, "n_starts": 3, "n_init": 3}


def build(name, **parameters):
    """The selector with a fixed seed, if it has one."""
    cls = SELECTORS[name]
    if "random_state" in cls().get_params():
        parameters.setdefault("random_state", 0)
    for repeated, number in FEW.items():
        if repeated in cls().get_params():
            parameters.setdefault(repeated, number)
    return cls(**parameters)


def problem(seed=0, n_samples=40, n_features=6):
    """Data in which columns 4 and 1 tell three classes apart, of equal variance."""
    rng = np.random.default_rng(seed)
    y = np.arange(n_samples) % 3
    X = rng.normal(size=(n_samples, n_features))
    X[:, 4] += 3.0 * (y == 1)
    X[:, 1] += 3.0 * (y == 2)
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    return X, y


def fit_arguments(name, y, seed=0):
    """Pairs for the constrained, labels for the supervised, nothing for the others.

    The semi-supervised get labels of which two thirds are missing.
    """
    context = SELECTORS[name]._method.context
    if context == "semi-supervised":
        return {"y": np.where(np.arange(len(y)) % 7 < 2, y, -1)}
    if context == "constrained":
        return {"constraints": PairConstraints.sample(y, 15, 10, random_state=seed)}
    return {"y": y} if context == "supervised" else {}
