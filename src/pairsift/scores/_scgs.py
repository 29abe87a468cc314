"""SCGS: sparse weights that fit labels, pairs and neighbours at once."""

from collections.abc import Callable
from typing import Any, NamedTuple, Self

import numpy as np
from scipy.sparse import csr_array

from pairsift._checks import (
    as_matrix,
    check_at_least,
    check_choice,
    check_squarable,
    is_positive,
)
from pairsift._typing import BoolArray, FloatArray, IndexArray
from pairsift._warnings import warn_caller
from pairsift.constraints import as_pairs
from pairsift.graphs import check_graph, laplacian
from pairsift.scores._irelief import class_codes
from pairsift.scores._ties import tied_scores

PENALTIES = ("l1", "l21")
WORKING_SET = 100
"""Features that the solver starts with."""
POWER_STEPS = 20
ROUNDING = 1e-13
VANISHING = 1e-24
"""Share of a feature's variance below which what a term sees of it is rounding."""


class SparseFit(NamedTuple):
    """The solution of the program of :func:`scgs_score`."""

    scores: FloatArray
    """(d,) one score per feature."""
    coef: FloatArray
    """(d, c) weight of each feature for each class."""
    n_iter: int
    """Number of proximal steps taken."""
    gap: float
    """Proven distance to the optimum, as a share of the objective at zero weights."""


def scgs_score(
    X: FloatArray,
    labels: Any,
    S: csr_array | FloatArray | None = None,
    *,
    must_link: Any = None,
    cannot_link: Any = None,
    alpha: float = 0.1,
    beta: float = 1.0,
    gamma: float = 1.0,
    penalty: str = "l1",
    max_iter: int = 20_000,
    tol: float = 1e-8,
) -> FloatArray:
    r"""Score features by their weight in a sparse linear model of classes and pairs.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        The data, taken as given: the penalty favours features of large scale.
    labels : array-like of shape (n_samples,)
        Class numbers, at least two of them, and -1 for unlabelled rows.
    S : csr_array or ndarray of shape (n_samples, n_samples), default=None
        Symmetric similarities of the rows; None leaves out the term of the graph.
    must_link, cannot_link : array-like of shape (n_pairs, 2), default=None
        Pairs of rows that belong together or apart; where both are None, all pairs of
        labelled rows, which are not listed.
    alpha : float, default=0.1
        Weight of the penalty, as a share of the smallest that makes all weights 0.
    beta : float, default=1.0
        Weight of the pairs.
    gamma : float, default=1.0
        Weight of the graph.
    penalty : {"l1", "l21"}, default="l1"
        Sum of the absolute weights, or of the norms of the features' weights over the
        classes, which selects a feature for all classes or for none.
    max_iter : int, default=20000
        Most proximal steps to take.
    tol : float, default=1e-8
        Where to stop: at this duality gap, as a share of the objective at zero weights.

    Returns
    -------
    scores : ndarray of shape (n_features,)
        For a feature with weights, their norm. For one without, from -1 to 0, how near
        it is to getting some: :math:`r - 1` with :math:`r` its gradient over the
        penalty. ``-inf`` for a constant feature.

    Warns
    -----
    RuntimeWarning
        If `max_iter` steps do not reach `tol`.

    Notes
    -----
    With one column of :math:`Y` a class (1 for its rows, 0 for others), outputs
    :math:`f_i = x_i W`, the :math:`n_l` labelled rows :math:`X_l`, the sets
    :math:`\mathcal{M}` and :math:`\mathcal{C}` of pairs and the edges
    :math:`\mathcal{E}` of the graph:

    .. math::
        \min_{W, b} \frac{1}{2 n_l} \|X_l W + 1 b^T - Y\|^2
        + \frac{\beta}{2 (|\mathcal{M}| + |\mathcal{C}|)} \Big(
            \sum_{(i,j) \in \mathcal{M}} \|f_i - f_j\|^2
            + \sum_{(i,j) \in \mathcal{C}} \|f_i + f_j - 2 f_o\|^2 \Big)
        + \frac{\gamma}{2 \sum_\mathcal{E} s_{ij}}
            \sum_{(i,j) \in \mathcal{E}} s_{ij} \|f_i - f_j\|^2
        + \alpha \alpha_{max} \Omega(W)

    This is semi-supervised CGS [1]_ as far as [2]_ describes it: loss on the labels,
    a term of the pairs, a term of the geometry of all data, and sparse weights. Details
    are decided here. Every term is a mean, so that numbers of rows, pairs and edges do
    not shift the balance, and :math:`\alpha` is a share of :math:`\alpha_{max}`, the
    smallest penalty at which :math:`W = 0`, so that it has no unit.
    To push the ends of a cannot-link apart, by a negative square of their difference,
    is not bounded below. Instead they are drawn to opposite sides of :math:`f_o`, the
    output of the mean of the class means: the signed Laplacian of the pairs, which is
    convex. For two classes the wanted outputs make this term 0; for more they do not,
    but the outputs of two rows of the same class make it larger still.

    Without pairs and graph this is scikit-learn's ``Lasso`` of each column, and
    ``MultiTaskLasso`` for ``penalty="l21"``.

    It is solved by accelerated proximal gradient steps with restarts, in units in
    which all features have the same curvature, on a growing set of features. The
    duality gap over all features tells when it is solved.

    References
    ----------
    .. [1] M. Liu, D. Zhang, "Pairwise constraint-guided sparse learning for feature
       selection", IEEE Transactions on Cybernetics 46(1), 298-310, 2016.
    .. [2] A. Salmi, K. Hammouche, L. Macaire, "Similarity-based constraint score
       for feature selection", Knowledge-Based Systems 209, 106429, 2020,
       doi:10.1016/j.knosys.2020.106429.

    Examples
    --------
    >>> import numpy as np
    >>> from pairsift.scores import scgs_score
    >>> X = np.array([[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]])
    >>> scgs_score(X, [0, 0, 1, 1], alpha=0.1, beta=0.0).round(3)
    array([ 0.636, -1.   ])
    """
    fit = fit_scgs(
        X,
        labels,
        S,
        must_link=must_link,
        cannot_link=cannot_link,
        alpha=alpha,
        beta=beta,
        gamma=gamma,
        penalty=penalty,
        max_iter=max_iter,
        tol=tol,
    )
    if fit.gap > tol:
        warn_caller(not_converged(fit, tol), RuntimeWarning)
    return fit.scores


def not_converged(fit: SparseFit, tol: float) -> str:
    """Say in a sentence how far a fit came."""
    return (
        f"the duality gap is {fit.gap:.1e} of the objective at zero after {fit.n_iter} "
        f"steps, wanted tol={tol:.1e}: choose max_iter, tol or alpha larger."
    )


def fit_scgs(
    X: FloatArray,
    labels: Any,
    S: csr_array | FloatArray | None,
    *,
    must_link: Any,
    cannot_link: Any,
    alpha: float,
    beta: float,
    gamma: float,
    penalty: str,
    max_iter: int,
    tol: float,
) -> SparseFit:
    """Solve the program of :func:`scgs_score`, which see for the parameters."""
    X = as_matrix(X)
    check_squarable(X)
    check_choice(penalty, "penalty", PENALTIES)
    check_at_least(max_iter, "max_iter", 1)
    _check_weights(alpha=alpha, beta=beta, gamma=gamma, tol=tol)
    codes = class_codes(labels, len(X))
    terms = [_loss_term(codes)]
    if beta > 0:
        terms += _pair_terms(codes, must_link, cannot_link, beta)
    if S is not None:
        check_graph(S, X)
        if gamma > 0:
            terms.append(_graph_term(S, gamma))
    # Counted from its own first value a constant column is 0, whatever the rounding.
    centred = X - X[0]
    centred -= centred.mean(axis=0)
    bent, curvature = _bend(centred, terms)
    is_used = curvature > VANISHING * (centred**2).mean(axis=0)
    unit = np.sqrt(curvature[is_used])
    program = _program(
        centred[:, is_used] / unit, bent[:, is_used] / unit, codes, penalty
    )
    largest = float((program.dual_norms(program.C) * unit).max(initial=0.0))
    coef = np.zeros((X.shape[1], program.C.shape[1]))
    nearness = np.zeros(X.shape[1])
    n_iter, gap = 0, 0.0
    if largest > 0:
        program = program._replace(thresholds=alpha * largest / unit)
        V, n_iter = _solve(program, max_iter, tol)
        AV = program.curve(V)
        gap = program.gap(V, AV)
        coef[is_used] = V / unit[:, None]
        nearness[is_used] = program.nearness(AV)
    norms = np.linalg.norm(coef, axis=1)
    scores = np.where(norms > 0, norms, np.minimum(nearness, 1.0) - 1.0)
    scores[~centred.any(axis=0)] = -np.inf
    return SparseFit(tied_scores(scores), coef, n_iter, gap)


def _bend(centred: FloatArray, terms: list["Term"]) -> tuple[FloatArray, FloatArray]:
    """K Z of all terms together, and the diagonal of Z'KZ."""
    bent = np.zeros_like(centred)
    with np.errstate(over="ignore", invalid="ignore"):
        for term in terms:
            bent += term(centred)
        curvature = (centred * bent).sum(axis=0)
    if not np.isfinite(curvature).all():
        raise ValueError("X holds numbers too large to square: scale it first.")
    return bent, curvature


def _program(
    Z: FloatArray, bent_Z: FloatArray, codes: IndexArray, penalty: str
) -> "Program":
    """Return the program without thresholds, which depend on its gradient at 0."""
    target = (codes[:, None] == np.arange(codes.max() + 1)).astype(np.float64)
    target[codes >= 0] -= target[codes >= 0].mean(axis=0)
    n_labelled = int((codes >= 0).sum())
    energy = float((target**2).sum() / n_labelled)
    along = Z.T @ target / n_labelled
    return Program(
        Z=Z,
        bent_Z=bent_Z,
        # At most the root of the energy: below, a feature constant on labelled rows.
        C=np.where(np.abs(along) > ROUNDING * np.sqrt(energy), along, 0.0),
        thresholds=np.ones(Z.shape[1]),
        energy=energy,
        is_grouped=penalty == "l21",
    )


def _check_weights(**weights: Any) -> None:
    for name, weight in weights.items():
        at_least = "above 0" if name in ("alpha", "tol") else "of at least 0"
        if not is_positive(weight) and (weight != 0 or at_least == "above 0"):
            raise ValueError(f"{name} must be a number {at_least}, got {weight!r}.")


Term = Callable[[FloatArray], FloatArray]
"""F (n, k) to K F, for a term ½ tr F'KF of the outputs F that ignores constants."""


def _loss_term(codes: IndexArray) -> Term:
    is_labelled = codes >= 0

    def apply(F: FloatArray) -> FloatArray:
        bent = np.zeros_like(F)
        known = F[is_labelled]
        bent[is_labelled] = (known - known.mean(axis=0)) / len(known)
        return bent

    return apply


def _pair_terms(
    codes: IndexArray, must_link: Any, cannot_link: Any, beta: float
) -> list[Term]:
    is_member = codes[:, None] == np.arange(codes.max() + 1)
    # Weight of each row in the mean of the class means.
    in_origin = (is_member / is_member.sum(axis=0)).mean(axis=1)
    if must_link is None and cannot_link is None:
        n_pairs, over_pairs = _all_pairs(is_member)
    else:
        n_pairs, over_pairs = _given_pairs(len(codes), must_link, cannot_link)

    def apply(F: FloatArray) -> FloatArray:
        bent = over_pairs(F - in_origin @ F)
        return (beta / n_pairs) * (bent - in_origin[:, None] * bent.sum(axis=0))

    return [apply] if n_pairs else []


def _all_pairs(is_member: BoolArray) -> tuple[int, Term]:
    """Count the pairs of labelled rows; Σ_j f_i ∓ f_j over the pairs of each row i."""
    members = csr_array(is_member.T.astype(np.float64))
    is_labelled = is_member.any(axis=1, keepdims=True)
    n_labelled = int(is_member.sum())

    def over_pairs(F: FloatArray) -> FloatArray:
        # f_i - f_j over the class of i and f_i + f_j over the others.
        F = np.where(is_labelled, F, 0.0)
        own = members.T @ (members @ F)
        return n_labelled * F + is_labelled * F.sum(axis=0) - 2.0 * own

    return n_labelled * (n_labelled - 1) // 2, over_pairs


def _given_pairs(n_rows: int, must_link: Any, cannot_link: Any) -> tuple[int, Term]:
    """Return what `_all_pairs` does, of given pairs only."""
    given = {"must_link": must_link, "cannot_link": cannot_link}
    ends = [
        as_pairs(() if pairs is None else pairs, n_rows, name=name)
        for name, pairs in given.items()
    ]
    first, second = np.concatenate(ends).T
    pair = np.arange(first.size)
    sign = np.repeat([-1.0, 1.0], [len(pairs) for pairs in ends])
    values = np.concatenate([np.ones(first.size), sign])
    places = (np.tile(pair, 2), np.concatenate([first, second]))
    incidence = csr_array((values, places), shape=(first.size, n_rows))
    signed = csr_array(incidence.T @ incidence)
    return first.size, lambda F: np.asarray(signed @ F)


def _graph_term(S: csr_array | FloatArray, gamma: float) -> Term:
    largest = S.max()
    if not largest > 0:
        raise ValueError(
            "the graph joins no two rows by a weight above 0: scale X first, choose "
            "sigma larger (for example 'auto'), or gamma=0."
        )
    # Similarities may be so small that their sum has no inverse.
    S = S / largest
    L = laplacian(S) * (2.0 * gamma / S.sum())
    return lambda F: np.asarray(L @ F)


class Program(NamedTuple):
    """Minimise ½ tr V'AV - tr V'C + Σ_j t_j ω(v_j), where A = Z'KZ has unit diagonal.

    As least squares: ½ ||H - GV||² with G'G = A, G'H = C and ||H||² = energy.
    """

    Z: FloatArray
    bent_Z: FloatArray
    C: FloatArray
    thresholds: FloatArray
    energy: float
    is_grouped: bool

    def only(self, features: IndexArray) -> Self:
        """Return the program with the weights of all other features at 0."""
        return self._replace(
            Z=self.Z[:, features],
            bent_Z=self.bent_Z[:, features],
            C=self.C[features],
            thresholds=self.thresholds[features],
        )

    def curve(self, V: FloatArray) -> FloatArray:
        """Return AV."""
        return self.bent_Z.T @ (self.Z @ V)

    def norms(self, V: FloatArray) -> FloatArray:
        """Return ω of every row."""
        if self.is_grouped:
            return np.linalg.norm(V, axis=1)
        return np.asarray(np.abs(V).sum(axis=1))

    def dual_norms(self, V: FloatArray) -> FloatArray:
        """Return the dual of ω of every row."""
        if self.is_grouped:
            return np.linalg.norm(V, axis=1)
        return np.asarray(np.abs(V).max(axis=1))

    def nearness(self, AV: FloatArray) -> FloatArray:
        """Return the gradients as shares of those that make weights differ from 0."""
        return self.dual_norms(self.C - AV) / self.thresholds

    def shrink(self, V: FloatArray, step: float) -> FloatArray:
        """Return the proximal point of V for the penalty times the step."""
        most = (step * self.thresholds)[:, None]
        if self.is_grouped:
            norms = np.linalg.norm(V, axis=1, keepdims=True)
            return V * np.maximum(1.0 - most / np.maximum(norms, most), 0.0)
        return np.sign(V) * np.maximum(np.abs(V) - most, 0.0)

    def gap(self, V: FloatArray, AV: FloatArray) -> float:
        """Return the duality gap, as a share of the objective at zero."""
        fitted = float((V * self.C).sum())
        residual = self.energy - 2.0 * fitted + float((V * AV).sum())
        along = self.energy - fitted
        most = 1.0 / max(float(self.nearness(AV).max()), 1e-300)
        scale = min(max(along / max(residual, 1e-300), -most), most)
        primal = 0.5 * residual + float((self.thresholds * self.norms(V)).sum())
        dual = scale * along - 0.5 * scale**2 * residual
        return max(primal - dual, 0.0) / (0.5 * self.energy)


def _solve(program: Program, max_iter: int, tol: float) -> tuple[FloatArray, int]:
    """Solve on the features with the largest gradients, until the others have none."""
    n_features = len(program.C)
    V = np.zeros_like(program.C)
    n_iter = 0
    while True:
        AV = program.curve(V)
        gap = program.gap(V, AV)
        if gap <= tol or n_iter >= max_iter:
            return V, n_iter
        is_active = V.any(axis=1)
        nearness = np.where(is_active, np.inf, program.nearness(AV))
        size = min(max(WORKING_SET, 2 * int(is_active.sum())), n_features)
        # Copies of a feature enter together, so that they get the same weights.
        least = np.partition(nearness, n_features - size)[n_features - size]
        features = np.flatnonzero(nearness >= least * (1.0 - 1e-9))
        V[features], n_more = _proximal_steps(
            program.only(features),
            V[features],
            max_iter - n_iter,
            max(0.1 * gap, 0.5 * tol),
        )
        n_iter += n_more


def _proximal_steps(
    program: Program, V: FloatArray, max_iter: int, tol: float
) -> tuple[FloatArray, int]:
    """FISTA, restarted whenever a step goes against the momentum."""
    curve: Callable[[FloatArray], FloatArray] = program.curve
    if len(V) <= len(program.Z):
        gram = program.Z.T @ program.bent_Z

        def curve(V: FloatArray) -> FloatArray:
            return gram @ V

    steepness = _steepness(curve, len(V))
    AV = curve(V)
    ahead, A_ahead, momentum = V, AV, 1.0
    for n_iter in range(1, max_iter + 1):
        while True:
            new = program.shrink(
                ahead - (A_ahead - program.C) / steepness, 1.0 / steepness
            )
            A_new = curve(new)
            step = new - ahead
            bend = float((step * (A_new - A_ahead)).sum())
            length = float((step**2).sum())
            if bend <= steepness * length * (1.0 + 1e-9) or steepness >= len(V):
                break
            # The trace of A bounds what rounding may make of the smallest steps.
            steepness = min(1.1 * bend / length, float(len(V)))
        if float((step * (new - V)).sum()) < 0:
            momentum = 1.0
        next_momentum = 0.5 + np.sqrt(0.25 + momentum**2)
        pace = (momentum - 1.0) / next_momentum
        ahead, A_ahead = new + pace * (new - V), A_new + pace * (A_new - AV)
        V, AV, momentum = new, A_new, next_momentum
        if n_iter % 10 == 0 and program.gap(V, AV) <= tol:
            break
    return V, n_iter


def _steepness(curve: Callable[[FloatArray], FloatArray], n_features: int) -> float:
    """Estimate the largest eigenvalue of A; steps that are too long are noticed."""
    v: FloatArray = np.ones((n_features, 1))
    for _ in range(POWER_STEPS):
        v = curve(v / max(float(np.linalg.norm(v)), 1e-300))
    # The diagonal of A is 1, and so is the least that its largest eigenvalue can be.
    return max(1.02 * float(np.linalg.norm(v)), 1.0)
