"""What several tables of a paper need is found once."""

from collections.abc import Callable, Hashable
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from reproduction._experiment import Bench

Found = TypeVar("Found")
# The loader stands for one call of `reproduce`, and what was found goes with it.
_FOUND: WeakKeyDictionary[Callable[[str], Any], dict[Hashable, Any]] = (
    WeakKeyDictionary()
)


def remembered(bench: Bench, key: Hashable, find: Callable[[], Found]) -> Found:
    """Return what was found under the key with this seed and data, or find it now."""
    found = _FOUND.setdefault(bench.load, {})
    if (bench.seed, key) not in found:
        found[bench.seed, key] = find()
    return found[bench.seed, key]


def kept(bench: Bench, key: Hashable, find: Callable[[], Any]) -> Any:
    """Remember numbers or lists of them, also on disk if the bench has a log."""
    if bench.log is None:
        return remembered(bench, key, find)
    return bench.log.value(key, find)
