"""Sessions of tables with text columns and missing values."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from pairsift.active import ActiveSession
from pairsift.active._data import MAX_CATEGORIES, as_points, ranges
from tests.active.test_session import STRATEGIES, answered, blobs

HALF = np.sqrt(0.5)


def mixed_table(seed=0, n_samples=40):
    X, y = blobs(seed, n_samples)
    frame = pd.DataFrame(X, columns=list("abcd"))
    frame["colour"] = np.array(["red", "green", "blue"])[y]
    frame["is_large"] = X[:, 0] > 0
    frame.loc[::7, "b"] = np.nan
    frame.loc[3::9, "colour"] = None
    return frame, y


def test_points_are_numbers_by_range_and_categories_apart_by_one():
    X = np.array([[2.0, 0.0], [4.0, 1.0], [np.nan, 1.0], [6.0, np.nan]])
    points = as_points(X, np.array([False, True]), ranges(X)[1])
    expected = [
        [0.5, HALF, 0.0],
        [1.0, 0.0, HALF],
        # The mean of the number; the shares 1/3 and 2/3 of the categories.
        [1.0, 0.0, HALF],
        [1.5, HALF / 3, 2 * HALF / 3],
    ]
    assert_allclose(points, expected)
    assert np.linalg.norm(points[0, 1:] - points[1, 1:]) == pytest.approx(1.0)


def test_numbers_keep_their_units_and_no_copy_where_all_are_known():
    X, _ = blobs()
    assert as_points(X, np.zeros(4, dtype=bool), None) is X


def test_constant_and_empty_columns_tell_nothing():
    X = np.array([[1.0, np.nan, 0.0], [1.0, np.nan, 2.0]])
    points = as_points(X, np.zeros(3, dtype=bool), ranges(X)[1])
    assert_array_equal(points, [[0, 0, 0], [0, 0, 1]])


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_tables_with_text_and_missing_values_are_welcome(strategy, tmp_path):
    frame, y = mixed_table()
    session = answered(ActiveSession(frame, strategy=strategy), y, 14)
    assert len({frozenset(answer[:2]) for answer in session.history}) == 14

    # What the categories are called does not matter.
    renamed = frame.replace({"red": "zebra", "blue": "cow"})
    renamed["colour"] = renamed["colour"].astype("category")
    same = answered(ActiveSession(renamed, strategy=strategy), y, 14)
    assert same.history == session.history

    question = session.ask()
    session.save(tmp_path / "s.db")
    session.close()
    with ActiveSession.load(tmp_path / "s.db") as session:
        assert session.ask() == question
        assert session.settings["categorical_features"] == [4, 5]
        assert_array_equal(np.isnan(session.X[:, 1]), frame["b"].isna())


def test_categorical_columns_of_an_array_are_named():
    X, y = blobs()
    X = np.column_stack([X, y])
    frame = (
        pd.DataFrame(X).assign(**{"4": [*map("class {}".format, y)]}).drop(columns=4)
    )
    frame.columns = frame.columns.astype(str)
    histories = [
        answered(ActiveSession(data, strategy="eigenvector", **given), y, 8).history
        for data, given in [(X, {"categorical_features": [4]}), (frame, {})]
    ]
    assert histories[0] == histories[1]


def test_columns_of_names_are_refused():
    n = MAX_CATEGORIES + 1
    frame = pd.DataFrame({"x": np.arange(n, dtype=float), "id": np.arange(n)})
    frame["id"] = [f"row {i}" for i in range(n)]
    with pytest.raises(ValueError, match="column 1 of X has 1,001 categories"):
        ActiveSession(frame, strategy="eigenvector").ask()


def test_without_a_copy_the_array_itself_is_read():
    X, _ = blobs()
    assert np.shares_memory(ActiveSession(X, copy=False).X, X)
    assert not np.shares_memory(ActiveSession(X).X, X)
