"""Promises."""

ROW_ORDER = {}
COLUMN_ORDER = {}
UNITS = {}
