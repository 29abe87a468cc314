"""Methods that ``pairsift evaluate`` compares when none is named."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pairsift.cli._cost import spoken
from pairsift.reports import Table

METHODS = "semi-mrmr,pair-logistic,relieff-sc,fcrsc,laplacian-score,relieff,mrmr"
BASELINES = ("random-order", "all-features")
"""Lines that each comparison has."""
LONGEST = 120.0
"""Seconds that all rankings of a method may take, unless it is named."""


def affordable(
    chosen: Mapping[str, Any], tables: Sequence[Table], options: Mapping[str, Any]
) -> tuple[dict[str, Any], list[str]]:
    """Leave out methods that would take too long, and return notes that name them.

    Methods with a grid stay, and so does the quickest method.
    """
    asked = options.get("questions")
    n_lines = len(asked) if isinstance(asked, list) else 1
    n_rankings = n_lines * options["n_splits"]
    gridded = {key.partition("__")[0] for key in options["grid"] or {}}
    seconds = {
        name: n_rankings * sum(_seconds(selector, t, options) for t in tables)
        for name, selector in chosen.items()
    }
    kept = {
        name: selector
        for name, selector in chosen.items()
        if name in gridded or seconds[name] <= max(LONGEST, min(seconds.values()))
    }
    notes = [
        f"{name} is left out: its {n_rankings} rankings would take "
        f"{spoken(seconds[name])}; --methods can name it."
        for name in chosen
        if name not in kept
    ]
    return kept, notes


def _seconds(selector: Any, table: Table, options: Mapping[str, Any]) -> float:
    """Estimate the time of one ranking, all training rows labelled."""
    from pairsift.selectors import estimate_seconds

    n_rows, n_features = table.features.shape
    labels: Any = table.labels
    n_train = max(2, round(n_rows * (1.0 - options["test_size"])))
    learns = selector._method.learns_from
    is_of_pairs = learns.from_pairs and "questions" not in options
    return estimate_seconds(
        selector,
        n_train,
        n_features,
        n_labelled=0 if is_of_pairs else n_train,
        n_pairs=options["n_pairs"] if is_of_pairs else 0,
        n_classes=len(set(labels)),
    )
