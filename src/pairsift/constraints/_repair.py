"""Leave out answers until the rest no longer contradict each other."""

from collections import Counter

import numpy as np

from pairsift._typing import BoolArray, PairArray
from pairsift.constraints._closure import Groups, find_conflicts

Answer = tuple[str, int, int]
"""A kind of link and its two rows; in sorted order cannot-links come first."""


def consistent_pairs(
    must_link: PairArray, cannot_link: PairArray
) -> tuple[BoolArray, BoolArray]:
    """Tell which must-links and which cannot-links to keep.

    Every contradiction is a cannot-link and a chain of must-links. The answer that
    takes part in most of them is left out, then the next, until none of them is whole;
    answers left out for a chain that later ones broke as well are put back.
    """
    answers = {
        "must": [("must", a, b) for a, b in must_link.tolist()],
        "cannot": [("cannot", a, b) for a, b in cannot_link.tolist()],
    }
    conflicts = find_conflicts(must_link, cannot_link)
    left_out: set[Answer] = set()
    # Breaking a chain may leave another one between the same two rows.
    while contradictions := _contradictions(answers, left_out):
        while contradictions:
            worst = _least_supported(contradictions, answers["must"], left_out)
            left_out.add(worst)
            contradictions = [c for c in contradictions if worst not in c]
    left_out -= _that_fit(answers["must"] + answers["cannot"], left_out)
    if len(left_out) > len(conflicts):
        left_out = {("cannot", *conflict.cannot_link) for conflict in conflicts}
    is_kept = {
        kind: np.array([answer not in left_out for answer in given], dtype=bool)
        for kind, given in answers.items()
    }
    return is_kept["must"], is_kept["cannot"]


def _contradictions(
    answers: dict[str, list[Answer]], left_out: set[Answer]
) -> list[set[Answer]]:
    """Return the answers of each contradiction among those kept."""
    must, cannot = (_pairs(answers[kind], left_out) for kind in ("must", "cannot"))
    return [
        {("cannot", *conflict.cannot_link)}
        | {
            ("must", min(a, b), max(a, b))
            for a, b in zip(conflict.chain, conflict.chain[1:], strict=False)
        }
        for conflict in find_conflicts(must, cannot)
    ]


def _least_supported(
    contradictions: list[set[Answer]], must: list[Answer], left_out: set[Answer]
) -> Answer:
    """Return the answer in most contradictions that no other chain confirms."""
    counts = Counter(answer for answers in contradictions for answer in answers)
    most = max(counts.values())
    worst = sorted(answer for answer, count in counts.items() if count == most)
    for answer in worst:
        if len(worst) == 1 or answer[0] == "cannot":
            return answer
        others = Groups()
        for other in must:
            if other != answer and other not in left_out:
                others.add(*other)
        if others.allows("cannot", *answer[1:]):
            return answer
    return worst[0]


def _that_fit(answers: list[Answer], left_out: set[Answer]) -> set[Answer]:
    """Return the answers that can be put back, one after the other."""
    groups = Groups()
    for answer in answers:
        if answer not in left_out:
            groups.add(*answer)
    fitting = set()
    for answer in answers:
        if answer in left_out and groups.allows(*answer):
            groups.add(*answer)
            fitting.add(answer)
    return fitting


def _pairs(answers: list[Answer], left_out: set[Answer]) -> PairArray:
    kept = [answer[1:] for answer in answers if answer not in left_out]
    return np.array(kept, dtype=np.int64).reshape(-1, 2)
