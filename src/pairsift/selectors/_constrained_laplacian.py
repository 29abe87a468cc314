"""Constraint scores 5 to 7, the constrained Laplacian scores, as selectors."""

from dataclasses import replace
from numbers import Real
from typing import Any, ClassVar

from pairsift._sklearn_compat import Interval, StrOptions
from pairsift._typing import FloatArray
from pairsift.exceptions import ConstraintError
from pairsift.scores import constraint_score_5, constraint_score_6, constraint_score_7
from pairsift.selectors._base import (
    N_JOBS,
    FromPairs,
    Supervision,
    classes_of,
    refuse_contradiction,
)
from pairsift.selectors._constraint import NOT_NEGATIVE
from pairsift.selectors._cost import graph_seconds, pair_seconds
from pairsift.selectors._graphs import N_NEIGHBORS, SIGMA
from pairsift.selectors._method import EITHER_LINKS, Method
from pairsift.selectors._tables import Table

# Pairs whose similarity has to be known one by one take some 300 bytes each.
WEIGHED_LINKS = replace(EITHER_LINKS, most_pairs=5_000_000)


class FromEdges(FromPairs):
    """Base of the scores that weigh neighbours and constraints by similarity."""

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **FromPairs._parameter_constraints,
        "form": [StrOptions({"sum", "matrix"})],
        "n_neighbors": N_NEIGHBORS,
        "sigma": SIGMA,
        "n_jobs": N_JOBS,
    }

    def _graph_options(self) -> dict[str, Any]:
        return {
            "form": self.form,
            "n_neighbors": self.n_neighbors,
            "sigma": self.sigma,
            "n_jobs": self.n_jobs,
        }

    def _refuse_no_denominator(self, known: Supervision) -> None:
        """Refuse pairs that leave the denominator 0 for every feature."""
        if self.form == "matrix" and len(known.cannot_link) == 0:
            raise ConstraintError(
                f"{type(self).__name__} with form='matrix' needs cannot-link pairs, "
                f"got only {len(known.must_link)} must-link pairs."
            )


class ConstraintScore5(FromEdges):
    r"""Select features by the constrained Laplacian score (CS5, CLS).

    Needs must-links or cannot-links, and uses the unlabelled rows.

    Given labels and no pairs, all pairs of labelled rows are used.
    The data is taken as given: where units differ, scale to [0, 1] first
    (``sklearn.preprocessing.MinMaxScaler``).
    Also importable as ``CLS``.

    Parameters
    ----------
    n_features_to_select : int or float, default=None
        Number or share of features to select; None keeps all and only ranks.
    form : {"sum", "matrix"}, default="sum"
        Which of the two published denominators, see Notes: they are not equal.
    n_neighbors : int, default=5
        Number of nearest neighbours, cut to ``n_samples - 1``.
    sigma : float or "auto", default=1.0
        The :math:`\sigma` of the similarities :math:`w_{ij} = \exp(-d^2/2\sigma^2)`;
        1 suits few features scaled to [0, 1], ``"auto"`` is the mean distance to the
        `n_neighbors`-th neighbour.
    n_jobs : int or None, default=-1
        Number of threads: -1 for all cores, None as in joblib.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
        Negated constraint scores, so that higher is better; ``-inf`` where the
        denominator is not positive.
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
    pairsift.scores.constraint_score_5 : The same as a function on arrays.

    Notes
    -----
    Equations 17 to 20 of [1]_, after [2]_: the spread of a feature over neighbours and
    must-links, divided by that over cannot-links and rows in no constraint.
    :func:`pairsift.scores.constraint_score_5` has the formula, both forms of the
    denominator, and a correction of equation 19.

    References
    ----------
    .. [1] A. Salmi, K. Hammouche, L. Macaire, "Similarity-based constraint score
       for feature selection", Knowledge-Based Systems 209, 106429, 2020,
       doi:10.1016/j.knosys.2020.106429.
    .. [2] K. Benabdeslem, M. Hindawi, "Constrained Laplacian score for
       semi-supervised feature selection", ECML PKDD, 204-218, 2011.

    Examples
    --------
    >>> from pairsift import ConstraintScore5, PairConstraints
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.preprocessing import minmax_scale
    >>> X, y = load_wine(return_X_y=True)
    >>> X = minmax_scale(X)
    >>> pairs = PairConstraints.sample(y, 30, 30, random_state=0)
    >>> selector = ConstraintScore5(3).fit(X, constraints=pairs)
    >>> selector.get_support(indices=True)
    array([ 6, 11, 12])
    """

    _method: ClassVar = Method(
        name="constraint-score-5",
        learns_from=WEIGHED_LINKS,
        orientation="minimised",
        cost="O(n²d) time, O(nk + p) memory",
        seconds=lambda s, z: graph_seconds(s, z) + pair_seconds(z),
        citation="Benabdeslem, Hindawi 2011; Salmi 2020, eq. 18",
        aliases=("cls",),
        dask=True,
    )

    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        form: str = "sum",
        n_neighbors: int = 5,
        sigma: float | str = 1.0,
        n_jobs: int | None = -1,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.form = form
        self.n_neighbors = n_neighbors
        self.sigma = sigma
        self.n_jobs = n_jobs

    def _score(self, table: Table, supervision: Supervision) -> FloatArray:
        self._refuse_no_denominator(supervision)
        must, cannot = supervision.must_link, supervision.cannot_link
        return constraint_score_5(table.X, must, cannot, **self._graph_options())


CLS = ConstraintScore5


class ConstraintScore6(FromEdges):
    r"""Select features by the second constrained Laplacian score (CS6).

    Needs must-links or cannot-links, and uses the unlabelled rows.
    Given labels and no pairs, all pairs of labelled rows are used.
    The data is taken as given: where units differ, scale to [0, 1] first
    (``sklearn.preprocessing.MinMaxScaler``).

    Parameters
    ----------
    n_features_to_select : int or float, default=None
        Number or share of features to select; None keeps all and only ranks.
    form : {"sum", "matrix"}, default="sum"
        Which of the two published denominators, see :class:`ConstraintScore5`.
    n_neighbors : int, default=5
        Number of nearest neighbours, cut to ``n_samples - 1``.
    sigma : float or "auto", default=1.0
        The :math:`\sigma` of the similarities :math:`w_{ij} = \exp(-d^2/2\sigma^2)`;
        1 suits few features scaled to [0, 1], ``"auto"`` is the mean distance to the
        `n_neighbors`-th neighbour.
    n_jobs : int or None, default=-1
        Number of threads: -1 for all cores, None as in joblib.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
        Negated constraint scores, so that higher is better; ``-inf`` where the
        denominator is not positive.
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
    pairsift.scores.constraint_score_6 : The same as a function on arrays.

    Notes
    -----
    Equations 21 to 23 of [1]_, after [2]_: as :class:`ConstraintScore5`, with the
    degrees of the graph of neighbours alone and larger weights for neighbours that
    cannot link; :func:`pairsift.scores.constraint_score_6` has the formula.

    Neighbours that are both constrained, but not with each other, have no edge here;
    they do in 21 and 22. With labels there are none.

    References
    ----------
    .. [1] A. Salmi, K. Hammouche, L. Macaire, "Similarity-based constraint score
       for feature selection", Knowledge-Based Systems 209, 106429, 2020,
       doi:10.1016/j.knosys.2020.106429.
    .. [2] K. Benabdeslem, M. Hindawi, "Efficient semi-supervised feature selection:
       constraint, relevance, and redundancy", IEEE Transactions on Knowledge
       and Data Engineering 26, 1131-1143, 2014.

    Examples
    --------
    >>> from pairsift import ConstraintScore6, PairConstraints
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.preprocessing import minmax_scale
    >>> X, y = load_wine(return_X_y=True)
    >>> X = minmax_scale(X)
    >>> pairs = PairConstraints.sample(y, 30, 30, random_state=0)
    >>> selector = ConstraintScore6(3).fit(X, constraints=pairs)
    >>> selector.get_support(indices=True)
    array([ 6, 11, 12])
    """

    _method: ClassVar = Method(
        name="constraint-score-6",
        learns_from=WEIGHED_LINKS,
        orientation="minimised",
        cost="O(n²d) time, O(nk + p) memory",
        seconds=lambda s, z: graph_seconds(s, z) + pair_seconds(z),
        citation="Benabdeslem, Hindawi 2014; Salmi 2020, eq. 21",
        dask=True,
    )

    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        form: str = "sum",
        n_neighbors: int = 5,
        sigma: float | str = 1.0,
        n_jobs: int | None = -1,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.form = form
        self.n_neighbors = n_neighbors
        self.sigma = sigma
        self.n_jobs = n_jobs

    def _score(self, table: Table, supervision: Supervision) -> FloatArray:
        self._refuse_no_denominator(supervision)
        must, cannot = supervision.must_link, supervision.cannot_link
        return constraint_score_6(table.X, must, cannot, **self._graph_options())


class ConstraintScore7(FromEdges):
    r"""Select features by the constraint compensated Laplacian score (CS7, CCLS).

    Needs must-links, or labels, and uses cannot-links and the unlabelled rows.
    Given labels and no pairs, all pairs of labelled rows are used.
    The classes of the prototypes are the labels or, without labels, the groups of rows
    joined by must-links.
    The data is taken as given: where units differ, scale to [0, 1] first
    (``sklearn.preprocessing.MinMaxScaler``).
    Also importable as ``CCLS``.

    Parameters
    ----------
    n_features_to_select : int or float, default=None
        Number or share of features to select; None keeps all and only ranks.
    form : {"sum", "matrix"}, default="sum"
        Which of the two published denominators, see Notes: they are not equal.
    gamma : float, default=0.9
        Share of the similarity that two neighbours lose by a cannot-link.
    lambda_ : float, default=0.5
        Weight of a must-link between rows that are not neighbours.
    n_neighbors : int, default=5
        Number of nearest neighbours, cut to ``n_samples - 1``.
    sigma : float or "auto", default=1.0
        The :math:`\sigma` of the similarities :math:`w_{ij} = \exp(-d^2/2\sigma^2)`;
        1 suits few features scaled to [0, 1], ``"auto"`` is the mean distance to the
        `n_neighbors`-th neighbour.
    n_jobs : int or None, default=-1
        Number of threads: -1 for all cores, None as in joblib.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
        Negated constraint scores, so that higher is better; ``-inf`` where the
        denominator is not positive.
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
    pairsift.scores.constraint_score_7 : The same as a function on arrays.

    Notes
    -----
    Equations 24 to 31 of [1]_, after [2]_: the spread of a feature over neighbours and
    must-links, divided by its variance plus the scatter of the prototypes between
    classes minus that within; :func:`pairsift.scores.constraint_score_7` has the
    formula, its two forms, and a correction of equation 25. Neighbours that are both
    constrained, but not with each other, have no edge.

    References
    ----------
    .. [1] A. Salmi, K. Hammouche, L. Macaire, "Similarity-based constraint score
       for feature selection", Knowledge-Based Systems 209, 106429, 2020,
       doi:10.1016/j.knosys.2020.106429.
    .. [2] X.-K. Yang, L. He, D. Qu, W.-Q. Zhang, M. T. Johnson, "Semi-supervised
       feature selection for audio classification based on constraint
       compensated Laplacian score", EURASIP Journal on Audio, Speech, and Music
       Processing, 9, 2016.

    Examples
    --------
    >>> from pairsift import ConstraintScore7, PairConstraints
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.preprocessing import minmax_scale
    >>> X, y = load_wine(return_X_y=True)
    >>> X = minmax_scale(X)
    >>> pairs = PairConstraints.sample(y, 30, 30, random_state=0)
    >>> selector = ConstraintScore7(3).fit(X, constraints=pairs)
    >>> selector.get_support(indices=True)
    array([ 6, 11, 12])
    """

    _method: ClassVar = Method(
        name="constraint-score-7",
        learns_from=replace(WEIGHED_LINKS, must="for classes", cannot="if any"),
        orientation="minimised",
        cost="O(n²d) time, O(nk + p) memory",
        seconds=lambda s, z: graph_seconds(s, z) + pair_seconds(z),
        citation="Yang et al. 2016; Salmi 2020, eq. 24",
        aliases=("ccls",),
        dask=True,
    )
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **FromEdges._parameter_constraints,
        "gamma": [Interval(Real, 0, 1, closed="both")],
        "lambda_": NOT_NEGATIVE,
    }

    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        form: str = "sum",
        gamma: float = 0.9,
        lambda_: float = 0.5,
        n_neighbors: int = 5,
        sigma: float | str = 1.0,
        n_jobs: int | None = -1,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.form = form
        self.gamma = gamma
        self.lambda_ = lambda_
        self.n_neighbors = n_neighbors
        self.sigma = sigma
        self.n_jobs = n_jobs

    def _needs_consistent_pairs(self) -> bool:
        # Its classes are the must-link groups.
        return True

    def _score(self, table: Table, supervision: Supervision) -> FloatArray:
        refuse_contradiction(supervision, type(self).__name__)
        classes = classes_of(supervision, len(table.X))
        if not (classes >= 0).any():
            raise ConstraintError(
                f"{type(self).__name__} needs labels or must-link pairs to know the "
                f"classes, got only {len(supervision.cannot_link)} cannot-link pairs."
            )
        return constraint_score_7(
            table.X,
            supervision.must_link,
            supervision.cannot_link,
            classes,
            gamma=self.gamma,
            lambda_=self.lambda_,
            **self._graph_options(),
        )


CCLS = ConstraintScore7
