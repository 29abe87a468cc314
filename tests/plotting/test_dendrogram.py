"""The dendrogram shows what was fitted."""

import importlib
import subprocess
import sys
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import NotFittedError

from pairsift import FCRSC, ReliefFSc
from pairsift.plotting import plot_dendrogram
from tests.plotting.pictures import check_all_readable
from tests.selectors.builders import problem

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("agg")

from matplotlib.colors import to_rgba  # noqa: E402
from matplotlib.figure import Figure  # noqa: E402


def fitted(n_features=8, **parameters):
    X, y = problem(n_features=6)
    noise = np.random.default_rng(1).normal(scale=0.05, size=(len(X), n_features))
    X = X[:, np.arange(n_features) % 6] + noise
    names = [f"gene {j}" for j in range(n_features)]
    return FCRSC(**parameters).fit(pd.DataFrame(X, columns=names), y)


def labels(ax):
    return [label.get_text() for label in ax.get_yticklabels()]


def cut_of(ax):
    (line,) = [line for line in ax.lines if line.get_label() == "cut"]
    return line.get_xdata()[0]


@pytest.mark.parametrize("n_features", [2, 13, 60])
def test_every_feature_has_its_line_and_name(n_features):
    selector = fitted(n_features)
    ax = plot_dendrogram(selector)
    assert sorted(labels(ax)) == sorted(selector.feature_names_in_)
    branches, joints, _ = ax.collections
    assert len(branches.get_segments()) == 2 * n_features - 1
    assert len(joints.get_segments()) == n_features - 1
    ax.figure.canvas.draw()
    boxes = [label.get_window_extent() for label in ax.get_yticklabels()]
    tops = sorted((box.y0, box.y1) for box in boxes)
    assert all(a[1] < b[0] + 1.0 for a, b in pairwise(tops))
    inside = ax.figure.bbox
    legend = ax.get_legend().get_window_extent()
    for box in [*boxes, legend]:
        assert box.x0 >= inside.x0
        assert box.x1 <= inside.x1


def test_members_of_a_cluster_stand_together_and_share_a_colour():
    selector = fitted(13, n_clusters=6)
    ax = plot_dendrogram(selector)
    order = [selector.feature_names_in_.tolist().index(name) for name in labels(ax)]
    clusters = selector.clusters_[order]
    assert (np.diff(clusters) != 0).sum() == selector.n_clusters_ - 1
    colours = ax.collections[0].get_colors()
    seen = {}
    for feature, cluster in enumerate(selector.clusters_.tolist()):
        seen.setdefault(cluster, set()).add(tuple(colours[feature]))
    assert all(len(colours) == 1 for colours in seen.values())
    sizes = np.bincount(selector.clusters_)
    grey = to_rgba("#8c8c8c")
    for cluster, (colour,) in seen.items():
        assert (colour == grey) == (sizes[cluster] == 1)


def test_representatives_are_marked():
    selector = fitted(13)
    ax = plot_dendrogram(selector)
    chosen = set(selector.feature_names_in_[selector.representatives_])
    bold = {
        label.get_text()
        for label in ax.get_yticklabels()
        if label.get_fontweight() == "bold"
    }
    *_, dots = ax.collections
    assert bold == chosen
    marked = {labels(ax)[int(place)] for place in dots.get_offsets()[:, 1]}
    assert marked == chosen


@pytest.mark.parametrize("n_clusters", [None, 1, 4, 8])
def test_cut_separates_merges_made_from_those_not_made(n_clusters):
    selector = fitted(n_clusters=n_clusters)
    ax = plot_dendrogram(selector)
    n_made = 8 - selector.n_clusters_
    distances = selector.linkage_[:, 2]
    assert (distances[:n_made] < cut_of(ax)).all()
    assert (distances[n_made:] > cut_of(ax)).all()
    assert ax.get_xlim()[0] < cut_of(ax) < ax.get_xlim()[1]
    assert f"in {selector.n_clusters_} cluster" in ax.get_title(loc="left")


def test_one_feature_is_a_picture_too():
    X, y = problem()
    ax = plot_dendrogram(FCRSC().fit(X[:, [0]], y))
    assert labels(ax) == ["x0"]
    assert ax.get_title(loc="left") == "1 feature in 1 cluster"


def test_names_can_be_given_and_are_cut_when_too_long():
    ax = plot_dendrogram(fitted(2), feature_names=["short", "long " * 20])
    assert "short" in labels(ax)
    assert max(map(len, labels(ax))) == 32


@pytest.mark.slow
def test_deep_tree_does_not_recurse():
    # A chain of 1100 features: each is most similar to the one before it.
    selector = fitted()
    n = 1100
    merges = np.arange(n - 1)
    first = np.where(merges == 0, 0, n + merges - 1)
    selector.linkage_ = np.column_stack(
        [merges + 1, first, 0.1 + merges / n, merges + 2]
    ).astype(np.float64)
    selector.n_features_in_, selector.n_clusters_ = n, 1
    selector.clusters_ = np.zeros(n, dtype=np.int64)
    selector.representatives_ = np.array([3])
    selector.ranking_ = np.arange(1, n + 1)
    names = [str(j) for j in range(n)]
    ax = plot_dendrogram(
        selector, max_branches=None, feature_names=names, ax=Figure().subplots()
    )
    assert len(ax.collections[0].get_segments()) == 2 * n - 1
    # Not all names fit beside each other: every so many lines have theirs.
    assert 10 < len(labels(ax)) < 50


def test_of_300_features_the_last_branches_are_drawn():
    selector = fitted(300, n_clusters=6)
    ax = plot_dendrogram(selector, max_branches=20)
    title = "300 features in 6 clusters, drawn as 20 branches"
    assert ax.get_title(loc="left").replace("\n", " ") == title
    names = labels(ax)
    assert len(names) == 20
    # Every feature is on a branch, which its best feature names.
    assert sum(int(name.partition(" + ")[2] or 0) + 1 for name in names) == 300
    best = {name.partition(" + ")[0] for name in names}
    chosen = selector.feature_names_in_[selector.representatives_]
    assert set(chosen) <= best
    bold = [label for label in ax.get_yticklabels() if label.get_fontweight() == "bold"]
    assert len(bold) == 6
    branches, joints, _ = ax.collections
    assert len(branches.get_segments()) == 39
    assert len(joints.get_segments()) == 19
    drawn = sorted(segment[0][0] for segment in joints.get_segments())
    np.testing.assert_allclose(drawn, np.sort(selector.linkage_[-19:, 2]))
    assert (selector.linkage_[-5:, 2] > cut_of(ax)).all()


def test_a_large_tree_is_readable_and_of_bounded_height():
    ax = plot_dendrogram(fitted(300))
    check_all_readable(ax)
    assert ax.figure.get_size_inches()[1] < 12


def test_more_clusters_than_branches_leave_no_cut_to_see():
    selector = fitted(13, n_clusters=10)
    ax = plot_dendrogram(selector, max_branches=4)
    assert len(labels(ax)) == 4
    assert [line.get_label() for line in ax.lines] == []


def test_drawn_in_given_axes():
    ax = Figure().subplots()
    assert plot_dendrogram(fitted(), ax=ax) is ax


def test_distance_is_named():
    selector = fitted()
    assert plot_dendrogram(selector).get_xlabel() == "1 − similarity"
    selector.feature_graph_ = 2.0 * selector.feature_graph_
    expected = "largest similarity − similarity"
    assert plot_dendrogram(selector).get_xlabel() == expected


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"selector": ReliefFSc()}, TypeError, "must be a fitted FCRSC, got ReliefFSc"),
        ({"selector": FCRSC()}, NotFittedError, "not fitted"),
        ({"feature_names": ["a"]}, ValueError, "name the 8 features, got 1 names"),
        ({"ax": "here"}, TypeError, "ax must be a Matplotlib Axes or None, got str"),
        ({"max_branches": 1}, ValueError, "max_branches must be .* at least 2, got 1"),
    ],
)
def test_impossible_arguments_are_refused(arguments, error, message):
    with pytest.raises(error, match=message):
        plot_dendrogram(**{"selector": fitted()} | arguments)


def test_missing_matplotlib_is_one_sentence(monkeypatch):
    selector = fitted()
    real = importlib.import_module

    def without(name, package=None):
        if name.startswith("matplotlib"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return real(name, package)

    monkeypatch.setattr("pairsift.plotting._matplotlib.import_module", without)
    with pytest.raises(
        ModuleNotFoundError,
        match=r"Matplotlib is needed .* pip install 'pairsift\[plot",
    ):
        plot_dendrogram(selector)


@pytest.mark.subprocess
def test_room_does_not_load_matplotlib():
    script = "import sys, pairsift.plotting; print('matplotlib' in sys.modules)"
    found = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert found.stdout.strip() == "False"
