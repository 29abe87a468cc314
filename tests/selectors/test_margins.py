"""ReliefSc, ReliefFSc and SimbaSc as estimators."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import load_wine

from pairsift import ConstraintError, PairConstraints, ReliefFSc, ReliefSc, SimbaSc
from pairsift.scores import (
    relief_sc_score,
    relieff_sc_label_score,
    relieff_sc_score,
    simba_sc_score,
)
from tests.selectors.builders import problem

MARGINS = [ReliefSc, ReliefFSc, SimbaSc]


def test_symmetric_is_the_mean_of_both_directions():
    X, y = problem()
    c = PairConstraints.sample(y, 10, random_state=1)
    selector = ReliefFSc(n_neighbors=4).fit(X, constraints=c)
    there = relieff_sc_score(X, c.cannot_link, n_neighbors=4)
    back = relieff_sc_score(X, c.cannot_link[:, ::-1], n_neighbors=4)
    assert_allclose(selector.scores_, (there + back) / 2, rtol=1e-12)
    published = ReliefFSc(n_neighbors=4, symmetric=False).fit(X, constraints=c)
    assert_array_equal(published.scores_, there)


def test_relief_sc_is_relieff_sc_with_one_neighbour():
    X, y = problem()
    c = PairConstraints.sample(y, 10)
    one = ReliefFSc(n_neighbors=1).fit(X, constraints=c)
    assert_array_equal(ReliefSc().fit(X, constraints=c).scores_, one.scores_)
    both_ways = np.concatenate([c.cannot_link, c.cannot_link[:, ::-1]])
    assert_allclose(one.scores_, relief_sc_score(X, both_ways) / 2, rtol=1e-12)


def test_weights_are_the_positive_margins_at_unit_norm():
    X = np.random.default_rng(0).normal(size=(40, 30))
    c = PairConstraints(cannot_link=[(0, 1), (2, 3), (9, 5)], n_samples=40)
    selector = ReliefSc().fit(X, constraints=c)
    assert_array_equal(selector.margins_, selector.scores_)
    assert (selector.margins_ < 0).any()
    assert_array_equal(selector.weights_ > 0, selector.margins_ > 0)
    positive = np.maximum(selector.margins_, 0)
    assert_allclose(selector.weights_, positive / np.sqrt((positive**2).sum()))
    flat = ReliefFSc().fit(np.ones((5, 2)), constraints=PairConstraints([], [(0, 1)]))
    assert_array_equal(flat.weights_, [0.0, 0.0])


@pytest.mark.parametrize("cls", MARGINS)
def test_labels_alone_mean_all_their_pairs(cls):
    X, y = problem()
    y[::2] = -1
    parameters = {"random_state": 0} if cls is SimbaSc else {}
    from_y = cls(**parameters).fit(X, y)
    from_pairs = cls(**parameters).fit(X, constraints=PairConstraints.from_labels(y))
    # Relief-Sc takes the pairs of labels at once, in another order of terms.
    assert_allclose(from_y.scores_, from_pairs.scores_, rtol=1e-10)
    assert from_y.n_constraints_used_ == from_pairs.n_constraints_used_ > 0


@pytest.mark.slow
@pytest.mark.parametrize("metric", ["manhattan", "euclidean"])
@pytest.mark.parametrize("exclude", ["pair", "self"])
@pytest.mark.parametrize("null", [None, "must-links"])
@pytest.mark.parametrize("must_link_weight", [0.0, 0.7])
@pytest.mark.parametrize("n_neighbors", [1, 4, 100])
@pytest.mark.parametrize("missing", [False, True])
def test_pairs_of_labels_give_the_same_listed_or_not(
    metric, exclude, null, must_link_weight, n_neighbors, missing
):
    X, y = problem(n_samples=50)
    X[:, 2] = np.round(X[:, 2])
    X[:, 5] = np.arange(50) % 4
    if missing:
        X[4, 3] = np.nan
    y[::3] = -1
    selector = ReliefFSc(
        n_neighbors=n_neighbors,
        metric=metric,
        exclude=exclude,
        null=null,
        must_link_weight=must_link_weight,
        categorical_features=[5],
    )
    labels = selector.fit(X, y).scores_
    pairs = PairConstraints.from_labels(y)
    listed = selector.fit(X, y, constraints=pairs).scores_
    assert_allclose(labels, listed, rtol=1e-10, atol=1e-10)
    selector.set_params(symmetric=False)
    directed = selector.fit(X, y).scores_
    assert_allclose(
        directed, selector.fit(X, y, constraints=pairs).scores_, rtol=1e-10, atol=1e-10
    )


def test_many_labels_make_no_list_of_pairs():
    # 12,000 rows of two classes make 36 million cannot-links; 5 against the rest make
    # 72 million must-links, which nobody asked for.
    X = np.random.default_rng(0).normal(size=(12_000, 2))
    half = ReliefSc().fit(X, np.arange(12_000) % 2)
    assert half.n_constraints_used_ == 6000**2
    few = ReliefSc().fit(X, np.arange(12_000) < 5)
    assert few.n_constraints_used_ == 5 * 11_995


def test_list_of_labels_with_nan_has_no_class_nan():
    X, _ = problem(n_samples=6)
    labels = ["a", "b", np.nan, "a", "b", np.nan]
    assert ReliefSc().fit(X, labels).n_constraints_used_ == 4


def test_text_labels_give_the_same_as_numbers():
    X, y = problem()
    text = np.array(["a", "b", "c"], dtype=object)[y]
    text[:10] = None
    numbers = y.copy()
    numbers[:10] = -1
    assert_array_equal(
        ReliefSc().fit(X, text).scores_, ReliefSc().fit(X, numbers).scores_
    )


def test_number_of_used_constraints_counts_what_is_used():
    X, y = problem()
    c = PairConstraints.sample(y, n_cannot_link=12, n_must_link=7)
    assert ReliefSc().fit(X, constraints=c).n_constraints_used_ == 12
    weighted = ReliefSc(must_link_weight=0.5).fit(X, constraints=c)
    assert weighted.n_constraints_used_ == 19
    assert (weighted.scores_ != ReliefSc().fit(X, constraints=c).scores_).any()


@pytest.mark.parametrize("cls", MARGINS)
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "needs cannot-link pairs or labels, got neither"),
        ({"y": np.zeros(40)}, "needs cannot-link pairs, but y has 1 class."),
        ({"y": np.full(40, -1)}, "needs cannot-link pairs, but y has 0 classes."),
        (
            {"constraints": PairConstraints(must_link=[(0, 1), (2, 3)], n_samples=40)},
            r"needs cannot-link pairs, but constraints hold none \(2 must-link\)",
        ),
        (
            {
                "constraints": PairConstraints(cannot_link=[(0, 99)], n_samples=100),
                "sample_ids": np.arange(40),
            },
            "none of the 1 in constraints lies inside the rows of X",
        ),
    ],
    ids=["nothing", "one class", "no label", "only must-links", "all outside"],
)
def test_nothing_to_learn_from_is_refused(cls, arguments, message):
    X, _ = problem()
    with pytest.raises(ConstraintError, match=f"{cls.__name__} {message}|{message}"):
        cls().fit(X, **arguments)


def test_single_class_beside_unlabelled_rows_is_refused():
    X, _ = problem()
    y = np.where(np.arange(40) < 20, 3, -1)
    with pytest.raises(ConstraintError, match="y has 1 class"):
        ReliefSc().fit(X, y)


@pytest.mark.parametrize(
    ("cls", "parameters", "message"),
    [
        (ReliefFSc, {"n_neighbors": 0}, "n_neighbors"),
        (ReliefFSc, {"metric": "cosine"}, "metric"),
        (ReliefSc, {"exclude": "nobody"}, "exclude"),
        (ReliefSc, {"missing": "guess"}, "missing"),
        (ReliefSc, {"must_link_weight": -1}, "must_link_weight"),
        (SimbaSc, {"n_starts": 0}, "n_starts"),
        (ReliefFSc, {"null": "labels"}, "null"),
        (ReliefFSc, {"ties": "random"}, "ties"),
        (SimbaSc, {"step": 0}, "step"),
        (SimbaSc, {"max_pairs": 0}, "max_pairs"),
    ],
)
def test_wrong_parameters_are_refused_by_name(cls, parameters, message):
    X, y = problem()
    with pytest.raises(
        ValueError, match=f"The '{message}' parameter of {cls.__name__}"
    ):
        cls(**parameters).fit(X, y)


def test_simba_is_reproducible_and_takes_any_seed():
    X, y = problem()
    c = PairConstraints.sample(y, 20)
    first = SimbaSc(random_state=5).fit(X, constraints=c).scores_
    assert_array_equal(SimbaSc(random_state=5).fit(X, constraints=c).scores_, first)
    generator = np.random.default_rng(5)
    assert_array_equal(
        SimbaSc(random_state=generator).fit(X, constraints=c).scores_, first
    )
    expected = simba_sc_score(X, c.cannot_link, symmetric=True, random_state=5)
    assert_array_equal(first, expected)
    SimbaSc(random_state=np.random.RandomState(0)).fit(X, constraints=c)
    assert first.max() == 1.0


def test_simba_draws_from_too_many_pairs_of_labels_and_says_so():
    X, y = problem()
    y[::4] = -1
    # 30 labelled rows of 3 classes of 10: 300 cannot-links.
    everything = SimbaSc(max_pairs=300, random_state=0).fit(X, y)
    assert everything.n_constraints_used_ == 300
    message = "the labels make 300 cannot-links, of which max_pairs=50 were drawn"
    with pytest.warns(UserWarning, match=message):
        drawn = SimbaSc(max_pairs=50, random_state=0, n_jobs=1).fit(X, y)
    assert drawn.n_constraints_used_ == 50
    with pytest.warns(UserWarning, match=message):
        again = SimbaSc(max_pairs=50, random_state=0, n_jobs=3).fit(X, y)
    assert_array_equal(drawn.scores_, again.scores_)
    # Pairs that were given are never drawn from.
    given = PairConstraints.from_labels(y)
    listed = SimbaSc(max_pairs=50, random_state=0).fit(X, constraints=given)
    assert_array_equal(listed.scores_, everything.scores_)


@pytest.mark.parametrize("cls", MARGINS)
def test_relevant_features_are_found_wherever_they_stand(cls):
    hits = 0
    for seed in range(10):
        rng = np.random.default_rng(seed)
        X, y = problem(seed, n_samples=120, n_features=12)
        order = rng.permutation(12)
        c = PairConstraints.sample(y, 30, random_state=seed)
        parameters = {"random_state": 0} if cls is SimbaSc else {}
        selector = cls(2, **parameters).fit(X[:, order], constraints=c)
        hits += set(order[selector.support_]) == {1, 4}
    # A random choice of two of twelve would be right once in 66 times.
    assert hits >= 7


@pytest.mark.parametrize("cls", MARGINS)
def test_two_rows_have_no_neighbours_and_say_so(cls):
    X, c = np.array([[0.0, 1.0], [1.0, 1.0]]), PairConstraints([], [(0, 1)])
    with pytest.warns(UserWarning, match="2 rows: .* no neighbours"):
        selector = cls().fit(X, constraints=c)
    assert np.isfinite(selector.scores_).all()


def test_two_rows_are_neighbours_in_the_published_form():
    X, c = np.array([[0.0, 1.0], [1.0, 1.0]]), PairConstraints([], [(0, 1)])
    selector = ReliefSc(exclude="self").fit(X, constraints=c)
    assert_array_equal(selector.scores_, [-1.0, 0.0])


# Ties


def tied_data(rng, kind):
    """Small whole numbers, and every fourth row twice."""
    X = rng.integers(0, 4, size=(48, 5)).astype(float)
    X[::4] = X[1::4]
    if kind == "missing":
        X[rng.random(X.shape) < 0.1] = np.nan
    return X, rng.integers(0, 3, size=48)


@pytest.mark.slow
@pytest.mark.parametrize("cls", [ReliefSc, ReliefFSc])
@pytest.mark.parametrize("kind", ["complete", "categorical", "missing"])
@pytest.mark.parametrize("exclude", ["pair", "self"])
@pytest.mark.parametrize("source", ["pairs", "labels"])
def test_order_of_rows_does_not_matter(cls, kind, exclude, source):
    rng = np.random.default_rng(3)
    X, y = tied_data(rng, kind)
    order = rng.permutation(48)
    place = np.argsort(order)
    c = PairConstraints.sample(y, 15, 10, random_state=0)
    moved = PairConstraints(place[c.must_link], place[c.cannot_link], n_samples=48)
    given, after = {"y": y}, {"y": y[order]}
    if source == "pairs":
        given, after = {"constraints": c}, {"constraints": moved}
    selector = cls(
        exclude=exclude,
        null="must-links",
        categorical_features=[1, 3] if kind == "categorical" else None,
    )
    expected = selector.fit(X, **given).scores_
    assert_allclose(selector.fit(X[order], **after).scores_, expected, atol=1e-12)
    # The usual rule prefers the rows at the top.
    selector.set_params(ties="index")
    difference = selector.fit(X, **given).scores_
    difference = difference - selector.fit(X[order], **after).scores_
    assert abs(difference).max() > 1e-3


# A null


@pytest.mark.parametrize("cls", [ReliefSc, ReliefFSc])
def test_coin_flips_come_first_as_published_and_last_with_a_null(cls):
    X, y = load_wine(return_X_y=True)
    for seed in range(8):
        coin = np.random.default_rng(seed).integers(0, 2, size=len(X))
        with_coin = np.column_stack([X, coin])
        published = cls().fit(with_coin, y)
        assert published.ranking_[13] == 1
        assert published.scores_[13] > 1.4 * published.scores_[:13].max()
        for null in ("random-pairs", "must-links"):
            assert cls(null=null).fit(with_coin, y).ranking_[13] > 10


def test_coin_flips_are_no_better_than_chance_with_a_null_and_few_pairs():
    # The share of 30 pairs that a coin tells apart varies: it is first now and then.
    X, y = load_wine(return_X_y=True)
    published, ranks = [], []
    for seed in range(20):
        coin = np.random.default_rng(seed).integers(0, 2, size=len(X))
        with_coin = np.column_stack([X, coin])
        c = PairConstraints.sample(y, 30, random_state=seed)
        published.append(ReliefFSc().fit(with_coin, constraints=c).ranking_[13])
        selector = ReliefFSc(null="random-pairs").fit(with_coin, constraints=c)
        ranks.append(selector.ranking_[13])
    assert published == [1] * 20
    assert np.median(ranks) > 7


def test_scores_are_margins_per_pair_minus_those_of_the_null():
    X, y = problem()
    c = PairConstraints.sample(y, 12, 7, random_state=0)
    plain = ReliefFSc(n_neighbors=4).fit(X, constraints=c)
    selector = ReliefFSc(n_neighbors=4, null="must-links").fit(X, constraints=c)
    together = PairConstraints((), c.must_link, n_samples=40)
    null = ReliefFSc(n_neighbors=4).fit(X, constraints=together).margins_ / 7
    assert_allclose(selector.scores_, plain.margins_ / 12 - null, rtol=1e-10)
    assert_array_equal(selector.margins_, plain.margins_)
    positive = np.maximum(selector.scores_, 0)
    assert_allclose(selector.weights_, positive / np.linalg.norm(positive))
    assert selector.n_constraints_used_ == 19
    # A weight calibrates the must-links, too: they are no better than themselves.
    selector.set_params(must_link_weight=0.5)
    assert_array_equal(
        selector.fit(X, constraints=c).scores_, plain.margins_ / 12 - null
    )


@pytest.mark.parametrize("symmetric", [True, False])
def test_random_pairs_are_all_pairs_of_few_rows(symmetric):
    # 24 rows make 276 pairs, fewer than would be drawn.
    X, y = problem(n_samples=24)
    c = PairConstraints.sample(y, 12, random_state=0)
    selector = ReliefFSc(n_neighbors=4, null="random-pairs", symmetric=symmetric)
    drawn = selector.fit(X, constraints=c)
    n, m = np.triu_indices(24, 1)
    both_ways = np.concatenate([np.column_stack([n, m]), np.column_stack([m, n])])
    null = relieff_sc_score(X, both_ways, n_neighbors=4) / len(both_ways)
    assert_allclose(drawn.scores_, drawn.margins_ / 12 - null, rtol=1e-10, atol=1e-13)
    assert drawn.n_constraints_used_ == 12


def test_random_pairs_are_drawn_from_many_rows_by_their_seed():
    X, y = problem(n_samples=90)
    c = PairConstraints.sample(y, 12, random_state=0)
    selector = ReliefSc(null="random-pairs", random_state=5).fit(X, constraints=c)
    again = ReliefSc(null="random-pairs", random_state=5, n_jobs=1)
    assert_array_equal(again.fit(X, constraints=c).scores_, selector.scores_)
    exact = relieff_sc_label_score(
        X, np.zeros(90), n_neighbors=1, must_link_weight=1.0
    ) / -(90 * 89 / 2)
    found = selector.margins_ / 12 - selector.scores_
    assert (found != exact).all()
    # Means over 500 of 4005 pairs, whose margins deviate by about 0.3.
    assert_allclose(found, exact, atol=0.06)


@pytest.mark.parametrize(
    ("arguments", "kind"),
    [
        ({"constraints": PairConstraints([], [(0, 1)], n_samples=40)}, "must"),
        ({"constraints": PairConstraints([(0, 1)], [], n_samples=40)}, "cannot"),
        ({"y": ["a", "b", "c"] + [None] * 37}, "must"),
        ({"y": np.zeros(40)}, "cannot"),
    ],
)
def test_null_of_must_links_needs_both_kinds_of_pairs(arguments, kind):
    X, _ = problem()
    message = f"no {kind}-links: add some, or choose null='random-pairs'"
    with pytest.raises(ConstraintError, match=message):
        ReliefFSc(null="must-links").fit(X, **arguments)


# Categorical columns and missing values


def mixed_frame():
    X, y = problem()
    frame = pd.DataFrame(X[:, :3], columns=["a", "b", "c"])
    frame["colour"] = np.array(["red", "blue", "green"])[(y + (X[:, 3] > 1)) % 3]
    frame["flag"] = X[:, 4] > 0
    return frame, y


@pytest.mark.parametrize("cls", MARGINS)
def test_categorical_columns_however_told_are_the_same(cls):
    frame, y = mixed_frame()
    c = PairConstraints.sample(y, 15)
    parameters = {"random_state": 0} if cls is SimbaSc else {}
    expected = cls(**parameters).fit(frame, constraints=c).scores_
    codes = frame.copy()
    codes["colour"] = frame["colour"].map({"red": 7.0, "blue": -2.0, "green": 0.5})
    codes["flag"] = frame["flag"].astype(float)
    for told in (["colour", "flag"], [3, 4], [-2, -1], [False] * 3 + [True] * 2):
        selector = cls(categorical_features=told, **parameters)
        assert_array_equal(selector.fit(codes, constraints=c).scores_, expected)
    category = frame.astype({"colour": "category"})
    assert_array_equal(cls(**parameters).fit(category, constraints=c).scores_, expected)
    in_polars = pl.from_pandas(frame)
    assert_array_equal(
        cls(**parameters).fit(in_polars, constraints=c).scores_, expected
    )
    told = cls(categorical_features=["colour", "flag"], **parameters)
    assert_array_equal(told.fit(frame, constraints=c).scores_, expected)
    numeric = cls(categorical_features=None, **parameters).fit(codes, constraints=c)
    assert (numeric.scores_ != expected).any()


def test_missing_text_is_missing():
    frame, y = mixed_frame()
    frame["colour"] = frame["colour"].astype(object)
    frame.loc[[2, 5], "colour"] = None
    frame.loc[7, "a"] = np.nan
    c = PairConstraints.sample(y, 15)
    codes = frame.copy()
    codes["colour"] = frame["colour"].map({"red": 0.0, "blue": 1.0, "green": 2.0})
    codes["flag"] = frame["flag"].astype(float)
    told = ReliefFSc(categorical_features=["colour", "flag"]).fit(codes, constraints=c)
    assert_array_equal(ReliefFSc().fit(frame, constraints=c).scores_, told.scores_)
    in_polars = ReliefFSc().fit(pl.from_pandas(frame), constraints=c)
    assert_array_equal(in_polars.scores_, told.scores_)


@pytest.mark.parametrize(
    ("told", "message"),
    [
        ([9], r"categorical_features holds \[9\], X has 5 features"),
        (["size"], "categorical_features names 'size', which is no feature of X"),
        ([True, False], r"mask of shape \(2,\), X has 5 features"),
        (["flag"], "'colour', that categorical_features does not name"),
        (None, "'colour', that categorical_features does not name"),
    ],
)
def test_wrong_categorical_features_are_refused(told, message):
    frame, y = mixed_frame()
    with pytest.raises(ValueError, match=message):
        ReliefSc(categorical_features=told).fit(frame, y)


def test_one_missing_value_changes_little():
    X, y = load_wine(return_X_y=True)
    c = PairConstraints.sample(y, 20)
    complete = ReliefFSc().fit(X, constraints=c).scores_
    X[5, 3] = np.nan
    for missing in ("probability", "ignore", "constant", "distinct"):
        scores = ReliefFSc(missing=missing).fit(X, constraints=c).scores_
        assert abs(scores - complete).max() < 0.2 * abs(complete).max()
