"""TuRF: score, drop the worst columns, score again."""

from dataclasses import replace
from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
from scipy.sparse import issparse
from sklearn.base import clone
from sklearn.utils import get_tags
from sklearn.utils.validation import validate_data

from pairsift._sklearn_compat import Interval
from pairsift._typing import FloatArray, IndexArray
from pairsift.constraints import PairConstraints
from pairsift.scores import score_levels
from pairsift.selectors._base import BaseScoreSelector, all_or_nothing
from pairsift.selectors._cost import Problem, seconds_of
from pairsift.selectors._method import CLASSES, Method
from pairsift.selectors._relief import ReliefF
from pairsift.selectors._tables import _as_mask


def _seconds(s: Any, z: Problem) -> float:
    """Of rounds with, on average, half of the features."""
    share = s.step if s.step < 1 else min(s.step / z.d, 1.0)
    inner = ReliefF() if s.selector is None else s.selector
    return seconds_of(inner, z._replace(d=-(-z.d // 2))) / share


class TuRF(BaseScoreSelector):
    """Select features in rounds: score them, drop the worst, score the rest anew.

    Among many useless columns the neighbours of a row are nearly random, and so are the
    margins of the Relief family. With every round of TuRF (tuned ReliefF) there are
    fewer of them. Any selector can be given.

    Parameters
    ----------
    selector : estimator, default=None
        Scores the columns of each round: a selector of pairsift, or an estimator with
        `scores_`, `feature_importances_` or `coef_` after fit; None for
        :class:`ReliefF` with its defaults. A copy is fitted, and how many features it
        would select by itself does not matter.
    n_features_to_select : int or float, default=None
        Number or share of features to select; None keeps all and only ranks.
    step : int or float, default=0.1
        Columns dropped in each round, a number or a share of all columns, at least one.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
        Number of rounds that a feature survived, plus the share of the columns in its
        last round that scored lower: from 0 to below `n_rounds_`.
    selector_scores_ : ndarray of shape (n_features,)
        Score of each feature by the selector, in the last round it took part in.
    selector_ : estimator
        The copy fitted in the last round, on the surviving columns.
    n_rounds_ : int
        Number of times that columns were scored.
    n_constraints_used_ : int
        Number of pairs used by the selector.
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

    See Also
    --------
    ReliefF : The selector that is taken when none is given.
    sklearn.feature_selection.RFE : The same idea around a classifier.

    Notes
    -----
    As in [1]_, every round drops the same number of columns. Rounds end when
    `n_features_to_select` columns are left (the last drop is cut short), or no more
    than one step when it is None; these are scored once more. Which features are the
    best k does not depend on where it ends, only their order among each other does.

    A feature dropped later ranks above one dropped earlier; those of one round are
    ordered by their scores in that round. Scores that agree up to rounding (ten digits)
    are tied, and of tied features the first ones stay: where features are tied or
    copies of each other, the order of the columns decides, over several rounds also
    about features that are not tied themselves. A score that is 0 but for rounding is
    not tied with 0; on tables of few values it may take another order of the rows, or
    of the columns, for another side of 0. Scores of an estimator are its `scores_`, or
    `feature_importances_`, or the sum over outputs of the squared `coef_`; NaN is worse
    than any number.

    Recursive feature elimination by a linear support vector machine [2]_ is
    ``TuRF(SVC(kernel="linear"), step=1)``: it drops the features that
    :class:`sklearn.feature_selection.RFE` drops. Such an estimator takes -1 for a
    class: give it labelled rows only.

    Missing values, categorical columns, labels and pairs are taken as the selector
    takes them, and its errors are in its own name. `constraints` and `sample_ids` are
    handed on to it.

    References
    ----------
    .. [1] J. H. Moore, B. C. White, "Tuning ReliefF for genome-wide genetic
       analysis", EvoBIO, LNCS 4447, 166-175, 2007.
    .. [2] I. Guyon, J. Weston, S. Barnhill, V. Vapnik, "Gene selection for cancer
       classification using support vector machines", Machine Learning 46,
       389-422, 2002.

    Examples
    --------
    >>> from pairsift import ReliefF, TuRF
    >>> from sklearn.datasets import load_wine
    >>> X, y = load_wine(return_X_y=True, as_frame=True)
    >>> turf = TuRF(ReliefF(n_neighbors=5), 2, step=3).fit(X, y)
    >>> list(turf.get_feature_names_out())
    ['flavanoids', 'od280/od315_of_diluted_wines']
    >>> turf.n_rounds_
    5
    """

    _method: ClassVar = Method(
        name="turf",
        learns_from=replace(CLASSES, others="its selector needs"),
        orientation="maximised",
        cost="that of its selector, 1/step times",
        seconds=_seconds,
        citation="Moore, White 2007",
    )
    # Of the selector that is taken when none is given; the tags know the one that is.
    _accepts_missing: ClassVar[bool] = ReliefF._accepts_missing
    _accepts_categorical: ClassVar[bool] = ReliefF._accepts_categorical
    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **BaseScoreSelector._parameter_constraints,
        "selector": "no_validation",
        "step": [
            Interval(Integral, 1, None, closed="left"),
            Interval(Real, 0, 1, closed="neither"),
        ],
    }

    def __init__(
        self,
        selector: Any = None,
        n_features_to_select: int | float | None = None,
        *,
        step: int | float = 0.1,
    ) -> None:
        self.selector = selector
        self.n_features_to_select = n_features_to_select
        self.step = step

    def _refuse_table(self, X: Any) -> None:
        """Leave it to the selectors inside, which see the data later."""

    def fit(
        self,
        X: Any,
        y: Any = None,
        *,
        constraints: PairConstraints | None = None,
        sample_ids: Any = None,
        missing_label: Any = "auto",
    ) -> Self:
        """Score, drop, score again, and rank and select the features.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The data, in any form that the selector takes.
        y : array-like of shape (n_samples,), default=None
            Labels or target, handed on to the selector.
        constraints : PairConstraints, default=None
            Pairs of rows of `X`, handed on to the selector.
        sample_ids : array-like of shape (n_samples,), default=None
            Row number or id of each row of `X` in the data set the constraints refer
            to, handed on to the selector.
        missing_label : label, None or "auto", default="auto"
            Label of unlabelled rows, handed on to the selector unless it is "auto".

        Returns
        -------
        self : object
            The fitted selector. After an error it is as it was before.
        """
        with all_or_nothing(self):
            self._validate_params()
            self._refuse_no_estimator()
            known = {"constraints": constraints, "sample_ids": sample_ids}
            known = {name: value for name, value in known.items() if value is not None}
            if not isinstance(missing_label, str) or missing_label != "auto":
                known["missing_label"] = missing_label
            # The first round sees X as it was given, and says what is wrong with it.
            fitted = self._fresh_selector().fit(X, y, **known)
            validate_data(self, X, skip_check_array=True)
            left = np.arange(self.n_features_in_)
            n_dropped, n_kept = self._drop_and_keep()
            self.scores_ = np.zeros(left.size)
            self.selector_scores_ = np.zeros(left.size)
            self.n_rounds_ = 1
            while True:
                scores = _scores_of(fitted, left.size)
                self.selector_scores_[left] = scores
                # A search orders features by more than its scores.
                if isinstance(fitted, BaseScoreSelector):
                    scores = fitted._merit()
                levels = score_levels(scores)
                n_lower = np.searchsorted(np.sort(levels), levels)
                self.scores_[left] = self.n_rounds_ - 1 + n_lower / left.size
                if left.size <= n_kept:
                    break
                best = np.argsort(-levels, kind="stable")
                left = np.sort(left[best[: max(left.size - n_dropped, n_kept)]])
                fitted = self._fresh_selector(left).fit(_take(X, left), y, **known)
                self.n_rounds_ += 1
            self.selector_ = fitted
            self.n_constraints_used_ = int(getattr(fitted, "n_constraints_used_", 0))
            return self._rank()

    def _refuse_no_estimator(self) -> None:
        given = self.selector
        is_estimator = hasattr(given, "fit") and hasattr(given, "get_params")
        if given is not None and (isinstance(given, type) or not is_estimator):
            raise TypeError(
                f"selector must be an estimator such as ReliefF(), or None, got "
                f"{given!r}."
            )

    def _drop_and_keep(self) -> tuple[int, int]:
        """Return how many columns a round drops, and with how many left it ends."""
        n_features = self.n_features_in_
        n_dropped = self.step
        if not isinstance(n_dropped, Integral):
            n_dropped = max(1, int(n_dropped * n_features + 1e-9))
        if self.n_features_to_select is None:
            return int(n_dropped), min(int(n_dropped), n_features)
        return int(n_dropped), self._number_to_select(n_features)

    def _fresh_selector(self, columns: IndexArray | None = None) -> Any:
        """Return a copy of the selector, for some of the columns or for all."""
        selector = ReliefF() if self.selector is None else clone(self.selector)
        parameters = selector.get_params(deep=False)
        if "n_features_to_select" in parameters:
            selector.set_params(n_features_to_select=None)
        marked = parameters.get("categorical_features")
        if columns is not None and marked is not None and not isinstance(marked, str):
            names = getattr(self, "feature_names_in_", None)
            mask = _as_mask(marked, names, self.n_features_in_)
            selector.set_params(categorical_features=mask[columns])
        return selector

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        inner = get_tags(ReliefF() if self.selector is None else self.selector)
        tags.input_tags.allow_nan = inner.input_tags.allow_nan
        tags.input_tags.categorical = inner.input_tags.categorical
        tags.input_tags.sparse = inner.input_tags.sparse
        tags.target_tags.required = inner.target_tags.required
        return tags


def _scores_of(fitted: Any, n_features: int) -> FloatArray:
    """Return the scores that an estimator gave to its columns, NaN replaced by -inf."""
    if hasattr(fitted, "scores_"):
        scores = fitted.scores_
    elif hasattr(fitted, "feature_importances_"):
        scores = fitted.feature_importances_
    elif hasattr(fitted, "coef_"):
        coef = fitted.coef_.toarray() if issparse(fitted.coef_) else fitted.coef_
        scores = (np.asarray(coef, dtype=np.float64).reshape(-1, n_features) ** 2).sum(
            axis=0
        )
    else:
        raise TypeError(
            "selector must have scores_, feature_importances_ or coef_ after fit, got "
            f"{type(fitted).__name__}, which has none of them."
        )
    scores = np.array(scores, dtype=np.float64)
    if scores.shape != (n_features,):
        raise ValueError(
            f"selector must score each of {n_features} columns, but the scores of "
            f"{type(fitted).__name__} have shape {scores.shape}."
        )
    scores[np.isnan(scores)] = -np.inf
    return scores


def _take(X: Any, columns: IndexArray) -> Any:
    """Return some columns, as a data frame if X is one."""
    if hasattr(X, "columns") and not isinstance(X, np.ndarray):
        import narwhals as nw

        frame = nw.from_native(X, eager_only=True)
        return frame[:, columns.tolist()].to_native()
    return (X if issparse(X) else np.asarray(X))[:, columns]
