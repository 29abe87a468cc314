"""Names for the arrays that travel between the rooms."""

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

FloatArray: TypeAlias = NDArray[np.floating[Any]]
IndexArray: TypeAlias = NDArray[np.int64]
PairArray: TypeAlias = NDArray[np.int64]
BoolArray: TypeAlias = NDArray[np.bool_]
ObjectArray: TypeAlias = NDArray[np.object_]
RandomState: TypeAlias = int | np.random.RandomState | np.random.Generator | None
