"""The page for Python users: ``pairsift.label(X)``."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pairsift._checks import check_choice
from pairsift.active import ActiveSession, difference
from pairsift.exceptions import DataError
from pairsift.webapp._desk import Desk
from pairsift.webapp._samples import Looks, Samples

if TYPE_CHECKING:
    import pandas as pd

    from pairsift.webapp._server import Server

# A notebook on this machine, at any port.
NOTEBOOKS = "http://localhost:* http://127.0.0.1:*"


class LabelSession(ActiveSession):
    """A session that people answer in a browser; made by :func:`label`.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        The data.
    **given : dict
        What else an :class:`ActiveSession` takes.
    """

    _server: Server | None = None

    def __init__(self, X: Any, **given: Any) -> None:
        super().__init__(X, **given)

    @property
    def link(self) -> str:
        """The link to open; it lets in who has it, so keep it on this machine."""
        if self._server is None:
            raise DataError("the page is closed: call label() again.")
        return self._server.link

    def stop(self) -> None:
        """Close the page; all answers stay in the session."""
        if self._server is not None:
            self._server.stop()
            self._server = None

    def _repr_html_(self) -> str:
        if self._server is None:
            return super()._repr_html_()
        # The cookie is sent in a frame only if notebook and page have one host name.
        link = escape(self.link.replace("127.0.0.1", "localhost"))
        return (
            f'<p><a href="{link}" target="_blank">Open the labelling page</a></p>'
            f'<iframe src="{link}" width="100%" height="760" '
            'style="border:1px solid #8884"></iframe>'
        )


def label(
    X: Any,
    *,
    ids: Sequence[Any] | None = None,
    texts: Sequence[str] | None = None,
    pixels: tuple[int, int] | None = None,
    mode: str = "cards",
    person: str = "",
    path: str | Path | None = None,
    random_state: int = 0,
) -> LabelSession:
    """Let people sort rows in a browser, while Python goes on.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Numbers, or a data frame that may have text columns; NaN or None where a value
        is missing.
    ids : sequence, default=None
        Names of the rows, None for their numbers.
    texts : sequence of str, default=None
        A text for each row, shown in place of the table.
    pixels : (int, int), default=None
        Height and width of the picture that the columns are.
    mode : {"cards", "pairs"}, default="cards"
        What is asked first; it can be changed on the page.
    person : str, default=""
        Who answers, if it is not said on the page.
    path : str or Path, default=None
        A file that keeps every answer. A session that exists there goes on, with the
        same data.
    random_state : int, default=0
        Seed of the questions.

    Returns
    -------
    session : LabelSession
        An :class:`ActiveSession` with a `link` to open. In a notebook the page is shown
        below the cell. ``session.labels``, ``session.piles`` and all else are up to
        date at any time; ``session.stop()`` closes the page.
    """
    check_choice(mode, "mode", ("cards", "pairs"))
    require_label_extra()
    frame = _as_frame(X)
    looks = Looks(pixels=pixels, texts=None if texts is None else [*map(str, texts)])
    _check_lengths(frame, ids, looks)
    names = None if ids is None else [str(name) for name in ids]
    session = open_session(
        LabelSession, frame, path, random_state=random_state, sample_ids=names
    )
    samples = Samples(frame, names, looks)
    desk = Desk(session, samples, frame, mode=mode, person=person)
    session._server = make_server(desk, frame_ancestors=NOTEBOOKS).start()
    return session


def open_session(
    cls: type[Any], frame: pd.DataFrame, path: str | Path | None, **given: Any
) -> Any:
    """Begin a session, or go on with the one of a file if its data is the same."""
    session = cls(frame, **given)
    if path is None:
        return session
    if not Path(path).exists():
        session.save(path)
        return session
    kept = cls.load(path)
    found = difference(kept, session)
    if found is not None:
        kept.close()
        raise DataError(
            f"the data is not what the session {path} began with, {found}: give the "
            "same data and options, or another file."
        )
    return kept


def make_server(desk: Desk, **given: Any) -> Server:
    """Return the server of a desk, which has its port but does not answer yet."""
    # What the extra installs is loaded here, so that errors can say what is missing.
    from pairsift.webapp._server import Server

    return Server(desk, **given)


def require_label_extra() -> None:
    """Say what to install if the page cannot be served."""
    missing = [name for name in ("starlette", "uvicorn") if find_spec(name) is None]
    if missing:
        raise DataError(
            f"the labelling page needs {' and '.join(missing)}: install pairsift with "
            "its extra label, such as 'pairsift[cli,label]'."
        )


def _as_frame(X: Any) -> pd.DataFrame:
    import pandas as pd

    if isinstance(X, pd.DataFrame):
        return X
    if hasattr(X, "to_pandas"):
        return X.to_pandas()
    return pd.DataFrame(np.asarray(X))


def _check_lengths(
    frame: pd.DataFrame, ids: Sequence[Any] | None, looks: Looks
) -> None:
    for name, given in (("ids", ids), ("texts", looks.texts)):
        if given is not None and len(given) != len(frame):
            raise DataError(
                f"{name} must have one entry per row of X, got {len(given)} for "
                f"{len(frame)} rows."
            )
