"""A synthetic problem for feature selection from pair constraints."""

import numpy as np
from sklearn.utils import Bunch

from pairsift._random import as_generator
from pairsift._typing import FloatArray, IndexArray, PairArray, RandomState
from pairsift.constraints import LabelledPairs
from pairsift.datasets._assembly import (
    assemble,
    check_count,
    check_range,
    noisy_copies,
)

COPY_NOISE = 0.1


def make_pair_problem(
    n_samples: int = 300,
    n_features: int = 50,
    *,
    n_relevant: int = 5,
    n_redundant: int = 0,
    n_classes: int = 2,
    class_sep: float = 2.0,
    n_must_link: int = 0,
    n_cannot_link: int = 20,
    noise_rate: float = 0.0,
    shuffle_columns: bool = True,
    random_state: RandomState = None,
) -> Bunch:
    r"""Generate classes that differ on few features, and pairs of rows drawn from them.

    The pairs are the answers of a person who is asked whether two rows are of the
    same class; some of the answers may be wrong.

    Parameters
    ----------
    n_samples : int, default=300
        Number of rows.
    n_features : int, default=50
        Number of columns: relevant, redundant and irrelevant ones.
    n_relevant : int, default=5
        Number of columns on which the classes differ.
    n_redundant : int, default=0
        Number of noisy copies of relevant columns.
    n_classes : int, default=2
        Number of classes, of equal size up to one row.
    class_sep : float, default=2.0
        Distance of neighbouring class means on a relevant feature, in standard
        deviations within the class.
    n_must_link, n_cannot_link : int, default=0 and 20
        Number of pairs.
    noise_rate : float, default=0.0
        Share of wrong pairs in each of both kinds: must-links between classes and
        cannot-links within one.
    shuffle_columns : bool, default=True
        Put the columns in random order. Otherwise the relevant ones come first, then
        their copies, then the irrelevant ones.
    random_state : int, Generator, RandomState or None, default=None
        Seed or source of the random numbers.

    Returns
    -------
    bunch : sklearn.utils.Bunch
        With `data`, `target` (0 to n_classes - 1), `feature_names`, `relevant` and
        `redundant` (sorted column numbers), `categorical_features` (empty), `DESCR`,
        and `must_link`, `cannot_link` : int64 arrays of shape (n_pairs, 2), each pair
        ``i < j`` once, rows sorted, no pair in both.

    Raises
    ------
    DataError
        If a parameter is out of range.
    ConstraintError
        If more pairs are asked for than exist.

    See Also
    --------
    make_xor : Relevant features that do not help alone.

    Notes
    -----
    On relevant feature :math:`j` class :math:`c` has the distribution
    :math:`\mathcal{N}(\pi_j(c) s, 1)` with the separation :math:`s` and a random
    permutation :math:`\pi_j` of the classes; irrelevant features are standard normal.
    Then every column is scaled to mean 0 and variance 1, so that its spread tells
    nothing. A copy has noise of a tenth of a standard deviation. The relevant features
    are independent within a class.

    Examples
    --------
    >>> from pairsift.datasets import make_pair_problem
    >>> problem = make_pair_problem(n_cannot_link=3, random_state=0)
    >>> problem.data.shape, problem.cannot_link.shape
    ((300, 50), (3, 2))
    >>> a, b = problem.cannot_link.T
    >>> bool((problem.target[a] != problem.target[b]).all())
    True
    """
    check_count("n_classes", n_classes, 2)
    check_count("n_samples", n_samples, n_classes)
    check_count("n_relevant", n_relevant, 1)
    check_count("n_redundant", n_redundant, 0)
    check_count("n_features", n_features, n_relevant + n_redundant)
    check_count("n_must_link", n_must_link, 0)
    check_count("n_cannot_link", n_cannot_link, 0)
    check_range("class_sep", class_sep)
    check_range("noise_rate", noise_rate, 1.0)
    rng = as_generator(random_state)
    target = rng.permutation(np.arange(n_samples) % n_classes)
    relevant = _separated(target, n_classes, n_relevant, class_sep, rng)
    copied = rng.integers(n_relevant, size=n_redundant)
    n_irrelevant = n_features - n_relevant - n_redundant
    bunch = assemble(
        _standardized(relevant),
        _standardized(noisy_copies(relevant[:, copied], COPY_NOISE, rng)),
        _standardized(rng.standard_normal((n_samples, n_irrelevant))),
        target,
        description=f"{n_classes} classes and pairs drawn from them",
        shuffle_columns=shuffle_columns,
        rng=rng,
    )
    bunch.must_link, bunch.cannot_link = _draw_pairs(
        target, n_must_link, n_cannot_link, noise_rate, rng
    )
    return bunch


def _separated(
    target: IndexArray,
    n_classes: int,
    n_columns: int,
    class_sep: float,
    rng: np.random.Generator,
) -> FloatArray:
    """Draw columns on which the class means are equally spaced, in random order."""
    levels = np.argsort(rng.random((n_columns, n_classes)), axis=1)
    noise = rng.standard_normal((target.size, n_columns))
    return np.asarray(class_sep * levels.T[target] + noise)


def _standardized(columns: FloatArray) -> FloatArray:
    return np.asarray((columns - columns.mean(axis=0)) / columns.std(axis=0))


def _draw_pairs(
    target: IndexArray,
    n_must_link: int,
    n_cannot_link: int,
    noise_rate: float,
    rng: np.random.Generator,
) -> tuple[PairArray, PairArray]:
    """Draw must-links and cannot-links, of which some are wrong."""
    wrong_must = round(noise_rate * n_must_link)
    wrong_cannot = round(noise_rate * n_cannot_link)
    # One draw for each kind of pair, so that no pair is both a must- and a cannot-link.
    pairs = LabelledPairs(target)
    n_same = n_must_link - wrong_must + wrong_cannot
    n_different = n_cannot_link - wrong_cannot + wrong_must
    same = pairs.draw("must", n_same, None, rng)
    different = pairs.draw("cannot", n_different, None, rng)
    must, wrong_same = np.split(same, [n_must_link - wrong_must])
    cannot, wrong_different = np.split(different, [n_cannot_link - wrong_cannot])
    return (
        _sorted_pairs(np.vstack([must, wrong_different])),
        _sorted_pairs(np.vstack([cannot, wrong_same])),
    )


def _sorted_pairs(pairs: PairArray) -> PairArray:
    pairs = np.sort(pairs, axis=1)
    return pairs[np.lexsort(pairs.T[::-1])]
