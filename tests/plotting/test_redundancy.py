"""Redundancy along rankings, as the measures give it."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.exceptions import NotFittedError

from pairsift import ReliefF
from pairsift.evaluation import redundancy_rate, representation_entropy
from pairsift.plotting import plot_redundancy
from tests.selectors.builders import problem

pytest.importorskip("matplotlib")

from matplotlib.figure import Figure

from tests.plotting.pictures import check_all_readable, column, legend_of


def data():
    return problem(n_features=8)


def test_lines_are_the_measures_of_the_first_features():
    X, Y = data()
    selector = ReliefF().fit(X, Y)
    orders = {"relief": selector, "given": [3, 1, 0, 7, 2, 5, 6, 4]}
    rate, entropy = plot_redundancy(X, orders, absolute=True)
    for number, order in enumerate([selector.order_, orders["given"]]):
        expected = [redundancy_rate(X, order[:s], absolute=True) for s in range(2, 9)]
        assert_array_equal(rate.lines[number].get_xdata(), np.arange(2, 9))
        assert_allclose(rate.lines[number].get_ydata(), expected)
        expected = [representation_entropy(X, order[:s]) for s in range(1, 9)]
        assert_array_equal(entropy.lines[number + 1].get_xdata(), np.arange(1, 9))
        assert_allclose(entropy.lines[number + 1].get_ydata(), expected)
    assert legend_of(entropy) == ["largest possible", "relief", "given"]
    assert rate.get_xlim() == entropy.get_xlim()


def test_signed_correlations_by_default():
    first = data()[0][:, 0]
    Z = np.column_stack([first, -first])
    rate, _ = plot_redundancy(Z, {"opposite": [0, 1]})
    assert_allclose(rate.lines[0].get_ydata(), [-0.5])


def test_largest_possible_entropy_ends_with_the_rows():
    rng = np.random.default_rng(0)
    _, entropy = plot_redundancy(rng.random((5, 20)), {"a": np.arange(20)})
    expected = np.log(np.minimum(np.arange(1, 21), 4))
    assert_allclose(entropy.lines[0].get_ydata(), expected)
    assert (entropy.lines[1].get_ydata() <= expected + 1e-12).all()


def test_independent_columns_reach_the_largest_possible_entropy():
    # Columns of a Hadamard matrix are orthogonal and centred.
    H = np.array([[1, 1, 1], [-1, 1, -1], [1, -1, -1], [-1, -1, 1]])
    rate, entropy = plot_redundancy(H, {"a": [0, 1, 2]})
    assert_allclose(entropy.lines[1].get_ydata(), entropy.lines[0].get_ydata())
    assert_allclose(rate.lines[0].get_ydata(), 0.0, atol=1e-15)


def test_many_features_are_measured_at_some_sizes():
    rng = np.random.default_rng(0)
    _, entropy = plot_redundancy(rng.random((6, 300)), {"a": np.arange(300)})
    sizes = entropy.lines[1].get_xdata()
    assert (sizes[0], sizes[-1]) == (1, 300)
    assert 30 <= sizes.size <= 50
    X, Y = data()
    _, entropy = plot_redundancy(X, ReliefF().fit(X, Y), sizes=[2, 5])
    assert_array_equal(entropy.lines[1].get_xdata(), [2, 5])


def test_orders_of_different_lengths_end_with_the_shorter():
    rate, _ = plot_redundancy(data()[0], {"all": np.arange(8), "some": [4, 1, 2]})
    assert [line.get_xdata()[-1] for line in rate.lines] == [3, 3]


def test_one_feature_says_why_there_is_no_rate():
    rate, entropy = plot_redundancy(data()[0][:, :1], {"a": [0]})
    assert [text.get_text() for text in rate.texts] == [
        "one feature has no redundancy rate"
    ]
    assert_array_equal(entropy.lines[1].get_ydata(), [0.0])
    check_all_readable(rate, entropy)


def test_readable_in_a_column():
    orders = {f"method {j}": np.roll(np.arange(8), j) for j in range(6)}
    check_all_readable(*plot_redundancy(data()[0], orders, axes=column(5.0, 2)))


def test_drawn_in_given_axes():
    given = Figure().subplots(2)
    assert list(plot_redundancy(data()[0], {"a": [0, 1]}, axes=given)) == list(given)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"X": [1.0, 2.0]}, ValueError, "X must have rows and columns"),
        ({"orders": ReliefF()}, NotFittedError, "not fitted"),
        ({"orders": {}}, ValueError, "orders must be a mapping .* at least one"),
        ({"orders": {"a": [0, 8]}}, ValueError, r"orders\['a'\] .* from 0 to 7"),
        ({"orders": {"a": [1, 1]}}, ValueError, "each once"),
        ({"orders": {"a": [0.5]}}, ValueError, "list of column numbers"),
        ({"sizes": [0, 1]}, ValueError, "whole numbers from 1 to 2, .* got"),
        ({"sizes": [2, 1]}, ValueError, "ascending whole numbers"),
        ({"sizes": [1.5]}, ValueError, "ascending whole numbers"),
        ({"axes": [1]}, TypeError, "axes must be two Matplotlib Axes or None, got 1"),
        ({"axes": [1, 2]}, TypeError, r"axes\[0\] must be a Matplotlib Axes"),
    ],
)
def test_refuses(arguments, error, message):
    with pytest.raises(error, match=message):
        plot_redundancy(**{"X": data()[0], "orders": {"a": [0, 1]}} | arguments)
