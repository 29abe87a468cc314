"""Compiled kernels on disk, where a fault costs time and nothing else."""

import pickle
from hashlib import sha256
from typing import Any

from numba.core.caching import FunctionCache, IndexDataCacheFile, NullCache
from numba.core.serialize import dumps

from pairsift._kernels._interrupts import interrupts_later
from pairsift._warnings import warn_caller


def keep_compiled(kernel: Any) -> None:
    """Have a kernel kept on disk when it is compiled, wherever there is a place."""
    try:
        kernel._cache = KernelCache(kernel.py_func)
    except RuntimeError:
        # No folder in which files can be written.
        kernel._cache = NoCache()


class KernelFiles(IndexDataCacheFile):
    """Numba's files, with what belongs together: a crash leaves stale code, too."""

    def save(self, key: Any, data: Any) -> None:
        code = dumps(data)
        super().save(key, (self._source_stamp, key, sha256(code).digest(), code))

    def load(self, key: Any) -> Any:
        stored = super().load(key)
        if stored is None:
            return None
        *stamp_and_key, digest, code = stored
        if [self._source_stamp, key] != stamp_and_key:
            raise ValueError("code of another source or for other arguments")
        if digest != sha256(code).digest():
            raise ValueError("damaged code")
        return pickle.loads(code)

    def _load_index(self) -> dict[Any, str]:
        # Unpickling a damaged file raises nearly anything. An empty index is written
        # over it when the kernel has been compiled.
        try:
            index: dict[Any, str] = super()._load_index()
        except Exception:
            return {}
        return index


class KernelCache(FunctionCache):
    """Numba's cache, but kernels are compiled where it cannot be read or written."""

    def __init__(self, function: Any) -> None:
        super().__init__(function)
        locator = self._impl.locator
        self._cache_file = KernelFiles(
            self._cache_path, self._impl.filename_base, locator.get_source_stamp()
        )

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        try:
            with interrupts_later():
                return super().load_overload(sig, target_context)
        except Exception:
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        try:
            super().save_overload(sig, data)
        except OSError as error:
            warn_uncached(str(error))


class NoCache(NullCache):
    """In place of a cache where there is no folder for one."""

    def save_overload(self, sig: Any, cres: Any) -> None:
        warn_uncached("no folder for them can be written")


# Once, whatever the first reason was.
_is_warned = False


def warn_uncached(reason: str) -> None:
    """Warn once in a process that compiling will be repeated in the next one."""
    global _is_warned
    if _is_warned:
        return
    _is_warned = True
    warn_caller(
        f"compiled kernels cannot be kept on disk ({reason}), so each process compiles "
        "them again, which takes seconds: set NUMBA_CACHE_DIR to a folder that can be "
        "written.",
        RuntimeWarning,
    )
