"""``pairsift demo``: the main job on bundled data, end to end."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
import typer

from pairsift._file_modes import public
from pairsift._replacing import replacing
from pairsift.cli._best import pile_names
from pairsift.cli._console import Messages, print_json, print_table, print_text, program
from pairsift.cli._options import AsJson
from pairsift.cli._output import (
    check_outputs,
    make_folder,
    replace_constraints,
    write_ranking,
)
from pairsift.cli._ranking import PILE_METHOD, find_method, rank_features
from pairsift.reports import (
    Ranking,
    Section,
    Table,
    comparison_results,
    figure,
    grid_picture,
    write_report,
)

if TYPE_CHECKING:
    import pandas as pd

    from pairsift.active import ActiveSession
    from pairsift.evaluation import Comparison

N_SPLITS = 10
N_QUESTIONS = 30
N_SELECTED = 10
WRONG = 0.1
_SIDE = 8
_SIZES = (5, 10, 20, 64)
# Not constraints.csv: that is what `pairsift query` writes there.
_FILES = ("digits.csv", "wine.csv", "answers.csv", "ranking.csv", "report.html")
_QUESTIONS = {
    f"{N_QUESTIONS} answers": N_QUESTIONS,
    "no questions": 0,
    "all labels": "all",
}


@dataclass(frozen=True)
class Demo:
    """What the demo found."""

    pixels: pd.DataFrame
    digits: pd.Series[Any]
    session: ActiveSession
    ranking: Ranking
    comparison: Comparison

    def line(self, known: str) -> Any:
        """Return the summary of the rankings that learned from this."""
        summary = self.comparison.summary()
        return summary[summary["supervision"] == known].iloc[0]

    def accuracies(self, known: str) -> list[float]:
        """Return the mean accuracies with the best 5, 10, ... pixels."""
        curves = self.comparison.curves().set_index(["selector", "n_features"])
        return curves["accuracy"].loc[self.line(known)["selector"]][[*_SIZES]].tolist()

    def duel(self, other: str) -> Any:
        """Compare the answers with something else, split by split."""
        duels = self.comparison.duels(self.line(other)["selector"])
        asked = self.line(f"{N_QUESTIONS} answers")["selector"]
        return duels[duels["selector"] == asked].iloc[0]


def demo(
    ctx: typer.Context,
    out_dir: Annotated[
        Path, typer.Option(metavar="FOLDER", help="Where to write the files.")
    ] = Path("pairsift-demo"),
    as_json: AsJson = False,
) -> None:
    """Choose pixels of handwritten digits from 30 answers, and see what they are worth.

    Thirty images are sorted onto piles; the true digits play the person, and one answer
    in ten is wrong. The pixels are ranked by what tells the piles apart. The ranking is
    judged on images that took no part in it, beside rankings from no questions and from
    all labels.
    """
    messages = Messages()
    make_folder(out_dir)
    paths = [out_dir / name for name in _FILES]
    check_outputs(paths, [])
    found = _run(messages)
    with public():
        _write(paths, found, command=ctx.obj)
    if as_json:
        print_json(_as_dict(found, paths))
    else:
        _print(found, paths)


def _run(messages: Messages) -> Demo:
    messages.note(
        f"a session sorts {N_QUESTIONS} images of digits, then {N_SPLITS} splits judge "
        "the ranking: up to a minute on a first run."
    )
    # The first imports of a new installation take seconds: show that it works.
    with messages.progress("Loading"):
        from sklearn.datasets import load_digits

        from pairsift.active import Person, choose_features
        from pairsift.evaluation import compare

        pixels, digits = load_digits(return_X_y=True, as_frame=True)
        selector_class, method = find_method(PILE_METHOD)
    with messages.progress("Sorting 30 images"):
        person = Person(digits, WRONG)
        session = choose_features(pixels, person, N_QUESTIONS).session_
        ranking = rank_features(
            selector_class,
            method,
            {"n_features_to_select": N_SELECTED},
            Table(pixels, labels=pile_names(session.labels)),
            None,
        )
    with messages.progress("Judging", len(_QUESTIONS) * N_SPLITS) as advance:
        n_done = 0

        def move(done: int, _: int) -> None:
            nonlocal n_done
            advance(done - n_done)
            n_done = done

        comparison = compare(
            [selector_class()],
            pixels,
            digits,
            questions=[*_QUESTIONS.values()],
            wrong=WRONG,
            classifiers=["1nn"],
            n_splits=N_SPLITS,
            test_size=0.2,
            sizes=range(1, pixels.shape[1] + 1),
            progress=move,
            name="digits",
        )
    return Demo(pixels, digits, session, ranking, comparison)


def _print(found: Demo, paths: list[Path]) -> None:
    data, table, _, _, report = map(str, paths)
    print_text(_told(found))
    header = ("ranked from", *(f"{n} pixels" for n in _SIZES), "first half")
    rows = [
        [
            known,
            *(f"{100 * accuracy:.1f}" for accuracy in found.accuracies(known)),
            _plus_minus(found.line(known)),
        ]
        for known in _QUESTIONS
    ]
    print_table(header, rows, right=header[1:], whole=header)
    print_text(_verdict(found))
    query = shlex.join([program(), "query", table, "--drop", "class"])
    label = [program(), "label", data, "--drop", "digit", "--pixels", "8x8"]
    typer.echo(f"Open {report} in a browser, then sort yourself:")
    typer.echo(f"  {shlex.join(label)}\n  {query}")


def _plus_minus(line: Any) -> str:
    return f"{100 * line['mean_accuracy']:.1f} ± {100 * line['standard_error']:.1f}"


def _told(found: Demo) -> str:
    n_images, n_pixels = found.pixels.shape
    return (
        f"{n_images:,} images of handwritten digits, {n_pixels} pixels each. "
        f"{N_QUESTIONS} images were sorted onto {len(found.session.piles)} piles, one "
        f"answer in ten wrong, as people err; SemiMRMR ranked the pixels. Accuracy in "
        "percent on unseen images, with the best pixels only:"
    )


def _verdict(found: Demo) -> str:
    """Compare the answers with no questions and with all labels, in a sentence."""
    return (
        f"Over the first half of the ranking, {N_QUESTIONS} answers "
        f"{_duel_text(found.duel('no questions'), 'no questions')}, and "
        f"{_duel_text(found.duel('all labels'), 'all labels')}."
    )


def _duel_text(duel: Any, other: str) -> str:
    beats = "beat" if duel["difference"] > 0 else "lose to"
    verb = beats if duel["p_value"] < 0.05 else "do not clearly differ from"
    return (
        f"{verb} {other} ({100 * duel['difference']:+.1f} points, standard error "
        f"{100 * duel['standard_error']:.1f})"
    )


def _write(paths: list[Path], found: Demo, command: str) -> None:
    from pairsift.datasets import load

    data, other, answers, table, report = paths
    wine = load("wine", as_frame=True)
    for path, frame in (
        (data, found.pixels.assign(digit=found.digits)),
        (other, wine.data.assign(**{"class": wine.target})),
    ):
        with replacing(path) as draft:
            frame.to_csv(draft, index=False)
    replace_constraints(found.session.constraints, answers, None)
    write_ranking(found.ranking, table)
    write_report(
        report,
        found.ranking,
        title=f"Handwritten digits, pixels chosen from {N_QUESTIONS} answers",
        command=command,
        about=_about(found),
        results=_where(found) + comparison_results(found.comparison, about=_judged()),
    )


def _where(found: Demo) -> str:
    """Show the ranks of the pixels in their places."""
    assert found.ranking.fit is not None  # rank_features sees to it
    ranks = found.ranking.fit.selector.ranking_.reshape(_SIDE, _SIDE)
    chosen = np.flatnonzero(ranks <= N_SELECTED).tolist()
    picture = grid_picture(
        (-ranks).tolist(),
        marked={divmod(place, _SIDE) for place in chosen},
        title="Ranks of the pixels in their places",
    )
    note = f"Darker pixels rank higher; the {N_SELECTED} chosen are framed."
    return Section("Which pixels?", [figure(picture, note)]).html()


def _about(found: Demo) -> str:
    n_images, n_pixels = found.pixels.shape
    return (
        f"The data are {n_images:,} images of handwritten digits, {n_pixels} pixels "
        "each, from scikit-learn. A session showed an image beside the piles so far "
        f"and asked on which it belongs, {N_QUESTIONS} times. The true digits "
        f"answered, {WRONG:.0%} of the answers wrongly. No digit was named: "
        "SemiMRMR spreads the piles to the nearest images and ranks pixels by what "
        "they tell about the piles over what they share with the pixels chosen before."
    )


def _judged() -> str:
    return (
        f"In each of {N_SPLITS} random splits, 80 % of the images train and the others "
        "test. The session asks about training images only. A test image gets the "
        "digit of the nearest training image (1-NN, which has all training labels), "
        "compared on the best 1, 2, 3, ... pixels, so that only the ranking differs. "
        "Without questions, the clusters of a k-means stand for the piles. Splits "
        "overlap: standard errors are the corrected ones of Nadeau and Bengio. This "
        "data set and these splits were chosen as an example after looking at others, "
        "in some of which 30 answers did not clearly beat no questions: it proves "
        "nothing. The guide compares ways of asking on 26 data sets, half of them "
        "kept apart."
    )


def _as_dict(found: Demo, paths: list[Path]) -> dict[str, Any]:
    return {
        "data": "digits",
        "n_images": len(found.pixels),
        "n_questions": N_QUESTIONS,
        "wrong": WRONG,
        "n_splits": N_SPLITS,
        "n_piles": len(found.session.piles),
        "classifier": "1nn",
        "ranked_from": {
            known: {
                "mean_accuracy": float(found.line(known)["mean_accuracy"]),
                "standard_error": float(found.line(known)["standard_error"]),
                "accuracy": dict(
                    zip(_SIZES, found.accuracies(known), strict=True),
                ),
            }
            for known in _QUESTIONS
        },
        "verdict": _verdict(found),
        **found.ranking.as_dict(),
        "files": [str(path) for path in paths],
    }
