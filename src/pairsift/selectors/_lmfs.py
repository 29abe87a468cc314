"""LMFS."""

from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from pairsift._sklearn_compat import Interval, StrOptions
from pairsift._typing import BoolArray, FloatArray, RandomState
from pairsift._warnings import warn_caller
from pairsift.scores import (
    LMFS_EMPHASES,
    LMFS_RULES,
    LMFS_STEPS,
    LMFS_UNLABELLED,
    NetworkFit,
    fit_lmfs,
    not_optimal,
)
from pairsift.selectors._base import BaseScoreSelector, FromClasses, Supervision
from pairsift.selectors._cost import Problem
from pairsift.selectors._method import CLASSES, Method
from pairsift.selectors._tables import Table


def _seconds(s: Any, z: Problem) -> float:
    """Of folds and first steps on half of the rows, and of some 200 on all."""
    n_rows = z.n if s.unlabelled == "nearest" else z.m
    n_outputs = 1 if z.c == 2 else z.c
    per_row = 4e-9 * s.n_hidden * (z.d + n_outputs + 10)
    # Of products with the last steps, twenty for each, where features are many.
    per_step = 1e-3 + 2e-7 * z.d * s.n_hidden
    is_open = isinstance(s.n_first, str)
    n_first = LMFS_STEPS[-1] if is_open else s.n_first
    n_steps = s.n_starts * n_first / 2 + 200
    if s.hidden_bound == "auto":
        n_steps += 30 * n_first
    elif is_open:
        n_steps += 6 * n_first
    return float(n_steps * (n_rows * per_row + per_step))


class LMFS(FromClasses):
    """Select the features whose weights stand out in a small network (LMFS).

    A network with one hidden layer is trained on random halves of the rows for a few
    steps, with bounds on its weights. Features whose weights stand out are released,
    all others held at zero while the training goes on. It finds features that tell the
    classes only together, and nearly exact copies with them.
    Given pairs and no labels, the groups of rows joined by must-links serve as classes.
    Units do not matter.

    Parameters
    ----------
    n_features_to_select : "auto", int, float or None, default="auto"
        ``"auto"`` selects the features that are released. A number or a share takes the
        best of the ranking, None keeps all and only ranks. The training is the same.
    n_hidden : int, default=5
        Number of hidden neurons.
    hidden_bound : float or "auto", default="auto"
        Most that the absolute values of all weights of the hidden layer add up to;
        ``"auto"`` takes the best of 0.25, 0.5, 1, 2 and 4 on rows left out.
    output_bound : float, default=5.0
        Largest Euclidean norm of the weights of the output layer.
    rule : {"gap", "mean"}, default="gap"
        What stands out: the features on one side of the widest gap, or of the mean.
    emphasis : {"select", "eliminate"}, default="select"
        Release features that are large beside the others, or hold those that are small
        beside the others.
    unlabelled : {"ignore", "nearest"}, default="ignore"
        Leave unlabelled rows out, or give each the class of the nearest labelled row.
    n_starts : int, default=50
        Number of random starts, each on a random half of the rows, over which the first
        weights are averaged.
    n_first : int or "auto", default="auto"
        Number of steps before features are held or released; ``"auto"`` takes the
        fewest of 1, 2, 4, 8 and 16 that are about as good as the best on rows left out.
    max_iter : int, default=2000
        Most steps with the released features.
    tol : float, default=0.0001
        Training ends when a projected gradient step of length 1 changes no weight by
        more than this.
    random_state : int, Generator, RandomState or None, default=None
        Seed of starts, halves and folds.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
        G: sum of the absolute weights of each feature in the hidden layer, 0 for
        features that are held at zero. Features with equal scores are ordered by
        whether they were released, then by their `first_scores_`.
    first_scores_ : ndarray of shape (n_features,)
        Mean G after the first steps, by which features are released.
    released_ : ndarray of shape (n_features,), dtype=bool
        Features that are not held at zero.
    hidden_weights_ : ndarray of shape (n_features, n_hidden)
        Weights of the hidden layer.
    hidden_bound_ : float
        The bound of the hidden layer, as given or chosen.
    n_first_ : int
        The number of first steps, as given or chosen.
    errors_ : ndarray of shape (n_steps + 1,)
        Half the mean squared error before each step with the features released, and at
        the end. It never rises.
    optimality_ : float
        Largest change of a weight by a projected gradient step of length 1, at the end.
    n_iter_ : int
        Number of steps on the way to the end, with the first ones of the best start.
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
    pairsift.scores.lmfs_score : The same as a function on arrays, with all decisions.
    complete_labels : Clusters as classes of unlabelled rows.

    Notes
    -----
    Chapter 5 of [1]_; :func:`pairsift.scores.lmfs_score` has the program, the optimiser
    and what [1]_ leaves open. Of a feature and its noisy copy, the minimum has all
    weight on the feature: a released copy may have the score 0, and is still selected
    by ``"auto"``, before all features that are held.

    The starts are random and the error has several minima. Another seed may release
    other features where no feature stands out: compare a few.

    Between copies of a column no weights are the best, only their sum is. Rounding,
    another one on each processor, decides where the search ends, and scores of copies
    may differ between machines (by 0.005 where the largest was 2.4) and swap
    places.

    References
    ----------
    .. [1] F. Coelho, "Semi-supervised feature selection", PhD thesis, Universidade
       Federal de Minas Gerais and Université catholique de Louvain, 2013.

    Examples
    --------
    >>> from pairsift import LMFS
    >>> from pairsift.datasets import make_xor
    >>> problem = make_xor(300, noise=0.02, shuffle_columns=False, random_state=0)
    >>> selector = LMFS(random_state=0).fit(problem.data, problem.target)
    >>> selector.get_support(indices=True)
    array([0, 1, 2, 3])
    """

    _method: ClassVar = Method(
        name="lmfs",
        learns_from=CLASSES,
        orientation="maximised",
        cost="O(ndh) per step for h hidden neurons, O(nd + dh) memory",
        seconds=_seconds,
        citation="Coelho 2013, chapter 5",
        cheaper={"n_starts": 5, "hidden_bound": 4.0, "n_first": 8},
    )
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "n_features_to_select": [
            *BaseScoreSelector._parameter_constraints["n_features_to_select"],
            StrOptions({"auto"}),
        ],
        "n_hidden": [Interval(Integral, 1, None, closed="left")],
        "hidden_bound": [
            Interval(Real, 0, None, closed="neither"),
            StrOptions({"auto"}),
        ],
        "output_bound": [Interval(Real, 0, None, closed="neither")],
        "rule": [StrOptions(set(LMFS_RULES))],
        "emphasis": [StrOptions(set(LMFS_EMPHASES))],
        "unlabelled": [StrOptions(set(LMFS_UNLABELLED))],
        "n_starts": [Interval(Integral, 1, None, closed="left")],
        "n_first": [
            Interval(Integral, 1, None, closed="left"),
            StrOptions({"auto"}),
        ],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "tol": [Interval(Real, 0, None, closed="neither")],
        "random_state": ["random_state", np.random.Generator],
    }

    first_scores_: FloatArray
    released_: BoolArray
    errors_: FloatArray

    def __init__(
        self,
        n_features_to_select: int | float | str | None = "auto",
        *,
        n_hidden: int = 5,
        hidden_bound: float | str = "auto",
        output_bound: float = 5.0,
        rule: str = "gap",
        emphasis: str = "select",
        unlabelled: str = "ignore",
        n_starts: int = 50,
        n_first: int | str = "auto",
        max_iter: int = 2000,
        tol: float = 1e-4,
        random_state: RandomState = None,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.n_hidden = n_hidden
        self.hidden_bound = hidden_bound
        self.output_bound = output_bound
        self.rule = rule
        self.emphasis = emphasis
        self.unlabelled = unlabelled
        self.n_starts = n_starts
        self.n_first = n_first
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state

    def _score(self, table: Table, supervision: Supervision) -> FloatArray:
        fit = fit_lmfs(
            table.X,
            supervision.labels,
            n_hidden=self.n_hidden,
            hidden_bound=self.hidden_bound,
            output_bound=self.output_bound,
            rule=self.rule,
            emphasis=self.emphasis,
            unlabelled=self.unlabelled,
            n_starts=self.n_starts,
            n_first=self.n_first,
            max_iter=self.max_iter,
            tol=self.tol,
            random_state=self.random_state,
        )
        self.first_scores_, self.released_ = fit.first_scores, fit.is_released
        self.hidden_weights_, self.n_iter_ = fit.weights, fit.n_iter
        self.hidden_bound_, self.n_first_ = fit.hidden_bound, fit.n_first
        self._describe_end(fit)
        return fit.scores

    def _describe_end(self, fit: NetworkFit) -> None:
        if fit.end is None:
            self.errors_, self.optimality_ = np.empty(0), 0.0
            return
        self.errors_, self.optimality_ = fit.end.values, fit.end.optimality
        if self.optimality_ > self.tol:
            message = f"LMFS did not converge: {not_optimal(fit.end, self.tol)}"
            warn_caller(message, ConvergenceWarning)

    def _merit(self) -> FloatArray:
        keys = np.column_stack([self.released_, self.scores_, self.first_scores_])
        # Sorted by the first column, then by the next; equal rows share a number.
        _, merit = np.unique(keys, axis=0, return_inverse=True)
        return np.asarray(merit.ravel(), dtype=np.float64)

    def _best_number(self) -> int:
        return max(1, int(self.released_.sum()))
