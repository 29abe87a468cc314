"""``pairsift demo``: the main job on bundled data, end to end."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated, Any

import typer

from pairsift.cli._console import (
    Messages,
    print_json,
    print_table,
    print_text,
    program,
)
from pairsift.cli._output import check_outputs, make_folder, write_ranking
from pairsift.cli._pictures import curve_picture
from pairsift.cli._ranking import Ranking, find_method, rank_features
from pairsift.cli._report import html_table, write_report
from pairsift.cli._select import print_ranking
from pairsift.cli._tables import Table
from pairsift.cli._wine import (
    N_HALVINGS,
    N_QUESTIONS,
    WAYS,
    Accuracy,
    Duel,
    Wine,
    judge,
)

METHOD = "relieff-sc"
N_SELECTED = 5
_SHOWN_SIZES = (1, 3, 5, 7, 10)
_FILES = ("wine.csv", "constraints.csv", "ranking.csv", "report.html")
_HEADER = ("best features", *WAYS)


def demo(
    ctx: typer.Context,
    out_dir: Annotated[
        Path, typer.Option(metavar="FOLDER", help="Where to write the files.")
    ] = Path("pairsift-demo"),
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON document.")
    ] = False,
) -> None:
    """Select features of Wine from 20 questions, and see what they are worth.

    Half of the wines of each class are for training. About those, 20 questions are
    asked: are these two the same? The couples are random or chosen actively, the
    answers are used as they are or spread; the other half tells how good each is.
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
            wine.answers("active"),
        )
    with messages.progress(f"Judging {N_HALVINGS} halvings", N_HALVINGS) as advance:
        accuracy = judge(selector_class, advance)
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
        whole=_HEADER,
        styles=[*styles, ""],
    )
    for text in _verdict(accuracy):
        print_text(text)
    typer.echo(f"\n{_next_steps(paths)}")


def _next_steps(paths: list[Path]) -> str:
    data, constraints, table, report = map(str, paths)
    mine = str(paths[0].with_name("mine.csv"))
    select = ["select", data, "--label", "class"]
    commands = [
        [*select, "--constraints", constraints, "--top", str(N_SELECTED)],
        ["query", data, "--drop", "class", "--out", mine],
        ["propagate", data, "--label", "class", "--constraints", constraints],
        [*select, "--method", "fisher-score"],
        ["methods"],
    ]
    lines = "\n".join(f"  {shlex.join([program(), *words])}" for words in commands)
    return (
        f"Written:\n  {report}  (open it in a browser)\n  {table}\n  {constraints}\n"
        f"  {data}  (the training wines)\n\nNext steps:\n{lines}"
    )


def _write(
    paths: list[Path], wine: Wine, ranking: Ranking, accuracy: Accuracy, command: str
) -> None:
    data, constraints, table, report = paths
    wine.train.assign(**{"class": wine.y_train}).to_csv(data, index=False)
    wine.answers("active").to_csv(constraints)
    write_ranking(ranking, table)
    write_report(
        report,
        ranking,
        title=f"Wine, features chosen from {N_QUESTIONS} questions",
        command=command,
        lead=_told(wine),
        results=_results(wine, accuracy),
    )


def _results(wine: Wine, accuracy: Accuracy) -> str:
    # One colour a choice of couples, broken lines where the answers were spread.
    kinds = {
        "random": "chance",
        "active": "chosen",
        "random, spread": "chance wide-spread",
        "active, spread": "chosen wide-spread",
    }
    means = {kinds[way]: accuracy.mean(way) for way in WAYS}
    picture = curve_picture(accuracy.sizes, means, accuracy.all)
    table = html_table(
        _HEADER, [*_rows(accuracy)[:-1], _all_features(accuracy)], numbers=_HEADER
    )
    keys = " ".join(
        f'<span class="key {kind}"></span><span>{way}</span>'
        for way, kind in [*kinds.items(), ("all features", "all")]
    )
    verdict = "\n".join(f"<p>{text}</p>" for text in _verdict(accuracy))
    return (
        '<section aria-labelledby="accuracy"><h2 id="accuracy">Accuracy</h2>\n'
        f"<p>{_explained(wine)}</p>\n<figure>{picture}<figcaption>"
        f"Number of best features used. {keys}</figcaption></figure>\n{table}"
        f"{verdict}</section>"
    )


def _told(wine: Wine) -> str:
    n_train, n_features = wine.train.shape
    pairs = wine.answers("active")
    return (
        f"Wine has {n_features} measurements of {n_train + len(wine.test)} wines of "
        f"{len(set(wine.y_train))} cultivars. About the {n_train} training wines, "
        f"{N_QUESTIONS} questions were asked: are these two of the same cultivar? The "
        f"couples were chosen actively, and {pairs.n_cannot_link} answers were "
        "'different'. From these ReliefFSc ranks the measurements."
    )


def _explained(wine: Wine) -> str:
    return (
        f"What are the questions worth? In {N_HALVINGS} halvings of the wines, "
        f"{N_QUESTIONS} couples of training wines were asked about, random ones or "
        "actively chosen ones, and the answers were used as they are or spread to the "
        "rows around. Accuracy is the share of the other half, about "
        f"{len(wine.test)} wines, that have the cultivar of their nearest training "
        "wine (1-NN) when only the best features are compared: mean and standard "
        "deviation over the halvings, in percent."
    )


def _rows(accuracy: Accuracy) -> list[list[str]]:
    columns = [
        [
            f"{100 * mean:.1f} ± {100 * deviation:.1f}"
            for mean, deviation in zip(
                accuracy.mean(way), accuracy.deviation(way), strict=True
            )
        ]
        for way in WAYS
    ]
    return [list(row) for row in zip(map(str, accuracy.sizes), *columns, strict=True)]


def _all_features(accuracy: Accuracy) -> list[str]:
    whole = _rows(accuracy)[-1][1]
    return [f"all {accuracy.sizes[-1]}", whole, "", "", ""]


def _verdict(accuracy: Accuracy) -> list[str]:
    """Say which way wins, and whether that is more than chance."""
    means = {way: accuracy.mean(way)[N_SELECTED - 1] for way in WAYS}
    best = max(WAYS, key=means.__getitem__)
    duels = [("active", "random"), ("active, spread", "active")]
    compared = [
        _duel_text(way, other, accuracy.duel(way, other, N_SELECTED))
        for way, other in duels
    ]
    couples = ", ".join(
        f"{accuracy.n_cannot_link[way].mean():.0f} {way} "
        f"({accuracy.share_right[way].mean():.0%} right)"
        for way in WAYS
    )
    return [
        f"With {N_SELECTED} features the highest mean is {means[best]:.1%}, of "
        f"{best!r}. {' '.join(compared)}",
        "ReliefFSc learns from couples that are different; on average it had "
        f"{couples}. Of all couples, {accuracy.share_different:.0%} are different: "
        "spreading that is right no more often than this adds nothing but numbers.",
    ]


def _duel_text(way: str, other: str, duel: Duel) -> str:
    beats = "beats" if duel.gain > 0 else "loses to"
    verb = beats if duel.is_clear else "does not clearly differ from"
    return (
        f"{way!r} {verb} {other!r}: {100 * duel.gain:+.1f} points with a standard "
        f"error of {100 * duel.error:.1f}, better in {duel.n_better} halvings and "
        f"worse in {duel.n_worse}."
    )


def _as_dict(
    wine: Wine, ranking: Ranking, accuracy: Accuracy, paths: list[Path]
) -> dict[str, Any]:
    return {
        "data": "wine",
        "n_train": len(wine.train),
        "n_test": len(wine.test),
        "n_questions": N_QUESTIONS,
        "n_halvings": N_HALVINGS,
        "classifier": "1nn",
        "accuracy_all_features": accuracy.all,
        "share_different": accuracy.share_different,
        "ways": [
            {
                "way": way,
                "n_cannot_link": float(accuracy.n_cannot_link[way].mean()),
                "share_right": float(accuracy.share_right[way].mean()),
                "mean": accuracy.mean(way),
                "deviation": accuracy.deviation(way),
            }
            for way in WAYS
        ],
        "verdict": _verdict(accuracy),
        **ranking.as_dict(),
        "files": [str(path) for path in paths],
    }
