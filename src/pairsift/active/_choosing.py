"""From data and an oracle to features in one call: ask, spread, rank."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from typing import Any

from sklearn.base import clone

from pairsift._checks import check_at_least, check_choice
from pairsift.active._propagation import propagate
from pairsift.active._selection import oracle_codes, pair_oracle
from pairsift.active._session import ActiveSession
from pairsift.active._sorting import Card
from pairsift.constraints import PairConstraints
from pairsift.exceptions import ConstraintError
from pairsift.selectors import SemiMRMR

MODES = ("cards", "pairs")


def choose_features(
    X: Any,
    oracle: Any,
    n_questions: int = 30,
    *,
    strategy: str = "sort",
    mode: str | None = None,
    spread: bool | Mapping[str, Any] = False,
    selector: Any = None,
    random_state: int = 0,
    n_jobs: int | None = None,
) -> Any:
    """Ask an oracle questions, and rank the features by its answers.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Data as :class:`ActiveSession` takes it, and `selector`.
    oracle : array-like of shape (n_samples,) or callable
        Labels (an unlabelled row is answered "unsure"), or a function that answers as
        `mode` says.
    n_questions : int, default=30
        Number of questions at most.
    strategy : str, default="sort"
        What to ask about, see :class:`ActiveSession`.
    mode : {"cards", "pairs"}, default=None
        The kind of question. "cards": on which pile does a row belong; a function as
        oracle is called with a card (``card.row`` and ``card.piles``) and returns the
        number of a pile, "new" or "unsure". "pairs": are two rows the same; it is
        called with two rows and returns "same", "different" or "unsure". None is cards
        with the strategy "sort", and pairs with all others, which have no cards.
    spread : bool or dict, default=False
        Whether the pairs are spread to the rows around them before the ranking, by
        :func:`propagate` with its defaults or with the options given.
    selector : selector, default=None
        What ranks the features, ``SemiMRMR()`` for None. It is cloned, never changed.
    random_state : int, default=0
        Seed of the questions.
    n_jobs : int, default=None
        Number of threads for the questions, None for all cores.

    Returns
    -------
    selector : selector
        Fitted, with two attributes more: `constraints_`, the pairs that it learned
        from or could have, and `session_`, the :class:`ActiveSession` with all answers.

    See Also
    --------
    ActiveSession : The same, question by question, for people.
    select_constraints : Only the pairs.

    Notes
    -----
    Selectors of pairs learn from ``session.constraints``, all others from
    ``session.labels``, where a row has the number of its pile or -1; if pairs are
    spread, all learn from these. Of answers that contradict each other, the least
    supported are left out before they are spread.

    The framework of [1]_ is ``choose_features(X, oracle, strategy="eigenvector",
    spread=True, selector=ReliefFSc())``, or with ``FCRSC()``, on data in [0, 1].

    References
    ----------
    .. [1] S. Hijazi, "Semi-supervised margin-based feature selection for
       classification", PhD thesis, Université du Littoral Côte d'Opale, 2019,
       chapter 4.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from pairsift import SemiMRMR, choose_features
    >>> X, y = load_wine(return_X_y=True)
    >>> chosen = choose_features(X, y, 20, selector=SemiMRMR(4))
    >>> chosen.transform(X).shape
    (178, 4)
    >>> len(chosen.session_.history)
    20
    """
    check_at_least(n_questions, "n_questions", 1)
    if mode is None:
        mode = "cards" if strategy == "sort" else "pairs"
    check_choice(mode, "mode", MODES)
    if mode == "cards" and strategy != "sort":
        raise ValueError(
            f"mode='cards' goes with strategy='sort', got {strategy!r}: leave one out."
        )
    if not isinstance(spread, bool | Mapping):
        raise TypeError(
            "spread must be True, False or a dict of options of propagate, got "
            f"{spread!r}."
        )
    fitted = _fresh(selector)
    session = ActiveSession(
        X, strategy=strategy, random_state=random_state, n_jobs=n_jobs
    )
    with warnings.catch_warnings():
        # A session warns of every contradiction: here they are told once, below.
        warnings.simplefilter("ignore")
        _ask(session, oracle, mode, n_questions)
    constraints = session.constraints
    is_spread = isinstance(spread, Mapping) or spread
    if is_spread:
        options = dict(spread) if isinstance(spread, Mapping) else {}
        constraints = propagate(_consistent(constraints), X, **options)
    if is_spread or fitted._method.context == "constrained":
        fitted.fit(X, constraints=constraints)
    else:
        fitted.fit(X, session.labels)
    fitted.constraints_, fitted.session_ = constraints, session
    return fitted


def _fresh(selector: Any) -> Any:
    if selector is None:
        return SemiMRMR()
    if isinstance(selector, type) or not hasattr(selector, "_method"):
        raise TypeError(
            "selector must be a selector of pairsift, such as ReliefFSc(), got "
            f"{selector!r}."
        )
    return clone(selector)


def _ask(session: ActiveSession, oracle: Any, mode: str, n_questions: int) -> None:
    """Ask until the questions, or the rows, are used up."""
    as_oracle = card_oracle if mode == "cards" else pair_oracle
    reply: Any = as_oracle(oracle, session.n_samples)
    for _ in range(n_questions):
        try:
            question = session.ask_card() if mode == "cards" else session.ask()
        except ConstraintError:
            return
        if isinstance(question, Card):
            session.place(question.row, reply(question))
        else:
            session.tell(*question, reply(*question))


def card_oracle(oracle: Any, n_samples: int) -> Callable[[Card], int | str]:
    """Return a function that answers for a card."""
    if callable(oracle):
        return oracle
    labels = oracle_codes(oracle, n_samples)

    def reply(card: Card) -> int | str:
        label = labels[card.row]
        if label < 0:
            return "unsure"
        same = [pile.number for pile in card.piles if labels[pile.shown] == label]
        return same[0] if same else "new"

    return reply


def _consistent(constraints: PairConstraints) -> PairConstraints:
    """Leave out the answers that keep others from being spread, and say so."""
    kept, left_out = constraints.without_conflicts()
    if len(left_out):
        first = constraints.conflicts()[0]
        warnings.warn(
            f"{first}: {len(left_out)} answers, the least supported, are not spread.",
            stacklevel=3,
        )
    return kept
