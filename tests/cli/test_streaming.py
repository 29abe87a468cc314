"""``pairsift select`` on blocks of Parquet files: results of a loaded table."""

import json
import re
import subprocess
import sys
from datetime import datetime
from decimal import Decimal

import numpy as np
import pandas as pd
import pytest

from pairsift.cli import _streaming
from pairsift.webapp._exports import labels_csv

pq = pytest.importorskip("pyarrow.parquet")


@pytest.fixture
def bottles(wine, tmp_path):
    """Wine with ids, in row groups."""
    wine["bottle"] = [f"b{number:03d}" for number in range(len(wine))]
    wine["colour"] = np.where(wine["hue"] > 1, "red", "blue")
    path = tmp_path / "wine.parquet"
    wine.to_parquet(path, row_group_size=50)
    return path


@pytest.fixture
def pairs(tmp_path):
    path = tmp_path / "pairs.csv"
    ends = [(f"b{i:03d}", f"b{170 - i:03d}", "cannot") for i in range(12)]
    ends += [(f"b{i:03d}", f"b{i + 1:03d}", "must") for i in range(30, 40)]
    pd.DataFrame(ends, columns=["a", "b", "link"]).to_csv(path, index=False)
    return path


SUPERVISION = {
    "labels": ["--label", "class", "--method", "fisher-score", "--drop", "colour"],
    "pairs": ["--drop", "class", "--method", "relieff-sc"],
    "both": ["--label", "class", "--method", "constraint-score-1", "--drop", "colour"],
    "sampled": ["--label", "class", "--sample-pairs", "20", "--method", "relieff-sc"],
    "nothing": ["--drop", "class", "--drop", "colour", "--method", "variance-score"],
    "graph": ["--drop", "class", "--drop", "colour", "--method", "laplacian-score"],
    "raw": ["--drop", "class", "--drop", "colour", "--no-scale", "--method"],
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", SUPERVISION)
def test_streamed_is_as_loaded(kind, bottles, pairs, run):
    options = ["--id", "bottle", "--top", "4", "--json", *SUPERVISION[kind]]
    options += ["variance-score"] if kind == "raw" else []
    if kind in ("pairs", "both"):
        options += ["--constraints", pairs]
    here = run("select", bottles, *options)
    there = run("select", bottles, "--stream", *options)
    assert (here.exit_code, there.exit_code) == (0, 0), there.stderr
    here, there = json.loads(here.stdout), json.loads(there.stdout)
    for line, other in zip(here.pop("ranking"), there.pop("ranking"), strict=True):
        assert line.pop("score") == pytest.approx(other.pop("score"), rel=1e-10)
        assert line == other
    # What needs all rows at once is not looked for.
    assert set(there.pop("warnings")) <= set(here.pop("warnings"))
    assert here == there


def test_piles_by_id(bottles, run, tmp_path):
    piles = tmp_path / "piles.csv"
    rows = [f"b{i:03d},{i % 3}" for i in range(0, 170, 5)]
    piles.write_text("\n".join(["row,pile", *rows]) + "\n")
    options = ["--labels", piles, "--id", "bottle", "--method", "fisher-score"]
    options += ["--drop", "class", "--drop", "colour"]
    here = run("select", bottles, *options)
    there = run("select", bottles, "--stream", *options)
    assert there.exit_code == 0, there.stderr
    assert there.stdout == here.stdout


def test_report_says_what_is_left_out(bottles, run, tmp_path):
    page = tmp_path / "page.html"
    options = ["--label", "class", "--method", "fisher-score", "--report", page]
    done = run("select", bottles, "--stream", "--drop", "bottle", "--drop", "colour",
               "--top", "3", *options)  # fmt: skip
    assert done.exit_code == 0, done.stderr
    text = page.read_text("utf-8")
    assert "rows were read in blocks and not kept" in text
    assert "of 178 rows were ranked" in text
    assert "fisher-score ranked 13 features of 178 rows" in done.stderr


def test_draws_from_blocks_are_those_of_a_loaded_table(bottles, run):
    options = ["--label", "class", "--id", "bottle", "--method", "relieff"]
    options += ["--max-samples", "90", "--top", "3", "--json"]
    here = run("select", bottles, *options)
    there = run("select", bottles, "--stream", *options)
    assert there.exit_code == 0, there.stderr
    assert json.loads(there.stdout) == json.loads(here.stdout)


def test_enough_rows_draws_and_shows_the_curve(run, tmp_path):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(9000, 4)), columns=list("abcd"))
    frame["kind"] = np.where(frame["b"] > 0, "p", "q")
    path, page = tmp_path / "t.parquet", tmp_path / "page.html"
    frame.to_parquet(path, row_group_size=2000)
    options = ["--label", "kind", "--top", "1", "--method", "fisher-score"]
    options += ["--enough-rows", "--json"]
    here = run("select", path, *options)
    there = run("select", path, "--stream", *options, "--report", page)
    assert here.exit_code == there.exit_code == 0, there.stderr
    found = json.loads(there.stdout)
    assert found == json.loads(here.stdout)
    assert found["enough_rows"] == {
        "n_rows": 4000,
        "is_enough": True,
        "sizes": [1000, 2000, 4000],
        "agreement": [None, 1.0, 1.0],
    }
    assert (found["n_rows"], found["n_drawn_from"]) == (4000, 9000)
    assert "How many rows are enough?" in page.read_text("utf-8")


def test_large_files_are_streamed(bottles, monkeypatch):
    where = _streaming.Where()
    assert not _streaming.is_in_blocks(bottles, where)
    n_cells = 178 * 16
    monkeypatch.setattr(_streaming, "available_memory", lambda: 4 * 8 * n_cells - 1)
    assert _streaming.is_in_blocks(bottles, where)
    assert not _streaming.is_in_blocks(bottles, _streaming.Where(stream=False))
    assert _streaming.is_in_blocks(bottles.parent, where)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--method", "relieff-sc", "--spread"], "--spread"),
        (["--method", "mici"], "mici does not work on blocks.*variance-score"),
        (
            ["--method", "fisher-score", "--drop", "vintage"],
            "no column 'vintage' for --drop",
        ),
        (["--no-stream", "--dask"], "--no-stream goes neither"),
        (["--enough-rows", "--max-samples", "9"], "both draw rows"),
        (["--enough-rows", "--sample-pairs", "9"], "--max-samples"),
    ],
)
def test_refusals(options, said, bottles, pairs, refused):
    more = ["--constraints", pairs] if "--spread" in options else []
    more += [] if "--spread" in options else ["--label", "class"]
    assert re.search(said, refused("select", bottles, "--stream", *options, *more))


def test_other_formats_and_numbers_as_text_are_refused(wine, wine_csv, refused):
    assert "is not Parquet" in refused("select", wine_csv, "--stream")
    path = wine_csv.with_suffix(".parquet")
    wine.astype({"ash": str}).to_parquet(path)
    said = refused("select", path, "--stream", "--method", "variance-score")
    assert "'ash' holds numbers that were written as text" in said


def test_pairs_of_a_spreadsheet_are_found_by_id(bottles, pairs, run):
    options = ["--id", "bottle", "--drop", "class", "--constraints", pairs, "--stream"]
    expected = run("select", bottles, *options).stdout
    pairs.write_text(pairs.read_text().replace(",", ";"))
    found = run("select", bottles, *options)
    assert found.exit_code == 0, found.stderr
    assert found.stdout == expected


def test_what_is_wrong_with_pairs_is_said_as_of_a_loaded_table(bottles, pairs, refused):
    options = ["select", bottles, "--drop", "class", "--constraints", pairs]
    assert refused(*options) == refused(*options, "--stream")
    for text in ("b001,b999,must", "b001,b001,must", "b001,b002,maybe", ""):
        pairs.write_text(f"a,b,link\n{text}\n")
        said = refused(*options, "--id", "bottle")
        assert refused(*options, "--id", "bottle", "--stream") == said


@pytest.mark.parametrize("reading", ["--stream", "--no-stream"])
def test_decimals_are_scaled_as_other_numbers_are(reading, wine, run, tmp_path):
    path = tmp_path / "wine.parquet"
    options = ["--drop", "class", "--method", "variance-score", reading]
    wine.to_parquet(path, row_group_size=50)
    expected = run("select", path, *options).stdout
    wine["proline"] = [Decimal(int(number)) for number in wine["proline"]]
    wine.to_parquet(path, row_group_size=50)
    found = run("select", path, *options)
    assert found.exit_code == 0, found.stderr
    assert found.stdout == expected


@pytest.mark.parametrize("reading", ["--stream", "--no-stream"])
@pytest.mark.parametrize("kind", ["date", "time", "text"])
def test_dates_are_refused(kind, reading, wine, refused, tmp_path):
    times = [datetime(2024, 3, 1 + row % 28, row % 24) for row in range(len(wine))]
    wine["when"] = {
        "date": [time.date() for time in times],
        "time": [time.time() for time in times],
        "text": [str(time.date()) for time in times],
    }[kind]
    path = tmp_path / "wine.parquet"
    wine.to_parquet(path, row_group_size=50)
    said = refused("select", path, "--label", "class", reading)
    assert "column 'when' holds dates, such as " in said
    assert "--drop when" in said


def test_an_odd_cell_of_the_first_block_is_refused(wine, run, refused, tmp_path):
    wine["proline"] = wine["proline"].astype(str)
    wine.loc[17, "proline"] = "-"
    path = tmp_path / "wine.parquet"
    wine.to_parquet(path, row_group_size=50)
    options = ["select", path, "--label", "class"]
    said = refused(*options, "--stream")
    told = "177 of 178 cells of 'proline' are numbers; '-' in row 17 is not"
    assert f"{told} (in the first block): write the column as numbers" in said
    assert told in refused(*options)
    as_text = [*options, "--stream", "--categorical", "proline"]
    assert run(*as_text).exit_code == 0


@pytest.mark.parametrize("more", [[], ["--drop", "gaps"]], ids=["missing", "text"])
def test_what_a_method_does_not_take_is_said_as_of_a_loaded_table(
    more, wine, refused, tmp_path
):
    wine["gaps"] = np.where(wine.index % 7 == 0, np.nan, wine["hue"])
    wine["colour"] = np.where(wine["hue"] > 1, "red", "blue")
    path = tmp_path / "wine.parquet"
    wine.to_parquet(path, row_group_size=50)
    options = ["--label", "class", "--method", "fisher-score", *more]
    said = refused("select", path, *options)
    assert "take a method that accepts them, such as relieff" in said
    assert refused("select", path, "--stream", *options) == said


def test_without_dask_the_line_says_what_to_install(bottles, refused, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    said = refused("select", bottles, "--dask", "--method", "variance-score")
    assert "pip install 'pairsift[dask]'" in said


ON_CLUSTER = """
import sys
from distributed import LocalCluster
from pairsift.cli import main

if __name__ == "__main__":
    options = {"n_workers": 1, "processes": False, "dashboard_address": None}
    with LocalCluster(protocol="tcp", host="127.0.0.1", **options) as cluster:
        sys.argv += ["--scheduler", cluster.scheduler_address]
        main()
"""


@pytest.mark.slow
@pytest.mark.subprocess
@pytest.mark.dask
def test_workers_of_a_scheduler_rank_as_this_process_does(bottles, pairs, run):
    pytest.importorskip("distributed")
    options = ["select", bottles, "--id", "bottle", "--constraints", pairs, "--json"]
    options += ["--drop", "class", "--method", "relieff-sc", "--top", "4"]
    command = [sys.executable, "-c", ON_CLUSTER, *map(str, options)]
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=600, check=False
    )
    assert done.returncode == 0, done.stderr
    here = run(*options, "--stream")
    assert json.loads(done.stdout)["ranking"] == json.loads(here.stdout)["ranking"]


@pytest.mark.slow
@pytest.mark.subprocess
@pytest.mark.dask
def test_workers_do_not_add_a_traceback_to_an_error(bottles, tmp_path):
    pytest.importorskip("distributed")
    with bottles.open("r+b") as file:
        file.seek(8)
        file.write(b"\xff" * 3000)
    command = [sys.executable, "-m", "pairsift", "select", "wine.parquet", "--dask"]
    command += ["--drop", "class", "--drop", "bottle", "--drop", "colour"]
    command += ["--method", "variance-score"]
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=600, check=False, cwd=tmp_path
    )
    assert done.returncode == 2, done.stderr
    assert done.stderr.startswith("pairsift: error: ")
    assert "wine.parquet, row group" in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.dask
def test_an_address_without_a_scheduler_is_refused(bottles, refused):
    distributed = pytest.importorskip("distributed")
    options = ["--drop", "class", "--method", "variance-score"]
    said = refused("select", bottles, "--scheduler", "nonsense://x", *options)
    assert "--scheduler: no Dask scheduler answers at 'nonsense://x'" in said
    with pytest.raises(ValueError, match="No clients found"):
        distributed.default_client()


# ---------------------------------------------------------------------- questions


def test_questions_about_a_large_file_are_about_a_draw(
    bottles, run, tmp_path, monkeypatch
):
    monkeypatch.setattr(_streaming, "LARGE_SHARE", 0.0)
    piles, pairs = tmp_path / "piles.csv", tmp_path / "c.csv"
    options = ["--drop", "class", "--drop", "bottle", "--labels", piles, "--out", pairs]
    options += ["--max-samples", "60"]
    done = run("query", bottles, *options, answers="n\nn\n1\n1\n2\n")
    assert done.exit_code == 0, done.stderr
    assert "a draw of 60 of 178 rows" in done.stderr.replace("\n", " ")
    rows = pd.read_csv(piles)["row"]
    drawn = np.sort(np.random.default_rng(0).permutation(178)[:60])
    assert set(rows) <= set(drawn)
    assert rows.max() >= 60
    # The whole file knows the rows by these numbers.
    options = ["--drop", "class", "--drop", "bottle", "--labels", piles]
    ranked = run("select", bottles, *options, "--drop", "colour", "--json")
    assert json.loads(ranked.stdout)["n_rows"] == 178
    assert json.loads(ranked.stdout)["n_labelled"] == 5


def test_the_page_of_a_large_file_is_about_the_draw_of_query(
    bottles, run, tmp_path, monkeypatch
):
    pytest.importorskip("uvicorn")
    import pairsift.webapp._server as server_module

    desks = []

    def answer(self):
        desks.append(self.desk)
        for row in (0, 30, 59):
            self.desk.session.place(row, "new")
        self._socket.close()

    monkeypatch.setattr(server_module.Server, "run", answer)
    monkeypatch.setattr(_streaming, "LARGE_SHARE", 0.0)
    # Nothing reads the file as a whole.
    monkeypatch.setattr(pd, "read_parquet", None)
    options = ["--drop", "class", "--drop", "bottle", "--max-samples", "60"]
    done = run("label", bottles, *options, "--text", "colour", "--show", "bottle",
               "--no-browser")  # fmt: skip
    assert done.exit_code == 0, done.output
    assert "a draw of 60 of 178 rows" in done.stderr.replace("\n", " ")
    (desk,) = desks
    drawn = np.sort(np.random.default_rng(0).permutation(178)[:60])
    whole = pq.read_table(bottles).to_pandas()
    names = [desk.samples.name(row) for row in range(60)]
    assert names == [str(row) for row in drawn]
    shown = desk.samples.sample(30)["text"], desk.samples.table([30])["cells"][0][0][0]
    assert shown == (whole["colour"][drawn[30]], whole["bottle"][drawn[30]])
    piles = [line.split(",")[0] for line in labels_csv(desk).splitlines()[1:]]
    assert piles == [str(drawn[row]) for row in (0, 30, 59)]
    # The terminal goes on with the session.
    options += ["--drop", "colour", "--out", tmp_path / "c.csv"]
    again = run("query", bottles, *options, answers="1\n")
    assert "resumed with 3 answers" in again.stderr


def test_the_page_of_a_loaded_table_may_be_about_a_draw(bottles, run, monkeypatch):
    pytest.importorskip("uvicorn")
    import pairsift.webapp._server as server_module

    desks = []

    def look(self):
        desks.append(self.desk)
        self._socket.close()

    monkeypatch.setattr(server_module.Server, "run", look)
    options = ["--label", "class", "--id", "bottle", "--max-samples", "20"]
    done = run("label", bottles, *options, "--text", "colour", "--no-browser")
    assert done.exit_code == 0, done.output
    drawn = np.sort(np.random.default_rng(0).permutation(178)[:20])
    whole = pd.read_parquet(bottles)
    samples = desks[0].samples
    assert [samples.name(row) for row in range(20)] == [f"b{row:03d}" for row in drawn]
    assert [samples.sample(row)["text"] for row in range(20)] == [
        *whole["colour"][drawn]
    ]


def test_columns_to_show_of_a_large_file_must_be_there(bottles, refused, monkeypatch):
    monkeypatch.setattr(_streaming, "LARGE_SHARE", 0.0)
    said = refused("label", bottles, "--show", "bottel", "--no-browser")
    assert "has no column 'bottel' to show" in said
    assert "bottle" in said


def test_a_draw_of_a_loaded_table_goes_on_and_has_the_ids(bottles, run, tmp_path):
    piles = tmp_path / "piles.csv"
    options = ["--id", "bottle", "--drop", "class", "--max-samples", "50"]
    options += ["--labels", piles]
    assert run("query", bottles, *options, answers="n\nn\n").exit_code == 0
    again = run("query", bottles, *options, answers="1\n")
    assert again.exit_code == 0, again.stderr
    names = pd.read_csv(piles)
    assert len(names) == 3
    assert names.iloc[:, 0].str.fullmatch(r"b\d{3}").all()
    without = run("query", bottles, *options[:4], answers="1\n")
    assert without.exit_code == 2
    assert "50 x" in without.stderr.replace("\n", " ")
