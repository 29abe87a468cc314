"""The figures of Salmi, Hammouche and Macaire 2020, which print no numbers."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from pairsift.papers._experiment import (
    Cell,
    Experiment,
    Part,
    points,
)
from pairsift.papers.salmi2020._protocol import (
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
)
from pairsift.papers.salmi2020._tables import (
    BY_CLUSTERS,
    BY_PROTOTYPES,
    EIGHT,
    FEWER,
    KEY,
    PROTOTYPES,
    SEMI_SCORES,
    SUPERVISED_SCORES,
    TEN,
)

_CURVES = (
    "A cell is the mean of a curve, over the first 1, 2, ... features up to those of "
    "table 3, p = 3. "
)
_SCORES = tuple(f"C{number}" for number in range(1, 8))
_NUMBERS = (1, 2, 5, 10, 15, 20, 25, 30, 34)


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


FIGURES = (
    _score_figure(),
    _accuracy_figure(
        "figure-4",
        "Accuracy against the number of features: supervised constraint scores",
        *(SUPERVISED_SCORES, SUPERVISED, EIGHT),
    ),
    _accuracy_figure(
        "figure-6",
        "Accuracy against the number of features: semi-supervised constraint scores",
        *(SEMI_SCORES, SEMI, EIGHT),
    ),
    _sigma_figure(),
    _accuracy_figure(
        "figure-10",
        "Accuracy with the two similarity-based scores, judged by prototypes",
        *(tuple(SIMILARITY.values()), SUPERVISED, EIGHT),
    ),
)
