"""The runner tells the truth, and every scenario runs."""

import io
import json
import time
from contextlib import redirect_stdout
from itertools import product
from types import SimpleNamespace
from typing import ClassVar

import numpy as np
import pandas as pd
import pytest

import pairsift
from benchmarks.__main__ import main
from benchmarks._memory import IS_MEASURABLE, peak_extra_bytes
from benchmarks._runner import machine, measure, records, table
from benchmarks._scenario import Scenario
from benchmarks.scenarios import SCENARIOS, ask_runs, scale_runs, semi, semi_runs
from benchmarks.scenarios.ask import KEYS, summary_table
from pairsift.evaluation._errors import mean_and_error


class Sleeper(Scenario):
    """Durations that are known."""

    name = "sleeper"
    reference = "time_slow"
    sizes: ClassVar = {"n_naps": 3}
    tiny_sizes = sizes

    def setup(self):
        self.calls = []

    def time_fast(self):
        self.calls.append("fast")
        time.sleep(0.01)

    def time_slow(self):
        self.calls.append("slow")
        time.sleep(0.03)

    def track_answer(self):
        return 42

    def track_nothing(self):
        return None


class Hoarder(Scenario):
    """Memory that is known: 80 MB of data, of which the method copies 40 MB."""

    sizes: ClassVar = {"n_bytes": 80_000_000}
    tiny_sizes: ClassVar = {"n_bytes": 8}

    def setup(self):
        temporary = np.ones(2 * self.size["n_bytes"], dtype=np.uint8)
        self.data = temporary[::2].copy()

    def peakmem_copy(self):
        self.data[::2].copy()


def test_times_take_turns_after_one_untimed_call_each():
    scenario = Sleeper()

    measure(scenario, repeat=2, tiny=True)

    assert scenario.calls == ["fast", "slow"] * 3


def test_ratios_are_against_the_reference_of_the_same_run():
    fast, slow, answer = measure(Sleeper(), repeat=3, tiny=True)

    assert fast.times_faster == slow.value / fast.value
    assert fast.times_faster > 1.0
    assert slow.times_faster == 1.0
    assert len(fast.repeats) == 3
    assert (answer.value, answer.times_faster) == (42.0, None)


def test_table_is_aligned():
    scenario = Sleeper(threads=1)

    title, *lines = table(scenario, measure(scenario, repeat=1, tiny=True)).split("\n")

    assert title == "sleeper: n_naps=3, threads=1"
    assert [line.split()[0] for line in lines[2:]] == [
        "time_fast",
        "time_slow",
        "track_answer",
    ]
    assert lines[0].endswith("times faster")
    assert lines[3].endswith("reference")
    assert len(lines[0]) == len(lines[1]) == len(lines[2]) == len(lines[3])


def test_records_say_under_which_circumstances():
    scenario = Sleeper(threads=1)

    first, *_ = records(scenario, measure(scenario, repeat=1, tiny=True), tiny=True)

    assert first["scenario"] == "sleeper"
    assert (first["seed"], first["threads"], first["tiny"]) == (0, 1, True)
    assert first["sizes"] == {"n_naps": 3}
    assert {"python", "numpy", "scipy", "scikit-learn", "numba", "pairsift"} == set(
        first["versions"]
    )
    assert {"system", "processor", "cores"} == set(first["machine"])
    assert json.loads(json.dumps(first))["method"] == "time_fast"


def test_what_is_recorded_is_left_out_when_a_run_is_resumed(tmp_path, monkeypatch):
    monkeypatch.setitem(SCENARIOS, "sleeper", Sleeper)
    out = tmp_path / "results.jsonl"
    told = []
    for threads in ("1", "1", "2"):
        with redirect_stdout(io.StringIO()) as text:
            main(
                ["run", "sleeper", "--threads", threads, "--resume", "--out", str(out)]
            )
        told.append(text.getvalue())
    assert ["is in" in text for text in told] == [False, True, False]
    lines = [json.loads(line) for line in out.read_text().splitlines()]
    assert [line["threads"] for line in lines] == [1, 1, 1, 2, 2, 2]
    assert {line["report"] for line in lines} == {""}


@pytest.mark.slow
@pytest.mark.skipif(not IS_MEASURABLE, reason="needs /proc")
def test_peak_memory_counts_neither_the_data_nor_what_the_parent_holds():
    # A child's ru_maxrss would start at this process' size and hide everything.
    held = np.ones(200_000_000, dtype=np.uint8)

    extra = peak_extra_bytes(Hoarder, "peakmem_copy", threads=1, tiny=False)

    assert held.size
    # The kernel counts in batches of pages, the interpreter needs some of its own.
    assert 39_000_000 < extra < 42_000_000


def call_in_this_process(scenario, method, *, threads, tiny):
    """In place of a fresh process, whose start takes longer than the call."""
    there = scenario(threads, tiny=tiny)
    there.setup()
    getattr(there, method)()
    return 0


def run_in_this_process(command, **_):
    """Run a program given as text; a fresh process would load all packages again."""
    _, _, program = command
    with redirect_stdout(io.StringIO()) as said:
        exec(program, {})
    return SimpleNamespace(stdout=said.getvalue())


@pytest.mark.slow
@pytest.mark.parametrize("name", SCENARIOS)
def test_every_scenario_runs_on_tiny_data(name, tmp_path, capsys, monkeypatch):
    out = tmp_path / "new" / "results.jsonl"
    machine()  # Asks a process for the processor, once: before processes are replaced.
    # How memory is measured has a test of its own, above.
    monkeypatch.setattr("benchmarks._runner.peak_extra_bytes", call_in_this_process)
    monkeypatch.setattr("subprocess.run", run_in_this_process)

    main(["run", name, "--tiny", "--repeat", "1", "--threads", "1", "--out", str(out)])

    lines = [json.loads(line) for line in out.read_text().splitlines()]
    printed = capsys.readouterr().out
    assert lines
    assert all(line["method"] in printed for line in lines)
    assert all(np.isfinite(line["value"]) for line in lines)


def test_blocks_are_counted_in_passes_over_some_of_them_too(tmp_path):
    pytest.importorskip("dask")
    notes = str(tmp_path / "notes")
    lazy = scale_runs.Lazy(200, 4, 20, notes)
    # Four rows of three of the ten blocks.
    pairs = pairsift.PairConstraints([[0, 2]], [[41, 190]], n_samples=200)

    with scale_runs.cluster(0) as client:
        run = scale_runs.run_on_blocks(
            pairsift.PairLogistic(1), lazy, client, constraints=pairs
        )

    assert (run.n_passes, run.n_gathers) == (1, 1)
    assert run.n_made == run.n_asked == 13


@pytest.mark.slow
def test_margin_equals_its_obvious_form():
    scenario = SCENARIOS["margin"](threads=1, tiny=True)
    scenario.setup()

    # Sums of a few hundred terms in another order.
    assert scenario.track_agreement() < 1e-12


def test_margin_data_do_not_give_the_relevant_columns_away():
    scenario = SCENARIOS["margin"](threads=1, tiny=True)
    scenario.size = scenario.size | {"n_samples": 20_000}
    scenario.setup()

    y = np.arange(20_000) % 2
    gap = abs(scenario.X[y == 0].mean(axis=0) - scenario.X[y == 1].mean(axis=0))
    relevant = np.flatnonzero(gap > 0.5)
    spread = scenario.X.std(axis=0)
    assert len(relevant) == 5
    assert relevant[0] > 0
    # The standard error of a standard deviation is 0.005 at this size.
    assert abs(spread - 1.0).max() < 0.03
    assert (y[scenario.pairs[:, 0]] != y[scenario.pairs[:, 1]]).all()


def test_published_values_stand_beside_ours_where_data_is_found(tmp_path, monkeypatch):
    # The folder is empty, but WDBC comes with scikit-learn.
    monkeypatch.setenv("PAIRSIFT_DATA", str(tmp_path))
    scenario = SCENARIOS["expansion"](threads=1, tiny=True)
    scenario.size = scenario.size | {"n_databases": 3}

    header, *cells, note = scenario.report().splitlines()

    assert [cell.split()[:2] for cell in cells] == [["wdbc", p] for p in "234"]
    assert cells[0].split()[3::2] == ["19638.0", "0.7962"]
    assert {len(line) for line in cells} == {len(header)}
    assert note == f"not found in {tmp_path}: wbcd, segmentation_full"
    assert scenario.track_nml_gap() > 0.0


def test_without_data_one_line_says_so(tmp_path, monkeypatch):
    monkeypatch.setenv("PAIRSIFT_DATA", str(tmp_path / "nowhere"))
    scenario = SCENARIOS["expansion"](threads=1, tiny=True)
    scenario.size = scenario.size | {"n_databases": 1}

    assert scenario.report() == f"not found in {tmp_path / 'nowhere'}: wbcd"
    assert scenario.track_nml_gap() is None


def test_expansion_equals_its_obvious_form():
    scenario = SCENARIOS["expansion"](threads=1, tiny=True)
    scenario.setup()

    assert scenario.track_agreement() < 1e-14


def test_outcomes_of_other_code_are_not_taken_for_new_ones(monkeypatch, tmp_path):
    package = tmp_path / "pairsift"
    (package / "scores").mkdir(parents=True)
    monkeypatch.setattr("pairsift.__file__", str(package / "__init__.py"))

    def version(text):
        (package / "scores" / "_some.py").write_text(text)
        ask_runs.code_version.cache_clear()
        return ask_runs.code_version()

    before = version("LITTLE = 0.01\n")
    assert version('"""Words."""\n# A note.\nLITTLE = 0.01\n') == before
    assert version("LITTLE = 0.05\n") != before
    ask_runs.code_version.cache_clear()


def test_the_error_of_a_mean_over_sets_is_the_usual_one():
    gain = np.array([1.0, 2.0, 4.0, 5.0])
    mean, error = mean_and_error(gain, overlap=0.0)
    assert (mean, error) == (3.0, pytest.approx(np.sqrt(10 / 3 / 4)))
    assert mean_and_error(gain, overlap=0.5)[1] == pytest.approx(
        np.sqrt(10 / 3 * (1 / 4 + 1 / 2))
    )
    assert np.isnan(mean_and_error(gain[:1], overlap=0.0)[1])


def test_table_of_answers_compares_with_cards_set_by_set():
    ways = [way.name for way in ask_runs.WAYS]
    some = [*ways, *ask_runs.NO_QUESTIONS, *ask_runs.ALL_LABELS]
    index = pd.MultiIndex.from_product(
        [[0, 30], ask_runs.WRONG, ["wine", "wbcd"]], names=KEYS
    )
    outcome = pd.DataFrame(80.0, index=index, columns=some)
    outcome.loc[(30, 0.0, "wine"), ask_runs.RIVAL] = 76.0

    lines = summary_table(outcome, ask_runs.CHOOSING).splitlines()

    cells = {line.split(" | ")[0].strip("| "): line.split(" | ")[1:] for line in lines}
    # Differences of 4 and 0: their mean is 2, its standard error 2.
    assert cells[ask_runs.RIVAL][0] == "78.0 (+2.0 ± 2.0, 1:0)"
    assert cells[ask_runs.OURS][0] == "**80.0**"
    assert "no questions: UnsupervisedMRMR" in cells


def test_every_selector_that_learns_from_some_rows_is_compared():
    methods = pairsift.methods()
    learns = methods["context"].isin(["semi-supervised", "constrained"])

    compared = {way.selector for way in semi_runs.WAYS if way.told != semi_runs.ALL}
    assert set(methods["class"][learns]) <= compared


def test_labels_are_three_or_a_tenth_of_each_class():
    y = np.repeat([0, 1, 2], [60, 8, 2])

    for labels, numbers in ((semi_runs.THREE, [3, 3, 2]), (semi_runs.TENTH, [6, 2, 2])):
        known = semi_runs.draw_labels(y, labels, seed=0)
        is_told = known >= 0
        assert np.bincount(known[is_told]).tolist() == numbers
        assert np.array_equal(known[is_told], y[is_told])


def test_rows_without_labels_are_kept_from_those_who_see_labelled_rows_only():
    rng = np.random.default_rng(0)
    y = np.arange(40) % 2
    known = semi_runs.draw_labels(y, semi_runs.THREE, seed=0)
    before = ask_runs.Halves(rng.normal(size=(40, 5)), y, None, None)
    other = before._replace(X=np.where(known[:, None] < 0, 9.0, before.X))

    def ranked(told, halves):
        way = semi_runs.Way(told, "ReliefF")
        return semi_runs.ranked(way, halves, known, seed=0)[0].tolist()

    assert ranked(semi_runs.LABELLED, before) == ranked(semi_runs.LABELLED, other)
    assert ranked(semi_runs.ALL, before) != ranked(semi_runs.ALL, other)


def spin(*_):
    while True:
        pass


def test_a_ranking_that_fails_or_takes_too_long_leaves_a_note(monkeypatch):
    rng = np.random.default_rng(0)
    y = np.arange(40) % 2
    halves = ask_runs.halve(rng.normal(size=(40, 4)) + y[:, None], y, 0)
    ways = [
        semi_runs.BASELINE,
        semi_runs.Way(semi_runs.SOME, "VarianceScore"),
        semi_runs.Way(semi_runs.SOME, "RReliefF"),
        semi_runs.Way(semi_runs.SOME, "Slow"),
    ]
    make = semi_runs.make
    slow = SimpleNamespace(fit=spin)
    monkeypatch.setattr(
        semi_runs, "make", lambda w, seed: slow if w.selector == "Slow" else make(w, 0)
    )
    for way in ways[:2]:  # Compiled before there is a limit.
        semi_runs.attempt(way, halves, halves.y, 0)
    monkeypatch.setattr(semi_runs, "MAX_SECONDS", 0.2)

    first = pd.DataFrame(semi_runs.lines(halves, 0, ways, set()))
    done = semi_runs.failed([first])
    again = pd.DataFrame(semi_runs.lines(halves, 1, ways, done))

    notes = first.set_index(["labels", "way"])["note"][semi_runs.TENTH]
    assert (notes[["ReliefF", "VarianceScore"]] == "").all()
    assert notes["Slow"] == "TimeoutError: took more than 0.2 s of CPU time"
    assert (first["accuracy"].isna() == (first["note"] != "")).all()
    # What failed once is not tried again.
    assert again["way"].tolist() == first["way"][first["note"] == ""].tolist()


def test_table_of_few_labels_compares_with_labelled_rows_only():
    some = semi_runs.SOME
    ways = [(some, way) for way in ("Better", "Partly", "Never")]
    ways += [(w.told, w.name) for w in semi_runs.WAYS if w.told != some]
    runs = pd.DataFrame(
        {"labels": labels, "told": told, "way": way, "data": data, "seed": seed}
        for labels, (told, way), data, seed in product(
            semi_runs.LABELS, ways, ("wine", "wbcd"), (0, 1)
        )
    ).assign(accuracy=0.8, seconds=1.0, note="")
    runs.loc[(runs["way"] == "Better") & (runs["data"] == "wine"), "accuracy"] = 0.84
    lost = (runs["way"] == "Never") | (
        (runs["way"] == "Partly") & (runs["data"] == "wine") & (runs["seed"] == 1)
    )
    runs.loc[lost, ["accuracy", "note"]] = np.nan, "too slow"

    text = semi.summary_table(semi.over_splits(runs))

    rows = [line.strip("| ").split(" | ") for line in text.splitlines()]
    cells = {tuple(row[:2]): row[2:] for row in rows if len(row) > 2}
    # Gains of 4 and 0: their mean is 2, its standard error 2.
    assert cells[some, "Better"] == ["82.0 (+2.0 ± 2.0, 1:0)"] * 2 + ["1"]
    assert cells[some, "Partly"][0] == "80.0 (+0.0 ± nan, 0:0, 1 sets only)"
    assert cells[some, "Never"] == ["", "", "1"]
    assert cells["labelled rows only", "ReliefF"][0] == "**80.0**"
    assert cells["labelled rows only", "FisherScore"][0] == "80.0 (+0.0 ± 0.0, 0:0)"
    assert f"no ranking by Partly, {some}, on wine at 10 %: too slow" in text


def test_list_names_every_scenario(capsys):
    main(["list"])

    printed = capsys.readouterr().out
    assert [line.split()[0] for line in printed.splitlines()] == list(SCENARIOS)


def test_an_unknown_scenario_is_named(capsys):
    with pytest.raises(SystemExit, match="2"):
        main(["run", "marginal"])

    assert "no scenario 'marginal'; there are margin" in capsys.readouterr().err


def test_repeat_must_be_positive(capsys):
    with pytest.raises(SystemExit, match="2"):
        main(["run", "--repeat", "0"])

    assert "must be at least 1" in capsys.readouterr().err
