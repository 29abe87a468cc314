"""How pairs are stored, counted, listed and compared."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from pairsift._typing import PairArray
from pairsift._words import html_table
from pairsift.constraints._ids import RowIds, as_row_ids, rows_of_pairs
from pairsift.constraints._rows import as_count, as_pairs, refuse_both, unordered
from pairsift.exceptions import ConstraintError

if TYPE_CHECKING:
    import pandas as pd

# scikit-learn takes whatever has one of these for an array with one entry per sample.
_ARRAY_LIKE = frozenset({"__len__", "__iter__"})


class Pair(NamedTuple):
    """One pair: its two rows, as ids where they are known, and "must" or "cannot"."""

    a: Any
    b: Any
    link: str


class PairSet:
    """Must-link and cannot-link pairs of rows; immutable, and not array-like."""

    __slots__ = ("cannot_link", "ids", "must_link", "n_samples")

    must_link: PairArray
    cannot_link: PairArray
    n_samples: int | None
    ids: RowIds | None

    def __init__(
        self,
        must_link: Any = (),
        cannot_link: Any = (),
        n_samples: int | None = None,
        ids: Any = None,
    ) -> None:
        if n_samples is not None:
            n_samples = as_count(n_samples, "n_samples")
        if ids is not None:
            ids = as_row_ids(ids)
            if n_samples not in (None, len(ids)):
                raise ConstraintError(
                    f"ids must name all rows, got {len(ids)} ids and "
                    f"n_samples={n_samples}."
                )
            n_samples = len(ids)
            must_link = rows_of_pairs(must_link, ids, "must_link")
            cannot_link = rows_of_pairs(cannot_link, ids, "cannot_link")
        must = unordered(as_pairs(must_link, n_samples, name="must_link"))
        cannot = unordered(as_pairs(cannot_link, n_samples, name="cannot_link"))
        refuse_both(must, cannot, ids)
        for pairs in (must, cannot):
            pairs.setflags(write=False)
        object.__setattr__(self, "must_link", must)
        object.__setattr__(self, "cannot_link", cannot)
        object.__setattr__(self, "n_samples", n_samples)
        object.__setattr__(self, "ids", ids)

    @property
    def n_must_link(self) -> int:
        """Number of must-links."""
        return self.must_link.shape[0]

    @property
    def n_cannot_link(self) -> int:
        """Number of cannot-links."""
        return self.cannot_link.shape[0]

    def to_frame(self) -> pd.DataFrame:
        """Return all pairs as a table.

        Returns
        -------
        frame : pandas.DataFrame
            The columns `a` and `b` (ids of the rows, row numbers when they have none)
            and `link`, "must" or "cannot"; must-links first.
        """
        import pandas as pd

        return pd.DataFrame(list(self), columns=list(Pair._fields))

    def __len__(self) -> int:
        return self.n_must_link + self.n_cannot_link

    def __iter__(self) -> Iterator[Pair]:
        names = self.ids
        for link, pairs in (("must", self.must_link), ("cannot", self.cannot_link)):
            for a, b in pairs.tolist():
                yield (
                    Pair(a, b, link)
                    if names is None
                    else Pair(names[a], names[b], link)
                )

    def __getattribute__(self, name: str) -> Any:
        # len(c) and iter(c) look at the class and work. An instance must not show them:
        # scikit-learn cuts a routed value to the rows of a fold when it has __len__ and
        # as many entries as there are samples, here the pairs of other rows.
        if name in _ARRAY_LIKE:
            raise AttributeError(
                f"{type(self).__name__} is not array-like and hides {name!r}; len(), "
                "iter() and to_frame() work."
            )
        return super().__getattribute__(name)

    def __eq__(self, other: object) -> bool:
        # Ids are names of rows: pairs read back from a file with ids are equal.
        if not isinstance(other, PairSet):
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

    def _repr_html_(self) -> str:
        return html_table(repr(self), Pair._fields, self)

    def __getstate__(self) -> dict[str, Any]:
        # Without it, files of skops would hold nothing of an object with slots.
        return {name: getattr(self, name) for name in PairSet.__slots__}

    def __setstate__(self, state: dict[str, Any]) -> None:
        for name in PairSet.__slots__:
            object.__setattr__(self, name, state[name])
        for pairs in (self.must_link, self.cannot_link):
            pairs.setflags(write=False)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(
            f"PairConstraints is immutable: {name!r} cannot be set; make a new object."
        )

    def __delattr__(self, name: str) -> None:
        raise AttributeError(
            f"PairConstraints is immutable: {name!r} cannot be deleted."
        )
