"""Which selector when few rows are labelled: all of them under one protocol."""

import os
from concurrent.futures import ProcessPoolExecutor
from functools import cached_property, partial
from pathlib import Path
from typing import ClassVar

import pandas as pd

from benchmarks._scenario import Scenario
from benchmarks.scenarios.ask_runs import FOLDER, RESULTS, halve
from benchmarks.scenarios.semi_runs import (
    ALL,
    BASELINE,
    LABELLED,
    LABELS,
    NOTHING,
    SETS,
    SOME,
    THREE,
    WAYS,
    Way,
    draw_labels,
    ranked,
    run_set,
    ways_of,
)

OUTCOME = Path(__file__).resolve().parents[1] / "semi.csv"
"""What the last whole run found: the table of the guide."""
KEYS = ["labels", "told", "way", "data"]
HEADER = ["told", "ranking", *(f"{labels}" for labels in LABELS), "CPU s"]


class Semi(Scenario):
    """Accuracy of rankings from few labels, beside all labels and none."""

    name = "semi"
    reference = "time_labelled_rows_only"
    sizes: ClassVar = {"n_splits": 5, "n_data_sets": len(SETS)}
    quick_sizes: ClassVar = {"n_splits": 1, "n_data_sets": len(SETS)}
    tiny_sizes: ClassVar = {"n_splits": 1, "n_data_sets": 0}

    def setup(self) -> None:
        from sklearn.datasets import load_wine

        self.wine = halve(*load_wine(return_X_y=True), self.seed)

    def time_labelled_rows_only(self) -> object:
        return self._time(BASELINE)

    def time_semi_mrmr(self) -> object:
        return self._time(Way(SOME, "SemiMRMR"))

    def time_sselect(self) -> object:
        return self._time(Way(SOME, "SSelect"))

    def track_gain_of_semi_mrmr(self) -> float | None:
        """Points at 3 labels a class over ReliefF on the labelled rows only."""
        if self.outcome.empty:
            return None
        of_sets = self.outcome["accuracy"].loc[THREE]
        gain = of_sets.loc[SOME, "SemiMRMR"] - of_sets.loc[LABELLED, BASELINE.name]
        return float(gain.mean())

    def report(self) -> str:
        if self.outcome.empty:
            return f"no data sets in {self._folder}"
        path = OUTCOME if self.size == self.sizes else RESULTS / "semi.csv"
        path.parent.mkdir(parents=True, exist_ok=True)
        self.outcome.round(3).to_csv(path)
        return "\n\n".join([summary_table(self.outcome), *self._missing])

    @cached_property
    def outcome(self) -> pd.DataFrame:
        """Percent, CPU seconds and notes for each way and set, over the splits."""
        self._folder = Path(os.environ.get("PAIRSIFT_DATA", FOLDER))
        self._missing: list[str] = []
        self._ways = ways_of(os.environ.get("PAIRSIFT_WAYS", ""))
        names = SETS[: self.size["n_data_sets"]]
        outcomes: list[pd.DataFrame | str] = []
        with ProcessPoolExecutor(self.threads) as pool:
            # A split of all sets before the next: a run that is stopped has met all.
            for n in range(1, self.size["n_splits"] + 1):
                run = partial(
                    run_set, seeds=range(n), folder=self._folder, ways=self._ways
                )
                outcomes = list(pool.map(run, names))
        for name, outcome in zip(names, outcomes, strict=True):
            if isinstance(outcome, str):
                self._missing.append(f"{name}: {outcome}")
        found = [outcome for outcome in outcomes if not isinstance(outcome, str)]
        if not found:
            return pd.DataFrame()
        outcome = over_splits(pd.concat(found))
        return outcome if len(self._ways) == len(WAYS) else with_stored(outcome)

    def _time(self, way: Way) -> object:
        known = draw_labels(self.wine.y, THREE, self.seed)
        return ranked(way, self.wine, known, self.seed)


def over_splits(runs: pd.DataFrame) -> pd.DataFrame:
    """Mean percent and median seconds; a set counts when no split has failed.

    Splits of one set are not independent, sets are: so a set counts once.
    """
    groups = runs.groupby(KEYS)
    return pd.DataFrame(
        {
            "accuracy": groups["accuracy"].agg(lambda a: 100 * a.mean(skipna=False)),
            "seconds": groups["seconds"].median(),
            "splits": groups.size(),
            "note": groups["note"].agg(lambda notes: next(filter(None, notes), "")),
        }
    )


def with_stored(outcome: pd.DataFrame) -> pd.DataFrame:
    """Return the stored outcome, with these lines in place of its own."""
    stored = pd.read_csv(OUTCOME, dtype={"note": str}).fillna({"note": ""})
    stored = stored.set_index(KEYS)
    others = stored[~stored.index.isin(outcome.index)]
    return pd.concat([others, outcome]).sort_index()


def summary_table(outcome: pd.DataFrame) -> str:
    """Return a Markdown table and, below it, what is missing and why.

    A cell holds the mean over sets; in brackets the gain over the baseline on the
    same sets, its standard error, and sets won and lost.
    """
    accuracy = outcome["accuracy"].unstack("data")
    base = {
        labels: accuracy.loc[(labels, LABELLED, BASELINE.name)] for labels in LABELS
    }
    rows = [HEADER, ["---"] * len(HEADER)]
    for told in (SOME, LABELLED, NOTHING, ALL):
        first = accuracy.loc[(THREE, told)].mean(axis=1)
        for way in first.sort_values(ascending=False, na_position="last").index:
            cells = [_cell(accuracy.loc[(n, told, way)], base[n]) for n in LABELS]
            seconds = outcome.loc[(slice(None), told, way), "seconds"]
            rows.append([told, way, *cells, _seconds(seconds.median())])
    table = "\n".join(f"| {' | '.join(row)} |" for row in rows)
    return "\n\n".join([table, *_notes(outcome)])


def _notes(outcome: pd.DataFrame) -> list[str]:
    """Why cells are empty."""
    failed = outcome[outcome["note"] != ""]
    return [
        f"no ranking by {way}, {told}, on {data} at {labels}: {note}"
        for (labels, told, way, data), note in failed["note"].items()
    ]


def _seconds(value: float) -> str:
    return f"{value:.2g}" if value >= 0.01 else "< 0.01"


def _cell(ours: pd.Series, base: pd.Series) -> str:
    from pairsift.evaluation._errors import mean_and_error

    is_there = ours.notna() & base.notna()
    if not is_there.any():
        return ""
    gain = (ours - base)[is_there].to_numpy()
    text = f"{ours[is_there].mean():.1f}"
    if ours.name == base.name:
        return f"**{text}**"
    # Sets share no rows: nothing overlaps.
    mean, error = mean_and_error(gain, overlap=0.0)
    counts = f"{(gain > 0).sum()}:{(gain < 0).sum()}"
    some = "" if is_there.all() else f", {is_there.sum()} sets only"
    return f"{text} ({mean:+.1f} ± {error:.1f}, {counts}{some})"
