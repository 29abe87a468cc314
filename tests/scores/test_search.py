"""What forward searches share: orders in which rounding decides nothing."""

import numpy as np
from numpy.testing import assert_array_equal

from pairsift.scores._search import ascending, first_lowest, forward_path
from pairsift.scores._similarity import _overlap


def test_tied_values_stand_in_order_of_position():
    values = np.array([3.0, 1.0 + 1e-14, 2.0, 1.0, 2.0 - 1e-14])
    assert_array_equal(ascending(values, 1e-12), [1, 3, 2, 4, 0])
    assert_array_equal(ascending(values, 0.0), [3, 1, 4, 2, 0])
    assert_array_equal(ascending(np.empty(0), 1e-12), [])


def test_first_of_tied_values_is_the_lowest():
    values = np.array([3.0, 1.0 + 1e-14, 1.0])
    assert first_lowest(values, 1e-12) == 1
    assert first_lowest(values, 0.0) == 2


def test_only_values_whose_intervals_meet_are_undecided():
    values = np.array([5.0, 1.0, 2.0, 9.0, 4.8])
    bounds = np.array([0.3, 0.2, 0.2, 0.1, 0.3])
    assert_array_equal(_overlap(values, bounds, 0.0), [True, False, False, False, True])
    assert_array_equal(_overlap(values, bounds, 0.7), [True, True, True, False, True])
    # A wide interval touches those on both sides of it.
    bounds[2] = np.inf
    assert _overlap(values, bounds, 0.0).all()


class Lightest:
    """Adds the feature with the smallest weight; values count the features added."""

    def __init__(self, weights):
        self.weights, self.added = weights, []

    def best(self, left):
        return int(left[self.weights[left].argmin()]), float(len(self.added))

    def ranked(self, left):
        order = left[self.weights[left].argsort()]
        return order, self.weights[order] + len(self.added)

    def add(self, feature):
        self.added.append(feature)


def test_path_holds_all_features_and_the_values_of_the_steps():
    search = Lightest(np.array([3.0, 1.0, 2.0, 0.0]))
    order, values = forward_path(search, 4, 2)
    assert_array_equal(order, [3, 1, 2, 0])
    # The last step leads to 1 + 1, and would have led to 1 + 2 and 1 + 3.
    assert_array_equal(values, [0.0, 2.0, 3.0, 4.0])
    # The others are ranked at the last step, before its feature is added.
    assert search.added == [3]
    order, values = forward_path(Lightest(search.weights), 4, 4)
    assert_array_equal(order, [3, 1, 2, 0])
    assert values.size == 4
