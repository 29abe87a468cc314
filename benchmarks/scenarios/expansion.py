"""Must-links that spread from prototypes, beside table 4 of the paper."""

import os
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import numpy as np

from benchmarks._scenario import Scenario

FOLDER = Path(__file__).resolve().parents[3] / "shared" / "data"


class Published(NamedTuple):
    """NML and CNML for 2, 3 and 4 prototypes a class (Salmi et al. 2020, table 4)."""

    name: str
    nml: tuple[float, float, float]
    cnml: tuple[float, float, float]
    fraction: float = 0.5


TABLE_4 = (
    # A little less than 0.6, to get the 410 training rows of the paper.
    Published("wbcd", (24037, 7956.2, 3915.4), (0.8596, 0.8647, 0.8799), 0.599),
    Published("segmentation_full", (15234, 4922.4, 2408.2), (0.4690, 0.4966, 0.5126)),
    Published("wdbc", (19638, 6392, 3140.9), (0.7962, 0.8094, 0.8337), 0.66),
    Published("ionosphere", (5450.1, 1752.6, 879.9), (0.5826, 0.5962, 0.6008)),
    Published("dermatology", (534.2, 174.4, 86.5), (0.8050, 0.8504, 0.8630)),
    Published("libras_movement", (81.19, 25.0, 12.0), (0.4305, 0.5077, 0.5684)),
    Published("mfeat", (5198.6, 1698.3, 841.3), (0.6269, 0.6939, 0.7401)),
    Published("orl", (11.1, 3.4, 1.7), (0.6324, 0.7694, 0.8780)),
)


class Cell(NamedTuple):
    """Means over the draws, and what the paper has."""

    name: str
    n_per_class: int
    nml: float
    nml_published: float
    cnml: float
    cnml_published: float

    def __str__(self) -> str:
        return (
            f"{self.name:<18} {self.n_per_class}  {self.nml:8.1f} "
            f"{self.nml_published:9.1f}  {self.cnml:.4f} {self.cnml_published:9.4f}"
        )


class Expansion(Scenario):
    """NML and CNML of a few prototypes, beside the published ones."""

    name = "expansion"
    reference = "time_obvious"
    sizes: ClassVar = {
        "n_samples": 3_000,
        "n_features": 30,
        "n_draws": 100,
        "n_databases": len(TABLE_4),
    }
    tiny_sizes: ClassVar = {
        "n_samples": 60,
        "n_features": 4,
        "n_draws": 2,
        "n_databases": 0,
    }

    def setup(self) -> None:
        """Three classes that overlap, three prototypes of each."""
        from pairsift.evaluation import draw_prototypes

        n_samples, n_features = self.size["n_samples"], self.size["n_features"]
        rng = np.random.default_rng(self.seed)
        self.y = np.arange(n_samples) % 3
        self.X = rng.normal(size=(n_samples, n_features)) + self.y[:, np.newaxis]
        self.labels = draw_prototypes(self.y, 3, self.seed)

    def time_pairsift(self) -> tuple[float, float]:
        from pairsift.evaluation import must_link_expansion

        found = must_link_expansion(self.X, self.labels, self.y)
        return found.nml, found.cnml

    def time_obvious(self) -> tuple[float, float]:
        from sklearn.neighbors import KNeighborsClassifier

        known = self.labels >= 0
        model = KNeighborsClassifier(1).fit(self.X[known], self.labels[known])
        classes = model.predict(self.X)
        given = np.equal.outer(self.labels, self.labels) & np.outer(known, known)
        expanded = np.equal.outer(classes, classes)
        right = np.equal.outer(self.y, self.y)
        for pairs in (given, expanded):
            np.fill_diagonal(pairs, False)
        new = expanded & ~given
        return expanded.sum() / given.sum(), right[new].mean()

    def peakmem_pairsift(self) -> None:
        self.time_pairsift()

    def peakmem_obvious(self) -> None:
        self.time_obvious()

    def track_agreement(self) -> float:
        """Largest difference between the two."""
        return max(np.abs(np.subtract(self.time_pairsift(), self.time_obvious())))

    def track_nml_gap(self) -> float | None:
        """Median distance of our NML from the published one, relative to the latter."""
        gaps = [abs(cell.nml / cell.nml_published - 1) for cell in self.cells]
        return float(np.median(gaps)) if gaps else None

    def track_cnml_gap(self) -> float | None:
        """Median distance of our CNML from the published one."""
        gaps = [abs(cell.cnml - cell.cnml_published) for cell in self.cells]
        return float(np.median(gaps)) if gaps else None

    def report(self) -> str:
        lines = []
        if self.cells:
            lines = [f"data set           p{'NML':>10} published    CNML published"]
            lines += map(str, self.cells)
        if self._missing:
            lines += [f"not found in {self._folder}: {', '.join(self._missing)}"]
        return "\n".join(lines)

    @cached_property
    def cells(self) -> list[Cell]:
        """Measured for the data sets that are there; one that is not is noted."""
        from pairsift.exceptions import DataError

        self._missing: list[str] = []
        self._folder = os.environ.get("PAIRSIFT_DATA", FOLDER)
        cells = []
        for published in TABLE_4[: self.size["n_databases"]]:
            try:
                cells += self._measure(published)
            except DataError:
                self._missing.append(published.name)
        return cells

    def _measure(self, published: Published) -> list[Cell]:
        from pairsift.datasets import load
        from pairsift.evaluation import first_rows_split

        data = load(published.name, data_dir=self._folder)
        rows, _ = first_rows_split(data.target, published.fraction)
        X, y = _scaled(data.data)[rows], data.target[rows]
        return [
            Cell(published.name, p, nml, nml_published, cnml, cnml_published)
            for p, nml_published, cnml_published in zip(
                (2, 3, 4), published.nml, published.cnml, strict=True
            )
            for nml, cnml in [self._means(X, y, p)]
        ]

    def _means(self, X: np.ndarray, y: np.ndarray, n_per_class: int) -> Any:
        from pairsift.evaluation import draw_prototypes, must_link_expansion

        draws = [
            must_link_expansion(X, draw_prototypes(y, n_per_class, seed), y)
            for seed in range(self.size["n_draws"])
        ]
        return np.mean([(draw.nml, draw.cnml) for draw in draws], axis=0)


def _scaled(X: np.ndarray) -> np.ndarray:
    """Scale to [0, 1] over all rows, as the paper; eight ages of Dermatology lack."""
    X = np.where(np.isnan(X), np.nanmean(X, axis=0), X)
    spread = np.ptp(X, axis=0)
    return (X - X.min(axis=0)) / np.where(spread > 0, spread, 1.0)
