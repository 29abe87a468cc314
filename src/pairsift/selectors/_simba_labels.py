"""Simba: gradient ascent on the margins of labelled rows."""

from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np

from pairsift._sklearn_compat import Interval, StrOptions
from pairsift._typing import MISSING_MODES, FloatArray, MissingMode, RandomState
from pairsift.scores import simba_score
from pairsift.selectors._base import N_JOBS, FromClasses, Supervision
from pairsift.selectors._cost import Problem
from pairsift.selectors._irelief import FromLabelledRows
from pairsift.selectors._method import CLASSES, Method
from pairsift.selectors._tables import Table


def _seconds(s: Any, z: Problem) -> float:
    # In wide data a distance is known to be too long only near its end.
    per_cell = 3e-10 + 2e-12 * min(z.d, 2000)
    return float(per_cell * s.n_starts * z.m**2 * z.d / min(z.t, s.n_starts))


class Simba(FromLabelledRows):
    """Select features by gradient ascent on the margins of labelled rows (Simba).

    The near-hit and the near-miss of a row are found anew in the weighted space at
    every step. Where only pairs are known, see :class:`SimbaSc`.

    Parameters
    ----------
    n_features_to_select : int or float, default=None
        Number or share of features to select; None keeps all and only ranks.
    n_starts : int, default=5
        Number of passes, each over its own random order of the labelled rows; the one
        with the largest total margin is kept.
    step : float, default=1.0
        Length of the gradient steps.
    categorical_features : "auto", array-like or None, default="auto"
        Categorical columns as a mask, indices or names; ``"auto"`` takes the text,
        category and boolean columns of a data frame.
    missing : {"probability", "ignore", "constant", "distinct"}, default="probability"
        Difference to a missing value (NaN): the probability of another value, in its
        class where there are classes (ReliefD), left out (ReliefC), one minus one over
        the number of values (ReliefB), or 1 to a known and 0 to a missing value
        (Relieved-F).
    random_state : int, Generator, RandomState or None, default=None
        Seed of the orders.
    n_jobs : int or None, default=-1
        Number of threads: -1 for all cores, None as in joblib; no more than `n_starts`
        are of use.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
        Squared weights, the largest of which is 1; 0 for a constant feature.
    n_labelled_ : int
        Number of rows with a class; the others are left out of everything.
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
    SimbaSc : The same from cannot-links.
    IRelief : Settles at the same weights whatever the order of the rows.

    Notes
    -----
    Equation 2.29 and algorithm 2.3 of [1]_ after [2]_: steps along the gradient of the
    margins, in the space weighted by what was found so far;
    :func:`pairsift.scores.simba_score` has the formula. The published algorithm draws
    rows; here every start passes once over all labelled rows in random order. A zero
    norm contributes nothing, a row alone in its class is passed over.

    References
    ----------
    .. [1] S. Hijazi, "Semi-supervised margin-based feature selection for
       classification", PhD thesis, Université du Littoral Côte d'Opale and
       Lebanese University, 2019, HAL tel-02489733.
    .. [2] R. Gilad-Bachrach, A. Navot, N. Tishby, "Margin based feature selection:
       theory and algorithms", ICML, 2004.

    Examples
    --------
    >>> from pairsift import Simba
    >>> from sklearn.datasets import load_wine
    >>> X, y = load_wine(return_X_y=True)
    >>> float(Simba(random_state=0).fit(X, y).scores_.max())
    1.0
    """

    _method: ClassVar = Method(
        name="simba",
        learns_from=CLASSES,
        orientation="maximised",
        cost="O(n²d) per start, O(n + d) memory",
        seconds=_seconds,
        citation="Gilad-Bachrach et al. 2004; Hijazi 2019, algorithm 2.3",
    )
    _accepts_missing: ClassVar[bool] = True
    _accepts_categorical: ClassVar[bool] = True
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **FromClasses._parameter_constraints,
        "n_starts": [Interval(Integral, 1, None, closed="left")],
        "step": [Interval(Real, 0, None, closed="neither")],
        "categorical_features": ["array-like", StrOptions({"auto"}), None],
        "missing": [StrOptions(set(MISSING_MODES))],
        "random_state": ["random_state", np.random.Generator],
        "n_jobs": N_JOBS,
    }

    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        n_starts: int = 5,
        step: float = 1.0,
        categorical_features: Any = "auto",
        missing: MissingMode = "probability",
        random_state: RandomState = None,
        n_jobs: int | None = -1,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.n_starts = n_starts
        self.step = step
        self.categorical_features = categorical_features
        self.missing = missing
        self.random_state = random_state
        self.n_jobs = n_jobs

    def _score(self, table: Table, supervision: Supervision) -> FloatArray:
        return simba_score(
            table.X,
            self._labels(supervision),
            n_starts=self.n_starts,
            step=self.step,
            is_categorical=table.is_categorical,
            missing=self.missing,
            random_state=self.random_state,
            n_jobs=self.n_jobs,
        )
