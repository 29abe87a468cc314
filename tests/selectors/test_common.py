"""What holds for every selector."""

import pickle
import re
import warnings

import numba
import numpy as np
import pandas as pd
import polars as pl
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.utils.estimator_checks import parametrize_with_checks

import pairsift
from pairsift import ConstraintError, PairConstraints, PairLogistic
from pairsift._sklearn_compat import Interval
from pairsift.selectors._search import ForwardSearch
from tests.selectors.builders import SELECTORS, build, fit_arguments, problem
from tests.selectors.promises import COLUMN_ORDER, ROW_ORDER, TIES_BY_ROW, UNITS

each_selector = pytest.mark.parametrize("name", SELECTORS)


# Selectors that accept n_features_to_select="auto".
FINDS_NUMBER = {
    "ClusterHomogeneity",
    "CollinearityFilter",
    "FCRSC",
    "ForwardBackwardMI",
    "GramSchmidt",
    "MICI",
    "PairLogistic",
    "SSFC",
    "SVDEntropy",
    "SemiMRMR",
    "SimilarityConstraintScore",
}
# The score of a feature is what it brought on the way, which depends on the others.
SUBSET_SEARCH = {
    "ClusterHomogeneity",
    "FCRSC",
    "ForwardBackwardMI",
    "GramSchmidt",
    "MRMR",
    "SSFC",
    "SemiMRMR",
    "SimilarityConstraintScore",
    "NearestNeighborForward",
    "TuRF",
    "UnsupervisedMRMR",
}
# Of equal features one stays, and its copies are left out: their scores differ.
LEAVES_COPIES_OUT = {"CollinearityFilter", "MCFS", "MICI", "PairLogistic"}
# A constant feature has the score 0, which is better than a negative one.
SCORES_ZERO = {
    "ReliefSc",
    "ReliefFSc",
    "ConstraintScore2",
    "IRelief",
    "OnlineIRelief",
    "Relief",
    "ReliefF",
    "IterativeRelief",
    "RReliefF",
    "STIR",
    "SURF",
    "SURFStar",
    "SWRFStar",
    "MultiSURF",
    "MultiSURFStar",
}


def each_selector_that(condition):
    return pytest.mark.parametrize("name", [*filter(condition, SELECTORS)])


@parametrize_with_checks([build(name) for name in SELECTORS])
def test_scikit_learn_conventions(estimator, check):
    check(estimator)


@each_selector
def test_fitted_attributes_belong_together(name):
    X, y = problem()
    selector = build(name, n_features_to_select=2).fit(X, **fit_arguments(name, y))
    assert selector.scores_.shape == (6,)
    assert selector.scores_.dtype == np.float64
    assert not np.isnan(selector.scores_).any()
    assert_array_equal(np.sort(selector.order_), np.arange(6))
    assert (np.diff(selector.scores_[selector.order_]) <= 0).all()
    assert_array_equal(selector.ranking_[selector.order_], np.arange(1, 7))
    assert_array_equal(selector.support_, selector.ranking_ <= 2)
    assert selector.n_features_to_select_ == 2
    assert selector.n_features_in_ == 6
    assert_array_equal(selector.transform(X), X[:, selector.support_])


@each_selector_that(
    lambda name: issubclass(SELECTORS[name], ForwardSearch | PairLogistic)
)
@pytest.mark.parametrize("wanted", [None, 2])
def test_scores_of_a_search_fall_to_0_for_what_tells_nothing(name, wanted):
    X, y = problem(n_samples=60)
    X[:, [0, 5]] = 3.0
    selector = build(name, n_features_to_select=wanted).fit(X, **fit_arguments(name, y))
    scores = selector.scores_[selector.order_]
    assert scores[0] > 0.0
    assert (np.diff(scores) <= 0.0).all()
    assert (selector.scores_[[0, 5]] == 0.0).all()
    # Ties are ordered by the search, and not by the index alone.
    assert_array_equal(np.argsort(-selector._merit(), kind="stable"), selector.order_)


@each_selector
@pytest.mark.parametrize(
    ("wanted", "n_selected"),
    [(None, 6), (1, 1), (6, 6), (0.5, 3), (0.01, 1), (1.0, 6), (0.1 + 0.2 + 0.2, 3)],
)
def test_number_of_features_is_a_count_a_share_or_all(name, wanted, n_selected):
    X, y = problem()
    selector = build(name, n_features_to_select=wanted)
    selector.fit(X, **fit_arguments(name, y))
    assert selector.support_.sum() == selector.n_features_to_select_ == n_selected
    assert selector.n_features_to_select == wanted


@each_selector
@pytest.mark.parametrize("wanted", [0, -1, 1.5, "auto", "many"])
def test_impossible_number_of_features_is_refused(name, wanted):
    if wanted == "auto" and name in FINDS_NUMBER:
        wanted = "automatic"
    X, y = problem()
    with pytest.raises(ValueError, match="n_features_to_select"):
        build(name, n_features_to_select=wanted).fit(X, **fit_arguments(name, y))


@each_selector
def test_more_features_than_there_are_is_refused(name):
    X, y = problem()
    with pytest.raises(
        ValueError, match="n_features_to_select=7 .*the 6 features of X"
    ):
        build(name, n_features_to_select=7).fit(X, **fit_arguments(name, y))


@each_selector_that(
    lambda name: name not in SUBSET_SEARCH | LEAVES_COPIES_OUT | ROW_ORDER.keys()
)
def test_ties_go_to_the_lower_index(name):
    X, y = problem()
    X = np.column_stack([X, X])
    selector = build(name).fit(X, **fit_arguments(name, y))
    assert_allclose(selector.scores_[:6], selector.scores_[6:], rtol=1e-9)
    tied = selector.scores_[:6] == selector.scores_[6:]
    assert (selector.ranking_[:6] < selector.ranking_[6:])[tied].all()


@each_selector_that(lambda name: name not in COLUMN_ORDER)
def test_permuting_columns_permutes_scores(name, rng):
    X, y = problem()
    order = rng.permutation(6)
    arguments = fit_arguments(name, y)
    expected = build(name).fit(X, **arguments).scores_[order]
    actual = build(name).fit(X[:, order], **arguments).scores_
    # The same terms summed in another order: a few units in the last place.
    assert_allclose(actual, expected, rtol=1e-9, atol=1e-12)


def assert_rows_have_no_order(name, X, y, order):
    """Fit the rows as they are and in another order: the scores are the same."""
    arguments = fit_arguments(name, y)
    expected = build(name).fit(X, **arguments).scores_
    if "y" in arguments:
        arguments = {"y": arguments["y"][order]}
    if "constraints" in arguments:
        arguments = {"constraints": arguments["constraints"].subset(order)}
    actual = build(name).fit(X[order], **arguments).scores_
    assert_allclose(actual, expected, rtol=1e-9, atol=1e-11)


@each_selector_that(lambda name: name not in ROW_ORDER)
def test_permuting_rows_changes_nothing(name, rng):
    X, y = problem()
    assert_rows_have_no_order(name, X, y, rng.permutation(len(X)))


@each_selector_that(lambda name: name not in ROW_ORDER | TIES_BY_ROW)
def test_permuting_tied_rows_changes_nothing(name, rng):
    """Thirds, in which many rows are equally far from each other, and copies."""
    X, y = problem()
    X = np.round(X) / 3.0
    X[30:] = X[:10]
    assert_rows_have_no_order(name, X, y, rng.permutation(len(X)))


@each_selector
def test_units_matter_where_the_table_of_promises_says_so(name, rng):
    X, y = problem()
    arguments = fit_arguments(name, y)
    expected = build(name).fit(X, **arguments).scores_
    other = X * rng.uniform(0.01, 100, size=6) + rng.normal(size=6)
    actual = build(name).fit(other, **arguments).scores_
    is_same = np.allclose(actual, expected, rtol=1e-8, atol=1e-11)
    assert is_same == (name not in UNITS)


@each_selector_that(lambda name: name not in SUBSET_SEARCH)
def test_constant_feature_is_never_better_than_any_other(name):
    X, y = problem()
    X[:, 2] = 0.1
    selector = build(name).fit(X, **fit_arguments(name, y))
    if name in SCORES_ZERO:
        assert selector.scores_[2] == 0.0
    else:
        assert selector.ranking_[2] == 6


@each_selector_that(lambda name: "n_jobs" in SELECTORS[name]().get_params())
def test_any_number_of_threads_gives_equal_bits(name):
    uncompiled = SUBSET_SEARCH | {"IRelief", "LogisticIRelief", "Simba"}
    if name in uncompiled and numba.config.DISABLE_JIT:
        pytest.skip("a search over so many rows takes hours without compiled loops")
    X, y = problem(n_samples=700, n_features=40)
    arguments = fit_arguments(name, y)
    results = [
        build(name, n_jobs=n_jobs).fit(X, **arguments).scores_
        for n_jobs in (1, 2, 5, -1, None)
    ]
    for result in results[1:]:
        assert_array_equal(result, results[0])


@each_selector
@pytest.mark.parametrize("form", ["float32", "fortran", "readonly", "list"])
def test_memory_form_of_the_data_does_not_matter(name, form):
    X, y = problem()
    # Eighths are exact in single precision: rounding the cells moves no neighbour.
    X = np.round(8 * X) / 8
    arguments = fit_arguments(name, y)
    expected = build(name).fit(X, **arguments).scores_
    forms = {
        "float32": X.astype(np.float32),
        "fortran": np.asfortranarray(X),
        "readonly": X.copy(),
        "list": X.tolist(),
    }
    data = forms[form]
    if form == "readonly":
        data.setflags(write=False)
    before = np.array(data)
    scores = build(name).fit(data, **arguments).scores_
    assert scores.dtype == np.float64
    assert_allclose(scores, expected, rtol=1e-12)
    assert_array_equal(np.array(data), before)


@each_selector
def test_data_frames_give_names_out(name):
    X, y = problem()
    names = [f"gene {j}" for j in range(6)]
    arguments = fit_arguments(name, y)
    expected = build(name, n_features_to_select=2).fit(X, **arguments)
    for frame in (pd.DataFrame(X, columns=names), pl.DataFrame(X, schema=names)):
        selector = build(name, n_features_to_select=2).fit(frame, **arguments)
        assert_array_equal(selector.scores_, expected.scores_)
        assert_array_equal(selector.feature_names_in_, names)
        kept = [names[j] for j in np.flatnonzero(expected.support_)]
        assert selector.get_feature_names_out().tolist() == kept
    as_pandas = clone(selector).set_output(transform="pandas")
    result = as_pandas.fit(pd.DataFrame(X, columns=names), **arguments)
    assert list(result.transform(pd.DataFrame(X, columns=names)).columns) == kept


@each_selector
def test_clone_and_pickle_keep_everything(name):
    X, y = problem()
    arguments = fit_arguments(name, y)
    selector = build(name, n_features_to_select=3).fit(X, **arguments)
    again = pickle.loads(pickle.dumps(selector))
    assert_array_equal(again.scores_, selector.scores_)
    twin = clone(selector)
    with pytest.raises(NotFittedError, match="not fitted"):
        twin.transform(X)
    assert_array_equal(twin.fit(X, **arguments).support_, selector.support_)


@each_selector
def test_failed_fit_leaves_the_last_one(name, monkeypatch):
    X, y = problem(n_samples=24)
    arguments = fit_arguments(name, y)
    selector = build(name, n_features_to_select=3).fit(X, **arguments)
    before = pickle.dumps(selector)
    # Refused at the end, when there is a score for each of the two columns.
    with pytest.raises(ValueError, match="more than the 2 features of X"):
        selector.fit(X[:, :2], **arguments)
    assert pickle.dumps(selector) == before

    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(SELECTORS[name], "_rank", interrupt)
    with pytest.raises(KeyboardInterrupt):
        selector.fit(X[:, 2:], **arguments)
    assert pickle.dumps(selector) == before


@each_selector
def test_wrong_kinds_of_constraints_are_refused(name):
    X, y = problem()
    arguments = fit_arguments(name, y) | {"constraints": np.array([[0, 5], [2, 9]])}
    with pytest.raises(ConstraintError, match="must be a PairConstraints, got ndarray"):
        build(name).fit(X, **arguments)
    arguments["constraints"] = PairConstraints(cannot_link=[(0, 1)], n_samples=39)
    with pytest.raises(ConstraintError, match="refer to 39 samples, but X has 40 rows"):
        build(name).fit(X, **arguments)


@each_selector
def test_path_in_place_of_data_is_told_to_be_read(name):
    with pytest.raises(TypeError, match="X is the text 'wine.csv'"):
        build(name).fit("wine.csv", [0, 1])


# Their classes are the must-link groups, when there are no labels.
REFUSES_CONFLICTS = {"ConstraintScore7", "SCGS", "SimilarityConstraintScore"}


@each_selector_that(lambda name: SELECTORS[name]._method.context == "constrained")
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
    assert re.match(f"{chain}: each pair is taken as evidence; .*conflicts", said[0])
    # The pairs are used as they are, and not only those that agree.
    clean = build(name).fit(X, constraints=given)
    assert selector.n_constraints_used_ > clean.n_constraints_used_


@each_selector_that(lambda name: SELECTORS[name]._method.context != "constrained")
def test_contradictory_pairs_that_are_not_used_stop_nothing(name):
    X, y = problem()
    arguments = fit_arguments(name, y)
    expected = build(name).fit(X, **arguments)
    wrong = PairConstraints([(0, 1), (1, 2)], [(0, 2)], n_samples=40)
    found = build(name).fit(X, **arguments, constraints=wrong)
    assert_array_equal(found.scores_, expected.scores_)


# SPEC uses labels when they are given.
@each_selector_that(
    lambda name: SELECTORS[name]._method.context == "unsupervised" and name != "SPEC"
)
def test_selector_without_labels_takes_any_y(name):
    X, _ = problem()
    expected = build(name).fit(X).scores_
    for y in (X[:, 0], ["anything"] * 40, np.zeros((40, 2))):
        assert_array_equal(build(name).fit(X, y).scores_, expected)


@each_selector_that(lambda name: SELECTORS[name]._method.context == "constrained")
def test_pairs_suffice_beside_a_target_for_regression(name):
    X, y = problem()
    arguments = fit_arguments(name, y)
    expected = build(name).fit(X, **arguments).scores_
    assert_array_equal(build(name).fit(X, X[:, 0], **arguments).scores_, expected)


@each_selector_that(lambda name: SELECTORS[name]._method.context != "unsupervised")
def test_labels_of_another_length_are_refused(name):
    X, y = problem()
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        build(name).fit(X, y[:-1])


@each_selector
@pytest.mark.parametrize(
    ("X", "message"),
    [
        (np.empty((0, 3)), "0 sample"),
        (np.empty((5, 0)), "0 feature"),
        (np.zeros((1, 3)), "1 sample"),
        (np.zeros(5), "1D array|Expected 2D"),
        (np.full((40, 2), np.inf), "infinity"),
    ],
    ids=["no rows", "no columns", "one row", "one dimension", "infinite"],
)
def test_impossible_data_is_refused(name, X, message):
    with pytest.raises(ValueError, match=message):
        build(name).fit(X, np.arange(len(X)) % 2)


@each_selector
def test_text_is_taken_or_refused_with_the_remedy(name):
    X, y = problem()
    frame = pd.DataFrame(X).rename(columns=str)
    frame["colour"] = np.where(y == 1, "red", "blue")
    arguments = fit_arguments(name, y)
    if SELECTORS[name]._accepts_categorical:
        selector = build(name).fit(frame, **arguments)
        assert selector.n_features_in_ == 7
    else:
        with pytest.raises(ValueError, match="'colour'.*numbers only.*OrdinalEncoder"):
            build(name).fit(frame, **arguments)
    with pytest.raises(ValueError, match="X holds text .*encode the column first"):
        build(name).fit(np.array([["a", "b"], ["c", "d"]] * 20), **arguments)


@each_selector
def test_columns_that_are_neither_numbers_nor_text_are_refused(name):
    X, y = problem()
    frame = pd.DataFrame(X, columns=list("abcdef"))
    arguments = fit_arguments(name, y)
    wrong = {
        "when": pd.date_range("2026-01-01", periods=40),
        "wave": np.full(40, 1j),
        "list": [[1]] * 40,
    }
    for column, values in wrong.items():
        with pytest.raises(ValueError, match=f"column '?{column}|'{column}'"):
            build(name).fit(frame.assign(**{column: values}), **arguments)
    twice = pd.DataFrame(X, columns=list("abcdea"))
    with pytest.raises(ValueError, match="more than one column named 'a'"):
        build(name).fit(twice, **arguments)
    with pytest.raises(TypeError, match=r"lazy data frame: call X.collect\(\)"):
        build(name).fit(pl.DataFrame(X).lazy(), **arguments)


@each_selector
def test_numbers_too_large_to_square_give_no_nan(name):
    X, y = problem()
    arguments = fit_arguments(name, y)
    scores, message = None, ""
    with np.errstate(all="ignore"):
        try:
            scores = build(name).fit(X * 1e160, **arguments).scores_
        except ValueError as error:
            message = str(error)
    assert "scale it first" in message if scores is None else not np.isnan(scores).any()


@each_selector
def test_whole_numbers_beyond_any_count_are_refused(name):
    X, y = problem()
    selector = build(name)
    for parameter, accepted in selector._parameter_constraints.items():
        intervals = [each for each in accepted if isinstance(each, Interval)]
        if not any(10**30 in interval for interval in intervals):
            continue
        with pytest.raises(ValueError, match=rf"{parameter} must be .*up to 2\*\*53"):
            build(name, **{parameter: 10**30}).fit(X, **fit_arguments(name, y))


@each_selector
def test_missing_values_are_taken_or_refused_with_the_remedy(name):
    X, y = problem()
    X[3, 2] = np.nan
    arguments = fit_arguments(name, y)
    if SELECTORS[name]._accepts_missing:
        assert np.isfinite(build(name).fit(X, **arguments).scores_).all()
    else:
        with pytest.raises(ValueError, match="contains NaN.*SimpleImputer"):
            build(name).fit(X, **arguments)


@each_selector
def test_dask_collection_is_refused(name):
    class Collection:
        pass

    Collection.__module__ = "dask.array.core"
    with pytest.raises(TypeError, match="Dask collection.*in memory"):
        build(name).fit(Collection())


def test_catalogue_lists_every_public_selector():
    catalogue = pairsift.methods()
    public = {name for name in pairsift.__all__ if name[0].isupper()}
    classes = set(catalogue["class"])
    assert classes <= public
    selectors = [getattr(pairsift, name) for name in public]
    assert classes == {cls.__name__ for cls in selectors if hasattr(cls, "_method")}
    assert not catalogue.isna().any().any()
    assert not (catalogue.drop(columns="aliases") == "").any().any()
    assert catalogue["name"].is_unique
