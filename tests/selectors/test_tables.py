"""Data and labels as users hold them: read right, or said what is wrong."""

import re
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
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_array
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline

from pairsift import (
    ActiveSession,
    ConstraintError,
    ConstraintScore7,
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
    distributed,
)
from pairsift.graphs import similarity_graph
from pairsift.scores import fisher_score, relieff_sc_label_score
from pairsift.selectors._odd_cells import find_odd_cells
from tests.selectors.builders import (
    SELECTORS,
    build,
    each_selector,
    each_selector_that,
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
    with pytest.warns(UserWarning, match="text or objects in 'e' of X are read as num"):
        assert_array_equal(build(name).fit(frame, y).scores_, expected)
    if name == "ReliefF":
        frame.loc[3, "e"], X[3, 4] = pd.NA, np.nan
        with pytest.warns(UserWarning, match="'e' of X are read as numbers"):
            scores = ReliefF().fit(frame, y).scores_
        assert_array_equal(scores, ReliefF().fit(X, y).scores_)


def test_text_that_is_only_numbers_is_read_as_numbers_and_said():
    X, y = problem()
    frame = pd.DataFrame(X, columns=list("abcdef"))
    expected = SemiMRMR(3).fit(frame, y)
    text = frame.astype(str)
    said = (
        "numbers that are text or objects in 'a', 'b', 'c' and 3 more of X are read as "
        "numbers: turn them into numbers .*categorical_features="
    )
    for given in (text, pl.from_pandas(text), text.astype(object)):
        with pytest.warns(UserWarning, match=said) as caught:
            fitted = SemiMRMR(3).fit(given, y)
        assert caught[0].filename == __file__
        assert_array_equal(fitted.order_, expected.order_)
    with pytest.warns(UserWarning, match=r"\(pandas.to_numeric\)\.$"):
        found = FisherScore().fit(text, y).scores_
    assert_array_equal(found, FisherScore().fit(frame, y).scores_)


def test_text_of_numbers_that_is_named_categorical_is_not_read_as_numbers():
    X, y = problem()
    frame = pd.DataFrame(X, columns=list("abcdef"))
    words = frame.assign(e=[f"n{i}" for i in range(40)])
    expected = ReliefF().fit(words, y).scores_
    frame["e"] = [str(i) for i in range(40)]
    assert_array_equal(
        ReliefF(categorical_features=["e"]).fit(frame, y).scores_, expected
    )


@pytest.mark.parametrize(
    "cells",
    [
        [str(i % 20) for i in range(40)],
        [f"{i:03d}" for i in range(40)],
        ["007", *map(str, range(39))],
    ],
    ids=["twenty values", "zip codes", "one zero"],
)
def test_few_numbers_or_codes_in_text_stay_categories_and_it_is_said(cells):
    X, y = problem()
    frame = pd.DataFrame(X, columns=list("abcdef")).assign(e=cells)
    expected = ReliefF().fit(frame.astype({"e": "category"}), y).scores_
    said = "numbers that are text or objects in 'e' of X, few .*are taken as categories"
    with pytest.warns(UserWarning, match=said):
        assert_array_equal(ReliefF().fit(frame, y).scores_, expected)
    with pytest.raises(ValueError, match="'e' of numbers as text.*pandas.to_numeric"):
        FisherScore().fit(frame, y)


def test_text_of_numbers_in_blocks_is_read_as_in_memory():
    X, y = problem()
    frame = pd.DataFrame(X, columns=list("abcdef")).astype({"e": str})
    frame["f"] = [f"{i:02d}" for i in range(40)]
    blocks = [lambda i=i: frame[i : i + 10] for i in range(0, 40, 10)]
    pairs = PairConstraints.sample(y, 20)
    with pytest.warns(UserWarning, match="text or objects") as here:
        expected = ReliefFSc().fit(frame, constraints=pairs).scores_
    with pytest.warns(UserWarning, match="text or objects") as there:
        found = distributed.fit(
            ReliefFSc(), distributed.StreamedSource(blocks), constraints=pairs
        ).scores_
    assert_allclose(found, expected, rtol=1e-10)
    assert [str(w.message) for w in there] == [str(w.message) for w in here]
    assert ["'e' of X are read" in str(w.message) for w in here] == [True, False]


@pytest.mark.parametrize("kind", [int, float, str])
def test_dates_written_as_numbers_are_said(kind):
    X, y = problem()
    frame = pd.DataFrame(X, columns=list("abcdef"))
    frame["e"] = (20240101 + np.arange(40) % 28).astype(kind)
    with pytest.warns(UserWarning, match="holds dates, such as '?20240101'?"):
        ReliefF().fit(frame, y)
    if kind is int:
        with pytest.warns(UserWarning, match="column 4 of X holds dates, such as 2024"):
            ReliefF().fit(frame.to_numpy(), y)
        ReliefF(categorical_features=["e"]).fit(frame, y)


@pytest.mark.parametrize(
    "cells",
    [20240101 + np.arange(40), np.full(40, 20240101), 18990101 + np.arange(40) % 28],
    ids=["day 40", "constant", "before 1900"],
)
def test_numbers_that_are_not_all_dates_are_numbers(cells):
    X, y = problem()
    ReliefF().fit(pd.DataFrame(X, columns=list("abcdef")).assign(e=cells), y)


def test_rounded_whole_numbers_are_said_with_their_column():
    X, y = problem()
    frame = pd.DataFrame(X, columns=list("abcdef"))
    frame["id"] = 2**53 + np.arange(40)
    said = "column 'id' of X holds whole numbers beyond 2.*such as 9007199254740993, "
    for given in (frame, pl.from_pandas(frame)):
        with pytest.warns(UserWarning, match=said):
            ReliefF().fit(given, y)
    ids = np.column_stack([np.arange(40), frame["id"]])
    with pytest.warns(UserWarning, match="column 1 of X holds whole numbers beyond"):
        ReliefF().fit(ids, y)
    with pytest.warns(UserWarning, match="column 1 of X holds whole numbers beyond"):
        FisherScore().fit(csr_array(ids), y)
    with pytest.warns(UserWarning, match="column 1 of X holds whole numbers beyond"):
        fisher_score(ids, y)
    blocks = [lambda i=i: frame[i : i + 20] for i in (0, 20)]
    with pytest.warns(UserWarning, match="column 'id' of X holds whole numbers beyond"):
        distributed.fit(FisherScore(), distributed.StreamedSource(blocks), y)
    # These are floats, too.
    FisherScore().fit(frame.assign(id=2**54 + 4 * np.arange(40)), y)


@each_selector
@pytest.mark.parametrize("scale", [1e303, 8e307])
def test_numbers_too_large_to_add_up_are_refused(name, scale):
    X, y = problem()
    X[:, 0] *= scale / np.abs(X[:, 0]).max()
    with pytest.raises(ValueError, match="so large that sums overflow: scale it first"):
        build(name).fit(X, **fit_arguments(name, y))


def test_functions_on_arrays_refuse_sums_that_overflow():
    X, y = two_classes()
    X[:, 0] *= 8e307 / np.abs(X[:, 0]).max()
    with pytest.raises(ValueError, match="so large that sums overflow: scale it first"):
        relieff_sc_label_score(X, y)


def gaps_in(kind):
    """A table of numbers, text and categories with gaps, or the numbers alone."""
    X, y = problem()
    X[::7, 2] = np.nan
    if kind == "array":
        return X, y
    frame = pd.DataFrame(X, columns=list("abcdef"))
    frame["word"] = [None if i % 9 == 4 else "xyz"[i % 3] for i in range(40)]
    frame["kind"] = frame["word"].shift().astype("category")
    frame["whole"] = pd.array([None, *range(39)], dtype="Int64")
    frame["truth"] = pd.array([None, *[True, False, True] * 13], dtype="boolean")
    return (pl.from_pandas(frame) if kind == "polars" else frame), y


# pandas 2 says so of the objects that polars' columns become.
@pytest.mark.filterwarnings("ignore:Downcasting object dtype:FutureWarning")
@pytest.mark.parametrize("kind", ["array", "pandas", "polars"])
def test_the_line_that_fills_in_missing_cells_runs(kind):
    X, y = gaps_in(kind)
    with pytest.raises(ValueError, match=r"session\.filled\(\)") as caught:
        SemiMRMR().fit(X, y)
    line = re.search("`(.*)`", str(caught.value))[1]
    filled = {"X": X, "numpy": np}
    exec(line, filled)
    SemiMRMR().fit(filled["X"], y)
    assert pd.notna(pd.DataFrame(filled["X"])).to_numpy().all()


@each_way_to_fit
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (lambda X, y: (X, ActiveSession(X)), r"write fit\(X, session\.labels\)"),
        (lambda X, y: (X, "kind"), r"frame\.drop\(columns='kind'\), frame\['kind'\]"),
        (lambda X, y: (y, X), r"swapped: write fit\(X, y\)"),
    ],
    ids=["session", "name of a column", "swapped"],
)
def test_wrong_labels_are_refused_with_the_right_call(name, arguments, said):
    with pytest.raises(ConstraintError, match=said):
        build(name).fit(*arguments(*problem()))


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


def needs_two_classes(name):
    learns = SELECTORS[name]._method.learns_from
    return learns.labels == "required" or learns.cannot == "required"


def session_of_one_pile(X):
    session = ActiveSession(X)
    session.place(3, "new")
    session.place(5, session.card(5).piles[0].number)
    return session


@pytest.mark.filterwarnings("ignore:y holds -1")
@each_selector_that(needs_two_classes)
def test_one_pile_is_one_class_and_the_error_names_the_reading(name):
    X, y = two_classes()
    said = (
        "-1 in 27 of 40 rows was read as 'no label', which leaves one class: if -1 is "
        "a class, pass missing_label=None, or code the classes as 0 and 1"
    )
    with pytest.raises(ConstraintError, match=said):
        build(name).fit(X, 2 * y - 1)


@each_selector_that(needs_two_classes)
def test_a_session_with_one_pile_is_refused_without_doubting_its_numbers(name):
    X, _ = two_classes()
    with pytest.raises(ConstraintError, match="needs") as caught:
        build(name).fit(X, session_of_one_pile(X).labels)
    assert "-1" not in str(caught.value)


def test_labels_of_a_session_are_taken_without_a_warning():
    X, _ = two_classes()
    labels = session_of_one_pile(X).labels
    assert set(labels.tolist()) == {-1, 1}
    assert PairConstraints.from_labels(labels).n_cannot_link == 0
    ConstraintScore7().fit(X, labels)
    with pytest.warns(UserWarning, match="-1 in 38 of 40 rows"):
        ConstraintScore7().fit(X, labels.tolist())


def test_many_different_numbers_are_told_to_be_a_target_in_fit():
    X, _ = two_classes()
    with pytest.warns(UserWarning, match="30 different numbers in 40 .*RReliefF"):
        FisherScore().fit(X, np.arange(40) % 30)


def test_a_fractional_target_is_sent_to_a_method_for_numbers():
    X, y = two_classes()
    with pytest.raises(ValueError, match="take RReliefF for a number to predict"):
        FisherScore().fit(X, y + 0.5)


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
