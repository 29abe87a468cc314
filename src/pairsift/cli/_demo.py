"""``pairsift demo``: the main job on bundled data, end to end."""

from __future__ import annotations

import shlex
import shutil
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from pairsift.cli._console import Messages, print_json, print_table, print_text
from pairsift.cli._output import check_outputs, make_folder, write_ranking
from pairsift.cli._pictures import curve_picture
from pairsift.cli._ranking import Ranking, find_method, rank_features
from pairsift.cli._report import html_table, write_report
from pairsift.cli._select import print_ranking
from pairsift.cli._tables import Table
from pairsift.cli._wine import N_CANNOT_LINK, N_DRAWS, Accuracy, Wine

METHOD = "relieff-sc"
N_SELECTED = 5
_SHOWN_SIZES = (1, 3, 5, 7, 10)
_FILES = ("wine.csv", "constraints.csv", "ranking.csv", "report.html")
_HEADER = (
    "best features",
    "this draw",
    f"mean of {N_DRAWS} draws",
    "lowest",
    "highest",
)


def demo(
    ctx: typer.Context,
    out_dir: Annotated[
        Path, typer.Option(metavar="FOLDER", help="Where to write the files.")
    ] = Path("pairsift-demo"),
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON document.")
    ] = False,
) -> None:
    """Select features of Wine from 20 cannot-links, and see what they are worth.

    Half of the wines of each class are for training. Of those, only 20 couples are
    known to be of different classes; the other half tells how good the choice is.
    """
    messages = Messages()
    make_folder(out_dir)
    paths = [out_dir / name for name in _FILES]
    check_outputs(paths, [])
    selector_class, method = find_method(METHOD)
    with messages.progress("Ranking (compiles on the first run)"):
        wine = Wine.load()
        ranking = rank_features(
            selector_class,
            method,
            {"n_features_to_select": N_SELECTED},
            Table(wine.train),
            wine.draw(seed=0),
        )
    with messages.progress(f"Judging {N_DRAWS} draws", total=N_DRAWS) as advance:
        accuracy = wine.judge(selector_class, advance)
    _write(paths, wine, ranking, accuracy, command=ctx.obj)
    if as_json:
        print_json(_as_dict(wine, ranking, accuracy, paths))
    else:
        _print(wine, ranking, accuracy, paths)


def _print(wine: Wine, ranking: Ranking, accuracy: Accuracy, paths: list[Path]) -> None:
    print_text(_told(wine))
    print_ranking(ranking)
    print_text(_explained(wine))
    rows = [row for row in _rows(accuracy) if row[0] in map(str, _SHOWN_SIZES)]
    styles = ["bold" if row[0] == str(N_SELECTED) else "" for row in rows]
    print_table(
        _HEADER,
        [*rows, _all_features(accuracy)],
        right=_HEADER,
        styles=[*styles, ""],
    )
    data, constraints, table, report = paths
    program = _program()
    select = [program, "select", str(data), "--label", "class"]
    with_pairs = shlex.join([*select, "--constraints", str(constraints), "--top", "5"])
    with_labels = shlex.join([*select, "--method", "fisher-score"])
    typer.echo(
        f"\nWritten:\n  {report}  (open it in a browser)\n  {table}\n  {constraints}\n"
        f"  {data}  (the training wines)\n\n"
        "Next steps:\n"
        f"  {with_pairs}\n  {with_labels}\n"
        f"  {program} methods\n"
        f"  {program} select --help"
    )


def _program() -> str:
    """Return what to type: the bare name, or the path when it is not on PATH."""
    return "pairsift" if shutil.which("pairsift") else sys.argv[0]


def _write(
    paths: list[Path], wine: Wine, ranking: Ranking, accuracy: Accuracy, command: str
) -> None:
    data, constraints, table, report = paths
    wine.train.assign(**{"class": wine.y_train}).to_csv(data, index=False)
    wine.draw(seed=0).to_csv(constraints)
    write_ranking(ranking, table)
    write_report(
        report,
        ranking,
        title="Wine, features chosen from 20 couples",
        command=command,
        lead=_told(wine),
        results=_results(wine, accuracy),
    )


def _results(wine: Wine, accuracy: Accuracy) -> str:
    picture = curve_picture(
        accuracy.sizes, accuracy.one, accuracy.mean, accuracy.spread, accuracy.all
    )
    table = html_table(
        _HEADER, [*_rows(accuracy)[:-1], _all_features(accuracy)], numbers=_HEADER
    )
    return (
        '<section aria-labelledby="accuracy"><h2 id="accuracy">Accuracy</h2>\n'
        f"<p>{_explained(wine)}</p>\n<figure>{picture}<figcaption>"
        "Number of best features used. "
        '<span class="key one"></span><span>this draw of the couples</span> '
        f'<span class="key mean"></span><span>mean of {N_DRAWS} draws, with the range '
        "from lowest to highest</span> "
        '<span class="key all"></span><span>all features</span>'
        f"</figcaption></figure>\n{table}</section>"
    )


def _told(wine: Wine) -> str:
    n_train, n_features = wine.train.shape
    return (
        f"Wine has {n_features} measurements of {n_train + len(wine.test)} wines of "
        f"{len(set(wine.y_train))} cultivars. All that ReliefFSc is told about the "
        f"{n_train} training wines is that {N_CANNOT_LINK} couples of them are of "
        "different cultivars; from this it ranks the measurements."
    )


def _explained(wine: Wine) -> str:
    return (
        f"Accuracy is the share of {len(wine.test)} test wines that have the cultivar "
        f"of their nearest training wine (1-NN) when only the best features are "
        "compared. 'This draw' takes the ranking shown here. As one draw of couples "
        f"may be lucky, the other columns are over {N_DRAWS} random draws, each with "
        "its own ranking. With all features there is no ranking and nothing to draw."
    )


def _rows(accuracy: Accuracy) -> list[list[str]]:
    columns = zip(
        accuracy.sizes, accuracy.one, accuracy.mean, accuracy.spread, strict=True
    )
    return [
        [str(size), *(f"{value:.1%}" for value in (one, mean, low, high))]
        for size, one, mean, (low, high) in columns
    ]


def _all_features(accuracy: Accuracy) -> list[str]:
    return [f"all {accuracy.sizes[-1]}", f"{accuracy.all:.1%}", "", "", ""]


def _as_dict(
    wine: Wine, ranking: Ranking, accuracy: Accuracy, paths: list[Path]
) -> dict[str, Any]:
    return {
        "data": "wine",
        "n_train": len(wine.train),
        "n_test": len(wine.test),
        "n_cannot_link": N_CANNOT_LINK,
        "n_draws": N_DRAWS,
        "classifier": "1nn",
        "accuracy_all_features": accuracy.all,
        "accuracy": [
            {"n_features": size, "draw_0": one, "mean": mean, "min": low, "max": high}
            for size, one, mean, (low, high) in zip(
                accuracy.sizes,
                accuracy.one,
                accuracy.mean,
                accuracy.spread,
                strict=True,
            )
        ],
        **ranking.as_dict(),
        "files": [str(path) for path in paths],
    }
