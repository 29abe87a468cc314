"""Files that take more memory than there is: refused, with numbers and a way out."""

import gzip
import json
import re
import subprocess
import sys
import zipfile
from collections import deque
from io import BytesIO
from itertools import repeat

import numpy as np
import pandas as pd
import pytest

from pairsift.cli import _extent
from pairsift.cli._extent import TextExtent, check_excel, check_parquet, spoken_bytes
from pairsift.exceptions import DataError

SAID = r"reading takes at least [\d.,]+ (kB|MB|GB) of memory, and [\d.,]+ (kB|MB|GB) "


@pytest.fixture
def memory(monkeypatch):
    """Set the bytes that are left, for blocks of rows that are small beside them."""
    monkeypatch.setattr(_extent, "DRAWN_AT_ONCE", 5000)

    def limit(n_bytes):
        monkeypatch.setattr("pairsift._checks.available_memory", lambda: n_bytes)

    return limit


def packed(path, content):
    if path.suffix == ".zip":
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("t.csv", content)
    else:
        path.write_bytes(gzip.compress(content))
    return path


def rows(n_rows, n_columns):
    header = ",".join(f"c{j}" for j in range(n_columns)).encode()
    return header + b"\n" + (b"1," * (n_columns - 1) + b"1\n") * n_rows


@pytest.mark.parametrize("name", ["t.csv.gz", "t.zip"])
@pytest.mark.parametrize(
    "command", [["select"], ["query"], ["evaluate", "--label", "c1"]]
)
def test_a_small_packed_file_of_a_large_table_is_refused(
    refused, memory, tmp_path, name, command
):
    path = packed(tmp_path / name, rows(2000, 200))
    assert path.stat().st_size < 20_000
    memory(1e6)
    said = refused(command[0], path, *command[1:])
    assert re.search(SAID, said)
    assert "1.0 MB are available" in said
    assert "save it as Parquet" in said
    assert "--max-samples" in said
    assert said.count("\n") == 1


def test_reading_stops_where_there_is_no_more_room(memory, tmp_path):
    memory(1e6)
    extent = TextExtent(tmp_path / "t.csv")
    chunk = rows(100, 20)
    with pytest.raises(DataError, match=SAID):
        deque(map(extent.add, repeat(chunk, 10**6)), maxlen=0)
    assert extent.n_bytes < 1e6


@pytest.mark.parametrize("options", [[], ["--max-samples", 5]])
def test_one_line_without_end_is_refused_with_its_cure(
    refused, memory, tmp_path, options
):
    path = packed(tmp_path / "t.csv.gz", b"x" * 4_000_000)
    memory(5e6)
    said = refused("select", path, *options)
    assert re.search(SAID, said)
    assert "write each row on a line of its own" in said
    assert "--max-samples" not in said


@pytest.mark.parametrize("end", [b"\n", b"\r", b"\r\n"])
def test_rows_and_cells_are_counted_whatever_the_chunks(memory, tmp_path, end):
    memory(np.inf)
    content = rows(50, 7).replace(b"\n", end)
    for size in (1 << 20, 100):
        extent = TextExtent(tmp_path / "t.csv")
        for start in range(0, len(content), size):
            extent.add(content[start : start + size])
        assert extent.n_rows == 51
        assert extent.n_signs == 51 * 6
        assert extent.n_header == 7 * 3 - 2 + len(end)


def test_a_draw_fits_where_the_table_does_not(run, refused, memory, tmp_path):
    path = packed(tmp_path / "t.csv.gz", rows(1000, 50))
    memory(1.2e6)
    assert "--max-samples" in refused("select", path)
    done = run("select", path, "--max-samples", 20, "--json")
    assert done.exit_code == 0, done.stderr
    assert json.loads(done.stdout)["n_drawn_from"] == 1000


def test_a_draw_of_too_many_rows_is_refused(refused, memory, tmp_path):
    path = packed(tmp_path / "t.csv.gz", rows(1000, 50))
    memory(1.2e6)
    said = refused("select", path, "--max-samples", 500)
    assert "500 rows are to be drawn" in said
    assert "draw fewer with --max-samples" in said


def test_rows_too_many_to_count_are_refused_without_the_advice_to_draw(
    refused, memory, tmp_path
):
    path = packed(tmp_path / "t.csv.gz", b"a\n" + b"1\n" * 100_000)
    memory(1e6)
    for options in ([], ["--max-samples", 5]):
        said = refused("select", path, *options)
        assert re.search(SAID, said)
        assert "--max-samples" not in said


def test_a_parquet_file_of_equal_rows_is_refused(refused, memory, tmp_path):
    path = tmp_path / "t.parquet"
    pd.DataFrame({"a": np.zeros(200_000), "b": np.ones(200_000)}).to_parquet(path)
    assert path.stat().st_size < 10_000
    memory(1e6)
    said = refused("select", path, "--no-stream")
    assert "holds 200,000 rows of 2 columns: reading takes at least 9.6 MB" in said
    assert "--stream" in said


def test_a_parquet_file_of_equal_words_is_refused_after_a_look(memory, tmp_path):
    path = tmp_path / "t.parquet"
    pd.DataFrame({"a": ["x" * 1000] * 20_000}).to_parquet(path)
    memory(1e7)
    with path.open("rb") as file, pytest.raises(DataError, match="20,000 rows of 1"):
        check_parquet(path, file)
    memory(1e8)
    with path.open("rb") as file:
        check_parquet(path, file)


def test_a_small_parquet_file_of_many_rows_is_read_in_blocks(
    run, monkeypatch, tmp_path
):
    path = tmp_path / "t.parquet"
    rng = np.random.default_rng(0)
    few = pd.DataFrame(rng.integers(0, 2, (10, 3)), columns=list("abc"))
    pd.concat([few] * 2000, ignore_index=True).to_parquet(path)
    monkeypatch.setattr("pairsift.cli._streaming.available_memory", lambda: 1e6)
    done = run("select", path, "--method", "variance-score", "--json")
    assert done.exit_code == 0, done.stderr
    assert (
        "read in blocks" in done.stderr or json.loads(done.stdout)["n_rows"] == 20_000
    )


def sheet(*cells):
    content = "".join(f'<row><c r="{cell}"><v>1</v></c></row>' for cell in cells)
    return f"<worksheet><sheetData>{content}</sheetData></worksheet>"


def book(path, *cells, shared=b""):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/worksheets/sheet1.xml", sheet(*cells))
        archive.writestr("xl/sharedStrings.xml", shared)
    return path


def test_a_workbook_with_a_far_cell_is_refused(refused, memory, tmp_path):
    memory(1e9)
    path = book(tmp_path / "t.xlsx", "A1", "XFD1048576")
    said = refused("select", path)
    assert "17,179,869,184 cells" in said
    assert re.search(SAID, said)


def test_a_workbook_that_unpacks_to_much_is_refused(memory, tmp_path):
    memory(1e6)
    path = book(tmp_path / "t.xlsx", "A1", "B2", shared=b"x" * 2_000_000)
    with path.open("rb") as file, pytest.raises(DataError, match=r"2\.0 MB, unpacked"):
        check_excel(path, file)
    with book(path, "A1", "B2").open("rb") as file:
        check_excel(path, file)


def test_what_is_no_workbook_is_left_to_the_reader(memory, tmp_path):
    memory(0.0)
    check_excel(tmp_path / "t.xlsx", BytesIO(b"junk"))


def test_memory_that_runs_out_while_reading_is_said_in_one_sentence(
    refused, monkeypatch, wine_csv
):
    for error in (MemoryError(), pd.errors.ParserError("C error: out of memory")):

        def fail(*_, error=error, **__):
            raise error

        monkeypatch.setattr(pd, "read_csv", fail)
        said = refused("select", wine_csv, "--label", "class")
        assert re.search(SAID, said)
        assert "save it as Parquet" in said


def test_bytes_are_spoken():
    assert [spoken_bytes(n) for n in (7, 1500, 2.5e6, 4.3e9)] == [
        "7 bytes",
        "1.5 kB",
        "2.5 MB",
        "4.3 GB",
    ]


@pytest.mark.slow
@pytest.mark.subprocess
@pytest.mark.skipif(sys.platform != "linux", reason="needs RLIMIT_AS and /proc")
@pytest.mark.parametrize("content", ["rows", "line"])
def test_a_process_with_little_room_says_so_and_ends_with_2(tmp_path, content):
    text = rows(100_000, 100) if content == "rows" else b"x" * 60_000_000
    path = packed(tmp_path / "t.csv.gz", text)
    code = (
        "import resource, sys\n"
        "import pandas, pyarrow, pairsift.cli._streaming\n"
        "from pairsift.cli import app\n"
        "pandas.read_csv(sys.argv[2])\n"
        "used = int(open('/proc/self/statm').read().split()[0]) * 4096\n"
        "most = used + 200_000_000\n"
        "resource.setrlimit(resource.RLIMIT_AS, (most, most))\n"
        "app(['select', sys.argv[1]])\n"
    )
    small = tmp_path / "small.csv"
    small.write_text("a,b\n1,2\n")
    words = [sys.executable, "-c", code, path, small]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 2, done.stderr
    assert re.search(SAID, done.stderr)
    assert done.stderr.count("\n") == 1
