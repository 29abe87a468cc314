"""SimbaSc: gradient ascent on the margins of cannot-link pairs."""

from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np

from pairsift._random import as_generator
from pairsift._sklearn_compat import Interval, StrOptions
from pairsift._typing import FloatArray, MissingMode, PairArray, RandomState
from pairsift._warnings import warn_caller
from pairsift.constraints import LabelledPairs, PairConstraints
from pairsift.scores import simba_sc_score
from pairsift.selectors._base import Supervision
from pairsift.selectors._margins import MarginSelector
from pairsift.selectors._method import CANNOT_LINKS, Method
from pairsift.selectors._tables import Table


class SimbaSc(MarginSelector):
    """Select features by gradient ascent on the margins of cannot-links (Simba-Sc).

    Gradient ascent on the margins of :class:`ReliefSc` with Euclidean norms, where the
    neighbours are found anew in the weighted space at every step. Of two copies of a
    feature one step can make both grow, so redundancy is only partly dealt with.

    Parameters
    ----------
    n_features_to_select : int or float, default=None
        Number or share of features to select; None keeps all and only ranks.
    n_starts : int, default=5
        Number of passes, each over its own random order of the pairs; the one with the
        largest total margin is kept.
    step : float, default=1.0
        Length of the gradient steps; article and slides have 0.5, the thesis 1.
    symmetric : bool, default=True
        Step along the mean of the gradients of both directions of a pair. False is
        the published step for (n, m), with the smaller row number as n.
    exclude : {"pair", "self"}, default="pair"
        Which rows are no near-hits: neither n nor m, or, as published, n alone.
    categorical_features : "auto", array-like or None, default="auto"
        Categorical columns as a mask, indices or names; ``"auto"`` takes the text,
        category and boolean columns of a data frame.
    missing : {"probability", "ignore", "constant", "distinct"}, default="probability"
        Difference to a missing value (NaN): the probability of another value, in its
        class where there are classes (ReliefD), left out (ReliefC), one minus one over
        the number of values (ReliefB), or 1 to a known and 0 to a missing value
        (Relieved-F).
    max_pairs : int, default=10000
        Number of pairs to learn from at most, when they are those of labelled rows;
        from more, that many are drawn at random, and a warning says so.
    random_state : int, Generator, RandomState or None, default=None
        Seed of the orders, and of the draw of pairs.
    n_jobs : int or None, default=-1
        Number of threads: -1 for all cores, None as in joblib.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
        Squared weights, the largest of which is 1; 0 for a constant feature.
    order_ : ndarray of shape (n_features,)
        Feature indices, best first; ties go to the lower index.
    ranking_ : ndarray of shape (n_features,)
        Rank of each feature, 1 is best.
    support_ : ndarray of shape (n_features,), dtype=bool
        Mask of the selected features.
    n_features_to_select_ : int
        Number of selected features.
    n_features_in_ : int
        Number of features seen in fit.
    feature_names_in_ : ndarray of shape (n_features,)
        Names of the features, when `X` has them.
    n_constraints_used_ : int
        Number of must-links and cannot-links used.

    Notes
    -----
    Algorithm 3.3 of [1]_: steps along the gradient of the margins of cannot-links, in
    the space weighted by what was found so far; :func:`pairsift.scores.simba_sc_score`
    has the formula, and a correction of equations 3.20 and 3.21.

    The order of the rows matters, and so does the order in which pairs are given: pairs
    are taken one after the other, in random orders that are drawn by their places. More
    `n_starts` make the result depend less on it.

    References
    ----------
    .. [1] S. Hijazi, "Semi-supervised margin-based feature selection for
       classification", PhD thesis, Université du Littoral Côte d'Opale and
       Lebanese University, 2019, HAL tel-02489733.
    .. [2] M. Yang, J. Song, "A novel hypothesis-margin based approach for feature
       selection with side pairwise constraints", Neurocomputing 73(16-18),
       2859-2872, 2010.

    Examples
    --------
    >>> from pairsift import PairConstraints, SimbaSc
    >>> from sklearn.datasets import load_wine
    >>> X, y = load_wine(return_X_y=True, as_frame=True)
    >>> c = PairConstraints.sample(y, n_cannot_link=20, random_state=0)
    >>> float(SimbaSc(random_state=0).fit(X, constraints=c).scores_.max())
    1.0
    """

    _method: ClassVar = Method(
        name="simba-sc",
        learns_from=CANNOT_LINKS,
        orientation="maximised",
        cost="O(pnd) per start, O(nd) memory",
        seconds=lambda s, z: (
            (1e-9 * s.n_starts * min(z.p, s.max_pairs) * z.n * z.d)
            / min(z.t, s.n_starts)
        ),
        citation="Yang, Song 2010; Hijazi 2019, algorithm 3.3",
        dask=True,
    )
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **MarginSelector._parameter_constraints,
        "n_starts": [Interval(Integral, 1, None, closed="left")],
        "step": [Interval(Real, 0, None, closed="neither")],
        "exclude": [StrOptions({"pair", "self"})],
        "max_pairs": [Interval(Integral, 1, None, closed="left")],
        "random_state": ["random_state", np.random.Generator],
    }

    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        n_starts: int = 5,
        step: float = 1.0,
        symmetric: bool = True,
        exclude: str = "pair",
        categorical_features: Any = "auto",
        missing: MissingMode = "probability",
        max_pairs: int = 10_000,
        random_state: RandomState = None,
        n_jobs: int | None = -1,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.n_starts = n_starts
        self.step = step
        self.symmetric = symmetric
        self.exclude = exclude
        self.categorical_features = categorical_features
        self.missing = missing
        self.max_pairs = max_pairs
        self.random_state = random_state
        self.n_jobs = n_jobs

    def _score(self, table: Table, supervision: Supervision) -> FloatArray:
        self._warn_if_alone(table)
        rng = as_generator(self.random_state)
        pairs = supervision.cannot_link
        if not supervision.is_listed:
            pairs = self._drawn(supervision, rng)
            self.n_constraints_used_ = len(pairs)
        return simba_sc_score(
            table.X,
            pairs,
            n_starts=self.n_starts,
            step=self.step,
            symmetric=self.symmetric,
            exclude=self.exclude,
            is_categorical=table.is_categorical,
            missing=self.missing,
            labels=supervision.labels,
            random_state=rng,
            n_jobs=self.n_jobs,
        )

    def _drawn(self, supervision: Supervision, rng: np.random.Generator) -> PairArray:
        """Return the cannot-links of the labels, drawn when there are too many."""
        assert supervision.labels is not None
        pairs = LabelledPairs(supervision.labels)
        n_pairs, n_taken = pairs.count("cannot"), self.max_pairs
        if n_pairs <= n_taken:
            return PairConstraints((), pairs.all("cannot")).cannot_link
        warn_caller(
            f"the labels make {n_pairs} cannot-links, of which max_pairs={n_taken} "
            "were drawn at random: raise it to take more."
        )
        drawn = pairs.draw("cannot", n_taken, None, rng)
        return PairConstraints((), drawn).cannot_link

    def _lists_pairs(self, table: Table) -> bool:
        return False
