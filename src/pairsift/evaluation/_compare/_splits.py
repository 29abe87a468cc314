"""The splits of a comparison: their rows, and what is known of the training rows."""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from pairsift._typing import FloatArray, IndexArray
from pairsift.constraints import LabelledPairs, PairConstraints
from pairsift.evaluation._compare._plan import Plan
from pairsift.evaluation._compare._tables import SplitTable, split_table
from pairsift.exceptions import DataError


class Purpose(IntEnum):
    """What the random numbers of a split are drawn for."""

    ROWS = 0
    LABELS = 1
    PAIRS = 2
    SELECTOR = 3
    CLASSIFIER = 4
    QUESTIONS = 5
    ORDER = 6


def split_rows(plan: Plan, split: int) -> tuple[IndexArray, IndexArray]:
    """Return training and test rows of a split, classes in equal shares."""
    from sklearn.model_selection import train_test_split

    seed = int(plan.generator(split, Purpose.ROWS).integers(2**31))
    try:
        train, test = train_test_split(
            np.arange(len(plan.X)),
            test_size=plan.test_size,
            stratify=plan.codes,
            random_state=seed,
        )
    except ValueError as error:
        raise DataError(f"test_size={plan.test_size}: {error}") from error
    return np.sort(train), np.sort(test)


def table_of(plan: Plan, split: int) -> tuple[SplitTable, IndexArray, IndexArray]:
    """Return the table of a split, and its training and test rows."""
    train, test = split_rows(plan, split)
    return split_table(plan.X, plan.is_text, plan.names, train, test), train, test


def known_labels(plan: Plan, codes: IndexArray, split: int) -> IndexArray:
    """Hide the labels of all but `n_labelled` training rows, classes in equal shares.

    The first row drawn of each class comes before the second of any.
    """
    if plan.n_labelled is None:
        return codes
    shuffled = plan.generator(split, Purpose.LABELS).permutation(codes.size)
    share = np.empty(codes.size)
    for code in np.unique(codes):
        is_of_class = codes[shuffled] == code
        n_rows = np.count_nonzero(is_of_class)
        share[is_of_class] = np.arange(n_rows) / n_rows
    kept = shuffled[np.argsort(share, kind="stable")[: plan.n_labelled]]
    known = np.full_like(codes, -1)
    known[kept] = codes[kept]
    return known


def known_pairs(
    plan: Plan, X: FloatArray, codes: IndexArray, split: int
) -> PairConstraints:
    """Draw the pairs of a split: half are cannot-links, half must-links."""
    rng = plan.generator(split, Purpose.PAIRS)
    n_pairs = int(plan.n_pairs or 0)
    if plan.draw_pairs is not None:
        return plan.draw_pairs(X, codes, n_pairs, rng)
    existing = LabelledPairs(codes)
    return PairConstraints.sample(
        codes,
        min(n_pairs - n_pairs // 2, existing.count("cannot")),
        min(n_pairs // 2, existing.count("must")),
        random_state=rng,
    )
