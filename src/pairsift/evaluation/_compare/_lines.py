"""What the lines of the tables of a comparison say of one cell or of some."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from pairsift.evaluation._compare._cells import Cell
from pairsift.evaluation._compare._plan import settings_text
from pairsift.evaluation._compare._statistics import (
    mean_and_error,
    quantile,
    stability_at,
)

COLUMNS = (
    "data",
    "selector",
    "classifier",
    "split",
    "n_features",
    "accuracy",
    "representation_entropy",
    "redundancy_rate",
    "seconds",
    "supervision",
    "n_used",
    "n_questions",
    "n_answers",
    "precision",
    "distance",
    "method",
    "alpha",
    "setting",
)
MEASURES = ("representation_entropy", "redundancy_rate", "precision", "distance")
"""What is known of the best features beside accuracies, size by size."""
# Of the best features, the number that is looked at unless another is asked for.
_USUAL_SIZE = 10


def usual_size(n_features: int) -> int:
    """Return the number of best features that tables look at."""
    return max(1, min(_USUAL_SIZE, n_features // 2))


def lines_of(
    cell: Cell, classifier: str, accuracies: Sequence[float]
) -> dict[str, Any]:
    """Return the columns of the table of all runs, a line for each size."""
    return {
        "data": cell.data,
        "selector": cell.selector,
        "classifier": classifier,
        "split": cell.split,
        "n_features": cell.sizes,
        "accuracy": accuracies,
        "representation_entropy": cell.representation_entropy,
        "redundancy_rate": cell.redundancy_rate,
        "seconds": cell.seconds,
        "supervision": cell.supervision,
        "n_used": cell.n_used,
        "n_questions": _or_nan(cell.n_questions),
        "n_answers": _or_nan(cell.n_answers),
        "precision": of_sizes(cell, "precision"),
        "distance": of_sizes(cell, "distance"),
        "method": cell.method or cell.selector,
        "alpha": cell.sweep.get("alpha", np.nan),
        # Empty text would be read as NaN from a CSV file.
        "setting": settings_text(cell.sweep) or np.nan,
    }


def mean_accuracy(cell: Cell, accuracies: Sequence[float]) -> float:
    """Mean over the first half of the ranking, over all sizes if none is in it."""
    sizes = np.array(cell.sizes)
    is_early = sizes <= -(-sizes[-1] // 2)
    if not is_early.any():
        is_early[:] = True
    return float(np.mean(np.array(accuracies)[is_early]))


def summary_line(
    cells: list[Cell],
    classifier: str,
    scores: Any,
    size_of_all: tuple[int, int],
    confidence: float,
) -> dict[str, Any]:
    """Sum the runs of a selector up, `scores` being their accuracies.

    size_of_all : number of best features to look at, and of all features.
    """
    wanted, n_features = size_of_all
    n_sizes = min(len(cell.sizes) for cell in cells)
    sizes = cells[0].sizes[:n_sizes]
    curve = np.mean([c.accuracies[classifier][:n_sizes] for c in cells], axis=0)
    mean, error = mean_and_error(scores.dropna().to_numpy(), cells)
    reach = quantile(len(cells), confidence) * error
    # The nearest size that was measured, the smaller one of two.
    at = int(np.argmin(np.abs(np.array(sizes) - wanted)))
    best = int(np.argmax(curve.round(12)))
    return {
        "mean_accuracy": float(mean),
        "standard_error": float(error),
        "low": float(mean - reach),
        "high": float(mean + reach),
        "best_size": sizes[best],
        "best_accuracy": float(curve[best]),
        "size": sizes[at],
        "accuracy": float(curve[at]),
        "representation_entropy": float(
            np.mean([cell.representation_entropy[at] for cell in cells])
        ),
        "redundancy_rate": float(np.mean([cell.redundancy_rate[at] for cell in cells])),
        "stability": stability_at(cells, sizes[at], n_features),
        "seconds": float(min(cell.seconds for cell in cells)),
        "n_splits": len(cells),
        "supervision": cells[0].supervision,
        "n_used": float(np.mean([cell.n_used for cell in cells])),
        "n_questions": _or_nan(cells[0].n_questions),
        "n_answers": float(np.mean([_or_nan(cell.n_answers) for cell in cells])),
        "precision": float(np.mean([of_sizes(c, "precision")[at] for c in cells])),
        "distance": float(np.mean([of_sizes(c, "distance")[at] for c in cells])),
    }


def of_sizes(cell: Cell, measure: str) -> list[float]:
    """Return a measure at each size, NaN where it was not taken."""
    return getattr(cell, measure) or [np.nan] * len(cell.sizes)


def _or_nan(number: int | None) -> float:
    """Return a number that a table can hold."""
    return np.nan if number is None else float(number)
