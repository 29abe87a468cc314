"""Several selectors on one data set: the plan, its cells, and what they amount to."""

from pairsift.evaluation._compare._comparing import compare
from pairsift.evaluation._compare._result import Comparison

__all__ = ["Comparison", "compare"]
