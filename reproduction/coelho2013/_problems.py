"""The thesis' problems, and how subsets of features are judged on them."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from pairsift.datasets import make_dcbench, make_fbench
from reproduction._experiment import Bench, Outcome
from reproduction._memory import kept, remembered
from reproduction._typing import BoolArray, FloatArray, IndexArray

KEY = "coelho2013"
N_FOLDS = 10
_N_KDD = 600
# The thesis gives the number of hidden neurons in chapter 5 only.
_N_HIDDEN = 10
_MAX_ITERATIONS = 100

_FILES = {
    "KDD": "kdd99_normal_smurf",
    "ILPD": "ilpd",
    "SONAR": "sonar",
    "Sonar": "sonar",
    "PEN": "pendigits",
    "Pen": "pendigits",
    "IONO": "ionosphere",
    "Page Block": "page_blocks",
    "Boston": "boston",
    "Spam": "spambase",
    "MFeat": "mfeat",
    "Steel": "steel_plates_faults",
}
_DIGITS = {"PEN": ("6", "9"), "Pen": ("1", "2")}
_GENERATORS = {"FBench": make_fbench, "dcBench": make_dcbench}


class Problem(NamedTuple):
    """Rows without gaps, text as numbers, and the number of their class."""

    X: FloatArray
    y: IndexArray

    @property
    def is_discrete(self) -> BoolArray:
        """Which columns hold whole numbers only: as many as the thesis counts."""
        return np.all(np.mod(self.X, 1.0) == 0.0, axis=0)


class Accuracy(NamedTuple):
    """Mean and standard deviation over the folds."""

    mean: float
    spread: float


def load_problem(name: str, bench: Bench) -> Problem:
    """Return a problem of the thesis by the name it has there."""
    return remembered(bench, ("problem", name), partial(_load_problem, name, bench))


def _load_problem(name: str, bench: Bench) -> Problem:
    if name in _GENERATORS:
        made = _GENERATORS[name](shuffle_columns=False, random_state=bench.seed)
        return Problem(made.data, made.target)
    table = bench.load(_FILES[name])
    X, labels = _as_numbers(table.data), table.target
    if name == "Boston":
        labels = labels > np.median(labels)
    is_used = ~np.isnan(X).any(axis=1)
    if name in _DIGITS:
        is_used &= np.isin(labels, _DIGITS[name])
    rows = np.flatnonzero(is_used)
    if name == "KDD":
        rows = np.random.default_rng(bench.seed).choice(rows, _N_KDD, replace=False)
    _, y = np.unique(labels[rows], return_inverse=True)
    return Problem(X[rows], y)


def _as_numbers(table: Any) -> FloatArray:
    """Replace words by numbers, in alphabetical order within a column."""
    if isinstance(table, np.ndarray):
        return table
    columns = []
    for name in table.columns:
        column = table[name]
        if column.dtype.kind not in "biuf":
            column = column.astype("category").cat.codes
        columns.append(np.asarray(column, dtype=np.float64))
    return np.column_stack(columns)


def accuracy_of(
    name: str, features: IndexArray, classifier: str, run: int, bench: Bench
) -> Accuracy:
    """Accuracy in cross-validation over all rows; without features it is 0."""
    if features.size == 0:
        return Accuracy(0.0, 0.0)
    key = ("accuracy", name, classifier, run, tuple(features.tolist()))
    find = partial(_cross_validate, name, features, classifier, run, bench)
    return Accuracy(*kept(bench, key, find))


def _cross_validate(
    name: str, features: IndexArray, classifier: str, run: int, bench: Bench
) -> Accuracy:
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.model_selection import StratifiedKFold, cross_val_score

    problem = load_problem(name, bench)
    folds = StratifiedKFold(N_FOLDS, shuffle=True, random_state=bench.seed + run)
    model = classifier_of(classifier, int(problem.y.max()) + 1)
    with warnings.catch_warnings():
        # The network is stopped early on purpose.
        warnings.simplefilter("ignore", ConvergenceWarning)
        found = cross_val_score(model, problem.X[:, features], problem.y, cv=folds)
    return Accuracy(float(found.mean()), float(found.std(ddof=1)))


def classifier_of(name: str, n_classes: int) -> Any:
    """Return the thesis' linear discriminant analysis, or its network."""
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
    from sklearn.neural_network import MLPClassifier
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    if name == "LDA":
        return LinearDiscriminantAnalysis(priors=np.full(n_classes, 1 / n_classes))
    network = MLPClassifier(
        (_N_HIDDEN,), solver="lbfgs", max_iter=_MAX_ITERATIONS, random_state=0
    )
    return make_pipeline(StandardScaler(), network)


def mean_accuracy(found: Sequence[Accuracy]) -> Outcome:
    """Mean over runs; the spread is that over folds, as in the thesis, on average."""
    means, spreads = np.mean(found, axis=0)
    return Outcome(float(means), float(spreads), len(found))
