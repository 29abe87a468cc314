"""``pairsift query`` by script, pair by pair: asked, written, resumed, refused."""

import os

import numpy as np
import pandas as pd
import pytest

from pairsift.active import ActiveSession
from pairsift.active._file_lock import _acquire
from pairsift.cli._numbers import as_numbers
from pairsift.cli._query import GraphName, StrategyName
from pairsift.constraints import PairConstraints
from tests.cli.sessions import session_of, written_by

# A strategy other than "sort" asks for pairs.
PAIRS = ("--strategy", "uncertainty")


@pytest.fixture
def four(write_csv):
    return write_csv("four.csv", {"x": [0.0, 0.1, 1.0, 1.1], "z": [0, 1, 0, 1]})


def questions(stderr):
    """Return the pairs in the order they were asked."""
    lines = [
        line for line in stderr.splitlines() if line.startswith("pairsift: question")
    ]
    return [line.split(": ")[2].partition(" (")[0] for line in lines]


def test_answers_from_a_pipe_reach_the_session_and_the_file(run, data):
    result = run("query", data, *PAIRS, answers="s\nd\nu\nD\n")
    history, constraints = session_of(data)

    assert result.exit_code == 0, result.stderr
    assert result.stdout.startswith("rank\tfeature\tscore\tselected\n1\t")
    assert [answer.answer for answer in history] == [
        "same",
        "different",
        "unsure",
        "different",
    ]
    assert written_by(data) == constraints
    assert "4 of 30 answers (1 same, 2 different, 1 unsure)" in result.stderr


def test_the_pairs_asked_are_those_of_the_library(run, data):
    frame = pd.read_csv(data)
    X = (frame - frame.min()) / (frame.max() - frame.min())
    session = ActiveSession(X, strategy="uncertainty")
    expected = []
    for answer in ("same", "different", "different"):
        i, j = session.ask()
        expected.append(f"row {i} and row {j}")
        session.tell(i, j, answer)

    assert (
        questions(run("query", data, *PAIRS, answers="s\nd\nd\n").stderr)[:3]
        == expected
    )


def test_words_are_understood_like_keys(run, data):
    run(
        "query",
        data,
        *PAIRS,
        answers="same\ndifferent\ncannot\nunsure\nundo\nquit\ns\n",
    )

    answers = [answer.answer for answer in session_of(data)[0]]
    assert answers == ["same", "different", "different"]


def test_a_wrong_key_is_no_answer(run, data):
    result = run("query", data, *PAIRS, answers="x\n\nd\n")

    assert "'x' is no answer: s same, d different" in result.stderr
    assert len(session_of(data)[0]) == 1
    # The question stands until it is answered.
    first, second, third, fourth = questions(result.stderr)
    assert first == second == third != fourth


def test_help_explains_the_keys_and_answers_nothing(run, data):
    result = run("query", data, *PAIRS, answers="?\nd\n")

    assert "unsure: it is not asked again" in result.stderr
    assert len(session_of(data)[0]) == 1


def test_stopping_and_going_on_asks_the_same_as_going_through(run, data, tmp_path):
    answers = list("sdudsd")
    through = run(
        "query", data, *PAIRS, "--session", tmp_path / "s", "--out", tmp_path / "o.csv",
        answers="\n".join(answers),
    )  # fmt: skip
    asked = []
    for answer in answers:
        result = run("query", data, *PAIRS, answers=f"{answer}\nq\n")
        asked.append(questions(result.stderr)[0])

    assert asked == questions(through.stderr)[:6]
    assert "resumed with 5 answers" in result.stderr
    assert written_by(data) == PairConstraints.from_csv(tmp_path / "o.csv", None, 40)


def test_undo_takes_back_and_asks_again(run, data):
    result = run("query", data, *PAIRS, answers="d\nd\nz\nd\nz\n")
    asked = questions(result.stderr)

    assert "taken back: row" in result.stderr
    assert asked[1] == asked[3] == asked[5]
    assert asked[2] == asked[4]
    assert [answer.answer for answer in session_of(data)[0]] == ["different"]
    assert written_by(data).n_cannot_link == 1


def test_progress_is_counted_to_an_aim(run, data):
    first = run("query", data, *PAIRS, answers="u\n" * 31)
    second = run("query", data, *PAIRS, "--max-queries", 40, answers="u\n")

    assert "question 1 of 30: row" in first.stderr
    assert "question 30 of 30: row" in first.stderr
    assert "question 31, 30 were the aim: row" in first.stderr
    assert "31 answers (0 same" in first.stderr
    assert "question 32 of 40: row" in second.stderr
    assert "32 of 40 answers (0 same" in second.stderr


@pytest.fixture
def answered(data):
    """Fourteen answers, of which the third is wrong."""
    session = ActiveSession(as_numbers(pd.read_csv(data)), strategy="uncertainty")
    for number in range(14):
        i, j = session.ask()
        is_same = (i % 2 == j % 2) != (number == 2)
        session.tell(i, j, "same" if is_same else "different")
    session.save(f"{data}.pairsift-session")
    session.close()
    return data


def second_looks(stderr):
    return [
        line.partition(": ")[2].removeprefix("second look: ").partition(" (")[0]
        for line in stderr.splitlines()
        if line.startswith("pairsift: second look: ")
    ]


def test_back_goes_to_the_doubtful_answer_and_changes_it(run, answered):
    before, _ = session_of(answered)
    wrong = before[2]
    right = {"same": "different", "different": "same"}[wrong.answer]
    result = run("query", answered, answers=f"b\n{right[0]}\n")
    history, constraints = session_of(answered)

    rows = {f"row {wrong.first}", f"row {wrong.second}"}
    assert set(second_looks(result.stderr)[0].split(" and ")) == rows
    assert f"you said {wrong.answer}; the other answers say" in result.stderr
    now = {"same": "the same", "different": "different"}[right]
    assert f"changed: row {wrong.first} and row {wrong.second} {now}." in result.stderr
    # The new answer is the last one; all others stand in their order.
    assert history[:-1] == before[:2] + before[3:]
    assert history[-1] == (*wrong[:2], right)
    assert written_by(answered) == constraints


def test_a_doubtful_answer_can_be_kept_or_left(run, answered):
    before, _ = session_of(answered)
    kept = before[2].answer
    result = run("query", answered, answers=f"b\n{kept[0]}\n" + "b\nz\n" * 2)

    assert "left as it was." in result.stderr
    # A look is not repeated; the answer that was kept is the first of them.
    looks = second_looks(result.stderr)
    assert len(looks) == len(set(looks)) == 3
    assert f"it stays: {looks[0]} " in result.stderr
    assert session_of(answered)[0] == before
    all_looks = run("query", answered, answers="b\n" * 15).stderr
    assert second_looks(all_looks)[:3] == looks
    assert "that were all answers in doubt" in all_looks


def test_back_with_few_answers_says_so(run, data):
    result = run("query", data, *PAIRS, answers="b\nd\n")

    assert "too few answers to doubt one: 10 are needed" in result.stderr
    assert len(session_of(data)[0]) == 1


def test_back_with_another_method_is_judged_all_the_same(run, answered):
    result = run("query", answered, "--method", "fisher-score", answers="b\n")

    assert len(second_looks(result.stderr)) == 1


@pytest.mark.filterwarnings("ignore:this answer contradicts")
def test_back_in_a_contradiction_shows_its_answers(run, data):
    told = [(0, 1, "same"), (5, 6, "same"), (2, 0, "different"), (1, 2, "same")]
    session = ActiveSession(as_numbers(pd.read_csv(data)), strategy="random")
    for answer in told[:-1]:
        session.tell(*answer)
    with pytest.warns(UserWarning, match="contradicts others"):
        session.tell(*told[-1])
    session.save(f"{data}.pairsift-session")
    session.close()
    result = run("query", data, answers="b\nb\ns\n")
    history, constraints = session_of(data)

    # The last answer made it, and is the first to be looked at again.
    looks = second_looks(result.stderr)
    assert looks == ["row 1 and row 2", "row 2 and row 0"]
    assert history == [told[0], told[1], told[3], (2, 0, "same")]
    assert constraints.conflicts() == []


def test_undo_without_an_answer_says_so(run, data):
    result = run("query", data, *PAIRS, answers="z\nd\nz\nz\n")

    assert result.stderr.count("there is no answer to take back") == 2


@pytest.mark.parametrize("last", ["q\nd\nd\n", "quit\n", ""], ids=["q", "word", "end"])
def test_quitting_keeps_what_was_said(run, data, last):
    result = run("query", data, *PAIRS, answers="d\ns\n" + last)

    assert result.exit_code == 0
    assert len(session_of(data)[0]) == 2
    assert "next: " in result.stderr


def test_a_run_without_answers_leaves_no_files(run, data):
    result = run("query", data, *PAIRS, answers="q\n")

    assert result.exit_code == 0
    assert "nothing written" in result.stderr
    assert [path.name for path in data.parent.iterdir()] == ["data.csv"]


def test_max_queries_counts_earlier_answers(run, data):
    run("query", data, *PAIRS, answers="d\nd\n")
    result = run("query", data, *PAIRS, "--max-queries", 3, answers="d\nd\nd\n")

    assert "question 3 of 3" in result.stderr
    assert "all 3 questions answered" in result.stderr
    assert len(session_of(data)[0]) == 3


def test_when_all_pairs_are_asked_it_ends(run, four):
    result = run("query", four, *PAIRS, answers="u\n" * 10)

    assert result.exit_code == 0
    assert "all 6 pairs asked" in result.stderr
    assert len(session_of(four)[0]) == 6


def test_a_contradiction_is_said_at_once_with_its_chain(run, four):
    result = run("query", four, "--strategy", "random", answers="s\n" * 5 + "d\n")
    contradiction = written_by(four).conflicts()[0]
    a, b = contradiction.cannot_link
    chain = " - ".join(f"row {row}" for row in contradiction.chain)

    assert (
        f"{chain} were said to be the same, and row {a} and row {b} different: b goes "
        "back to these answers, z undoes the last."
    ) in result.stderr
    # It does not keep features from being ranked.
    assert "pair-logistic would choose" in result.stderr


def test_the_next_command_ranks_as_shown(run, data, strict_json):
    shown = strict_json(
        run("query", data, *PAIRS, "--json", answers="d\ns\nd\n").stdout
    )
    words = shown["next"].split()[1:]
    ranked = strict_json(run(*words, "--json").stdout)["ranking"]

    assert shown["best_features"] == [line["feature"] for line in ranked][:5]
    assert (shown["n_answers"], shown["n_must_link"], shown["n_cannot_link"]) == (
        3,
        1,
        2,
    )


def test_no_ranking_is_promised_before_the_method_has_enough(run, data, strict_json):
    method = ["--method", "relieff-sc"]
    result = run("query", data, *PAIRS, "--json", *method, answers="s\n")
    summary = strict_json(result.stdout)

    assert (summary["best_features"], summary["next"]) == ([], None)
    assert 'relieff-sc needs answers "different": answer some more' in result.stderr


def test_ids_name_rows_in_questions_and_in_the_file(run, data):
    frame = pd.read_csv(data)
    frame["plant"] = [f"p{row:02d}" for row in range(40)]
    frame.to_csv(data, index=False)
    result = run("query", data, *PAIRS, "--id", "plant", answers="d\n")
    ends = pd.read_csv(data.with_name("constraints.csv"))[["a", "b"]].to_numpy()[0]

    assert sorted(questions(result.stderr)[0].split(" and ")) == sorted(ends)
    assert "--id plant" in result.stderr


def test_mixed_columns_can_be_asked_about(run, write_csv):
    rng = np.random.default_rng(0)
    colour = rng.choice(["red", "green"], 30).astype(object)
    colour[::7] = None
    x = rng.normal(size=30)
    x[3] = np.nan
    path = write_csv("d.csv", {"x": x, "colour": colour, "flag": rng.random(30) > 0.5})
    result = run("query", path, *PAIRS, answers="d\nd\n")

    assert result.exit_code == 0, result.stderr
    assert "in distances, a missing value counts as an average one" in result.stderr


def test_quiet_says_nothing(run, data):
    assert run("query", data, *PAIRS, "--quiet", answers="d\n").stderr == ""


def test_the_options_are_those_of_the_library():
    from pairsift.active._questions import STRATEGIES
    from pairsift.active._session import GRAPHS

    assert set(StrategyName) == set(STRATEGIES)
    assert set(GraphName) == set(GRAPHS)


def test_changed_data_are_refused(run, refused, data):
    run("query", data, *PAIRS, answers="d\n")
    frame = pd.read_csv(data)
    frame.loc[7, "a"] += 0.5
    frame.to_csv(data, index=False)

    assert "is not what the session" in refused("query", data, answers="d\n")
    assert "40 x 4 there, 40 x 3 here" in refused(
        "query", data, "--drop", "a", answers="d\n"
    )


def test_another_strategy_is_refused(run, refused, data):
    run("query", data, "--strategy", "random", answers="d\n")
    said = refused("query", data, "--strategy", "eigenvalue", answers="d\n")

    assert "has --strategy random, not eigenvalue" in said
    assert run("query", data, "--strategy", "random", answers="d\n").exit_code == 0


def test_a_session_in_use_is_refused(run, refused, data):
    run("query", data, *PAIRS, answers="d\n")
    # On a descriptor of its own, as another process has it.
    taken = _acquire(data.with_name(f"{data.name}.pairsift-session.lock"))
    said = refused("query", data, answers="d\n")
    os.close(taken)

    assert "is in use by another process" in said
    assert len(session_of(data)[0]) == 1


def test_a_file_that_is_no_session_is_refused(refused, data):
    data.with_name("s").write_text("something else, and long enough to be looked at")

    assert "is not a session file" in refused(
        "query", data, "--session", data.with_name("s"), answers="d\n"
    )


@pytest.mark.parametrize("row", [1, 4000], ids=["known", "unknown"])
def test_pairs_of_others_are_not_overwritten(run, refused, data, row):
    others = data.with_name("constraints.csv")
    others.write_text(f"a,b,link\n0,{row},cannot\n")
    said = refused("query", data, answers="d\n")

    assert "holds pairs that are not from the session" in said
    assert others.read_text() == f"a,b,link\n0,{row},cannot\n"
    assert not data.with_name("data.csv.pairsift-session").exists()


def test_a_file_left_behind_by_the_session_is_brought_up_to_date(run, data):
    run("query", data, *PAIRS, answers="d\nd\n")
    path = data.with_name("constraints.csv")
    path.write_text("".join(path.read_text().splitlines(keepends=True)[:2]))
    run("query", data, *PAIRS, answers="q\n")

    assert written_by(data).n_cannot_link == 2


@pytest.mark.parametrize(
    ("content", "options", "said"),
    [
        ("x\n1\n", [], "has one row"),
        ("x,n\n1,a\n2,a\n", ["--id", "n"], "'a' names more than one row"),
        ("x,z\n1,a\n2,b\n", ["--method", "fisher-score"], "'z' is categorical"),
        ("x\n1\n2\n", ["--strategy", "best"], "--strategy"),
        ("x\n1\n2\n", ["--method", "best"], "best"),
        ("x\n1\n2\n", ["--out", "no/such/folder.csv"], "there is no folder"),
    ],
    ids=["one-row", "repeated-id", "method", "strategy", "no-method", "no-folder"],
)
def test_what_cannot_be_asked_about_is_refused(
    refused, write_csv, content, options, said
):
    data = write_csv("d.csv", content)

    assert said in refused("query", data, *options, answers="d\n")


def test_nothing_is_left_beside_the_files(run, data):
    run("query", data, *PAIRS, answers="d\ns\nz\n")
    names = sorted(path.name for path in data.parent.iterdir())

    assert names == ["constraints.csv", "data.csv", "data.csv.pairsift-session"]
