"""A lock on a file that only its owner can lose."""

from __future__ import annotations

import contextlib
import errno
import os
import sys
import weakref
from pathlib import Path

from pairsift._file_modes import mode_like
from pairsift.exceptions import StorageError

# Windows has no such links, and no such flag.
NO_LINKS = getattr(os, "O_NOFOLLOW", 0)

if sys.platform == "win32":
    import msvcrt

    def _lock(descriptor: int) -> None:
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _lock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


class FileLock:
    """Keep a file for one process, until all its locks are released, or it ends.

    What is locked is a file beside it, on a descriptor of its own. The record locks of
    SQLite do not do: POSIX takes them from a process that opens and closes the same
    file elsewhere.
    """

    def __init__(self, path: Path) -> None:
        beside = path.parent.resolve() / f"{path.name}.lock"
        # A forked child inherits the table, but the locks are its parent's.
        key = (os.getpid(), beside)
        held = _HELD.get(key)
        if held is None:
            try:
                descriptor = _acquire(beside, mode_like(path))
            except OSError as error:
                if error.errno == errno.ELOOP:
                    raise StorageError(
                        f"{beside}, the lock of a session, is a link, which may lead "
                        "to a file of others: remove it."
                    ) from error
                raise StorageError(f"{path} cannot be opened: {error}.") from error
            if descriptor is None:
                raise StorageError(
                    f"{path} is in use by another process: close it there first."
                )
            held = _HELD[key] = _Held(descriptor, beside)
        self._held: _Held | None = held

    def release(self) -> None:
        """Give the file free; once is enough."""
        # The last reference of this process releases the descriptor.
        self._held = None


class _Held:
    """A descriptor with the lock, shared by all who opened the file in a process."""

    def __init__(self, descriptor: int, beside: Path) -> None:
        weakref.finalize(self, _release, descriptor, beside, os.getpid())


_HELD: weakref.WeakValueDictionary[tuple[int, Path], _Held] = (
    weakref.WeakValueDictionary()
)


def _open(beside: Path, mode: int) -> int:
    """Open a lock, or make it; that of another user may be there, only to be read."""
    try:
        return os.open(beside, os.O_RDWR | os.O_CREAT | NO_LINKS, mode)
    except PermissionError:
        if not beside.exists():
            raise
        return os.open(beside, os.O_RDONLY | NO_LINKS)


def _acquire(beside: Path, mode: int = 0o600) -> int | None:
    """Return the descriptor that holds the lock, None if another one does."""
    while True:
        descriptor = _open(beside, mode)
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
