"""The Relief family with labels, beside fast-select and scikit-rebate."""

import os
import subprocess
import sys
import tempfile
import time
from importlib.util import find_spec
from typing import Any, ClassVar

import numpy as np

from benchmarks._scenario import Scenario

HAS_FAST_SELECT = find_spec("fast_select") is not None
HAS_SCIKIT_REBATE = find_spec("skrebate") is not None
# scikit-rebate takes minutes on the sizes of the others.
REBATE_ROWS = 300
REBATE_COLUMNS = 50


class ReliefScenario(Scenario):
    """One method on one size; the peers' columns are there when they are installed."""

    method: ClassVar[str]
    options: ClassVar[dict[str, Any]] = {}
    reference = "time_fast_select" if HAS_FAST_SELECT else "time_pairsift"
    tiny_sizes: ClassVar = {"n_samples": 40, "n_features": 6}
    n_threads: ClassVar[int | None] = None
    """Threads of both, when not those of the run."""

    def setup(self) -> None:
        """Two classes and noise, with two features that matter only together."""
        n_samples, n_features = self.size["n_samples"], self.size["n_features"]
        rng = np.random.default_rng(self.seed)
        self.X = rng.normal(size=(n_samples, n_features))
        a, b = self.X[:, n_features // 2], self.X[:, -1]
        self.y = (a * b > 0).astype(int)
        self.with_missing = self.X.copy()
        self.with_missing[rng.random(self.X.shape) < 0.05] = np.nan
        self.mixed = self.X.copy()
        self.mixed[:, ::2] = np.round(self.mixed[:, ::2])
        self.n_jobs = self.n_threads or self.threads

    def _fit(self, X: np.ndarray, **options: Any) -> np.ndarray:
        import pairsift

        selector = getattr(pairsift, self.method)(
            n_jobs=self.n_jobs, **self.options, **options
        )
        return selector.fit(X, self.y).scores_

    def time_pairsift(self) -> np.ndarray:
        return self._fit(self.X)

    def time_pairsift_with_missing(self) -> np.ndarray:
        return self._fit(self.with_missing)

    def time_pairsift_half_categorical(self) -> np.ndarray:
        categorical = np.arange(0, self.X.shape[1], 2)
        return self._fit(self.mixed, categorical_features=categorical)

    if HAS_FAST_SELECT:

        def time_fast_select(self) -> np.ndarray:
            """The same, on the processor."""
            import fast_select

            peer = getattr(fast_select, self.method)(
                backend="cpu", n_jobs=self.n_jobs, **self.options
            )
            return peer.fit(self.X, self.y).feature_importances_

        def track_largest_difference_to_fast_select(self) -> float:
            return float(np.abs(self.time_fast_select() - self.time_pairsift()).max())

    def peakmem_pairsift(self) -> None:
        self._fit(self.X)

    if HAS_SCIKIT_REBATE:

        def track_times_faster_than_scikit_rebate(self) -> float:
            """One thread each, on fewer rows and columns."""
            import skrebate

            n_rows = min(REBATE_ROWS, self.size["n_samples"])
            n_columns = min(REBATE_COLUMNS, self.size["n_features"])
            X, y = self.X[:n_rows, :n_columns], self.y[:n_rows]
            peer = getattr(skrebate, self.method)(n_jobs=1, **self.options)
            ours = self._fit_small(X, y)
            start = time.perf_counter()
            peer.fit(X, y)
            return (time.perf_counter() - start) / ours

        def _fit_small(self, X: np.ndarray, y: np.ndarray) -> float:
            import pairsift

            selector = getattr(pairsift, self.method)(n_jobs=1, **self.options)
            seconds = []
            for _ in range(5):
                start = time.perf_counter()
                selector.fit(X, y)
                seconds.append(time.perf_counter() - start)
            return min(seconds)


def _scenario(
    method: str, n_samples: int, n_features: int, n_threads: int | None = None
) -> type[ReliefScenario]:
    return type(
        f"{method}{n_samples}x{n_features}",
        (ReliefScenario,),
        {
            "__doc__": f"{method}, {n_samples:,} x {n_features:,}.",
            "__module__": __name__,
            "name": f"relief-{method.lower()}-{n_samples}x{n_features}",
            "method": method,
            "options": {"n_neighbors": 10} if method == "ReliefF" else {},
            "sizes": {"n_samples": n_samples, "n_features": n_features},
            "n_threads": n_threads,
        },
    )


RELIEF_SCENARIOS = [
    _scenario("ReliefF", 20_000, 50),
    _scenario("ReliefF", 3_000, 200),
    _scenario("ReliefF", 1_000, 100),
    _scenario("ReliefF", 100, 10_000, n_threads=1),
    _scenario("SURF", 20_000, 50),
    _scenario("SURF", 1_000, 100),
    _scenario("MultiSURF", 20_000, 50),
    _scenario("MultiSURF", 1_000, 100),
]
# Scenarios are found again by module and name where memory is measured.
globals().update({scenario.__name__: scenario for scenario in RELIEF_SCENARIOS})

FIRST_FIT = """
import time
import numpy as np
from {package} import {method}
X = np.random.default_rng(0).normal(size=(60, 5))
start = time.perf_counter()
{method}({options}).fit(X, np.arange(60) % 2)
print(time.perf_counter() - start)
"""
DEMO = """
import sys, tempfile, time
from pairsift.cli import app
start = time.perf_counter()
with tempfile.TemporaryDirectory() as folder:
    app(["demo", "--out-dir", folder], standalone_mode=False)
print(time.perf_counter() - start)
"""
# Seconds that a first use may take; a peer compiles for minutes.
PATIENCE = 900


class FirstFit(Scenario):
    """Seconds of the first fit in a new process.

    Those that are tracked are of the fit alone, without imports.
    """

    name = "relief-first-fit"
    reference = "time_pairsift"
    sizes: ClassVar = {"n_samples": 60, "n_features": 5}
    tiny_sizes: ClassVar = {"n_samples": 20, "n_features": 5}

    def setup(self) -> None:
        """Tests neither compile again nor run the demo."""
        self.tiny = self.size == self.tiny_sizes

    def time_pairsift(self) -> None:
        """The whole process, with code compiled before: all uses but the first."""
        _seconds(_fit("pairsift", "ReliefF"))

    def track_relieff_compiled_before(self) -> float | None:
        return _seconds(_fit("pairsift", "ReliefF"))

    def track_relieff_from_an_empty_cache(self) -> float | None:
        return _seconds(_fit("pairsift", "ReliefF"), is_empty=not self.tiny)

    def track_multisurf_from_an_empty_cache(self) -> float | None:
        return _seconds(_fit("pairsift", "MultiSURF"), is_empty=not self.tiny)

    def track_demo_from_an_empty_cache(self) -> float | None:
        return None if self.tiny else _seconds(DEMO, is_empty=True)

    if HAS_FAST_SELECT:

        def track_relieff_of_fast_select(self) -> float | None:
            """Its code is not kept on disk: each process compiles."""
            program = _fit("fast_select", "ReliefF", "backend='cpu'")
            return None if self.tiny else _seconds(program)


def _fit(package: str, method: str, options: str = "") -> str:
    return FIRST_FIT.format(package=package, method=method, options=options)


def _seconds(program: str, *, is_empty: bool = False) -> float | None:
    """Run in a new process, if asked for without compiled code; None for no end."""
    with tempfile.TemporaryDirectory() as empty:
        added = {"NUMBA_CACHE_DIR": empty} if is_empty else {}
        try:
            done = subprocess.run(
                [sys.executable, "-c", program],
                capture_output=True,
                text=True,
                check=True,
                timeout=PATIENCE,
                env=os.environ | added,
            )
        except subprocess.TimeoutExpired:
            return None
    return float(done.stdout.split()[-1])
