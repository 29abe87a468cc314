"""How sure a choice of features is: the ranking repeated on halves of what was told."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np

from pairsift._typing import IndexArray, PairArray
from pairsift.exceptions import PairsiftError

if TYPE_CHECKING:
    from pairsift.reports._ranking import Fit

N_HALVES = 20
SURE = 0.9
"""A feature is sure when this share of the halves chooses it, too."""
PATIENCE = 10.0
"""Seconds that all halves together may take."""
# After a ranking that took longer not even one half is tried. Less may be compiling.
_LONG = 60.0


@dataclass(frozen=True)
class Sureness:
    """How often features were chosen from random halves, or why that is not known."""

    counts: tuple[int, ...] = ()
    """Of the chosen features, best first."""
    n_halves: int = 0
    of_what: str = ""
    reason: str = ""

    @property
    def least(self) -> int:
        """In how many halves a feature is chosen that is sure."""
        return math.ceil(self.n_halves * SURE)

    @property
    def n_sure(self) -> int:
        """Number of chosen features that are sure."""
        return sum(count >= self.least for count in self.counts)


def chosen_again(fit: Fit, n_chosen: int) -> Sureness:
    """Rank from random halves and count how often the best features stay the best.

    Halves without replacement, because rows drawn twice would be each other's nearest
    neighbours. They are halves of the pairs, of the labelled rows of every class, or of
    all rows, whatever the method learned from; each has half of the evidence, so that
    the counts are rather too low than too high.
    """
    if fit.seconds > _LONG:
        return Sureness(reason=f"one ranking takes {_time(fit.seconds)}")
    half, of_what = _halving(fit)
    chosen = fit.selector.order_[:n_chosen]
    is_chosen = np.zeros((0, n_chosen), dtype=bool)
    rng, began, trouble = np.random.default_rng(0), perf_counter(), ""
    for number in range(N_HALVES):
        order, error = _ranked(fit.selector, half(rng))
        trouble = trouble or error.rstrip(".")
        if order is not None:
            again = np.isin(chosen, order[:n_chosen])
            is_chosen = np.vstack([is_chosen, again])
        mean = (perf_counter() - began) / (number + 1)
        if mean * N_HALVES > PATIENCE:
            needed = _time(mean * N_HALVES)
            return Sureness(reason=f"{N_HALVES} rankings would take {needed}")
    if len(is_chosen) < N_HALVES / 2:
        return Sureness(reason=f"half of {of_what} is too few: {trouble}")
    counts = tuple(is_chosen.sum(axis=0).tolist())
    return Sureness(counts, len(is_chosen), of_what)


def _time(seconds: float) -> str:
    return f"{seconds:.0f} seconds" if seconds < 120 else f"{seconds / 60:.0f} minutes"


def _halving(fit: Fit) -> tuple[Callable[[np.random.Generator], Fit], str]:
    """Return how to take half of what the selector learned from, and what that is."""
    n_rows = len(fit.X)
    n_pairs = 0 if fit.pairs is None else len(fit.pairs)
    if n_pairs and fit.selector.n_constraints_used_:
        return lambda rng: _half_of_pairs(fit, rng), f"the {n_pairs:,} pairs"
    if fit.codes is not None:
        n_labelled = np.count_nonzero(fit.codes >= 0)
        return lambda rng: _half_of_labels(
            fit, rng
        ), f"the {n_labelled:,} labelled rows"
    return lambda rng: _half_of_rows(fit, rng), f"the {n_rows:,} rows"


def _half_of_pairs(fit: Fit, rng: np.random.Generator) -> Fit:
    from pairsift.constraints import PairConstraints

    def half(pairs: PairArray) -> PairArray:
        return pairs[rng.permutation(len(pairs))[: -(-len(pairs) // 2)]]

    assert fit.pairs is not None
    must, cannot = half(fit.pairs.must_link), half(fit.pairs.cannot_link)
    return fit._replace(pairs=PairConstraints(must, cannot, n_samples=len(fit.X)))


def _half_of_labels(fit: Fit, rng: np.random.Generator) -> Fit:
    """Take the labels of half of every class away; the rows stay."""
    assert fit.codes is not None
    codes = np.full_like(fit.codes, -1)
    for label in np.unique(fit.codes[fit.codes >= 0]):
        rows = rng.permutation(np.flatnonzero(fit.codes == label))
        codes[rows[: -(-rows.size // 2)]] = label
    return fit._replace(labels=codes, codes=codes, missing_label=-1)


def _half_of_rows(fit: Fit, rng: np.random.Generator) -> Fit:
    rows = np.sort(rng.permutation(len(fit.X))[: -(-len(fit.X) // 2)])
    labels = None if fit.labels is None else np.asarray(fit.labels)[rows]
    return fit._replace(X=fit.X.iloc[rows], labels=labels, pairs=None)


def _ranked(selector: Any, fit: Fit) -> tuple[IndexArray | None, str]:
    """Return the order of the features, or why there is none."""
    from sklearn.base import clone

    again = clone(selector)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            again.fit(
                fit.X,
                fit.labels,
                constraints=fit.pairs,
                missing_label=fit.missing_label,
            )
    except (PairsiftError, ValueError) as error:
        return None, str(error)
    return again.order_, ""
