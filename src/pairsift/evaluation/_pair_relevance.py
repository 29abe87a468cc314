"""What each single pair does to a ranking."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from pairsift._typing import FloatArray
from pairsift.constraints import Pair, PairConstraints
from pairsift.exceptions import ConstraintError, DataError


@dataclass(frozen=True, eq=False)
class PairRelevance:
    """By how much the scores of a selector change without each pair.

    Parameters
    ----------
    pairs : tuple of Pair
        The pairs, must-links first, as ``list(constraints)`` has them.
    relevance : ndarray of shape (n_pairs,)
        Length of the change of the scores without this pair, relative to that of the
        scores with all pairs; infinite where the selector cannot do without it.
    changes : ndarray of shape (n_pairs, n_features)
        Scores with all pairs minus those without this one: above 0 for features that
        this pair speaks for. NaN where the selector cannot do without it.
    rank_changes : ndarray of shape (n_pairs,)
        Mean number of places by which a feature moves; NaN where `changes` are.

    See Also
    --------
    pair_relevance : Measures it.
    """

    pairs: tuple[Pair, ...]
    relevance: FloatArray
    changes: FloatArray
    rank_changes: FloatArray


def pair_relevance(
    selector: Any, X: ArrayLike, constraints: PairConstraints
) -> PairRelevance:
    r"""Measure by how much the scores of features change without each single pair.

    A pair without which all scores are as before tells nothing that others do not tell.
    One that changes much deserves a second look: much hangs on this answer.

    Parameters
    ----------
    selector : selector
        Learns from pairs; it is not changed. Give it a `random_state` if it draws at
        random.
    X : array-like of shape (n_samples, n_features)
        The data: NumPy, pandas or polars, and SciPy sparse where the tag
        ``input_tags.sparse`` of a selector says so.
    constraints : PairConstraints
        Pairs of rows of `X`, two at least.

    Returns
    -------
    PairRelevance
        The pairs, their relevance, and what each changes.

    Raises
    ------
    DataError
        If there are fewer than two pairs, or if two fits to equal pairs give other
        scores; it is a `ValueError`.

    See Also
    --------
    pairsift.PairConstraints.informativeness : How much all pairs tell together that a
        clustering does not.
    pairsift.PairLogistic.doubtful_answers : Answers that the others speak against.

    Notes
    -----
    The conclusion of [1]_ hopes for a score that tells "the relevance of each pairwise
    constraint provided by the user", and does not define it. Here, with the scores
    :math:`s` of all pairs and :math:`s^{(-p)}` of all but :math:`p`, it is

    .. math::
        r_p = \frac{\| s - s^{(-p)} \|_2}{\| s \|_2},

    where scores that are infinite both times, with one sign, count as 0. If a score
    becomes infinite, or if all scores are 0 with all pairs and some are not without,
    :math:`r_p` is infinite.

    A large :math:`r_p` does not say whether a pair is right: of few pairs each changes
    much. Two pairs that say the same make each other irrelevant. Cost: one fit per
    pair, and two more. The second one finds out whether equal pairs give equal scores:
    where they do not, changes would be those of the draw.

    References
    ----------
    .. [1] A. Salmi, K. Hammouche, L. Macaire, "Similarity-based constraint score
       for feature selection", Knowledge-Based Systems 209, 106429, 2020,
       doi:10.1016/j.knosys.2020.106429.

    Examples
    --------
    >>> from pairsift import PairConstraints, ReliefFSc
    >>> from pairsift.evaluation import pair_relevance
    >>> from sklearn.datasets import load_wine
    >>> X, y = load_wine(return_X_y=True, as_frame=True)
    >>> pairs = PairConstraints.sample(y, n_cannot_link=5, random_state=0)
    >>> found = pair_relevance(ReliefFSc(), X, pairs)
    >>> found.pairs[found.relevance.argmax()]
    Pair(a=55, b=154, link='cannot')
    """
    if not isinstance(constraints, PairConstraints) or len(constraints) < 2:
        raise DataError(
            "constraints must be a PairConstraints of at least two pairs, got "
            f"{constraints!r}."
        )
    scores, ranking = _fitted(selector, X, constraints)
    if not np.array_equal(scores, _fitted(selector, X, constraints)[0]):
        raise DataError(
            f"{type(selector).__name__} gives other scores at every fit: set its "
            "random_state to a number."
        )
    n_pairs = len(constraints)
    changes = np.full((n_pairs, scores.size), np.nan)
    rank_changes = np.full(n_pairs, np.nan)
    relevance = np.full(n_pairs, np.inf)
    for number in range(n_pairs):
        try:
            other = _fitted(selector, X, _without(constraints, number))
        except ConstraintError:
            # All pairs were accepted, so it is this one that is needed.
            continue
        changes[number] = _change(scores, other[0])
        relevance[number] = _relative_length(changes[number], scores)
        rank_changes[number] = np.abs(ranking - other[1]).mean()
    return PairRelevance(tuple(constraints), relevance, changes, rank_changes)


def _fitted(
    selector: Any, X: ArrayLike, constraints: PairConstraints
) -> tuple[FloatArray, Any]:
    from sklearn.base import clone

    fitted = clone(selector).fit(X, constraints=constraints)
    return fitted.scores_, fitted.ranking_


def _without(constraints: PairConstraints, number: int) -> PairConstraints:
    """Leave out one pair, counted as in ``list(constraints)``."""
    others = [pair for k, pair in enumerate(constraints) if k != number]
    must, cannot = (
        [(pair.a, pair.b) for pair in others if pair.link == link]
        for link in ("must", "cannot")
    )
    # With its ids, because they may be what finds the rows in a data frame.
    return PairConstraints(must, cannot, constraints.n_samples, constraints.ids)


def _change(scores: FloatArray, others: FloatArray) -> FloatArray:
    # Infinity minus infinity is not defined; two that are equal do not differ.
    is_equal = scores == others
    return np.subtract(scores, others, out=np.zeros_like(scores), where=~is_equal)


def _relative_length(change: FloatArray, scores: FloatArray) -> float:
    if not change.any():
        return 0.0
    length = float(np.linalg.norm(scores[np.isfinite(scores)]))
    return float(np.linalg.norm(change)) / length if length > 0.0 else np.inf
