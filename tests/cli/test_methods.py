"""The catalogue on the command line."""

from pairsift import methods


def test_the_catalogue_is_listed(run):
    lines = run("methods").stdout.splitlines()

    assert lines[0] == "name\tcontext\tneeds\tcost\tcitation"
    assert [line.split("\t")[0] for line in lines[1:]] == list(methods()["name"])


def test_the_catalogue_is_json_with_all_columns(run, strict_json):
    document = strict_json(run("methods", "--json").stdout)

    assert document == methods().to_dict(orient="records")


def test_names_are_whole_on_a_narrow_terminal(run, monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "60")
    shown = run("methods").stdout

    assert all(name in shown for name in methods()["name"])
