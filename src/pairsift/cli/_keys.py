"""Answers from the keyboard: single keys on a terminal, lines from a pipe."""

from __future__ import annotations

import os
import select
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Protocol

# What was typed, and what it means.
ACTIONS = {
    **dict.fromkeys(("s", "same", "must"), "same"),
    **dict.fromkeys(("d", "different", "cannot"), "different"),
    **dict.fromkeys(("n", "new"), "new"),
    **dict.fromkeys(("u", "unsure"), "unsure"),
    # Backspace under both its names, and Ctrl-Z.
    **dict.fromkeys(("z", "undo", "\x7f", "\x08", "\x1a"), "undo"),
    **dict.fromkeys(("y", "redo"), "redo"),
    **dict.fromkeys(("b", "back"), "back"),
    **dict.fromkeys(("m", "more"), "more"),
    # Ctrl-C and Ctrl-D.
    **dict.fromkeys(("q", "quit", "\x03", "\x04"), "quit"),
    **dict.fromkeys(("?", "h", "help"), "help"),
}
END = "\x04"
_ESCAPE = "\x1b"
# Seconds between two looks at the size of the window.
_PATIENCE = 0.2


class Reader(Protocol):
    """Where answers come from."""

    @property
    def is_person(self) -> bool:
        """Tell whether answers come from a keyboard, not from a pipe."""

    def discard(self) -> None:
        """Forget what was typed before a question was shown."""

    def read(self, on_resize: Callable[[], None]) -> str:
        """Wait for a key or a line; END when no more will come."""


def action_of(typed: str) -> str | None:
    """Return what a key or a word stands for, None for any other."""
    return ACTIONS.get(typed.lower())


class Lines:
    """One answer per line, as scripts give them."""

    is_person = False

    def discard(self) -> None:
        """Keep all lines: a script does not see the questions."""

    def read(self, on_resize: Callable[[], None]) -> str:
        """Return the next line without its end."""
        line = sys.stdin.readline()
        return line.strip() if line else END


@contextmanager
def opened_keyboard() -> Iterator[Reader]:
    """Read single keys if a person is there, and leave the terminal as it was."""
    if not sys.stdin.isatty():
        yield Lines()
    elif sys.platform == "win32":
        yield WindowsKeys()
    else:
        with _without_enter(sys.stdin.fileno()):
            yield PosixKeys(sys.stdin.fileno())


if sys.platform == "win32":
    import msvcrt

    class WindowsKeys:
        """Keys from the Windows console."""

        is_person = True

        def discard(self) -> None:
            """Forget what was typed."""
            while msvcrt.kbhit():
                msvcrt.getwch()

        def read(self, on_resize: Callable[[], None]) -> str:
            """Return the next key, ESC for arrows and the like."""
            key = msvcrt.getwch()
            if key in "\x00\xe0":
                msvcrt.getwch()
                return _ESCAPE
            return key

else:
    import termios

    class PosixKeys:
        """Keys from a terminal that hands them over one by one."""

        is_person = True

        def __init__(self, terminal: int) -> None:
            self._terminal = terminal

        def discard(self) -> None:
            """Forget what was typed."""
            termios.tcflush(self._terminal, termios.TCIFLUSH)

        def read(self, on_resize: Callable[[], None]) -> str:
            """Return the next key, ESC for arrows and the like."""
            size = os.get_terminal_size(self._terminal)
            while not self._is_typed(_PATIENCE):
                now = os.get_terminal_size(self._terminal)
                if now != size:
                    size = now
                    on_resize()
            key = self._next()
            # An arrow sends ESC [ D, and its D must not be taken for an answer.
            while key == _ESCAPE and self._is_typed(0.05):
                self._next()
            return key

        def _is_typed(self, seconds: float) -> bool:
            return bool(select.select([self._terminal], [], [], seconds)[0])

        def _next(self) -> str:
            try:
                typed = os.read(self._terminal, 1)
            except OSError:
                # The terminal has gone.
                return END
            return typed.decode(errors="replace") or END

    @contextmanager
    def _without_enter(terminal: int) -> Iterator[None]:
        before = termios.tcgetattr(terminal)
        mode: list[Any] = termios.tcgetattr(terminal)
        mode[3] &= ~(termios.ICANON | termios.ECHO)
        mode[6][termios.VMIN], mode[6][termios.VTIME] = 1, 0
        # Ctrl-Z takes an answer back, as the hand expects, and does not suspend.
        mode[6][termios.VSUSP] = b"\0"
        try:
            termios.tcsetattr(terminal, termios.TCSADRAIN, mode)
            yield
        finally:
            termios.tcsetattr(terminal, termios.TCSAFLUSH, before)


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Let Ctrl-C wait until an answer is written down."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: came.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if came and callable(before):
        before(signal.SIGINT, None)
