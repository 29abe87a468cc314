"""Arguments and options that several commands have, worded once."""

from pathlib import Path
from typing import Annotated

import typer

DataFile = Annotated[
    Path, typer.Argument(help="Table: .csv, .tsv, .parquet (or .csv.gz).")
]
IdColumn = Annotated[
    str | None, typer.Option("--id", metavar="COLUMN", help="Column of row ids.")
]
Drop = Annotated[
    list[str] | None,
    typer.Option(metavar="COLUMN", help="Column to leave out; repeat for more."),
]
Scaled = Annotated[
    bool, typer.Option("--scale/--no-scale", help="Scale numeric columns to 0..1.")
]
Seed = Annotated[
    int, typer.Option(metavar="N", min=0, help="Seed of all that is random.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
Quiet = Annotated[
    bool, typer.Option("--quiet", "-q", help="Print results and errors only.")
]
