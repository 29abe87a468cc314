"""The published formulas as plain functions: arrays in, one score a feature out.

Higher is better throughout: a published score that is minimised is returned negated.
Pairs are ordered and used as given. Functions that search subsets are named paths, and
return the features in order.
"""

from pairsift.scores._cluster_variance import cluster_variance_score
from pairsift.scores._collinearity import collinearity_score
from pairsift.scores._constrained_laplacian import (
    constraint_score_5,
    constraint_score_6,
    constraint_score_7,
)
from pairsift.scores._constraint import (
    constraint_score_1,
    constraint_score_2,
    constraint_score_3,
    constraint_score_4,
)
from pairsift.scores._ensemble import ensemble_constraint_score
from pairsift.scores._fcrsc import fcrsc_score
from pairsift.scores._forward_backward import forward_backward_path
from pairsift.scores._gram_schmidt import gram_schmidt_path
from pairsift.scores._irelief import irelief_score
from pairsift.scores._iterative_relief import iterative_relief_score
from pairsift.scores._laplacian import laplacian_score
from pairsift.scores._logistic_irelief import (
    logistic_irelief_score,
    semi_logistic_irelief_score,
)
from pairsift.scores._margins import (
    relief_sc_score,
    relieff_sc_label_score,
    relieff_sc_score,
)
from pairsift.scores._mici import mici_score
from pairsift.scores._mrmr import mrmr_path
from pairsift.scores._nearest_neighbor import nearest_neighbor_path
from pairsift.scores._online_irelief import online_irelief_score
from pairsift.scores._pair_logistic import pair_logistic_path, pair_logistic_score
from pairsift.scores._pair_model import PairPath
from pairsift.scores._pearson import pearson_score
from pairsift.scores._relief import relief_score, relieff_score
from pairsift.scores._rrelieff import rrelieff_score
from pairsift.scores._scgs import scgs_score
from pairsift.scores._semi_mrmr import semi_mrmr_path
from pairsift.scores._simba_labels import simba_score
from pairsift.scores._simba_sc import simba_sc_score
from pairsift.scores._similarity import similarity_class_path, similarity_pair_path
from pairsift.scores._spec import spec_label_score, spec_score
from pairsift.scores._sselect import sselect_score
from pairsift.scores._ssfc import ssfc_path
from pairsift.scores._stir import stir_score
from pairsift.scores._surf import (
    multisurf_score,
    multisurf_star_score,
    surf_score,
    surf_star_score,
    swrf_star_score,
)
from pairsift.scores._svd_entropy import svd_entropy_score
from pairsift.scores._unsupervised_mrmr import unsupervised_mrmr_path
from pairsift.scores._variance import fisher_score, variance_score

__all__ = [
    "PairPath",
    "cluster_variance_score",
    "collinearity_score",
    "constraint_score_1",
    "constraint_score_2",
    "constraint_score_3",
    "constraint_score_4",
    "constraint_score_5",
    "constraint_score_6",
    "constraint_score_7",
    "ensemble_constraint_score",
    "fcrsc_score",
    "fisher_score",
    "forward_backward_path",
    "gram_schmidt_path",
    "irelief_score",
    "iterative_relief_score",
    "laplacian_score",
    "logistic_irelief_score",
    "mici_score",
    "mrmr_path",
    "multisurf_score",
    "multisurf_star_score",
    "nearest_neighbor_path",
    "online_irelief_score",
    "pair_logistic_path",
    "pair_logistic_score",
    "pearson_score",
    "relief_sc_score",
    "relief_score",
    "relieff_sc_label_score",
    "relieff_sc_score",
    "relieff_score",
    "rrelieff_score",
    "scgs_score",
    "semi_logistic_irelief_score",
    "semi_mrmr_path",
    "simba_sc_score",
    "simba_score",
    "similarity_class_path",
    "similarity_pair_path",
    "spec_label_score",
    "spec_score",
    "sselect_score",
    "ssfc_path",
    "stir_score",
    "surf_score",
    "surf_star_score",
    "svd_entropy_score",
    "swrf_star_score",
    "unsupervised_mrmr_path",
    "variance_score",
]
