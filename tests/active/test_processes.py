"""The file of a session among processes: forked, killed, at once, on a full disk."""

import json
import multiprocessing
import os
import subprocess
import sys
import tempfile
import textwrap
import threading
from pathlib import Path

import numpy as np
import pytest

from pairsift.active import ActiveSession
from pairsift.exceptions import StorageError
from tests.active.test_storage import events_of, saved

pytestmark = pytest.mark.subprocess
posix = pytest.mark.skipif(os.name != "posix", reason="forks and limits of POSIX")
# How often a process is killed; 200 for a night's run.
N_KILLS = int(os.environ.get("PAIRSIFT_KILLS", "20"))


def run_python(code, *arguments):
    return subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(code), *map(str, arguments)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


OTHER_PROCESS = """
    import sys
    from pairsift.active import ActiveSession
    from pairsift.exceptions import StorageError
    try:
        ActiveSession.load(sys.argv[1])
    except StorageError as error:
        print(error)
    else:
        print("opened")
"""


OTHER_USER = """
    import os, sys
    from pathlib import Path
    from pairsift.active import ActiveSession
    from pairsift.exceptions import StorageError
    # Root may write everywhere; nobody else may.
    if os.getuid() == 0:
        os.setgroups([])
        os.setgid(65534)
        os.setuid(65534)
    path = Path(sys.argv[1])
    try:
        session = ActiveSession.load(path)
        print("opened", len(session.history), session.conflicts)
        session.tell(4, 5, "same")
        print("answered")
    except StorageError as error:
        print(error)
"""


@pytest.fixture
def shared_folder():
    """A folder that other users reach, which the folders of pytest are not."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o777)
        yield folder
        folder.chmod(0o700)


@posix
def test_session_in_a_folder_to_read_is_loaded_and_takes_no_answer(shared_folder):
    path = shared_folder / "s.db"
    with saved(path) as session:
        session.tell(0, 1, "same")
    content = path.read_bytes()
    path.chmod(0o666)
    shared_folder.chmod(0o555)
    said = run_python(OTHER_USER, path).communicate(timeout=60)[0].splitlines()
    assert said[0] == "opened 1 []"
    assert f"because its folder {shared_folder} may only be read" in said[1]
    assert path.read_bytes() == content
    assert list(shared_folder.iterdir()) == [path]


@posix
@pytest.mark.parametrize("format_of_old", [True, False])
def test_session_that_may_only_be_read_is_loaded(shared_folder, format_of_old):
    path = shared_folder / "s.db"
    if format_of_old:
        old = Path(__file__).parent / "files" / "format3.pairsift-session"
        path.write_bytes(old.read_bytes())
    else:
        with saved(path) as session:
            for row in range(1, 9):
                session.tell(0, row, "same")
    path.chmod(0o444)
    said = run_python(OTHER_USER, path).communicate(timeout=60)[0].splitlines()
    assert said[0] == "opened 8 []"
    assert "takes no answers, because the file may only be read" in said[1]
    assert list(shared_folder.iterdir()) == [path]


@posix
def test_lock_left_by_another_user_shuts_nobody_out(shared_folder):
    """It may be read, as those were that have no table of their own."""
    path, lock = shared_folder / "s.db", shared_folder / "s.db.lock"
    saved(path).close()
    path.chmod(0o666)
    lock.touch()
    lock.chmod(0o444)
    said = run_python(OTHER_USER, path).communicate(timeout=60)[0].splitlines()
    assert said == ["opened 0 []", "answered"]
    assert list(shared_folder.iterdir()) == [path]


@posix
def test_lock_held_by_another_user_is_obeyed(shared_folder):
    path = shared_folder / "s.db"
    with saved(path):
        path.chmod(0o666)
        (shared_folder / "s.db.lock").chmod(0o444)
        said = run_python(OTHER_USER, path).communicate(timeout=60)[0]
    assert "s.db is in use by another process" in said


def test_two_processes_do_not_share_a_file(tmp_path):
    """Not even after this process has opened and closed the file elsewhere."""
    path = tmp_path / "s.db"
    with saved(path):
        path.read_bytes()
        events_of(path)
        said = run_python(OTHER_PROCESS, path).communicate(timeout=60)[0]
        assert "s.db is in use by another process" in said
    ActiveSession.load(path).close()
    assert [file.name for file in tmp_path.iterdir()] == ["s.db"]


def test_a_saved_session_is_loaded_beside_itself(tmp_path):
    """Both read; the first that answers goes on, and no answer is lost."""
    path = tmp_path / "s.db"
    session = saved(path)
    session.tell(0, 1, "same")
    again = ActiveSession.load(path)
    assert again.history == session.history
    again.tell(2, 3, "different")
    with pytest.raises(StorageError, match="or session has written to .*load it again"):
        session.tell(4, 5, "same")
    session.close()
    # The file stays locked until the last session of the process is closed.
    said = run_python(OTHER_PROCESS, path).communicate(timeout=60)[0]
    assert "s.db is in use by another process" in said
    again.close()
    with ActiveSession.load(path) as last:
        assert last.history == again.history
        assert len(last.history) == 2
    assert [file.name for file in tmp_path.iterdir()] == ["s.db"]


def test_one_file_has_one_lock_however_its_path_is_written(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with saved(tmp_path / "s.db"), ActiveSession.load("s.db") as again:
        again.tell(0, 1, "same")


def test_forgotten_sessions_give_their_file_free(tmp_path):
    saved(tmp_path / "s.db").tell(0, 1, "same")
    assert len(ActiveSession.load(tmp_path / "s.db").history) == 1
    ActiveSession.load(tmp_path / "s.db").close()


@posix
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_forked_child_does_not_write(tmp_path):
    path = tmp_path / "s.db"
    session = saved(path)
    session.tell(0, 1, "same")

    def answer(said):
        try:
            session.tell(2, 3, "same")
        except StorageError as error:
            said.send(str(error))
        said.send(len(session.history))
        session.close()

    context = multiprocessing.get_context("fork")
    here, there = context.Pipe()
    # A thread of the parent is in the session when it forks.
    with session._lock:
        child = context.Process(target=answer, args=(there,))
        child.start()
    assert "belongs to the process that opened it" in here.recv()
    assert here.recv() == 1
    child.join(60)
    # The child has closed its copy; the lock is still the parent's.
    said = run_python(OTHER_PROCESS, path).communicate(timeout=60)[0]
    assert "s.db is in use by another process" in said
    session.tell(4, 5, "different")
    session.close()
    assert events_of(path) == [("same", 0, 1), ("different", 4, 5)]


def test_one_of_two_processes_saves_under_a_new_name(tmp_path):
    code = """
        import sys
        import numpy as np
        from pairsift.active import ActiveSession
        from pairsift.exceptions import StorageError
        folder, number = sys.argv[1:]
        print("ready", flush=True)
        sys.stdin.readline()
        for k in range(20):
            session = ActiveSession(np.eye(5) * float(number), strategy="random")
            try:
                session.save(f"{folder}/{k}.db")
            except StorageError as error:
                print("in use" in str(error) or "exists already" in str(error))
            else:
                print("saved")
                session.close()
    """
    processes = [run_python(code, tmp_path, number) for number in (1, 2)]
    for process in processes:
        process.stdout.readline()
    for process in processes:
        process.stdin.write("\n")
        process.stdin.flush()
    said = [process.communicate(timeout=60)[0].split() for process in processes]
    for k, pair in enumerate(zip(*said, strict=True)):
        assert sorted(pair) == ["True", "saved"]
        with ActiveSession.load(tmp_path / f"{k}.db") as session:
            assert session.X[0, 0] == 1.0 + pair.index("saved")
    assert len(list(tmp_path.iterdir())) == 20


@posix
@pytest.mark.parametrize("mode", ["pairs", "cards"])
def test_killed_processes_lose_no_answer_and_invent_none(tmp_path, mode):
    """Every answer that was given is there, whenever the process is killed."""
    path = tmp_path / "s.db"
    saved(path, 200).close()
    # Forks of one process, which has imported everything, are quick.
    code = """
        import json, os, sys, warnings
        from pairsift.active import ActiveSession
        warnings.simplefilter("ignore")
        path, mode = sys.argv[1:]
        for _ in sys.stdin:
            child = os.fork()
            if child == 0:
                session = ActiveSession.load(path)
                print(os.getpid(), flush=True)
                for k in range(10_000):
                    answer = ("same", "different", "unsure")[k % 3]
                    if mode == "pairs":
                        session.tell(*session.ask(), answer)
                    else:
                        card = session.ask_card()
                        pile = card.piles[0].number if k % 5 and card.piles else "new"
                        session.place(card.row, pile if k % 7 else "unsure")
                    told = json.dumps(session.history[-1]) + chr(10)
                    os.write(1, told.encode())  # at once, or not at all
            os.waitpid(child, 0)
            print("killed", flush=True)
    """
    rng = np.random.default_rng(0)
    process = run_python(code, path, mode)
    told = []
    for _ in range(N_KILLS // 2):
        process.stdin.write("\n")
        process.stdin.flush()
        child = int(process.stdout.readline())
        threading.Timer(rng.random() * 0.1, os.kill, (child, 9)).start()
        while (line := process.stdout.readline()) != "killed\n":
            told.append(json.loads(line))
        with ActiveSession.load(path) as session:
            history = json.loads(json.dumps(session.history))
        assert history[: len(told)] == told
        assert len(history) - len(told) in (0, 1)
        told = history
        if len(told) > 100:
            path.unlink()
            saved(path, 200).close()
            told = []
    process.communicate(timeout=60)


@posix
def test_full_disk_leaves_no_half_file_and_loses_no_answer(tmp_path):
    """The limit of a file's size is a disk that fills."""
    code = """
        import resource, sys
        import numpy as np
        from pairsift.active import ActiveSession
        from pairsift.exceptions import StorageError

        def limit(size):
            resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))

        session = ActiveSession(np.random.rand(200, 20), strategy="random")
        limit(20_000)
        try:
            session.save(sys.argv[1])
        except StorageError as error:
            print("could not" in str(error) or "cannot" in str(error), flush=True)
        sys.stdin.readline()
        limit(resource.RLIM_INFINITY)
        session.save(sys.argv[1])
        session.tell(*session.ask(), "same")
        limit(4_000)
        try:
            session.tell(*session.ask(), "same")
        except StorageError as error:
            print("the answer could not be written" in str(error))
        print(len(session.history))
        limit(resource.RLIM_INFINITY)
        session.tell(*session.ask(), "different")
        print(*session.history[-1])
        session.close()
    """
    process = run_python(code, tmp_path / "s.db")
    assert process.stdout.readline() == "True\n"
    assert list(tmp_path.iterdir()) == []
    said = process.communicate("\n", timeout=60)[0].splitlines()
    assert said[0] == "True"
    assert [file.name for file in tmp_path.iterdir()] == ["s.db"]
    with ActiveSession.load(tmp_path / "s.db") as session:
        assert len(session.history) == int(said[1]) + 1 == 2
        assert " ".join(map(str, session.history[-1])) == said[2]
