"""Errors and warnings about input that cannot be right, or may not be."""


class PairsiftError(Exception):
    """Base class of all errors raised by pairsift itself."""


class ConstraintError(PairsiftError, ValueError):
    """A pair constraint that cannot be: out of range, of a row with itself, ..."""


class ConflictingConstraintsError(ConstraintError):
    """Pair constraints that contradict each other through a chain of must-links."""


class DataError(PairsiftError, ValueError):
    """A data set or a table that cannot be found, read or used."""


class StorageError(PairsiftError, RuntimeError):
    """A session file that is in use, is none, or cannot be written."""


class PairsDisagreeWarning(UserWarning):
    """Pairs agree with the labels no better than chance: rows may be mixed up."""
