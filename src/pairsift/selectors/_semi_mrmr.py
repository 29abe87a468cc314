"""SemiMRMR, and what it shares with MRMR by correlation."""

from numbers import Real
from typing import Any, ClassVar

import numpy as np

from pairsift._sklearn_compat import Interval, StrOptions
from pairsift._typing import FloatArray, IndexArray
from pairsift._warnings import warn_caller
from pairsift.constraints import PairConstraints
from pairsift.scores import (
    MIN_REDUNDANCY,
    correlation_path,
    fewest_features,
)
from pairsift.selectors._base import BaseScoreSelector, FromClasses, Supervision
from pairsift.selectors._cost import n_tried
from pairsift.selectors._method import CLASSES_AND_ROWS, Method
from pairsift.selectors._search import ForwardSearch
from pairsift.selectors._tables import Table

MAX_JUDGED = 100
"""Steps after which a search for the number of features ends."""


class CorrelationSearch(ForwardSearch):
    """Base of the searches by relevance over redundancy, by correlation."""

    accuracies_: FloatArray | None
    _fewest: int

    def _n_steps(self, n_features: int) -> int:
        if self.n_features_to_select == "auto":
            return min(n_features, MAX_JUDGED)
        return super()._n_steps(n_features)

    def _score_by_correlation(
        self,
        table: Table,
        labels: IndexArray,
        *,
        is_spread: bool,
        least: float = MIN_REDUNDANCY,
    ) -> FloatArray:
        n_steps = self._n_steps(table.X.shape[1])
        order, values, hits = correlation_path(
            table.X,
            labels,
            table.is_categorical,
            n_steps,
            is_spread=is_spread,
            least_redundancy=least,
            is_judged=self.n_features_to_select == "auto",
        )
        self.accuracies_ = None
        if hits is not None and len(hits):
            self.accuracies_ = hits.mean(axis=0)
            # Where the other features tell nothing, hits on them are chance.
            n_telling = max(1, np.count_nonzero(values[:n_steps]))
            self._fewest = fewest_features(hits[:, :n_telling])
        return self._quotient_scores(order, values, n_steps, least)

    def _best_number(self) -> int:
        if self.accuracies_ is not None:
            return self._fewest
        warn_caller(
            "no class has two labelled rows of which one could be held out: "
            "n_features_to_select='auto' takes all features that tell anything; label "
            "more rows, or give a number."
        )
        return max(1, int(np.count_nonzero(self.scores_)))


class SemiMRMR(CorrelationSearch, FromClasses):
    """Select relevant features that share little, from few labels and all rows.

    Every row takes the class of its nearest labelled row. Adds one feature after the
    other: the one whose variance these classes explain best, divided by what it shares
    with the features added before, by rank correlation over all rows. Made for some
    thirty labels, of rows that a person has sorted. Given pairs and no labels, the
    groups of rows joined by must-links serve as classes; of pairs that contradict each
    other, the least supported are left out. Units do not matter.

    Parameters
    ----------
    n_features_to_select : "auto", int, float or None, default=None
        Number or share of features to select, where the search ends; None adds all and
        only ranks. ``"auto"`` takes as few, of a hundred at most, as find held-out
        labelled rows again, see Notes.
    categorical_features : "auto", array-like or None, default="auto"
        Categorical columns as a mask, indices or names; ``"auto"`` takes the text,
        category and boolean columns of a data frame.
    least_redundancy : float, default=0.01
        Added to the mean redundancy, in nats. A larger number helps against many
        features of noise, which share nothing with any other: 0.05 was better
        with forty of them, and level without.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
        Share of the relevance of each feature in its relevance plus its redundancy
        (plus the least) when it was added, from 0 for a feature that tells nothing
        about the classes to 1; at most that of the feature added before. Features that
        were not reached have their share at the last step.
    path_scores_ : ndarray of shape (n_steps,)
        Relevance over redundancy of each added feature at its step; for the first one
        its relevance.
    accuracies_ : ndarray of shape (n_steps,) or None
        Share of held-out labelled rows that the first 1, 2, ... features find again;
        None when the number was given.
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
        Number of must-links that made the classes, 0 when labels did.

    See Also
    --------
    pairsift.scores.semi_mrmr_path : The same as a function on arrays, with its Notes.
    MRMR : With ``estimator="correlation"``, from labelled rows alone.

    Notes
    -----
    The next feature has the largest quotient of the share of its variance between the
    classes and its mean correlation with the features added before;
    :func:`pairsift.scores.semi_mrmr_path` has the formulas. Labelled rows equally near
    share a row between their classes. Constant columns tell nothing, copies share 13.8
    nats, and categorical columns count by their indicators.

    With ``"auto"``, a tenth of the labelled rows at a time is held out, the search done
    without their labels, and each of them given the class of the nearest other labelled
    row on the first 1, 2, ... features. The number is the smallest whose share of hits
    is within one standard error of the best, computed with two hits and two misses
    more: otherwise it is 0 where all rows are found. Features that tell nothing are not
    taken. With more than a thousand labelled rows a thousand of them are held out.

    The method is not in the papers; it was measured beside them, see the guide.

    Examples
    --------
    >>> import numpy as np
    >>> from pairsift import SemiMRMR
    >>> from sklearn.datasets import load_wine
    >>> X, y = load_wine(return_X_y=True)
    >>> few_labels = np.where(np.arange(len(y)) % 6 == 0, y, -1)
    >>> selector = SemiMRMR("auto").fit(X, few_labels)
    >>> selector.order_[: selector.n_features_to_select_]
    array([ 6,  9, 12])
    """

    _method: ClassVar = Method(
        name="semi-mrmr",
        learns_from=CLASSES_AND_ROWS,
        orientation="maximised",
        cost="O(nd) per step, O(nld) to spread l labels, O(nd) memory",
        seconds=lambda s, z: 2e-9 * z.n * n_tried(s, z) + 2e-10 * z.n * z.m * z.d / z.t,
        citation="pairsift (not in the papers)",
        dask=True,
    )
    _accepts_categorical: ClassVar[bool] = True
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "n_features_to_select": [
            *BaseScoreSelector._parameter_constraints["n_features_to_select"],
            StrOptions({"auto"}),
        ],
        "categorical_features": ["array-like", StrOptions({"auto"}), None],
        "least_redundancy": [Interval(Real, 0, None, closed="neither")],
    }

    def __init__(
        self,
        n_features_to_select: int | float | str | None = None,
        *,
        categorical_features: Any = "auto",
        least_redundancy: float = MIN_REDUNDANCY,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.categorical_features = categorical_features
        self.least_redundancy = least_redundancy

    def _resolve(
        self,
        table: Table,
        y: Any,
        constraints: Any,
        sample_ids: Any,
        missing_label: Any = "auto",
    ) -> Supervision:
        if y is None and isinstance(constraints, PairConstraints):
            constraints = _consistent(constraints)
        return super()._resolve(table, y, constraints, sample_ids, missing_label)

    def _score(self, table: Table, supervision: Supervision) -> FloatArray:
        assert supervision.labels is not None  # FromClasses sees to it
        return self._score_by_correlation(
            table, supervision.labels, is_spread=True, least=self.least_redundancy
        )


def _consistent(constraints: PairConstraints) -> PairConstraints:
    """Leave contradictory pairs out: answers of people, of whom few err."""
    conflicts = constraints.conflicts()
    if not conflicts:
        return constraints
    kept, left_out = constraints.without_conflicts()
    some = f" and {len(left_out) - 1} more" if len(left_out) > 1 else ""
    first = next(iter(left_out))
    warn_caller(
        f"{conflicts[0].named(constraints.ids)}: the {first.link}-link ({first.a}, "
        f"{first.b}){some}, the least supported, left out."
    )
    return kept
