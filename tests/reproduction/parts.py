"""Run parts and experiments as `python -m reproduction` does."""

import pandas as pd

from reproduction._experiment import Experiment
from reproduction._reproduce import Runner, reproduce
from reproduction._text import lines


def run_part(part, bench):
    """Measure a part and judge it."""
    runner = Runner(n_runs=bench.n_runs, seed=bench.seed)
    runner.bench = bench
    return runner.measure(Experiment("salmi2020", "1", "", "", (part,))).cells


def cells_of(*names, **options):
    """Return all cells of a paper or table as a data frame."""
    return pd.DataFrame(lines(reproduce(*names, **options)))
