"""What a method learns from, by its record in the catalogue."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pairsift.constraints import PairConstraints
    from pairsift.selectors import Method


def kinds_used(method: Method, n_used: int, pairs: PairConstraints) -> tuple[str, ...]:
    """Return which kinds of pairs make the `n_used` pairs that a selector counts."""
    if n_used == 0:
        return ()
    if n_used == pairs.n_must_link + pairs.n_cannot_link:
        return ("must", "cannot")
    return ("must",) if "must" in method.learns_from.kinds else ("cannot",)
