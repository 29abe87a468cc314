"""The page of a ranking: what was chosen and how sure that is, then pictures."""

from __future__ import annotations

from collections.abc import Sequence
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from pairsift._words import printable, shortened
from pairsift.reports._feature_pictures import (
    MAX_GROUPS,
    Group,
    box_picture,
    correlation_picture,
    most_alike,
)
from pairsift.reports._page import (
    Section,
    figure,
    heading,
    html_table,
    panels,
    paragraph,
    share_table,
    warning_list,
    write_page,
)
from pairsift.reports._pictures import MAX_BARS, has_bars, score_picture
from pairsift.reports._ranking import Feature, Ranking
from pairsift.reports._sureness import Sureness, chosen_again
from pairsift.reports._table import row_name

if TYPE_CHECKING:
    import pandas as pd

    from pairsift._typing import IndexArray

# The page has an end, however many features, pairs and classes there are.
MAX_NAMED = 10
MAX_DRAWN = 8
MAX_COMPARED = 12
MAX_PAIRS = 20
MAX_ROWS = 50
_MAX_WORDS = 5
_MAX_VALUES = 4
_USUALLY_BEST = 5
"""Number of features looked at when none were selected."""
_SAID = {"must": "same", "cannot": "different"}
_BOXES = (
    "A box goes from the first quartile to the third, with a line at the median; "
    "whiskers cover 5 to 95 % of the values, and what lies beyond the frame is drawn "
    "at its edge. The number at the right is that of the values."
)


def write_report(
    path: Path,
    ranking: Ranking,
    *,
    title: str,
    command: str,
    about: str = "",
    results: str = "",
) -> None:
    """Write the page of a ranking.

    `about` says how it came about; `results` is HTML that follows the ranking, such as
    that of `comparison_results`.
    """
    write_ranking_page(
        path, ranking, title=title, command=command, about=about, results=results
    )


def write_ranking_page(
    path: Path | StringIO,
    ranking: Ranking,
    *,
    title: str,
    command: str,
    about: str = "",
    results: str = "",
    remark: str = "",
    answers: Sequence[Section] = (),
) -> None:
    """Write the page of a ranking: the verdict, pictures, then all that explains them.

    `remark` is added to the opening; `answers` follow the pictures.
    """
    best = best_features(ranking)
    sureness = _sureness(ranking, len(best))
    picture = figure(score_picture(ranking.features), _picture_note(ranking))
    sections: list[Section | str] = [Section("Ranking", [picture]), results]
    if ranking.has_data:
        sections += [
            *_distributions(ranking, best[:MAX_DRAWN]),
            *_redundancy(ranking, best[:MAX_COMPARED]),
            *answers,
            *_pairs(ranking, best[:_MAX_VALUES]),
        ]
    how_sure = _how_sure(ranking, best, sureness)
    sections.append(
        Section("All features", [_ranking_table(ranking, sureness), *how_sure])
    )
    if ranking.has_data or ranking.without_rows:
        sections.append(Section("Warnings", [warning_list(ranking.warnings)]))
    learned = paragraph(about or _learned_from(ranking))
    write_page(
        path,
        title=title,
        lead=f"{opening(ranking, best, sureness)} {remark}".strip(),
        sections=[*sections, Section("What it learned from", [learned])],
        command=command,
        parameters=ranking.parameters,
    )


def _sureness(ranking: Ranking, n_best: int) -> Sureness:
    if ranking.fit is None:
        reason = ranking.without_rows or "the page was written without the data"
        return Sureness(reason=reason)
    return chosen_again(ranking.fit, n_best)


def best_features(ranking: Ranking) -> list[Feature]:
    """Return the selected features, or the first few of a mere ranking."""
    features = ranking.features
    if ranking.n_selected < len(features):
        return features[: ranking.n_selected]
    return features[: min(_USUALLY_BEST, -(-len(features) // 2))]


def opening(ranking: Ranking, best: Sequence[Feature], sureness: Sureness) -> str:
    """Name the chosen features and say how sure that is, in one sentence."""
    n_features, n_best = len(ranking.features), len(best)
    names = [shortened(feature.name, 40) for feature in best[:MAX_NAMED]]
    if n_best > MAX_NAMED:
        names.append(f"{n_best - MAX_NAMED:,} more")
    listed = " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))
    done = f"{ranking.method.class_name} chose {listed} of {n_features:,} features"
    again = "were chosen again"
    if ranking.n_selected == n_features:
        done = f"{ranking.method.class_name} ranks {listed} first of {n_features:,}"
        again = f"were among the first {n_best:,} again"
    if sureness.reason:
        return f"{done}; how sure that is was not measured: {sureness.reason}."
    n_halves = sureness.n_halves
    where = f"rankings from random halves of {sureness.of_what}"
    if n_best == 1:
        return f"{done}; so did {sureness.counts[0]} of {n_halves} {where}."
    which = "none" if not sureness.n_sure else f"{sureness.n_sure:,}"
    if sureness.n_sure == n_best:
        which = "both" if n_best == 2 else "all"
    least = sureness.least
    again = again.replace("were", "was", 1) if which == "1" else again
    return (
        f"{done}; {which} of these {n_best:,} {again} in at least {least} of "
        f"{n_halves} {where}."
    )


def _how_sure(
    ranking: Ranking, best: Sequence[Feature], sureness: Sureness
) -> list[str]:
    if sureness.reason:
        return []
    n_best, n_features = len(best), len(ranking.features)
    order = np.argsort(sureness.counts, kind="stable")[:3]
    least = ", ".join(
        f"{shortened(best[k].name, 40)} ({sureness.counts[k]} of {sureness.n_halves})"
        for k in order.tolist()
    )
    by_chance = sureness.n_halves * n_best / n_features
    text = (
        f"How sure is it? 'again' counts the random halves of {sureness.of_what} that "
        f"choose the feature, too. Least often: {least}. A feature drawn at random "
        f"would be among the best {n_best:,} of {n_features:,} in about "
        f"{by_chance:.0f} of {sureness.n_halves}. Half of the evidence chooses less "
        "surely than all of it, so that these numbers are rather too low."
    )
    return [paragraph(text, "soft")]


def _picture_note(ranking: Ranking) -> str:
    n_features = len(ranking.features)
    notes = ["A higher score is better."]
    if ranking.n_selected < n_features:
        notes = [
            "Selected features are coloured, the others grey; a higher score is better."
        ]
    if n_features > MAX_BARS:
        notes.append(f"The best {MAX_BARS} of {n_features:,} features are shown.")
    if not has_bars(ranking.features):
        notes.append("Scores are points, not bars: the further right, the better.")
    if ranking.method.orientation == "minimised":
        notes.append("The published score is minimised: it is shown negated.")
    return " ".join(notes)


class Groups(NamedTuple):
    """Rows or pairs by what is known of them."""

    kind: str
    """rows or pairs"""
    note: str
    members: dict[str, IndexArray]
    """Row numbers, or pairs of them."""


def groups_of(ranking: Ranking) -> Groups:
    """Return classes, thirds of a numeric target, kinds of pairs, or all rows."""
    labels = ranking.table.labels
    if labels is not None and ranking.method.learns_from.from_numbers:
        return Groups("rows", "by thirds of the target", _thirds(labels))
    if labels is not None and ranking.n_labelled:
        return _classes(ranking)
    pairs = ranking.pairs_used()
    if pairs:
        members = {_SAID[kind]: rows for kind, rows in pairs.items()}
        return Groups("pairs", "between the two rows of a pair", members)
    rows = np.arange(len(ranking.table.features))
    return Groups("rows", "over all rows", {"all rows": rows})


def _classes(ranking: Ranking) -> Groups:
    from pairsift.constraints import encode_labels

    table = ranking.table
    codes, classes = encode_labels(table.labels, table.missing_label)
    sizes = np.bincount(codes[codes >= 0], minlength=len(classes))
    shown = np.sort(np.argsort(-sizes, kind="stable")[:MAX_GROUPS])
    members = {str(classes[k]): np.flatnonzero(codes == k) for k in shown.tolist()}
    note = f"by {ranking.classes}"
    if len(classes) > MAX_GROUPS:
        note += f", the {MAX_GROUPS} largest of {len(classes):,}"
    return Groups("rows", note, members)


def _thirds(labels: Any) -> dict[str, IndexArray]:
    target = np.asarray(labels, dtype=np.float64)
    low, high = np.nanquantile(target, [1 / 3, 2 / 3])
    return {
        f"up to {low:.4g}": np.flatnonzero(target <= low),
        "between": np.flatnonzero((target > low) & (target < high)),
        f"from {high:.4g}": np.flatnonzero((target >= high) & (target > low)),
    }


def _distributions(ranking: Ranking, best: Sequence[Feature]) -> list[Section]:
    groups = groups_of(ranking)
    features = ranking.table.features
    numbers = set(features.select_dtypes("number"))
    parts = []
    for feature in best:
        column = features[feature.name]
        is_number = feature.name in numbers
        draw = _boxes if is_number else _shares
        parts.append(
            heading(shortened(feature.name, 60)) + draw(column, groups, feature.rank)
        )
    what = "Differences" if groups.kind == "pairs" else "Values"
    n_more = len(best_features(ranking)) - len(best)
    more = f" {n_more:,} more are not drawn." if n_more else ""
    note = f"{what} of the chosen features {groups.note}.{more} {_BOXES}"
    return [Section("The chosen features", [panels(parts), paragraph(note, "soft")])]


def _boxes(column: pd.Series, groups: Groups, rank: int) -> str:
    values = column.to_numpy(dtype=np.float64, na_value=np.nan)
    drawn = []
    for label, members in groups.members.items():
        found = values[members]
        if groups.kind == "pairs":
            found = np.abs(found[:, 0] - found[:, 1])
        drawn.append(Group(label, found))
    title = f"{column.name} {groups.note}"
    return box_picture(drawn, name=f"distribution-{rank}", title=title)


def _shares(column: pd.Series, groups: Groups, _: int) -> str:
    """Write the shares of the most common words of a text column in each group."""
    texts = column.astype(object).where(column.notna(), None).to_numpy()
    by_group: dict[str, list[str]] = {}
    for label, members in groups.members.items():
        if groups.kind == "pairs":
            pairs = [(texts[a], texts[b]) for a, b in members.tolist()]
            known = [(a, b) for a, b in pairs if a is not None and b is not None]
            by_group[label] = ["equal" if a == b else "differ" for a, b in known]
        else:
            by_group[label] = [str(t) for t in texts[members] if t is not None]
    everything = [word for words in by_group.values() for word in words]
    words, counts = np.unique(np.array(everything, dtype=str), return_counts=True)
    common = words[np.argsort(-counts, kind="stable")][:_MAX_WORDS].tolist()
    shares = [
        [said.count(word) / max(1, len(said)) for word in common]
        for said in by_group.values()
    ]
    return share_table(list(by_group), common, shares)


def _redundancy(ranking: Ranking, best: Sequence[Feature]) -> list[Section]:
    features = ranking.table.features
    numbers = set(features.select_dtypes("number"))
    names = [feature.name for feature in best if feature.name in numbers]
    if len(names) < 2:
        return []
    correlations = features[names].corr(method="spearman").to_numpy()
    title = "Rank correlations of the chosen features"
    picture = correlation_picture(names, correlations, name="redundancy", title=title)
    names = [shortened(name, 40) for name in names]
    note = (
        f"{most_alike(names, correlations)} Spearman's rank correlation over all rows, "
        "the stronger the colour the larger; of two features at 1 or −1 one is enough."
    )
    if len(names) < len(best):
        note += " Features of text are left out."
    return [Section("Do they repeat each other?", [figure(picture, note.strip())])]


def _pairs(ranking: Ranking, best: Sequence[Feature]) -> list[Section]:
    used = ranking.pairs_used()
    if not used:
        return []
    table = ranking.table
    shown = [
        (kind, a, b)
        for kind, pairs in used.items()
        for a, b in pairs[: MAX_PAIRS // len(used)].tolist()
    ]
    names = [feature.name for feature in best]
    cells = table.features[names]
    rows = [
        (
            row_name(a, table.ids),
            row_name(b, table.ids),
            _SAID[kind],
            *(f"{_cell(cells.at[a, n])} / {_cell(cells.at[b, n])}" for n in names),
        )
        for kind, a, b in shown
    ]
    n_pairs = sum(map(len, used.values()))
    counts = " and ".join(f"{len(p):,} {_SAID[kind]}" for kind, p in used.items())
    which = "Rows are counted from 0." if table.ids is None else ""
    more = (
        f" {n_pairs - len(rows):,} more are not shown." if n_pairs > len(rows) else ""
    )
    text = f"{counts}, with the values of the best features. {which}{more}"
    header = ["row", "other row", "said", *names]
    listed = html_table(header, rows, is_whole=True)
    return [Section("The pairs", [paragraph(text), listed])]


def _cell(value: Any) -> str:
    import pandas as pd

    return "–" if pd.isna(value) else shortened(printable(value), 20)


def _ranking_table(ranking: Ranking, sureness: Sureness) -> str:
    shown = ranking.features[:MAX_ROWS]
    again = [f"{count} of {sureness.n_halves}" for count in sureness.counts]
    again += [""] * (len(shown) - len(again))
    header = ["rank", "feature", "score", "selected"]
    rows = [
        [str(f.rank), f.name, f.score_text, "yes" if f.is_selected else "no"]
        for f in shown
    ]
    if sureness.counts:
        header.append("again")
        rows = [[*row, text] for row, text in zip(rows, again, strict=False)]
    table = html_table(
        header,
        rows,
        numbers=["rank", "score", "again"],
        classes=["selected" if f.is_selected else "rest" for f in shown],
    )
    n_more = len(ranking.features) - len(shown)
    more = f"... and {n_more:,} more features."
    return table + (paragraph(more, "soft") if n_more else "")


def _learned_from(ranking: Ranking) -> str:
    n_labelled, n_used = ranking.n_labelled, ranking.n_constraints_used
    has_rows = ranking.has_data or ranking.without_rows
    rows = f" of {ranking.rows_text}" if has_rows else ""
    what = f"{len(ranking.features):,} features{rows} were ranked"
    if ranking.method.learns_from.labels == "no":
        return f"{what}; the method uses neither labels nor pairs."
    if n_used and n_labelled and ranking.constraints is None:
        return f"{what} by the {n_used:,} pairs that {n_labelled:,} labelled rows make."
    if n_used:
        return f"{what} by {n_used:,} pairs."
    if not has_rows:
        learned = ranking.method.needs
        return f"{what}; {ranking.method.class_name} learns from {learned}."
    return f"{what} by {n_labelled:,} labelled rows."
