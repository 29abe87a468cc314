"""compare on tables with text and missing values: who gets what, and no leaks."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import BaseEstimator
from sklearn.datasets import load_wine
from sklearn.feature_selection import SelectKBest

from pairsift import FisherScore, ReliefF, SemiMRMR, VarianceScore
from pairsift.evaluation import compare
from pairsift.evaluation._compare._tables import read_table, split_table
from pairsift.exceptions import DataError

NAN = np.nan


@pytest.fixture
def mixed():
    """Sixty rows of two classes: a colour tells them, numbers have gaps."""
    rng = np.random.default_rng(0)
    y = np.arange(60) % 2
    frame = pd.DataFrame(rng.normal(size=(60, 3)), columns=["a", "b", "c"])
    frame.loc[::7, "b"] = NAN
    frame["colour"] = np.where(y, "red", np.where(np.arange(60) % 4, "blue", "green"))
    frame.loc[::11, "colour"] = None
    return frame, y


class Recorder(BaseEstimator):
    """Remembers what it was given; ranks columns from the last to the first."""

    seen = []  # noqa: RUF012

    def __init__(self, takes_text=False, takes_missing=False):
        self.takes_text = takes_text
        self.takes_missing = takes_missing

    def fit(self, X, y=None):
        self.seen.append(X)
        self.order_ = np.arange(X.shape[1])[::-1]
        return self

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = self.takes_text
        tags.input_tags.allow_nan = self.takes_missing
        return tags


def numbers(X, train, test):
    X = np.array(X, dtype=object)
    frame = pd.DataFrame({f"x{j}": list(column) for j, column in enumerate(X.T)})
    return split_table(*read_table(frame.infer_objects()), train, test)


def test_training_rows_alone_scale_encode_and_fill():
    X = [[0.0, "u"], [4.0, "v"], [NAN, "u"], [2.0, None], [8.0, "w"], [NAN, None]]
    table = numbers(X, np.arange(4), np.array([4, 5]))
    half = 1 / np.sqrt(2)
    assert_array_equal(table.feature, [0, 1, 1])
    # 0, 4 and 2 in [0, 1] have the mean 1/2; two of three known words are u.
    expected = [
        [0.0, half, 0.0],
        [1.0, 0.0, half],
        [0.5, half, 0.0],
        [0.5, 2 / 3 * half, 1 / 3 * half],
    ]
    assert_allclose(table.train_numbers, expected)
    # A word that no training row has is none of theirs.
    assert_allclose(
        table.test_numbers, [[2.0, 0.0, 0.0], [0.5, 2 / 3 * half, 1 / 3 * half]]
    )
    assert table.changes == (
        "missing values filled with the mean of the training rows, text as one column "
        "per value"
    )


@pytest.mark.parametrize("takes_text", [False, True])
@pytest.mark.parametrize("takes_missing", [False, True])
def test_selectors_get_what_they_take(mixed, takes_text, takes_missing):
    X, y = mixed
    Recorder.seen.clear()
    selector = Recorder(takes_text, takes_missing)
    result = compare([("it", selector)], X, y, classifiers="1nn", n_splits=1)
    assert result.failures.empty
    (seen,) = Recorder.seen
    if not takes_text:
        assert seen.shape == (42, 6)
        assert not np.isnan(seen).any()
        return
    assert list(seen.columns) == ["a", "b", "c", "colour"]
    assert seen["colour"].dtype == "category"
    assert seen.isna().any().tolist() == [False, takes_missing, False, takes_missing]
    assert_allclose(seen[["a", "c"]].min(), 0.0)
    assert_allclose(seen[["a", "c"]].max(), 1.0)


def test_text_feature_ranks_as_its_best_column_and_counts_once(mixed):
    X, y = mixed
    result = compare([("it", Recorder())], X, y, classifiers="1nn", n_splits=2)
    assert [cell.order for cell in result.cells] == [[3, 2, 1, 0]] * 2
    assert [cell.sizes for cell in result.cells] == [[1, 2, 3, 4]] * 2
    assert list(result.ranks().index) == ["a", "b", "c", "colour"]
    # The colour alone tells the classes, but where it is missing.
    assert min(cell.accuracies["1nn"][0] for cell in result.cells) > 0.8


def test_notes_say_for_whom_what_was_changed(mixed):
    X, y = mixed
    selectors = [ReliefF(), FisherScore(), SemiMRMR(), VarianceScore()]
    result = compare(selectors, X, y, classifiers="1nn", n_splits=2, name="d")
    assert result.failures.empty
    filled = "missing values filled with the mean of the training rows"
    numbers = f"d: {filled}, text as one column per value, for "
    assert result.notes == [
        f"{numbers}all classifiers.",
        "d: text and missing values as they are, for relieff.",
        f"{numbers}fisher-score, variance-score.",
        f"d: {filled} or their most frequent text, for semi-mrmr.",
    ]
    first = result.ranks().idxmin()
    assert first["relieff"] == first["fisher-score"] == first["semi-mrmr"] == "colour"
    assert compare(ReliefF(), X[["a", "c"]], y, n_splits=1).notes == []


def test_gaps_in_numbers_are_filled_for_those_who_need_it(mixed):
    X, y = mixed
    gaps = X[["a", "b", "c"]]
    selectors = [SelectKBest(k=2), ReliefF()]
    result = compare(selectors, gaps, y, classifiers="1nn", n_splits=1)
    assert result.failures.empty
    assert result.notes[1:] == [
        "data: missing values filled with the mean of the training rows, for "
        "SelectKBest.",
        "data: text and missing values as they are, for relieff.",
    ]
    whole = gaps.fillna(0.0)
    again = compare(selectors, pl.from_pandas(whole), y, classifiers="1nn", n_splits=1)
    assert again.notes == []


def test_results_are_stored_and_do_not_mix_with_codes(mixed, tmp_path):
    X, y = mixed
    arguments = {"classifiers": "1nn", "n_splits": 1, "store": tmp_path}
    first = compare(ReliefF(), X, y, **arguments)
    again = compare(ReliefF(), X, y, **arguments)
    assert again.cells == first.cells
    assert again.notes == first.notes
    codes = X.assign(colour=pd.factorize(X["colour"])[0].astype(float))
    codes["colour"] = codes["colour"].where(codes["colour"] >= 0)
    with pytest.raises(RuntimeError, match="holds another comparison"):
        compare(ReliefF(), codes, y, **arguments)


def test_names_are_refused(mixed):
    X, y = mixed
    many = pd.concat([X] * 20, ignore_index=True)
    many["name"] = [f"n{row}" for row in range(len(many))]
    with pytest.raises(DataError, match="text with 1,200 different values in 'name'"):
        compare(ReliefF(), many, np.tile(y, 20))


def test_number_with_an_odd_cell_is_said_to_be_text(mixed):
    X, y = mixed
    odd = X[["a", "c"]].astype(object)
    odd.loc[3, "c"] = "-"
    with pytest.warns(UserWarning, match="59 of 60 cells of 'c' are numbers; '-' in"):
        compare(VarianceScore(), odd.astype({"a": float}), y, n_splits=1)


def test_global_setting_of_the_output_changes_no_comparison():
    X, y = load_wine(return_X_y=True, as_frame=True)
    expected = compare(FisherScore(), X, y, classifiers="1nn", n_splits=1).table
    for output in ("pandas", "polars"):
        with sklearn.config_context(transform_output=output):
            found = compare(FisherScore(), X, y, classifiers="1nn", n_splits=1).table
        assert found["accuracy"].tolist() == expected["accuracy"].tolist()
