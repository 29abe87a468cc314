"""Features by when they enter a sparse model of "same"."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.special import expit

from pairsift._checks import as_matrix, check_at_least, check_positive
from pairsift._random import as_generator
from pairsift._typing import BoolArray, FloatArray, IndexArray, RandomState
from pairsift._warnings import warn_caller
from pairsift.constraints import as_pairs
from pairsift.exceptions import ConstraintError
from pairsift.scores._pair_model import Examples, PairPath, PairProblem, not_certified

N_PENALTIES = 50
SMALLEST_PENALTY = 1e-3
N_FOLDS = 5
MAX_LEFT_OUT = 50
"""Answers that are left out one by one to ask the model without them."""


def path_scores(path: PairPath, gradient: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the scores of features, and their merit: what they are ordered by.

    The merit is minus the mean of the ranks by entry and by weight half-way. The score
    is the penalty at entry, as a share of the largest, and at most that of any feature
    of as much merit or more.
    """
    n_penalties, n_features = path.coefs.shape
    is_in = path.coefs > 0.0
    enters = is_in.any(axis=0)
    entry = np.where(enters, is_in.argmax(axis=0), n_penalties - 1)
    at_entry = path.coefs[entry, np.arange(n_features)]
    # With the others as they are, a feature would enter where its gradient is this.
    penalty = np.where(enters, path.penalties[entry], np.maximum(-gradient, 0.0))
    strength = np.where(enters, at_entry, -gradient)
    first = _rank(np.lexsort((-strength, np.where(enters, entry, n_penalties))))
    second = _rank(np.lexsort((first, -path.coefs[path.middle])))
    merit = -0.5 * (first + second) - 1.0
    # Features of equal merit share a score, whatever the order of their columns.
    merits, place = np.unique(-merit, return_inverse=True)
    lowest = np.full(merits.size, np.inf)
    np.minimum.at(lowest, place, penalty / path.penalties[0])
    return np.minimum.accumulate(lowest)[place], merit


def _rank(order: IndexArray) -> IndexArray:
    rank = np.empty_like(order)
    rank[order] = np.arange(order.size)
    return rank


def held_out_losses(
    problem: PairProblem,
    examples: Examples,
    penalties: FloatArray,
    tol: float,
    n_answers: int,
    random_state: RandomState,
) -> FloatArray:
    """Return the loss of every penalty on answers that were held out, NaN if none can.

    Folds are made of points: a pair with an end in the fold is held out, so that the
    model has seen neither this pair nor that end. The first `n_answers` pairs are
    answers; the others help to fit, and are not judged.
    """
    is_answer = np.arange(len(examples.pairs)) < n_answers
    total, weight = np.zeros(penalties.size), 0.0
    for is_out in _point_folds(problem, examples, random_state):
        kept = examples.take(~is_out)
        is_out &= is_answer
        if not kept.has_both or not is_out.any():
            continue
        path, _ = problem.path(kept, penalties, tol)
        pairs = examples.pairs[is_out]
        sign, share = examples.sign[is_out], examples.share[is_out]
        for k, (coef, intercept) in enumerate(
            zip(path.coefs, path.intercepts, strict=True)
        ):
            odds = problem.log_odds(pairs, coef, intercept)
            total[k] += share @ np.logaddexp(0.0, -sign * odds)
        weight += share.sum()
    return total / weight if weight > 0.0 else np.full(penalties.size, np.nan)


def _point_folds(
    problem: PairProblem, examples: Examples, random_state: RandomState
) -> Iterator[BoolArray]:
    points = np.unique(examples.pairs)
    # Copies of a row are in one fold: the model should not have seen them, either.
    values, group = np.unique(problem.contents(points), return_inverse=True)
    drawn = as_generator(random_state).permutation(values.size)
    for fold in range(N_FOLDS):
        held = points[np.isin(group, drawn[fold::N_FOLDS])]
        is_in = np.isin(examples.pairs, held)
        yield is_in[:, 0] | is_in[:, 1]


def left_out_probabilities(
    problem: PairProblem,
    examples: Examples,
    penalties: FloatArray,
    tol: float,
    n_answers: int,
) -> FloatArray:
    """Return the probability of "same" of each answer, by a model that has not seen it.

    The model is that of the last penalty; where others of its kind are none, the
    probability is NaN. The first `n_answers` pairs are answers.
    """
    chances = np.full(n_answers, np.nan)
    n_folds = min(n_answers, MAX_LEFT_OUT)
    number = np.arange(len(examples.pairs))
    for fold in range(n_folds):
        is_out = (number % n_folds == fold) & (number < n_answers)
        kept = examples.take(~is_out)
        if kept.has_both:
            path, _ = problem.path(kept, penalties, tol)
            odds = problem.log_odds(
                examples.pairs[is_out], path.coefs[-1], path.intercepts[-1]
            )
            chances[is_out[:n_answers]] = expit(odds)
    return chances


def pair_logistic_path(
    X: FloatArray,
    must_link: Any,
    cannot_link: Any,
    *,
    n_penalties: int = N_PENALTIES,
    smallest_penalty: float = SMALLEST_PENALTY,
    tol: float = 1e-7,
    is_categorical: BoolArray | None = None,
    missing: str = "probability",
    labels: IndexArray | None = None,
    random_state: RandomState = 0,
    n_jobs: int | None = -1,
) -> PairPath:
    r"""Fit sparse models of "same" to pairs, from the largest penalty down.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        The data; NaN marks missing values.
    must_link, cannot_link : array-like of shape (n_pairs, 2)
        Rows that belong together, and rows that do not. One kind may be empty, see
        Notes.
    n_penalties : int, default=50
        Number of penalties, at least 2.
    smallest_penalty : float, default=0.001
        The last penalty, as a share of the first.
    tol : float, default=1e-7
        The objective is within this of its minimum; with all weights 0 it is at most
        0.7. A warning names the gap where this was not reached.
    is_categorical : ndarray of shape (n_features,), dtype=bool, default=None
        Categorical columns; None for none.
    missing : {"probability", "ignore", "constant", "distinct"}, default="probability"
        Difference to a missing value: ReliefD, ReliefC (counts 0), ReliefB or
        Relieved-F.
    labels : ndarray of shape (n_samples,), default=None
        Class numbers, -1 for none; only used for the probabilities of missing values.
    random_state : int, Generator, RandomState or None, default=0
        Seed of the far pairs, only used without cannot-links.
    n_jobs : int or None, default=-1
        Number of threads: -1 for all cores, None as in joblib.

    Returns
    -------
    path : PairPath
        Penalties, weights, intercepts, objectives and certified gaps.

    See Also
    --------
    pair_logistic_score : The ranking of features that follows from the path.

    Notes
    -----
    With :math:`\Delta_f` the difference on feature f divided by its range (or 0 and 1
    for a categorical feature), the model is

    .. math::
        P(\text{same} \mid a, b) =
        \sigma\Big(\beta - \sum_f w_f \Delta_f(a, b)\Big), \qquad w_f \ge 0

    and minimises, for pairs :math:`(a_i, b_i)` with :math:`t_i = 1` for a must-link
    and -1 for a cannot-link,

    .. math::
        \sum_i s_i \log\big(1 + e^{-t_i (\beta - w \cdot \Delta_i)}\big)
        + \lambda \sum_f w_f

    where the :math:`s_i` give both kinds the total weight 1/2. The largest penalty is
    the smallest at which all weights are 0. Slopes that add up to 0 and are shrunk
    until no feature wants in are a point of the dual problem: the gap to its objective
    certifies how near the minimum is.

    Without must-links, each end of a cannot-link and its nearest row stand in for them,
    without cannot-links each end of a must-link and the farthest of ten random rows, at
    half the total weight.

    Examples
    --------
    >>> import numpy as np
    >>> from pairsift.scores import pair_logistic_path
    >>> X = np.array([[0.0, 0.0], [0.1, 1.0], [1.0, 0.2], [0.9, 0.7]])
    >>> path = pair_logistic_path(X, [(0, 1), (2, 3)], [(0, 2), (1, 3)])
    >>> (path.coefs[-1] > 0).tolist()
    [True, False]
    """
    check_at_least(n_penalties, "n_penalties", 2)
    check_positive(tol, "tol")
    problem, examples = _prepared(
        X, must_link, cannot_link, is_categorical, missing, labels, random_state, n_jobs
    )
    penalties = problem.penalties(examples, n_penalties, _share(smallest_penalty))
    path, _ = problem.path(examples, penalties, tol)
    _warn_of_gaps(path, tol)
    return path


def pair_logistic_score(
    X: FloatArray,
    must_link: Any,
    cannot_link: Any,
    *,
    tol: float = 1e-7,
    **options: Any,
) -> FloatArray:
    """Score features by when they enter a sparse model of "same".

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        The data; NaN marks missing values.
    must_link, cannot_link : array-like of shape (n_pairs, 2)
        Rows that belong together, and rows that do not.
    tol : float, default=1e-7
        The objective is within this of its minimum.
    **options : dict
        As in :func:`pair_logistic_path`.

    Returns
    -------
    scores : ndarray of shape (n_features,)
        Penalty at which each feature enters, as a share of the largest, from 1 down to
        0 for a feature that tells nothing; see Notes.

    See Also
    --------
    pair_logistic_path : The model and its path.

    Notes
    -----
    A feature that never enters has minus its gradient at the smallest penalty, where it
    would enter next if the others stayed as they are, and 0 if that is negative.

    Features are ordered by the mean of two ranks. The first is by the penalty at entry,
    the larger the better; those that enter together by their weight there, those that
    never do by the gradient. The second is by weight at the middle penalty; without
    weight by the first rank. Scores fall in this order: none is above that of a feature
    before it.

    Examples
    --------
    >>> import numpy as np
    >>> from pairsift.scores import pair_logistic_score
    >>> X = np.array([[0.0, 0.0], [0.1, 1.0], [1.0, 0.2], [0.9, 0.7]])
    >>> pair_logistic_score(X, [(0, 1), (2, 3)], [(0, 2), (1, 3)])
    array([0.86851137, 0.        ])
    """
    n_penalties = options.pop("n_penalties", N_PENALTIES)
    smallest = options.pop("smallest_penalty", SMALLEST_PENALTY)
    check_at_least(n_penalties, "n_penalties", 2)
    check_positive(tol, "tol")
    problem, examples = _prepared(X, must_link, cannot_link, **options)
    penalties = problem.penalties(examples, n_penalties, _share(smallest))
    path, gradient = problem.path(examples, penalties, tol)
    _warn_of_gaps(path, tol)
    return path_scores(path, gradient)[0]


def _warn_of_gaps(path: PairPath, tol: float) -> None:
    message = not_certified(path, tol)
    if message:
        warn_caller(message, RuntimeWarning)


def _share(smallest: Any) -> float:
    check_positive(smallest, "smallest_penalty")
    if smallest >= 1:
        raise ValueError(
            f"smallest_penalty is a share of the largest, below 1, got {smallest!r}."
        )
    return float(smallest)


def _prepared(
    X: Any,
    must_link: Any,
    cannot_link: Any,
    is_categorical: BoolArray | None = None,
    missing: str = "probability",
    labels: IndexArray | None = None,
    random_state: RandomState = 0,
    n_jobs: int | None = -1,
) -> tuple[PairProblem, Examples]:
    X = as_matrix(X, allow_nan=True)
    must = as_pairs(must_link, len(X), name="must_link")
    cannot = as_pairs(cannot_link, len(X), name="cannot_link")
    if not len(must) and not len(cannot):
        raise ConstraintError("must_link and cannot_link are both empty.")
    problem = PairProblem.of(X, is_categorical, missing, labels, n_jobs)
    return problem, problem.examples(must, cannot, random_state)
