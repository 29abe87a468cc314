"""Redundancy along a ranking."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pairsift._checks import as_matrix
from pairsift._typing import FloatArray, IndexArray
from pairsift.evaluation import redundancy_rate, representation_entropy
from pairsift.plotting._curves import Curve, draw_curves
from pairsift.plotting._inputs import as_numbers, as_order, named_selectors
from pairsift.plotting._matplotlib import (
    FAINT_TEXT,
    QUIET,
    TEXT,
    WIDTH,
    check_axes,
    legend_below,
    load_pyplot,
)
from pairsift.selectors import BaseScoreSelector

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Sizes that are measured unless others are given; entropies cost O(n s²) each.
MAX_SIZES = 50


def plot_redundancy(
    X: ArrayLike,
    orders: Mapping[str, Any] | Sequence[BaseScoreSelector] | BaseScoreSelector,
    *,
    sizes: ArrayLike | None = None,
    absolute: bool = False,
    axes: Sequence[Axes] | None = None,
) -> NDArray[np.object_]:
    r"""Draw how redundant the best 1, 2, 3, ... features of rankings are.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Data, all finite.
    orders : mapping, list or selector
        Fitted selectors by name, a list of them or a single one. In a mapping, a list
        of column numbers, best first, may stand for a selector.
    sizes : array-like of int, default=None
        Numbers of features to measure, ascending; None is all of them up to 50, beyond
        that 50 numbers with equal ratios.
    absolute : bool, default=False
        Whether the redundancy rate sums absolute correlations.
    axes : sequence of two matplotlib.axes.Axes, default=None
        Where to draw; None makes a figure.

    Returns
    -------
    axes : ndarray of two matplotlib.axes.Axes
        Above the redundancy rate, lower is better, below the representation entropy,
        higher is better.

    See Also
    --------
    pairsift.evaluation.redundancy_rate : The rate, with its formula.
    pairsift.evaluation.representation_entropy : The entropy, with its formula.
    plot_dendrogram : Which features say the same.

    Notes
    -----
    The entropy of s features of n rows is at most :math:`\log \min(s, n - 1)`, the
    grey line: it grows with the number of features, and the distance to the line tells
    the redundancy. It depends on the scales of the features; the papers scale to [0, 1]
    first. The rate of one feature is 0 and is not drawn.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from pairsift import MRMR, ReliefF
    >>> from pairsift.plotting import plot_redundancy
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.preprocessing import minmax_scale
    >>> X, y = load_wine(return_X_y=True)
    >>> X = minmax_scale(X)
    >>> selectors = [ReliefF().fit(X, y), MRMR().fit(X, y)]
    >>> rate, entropy = plot_redundancy(X, selectors, axes=Figure().subplots(2))
    >>> rate.lines[0].get_ydata()[:2].round(3)
    array([0.394, 0.266])
    """
    matrix = as_matrix(X)
    given = named_selectors(orders, "orders")
    found = {
        name: as_order(value, f"orders[{name!r}]", matrix.shape[1])
        for name, value in given.items()
    }
    measured = _sizes(sizes, min(order.size for order in found.values()))
    upper, lower = _two_axes(axes, len(found))
    rates, entropies = {}, {}
    for name, order in found.items():
        several = measured[measured > 1]
        rate = [redundancy_rate(matrix, order[:s], absolute) for s in several]
        entropy = [representation_entropy(matrix, order[:s]) for s in measured]
        rates[name] = Curve(several, np.array(rate))
        entropies[name] = Curve(measured, np.array(entropy))
    draw_curves(upper, rates, mark_best=False)
    _draw_limit(lower, measured, len(matrix))
    draw_curves(lower, entropies, mark_best=False)
    upper.set(xlabel="", ylabel="redundancy rate", xlim=lower.get_xlim())
    if measured[-1] < 2:
        _say_why_empty(upper)
    lower.set_ylabel("representation entropy")
    legend_below(lower)
    return np.array([upper, lower], dtype=object)


def _sizes(sizes: ArrayLike | None, n_ranked: int) -> IndexArray:
    if sizes is None:
        if n_ranked <= MAX_SIZES:
            return np.arange(1, n_ranked + 1)
        return np.unique(np.geomspace(1, n_ranked, MAX_SIZES).round().astype(np.int64))
    numbers: FloatArray = as_numbers(sizes, "sizes", (1,))
    is_size = (numbers == numbers.round()) & (numbers >= 1) & (numbers <= n_ranked)
    if not is_size.all() or (np.diff(numbers) <= 0).any():
        raise ValueError(
            f"sizes must be ascending whole numbers from 1 to {n_ranked}, the number "
            f"of ranked features, got {sizes!r}."
        )
    return numbers.astype(np.int64)


def _two_axes(axes: Sequence[Axes] | None, n_lines: int) -> tuple[Axes, Axes]:
    if axes is None:
        size = (WIDTH, 3.8 + 0.07 * n_lines)
        axes = load_pyplot().subplots(2, figsize=size, layout="constrained")[1]
    is_pair = isinstance(axes, list | tuple | np.ndarray) and len(axes) == 2
    if not is_pair:
        raise TypeError(
            "axes must be two Matplotlib Axes or None, got "
            f"{len(axes) if hasattr(axes, '__len__') else type(axes).__name__}."
        )
    upper, lower = axes
    check_axes(upper, "axes[0]")
    check_axes(lower, "axes[1]")
    return upper, lower


def _draw_limit(ax: Axes, sizes: IndexArray, n_rows: int) -> None:
    # Centred columns have one dimension less than rows.
    largest = np.log(np.maximum(np.minimum(sizes, n_rows - 1), 1))
    label = "largest possible"
    ax.plot(sizes, largest, color=QUIET, linewidth=0.8, zorder=1.0, label=label)


def _say_why_empty(ax: Axes) -> None:
    ax.set_yticks([])
    ax.text(
        *(0.5, 0.5, "one feature has no redundancy rate"),
        transform=ax.transAxes,
        ha="center",
        fontsize=TEXT,
        color=FAINT_TEXT,
    )
