"""A comparison in a sentence: which method is ahead of the baselines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from pairsift._statistics import holm
from pairsift._words import count
from pairsift.evaluation._compare._cells import Cell
from pairsift.evaluation._compare._plan import BASELINES
from pairsift.evaluation._compare._statistics import duel_of

_CLEAR = 0.05


def verdict_on(data: str, scores: Any, cells: Sequence[Cell]) -> str:
    """Compare each method with the baselines, split by split.

    scores : one row per split of the data, one column per selector.
    """
    own = [cell for cell in cells if cell.data == data]
    baselines = [name for name in BASELINES if name in scores]
    names = dict.fromkeys(cell.selector for cell in own if not cell.is_baseline)
    duels = [
        duel_of(scores[name], scores[baseline], own)
        | {"selector": name, "other": baseline}
        for baseline in baselines
        for name in names
    ]
    if not duels:
        return ""
    corrected = holm(np.array([duel["p_value"] for duel in duels], dtype=np.float64))
    clauses = [
        _clause(
            baseline.replace("-", " "),
            [
                duel | {"is_clear": p_value < _CLEAR}
                for duel, p_value in zip(duels, corrected.tolist(), strict=True)
                if duel["other"] == baseline
            ],
        )
        for baseline in baselines
    ]
    return f"On {data}, {', and '.join(clauses)}."


def _clause(baseline: str, duels: list[dict[str, Any]]) -> str:
    """State which methods are ahead of a baseline, and by how much the best is."""
    duels = sorted(duels, key=lambda duel: -duel["difference"])
    ahead = [duel for duel in duels if duel["is_clear"] and duel["difference"] > 0]
    best = (ahead or duels)[0]
    points = f"{100 * best['difference']:+.1f} points of accuracy, " + (
        f"standard error {100 * best['standard_error']:.1f}"
        if best["standard_error"] == best["standard_error"]
        else "one split has no standard error"
    )
    if not ahead:
        return (
            f"no method is clearly ahead of {baseline} (the best is "
            f"{best['selector']}: {points})"
        )
    # Names such as "semi-mrmr, 30 answers" end with a comma inside of a sentence.
    name = best["selector"] + ("," if ", " in best["selector"] else "")
    others = ""
    if len(ahead) > 1:
        others = f", as {count(len(ahead) - 1, 'other line is', 'other lines are')}"
    return f"{name} is ahead of {baseline} ({points}){others}"
