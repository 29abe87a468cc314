"""`reports.write`: the page of a selector, a comparison or a session."""

import re
import subprocess
import sys
import warnings
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_wine
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import make_pipeline

from pairsift import (
    ActiveSession,
    ConstraintError,
    FisherScore,
    PairConstraints,
    PairLogistic,
    ReliefF,
    RReliefF,
    VarianceScore,
    reports,
)
from pairsift.evaluation import Comparison, compare
from pairsift.exceptions import DataError
from pairsift.reports import _sureness
from pairsift.reports._fitted import Given, fitted_ranking
from tests.reports.pages import Page

NASTY = "<script>alert('&')</script>"


@pytest.fixture(scope="module")
def wine():
    return load_wine(return_X_y=True, as_frame=True)


@pytest.fixture(autouse=True)
def patience(monkeypatch):
    """Let halves be ranked on a loaded machine, too."""
    monkeypatch.setattr(_sureness, "PATIENCE", 600.0)


@pytest.fixture
def page_of(tmp_path):
    """Write a page; return what is read from it, after checks that hold for all."""

    def make(thing, **options):
        path = reports.write(thing, tmp_path / "page.html", **options)
        assert path == tmp_path / "page.html"
        assert [file.name for file in tmp_path.iterdir()] == ["page.html"]
        text = path.read_text(encoding="utf-8")
        page = Page(text)
        tags = {tag for tag, _ in page.tags}
        assert not tags & {"script", "link", "img", "iframe"}
        assert not re.search(r"(src|href)\s*=|url\(|@import|\son\w+=", text)
        outside = set(re.findall(r"https?://[^\"\s]+", text))
        assert outside <= {"http://www.w3.org/2000/svg"}
        ids = [a["id"] for _, a in page.tags if "id" in a]
        assert len(ids) == len(set(ids))
        named = [a["aria-labelledby"].split() for _, a in page.tags if "role" in a]
        assert {name for pair in named for name in pair} <= set(ids)
        assert "nan" not in " ".join(page.text).lower().split()
        return page

    return make


def titles(page):
    return [page.texts_of[k] for k, (tag, _) in enumerate(page.tags) if tag == "h2"]


def lead(page):
    return page.texts_of[page.tags.index(("p", {"class": "lead"}))]


def ranked(page):
    """Return the features of the table of all features, in its order."""
    start = page.text.index("All features")
    cells = [t for t in page.text[start:] if t.strip()]
    n_columns = 5 if "again" in cells[:8] else 4
    cells = cells[1 + n_columns :]
    return [name for rank, name in pairwise(cells) if rank == "1"]


def test_a_selector_alone(page_of, wine):
    X, y = wine
    selector = ReliefF(3).fit(X, y)
    page = page_of(selector)

    best = X.columns[selector.order_[0]]
    assert lead(page).startswith(f"ReliefF chose {best}, ")
    assert "the page was written without the data" in lead(page)
    assert ranked(page)[0] == best
    assert titles(page) == [
        "Ranking",
        "All features",
        "What it learned from",
        "How this was made",
    ]
    assert "ReliefF(n_features_to_select=3)" in page.text
    assert "13 features were ranked; ReliefF learns from labels (or must-links)." in (
        page.text
    )


def test_a_selector_with_its_labels(page_of, wine):
    X, y = wine
    page = page_of(FisherScore(2).fit(X, y), X=X, y=y, title="Wines", about="Tasted.")

    assert "random halves of the 178 labelled rows." in lead(page)
    assert "Wines" in page.text
    assert "Tasted." in page.text
    assert "Values of the chosen features by class." in " ".join(page.text)
    # The sizes of the classes, in each of two pictures.
    assert [page.text.count(n) for n in ("59", "71", "48")] == [2, 2, 2]
    assert "Warnings" in titles(page)


def test_a_selector_with_its_pairs(page_of, wine):
    X, y = wine
    pairs = PairConstraints.sample(y, 8, 7, random_state=0)
    selector = PairLogistic(2).fit(X.to_numpy(), constraints=pairs)
    names = list(X.columns)
    page = page_of(selector, X=X.to_numpy(), constraints=pairs, feature_names=names)

    assert "random halves of the 15 pairs." in lead(page)
    assert names[selector.order_[0]] in lead(page)
    assert "13 features of 178 rows were ranked by 15 pairs." in page.text
    assert "7 same and 8 different" in " ".join(page.text)


def test_rows_are_called_by_their_ids(page_of):
    X = pd.DataFrame({"a": np.repeat([0.0, 1.0], 10), "b": np.arange(20.0) % 3})
    ids = [f"bottle {row}" for row in range(20)]
    must = [("bottle 0", "bottle 3"), ("bottle 10", "bottle 13")]
    cannot = [("bottle 3", "bottle 10"), ("bottle 0", "bottle 15")]
    pairs = PairConstraints(must, cannot, ids=ids)
    selector = PairLogistic(1).fit(X, constraints=pairs, sample_ids=ids)

    for options in ({}, {"sample_ids": ids}):
        page = page_of(selector, X=X, constraints=pairs, **options)
        assert {"bottle 3", "bottle 13", "bottle 15"} <= set(page.text)
    # Rows in another order have their pairs all the same.
    back = page_of(selector, X=X[::-1], constraints=pairs, sample_ids=ids[::-1])
    assert {"bottle 3", "bottle 13", "bottle 15"} <= set(back.text)
    # The index of a frame does as well.
    indexed = X.set_axis(ids)[::-1]
    by_index = page_of(selector, X=indexed, constraints=pairs)
    assert by_index.text == back.text


def test_a_copy_of_the_labels_is_warned_of_in_the_words_of_python(page_of, wine):
    X, y = wine
    X = X.assign(kind=y.map({0: 5.0, 1: 6.0, 2: 7.0}))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        selector = FisherScore(2).fit(X, y)
    page = page_of(selector, X=X, y=y)

    said = "column 'kind' repeats the label, value by value, but is taken as a feature"
    assert f"{said}: leave it out of X." in page.text
    assert "--drop" not in " ".join(page.text)


def test_labels_may_be_given_for_pictures_alone(page_of, wine):
    X, y = wine
    page = page_of(VarianceScore(1).fit(X), X=X, y=y)

    assert "by class." in " ".join(page.text)
    assert "of the 178 rows." in lead(page)
    assert "neither labels nor pairs" in " ".join(page.text)


def test_a_numeric_target(page_of, wine):
    X, _ = wine
    target = X["proline"] / 7.0
    page = page_of(RReliefF(1).fit(X, target), X=X, y=target)

    assert "proline" in lead(page)
    assert "by thirds of the target." in " ".join(page.text)


def test_text_and_missing_values_of_polars(page_of):
    polars = pytest.importorskip("polars")
    y = np.arange(40) % 2
    colour = np.where(y == 1, "red", np.where(np.arange(40) < 10, "red", "blue"))
    size = np.where(np.arange(40) == 3, np.nan, np.arange(40.0) % 7)
    X = polars.DataFrame({"colour": colour, "size": size})
    page = page_of(ReliefF(1, n_neighbors=3).fit(X, y), X=X, y=y)

    # Of the twenty rows of class 0, the first five are red.
    assert "ReliefF chose colour of 2 features" in lead(page)
    place = page.text.index("share of")
    shown = [text for text in page.text[place:] if text.strip()][:9]
    assert shown == ["share of", "red", "blue", "0", "25%", "75%", "1", "100%", "0%"]


def test_names_are_escaped(page_of):
    X = pd.DataFrame({NASTY: np.repeat([0.0, 1.0], 10), "<b>": np.arange(20.0) % 3})
    pairs = PairConstraints([(0, 3), (10, 13)], [(3, 10), (0, 15)], n_samples=20)
    selector = PairLogistic(1).fit(X, constraints=pairs)
    page = page_of(
        selector, X=X, constraints=pairs, title="<i>", about="<u>", feature_names=None
    )
    alone = page_of(selector, title="<i>", feature_names=[NASTY, "<b>"])

    for found in (page, alone):
        assert NASTY in found.text
        assert not {"b", "i", "u"} & {tag for tag, _ in found.tags}


@pytest.fixture(scope="module")
def comparison(wine):
    X, y = wine
    chosen = {"Fisher": FisherScore(), "variance": VarianceScore()}
    return compare(chosen, X, y, n_splits=3, random_state=0, name="wine")


def test_a_comparison(page_of, comparison):
    page = page_of(comparison)
    text = " ".join(page.text)

    assert "wine, methods compared" in page.text
    assert lead(page).startswith("On wine by ")
    assert titles(page)[:4] == [
        "Which method?",
        "Accuracy",
        "Redundancy",
        "Ranks of the features",
    ]
    assert "2 methods on wine (178 rows, 13 features)" in text
    assert "In each of 3 random splits" in text
    assert "Methods learned from: all labels, nothing." in text
    assert "Judged by hand." in page_of(comparison, about="Judged by hand.").text


def test_numbers_of_a_comparison_are_its_own(page_of, comparison):
    text = " ".join(page_of(comparison).text)
    for line in comparison.summary().itertuples():
        mean, error = 100 * line.mean_accuracy, 100 * line.standard_error
        assert f"{mean:.1f} ± {error:.1f}" in text


def test_several_data_sets(page_of, comparison):
    cells = [
        cell.__class__(**{**vars(cell), "data": "<b>"}) for cell in comparison.cells
    ]
    other = Comparison(tuple(cells), (), {"<b>": comparison.feature_names["wine"]})
    page = page_of(Comparison.join([comparison, other]))

    assert "wine" in titles(page)
    assert "<b>" in titles(page)
    assert "Over all data sets" in titles(page)
    assert page.count("b") == 0


def test_a_comparison_goes_into_the_page_of_a_ranking(tmp_path, wine, comparison):
    X, y = wine
    ranking = fitted_ranking(FisherScore(2).fit(X, y), Given(X, y))
    results = reports.comparison_results(comparison, "Worth", about="On three splits.")
    path = tmp_path / "page.html"
    reports.write_report(
        path, ranking, title="T", command="c", about="A.", results=results
    )
    page = Page(path.read_text("utf-8"))

    assert titles(page)[:3] == ["Ranking", "Worth", "The chosen features"]
    assert "On three splits." in page.text
    assert page.count("polyline") == 2 * len(
        comparison.summary()["classifier"].unique()
    )
    assert page.count("polygon") == page.count("polyline")
    ids = [a["id"] for _, a in page.tags if "id" in a]
    assert len(ids) == len(set(ids))


@pytest.fixture
def sorted_wines(wine):
    """A session of fourteen cards and an unsure pair."""
    X, y = wine
    session = ActiveSession(X)
    for _ in range(14):
        card = session.ask_card()
        same = [pile for pile in card.piles if y[pile.shown] == y[card.row]]
        session.place(card.row, same[0].number if same else "new")
    session.tell(*session.ask(), "unsure")
    return session


def test_a_session_of_cards(page_of, wine, sorted_wines):
    page = page_of(sorted_wines, X=wine[0])
    text = " ".join(page.text)

    assert "Features chosen from 15 answers" in page.text
    assert lead(page).startswith("SemiMRMR ranks ")
    assert "halves of the 14 labelled rows." in lead(page)
    assert "Values of the chosen features by pile." in text
    assert "cards placed on a pile" in page.text
    assert "cards that began a pile" in page.text
    assert "SemiMRMR learned from 3 piles of 14 sorted rows." in text
    start = page.text.index("Piles of two and more rows")
    cells = [t for t in page.text[start + 1 :] if t.strip()][3:6]
    largest = max(sorted_wines.piles, key=len)
    number = sorted_wines.labels[largest[0]]
    assert cells[:2] == [str(number), str(len(largest))]
    assert cells[2].startswith(f"{largest[0]}, {largest[1]}")


def test_a_session_has_its_own_data(page_of, sorted_wines):
    page = page_of(sorted_wines, sample_ids=[f"bottle {k}" for k in range(178)])

    assert re.match(r"SemiMRMR ranks x\d+, x\d+", lead(page))
    assert any(text.startswith("bottle ") for text in page.text)


def test_a_session_of_pairs_with_a_contradiction(page_of, wine):
    X, y = wine
    session = ActiveSession(X, strategy="uncertainty")
    for _ in range(12):
        i, j = session.ask()
        session.tell(i, j, "same" if y[i] == y[j] else "different")
    session.tell(0, 1, "same", replace=True)
    session.tell(1, 2, "same", replace=True)
    with pytest.warns(UserWarning, match="contradict"):
        session.tell(0, 2, "different", replace=True)
    page = page_of(session, X=X)

    assert lead(page).startswith("PairLogistic ranks ")
    start = page.text.index("Answers to look at again")
    odd = [t for t in page.text[start + 1 :] if t.strip()]
    assert odd[0] == (
        "contradiction: 0 - 1 - 2 were said to be the same, and 0 and 2 different."
    )
    assert "differences" not in lead(page)
    n_pairs = len(session.constraints)
    assert f"PairLogistic learned from the {n_pairs} pairs in them." in " ".join(
        page.text
    )


def test_a_doubtful_answer_is_named(page_of):
    rng = np.random.default_rng(0)
    X = rng.random((60, 3))
    kind = np.arange(60) % 2
    X[:, 0] = 0.1 * X[:, 0] + kind
    session = ActiveSession(X, strategy="random")
    for k in range(40):
        i, j = session.ask()
        is_same = (kind[i] == kind[j]) != (k == 20)
        if k == 20:
            wrong = i, j
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            session.tell(i, j, "same" if is_same else "different")
    page = page_of(session, selector=FisherScore())
    text = " ".join(page.text)

    assert re.search(rf"rows {min(wrong)} and {max(wrong)}: you said", text)


def test_a_session_of_categories(page_of):
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"c": np.tile(["a", "b"], 15), "z": rng.random(30)})
    session = ActiveSession(X, random_state=0)
    for _ in range(8):
        card = session.ask_card()
        same = [p for p in card.piles if X["c"][p.shown] == X["c"][card.row]]
        session.place(card.row, same[0].number if same else "new")
    page = page_of(session, feature_names=["c", "z"])

    assert lead(page).startswith("SemiMRMR ranks c first of 2")
    assert "share of" in page.text


@pytest.mark.parametrize("n_cards", [0, 1])
def test_too_few_answers_for_a_ranking(page_of, wine, n_cards):
    session = ActiveSession(wine[0])
    if n_cards:
        session.place(session.ask_card().row, "new")
    page = page_of(session, about="A beginning.")

    said = f"{n_cards} answer{'s' if not n_cards else ''}"
    assert lead(page).startswith(f"{said} about 178 rows")
    assert "They do not suffice for a ranking: SemiMRMR needs" in lead(page)
    assert "Ranking" not in titles(page)
    assert "A beginning." in page.text


@pytest.fixture
def fisher(wine):
    return FisherScore(2).fit(*wine)


@pytest.mark.parametrize(
    ("options", "error", "said"),
    [
        ({"y": [0]}, TypeError, "^y goes with X: give the data"),
        ({"selector": ReliefF()}, TypeError, "^selector does not go with a selector"),
        ({"title": 3}, TypeError, "^title must be text, got 3"),
        ({"about": b"x"}, TypeError, "^about must be text, got b'x'"),
        ({"feature_names": ["a"]}, ValueError, "must name the 13 features, got 1"),
        ({"feature_names": "a"}, TypeError, "must be a list of names, got 'a'"),
        ({"feature_names": ["a"] * 13}, ValueError, "must differ, got 'a' twice"),
        ({"X": np.zeros(13)}, DataError, r"^X must be a table of rows .*\(13,\)"),
        ({"X": np.zeros((5, 3))}, DataError, "^X must have the 13 columns .* got 3"),
        ({"X": "wine", "y": [0]}, DataError, r"^y must have one label .*\(1,\)"),
        ({"X": "wine", "constraints": [(0, 1)]}, ConstraintError, "PairConstraints"),
        ({"X": "wine", "sample_ids": [1, 2]}, DataError, "name the 178 rows .* got 2"),
    ],
)
def test_wrong_arguments_get_a_sentence(tmp_path, fisher, wine, options, error, said):
    if isinstance(options.get("X"), str):
        options = options | {"X": wine[0]}
    with pytest.raises(error, match=said) as raised:
        reports.write(fisher, tmp_path / "page.html", **options)
    assert str(raised.value).endswith(".")
    assert "\n" not in str(raised.value)
    assert list(tmp_path.iterdir()) == []


def test_pairs_of_other_rows_are_refused(tmp_path, fisher, wine):
    pairs = PairConstraints([(0, 1)], n_samples=5)
    with pytest.raises(ConstraintError, match="5 samples.*178 rows"):
        reports.write(fisher, tmp_path / "p.html", X=wine[0], constraints=pairs)


@pytest.mark.parametrize(
    ("thing", "said"),
    [
        (ReliefF, "got the class ReliefF"),
        (None, "got NoneType"),
        (make_pipeline(ReliefF()), "got Pipeline"),
        ("x.html", "got str"),
    ],
)
def test_there_is_no_page_of_other_things(tmp_path, thing, said):
    with pytest.raises(TypeError, match=f"must be a fitted selector .*, {said}"):
        reports.write(thing, tmp_path / "page.html")


def test_more_refusals(tmp_path, wine, fisher, comparison, sorted_wines):
    path = tmp_path / "page.html"
    with pytest.raises(NotFittedError, match="not fitted"):
        reports.write(ReliefF(), path)
    with pytest.raises(TypeError, match="^X does not go with a comparison: leave it"):
        reports.write(comparison, path, X=wine[0])
    with pytest.raises(TypeError, match="^y does not go with a session"):
        reports.write(sorted_wines, path, y=wine[1])
    with pytest.raises(TypeError, match="^missing_label does not go with a session"):
        reports.write(sorted_wines, path, missing_label=-1)
    with pytest.raises(ValueError, match="X must be the data of the session, 178 rows"):
        reports.write(sorted_wines, path, X=wine[0].iloc[:9])
    with pytest.raises(TypeError, match="selector must be a selector of pairsift"):
        reports.write(sorted_wines, path, selector=ReliefF)
    with pytest.raises(DataError, match="at least one finished run, got none"):
        reports.write(Comparison(()), path)
    with pytest.raises(TypeError, match="path must be the name of a file, got 3"):
        reports.write(fisher, 3)
    with pytest.raises(DataError, match="cannot write .*No such file"):
        reports.write(fisher, tmp_path / "nowhere" / "page.html")


def test_a_page_that_is_there_is_replaced_as_a_whole(tmp_path, fisher, monkeypatch):
    path = tmp_path / "page.html"
    path.write_text("old")
    link = tmp_path / "link.html"
    link.symlink_to(path)
    assert reports.write(fisher, str(link)) == link
    assert link.is_symlink()
    new = path.read_text("utf-8")
    assert new.startswith("<!DOCTYPE html>")

    def fail(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pathlib.Path.replace", fail)
    with pytest.raises(DataError, match="No space left"):
        reports.write(fisher, path, title="newer")
    assert path.read_text("utf-8") == new
    assert {file.name for file in tmp_path.iterdir()} == {"page.html", "link.html"}


@pytest.mark.slow
def test_pages_need_neither_typer_nor_rich_nor_matplotlib(tmp_path):
    script = (
        "import sys\n"
        "for name in ('typer', 'rich', 'matplotlib'): sys.modules[name] = None\n"
        "import numpy as np\n"
        "from pairsift import VarianceScore, reports\n"
        "X = np.random.default_rng(0).random((9, 3))\n"
        "reports.write(VarianceScore(1).fit(X), sys.argv[1], X=X)\n"
        "print('pairsift.cli' in sys.modules, 'pairsift.plotting' in sys.modules)\n"
    )
    found = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path / "page.html")],
        capture_output=True,
        text=True,
        check=True,
    )
    assert found.stdout.split() == ["False", "False"]
    assert (tmp_path / "page.html").read_text("utf-8").startswith("<!DOCTYPE html>")


def test_the_page_of_a_selector_leaves_it_as_it_was(page_of, wine):
    X, y = wine
    selector = ReliefF(3).fit(X, y)
    scores, parameters = selector.scores_.copy(), selector.get_params()
    page_of(selector, X=X, y=y)
    assert (selector.scores_ == scores).all()
    assert selector.get_params() == parameters
