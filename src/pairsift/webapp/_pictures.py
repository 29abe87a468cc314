"""Pictures of samples: files in one folder, and never one outside of it."""

from __future__ import annotations

import os
import stat
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pairsift.exceptions import DataError

TYPES = {
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".gif": "image/gif",
    ".webp": "image/webp",
    ".bmp": "image/bmp",
}
# Missing on Windows, where making a link needs a privilege.
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)
_FOLDER = os.O_RDONLY | _NO_LINK | getattr(os, "O_DIRECTORY", 0)
# Without waiting for the other end, if a file was replaced by a pipe.
_FILE = os.O_RDONLY | _NO_LINK | getattr(os, "O_NONBLOCK", 0)
_BINARY = getattr(os, "O_BINARY", 0)


@dataclass(frozen=True)
class Pictures:
    """A file for each row, None where there is none; all of them lie in `folder`."""

    folder: Path
    files: Sequence[Path | None]

    def has(self, row: int) -> bool:
        """Whether a row had a picture at the start."""
        return 0 <= row < len(self.files) and self.files[row] is not None

    def read(self, row: int) -> tuple[bytes, str] | None:
        """Return the picture of a row and its type, None if there is none.

        Resolve the file again at each request, because a link may have replaced it.
        """
        file = self.files[row] if self.has(row) else None
        if file is None:
            return None
        try:
            path = file.resolve()
            if not path.is_relative_to(self.folder) or path.suffix.lower() not in TYPES:
                return None
            handle = _open_below(self.folder, path)
        except (OSError, RuntimeError):
            return None
        # A folder cannot be opened as a file, and a pipe has no end.
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            os.close(handle)
            return None
        with os.fdopen(handle, "rb") as opened:
            return opened.read(), TYPES[path.suffix.lower()]


def find_images(cells: Sequence[Any], folder: Path) -> Pictures:
    """Resolve the pictures of all rows once; they must lie in the folder.

    A cell that is empty, or whose file does not exist, has no picture.
    """
    root = folder.resolve()
    found: list[Path | None] = []
    for row, cell in enumerate(cells):
        path = _resolved(root, cell)
        if path is not None and not path.is_relative_to(root):
            raise DataError(
                f"row {row} (counted from 0) names the picture {str(cell)!r}, which "
                f"is outside of {folder}: --images names the folder of all pictures."
            )
        has_type = path is not None and path.suffix.lower() in TYPES
        found.append(path if has_type and path is not None and path.is_file() else None)
    if not any(found):
        raise DataError(
            f"none of the pictures is a file in {folder}: accepted are paths below it "
            f"that end in {', '.join(TYPES)}; --images names another folder."
        )
    return Pictures(root, found)


def _resolved(root: Path, cell: Any) -> Path | None:
    text = cell.strip() if isinstance(cell, str) else ""
    if not text or "\0" in text:
        return None
    try:
        return (root / text).resolve()
    except (OSError, RuntimeError):
        return None


def _open_below(folder: Path, path: Path) -> int:
    """Open a file below a folder, following no link on the way down."""
    if os.open not in os.supports_dir_fd:
        return os.open(path, _FILE | _BINARY)
    *folders, name = path.relative_to(folder).parts
    handle = os.open(folder, _FOLDER)
    try:
        for part in folders:
            inner = os.open(part, _FOLDER, dir_fd=handle)
            os.close(handle)
            handle = inner
        return os.open(name, _FILE, dir_fd=handle)
    finally:
        os.close(handle)
