"""SSFC as an estimator: which features were eliminated, when and why."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from pairsift import SSFC, ConstraintError
from pairsift.datasets import load
from pairsift.scores import ssfc_path
from tests.selectors.builders import problem


def some_labels(y):
    return np.where(np.arange(len(y)) % 3 < 2, y + 1, -1)


def with_copies():
    X, y = problem(n_samples=150, n_features=6)
    rng = np.random.default_rng(1)
    return np.column_stack([X, X[:, [1, 4]] + 0.1 * rng.normal(size=(150, 2))]), y


@pytest.mark.parametrize(
    "options",
    [
        {"lambda_": "median"},
        {"lambda_": "mean"},
        {"lambda_": 0.3},
        {"measure": "correlation"},
        {"stop": "blanket"},
        {"relevance_test": "multivariate", "n_permutations": 10},
    ],
    ids=str,
)
def test_attributes_are_those_of_the_path(options):
    X, y = with_copies()
    labels = some_labels(y)
    path = ssfc_path(X, labels, random_state=2, **options)
    selector = SSFC(random_state=2, **options).fit(X, labels)
    n_kept = (path.reasons == "kept").sum()
    assert_array_equal(selector.order_, path.order)
    assert_array_equal(selector.eliminated_, path.order[n_kept:][::-1])
    assert_array_equal(selector.reasons_, path.reasons)
    assert_array_equal(selector.replaced_by_, path.replaced_by)
    assert_array_equal(selector.similarities_, path.similarities)
    assert_array_equal(selector.relevance_, path.relevance)
    assert selector.lambda_used_ == path.lambda_
    assert selector.n_features_to_select_ == max(1, n_kept)
    gains = np.maximum(path.gains[path.order], 0.0)
    assert_array_equal(selector.scores_[path.order], np.minimum.accumulate(gains))


def test_scores_are_relevances_and_0_for_what_is_redundant():
    X, y = with_copies()
    selector = SSFC(random_state=0).fit(X, some_labels(y))
    kept = selector.reasons_ == "kept"
    assert_array_equal(selector.scores_[kept], selector.relevance_[kept])
    assert kept.any()
    assert (selector.scores_[selector.reasons_ == "redundant"] == 0.0).all()


def test_one_of_each_pair_of_copies_is_eliminated_first():
    X, y = with_copies()
    selector = SSFC(random_state=0).fit(X, some_labels(y))
    first = selector.eliminated_[:2].tolist()
    assert (selector.reasons_[first] == "redundant").all()
    partner = {1: 6, 6: 1, 4: 7, 7: 4}
    assert [partner[f] for f in first] == selector.replaced_by_[first].tolist()
    assert selector.relevance_[first[0]] <= selector.relevance_[partner[first[0]]]


def test_none_ranks_and_a_number_takes_the_best():
    X, y = with_copies()
    labels = some_labels(y)
    found = SSFC(random_state=0).fit(X, labels)
    ranked = SSFC(None, random_state=0).fit(X, labels)
    three = SSFC(3, random_state=0).fit(X, labels)
    assert ranked.support_.all()
    assert_array_equal(ranked.order_, found.order_)
    assert_array_equal(np.sort(found.order_[:3]), three.get_support(indices=True))


def test_the_best_feature_stays_when_none_is_relevant():
    rng = np.random.default_rng(5)
    X, y = rng.normal(size=(40, 3)), np.arange(40) % 2
    selector = SSFC(quantile=0.999, n_permutations=400, random_state=0).fit(X, y)
    assert not (selector.reasons_ == "kept").any()
    assert selector.support_.sum() == 1


def test_labels_are_needed():
    X, _ = problem()
    with pytest.raises(ConstraintError, match="SSFC needs at least two classes"):
        SSFC().fit(X, np.full(40, -1))


@pytest.mark.parametrize(
    "options", [{"lambda_": "most"}, {"lambda_": -1}, {"quantile": 1.0}]
)
def test_impossible_parameters_are_refused(options):
    X, y = problem()
    with pytest.raises(ValueError, match=f"The '{next(iter(options))}' parameter"):
        SSFC(**options).fit(X, y)


@pytest.mark.slow
@pytest.mark.shared_data
def test_published_weight_leaves_only_the_labels_on_sonar(shared_data):
    data = load("sonar", data_dir=shared_data)
    labels = np.where(np.arange(208) % 10 < 3, data.target, -1)
    options = {"n_permutations": 20, "random_state": 0}
    median = SSFC(**options).fit(data.data, labels)
    mean = SSFC(lambda_="mean", **options).fit(data.data, labels)
    assert median.lambda_used_ < 2 < 1000 < mean.lambda_used_
    assert (median.reasons_ == "redundant").sum() > (mean.reasons_ == "redundant").sum()
