"""Data and labels as users hold them: read right, or said what is wrong."""

from datetime import date
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import sklearn
from numpy.testing import assert_array_equal
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline

from pairsift import (
    ConstraintError,
    FisherScore,
    OnlineIRelief,
    PairConstraints,
    RankEnsemble,
    ReliefF,
    ReliefFSc,
    RReliefF,
    SemiMRMR,
    TuRF,
    VarianceScore,
)
from pairsift.graphs import similarity_graph
from pairsift.selectors._odd_cells import find_odd_cells
from tests.selectors.builders import (
    SELECTORS,
    build,
    each_way_to_fit,
    fit_arguments,
    problem,
)

WORDS = ["no", "yes"]


def two_classes():
    X, y = problem()
    return X, y % 2


@pytest.mark.parametrize(
    ("column", "told"),
    [
        (["1"] * 177 + ["-"], "177 of 178 cells of 'x' are numbers; '-' in row 177 is"),
        (["1", "2", "12.3 mg", "3"], "3 of 4 .*'12.3 mg' in row 2 is not"),
        ([1.5, None, 2.5, "?", 3.5], "3 of 4 .*'?' in row 3 is not"),
        ([str(n) for n in range(20)] + ["?", "nil"] * 40, "20 of 100.*'?' in row 20, "),
        (["1", "?", "?", "2"], "2 of 4 .*'?' in row 1 is not"),
        (["1,234", "2,345", "12"], "1 of 3 .*'1,234' in row 0, '2,345' in row 1 are"),
        (["10 %", "20 %"], "0 of 2 .*'10 %' in row 0, '20 %' in row 1 are not"),
        (["5 mg", "3 mg"], "0 of 2 "),
        (["1"] * 95 + list("abcde"), "'a' in row 95, 'b' .*'c' in row 97 and 2 more"),
    ],
)
def test_odd_cells_among_numbers_are_found(column, told):
    import re

    said = find_odd_cells(column).told("x")
    assert re.search(told.replace("?", r"\?"), said), said


@pytest.mark.parametrize(
    "column",
    [
        ["1", "2.5", "-3e4"],
        [1, 2.5, None],
        ["red", "blue", "?"],
        ["4", "6", "8", "rotary", "rotary"],
        ["P1", "P2"],
        ["2020-01-01", "2021-05-07"],
        ["3 red", "4 blue"],
        [True, "a"],
        [None, np.nan],
        [],
    ],
)
def test_numbers_and_words_have_no_odd_cells(column):
    assert find_odd_cells(column) is None


def as_objects(values):
    kinds = [float, np.float64, Decimal, Fraction]
    return pd.Series(
        [kinds[row % 4](value) for row, value in enumerate(values)], dtype=object
    )


@pytest.mark.parametrize("name", ["ReliefF", "FisherScore", "LaplacianScore"])
def test_numbers_of_dtype_object_are_numbers(name):
    X, y = problem()
    frame = pd.DataFrame(X, columns=list("abcdef"))
    expected = build(name).fit(frame, y).scores_
    frame["e"] = as_objects(frame["e"])
    assert_array_equal(build(name).fit(frame, y).scores_, expected)
    if name == "ReliefF":
        frame.loc[3, "e"], X[3, 4] = pd.NA, np.nan
        assert_array_equal(ReliefF().fit(frame, y).scores_, ReliefF().fit(X, y).scores_)


def test_booleans_of_dtype_object_stay_categorical():
    X, y = problem()
    frame = pd.DataFrame(X, columns=list("abcdef")).assign(t=y == 1)
    expected = ReliefF().fit(frame, y).scores_
    frame["t"] = frame["t"].astype(object)
    assert_array_equal(ReliefF().fit(frame, y).scores_, expected)
    with pytest.raises(ValueError, match="'t'.*takes numbers only"):
        FisherScore().fit(frame, y)


def test_dates_without_the_order_of_time_are_said():
    X, y = problem()
    frame = pd.DataFrame(X, columns=list("abcdef"))
    frame["e"] = np.where(X[:, 4] > 0, "2024-01-31", "2023-02-01")
    said = f"'e' holds dates, such as '{frame['e'][0]}': the column is taken as"
    with pytest.warns(UserWarning, match=said):
        ReliefF().fit(frame, y)
    frame["e"] = [date(2024, 1, 1 + row % 28) for row in range(40)]
    with pytest.warns(UserWarning, match="'e' holds dates, such as '2024-01-01'"):
        ReliefF().fit(frame, y)
    frame["e"] = ["1.2.3", "10.0.0.7"] * 20
    ReliefF().fit(frame, y)
    frame["e"] = ["12 March St", "4 Mayor Ave"] * 20
    ReliefF().fit(frame, y)


@pytest.mark.parametrize("kind", [object, str, pl.String])
def test_an_odd_cell_in_a_column_of_numbers_is_said(kind):
    X, y = problem()
    frame = pd.DataFrame(X, columns=list("abcdef"))
    cells = frame["e"].astype(object if kind is object else str).tolist()
    cells[17] = "-"
    frame["e"] = pd.Series(cells, dtype=object if kind is object else str)
    if kind is pl.String:
        frame = pl.from_pandas(frame)
    said = "39 of 40 cells of 'e' are numbers; '-' in row 17 is not"
    with pytest.warns(UserWarning, match=f"{said}: the column is taken as categorical"):
        ReliefF().fit(frame, y)
    with pytest.raises(ValueError, match=f"{said}: FisherScore takes numbers only"):
        FisherScore().fit(frame, y)
    ReliefF(categorical_features=["e"]).fit(frame, y)


@each_way_to_fit
def test_minus_one_is_a_class_when_told_so(name):
    if name == "RReliefF":
        pytest.skip("learns from numbers, of which -1 is one anyway")
    X, y = two_classes()
    expected = build(name).fit(X, y).scores_
    assert_array_equal(
        build(name).fit(X, 2 * y - 1, missing_label=None).scores_, expected
    )
    marked = np.where(np.arange(40) % 4 == 0, 9, 2 * y - 1)
    missing = [None if label == 9 else WORDS[label > 0] for label in marked.tolist()]
    assert_array_equal(
        build(name).fit(X, marked, missing_label=9).scores_,
        build(name).fit(X, missing).scores_,
    )


def test_minus_one_that_may_be_a_class_is_counted_in_fit():
    X, y = two_classes()
    with (
        pytest.warns(UserWarning, match="-1 in 27 of 40 rows"),
        pytest.raises(ConstraintError, match="y has 1 class"),
    ):
        FisherScore().fit(X, 2 * y - 1)
    with pytest.raises(ConstraintError, match="y has 1 class"):
        FisherScore().fit(X, 2 * y - 1, missing_label=-1)


def test_classes_of_a_stream_may_be_minus_one():
    X, y = two_classes()
    whole = OnlineIRelief(random_state=0).fit(X, 2 * y - 1, missing_label=None)
    assert whole.classes_.tolist() == [-1, 1]
    options = {"classes": [-1, 1], "missing_label": None}
    parts = OnlineIRelief(random_state=0)
    for rows in (slice(0, 20), slice(20, 40)):
        parts.partial_fit(X[rows], 2 * y[rows] - 1, **options)
    words = OnlineIRelief(random_state=0)
    for rows in (slice(0, 20), slice(20, 40)):
        words.partial_fit(X[rows], np.array(WORDS)[y[rows]])
    assert parts.classes_.tolist() == [-1, 1]
    assert_array_equal(parts.scores_, words.scores_)


def test_a_number_may_mark_rows_without_a_target():
    X, _ = problem()
    target = np.where(np.arange(40) % 5 == 0, -999.0, X[:, 0])
    known = np.where(target == -999.0, np.nan, target)
    selector = RReliefF().fit(X, target, missing_label=-999)
    assert selector.n_labelled_ == 32
    assert_array_equal(selector.scores_, RReliefF().fit(X, known).scores_)


def test_the_missing_label_travels_through_a_pipeline():
    X, y = two_classes()
    expected = ReliefF(2).fit(X, y).scores_
    with sklearn.config_context(enable_metadata_routing=True):
        pipeline = make_pipeline(ReliefF(2), KNeighborsClassifier())
        # scikit-learn does not hand on what is None.
        pipeline.fit(X, 2 * y - 1, missing_label=np.nan)
    assert_array_equal(pipeline[0].scores_, expected)


@pytest.mark.parametrize("name", SELECTORS)
def test_pairs_in_the_place_of_labels_are_refused_with_the_remedy(name):
    X, y = problem()
    with pytest.raises(ConstraintError, match="write constraints=pairs"):
        build(name).fit(X, PairConstraints.sample(y, 9))


@pytest.mark.parametrize("name", SELECTORS)
@pytest.mark.parametrize("path", ["wine.csv", Path("wine.csv")], ids=["text", "path"])
def test_a_path_is_no_data(name, path):
    _, y = problem()
    with pytest.raises(TypeError, match=r"'wine.csv', not data: .*pandas.read_csv"):
        build(name).fit(path, **fit_arguments(name, y))


def test_functions_on_arrays_refuse_a_path_too():
    with pytest.raises(TypeError, match=r"X is the text 'wine.csv', not data"):
        similarity_graph("wine.csv")


@pytest.mark.parametrize("frame", [pd.DataFrame(index=range(5)), pl.DataFrame()])
def test_a_data_frame_without_columns_is_refused(frame):
    with pytest.raises(ValueError, match="0 columns: there is no feature to rank"):
        VarianceScore().fit(frame)


def test_given_pairs_and_labels_a_selector_of_pairs_learns_from_the_pairs():
    # In a pipeline y is there for the classifier, and says nothing about the pairs.
    X, y = problem()
    pairs = PairConstraints.sample(y, 9, random_state=0)
    expected = ReliefFSc().fit(X, constraints=pairs)
    both = ReliefFSc().fit(X, y, constraints=pairs)
    assert both.n_constraints_used_ == 9
    assert_array_equal(both.scores_, expected.scores_)
    some = np.where(np.arange(40) < 6, y, -1)
    joined = ReliefFSc().fit(X, constraints=pairs | PairConstraints.from_labels(some))
    assert joined.n_constraints_used_ > 9


def test_members_and_rounds_are_told_the_missing_label():
    X, y = two_classes()
    for wrapper in (RankEnsemble([ReliefF()]), TuRF(ReliefF())):
        fitted = wrapper.fit(X, 2 * y - 1, missing_label=None)
        assert_array_equal(fitted.scores_, wrapper.fit(X, y).scores_)


@pytest.mark.parametrize("beside", ["bool", "Int64", "boolean"])
@pytest.mark.parametrize("text", ["category", "string", "object"])
def test_text_beside_truth_values_is_transformed(text, beside):
    rng = np.random.default_rng(0)
    colour, flag = rng.choice(["r", "g", "b"], 30), rng.integers(0, 2, 30)
    frame = pd.DataFrame({"size": rng.normal(size=30), "colour": colour, "flag": flag})
    frame = frame.astype({"colour": text, "flag": beside})
    selector = ReliefF(n_neighbors=3).fit(frame, (colour == "r").astype(int))
    assert_array_equal(selector.transform(frame), frame.astype(object).to_numpy())
    kept = selector.set_output(transform="pandas").transform(frame)
    pd.testing.assert_frame_equal(kept, frame)


def typed_columns():
    """Columns of many types, as data frames of pandas, polars and pyarrow."""
    rng = np.random.default_rng(0)
    y = np.arange(40) % 2
    frame = pd.DataFrame(
        {
            "a": rng.normal(size=40) + y,
            "b": pd.array(rng.integers(0, 9, 40), dtype="Int64"),
            "c": np.where(rng.random(40) < 0.3, "x", "z"),
            "d": rng.random(40) < 0.5,
            "e": pd.Categorical(np.where(y == 1, "u", "v")),
            "f": (rng.normal(size=40) + y).astype(np.float32),
        },
    ).set_index(np.arange(40) + 7)
    in_polars = pl.from_pandas(frame.reset_index(drop=True)).with_columns(
        e=pl.col("e").cast(pl.Enum(["u", "v"]))
    )
    return frame, in_polars, pa.Table.from_pandas(frame, preserve_index=False), y


@pytest.mark.parametrize("kind", ["pandas", "polars", "pyarrow"])
def test_transform_keeps_the_types_of_the_columns(kind):
    frame, in_polars, in_arrow, y = typed_columns()
    X = {"pandas": frame, "polars": in_polars, "pyarrow": in_arrow}[kind]
    selector = SemiMRMR(4).fit(X, y)
    chosen = selector.get_feature_names_out().tolist()
    found = selector.set_output(transform="polars").transform(X)
    expected = pl.from_arrow(in_arrow) if kind == "pyarrow" else in_polars
    expected = pl.from_pandas(frame) if kind == "pandas" else expected
    assert found.schema == expected.select(chosen).schema
    assert found.equals(expected.select(chosen))
    found = selector.set_output(transform="pandas").transform(X)
    assert found.columns.tolist() == chosen
    expected = {"pandas": frame, "polars": in_polars, "pyarrow": in_arrow}[kind]
    if kind != "pandas":
        expected = expected.to_pandas()
    pd.testing.assert_frame_equal(found, expected[chosen])


def test_transform_to_frames_still_compares_the_names_of_columns():
    frame, in_polars, _, y = typed_columns()
    for X in (frame, in_polars):
        selector = SemiMRMR(4).set_output(transform="polars").fit(X, y)
        with pytest.raises(ValueError, match="feature names should match"):
            selector.transform(X[list("fedcba")])


def test_nothing_selected_is_said_for_frames_too():
    frame, _, _, y = typed_columns()
    selector = SemiMRMR(4).set_output(transform="pandas").fit(frame, y)
    selector.support_[:] = False
    with pytest.warns(UserWarning, match="No features were selected"):
        assert selector.transform(frame).shape == (40, 0)
