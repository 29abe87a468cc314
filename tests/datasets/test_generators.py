"""Generators: the relevant columns carry the class and nothing else gives them away."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.model_selection import cross_val_score
from sklearn.neighbors import KNeighborsClassifier

from pairsift import datasets
from pairsift.exceptions import ConstraintError, DataError

MAKERS = [
    datasets.make_xor,
    datasets.make_pcirc,
    datasets.make_fbench,
    datasets.make_dcbench,
    datasets.make_pair_problem,
]
PAPER_MAKERS = MAKERS[:4]


def irrelevant(problem):
    known = np.r_[problem.relevant, problem.redundant]
    return np.setdiff1d(np.arange(problem.data.shape[1]), known)


def accuracy(problem, columns, model=None):
    # Scaled, so that a wide column does not decide alone.
    data = problem.data[:, columns] / problem.data[:, columns].std(axis=0)
    model = KNeighborsClassifier(1) if model is None else model
    return cross_val_score(model, data, problem.target, cv=5).mean()


@pytest.mark.parametrize("make", MAKERS)
def test_relevant_columns_carry_the_class_and_the_others_do_not(make):
    problem = make(2000, random_state=0)
    assert accuracy(problem, problem.relevant) > 0.88
    # The standard error of a rate near 1/2 over 2000 rows is 0.011.
    assert abs(accuracy(problem, irrelevant(problem)) - 0.5) < 0.05


@pytest.mark.parametrize("make", MAKERS)
def test_every_relevant_column_is_needed(make):
    problem = make(2000, random_state=0)
    all_of_them = accuracy(problem, problem.relevant, KNeighborsClassifier(15))
    for j in problem.relevant:
        others = np.setdiff1d(problem.relevant, j)
        assert accuracy(problem, others, KNeighborsClassifier(15)) < all_of_them


@pytest.mark.parametrize("make", [datasets.make_xor, datasets.make_pcirc])
def test_redundant_columns_are_copies_of_the_relevant_ones(make):
    exact = make(500, noise=0.0, random_state=0)
    originals = exact.data[:, exact.relevant].T
    copies = exact.data[:, exact.redundant].T
    assert {row.tobytes() for row in copies} == {row.tobytes() for row in originals}
    noisy = make(5000, noise=0.5, random_state=0)
    correlation = np.corrcoef(noisy.data.T)[np.ix_(noisy.relevant, noisy.redundant)]
    # A copy with noise of half a deviation correlates 1 / sqrt(1.25) with its original.
    assert_allclose(correlation.max(axis=1), 1 / np.sqrt(1.25), atol=0.02)
    assert_allclose(correlation.min(axis=1), 0.0, atol=0.06)


@pytest.mark.parametrize(
    "make", [datasets.make_xor, datasets.make_pcirc, datasets.make_fbench]
)
def test_no_column_stands_out_by_its_spread(make):
    problem = make(20000, random_state=0)
    spread = problem.data.std(axis=0)
    # The standard error of the deviation is under 0.5 percent of it.
    assert_allclose(spread, spread.mean(), rtol=0.02)


def test_pair_problem_columns_all_have_mean_0_and_variance_1():
    problem = datasets.make_pair_problem(n_redundant=5, class_sep=5.0, random_state=0)
    assert_allclose(problem.data.mean(axis=0), 0.0, atol=1e-12)
    assert_allclose(problem.data.std(axis=0), 1.0, rtol=1e-12)


def test_dcbench_irrelevant_columns_have_the_distributions_of_the_relevant_ones():
    problem = datasets.make_dcbench(20000, random_state=0)
    quantiles = np.linspace(0.05, 0.95, 10)

    def profiles(columns):
        return np.sort(np.quantile(problem.data[:, columns], quantiles, axis=0), axis=1)

    assert_allclose(
        profiles(problem.relevant), profiles(irrelevant(problem)), atol=0.15
    )


@pytest.mark.parametrize("make", MAKERS)
def test_relevant_columns_do_not_stand_at_fixed_places(make):
    places = np.zeros(make(10, random_state=0, **few_pairs(make)).data.shape[1])
    for seed in range(200):
        places[make(10, random_state=seed, **few_pairs(make)).relevant] += 1
    n_relevant = places.sum() / 200
    expected = 200 * n_relevant / places.size
    # Five standard deviations of a binomial count.
    assert_allclose(places, expected, atol=5 * np.sqrt(expected))


@pytest.mark.parametrize("make", MAKERS)
def test_without_shuffling_relevant_columns_stand_first(make):
    problem = make(50, shuffle_columns=False, random_state=0)
    assert_array_equal(problem.relevant, np.arange(problem.relevant.size))


def few_pairs(make):
    return {"n_cannot_link": 3} if make is datasets.make_pair_problem else {}


@pytest.mark.parametrize("make", MAKERS)
def test_same_seed_gives_same_data(make):
    first = make(100, random_state=3)
    assert_array_equal(first.data, make(100, random_state=3).data)
    assert_array_equal(first.target, make(100, random_state=3).target)
    assert not np.array_equal(first.data, make(100, random_state=4).data)


@pytest.mark.parametrize("make", MAKERS)
def test_generator_and_random_state_are_accepted_and_advance(make):
    for source, twin in [
        (np.random.default_rng(0), np.random.default_rng(0)),
        (np.random.RandomState(0), np.random.RandomState(0)),
    ]:
        first = make(50, random_state=source)
        assert_array_equal(first.data, make(50, random_state=twin).data)
        assert not np.array_equal(first.data, make(50, random_state=source).data)
    assert make(50, random_state=None).data.shape == first.data.shape


@pytest.mark.parametrize("make", MAKERS)
def test_bunch_has_plain_types(make):
    problem = make(60, random_state=0)
    n_features = problem.data.shape[1]
    assert problem.data.dtype == np.float64
    assert problem.target.dtype == np.int64
    assert set(problem.target) == {0, 1}
    assert problem.relevant.dtype == problem.redundant.dtype == np.int64
    assert problem.feature_names == [f"f{j}" for j in range(1, n_features + 1)]
    assert f"60 samples, {n_features} features" in problem.DESCR


@pytest.mark.parametrize(
    ("make", "shape", "n_relevant", "n_redundant"),
    [
        (datasets.make_xor, (2000, 7), 2, 2),
        (datasets.make_pcirc, (2277, 10), 2, 2),
        (datasets.make_fbench, (10000, 10), 5, 0),
        (datasets.make_dcbench, (10000, 10), 5, 0),
    ],
)
def test_default_sizes_are_the_published_ones(make, shape, n_relevant, n_redundant):
    problem = make(random_state=0)
    assert problem.data.shape == shape
    assert problem.relevant.size == n_relevant
    assert problem.redundant.size == n_redundant


@pytest.mark.parametrize("make", PAPER_MAKERS)
def test_number_of_irrelevant_columns_is_a_parameter(make):
    none = make(50, n_irrelevant=0, random_state=0)
    many = make(50, n_irrelevant=13, random_state=0)
    assert many.data.shape[1] == none.data.shape[1] + 13
    assert irrelevant(none).size == 0


def test_xor_class_is_the_sign_of_the_product():
    problem = datasets.make_xor(100, random_state=0)
    a, b = problem.data[:, problem.relevant].T
    assert_array_equal(problem.target, a * b > 0)


def test_pcirc_class_is_the_inside_of_a_circle_of_half_the_square():
    problem = datasets.make_pcirc(5000, random_state=0)
    radius = np.linalg.norm(problem.data[:, problem.relevant], axis=1)
    assert radius[problem.target == 1].max() < radius[problem.target == 0].min()
    # Five standard errors of a rate of 1/2 over 5000 rows.
    assert_allclose(problem.target.mean(), 0.5, atol=0.036)


def test_fbench_classes_are_split_at_the_median_of_friedmans_function():
    problem = datasets.make_fbench(501, shuffle_columns=False, random_state=0)
    x = problem.data.T
    output = 10 * np.sin(np.pi * x[0] * x[1]) + 20 * (x[2] - 0.5) ** 2
    output += 10 * x[3] + 5 * x[4]
    assert_array_equal(problem.target, output > np.median(output))
    assert problem.target.sum() == 250


def test_fbench_noise_mixes_the_classes():
    clean = datasets.make_fbench(2000, random_state=0)
    noisy = datasets.make_fbench(2000, noise=5.0, random_state=0)
    assert accuracy(noisy, noisy.relevant) < accuracy(clean, clean.relevant) - 0.1


@pytest.mark.parametrize(
    ("make", "published"),
    [(datasets.make_fbench, 0.8502), (datasets.make_dcbench, 0.9267)],
)
def test_linear_accuracy_is_the_published_one(make, published):
    problem = make(random_state=0)
    columns = np.arange(10) if make is datasets.make_fbench else problem.relevant
    # Published deviations over ten folds are 0.0123 and 0.0082.
    found = accuracy(problem, columns, LinearDiscriminantAnalysis())
    assert_allclose(found, published, atol=0.008)


def test_dcbench_names_its_discrete_columns():
    problem = datasets.make_dcbench(1000, random_state=0)
    n_values = [np.unique(column).size for column in problem.data.T]
    discrete = [
        name for name, n in zip(problem.feature_names, n_values, strict=True) if n < 10
    ]
    assert problem.categorical_features == discrete
    assert sorted(n for n in n_values if n < 10) == [2, 2, 5, 5]


def test_pairs_tell_the_truth_and_are_unique_and_sorted():
    problem = datasets.make_pair_problem(
        n_samples=40, n_classes=3, n_must_link=100, n_cannot_link=200, random_state=0
    )
    for pairs, n_pairs, is_same in [
        (problem.must_link, 100, True),
        (problem.cannot_link, 200, False),
    ]:
        i, j = pairs.T
        assert pairs.dtype == np.int64
        assert (i < j).all()
        assert_array_equal(pairs, np.unique(pairs, axis=0))
        assert pairs.shape == (n_pairs, 2)
        assert_array_equal(problem.target[i] == problem.target[j], is_same)


def test_all_existing_pairs_can_be_drawn():
    # Classes of 4, 3 and 3 rows: 6 + 3 + 3 pairs within, 12 + 12 + 9 between.
    problem = datasets.make_pair_problem(
        n_samples=10, n_classes=3, n_must_link=12, n_cannot_link=33, random_state=0
    )
    both = np.vstack([problem.must_link, problem.cannot_link])
    assert np.unique(both, axis=0).shape == (45, 2)


def test_each_pair_is_drawn_equally_often():
    counts = np.zeros((6, 6))
    for seed in range(3000):
        problem = datasets.make_pair_problem(
            n_samples=6, n_features=1, n_relevant=1, n_cannot_link=2, random_state=seed
        )
        counts[tuple(problem.cannot_link.T)] += 1
    drawn = counts[np.triu_indices(6, k=1)]
    # 6000 pairs over the 15 pairs of rows, five standard deviations.
    assert_allclose(drawn, 400, atol=5 * 20)


@pytest.mark.parametrize("noise_rate", [0.0, 0.25, 1.0])
def test_noise_rate_is_the_share_of_wrong_answers(noise_rate):
    problem = datasets.make_pair_problem(
        n_must_link=40, n_cannot_link=80, noise_rate=noise_rate, random_state=0
    )
    same = problem.target[problem.must_link]
    different = problem.target[problem.cannot_link]
    assert (same[:, 0] != same[:, 1]).sum() == 40 * noise_rate
    assert (different[:, 0] == different[:, 1]).sum() == 80 * noise_rate
    both = np.vstack([problem.must_link, problem.cannot_link])
    assert np.unique(both, axis=0).shape == (120, 2)


def test_number_of_pairs_does_not_change_the_data():
    few = datasets.make_pair_problem(n_cannot_link=1, random_state=0)
    many = datasets.make_pair_problem(n_cannot_link=90, n_must_link=9, random_state=0)
    assert_array_equal(few.data, many.data)
    assert_array_equal(few.target, many.target)


def test_pair_problem_with_redundant_columns_counts_them():
    problem = datasets.make_pair_problem(
        n_features=12, n_relevant=3, n_redundant=4, random_state=0
    )
    assert problem.data.shape == (300, 12)
    assert np.intersect1d(problem.relevant, problem.redundant).size == 0
    within = (
        problem.data
        - np.array([problem.data[problem.target == c].mean(axis=0) for c in range(2)])[
            problem.target
        ]
    )
    correlation = np.corrcoef(within.T)[np.ix_(problem.redundant, problem.relevant)]
    assert (np.abs(correlation).max(axis=1) > 0.95).all()


def test_more_pairs_than_exist_says_how_many_exist():
    with pytest.raises(ConstraintError, match="more cannot-link pairs than the 9 that"):
        datasets.make_pair_problem(n_samples=6, n_cannot_link=10)
    with pytest.raises(ConstraintError, match="more must-link pairs than the 6 that"):
        datasets.make_pair_problem(n_samples=6, n_must_link=7, n_cannot_link=0)


@pytest.mark.parametrize("make", PAPER_MAKERS)
@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"n_samples": 1}, "n_samples must be an int of at least 2, got 1"),
        ({"n_samples": 9.5}, "n_samples must be an int"),
        ({"n_irrelevant": -1}, "n_irrelevant must be an int of at least 0"),
        ({"noise": -0.1}, "noise must be a number of at least 0, got -0.1"),
        ({"noise": np.nan}, "noise must be a number"),
        ({"random_state": "seed"}, "random_state must be .* got 'seed'"),
        ({"random_state": -1}, "random_state must be a seed of at least 0"),
    ],
)
def test_wrong_parameter_is_named(make, wrong, message):
    with pytest.raises(ValueError, match=message):
        make(**wrong)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"n_classes": 1}, "n_classes must be an int of at least 2"),
        ({"n_features": 4}, "n_features must be an int of at least 5, got 4"),
        ({"noise_rate": 1.5}, "noise_rate must be a number from 0 to 1, got 1.5"),
        ({"class_sep": -1}, "class_sep must be a number of at least 0"),
        ({"n_cannot_link": -2}, "n_cannot_link must be an int of at least 0"),
    ],
)
def test_wrong_parameter_of_pair_problem_is_named(wrong, message):
    with pytest.raises(DataError, match=message):
        datasets.make_pair_problem(**wrong)
