"""The clusters of features as a tree."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from pairsift._checks import check_at_least
from pairsift._drawing import COLOURS
from pairsift._typing import FloatArray, IndexArray
from pairsift.plotting._inputs import names_of_features
from pairsift.plotting._matplotlib import (
    FAINT_TEXT,
    INCHES_A_LINE,
    QUIET,
    axes_or_new,
    check_axes,
    counted,
    legend_below,
    name_lines,
    set_style,
    set_title,
    shortened,
)
from pairsift.selectors import FCRSC

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_dendrogram(
    selector: FCRSC,
    *,
    max_branches: int | None = 60,
    feature_names: Sequence[str] | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw how the features of a fitted selector were merged, and where that ended.

    Parameters
    ----------
    selector : FCRSC
        A fitted selector.
    max_branches : int or None, default=60
        Number of lines at most. Features that were merged first are drawn as one
        branch, named by its best feature and the number of the others; None draws one
        line per feature.
    feature_names : sequence of str, default=None
        Names of the features; None takes those seen in fit, or x0, x1, ...
    ax : matplotlib.axes.Axes, default=None
        Where to draw; None makes a figure as high as the branches need.

    Returns
    -------
    ax : matplotlib.axes.Axes
        The axes with the tree: one line per branch, merges to the right, the less
        similar the further.

    Notes
    -----
    Clusters of several features have a colour, neighbouring ones different ones;
    features that stand alone are grey, and so are branches of several clusters, which
    occur when there are more clusters than `max_branches`; then there is no cut to see.
    Representatives are marked by a dot and a bold
    name. The dashed line is the cut: merges to its right were not made. Where merges of
    the same similarity were made only in part, it stands on them.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from pairsift import FCRSC
    >>> from pairsift.plotting import plot_dendrogram
    >>> from sklearn.datasets import load_wine
    >>> X, y = load_wine(return_X_y=True, as_frame=True)
    >>> ax = plot_dendrogram(FCRSC().fit(X, y), ax=Figure().subplots())
    >>> ax.get_title(loc="left")
    '13 features in 4 clusters'
    """
    names = _checked(selector, feature_names, max_branches, ax)
    tree = _collapsed(selector, names, max_branches or len(names))
    linkage = tree.linkage
    ax = axes_or_new(ax, 1.0 + INCHES_A_LINE * len(tree.names))
    names_shown = shortened(ax, tree.names)
    leaves = _leaves(linkage)
    colours = _colours(tree.clusters, selector.clusters_, leaves)
    start = _start(linkage)
    _draw_tree(ax, linkage, leaves, colours, selector.n_clusters_, start)
    _draw_names(ax, leaves, names_shown, colours, tree.chosen, start)
    _draw_cut(ax, linkage, selector.n_clusters_, start)
    is_usual = not len(linkage) or selector.feature_graph_.max() <= 1.0
    ax.set_xlabel(f"{'1' if is_usual else 'largest similarity'} − similarity")
    legend_below(ax, side="right")
    set_style(ax, hidden=("top", "right", "left"))
    ax.tick_params(axis="y", length=0)
    n_clusters = counted(selector.n_clusters_, "cluster")
    title = f"{counted(len(names), 'feature')} in {n_clusters}"
    if len(tree.names) < len(names):
        title += f", drawn as {len(tree.names)} branches"
    set_title(ax, title, names_shown)
    return ax


class Tree(NamedTuple):
    """The last merges, between branches of features that were merged before."""

    linkage: FloatArray
    names: list[str]
    clusters: IndexArray
    """Cluster of each branch, -1 for a branch of several."""
    chosen: IndexArray
    """Branches that hold a representative."""


def _collapsed(selector: FCRSC, names: list[str], most: int) -> Tree:
    """Take the features as they are, or the branches that the last merges join."""
    linkage, n_features = selector.linkage_, len(names)
    members = {feature: [feature] for feature in range(n_features)}
    n_hidden = max(0, n_features - most)
    for merge, (a, b) in enumerate(linkage[:n_hidden, :2].astype(int).tolist()):
        members[n_features + merge] = members.pop(a) + members.pop(b)
    number = {node: branch for branch, node in enumerate(members)}
    shown = linkage[n_hidden:].copy()
    for merge in range(len(shown)):
        number[n_features + n_hidden + merge] = len(members) + merge
    for row in shown:
        row[:2] = number[int(row[0])], number[int(row[1])]
    texts, clusters = [], []
    for features in members.values():
        best = min(features, key=lambda j: selector.ranking_[j])
        n_others = len(features) - 1
        texts.append(f"{names[best]} + {n_others}" if n_others else names[best])
        held = set(selector.clusters_[features].tolist())
        clusters.append(held.pop() if len(held) == 1 else -1)
    chosen = set(selector.representatives_.tolist())
    is_chosen = [not chosen.isdisjoint(features) for features in members.values()]
    return Tree(shown, texts, np.array(clusters), np.flatnonzero(is_chosen))


def _checked(
    selector: FCRSC,
    feature_names: Sequence[str] | None,
    max_branches: int | None,
    ax: Any,
) -> list[str]:
    if not isinstance(selector, FCRSC):
        raise TypeError(
            f"selector must be a fitted FCRSC, got {type(selector).__name__}."
        )
    selector.get_support()  # refuses a selector that is not fitted
    if max_branches is not None:
        check_at_least(max_branches, "max_branches", 2)
    check_axes(ax)
    return names_of_features(selector, feature_names)


def _leaves(linkage: FloatArray) -> IndexArray:
    """Branches from top to bottom such that no lines cross, small branches first."""
    n_features = len(linkage) + 1
    branches = {feature: [feature] for feature in range(n_features)}
    for merge, (a, b) in enumerate(linkage[:, :2].astype(int).tolist()):
        parts = sorted((branches.pop(a), branches.pop(b)), key=len)
        branches[n_features + merge] = parts[0] + parts[1]
    (order,) = branches.values()
    return np.array(order, dtype=np.int64)


def _colours(
    clusters: IndexArray, of_features: IndexArray, leaves: IndexArray
) -> list[str]:
    """Colour of each branch: in turn from top to bottom, grey for a feature alone."""
    numbers, sizes = np.unique(of_features, return_counts=True)
    large = set(numbers[sizes > 1].tolist())
    of_cluster: dict[int, str] = {}
    for cluster in clusters[leaves].tolist():
        if cluster in large and cluster not in of_cluster:
            of_cluster[cluster] = COLOURS[len(of_cluster) % len(COLOURS)]
    return [of_cluster.get(cluster, QUIET) for cluster in clusters.tolist()]


def _start(linkage: FloatArray) -> float:
    """Where the lines of the features begin, a little before the first merge."""
    if not len(linkage):
        return 0.0
    first, last = linkage[0, 2], linkage[-1, 2]
    return float(first - 0.12 * max(last - first, 0.1))


def _draw_tree(
    ax: Axes,
    linkage: FloatArray,
    leaves: IndexArray,
    colours: list[str],
    n_clusters: int,
    start: float,
) -> None:
    n_features = leaves.size
    height = np.empty(2 * n_features - 1)
    height[leaves] = np.arange(n_features)
    reach = np.full(2 * n_features - 1, start)
    tint = [*colours, *[QUIET] * len(linkage)]
    end = np.full(2 * n_features - 1, linkage[-1, 2] if len(linkage) else 1.0)
    joints = []
    for merge, (a, b) in enumerate(linkage[:, :2].astype(int).tolist()):
        node, distance = n_features + merge, linkage[merge, 2]
        if merge < n_features - n_clusters:
            tint[node] = tint[a]
        end[a] = end[b] = reach[node] = distance
        height[node] = (height[a] + height[b]) / 2
        joints.append((distance, height[a], height[b], tint[node]))
    # A branch keeps the colour of its cluster up to the merge that was not made.
    ax.hlines(height, reach, end, colors=tint, linewidths=_widths(tint))
    if joints:
        at, low, high, tints = zip(*joints, strict=True)
        ax.vlines(at, low, high, colors=tints, linewidths=_widths(tints))


def _widths(tints: Sequence[str]) -> list[float]:
    return [1.0 if tint == QUIET else 1.6 for tint in tints]


def _draw_names(
    ax: Axes,
    leaves: IndexArray,
    names: list[str],
    colours: list[str],
    chosen: IndexArray,
    start: float,
) -> None:
    is_chosen = np.isin(leaves, chosen)
    step = name_lines(ax, np.arange(leaves.size), [names[j] for j in leaves])
    for label, chosen_one in zip(ax.get_yticklabels(), is_chosen[::step], strict=True):
        label.set_color("black" if chosen_one else FAINT_TEXT)
        label.set_fontweight("bold" if chosen_one else "normal")
    ax.scatter(
        np.full(is_chosen.sum(), start),
        np.flatnonzero(is_chosen),
        s=26,
        color=[colours[j] for j in leaves[is_chosen]],
        clip_on=False,
        zorder=3,
        label="representative",
    )
    ax.set_ylim(leaves.size - 0.4, -0.6)


def _draw_cut(ax: Axes, linkage: FloatArray, n_clusters: int, start: float) -> None:
    if not len(linkage):
        ax.set_xticks([])
        return
    n_made = len(linkage) + 1 - n_clusters
    last = linkage[-1, 2]
    ax.set_xlim(start, last + 0.04 * (last - start))
    if n_made < 0:
        return
    around = linkage[max(n_made - 1, 0) : n_made + 1, 2]
    # Nothing merged: left of the first merge; everything: right of the last.
    if n_made == 0:
        cut = (start + around[0]) / 2
    elif n_made == len(linkage):
        cut = last + 0.02 * (last - start)
    else:
        cut = around.mean()
    ax.axvline(cut, color="black", linestyle=(0, (4, 3)), linewidth=1.0, label="cut")
