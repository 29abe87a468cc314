"""Outcomes on disk, what is run again, and what a budget leaves out."""

import json
from dataclasses import replace

import numpy as np
import pytest

from pairsift.exceptions import DataError, StorageError
from reproduction import _reproduce, _store
from reproduction._experiment import (
    Cell,
    Curve,
    Experiment,
    MissingData,
    Outcome,
    Part,
    points,
)
from reproduction._memory import kept, remembered
from reproduction._reproduce import Runner, experiments, reproduce
from reproduction._store import Made, Record, Store
from tests.reproduction.parts import cells_of

MADE = Made(3, 0, "2026-11-18", "a machine", "0.1.0", seconds=6.0)


class Lab:
    """An experiment whose runs are counted."""

    def __init__(self, *goals):
        self.made = []
        parts = [self._part(k, goal) for k, goal in enumerate(goals)]
        self.experiment = Experiment("salmi2020", "2", "", "", tuple(parts))

    def _part(self, number, goal):
        cell = Cell(f"row {number}", "Acc", 80.0, n_runs=goal)

        def find(run):
            self.made.append((number, run))
            return float(run)

        def run(bench):
            values = [
                kept(bench, (number, run), lambda run=run: find(run))
                for run in range(bench.n_runs)
            ]
            return {cell.key: Outcome(float(np.mean(values)), 1.0, len(values))}

        return Part((cell,), run)

    def measure(self, **options):
        return Runner(**options).measure(self.experiment)


@pytest.fixture
def other_code(monkeypatch):
    """Return a function after which the code is taken for another one."""

    def change():
        for module in (_store, _reproduce):
            monkeypatch.setattr(module, "code_digest", lambda: "other")
        monkeypatch.setattr("reproduction._memory.code_digest", lambda: "other")

    return change


def test_outcomes_come_back_as_they_were(tmp_path):
    cells = (*points([Cell("a", "b")], [1, 2]), Cell("a", "c"))
    parts = (Part((Cell("d", "e"),)), Part(cells))
    experiment = Experiment("salmi2020", "2", "", "", parts)
    outcomes = {cell.key: Outcome(1 / 3, 0.5, 3) for cell in cells}
    outcomes["a", "c"] = Outcome("5,7", curve=Curve([1, 2], [0.25, 0.5]))
    Store(tmp_path, 0).save(experiment, parts[1], Record(outcomes, MADE))
    store = Store(tmp_path, 0)
    assert store.find(experiment, parts[1]) == Record(outcomes, MADE)
    assert store.find(experiment, parts[0]) is None


def test_long_curves_are_thinned(tmp_path):
    experiment = Lab(3).experiment
    [part] = experiment.parts
    long = Curve(list(range(1, 2001)), [k / 3 for k in range(2000)])
    outcomes = {("row 0", "Acc"): Outcome(1.0, curve=long)}
    Store(tmp_path, 0).save(experiment, part, Record(outcomes, MADE))
    found = Store(tmp_path, 0).find(experiment, part).outcomes["row 0", "Acc"]
    assert found.curve.sizes == long.sizes[::10]
    np.testing.assert_allclose(found.curve.values, long.values[::10], rtol=1e-5)


def test_outcomes_of_other_cells_are_not_taken(tmp_path):
    experiment = Lab(3).experiment
    [part] = experiment.parts
    store = Store(tmp_path, 0)
    store.save(experiment, part, Record({("row 0", "Acc"): Outcome(1.0)}, MADE))
    assert store.find(experiment, part) is not None
    other = replace(part, cells=(Cell("another", "Acc"),))
    assert store.find(replace(experiment, parts=(other,)), other) is None


def test_a_file_has_a_line_per_part_in_their_order(tmp_path):
    lab = Lab(3, 3)
    lab.measure(n_runs=1, store=tmp_path)
    lab.measure(n_runs=2, store=tmp_path)
    text = (tmp_path / "salmi2020" / "2.jsonl").read_text("utf-8")
    rows = [json.loads(line)["cells"][0][0] for line in text.splitlines()]
    assert rows == ["row 0", "row 1"]


def test_another_seed_is_refused(tmp_path):
    lab = Lab(3)
    lab.measure(store=tmp_path)
    text = "contains outcomes of the seed 0, got 1: give another folder"
    with pytest.raises(StorageError, match=text):
        lab.measure(store=tmp_path, seed=1)


@pytest.mark.parametrize("text", ["[1]", "{", "{}"])
def test_another_file_is_refused(tmp_path, text):
    (tmp_path / "salmi2020").mkdir()
    (tmp_path / "salmi2020" / "2.jsonl").write_text(text, "utf-8")
    with pytest.raises(StorageError, match="does not contain stored outcomes"):
        Lab(3).measure(store=tmp_path)


def test_runs_that_were_made_are_not_made_again(tmp_path):
    lab = Lab(30)
    lab.measure(n_runs=2, store=tmp_path)
    lab.measure(n_runs=4, store=tmp_path)
    assert lab.made == [(0, 0), (0, 1), (0, 2), (0, 3)]
    # Fewer than there are: nothing is to be done.
    found = lab.measure(n_runs=3, store=tmp_path)
    assert len(lab.made) == 4
    assert found.cells[0].ours.n_runs == 4


def test_without_a_store_nothing_is_kept_on_disk():
    lab = Lab(30)
    lab.measure(n_runs=2)
    lab.measure(n_runs=2)
    assert len(lab.made) == 4


def test_an_interrupted_part_continues(tmp_path):
    lab = Lab(30)
    [part] = lab.experiment.parts

    def run(bench):
        part.run(replace(bench, n_runs=2))
        raise KeyboardInterrupt

    cut = replace(lab.experiment, parts=(replace(part, run=run),))
    with pytest.raises(KeyboardInterrupt):
        Runner(n_runs=3, store=tmp_path).measure(cut)
    lab.measure(n_runs=3, store=tmp_path)
    assert lab.made == [(0, 0), (0, 1), (0, 2)]


def test_outcomes_of_other_code_are_made_again(tmp_path, other_code):
    lab = Lab(30)
    lab.measure(n_runs=2, store=tmp_path)
    other_code()
    lab.measure(n_runs=2, store=tmp_path)
    assert lab.made == [(0, 0), (0, 1), (0, 0), (0, 1)]


def test_time_of_fewer_runs_is_not_taken_for_that_of_all(tmp_path):
    lab = Lab(30)
    [(_, first)] = lab.measure(n_runs=2, store=tmp_path).made
    [(_, second)] = lab.measure(n_runs=3, store=tmp_path).made
    assert first.seconds is not None
    assert second.seconds is None


def test_tables_of_one_call_share_what_was_found():
    counted = []

    def run(bench):
        value = remembered(bench, "a", lambda: counted.append(1) or 1.0)
        return {("a", "b"): Outcome(value)}

    part = Part((Cell("a", "b", 80.0),), run)
    runner = Runner(n_runs=1)
    for table in ("2", "3"):
        runner.measure(Experiment("salmi2020", table, "", "", (part,)))
    assert len(counted) == 1


def test_no_part_is_begun_after_the_time(monkeypatch, tmp_path):
    seconds = iter([0.0, 59.0, 60.0])
    monkeypatch.setattr(_reproduce, "perf_counter", lambda: next(seconds))
    lab = Lab(3, 3)
    found = lab.measure(n_runs=1, budget=60.0)
    assert lab.made == [(0, 0)]
    assert [judged.verdict for judged in found.cells] == ["too few runs", "not run"]


def test_what_draws_nothing_is_not_run_more_often(tmp_path):
    counted = []

    def run(bench):
        counted.append(bench.n_runs)
        return {("a", "b"): Outcome(1.0)}

    part = Part((Cell("a", "b", 80.0),), run)
    experiment = Experiment("salmi2020", "2", "", "", (part,))
    for n_runs in (1, 2, 9):
        Runner(n_runs=n_runs, store=tmp_path).measure(experiment)
    # The second run shows that there is nothing to repeat.
    assert counted == [1, 2]


def test_missing_data_do_not_stop_the_others():
    def run(bench):
        raise MissingData("not there.")

    lab = Lab(1)
    missing = Part((Cell("a", "b", 80.0),), run)
    experiment = replace(lab.experiment, parts=(missing, *lab.experiment.parts))
    found = Runner(n_runs=1).measure(experiment).cells
    assert [(judged.verdict, judged.note) for judged in found] == [
        ("no data", "not there."),
        ("differs", ""),
    ]


def test_with_no_budget_only_what_is_stored_is_shown(tmp_path, other_code):
    options = {"store": tmp_path / "store", "data_dir": tmp_path}
    made = cells_of("hijazi2019", "3.2", n_runs=2, **options)
    other_code()
    shown = cells_of("hijazi2019", "3.2", budget=0, **options)
    known = made["verdict"] != "no data"
    columns = ["ours", "our_spread", "runs", "verdict"]
    assert made.loc[known, columns].equals(shown.loc[known, columns])
    assert set(shown.loc[~known, "verdict"]) == {"not run"}


def test_stored_curves_are_those_that_were_made(tmp_path):
    options = {"store": tmp_path / "store", "data_dir": tmp_path}
    [made] = reproduce("hijazi2019", "3.2", n_runs=2, **options)
    [shown] = reproduce("hijazi2019", "3.2", budget=0, **options)
    assert made.curves
    assert made.curves.keys() == shown.curves.keys()
    for name, curve in made.curves.items():
        assert shown.curves[name].sizes == curve.sizes
        np.testing.assert_allclose(shown.curves[name].values, curve.values, rtol=1e-5)


def test_it_is_stated_how_outcomes_were_made(tmp_path):
    options = {"n_runs": 2, "data_dir": tmp_path, "seed": 7}
    [found] = reproduce("hijazi2019", "3.2", **options)
    # Wine is the only data set that is there.
    [(part, made)] = found.made
    assert part.cells[0].row == "Wine"
    assert (made.n_runs, made.seed, made.machine) == (2, 7, _store.machine())
    assert made.seconds > 0


@pytest.mark.parametrize("budget", [-1, float("nan")])
def test_a_wrong_budget_is_named(budget):
    with pytest.raises(DataError, match="^budget must be 0 seconds or more, got"):
        reproduce("hijazi2019", budget=budget)


def test_derived_cells_follow_from_the_others(tmp_path):
    [experiment] = experiments("salmi2020", "3")
    *parts, ranks = experiment.parts
    store = Store(tmp_path, 0)
    for place, part in enumerate(parts):
        # The first method is the best everywhere, the others follow.
        outcomes = {
            cell.key: Outcome(90.0 - k - place) for k, cell in enumerate(part.cells)
        }
        store.save(experiment, part, Record(outcomes, MADE))
    runner = Runner(store=tmp_path, budget=0)
    found = runner.measure(experiment).cells[-len(ranks.cells) :]
    assert [judged.ours.value for judged in found] == [1, 2, 3, 4, 5, 6]
    fewer = replace(experiment, parts=(*parts[1:], ranks))
    found = runner.measure(fewer).cells[-len(ranks.cells) :]
    assert {judged.verdict for judged in found} == {"no data"}
