"""The tables of S. Hijazi's thesis of 2019: margins and active constraints."""

from pairsift.papers.hijazi2019._tables import PAPER

__all__ = ["PAPER"]
