"""Sparse data: the scores of the dense array, from blocks of any size."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.base import clone

import pairsift
from pairsift import (
    MRMR,
    ConstraintScore1,
    ConstraintScore2,
    FisherScore,
    PairConstraints,
    PairLogistic,
    VarianceScore,
    _blocks,
)

N_ROWS, N_FEATURES = 50, 9
RNG = np.random.default_rng(0)
Y = RNG.integers(0, 3, N_ROWS)
COUNTS = RNG.poisson(0.4 + 0.6 * (Y[:, None] == np.arange(N_FEATURES) % 4)).astype(
    float
)
COUNTS[:, 5], COUNTS[:, 6] = 0.0, 2.0
SOME = np.where(np.arange(N_ROWS) % 3 == 0, -1, Y)
PAIRS = PairConstraints.sample(Y, n_must_link=12, n_cannot_link=12, random_state=0)
CASES = {
    "variance": (VarianceScore(3), {}),
    "fisher": (FisherScore(3), {"y": SOME}),
    "constraint-1": (ConstraintScore1(3), {"constraints": PAIRS}),
    "constraint-1 labels": (ConstraintScore1(3), {"y": SOME}),
    "constraint-2": (ConstraintScore2(3), {"constraints": PAIRS}),
    "pair-logistic": (PairLogistic(3, n_penalties=9), {"constraints": PAIRS}),
    "mrmr": (MRMR(3, estimator="correlation"), {"y": SOME}),
    "mrmr auto": (MRMR("auto", estimator="correlation"), {"y": SOME}),
}


@pytest.fixture(params=[1, 7, 1000])
def rows_at_once(request, monkeypatch):
    monkeypatch.setattr(_blocks, "DENSE_BYTES", 8 * N_FEATURES * request.param)


def messy(X):
    """Return CSR with explicit zeros, unsorted indices and a cell in two parts."""
    rows, columns = np.indices(X.shape).reshape(2, -1)
    order = np.lexsort((-columns, rows))
    data = np.append(X[rows, columns][order], [0.0])
    starts = np.arange(len(X) + 1) * X.shape[1]
    starts[-1] += 1
    places = np.append(columns[order], [0])
    data[-1], data[-2] = 0.25 * X[-1, 0], 0.75 * X[-1, 0]
    return sparse.csr_matrix((data, places, starts), shape=X.shape)


@pytest.mark.parametrize("name", CASES)
def test_scores_are_those_of_the_dense_array(name, rows_at_once):
    selector, how = CASES[name]
    dense = fitted(selector, COUNTS, how)
    rows = sparse.csr_array(COUNTS)
    found = fitted(selector, rows, how)
    assert_allclose(found.scores_, dense.scores_, rtol=1e-10, atol=1e-12)
    assert_array_equal(found.support_, dense.support_)
    chosen = found.transform(rows)
    assert sparse.issparse(chosen)
    assert_array_equal(chosen.toarray(), dense.transform(COUNTS))


def fitted(selector, X, how):
    return clone(selector).fit(X, **how)


@pytest.mark.parametrize(
    "given",
    [
        messy,
        sparse.csc_matrix,
        sparse.coo_array,
        sparse.lil_array,
        lambda X: sparse.csr_array(X.astype(np.float32)),
        lambda X: sparse.csr_matrix(X.astype(np.int16)),
    ],
)
def test_any_format_and_type(given):
    X = given(COUNTS)
    before = X.copy()
    scores = FisherScore().fit(X, Y).scores_
    assert_allclose(scores, FisherScore().fit(COUNTS, Y).scores_, rtol=1e-10)
    assert X.nnz == before.nnz
    assert X.dtype == before.dtype
    assert (before != X).nnz == 0


def test_flags():
    X = COUNTS > 0
    scores = VarianceScore().fit(sparse.csr_matrix(X)).scores_
    assert_allclose(scores, X.var(axis=0), atol=1e-15)


def test_a_row_and_a_column_without_any_stored_cell():
    X = np.array([[0.0, 0.0], [0.0, 3.0], [0.0, -3.0]])
    scores = VarianceScore().fit(sparse.csr_matrix(X)).scores_
    assert_array_equal(scores, [0.0, 6.0])


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_what_is_not_finite_is_refused(bad):
    X = COUNTS.copy()
    X[2, 3] = bad
    with pytest.raises(ValueError, match="NaN|infinity"):
        FisherScore().fit(sparse.csr_matrix(X), Y)


def test_other_selectors_are_refused_by_name():
    X = sparse.csr_matrix(COUNTS)
    taken = pairsift.methods().query("sparse")["class"]
    assert set(taken) == {type(selector).__name__ for selector, _ in CASES.values()}
    for selector in (pairsift.ReliefF(), MRMR(), pairsift.ConstraintScore3()):
        name = type(selector).__name__
        with pytest.raises(TypeError, match=f"{name} takes dense .*sparse_output=F"):
            selector.fit(X, Y)
    with pytest.raises(TypeError, match="ActiveSession takes dense"):
        pairsift.ActiveSession(X)


def test_missing_values_and_predictions_of_the_pair_model():
    X = COUNTS.copy()
    X[4, 2] = np.nan
    both = [
        PairLogistic(3, n_penalties=9).fit(given, constraints=PAIRS)
        for given in (X, sparse.csr_matrix(X))
    ]
    assert_allclose(both[1].scores_, both[0].scores_, rtol=1e-10)
    X = COUNTS
    dense, found = (
        PairLogistic(3, n_penalties=9).fit(given, constraints=PAIRS)
        for given in (X, sparse.csr_matrix(X))
    )
    said = PAIRS.cannot_link[:2]
    expected = dense.predict_link_proba(said)
    assert_allclose(found.predict_link_proba(said), expected)
    asked = [(0, 1), (3, 17)]
    expected = dense.predict_link_proba(asked, X)
    assert_allclose(found.predict_link_proba(asked, sparse.coo_array(X)), expected)
    doubts = [
        m.doubtful_answers(given, constraints=PAIRS, threshold=0.5)
        for m, given in ((dense, X), (found, sparse.csc_array(X)))
    ]
    assert [d[:3] for d in doubts[0]] == [d[:3] for d in doubts[1]]
    assert doubts[0]


def test_no_more_than_a_block_is_dense_at_once(monkeypatch):
    monkeypatch.setattr(_blocks, "DENSE_BYTES", 8 * N_FEATURES * 6)
    seen = []
    dense = _blocks._dense
    monkeypatch.setattr(
        _blocks, "_dense", lambda X: seen.append(X.shape[0]) or dense(X)
    )
    X = sparse.csr_matrix(COUNTS)
    for name in ("variance", "fisher", "constraint-1", "constraint-2", "mrmr"):
        selector, how = CASES[name]
        clone(selector).fit(X, **how)
    assert max(seen) == 6
