"""Constrained margins against the thesis' formulas in plain loops."""

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose, assert_array_equal

from pairsift import ConstraintError, _kernels
from pairsift.scores import (
    relief_sc_score,
    relieff_sc_label_score,
    relieff_sc_score,
    simba_sc_score,
)
from tests.reference import margins as reference

PAIRS = [(0, 5), (7, 2), (3, 9), (9, 11), (1, 0)]


def mixed_data(rng, n_samples=14, share_missing=0.0):
    X = rng.normal(size=(n_samples, 6))
    X[:, 1] = rng.integers(0, 3, size=n_samples)
    X[:, 2] = 4.0
    X[:, 4] = rng.choice([-1.0, 2.5], size=n_samples)
    X[3] = X[8]
    X[rng.random(X.shape) < share_missing] = np.nan
    return X


def mask(columns, n_features):
    return np.isin(np.arange(n_features), columns)


def test_margin_by_hand():
    # Feature 0 tells {0, 1} from {2, 3}; feature 1 differs within both.
    X = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    # Near-hits without the pair itself: H(0) = 1 and H(2) = 3.
    # |x_0 - x_3| - |x_0 - x_1| = (1, 1) - (0, 1).
    assert_array_equal(relief_sc_score(X, [(0, 2)]), [1.0, 0.0])
    # As published, 2 is as near to 0 as 1 is, and 0 as near to 2 as 3 is: with shared
    # places z = (|x_0 - x_0| + |x_0 - x_3|)/2 - (|x_0 - x_1| + |x_0 - x_2|)/2 = (0, 0).
    # Ties to the smaller row make H(0) = 1 and H(2) = 0, and z = (0, 0) - (0, 1).
    published = {"exclude": "self", "ties": "index"}
    assert_array_equal(relief_sc_score(X, [(0, 2)], exclude="self"), [0.0, 0.0])
    assert_array_equal(relief_sc_score(X, [(0, 2)], **published), [0.0, -1.0])


def test_worked_example_of_the_thesis_figure_2_1():
    # Class A is x1 to x5, class B x6 to x10 (indices one less); ranges are 8 and 3.
    A = [(2, 3), (1, 4), (3, 4), (2, 5), (3, 6)]
    B = [(8, 6), (7, 5), (9, 5), (7, 4), (9, 4)]
    X = np.array(A + B, dtype=float)
    columns = _kernels.describe_columns(X, np.zeros(2, dtype=bool))

    def nearest(row, excluded, squared):
        table = _kernels.nearest_rows(
            X, np.array([row]), np.array([excluded]), columns, squared, 1
        )
        return table[0].item()

    # The figure: nearhit of x5 is x4 and nearmiss x7, by squared Euclidean distance.
    assert nearest(4, [4, *range(5, 10)], True) == 3
    assert nearest(4, [*range(5), -1], True) == 6
    # By sums of differences x6 is the nearmiss: 5/8 < 4/8 + 1/3.
    assert nearest(4, [*range(5), -1], False) == 5
    # A cannot-link between x5 and x7: H(x5) is x4 (1/64 + 1/9 against 4/9 for x3) and
    # H(x7) is x8 (4/64 against 1/9 for x9 and 1/64 + 1/9 for x6), so that
    # z = (|3-9| - |3-2|) / 8 and (|6-5| - |6-5|) / 3.
    z = relief_sc_score(X, [(4, 6)], metric="euclidean")
    assert_allclose(z, [5 / 8, 0.0], rtol=1e-12)


@pytest.mark.parametrize("n_neighbors", [1, 3, 10, 50])
@pytest.mark.parametrize("metric", ["manhattan", "euclidean"])
@pytest.mark.parametrize("exclude", ["pair", "self"])
@pytest.mark.parametrize("ties", ["share", "index"])
def test_margins_agree_with_plain_loops(rng, n_neighbors, metric, exclude, ties):
    X = mixed_data(rng)
    rules = {"metric": metric, "exclude": exclude, "ties": ties}
    expected = reference.relieff_sc(X, PAIRS, n_neighbors, categorical=[1], **rules)
    z = relieff_sc_score(
        X, PAIRS, n_neighbors=n_neighbors, is_categorical=mask([1], 6), **rules
    )
    assert_allclose(z, expected, rtol=1e-10, atol=1e-12)
    assert z[2] == 0.0


@pytest.mark.parametrize("missing", ["probability", "ignore", "constant", "distinct"])
@pytest.mark.parametrize("labelled", [False, True])
def test_missing_values_agree_with_plain_loops(rng, missing, labelled):
    X = mixed_data(rng, share_missing=0.2)
    labels = rng.integers(-1, 2, size=len(X)) if labelled else None
    kinds = {"categorical": [1, 4], "missing": missing, "labels": labels}
    expected = reference.relieff_sc(X, PAIRS, 3, **kinds)
    z = relieff_sc_score(
        X,
        PAIRS,
        n_neighbors=3,
        is_categorical=mask([1, 4], 6),
        missing=missing,
        labels=labels,
    )
    assert_allclose(z, expected, rtol=1e-10, atol=1e-12)


@pytest.mark.slow
@given(
    X=arrays(np.float64, (13, 3), elements=st.sampled_from([0.0, 1.0, 2.0, np.nan])),
    missing=st.sampled_from(["probability", "ignore", "constant", "distinct"]),
    exclude=st.sampled_from(["pair", "self"]),
    ties=st.sampled_from(["share", "index"]),
    metric=st.sampled_from(["manhattan", "euclidean"]),
    n_neighbors=st.integers(1, 12),
)
@settings(max_examples=100, deadline=None)
def test_ties_duplicates_and_missing_values_agree(
    X, missing, exclude, ties, metric, n_neighbors
):
    pairs = [(0, 1), (4, 2), (3, 8), (0, 12)]
    rules = {"missing": missing, "exclude": exclude, "ties": ties, "metric": metric}
    expected = reference.relieff_sc(X, pairs, n_neighbors, categorical=[1], **rules)
    z = relieff_sc_score(
        X, pairs, n_neighbors=n_neighbors, is_categorical=mask([1], 3), **rules
    )
    assert_allclose(z, expected, rtol=1e-10, atol=1e-12)


def test_must_links_are_subtracted_with_their_weight(rng):
    X = mixed_data(rng)
    must = [(0, 1), (10, 4)]
    expected = reference.relieff_sc(X, PAIRS, 3, must=must, must_weight=0.7)
    z = relieff_sc_score(X, PAIRS, n_neighbors=3, must_link=must, must_link_weight=0.7)
    assert_allclose(z, expected, rtol=1e-10, atol=1e-12)
    without = relieff_sc_score(X, PAIRS, n_neighbors=3)
    unweighted = relieff_sc_score(X, PAIRS, n_neighbors=3, must_link=must)
    assert_array_equal(unweighted, without)


def test_pairs_are_ordered(rng):
    X = rng.normal(size=(12, 4))
    there, back = (relief_sc_score(X, [pair]) for pair in [(1, 8), (8, 1)])
    assert (there != back).any()
    both = relief_sc_score(X, [(1, 8), (8, 1)])
    assert_allclose(both, there + back, rtol=1e-12, atol=1e-14)


def test_one_feature_and_two_rows():
    X = np.array([[0.0], [2.0], [5.0]])
    # H(0) = 1 and H(2) = 1: |0-2| - |0-2| = 0 of the range 5.
    assert_array_equal(relief_sc_score(X, [(0, 2)]), [0.0])
    # Two rows: nobody is left once both ends are excluded, and the mean over none is 0.
    assert_array_equal(relief_sc_score(X[:2], [(0, 1)]), [0.0])
    # As published each is the other's near-hit: |0-0| - |0-2| = -1.
    assert_array_equal(relief_sc_score(X[:2], [(0, 1)], exclude="self"), [-1.0])


@pytest.mark.parametrize(
    "form", ["float32", "fortran", "readonly", "strided", "integer"]
)
def test_memory_form_does_not_matter(rng, form):
    X = rng.integers(-50, 50, size=(40, 7)).astype(np.float64)
    expected = relieff_sc_score(X, PAIRS, n_neighbors=3)
    if form == "float32":
        X = X.astype(np.float32)
    elif form == "fortran":
        X = np.asfortranarray(X)
    elif form == "readonly":
        X.setflags(write=False)
    elif form == "strided":
        X = np.repeat(X, 2, axis=1)[:, ::2]
    else:
        X = X.astype(np.int64)
    before = X.copy()
    z = relieff_sc_score(X, PAIRS, n_neighbors=3)
    assert z.dtype == np.float64
    assert_array_equal(z, expected)
    assert_array_equal(X, before)


@pytest.mark.parametrize("score", [relief_sc_score, relieff_sc_score, simba_sc_score])
def test_rows_that_do_not_exist_are_refused(rng, score):
    with pytest.raises(ConstraintError, match=r"cannot_link pair \(0, 40\) is out of"):
        score(rng.normal(size=(40, 2)), [(0, 40)])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"metric": "cityblock"},
            "metric must be one of 'manhattan', 'euclidean', got",
        ),
        ({"exclude": "both"}, "exclude must be one of 'pair', 'self', got 'both'"),
        ({"missing": "xx"}, "missing must be one of .*got 'xx'"),
        ({"n_neighbors": 0}, "n_neighbors must be a whole number of at least 1, got 0"),
        ({"is_categorical": [True]}, "is_categorical must be a mask of the 4 columns"),
        ({"must_link_weight": -1}, "must_link_weight must be a number of at least 0"),
        ({"ties": "random"}, "ties must be one of 'share', 'index', got 'random'"),
        ({"null": "pairs"}, "null must be one of 'random-pairs', 'must-links', got"),
        (
            {"null": "must-links"},
            "but there are no must-links: add some, or choose null='random-pairs'",
        ),
        (
            {"null": "must-links", "must_link": [(0, 1)], "cannot_link": []},
            "but there are no cannot-links: add some",
        ),
    ],
)
def test_misspelt_options_are_refused(rng, options, message):
    with pytest.raises(ValueError, match=message):
        relieff_sc_score(
            **{"X": rng.normal(size=(12, 4)), "cannot_link": [(0, 1)]} | options
        )


def test_infinite_data_is_refused(rng):
    X = rng.normal(size=(12, 4))
    X[3, 1] = np.inf
    with pytest.raises(ValueError, match="X contains infinity"):
        relieff_sc_score(X, [(0, 1)])


def test_large_class_numbers_take_no_memory(rng):
    X = mixed_data(rng, share_missing=0.2)
    few, large = np.arange(len(X)) % 3, (np.arange(len(X)) % 3) * 10**6
    assert_array_equal(
        relieff_sc_score(X, PAIRS, labels=large), relieff_sc_score(X, PAIRS, labels=few)
    )


@pytest.mark.slow
@given(
    X=arrays(np.float64, (14, 3), elements=st.sampled_from([0.0, 1.0, 2.0])),
    labels=st.lists(st.integers(-1, 2), min_size=14, max_size=14),
    exclude=st.sampled_from(["pair", "self"]),
    ties=st.sampled_from(["share", "index"]),
    n_neighbors=st.integers(1, 14),
    must_link_weight=st.sampled_from([0.0, 0.5]),
    null=st.sampled_from([None, "random-pairs", "must-links"]),
)
@settings(max_examples=60, deadline=None)
def test_margins_of_labels_are_those_of_all_their_pairs(
    X, labels, exclude, ties, n_neighbors, must_link_weight, null
):
    labels[:3] = 0, 2, 2
    rows = [i for i in range(14) if labels[i] >= 0]
    pairs = [(n, m) for n in rows for m in rows if n != m]
    apart = [(n, m) for n, m in pairs if labels[n] != labels[m]]
    together = [(n, m) for n, m in pairs if labels[n] == labels[m]]
    rules = {"exclude": exclude, "ties": ties}
    expected = reference.relieff_sc(
        X,
        apart,
        n_neighbors,
        categorical=[1],
        must=together,
        must_weight=must_link_weight,
        null={None: None, "random-pairs": pairs, "must-links": together}[null],
        **rules,
    )
    scores = relieff_sc_label_score(
        X,
        labels,
        n_neighbors=n_neighbors,
        must_link_weight=must_link_weight,
        null=null,
        is_categorical=mask([1], 3),
        **rules,
    )
    # Both directions of a pair are one pair, unless the mean was taken.
    expected = np.array(expected) / (2 if null is None else 1)
    assert_allclose(scores, expected, rtol=1e-10, atol=1e-10)


def test_margins_that_are_only_rounding_are_zero(rng):
    # All other rows are near-hits of both ends of a pair.
    X = rng.normal(size=(12, 4))
    z = relieff_sc_label_score(X, np.arange(12) % 3, n_neighbors=50)
    assert_array_equal(z, np.zeros(4))


def test_labels_that_name_no_class_are_refused(rng):
    with pytest.raises(ValueError, match="labels must hold a class number"):
        relieff_sc_label_score(rng.normal(size=(5, 2)), [-1] * 5)


# Simba-Sc


def orders(pairs, n_starts, seed):
    draws = np.random.default_rng(seed)
    pairs = np.asarray(pairs)
    return [pairs[draws.permutation(len(pairs))].tolist() for _ in range(n_starts)]


@pytest.mark.parametrize("symmetric", [False, True])
@pytest.mark.parametrize("step", [1.0, 0.5])
@pytest.mark.parametrize("share_missing", [0.0, 0.2])
def test_simba_agrees_with_plain_loops(rng, symmetric, step, share_missing):
    X = mixed_data(rng, share_missing=share_missing)
    expected = reference.simba_sc(
        X, orders(PAIRS, 3, 7), PAIRS, step=step, symmetric=symmetric, categorical=[1]
    )
    scores = simba_sc_score(
        X,
        PAIRS,
        n_starts=3,
        step=step,
        symmetric=symmetric,
        is_categorical=mask([1], 6),
        random_state=7,
    )
    assert_allclose(scores, expected, rtol=1e-9, atol=1e-12)
    assert scores[2] == 0.0


@pytest.mark.parametrize("symmetric", [False, True])
@pytest.mark.parametrize("share_missing", [0.0, 0.2])
def test_simba_may_leave_out_one_row_as_published(rng, symmetric, share_missing):
    X = mixed_data(rng, share_missing=share_missing)
    # Ends of pairs that are each other's nearest rows: the exclusion decides.
    X[11] = X[3]
    X[11, 0] += 0.01
    X[8, 0] += 1.0
    pairs = [*PAIRS, (3, 11), (11, 3)]
    options = {"symmetric": symmetric, "exclude": "self"}
    expected = reference.simba_sc(
        X, orders(pairs, 2, 7), pairs, categorical=[1], **options
    )
    options |= {"n_starts": 2, "is_categorical": mask([1], 6), "random_state": 7}
    scores = simba_sc_score(X, pairs, **options)
    assert_allclose(scores, expected, rtol=1e-9, atol=1e-12)
    others = simba_sc_score(X, pairs, **options | {"exclude": "pair"})
    assert np.abs(scores - others).max() > 1e-3


def test_simba_names_what_it_may_leave_out(rng):
    with pytest.raises(ValueError, match="exclude must be one of 'pair', 'self'"):
        simba_sc_score(rng.random((5, 2)), [(0, 1)], exclude="both")


def test_simba_step_is_the_derivative_of_the_margin(rng):
    # The published equations 3.20 and 3.21 have the norms to the third power: finite
    # differences of the margin of one pair, with its neighbours held, say the first.
    X = rng.random(size=(30, 4))
    X = (X - X.min(axis=0)) / np.ptp(X, axis=0)
    delta = reference.Delta(X)
    n, m = 3, 11
    hit_n, hit_m = reference.weighted_nearest(delta, n, m, [1.0] * 4)

    def margin(w):
        return np.sqrt((w**2 * (X[n] - X[hit_m]) ** 2).sum()) - np.sqrt(
            (w**2 * (X[n] - X[hit_n]) ** 2).sum()
        )

    ones, h = np.ones(4), 1e-6
    gradient = [
        (margin(ones + h * e) - margin(ones - h * e)) / (2 * h) for e in np.eye(4)
    ]
    weights = 1.0 + np.array(gradient)
    scores = simba_sc_score(X, [(n, m)], n_starts=1)
    assert_allclose(scores, weights**2 / (weights**2).max(), rtol=1e-7)


def test_simba_searches_all_of_many_rows(rng):
    X = rng.normal(size=(9000, 3))
    pairs = [(0, 8999), (8500, 2), (17, 8300)]
    scores = simba_sc_score(X, pairs, n_starts=2, random_state=0)
    X = (X - X.min(axis=0)) / np.ptp(X, axis=0)

    def nearest(a, b, w):
        distance = ((w * (X - X[a])) ** 2).sum(axis=1)
        distance[[a, b]] = np.inf
        return distance.argmin()

    def gradients(a, h, w):
        norm = np.sqrt(((w * (X[a] - X[h])) ** 2).sum())
        return (X[a] - X[h]) ** 2 / norm

    def norm(a, h, w):
        return np.sqrt(((w * (X[a] - X[h])) ** 2).sum())

    found = []
    for order in orders(pairs, 2, 0):
        w = np.ones(3)
        for n, m in order:
            hit_n, hit_m = nearest(n, m, w), nearest(m, n, w)
            w = w + (gradients(n, hit_m, w) - gradients(n, hit_n, w)) * w
        w = w / abs(w).max()
        total = sum(
            norm(n, nearest(m, n, w), w) - norm(n, nearest(n, m, w), w)
            for n, m in pairs
        )
        found.append((total, w))
    assert_allclose(scores, max(found, key=lambda item: item[0])[1] ** 2, rtol=1e-9)


def test_simba_of_two_rows_or_constant_features_does_not_fail():
    assert_array_equal(simba_sc_score(np.array([[0.0], [1.0]]), [(0, 1)]), [1.0])
    assert_array_equal(simba_sc_score(np.ones((4, 2)), [(0, 1)]), [0.0, 0.0])


def test_a_pair_with_an_end_that_is_comparable_to_no_row_is_left_out(rng):
    X = rng.normal(size=(12, 2))
    X[3] = np.nan
    options = {"n_neighbors": 2, "missing": "ignore"}
    expected = relieff_sc_score(X, [(0, 1), (5, 7)], **options)
    for pair in ((2, 3), (3, 2)):
        z = relieff_sc_score(X, [(0, 1), (5, 7), pair], **options)
        assert_allclose(z / 3, expected / 2, rtol=1e-12)
