"""Pairs of which a sparse model of the answers so far is least sure."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.special import expit

from pairsift._typing import BoolArray, FloatArray, PairArray
from pairsift.active._best_pair import TIE, first_pair
from pairsift.active._data import as_points
from pairsift.scores import PairPath, PairProblem

# Pairs of far rows that are asked before there is a model.
N_FIRST = 8
# Rows among which these are looked for.
N_SPREAD = 512
# Random pairs among which the least sure is looked for.
POOL = 2_000
# What a use of an end adds to the distance of its probabilities to one half: answers
# about many rows tell more than answers about few.
WORN = 0.01
# The model: its path of penalties, down to a share of the largest.
N_PENALTIES = 15
SMALLEST_PENALTY = 0.03
TOLERANCE = 1e-5
# Number of rows among which near-hits are looked for, which stand in for must-links
# while there are none.
N_SEARCHED = 2_000


class Uncertainty:
    """The pair whose probability of "same" is nearest one half, of a random pool.

    What is asked depends on the answers, the seed and the rows, not on the way here:
    the model is fitted to the answers anew, which takes milliseconds.
    """

    def __init__(
        self,
        X: FloatArray,
        is_categorical: BoolArray,
        random_state: int = 0,
        n_jobs: int | None = -1,
        **_: Any,
    ) -> None:
        self._problem = PairProblem.of(X, is_categorical, n_jobs=n_jobs)
        self._seed = random_state
        self._said: dict[tuple[int, int], str] = {}

    def take(self, first: int, second: int, answer: str) -> None:
        self._said[min(first, second), max(first, second)] = answer

    def take_back(self, first: int, second: int, answer: str) -> None:
        del self._said[min(first, second), max(first, second)]

    def next_pair(self, asked: PairArray) -> tuple[int, int]:
        known = {kind: self._pairs(kind) for kind in ("same", "different")}
        n_known = sum(map(len, known.values()))
        if n_known < N_FIRST:
            return self._spread_pair(asked)
        pool = self._pool(asked)
        if not len(pool):
            return first_pair(len(self._problem.X), asked)
        path = self._path(known["same"], known["different"])
        chance = expit(
            self._problem.log_odds(pool, path.coefs[-1], path.intercepts[-1])
        )
        uses = np.bincount(asked.ravel(), minlength=len(self._problem.X))
        unsure = np.abs(chance - 0.5) + WORN * uses[pool].sum(axis=1)
        best = int(np.flatnonzero(unsure <= unsure.min() + TIE)[0])
        return int(pool[best, 0]), int(pool[best, 1])

    def _pairs(self, kind: str) -> PairArray:
        pairs = [pair for pair, answer in self._said.items() if answer == kind]
        return np.array(sorted(pairs), dtype=np.int64).reshape(-1, 2)

    def _path(self, must: PairArray, cannot: PairArray) -> PairPath:
        problem = self._problem
        examples = problem.examples(must, cannot, self._seed, n_searched=N_SEARCHED)
        penalties = problem.penalties(examples, N_PENALTIES, SMALLEST_PENALTY)
        return problem.path(examples, penalties, TOLERANCE)[0]

    def _spread_pair(self, asked: PairArray) -> tuple[int, int]:
        """Return the first pair of rows from different regions not asked about."""
        X = self._problem.X
        rng = np.random.default_rng(self._seed)
        rows = rng.permutation(len(X))[:N_SPREAD]
        known = set(map(tuple, asked.tolist()))
        columns = self._problem.columns
        places = _spread(as_points(X[rows], columns.is_categorical, columns.scale), rng)
        for first, second in zip(places, places, strict=False):
            pair = sorted((int(rows[first]), int(rows[second])))
            if pair[0] != pair[1] and tuple(pair) not in known:
                return pair[0], pair[1]
        return first_pair(len(X), asked)

    def _pool(self, asked: PairArray) -> PairArray:
        """Return pairs that were not asked yet, sorted: all, if there are few."""
        n = len(self._problem.X)
        if n * (n - 1) // 2 <= POOL:
            pool = np.column_stack(np.triu_indices(n, 1))
        else:
            rng = np.random.default_rng([self._seed, len(asked)])
            drawn = np.sort(rng.integers(n, size=(POOL, 2)), axis=1)
            pool = np.unique(drawn[drawn[:, 0] < drawn[:, 1]], axis=0)
        return pool[~np.isin(pool @ [n, 1], asked @ [n, 1])]


def _spread(points: FloatArray, rng: np.random.Generator) -> Iterator[int]:
    """Draw points one by one, each the likelier the farther it is from those before."""
    distance = np.ones(len(points))
    is_first = True
    while distance.any():
        total = np.cumsum(distance)
        at = rng.random() * total[-1]
        place = min(int(np.searchsorted(total, at, side="right")), len(points) - 1)
        yield place
        new = np.abs(points - points[place]).sum(axis=1)
        distance = new if is_first else np.minimum(distance, new)
        is_first = False
