"""Selectors on blocks are the selectors in memory, however the rows are cut."""

import re
import weakref
from unittest.mock import patch

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from numpy.testing import assert_allclose, assert_array_equal

import pairsift
from pairsift import PairConstraints, distributed
from tests.distributed.problems import (
    EDGES,
    as_frame,
    both_fits,
    dask_classes,
    pairs,
    source,
    table,
)

# Of each selector: what it learns from, and its parameters.
CASES = {
    "VarianceScore": [("pairs", {})],
    "FisherScore": [("labels", {}), ("some labels", {})],
    "PearsonScore": [("labels", {}), ("some labels", {})],
    "ConstraintScore1": [("pairs", {}), ("some labels", {})],
    "ConstraintScore2": [("pairs", {}), ("labels", {"lambda_": 0.5})],
    "LaplacianScore": [
        ("pairs", {}),
        ("pairs", {"graph": "mutual-knn", "kernel": "self-tuning", "n_neighbors": 7}),
        ("pairs", {"graph": "epsilon", "epsilon": 2.0, "kernel": "inverse"}),
        ("pairs", {"graph": "full", "kernel": "self-tuning"}),
        ("pairs", {"kernel": "cosine", "n_neighbors": 100}),
    ],
    "ConstraintScore3": [("pairs", {}), ("some labels", {"n_neighbors": 2})],
    "ConstraintScore4": [
        ("pairs", {}),
        ("some labels", {"kernel": "cosine"}),
        ("pairs", {"graph": "knn", "sigma": "auto"}),
    ],
    "ConstraintScore5": [
        ("pairs", {}),
        ("some labels", {"form": "matrix", "sigma": "auto", "n_neighbors": 2}),
    ],
    "ConstraintScore6": [("pairs", {"n_neighbors": 2}), ("pairs", {"form": "matrix"})],
    "ConstraintScore7": [("pairs", {}), ("some labels", {"form": "matrix"})],
    "ReliefSc": [
        ("pairs", {}),
        ("pairs", {"null": "random-pairs", "must_link_weight": 0.5}),
    ],
    "ReliefFSc": [
        ("pairs", {"n_neighbors": 3}),
        ("pairs", {"n_neighbors": 2, "metric": "euclidean", "exclude": "self"}),
        ("pairs", {"ties": "index", "symmetric": False, "null": "must-links"}),
        ("labels", {"n_neighbors": 3}),
        ("some labels", {"n_neighbors": 3, "null": "must-links"}),
        ("pairs", {"n_neighbors": 3, "ramp": (0.1, 0.6)}),
    ],
    "PairLogistic": [
        ("pairs", {"n_penalties": 9}),
        ("cannot-links", {"n_penalties": 9}),
        ("must-links", {"n_penalties": 9}),
        ("pairs", {"n_penalties": 9, "unlabelled_weight": 0.3, "penalty": "cv"}),
    ],
    "SimbaSc": [
        ("pairs", {"n_starts": 2, "random_state": 0}),
        ("pairs", {"n_starts": 2, "random_state": 0, "symmetric": False}),
        ("pairs", {"n_starts": 2, "random_state": 0, "exclude": "self"}),
    ],
    "SemiMRMR": [("some labels", {}), ("must-links", {})],
    "MRMR": [("some labels", {"estimator": "correlation"})],
    # Labelled rows are gathered, unless there are many: see below.
    "Relief": [("some labels", {"ramp": (0.1, 0.6)})],
    "ReliefF": [("some labels", {"n_neighbors": 2})],
    "STIR": [("some labels", {})],
    "IterativeRelief": [("some labels", {})],
    "SURF": [("some labels", {"ramp": (0.1, 0.6)})],
    "SURFStar": [("some labels", {})],
    "SWRFStar": [("some labels", {})],
    "MultiSURF": [("labels", {})],
    "MultiSURFStar": [("some labels", {})],
}
EACH = [(name, *case) for name, cases in CASES.items() for case in cases]
SCORE = {"rtol": 1e-10, "atol": 1e-13}


def supervision(kind, y):
    if kind == "labels":
        return {"y": y}
    if kind == "some labels":
        return {"y": np.where(np.arange(len(y)) % 3, -1, y)}
    both = pairs(y)
    must = both.must_link if kind != "cannot-links" else ()
    cannot = both.cannot_link if kind != "must-links" else ()
    return {"constraints": PairConstraints(must, cannot, n_samples=len(y))}


def compare(here, there):
    assert_allclose(there.scores_, here.scores_, **SCORE)
    assert_array_equal(there.support_, here.support_)
    assert there.n_constraints_used_ == here.n_constraints_used_
    assert there.n_features_in_ == here.n_features_in_
    assert set(vars(there)) == set(vars(here))


def test_every_method_marked_dask_is_compared():
    assert set(CASES) == set(dask_classes())


@pytest.mark.slow
@pytest.mark.parametrize(("name", "kind", "options"), EACH)
@given(edges=EDGES)
@settings(max_examples=4, deadline=None)
def test_any_cut_of_the_rows_gives_the_scores_in_memory(name, kind, options, edges):
    selector = getattr(pairsift, name)(2, **options)
    for ties in (False, True):
        X, y = table(len(edges), ties=ties)
        compare(*both_fits(selector, X, source(X, edges), **supervision(kind, y)))


MANY = [
    ("Relief", {}),
    ("Relief", {"ties": "index", "max_samples": 9, "random_state": 0}),
    ("ReliefF", {"n_neighbors": 3}),
    ("ReliefF", {"n_neighbors": 2, "ties": "index"}),
    ("ReliefF", {"n_neighbors": 50, "max_samples": 9, "random_state": 0}),
]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "options"), MANY)
@given(edges=EDGES)
@settings(max_examples=3, deadline=None)
def test_targets_travel_where_labelled_rows_are_many(name, options, edges):
    selector = getattr(pairsift, name)(2, **options)
    with (
        patch("pairsift.scores._block_margins.FEW_BYTES", 0.0),
        patch("pairsift.scores._block_margins.MAX_TARGETS", 16),
    ):
        for ties, kind in ((False, "some labels"), (True, "labels")):
            X, y = table(len(edges), ties=ties)
            compare(*both_fits(selector, X, source(X, edges), **supervision(kind, y)))
            X[::5, 1] = X[2, :] = np.nan
            how = supervision(kind, y)
            compare(
                *both_fits(selector, as_frame(X), source(as_frame(X), edges), **how)
            )


SURF_FAMILY = ("SURF", "SURFStar", "SWRFStar", "MultiSURF", "MultiSURFStar")


@pytest.mark.parametrize("name", SURF_FAMILY)
@given(edges=EDGES)
@settings(max_examples=3, deadline=None)
def test_targets_are_shared_out_where_labelled_rows_are_many(name, edges):
    selector = getattr(pairsift, name)(2)
    X, y = table(len(edges))
    with patch("pairsift.scores._surf.FEW_ROWS", 0):
        compare(
            *both_fits(selector, X, source(X, edges), **supervision("some labels", y))
        )


def test_shared_targets_give_equal_bits():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(2200, 4)), rng.integers(0, 3, size=2200)
    here, there = both_fits(pairsift.MultiSURF(2), X, source(X, [300, 1900]), y=y)
    assert_array_equal(there.scores_, here.scores_)


ON_GRAPHS = [
    ("LaplacianScore", "pairs", {"kernel": "cosine"}),
    ("LaplacianScore", "pairs", {"graph": "epsilon", "epsilon": 2.0}),
    ("ConstraintScore3", "pairs", {}),
    ("ConstraintScore4", "pairs", {}),
    ("ConstraintScore4", "pairs", {"kernel": "self-tuning"}),
    ("ConstraintScore5", "pairs", {"sigma": "auto", "form": "matrix"}),
    ("ConstraintScore7", "some labels", {}),
]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "kind", "options"), ON_GRAPHS)
@given(edges=EDGES)
@settings(max_examples=2, deadline=None)
def test_graphs_take_many_passes_and_gather_few_rows(name, kind, options, edges):
    selector = getattr(pairsift, name)(2, **options)
    with (
        patch("pairsift.graphs._in_blocks.TARGETS_AT_ONCE", 16),
        patch("pairsift._blocks.GATHERED_BYTES", 30 * 5 * 8),
    ):
        for ties in (False, True):
            X, y = table(len(edges), ties=ties)
            # Far from 0, where differences of sums of squares would lose digits.
            X += 1e4
            compare(*both_fits(selector, X, source(X, edges), **supervision(kind, y)))


@pytest.mark.parametrize("wanted", [3, "auto"])
def test_redundancy_of_categories_and_the_number_of_features(wanted):
    X, y = table(7)
    frame = as_frame(X)
    for selector in (
        pairsift.SemiMRMR(wanted),
        pairsift.MRMR(wanted, estimator="correlation"),
    ):
        here, there = both_fits(
            selector, frame, source(frame, [3, 3, 17]), **supervision("some labels", y)
        )
        compare(here, there)
        assert_array_equal(there.order_, here.order_)
        if wanted == "auto":
            assert_allclose(there.accuracies_, here.accuracies_)


def test_columns_of_many_values_have_correlations_of_a_known_error():
    X, y = table(8)
    how = supervision("labels", y)
    here = pairsift.SemiMRMR(2).fit(X, **how)
    with (
        patch("pairsift.scores._block_values.MAX_VALUES", 16),
        patch("pairsift.scores._block_values.MIN_VALUES", 16),
        pytest.warns(UserWarning, match="3 of 5 features have more than 16 d") as said,
    ):
        there, other = (
            distributed.fit(pairsift.SemiMRMR(2), source(X, edges), **how)
            for edges in ([11, 25], [2, 38])
        )
    error = float(re.search(r"at most (\S+)\.$", str(said[0].message)).group(1))
    assert 0.01 <= error <= 4 / 16
    assert_allclose(there.scores_, here.scores_, rtol=0.05)
    compare(there, other)
    with (
        patch("pairsift.scores._block_correlations.MAX_PRODUCTS", 0),
    ):
        there = distributed.fit(pairsift.SemiMRMR(2), source(X, [11, 25]), **how)
    compare(here, there)


def test_parameters_that_need_all_rows_are_refused_with_what_to_take_instead():
    X, y = table(6)
    with pytest.raises(TypeError, match="estimator='information' does not work"):
        distributed.fit(pairsift.MRMR(), source(X, [7]), y)


@pytest.mark.slow
@pytest.mark.parametrize("missing", ["probability", "ignore", "constant", "distinct"])
@given(edges=EDGES)
@settings(max_examples=4, deadline=None)
def test_missing_and_categorical_columns(missing, edges):
    X, y = table(1)
    X[np.random.default_rng(0).random(X.shape) < 0.1] = np.nan
    frame = as_frame(X)
    frame.loc[3, "word"] = None
    selector = pairsift.ReliefFSc(2, n_neighbors=3, missing=missing)
    how = {"constraints": pairs(y), "y": np.where(np.arange(len(y)) % 3, y, -1)}
    here, there = both_fits(selector, frame, source(frame, edges), **how)
    compare(here, there)
    assert_array_equal(there.feature_names_in_, here.feature_names_in_)


def test_columns_of_objects_may_be_numbers_in_one_block_and_text_in_the_next():
    X, y = table(2)
    frame = pd.DataFrame(X)
    frame.columns = [f"x{j}" for j in range(X.shape[1])]
    frame["odd"] = [*range(20), *("?" if i == 5 else i for i in range(20))]
    frame["whole"] = np.arange(40, dtype=object)
    selector = pairsift.ReliefFSc(3, n_neighbors=3)
    compare(*both_fits(selector, frame, source(frame, [10]), constraints=pairs(y)))


def test_a_block_with_one_class():
    X, y = table(3)
    order = np.argsort(y, kind="stable")
    X, y = X[order], y[order]
    edges = np.flatnonzero(np.diff(y)) + 1
    compare(*both_fits(pairsift.FisherScore(), X, source(X, edges), y=y))


@pytest.mark.parametrize("fault", ["nan", "inf", "text", "huge", "rows", "parameter"])
def test_errors_are_those_of_fit_in_memory(fault):
    X, _ = table(4)
    selector = pairsift.VarianceScore(n_features_to_select=2)
    data = X
    if fault == "nan":
        X[30, 2] = np.nan
    elif fault == "inf":
        X[30, 2] = np.inf
    elif fault == "huge":
        X[30, 2] = 1e200
    elif fault == "text":
        data = as_frame(X)
    elif fault == "rows":
        data = X[:1]
    else:
        selector.set_params(n_features_to_select=9)
    with pytest.raises(ValueError, match=".") as here:
        selector.fit(data)
    with pytest.raises(ValueError, match=".") as there:
        distributed.fit(selector, source(data, [0, 10, 20]))
    # A line that fills in an array does nothing for blocks.
    said = re.sub(" with `.*`", "", str(here.value))
    assert str(there.value) == said
    assert not hasattr(selector, "scores_")


def test_labels_of_another_number_of_rows_are_refused_as_in_memory():
    X, y = table(5)
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        distributed.fit(pairsift.FisherScore(), source(X, [7]), y=y[:-1])


def test_other_selectors_are_refused_with_the_names_of_those_that_work():
    X, _ = table(6)
    with pytest.raises(TypeError, match=r"MICI does not work.*FisherScore.*ReliefFSc"):
        distributed.fit(pairsift.MICI(), source(X, [7]))


def test_data_in_memory_are_refused():
    with pytest.raises(TypeError, match="X is a ndarray.*selector's own fit"):
        distributed.fit(pairsift.VarianceScore(), np.eye(3))


def test_no_block_is_refused():
    with pytest.raises(pairsift.DataError, match="X has no block"):
        distributed.fit(pairsift.VarianceScore(), distributed.StreamedSource([]))


def test_blocks_that_change_between_passes_are_refused():
    sizes = iter([3, 3, 4, 4])
    readers = [lambda: np.eye(5)[: next(sizes)]] * 2
    blocks = distributed.StreamedSource(readers, most_blocks=1)
    with pytest.raises(pairsift.DataError, match="data must not change") as error:
        distributed.fit(pairsift.VarianceScore(), blocks)
    assert error.value.__notes__ == ["This happened in block 0."]


def test_blocks_of_other_columns_are_refused():
    readers = [lambda: np.eye(3), lambda: np.eye(4)]
    blocks = distributed.StreamedSource(readers)
    with pytest.raises(pairsift.DataError, match="blocks of X differ"):
        distributed.fit(pairsift.VarianceScore(), blocks)


def test_blocks_are_read_once_a_pass_and_no_more_are_held_than_stated():
    reading, held = [], []

    def read(number):
        reading.append(number)
        # A block is let go when the next but one is read.
        held.append(sum(ref() is not None for ref in alive))
        block = np.random.default_rng(number).normal(size=(5, 2))
        alive.append(weakref.ref(block))
        return block

    alive = []
    readers = [lambda number=number: read(number) for number in range(6)]
    blocks = distributed.StreamedSource(readers, most_blocks=2)
    distributed.fit(pairsift.VarianceScore(), blocks)
    # The survey, the first row as the origin, and the moments.
    assert sorted(reading) == sorted([*range(6), 0, *range(6)])
    assert max(held) <= 2


def test_order_of_rows_does_not_matter_on_zeros_and_ones_in_blocks():
    """Rows with equally many ones were ordered by their place."""
    rng = np.random.default_rng(0)
    X = np.unique(rng.integers(0, 2, (60, 12)), axis=0).astype(float)
    X = X[rng.permutation(len(X))]
    y = (X[:, 0] + X[:, 1] > 1).astype(int)
    links = PairConstraints.sample(y, 0, 20, random_state=0)
    selector = pairsift.PairLogistic(n_penalties=9, unlabelled_weight=0.1)
    rows = rng.permutation(len(X))
    first, blocks = both_fits(selector, X, source(X, [7, 30]), constraints=links)
    assert_allclose(blocks.scores_, first.scores_, rtol=1e-9, atol=1e-12)
    _, moved = both_fits(
        selector, X[rows], source(X[rows], [21]), constraints=links.subset(rows)
    )
    assert_allclose(moved.scores_, first.scores_, rtol=1e-9, atol=1e-12)
