"""The same numbers as other packages, where they compute the same thing.

`make bench` installs the packages into an environment of their own and runs this.
"""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from pairsift import ReliefF, scores


def data(n_classes, seed=0):
    """Continuous columns, one of which tells something about the classes."""
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(120, 14)), rng.integers(0, n_classes, size=120)
    X[:, 5] += y
    return X, y


@pytest.mark.parametrize("seed", range(3))
def test_binary_relieff_agrees_with_scikit_rebate(seed):
    peer = pytest.importorskip("skrebate").ReliefF(n_neighbors=10, n_jobs=1)
    X, y = data(2, seed)
    expected = peer.fit(X, y).feature_importances_
    assert_allclose(scores.relieff_score(X, y), expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    ("name", "score"),
    [
        ("MultiSURF", scores.multisurf_score),
        ("MultiSURFstar", scores.multisurf_star_score),
    ],
)
def test_binary_multisurf_agrees_with_scikit_rebate(name, score, seed):
    peer = getattr(pytest.importorskip("skrebate"), name)(n_jobs=1)
    X, y = data(2, seed)
    expected = peer.fit(X, y).feature_importances_
    assert_allclose(score(X, y), expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("n_classes", [2, 3, 12])
def test_relieff_agrees_with_fast_select(n_classes):
    package = pytest.importorskip("fast_select")
    peer = package.ReliefF(n_neighbors=3, backend="cpu", n_jobs=1)
    X, y = data(n_classes)
    expected = peer.fit(X, y).feature_importances_
    assert_allclose(ReliefF(n_neighbors=3).fit(X, y).scores_, expected, atol=2e-6)


@pytest.mark.parametrize("n_classes", [2, 4])
@pytest.mark.parametrize(
    ("name", "use_star", "score"),
    [
        ("SURF", False, scores.surf_score),
        ("SURF", True, scores.surf_star_score),
        ("MultiSURF", False, scores.multisurf_score),
        ("MultiSURF", True, scores.multisurf_star_score),
    ],
)
def test_radii_agree_with_fast_select(name, use_star, score, n_classes):
    package = pytest.importorskip("fast_select")
    X, y = data(n_classes)
    peer = getattr(package, name)(backend="cpu", n_jobs=1, use_star=use_star)
    expected = peer.fit(X, y).feature_importances_
    assert_allclose(score(X, y, miss_weighting="pooled"), expected, atol=2e-6)
