"""Outcomes on disk, what is run again, and what fits into a budget."""

import json
from dataclasses import replace

import numpy as np
import pytest

from pairsift.exceptions import StorageError
from reproduction import Cell, _records, _running, experiments, reproduce
from reproduction._experiment import (
    Curve,
    Experiment,
    MissingData,
    Outcome,
    Part,
    points,
)
from reproduction._memory import kept
from reproduction._records import Made, Record, RecordStore
from reproduction._run_log import RunLog
from reproduction._running import Job, Runner

MADE = Made(3, 0, "2026-11-18", "a machine", "0.1.0", seconds=6.0)


class Lab:
    """An experiment whose runs are counted."""

    def __init__(self, *goals, published=80.0):
        self.made = []
        parts = [self._part(k, goal, published) for k, goal in enumerate(goals)]
        self.experiment = Experiment("salmi2020", "2", "", "", tuple(parts))

    def _part(self, number, goal, published):
        cell = Cell(f"row {number}", "Acc", published, n_runs=goal)

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

    def runner(self, folder):
        return Runner(0, lambda name: None, RecordStore(folder, 0))

    def jobs(self, runner):
        return runner.jobs(self.experiment, keeps_runs=True)


@pytest.fixture
def clock(monkeypatch):
    """A clock that a test moves."""
    seconds = [0.0]
    monkeypatch.setattr(_running, "perf_counter", lambda: seconds[0])
    return seconds


def test_outcomes_come_back_as_they_were(tmp_path):
    cells = (*points([Cell("a", "b")], [1, 2]), Cell("a", "c"))
    experiment = Experiment("salmi2020", "2", "", "", (Part(cells), Part(cells)))
    outcomes = {cell.key: Outcome(1 / 3, 0.5, 3) for cell in cells}
    outcomes["a", "c"] = Outcome("5,7", curve=Curve([1, 2], [0.25, 0.5]))
    RecordStore(tmp_path, 0).save(experiment, 1, Record(outcomes, MADE))
    store = RecordStore(tmp_path, 0)
    assert store.find(experiment, 1) == Record(outcomes, MADE)
    assert store.find(experiment, 0) is None


def test_long_curves_are_thinned(tmp_path):
    experiment = Lab(3).experiment
    long = Curve(list(range(1, 2001)), [k / 3 for k in range(2000)])
    outcomes = {("row 0", "Acc"): Outcome(1.0, curve=long)}
    RecordStore(tmp_path, 0).save(experiment, 0, Record(outcomes, MADE))
    found = RecordStore(tmp_path, 0).find(experiment, 0).outcomes["row 0", "Acc"]
    assert found.curve.sizes == long.sizes[::10]
    np.testing.assert_allclose(found.curve.values, long.values[::10], rtol=1e-5)


def test_outcomes_of_other_cells_are_not_taken(tmp_path):
    lab = Lab(3)
    store = RecordStore(tmp_path, 0)
    store.save(lab.experiment, 0, Record({("row 0", "Acc"): Outcome(1.0)}, MADE))
    assert store.find(lab.experiment, 0) is not None
    [part] = lab.experiment.parts
    other = replace(part, cells=(Cell("another", "Acc"),))
    assert store.find(replace(lab.experiment, parts=(other,)), 0) is None


def test_another_seed_is_refused(tmp_path):
    RecordStore(tmp_path, 0).save(Lab(3).experiment, 0, Record({}, MADE))
    text = "holds outcomes of the seed 0, got 1: give another folder"
    with pytest.raises(StorageError, match=text):
        RecordStore(tmp_path, 1).find(Lab(3).experiment, 0)


def test_another_file_is_refused(tmp_path):
    (tmp_path / "salmi2020.json").write_text("[1]", "utf-8")
    with pytest.raises(StorageError, match="is no file of outcomes"):
        RecordStore(tmp_path, 0).find(Lab(3).experiment, 0)


def test_a_line_that_was_cut_short_is_found_again(tmp_path):
    log = RunLog(tmp_path, "salmi2020", 0)
    assert log.value(("a", 1), lambda: [1.0, 2.0]) == [1.0, 2.0]
    [path] = tmp_path.iterdir()
    with path.open("a", encoding="utf-8") as file:
        file.write('\n["abc", [1.0, 2')
    again = RunLog(tmp_path, "salmi2020", 0)
    assert again.value(("a", 1), lambda: pytest.fail("run again")) == [1.0, 2.0]
    assert again.value(("b", 1), lambda: 3) == 3
    third = RunLog(tmp_path, "salmi2020", 0)
    assert third.value(("b", 1), lambda: pytest.fail("run again")) == 3


def test_values_of_other_code_are_not_taken(tmp_path, monkeypatch):
    RunLog(tmp_path, "salmi2020", 0).value("a", lambda: 1)
    monkeypatch.setattr("reproduction._run_log.sources_digest", lambda paper: "new")
    assert RunLog(tmp_path, "salmi2020", 0).value("a", lambda: 2) == 2


def test_runs_that_were_made_are_not_made_again(tmp_path):
    lab = Lab(30)
    runner = lab.runner(tmp_path)
    runner.run_all(lab.jobs(runner), 2, lambda: None)
    runner = lab.runner(tmp_path)
    runner.run_all(lab.jobs(runner), 4, lambda: None)
    assert lab.made == [(0, 0), (0, 1), (0, 2), (0, 3)]
    # Fewer than there are: nothing is to be done.
    runner.run_all(lab.jobs(runner), 3, lambda: None)
    assert len(lab.made) == 4


def test_outcomes_of_other_code_are_made_again(tmp_path):
    lab = Lab(30)
    runner = lab.runner(tmp_path)
    old = Record({("row 0", "Acc"): Outcome(1.0, 1.0, 9)}, MADE._replace(n_runs=9))
    runner.store.save(lab.experiment, 0, old)
    runner.run_all(lab.jobs(runner), 2, lambda: None)
    assert lab.made == [(0, 0), (0, 1)]


def test_a_budget_gives_one_run_to_each_before_the_next(tmp_path, clock):
    lab = Lab(3, 3)
    runner = lab.runner(tmp_path)
    runner.run_within(lab.jobs(runner), None, 60.0)
    assert lab.made == [(0, 0), (1, 0), (0, 1), (1, 1), (0, 2), (1, 2)]


def test_what_says_little_comes_first(tmp_path, clock):
    lab = Lab(30, 30)
    runner = lab.runner(tmp_path)
    for number, n_runs in ((0, 3), (1, 2)):
        outcome = {(f"row {number}", "Acc"): Outcome(1.0, 1.0, n_runs)}
        record = Record(outcome, MADE._replace(n_runs=n_runs))
        runner.store.save(lab.experiment, number, record)
    jobs = lab.jobs(runner)
    assert [job.says_little for job in jobs] == [False, True]

    def run(job, n_runs):
        lab.made.append((job.place, n_runs))
        clock[0] = 99.0

    runner.run = run
    runner.run_within(jobs, None, 60.0)
    assert lab.made == [(1, 3)]


def test_what_does_not_fit_is_not_begun(tmp_path, clock):
    lab = Lab(30)
    runner = lab.runner(tmp_path)
    outcome = {("row 0", "Acc"): Outcome(1.0, 1.0, 3)}
    runner.store.save(lab.experiment, 0, Record(outcome, MADE))
    # Two seconds a run; the next step is to five runs.
    runner.run_within(lab.jobs(runner), None, 3.9)
    assert lab.made == []
    runner.run_within(lab.jobs(runner), None, 4.0)
    assert len(lab.made) > 0


def test_without_kept_runs_all_are_made_again():
    job = Job(Lab(30).experiment, 0, False, Record({}, MADE))
    assert job.expected(5) == 10.0
    assert replace(job, keeps_runs=True).expected(5) == 4.0


def test_what_draws_nothing_is_run_once(tmp_path, clock):
    counted = []

    def run(bench):
        counted.append(bench.n_runs)
        return {("a", "b"): Outcome(1.0)}

    part = Part((Cell("a", "b", 80.0),), run)
    experiment = Experiment("salmi2020", "2", "", "", (part,), n_runs=100)
    runner = Runner(0, lambda name: None)
    runner.run_within(runner.jobs(experiment, False), None, 60.0)
    # The second run shows that there is nothing to repeat.
    assert counted == [1, 2]


def test_missing_data_do_not_stop_the_others(clock):
    def run(bench):
        raise MissingData("not there.")

    lab = Lab(1)
    missing = Part((Cell("a", "b", 80.0),), run)
    parts = (missing, *lab.experiment.parts)
    runner = Runner(0, lambda name: None)
    jobs = runner.jobs(replace(lab.experiment, parts=parts), True)
    runner.run_within(jobs, None, 60.0)
    found = _running.judged(jobs)
    assert [(verdict, note) for *_, verdict, note in found] == [
        ("no data", "not there."),
        ("differs", ""),
    ]


def test_with_no_budget_only_what_is_stored_is_shown(tmp_path):
    options = {"n_runs": 2, "store": tmp_path / "store", "data_dir": tmp_path}
    made = reproduce("hijazi2019", "3.2", **options)
    shown = reproduce(
        "hijazi2019", "3.2", store=tmp_path / "store", data_dir=tmp_path, budget=0
    )
    known = made["verdict"] != "no data"
    columns = ["ours", "our_spread", "runs", "verdict"]
    assert made.loc[known, columns].equals(shown.loc[known, columns])
    assert set(shown.loc[~known, "verdict"]) == {"not run"}
    assert shown.attrs["curves"][0]["sizes"] == made.attrs["curves"][0]["sizes"]


def test_how_it_was_made_is_told(tmp_path):
    found = reproduce("hijazi2019", "3.2", n_runs=2, data_dir=tmp_path, random_state=7)
    *_, wine, _ = found.attrs["made"]
    assert (wine["n_runs"], wine["seed"], wine["goal"]) == (2, 7, 100)
    assert wine["machine"] == _records.machine()
    assert wine["seconds"] > 0
    # Of data that are not there nothing was made.
    assert "date" not in found.attrs["made"][0]


@pytest.mark.parametrize("budget", [-1, float("nan")])
def test_a_wrong_budget_is_named(budget):
    with pytest.raises(ValueError, match="^budget must be 0 seconds or more, got"):
        reproduce("hijazi2019", budget=budget)


def test_derived_cells_follow_from_the_others():
    [experiment] = experiments("salmi2020", "3")
    *parts, ranks = experiment.parts
    jobs = [Job(experiment, place, True) for place in range(len(experiment.parts))]
    for place, (job, part) in enumerate(zip(jobs, parts, strict=False)):
        # The first method is the best everywhere, the others follow.
        outcomes = {
            cell.key: Outcome(90.0 - k - place) for k, cell in enumerate(part.cells)
        }
        job.record = Record(outcomes, MADE)
    found = _running.judged(jobs)[-len(ranks.cells) :]
    assert [outcome.value for _, outcome, *_ in found] == [1, 2, 3, 4, 5, 6]
    jobs[0].record = None
    found = _running.judged(jobs)[-len(ranks.cells) :]
    assert {verdict for _, _, verdict, _ in found} == {"no data"}


def test_a_file_is_a_line_for_each_part(tmp_path):
    lab = Lab(3, 3)
    runner = lab.runner(tmp_path)
    runner.run_all(lab.jobs(runner), 1, lambda: None)
    text = (tmp_path / "salmi2020.json").read_text("utf-8")
    assert len(text.splitlines()) == 6
    assert text.splitlines()[2].startswith('{"made"')
    assert json.loads(text)["tables"].keys() == {"2"}
