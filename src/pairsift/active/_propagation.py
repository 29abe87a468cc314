"""Spread pair constraints to the neighbourhood of their rows (H19 section 4.4)."""

from __future__ import annotations

from numbers import Real
from typing import Any

import numpy as np
from scipy.linalg import cho_factor, cho_solve
from scipy.sparse import csr_array, diags_array, eye_array, issparse
from scipy.sparse.linalg import cg

from pairsift._blocks import Rows
from pairsift._checks import check_at_least, check_choice, check_memory
from pairsift._kernels import one_blas_thread
from pairsift._typing import FloatArray, IndexArray, PairArray
from pairsift._warnings import warn_caller
from pairsift.active._data import PropagateDoor, as_points, as_rows, ranges
from pairsift.active._graph import self_tuning_graph
from pairsift.active._trust import OTHER, Diffusion, HeldOut, held_out
from pairsift.constraints import Groups, PairConstraints, refuse_other_order
from pairsift.exceptions import ConstraintError
from pairsift.graphs import degrees, pair_graph

KINDS = ("cannot", "must", "both")
SIMILARITIES = ("before", "answered")
BLOCK_CELLS = 2**22
MAX_PAIRS = 50_000_000
EXACTNESS = 1e-12
# Bytes for each row of X and row of a pair: two tables, and copies while they are made.
CONFIDENCE_BYTES = 32.0


class PropagatedConstraints(PairConstraints):
    """Pair constraints with a confidence for each, made by :func:`propagate`.

    Parameters
    ----------
    must_link, cannot_link : ndarray of shape (n_pairs, 2), dtype=int64
        Pairs of rows, the smaller first, in sorted order.
    n_samples : int
        Number of rows.
    must_confidence, cannot_confidence : ndarray of shape (n_pairs,)
        How strongly each of them follows from the pairs given.
    held_out : tuple of HeldOut, default=()
        How well given pairs are found again from the others, for each kind that was
        spread: whether to trust what was spread.
    ids : tuple, default=None
        Id of each row.
    """

    __slots__ = ("cannot_confidence", "held_out", "must_confidence")

    must_confidence: FloatArray
    cannot_confidence: FloatArray
    held_out: tuple[HeldOut, ...]

    def __init__(
        self,
        must_link: PairArray,
        cannot_link: PairArray,
        n_samples: int,
        must_confidence: FloatArray,
        cannot_confidence: FloatArray,
        held_out: tuple[HeldOut, ...] = (),
        ids: tuple[Any, ...] | None = None,
    ) -> None:
        super().__init__(must_link, cannot_link, n_samples)
        object.__setattr__(self, "must_confidence", must_confidence)
        object.__setattr__(self, "cannot_confidence", cannot_confidence)
        object.__setattr__(self, "held_out", held_out)
        object.__setattr__(self, "ids", ids)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (
            self.must_link,
            self.cannot_link,
            self.n_samples,
            self.must_confidence,
            self.cannot_confidence,
            self.held_out,
            self.ids,
        )


def propagate(
    constraints: PairConstraints,
    X: Any,
    *,
    alpha: float = 0.99,
    graph: str = "full",
    threshold: float | str = "mean-row-max",
    similarity: str = "before",
    links: str = "cannot",
    n_neighbors: int = 7,
    n_jobs: int | None = -1,
) -> PropagatedConstraints:
    r"""Spread pair constraints to the rows around them.

    Parameters
    ----------
    constraints : PairConstraints
        What is known. These pairs stay, whatever happens around them.
    X : array-like of shape (n_samples, n_features)
        Numbers, or a data frame that may have text columns. Numbers are taken as
        given, so scale them to [0, 1] where units differ; beside text they are divided
        by their range. A missing value is the mean of its column.
    alpha : float, default=0.99
        How much a row takes from its neighbours, above 0 and below 1.
    graph : {"full", "knn", "auto"}, default="full"
        Similarities between all rows (published), between nearest neighbours, or all
        up to 3,000 rows. The full graph takes an array of n_samples x n_samples.
    threshold : float or "mean-row-max", default="mean-row-max"
        Confidence from which on a pair becomes a constraint; by default the mean over
        the rows of the largest confidence in a row.
    similarity : {"before", "answered"}, default="before"
        Similarities of the rows alone, or with 1 for every must-link and 0 for every
        cannot-link given, as :class:`ActiveSession` leaves them by the published
        strategy. The thesis does not say which it means.
    links : {"cannot", "must", "both"}, default="cannot"
        Which constraints are spread; the published method spreads cannot-links.
    n_neighbors : int, default=7
        The neighbour whose distance is the scale of a row's similarities, and the
        number of neighbours of the k-nearest graph.
    n_jobs : int or None, default=-1
        Number of threads for building the graph: -1 for all cores, None as in joblib.

    Returns
    -------
    propagated : PropagatedConstraints
        A `PairConstraints` with `must_confidence`, `cannot_confidence` and, for each
        kind that was spread, `held_out`: how well given pairs are found again from the
        others. Selectors take each pair as an answer, whatever its confidence.

    Warns
    -----
    UserWarning
        If `held_out` does not show that what was spread is better than chance.

    See Also
    --------
    ActiveSession : Chooses the constraints that are worth spreading.

    Notes
    -----
    Equation 4.14 of [1]_: with :math:`P = D^{-1/2} S D^{-1/2}` of self-tuning
    similarities and :math:`Q` holding the constraints both ways,

    .. math::
        G = (1-\alpha)^2 (I - \alpha P)^{-1} Q (I - \alpha P)^{-1}

    and a pair is taken when :math:`G_{nm} \ge \tau`, never a row with itself. Q has
    few columns, so only the columns of the inverse that belong to constrained rows are
    computed, and G is never stored. A spread pair that contradicts given ones is
    dropped; of must-links and cannot-links that contradict each other, the more
    confident are kept. `held_out` is always taken with the similarities of the rows
    alone: those changed by the answers know the answers that are left out.

    Propagated pairs can be wrong. Given 40 random pairs of each of eight data sets,
    cannot-links spread on the full graph were right 0.84 times as often as a random
    pair is one (0.62 to 1.03), on the k-nearest graph 1.37 times (0.95 to 2.08):
    ``graph="knn"`` is the better choice, and `held_out` tells more of the data at hand.
    With 40 random pairs it doubted a third of the useful results (right at least 1.15
    times as often as random pairs) and passed a tenth of the useless ones, with pairs
    that share many rows, as all other strategies ask for, 50-83 % and 25-36 %.

    References
    ----------
    .. [1] S. Hijazi, "Semi-supervised margin-based feature selection for
       classification", PhD thesis, Université du Littoral Côte d'Opale and
       Lebanese University, 2019, HAL tel-02489733.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.preprocessing import minmax_scale
    >>> from pairsift import PairConstraints, propagate
    >>> X = minmax_scale(load_wine().data)
    >>> few = PairConstraints(cannot_link=[(0, 70), (3, 140)], n_samples=178)
    >>> many = propagate(few, X)
    >>> many.n_cannot_link > 100
    True
    """
    check_kinds(constraints, X)
    refuse_other_order(X, constraints)
    rows, is_categorical = as_rows(X, "auto", copy=False, door=PropagateDoor)
    scale = ranges(rows)[1] if is_categorical.any() else None
    return spread_pairs(
        constraints,
        as_points(rows, is_categorical, scale),
        alpha=alpha,
        graph=graph,
        threshold=threshold,
        similarity=similarity,
        links=links,
        n_neighbors=n_neighbors,
        n_jobs=n_jobs,
    )


def spread_pairs(
    constraints: PairConstraints,
    X: Rows,
    *,
    alpha: float,
    graph: str,
    threshold: float | str,
    similarity: str,
    links: str,
    n_neighbors: int,
    n_jobs: int | None,
) -> PropagatedConstraints:
    """Spread pairs as :func:`propagate`, between rows as `as_points` gives them."""
    _check(constraints, X, alpha, graph, threshold, links)
    check_choice(similarity, "similarity", SIMILARITIES)
    check_at_least(n_neighbors, "n_neighbors", 1)
    S = self_tuning_graph(X, graph, n_neighbors, n_jobs)
    P = _normalized(S)
    found: dict[str, tuple[PairArray, FloatArray]] = {}
    checks = []
    given = {"must": constraints.must_link, "cannot": constraints.cannot_link}
    answered = _normalized(_answered(S, **given)) if similarity == "answered" else None
    for kind, pairs in given.items():
        found[kind] = pairs, np.ones(len(pairs))
        if links in (kind, "both") and len(pairs):
            alone = _diffuse(P, pairs, alpha, threshold)
            diffusion = alone
            if answered is not None:
                diffusion = _diffuse(answered, pairs, alpha, threshold)
            found[kind], share = _spread(diffusion)
            checks.append(held_out(alone, kind, given[OTHER[kind]], share))
    _warn_of_chance(checks)
    (must, must_confidence), (cannot, cannot_confidence) = _consistent(given, found)
    return PropagatedConstraints(
        must,
        cannot,
        len(X),
        must_confidence,
        cannot_confidence,
        tuple(checks),
        constraints.ids,
    )


def _warn_of_chance(checks: list[HeldOut]) -> None:
    for check in checks:
        if check.is_chance:
            warn_caller(
                f"the {check.link}-links spread to other rows may be no better than "
                f"chance: {check}"
            )


def check_kinds(constraints: Any, X: Any) -> None:
    """Refuse what is no PairConstraints, and arguments in the wrong order."""
    if isinstance(X, PairConstraints) and not isinstance(constraints, PairConstraints):
        raise ConstraintError(
            "propagate takes the pairs first and X second: write "
            "propagate(constraints, X)."
        )
    if not isinstance(constraints, PairConstraints):
        raise ConstraintError(
            f"constraints must be a PairConstraints, got {type(constraints).__name__}."
        )


def _check(
    constraints: PairConstraints,
    X: Rows,
    alpha: float,
    graph: str,
    threshold: float | str,
    links: str,
) -> None:
    constraints.check_consistent()
    constraints.resolve(len(X), None)
    check_choice(graph, "graph", ("full", "knn", "auto"))
    check_choice(links, "links", KINDS)
    if not isinstance(alpha, Real) or not 0 < alpha < 1:
        raise ValueError(f"alpha must be above 0 and below 1, got {alpha!r}.")
    is_number = isinstance(threshold, Real) and threshold > 0
    if not (threshold == "mean-row-max" or is_number):
        raise ValueError(
            f"threshold must be 'mean-row-max' or a positive number, got {threshold!r}."
        )
    kinds = ("must", "cannot") if links == "both" else (links,)
    if not any(getattr(constraints, f"n_{kind}_link") for kind in kinds):
        raise ConstraintError(f"links={links!r} has nothing to spread: {constraints}.")


def _answered(
    S: csr_array | FloatArray, must: PairArray, cannot: PairArray
) -> csr_array | FloatArray:
    """Return the similarities with 1 for must-links and 0 for cannot-links."""
    if issparse(S):
        before, n_samples = csr_array(S), S.shape[0]
        known = before.multiply(pair_graph(np.vstack([must, cannot]), n_samples))
        changed = csr_array(before - known + pair_graph(must, n_samples))
        changed.eliminate_zeros()
        return changed
    changed = S.copy()
    for pairs, value in ((must, 1.0), (cannot, 0.0)):
        changed[pairs[:, 0], pairs[:, 1]] = changed[pairs[:, 1], pairs[:, 0]] = value
    return changed


def _normalized(S: csr_array | FloatArray) -> csr_array | FloatArray:
    """Return D^-½ S D^-½; a row without neighbours keeps to itself."""
    d = degrees(S)
    root = np.divide(1.0, np.sqrt(d), out=np.zeros_like(d), where=d > 0)
    if issparse(S):
        return csr_array(diags_array(root) @ S @ diags_array(root))
    return root[:, None] * S * root


def _diffuse(
    P: csr_array | FloatArray, pairs: PairArray, alpha: float, threshold: float | str
) -> Diffusion:
    """Return the confidences of all pairs, and the one from which on to take them."""
    ends = np.unique(pairs)
    check_memory(
        CONFIDENCE_BYTES * P.shape[0] * ends.size,
        f"the confidences of {P.shape[0]} rows beside {ends.size} rows of pairs",
        "give fewer pairs",
    )
    columns = np.searchsorted(ends, pairs)
    R = (1.0 - alpha) * _inverse_columns(P, ends, alpha)
    left = R @ pair_graph(columns, ends.size).toarray()
    most = _row_maxima(left, R)
    tau = float(most.mean()) if isinstance(threshold, str) else float(threshold)
    # Confidences equal to the threshold reach it, whatever the rounding.
    return Diffusion(pairs, columns, R, left, most, tau * (1.0 - 1e-12))


def _spread(diffusion: Diffusion) -> tuple[tuple[PairArray, FloatArray], float]:
    """Return spread and given pairs with confidences, and the share that is spread."""
    spread_pairs, confidence = _pairs_above(diffusion)
    n_samples, given = len(diffusion.R), diffusion.pairs
    found = _once(
        np.vstack([spread_pairs, given]),
        np.concatenate([confidence, diffusion.at(given)]),
    )
    return found, len(spread_pairs) / (n_samples * (n_samples - 1) / 2)


def _inverse_columns(
    P: csr_array | FloatArray, ends: IndexArray, alpha: float
) -> FloatArray:
    """Return the columns of (I - αP)⁻¹ that belong to some rows."""
    E = np.zeros((P.shape[0], ends.size))
    E[ends, np.arange(ends.size)] = 1.0
    if not issparse(P):
        factor = cho_factor(np.eye(len(P)) - alpha * P, overwrite_a=True)
        return cho_solve(factor, E)
    # Definite, because all eigenvalues lie between 1 - α and 1 + α.
    A = csr_array(eye_array(P.shape[0]) - alpha * P)
    with one_blas_thread():
        return np.column_stack([cg(A, e, rtol=EXACTNESS, atol=0.0)[0] for e in E.T])


def _row_maxima(left: FloatArray, R: FloatArray) -> FloatArray:
    """Return the largest entry in each row of left @ R.T, block by block.

    No entry exceeds the product of the lengths of its two rows. So the longest rows of
    R come first, and where no shorter one can reach what was found, the rest is left.
    """
    length = np.linalg.norm(R, axis=1)
    order = np.argsort(-length, kind="stable")
    R, length = R[order], length[order]
    most = np.full(len(R), -np.inf)
    step = 512
    for start in range(0, len(R), step):
        rows = slice(start, start + step)
        reach = np.linalg.norm(left[rows], axis=1)
        for first in range(0, len(R), BLOCK_CELLS // step):
            if (reach * length[first] < most[rows]).all():
                break
            part = left[rows] @ R[first : first + BLOCK_CELLS // step].T
            np.maximum(most[rows], part.max(axis=1), out=most[rows])
    return most


def _pairs_above(diffusion: Diffusion) -> tuple[PairArray, FloatArray]:
    """Return the pairs n < m with confidence of at least tau, block by block.

    G is symmetric: only rows whose largest entry reaches tau have any, on either side.
    """
    _, _, R, left, most, tau = diffusion
    rows = np.flatnonzero(most >= tau)
    step = max(BLOCK_CELLS // max(rows.size, 1), 1)
    spread_pairs, confidence, n_found = [np.empty((0, 2), np.int64)], [np.empty(0)], 0
    for start in range(0, rows.size, step):
        part = rows[start : start + step]
        G = left[part] @ R[rows].T
        i, j = np.nonzero((tau <= G) & (part[:, None] < rows[None, :]))
        spread_pairs.append(np.column_stack([part[i], rows[j]]))
        confidence.append(G[i, j])
        n_found += i.size
        if n_found > MAX_PAIRS:
            raise ConstraintError(
                f"more than {MAX_PAIRS} pairs reach threshold={tau:.3g}: choose it "
                "larger."
            )
    return np.concatenate(spread_pairs), np.concatenate(confidence)


def _once(pairs: PairArray, confidence: FloatArray) -> tuple[PairArray, FloatArray]:
    unique, first = np.unique(pairs, axis=0, return_index=True)
    return unique, confidence[first]


def _consistent(
    given: dict[str, PairArray], found: dict[str, tuple[PairArray, FloatArray]]
) -> list[tuple[PairArray, FloatArray]]:
    """Keep the given pairs, then the most confident that do not contradict them."""
    groups = Groups()
    is_given = {kind: _is_in(found[kind][0], given[kind]) for kind in found}
    kept = {kind: is_given[kind].copy() for kind in found}
    for kind in ("must", "cannot"):
        for n, m in given[kind].tolist():
            groups.add(kind, n, m)
    spread = [
        (confidence, kind, place)
        for kind, (_, confidences) in found.items()
        for place, confidence in enumerate(confidences.tolist())
        if not is_given[kind][place]
    ]
    spread.sort(key=lambda line: (-line[0], line[1], line[2]))
    for _, kind, place in spread:
        n, m = found[kind][0][place].tolist()
        if groups.allows(kind, n, m):
            groups.add(kind, n, m)
            kept[kind][place] = True
    return [
        (pairs[kept[kind]], confidence[kept[kind]])
        for kind, (pairs, confidence) in found.items()
    ]


def _is_in(pairs: PairArray, some: PairArray) -> Any:
    known = set(map(tuple, some.tolist()))
    return np.array([tuple(pair) in known for pair in pairs.tolist()], dtype=bool)
