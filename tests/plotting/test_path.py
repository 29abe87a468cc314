"""The way of a search, and its best step."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal
from sklearn.exceptions import NotFittedError

from pairsift import (
    MRMR,
    GramSchmidt,
    NearestNeighborForward,
    PairLogistic,
    ReliefF,
    SemiMRMR,
    SimilarityConstraintScore,
)
from pairsift.plotting import plot_path
from tests.selectors.builders import problem

pytest.importorskip("matplotlib")

from matplotlib.figure import Figure

from tests.plotting.pictures import check_all_readable, column, labels, legend_of


def fitted(cls=SimilarityConstraintScore, n_features=6, **parameters):
    X, y = problem(n_features=max(6, n_features))
    X = X[:, :n_features]
    names = [f"gene {j}" for j in range(n_features)]
    return cls(**parameters).fit(pd.DataFrame(X, columns=names), y)


def line_of(ax, label):
    (line,) = [line for line in ax.lines if line.get_label() == label]
    return line


def test_errors_and_their_minimum():
    selector = fitted(sigma=2.0)
    ax = plot_path(selector)
    assert_array_equal(ax.lines[0].get_xdata(), np.arange(1, 7))
    assert_array_equal(ax.lines[0].get_ydata(), selector.path_scores_)
    best = line_of(ax, "smallest")
    number = selector.n_features_to_select_
    assert 1 < number < 6
    assert best.get_xdata() == [number]
    assert best.get_ydata() == [selector.path_scores_.min()]
    assert ax.get_title(loc="left") == f"smallest error with {number} of 6 features"
    assert ax.get_ylabel() == "normalised error ε"
    assert labels(ax.xaxis) == [f"gene {j}" for j in selector.order_]
    assert_array_equal(line_of(ax, "selected").get_xdata(), np.arange(1, number + 1))
    assert_array_equal(
        line_of(ax, "not selected").get_xdata(), np.arange(number + 1, 7)
    )


def test_first_of_equal_errors_is_marked():
    selector = fitted()
    selector.path_scores_ = np.array([0.5, 0.3, 0.2, 0.2 * (1 - 1e-15), 0.2, 0.4])
    assert line_of(plot_path(selector), "smallest").get_xdata() == [3]


def test_selection_need_not_be_the_best_step():
    selector = fitted(sigma=2.0, n_features_to_select=None)
    ax = plot_path(selector)
    assert_array_equal(line_of(ax, "selected").get_xdata(), np.arange(1, 7))
    assert line_of(ax, "smallest").get_xdata() == [selector.path_scores_.argmin() + 1]
    assert legend_of(ax) == ["selected", "smallest"]


def test_accuracies_and_their_maximum():
    selector = fitted(NearestNeighborForward)
    ax = plot_path(selector)
    best = line_of(ax, "largest")
    assert best.get_xdata() == [selector.path_scores_.argmax() + 1]
    assert best.get_ydata() == [selector.path_scores_.max()]


def test_search_that_stopped_shows_its_steps():
    ax = plot_path(fitted(NearestNeighborForward, n_features_to_select=3))
    assert_array_equal(ax.lines[0].get_xdata(), [1, 2, 3])
    assert ax.get_title(loc="left").endswith("of 6 features")


@pytest.mark.parametrize("cls", [GramSchmidt, MRMR, SemiMRMR])
def test_criterion_of_single_features_has_no_best_step(cls):
    selector = fitted(cls, n_features_to_select=4)
    ax = plot_path(selector)
    assert_array_equal(ax.lines[0].get_ydata(), selector.path_scores_)
    assert legend_of(ax) == ["selected"]
    assert ax.get_title(loc="left") == "4 of 6 features selected"


def test_infinite_values_are_left_out():
    selector = fitted(MRMR)
    selector.path_scores_[-2:] = -np.inf
    ax = plot_path(selector)
    assert np.isnan(ax.lines[0].get_ydata()).sum() == 2
    assert np.isfinite(ax.get_ylim()).all()


@pytest.mark.parametrize(
    ("n_features", "make", "is_named"),
    [
        (1, lambda: None, True),
        (6, lambda: None, True),
        (60, lambda: None, False),
        (6, lambda: column(3.0), True),
        (30, lambda: column(3.0), False),
        (6, lambda: column(1.8), False),
    ],
)
def test_readable(n_features, make, is_named):
    ax = plot_path(fitted(n_features=n_features), ax=make())
    check_all_readable(ax)
    assert any(name.startswith("gene") for name in labels(ax.xaxis)) == is_named


def test_long_names_take_their_room_or_are_left_out():
    names = [f"a very long name of a measurement {j}" for j in range(6)]
    ax = plot_path(fitted(), feature_names=names)
    check_all_readable(ax)
    assert ax.get_window_extent().height > 100
    ax = plot_path(fitted(), feature_names=names, ax=column(2.5))
    check_all_readable(ax)
    assert not any(name.startswith("a very") for name in labels(ax.xaxis))


def test_weights_of_a_sparse_model():
    selector = fitted(PairLogistic, n_features=12)
    penalties = selector.path_.penalties
    coefs = np.random.default_rng(0).random((penalties.size, 12))
    coefs[:, selector.order_[3]] = 0.0
    selector._path = selector.path_._replace(coefs=coefs)._asdict()
    ax = plot_path(selector)
    used = np.delete(selector.order_, 3)
    assert legend_of(ax) == [*(f"gene {j}" for j in used[:8]), "chosen penalty"]
    for j in used[:8]:
        assert_array_equal(line_of(ax, f"gene {j}").get_ydata(), coefs[:, j])
        assert_array_equal(line_of(ax, f"gene {j}").get_xdata(), penalties)
    assert len(ax.lines) == 11 + 1
    assert ax.get_xlim() == (penalties[0], penalties[-1])  # the largest to the left
    chosen = line_of(ax, "chosen penalty").get_xdata()
    assert_array_equal(chosen, [selector.penalty_, selector.penalty_])
    n_weighted = np.count_nonzero(selector.coef_)
    assert ax.get_title(loc="left").startswith(f"{n_weighted} of 12 features have")
    check_all_readable(ax)


def test_weights_are_readable_in_a_column():
    check_all_readable(plot_path(fitted(PairLogistic), ax=column(3.5)))


def test_drawn_in_given_axes():
    ax = Figure().subplots()
    assert plot_path(fitted(), ax=ax) is ax


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (
            {"selector": ReliefF()},
            TypeError,
            "SimilarityConstraintScore, NearestNeighborForward, GramSchmidt, MRMR, "
            "SemiMRMR, UnsupervisedMRMR or PairLogistic, got ReliefF, which has no "
            "path to draw",
        ),
        ({"selector": MRMR()}, NotFittedError, "not fitted"),
        ({"selector": PairLogistic()}, NotFittedError, "not fitted"),
        ({"feature_names": ["a"]}, ValueError, "name the 6 features, got 1 names"),
        ({"ax": 3}, TypeError, "ax must be a Matplotlib Axes or None, got int"),
    ],
)
def test_refuses(arguments, error, message):
    with pytest.raises(error, match=message):
        plot_path(**{"selector": fitted()} | arguments)
