"""Online I-Relief: margins of one row after the other, at the weights so far."""

from copy import deepcopy
from typing import Any

import numpy as np

from pairsift import _kernels
from pairsift._checks import (
    as_matrix,
    check_at_least,
    check_choice,
    check_positive,
)
from pairsift._random import as_generator
from pairsift._typing import FloatArray, IndexArray, RandomState
from pairsift.scores._irelief import MULTI_CLASS, class_codes, unit_positive


def online_irelief_score(
    X: FloatArray,
    labels: Any,
    *,
    sigma: float = 0.5,
    multi_class: str = "prior",
    n_epochs: int = 5,
    max_points: int = 1000,
    random_state: RandomState = None,
) -> FloatArray:
    r"""Score features by online I-Relief.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        The data.
    labels : array-like of shape (n_samples,)
        Class labels, at least two of them; unlabelled rows (-1) are left out.
    sigma : float or "auto", default=1.0
        The :math:`\sigma` of :math:`\exp(-d^2/2\sigma^2)`; ``"auto"`` is the mean
        distance to the `n_neighbors`-th neighbour.
    multi_class : {"prior", "nearest"}, default="prior"
        Misses of more than two classes: the near-misses of every other class weighted
        by its prior (I-Relief-1), or the nearest of them all (I-Relief-2).
    n_epochs : int, default=5
        Number of passes over the rows.
    max_points : int, default=1000
        Most rows among which neighbours are found; of more, as many are drawn.
    random_state : int, Generator, RandomState or None, default=None
        Seed of the orders and of the draw.

    Returns
    -------
    scores : ndarray of shape (n_features,)
        The mean margins :math:`\pi`; 0 for a constant feature.

    Notes
    -----
    The online form of [1]_: one row n after the other, in random order,

    .. math::
        \pi_T = \pi_{T-1} + \frac{1}{T} \big(\gamma_n \bar z_n(w_{T-1})
                - \pi_{T-1}\big), \qquad w_T = \pi_T^+ / \|\pi_T^+\|_2

    with the margin :math:`\bar z_n` and the probability :math:`\gamma_n` of no outlier
    of :func:`irelief_score`, here at the weights of the rows before. With steps of 1/T,
    :math:`\pi_T` is the mean of all margins so far, those at the poor first weights
    too, whose part shrinks with every pass: multiplied by the number of rows it tends
    to the margins of I-Relief.

    Every pass has its own random order, and T runs on. Neighbours are all labelled
    rows, or `max_points` of them drawn once, so that a pass costs n_samples times
    max_points; each row takes its own turn either way. As long as no margin is
    positive, weights are equal and add up to 1 over the features that vary. A row alone
    in its class has the margin 0, and counts.

    References
    ----------
    .. [1] Y. Sun, "Iterative RELIEF for feature weighting: algorithms, theories,
       and applications", IEEE TPAMI 29(6), 1035-1051, 2007.

    Examples
    --------
    >>> import numpy as np
    >>> from pairsift.scores import online_irelief_score
    >>> X = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    >>> online_irelief_score(X, [0, 0, 1, 1], random_state=0).round(2)
    array([ 0.77, -0.39])
    """
    stream = fit_online_irelief(
        X,
        labels,
        sigma=sigma,
        multi_class=multi_class,
        n_epochs=n_epochs,
        max_points=max_points,
        random_state=random_state,
    )
    return stream.margins()


def fit_online_irelief(
    X: FloatArray,
    labels: Any,
    *,
    sigma: float,
    multi_class: str,
    n_epochs: int,
    max_points: int,
    random_state: RandomState,
) -> "Stream":
    """Pass over the rows as in :func:`online_irelief_score`, and remember them."""
    check_at_least(n_epochs, "n_epochs", 1)
    check_at_least(max_points, "max_points", 2)
    X = as_matrix(X)
    codes = class_codes(labels, len(X))
    stream = Stream(X.shape[1], max_points, as_generator(random_state))
    known = codes >= 0
    stream.pass_over(X[known], codes[known], sigma, multi_class, n_epochs)
    return stream


class Stream:
    """What is remembered of labelled rows that came one after the other.

    Margins are summed in the units of the features and divided by the ranges when they
    are used: the past is always seen in the ranges known by now.
    """

    def __init__(
        self, n_features: int, max_points: int, rng: np.random.Generator
    ) -> None:
        self.max_points = max_points
        self.rng = rng
        self.points = np.empty((0, n_features))
        self.labels = np.empty(0, dtype=np.int64)
        self.n_points = 0
        self.n_rows = 0
        self.n_steps = 0
        self.low = np.full(n_features, np.inf)
        self.high = np.full(n_features, -np.inf)
        self.sums = np.zeros(n_features)

    @classmethod
    def of(cls, state: dict[str, Any]) -> "Stream":
        """Return a stream of its own with these attributes."""
        stream = cls.__new__(cls)
        vars(stream).update(deepcopy(state))
        return stream

    def margins(self) -> FloatArray:
        """Return π, the mean margins in the ranges so far."""
        if self.n_steps == 0:
            return np.zeros(self.sums.size)
        span = self.high - self.low
        with np.errstate(over="ignore"):
            scale = np.divide(1.0, span, out=np.zeros(span.size), where=span > 0.0)
        scale[np.isinf(scale)] = 0.0
        return self.sums / self.n_steps * scale

    def weights(self) -> FloatArray:
        """Return π⁺ / ||π⁺||₂, or 0."""
        return unit_positive(self.margins())

    def renumber(self, numbers: IndexArray) -> None:
        """Give the classes new numbers."""
        self.labels = numbers[self.labels]

    def pass_over(
        self,
        X: FloatArray,
        codes: IndexArray,
        sigma: float,
        multi_class: str,
        n_epochs: int,
    ) -> None:
        """Take all rows as known from the start, and step over them in random order."""
        kept = np.arange(len(X))
        if len(X) > self.max_points:
            kept = np.sort(self.rng.choice(len(X), self.max_points, replace=False))
        own = np.full(len(X), -1)
        own[kept] = np.arange(kept.size)
        self.points, self.labels = np.ascontiguousarray(X[kept]), codes[kept]
        self.n_points, self.n_rows = kept.size, len(X)
        self.low, self.high = X.min(axis=0), X.max(axis=0)
        nowhere = np.full(len(X), -1)
        for _ in range(n_epochs):
            order = self.rng.permutation(len(X))
            self._step(X[order], codes[order], own[order], nowhere, sigma, multi_class)

    def learn(
        self, X: FloatArray, codes: IndexArray, sigma: float, multi_class: str
    ) -> None:
        """Step over rows in their order; each has the rows before it as neighbours.

        The first `max_points` rows are all kept. After them the t-th row takes the
        place of a random one with probability max_points / t, so that all rows are
        kept with the same probability.
        """
        count = self.n_rows + np.arange(1, len(X) + 1)
        drawn = (self.rng.random(len(X)) * count).astype(np.int64)
        places = np.where(count <= self.max_points, count - 1, drawn)
        places[places >= self.max_points] = -1
        self._make_room(min(self.max_points, self.n_rows + len(X)))
        nowhere = np.full(len(X), -1)
        self._step(X, codes, nowhere, places, sigma, multi_class)
        self.n_rows += len(X)
        self.n_points = min(self.n_rows, self.max_points)

    def _make_room(self, n_points: int) -> None:
        if n_points > len(self.points):
            size = min(self.max_points, max(n_points, 2 * len(self.points)))
            points = np.zeros((size, self.sums.size))
            labels = np.zeros(size, dtype=np.int64)
            points[: self.n_points] = self.points[: self.n_points]
            labels[: self.n_points] = self.labels[: self.n_points]
            self.points, self.labels = points, labels

    def _step(
        self,
        X: FloatArray,
        codes: IndexArray,
        own: IndexArray,
        places: IndexArray,
        sigma: float,
        multi_class: str,
    ) -> None:
        check_positive(sigma, "sigma")
        check_choice(multi_class, "multi_class", MULTI_CLASS)
        present = self.labels[: self.n_points]
        n_classes = 1 + max(present.max(initial=0), codes.max(initial=0))
        counts = np.bincount(present, minlength=n_classes)
        _kernels.online_steps(
            np.ascontiguousarray(X, dtype=np.float64),
            codes,
            own,
            places,
            _kernels.as_points(self.points, self.labels),
            self.n_points,
            _kernels.Stream(counts, self.low, self.high, self.sums),
            float(sigma),
            multi_class == "nearest",
        )
        self.n_steps += len(X)
