"""Whether pairs agree with labels, or look as if rows had changed places."""

import numpy as np

from pairsift._typing import IndexArray, PairArray
from pairsift._warnings import warn_caller
from pairsift.exceptions import PairsDisagreeWarning

MIN_PAIRS = 20
LEVEL = 0.01
N_SHUFFLES = 499
# Pairs of which each shuffle counts those that agree: more would only take longer.
MAX_PAIRS = 100_000


def warn_of_disagreement(
    labels: IndexArray, must_link: PairArray, cannot_link: PairArray
) -> None:
    """Warn when pairs agree with labels no better than chance.

    A pair agrees if it is a must-link inside a class or a cannot-link between two. Of
    the pairs with two labelled ends, n in all, T agree. The warning comes if n is at
    least 20, a permutation test at 1 % cannot tell T from the number for labels in
    random order, and T is nearer to the mean of that number than to n. The last
    condition keeps good pairs silent where even perfect ones could not pass the test,
    as with one large class.

    The labels of all labelled rows are shuffled, not each pair by itself, because pairs
    share rows. Fisher's test of link and class, and a binomial test, count such pairs
    as independent; the former cannot judge one kind of pair alone.
    """
    must, cannot = (
        pairs[(labels[pairs] >= 0).all(axis=1)] for pairs in (must_link, cannot_link)
    )
    n_must, n_cannot = len(must), len(cannot)
    share = _same_class_share(labels)
    if n_must + n_cannot < MIN_PAIRS or not 0.0 < share < 1.0:
        return
    inside, between = _agreeing(labels, must, cannot)
    by_chance = n_must * share, n_cannot * (1.0 - share)
    is_near_chance = 2 * (inside + between) < sum(by_chance) + n_must + n_cannot
    if not is_near_chance or _beats_chance(labels, must, cannot):
        return
    found = [
        f"{n_agree} of {n_pairs} {kind} of y, where chance gives {expected:.1f}"
        for kind, n_agree, n_pairs, expected in (
            ("must-links lie inside a class", inside, n_must, by_chance[0]),
            ("cannot-links lie between two classes", between, n_cannot, by_chance[1]),
        )
        if n_pairs
    ]
    warn_caller(
        f"{', and '.join(found)}: the rows of X may have been resampled or reordered "
        "before the selector, so that constraints or sample_ids mean other rows. In a "
        "pipeline put the selector before whatever changes rows; if the pairs follow "
        "something other than y, silence pairsift.PairsDisagreeWarning.",
        PairsDisagreeWarning,
    )


def _beats_chance(labels: IndexArray, must: PairArray, cannot: PairArray) -> bool:
    """Whether less than 1 % of the shuffles of the labels agree as well."""
    step = 1 + (len(must) + len(cannot)) // MAX_PAIRS
    must, cannot = must[::step], cannot[::step]
    n_agreeing = sum(_agreeing(labels, must, cannot))
    known, shuffled = np.flatnonzero(labels >= 0), labels.copy()
    rng = np.random.default_rng(0)
    n_as_good = 1  # The given order is one of all orders.
    for _ in range(N_SHUFFLES):
        shuffled[known] = rng.permutation(labels[known])
        n_as_good += sum(_agreeing(shuffled, must, cannot)) >= n_agreeing
        if n_as_good >= LEVEL * (N_SHUFFLES + 1):
            return False
    return True


def _agreeing(
    labels: IndexArray, must: PairArray, cannot: PairArray
) -> tuple[int, int]:
    """Count the must-links inside a class and the cannot-links between two."""
    inside = labels[must[:, 0]] == labels[must[:, 1]]
    between = labels[cannot[:, 0]] != labels[cannot[:, 1]]
    return int(inside.sum()), int(between.sum())


def _same_class_share(labels: IndexArray) -> float:
    """Return the share of same-class pairs among the pairs of labelled rows."""
    sizes = np.bincount(labels[labels >= 0]).astype(np.float64)
    n_pairs = sizes.sum() * (sizes.sum() - 1.0)
    return float((sizes * (sizes - 1.0)).sum() / n_pairs) if n_pairs else 1.0
