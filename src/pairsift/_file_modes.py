"""The modes of files: others may do with them at most what they may do with a table."""

import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import reduce
from operator import and_
from pathlib import Path

_OWNER, _OTHERS = 0o600, 0o066
# What others may do with the tables that commands read now, the innermost last.
_known: list[int] = []


@contextmanager
def private_as(*tables: Path) -> Iterator[None]:
    """Give files that are written meanwhile at most the bits that all tables have."""
    with _with_bits(_common(tables)):
        yield


@contextmanager
def public() -> Iterator[None]:
    """Write files about data that everyone has, with the usual mode."""
    with _with_bits(_OTHERS):
        yield


def new_mode() -> int:
    """Return the mode of a new file: the owner's alone where no table is known."""
    return _OWNER | (_known[-1] if _known else 0)


def create(path: Path) -> None:
    """Make an empty file, which must not exist."""
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, new_mode()))


def mode_like(path: Path) -> int:
    """Return the mode of a file that belongs to another one, which may not be there.

    Where no table is known, keep the mode that the other one was given.
    """
    if not path.exists():
        return new_mode()
    bits = path.stat().st_mode & _OTHERS
    return _OWNER | (bits & _known[-1] if _known else bits)


def restrict(path: Path) -> None:
    """Take bits from an existing file that the table does not have.

    Only the owner can change them: the file of another one stays as it is.
    """
    found = stat.S_IMODE(path.stat().st_mode)
    allowed = (found & stat.S_IRWXU) | mode_like(path)
    if _known and allowed != found:
        with suppress(PermissionError):
            path.chmod(allowed)


@contextmanager
def _with_bits(bits: int) -> Iterator[None]:
    _known.append(bits)
    try:
        yield
    finally:
        _known.pop()


def _common(tables: Iterable[Path]) -> int:
    return reduce(and_, map(_bits, tables), _OTHERS)


def _bits(table: Path) -> int:
    """Return what others may do; nothing with a pipe, or a table that is not there."""
    if table.is_dir():
        return _common(part for part in table.iterdir() if part.is_file())
    return table.stat().st_mode & _OTHERS if table.is_file() else 0
