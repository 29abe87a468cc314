"""Work spread over threads: all of it, once, whoever asks."""

import multiprocessing
import os
import threading

import numpy as np
import pytest

from pairsift._kernels import on_threads


def marks(n_jobs, n_items):
    seen = np.zeros(n_items, dtype=int)

    def work(start, stop):
        seen[start:stop] += 1

    on_threads(n_jobs, n_items, work)
    return seen


@pytest.mark.parametrize("n_jobs", [None, 1, 2, 3, 7, -1, -2, -100])
@pytest.mark.parametrize("n_items", [0, 1, 2, 5, 100])
def test_every_item_is_worked_on_once(n_jobs, n_items):
    assert (marks(n_jobs, n_items) == 1).all()


def test_workers_that_ask_for_workers_do_not_wait_for_ever():
    totals = []

    def work(start, stop):
        totals.append(marks(4, 10).sum())

    on_threads(4, 4, work)
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
    ended = []

    def work(start, stop):
        if start == part:
            raise RuntimeError(f"part {start}")
        ended.append(start)

    with pytest.raises(RuntimeError, match=f"part {part}"):
        on_threads(3, 3, work)
    assert sorted(ended) == [start for start in range(3) if start != part]


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
