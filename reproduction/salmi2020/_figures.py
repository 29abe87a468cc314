"""The figures of Salmi, Hammouche and Macaire 2020, and its table of run times."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from reproduction._experiment import (
    Cell,
    Column,
    Experiment,
    Part,
    points,
    read_cells,
)
from reproduction.salmi2020._protocol import (
    DATABASES,
    N_PUBLISHED,
    SEMI,
    SIGMAS,
    SIMILARITY,
    SUPERVISED,
    Data,
    influence_of_sigma,
    mean_accuracies,
    mean_scores,
    path_scores,
    times,
)
from reproduction.salmi2020._tables import (
    BY_CLUSTERS,
    BY_PROTOTYPES,
    EIGHT,
    FEWER,
    KEY,
    PROTOTYPES,
    SEMI_METHODS,
    SEMI_SCORES,
    SUPERVISED_METHODS,
    SUPERVISED_SCORES,
    TEN,
)

_CURVES = (
    "A cell is the mean of a curve, over the first 1, 2, ... features up to those of "
    "table 3, p = 3. "
)
_SCORES = tuple(f"C{number}" for number in range(1, 8))
_NUMBERS = (1, 2, 5, 10, 15, 20, 25, 30, 34)
_TABLE_7 = """
    Multiple Features, m=20  | 0.135 3.207  318.66 0.491  202.35
    Multiple Features, m=50  | 0.329 5.488  981.91 2.142  521.60
    Multiple Features, m=100 | 0.651 8.277 2752.06 8.416 1111.0
    ORL, m=20                | 0.241 1.605  85.478 2.783    6.429
    ORL, m=50                | 0.614 2.752  248.34 7.925   18.614
    ORL, m=100               | 1.190 4.117  602.79 20.78   46.412
    ALLAML, m=20             | 1.343 0.067  97.033 0.294    3.603
    ALLAML, m=50             | 3.417 0.102  250.72 1.045    9.467
    ALLAML, m=100            | 7.021 0.146  535.37 3.560   22.452
"""
_TIMED = ("mRMR", "EnsCLS", "SFS-1NN", "εS", "εSS")
_LARGE = tuple(data for data in DATABASES if data.top > 100)


def _named(row: str) -> Data:
    [data] = [data for data in DATABASES if data.row == row]
    return data


def _accuracy_figure(
    figure: str,
    title: str,
    columns: tuple[str, ...],
    context: str,
    databases: Sequence[Data],
) -> Experiment:
    how = BY_PROTOTYPES if context == SUPERVISED else BY_CLUSTERS + TEN + " "
    return Experiment(
        *(KEY, figure, title),
        protocol=PROTOTYPES + how + _CURVES + FEWER,
        parts=tuple(
            Part(
                tuple(Cell(data.row, name, n_runs=N_PUBLISHED) for name in columns),
                partial(mean_accuracies, columns, context, data),
                share=data.costs[context == SEMI],
            )
            for data in databases
        ),
        n_runs=4,
    )


def _sigma_figure() -> Experiment:
    databases = [_named(row) for row in ("WBCD", "WDBC", "Dermatology")]
    return Experiment(
        *(KEY, "figure-8", "Influence of σ on the similarity-based scores"),
        protocol=PROTOTYPES.replace(", σ = 1", "") + BY_PROTOTYPES + _CURVES + FEWER,
        parts=tuple(
            Part(
                tuple(
                    Cell(f"{data.row}, {name}", f"σ={sigma:g}", n_runs=N_PUBLISHED)
                    for name in SIMILARITY.values()
                    for sigma in SIGMAS
                ),
                partial(influence_of_sigma, data),
            )
            for data in databases
        ),
        n_runs=20,
    )


def _score_figure() -> Experiment:
    return Experiment(
        *(KEY, "figure-2", "Constraint scores against the number of features"),
        protocol=PROTOTYPES
        + "Dermatology, p = 3, one draw. The score of m features is "
        "the sum of the m lowest scores, divided by m; it is not divided by numbers of "
        "constraints. The values of m are ours. Such a mean cannot decrease with m: "
        "the decrease of C2 that the text speaks of must be of something else.",
        parts=tuple(
            Part(
                points([Cell(column, "score", unit="score", decimals=4)], _NUMBERS),
                partial(mean_scores, column, _named("Dermatology")),
            )
            for column in _SCORES
        ),
    )


def _path_figure() -> Experiment:
    data = _named("Dermatology")
    cells = [
        Cell(name, "score", unit="score", decimals=4, n_runs=N_PUBLISHED)
        for name in SIMILARITY.values()
    ]
    return Experiment(
        *(KEY, "figure-3", "Similarity-based scores against the number of features"),
        protocol=PROTOTYPES
        + "Dermatology, p = 3. εS is divided by (kp)², εSS by n², with k classes and n "
        "training rows. Figure 9 shows the same curves, averaged, beside accuracies, "
        "which are those of table 8.",
        parts=tuple(
            Part(points([cell], _NUMBERS), partial(path_scores, context, data))
            for context, cell in zip(SIMILARITY, cells, strict=True)
        ),
        n_runs=20,
        also=("figure-9",),
    )


def _times_table() -> Experiment:
    cells = read_cells(_TABLE_7, [Column(name, "s", 3) for name in _TIMED])
    parts = []
    for row in dict.fromkeys(cell.row for cell in cells):
        name, _, m = row.partition(", m=")
        of_row = tuple(cell for cell in cells if cell.row == row)
        parts.append(Part(of_row, partial(times, _TIMED, int(m), _named(name))))
    return Experiment(
        *(KEY, "7", "Run times of feature selection methods"),
        protocol=PROTOTYPES + "p = 3. Time to select m features of the training rows, "
        "in seconds, after a small run that is not counted; EnsCLS ranks all features "
        "whatever m. Ours is the median; theirs is of an i7 of 3.6 GHz.",
        parts=tuple(parts),
    )


TIMES = _times_table()
FIGURES = (
    _score_figure(),
    _path_figure(),
    _accuracy_figure(
        "figure-4",
        "Accuracy against the number of features: supervised constraint scores",
        *(SUPERVISED_SCORES, SUPERVISED, EIGHT),
    ),
    _accuracy_figure(
        "figure-5",
        "Accuracy against the number of features: supervised methods",
        *(SUPERVISED_METHODS, SUPERVISED, _LARGE),
    ),
    _accuracy_figure(
        "figure-6",
        "Accuracy against the number of features: semi-supervised constraint scores",
        *(SEMI_SCORES, SEMI, EIGHT),
    ),
    _accuracy_figure(
        "figure-7",
        "Accuracy against the number of features: semi- and unsupervised methods",
        *((*SEMI_METHODS, "SFS-1NN"), SEMI, _LARGE),
    ),
    _sigma_figure(),
    _accuracy_figure(
        "figure-10",
        "Accuracy with the two similarity-based scores, judged by prototypes",
        *(tuple(SIMILARITY.values()), SUPERVISED, EIGHT),
    ),
)
