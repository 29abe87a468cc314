"""The tables and figures of S. Hijazi's thesis of 2019: margins, active constraints."""

from dataclasses import replace

from pairsift.papers.hijazi2019._figures import FIGURES
from pairsift.papers.hijazi2019._tables import PAPER as TABLES
from pairsift.papers.hijazi2019._times import TIMES

__all__ = ["PAPER"]

PAPER = replace(TABLES, experiments=(*TABLES.experiments, *TIMES, *FIGURES))
