"""What the tests share."""

import os
from pathlib import Path

import numpy as np
import pytest

SHARED_DATA = Path(
    os.environ.get("PAIRSIFT_DATA", Path(__file__).parents[2] / "shared" / "data")
)


@pytest.fixture
def rng():
    return np.random.default_rng(0)


@pytest.fixture
def shared_data():
    if not SHARED_DATA.is_dir():
        pytest.skip("the data sets of the papers are not beside the project")
    return SHARED_DATA
