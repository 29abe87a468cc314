"""``pairsift query`` by script, card by card."""

import re

import numpy as np
import pandas as pd
import pytest

from pairsift import SemiMRMR
from pairsift.active import ActiveSession
from pairsift.cli._query import ModeName
from pairsift.constraints import PairConstraints
from tests.cli.sessions import session_of, written_by


@pytest.fixture
def groups(tmp_path):
    """Sixty rows in three groups that the columns a and b tell apart."""
    rng = np.random.default_rng(1)
    frame = pd.DataFrame(rng.normal(size=(60, 5)), columns=list("vwabc"))
    frame["a"] += 8.0 * (np.arange(60) % 3 == 0)
    frame["b"] += 8.0 * (np.arange(60) % 3 == 1)
    path = tmp_path / "data.csv"
    frame.to_csv(path, index=False)
    return path


def sorted_by_group(data, n_cards, wrong=()):
    """Return the keys of a person who sorts by group, and mistakes some cards."""
    frame = pd.read_csv(data)
    session = ActiveSession((frame - frame.min()) / (frame.max() - frame.min()))
    keys = []
    for k in range(n_cards):
        card = session.ask_card()
        same = [p.number for p in card.piles if (p.rows[0] - card.row) % 3 == 0]
        key = same[0] if same else "new"
        if k in wrong:
            key = next(p.number for p in card.piles if p.number != key)
        session.place(card.row, key)
        keys.append(str(key)[0])
    return keys, session


def cards(stderr):
    """Return the rows in the order they were asked."""
    return [int(row) for row in re.findall(r"card \d+ of \d+: row (\d+) ", stderr)]


def test_cards_from_a_pipe_reach_the_session_and_the_file(run, groups):
    keys, expected = sorted_by_group(groups, 12)
    result = run("query", groups, answers="\n".join(keys))
    history, constraints = session_of(groups)

    assert result.exit_code == 0, result.stderr
    assert history == expected.history
    assert written_by(groups) == constraints
    assert cards(result.stderr)[:12] == [said.row for said in expected.history]
    sizes = ", ".join(str(len(rows)) for rows in expected.piles)
    assert f"12 of 30 answers (12 cards, 3 piles of {sizes} rows" in result.stderr


def test_it_ends_with_the_ranking_of_the_piles(run, groups, strict_json):
    keys, session = sorted_by_group(groups, 15)
    result = run("query", groups, "--json", answers="\n".join(keys))
    summary = strict_json(result.stdout)
    best = SemiMRMR("auto").fit(pd.read_csv(groups), session.labels)
    names = best.feature_names_in_[best.order_].tolist()

    assert summary["method"] == "semi-mrmr"
    assert [line["feature"] for line in summary["ranking"]] == names
    assert summary["best_features"] == names[:5]
    chosen = [line["feature"] for line in summary["ranking"] if line["selected"]]
    assert chosen == names[: best.n_features_to_select_]
    assert sorted(chosen) == ["a", "b"]
    assert "semi-mrmr would choose 2 of 5 features: " in result.stderr
    assert (summary["mode"], summary["n_cards"], summary["n_unsure"]) == (
        "cards",
        15,
        0,
    )
    assert summary["piles"] == session.piles
    assert summary["settled"] == session.settled
    printed = run("query", groups, answers="").stdout
    assert printed.splitlines()[1].split("\t")[1] == names[0]


def test_when_to_stop_is_said(run, groups):
    keys, session = sorted_by_group(groups, 25)
    result = run("query", groups, answers="\n".join(keys))

    assert session.settled == 1.0
    assert "the best features have not changed for 8 answers" in result.stderr
    few = run("query", groups, "--session", groups.with_name("s"), "--out",
              groups.with_name("o.csv"), answers="\n".join(keys[:4]))  # fmt: skip
    assert "have not changed" not in few.stderr


def test_the_published_strategy_says_how_many_answers_it_needs(run, groups):
    frame = pd.read_csv(groups)
    X = (frame - frame.min()) / (frame.max() - frame.min())
    session = ActiveSession(X, strategy="eigenvector")
    session.tell(*session.ask(), "different")
    n_needed = session.suggested_questions_
    result = run("query", groups, "--strategy", "eigenvector", answers="d\n")

    assert f"at least {n_needed} answer" in result.stderr


def test_keys_and_words_and_numbers_place_cards(run, groups):
    answers = ["n", "new", "N", "3", "unsure", "2", "u"]
    run("query", groups, answers="\n".join(answers))
    said = [card.answer for card in session_of(groups)[0]]

    assert said == ["new", "new", "new", 3, "unsure", 2, "unsure"]


def test_piles_after_the_ninth_have_letters_and_numbers(run, groups):
    answers = "\n".join([*["n"] * 14, "a", "C", "10", "11", "#12", "f"])
    result = run("query", groups, answers=answers)
    said = [card.answer for card in session_of(groups)[0]]

    assert said[14:] == [10, 11, 10, 11, 12, 13]
    assert "piles: " in result.stderr
    assert " a row " in result.stderr


@pytest.mark.parametrize("key", ["3", "0", "s", "d", "a", "12", "pile 1", ""])
def test_a_key_without_a_pile_is_no_answer(run, groups, key):
    result = run("query", groups, answers=f"n\nn\n{key}\n")

    assert "is no answer: 1 2 pile, n new, u unsure, z undo" in result.stderr
    assert len(session_of(groups)[0]) == 2


def test_undo_and_redo_go_any_number_of_steps(run, groups):
    result = run("query", groups, answers="n\n1\nn\nz\nz\nz\nz\ny\ny\ny\ny\nz\n")

    assert [card.answer for card in session_of(groups)[0]] == ["new", 1]
    assert result.stderr.count("there is no answer to take back") == 1
    assert result.stderr.count("there is no answer taken back to give again") == 1
    assert re.search(r"taken back: row \d+ on a new pile\.", result.stderr)
    assert re.search(r"given again: row \d+ on pile 1\.", result.stderr)
    # Steps are counted in what was asked, too: card 4, 3, 2, 1, 1, 2, 3, 4, 4, 3.
    numbers = re.findall(r"card (\d+) of 30", result.stderr)
    assert "".join(numbers[3:]) == "4321123443"
    constraints = session_of(groups)[1]
    assert written_by(groups) == constraints


def test_redo_works_for_pairs_too(run, groups):
    run("query", groups, "--mode", "pairs", answers="d\nd\nz\nz\ny\n")

    assert [answer.answer for answer in session_of(groups)[0]] == ["different"]
    assert written_by(groups).n_cannot_link == 1


def test_modes_are_freely_mixed_in_one_session(run, groups):
    run("query", groups, answers="n\nn\n")
    pairs = run("query", groups, "--mode", "pairs", answers="s\n")
    last = run("query", groups, answers="1\n")
    history, constraints = session_of(groups)

    assert [len(said) for said in history] == [4, 4, 3, 4]
    assert "question 3 of 30: row" in pairs.stderr
    assert "card 4 of 30: row" in last.stderr
    assert "4 of 30 answers (3 cards, 2 piles of" in last.stderr
    assert "1 same, 0 different, 0 unsure" in last.stderr
    assert written_by(groups) == constraints


def test_a_strategy_of_pairs_asks_pairs_also_when_it_goes_on(run, refused, groups):
    first = run("query", groups, "--strategy", "random", answers="d\n")
    second = run("query", groups, answers="d\n")
    third = run("query", groups, "--mode", "cards", answers="n\n")

    assert "question 1 of 30" in first.stderr
    assert "question 2 of 30" in second.stderr
    assert "card 3 of 30" in third.stderr
    said = refused("query", groups, "--mode", "cards", "--strategy", "random")
    assert "--mode cards goes with --strategy sort, not random: leave one out" in said


def test_the_modes_are_those_of_the_library():
    from pairsift.active._asking import MODES

    assert set(ModeName) == set(MODES)


def test_a_doubtful_card_is_looked_at_and_changed(run, groups):
    keys, session = sorted_by_group(groups, 14, wrong=[8])
    wrong = session.history[8]
    (doubt,) = session.doubtful_cards()
    answers = "\n".join([*keys, "b", str(doubt.likelier)])
    result = run("query", groups, answers=answers)

    assert doubt.row == wrong.row
    assert f"second look: row {wrong.row} " in result.stderr
    said = f"you placed it on pile {doubt.pile}; the rows nearest to it lie on pile "
    assert said + f"{doubt.likelier}." in result.stderr
    assert f"changed: row {wrong.row} on pile {doubt.likelier}." in result.stderr
    history, constraints = session_of(groups)
    assert history[-1][:2] == (wrong.row, doubt.likelier)
    assert len(history) == 14
    assert written_by(groups) == constraints
    assert constraints.conflicts() == []


def test_a_doubtful_card_can_stay_or_be_left(run, groups):
    keys, session = sorted_by_group(groups, 14, wrong=[8])
    (doubt,) = session.doubtful_cards()
    answers = [*keys, "b", str(doubt.pile), "b", "b", "z", "b"]
    result = run("query", groups, answers="\n".join(answers))

    assert f"it stays: row {doubt.row} on pile {doubt.pile}." in result.stderr
    assert "that were all answers in doubt" in result.stderr
    assert "left as it was" in result.stderr
    assert f"worth a second look (key b): row {doubt.row} is on pile" in result.stderr
    assert session_of(groups)[0] == session.history


def test_back_with_few_cards_says_so(run, groups):
    said = run("query", groups, answers="n\nb\n").stderr

    assert "too few answers to doubt one: 10 are needed" in said


def test_a_contradiction_is_told_and_stops_nothing(run, groups):
    # A pair says that a card lies on the wrong pile.
    run("query", groups, answers="n\nn\n1\n")
    history, _ = session_of(groups)
    _, second, third = (card.row for card in history)
    session = ActiveSession.load(f"{groups}.pairsift-session")
    with session, pytest.warns(UserWarning, match="contradicts"):
        session.tell(second, third, "same")
    result = run("query", groups, "--report", groups.with_name("r.html"),
                 answers="b\nb\nz\nb\nb\nb\nd\n")  # fmt: skip

    assert f"row {second} were said to be the same" in result.stderr
    assert "b goes back to these answers, z undoes the last." in result.stderr
    assert f"second look: row {second} and row {third}" in result.stderr
    assert f"second look: row {third} (" in result.stderr
    assert f"changed: row {second} and row {third} different." in result.stderr
    # The second look has mended it.
    history, constraints = session_of(groups)
    assert constraints.conflicts() == []
    assert "would choose" in result.stderr


def test_all_rows_can_be_sorted(run, write_csv):
    data = write_csv("four.csv", {"x": [0.0, 0.1, 1.0, 1.1]})
    result = run("query", data, answers="n\n1\nn\nu\nn\n")

    assert "all 4 rows sorted" in result.stderr
    assert len(session_of(data)[0]) == 4


def test_the_report_and_the_piles_are_written(run, groups, strict_json):
    keys, session = sorted_by_group(groups, 15)
    labels, report = groups.with_name("labels.csv"), groups.with_name("report.html")
    options = ["--labels", labels, "--report", report, "--json"]
    result = run("query", groups, *options, answers="\n".join(keys))
    summary = strict_json(result.stdout)

    written = pd.read_csv(labels).set_index("row")["pile"].to_dict()
    expected = {row: k for k, rows in enumerate(session.piles, 1) for row in rows}
    assert written == expected
    page = report.read_text()
    assert "Learned from 15 of 30 answers (15 cards, 3 piles" in page
    assert "pile 1" in page
    again = strict_json(run(*summary["next"].split()[1:], "--json").stdout)
    assert again["method"] == "semi-mrmr"
    ranked = [line["feature"] for line in summary["ranking"]]
    assert [line["feature"] for line in again["ranking"]] == ranked


def test_piles_of_rows_with_ids(run, groups):
    frame = pd.read_csv(groups)
    frame["plant"] = [f"p{row:02d}" for row in range(60)]
    frame.to_csv(groups, index=False)
    labels = groups.with_name("labels.csv")
    named = ["query", groups, "--id", "plant", "--labels", labels]
    result = run(*named, answers="n\nn\n1\n")
    history = session_of(groups)[0]
    rows = pd.read_csv(labels)

    assert set(rows["row"]) == {f"p{card.row:02d}" for card in history}
    assert f"card 1 of 30: p{history[0].row:02d} (" in result.stderr
    assert run(*named, answers="1\n").exit_code == 0
    assert len(pd.read_csv(labels)) == 4


@pytest.mark.parametrize(
    "content", ["row,class\n1,2\n", "a,b,link\n", "\xff", "row,pile\n1\n"]
)
def test_a_file_of_something_else_is_not_overwritten(run, refused, groups, content):
    other = groups.with_name("labels.csv")
    other.write_text(content, encoding="latin-1")
    said = refused("query", groups, "--labels", other, answers="n\n")

    assert "does not hold piles" in said
    assert other.read_text(encoding="latin-1") == content
    assert not groups.with_name("data.csv.pairsift-session").exists()


def test_piles_of_other_tables_are_refused(refused, groups):
    labels = groups.with_name("labels.csv")
    labels.write_text("row,pile\n3,1\n99,2\n")

    said = refused("select", groups, "--labels", labels)
    assert "has row '99', which the table does not have" in said
    said = refused("select", groups, "--labels", labels, "--label", "v")
    assert "--label and --labels say the same" in said


def test_no_report_before_there_is_a_ranking(run, groups, strict_json):
    report = groups.with_name("report.html")
    result = run("query", groups, "--report", report, "--json", answers="n\n")

    assert "no ranking yet" in result.stderr
    assert not report.exists()
    assert strict_json(result.stdout)["ranking"] == []


def test_a_named_method_learns_from_the_piles(run, groups, strict_json):
    keys, _ = sorted_by_group(groups, 15)
    answers = "\n".join(keys)
    method = ["--method", "fisher-score"]
    summary = strict_json(
        run("query", groups, *method, "--json", answers=answers).stdout
    )

    assert summary["method"] == "fisher-score"
    assert set(summary["best_features"][:2]) == {"a", "b"}


def test_mixed_tables_with_missing_values_are_ranked(run, write_csv, strict_json):
    rng = np.random.default_rng(0)
    group = np.arange(40) % 2
    colour = np.where(group, "red", "green").astype(object)
    colour[::9] = None
    x = rng.normal(size=40)
    x[3] = np.nan
    data = write_csv("d.csv", {"x": x, "colour": colour, "z": rng.normal(size=40)})
    answers = []
    # As the command scales them, to the last digit: rows are chosen by such digits.
    frame = pd.read_csv(data)
    for name in "xz":
        low, high = frame[name].min(), frame[name].max()
        frame[name] = (frame[name] - low) / (high - low)
    session = ActiveSession(frame)
    for _ in range(12):
        card = session.ask_card()
        same = [p.number for p in card.piles if group[p.shown] == group[card.row]]
        answers.append(str(same[0] if same else "new"))
        session.place(card.row, same[0] if same else "new")
    result = run("query", data, "--json", answers="\n".join(answers))
    summary = strict_json(result.stdout)

    assert result.exit_code == 0, result.stderr
    assert summary["piles"] == session.piles
    assert summary["ranking"][0]["feature"] == "colour"
    assert "–" in result.stderr
    assert summary["next"] is None


def test_a_file_a_step_behind_is_brought_up_to_date(run, groups):
    """As a kill between the session and the file leaves it."""
    run("query", groups, answers="n\nn\n1\n2\n")
    before = written_by(groups)
    with ActiveSession.load(f"{groups}.pairsift-session") as session:
        session.place(session.history[0].row, 2, replace=True)
        now = session.constraints
    assert not {*map(tuple, before.cannot_link)} <= {*map(tuple, now.cannot_link)}
    result = run("query", groups, answers="q\n")

    assert result.exit_code == 0, result.stderr
    assert written_by(groups) == now


def test_pairs_of_others_are_not_overwritten(run, refused, groups):
    run("query", groups, answers="n\nn\n1\n")
    path = groups.with_name("constraints.csv")
    PairConstraints([(7, 9)], n_samples=60).to_csv(path)

    assert "holds pairs that are not from" in refused("query", groups, answers="1\n")


def test_stopping_and_going_on_asks_the_same_as_going_through(run, groups, tmp_path):
    keys, session = sorted_by_group(groups, 6)
    asked = [cards(run("query", groups, answers=f"{key}\n").stderr)[0] for key in keys]

    assert asked == [said.row for said in session.history]
