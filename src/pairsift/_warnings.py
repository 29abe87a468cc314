"""Warnings that point at the user's line."""

import sys
import warnings

# Libraries that call pairsift for the user, as a pipeline does, and Numba, which calls
# our cache of compiled kernels.
CALLERS = {"pairsift", "sklearn", "joblib", "numba"}


def warn_caller(message: str, category: type[Warning] = UserWarning) -> None:
    """Warn at the line that called pairsift, however deep the warning arises."""
    frame, level = sys._getframe(1), 2
    while frame.f_back and _package(frame.f_globals) in CALLERS:
        frame, level = frame.f_back, level + 1
    warnings.warn(message, category, stacklevel=level)


def _package(names: dict[str, object]) -> str:
    return str(names.get("__name__")).partition(".")[0]
