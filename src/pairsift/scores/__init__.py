"""The published formulas as plain functions: arrays in, one score a feature out.

Higher is better throughout: a published score that is minimised is returned negated.
Pairs are ordered and used as given.
"""

from pairsift.scores._laplacian import laplacian_score
from pairsift.scores._margins import (
    relief_sc_score,
    relieff_sc_label_score,
    relieff_sc_score,
    simba_sc_score,
)
from pairsift.scores._variance import fisher_score, variance_score

__all__ = [
    "fisher_score",
    "laplacian_score",
    "relief_sc_score",
    "relieff_sc_label_score",
    "relieff_sc_score",
    "simba_sc_score",
    "variance_score",
]
