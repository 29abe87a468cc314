"""Two classes in a plane, hidden among copies and irrelevant columns."""

import numpy as np
from sklearn.utils import Bunch

from pairsift._typing import RandomState
from pairsift.datasets._assembly import assemble, checked_generator, noisy_copies


def make_xor(
    n_samples: int = 2000,
    *,
    n_irrelevant: int = 3,
    noise: float = 0.1,
    shuffle_columns: bool = True,
    random_state: RandomState = None,
) -> Bunch:
    """Generate the exclusive-or problem of two features.

    Neither relevant feature tells anything about the class alone; together they
    determine it. Each of them has a noisy copy.

    Parameters
    ----------
    n_samples : int, default=2000
        Number of rows.
    n_irrelevant : int, default=3
        Number of columns that have nothing to do with the class.
    noise : float, default=0.1
        Standard deviation of the noise of a copy, in standard deviations of the
        copied feature; 0 gives exact copies.
    shuffle_columns : bool, default=True
        Put the columns in random order. Otherwise the relevant ones come first, then
        their copies, then the irrelevant ones.
    random_state : int, Generator, RandomState or None, default=None
        Seed or source of the random numbers.

    Returns
    -------
    bunch : sklearn.utils.Bunch
        With `data` of shape (n_samples, 4 + n_irrelevant), `target` (0 or 1),
        `feature_names`, `relevant` and `redundant` (sorted column numbers; the
        redundant ones are the copies), `categorical_features` (empty) and `DESCR`.

    See Also
    --------
    make_pcirc : Two classes on either side of a circle.

    Notes
    -----
    With :math:`x_1, x_2` uniform on [-1, 1] the class is :math:`[x_1 x_2 > 0]`. Section
    5.5 of [1]_ gives the number of rows and columns but not the distribution. The
    irrelevant columns are uniform on [-1, 1] too, and the copies are scaled to the
    variance of the others, so that no column stands out by its spread. Classes are 0
    and 1, because -1 means unlabelled here.

    References
    ----------
    .. [1] F. Coelho, "Semi-supervised feature selection", PhD thesis, Universidade
       Federal de Minas Gerais and Université catholique de Louvain, 2013.

    Examples
    --------
    >>> from pairsift.datasets import make_xor
    >>> problem = make_xor(random_state=0)
    >>> problem.data.shape
    (2000, 7)
    >>> problem.relevant.size, problem.redundant.size
    (2, 2)
    """
    rng = checked_generator(n_samples, n_irrelevant, noise, random_state)
    relevant = rng.uniform(-1.0, 1.0, (n_samples, 2))
    return assemble(
        relevant,
        noisy_copies(relevant, noise, rng),
        rng.uniform(-1.0, 1.0, (n_samples, n_irrelevant)),
        relevant[:, 0] * relevant[:, 1] > 0,
        description="Exclusive-or problem",
        shuffle_columns=shuffle_columns,
        rng=rng,
    )


def make_pcirc(
    n_samples: int = 2277,
    *,
    n_irrelevant: int = 6,
    noise: float = 0.1,
    shuffle_columns: bool = True,
    random_state: RandomState = None,
) -> Bunch:
    r"""Generate two classes on either side of a circle.

    Two features are relevant, each has a noisy copy, and the others are irrelevant.

    Parameters
    ----------
    n_samples : int, default=2277
        Number of rows.
    n_irrelevant : int, default=6
        Number of columns that have nothing to do with the class.
    noise : float, default=0.1
        Standard deviation of the noise of a copy, in standard deviations of the
        copied feature; 0 gives exact copies.
    shuffle_columns : bool, default=True
        Put the columns in random order. Otherwise the relevant ones come first, then
        their copies, then the irrelevant ones.
    random_state : int, Generator, RandomState or None, default=None
        Seed or source of the random numbers.

    Returns
    -------
    bunch : sklearn.utils.Bunch
        With `data` of shape (n_samples, 4 + n_irrelevant), `target` (1 inside the
        circle, 0 outside), `feature_names`, `relevant` and `redundant` (sorted column
        numbers), `categorical_features` (empty) and `DESCR`.

    See Also
    --------
    make_xor : Two features of which none helps alone.

    Notes
    -----
    With :math:`x_1, x_2` uniform on [-1, 1] the class is
    :math:`[x_1^2 + x_2^2 < 2/\pi]`, a circle of half the area. Section 5.5 of [1]_
    shows the distribution only in a picture (figure 5.13): this form of it is ours,
    the numbers of rows and columns are the published ones. All columns have the same
    variance, as in `make_xor`.

    References
    ----------
    .. [1] F. Coelho, "Semi-supervised feature selection", PhD thesis, Universidade
       Federal de Minas Gerais and Université catholique de Louvain, 2013.

    Examples
    --------
    >>> from pairsift.datasets import make_pcirc
    >>> make_pcirc(random_state=0).data.shape
    (2277, 10)
    """
    rng = checked_generator(n_samples, n_irrelevant, noise, random_state)
    relevant = rng.uniform(-1.0, 1.0, (n_samples, 2))
    return assemble(
        relevant,
        noisy_copies(relevant, noise, rng),
        rng.uniform(-1.0, 1.0, (n_samples, n_irrelevant)),
        (relevant**2).sum(axis=1) < 2.0 / np.pi,
        description="Inside and outside of a circle",
        shuffle_columns=shuffle_columns,
        rng=rng,
    )
