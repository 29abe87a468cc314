"""The labelling loop: ask for a couple, tell the answer, take it back."""

from __future__ import annotations

import functools
import os
import sqlite3
import threading
import warnings
from collections.abc import Callable, Iterable
from pathlib import Path
from types import TracebackType
from typing import Any, Concatenate, NamedTuple, ParamSpec, Self, TypeVar

import numpy as np

from pairsift._checks import check_at_least, check_choice
from pairsift._typing import FloatArray, PairArray
from pairsift.active._data import as_rows
from pairsift.active._storage import Event, SessionFile
from pairsift.active._strategies import (
    Eigenvalue,
    Eigenvector,
    MultiEigenvector,
    RandomCouples,
    SpectralCouples,
    Strategy,
)
from pairsift.active._uncertainty import Uncertainty
from pairsift.constraints import Conflict, PairConstraints
from pairsift.constraints._closure import find_conflicts
from pairsift.exceptions import ConstraintError, StorageError

ANSWERS = ("same", "different", "unsure")
STRATEGIES: dict[str, type[Strategy]] = {
    "eigenvector": Eigenvector,
    "random": RandomCouples,
    "multi-eigenvector": MultiEigenvector,
    "eigenvalue": Eigenvalue,
    "uncertainty": Uncertainty,
}
GRAPHS = ("auto", "full", "knn")
Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


class Answer(NamedTuple):
    """A couple in the order it was asked, and what was said of it.

    Parameters
    ----------
    first, second : int
        Rows of the data.
    answer : {"same", "different", "unsure"}
        What was said.
    """

    first: int
    second: int
    answer: str


def as_constraints(answers: Iterable[Answer], n_samples: int) -> PairConstraints:
    """Return the pairs of some answers, the unsure left out; the last word stands."""
    said = {(min(a[:2]), max(a[:2])): a.answer for a in answers}
    return PairConstraints(
        [pair for pair, answer in said.items() if answer == "same"],
        [pair for pair, answer in said.items() if answer == "different"],
        n_samples=n_samples,
    )


def _pairs(answers: Iterable[Answer], kind: str) -> PairArray:
    pairs = sorted({(min(a[:2]), max(a[:2])) for a in answers if a.answer == kind})
    return np.array(pairs, dtype=np.int64).reshape(-1, 2)


def _alone(
    method: Callable[Concatenate[ActiveSession, Arguments], Result],
) -> Callable[Concatenate[ActiveSession, Arguments], Result]:
    """Let one thread at a time into the methods of a session."""

    @functools.wraps(method)
    def wrapper(
        self: ActiveSession, /, *args: Arguments.args, **kwargs: Arguments.kwargs
    ) -> Result:
        # A forked child has none of the threads that may hold the lock.
        if os.getpid() != self._process:
            self._lock, self._process = threading.RLock(), os.getpid()
        with self._lock:
            return method(self, *args, **kwargs)

    return wrapper


class ActiveSession:
    r"""Ask a person for the couples that matter most.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Numbers, or a data frame that may have text columns; NaN or None where a value
        is missing.
    strategy : str, default="eigenvector"
        "eigenvector" (the published one), "uncertainty", "random",
        "multi-eigenvector" or "eigenvalue", see Notes.
    graph : {"auto", "full", "knn"}, default="auto"
        Whether similarities join all rows (published), only nearest neighbours, or
        all up to 3,000 rows and nearest neighbours beyond.
    n_neighbors : int, default=7
        The neighbour whose distance is the scale of a row's similarities, and the
        number of neighbours of the k-nearest graph.
    random_state : int, default=0
        Seed of the strategies "random" and "uncertainty".
    n_jobs : int, default=None
        Number of threads, None for all cores.
    categorical_features : "auto" or array-like, default="auto"
        Mask, positions or names of the categorical features. "auto" takes the
        columns of text, categories and truth values of a data frame.
    copy : bool, default=True
        Whether the session keeps a copy of an array. Without one, the array must not
        be changed while people answer.

    Attributes
    ----------
    embedding_ : ndarray of shape (n_samples,)
        The second eigenvector of the graph Laplacian after the answers so far.
    uncertain_ : int
        The row nearest to zero on it.

    See Also
    --------
    select_constraints : The whole loop, with an oracle that is no person.
    propagate : Spread the answers to the neighbourhood.

    Notes
    -----
    With the Laplacian :math:`L = D - S` of self-tuning similarities (scale: distance to
    the 7th neighbour), :math:`v_2` its second eigenvector and :math:`i^*` the row
    nearest to zero on it, ``"eigenvector"`` asks for the couple (n, m) that maximises

    .. math::
        \left| \frac{d v_2(i^*)}{d s_{nm}} \right| =
        \left| \sum_{p>2} \frac{v_p(i^*)}{\lambda_2 - \lambda_p}
        (v_2(n) - v_2(m)) (v_p(n) - v_p(m)) \right|

    (equation 4.7 of [1]_), over all couples not asked yet. An answer sets
    :math:`s_{nm}` to 1 or 0. Departures from algorithm 4.1: no couple is asked twice,
    eigenvalues equal to the second (to 1e-12 of the largest) are left out of the sum,
    ties go to the lowest rows, and components that no edge joins are joined by their
    nearest rows. Where the second eigenvalue is repeated the eigenvector is arbitrary;
    with more than 400 rows it then depends on the questions before, also after an
    undo or a load. ``"eigenvalue"`` maximises the derivative of :math:`\lambda_2`,
    ``"multi-eigenvector"`` asks for the partner that moves the most uncertain row most
    on all eigenvectors before the largest gap of the eigenvalues.

    ``"uncertainty"``, which is not in the papers, has no graph: after eight couples of
    rows from different regions it asks for the couple whose probability of "same" by a
    :class:`PairLogistic` of the answers so far is nearest one half, among 2,000 random
    couples not asked yet; each use of a row adds 0.01 to that distance.

    References
    ----------
    .. [1] S. Hijazi, "Semi-supervised margin-based feature selection for
       classification", PhD thesis, Université du Littoral Côte d'Opale, 2019,
       chapter 4.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.preprocessing import minmax_scale
    >>> from pairsift import ActiveSession
    >>> X, y = load_wine(return_X_y=True)
    >>> session = ActiveSession(minmax_scale(X))
    >>> for _ in range(5):
    ...     i, j = session.ask()
    ...     session.tell(i, j, "same" if y[i] == y[j] else "different")
    >>> session.constraints
    PairConstraints(0 must-link, 5 cannot-link, n_samples=178)
    """

    def __init__(
        self,
        X: Any,
        *,
        strategy: str = "eigenvector",
        graph: str = "auto",
        n_neighbors: int = 7,
        random_state: int = 0,
        n_jobs: int | None = None,
        categorical_features: Any = "auto",
        copy: bool = True,
    ) -> None:
        check_choice(strategy, "strategy", STRATEGIES)
        check_choice(graph, "graph", GRAPHS)
        check_at_least(n_neighbors, "n_neighbors", 1)
        check_at_least(random_state, "random_state", 0)
        self._X, self._is_categorical = as_rows(X, categorical_features, copy=copy)
        self._settings: dict[str, Any] = {
            "strategy": strategy,
            "graph": graph,
            "n_neighbors": int(n_neighbors),
            "random_state": int(random_state),
            "categorical_features": np.flatnonzero(self._is_categorical).tolist(),
        }
        self._n_jobs = n_jobs
        self._answers: list[Answer] = []
        self._journal: list[Event] = []
        self._asked: tuple[int, int] | None = None
        self._strategy: Strategy | None = None
        self._file: SessionFile | None = None
        self._is_closed = False
        self._lock, self._process = threading.RLock(), os.getpid()

    @property
    def n_samples(self) -> int:
        """Number of rows."""
        return len(self._X)

    @property
    def X(self) -> FloatArray:
        """The data as numbers, NaN where a value is missing; not to be changed."""
        return self._X

    @property
    def settings(self) -> dict[str, Any]:
        """The parameters that choose the couples."""
        return dict(self._settings)

    @property
    @_alone
    def history(self) -> list[Answer]:
        """The answers that stand, in the order given; couples as they were asked."""
        return list(self._answers)

    @property
    @_alone
    def constraints(self) -> PairConstraints:
        """What has been answered so far, the unsure left out."""
        return as_constraints(self._answers, self.n_samples)

    @property
    @_alone
    def conflicts(self) -> list[Conflict]:
        """Contradictions among the answers, each with the chain that causes it."""
        said = (_pairs(self._answers, kind) for kind in ("same", "different"))
        return find_conflicts(*said)

    @property
    @_alone
    def embedding_(self) -> FloatArray:
        """The second eigenvector after the answers so far."""
        return self._spectral().embedding

    @property
    @_alone
    def uncertain_(self) -> int:
        """The row nearest to zero on the second eigenvector."""
        return self._spectral().uncertain

    @_alone
    def ask(self) -> tuple[int, int]:
        """Return the couple whose answer matters most.

        Asked again without an answer in between, it returns the same couple.

        Returns
        -------
        i, j : int
            Rows of `X`; the most uncertain row first when it is one of them.

        Raises
        ------
        ConstraintError
            If every couple has been asked.
        """
        if self._asked is None:
            i, j = self._chooser().next_couple(self._couples())
            if i < 0:
                raise ConstraintError(
                    f"all {self.n_samples * (self.n_samples - 1) // 2} couples of X "
                    "have been asked."
                )
            self._asked = i, j
        return self._asked

    @_alone
    def tell(self, i: int, j: int, answer: str) -> None:
        """Answer for a couple, the one asked or any other.

        When the session has a file, the answer is on disk when this returns.

        Parameters
        ----------
        i, j : int
            Rows of `X`.
        answer : {"same", "different", "unsure"}
            Whether they belong together. A couple of which somebody was unsure is not
            asked again.

        Raises
        ------
        ConstraintError
            If there is no such couple, or it has an answer already.
        """
        check_choice(answer, "answer", ANSWERS)
        i, j = self._checked_couple(i, j)
        self._record(Event(answer, i, j))

    @_alone
    def undo(self) -> Answer:
        """Take the last answer back; its couple may be asked again.

        Returns
        -------
        answer : Answer
            What was taken back; the journal on disk keeps it.

        Raises
        ------
        ConstraintError
            If there is no answer.
        """
        if not self._answers:
            raise ConstraintError("there is no answer to take back.")
        last = self._answers[-1]
        self._record(Event("undo", None, None))
        return last

    @_alone
    def revise(self, i: int, j: int, answer: str) -> None:
        """Answer a pair again, however long ago it was answered.

        The new answer is then the last one: :meth:`undo` takes it back. The journal on
        disk keeps both.

        Parameters
        ----------
        i, j : int
            Rows of `X`.
        answer : {"same", "different", "unsure"}
            What is said now.

        Raises
        ------
        ConstraintError
            If the pair has no answer yet.
        """
        check_choice(answer, "answer", ANSWERS)
        said = [{a.first, a.second} for a in self._answers]
        if {i, j} not in said:
            raise ConstraintError(f"pair ({i}, {j}) has no answer yet: tell it.")
        place = said.index({i, j})
        # The journal has no word for it and needs none: back to the old answer, then
        # all later ones again, then the new one.
        old, *later = self._answers[place:]
        undone = [Event("undo", None, None)] * (1 + len(later))
        told = [
            Event(a.answer, a.first, a.second)
            for a in later
            if {a.first, a.second} != {i, j}
        ]
        self._record(*undone, *told, Event(answer, old.first, old.second))

    @_alone
    def save(self, path: str | Path) -> None:
        """Write the session to a new file, and every further answer at once.

        Parameters
        ----------
        path : str or Path
            A file that does not exist yet. It holds the data, too.
        """
        file = SessionFile.create(Path(path), self._X, self._settings, self._journal)
        self.close()
        self._file, self._is_closed = file, False

    @classmethod
    def load(cls, path: str | Path, *, n_jobs: int | None = None) -> Self:
        """Open a saved session where it stopped.

        Parameters
        ----------
        path : str or Path
            A file written by :meth:`save`.
        n_jobs : int, default=None
            Number of threads for building the graph, None for all cores.

        Returns
        -------
        session : ActiveSession
            Bound to the file: further answers are written at once.
        """
        file = SessionFile.open(Path(path))
        try:
            settings = file.read_settings()
            session = cls(file.read_data(), **settings, n_jobs=n_jobs, copy=False)
            for event in file.read_events():
                session._record(event)
            PairConstraints(session._couples(), n_samples=session.n_samples)
        except (sqlite3.Error, LookupError, TypeError, ValueError) as error:
            file.close()
            raise StorageError(f"{path} is damaged: {error}.") from error
        except BaseException:
            file.close()
            raise
        session._file = file
        session._warn_of_both_answers(path)
        return session

    @_alone
    def close(self) -> None:
        """Close the file of the session, if it has one; it takes no more answers."""
        if self._file is not None:
            self._file.close()
            self._file, self._is_closed = None, True

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    @_alone
    def __getstate__(self) -> dict[str, Any]:
        # The file stays with the original: two sessions must not write to it.
        is_closed = self._is_closed or self._file is not None
        state = self.__dict__ | {"_file": None, "_is_closed": is_closed}
        return {name: value for name, value in state.items() if name != "_lock"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._lock, self._process = threading.RLock(), os.getpid()

    @_alone
    def __repr__(self) -> str:
        counts = [sum(a.answer == kind for a in self._answers) for kind in ANSWERS]
        said = ", ".join(
            f"{count} {kind}" for count, kind in zip(counts, ANSWERS, strict=True)
        )
        strategy = self._settings["strategy"]
        return f"ActiveSession({self.n_samples} rows, strategy={strategy!r}, {said})"

    def _record(self, *events: Event) -> None:
        """Write events down, all or none, then act on them."""
        if self._is_closed:
            raise StorageError(
                "the session is closed: load it again to go on, or save it anew."
            )
        if self._file is not None:
            self._file.append(*events)
        self._journal.extend(events)
        self._asked = None
        for event in events:
            self._act_on(event)

    def _act_on(self, event: Event) -> None:
        if event.first is None or event.second is None:
            answer = self._answers.pop()
            if self._strategy is not None:
                self._strategy.take_back(*answer)
        else:
            answer = Answer(event.first, event.second, event.kind)
            self._answers.append(answer)
            if self._strategy is not None:
                self._strategy.take(*answer)

    def _warn_of_both_answers(self, path: str | Path) -> None:
        both = [c.cannot_link for c in self.conflicts if len(c.chain) == 2]
        if both:
            warnings.warn(
                f"{path} holds two answers for {', '.join(map(str, both))}: the later "
                "one stands, session.conflicts shows them.",
                stacklevel=3,
            )

    def _couples(self) -> PairArray:
        couples = [sorted((a.first, a.second)) for a in self._answers]
        return np.array(couples, dtype=np.int64).reshape(-1, 2)

    def _checked_couple(self, i: int, j: int) -> tuple[int, int]:
        # PairConstraints knows what a couple has to be, and says so.
        PairConstraints([(i, j)], n_samples=self.n_samples)
        for given in self._answers:
            if {given.first, given.second} == {i, j}:
                raise ConstraintError(
                    f"couple ({i}, {j}) was answered already: {given.answer!r}; take "
                    "it back with undo() first."
                )
        return int(i), int(j)

    def _chooser(self) -> Strategy:
        """Return the strategy, built when it is first needed."""
        if self._strategy is None:
            settings = dict(self._settings)
            strategy = STRATEGIES[settings.pop("strategy")]
            self._strategy = strategy(
                self._X, self._is_categorical, n_jobs=self._n_jobs, **settings
            )
            for answer in self._answers:
                self._strategy.take(*answer)
        return self._strategy

    def _spectral(self) -> SpectralCouples:
        chooser = self._chooser()
        if not isinstance(chooser, SpectralCouples):
            raise AttributeError(
                f"strategy={self._settings['strategy']!r} has no embedding."
            )
        return chooser
