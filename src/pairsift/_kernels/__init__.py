"""Compiled loops: arrays in, arrays out.

This is the door: other rooms import kernels from here. Numba is loaded, and compiled
code read from its cache, when a kernel is first used.
"""

# mypy: implicit-reexport
# ruff: noqa: F401

import ast
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

# The one list of what the door hands out. Type checkers follow these imports; at run
# time they are not executed, but read to find where each name lives.
if TYPE_CHECKING:
    from pairsift._kernels._interrupts import is_lost_interrupt
    from pairsift._kernels._jit import (
        number_of_blocks,
        on_threads,
        one_blas_thread,
        report_done,
        watching,
    )
    from pairsift._kernels.graph._feature_graph import rebuild
    from pairsift._kernels.graph._forward_neighbor import (
        add_squares,
        neighbor_hits,
    )
    from pairsift._kernels.graph._graph import (
        add_rows_of_forms,
        dense_forms,
        pair_distances,
        sparse_forms,
        squared_distances,
    )
    from pairsift._kernels.graph._rough_similarity import (
        rough_bound,
        rough_columns,
        rough_errors,
    )
    from pairsift._kernels.graph._similarity import (
        add_feature,
        error_parts,
        pair_errors,
        similarity_errors,
    )
    from pairsift._kernels.information._class_spacings import (
        SortedColumns,
        class_spacing_pairs,
    )
    from pairsift._kernels.information._contingency import (
        contingency_pairs,
    )
    from pairsift._kernels.information._ksg import ksg_pairs
    from pairsift._kernels.information._max_norm import (
        cell_counts,
        cell_distances,
        grow_forest,
    )
    from pairsift._kernels.information._secular import (
        downdated_entropies,
    )
    from pairsift._kernels.information._sorted_parts import count_parts, spread_parts
    from pairsift._kernels.pairs._label_margins import (
        label_margin_sums,
        label_sums_of_hits,
    )
    from pairsift._kernels.pairs._margins import margin_sums
    from pairsift._kernels.pairs._pair_model import (
        fit_pairs,
        lower_bound,
        pair_differences,
        sum_of_differences,
    )
    from pairsift._kernels.relief._cells import Cells, as_cells, share_of_ties
    from pairsift._kernels.relief._columns import (
        Coding,
        ColumnRules,
        Columns,
        coding_of,
        complete_columns,
        count_cells,
        describe_columns,
        known_values,
        missing_groups,
        missing_rules,
        plain_columns,
    )
    from pairsift._kernels.relief._irelief import (
        ROUNDING,
        Stream,
        as_points,
        expected_margins,
        nearest_classes,
        online_steps,
    )
    from pairsift._kernels.relief._iterative_relief import (
        radius_margins,
    )
    from pairsift._kernels.relief._margins import relief_sums
    from pairsift._kernels.relief._mean_distances import mean_distances
    from pairsift._kernels.relief._nearest import as_groups
    from pairsift._kernels.relief._neighbors import NearHits, near_hits, nearest_rows
    from pairsift._kernels.relief._rrelieff import target_sums
    from pairsift._kernels.relief._simba import (
        margin_of,
        simba_pass,
        single_columns,
        take_step,
        total_margin,
    )
    from pairsift._kernels.relief._simba_labels import (
        simba_label_pass,
        total_label_margin,
    )
    from pairsift._kernels.relief._stir import neighbor_moments
    from pairsift._kernels.relief._surf import (
        OWN_RADIUS,
        SAME_RADIUS,
        SIGMOID,
        Surf,
        distance_moments,
        surf_sums,
    )
    from pairsift._kernels.relief._targets import (
        Found,
        NearestRow,
        NearestRows,
        Search,
        Targets,
        hits_of_found,
        join_near,
        join_nearest,
        join_nearest_row,
        lists_of_found,
        near_in_block,
        nearest_in_block,
        nearest_row_in_block,
        sums_of_lists,
    )


def _homes() -> dict[str, str]:
    """Return the module of each name that the door hands out."""
    lines = ast.walk(ast.parse(Path(__file__).read_text(encoding="utf-8")))
    imports = [line for line in lines if isinstance(line, ast.ImportFrom)]
    return {
        alias.name: line.module
        for line in imports
        for alias in line.names
        if line.module is not None and line.module.startswith(__name__)
    }


_HOMES = _homes()


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
