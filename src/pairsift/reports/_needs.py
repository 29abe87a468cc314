"""What a method learns from, by its record in the catalogue."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pairsift.constraints import PairConstraints


def kinds_used(method: Any, n_used: int, pairs: PairConstraints) -> tuple[str, ...]:
    """Return which kinds of pairs make the `n_used` pairs that a selector counts."""
    if n_used == 0:
        return ()
    if n_used == pairs.n_must_link + pairs.n_cannot_link:
        return ("must", "cannot")
    return ("must",) if "must" in method.learns_from.kinds else ("cannot",)


def needs_numbers(method: Any) -> bool:
    """Whether the label column holds a number to predict, and no classes."""
    return bool(method.learns_from.from_numbers)


def needs_pairs(method: Any) -> bool:
    """Whether the method learns from pairs, and from labels by making pairs of them."""
    return bool(method.learns_from.from_pairs)
