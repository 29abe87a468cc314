"""A private file that lets the first browser in."""

from __future__ import annotations

import hmac
import os
import secrets
import tempfile
from contextlib import suppress
from html import escape
from pathlib import Path

PAGE = """<!doctype html>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url={link}">
<title>pairsift label</title>
<p><a href="{link}">Open the labelling page</a></p>
"""


class Invitation:
    """A file that leads to the page, with a code that is accepted once.

    Every user of the machine can read the arguments of a process. A browser is
    therefore started with the name of this file, not with the link that has the token.
    """

    def __init__(self) -> None:
        self._code = secrets.token_urlsafe(32)
        self._path: Path | None = None
        self.is_used = False

    def write(self, address: str) -> Path:
        """Write the file, which only its owner can read."""
        # mkstemp creates a new file with mode 0600 and follows no link.
        handle, name = tempfile.mkstemp(prefix="pairsift-label-", suffix=".html")
        self._path = Path(name)
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(PAGE.format(link=escape(f"{address}#{self._code}")))
        except OSError:
            self.remove()
            raise
        return self._path

    def knows(self, code: str) -> bool:
        """Whether this is the code, used or not."""
        return hmac.compare_digest(code.encode(), self._code.encode())

    def use(self) -> None:
        """Accept the code for the last time."""
        self.is_used = True
        self.remove()

    def remove(self) -> None:
        """Remove the file if it is still there."""
        if self._path is not None:
            with suppress(OSError):
                self._path.unlink(missing_ok=True)
