"""Numbers of feature clusters beside the published ones.

Protocol of the papers: min-max scaling, ten draws of two thirds of the rows.
"""

import numpy as np
import pytest

from pairsift import FCRSC
from pairsift.datasets import load


def numbers_of_clusters(name, data_dir=None):
    data = load(name, data_dir=data_dir)
    rng = np.random.default_rng(0)
    numbers = []
    for _ in range(10):
        rows = rng.permutation(len(data.data))[: 2 * len(data.data) // 3]
        selector = FCRSC().fit(data.data[rows], data.target[rows])
        numbers.append(selector.n_clusters_)
    return numbers


@pytest.mark.shared_data
def test_sonar(shared_data):
    # Published: 39 to 40 of 60. One draw has a standard deviation of about 2.7.
    numbers = numbers_of_clusters("sonar", shared_data)
    assert min(numbers) <= 39
    assert max(numbers) >= 40
    assert abs(np.mean(numbers) - 39.5) < 2.7


def test_wine():
    # With few features the rule is unstable, anything between 2 and 10 of 13.
    numbers = numbers_of_clusters("wine")
    assert min(numbers) >= 2
    assert max(numbers) <= 10
