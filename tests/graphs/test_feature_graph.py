"""The feature graph against trying all sets of columns, and its certificate."""

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from pairsift._kernels.graph import _feature_graph
from pairsift.graphs import feature_graph
from pairsift.graphs._feature_graph import distinct_columns, rebuild_columns
from tests.reference import feature_graph as reference

KINDS = [("simplex", 1.0), ("lasso", 0.1), ("lasso", 0.003)]


def objective(X, i, s, kind, alpha):
    fit = ((X[:, i] - X @ s) ** 2).mean() / 2
    return fit + (alpha * abs(s).sum() if kind == "lasso" else 0.0)


@pytest.mark.parametrize(("kind", "alpha"), KINDS)
@pytest.mark.parametrize("shape", [(12, 5), (4, 6), (2, 3), (9, 2)])
def test_weights_agree_with_all_sets_of_columns(rng, kind, alpha, shape):
    X = rng.random(shape)
    weights, gaps = rebuild_columns(X, kind=kind, alpha=alpha, tol=1e-13)
    for i, s in enumerate(weights.toarray()):
        penalty = alpha * len(X) if kind == "lasso" else 0.0
        expected, best = reference.rebuild(X, i, penalty, signed=kind == "lasso")
        assert_allclose(s.sum(), 1.0, rtol=1e-12)
        value = objective(X, i, s, kind, alpha)
        assert_allclose(value, best / len(X), rtol=1e-10, atol=1e-14)
        # More columns than rows: the minimum is not always at one point.
        if len(X) > X.shape[1]:
            assert_allclose(s, expected, rtol=1e-9, atol=1e-10)
    assert (gaps < 1e-12).all()


@pytest.mark.parametrize(("kind", "alpha"), KINDS)
def test_columns_that_depend_on_one_another(rng, kind, alpha):
    X = rng.integers(0, 3, size=(7, 6)).astype(np.float64)
    X[:, 3] = (X[:, 0] + X[:, 1]) / 2
    X[:, 5] = X[:, 0] - X[:, 1] + X[:, 2]
    weights, gaps = rebuild_columns(X, kind=kind, alpha=alpha, tol=1e-12)
    for i, s in enumerate(weights.toarray()):
        penalty = alpha * len(X) if kind == "lasso" else 0.0
        _, best = reference.rebuild(X, i, penalty, signed=kind == "lasso")
        assert_allclose(objective(X, i, s, kind, alpha), best / len(X), atol=1e-11)
    assert (gaps < 1e-11).all()


def test_similarity_by_hand():
    # Column 2 is a quarter of the way from 0 to 1, and the other two are nearest to it.
    a, b = np.array([0.0, 1.0, 1.0, 0.0]), np.array([1.0, 1.0, 0.0, 0.0])
    S, gaps = feature_graph(np.column_stack([a, b, 0.75 * a + 0.25 * b]))
    expected = [[0.0, 0.0, 0.875], [0.0, 0.0, 0.625], [0.875, 0.625, 0.0]]
    assert_allclose(S.toarray(), expected, atol=1e-14)
    assert_allclose(gaps, 0.0, atol=1e-15)


def test_lasso_uses_differences_that_the_simplex_cannot(rng):
    X = rng.random((30, 3))
    X = np.column_stack([X, X[:, 0] + X[:, 1] - X[:, 2]])
    simplex, _ = rebuild_columns(X)
    lasso, _ = rebuild_columns(X, kind="lasso", alpha=1e-6)
    assert_allclose(lasso.toarray()[3], [1.0, 1.0, -1.0, 0.0], atol=1e-3)
    assert simplex.min() >= 0.0


def test_lasso_with_a_large_penalty_is_the_simplex(rng):
    X = rng.random((25, 8))
    simplex, _ = feature_graph(X)
    lasso, _ = feature_graph(X, kind="lasso", alpha=10.0)
    assert_allclose(lasso.toarray(), simplex.toarray(), atol=1e-9)


@pytest.mark.parametrize(("kind", "alpha"), KINDS)
def test_gap_bounds_the_error_before_the_end(rng, kind, alpha):
    # A loose tolerance stops early: the objective is higher, by the gap at most.
    X = rng.random((40, 30))
    best, _ = rebuild_columns(X, kind=kind, alpha=alpha, tol=1e-13)
    errors, gaps = [], []
    for tol in (0.5, 0.05, 0.005):
        rough, gap = rebuild_columns(X, kind=kind, alpha=alpha, tol=tol)
        gaps.append(gap)
        errors.append(
            [
                objective(X, i, rough[[i]].toarray()[0], kind, alpha)
                - objective(X, i, best[[i]].toarray()[0], kind, alpha)
                for i in range(30)
            ]
        )
    assert (np.array(errors) <= np.array(gaps) + 1e-14).all()
    assert (np.array(errors) >= -1e-14).all()
    assert np.mean(errors[0]) > np.mean(errors[1]) > np.mean(errors[2]) > 1e-9


def test_gap_is_that_of_frank_and_wolfe(rng):
    X = rng.random((40, 12))
    weights, gaps = rebuild_columns(X, tol=0.05)
    for i, s in enumerate(weights.toarray()):
        gradient = X.T @ (X @ s - X[:, i]) / len(X)
        expected = gradient @ s - np.delete(gradient, i).min()
        assert_allclose(gaps[i], expected, rtol=1e-10, atol=1e-14)
    assert gaps.max() > 1e-4


def test_missed_tolerance_is_told(rng):
    with pytest.warns(RuntimeWarning, match="gap of feature .* wanted tol=1.0e-30"):
        feature_graph(rng.random((20, 6)), tol=1e-30)


@settings(deadline=None, max_examples=25)
@given(seed=st.integers(0, 10_000), kind=st.sampled_from(["simplex", "lasso"]))
def test_order_of_rows_and_columns_does_not_matter(seed, kind):
    rng = np.random.default_rng(seed)
    X = rng.random((rng.integers(2, 30), rng.integers(2, 10)))
    columns = rng.permutation(X.shape[1])
    S, _ = feature_graph(X, kind=kind, alpha=0.01)
    mixed, _ = feature_graph(
        X[rng.permutation(len(X))][:, columns], kind=kind, alpha=0.01
    )
    assert_allclose(mixed.toarray(), S.toarray()[np.ix_(columns, columns)], atol=1e-8)


@settings(deadline=None, max_examples=25)
@given(seed=st.integers(0, 10_000), scale=st.sampled_from([1e-3, 1.0, 1e4]))
def test_units_and_shifts_common_to_all_columns_do_not_matter(seed, scale):
    rng = np.random.default_rng(seed)
    X = rng.random((15, 6))
    S, _ = feature_graph(X)
    moved, _ = feature_graph(scale * (X + 5.0 * rng.random((15, 1))))
    assert_allclose(moved.toarray(), S.toarray(), atol=1e-8)


@settings(deadline=None, max_examples=25)
@given(seed=st.integers(0, 10_000), kind=st.sampled_from(["simplex", "lasso"]))
def test_copies_change_nothing_else(seed, kind):
    rng = np.random.default_rng(seed)
    X = rng.random((12, 5))
    S, gaps = feature_graph(X, kind=kind)
    copied = np.append(np.arange(5), rng.integers(0, 5, size=4))
    more, more_gaps = feature_graph(X[:, copied], kind=kind)
    expected = S.toarray()[np.ix_(copied, copied)]
    expected[copied[:, None] == copied[None, :]] = 1.0
    np.fill_diagonal(expected, 0.0)
    assert_allclose(more.toarray(), expected, atol=1e-12)
    assert_allclose(more_gaps, gaps[copied], atol=1e-14)


def test_constant_columns_are_like_nothing_but_their_copies(rng):
    X = rng.random((10, 6))
    X[:, 1] = X[:, 4] = 2.0
    X[:, 2] = 0.0
    S, gaps = feature_graph(X)
    dense = S.toarray()
    assert dense[1, 4] == dense[4, 1] == 1.0
    dense[1, 4] = dense[4, 1] = 0.0
    assert not dense[[1, 2, 4]].any()
    assert_array_equal(gaps[[1, 2, 4]], 0.0)
    alone, _ = feature_graph(X[:, [0, 3, 5]])
    assert_allclose(dense[np.ix_([0, 3, 5], [0, 3, 5])], alone.toarray(), atol=1e-14)


@pytest.mark.parametrize(
    ("X", "expected"),
    [
        ([[1.0], [2.0]], [[0.0]]),
        ([[1.0, 2.0], [2.0, 2.5]], [[0.0, 1.0], [1.0, 0.0]]),
        ([[1.0, 1.0], [2.0, 2.0]], [[0.0, 1.0], [1.0, 0.0]]),
        ([[1.0, 0.0], [2.0, 0.0]], [[0.0, 0.0], [0.0, 0.0]]),
        ([[0.0, 0.0], [0.0, 0.0]], [[0.0, 1.0], [1.0, 0.0]]),
        ([[0.0, -0.0, 1.0]], [[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 0.0]]),
    ],
    ids=["one", "two", "equal", "one constant", "zeros", "one row"],
)
@pytest.mark.parametrize("kind", ["simplex", "lasso"])
def test_few_columns(X, expected, kind):
    S, gaps = feature_graph(np.array(X), kind=kind)
    assert_array_equal(S.toarray(), expected)
    assert_allclose(gaps, 0.0, atol=1e-14)


@pytest.mark.parametrize("n_samples", [3, 10, 60])
@pytest.mark.parametrize("alpha", [None, 1e-2, 1e-4, 1e-6])
def test_nearly_equal_columns_are_solved_to_the_end(rng, n_samples, alpha):
    # A spectrum: neighbouring columns hardly differ, and most rows are few.
    steps = 0.01 * rng.normal(size=(n_samples, 80))
    X = np.cumsum(steps, axis=1) + rng.normal(size=(n_samples, 1))
    X = (X - X.min(axis=0)) / np.ptp(X, axis=0)
    options = {} if alpha is None else {"kind": "lasso", "alpha": alpha}
    weights, gaps = rebuild_columns(X, tol=1e-9, **options)
    assert (gaps < 1e-9).all()
    assert_allclose(weights.sum(axis=1), 1.0, rtol=1e-12)
    assert ((weights != 0).sum(axis=1) <= n_samples + 1).all()


def test_memory_form_does_not_matter(rng):
    X = np.round(8 * rng.random((20, 7))) / 8
    S, gaps = feature_graph(X)
    for form in (np.asfortranarray(X), X.astype(np.float32), X.tolist()):
        again, again_gaps = feature_graph(form)
        assert_array_equal(again.toarray(), S.toarray())
        assert_array_equal(again_gaps, gaps)


def test_blocks_and_threads_give_equal_bits(rng, monkeypatch):
    X = rng.random((30, 40))
    S, gaps = feature_graph(X, n_jobs=1)
    monkeypatch.setattr("pairsift.graphs._feature_graph.FEATURES_AT_ONCE", 7)
    again, again_gaps = feature_graph(X, n_jobs=3)
    assert_array_equal(again.toarray(), S.toarray())
    assert_array_equal(again_gaps, gaps)
    monkeypatch.setattr("pairsift.graphs._feature_graph.ROWS_AT_ONCE", 7)
    assert_allclose(feature_graph(X)[0].toarray(), S.toarray(), atol=1e-10)


def test_inverse_renewed_is_the_inverse(rng):
    A = rng.random((9, 6))
    gram = A.T @ A
    members = np.array([4, 0, 3])
    inverse = np.full((7, 7), np.nan)
    _feature_graph._renew(gram, members, inverse, 3)
    expected = np.linalg.inv(gram[np.ix_(members, members)])
    assert_allclose(inverse[:3, :3], expected, rtol=1e-9)


def test_distinct_columns_are_counted_in_order():
    X = np.array([[1.0, 0.0, 1.0, -0.0], [2.0, 3.0, 2.0, 3.0]])
    columns, copy_of = distinct_columns(X)
    assert_array_equal(columns, [0, 1])
    assert_array_equal(copy_of, [0, 1, 0, 1])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"kind": "tree"}, "kind must be one of 'simplex', 'lasso', got 'tree'"),
        ({"alpha": 0.0}, "alpha must be a positive number, got 0.0"),
        ({"tol": -1.0}, "tol must be a positive number, got -1.0"),
        ({"X": [[np.nan, 1.0]]}, "X contains NaN"),
        ({"X": [[1e200, 1.0]]}, "squares overflow: scale it first"),
        ({"X": np.zeros((1, 20_001))}, "X has 20001 features, .* at most 20000"),
    ],
)
def test_impossible_arguments_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        feature_graph(**{"X": np.eye(3)} | arguments)
