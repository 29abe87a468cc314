"""SimilarityConstraintScore: where its target comes from, and what it reports."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.impute import SimpleImputer
from sklearn.preprocessing import minmax_scale

from pairsift import ConstraintError, PairConstraints, SimilarityConstraintScore
from pairsift.datasets import load
from pairsift.evaluation import draw_prototypes, first_rows_split
from tests.reference import similarity as reference


def problem(seed=0, n_samples=24, n_features=5):
    """Three classes, of which one row in three is labelled."""
    rng = np.random.default_rng(seed)
    y = np.arange(n_samples) % 3
    X = rng.random((n_samples, n_features))
    X[:, 1] += y
    labels = np.where(np.arange(n_samples) % 9 < 3, y, -1)
    return X, y, labels


def reference_path(X, targets, sigma=1.0):
    return reference.forward(
        X.shape[1], lambda F: reference.error(X.tolist(), targets, F, sigma)
    )


def nearest_classes(X, labels):
    prototypes = np.flatnonzero(labels >= 0).tolist()
    rows = range(len(X))
    return [
        int(labels[reference.nearest_prototype(X.tolist(), i, prototypes)])
        for i in rows
    ]


def test_semi_supervised_targets_come_from_the_nearest_prototypes():
    X, _, labels = problem()
    selector = SimilarityConstraintScore().fit(X, labels)
    classes = nearest_classes(X, labels)
    order, errors = reference_path(X, reference.class_targets(classes))
    assert_array_equal(selector.targets_, classes)
    assert_array_equal(selector.prototypes_, labels)
    assert_array_equal(selector.order_, order)
    assert_allclose(selector.path_scores_, np.array(errors) / 24**2, rtol=1e-10)
    assert selector.n_constraints_used_ == 0
    assert selector.sigma_ == 1.0


def test_supervised_pairs_come_from_the_labels():
    X, _, labels = problem()
    selector = SimilarityConstraintScore(context="supervised").fit(X, labels)
    pairs = PairConstraints.from_labels(labels)
    targets = reference.pair_targets(pairs.must_link, pairs.cannot_link)
    order, errors = reference_path(X, targets)
    # The kp prototypes count with themselves: (kp)², line 356 of the article.
    n_cells = (labels >= 0).sum() ** 2
    assert_array_equal(selector.order_, order)
    assert_allclose(selector.path_scores_, np.array(errors) / n_cells, rtol=1e-10)
    listed = SimilarityConstraintScore(context="supervised").fit(X, constraints=pairs)
    assert_allclose(listed.path_scores_, selector.path_scores_, rtol=1e-10)
    assert selector.n_constraints_used_ == len(targets) / 2
    assert_array_equal(selector.prototypes_, labels)
    assert_array_equal(selector.targets_, labels)


def test_supervised_pairs_can_be_given():
    X, y, _ = problem()
    c = PairConstraints.sample(y, 9, 7, random_state=0)
    selector = SimilarityConstraintScore(context="supervised").fit(X, constraints=c)
    order, errors = reference_path(
        X, reference.pair_targets(c.must_link, c.cannot_link)
    )
    assert_array_equal(selector.order_, order)
    # Both directions of 16 pairs, and each of their rows with itself.
    n_cells = 32 + np.unique(np.vstack([c.must_link, c.cannot_link])).size
    assert_allclose(selector.path_scores_, np.array(errors) / n_cells, rtol=1e-10)
    assert selector.n_constraints_used_ == 16
    assert_array_equal(selector.prototypes_, c.groups())
    assert_array_equal(selector.targets_, c.groups())


def test_groups_of_must_links_are_prototypes_without_labels():
    X, _, _ = problem()
    c = PairConstraints([(0, 3), (3, 6), (1, 4)], [(0, 1), (8, 9)], n_samples=24)
    selector = SimilarityConstraintScore().fit(X, constraints=c)
    labels = np.full(24, -1)
    labels[[0, 3, 6]], labels[[1, 4]] = 0, 1
    expected = SimilarityConstraintScore().fit(X, labels)
    assert_array_equal(selector.prototypes_, labels)
    assert_array_equal(selector.targets_, expected.targets_)
    assert_array_equal(selector.path_scores_, expected.path_scores_)
    # The cannot-links are not looked at.
    assert selector.n_constraints_used_ == 3


def test_labels_and_pairs_together_each_have_their_context():
    X, y, labels = problem()
    c = PairConstraints.sample(y, 9, 7, random_state=0)
    semi = SimilarityConstraintScore().fit(X, labels, constraints=c)
    expected = SimilarityConstraintScore().fit(X, labels)
    assert_array_equal(semi.path_scores_, expected.path_scores_)
    assert semi.n_constraints_used_ == 0
    supervised = SimilarityConstraintScore(context="supervised")
    both = supervised.fit(X, labels, constraints=c).path_scores_
    assert_array_equal(both, supervised.fit(X, constraints=c).path_scores_)


def test_number_of_features_is_the_smallest_minimiser_of_the_path():
    X, _, labels = problem(n_features=9)
    # Constants leave the error as it is: the first of equal minima counts.
    X = np.column_stack([X, np.ones(24), np.zeros(24)])
    selector = SimilarityConstraintScore(sigma=0.7).fit(X, labels)
    path = selector.path_scores_
    assert path.size == 11
    assert 1 < selector.n_features_to_select_ < 9
    assert selector.n_features_to_select_ == path.argmin() + 1
    assert (np.isclose(path, path.min(), rtol=1e-13, atol=0.0)).sum() == 3
    assert_array_equal(
        np.sort(selector.order_[: selector.n_features_to_select_]),
        selector.get_support(indices=True),
    )


@pytest.mark.parametrize("context", ["semi-supervised", "supervised"])
def test_scores_are_falls_of_the_error(context):
    X, _, labels = problem(n_features=9)
    selector = SimilarityConstraintScore(None, context=context).fit(X, labels)
    targets = selector.targets_[selector.targets_ >= 0]
    # Without features all similarities are 1, which is wrong for rows of two classes.
    n_apart = (targets[:, None] != targets).sum()
    n_pairs = 24**2 if context == "semi-supervised" else targets.size**2
    falls = -np.diff(selector.path_scores_, prepend=n_apart / n_pairs)
    expected = np.minimum.accumulate(np.maximum(falls, 0.0))
    assert_allclose(selector.scores_[selector.order_], expected, atol=1e-15)
    assert selector.scores_.max() > 0.01


def test_the_search_stops_where_it_is_told():
    X, _, labels = problem(n_features=9)
    whole = SimilarityConstraintScore(None).fit(X, labels)
    assert whole.n_features_to_select_ == 9
    part = SimilarityConstraintScore(4).fit(X, labels)
    assert_array_equal(part.order_[:4], whole.order_[:4])
    assert_array_equal(part.path_scores_, whole.path_scores_[:4])
    assert_array_equal(np.sort(part.order_), np.arange(9))
    assert SimilarityConstraintScore(0.34).fit(X, labels).path_scores_.size == 3


def test_a_class_may_have_a_single_prototype():
    X, y, _ = problem()
    labels = np.full(24, -1)
    labels[:3] = y[:3]
    selector = SimilarityConstraintScore().fit(X, labels)
    assert_array_equal(np.unique(selector.targets_), [0, 1, 2])


def test_automatic_width_is_reported():
    X, y, labels = problem()
    for context in ("semi-supervised", "supervised"):
        selector = SimilarityConstraintScore(sigma="auto", context=context)
        same = SimilarityConstraintScore(
            sigma=selector.fit(X, labels).sigma_, context=context
        )
        assert_array_equal(same.fit(X, labels).path_scores_, selector.path_scores_)
        assert selector.sigma == "auto"
    c = PairConstraints.sample(y, 9, 7, random_state=0)
    assert selector.fit(X, constraints=c).sigma_ > 0


@pytest.mark.parametrize("sigma", [0, -1, "automatic", None])
def test_impossible_width_is_refused(sigma):
    X, _, labels = problem()
    with pytest.raises(ValueError, match="'sigma' parameter"):
        SimilarityConstraintScore(sigma=sigma).fit(X, labels)


def test_impossible_context_is_refused():
    X, _, labels = problem()
    with pytest.raises(ValueError, match="'context' parameter"):
        SimilarityConstraintScore(context="unsupervised").fit(X, labels)


def test_one_class_or_group_is_refused():
    X, _, labels = problem()
    with pytest.raises(ConstraintError, match="at least two classes, but y has 1"):
        SimilarityConstraintScore().fit(X, np.where(labels == 0, 0, -1))
    one = PairConstraints([(0, 3), (3, 6)], [(0, 1)], n_samples=24)
    with pytest.raises(ConstraintError, match="the must-links make 1 class"):
        SimilarityConstraintScore().fit(X, constraints=one)
    none = PairConstraints(cannot_link=[(0, 1)], n_samples=24)
    with pytest.raises(ConstraintError, match="the must-links make 0 classes"):
        SimilarityConstraintScore().fit(X, constraints=none)
    with pytest.raises(ConstraintError, match="needs labels or must-link pairs"):
        SimilarityConstraintScore().fit(X)


def test_supervised_needs_both_kinds_of_pairs():
    X, y, _ = problem()
    supervised = SimilarityConstraintScore(context="supervised")
    with pytest.raises(ConstraintError, match="needs must-link pairs, but constraint"):
        supervised.fit(X, constraints=PairConstraints([], [(0, 1)], n_samples=24))
    with pytest.raises(ConstraintError, match="needs cannot-link pairs, but constrai"):
        supervised.fit(X, constraints=PairConstraints([(0, 3)], [], n_samples=24))
    with pytest.raises(ConstraintError, match="y has 3 classes of one row each"):
        supervised.fit(X, np.where(np.arange(24) < 3, y, -1))
    with pytest.raises(ConstraintError, match="needs cannot-link pairs, but y has 1"):
        supervised.fit(X, np.where(y == 0, 0, -1))


# Mean numbers of features over 20 draws of 3 prototypes a class, from plain NumPy. The
# paper has 25 / 21, 12 / 7 and 6 / 7 (its table 8).
@pytest.mark.shared_data
@pytest.mark.parametrize(
    ("name", "supervised", "semi"),
    [("dermatology", 24.3, 21.9), ("ionosphere", 11.8, 6.8), ("wbcd", 6.3, 7.6)],
)
def test_published_numbers_of_features_come_out(name, supervised, semi, shared_data):
    data = load(name, data_dir=shared_data)
    X = minmax_scale(SimpleImputer().fit_transform(data.data))
    rows, _ = first_rows_split(data.target, 0.6 if name == "wbcd" else 0.5)
    X, y = X[rows], data.target[rows]
    numbers = [
        [
            SimilarityConstraintScore(context=context)
            .fit(X, draw_prototypes(y, 3, seed))
            .n_features_to_select_
            for context in ("supervised", "semi-supervised")
        ]
        for seed in range(8)
    ]
    # Two standard errors of either mean.
    allowed = 2 * np.std(numbers, axis=0) * np.sqrt(1 / 8 + 1 / 20)
    assert (abs(np.mean(numbers, axis=0) - [supervised, semi]) < allowed).all()


def test_contradictory_pairs_stop_only_what_makes_classes_of_them():
    X = problem()[0]
    c = PairConstraints([(0, 1), (1, 2)], [(0, 2), (3, 4)], n_samples=len(X))
    with pytest.raises(ConstraintError, match="without_conflicts"):
        SimilarityConstraintScore().fit(X, constraints=c)
    with pytest.warns(UserWarning, match="must-link chain 0 - 1 - 2: each pair"):
        SimilarityConstraintScore(context="supervised").fit(X, constraints=c)
