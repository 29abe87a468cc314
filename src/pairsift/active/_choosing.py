"""From data and an oracle to features in one call: ask, spread, rank."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sklearn.base import clone

from pairsift._checks import check_at_least
from pairsift.active._asking import Asking
from pairsift.active._person import takes_two_rows
from pairsift.active._session import ActiveSession
from pairsift.selectors import SemiMRMR


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
    n_jobs: int | None = -1,
) -> Any:
    """Ask an oracle questions, and rank the features by its answers.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Data as :class:`ActiveSession` takes it, and `selector`.
    oracle : array-like of shape (n_samples,), Person or callable
        Labels (an unlabelled row is answered "unsure"), a person who errs, or a
        function that answers as `mode` says.
    n_questions : int, default=30
        Number of questions at most.
    strategy : str, default="sort"
        What to ask about, see :class:`ActiveSession`.
    mode : {"cards", "pairs"}, default=None
        The kind of question. "cards": on which pile does a row belong; a function as
        oracle is called with a card (``card.row`` and ``card.piles``) and returns the
        number of a pile, "new" or "unsure". "pairs": are two rows the same; it is
        called with two rows and returns "same", "different" or "unsure". None is pairs
        for a function of two arguments, else cards with the strategy "sort", and pairs
        with all others, which have no cards.
    spread : bool or dict, default=False
        Whether the pairs are spread to the rows around them before the ranking, by
        :func:`propagate` with its defaults or with the options given.
    selector : selector, default=None
        What ranks the features, ``SemiMRMR()`` for None. It is cloned, never changed.
    random_state : int, default=0
        Seed of the questions.
    n_jobs : int or None, default=-1
        Number of threads for the questions: -1 for all cores, None as in joblib.

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

    The framework of chapter 4 of [1]_ is ``choose_features(X, oracle,
    strategy="eigenvector", spread=True, selector=ReliefFSc())``, or with ``FCRSC()``,
    on data in [0, 1].

    References
    ----------
    .. [1] S. Hijazi, "Semi-supervised margin-based feature selection for
       classification", PhD thesis, Université du Littoral Côte d'Opale and
       Lebanese University, 2019, HAL tel-02489733.

    Examples
    --------
    >>> from pairsift import SemiMRMR, choose_features
    >>> from sklearn.datasets import load_wine
    >>> X, y = load_wine(return_X_y=True)
    >>> chosen = choose_features(X, y, 20, selector=SemiMRMR(4))
    >>> chosen.transform(X).shape
    (178, 4)
    >>> len(chosen.session_.history)
    20
    """
    check_at_least(n_questions, "n_questions", 1)
    if mode is None and takes_two_rows(oracle):
        mode = "pairs"
    asking = Asking(strategy, mode, spread)
    fitted = _fresh(selector)
    session = ActiveSession(
        X, strategy=strategy, random_state=random_state, n_jobs=n_jobs
    )
    # Before the first question, not after the last answer.
    fitted._refuse_table(X)
    asking.ask(session, oracle, n_questions)
    evidence = asking.evidence(session, X)
    of_pairs = fitted._method.learns_from.from_pairs
    labels, constraints = evidence.for_selector(of_pairs=of_pairs)
    fitted.fit(X, labels, constraints=constraints)
    fitted.constraints_, fitted.session_ = evidence.constraints, session
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
