"""The catalogue of methods, read off the selector classes."""

from difflib import get_close_matches
from typing import Any

from pairsift.exceptions import DataError
from pairsift.selectors._base import BaseScoreSelector


def selector_classes() -> list[type[BaseScoreSelector]]:
    """Return all selectors, in order of their catalogue names."""
    found: set[type[BaseScoreSelector]] = set()
    waiting: list[type[BaseScoreSelector]] = [BaseScoreSelector]
    while waiting:
        cls = waiting.pop()
        waiting.extend(cls.__subclasses__())
        if "_method" in vars(cls) and cls.__module__.startswith("pairsift."):
            found.add(cls)
    return sorted(found, key=lambda cls: cls._method.name)


def methods() -> Any:
    """List every selector there is.

    Returns
    -------
    catalogue : pandas.DataFrame
        One row per selector with the columns `name` (as typed after ``--method`` on
        the command line), `class`, `purpose`, `context`, `needs`, `orientation` of the
        published score, `cost`, `missing` and `categorical` (whether such columns are
        accepted), `sparse` (whether `X` may be a SciPy sparse matrix), `dask` (whether
        :func:`pairsift.distributed.fit` takes it), `aliases` and `citation`.

    Examples
    --------
    >>> import pairsift
    >>> catalogue = pairsift.methods()
    >>> catalogue.loc[catalogue["class"] == "ReliefFSc", "name"].item()
    'relieff-sc'
    """
    import pandas as pd

    return pd.DataFrame(
        [
            {
                "name": method.name,
                "class": method.class_name,
                "purpose": method.purpose,
                "context": method.context,
                "needs": method.needs,
                "orientation": method.orientation,
                "cost": method.cost,
                "missing": method.accepts_missing,
                "categorical": method.accepts_categorical,
                "sparse": method.accepts_sparse,
                "dask": method.dask,
                "aliases": ", ".join(method.aliases),
                "citation": method.citation,
            }
            for method in (cls._method for cls in selector_classes())
        ]
    )


def find_method(name: str) -> type[BaseScoreSelector]:
    """Return the selector class with a catalogue name or class name.

    Parameters
    ----------
    name : str
        For example ``"relieff-sc"``, ``"ReliefFSc"`` or an alias as ``"lsdf"``, in any
        case.

    Returns
    -------
    selector : type
        The class.

    Raises
    ------
    DataError
        If there is no such method; the message offers similar names.
    """
    known = {cls._method.name: cls for cls in selector_classes()}
    others = {cls.__name__.lower(): cls for cls in known.values()}
    others |= {alias: cls for cls in known.values() for alias in cls._method.aliases}
    wanted = name.lower().replace("_", "-")
    found = known.get(wanted) or others.get(wanted.replace("-", ""))
    if found is None:
        close = get_close_matches(wanted, known, n=3)
        hint = f"did you mean {', '.join(close)}? " if close else ""
        raise DataError(
            f"there is no method {name!r}: {hint}`pairsift methods` lists all."
        )
    return found
