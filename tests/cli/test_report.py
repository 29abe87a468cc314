"""The HTML report: whole, escaped, readable by machines too."""

import re
from html.parser import HTMLParser

import numpy as np
import pytest

VOID = {"meta", "br", "rect", "line", "circle", "polyline", "polygon"}


class Page(HTMLParser):
    """Checks that tags close in order; collects tags, attributes and text."""

    def __init__(self, text):
        super().__init__()
        self.open, self.tags, self.text = [], [], []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if tag not in VOID:
            assert self.open.pop() == tag

    def handle_startendtag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data):
        self.text.append(data)

    def count(self, tag, **wanted):
        return sum(
            name == tag and wanted.items() <= attributes.items()
            for name, attributes in self.tags
        )


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
    assert page.count("svg", role="img") == 1
    assert page.count("desc", id="bars-desc") == 1
    assert page.count("th") == page.count("th", scope="col") > 0


def test_the_page_shows_bars_ranking_pairs_versions_and_command(report):
    page = Page(report)
    text = " ".join(page.text)

    assert page.count("rect", **{"class": "selected"}) == 5
    assert page.count("rect", **{"class": "rest"}) == 8
    # In the picture, as its tooltip, and in the table.
    assert text.count("proline") == 3
    assert "pairs, all those of the 118 labelled rows" in text
    assert "pairsift select" in text
    assert "--label class --top 5" in text
    for name in ("n_neighbors", "scikit-learn", "numba", "python"):
        assert name in text


def test_the_first_given_pairs_are_listed(run, wine_csv, tmp_path):
    path = tmp_path / "r.html"
    run("select", wine_csv, "--label", "class", "--sample-pairs", 60, "--report", path)
    page = Page(path.read_text("utf-8"))
    assert "60 cannot-links (≠)" in " ".join(page.text)
    assert page.count("li") == 50


def test_names_and_ids_are_escaped(run, write_csv, tmp_path):
    rng = np.random.default_rng(0)
    nasty = "<script>alert('&')</script>"
    data = write_csv(
        "<b>.csv", {nasty: rng.random(9), "id": [f"<i>{row}" for row in range(9)]}
    )
    pairs = write_csv("p.csv", "a,b,link\n<i>0,<i>1,cannot\n")
    path = tmp_path / "r.html"
    result = run("select", data, "--id", "id", "--constraints", pairs, "--report", path)
    page = Page(path.read_text(encoding="utf-8"))

    assert result.exit_code == 0, result.stderr
    assert page.count("script") == page.count("b") == page.count("i") == 0
    assert nasty in page.text
    assert "<i>0 ≠ <i>1" in page.text


def test_negative_scores_lie_left_of_the_zero_line(run, write_csv, tmp_path):
    rng = np.random.default_rng(0)
    data = write_csv("d.csv", {"x": rng.random(20), "z": rng.random(20), "same": 1})
    path = tmp_path / "r.html"
    run("select", data, "--report", path)
    page = Page(path.read_text(encoding="utf-8"))

    zero = next(a["x1"] for tag, a in page.tags if tag == "line")
    for tag, attributes in page.tags:
        if tag == "rect":
            right = sum(float(attributes[side][:-1]) for side in ("x", "width"))
            # Written with two and three digits.
            assert right == pytest.approx(float(zero[:-1]), abs=0.01)
    assert "−∞" in page.text
    assert "neither labels nor constraints" in " ".join(page.text)


def test_many_features_are_drawn_in_part(run, write_csv, tmp_path):
    rng = np.random.default_rng(0)
    data = write_csv("d.csv", {f"x{j}": rng.random(9) for j in range(40)})
    path = tmp_path / "r.html"
    run("select", data, "--method", "variance-score", "--report", path)
    page = Page(path.read_text(encoding="utf-8"))

    assert page.count("rect") == 30
    assert "The best 30 of 40 features are shown." in " ".join(page.text)
    assert page.text.count("x39") >= 1
