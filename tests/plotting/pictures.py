"""What tests of pictures share."""

from itertools import pairwise

import matplotlib.pyplot as plt


def column(height=3.0, n_lines=1):
    """Axes of a figure as wide as a column of print."""
    return plt.subplots(n_lines, figsize=(3.3, height), layout="constrained")[1]


def labels(axis):
    return [label.get_text() for label in axis.get_ticklabels()]


def legend_of(ax):
    return [text.get_text() for text in ax.get_legend().get_texts()]


def drawn_ticks(axis, limits):
    """Names of the ticks within the limits; Matplotlib keeps others, undrawn."""
    low, high = sorted(limits)
    along = 0 if axis.axis_name == "x" else 1
    return [
        text
        for text in axis.get_ticklabels()
        if text.get_text() and low <= text.get_position()[along] <= high
    ]


def check_all_readable(*all_axes):
    """Every text lies in the figure, and no two names of an axis on each other."""
    figure = all_axes[0].figure
    figure.canvas.draw()
    inside = figure.bbox.padded(1.0)
    for ax in all_axes:
        texts = [*ax.texts]
        if ax.axison:
            names = drawn_ticks(ax.yaxis, ax.get_ylim())
            numbers = drawn_ticks(ax.xaxis, ax.get_xlim())
            titles = [ax.xaxis.label, ax.yaxis.label, ax._left_title]
            texts += [*names, *numbers, *(text for text in titles if text.get_text())]
            spans = sorted((b.y0, b.y1) for b in map(extent, names))
            assert all(a[1] <= b[0] + 2.0 for a, b in pairwise(spans))
            spans = sorted((b.x0, b.x1) for b in map(extent, numbers))
            assert all(a[1] <= b[0] + 2.0 for a, b in pairwise(spans))
        if ax.get_legend() is not None:
            texts += ax.get_legend().get_texts()
        for text in texts:
            box = extent(text)
            is_inside = inside.contains(box.x0, box.y0) and inside.contains(
                box.x1, box.y1
            )
            assert is_inside, f"{text.get_text()!r} at {box.extents}"


def extent(text):
    return text.get_window_extent()
