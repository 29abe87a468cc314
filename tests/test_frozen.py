"""What users see stays as it was when the rebuild began, but for what it decides.

`python -m tools.freeze` writes the files that the results are compared with. Their
changes are the list of what has changed for users.
"""

import contextlib
import json
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from tests.frozen import commands, errors, names, selectors
from tests.selectors.builders import SELECTORS

FILES = Path(__file__).with_name("frozen")
# Scores are the result of many sums, whose order may change.
RTOL = 1e-9
# A search that ends near a minimum; another processor ends elsewhere near it.
NEAR_A_MINIMUM = {"LMFS": 1e-5, "SemiLogisticIRelief": 1e-5}


def stored(name):
    return json.loads((FILES / f"{name}.json").read_text("utf-8"))


def test_public_names_take_what_they_took():
    found = names.public()
    for name, expected in stored("names").items():
        assert found[name] == expected, name


@pytest.mark.parametrize("mistake", errors.MISTAKES)
def test_a_mistake_is_answered_by_its_sentence(mistake):
    found = errors.message(errors.MISTAKES[mistake])
    assert found == stored("errors")[mistake]


@pytest.mark.slow
@pytest.mark.parametrize("name", SELECTORS)
def test_scores_order_and_support_are_those_frozen(name):
    expected, found = stored("selectors")[name], selectors.outcomes(name)
    assert found.keys() == expected.keys()
    for problem, outcome in found.items():
        before = expected[problem]
        assert outcome.keys() == before.keys(), problem
        if "error" in before:
            assert outcome == before, problem
            continue
        scores = np.array(before["scores"], dtype=float)
        scale = np.abs(scores[np.isfinite(scores)]).max(initial=0.0)
        rtol = NEAR_A_MINIMUM.get(name, RTOL)
        assert_allclose(
            outcome["scores"], scores, rtol=rtol, atol=rtol * scale, err_msg=problem
        )
        assert_array_equal(outcome["order"], before["order"], err_msg=problem)
        assert_array_equal(outcome["support"], before["support"], err_msg=problem)


@pytest.mark.slow
def test_commands_print_what_they_printed(tmp_path):
    with contextlib.chdir(tmp_path):
        found = commands.run_all(tmp_path)
    expected = stored("commands")
    assert found.keys() == expected.keys()
    for name, result in found.items():
        assert result["exit"] == expected[name]["exit"], (name, result["error"])
        assert result["error"] == expected[name]["error"], name
        assert_alike(result["json"], expected[name]["json"], name)


def assert_alike(found, expected, where):
    """Compare JSON, numbers up to rounding."""
    assert type(found) is type(expected), where
    if isinstance(expected, dict):
        assert found.keys() == expected.keys(), where
        for key, value in expected.items():
            assert_alike(found[key], value, f"{where}: {key}")
    elif isinstance(expected, list):
        assert len(found) == len(expected), where
        for number, value in enumerate(expected):
            assert_alike(found[number], value, f"{where}[{number}]")
    elif isinstance(expected, float):
        assert_allclose(found, expected, rtol=RTOL, atol=1e-12, err_msg=where)
    else:
        assert found == expected, where
