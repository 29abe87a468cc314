"""What answers are worth: questions x rankings x wrong answers, on real data."""

import os
import warnings
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import numpy as np
import pandas as pd

from benchmarks._scenario import Scenario

FOLDER = Path(__file__).resolve().parents[3] / "shared" / "data"
RESULTS = Path(__file__).resolve().parents[1] / "results"
# Everything about the methods was chosen on the first half; the second only reports.
CHOOSING = (
    "arrhythmia",
    "colon",
    "heart_statlog",
    "ionosphere",
    "leukemia_allaml",
    "madelon",
    "mnist",
    "page_blocks",
    "segmentation_full",
    "soybean_small",
    "steel_plates_faults",
    "wbcd",
    "wine",
)
REPORTING = (
    "cnae9",
    "dermatology",
    "ilpd",
    "kdd99_normal_smurf",
    "libras_movement",
    "mfeat",
    "orl",
    "pendigits",
    "sonar",
    "spambase",
    "warppie10p",
    "wdbc",
    "yale",
)
QUESTIONS = (10, 30, 100)
WRONG = (0.0, 0.1)
MOST_ROWS = 600
MOST_COLUMNS = 400
MOST_SIZES = 40


class Way(NamedTuple):
    """How questions are asked, and what ranks the features from the answers."""

    name: str
    strategy: str
    kind: str
    ranking: str


OURS = "cards + SemiMRMR"
RIVAL = "uncertain pairs + PairLogistic"
SORTED = "sorted pairs + SemiMRMR"
WAYS = (
    Way("published pairs + ReliefFSc", "eigenvector", "pairs", "ReliefFSc"),
    Way("published pairs, spread + ReliefFSc", "eigenvector", "pairs", "spread"),
    Way("random pairs + PairLogistic", "random", "pairs", "PairLogistic"),
    Way(RIVAL, "uncertainty", "pairs", "PairLogistic"),
    Way("sorted pairs + PairLogistic", "sort", "pairs", "PairLogistic"),
    Way(SORTED, "sort", "pairs", "SemiMRMR"),
    Way("cards + PairLogistic", "sort", "cards", "PairLogistic"),
    Way(OURS, "sort", "cards", "SemiMRMR"),
)
NO_QUESTIONS = (
    "features in random order",
    "VarianceScore",
    "mRMR on k-means(4)",
    "mRMR on k-means(8)",
)
ALL_LABELS = ("ReliefF", "PairLogistic", "mRMR by information", "mRMR by correlation")


class Person:
    """Answers by labels, a share of them wrong; the same question, the same answer."""

    def __init__(self, y: np.ndarray, wrong: float, seed: int) -> None:
        self.y, self.wrong, self.seed = y, wrong, seed

    def pair(self, i: int, j: int) -> str:
        """Say whether two rows are the same."""
        errs, _ = self._slip(min(i, j), max(i, j))
        return "same" if (self.y[i] == self.y[j]) != errs else "different"

    def card(self, card: Any) -> int | str:
        """Choose a pile by its shown row; a slip takes any other choice."""
        errs, rng = self._slip(card.row)
        fits = [p.number for p in card.piles if self.y[p.shown] == self.y[card.row]]
        choice = fits[0] if fits else "new"
        others = [c for c in (*(p.number for p in card.piles), "new") if c != choice]
        return others[rng.integers(len(others))] if errs and others else choice

    def _slip(self, *question: int) -> tuple[bool, np.random.Generator]:
        rng = np.random.default_rng([self.seed, 4, *map(int, question)])
        return bool(rng.random() < self.wrong), rng


class Halves(NamedTuple):
    """Scaled rows for training and for testing."""

    X: np.ndarray
    y: np.ndarray
    X_test: np.ndarray
    y_test: np.ndarray

    def judge(self, order: np.ndarray) -> float:
        """Mean accuracy of 1-NN over the first half of a ranking."""
        from pairsift.evaluation import accuracy_curve

        half = -(-self.X.shape[1] // 2)
        sizes = np.linspace(1, half, min(half, MOST_SIZES)).round().astype(int)
        curve = accuracy_curve(
            self.X, self.y, self.X_test, self.y_test, order[:half], sizes=sizes
        )
        return float(curve.accuracies.mean())


def halve(X: np.ndarray, y: np.ndarray, seed: int) -> Halves:
    """Draw at most 600 rows, half of every class for training, in its ranges."""
    rng = np.random.default_rng([seed, 1])
    rows = rng.permutation(len(y))[:MOST_ROWS]
    X, y = X[rows], y[rows]
    is_train = np.zeros(len(y), dtype=bool)
    for label in np.unique(y):
        members = rng.permutation(np.flatnonzero(y == label))
        is_train[members[: -(-members.size // 2)]] = True
    low, high = X[is_train].min(axis=0), X[is_train].max(axis=0)
    X = (X - low) / np.where(high > low, high - low, 1.0)
    return Halves(X[is_train], y[is_train], X[~is_train], y[~is_train])


class AskRanking(Scenario):
    """Accuracy of rankings from equal numbers of answers, on real data."""

    name = "ask-ranking"
    reference = "time_uncertainty"
    sizes: ClassVar = {"n_seeds": 8, "n_data_sets": 26, "most_questions": 100}
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
        if self.runs.empty:
            return f"no data sets in {self._folder}"
        self.runs.to_csv(RESULTS / "ask.csv", index=False)
        parts = [
            f"{title}\n\n{summary_table(self.runs, names)}"
            for title, names in (
                ("sets used to choose", CHOOSING),
                ("sets used to report only", REPORTING),
            )
        ]
        return "\n\n".join([*parts, *self._missing])

    @cached_property
    def runs(self) -> pd.DataFrame:
        """One line per data set, seed, share of wrong answers, number and way."""
        self._folder = Path(os.environ.get("PAIRSIFT_DATA", FOLDER))
        self._missing: list[str] = []
        pairs = zip(CHOOSING, REPORTING, strict=True)
        names = [name for pair in pairs for name in pair][: self.size["n_data_sets"]]
        jobs = [(s, name) for s in range(self.size["n_seeds"]) for name in names]
        found: list[pd.DataFrame] = []
        with ProcessPoolExecutor(self.threads) as pool:
            futures = {
                pool.submit(
                    run_once, name, seed, self.size["most_questions"], self._folder
                ): name
                for seed, name in jobs
            }
            for future, name in futures.items():
                outcome = future.result()
                if isinstance(outcome, str):
                    self._missing.append(f"{name}: {outcome}")
                else:
                    found.append(outcome)
        return pd.concat(found) if found else pd.DataFrame()

    def _time(self, strategy: str, kind: str) -> object:
        numbers = [n for n in QUESTIONS if n <= self.size["most_questions"]]
        person = Person(self.wine.y, 0.0, self.seed)
        return answers(self.wine, strategy, kind, person, numbers, self.seed)

    def _gain(self, way: str, wrong: float) -> float | None:
        if self.runs.empty or self.size["most_questions"] < 30:
            return None
        of_sets = means(self.runs, CHOOSING, wrong).xs(30, level="questions")
        return float((of_sets[way] - of_sets[RIVAL]).mean())


def run_once(
    name: str, seed: int, most_questions: int, folder: Path
) -> pd.DataFrame | str:
    """Return the outcome of one data set and seed, kept so that a run goes on."""
    from pairsift.datasets import load
    from pairsift.exceptions import DataError

    kept = RESULTS / "ask" / f"{name}-{seed}-{most_questions}.csv"
    if kept.exists():
        return pd.read_csv(kept)
    try:
        table = load(name, data_dir=folder, as_frame=True)
    except DataError as error:
        return str(error)
    X = _as_numbers(table.data)
    drawn = np.random.default_rng(0).permutation(X.shape[1])[:MOST_COLUMNS]
    halves = halve(X[:, np.sort(drawn)], np.asarray(table.target), seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        frame = pd.DataFrame(_lines(name, halves, seed, most_questions))
    kept.parent.mkdir(parents=True, exist_ok=True)
    draft = kept.with_suffix(f".{os.getpid()}.part")
    frame.to_csv(draft, index=False)
    draft.replace(kept)
    return frame


def _lines(
    name: str, halves: Halves, seed: int, most_questions: int
) -> Iterator[dict[str, Any]]:
    numbers = [n for n in QUESTIONS if n <= most_questions]
    line = {"data": name, "seed": seed}
    for way, order in _references(halves, seed):
        accuracy = halves.judge(order)
        yield line | {"wrong": 0.0, "questions": 0, "way": way, "accuracy": accuracy}
    for wrong in WRONG:
        person = Person(halves.y, wrong, seed)
        for strategy, kind in dict.fromkeys((w.strategy, w.kind) for w in WAYS):
            told = answers(halves, strategy, kind, person, numbers, seed)
            ways = [w for w in WAYS if (w.strategy, w.kind) == (strategy, kind)]
            for number in numbers:
                # Few rows make few pairs: then all that can be asked was asked.
                known = told[min(number, max(told))]
                for way in ways:
                    yield line | {
                        "wrong": wrong,
                        "questions": number,
                        "way": way.name,
                        "accuracy": halves.judge(order_of(way, halves, known)),
                    }


def answers(
    halves: Halves,
    strategy: str,
    kind: str,
    person: Person,
    numbers: list[int],
    seed: int,
) -> dict[int, Any]:
    """Return pairs and piles after each number of answers."""
    from pairsift import ActiveSession
    from pairsift.exceptions import ConstraintError

    session = ActiveSession(halves.X, strategy=strategy, random_state=seed, n_jobs=1)
    found: dict[int, Any] = {}
    for number in range(1, max(numbers) + 1):
        try:
            if kind == "cards":
                card = session.ask_card()
                session.place(card.row, person.card(card))
            else:
                i, j = session.ask()
                session.tell(i, j, person.pair(i, j))
        except ConstraintError:
            found[number - 1] = session.constraints, session.labels
            break
        if number in numbers:
            found[number] = session.constraints, session.labels
    return found


def order_of(way: Way, halves: Halves, known: Any) -> np.ndarray:
    """Rank the features from answers; at random where they tell nothing."""
    import pairsift
    from pairsift.exceptions import ConstraintError

    pairs, labels = known
    try:
        if way.ranking == "SemiMRMR":
            return pairsift.SemiMRMR().fit(halves.X, labels).order_
        if way.ranking == "spread":
            pairs, _ = pairs.without_conflicts()
            pairs = pairsift.propagate(pairs, halves.X, n_jobs=1)
        name = "ReliefFSc" if way.ranking == "spread" else way.ranking
        selector = getattr(pairsift, name)(n_jobs=1)
        return selector.fit(halves.X, constraints=pairs).order_
    except ConstraintError:
        return np.random.default_rng(0).permutation(halves.X.shape[1])


def _references(halves: Halves, seed: int) -> Iterator[tuple[str, np.ndarray]]:
    from sklearn.cluster import KMeans

    from pairsift import MRMR, PairConstraints, PairLogistic, ReliefF, VarianceScore

    X, y = halves.X, halves.y
    n_features = X.shape[1]
    chance, variance, *of_clusters = NO_QUESTIONS
    yield chance, np.random.default_rng([seed, 2]).permutation(n_features)
    yield variance, VarianceScore().fit(X).order_
    for way, n_clusters in zip(of_clusters, (4, 8), strict=True):
        clusters = KMeans(n_clusters, n_init=10, random_state=seed).fit_predict(X)
        yield way, MRMR(estimator="correlation").fit(X, clusters).order_
    relieff, logistic, information, correlation = ALL_LABELS
    yield relieff, ReliefF(n_jobs=1).fit(X, y).order_
    # All pairs would be tens of thousands; a thousand of each kind say as much.
    codes = np.unique(y, return_inverse=True)[1]
    drawn = PairConstraints.sample(codes, 1000, 1000, random_state=seed)
    yield logistic, PairLogistic(n_jobs=1).fit(X, constraints=drawn).order_
    selector = MRMR(-(-n_features // 2), discretize=1.0, n_jobs=1)
    yield information, selector.fit(X, codes).order_
    yield correlation, MRMR(estimator="correlation").fit(X, codes).order_


def _as_numbers(frame: pd.DataFrame) -> np.ndarray:
    """Text as numbers, missing values as the median of their column."""
    columns = [
        column
        if pd.api.types.is_numeric_dtype(column)
        else pd.Series(pd.factorize(column)[0], dtype=float)
        for _, column in frame.items()
    ]
    X = np.column_stack([column.to_numpy(dtype=float) for column in columns])
    X = np.where(np.isnan(X), np.nan_to_num(np.nanmedian(X, axis=0)), X)
    return np.ascontiguousarray(X)


def means(runs: pd.DataFrame, names: tuple[str, ...], wrong: float) -> pd.DataFrame:
    """Percent for each data set and number of questions, one column per way."""
    some = runs[runs["data"].isin(names) & (runs["wrong"] == wrong)]
    return 100 * some.pivot_table(
        index=["questions", "data"], columns="way", values="accuracy"
    )


def summary_table(runs: pd.DataFrame, names: tuple[str, ...]) -> str:
    """Return a Markdown table: mean, and paired difference to cards + SemiMRMR.

    Sets are what is repeated: the mean over the seeds of a set is one number, and the
    standard error is that of the mean over sets.
    """
    numbers = sorted(set(runs["questions"]) - {0})
    header = ["", *(f"{n} answers, {w:.0%} wrong" for n in numbers for w in WRONG)]
    lines = [header, ["---"] * len(header)]
    tables = {wrong: means(runs, names, wrong) for wrong in WRONG}
    for way in (w.name for w in WAYS):
        cells = []
        for number in numbers:
            for wrong in WRONG:
                of_sets = tables[wrong].xs(number, level="questions")
                cells.append(_cell(of_sets[way], of_sets[OURS]))
        lines.append([way, *cells])
    without = tables[0.0].xs(0, level="questions")
    for way in (*NO_QUESTIONS, *ALL_LABELS):
        known = "no questions" if way in NO_QUESTIONS else "all labels"
        value = f"{without[way].mean():.1f}"
        lines.append([f"{known}: {way}", *[value] * (len(header) - 1)])
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _cell(of_way: pd.Series, ours: pd.Series) -> str:
    gain = ours - of_way
    text = f"{of_way.mean():.1f}"
    if not gain.any():
        return f"**{text}**"
    error = gain.std(ddof=1) / np.sqrt(gain.size)
    counts = f"{(gain > 0).sum()}:{(gain < 0).sum()}"
    return f"{text} ({gain.mean():+.1f} ± {error:.1f}, {counts})"
