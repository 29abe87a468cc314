"""Pictures, with Matplotlib (the extra ``plot``), which is loaded when one is drawn."""

from pairsift.plotting._dendrogram import plot_dendrogram

__all__ = ["plot_dendrogram"]
