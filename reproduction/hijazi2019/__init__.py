"""The tables and figures of S. Hijazi's thesis of 2019: margins, active constraints."""

from dataclasses import replace

from reproduction.hijazi2019._figures import FIGURES
from reproduction.hijazi2019._tables import PAPER as TABLES
from reproduction.hijazi2019._times import TIMES

__all__ = ["PAPER"]

PAPER = replace(TABLES, experiments=(*TABLES.experiments, *TIMES, *FIGURES))
