"""Several selectors on one data set, over repeated splits."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from numbers import Integral, Real
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from joblib import Parallel, delayed, effective_n_jobs
from numpy.typing import ArrayLike

from pairsift._random import as_generator
from pairsift._typing import IndexArray, RandomState
from pairsift.active import Asking, Evidence
from pairsift.constraints import encode_labels
from pairsift.evaluation._accuracy import _check_sizes
from pairsift.evaluation._compare._asking import (
    Answers,
    Asked,
    as_alphas,
    as_asking,
    ask,
    refuse_with_questions,
    refuse_without_questions,
    variants,
)
from pairsift.evaluation._compare._cells import Cell, Failure, run_cell
from pairsift.evaluation._compare._plan import (
    DrawPairs,
    Entry,
    Plan,
    as_classifiers,
    as_entries,
    as_reference,
    default_sizes,
    over_grid,
)
from pairsift.evaluation._compare._result import Comparison
from pairsift.evaluation._compare._splits import split_rows
from pairsift.evaluation._compare._store import CellStore
from pairsift.evaluation._compare._tables import read_table
from pairsift.evaluation._validation import as_labels
from pairsift.exceptions import DataError


def compare(
    selectors: Any,
    X: ArrayLike,
    y: ArrayLike,
    *,
    classifiers: Any = ("1nn", "svm"),
    n_splits: int = 10,
    test_size: float = 0.3,
    n_pairs: int | None = 40,
    n_labelled: int | None = None,
    draw_pairs: DrawPairs | None = None,
    questions: Any = None,
    strategy: str = "sort",
    mode: str | None = None,
    spread: bool | Mapping[str, Any] = False,
    alphas: Any = None,
    wrong: float = 0.0,
    grid: Mapping[str, Sequence[Any]] | None = None,
    reference: Any = None,
    supervision: Mapping[str, str] | None = None,
    sizes: ArrayLike | None = None,
    random_state: RandomState = 0,
    n_jobs: int | None = None,
    store: str | PathLike[str] | None = None,
    progress: Callable[[int, int], None] | None = None,
    on_line: Callable[[Comparison], None] | None = None,
    name: str = "data",
) -> Comparison:
    """Compare selectors on a data set: several classifiers, repeated random splits.

    Each selector ranks the features of the training rows; classifiers learn from the
    same rows with the best 1, 2, 3, ... features and are judged on the test rows. Test
    rows take part in nothing else: ranges for scaling, labels and pairs are those of
    training rows.

    Parameters
    ----------
    selectors : list of selectors, names or (name, selector), or dict
        What to compare: selectors of this package, also by their names in
        `pairsift.methods`, or of scikit-learn with `ranking_` or `scores_` after
        `fit`. They are cloned, never changed. Two more names are baselines:
        "random-order", the mean of three random orders of the features on each split,
        and "all-features", the accuracy with all features.
    X : array-like of shape (n_samples, n_features)
        Data; numbers are scaled to [0, 1] by the training rows. A data frame may hold
        text, and values may be missing, see Notes.
    y : array-like of shape (n_samples,)
        Class of each row, as numbers or text; each class has at least two rows.
    classifiers : list or dict, default=("1nn", "svm")
        Names, classifiers or (name, classifier) pairs, each as `accuracy_curve` takes
        it.
    n_splits : int, default=10
        Number of random splits, stratified by class. More splits later continue a
        stored comparison of fewer.
    test_size : float, default=0.3
        Part of the rows that is tested, above 0 and below 1.
    n_pairs : int or None, default=40
        Number of pairs of training rows that selectors of pairs learn from: half
        are cannot-links, half must-links, the same for all of them on a split. None
        gives them the labels.
    n_labelled : int, optional
        Number of training rows whose labels are known, to selectors and to
        classifiers; pairs are drawn among them. All by default.
    draw_pairs : callable, optional
        Called as ``draw_pairs(X_train, y_train, n_pairs, rng)`` to choose the pairs in
        another way, with class numbers in `y_train` (-1 where unlabelled); returns
        `PairConstraints`.
    questions : int, "all" or list of these, optional
        Number of questions about training rows; selectors learn from the answers, in
        place of labels and of `n_pairs` pairs. 0 asks nothing and "all" gives all
        labels, see Notes. Of a list, each number makes a line for each selector.
    strategy : str, default="sort"
        What is asked about, see `ActiveSession`.
    mode : {"cards", "pairs"}, default=None
        The kind of question, see `choose_features`.
    spread : bool or dict, default=False
        Whether answers are spread to the rows around them, see `choose_features`.
    alphas : list of float, optional
        How much a row takes from its neighbours when answers are spread, the `alpha` of
        `propagate`; each makes a line for each selector. Goes with `spread`.
    wrong : float, default=0.0
        Share of wrong answers, see `pairsift.active.Person`.
    grid : dict, optional
        Values of parameters, such as ``{"relieff__n_neighbors": [1, 5, 10]}`` for the
        selector of the name "relieff"; each combination makes a line.
    reference : selector, name or ranking, optional
        Ranking whose agreement with the others is measured (`ranking_precision`,
        `ranking_distance`): all features, best first, or a selector that ranks them
        from all labels of the training rows of each split, such as "fisher".
    supervision : dict, optional
        What a selector of this name learns from, "labels", "pairs" or "nothing", in
        place of what its line in the catalogue says.
    sizes : array-like of int, optional
        Numbers of best features to measure. By default all of up to 60 features, and
        60 numbers at equal ratios of more.
    random_state : int, Generator, RandomState or None, default=0
        Seed of splits, labels, pairs and of all that is random in selectors and
        classifiers without a `random_state` of their own.
    n_jobs : int, optional
        Number of processes, -1 for one per core; None for 1, whose selectors may use
        all cores, or what `joblib.parallel_config` says. Results are the same for any
        number.
    store : str or path, optional
        Folder in which each finished cell (a selector on a split) is kept at once and
        from which it is read when the same comparison is run again.
    progress : callable, optional
        Called as ``progress(n_done, n_cells)`` at the start and after each cell.
    on_line : callable, optional
        Called with a `Comparison` of each line (a selector, and what it learned from)
        as soon as its runs on all splits are finished.
    name : str, default="data"
        Name of the data set in the tables.

    Returns
    -------
    Comparison
        Every run (`table`), and what they amount to (`summary`, `curves`, `sweep`,
        `duels`, `verdicts`).

    Raises
    ------
    DataError
        If the arguments do not fit each other; it is a `ValueError`.
    StorageError
        If `store` holds another comparison: other data or other settings.

    See Also
    --------
    accuracy_curve : One ranking, one split.
    critical_difference : Compares over several data sets.
    stability : How much selections of several runs agree.

    Notes
    -----
    **Who knows what.** The column `supervision` says it. Selectors of labels get all
    training labels, or `n_labelled` of them; constrained ones get pairs; unsupervised
    ones get nothing. A method that uses cannot-links only has half of the pairs:
    the price, pairs that a person was asked about, is equal, and `n_used` tells how
    many were of use. Classifiers know all labels that are known, so that only the
    ranking differs.

    **Questions.** Training labels play the person. All selectors meet the same answers
    in a split: selectors of classes learn from the piles, selectors of pairs from the
    pairs; if pairs are spread, all selectors of this package learn from these.
    Classifiers have all training labels. `n_answers` is the number of answers given,
    smaller than that of questions when all rows are sorted before. The two ends that
    questions lie between are in the same table with ``questions=[0, 30, "all"]``: all
    labels, and no question, where the clusters of a k-means (k = 4) stand for classes.
    `SemiMRMR` on these is mRMR by correlation on k-means classes, the strongest
    ranking found that needs no answer.

    **Sweeps.** Lists of `questions`, `alphas` and values of a `grid` make a line each,
    in all combinations; `Comparison.sweep` has the mean accuracy against one of them,
    and :func:`pairsift.plotting.plot_sweep` draws it.

    The published framework [1]_ is ``compare([ReliefFSc(), FCRSC()], X, y,
    questions=20, strategy="eigenvector", spread=True)``.

    **Text and missing values.** A selector that takes them gets them. For the others,
    and for classifiers, a missing value is filled with the mean of the training rows
    (with their most frequent text, for a selector that takes text but no missing
    values), and text becomes one column per value, two values at distance 1; such a
    feature ranks as the best of its columns. `Comparison.notes` says for whom.

    **Fair comparisons.** All selectors meet the same splits and pairs, so compare
    split by split (`Comparison.duels`), and by the mean accuracy over the first half of
    the ranking rather than by the best point, which one lucky size decides.

    **Failures.** A selector that raises on a split is recorded in `failures` and does
    not end the comparison. Failures are not kept in `store`: they are tried again.

    The time is that of `fit` alone, and takes in compiling on a first run; `summary`
    has the least. With `n_jobs` above 1 every selector keeps to one core.

    References
    ----------
    .. [1] S. Hijazi, "Semi-supervised margin-based feature selection for
       classification", PhD thesis, Université du Littoral Côte d'Opale and
       Lebanese University, 2019, HAL tel-02489733, chapter 4.

    Examples
    --------
    >>> from pairsift import FisherScore, ReliefFSc, VarianceScore
    >>> from pairsift.evaluation import compare
    >>> from sklearn.datasets import load_wine
    >>> X, y = load_wine(return_X_y=True)
    >>> selectors = [FisherScore(), ReliefFSc(), VarianceScore()]
    >>> result = compare(selectors, X, y, classifiers=["1nn"], n_splits=5)
    >>> summary = result.summary().set_index("selector")
    >>> summary[["supervision", "n_used", "mean_accuracy"]].round(3)
                   supervision  n_used  mean_accuracy
    selector
    fisher-score    all labels   124.0          0.890
    relieff-sc        40 pairs    20.0          0.868
    variance-score     nothing     0.0          0.822
    """
    matrix, is_text, names = read_table(X)
    codes = _check_classes(y, len(matrix))
    asking = _asking(questions, strategy, mode, spread, wrong, n_labelled, draw_pairs)
    named = over_grid(as_entries(selectors, supervision), grid)
    entries = variants(named, questions, as_alphas(alphas, questions, asking))
    plan = Plan(
        data=str(name),
        X=matrix,
        is_text=is_text,
        names=names,
        codes=codes,
        classifiers=as_classifiers(classifiers),
        sizes=_sizes(sizes, matrix.shape[1]),
        test_size=_check_test_size(test_size),
        n_pairs=None if n_pairs is None else _whole(n_pairs, "n_pairs", 1),
        n_labelled=n_labelled,
        draw_pairs=draw_pairs,
        seed=_seed(random_state, is_stored=store is not None),
        asking=asking,
        wrong=float(wrong),
        reference=as_reference(reference, names),
    )
    splits = range(_whole(n_splits, "n_splits", 1))
    n_jobs = _check_jobs(n_jobs)
    # Refused here once, and not in every cell.
    for split in splits:
        train, _ = split_rows(plan, split)
    _check_labelled(n_labelled, codes[train])
    kept = None if store is None else CellStore(Path(store), plan.settings())
    # All splits of a line before the next line, so that lines are finished early.
    todo = [(entry, split) for entry in entries for split in splits]
    found = _outcomes(plan, todo, n_jobs, kept, progress, on_line)
    return _comparison(plan, [found[e.label, s] for e in entries for s in splits])


def _comparison(plan: Plan, outcomes: list[Cell | Failure]) -> Comparison:
    return Comparison(
        tuple(cell for cell in outcomes if isinstance(cell, Cell)),
        tuple(failure for failure in outcomes if isinstance(failure, Failure)),
        {plan.data: plan.names},
    )


def _outcomes(
    plan: Plan,
    todo: list[tuple[Entry, int]],
    n_jobs: int,
    kept: CellStore | None,
    progress: Callable[[int, int], None] | None,
    on_line: Callable[[Comparison], None] | None,
) -> dict[tuple[str, int], Cell | Failure]:
    """Return the outcome of each cell: stored, or run now."""
    n_cells, splits = len(todo), {split for _, split in todo}
    progress = progress or (lambda *_: None)
    found: dict[tuple[str, int], Cell | Failure] = {}
    if kept is not None:
        for entry, split in todo:
            cell = kept.load(entry, split)
            if cell is not None:
                found[entry.label, split] = cell
    todo = [(e, split) for e, split in todo if (e.label, split) not in found]
    progress(len(found), n_cells)
    for outcome in _run(plan, todo, n_jobs, kept):
        found[outcome.selector, outcome.split] = outcome
        progress(len(found), n_cells)
        keys = [(outcome.selector, split) for split in sorted(splits)]
        if on_line is not None and all(key in found for key in keys):
            on_line(_comparison(plan, [found[key] for key in keys]))
    return found


def _run(
    plan: Plan, todo: list[tuple[Entry, int]], n_jobs: int, kept: CellStore | None
) -> Iterator[Cell | Failure]:
    """Run cells, side by side if there is more than one job, as they are finished."""
    is_parallel = n_jobs != 1 and len(todo) > 1
    plan = replace(plan, is_parallel=is_parallel)
    # Lines that wait for no answers come first: questions may take long.
    waiting = [cell for cell in todo if isinstance(cell[0].questions, int)]
    others = [cell for cell in todo if not isinstance(cell[0].questions, int)]
    for cells in (others, waiting):
        # All selectors of a split share its answers.
        answers_of = _answers(plan, _numbers_asked(cells), n_jobs)
        runs = [
            (plan, entry, split, answers_of[split].get(entry.answers), kept)
            for entry, split in cells
        ]
        if is_parallel:
            parallel = Parallel(n_jobs=n_jobs, return_as="generator_unordered")
            yield from parallel(
                delayed(_in_worker)(os.getpid(), _run_and_keep, *run) for run in runs
            )
        else:
            yield from (_run_and_keep(*run) for run in runs)


def _answers(
    plan: Plan, numbers: dict[int, set[Asked]], n_jobs: int
) -> dict[int, Answers]:
    """Ask the questions of each split."""
    if not plan.is_parallel or not any(numbers.values()):
        return {split: ask(plan, split, asked) for split, asked in numbers.items()}
    found = Parallel(n_jobs=n_jobs)(
        delayed(_in_worker)(os.getpid(), ask, plan, split, asked)
        for split, asked in numbers.items()
    )
    return dict(zip(numbers, found, strict=True))


def _numbers_asked(todo: list[tuple[Entry, int]]) -> dict[int, set[Asked]]:
    """Return the answers that the cells of each split wait for."""
    numbers: dict[int, set[Asked]] = {}
    for entry, split in todo:
        asked = numbers.setdefault(split, set())
        if isinstance(entry.questions, int):
            asked.add((entry.questions, entry.alpha))
    return numbers


def _run_and_keep(
    plan: Plan,
    entry: Entry,
    split: int,
    answers: Evidence | Exception | None,
    kept: CellStore | None,
) -> Cell | Failure:
    # Save in the worker, so that results survive if the parent is killed.
    outcome = run_cell(plan, entry, split, answers)
    if kept is not None and isinstance(outcome, Cell):
        kept.save(entry, outcome)
    return outcome


def _in_worker(caller: int, work: Callable[..., Any], *arguments: Any) -> Any:
    """Work where joblib has sent it, which may be the process of the caller, too.

    Ctrl-C reaches all processes: others leave it to the caller, without a traceback.
    """
    is_main = threading.current_thread() is threading.main_thread()
    if os.getpid() != caller and is_main:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    return work(*arguments)


def _asking(
    questions: Any,
    strategy: str,
    mode: str | None,
    spread: bool | Mapping[str, Any],
    wrong: float,
    n_labelled: int | None,
    draw_pairs: DrawPairs | None,
) -> Asking:
    """Return how questions are asked, or an error about what does not fit."""
    if questions is None:
        refuse_without_questions(
            {
                "strategy": (strategy, "sort"),
                "mode": (mode, None),
                "spread": (spread, False),
                "wrong": (wrong, 0.0),
            }
        )
    else:
        refuse_with_questions(n_labelled=n_labelled, draw_pairs=draw_pairs)
    return as_asking(strategy, mode, spread, wrong)


def _check_classes(y: ArrayLike, n_rows: int) -> IndexArray:
    labels = as_labels(y, "y", n_rows, "X")
    try:
        codes, classes = encode_labels(labels)
    except ValueError as error:
        raise DataError(str(error)) from error
    n_unlabelled = np.count_nonzero(codes < 0)
    if n_unlabelled:
        raise DataError(
            f"y must hold a class for each row, but {n_unlabelled} hold -1 or empty "
            "text, which mean unlabelled: leave these rows out, or write another "
            "number if -1 is a class."
        )
    if classes.size < 2:
        raise DataError(f"y must hold at least two classes, got {classes.size}.")
    counts = np.bincount(codes)
    if counts.min() < 2:
        raise DataError(
            "y must hold at least two rows of each class, to train and to test, but "
            f"class {classes[counts.argmin()]} has one."
        )
    return codes


def _check_labelled(n_labelled: Any, codes: IndexArray) -> None:
    if n_labelled is None:
        return
    n_classes = np.unique(codes).size
    is_whole = isinstance(n_labelled, Integral) and not isinstance(n_labelled, bool)
    if not is_whole or not n_classes <= n_labelled <= codes.size:
        raise DataError(
            f"n_labelled must be a whole number from {n_classes}, one row per class, "
            f"to {codes.size}, the training rows, got {n_labelled!r}."
        )


def _check_test_size(test_size: Any) -> float:
    if not isinstance(test_size, Real) or not 0 < float(test_size) < 1:
        raise DataError(f"test_size must be above 0 and below 1, got {test_size!r}.")
    return float(test_size)


def _whole(value: Any, name: str, least: int) -> int:
    is_whole = isinstance(value, Integral) and not isinstance(value, bool)
    if not is_whole or value < least:
        raise DataError(
            f"{name} must be a whole number of at least {least}, got {value!r}."
        )
    return int(value)


def _check_jobs(n_jobs: Any) -> int:
    if n_jobs is None:
        return effective_n_jobs(None)
    if not isinstance(n_jobs, Integral) or isinstance(n_jobs, bool) or n_jobs == 0:
        raise DataError(
            "n_jobs must be a number of processes, -1 for one per core, or None, got "
            f"{n_jobs!r}."
        )
    return int(n_jobs)


def _sizes(sizes: ArrayLike | None, n_features: int) -> IndexArray:
    if sizes is None:
        return default_sizes(n_features)
    return _check_sizes(sizes, n_features)


def _seed(random_state: RandomState, *, is_stored: bool) -> int:
    """Return a seed; one that can be given again if results are to be stored."""
    generator = as_generator(random_state)
    if isinstance(random_state, Integral):
        return int(random_state)
    if is_stored:
        raise DataError(
            "store needs a random_state that can be given again, a whole number, got "
            f"{random_state!r}."
        )
    return int(generator.integers(2**31))
