"""Compiled loops: arrays in, arrays out.

Numba is loaded, and compiled code read from its cache, when a kernel is first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pairsift._kernels._class_spacings import class_spacing_pairs
    from pairsift._kernels._contingency import contingency_pairs
    from pairsift._kernels._diff import Columns, describe_columns, plain_columns
    from pairsift._kernels._feature_graph import rebuild
    from pairsift._kernels._find_neighbors import share_of_ties
    from pairsift._kernels._forward_neighbor import add_squares, neighbor_hits
    from pairsift._kernels._graph import (
        add_rows_of_forms,
        dense_forms,
        pair_distances,
        sparse_forms,
        squared_distances,
    )
    from pairsift._kernels._irelief import (
        expected_margins,
        nearest_classes,
        online_steps,
    )
    from pairsift._kernels._iterative_relief import radius_margins
    from pairsift._kernels._jit import (
        on_threads,
        one_blas_thread,
        report_done,
        watching,
    )
    from pairsift._kernels._ksg import ksg_pairs
    from pairsift._kernels._label_margins import label_margin_sums
    from pairsift._kernels._margins import margin_sums
    from pairsift._kernels._max_norm import cell_counts, cell_distances, grow_forest
    from pairsift._kernels._near_hits import near_hits
    from pairsift._kernels._neighbors import nearest_rows, single_columns
    from pairsift._kernels._pair_model import (
        fit_pairs,
        lower_bound,
        pair_differences,
        sum_of_differences,
    )
    from pairsift._kernels._relief import relief_sums
    from pairsift._kernels._rough_similarity import (
        rough_bound,
        rough_columns,
        rough_errors,
    )
    from pairsift._kernels._rrelieff import target_sums
    from pairsift._kernels._secular import downdated_entropies
    from pairsift._kernels._simba import simba_pass, total_margin
    from pairsift._kernels._simba_labels import simba_label_pass, total_label_margin
    from pairsift._kernels._similarity import (
        add_feature,
        error_parts,
        pair_errors,
        similarity_errors,
    )
    from pairsift._kernels._stir import neighbor_moments
    from pairsift._kernels._surf import (
        OWN_RADIUS,
        SAME_RADIUS,
        SIGMOID,
        add_sorted_lines,
        distance_moments,
        surf_sums,
    )

__all__ = [
    "OWN_RADIUS",
    "SAME_RADIUS",
    "SIGMOID",
    "Columns",
    "add_feature",
    "add_rows_of_forms",
    "add_sorted_lines",
    "add_squares",
    "cell_counts",
    "cell_distances",
    "class_spacing_pairs",
    "contingency_pairs",
    "dense_forms",
    "describe_columns",
    "distance_moments",
    "downdated_entropies",
    "error_parts",
    "expected_margins",
    "fit_pairs",
    "grow_forest",
    "ksg_pairs",
    "label_margin_sums",
    "lower_bound",
    "margin_sums",
    "near_hits",
    "nearest_classes",
    "nearest_rows",
    "neighbor_hits",
    "neighbor_moments",
    "on_threads",
    "one_blas_thread",
    "online_steps",
    "pair_differences",
    "pair_distances",
    "pair_errors",
    "plain_columns",
    "radius_margins",
    "rebuild",
    "relief_sums",
    "report_done",
    "rough_bound",
    "rough_columns",
    "rough_errors",
    "share_of_ties",
    "simba_label_pass",
    "simba_pass",
    "similarity_errors",
    "single_columns",
    "sparse_forms",
    "squared_distances",
    "sum_of_differences",
    "surf_sums",
    "target_sums",
    "total_label_margin",
    "total_margin",
    "watching",
]

_HOME = {
    "OWN_RADIUS": "_surf",
    "SAME_RADIUS": "_surf",
    "SIGMOID": "_surf",
    "Columns": "_diff",
    "add_feature": "_similarity",
    "add_rows_of_forms": "_graph",
    "add_sorted_lines": "_surf",
    "add_squares": "_forward_neighbor",
    "cell_counts": "_max_norm",
    "cell_distances": "_max_norm",
    "class_spacing_pairs": "_class_spacings",
    "contingency_pairs": "_contingency",
    "pair_differences": "_pair_model",
    "dense_forms": "_graph",
    "describe_columns": "_diff",
    "distance_moments": "_surf",
    "downdated_entropies": "_secular",
    "error_parts": "_similarity",
    "expected_margins": "_irelief",
    "fit_pairs": "_pair_model",
    "grow_forest": "_max_norm",
    "ksg_pairs": "_ksg",
    "label_margin_sums": "_label_margins",
    "lower_bound": "_pair_model",
    "margin_sums": "_margins",
    "near_hits": "_near_hits",
    "nearest_classes": "_irelief",
    "nearest_rows": "_neighbors",
    "neighbor_hits": "_forward_neighbor",
    "neighbor_moments": "_stir",
    "on_threads": "_jit",
    "one_blas_thread": "_jit",
    "online_steps": "_irelief",
    "pair_distances": "_graph",
    "pair_errors": "_similarity",
    "plain_columns": "_diff",
    "radius_margins": "_iterative_relief",
    "rebuild": "_feature_graph",
    "relief_sums": "_relief",
    "report_done": "_jit",
    "rough_bound": "_rough_similarity",
    "rough_columns": "_rough_similarity",
    "rough_errors": "_rough_similarity",
    "share_of_ties": "_find_neighbors",
    "simba_label_pass": "_simba_labels",
    "simba_pass": "_simba",
    "similarity_errors": "_similarity",
    "single_columns": "_neighbors",
    "sparse_forms": "_graph",
    "squared_distances": "_graph",
    "sum_of_differences": "_pair_model",
    "surf_sums": "_surf",
    "target_sums": "_rrelieff",
    "total_label_margin": "_simba_labels",
    "total_margin": "_simba",
    "watching": "_jit",
}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
