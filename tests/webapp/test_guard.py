"""Who may come in: the table of headers, bodies and what every answer carries."""

import asyncio
import itertools
import json
import re

import pytest

from pairsift.webapp._guard import Door
from tests.webapp.client import JSON, OURS, PORT, TOKEN, Client, desk_of, request

HOSTS = {
    f"127.0.0.1:{PORT}": True,
    f"localhost:{PORT}": True,
    f"LOCALHOST.:{PORT}": True,
    f"[::1]:{PORT}": True,
    f"attacker.example:{PORT}": False,
    "127.0.0.1:1": False,
    "127.0.0.1": False,
    f"0.0.0.0:{PORT}": False,
    f"127.0.0.1:{PORT}.attacker.example": False,
    f"user@127.0.0.1:{PORT}": False,
    "": False,
}
SITES = {"same-origin": True, "same-site": False, "cross-site": False, "none": False}
ORIGINS = {
    f"http://127.0.0.1:{PORT}": True,
    f"https://127.0.0.1:{PORT}": False,
    "http://attacker.example": False,
    "null": False,
    None: False,
}
COOKIES = {f"a=b; pairsift-{PORT}={TOKEN}": True, f"pairsift-{PORT}=no": False}


@pytest.fixture(scope="module")
def app():
    return Client(desk_of()).app


def write(app, **headers):
    given = {k.replace("_", "-"): v for k, v in headers.items() if v is not None}
    body = json.dumps({"person": "", "mode": "cards", "version": 0}).encode()
    return request(app, "POST", "/api/undo", given, body)


@pytest.mark.slow  # all together
@pytest.mark.parametrize("host", HOSTS)
@pytest.mark.parametrize("site", [*SITES, None])
def test_writes_pass_only_if_all_headers_are_right(app, host, site):
    types = {"application/json; charset=utf-8": True, "text/plain": False, None: False}
    for origin, cookie, kind, custom in itertools.product(
        ORIGINS, COOKIES, types, ("1", None)
    ):
        reply = write(
            app,
            host=host,
            sec_fetch_site=site,
            origin=origin,
            cookie=cookie,
            content_type=kind,
            x_pairsift=custom,
        )
        same = SITES[site] if site is not None else ORIGINS[origin]
        # An Origin is that of the name under which the page was opened.
        if site is None and not host.startswith("127.0.0.1"):
            same = False
        is_right = HOSTS[host] and same and types[kind] and custom and COOKIES[cookie]
        # There is nothing to undo: the handler says so, and only then.
        assert (reply.status == 409) == bool(is_right), (reply, origin, cookie, kind)
        if not HOSTS[host]:
            assert reply.status == 403
            assert "is not called" in reply.error
            assert "--allow-host" in reply.error


def test_rebound_name_gets_nothing_not_even_the_page(app):
    """A foreign name that leads to 127.0.0.1 sends no Origin and is "same-origin"."""
    for path in (
        "/",
        "/static/main.js",
        "/api/state",
        "/image/0",
        "/export/labels.csv",
    ):
        host = f"rebound.example:{PORT}"
        reply = request(app, "GET", path, {**OURS, "host": host})
        assert reply.status == 403
        assert "rebound.example" in reply.error
    reply = request(app, "POST", "/api/enter", {**OURS, **JSON, "host": host})
    assert reply.status == 403


def test_host_must_stand_once(app):
    for headers in ([], [("host", OURS["host"])] * 2):
        reply = request(app, "GET", "/", headers)
        assert reply.status == 403
        assert f"is not called {len(headers)} names" in reply.error


def test_forwarded_names_do_not_count(app):
    given = {"host": "attacker.example", "x-forwarded-host": OURS["host"]}
    assert request(app, "GET", "/", given).status == 403


def test_allowed_host_is_answered():
    door = Door(TOKEN, PORT, ("Desk.example", "other.example:444"))
    app = Client(desk_of(), door=door).app
    for host, status in {
        "desk.example": 200,
        "desk.example:9": 200,
        "other.example:444": 200,
        "other.example": 403,
        "third.example": 403,
    }.items():
        assert request(app, "GET", "/", {"host": host}).status == status


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"])
def test_other_methods_are_refused(app, method):
    reply = request(app, method, "/api/undo", {**OURS, **JSON})
    assert reply.status == 405
    assert "access-control-allow-origin" not in reply.headers


def test_reads_need_the_cookie_and_no_other_site(app):
    for path in ("/api/state", "/image/0", "/export/answers.jsonl", "/nothing"):
        reply = request(app, "GET", path, {"host": OURS["host"]})
        assert reply.status == 401
        assert "open the link" in reply.error
        # A page at another port of this machine is of the same site, and another page.
        for site in ("cross-site", "same-site"):
            given = {**OURS, "sec-fetch-site": site}
            assert request(app, "GET", path, given).status == 403


def test_page_itself_needs_no_cookie(app):
    reply = request(app, "GET", "/", {"host": OURS["host"], "sec-fetch-site": "none"})
    assert reply.status == 200
    assert b"/static/main.js" in reply.body


def test_token_is_exchanged_for_a_cookie(app):
    given = {k: v for k, v in OURS.items() if k != "cookie"} | JSON
    body = json.dumps({"token": TOKEN}).encode()
    reply = request(app, "POST", "/api/enter", given, body)
    assert reply.status == 200
    cookie = reply.headers["set-cookie"]
    assert cookie.startswith(f"pairsift-{PORT}={TOKEN};")
    assert {"httponly", "samesite=strict", "path=/"} <= {
        part.strip().lower() for part in cookie.split(";")
    }
    for wrong in ("", "no", TOKEN[:-1], TOKEN + "x"):
        body = json.dumps({"token": wrong}).encode()
        reply = request(app, "POST", "/api/enter", given, body)
        assert reply.status == 401
        assert "set-cookie" not in reply.headers


def test_code_of_an_invitation_is_accepted_once(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    door = Door(TOKEN, PORT)
    app = Client(desk_of(), door=door).app
    page = door.invitation.write(f"http://127.0.0.1:{PORT}/")
    (code,) = set(re.findall(f'http://127.0.0.1:{PORT}/#([^"]+)', page.read_text()))
    given = {k: v for k, v in OURS.items() if k != "cookie"} | JSON

    def enter(method="POST", token=code, **changed):
        body = json.dumps({"token": token}).encode()
        headers = {**given, **{k.replace("_", "-"): v for k, v in changed.items()}}
        return request(app, method, "/api/enter", headers, body)

    # None of these uses up the code.
    for changed, status in (
        ({"host": f"rebound.example:{PORT}"}, 403),
        ({"sec_fetch_site": "cross-site"}, 403),
        ({"sec_fetch_site": "same-site"}, 403),
        ({"content_type": "text/plain"}, 415),
        ({"method": "GET"}, 405),
        ({"method": "PUT"}, 405),
        ({"token": code[:-1]}, 401),
        ({"token": ""}, 401),
    ):
        reply = enter(**changed)
        assert reply.status == status, changed
        assert "set-cookie" not in reply.headers
        assert page.exists()
    # The code is no cookie.
    stolen = {**OURS, "cookie": f"pairsift-{PORT}={code}"}
    assert request(app, "GET", "/api/about", stolen).status == 401

    reply = enter()
    assert reply.status == 200
    assert reply.headers["set-cookie"].startswith(f"pairsift-{PORT}={TOKEN};")
    assert not page.exists()
    reply = enter()
    assert reply.status == 401
    assert "works once and has been used: open the link" in reply.error
    assert "set-cookie" not in reply.headers
    for _ in range(2):
        assert enter(token=TOKEN).status == 200


@pytest.mark.parametrize("path", ["/", "/static/style.css", "/api/about", "/api/no"])
def test_every_answer_has_safe_headers(app, path):
    headers = request(app, "GET", path, OURS).headers
    policy = dict(
        part.strip().split(" ", 1)
        for part in headers["content-security-policy"].split(";")
    )
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == "'self'"
    assert policy["frame-ancestors"] == policy["base-uri"] == "'none'"
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cache-control"] == "no-store"
    assert headers["cross-origin-resource-policy"] == "same-origin"
    assert headers["cross-origin-opener-policy"] == "same-origin"


def test_large_bodies_are_refused_before_they_are_read(app):
    size = {"content-length": str(100 * 2**20)}
    reply = request(app, "POST", "/api/answer", {**OURS, **JSON, **size}, [b""])
    assert reply.status == 413
    assert "larger than 64 KiB" in reply.error
    # Without a length, no more is read than is accepted.
    parts = [b"x" * 2**15] * 100
    reply = request(app, "POST", "/api/answer", {**OURS, **JSON}, parts)
    assert reply.status == 413
    reply = request(app, "POST", "/api/import", {**OURS, **JSON, **size}, [b""])
    assert "larger than 8192 KiB" in reply.error
    odd = {"content-length": "-1"}
    assert request(app, "POST", "/api/undo", {**OURS, **JSON, **odd}).status == 413


def test_no_websocket_is_opened(app):
    sent = []

    async def send(message):
        sent.append(message)

    async def receive():
        return {"type": "websocket.connect"}

    scope = {"type": "websocket", "path": "/", "headers": []}
    asyncio.run(app(scope, receive, send))
    assert sent == [{"type": "websocket.close", "code": 1008}]
