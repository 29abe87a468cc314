"""Ctrl-C while compiled code runs, or is read from the disk."""

import os
import signal
import subprocess
import sys
from itertools import pairwise

import pytest

from pairsift._kernels import is_lost_interrupt
from pairsift._kernels._interrupts import interrupts_later

MODULE = """
import numpy as np
from pairsift._kernels._jit import kernel

@kernel()
def halves(x):
    return x / 2, x / 2
"""
# A function of Numba is interrupted that compiled code (`_numba_unpickle`) or LLVM
# (`_object_getbuffer_hook`) calls, and that raises no exceptions by itself.
SCRIPT = """
import os, signal, sys
import numpy as np
from loops import halves
from pairsift._kernels import on_threads
name, number = sys.argv[1], int(sys.argv[2])
signal.signal(signal.SIGINT, signal.default_int_handler)
x = np.ones(3)
n_calls = 0

def interrupt(frame, event, argument):
    global n_calls
    if event == "call" and frame.f_code.co_name == name:
        n_calls += 1
        if n_calls == number:
            os.kill(os.getpid(), signal.SIGINT)

def work(start, stop):
    halves(x)

sys.setprofile(interrupt)
try:
    on_threads(1, 1, work, cost=1.0)
    print("finished")
except KeyboardInterrupt:
    print("stopped")
sys.setprofile(None)
print(*halves(x)[0])
"""


@pytest.mark.subprocess
@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
@pytest.mark.parametrize(
    ("name", "number"),
    [("_numba_unpickle", 1), ("_numba_unpickle", 2), ("_object_getbuffer_hook", 1)],
)
def test_an_interrupt_in_a_function_that_compiled_code_calls(tmp_path, name, number):
    (tmp_path / "loops.py").write_text(MODULE)
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}

    def run(*arguments):
        command = [sys.executable, "-c", SCRIPT, *map(str, arguments)]
        return subprocess.run(
            command, env=environment, capture_output=True, text=True, check=True
        )

    # Compiled here, so that the next process reads it from the disk.
    assert run("none", 0).stdout.split() == ["finished", "0.5", "0.5", "0.5"]
    interrupted = run(name, number)
    assert interrupted.stdout.split() == ["stopped", "0.5", "0.5", "0.5"]
    assert interrupted.stderr == ""


def interrupt():
    os.kill(os.getpid(), signal.SIGINT)


@pytest.fixture
def python_handler():
    """Set the handler of a program at a terminal, which a background job lacks."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield signal.default_int_handler
    signal.signal(signal.SIGINT, before)


def test_an_interrupt_is_heard_at_the_end_of_the_block(python_handler):
    done = []
    with pytest.raises(KeyboardInterrupt):  # noqa: PT012, SIM117
        with interrupts_later():
            interrupt()
            done.append("to the end")
    assert done == ["to the end"]
    assert signal.getsignal(signal.SIGINT) is python_handler


def test_an_interrupt_is_heard_once_at_the_end_of_an_inner_block(python_handler):
    done = []
    with pytest.raises(KeyboardInterrupt):  # noqa: PT012, SIM117
        with interrupts_later():
            with interrupts_later():
                interrupt()
                done.append("inner")
            done.append("outer")
    assert done == ["inner"]
    assert signal.getsignal(signal.SIGINT) is python_handler


def test_ignored_interrupts_stay_ignored():
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with interrupts_later():
            interrupt()
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)


def chain(*errors):
    """Return the first error, caused by the second, and so on."""
    for error, cause in pairwise(errors):
        error.__cause__ = cause
    return errors[0]


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (chain(SystemError(), KeyboardInterrupt()), True),
        (chain(SystemError(), SystemError(), KeyboardInterrupt()), True),
        (chain(SystemError(), ValueError(), KeyboardInterrupt()), False),
        (chain(ValueError(), KeyboardInterrupt()), False),
        (SystemError(), False),
        (KeyboardInterrupt(), False),
    ],
)
def test_a_system_error_that_follows_from_an_interrupt(error, expected):
    assert is_lost_interrupt(error) is expected
