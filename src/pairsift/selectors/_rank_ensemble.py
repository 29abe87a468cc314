"""RankEnsemble: several selectors, one ranking."""

from collections.abc import Sequence
from dataclasses import replace
from numbers import Integral
from typing import Any, ClassVar, Self

import numpy as np
from scipy.stats import rankdata
from sklearn.base import clone
from sklearn.utils import get_tags
from sklearn.utils.validation import validate_data

from pairsift._sklearn_compat import Interval, StrOptions
from pairsift._typing import FloatArray
from pairsift.constraints import PairConstraints
from pairsift.scores import score_levels
from pairsift.selectors._base import BaseScoreSelector, all_or_nothing
from pairsift.selectors._cost import seconds_of
from pairsift.selectors._laplacian import LaplacianScore
from pairsift.selectors._margins import ReliefFSc
from pairsift.selectors._method import CANNOT_LINKS, Method


class RankEnsemble(BaseScoreSelector):
    r"""Combine the rankings of several selectors into one.

    A selector that learns from few pairs or labels follows them closely; one that looks
    at the structure of all rows does not know them. Together they are steadier.

    Parameters
    ----------
    selectors : list of selectors, or of (name, selector) tuples, default=None
        The members, selectors of pairsift; copies of them are fitted. Without names
        they are called by their classes in lower case, numbered from 1 where a class
        comes twice. None is :class:`ReliefFSc` with :class:`LaplacianScore`.
    n_features_to_select : int or float, default=None
        Number or share of features to select; None keeps all and only ranks. How many
        features a member would select by itself does not matter.
    method : {"mean-rank", "borda", "mean-score", "vote"}, default="mean-rank"
        How to combine, see Notes.
    weights : array-like of shape (n_selectors,), default=None
        Weight of each member, not negative; None for equal ones.
    top : int, default=None
        How many features of each member get points in "borda" and votes in "vote". None
        is all in "borda"; in "vote" the number of features to select, or half of the
        features where that is None. The other methods do not use it.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
        The combined score, see Notes.
    selectors_ : list of selectors
        The fitted members.
    ranks_ : ndarray of shape (n_selectors, n_features)
        Rank of each feature by each member, 1 is best; features with equal scores share
        the mean of their ranks.
    n_constraints_used_ : int
        Largest number of pairs that a member used.
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

    Notes
    -----
    Ensembles of a constrained and an unsupervised ranking are proposed in [1]_
    (perspectives). With the rank :math:`r_{mf}` and score :math:`s_{mf}` of feature f
    by member m of weight :math:`w_m`, which are made to add up to 1, and d features
    (scores that agree up to rounding, ten digits, share the mean of their ranks):

    .. math::
        \text{mean-rank} = -\sum_m w_m r_{mf}, \qquad
        \text{borda} = \sum_m w_m (t + 1 - r_{mf})^+, \qquad
        \text{mean-score} = \sum_m w_m \frac{s_{mf} - \min_g s_{mg}}
                            {\max_g s_{mg} - \min_g s_{mg}}

    and "vote" is the share of members that have f among their first t, where t is
    `top`. Without `top`, "borda" has the order of "mean-rank". In "mean-score" minimum
    and maximum are taken over finite scores; ``-inf`` counts 0, ``inf`` counts 1, and a
    member whose finite scores are all equal counts one half for these. In "vote"
    features that are tied over place t share the places left among them, and features
    with equal votes are ordered by their mean rank, through a term that is smaller than
    half of any difference between votes.

    Every member gets `X`, `y`, `constraints` and `sample_ids` as they were given, and
    takes what it needs. So `X` may have missing values or categorical columns if all
    members accept them. Parameters of members are reached by name, as in
    ``set_params(relieffsc__n_neighbors=5)``.

    References
    ----------
    .. [1] S. Hijazi, "Semi-supervised margin-based feature selection for
       classification", PhD thesis, Université du Littoral Côte d'Opale and
       Lebanese University, 2019, HAL tel-02489733.

    Examples
    --------
    >>> from pairsift import PairConstraints, RankEnsemble, ReliefFSc, SPEC
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.preprocessing import minmax_scale
    >>> X, y = load_wine(return_X_y=True)
    >>> X = minmax_scale(X)
    >>> pairs = PairConstraints.sample(y, n_cannot_link=10, random_state=0)
    >>> ensemble = RankEnsemble([ReliefFSc(), SPEC()], 3)
    >>> ensemble.fit(X, constraints=pairs).get_support(indices=True)
    array([ 6, 11, 12])
    >>> ensemble.ranks_[:, 6]
    array([4., 2.])
    """

    _method: ClassVar = Method(
        name="rank-ensemble",
        learns_from=replace(CANNOT_LINKS, others="its members need"),
        orientation="maximised",
        cost="that of its members",
        seconds=lambda s, z: sum(seconds_of(one, z) for _, one in s._members()),
        citation="Hijazi 2019, perspectives",
    )
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **BaseScoreSelector._parameter_constraints,
        "selectors": [None, list, tuple],
        "method": [StrOptions({"mean-rank", "borda", "mean-score", "vote"})],
        "weights": [None, "array-like"],
        "top": [None, Interval(Integral, 1, None, closed="left")],
    }

    selectors_: list[BaseScoreSelector]
    ranks_: FloatArray

    def __init__(
        self,
        selectors: Sequence[Any] | None = None,
        n_features_to_select: int | float | None = None,
        *,
        method: str = "mean-rank",
        weights: Any = None,
        top: int | None = None,
    ) -> None:
        self.selectors = selectors
        self.n_features_to_select = n_features_to_select
        self.method = method
        self.weights = weights
        self.top = top

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
        """Fit all members, combine their rankings, and select.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The data, in any form that all members take.
        y : array-like of shape (n_samples,), default=None
            Class labels, handed on to the members.
        constraints : PairConstraints, default=None
            Pairs of rows of `X`, handed on to the members.
        sample_ids : array-like of shape (n_samples,), default=None
            Row number or id of each row of `X` in the data set the constraints refer
            to, handed on to the members.
        missing_label : label, None or "auto", default="auto"
            Label of unlabelled rows, handed on to the members.

        Returns
        -------
        self : object
            The fitted selector. After an error it is as it was before.
        """
        with all_or_nothing(self):
            self._validate_params()
            members = self._members()
            weights = self._shares(len(members))
            given = {
                "constraints": constraints,
                "sample_ids": sample_ids,
                "missing_label": missing_label,
            }
            self.selectors_ = [
                _fit_member(name, member, X, y, given) for name, member in members
            ]
            validate_data(self, X, skip_check_array=True)
            scores = np.array([member.scores_ for member in self.selectors_])
            merits = np.array([member._merit() for member in self.selectors_])
            self.ranks_ = np.array([_ranks(row, "average") for row in merits])
            self.n_constraints_used_ = max(
                m.n_constraints_used_ for m in self.selectors_
            )
            self.scores_ = self._combined(scores, merits, weights)
            return self._rank()

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters, and with `deep` those of the members by name.

        Parameters
        ----------
        deep : bool, default=True
            Whether the members, and their parameters as ``name__parameter``, are
            returned too.

        Returns
        -------
        params : dict
            Parameters and their values.
        """
        params = super().get_params(deep=False)
        if deep and isinstance(self.selectors, list | tuple):
            for name, member in _named(self.selectors):
                if hasattr(member, "get_params") and not isinstance(member, type):
                    params[name] = member
                    inner = member.get_params(deep=True).items()
                    params |= {f"{name}__{key}": value for key, value in inner}
        return params

    def set_params(self, **params: Any) -> Self:
        """Set parameters of the ensemble, members by name, or parameters of members.

        Parameters
        ----------
        **params : dict
            New values, for example ``relieffsc=ReliefFSc(5)`` or
            ``relieffsc__n_neighbors=5``.

        Returns
        -------
        self : object
            The ensemble.
        """
        if "selectors" in params:
            self.selectors = params.pop("selectors")
        own = super().get_params(deep=False)
        if isinstance(self.selectors, list | tuple):
            members = _named(self.selectors)
            names = [name for name, _ in members if name in params and name not in own]
            replaced = {name: params.pop(name) for name in names}
            if replaced:
                self.selectors = [(n, replaced.get(n, member)) for n, member in members]
        super().set_params(**params)
        return self

    def _members(self) -> list[tuple[str, BaseScoreSelector]]:
        """Return the members with their names, or refuse what is none."""
        if self.selectors is None:
            return _named([ReliefFSc(), LaplacianScore()])
        members = _named(self.selectors)
        if not members:
            raise ValueError("selectors must hold at least one selector, got none.")
        names = [name for name, _ in members]
        own = super().get_params(deep=False)
        for name, member in members:
            if not isinstance(member, BaseScoreSelector):
                raise TypeError(
                    "selectors must be selectors of pairsift such as ReliefFSc(), or "
                    f"(name, selector) tuples, got {member!r}."
                )
            if not isinstance(name, str) or "__" in name or name in own:
                raise ValueError(
                    "names of selectors must be text without a double underscore, and "
                    f"no parameter of RankEnsemble, got {name!r}."
                )
            if names.count(name) > 1:
                raise ValueError(f"names of selectors must differ, got {name!r} twice.")
        return members

    def _shares(self, n_members: int) -> FloatArray:
        """Return the weights, made to add up to 1."""
        if self.weights is None:
            return np.full(n_members, 1.0 / n_members)
        weights = np.asarray(self.weights, dtype=np.float64)
        is_possible = weights.shape == (n_members,) and np.isfinite(weights).all()
        if not is_possible or (weights < 0.0).any() or weights.sum() == 0.0:
            raise ValueError(
                f"weights must be {n_members} numbers, one per selector, not negative "
                f"and not all 0, got {self.weights!r}."
            )
        return weights / weights.sum()

    def _combined(
        self, scores: FloatArray, merits: FloatArray, weights: FloatArray
    ) -> FloatArray:
        n_features = scores.shape[1]
        mean_ranks = _weighted(weights, self.ranks_)
        if self.method == "mean-rank":
            return -mean_ranks
        if self.method == "mean-score":
            return _weighted(weights, np.array([_scaled(row) for row in scores]))
        if self.method == "borda":
            top = n_features if self.top is None else self.top
            return _weighted(weights, np.maximum(top + 1.0 - self.ranks_, 0.0))
        top = self.top
        if top is None:
            top = (n_features + 1) // 2
            if self.n_features_to_select is not None:
                top = self._number_to_select(n_features)
        votes = _weighted(weights, np.array([_votes(row, top) for row in merits]))
        gaps = np.diff(np.unique(votes.round(12)))
        smallest = gaps.min() if gaps.size else 1.0
        return votes + 0.5 * smallest * (1.0 - mean_ranks / (n_features + 1.0))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        inner = [get_tags(member).input_tags for _, member in self._members()]
        tags.input_tags.allow_nan = all(member.allow_nan for member in inner)
        tags.input_tags.categorical = all(member.categorical for member in inner)
        return tags


def _named(selectors: Sequence[Any]) -> list[tuple[str, Any]]:
    """Name members by their classes, numbered where one comes twice."""
    bare = [type(s).__name__.lower() for s in selectors if not isinstance(s, tuple)]
    members, numbers = [], dict.fromkeys(bare, 0)
    for selector in selectors:
        if isinstance(selector, tuple) and len(selector) == 2:
            members.append((selector[0], selector[1]))
            continue
        name = type(selector).__name__.lower()
        numbers[name] = numbers.get(name, 0) + 1
        number = f"-{numbers[name]}" if bare.count(name) > 1 else ""
        members.append((f"{name}{number}", selector))
    return members


def _fit_member(
    name: str,
    member: BaseScoreSelector,
    X: Any,
    y: Any,
    given: dict[str, Any],
) -> BaseScoreSelector:
    try:
        fitted: BaseScoreSelector = clone(member)
        return fitted.fit(X, y, **given)
    except (TypeError, ValueError) as error:
        raise type(error)(f"selector {name!r} of RankEnsemble: {error}") from error


def _weighted(weights: FloatArray, values: FloatArray) -> FloatArray:
    return (weights[:, None] * values).sum(axis=0)


def _scaled(scores: FloatArray) -> FloatArray:
    """Scale finite scores to [0, 1]; the infinite ones are 0 and 1."""
    finite = scores[np.isfinite(scores)]
    scaled = np.where(scores > 0.0, 1.0, 0.0)
    if finite.size:
        low, high = finite.min(), finite.max()
        values = np.full(finite.size, 0.5)
        if high > low:
            # Halves first: the difference of large numbers may overflow.
            values = (finite / 2 - low / 2) / (high / 2 - low / 2)
        scaled[np.isfinite(scores)] = values
    return scaled


def _votes(scores: FloatArray, top: int) -> FloatArray:
    """1 for the first `top` features; those tied over the last place share it."""
    before = _ranks(scores, "min") - 1
    until = _ranks(scores, "max")
    return np.clip(top - before, 0, until - before) / (until - before)


def _ranks(scores: FloatArray, method: str) -> FloatArray:
    """Rank scores, 1 is best; those that agree up to rounding are tied."""
    return rankdata(-score_levels(scores), method=method)
