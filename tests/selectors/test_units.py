"""Grams or milligrams, Celsius or Fahrenheit: who cares, and why."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import load_wine

from pairsift import MRMR, SSFC, ForwardBackwardMI
from tests.selectors.builders import SELECTORS, build, fit_arguments, problem
from tests.selectors.promises import UNITS


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


@pytest.mark.slow
@pytest.mark.parametrize("name", [n for n in SELECTORS if n not in UNITS])
def test_units_change_nothing(name):
    X, y = problem()
    # Rounded numbers have copies, which some selectors tell apart at random.
    X = np.round(X, 1)
    arguments = fit_arguments(name, y)
    expected = build(name).fit(X, **arguments)
    largest = np.abs(expected.scores_).max()
    for kind in ("powers of two", "scaled", "shifted", "both"):
        other = build(name).fit(other_units(X, kind), **arguments)
        assert_array_equal(other.order_, expected.order_)
        if kind == "powers of two":
            assert_array_equal(other.scores_, expected.scores_)
        assert_allclose(other.scores_, expected.scores_, rtol=1e-8, atol=1e-8 * largest)


@pytest.mark.slow
@pytest.mark.parametrize(
    "selector",
    [
        MRMR(),
        MRMR(form="quotient"),
        SSFC(random_state=0, n_permutations=10),
        ForwardBackwardMI(random_state=0, pairs=False, n_permutations=10),
    ],
    ids=["difference", "quotient", "SSFC", "ForwardBackwardMI"],
)
def test_wine_in_milligrams_is_the_same_wine(selector):
    X, y = load_wine(return_X_y=True)
    order = selector.fit(X, y).order_.copy()
    in_milligrams = X * np.where(np.arange(13) == 2, 1000.0, 1.0)
    for other in (in_milligrams, X + 1.0, 2.0 * X, 0.1 * X):
        assert_array_equal(selector.fit(other, y).order_, order)
