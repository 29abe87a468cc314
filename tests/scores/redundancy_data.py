"""Data on which the scores of single features and of their likeness are compared."""

import numpy as np


def datasets():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(24, 6)) + np.arange(6)
    X[:, 3] = X[:, 1] + 0.1 * rng.normal(size=24)
    return {
        "random": X,
        "far from zero": X + 1e4,
        "ties": np.round(X),
        "constant": np.column_stack([np.full(24, 0.1), X, np.zeros(24)]),
        "copies": np.column_stack([X, -X[:, :3], X[:, 4]]),
        "duplicated rows": X[np.arange(24) // 3],
        "one feature": X[:, :1],
        "two features": X[:, :2],
        "two rows": X[:2],
        "more features than rows": rng.normal(size=(7, 19)),
        "single precision": X.astype(np.float32),
        "Fortran order": np.asfortranarray(X),
        "units": X * [1e-6, 1.0, 1e6, 3.0, 0.1, 10.0],
    }


DATA = datasets()
