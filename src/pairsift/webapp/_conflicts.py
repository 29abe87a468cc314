"""Contradictions as the page shows them: the chain, and each answer in it."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from pairsift.active import ActiveSession, Answer, Placement
from pairsift.webapp._samples import Samples

MOST_SHOWN = 5
Json = dict[str, Any]


def conflicts_of(session: ActiveSession, samples: Samples) -> list[Json]:
    """Return contradictions, each with the answers that make it."""
    found = session.conflicts[:MOST_SHOWN]
    if not found:
        return []
    # The last word on a pair is the answer to look at again.
    by_pair: dict[frozenset[int], tuple[Answer, Any]] = {
        frozenset((pair.first, pair.second)): (pair, said)
        for said in session.history
        for pair in said.pairs()
    }
    return [
        {
            "chain": [samples.name(row) for row in conflict.chain],
            "answers": [
                _link(pair, by_pair, samples)
                for pair in [*pairwise(conflict.chain), conflict.cannot_link]
            ],
        }
        for conflict in found
    ]


def _link(
    pair: tuple[int, int],
    by_pair: dict[frozenset[int], tuple[Answer, Any]],
    samples: Samples,
) -> Json:
    link, said = by_pair.get(frozenset(pair), (None, None))
    word = "same" if link is None else link.answer
    return {
        "rows": list(pair),
        "names": [samples.name(row) for row in pair],
        "answer": word,
        # A card is put elsewhere, a pair answered anew.
        "card": said.row if isinstance(said, Placement) else None,
        "is_pair": isinstance(said, Answer),
    }
