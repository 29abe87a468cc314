"""Data sets of the papers by name, and generators whose relevant features are known."""

from pairsift.datasets._benchmarks import make_dcbench, make_fbench
from pairsift.datasets._generators import make_pcirc, make_xor
from pairsift.datasets._loaders import available, load
from pairsift.datasets._pair_problem import make_pair_problem

__all__ = [
    "available",
    "load",
    "make_dcbench",
    "make_fbench",
    "make_pair_problem",
    "make_pcirc",
    "make_xor",
]
