"""Selectors that once depended on the processor no longer do."""

import platform

import pytest

from tests import machines

IS_X86 = platform.machine() in ("x86_64", "AMD64")


@pytest.mark.slow
@pytest.mark.subprocess
@pytest.mark.skipif(not IS_X86, reason="the arithmetics are those of x86 processors")
def test_sensitive_selectors_agree_under_the_arithmetic_of_three_processors():
    assert machines.compare(machines.SENSITIVE) == []


@pytest.mark.subprocess
@pytest.mark.skipif(not IS_X86, reason="the arithmetics are those of x86 processors")
def test_a_feature_that_numpy_does_not_know_is_refused(monkeypatch):
    monkeypatch.setenv("NPY_DISABLE_CPU_FEATURES", "AVX9000")
    with pytest.raises(AssertionError, match="AVX9000"):
        machines.check_processor()


def test_a_difference_of_scores_and_one_of_order_are_found():
    first = {
        "A on ties 0": {"scores": [1.0, 0.5], "order": [0, 1]},
        "B on ties 0": {"scores": [1.0, 1.0], "order": [0, 1]},
        "C on ties 0": {"scores": [1.0, float("-inf")], "order": [0, 1]},
    }
    other = {
        "A on ties 0": {"scores": [1.0, 0.500002], "order": [0, 1]},
        "B on ties 0": {"scores": [1.0, 1.0], "order": [1, 0]},
        "C on ties 0": {"scores": [1.0 + 1e-9, float("-inf")], "order": [0, 1]},
    }
    lines = machines.differences(first, other)
    assert lines == [
        "A on ties 0: scores differ by 2.0e-06 of 1.0e+00",
        "B on ties 0: order [0, 1] beside [1, 0]",
    ]
