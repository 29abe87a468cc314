"""PairLogistic: a sparse model of "same", and the features it takes up first."""

from numbers import Integral, Real
from typing import Any, ClassVar, NamedTuple

import numpy as np
from scipy.special import expit
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted

from pairsift._blocks import Blocks, SparseRows
from pairsift._random import as_generator
from pairsift._sklearn_compat import Interval, StrOptions
from pairsift._typing import (
    MISSING_MODES,
    BoolArray,
    FloatArray,
    IndexArray,
    MissingMode,
    PairArray,
    RandomState,
)
from pairsift._warnings import warn_caller
from pairsift.constraints import LabelledPairs, as_pairs, sample_ids_of
from pairsift.scores import (
    Examples,
    PairPath,
    PairProblem,
    held_out_losses,
    left_out_probabilities,
    not_certified,
    path_scores,
)
from pairsift.selectors._base import N_JOBS, BaseScoreSelector, FromPairs, Supervision
from pairsift.selectors._cost import Problem
from pairsift.selectors._method import EITHER_LINKS, Method
from pairsift.selectors._tables import IMPUTER, Table, as_table


def _seconds(s: Any, z: Problem) -> float:
    n_pairs = min(z.p, s.max_pairs)
    return float((8e-9 * s.n_penalties * n_pairs + 2e-8 * z.n) * z.d)


class DoubtfulAnswer(NamedTuple):
    """An answer that the other answers speak against.

    Parameters
    ----------
    first, second : int
        Rows of the data.
    answer : {"must", "cannot"}
        What was said of them.
    probability : float
        Probability of "same" by a model of the other answers.
    """

    first: int
    second: int
    answer: str
    probability: float

    def __str__(self) -> str:
        said = {"must": "same", "cannot": "different"}[self.answer]
        return (
            f"rows {self.first} and {self.second}: you said {said}; by the other "
            f"answers the chance of 'same' is {self.probability:.0%}"
        )


class PairLogistic(FromPairs):
    r"""Select features by a sparse logistic model of "same" and "different".

    Two rows are the likelier to be the same the less they differ on the features that
    matter. The model finds these features: a penalty keeps all others at weight 0, and
    as it is lowered the best enter first.

    Parameters
    ----------
    n_features_to_select : int, float, "auto" or None, default=None
        Number or share of features to select; None keeps all and only ranks; "auto"
        selects as many of the best as the model with the smallest loss on answers held
        out has.
    penalty : float, "middle" or "cv", default="middle"
        Penalty of the model in `coef_`, as a share of the smallest at which all weights
        are 0; "middle" is the middle of the path, "cv" the penalty with the smallest
        loss on answers held out, which is also taken with
        ``n_features_to_select="auto"``. The ranking uses the whole path of penalties.
    n_penalties : int, default=50
        Number of penalties on the path.
    smallest_penalty : float, default=0.001
        The last penalty of the path, as a share of the first.
    tol : float, default=1e-6
        The objective, at most 0.7 at the start of the path, is within this of its
        minimum. A warning names the gap where this was not reached.
    unlabelled_weight : float, default=0.0
        Total weight of 60 pairs of near rows, taken as the same, and of 60 pairs of
        far rows, taken as different, beside the 0.5 of either kind of answers. 0.1
        helps where answers are few, see the guide.
    max_pairs : int, default=10000
        Number of pairs of each kind to learn from at most, when they are all the pairs
        of labelled rows; more are drawn from at random.
    categorical_features : "auto", array-like or None, default="auto"
        Categorical columns as a mask, indices or names; ``"auto"`` takes the text,
        category and boolean columns of a data frame.
    missing : {"probability", "ignore", "constant", "distinct"}, default="probability"
        Difference to a missing value (NaN): probability of a different value (ReliefD),
        none (ReliefC), one minus one over the number of values (ReliefB), or one
        to a known and zero to a missing value (Relieved-F).
    random_state : int, Generator, RandomState or None, default=0
        Seed of the folds, of pairs drawn from labels, and of far pairs.
    n_jobs : int or None, default=-1
        Number of threads: -1 for all cores, None as in joblib.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
        Penalty at which each feature enters the model, as a share of the largest, or
        would enter next, from 1 down to 0 for a feature that tells nothing; at most
        that of the feature before it in `order_`, which is by the mean of two ranks: by
        this penalty, and by weight half-way.
    coef_ : ndarray of shape (n_features,)
        Weights of the differences, 0 or more.
    intercept_ : float
        Log-odds of "same" for two rows that do not differ.
    penalty_ : float
        Penalty of `coef_`.
    path_ : PairPath
        The models of all penalties, with certified gaps to the minimum.
    losses_ : ndarray of shape (n_penalties,) or None
        Loss on pairs held out for each penalty; None when it was not asked for, or
        pairs are too few to hold some out.
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

    See Also
    --------
    ActiveSession : With ``strategy="uncertainty"`` it asks about the pairs of which
        this model is least sure.
    ReliefFSc : Margins, which also see features that matter only together.

    Notes
    -----
    The model: the log-odds that two rows are the same are an intercept minus a weighted
    sum of their differences, each divided by the range of the feature over all rows (0
    or 1 for a categorical feature, 0 for a constant one), with weights of at least 0;
    :func:`pairsift.scores.pair_logistic_path` has the formulas. It is fitted by
    logistic loss, in which must-links and cannot-links have the same total weight, plus
    :math:`\lambda \sum_f w_f`. It is convex. The path goes from the smallest
    :math:`\lambda` at which all weights are 0 down; features that enter together are
    ranked by weight, those that never enter by their gradient at the end.

    Folds are made of points: a pair of which an end is held out is held out. Pairs
    of one kind only say nothing about the other: without must-links each end and its
    nearest row stand in for them, without cannot-links each end and the farthest of ten
    random rows, at half the total weight and with a warning; of rows equally near all
    stand in, ten at most.

    Neither the order of rows nor that of columns matters, but for ties: copies of a
    column share its weight as their order has it, features of equal mean rank go to the
    lower index, and which rows or pairs are drawn at random depends on the order of
    rows with equal cells, or, of labels with more than `max_pairs` pairs, of all rows.

    The method is not in the papers; it was measured beside them, see the guide.

    Examples
    --------
    >>> from pairsift import PairLogistic, select_constraints
    >>> from sklearn.preprocessing import minmax_scale
    >>> from sklearn.datasets import load_wine
    >>> X, y = load_wine(return_X_y=True, as_frame=True)
    >>> c = select_constraints(
    ...     minmax_scale(X), y, None, max_queries=30, strategy="uncertainty"
    ... )
    >>> selector = PairLogistic(5).fit(X, constraints=c)
    >>> selector.n_constraints_used_
    30
    >>> selector.predict_link_proba([(0, 1), (0, 100)], X).round(2).shape
    (2,)
    """

    _method: ClassVar = Method(
        name="pair-logistic",
        learns_from=EITHER_LINKS,
        orientation="maximised",
        cost="O(pd) per penalty, O(nd) memory",
        seconds=_seconds,
        citation="pairsift (not in the papers)",
        cheaper={"max_pairs": 1000},
        dask=True,
    )
    _accepts_missing: ClassVar[bool] = True
    _accepts_categorical: ClassVar[bool] = True
    _accepts_sparse: ClassVar[bool] = True
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "n_features_to_select": [
            *BaseScoreSelector._parameter_constraints["n_features_to_select"],
            StrOptions({"auto"}),
        ],
        "penalty": [Interval(Real, 0, 1, closed="right"), StrOptions({"middle", "cv"})],
        "n_penalties": [Interval(Integral, 2, None, closed="left")],
        "smallest_penalty": [Interval(Real, 0, 1, closed="neither")],
        "tol": [Interval(Real, 0, None, closed="neither")],
        "unlabelled_weight": [Interval(Real, 0, None, closed="left")],
        "max_pairs": [Interval(Integral, 1, None, closed="left")],
        "categorical_features": ["array-like", StrOptions({"auto"}), None],
        "missing": [StrOptions(set(MISSING_MODES))],
        "random_state": ["random_state", np.random.Generator],
        "n_jobs": N_JOBS,
    }

    losses_: FloatArray | None
    coef_: FloatArray
    intercept_: float
    _ranks: FloatArray
    _path: dict[str, FloatArray]
    _kept: dict[str, Any]

    def __init__(
        self,
        n_features_to_select: int | float | str | None = None,
        *,
        penalty: float | str = "middle",
        n_penalties: int = 50,
        smallest_penalty: float = 1e-3,
        tol: float = 1e-6,
        unlabelled_weight: float = 0.0,
        max_pairs: int = 10_000,
        categorical_features: Any = "auto",
        missing: MissingMode = "probability",
        random_state: RandomState = 0,
        n_jobs: int | None = -1,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.penalty = penalty
        self.n_penalties = n_penalties
        self.smallest_penalty = smallest_penalty
        self.tol = tol
        self.unlabelled_weight = unlabelled_weight
        self.max_pairs = max_pairs
        self.categorical_features = categorical_features
        self.missing = missing
        self.random_state = random_state
        self.n_jobs = n_jobs

    @property
    def path_(self) -> PairPath:
        """The models of all penalties, with certified gaps to the minimum."""
        return PairPath(**self._path)

    def predict_link_proba(self, pairs: Any, X: Any = None) -> FloatArray:
        """Return the probability that two rows are the same, for any pairs of rows.

        Parameters
        ----------
        pairs : array-like of shape (n_pairs, 2)
            Row numbers of `X`.
        X : array-like of shape (n_samples, n_features), default=None
            Any rows, without missing values. None for the rows that the model was
            fitted to, of which it keeps those that stand in its pairs, no others.

        Returns
        -------
        probabilities : ndarray of shape (n_pairs,)
            Probability of "same".
        """
        check_is_fitted(self)
        if X is None:
            problem = PairProblem.restored(self._kept, None, self.n_jobs)
            places = self._kept_places(pairs)
        else:
            table = as_table(self, X, min_samples=1, reset=False)
            new = _dense_columns(table.X, self.coef_ > 0)
            if np.isnan(new).any():
                raise ValueError(
                    "X contains NaN: new rows must be complete, put an imputer "
                    f"({IMPUTER}) before."
                )
            problem = PairProblem.restored(self._kept, new, self.n_jobs)
            places = as_pairs(pairs, len(new), name="pairs")
        weights = self.coef_[self.coef_ > 0]
        return expit(problem.log_odds(places, weights, self.intercept_))

    def _kept_places(self, pairs: Any) -> PairArray:
        """Return the places of pairs of rows among those that were kept."""
        n_rows, rows = self._kept["n_rows"], self._kept["rows"]
        if not rows.size:
            raise ValueError(
                "X must be given: the model was fitted to data in blocks, whose rows "
                "it does not keep."
            )
        asked = as_pairs(pairs, n_rows, name="pairs")
        unknown = asked[~np.isin(asked, rows)]
        if unknown.size:
            raise ValueError(
                f"pairs names row {unknown[0]}, but only the {rows.size} rows that "
                "stand in the pairs of fit are kept: pass the data as X, too."
            )
        return np.searchsorted(rows, asked)

    def doubtful_answers(
        self,
        X: Any,
        y: Any = None,
        *,
        constraints: Any = None,
        sample_ids: Any = None,
        threshold: float = 0.25,
    ) -> list[DoubtfulAnswer]:
        """Return the answers that the other answers speak against.

        People make slips: these answers are worth a second look.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The data the selector was fitted to.
        y : array-like of shape (n_samples,), default=None
            As in :meth:`fit`.
        constraints : PairConstraints, default=None
            As in :meth:`fit`.
        sample_ids : array-like of shape (n_samples,), default=None
            As in :meth:`fit`.
        threshold : float, default=0.25
            An answer is doubtful when its probability is below this.

        Returns
        -------
        answers : list of DoubtfulAnswer
            The least likely first. Each is judged by a model (at the penalty of this
            one) that was fitted without it, or without some fiftieth of all answers
            where there are more than fifty.
        """
        check_is_fitted(self)
        table = as_table(self, X, reset=False)
        sample_ids = sample_ids_of(X, constraints, sample_ids)
        supervision = self._resolve(table, y, constraints, sample_ids)
        if not isinstance(threshold, Real) or not 0.0 <= float(threshold) <= 1.0:
            raise ValueError(
                f"threshold must be a number from 0 to 1, got {threshold!r}."
            )
        problem = self._prepared(table, supervision)
        must, cannot = self._pairs(supervision)
        examples = Examples.of(must, cannot, (0.5, 0.5))
        penalties = self.path_.penalties
        penalties = np.append(penalties[penalties > self.penalty_], self.penalty_)
        chances = left_out_probabilities(
            *problem.gathered(self._with_unlabelled(problem, examples)),
            penalties,
            self.tol,
            n_answers=len(examples.pairs),
        )
        agreement = np.where(examples.sign > 0, chances, 1.0 - chances)
        doubtful = np.flatnonzero(agreement < threshold)
        return [
            DoubtfulAnswer(
                int(examples.pairs[k, 0]),
                int(examples.pairs[k, 1]),
                "must" if examples.sign[k] > 0 else "cannot",
                float(chances[k]),
            )
            for k in doubtful[np.argsort(agreement[doubtful], kind="stable")]
        ]

    def _score(self, table: Table, supervision: Supervision) -> FloatArray:
        problem = self._prepared(table, supervision)
        must, cannot = self._pairs(supervision)
        self.n_constraints_used_ = len(must) + len(cannot)
        self._warn_if_one_kind(must, cannot)
        examples = problem.examples(must, cannot, self.random_state)
        n_answers = len(examples.pairs)
        examples = self._with_unlabelled(problem, examples)
        problem, examples = problem.gathered(examples)
        penalties = problem.penalties(examples, self.n_penalties, self.smallest_penalty)
        path, gradient = problem.path(examples, penalties, self.tol)
        self._path = path._asdict()
        self._warn_of_gaps(path)
        self._choose_model(problem, examples, n_answers)
        rows = np.unique(np.concatenate([must, cannot]))
        self._kept = self._for_predictions(table, supervision, rows)
        scores, self._ranks = path_scores(path, gradient)
        return scores

    def _for_predictions(
        self, table: Table, supervision: Supervision, rows: IndexArray
    ) -> dict[str, Any]:
        """Return what predictions need: the features that count, of some rows.

        In plain types, because saved files should not name private classes. Data in
        blocks leave the ranges of features only.
        """
        active, is_categorical = self.coef_ > 0, table.is_categorical
        if isinstance(table.X, Blocks) and not isinstance(table.X, SparseRows):
            low, high, _ = table.X.extremes
            ends = np.stack([low, high])[:, active]
            problem = PairProblem.of(ends, is_categorical[active])
            rows = rows[:0]
        else:
            problem = PairProblem.of(
                _dense_columns(table.X, active),
                is_categorical[active],
                self.missing,
                supervision.labels,
            )
        return {"n_rows": len(table.X), "rows": rows, **problem.of_rows(rows)}

    def _merit(self) -> FloatArray:
        return self._ranks

    def _prepared(self, table: Table, supervision: Supervision) -> PairProblem:
        return PairProblem.of(
            table.X,
            table.is_categorical,
            self.missing,
            supervision.labels,
            self.n_jobs,
        )

    def _pairs(self, supervision: Supervision) -> tuple[PairArray, PairArray]:
        if supervision.is_listed:
            return supervision.must_link, supervision.cannot_link
        assert supervision.labels is not None
        pairs = LabelledPairs(supervision.labels)
        rng = as_generator(self.random_state)
        must, cannot = (
            pairs.draw(kind, self.max_pairs, None, rng)
            if pairs.count(kind) > self.max_pairs
            else pairs.all(kind)
            for kind in ("must", "cannot")
        )
        return must, cannot

    def _with_unlabelled(self, problem: PairProblem, examples: Examples) -> Examples:
        if self.unlabelled_weight == 0.0:
            return examples
        return problem.with_unlabelled(
            examples, self.unlabelled_weight, self.random_state
        )

    def _choose_model(
        self, problem: PairProblem, examples: Examples, n_answers: int
    ) -> None:
        path, chosen = self.path_, self.path_.middle
        self.losses_ = None
        if self.penalty == "cv" or self.n_features_to_select == "auto":
            losses = held_out_losses(
                problem,
                examples,
                path.penalties,
                self.tol,
                n_answers,
                self.random_state,
            )
            chosen = self._least_loss(losses, n_answers)
        elif self.penalty != "middle":
            wanted = self.penalty * path.penalties[0]
            larger = path.penalties[path.penalties > wanted]
            path, _ = problem.path(examples, np.append(larger, wanted), self.tol)
            self._warn_of_gaps(path)
            chosen = len(larger)
        self.penalty_ = float(path.penalties[chosen])
        self.coef_ = path.coefs[chosen].copy()
        self.intercept_ = float(path.intercepts[chosen])
        # A penalty that was given may be too large, and the user knows.
        if not self.coef_.any() and isinstance(self.penalty, str):
            self._warn_of_nothing_learnt()

    def _warn_of_gaps(self, path: PairPath) -> None:
        message = not_certified(path, self.tol)
        if message:
            warn_caller(f"PairLogistic did not converge: {message}", ConvergenceWarning)

    def _warn_of_nothing_learnt(self) -> None:
        reason = "no feature differs more between rows said to be different"
        cure = "look at the pairs again, or give more"
        if self.losses_ is not None:
            reason = "no model predicts held-out answers better than chance"
            cure = "give more pairs, or a number in n_features_to_select"
        warn_caller(
            f"PairLogistic learnt nothing: {reason}, so that all weights are 0 and all "
            f"pairs equally likely to be the same; {cure}."
        )

    def _least_loss(self, losses: FloatArray, n_examples: int) -> int:
        if np.isnan(losses).any():
            warn_caller(
                f"{n_examples} pairs are too few to hold some out: the penalty in the "
                "middle of the path was taken."
            )
            return self.path_.middle
        self.losses_ = losses
        return int(losses.argmin())

    def _best_number(self) -> int:
        return max(1, int((self.coef_ > 0).sum()))

    def _lists_pairs(self, table: Table) -> bool:
        return False

    def _warn_if_one_kind(self, must: PairArray, cannot: PairArray) -> None:
        if len(must) and len(cannot):
            return
        missing, stand_ins = (
            ("must", "ends and their nearest rows")
            if len(cannot)
            else ("cannot", "ends and rows far away")
        )
        warn_caller(
            f"there is no {missing}-link to learn from: {stand_ins} stand in for them, "
            "at half the weight."
        )


def _dense_columns(X: FloatArray | SparseRows, chosen: BoolArray) -> FloatArray:
    """Return some columns of a table in memory as a dense array."""
    if isinstance(X, SparseRows):
        return X.columns(chosen)
    return np.ascontiguousarray(X[:, chosen], dtype=np.float64)
