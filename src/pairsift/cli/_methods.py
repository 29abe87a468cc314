"""``pairsift methods``: the catalogue."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from textwrap import wrap
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.text import Text

from pairsift.cli._console import print_json, print_table
from pairsift.exceptions import DataError

COLUMNS = ["name", "purpose", "context", "needs", "cost", "citation"]
# Longer lines are hard to read.
_WIDEST = 100


class Context(StrEnum):
    """How much a method is told."""

    constrained = "constrained"
    semi_supervised = "semi-supervised"
    supervised = "supervised"
    unsupervised = "unsupervised"


HEADINGS = {
    Context.constrained: "For pairs of rows (constrained)",
    Context.semi_supervised: "For some labels, all rows used (semi-supervised)",
    Context.supervised: "For labels (supervised)",
    Context.unsupervised: "Without any (unsupervised)",
}


class Needs(StrEnum):
    """What a method learns from in the first place."""

    nothing = "nothing"
    labels = "labels"
    pairs = "pairs"
    target = "target"


_MATCHES: dict[Needs, Callable[[Any], bool]] = {
    Needs.nothing: lambda learns: learns.is_free,
    Needs.labels: lambda learns: learns.labels == "required",
    Needs.pairs: lambda learns: learns.from_pairs,
    Needs.target: lambda learns: learns.from_numbers,
}


def methods(
    needs: Annotated[
        Needs | None,
        typer.Option(
            metavar="WHAT",
            help=f"What to learn from: {', '.join(Needs)}.",
            show_default="any",
        ),
    ] = None,
    context: Annotated[
        Context | None,
        typer.Option(
            metavar="NAME",
            help=f"Context of learning: {', '.join(Context)}.",
            show_default="any",
        ),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print all columns as JSON.")
    ] = False,
) -> None:
    """List the methods that --method takes: what they are for, need and cost.

    [bold]Examples[/]

    pairsift methods --needs pairs

    pairsift methods --context semi-supervised --json
    """
    from pairsift.selectors import find_method, methods as catalogue

    table = catalogue()
    if needs is not None:
        learns = table["name"].map(lambda name: find_method(name)._method.learns_from)
        table = table[learns.map(_MATCHES[needs])]
    if context is not None:
        table = table[table["context"] == context]
    if table.empty:
        raise DataError(
            f"no method is of --context {context} and --needs {needs}: drop one of "
            "them."
        )
    if as_json:
        print_json(table.to_dict(orient="records"))
        return
    console = Console(highlight=False)
    if console.is_terminal:
        for name, heading in HEADINGS.items():
            lines = table[table["context"] == name]
            if len(lines):
                console.print(Text(f"\n{heading}", style="bold underline"))
            for _, line in lines.iterrows():
                console.print(_entry(line, min(console.width, _WIDEST)))
    else:
        print_table(COLUMNS, table[COLUMNS].to_numpy().tolist())


def _entry(line: Any, width: int) -> Text:
    """Return name and purpose, below them needs, cost and source in small print."""
    first = _wrapped(f"{line['name']}  {line['purpose']}", width, "")
    details = f"learns from {line['needs']}; {line['cost']}; {line['citation']}"
    text = Text(f"{first}\n")
    text.stylize("bold", 0, len(line["name"]))
    return text.append(_wrapped(details, width, "    "), style="dim")


def _wrapped(text: str, width: int, indent: str) -> str:
    lines = wrap(
        text,
        width,
        initial_indent=indent,
        subsequent_indent="    ",
        break_on_hyphens=False,
        break_long_words=False,
    )
    return "\n".join(lines)
