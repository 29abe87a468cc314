"""``pairsift demo``: the main job on bundled data, end to end."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated, Any

import typer

from pairsift._replacing import replacing
from pairsift.cli._console import Messages, print_json, print_table, print_text, program
from pairsift.cli._options import AsJson
from pairsift.cli._output import (
    check_outputs,
    make_folder,
    replace_constraints,
    write_ranking,
)
from pairsift.cli._ranking import find_method, rank_features
from pairsift.cli._select import print_ranking
from pairsift.cli._wine import (
    LABELS,
    N_HALVINGS,
    N_QUESTIONS,
    OURS,
    PUBLISHED,
    RANDOM,
    WAYS,
    Accuracy,
    Duel,
    Wine,
    judge,
)
from pairsift.reports import (
    Line,
    Ranking,
    Section,
    Table,
    figure,
    html_table,
    line_picture,
    paragraph,
    write_report,
)

N_SELECTED = 5
_SHOWN_SIZES = (1, 3, 5, 7, 10)
# Not constraints.csv: that is what `pairsift query wine.csv` writes there.
_FILES = ("wine.csv", "answers.csv", "ranking.csv", "report.html")
_HEADER = ("best features", *WAYS)


def demo(
    ctx: typer.Context,
    out_dir: Annotated[
        Path, typer.Option(metavar="FOLDER", help="Where to write the files.")
    ] = Path("pairsift-demo"),
    as_json: AsJson = False,
) -> None:
    """Select features of Wine from 30 questions, and see what they are worth.

    Half of the wines of each class are for training. About those, 30 questions are
    asked: are these two the same? The other half tells how good the ranking is, beside
    those from random pairs, from the published strategy and from all labels.
    """
    messages = Messages()
    make_folder(out_dir)
    paths = [out_dir / name for name in _FILES]
    check_outputs(paths, [])
    way = WAYS[OURS]
    assert way.strategy is not None
    selector_class, method = find_method(way.method)
    with messages.progress("Ranking (compiles on the first run)"):
        wine = Wine.load()
        ranking = rank_features(
            selector_class,
            method,
            {"n_features_to_select": N_SELECTED},
            Table(wine.train),
            wine.answers(way.strategy),
        )
    with messages.progress(f"Judging {N_HALVINGS} halvings", N_HALVINGS) as advance:
        accuracy = judge(advance)
    _write(paths, wine, ranking, accuracy, command=ctx.obj)
    if as_json:
        print_json(_as_dict(wine, ranking, accuracy, paths))
    else:
        _print(wine, ranking, accuracy, paths)


def _print(wine: Wine, ranking: Ranking, accuracy: Accuracy, paths: list[Path]) -> None:
    print_text(_told(wine, ranking))
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
    data, answers, table, report = map(str, paths)
    told = ["--constraints", answers]
    commands = [
        ["select", data, "--drop", "class", *told, "--top", str(N_SELECTED)],
        ["query", data, "--drop", "class"],
        ["propagate", data, "--label", "class", *told],
        ["select", data, "--label", "class", "--method", "relieff"],
        ["methods"],
    ]
    lines = "\n".join(f"  {shlex.join([program(), *words])}" for words in commands)
    return (
        f"Written:\n  {report}  (open it in a browser)\n  {table}\n  {answers}\n"
        f"  {data}  (the training wines)\n\nNext steps:\n{lines}"
    )


def _write(
    paths: list[Path], wine: Wine, ranking: Ranking, accuracy: Accuracy, command: str
) -> None:
    data, answers, table, report = paths
    with replacing(data) as draft:
        wine.train.assign(**{"class": wine.y_train}).to_csv(draft, index=False)
    assert ranking.constraints is not None
    replace_constraints(ranking.constraints, answers, None)
    write_ranking(ranking, table)
    write_report(
        report,
        ranking,
        title=f"Wine, features chosen from {N_QUESTIONS} questions",
        command=command,
        about=_told(wine, ranking),
        results=_results(wine, accuracy),
    )


def _results(wine: Wine, accuracy: Accuracy) -> str:
    lines = []
    for way in WAYS:
        mean, error = accuracy.mean(way), accuracy.error(way)
        low = [m - 2.0 * e for m, e in zip(mean, error, strict=True)]
        high = [m + 2.0 * e for m, e in zip(mean, error, strict=True)]
        lines.append(Line(accuracy.sizes, mean, low, high))
    picture = line_picture(
        lines,
        name="accuracy-curve",
        title="Accuracy with the best features",
        x_title="number of best features used",
        y_title="accuracy",
        is_percent=True,
        description=f"Accuracy on the other half, for {', '.join(WAYS)}.",
    )
    table = html_table(
        _HEADER, [*_rows(accuracy)[:-1], _all_features(accuracy)], numbers=_HEADER
    )
    note = "Bands are two standard errors of the mean to either side."
    section = Section(
        "Accuracy",
        [
            paragraph(_explained(wine)),
            figure(picture, note, list(WAYS)),
            table,
            *map(paragraph, _verdict(accuracy)),
        ],
    )
    return section.html()


def _told(wine: Wine, ranking: Ranking) -> str:
    n_train, n_features = wine.train.shape
    pairs = ranking.constraints
    assert pairs is not None
    return (
        f"Wine has {n_features} measurements of {n_train + len(wine.test)} wines of "
        f"{len(set(wine.y_train))} cultivars. About the {n_train} training wines, "
        f"{N_QUESTIONS} questions were asked: are these two of the same cultivar? "
        "After the first few, always about the pair of which the model of the "
        f"answers was least sure; {pairs.n_must_link} answers were 'same' and "
        f"{pairs.n_cannot_link} 'different'. From these PairLogistic ranks the "
        "measurements."
    )


def _explained(wine: Wine) -> str:
    return (
        f"What are the questions worth? In {N_HALVINGS} halvings of the wines, "
        f"{N_QUESTIONS} pairs of training wines were asked about: pairs of which "
        f"the model is unsure ({OURS!r}), random ones ({RANDOM!r}), both ranked by "
        f"PairLogistic, or those of the published strategy ranked by ReliefFSc "
        f"({PUBLISHED!r}). {LABELS!r} is FisherScore, which knows the cultivar of "
        "every training wine. Accuracy is the share of the other half, about "
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
    means = ", ".join(f"{way} {accuracy.first_half(way).mean():.1%}" for way in WAYS)
    compared = " ".join(
        _duel_text(OURS, other, accuracy.duel(OURS, other))
        for other in (RANDOM, PUBLISHED, LABELS)
    )
    said = ", ".join(
        f"{number:.0f} for {way}" for way, number in accuracy.n_must_link.items()
    )
    return [
        f"Mean accuracy over the first half of the ranking: {means}. {compared}",
        f"Of {N_QUESTIONS} answers, 'same' were on average {said}. One data set proves "
        "nothing: the guide compares the ways on 26.",
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
        "ways": [
            {
                "way": name,
                "strategy": way.strategy,
                "method": way.method,
                "n_must_link": accuracy.n_must_link.get(name),
                "mean": accuracy.mean(name),
                "deviation": accuracy.deviation(name),
            }
            for name, way in WAYS.items()
        ],
        "verdict": _verdict(accuracy),
        **ranking.as_dict(),
        "files": [str(path) for path in paths],
    }
