"""Values counted in blocks: parts that follow from the values alone."""

import warnings
from unittest.mock import patch

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import rankdata

import pairsift
from pairsift.distributed._reading import read_table
from pairsift.scores._block_correlations import BlockAssociations
from pairsift.scores._block_values import Parts, counted_columns
from tests.distributed.problems import source

N_ROWS, MOST = 3_000, 64


def columns():
    """Return columns that are hard to cut, and one of few values."""
    rng = np.random.default_rng(5)
    z = rng.normal(size=N_ROWS)
    chance = rng.random(N_ROWS)
    heaps = rng.normal(size=40)[rng.integers(0, 40, N_ROWS)]
    return np.column_stack(
        [
            z,
            np.exp(40 * z) * np.where(chance < 0.5, -1.0, 1.0),
            1e3 + 1e-9 * (z + chance),
            np.where(chance < 0.4, np.where(chance < 0.2, -0.0, 0.0), z),
            np.where(chance < 0.3, 1.5, z),
            heaps + 1e-11 * z,
            np.where(chance < 0.01, 1e300, z),
            np.where(chance < 0.01, 1e300, 5e-324 * np.round(1e3 * np.abs(z))),
            np.round(3 * z),
        ]
    )


def counted(X, edges):
    """Return the parts of all columns, what was said, and their correlations."""
    is_categorical = np.zeros(X.shape[1], dtype=bool)
    with (
        patch("pairsift.scores._block_values.MAX_VALUES", MOST),
        patch("pairsift.scores._block_values.MIN_VALUES", MOST),
        warnings.catch_warnings(record=True) as caught,
    ):
        warnings.simplefilter("always")
        blocks = read_table(pairsift.SemiMRMR(), source(X, edges)).X
        parts = counted_columns(blocks, is_categorical)
        rho = BlockAssociations(blocks, parts, is_categorical)._products
    return parts, [str(warning.message) for warning in caught], rho


def test_parts_do_not_depend_on_the_blocks_nor_on_the_order_of_rows():
    X = columns()
    whole, said, _ = counted(X, [])
    shuffled = X[np.random.default_rng(0).permutation(N_ROWS)]
    for rows, edges in ((X, [1, 2, 700]), (X, [50, 50, 2_000]), (shuffled, [9, 1_500])):
        parts, again, _ = counted(rows, edges)
        assert again == said
        for one, other in zip(whole, parts, strict=True):
            for a, b in zip(one, other, strict=True):
                assert_array_equal(a, b)


def test_correlations_are_as_near_as_is_said():
    X = columns()
    parts, said, rho = counted(X, [400, 1_000])
    ranks = rankdata(X, axis=0) - (N_ROWS + 1) / 2.0
    ranks /= np.linalg.norm(ranks, axis=0)
    angles = np.array([column.angle for column in parts])
    assert (np.abs(rho - ranks.T @ ranks) <= angles[:, None] + angles + 1e-12).all()
    # The bound is not far: the projection itself has the cosine of the angle.
    assert 0.3 * angles[0] < np.arccos(min(1.0, _cosine(parts[0], ranks[:, 0], X)))
    assert angles[-1] == 0.0
    assert parts[-1].is_exact
    assert (angles <= 2.0 / MOST).all()
    assert said == [
        "8 of 9 features have more than 64 different values: their rank correlations "
        "are taken from parts of near values, and wrong by at most "
        f"{2 * angles.max():.1e}."
    ]


def _cosine(parts, ranks, X):
    place = np.searchsorted(parts.high, X[:, 0])
    means = np.bincount(place, ranks) / np.bincount(place)
    return means[place] @ ranks / np.linalg.norm(means[place])


@pytest.mark.parametrize("n_values", [MOST, MOST + 1])
def test_few_values_have_their_own_ranks(n_values):
    X = np.random.default_rng(1).permutation(np.arange(600) % n_values) - 7.0
    X = np.column_stack([X, np.sin(X)])
    parts, said, rho = counted(X, [100, 101, 350])
    assert [column.is_exact for column in parts] == [n_values == MOST] * 2
    assert bool(said) == (n_values > MOST)
    ranks = rankdata(X, axis=0)
    error = 1e-12 if n_values == MOST else 4.0 / MOST
    assert_allclose(rho[0, 1], np.corrcoef(ranks.T)[0, 1], atol=error)


def test_a_part_of_many_cells_is_cut_into_equal_steps():
    parts = Parts(
        np.array([1.0, 5.0, 7.0]), np.array([1.5, 5.0, 8.0]), np.array([6, 6, 1]), False
    )
    # Of 13 cells more than a fourth lie in the first part, and in a single value.
    ends = parts.ends(4)
    assert_array_equal(ends, [1.25, 1.5, 5.0, 8.0])
