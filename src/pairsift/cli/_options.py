"""Arguments and options that several commands have, worded once."""

from pathlib import Path
from typing import Annotated

import typer

from pairsift._file_modes import private_as
from pairsift.cli._draws import DRAWN_ROWS

FORMATS_HELP = ".csv, .tsv, .txt, .parquet, .xlsx (or .csv.gz, .zip)."


def keep_private(ctx: typer.Context, data: Path) -> Path:
    """Let the command write files that others may read only if they may read DATA."""
    ctx.with_resource(private_as(data))
    return data


DataFile = Annotated[
    Path, typer.Argument(help=f"Table: {FORMATS_HELP}", callback=keep_private)
]
IdColumn = Annotated[
    str | None, typer.Option("--id", metavar="COLUMN", help="Column of row ids.")
]
Drop = Annotated[
    list[str] | None,
    typer.Option(metavar="COLUMN", help="Column to leave out; repeat for more."),
]
Na = Annotated[
    list[str] | None,
    typer.Option(
        "--na",
        metavar="WORD",
        help="Cells with this word are missing values; repeat for more.",
        show_default="empty cells, NA, NaN, null, ...",
    ),
]
KeepNa = Annotated[
    list[str] | None,
    typer.Option(
        "--keep-na",
        metavar="WORD",
        help="Take this word, such as NA, as a value of columns of text; repeat for "
        "more.",
    ),
]
Categorical = Annotated[
    list[str] | None,
    typer.Option(
        metavar="COLUMN",
        help="Column to take as text, even if it holds numbers; repeat for more.",
    ),
]
Unlabelled = Annotated[
    str | None,
    typer.Option(
        metavar="VALUE",
        help='Label of rows without one, beside an empty cell; "" if each label is a '
        "class.",
        show_default="-1 in a column of numbers, unless the others are all 1",
    ),
]
AskedRows = Annotated[
    int | None,
    typer.Option(
        "--max-samples",
        metavar="N",
        min=2,
        help="Ask about a draw of N rows, and rank these.",
        show_default=f"all rows; {DRAWN_ROWS:,} of Parquet too large for memory",
    ),
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
