"""Figures are drawn without a screen and closed again."""

import importlib.util
import sys

import pytest


@pytest.fixture(autouse=True)
def figures():
    if importlib.util.find_spec("matplotlib") is None:
        yield
        return
    importlib.import_module("matplotlib").use("agg")
    yield
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")
