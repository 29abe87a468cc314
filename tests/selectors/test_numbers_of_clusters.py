"""More clusters than rows allow are not made, and that is no secret."""

import numpy as np
import pytest

from pairsift import (
    MCFS,
    SPEC,
    ClusterHomogeneity,
    ClusterVarianceScore,
    PairConstraints,
    complete_labels,
)
from pairsift.evaluation import constrained_kmeans, constrained_spectral_clustering
from pairsift.scores import mcfs_score, spec_label_score, spec_score


def copied_rows():
    """Twelve rows, four of them different."""
    X = np.random.default_rng(0).normal(size=(4, 3))
    return np.repeat(X, 3, axis=0), np.array([0, 1, -1, -1] * 3)


PAIRS = PairConstraints(n_samples=12)
WHOLE = np.ones((12, 12))
PLACES = {
    "ClusterVarianceScore": lambda X, y, k: ClusterVarianceScore(
        n_clusters=k, random_state=0
    ).fit(X),
    "ClusterHomogeneity": lambda X, y, k: ClusterHomogeneity(
        n_clusters=k, random_state=0, n_permutations=2
    ).fit(X, y),
    "complete_labels": lambda X, y, k: complete_labels(
        X, y, n_clusters=k, random_state=0
    ),
    "constrained_kmeans": lambda X, y, k: constrained_kmeans(
        X, constraints=PAIRS, n_clusters=k
    ),
}
CUT_TO_ROWS = {
    "SPEC": (lambda X, y, k: SPEC(n_clusters=k).fit(X), 12, "rows that have edges"),
    "SPEC of labels": (
        lambda X, y, k: SPEC(n_clusters=k).fit(X, y),
        6,
        "labelled rows",
    ),
    "spec_score": (
        lambda X, y, k: spec_score(X, WHOLE, n_clusters=k),
        12,
        "rows that have edges",
    ),
    "spec_label_score": (
        lambda X, y, k: spec_label_score(X, y, n_clusters=k),
        6,
        "labelled rows",
    ),
    "MCFS": (lambda X, y, k: MCFS(n_clusters=k).fit(X), 11, "eigenvectors there are"),
    "mcfs_score": (
        lambda X, y, k: mcfs_score(X, WHOLE, n_clusters=k),
        11,
        "eigenvectors there are",
    ),
}


@pytest.mark.parametrize("place", PLACES)
def test_more_clusters_than_different_rows_warn(place):
    X, y = copied_rows()
    message = "n_clusters=5 is more than the 4 different rows, so that 4 count: choose"
    with pytest.warns(UserWarning, match=message) as caught:
        PLACES[place](X, y, 5)
    assert caught[0].filename == __file__
    PLACES[place](X, y, 4)


@pytest.mark.parametrize("place", CUT_TO_ROWS)
def test_more_clusters_than_eigenvectors_warn(place):
    X, y = copied_rows()
    # Distinct, because an eigenvalue of copies is multiple.
    X = X + 0.1 * np.random.default_rng(1).normal(size=X.shape)
    fit, possible, of = CUT_TO_ROWS[place]
    message = f"n_clusters={possible + 1} is more than the {possible} {of}, so that"
    with pytest.warns(UserWarning, match=message) as caught:
        fit(X, y, possible + 1)
    assert caught[0].filename == __file__
    fit(X, y, possible)


def test_no_warning_where_equal_rows_are_parted():
    """The eigenvectors of the graph part copies, and so do cannot-links."""
    X, _ = copied_rows()
    clusters = constrained_spectral_clustering(X, constraints=PAIRS, n_clusters=5)
    assert clusters.max() == 4
    apart = PairConstraints(cannot_link=[(0, 1), (0, 2), (1, 2)], n_samples=3)
    clusters = constrained_kmeans(X[:3], constraints=apart, n_clusters=3)
    assert clusters.tolist() == [0, 1, 2]


def test_a_number_that_nobody_chose_does_not_warn():
    X, y = copied_rows()
    SPEC().fit(X[::3])
    completed = complete_labels(X, np.where(np.arange(12) < 2, y, -1), min_size=1)
    assert completed.max() <= 5
