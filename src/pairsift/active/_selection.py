"""The whole labelling loop, with an oracle that is no person."""

from __future__ import annotations

import warnings
from typing import Any

from pairsift._checks import check_at_least
from pairsift._warnings import warn_caller
from pairsift.active._person import as_oracle
from pairsift.active._session import ActiveSession
from pairsift.constraints import PairConstraints
from pairsift.exceptions import ConstraintError


def select_constraints(
    X: Any,
    oracle: Any,
    n_cannot_link: int | None = 20,
    max_queries: int | None = None,
    *,
    strategy: str = "eigenvector",
    graph: str = "auto",
    n_neighbors: int = 7,
    random_state: int = 0,
    n_jobs: int | None = -1,
) -> PairConstraints:
    """Choose pairs, ask an oracle about them and collect the answers.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Data without missing values.
    oracle : array-like of shape (n_samples,), Person or callable
        Labels (pairs with an unlabelled row are answered "unsure"), a person who errs,
        or a function (i, j) -> "same", "different" or "unsure".
    n_cannot_link : int, default=20
        Number of cannot-links after which to stop, as algorithm 4.1 of the thesis does;
        None does not stop there, and then `max_queries` has to be given.
    max_queries : int, default=None
        Number of questions at most, None for as many as there are pairs.
    strategy : str, default="eigenvector"
        Which pairs to ask about, see :class:`ActiveSession`.
    graph : {"auto", "full", "knn"}, default="auto"
        Which rows similarities join, see :class:`ActiveSession`.
    n_neighbors : int, default=7
        The neighbour that sets the scale, see :class:`ActiveSession`.
    random_state : int, default=0
        Seed of the strategies "random" and "uncertainty".
    n_jobs : int or None, default=-1
        Number of threads for building the graph: -1 for all cores, None as in joblib.

    Returns
    -------
    constraints : PairConstraints
        What the oracle said. Answers that contradict each other are kept, with a
        warning that names the chain.

    See Also
    --------
    ActiveSession : The same, question by question.

    Examples
    --------
    >>> from pairsift import select_constraints
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.preprocessing import minmax_scale
    >>> X, y = load_wine(return_X_y=True)
    >>> X = minmax_scale(X)
    >>> select_constraints(X, y, n_cannot_link=4)
    PairConstraints(0 must-link, 4 cannot-link, n_samples=178)
    """
    if max_queries is None and n_cannot_link is None:
        raise ValueError("give max_queries, n_cannot_link or both: how much to ask.")
    for value, name in ((max_queries, "max_queries"), (n_cannot_link, "n_cannot_link")):
        if value is not None:
            check_at_least(value, name, 1)
    session = ActiveSession(
        X,
        strategy=strategy,
        graph=graph,
        n_neighbors=n_neighbors,
        random_state=random_state,
        n_jobs=n_jobs,
    )
    reply = as_oracle(oracle, session.n_samples)
    n_pairs = session.n_samples * (session.n_samples - 1) // 2
    n_apart = 0
    for _ in range(min(max_queries or n_pairs, n_pairs)):
        try:
            i, j = session.ask()
        except ConstraintError:
            # All rows are sorted before all pairs have been asked.
            break
        answer = reply(i, j)
        with warnings.catch_warnings():
            # One warning at the end is enough.
            warnings.simplefilter("ignore")
            session.tell(i, j, answer)
        n_apart += answer == "different"
        if n_apart == n_cannot_link:
            break
    constraints = session.constraints
    conflicts = constraints.conflicts()
    if conflicts:
        a, b = conflicts[0].cannot_link
        chain = " - ".join(map(str, conflicts[0].chain))
        warn_caller(
            f"the answers contradict each other {len(conflicts)} times, first: "
            f"cannot-link ({a}, {b}) and the must-link chain {chain}."
        )
    return constraints
