"""Forward-backward search against plain loops, and what it finds."""

import numba
import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from pairsift.datasets import make_dcbench, make_fbench, make_xor
from pairsift.information import mutual_information
from pairsift.scores import forward_backward_path
from tests.reference import mutual_search as reference
from tests.scores.information_data import DATA, as_columns, kinds


@pytest.mark.slow
@pytest.mark.parametrize("familywise", [True, False])
@pytest.mark.parametrize("pairs", [True, False])
@pytest.mark.parametrize("must_rise", [True, False])
@pytest.mark.parametrize("name", [name for name in DATA if name != "constant"])
def test_path_agrees_with_plain_loops(name, familywise, pairs, must_rise):
    X = DATA[name]
    y = np.arange(len(X)) % 2
    options = {"familywise": familywise, "pairs": pairs, "must_rise": must_rise}
    path = forward_backward_path(
        X, y, n_permutations=5, n_neighbors=3, random_state=1, **options
    )
    found, values, removed = reference.forward_backward(
        as_columns(X), kinds(X), y.tolist(), 3, 5, options, np.random.default_rng(1)
    )
    assert path.order[: path.n_found].tolist() == found
    assert path.removed.tolist() == removed
    assert_allclose(path.values, values, rtol=1e-9)
    assert (path.values > path.thresholds).all()
    assert_array_equal(np.sort(path.order), np.arange(X.shape[1]))


def test_features_removed_stand_behind_those_found():
    # A single shuffle decides: noise is added half of the time, and removed again.
    removed = 0
    options = {"n_permutations": 1, "familywise": False, "must_rise": False}
    for seed in range(20):
        rng = np.random.default_rng(seed)
        X, y = rng.normal(size=(30, 8)), np.arange(30) % 2
        path = forward_backward_path(X, y, random_state=seed, **options)
        removed += path.removed.size
        last = path.n_found + path.removed.size
        assert_array_equal(path.order[path.n_found : last], path.removed[::-1])
    assert removed > 0


@pytest.mark.slow
@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="takes hours without compiling")
@pytest.mark.parametrize(
    "make", [make_xor, make_dcbench, make_fbench], ids=lambda make: make.__name__
)
def test_relevant_features_are_found_and_noise_is_not(make):
    problem = make(1500, random_state=1)
    path = forward_backward_path(problem.data, problem.target, random_state=0)
    assert sorted(path.order[: path.n_found]) == problem.relevant.tolist()
    found = problem.data[:, path.order[: path.n_found]]
    assert_allclose(path.values[-1], mutual_information(found, problem.target))


def test_exclusive_or_needs_pairs_and_copies_come_without_a_rise():
    problem = make_xor(800, random_state=0)
    X, y = problem.data, problem.target
    assert forward_backward_path(X, y, pairs=False, random_state=0).n_found == 0
    path = forward_backward_path(X, y, must_rise=False, random_state=0)
    copies = set(problem.redundant.tolist())
    assert copies & set(path.order[: path.n_found].tolist())


def test_noise_is_added_rarely_where_the_best_of_many_is_tested_as_such():
    added = {True: 0, False: 0}
    for seed in range(20):
        rng = np.random.default_rng(seed)
        X, y = rng.normal(size=(60, 15)), np.arange(60) % 2
        for familywise in added:
            path = forward_backward_path(
                X, y, familywise=familywise, pairs=False, random_state=seed
            )
            added[familywise] += path.n_found > 0
    assert added[True] <= 4
    assert added[False] >= 8


@pytest.mark.filterwarnings("error")
def test_difficult_rows(rng):
    X = rng.normal(size=(14, 3))
    for data, y in (
        (X, [0] + [1] * 13),
        (X[np.arange(14) // 4], [0, 1] * 7),
        (np.round(X), [0, 1] * 7),
        (X[:2], [0, 1]),
        (X[:, :1], [0, 1] * 7),
        (np.ones((14, 3)), [0, 1] * 7),
    ):
        path = forward_backward_path(data, y, random_state=0)
        assert_array_equal(np.sort(path.order), np.arange(data.shape[1]))
    assert path.n_found == 0


def test_unlabelled_rows_are_left_out(rng):
    X, y = rng.normal(size=(60, 4)), np.arange(60) % 4 - 1
    X[:, 1] += y
    a = forward_backward_path(X, y, random_state=0)
    b = forward_backward_path(X[y >= 0], y[y >= 0], random_state=0)
    for left, right in zip(a, b, strict=True):
        assert_array_equal(left, right)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"quantile": 0}, "quantile must be a number between 0 and 1, got 0"),
        ({"n_permutations": 1}, "n_permutations must be .* at least 2, got 1"),
        ({"labels": [0] * 6}, "labels must hold a class for each of the 6 rows"),
    ],
)
def test_impossible_arguments_are_refused(options, message):
    X = np.arange(12.0).reshape(6, 2)
    with pytest.raises(ValueError, match=message):
        forward_backward_path(X, **{"labels": [0, 1] * 3} | options)
