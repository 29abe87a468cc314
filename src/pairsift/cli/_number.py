"""How many features ``pairsift select`` takes when no number is given."""

from __future__ import annotations

from typing import Any, NamedTuple

USUAL = 10
"""Number of features for a method that finds no number itself."""


class Number(NamedTuple):
    """The parameters of a method with a number of features, and who chose it."""

    parameters: dict[str, Any]
    chosen_by: str
    """user, method or default."""

    def note(self, n_selected: int, method: str) -> str:
        """Return a sentence on the number; empty if the user gave it."""
        if self.chosen_by == "method":
            return f"{method} chose the number of features itself; --top takes another."
        if self.chosen_by == "default":
            return f"{n_selected} features, the default here; --top takes another."
        return ""


def with_number(
    selector_class: Any, parameters: dict[str, Any], n_features: int
) -> Number:
    """Let the method choose the number of features, or take ten, or all if fewer."""
    if "n_features_to_select" in parameters:
        return Number(parameters, "user")
    if _finds_number(selector_class, parameters):
        return Number(parameters | {"n_features_to_select": "auto"}, "method")
    number = min(USUAL, n_features)
    return Number(parameters | {"n_features_to_select": number}, "default")


def _finds_number(selector_class: Any, parameters: dict[str, Any]) -> bool:
    selector = selector_class(**parameters)
    # By information, MRMR refuses "auto" when it is fitted.
    if getattr(selector, "estimator", None) == "information":
        return False
    try:
        selector.set_params(n_features_to_select="auto")._validate_params()
    except ValueError:
        return False
    return True
