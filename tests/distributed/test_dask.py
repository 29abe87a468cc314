"""The Dask driver: any collection, any scheduler, and workers that die."""

import os
import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal

import pairsift
from pairsift import distributed
from pairsift.distributed import _dask
from pairsift.distributed._dask import WORKER_CONFIG
from tests.distributed.problems import as_frame, pairs, table
from tests.distributed.test_fit import compare

dask = pytest.importorskip("dask")
da = pytest.importorskip("dask.array")
dd = pytest.importorskip("dask.dataframe")
pytestmark = pytest.mark.dask


@pytest.fixture(params=["synchronous", "threads"])
def scheduler(request):
    with dask.config.set(scheduler=request.param):
        yield request.param


def selector():
    return pairsift.ReliefFSc(2, n_neighbors=3)


@pytest.mark.parametrize("chunks", [(7, 5), (40, 2), ((0, 1, 0, 39), (1, 4)), (1, 3)])
def test_arrays_of_any_chunks(chunks, scheduler):
    X, y = table(0)
    here = selector().fit(X, constraints=pairs(y))
    lazy = da.from_array(X, chunks=chunks)
    there = distributed.fit(selector(), lazy, constraints=pairs(y))
    compare(here, there)
    assert_array_equal(there.scores_, here.scores_)


def test_unknown_chunk_sizes_and_labels_of_dask(scheduler):
    X, y = table(1)
    keep = np.arange(40) % 4 > 0
    lazy = da.from_array(X, chunks=(9, 2))[da.from_array(keep, chunks=9)]
    assert np.isnan(lazy.shape[0])
    here = pairsift.FisherScore(2).fit(X[keep], y[keep])
    labels = da.from_array(y[keep], chunks=11)
    compare(here, distributed.fit(pairsift.FisherScore(2), lazy, labels))


def test_float32_arrays_give_the_scores_in_memory():
    X, y = table(1)
    X = X.astype(np.float32)
    here = selector().fit(X, constraints=pairs(y))
    lazy = da.from_array(X, chunks=(13, 5))
    compare(here, distributed.fit(selector(), lazy, constraints=pairs(y)))


def test_data_frames_with_text_and_categories(scheduler):
    X, y = table(2)
    X[::7, 1] = np.nan
    frame = as_frame(X)
    here = selector().fit(frame, constraints=pairs(y))
    lazy = dd.from_pandas(frame, npartitions=4)
    there = distributed.fit(selector(), lazy, constraints=pairs(y))
    compare(here, there)
    assert_array_equal(there.feature_names_in_, frame.columns)


def test_categories_that_are_unknown_until_they_are_read():
    X, y = table(2)
    frame = as_frame(X)
    lazy = dd.from_pandas(frame.astype({"kind": object}), npartitions=3)
    lazy["kind"] = lazy["kind"].astype("category")
    here = selector().fit(frame, constraints=pairs(y))
    compare(here, distributed.fit(selector(), lazy, constraints=pairs(y)))


def test_labels_may_be_a_series():
    X, y = table(3)
    frame = pd.DataFrame(X, columns=list("abcde")).assign(y=y)
    lazy = dd.from_pandas(frame, npartitions=3)
    here = pairsift.PearsonScore(2).fit(frame[list("abcde")], frame["y"])
    there = distributed.fit(pairsift.PearsonScore(2), lazy[list("abcde")], lazy["y"])
    compare(here, there)


def test_transform_stays_lazy_and_keeps_the_selected_columns():
    X, _ = table(4)
    fitted = pairsift.VarianceScore(2).fit(X)
    lazy = da.from_array(X, chunks=(9, 2))
    kept = distributed.transform(fitted, lazy)
    assert isinstance(kept, da.Array)
    assert_array_equal(kept.compute(), fitted.transform(X))
    frame = pd.DataFrame(X, columns=list("abcde"))
    fitted = pairsift.VarianceScore(2).fit(frame)
    kept = distributed.transform(fitted, dd.from_pandas(frame, npartitions=2))
    assert list(kept.columns) == list(fitted.get_feature_names_out())
    with pytest.raises(ValueError, match="4 features.*expecting 5"):
        distributed.transform(fitted, lazy[:, :4])
    renamed = dd.from_pandas(frame.rename(columns={"b": "z"}), npartitions=2)
    with pytest.raises(ValueError, match="'z' in a place where"):
        distributed.transform(fitted, renamed)
    with pytest.raises(TypeError, match="X is a ndarray"):
        distributed.transform(fitted, X)


def test_own_fit_refuses_dask_and_names_this_one():
    lazy = da.zeros((4, 2))
    with pytest.raises(TypeError, match=r"pairsift\.distributed\.fit"):
        pairsift.VarianceScore().fit(lazy)
    named = r"propagate takes data in memory: call pairsift\.distributed\.propagate"
    with pytest.raises(TypeError, match=named):
        pairsift.propagate(pairsift.PairConstraints([(0, 1)]), lazy)


def test_arrays_of_one_dimension_are_refused():
    with pytest.raises(ValueError, match="Dask array of 1 dimensions"):
        distributed.fit(pairsift.VarianceScore(), da.zeros(4))


def test_the_error_of_a_block_arrives():
    def broken(block):
        raise OSError("no such disk")

    lazy = da.zeros((4, 2), chunks=2).map_blocks(broken, dtype=float, meta=np.eye(0))
    with pytest.raises(OSError, match="no such disk"):
        distributed.fit(pairsift.VarianceScore(), lazy)


MURDER = """
import os, sys, time
import numpy as np
import dask.array as da
from dask.distributed import Client, LocalCluster
from pairsift import FisherScore, distributed
from tests.distributed.problems import table

def slow(block, path, block_info=None):
    # The first time that some block of the second pass is met, its worker dies.
    with open(path, "a") as file:
        file.write("x")
    if os.path.getsize(path) == 6:
        os._exit(1)
    time.sleep(0.02)
    return block

if __name__ == "__main__":
    X, y = table(0)
    options = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": ":0"}
    with LocalCluster(**options) as cluster, Client(cluster):
        lazy = da.from_array(X, chunks=(10, 5))
        lazy = lazy.map_blocks(slow, sys.argv[1], dtype=float)
        scores = distributed.fit(FisherScore(), lazy, y).scores_
        print(os.path.getsize(sys.argv[1]), scores.tobytes().hex())
"""


@pytest.mark.slow
@pytest.mark.subprocess
def test_a_worker_that_dies_is_survived_with_equal_bits(tmp_path):
    pytest.importorskip("distributed")
    script = tmp_path / "murder.py"
    script.write_text(MURDER, "utf-8")
    found = subprocess.run(
        [sys.executable, str(script), str(tmp_path / "calls")],
        capture_output=True, text=True, timeout=120, check=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([".", *sys.path])},
    )  # fmt: skip
    n_calls, scores = found.stdout.split()
    X, y = table(0)
    assert int(n_calls) > 6
    lazy = da.from_array(X, chunks=(10, 5))
    expected = distributed.fit(pairsift.FisherScore(), lazy, y).scores_
    assert_array_equal(np.frombuffer(bytes.fromhex(scores)), expected)


def test_workers_that_die_again_and_again_are_told_of_with_their_memory():
    from distributed import KilledWorker

    def killed(block):
        raise KilledWorker("task", SimpleNamespace(memory_limit=300_000_000), 3)

    lazy = da.zeros((4, 2), chunks=2).map_blocks(killed, dtype=float, meta=np.eye(0))
    said = "4 workers .* memory of 300,000,000 bytes each was too small: give workers"
    with pytest.raises(MemoryError, match=said):
        distributed.fit(pairsift.VarianceScore(), lazy)


def test_workers_get_paths_that_do_not_depend_on_their_folder(monkeypatch, tmp_path):
    frame = pd.DataFrame(np.arange(8.0).reshape(4, 2), columns=list("ab"))
    frame.to_parquet(tmp_path / "t.parquet")
    monkeypatch.chdir(tmp_path)
    (block,) = distributed.as_source("t.parquet").readers
    assert block.name.startswith("t.parquet, ")
    monkeypatch.setattr(_dask, "has_client", lambda: True)
    source = distributed.as_source("t.parquet")
    assert source.name(0) == f"block 0 ({tmp_path / 't.parquet'}, row group 0)"


@pytest.mark.slow
@pytest.mark.subprocess
def test_without_dask_the_error_says_what_to_install():
    code = (
        "import sys; sys.modules['dask'] = None; import numpy as np; import pairsift; "
        "from pairsift import distributed; "
        "X = type('Array', (), {'__module__': 'dask.array.core'})(); "
        "distributed.fit(pairsift.VarianceScore(), X)"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "with its extra dask, such as 'pairsift[cli,dask]'" in found.stderr


def test_workers_of_our_own_clusters_keep_their_memory():
    # A name that Dask no longer reads would change nothing, in silence.
    environment = "distributed.nanny.pre-spawn-environ"
    import distributed as _  # noqa: F401

    assert "MALLOC_TRIM_THRESHOLD_" in dask.config.get(environment)
    with dask.config.set(WORKER_CONFIG):
        assert dask.config.get(environment)["MALLOC_TRIM_THRESHOLD_"] == 2**28
