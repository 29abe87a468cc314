"""Simba-Sc: gradient ascent on the margins of cannot-links."""

from typing import Any

import numpy as np

from pairsift import _kernels
from pairsift._blocks import OneBlock
from pairsift._checks import check_at_least, check_choice, check_positive
from pairsift._random import as_generator
from pairsift._typing import BoolArray, FloatArray, IndexArray, PairArray, RandomState
from pairsift.constraints import as_pairs
from pairsift.scores._block_simba import starts_on_blocks
from pairsift.scores._described_columns import described_blocks, described_columns
from pairsift.scores._in_blocks import as_blocks

EXCLUDED = ("pair", "self")


def simba_sc_score(
    X: FloatArray,
    cannot_link: Any,
    *,
    n_starts: int = 5,
    step: float = 1.0,
    symmetric: bool = False,
    exclude: str = "pair",
    is_categorical: BoolArray | None = None,
    missing: str = "probability",
    labels: IndexArray | None = None,
    random_state: RandomState = None,
    n_jobs: int | None = -1,
) -> FloatArray:
    r"""Score features by Simba with side constraints.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        The data; NaN marks missing values.
    cannot_link : array-like of shape (n_pairs, 2)
        Ordered pairs (n, m) of rows, used as given.
    n_starts : int, default=5
        Number of passes, each over its own random order of the pairs; the one with the
        largest total margin is kept.
    step : float, default=1.0
        Length of the gradient steps.
    symmetric : bool, default=False
        Whether to step along the mean of the gradients of (n, m) and (m, n).
    exclude : {"pair", "self"}, default="pair"
        Which rows are no near-hits: neither n nor m, or, as published, n alone.
    is_categorical : ndarray of shape (n_features,), dtype=bool, default=None
        Categorical columns; None for none.
    missing : {"probability", "ignore", "constant", "distinct"}, default="probability"
        Difference to a missing value (NaN): the probability of another value, in its
        class where there are classes (ReliefD), left out (ReliefC), one minus one over
        the number of values (ReliefB), or 1 to a known and 0 to a missing value
        (Relieved-F).
    labels : ndarray of shape (n_samples,), default=None
        Class numbers, -1 for none; only used for the probabilities of missing values.
    random_state : int, Generator, RandomState or None, default=None
        Seed of the orders.
    n_jobs : int or None, default=-1
        Number of threads: -1 for all cores, None as in joblib.

    Returns
    -------
    scores : ndarray of shape (n_features,)
        Squared weights, the largest of which is 1; 0 for a constant feature.

    Notes
    -----
    Algorithm 3.3 of [1]_, whose step is

    .. math::
        w_f \leftarrow w_f + \left[
            \frac{\Delta_f(x_n, H(x_m))^2}{\|x_n - H(x_m)\|_w} -
            \frac{\Delta_f(x_n, H(x_n))^2}{\|x_n - H(x_n)\|_w} \right] w_f

    with near-hits in the space weighted by w, neither of them n or m. In [1]_ both are
    found in all rows but n (``exclude="self"``), so that m, which is known to be of
    another class, may be the near-hit of n. Equations 3.20 and 3.21 of [1]_ print the
    norms to the third power; the derivative has the first. A zero norm contributes
    nothing, nor does a pair of which an end has no near-hit. All weights start at 1,
    but those of constant features at 0: no step would ever change them.

    References
    ----------
    .. [1] S. Hijazi, "Semi-supervised margin-based feature selection for
       classification", PhD thesis, Université du Littoral Côte d'Opale and
       Lebanese University, 2019, HAL tel-02489733.
    .. [2] M. Yang, J. Song, "A novel hypothesis-margin based approach for feature
       selection with side pairwise constraints", Neurocomputing 73(16-18),
       2859-2872, 2010.

    Examples
    --------
    >>> import numpy as np
    >>> from pairsift.scores import simba_sc_score
    >>> X = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    >>> simba_sc_score(X, [(0, 2)], random_state=0).round(3)
    array([1.   , 0.172])
    """
    blocks = as_blocks(X, allow_nan=True)
    check_at_least(n_starts, "n_starts", 1)
    check_positive(step, "step")
    check_choice(exclude, "exclude", EXCLUDED)
    pairs = as_pairs(cannot_link, len(blocks), name="cannot_link")
    rules = symmetric, exclude == "pair"
    rng = as_generator(random_state)
    orders = [pairs[rng.permutation(len(pairs))] for _ in range(n_starts)]
    if isinstance(blocks, OneBlock):
        columns = described_columns(blocks.X, is_categorical, missing, labels)
        weights, margins = _starts_in_memory(
            blocks.X, pairs, orders, columns, float(step), rules, n_jobs
        )
    else:
        described = described_blocks(blocks, is_categorical, missing, labels)
        weights, margins = starts_on_blocks(
            blocks, pairs, orders, described, float(step), rules
        )
    return weights[margins.argmax()] ** 2


def _starts_in_memory(
    X: FloatArray,
    pairs: PairArray,
    orders: list[PairArray],
    columns: "_kernels.Columns",
    step: float,
    rules: tuple[bool, bool],
    n_jobs: int | None,
) -> tuple[FloatArray, FloatArray]:
    """Return the weights after each start, and the total margins.

    rules : whether margins are symmetric, and near-hits are neither end of a pair.
    """
    weights = np.tile((columns.scale > 0).astype(np.float64), (len(orders), 1))
    margins = np.empty(len(orders))
    cells = _kernels.as_cells(X, columns)
    block = _kernels.single_columns(cells)

    def run(first: int, last: int) -> None:
        for start in range(first, last):
            w, order = weights[start], orders[start]
            _kernels.simba_pass(cells, block, order, step, *rules, w)
            w /= np.abs(w).max() or 1.0
            margins[start] = _kernels.total_margin(cells, block, pairs, *rules, w)

    # The passes count what is done.
    cost = 1.0 * len(orders) * len(pairs) * X.size
    _kernels.on_threads(n_jobs, len(orders), run, cost=cost, is_counted=False)
    return weights, margins
