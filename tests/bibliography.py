"""The works that the documentation cites, by key."""

import re
from pathlib import Path

PAGE = Path(__file__).parents[1] / "docs" / "references.md"


def works():
    """Return the text of each work on the page of references."""
    found = re.findall(r"^\((\w+)\)=\n((?:.+\n?)+)", PAGE.read_text("utf-8"), re.M)
    return {key: " ".join(text.split()) for key, text in found}
