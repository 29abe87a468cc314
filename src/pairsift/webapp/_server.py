"""The server: on this machine, at a free port, behind a token."""

from __future__ import annotations

import ipaddress
import secrets
import socket
import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Self

import uvicorn

from pairsift.exceptions import DataError
from pairsift.webapp._app import create_app
from pairsift.webapp._desk import Desk
from pairsift.webapp._guard import Door

LOCAL = "127.0.0.1"
ANYWHERE = ("0.0.0.0", "::")


class Server:
    """Serves a desk until it is stopped.

    Parameters
    ----------
    desk : Desk
        What is served.
    address : str
        Where to listen; others than this machine can come in if it is not 127.0.0.1.
    port : int
        The port, 0 for a free one.
    hosts : tuple of str
        Further names under which the server is asked for.
    frame_ancestors : str
        Who may show the page in a frame.
    """

    def __init__(
        self,
        desk: Desk,
        *,
        address: str = LOCAL,
        port: int = 0,
        hosts: tuple[str, ...] = (),
        frame_ancestors: str = "'none'",
    ) -> None:
        self.desk = desk
        self._socket = _listen(address, port)
        self.port = int(self._socket.getsockname()[1])
        self.is_local = is_local(address)
        is_usual = address in (LOCAL, "localhost")
        own = () if is_usual else _own_names(address)
        self.door = Door(
            secrets.token_urlsafe(32), self.port, (*own, *hosts), frame_ancestors
        )
        self._host = LOCAL if is_usual else _in_link(address)
        config = uvicorn.Config(
            create_app(desk, self.door),
            log_level="warning",
            access_log=False,
            server_header=False,
            ws="none",
            lifespan="off",
            proxy_headers=False,
            timeout_graceful_shutdown=2,
        )
        self._server = uvicorn.Server(config)
        self._thread: threading.Thread | None = None

    @property
    def link(self) -> str:
        """The link that lets a browser in; the token is never sent in an address."""
        return f"{self._address}#{self.door.token}"

    @property
    def _address(self) -> str:
        return f"http://{self._host}:{self.port}/"

    def invite(self) -> Path:
        """Return a private file that lets one browser in; the caller removes it."""
        return self.door.invitation.write(self._address)

    def run(self) -> None:
        """Serve until Ctrl-C."""
        self.desk.start()
        try:
            self._server.run(sockets=[self._socket])
        finally:
            self.desk.stop()

    def start(self, on_stop: Callable[[], None] | None = None) -> Self:
        """Serve in the background."""

        def serve() -> None:
            self.run()
            if on_stop is not None:
                on_stop()

        self._thread = threading.Thread(target=serve, daemon=True)
        self._thread.start()
        while not self._server.started and self._thread.is_alive():
            time.sleep(0.01)
        return self

    def stop(self) -> None:
        """Stop serving; answers given so far are kept."""
        self._server.should_exit = True
        if self._thread is not None:
            self._thread.join(timeout=10)
        self._socket.close()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()


def is_local(address: str) -> bool:
    """Tell whether only this machine can reach an address."""
    try:
        return ipaddress.ip_address(address.strip("[]")).is_loopback
    except ValueError:
        return address == "localhost"


def _own_names(address: str) -> tuple[str, ...]:
    """Return the names of this machine by which others may ask for the page."""
    if address not in ANYWHERE:
        return (_in_link(address),)
    name = socket.gethostname()
    try:
        found = [str(entry[4][0]) for entry in socket.getaddrinfo(name, None)]
    except OSError:
        found = []
    return (name, *(f"[{host}]" if ":" in host else host for host in set(found)))


def _in_link(address: str) -> str:
    """Return how others call this machine; 0.0.0.0 is no address to open."""
    if address in ANYWHERE:
        return socket.gethostname()
    return f"[{address.strip('[]')}]" if ":" in address else address


def _listen(address: str, port: int) -> socket.socket:
    is_six = ":" in address
    found = socket.socket(socket.AF_INET6 if is_six else socket.AF_INET)
    found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        found.bind((address.strip("[]"), port))
    except OSError as error:
        found.close()
        raise DataError(
            f"cannot listen at {address}, port {port}: {error.strerror or error}; "
            "another --port, or none for a free one."
        ) from error
    found.listen(128)
    return found
