"""One data set, halved by a seed: few labels, rankings from them, their accuracy."""

import signal
import time
import warnings
import zlib
from collections.abc import Iterator, Sequence, Set
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from benchmarks.scenarios.ask_runs import (
    RESULTS,
    Halves,
    code_version,
    halve,
    read,
    write,
)

# Chosen before any result was seen: of the sets on which no default of a command was
# chosen (REPORTING of `ask_runs`), those with ten rows a class or more in the training
# half (not orl, yale), of which not all rankings reach 100 % (not kdd99_normal_smurf),
# and whose columns are not nearly all zeros (not cnae9).
SETS = (
    "dermatology",
    "ilpd",
    "libras_movement",
    "mfeat",
    "pendigits",
    "sonar",
    "spambase",
    "warppie10p",
    "wdbc",
)
THREE, TENTH = "3 a class", "10 %"
LABELS = (THREE, TENTH)
MAX_ROWS = 400
MAX_COLUMNS = 60
MAX_SECONDS = 30.0
"""CPU time after which a fit is given up."""
N_RANDOM = 20
"""Random orders, of which the mean accuracy is taken."""
SOME, LABELLED = "some labels, all rows", "labelled rows only"
NOTHING, ALL = "no labels", "all labels"
RANDOM = "random order"


class Way(NamedTuple):
    """Which labels are told, and the selector that ranks; `RANDOM` is none."""

    told: str
    selector: str
    options: tuple[tuple[str, str], ...] = ()

    @property
    def name(self) -> str:
        """The selector as it is called."""
        options = ", ".join(f'{key}="{value}"' for key, value in self.options)
        return f"{self.selector}({options})" if options else self.selector


MRMR_OPTIONS = (("estimator", "correlation"),)
BASELINE = Way(LABELLED, "ReliefF")
WAYS = (
    *(
        Way(SOME, name)
        for name in (
            # Made for labelled and unlabelled rows.
            "ClusterHomogeneity",
            "FSManifold",
            "FSSFS",
            "FeatureClusterMI",
            "IteraGraphFS",
            "S3VMSelector",
            "SSFC",
            "SSelect",
            "SemiLogisticIRelief",
            "SemiMRMR",
            # Learn from pairs of labelled rows, and take neighbours from all rows.
            "ConstraintScore3",
            "ConstraintScore4",
            "ConstraintScore5",
            "ConstraintScore6",
            "ConstraintScore7",
            "EnsembleConstraintScore",
            "FCRSC",
            "RankEnsemble",
            "ReliefFSc",
            "ReliefSc",
            "SCGS",
            "SimbaSc",
            "SimilarityConstraintScore",
            # Follows the graph of all rows, and takes labels if there are any.
            "SPEC",
        )
    ),
    Way(SOME, "LMFS", (("unlabelled", "nearest"),)),
    BASELINE,
    Way(LABELLED, "MRMR", MRMR_OPTIONS),
    Way(LABELLED, "FisherScore"),
    # Without neighbours: unlabelled rows tell these nothing.
    Way(LABELLED, "ConstraintScore1"),
    Way(LABELLED, "ConstraintScore2"),
    Way(LABELLED, "PairLogistic"),
    Way(NOTHING, "UnsupervisedMRMR"),
    Way(NOTHING, RANDOM),
    Way(ALL, "ReliefF"),
    Way(ALL, "MRMR", MRMR_OPTIONS),
    Way(ALL, "SemiMRMR"),
)


def draw_labels(y: np.ndarray, labels: str, seed: int) -> np.ndarray:
    """Keep the labels of a few rows of every class; -1 stands for the others."""
    rng = np.random.default_rng([seed, 3])
    known = np.full(y.size, -1)
    for label in np.unique(y):
        members = rng.permutation(np.flatnonzero(y == label))
        number = 3 if labels == THREE else max(2, round(members.size / 10))
        known[members[:number]] = label
    return known


def ways_of(selectors: str) -> tuple[Way, ...]:
    """Return the ways of these selectors, named with commas between; all of none."""
    wanted = set(filter(None, selectors.split(",")))
    unknown = wanted - {way.selector for way in WAYS}
    if unknown:
        raise ValueError(f"no ranking by {', '.join(sorted(unknown))} in this scenario")
    return tuple(way for way in WAYS if not wanted or way.selector in wanted)


def run_set(
    name: str, seeds: Sequence[int], folder: Path, ways: Sequence[Way] = WAYS
) -> pd.DataFrame | str:
    """Return the outcome of one data set, each split kept so that a run goes on."""
    from pairsift.exceptions import DataError

    frames: list[pd.DataFrame] = []
    for seed in seeds:
        some = "" if len(ways) == len(WAYS) else f"-{hash_of(ways)}"
        kept = RESULTS / "semi" / f"{name}-{seed}{some}-{code_version(__file__)}.csv"
        if not kept.exists():
            try:
                X, y = read(name, folder, MAX_COLUMNS)
            except DataError as error:
                return str(error)
            rows = np.random.default_rng(0).permutation(len(y))[:MAX_ROWS]
            codes = np.unique(y[rows], return_inverse=True)[1]
            halves = halve(X[rows], codes, seed)
            found = lines(halves, seed, ways, failed(frames))
            write(pd.DataFrame(found).assign(data=name), kept)
        frames.append(pd.read_csv(kept, dtype={"note": str}).fillna({"note": ""}))
    return pd.concat(frames)


def hash_of(ways: Sequence[Way]) -> str:
    """Return a short name of some ways, equal in every process."""
    return f"{zlib.crc32(repr(ways).encode()):08x}"


def failed(frames: Sequence[pd.DataFrame]) -> set[tuple[str, str, str]]:
    """Return what failed on earlier splits: labels, what is told, way."""
    return {
        (line.labels, line.told, line.way)
        for frame in frames
        for line in frame.itertuples()
        if line.note
    }


def lines(
    halves: Halves,
    seed: int,
    ways: Sequence[Way],
    done: Set[tuple[str, str, str]],
) -> Iterator[dict[str, Any]]:
    """Rank by every way that is not done, and judge; what fails has a note."""
    for labels in LABELS:
        known = draw_labels(halves.y, labels, seed)
        for way in ways:
            key = labels, way.told, way.name
            if key in done:
                continue
            line = dict(zip(("labels", "told", "way"), key, strict=True))
            start = time.process_time()
            note, orders = attempt(way, halves, known, seed)
            seconds = time.process_time() - start
            accuracies = [halves.judge(order) for order in orders]
            yield line | {
                "seed": seed,
                "accuracy": np.mean(accuracies) if accuracies else np.nan,
                "seconds": seconds,
                "note": note,
            }


def attempt(
    way: Way, halves: Halves, known: np.ndarray, seed: int
) -> tuple[str, list[np.ndarray]]:
    """Return rankings, or why there are none."""
    try:
        with limited(MAX_SECONDS), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return "", ranked(way, halves, known, seed)
    except Exception as error:  # Whatever it is, the table tells of it.
        return f"{type(error).__name__}: {error}", []


def ranked(way: Way, halves: Halves, known: np.ndarray, seed: int) -> list[np.ndarray]:
    """Rank all features of the training half: one order, or several random ones."""
    X = halves.X
    if way.selector == RANDOM:
        rng = np.random.default_rng([seed, 2])
        return [rng.permutation(X.shape[1]) for _ in range(N_RANDOM)]
    selector = make(way, seed)
    if way.told == NOTHING:
        return [selector.fit(X).order_]
    if way.told == LABELLED:
        return [selector.fit(X[known >= 0], known[known >= 0]).order_]
    return [selector.fit(X, halves.y if way.told == ALL else known).order_]


def make(way: Way, seed: int) -> Any:
    """Return the selector with its defaults, on one thread and by the seed."""
    import pairsift

    selector = getattr(pairsift, way.selector)(**dict(way.options))
    ours = {"n_jobs": 1, "random_state": seed}
    taken = selector.get_params(deep=False)
    return selector.set_params(**{k: v for k, v in ours.items() if k in taken})


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Stop what takes more CPU time; waiting on a busy machine does not count."""

    def stop(*_: object) -> None:
        raise TimeoutError(f"took more than {seconds:g} s of CPU time")

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0.0)
        signal.signal(signal.SIGPROF, before)
