"""One ranking: computed here, printed, written and reported elsewhere."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np

from pairsift.cli._checks import (
    data_warnings,
    hints_at_labels,
    label_warnings,
    refuse_unusable,
    use_warnings,
)
from pairsift.cli._tables import join_pairs, labelled_pairs, scale
from pairsift.exceptions import DataError, PairsiftError
from pairsift.reports import (
    Fit,
    Ranking,
    Table,
    doubtful,
    method_of,
    ranked_features,
)

if TYPE_CHECKING:
    from pairsift.constraints import PairConstraints
    from pairsift.selectors import Method

PAIR_METHOD = "pair-logistic"
"""What ranks features from pairs when no method is named."""
PILE_METHOD = "semi-mrmr"
"""What ranks features from piles when no method is named."""


def find_method(name: str) -> tuple[Any, Method]:
    """Return the class of a selector and its line of the catalogue."""
    from pairsift import selectors

    selector_class = selectors.find_method(name)
    return selector_class, method_of(selector_class)


def rank_features(
    selector_class: Any,
    method: Method,
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
    from pairsift.constraints import encode_labels

    refuse_unusable(method, table, constraints is not None)
    selector = selector_class(**parameters)
    X = scale(table.features) if is_scaled else table.features
    labels = table.labels if uses_labels else None
    missing_label, pairs, n_labelled = table.missing_label, constraints, 0
    codes = None
    hints = hints_at_labels(table)
    with collecting_warnings(hints) as raised, as_data_error():
        if method.learns_from.from_numbers:
            missing_label = None
        elif table.labels is not None:
            codes = encode_labels(table.labels, missing_label)[0]
            n_labelled = int(np.count_nonzero(codes >= 0))
        if (
            labels is not None
            and constraints is not None
            and method.learns_from.from_pairs
        ):
            most = method.learns_from.most_pairs
            must = "must" in method.learns_from.kinds
            labelled = labelled_pairs(table, most, with_must_links=must)
            pairs = join_pairs(constraints, labelled, table)
        began = perf_counter()
        selector.fit(X, labels, constraints=pairs, missing_label=missing_label)
        seconds = perf_counter() - began
    # Judging answers counts them anew.
    n_used = int(selector.n_constraints_used_)
    judged = pairs if answers is None else answers
    doubts = [] if judged is None else doubtful(selector, X, judged, table)
    if method.learns_from.from_numbers:
        n_labelled = selector.n_labelled_
    if labels is None or method.learns_from.labels == "no":
        codes = None
    return Ranking(
        method=method,
        parameters=selector.get_params(),
        table=table,
        constraints=pairs,
        n_labelled=n_labelled,
        n_constraints_used=n_used,
        features=ranked_features(selector, list(table.features.columns)),
        warnings=[
            *data_warnings(table.features),
            *([] if method.learns_from.from_numbers else label_warnings(table)),
            *use_warnings(method, n_used, labels, constraints, pairs),
            *raised,
            *doubts,
        ],
        fit=Fit(selector, X, labels, codes, pairs, missing_label, seconds),
        n_labelled_pairs=_n_pairs(pairs) - _n_pairs(constraints) if n_used else 0,
    )


def _n_pairs(pairs: PairConstraints | None) -> int:
    return 0 if pairs is None else pairs.n_must_link + pairs.n_cannot_link


@contextmanager
def collecting_warnings(hints: Sequence[str] = ()) -> Iterator[list[str]]:
    """Collect what the library warns a user of, each text once.

    hints : what else may be the reason for an error.
    """
    texts: list[str] = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("ignore")
        for category in (UserWarning, RuntimeWarning):
            warnings.simplefilter("always", category)
        try:
            yield texts
        except PairsiftError as error:
            # A warning may be the reason for the error, and would be lost otherwise.
            found = [str(error), *_texts(caught), *hints]
            raise type(error)(" ".join(found)) from error
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
