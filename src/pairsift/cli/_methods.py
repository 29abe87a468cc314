"""``pairsift methods``: the catalogue."""

from typing import Annotated

import typer

from pairsift.cli._console import print_json, print_table

COLUMNS = ["name", "context", "needs", "cost", "citation"]


def methods(
    as_json: Annotated[
        bool, typer.Option("--json", help="Print all columns as JSON.")
    ] = False,
) -> None:
    """List the methods that --method takes."""
    from pairsift.selectors import methods as catalogue

    table = catalogue()
    if as_json:
        print_json(table.to_dict(orient="records"))
        return
    print_table(COLUMNS, table[COLUMNS].to_numpy().tolist(), whole=["name"])
