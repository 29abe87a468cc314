"""PairConstraints: pairs of rows that belong together or apart."""

from __future__ import annotations

from collections.abc import Sequence
from io import StringIO
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from pairsift._checks import as_matrix
from pairsift._random import as_generator
from pairsift._typing import IndexArray, PairArray, RandomState
from pairsift.constraints import _closure, _io
from pairsift.constraints._coherence import coherence, informativeness
from pairsift.constraints._ids import (
    RowIds,
    as_row_ids,
    refuse_other_order,
    rows_of_samples,
)
from pairsift.constraints._labels import encode_labels, read_labels, unlabelled_hint
from pairsift.constraints._pair_set import PairSet
from pairsift.constraints._repair import consistent_pairs
from pairsift.constraints._rows import (
    ROWS_HAVE_CHANGED,
    as_count,
    as_ids,
    as_pairs,
    rows_of,
)
from pairsift.constraints._sampling import LabelledPairs
from pairsift.exceptions import ConflictingConstraintsError, ConstraintError


class PairConstraints(PairSet):
    """Must-link and cannot-link pairs between the rows of one data set.

    The object is immutable and deliberately not array-like: scikit-learn hands it
    whole to every fold of a cross-validation, where the per-sample array `sample_ids`
    tells which rows the fold holds. ``len(c)`` is the number of all pairs, iterating
    gives each as a named tuple ``(a, b, link)``, must-links first, with the ids of the
    rows, or their numbers when they have none.

    Parameters
    ----------
    must_link : array-like of shape (n_must_link, 2), default=()
        Pairs of row numbers, or of `ids`, that belong together.
    cannot_link : array-like of shape (n_cannot_link, 2), default=()
        Pairs of row numbers, or of `ids`, that belong apart.
    n_samples : int, default=None
        Number of rows of the data set; the number of `ids` when those are given. Give
        it whenever the constraints will travel through cross-validation: only then can
        data with another number of rows be refused. None accepts any data that has the
        rows named in the pairs.
    ids : sequence of length n_samples, default=None
        Id of each row of the data set, in order, such as the index of a data frame:
        text, numbers, anything hashable. The pairs given are then pairs of ids, and so
        are the `sample_ids` that `fit` takes; a pandas data frame whose index holds
        them needs no `sample_ids`.

    Attributes
    ----------
    must_link, cannot_link : ndarray of shape (n_pairs, 2), dtype=int64
        The pairs with the smaller row number first, each once, in sorted order.
    n_must_link, n_cannot_link : int
        Numbers of pairs.
    n_samples : int or None
        Number of rows of the data set, when known.
    ids : tuple or None
        Id of each row, when the constraints were made with ids.

    Raises
    ------
    ConstraintError
        If a row number is out of range, an id is unknown or occurs twice, a pair joins
        a row with itself, or a pair is both a must-link and a cannot-link. The message
        names the pair.

    Examples
    --------
    >>> from pairsift import PairConstraints
    >>> c = PairConstraints(must_link=[(4, 3)], cannot_link=[(0, 3)], n_samples=6)
    >>> c
    PairConstraints(1 must-link, 1 cannot-link, n_samples=6)
    >>> c.must_link
    array([[3, 4]])
    >>> c.closure().cannot_link
    array([[0, 3],
           [0, 4]])
    >>> c = PairConstraints([("P1", "P3")], ids=["P1", "P2", "P3"])
    >>> list(c)
    [Pair(a='P1', b='P3', link='must')]
    """

    __slots__ = ()

    @classmethod
    def from_labels(cls, y: Any, *, missing_label: Any = "auto") -> PairConstraints:
        """Every pair among the labelled rows: must within a class, cannot between.

        Parameters
        ----------
        y : array-like of shape (n_samples,)
            Class labels; unlabelled rows hold -1 (numbers) or None, NaN or empty text.
        missing_label : label, None or "auto", default="auto"
            Label that means "no label", beside None, NaN and empty text. None or NaN if
            every label is a class; "auto" is -1, with a warning where that may be one.

        Returns
        -------
        constraints : PairConstraints
            All pairs of labelled rows.

        Raises
        ------
        ConstraintError
            If the labelled rows make more pairs than can sensibly be listed.

        Examples
        --------
        >>> from pairsift import PairConstraints
        >>> PairConstraints.from_labels(["a", "a", "b", None])
        PairConstraints(1 must-link, 2 cannot-link, n_samples=4)
        """
        codes, _ = read_labels(y, missing_label)
        pairs = LabelledPairs(codes)
        return cls(pairs.all("must"), pairs.all("cannot"), n_samples=codes.size)

    @classmethod
    def sample(
        cls,
        y: Any,
        n_cannot_link: int = 20,
        n_must_link: int = 0,
        random_state: RandomState = 0,
        *,
        max_per_sample: int | None = None,
        missing_label: Any = "auto",
    ) -> PairConstraints:
        """Draw different pairs at random from labels (random constraint generation).

        Parameters
        ----------
        y : array-like of shape (n_samples,)
            Class labels; unlabelled rows take part in no pair.
        n_cannot_link, n_must_link : int, default=20 and 0
            Numbers of pairs to draw.
        random_state : int, Generator, RandomState or None, default=0
            Seed of the draw.
        max_per_sample : int, default=None
            Most pairs that one row may take part in; 1 draws rows without
            replacement, None does not limit it.
        missing_label : label, None or "auto", default="auto"
            Label that means "no label", beside None, NaN and empty text. None or NaN if
            every label is a class; "auto" is -1, with a warning where that may be one.

        Returns
        -------
        constraints : PairConstraints
            The pairs drawn.

        Raises
        ------
        ConstraintError
            If more pairs are asked for than exist; the message says how many do.

        Examples
        --------
        >>> from sklearn.datasets import load_wine
        >>> from pairsift import PairConstraints
        >>> PairConstraints.sample(load_wine().target, n_cannot_link=20)
        PairConstraints(0 must-link, 20 cannot-link, n_samples=178)
        """
        codes, _ = read_labels(y, missing_label)
        uses_left = None
        if max_per_sample is not None:
            most = as_count(max_per_sample, "max_per_sample")
            uses_left = np.full(codes.size, most, dtype=np.int64)
        pairs = LabelledPairs(codes, unlabelled_hint(y, missing_label))
        rng = as_generator(random_state)
        cannot, must = (
            pairs.draw(link, as_count(count, f"n_{link}_link"), uses_left, rng)
            for link, count in (("cannot", n_cannot_link), ("must", n_must_link))
        )
        return cls(must, cannot, n_samples=codes.size)

    @classmethod
    def from_csv(
        cls,
        path: str | PathLike[str],
        ids: Sequence[Any] | None = None,
        n_samples: int | None = None,
    ) -> PairConstraints:
        """Read pairs from a CSV file with the columns a, b and link.

        Parameters
        ----------
        path : path-like
            File to read; `link` is ``must`` or ``same``, ``cannot`` or ``different``.
        ids : sequence of length n_samples, default=None
            Id of each row of the data, when a and b are row ids. None takes a and b
            as row numbers, counted from 0.
        n_samples : int, default=None
            Number of rows of the data; the number of `ids` when those are given.

        Returns
        -------
        constraints : PairConstraints
            The pairs of the file; they remember the `ids`.

        Raises
        ------
        ConstraintError
            If a line cannot be understood; the message names the file and the line.
        """
        row_ids = None if ids is None else as_row_ids(ids)
        found = _io.read_pairs(Path(path), row_ids)
        if n_samples is None and row_ids is not None:
            n_samples = len(row_ids)
        return _of_rows(found["must"], found["cannot"], n_samples, row_ids)

    def to_csv(
        self, path: str | PathLike[str], ids: Sequence[Any] | None = None
    ) -> None:
        """Write the pairs as a CSV file with the columns a, b and link.

        Parameters
        ----------
        path : path-like
            File to write.
        ids : sequence of length n_samples, default=None
            Id of each row, to be written in place of row numbers; by default those
            that the constraints were made with, if any. Ids that a spreadsheet would
            run as a formula begin with ``'`` in the file; `from_csv` takes it off.
        """
        row_ids = self.ids if ids is None else as_row_ids(ids)
        _io.write_pairs(Path(path), self.must_link, self.cannot_link, row_ids)

    def closure(self) -> PairConstraints:
        """Add all pairs that follow from the given ones.

        Must-links are transitive, and a cannot-link between two rows holds for
        everything must-linked to either.

        Returns
        -------
        constraints : PairConstraints
            The given pairs and the entailed ones.

        Raises
        ------
        ConflictingConstraintsError
            If the constraints contradict each other.
        """
        self.check_consistent()
        must, cannot = _closure.transitive_pairs(self.must_link, self.cannot_link)
        return _of_rows(must, cannot, self.n_samples, self.ids)

    def conflicts(self) -> list[_closure.Conflict]:
        """Find the cannot-links that contradict a chain of must-links.

        Returns
        -------
        conflicts : list of Conflict
            One entry per contradicted cannot-link, with the shortest chain of
            must-links that proves it; empty when there is no contradiction.

        Examples
        --------
        >>> from pairsift import PairConstraints
        >>> c = PairConstraints(must_link=[(3, 4), (4, 9)], cannot_link=[(3, 9)])
        >>> print(c.conflicts()[0])
        cannot-link (3, 9) contradicts the must-link chain 3 - 4 - 9
        """
        return _closure.find_conflicts(self.must_link, self.cannot_link)

    def check_consistent(self) -> None:
        """Raise an error when the constraints contradict each other.

        Raises
        ------
        ConflictingConstraintsError
            If there are conflicts; the message shows the chain that proves the first.
        """
        conflicts = self.conflicts()
        if conflicts:
            more = f" (and {len(conflicts) - 1} more)" if len(conflicts) > 1 else ""
            raise ConflictingConstraintsError(
                f"{conflicts[0].named(self.ids)}{more}: remove one of these pairs, or "
                "take constraints.without_conflicts()[0], which leaves out the least "
                "supported ones."
            )

    def without_conflicts(self) -> tuple[PairConstraints, PairConstraints]:
        """Leave out the least supported pairs until no contradiction is left.

        Returns
        -------
        consistent : PairConstraints
            The pairs that are kept, all when there is no contradiction.
        left_out : PairConstraints
            The others.

        Notes
        -----
        A contradiction is a cannot-link and a shortest chain of must-links between its
        ends. The pair that takes part in most contradictions is left out; of several,
        one that no other chain confirms, cannot-links first (a must-link holds more
        together), then the lowest rows. This goes on until none is left; pairs that
        fit in again are put back. To leave out the fewest pairs is as hard as
        correlation clustering [1]_. This way leaves out one where one is enough, never
        more than there are contradicted cannot-links, and no pair that could be kept
        beside the others.

        References
        ----------
        .. [1] N. Bansal, A. Blum, S. Chawla, "Correlation clustering", Machine Learning
           56, 89-113, 2004, doi:10.1023/B:MACH.0000033116.57574.95.

        Examples
        --------
        >>> from pairsift import PairConstraints
        >>> c = PairConstraints([(0, 1), (1, 2)], [(0, 2), (1, 3), (2, 3)])
        >>> consistent, left_out = c.without_conflicts()
        >>> list(left_out)
        [Pair(a=0, b=2, link='cannot')]
        """
        must, cannot = consistent_pairs(self.must_link, self.cannot_link)
        kept, left_out = (
            _of_rows(
                self.must_link[must == is_kept],
                self.cannot_link[cannot == is_kept],
                self.n_samples,
                self.ids,
            )
            for is_kept in (True, False)
        )
        return kept, left_out

    def groups(self) -> IndexArray:
        """Find the groups of rows that must-links hold together.

        Returns
        -------
        group : ndarray of shape (n_samples,), dtype=int64
            Group of each row, counted from 0 in order of the smallest row; -1 for a
            row in no must-link. Without `n_samples` it ends at the last row named.

        Raises
        ------
        ConflictingConstraintsError
            If the constraints contradict each other.
        """
        self.check_consistent()
        nothing = np.empty((0, 2), dtype=np.int64)
        found = _closure.must_link_groups(self.must_link, nothing)
        n_rows = self.n_samples
        if n_rows is None:
            n_rows = int(found.rows.max(initial=-1)) + 1
        group = np.full(n_rows, -1, dtype=np.int64)
        by_first_row = sorted(found.members, key=lambda rows: int(rows[0]))
        for number, rows in enumerate(by_first_row):
            group[rows] = number
        return group

    def subset(self, indices: Any) -> PairConstraints:
        """Keep the pairs inside some rows, renumbered as positions in `indices`.

        Parameters
        ----------
        indices : array-like of int, or bool mask of length n_samples
            Rows to keep, each at most once.

        Returns
        -------
        constraints : PairConstraints
            Pairs whose two ends are kept; ``n_samples`` is the number of rows kept.
        """
        rows = np.asarray(indices)
        if rows.dtype == bool:
            if rows.shape != (self.n_samples,):
                raise ConstraintError(
                    f"indices is a mask of shape {rows.shape}, the constraints refer "
                    f"to {self.n_samples} samples."
                )
            rows = np.flatnonzero(rows)
        kept = as_ids(rows, rows.size, self.n_samples, "indices")
        distinct, counts = np.unique(kept, return_counts=True)
        if distinct.size < kept.size:
            raise ConstraintError(
                f"indices must hold each row once, {distinct[counts > 1][0]} occurs "
                "twice."
            )
        ids = None if self.ids is None else tuple(self.ids[row] for row in kept)
        return _of_rows(*self._inside(kept), rows.size, ids)

    def resolve(
        self, n_rows: int, sample_ids: Any = None
    ) -> tuple[PairArray, PairArray]:
        """Return both kinds of pairs as row numbers of the data at hand.

        Parameters
        ----------
        n_rows : int
            Number of rows of the data.
        sample_ids : array-like of shape (n_rows,), default=None
            Id of each row, as in `ids`, or its row number in the data set the
            constraints refer to if they were made without ids. A row may occur more
            than once, as in a bootstrap. None means that the data is that data set,
            whole and in order.

        Returns
        -------
        must_link, cannot_link : ndarray of shape (n_pairs, 2)
            Pairs whose two ends are both present. Copies of a row are one row: a pair
            joins the first copies.
        """
        if sample_ids is None:
            self._check_n_rows(n_rows)
            return self.must_link, self.cannot_link
        if self.ids is None:
            rows = as_ids(sample_ids, n_rows, self.n_samples, "sample_ids")
        else:
            rows = rows_of_samples(sample_ids, self.ids, n_rows, "sample_ids")
        return self._inside(rows)

    def _inside(self, rows: IndexArray) -> tuple[PairArray, PairArray]:
        """Return the pairs inside some rows, as places among them."""
        # A stable order, so that a pair finds the first copy of each row.
        order = np.argsort(rows, kind="stable")
        must, cannot = (
            rows_of(pairs, rows, order) for pairs in (self.must_link, self.cannot_link)
        )
        return must, cannot

    def coherence(self, X: Any) -> float:
        """Measure how far must-links and cannot-links agree on the directions of X.

        A pair of a must-link and a cannot-link is coherent when the two vectors
        between their ends do not overlap once either is projected on the other: the
        features are then not asked to be short and long in one place.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The data.

        Returns
        -------
        coherence : float
            Share of the (must-link, cannot-link) pairs that do not overlap, 1.0
            when there are no such pairs.

        References
        ----------
        .. [1] I. Davidson, K. Wagstaff, S. Basu, "Measuring constraint-set utility for
           partitional clustering algorithms", PKDD, 115-126, 2006,
           doi:10.1007/11871637_15.
        """
        refuse_other_order(X, self)
        data = as_matrix(X)
        self._check_n_rows(data.shape[0])
        return coherence(data, self.must_link, self.cannot_link)

    def informativeness(self, clusters: Any) -> float:
        """Measure how much the pairs tell that a clustering does not find by itself.

        Parameters
        ----------
        clusters : array-like of shape (n_samples,)
            Cluster of each row, found without the pairs. Rows that hold -1 (numbers),
            None, NaN or empty text are in no cluster, each of them alone.

        Returns
        -------
        informativeness : float
            Share of the pairs that the clusters deny: must-links between two clusters
            and cannot-links inside one. 0.0 when there are no pairs.

        See Also
        --------
        coherence : Whether must-links and cannot-links agree on the directions of X.
        pairsift.evaluation.pair_relevance : What each pair does to a ranking.

        Notes
        -----
        Of [1]_, where the clusters are those of the algorithm that will be given the
        pairs: 0 says that it satisfies all of them without being told. A large value
        is no promise, as wrong pairs are denied, too.

        References
        ----------
        .. [1] I. Davidson, K. Wagstaff, S. Basu, "Measuring constraint-set utility for
           partitional clustering algorithms", PKDD, 115-126, 2006,
           doi:10.1007/11871637_15.

        Examples
        --------
        >>> from pairsift import PairConstraints
        >>> c = PairConstraints(must_link=[(0, 1)], cannot_link=[(0, 2), (1, 3)])
        >>> c.informativeness([0, 0, 0, 1])  # denies that 0 and 2 belong apart
        0.3333333333333333
        """
        try:
            codes = encode_labels(clusters)[0]
        except ValueError as error:
            raise ConstraintError(
                str(error).replace("y must", "clusters must", 1)
            ) from error
        last = max(int(p.max(initial=-1)) for p in (self.must_link, self.cannot_link))
        n_rows = last + 1 if self.n_samples is None else self.n_samples
        if codes.size < n_rows or self.n_samples not in (None, codes.size):
            raise ConstraintError(
                f"clusters must hold the cluster of each of the {n_rows} rows that the "
                f"constraints refer to, got {codes.size}."
            )
        return informativeness(codes, self.must_link, self.cannot_link)

    def __or__(self, other: object) -> PairConstraints:
        """Join two sets of pairs that refer to the same data."""
        if not isinstance(other, PairConstraints):
            return NotImplemented
        sizes = {self.n_samples, other.n_samples} - {None}
        if len(sizes) > 1:
            raise ConstraintError(
                f"constraints on {self.n_samples} samples cannot be joined with "
                f"constraints on {other.n_samples} samples."
            )
        names = {self.ids, other.ids} - {None}
        if len(names) > 1:
            raise ConstraintError(
                "constraints with other ids, or ids in another order, cannot be joined."
            )
        return _of_rows(
            np.concatenate([self.must_link, other.must_link]),
            np.concatenate([self.cannot_link, other.cannot_link]),
            next(iter(sizes), None),
            next(iter(names), None),
        )

    def _check_n_rows(self, n_rows: int) -> None:
        if self.n_samples not in (None, n_rows):
            ids = "np.arange(n_samples)" if self.ids is None else "the ids of all rows"
            raise ConstraintError(
                f"constraints refer to {self.n_samples} samples, but X has {n_rows} "
                f"rows. Inside cross-validation X is a subset: also pass "
                f"sample_ids={ids}, so that each fold finds its pairs"
                f"{ROWS_HAVE_CHANGED}."
            )
        as_pairs(self.must_link, n_rows, name="must_link")
        as_pairs(self.cannot_link, n_rows, name="cannot_link")


def pairs_of_text(text: str, name: str, ids: Sequence[Any]) -> PairConstraints:
    """Read pairs as `from_csv` does, from the content of a file called `name`."""
    row_ids = as_row_ids(ids)
    # Line ends of all systems, as a file that is read as text.
    found = _io.parse_pairs(StringIO(text, newline=None).read(), name, row_ids)
    return _of_rows(found["must"], found["cannot"], len(row_ids), row_ids)


def _of_rows(
    must_link: PairArray,
    cannot_link: PairArray,
    n_samples: int | None,
    ids: RowIds | None,
) -> PairConstraints:
    """Return pairs of row numbers that remember the ids."""
    constraints = PairConstraints(must_link, cannot_link, n_samples)
    object.__setattr__(constraints, "ids", ids)
    return constraints
