"""Chapter 5: features selected by a neural network with small weights (LMFS)."""

from pairsift.papers._experiment import Column, Experiment, Part, read_cells
from pairsift.papers.coelho2013._problems import KEY

_PENDING = "LMFS is not in pairsift yet"
_PROTOCOL = (
    "LMFS selects features in each of ten folds; linear discriminant analysis and a "
    "network are trained with them and judged on the fold left out."
)
_TABLE_5_1 = """
    IONO, 23 features | 0.8632±0.0298 0.846±0.0692
    IONO, 10 features | 0.8005±0.0361 0.8630±0.0425
"""
_TABLE_5_2 = """
    SONAR | 11 0.79±0.08    0.77±0.07
    ILPD  | 5  0.61±0.02    0.70±0.03
    PEN   | 11 0.9995±0.001 0.9996±0.001
"""

NETWORK_TABLES = (
    Experiment(
        *(KEY, "5.1", "Accuracy with the features of LMFS on IONO", _PROTOCOL),
        parts=(
            Part(
                read_cells(_TABLE_5_1, [Column("LDA", "", 4), Column("MLP", "", 4)]),
                note=_PENDING,
            ),
        ),
    ),
    Experiment(
        *(KEY, "5.2", "Number of features of LMFS, and accuracy with them", _PROTOCOL),
        parts=(
            Part(
                read_cells(
                    _TABLE_5_2,
                    [
                        Column("n_s", "features", 0),
                        Column("LDA", "", 4),
                        Column("MLP", "", 4),
                    ],
                ),
                note=_PENDING,
            ),
        ),
    ),
)
