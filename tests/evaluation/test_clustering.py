import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings, strategies as st
from numpy.testing import assert_array_equal

from pairsift import ConflictingConstraintsError, ConstraintError, PairConstraints
from pairsift.evaluation import (
    constrained_kmeans,
    constrained_spectral_clustering,
    draw_prototypes,
)
from pairsift.exceptions import DataError
from tests.reference import clustering as reference

NORMALIZATIONS = ["additive", "symmetric"]


def blobs(rng, n_rows=30, n_features=2, spread=0.3):
    y = np.arange(n_rows) % 3
    X = rng.normal(scale=spread, size=(n_rows, n_features))
    X[:, 0] += y
    return X, y


@pytest.mark.parametrize("normalization", NORMALIZATIONS)
@pytest.mark.parametrize("n_features", [1, 4])
@pytest.mark.parametrize("sigma", [0.3, 1.0])
def test_classes_agree_with_plain_loops(rng, normalization, n_features, sigma):
    X, y = blobs(rng, n_features=n_features)
    labels = draw_prototypes(y, 2, rng)
    options = {"sigma": sigma, "normalization": normalization}

    classes = constrained_spectral_clustering(X, labels, **options)

    expected = reference.from_labels(X.tolist(), labels.tolist(), **options)
    assert_array_equal(classes, expected)


@pytest.mark.parametrize("normalization", NORMALIZATIONS)
@pytest.mark.parametrize("n_clusters", [2, 3, 4])
def test_clusters_of_pairs_agree_with_plain_loops(rng, normalization, n_clusters):
    X, _ = blobs(rng, spread=0.5)
    groups, apart = [[0, 3, 9], [1, 4], [2, 11], [13, 16]], [(0, 1)]
    pairs = PairConstraints(
        must_link=[(0, 3), (3, 9), (1, 4), (2, 11), (13, 16)],
        cannot_link=apart,
        n_samples=30,
    )
    options = {"sigma": 0.5, "normalization": normalization}

    clusters = constrained_spectral_clustering(
        X, constraints=pairs, n_clusters=n_clusters, **options
    )

    entailed = [(i, j) for i in groups[0] for j in groups[1]]
    expected = reference.from_groups(
        X.tolist(), groups, entailed, n_clusters, **options
    )
    assert clusters.dtype == np.int64
    assert_array_equal(clusters, expected)


def test_two_groups_of_rows_by_hand():
    X = np.array([[0.0], [0.1], [0.9], [1.0]])

    classes = constrained_spectral_clustering(X, [5, -1, -1, 3], sigma=0.1)

    assert_array_equal(classes, [5, 5, 3, 3])


def test_must_links_hold_groups_together_that_distance_would_part():
    # Four equal steps: only the pairs say where to cut.
    X = np.arange(4.0)[:, None]
    middle = PairConstraints(
        must_link=[(0, 1), (2, 3)], cannot_link=[(1, 2)], n_samples=4
    )
    ends = PairConstraints(must_link=[(1, 2)], cannot_link=[(0, 1)], n_samples=4)

    in_the_middle = constrained_spectral_clustering(X, constraints=middle, n_clusters=2)
    at_an_end = constrained_spectral_clustering(X, constraints=ends, n_clusters=2)

    assert_array_equal(in_the_middle, [0, 0, 1, 1])
    assert_array_equal(at_an_end, [0, 1, 1, 1])


@pytest.mark.parametrize("pairs", [[], [(0, 3)]])
def test_clusters_without_must_links_are_found(rng, pairs):
    X, y = blobs(rng, spread=0.05)
    constraints = PairConstraints(must_link=pairs, n_samples=30)

    clusters = constrained_spectral_clustering(
        X, constraints=constraints, n_clusters=3, sigma=0.2
    )

    assert_array_equal(clusters, y)


def test_labelled_rows_keep_their_class(rng):
    X, y = rng.normal(size=(25, 3)), rng.integers(3, size=25)

    classes = constrained_spectral_clustering(X, y)

    assert_array_equal(classes, y)


@pytest.mark.parametrize(
    "cluster", [constrained_spectral_clustering, constrained_kmeans]
)
def test_frame_in_another_order_than_the_ids_is_refused(rng, cluster):
    X = pd.DataFrame(rng.random((6, 2)), index=list("abcdef"))
    c = PairConstraints([("a", "b")], [("a", "d")], ids=X.index)
    with pytest.raises(ConstraintError, match="or another order, by its index"):
        cluster(X[::-1], constraints=c, n_clusters=2)


@pytest.mark.parametrize("normalization", NORMALIZATIONS)
@given(seed=st.integers(0, 2**32 - 1))
@settings(max_examples=20, deadline=None)
def test_permuting_rows_permutes_classes(normalization, seed):
    rng = np.random.default_rng(seed)
    X, y = blobs(rng)
    labels, rows = draw_prototypes(y, 2, rng), rng.permutation(30)
    options = {"sigma": 0.5, "normalization": normalization}

    permuted = constrained_spectral_clustering(X[rows], labels[rows], **options)

    expected = constrained_spectral_clustering(X, labels, **options)[rows]
    assert_array_equal(permuted, expected)


def test_equal_eigenvalues_do_not_leave_the_choice_to_the_solver(rng):
    # Two far pairs and four far rows: 0 is an eigenvalue six times, k is 2.
    X = np.array([[0.0], [0.1], [100.0], [100.1], [200.0], [300.0], [400.0], [500.0]])
    labels = np.array([0, -1, 1, -1, -1, -1, -1, -1])
    expected = constrained_spectral_clustering(X, labels)
    assert_array_equal(expected[:4], [0, 0, 1, 1])
    for _ in range(5):
        rows = np.append(rng.permutation(4), [4, 5, 6, 7])

        permuted = constrained_spectral_clustering(X[rows], labels[rows])

        assert_array_equal(permuted[:4], expected[rows][:4])


@pytest.mark.parametrize("normalization", NORMALIZATIONS)
def test_rows_without_any_similarity_are_no_obstacle(normalization):
    X = np.array([[0.0], [1e3], [2e3], [3e3]])

    classes = constrained_spectral_clustering(
        X, [0, 1, -1, -1], normalization=normalization
    )

    assert_array_equal(classes[:2], [0, 1])


def test_rows_almost_without_similarity_are_no_obstacle():
    # exp(-38² / 2) is about 1e-314.
    X = np.array([[0.0], [0.1], [0.2], [38.0]])

    classes = constrained_spectral_clustering(
        X, [0, -1, 1, -1], normalization="symmetric"
    )

    assert_array_equal(classes[[0, 2]], [0, 1])


def test_equal_rows_are_one_cluster_or_parted_by_pairs():
    X = np.zeros((6, 2))
    pairs = PairConstraints(
        must_link=[(0, 1), (2, 3)], cannot_link=[(0, 2)], n_samples=6
    )

    clusters = constrained_spectral_clustering(X, constraints=pairs, n_clusters=2)

    assert clusters[0] == clusters[1] != clusters[2] == clusters[3]


def test_two_rows_and_one_row():
    assert_array_equal(constrained_spectral_clustering(np.eye(2), [0, 1]), [0, 1])
    assert_array_equal(constrained_spectral_clustering(np.eye(2), [4, -1]), [4, 4])
    assert_array_equal(constrained_spectral_clustering([[1.0]], [4]), [4])


def test_as_many_clusters_as_rows(rng):
    nothing = PairConstraints(n_samples=5)

    clusters = constrained_spectral_clustering(
        rng.normal(size=(5, 2)), constraints=nothing, n_clusters=5
    )

    assert_array_equal(np.sort(clusters), np.arange(5))


def test_one_seed_one_result(rng):
    X = rng.normal(size=(40, 3))
    nothing = PairConstraints(n_samples=40)

    runs = [
        constrained_spectral_clustering(
            X, constraints=nothing, n_clusters=4, random_state=state
        )
        for state in (7, 7, np.random.default_rng(7))
    ]

    assert_array_equal(runs[0], runs[1])
    assert_array_equal(runs[0], runs[2])


def test_only_additive_normalisation_gives_a_far_row_its_own_cluster(rng):
    y = np.arange(60) % 2
    X = np.column_stack([y, rng.normal(scale=0.1, size=60)])
    X[0] = 3.0
    pairs = PairConstraints(n_samples=60)

    additive, symmetric = (
        constrained_spectral_clustering(
            X, constraints=pairs, n_clusters=2, sigma=0.5, normalization=name
        )
        for name in NORMALIZATIONS
    )

    assert_array_equal(additive, np.arange(60) > 0)
    assert_array_equal(symmetric[1:] == symmetric[1], y[1:] == y[1])


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        (["b", None, None, "a"], ["b", "b", "a", "a"]),
        (pd.Series(["b", None, None, "a"], dtype="category"), ["b", "b", "a", "a"]),
        ([1.0, np.nan, np.nan, 0.0], [1, 1, 0, 0]),
        (["b", "", "", "a"], ["b", "b", "a", "a"]),
    ],
)
def test_classes_are_written_like_the_labels(labels, expected):
    X = pd.DataFrame({"x": [0.0, 0.1, 0.9, 1.0]})

    classes = constrained_spectral_clustering(X, labels, sigma=0.1)

    assert classes.tolist() == expected


def test_input_is_unchanged_and_may_be_read_only(rng):
    X, y = blobs(rng)
    labels = draw_prototypes(y, 2)
    copies = X.copy(), labels.copy()
    for array in (X, labels):
        array.setflags(write=False)

    constrained_spectral_clustering(X, labels)

    assert_array_equal(X, copies[0])
    assert_array_equal(labels, copies[1])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "give either labels or constraints, got neither"),
        (
            {"labels": [0, 1, -1], "constraints": PairConstraints()},
            "give either labels or constraints, got both",
        ),
        ({"labels": [0, 1]}, r"labels must hold one label .* 3 rows of X, .*\(2,\)"),
        ({"labels": [-1, -1, -1]}, "labels must hold at least one label, got none"),
        ({"labels": [0.5, 1.0, -1.0]}, "labels must hold class labels, got a cont"),
        ({"labels": [0, 1, 1], "n_clusters": 3}, "n_clusters is the number of .*got 3"),
        ({"constraints": [(0, 1)], "n_clusters": 2}, "a PairConstraints, got a list"),
        ({"constraints": PairConstraints()}, "n_clusters must be .* to 3, .*got None"),
        (
            {"constraints": PairConstraints(), "n_clusters": 4},
            "n_clusters must be a whole number from 1 to 3, .*got 4",
        ),
        (
            {"constraints": PairConstraints(), "n_clusters": 2.0},
            "n_clusters must be a whole number .*got 2.0",
        ),
        (
            {"labels": [0, 1, -1], "normalization": "none"},
            "normalization must be 'additive' or 'symmetric', got 'none'",
        ),
        ({"X": [[np.nan], [0.0], [1.0]], "labels": [0, 1, 1]}, "X must be .*finite"),
    ],
)
def test_bad_input_is_named(options, message):
    with pytest.raises(DataError, match=message):
        constrained_spectral_clustering(**{"X": [[0.0], [1.0], [2.0]]} | options)


def test_sigma_must_be_positive():
    with pytest.raises(ValueError, match="sigma must be a positive number"):
        constrained_spectral_clustering(np.eye(2), [0, 1], sigma=0.0)


def test_bad_pairs_are_named():
    too_many = PairConstraints(must_link=[(0, 5)])
    conflicting = PairConstraints(must_link=[(0, 1), (1, 2)], cannot_link=[(0, 2)])

    with pytest.raises(ConstraintError, match=r"must_link .*\(0, 5\)"):
        constrained_spectral_clustering(np.eye(3), constraints=too_many, n_clusters=2)
    with pytest.raises(ConflictingConstraintsError, match="contradicts"):
        constrained_spectral_clustering(
            np.eye(3), constraints=conflicting, n_clusters=2
        )
