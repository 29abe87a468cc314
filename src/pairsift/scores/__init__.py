"""The published formulas as plain functions: arrays in, one score per feature out.

Higher is better throughout: a published score that is minimised is returned negated.
Pairs are ordered and used as given. Functions that search subsets are named paths, and
return the features in order.
"""

# Names imported as themselves (`X as X`) are shared with other packages, not public.
from pairsift.scores._cluster_variance import cluster_variance_score
from pairsift.scores._collinearity import (
    COLLINEARITY_MEASURES as COLLINEARITY_MEASURES,
    COLLINEARITY_PREFERENCES as COLLINEARITY_PREFERENCES,
    collinearity_score,
)
from pairsift.scores._columns import (
    centred_columns as centred_columns,
    unit_columns as unit_columns,
)
from pairsift.scores._constrained_laplacian import (
    constraint_score_5,
    constraint_score_6,
    constraint_score_7,
)
from pairsift.scores._constraint import (
    PairSums as PairSums,
    constraint_score_1,
    constraint_score_2,
    constraint_score_3,
    constraint_score_4,
    fit_constraint_score_1 as fit_constraint_score_1,
    fit_constraint_score_2 as fit_constraint_score_2,
    fit_constraint_score_3 as fit_constraint_score_3,
    fit_constraint_score_4 as fit_constraint_score_4,
    nearest_rows_graph as nearest_rows_graph,
    sums_of_classes as sums_of_classes,
    sums_of_pairs as sums_of_pairs,
)
from pairsift.scores._correlation_path import (
    correlation_path as correlation_path,
    fewest_features as fewest_features,
)
from pairsift.scores._correlation_search import MIN_REDUNDANCY as MIN_REDUNDANCY
from pairsift.scores._ensemble import ensemble_constraint_score
from pairsift.scores._fcrsc import fcrsc_score, fit_fcrsc as fit_fcrsc
from pairsift.scores._feature_cluster_mi import (
    feature_cluster_mi_score,
    fit_feature_cluster_mi as fit_feature_cluster_mi,
)
from pairsift.scores._forward_backward import forward_backward_path
from pairsift.scores._fs_manifold import (
    fit_fs_manifold as fit_fs_manifold,
    fs_manifold_score,
)
from pairsift.scores._gram_schmidt import gram_schmidt_path
from pairsift.scores._irelief import (
    MULTI_CLASS as MULTI_CLASS,
    fit_irelief as fit_irelief,
    irelief_score,
)
from pairsift.scores._iterative_relief import (
    fit_iterative_relief as fit_iterative_relief,
    iterative_relief_score,
)
from pairsift.scores._laplacian import laplacian_score
from pairsift.scores._lmfs import (
    LMFS_EMPHASES as LMFS_EMPHASES,
    LMFS_RULES as LMFS_RULES,
    LMFS_STEPS as LMFS_STEPS,
    LMFS_UNLABELLED as LMFS_UNLABELLED,
    NetworkFit as NetworkFit,
    fit_lmfs as fit_lmfs,
    lmfs_score,
    not_optimal as not_optimal,
)
from pairsift.scores._logistic_irelief import (
    UNLABELLED_MARGINS as UNLABELLED_MARGINS,
    LogisticFit as LogisticFit,
    fit_logistic_irelief as fit_logistic_irelief,
    fit_semi_logistic_irelief as fit_semi_logistic_irelief,
    logistic_irelief_score,
    semi_logistic_irelief_score,
)
from pairsift.scores._margins import (
    NULLS as NULLS,
    MarginRules as MarginRules,
    label_margins as label_margins,
    pair_margins as pair_margins,
    relief_sc_score,
    relieff_sc_label_score,
    relieff_sc_score,
)
from pairsift.scores._mcfs import fit_mcfs as fit_mcfs, mcfs_score
from pairsift.scores._mici import fit_mici as fit_mici, mici_score
from pairsift.scores._mrmr import (
    MRMR_ESTIMATORS as MRMR_ESTIMATORS,
    MRMR_FORMS as MRMR_FORMS,
    check_correlation as check_correlation,
    mrmr_path,
)
from pairsift.scores._nearest_neighbor import nearest_neighbor_path
from pairsift.scores._online_irelief import (
    Stream as Stream,
    fit_online_irelief as fit_online_irelief,
    online_irelief_score,
)
from pairsift.scores._pair_logistic import (
    held_out_losses as held_out_losses,
    left_out_probabilities as left_out_probabilities,
    pair_logistic_path,
    pair_logistic_score,
    path_scores as path_scores,
)
from pairsift.scores._pair_model import (
    Examples as Examples,
    PairPath,
    PairProblem as PairProblem,
    not_certified as not_certified,
)
from pairsift.scores._pearson import pearson_score
from pairsift.scores._relief import relief_score, relieff_score
from pairsift.scores._rrelieff import rrelieff_score
from pairsift.scores._s3vm import (
    fit_s3vm as fit_s3vm,
    s3vm_score,
)
from pairsift.scores._scgs import (
    fit_scgs as fit_scgs,
    not_converged as not_converged,
    scgs_score,
)
from pairsift.scores._search import SEARCH_TIE as SEARCH_TIE
from pairsift.scores._semi_mrmr import semi_mrmr_path
from pairsift.scores._simba_labels import simba_score
from pairsift.scores._simba_sc import simba_sc_score
from pairsift.scores._similarity import similarity_class_path, similarity_pair_path
from pairsift.scores._spec import spec_label_score, spec_score
from pairsift.scores._sselect import sselect_score
from pairsift.scores._ssfc import (
    RELEVANCE_TESTS as RELEVANCE_TESTS,
    SSFC_LAMBDAS as SSFC_LAMBDAS,
    SSFC_MEASURES as SSFC_MEASURES,
    SSFC_PERMUTED as SSFC_PERMUTED,
    SSFC_STOPS as SSFC_STOPS,
    ssfc_path,
)
from pairsift.scores._stir import (
    NEIGHBORHOODS as NEIGHBORHOODS,
    stir_score,
    stir_test as stir_test,
)
from pairsift.scores._surf import (
    MISS_WEIGHTING as MISS_WEIGHTING,
    multisurf_score,
    multisurf_star_score,
    surf_score,
    surf_star_score,
    swrf_star_score,
)
from pairsift.scores._svd_entropy import svd_entropy_score
from pairsift.scores._ties import (
    score_levels as score_levels,
)
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
    "feature_cluster_mi_score",
    "fisher_score",
    "forward_backward_path",
    "fs_manifold_score",
    "gram_schmidt_path",
    "irelief_score",
    "iterative_relief_score",
    "laplacian_score",
    "lmfs_score",
    "logistic_irelief_score",
    "mcfs_score",
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
    "s3vm_score",
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
