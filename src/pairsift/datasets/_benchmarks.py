"""Benchmark functions turned into classes, with known relevant features."""

import numpy as np
from sklearn.utils import Bunch

from pairsift._typing import FloatArray, RandomState
from pairsift.datasets._assembly import assemble, checked_generator


def make_fbench(
    n_samples: int = 10000,
    *,
    n_irrelevant: int = 5,
    noise: float = 0.0,
    shuffle_columns: bool = True,
    random_state: RandomState = None,
) -> Bunch:
    r"""Generate Friedman's benchmark function as a classification problem.

    Five uniform features enter the function, and the others are irrelevant.

    Parameters
    ----------
    n_samples : int, default=10000
        Number of rows.
    n_irrelevant : int, default=5
        Number of columns that have nothing to do with the class.
    noise : float, default=0.0
        Standard deviation of the Gaussian noise added to the function. Friedman uses
        1; without noise linear discriminant analysis has the published accuracy.
    shuffle_columns : bool, default=True
        Put the columns in random order. Otherwise the relevant ones come first.
    random_state : int, Generator, RandomState or None, default=None
        Seed or source of the random numbers.

    Returns
    -------
    bunch : sklearn.utils.Bunch
        With `data` of shape (n_samples, 5 + n_irrelevant), `target` (0 or 1),
        `feature_names`, `relevant` (sorted column numbers), `redundant` (empty),
        `categorical_features` (empty) and `DESCR`.

    See Also
    --------
    sklearn.datasets.make_friedman1 : The regression problem.

    Notes
    -----
    .. math::
        g = 10 \sin(\pi x_1 x_2) + 20 (x_3 - 0.5)^2 + 10 x_4 + 5 x_5 + \varepsilon

    The class is 1 where :math:`g` is above its median and 0 elsewhere. Section 4.2.3
    of [1]_ takes the sign of :math:`g`, which is positive everywhere; with the median
    as the threshold the accuracy of linear discriminant analysis on all features is
    0.85, as in table 4.15.

    References
    ----------
    .. [1] F. Coelho, "Semi-supervised feature selection", PhD thesis, Universidade
       Federal de Minas Gerais and Université catholique de Louvain, 2013.
    .. [2] J. H. Friedman, "Multivariate adaptive regression splines", The Annals of
       Statistics 19(1), 1-67, 1991.

    Examples
    --------
    >>> from pairsift.datasets import make_fbench
    >>> problem = make_fbench(200, random_state=0)
    >>> problem.data.shape, int(problem.target.sum())
    ((200, 10), 100)
    """
    rng = checked_generator(n_samples, n_irrelevant, noise, random_state)
    relevant = rng.random((n_samples, 5))
    x1, x2, x3, x4, x5 = relevant.T
    output = 10 * np.sin(np.pi * x1 * x2) + 20 * (x3 - 0.5) ** 2 + 10 * x4 + 5 * x5
    output += noise * rng.standard_normal(n_samples)
    return assemble(
        relevant,
        np.empty((n_samples, 0)),
        rng.random((n_samples, n_irrelevant)),
        output > np.median(output),
        description="Friedman's benchmark function in two classes",
        shuffle_columns=shuffle_columns,
        rng=rng,
    )


def make_dcbench(
    n_samples: int = 10000,
    *,
    n_irrelevant: int = 5,
    noise: float = 0.0,
    shuffle_columns: bool = True,
    random_state: RandomState = None,
) -> Bunch:
    r"""Generate a problem of discrete and continuous features.

    Three continuous and two discrete features determine the class; by default as many
    others of the same distributions are irrelevant, one of them for each.

    Parameters
    ----------
    n_samples : int, default=10000
        Number of rows.
    n_irrelevant : int, default=5
        Number of columns that have nothing to do with the class. They take the
        distributions of the relevant ones in turn.
    noise : float, default=0.0
        Standard deviation of the Gaussian noise added before the sign is taken.
    shuffle_columns : bool, default=True
        Put the columns in random order. Otherwise the relevant ones come first.
    random_state : int, Generator, RandomState or None, default=None
        Seed or source of the random numbers.

    Returns
    -------
    bunch : sklearn.utils.Bunch
        With `data` of shape (n_samples, 5 + n_irrelevant), `target` (0 or 1),
        `feature_names`, `relevant` (sorted column numbers), `redundant` (empty),
        `categorical_features` (names of the discrete columns) and `DESCR`.

    See Also
    --------
    make_fbench : Continuous features only.

    Notes
    -----
    Equation 6.18 of [1]_ is

    .. math::
        y = \mathrm{sign}(\tanh x_1 + \sin x_2 + x_7 + x_8 + x_3)

    with continuous :math:`x_1, x_2, x_3` and discrete :math:`x_7, x_8`; the class is 1
    where the sum is positive and 0 elsewhere. The distributions are not published.
    Here they are symmetric, so that the classes are balanced: :math:`x_1` standard
    normal, :math:`x_2` uniform on :math:`[-\pi, \pi]`, :math:`x_3` Laplace of scale 1,
    :math:`x_7` uniform on {-2, -1, 0, 1, 2} and :math:`x_8` on {-1, 1}. Linear
    discriminant analysis of the relevant features then has an accuracy of 0.93, as in
    table 6.1. The published problem has six continuous and four discrete columns, as
    this one has with ``n_irrelevant=5``.

    References
    ----------
    .. [1] F. Coelho, "Semi-supervised feature selection", PhD thesis, Universidade
       Federal de Minas Gerais and Université catholique de Louvain, 2013.

    Examples
    --------
    >>> from pairsift.datasets import make_dcbench
    >>> problem = make_dcbench(random_state=0)
    >>> problem.data.shape, len(problem.categorical_features)
    ((10000, 10), 4)
    """
    rng = checked_generator(n_samples, n_irrelevant, noise, random_state)
    relevant = _dcbench_columns(n_samples, 5, rng)
    x1, x2, x3, x7, x8 = relevant.T
    output = np.tanh(x1) + np.sin(x2) + x7 + x8 + x3
    output += noise * rng.standard_normal(n_samples)
    is_discrete = np.arange(5 + n_irrelevant) % 5 >= 3
    return assemble(
        relevant,
        np.empty((n_samples, 0)),
        _dcbench_columns(n_samples, n_irrelevant, rng),
        output > 0,
        description="Problem of discrete and continuous features",
        shuffle_columns=shuffle_columns,
        rng=rng,
        is_categorical=is_discrete,
    )


def _dcbench_columns(
    n_samples: int, n_columns: int, rng: np.random.Generator
) -> FloatArray:
    """Draw columns whose five distributions come in turn."""
    draws = (
        lambda: rng.standard_normal(n_samples),
        lambda: rng.uniform(-np.pi, np.pi, n_samples),
        lambda: rng.laplace(size=n_samples),
        lambda: rng.integers(-2, 3, n_samples),
        lambda: rng.choice([-1, 1], n_samples),
    )
    columns = np.empty((n_samples, n_columns))
    for j in range(n_columns):
        columns[:, j] = draws[j % len(draws)]()
    return columns
