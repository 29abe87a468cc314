"""The command line: ``pairsift demo``, ``pairsift select``, ``pairsift methods``."""

from pairsift.cli._main import app, main

__all__ = ["app", "main"]
