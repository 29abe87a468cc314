"""The public names that stay, with their parameters."""

import importlib
import inspect
from typing import Any

import pairsift

# Of the functions of `pairsift.scores`, these do what no class does.
SCORES = (
    *("relief_sc_score", "relieff_sc_score", "relieff_sc_label_score"),
    *("simba_sc_score", *(f"constraint_score_{number}" for number in range(1, 8))),
    *("laplacian_score", "spec_score", "sselect_score", "mcfs_score", "scgs_score"),
    *("cluster_variance_score", "ssfc_path", "forward_backward_path"),
    "pair_logistic_path",
)
PACKAGES = (
    *("constraints", "graphs", "information", "datasets", "active", "evaluation"),
    *("distributed", "plotting", "reports"),
)


def parameters(thing: Any) -> list[str] | None:
    """Return the parameters of a function or class, with defaults, without types."""
    try:
        signature = inspect.signature(thing)
    except (TypeError, ValueError):
        return None
    empty = inspect.Parameter.empty
    return [
        f"{part.kind.name.lower()} {part.name}"
        + ("" if part.default is empty else f" = {shown(part.default)}")
        for part in signature.parameters.values()
    ]


def shown(default: Any) -> str:
    """Return a default as text; a function is shown by its name."""
    return default.__name__ if inspect.isfunction(default) else repr(default)


def methods_of(thing: Any) -> dict[str, list[str] | None]:
    """Return the parameters of the public methods of a class."""
    members = inspect.getmembers(thing, inspect.isfunction)
    return {
        name: parameters(member)
        for name, member in members
        if not name.startswith("_") and member.__module__.startswith("pairsift")
    }


def public() -> dict[str, Any]:
    """Return the names that stay, by where they are imported from."""
    found: dict[str, Any] = {}
    for package, names in [
        ("pairsift", pairsift.__all__),
        *((f"pairsift.{name}", None) for name in PACKAGES),
        ("pairsift.scores", SCORES),
    ]:
        module = importlib.import_module(package)
        for name in names or module.__all__:
            thing = getattr(module, name)
            entry: dict[str, Any] = {"parameters": parameters(thing)}
            if inspect.isclass(thing):
                entry["methods"] = methods_of(thing)
            found[f"{package}.{name}"] = entry
    return found
