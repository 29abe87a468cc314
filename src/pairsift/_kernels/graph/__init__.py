"""Distances of rows, and quadratic forms over graphs that join them."""
