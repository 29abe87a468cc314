"""The check that a built site loads nothing from outside sees each way to do so."""

import pytest

from docs.offline import loaded_from_outside


@pytest.mark.parametrize(
    "line",
    [
        '<script src="https://cdn.example.org/mathjax.js"></script>',
        '<script defer async="async" src="//cdn.example.org/mathjax.js"></script>',
        '<link rel="stylesheet" href="http://fonts.example.org/css"/>',
        '<img alt="" src="https://example.org/badge.svg">',
    ],
)
def test_what_a_page_loads_from_outside_is_found(tmp_path, line):
    (tmp_path / "guide").mkdir()
    page = tmp_path / "guide" / "page.html"
    page.write_text(f"<html><body>{line}</body></html>")
    assert len(loaded_from_outside(tmp_path)) == 1
    assert loaded_from_outside(tmp_path)[0].startswith(f"{page}: ")


@pytest.mark.parametrize(
    "rule",
    [
        "@font-face { src: url(https://example.org/a.woff2) }",
        '@import "//example.org/b.css";',
    ],
)
def test_what_a_style_sheet_loads_from_outside_is_found(tmp_path, rule):
    (tmp_path / "style.css").write_text(rule)
    assert len(loaded_from_outside(tmp_path)) == 1


def test_links_to_click_and_files_of_the_site_are_allowed(tmp_path):
    (tmp_path / "page.html").write_text(
        '<a href="https://doi.org/10.1">paper</a><script src="_static/a.js"></script>'
    )
    (tmp_path / "style.css").write_text("body { src: url(fonts/a.woff) }")
    assert loaded_from_outside(tmp_path) == []
