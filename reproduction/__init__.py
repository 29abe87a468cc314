"""The experiments of the papers, to be run again: ours beside theirs."""

# Names imported as themselves (`X as X`) are shared with other rooms, not public.
from reproduction._experiment import (
    VERDICTS as VERDICTS,
    Cell,
    Experiment,
    curve_of as curve_of,
)
from reproduction._records import MOST_POINTS as MOST_POINTS
from reproduction._reproduce import experiments, reproduce

__all__ = ["Cell", "Experiment", "experiments", "reproduce"]
