"""Random problems for all selectors; see "How to fuzz" in CONTRIBUTING.md."""

import os

import numba
import pytest

from tests.fuzz.checks import check
from tests.fuzz.problems import draw

FIRST = int(os.environ.get("PAIRSIFT_FUZZ_SEED", "0"))
N_PROBLEMS = int(
    os.environ.get("PAIRSIFT_FUZZ", "50" if numba.config.DISABLE_JIT else "500")
)


@pytest.mark.slow  # all together
@pytest.mark.parametrize("seed", range(FIRST, FIRST + N_PROBLEMS))
def test_promises(seed):
    problem = draw(seed)
    try:
        check(problem)
    except Exception as error:
        # The seed and what was drawn, for the line of the summary.
        raise AssertionError(f"{error} in {problem}") from error
