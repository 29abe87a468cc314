"""Constrained margins: Relief-Sc and ReliefF-Sc."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from pairsift import _kernels
from pairsift._blocks import Blocks, OneBlock
from pairsift._checks import check_at_least, check_choice
from pairsift._random import as_generator
from pairsift._typing import BoolArray, FloatArray, IndexArray, PairArray, RandomState
from pairsift.constraints import LabelledPairs, as_pairs, encode_labels
from pairsift.exceptions import ConstraintError
from pairsift.scores._described_columns import Ramp, described_columns
from pairsift.scores._in_blocks import as_blocks
from pairsift.scores._neighborhood import neighborhood

NULLS = ("random-pairs", "must-links")
# Bounds of the number of random pairs that are drawn.
MIN_RANDOM_PAIRS = 500
MAX_RANDOM_PAIRS = 10_000
# Share of a sum of differences below which a margin is a rounding error.
ROUNDING = 1e-13


def relief_sc_score(X: FloatArray, cannot_link: Any, **options: Any) -> FloatArray:
    """Score features by Relief with side constraints: one nearest neighbour a point.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        The data; NaN marks missing values.
    cannot_link : array-like of shape (n_pairs, 2)
        Ordered pairs (n, m) of rows, used as given.
    **options : dict
        As in :func:`relieff_sc_score`, without `n_neighbors`.

    Returns
    -------
    scores : ndarray of shape (n_features,)
        The margin z of every feature, minus its null if there is one; 0 for a constant
        feature.

    See Also
    --------
    relieff_sc_score : The same over several neighbours, with the formula.

    Examples
    --------
    >>> import numpy as np
    >>> from pairsift.scores import relief_sc_score
    >>> X = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    >>> relief_sc_score(X, [(0, 2)])
    array([1., 0.])
    """
    return relieff_sc_score(X, cannot_link, n_neighbors=1, **options)


def relieff_sc_score(
    X: FloatArray,
    cannot_link: Any,
    *,
    n_neighbors: int = 10,
    must_link: Any = (),
    must_link_weight: float = 0.0,
    null: str | None = None,
    ties: str = "share",
    metric: str = "manhattan",
    exclude: str = "pair",
    ramp: tuple[float, float] | None = None,
    is_categorical: BoolArray | None = None,
    missing: str = "probability",
    labels: IndexArray | None = None,
    random_state: RandomState = 0,
    n_jobs: int | None = -1,
) -> FloatArray:
    r"""Score features by ReliefF with side constraints.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        The data; NaN marks missing values.
    cannot_link : array-like of shape (n_pairs, 2)
        Ordered pairs (n, m) of rows, used as given.
    n_neighbors : int, default=10
        Number K of near-hits on either side; where there are fewer candidates, the
        mean is taken over those there are, and over none it is 0.
    must_link : array-like of shape (n_pairs, 2), default=()
        Ordered pairs of rows that belong together, only used with a weight or as null.
    must_link_weight : float, default=0.0
        Weight of the must-links' margins, which are subtracted (not in the papers).
    null : {"random-pairs", "must-links"} or None, default=None
        Pairs whose mean margin is subtracted from that of the cannot-links, see Notes;
        None is the published sum.
    ties : {"share", "index"}, default="share"
        Which rows take the last places when rows are equally far: all of them share
        the places left, so that the order of rows does not matter, or the smaller row
        numbers take them.
    metric : {"manhattan", "euclidean"}, default="manhattan"
        Distance by which neighbours are found, over the differences Δ.
    exclude : {"pair", "self"}, default="pair"
        Which rows are no near-hits of an end of a pair: both ends, or only itself as
        published.
    ramp : tuple of two floats or None, default=None
        ``(low, high)``, shares of the range of a feature: differences of numbers up to
        `low` count as 0, from `high` on as 1, and linearly between. None is the share
        itself, see :func:`pairsift.scores.relieff_score`.
    is_categorical : ndarray of shape (n_features,), dtype=bool, default=None
        Categorical columns; None for none.
    missing : {"probability", "ignore", "constant", "distinct"}, default="probability"
        Difference to a missing value (NaN): the probability of another value, in its
        class where there are classes (ReliefD), left out (ReliefC), one minus one over
        the number of values (ReliefB), or 1 to a known and 0 to a missing value
        (Relieved-F).
    labels : ndarray of shape (n_samples,), default=None
        Class numbers, -1 for none; only used for the probabilities of missing values.
    random_state : int, Generator, RandomState or None, default=0
        Seed of the random pairs.
    n_jobs : int or None, default=-1
        Number of threads: -1 for all cores, None as in joblib.

    Returns
    -------
    scores : ndarray of shape (n_features,)
        The margin z of every feature, minus its null if there is one; 0 for a constant
        feature.

    Notes
    -----
    Equation 3.16 of [1]_, with :math:`H_k(x)` the k-th nearest neighbour of x in all of
    X, and :math:`\Delta_f` the difference on feature f divided by its range (or 0 and
    1 for a categorical feature):

    .. math::
        z_f = \sum_{(n, m)} \frac1K \sum_{k=1}^K
              \Delta_f(x_n, H_k(x_m)) - \Delta_f(x_n, H_k(x_n))

    If m rows are as far as the K-th neighbour and r of the K places are theirs, each of
    them counts r/m; distances that agree up to rounding are tied.

    A `ramp` is that of :func:`relieff_score`.

    A null is ours. z is large for a feature that decides who is near, whether or not it
    tells the pairs apart. With a null the score is the mean margin :math:`\bar z` of
    the cannot-links minus that of the null pairs: all must-links given, or random pairs
    of rows in both directions, as many as there are cannot-links but from 500 to 10,000
    (or all there are). With a weight w for must-links, their mean is calibrated, too:

    .. math::
        (\bar z_{cannot} - \bar z_{null}) - w (\bar z_{must} - \bar z_{null})

    References
    ----------
    .. [1] S. Hijazi, "Semi-supervised margin-based feature selection for
       classification", PhD thesis, Université du Littoral Côte d'Opale and
       Lebanese University, 2019, HAL tel-02489733.

    Examples
    --------
    >>> import numpy as np
    >>> from pairsift.scores import relieff_sc_score
    >>> X = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    >>> relieff_sc_score(X, [(0, 3)], n_neighbors=1)
    array([0., 0.])
    """
    rules = MarginRules(
        n_neighbors, must_link_weight, null, ties, metric, exclude, n_jobs, ramp
    )
    return pair_margins(
        X,
        cannot_link,
        must_link,
        rules,
        is_categorical=is_categorical,
        missing=missing,
        labels=labels,
        random_state=random_state,
    ).scores


def relieff_sc_label_score(
    X: FloatArray,
    labels: Any,
    *,
    n_neighbors: int = 10,
    must_link_weight: float = 0.0,
    null: str | None = None,
    ties: str = "share",
    metric: str = "manhattan",
    exclude: str = "pair",
    is_categorical: BoolArray | None = None,
    n_jobs: int | None = -1,
) -> FloatArray:
    r"""Score features by ReliefF-Sc over all pairs of labelled rows at once.

    The same as :func:`relieff_sc_score` over both directions of every pair of rows of
    different classes, halved (means over pairs, with a null, are not), but without
    listing the pairs: the cost is that of finding the neighbours.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        The data, without missing values.
    labels : array-like of shape (n_samples,)
        Class numbers, -1 for none.
    n_neighbors : int, default=10
        Number K of near-hits on either side; where there are fewer candidates the mean
        is taken over those there are.
    must_link_weight : float, default=0.0
        Weight of the margins of must-links, which are subtracted; 0 is published.
    null : {"random-pairs", "must-links"} or None, default=None
        Pairs whose mean margin is subtracted from that of the cannot-links: all pairs
        of labelled rows, or those of the same class. None is the published sum.
    ties : {"share", "index"}, default="share"
        Which rows take the last places when rows are equally far: all of them share
        the places left, so that the order of rows does not matter, or the smaller row
        numbers take them.
    metric : {"manhattan", "euclidean"}, default="manhattan"
        Distance by which neighbours are found, over the differences Δ.
    exclude : {"pair", "self"}, default="pair"
        Which rows are no near-hits of an end of a pair: both ends, or only itself as
        published.
    is_categorical : ndarray of shape (n_features,), dtype=bool, default=None
        Categorical columns; None for none.
    n_jobs : int or None, default=-1
        Number of threads: -1 for all cores, None as in joblib.

    Returns
    -------
    scores : ndarray of shape (n_features,)
        The margin z of every feature, minus its null if there is one; 0 for a constant
        feature.

    Notes
    -----
    Summed over all pairs, a row h stands among the hits of m as often as it is a
    neighbour of rows of other classes than n, and :math:`\sum |x_n - x_h|` over all n
    and h is a sweep over the sorted values.

    The mean over all pairs of labelled rows is the mean over random pairs, without any
    drawing. It is made of the means over cannot-links and over must-links, so that both
    nulls rank the features in the same order, unless there is a `must_link_weight`.

    Examples
    --------
    >>> import numpy as np
    >>> from pairsift.scores import relieff_sc_label_score
    >>> X = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    >>> relieff_sc_label_score(X, [0, 0, 1, 1], n_neighbors=1)
    array([2., 0.])
    """
    rules = MarginRules(
        n_neighbors, must_link_weight, null, ties, metric, exclude, n_jobs
    )
    return label_margins(X, labels, rules, is_categorical=is_categorical).scores


@dataclass(frozen=True)
class MarginRules:
    """How margins are taken, see :func:`relieff_sc_score`."""

    n_neighbors: int
    must_link_weight: float
    null: str | None
    ties: str
    metric: str
    exclude: str
    n_jobs: int | None
    ramp: Ramp = None

    def __post_init__(self) -> None:
        check_at_least(self.n_neighbors, "n_neighbors", 1)
        if self.null is not None:
            check_choice(self.null, "null", NULLS)
        check_choice(self.ties, "ties", ("share", "index"))
        check_choice(self.metric, "metric", ("manhattan", "euclidean"))
        check_choice(self.exclude, "exclude", ("pair", "self"))
        if not self.must_link_weight >= 0:
            raise ValueError(
                "must_link_weight must be a number of at least 0, got "
                f"{self.must_link_weight!r}."
            )


class Margins(NamedTuple):
    """The margins z, and the scores: z, or the mean margin minus its null."""

    z: FloatArray
    scores: FloatArray


class MarginSum(NamedTuple):
    """The sum of the margins of some ordered pairs."""

    z: FloatArray
    n_pairs: int

    def above(self, null: FloatArray) -> FloatArray:
        """Return the mean margin minus a null; 0 without pairs."""
        return self.z / self.n_pairs - null if self.n_pairs else 0.0 * null


def pair_margins(
    X: FloatArray,
    cannot_link: Any,
    must_link: Any,
    rules: MarginRules,
    *,
    is_categorical: BoolArray | None,
    missing: str,
    labels: IndexArray | None,
    random_state: RandomState,
) -> Margins:
    """Take the margins of ordered pairs, see :func:`relieff_sc_score`."""
    blocks = as_blocks(X, allow_nan=True)
    apart = as_pairs(cannot_link, len(blocks), name="cannot_link")
    together = as_pairs(must_link, len(blocks), name="must_link")
    if rules.must_link_weight == 0 and rules.null != "must-links":
        together = together[:0]
    random = together[:0]
    if rules.null == "random-pairs":
        random = _random_pairs(len(blocks), len(apart), random_state)
    described = is_categorical, missing, labels, rules.ramp
    ends = np.unique(np.concatenate([apart, together, random]))
    margins = _margins_of(blocks, ends, described, rules)
    return _combined(margins(apart), margins(together), margins(random), rules)


def _margins_of(
    blocks: Blocks,
    ends: IndexArray,
    described: tuple[BoolArray | None, str, IndexArray | None, Ramp],
    rules: MarginRules,
) -> Callable[[PairArray], MarginSum]:
    """Find the near-hits of some rows; return what adds the margins of their pairs."""
    near = neighborhood(
        blocks,
        ends,
        *described,
        squared=rules.metric == "euclidean",
        n_neighbors=rules.n_neighbors,
        share=rules.ties == "share",
        n_jobs=rules.n_jobs,
    )
    slots = np.empty(len(near.X), dtype=np.int64)
    slots[near.places(ends)] = np.arange(ends.size)

    def margins(pairs: PairArray) -> MarginSum:
        z = _kernels.margin_sums(
            near.X,
            near.places(pairs),
            slots,
            near.hits,
            rules.exclude == "pair",
            near.columns,
            rules.n_jobs,
        )
        return MarginSum(z, len(pairs))

    return margins


def label_margins(
    X: FloatArray,
    labels: Any,
    rules: MarginRules,
    *,
    is_categorical: BoolArray | None,
) -> Margins:
    """Take the margins of all pairs, see :func:`relieff_sc_label_score`."""
    blocks = as_blocks(X)
    codes, classes = encode_labels(labels)
    if codes.shape != (len(blocks),) or not classes.size:
        raise ValueError(
            f"labels must hold a class number for each of the {len(blocks)} rows of X, "
            f"and not only -1, got {labels!r}."
        )
    z = _label_sums(blocks, codes, rules, is_categorical)
    pairs = LabelledPairs(codes)
    n_apart, n_together = 2 * pairs.count("cannot"), 2 * pairs.count("must")
    found = _combined(
        MarginSum(z[0], n_apart),
        MarginSum(z[1], n_together),
        MarginSum(z[0] + z[1], n_apart + n_together),
        rules,
    )
    # Both directions of every pair were summed; a mean over them is one over pairs.
    return Margins(found.z / 2, found.scores / (1 if rules.null else 2))


def _label_sums(
    blocks: Blocks,
    codes: IndexArray,
    rules: MarginRules,
    is_categorical: BoolArray | None,
) -> FloatArray:
    """Sum the margins of all ordered pairs between and within classes, (2, d)."""
    squared, share = rules.metric == "euclidean", rules.ties == "share"
    exclude_partner = rules.exclude == "pair"
    if isinstance(blocks, OneBlock):
        return _kernels.label_margin_sums(
            blocks.X,
            codes,
            rules.n_neighbors,
            squared,
            exclude_partner,
            share,
            described_columns(blocks.X, is_categorical, "probability", None),
            rules.n_jobs,
        )
    labelled = np.flatnonzero(codes >= 0)
    near = neighborhood(
        blocks,
        labelled,
        is_categorical,
        "probability",
        None,
        squared=squared,
        n_neighbors=rules.n_neighbors,
        share=share,
        n_jobs=rules.n_jobs,
    )
    return _kernels.label_sums_of_hits(
        near.X,
        codes[near.rows],
        [(near.places(labelled), near.hits)],
        min(rules.n_neighbors, len(blocks) - 1),
        exclude_partner,
        near.columns,
        rules.n_jobs,
    )


def _combined(
    apart: MarginSum, together: MarginSum, random: MarginSum, rules: MarginRules
) -> Margins:
    """Put the margins of cannot-links, must-links and random pairs together."""
    weight = rules.must_link_weight
    n_pairs = apart.n_pairs + weight * together.n_pairs
    if not (np.isfinite(apart.z).all() and np.isfinite(together.z).all()):
        raise ValueError("X holds numbers so large that sums overflow: scale it first.")
    z = _without_rounding(apart.z - weight * together.z, n_pairs)
    if rules.null is None:
        return Margins(z, z)
    if rules.null == "must-links" and 0 in (apart.n_pairs, together.n_pairs):
        kind = "cannot" if apart.n_pairs == 0 else "must"
        raise ConstraintError(
            "null='must-links' compares cannot-links with must-links, but there are no "
            f"{kind}-links: add some, or choose null='random-pairs'."
        )
    null = together if rules.null == "must-links" else random
    mean = null.z / null.n_pairs
    scores = apart.above(mean) - weight * together.above(mean)
    return Margins(z, _without_rounding(scores, 1.0 + weight))


def _without_rounding(z: FloatArray, scale: float) -> FloatArray:
    """Set to 0 what is only the rounding of sums of this size."""
    return np.where(np.abs(z) > ROUNDING * scale, z, 0.0)


def _random_pairs(n_rows: int, n_wanted: int, random_state: RandomState) -> PairArray:
    """Draw pairs of rows, and return both directions of each."""
    # All pairs of rows are those of one class.
    everyone = LabelledPairs(np.zeros(n_rows, dtype=np.int64))
    n_pairs = min(max(n_wanted, MIN_RANDOM_PAIRS), MAX_RANDOM_PAIRS)
    n_pairs = min(n_pairs, everyone.count("must"))
    pairs = everyone.draw("must", n_pairs, None, as_generator(random_state))
    return np.concatenate([pairs, pairs[:, ::-1]])
