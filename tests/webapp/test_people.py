"""Several people: cards of their own, cards for two, and agreement."""

import random

import pytest

from pairsift.active import Note
from pairsift.webapp._people import (
    SECONDS_HELD,
    Holds,
    agreement,
    disagreements,
    krippendorff_alpha,
    second_card,
)
from tests.webapp.client import Client, desk_of


def test_alpha_of_two_people_by_its_definition():
    units = list(zip("abbbbbabaa", "bbabcabbca", strict=True))
    values = [value for unit in units for value in unit]
    observed = sum(a != b for a, b in units) / len(units)
    n = len(values)
    expected = sum(a != b for a in values for b in values) / (n * (n - 1))
    assert krippendorff_alpha(units) == pytest.approx(1 - observed / expected)


def alpha_in_loops(units):
    """Krippendorff (2011): 1 - observed / expected disagreement, pair by pair."""
    pairable = [unit for unit in units if len(unit) > 1]
    values = [value for unit in pairable for value in unit]
    observed = expected = 0.0
    for unit in pairable:
        for i, a in enumerate(unit):
            for j, b in enumerate(unit):
                if i != j and a != b:
                    observed += 1 / (len(unit) - 1)
    for i, a in enumerate(values):
        for j, b in enumerate(values):
            if i != j and a != b:
                expected += 1 / (len(values) - 1)
    return 1 - observed / expected


def test_alpha_is_that_of_plain_loops():
    rng = random.Random(0)
    for _ in range(30):
        units = [
            [rng.randrange(3) for _ in range(rng.randrange(1, 5))] for _ in range(12)
        ]
        assert krippendorff_alpha(units) == pytest.approx(alpha_in_loops(units))


def test_alpha_of_the_twelve_units_with_gaps():
    """The reliability data of Krippendorff (2011), section C: alpha is 0.743."""
    rows = [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
        [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
    ]
    units = [[v for v in unit if v is not None] for unit in zip(*rows, strict=True)]
    assert krippendorff_alpha(units) == pytest.approx(0.743, abs=5e-4)


def test_alpha_needs_two_values_that_differ():
    assert krippendorff_alpha([]) is None
    assert krippendorff_alpha([["a"], ["b"]]) is None
    assert krippendorff_alpha([["a", "a"], ["a", "a"]]) is None
    assert krippendorff_alpha([["a", "a"], ["b", "b"]]) == 1.0


def test_people_get_different_cards():
    desk = desk_of(share=0.0)
    ann, ben = Client(desk, "Ann"), Client(desk, "Ben")
    first, second = ann.state()["question"], ben.state()["question"]
    assert first["sample"]["row"] != second["sample"]["row"]
    # Both keep theirs when the other answers.
    assert ben.answer("new", state={"question": second}).status == 200
    assert ann.state()["question"]["id"] == first["id"]
    assert ann.answer("new", state={"question": first}).status == 200
    assert {r.person for r in desk.session.records} == {"Ann", "Ben"}


def test_card_of_a_person_who_left_is_given_to_others(monkeypatch):
    holds = Holds()
    monkeypatch.setattr("time.monotonic", lambda: 0.0)
    holds.take("Ann", "card", 3)
    assert holds.others("Ben") == {3}
    assert holds.others("Ann") == set()
    monkeypatch.setattr("time.monotonic", lambda: SECONDS_HELD + 1)
    assert holds.others("Ben") == set()


def two_people(share=1.0):
    """Ann has sorted four cards onto two piles; Ben has yet to begin."""
    desk = desk_of(share=share)
    for row, pile in [(0, "new"), (1, "new"), (3, 1), (4, 2)]:
        desk.session.place(row, pile, note=Note("Ann"))
    return desk, Client(desk, "Ben")


def test_share_of_cards_is_given_to_two_people_and_moves_nothing():
    desk, ben = two_people()
    rows = []
    for _ in range(4):
        question = ben.state()["question"]
        assert question["kind"] == "card"
        rows.append(question["sample"]["row"])
        before = desk.session.piles
        assert ben.answer(1).status == 200
        assert desk.session.piles == before
    assert sorted(rows) == [0, 1, 3, 4]
    # All are answered twice now: the next one is new.
    assert ben.state()["question"]["sample"]["row"] not in rows
    found = ben.get("/api/people").json
    assert found["twice"] == 4
    assert found["same"] == 2
    assert found["alpha"] == pytest.approx(
        krippendorff_alpha([[1, 1], [2, 1], [1, 1], [2, 1]])
    )


def test_disagreement_is_settled_by_a_person():
    desk, ben = two_people()
    while ben.state()["question"]["sample"]["row"] != 3:
        ben.answer("unsure")
    ben.answer(2)
    (open_one,) = disagreements(desk.session.records, desk.session.labels)
    assert open_one == (3, [("Ann", 1), ("Ben", 2)], False)
    assert desk.session.labels[3] == 1
    ben.act("move", row=3, pile=2)
    (settled,) = disagreements(desk.session.records, desk.session.labels)
    assert settled.is_settled
    assert desk.session.labels[3] == 2


def test_no_second_card_without_a_share_or_another_person():
    desk, _ = two_people()
    records, labels = desk.session.records, desk.session.labels
    assert second_card(records, labels, "Ben", 0.0) is None
    assert second_card(records, labels, "Ann", 1.0) is None
    assert second_card(records, labels, "Ben", 1.0) == 0
    assert agreement(records, labels)["people"] == [{"name": "Ann", "answers": 4}]


def test_answers_of_others_are_not_undone():
    _, ben = two_people()
    reply = ben.act("undo")
    assert reply.status == 409
    assert "the last answer is by Ann" in reply.error
    ben.answer("unsure")
    assert ben.act("undo").status == 200
