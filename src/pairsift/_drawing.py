"""What a picture shows, whoever draws it.

There are two painters for a reason. Figures for papers are drawn by Matplotlib in
`plotting`: PDF and PNG, axes that users go on with. Pictures of the HTML page are SVG,
written as text in `reports`: they take the page's light or dark colours, keep the size
of their text on a phone and on paper, can be read aloud, and do not need Matplotlib,
which is an optional part of pairsift. Decisions that both have to take stand here, so
that the two cannot disagree. The bands around curves are those of `Comparison.curves`.
"""

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from pairsift._typing import BoolArray, IndexArray

# Okabe and Ito's colours, told apart by all kinds of sight; without yellow, too light
# for lines on white, and black, which is for text.
COLOURS = ("#0072b2", "#e69f00", "#009e73", "#d55e00", "#56b4e9", "#cc79a7")
# Six colours and five dashes make thirty different curves.
N_DASHES = 5
# Use a logarithmic x-axis above this number of features: the first ones matter most.
MANY_FEATURES = 100
# Use one for values that were varied when the largest is this many times the smallest.
WIDE = 100.0


def takes_bars(scores: ArrayLike) -> bool:
    """Whether scores are drawn as bars from 0, the longest that of the best feature.

    Where another score is larger in size, as where a published score is minimised and
    stored negated, bars from 0 would say the contrary, and bars from elsewhere would
    have lengths that mean nothing: such scores are points, of which the place is read.
    Infinite scores are left out.
    """
    values = np.asarray(scores, dtype=np.float64)
    known = values[np.isfinite(values)]
    return not known.size or bool(known.max() >= -known.min())


def takes_log_axis(sizes: ArrayLike) -> bool:
    """Whether numbers of features are drawn on a logarithmic axis."""
    return bool(np.asarray(sizes).max(initial=0) > MANY_FEATURES)


def log_ticks(low: float, high: float) -> list[float]:
    """Return 1, 2, 5, 10, 20, ... between two numbers, for a logarithmic axis."""
    ladder = [digit * 10.0**power for power in range(12) for digit in (1, 2, 5)]
    return [tick for tick in ladder if low <= tick <= high]


class SweepAxis(NamedTuple):
    """Where values that were varied stand on an axis."""

    places: dict[Any, float]
    """By value: the number itself or, for other things, its place in the row."""
    texts: tuple[str, ...]
    is_log: bool


def sweep_axis(values: Iterable[Any]) -> SweepAxis:
    """Return where values stand: numbers by size, other things side by side."""
    listed = list(dict.fromkeys(values))
    if not are_numbers(listed):
        places = {value: float(place) for place, value in enumerate(listed)}
        return SweepAxis(places, tuple(map(str, listed)), is_log=False)
    listed.sort()
    is_log = listed[0] > 0 and listed[-1] >= WIDE * listed[0]
    return SweepAxis({v: v for v in listed}, tuple(f"{v:g}" for v in listed), is_log)


def are_numbers(values: Iterable[Any]) -> bool:
    """Whether values that were varied are all numbers."""
    return all(isinstance(v, int | float) and not isinstance(v, bool) for v in values)


def sweep_title(by: str) -> str:
    """Return the title of an axis of what was varied."""
    return "number of questions" if by == "questions" else by


def by_mean_rank(ranks: ArrayLike) -> IndexArray:
    """Return the order of features, best mean rank first; ranks[feature, method].

    Equal means keep the order of the columns; they are rounded, because sums of equal
    ranks in another order may differ in the last digit.
    """
    return np.argsort(np.asarray(ranks).mean(axis=1).round(9), kind="stable")


def is_close(mean_ranks: ArrayLike, to: float, distance: float) -> BoolArray:
    """Tell which mean ranks are less than the critical difference away from one.

    Ranks at least that far apart differ; the tolerance is for rounding.
    """
    return np.abs(np.asarray(mean_ranks, dtype=np.float64) - to) < distance - 1e-9
