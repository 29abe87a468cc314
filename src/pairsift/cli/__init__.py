"""The command line: ``pairsift demo``, ``select``, ``query``, ``propagate`` ..."""

from pairsift.cli._main import app, main

__all__ = ["app", "main"]
