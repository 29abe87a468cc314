"""What ``pairsift evaluate`` says about a comparison, in lines and in pictures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pairsift.cli._pictures import Line, difference_picture, line_picture
from pairsift.cli._report import (
    Section,
    figure,
    html_table,
    paragraph,
    rank_table,
    warning_list,
    write_page,
)
from pairsift.cli._words import listing

if TYPE_CHECKING:
    import pandas as pd

    from pairsift.evaluation import Comparison

# Use a logarithmic x-axis above this number of features.
_MANY_FEATURES = 100
_CLEAR = 0.05


@dataclass(frozen=True)
class Evaluation:
    """A comparison and how it came about."""

    result: Comparison
    shapes: dict[str, tuple[int, int]]
    """Rows and columns of each data set."""
    warnings: list[str]
    options: dict[str, Any]

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
    def parameters(self) -> dict[str, Any]:
        """What was chosen."""
        return dict(self.options)

    @property
    def protocol(self) -> str:
        """Say who learned from what."""
        n_splits, test_size = self.options["n_splits"], self.options["test_size"]
        n_pairs, n_labelled = self.options["n_pairs"], self.options["n_labelled"]
        known = "all training labels" if n_labelled is None else f"{n_labelled} labels"
        kinds = set(self.summary["supervision"])
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


def summary_rows(
    evaluation: Evaluation, data: str | None = None
) -> tuple[list[str], list[list[str]]]:
    """Return the table for people, cells as text; of one data set or of all."""
    lines = evaluation.summary
    if data is not None:
        lines = lines[lines["data"] == data]
    header = ["method", "by", "learned from"]
    header += ["accuracy", "best", "RE", "RED", "stability", "rank", "seconds"]
    rows = [
        [
            line.selector,
            line.classifier,
            line.supervision,
            _plus_minus(line.mean_accuracy, line.standard_error),
            f"{100 * line.best_accuracy:.1f} @ {line.best_size}",
            f"{line.representation_entropy:.2f}",
            f"{line.redundancy_rate:.3f}",
            _number(line.stability, 2),
            _number(line.mean_rank, 1),
            _seconds(line.seconds),
        ]
        for line in lines.itertuples()
    ]
    if data is None and len(evaluation.datasets) > 1:
        header = ["data", *header]
        names = lines["data"].tolist()
        rows = [[name, *row] for name, row in zip(names, rows, strict=True)]
    return header, rows


def _plus_minus(mean: float, error: float) -> str:
    text = f"{100 * mean:.1f}"
    return text if error != error else f"{text} ± {100 * error:.1f}"


def _number(value: float, digits: int) -> str:
    return "–" if value != value else f"{value:.{digits}f}"


def _seconds(value: float) -> str:
    return (
        "< 0.01" if value < 0.01 else f"{value:.2f}" if value < 10 else f"{value:.0f}"
    )


def write_evaluation(path: Path, evaluation: Evaluation, command: str) -> None:
    """Write the page."""
    sections = [_which(evaluation)]
    if len(evaluation.datasets) > 1:
        sections += _over_data(evaluation)
    for data in evaluation.datasets:
        sections += _of_data(evaluation, data)
    sections.append(Section("Warnings", [warning_list(evaluation.all_warnings)]))
    protocol = [evaluation.protocol, *evaluation.result.notes]
    sections.append(Section("Protocol", [paragraph(text) for text in protocol]))
    names = listing(evaluation.datasets)
    write_page(
        path,
        title=f"{names}, methods compared",
        lead=_lead(evaluation),
        sections=sections,
        command=command,
        parameters=evaluation.parameters,
    )


def _lead(evaluation: Evaluation) -> str:
    sizes = ", ".join(
        f"{name} ({rows:,} rows, {columns:,} features)"
        for name, (rows, columns) in evaluation.shapes.items()
    )
    n_methods = evaluation.summary["selector"].nunique()
    methods = "1 method" if n_methods == 1 else f"{n_methods} methods"
    return (
        f"{methods} on {sizes}, judged by {' and '.join(evaluation.classifiers)} over "
        f"{evaluation.options['n_splits']} random splits."
    )


def _which(evaluation: Evaluation) -> Section:
    verdicts = [
        paragraph(_verdict(evaluation, data, classifier))
        for data in evaluation.datasets
        for classifier in evaluation.classifiers
    ]
    if len(evaluation.datasets) == 1:
        return Section(
            "Which method?", [*verdicts, *_table(evaluation, evaluation.datasets[0])]
        )
    return Section("Which method?", [*_overview(evaluation), *verdicts])


def _table(evaluation: Evaluation, data: str) -> list[str]:
    header, rows = summary_rows(evaluation, data)
    numbers = ["accuracy", "best", "RE", "RED", "stability", "rank", "seconds"]
    note = (
        f"{evaluation.explained(data)} 'best' is the highest point of the mean curve "
        "and its number of features: chosen with the test rows, hence too good. "
        "Seconds are the least time of a ranking."
    )
    return [
        html_table(header, rows, numbers=numbers, is_whole=True),
        paragraph(note, "soft"),
    ]


def _overview(evaluation: Evaluation) -> list[str]:
    """Mean accuracies, a line per method and a column per data set."""
    tables = []
    for classifier in evaluation.classifiers:
        lines = evaluation.summary
        lines = lines[lines["classifier"] == classifier]
        wide = lines.pivot(index="selector", columns="data", values="mean_accuracy")
        wide = wide[[data for data in evaluation.datasets if data in wide]]
        ranks = wide.rank(ascending=False).mean(axis=1).sort_values(kind="stable")
        rows = [
            [name, *(_number(100 * x, 1) for x in wide.loc[name]), _number(rank, 2)]
            for name, rank in ranks.items()
        ]
        header = ["method", *wide, "mean rank"]
        tables.append(
            html_table(
                header,
                rows,
                numbers=header[1:],
                caption=f"Mean accuracy by {classifier}, percent",
                is_whole=True,
            )
        )
    return tables


def _verdict(evaluation: Evaluation, data: str, classifier: str) -> str:
    """Say who leads, and over whom the lead is more than chance."""
    lines = evaluation.summary
    lines = lines[(lines["data"] == data) & (lines["classifier"] == classifier)]
    if lines.empty:
        return f"On {data}, no method could be judged by {classifier}."
    best = lines.loc[lines["mean_accuracy"].idxmax()]
    said = (
        f"On {data} by {classifier}, {best['selector']} has the highest mean accuracy, "
        f"{best['mean_accuracy']:.1%}."
    )
    duels = evaluation.result.duels(best["selector"])
    duels = duels.dropna(subset=["p_value"]) if len(duels) else duels
    if duels.empty:
        return said
    duels = duels[(duels["data"] == data) & (duels["classifier"] == classifier)]
    is_clear = duels["p_value"] < _CLEAR
    clear = duels.loc[is_clear, "selector"].tolist()
    close = duels.loc[~is_clear, "selector"].tolist()
    if clear:
        said += f" Split by split it is clearly better than {_and(clear)}."
    if close:
        said += f" From {_and(close)} it does not clearly differ."
    return said


def _and(names: Sequence[str]) -> str:
    *rest, last = names
    return f"{', '.join(rest)} and {last}" if rest else last


def _over_data(evaluation: Evaluation) -> list[Section]:
    from pairsift.evaluation import critical_difference

    parts = []
    for classifier in evaluation.classifiers:
        scores = evaluation.result.scores(classifier)
        if min(scores.shape) < 2:
            continue
        found = critical_difference(scores)
        picture = difference_picture(
            found.names,
            found.mean_ranks.tolist(),
            found.distance,
            name=f"difference-{classifier}",
            title=f"Mean ranks over the data sets, {classifier}",
        )
        caption = (
            f"Mean rank of each method by {classifier} over {found.n_runs} data sets, "
            f"1 is best. Methods closer than {found.distance:.2f} to the best, the "
            "shaded width, do not clearly differ from it (Nemenyi's test, "
            f"{found.alpha:.0%}). Friedman's test gives p = {found.p_value:.2g}."
        )
        parts.append(figure(picture, caption))
    return [Section("Over all data sets", parts)] if parts else []


def _of_data(evaluation: Evaluation, data: str) -> list[Section]:
    curves = evaluation.curves
    curves = curves[curves["data"] == data]
    if curves.empty:
        return []
    sections = [
        Section("Accuracy", _accuracy(evaluation, data, curves)),
        Section("Redundancy", _redundancy(data, curves)),
        Section("Ranks of the features", _ranks(evaluation, data)),
    ]
    if len(evaluation.datasets) == 1:
        return sections
    # One section a data set, so that headings stay apart.
    parts = [part for section in sections for part in section.parts]
    return [Section(data, [*_table(evaluation, data), *parts])]


def _ranks(evaluation: Evaluation, data: str) -> list[str]:
    ranks = evaluation.result.ranks(data)
    return [
        paragraph(
            "Mean rank of each feature over the splits, 1 is best; strong shades are "
            "good ranks. Features that most methods rank high come first."
        ),
        rank_table(list(ranks.index), list(ranks), ranks.to_numpy().tolist(), 30),
    ]


def _accuracy(evaluation: Evaluation, data: str, curves: Any) -> list[str]:
    figures = []
    for number, classifier in enumerate(evaluation.classifiers):
        part = curves[curves["classifier"] == classifier]
        if part.empty:
            continue
        names = list(dict.fromkeys(part["selector"]))
        has_bands = evaluation.options["n_splits"] > 1
        lines = [_line_of(part, name, "accuracy", has_bands) for name in names]
        picture = line_picture(
            lines,
            name=f"accuracy-{number}-{_slug(data)}",
            title=f"Accuracy against the number of best features, {classifier}",
            x_title="number of best features used",
            y_title=f"accuracy, {classifier}",
            is_percent=True,
            is_log=part["n_features"].max() > _MANY_FEATURES,
        )
        bands = " Bands cover the mean with 95 % confidence." if has_bands else ""
        caption = f"Mean over the splits, judged by {classifier}.{bands}"
        figures.append(figure(picture, caption, names))
    return figures


def _redundancy(data: str, curves: Any) -> list[str]:
    first = curves[curves["classifier"] == curves["classifier"].iloc[0]]
    names = list(dict.fromkeys(first["selector"]))
    measures = {
        "representation_entropy": (
            "representation entropy",
            "Entropy of the variance along principal directions of the best features: "
            "more is less redundant.",
        ),
        "redundancy_rate": (
            "redundancy rate",
            "Mean correlation between the best features, halved: less is less "
            "redundant.",
        ),
    }
    return [
        figure(
            line_picture(
                [_line_of(first, name, measure, False) for name in names],
                name=f"{measure.replace('_', '-')}-{_slug(data)}",
                title=f"{title.capitalize()} against the number of best features",
                x_title="number of best features used",
                y_title=title,
                is_log=first["n_features"].max() > _MANY_FEATURES,
            ),
            caption,
            names,
        )
        for measure, (title, caption) in measures.items()
    ]


def _line_of(curves: Any, name: str, measure: str, has_bands: bool) -> Line:
    part = curves[curves["selector"] == name]
    sides = [part[side].tolist() for side in ("low", "high")] if has_bands else []
    return Line(part["n_features"].tolist(), part[measure].tolist(), *sides)


def _slug(name: str) -> str:
    return "".join(c if c.isalnum() else "-" for c in name)
