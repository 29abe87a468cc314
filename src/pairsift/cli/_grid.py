"""Parameters of methods over a grid, as words of the command line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import typer

from pairsift.cli._ranking import as_data_error, find_method
from pairsift.exceptions import DataError

_WORDS: dict[str, Any] = {"true": True, "false": False, "none": None}

Grid = Annotated[
    list[str] | None,
    typer.Option(
        metavar="METHOD.PARAMETER=V,V,...",
        help="Values of a parameter of one of the --methods, each of which makes a "
        "line; several parameters make a line for each combination.",
    ),
]


def grid_of(
    words: Sequence[str], chosen: Mapping[str, Any]
) -> dict[str, list[Any]] | None:
    """Read the grid of the library from words such as relieff.n_neighbors=1,5,10."""
    grid: dict[str, list[Any]] = {}
    for word in words:
        name, parameter, values = _parts(word)
        method = find_method(name)[1].name
        if method not in chosen:
            raise DataError(
                f"--grid {word}: {method} is none of the --methods, add it there."
            )
        key = f"{method}__{parameter}"
        if key in grid:
            raise DataError(f"--grid {word}: {method}.{parameter} is given twice.")
        _check(word, chosen[method], parameter, values)
        grid[key] = values
    return grid or None


def _parts(word: str) -> tuple[str, str, list[Any]]:
    name, has_values, listed = word.partition("=")
    method, has_parameter, parameter = name.strip().partition(".")
    values = [_value(text.strip()) for text in listed.split(",") if text.strip()]
    if not (has_values and has_parameter and method and parameter and values):
        raise DataError(
            "--grid takes a method, a parameter and values, such as "
            f"relieff.n_neighbors=1,5,10, got {word!r}."
        )
    return method, parameter, values


def _value(text: str) -> Any:
    """Read a number, true, false or none; other words are text."""
    for read in (int, float):
        try:
            return read(text)
        except ValueError:
            continue
    return _WORDS.get(text.lower(), text)


def _check(word: str, selector: Any, parameter: str, values: Sequence[Any]) -> None:
    """Refuse a value before any file is read, not in each run."""
    known = selector.get_params()
    if parameter not in known:
        raise DataError(
            f"--grid {word}: there is no parameter {parameter!r}, but "
            f"{', '.join(known)}."
        )
    for value in values:
        with as_data_error():
            type(selector)(**{parameter: value})._validate_params()
