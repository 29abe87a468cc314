"""The figures and times of Hijazi and Hoang 2021: FCRSC beside six other filters."""

from reproduction.hijazi2021._tables import PAPER

__all__ = ["PAPER"]
