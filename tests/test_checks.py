"""What does not fit into memory is refused, with the number and another way."""

import tracemalloc

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from pairsift import (
    MICI,
    SPEC,
    NearestNeighborForward,
    SimilarityConstraintScore as Similarity,
    _checks,
)
from pairsift.graphs import quadratic_forms, similarity_graph


@pytest.fixture
def little_memory(monkeypatch):
    """As if a thousand bytes were left."""
    monkeypatch.setattr(_checks, "LITTLE_MEMORY", 0)
    monkeypatch.setattr(_checks, "available_memory", lambda: 1000.0)


@pytest.mark.parametrize(
    ("selector", "said"),
    [
        (NearestNeighborForward(), "distances between 60 rows .* ReliefF"),
        (MICI(), "dissimilarities of 12 features .* CollinearityFilter"),
        (Similarity(), "similarities of 60 rows .* pairs of rows"),
        (Similarity(sigma="auto"), "similarities of 60 rows .* pairs of rows"),
        (
            SPEC(graph="full", use_labels=False),
            "all 60 rows .* graph of nearest neighbours",
        ),
    ],
    ids=lambda value: type(value).__name__,
)
def test_too_much_memory_is_refused_with_another_way(
    selector, said, little_memory, rng
):
    X, y = rng.random((60, 12)), np.arange(60) % 2
    with pytest.raises(ValueError, match=said):
        selector.fit(X, y)


def test_the_similarities_of_many_rows_are_refused_before_they_are_allocated(
    monkeypatch, rng
):
    monkeypatch.setattr(_checks, "available_memory", lambda: 8e9)
    X, y = rng.random((50_000, 100)), np.full(50_000, -1)
    y[:40] = np.arange(40) % 2
    said = (
        r"50000 rows take 10\.0 GB of memory, and 8\.0 GB are available: fit to some "
        "of the rows, or to pairs of rows .*, or take ReliefF"
    )
    tracemalloc.start()
    try:
        with pytest.raises(ValueError, match=said):
            Similarity().fit(X, y)
        assert tracemalloc.get_traced_memory()[1] < 4 * X.nbytes
    finally:
        tracemalloc.stop()


def test_the_message_tells_both_numbers(monkeypatch):
    monkeypatch.setattr(_checks, "available_memory", lambda: 12.5e9)
    with pytest.raises(
        ValueError, match=r"^they take 20\.0 GB .* 12\.5 GB .*: wait\.$"
    ):
        _checks.check_memory(20e9, "they", "wait")


def test_what_fits_is_not_refused():
    _checks.check_memory(1e9, "they", "wait")


@pytest.mark.parametrize("most_copied", [1e8, 0])
def test_read_only_data_are_copied_where_they_are_few(rng, monkeypatch, most_copied):
    """Both ways: kernels take what cannot be written to."""
    monkeypatch.setattr(_checks, "MAX_COPIED", most_copied)
    X = rng.random((6, 2))
    S = similarity_graph(X)
    expected = quadratic_forms(S, X)
    X.setflags(write=False)
    assert np.shares_memory(_checks.as_matrix(X), X) == (most_copied == 0)
    assert_array_equal(quadratic_forms(S, X), expected)
