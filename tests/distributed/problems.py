"""Problems for every selector that works on blocks, and ways to cut their rows."""

import warnings
from itertools import pairwise

import numpy as np
import pandas as pd
from hypothesis import strategies as st
from sklearn.base import clone

import pairsift
from pairsift import PairConstraints, distributed

N_ROWS = 40


def table(seed, n_features=5, *, ties=False):
    """Return rows of three classes, with a constant and a coarse feature."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, N_ROWS)
    X = rng.normal(size=(N_ROWS, n_features)) + 0.7 * y[:, None] * (
        np.arange(n_features) % 2
    )
    X[:, 0] = np.round(X[:, 0])
    X[:, n_features // 2] = 3.1
    return (np.round(2 * X) / 2 if ties else X), y


def pairs(y, seed=0):
    return PairConstraints.sample(y, n_cannot_link=8, n_must_link=8, random_state=seed)


def source(X, edges, **options):
    """Return the rows cut at some edges, which may repeat, as a streamed source."""
    cuts = [0, *sorted(edges), len(X)]
    blocks = [X[a:b] for a, b in pairwise(cuts)]
    readers = [lambda block=block: block for block in blocks]
    return distributed.StreamedSource(readers, **options)


EDGES = st.lists(st.integers(0, N_ROWS), max_size=9)
"""Where to cut: empty blocks and blocks of one row among them."""


def both_fits(selector, X, blocks, **how):
    """Return the selector fitted in memory, and on blocks, and their warnings."""
    fitted, said = [], []
    for fit in (
        lambda: clone(selector).fit(X, **how),
        lambda: distributed.fit(clone(selector), blocks, **how),
    ):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            fitted.append(fit())
        said.append(sorted(str(warning.message) for warning in caught))
    assert said[0] == said[1]
    return fitted


def as_frame(X, seed=0):
    """Return the rows as a data frame with a column of text and a category."""
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(X, columns=[f"x{j}" for j in range(X.shape[1])])
    frame["word"] = rng.choice(["red", "green", "blue"], len(X)).astype(object)
    frame["kind"] = pd.Categorical(rng.choice(["p", "q"], len(X)))
    return frame


def dask_classes():
    catalogue = pairsift.methods()
    return catalogue.loc[catalogue["dask"], "class"].tolist()
