"""A comparison and how it came about, in tables and sentences."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from pairsift._words import listing
from pairsift.exceptions import DataError

if TYPE_CHECKING:
    import pandas as pd

    from pairsift.evaluation import Comparison


@dataclass(frozen=True)
class Evaluation:
    """A comparison and how it came about."""

    result: Comparison
    shapes: dict[str, tuple[int, int]]
    """Rows and columns of each data set."""
    warnings: list[str]
    options: dict[str, Any]
    """What was chosen; of a result alone only `classifiers` and `n_splits`."""
    about: str = ""
    """How it came about, in place of the protocol."""

    @classmethod
    def of(cls, result: Comparison, about: str = "") -> Evaluation:
        """Return what a comparison knows of itself."""
        if not result.cells:
            raise DataError("thing must hold at least one finished run, got none.")
        shapes = {
            cell.data: (
                cell.n_train + cell.n_test,
                len(result.feature_names[cell.data]),
            )
            for cell in result.cells
        }
        classifiers = dict.fromkeys(k for c in result.cells for k in c.accuracies)
        splits = {c.split for c in result.cells} | {f.split for f in result.failed}
        options = {"classifiers": list(classifiers), "n_splits": len(splits)}
        return cls(result, shapes, [], options, about)

    @cached_property
    def summary(self) -> pd.DataFrame:
        """One line per method, best mean rank first."""
        import pandas as pd

        groups = self.result.summary().groupby(["data", "classifier"], sort=False)
        parts = [part.sort_values("mean_rank", kind="stable") for _, part in groups]
        return pd.concat(parts, ignore_index=True)

    @cached_property
    def curves(self) -> pd.DataFrame:
        """Mean curves."""
        return self.result.curves()

    @property
    def datasets(self) -> list[str]:
        """Names of the data sets."""
        return list(self.shapes)

    @property
    def classifiers(self) -> list[str]:
        """Names of the classifiers."""
        return list(self.options["classifiers"])

    @property
    def all_warnings(self) -> list[str]:
        """What users should know: of the data, of failures, of the library."""
        failures = [
            f"{selector} failed on {len(part)} of {self.options['n_splits']} splits of "
            f"{data}: {part['error'].iloc[0]}"
            for (data, selector), part in self.result.failures.groupby(
                ["data", "selector"], sort=False
            )
        ]
        return [*self.warnings, *failures, *self.result.warnings]

    def explained(self, data: str | None = None, *, is_short: bool = False) -> str:
        """Say how to read the table, of one data set or of all."""
        lines = self.summary
        if data is not None:
            lines = lines[lines["data"] == data]
        lines = lines[~lines["selector"].isin(self._baselines)]
        sizes = sorted(set(lines["size"].tolist()))
        at = " or ".join(map(str, sizes))
        measures = "RE (more is less redundant), RED (less is) and stability are those"
        if is_short:
            measures = "stability, if shown, is that"
        return (
            "Accuracy is the mean in percent over the first half of the ranking, with "
            f"its standard error; {measures} of the best {at} features; rank is the "
            "mean run by run, 1 is best."
        )

    @property
    def _baselines(self) -> list[str]:
        """Names of the lines that methods are compared with."""
        found = (cell.selector for cell in self.result.cells if cell.is_baseline)
        return list(dict.fromkeys(found))

    @property
    def parameters(self) -> dict[str, Any]:
        """What was chosen."""
        return dict(self.options)

    @property
    def protocol(self) -> str:
        """Say who learned from what."""
        if self.about or "test_size" not in self.options:
            return self.about or self._known_protocol
        n_splits, test_size = self.options["n_splits"], self.options["test_size"]
        n_pairs, n_labelled = self.options["n_pairs"], self.options["n_labelled"]
        known = "all training labels" if n_labelled is None else f"{n_labelled} labels"
        is_method = ~self.summary["selector"].isin(self._baselines)
        kinds = set(self.summary["supervision"][is_method])
        learned = [f"methods of labels learn from {known}"]
        if "questions" in self.options:
            learned = [self._asked]
        elif any("pairs" in kind for kind in kinds):
            how = "half of them cannot-links and half must-links"
            learned.append(f"methods of pairs from {n_pairs} pairs, {how}")
        if "nothing" in kinds:
            learned.append("unsupervised methods from no label")
        return (
            f"In each of {n_splits} random splits, {1 - test_size:.0%} of the rows of "
            "each class train and the others test. Columns are scaled to 0..1 by the "
            f"training rows, and features ranked on them: {', '.join(learned)}. "
            f"Classifiers learn from {known} with the best 1, 2, 3, ... features."
            f"{self._compared_with}"
        )

    @property
    def _compared_with(self) -> str:
        if not self._baselines:
            return ""
        return (
            " Two lines learn nothing: random-order is the mean of three random orders "
            "of the features on each split, and all-features uses all of them."
        )

    @property
    def _asked(self) -> str:
        """Say who learned from which answers."""
        options = self.options
        wrong = f", {options['wrong']:.0%} of them wrongly" if options["wrong"] else ""
        mode = f" ({options['mode']})" if options["mode"] else ""
        learned = (
            "methods of labels learn from the piles that answers make, methods of "
            "pairs from the pairs"
        )
        if options["spread"]:
            learned = "methods learn from the pairs that answers are spread to"
        guessed = ""
        if "no questions" in set(self.summary["supervision"]):
            guessed = " (without questions, clusters of a k-means stand for classes)"
        return (
            f"the strategy {options['strategy']}{mode} asks questions about training "
            f"rows, which their labels answer{wrong}{guessed}; {learned}"
        )

    @property
    def _known_protocol(self) -> str:
        cell = self.result.cells[0]
        kinds = listing(dict.fromkeys(self.summary["supervision"]), 10)
        return (
            f"In each of {self.options['n_splits']} random splits, features are ranked "
            f"on the training rows ({cell.n_train:,} of {cell.n_train + cell.n_test:,} "
            f"on {cell.data}) and judged on the others with the best 1, 2, 3, ... "
            f"features. Methods learned from: {kinds}."
        )
