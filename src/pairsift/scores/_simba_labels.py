"""Simba: gradient ascent on the margins of labelled rows."""

from typing import Any

import numpy as np

from pairsift import _kernels
from pairsift._checks import as_matrix, check_at_least, check_positive
from pairsift._random import as_generator
from pairsift._typing import BoolArray, FloatArray, RandomState
from pairsift.scores._described_columns import described_columns
from pairsift.scores._irelief import class_codes


def simba_score(
    X: FloatArray,
    labels: Any,
    *,
    n_starts: int = 5,
    step: float = 1.0,
    is_categorical: BoolArray | None = None,
    missing: str = "probability",
    random_state: RandomState = None,
    n_jobs: int | None = -1,
) -> FloatArray:
    r"""Score features by Simba, the iterative search margin based algorithm.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        The data; NaN marks missing values.
    labels : array-like of shape (n_samples,)
        Class labels, at least two of them; unlabelled rows (-1) are left out.
    n_starts : int, default=5
        Number of passes, each over its own random order of the rows; the one with the
        largest total margin is kept.
    step : float, default=1.0
        Length of the gradient steps.
    is_categorical : ndarray of shape (n_features,), dtype=bool, default=None
        Categorical columns; None for none.
    missing : {"probability", "ignore", "constant", "distinct"}, default="probability"
        Difference to a missing value (NaN): the probability of another value, in its
        class where there are classes (ReliefD), left out (ReliefC), one minus one over
        the number of values (ReliefB), or 1 to a known and 0 to a missing value
        (Relieved-F).
    random_state : int, Generator, RandomState or None, default=None
        Seed of the orders.
    n_jobs : int or None, default=-1
        Number of threads: -1 for all cores, None as in joblib; no more than `n_starts`
        are of use.

    Returns
    -------
    scores : ndarray of shape (n_features,)
        Squared weights, the largest of which is 1; 0 for a constant feature.

    Notes
    -----
    Equation 2.29 and algorithm 2.3 of [1]_ after [2]_, whose step is

    .. math::
        w_f \leftarrow w_f + \left[
            \frac{\Delta_f(x, M(x))^2}{\|x - M(x)\|_w} -
            \frac{\Delta_f(x, H(x))^2}{\|x - H(x)\|_w} \right] w_f

    with the near-hit H and the near-miss M in the space weighted by w. The published
    algorithm draws rows; here every start passes once over all labelled rows in random
    order. A zero norm contributes nothing, a row without a hit is passed over. All
    weights start at 1, but those of constant features at 0: no step would ever change
    them.

    References
    ----------
    .. [1] S. Hijazi, "Semi-supervised margin-based feature selection for
       classification", PhD thesis, Université du Littoral Côte d'Opale and
       Lebanese University, 2019, HAL tel-02489733.
    .. [2] R. Gilad-Bachrach, A. Navot, N. Tishby, "Margin based feature selection:
       theory and algorithms", ICML, 2004.

    Examples
    --------
    >>> import numpy as np
    >>> from pairsift.scores import simba_score
    >>> X = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    >>> simba_score(X, [0, 0, 1, 1], random_state=0)
    array([1., 0.])
    """
    X = as_matrix(X, allow_nan=True)
    check_at_least(n_starts, "n_starts", 1)
    check_positive(step, "step")
    codes = class_codes(labels, len(X))
    X, codes = np.ascontiguousarray(X[codes >= 0]), codes[codes >= 0]
    columns = described_columns(X, is_categorical, missing, codes)
    rng = as_generator(random_state)
    orders = [rng.permutation(len(X)) for _ in range(n_starts)]
    weights = np.tile((columns.scale > 0).astype(np.float64), (n_starts, 1))
    margins = np.empty(n_starts)
    cells = _kernels.as_cells(X, columns)
    block = _kernels.single_columns(cells)

    def run(first: int, last: int) -> None:
        for start in range(first, last):
            w = weights[start]
            _kernels.simba_label_pass(
                cells, block, orders[start], codes, float(step), w
            )
            w /= np.abs(w).max() or 1.0
            margins[start] = _kernels.total_label_margin(cells, block, codes, w)

    # The passes count what is done.
    cost = 0.4 * n_starts * len(X) * X.size
    _kernels.on_threads(n_jobs, n_starts, run, cost=cost, is_counted=False)
    return weights[margins.argmax()] ** 2
