"""The words that CONTRIBUTING.md bans stand in no page, message or comment."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
# Pattern: what to write instead.
BANNED = {
    r"couples?": "pair",
    r"qualitative": "categorical",
    r"nominal": "categorical",
    r"missing cells?": "missing value",
    r"nobody|somebody": "the person or thing that is meant",
    # "so many rows that ..." is plain English.
    r"so (many|much)(?! [\w ]{3,40} that)": "the name of the number",
    r"(one|an?) (?!is )(\w+ )?a (class|column|core|feature|method|run|selector)": "per",
}
MADE = ("docs/api/generated", "docs/gallery", "docs/_build", "docs/reproduction/")


def text_files():
    for folder, pattern in (
        (".", "*.md"),
        ("docs", "**/*.md"),
        ("src", "**/*.py"),
        ("src", "**/*.html"),
        ("examples", "*.py"),
        ("benchmarks", "**/*.py"),
        ("reproduction", "**/*.py"),
    ):
        for path in sorted((ROOT / folder).glob(pattern)):
            name = str(path.relative_to(ROOT))
            # The list of words itself stands in CONTRIBUTING.md.
            if not name.startswith((*MADE, "CONTRIBUTING.md")):
                yield name


def banned_words(text):
    """Each banned word with what to write instead, also across lines of a comment."""
    text = re.sub(r"\s+(# )?", " ", text)
    return [
        f"{found[0]!r}: write {better!r}"
        for pattern, better in BANNED.items()
        for found in re.finditer(rf"\b({pattern})\b", text, re.IGNORECASE)
    ]


def test_plain_words_are_used():
    names = list(text_files())
    assert names
    found = [
        f"{name}: {word}"
        for name in names
        for word in banned_words((ROOT / name).read_text("utf-8"))
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    "text",
    [
        "two couples of rows",
        "# Nobody may write",
        "Up to so\n# many rows",
        "one sort a column",
        "a process a core",
    ],
)
def test_banned_words_are_found(text):
    assert len(banned_words(text)) == 1


def test_plain_sentences_are_left_alone():
    text = "so many equal rows that no graph fits; a new one is a class; one per run"
    assert banned_words(text) == []
