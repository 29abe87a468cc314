"""Semi-supervised support vector machines with the 1-norm: sparse weights."""

from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import csr_array, eye_array, hstack

from pairsift._checks import as_matrix, check_positive, check_squarable
from pairsift._typing import BoolArray, FloatArray
from pairsift.scores._irelief import class_codes
from pairsift.scores._ties import tied_scores

MAX_CELLS = 2_000_000
"""Rows times features of the linear programs; more are refused."""
# Unlabelled rows come in slowly: their weight in each stage.
STAGES = (0.01, 0.1, 1.0)
MAX_STEPS = 50
# A step must lower the objective by this share of it.
MIN_FALL = 1e-9
# Weights below this share of the largest are 0 but for the solver's tolerance.
MIN_WEIGHT = 1e-7
# Rows as near to their margin as this are on it.
ON_MARGIN = 1e-7
# Columns in other units agree to this after scaling.
DECIMALS = 12


class LinearProgram(NamedTuple):
    """The best weights for given labels of all rows, with their proof."""

    weights: FloatArray
    """(d,)"""
    bias: float
    objective: float
    multipliers: FloatArray
    """(n,) of the constraints of the rows, from 0 to the cost of a row."""
    balance: float
    """Multiplier of the constraint that holds the classes in balance."""


class S3VMFit(NamedTuple):
    """Scores, and the machines that they come from."""

    scores: FloatArray
    weights: FloatArray
    """(m, d) of each class against the others, or of the second one."""
    biases: FloatArray
    """(m,)"""
    objectives: list[FloatArray]
    """For each machine the objective after each step of the last stage."""


def s3vm_score(
    X: FloatArray, labels: Any, *, C: float = 3.0, unlabelled: float = 1.0
) -> FloatArray:
    r"""Score features by the weights of sparse machines with a wide, empty margin.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        The data.
    labels : array-like of shape (n_samples,)
        Class numbers, at least two of them, and -1 for unlabelled rows.
    C : float, default=3.0
        Cost of all labelled rows together at the wrong sides of their margins, beside
        the sum of the weights. With little, all weights are 0.
    unlabelled : float, default=1.0
        What all unlabelled rows together cost beside all labelled ones.

    Returns
    -------
    scores : ndarray of shape (n_features,)
        The sum of the absolute weights of a feature over the machines; where that is 0,
        how far the feature is from a weight, from -1 to 0, see Notes.

    See Also
    --------
    pairsift.S3VMSelector : The same as a selector, with the machines.

    Notes
    -----
    The machine of [2]_ with the 1-norm, for feature selection in [3]_ and section 3.3
    of [1]_. With :math:`f(x) = w^T x + b` on columns of variance 1, l labelled rows of
    the classes :math:`y_i = \pm 1` and u others,

    .. math::
        \min_{w, b}\ \|w\|_1 + \frac Cl \sum_i \max(0, 1 - y_i f(x_i)) +
        \frac{C \gamma}u \sum_j \max(0, 1 - |f(x_j)|)

    where :math:`\gamma` is `unlabelled`: an unlabelled row costs nothing outside of the
    margin, on whichever side. [3]_ writes this as an integer program. Here the cost of
    an unlabelled row is the smaller of the costs of both labels. Given a label for
    each, the problem is a linear program, solved exactly (HiGHS); given w and b, the
    best label is the sign of f. In turns, neither raises the objective, until no label
    changes: a local minimum. What the sources leave open:

    - The start is the machine of the labelled rows, and the weight of the others
      rises in three stages (0.01, 0.1, 1 of it), as labels that are given in the
      beginning hardly change later.
    - Without a constraint all unlabelled rows may end up on one side. As in [4]_, the
      mean of f over them is held at the mean of :math:`y_i`.
    - Costs are means, so that C does not depend on the numbers of rows.
    - More than two classes: one machine for each against the others, and weights added.
    - Features without a weight have the largest :math:`|g_f| - 1` over the machines,
      with :math:`g_f` the slope of the costs along :math:`w_f`: at 0 a feature would
      get a weight. Rows on the margin leave this slope open. They share it as evenly as
      can be, so that the order of rows does not matter; where all weights are 0, as
      when one class has few of the labels, slopes are differences of class means.

    Linear programs are not unique where features repeat each other: one of the
    solutions is taken.

    References
    ----------
    .. [1] F. Coelho, "Semi-supervised feature selection", PhD thesis, Universidade
       Federal de Minas Gerais and Université catholique de Louvain, 2013.
    .. [2] K. P. Bennett, A. Demiriz, "Semi-supervised support vector machines", NIPS
       11, 368-374, 1998.
    .. [3] L. Yang, L. Wang, "Simultaneous feature selection and classification via
       semi-supervised models", ICNC 1, 646-650, 2007,
       doi:10.1109/ICNC.2007.666.
    .. [4] R. Collobert, F. Sinz, J. Weston, L. Bottou, "Large scale transductive
       SVMs", JMLR 7, 1687-1712, 2006.

    Examples
    --------
    >>> import numpy as np
    >>> from pairsift.scores import s3vm_score
    >>> rng = np.random.default_rng(0)
    >>> y = np.arange(100) % 2
    >>> X = rng.normal(size=(100, 3))
    >>> X[:, 1] += 4 * y
    >>> int(s3vm_score(X, np.where(np.arange(100) < 10, y, -1)).argmax())
    1
    """
    return fit_s3vm(X, labels, C=C, unlabelled=unlabelled).scores


def fit_s3vm(X: FloatArray, labels: Any, *, C: float, unlabelled: float) -> S3VMFit:
    """Score as :func:`s3vm_score`, and tell the weights."""
    check_positive(C, "C")
    check_positive(unlabelled, "unlabelled")
    X = as_matrix(X)
    check_squarable(X)
    if X.size > MAX_CELLS:
        raise ValueError(
            f"X has {X.size} cells, and {MAX_CELLS} are the most for linear programs: "
            "select with SCGS, a sparse linear model that takes more, or leave "
            "unlabelled rows out."
        )
    codes = class_codes(labels, len(X))
    spread = X.std(axis=0)
    points = (X - X.mean(axis=0)) / np.where(spread > 0.0, spread, 1.0)
    points = np.round(points, DECIMALS)
    n_classes = int(codes.max()) + 1
    machines, slopes, objectives = [], [], []
    for c in range(n_classes) if n_classes > 2 else [1]:
        signs = np.where(codes < 0, 0.0, np.where(codes == c, 1.0, -1.0))
        machine, labelled_as, values = _descend(points, signs, C, unlabelled)
        machines.append(machine)
        slopes.append(slope(points, labelled_as, signs == 0.0, machine))
        objectives.append(np.array(values))
    weights = np.array([m.weights for m in machines])
    total = np.abs(weights).sum(axis=0)
    away = np.minimum(np.abs(slopes).max(axis=0) - 1.0, 0.0)
    scores = np.where(total > 0.0, total, away)
    # A feature without a weight scores a slope of at most 1, minus 1.
    scores = tied_scores(scores, 1.0)
    return S3VMFit(scores, weights, np.array([m.bias for m in machines]), objectives)


def _descend(
    X: FloatArray, signs: FloatArray, C: float, unlabelled: float
) -> tuple[LinearProgram, FloatArray, list[float]]:
    """Solve for given labels, label the other rows anew, and so on."""
    is_free = signs == 0.0
    n_free = int(is_free.sum())
    known = X[~is_free]
    costs = np.full(len(known), C / len(known))
    machine = solve_program(known, signs[~is_free], costs)
    if n_free == 0:
        even = even_multipliers(machine, X, signs, costs, is_free)
        return even, signs, [machine.objective]
    costs = np.full(len(X), C / len(known))
    target = float(signs[~is_free].mean())
    labelled_as = _labelled(X, signs, machine)
    values: list[float] = []
    for stage in STAGES:
        costs[is_free] = stage * C * unlabelled / n_free
        values = []
        for _ in range(MAX_STEPS):
            machine = solve_program(X, labelled_as, costs, is_free, target)
            values.append(machine.objective)
            new = _labelled(X, signs, machine)
            has_fallen = len(values) == 1 or values[-1] < values[-2] * (1 - MIN_FALL)
            if np.array_equal(new, labelled_as) or not has_fallen:
                break
            labelled_as = new
    even = even_multipliers(machine, X, labelled_as, costs, is_free)
    return even, labelled_as, values


def _labelled(X: FloatArray, signs: FloatArray, machine: LinearProgram) -> FloatArray:
    """Labels of all rows: the given ones, or the side on which a row lies."""
    side = np.where(X @ machine.weights + machine.bias >= 0.0, 1.0, -1.0)
    return np.where(signs == 0.0, side, signs)


def solve_program(
    X: FloatArray,
    signs: FloatArray,
    costs: FloatArray,
    is_free: Any = None,
    target: float = 0.0,
) -> LinearProgram:
    """Minimise |w|₁ + Σ costs max(0, 1 - signs (Xw + b)).

    is_free : rows over which the mean of Xw + b is held at the target; None for none.
    """
    n_rows, n_features = X.shape
    # w = p - q, with p, q >= 0, then b, then what rows lack of their margin.
    prices = np.concatenate([np.ones(2 * n_features), [0.0], costs])
    sides = signs[:, None] * X
    margins = hstack(
        [
            csr_array(sides),
            csr_array(-sides),
            csr_array(signs[:, None]),
            eye_array(n_rows),
        ]
    ).tocsr()
    held: dict[str, Any] = {}
    if is_free is not None:
        mean = X[is_free].mean(axis=0)
        row = np.concatenate([mean, -mean, [1.0], np.zeros(n_rows)])
        held = {"A_eq": row[None, :], "b_eq": [target]}
    bounds = [(0.0, None)] * (2 * n_features) + [(None, None)] + [(0.0, None)] * n_rows
    ones = np.ones(n_rows)
    found = linprog(prices, A_ub=-margins, b_ub=-ones, bounds=bounds, **held)
    if found.status != 0:
        raise ValueError(
            f"a linear program of {n_rows} rows and {n_features} features could not be "
            f"solved ({found.message.strip('. ')}): give another C, or leave features "
            "with outliers out."
        )
    weights = found.x[:n_features] - found.x[n_features : 2 * n_features]
    largest = float(np.abs(weights).max(initial=0.0))
    weights[np.abs(weights) <= MIN_WEIGHT * largest] = 0.0
    balance = float(found.eqlin.marginals[0]) if held else 0.0
    bias = float(found.x[2 * n_features])
    multipliers = -found.ineqlin.marginals
    return LinearProgram(weights, bias, float(found.fun), multipliers, balance)


def even_multipliers(
    machine: LinearProgram,
    X: FloatArray,
    signs: FloatArray,
    costs: FloatArray,
    is_free: BoolArray,
) -> LinearProgram:
    """Spread the multipliers of rows on the margin as evenly as the proof allows.

    Often many prove the same weights, above all weights of 0. The solver has those of
    few rows, whichever come first, and features without a weight would be ranked by
    these rows.
    """
    lacks = 1.0 - signs * (X @ machine.weights + machine.bias)
    is_on = np.abs(lacks) <= ON_MARGIN
    multipliers = np.where(~is_on & (lacks > 0.0), costs, 0.0)
    # The slope of the bias, and of weights that are not 0.
    targets = np.sign(machine.weights)
    sides = signs[:, None] * X
    mean = X[is_free].mean(axis=0) if is_free.any() else np.zeros(X.shape[1])
    for _ in range(MAX_STEPS):
        steep = targets != 0.0
        columns = np.column_stack([signs, sides[:, steep]]).T
        of_balance = np.append(float(is_free.any()), mean[steep])[:, None]
        unknown = np.hstack([columns[:, is_on], of_balance])
        wanted = np.append(0.0, targets[steep])
        wanted -= columns[:, ~is_on] @ multipliers[~is_on]
        found = np.linalg.lstsq(unknown, wanted, rcond=None)[0]
        multipliers[is_on] = found[:-1]
        slopes = multipliers @ sides + found[-1] * mean
        is_outside = (multipliers < -ON_MARGIN) | (multipliers > costs + ON_MARGIN)
        is_steeper = np.abs(slopes) > 1.0 + ON_MARGIN
        if np.abs(unknown @ found - wanted).max() > ON_MARGIN:
            break
        if not is_outside.any() and not is_steeper.any():
            return machine._replace(multipliers=multipliers, balance=float(found[-1]))
        # What goes beyond its bounds is held there.
        multipliers = np.clip(multipliers, 0.0, costs)
        is_on &= ~is_outside
        targets = np.where(is_steeper, np.sign(slopes), targets)
    return machine


def slope(
    X: FloatArray, signs: FloatArray, is_free: Any, machine: LinearProgram
) -> FloatArray:
    """How fast the costs fall along each weight, (d,): from -1 to 1 at the solution."""
    slopes = (machine.multipliers * signs) @ X
    if is_free.any():
        slopes = slopes + machine.balance * X[is_free].mean(axis=0)
    return np.asarray(slopes)
