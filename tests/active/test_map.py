"""The map of the rows: two principal coordinates."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from pairsift.active import ActiveSession, map_rows


def up_to_sign(a, b):
    assert_allclose(np.abs(a), np.abs(b), atol=1e-9)


@pytest.mark.parametrize("shape", [(30, 4), (6, 40)])
def test_places_are_those_of_a_singular_value_decomposition(rng, shape):
    X = rng.normal(size=shape)
    rows, places = map_rows(ActiveSession(X))
    assert_array_equal(rows, np.arange(len(X)))
    scaled = X / np.ptp(X, axis=0)
    u, s, _ = np.linalg.svd(scaled - scaled.mean(axis=0), full_matrices=False)
    up_to_sign(places, u[:, :2] * s[:2])
    # The sign is not left to chance: the largest entry is positive.
    assert (places[np.abs(places).argmax(axis=0), [0, 1]] > 0).all()


def test_sorted_rows_are_on_the_map_always(rng):
    session = ActiveSession(rng.normal(size=(200, 3)))
    session.place(7, "new")
    session.place(150, "new")
    rows, places = map_rows(session, max_samples=20)
    assert {7, 150} <= set(rows.tolist())
    assert len(rows) <= 22
    assert places.shape == (len(rows), 2)
    assert_array_equal(map_rows(session, max_samples=20).places, places)


def test_categories_missing_values_and_one_column_have_places():
    frame = pd.DataFrame({"a": ["x", "y", "x", None], "b": [1.0, np.nan, 1.0, 2.0]})
    _, places = map_rows(ActiveSession(frame))
    assert np.isfinite(places).all()
    assert_allclose(places[0], places[2])
    _, line = map_rows(ActiveSession(np.array([[0.0], [1.0], [3.0]])))
    assert_allclose(np.abs(line[:, 0] - line[0, 0]), [0, 1 / 3, 1])
    assert_allclose(line[:, 1], 0)


def test_filled_rows_have_means_and_most_frequent_categories():
    frame = pd.DataFrame(
        {"a": [1.0, np.nan, 4.0, 7.0], "b": ["x", "x", None, "y"], "c": [0.0, 1, 2, 3]}
    )
    session = ActiveSession(frame)
    codes = session.X[:, 1]
    full = session.filled()
    assert_allclose(full[:, 0], [1.0, 4.0, 4.0, 7.0])
    assert full[2, 1] == codes[0]
    assert_allclose(session.filled(np.array([1, 2]))[:, 0], 4.0)
    assert np.isnan(session.X[1, 0])
