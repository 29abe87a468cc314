"""The page of a comparison: which method, then curves, redundancy and ranks."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pairsift._drawing import sweep_axis, sweep_title, takes_log_axis
from pairsift._words import listing
from pairsift.reports._evaluation import Evaluation
from pairsift.reports._page import (
    Section,
    figure,
    html_table,
    paragraph,
    rank_table,
    warning_list,
    write_page,
)
from pairsift.reports._pictures import Line, difference_picture, line_picture

if TYPE_CHECKING:
    from pairsift.evaluation import Comparison

_CLEAR = 0.05
"""A difference is clear when its p-value is smaller."""


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
            plus_minus(line.mean_accuracy, line.standard_error),
            f"{100 * line.best_accuracy:.1f} @ {line.best_size}",
            f"{line.representation_entropy:.2f}",
            f"{line.redundancy_rate:.3f}",
            _number(line.stability, 2),
            _number(line.mean_rank, 1),
            _seconds(line.seconds),
        ]
        for line in lines.itertuples()
    ]
    for measure in ("precision", "distance"):
        if lines[measure].notna().any():
            header.append(measure)
            for row, value in zip(rows, lines[measure], strict=True):
                row.append(_number(value, 2))
    if data is None and len(evaluation.datasets) > 1:
        header = ["data", *header]
        names = lines["data"].tolist()
        rows = [[name, *row] for name, row in zip(names, rows, strict=True)]
    return header, rows


def plus_minus(mean: float, error: float) -> str:
    """Return a mean and its standard error in percent."""
    text = f"{100 * mean:.1f}"
    return text if error != error else f"{text} ± {100 * error:.1f}"


def _number(value: float, digits: int) -> str:
    return "–" if value != value else f"{value:.{digits}f}"


def _seconds(value: float) -> str:
    return (
        "< 0.01" if value < 0.01 else f"{value:.2f}" if value < 10 else f"{value:.0f}"
    )


def write_evaluation(
    path: Path, evaluation: Evaluation, command: str, title: str | None = None
) -> None:
    """Write the page."""
    sections = [_which(evaluation)]
    if len(evaluation.datasets) > 1:
        sections += _over_data(evaluation)
    for data in evaluation.datasets:
        sections += _of_data(evaluation, data)
    sections.append(Section("Warnings", [warning_list(evaluation.all_warnings)]))
    protocol = [evaluation.protocol, *evaluation.result.notes]
    sections.append(Section("Protocol", [paragraph(text) for text in protocol]))
    write_page(
        path,
        title=title or f"{listing(evaluation.datasets)}, methods compared",
        lead=_lead(evaluation),
        sections=sections,
        command=command,
        parameters=evaluation.parameters,
    )


def comparison_results(
    result: Comparison, title: str = "Accuracy", about: str = ""
) -> str:
    """Return verdicts, curves and table of a comparison, for the page of a ranking.

    `about`, if given, follows as a paragraph.
    """
    evaluation = Evaluation.of(result, about)
    parts = [paragraph(text) for text in _verdicts(evaluation)]
    for data in evaluation.datasets:
        curves = evaluation.curves
        curves = curves[curves["data"] == data]
        parts += _accuracy(evaluation, data, curves) + _table(evaluation, data)
    parts += [paragraph(about)] if about else []
    return Section(title, parts).html()


def _lead(evaluation: Evaluation) -> str:
    """Open with the verdict, unless there are many."""
    verdicts = _verdicts(evaluation)
    return " ".join(verdicts) if len(verdicts) <= 2 else _extent(evaluation)


def _extent(evaluation: Evaluation) -> str:
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


def _verdicts(evaluation: Evaluation) -> list[str]:
    return [
        _verdict(evaluation, data, classifier)
        for data in evaluation.datasets
        for classifier in evaluation.classifiers
    ]


def _which(evaluation: Evaluation) -> Section:
    texts = _verdicts(evaluation)
    if len(texts) <= 2:
        # The page has opened with them.
        texts = [_extent(evaluation)]
    verdicts = [paragraph(t) for t in [*evaluation.result.verdicts(), *texts]]
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
    """Mean accuracies, one line per method and one column per data set."""
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
        *_sweeps(evaluation, data),
        Section("Accuracy", _accuracy(evaluation, data, curves)),
        Section("Redundancy", _redundancy(data, curves)),
        Section("Ranks of the features", _ranks(evaluation, data)),
    ]
    if len(evaluation.datasets) == 1:
        return sections
    # One section per data set, so that headings stay apart.
    parts = [part for section in sections for part in section.parts]
    return [Section(data, [*_table(evaluation, data), *parts])]


def _sweeps(evaluation: Evaluation, data: str) -> list[Section]:
    """Draw the mean accuracy against all that was varied."""
    figures = []
    for by in evaluation.result.swept:
        sweep = evaluation.result.sweep(by)
        sweep = sweep[sweep["data"] == data]
        for number, classifier in enumerate(evaluation.classifiers):
            part = sweep[sweep["classifier"] == classifier]
            if not part.empty:
                has_bands = evaluation.options["n_splits"] > 1
                figures.append(_sweep_figure(part, by, number, has_bands))
    return [Section("Accuracy against what was varied", figures)] if figures else []


def _sweep_figure(part: Any, by: str, number: int, has_bands: bool) -> str:
    data, classifier = part["data"].iloc[0], part["classifier"].iloc[0]
    axis, title = sweep_axis(part[by].tolist()), sweep_title(by)
    names = list(dict.fromkeys(part["line"]))
    lines = []
    for name in names:
        line = part[part["line"] == name]
        sides = [line[side].tolist() for side in ("low", "high") if has_bands]
        places = [axis.places[value] for value in line[by]]
        lines.append(Line(places, line["mean_accuracy"].tolist(), *sides))
    picture = line_picture(
        lines,
        name=f"sweep-{_slug(by)}-{number}-{_slug(data)}",
        title=f"Mean accuracy against {title}, {classifier}",
        x_title=title,
        y_title=f"mean accuracy, {classifier}",
        is_percent=True,
        is_log=axis.is_log,
        x_ticks=dict(zip(axis.places.values(), axis.texts, strict=True)),
    )
    bands = " Bands cover the mean with 95 % confidence." if has_bands else ""
    caption = f"Mean over the first half of the ranking and over the splits.{bands}"
    return figure(picture, caption, names)


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
            is_log=takes_log_axis(part["n_features"]),
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
                is_log=takes_log_axis(first["n_features"]),
            ),
            caption,
            names,
        )
        for measure, (title, caption) in measures.items()
    ]


def _line_of(curves: Any, name: str, measure: str, has_bands: bool) -> Line:
    part = curves[curves["selector"] == name]
    if len(part) == 1:
        # A line across for all features, which have a single number.
        part = part.loc[part.index.repeat(2)]
        part["n_features"] = [curves["n_features"].min(), curves["n_features"].max()]
    sides = [part[side].tolist() for side in ("low", "high")] if has_bands else []
    return Line(part["n_features"].tolist(), part[measure].tolist(), *sides)


def _slug(name: str) -> str:
    return "".join(c if c.isalnum() else "-" for c in name)
