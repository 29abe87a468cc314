"""How much information chance alone would give."""

import warnings
from collections.abc import Callable
from numbers import Real
from typing import Any

import numpy as np

from pairsift._checks import check_at_least
from pairsift._random import as_generator
from pairsift._typing import RandomState
from pairsift.information._columns import MANY_COPIES, as_numbers
from pairsift.information._mutual_information import mutual_information


def permutation_threshold(
    X: Any,
    y: Any,
    *,
    permuted: Any = None,
    statistic: Callable[..., Any] = mutual_information,
    n_permutations: int = 100,
    quantile: float = 0.95,
    random_state: RandomState = None,
    **options: Any,
) -> Any:
    """Find the information that shuffled columns rarely exceed.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        The columns.
    y : array-like of shape (n_samples,)
        The target.
    permuted : int or array-like of int, default=None
        Columns whose rows are shuffled, in one order for all of them; None for all,
        which is to shuffle y.
    statistic : callable, default=mutual_information
        What is estimated: ``statistic(X, y, **options)``, such as
        :func:`mutual_information`, or :func:`relevance` for a threshold per column.
    n_permutations : int, default=100
        Number of orders drawn.
    quantile : float, default=0.95
        Share of the shuffled estimates that are not above the threshold.
    random_state : int, Generator, RandomState or None, default=None
        Seed of the orders.
    **options : object
        Keywords of the statistic, such as ``n_neighbors``.

    Returns
    -------
    threshold : float or ndarray
        The quantile of the shuffled estimates, in the shape of one of them; between two
        of them, linear.

    Notes
    -----
    The permutation test of section 4.1 of [1]_. To ask whether a column adds to others,
    shuffle it alone (equations 4.12 and 4.13): sets of different sizes have estimates
    of different bias, a set with a shuffled column has the same.

    References
    ----------
    .. [1] F. Coelho, "Semi-supervised feature selection", PhD thesis, Universidade
       Federal de Minas Gerais and Université catholique de Louvain, 2013.
    .. [2] D. François, V. Wertz, M. Verleysen, "The permutation test for feature
       selection by mutual information", ESANN, 239-244, 2006.

    Examples
    --------
    >>> import numpy as np
    >>> from pairsift.information import permutation_threshold, relevance
    >>> X = np.random.default_rng(0).normal(size=(200, 3))
    >>> y = X[:, 2] > 0
    >>> options = {"statistic": relevance, "random_state": 0}
    >>> relevance(X, y) > permutation_threshold(X, y, **options)
    array([False, False,  True])
    """
    check_at_least(n_permutations, "n_permutations", 1)
    if not isinstance(quantile, Real) or not 0.0 <= float(quantile) <= 1.0:
        raise ValueError(f"quantile must be a number from 0 to 1, got {quantile!r}.")
    X = as_numbers(X)
    columns = _columns(permuted, X.shape[1])
    rng = as_generator(random_state)
    shuffled, estimates = X.copy(), []
    with warnings.catch_warnings():
        # The estimate of the columns as they are tells about copies.
        warnings.filterwarnings("ignore", message=MANY_COPIES)
        for _ in range(n_permutations):
            shuffled[:, columns] = X[:, columns][rng.permutation(len(X))]
            estimates.append(statistic(shuffled, y, **options))
    threshold = np.quantile(np.array(estimates), quantile, axis=0)
    return threshold if threshold.ndim else float(threshold)


def _columns(permuted: Any, n_features: int) -> Any:
    if permuted is None:
        return np.arange(n_features)
    columns = np.atleast_1d(np.asarray(permuted))
    is_whole = columns.dtype.kind in "iu" and columns.ndim == 1 and columns.size > 0
    if not is_whole or columns.min() < 0 or columns.max() >= n_features:
        raise ValueError(
            f"permuted must hold column numbers from 0 to {n_features - 1}, got "
            f"{permuted!r}."
        )
    return columns
