"""The second eigenvector and the pairs asked about."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from pairsift import ActiveSession
from pairsift.active._session import STRATEGIES
from pairsift.plotting import plot_embedding

pytest.importorskip("matplotlib")

from matplotlib.figure import Figure

from tests.plotting.pictures import check_all_readable, column, legend_of

NAMES = {"same": "must-link", "different": "cannot-link", "unsure": "unsure"}


def session_of(answers=(), n_samples=30, **settings):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n_samples, 3))
    X[n_samples // 2 :] += 2.0
    settings = {"strategy": "eigenvector"} | settings
    session = ActiveSession(X, n_neighbors=min(7, n_samples - 1), n_jobs=1, **settings)
    for answer in answers:
        session.tell(*session.ask(), answer)
    return session


def arcs(ax, answer):
    """Points of each arc of an answer."""
    lines = [x for x in ax.lines if x.get_label().startswith(NAMES[answer] + " (")]
    found = []
    for line in lines:
        points = np.column_stack(line.get_data())
        gaps = np.flatnonzero(np.isnan(points[:, 0]))
        found += np.split(points, gaps)[:-1]
    return [part[~np.isnan(part[:, 0])] for part in found]


def test_rows_are_sorted_along_the_eigenvector():
    session = session_of()
    ax = plot_embedding(session)
    places, values = ax.collections[0].get_offsets().T
    assert_array_equal(places, np.arange(1, 31))
    assert_allclose(values, np.sort(session.embedding_))
    assert ax.get_title(loc="left") == "30 rows, 0 pairs answered"
    assert legend_of(ax) == ["most uncertain row"]


def test_arcs_join_the_pairs_answered():
    said = ["same", "different", "unsure", "different", "same", "different"]
    session = session_of(said)
    ax = plot_embedding(session)
    v = session.embedding_
    place = np.argsort(np.argsort(v, kind="stable")) + 1
    for answer in NAMES:
        pairs = [(i, j) for i, j, said in session.history if said == answer]
        drawn = arcs(ax, answer)
        assert len(drawn) == len(pairs) > 0
        for (i, j), points in zip(pairs, drawn, strict=True):
            assert_allclose(points[0], [place[i], v[i]])
            assert_allclose(points[-1], [place[j], v[j]])
    expected = ["must-link (2)", "cannot-link (3)", "unsure (1)", "most uncertain row"]
    assert legend_of(ax) == expected


def test_kinds_differ_in_colour_dashes_and_side():
    ax = plot_embedding(session_of(["same", "different", "unsure"]))
    lines = [x for x in ax.lines if "(1)" in x.get_label()]
    assert len({x.get_color() for x in lines}) == 3
    assert len({str(x._unscaled_dash_pattern) for x in lines}) == 3
    for answer, side in (("same", 1.0), ("different", -1.0), ("unsure", 1.0)):
        (points,) = arcs(ax, answer)
        middle = points[len(points) // 2]
        chord = (points[0] + points[-1]) / 2
        assert side * (middle[1] - chord[1]) > 0


def test_most_uncertain_row_is_circled():
    session = session_of(["different", "different"])
    ax = plot_embedding(session)
    (ring,) = [x for x in ax.lines if x.get_label() == "most uncertain row"]
    v = session.embedding_
    assert ring.get_ydata() == [v[session.uncertain_]]
    assert abs(ring.get_ydata()[0]) == np.abs(v).min()
    assert ring.get_xdata() == [(v < v[session.uncertain_]).sum() + 1]
    assert [text.get_text() for text in ax.texts] == [f"row {session.uncertain_}"]


def test_taken_back_answers_are_not_drawn():
    session = session_of(["different", "same"])
    session.undo()
    assert not arcs(plot_embedding(session), "same")


@pytest.mark.parametrize("make", [lambda: None, lambda: column(3.5)])
@pytest.mark.parametrize("n_samples", [2, 30, 200])
def test_readable(make, n_samples):
    answers = ["different"] if n_samples == 2 else ["different", "same", "unsure"] * 5
    check_all_readable(plot_embedding(session_of(answers, n_samples), ax=make()))


def test_drawn_in_given_axes():
    ax = Figure().subplots()
    assert plot_embedding(session_of(), ax=ax) is ax


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"session": 3}, TypeError, "session must be an ActiveSession, got int"),
        ({"ax": 3}, TypeError, "ax must be a Matplotlib Axes or None, got int"),
    ],
)
def test_refuses(arguments, error, message):
    with pytest.raises(error, match=message):
        plot_embedding(**{"session": session_of()} | arguments)


@pytest.mark.parametrize("strategy", sorted(STRATEGIES))
@pytest.mark.parametrize("n_samples", [3, 30])
def test_any_strategy_is_drawn(strategy, n_samples):
    settings = {"n_samples": n_samples, "strategy": strategy}
    session = session_of(["same", "different"], **settings)
    ax = plot_embedding(session)
    spectral = session_of(n_samples=n_samples)
    for answer in session.history:
        spectral.tell(*answer)

    assert_allclose(ax.collections[0].get_offsets()[:, 1], np.sort(spectral.embedding_))
    assert (len(arcs(ax, "same")), len(arcs(ax, "different"))) == (1, 1)
    # Only a strategy that looks at the eigenvector has a most uncertain row on it.
    assert ("most uncertain row" in legend_of(ax)) == hasattr(session, "uncertain_")
