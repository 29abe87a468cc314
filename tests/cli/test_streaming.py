"""``pairsift select`` on blocks of Parquet files: results of a loaded table."""

import json
import re
import sys

import numpy as np
import pandas as pd
import pytest

from pairsift.cli import _streaming

pytest.importorskip("pyarrow")


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
    monkeypatch.setattr(_streaming, "SMALL_FILE", 0)
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


def test_without_dask_the_line_says_what_to_install(bottles, refused, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    said = refused("select", bottles, "--dask", "--method", "variance-score")
    assert "pip install 'pairsift[dask]'" in said
