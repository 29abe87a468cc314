"""Every selector with suitable data: a new one is added by its class alone."""

import numpy as np

from pairsift import PairConstraints
from pairsift.selectors._catalogue import selector_classes

SELECTORS = {cls.__name__: cls for cls in selector_classes()}


def build(name, **parameters):
    """The selector with a fixed seed, if it has one."""
    cls = SELECTORS[name]
    if "random_state" in cls().get_params():
        parameters.setdefault("random_state", 0)
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
