"""How far spread pairs can be trusted: answers left out, and found again or not."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pairsift._typing import BoolArray, FloatArray, IndexArray, PairArray

# With fewer answers the check says nothing; more than MAX_ANSWERS are not needed.
MIN_ANSWERS, MAX_ANSWERS = 8, 200
N_RANDOM = 2_000
OTHER = {"must": "cannot", "cannot": "must"}


class HeldOut(NamedTuple):
    """How well answers are found again from the other answers.

    Each answer is left out in turn, together with all that share a row with it, and
    its confidence is what the rest spread to it.

    Parameters
    ----------
    link : {"must", "cannot"}
        The kind of pairs that was spread.
    n_answers : int
        Number of answers of this kind that were left out in turn.
    n_others : int
        Number of answers of the other kind that they are compared with; 0 for a
        comparison with random pairs.
    recovered : float
        Share of these answers that the rest would have spread, at the same threshold.
    contradicted : float
        Share of the answers of the other kind that would have been spread, too.
    chance : float
        Share of all pairs of rows that were spread.
    auc : float
        Probability that a left-out answer gets more confidence than an answer of the
        other kind; if there are fewer than 8 of those, than a random pair. One half is
        chance. NaN if fewer than 8 answers can be left out: answers that share a row
        with half of all answers cannot.
    error : float
        Standard error of `auc` if it were chance.
    """

    link: str
    n_answers: int
    n_others: int
    recovered: float
    contradicted: float
    chance: float
    auc: float
    error: float

    @property
    def is_chance(self) -> bool:
        """Whether the answers do not show that spreading is better than chance."""
        return not np.isnan(self.auc) and self.auc - self.error <= 0.5

    def __str__(self) -> str:
        if np.isnan(self.auc):
            return (
                f"too few given {self.link}-links ({self.n_answers}, at least "
                f"{MIN_ANSWERS} are needed) can be left out with all that share a row "
                "with them."
            )
        others = f"{self.n_others} given {OTHER[self.link]}-links"
        return (
            f"{self.n_answers} given {self.link}-links, each left out with all that "
            f"share a row with it, got more confidence from the rest than "
            f"{others if self.n_others else 'random pairs'} in {self.auc:.0%} of all "
            f"comparisons (50% is chance, standard error {self.error:.0%}); "
            f"{self.recovered:.0%} of them would have been spread, as "
            f"{self.chance:.1%} of all pairs were."
        )


class Diffusion(NamedTuple):
    """Confidences of one kind of pairs, G = R Q R', without storing them."""

    pairs: PairArray
    columns: IndexArray
    """Column of `R` that belongs to each end of each pair."""
    R: FloatArray
    left: FloatArray
    """R Q."""
    most: FloatArray
    """Largest confidence in each row of G."""
    tau: float

    def at(self, pairs: PairArray) -> FloatArray:
        """Return the confidence of some pairs."""
        confidence: FloatArray = np.einsum(
            "ij,ij->i", self.left[pairs[:, 0]], self.R[pairs[:, 1]]
        )
        return confidence

    def due_to(self, given: BoolArray, pairs: PairArray) -> FloatArray:
        """Return the part of it that some of the given pairs contribute."""
        n, m = pairs.T
        a, b = self.columns[given].T
        there = self.R[np.ix_(n, a)] * self.R[np.ix_(m, b)]
        back = self.R[np.ix_(n, b)] * self.R[np.ix_(m, a)]
        part: FloatArray = (there + back).sum(axis=1)
        return part


def held_out(
    diffusion: Diffusion, link: str, others: PairArray, chance: float
) -> HeldOut:
    """Leave each answer out in turn and see what the rest say of it."""
    n_rows = len(diffusion.R)
    rng = np.random.default_rng(0)
    random = rng.integers(0, n_rows, (N_RANDOM, 2))
    random = random[random[:, 0] != random[:, 1]]
    found, is_spread = _places(diffusion, diffusion.pairs, random)
    denied, is_denied = _places(diffusion, others, random)
    n_found, n_denied = found.size, denied.size
    auc = error = np.nan
    if n_found >= MIN_ANSWERS and n_denied >= MIN_ANSWERS:
        auc = _share_below(denied, found[:, None])
        error = np.sqrt((n_found + n_denied + 1) / (12 * n_found * n_denied))
    elif n_found >= MIN_ANSWERS:
        # Places among random pairs are uniform by chance, and their mean is the AUC.
        auc, n_denied = float(found.mean()), 0
        error = np.sqrt(1 / (12 * n_found))
    return HeldOut(
        link,
        n_found,
        n_denied,
        float(is_spread.mean()) if is_spread.size else np.nan,
        float(is_denied.mean()) if is_denied.size else np.nan,
        chance,
        auc,
        float(error),
    )


def _places(
    diffusion: Diffusion, answers: PairArray, random: PairArray
) -> tuple[FloatArray, BoolArray]:
    """Return the place of each left-out answer among random pairs, 0 to 1.

    And whether its confidence reaches the threshold.
    """
    step = -(-len(answers) // MAX_ANSWERS) or 1
    confidence = diffusion.at(random)
    places, is_spread = [], []
    for answer in answers[::step]:
        # The rest would know the very rows, of which nothing is to be known.
        is_near: BoolArray = np.isin(diffusion.pairs, answer).max(axis=1)
        if 2 * is_near.sum() > is_near.size:
            continue
        pair = answer[None]
        own = float(diffusion.at(pair)[0]) - float(diffusion.due_to(is_near, pair)[0])
        rest = np.subtract(confidence, diffusion.due_to(is_near, random))
        places.append(_share_below(rest, own))
        is_spread.append(own >= diffusion.tau)
    return np.array(places), np.array(is_spread, dtype=bool)


def _share_below(values: FloatArray, than: FloatArray | float) -> float:
    """Return the share of values that are smaller; equal ones count half."""
    return float((values < than).mean() + 0.5 * (values == than).mean())
