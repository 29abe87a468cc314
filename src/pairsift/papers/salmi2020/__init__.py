"""The tables and figures of Salmi, Hammouche and Macaire 2020."""

from dataclasses import replace

from pairsift.papers.salmi2020._figures import FIGURES
from pairsift.papers.salmi2020._tables import PAPER as TABLES

__all__ = ["PAPER"]

PAPER = replace(TABLES, experiments=(*TABLES.experiments, *FIGURES))
