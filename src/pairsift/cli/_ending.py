"""The end of a command that another program asks for."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def ended_by_sigterm() -> Iterator[None]:
    """Let SIGTERM leave the command as an error does, so that it removes its locks."""
    if threading.current_thread() is not threading.main_thread():
        # Only the main thread may set handlers.
        yield
        return
    before = signal.signal(signal.SIGTERM, _leave)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _leave(number: int, frame: FrameType | None) -> None:
    raise SystemExit(128 + number)
