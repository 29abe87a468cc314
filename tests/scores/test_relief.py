"""Margins with labels against the formulas in plain loops."""

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import load_iris

from pairsift.scores import relief_score, relieff_score
from tests.reference import relief as reference

each_treatment = pytest.mark.parametrize(
    "missing", ["probability", "ignore", "constant", "distinct"]
)
each_rule = pytest.mark.parametrize("ties", ["share", "index"])


def mixed_data(rng, n_samples=30, share_missing=0.0):
    X = rng.normal(size=(n_samples, 6))
    X[:, 1] = rng.integers(0, 3, size=n_samples)
    X[:, 2] = 4.0
    X[:, 4] = rng.choice([-1.0, 2.5], size=n_samples)
    X[3] = X[8]
    X[rng.random(X.shape) < share_missing] = np.nan
    return X


def mask(columns, n_features):
    return np.isin(np.arange(n_features), columns)


def test_relief_by_hand_on_the_figure_of_the_thesis():
    # Figure 2.1: class A is x1 to x5, class B x6 to x10; ranges are 8 and 3.
    A = [(2, 3), (1, 4), (3, 4), (2, 5), (3, 6)]
    B = [(8, 6), (7, 5), (9, 5), (7, 4), (9, 4)]
    X, y = np.array(A + B, dtype=float), [0] * 5 + [1] * 5
    # Nearest hit and miss of each row by squared distances in 64ths and 9ths; x1 is
    # equally far from x2 and x3, and x7 to x10 have two hits at 4/64 less than 1/9.
    pairs = [
        ((2, 3), [(1, 4), (3, 4)], (7, 4)),
        ((1, 4), [(3, 4)], (7, 4)),
        ((3, 4), [(1, 4)], (7, 4)),
        ((2, 5), [(3, 4), (1, 4), (3, 6)], (7, 5)),
        ((3, 6), [(2, 5)], (7, 5)),
        ((8, 6), [(7, 5), (9, 5)], (3, 6)),
        ((7, 5), [(9, 5)], (3, 4)),
        ((9, 5), [(7, 5)], (3, 6)),
        ((7, 4), [(9, 4)], (3, 4)),
        ((9, 4), [(7, 4)], (3, 4)),
    ]
    expected = np.zeros(2)
    for x, hits, miss in pairs:
        if x == (7, 5):
            # x3 and x5 are 16/64 + 1/9 away, x4 25/64.
            misses = [(3, 4), (3, 6)]
        elif x == (9, 5):
            misses = [(3, 4), (3, 6)]
        else:
            misses = [miss]
        expected += np.mean([np.subtract(x, m) ** 2 for m in misses], axis=0)
        expected -= np.mean([np.subtract(x, h) ** 2 for h in hits], axis=0)
    assert_allclose(relief_score(X, y), expected / [64, 9] / 10, rtol=1e-12)


def test_relieff_by_hand_with_three_classes():
    # One feature of range 4; priors 2/5, 2/5 and 1/5.
    X, y = np.array([[0.0], [1.0], [2.0], [4.0], [3.0]]), [0, 0, 1, 1, 2]
    # K = 1; row 3 is alone in class 2 and has no hit.
    of_0 = (2 / 3 * 2 + 1 / 3 * 3 - 1) + (2 / 3 * 1 + 1 / 3 * 2 - 1)
    of_1 = (2 / 3 * 1 + 1 / 3 * 1 - 2) + (2 / 3 * 3 + 1 / 3 * 1 - 2)
    of_2 = 1 / 2 * 2 + 1 / 2 * 1
    expected = (of_0 + of_1 + of_2) / 4 / 5
    assert_allclose(relieff_score(X, y, n_neighbors=1), [expected], rtol=1e-12)


def test_tied_rows_share_the_last_place_or_the_first_takes_it():
    # The hits of row 0 are rows 1 and 2, equally far; row 3 is the only miss.
    X = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    y = [0, 0, 0, 1]
    # Row 0: miss (1, 1), hits half of (1, 0) and (0, 1). Row 1: miss (0, 1) less hit
    # (1, 0); row 2 the mirror image. Row 3: half of (0, 1) and (1, 0), no hit.
    by_share = np.array([0.5 - 1 + 1 + 0.5, 0.5 + 1 - 1 + 0.5]) / 4
    assert_allclose(relieff_score(X, y, n_neighbors=1), by_share, rtol=1e-12)
    # Row 0 takes row 1 for a hit, and row 3 takes row 1 for a miss.
    by_index = np.array([0 - 1 + 1 + 0, 1 + 1 - 1 + 1]) / 4
    scores = relieff_score(X, y, n_neighbors=1, ties="index")
    assert_allclose(scores, by_index, rtol=1e-12)


@each_rule
@pytest.mark.parametrize("n_neighbors", [1, 3, 10, 50])
@pytest.mark.parametrize("n_classes", [2, 3, 12])
def test_relieff_agrees_with_plain_loops(rng, n_neighbors, n_classes, ties):
    X = mixed_data(rng)
    y = rng.integers(-1, n_classes, size=len(X))
    y[:n_classes] = np.arange(n_classes)
    expected = reference.relieff(X, y, n_neighbors, ties=ties, categorical=[1])
    scores = relieff_score(
        X, y, n_neighbors=n_neighbors, ties=ties, is_categorical=mask([1], 6)
    )
    assert_allclose(scores, expected, rtol=1e-10, atol=1e-12)
    assert scores[2] == 0.0


@each_rule
@pytest.mark.parametrize("n_classes", [2, 3, 12])
def test_relief_agrees_with_plain_loops(rng, n_classes, ties):
    X = mixed_data(rng)
    y = rng.integers(-1, n_classes, size=len(X))
    y[:n_classes] = np.arange(n_classes)
    expected = reference.relief(X, y, ties=ties, categorical=[1])
    scores = relief_score(X, y, ties=ties, is_categorical=mask([1], 6))
    assert_allclose(scores, expected, rtol=1e-10, atol=1e-12)


@each_treatment
def test_missing_values_agree_with_plain_loops(rng, missing):
    X = mixed_data(rng, share_missing=0.2)
    y = rng.choice([-1, 0, 0, 0, 1, 2], size=len(X))
    y[:3] = [0, 1, 2]
    kinds = {"categorical": [1, 4], "missing": missing}
    ours = {"is_categorical": mask([1, 4], 6), "missing": missing}
    expected = reference.relieff(X, y, 4, **kinds)
    scores = relieff_score(X, y, n_neighbors=4, **ours)
    assert_allclose(scores, expected, rtol=1e-10, atol=1e-12)
    expected = reference.relief(X, y, **kinds)
    assert_allclose(relief_score(X, y, **ours), expected, rtol=1e-10, atol=1e-12)


@given(
    X=arrays(
        np.float64, (9, 3), elements=st.sampled_from([0.0, 1.0, 2.0, 3.0, np.nan])
    ),
    y=arrays(np.int64, 7, elements=st.integers(-1, 3)),
    missing=st.sampled_from(["probability", "ignore", "constant", "distinct"]),
    ties=st.sampled_from(["share", "index"]),
    n_neighbors=st.integers(1, 9),
    categorical=st.sampled_from([[], [1], [0, 1, 2]]),
)
@settings(max_examples=100, deadline=None)
def test_ties_duplicates_and_missing_values_agree(
    X, y, missing, ties, n_neighbors, categorical
):
    y = np.concatenate([[0, 1], y])
    kinds = {"missing": missing, "ties": ties}
    ours = kinds | {"is_categorical": mask(categorical, 3)}
    scores = relieff_score(X, y, n_neighbors=n_neighbors, **ours)
    expected = reference.relieff(X, y, n_neighbors, categorical=categorical, **kinds)
    assert_allclose(scores, expected, rtol=1e-10, atol=1e-12)
    scores = relief_score(X, y, **ours)
    expected = reference.relief(X, y, categorical=categorical, **kinds)
    assert_allclose(scores, expected, rtol=1e-10, atol=1e-12)


def score_of(name):
    return {"relief": relief_score, "relieff": relieff_score}[name]


each_score = pytest.mark.parametrize("name", ["relief", "relieff"])


@each_score
@each_treatment
def test_many_blocks_and_threads_agree_with_few(rng, name, missing, monkeypatch):
    # Rows in blocks of 256, and in blocks of 40 with chunks of 3 rows.
    X = np.round(4 * rng.normal(size=(500, 7)))
    X[rng.random(X.shape) < 0.1] = np.nan
    y = rng.integers(0, 4, size=500)
    options = {"missing": missing, "is_categorical": mask([2, 5], 7)}
    expected = score_of(name)(X, y, n_jobs=1, **options)
    assert_array_equal(score_of(name)(X, y, n_jobs=3, **options), expected)
    monkeypatch.setattr("pairsift._kernels.relief._encoded.BLOCK_ROWS", 40)
    monkeypatch.setattr("pairsift._kernels.relief._tiles.STRIP_ROWS", 8)
    scores = score_of(name)(X, y, **options)
    assert_allclose(scores, expected, rtol=1e-12, atol=1e-14)
    # And with distances that are not kept.
    monkeypatch.setattr("pairsift._kernels.relief._tiles.MAX_DISTANCES", 0)
    scores = score_of(name)(X, y, **options)
    assert_allclose(scores, expected, rtol=1e-12, atol=1e-14)


@each_score
@each_treatment
def test_order_of_rows_and_columns_does_not_matter(rng, name, missing):
    # Counts are often tied; thirds make the sums of Δ inexact.
    X = rng.integers(0, 4, size=(150, 5)).astype(float)
    X[rng.random(X.shape) < 0.1] = np.nan
    y = rng.integers(-1, 3, size=150)
    expected = score_of(name)(X, y, missing=missing)
    rows, columns = rng.permutation(150), rng.permutation(5)
    scores = score_of(name)(X[rows][:, columns], y[rows], missing=missing)
    assert_allclose(scores, expected[columns], rtol=1e-10, atol=1e-13)


@each_score
def test_near_ties_are_told_apart_in_double_precision(rng, name):
    # Distances differ by less than single precision can see.
    X = 1.0 + 1e-8 * rng.normal(size=(60, 3))
    X[0], X[1] = 0.0, 2.0
    y = np.arange(60) % 2
    formula = {
        "relief": reference.relief(X, y),
        "relieff": reference.relieff(X, y, 10),
    }
    scores = score_of(name)(X, y)
    assert_allclose(scores, formula[name], rtol=1e-9, atol=1e-15)


@each_score
def test_small_and_odd_data(name):
    score = score_of(name)
    X = np.array([[0.0, 3.0], [1.0, 3.0]])
    # No row has a hit, and each has the other as miss.
    assert_array_equal(score(X, [0, 1]), [1.0, 0.0])
    same = np.ones((6, 2))
    assert_array_equal(score(same, [0, 1] * 3), [0.0, 0.0])
    unknown = np.array([[np.nan, 0.0], [np.nan, 1.0], [np.nan, 0.0]])
    assert score(unknown, [0, 1, 1], missing="ignore")[0] == 0.0


@each_score
def test_a_row_that_no_row_of_a_class_is_comparable_to_is_left_out(rng, name):
    X, y = rng.normal(size=(12, 2)), np.arange(12) % 2
    expected = score_of(name)(X, y, missing="ignore")
    nothing_known = np.vstack([X, [[np.nan, np.nan]]]), np.append(y, 0)
    score = score_of(name)(*nothing_known, missing="ignore")
    assert_allclose(score, expected, rtol=1e-12)
    X[y == 1, 1], X[10, 0] = np.nan, np.nan
    expected = getattr(reference, name)(
        X.tolist(),
        y.tolist(),
        missing="ignore",
        **({"k": 10} if name == "relieff" else {}),
    )
    assert_allclose(score_of(name)(X, y, missing="ignore"), expected, rtol=1e-12)


@each_score
def test_unlabelled_rows_are_left_out_of_everything(rng, name):
    X = rng.normal(size=(40, 4))
    X[rng.random(X.shape) < 0.1] = np.nan
    y = rng.integers(-1, 2, size=40)
    X[y < 0] *= 100
    labelled = y >= 0
    expected = score_of(name)(X[labelled], y[labelled])
    assert_array_equal(score_of(name)(X, y), expected)


def test_drawn_rows_are_a_part_of_the_mean(rng):
    X, y = rng.normal(size=(30, 3)), rng.integers(0, 2, size=30)
    drawn = np.random.default_rng(5).choice(30, 12, replace=False)
    expected = reference.relieff(X, y, 3, targets=drawn.tolist())
    scores = relieff_score(X, y, n_neighbors=3, max_samples=12, random_state=5)
    assert_allclose(scores, expected, rtol=1e-10)
    for at_least_all in (30, 31):
        everything = relieff_score(X, y, max_samples=at_least_all, random_state=1)
        assert_array_equal(everything, relieff_score(X, y))


@pytest.mark.parametrize("ties", ["share", "index"])
def test_boolean_example_approaches_the_share_of_explained_changes(ties):
    # Table 2.1 of the thesis: A1 (A2 or A3), beside five random columns. The ratio of
    # explained changes is 0.75, 0.1875 and 0.1875; random columns tend to 0.
    errors = []
    for n_samples in (100, 6400):
        rng = np.random.default_rng(0)
        X = rng.integers(0, 2, size=(n_samples, 8)).astype(float)
        y = (X[:, 0] * np.maximum(X[:, 1], X[:, 2])).astype(int)
        scores = relieff_score(X, y, ties=ties, is_categorical=np.ones(8, dtype=bool))
        wanted = [0.75, 0.1875, 0.1875, 0, 0, 0, 0, 0]
        errors.append(np.abs(scores - wanted).max())
    assert errors[1] < 0.03 < errors[0]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_neighbors": 0}, "n_neighbors must be a whole number of at least 1, got 0"),
        ({"ties": "random"}, "ties must be one of 'share', 'index', got 'random'"),
        ({"missing": "mean"}, "missing must be one of .*got 'mean'"),
        ({"max_samples": 0}, "max_samples must be a whole number of at least 1, got 0"),
        ({"labels": [0, 0, 0, -1]}, "labels must hold .* of at least two classes"),
        ({"labels": [0, 1]}, "labels must hold a class number for each of the 4 rows"),
    ],
)
def test_wrong_arguments_are_refused(options, message):
    arguments = {"X": np.eye(4), "labels": [0, 1, 0, 1]} | options
    with pytest.raises(ValueError, match=message):
        relieff_score(**arguments)


def test_many_missing_values_do_not_hide_the_nearest_row():
    # The two hits of row 0 differ by 1e-5 of their distance, most of which is guessed.
    d, k = 8000, 1500
    rng = np.random.default_rng(0)
    query = np.zeros(d)
    query[k : d - k] = np.nan
    near, far = rng.random(d), rng.random(d)
    near[:k], near[d - k :], near[0] = 1.0, 0.0, 0.95
    far[:k], far[d - k :] = 0.0, 1.0
    X = np.vstack([query, near, far, np.ones(d), np.zeros(d)])
    X[4, :k] = X[4, d - k :] = 0.99
    scores = relieff_score(X, [0, 0, 0, 1, 1], n_neighbors=1, missing="constant")
    assert_allclose(scores[[0, 1, -1]], [0.04, -0.002, 0.19], atol=1e-9)


@each_score
@each_treatment
def test_constant_columns_change_nothing(rng, name, missing):
    X = rng.normal(size=(40, 3))
    X[rng.random(X.shape) < 0.3] = np.nan
    y = rng.integers(0, 3, size=40)
    more = np.column_stack([X, np.ones(40), np.full(40, np.nan)])
    scores = score_of(name)(more, y, missing=missing)
    expected = score_of(name)(X, y, missing=missing)
    assert_allclose(scores, [*expected, 0.0, 0.0], rtol=1e-12, atol=1e-14)


@each_score
def test_units_change_nothing_where_cells_are_missing(name):
    # Bins of missing values: tenths are not exact in binary.
    for seed in range(20):
        rng = np.random.default_rng(seed)
        X = rng.integers(0, rng.integers(10, 60), size=(30, 2)).astype(float)
        X[rng.random(X.shape) < 0.2] = np.nan
        y = np.arange(30) % 2
        assert_allclose(
            score_of(name)(X / 10, y), score_of(name)(X, y), rtol=1e-11, atol=1e-13
        )


@each_score
def test_ties_of_decimals_survive_an_offset(name):
    X, y = load_iris(return_X_y=True)
    expected = score_of(name)(np.rint(10 * X), y)
    assert_allclose(score_of(name)(X + 100.0, y), expected, rtol=1e-10, atol=1e-12)


@each_score
def test_a_column_nobody_knows_has_the_score_0(name):
    X = np.full((3, 1), np.nan)
    assert_array_equal(score_of(name)(X, [0, 1, 0]), [0.0])


def moved_to_tables(monkeypatch):
    """Have distances neither kept nor short, in small blocks."""
    monkeypatch.setattr("pairsift._kernels.relief._tiles.MAX_DISTANCES", 0)
    monkeypatch.setattr("pairsift._kernels.relief._encoded.BLOCK_ROWS", 32)


@pytest.mark.slow
@each_score
@each_rule
@pytest.mark.parametrize("missing", ["probability", "constant", "distinct"])
@pytest.mark.parametrize("share_missing", [0.0, 0.1])
def test_tables_of_nearest_rows_agree(
    rng, name, ties, missing, share_missing, monkeypatch
):
    X = np.column_stack([rng.normal(size=(70, 3)), rng.integers(0, 9, size=(70, 2))])
    X[:20] = X[20:40]
    X[rng.random(X.shape) < share_missing] = np.nan
    y = rng.choice(4, size=70, p=[0.4, 0.3, 0.28, 0.02])
    y[:4] = np.arange(4)
    options = {"missing": missing, "ties": ties, "is_categorical": mask([4], 5)}
    expected = score_of(name)(X, y, **options)
    formula = getattr(reference, name)
    kinds = {"missing": missing, "ties": ties, "categorical": [4]}
    by_hand = formula(X, y, **({} if name == "relief" else {"k": 10}), **kinds)
    assert_allclose(expected, by_hand, rtol=1e-10, atol=1e-12)
    moved_to_tables(monkeypatch)
    scores = score_of(name)(X, y, n_jobs=1, **options)
    assert_allclose(scores, expected, rtol=1e-12, atol=1e-14)
    assert_array_equal(score_of(name)(X, y, n_jobs=3, **options), scores)


@each_score
def test_tables_too_short_for_ties_are_left_alone(rng, name, monkeypatch):
    X, y = rng.integers(0, 2, size=(150, 4)).astype(float), np.arange(150) % 2
    expected = score_of(name)(X, y)
    moved_to_tables(monkeypatch)
    assert_allclose(score_of(name)(X, y), expected, rtol=1e-12, atol=1e-14)
    # Ties among the last rows only: the first block cannot tell.
    X = rng.normal(size=(150, 4))
    X[100:] = rng.integers(0, 2, size=(50, 4))
    y = np.sort(y)
    scores = score_of(name)(X, y)
    monkeypatch.undo()
    assert_allclose(scores, score_of(name)(X, y), rtol=1e-12, atol=1e-14)


@pytest.mark.slow
@each_score
@each_rule
@each_treatment
def test_few_long_rows_agree_with_plain_loops(rng, name, ties, missing):
    # More columns than a slice of exact differences, which is more than one of lines.
    X = np.hstack([mixed_data(rng, 11, share_missing=0.2) for _ in range(50)])
    X[:4] = X[4:8]
    y = rng.integers(0, 3, size=11)
    categorical = [1, 4, 7, 299]
    kinds = {"missing": missing, "ties": ties, "categorical": categorical}
    k = {} if name == "relief" else {"k": 10}
    expected = getattr(reference, name)(X, y, **k, **kinds)
    ours = {"missing": missing, "ties": ties, "is_categorical": mask(categorical, 300)}
    scores = score_of(name)(X, y, n_jobs=1, **ours)
    assert_allclose(scores, expected, rtol=1e-10, atol=1e-12)
    assert_array_equal(score_of(name)(X, y, n_jobs=3, **ours), scores)


@pytest.mark.slow
@pytest.mark.parametrize("n_neighbors", [1, 16, 40, 130])
def test_many_neighbours_among_many_rows_agree(rng, n_neighbors):
    X, y = rng.normal(size=(270, 3)), rng.integers(0, 2, size=270)
    X[:, 1] = rng.integers(0, 5, size=270)
    expected = reference.relieff(X, y, n_neighbors)
    assert_allclose(
        relieff_score(X, y, n_neighbors=n_neighbors), expected, rtol=1e-10, atol=1e-12
    )
