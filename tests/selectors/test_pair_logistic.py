"""PairLogistic: what it predicts, how many features it takes, whom it doubts."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.special import expit
from sklearn.exceptions import ConvergenceWarning

from pairsift import PairConstraints, PairLogistic
from pairsift.scores import PairProblem, pair_logistic_path, pair_logistic_score
from tests.fuzz.problems import draw


def problem(seed=0, n=80, d=6):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 2
    X = rng.normal(size=(n, d))
    X[:, 3] += 3.0 * y
    return X, y


def pairs_of(y, seed=0, number=30):
    return PairConstraints.sample(y, number, number, random_state=seed)


def test_scores_and_path_are_those_of_the_functions():
    X, y = problem()
    c = pairs_of(y)
    selector = PairLogistic().fit(X, constraints=c)
    path = pair_logistic_path(X, c.must_link, c.cannot_link, tol=1e-6)
    for mine, theirs in zip(selector.path_, path, strict=True):
        assert_array_equal(mine, theirs)
    scores = pair_logistic_score(X, c.must_link, c.cannot_link, tol=1e-6)
    assert_array_equal(selector.scores_, scores)
    assert selector.order_[0] == 3
    assert (selector.path_.gaps <= 1e-6).all()


def test_the_model_is_that_of_the_penalty_asked_for():
    X, y = problem()
    c = pairs_of(y)
    selector = PairLogistic(penalty=0.1).fit(X, constraints=c)
    path = selector.path_
    assert_allclose(selector.penalty_, 0.1 * path.penalties[0])
    # Between its neighbours on the path, and a minimum itself.
    k = int(np.flatnonzero(path.penalties < selector.penalty_)[0])
    span = np.ptp(X, axis=0)
    pairs = np.concatenate([c.must_link, c.cannot_link])
    D = np.abs(X[pairs[:, 0]] - X[pairs[:, 1]]) / span
    sign = np.repeat([1.0, -1.0], 30)

    def objective(coef, intercept):
        loss = np.logaddexp(0.0, -sign * (intercept - D @ coef)).mean()
        return loss + selector.penalty_ * coef.sum()

    ours = objective(selector.coef_, selector.intercept_)
    for j in (k - 1, k):
        assert ours < objective(path.coefs[j], path.intercepts[j])
    middle = PairLogistic().fit(X, constraints=c)
    assert middle.penalty_ == path.penalties[25]
    assert_array_equal(middle.coef_, path.coefs[25])
    assert not PairLogistic(penalty=1.0).fit(X, constraints=c).coef_.any()


def test_probabilities_follow_the_formula():
    X, y = problem()
    selector = PairLogistic().fit(X, constraints=pairs_of(y))
    kept = np.unique(pairs_of(y).must_link)
    pairs = np.column_stack([kept[:-1], kept[1:]])
    span = np.ptp(X, axis=0)
    for (a, b), chance in zip(pairs, selector.predict_link_proba(pairs), strict=True):
        odds = selector.intercept_ - selector.coef_ @ (np.abs(X[a] - X[b]) / span)
        assert_allclose(chance, 1.0 / (1.0 + np.exp(-odds)))
    assert_array_equal(
        selector.predict_link_proba(pairs, X), selector.predict_link_proba(pairs)
    )


def test_probabilities_of_new_rows_use_the_ranges_of_the_old():
    X, y = problem()
    selector = PairLogistic().fit(X, constraints=pairs_of(y))
    new = X[[5, 8]] * 0.5
    odds = selector.intercept_ - selector.coef_ @ (
        np.abs(new[0] - new[1]) / np.ptp(X, axis=0)
    )
    assert_allclose(
        selector.predict_link_proba([(0, 1)], new), 1.0 / (1.0 + np.exp(-odds))
    )


def test_probabilities_with_missing_and_categorical_cells():
    rng = np.random.default_rng(1)
    X, y = problem(1)
    X[rng.random(X.shape) < 0.1] = np.nan
    frame = pd.DataFrame(X, columns=list("abcdef"))
    frame["kind"] = np.where(y == 1, "left", "right")
    frame.loc[[3, 9], "kind"] = None
    c = pairs_of(y)
    selector = PairLogistic().fit(frame, constraints=c)
    assert selector.get_feature_names_out()[selector.order_[0]] == "kind"
    chances = selector.predict_link_proba(np.concatenate([c.must_link, c.cannot_link]))
    assert np.isfinite(chances).all()
    assert chances[:30].mean() > 0.7 > 0.3 > chances[30:].mean()
    complete = frame.dropna()
    assert selector.predict_link_proba([(0, 1)], complete).shape == (1,)
    with pytest.raises(ValueError, match="X contains NaN: new rows must be complete"):
        selector.predict_link_proba([(0, 1)], frame)


def test_pairs_out_of_range_are_refused():
    X, y = problem()
    selector = PairLogistic().fit(X, constraints=pairs_of(y))
    with pytest.raises(ValueError, match=r"pairs pair \(0, 80\) is out of range"):
        selector.predict_link_proba([(0, 80)])
    with pytest.raises(ValueError, match="X has 5 features, but PairLogistic is"):
        selector.predict_link_proba([(0, 1)], X[:, :5])


@pytest.mark.parametrize("share_missing", [0.0, 0.1])
def test_only_rows_that_stand_in_pairs_are_kept(share_missing):
    X, y = problem(n=400)
    X[np.random.default_rng(5).random(X.shape) < share_missing] = np.nan
    c = pairs_of(y, number=10)
    selector = PairLogistic().fit(X, constraints=c)
    rows = np.unique([c.must_link, c.cannot_link])
    n_active = int((selector.coef_ > 0).sum())
    n_tables = 2 if share_missing else 1
    arrays = [value for value in selector._kept.values() if np.ndim(value)]
    of_rows = [array for array in arrays if len(array) == rows.size and array.ndim == 2]
    assert [array.shape[1] for array in of_rows] == [n_active] * n_tables
    assert max(map(len, arrays)) < 400
    odds = PairProblem.of(X).log_odds(c.must_link, selector.coef_, selector.intercept_)
    assert_allclose(selector.predict_link_proba(c.must_link), expit(odds))
    unknown = np.setdiff1d(np.arange(400), rows)[0]
    with pytest.raises(
        ValueError,
        match=rf"pairs names row {unknown}, but only the {rows.size} rows that stand "
        r"in the pairs of fit are kept: pass the data as X, too\.$",
    ):
        selector.predict_link_proba([(rows[0], unknown)])


def test_the_number_of_features_is_found():
    X, y = problem(n=200, d=20)
    selector = PairLogistic("auto").fit(X, constraints=pairs_of(y, number=150))
    assert selector.losses_.shape == (50,)
    assert selector.penalty_ == selector.path_.penalties[selector.losses_.argmin()]
    assert selector.n_features_to_select_ == (selector.coef_ > 0).sum()
    assert selector.support_[3]
    assert selector.n_features_to_select_ < 15
    assert selector.losses_.min() < 0.55 < selector.losses_[0]


def test_too_few_pairs_to_hold_some_out():
    X, _ = problem()
    c = PairConstraints([(0, 2)], [(0, 3)], n_samples=len(X))
    with pytest.warns(UserWarning, match="2 pairs are too few to hold some out"):
        selector = PairLogistic("auto").fit(X, constraints=c)
    assert selector.penalty_ == selector.path_.penalties[25]
    assert selector.losses_ is None


def test_a_model_that_learnt_nothing_says_so():
    X, _ = problem(3, n=60)
    answers = np.random.default_rng(4).integers(2, size=60)
    c = PairConstraints.sample(answers, 20, 20, random_state=0)
    with pytest.warns(UserWarning, match="learnt nothing: no model predicts held-out"):
        selector = PairLogistic("auto").fit(X, constraints=c)
    assert not selector.coef_.any()
    assert_allclose(selector.predict_link_proba([(0, 1), (2, 3)]), 0.5)
    # The ranking is there, and a number is what was asked for.
    assert PairLogistic(2).fit(X, constraints=c).coef_.any()


def test_answers_that_no_feature_fits_teach_nothing():
    X = np.array([[0.0], [1.0], [0.0], [1.0]])
    c = PairConstraints([(0, 1)], [(0, 2)], n_samples=4)
    with pytest.warns(UserWarning, match="learnt nothing: no feature differs more"):
        selector = PairLogistic().fit(X, constraints=c)
    assert selector.scores_[0] == 0.0
    # Whoever gives a penalty knows that it may be too large.
    assert not PairLogistic(penalty=1.0).fit(X, constraints=c).coef_.any()


@pytest.mark.slow
@pytest.mark.parametrize("wanted", [None, "auto"])
@pytest.mark.parametrize("seed", range(6))
def test_order_of_rows_and_columns_gives_equal_bits(seed, wanted):
    rng = np.random.default_rng(seed)
    X, y = problem(seed, n=40)
    if seed % 2:
        copied = rng.integers(0, 25, 40)
        X, y = X[copied], y[copied]
    c = PairConstraints.sample(y, 15, 15, random_state=seed)
    expected = PairLogistic(wanted, unlabelled_weight=0.1).fit(X, constraints=c)
    rows, columns = rng.permutation(40), rng.permutation(6)
    other = PairLogistic(wanted).fit(X[rows], constraints=c.subset(rows))
    same = PairLogistic(wanted).fit(X, constraints=c)
    assert_array_equal(other.path_.coefs, same.path_.coefs)
    assert_array_equal(other.order_, same.order_)
    assert other.penalty_ == same.penalty_
    other = PairLogistic(wanted, unlabelled_weight=0.1)
    other.fit(X[:, columns], constraints=c)
    assert_allclose(other.path_.coefs, expected.path_.coefs[:, columns], atol=1e-6)
    assert_allclose(other.scores_, expected.scores_[columns], atol=1e-9)


@pytest.mark.parametrize("kind", ["must", "cannot"])
def test_stand_ins_do_not_depend_on_the_order_of_rows(kind):
    X, y = problem(1, n=40)
    X = np.round(X)
    c = pairs_of(y, number=10)
    links = PairConstraints(
        **{f"{kind}_link": getattr(c, f"{kind}_link")}, n_samples=40
    )
    rows = np.random.default_rng(2).permutation(40)
    with pytest.warns(UserWarning, match="stand in for them"):
        expected = PairLogistic().fit(X, constraints=links)
    with pytest.warns(UserWarning, match="stand in for them"):
        other = PairLogistic().fit(X[rows], constraints=links.subset(rows))
    assert_array_equal(other.scores_, expected.scores_)
    assert_array_equal(other.order_, expected.order_)


@pytest.mark.parametrize("seed", range(8))
def test_order_and_units_do_not_matter_on_zeros_and_ones(seed):
    """Rows with equally many ones were ordered by their place."""
    rng = np.random.default_rng(seed)
    X, links = zeros_and_ones(rng)
    expected = scores_of_must_links(X, links)
    rows, columns = rng.permutation(len(X)), rng.permutation(X.shape[1])
    other = scores_of_must_links(X[rows], links.subset(rows))
    assert_allclose(other, expected, rtol=1e-9, atol=1e-12)
    other = scores_of_must_links(X[:, columns], links)
    assert_allclose(other, expected[columns], rtol=1e-6, atol=1e-6)
    units = rng.uniform(0.1, 10.0, X.shape[1])
    other = scores_of_must_links(X * units - 3.0, links)
    assert_allclose(other, expected, rtol=1e-6, atol=1e-6)


def zeros_and_ones(rng):
    """Return distinct rows of two classes, and must-links."""
    X = np.unique(rng.integers(0, 2, (60, 12)), axis=0).astype(float)
    X = X[rng.permutation(len(X))]
    y = (X[:, 0] + X[:, 1] > 1).astype(int)
    return X, PairConstraints.sample(y, 0, 20, random_state=0)


def scores_of_must_links(X, links):
    with pytest.warns(UserWarning, match="no cannot-link"):
        return PairLogistic().fit(X, constraints=links).scores_


@pytest.mark.parametrize("kind", ["must", "cannot"])
def test_one_kind_of_pairs_alone_warns(kind):
    X, y = problem()
    c = pairs_of(y)
    links = {f"{kind}_link": getattr(c, f"{kind}_link")}
    other = {"must": "cannot", "cannot": "must"}[kind]
    with pytest.warns(UserWarning, match=f"there is no {other}-link to learn from"):
        selector = PairLogistic().fit(
            X, constraints=PairConstraints(**links, n_samples=len(X))
        )
    assert selector.n_constraints_used_ == 30
    assert np.isfinite(selector.scores_).all()


def test_labels_stand_for_their_pairs():
    X, y = problem()
    from_labels = PairLogistic().fit(X, y)
    from_pairs = PairLogistic().fit(X, constraints=PairConstraints.from_labels(y))
    assert from_labels.n_constraints_used_ == 80 * 79 // 2
    assert_allclose(from_labels.coef_, from_pairs.coef_, atol=1e-3)
    few = PairLogistic(max_pairs=100).fit(X, y)
    assert few.n_constraints_used_ == 200
    assert few.order_[0] == 3


@pytest.mark.slow
def test_a_wrong_answer_is_doubted():
    X, y = problem(n=120)
    X[:, 3] += 4.0 * y
    c = pairs_of(y, number=25)
    lie = next(
        (i, j)
        for i in range(120)
        for j in range(i + 1, 120)
        if y[i] == y[j]
        and (i, j) not in set(map(tuple, c.must_link.tolist()))
        and abs(X[i, 3] - X[j, 3]) < 0.1
    )
    told = PairConstraints(c.must_link, [*c.cannot_link, lie], n_samples=120)
    selector = PairLogistic().fit(X, constraints=told)
    doubts = selector.doubtful_answers(X, constraints=told)
    assert (doubts[0].first, doubts[0].second, doubts[0].answer) == (*lie, "cannot")
    assert doubts[0].probability > 0.75
    assert str(doubts[0]).startswith(f"rows {lie[0]} and {lie[1]}: you said different;")
    worst = [
        d.probability if d.answer == "cannot" else 1 - d.probability for d in doubts
    ]
    assert worst == sorted(worst, reverse=True)
    assert selector.doubtful_answers(X, constraints=told, threshold=0.0) == []
    with pytest.raises(ValueError, match="threshold must be a number from 0 to 1"):
        selector.doubtful_answers(X, constraints=told, threshold="a")


def test_pairs_of_unlabelled_rows_have_a_weight():
    X, y = problem()
    c = pairs_of(y)
    plain = PairLogistic().fit(X, constraints=c)
    more = PairLogistic(unlabelled_weight=0.1).fit(X, constraints=c)
    assert more.n_constraints_used_ == plain.n_constraints_used_ == 60
    assert (more.coef_ != plain.coef_).any()


def test_fitting_again_forgets_the_losses():
    X, y = problem()
    c = pairs_of(y)
    selector = PairLogistic("auto").fit(X, constraints=c)
    assert selector.losses_.size == 50
    selector.set_params(n_features_to_select=2).fit(X, constraints=c)
    assert selector.losses_ is None


def test_a_fit_ends_where_no_weight_can_move_whatever_the_tolerance():
    problem = draw(1057)  # a rare class, and a tolerance of 1e-30
    with pytest.warns(ConvergenceWarning, match="did not converge"):
        fitted = problem.selector().fit(problem.X, **problem.known)
    assert np.isfinite(fitted.scores_).all()
