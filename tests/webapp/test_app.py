"""The routes: answers, stale questions, piles, exports, and text that stays text."""

import csv
import io
import json
import os
import sqlite3
import time
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from pairsift import SemiMRMR
from pairsift.active import ActiveSession
from pairsift.exceptions import StorageError
from pairsift.webapp import Looks, find_images
from tests.webapp.client import Client, desk_of, frame_of, sort_by

KINDS = [row % 3 for row in range(40)]
NASTY = [
    "<script>alert(1)</script>",
    "\u202egnp.exe",
    "=HYPERLINK(1)",
    "a\tb",
    "<b>",
    "@x",
]


@pytest.fixture
def client():
    return Client(desk_of())


def by_name(reply):
    return list(csv.DictReader(io.StringIO(reply.body.decode())))


# ------------------------------------------------------------------------------- cards


def test_the_next_card_is_prepared_and_shown_as_without(client):
    prepared = Client(desk_of())
    for k in range(8):
        state = client.state()
        assert prepared.state() == state
        prepared.desk._prepare()
        before = prepared.desk.samples._places.cache_info().misses
        for one in (client, prepared):
            one.answer("new" if k < 3 else state["question"]["order"][0], state=state)
        # Nothing was left to find out about the values of the next card.
        assert prepared.desk.samples._places.cache_info().misses == before, k


def test_cards_are_sorted_onto_piles(client):
    about = client.get("/api/about").json
    assert (about["title"], about["rows"], about["looks"]) == (
        "things.csv",
        40,
        "table",
    )
    piles = sort_by(client, KINDS, 12)
    state = client.state()
    assert state["counts"] == {
        "cards": 12,
        "sorted": 12,
        "same": 0,
        "different": 0,
        "unsure": 0,
    }
    assert sorted(pile["number"] for pile in state["piles"]) == sorted(piles.values())
    assert [pile["key"] for pile in state["piles"]] == [1, 2, 3]
    question = state["question"]
    assert question["kind"] == "card"
    # The likeliest pile first, with the row that is compared.
    assert sorted(question["order"]) == [1, 2, 3]
    assert len(question["others"]) == 3
    assert len(question["table"]["cells"]) == 4
    kind = KINDS[question["sample"]["row"]]
    assert question["order"][0] == piles[kind]


def test_first_card_begins_a_pile(client):
    state = client.state()
    assert state["question"]["others"] == []
    assert state["piles"] == []
    after = client.answer("new").json
    assert [pile["size"] for pile in after["piles"]] == [1]


def test_question_is_the_same_until_it_is_answered(client):
    assert client.state() == client.state()


def test_answer_counts_once(client):
    state = client.state()
    assert client.answer("new", state=state).status == 200
    reply = client.answer("new", state=state)
    assert reply.status == 409
    assert reply.json["is_stale"]
    assert "answered already" in reply.error
    assert client.state()["counts"]["cards"] == 1


def test_second_tab_gets_the_present_question(client):
    first, second = client.state(), client.state()
    client.answer("new", state=first)
    assert client.answer("unsure", state=second).status == 409
    assert client.state()["question"]["id"] != first["question"]["id"]


def test_answer_before_an_undo_is_stale_after_it(client):
    state = client.state()
    client.answer("new", state=state)
    assert client.act("undo").status == 200
    again = client.state()
    assert again["question"]["sample"] == state["question"]["sample"]
    assert again["question"]["id"] != state["question"]["id"]
    assert client.answer("unsure", state=state).status == 409


def test_question_id_survives_a_restart(tmp_path):
    path = tmp_path / "s.db"
    desk = desk_of(path=path)
    client = Client(desk)
    client.answer("new")
    state = client.state()
    desk.session.close()
    again = desk_of()
    again.session = ActiveSession.load(path)
    client = Client(again)
    assert client.state()["question"] == state["question"]
    assert client.answer(1, state=state).status == 200
    assert client.answer(1, state=state).status == 409
    again.session.close()


def test_undo_and_redo_take_the_version_they_saw(client):
    client.answer("new")
    version = client.state()["version"]
    assert client.post("undo", version=version).status == 200
    assert client.post("undo", version=version).status == 409
    assert client.state()["can_redo"]
    assert client.act("redo").json["counts"]["cards"] == 1
    assert "no answer taken back" in client.act("redo").error


def test_all_sorted_is_the_end():
    client = Client(desk_of(frame_of(4)))
    sort_by(client, KINDS, 4)
    state = client.state()
    assert state["question"]["kind"] == "end"
    reply = client.answer("new", state=state)
    assert reply.status == 409
    assert client.act("undo").json["question"]["kind"] == "card"


def test_unsure_card_is_counted_and_not_asked_again(client):
    row = client.state()["question"]["sample"]["row"]
    after = client.answer("unsure").json
    assert after["counts"]["unsure"] == 1
    assert after["question"]["sample"]["row"] != row


# ------------------------------------------------------------------------------- pairs


def test_pairs_are_answered(client):
    client.mode = "pairs"
    for _ in range(8):
        question = client.state()["question"]
        i, j = question["sample"]["row"], question["others"][0]["row"]
        said = "same" if KINDS[i] == KINDS[j] else "different"
        assert client.answer(said).status == 200
    counts = client.state()["counts"]
    assert counts["same"] + counts["different"] == 8
    assert client.answer(3).status == 409


def test_card_is_not_same_or_different(client):
    client.answer("new")
    reply = client.answer("same")
    assert reply.status == 409
    assert "there is no pile 'same'" in reply.error


# ------------------------------------------------------------------------------- piles


def test_piles_are_looked_into_named_merged_and_changed(client):
    piles = sort_by(client, KINDS, 12)
    one, two, _ = piles.values()
    found = client.get("/api/pile", pile=one).json
    assert found["size"] == len(found["members"]) > 1
    row = found["members"][0]["row"]
    assert client.act("rename", pile=one, name="large").status == 200
    after = client.act("move", row=row, pile=two).json
    assert after["labels"][str(row)] == two
    after = client.act("merge", pile=one, other=two).json
    assert len(after["piles"]) == 2
    assert {"large", ""} == {pile["name"] for pile in after["piles"]}
    for _ in range(3):
        after = client.act("undo").json
    assert after["labels"][str(row)] == one
    assert client.get("/api/pile", pile=99).status == 409
    assert client.get("/api/card", row=row).json["pile"] == one
    assert client.get("/api/card", row=40).status == 409


def test_contradiction_shows_its_chain_and_answers(client):
    session = client.desk.session
    session.place(0, "new")
    session.place(1, 1)
    session.tell(1, 2, "same")
    with pytest.warns(UserWarning, match="this answer contradicts others"):
        session.tell(0, 2, "different")
    (conflict,) = client.state()["conflicts"]
    assert conflict["chain"] in (["0", "1", "2"], ["2", "1", "0"])
    links = {frozenset(link["rows"]): link for link in conflict["answers"]}
    assert links[frozenset((0, 2))]["answer"] == "different"
    assert links[frozenset((0, 2))]["is_pair"]
    assert links[frozenset((0, 1))]["card"] == 1
    after = client.act("retell", rows=[0, 2], answer="same").json
    assert after["conflicts"] == []


def test_opinion_is_hidden_until_asked_for_and_then_recorded(client):
    sort_by(client, KINDS, 15)
    state = client.state()
    assert "chance" not in json.dumps(state)
    reply = client.post("opinion", question=state["question"]["id"])
    chances = {c["pile"]: c["chance"] for c in reply.json["chances"]}
    assert chances.keys() == {1, 2, 3}
    assert max(chances, key=chances.get) == state["question"]["order"][0]
    assert client.desk.session.records[-1].kind == "opinion"
    # It is no answer: the question stays, and so does what can be undone.
    assert client.state() == state
    assert client.post("opinion", question="c9.9").status == 409
    client.answer(state["question"]["order"][0])
    lines = client.get("/export/answers.jsonl").body.decode().splitlines()
    seen = [json.loads(line) for line in lines]
    assert [line["saw_opinion"] for line in seen[-2:]] == [True, True]
    assert not any(line["saw_opinion"] for line in seen[:-2])


# ----------------------------------------------------------------------------- samples


def test_more_columns_are_searched_and_compared():
    wide = pd.DataFrame({f"column {j}": [0.0, j, 1.0, 2.0] for j in range(90)})
    client = Client(desk_of(wide))
    client.answer("new")
    table = client.state()["question"]["table"]
    assert (len(table["columns"]), table["total"]) == (40, 90)
    found = client.get("/api/compare", rows="0,1", find="column 8").json
    assert found["total"] == 11
    assert found["columns"][0] in {"column 89", "column 8"} | set(found["columns"])
    assert client.get("/api/compare", rows="0,99").status == 409
    assert client.get("/api/compare", rows="x").status == 400


def test_pictures_are_served_by_number_and_from_their_folder(tmp_path):
    folder = tmp_path / "photos"
    folder.mkdir()
    (folder / "a.png").write_bytes(b"\x89PNG picture")
    (folder / "notes.txt").write_text("private")
    (tmp_path / "secret.png").write_bytes(b"secret")
    cells = ["a.png", "", "missing.png", "notes.txt", "a\0.png", None]
    images = find_images(cells, folder)
    assert images.files == [folder / "a.png", None, None, None, None, None]
    client = Client(desk_of(frame_of(6), Looks(images=images)))
    reply = client.get("/image/0")
    assert reply.body == b"\x89PNG picture"
    assert reply.headers["content-type"] == "image/png"
    # The next picture is loaded while this one is looked at.
    question = client.state()["question"]
    after = client.answer("new").json["question"]
    assert question["ahead"] == after["sample"]["image"]
    for path in (
        "/image/1",
        "/image/6",
        "/image/-1",
        "/image/../secret.png",
        "/image/a",
    ):
        assert client.get(path).status == 404


@pytest.mark.parametrize("cell", ["../secret.png", "/etc/passwd", "x/../../secret.png"])
def test_pictures_outside_of_the_folder_are_refused(tmp_path, cell):
    (tmp_path / "photos").mkdir()
    with pytest.raises(ValueError, match="is outside of"):
        find_images([cell], tmp_path / "photos")


def test_link_out_of_the_folder_is_refused(tmp_path):
    folder = tmp_path / "photos"
    folder.mkdir()
    (tmp_path / "secret.png").write_bytes(b"secret")
    (folder / "a.png").symlink_to(tmp_path / "secret.png")
    with pytest.raises(ValueError, match="is outside of"):
        find_images(["a.png"], folder)


def served_pictures(tmp_path):
    """Make a folder of pictures with a secret beside it, and a client."""
    folder = tmp_path / "photos"
    (folder / "deep").mkdir(parents=True)
    (folder / "a.png").write_bytes(b"picture a")
    (folder / "b.jpg").write_bytes(b"picture b")
    (folder / "deep" / "c.png").write_bytes(b"picture c")
    (folder / "notes.txt").write_bytes(b"notes")
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "c.png").write_bytes(b"secret")
    images = find_images(["a.png", "b.jpg", "deep/c.png"], folder)
    return folder, Client(desk_of(frame_of(3), Looks(images=images)))


def replace_by_link(path, target):
    path.unlink()
    path.symlink_to(target)


def test_picture_that_becomes_a_link_gives_nothing_away(tmp_path):
    folder, client = served_pictures(tmp_path)
    replace_by_link(folder / "a.png", tmp_path / "outside" / "c.png")
    assert client.get("/image/0").status == 404
    replace_by_link(folder / "a.png", "/etc/passwd")
    assert client.get("/image/0").status == 404
    replace_by_link(folder / "a.png", "notes.txt")
    assert client.get("/image/0").status == 404
    replace_by_link(folder / "a.png", "a.png")
    assert client.get("/image/0").status == 404
    (folder / "deep").rename(tmp_path / "moved")
    (folder / "deep").symlink_to(tmp_path / "outside")
    assert client.get("/image/2").status == 404
    # A link to another picture of the folder is as good as a file.
    replace_by_link(folder / "a.png", "b.jpg")
    reply = client.get("/image/0")
    assert (reply.body, reply.headers["content-type"]) == (b"picture b", "image/jpeg")


@pytest.mark.parametrize("place", ["file", "folder", "root"])
def test_link_made_after_the_check_is_not_followed(tmp_path, monkeypatch, place):
    folder, client = served_pictures(tmp_path)
    resolve = Path.resolve

    def resolve_and_replace(self):
        found = resolve(self)
        if place == "file":
            replace_by_link(folder / "deep" / "c.png", tmp_path / "outside" / "c.png")
        elif place == "folder":
            (folder / "deep").rename(tmp_path / "moved")
            (folder / "deep").symlink_to(tmp_path / "outside")
        else:
            (tmp_path / "outside").rename(tmp_path / "deep")
            folder.rename(tmp_path / "moved")
            folder.symlink_to(tmp_path)
        return found

    monkeypatch.setattr(Path, "resolve", resolve_and_replace)
    assert client.get("/image/2").status == 404


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes with a name")
def test_picture_that_becomes_something_else_is_not_found(tmp_path):
    folder, client = served_pictures(tmp_path)
    (folder / "a.png").unlink()
    os.mkfifo(folder / "a.png")
    (folder / "b.jpg").unlink()
    (folder / "b.jpg").mkdir()
    (folder / "deep" / "c.png").unlink()
    assert [client.get(f"/image/{row}").status for row in range(3)] == [404] * 3


@pytest.mark.parametrize(
    "path",
    ["/static/../_app.py", "/static/%2e%2e/_app.py", "/static/..", "/static/_app.py"],
)
def test_only_the_page_is_served(client, path):
    assert client.get(path).status == 404


# ----------------------------------------------------------------------------- exports


def test_exports_hold_what_was_said(client):
    sort_by(client, KINDS, 12)
    labels = by_name(client.get("/export/labels.csv"))
    assert len(labels) == 12
    known = client.desk.session.labels
    assert all(int(line["pile"]) == known[int(line["row"])] for line in labels)
    pairs = by_name(client.get("/export/constraints.csv"))
    said = client.desk.session.constraints
    assert len(pairs) == said.n_must_link + said.n_cannot_link
    ranking = by_name(client.get("/export/ranking.csv"))
    assert [line["rank"] for line in ranking] == ["1", "2", "3"]
    # The colour tells the kinds apart exactly.
    assert ranking[0]["feature"] == "colour"
    lines = client.get("/export/answers.jsonl").body.decode().splitlines()
    first = json.loads(lines[0])
    assert (first["kind"], first["seconds"], first["shown"]) == ("new", 1.5, [])
    assert first["question"] == "card"
    assert first["time"].endswith("+00:00")
    reply = client.get("/export/labels.csv")
    assert reply.headers["content-disposition"] == 'attachment; filename="labels.csv"'
    assert client.get("/export/secrets.csv").status == 404


def test_report_is_one_page_of_its_own():
    frame = frame_of()
    frame.loc[3, "size"] = None
    client = Client(desk_of(frame))
    sort_by(client, KINDS, 12)
    client.act("rename", pile=1, name="large")
    reply = client.get("/export/report.html")
    text = reply.body.decode()
    assert reply.status == 200
    assert "Features of things.csv" in text
    assert "changes of piles" in text
    assert "Missing values are filled" in text
    assert "colour" in text
    assert "<script" not in text


def test_full_temporary_folder_stops_neither_report_nor_import(
    client, tmp_path, monkeypatch
):
    sort_by(client, KINDS, 12)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "full"))
    reply = client.get("/export/report.html")
    assert reply.status == 200
    assert b"Features of things.csv" in reply.body
    reply = client.post("import", text="\ufeffa;b;link\r\n30;31;same\r\n")
    assert reply.status == 200, reply.body
    assert client.post("import", text="a;b;link\r0;1;x\r").error == (
        "the file line 2: link is 'x', accepted are 'must' or 'same', and 'cannot' or "
        "'different'."
    )


def test_report_is_refused_before_memory_runs_out(client, monkeypatch):
    sort_by(client, KINDS, 12)
    written = []
    monkeypatch.setattr(
        "pairsift.webapp._exports.session_page", lambda *_, **__: written.append(1)
    )
    monkeypatch.setattr("pairsift.webapp._exports.available_memory", lambda: 150e6)
    reply = client.get("/export/report.html")
    assert reply.status == 503
    assert "the report takes about 200 MB of memory, and 150 MB are" in reply.error
    assert "all answers are kept" in reply.error
    assert not written
    assert client.get("/export/labels.csv").status == 200


def test_want_of_memory_is_said_in_a_sentence(client, monkeypatch):
    def fail(*_, **__):
        raise MemoryError

    monkeypatch.setattr("pairsift.webapp._exports.session_page", fail)
    reply = client.get("/export/report.html")
    assert (reply.status, "not enough memory" in reply.error) == (503, True)
    monkeypatch.setattr("pairsift.webapp._app.import_constraints", fail)
    assert client.post("import", text="a,b,link\n").status == 503


def test_the_page_ranks_as_the_commands_do(client):
    sort_by(client, KINDS, 12)
    lines = by_name(client.get("/export/ranking.csv"))
    desk = client.desk
    expected = SemiMRMR(least_redundancy=0.05).fit(desk.frame, desk.session.labels)
    assert [line["feature"] for line in lines] == [
        desk.features[j] for j in expected.order_
    ]
    assert [float(line["score"]) for line in lines] == pytest.approx(
        np.sort(expected.scores_)[::-1], rel=1e-5
    )
    text = client.get("/export/report.html").body.decode()
    assert "least_redundancy" in text
    assert "0.05" in text


def test_ranking_needs_two_piles(client):
    reply = client.get("/export/ranking.csv")
    assert reply.status == 409
    assert "from two piles on" in reply.error


def test_exported_pairs_come_back(client):
    sort_by(client, KINDS, 9)
    text = client.get("/export/constraints.csv").body.decode()
    other = Client(desk_of())
    reply = other.post("import", text=text)
    said = client.desk.session.constraints
    assert reply.json["taken"] == said.n_must_link + said.n_cannot_link
    assert other.desk.session.constraints == said
    assert other.post("import", text=text).json["taken"] == 0
    wrong = other.post("import", text="a,b\n1,2\n")
    assert wrong.status == 409
    assert wrong.error.startswith("the file lacks the column 'link'")


# ------------------------------------------------------------------------- nasty texts


def test_nasty_texts_are_data_and_nothing_else():
    ids = NASTY + [f"id {k}" for k in range(34)]
    frame = frame_of().rename(columns={"weight": "<img src=x onerror=alert(1)>"})
    frame["colour"] = [NASTY[k % 6] for k in range(40)]
    client = Client(desk_of(frame, ids=ids), person="<i>\u202e\x00Ann</i>")
    for row, pile in [(0, "new"), (1, 1), (2, "new"), (5, 1)]:
        client.desk.session.place(row, pile)
    after = client.act("rename", pile=1, name="<script>\x00\u202e=x").json
    assert {p["name"] for p in after["piles"]} == {"", "<script>=x"}
    assert client.desk.session.records[-1].person == "<i>Ann</i>"
    labels = by_name(client.get("/export/labels.csv"))
    assert labels[0]["row"] == "<script>alert(1)</script>"
    assert labels[2]["row"] == "'=HYPERLINK(1)"
    text = client.get("/export/constraints.csv").body.decode()
    other = Client(desk_of(frame, ids=ids))
    assert other.post("import", text=text).status == 200
    assert other.desk.session.constraints == client.desk.session.constraints
    assert client.get("/api/pile", pile=1).status == 200
    assert "charset=utf-8" in client.get("/export/labels.csv").headers["content-type"]


def test_lone_surrogates_do_not_reach_the_file(client):
    client.answer("new")
    reply = client.post(
        "rename", version=client.state()["version"], pile=1, name="\ud800x"
    )
    assert reply.status == 200
    assert reply.json["piles"][0]["name"] == "x"


# ------------------------------------------------------------------------------- disks


def test_answer_that_is_not_on_disk_is_not_saved(tmp_path, monkeypatch):
    desk = desk_of(path=tmp_path / "s.db")
    client = Client(desk)
    state = client.state()

    def full(*_):
        raise StorageError("the answer could not be written: disk is full.")

    with monkeypatch.context() as patched:
        patched.setattr("pairsift.active._storage.SessionFile.append", full)
        reply = client.answer("new", state=state)
        assert reply.status == 503
        assert "disk is full" in reply.error
    # The page sends it again.
    assert client.answer("new", state=state).status == 200
    kinds = sqlite3.connect(tmp_path / "s.db").execute("SELECT kind FROM events")
    assert kinds.fetchall() == [("new",)]
    desk.session.close()


def test_insight_follows_the_answers(client):
    sort_by(client, KINDS, 12)
    assert client.get("/api/insight").json["version"] == -1
    client.desk.insight.look()
    found = client.get("/api/insight").json
    assert found["version"] == client.state()["version"]
    assert found["features"][0]["name"] == "colour"
    assert len(found["settled"]) == 12
    assert client.get("/api/map").json["map"] is None
    client.desk.start()
    client.desk.stop()


def test_ranking_that_fails_is_told(client, monkeypatch):
    def fail(_):
        raise ValueError("no ranking today")

    insight = client.desk.insight
    monkeypatch.setattr(insight, "look", lambda: fail(None))
    insight.worker.start()
    for _ in range(200):
        if "error" in insight.latest():
            break
        time.sleep(0.05)
    insight.worker.stop()
    assert insight.latest()["error"] == "no ranking today"


def test_warnings_of_the_process_stay_as_they_are():
    before = list(warnings.filters)
    client = Client(desk_of())
    session = client.desk.session
    session.place(0, "new")
    session.place(1, 1)
    session.tell(1, 2, "same")
    client.act("retell", rows=[0, 2], answer="different")
    assert len(client.state()["conflicts"]) == 1
    assert warnings.filters == before
    # Whoever answers elsewhere is still warned.
    session.undo()
    with pytest.warns(UserWarning, match="this answer contradicts others"):
        session.tell(0, 2, "different")
