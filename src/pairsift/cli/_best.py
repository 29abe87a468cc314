"""The features that the answers of a session rank first."""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from pairsift.cli._checks import refuse_unusable
from pairsift.cli._ranking import (
    PAIR_METHOD,
    PILE_METHOD,
    find_method,
    rank_features,
)
from pairsift.cli._select import fit_parameters
from pairsift.cli._tables import scale
from pairsift.exceptions import PairsiftError
from pairsift.reports import Ranking, Table, doubtful_answers, filled

if TYPE_CHECKING:
    from pairsift._typing import IndexArray
    from pairsift.active import ActiveSession
    from pairsift.selectors import Method

# Rows that are looked at between two questions, beside those on piles.
MAX_ROWS = 2_000
# An answer that the others find less likely than its contrary.
_UNLIKELY = 0.5


class BestFeatures:
    """Ranks features from piles, or from pairs as long as there are no two piles."""

    def __init__(
        self, method: str | None, table: Table, n_shown: int, *, is_scaled: bool
    ) -> None:
        self._named, self._table, self._n_shown = method, table, n_shown
        self._is_scaled = is_scaled
        # Refused now, before a person has answered questions.
        refuse_unusable(find_method(method or PAIR_METHOD)[1], table, True)
        self._X = scale(table.features) if is_scaled else table.features
        self._complete = filled(self._X)
        rng = np.random.default_rng(0)
        self._drawn = rng.permutation(len(self._X))[:MAX_ROWS]

    def method(self, session: ActiveSession) -> Method:
        """Return the line of the catalogue of what ranks the features."""
        default = PILE_METHOD if has_piles(session) else PAIR_METHOD
        return find_method(self._named or default)[1]

    def of(self, session: ActiveSession) -> list[str]:
        """Return the best features; none as long as the answers do not suffice."""
        line = self.method(session)
        cls = find_method(line.name)[0]
        parameters = fit_parameters(cls, line.name)
        X = self._X if line.accepts_missing else self._complete
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                if not self._uses_piles(session):
                    order = cls(**parameters).fit(X, constraints=session.constraints)
                else:
                    labels = session.labels
                    rows = np.union1d(self._drawn, np.flatnonzero(labels >= 0))
                    order = cls(**parameters).fit(X.iloc[rows], labels[rows])
        except PairsiftError:
            return []
        names = list(self._X.columns)
        return [names[j] for j in order.order_[: self._n_shown].tolist()]

    def ranking(self, session: ActiveSession) -> Ranking | None:
        """Return the ranking by all rows; None if the answers do not suffice."""
        line = self.method(session)
        cls = find_method(line.name)[0]
        parameters = fit_parameters(cls, line.name)
        if line.name == PILE_METHOD:
            parameters["n_features_to_select"] = "auto"
        table, pairs = self._table, session.constraints
        if not line.accepts_missing:
            table = replace(table, features=filled(table.features))
        uses_piles = self._uses_piles(session)
        if uses_piles:
            labels = pile_names(session.labels)
            table = replace(table, labels=labels, missing_label=None)
        try:
            return rank_features(
                cls,
                line,
                parameters,
                table,
                None if uses_piles else pairs,
                is_scaled=self._is_scaled,
            )
        except PairsiftError:
            return None

    def _uses_piles(self, session: ActiveSession) -> bool:
        return has_piles(session) and not self.method(session).learns_from.from_pairs

    def lacking(self, session: ActiveSession) -> str:
        """Say which answers the method waits for."""
        line = self.method(session)
        if self._named is None:
            return "two piles, or answers on pairs, are needed"
        needs = line.learns_from.links
        for link, word in (("must-links", '"same"'), ("cannot-links", '"different"')):
            needs = needs.replace(link, word)
        return f"{line.name} needs answers {needs}"

    def unlikely(self, session: ActiveSession) -> list[Any]:
        """Return the pairs that the others speak against, the least likely first."""
        judge, pairs = find_method(PAIR_METHOD)[0](), session.constraints
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                judge.fit(self._X, constraints=pairs)
        except PairsiftError:
            return []
        return doubtful_answers(judge, self._X, pairs, _UNLIKELY)


def has_piles(session: ActiveSession) -> bool:
    """Tell whether rows were sorted onto two piles at least.

    Other strategies than "sort" ask about pairs that do not sort the rows.
    """
    from pairsift.active import Placement

    is_sorted = session.settings["strategy"] == "sort" or any(
        isinstance(said, Placement) for said in session.history
    )
    return is_sorted and len(session.piles) > 1


def pile_names(labels: IndexArray) -> Any:
    """Return labels as words, None for rows that are on no pile."""
    names = [f"pile {number}" if number >= 0 else None for number in labels.tolist()]
    return np.array(names, dtype=object)
