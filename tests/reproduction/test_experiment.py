"""Cells, verdicts, and tables typed as in print."""

import numpy as np
import pytest

from reproduction._experiment import (
    Bench,
    Cell,
    Column,
    Experiment,
    MissingData,
    Outcome,
    Part,
    judge,
    points,
    read_cells,
    with_reading,
)
from reproduction._reproduce import Result
from tests.reproduction.parts import run_part


@pytest.fixture
def bench():
    return Bench(n_runs=3, seed=0, load=lambda name: None)


@pytest.mark.parametrize(
    ("ours", "published", "decimals"),
    [
        (97.7272, 97.73, 2),  # rounded
        (97.7272, 97.72, 2),  # cut
        (100.0, 100.0, 2),
        (12.0, 12.0, 0),
        (79.41, 79.0, 0),
        (78.6, 79.0, 0),
        (0.285, 0.29, 2),  # halves either way
        (0.285, 0.28, 2),
        (100 * 0.29, 29.0, 0),
        (-97.7272, -97.72, 2),
    ],
)
def test_printed_digits_match(ours, published, decimals):
    cell = Cell("a", "b", published, decimals=decimals)
    assert judge(cell, Outcome(ours)) == "matches"


@pytest.mark.parametrize(
    ("ours", "published", "decimals"),
    [(97.7372, 97.72, 2), (12.0, 11.0, 0), (11.0, 12.0, 0), (99.6, 100.0, 2)],
)
def test_other_digits_differ(ours, published, decimals):
    cell = Cell("a", "b", published, decimals=decimals)
    assert judge(cell, Outcome(ours)) == "differs"


def test_text_is_compared_as_it_is():
    cell = Cell("Wine", "d", "5,7,8")
    assert judge(cell, Outcome("5,7,8")) == "matches"
    assert judge(cell, Outcome("5,7")) == "differs"


def test_the_published_spread_decides_where_there_is_one():
    cell = Cell("a", "b", 80.0, spread=1.5)
    # Our own spread, however large, does not matter then.
    assert judge(cell, Outcome(81.5, 50.0, 100)) == "within spread"
    assert judge(cell, Outcome(81.6, 50.0, 100)) == "differs"


def test_without_one_two_standard_errors_of_the_difference_decide():
    cell = Cell("a", "b", 80.0, n_runs=4)
    # 2 * 3 * sqrt(1/4 + 1/12) is 3.46.
    assert judge(cell, Outcome(83.4, 3.0, 12)) == "within noise"
    assert judge(cell, Outcome(83.5, 3.0, 12)) == "differs"


def test_noise_cannot_be_told_from_two_runs():
    cell = Cell("a", "b", 80.0, n_runs=4)
    assert judge(cell, Outcome(83.5, None, 1)) == "too few runs"
    assert judge(cell, Outcome(83.5, 0.0, 2)) == "too few runs"
    assert judge(cell, Outcome(80.0, 0.0, 2)) == "matches"
    # A published result of a single run is not a mean.
    assert judge(Cell("a", "b", 80.0), Outcome(83.5)) == "differs"


def test_times_and_pictures_are_not_judged():
    assert judge(Cell("a", "b", 5.0, unit="ms"), Outcome(5.0)) == "time"
    assert judge(Cell("a", "b"), Outcome(5.0)) == "figure"


def test_points_of_a_curve_are_cells_with_names_of_their_own():
    cells = points([Cell("Wine", "ACS", unit="")], [5, 0.5])
    assert [cell.key for cell in cells] == [
        ("Wine", "ACS at 5"),
        ("Wine", "ACS at 0.5"),
    ]
    assert {cell.unit for cell in cells} == {""}


def test_points_make_a_curve(bench):
    cells = (Cell("Wine", "all"), *points([Cell("Wine", "ACS")], [5, 10]))

    def run(bench):
        return {cell.key: Outcome(float(k)) for k, cell in enumerate(cells)}

    experiment = Experiment("p", "figure-1", "", "", (Part(cells, run),))
    found = run_part(experiment.parts[0], bench)
    curves = Result(experiment, found, []).curves
    assert curves == {("Wine", "ACS"): ([5, 10], [1.0, 2.0])}


def test_a_table_is_read_as_typed():
    cells = read_cells(
        """
        Wine  | 97.6±0.3 11 | 5,7,8
        Heart | -         9 | 8
        """,
        [Column("Acc", n_runs=10), Column("d", "features", 0), Column("list", "")],
    )
    assert cells == (
        Cell("Wine", "Acc", 97.6, 0.3, n_runs=10),
        Cell("Wine", "d", 11.0, unit="features", decimals=0),
        Cell("Wine", "list", "5,7,8", unit=""),
        Cell("Heart", "d", 9.0, unit="features", decimals=0),
        Cell("Heart", "list", 8.0, unit=""),
    )


def test_a_row_with_a_value_too_few_is_refused():
    with pytest.raises(ValueError, match="zip"):
        read_cells("Wine | 97.6", [Column("Acc"), Column("d")])


def test_runs_draw_different_numbers_the_same_for_every_part(bench):
    first = [rng.random() for rng in bench.generators()]
    again = [rng.random() for rng in bench.generators()]
    other = [rng.random() for rng in Bench(3, 1, bench.load).generators()]
    assert first == again
    assert len({*first, *other}) == 6


def test_a_part_without_a_method_is_pending(bench):
    part = Part((Cell("a", "b", 1.0),), note="it is not there yet")
    [found] = run_part(part, bench)
    assert found[1:] == (None, "pending", "it is not there yet")
    assert Experiment("p", "1", "", "", (part,)).is_pending


def test_missing_data_leave_a_part_out(bench):
    def run(bench):
        raise MissingData("no file")

    [found] = run_part(Part((Cell("a", "b", 1.0),), run), bench)
    assert found[1:] == (None, "no data", "no file")


def test_a_note_is_shown_only_where_values_differ(bench):
    cells = (Cell("a", "b", 1.0), Cell("a", "c", 1.0), Cell("a", "d", 1.0, note="own"))
    values = {"b": 1.0, "c": 2.0, "d": 2.0}

    def run(bench):
        return {("a", column): Outcome(value) for column, value in values.items()}

    found = run_part(Part(cells, run, "other data"), bench)
    assert [line[2:] for line in found] == [
        ("matches", ""),
        ("differs", "other data"),
        ("differs", "own"),
    ]


def test_a_cell_that_a_part_forgets_is_an_error(bench):
    part = Part((Cell("a", "b", 1.0),), lambda bench: {})
    with pytest.raises(KeyError):
        run_part(part, bench)


def test_errors_of_a_protocol_are_not_taken_for_missing_data(bench):
    def run(bench):
        raise ValueError("wrong")

    with pytest.raises(ValueError, match="wrong"):
        run_part(Part((Cell("a", "b", 1.0),), run), bench)


@pytest.mark.parametrize(
    ("table", "name"), [("4.2", "table 4.2"), ("figure-9", "figure 9")]
)
def test_experiments_are_named_as_in_the_paper(table, name):
    assert Experiment("p", table, "", "", ()).name == name


def test_bench_is_reproducible_across_numbers_of_runs():
    few, many = Bench(2, 5, lambda name: None), Bench(9, 5, lambda name: None)
    np.testing.assert_equal(
        [rng.random() for rng in few.generators()],
        [rng.random() for rng in many.generators()][:2],
    )


def test_cells_come_again_for_another_reading():
    cells = read_cells("Wine | 1 2 3", [Column("A d"), Column("A"), Column("Ab")])
    again = with_reading(cells, "A", "B")
    assert again[:3] == cells
    assert [(cell.key, cell.published) for cell in again[3:]] == [
        (("Wine", "B d"), 1.0),
        (("Wine", "B"), 2.0),
    ]
    assert with_reading(cells, "Wine", "Red")[3].key == ("Red", "A d")
