"""Who answers without being a person: labels, right or now and then wrong."""

from __future__ import annotations

from collections.abc import Callable
from inspect import Parameter, signature
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from pairsift._checks import check_at_least
from pairsift.active._sorting import Card
from pairsift.constraints import encode_labels


class Person:
    """Answer questions by labels, a share of them wrongly, as people do.

    A question gets the same answer each time it is asked, in any order of questions.

    Parameters
    ----------
    labels : array-like of shape (n_samples,)
        What the person would answer by. Questions about a row without a label are
        answered "unsure".
    wrong : float, default=0.0
        Share of wrong answers, from 0 to 1.
    random_state : int, default=0
        Seed of which answers are wrong, and of what is said instead.

    See Also
    --------
    choose_features : Takes a person as the oracle.
    select_constraints : Takes a person as the oracle.

    Notes
    -----
    A wrong answer about a pair is the other one. A wrong answer about a card is one of
    the other piles or "new", each as likely; at the first card there is no other.

    Examples
    --------
    >>> from pairsift import choose_features
    >>> from pairsift.active import Person
    >>> from sklearn.datasets import load_wine
    >>> X, y = load_wine(return_X_y=True)
    >>> person = Person(y, wrong=0.1)
    >>> person.pair(0, 1) == person.pair(1, 0)
    True
    >>> len(choose_features(X, person, 20).session_.history)
    20
    """

    def __init__(
        self, labels: ArrayLike, wrong: float = 0.0, random_state: int = 0
    ) -> None:
        check_at_least(random_state, "random_state", 0)
        self.labels = encode_labels(labels)[0]
        self.wrong = check_share(wrong, "wrong")
        self.random_state = int(random_state)

    def pair(self, i: int, j: int) -> str:
        """Say whether two rows are the same.

        Parameters
        ----------
        i, j : int
            Rows, in any order.

        Returns
        -------
        answer : {"same", "different", "unsure"}
            The answer.
        """
        first, second = self.labels[[i, j]].tolist()
        if first < 0 or second < 0:
            return "unsure"
        is_wrong, _ = self._slip(min(i, j), max(i, j))
        return "same" if (first == second) != is_wrong else "different"

    def card(self, card: Card) -> int | str:
        """Choose the pile of a row by the row that is shown of each pile.

        Parameters
        ----------
        card : Card
            A row and the piles so far.

        Returns
        -------
        pile : int or {"new", "unsure"}
            The number of a pile, or what else is said.
        """
        label = self.labels[card.row]
        if label < 0:
            return "unsure"
        same = [p.number for p in card.piles if self.labels[p.shown] == label]
        choice: int | str = same[0] if same else "new"
        all_choices: list[int | str] = [*(p.number for p in card.piles), "new"]
        others = [other for other in all_choices if other != choice]
        is_wrong, rng = self._slip(card.row)
        return others[rng.integers(len(others))] if is_wrong and others else choice

    def __call__(self, *question: Any) -> int | str:
        """Answer for a card, or for two rows."""
        return self.card(*question) if len(question) == 1 else self.pair(*question)

    def _slip(self, *question: int) -> tuple[bool, np.random.Generator]:
        # One stream per question: the order of questions changes no answer.
        rng = np.random.default_rng([self.random_state, *map(int, question)])
        return bool(rng.random() < self.wrong), rng


def check_share(value: Any, name: str) -> float:
    """Return a share, or refuse what is none."""
    is_number = isinstance(value, Real) and not isinstance(value, bool)
    if not is_number or not 0 <= value <= 1:
        raise ValueError(f"{name} must be a share from 0 to 1, got {value!r}.")
    return float(value)


def as_oracle(oracle: Any, n_samples: int) -> Callable[..., Any]:
    """Return what answers for a card or for two rows: a function, or labels."""
    if callable(oracle) and not isinstance(oracle, Person):
        return oracle
    person = oracle if isinstance(oracle, Person) else Person(oracle)
    if len(person.labels) != n_samples:
        raise ValueError(
            f"oracle must hold one label for each of the {n_samples} rows of X, got "
            f"{len(person.labels)}."
        )
    return person


def takes_two_rows(oracle: Any) -> bool:
    """Tell a function (i, j) from one that takes a card, and from all else."""
    if not callable(oracle) or isinstance(oracle, Person):
        return False
    try:
        parameters = signature(oracle).parameters.values()
    except (TypeError, ValueError):
        # Some functions written in C do not say what they take.
        return False
    places = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
    needed = [p for p in parameters if p.kind in places and p.default is p.empty]
    return len(needed) == 2
