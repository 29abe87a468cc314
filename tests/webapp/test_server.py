"""The server itself: its link, large bodies, and what a kill leaves behind."""

import http.client
import json
import os
import random
import socket
import subprocess
import sys
import textwrap
import time
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from pairsift.active import ActiveSession
from pairsift.exceptions import DataError
from pairsift.webapp._server import Server, is_local
from tests.webapp.client import desk_of

# How often the server is killed; 100 for a thorough run.
N_KILLS = int(os.environ.get("PAIRSIFT_KILLS", "3"))


class Caller:
    """A browser's requests over a real connection."""

    def __init__(self, link):
        address, _, self.token = link.partition("#")
        self.host = address.removeprefix("http://").rstrip("/")
        self.port = int(self.host.rpartition(":")[2])

    def ask(self, method, path, body=None, **headers):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        given = {
            "Host": self.host,
            "Cookie": f"pairsift-{self.port}={self.token}",
            "Sec-Fetch-Site": "same-origin",
            "X-Pairsift": "1",
            "Content-Type": "application/json",
            **headers,
        }
        try:
            connection.request(method, path, body, given)
            reply = connection.getresponse()
            return reply.status, json.loads(reply.read())
        finally:
            connection.close()

    def state(self):
        return self.ask("GET", "/api/state?mode=cards")[1]

    def answer(self, question, said):
        body = {"mode": "cards", "question": question, "answer": said, "seconds": 0.1}
        return self.ask("POST", "/api/answer", json.dumps(body))


def test_link_holds_the_token_in_its_fragment():
    with Server(desk_of()) as server:
        assert server.link == f"http://127.0.0.1:{server.port}/#{server.door.token}"
        assert len(server.door.token) >= 43
        caller = Caller(server.link)
        assert caller.ask("GET", "/api/about")[1]["title"] == "things.csv"
        assert caller.ask("GET", "/api/about", Host="rebound.example")[0] == 403
    with pytest.raises(OSError, match="refused|reset"):
        caller.ask("GET", "/api/about")


def test_two_servers_have_two_ports_and_tokens():
    with Server(desk_of()) as one, Server(desk_of()) as other:
        assert one.port != other.port
        assert one.door.token != other.door.token
        with pytest.raises(
            DataError, match=f"cannot listen at 127.0.0.1, port {one.port}"
        ):
            Server(desk_of(), port=one.port)


def test_hundred_megabytes_are_refused_without_being_read():
    with Server(desk_of()) as server:
        caller = Caller(server.link)
        head = (
            f"POST /api/answer HTTP/1.1\r\nHost: {caller.host}\r\n"
            f"Cookie: pairsift-{caller.port}={caller.token}\r\n"
            "Sec-Fetch-Site: same-origin\r\nX-Pairsift: 1\r\n"
            "Content-Type: application/json\r\nContent-Length: 104857600\r\n\r\n"
        )
        with socket.create_connection(("127.0.0.1", server.port), timeout=30) as raw:
            raw.sendall(head.encode())
            # Nothing of the body is sent, and the answer is there.
            assert b" 413 " in raw.recv(4096).split(b"\r\n")[0]
        assert caller.ask("GET", "/api/about")[0] == 200


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        *[("127.0.0.1", True), ("::1", True), ("localhost", True), ("127.0.0.2", True)],
        *[("0.0.0.0", False), ("192.168.1.5", False), ("desk.example", False)],
    ],
)
def test_addresses_of_this_machine_only(address, expected):
    assert is_local(address) is expected


def test_listening_elsewhere_is_known_by_that_name_only():
    server = Server(desk_of(), address="0.0.0.0")
    try:
        assert not server.door.is_ours(f"0.0.0.0:{server.port}")
        assert server.door.is_ours(f"{socket.gethostname()}:{server.port}")
        assert server.link.startswith(f"http://{socket.gethostname()}:")
    finally:
        server.stop()


@pytest.mark.parametrize("address", ["127.0.0.2", "::1"])
def test_link_leads_to_where_it_listens(address):
    try:
        server = Server(desk_of(), address=address)
    except DataError as error:
        pytest.skip(str(error))
    host = f"[{address}]" if ":" in address else address
    assert server.link.startswith(f"http://{host}:{server.port}/#")
    assert server.door.is_ours(f"{host}:{server.port}")
    server.stop()


CHILD = """
    import sys
    import numpy as np
    import pandas as pd
    from pairsift.active import ActiveSession
    from pairsift.webapp._desk import Desk
    from pairsift.webapp._samples import Samples
    from pairsift.webapp._server import Server

    session = ActiveSession.load(sys.argv[1])
    frame = pd.DataFrame(session.X, columns=["a", "b"])
    server = Server(Desk(session, Samples(frame, None), frame))
    print(server.link, flush=True)
    server.run()
"""


def started(path):
    process = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(CHILD), str(path)],
        stdout=subprocess.PIPE,
        text=True,
    )
    return process, Caller(process.stdout.readline().strip())


@pytest.mark.slow
@pytest.mark.subprocess
@pytest.mark.skipif(os.name != "posix", reason="SIGKILL")
def test_killed_server_loses_nothing_and_counts_nothing_twice(tmp_path):
    path = tmp_path / "s.db"
    with ActiveSession(np.random.default_rng(0).normal(size=(3000, 2))) as session:
        session.save(path)
    rng = random.Random(0)
    saved, unsent = [], None
    for _ in range(N_KILLS):
        process, caller = started(path)
        # The page sends again what was not said to be saved.
        if unsent is not None:
            status, _ = caller.answer(*unsent)
            assert status in (200, 409)
            saved.append(unsent[0])
        end = time.monotonic() + rng.uniform(0.02, 0.25)
        unsent = None
        try:
            state = caller.state()
            while True:
                said = rng.choice(["new", "unsure"]) if len(saved) < 8 else "unsure"
                unsent = (state["question"]["id"], said)
                if time.monotonic() > end:
                    # Killed while the answer is on its way, at any point of it.
                    process.send_signal(9)
                status, state = caller.answer(*unsent)
                assert status == 200
                saved.append(unsent[0])
                unsent = None
        except (OSError, http.client.HTTPException, json.JSONDecodeError):
            process.wait(timeout=30)
            process.stdout.close()
        else:
            pytest.fail("the server was not killed")
    with ActiveSession.load(path) as session:
        asked = [f"c{record.rows[0]}.0" for record in session.records]
    # The last answer may be on disk although its reply was lost.
    if unsent is not None and asked[-1:] == [unsent[0]]:
        saved.append(unsent[0])
    assert asked == saved
    assert len(set(asked)) == len(asked)


@pytest.mark.slow
@pytest.mark.subprocess
@pytest.mark.skipif(sys.platform != "linux", reason="limits of another process")
@pytest.mark.skipif(
    find_spec("pairsift._memory") is None, reason="`ulimit -v` is not read yet"
)
def test_report_is_refused_under_a_limit_of_memory(tmp_path):
    import resource

    path = tmp_path / "s.db"
    X = np.random.default_rng(0).normal(size=(300, 2))
    with ActiveSession(X) as session:
        for row in range(6):
            session.place(row, "new" if row < 2 else row % 2 + 1)
        session.save(path)
    process, caller = started(path)
    try:
        assert caller.ask("GET", "/api/about")[0] == 200
        status = (Path("/proc") / str(process.pid) / "status").read_text()
        kilobytes = int(status.partition("VmSize:")[2].split()[0])
        most = 1024 * kilobytes + 40 * 2**20
        resource.prlimit(process.pid, resource.RLIMIT_AS, (most, most))
        status, said = caller.ask("GET", "/export/report.html")
        assert status == 503
        assert "the report takes about 200 MB of memory" in said["error"]
        assert caller.ask("GET", "/api/about")[0] == 200
    finally:
        process.kill()
        process.wait(timeout=30)
        process.stdout.close()
