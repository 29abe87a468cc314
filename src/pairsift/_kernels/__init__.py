"""Compiled loops: arrays in, arrays out.

Numba is loaded, and compiled code read from its cache, when a kernel is first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pairsift._kernels._diff import Columns, describe_columns, plain_columns
    from pairsift._kernels._graph import (
        add_rows_of_forms,
        dense_forms,
        sparse_forms,
        squared_distances,
    )
    from pairsift._kernels._jit import on_threads
    from pairsift._kernels._label_margins import label_margin_sums
    from pairsift._kernels._margins import margin_sums
    from pairsift._kernels._neighbors import nearest_rows
    from pairsift._kernels._simba import simba_pass, total_margin

__all__ = [
    "Columns",
    "add_rows_of_forms",
    "dense_forms",
    "describe_columns",
    "label_margin_sums",
    "margin_sums",
    "nearest_rows",
    "on_threads",
    "plain_columns",
    "simba_pass",
    "sparse_forms",
    "squared_distances",
    "total_margin",
]

_HOME = {
    "Columns": "_diff",
    "add_rows_of_forms": "_graph",
    "dense_forms": "_graph",
    "describe_columns": "_diff",
    "label_margin_sums": "_label_margins",
    "margin_sums": "_margins",
    "nearest_rows": "_neighbors",
    "on_threads": "_jit",
    "plain_columns": "_diff",
    "simba_pass": "_simba",
    "sparse_forms": "_graph",
    "squared_distances": "_graph",
    "total_margin": "_simba",
}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
