"""What `import pairsift` gives and costs, and that all of it is documented."""

import importlib
import subprocess
import sys
from collections import Counter

import pytest
from numpydoc.validate import validate

import pairsift

ROOMS = ["pairsift", *(f"pairsift.{room}" for room in pairsift._ROOMS)]
# GL08 (no docstring) and PR* (parameters) stay on; what is left out is taste:
# capitals and full stops of parameter descriptions, See Also and Examples everywhere,
# one-line summaries longer than a line, and named return values.
LEFT_OUT = {"ES01", "SA01", "SA04", "EX01", "RT02", "GL01", "GL02", "GL03", "YD01"}


def public_objects():
    for room in ROOMS:
        module = importlib.import_module(room)
        for name in module.__all__:
            thing = getattr(module, name)
            if callable(thing):
                yield f"{room}.{name}"
                if isinstance(thing, type):
                    for method, value in vars(thing).items():
                        if not method.startswith("_") and callable(value):
                            yield f"{room}.{name}.{method}"


@pytest.mark.slow
def test_docstrings_are_complete():
    problems = [
        f"{name}: {code} {problem}"
        for name in sorted(set(public_objects()))
        for code, problem in validate(name)["errors"]
        if code not in LEFT_OUT
    ]
    assert not problems, "\n".join(problems)


def test_public_names_exist_and_stand_once():
    problems = []
    for room in ROOMS:
        module = importlib.import_module(room)
        for name, number in Counter(module.__all__).items():
            if number > 1:
                problems.append(f"{room}.{name} is listed {number} times")
            if getattr(module, name, None) is None:
                problems.append(f"{room}.{name} does not exist")
    assert not problems, "\n".join(problems)


def test_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'Nonsense'"):
        pairsift.Nonsense  # noqa: B018


@pytest.mark.subprocess
def test_import_loads_no_heavy_part():
    # Whatever scikit-learn itself loads is not ours to count.
    script = (
        "import sys, sklearn.feature_selection; before = set(sys.modules); "
        "import pairsift; heavy = {'numba', 'matplotlib', 'dask', 'typer', 'rich', "
        "'pandas', 'pairsift.cli', 'pairsift.datasets', 'pairsift.evaluation'}; "
        "print(sorted(heavy & (set(sys.modules) - before)))"
    )
    found = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert found.stdout.strip() == "[]"
