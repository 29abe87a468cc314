"""Sums and models over given pairs of rows."""
