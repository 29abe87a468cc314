"""How ``pairsift query`` ends: the ranking, the files, and what to do next."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pairsift._words import listing, printable
from pairsift.cli._asking import Asking
from pairsift.cli._checks import data_warnings
from pairsift.cli._console import Messages
from pairsift.cli._page_texts import AIM, PageTexts, count_answers
from pairsift.cli._pages import pile_key
from pairsift.cli._piles_file import write_piles
from pairsift.cli._ranking import PAIR_METHOD, PILE_METHOD
from pairsift.cli._select import print_ranking
from pairsift.reports import Ranking, Table, write_report

if TYPE_CHECKING:
    from pairsift.active import ActiveSession

# Doubtful cards that are named.
_MAX_DOUBTS = 3


@dataclass(frozen=True)
class Files:
    """What a run reads and writes."""

    data: Path
    session: Path
    out: Path
    labels: Path | None
    report: Path | None


@dataclass(frozen=True)
class Ending:
    """What is said and written after the last answer."""

    asking: Asking
    files: Files
    messages: Messages
    command: str
    """The command that was given."""
    select: list[str]
    """The command that ranks again, without what it learns from."""

    @property
    def _session(self) -> ActiveSession:
        return self.asking.session

    @property
    def _table(self) -> Table:
        return self.asking.table

    @property
    def _texts(self) -> PageTexts:
        return self.asking.texts

    def run(self, *, as_json: bool) -> dict[str, Any]:
        """Say goodbye, write what was asked for, and return a summary."""
        if not self._session.history:
            self.messages.note("no answers, nothing written.")
            return self._summary(None)
        self.messages.note(
            f"{self._counts()} in {self.files.out}; the same command goes on from "
            f"{self.files.session}."
        )
        if self._texts.contradiction():
            self.messages.warn(
                f"{self._texts.contradiction()}: b, pressed when you go on, goes back "
                "to these answers."
            )
        for doubt in self._doubts():
            self.messages.warn(f"worth a second look (key b): {doubt}")
        with self.messages.progress("Ranking the features"):
            ranking = self.asking.best.ranking(self._session)
        if self.files.labels is not None:
            write_piles(self.files.labels, self._session.labels, self._table)
            self.messages.note(f"wrote {self.files.labels}")
        if ranking is None:
            lacking = self.asking.best.lacking(self._session)
            self.messages.note(f"no ranking yet, {lacking}: answer some more.")
        else:
            self._tell(ranking)
            if not as_json:
                print_ranking(ranking)
        return self._summary(ranking)

    def _tell(self, ranking: Ranking) -> None:
        """Say which features are chosen, and write the report."""
        said = data_warnings(self._table.features)
        for warning in ranking.warnings:
            if warning not in said:
                self.messages.warn(warning)
        chosen = [printable(f.name) for f in ranking.features if f.is_selected]
        self.messages.note(
            f"{ranking.method.name} would choose {len(chosen)} of "
            f"{len(ranking.features)} features: {listing(chosen, most=10)}."
        )
        if self._texts.advice():
            self.messages.note(self._texts.advice())
        if self.files.report is not None:
            with self.messages.progress("Writing the report"):
                write_report(
                    self.files.report,
                    ranking,
                    title=f"{self.files.data.name}, features ranked",
                    command=self.command,
                    about=f"Learned from {self._counts()}.",
                )
            self.messages.note(f"wrote {self.files.report}")
        if self._next(ranking):
            self.messages.note(f"next: {self._next(ranking)}")

    def _counts(self) -> str:
        """Say how many answers there are, and of which kinds."""
        said = count_answers(self._session)
        n_answers, aim = sum(said.values()), self.asking.max_queries or AIM
        number = f"{n_answers} of {aim}" if n_answers < aim else str(n_answers)
        noun = "answer" if number == "1" else "answers"
        kinds = [f"{said['same']} same, {said['different']} different"]
        if said["cards"]:
            sizes = [str(len(rows)) for rows in self._session.piles]
            piles = "pile" if len(sizes) == 1 else "piles"
            has_pairs = said["same"] + said["different"] > 0
            kinds = kinds if has_pairs else []
            cards = "card" if said["cards"] == 1 else "cards"
            rows = f"{', '.join(sizes)} {'row' if sizes == ['1'] else 'rows'}"
            kinds.insert(0, f"{said['cards']} {cards}, {len(sizes)} {piles} of {rows}")
        return f"{number} {noun} ({', '.join(kinds)}, {said['unsure']} unsure)"

    def _doubts(self) -> list[str]:
        cards = self._session.doubtful_cards()
        named = [
            f"{self._texts.name(card.row)} is on pile {pile_key(card.pile)}, the rows "
            f"nearest to it on pile {pile_key(card.likelier)}."
            for card in cards[:_MAX_DOUBTS]
        ]
        n_more = len(cards) - len(named)
        return [*named, f"{n_more} more cards."] if n_more else named

    def _next(self, ranking: Ranking) -> str | None:
        """Return the command that gives this ranking again, if there is one."""
        name, words = ranking.method.name, [*self.select]
        is_complete = not self._table.features.isna().to_numpy().any()
        if ranking.table.labels is None:
            words += ["--constraints", str(self.files.out)]
        elif self.files.labels is not None and is_complete:
            words += ["--labels", str(self.files.labels)]
        else:
            return None
        default = PAIR_METHOD if ranking.table.labels is None else PILE_METHOD
        return shlex.join(words if name == default else [*words, "--method", name])

    def _summary(self, ranking: Ranking | None) -> dict[str, Any]:
        """Return what ``--json`` prints."""
        said, pairs = count_answers(self._session), self._session.constraints
        features = [] if ranking is None else ranking.features
        return {
            "data": str(self.files.data),
            "session": str(self.files.session),
            "constraints": str(self.files.out),
            "labels": self.files.labels and str(self.files.labels),
            "report": self.files.report and str(self.files.report),
            "mode": self.asking.mode,
            "n_rows": self._session.n_samples,
            "n_answers": sum(said.values()),
            "n_cards": said["cards"],
            "n_unsure": said["unsure"],
            "n_must_link": pairs.n_must_link,
            "n_cannot_link": pairs.n_cannot_link,
            "piles": self._session.piles,
            "settled": self._session.settled,
            "contradiction": self._texts.contradiction() or None,
            "method": self.asking.best.method(self._session).name,
            "best_features": self._texts.best(),
            "ranking": [feature.as_dict() for feature in features],
            "next": None if ranking is None else self._next(ranking),
        }
