"""What questions are worth: strategies x rankings x data sets, and what they cost."""

import os
import time
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import numpy as np
import pandas as pd

from benchmarks._scenario import Scenario

FOLDER = Path(__file__).resolve().parents[3] / "shared" / "data"
RESULTS = Path(__file__).resolve().parents[1] / "results"
# Everything about the method was chosen on the first half; the second only reports.
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
WAYS = (
    ("eigenvector", "ReliefFSc"),
    ("random", "ReliefFSc"),
    ("random", "PairLogistic"),
    ("uncertainty", "PairLogistic"),
    ("uncertainty", "PairLogistic with unlabelled rows"),
)
RANKINGS: dict[str, tuple[str, dict[str, float]]] = {
    "ReliefFSc": ("ReliefFSc", {}),
    "PairLogistic": ("PairLogistic", {}),
    "PairLogistic with unlabelled rows": ("PairLogistic", {"unlabelled_weight": 0.1}),
}
REFERENCES = (
    "features in random order",
    "VarianceScore, no questions",
    "ReliefF, all labels",
    "MRMR, all labels",
)
MOST_ROWS = 600
MOST_SIZES = 40


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
    """Accuracy of rankings from equal numbers of questions, on real data."""

    name = "ask-ranking"
    reference = "time_eigenvector"
    sizes: ClassVar = {"n_seeds": 8, "n_data_sets": 26, "most_questions": 100}
    tiny_sizes: ClassVar = {"n_seeds": 1, "n_data_sets": 0, "most_questions": 10}

    def setup(self) -> None:
        from sklearn.datasets import load_wine

        self.wine = halve(*load_wine(return_X_y=True), self.seed)

    def time_eigenvector(self) -> object:
        return self._answers(self.wine, "eigenvector", self.seed)

    def time_uncertainty(self) -> object:
        return self._answers(self.wine, "uncertainty", self.seed)

    def track_gain_over_published(self) -> float | None:
        """Points at 30 questions over the published pipeline, on the second half."""
        return self._gain(WAYS[0])

    def track_gain_over_random(self) -> float | None:
        """Points at 30 questions over random couples with the same model."""
        return self._gain(WAYS[2])

    def report(self) -> str:
        if self.runs.empty:
            return f"no data sets in {self._folder}"
        RESULTS.mkdir(exist_ok=True)
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
        """One line a data set, seed, number of questions and way."""
        from pairsift.datasets import load
        from pairsift.exceptions import DataError

        self._folder = os.environ.get("PAIRSIFT_DATA", FOLDER)
        self._missing: list[str] = []
        lines: list[dict[str, Any]] = []
        pairs = zip(CHOOSING, REPORTING, strict=True)
        names = [name for pair in pairs for name in pair]
        for name in names[: self.size["n_data_sets"]]:
            try:
                table = load(name, data_dir=self._folder, as_frame=True)
            except DataError as error:
                self._missing.append(f"{name}: {error}")
                continue
            X, y = _as_numbers(table.data), table.target
            for seed in range(self.size["n_seeds"]):
                lines += self._run(name, halve(X, y, seed), seed)
        return pd.DataFrame(lines)

    def _run(self, name: str, halves: Halves, seed: int) -> Iterator[dict[str, Any]]:
        circumstances = {"data": name, "seed": seed}
        for way, order in self._references(halves, seed):
            yield circumstances | {
                "questions": 0,
                "way": way,
                "accuracy": halves.judge(order),
            }
        for strategy in dict.fromkeys(strategy for strategy, _ in WAYS):
            for number, pairs in self._answers(halves, strategy, seed).items():
                for ranking in (r for s, r in WAYS if s == strategy):
                    order = self._order(ranking, halves, pairs)
                    yield circumstances | {
                        "questions": number,
                        "way": f"{strategy} + {ranking}",
                        "accuracy": halves.judge(order),
                    }
        for number in self._numbers():
            yield circumstances | {
                "questions": number,
                "way": "ReliefF, as many labels",
                "accuracy": halves.judge(self._few_labels(halves, number, seed)),
            }

    def _numbers(self) -> list[int]:
        return [q for q in QUESTIONS if q <= self.size["most_questions"]]

    def _references(
        self, halves: Halves, seed: int
    ) -> Iterator[tuple[str, np.ndarray]]:
        from pairsift import MRMR, ReliefF, VarianceScore

        n_features = halves.X.shape[1]
        chance, variance, relieff, mrmr = REFERENCES
        yield chance, np.random.default_rng([seed, 2]).permutation(n_features)
        yield variance, VarianceScore().fit(halves.X).order_
        yield relieff, ReliefF(n_jobs=self.threads).fit(halves.X, halves.y).order_
        selector = MRMR(-(-n_features // 2), discretize=1.0, n_jobs=self.threads)
        yield mrmr, selector.fit(halves.X, halves.y).order_

    def _answers(self, halves: Halves, strategy: str, seed: int) -> dict[int, Any]:
        """Pairs after each number of questions."""
        from pairsift import ActiveSession

        session = ActiveSession(
            halves.X, strategy=strategy, random_state=seed, n_jobs=self.threads
        )
        numbers, found = self._numbers(), {}
        n_couples = len(halves.y) * (len(halves.y) - 1) // 2
        for number in range(1, min(max(numbers), n_couples) + 1):
            i, j = session.ask()
            same = halves.y[i] == halves.y[j]
            session.tell(i, j, "same" if same else "different")
            if number in numbers:
                found[number] = session.constraints
        return found

    def _order(self, ranking: str, halves: Halves, pairs: Any) -> np.ndarray:
        import warnings

        import pairsift

        if ranking == "ReliefFSc" and not pairs.n_cannot_link:
            # Nothing to learn from: as good as chance.
            return np.random.default_rng(0).permutation(halves.X.shape[1])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            name, options = RANKINGS[ranking]
            selector = getattr(pairsift, name)(n_jobs=self.threads, **options)
            return selector.fit(halves.X, constraints=pairs).order_

    def _few_labels(self, halves: Halves, number: int, seed: int) -> np.ndarray:
        """Rank by ReliefF when as many rows are labelled as questions were asked."""
        from pairsift import ReliefF

        rng = np.random.default_rng([seed, 3])
        rows = rng.permutation(len(halves.y))[:number]
        if np.unique(halves.y[rows]).size < 2:
            return rng.permutation(halves.X.shape[1])
        return ReliefF(n_jobs=self.threads).fit(halves.X[rows], halves.y[rows]).order_

    def _gain(self, way: tuple[str, str]) -> float | None:
        if self.runs.empty:
            return None
        mean = _means(self.runs, REPORTING).xs(30, level="questions")
        ours, theirs = (" + ".join(w) for w in (WAYS[3], way))
        return float(mean[ours].mean() - mean[theirs].mean())


def _as_numbers(frame: pd.DataFrame) -> np.ndarray:
    """Text as numbers, missing cells as the median of their column."""
    columns = [
        column
        if pd.api.types.is_numeric_dtype(column)
        else pd.Series(pd.factorize(column)[0], dtype=float)
        for _, column in frame.items()
    ]
    X = np.column_stack([column.to_numpy(dtype=float) for column in columns])
    X = np.where(np.isnan(X), np.nan_to_num(np.nanmedian(X, axis=0)), X)
    return np.ascontiguousarray(X)


def _means(runs: pd.DataFrame, names: tuple[str, ...]) -> pd.DataFrame:
    """Percent for each data set and number of questions, one column a way."""
    some = runs[runs["data"].isin(names)]
    return 100 * some.pivot_table(
        index=["questions", "data"], columns="way", values="accuracy"
    )


def summary_table(runs: pd.DataFrame, names: tuple[str, ...]) -> str:
    """Return a Markdown table: mean, standard error over sets, wins against ours."""
    means = _means(runs, names)
    ours = " + ".join(WAYS[3])
    numbers = [q for q in QUESTIONS if q in means.index.get_level_values(0)]
    header = ["", *(f"{q} questions" for q in numbers)]
    lines = [header, ["---"] * len(header)]
    asked = [" + ".join(way) for way in WAYS] + ["ReliefF, as many labels"]
    for way in asked:
        cells = []
        for number in numbers:
            of_sets = means.xs(number, level="questions")
            gain = of_sets[ours] - of_sets[way]
            cell = f"{of_sets[way].mean():.1f}"
            if way != ours:
                error = gain.std(ddof=1) / np.sqrt(gain.size)
                cell += (
                    f" (ours {gain.mean():+.1f} ± {error:.1f}, "
                    f"{(gain > 0).sum()}:{(gain < 0).sum()})"
                )
            cells.append(cell)
        lines.append([way, *cells])
    for way in REFERENCES:
        value = f"{means.xs(0, level='questions')[way].mean():.1f}"
        lines.append([way, *[value] * len(numbers)])
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


class AskQuestion(Scenario):
    """One question after 30 answers, many rows and columns."""

    name = "ask-question"
    reference = "time_question"
    sizes: ClassVar = {"n_samples": 100_000, "n_features": 1_000, "n_answers": 30}
    tiny_sizes: ClassVar = {"n_samples": 60, "n_features": 5, "n_answers": 12}

    def setup(self) -> None:
        from pairsift import ActiveSession

        rng = np.random.default_rng(self.seed)
        X = rng.normal(size=(self.size["n_samples"], self.size["n_features"]))
        y = X[:, 3] + X[:, 1] > 0.0
        self.session = ActiveSession(X, strategy="uncertainty", n_jobs=self.threads)
        for _ in range(self.size["n_answers"]):
            i, j = self.session.ask()
            self.session.tell(i, j, "same" if y[i] == y[j] else "different")

    def time_question(self) -> tuple[int, int]:
        couple = self.session.ask()
        self.session.tell(*couple, "unsure")
        self.session.undo()
        return couple


class AskPath(Scenario):
    """The whole path of penalties, beside scikit-learn's saga to the same accuracy.

    saga has no bound w ≥ 0: it solves the problem with weights of either sign, whose
    duality gap is certified in the same way. It is stopped when it has taken so many
    times as long as ours; the ratio is then a lower bound.
    """

    name = "ask-path"
    reference = "time_pairsift"
    sizes: ClassVar = {"n_couples": 2_000, "n_features": 10_000, "patience": 6}
    tiny_sizes: ClassVar = {"n_couples": 40, "n_features": 30, "patience": 2}
    tolerance: ClassVar = 1e-6

    def setup(self) -> None:
        rng = np.random.default_rng(self.seed)
        n_samples, n_features = self.size["n_couples"] // 2, self.size["n_features"]
        self.X = rng.normal(size=(n_samples, n_features))
        y = self.X[:, [n_features // 2, 3, n_features - 1]].sum(axis=1) > 0.0
        pairs = np.sort(rng.integers(n_samples, size=(5 * n_samples, 2)), axis=1)
        pairs = np.unique(pairs[pairs[:, 0] < pairs[:, 1]], axis=0)
        pairs = pairs[rng.permutation(len(pairs))[: self.size["n_couples"]]]
        is_same = y[pairs[:, 0]] == y[pairs[:, 1]]
        self.must, self.cannot = pairs[is_same], pairs[~is_same]

    def time_pairsift(self) -> Any:
        from pairsift.scores import pair_logistic_path

        return pair_logistic_path(
            self.X, self.must, self.cannot, tol=self.tolerance, n_jobs=self.threads
        )

    def track_largest_gap(self) -> float:
        """How far our objectives can be above their minimum, at most."""
        return float(self.time_pairsift().gaps.max())

    def track_times_faster_than_saga(self) -> float:
        """Ratio of the times of the penalties that saga came to, or a lower bound."""
        return self._saga[0]

    def report(self) -> str:
        ratio, n_reached, n_penalties = self._saga
        return (
            f"saga reached {n_reached} of {n_penalties} penalties within its time; "
            f"{'at least ' if n_reached < n_penalties else ''}{ratio:.1f} times slower"
        )

    @cached_property
    def _saga(self) -> tuple[float, int, int]:
        start = time.perf_counter()
        path = self.time_pairsift()
        ours = time.perf_counter() - start
        limit = self.size["patience"] * ours
        seconds, n_reached = run_saga(self, path.penalties, limit)
        return seconds / ours, n_reached, len(path.penalties)


def run_saga(
    scenario: AskPath, penalties: np.ndarray, limit: float
) -> tuple[float, int]:
    """Fit penalty after penalty, warm, until the gap is small or the time is up."""
    import warnings

    from sklearn.linear_model import LogisticRegression

    pairs = np.concatenate([scenario.must, scenario.cannot])
    D = np.abs(scenario.X[pairs[:, 0]] - scenario.X[pairs[:, 1]])
    D = -D / np.ptp(scenario.X, axis=0)
    # The intercept takes the means up, and saga needs fewer steps without them.
    D -= D.mean(axis=0)
    counts = len(scenario.must), len(scenario.cannot)
    sign = np.repeat([1.0, -1.0], counts)
    share = np.repeat([0.5 / counts[0], 0.5 / counts[1]], counts)
    model = LogisticRegression(
        solver="saga", warm_start=True, tol=1e-12, max_iter=20, **_lasso()
    )
    begin = time.perf_counter()
    for n_reached, penalty in enumerate(penalties):
        model.set_params(C=1.0 / penalty)
        while True:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                model.fit(D, sign, sample_weight=share)
            if time.perf_counter() - begin > limit:
                return time.perf_counter() - begin, n_reached
            if _signed_gap(model, D, sign, share, penalty) <= scenario.tolerance:
                break
    return time.perf_counter() - begin, len(penalties)


def _lasso() -> dict[str, Any]:
    """Ask for the l1 penalty as the version of scikit-learn wants it."""
    import sklearn

    version = tuple(map(int, sklearn.__version__.split(".")[:2]))
    return {"l1_ratio": 1.0} if version >= (1, 8) else {"penalty": "l1"}


def _signed_gap(
    model: Any, D: np.ndarray, sign: np.ndarray, share: np.ndarray, penalty: float
) -> float:
    """Certify how far the objective of a model can be above its minimum."""
    w = model.coef_[0]
    margin = sign * (D @ w + model.intercept_[0])
    value = share @ np.logaddexp(0.0, -margin) + penalty * np.abs(w).sum()
    wrong = 1.0 / (1.0 + np.exp(margin))
    # The intercept is not yet the best: balance the two kinds.
    same, different = (
        (share * wrong)[sign > 0].sum(),
        (share * wrong)[sign < 0].sum(),
    )
    least = min(same, different)
    wrong *= np.where(sign > 0, least / same, least / different)
    steepest = np.abs((share * sign * wrong) @ D).max()
    u = wrong * min(1.0, penalty / steepest)
    entropy = -(u * np.log(u) + (1.0 - u) * np.log1p(-u))
    return float(value - share @ entropy)
