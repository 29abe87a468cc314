"""Selectors that use threads of scikit-learn fit in a forked process, too."""

import os
import subprocess
import sys

import pytest

# OpenMP gets threads from scikit-learn itself, whatever the size of our data.
PROGRAM = """
import multiprocessing, warnings
import numpy as np
from sklearn.cluster import KMeans
import pairsift

warnings.simplefilter("ignore")
rng = np.random.default_rng(0)
X = rng.normal(size=(600, 3)) + 4.0 * (np.arange(600) % 3)[:, None]
y = np.where(np.arange(600) % 10 == 0, np.arange(600) % 3, -1)
KMeans(3, n_init=1, random_state=0).fit(X)
selector = pairsift.{name}(random_state=0).fit(X, y)

def fit(queue):
    queue.put(pairsift.{name}(random_state=0).fit(X, y).scores_)

context = multiprocessing.get_context("fork")
queue = context.Queue()
child = context.Process(target=fit, args=(queue,), daemon=True)
child.start()
assert np.array_equal(queue.get(timeout=60), selector.scores_)
"""


@pytest.mark.subprocess
@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
@pytest.mark.parametrize("name", ["ClusterVarianceScore", "ClusterHomogeneity"])
def test_a_forked_process_does_not_wait_for_threads_of_its_parent(name):
    program = PROGRAM.format(name=name)
    result = subprocess.run([sys.executable, "-c", program], timeout=120)

    assert result.returncode == 0
