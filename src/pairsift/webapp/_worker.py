"""A thread that works while people look."""

from __future__ import annotations

import threading
from collections.abc import Callable


class Worker:
    """Does a job in a thread of its own, anew after each call; the last state wins."""

    def __init__(self, job: Callable[[], None]) -> None:
        self._job = job
        self._is_asked, self._is_over = threading.Event(), False
        self._thread = threading.Thread(target=self._run, daemon=True)

    def start(self) -> None:
        """Begin to work."""
        if not self._thread.is_alive():
            self._thread.start()
        self.wake()

    def wake(self) -> None:
        """Say that there is something new."""
        self._is_asked.set()

    def stop(self) -> None:
        """End the thread, after what it does now."""
        self._is_over = True
        self._is_asked.set()
        if self._thread.is_alive():
            self._thread.join(timeout=60)

    def _run(self) -> None:
        while True:
            self._is_asked.wait()
            self._is_asked.clear()
            if self._is_over:
                return
            self._job()
