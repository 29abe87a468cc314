"""Pairs drawn from class labels."""

import numpy as np

from pairsift._typing import IndexArray, PairArray
from pairsift.exceptions import ConstraintError

MAX_PAIRS = 50_000_000
MAX_TRIED = 100_000
ATTEMPTS = 50


class LabelledPairs:
    """The must-link and cannot-link pairs of labelled rows, counted but not listed.

    With the labelled rows sorted by class, the partners of row i that come after it
    are the rest of its class (must) and then everything behind its class (cannot).
    Numbering the pairs row by row makes any of them reachable by its number. Errors
    about too few pairs end with `hint`.
    """

    def __init__(self, codes: IndexArray, hint: str = "") -> None:
        self.hint = hint
        labelled = np.flatnonzero(codes >= 0)
        self.rows = labelled[np.argsort(codes[labelled], kind="stable")]
        sorted_codes = codes[self.rows]
        self.class_end = np.searchsorted(sorted_codes, sorted_codes, side="right")

    def count(self, link: str) -> int:
        """Return how many pairs of this kind there are."""
        return int(self._partners(link)[1].sum())

    def take(self, link: str, numbers: IndexArray) -> PairArray:
        """Return the pairs with these numbers."""
        first_partner, n_partners = self._partners(link)
        end = np.cumsum(n_partners)
        i = np.searchsorted(end, numbers, side="right")
        j = first_partner[i] + numbers - (end[i] - n_partners[i])
        return np.column_stack([self.rows[i], self.rows[j]])

    def all(self, link: str, most: int = MAX_PAIRS) -> PairArray:
        """Return every pair of this kind."""
        n_pairs = self.count(link)
        if n_pairs > most:
            raise ConstraintError(
                f"{self.rows.size} labelled rows make {n_pairs} {link}-link pairs, "
                f"more than the {most} that can be listed here: draw some of them "
                "with PairConstraints.sample (on the command line --sample-pairs)."
            )
        return self.take(link, np.arange(n_pairs))

    def draw(
        self,
        link: str,
        n_pairs: int,
        uses_left: IndexArray | None,
        rng: np.random.Generator,
    ) -> PairArray:
        """Draw different pairs; `uses_left` (per row, reduced here) limits re-use."""
        n_existing = self.count(link)
        if n_pairs > n_existing:
            raise ConstraintError(
                f"n_{link}_link={n_pairs} asks for more {link}-link pairs than the "
                f"{n_existing} that exist among the {self.rows.size} labelled rows."
                f"{self.hint}"
            )
        if uses_left is None:
            return self.take(link, rng.choice(n_existing, n_pairs, replace=False))
        return self._draw_limited(link, n_pairs, uses_left, rng)

    def _draw_limited(
        self,
        link: str,
        n_pairs: int,
        uses_left: IndexArray,
        rng: np.random.Generator,
    ) -> PairArray:
        n_existing = self.count(link)
        n_tried = min(n_existing, max(MAX_TRIED, 100 * n_pairs))
        most = 0
        for _ in range(ATTEMPTS):
            left = uses_left.copy()
            drawn: list[tuple[int, int]] = []
            numbers = rng.choice(n_existing, n_tried, replace=False)
            for a, b in self.take(link, numbers).tolist():
                if len(drawn) < n_pairs and left[a] and left[b]:
                    left[[a, b]] -= 1
                    drawn.append((a, b))
            if len(drawn) == n_pairs:
                uses_left[:] = left
                return np.array(drawn, dtype=np.int64).reshape(-1, 2)
            most = max(most, len(drawn))
        raise ConstraintError(
            f"n_{link}_link={n_pairs} {link}-link pairs were not found within "
            f"max_per_sample: {most} were the most in {ATTEMPTS} random attempts."
        )

    def _partners(self, link: str) -> tuple[IndexArray, IndexArray]:
        position = np.arange(self.rows.size)
        if link == "must":
            return position + 1, self.class_end - position - 1
        return self.class_end, self.rows.size - self.class_end
