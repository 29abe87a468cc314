"""Ask an oracle, and decide what selectors learn from its answers."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pairsift._checks import check_choice
from pairsift._typing import IndexArray
from pairsift._warnings import warn_caller
from pairsift.active._person import as_oracle
from pairsift.active._propagation import propagate
from pairsift.active._questions import STRATEGIES
from pairsift.active._session import ActiveSession
from pairsift.active._sorting import Card
from pairsift.constraints import PairConstraints
from pairsift.exceptions import ConstraintError

MODES = ("cards", "pairs")


@dataclass(frozen=True)
class Evidence:
    """What an oracle said, for selectors to learn from.

    Parameters
    ----------
    n_answers : int
        Number of answers given.
    labels : ndarray of shape (n_samples,)
        Number of the pile of each row, -1 for none.
    constraints : PairConstraints
        The pairs said, or what they were spread to.
    is_spread : bool
        Whether the pairs were spread.
    """

    n_answers: int
    labels: IndexArray
    constraints: PairConstraints
    is_spread: bool

    def for_selector(
        self, *, of_pairs: bool
    ) -> tuple[IndexArray | None, PairConstraints | None]:
        """Return the labels or the pairs that a selector learns from.

        Selectors of pairs learn from pairs, all others from piles; if pairs are spread,
        all learn from these.

        Parameters
        ----------
        of_pairs : bool
            Whether it is a selector of pairs.

        Returns
        -------
        labels : ndarray of shape (n_samples,) or None
            Labels, if it learns from these.
        constraints : PairConstraints or None
            Pairs, if it learns from these.
        """
        if of_pairs or self.is_spread:
            return None, self.constraints
        return self.labels, None


@dataclass(frozen=True)
class Asking:
    """How an oracle is asked, and whether its pairs are spread.

    Parameters
    ----------
    strategy : str, default="sort"
        What to ask about, see :class:`ActiveSession`.
    mode : {"cards", "pairs"}, default=None
        The kind of question; None is cards with the strategy "sort", else pairs.
    spread : bool or dict, default=False
        Whether the pairs are spread, with the defaults of :func:`propagate` or with
        the options given.
    """

    strategy: str = "sort"
    mode: str | None = None
    spread: bool | Mapping[str, Any] = False

    def __post_init__(self) -> None:
        check_choice(self.strategy, "strategy", STRATEGIES)
        if self.mode is None:
            mode = "cards" if self.strategy == "sort" else "pairs"
            object.__setattr__(self, "mode", mode)
        check_choice(self.mode, "mode", MODES)
        if self.mode == "cards" and self.strategy != "sort":
            raise ValueError(
                f"mode='cards' goes with strategy='sort', got {self.strategy!r}: leave "
                "one out."
            )
        if not isinstance(self.spread, bool | Mapping):
            raise TypeError(
                "spread must be True, False or a dict of options of propagate, got "
                f"{self.spread!r}."
            )

    @property
    def is_spread(self) -> bool:
        """Whether pairs are spread."""
        return isinstance(self.spread, Mapping) or self.spread

    def ask(self, session: ActiveSession, oracle: Any, n_questions: int) -> None:
        """Ask until the questions, or the rows, are used up.

        Parameters
        ----------
        session : ActiveSession
            Where the answers go; it may have some already.
        oracle : array-like of shape (n_samples,), Person or callable
            Who answers.
        n_questions : int
            Number of questions, beside those answered before.
        """
        reply = as_oracle(oracle, session.n_samples)
        with warnings.catch_warnings():
            # A session warns of every contradiction: one warning at the end is enough.
            warnings.simplefilter("ignore")
            for _ in range(n_questions):
                try:
                    is_card = self.mode == "cards"
                    question = session.ask_card() if is_card else session.ask()
                except ConstraintError:
                    return
                if isinstance(question, Card):
                    session.place(question.row, reply(question))
                else:
                    session.tell(*question, reply(*question))

    def evidence(self, session: ActiveSession, X: Any) -> Evidence:
        """Return what the answers so far say, spread to other rows if so wanted.

        Parameters
        ----------
        session : ActiveSession
            The answers.
        X : array-like of shape (n_samples, n_features)
            Data, as :func:`propagate` takes it.

        Returns
        -------
        evidence : Evidence
            What selectors learn from.
        """
        constraints = session.constraints
        if self.is_spread:
            options = dict(self.spread) if isinstance(self.spread, Mapping) else {}
            constraints = propagate(_consistent(constraints), X, **options)
        return Evidence(
            len(session.history), session.labels, constraints, self.is_spread
        )


def _consistent(constraints: PairConstraints) -> PairConstraints:
    """Leave out the answers that keep others from being spread, and say so."""
    kept, left_out = constraints.without_conflicts()
    if len(left_out):
        first = constraints.conflicts()[0]
        warn_caller(
            f"{first}: {len(left_out)} answers, the least supported, are not spread."
        )
    return kept
