"""Work spread over threads: all of it, once, whoever asks, unless it is stopped."""

import multiprocessing
import os
import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from numpy.testing import assert_allclose
from threadpoolctl import threadpool_info, threadpool_limits

from pairsift._kernels import on_threads, one_blas_thread, watching
from pairsift._kernels._jit import PART_COST

SECOND = 1e9


def marks(n_jobs, n_items, cost=1e6):
    seen = np.zeros(n_items, dtype=int)

    def work(start, stop):
        seen[start:stop] += 1

    on_threads(n_jobs, n_items, work, cost=cost)
    return seen


@pytest.mark.parametrize("n_jobs", [None, 1, 2, 3, 7, -1, -2, -100])
@pytest.mark.parametrize("n_items", [0, 1, 2, 5, 100])
@pytest.mark.parametrize("cost", [0.0, 1e6, 1e12])
def test_every_item_is_worked_on_once(n_jobs, n_items, cost):
    assert (marks(n_jobs, n_items, cost) == 1).all()


@pytest.mark.parametrize("n_jobs", [1, 3])
def test_much_work_is_done_in_short_parts(n_jobs):
    sizes = []
    on_threads(n_jobs, 1000, lambda a, b: sizes.append(b - a), cost=100 * PART_COST)

    assert sum(sizes) == 1000
    assert max(sizes) == 10


def test_little_work_is_done_at_once_by_the_caller(monkeypatch):
    monkeypatch.setattr("pairsift._kernels._jit.THREAD_COST", 1e5)
    calls = []

    def work(start, stop):
        calls.append((start, stop, threading.current_thread()))

    on_threads(4, 1000, work, cost=1e5)

    assert calls == [(0, 1000, threading.current_thread())]


def test_workers_that_ask_for_workers_do_not_wait_for_ever():
    totals = []

    def work(start, stop):
        totals.append(marks(4, 10).sum())

    on_threads(4, 4, work, cost=1e6)
    assert totals == [10] * 4


def test_many_callers_at_once():
    failed = []

    def call():
        if not (marks(3, 50) == 1).all():
            failed.append(True)

    callers = [threading.Thread(target=call) for _ in range(20)]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join()
    assert not failed


@pytest.mark.parametrize("part", [0, 2])
def test_errors_reach_the_caller_after_all_have_ended(part):
    begun, ended = [], []

    def work(start, stop):
        begun.append(start)
        if start == part:
            raise RuntimeError(f"part {start}")
        time.sleep(0.01)
        ended.append(start)

    with pytest.raises(RuntimeError, match=f"part {part}"):
        on_threads(3, 1000, work, cost=1000 * PART_COST)
    assert {*begun} == {*ended, part}
    assert len(begun) < 10


def _child(queue):
    queue.put(int(marks(3, 9).sum()))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_process_has_threads_of_its_own():
    assert marks(3, 9).sum() == 9
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    child = context.Process(target=_child, args=(queue,))
    child.start()
    assert queue.get(timeout=60) == 9
    child.join(60)
    assert child.exitcode == 0


@pytest.mark.parametrize("n_jobs", [1, 2, 3])
def test_an_interrupt_ends_the_work_with_the_parts_that_run(n_jobs):
    running = []

    def work(start, stop):
        running.append(start)
        try:
            if start == 5:
                os.kill(os.getpid(), signal.SIGINT)
            time.sleep(0.01)
        finally:
            running.remove(start)

    with pytest.raises(KeyboardInterrupt):
        on_threads(n_jobs, 100_000, work, cost=100_000 * PART_COST)
    assert running == []


def test_an_interrupt_does_not_wait_long_for_a_long_part(monkeypatch):
    monkeypatch.setattr("pairsift._kernels._jit.PATIENCE", 0.01)
    goes_on, begun = threading.Event(), threading.Event()

    def work(start, stop):
        begun.set()
        goes_on.wait(30)

    def interrupt():
        begun.wait(30)
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=interrupt).start()
    with pytest.raises(KeyboardInterrupt):
        on_threads(1, 1, work, cost=60 * SECOND)
    assert not goes_on.is_set()
    goes_on.set()


def test_an_interrupt_ends_calls_inside_of_calls():
    begun = []

    def inner(start, stop):
        begun.append(start)
        time.sleep(0.005)

    def outer(start, stop):
        if start == 0:
            time.sleep(0.05)
            os.kill(os.getpid(), signal.SIGINT)
        on_threads(1, 1000, inner, cost=1000 * PART_COST)

    with pytest.raises(KeyboardInterrupt):
        on_threads(2, 2, outer, cost=SECOND)
    assert 0 < len(begun) < 100


@pytest.mark.parametrize("n_jobs", [1, 2, 3])
def test_who_watches_is_told_of_all_the_work(n_jobs):
    told = []
    with watching(told.append):
        marks(n_jobs, 1000, 20 * SECOND)
    marks(n_jobs, 1000, 20 * SECOND)

    assert_allclose(sum(told), 20 * SECOND)
    assert len(told) == 20 * SECOND / PART_COST


def test_who_watches_may_stop_the_work():
    told = []

    def stop(cost):
        told.append(cost)
        raise TimeoutError("enough")

    with watching(stop), pytest.raises(TimeoutError, match="enough"):
        marks(2, 1000, 20 * SECOND)
    assert len(told) <= 2


def test_work_that_is_not_counted_is_not_told():
    told = []
    with watching(told.append):
        on_threads(2, 10, lambda a, b: None, cost=SECOND, is_counted=False)

    assert told == []


def _blas_threads():
    return [
        pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"
    ]


def test_blas_threads_come_back_in_whatever_order_threads_leave():
    if not _blas_threads():
        pytest.skip("no BLAS whose threads can be set")
    first, second = one_blas_thread(), one_blas_thread()
    nothing = (None, None, None)
    with (
        threadpool_limits(2, "blas"),
        ThreadPoolExecutor(1) as one,
        ThreadPoolExecutor(1) as other,
    ):
        before = _blas_threads()
        one.submit(first.__enter__).result()
        assert set(_blas_threads()) == {1}
        other.submit(second.__enter__).result()
        one.submit(first.__exit__, *nothing).result()
        assert set(_blas_threads()) == {1}
        other.submit(second.__exit__, *nothing).result()
        assert _blas_threads() == before


def test_blas_threads_come_back_after_many_threads_at_once():
    if not _blas_threads():
        pytest.skip("no BLAS whose threads can be set")

    def come_and_go(number):
        for _ in range(50):
            with one_blas_thread():
                assert set(_blas_threads()) == {1}

    with threadpool_limits(2, "blas"):
        before = _blas_threads()
        with ThreadPoolExecutor(4) as pool:
            list(pool.map(come_and_go, range(4)))
        assert _blas_threads() == before
