"""Parquet files in blocks: every row once, in order, and little memory."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings, strategies as st
from numpy.testing import assert_array_equal

import pairsift
from pairsift import DataError, distributed
from tests.distributed.problems import as_frame, pairs, table
from tests.distributed.test_fit import compare

pytest.importorskip("pyarrow")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("parquet")


def frame_of(seed=0):
    frame = as_frame(table(seed)[0])
    frame.loc[::9, "x1"] = np.nan
    frame.loc[5, "word"] = None
    return frame


def read(source):
    return pd.concat([reader() for reader in source.readers], ignore_index=True)


def check_rows(source, frame):
    found = read(source).astype({"kind": str})
    pd.testing.assert_frame_equal(found, frame.astype({"kind": str}), check_dtype=False)
    assert sum(source.sizes) == len(frame)
    assert [len(reader()) for reader in source.readers] == list(source.sizes)


@given(
    group=st.integers(1, 45), block_bytes=st.sampled_from([1, 200, 700, 3000, 2**20])
)
@settings(max_examples=12, deadline=None)
def test_row_groups_are_cut_and_joined(folder, group, block_bytes):
    frame = frame_of()
    path = folder / "table.parquet"
    frame.to_parquet(path, row_group_size=group)
    source = distributed.ParquetSource(path, block_bytes=block_bytes)
    check_rows(source, frame)


def test_blocks_are_as_large_as_stated(tmp_path):
    frame = pd.DataFrame(np.zeros((100, 4)), columns=list("abcd"))
    frame.to_parquet(tmp_path / "t.parquet", row_group_size=30)

    def sizes(n_rows):
        # The columns are constant: the file says that they take fewer than 8 bytes.
        block_bytes = n_rows * 4 * 8
        return distributed.ParquetSource(
            tmp_path / "t.parquet", block_bytes=block_bytes
        ).sizes

    assert sizes(30) == (30, 30, 30, 10)
    assert sizes(65) == (60, 40)
    assert sizes(12) == (10,) * 10
    assert sizes(1000) == (100,)


@pytest.mark.parametrize("block_bytes", [300, 2000, 2**20])
def test_columns_split_over_files(tmp_path, block_bytes):
    frame = frame_of(1)
    left, right = list(frame.columns[:3]), list(frame.columns[3:])
    # By their numbers, not as text: 9 comes before 10; columns by their names.
    frame[left][:17].to_parquet(tmp_path / "left-9.parquet", row_group_size=5)
    frame[left[::-1]][17:].to_parquet(tmp_path / "left-10.parquet")
    frame[right].to_parquet(tmp_path / "right.parquet", row_group_size=11)
    source = distributed.ParquetSource(tmp_path, block_bytes=block_bytes)
    check_rows(source, frame)


@pytest.mark.parametrize("block_bytes", [500, 2**20])
def test_fit_from_a_path_is_fit_in_memory(tmp_path, block_bytes):
    _, y = table(2)
    frame = frame_of(2)
    frame.to_parquet(tmp_path / "t.parquet", row_group_size=16)
    selector = pairsift.ReliefFSc(2, n_neighbors=3)
    source = distributed.ParquetSource(tmp_path / "t.parquet", block_bytes=block_bytes)
    here = pairsift.ReliefFSc(2, n_neighbors=3).fit(frame, constraints=pairs(y))
    compare(here, distributed.fit(selector, source, constraints=pairs(y)))
    compare(here, distributed.fit(selector, tmp_path, constraints=pairs(y)))
    assert_array_equal(selector.feature_names_in_, frame.columns)


def test_index_of_pandas_is_a_column_if_it_has_a_name(tmp_path):
    frame = pd.DataFrame({"a": [1.0, 2.0], "b": [3.0, 4.0]}, index=[7, 9])
    frame.to_parquet(tmp_path / "t.parquet")
    assert distributed.ParquetSource(tmp_path / "t.parquet").columns == ["a", "b"]
    frame.rename_axis("key").to_parquet(tmp_path / "t.parquet")
    source = distributed.ParquetSource(tmp_path / "t.parquet")
    pd.testing.assert_frame_equal(read(source), frame.rename_axis("key").reset_index())


def test_columns_are_read_by_their_whole_names(tmp_path):
    frame = pd.DataFrame({"x": [1.0, 2.0], "x.y": [3.0, 4.0], "z": [5.0, 6.0]})
    frame.to_parquet(tmp_path / "t.parquet", row_group_size=2)
    for block_bytes in (1, 2**20):
        source = distributed.ParquetSource(
            tmp_path / "t.parquet", ["z", "x"], block_bytes=block_bytes
        )
        pd.testing.assert_frame_equal(read(source), frame[["z", "x"]])


def test_a_file_that_was_written_again_is_read_from_its_beginning(tmp_path):
    path = tmp_path / "t.parquet"
    for value in (1.0, 2.0):
        pd.DataFrame({"a": np.full(20, value)}).to_parquet(path)
        source = distributed.ParquetSource(path, block_bytes=40)
        # The middle, where the reader of the file before has stopped.
        for reader in source.readers[:2] if value == 1.0 else source.readers[2:]:
            assert (reader()["a"] == value).all()


def test_a_block_that_cannot_be_read_names_file_and_row_group(tmp_path):
    path = tmp_path / "t.parquet"
    numbers = np.random.default_rng(0).normal(size=(3000, 2))
    frame = pd.DataFrame(numbers, columns=list("ab"))
    frame.to_parquet(path, row_group_size=1000, compression="snappy")
    whole = path.read_bytes()
    middle = len(whole) // 2
    path.write_bytes(whole[: middle - 4000] + bytes(8000) + whole[middle + 4000 :])
    source = distributed.ParquetSource(path, block_bytes=16_000)
    with pytest.raises(DataError, match=r"t\.parquet, row group 1, cannot be read"):
        distributed.fit(pairsift.VarianceScore(1), source)


def test_folders_and_files_that_make_no_table_are_refused(tmp_path):
    def refused(match, path=tmp_path, **options):
        with pytest.raises(DataError, match=match):
            distributed.ParquetSource(path, **options)

    refused("there is no file or folder", tmp_path / "nothing")
    refused("folder without Parquet files")
    (tmp_path / "a.parquet").write_text("no Parquet")
    refused(r"a\.parquet, cannot be read")
    pd.DataFrame({"x": [1.0], "y": [2.0]}).to_parquet(tmp_path / "a.parquet")
    refused("no column 'z'.*it has x, y", columns=["z"])
    pd.DataFrame({"z": [1.0, 2.0]}).to_parquet(tmp_path / "b.parquet")
    refused("of 1 rows with the column 'x' and of 2 rows with 'z'")
    pd.DataFrame({"y": [1.0], "z": [2.0]}).to_parquet(tmp_path / "b.parquet")
    refused("column 'y' stands in files.*differ in other columns")
    pd.DataFrame({"x": ["p"], "y": [2.0]}).to_parquet(tmp_path / "b.parquet")
    refused("'x' is number in .*a.parquet and .*in .*b.parquet")
    (tmp_path / "year=2020").mkdir()
    refused("has folders inside, year=2020")


def test_rows_are_read_once_a_pass_where_row_groups_are_cut(tmp_path, monkeypatch):
    from pairsift.distributed import _parquet

    begun = []
    real = _parquet._Cursor.__init__

    def noted(self, part, columns):
        begun.append(part.groups[0])
        real(self, part, columns)

    monkeypatch.setattr(_parquet._Cursor, "__init__", noted)
    frame = pd.DataFrame(np.random.default_rng(0).normal(size=(90, 2)))
    frame.columns = ["a", "b"]
    frame.to_parquet(tmp_path / "t.parquet", row_group_size=45)
    source = distributed.ParquetSource(tmp_path / "t.parquet", block_bytes=160)
    distributed.fit(pairsift.VarianceScore(1), source)
    # The survey, the first row as the origin, and the moments.
    assert begun == [0, 1, 0, 0, 1]


def test_progress_is_told_block_by_block(tmp_path):
    pd.DataFrame({"a": np.arange(9.0)}).to_parquet(tmp_path / "t.parquet")
    source = distributed.ParquetSource(tmp_path / "t.parquet", block_bytes=24)
    done = []
    source.on_block = lambda: done.append(1)
    distributed.take_rows(source, np.array([1, 8]))
    assert len(done) == 2


def test_mapped_blocks(tmp_path):
    X, _ = table(3)
    blocks = [X[:7], X[7:7], X[7:]]
    source = distributed.StreamedSource([lambda b=b: b for b in blocks])
    mapped = distributed.MappedSource(source, np.negative)
    here = pairsift.VarianceScore(2).fit(-X)
    compare(here, distributed.fit(pairsift.VarianceScore(2), mapped))
    assert mapped.name(1) == "block 1"


@pytest.mark.slow
@pytest.mark.dask
def test_workers_read_the_files_of_a_path(tmp_path):
    pytest.importorskip("distributed")
    from distributed import Client

    X, y = table(4)
    frame = pd.DataFrame(X, columns=list("abcde"))
    frame.to_parquet(tmp_path / "t.parquet", row_group_size=13)
    here = pairsift.FisherScore(2).fit(frame, y)
    with Client(processes=False, n_workers=1, dashboard_address=":0"):
        source = distributed.ParquetSource(tmp_path / "t.parquet", block_bytes=200)
        on_workers = distributed.on_cluster(source)
        assert on_workers is not source
        assert on_workers.name(0) == source.name(0)
        compare(here, distributed.fit(pairsift.FisherScore(2), on_workers, y))
        compare(here, distributed.fit(pairsift.FisherScore(2), tmp_path, y))
    assert distributed.on_cluster(source) is source
