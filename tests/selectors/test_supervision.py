"""What every selector learns from: labels, pairs that contradict, neither."""

import re
import warnings

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from pairsift import ConstraintError, PairConstraints
from pairsift.selectors._method import Learns
from tests.selectors.builders import (
    SELECTORS,
    WAYS_TO_FIT,
    build,
    each_selector_that,
    each_way_to_fit,
    fit_arguments,
    problem,
)

# Their classes are the must-link groups, when there are no labels.
REFUSES_CONFLICTS = {
    name
    for name, cls in SELECTORS.items()
    if cls._method.learns_from.must == "for classes"
}


@each_way_to_fit
def test_wrong_kinds_of_constraints_are_refused(name):
    X, y = problem()
    arguments = fit_arguments(name, y) | {"constraints": np.array([[0, 5], [2, 9]])}
    with pytest.raises(ConstraintError, match="must be a PairConstraints, got ndarray"):
        build(name).fit(X, **arguments)
    arguments["constraints"] = PairConstraints(cannot_link=[(0, 1)], n_samples=39)
    with pytest.raises(ConstraintError, match="refer to 39 samples, but X has 40 rows"):
        build(name).fit(X, **arguments)


@each_selector_that(lambda name: SELECTORS[name]._method.learns_from.from_pairs)
def test_contradictory_pairs_are_evidence_or_refused_with_the_cure(name):
    X, y = problem()
    given = PairConstraints.sample(y, 15, 10, random_state=0)
    wrong = PairConstraints([(0, 1), (1, 2)], [(0, 2)], n_samples=40)
    chain = r"cannot-link \(0, 2\) contradicts the must-link chain 0 - 1 - 2"
    selector = build(name)
    if name in REFUSES_CONFLICTS:
        with pytest.raises(ConstraintError, match=f"{chain}.*without_conflicts"):
            selector.fit(X, constraints=given | wrong)
        consistent, _ = (given | wrong).without_conflicts()
        assert build(name).fit(X, constraints=consistent).n_constraints_used_ > 0
        return
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        selector.fit(X, constraints=given | wrong)
    said = [str(w.message) for w in caught if "contradicts" in str(w.message)]
    assert len(said) == 1
    assert re.match(f"{chain}: each pair is taken as evidence. .*conflicts", said[0])
    # The pairs are used as they are, and not only those that agree.
    clean = build(name).fit(X, constraints=given)
    assert selector.n_constraints_used_ > clean.n_constraints_used_


@each_selector_that(
    lambda name: (
        name in WAYS_TO_FIT and not SELECTORS[name]._method.learns_from.from_pairs
    )
)
def test_contradictory_pairs_that_are_not_used_stop_nothing(name):
    X, y = problem()
    arguments = fit_arguments(name, y)
    expected = build(name).fit(X, **arguments)
    wrong = PairConstraints([(0, 1), (1, 2)], [(0, 2)], n_samples=40)
    found = build(name).fit(X, **arguments, constraints=wrong)
    assert_array_equal(found.scores_, expected.scores_)


@each_selector_that(lambda name: SELECTORS[name]._method.learns_from == Learns())
def test_selector_without_labels_takes_any_y(name):
    X, _ = problem()
    expected = build(name).fit(X).scores_
    for y in (X[:, 0], ["anything"] * 40, np.zeros((40, 2))):
        assert_array_equal(build(name).fit(X, y).scores_, expected)


@each_selector_that(lambda name: SELECTORS[name]._method.learns_from.from_pairs)
def test_pairs_suffice_beside_a_target_for_regression(name):
    X, y = problem()
    arguments = fit_arguments(name, y)
    expected = build(name).fit(X, **arguments).scores_
    assert_array_equal(build(name).fit(X, X[:, 0], **arguments).scores_, expected)


@each_selector_that(lambda name: not SELECTORS[name]._method.learns_from.is_free)
def test_labels_of_another_length_are_refused(name):
    X, y = problem()
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        build(name).fit(X, y[:-1])
