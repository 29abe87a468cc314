"""The page for Python users."""

import pickle
import urllib.request

import numpy as np
import polars as pl
import pytest
from numpy.testing import assert_array_equal

import pairsift
from pairsift.exceptions import DataError
from pairsift.webapp import LabelSession
from tests.webapp.client import frame_of
from tests.webapp.test_server import Caller


def test_session_is_answered_in_a_browser_while_python_goes_on():
    session = pairsift.label(frame_of(), ids=range(100, 140), person="Ann")
    try:
        assert isinstance(session, LabelSession)
        caller = Caller(session.link)
        state = caller.state()
        assert state["question"]["sample"]["name"].startswith("1")
        assert caller.answer(state["question"]["id"], "new")[0] == 200
        row = state["question"]["sample"]["row"]
        assert_array_equal(np.flatnonzero(session.labels >= 0), [row])
        shown = session._repr_html_()
        assert "<iframe" in shown
        assert session.link.replace("127.0.0.1", "localhost") in shown
        with urllib.request.urlopen(session.link.partition("#")[0]) as page:
            policy = page.headers["content-security-policy"]
        assert "frame-ancestors http://localhost:* http://127.0.0.1:*" in policy
        assert pickle.loads(pickle.dumps(session)).piles == session.piles
    finally:
        session.stop()
    with pytest.raises(DataError, match="the page is closed"):
        session.link  # noqa: B018
    assert "ActiveSession" in session._repr_html_()


def test_file_of_a_session_goes_on(tmp_path):
    path = tmp_path / "s.db"
    session = pairsift.label(frame_of(), path=path)
    session.place(0, "new")
    session.stop()
    session.close()
    again = pairsift.label(pl.from_pandas(frame_of()), path=path)
    assert again.piles == [[0]]
    again.stop()
    again.close()
    with pytest.raises(DataError, match="40 x 3 there, 30 x 3 here"):
        pairsift.label(frame_of(30), path=path)


def test_arrays_texts_and_pixels_are_shown():
    X = np.arange(12.0).reshape(3, 4)
    session = pairsift.label(X, texts=["a", "b", "c"], mode="pairs")
    try:
        assert Caller(session.link).ask("GET", "/api/about")[1]["looks"] == "text"
    finally:
        session.stop()
    session = pairsift.label(X, pixels=(2, 2))
    session.stop()


def test_mistakes_are_told():
    with pytest.raises(ValueError, match="mode"):
        pairsift.label(frame_of(), mode="x")
    with pytest.raises(DataError, match="ids must have one entry per row of X, got 2"):
        pairsift.label(frame_of(), ids=["a", "b"])
