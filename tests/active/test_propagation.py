"""Constraints that spread."""

import pickle
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose

from pairsift import ConstraintError, PairConstraints, ReliefFSc
from pairsift.active import propagate
from pairsift.active._graph import self_tuning_graph
from tests.reference import active as reference


def problem(seed=0, n_samples=30):
    rng = np.random.default_rng(seed)
    y = np.arange(n_samples) % 2
    X = rng.normal(size=(n_samples, 3)) + 2.0 * y[:, None]
    return X, y


def dense(S):
    return S if isinstance(S, np.ndarray) else S.toarray()


@pytest.mark.parametrize("graph", ["full", "knn"])
@pytest.mark.parametrize("alpha", [0.2, 0.9, 0.99])
@pytest.mark.parametrize("kind", ["must", "cannot"])
def test_spread_pairs_are_those_of_the_closed_form(graph, alpha, kind):
    X, y = problem()
    pairs = PairConstraints.sample(y, 4, 4, random_state=1)
    given = {"must": pairs.must_link, "cannot": pairs.cannot_link}[kind]
    c = PairConstraints(**{f"{kind}_link": given}, n_samples=30)
    result = propagate(c, X, graph=graph, alpha=alpha, links=kind, n_neighbors=4)
    G = reference.propagated(dense(self_tuning_graph(X, graph, 4)), given, alpha)
    tau = G.max(axis=1).mean()
    expected = {
        (n, m) for n in range(30) for m in range(n + 1, 30) if G[n, m] >= tau
    } | set(map(tuple, given.tolist()))
    spread = {"must": result.must_link, "cannot": result.cannot_link}[kind]
    confidence = {
        "must": result.must_confidence,
        "cannot": result.cannot_confidence,
    }[kind]
    assert set(map(tuple, spread.tolist())) == expected
    assert_allclose(confidence, G[spread[:, 0], spread[:, 1]], rtol=1e-8)


@pytest.mark.parametrize("graph", ["full", "knn"])
@pytest.mark.parametrize("links", ["must", "cannot"])
def test_similarities_may_be_those_that_answers_changed(graph, links):
    X, y = problem()
    pairs = PairConstraints.sample(y, 4, 4, random_state=1)
    # Neighbours too, so that edges of the sparse graph change.
    near = PairConstraints(cannot_link=[(0, 1)], n_samples=30)
    c = pairs if links == "must" else pairs | near
    options = {"graph": graph, "alpha": 0.9, "links": links, "n_neighbors": 4}
    result = propagate(c, X, similarity="answered", **options)
    S = reference.answered(
        dense(self_tuning_graph(X, graph, 4)), c.must_link, c.cannot_link
    )
    given = c.must_link if links == "must" else c.cannot_link
    G = reference.propagated(S, given, 0.9)
    spread = result.must_link if links == "must" else result.cannot_link
    confidence = {"must": result.must_confidence, "cannot": result.cannot_confidence}
    assert_allclose(confidence[links], G[spread[:, 0], spread[:, 1]], rtol=1e-8)
    before = propagate(c, X, **options)
    assert before == propagate(c, X, similarity="before", **options)
    assert before != result


def test_answers_left_out_are_not_in_the_similarities():
    X, y = problem(n_samples=80)
    c = PairConstraints.sample(y, 25, 25, random_state=1)
    options = {"alpha": 0.9, "links": "must"}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        before, after = (
            propagate(c, X, similarity=similarity, **options).held_out[0]
            for similarity in ("before", "answered")
        )
    assert 0.0 < before.auc == after.auc
    assert before.chance != after.chance


def test_far_clusters_are_not_joined():
    rng = np.random.default_rng(0)
    X = np.concatenate([rng.normal(size=(12, 2)), rng.normal(size=(12, 2)) + 14])
    c = PairConstraints(cannot_link=[(0, 1), (0, 15)], n_samples=24)
    result = propagate(c, X)
    S = self_tuning_graph(X, "full", 7)
    G = reference.propagated(S, c.cannot_link, 0.99)
    n, m = result.cannot_link.T
    assert_allclose(result.cannot_confidence, G[n, m], rtol=1e-8)


def test_threshold_may_be_a_number():
    X, _ = problem()
    c = PairConstraints(cannot_link=[(0, 1)], n_samples=30)
    many = propagate(c, X, alpha=0.9, threshold=1e-9)
    least = float(np.sort(many.cannot_confidence)[-3])
    few = propagate(c, X, alpha=0.9, threshold=least)
    assert few.n_cannot_link == 3
    assert propagate(c, X, threshold=1e9).cannot_link.tolist() == [[0, 1]]


def test_small_blocks_find_the_same(monkeypatch):
    X, y = problem()
    c = PairConstraints.sample(y, 5, 0, random_state=0)
    expected = propagate(c, X)
    monkeypatch.setattr("pairsift.active._propagation.BLOCK_CELLS", 4000)
    again = propagate(c, X)
    assert again == expected
    assert_allclose(again.cannot_confidence, expected.cannot_confidence, rtol=1e-12)


def test_given_constraints_stay_and_are_not_contradicted():
    X, _ = problem()
    # Near rows told apart: their neighbourhoods would be told apart, too.
    c = PairConstraints([(0, 2), (2, 4), (4, 6)], [(0, 1), (8, 10)], n_samples=30)
    for links in ("cannot", "must", "both"):
        result = propagate(c, X, links=links, alpha=0.99)
        for kind in ("must_link", "cannot_link"):
            kept = set(map(tuple, getattr(result, kind).tolist()))
            assert set(map(tuple, getattr(c, kind).tolist())) <= kept
        result.check_consistent()
        selector = ReliefFSc(n_neighbors=3).fit(X, constraints=result)
        assert selector.n_constraints_used_ == result.n_cannot_link


def test_of_contradicting_pairs_the_more_confident_stay():
    X = np.array([[0.0], [0.1], [5.0], [5.1], [0.05], [5.05]])
    c = PairConstraints([(0, 1), (2, 3)], [(0, 2)], n_samples=6)
    result = propagate(c, X, links="both", n_neighbors=2, threshold=1e-6)
    result.check_consistent()
    assert result.n_must_link > 2
    assert result.n_cannot_link > 1


def test_result_is_a_pair_constraints_with_confidences():
    X, _ = problem()
    c = PairConstraints(cannot_link=[(0, 1)], n_samples=30)
    result = propagate(c, X)
    assert isinstance(result, PairConstraints)
    again = pickle.loads(pickle.dumps(result))
    assert again == result
    assert_allclose(again.cannot_confidence, result.cannot_confidence)
    assert len(result.cannot_confidence) == result.n_cannot_link


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"alpha": 1.0}, "alpha must be above 0 and below 1, got 1.0"),
        ({"alpha": 0}, "alpha must be above 0 and below 1, got 0"),
        ({"graph": "star"}, "graph must be one of"),
        ({"threshold": "max"}, "threshold must be 'mean-row-max' or a positive number"),
        ({"threshold": -1.0}, "threshold must be 'mean-row-max' or a positive number"),
        ({"links": "all"}, "links must be one of 'cannot', 'must', 'both', got 'all'"),
        ({"links": "must"}, "links='must' has nothing to spread"),
        ({"n_neighbors": 0}, "n_neighbors must be a whole number"),
        (
            {"similarity": "after"},
            "similarity must be one of 'before', 'answered', got 'after'",
        ),
    ],
)
def test_wrong_arguments_are_named(arguments, message):
    X, _ = problem()
    c = PairConstraints(cannot_link=[(0, 1)], n_samples=30)
    with pytest.raises(ValueError, match=message):
        propagate(c, X, **arguments)


def test_constraints_of_other_data_are_refused():
    X, _ = problem()
    with pytest.raises(ConstraintError, match="refer to 29 samples, but X has 30"):
        propagate(PairConstraints(cannot_link=[(0, 1)], n_samples=29), X)
    with pytest.raises(ConstraintError, match="must be a PairConstraints, got list"):
        propagate([(0, 1)], X)


def test_frame_in_another_order_than_the_ids_is_refused(rng):
    X = pd.DataFrame(rng.random((6, 2)), index=list("abcdef"))
    c = PairConstraints(cannot_link=[("a", "d")], ids=X.index)
    assert propagate(c, X).ids == c.ids
    with pytest.raises(ConstraintError, match="or another order, by its index"):
        propagate(c, X[::-1])


def test_likely_slips_are_told_how_to_write_it():
    X, _ = problem()
    c = PairConstraints(cannot_link=[(0, 1)], n_samples=30)
    with pytest.raises(ConstraintError, match=r"write propagate\(constraints, X\)"):
        propagate(X, c)
    for path in ("wine.csv", Path("wine.csv")):
        with pytest.raises(TypeError, match="X is the text .*read_csv"):
            propagate(c, path)


def test_ids_of_the_given_pairs_are_kept():
    X, _ = problem()
    ids = [f"row {i}" for i in range(30)]
    c = PairConstraints(cannot_link=[("row 0", "row 1")], ids=ids)
    result = propagate(c, X)
    assert ("row 0", "row 1", "cannot") in list(result)
    assert pickle.loads(pickle.dumps(result)).ids == tuple(ids)


def test_more_pairs_than_can_be_listed_are_refused(monkeypatch):
    monkeypatch.setattr("pairsift.active._propagation.MAX_PAIRS", 5)
    X, _ = problem()
    c = PairConstraints(cannot_link=[(0, 1)], n_samples=30)
    with pytest.raises(ConstraintError, match="more than 5 pairs reach threshold"):
        propagate(c, X)
