"""Pictures, with Matplotlib (the extra ``plot``), which is loaded when one is drawn."""

from pairsift.plotting._comparison import plot_comparison
from pairsift.plotting._critical_difference import plot_critical_difference
from pairsift.plotting._curves import plot_accuracy_curve
from pairsift.plotting._dendrogram import plot_dendrogram
from pairsift.plotting._embedding import plot_embedding
from pairsift.plotting._path import plot_path
from pairsift.plotting._ranking import plot_ranking, plot_ranks
from pairsift.plotting._redundancy import plot_redundancy
from pairsift.plotting._sweep import plot_sweep

__all__ = [
    "plot_accuracy_curve",
    "plot_comparison",
    "plot_critical_difference",
    "plot_dendrogram",
    "plot_embedding",
    "plot_path",
    "plot_ranking",
    "plot_ranks",
    "plot_redundancy",
    "plot_sweep",
]
