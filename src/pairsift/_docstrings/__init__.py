"""Docstrings from parts: texts that many docstrings share stand in one place.

A line ``{n_jobs}`` or ``{hijazi2019, sun2007}`` in a docstring stands for the texts of
these names: of the model that the docstring follows, of `PARTS`, or of `REFERENCES`.
"""

import inspect
import re
from collections.abc import Callable
from textwrap import dedent, indent
from typing import Any, TypeVar

from pairsift._docstrings import _parts, _references

Documented = TypeVar("Documented")

MARK = re.compile(r"^([ \t]*)\{(\w+(?:, \w+)*)\}$", re.MULTILINE)
_SECTION = re.compile(r"^Parameters\n-+\n.*?(?=\n\n\S|\Z)", re.DOTALL | re.MULTILINE)
_ENTRY = re.compile(r"^(\w[\w, ]*) : .*(?:\n(?:    .*|))*", re.MULTILINE)


def by_key(text: str) -> dict[str, str]:
    """Read texts that stand below their keys, indented."""
    found = re.findall(r"^(\w+)\n((?:    .*\n)+)", text, re.MULTILINE)
    return {key: dedent(part).rstrip() for key, part in found}


PARTS = by_key(
    _parts.SENTENCES
    + _parts.DATA
    + _parts.PARAMETERS
    + _parts.ATTRIBUTES
    + _parts.FAMILIES
    + _parts.RETURNS
    + _parts.EXAMPLES
)
BIBLIOGRAPHY = {
    "sources": by_key(_references.SOURCES),
    "methods": by_key(_references.METHODS),
    "measures": by_key(_references.MEASURES),
}
"""The works of each section of the page in the documentation, by key."""
REFERENCES = {key: work for s in BIBLIOGRAPHY.values() for key, work in s.items()}


def join_parts(*names: str) -> str:
    """Return several parts as one."""
    return "\n".join(PARTS[name] for name in names)


def documented(thing: Documented) -> Documented:
    """Fill in the shared texts that the docstring of a class or function names."""
    return documented_like(None)(thing)


def documented_like(model: Any) -> Callable[[Documented], Documented]:
    """Fill in shared texts, looking first at the parameters of a model.

    The model is the score function of a selector, or one with parameters in common.
    A class may bring parts of its own, inherited from its base, in `_docstring_parts`.
    With ``python -OO`` there are no docstrings, and nothing is filled in.
    """

    def fill(thing: Documented) -> Documented:
        if thing.__doc__ is not None:
            own = getattr(thing, "_docstring_parts", {})
            parts = {**PARTS, **_parameters(model), **own}
            thing.__doc__ = _filled(thing.__doc__, parts)
        return thing

    return fill


def _filled(text: str, parts: dict[str, str]) -> str:
    cited: list[str] = []

    def part(name: str) -> str:
        if name not in REFERENCES:
            return MARK.sub(texts, parts[name])
        cited.append(name)
        # The lines below the first are indented, as reStructuredText demands.
        return f".. [{len(cited)}] {indent(REFERENCES[name], '   ').lstrip()}"

    def texts(mark: re.Match[str]) -> str:
        return indent("\n".join(map(part, mark[2].split(", "))), mark[1])

    return MARK.sub(texts, text)


def _parameters(model: Any) -> dict[str, str]:
    """Return the description of each parameter in the docstring of a model."""
    text = inspect.cleandoc(getattr(model, "__doc__", None) or "")
    section = _SECTION.search(text)
    return {
        name: entry[0].rstrip()
        for entry in _ENTRY.finditer(section[0] if section else "")
        for name in entry[1].split(", ")
    }
