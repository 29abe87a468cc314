"""Long fits: what is said before, drawn rows, progress, and Ctrl-C."""

import os
import signal
import subprocess
import sys
import time
from contextlib import contextmanager

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal

from pairsift import PairConstraints
from pairsift.cli import _cost
from pairsift.cli._console import Messages
from pairsift.cli._cost import Cost, draw_rows, spoken
from pairsift.cli._ranking import find_method
from pairsift.reports import Table


def cost_of(name, n_rows, n_features, *, labels=3, pairs=None, **parameters):
    selector_class, line = find_method(name)
    classes = None if labels is None else (np.arange(n_rows) % labels).astype(float)
    table = Table(pd.DataFrame(np.zeros((n_rows, n_features))), classes)
    selector = selector_class(n_jobs=2, **parameters)
    return Cost(selector, line, table, pairs)


def test_a_short_fit_needs_no_advice():
    assert cost_of("relieff", 1000, 20).advice is None


@pytest.mark.parametrize(
    ("name", "shape", "said"),
    [
        ("i-relief", (50_000, 40), ["--max-samples 5000 takes about"]),
        ("simba-sc", (50_000, 100), ["--max-samples", "--sample-pairs"]),
        ("forward-backward-mi", (30_000, 100), ["--param pairs=False about"]),
        ("ensemble-constraint-score", (20_000, 50), ["--param n_replicates=10"]),
    ],
)
def test_advice_names_the_time_and_what_is_shorter(name, shape, said):
    advice = cost_of(name, *shape).advice

    assert advice.startswith("this may take ")
    for words in said:
        assert words in advice


def test_pairs_are_drawn_from_labels_only():
    pairs = PairConstraints(cannot_link=[(0, 1), (1, 2)])
    cost = cost_of("simba-sc", 50_000, 100, labels=None, pairs=pairs, n_starts=20_000)

    assert "--max-samples" in cost.advice
    assert "--sample-pairs" not in cost.advice


def test_what_is_proposed_takes_as_long_as_it_says():
    whole, drawn = (cost_of("i-relief", n_rows, 40) for n_rows in (50_000, 5000))

    assert f"--max-samples 5000 takes about {spoken(drawn.seconds)}" in whole.advice


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (0.2, "a second"),
        (9.6, "10 s"),
        (61.0, "60 s"),
        (240.0, "4 minutes"),
        (7200.0, "2 hours"),
        (1e6, "10 days"),
    ],
)
def test_durations_are_spoken(seconds, said):
    assert spoken(seconds) == said


@pytest.fixture
def crowd():
    """A table of 1000 rows in classes of 900, 90, 8 and 2 rows."""
    labels = np.repeat(["a", "b", "c", "d"], [900, 90, 8, 2]).astype(object)
    return Table(pd.DataFrame({"x": np.arange(1000.0)}), labels)


def test_a_draw_keeps_rare_classes_and_shares(crowd):
    drawn, _ = draw_rows(crowd, None, 110, find_method("relieff")[1])
    sizes = pd.Series(drawn.labels).value_counts().to_dict()

    assert (sizes["c"], sizes["d"]) == (8, 2)
    # Ten of each class first, and the others as they come.
    assert sizes["b"] == 10
    assert sizes["a"] == 90
    assert drawn.n_drawn_from == 1000
    assert_array_equal(drawn.features["x"], [float(row) for row in drawn.ids])


def test_a_draw_keeps_all_pairs_and_names_their_rows(crowd):
    pairs = PairConstraints([(3, 500)], [(7, 999), (500, 999)], n_samples=1000)
    drawn, kept = draw_rows(crowd, pairs, 20, find_method("relieff-sc")[1])

    assert len(drawn.features) == 20
    named = [[int(drawn.ids[row]) for row in pair] for pair in kept.cannot_link]
    assert named == [[7, 999], [500, 999]]
    few, _ = draw_rows(crowd, pairs, 2, find_method("relieff-sc")[1])
    assert few.ids == ["3", "7", "500", "999"]


def test_a_draw_of_all_rows_is_none(crowd):
    pairs = PairConstraints([(3, 500)], n_samples=1000)
    assert draw_rows(crowd, pairs, 1000, find_method("relieff-sc")[1]) == (crowd, pairs)


def test_a_draw_without_classes_is_even(crowd):
    line = find_method("rrelieff")[1]
    drawn, _ = draw_rows(crowd, None, 500, line)

    assert len(drawn.features) == 500
    assert 200 < sum(int(row) < 500 for row in drawn.ids) < 300


def test_the_command_says_that_rows_were_drawn(run, wine_csv, tmp_path, strict_json):
    report = tmp_path / "wine.html"
    result = run(
        "select", wine_csv, "--label", "class", "--max-samples", 60, "--json",
        "--report", report,
    )  # fmt: skip
    found = strict_json(result.stdout)

    assert (found["n_rows"], found["n_drawn_from"]) == (60, 178)
    assert "60 rows drawn from 178" in result.stderr
    assert "60 rows drawn from 178" in report.read_text(encoding="utf-8")


def test_without_a_draw_all_rows_count(run, wine_csv, strict_json):
    found = strict_json(run("select", wine_csv, "--label", "class", "--json").stdout)

    assert (found["n_rows"], found["n_drawn_from"]) == (178, None)


def test_a_long_fit_is_announced_and_watched(run, wine_csv, monkeypatch):
    monkeypatch.setattr(_cost, "LONG", 0.0)
    monkeypatch.setattr(_cost, "SHORT", 0.0)
    told = []

    @contextmanager
    def progress(self, text, total=None):
        told.append((text, total))
        yield lambda steps=1.0: told.append(steps)

    monkeypatch.setattr(Messages, "progress", progress)
    result = run("select", wine_csv, "--label", "class", "--method", "relieff")

    assert "pairsift: this may take" in result.stderr
    text, total = told[1]
    assert text == "Ranking 13 features"
    assert 0.1 * total < sum(told[2:]) < 10.0 * total


def test_a_wrong_parameter_is_refused_before_anything_is_estimated(refused, wine_csv):
    said = refused(
        "select", wine_csv, "--label", "class", "--method", "relieff",
        "--param", "max_samples=many",
    )  # fmt: skip
    assert "max_samples" in said


@pytest.mark.subprocess
@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_control_c_stops_a_fit_of_minutes(tmp_path):
    rng = np.random.default_rng(0)
    data, out = tmp_path / "data.csv", tmp_path / "ranking.csv"
    frame = pd.DataFrame(rng.normal(size=(2000, 20)).round(3)).add_prefix("x")
    frame.assign(label=np.arange(2000) % 2).to_csv(data, index=False)
    arguments = (
        f"select {data} --label label --method simba --param n_starts=20000 "
        f"--out {out} --report {tmp_path / 'page.html'}"
    )
    script = (
        "import signal, sys; from pairsift.cli import main\n"
        # A shell's background jobs, and all they start, ignore it.
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        f"sys.argv[1:] = {arguments.split()!r}; main()"
    )
    process = subprocess.Popen([sys.executable, "-c", script], stderr=subprocess.PIPE)
    assert b"this may take" in process.stderr.readline()
    time.sleep(2.0)
    assert process.poll() is None
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=10)

    assert process.returncode == 130
    assert said == b"pairsift: stopped.\n"
    assert os.listdir(tmp_path) == ["data.csv"]
