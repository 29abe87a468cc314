"""Draw the outcome of ``python -m benchmarks run ask-ranking`` for the guide."""

from pathlib import Path
from typing import Any

import pandas as pd

from benchmarks.scenarios.ask import KEYS, OUTCOME, accuracies
from benchmarks.scenarios.ask_runs import (
    OURS,
    QUESTIONS,
    REPORTING,
    RIVAL,
    SORTED,
    WRONG,
)

PICTURE = Path(__file__).resolve().parents[1] / "docs" / "guide" / "ask.svg"
DRAWN = (
    OURS,
    "cards + PairLogistic",
    SORTED,
    RIVAL,
    "published pairs, spread + ReliefFSc",
)
MARKS = "os^vD"
# What is written where no line is: at the left above, or at the right below.
REFERENCES = {
    "mRMR by correlation": ("all labels", "left"),
    "UnsupervisedMRMR": ("no questions: UnsupervisedMRMR", "right"),
    "features in random order": ("no questions: random order", "left"),
}


def main() -> None:
    from matplotlib.figure import Figure

    outcome = pd.read_csv(OUTCOME).set_index(KEYS)
    figure = Figure(figsize=(8.0, 4.4), layout="constrained")
    panels = figure.subplots(ncols=len(WRONG), sharey=True)
    for ax, wrong in zip(panels, WRONG, strict=True):
        _draw(ax, outcome, wrong)
    panels[0].set_ylabel("accuracy over the first half of the ranking, %")
    n_sets = len(accuracies(outcome, REPORTING, QUESTIONS[0], WRONG[0]))
    figure.suptitle(
        f"Mean of {n_sets} data sets kept apart for reporting", x=0.01, ha="left"
    )
    handles, names = panels[0].get_legend_handles_labels()
    figure.legend(
        handles, names, loc="outside lower center", ncols=2, frameon=False, fontsize=9
    )
    figure.savefig(PICTURE, metadata={"Date": None})
    print(f"written to {PICTURE}")


def _draw(ax: Any, outcome: pd.DataFrame, wrong: float) -> None:
    from pairsift.plotting._matplotlib import COLOURS, QUIET

    means = pd.DataFrame(
        {q: accuracies(outcome, REPORTING, q, wrong).mean() for q in QUESTIONS}
    )
    for way, colour, mark in zip(DRAWN, COLOURS, MARKS, strict=False):
        ax.plot(QUESTIONS, means.loc[way], color=colour, marker=mark, label=way)
    for reference, (text, side) in REFERENCES.items():
        level = means.loc[reference, QUESTIONS[0]]
        ax.axhline(level, color=QUIET, linewidth=0.8, linestyle="--", zorder=0)
        ax.annotate(
            text,
            (QUESTIONS[0] if side == "left" else QUESTIONS[-1], level),
            xytext=(-8, 2) if side == "left" else (8, -10),
            textcoords="offset points",
            ha=side,
            fontsize=8,
            color="#595959",
        )
    ax.set_xscale("log")
    ax.set_xticks(QUESTIONS, [str(q) for q in QUESTIONS])
    ax.minorticks_off()
    ax.set_xlabel("answers")
    title = f"{wrong:.0%} of the answers wrong" if wrong else "no wrong answers"
    ax.set_title(title, loc="left", fontsize=10)
    ax.spines[["top", "right"]].set_visible(False)


if __name__ == "__main__":
    main()
