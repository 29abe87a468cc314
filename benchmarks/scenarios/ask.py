"""What answers are worth: questions x rankings x wrong answers, on real data."""

import os
from concurrent.futures import ProcessPoolExecutor
from functools import cached_property
from pathlib import Path
from typing import ClassVar

import pandas as pd

from benchmarks._scenario import Scenario
from benchmarks.scenarios.ask_runs import (
    ALL_LABELS,
    CHOOSING,
    FOLDER,
    NO_QUESTIONS,
    OURS,
    QUESTIONS,
    REPORTING,
    RESULTS,
    RIVAL,
    SORTED,
    WAYS,
    WRONG,
    answers,
    halve,
    run_set,
)

OUTCOME = Path(__file__).resolve().parents[1] / "ask.csv"
"""What the last whole run found, from which the guide's picture is drawn."""
KEYS = ["questions", "wrong", "data"]


class AskRanking(Scenario):
    """Accuracy of rankings from equal numbers of answers, on real data."""

    name = "ask-ranking"
    reference = "time_uncertainty"
    sizes: ClassVar = {"n_seeds": 3, "n_data_sets": 26, "most_questions": 100}
    quick_sizes: ClassVar = {"n_seeds": 1, "n_data_sets": 26, "most_questions": 30}
    tiny_sizes: ClassVar = {"n_seeds": 1, "n_data_sets": 0, "most_questions": 10}

    def setup(self) -> None:
        from sklearn.datasets import load_wine

        self.wine = halve(*load_wine(return_X_y=True), self.seed)

    def time_uncertainty(self) -> object:
        return self._time("uncertainty", "pairs")

    def time_sorted_pairs(self) -> object:
        return self._time("sort", "pairs")

    def time_cards(self) -> object:
        return self._time("sort", "cards")

    def track_gain_over_uncertainty(self) -> float | None:
        """Points at 30 answers over uncertain pairs, on the choosing half."""
        return self._gain(OURS, 0.0)

    def track_gain_over_uncertainty_10_percent_wrong(self) -> float | None:
        return self._gain(OURS, 0.1)

    def track_gain_of_sorted_pairs(self) -> float | None:
        return self._gain(SORTED, 0.0)

    def track_gain_of_sorted_pairs_10_percent_wrong(self) -> float | None:
        return self._gain(SORTED, 0.1)

    def report(self) -> str:
        if self.outcome.empty:
            return f"no data sets in {self._folder}"
        path = OUTCOME if self.size == self.sizes else RESULTS / "ask.csv"
        path.parent.mkdir(parents=True, exist_ok=True)
        self.outcome.round(2).to_csv(path)
        parts = [
            f"{title}\n\n{summary_table(self.outcome, names)}"
            for title, names in (
                ("sets used to choose", CHOOSING),
                ("sets used to report only", REPORTING),
            )
        ]
        return "\n\n".join([*parts, *self._missing])

    @cached_property
    def outcome(self) -> pd.DataFrame:
        """Percent for each number, share of wrong answers and set; ways as columns.

        The mean over the seeds: splits of one set are not independent, sets are.
        """
        self._folder = Path(os.environ.get("PAIRSIFT_DATA", FOLDER))
        self._missing: list[str] = []
        pairs = zip(CHOOSING, REPORTING, strict=True)
        names = [name for pair in pairs for name in pair][: self.size["n_data_sets"]]
        seeds, most = range(self.size["n_seeds"]), self.size["most_questions"]
        found: list[pd.DataFrame] = []
        with ProcessPoolExecutor(self.threads) as pool:
            futures = {
                name: pool.submit(run_set, name, seeds, most, self._folder)
                for name in names
            }
            for name, future in futures.items():
                outcome = future.result()
                if isinstance(outcome, str):
                    self._missing.append(f"{name}: {outcome}")
                else:
                    found.append(outcome)
        if not found:
            return pd.DataFrame()
        runs = pd.concat(found)
        return 100 * runs.pivot_table(index=KEYS, columns="way", values="accuracy")

    def _time(self, strategy: str, kind: str) -> object:
        from pairsift.active import Person

        numbers = [n for n in QUESTIONS if n <= self.size["most_questions"]]
        person = Person(self.wine.y, 0.0, self.seed)
        return answers(self.wine, strategy, kind, person, numbers, self.seed)

    def _gain(self, way: str, wrong: float) -> float | None:
        if self.outcome.empty or self.size["most_questions"] < 30:
            return None
        of_sets = accuracies(self.outcome, CHOOSING, 30, wrong)
        return float((of_sets[way] - of_sets[RIVAL]).mean())


def accuracies(
    outcome: pd.DataFrame, names: tuple[str, ...], questions: int, wrong: float
) -> pd.DataFrame:
    """Percent for each data set, one column per way.

    What needs no questions is there for any number of them.
    """
    without = outcome.loc[(0, 0.0)][[*NO_QUESTIONS, *ALL_LABELS]]
    ways = [way.name for way in WAYS]
    table = outcome.loc[(questions, wrong)][ways].join(without)
    return table.loc[[name for name in names if name in table.index]]


def summary_table(outcome: pd.DataFrame, names: tuple[str, ...]) -> str:
    """Return a Markdown table: mean, and how much better cards + SemiMRMR are."""
    numbers = sorted(set(outcome.index.get_level_values("questions")) - {0})
    cases = [(number, wrong) for number in numbers for wrong in WRONG]
    header = ["", *(f"{n} answers, {w:.0%} wrong" for n, w in cases)]
    lines = [header, ["---"] * len(header)]
    tables = [accuracies(outcome, names, *case) for case in cases]
    for way in tables[0].columns:
        known = "no questions: " if way in NO_QUESTIONS else ""
        known = "all labels: " if way in ALL_LABELS else known
        lines.append([known + way, *(_cell(of[OURS], of[way]) for of in tables)])
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _cell(ours: pd.Series, theirs: pd.Series) -> str:
    """Mean of a way; in brackets the gain of ours, its error, sets won and lost."""
    from pairsift.evaluation._errors import mean_and_error

    gain = (ours - theirs).to_numpy()
    text = f"{theirs.mean():.1f}"
    if not gain.any():
        return f"**{text}**"
    # Sets share no rows: nothing overlaps.
    mean, error = mean_and_error(gain, overlap=0.0)
    counts = f"{(gain > 0).sum()}:{(gain < 0).sum()}"
    return f"{text} ({mean:+.1f} ± {error:.1f}, {counts})"
