"""The catalogue on the command line."""

import re

import pytest

from pairsift import methods

SOME_LABELS = {"cluster-homogeneity", "semi-logistic-i-relief", "sselect", "ssfc"}


def test_the_catalogue_is_listed(run):
    lines = run("methods").stdout.splitlines()

    assert lines[0] == "name\tpurpose\tcontext\tneeds\tcost\tcitation"
    assert [line.split("\t")[0] for line in lines[1:]] == list(methods()["name"])


def test_the_catalogue_is_json_with_all_columns(run, strict_json):
    document = strict_json(run("methods", "--json").stdout)

    assert document == methods().to_dict(orient="records")


@pytest.mark.parametrize("width", [40, 80, 200])
def test_no_word_is_broken_on_a_terminal(run, monkeypatch, width):
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", str(width))
    shown = re.sub(r"\x1b\[[0-9;]*m", "", run("methods").stdout)

    assert max(map(len, shown.splitlines())) <= width
    words = " ".join(shown.split())
    for _, line in methods().iterrows():
        # What it is for comes before what it costs.
        details = f"learns from {line['needs']}; {line['cost']}; {line['citation']}"
        entry = f"{line['name']} {line['purpose']} {details}"
        assert " ".join(entry.split()) in words


def test_the_catalogue_is_filtered(run):
    def names(*options):
        lines = run("methods", *options).stdout.splitlines()[1:]
        return {line.split("\t")[0] for line in lines}

    assert names("--needs", "target") == {"rrelieff"}
    assert names("--needs", "labels", "--context", "semi-supervised") >= SOME_LABELS
    assert names("--needs", "nothing") == names("--context", "unsupervised")
    assert "relieff-sc" not in names("--needs", "labels")


def test_learning_from_pairs_first_is_what_constrained_means(run):
    by_needs = run("methods", "--needs", "pairs").stdout

    assert by_needs == run("methods", "--context", "constrained").stdout


def test_filters_that_leave_nothing_are_refused(refused):
    said = refused("methods", "--needs", "pairs", "--context", "supervised")
    assert "no method is of --context supervised and --needs pairs" in said
    assert "--needs" in refused("methods", "--needs", "money")


def test_every_purpose_says_more_than_the_name():
    for _, line in methods().iterrows():
        words = re.findall(r"[a-z]+", line["purpose"].lower())
        assert len(words) >= 6, line["purpose"]
        assert not line["purpose"].endswith(".")
