"""Grams or milligrams, Celsius or Fahrenheit: who cares, and why."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import load_wine

from pairsift import MRMR, SSFC, ForwardBackwardMI
from tests.selectors.builders import SELECTORS, build, fit_arguments, problem

# Definitions in which the unit of a column counts: scale the columns first.
UNITS_COUNT = {
    "ClusterVarianceScore": "K-means looks at distances between rows",
    "ConstraintScore2": "a difference of squared differences, in squared units",
    "ConstraintScore3": "neighbours by the distances of rows",
    "ConstraintScore4": "a graph of the distances of rows, and its sigma",
    "ConstraintScore5": "a graph of the distances of rows, and its sigma",
    "ConstraintScore6": "a graph of the distances of rows, and its sigma",
    "ConstraintScore7": "a graph of the distances of rows, and its sigma",
    "EnsembleConstraintScore": "ConstraintScore6",
    "LaplacianScore": "neighbours by the distances of rows",
    "MCFS": "neighbours by the distances of rows",
    "MICI": "the smallest eigenvalue of a covariance, in squared units",
    "NearestNeighborForward": "the nearest row by distance",
    "RankEnsemble": "its default members, one of which is LaplacianScore",
    "SCGS": "a linear model of the columns as they are, and a graph",
    "SPEC": "a graph of the distances of rows, and features that are not centred",
    "SSelect": "a graph of the distances of rows",
    "SVDEntropy": "singular values of the columns as they are",
    "SimilarityConstraintScore": "similarities of rows by their distances",
    "VarianceScore": "a variance, in squared units",
}


def other_units(X, kind):
    rng = np.random.default_rng(3)
    n_features = X.shape[1]
    units = rng.uniform(0.01, 100.0, n_features)
    origins = 10.0 * rng.normal(size=n_features)
    return {
        "powers of two": X * 2.0 ** rng.integers(-8, 8, n_features),
        "scaled": X * units,
        "shifted": X + origins,
        "both": X * units + origins,
    }[kind]


def test_table_names_selectors_that_promise_nothing():
    assert set(UNITS_COUNT) <= set(SELECTORS)
    for name in UNITS_COUNT:
        words = " ".join(SELECTORS[name].__doc__.split())
        assert "Units do not matter" not in words


@pytest.mark.parametrize("name", [n for n in SELECTORS if n not in UNITS_COUNT])
@pytest.mark.parametrize("kind", ["powers of two", "scaled", "shifted", "both"])
def test_units_change_nothing(name, kind):
    X, y = problem()
    # Rounded numbers have copies, which some selectors tell apart at random.
    X = np.round(X, 1)
    arguments = fit_arguments(name, y)
    expected = build(name).fit(X, **arguments)
    other = build(name).fit(other_units(X, kind), **arguments)
    assert_array_equal(other.order_, expected.order_)
    if kind == "powers of two":
        assert_array_equal(other.scores_, expected.scores_)
    largest = np.abs(expected.scores_).max()
    assert_allclose(other.scores_, expected.scores_, rtol=1e-8, atol=1e-8 * largest)


@pytest.mark.parametrize(
    "selector",
    [
        MRMR(),
        MRMR(form="quotient"),
        SSFC(random_state=0, n_permutations=10),
        ForwardBackwardMI(random_state=0, couples=False, n_permutations=10),
    ],
    ids=["difference", "quotient", "SSFC", "ForwardBackwardMI"],
)
def test_wine_in_milligrams_is_the_same_wine(selector):
    X, y = load_wine(return_X_y=True)
    order = selector.fit(X, y).order_.copy()
    in_milligrams = X * np.where(np.arange(13) == 2, 1000.0, 1.0)
    for other in (in_milligrams, X + 1.0, 2.0 * X, 0.1 * X):
        assert_array_equal(selector.fit(other, y).order_, order)
