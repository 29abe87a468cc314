"""One door for randomness."""

import numpy as np

from pairsift._typing import RandomState


def as_generator(random_state: RandomState) -> np.random.Generator:
    """Return a generator for a seed, a generator, or an old-style RandomState."""
    if isinstance(random_state, np.random.RandomState):
        return np.random.default_rng(random_state.randint(2**31, size=4))
    return np.random.default_rng(random_state)
