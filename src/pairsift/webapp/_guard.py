"""Who may come in: every request is checked before any handler sees it.

A page elsewhere can make a name of its own lead to 127.0.0.1. Its requests then look
like ours, and only the Host header still names the stranger: it is checked first.
"""

from __future__ import annotations

import hmac
import json
import re
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass, field
from typing import Any

from pairsift.webapp._invitation import Invitation

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
# The custom header that no form and no simple request of another page can set.
HEADER = b"x-pairsift"
MAX_BYTES = 64 * 1024
MAX_IMPORTED_BYTES = 8 * 1024 * 1024
IMPORT = "/api/import"
ENTER = "/api/enter"
_HOST = re.compile(r"(\[[0-9a-f:.]+\]|[^:\[\]@/\\\s]+)(?::([0-9]{1,5}))?")


@dataclass(frozen=True)
class Door:
    """What a request must know and where it must be addressed to.

    hosts : further names of this server; with or without a port.
    frame_ancestors : who may show the page in a frame, "'none'" for no page.
    invitation : a code that is accepted once in place of the token.
    """

    token: str
    port: int
    hosts: tuple[str, ...] = ()
    frame_ancestors: str = "'none'"
    invitation: Invitation = field(default_factory=Invitation)

    @property
    def cookie(self) -> str:
        """Name of the cookie; several servers run on one machine."""
        return f"pairsift-{self.port}"

    def knows(self, token: str) -> bool:
        """Compare a token, in a time that does not tell how much of it is right."""
        return hmac.compare_digest(token.encode(), self.token.encode())

    def is_ours(self, host: str) -> bool:
        """Tell whether a Host header names this server."""
        found = _HOST.fullmatch(host.lower())
        if found is None:
            return False
        name, port = found[1].rstrip("."), int(found[2] or 80)
        if name in LOOPBACK:
            return port == self.port
        allowed = [_HOST.fullmatch(known.lower()) for known in self.hosts]
        return any(
            known is not None
            and known[1].rstrip(".") == name
            and (known[2] is None or int(known[2]) == port)
            for known in allowed
        )


class Refusal(Exception):
    """A request that is not answered, and what to do about it."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(text)
        self.status, self.text = status, text


class Guard:
    """Let requests pass that may, with a small body and with safe headers."""

    def __init__(self, app: App, door: Door) -> None:
        self._app, self._door = app, door

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it with a sentence."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            # There is no websocket here.
            await send({"type": "websocket.close", "code": 1008})
            return
        send = self._with_headers(send)
        try:
            self._check(scope)
            body = await _read(scope, receive)
        except Refusal as refusal:
            await _refuse(send, refusal)
            return
        await self._app(scope, _replay(body, receive), send)

    def _check(self, scope: Scope) -> None:
        headers: dict[bytes, list[str]] = {}
        for name, value in scope["headers"]:
            headers.setdefault(name.lower(), []).append(value.decode("latin-1"))
        host = self._check_host(headers.get(b"host", []))
        path, method = scope["path"], scope["method"]
        is_page = path == "/" or path.startswith("/static/")
        if method not in ("GET", "HEAD", "POST"):
            raise Refusal(405, "only GET and POST are answered here.")
        if method == "POST":
            _check_write(headers, host)
        elif not is_page and not _came_from_here(headers):
            raise Refusal(403, "this was asked for by another page: open the link.")
        if not is_page and path != ENTER and not self._has_cookie(headers):
            raise Refusal(
                401,
                "this browser has not come in yet: open the link that `pairsift label` "
                "printed, with all that follows the #.",
            )

    def _check_host(self, hosts: list[str]) -> str:
        if len(hosts) == 1 and self._door.is_ours(hosts[0]):
            return hosts[0]
        given = repr(hosts[0][:100]) if len(hosts) == 1 else f"{len(hosts)} names"
        raise Refusal(
            403,
            f"this server is not called {given} (header Host): open "
            f"http://127.0.0.1:{self._door.port}/, or start it with --allow-host NAME.",
        )

    def _has_cookie(self, headers: dict[bytes, list[str]]) -> bool:
        pairs = [
            part.strip().partition("=")
            for line in headers.get(b"cookie", [])
            for part in line.split(";")
        ]
        given = [value for name, _, value in pairs if name == self._door.cookie]
        return any(self._door.knows(value) for value in given)

    def _with_headers(self, send: Send) -> Send:
        added = [(name.encode(), value.encode()) for name, value in self._headers()]

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", []), *added]
            await send(message)

        return sending

    def _headers(self) -> list[tuple[str, str]]:
        policy = (
            "default-src 'none'; script-src 'self'; style-src 'self'; "
            "img-src 'self' data:; connect-src 'self'; base-uri 'none'; "
            f"form-action 'none'; frame-ancestors {self._door.frame_ancestors}"
        )
        return [
            ("content-security-policy", policy),
            ("x-content-type-options", "nosniff"),
            ("referrer-policy", "no-referrer"),
            ("cache-control", "no-store"),
            ("cross-origin-resource-policy", "same-origin"),
            ("cross-origin-opener-policy", "same-origin"),
        ]


def _came_from_here(headers: dict[bytes, list[str]]) -> bool:
    """Tell whether no other page asks, not even one at another port of this machine."""
    return headers.get(b"sec-fetch-site", ["none"]) in (["same-origin"], ["none"])


def _check_write(headers: dict[bytes, list[str]], host: str) -> None:
    """Refuse what another page may have sent in the name of the person."""
    sites = headers.get(b"sec-fetch-site")
    origins = headers.get(b"origin", [])
    is_ours = sites == ["same-origin"]
    if sites is None:
        is_ours = [o.lower() for o in origins] == [f"http://{host.lower()}"]
    if not is_ours:
        raise Refusal(403, "answers are taken from this page only: open the link.")
    kinds = headers.get(b"content-type", [])
    is_json = len(kinds) == 1 and kinds[0].partition(";")[0].strip().lower() == (
        "application/json"
    )
    if not is_json:
        raise Refusal(415, "send JSON, with Content-Type: application/json.")
    if HEADER not in headers:
        raise Refusal(403, "send the header X-Pairsift: 1, as this page does.")


async def _read(scope: Scope, receive: Receive) -> bytes:
    """Read the body, and no more than is accepted."""
    most = MAX_IMPORTED_BYTES if scope["path"] == IMPORT else MAX_BYTES
    too_large = Refusal(413, f"the request is larger than {most // 1024} KiB.")
    for name, value in scope["headers"]:
        if name.lower() == b"content-length":
            is_small = value.isdigit() and len(value) < 12 and int(value) <= most
            if not is_small:
                raise too_large
    parts, size = [], 0
    while True:
        message = await receive()
        if message["type"] != "http.request":
            raise Refusal(400, "the request has ended early.")
        parts.append(message.get("body", b""))
        size += len(parts[-1])
        if size > most:
            raise too_large
        if not message.get("more_body", False):
            return b"".join(parts)


def _replay(body: bytes, receive: Receive) -> Receive:
    """Give the body that was read to the handler."""
    rest = [body]

    async def receiving() -> Message:
        if rest:
            return {"type": "http.request", "body": rest.pop(), "more_body": False}
        return await receive()

    return receiving


async def _refuse(send: Send, refusal: Refusal) -> None:
    body = json.dumps({"error": refusal.text}).encode()
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(body)).encode()),
        # What is left of the request is not read.
        (b"connection", b"close"),
    ]
    start = {"type": "http.response.start", "status": refusal.status}
    await send({**start, "headers": headers})
    await send({"type": "http.response.body", "body": body})
