"""How near a ranking of features comes to the one known to be right."""

from collections import Counter
from collections.abc import Hashable, Iterable
from typing import Any

import numpy as np

from pairsift.evaluation._validation import check_size
from pairsift.exceptions import DataError


def ranking_precision(
    order: Iterable[Hashable], optimal: Iterable[Hashable], size: int
) -> float:
    r"""Fraction of the best `size` features that a ranking puts among its best.

    It asks which features were found and not in which order.

    Parameters
    ----------
    order : iterable of int or str
        Features, best first, such as ``selector.order_``: column numbers or names.
    optimal : iterable of int or str
        The ranking known to be right, best first.
    size : int
        Number of features looked at in both, :math:`s` in [1]_.

    Returns
    -------
    float
        Precision from 0 (no feature in common) to 1 (the same features, in any order).

    Raises
    ------
    DataError
        If a ranking repeats a feature or `size` exceeds one of them; it is a
        `ValueError`.

    See Also
    --------
    ranking_distance : Looks at the positions too.

    Notes
    -----
    The measure comes from [2]_.
    With :math:`T_r` the first :math:`s` features of `optimal` and :math:`R_s` the
    first :math:`s` of `order`, equation 4.16 of [1]_ is

    .. math::
        Pr = \frac{\mathrm{card}(T_r \cap R_s)}{\mathrm{card}(T_r)}.

    References
    ----------
    .. [1] S. Hijazi, "Semi-supervised margin-based feature selection for
       classification", PhD thesis, Université du Littoral Côte d'Opale and
       Lebanese University, 2019, HAL tel-02489733.
    .. [2] H. Liu, H. Motoda, L. Yu, "A selective sampling approach to active
       feature selection", Artificial Intelligence 159(1-2), 49-74, 2004.

    Examples
    --------
    >>> from pairsift.evaluation import ranking_precision
    >>> ranking_precision([3, 0, 1, 2], optimal=[0, 1, 2, 3], size=2)
    0.5
    """
    ranked, target = _as_ranking(order, "order"), _as_ranking(optimal, "optimal")
    check_size(size, min(len(ranked), len(target)))
    return len(set(target[:size]) & set(ranked[:size])) / int(size)


def ranking_distance(
    order: Iterable[Hashable], optimal: Iterable[Hashable], size: int | None = None
) -> float:
    r"""How far a ranking has moved the best features from their right positions.

    It also sees a right subset in a wrong order, which the precision does not.

    Parameters
    ----------
    order : iterable of int or str
        Features, best first, such as ``selector.order_``: column numbers or names.
    optimal : iterable of int or str
        The ranking known to be right, best first, of the same features.
    size : int, optional
        Number of features of `optimal` whose positions are compared, :math:`s` in
        [1]_; all by default.

    Returns
    -------
    float
        Distance from 0 (these features are where they should be) to 1 (the reverse
        ranking, all features compared).

    Raises
    ------
    DataError
        If a ranking repeats a feature, the rankings are not of the same features or
        `size` exceeds their length; it is a `ValueError`.

    See Also
    --------
    ranking_precision : Ignores the positions.

    Notes
    -----
    The measure comes from [2]_.
    With :math:`T_r` the first :math:`s` features of the optimal ranking
    :math:`S_{opt}`, :math:`S'_{opt}` its reverse and :math:`R` the ranking `order`,
    equations 4.17 and 4.18 of [1]_ are

    .. math::
        Dt = \frac{1}{Dt_{max}} \sum_{A_i \in T_r}
             | position(A_i \in T_r) - position(A_i \in R) |, \qquad
        Dt_{max} = \sum_{A_i \in S_{opt}}
             | position(A_i \in S_{opt}) - position(A_i \in S'_{opt}) |.

    The text of [1]_ speaks of the features common to :math:`T_r` and the first
    :math:`s` of the ranking; the formula takes all features of :math:`T_r` and their
    positions in the whole ranking, and is followed here. :math:`Dt_{max}` is taken
    over all :math:`d` features whatever the size, hence :math:`\lfloor d^2/2 \rfloor`,
    so values of different sizes are not on one scale. A single feature gives 0.

    References
    ----------
    .. [1] S. Hijazi, "Semi-supervised margin-based feature selection for
       classification", PhD thesis, Université du Littoral Côte d'Opale and
       Lebanese University, 2019, HAL tel-02489733.
    .. [2] H. Liu, H. Motoda, L. Yu, "A selective sampling approach to active
       feature selection", Artificial Intelligence 159(1-2), 49-74, 2004.

    Examples
    --------
    >>> from pairsift.evaluation import ranking_distance
    >>> ranking_distance([3, 2, 1, 0], optimal=[0, 1, 2, 3])
    1.0
    >>> ranking_distance([3, 0, 1, 2], optimal=[0, 1, 2, 3], size=2)  # (1 + 1) / 8
    0.25
    """
    ranked, target = _as_ranking(order, "order"), _as_ranking(optimal, "optimal")
    if set(ranked) != set(target):
        odd = next(iter(set(ranked) ^ set(target)))
        raise DataError(
            f"order and optimal must rank the same features, but {odd!r} is only in "
            f"{'order' if odd in ranked else 'optimal'}."
        )
    size = len(target) if size is None else size
    check_size(size, len(target))
    position = {feature: rank for rank, feature in enumerate(ranked)}
    moved = sum(abs(rank - position[target[rank]]) for rank in range(size))
    farthest = len(target) ** 2 // 2
    return moved / farthest if farthest else 0.0


def _as_ranking(features: Iterable[Hashable], name: str) -> list[Any]:
    """Return the features as a list in which each occurs once."""
    ranking = features.tolist() if isinstance(features, np.ndarray) else list(features)
    if not ranking:
        raise DataError(f"{name} must rank at least one feature, got none.")
    feature, count = Counter(ranking).most_common(1)[0]
    if count > 1:
        raise DataError(
            f"{name} must name each feature once, got {feature!r} {count} times."
        )
    return ranking
