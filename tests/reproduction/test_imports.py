"""The reproduction of papers uses pairsift as any user does."""

import ast
import importlib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2] / "reproduction"


def imported_names(path):
    """Yield (module, name) for every name that a file imports from pairsift."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module.split(".")[0] == "pairsift":
            yield from ((node.module, alias.name) for alias in node.names)
        elif isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.startswith("pairsift."):
                    yield alias.name, "*"


@pytest.mark.parametrize(
    "path", sorted(ROOT.rglob("*.py")), ids=lambda path: str(path.relative_to(ROOT))
)
def test_only_public_names_of_pairsift_are_used(path):
    for module, name in imported_names(path):
        where = f"{module}.{name}"
        if where == "pairsift.__version__":
            continue
        assert "._" not in where, where
        public = getattr(importlib.import_module(module), "__all__", [name])
        assert name in public, where
