"""The clusters of features as a tree."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from pairsift._typing import FloatArray, IndexArray
from pairsift.plotting._inputs import names_of_features
from pairsift.plotting._matplotlib import (
    COLOURS,
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
    feature_names: Sequence[str] | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw how the features of a fitted selector were merged, and where that ended.

    Parameters
    ----------
    selector : FCRSC
        A fitted selector.
    feature_names : sequence of str, default=None
        Names of the features; None takes those seen in fit, or x0, x1, ...
    ax : matplotlib.axes.Axes, default=None
        Where to draw; None makes a figure as high as the features need.

    Returns
    -------
    ax : matplotlib.axes.Axes
        The axes with the tree: one line a feature, merges to the right, the less
        similar the further.

    Notes
    -----
    Clusters of several features have a colour, neighbouring ones different ones;
    features that stand alone are grey. Representatives are marked by a dot and a bold
    name. The dashed line is the cut: merges to its right were not made. Where merges of
    the same similarity were made only in part, it stands on them.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from sklearn.datasets import load_wine
    >>> from pairsift import FCRSC
    >>> from pairsift.plotting import plot_dendrogram
    >>> X, y = load_wine(return_X_y=True, as_frame=True)
    >>> ax = plot_dendrogram(FCRSC().fit(X, y), ax=Figure().subplots())
    >>> ax.get_title(loc="left")
    '13 features in 4 clusters'
    """
    linkage, names = _checked(selector, feature_names, ax)
    ax = axes_or_new(ax, 1.0 + INCHES_A_LINE * len(names))
    names = shortened(ax, names)
    leaves = _leaves(linkage)
    colours = _colours(selector.clusters_, leaves)
    start = _start(linkage)
    _draw_tree(ax, linkage, leaves, colours, selector.n_clusters_, start)
    _draw_names(ax, leaves, names, colours, selector.representatives_, start)
    _draw_cut(ax, linkage, selector.n_clusters_, start)
    is_usual = not len(linkage) or selector.feature_graph_.max() <= 1.0
    ax.set_xlabel(f"{'1' if is_usual else 'largest similarity'} − similarity")
    legend_below(ax, side="right")
    set_style(ax, hidden=("top", "right", "left"))
    ax.tick_params(axis="y", length=0)
    n_clusters = counted(selector.n_clusters_, "cluster")
    set_title(ax, f"{counted(len(names), 'feature')} in {n_clusters}", names)
    return ax


def _checked(
    selector: FCRSC, feature_names: Sequence[str] | None, ax: Any
) -> tuple[FloatArray, list[str]]:
    if not isinstance(selector, FCRSC):
        raise TypeError(
            f"selector must be a fitted FCRSC, got {type(selector).__name__}."
        )
    selector.get_support()  # refuses a selector that is not fitted
    check_axes(ax)
    return selector.linkage_, names_of_features(selector, feature_names)


def _leaves(linkage: FloatArray) -> IndexArray:
    """Features from top to bottom such that no lines cross, small branches first."""
    n_features = len(linkage) + 1
    branches = {feature: [feature] for feature in range(n_features)}
    for merge, (a, b) in enumerate(linkage[:, :2].astype(int).tolist()):
        parts = sorted((branches.pop(a), branches.pop(b)), key=len)
        branches[n_features + merge] = parts[0] + parts[1]
    (order,) = branches.values()
    return np.array(order, dtype=np.int64)


def _colours(clusters: IndexArray, leaves: IndexArray) -> list[str]:
    """Colour of each feature: in turn from top to bottom, grey where it is alone."""
    numbers, sizes = np.unique(clusters, return_counts=True)
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
    around = linkage[max(n_made - 1, 0) : n_made + 1, 2]
    # Nothing merged: left of the first merge; everything: right of the last.
    if n_made == 0:
        cut = (start + around[0]) / 2
    elif n_made == len(linkage):
        cut = last + 0.02 * (last - start)
    else:
        cut = around.mean()
    ax.axvline(cut, color="black", linestyle=(0, (4, 3)), linewidth=1.0, label="cut")
