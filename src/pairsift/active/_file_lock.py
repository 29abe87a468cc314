"""A lock on a file that only its owner can lose."""

from __future__ import annotations

import contextlib
import os
import sys
import weakref
from pathlib import Path

from pairsift.exceptions import StorageError

if sys.platform == "win32":
    import msvcrt

    def _lock(descriptor: int) -> None:
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _lock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


class FileLock:
    """Keep a file for one owner, until it is released or the process ends.

    What is locked is a file beside it, on a descriptor of its own. The record locks of
    SQLite do not do: POSIX takes them from a process that opens and closes the same
    file elsewhere.
    """

    def __init__(self, path: Path) -> None:
        beside = path.with_name(f"{path.name}.lock")
        try:
            descriptor = _acquire(beside)
        except OSError as error:
            raise StorageError(f"{path} cannot be opened: {error}.") from error
        if descriptor is None:
            raise StorageError(
                f"{path} is in use by another process or session: close that one first."
            )
        self._finalizer = weakref.finalize(
            self, _release, descriptor, beside, os.getpid()
        )

    def release(self) -> None:
        """Give the file free; once is enough."""
        self._finalizer()


def _acquire(beside: Path) -> int | None:
    """Return the descriptor that holds the lock, None if another one does."""
    while True:
        descriptor = os.open(beside, os.O_RDWR | os.O_CREAT, 0o666)
        try:
            _lock(descriptor)
        except (BlockingIOError, PermissionError):
            os.close(descriptor)
            return None
        except OSError:
            # Some network file systems have no locks. SQLite still keeps transactions
            # apart, and a session refuses a journal that another one has written to.
            return descriptor
        # The owner before may have removed the file after it was opened here.
        if is_same_file(descriptor, beside):
            return descriptor
        os.close(descriptor)


def is_same_file(descriptor: int, path: Path) -> bool:
    """Tell whether a path still leads to the file that was opened."""
    try:
        return os.path.samestat(os.fstat(descriptor), path.stat())
    except FileNotFoundError:
        return False


def _release(descriptor: int, beside: Path, owner: int) -> None:
    # A forked child shares the descriptor, but the lock is its parent's.
    if os.getpid() == owner:
        # Windows removes no open file; left behind, it locks nothing.
        with contextlib.suppress(OSError):
            beside.unlink(missing_ok=True)
    os.close(descriptor)
