"""What `select` takes when no method is named, beside columns that tell nothing."""

import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine
from sklearn.preprocessing import minmax_scale

from pairsift import PairConstraints
from pairsift.cli._select import default_method, fit_parameters
from pairsift.selectors import find_method


def bundled(load, n_rows=300):
    X, y = load(return_X_y=True)
    rows = np.random.default_rng(0).permutation(len(y))[:n_rows]
    return X[rows], y[rows]


def blobs():
    rng = np.random.default_rng(0)
    y = np.arange(200) % 4
    return rng.normal(size=(200, 12)) + 2.0 * rng.normal(size=(4, 12))[y], y


DATA = {
    "wine": lambda: bundled(load_wine),
    "few wines": lambda: bundled(load_wine, 60),
    "iris": lambda: bundled(load_iris),
    "breast cancer": lambda: bundled(load_breast_cancer),
    "digits": lambda: bundled(load_digits),
    "blobs": blobs,
}


def useless(kind, n_rows, rng):
    if kind == "coin flips":
        return rng.integers(0, 2, size=(n_rows, 1)).astype(float)
    if kind == "noise":
        return rng.normal(size=(n_rows, 40))
    column = np.zeros(n_rows) if kind == "one other value" else rng.normal(size=n_rows)
    column[rng.integers(n_rows)] = 1e6
    return column[:, None]


USELESS = ["coin flips", "one other value", "one huge outlier", "noise"]


def places(name, kind, n_labelled=None, **known):
    """Return the places of the useless columns, of which 1 is behind the others."""
    X, y = DATA[name]()
    n_real = X.shape[1]
    Z = minmax_scale(
        np.column_stack([X, useless(kind, len(X), np.random.default_rng(7))])
    )
    labels = y if known["has_labels"] else None
    if n_labelled is not None:
        labels = np.where(np.arange(len(y)) < n_labelled, y, -1)
    pairs = PairConstraints.sample(y, 200, 200) if known["has_pairs"] else None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        method = default_method(**known)
        selector_class = find_method(method)
        selector = selector_class(**fit_parameters(selector_class, method))
        selector.fit(Z, labels, constraints=pairs)
    return (selector.ranking_[n_real:] - 1) / n_real


@pytest.mark.parametrize("kind", USELESS)
@pytest.mark.parametrize("name", DATA)
def test_labels_leave_useless_columns_behind(name, kind):
    assert places(name, kind, has_labels=True, has_pairs=False).min() >= 0.5


@pytest.mark.parametrize("kind", USELESS)
@pytest.mark.parametrize("name", DATA)
def test_thirty_labels_leave_useless_columns_behind(name, kind):
    found = places(name, kind, n_labelled=30, has_labels=True, has_pairs=False)
    assert found.min() >= 0.25


@pytest.mark.parametrize("kind", USELESS[:3])
@pytest.mark.parametrize("name", DATA)
def test_pairs_leave_a_useless_column_behind(name, kind):
    assert places(name, kind, has_labels=False, has_pairs=True).min() >= 0.2


@pytest.mark.parametrize("name", DATA)
def test_pairs_choose_less_noise_than_chance(name):
    found = places(name, "noise", has_labels=False, has_pairs=True)
    n_real = DATA[name]()[0].shape[1]
    assert found.min() > 0.0
    assert (found < 0.5).sum() < 0.5 * n_real * found.size / (n_real + found.size)


@pytest.mark.parametrize("kind", USELESS[:3])
@pytest.mark.parametrize("name", DATA)
def test_data_alone_leave_a_useless_column_behind(name, kind):
    assert places(name, kind, has_labels=False, has_pairs=False).min() >= 0.5


@pytest.mark.parametrize("name", DATA)
def test_data_alone_leave_noise_behind(name):
    found = places(name, "noise", has_labels=False, has_pairs=False)
    # Of forty columns one or the other goes with something by chance.
    assert found.min() > 0.0
    assert (found < 0.5).mean() <= 0.05


def test_data_alone_do_not_tell_what_matters_and_the_command_says_so(run, wine_csv):
    said = run("select", wine_csv, "--drop", "class").stderr
    assert "method unsupervised-mrmr, the default here" in said
    assert "tells what matters to you" in said
    assert "`pairsift query` asks for a few answers" in said


def test_missing_values_change_the_default_for_labels(run, wine_csv, tmp_path):
    said = run("select", wine_csv, "--label", "class").stderr
    assert "method semi-mrmr, the default here" in said
    frame = pd.read_csv(wine_csv)
    frame.iloc[3, 2] = np.nan
    frame.to_csv(tmp_path / "gaps.csv", index=False)
    said = run("select", tmp_path / "gaps.csv", "--label", "class").stderr
    assert "method relieff, the default here" in said
