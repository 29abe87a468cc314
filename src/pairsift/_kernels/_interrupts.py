"""Ctrl-C, where the code that runs would lose it or be broken by it."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any


class _Later:
    """A handler of SIGINT that waits for `hear` before it calls the present one."""

    def __init__(self, handler: Any) -> None:
        self._handler = handler
        self._came: tuple[int, FrameType | None] | None = None

    def __call__(self, number: int, frame: FrameType | None) -> None:
        self._came = (number, frame)

    def hear(self) -> None:
        came, self._came = self._came, None
        if came is not None:
            self._handler(*came)


@contextmanager
def interrupts_later() -> Iterator[None]:
    """Hear Ctrl-C at the end of a with block, which should be short.

    An exception that is raised in a function that Numba or LLVM calls is not noticed
    there: they go on with a null pointer, or forget it. Ctrl-C raises one in any
    function of the main thread.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.getsignal(signal.SIGINT)
    if isinstance(before, _Later):
        # A block inside of a block: its end is as good a place.
        yield
        before.hear()
        return
    if not callable(before):
        yield
        return
    later = _Later(before)
    signal.signal(signal.SIGINT, later)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        later.hear()


def is_lost_interrupt(error: BaseException | None) -> bool:
    """Tell whether an error is a SystemError that follows from Ctrl-C.

    Python raises it where compiled code has not noticed an exception.
    """
    is_system_error = isinstance(error, SystemError)
    while isinstance(error, SystemError):
        error = error.__cause__ or error.__context__
    return is_system_error and isinstance(error, KeyboardInterrupt)
