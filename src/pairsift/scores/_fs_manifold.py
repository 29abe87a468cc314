"""FS-manifold: a machine that is smooth over all rows, with relaxed indicators."""

from typing import Any, NamedTuple

import numpy as np
from scipy.linalg import cho_factor, cho_solve

from pairsift._checks import (
    as_matrix,
    check_at_least,
    check_memory,
    check_positive,
    check_squarable,
    is_positive,
)
from pairsift._typing import FloatArray
from pairsift._warnings import warn_caller
from pairsift.graphs import laplacian, similarity_graph
from pairsift.scores._box_program import solve_machine
from pairsift.scores._irelief import class_codes
from pairsift.scores._ties import tied_scores

MAX_FEATURES = 5000
"""More features are refused: a step takes time in proportion to their cube."""
# Indicators never vanish, or a feature could not come back.
MIN_INDICATOR = 1e-8
# Costs beyond this leave nothing of the other terms but rounding.
MAX_WEIGHT = 1e6
DECIMALS = 12


class ManifoldFit(NamedTuple):
    """Weights and indicators, and the way to them."""

    scores: FloatArray
    """(d,) length of the weights of a feature over the machines."""
    indicators: FloatArray
    """(d,) from 0 to 1, which add up to the number wanted at most."""
    weights: FloatArray
    """(m, d)"""
    biases: FloatArray
    """(m,)"""
    objectives: FloatArray
    """(n_iter,) after each round."""


def fs_manifold_score(
    X: FloatArray,
    labels: Any,
    *,
    n_indicators: int | None = None,
    C: float = 0.3,
    rho: float = 1.0,
    n_neighbors: int = 5,
    tol: float = 1e-5,
    max_iter: int = 100,
) -> FloatArray:
    r"""Score features by the weights of a machine that is smooth over all rows.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        The data.
    labels : array-like of shape (n_samples,)
        Class numbers, at least two of them, and -1 for unlabelled rows.
    n_indicators : int, default=None
        What the indicators of all features may add up to, the number of features that
        the machine has; None for half of all, rounded up.
    C : float, default=0.3
        Cost of all labelled rows together at the wrong sides of their margins.
    rho : float, default=1.0
        Weight :math:`\rho` of differences between neighbouring rows.
    n_neighbors : int, default=5
        Number of nearest neighbours, cut to ``n_samples - 1``.
    tol : float, default=1e-5
        It stops when a round lowers the objective by no more than this share of it.
    max_iter : int, default=100
        Most steps; a warning tells when they did not suffice.

    Returns
    -------
    scores : ndarray of shape (n_features,)
        The length of the weights of a feature over the machines, at least 0.

    See Also
    --------
    pairsift.FSManifold : The same as a selector, with indicators and machines.
    s3vm_score : A sparse machine with unlabelled rows outside of its margin.

    Notes
    -----
    Equations 3.8 and 3.9 of [1]_, after [2]_, with indicators p between 0 and 1. With
    :math:`f(x) = \sum_f w_f \sqrt{p_f} x_f + b` on columns of variance 1, l labelled
    rows, and the Laplacian L of a graph of all rows whose weights add up to s,

    .. math::
        \min_{w, b, p}\ \tfrac12 \|w\|^2 + \frac Cl \sum_i \max(0, 1 - y_i f(x_i)) +
        \frac \rho{2s} w^T P^{1/2} X^T L X P^{1/2} w, \qquad
        0 \le p_f \le 1,\ \sum_f p_f \le m

    With :math:`v = P^{1/2} w` this is convex in v, b and p together, as
    :math:`\|w\|^2 = \sum_f v_f^2 / p_f`. Two convex steps take turns, and neither
    raises the objective: the machine for given indicators, whose dual problem has one
    multiplier per labelled row, by an inner-point method to a tolerance of 1e-9; and
    the indicators for given weights, :math:`p_f = \min(1, |v_f| / \theta)` with
    :math:`\theta` such that they add up to m. What the sources leave open:

    - Indicators of 0 and 1 are equal to their roots. [1]_ relaxes P itself, with which
      the problem is not convex; with its root it is.
    - Some constraint must hold indicators down, which [1]_ does not state: without any,
      all would be 1. Here their sum is bounded.
    - The graph joins the nearest rows on all columns, by Gaussian weights with the mean
      distance to the last neighbour as width. Costs and differences are means, so that
      parameters do not depend on the number of rows. The double sum of equation 3.9 is
      twice the form with L that it is set equal to; the form counts.
    - Several classes have one machine each, against the others, with common indicators:
      :math:`v_f` is then the length of the weights of all machines.
    - C is not given. With 30 labels a large one finds noise that parts them; with a
      small one all labelled rows are within the margin, and weights follow the
      differences of the class means.
    - The threshold on p is not given. p grows with :math:`|v|`, which is the score and
      also orders features of the indicator 1.

    Indicators shrink towards 0 without reaching it: no more than 1e-8 counts as 0.

    References
    ----------
    .. [1] F. Coelho, "Semi-supervised feature selection", PhD thesis, Universidade
       Federal de Minas Gerais and Université catholique de Louvain, 2013.
    .. [2] Z. Xu, R. Jin, M. R. Lyu, I. King, "Discriminative semi-supervised feature
       selection via manifold regularization", IJCAI, 1303-1308, 2009.

    Examples
    --------
    >>> import numpy as np
    >>> from pairsift.scores import fs_manifold_score
    >>> rng = np.random.default_rng(0)
    >>> y = np.arange(100) % 2
    >>> X = rng.normal(size=(100, 3))
    >>> X[:, 1] += 4 * y
    >>> int(fs_manifold_score(X, np.where(np.arange(100) < 10, y, -1)).argmax())
    1
    """
    return fit_fs_manifold(
        X,
        labels,
        n_indicators=n_indicators,
        C=C,
        rho=rho,
        n_neighbors=n_neighbors,
        tol=tol,
        max_iter=max_iter,
    ).scores


def fit_fs_manifold(
    X: FloatArray,
    labels: Any,
    *,
    n_indicators: int | None,
    C: float,
    rho: float,
    n_neighbors: int,
    tol: float,
    max_iter: int,
) -> ManifoldFit:
    """Score as :func:`fs_manifold_score`, and tell weights and indicators."""
    check_positive(tol, "tol")
    for name, value in {"C": C, "rho": rho}.items():
        if not is_positive(value) or value > MAX_WEIGHT:
            raise ValueError(
                f"{name} must be a positive number up to {MAX_WEIGHT:.0e}, got "
                f"{value!r}."
            )
    check_at_least(n_neighbors, "n_neighbors", 1)
    check_at_least(max_iter, "max_iter", 1)
    X = as_matrix(X)
    check_squarable(X)
    n_features = X.shape[1]
    n_wanted = _number(n_indicators, n_features)
    codes = class_codes(labels, len(X))
    _refuse_sizes(n_features, int((codes >= 0).sum()))
    spread = X.std(axis=0)
    points = (X - X.mean(axis=0)) / np.where(spread > 0.0, spread, 1.0)
    # Rounded only behind the graph: it would break the ties of neighbours.
    smooth = smoothness(points, n_neighbors)
    points = np.round(points, DECIMALS)
    known = codes >= 0
    classes = range(int(codes.max()) + 1) if codes.max() > 1 else [1]
    signs = np.array([np.where(codes[known] == c, 1.0, -1.0) for c in classes])
    problem = Machines(points[known], signs, smooth, C, rho)
    return _descend(problem, n_wanted, tol, max_iter)


def _number(n_indicators: int | None, n_features: int) -> int:
    if n_indicators is None:
        return -(-n_features // 2)
    check_at_least(n_indicators, "n_indicators", 1)
    if n_indicators > n_features:
        raise ValueError(
            f"n_indicators={n_indicators} asks for more than the {n_features} features "
            "of X."
        )
    return int(n_indicators)


def _refuse_sizes(n_features: int, n_labelled: int) -> None:
    if n_features > MAX_FEATURES:
        raise ValueError(
            f"X has {n_features} features, and {MAX_FEATURES} are the most, as time "
            "grows with their cube: select with SemiMRMR, or drop features with "
            "CollinearityFilter first."
        )
    check_memory(
        2 * 8.0 * n_labelled**2,
        f"products of {n_labelled} labelled rows",
        "select with SemiMRMR, which keeps none, or leave labels out",
    )


def smoothness(points: FloatArray, n_neighbors: int) -> FloatArray:
    """XᵀLX / s of a graph of the nearest rows, (d, d)."""
    k = min(n_neighbors, len(points) - 1)
    distinct = np.unique(points, axis=0)
    if len(distinct) == 1:
        return np.zeros((points.shape[1], points.shape[1]))
    S = similarity_graph(points, n_neighbors=k, sigma="auto")
    total = float(S.sum())
    if total == 0.0:
        return np.zeros((points.shape[1], points.shape[1]))
    return np.asarray(points.T @ (laplacian(S) @ points)) / total


class Machines(NamedTuple):
    """What is minimised: one machine for each row of signs."""

    points: FloatArray
    """(l, d) labelled rows."""
    signs: FloatArray
    """(m, l)"""
    smooth: FloatArray
    """(d, d)"""
    C: float
    rho: float

    def objective(self, v: FloatArray, biases: FloatArray, p: FloatArray) -> float:
        """Of weights v, (m, d), biases, (m,), and indicators, (d,)."""
        f = v @ self.points.T + biases[:, None]
        hinge = np.maximum(0.0, 1.0 - self.signs * f).mean(axis=1).sum()
        bent = np.einsum("mi,ij,mj->", v, self.smooth, v)
        return float(0.5 * (v**2 / p).sum() + self.C * hinge + 0.5 * self.rho * bent)

    def best_weights(self, p: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Weights and biases for given indicators."""
        root = np.sqrt(p)
        # v = √p u: the machine of √p x, whose weights u cost uᵀAu / 2.
        A = np.eye(p.size) + self.rho * root[:, None] * self.smooth * root
        factor = cho_factor(A)
        Z = self.points * root
        solved = cho_solve(factor, Z.T)
        K = Z @ solved
        cost = self.C / len(Z)
        found = [solve_machine(K, s, cost) for s in self.signs]
        u = np.array(
            [solved @ (m.alpha * s) for m, s in zip(found, self.signs, strict=True)]
        )
        biases = np.array([m.bias for m in found])
        return u * root, biases


def best_indicators(lengths: FloatArray, n_wanted: int) -> FloatArray:
    """Minimise Σ lengths² / p for 0 <= p <= 1 and Σp <= n_wanted."""
    n_used = int(np.count_nonzero(lengths))
    if n_used <= n_wanted:
        left_over = (n_wanted - n_used) / max(int(lengths.size) - n_used, 1)
        return np.where(lengths > 0.0, 1.0, max(left_over, MIN_INDICATOR))
    order = np.argsort(-lengths, kind="stable")
    falling = lengths[order]
    rest = np.cumsum(falling[::-1])[::-1]
    # θ with the k largest at 1: the others share what is left.
    full = np.arange(n_wanted)
    theta = rest[:n_wanted] / (n_wanted - full)
    k = int(np.argmax(falling[:n_wanted] <= theta))
    return np.clip(lengths / theta[k], MIN_INDICATOR, 1.0)


def _descend(
    problem: Machines, n_wanted: int, tol: float, max_iter: int
) -> ManifoldFit:
    n_features = problem.points.shape[1]
    p = np.full(n_features, n_wanted / n_features)
    values: list[float] = []
    for _ in range(max_iter):
        v, biases = problem.best_weights(p)
        lengths = np.sqrt((v**2).sum(axis=0))
        p = best_indicators(lengths, n_wanted)
        values.append(problem.objective(v, biases, p))
        if len(values) > 1 and values[-2] - values[-1] <= tol * values[-2]:
            break
    else:
        if max_iter > 1:
            warn_caller(
                f"FSManifold did not converge in {max_iter} rounds: give a larger "
                "max_iter or tol."
            )
    return ManifoldFit(tied_scores(lengths), p, v, biases, np.array(values))
