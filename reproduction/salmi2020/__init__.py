"""The tables and figures of Salmi, Hammouche and Macaire 2020."""

from dataclasses import replace

from reproduction.salmi2020._figures import FIGURES, TIMES
from reproduction.salmi2020._tables import PAPER as TABLES

__all__ = ["PAPER"]

_BY_NUMBER = sorted((*TABLES.experiments, TIMES), key=lambda found: found.table)
PAPER = replace(TABLES, experiments=(*_BY_NUMBER, *FIGURES))
