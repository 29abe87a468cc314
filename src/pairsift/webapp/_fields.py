"""What a request says, checked field by field."""

from __future__ import annotations

import json
import math
import re
from typing import Any

from pairsift.webapp._guard import Refusal

MAX_WHOLE = 2**53
# Characters that cannot be written to a file, or that turn the text around them.
_UNSAFE = re.compile(
    "[\x00-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)


class Fields:
    """The fields of a request; a wrong one is refused by name."""

    def __init__(self, given: dict[str, Any]) -> None:
        self._given = given

    @classmethod
    def of_json(cls, body: bytes) -> Fields:
        """Read a JSON object."""
        try:
            given = json.loads(body.decode("utf-8"), parse_constant=_refuse_constant)
        except (ValueError, RecursionError) as error:
            raise Refusal(400, "the request is no JSON.") from error
        if not isinstance(given, dict):
            raise Refusal(400, "the request must be a JSON object.")
        return cls(given)

    def text(self, name: str, most: int = 200, default: str | None = None) -> str:
        """Return a line of text, without characters that command."""
        value = self._given.get(name, default)
        if not isinstance(value, str) or len(value) > most:
            raise Refusal(400, f"{name} must be text of at most {most} characters.")
        return _UNSAFE.sub("", value).strip()

    def raw(self, name: str) -> str:
        """Return a text as it is, such as the content of a file."""
        value = self._given.get(name)
        if not isinstance(value, str):
            raise Refusal(400, f"{name} must be text.")
        return value.encode("utf-8", "replace").decode("utf-8")

    def choice(self, name: str, choices: tuple[str, ...]) -> str:
        """Return one of some words."""
        value = self._given.get(name)
        if value not in choices or not isinstance(value, str):
            raise Refusal(400, f"{name} must be one of {', '.join(choices)}.")
        return value

    def whole(self, name: str, default: int | None = None) -> int:
        """Return a whole number that is not negative."""
        value: Any = self._given.get(name, default)
        if isinstance(value, str) and re.fullmatch("[0-9]{1,15}", value):
            value = int(value)
        is_whole = isinstance(value, int) and not isinstance(value, bool)
        if not is_whole or not 0 <= value < MAX_WHOLE:
            raise Refusal(400, f"{name} must be a whole number from 0.")
        return int(value)

    def rows(self, name: str, most: int = 20) -> list[int]:
        """Return row numbers, as a list or separated by commas."""
        value = self._given.get(name)
        if isinstance(value, str):
            value = value.split(",")
        if not isinstance(value, list) or not 1 <= len(value) <= most:
            raise Refusal(400, f"{name} must be 1 to {most} row numbers.")
        return [Fields({name: row}).whole(name) for row in value]

    def pile(self, name: str) -> int | str:
        """Return the number of a pile, or the word that is said in its place."""
        value = self._given.get(name)
        if isinstance(value, str):
            return self.choice(name, ("new", "unsure", "same", "different"))
        return self.whole(name)

    def seconds(self, name: str) -> float:
        """Return a time span, cut to a day."""
        value = self._given.get(name, 0.0)
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if not is_number or not abs(value) < 1e300 or not math.isfinite(value):
            raise Refusal(400, f"{name} must be a number.")
        return min(max(float(value), 0.0), 86_400.0)


def _refuse_constant(word: str) -> None:
    raise ValueError(word)
