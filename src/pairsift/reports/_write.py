"""One function for the page of whatever there is to report."""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import Any

from pairsift.reports._comparison_page import write_evaluation
from pairsift.reports._evaluation import Evaluation
from pairsift.reports._fitted import Given, fitted_ranking
from pairsift.reports._ranking_page import write_ranking_page
from pairsift.reports._session_page import write_session

# What can be given beside each kind of thing.
_GOES_WITH = {
    "a selector": {*Given._fields},
    "a session": {"X", "feature_names", "sample_ids", "selector"},
    "a comparison": set[str](),
}


def write(
    thing: Any,
    path: str | PathLike[str],
    *,
    X: Any = None,
    y: Any = None,
    constraints: Any = None,
    feature_names: Any = None,
    sample_ids: Any = None,
    missing_label: Any = "auto",
    selector: Any = None,
    title: str | None = None,
    about: str | None = None,
) -> Path:
    """Write one self-contained HTML page of a ranking, a comparison or a session.

    Parameters
    ----------
    thing : selector, Comparison or ActiveSession
        A fitted selector of pairsift, what :func:`pairsift.evaluation.compare` returns,
        or a labelling session.
    path : str or path
        Where to write the page. A file that is there is replaced.
    X : array-like of shape (n_samples, n_features), default=None
        The data that the selector was fitted to. With them the page shows how the
        chosen features are distributed, whether they say the same, and how sure the
        choice is. A session has its data; X may be the data frame it was made from, so
        that the page has names and text.
    y : array-like of shape (n_samples,), default=None
        The labels that the selector was fitted to. Those of a selector that uses none
        may be given, too: pictures are then by class.
    constraints : PairConstraints, default=None
        The pairs that the selector was fitted to.
    feature_names : list of str, default=None
        Names of the features; None takes those seen in fit, those of X, or x0, x1, ...
    sample_ids : array-like of shape (n_samples,), default=None
        Ids of the rows, as in the selector's ``fit``, under which the page shows them;
        None takes those that `constraints` were made with, or row numbers from 0.
    missing_label : label, None or "auto", default="auto"
        As in the selector's ``fit``.
    selector : selector, default=None
        What ranks the features by the answers of a session. None is ``SemiMRMR()``
        from the piles if the strategy of the session is "sort", which makes some, else
        ``PairLogistic()`` from the pairs. It is cloned, never changed.
    title : str, default=None
        Title of the page; None makes one.
    about : str, default=None
        How the result came about, shown at the end; None says what is known of it.

    Returns
    -------
    path : Path
        The page.

    Raises
    ------
    DataError
        If the page cannot be written, or the data do not fit the selector; it is a
        `ValueError`.
    TypeError
        If there is no page of such a thing, or an argument does not go with it.

    See Also
    --------
    pairsift.plotting.plot_ranking : A figure for a paper.
    pairsift.plotting.plot_comparison : Figures of a comparison.

    Notes
    -----
    The page needs no other file, no network and no script; it has light and dark
    colours and fits a phone and a sheet of paper. It is written beside its place and
    then moved there, so that readers never see half a page.

    How sure a choice is: the selector is fitted again to twenty random halves of what
    it learned from, unless that would take more than ten seconds.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from sklearn.datasets import load_wine
    >>> from pairsift import FisherScore, reports
    >>> X, y = load_wine(return_X_y=True, as_frame=True)
    >>> selector = FisherScore(n_features_to_select=3).fit(X, y)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     page = reports.write(selector, Path(folder) / "wine.html", X=X, y=y)
    ...     text = page.read_text(encoding="utf-8")
    >>> "FisherScore chose flavanoids, proline and" in text
    True
    """
    given = Given(X, y, constraints, feature_names, sample_ids, missing_label)
    kind = _kind_of(thing)
    _refuse_foreign(kind, given, selector)
    for name, value in (("title", title), ("about", about)):
        if not isinstance(value, str | None):
            raise TypeError(f"{name} must be text, got {value!r}.")
    if not isinstance(path, str | PathLike):
        raise TypeError(f"path must be the name of a file, got {path!r}.")
    page = Path(path)
    if kind == "a comparison":
        evaluation = Evaluation.of(thing, about or "")
        write_evaluation(page, evaluation, repr(thing), title)
    elif kind == "a session":
        write_session(
            page, thing, given, selector=selector, title=title, about=about or ""
        )
    else:
        ranking = fitted_ranking(thing, given)
        name = type(thing).__name__
        write_ranking_page(
            page,
            ranking,
            title=title or f"{len(ranking.features):,} features ranked by {name}",
            command=repr(thing),
            about=about or "",
        )
    return page


def _kind_of(thing: Any) -> str:
    from pairsift.active import ActiveSession
    from pairsift.evaluation import Comparison

    if isinstance(thing, Comparison):
        return "a comparison"
    if isinstance(thing, ActiveSession):
        return "a session"
    # A class has the method, too, but is no selector yet.
    if hasattr(type(thing), "_method") and hasattr(thing, "get_support"):
        return "a selector"
    given = f"the class {thing.__name__}" if isinstance(thing, type) else None
    raise TypeError(
        "thing must be a fitted selector of pairsift, a Comparison or an "
        f"ActiveSession, got {given or type(thing).__name__}."
    )


def _refuse_foreign(kind: str, given: Given, selector: Any) -> None:
    """Refuse arguments that would be of no use."""
    default = Given()._asdict() | {"selector": None}
    for name, value in (given._asdict() | {"selector": selector}).items():
        is_given = value is not default[name] and not (
            isinstance(value, str) and value == default[name]
        )
        if is_given and name not in _GOES_WITH[kind]:
            raise TypeError(f"{name} does not go with {kind}: leave it out.")
