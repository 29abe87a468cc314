"""Any request gets an answer that is no server error, and none harms the session."""

import json

import pytest
from hypothesis import given, settings, strategies as st

from pairsift.webapp._app import READS, WRITES
from tests.webapp.client import JSON, OURS, Client, desk_of, frame_of, request

pytestmark = pytest.mark.slow  # all together
TEXTS = st.one_of(
    st.text(max_size=30),
    st.sampled_from(
        ["", "new", "unsure", "same", "cards", "pairs", "\ud800", "\0", "1e999", "c0.0"]
    ),
)
VALUES = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(-(2**70), 2**70),
        st.integers(-1, 9),
        st.floats(),
        TEXTS,
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(TEXTS, inner, max_size=2)
    ),
    max_leaves=4,
)
FIELDS = (
    *("person", "mode", "version", "question", "answer", "seconds", "pile", "other"),
    *("row", "rows", "name", "text", "find", "first", "token"),
)
BODIES = st.dictionaries(st.sampled_from(FIELDS), VALUES, max_size=8)
# Requests that make sense, so that the fuzz gets past the first check.
SENSIBLE = st.fixed_dictionaries(
    {"mode": st.sampled_from(["cards", "pairs"])},
    optional={
        "person": TEXTS,
        "version": st.integers(0, 60),
        "question": st.sampled_from(["c0.0", "c1.0", "p1-0.0", "end3"]),
        "answer": st.one_of(st.integers(0, 5), st.sampled_from(["new", "same"])),
        "pile": st.one_of(st.integers(0, 5), st.sampled_from(["new", "unsure"])),
        "other": st.integers(0, 5),
        "row": st.integers(0, 12),
        "rows": st.lists(st.integers(0, 12), max_size=3),
        "name": TEXTS,
        "text": st.one_of(TEXTS, st.just("a,b,link\n0,1,must\n")),
        "seconds": st.floats(),
    },
)


def answered(client, method, name, body):
    reply = request(client.app, method, f"/api/{name}", {**OURS, **JSON}, body)
    assert reply.status < 500, (name, body, reply.body)
    found = json.loads(reply.body)
    assert reply.status == 200 or found["error"].endswith(".")
    return reply


@settings(max_examples=60)
@given(st.sampled_from(sorted(WRITES)), st.one_of(BODIES, SENSIBLE))
def test_written_fields(name, fields):
    client = Client(desk_of(frame_of(8)))
    client.desk.session.place(0, "new")
    client.desk.session.place(1, "new")
    body = json.dumps(fields).encode()
    version = client.state()["version"]
    reply = answered(client, "POST", name, body)
    if reply.status != 200:
        assert client.state()["version"] == version


@settings(max_examples=30)
@given(st.sampled_from([*WRITES, "enter"]), st.binary(max_size=60))
def test_written_bytes(name, body):
    answered(Client(desk_of(frame_of(8))), "POST", name, body)


def test_deep_json_is_refused():
    client = Client(desk_of(frame_of(8)))
    reply = answered(client, "POST", "undo", b"[" * 50_000 + b"]" * 10)
    assert reply.status == 400


@settings(max_examples=100)
@given(
    st.sampled_from(sorted(READS)),
    st.dictionaries(st.sampled_from(FIELDS), st.text(max_size=20), max_size=5),
)
def test_read_fields(name, fields):
    client = Client(desk_of(frame_of(8)))
    clean = {k: v.encode("utf-8", "replace").decode() for k, v in fields.items()}
    reply = client.get(f"/api/{name}", **clean)
    assert reply.status < 500


@settings(max_examples=100)
@given(st.text(max_size=30), st.binary(max_size=20))
def test_paths_and_queries(path, query):
    client = Client(desk_of(frame_of(8)))
    path = "/" + path.encode("utf-8", "replace").decode()
    reply = request(client.app, "GET", path, OURS, query=query.decode("latin-1"))
    assert reply.status in (200, 307, 400, 404)
