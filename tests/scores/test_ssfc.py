"""SSFC against plain loops, and what is eliminated when."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from pairsift.information import pairwise_mutual_information, relevance
from pairsift.scores import forward_backward_path, ssfc_path
from pairsift.scores._ssfc import _weight
from tests.reference import mutual_search as reference
from tests.scores.information_data import DATA, as_columns, kinds


@pytest.mark.slow
@pytest.mark.parametrize("lambda_", ["median", "mean", 0.0, 0.7])
@pytest.mark.parametrize("name", DATA)
def test_path_agrees_with_plain_loops(name, lambda_):
    compare(DATA[name], lambda_)


@pytest.mark.parametrize(
    ("measure", "stop"),
    [
        ("correlation", "permutation"),
        ("correlation", "blanket"),
        ("information", "blanket"),
    ],
)
@pytest.mark.parametrize("name", DATA)
def test_options_agree_with_plain_loops(name, measure, stop):
    compare(DATA[name], 0.7, measure=measure, stop=stop)


def compare(X, lambda_, **options):
    labels = np.where(np.arange(len(X)) % 3 < 2, np.arange(len(X)) % 2, -1)
    path = ssfc_path(
        X,
        labels,
        lambda_=lambda_,
        n_permutations=12,
        n_neighbors=3,
        random_state=4,
        **options,
    )
    rng = np.random.default_rng(4)
    weight, redundant, kept, told = reference.ssfc(
        as_columns(X), kinds(X), labels, lambda_, 3, 12, rng, **options
    )
    assert_allclose(path.lambda_, weight, rtol=1e-7)
    assert_allclose(path.relevance, told, rtol=1e-9, atol=1e-10)
    assert np.flatnonzero(path.reasons == "kept").tolist() == kept
    dropped = [f for f, _ in redundant]
    assert path.order[::-1][: len(dropped)].tolist() == dropped
    assert path.replaced_by[dropped].tolist() == [f for _, f in redundant]
    assert np.flatnonzero(path.reasons == "redundant").tolist() == sorted(dropped)
    assert (path.replaced_by[path.reasons != "redundant"] == -1).all()


@pytest.mark.parametrize("name", DATA)
def test_similarities_may_be_compared_with_zero(name):
    X = DATA[name]
    labels = np.where(np.arange(len(X)) % 3 < 2, np.arange(len(X)) % 2, -1)
    path = ssfc_path(
        X,
        labels,
        lambda_=0.7,
        permute="similarity",
        n_permutations=12,
        n_neighbors=3,
        random_state=4,
    )
    columns, draws = as_columns(X), np.random.default_rng(4)
    _, redundant, kept, _ = reference.ssfc(
        columns, kinds(X), labels, 0.7, 3, 12, draws, permute="similarity"
    )
    assert np.flatnonzero(path.reasons == "kept").tolist() == kept
    dropped = [f for f, _ in redundant]
    assert path.order[::-1][: len(dropped)].tolist() == dropped


def test_large_weights_leave_dissimilar_features_when_compared_with_zero(rng):
    # Column 1 is column 0 with noise, so that S is negative for a large λ, and yet
    # above what a shuffled column has, whose relevance is smaller still.
    X = rng.normal(size=(200, 2))
    X[:, 1] = X[:, 0] + 0.5 * X[:, 1]
    labels = (X[:, 0] > 0).astype(int)
    options = {"lambda_": 50.0, "n_permutations": 20, "random_state": 0}
    by_feature = ssfc_path(X, labels, **options)
    by_zero = ssfc_path(X, labels, permute="similarity", **options)
    assert by_feature.similarities[0, 1] < 0.0
    assert by_feature.reasons.tolist() == ["kept", "redundant"]
    assert by_zero.reasons.tolist() == ["kept", "kept"]


def test_similarities_come_from_all_rows_and_relevance_from_labelled_ones(rng):
    X, labels = rng.normal(size=(60, 4)), np.arange(60) % 3 - 1
    path = ssfc_path(X, labels, lambda_=0.5, random_state=0)
    told = relevance(X[labels >= 0], labels[labels >= 0])
    assert_array_equal(path.relevance, told)
    differences = np.abs(told[:, None] - told)
    expected = pairwise_mutual_information(X) - 0.5 * differences
    assert_allclose(path.similarities, expected, rtol=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_weight_is_between_the_crossings(seed):
    rng = np.random.default_rng(seed)
    # Whole numbers, so that many differences are 0.
    A, B = rng.integers(-3, 6, (2, 7, 7)).astype(float)
    i, j = np.triu_indices(7, 1)
    slopes = [
        (A[i[p], j[p]] - A[i[q], j[q]]) / (B[i[p], j[p]] - B[i[q], j[q]])
        for p in range(21)
        for q in range(p)
        if B[i[p], j[p]] != B[i[q], j[q]]
    ]
    positive = [s for s in slopes if s > 0]
    assert_allclose(_weight(A, B, "median", rng), np.median(positive))
    assert_allclose(
        _weight(A, B, "mean", rng), (min(positive) + max(positive)) / 2, rtol=1e-12
    )


def test_median_of_drawn_crossings_is_near_that_of_all(rng, monkeypatch):
    A, B = rng.normal(size=(2, 30, 30))
    exact = _weight(A, B, "median", rng)
    monkeypatch.setattr("pairsift.scores._ssfc.MAX_CROSSINGS", 50_000)
    assert abs(_weight(A, B, "median", rng) / exact - 1) < 0.05


def test_without_crossings_both_terms_weigh_the_same():
    zeros = np.zeros((3, 3))
    for rule in ("median", "mean"):
        assert _weight(zeros, zeros, rule, np.random.default_rng(0)) == 1.0


@pytest.mark.parametrize("seed", range(4))
def test_near_copies_are_redundant_and_noise_is_irrelevant(seed):
    rng = np.random.default_rng(seed)
    y = np.arange(300) % 2
    X = rng.normal(size=(300, 6))
    X[:, 1] += 2 * y
    X[:, 4] = X[:, 1] + 0.1 * rng.normal(size=300)
    path = ssfc_path(X, np.where(np.arange(300) < 100, y, -1), random_state=seed)
    assert sorted(path.reasons[[1, 4]]) == ["kept", "redundant"]
    assert path.order[0] in (1, 4)
    assert path.replaced_by[path.order[-1]] == path.order[0]
    assert (path.reasons[[0, 2, 3, 5]] == "kept").sum() <= 1


@pytest.mark.filterwarnings("error")
def test_difficult_rows(rng):
    X = rng.normal(size=(14, 3))
    for data, y in (
        (X, [0] + [1] * 6 + [-1] * 7),
        (X[np.arange(14) // 4], [0, 1] * 4 + [-1] * 6),
        (np.round(X), [0, 1] * 4 + [-1] * 6),
        (X[:2], [0, 1]),
        (np.ones((14, 3)), [0, 1] * 7),
    ):
        path = ssfc_path(data, y, random_state=0)
        assert_array_equal(np.sort(path.order), np.arange(3))
        assert np.isfinite(path.similarities).all()
    assert path.reasons.tolist() == ["irrelevant"] * 3


def test_same_seed_gives_same_path_on_any_number_of_threads(rng):
    X, labels = rng.normal(size=(50, 8)), np.arange(50) % 4 - 1
    expected = ssfc_path(X, labels, random_state=3, n_jobs=1)
    for n_jobs in (2, None):
        found = ssfc_path(X, labels, random_state=3, n_jobs=n_jobs)
        for a, b in zip(found, expected, strict=True):
            assert_array_equal(a, b)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"lambda_": "most"}, "lambda_ must be one of 'median', 'mean', .* got 'most'"),
        ({"lambda_": -1.0}, "lambda_ must be one of .*a number of at least 0.*got -1"),
        ({"measure": "cosine"}, "measure must be one of 'information', 'correlation'"),
        ({"stop": "gap"}, "stop must be one of 'permutation', 'blanket', got 'gap'"),
        ({"relevance_test": "both"}, "relevance_test must be one of 'univariate', 'm"),
        ({"permute": "both"}, "permute must be one of 'feature', 'similarity'"),
        ({"quantile": 1.0}, "quantile must be a number between 0 and 1, got 1.0"),
        ({"n_permutations": 0}, "n_permutations must be .* at least 1, got 0"),
        ({"labels": [-1] * 6}, "labels must hold a class for each of the 6 rows"),
    ],
)
def test_impossible_arguments_are_refused(options, message):
    X = np.arange(12.0).reshape(6, 2)
    with pytest.raises(ValueError, match=message):
        ssfc_path(X, **{"labels": [0, 1] * 3} | options)


@pytest.mark.parametrize("measure", ["information", "correlation"])
def test_more_features_than_memory_are_refused(monkeypatch, measure):
    monkeypatch.setattr("pairsift._checks.LITTLE_MEMORY", 0.0)
    monkeypatch.setattr("pairsift._checks.available_memory", lambda: 100.0)
    with pytest.raises(ValueError, match=r"similarities of 3 features.*SemiMRMR"):
        ssfc_path(np.eye(3), [0, 1, 1], measure=measure)


def test_correlations_are_those_of_numpy(rng):
    X, labels = rng.normal(size=(60, 4)), np.arange(60) % 3 - 1
    X[:, 3] = 7.0
    path = ssfc_path(X, labels, measure="correlation", lambda_=0.5, random_state=0)
    known = labels >= 0
    told = [abs(np.corrcoef(X[known, f], labels[known])[0, 1]) for f in range(3)]
    assert_allclose(path.relevance, [*told, 0.0], atol=1e-15)
    A = np.zeros((4, 4))
    A[:3, :3] = np.abs(np.corrcoef(X[:, :3].T))
    B = np.abs(np.subtract.outer(path.relevance, path.relevance))
    assert_allclose(path.similarities, A - 0.5 * B, atol=1e-14)


def test_features_that_share_less_than_they_tell_are_kept(rng):
    # 0 and 1 share nothing but the class, so less than each tells about it.
    y = np.arange(400) % 2
    X = 3 * y[:, None] + rng.normal(size=(400, 2))
    near = X[:, 0] + 0.05 * rng.normal(size=400)
    X = np.column_stack([X, near])
    published = ssfc_path(X, y, lambda_=0.0, random_state=0)
    careful = ssfc_path(X, y, lambda_=0.0, stop="blanket", random_state=0)
    assert (published.reasons == "kept").sum() == 1
    assert careful.reasons[1] == "kept"
    assert sorted(careful.reasons[[0, 2]]) == ["kept", "redundant"]


@pytest.mark.slow
@pytest.mark.parametrize("measure", ["information", "correlation"])
def test_features_that_matter_together_are_found(rng, measure):
    X = rng.uniform(-1, 1, size=(300, 5))
    X[:, 4] = X[:, 1] + 0.01 * X[:, 4]
    y = (X[:, 1] * X[:, 3] > 0).astype(int)
    options = {"measure": measure, "random_state": 0, "n_permutations": 20}
    alone = ssfc_path(X, y, **options)
    together = ssfc_path(X, y, relevance_test="multivariate", **options)
    assert (alone.reasons == "kept").sum() < 2
    assert_array_equal(together.reasons == "redundant", alone.reasons == "redundant")
    kept = set(np.flatnonzero(together.reasons == "kept"))
    assert kept in ({1, 3}, {3, 4})
    assert set(together.order[:2]) == kept
    found = sorted(kept)
    left = np.flatnonzero(together.reasons != "redundant")
    search = forward_backward_path(X[:, left], y, random_state=0)
    assert sorted(left[search.order[: search.n_found]]) == found
    assert together.gains[found].min() > 0.1
    assert (together.gains[together.reasons == "redundant"] == 0.0).all()
