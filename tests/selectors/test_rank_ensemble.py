"""RankEnsemble: members, names, and what each way of combining means."""

import pickle
from typing import ClassVar

import numpy as np
import pandas as pd
import pytest
import sklearn
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.feature_selection import SelectKBest
from sklearn.model_selection import GridSearchCV, KFold, cross_validate
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.utils import get_tags

from pairsift import (
    ConstraintError,
    ConstraintScore1,
    FisherScore,
    GramSchmidt,
    LaplacianScore,
    PairConstraints,
    RankEnsemble,
    ReliefF,
    ReliefFSc,
    VarianceScore,
)
from pairsift.selectors._base import BaseScoreSelector
from tests.reference import rank_ensemble as reference
from tests.selectors.builders import problem

METHODS = ["mean-rank", "borda", "mean-score", "vote"]


class Given(BaseScoreSelector):
    """A member whose scores are given."""

    def __init__(self, scores=(), n_features_to_select=None):
        self.scores = scores
        self.n_features_to_select = n_features_to_select

    _parameter_constraints: ClassVar = {
        **BaseScoreSelector._parameter_constraints,
        "scores": "no_validation",
    }

    def _score(self, table, supervision):
        return np.array(self.scores, dtype=np.float64)


SCORES = {
    "random": [[0.3, 2.0, 0.7, -1.0, 0.1], [4.0, 1.0, 3.0, 2.0, 5.0]],
    "ties": [[1.0, 1.0, 0.0, 1.0, 0.0], [2.0, 2.0, 2.0, 2.0, 2.0], [1, 2, 3, 3, 3]],
    "infinite": [[-np.inf, 1.0, 2.0, -np.inf, np.inf], [0.0, 3.0, -2.0, 1.0, -np.inf]],
    "only infinite": [[-np.inf, np.inf, np.inf], [1.0, 2.0, 3.0]],
    "alone": [[3.0, 1.0, 2.0]],
}


def fitted(scores, **parameters):
    members = [(f"m{i}", Given(row)) for i, row in enumerate(scores)]
    return RankEnsemble(members, **parameters).fit(np.eye(6)[:, : len(scores[0])])


@pytest.mark.parametrize("method", ["mean-rank", "borda", "mean-score"])
@pytest.mark.parametrize("top", [None, 1, 2])
@pytest.mark.parametrize("name", SCORES)
def test_combination_agrees_with_plain_loops(name, method, top):
    scores = SCORES[name]
    for weights in (None, list(range(1, len(scores) + 1))):
        ensemble = fitted(scores, method=method, top=top, weights=weights)
        expected = reference.combine(
            scores, method, weights or [1] * len(scores), top=top
        )
        assert_allclose(ensemble.scores_, expected, rtol=1e-12, atol=1e-14)
        ranks = [reference.ranks(row) for row in scores]
        assert_array_equal(ensemble.ranks_, ranks)


@pytest.mark.parametrize("top", [1, 2, 3])
@pytest.mark.parametrize("name", SCORES)
def test_votes_come_first_and_mean_ranks_break_their_ties(name, top):
    scores = SCORES[name]
    ensemble = fitted(scores, method="vote", top=top)
    votes = reference.combine(scores, "vote", [1] * len(scores), top=top)
    means = reference.combine(scores, "mean-rank", [1] * len(scores))
    keys = [
        (-round(v, 9), -round(m, 9), j)
        for j, (v, m) in enumerate(zip(votes, means, strict=True))
    ]
    assert_array_equal(ensemble.order_, [j for *_, j in sorted(keys)])
    above = ensemble.scores_ - votes
    assert (above >= 0).all()
    distinct = np.unique(np.round(votes, 9))
    if distinct.size > 1:
        assert above.max() < np.diff(distinct).min() / 2 + 1e-9


def test_top_of_the_votes_is_the_number_to_select_or_half():
    scores = [[6.0, 5, 4, 3, 2, 1], [1.0, 2, 3, 4, 5, 6]]
    for wanted, top in ((None, 3), (2, 2), (0.5, 3)):
        ensemble = fitted(scores, method="vote", n_features_to_select=wanted)
        same = fitted(scores, method="vote", n_features_to_select=wanted, top=top)
        assert_array_equal(ensemble.scores_, same.scores_)


def test_members_learn_from_what_each_of_them_wants():
    X, y = problem()
    labels = np.where(np.arange(40) % 3 < 2, y + 1, -1)
    c = PairConstraints.sample(y, 12, 7, random_state=0)
    members = [ReliefFSc(), ConstraintScore1(), FisherScore(), LaplacianScore()]
    ensemble = RankEnsemble(members).fit(X, labels, constraints=c)
    expected = [
        ReliefFSc().fit(X, constraints=c),
        ConstraintScore1().fit(X, constraints=c),
        FisherScore().fit(X, labels),
        LaplacianScore().fit(X),
    ]
    for member, alone in zip(ensemble.selectors_, expected, strict=True):
        assert_array_equal(member.scores_, alone.scores_)
    assert_array_equal(ensemble.ranks_, [alone.ranking_ for alone in expected])
    assert ensemble.n_constraints_used_ == 19
    assert not hasattr(members[0], "scores_")


def test_default_is_a_constrained_and_an_unsupervised_member():
    X, y = problem()
    c = PairConstraints.sample(y, 12, random_state=0)
    ensemble = RankEnsemble().fit(X, constraints=c)
    assert [type(m) for m in ensemble.selectors_] == [ReliefFSc, LaplacianScore]
    explicit = RankEnsemble([ReliefFSc(), LaplacianScore()]).fit(X, constraints=c)
    assert_array_equal(ensemble.scores_, explicit.scores_)


def test_members_are_named_by_their_classes_or_by_hand():
    plain = RankEnsemble([ReliefFSc(), VarianceScore(), ReliefFSc(n_neighbors=2)])
    names = {"relieffsc-1", "relieffsc-2", "variancescore"}
    assert names <= set(plain.get_params())
    assert plain.get_params()["relieffsc-2__n_neighbors"] == 2
    assert not names & set(plain.get_params(deep=False))
    named = RankEnsemble([("a", ReliefFSc()), ("b", VarianceScore())])
    assert {"a", "b", "a__n_neighbors"} <= set(named.get_params())
    mixed = RankEnsemble([("a", ReliefFSc()), VarianceScore()])
    assert {"a", "variancescore"} <= set(mixed.get_params())


def test_parameters_and_members_are_set_by_name():
    ensemble = RankEnsemble([ReliefFSc(), VarianceScore()])
    ensemble.set_params(relieffsc__n_neighbors=3, top=4)
    assert ensemble.selectors[0].n_neighbors == 3
    assert ensemble.top == 4
    ensemble.set_params(variancescore=LaplacianScore())
    assert isinstance(dict(ensemble.selectors)["variancescore"], LaplacianScore)
    ensemble.set_params(selectors=[("x", FisherScore())], x__n_features_to_select=2)
    assert ensemble.selectors[0][1].n_features_to_select == 2
    with pytest.raises(ValueError, match="Invalid parameter 'unknown'"):
        ensemble.set_params(unknown=1)


def test_clone_and_pickle_keep_members_apart():
    X, y = problem()
    ensemble = RankEnsemble([("a", ReliefF(n_neighbors=3)), FisherScore()], 2).fit(X, y)
    twin = clone(ensemble)
    assert twin.selectors[0][1] is not ensemble.selectors[0][1]
    assert twin.selectors[0][1].n_neighbors == 3
    assert_array_equal(twin.fit(X, y).scores_, ensemble.scores_)
    again = pickle.loads(pickle.dumps(ensemble))
    assert_array_equal(again.ranks_, ensemble.ranks_)
    assert_array_equal(again.transform(X), ensemble.transform(X))


def test_data_that_all_members_take_is_taken():
    X, y = problem()
    frame = pd.DataFrame(X, columns=list("abcdef"))
    frame.iloc[3, 2] = np.nan
    frame["colour"] = np.where(y == 1, "red", "blue")
    relief = RankEnsemble([ReliefF(), ReliefFSc()])
    assert get_tags(relief).input_tags.allow_nan
    assert get_tags(relief).input_tags.categorical
    relief.fit(frame, y)
    assert_array_equal(relief.feature_names_in_, frame.columns)
    assert_array_equal(relief.selectors_[0].scores_, ReliefF().fit(frame, y).scores_)
    mixed = RankEnsemble([ReliefF(), FisherScore()])
    assert not get_tags(mixed).input_tags.allow_nan
    with pytest.raises(
        ValueError, match="selector 'fisherscore' of RankEnsemble.*colour"
    ):
        mixed.fit(frame, y)
    with pytest.raises(ValueError, match="'fisherscore' of RankEnsemble.*contains NaN"):
        mixed.fit(frame.drop(columns="colour"), y)


def test_member_that_fails_is_named():
    X, _ = problem()
    with pytest.raises(
        ConstraintError,
        match="selector 'pairs' of RankEnsemble: ReliefFSc needs cannot",
    ):
        RankEnsemble([LaplacianScore(), ("pairs", ReliefFSc())]).fit(X)
    with pytest.raises(
        ValueError, match="'relieff-2' of RankEnsemble: The 'n_neighbors'"
    ):
        RankEnsemble([ReliefF(), ReliefF(n_neighbors=0)]).fit(X, np.arange(40) % 2)


def test_ensembles_and_searches_can_be_members():
    X, y = problem()
    inner = RankEnsemble([FisherScore(), GramSchmidt()])
    outer = RankEnsemble([("inner", inner), ("relief", ReliefF())]).fit(X, y)
    assert_array_equal(outer.selectors_[0].scores_, inner.fit(X, y).scores_)
    assert outer.get_params()["inner__fisherscore__n_features_to_select"] is None
    assert set(outer.order_[:2]) == {1, 4}


@pytest.mark.parametrize("method", METHODS)
def test_features_both_have_on_top_are_best(method):
    X, y = problem()
    c = PairConstraints.sample(y, 30, random_state=0)
    ensemble = RankEnsemble([ReliefFSc(), FisherScore()], 2, method=method)
    ensemble.fit(X, y, constraints=c)
    assert_array_equal(ensemble.get_support(indices=True), [1, 4])


def test_weight_zero_leaves_a_member_out():
    X, y = problem()
    both = RankEnsemble([FisherScore(), VarianceScore()], weights=[2, 0]).fit(X, y)
    assert_array_equal(both.order_, FisherScore().fit(X, y).order_)
    assert both.ranks_.shape == (2, 6)


def test_pairs_reach_the_members_of_every_fold():
    X, y = problem(n_samples=60)
    c = PairConstraints.sample(y, 60, random_state=0)
    with sklearn.config_context(enable_metadata_routing=True):
        pipeline = make_pipeline(
            RankEnsemble(n_features_to_select=2), KNeighborsClassifier()
        )
        found = cross_validate(
            pipeline,
            X,
            y,
            cv=KFold(4, shuffle=True, random_state=1),
            params={"constraints": c, "sample_ids": np.arange(60)},
            error_score="raise",
            return_estimator=True,
            return_indices=True,
        )
        for fold, rows in zip(
            found["estimator"], found["indices"]["train"], strict=True
        ):
            alone = ReliefFSc().fit(X[rows], constraints=c.subset(rows))
            assert_allclose(fold[0].selectors_[0].scores_, alone.scores_, rtol=1e-10)
        search = GridSearchCV(
            make_pipeline(
                RankEnsemble([ReliefFSc(), LaplacianScore()], 2), KNeighborsClassifier()
            ),
            {"rankensemble__relieffsc__n_neighbors": [2, 5]},
            cv=3,
            error_score="raise",
        )
        search.fit(X, y, constraints=c, sample_ids=np.arange(60))
    assert search.best_params_["rankensemble__relieffsc__n_neighbors"] in (2, 5)


@pytest.mark.parametrize(
    ("parameters", "error", "message"),
    [
        ({"selectors": []}, ValueError, "at least one selector, got none"),
        (
            {"selectors": [SelectKBest()]},
            TypeError,
            "selectors of pairsift.*SelectKBest",
        ),
        ({"selectors": [ReliefF]}, TypeError, "selectors of pairsift such as"),
        ({"selectors": ReliefF()}, ValueError, "'selectors' parameter of RankEnsemble"),
        (
            {"selectors": [("a", ReliefF()), ("a", FisherScore())]},
            ValueError,
            "names of selectors must differ, got 'a' twice",
        ),
        (
            {"selectors": [("a__b", ReliefF())]},
            ValueError,
            "without a double underscore",
        ),
        (
            {"selectors": [("top", ReliefF())]},
            ValueError,
            "no parameter of RankEnsemble",
        ),
        ({"weights": [1.0]}, ValueError, "weights must be 2 numbers, one per selector"),
        ({"weights": [1.0, -1.0]}, ValueError, "not negative"),
        ({"weights": [0.0, 0.0]}, ValueError, "not all 0"),
        ({"method": "median"}, ValueError, "'method' parameter of RankEnsemble"),
        ({"top": 0}, ValueError, "'top' parameter of RankEnsemble"),
    ],
)
def test_impossible_parameters_are_refused(parameters, error, message):
    X, y = problem()
    with pytest.raises(error, match=message):
        RankEnsemble(**parameters).fit(X, y)


def test_rounding_does_not_rank_features(rng):
    """Two columns of a lattice that other axes take over: equal but for rounding."""
    X = np.stack(np.meshgrid(*[np.arange(4.0)] * 3), axis=-1).reshape(-1, 3) / 3.0
    y = np.arange(len(X)) % 2
    selector = RankEnsemble([LaplacianScore(), LaplacianScore(graph="full")])
    order = rng.permutation(len(X))
    for rows in (np.arange(len(X)), order):
        ranks = selector.fit(X[rows], y[rows]).ranks_
        assert_array_equal(ranks, np.full((2, 3), 2.0))
