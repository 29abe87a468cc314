"""Values that several tables of a paper need are found once."""

from collections.abc import Callable, Hashable
from typing import Any, TypeVar

from reproduction._experiment import Bench
from reproduction._store import code_digest

Found = TypeVar("Found")


def remembered(bench: Bench, key: Hashable, find: Callable[[], Found]) -> Found:
    """Return what was found under the key in this process, or find it now."""
    if key not in bench.found:
        bench.found[key] = find()
    found: Found = bench.found[key]
    return found


def kept(bench: Bench, key: Hashable, find: Callable[[], Any]) -> Any:
    """Remember numbers or lists of them, also on disk if outcomes are stored."""

    def load() -> Any:
        value = bench.memory.cache(_value, ignore=["find"])
        return value(code_digest(), bench.seed, repr(key), find)

    return remembered(bench, key, load)


def _value(digest: str, seed: int, key: str, find: Callable[[], Any]) -> Any:
    """Find a value, which joblib keeps under all arguments but the last."""
    return find()
