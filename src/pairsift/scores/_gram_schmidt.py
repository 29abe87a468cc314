"""Gram-Schmidt orthogonalisation: features by what they add to those before."""

from typing import Any

import numpy as np
from scipy.special import betainc

from pairsift import _kernels
from pairsift._checks import as_matrix, check_squarable
from pairsift._typing import FloatArray, IndexArray
from pairsift.scores._columns import centred_columns, unit_columns
from pairsift.scores._irelief import class_codes
from pairsift.scores._search import (
    SEARCH_TIE,
    ascending,
    check_n_features,
    first_lowest,
)

# Share of a column, or of the targets, below which nothing but rounding is left.
NOTHING_LEFT = 1e-7


def gram_schmidt_path(
    X: FloatArray,
    labels: Any,
    *,
    n_features: int | None = None,
    risk: float | None = None,
) -> tuple[IndexArray, FloatArray, FloatArray]:
    r"""Add the features nearest to the classes, beside those added before.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        The data.
    labels : array-like of shape (n_samples,)
        Class labels, at least two of them; unlabelled rows (-1) are left out.
    n_features : int, default=None
        Number of steps, None for all features.
    risk : float, default=None
        Probability at which to stop: that a random probe would have been added so far.
        None goes on.

    Returns
    -------
    order : ndarray of shape (n_features,), dtype=int64
        All features: those added, in order, then the others by their cosine at the last
        step.
    cosines : ndarray of shape (n_features,)
        Squared cosine of the angle between each feature of `order` and the classes, at
        the step at which it was added, or else at the last step.
    risks : ndarray of shape (n_steps,)
        Probability that a random probe comes before or at this place. The last one is
        above `risk` if it stopped the search.

    Notes
    -----
    The orthogonalisation of [1]_ with the stopping rule of [2]_, both as described in
    [3]_. All columns and the target are centred. In every step the feature at the
    smallest angle to the target is added, and all others and the target are made
    orthogonal to it. At step k a random probe has a uniform direction in the
    :math:`\nu = n - k` dimensions left, so that its squared cosine has a beta
    distribution, and the probability of beating the feature, with
    :math:`\cos^2 \theta_k` of its own, adds to the risk:

    .. math::
        p_k = 1 - I_{\cos^2 \theta_k}\Big(\frac q2, \frac{\nu - q}2\Big), \qquad
        G_k = G_{k-1} + (1 - G_{k-1})\, p_k

    Two classes are one column, q = 1. More classes, which [2]_ does not treat, have one
    column each, and the angle is that to the space of what is left of them, of q
    dimensions: the same formulas hold.

    The probe is a single one, as published: among many useless features the best is
    nearer to the classes than one probe. A feature of which nothing is left, as of a
    copy, has the cosine 0.

    References
    ----------
    .. [1] S. Chen, S. A. Billings, W. Luo, "Orthogonal least squares methods and
       their application to non-linear system identification", International
       Journal of Control 50(5), 1873-1896, 1989.
    .. [2] H. Stoppiglia, G. Dreyfus, R. Dubois, Y. Oussar, "Ranking a random
       feature for variable and feature selection", JMLR 3, 1399-1414, 2003.
    .. [3] F. Coelho, "Semi-supervised feature selection", PhD thesis, Universidade
       Federal de Minas Gerais and Université catholique de Louvain, 2013.

    Examples
    --------
    >>> import numpy as np
    >>> from pairsift.scores import gram_schmidt_path
    >>> X = np.array([[0.0, 1.0], [1.0, 1.1], [0.0, 1.2], [1.0, 5.0], [0, 5.1], [1, 5]])
    >>> order, cosines, risks = gram_schmidt_path(X, [0, 0, 0, 1, 1, 1])
    >>> order
    array([1, 0])
    >>> risks.round(4)
    array([0.    , 0.5472])
    """
    X = as_matrix(X)
    check_squarable(X)
    codes = class_codes(labels, len(X))
    n_steps = check_n_features(n_features, X.shape[1])
    if risk is not None and not 0.0 < risk <= 1.0:
        raise ValueError(f"risk must be above 0 and at most 1, got {risk!r}.")
    # Threads would only wait for each other: the products are small.
    with _kernels.one_blas_thread():
        return _add_features(X[codes >= 0], codes[codes >= 0], n_steps, risk)


def _add_features(
    X: FloatArray, codes: IndexArray, n_steps: int, risk: float | None
) -> tuple[IndexArray, FloatArray, FloatArray]:
    search = _Orthogonalisation(X, codes)
    left = np.arange(X.shape[1])
    order: list[int] = []
    cosines: list[float] = []
    risks = np.ones(n_steps)
    chance = 0.0
    for step in range(n_steps):
        found = search.cosines()[left]
        best = first_lowest(-found, SEARCH_TIE)
        chance += (1.0 - chance) * search.probe_chance(found[best])
        risks[step] = chance
        if risk is not None and chance > risk:
            risks = risks[: step + 1]
            break
        if step == n_steps - 1 or found[best] == 0.0:
            break
        order.append(int(left[best]))
        cosines.append(float(found[best]))
        search.add(order[-1])
        left = np.delete(left, best)
    rest = ascending(-found, SEARCH_TIE)
    return (
        np.array([*order, *left[rest]], dtype=np.int64),
        np.array([*cosines, *found[rest]]),
        risks,
    )


class _Orthogonalisation:
    """What is left of the features and of the targets beside the features added."""

    def __init__(self, X: FloatArray, codes: IndexArray) -> None:
        self.columns = unit_columns(centred_columns(X))
        classes = np.arange(1 if codes.max() == 1 else codes.max() + 1)
        targets = (codes[:, None] == classes).astype(np.float64)
        self.targets = targets - targets.mean(axis=0)
        self.size = float(np.linalg.norm(self.targets))
        self.added = np.empty((len(X), 0))
        self.basis = self._basis()
        self.lengths = (self.columns**2).sum(axis=0)
        self.exact_lengths = self.lengths.copy()

    def cosines(self) -> FloatArray:
        """Squared cosines between every feature and the space of the targets."""
        # The basis is orthogonal to what was taken off the columns: it need not be.
        parts = ((self.basis.T @ self.columns) ** 2).sum(axis=0)
        is_left = self.lengths > 0.0
        return np.minimum(
            np.divide(parts, self.lengths, out=np.zeros_like(parts), where=is_left), 1.0
        )

    def probe_chance(self, cosine: float) -> float:
        """Probability that a random direction is nearer to the targets."""
        q = self.basis.shape[1]
        n_left = len(self.targets) - 1 - self.added.shape[1]
        if q == 0 or n_left <= q:
            return 1.0
        return float(betainc((n_left - q) / 2.0, q / 2.0, 1.0 - cosine))

    def add(self, feature: int) -> None:
        direction = self._beside_added(self.columns[:, [feature]])
        direction /= np.linalg.norm(direction)
        self.added = np.column_stack([self.added, direction])
        self.targets = self._beside_added(self.targets)
        self.basis = self._basis()
        lengths = self.lengths - (direction.T @ self.columns)[0] ** 2
        # A difference of nearly equal numbers is computed anew.
        is_rough = (lengths < 0.01 * self.exact_lengths) & (self.lengths > 0.0)
        left = self._beside_added(self.columns[:, is_rough])
        lengths[is_rough] = (left**2).sum(axis=0)
        self.exact_lengths[is_rough] = lengths[is_rough]
        self.lengths = np.where(lengths > NOTHING_LEFT**2, lengths, 0.0)

    def _beside_added(self, vectors: FloatArray) -> FloatArray:
        # Twice, because rounding grows with what is taken off.
        for _ in range(2):
            vectors = vectors - self.added @ (self.added.T @ vectors)
        return vectors

    def _basis(self) -> FloatArray:
        U, s, _ = np.linalg.svd(self.targets, full_matrices=False)
        return U[:, s > NOTHING_LEFT * self.size]
