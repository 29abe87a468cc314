"""Types that packages share."""

from typing import Any, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

FloatArray: TypeAlias = NDArray[np.floating[Any]]
IndexArray: TypeAlias = NDArray[np.int64]
PairArray: TypeAlias = NDArray[np.int64]
BoolArray: TypeAlias = NDArray[np.bool_]
ObjectArray: TypeAlias = NDArray[np.object_]
RandomState: TypeAlias = int | np.random.RandomState | np.random.Generator | None
MissingMode: TypeAlias = Literal["probability", "ignore", "constant", "distinct"]
"""How a difference to a missing value is counted, see the docstring of `ReliefF`."""
MISSING_MODES: tuple[str, ...] = get_args(MissingMode)
