"""Requests to the app in process, header by header as they are written."""

import asyncio
import json
from typing import NamedTuple
from urllib.parse import urlencode

import numpy as np
import pandas as pd

from pairsift.active import ActiveSession
from pairsift.webapp._app import create_app
from pairsift.webapp._desk import Desk
from pairsift.webapp._guard import Door
from pairsift.webapp._samples import Samples

TOKEN = "secret-token-of-the-tests"
PORT = 8123
OURS = {
    "host": f"127.0.0.1:{PORT}",
    "cookie": f"pairsift-{PORT}={TOKEN}",
    "sec-fetch-site": "same-origin",
}
JSON = {"content-type": "application/json", "x-pairsift": "1"}


class Reply(NamedTuple):
    status: int
    headers: dict
    body: bytes

    @property
    def json(self):
        return json.loads(self.body)

    @property
    def error(self):
        return self.json["error"]


async def _ask(app, scope, chunks):
    sent = []
    waiting = list(chunks)

    async def receive():
        if not waiting:
            # The browser stays.
            await asyncio.Event().wait()
        body = waiting.pop(0)
        return {"type": "http.request", "body": body, "more_body": bool(waiting)}

    async def send(message):
        sent.append(message)

    await app(scope, receive, send)
    return sent


def request(app, method, path, headers, body=b"", query=""):
    """Send one request; `body` may be bytes or chunks of them."""
    chunks = [body] if isinstance(body, bytes) else list(body)
    pairs = headers.items() if isinstance(headers, dict) else headers
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "query_string": query.encode("latin-1"),
        "root_path": "",
        "headers": [(k.lower().encode(), v.encode("latin-1")) for k, v in pairs],
        "client": ("127.0.0.1", 9),
        "server": ("127.0.0.1", PORT),
    }
    sent = asyncio.run(_ask(app, scope, chunks))
    start = next(m for m in sent if m["type"] == "http.response.start")
    parts = [m.get("body", b"") for m in sent if m["type"] == "http.response.body"]
    found = {k.decode(): v.decode("latin-1") for k, v in start["headers"]}
    return Reply(start["status"], found, b"".join(parts))


class Client:
    """The page's side of an app, with the headers that a browser sends."""

    def __init__(self, desk, person="", mode="cards", door=None):
        self.desk, self.person, self.mode = desk, person, mode
        self.app = create_app(desk, door or Door(TOKEN, PORT))

    def get(self, path, /, **fields):
        return request(self.app, "GET", path, OURS, query=urlencode(fields))

    def post(self, route, /, **fields):
        who = {"person": self.person, "mode": self.mode}
        body = json.dumps({**who, **fields}).encode()
        return request(self.app, "POST", f"/api/{route}", {**OURS, **JSON}, body)

    def state(self):
        reply = self.get("/api/state", person=self.person, mode=self.mode)
        assert reply.status == 200, reply.body
        return reply.json

    def answer(self, said, seconds=1.5, state=None):
        question = (state or self.state())["question"]["id"]
        return self.post("answer", question=question, answer=said, seconds=seconds)

    def act(self, route, /, **fields):
        return self.post(route, version=self.state()["version"], **fields)


def frame_of(n_rows=40, seed=0, **columns):
    rng = np.random.default_rng(seed)
    kind = np.arange(n_rows) % 3
    return pd.DataFrame(
        {
            "size": rng.normal(size=n_rows) + 4 * kind,
            "weight": rng.normal(size=n_rows),
            "colour": np.array(["red", "green", "blue"])[kind],
            **columns,
        }
    )


def desk_of(frame=None, looks=None, ids=None, path=None, shown=None, **given):
    frame = frame_of() if frame is None else frame
    session = ActiveSession(frame)
    if path is not None:
        session.save(path)
    samples = Samples(frame if shown is None else shown, ids, looks)
    return Desk(session, samples, frame, title="things.csv", **given)


def sort_by(client, kinds, n_cards):
    """Place cards by what is known of each row."""
    piles = {}
    for _ in range(n_cards):
        row = client.state()["question"]["sample"]["row"]
        kind = kinds[row]
        reply = client.answer(piles.get(kind, "new"))
        assert reply.status == 200, reply.body
        if kind not in piles:
            piles[kind] = reply.json["labels"][str(row)]
    return piles
