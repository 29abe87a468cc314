"""The page of a labelling session: the ranking by its answers, and the answers."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Sequence
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pairsift._words import count
from pairsift.exceptions import PairsiftError
from pairsift.reports._fitted import Given, as_frame, fitted_ranking, row_ids
from pairsift.reports._page import (
    Section,
    heading,
    html_table,
    paragraph,
    warning_list,
    write_page,
)
from pairsift.reports._ranking import Ranking, doubtful, method_of
from pairsift.reports._ranking_page import write_ranking_page
from pairsift.reports._table import Table, filled, row_name

if TYPE_CHECKING:
    import pandas as pd

    from pairsift.active import ActiveSession

_MAX_PILES = 12
_MAX_NAMED = 8
_SETTLED_AFTER = 8
"""Number of answers that `ActiveSession.settled` looks back."""


def session_page(
    session: ActiveSession,
    *,
    X: Any,
    sample_ids: Sequence[str],
    selector: Any = None,
    title: str | None = None,
) -> str:
    """Return the page of a session; no file is written."""
    page = StringIO()
    given = Given(X, sample_ids=sample_ids)
    write_session(page, session, given, selector=selector, title=title)
    return page.getvalue()


def write_session(
    path: Path | StringIO,
    session: ActiveSession,
    given: Given,
    *,
    selector: Any = None,
    title: str | None = None,
    about: str = "",
) -> None:
    """Write the page of a session, with a ranking if the answers suffice for one."""
    features = _features(session, given)
    ids = row_ids(given.sample_ids, session.n_samples)
    given = given._replace(X=features)
    ranking, trouble = _ranked(session, selector, given)
    n_answers = count(len(session.history), "answer", "answers")
    answers = _answers(session, Table(features, ids=ids))
    if ranking is not None:
        about = about or f"{_answered(session)} {_learned(ranking, session)}"
        write_ranking_page(
            path,
            ranking,
            title=title or f"Features chosen from {n_answers}",
            command=repr(session),
            about=about,
            remark=_settled(ranking, session),
            answers=answers,
        )
        return
    write_page(
        path,
        title=title or f"{n_answers}, no ranking yet",
        lead=f"{_answered(session)} {trouble}",
        sections=[*answers, *([Section("About", [paragraph(about)])] if about else [])],
        command=repr(session),
        parameters=session.settings,
    )


def _features(session: ActiveSession, given: Given) -> pd.DataFrame:
    """Return the data as given, or those of the session, categories as such."""
    n_features = session.X.shape[1]
    X = session.X if given.X is None else given.X
    names = given.feature_names
    if names is None:
        names = getattr(X, "columns", [f"x{j}" for j in range(n_features)])
    frame = as_frame(X, [str(name) for name in names])
    if frame.shape != session.X.shape:
        raise ValueError(
            f"X must be the data of the session, {session.X.shape[0]} rows and "
            f"{n_features} columns, got {frame.shape[0]} and {frame.shape[1]}."
        )
    if given.X is None:
        for j in session.settings["categorical_features"]:
            frame[frame.columns[j]] = frame[frame.columns[j]].astype("category")
    return frame


def _ranked(
    session: ActiveSession, selector: Any, given: Given
) -> tuple[Ranking | None, str]:
    """Fit a selector to the answers; return the ranking, or why there is none.

    Doubtful answers have a section of their own.
    """
    from sklearn.base import clone

    from pairsift.selectors import PairLogistic, SemiMRMR

    if selector is None:
        # Cards make piles, which are classes; single pairs seldom do.
        is_sorted = session.settings["strategy"] == "sort"
        selector = SemiMRMR() if is_sorted else PairLogistic()
    if isinstance(selector, type) or not hasattr(selector, "_method"):
        raise TypeError(f"selector must be a selector of pairsift, got {selector!r}.")
    fresh, features = clone(selector), given.X
    if not method_of(fresh).accepts_missing:
        # A session takes missing values; its page must not end there.
        given = given._replace(X=filled(given.X))
    if method_of(fresh).learns_from.from_pairs:
        known: dict[str, Any] = {"constraints": session.constraints}
    else:
        known = {"y": session.labels}
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            fresh.fit(given.X, **known)
            known["missing_label"] = -1
            ranking = fitted_ranking(
                fresh, given._replace(**known), classes="pile", has_doubts=False
            )
    except (PairsiftError, ValueError) as error:
        return None, f"They do not suffice for a ranking: {error}"
    if given.X is not features:
        ranking.warnings.append(
            "Missing values are filled with the mean of their column, or its most "
            "frequent word."
        )
    ranking.warnings[:0] = dict.fromkeys(str(w.message) for w in caught)
    return ranking, ""


def _answered(session: ActiveSession) -> str:
    """Say how many answers of each kind there are, in a sentence."""
    said = _counts(session)
    parts = [f"{number:,} {kind}" for kind, number in said.items() if number]
    n_answers = count(len(session.history), "answer", "answers")
    about = f" about {session.n_samples:,} rows"
    return f"{n_answers}{about}{': ' if parts else ''}{', '.join(parts)}."


def _counts(session: ActiveSession) -> dict[str, int]:
    from pairsift.active import Answer, Placement

    history = session.history
    pairs = Counter(a.answer for a in history if isinstance(a, Answer))
    cards = Counter(str(a.answer) for a in history if isinstance(a, Placement))
    n_apart = cards["new"] + cards["unsure"]
    return {
        "pairs same": pairs["same"],
        "pairs different": pairs["different"],
        "pairs unsure": pairs["unsure"],
        "cards placed on a pile": sum(cards.values()) - n_apart,
        "cards that began a pile": cards["new"],
        "cards unsure": cards["unsure"],
        "changes of piles": len(history) - pairs.total() - cards.total(),
    }


def _learned(ranking: Ranking, session: ActiveSession) -> str:
    name = ranking.method.class_name
    if ranking.n_constraints_used:
        return f"{name} learned from the {ranking.n_constraints_used:,} pairs in them."
    n_piles = count(len(session.piles), "pile", "piles")
    return f"{name} learned from {n_piles} of {ranking.n_labelled:,} sorted rows."


def _settled(ranking: Ranking, session: ActiveSession) -> str:
    """Say whether the choice still moves, which is known of SemiMRMR only."""
    if ranking.method.class_name != "SemiMRMR":
        return ""
    settled = session.settled
    if settled >= 1.0:
        return f"The last {_SETTLED_AFTER} answers have not changed the choice."
    return (
        f"The choice still moves: on average {settled:.0%} of it was chosen one to "
        f"{_SETTLED_AFTER} answers ago, too."
    )


def _answers(session: ActiveSession, table: Table) -> list[Section]:
    said = _counts(session)
    rows = [(kind, f"{number:,}") for kind, number in said.items() if number]
    if not rows:
        return [Section("The answers", [paragraph("None yet.")])]
    parts = [html_table(["answer", "number"], rows, numbers=["number"])]
    # A row that was only said to be different is no pile to speak of.
    piles = [pile for pile in session.piles if len(pile) > 1]
    if piles:
        parts += [heading("Piles of two and more rows")]
        parts += [_pile_table(sorted(piles, key=len, reverse=True), session, table)]
    return [
        Section("The answers", parts),
        Section("Answers to look at again", [warning_list(_odd(session, table))]),
    ]


def _pile_table(
    piles: Sequence[Sequence[int]], session: ActiveSession, table: Table
) -> str:
    number_of = session.labels
    rows = [
        (str(number_of[pile[0]]), f"{len(pile):,}", _listed(pile, table))
        for pile in piles[:_MAX_PILES]
    ]
    n_more = len(piles) - _MAX_PILES
    more = paragraph(f"... and {n_more:,} more piles.", "soft") if n_more > 0 else ""
    header = ["pile", "size", "rows"]
    return html_table(header, rows, numbers=["pile", "size"]) + more


def _listed(rows: Sequence[int], table: Table) -> str:
    names = [row_name(row, table.ids) for row in rows[:_MAX_NAMED]]
    more = f", and {len(rows) - _MAX_NAMED:,} more"
    return ", ".join(names) + (more if len(rows) > _MAX_NAMED else "")


def _odd(session: ActiveSession, table: Table) -> list[str]:
    """Return answers that contradict others, and those that others speak against."""
    from pairsift.selectors import PairLogistic

    contradictions = [
        f"contradiction: {' - '.join(row_name(row, table.ids) for row in c.chain)} "
        "were said to be the same, and "
        f"{' and '.join(row_name(row, table.ids) for row in c.cannot_link)} different."
        for c in session.conflicts
    ]
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model = PairLogistic().fit(table.features, constraints=session.constraints)
    except (PairsiftError, ValueError):
        # Too few answers to judge any of them by the others.
        return contradictions
    return contradictions + doubtful(model, table.features, session.constraints, table)
