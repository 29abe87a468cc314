"""Each warning points at the user's line, however deep in the package it arises."""

import re
import sqlite3
from contextlib import suppress
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array
from sklearn.model_selection import cross_validate
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline

import pairsift
from pairsift import (
    FCRSC,
    LMFS,
    MCFS,
    SCGS,
    SPEC,
    ActiveSession,
    ClusterVarianceScore,
    ConstraintScore1,
    ConstraintScore7,
    FisherScore,
    IRelief,
    IterativeRelief,
    LogisticIRelief,
    PairConstraints,
    PairLogistic,
    ReliefF,
    ReliefFSc,
    SemiLogisticIRelief,
    SemiMRMR,
    SimbaSc,
    SimilarityConstraintScore,
    complete_labels,
    distributed,
    propagate,
    select_constraints,
)
from pairsift.graphs import feature_graph, similarity_graph
from pairsift.information import entropy, mutual_information
from pairsift.scores import (
    constraint_score_7,
    fcrsc_score,
    fisher_score,
    fs_manifold_score,
    lmfs_score,
    pair_logistic_path,
    pair_logistic_score,
    scgs_score,
)

X = np.random.default_rng(0).normal(size=(40, 6))
Y = np.arange(40) % 3
FRAME = pd.DataFrame(X, columns=list("abcdef"))
SOME = np.where(np.arange(40) % 4 < 3, Y, -1)
APART = X + 2.0 * np.outer(Y, np.eye(6)[1])
PAIRS = PairConstraints.sample(Y, 10, 10, random_state=0)
CONTRADICTORY = PairConstraints([(0, 1), (1, 2)], [(0, 2)], n_samples=40)


CASES = []


def warns(message):
    """Keep a function that warns in these words; its name describes the cause."""

    def keep(function):
        CASES.append(pytest.param(function, message, id=function.__name__))
        return function

    return keep


def change(statement, *values):
    """Change a saved session behind the back of pairsift."""
    connection = sqlite3.connect("s.db")
    with connection:
        connection.execute(statement, values)
    connection.close()


@warns("y holds -1 in 9 of 40 rows")
def minus_one_beside_classes():
    FisherScore().fit(X, np.where(np.arange(40) < 9, -1, Y % 2))


@warns("y holds the text 'nan' in 2 of 5 rows")
def a_word_for_unlabelled():
    PairConstraints.from_labels(["nan", "a", "b", "nan", "a"])


@warns("'Yes' and 'yes', which differ in case")
def classes_that_differ_in_case():
    FisherScore().fit(X, np.array(["Yes", "yes", "no", "no"] * 10))


@warns("each of the 40 rows has a label of its own")
def a_label_per_row():
    with suppress(ValueError):
        FisherScore().fit(X, np.arange(40))


@warns("y holds 30 different numbers")
def many_numbers_as_labels():
    FisherScore().fit(X, np.arange(40) % 30)


@warns("numbers that are text or objects in 'a'")
def numbers_as_text():
    SemiMRMR(3).fit(FRAME.astype(str), Y)


@warns("39 of 40 cells of 'e' are numbers; '-' in row 3")
def an_odd_cell():
    text = FRAME["e"].astype(str)
    text[3] = "-"
    ReliefF().fit(FRAME.assign(e=text), Y)


@warns("'e' holds dates, such as '2024-01-01'")
def dates_as_text():
    dates = pd.date_range("2024-01-01", periods=40).strftime("%Y-%m-%d")
    ReliefF().fit(FRAME.assign(e=dates), Y)


@warns("column 'e' of X holds dates, such as 20240101")
def dates_as_numbers():
    ReliefF().fit(FRAME.assign(e=20240101 + np.arange(40) % 28), Y)


@warns("column 'e' of X holds whole numbers beyond")
def rounded_numbers_of_a_frame():
    ReliefF().fit(FRAME.assign(e=2**53 + np.arange(40)), Y)


@warns("column 1 of X holds whole numbers beyond")
def rounded_numbers_of_an_array():
    fisher_score(np.column_stack([np.arange(40), 2**53 + np.arange(40)]), Y)


@warns("column 1 of X holds whole numbers beyond")
def rounded_numbers_of_a_sparse_table():
    numbers = np.column_stack([np.arange(40), 2**53 + np.arange(40)])
    FisherScore().fit(csr_array(numbers), Y)


@warns("numbers that are text or objects in 'a'")
def numbers_as_text_in_blocks():
    text = FRAME.astype(str)
    blocks = [lambda i=i: text[i : i + 20] for i in (0, 20)]
    distributed.fit(FisherScore(), distributed.StreamedSource(blocks), Y)


@warns("6 of 6 features have more than 16 different values")
def many_values_in_blocks():
    blocks = [lambda i=i: X[i : i + 20] for i in (0, 20)]
    with (
        patch("pairsift.scores._block_values.MAX_VALUES", 16),
        patch("pairsift.scores._block_values.MIN_VALUES", 16),
    ):
        distributed.fit(SemiMRMR(2), distributed.StreamedSource(blocks), Y)


@warns("the FisherScore of 1 of 7 features is infinite")
def infinite_scores():
    FisherScore().fit(np.column_stack([X, Y]), Y)


@warns("no feature has a defined MCFS")
def undefined_scores():
    MCFS().fit(np.ones((10, 3)))


@warns("no feature is significant at alpha")
def nothing_significant():
    ReliefF("significant", alpha=1e-9).fit(X, Y)


@warns("no class has two labelled rows")
def no_row_to_hold_out():
    SemiMRMR("auto").fit(X, [0, 1, 2, *[None] * 37])


@warns("chain 0 - 1 - 2: each pair is taken as evidence")
def contradictions_as_evidence():
    SimilarityConstraintScore(context="supervised").fit(X, constraints=CONTRADICTORY)


@warns("the least supported, left out")
def contradictions_left_out():
    pairs = PairConstraints(
        [(0, 1), (1, 2), (2, 3), (4, 5), (5, 6)],
        [(0, 4), (1, 5), (2, 6), (0, 3)],
        n_samples=40,
    )
    SemiMRMR().fit(X, constraints=pairs)


@warns("10 of 20 must-links lie inside a class of y")
def pairs_disagree():
    y = np.repeat([0, 1], 20)
    c = PairConstraints.sample(y, 20, 20, random_state=0)
    ConstraintScore1(1).fit(X, np.tile([0, 1], 20), constraints=c)


@warns("X has 2 rows: without the ends of a pair ReliefFSc")
def two_rows():
    ReliefFSc().fit(X[:2], constraints=PairConstraints([], [(0, 1)]))


@warns("the labels make 533 cannot-links")
def too_many_cannot_links():
    SimbaSc(max_pairs=50, random_state=0).fit(X, Y)


@warns("there is no cannot-link to learn from")
def one_kind_of_links():
    links = PairConstraints(PAIRS.must_link, n_samples=40)
    PairLogistic().fit(X, constraints=links)


@warns("2 pairs are too few to hold some out")
def too_few_pairs():
    PairLogistic("auto").fit(
        X, constraints=PairConstraints([(0, 3)], [(0, 1)], n_samples=40)
    )


@warns("PairLogistic learnt nothing")
def nothing_learnt():
    c = PairConstraints([(0, 1)], [(0, 2)], n_samples=4)
    PairLogistic().fit([[0.0], [1.0], [0.0], [1.0]], constraints=c)


def far_from_minimum():
    """Few rows on which PairLogistic ends far from its minimum."""
    rng = np.random.default_rng(2337)
    X = rng.normal(size=(rng.integers(12, 50), rng.integers(1, 20)))
    return X, PairConstraints.sample(np.arange(len(X)) % 3, 5, 5, random_state=2337)


@warns("PairLogistic did not converge: 1 of 3 models")
def a_gap_of_pair_logistic():
    X, c = far_from_minimum()
    PairLogistic(n_penalties=3, tol=1e-7).fit(X, constraints=c)


@warns("PairLogistic did not converge: .* models may be up to")
def a_gap_at_one_penalty():
    X, c = far_from_minimum()
    PairLogistic(n_penalties=3, tol=1e-7, penalty=0.001).fit(X, constraints=c)


@warns("1 of 3 models may be up to")
def a_gap_of_pair_logistic_score():
    X, c = far_from_minimum()
    pair_logistic_score(X, c.must_link, c.cannot_link, n_penalties=3)


@warns("1 of 3 models may be up to")
def a_gap_of_pair_logistic_path():
    X, c = far_from_minimum()
    pair_logistic_path(X, c.must_link, c.cannot_link, n_penalties=3)


@warns("IRelief did not converge")
def steps_of_irelief():
    IRelief(max_iter=2).fit(X, Y)


@warns("IterativeRelief did not converge")
def steps_of_iterative_relief():
    IterativeRelief(max_iter=2).fit(X, Y)


@warns("LogisticIRelief did not converge")
def steps_of_logistic_irelief():
    LogisticIRelief(max_iter=2).fit(APART, Y)


@warns("SemiLogisticIRelief did not converge")
def steps_of_semi_logistic_irelief():
    SemiLogisticIRelief(max_iter=2).fit(APART, SOME)


@warns("LMFS did not converge")
def steps_of_lmfs():
    LMFS(max_iter=1, tol=1e-9, n_starts=1, random_state=0).fit(X, Y)


@warns("a projected gradient step still changes a weight")
def steps_of_lmfs_score():
    lmfs_score(X, Y, max_iter=1, tol=1e-9, n_starts=1)


@warns("SCGS did not converge")
def steps_of_scgs():
    SCGS(max_iter=2).fit(X, Y)


@warns("the duality gap is .* after 3 steps")
def steps_of_scgs_score():
    scgs_score(X, Y, alpha=0.01, max_iter=3)


@warns("FSManifold did not converge in 2 rounds")
def rounds_of_fs_manifold_score():
    fs_manifold_score(X, SOME, n_indicators=1, max_iter=2, tol=1e-12)


@warns("FSManifold did not converge in 2 rounds")
def rounds_of_fs_manifold():
    pairsift.FSManifold(1, max_iter=2, tol=1e-12).fit(X, SOME)


@warns("n_clusters=1 joins features without any similarity")
def clusters_of_features():
    FCRSC(n_clusters=1).fit(np.column_stack([X, np.ones(40)]), Y)


@warns("n_clusters=1 joins features without any similarity")
def clusters_of_features_score():
    constant = np.column_stack([X, np.ones(40)])
    fcrsc_score(constant, PAIRS.cannot_link, n_clusters=1)


@warns("n_clusters=5 is more than the 4 different rows")
def clusters_of_rows():
    ClusterVarianceScore(n_clusters=5, random_state=0).fit(np.repeat(X[:4], 3, axis=0))


@warns("n_clusters=5 is more than the 4 different rows")
def clusters_of_unlabelled_rows():
    labels = [0, 1, -1, -1] * 3
    complete_labels(np.repeat(X[:4], 3, axis=0), labels, n_clusters=5, random_state=0)


@warns("n_clusters=13 is more than the 12 rows")
def clusters_of_a_graph():
    SPEC(n_clusters=13).fit(X[:12])


@warns("the gap of feature")
def gaps_of_a_feature_graph():
    feature_graph(X, tol=1e-30)


@warns("X has so many equal rows")
def equal_rows():
    with patch("pairsift.graphs._nearest.MAX_EDGES", 11):
        similarity_graph(np.repeat(X[:3], [4, 1, 2], axis=0), n_neighbors=2, sigma=1.0)


@warns("only must-links count")
def vanishing_similarities():
    labels = np.array([0, 0, 0, -1])
    pairs = PairConstraints.from_labels(labels, missing_label=-1)
    far = 1000.0 * np.array([[0.0, 0.0], [1.0, 0.5], [3.0, 0.0], [9.0, 1.0]])
    constraint_score_7(
        far, pairs.must_link, pairs.cannot_link, labels, n_neighbors=1, sigma=1.0
    )


@warns("only must-links count")
def vanishing_similarities_of_a_selector():
    far = 1000.0 * np.array([[0.0, 0.0], [1.0, 0.5], [3.0, 0.0], [9.0, 1.0]])
    ConstraintScore7(1, n_neighbors=1, sigma=1.0).fit(far, [0, 0, 0, -1])


@warns("Rows that are copies of each other")
def copies_of_rows_in_entropy():
    entropy(np.repeat(X[:5, :1], 20, axis=0), discrete_features=False)


@warns("Rows that are copies of each other")
def copies_of_rows_in_information():
    copies = np.repeat(X[:5, :1], 20, axis=0)
    mutual_information(copies, np.arange(100) % 2, discrete_features=False)


@warns("the cannot-links spread to other rows may be no better")
def spread_answers_of_chance():
    rng = np.random.default_rng(0)
    pairs = PairConstraints.sample(rng.permutation(Y), 30, 30, random_state=0)
    propagate(pairs, X, graph="knn")


@warns("this answer contradicts others")
def contradicting_answer():
    with ActiveSession(X) as session:
        session.tell(0, 1, "same")
        session.tell(1, 2, "same")
        session.tell(0, 2, "different")


@warns("this answer contradicts others")
def contradicting_card():
    with ActiveSession(X, strategy="sort") as session:
        session.place(0, "new")
        session.tell(1, 0, "different")
        session.place(1, 1)


@warns("the answers contradict each other 5 times")
def contradicting_answers_of_a_function():
    order = iter(["same", "same", "different"] * 10)
    select_constraints(
        X[:6], lambda i, j: next(order), max_queries=15, n_neighbors=2, random_state=0
    )


@warns("answers, the least supported, are not spread")
def answers_that_are_not_spread():
    order = iter(["same", "different"] * 30)
    pairsift.choose_features(
        X[:9],
        lambda i, j: next(order),
        20,
        strategy="random",
        spread={"alpha": 0.5, "links": "both"},
        selector=PairLogistic(),
    )


@warns("s.db holds two answers for")
def an_answer_twice_in_a_file():
    with ActiveSession(X) as session:
        session.save("s.db")
        session.tell(3, 5, "same")
    change(
        "INSERT INTO events (time, kind, first, second) VALUES (0, 'different', 3, 5)"
    )
    ActiveSession.load("s.db").close()


@warns("s.db is damaged, the checksums of row 5")
def a_damaged_file():
    with ActiveSession(X) as session:
        session.save("s.db")
    damaged = X.copy()
    damaged[5, 1] = np.inf
    change("UPDATE chunks SET cells = ?", damaged.tobytes())
    ActiveSession.load("s.db").close()


@warns("the FisherScore of 1 of 7 features is infinite")
def fit_transform_of_scikit_learn():
    FisherScore(2).fit_transform(np.column_stack([X, Y]), Y)


@warns("the FisherScore of 1 of 7 features is infinite")
def a_pipeline():
    infinite = np.column_stack([X, Y])
    make_pipeline(FisherScore(2), KNeighborsClassifier(3)).fit(infinite, Y)


@warns("the FisherScore of 1 of 7 features is infinite")
def a_cross_validation():
    steps = make_pipeline(FisherScore(2), KNeighborsClassifier(3))
    cross_validate(steps, np.column_stack([X, Y]), Y, cv=2)


@pytest.mark.parametrize(("function", "message"), CASES)
@pytest.mark.filterwarnings("ignore")
def test_a_warning_points_at_the_line_of_the_user(
    function, message, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    with pytest.warns(match=message) as caught:
        function()
    assert {warning.filename for warning in caught} == {__file__}


def test_all_warnings_of_the_package_go_through_the_helper():
    folder = Path(pairsift.__file__).parent
    others = [
        str(path.relative_to(folder))
        for path in sorted(folder.rglob("*.py"))
        if re.search(
            r"warnings\.warn\(|from warnings import|warn_explicit|stacklevel",
            path.read_text("utf-8"),
        )
    ]
    assert others == ["_warnings.py"]
