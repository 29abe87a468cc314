"""Draw the outcome of ``python -m benchmarks run ask-ranking`` for the guide."""

from pathlib import Path

import numpy as np
import pandas as pd

from benchmarks.scenarios.ask import (
    ALL_LABELS,
    NO_QUESTIONS,
    QUESTIONS,
    REPORTING,
    RESULTS,
    WAYS,
    WRONG,
    means,
)

PICTURE = Path(__file__).resolve().parents[1] / "docs" / "guide" / "ask.svg"


def main() -> None:
    from matplotlib.figure import Figure

    from pairsift.plotting._matplotlib import COLOURS, QUIET

    runs = pd.read_csv(RESULTS / "ask.csv")
    tables = [means(runs, REPORTING, wrong) for wrong in WRONG]
    figure = Figure(figsize=(7.0, 4.2), layout="constrained")
    ax = figure.subplots()
    # Solid without wrong answers, dashed with one in ten.
    for way, colour in zip(WAYS, COLOURS, strict=False):
        for table, style in zip(tables, ("-", "--"), strict=True):
            of_sets = [table.xs(q, level="questions")[way.name] for q in QUESTIONS]
            y = [values.mean() for values in of_sets]
            label = way.name if style == "-" else None
            ax.plot(
                QUESTIONS, y, color=colour, linestyle=style, marker="o", label=label
            )
    for reference in (*NO_QUESTIONS, *ALL_LABELS):
        level = tables[0].xs(0, level="questions")[reference].mean()
        ax.axhline(level, color=QUIET, linewidth=0.8, zorder=0)
        ax.annotate(
            reference,
            (QUESTIONS[-1], level),
            xytext=(0, 2),
            textcoords="offset points",
            ha="right",
            fontsize=7,
            color="#595959",
        )
    ax.set_xscale("log")
    ax.set_xticks(QUESTIONS, [str(q) for q in QUESTIONS])
    ax.minorticks_off()
    ax.set_xlabel("answers")
    ax.set_ylabel("accuracy over the first half of the ranking, %")
    n_sets = tables[0].index.get_level_values("data").nunique()
    ax.set_title(f"Mean of {n_sets} data sets kept apart for reporting", loc="left")
    ax.spines[["top", "right"]].set_visible(False)
    figure.legend(loc="outside lower center", ncols=2, frameon=False, fontsize=8)
    figure.savefig(PICTURE, metadata={"Date": None})
    print(f"written to {PICTURE}, from {np.unique(runs['seed']).size} seeds")


if __name__ == "__main__":
    main()
