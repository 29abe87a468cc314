"""One thread at a time in an object."""

from __future__ import annotations

import functools
import os
import threading
from collections.abc import Callable
from typing import Concatenate, ParamSpec, TypeVar

Owner = TypeVar("Owner", bound="OneAtATime")
Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


class OneAtATime:
    """Has a lock, which is free in a forked child."""

    def __init__(self) -> None:
        self._lock, self._process = threading.RLock(), os.getpid()


def alone(
    method: Callable[Concatenate[Owner, Arguments], Result],
) -> Callable[Concatenate[Owner, Arguments], Result]:
    """Let one thread at a time into the methods of an object."""

    @functools.wraps(method)
    def wrapper(
        self: Owner, /, *args: Arguments.args, **kwargs: Arguments.kwargs
    ) -> Result:
        # The threads of its parent that may hold the lock are not in a forked child.
        if os.getpid() != self._process:
            self._lock, self._process = threading.RLock(), os.getpid()
        with self._lock:
            return method(self, *args, **kwargs)

    return wrapper
