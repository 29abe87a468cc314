"""``pairsift query`` in processes of its own: killed, and at a terminal."""

import os
import select
import shutil
import signal
import struct
import subprocess
import sys
import time

import numpy as np
import pandas as pd
import pytest

from pairsift.active import ActiveSession
from tests.cli.sessions import session_of, written_by

PROGRAM = [sys.executable, "-c", "from pairsift.cli import main; main()"]
# A process becomes the master of its terminal, so that Ctrl-C reaches it, also when the
# tests run in the background, where a shell lets its processes ignore Ctrl-C.
AT_TERMINAL = [
    sys.executable,
    "-c",
    "import fcntl, signal, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); "
    "signal.signal(signal.SIGINT, signal.default_int_handler); "
    "from pairsift.cli import main; main()",
]
PAIRS = ("--strategy", "uncertainty")
ANSWER = {"same": "s", "different": "d", "unsure": "u"}

pytestmark = [
    pytest.mark.subprocess,
    pytest.mark.skipif(os.name == "nt", reason="signals and pseudo-terminals of POSIX"),
]


def read_until(stream, text, seconds=60):
    """Read what a process says until it has said `text`."""
    said, deadline = b"", time.monotonic() + seconds
    while text.encode() not in said:
        ready, _, _ = select.select([stream], [], [], deadline - time.monotonic())
        assert ready, f"{text!r} never came, only {said!r}"
        said += os.read(stream, 4096)
    return said.decode(errors="replace")


@pytest.mark.parametrize("n_waited", [3, 25])
def test_a_killed_process_loses_no_answer(data, n_waited):
    process = subprocess.Popen(
        [*PROGRAM, "query", str(data), *PAIRS],
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    said = ["d", "s", "u", "d", "d"] * 20
    # All at once: the process dies amid its work, not while it waits.
    process.stdin.write("\n".join(said).encode())
    process.stdin.flush()
    read_until(process.stderr.fileno(), f"question {n_waited + 1} of 30:")
    process.send_signal(signal.SIGKILL)
    process.communicate(timeout=30)
    history, constraints = session_of(data)

    # An answer was on disk before the next question was asked.
    assert len(history) >= n_waited
    assert [ANSWER[a.answer] for a in history] == said[: len(history)]
    # The file is whole, and at most one answer behind the session.
    written = written_by(data)
    assert written | constraints == constraints
    n_pairs = constraints.n_must_link + constraints.n_cannot_link
    assert written.n_must_link + written.n_cannot_link >= n_pairs - 1


# How often the command is killed; 200 for a night's run.
N_KILLS = int(os.environ.get("PAIRSIFT_KILLS", "3"))


def test_killed_processes_lose_no_card_and_invent_none(data):
    """Sorted, undone and redone by the command itself, killed at any moment."""
    keys = ["n", "n", "1", "2", "z", "y", "u", "z", "1", "n", "z"]
    path = data.with_name("data.csv.pairsift-session")
    rng = np.random.default_rng(0)
    for _ in range(N_KILLS):
        states = histories(data, path, keys)
        process = subprocess.Popen(
            [*PROGRAM, "query", str(data)],
            stdin=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        process.stdin.write(("\n".join(keys) + "\n").encode())
        process.stdin.flush()
        n_cards = int(rng.integers(2, len(keys)))
        said = b""
        while said.count(b"pairsift: card ") < n_cards:
            said += read_until(process.stderr.fileno(), "\n").encode()
        time.sleep(rng.random() * 0.02)
        process.send_signal(signal.SIGKILL)
        said += process.communicate(timeout=30)[1]
        with ActiveSession.load(path) as session:
            history = session.history
            known = [session.constraints, session.previous_constraints]
        # A card is shown when all answers before it are on disk; one more may be.
        n_told = said.count(b"pairsift: card ") - 1
        assert history in states[n_told : n_told + 2]
        assert written_by(data) in known
        if len(history) > 25:
            path.unlink()
            data.with_name("constraints.csv").unlink()


def histories(data, path, keys):
    """Return the history after none, one, two, ... of the keys."""
    copy = data.with_name("copy.pairsift-session")
    if path.exists():
        shutil.copy(path, copy)
        session = ActiveSession.load(copy)
    else:
        frame = pd.read_csv(data)
        session = ActiveSession((frame - frame.min()) / (frame.max() - frame.min()))
    found = [session.history]
    for key in keys:
        if key == "z" and session.history:
            session.undo()
        elif key == "y":
            session.redo()
        elif key != "z":
            answer = {"n": "new", "u": "unsure"}.get(key) or int(key)
            session.place(session.ask_card().row, answer)
        found.append(session.history)
    session.close()
    copy.unlink(missing_ok=True)
    return found


class Terminal:
    """A pseudo-terminal with `pairsift query` in it."""

    def __init__(self, *arguments, size=(24, 80), stderr=None):
        import fcntl
        import termios

        self.master, self.slave = os.openpty()
        window = struct.pack("HHHH", *size, 0, 0)
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, window)
        self.modes = lambda: termios.tcgetattr(self.slave)
        self.before = self.modes()
        self.process = subprocess.Popen(
            [*AT_TERMINAL, "query", *map(str, arguments)],
            stdin=self.slave,
            stdout=self.slave,
            stderr=stderr or self.slave,
            start_new_session=True,
            env=os.environ | {"TERM": "xterm", "COLUMNS": "", "LINES": ""},
        )

    def press(self, key, then):
        os.write(self.master, key.encode())
        return read_until(self.master, then)

    def end(self, seconds=60):
        """Wait for the process; return its exit code and what it said at last."""
        said, deadline = b"", time.monotonic() + seconds
        while self.process.poll() is None or select.select([self.master], [], [], 0)[0]:
            assert time.monotonic() < deadline, f"it does not end: {said!r}"
            if select.select([self.master], [], [], 0.1)[0]:
                said += os.read(self.master, 4096)
        return self.process.returncode, said.decode(errors="replace")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        os.close(self.master)
        os.close(self.slave)


def test_single_keys_answer_without_enter(data):
    with Terminal(data, *PAIRS) as terminal:
        read_until(terminal.master, "question 1")
        terminal.press("d", then="question 2")
        terminal.press("s", then="question 3")
        terminal.press("u", then="question 4")
        terminal.press("\x7f", then="taken back")
        os.write(terminal.master, b"q")
        code, said = terminal.end()
        after = terminal.modes()

    assert code == 0
    assert "next: " in said
    assert after == terminal.before
    assert [answer.answer for answer in session_of(data)[0]] == ["different", "same"]


def test_cards_are_sorted_by_single_keys(data):
    with Terminal(data) as terminal:
        read_until(terminal.master, "card 1 of 30")
        terminal.press("n", then="card 2 of 30")
        terminal.press("n", then="card 3 of 30")
        terminal.press("1", then="card 4 of 30")
        said = terminal.press("#", then="then Enter")
        assert "pile #" in said
        terminal.press("2", then="pile #2")
        terminal.press("\r", then="card 5 of 30")
        terminal.press("#", then="then Enter")
        terminal.press("z", then="taken back")
        terminal.press("z", then="card 3 of 30")
        terminal.press("y", then="given again")
        terminal.press("?", then="Any key")
        terminal.press("n", then="card 4 of 30")
        os.write(terminal.master, b"q")
        code, said = terminal.end()

    assert code == 0
    assert "semi-mrmr would choose" in said
    assert [card.answer for card in session_of(data)[0]] == ["new", "new", 1]


@pytest.mark.parametrize("key", ["\x03", "\x04"], ids=["ctrl-c", "ctrl-d"])
def test_control_keys_quit_and_lose_nothing(data, key):
    with Terminal(data, *PAIRS) as terminal:
        read_until(terminal.master, "question 1")
        terminal.press("d", then="question 2")
        os.write(terminal.master, key.encode())
        code, said = terminal.end()
        after = terminal.modes()

    assert code == 0
    assert "1 of 30 answers (0 same, 1 different, 0 unsure)" in said
    assert after == terminal.before
    assert len(session_of(data)[0]) == 1


def test_an_arrow_key_is_no_answer_though_it_ends_in_d(data):
    with Terminal(data, *PAIRS) as terminal:
        read_until(terminal.master, "question 1")
        terminal.press("\x1b[D", then="that key is no answer")
        terminal.press("?", then="Any key goes back")
        terminal.press("d", then="question 1")
        os.write(terminal.master, b"q")
        terminal.end()

    assert not data.with_name("data.csv.pairsift-session").exists()


def test_after_the_last_question_an_answer_can_be_taken_back(data):
    with Terminal(data, *PAIRS, "--max-queries", 1) as terminal:
        read_until(terminal.master, "question 1 of 1")
        terminal.press("d", then="all 1 questions answered")
        terminal.press("z", then="question 1 of 1")
        terminal.press("s", then="all 1 questions answered")
        os.write(terminal.master, b"q")
        terminal.end()

    assert [answer.answer for answer in session_of(data)[0]] == ["same"]


def test_questions_nobody_can_see_are_refused(data):
    with Terminal(data, stderr=subprocess.PIPE) as terminal:
        said = terminal.process.stderr.read().decode()
        terminal.process.stderr.close()
        code, _ = terminal.end()

    assert code == 2
    assert "the questions go to stderr" in said
