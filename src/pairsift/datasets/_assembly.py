"""What all generators share: checks, randomness, and the hiding of the columns."""

from numbers import Integral, Real

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import Bunch

from pairsift._random import as_generator
from pairsift._typing import BoolArray, FloatArray, IndexArray, RandomState
from pairsift.exceptions import DataError


def check_count(name: str, value: int, minimum: int) -> None:
    """Refuse what is not a whole number of at least `minimum`."""
    if not isinstance(value, Integral) or value < minimum:
        raise DataError(f"{name} must be an int of at least {minimum}, got {value!r}")


def check_range(name: str, value: float, high: float = np.inf) -> None:
    """Refuse what is not a finite number from 0 to `high`."""
    if not isinstance(value, Real) or not np.isfinite(value) or not 0 <= value <= high:
        limit = "of at least 0" if np.isinf(high) else f"from 0 to {high:g}"
        raise DataError(f"{name} must be a number {limit}, got {value!r}")


def checked_generator(
    n_samples: int, n_irrelevant: int, noise: float, random_state: RandomState
) -> np.random.Generator:
    """Check the parameters that the problems of the papers share."""
    check_count("n_samples", n_samples, 2)
    check_count("n_irrelevant", n_irrelevant, 0)
    check_range("noise", noise)
    return as_generator(random_state)


def noisy_copies(
    columns: FloatArray, noise: float, rng: np.random.Generator
) -> FloatArray:
    """Copy columns with noise of `noise` times their deviation, at equal variance."""
    deviation = columns.std(axis=0)
    copies = columns + noise * deviation * rng.standard_normal(columns.shape)
    # Without this the copies would be told from the originals by their variance.
    return np.asarray(copies / np.hypot(1.0, noise))


def assemble(
    relevant: FloatArray,
    redundant: FloatArray,
    irrelevant: FloatArray,
    target: IndexArray | BoolArray,
    *,
    description: str,
    shuffle_columns: bool,
    rng: np.random.Generator,
    is_categorical: BoolArray | None = None,
) -> Bunch:
    """Put the columns side by side, in random order unless told otherwise."""
    data = np.hstack([relevant, redundant, irrelevant])
    n_samples, n_features = data.shape
    if is_categorical is None:
        is_categorical = np.zeros(n_features, dtype=bool)
    order = rng.permutation(n_features) if shuffle_columns else np.arange(n_features)
    position = np.argsort(order)
    names = [f"f{j}" for j in range(1, n_features + 1)]
    ends = np.cumsum([relevant.shape[1], redundant.shape[1]])
    return Bunch(
        data=np.ascontiguousarray(data[:, order]),
        target=target.astype(np.int64),
        feature_names=names,
        relevant=_sorted(position[: ends[0]]),
        redundant=_sorted(position[ends[0] : ends[1]]),
        categorical_features=[
            names[j] for j in range(n_features) if is_categorical[order[j]]
        ],
        DESCR=f"{description}: {n_samples} samples, {n_features} features, "
        f"{relevant.shape[1]} of them relevant and {redundant.shape[1]} redundant.",
    )


def _sorted(positions: NDArray[np.intp]) -> IndexArray:
    return np.sort(positions).astype(np.int64)
