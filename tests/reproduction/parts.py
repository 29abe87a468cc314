"""Run a part of an experiment as `python -m reproduction` does."""

from reproduction._experiment import Bench, Experiment, Judged, Part
from reproduction._running import Job


def run_part(part: Part, bench: Bench) -> list[Judged]:
    """Measure a part and judge it."""
    job = Job(Experiment("salmi2020", "1", "", "", (part,)), 0, keeps_runs=False)
    job.run(bench)
    return job.judged({})
