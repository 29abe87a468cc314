"""Tables of both kinds of columns, with and without what makes estimates difficult."""

import numpy as np


def datasets():
    rng = np.random.default_rng(3)
    n = 26
    y = np.arange(n) % 2
    X = rng.normal(size=(n, 4))
    X[:, 1] += 2.0 * y
    X[:, 3] = X[:, 1] + 0.2 * rng.normal(size=n)
    discrete = np.column_stack([rng.integers(0, 3, n), (y + rng.integers(0, 5, n)) % 4])
    both = np.column_stack([X[:, :3], discrete, X[:, 3]])
    return {
        "continuous": X,
        "mixed": both,
        "discrete": discrete.astype(np.float64),
        "constant": np.column_stack([np.full(n, 0.1), both, np.zeros(n)]),
        "one feature": X[:, 1:2],
        "two features": X[:, [1, 3]],
        "single precision": both.astype(np.float32),
        "Fortran order": np.asfortranarray(both),
        "units": X * [1e-6, 1.0, 1e6, 3.0],
    }


DATA = datasets()


def as_columns(X):
    return [[float(v) for v in column] for column in np.asarray(X).T]


def kinds(X):
    return [len(set(column)) <= 10 for column in as_columns(X)]
