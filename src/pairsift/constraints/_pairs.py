"""PairConstraints: the couples about which somebody said "same" or "different"."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from pairsift._checks import as_matrix
from pairsift._random import as_generator
from pairsift._typing import IndexArray, PairArray, RandomState
from pairsift.constraints import _closure, _io
from pairsift.constraints._coherence import coherence
from pairsift.constraints._labels import encode_labels
from pairsift.constraints._rows import (
    as_count,
    as_ids,
    as_pairs,
    refuse_both,
    rows_of,
    unordered,
)
from pairsift.constraints._sampling import LabelledPairs
from pairsift.exceptions import ConflictingConstraintsError, ConstraintError


class PairConstraints:
    """Must-link and cannot-link pairs between the rows of one data set.

    The object is immutable and deliberately not array-like: scikit-learn hands it
    whole to every fold of a cross-validation, where the per-sample array `sample_ids`
    tells which rows the fold holds.

    Parameters
    ----------
    must_link : array-like of shape (n_must_link, 2), default=()
        Pairs of row numbers that belong together.
    cannot_link : array-like of shape (n_cannot_link, 2), default=()
        Pairs of row numbers that belong apart.
    n_samples : int, default=None
        Number of rows of the data set. Give it whenever the constraints will travel
        through cross-validation: only then can data with another number of rows be
        refused. None accepts any data that has the rows named in the pairs.

    Attributes
    ----------
    must_link, cannot_link : ndarray of shape (n_pairs, 2), dtype=int64
        The pairs with the smaller row number first, each once, in sorted order.
    n_must_link, n_cannot_link : int
        Numbers of pairs.
    n_samples : int or None
        Number of rows of the data set, when known.

    Raises
    ------
    ConstraintError
        If a row number is out of range, a pair joins a row with itself, or a pair is
        both a must-link and a cannot-link. The message names the pair.

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
    """

    __slots__ = ("cannot_link", "must_link", "n_samples")

    must_link: PairArray
    cannot_link: PairArray
    n_samples: int | None

    def __init__(
        self,
        must_link: Any = (),
        cannot_link: Any = (),
        n_samples: int | None = None,
    ) -> None:
        if n_samples is not None:
            n_samples = as_count(n_samples, "n_samples")
        must = unordered(as_pairs(must_link, n_samples, name="must_link"))
        cannot = unordered(as_pairs(cannot_link, n_samples, name="cannot_link"))
        refuse_both(must, cannot)
        for pairs in (must, cannot):
            pairs.setflags(write=False)
        object.__setattr__(self, "must_link", must)
        object.__setattr__(self, "cannot_link", cannot)
        object.__setattr__(self, "n_samples", n_samples)

    @property
    def n_must_link(self) -> int:
        """Number of must-links."""
        return self.must_link.shape[0]

    @property
    def n_cannot_link(self) -> int:
        """Number of cannot-links."""
        return self.cannot_link.shape[0]

    @classmethod
    def from_labels(cls, y: Any) -> PairConstraints:
        """Every pair among the labelled rows: must within a class, cannot between.

        Parameters
        ----------
        y : array-like of shape (n_samples,)
            Class labels; unlabelled rows hold -1 (numbers) or None, NaN or empty text.

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
        codes, _ = encode_labels(y)
        pairs = LabelledPairs(codes)
        return cls(pairs.all("must"), pairs.all("cannot"), n_samples=codes.size)

    @classmethod
    def sample(
        cls,
        y: Any,
        n_cannot_link: int = 20,
        n_must_link: int = 0,
        *,
        max_per_sample: int | None = None,
        random_state: RandomState = 0,
    ) -> PairConstraints:
        """Draw different pairs at random from labels (random constraint generation).

        Parameters
        ----------
        y : array-like of shape (n_samples,)
            Class labels; unlabelled rows take part in no pair.
        n_cannot_link, n_must_link : int, default=20 and 0
            Numbers of pairs to draw.
        max_per_sample : int, default=None
            Most pairs that one row may take part in; 1 draws rows without
            replacement, None does not limit it.
        random_state : int, Generator, RandomState or None, default=0
            Seed of the draw.

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
        codes, _ = encode_labels(y)
        uses_left = None
        if max_per_sample is not None:
            most = as_count(max_per_sample, "max_per_sample")
            uses_left = np.full(codes.size, most, dtype=np.int64)
        pairs, rng = LabelledPairs(codes), as_generator(random_state)
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
            File to read; `link` is ``must`` or ``cannot``.
        ids : sequence of length n_samples, default=None
            Id of each row of the data, when a and b are row ids. None takes a and b
            as row numbers, counted from 0.
        n_samples : int, default=None
            Number of rows of the data; the number of `ids` when those are given.

        Returns
        -------
        constraints : PairConstraints
            The pairs of the file.

        Raises
        ------
        ConstraintError
            If a line cannot be understood; the message names the file and the line.
        """
        found = _io.read_pairs(Path(path), ids)
        if n_samples is None and ids is not None:
            n_samples = len(ids)
        return cls(found["must"], found["cannot"], n_samples=n_samples)

    def to_csv(
        self, path: str | PathLike[str], ids: Sequence[Any] | None = None
    ) -> None:
        """Write the pairs as a CSV file with the columns a, b and link.

        Parameters
        ----------
        path : path-like
            File to write.
        ids : sequence of length n_samples, default=None
            Id of each row, to be written in place of row numbers.
        """
        _io.write_pairs(Path(path), self.must_link, self.cannot_link, ids)

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
        return PairConstraints(must, cannot, self.n_samples)

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
                f"{conflicts[0]}{more}: remove one of these pairs."
            )

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
        must, cannot = self.resolve(rows.size, rows, name="indices")
        return PairConstraints(must, cannot, n_samples=rows.size)

    def resolve(
        self, n_rows: int, sample_ids: Any = None, *, name: str = "sample_ids"
    ) -> tuple[PairArray, PairArray]:
        """Return both kinds of pairs as row numbers of the data at hand.

        Parameters
        ----------
        n_rows : int
            Number of rows of the data.
        sample_ids : array-like of shape (n_rows,), default=None
            Row number of each row in the data set the constraints refer to. None
            means that the data is that data set, whole and in order.
        name : str, default="sample_ids"
            What to call `sample_ids` in an error message.

        Returns
        -------
        must_link, cannot_link : ndarray of shape (n_pairs, 2)
            Pairs whose two ends are both present.
        """
        if sample_ids is None:
            self._check_n_rows(n_rows)
            return self.must_link, self.cannot_link
        ids = as_ids(sample_ids, n_rows, self.n_samples, name)
        order = np.argsort(ids)
        return (
            rows_of(self.must_link, ids, order),
            rows_of(self.cannot_link, ids, order),
        )

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
            Share of the (must-link, cannot-link) couples that do not overlap, 1.0
            when there are no such couples.

        References
        ----------
        .. [1] I. Davidson, K. Wagstaff, S. Basu, "Measuring constraint-set utility
           for partitional clustering algorithms", PKDD 2006, 115-126.
           DOI 10.1007/11871637_15.
        """
        data = as_matrix(X)
        self._check_n_rows(data.shape[0])
        return coherence(data, self.must_link, self.cannot_link)

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
        return PairConstraints(
            np.concatenate([self.must_link, other.must_link]),
            np.concatenate([self.cannot_link, other.cannot_link]),
            n_samples=next(iter(sizes), None),
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PairConstraints):
            return NotImplemented
        return (
            self.n_samples == other.n_samples
            and np.array_equal(self.must_link, other.must_link)
            and np.array_equal(self.cannot_link, other.cannot_link)
        )

    def __hash__(self) -> int:
        return hash(
            (self.n_samples, self.must_link.tobytes(), self.cannot_link.tobytes())
        )

    def __repr__(self) -> str:
        return (
            f"PairConstraints({self.n_must_link} must-link, "
            f"{self.n_cannot_link} cannot-link, n_samples={self.n_samples})"
        )

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(
            f"PairConstraints is immutable: {name!r} cannot be set; make a new object."
        )

    def __delattr__(self, name: str) -> None:
        raise AttributeError(
            f"PairConstraints is immutable: {name!r} cannot be deleted."
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return PairConstraints, (self.must_link, self.cannot_link, self.n_samples)

    def _check_n_rows(self, n_rows: int) -> None:
        if self.n_samples not in (None, n_rows):
            raise ConstraintError(
                f"constraints refer to {self.n_samples} samples, but X has {n_rows} "
                "rows. Inside cross-validation X is a subset: also pass "
                "sample_ids=np.arange(n_samples), so that each fold finds its pairs."
            )
        as_pairs(self.must_link, n_rows, name="must_link")
        as_pairs(self.cannot_link, n_rows, name="cannot_link")
