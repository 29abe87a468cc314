"""The sparse pair model against SciPy's minimiser, and its own conditions."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.optimize import minimize
from scipy.special import expit
from sklearn.exceptions import ConvergenceWarning

from pairsift import ConstraintError, PairConstraints, PairLogistic
from pairsift.scores import pair_logistic_path, pair_logistic_score
from pairsift.scores._pair_logistic import (
    held_out_losses,
    left_out_probabilities,
    path_scores,
)
from pairsift.scores._pair_model import Examples, PairProblem
from tests.reference import pair_logistic as reference
from tests.reference.margins import Delta


def problem(seed=0, n=30, d=6, n_examples=25, kinds=2):
    """Rows of classes told apart by two columns, and pairs with their answers."""
    rng = np.random.default_rng(seed)
    y = rng.integers(kinds, size=n)
    X = rng.normal(size=(n, d))
    X[:, 0] += 1.5 * y
    X[:, d - 1] -= y
    return X, *pairs_of(y, rng, n_examples)


def pairs_of(y, rng, n_examples):
    everything = np.column_stack(np.triu_indices(len(y), 1))
    some = everything[rng.permutation(len(everything))[:n_examples]]
    same = y[some[:, 0]] == y[some[:, 1]]
    return some[same], some[~same]


def table_of(X, must, cannot, **options):
    examples = [*map(tuple, must), *map(tuple, cannot)]
    return reference.differences(Delta(X, **options), examples, X.shape[1])


CASES = {
    "random": {},
    "one feature": {"d": 1},
    "more features than pairs": {"d": 60, "n_examples": 15},
    "many pairs": {"n": 60, "n_examples": 300},
    "many classes": {"kinds": 5},
    "few pairs": {"n_examples": 4, "seed": 3},
}


@pytest.mark.parametrize("case", CASES)
def test_objective_is_that_of_an_independent_solver(case):
    X, must, cannot = problem(**CASES[case])
    table = table_of(X, must, cannot)
    signs, shares = reference.weights(len(must), len(cannot))
    path = pair_logistic_path(X, must, cannot, n_penalties=12)
    largest = reference.largest_penalty(table, signs, shares)
    assert_allclose(path.penalties, largest * np.geomspace(1.0, 1e-3, 12), rtol=1e-9)
    for k in (0, 3, 7, 11):
        v = [*path.coefs[k], path.intercepts[k]]
        value, _ = reference.objective(v, table, signs, shares, path.penalties[k])
        assert_allclose(path.objectives[k], value, atol=1e-12)
        best = reference.minimum(table, signs, shares, path.penalties[k])
        assert value <= best + 1e-7
        assert best - 1e-12 <= value
        assert value - best <= path.gaps[k] + 1e-12


@pytest.mark.parametrize("case", CASES)
def test_conditions_of_the_minimum_hold_along_the_path(case):
    X, must, cannot = problem(**CASES[case])
    table = table_of(X, must, cannot)
    signs, shares = reference.weights(len(must), len(cannot))
    path = pair_logistic_path(X, must, cannot, tol=1e-9)
    assert (path.gaps <= 1e-9).all()
    for coef, intercept, penalty in zip(
        path.coefs, path.intercepts, path.penalties, strict=True
    ):
        _, gradient = reference.objective(
            [*coef, intercept], table, signs, shares, penalty
        )
        assert abs(gradient[-1]) < 1e-12
        # The gap bounds the gradients by about its root.
        assert (gradient[:-1] > -1e-4 * penalty - 1e-5).all()
        assert_allclose(gradient[:-1][coef > 0], 0.0, atol=1e-5)


@pytest.mark.parametrize("missing", ["probability", "ignore", "constant", "distinct"])
def test_categorical_and_missing_values(missing):
    rng = np.random.default_rng(5)
    X, must, cannot = problem(5, d=5)
    X[:, 1] = rng.integers(3, size=len(X))
    X[:, 3] = rng.integers(2, size=len(X))
    X[rng.random(X.shape) < 0.15] = np.nan
    categorical = np.array([False, True, False, True, False])
    table = table_of(
        X, must, cannot, categorical=np.flatnonzero(categorical), missing=missing
    )
    signs, shares = reference.weights(len(must), len(cannot))
    path = pair_logistic_path(
        X, must, cannot, n_penalties=6, is_categorical=categorical, missing=missing
    )
    assert_allclose(
        path.penalties[0], reference.largest_penalty(table, signs, shares), rtol=1e-9
    )
    for k in (2, 5):
        best = reference.minimum(table, signs, shares, path.penalties[k])
        assert_allclose(path.objectives[k], best, atol=1e-7)


def test_features_enter_in_the_order_of_their_use():
    X = np.random.default_rng(0).normal(size=(60, 4))
    y = (X[:, 2] + 0.3 * X[:, 1] > 0).astype(int)
    must, cannot = pairs_of(y, np.random.default_rng(1), 200)
    scores = pair_logistic_score(X, must, cannot)
    assert np.argsort(-scores)[:2].tolist() == [2, 1]


def test_features_are_ordered_by_the_mean_of_two_ranks():
    X, must, cannot = problem(1, d=8, n=60, n_examples=400)
    path = pair_logistic_path(X, must, cannot)
    scores, merit = path_scores(path, np.zeros(8))
    assert_array_equal(scores, pair_logistic_score(X, must, cannot))
    entered = np.flatnonzero((path.coefs > 0).any(axis=0)).tolist()
    assert len(entered) >= 4
    when = {f: int(np.argmax(path.coefs[:, f] > 0)) for f in entered}
    first = sorted(entered, key=lambda f: (when[f], -path.coefs[when[f], f]))
    second = sorted(entered, key=lambda f: (-path.coefs[25, f], first.index(f)))
    expected = [-(first.index(f) + second.index(f)) / 2 - 1 for f in entered]
    assert_array_equal(merit[entered], expected)
    shares = {f: path.penalties[when[f]] / path.penalties[0] for f in entered}
    for f in entered:
        assert scores[f] == min(shares[g] for g in entered if merit[g] >= merit[f])


def test_features_that_never_enter_are_ranked_by_gradient_and_constants_last():
    rng = np.random.default_rng(2)
    X = rng.normal(size=(40, 5))
    y = (X[:, 0] > 0).astype(int)
    X[:, 2] = 7.0
    must, cannot = pairs_of(y, rng, 60)
    path = pair_logistic_path(X, must, cannot, n_penalties=2, smallest_penalty=0.9)
    assert np.flatnonzero(path.coefs[-1]).tolist() == [0]
    table = table_of(X, must, cannot)
    signs, shares = reference.weights(len(must), len(cannot))
    v = [*path.coefs[-1], path.intercepts[-1]]
    gradient = reference.objective(v, table, signs, shares, 0.0)[1][:-1]
    gradient[[0, 2]] = -np.inf, np.inf
    order = np.argsort(gradient)
    scores, merit = path_scores(path, gradient)
    assert_array_equal(np.argsort(-merit), order)
    offers = np.maximum(-gradient[order[1:]], 0.0) / path.penalties[0]
    assert_allclose(scores[order], [0.9, *offers])
    found = pair_logistic_score(X, must, cannot, n_penalties=2, smallest_penalty=0.9)
    assert_allclose(found, scores, atol=1e-9)
    assert scores[2] == 0.0


@pytest.mark.parametrize("kind", ["float32", "fortran", "duplicated rows", "two rows"])
def test_awkward_arrays(kind):
    X, must, cannot = problem(4)
    X = X.astype(np.float32).astype(np.float64)
    if kind == "two rows":
        path = pair_logistic_path(X[:2], [(0, 1)], [])
        assert (path.coefs == 0.0).all()
        return
    if kind == "duplicated rows":
        X[15:] = X[:15]
        expected = table_of(X, must, cannot)
        signs, shares = reference.weights(len(must), len(cannot))
        path = pair_logistic_path(X, must, cannot, n_penalties=5)
        best = reference.minimum(expected, signs, shares, path.penalties[-1])
        assert_allclose(path.objectives[-1], best, atol=1e-7)
        return
    given_X = X.astype(np.float32) if kind == "float32" else np.asfortranarray(X)
    expected = pair_logistic_path(X, must, cannot)
    actual = pair_logistic_path(given_X, must, cannot)
    assert_array_equal(actual.coefs, expected.coefs)


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 10_000), shift=st.floats(-100, 100))
def test_invariances(seed, shift):
    X, must, cannot = problem(seed, n_examples=20)
    if not len(must) or not len(cannot):
        return
    rng = np.random.default_rng(seed)
    objectives = pair_logistic_path(X, must, cannot, n_penalties=8).objectives
    rows, features = rng.permutation(len(X)), rng.permutation(X.shape[1])
    place = np.argsort(rows)
    scale = rng.uniform(0.1, 10.0, size=X.shape[1])
    moved = (X[rows] * scale + shift)[:, features]
    turned = pair_logistic_path(
        moved, place[must][:, ::-1], place[cannot], n_penalties=8
    )
    assert_allclose(turned.objectives, objectives, atol=1e-6)


@pytest.mark.slow
def test_numbers_of_threads_change_nothing():
    X, must, cannot = problem(0, n=300, d=400, n_examples=400)
    paths = [pair_logistic_path(X, must, cannot, n_jobs=jobs) for jobs in (1, 2, 5)]
    for path in paths[1:]:
        assert_array_equal(path.coefs, paths[0].coefs)
        assert_array_equal(path.intercepts, paths[0].intercepts)


def test_one_kind_alone_is_completed_by_near_or_far_rows():
    X = np.array([[0.0], [0.1], [1.0], [1.1], [5.0]])
    prepared = PairProblem.of(X)
    examples = prepared.examples(np.empty((0, 2), int), np.array([[0, 2], [0, 1]]))
    # Row 0 is said to differ from 1 and 2; 1 and 2 may be like others.
    assert examples.pairs[examples.sign > 0].tolist() == [[0, 3], [1, 2], [2, 3]]
    assert_allclose(examples.share[examples.sign > 0].sum(), 0.25)
    assert_allclose(examples.share[examples.sign < 0].sum(), 0.5)
    examples = prepared.examples(np.array([[0, 1]]), np.empty((0, 2), int))
    assert examples.pairs[examples.sign < 0].tolist() == [[0, 4], [1, 4]]


def test_near_rows_may_be_looked_for_among_some():
    X, _, cannot = problem(0, n=200, n_examples=40)
    nothing = np.empty((0, 2), dtype=np.int64)
    prepared = PairProblem.of(X)
    everywhere = prepared.examples(nothing, cannot)
    nearly = prepared.examples(nothing, cannot, n_searched=199)
    somewhere = prepared.examples(nothing, cannot, n_searched=50)
    assert everywhere.pairs.tolist() != somewhere.pairs.tolist()
    same = set(map(tuple, everywhere.pairs.tolist()))
    assert len(same & set(map(tuple, nearly.pairs.tolist()))) > 0.9 * len(same)


def test_held_out_pairs_share_no_point_with_those_fitted():
    X, must, cannot = problem(0, n=200, n_examples=200)
    prepared = PairProblem.of(X)
    examples = prepared.examples(must, cannot)
    seen = []

    class Recorder(PairProblem):
        def path(self, kept, penalties, tol):
            seen.append(kept)
            return super().path(kept, penalties, tol)

        def log_odds(self, pairs, coef, intercept):
            assert not np.isin(pairs, seen[-1].pairs).all(axis=1).any()
            return super().log_odds(pairs, coef, intercept)

    penalties = prepared.penalties(examples, 10, 1e-2)
    recorder = Recorder(prepared.X, prepared.columns)
    losses = held_out_losses(
        recorder, examples, penalties, 1e-6, len(examples.pairs), 0
    )
    assert len(seen) == 5
    # A model without features has the loss log 2 on pairs of equal weight.
    assert_allclose(losses[0], np.log(2.0), rtol=0.1)
    assert losses.min() < losses[0]


def test_an_answer_is_judged_by_the_others():
    X, must, cannot = problem(0, n=60, n_examples=40)
    prepared = PairProblem.of(X)
    examples = Examples.of(must, cannot, (0.5, 0.5))
    penalties = prepared.penalties(examples, 10, 3e-2)
    chances = left_out_probabilities(
        prepared, examples, penalties, 1e-8, len(examples.pairs)
    )
    others = np.arange(len(examples.pairs)) != 7
    path, _ = prepared.path(examples.take(others), penalties, 1e-8)
    odds = prepared.log_odds(examples.pairs[7:8], path.coefs[-1], path.intercepts[-1])
    assert_allclose(chances[7], 1.0 / (1.0 + np.exp(-odds[0])), rtol=1e-6)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_penalties": 1}, "n_penalties must be a whole number of at least 2, got 1"),
        ({"smallest_penalty": 1.5}, "smallest_penalty is a share .* got 1.5"),
        ({"smallest_penalty": 0}, "smallest_penalty must be a positive number, got 0"),
        ({"tol": -1.0}, r"tol must be a positive number, got -1\.0"),
        ({"missing": "guess"}, "missing must be one of"),
    ],
)
def test_wrong_options(options, message):
    X, must, cannot = problem()
    for function in (pair_logistic_path, pair_logistic_score):
        with pytest.raises(ValueError, match=message):
            function(X, must, cannot, **options)


def test_no_pairs_are_refused():
    with pytest.raises(ConstraintError, match="must_link and cannot_link are both"):
        pair_logistic_path(np.eye(3), [], [])


def test_pairs_nobody_was_asked_about_are_near_or_far():
    X, must, cannot = problem(0, n=200, n_examples=40)
    prepared = PairProblem.of(X)
    answers = prepared.examples(must, cannot)
    more = prepared.with_unlabelled(answers, 0.1)
    n_answers = len(answers.pairs)
    assert_array_equal(more.pairs[:n_answers], answers.pairs)
    added = Examples(*(part[n_answers:] for part in more))
    assert_allclose(added.share[added.sign > 0].sum(), 0.1)
    assert_allclose(added.share[added.sign < 0].sum(), 0.1)
    known = set(map(tuple, answers.pairs.tolist()))
    assert not known & set(map(tuple, added.pairs.tolist()))
    distance = np.abs(X[:, None] - X) / np.ptp(X, axis=0)
    distance = distance.sum(axis=2)
    np.fill_diagonal(distance, np.inf)
    for a, b in added.pairs[added.sign > 0]:
        assert distance[a, b] in (distance[a].min(), distance[b].min())
    np.fill_diagonal(distance, 0.0)
    far = []
    # One draw of sixty rows may lie on either side of the bound.
    for seed in range(20):
        drawn = prepared.with_unlabelled(answers, 0.1, seed)
        a, b = drawn.pairs[n_answers:][drawn.sign[n_answers:] < 0].T
        far.extend(distance[a, b])
    assert np.median(far) > np.quantile(distance, 0.9)
    assert 40 <= (added.sign > 0).sum() <= 60
    again = prepared.with_unlabelled(answers, 0.1)
    assert_array_equal(more.pairs, again.pairs)


def test_pairs_keep_their_relative_weights():
    pairs = np.array([[0, 1], [2, 3], [0, 2], [1, 3]])
    examples = Examples(
        pairs, np.array([1.0, 1, -1, -1]), np.array([0.5, 0.1, 0.5, 0.1])
    )
    assert_allclose(examples.take(np.ones(4, dtype=bool)).share, examples.share)
    some = examples.take(np.array([True, True, True, False]))
    assert_allclose(some.share, [0.5, 0.1, 0.6])


def test_only_answers_are_judged():
    X, must, cannot = problem(0, n=100, n_examples=60)
    prepared = PairProblem.of(X)
    answers = prepared.examples(must, cannot)
    more = prepared.with_unlabelled(answers, 0.1)
    penalties = prepared.penalties(more, 6, 1e-2)
    seen = []

    class Recorder(PairProblem):
        def log_odds(self, pairs, coef, intercept):
            seen.extend(map(tuple, pairs.tolist()))
            return super().log_odds(pairs, coef, intercept)

    recorder = Recorder(prepared.X, prepared.columns)
    n_answers = len(answers.pairs)
    held_out_losses(recorder, more, penalties, 1e-6, n_answers, 0)
    assert set(seen) == set(map(tuple, answers.pairs.tolist()))
    chances = left_out_probabilities(recorder, more, penalties, 1e-6, n_answers)
    assert chances.shape == (n_answers,)
    assert np.isfinite(chances).all()


def test_a_minimum_is_not_certified_by_slopes_that_do_not_add_up():
    """The first step of the second model ends far out, where all slopes vanish."""
    rng = np.random.default_rng(750)
    X, y = rng.normal(size=(38, 11)), rng.integers(0, 3, 38)
    c = PairConstraints.sample(y, 5, 5, random_state=750)
    path = pair_logistic_path(X, c.must_link, c.cannot_link, n_penalties=2)
    best = fast_minimum(X, c, path, 1)
    assert best < 0.13
    assert_allclose(path.objectives[1], best, atol=1e-7)
    assert path.gaps[1] <= 1e-7


def fast_minimum(X, constraints, path, k):
    """The smallest objective at a penalty, by L-BFGS-B from there and from 0."""
    pairs = np.concatenate([constraints.must_link, constraints.cannot_link])
    width = np.ptp(X, axis=0)
    D = np.abs(X[pairs[:, 0]] - X[pairs[:, 1]]) / np.where(width > 0.0, width, 1.0)
    counts = len(constraints.must_link), len(constraints.cannot_link)
    sign = np.repeat([1.0, -1.0], counts)
    share = np.repeat([0.5 / counts[0], 0.5 / counts[1]], counts)

    def objective(v):
        margin = sign * (v[-1] - D @ v[:-1])
        slope = -share * sign * expit(-margin)
        gradient = np.append(path.penalties[k] - slope @ D, slope.sum())
        loss = share @ np.logaddexp(0.0, -margin)
        return loss + path.penalties[k] * v[:-1].sum(), gradient

    start = np.append(path.coefs[k], path.intercepts[k])
    bounds = [(0.0, None)] * X.shape[1] + [(None, None)]
    limits = {"maxiter": 10_000, "maxfun": 50_000, "ftol": 1e-15, "gtol": 1e-9}
    return min(
        minimize(
            objective, v, jac=True, method="L-BFGS-B", bounds=bounds, options=limits
        ).fun
        for v in (start, np.zeros_like(start))
    )


@pytest.mark.slow
def test_a_thousand_short_paths_end_at_the_minimum_or_warn():
    n_warned = 0
    for seed in range(1000):
        rng = np.random.default_rng(seed)
        X, y = rng.normal(size=(38, 11)), rng.integers(0, 3, 38)
        X = (X, np.exp(2.0 * X), np.round(X))[seed % 3]
        c = PairConstraints.sample(y, 5, 5, random_state=seed)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            path = pair_logistic_path(
                X, c.must_link, c.cannot_link, n_penalties=2 + seed % 2
            )
        assert bool(caught) == (path.gaps.max() > 1e-7), seed
        n_warned += bool(caught)
        excess = path.objectives[-1] - fast_minimum(X, c, path, -1)
        assert excess <= path.gaps[-1] + 1e-12, seed
    assert n_warned <= 10


def test_a_gap_above_the_tolerance_warns():
    rng = np.random.default_rng(2337)
    X = rng.normal(size=(rng.integers(12, 50), rng.integers(1, 20)))
    y = np.arange(len(X)) % 3
    c = PairConstraints.sample(y, 5, 5, random_state=2337)
    message = r"1 of 3 models may be up to 1.3e-03 above their minimum, wanted tol=1"
    for function in (pair_logistic_path, pair_logistic_score):
        with pytest.warns(RuntimeWarning, match=message) as caught:
            function(X, c.must_link, c.cannot_link, n_penalties=3)
        assert caught[0].filename == __file__
    with pytest.warns(ConvergenceWarning, match=f"not converge: {message}") as caught:
        PairLogistic(n_penalties=3, tol=1e-7).fit(X, constraints=c)
    assert caught[0].filename == __file__
    # Once for the path, once for the model of the penalty that was given.
    with pytest.warns(ConvergenceWarning, match="models may be up to") as caught:
        PairLogistic(n_penalties=3, tol=1e-7, penalty=0.001).fit(X, constraints=c)
    assert [w.filename for w in caught] == [__file__] * 2
