"""Contradictions as the page shows them: the chain, and each answer in it."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from pairsift.active import ActiveSession, Answer, Placement
from pairsift.webapp._samples import Samples

MAX_SHOWN = 5
Json = dict[str, Any]


def conflicts_of(session: ActiveSession, samples: Samples) -> list[Json]:
    """Return contradictions, each with the answers that make it."""
    found = session.conflicts[:MAX_SHOWN]
    if not found:
        return []
    # The last one who said so is the answer to look at again.
    source: dict[tuple[frozenset[int], str], Any] = {
        (frozenset((pair.first, pair.second)), pair.answer): said
        for said in session.history
        for pair in said.pairs()
    }

    def link(pair: tuple[int, int], answer: str) -> Json:
        said = source.get((frozenset(pair), answer))
        return {
            "rows": list(pair),
            "names": [samples.name(row) for row in pair],
            "answer": answer,
            # A card is put elsewhere, a pair answered anew.
            "card": said.row if isinstance(said, Placement) else None,
            "is_pair": isinstance(said, Answer),
        }

    return [
        {
            "chain": [samples.name(row) for row in conflict.chain],
            "answers": [
                *(link(pair, "same") for pair in pairwise(conflict.chain)),
                link(conflict.cannot_link, "different"),
            ],
        }
        for conflict in found
    ]
