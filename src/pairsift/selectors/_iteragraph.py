"""IteraGraphFS: labels spread over a graph, in turns with a selector."""

from dataclasses import replace
from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
from sklearn.base import clone
from sklearn.preprocessing import StandardScaler

from pairsift._checks import as_matrix, check_memory, check_squarable
from pairsift._sklearn_compat import Interval
from pairsift._typing import FloatArray, IndexArray
from pairsift.graphs import harmonic_probabilities
from pairsift.selectors._base import BaseScoreSelector, FromClasses, Supervision
from pairsift.selectors._cost import Problem, seconds_of
from pairsift.selectors._method import CLASSES_AND_ROWS, Method
from pairsift.selectors._tables import Table
from pairsift.selectors._variance import FisherScore

# Confidences that agree to this are equal.
TIED = 1e-9


def _seconds(s: Any, z: Problem) -> float:
    """Of rounds of the selector, and of equations for all unlabelled rows."""
    inner = FisherScore() if s.selector is None else s.selector
    known = z._replace(m=int(z.m + s.share * (z.n - z.m)))
    of_graph = 2e-11 * z.n**3 + (3e-8 + 1e-9 * z.d) * z.n**2
    return float(s.n_rounds * (of_graph + seconds_of(inner, known)))


class IteraGraphFS(FromClasses):
    r"""Select features by any selector, in turns with labels spread over a graph.

    A selector ranks features from the labelled rows; on its best features labels spread
    to the other rows; those of which the graph is surest are labelled rows for the next
    round. The round whose features make the graph surest wins.
    Given pairs and no labels, the groups of rows joined by must-links serve as classes.

    Parameters
    ----------
    selector : selector, default=None
        A selector of pairsift that learns from labels or pairs; None for
        :class:`FisherScore`. Copies are fitted, to the data as it is.
    n_features_to_select : int or float, default=None
        Number or share of features to select, which are those of the graph, too. None
        keeps all and only ranks; the graph then has half of the features, rounded up.
    n_rounds : int, default=10
        Most rounds; fewer are made when a subset comes again.
    share : float, default=0.5
        Share of the unlabelled rows that join the labelled ones for the next round.
    bandwidth : float, default=None
        The :math:`\lambda` of the similarities :math:`\exp(-d^2/\lambda^2)` of rows, on
        standardised columns; None for :math:`\sqrt 2` times the mean distance to the
        fifth neighbour.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
        The scores of the selector in the round that won.
    confidences_ : ndarray of shape (n_rounds,)
        Mean confidence of the unlabelled rows in each round made, from 0 to 1.
    best_round_ : int
        The round that won, counted from 0; in round 0 the selector knows the given
        labels only.
    selector_ : selector
        The selector as fitted in this round.
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
    FSSFS : A classifier that labels rows itself, and adds features one by one.
    pairsift.complete_labels : Labels from clusters, for any supervised selector.

    Notes
    -----
    Section 3.3 of [1]_, after [2]_. On the features of a round, a harmonic function f
    [3]_ gives the probability that a random walk over the rows, with steps in
    proportion to :math:`W_{ij} = \exp(-\|x_i - x_j\|^2 / \lambda^2)` (equation 3.12),
    meets a row of class c before labelled rows of other classes. With C classes the
    confidence is

    .. math::
        \text{conf}(x_i) = \frac{\max_c f_c(i) - 1/C}{1 - 1/C}

    which is equation 3.13, :math:`|f(i) - 0.5| / 0.5`, for two classes. What the
    sources leave open:

    - Labels spread from the given ones in every round, never from spread ones, so that
      mistakes are not passed on. The surest rows are chosen anew each time; rows as
      sure as the last one join, too.
    - The number of features of the graph and the bandwidth are not given. Columns of
      the graph are standardised, so that units do not matter to it.
    - Rows from which hardly a walk reaches a label have all classes alike, and the
      confidence 0.
    - Of rounds of equal confidence the first wins.

    Confidence is no accuracy: a subset on which rows fall into clear clusters is sure
    of itself, also where these are not the classes.

    Time and memory of the graph grow with the cube and the square of the number of
    rows; what does not fit into memory is refused.

    References
    ----------
    .. [1] F. Coelho, "Semi-supervised feature selection", PhD thesis, Universidade
       Federal de Minas Gerais and Université catholique de Louvain, 2013.
    .. [2] E. Zhong, S. Xie, W. Fan, J. Ren, J. Peng, K. Zhang, "Graph-based
       iterative hybrid feature selection", ICDM, 1133-1138, 2008,
       doi:10.1109/ICDM.2008.63.
    .. [3] X. Zhu, Z. Ghahramani, J. Lafferty, "Semi-supervised learning using
       Gaussian fields and harmonic functions", ICML, 912-919, 2003.

    Examples
    --------
    >>> import numpy as np
    >>> from pairsift import IteraGraphFS, ReliefF
    >>> from sklearn.datasets import load_wine
    >>> X, y = load_wine(return_X_y=True)
    >>> few_labels = np.where(np.arange(len(y)) % 10 == 0, y, -1)
    >>> selector = IteraGraphFS(ReliefF(), 3).fit(X, few_labels)
    >>> selector.get_support(indices=True)
    array([0, 6, 9])
    >>> selector.confidences_.round(2)
    array([0.55])
    """

    _method: ClassVar = Method(
        name="iteragraph",
        learns_from=replace(CLASSES_AND_ROWS, others="its selector needs"),
        orientation="maximised",
        cost="O(n³ + dn²) and that of its selector per round, O(n²) memory",
        seconds=_seconds,
        citation="Zhong et al. 2008; Coelho 2013, equations 3.12-3.13",
    )
    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **BaseScoreSelector._parameter_constraints,
        "selector": "no_validation",
        "n_rounds": [Interval(Integral, 1, None, closed="left")],
        "share": [Interval(Real, 0, 1, closed="right")],
        "bandwidth": [None, Interval(Real, 0, None, closed="neither")],
    }

    selector_: BaseScoreSelector

    def __init__(
        self,
        selector: Any = None,
        n_features_to_select: int | float | None = None,
        *,
        n_rounds: int = 10,
        share: float = 0.5,
        bandwidth: float | None = None,
    ) -> None:
        self.selector = selector
        self.n_features_to_select = n_features_to_select
        self.n_rounds = n_rounds
        self.share = share
        self.bandwidth = bandwidth

    def _score(self, table: Table, supervision: Supervision) -> FloatArray:
        X, given = as_matrix(table.X), supervision.labels
        assert given is not None  # FromClasses sees to it
        check_squarable(X)
        check_memory(
            4 * 8.0 * len(X) ** 2,
            f"similarities of {len(X)} rows",
            "leave unlabelled rows out, or select with SemiMRMR, which keeps none",
        )
        self._refuse_no_selector()
        columns = StandardScaler().set_output(transform="default").fit_transform(X)
        n_kept = self._number_in_graph(X.shape[1])
        rounds: list[BaseScoreSelector] = []
        seen: set[frozenset[int]] = set()
        labels, confidences = given, []
        while len(rounds) < self.n_rounds:
            fitted = self._fresh_selector().fit(X, labels, missing_label=-1)
            subset = np.argsort(-fitted._merit(), kind="stable")[:n_kept]
            if frozenset(subset.tolist()) in seen:
                break
            seen.add(frozenset(subset.tolist()))
            classes = harmonic_probabilities(
                np.ascontiguousarray(columns[:, subset]), given, self.bandwidth
            )
            sure = _confidence(classes)
            rounds.append(fitted)
            confidences.append(sure[given < 0].mean() if (given < 0).any() else 1.0)
            labels = _with_surest(given, classes, sure, self.share)
        self.confidences_ = np.array(confidences)
        best = self.confidences_.max() - TIED
        self.best_round_ = int(np.argmax(self.confidences_ >= best))
        self.selector_ = rounds[self.best_round_]
        return self.selector_.scores_

    def _merit(self) -> FloatArray:
        return self.selector_._merit()

    def _number_in_graph(self, n_features: int) -> int:
        if self.n_features_to_select is None:
            return -(-n_features // 2)
        return self._number_to_select(n_features)

    def _fresh_selector(self) -> Any:
        selector = FisherScore() if self.selector is None else clone(self.selector)
        return selector.set_params(n_features_to_select=None)

    def _refuse_no_selector(self) -> None:
        given = self.selector
        if given is None:
            return
        learns = given._method.learns_from if _is_selector(given) else None
        if learns is None or learns.is_free or learns.from_numbers:
            raise TypeError(
                "selector must be a selector of pairsift that learns from labels or "
                f"pairs, such as ReliefF(), or None, got {given!r}."
            )


def _is_selector(given: Any) -> bool:
    return isinstance(given, BaseScoreSelector)


def _confidence(classes: FloatArray) -> FloatArray:
    """Equation 3.13 for any number of classes: 0 where all are alike, 1 where sure."""
    alike = 1.0 / classes.shape[1]
    return np.maximum((classes.max(axis=1) - alike) / (1.0 - alike), 0.0)


def _with_surest(
    given: IndexArray, classes: FloatArray, sure: FloatArray, share: float
) -> IndexArray:
    """Labels, with those spread to a share of the other rows, the surest ones."""
    others = np.flatnonzero(given < 0)
    n_added = round(share * others.size)
    labels = given.copy()
    if n_added:
        last = np.sort(sure[others])[-n_added]
        added = others[sure[others] >= last - TIED]
        labels[added] = classes[added].argmax(axis=1)
    return labels
