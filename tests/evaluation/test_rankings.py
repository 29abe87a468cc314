import numpy as np
import pytest
from hypothesis import given, strategies as st
from numpy.testing import assert_allclose

from pairsift.evaluation import ranking_distance, ranking_precision
from pairsift.exceptions import DataError

PERMUTATIONS = st.integers(2, 9).flatmap(lambda d: st.permutations(range(d)))


def distance_reference(order, optimal, size):
    target, reverse = list(optimal[:size]), list(optimal[::-1])
    moved = sum(abs(target.index(a) - list(order).index(a)) for a in target)
    farthest = sum(abs(list(optimal).index(a) - reverse.index(a)) for a in optimal)
    return moved / farthest


def test_precision_by_hand():
    order, optimal = [4, 1, 0, 3, 2], [0, 1, 2, 3, 4]

    precisions = [ranking_precision(order, optimal, size) for size in range(1, 6)]

    assert_allclose(precisions, [0, 1 / 2, 2 / 3, 3 / 4, 1])


def test_distance_by_hand():
    # Features 0, 1, 2, 3, 4 are moved by 2, 0, 2, 0, 4 of at most 4 + 2 + 0 + 2 + 4.
    order, optimal = [4, 1, 0, 3, 2], [0, 1, 2, 3, 4]

    distances = [ranking_distance(order, optimal, size) for size in range(1, 6)]

    assert_allclose(distances, np.array([2, 2, 4, 4, 8]) / 12)
    assert ranking_distance(order, optimal) == distances[-1]


@given(optimal=PERMUTATIONS)
def test_extremes(optimal):
    assert ranking_distance(optimal, optimal) == 0.0
    assert ranking_distance(optimal[::-1], optimal) == 1.0
    assert ranking_precision(optimal[::-1], optimal, len(optimal)) == 1.0


@given(optimal=PERMUTATIONS, data=st.data())
def test_distance_equals_the_reference_and_stays_between_zero_and_one(optimal, data):
    order = data.draw(st.permutations(optimal))
    size = data.draw(st.integers(1, len(optimal)))

    distance = ranking_distance(order, optimal, size)

    assert_allclose(distance, distance_reference(order, optimal, size))
    assert 0.0 <= distance <= 1.0


@given(optimal=PERMUTATIONS, data=st.data())
def test_names_of_features_do_not_matter(optimal, data):
    order = data.draw(st.permutations(optimal))
    size = data.draw(st.integers(1, len(optimal)))

    for measure in (ranking_precision, ranking_distance):
        expected = measure(order, optimal, size)
        names = [f"f{a}" for a in order], [f"f{a}" for a in optimal]
        assert measure(*names, size) == expected
        assert measure(np.array(order), optimal, np.int64(size)) == expected


def test_a_single_feature_is_in_its_place():
    assert ranking_distance([0], [0]) == 0.0
    assert ranking_precision([0], [0], 1) == 1.0


def test_precision_of_partial_rankings():
    assert ranking_precision([5, 7], [7, 8, 9], 2) == 0.5


@pytest.mark.parametrize("measure", [ranking_precision, ranking_distance])
@pytest.mark.parametrize(
    ("order", "optimal", "size", "message"),
    [
        ([0, 0, 1], [0, 1, 2], 1, "order must name each feature once, got 0 2 times"),
        ([0, 1], ["a", "a"], 1, "optimal must name each feature once, got 'a' 2"),
        ([], [0], 1, "order must rank at least one feature"),
        ([0, 1], [1, 0], 3, "size must be an integer from 1 to 2, got 3"),
        ([0, 1], [1, 0], 0, "size must be an integer from 1 to 2, got 0"),
        ([0, 1], [1, 0], 1.0, "size must be an integer from 1 to 2, got 1.0"),
    ],
)
def test_bad_input_is_named(measure, order, optimal, size, message):
    with pytest.raises(DataError, match=message):
        measure(order, optimal, size)


def test_distance_needs_the_same_features():
    with pytest.raises(DataError, match="same features, but 2 is only in order"):
        ranking_distance([0, 1, 2], [0, 1])
    with pytest.raises(DataError, match="same features, but 2 is only in optimal"):
        ranking_distance([0, 1], [0, 1, 2])
