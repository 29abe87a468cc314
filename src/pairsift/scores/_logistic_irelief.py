"""Logistic I-Relief: sparse weights from margins of labelled and unlabelled rows."""

from typing import Any, NamedTuple

import numpy as np

from pairsift import _kernels
from pairsift._checks import (
    as_matrix,
    check_at_least,
    check_choice,
    check_positive,
)
from pairsift._typing import FloatArray, IndexArray
from pairsift.scores._irelief import (
    MULTI_CLASS,
    class_codes,
    labelled_points,
    miss_shares,
    scaled,
)
from pairsift.scores._margin_program import Program, minimise

UNLABELLED_MARGINS = ("one-margin-per-class", "nearest-neighbor")
# The margin of another class is larger if it is so by this share of all weights.
LARGER = 1e-9


class LogisticFit(NamedTuple):
    """Where the alternation stopped."""

    scores: FloatArray
    """w, or how near a feature without weight is to getting one, -inf for constant."""
    weights: FloatArray
    n_iter: int
    change: float
    """How far apart the last two weights are, as a share of the longer."""


def logistic_irelief_score(
    X: FloatArray,
    labels: Any,
    *,
    sigma: float = 1.0,
    alpha: float = 1.0,
    multi_class: str = "nearest",
    max_iter: int = 100,
    tol: float = 1e-6,
    n_jobs: int | None = -1,
) -> FloatArray:
    r"""Score features by logistic I-Relief: few weights that make margins large.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        The data.
    labels : array-like of shape (n_samples,)
        Class labels, at least two of them; unlabelled rows (-1) are left out.
    sigma : float, default=1.0
        Width of the kernel :math:`f(d) = \exp(-d / \sigma)`.
    alpha : float, default=1.0
        Cost of the margins, against the sum of the weights: larger, more features.
    multi_class : {"prior", "nearest"}, default="nearest"
        Misses of more than two classes: the near-misses of every other class weighted
        by its prior, or the nearest of them all.
    max_iter : int, default=100
        Most times that margins are taken.
    tol : float, default=1e-6
        It stops when margins and weights agree: when the weights change by no more
        than this share of their Euclidean norm.
    n_jobs : int or None, default=-1
        Number of threads: -1 for all cores, None as in joblib.

    Returns
    -------
    scores : ndarray of shape (n_features,)
        The weight of a feature that has one. For one without, :math:`r_f - 1 \le 0`,
        where :math:`r_f = 1` would be enough for a weight (see Notes). ``-inf`` for a
        feature that is constant on the labelled rows.

    Notes
    -----
    After [1]_; equation 3.10 of [2]_ without unlabelled rows:

    .. math::
        \min_{w \ge 0} \|w\|_1 + \alpha \sum_n \log(1 + \exp(-w^T \bar z_n)), \qquad
        \bar z_{nf} = \sum_{m \in M_n} \alpha_{mn} \Delta_f(x_n, x_m)
              - \sum_{m \in H_n} \beta_{mn} \Delta_f(x_n, x_m)

    where the probabilities :math:`\alpha_{mn}` (:math:`\beta_{mn}`) of being the
    near-miss (near-hit) are those of :func:`irelief_score`, proportional to
    :math:`\exp(-\sum_f w_f \Delta_f / \sigma)`; the w here has no given norm, so that
    :math:`\sigma` is a distance of sums of weights. There is no probability of being
    an outlier. :math:`\Delta_f` is the difference divided by the range of the feature
    over the labelled rows. A row alone in its class has the margin 0.

    Margins at w and weights from margins alternate, beginning with all weights 1 as in
    [1]_. For given margins the problem is convex in w, and is solved as such, by
    projected Newton steps on a growing set of features to near rounding; in the
    published :math:`v` with :math:`w = v^2` a weight of 0 would stay at 0. Taken in
    full, the steps of the alternation are known to settle only for large
    :math:`\sigma`; below, features that tell the same swap places for ever. So a step
    that turns against the one before is half as long, and steps get longer again by a
    fifth each, up to the full one: where it settles, margins and weights agree as
    published. The weights returned solve the problem of the last margins.

    Features without weight are told apart by :math:`r_f = \alpha \sum_n \bar z_{nf} /
    (1 + \exp(w^T \bar z_n))`, how fast the cost falls with their weight; it is 1 for
    those with a weight, no more for the others. Copies of a feature share its weight
    evenly.

    References
    ----------
    .. [1] Y. Sun, S. Todorovic, S. Goodison, "Local-learning-based feature
       selection for high-dimensional data analysis", IEEE TPAMI 32(9),
       1610-1626, 2010.
    .. [2] F. Coelho, "Semi-supervised feature selection", PhD thesis, Universidade
       Federal de Minas Gerais and Université catholique de Louvain, 2013.

    Examples
    --------
    >>> import numpy as np
    >>> from pairsift.scores import logistic_irelief_score
    >>> X = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    >>> logistic_irelief_score(X, [0, 0, 1, 1]).round(3)
    array([ 1.099, -1.5  ])
    """
    fit = fit_logistic_irelief(
        X,
        labels,
        sigma=sigma,
        alpha=alpha,
        multi_class=multi_class,
        max_iter=max_iter,
        tol=tol,
        n_jobs=n_jobs,
    )
    return fit.scores


def semi_logistic_irelief_score(
    X: FloatArray,
    labels: Any,
    *,
    sigma: float = 1.0,
    alpha: float = 1.0,
    beta: float = 0.1,
    rho: float = 1.0,
    multi_class: str = "one-margin-per-class",
    max_iter: int = 100,
    tol: float = 1e-6,
    n_jobs: int | None = -1,
) -> FloatArray:
    r"""Score features by logistic I-Relief of labelled and unlabelled rows (SLIR).

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        The data.
    labels : array-like of shape (n_samples,)
        Class labels, at least two of them; -1 for unlabelled rows.
    sigma : float, default=1.0
        Width of the kernel :math:`f(d) = \exp(-d / \sigma)`.
    alpha : float, default=1.0
        Cost of the margins of labelled rows, against the sum of the weights.
    beta : float, default=0.1
        Cost of the margins of unlabelled rows.
    rho : float, default=1.0
        Square of the margin from which on an unlabelled row is clear enough.
    multi_class : str, default="one-margin-per-class"
        Class of an unlabelled row: ``"one-margin-per-class"``, the one with the largest
        margin (MSLIR), or ``"nearest-neighbor"``, that of the nearest labelled row
        (MSLIR-NN). Makes no difference to two classes.
    max_iter : int, default=100
        Most times that margins are taken.
    tol : float, default=1e-6
        It stops when margins and weights agree: when the weights change by no more
        than this share of their Euclidean norm.
    n_jobs : int or None, default=-1
        Number of threads: -1 for all cores, None as in joblib.

    Returns
    -------
    scores : ndarray of shape (n_features,)
        As of :func:`logistic_irelief_score`: weights, at most 0 for a feature without,
        ``-inf`` for one that is constant on the labelled rows.

    Notes
    -----
    Equation 3.10 of [1]_ after [2]_:

    .. math::
        \min_{w \ge 0} \|w\|_1 + \alpha \sum_l \log(1 + \exp(-w^T \bar z_l))
        + \beta \sum_u \exp\left(-\frac{(w^T \bar z_u)^2}{\rho}\right)

    with margins as in :func:`logistic_irelief_score`. Those of an unlabelled row are
    differences to labelled rows. With two classes, the other class turns the sign of
    its margin vector, which does not matter. With more, [3]_ takes the class c whose
    :math:`w^T \bar z_{uc}` is largest and [4]_ that of the nearest labelled row, here
    in the space weighted by w; equal ones go to the lower class or row. The misses of
    all other classes are one group, for labelled rows too. :math:`\Delta_f` is the
    difference divided by the range over all rows.

    The last term is not convex. For given margins the same Newton steps as for
    logistic I-Relief go down from the weights at hand, with its negative curvatures set
    to 0 where the whole is not convex: to a local minimum near them. The first weights
    are those of logistic I-Relief, which this is when no row is unlabelled.

    References
    ----------
    .. [1] F. Coelho, "Semi-supervised feature selection", PhD thesis, Universidade
       Federal de Minas Gerais and Université catholique de Louvain, 2013.
    .. [2] Y. Cheng, Y. Cai, Y. Sun, J. Li, "Semi-supervised feature selection under
       logistic I-Relief framework", ICPR, 2008.
    .. [3] B. Tang, L. Zhang, "Semi-supervised feature selection based on logistic
       I-RELIEF for multi-classification", PRICAI, 719-731, 2018.
    .. [4] B. Tang, L. Zhang, "Multi-class semi-supervised logistic I-RELIEF feature
       selection based on nearest neighbor", PAKDD, 281-292, 2019.

    Examples
    --------
    >>> import numpy as np
    >>> from pairsift.scores import semi_logistic_irelief_score
    >>> X = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0], [0.9, 0.5]])
    >>> int(semi_logistic_irelief_score(X, [0, 0, 1, 1, -1]).argmax())
    0
    """
    fit = fit_semi_logistic_irelief(
        X,
        labels,
        sigma=sigma,
        alpha=alpha,
        beta=beta,
        rho=rho,
        multi_class=multi_class,
        max_iter=max_iter,
        tol=tol,
        n_jobs=n_jobs,
    )
    return fit.scores


def fit_logistic_irelief(
    X: FloatArray,
    labels: Any,
    *,
    sigma: float,
    alpha: float,
    multi_class: str,
    max_iter: int,
    tol: float,
    n_jobs: int | None,
) -> LogisticFit:
    """Alternate as in :func:`logistic_irelief_score`, and tell where it stopped."""
    check_choice(multi_class, "multi_class", MULTI_CLASS)
    points, codes = labelled_points(X, labels)
    shares = miss_shares(codes, multi_class)
    rows = Rows(points, codes, points[:0], shares, sigma, "", n_jobs)
    return _fit(rows, Program(points[:0], 0, float(alpha)), max_iter, tol)


def fit_semi_logistic_irelief(
    X: FloatArray,
    labels: Any,
    *,
    sigma: float,
    alpha: float,
    beta: float,
    rho: float,
    multi_class: str,
    max_iter: int,
    tol: float,
    n_jobs: int | None,
) -> LogisticFit:
    """Alternate as in :func:`semi_logistic_irelief_score`, tell where it stopped."""
    check_choice(multi_class, "multi_class", UNLABELLED_MARGINS)
    check_positive(beta, "beta")
    check_positive(rho, "rho")
    X = as_matrix(X)
    codes = class_codes(labels, len(X))
    points, known = scaled(X), codes >= 0
    rows = Rows(
        points[known],
        codes[known],
        points[~known],
        np.empty((0, 0)),
        sigma,
        multi_class,
        n_jobs,
    )
    program = Program(points[:0], 0, float(alpha), float(beta), float(rho))
    return _fit(rows, program, max_iter, tol)


class Rows(NamedTuple):
    """Scaled rows, and how their margins are taken."""

    labelled: FloatArray
    classes: IndexArray
    unlabelled: FloatArray
    shares: FloatArray
    sigma: float
    rule: str
    """Which class an unlabelled row is taken to have, of UNLABELLED_MARGINS."""
    n_jobs: int | None

    def margins(self, w: FloatArray) -> FloatArray:
        """Margin vectors of the labelled rows in the space weighted by w."""
        own = np.arange(len(self.labelled))
        return self._margins(self.labelled, self.classes, own, w)

    def unlabelled_margins(self, w: FloatArray) -> FloatArray:
        """Margin vectors of the unlabelled rows, which have labelled neighbours."""
        if self.rule == "nearest-neighbor":
            # Without a weight all rows are equally near.
            near = w if w.any() else np.ones(w.size)
            classes = _kernels.nearest_classes(
                self.unlabelled, self.labelled, self.classes, near, self.n_jobs
            )
            return self.margins_as(classes, w)
        best = self.margins_as(np.zeros(len(self.unlabelled), dtype=np.int64), w)
        for c in range(1, int(self.classes.max()) + 1):
            other = self.margins_as(np.full(len(self.unlabelled), c), w)
            # Equal ones, which differ by rounding, go to the lower class.
            is_larger = (other - best) @ w > LARGER * w.sum()
            best[is_larger] = other[is_larger]
        return best

    def margins_as(self, classes: IndexArray, w: FloatArray) -> FloatArray:
        """Margin vectors of the unlabelled rows, were they of these classes."""
        nowhere = np.full(len(classes), -1)
        return self._margins(self.unlabelled, classes, nowhere, w)

    def _margins(
        self, queries: FloatArray, classes: IndexArray, own: IndexArray, w: FloatArray
    ) -> FloatArray:
        margins, _ = _kernels.expected_margins(
            queries,
            classes,
            own,
            self.labelled,
            self.classes,
            self.shares,
            w,
            float(self.sigma),
            self.n_jobs,
        )
        return margins


def _fit(rows: Rows, program: Program, max_iter: int, tol: float) -> LogisticFit:
    """Fit to the distinct columns that vary, and share weights among their copies."""
    check_positive(rows.sigma, "sigma")
    check_positive(program.alpha, "alpha")
    check_at_least(max_iter, "max_iter", 1)
    n_features = rows.labelled.shape[1]
    scores, weights = np.full(n_features, -np.inf), np.zeros(n_features)
    varies = np.flatnonzero((rows.labelled != rows.labelled[0]).any(axis=0))
    if varies.size == 0:
        return LogisticFit(scores, weights, 0, 0.0)
    columns = np.vstack([rows.labelled, rows.unlabelled])[:, varies]
    firsts, copy_of, n_copies = _distinct_columns(columns)
    rows = rows._replace(
        labelled=np.ascontiguousarray(rows.labelled[:, varies[firsts]]),
        unlabelled=np.ascontiguousarray(rows.unlabelled[:, varies[firsts]]),
    )
    start, flat = n_copies.astype(np.float64), np.zeros(n_copies.size)
    solved = _alternate(rows, program._replace(beta=0.0), start, flat, max_iter, tol)
    if len(rows.unlabelled):
        solved = _alternate(rows, program, solved.w, solved.w, max_iter, tol)
    w = solved.w / n_copies
    nearness = np.minimum(-solved.program.gradient(solved.w), 0.0)
    weights[varies] = w[copy_of]
    scores[varies] = np.where(w > 0.0, w, nearness)[copy_of]
    return LogisticFit(scores, weights, solved.n_iter, solved.change)


def _distinct_columns(X: FloatArray) -> tuple[IndexArray, IndexArray, IndexArray]:
    """First place of each distinct column, which one each column is, their numbers.

    Their order depends on the values alone, and so do sums over them.
    """
    by_column = np.ascontiguousarray(X.T)
    as_bytes = by_column.view(np.dtype((np.void, by_column[0].nbytes))).ravel()
    _, firsts, copy_of, n_copies = np.unique(
        as_bytes, return_index=True, return_inverse=True, return_counts=True
    )
    return firsts, copy_of, n_copies


class Solved(NamedTuple):
    """Weights, and the program that they solve."""

    w: FloatArray
    program: Program
    n_iter: int
    change: float


def _alternate(
    rows: Rows,
    program: Program,
    w: FloatArray,
    begin: FloatArray,
    max_iter: int,
    tol: float,
) -> Solved:
    """Take margins at w and weights from margins, until these are the same weights.

    begin : where the first search for weights begins, later ones begin at w.
    """
    before, pace, n_iter, change = np.zeros(w.size), 1.0, 0, np.inf
    while n_iter < max_iter and change > tol:
        margins = rows.margins(w)
        n_labelled = len(margins)
        if program.beta > 0.0:
            margins = np.vstack([margins, rows.unlabelled_margins(w)])
        program = program._replace(rows=margins, n_labelled=n_labelled)
        best = minimise(program, begin)
        step = best - w
        longest = max(float(np.linalg.norm(best)), float(np.linalg.norm(w)))
        change = float(np.linalg.norm(step)) / (longest or 1.0)
        # Two features that compete swap places for ever, unless steps get shorter.
        pace = 0.5 * pace if step @ before < 0.0 else min(1.2 * pace, 1.0)
        w = begin = w + pace * step
        before = step
        n_iter += 1
    return Solved(best, program, n_iter, change)
