"""Mutual information against theory, scikit-learn and the thesis in plain loops."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings, strategies as st
from numpy.testing import assert_allclose
from scipy.special import digamma
from sklearn.feature_selection import mutual_info_classif
from sklearn.metrics import mutual_info_score

from pairsift.information import mutual_information
from tests.reference import information as reference


def mixed_data(rng, n_samples=60, n_classes=3):
    """Two discrete columns, two continuous ones, classes that depend on all of them."""
    discrete = rng.integers(0, 2, size=(n_samples, 2)).astype(float)
    continuous = rng.normal(size=(n_samples, 2)) * [1.0, 50.0]
    signal = (
        discrete.sum(axis=1) + continuous @ [1.0, 0.02] + rng.normal(size=n_samples)
    )
    y = np.digitize(signal, np.quantile(signal, np.arange(1, n_classes) / n_classes))
    return np.hstack([discrete, continuous]), y


MASK = np.array([True, True, False, False])


def parts(X, y):
    x = [tuple(row) for row in X[:, MASK].tolist()]
    return x, X[:, ~MASK].tolist(), y.tolist()


@pytest.mark.parametrize("k", [1, 3, 6, 25])
@pytest.mark.parametrize("n_samples", [7, 20, 60])
@pytest.mark.parametrize("n_classes", [2, 4])
def test_mixed_estimator_is_equation_6_14(rng, k, n_samples, n_classes):
    X, y = mixed_data(rng, n_samples, n_classes)
    expected = reference.mixed_information(*parts(X, y), k)
    found = mutual_information(X, y, discrete_features=MASK, n_neighbors=k)
    assert_allclose(found, expected, rtol=1e-10, atol=1e-12)
    named = mutual_information(
        X, y, discrete_features=MASK, n_neighbors=k, estimator="mixed"
    )
    assert named == found


@pytest.mark.parametrize("k", [1, 3])
def test_mixed_estimator_is_equation_6_16_corrected(rng, k):
    X, y = mixed_data(rng, 120, 2)
    x, _, _ = parts(X, y)
    counts = [
        list(zip(x, y, strict=True)).count(c) for c in set(zip(x, y, strict=True))
    ]
    assert min(counts) > k
    expected = reference.mixed_information_616(*parts(X, y), k)
    found = mutual_information(X, y, discrete_features=MASK, n_neighbors=k)
    assert_allclose(found, expected, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("k", [1, 6])
def test_mixed_estimator_is_equation_6_17_corrected(rng, k):
    X, y = mixed_data(rng)
    expected = reference.mixed_information_617(*parts(X, y), k)
    found = mutual_information(X, y, discrete_features=MASK, n_neighbors=k)
    assert_allclose(found, expected, rtol=1e-10, atol=1e-12)


@pytest.mark.filterwarnings("ignore:Rows that are copies")
@pytest.mark.parametrize("k", [1, 3, 6])
@pytest.mark.parametrize("shape", [(2, 1), (9, 1), (25, 1), (40, 3)])
@pytest.mark.parametrize("kind", ["normal", "ties", "copies"])
def test_gomez_and_ksg_agree_with_plain_loops(rng, k, shape, kind):
    X = rng.normal(size=shape)
    numbers = X[:, 0] + rng.normal(size=len(X))
    if kind == "ties":
        X, numbers = np.round(X * 4), np.round(numbers * 4)
    if kind == "copies":
        X[len(X) // 2 :] = X[0]
    y = np.arange(len(X)) % 2
    z, one = X.tolist(), [()] * len(X)
    if all(np.ptp(X, axis=0) > 0):
        found = mutual_information(X, y, estimator="gomez", n_neighbors=k)
        expected = reference.mixed_information(one, z, y.tolist(), k)
        assert_allclose(found, expected, rtol=1e-10, atol=1e-12)
        found = mutual_information(X, numbers, estimator="ksg", n_neighbors=k)
        expected = reference.ksg(z, numbers.reshape(-1, 1).tolist(), k)
        assert_allclose(found, expected, rtol=1e-10, atol=1e-12)


def test_ksg_takes_sets_on_both_sides(rng):
    X, Y = rng.normal(size=(50, 2)), rng.normal(size=(50, 3))
    Y[:, 0] += X[:, 1]
    expected = reference.ksg(X.tolist(), Y.tolist(), 6)
    assert_allclose(mutual_information(X, Y), expected, rtol=1e-10)
    assert_allclose(mutual_information(Y, X), expected, rtol=1e-10)


def test_mixed_columns_and_a_continuous_target_follow_the_chain_rule(rng):
    X, _ = mixed_data(rng, 50)
    y = X[:, 0] + X[:, 2] + rng.normal(size=50)
    x, z, _ = parts(X, y)
    column = y.reshape(-1, 1).tolist()
    expected = reference.mixed_information([()] * 50, column, x, 3)
    scale = reference.spreads(z), reference.spreads(column)
    for value in set(x):
        cell = [i for i in range(50) if x[i] == value]
        # Spreads are those of all rows, so the reference is given scaled columns.
        rows = [[u / s for u, s in zip(z[i], scale[0], strict=True)] for i in cell]
        goal = [[column[i][0] / scale[1][0]] for i in cell]
        expected += len(cell) / 50 * ksg_unscaled(rows, goal, 3)
    found = mutual_information(X, y, discrete_features=MASK, n_neighbors=3)
    assert_allclose(found, expected, rtol=1e-10)


def ksg_unscaled(z, y, k):
    n, total = len(z), 0.0
    both = [[*a, *b] for a, b in zip(z, y, strict=True)]
    ones = [1.0] * len(both[0])
    for i in range(n):
        radius = reference.kth_distance(both, i, min(k, n - 1), ones)
        for rows in (z, y):
            unit = [1.0] * len(rows[0])
            gaps = [reference.distance(rows[i], rows[m], unit) for m in range(n)]
            total += digamma(sum(gap < radius for gap in gaps))
    return digamma(min(k, n - 1)) + digamma(n) - total / n


def test_discrete_columns_by_hand_and_as_scikit_learn(rng):
    x = np.array([0, 0, 1, 1, 0, 0, 1, 1.0])
    y = np.array([0, 0, 0, 1, 0, 0, 1, 1])
    # Of the rows with x = 1, three of four have y = 1; none of the others has.
    expected = np.log(8 / 3) * 3 / 8 + np.log(8 / 5) * 5 / 8
    expected -= (np.log(4) + 3 * np.log(4 / 3)) / 8
    assert_allclose(mutual_information(x[:, None], y), expected, rtol=1e-14)
    X = rng.integers(0, 4, size=(200, 2)).astype(float)
    y = rng.integers(0, 3, size=200)
    joint = X[:, 0] * 10 + X[:, 1]
    found = mutual_information(X, y, estimator="discrete")
    assert_allclose(found, mutual_info_score(joint, y), rtol=1e-12)


def test_without_continuous_columns_mixed_is_discrete(rng):
    X = rng.integers(0, 3, size=(80, 2))
    y = rng.integers(0, 2, size=80)
    mixed = mutual_information(X, y, estimator="mixed")
    assert mixed == mutual_information(X, y, estimator="discrete")


@pytest.mark.parametrize("rho", [0.0, 0.5, 0.9])
def test_error_on_gaussians_shrinks(rho):
    truth = -0.5 * np.log(1 - rho**2)
    errors = []
    for n in (100, 1000, 10_000):
        found = []
        for seed in range(8):
            rng = np.random.default_rng(seed)
            x, noise = rng.normal(size=(2, n))
            y = rho * x + np.sqrt(1 - rho**2) * noise
            found.append(mutual_information(x[:, None], y))
        errors.append(np.sqrt(np.mean((np.array(found) - truth) ** 2)))
    assert errors[0] > errors[1] > errors[2]
    # Spread of n = 10,000 estimates: about 1/sqrt(n) times a few.
    assert errors[2] < 0.02


def test_error_on_a_mixture_shrinks():
    # Two classes at -1 and 1: I = H(mixture) - H(normal), by numerical integration.
    t = np.linspace(-12, 12, 200_001)
    f = (np.exp(-((t - 1) ** 2) / 2) + np.exp(-((t + 1) ** 2) / 2)) / np.sqrt(8 * np.pi)
    step = t[1] - t[0]
    truth = -(f * np.log(f)).sum() * step - 0.5 * np.log(2 * np.pi * np.e)
    errors = []
    for n in (100, 1000, 10_000):
        found = []
        for seed in range(8):
            rng = np.random.default_rng(seed)
            y = rng.integers(0, 2, size=n)
            found.append(mutual_information(rng.normal(2.0 * y - 1.0)[:, None], y))
        errors.append(np.sqrt(np.mean((np.array(found) - truth) ** 2)))
    assert errors[0] > errors[1] > errors[2]
    assert errors[2] < 0.02


def test_mixed_estimate_reaches_what_both_kinds_say_together():
    # The sign of z says y where x is 0, its opposite where x is 1: I(x; y) and I(z; y)
    # are 0, and together they tell all of it.
    rng = np.random.default_rng(0)
    x, z = rng.integers(0, 2, size=4000), rng.normal(size=4000)
    y = (z > 0) ^ (x == 1)
    X = np.column_stack([x, z])
    assert abs(mutual_information(X[:, [0]], y)) < 0.01
    assert abs(mutual_information(X[:, [1]], y)) < 0.05
    assert abs(mutual_information(X, y) - np.log(2)) < 0.05


def test_gomez_is_not_ross_but_close():
    # scikit-learn takes Ross' estimator for a continuous column and classes: another
    # number from the same rows, of the same truth.
    rng = np.random.default_rng(1)
    y = rng.integers(0, 2, size=3000)
    x = rng.normal(1.5 * y)[:, None]
    ours = mutual_information(x, y, n_neighbors=3)
    theirs = mutual_info_classif(x, y, n_neighbors=3, random_state=0)[0]
    assert ours != pytest.approx(theirs, abs=1e-6)
    assert ours == pytest.approx(theirs, abs=0.03)


def test_estimates_below_zero_are_returned():
    found = []
    for seed in range(20):
        rng = np.random.default_rng(seed)
        x, y = rng.normal(size=(200, 1)), rng.normal(size=200)
        found.append(mutual_information(x, y))
    assert min(found) < 0.0
    # The spread of one is about 0.03.
    assert abs(np.mean(found)) < 0.02


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10**6), n_samples=st.integers(8, 60), k=st.integers(1, 8))
def test_invariances(seed, n_samples, k):
    rng = np.random.default_rng(seed)
    X, y = mixed_data(rng, n_samples)
    rows, columns = rng.permutation(n_samples), rng.permutation(4)
    options = {"discrete_features": MASK, "n_neighbors": k}
    for target in (y, X[:, 2] + rng.normal(size=n_samples)):
        found = mutual_information(X, target, **options)
        same = {"rtol": 1e-9, "atol": 1e-11}
        shuffled = mutual_information(X[rows], target[rows], **options)
        assert_allclose(shuffled, found, **same)
        options_moved = {"discrete_features": MASK[columns], "n_neighbors": k}
        moved = mutual_information(X[:, columns], target, **options_moved)
        assert_allclose(moved, found, **same)
        # By powers of two, so that no distance changes by rounding.
        scaled = mutual_information(X * [2.0, 8.0, 0.125, 1024.0], target, **options)
        assert_allclose(scaled, found, **same)
    named = np.array(["one", "two", "three"])[(y + 1) % 3]
    assert_allclose(
        mutual_information(X, named, **options),
        mutual_information(X, y, **options),
        rtol=1e-9,
        atol=1e-11,
    )


def test_constant_columns_say_nothing_and_change_nothing(rng):
    X, y = mixed_data(rng)
    constant = np.full((60, 1), 0.1)
    numbers = X[:, 2] + rng.normal(size=60)
    for target in (y, numbers):
        assert mutual_information(constant, target) == 0.0
        assert mutual_information(constant, target, discrete_features=False) == 0.0
        found = mutual_information(X, target, discrete_features=MASK)
        wider = mutual_information(
            np.hstack([X, constant]), target, discrete_features=np.append(MASK, False)
        )
        assert_allclose(wider, found, rtol=1e-12)
    assert mutual_information(X, np.zeros(60, dtype=int)) == 0.0
    assert mutual_information(X, np.full(60, 0.5)) == 0.0


@pytest.mark.parametrize("y", [[0, 1], ["a", "b"], [0, 0]])
def test_classes_of_one_row_take_the_entropy_of_all(y):
    X = np.array([[0.0], [1.0]])
    found = mutual_information(X, y, estimator="gomez")
    assert found == 0.0


def test_one_row_tells_nothing():
    assert mutual_information([[1.0, 2.0]], [0]) == 0.0
    assert mutual_information([[1.0, 2.0]], [0.5]) == 0.0


def test_kinds_are_found_by_values(rng):
    X, y = mixed_data(rng)
    auto = mutual_information(X, y)
    assert auto == mutual_information(X, y, discrete_features=MASK)
    # Standardised, a discrete column is no less discrete.
    scaled = (X - X.mean(axis=0)) / X.std(axis=0)
    assert_allclose(mutual_information(scaled, y), auto, rtol=1e-10)
    assert mutual_information(X, y.astype(float)) == auto
    assert mutual_information(X, y[:, None]) == auto
    assert mutual_information(X, pd.Series(y).astype("category")) == auto
    with pytest.warns(UserWarning, match="copies"):
        assert mutual_information(X, y + 0.5) != auto
    mask = np.array([False] * 4)
    mask.flags.writeable = False
    assert mutual_information(
        X[:, 2:], y + 0.5, discrete_features=mask[2:], discrete_target=np.bool_(True)
    ) == mutual_information(X[:, 2:], y, estimator="gomez")
    many = np.arange(60.0)
    assert mutual_information(X, many) == mutual_information(
        X, many, discrete_target=False
    )
    assert mutual_information(X, many.astype(int)) == mutual_information(
        X, many, discrete_target=True
    )


def test_copies_are_told(rng):
    X = np.repeat(rng.normal(size=(10, 1)), 10, axis=0)
    y = rng.normal(size=100)
    message = "copies of each other in continuous columns decide .* discrete_features"
    with pytest.warns(UserWarning, match=message):
        mutual_information(X, np.arange(100) % 2, discrete_features=False)
    with pytest.warns(UserWarning, match=message):
        mutual_information(X, X[:, 0], discrete_features=False, discrete_target=False)
    # Copies on one side leave the distances alone.
    assert np.isfinite(mutual_information(X, y, discrete_features=False))


def test_any_number_of_threads_gives_the_same_bits(rng):
    X, y = mixed_data(rng, 1500)
    for target in (y, X[:, 3]):
        one, three = (
            mutual_information(X, target, discrete_features=MASK, n_jobs=n)
            for n in (1, 3)
        )
        assert one == three


def test_memory_layout_and_precision_of_the_input_do_not_matter(rng):
    X, y = mixed_data(rng)
    found = mutual_information(X, y)
    assert mutual_information(np.asfortranarray(X), y) == found
    assert mutual_information(pd.DataFrame(X), pd.Series(y)) == found
    assert mutual_information(X.tolist(), y.tolist()) == found
    # Rounding to single precision moves distances by about 1e-7.
    assert_allclose(mutual_information(X.astype(np.float32), y), found, rtol=1e-4)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"X": [[np.nan], [1.0]]}, "X contains NaN"),
        ({"X": [[1e200], [1.0]]}, "X holds numbers so large"),
        ({"X": [1.0, 2.0]}, "X must have rows and columns"),
        ({"y": [0, 1, 1]}, "y must hold one value for each of the 2 rows of X, got 3"),
        ({"y": [0, None]}, "y contains missing values: leave these rows out"),
        ({"y": ["a", float("nan")]}, "y contains missing values"),
        ({"y": [0.5, np.inf]}, "y contains infinity"),
        ({"y": [1e200, 0.5]}, "y holds numbers so large"),
        ({"y": [[0, 1], [1, 0]], "discrete_target": True}, "y must hold one class"),
        ({"y": [[0, 1]]}, r"each of the 2 rows of X, got an array of shape \(1, 2\)"),
        ({"y": ["a", "b"], "discrete_target": False}, "y must hold numbers where"),
        ({"discrete_target": "yes"}, "discrete_target must be 'auto', True or False"),
        ({"discrete_features": "all"}, "discrete_features must be 'auto', True, False"),
        ({"discrete_features": [True, False]}, "a mask of 1 booleans"),
        ({"estimator": "ross"}, "estimator must be one of 'auto', 'discrete', 'ksg'"),
        (
            {"estimator": "ksg", "discrete_features": True},
            "estimator='ksg' takes all columns for continuous, got .*True",
        ),
        (
            {"estimator": "gomez", "discrete_target": False},
            "estimator='gomez' takes y for classes, got discrete_target=False",
        ),
        ({"n_neighbors": 0}, "n_neighbors must be a whole number of at least 1, got 0"),
    ],
)
def test_impossible_arguments_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        mutual_information(**{"X": [[0.0], [1.0]], "y": [0, 1]} | arguments)
