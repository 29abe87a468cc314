"""Pictures of the report: what is drawn where."""

import re

import pytest
from numpy.testing import assert_allclose

from pairsift.reports._page import (
    Section,
    figure,
    html_table,
    paragraph,
    rank_table,
    warning_list,
    write_page,
)
from pairsift.reports._pictures import (
    Line,
    difference_picture,
    line_picture,
    nice_ticks,
)
from tests.reports.pages import Page

OPTIONS = {"name": "p", "title": "T", "x_title": "size", "y_title": "height"}


def points(picture, tag="polyline"):
    found = re.findall(rf'<{tag}[^>]*points="([^"]*)"', picture)
    return [
        [tuple(map(float, pair.split(","))) for pair in text.split()] for text in found
    ]


def test_a_line_is_drawn_in_its_frame():
    picture = line_picture([Line([1, 2, 5], [0.0, 5.0, 10.0])], **OPTIONS)
    # Across the whole width, and from the bottom (1000) to the top (0).
    assert points(picture) == [[(0, 1000), (250, 500), (1000, 0)]]
    assert "size" in Page(picture).text
    assert "height" in Page(picture).text


def test_sizes_at_equal_ratios_are_at_equal_distances():
    line = Line([1, 10, 100, 1000], [0, 1, 2, 3])
    [drawn] = points(line_picture([line], **OPTIONS, is_log=True))
    assert_allclose([x for x, _ in drawn], [0, 333.3, 666.7, 1000], atol=0.1)


def test_a_band_is_closed_and_kept_within_100_percent():
    line = Line([1, 2], [0.8, 0.9], low=[0.5, 0.7], high=[0.9, 1.2])
    picture = line_picture([line], **OPTIONS, is_percent=True)
    [band] = points(picture, "polygon")
    # Ticks from 50 % to 100 %: what lies above is cut.
    assert band == [(0, 200), (1000, 0), (1000, 600), (0, 1000)]
    assert "100%" in Page(picture).text
    assert "120%" not in Page(picture).text


def test_lines_are_told_apart():
    lines = [Line([1, 2], [k, k + 1]) for k in range(12)]
    picture = line_picture(lines, **OPTIONS)
    looks = re.findall(r'<polyline class="curve ([^"]+)"', picture)
    assert len(set(looks)) == 12
    shown = figure(picture, "c", [f"n{k}" for k in range(12)])
    keys = re.findall(r'<line class="curve ([^"]+)"', shown)
    assert keys == looks


@pytest.mark.parametrize(
    "line", [Line([1], [0.5]), Line([1, 2], [0.5, 0.5]), Line([3, 4], [-2.0, -1.0])]
)
def test_awkward_lines(line):
    picture = line_picture([line], **OPTIONS)
    for x, y in points(picture)[0]:
        assert 0 <= x <= 1000
        assert 0 <= y <= 1000
    assert "nan" not in picture


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (0.0, 1.0, [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]),
        (0.38, 0.92, [0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0]),
        (0.0, 3.0, [0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0]),
        (7.0, 7.0, [6.4, 6.6, 6.8, 7.0, 7.2, 7.4, 7.6]),
    ],
)
def test_ticks_are_round(low, high, expected):
    assert nice_ticks(low, high) == expected


def test_mean_ranks_are_drawn_best_first():
    picture = difference_picture(
        ["worst", "best", "near"], [3.0, 1.0, 1.5], 1.2, name="d", title="T"
    )
    text = [t for t in Page(picture).text if t in ("worst", "best", "near")]
    assert text == ["best", "near", "worst"]
    kinds = re.findall(r'<circle class="(\w+)" cx="([\d.]+)%"', picture)
    assert [kind for kind, _ in kinds] == ["selected", "selected", "rest"]
    places = [float(x) for _, x in kinds]
    # Rank 1.5 is a quarter of the way from 1 to 3.
    assert_allclose(places[1], places[0] + (places[2] - places[0]) / 4, atol=0.01)
    left, width = re.search(
        r'class="within" x="([\d.]+)%"[^>]*width="([\d.]+)%"', picture
    ).groups()
    assert_allclose(float(left), places[0], atol=0.01)
    assert_allclose(float(width), 1.2 / 2 * (places[2] - places[0]), atol=0.02)


def test_ranks_are_shaded_and_the_best_first():
    html = rank_table(["x", "y", "<z>"], ["a", "b"], [[3, 3], [1, 2], [2, 1]])
    page = Page(html)
    cells = [t for t in page.text if t in ("x", "y", "<z>")]
    assert cells == ["y", "<z>", "x"]
    shares = re.findall(r"--share:([\d.]+)", html)
    assert shares == ["0.55", "0.00", "0.00", "0.55", "0.00", "0.00"]
    cut = rank_table(["x", "y"], ["a"], [[1.5], [1.5]], most=1)
    assert "... and 1 more features." in cut
    assert ">1.5<" in cut


def test_a_page_of_any_sections(tmp_path):
    path = tmp_path / "page.html"
    write_page(
        path,
        title="A <title>",
        lead="Lead & more.",
        sections=[
            Section("First part", [paragraph("one < two"), warning_list([])]),
            Section("Second", [html_table(["a"], [["1"]], numbers=["a"])]),
        ],
        command="pairsift x",
        parameters={"runs": 3},
    )
    text = path.read_text("utf-8")
    page = Page(text)
    assert page.count("section") == 3
    assert page.count("h2", id="first-part") == 1
    assert "one < two" in page.text
    assert "A <title>" in page.text
    assert {"pairsift x", "runs", "3", "numpy"} <= set(page.text)
    assert [p.name for p in tmp_path.iterdir()] == ["page.html"]


def test_rows_of_a_table_may_be_tinted():
    html = html_table(["a"], [["1"], ["2"]], classes=["good", "bad"], is_whole=True)
    page = Page(html)
    assert page.count("tr", **{"class": "good"}) == 1
    assert page.count("table", **{"class": "whole"}) == 1
