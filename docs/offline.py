"""Check a built site: no page may load a script, style, font or picture from outside.

``python docs/offline.py docs/_build/html``, part of ``make docs``.
"""

import re
import sys
from html.parser import HTMLParser
from pathlib import Path

OUTSIDE = re.compile(r"(https?:)?//")
# A style sheet loads what stands in url(...) or after @import.
LOADED_BY_STYLES = re.compile(r"""(?:url\(|@import)\s*["']?((?:https?:)?//[^"')\s]+)""")


class Loaded(HTMLParser):
    """Collect what a browser loads by itself: a link that is clicked is not."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.addresses: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take the address that the tag makes a browser load."""
        key = {"link": "href", "a": ""}.get(tag, "src")
        self.addresses += [value or "" for name, value in attrs if name == key]


def loaded_from_outside(site: Path) -> list[str]:
    """Return a line for each address outside that a page or style sheet loads."""
    found = []
    for page in sorted(site.rglob("*.html")):
        addresses = Loaded(page.read_text("utf-8")).addresses
        found += [f"{page}: {a}" for a in addresses if OUTSIDE.match(a)]
    for sheet in sorted(site.rglob("*.css")):
        addresses = LOADED_BY_STYLES.findall(sheet.read_text("utf-8"))
        found += [f"{sheet}: {address}" for address in addresses]
    return found


if __name__ == "__main__":
    outside = loaded_from_outside(Path(sys.argv[1]))
    sys.exit("\n".join(["loaded from outside the site:", *outside]) if outside else 0)
