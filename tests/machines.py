"""Fit selectors under the arithmetic of three processors, and compare.

`python -m tests.machines` fits all selectors, or those named. Each arithmetic has a
process of its own, because NumPy, OpenBLAS and Numba choose theirs when they start.
"""

import json
import os
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

import numpy as np
from threadpoolctl import threadpool_info

try:
    from numpy._core import _multiarray_umath as cpu
except ImportError:  # NumPy 1
    from numpy.core import _multiarray_umath as cpu

ROOT = Path(__file__).parents[1]
# NumPy's names for what came with AVX2 and before.
OLDER = {"X86_V3", "AVX", "F16C", "FMA3", "AVX2"}
# OpenBLAS reports the first of these for the second.
OPENBLAS_NAMES = {"Katmai": "Prescott"}
TOLERANCE = 1e-6
# Selectors that once gave other results on other machines.
SENSITIVE = (
    *("SemiLogisticIRelief", "ClusterVarianceScore", "LMFS", "S3VMSelector"),
    "SVDEntropy",
)


def arithmetics():
    """Return environments by name; the first is that of this machine."""
    newer = [name for name in cpu.__cpu_dispatch__ if name not in OLDER]
    return {
        "this machine": {},
        "Haswell": {
            "OPENBLAS_CORETYPE": "Haswell",
            "NPY_DISABLE_CPU_FEATURES": " ".join(newer),
        },
        "Prescott": {
            "OPENBLAS_CORETYPE": "Prescott",
            "NPY_DISABLE_CPU_FEATURES": " ".join(cpu.__cpu_dispatch__),
            "NUMBA_CPU_NAME": "generic",
        },
    }


def processor():
    """Return what NumPy, OpenBLAS and Numba use here."""
    import numba
    import scipy.linalg  # noqa: F401  it has an OpenBLAS of its own

    blas = {lib.get("architecture") for lib in threadpool_info()} - {None}
    blas = {OPENBLAS_NAMES.get(name, name) for name in blas}
    features = [name for name in cpu.__cpu_dispatch__ if cpu.__cpu_features__[name]]
    return {
        "openblas": sorted(blas),
        "numpy": features,
        "numba": numba.config.CPU_NAME or "host",
    }


def check_processor():
    """Refuse to compare where the environment had no effect."""
    used = processor()
    wanted = os.environ.get("OPENBLAS_CORETYPE")
    assert wanted is None or used["openblas"] == [wanted], used
    disabled = os.environ.get("NPY_DISABLE_CPU_FEATURES", "").split()
    assert set(disabled) <= set(cpu.__cpu_dispatch__), disabled
    assert not set(disabled) & set(used["numpy"]), used
    assert used["numba"] == os.environ.get("NUMBA_CPU_NAME", "host"), used
    return used


def tables():
    """Yield tables with ties, with copies and with few rows, by name."""
    for seed in range(4):
        rng = np.random.default_rng(seed)
        X, y = rng.normal(size=(40, 6)), np.arange(40) % 3
        X[:, 4] += 3.0 * (y == 1)
        X[:, 1] += 3.0 * (y == 2)
        yield f"plain {seed}", X, y
        yield f"ties {seed}", np.round(X), y
        copies = np.hstack([X, X[:, :3]])
        copies[30:] = copies[:10]
        yield f"copies {seed}", copies, y
        yield f"few rows {seed}", np.round(2.0 * X[:9]), y[:9]


def fit_all(names):
    """Return scores, order and refusals by selector and table."""
    from tests.selectors.builders import build, fit_arguments

    results = {}
    for name in names:
        for table, X, y in tables():
            try:
                selector = build(name).fit(X, **fit_arguments(name, y))
                result = {
                    "scores": selector.scores_.tolist(),
                    "order": selector.order_.tolist(),
                }
            except ValueError as error:
                result = {"refused": type(error).__name__}
            results[f"{name} on {table}"] = result
    return results


def differences(first, other):
    """Return a line for each fit whose scores or order differ."""
    from tests.selectors.promises import COPIES_BY_PROCESSOR

    lines = []
    for fit, one in first.items():
        two = other[fit]
        name, table = fit.split(" on ")
        if name in COPIES_BY_PROCESSOR and table.startswith("copies"):
            continue
        if one.keys() != two.keys():
            lines.append(f"{fit}: {one} beside {two}")
        elif "scores" in one:
            a, b = np.array(one["scores"]), np.array(two["scores"])
            size = np.abs(a[np.isfinite(a)]).max(initial=0.0)
            if not np.allclose(a, b, rtol=0.0, atol=TOLERANCE * size):
                with np.errstate(invalid="ignore"):
                    far = np.nanmax(np.abs(a - b))
                lines.append(f"{fit}: scores differ by {far:.1e} of {size:.1e}")
            elif one["order"] != two["order"]:
                lines.append(f"{fit}: order {one['order']} beside {two['order']}")
    return lines


def compare(names):
    """Fit selectors in three processes; return lines for what differs."""
    kept = {k: v for k, v in os.environ.items() if k not in arithmetics()["Prescott"]}
    with tempfile.TemporaryDirectory() as folder:
        children = []
        for place, settings in enumerate(arithmetics().values()):
            environment = {**kept, **settings, "OPENBLAS_NUM_THREADS": "1"}
            if "NUMBA_CPU_NAME" in settings:
                environment["NUMBA_CACHE_DIR"] = folder
            out = Path(folder) / f"{place}.json"
            command = [sys.executable, "-m", "tests.machines", "--child", out, *names]
            children.append(subprocess.Popen(command, cwd=ROOT, env=environment))
        codes = [child.wait() for child in children]
        assert codes == [0, 0, 0], codes
        fits = [
            json.loads((Path(folder) / f"{place}.json").read_text())
            for place in range(len(children))
        ]
    used = [json.dumps(fit["processor"]) for fit in fits]
    # A machine may be one of those named: two at least are there to compare.
    assert len(set(used)) > 1, used
    return [
        f"{name}: {line}"
        for name, other in list(zip(arithmetics(), fits, strict=True))[1:]
        for line in differences(fits[0]["results"], other["results"])
    ]


def main(arguments):
    """Run as a child, or compare and print."""
    if arguments[:1] == ["--child"]:
        used = check_processor()
        warnings.simplefilter("ignore")
        fits = {"processor": used, "results": fit_all(arguments[2:])}
        Path(arguments[1]).write_text(json.dumps(fits))
        return 0
    from tests.conftest import clear_stale_kernels
    from tests.selectors.builders import SELECTORS

    clear_stale_kernels(None)
    lines = compare(arguments or sorted(SELECTORS))
    sys.stdout.write(("\n".join(lines) or "no fit differs") + "\n")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
