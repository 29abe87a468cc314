"""The tables of Salmi, Hammouche and Macaire 2020: similarities and constraints."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial

from reproduction._experiment import (
    Bench,
    Cell,
    Column,
    Experiment,
    Outcomes,
    Paper,
    Part,
    read_cells,
)
from reproduction.salmi2020._protocol import (
    AVERAGE_RANK,
    DATABASES,
    N_PUBLISHED,
    SEMI,
    SIMILARITY,
    SUPERVISED,
    Data,
    average_ranks,
    expansions,
    mean_accuracies,
    numbers,
    rank_sum_outcomes,
)

KEY = "salmi2020"
EIGHT = tuple(data for data in DATABASES if data.sizes[0])

_TABLE_2 = """
    WBCD, p=2               | 148 171 161
    WBCD, p=3               | 160 169 160
    WBCD, p=4               | 172 167 158
    Image Segmentation, p=2 | 196 183 192
    Image Segmentation, p=3 | 170 209 184
    Image Segmentation, p=4 | 184 202 182
    WDBC, p=2               | 171 188 171
    WDBC, p=3               | 186 194 176
    WDBC, p=4               | 183 176 194
    Ionosphere, p=2         | 185 192 185
    Ionosphere, p=3         | 184 194 197
    Ionosphere, p=4         | 179 192 203
    Dermatology, p=2        | 170 194 223
    Dermatology, p=3        | 164 199 227
    Dermatology, p=4        | 160 202 223
    Libras Movement, p=2    | 127 233 232
    Libras Movement, p=3    | 118 225 251
    Libras Movement, p=4    | 125 223 234
    Multiple Features, p=2  | 156 216 226
    Multiple Features, p=3  | 133 218 246
    Multiple Features, p=4  | 116 238 245
    ORL, p=2                | 141 184 248
    ORL, p=3                | 151 160 278
    ORL, p=4                | 100 100 100
"""
_TABLE_3 = """
    WBCD               | 96.75±2.84 95.59±3.28 94.99±3.94 95.63±3.19 95.51±3.49 95.53±3.38
    Image Segmentation | 60.77±6.82 53.91±7.68 55.55±6.97 52.94±7.03 53.80±6.76 55.43±6.58
    WDBC               | 90.88±5.37 87.29±7.49 86.64±7.99 87.41±7.41 87.88±7.35 87.60±7.54
    Ionosphere         | 77.66±6.82 66.95±8.80 66.56±9.59 66.96±8.72 67.02±8.73 68.02±8.44
    Dermatology        | 90.90±2.80 75.10±5.60 83.96±5.50 83.22±5.10 82.47±5.76 84.00±5.29
    Libras Movement    | 38.06±5.01 32.25±4.32 36.17±4.27 33.41±4.43 32.09±4.53 37.32±4.61
    Multiple Features  | 94.24±1.01 65.99±5.39 74.85±4.55 75.91±5.32 69.89±4.37 76.97±4.31
    CNAE-9             | 67.96±3.73 34.51±6.06 40.38±5.59 42.38±5.72 36.04±5.65 42.61±5.27
    Yale               | 49.57±4.94 41.17±5.73 48.49±5.49 49.05±5.56 31.75±3.79 50.60±5.49
    ORL                | 70.40±3.07 66.77±3.17 72.75±2.92 64.67±3.50 65.19±2.64 73.84±2.44
    Pie10P             | 59.60±11.58 49.63±7.14 44.90±4.55 46.54±5.30 46.45±8.14 51.39±6.50
    ALLAML             | 71.95±7.65 68.51±13.27 64.50±13.10 68.03±13.20 66.51±14.48 67.82±14.48
    average rank       | 1.25 4.5 4.42 3.84 4.75 2.33
"""  # noqa: E501
_TABLE_4 = """
    WBCD, p=2               | 24037  0.8596
    WBCD, p=3               | 7956.2 0.8647
    WBCD, p=4               | 3915.4 0.8799
    Image Segmentation, p=2 | 15234  0.4690
    Image Segmentation, p=3 | 4922.4 0.4966
    Image Segmentation, p=4 | 2408.2 0.5126
    WDBC, p=2               | 19638  0.7962
    WDBC, p=3               | 6392   0.8094
    WDBC, p=4               | 3140.9 0.8337
    Ionosphere, p=2         | 5450.1 0.5826
    Ionosphere, p=3         | 1752.6 0.5962
    Ionosphere, p=4         | 879.9  0.6008
    Dermatology, p=2        | 534.2  0.8050
    Dermatology, p=3        | 174.4  0.8504
    Dermatology, p=4        | 86.5   0.8630
    Libras Movement, p=2    | 81.19  0.4305
    Libras Movement, p=3    | 25.0   0.5077
    Libras Movement, p=4    | 12.0   0.5684
    Multiple Features, p=2  | 5198.6 0.6269
    Multiple Features, p=3  | 1698.3 0.6939
    Multiple Features, p=4  | 841.3  0.7401
    ORL, p=2                | 11.1   0.6324
    ORL, p=3                | 3.4    0.7694
    ORL, p=4                | 1.7    0.8780
"""
_TABLE_5 = """
    WBCD, p=2               | 254 257 374 246 244 251
    WBCD, p=3               | 192 304 347 250 251 209
    WBCD, p=4               | 206 307 332 253 250 221
    Image Segmentation, p=2 | 179 271 284 211 218 179
    Image Segmentation, p=3 | 155 282 292 160 164 156
    Image Segmentation, p=4 | 176 210 242 192 196 176
    WDBC, p=2               | 282 358 359 305 314 324
    WDBC, p=3               | 299 351 372 303 306 282
    WDBC, p=4               | 308 314 341 316 301 306
    Ionosphere, p=2         | 262 334 332 321 323 379
    Ionosphere, p=3         | 283 326 334 314 307 414
    Ionosphere, p=4         | 291 332 333 307 303 434
    Dermatology, p=2        | 208 316 367 282 292 482
    Dermatology, p=3        | 166 319 343 314 318 498
    Dermatology, p=4        | 177 306 374 309 324 466
    Libras Movement, p=2    | 132 318 331 409 404 432
    Libras Movement, p=3    | 128 306 326 462 458 358
    Libras Movement, p=4    | 138 312 323 464 483 313
    Multiple Features, p=2  | 149 486 369 311 311 364
    Multiple Features, p=3  | 119 422 407 378 375 300
    Multiple Features, p=4  | 108 375 454 382 379 297
    ORL, p=2                | 154 246 378 508 518 240
    ORL, p=3                | 174 210 416 567 497 189
    ORL, p=4                | 200 100 500 600 200 400
"""
_TABLE_6 = """
    WBCD               | 95.36±4.74 92.58±7.42 92.98±6.66 92.21±8.06 95.14±5.34 96.20±4.16 96.34±4.00
    Image Segmentation | 50.22±6.51 54.39±6.92 46.35±8.29 38.20±5.56 50.48±7.69 50.63±6.86 55.26±5.98
    WDBC               | 83.04±7.74 82.05±7.01 81.68±8.60 73.41±8.80 81.41±7.67 82.41±7.07 83.03±7.29
    Ionosphere         | 59.86±8.43 64.06±10.52 57.96±8.95 65.29±11.15 61.81±9.19 59.74±8.19 63.15±10.53
    Dermatology        | 70.41±6.33 66.20±6.29 71.07±7.97 64.03±5.60 77.84±7.91 75.69±6.49 84.98±5.91
    Libras Movement    | 32.07±3.81 29.42±4.01 32.19±4.56 31.25±3.94 32.59±4.51 31.84±4.74 38.46±4.13
    Multiple Features  | 69.55±4.28 70.60±4.06 49.14±4.82 34.07±3.75 71.76±5.74 75.66±6.87 84.22±4.41
    CNAE-9             | 11.50±0.40 14.09±1.67 51.71±6.50 11.39±0.30 43.35±7.28 19.13±2.28 46.60±6.78
    Yale               | 48.10±3.56 47.82±4.00 30.84±5.02 29.62±4.27 47.4±4.22 48.31±5.56 51.76±4.76
    ORL                | 56.86±2.49 55.38±2.50 50.13±3.02 46.86±2.48 56.35±2.95 61.09±3.41 75.16±2.33
    Pie10P             | 54.09±8.80 48.26±7.19 61.36±10.84 64.81±7.67 46.90±9.03 49.32±8.49 55.56±7.44
    ALLAML             | 63.25±14.16 62.74±12.48 78.30±12.35 61.55±11.42 58.50±15.19 68.16±11.36 67.35±13.31
    average rank       | 4.08 4.67 4.33 5.75 4.25 3.25 1.67
"""  # noqa: E501
_TABLE_8 = """
    WBCD               | 96.48 9   96.35 6   | 97.41 6   96.90 7
    Image Segmentation | 58.07 9   57.70 18  | 58.47 7   58.28 18
    WDBC               | 88.54 14  87.97 25  | 86.33 12  85.24 25
    Ionosphere         | 68.85 9   68.73 12  | 65.57 18  62.73 7
    Dermatology        | 91.07 32  90.82 25  | 92.14 22  91.86 21
    Libras Movement    | 42.03 89  41.95 90  | 41.73 41  39.73 85
    Multiple Features  | 82.06 130 75.27 24  | 87.85 63  84.24 23
    CNAE-9             | 45.68 49  44.29 86  | 49.43 65  46.44 172
    Yale               | 59.24 205 49.05 61  | 61.00 205 49.19 51
    ORL                | 80.06 125 79.91 115 | 81.79 136 81.28 108
    Pie10P             | 53.66 91  53.26 67  | 65.58 34  59.30 60
    ALLAML             | 70.11 351 66.29 29  | 71.20 132 68.71 20
"""


def _columns(names: Iterable[str], unit: str, decimals: int) -> list[Column]:
    return [Column(name, unit, decimals, N_PUBLISHED) for name in names]


def _parts(
    cells: tuple[Cell, ...],
    run: Callable[[Data, Bench], Outcomes],
    databases: Sequence[Data] = DATABASES,
    context: str | None = None,
    note: str = "",
) -> tuple[Part, ...]:
    """One part for each database, with the cells of its rows."""
    return tuple(
        Part(
            tuple(cell for cell in cells if cell.row.partition(",")[0] == data.row),
            partial(run, data),
            data.note or note,
            share=1 if context is None else data.costs[context == SEMI],
        )
        for data in databases
    )


def _rank_sum_parts(
    text: str, columns: tuple[str, ...], context: str
) -> tuple[Part, ...]:
    cells = read_cells(text, _columns(columns, "rank sum", 0))
    cells = tuple(
        replace(cell, note=_ORL_4) if cell.row == "ORL, p=4" else cell for cell in cells
    )
    return _parts(cells, partial(rank_sum_outcomes, columns, context), EIGHT, context)


def _accuracy_parts(
    text: str, columns: tuple[str, ...], context: str, note: str = ""
) -> tuple[Part, ...]:
    cells = read_cells(text, _columns(columns, "%", 2))
    of_all = tuple(
        replace(cell, unit="rank", n_runs=1)
        for cell in cells
        if cell.row == AVERAGE_RANK
    )
    run = partial(mean_accuracies, columns, context)
    ranks = Part(of_all, None, note, derive=partial(average_ranks, columns))
    return *_parts(cells, run, context=context, note=note), ranks


def _number_parts() -> tuple[Part, ...]:
    """Two parts for each database: the scores differ in what they cost."""
    parts: list[tuple[Part, ...]] = []
    for k, (context, symbol) in enumerate(SIMILARITY.items()):
        columns = [
            Column(f"{symbol} {name}", unit, decimals, N_PUBLISHED)
            for name, unit, decimals in (
                ("Acc(m*)", "%", 2),
                ("m*", "features", 0),
                ("Acc(m̂)", "%", 2),
                ("m̂", "features", 0),
            )
        ]
        lines = map(str.strip, filter(None, map(str.strip, _TABLE_8.splitlines())))
        halves = [line.split("|") for line in lines]
        text = "\n".join(f"{half[0]}|{half[1 + k]}" for half in halves)
        run = partial(numbers, context)
        parts.append(_parts(read_cells(text, columns), run, context=context))
    return tuple(part for of_data in zip(*parts, strict=True) for part in of_data)


_ORL_4 = "the paper has the same ranks in each of 100 runs"
PROTOTYPES = (
    "Features are scaled to [0, 1] over all rows, the first half of each class trains "
    "(WBCD 60 %, WDBC 66 %); each run draws p prototypes of each class anew, σ = 1. "
)
FEWER = (
    "Of the runs asked for, larger databases get a part, but two at least: the number "
    "of runs is given in the files of the results."
)
BY_PROTOTYPES = "A test row takes the class of the nearest prototype. "
BY_CLUSTERS = (
    "Training rows get classes by constrained spectral clustering in the selected "
    "features, and a test row that of the nearest of them. "
)
_RANKED = (
    "Methods are ranked by accuracy in each run (1, 2, 2, 4), and ranks summed; from "
    "fewer runs than 100, the sum is scaled to 100. "
)
TEN = "After the clustering, larger databases are measured at ten sizes."

SUPERVISED_SCORES = ("εS", "C1", "C2")
SEMI_SCORES = ("εSS", "C3", "C4", "C5", "C6", "C7")
SUPERVISED_METHODS = ("SFS-1NN", "ReliefF", "mRMR", "C1", "C2", "εS")
SEMI_METHODS = ("LS", "Spec", "SCGS", "EnsCLS", "C4", "C7", "εSS")

PAPER = Paper(
    key=KEY,
    citation="A. Salmi, K. Hammouche, L. Macaire, “Similarity-based constraint score "
    "for feature selection”, Knowledge-Based Systems 209, 106429, 2020",
    experiments=(
        Experiment(
            *(KEY, "2", "Rank sums of supervised constraint scores"),
            protocol=PROTOTYPES + BY_PROTOTYPES + _RANKED + FEWER,
            parts=_rank_sum_parts(_TABLE_2, SUPERVISED_SCORES, SUPERVISED),
            n_runs=20,
        ),
        Experiment(
            *(KEY, "3", "Accuracy of supervised methods, mean over the top features"),
            protocol=PROTOTYPES
            + BY_PROTOTYPES
            + "Accuracy is averaged over the first 1, 2, ... features up to 5 % "
            "(ALLAML), 10 % (Pie10P), 20 % (above 300 features) or all of them, p = 3. "
            "SFS-1NN sees the labels of all training rows. " + FEWER,
            parts=_accuracy_parts(_TABLE_3, SUPERVISED_METHODS, SUPERVISED),
            n_runs=20,
        ),
        Experiment(
            *(KEY, "4", "New must-links, and how many of them are right"),
            protocol=PROTOTYPES + "Pairs of a row with itself are left out.",
            parts=_parts(
                read_cells(
                    _TABLE_4,
                    [
                        Column("NML", "", 1, N_PUBLISHED),
                        Column("CNML", "", 4, N_PUBLISHED),
                    ],
                ),
                expansions,
                EIGHT,
            ),
            n_runs=100,
        ),
        Experiment(
            *(KEY, "5", "Rank sums of semi-supervised constraint scores"),
            protocol=PROTOTYPES + BY_CLUSTERS + _RANKED + FEWER,
            parts=_rank_sum_parts(_TABLE_5, SEMI_SCORES, SEMI),
            n_runs=10,
        ),
        Experiment(
            *(KEY, "6", "Accuracy of semi-supervised and unsupervised methods"),
            protocol=PROTOTYPES
            + BY_CLUSTERS
            + "Accuracy is averaged as in table 3, p = 3; LS and Spec see the rows "
            "that are no prototypes. " + TEN + " " + FEWER,
            parts=_accuracy_parts(
                *(_TABLE_6, SEMI_METHODS, SEMI),
                note="absolute levels do not come out: the clustering is not given in "
                "full",
            ),
            n_runs=4,
        ),
        Experiment(
            *(KEY, "8", "Accuracy and number of features at the minimum of the score"),
            protocol=PROTOTYPES
            + "p = 3; εS is judged by prototypes, εSS after the clustering. m* is the "
            "best size of the mean curve, m̂ the minimum of the score in each run. "
            + TEN
            + " "
            + FEWER,
            parts=_number_parts(),
            n_runs=10,
        ),
    ),
)
