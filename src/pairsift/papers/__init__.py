"""The experiments of the papers, to be run again: ours beside theirs."""

from pairsift.papers._experiment import Cell, Experiment
from pairsift.papers._reproduce import experiments, reproduce

__all__ = ["Cell", "Experiment", "experiments", "reproduce"]
