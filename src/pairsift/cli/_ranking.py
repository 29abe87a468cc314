"""One ranking: computed here, printed, written and reported elsewhere."""

from __future__ import annotations

import math
import platform
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pairsift.cli._checks import (
    data_warnings,
    kinds_used,
    label_warnings,
    needs_numbers,
    needs_pairs,
    refuse_unusable,
    use_warnings,
)
from pairsift.cli._tables import Table, join_pairs, labelled_pairs, row_name, scale
from pairsift.exceptions import DataError, PairsiftError

if TYPE_CHECKING:
    import pandas as pd

    from pairsift._typing import IndexArray, PairArray
    from pairsift.constraints import PairConstraints

PAIR_METHOD = "pair-logistic"
"""The default method to rank features from pairs."""
# A few answers say little of each other; judging each by the others takes a fit.
JUDGED = range(10, 201)
DOUBT = 0.1
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
    missing_label: int | None
    seconds: float = 0.0
    """How long it took, with compiling if that was needed."""


@dataclass(frozen=True)
class Ranking:
    """The features, best first, and how they came to be ranked."""

    method: Any
    """Line of the catalogue."""
    parameters: dict[str, Any]
    table: Table
    constraints: PairConstraints | None
    n_labelled: int
    n_constraints_used: int
    features: list[Feature]
    warnings: list[str]
    fit: Fit
    n_labelled_pairs: int = 0
    """Number of the pairs that come from labels, beside those given."""

    @property
    def rows_text(self) -> str:
        """Number of rows, and of how many they were drawn."""
        of = self.table.n_drawn_from
        drawn = "" if of is None else f" drawn from {of:,}"
        return f"{len(self.table.features):,} rows{drawn}"

    @property
    def n_selected(self) -> int:
        """Number of selected features."""
        return sum(feature.is_selected for feature in self.features)

    def as_dict(self) -> dict[str, Any]:
        """Return what ``--json`` prints."""
        return {
            "method": self.method["name"],
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
        kinds = kinds_used(self.method["needs"], self.n_constraints_used, pairs)
        rows = {"must": pairs.must_link, "cannot": pairs.cannot_link}
        return {kind: rows[kind] for kind in kinds if len(rows[kind])}


def find_method(name: str) -> tuple[Any, Any]:
    """Return the class of a selector and its line of the catalogue."""
    from pairsift import selectors

    selector_class = selectors.find_method(name)
    catalogue = selectors.methods().set_index("class", drop=False)
    return selector_class, catalogue.loc[selector_class.__name__]


def rank_features(
    selector_class: Any,
    method: Any,
    parameters: dict[str, Any],
    table: Table,
    constraints: PairConstraints | None,
    *,
    is_scaled: bool = True,
    uses_labels: bool = True,
    answers: PairConstraints | None = None,
) -> Ranking:
    """Fit a selector to a table, or to the pairs drawn from its labels alone.

    If the constraints were spread, `answers` are those that a person gave.
    """
    from pairsift.constraints import MOST_PAIRS, encode_labels

    refuse_unusable(method, table, constraints is not None)
    selector = selector_class(**parameters)
    X = scale(table.features) if is_scaled else table.features
    labels = table.labels if uses_labels else None
    missing_label, pairs, n_labelled = table.missing_label, constraints, 0
    codes = None
    with _collecting_warnings() as raised, as_data_error():
        if needs_numbers(method):
            missing_label = None
        elif table.labels is not None:
            codes = encode_labels(table.labels, missing_label)[0]
            n_labelled = int(np.count_nonzero(codes >= 0))
        if labels is not None and constraints is not None and needs_pairs(method):
            most = getattr(selector, "_most_pairs", lambda: MOST_PAIRS)()
            must = "must-link" in method["needs"]
            labelled = labelled_pairs(table, most, with_must_links=must)
            pairs = join_pairs(constraints, labelled, table)
        began = perf_counter()
        selector.fit(X, labels, constraints=pairs, missing_label=missing_label)
        seconds = perf_counter() - began
    # Judging answers counts them anew.
    n_used = int(selector.n_constraints_used_)
    judged = pairs if answers is None else answers
    doubts = [] if judged is None else doubtful(selector, X, judged, table)
    if needs_numbers(method):
        n_labelled = selector.n_labelled_
    if labels is None or method["needs"] == "nothing":
        codes = None
    return Ranking(
        method=method,
        parameters=selector.get_params(),
        table=table,
        constraints=pairs,
        n_labelled=n_labelled,
        n_constraints_used=n_used,
        features=_features(selector, list(table.features.columns)),
        warnings=[
            *data_warnings(table.features),
            *([] if needs_numbers(method) else label_warnings(table)),
            *use_warnings(method, n_used, labels, constraints, pairs),
            *raised,
            *doubts,
        ],
        fit=Fit(selector, X, labels, codes, pairs, missing_label, seconds),
        n_labelled_pairs=_n_pairs(pairs) - _n_pairs(constraints) if n_used else 0,
    )


def _n_pairs(pairs: PairConstraints | None) -> int:
    return 0 if pairs is None else pairs.n_must_link + pairs.n_cannot_link


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


def _features(selector: Any, names: list[str]) -> list[Feature]:
    return [
        Feature(rank, names[j], float(selector.scores_[j]), bool(selector.support_[j]))
        for rank, j in enumerate(selector.order_.tolist(), start=1)
    ]


@contextmanager
def _collecting_warnings() -> Iterator[list[str]]:
    """Collect what the library warns a user of, each text once."""
    texts: list[str] = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("ignore")
        for category in (UserWarning, RuntimeWarning):
            warnings.simplefilter("always", category)
        try:
            yield texts
        except PairsiftError as error:
            # A warning may be the reason for the error: show it with the error.
            hints = _texts(caught)
            raise type(error)(" ".join([str(error), *hints])) from error
    texts.extend(_texts(caught))


def _texts(caught: list[warnings.WarningMessage]) -> list[str]:
    return list(dict.fromkeys(" ".join(str(w.message).split()) for w in caught))


@contextmanager
def as_data_error() -> Iterator[None]:
    """Mark what validation refuses as a mistake of the user, not of the program."""
    try:
        yield
    except PairsiftError:
        raise
    except ValueError as error:
        raise DataError(str(error)) from error


def _plain(value: Any) -> Any:
    is_odd_number = isinstance(value, float) and not math.isfinite(value)
    return str(value) if is_odd_number else value
