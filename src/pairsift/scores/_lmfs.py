"""Features whose weights stand out in a small network (LMFS)."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from pairsift import _kernels
from pairsift._checks import (
    as_matrix,
    check_at_least,
    check_choice,
    check_memory,
    check_positive,
    check_squarable,
)
from pairsift._random import as_generator
from pairsift._typing import BoolArray, FloatArray, IndexArray, RandomState
from pairsift._warnings import warn_caller
from pairsift.information import column_scales
from pairsift.scores._correlation_search import CorrelationTable, one_hot
from pairsift.scores._irelief import class_codes
from pairsift.scores._lmfs_network import Network
from pairsift.scores._projected_newton import MEMORY, Minimum

LMFS_RULES = ("gap", "mean")
LMFS_EMPHASES = ("select", "eliminate")
LMFS_UNLABELLED = ("ignore", "nearest")
# Less than this share of the mean is "very small", where features are eliminated.
VERY_SMALL = 0.1
# From what "auto" chooses bounds of the hidden layer and numbers of first steps, and
# how often it leaves each row out, in one of N_FOLDS.
BOUNDS = (0.25, 0.5, 1.0, 2.0, 4.0)
LMFS_STEPS = (1, 2, 4, 8, 16)
# After the tolerance is reached, this many steps at most, to this tolerance.
FINE_STEPS = 100
FINE_TOL = 1e-9
N_FOLDS = 3
N_REPEATS = 3
# Digits that are kept of standardised inputs.
DECIMALS = 9


class NetworkFit(NamedTuple):
    """What LMFS finds, of n_features features and n_hidden neurons."""

    scores: FloatArray
    """G of each feature at the end, 0 for features held at zero."""
    first_scores: FloatArray
    """Mean G after the first steps, by which features are released."""
    is_released: BoolArray
    weights: FloatArray
    """Of the hidden layer, (n_features, n_hidden)."""
    hidden_bound: float
    """The bound of the hidden layer, as given or chosen."""
    n_first: int
    """The number of first steps, as given or chosen."""
    end: Minimum | None
    """Where the training with the released features ended, None if all are constant."""
    n_iter: int
    """Number of steps on the way to the end, the first ones included."""


def lmfs_score(
    X: FloatArray,
    labels: Any,
    *,
    n_hidden: int = 5,
    hidden_bound: float | str = "auto",
    output_bound: float = 5.0,
    rule: str = "gap",
    emphasis: str = "select",
    unlabelled: str = "ignore",
    n_starts: int = 50,
    n_first: int | str = "auto",
    max_iter: int = 2000,
    tol: float = 1e-4,
    random_state: RandomState = 0,
) -> FloatArray:
    r"""Score features by their weights in a network that holds most at zero.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        The data.
    labels : array-like of shape (n_samples,)
        Class numbers, at least two of them, and -1 for unlabelled rows.
    n_hidden : int, default=5
        Number of hidden neurons.
    hidden_bound : float or "auto", default="auto"
        Most that the absolute values of all weights of the hidden layer add up to;
        ``"auto"`` takes the best of 0.25, 0.5, 1, 2 and 4 on rows left out.
    output_bound : float, default=5.0
        Largest Euclidean norm of the weights of the output layer.
    rule : {"gap", "mean"}, default="gap"
        What stands out: the features on one side of the widest gap, or of the mean.
    emphasis : {"select", "eliminate"}, default="select"
        Release features that are large beside the others, or hold those that are small
        beside the others.
    unlabelled : {"ignore", "nearest"}, default="ignore"
        Leave unlabelled rows out, or give each the class of the nearest labelled row.
    n_starts : int, default=50
        Number of random starts, each on a random half of the rows, over which the first
        weights are averaged.
    n_first : int or "auto", default="auto"
        Number of steps before features are held or released; ``"auto"`` takes the
        fewest of 1, 2, 4, 8 and 16 that are about as good as the best on rows left out.
    max_iter : int, default=2000
        Most steps with the released features.
    tol : float, default=0.0001
        Training ends when a projected gradient step of length 1 changes no weight by
        more than this.
    random_state : int, Generator, RandomState or None, default=0
        Seed of starts, halves and folds.

    Returns
    -------
    scores : ndarray of shape (n_features,)
        Sum of the absolute weights of each feature in the hidden layer, 0 for features
        that are held at zero.

    Warns
    -----
    RuntimeWarning
        If `max_iter` steps do not reach `tol`.

    See Also
    --------
    scgs_score : A linear model with sparse weights.

    Notes
    -----
    The network of chapter 5 of [1]_ has one hidden layer of p neurons with weights Z
    and thresholds b, and linear outputs with weights W and constants c. With
    standardised features, it solves

    .. math::
        \min_{Z, b, W, c} \frac{1}{2n} \sum_i
        \| \tanh(x_i Z + b) W + c - y_i \|^2
        \quad \text{with} \quad
        \sum_{fj} |z_{fj}| \le t, \quad \|W\|_2 \le t_2, \quad
        z_f = 0 \ \text{for features that are held}

    and the score is :math:`G_f = \sum_j |z_{fj}|`. Two classes are one output, 1 and
    -1; more have an output each.

    1. From each of `n_starts` random starts, `n_first` steps with no feature held, on a
       random half of the rows of every class.
    2. The G are averaged over the starts, as figures 5.14 to 5.16 of [1]_ average them
       over random training sets. ``rule="gap"`` cuts where two G that follow each other
       by size differ most: by their difference to select, by their ratio to eliminate.
       ``rule="mean"`` releases what is above the mean to select; to eliminate, it holds
       what is below a tenth of the mean.
    3. Features below the cut are held at zero. Training on all rows goes on from the
       start that fits all rows best, until the optimality conditions hold.

    What [1]_ leaves open, and what was chosen:

    - The optimiser is an ellipsoid method there, which its author would replace. Here
      the best output layer is found exactly for every hidden layer (least squares in a
      ball), and the hidden layer by projected quasi-Newton steps, for which a point is
      projected on the L1 ball. The error never rises. There may be several local
      minima; the end is one of them.
    - Neither the number of first steps nor :math:`t_2` is given; :math:`t` and p were
      chosen by test accuracy for each problem: t from 1 to 4, p = 5 or 10.
      ``hidden_bound="auto"`` and ``n_first="auto"`` do this for t and the steps: by the
      squared error on rows left out, in three folds, drawn three times. Of the steps
      they take the fewest whose error, with the best bound, is within a standard error
      of the least one, because more steps than needed find noise that parts the
      labelled rows, and hardly change the error: 30 labels of features that each tell
      the classes need one step or two, features that tell them only together eight or
      more, and a large bound. More first steps also find fewer copies: at the
      minimum, all the weight of a feature and its noisy copy is on the feature. A
      feature with little noise beside another one is released, but may end with the
      score 0.
    - "Released only for those features whose G increases", says section 5.4: so all
      features start with the same G, half of the bound together.
    - The order of features that are held is open. Their mean first G ranks them; the
      slope of the error along their weights at the end does not: once the labelled
      rows are told apart, it follows noise.
    - Outliers are found by any of several tests there; a box plot cannot flag 4 of 7.
      Algorithm 5 may be read as deciding again and again; here it is decided once.
      A gap is always found, also where all features matter equally, and it may be
      after the first one. ``rule="mean"`` with ``emphasis="eliminate"`` holds least.
      No reading releases the published numbers on all real data, 23 of 34 features on
      ionosphere, 11 of 60 on sonar, 5 of 10 on ILPD and 11 of 16 on digits: the gap
      releases 4, 3, 2 and 1 to select and 4, 10, 3 and 12 to eliminate, the mean 10,
      24, 4 and 6 to select and nearly all to eliminate; and G increases for 33, 60, 10
      and 12. The thesis looked at G. On XOR and PCIRC all of these but the mean to
      eliminate find the four features; with 30 labels the mean releases noise as well,
      and the gap seldom does.
    - Unlabelled rows are future work there. With ``unlabelled="nearest"`` they take the
      class of the nearest labelled row, as in :func:`semi_mrmr_path`;
      :func:`pairsift.complete_labels` gives them clusters as classes: give it few.
      Clusters of all columns are made of noise, too. Of 20 draws with 30 labels of 300
      rows, the four columns of 20 that told two classes apart came first in 1 with the
      clusters that it makes by itself, in 20 with two, and in 19 without any.

    Constant features have the score 0. A step takes a time of O(ndp) for n rows used,
    and there are at most ``n_starts * n_first + max_iter`` steps, each tried once as a
    rule, and at most 720 more on two thirds of the rows to choose bound and steps.

    References
    ----------
    .. [1] F. Coelho, "Semi-supervised feature selection", PhD thesis, Universidade
       Federal de Minas Gerais and Université catholique de Louvain, 2013.

    Examples
    --------
    >>> from pairsift.datasets import make_xor
    >>> from pairsift.scores import lmfs_score
    >>> problem = make_xor(300, noise=0.02, shuffle_columns=False, random_state=0)
    >>> (lmfs_score(problem.data, problem.target) > 0).tolist()
    [True, True, True, True, False, False, False]
    """
    fit = fit_lmfs(
        X,
        labels,
        n_hidden=n_hidden,
        hidden_bound=hidden_bound,
        output_bound=output_bound,
        rule=rule,
        emphasis=emphasis,
        unlabelled=unlabelled,
        n_starts=n_starts,
        n_first=n_first,
        max_iter=max_iter,
        tol=tol,
        random_state=random_state,
    )
    if fit.end is not None and fit.end.optimality > tol:
        warn_caller(not_optimal(fit.end, tol), RuntimeWarning)
    return fit.scores


def not_optimal(end: Minimum, tol: float) -> str:
    """Say in a sentence how far a training came."""
    return (
        f"a projected gradient step still changes a weight by {end.optimality:.1e} "
        f"after {end.n_iter} steps, wanted tol={tol:.1e}: choose max_iter or tol "
        "larger, or output_bound smaller."
    )


def fit_lmfs(
    X: FloatArray,
    labels: Any,
    *,
    n_hidden: int,
    hidden_bound: float | str,
    output_bound: float,
    rule: str,
    emphasis: str,
    unlabelled: str,
    n_starts: int,
    n_first: int | str,
    max_iter: int,
    tol: float,
    random_state: RandomState,
) -> NetworkFit:
    """Train the network of :func:`lmfs_score`, which see for the parameters."""
    X = as_matrix(X)
    check_squarable(X)
    _check_numbers(n_hidden=n_hidden, n_starts=n_starts, max_iter=max_iter)
    if _is_given(hidden_bound, "hidden_bound"):
        check_positive(hidden_bound, "hidden_bound")
    if _is_given(n_first, "n_first"):
        check_at_least(n_first, "n_first", 1)
    check_positive(output_bound, "output_bound")
    check_positive(tol, "tol")
    check_choice(rule, "rule", LMFS_RULES)
    check_choice(emphasis, "emphasis", LMFS_EMPHASES)
    check_choice(unlabelled, "unlabelled", LMFS_UNLABELLED)
    codes = class_codes(labels, len(X))
    _check_size(X.shape, codes, n_hidden)
    rng = as_generator(random_state)
    fit = _nothing(X.shape[1], n_hidden)
    # Products of other numbers of threads round otherwise, and features may follow.
    with _kernels.one_blas_thread():
        inputs, targets = _training_set(X, codes, unlabelled)
        varies = np.asarray(inputs.any(axis=0))
        if not varies.any():
            return fit
        everything = Network(inputs, targets, n_hidden, BOUNDS[-1], float(output_bound))
        network = everything.only(varies)
        bound, n_steps = _best_training(network, hidden_bound, n_first, rng)
        network = replace(network, hidden_bound=bound)
        best, first = _first_steps(network, n_starts, n_steps, rng)
        is_free = stands_out(first, rule, emphasis)
        x = network.only_weights(best.x, is_free)
        smaller = network.only(is_free)
        end = _trained(smaller, x, max_iter, tol)
    released = np.flatnonzero(varies)[is_free]
    fit.weights[released] = smaller.groups(end.x)
    fit.first_scores[varies] = first
    fit.is_released[released] = True
    return fit._replace(
        scores=np.abs(fit.weights).sum(axis=1),
        hidden_bound=bound,
        n_first=n_steps,
        end=end,
        n_iter=best.n_iter + end.n_iter,
    )


def _trained(network: Network, x: FloatArray, max_iter: int, tol: float) -> Minimum:
    """Train to the tolerance, and then some steps on: rounding decides where it ends.

    Near a minimum a few steps make all processors end at the same weights.
    """
    end = network.train(x, max_iter=max_iter, tol=tol)
    if end.optimality > tol:
        return end
    fine = network.train(end.x, max_iter=FINE_STEPS, tol=FINE_TOL)
    return end._replace(x=fine.x, value=fine.value, optimality=fine.optimality)


def _check_numbers(**numbers: Any) -> None:
    for name, number in numbers.items():
        check_at_least(number, name, 1)


def _is_given(value: Any, name: str) -> bool:
    """Tell a number from "auto", and refuse other words."""
    if isinstance(value, str) and value != "auto":
        raise ValueError(f'{name} must be a positive number or "auto", got {value!r}.')
    return not isinstance(value, str)


def _check_size(shape: tuple[int, ...], codes: IndexArray, n_hidden: int) -> None:
    n_samples, n_features = shape
    n_outputs = n_hidden + int(codes.max()) + 1
    check_memory(
        8.0 * (3.0 * n_samples * n_features + 6.0 * n_samples * n_outputs)
        + 8.0 * (6.0 * MEMORY * n_features * n_hidden + 4.0 * n_hidden**2),
        f"the data and the steps of a network of {n_features} features and {n_hidden} "
        "hidden neurons",
        "fit to some of the rows or features, or take SCGS, whose model is linear",
    )


def _training_set(
    X: FloatArray, codes: IndexArray, unlabelled: str
) -> tuple[FloatArray, FloatArray]:
    """Return standardised rows, and 1 for their class and -1 for others."""
    if unlabelled == "nearest":
        numbers = np.zeros(X.shape[1], dtype=bool)
        shares = CorrelationTable(X, numbers).spread(codes)
    else:
        X, codes = X[codes >= 0], codes[codes >= 0]
        shares = one_hot(codes)
    # Counted from its own first value a constant column is 0, whatever the rounding.
    inputs = (X - X[0]) * column_scales(X)
    inputs -= inputs.mean(axis=0)
    inputs[:, np.ptp(X, axis=0) == 0.0] = 0.0
    # Units change the last digits, and these where a search among minima ends.
    inputs = np.round(inputs, DECIMALS)
    targets = 2.0 * shares - 1.0
    return inputs, targets[:, 1:] if targets.shape[1] == 2 else targets


def _by_class(Y: FloatArray, rng: np.random.Generator) -> tuple[IndexArray, IndexArray]:
    """Return rows in random order but class by class, and their classes."""
    classes = Y.argmax(axis=1) if Y.shape[1] > 1 else (Y[:, 0] > 0.0).astype(np.int64)
    rows = rng.permutation(len(Y))
    rows = rows[np.argsort(classes[rows], kind="stable")]
    return rows, classes[rows]


def _best_training(
    network: Network,
    hidden_bound: float | str,
    n_first: int | str,
    rng: np.random.Generator,
) -> tuple[float, int]:
    """Return bound and number of first steps as given, or as rows left out tell."""
    bounds = BOUNDS if isinstance(hidden_bound, str) else (float(hidden_bound),)
    steps = LMFS_STEPS if isinstance(n_first, str) else (int(n_first),)
    if len(bounds) == len(steps) == 1:
        return bounds[0], steps[0]
    errors = sum(
        _errors_left_out(network, bounds, steps, rng) for _ in range(N_REPEATS)
    )
    b, k = fewest_steps(np.asarray(errors) / N_REPEATS)
    return bounds[b], steps[k]


def _errors_left_out(
    network: Network,
    bounds: Sequence[float],
    steps: Sequence[int],
    rng: np.random.Generator,
) -> FloatArray:
    """Return squared errors of all rows, each left out once, (bounds, steps, n)."""
    rows, _ = _by_class(network.Y, rng)
    errors = np.zeros((len(bounds), len(steps), rows.size))
    for fold in range(min(N_FOLDS, rows.size)):
        is_out = np.arange(rows.size) % N_FOLDS == fold
        out, seed = np.sort(rows[is_out]), int(rng.integers(2**32))
        for b, bound in enumerate(bounds):
            part = replace(network.on(np.sort(rows[~is_out])), hidden_bound=bound)
            start = part.start(np.random.default_rng(seed))
            for k, x in enumerate(part.after_steps(start, steps)):
                missed = part.outputs(x, network.X[out]) - network.Y[out]
                errors[b, k, out] = (missed**2).sum(axis=1)
    return errors


def fewest_steps(errors: FloatArray) -> tuple[int, int]:
    """Choose a bound and a number of steps: by one standard error.

    errors : of each row, (bounds, steps, n). The fewest steps whose mean error, with
    the best bound, is within a standard error of the least one.
    """
    means = errors.mean(axis=2)
    best = np.unravel_index(int(means.argmin()), means.shape)
    most = means[best] + errors[best].std() / np.sqrt(errors.shape[2])
    k = int((means.min(axis=0) <= most).argmax())
    return int(means[:, k].argmin()), k


def _first_steps(
    network: Network, n_starts: int, n_first: int, rng: np.random.Generator
) -> tuple[Minimum, FloatArray]:
    """Return which start led to the best weights, and the mean G over all starts."""
    ends = []
    for _ in range(n_starts):
        rows, classes = _by_class(network.Y, rng)
        # Every other row of each class, so that none is missing.
        place = np.arange(rows.size) - np.searchsorted(classes, classes)
        half = network.on(np.sort(rows[place % 2 == 0]))
        ends.append(half.train(half.start(rng), max_iter=n_first, tol=0.0))
    best = min(ends, key=lambda end: network.error(end.x)[0])
    groups = [np.abs(network.groups(end.x)).sum(axis=1) for end in ends]
    return best, np.mean(groups, axis=0)


def stands_out(G: FloatArray, rule: str, emphasis: str) -> BoolArray:
    """Tell which features are released: the largest one at least."""
    if rule == "mean":
        share = 1.0 if emphasis == "select" else VERY_SMALL
        least = share * G.mean()
    else:
        falling = np.sort(G)[::-1]
        larger, smaller = falling[:-1], falling[1:]
        if emphasis == "select":
            gaps = larger - smaller
        else:
            gaps = larger / np.maximum(smaller, max(1e-12 * falling[0], 1e-300))
        least = falling[int(gaps.argmax())] if gaps.size else falling[0]
    # Equal numbers may have a mean that is larger by rounding.
    cut = min(float(least), float(G.max()))
    return np.asarray(cut <= G)


def _nothing(n_features: int, n_hidden: int) -> NetworkFit:
    return NetworkFit(
        scores=np.zeros(n_features),
        first_scores=np.zeros(n_features),
        is_released=np.zeros(n_features, dtype=bool),
        weights=np.zeros((n_features, n_hidden)),
        hidden_bound=BOUNDS[-1],
        n_first=LMFS_STEPS[0],
        end=None,
        n_iter=0,
    )
