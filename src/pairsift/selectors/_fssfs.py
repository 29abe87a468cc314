"""FSSFS: a forward wrapper that labels some of the unlabelled rows itself."""

from collections.abc import Iterator
from contextlib import contextmanager
from numbers import Integral, Real
from typing import Any, ClassVar, NamedTuple

import numpy as np
import sklearn
from sklearn.base import clone
from sklearn.naive_bayes import GaussianNB
from sklearn.preprocessing import StandardScaler

from pairsift._checks import as_matrix, check_squarable
from pairsift._random import as_generator
from pairsift._sklearn_compat import Interval, StrOptions
from pairsift._typing import BoolArray, FloatArray, IndexArray, RandomState
from pairsift.scores import SEARCH_TIE
from pairsift.selectors._base import BaseScoreSelector, FromClasses, Supervision
from pairsift.selectors._cost import Problem, n_tried
from pairsift.selectors._method import CLASSES_AND_ROWS, Method
from pairsift.selectors._search import ForwardSearch
from pairsift.selectors._tables import Table

MAX_FITS = 1_000_000
"""Classifiers to be fitted in one search; more are refused."""


def _seconds(s: Any, z: Problem) -> float:
    """Of all classifiers, each fitted and asked about a fold."""
    n_steps = n_tried(s, z) if s.n_features_to_select != "auto" else 4.0 * z.d
    n_rows = z.m + s.share * (z.n - z.m)
    return float(n_steps * s.n_trials * s.cv * (6e-4 + 2e-7 * n_rows))


class FSSFS(ForwardSearch, FromClasses):
    """Select features one by one by any classifier, with rows it labels itself.

    Forward semi-supervised feature selection. At each step the classifier learns from
    the labelled rows and the features selected so far, and labels random parts of the
    other rows; each part votes for the feature with which the classifier is most
    accurate, and the feature with most votes is added.
    Given pairs and no labels, the groups of rows joined by must-links serve as classes.
    Units do not matter: columns are standardised here.

    Parameters
    ----------
    estimator : classifier, default=None
        A classifier of scikit-learn; None for ``GaussianNB()``. Copies are fitted, to
        columns of mean 0 and variance 1 over all rows.
    n_features_to_select : "auto", int, float or None, default="auto"
        Number or share of features, at which the search stops; None adds all and only
        ranks. ``"auto"`` stops where the accuracy rises by less than one labelled row.
    n_trials : int, default=10
        How many random parts of the unlabelled rows vote at each step.
    share : float, default=0.5
        Share of the unlabelled rows in each part.
    judge : {"labelled", "all"}, default="labelled"
        Rows on which the accuracy is measured, always held out from learning: those
        with labels, or also those that the classifier labelled itself, see Notes.
    cv : int, default=3
        Number of folds by which accuracy is measured.
    random_state : int, Generator, RandomState or None, default=None
        Seed of the draw.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
        By how much the accuracy rose when each feature was added, from the share of the
        largest class on: at least 0, and at most that of the feature added before.
        Features that were not reached come after these, see Notes.
    path_scores_ : ndarray of shape (n_added,)
        Accuracy after each step, the mean over the trials.
    votes_ : ndarray of shape (n_added,)
        Share of the trials that voted for the feature added at each step.
    alone_ : ndarray of shape (n_features,)
        Accuracy with each feature alone, on all rows at the end, see Notes; 0 for
        constant features.
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
    NearestNeighborForward : A forward search on labelled rows alone.
    IteraGraphFS : Labels spread over a graph, in turns with any selector.

    Notes
    -----
    Section 3.3 of [1]_, after [2]_. What the sources leave open, or to their readers:

    - The first feature is chosen on the labelled rows alone: there is no model before
      it. Later models learn from the labelled rows only, never from their own labels.
    - In a trial one feature is chosen, not a whole subset. Its accuracy is that of
      stratified folds, drawn anew in every trial, of the labelled rows and the part of
      the others with the labels that the model gave them.
    - Whose accuracy counts is not said. On all rows (``judge="all"``), nearly all
      labels to be found again follow from the features selected before, which no other
      feature can tell better: on data where four features out of twenty tell two
      classes apart, each alone, the search ended after two or three features, and the
      relevant ones but the first came last in 8 of 10 draws. So folds learn from all
      rows and are judged on those with labels.
    - A trial whose best features are equally accurate shares its vote among them. Equal
      votes are decided by the mean accuracy over the trials, then by the accuracy with
      the feature alone (`alone_`, of that step), then by the lower index. Constant
      features are not tried, and come last.
    - Where to stop, and the order of what was not added, are not said. With ``"auto"``
      a feature must bring at least one labelled row more: the best of many features
      brings a little by chance. All others follow by how accurately each alone tells
      the labels, both given and found with the features added: when the labelled rows
      are told apart, what a feature adds to them is chance. With a number of features
      the search goes on, and a step that brings less than a labelled row adds the most
      accurate feature alone: by votes, four columns of 20 that tell two classes apart
      were found in 12 of 20 draws, so in 17.
    - The classifier, the number of trials, the share and the folds are not given.

    Labelled rows are held out when a feature is judged, but not when the model labels
    the other rows, and the best of many features is taken: `path_scores_` are too good
    to be expected on new rows.

    The classifier is fitted once for each step, trial, fold and feature that is left.
    More than a million fits are refused.

    References
    ----------
    .. [1] F. Coelho, "Semi-supervised feature selection", PhD thesis, Universidade
       Federal de Minas Gerais and Université catholique de Louvain, 2013.
    .. [2] J. Ren, Z. Qiu, W. Fan, H. Cheng, P. S. Yu, "Forward semi-supervised
       feature selection", PAKDD, 970-976, 2008.

    Examples
    --------
    >>> import numpy as np
    >>> from pairsift import FSSFS
    >>> from sklearn.datasets import load_wine
    >>> X, y = load_wine(return_X_y=True)
    >>> few_labels = np.where(np.arange(len(y)) % 6 == 0, y, -1)
    >>> selector = FSSFS(n_features_to_select=2, random_state=0).fit(X, few_labels)
    >>> selector.order_[:2]
    array([9, 7])
    """

    _method: ClassVar = Method(
        name="fssfs",
        learns_from=CLASSES_AND_ROWS,
        orientation="maximised",
        cost="O(drv) fits per step, for r trials and v folds, O(nd) memory",
        seconds=_seconds,
        citation="Ren et al. 2008; Coelho 2013, section 3.3",
    )
    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "estimator": "no_validation",
        "n_features_to_select": [
            *BaseScoreSelector._parameter_constraints["n_features_to_select"],
            StrOptions({"auto"}),
        ],
        "n_trials": [Interval(Integral, 1, None, closed="left")],
        "share": [Interval(Real, 0, 1, closed="right")],
        "judge": [StrOptions({"labelled", "all"})],
        "cv": [Interval(Integral, 2, None, closed="left")],
        "random_state": ["random_state", np.random.Generator],
    }

    def __init__(
        self,
        estimator: Any = None,
        n_features_to_select: int | float | str | None = "auto",
        *,
        n_trials: int = 10,
        share: float = 0.5,
        judge: str = "labelled",
        cv: int = 3,
        random_state: RandomState = None,
    ) -> None:
        self.estimator = estimator
        self.n_features_to_select = n_features_to_select
        self.n_trials = n_trials
        self.share = share
        self.judge = judge
        self.cv = cv
        self.random_state = random_state

    def _score(self, table: Table, supervision: Supervision) -> FloatArray:
        X = as_matrix(table.X)
        check_squarable(X)
        assert supervision.labels is not None  # FromClasses sees to it
        self._refuse_no_classifier()
        varies = np.flatnonzero(np.ptp(X, axis=0) > 0.0)
        n_steps = min(self._n_steps(X.shape[1]), varies.size)
        n_labelled = int((supervision.labels >= 0).sum())
        self._refuse_too_many_fits(n_steps, varies.size, n_labelled)
        model = GaussianNB() if self.estimator is None else clone(self.estimator)
        drawn = self.n_trials, self.share, self.judge
        scaled = StandardScaler().set_output(transform="default").fit_transform(X)
        trials = _Trials(model, scaled, supervision.labels, *drawn)
        trials.n_folds, trials.rng = self.cv, as_generator(self.random_state)
        with _quick_fits():
            added = self._search(trials, varies, n_steps)
            trials.relabel(added, np.setdiff1d(varies, added))
        rises = np.diff(self.path_scores_, prepend=trials.largest_class)
        self.alone_ = trials.alone
        # Those not added by their accuracy alone; lexsort has the last key first.
        rest = np.setdiff1d(np.arange(X.shape[1]), added)
        rest = rest[np.lexsort((rest, -trials.alone[rest].round(12)))]
        gains = np.append(rises, np.zeros(rest.size))
        return self._entry_scores(np.append(added, rest).astype(np.int64), gains)

    def _search(self, trials: "_Trials", left: IndexArray, n_steps: int) -> list[int]:
        """Return the features added, in their order."""
        added: list[int] = []
        values, votes = [trials.largest_class], []
        least_rise = 1.0 / trials.known.size - SEARCH_TIE
        while len(added) < n_steps:
            found = trials.vote(added, left)
            # Votes for less than a labelled row are chance.
            if added and found.accuracies[0] < max(values) + least_rise:
                if self.n_features_to_select == "auto":
                    break
                found = found.by_accuracy(trials.alone)
            added.append(int(found.features[0]))
            left = found.features[1:]
            votes.append(found.votes[0])
            values.append(found.accuracies[0])
        self.path_scores_, self.votes_ = np.array(values[1:]), np.array(votes)
        return added

    def _best_number(self) -> int:
        return max(1, self.path_scores_.size)

    def _refuse_no_classifier(self) -> None:
        given = self.estimator
        is_one = all(hasattr(given, name) for name in ("fit", "predict", "get_params"))
        if given is not None and (isinstance(given, type) or not is_one):
            raise TypeError(
                "estimator must be a classifier such as GaussianNB(), or None, got "
                f"{given!r}."
            )

    def _refuse_too_many_fits(
        self, n_steps: int, n_features: int, n_labelled: int
    ) -> None:
        n_tried = n_steps * (n_features - (n_steps - 1) / 2)
        # Where the accuracy decides, few steps are to be expected.
        if self.n_features_to_select == "auto":
            n_tried = min(n_tried, 10.0 * n_features)
        n_fits = n_tried * self.n_trials * min(self.cv, n_labelled)
        if n_fits > MAX_FITS:
            raise ValueError(
                f"FSSFS would fit {n_fits:.0f} classifiers, and {MAX_FITS} are the "
                "most: give a smaller n_features_to_select, n_trials or cv, or select "
                "with SemiMRMR, which fits none."
            )


class _Votes(NamedTuple):
    """Features by votes, best first."""

    features: IndexArray
    votes: FloatArray
    accuracies: FloatArray

    def by_accuracy(self, alone: FloatArray) -> "_Votes":
        """Order them by how accurate each is alone instead."""
        order = np.lexsort((self.features, -alone[self.features].round(12)))
        return _Votes(self.features[order], self.votes[order], self.accuracies[order])


class _Trials:
    """Random parts of the rows, and how accurate a classifier is on them."""

    n_folds: int
    rng: np.random.Generator
    alone: FloatArray
    """Accuracy with each feature alone for the labels as they are, (d,)."""

    def __init__(
        self,
        model: Any,
        X: FloatArray,
        labels: IndexArray,
        n_trials: int,
        share: float,
        judge: str,
    ) -> None:
        self.model, self.X, self.n_trials = model, X, n_trials
        self.known = np.flatnonzero(labels >= 0)
        self.unknown = np.flatnonzero(labels < 0)
        self.labels = labels.copy()
        self.is_judged = (labels >= 0) | (judge == "all")
        self.n_drawn = round(share * self.unknown.size)
        self.alone = np.zeros(X.shape[1])
        counts = np.bincount(labels[self.known])
        self.largest_class = float(counts.max()) / self.known.size

    def vote(self, added: list[int], left: IndexArray) -> _Votes:
        """Let each trial choose one of the features that are left."""
        left = np.sort(left)
        accuracies = np.empty((self.n_trials, left.size))
        self.relabel(added, left)
        for t in range(self.n_trials):
            rows = self.known
            if added and self.n_drawn:
                drawn = self.rng.choice(self.unknown, self.n_drawn, replace=False)
                rows = np.concatenate([rows, drawn])
            folds = self._folds(rows)
            for j, feature in enumerate(left):
                accuracies[t, j] = self._accuracy(
                    [*added, feature], rows, folds, self.is_judged
                )
        is_best = accuracies >= accuracies.max(axis=1, keepdims=True) - SEARCH_TIE
        votes = (is_best / is_best.sum(axis=1, keepdims=True)).mean(axis=0).round(12)
        means = accuracies.mean(axis=0)
        order = np.lexsort(
            (left, -self.alone[left].round(12), -means.round(12), -votes)
        )
        return _Votes(left[order], votes[order], means[order])

    def relabel(self, added: list[int], left: IndexArray) -> None:
        """Label the other rows by the features added; judge the others alone."""
        rows = self.known
        if added and self.unknown.size:
            predicted = self._predict(self.X[:, added], self.known, self.unknown)
            self.labels[self.unknown] = predicted
            rows = np.arange(self.labels.size)
        folds, everything = self._folds(rows), np.ones(self.labels.size, dtype=bool)
        for feature in left:
            self.alone[feature] = self._accuracy([feature], rows, folds, everything)

    def _folds(self, rows: IndexArray) -> IndexArray:
        """Fold of each row, rows of a class dealt out one after the other.

        Judged rows come first, so that each of the folds holds some.
        """
        places = self.rng.permutation(rows.size)
        shuffled = rows[places]
        keys = self.labels[shuffled], ~self.is_judged[shuffled]
        folds = np.empty(rows.size, dtype=np.int64)
        n_folds = min(self.n_folds, self.known.size)
        folds[places[np.lexsort(keys)]] = np.arange(rows.size) % n_folds
        return folds

    def _accuracy(
        self,
        features: list[int],
        rows: IndexArray,
        folds: IndexArray,
        is_judged: BoolArray,
    ) -> float:
        X, n_hits, n_judged = self.X[:, features], 0, 0
        for fold in range(folds.max() + 1):
            is_test = folds == fold
            test = rows[is_test & is_judged[rows]]
            predicted = self._predict(X, rows[~is_test], test)
            n_hits += int((predicted == self.labels[test]).sum())
            n_judged += test.size
        return n_hits / n_judged

    def _predict(self, X: FloatArray, training: IndexArray, test: IndexArray) -> Any:
        points, classes = X[training], self.labels[training]
        is_one_class = (classes == classes[0]).all()
        if is_one_class or (points == points[0]).all():
            # Classifiers refuse, or divide by zero, where nothing can be learned.
            return np.full(test.size, np.bincount(classes).argmax())
        return self.model.fit(points, classes).predict(X[test])


@contextmanager
def _quick_fits() -> Iterator[None]:
    """Leave out checks of data that has been checked; they take most of the time."""
    with sklearn.config_context(assume_finite=True, skip_parameter_validation=True):
        yield
