"""Differences of rows, weighted by their distances: the Relief family."""
