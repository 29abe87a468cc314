"""K-means that keeps pairs: against all partitions, by hand, and what is refused."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from pairsift import ConflictingConstraintsError, ConstraintError, PairConstraints
from pairsift.evaluation import constrained_kmeans
from pairsift.evaluation._constrained_kmeans import _place
from pairsift.exceptions import DataError
from tests.reference import constrained_kmeans as reference


def random_pairs(rng, n_rows, n_must, n_cannot):
    """Pairs that three classes keep, of rows in any place."""
    y = np.arange(n_rows) % 3
    pairs = PairConstraints.sample(y, n_cannot, n_must, random_state=rng)
    return PairConstraints(pairs.must_link, pairs.cannot_link, n_samples=n_rows)


# Not for every seed: with many pairs k-means may miss the best partition.
@pytest.mark.parametrize(
    ("seed", "n_pairs"), [(0, (0, 0)), (1, (2, 3)), (2, (2, 3)), (3, (1, 6))]
)
def test_sum_of_squares_is_the_smallest_of_all_partitions(seed, n_pairs):
    rng = np.random.default_rng(seed)
    X, pairs = rng.normal(size=(8, 2)), random_pairs(rng, 8, *n_pairs)
    clusters = constrained_kmeans(
        X, constraints=pairs, n_clusters=3, n_starts=60, random_state=seed
    )
    links = pairs.must_link.tolist(), pairs.cannot_link.tolist()
    assert reference.keeps(clusters, *links)
    best = reference.best_partition(X.tolist(), *links, 3)
    found = reference.sum_of_squares(X.tolist(), clusters.tolist())
    assert found == pytest.approx(best)


@pytest.mark.parametrize("seed", range(5))
def test_every_pair_is_kept_and_the_seed_decides(seed):
    rng = np.random.default_rng(seed)
    X, pairs = rng.normal(size=(60, 3)), random_pairs(rng, 60, 25, 60)
    options = {"constraints": pairs, "n_clusters": 3, "n_starts": 3}
    clusters = constrained_kmeans(X, **options, random_state=1)
    closed = pairs.closure()
    assert reference.keeps(clusters, closed.must_link, closed.cannot_link)
    assert_array_equal(clusters, constrained_kmeans(X, **options, random_state=1))
    # Numbered by their first rows.
    first_rows = np.unique(clusters, return_index=True)[1]
    assert first_rows.tolist() == sorted(first_rows)


@pytest.mark.parametrize("seed", range(5))
def test_labels_agree_with_plain_loops(seed):
    rng = np.random.default_rng(seed)
    y = np.arange(40) % 3
    X = rng.normal(size=(40, 2)) + 2 * np.eye(3)[y][:, :2]
    labels = np.where(np.arange(40) % 5 == 0, y, -1)
    found = constrained_kmeans(X, labels)
    assert found.tolist() == reference.from_classes(X.tolist(), labels.tolist())
    names = np.array([None, "a", "b", "c"], dtype=object)[labels + 1]
    assert constrained_kmeans(X, names).tolist() == ["abc"[c] for c in found]


def test_a_labelled_row_keeps_its_class_wherever_it_lies():
    X = [[0.0], [0.1], [0.2], [5.0], [5.1], [5.2]]
    assert constrained_kmeans(X, [0, -1, 0, 1, -1, 0]).tolist() == [0, 0, 0, 1, 1, 0]


def test_must_linked_rows_move_as_one_by_hand():
    # The two rows of the pair lie at 0 and 10: their mean, 5, is nearer to 6.
    X = [[0.0], [1.0], [1.1], [10.0], [6.0], [6.1]]
    pairs = PairConstraints(must_link=[(0, 3)], n_samples=6)
    clusters = constrained_kmeans(X, constraints=pairs, n_clusters=2)
    assert clusters.tolist() == [0, 1, 1, 0, 0, 0]


def test_a_cannot_link_parts_copies():
    X = [[0.0], [0.0], [4.0]]
    pairs = PairConstraints(cannot_link=[(0, 1)], n_samples=3)
    clusters = constrained_kmeans(X, constraints=pairs, n_clusters=2)
    assert clusters[0] != clusters[1]


def test_rows_that_cannot_be_parted_are_named():
    X = np.arange(6.0).reshape(-1, 1)
    pairs = PairConstraints(
        must_link=[(4, 5)], cannot_link=[(0, 1), (1, 4), (5, 0)], n_samples=6
    )
    with pytest.raises(
        ConstraintError, match=r"rows 0, 1, 4, 5 \(4 rows.*cannot be kept.*n_clusters=2"
    ):
        constrained_kmeans(X, constraints=pairs, n_clusters=2)
    kept = constrained_kmeans(X, constraints=pairs, n_clusters=3)
    assert len({kept[0], kept[1], kept[4]}) == 3


def test_a_search_that_takes_too_long_is_given_up_and_told(monkeypatch):
    monkeypatch.setattr("pairsift.evaluation._constrained_kmeans.MAX_TRIES", -3)
    pairs = PairConstraints(cannot_link=[(0, 1), (1, 2), (2, 3)], n_samples=4)
    with pytest.raises(ConstraintError, match="could not be kept in a limited search"):
        constrained_kmeans(np.eye(4), constraints=pairs, n_clusters=2)


def test_a_possible_way_stands_in_for_a_search_given_up(monkeypatch):
    from pairsift.evaluation import _constrained_kmeans as module

    def gives_up(apart, costs, *, is_interchangeable=False):
        if is_interchangeable:
            return _place(apart, costs, is_interchangeable=True)
        return np.full(len(apart), -1)

    monkeypatch.setattr(module, "_place", gives_up)
    pairs = PairConstraints(cannot_link=[(0, 1), (1, 2)], n_samples=4)
    clusters = constrained_kmeans(np.eye(4), constraints=pairs, n_clusters=2)
    assert reference.keeps(clusters, [], pairs.cannot_link)


def test_wrong_turns_are_taken_back():
    # Each group next to all of the other side but its partner: two clusters suffice,
    # and the cheapest clusters, partner by partner, need four.
    n = 4
    apart = [np.array([n + j for j in range(n) if j != i]) for i in range(n)]
    apart += [np.array([j for j in range(n) if j != i]) for i in range(n)]
    costs = np.tile(np.eye(n) * -1.0, (2, 1))[:, :2]
    clusters = _place(apart, costs)
    assert all(clusters[a] != clusters[b] for a in range(2 * n) for b in apart[a])
    triangle = [np.array([1, 2]), np.array([0, 2]), np.array([0, 1])]
    assert _place(triangle, np.zeros((3, 2))) is None


def test_arguments_that_do_not_fit_are_refused():
    X = np.eye(3)
    pairs = PairConstraints(must_link=[(0, 1)], n_samples=3)
    with pytest.raises(DataError, match="either labels or constraints, got neither"):
        constrained_kmeans(X)
    with pytest.raises(DataError, match="n_clusters must be a whole number"):
        constrained_kmeans(X, constraints=pairs)
    with pytest.raises(DataError, match="n_clusters is the number of classes"):
        constrained_kmeans(X, [0, 1, -1], n_clusters=2)
    with pytest.raises(ValueError, match="n_starts must be a whole number"):
        constrained_kmeans(X, constraints=pairs, n_clusters=2, n_starts=0)
    contradictory = PairConstraints([(0, 1), (1, 2)], [(0, 2)], n_samples=3)
    with pytest.raises(ConflictingConstraintsError, match="contradicts"):
        constrained_kmeans(X, constraints=contradictory, n_clusters=2)
    with pytest.raises(ValueError, match="squares overflow"):
        constrained_kmeans(X * 1e200, [0, 1, -1])
