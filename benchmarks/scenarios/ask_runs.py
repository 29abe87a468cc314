"""One data set, halved by a seed: questions, answers, rankings and their accuracy."""

import ast
import hashlib
import os
import warnings
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

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
MAX_ROWS = 600
MAX_COLUMNS = 400
MAX_SIZES = 40
# The parts of pairsift on which an outcome depends.
COUNTED = (
    "_kernels/*.py",
    "active/*.py",
    "constraints/*.py",
    "evaluation/_accuracy.py",
    "graphs/*.py",
    "information/*.py",
    "scores/*.py",
    "selectors/*.py",
)


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
    "LaplacianScore",
    "UnsupervisedMRMR",
    "mRMR on k-means(4)",
    "mRMR on k-means(8)",
)
ALL_LABELS = ("ReliefF", "PairLogistic", "mRMR by information", "mRMR by correlation")


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
        sizes = np.linspace(1, half, min(half, MAX_SIZES)).round().astype(int)
        curve = accuracy_curve(
            self.X, self.y, self.X_test, self.y_test, order[:half], sizes=sizes
        )
        return float(curve.accuracies.mean())


def halve(X: np.ndarray, y: np.ndarray, seed: int) -> Halves:
    """Draw at most 600 rows, half of every class for training, in its ranges."""
    rng = np.random.default_rng([seed, 1])
    rows = rng.permutation(len(y))[:MAX_ROWS]
    X, y = X[rows], y[rows]
    is_train = np.zeros(len(y), dtype=bool)
    for label in np.unique(y):
        members = rng.permutation(np.flatnonzero(y == label))
        is_train[members[: -(-members.size // 2)]] = True
    low, high = X[is_train].min(axis=0), X[is_train].max(axis=0)
    X = (X - low) / np.where(high > low, high - low, 1.0)
    return Halves(X[is_train], y[is_train], X[~is_train], y[~is_train])


def run_set(
    name: str, seeds: Sequence[int], most_questions: int, folder: Path
) -> pd.DataFrame | str:
    """Return the outcome of one data set, each seed kept so that a run goes on."""
    from pairsift.exceptions import DataError

    frames = []
    for seed in seeds:
        key = f"{name}-{seed}-{most_questions}-{code_version()}"
        kept = RESULTS / "ask" / f"{key}.csv"
        if not kept.exists():
            try:
                X, y = read(name, folder, MAX_COLUMNS)
            except DataError as error:
                return str(error)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                lines = list(_lines(name, halve(X, y, seed), seed, most_questions))
            write(pd.DataFrame(lines), kept)
        frames.append(pd.read_csv(kept))
    return pd.concat(frames)


@lru_cache(2)
def code_version(runs: str = __file__) -> str:
    """Return a digest of the code on which the outcomes of a module of runs depend.

    Comments and docstrings do not count, nor does what only shows results.
    """
    import pairsift

    package = Path(pairsift.__file__).parent
    paths = [path for part in COUNTED for path in sorted(package.glob(part))]
    digest = hashlib.sha256()
    for path in [*dict.fromkeys((Path(__file__), Path(runs))), *paths]:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(body := getattr(node, "body", None), list):
                node.body = [part for part in body if not _is_text(part)]
        digest.update(ast.dump(tree).encode())
    return digest.hexdigest()[:12]


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


@lru_cache(1)
def read(name: str, folder: Path, most_columns: int) -> tuple[np.ndarray, np.ndarray]:
    """Read a data set, at most a number of its columns."""
    from pairsift.datasets import load

    table = load(name, data_dir=folder, as_frame=True)
    X = _as_numbers(table.data)
    drawn = np.random.default_rng(0).permutation(X.shape[1])[:most_columns]
    return X[:, np.sort(drawn)], np.asarray(table.target)


def write(frame: pd.DataFrame, kept: Path) -> None:
    """Write a file that is there as a whole, or not at all."""
    kept.parent.mkdir(parents=True, exist_ok=True)
    draft = kept.with_suffix(f".{os.getpid()}.part")
    frame.to_csv(draft, index=False)
    draft.replace(kept)


def _lines(
    name: str, halves: Halves, seed: int, most_questions: int
) -> Iterator[dict[str, Any]]:
    from pairsift.active import Person

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
    person: Any,
    numbers: list[int],
    seed: int,
) -> dict[int, Any]:
    """Return pairs and piles after each number of answers of a `Person`."""
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


def semi_mrmr() -> Any:
    """Return SemiMRMR as commands take it; of all labels it is mRMR by correlation."""
    from pairsift import SemiMRMR

    return SemiMRMR(least_redundancy=0.05)


def order_of(way: Way, halves: Halves, known: Any) -> np.ndarray:
    """Rank the features from answers; at random where they tell nothing."""
    import pairsift
    from pairsift.exceptions import ConstraintError

    pairs, labels = known
    try:
        if way.ranking == "SemiMRMR":
            return semi_mrmr().fit(halves.X, labels).order_
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

    from pairsift import (
        MRMR,
        LaplacianScore,
        PairLogistic,
        ReliefF,
        UnsupervisedMRMR,
        VarianceScore,
    )

    X, y = halves.X, halves.y
    n_features = X.shape[1]
    chance, variance, laplacian, shared, *of_clusters = NO_QUESTIONS
    yield chance, np.random.default_rng([seed, 2]).permutation(n_features)
    yield variance, VarianceScore().fit(X).order_
    yield laplacian, LaplacianScore(n_jobs=1).fit(X).order_
    yield shared, UnsupervisedMRMR().fit(X).order_
    for way, n_clusters in zip(of_clusters, (4, 8), strict=True):
        clusters = KMeans(n_clusters, n_init=10, random_state=seed).fit_predict(X)
        yield way, semi_mrmr().fit(X, clusters).order_
    relieff, logistic, information, correlation = ALL_LABELS
    yield relieff, ReliefF(n_jobs=1).fit(X, y).order_
    codes = np.unique(y, return_inverse=True)[1]
    drawn = some_pairs(codes, 1000, seed)
    yield logistic, PairLogistic(n_jobs=1).fit(X, constraints=drawn).order_
    selector = MRMR(-(-n_features // 2), discretize=1.0, n_jobs=1)
    yield information, selector.fit(X, codes).order_
    yield correlation, semi_mrmr().fit(X, codes).order_


def some_pairs(y: np.ndarray, most: int, seed: int) -> Any:
    """Draw pairs of labelled rows, of each kind at most a number."""
    from pairsift import PairConstraints

    sizes = np.unique(y, return_counts=True)[1]
    n_same = int((sizes * (sizes - 1)).sum()) // 2
    n_different = y.size * (y.size - 1) // 2 - n_same
    numbers = min(most, n_different), min(most, n_same)
    return PairConstraints.sample(y, *numbers, random_state=seed)


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
