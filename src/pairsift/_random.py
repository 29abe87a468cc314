"""One door for randomness."""

from numbers import Integral

import numpy as np

from pairsift._typing import RandomState


def as_generator(random_state: RandomState) -> np.random.Generator:
    """Return a generator for a seed, a generator, or an old-style RandomState."""
    if isinstance(random_state, np.random.RandomState):
        return np.random.default_rng(random_state.randint(2**31, size=4))
    is_seed = isinstance(random_state, Integral) and int(random_state) >= 0
    if is_seed or random_state is None or isinstance(random_state, np.random.Generator):
        return np.random.default_rng(random_state)
    raise ValueError(
        "random_state must be a seed of at least 0, None, a numpy Generator or a "
        f"RandomState, got {random_state!r}."
    )
