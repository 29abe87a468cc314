"""The labelling loop: ask for a pair or a card, take the answer, take it back."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import numpy as np

from pairsift._blocks import Blocks
from pairsift._checks import check_at_least, check_choice
from pairsift._typing import FloatArray
from pairsift._warnings import warn_caller
from pairsift._words import html_table, listing
from pairsift.active._answers import (
    ANSWERS,
    Answer,
    Event,
    Note,
    PileChange,
    Placement,
    as_pair,
    as_row,
    check_event,
    check_note,
    warn_of_two_answers,
)
from pairsift.active._arranging import ArrangedSession
from pairsift.active._data import FetchedRows, as_rows
from pairsift.active._questions import STRATEGIES
from pairsift.active._sorting import Card
from pairsift.active._storage import SessionFile
from pairsift.active._stored import Stored
from pairsift.active._threads import alone
from pairsift.exceptions import ConstraintError, StorageError

# What a file that no session wrote leads to.
DAMAGE = (LookupError, TypeError, ValueError, ArithmeticError, RecursionError)
GRAPHS = ("auto", "full", "knn")
# Strategies for data in blocks: they look at a draw of rows, or at none.
BLOCK_STRATEGIES = ("sort", "random")


class ActiveSession(ArrangedSession):
    r"""Let a person sort rows, by cards or by pairs, and keep every answer.

    A card is a row to be placed on one of the piles so far, or on a new one. A pair is
    two rows that are the same or different. Both may be asked in one session.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Numbers, or a data frame that may have text columns; NaN or None where a value
        is missing.
    strategy : str, default="sort"
        Which pairs to ask about: "sort", "eigenvector" (the published one),
        "uncertainty", "random", "multi-eigenvector" or "eigenvalue", see Notes. Cards
        are those of "sort" with any strategy.
    graph : {"auto", "full", "knn"}, default="auto"
        Whether similarities join all rows (published), only nearest neighbours, or
        all up to 3,000 rows and nearest neighbours beyond.
    n_neighbors : int, default=7
        The neighbour whose distance is the scale of a row's similarities, and the
        number of neighbours of the k-nearest graph.
    random_state : int, default=0
        Seed of "sort", "random" and "uncertainty".
    n_jobs : int or None, default=-1
        Number of threads: -1 for all cores, None as in joblib.
    categorical_features : "auto" or array-like, default="auto"
        Mask, positions or names of the categorical features. "auto" takes the
        columns of text, categories and truth values of a data frame.
    sample_ids : iterable, default=None
        Ids of the rows, which a saved session keeps to know its rows again.
    copy : bool, default=True
        Whether the session keeps a copy of an array. Without one, the array must not
        be changed while people answer.

    Attributes
    ----------
    n_drawn_ : int
        Number of rows among which the first ones to sort were sought, all if there are
        few.
    embedding_ : ndarray of shape (n_samples,)
        The second eigenvector of the graph Laplacian after the answers so far, for the
        strategies that have one.
    uncertain_ : int
        The row nearest to zero on it.
    suggested_questions_ : int
        Number of rows near zero on it, at most a tenth of the root mean square: the
        least number of questions, by the rule of [1]_.

    See Also
    --------
    SemiMRMR : Ranks features from :attr:`labels`.
    select_constraints : The whole loop, with an oracle that is no person.
    propagate : Spread the answers to the neighbourhood.

    Notes
    -----
    ``"sort"``, which is not in the papers, takes rows in this order: the medoids of
    k-means with 40 clusters (half the rows if there are fewer) on columns scaled by
    their range, largest cluster first; then those of 80, 160 and 320 clusters that have
    no row yet; then the others. With many rows, clusters are sought among 4,000 of
    them, or fewer if there are many columns. A pair compares the next row with the
    nearest row of the likeliest pile, then of the next one, until "same"; after
    "different" from all piles it is a new pile, and after "unsure" the next row
    follows. Piles are ordered by the distance to their nearest row:
    :math:`\sum_f w_f \Delta_f`, with the differences :math:`\Delta` of the Relief
    family (a missing value differs by the mean difference of its column) and
    :math:`w_f` the probability that two rows of different piles differ more in f than
    two rows of one pile, as far as the answers tell.

    With the Laplacian :math:`L = D - S` of self-tuning similarities (scale: distance to
    the 7th neighbour), :math:`v_2` its second eigenvector and :math:`i^*` the row
    nearest to zero on it, ``"eigenvector"`` asks for the pair (n, m) that maximises

    .. math::
        \left| \frac{d v_2(i^*)}{d s_{nm}} \right| =
        \left| \sum_{p>2} \frac{v_p(i^*)}{\lambda_2 - \lambda_p}
        (v_2(n) - v_2(m)) (v_p(n) - v_p(m)) \right|

    (equation 4.7 of [1]_), over all pairs not asked yet. An answer sets
    :math:`s_{nm}` to 1 or 0. Numbers are taken as given, so scale them to [0, 1] where
    units differ; beside categorical columns they are divided by their range. A missing
    value is the mean of its column. Departures from algorithm 4.1: no pair is asked
    twice, eigenvalues equal to the second (to 1e-12 of the largest) are left out of the
    sum, ties go to the lowest rows, and components that no edge joins are joined by
    their nearest rows. Where the second eigenvalue is repeated the eigenvector is
    arbitrary; with more than 400 rows it then depends on the questions before, also
    after an undo or a load. ``"eigenvalue"`` maximises the derivative of
    :math:`\lambda_2`, ``"multi-eigenvector"`` asks for the partner that moves the most
    uncertain row most on all eigenvectors before the largest gap of the eigenvalues.

    ``"uncertainty"``, which is not in the papers, has no graph: after eight pairs of
    rows from different regions it asks for the pair whose probability of "same" by a
    :class:`PairLogistic` of the answers so far is nearest one half, among 2,000 random
    pairs not asked yet; each use of a row adds 0.01 to that distance.

    References
    ----------
    .. [1] S. Hijazi, "Semi-supervised margin-based feature selection for
       classification", PhD thesis, Université du Littoral Côte d'Opale and
       Lebanese University, 2019, HAL tel-02489733.

    Examples
    --------
    >>> from pairsift import ActiveSession
    >>> from sklearn.datasets import load_wine
    >>> X, y = load_wine(return_X_y=True)
    >>> session = ActiveSession(X)
    >>> for _ in range(12):
    ...     card = session.ask_card()
    ...     same = [pile for pile in card.piles if y[pile.shown] == y[card.row]]
    ...     session.place(card.row, same[0].number if same else "new")
    >>> [len(rows) for rows in session.piles]
    [4, 3, 5]
    >>> session.tell(*session.ask(), "unsure")
    >>> session
    ActiveSession(178 rows, strategy='sort', 0 same, 0 different, 1 unsure, 12 cards)
    """

    def __init__(
        self,
        X: Any,
        *,
        strategy: str = "sort",
        graph: str = "auto",
        n_neighbors: int = 7,
        random_state: int = 0,
        n_jobs: int | None = -1,
        categorical_features: Any = "auto",
        sample_ids: Iterable[Any] | None = None,
        copy: bool = True,
    ) -> None:
        check_choice(strategy, "strategy", STRATEGIES)
        check_choice(graph, "graph", GRAPHS)
        check_at_least(n_neighbors, "n_neighbors", 1)
        check_at_least(random_state, "random_state", 0)
        rows, is_categorical = as_rows(X, categorical_features, copy=copy)
        if isinstance(rows, FetchedRows) and strategy not in BLOCK_STRATEGIES:
            raise ValueError(
                f"strategy={strategy!r} compares all rows, which are in blocks here: "
                "take strategy='sort', or a session on a draw of rows in memory."
            )
        settings = {
            "strategy": strategy,
            "graph": graph,
            "n_neighbors": int(n_neighbors),
            "random_state": int(random_state),
            "categorical_features": np.flatnonzero(is_categorical).tolist(),
        }
        super().__init__(rows, is_categorical, settings, n_jobs)
        if hasattr(X, "columns"):
            self._feature_names = [str(name) for name in X.columns]
        if sample_ids is not None:
            self._sample_ids = [str(name) for name in sample_ids]
            if len(self._sample_ids) != len(rows):
                raise ValueError(
                    f"sample_ids must have one id per row of X, got "
                    f"{len(self._sample_ids)} for {len(rows)} rows."
                )

    @alone
    def ask(self) -> tuple[int, int]:
        """Return the next pair, two rows that may be the same or not.

        Asked again without an answer in between, it returns the same pair.

        Returns
        -------
        i, j : int
            Rows of `X`; first the row to sort, or the most uncertain one.

        Raises
        ------
        ConstraintError
            If nothing is left to ask.
        """
        if self._asked is None:
            self._asked = self._questions.next_pair(self._piles)
        return self._asked

    @alone
    def tell(
        self,
        i: int,
        j: int,
        answer: str,
        *,
        replace: bool = False,
        note: Note | None = None,
    ) -> None:
        """Answer for a pair, the one asked or any other.

        When the session has a file, the answer is on disk when this returns. An answer
        that contradicts others is taken, with a warning that shows the chain.

        Parameters
        ----------
        i, j : int
            Rows of `X`.
        answer : {"same", "different", "unsure"}
            Whether they belong together. After "unsure" the pair is not asked again.
        replace : bool, default=False
            Whether the answer takes the place of an earlier one on the pair.
        note : Note, default=None
            Who did it, and how long it took.

        Raises
        ------
        ConstraintError
            If there is no such pair, or it has an answer already.
        """
        check_choice(answer, "answer", ANSWERS)
        pair = as_pair(i, j, self.n_samples)
        event = Event(answer, *pair, replaces=replace, **check_note(note))
        self._journal.refuse_second(event)
        self._record_and_warn(event)

    @alone
    def ask_card(self, *, without: Collection[int] = ()) -> Card:
        """Return the next card, a row that belongs on a pile or is a new one.

        Asked again without an answer in between, it returns the same card.

        Parameters
        ----------
        without : collection of int, default=()
            Rows that are not to be asked about now, because others look at them.

        Returns
        -------
        card : Card
            A row, and the piles so far with the row nearest to it, likeliest first;
            none at the first card, which is "new".

        Raises
        ------
        ConstraintError
            If every row is sorted.
        """
        return self.card(self._questions.next_row(self._piles, without))

    @alone
    def place(
        self,
        row: int,
        pile: int | str,
        *,
        replace: bool = False,
        note: Note | None = None,
    ) -> None:
        """Place a card, the one asked or any other row.

        When the session has a file, the answer is on disk when this returns. An answer
        that contradicts others is taken, with a warning that shows the chain.

        Parameters
        ----------
        row : int
            Row of `X`.
        pile : int or {"new", "unsure"}
            The number of a pile, or that it is a new one. After "unsure" the row is not
            asked again.
        replace : bool, default=False
            Whether the answer takes the place of an earlier one on the card.
        note : Note, default=None
            Who did it, and how long it took.

        Raises
        ------
        ConstraintError
            If there is no such row or pile, or the card was placed already.
        """
        row = as_row(row, self.n_samples)
        event = Event("unsure", row, -1, (), replace, **check_note(note))
        self._journal.refuse_second(event)
        card = self.card(row)
        shown = {p.number: p.shown for p in card.piles}
        is_number = isinstance(pile, int | np.integer) and not isinstance(pile, bool)
        if not ((is_number and pile in shown) or pile in ("new", "unsure")):
            raise ConstraintError(
                f"there is no pile {pile!r} for row {row}: the piles are "
                f"{sorted(shown)}, or say 'new' or 'unsure'."
            )
        kind, match = ("same", shown[int(pile)]) if is_number else (str(pile), -1)
        rows = tuple(shown.values())
        self._record_and_warn(event._replace(kind=kind, second=match, shown=rows))

    @alone
    def undo(self, *, note: Note | None = None) -> Answer | Placement | PileChange:
        """Take the last answer back, again the one before; it may be asked again.

        Parameters
        ----------
        note : Note, default=None
            Who did it, and how long it took.

        Returns
        -------
        answer : Answer, Placement or PileChange
            What was taken back; the journal on disk keeps it.

        Raises
        ------
        ConstraintError
            If there is no answer.
        """
        if not self._journal.done:
            raise ConstraintError("there is no answer to take back.")
        last = self._piles.history[-1]
        self._record(Event("undo", **check_note(note)))
        return last

    @alone
    def redo(self, *, note: Note | None = None) -> Answer | Placement | PileChange:
        """Give the answer again that was taken back last.

        Parameters
        ----------
        note : Note, default=None
            Who did it, and how long it took.

        Returns
        -------
        answer : Answer, Placement or PileChange
            What stands again.

        Raises
        ------
        ConstraintError
            If none was taken back since the last new answer.
        """
        if not self._journal.undone:
            raise ConstraintError("there is no answer taken back to give again.")
        self._record(Event("redo", **check_note(note)))
        return self._piles.history[-1]

    @alone
    def save(self, path: str | Path) -> None:
        """Write the session to a new file, and every further answer at once.

        Parameters
        ----------
        path : str or Path
            A file that does not exist yet, which only its owner may read. It holds the
            data, too; of data in blocks it holds the rows of the draw.
        """
        is_whole = not isinstance(self._X, FetchedRows)
        stored = Stored(
            self._X if is_whole else self._X[self._questions.sorter.drawn],
            self._settings,
            self._journal.events,
            None if is_whole else self.n_samples,
            self._feature_names,
            self._sample_ids,
        )
        file = SessionFile.create(Path(path), stored)
        self.close()
        self._file, self._is_closed = file, False

    @classmethod
    def load(
        cls, path: str | Path, *, X: Blocks | None = None, n_jobs: int | None = -1
    ) -> Self:
        """Open a saved session where it stopped.

        Parameters
        ----------
        path : str or Path
            A file written by :meth:`save`.
        X : Blocks, default=None
            The data of a session on blocks: see
            :func:`pairsift.distributed.load_session`, which reads them.
        n_jobs : int or None, default=-1
            Number of threads for building the graph: -1 for all cores, None as in
            joblib.

        Returns
        -------
        session : ActiveSession
            Bound to the file: further answers are written at once. The session that
            was saved may still be open in this process; once one of the two has an
            answer more, the other takes none until it is loaded again.
        """
        file = SessionFile.open(Path(path))
        try:
            stored = file.read()
            _refuse_missing_blocks(path, stored.n_rows, X)
            data = stored.X if X is None else X
            session = cls(data, **stored.settings, n_jobs=n_jobs, copy=False)
            session._feature_names = stored.feature_names
            session._sample_ids = stored.sample_ids
            session._damaged = stored.damaged
            if X is not None:
                session._refuse_other_rows(path, stored.X)
            for event in stored.events:
                check_event(event, session.n_samples)
            session._take_all(stored.events)
        except DAMAGE as error:
            file.close()
            raise StorageError(f"{path} is damaged: {error}.") from error
        except BaseException:
            file.close()
            raise
        session._file = file
        if stored.complaints:
            warn_caller(
                f"{path} is damaged, {' and '.join(stored.complaints)}: compare it "
                "with a copy, or with the table."
            )
        warn_of_two_answers(session.conflicts, path)
        return session

    def _refuse_other_rows(self, path: str | Path, kept: FloatArray) -> None:
        """Compare rows of blocks with those of the file, which are drawn by number."""
        drawn = self._X[self._questions.sorter.drawn]
        are_known = np.ones(len(kept), dtype=bool)
        are_known[self._damaged] = False
        is_same = drawn.shape == kept.shape and np.array_equal(
            drawn[are_known], kept[are_known], equal_nan=True
        )
        if not is_same:
            raise StorageError(
                f"X is not what the session {path} began with: a draw of "
                f"{len(kept):,} rows has other values, give the data as they were."
            )

    @alone
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

    @alone
    def __getstate__(self) -> dict[str, Any]:
        # Plain values, from which all else follows: files do not name private classes.
        # The file stays with the original: two sessions must not write to it.
        return {
            "X": self._X,
            "settings": self.settings,
            "n_jobs": self._n_jobs,
            "events": [tuple(event) for event in self._journal.events],
            "asked": self._asked,
            "is_closed": self._is_closed or self._file is not None,
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        X, settings = state["X"], state["settings"]
        is_categorical = np.zeros(X.shape[1], dtype=bool)
        is_categorical[settings["categorical_features"]] = True
        super().__init__(X, is_categorical, settings, state["n_jobs"])
        for event in state["events"]:
            self._act_on(Event(*event))
        self._asked, self._is_closed = state["asked"], state["is_closed"]

    @alone
    def __repr__(self) -> str:
        history = self._piles.history
        pairs = [said.answer for said in history if isinstance(said, Answer)]
        said = ", ".join(f"{pairs.count(kind)} {kind}" for kind in ANSWERS)
        n_cards = sum(isinstance(said, Placement) for said in history)
        about = f"{self.n_samples} rows, strategy={self._settings['strategy']!r}"
        return f"ActiveSession({about}, {said}, {n_cards} cards)"

    @alone
    def _repr_html_(self) -> str:
        names = self._piles.names
        piles = [
            (number, names.get(number, ""), len(rows), listing(map(str, rows)))
            for number, rows in sorted(self._piles.rows.items())
        ]
        columns = ("pile", "name", "rows on it", "row numbers")
        return html_table(repr(self), columns, piles)


def _refuse_missing_blocks(
    path: str | Path, n_rows: int | None, X: Blocks | None
) -> None:
    """Refuse blocks for a file that has all rows, or none where they are needed."""
    if X is None and n_rows is not None:
        raise StorageError(
            f"{path} is a session on {n_rows:,} rows in blocks, which are not in the "
            "file: open it with pairsift.distributed.load_session(path, X)."
        )
    if X is not None and n_rows is None:
        raise StorageError(
            f"{path} holds its data itself: open it with ActiveSession.load(path)."
        )
    if X is not None and n_rows != len(X):
        raise StorageError(
            f"X has {len(X):,} rows, the session {path} has {n_rows:,}: give the data "
            "with which it began."
        )
