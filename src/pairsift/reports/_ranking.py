"""One ranking, its method, and the answers that the other answers speak against."""

from __future__ import annotations

import math
import platform
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, NamedTuple

from numpy.typing import NDArray

from pairsift.reports._needs import kinds_used
from pairsift.reports._table import Table, row_name

if TYPE_CHECKING:
    import pandas as pd

    from pairsift._typing import IndexArray, PairArray
    from pairsift.constraints import PairConstraints
    from pairsift.selectors import Method

# Numbers of answers that are judged by each other: fewer say too little, and more take
# too long, because each answer takes a fit.
JUDGED = range(10, 201)
DOUBT = 0.1
"""An answer is doubtful when the others give it a smaller probability."""
_PACKAGES = ("pairsift", "numpy", "scipy", "scikit-learn", "numba")


@dataclass(frozen=True)
class Feature:
    """A line of the ranking."""

    rank: int
    name: str
    score: float
    is_selected: bool

    @property
    def score_text(self) -> str:
        """The score for people."""
        return f"{self.score:#.5g}"

    def as_dict(self) -> dict[str, Any]:
        """Return the line for programs; JSON knows no infinity."""
        line = {"rank": self.rank, "feature": self.name, "score": self.score}
        if not math.isfinite(self.score):
            line |= {"score": None, "score_text": self.score_text}
        return line | {"selected": self.is_selected}


class Fit(NamedTuple):
    """A fitted selector and what it was fitted to."""

    selector: Any
    X: pd.DataFrame
    labels: NDArray[Any] | None
    codes: IndexArray | None
    """Classes of the labels the selector learned from, -1 for none."""
    pairs: PairConstraints | None
    missing_label: Any
    seconds: float = 0.0
    """How long it took, with compiling if that was needed."""


@dataclass(frozen=True)
class Ranking:
    """The features, best first, and how they came to be ranked."""

    method: Method
    """Line of the catalogue."""
    parameters: dict[str, Any]
    table: Table
    """Without rows if the data were not given."""
    constraints: PairConstraints | None
    n_labelled: int
    n_constraints_used: int
    features: list[Feature]
    warnings: list[str]
    fit: Fit | None
    """None if the data were not given."""
    n_labelled_pairs: int = 0
    """Number of the pairs that come from labels, beside those given."""
    classes: str = "class"
    """What labels stand for: a class or a pile."""
    without_rows: str = ""
    """Why rows were ranked, but are not there to be drawn; empty if they are there."""

    @property
    def rows_text(self) -> str:
        """Number of rows, and of how many they were drawn."""
        of = self.table.n_drawn_from
        drawn = "" if of is None else f" drawn from {of:,}"
        return f"{len(self.table.features):,} rows{drawn}"

    @property
    def has_data(self) -> bool:
        """Whether there are rows to draw."""
        return self.fit is not None

    @property
    def n_selected(self) -> int:
        """Number of selected features."""
        return sum(feature.is_selected for feature in self.features)

    def as_dict(self) -> dict[str, Any]:
        """Return what ``--json`` prints."""
        return {
            "method": self.method.name,
            "parameters": {k: _plain(v) for k, v in self.parameters.items()},
            "n_rows": len(self.table.features),
            "n_drawn_from": self.table.n_drawn_from,
            "n_features": len(self.features),
            "n_labelled": self.n_labelled,
            "n_constraints_used": self.n_constraints_used,
            "warnings": self.warnings,
            "ranking": [feature.as_dict() for feature in self.features],
            "versions": versions(),
        }

    def pairs_used(self) -> dict[str, PairArray]:
        """Return the given pairs that the method used, must and cannot apart."""
        if self.n_constraints_used == 0 or self.constraints is None:
            return {}
        pairs = self.constraints
        kinds = kinds_used(self.method, self.n_constraints_used, pairs)
        rows = {"must": pairs.must_link, "cannot": pairs.cannot_link}
        return {kind: rows[kind] for kind in kinds if len(rows[kind])}


def method_of(selector: Any) -> Method:
    """Return what a selector declares of itself."""
    found: Method = selector._method
    return found


def doubtful(
    selector: Any, X: Any, constraints: PairConstraints, table: Table
) -> list[str]:
    """Return a sentence on every answer that the other answers speak against."""
    kind = "rows " if table.ids is None else ""
    return [
        f"{kind}{row_name(a.first, table.ids)} and {row_name(a.second, table.ids)}: "
        f"{doubt_text(a)}"
        for a in doubtful_answers(selector, X, constraints, DOUBT)
    ]


def doubtful_answers(
    selector: Any, X: Any, constraints: PairConstraints, threshold: float
) -> list[Any]:
    """Return the answers less likely than the threshold, the least likely first."""
    n_answers = constraints.n_must_link + constraints.n_cannot_link
    if not hasattr(selector, "doubtful_answers") or n_answers not in JUDGED:
        return []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return list(
            selector.doubtful_answers(X, constraints=constraints, threshold=threshold)
        )


def doubt_text(answer: Any) -> str:
    """Say what was answered, and what the other answers say."""
    said = {"must": "same", "cannot": "different"}[answer.answer]
    return (
        f"you said {said}; the other answers say {answer.probability:.0%} for 'same'."
    )


def versions() -> dict[str, str]:
    """Return the versions that can change a number."""
    return {"python": platform.python_version()} | {p: version(p) for p in _PACKAGES}


def ranked_features(selector: Any, names: Sequence[str]) -> list[Feature]:
    """Return the features of a fitted selector, best first."""
    return [
        Feature(rank, names[j], float(selector.scores_[j]), bool(selector.support_[j]))
        for rank, j in enumerate(selector.order_.tolist(), start=1)
    ]


def _plain(value: Any) -> Any:
    is_odd_number = isinstance(value, float) and not math.isfinite(value)
    return str(value) if is_odd_number else value
