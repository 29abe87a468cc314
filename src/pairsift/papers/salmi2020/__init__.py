"""The tables of Salmi, Hammouche and Macaire 2020: similarities and constraints."""

from pairsift.papers.salmi2020._tables import PAPER

__all__ = ["PAPER"]
