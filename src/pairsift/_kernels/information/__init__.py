"""Entropies and mutual information of columns, from spacings and counts."""
