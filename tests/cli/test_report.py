"""The HTML report: whole, escaped, readable by machines too."""

import re

import numpy as np
import pandas as pd
import pytest

from pairsift.reports import _sureness
from pairsift.reports._ranking_page import _thirds
from tests.reports.pages import Page


@pytest.fixture(autouse=True)
def patience(monkeypatch):
    """Let halves be ranked on a loaded machine, too."""
    monkeypatch.setattr(_sureness, "PATIENCE", 600.0)


@pytest.fixture
def report(run, wine_csv, tmp_path):
    path = tmp_path / "report.html"
    result = run("select", wine_csv, "--label", "class", "--top", 5, "--report", path)
    assert result.exit_code == 0, result.stderr
    return path.read_text(encoding="utf-8")


def test_the_page_needs_nothing_but_itself(report):
    tags = {tag for tag, _ in Page(report).tags}

    assert not tags & {"script", "link", "img", "iframe"}
    assert not re.search(r"(src|href)\s*=|url\(|@import", report)
    assert set(re.findall(r"https?://[^\"\s]+", report)) <= {
        "http://www.w3.org/2000/svg"
    }


def test_the_page_is_accessible(report):
    page = Page(report)

    assert page.count("html", lang="en") == 1
    assert "prefers-color-scheme: dark" in report
    # Scores, five distributions, redundancy: each with a title and a description.
    assert page.count("svg", role="img") == page.count("desc") == 7
    named = [a["aria-labelledby"].split() for t, a in page.tags if "role" in a]
    ids = [a["id"] for _, a in page.tags if "id" in a]
    assert {name for pair in named for name in pair} <= set(ids)
    assert len(ids) == len(set(ids))
    assert page.count("th") == page.count("th", scope="col") > 0


def lead_of(page):
    place = page.tags.index(("p", {"class": "lead"}))
    return page.texts_of[place]


def test_the_page_opens_with_the_choice_and_how_sure_it_is(report):
    lead = lead_of(Page(report))

    assert lead.startswith("SemiMRMR chose ")
    assert lead.count(".") == 1
    assert "flavanoids" in lead
    assert "of 13 features" in lead
    assert "of 20 rankings from random halves of the 118 labelled rows." in lead


def test_pictures_come_first_warnings_and_provenance_last(report):
    titles = re.findall(r"<h2[^>]*>(.*?)</h2>", report)

    assert titles == [
        "Ranking",
        "The chosen features",
        "Do they repeat each other?",
        "All features",
        "Warnings",
        "What it learned from",
        "How this was made",
    ]


def test_the_page_shows_bars_ranking_versions_and_command(report):
    page = Page(report)
    text = " ".join(page.text)

    assert page.count("rect", **{"class": "selected"}) == 5
    assert page.count("rect", **{"class": "rest"}) == 8
    assert "by 118 labelled rows" in text
    assert "pairsift select" in text
    assert "--label class --top 5" in text
    for name in ("categorical_features", "scikit-learn", "numba", "python"):
        assert name in text


@pytest.fixture
def page_of(run, tmp_path):
    """Run `select` with a report and return the page."""

    def make(*arguments):
        path = tmp_path / "r.html"
        result = run("select", *arguments, "--report", path)
        assert result.exit_code == 0, result.stderr
        return Page(path.read_text("utf-8"))

    return make


def test_groups_are_the_classes(page_of, wine_csv):
    page = page_of(wine_csv, "--label", "class", "--top", 3)

    for name in ("Barolo", "Grignolino", "Barbera"):
        assert page.text.count(name) == 3
    # The sizes of the groups add up to the labelled rows, in each of three pictures.
    sizes = [int(t) for t in page.text if t in ("39", "47", "32")]
    assert sum(sizes) == 3 * 118


def test_groups_of_pairs_are_differences(page_of, wine_csv):
    page = page_of(wine_csv, "--drop", "class", *pairs_of(wine_csv, 15), "--top", 2)
    text = " ".join(page.text)

    assert "Differences of the chosen features between the two rows of a pair." in text
    assert "of the 30 pairs." in lead_of(page)
    assert "15 same and 15 different, with the values of the best features." in text
    # Twenty pairs are shown, half of each kind.
    assert page.text.count("same") == 2 + 10
    assert page.text.count("different") == 2 + 10
    assert "10 more are not shown." in text


def pairs_of(data, n_each):
    """Pairs of rows whose alcohol differs little, or much."""
    alcohol = pd.read_csv(data)["alcohol"].to_numpy()
    order = np.argsort(alcohol, kind="stable")
    lines = ["a,b,link"]
    for k in range(n_each):
        lines.append(f"{order[2 * k]},{order[2 * k + 1]},must")
        lines.append(f"{order[k]},{order[-1 - k]},cannot")
    path = data.with_name("pairs.csv")
    path.write_text("\n".join(lines))
    return "--constraints", path


def test_text_features_are_shown_by_shares(page_of, write_csv):
    rng = np.random.default_rng(0)
    kind = np.arange(40) % 2
    colour = np.where(kind == 1, "red", np.where(np.arange(40) < 10, "red", "blue"))
    data = write_csv("d.csv", {"colour": colour, "x": rng.random(40), "y": kind})
    page = page_of(data, "--label", "y", "--top", 1)

    # Of the twenty rows of class 0, the first five are red.
    place = page.text.index("share of")
    shown = [text for text in page.text[place:] if text.strip()][:9]
    assert shown == ["share of", "red", "blue", "0", "25%", "75%", "1", "100%", "0%"]
    assert "Do they repeat each other?" not in page.text


def test_a_numeric_target_is_cut_into_thirds():
    target = np.arange(30.0)
    target[3] = np.nan
    thirds = _thirds(target)

    assert list(thirds) == ["up to 10.33", "between", "from 19.67"]
    rows = [row for third in thirds.values() for row in third.tolist()]
    assert sorted(rows) == [row for row in range(30) if row != 3]
    assert [len(third) for third in thirds.values()] == [10, 9, 10]
    # Where most values are equal, no row is in two thirds.
    same = _thirds([1.0, 1.0, 1.0, 2.0])
    assert [len(third) for third in same.values()] == [3, 0, 1]


def test_names_and_ids_are_escaped(run, write_csv, tmp_path):
    rng = np.random.default_rng(0)
    nasty = "<script>alert('&')</script>"
    data = write_csv(
        "<b>.csv",
        {
            nasty: rng.random(9),
            "id": [f"<i>{row}" for row in range(9)],
            "text": ["<u>"] * 8 + ["<s>"],
        },
    )
    pairs = write_csv("p.csv", "a,b,link\n<i>0,<i>1,cannot\n<i>3,<i>8,must\n")
    path = tmp_path / "r.html"
    result = run("select", data, "--id", "id", "--constraints", pairs, "--report", path)
    page = Page(path.read_text(encoding="utf-8"))

    assert result.exit_code == 0, result.stderr
    for tag in ("script", "b", "i", "u", "s"):
        assert page.count(tag) == 0
    assert nasty in page.text
    assert {"<i>0", "<i>1", "<i>8"} <= set(page.text)


def test_scores_below_zero_are_points_the_best_to_the_right(page_of, write_csv):
    rng = np.random.default_rng(0)
    data = write_csv("d.csv", {"x": rng.random(20), "z": rng.random(20), "same": 1})
    page = page_of(data, "--method", "laplacian-score")

    points = [float(a["cx"][:-1]) for t, a in page.tags if a.get("r") == "5"]
    assert len(points) == 2
    assert points[0] >= points[1]
    assert "−∞" in page.text
    assert "neither labels nor pairs" in " ".join(page.text)


@pytest.mark.slow
@pytest.mark.parametrize("top", [5, 400])
def test_a_page_has_an_end(page_of, write_csv, top):
    rng = np.random.default_rng(0)
    columns = {f"x{j}": rng.random(9) for j in range(500)}
    columns |= {f"copy{j}": columns["x0"] for j in range(50)}
    data = write_csv("d.csv", columns)
    page = page_of(data, "--method", "variance-score", "--top", top)
    text = " ".join(page.text)

    # Fifty copies make fifty warnings.
    assert "... and 30 more warnings." in text
    assert "The best 30 of 550 features are shown." in text
    assert "... and 500 more features." in text
    assert page.count("svg") <= 1 + 8 + 1
    if top == 400:
        assert "and 390 more of 550 features" in lead_of(page)
        assert "392 more are not drawn." in text


def test_a_slow_ranking_is_not_repeated(page_of, wine_csv, monkeypatch):
    monkeypatch.setattr(_sureness, "PATIENCE", 0.0)
    page = page_of(wine_csv, "--label", "class", "--top", 5)

    assert "how sure that is was not measured: 20 rankings would take" in lead_of(page)
    assert "How sure is it?" not in " ".join(page.text)
