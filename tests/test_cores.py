"""Numbers of threads and processes that `n_jobs` stands for."""

import inspect

import joblib
import pytest

import pairsift
from pairsift import scores
from pairsift._cores import _n_cores, number_of_jobs


@pytest.fixture
def four_cores(monkeypatch):
    monkeypatch.setattr("joblib.cpu_count", lambda: 4)
    _n_cores.cache_clear()
    yield
    _n_cores.cache_clear()


def test_none_is_one_outside_of_joblibs_context():
    assert number_of_jobs(None) == 1


def test_none_is_what_joblibs_context_says():
    with joblib.parallel_config("threading", n_jobs=3):
        assert number_of_jobs(None) == 3


@pytest.mark.parametrize(
    ("n_jobs", "expected"), [(-1, 4), (-2, 3), (-100, 1), (1, 1), (9, 9)]
)
def test_negative_numbers_count_from_the_cores_that_joblib_sees(
    four_cores, n_jobs, expected
):
    assert number_of_jobs(n_jobs) == expected


def test_the_main_process_does_not_ask_the_environment(four_cores, monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    assert number_of_jobs(-1) == 4


def _jobs_in_a_worker_of_many_cores(n_jobs):
    joblib.cpu_count = lambda: 64
    _n_cores.cache_clear()
    return number_of_jobs(n_jobs)


@pytest.mark.subprocess
@pytest.mark.parametrize(("granted", "n_jobs", "expected"), [(1, -1, 1), (3, -2, 2)])
def test_a_worker_of_joblib_takes_its_share(granted, n_jobs, expected):
    with joblib.parallel_config("loky", inner_max_num_threads=granted):
        found = joblib.Parallel(n_jobs=2)(
            joblib.delayed(_jobs_in_a_worker_of_many_cores)(n_jobs) for _ in range(2)
        )
    assert found == [expected] * 2


NO_DEFAULT = inspect.Parameter("n_jobs", inspect.Parameter.KEYWORD_ONLY)
WITH_JOBS = {
    name: thing
    for room in (pairsift, pairsift.graphs, pairsift.information, scores)
    for name, thing in vars(room).items()
    if not name.startswith("_")
    and callable(thing)
    and inspect.signature(thing).parameters.get("n_jobs", NO_DEFAULT).default
    is not inspect.Parameter.empty
}


@pytest.mark.parametrize("name", WITH_JOBS)
def test_all_cores_are_the_default(name):
    assert inspect.signature(WITH_JOBS[name]).parameters["n_jobs"].default == -1
