"""What a comparison found: tables of every run and of what they amount to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from os import PathLike
from typing import TYPE_CHECKING

import numpy as np

from pairsift._drawing import are_numbers
from pairsift._formulas import guarded_frame
from pairsift._statistics import holm
from pairsift._words import html_table
from pairsift.evaluation._compare._cells import Cell, Failure
from pairsift.evaluation._compare._lines import (
    COLUMNS,
    MEASURES,
    lines_of,
    mean_accuracy,
    of_sizes,
    summary_line,
    usual_size,
)
from pairsift.evaluation._compare._notes import (
    notes_on_answers,
    notes_on_changes,
    warnings_once,
)
from pairsift.evaluation._compare._plan import in_order, is_swept, line_name
from pairsift.evaluation._compare._statistics import (
    duel_of,
    mean_and_error,
    places_of,
    quantile,
)
from pairsift.evaluation._compare._verdict import verdict_on
from pairsift.exceptions import DataError

if TYPE_CHECKING:
    import pandas as pd

_GROUP = ["data", "classifier", "selector"]


@dataclass(frozen=True, eq=False)
class Comparison:
    """Result of `compare`: every run, and tables of what they amount to.

    Parameters
    ----------
    cells : tuple of Cell
        What every selector reached on every split.
    failed : tuple of Failure
        Where a selector could not be fitted or judged.
    feature_names : dict
        Names of the features of each data set.

    See Also
    --------
    compare : Makes it.
    critical_difference : Compares the selectors over several data sets.
    """

    cells: tuple[Cell, ...]
    failed: tuple[Failure, ...] = ()
    feature_names: Mapping[str, Sequence[str]] = field(default_factory=dict)

    @classmethod
    def join(cls, results: Iterable[Comparison]) -> Comparison:
        """Put the results of several data sets into one.

        Parameters
        ----------
        results : iterable of Comparison
            Results under different names of data.

        Returns
        -------
        Comparison
            All of them.

        Raises
        ------
        DataError
            If two results are of data of one name; it is a `ValueError`.
        """
        results = list(results)
        names: dict[str, Sequence[str]] = {}
        for result in results:
            for data, features in result.feature_names.items():
                if data in names:
                    raise DataError(
                        f"results must be of different data, got {data!r} twice: "
                        "compare takes another name=."
                    )
                names[data] = features
        return cls(
            tuple(cell for result in results for cell in result.cells),
            tuple(failure for result in results for failure in result.failed),
            names,
        )

    def __repr__(self) -> str:
        n_selectors = len({cell.selector for cell in self.cells})
        names = list(self.feature_names)
        data = ", ".join(names[:3]) + (", ..." if len(names) > 3 else "")
        return (
            f"Comparison(n_selectors={n_selectors}, n_runs={len(self.cells)}, "
            f"n_failed={len(self.failed)}, data=[{data}])"
        )

    def _repr_html_(self) -> str:
        columns = (*_GROUP, "mean_accuracy", "standard_error")
        lines = self.summary()[list(columns)] if self.cells else None
        rows = [] if lines is None else lines.round(3).to_numpy().tolist()
        return html_table(repr(self), columns, rows)

    @property
    def table(self) -> pd.DataFrame:
        """Every run: one row for each selector, classifier, split and size."""
        import pandas as pd

        parts = [
            pd.DataFrame(lines_of(cell, classifier, accuracies))
            for cell in self.cells
            for classifier, accuracies in cell.accuracies.items()
        ]
        if not parts:
            return pd.DataFrame(columns=list(COLUMNS))
        return pd.concat(parts, ignore_index=True)

    @property
    def failures(self) -> pd.DataFrame:
        """Where a selector could not be fitted or judged, and the error."""
        import pandas as pd

        columns = ["data", "selector", "split", "error"]
        return pd.DataFrame([asdict(f) for f in self.failed], columns=columns)

    @property
    def warnings(self) -> list[str]:
        """What selectors and classifiers warned of, each text once.

        Of texts that differ in numbers only, the first, and how many there are more.
        """
        return warnings_once(self.cells)

    @property
    def notes(self) -> list[str]:
        """What was done to text and missing values, and what came of questions."""
        return [*notes_on_changes(self.cells), *notes_on_answers(self.cells)]

    def to_csv(self, path: str | PathLike[str]) -> None:
        """Write every run to a CSV file.

        Text that a spreadsheet would run as a formula begins with ``'`` there.

        Parameters
        ----------
        path : str or path
            Where to write it.
        """
        guarded_frame(self.table).to_csv(path, index=False)

    def to_parquet(self, path: str | PathLike[str]) -> None:
        """Write every run to a Parquet file.

        Parameters
        ----------
        path : str or path
            Where to write it.
        """
        self.table.to_parquet(path, index=False)

    def run_scores(self) -> pd.DataFrame:
        """Mean accuracy over the first half of the ranking, for every run.

        Returns
        -------
        pandas.DataFrame
            One row per split, data set and classifier, one column per selector; NaN
            where a selector failed.
        """
        import pandas as pd

        rows = [
            (
                cell.data,
                classifier,
                cell.split,
                cell.selector,
                mean_accuracy(cell, accuracies),
            )
            for cell in self.cells
            for classifier, accuracies in cell.accuracies.items()
        ]
        index = ["data", "classifier", "split"]
        frame = pd.DataFrame(rows, columns=[*index, "selector", "score"])
        wide = frame.pivot(index=index, columns="selector", values="score")
        wide.columns.name = None
        order = list(dict.fromkeys(frame["selector"]))
        keys = list(dict.fromkeys(map(tuple, frame[index].to_numpy().tolist())))
        return wide.reindex(index=pd.MultiIndex.from_tuples(keys, names=index))[order]

    def scores(self, classifier: str | None = None) -> pd.DataFrame:
        """Mean of `run_scores` over the splits, as `critical_difference` takes it.

        Parameters
        ----------
        classifier : str, optional
            Classifier to look at; the mean over all by default.

        Returns
        -------
        pandas.DataFrame
            One row per data set, one column per selector; data sets on which a selector
            never succeeded are left out.
        """
        runs = self.run_scores().reset_index()
        if classifier is not None:
            runs = runs[runs["classifier"] == self._known(classifier)]
        names = [c for c in runs if c not in ("data", "classifier", "split")]
        means = runs.groupby("data", sort=False)[names].mean()
        return means.dropna()

    def _known(self, classifier: str) -> str:
        known = list(dict.fromkeys(k for cell in self.cells for k in cell.accuracies))
        if classifier not in known:
            raise DataError(
                f"classifier must be one of {', '.join(map(repr, known))}, got "
                f"{classifier!r}."
            )
        return classifier

    def summary(
        self, size: int | None = None, confidence: float = 0.95
    ) -> pd.DataFrame:
        r"""One line for each selector and classifier.

        Parameters
        ----------
        size : int, optional
            Number of best features at which redundancy and stability are measured;
            10 by default, fewer for data of fewer than 20 features.
        confidence : float, default=0.95
            Probability with which the intervals cover the mean accuracy.

        Returns
        -------
        pandas.DataFrame
            Columns `data`, `classifier`, `selector`, `mean_accuracy` (over the first
            half of the ranking) with `standard_error`, `low` and `high`, `best_size`
            and `best_accuracy` of the mean curve, `size` and at this size `accuracy`,
            `representation_entropy`, `redundancy_rate` and `stability`; `seconds`
            (least), `mean_rank` among the selectors run by run, `n_splits`,
            `supervision`, `n_used` (mean), `n_questions` and `n_answers` (mean; both
            NaN where selectors learned from no answers), and at this size `precision`
            and `distance` of the ranking, NaN without a `reference`.

        Notes
        -----
        The best point is that of the mean curve, for all selectors alike; it is
        chosen with the test rows and hence too good. The mean accuracy is not.

        Repeated splits of one data set are not independent: standard errors are
        those of Nadeau and Bengio, :math:`s \sqrt{1/J + n_{test} / n_{train}}` for
        :math:`J` splits, and intervals take Student's distribution of :math:`J - 1`
        degrees of freedom.
        """
        import pandas as pd

        runs = self.run_scores()
        lines = []
        for data, classifier, scores in _groups(runs):
            n_features = len(self.feature_names[data])
            at = (usual_size(n_features) if size is None else int(size), n_features)
            finished = scores.dropna(axis=1, how="all").dropna()
            ranks = finished.rank(axis=1, ascending=False).mean()
            for name in scores:
                cells = self._cells_of(data, name)
                if cells:
                    lines.append(
                        {"data": data, "classifier": classifier, "selector": name}
                        | summary_line(cells, classifier, scores[name], at, confidence)
                        | {"mean_rank": float(ranks.get(name, np.nan))}
                    )
        return pd.DataFrame(lines, columns=list(lines[0]) if lines else _GROUP)

    def _cells_of(self, data: str, selector: str) -> list[Cell]:
        return [c for c in self.cells if (c.data, c.selector) == (data, selector)]

    def curves(self, confidence: float = 0.95) -> pd.DataFrame:
        """Mean curves with their confidence bands.

        Parameters
        ----------
        confidence : float, default=0.95
            Probability with which the band covers the mean accuracy, size by size.

        Returns
        -------
        pandas.DataFrame
            Columns `data`, `classifier`, `selector`, `n_features`, `accuracy`, `low`,
            `high`, `representation_entropy`, `redundancy_rate`, `precision` and
            `distance`.
        """
        import pandas as pd

        parts = []
        keys = dict.fromkeys(
            (cell.data, classifier, cell.selector)
            for cell in self.cells
            for classifier in cell.accuracies
        )
        for data, classifier, name in keys:
            cells = self._cells_of(data, name)
            # A selector that ranks fewer features in some splits ends with these.
            n_sizes = min(len(cell.sizes) for cell in cells)
            runs = np.array([c.accuracies[classifier][:n_sizes] for c in cells])
            mean, error = mean_and_error(runs, cells)
            reach = quantile(len(cells), confidence) * error
            line = {"data": data, "classifier": classifier, "selector": name}
            frame = pd.DataFrame({"n_features": cells[0].sizes[:n_sizes]})
            frame = frame.assign(accuracy=mean, low=mean - reach, high=mean + reach)
            for measure in MEASURES:
                values = [of_sizes(cell, measure)[:n_sizes] for cell in cells]
                frame[measure] = np.mean(values, axis=0)
            for place, (key, value) in enumerate(line.items()):
                frame.insert(place, key, value)
            parts.append(frame)
        return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame()

    @property
    def swept(self) -> list[str]:
        """What was varied: "questions", "alpha", or parameters of a grid."""
        return list(dict.fromkeys(key for cell in self.cells for key in cell.sweep))

    def sweep(
        self, by: str | None = None, size: int | None = None, confidence: float = 0.95
    ) -> pd.DataFrame:
        """Accuracy against what was varied: questions, alpha or a parameter.

        Parameters
        ----------
        by : str, optional
            One of `swept`; the only one by default.
        size : int, optional
            Number of best features at which precision, distance and redundancy are
            measured, see `summary`.
        confidence : float, default=0.95
            Probability with which the intervals cover the mean accuracy.

        Returns
        -------
        pandas.DataFrame
            Columns `data`, `classifier`, `line` (the selector and all else that was
            varied), the value under the name `by`, and the columns of `summary`.
            Values rise along a line. A line that does not depend on `by`, such as that
            of a selector without answers or with all labels, has its one value at all
            of them.

        Raises
        ------
        DataError
            If nothing of this name was varied; it is a `ValueError`.
        """
        import pandas as pd

        by = self._swept_by(by)
        known = {cell.selector: cell for cell in self.cells}
        values = in_order(
            cell.sweep[by] for cell in self.cells if is_swept(cell.sweep, by)
        )
        parts = []
        for _, line in self.summary(size, confidence).iterrows():
            cell = known[line["selector"]]
            others = {k: v for k, v in cell.sweep.items() if k != by}
            places, name = [cell.sweep.get(by)], line_name(cell.method, others)
            if not is_swept(cell.sweep, by):
                places, name = values, line["selector"]
            parts += [
                {"line": name, "_place": values.index(place), **line}
                for place in places
            ]
        frame = pd.DataFrame(parts)
        first = ["data", "classifier", "line"]
        rest = [column for column in frame if column not in (*first, "_place")]
        frame["_line"] = pd.factorize(frame[first].apply(tuple, axis=1))[0]
        frame = frame.sort_values(["_line", "_place"], kind="stable", ignore_index=True)
        found = [values[place] for place in frame["_place"]]
        # A column of words would have NaN in place of None.
        kind = None if are_numbers(values) else object
        frame[by] = pd.Series(found, dtype=kind)
        return frame[[*first, by, *rest]]

    def _swept_by(self, by: str | None) -> str:
        if not self.swept:
            raise DataError(
                "nothing was swept: give compare a list of questions, alphas, or a "
                "grid."
            )
        if by is None and len(self.swept) == 1:
            return self.swept[0]
        if by not in self.swept:
            raise DataError(
                f"by must be one of {', '.join(map(repr, self.swept))}, got {by!r}."
            )
        return by

    def duels(self, reference: str | None = None) -> pd.DataFrame:
        """Compare selectors two by two, split by split.

        Parameters
        ----------
        reference : str, optional
            Selector that all others are compared with; all pairs by default.

        Returns
        -------
        pandas.DataFrame
            Columns `data`, `classifier`, `selector`, `other`, `difference` of the mean
            accuracies over the first half of the ranking, its `standard_error`,
            `n_better`, `n_worse` and `n_equal` of the splits, and `p_value`, corrected
            for the number of pairs (Holm).

        Raises
        ------
        DataError
            If there is no selector `reference`; it is a `ValueError`.

        Notes
        -----
        Only splits on which both succeeded count. The test is Student's with the
        standard errors of `summary`.
        """
        import pandas as pd

        runs = self.run_scores()
        names = list(runs)
        if reference is not None and reference not in names:
            raise DataError(
                f"reference must be one of {', '.join(map(repr, names))}, got "
                f"{reference!r}."
            )
        pairs = [
            (a, b)
            for i, a in enumerate(names)
            for b in names[i + 1 :]
            if reference in (None, a, b)
        ]
        # The reference stands second: the difference tells who beats it.
        pairs = [(b, a) if a == reference else (a, b) for a, b in pairs]
        lines = []
        for data, classifier, scores in _groups(runs):
            found = [
                {"data": data, "classifier": classifier, "selector": a, "other": b}
                | duel_of(scores[a], scores[b], self._cells_of(data, a))
                for a, b in pairs
            ]
            corrected = holm(np.array([line["p_value"] for line in found]))
            for line, p_value in zip(found, corrected.tolist(), strict=True):
                lines.append(line | {"p_value": p_value})
        return pd.DataFrame(lines)

    def verdicts(self) -> list[str]:
        """State which method is ahead of random order and of all features.

        Returns
        -------
        list of str
            One sentence for each data set with the lines "random-order" or
            "all-features"; empty without these, see `compare`.

        Notes
        -----
        The accuracy is the mean over the first half of the ranking and over the
        classifiers. A method is ahead if the test of `duels` says so at 5 %, with
        p-values corrected for the number of comparisons (Holm).
        """
        runs = self.run_scores().groupby(level=["data", "split"], sort=False).mean()
        found = [
            verdict_on(data, scores, self.cells)
            for data, scores in runs.groupby(level="data", sort=False)
        ]
        return [sentence for sentence in found if sentence]

    def ranks(self, data: str | None = None) -> pd.DataFrame:
        """Mean rank of every feature by every selector, over the splits.

        Parameters
        ----------
        data : str, optional
            Name of the data set; the only one by default.

        Returns
        -------
        pandas.DataFrame
            One row per feature, one column per selector; 1 is best. A feature that a
            selector does not rank shares the last places.

        Raises
        ------
        DataError
            If there is no such data set, or none is named and there are several; it
            is a `ValueError`.
        """
        import pandas as pd

        known = list(self.feature_names)
        if data is None and len(known) == 1:
            data = known[0]
        if data not in known:
            raise DataError(
                f"data must be one of {', '.join(map(repr, known))}, got {data!r}."
            )
        features = list(self.feature_names[data])
        ranked = [c for c in self.cells if c.data == data and not c.is_baseline]
        names = list(dict.fromkeys(cell.selector for cell in ranked))
        means = {
            name: np.mean(
                [places_of(c.order, len(features)) for c in self._cells_of(data, name)],
                axis=0,
            )
            for name in names
        }
        return pd.DataFrame(means, index=features)


def _groups(runs: pd.DataFrame) -> Iterator[tuple[str, str, pd.DataFrame]]:
    """Yield the runs of each data set and classifier."""
    levels = ["data", "classifier"]
    for (data, classifier), scores in runs.groupby(level=levels, sort=False):
        yield data, classifier, scores.droplevel(levels)
