"""Mutual information of a set of columns and a target."""

from typing import Any, NamedTuple

import numpy as np
from scipy.special import digamma

from pairsift import _kernels
from pairsift._checks import check_at_least, check_choice
from pairsift._typing import BoolArray, FloatArray, IndexArray
from pairsift.information._columns import (
    FLOOR,
    Target,
    as_numbers,
    as_target,
    codes_of,
    column_scales,
    discrete_mask,
    joint_codes,
    warn_of_copies,
)
from pairsift.information._entropy import cell_entropies

# What each estimator takes the columns and the target for: discrete, continuous, or
# whatever they are.
ESTIMATORS: dict[str, tuple[bool | None, bool | None]] = {
    "auto": (None, None),
    "discrete": (True, True),
    "ksg": (False, False),
    "gomez": (False, True),
    "mixed": (None, True),
}


def mutual_information(
    X: Any,
    y: Any,
    *,
    discrete_features: Any = "auto",
    discrete_target: Any = "auto",
    estimator: str = "auto",
    n_neighbors: int = 6,
    n_jobs: int | None = -1,
) -> float:
    r"""Estimate what a set of columns tells about a target, in nats.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        The columns, taken together.
    y : array-like of shape (n_samples,) or (n_samples, n_targets)
        A class of any kind for each row, or numbers. Every value counts: leave
        unlabelled rows out before.
    discrete_features : "auto", bool or ndarray of shape (n_features,), default="auto"
        Discrete columns: all, none, or a mask. "auto" takes a column for discrete when
        it has at most :math:`\max(10, \sqrt n)` distinct values, and at most half as
        many as rows.
    discrete_target : "auto" or bool, default="auto"
        Whether y holds classes. "auto" takes text, booleans and integers for classes,
        and floats when they are whole and at most :math:`\max(10, \sqrt n)` distinct.
    estimator : {"auto", "discrete", "ksg", "gomez", "mixed"}, default="auto"
        "auto" picks by the kinds of the columns and of y. The others insist: "discrete"
        takes everything for discrete, "ksg" everything for continuous, "gomez" the
        columns for continuous and y for classes, "mixed" y for classes.
    n_neighbors : int, default=6
        Number k of neighbours for continuous columns; at most one less than there are
        rows in a cell.
    n_jobs : int or None, default=-1
        Number of threads: -1 for all cores, None as in joblib.

    Returns
    -------
    information : float
        The estimate as it is: where there is little to tell it scatters around 0, also
        below. Constant columns tell nothing; 0 if all are, or y is.

    See Also
    --------
    relevance : The same for each column alone.
    pairwise_mutual_information : All pairs of columns.
    permutation_threshold : What chance alone would give.

    Notes
    -----
    Discrete columns X, continuous columns Z and classes y, with the entropies of
    :func:`entropy`: the mixed estimator, equations 6.14 to 6.17 of [1]_,

    .. math::
        I(X, Z; y) = I(X; y) + \sum_x p(x) \Big[ \hat h(Z | x) -
                     \sum_c p(c | x) \hat h(Z | x, c) \Big]

    where I(X; y) is the sum of :math:`p(x, y) \log(p(x, y) / p(x) p(y))` over observed
    values. Without discrete columns it is the estimator of Gómez et al. [3]_, without
    continuous ones I(X; y). Two corrections: the inner sums of equation 6.16 run over
    the distinct x of a class, and the factor :math:`p(X_1, ..., X_{g-1})` of equation
    6.17 is left out, as entropies given :math:`X_1, ..., X_{g-1}` are averages
    already. A cell (x, c) of one row takes the entropy of x.

    Continuous columns and a continuous y: the first estimator of Kraskov et al. [2]_,

    .. math::
        I(Z; y) = \psi(k) + \psi(n) - \langle \psi(n_z + 1) + \psi(n_y + 1) \rangle

    where :math:`n_z` is the number of other rows that are nearer on Z, strictly, than
    the k-th neighbour by the largest difference of all columns of Z and y, divided by
    their standard deviations; distances equal up to rounding are equal. With discrete
    columns, I(X; y) is that of the continuous y and the classes x, and the mean over x
    of I(Z; y | x) is added; the papers leave this case out.

    Nothing is random: where scikit-learn adds noise to tell copies apart, distances
    below 1e-10 (after scaling) count as 1e-10, and a warning tells when more than 5 %
    of them do. Estimates below 0 are not replaced by 0, so that means and differences
    of them stay honest; ``max(0, ...)`` does.

    References
    ----------
    .. [1] F. Coelho, "Semi-supervised feature selection", PhD thesis, Universidade
       Federal de Minas Gerais and Université catholique de Louvain, 2013.
    .. [2] A. Kraskov, H. Stögbauer, P. Grassberger, "Estimating mutual
       information", Physical Review E 69, 066138, 2004.
    .. [3] V. Gómez-Verdejo, M. Verleysen, J. Fleury, "Information-theoretic feature
       selection for functional data classification", Neurocomputing 72,
       3580-3589, 2009.

    Examples
    --------
    Neither column alone tells anything about the class, both together all of it:

    >>> import numpy as np
    >>> from pairsift.information import mutual_information
    >>> X = np.random.default_rng(0).uniform(-1, 1, size=(1000, 2))
    >>> y = X[:, 0] * X[:, 1] > 0
    >>> mutual_information(X[:, [0]], y) < 0.05
    True
    >>> mutual_information(X, y) > 0.5
    True
    """
    check_choice(estimator, "estimator", ESTIMATORS)
    check_at_least(n_neighbors, "n_neighbors", 1)
    X = as_numbers(X)
    is_discrete, target = _kinds(X, y, discrete_features, discrete_target, estimator)
    cells = joint_codes(X[:, is_discrete])
    Z = X[:, ~is_discrete]
    Z = Z[:, column_scales(Z) > 0.0]
    if target.classes.size:
        found = with_classes(Z, cells, target.classes, n_neighbors, n_jobs)
    else:
        numbers = target.numbers[:, column_scales(target.numbers) > 0.0]
        found = with_numbers(Z, cells, numbers, n_neighbors, n_jobs)
    warn_of_copies(found.copies)
    return found.information


class Estimate(NamedTuple):
    """An estimate, and how far copies of rows decided it."""

    information: float
    copies: float
    """Share of the distances to the k-th neighbour that were below the floor."""


def _kinds(
    X: FloatArray, y: Any, discrete_features: Any, discrete_target: Any, estimator: str
) -> tuple[BoolArray, Target]:
    """Decide which columns are discrete, and read y; refuse what contradicts."""
    columns, target = ESTIMATORS[estimator]
    mask = discrete_mask(X, discrete_features)
    if columns is not None:
        if not isinstance(discrete_features, str) and (mask != columns).any():
            raise ValueError(
                f"estimator={estimator!r} takes all columns for "
                f"{'discrete' if columns else 'continuous'}, got "
                f"discrete_features={discrete_features!r}."
            )
        mask = np.full_like(mask, columns)
    if target is not None:
        if not isinstance(discrete_target, str) and discrete_target != target:
            raise ValueError(
                f"estimator={estimator!r} takes y for "
                f"{'classes' if target else 'numbers'}, got "
                f"discrete_target={discrete_target!r}."
            )
        discrete_target = target
    return mask, as_target(y, len(X), discrete_target)


def with_classes(
    Z: FloatArray,
    cells: IndexArray,
    classes: IndexArray,
    n_neighbors: int,
    n_jobs: int | None,
) -> Estimate:
    """Mixed estimator: continuous columns, the values of discrete ones, and classes."""
    pair = np.zeros((1, 2), dtype=np.int64)
    tables = cells[None, :], classes[None, :]
    discrete = float(_kernels.contingency_pairs(*tables, pair, 1)[0])
    if Z.shape[1] == 0 or classes.max() == 0:
        return Estimate(discrete, 0.0)
    scales = column_scales(Z)
    parts = codes_of(cells * (classes.max() + 1) + classes)
    whole, copies = cell_entropies(Z, scales, cells, n_neighbors, n_jobs)
    given, copies_given = cell_entropies(Z, scales, parts, n_neighbors, n_jobs)
    is_alone = (np.bincount(parts) == 1)[parts]
    continuous = np.where(is_alone, 0.0, whole[cells] - given[parts]).mean()
    return Estimate(discrete + float(continuous), (copies + copies_given) / 2.0)


def with_numbers(
    Z: FloatArray,
    cells: IndexArray,
    numbers: FloatArray,
    n_neighbors: int,
    n_jobs: int | None,
) -> Estimate:
    """Chain rule: the values of discrete columns, then continuous ones given these."""
    if numbers.shape[1] == 0:
        return Estimate(0.0, 0.0)
    everywhere = np.zeros_like(cells)
    discrete = with_classes(numbers, everywhere, cells, n_neighbors, n_jobs)
    if Z.shape[1] == 0:
        return discrete
    given = ksg(Z, numbers, cells, n_neighbors, n_jobs)
    information = discrete.information + given.information
    return Estimate(information, max(discrete.copies, given.copies))


def ksg(
    Z: FloatArray,
    Y: FloatArray,
    cells: IndexArray,
    n_neighbors: int,
    n_jobs: int | None,
) -> Estimate:
    """First estimator of Kraskov et al. in each cell, averaged over the rows."""
    sizes = np.bincount(cells)[cells]
    both, n_z = np.hstack([Z, Y]), Z.shape[1]
    scales = column_scales(both)
    forest = _kernels.grow_forest(both, scales, cells)
    distances = _kernels.cell_distances(forest, n_neighbors, n_jobs)
    radii = np.maximum(distances, FLOOR)
    terms = digamma(sizes) + digamma(np.clip(sizes - 1, 1, n_neighbors))
    # With the scales of the radii: another rounding would move rows over the edge.
    for columns, own_scales in ((Z, scales[:n_z]), (Y, scales[n_z:])):
        forest = _kernels.grow_forest(columns, own_scales, cells)
        terms -= digamma(_kernels.cell_counts(forest, radii, n_jobs) + 1)
    information = np.where(sizes > 1, terms, 0.0).mean()
    return Estimate(float(information), float((distances < FLOOR).mean()))
