"""HTML pages, read with the standard library."""

from html.parser import HTMLParser

VOID = {"meta", "br", "rect", "line", "circle", "polyline", "polygon"}


class Page(HTMLParser):
    """Checks that tags close in order; collects tags, attributes and text."""

    def __init__(self, text):
        super().__init__()
        self.open, self.tags, self.text = [], [], []
        # Text that follows each tag, by the number of the tag.
        self.texts_of = {}
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
        self.texts_of.setdefault(len(self.tags) - 1, data)

    def count(self, tag, **wanted):
        return sum(
            name == tag and wanted.items() <= attributes.items()
            for name, attributes in self.tags
        )
