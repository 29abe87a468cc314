"""The front page as a package index shows it; all else is in pyproject.toml."""

import re
from pathlib import Path

from setuptools import setup


def for_an_index(page: str) -> str:
    """Leave out relative images, and name the file in place of a relative link."""
    page = re.sub(r"!\[[^]]*\]\((?!\w+:)[^)]*\)\n*", "", page)
    return re.sub(r"\[([^]]+)\]\((?!\w+:|#)([^)#]+)[^)]*\)", _named, page)


def _named(link: re.Match[str]) -> str:
    text, target = link.groups()
    return text if text == target else f"{text} (`{target}`)"


readme = Path(__file__).with_name("README.md").read_text(encoding="utf-8")
setup(
    long_description=for_an_index(readme),
    long_description_content_type="text/markdown",
)
