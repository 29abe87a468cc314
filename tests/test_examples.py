"""The gallery: every example runs."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = sorted((Path(__file__).parents[1] / "examples").glob("plot_*.py"))


@pytest.mark.slow
@pytest.mark.subprocess
@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_example_runs(path, tmp_path):
    pytest.importorskip("matplotlib")
    subprocess.run(
        [sys.executable, "-W", "error::UserWarning:pairsift", str(path)],
        check=True,
        cwd=tmp_path,
        env=os.environ | {"MPLBACKEND": "agg"},
    )
