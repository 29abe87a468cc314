"""Constraint score 6 averaged over random views of the data."""

from typing import Any

import numpy as np

from pairsift._checks import as_matrix, check_at_least
from pairsift._random import as_generator
from pairsift._typing import FloatArray, RandomState
from pairsift.constraints import as_pairs
from pairsift.graphs import unlabelled_rows
from pairsift.scores._constrained_laplacian import constraint_score_6


def ensemble_constraint_score(
    X: FloatArray,
    must_link: Any,
    cannot_link: Any,
    *,
    n_replicates: int = 50,
    feature_share: float = 0.5,
    n_neighbors: int = 5,
    sigma: float | str = 1.0,
    random_state: RandomState = None,
    n_jobs: int | None = -1,
) -> FloatArray:
    r"""Score features by constraint score 6 on random rows and columns (EnsCLS).

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        The data.
    must_link, cannot_link : array-like of shape (n_pairs, 2)
        Pairs of rows, each counted once.
    n_replicates : int, default=50
        Number of random views.
    feature_share : float, default=0.5
        Share of the features in a view, at least one.
    n_neighbors : int, default=5
        Number of nearest neighbours in a view.
    sigma : float or "auto", default=1.0
        The :math:`\sigma` of the similarities :math:`\exp(-d^2/2\sigma^2)`; ``"auto"``
        is the mean distance to the `n_neighbors`-th neighbour in a view.
    random_state : int, Generator, RandomState or None, default=None
        Draws the views.
    n_jobs : int or None, default=-1
        Number of threads: -1 for all cores, None as in joblib.

    Returns
    -------
    scores : ndarray of shape (n_features,)
        Mean of the negated scores over the views a feature was in; ``-inf`` for one
        that was in none, or had no defined score in one.

    Notes
    -----
    As [1]_ describes [2]_ (section 5.3.4): in every replicate the rows in no constraint
    are drawn with replacement and counted once, the constrained rows are all kept, and
    half of the features are drawn; the similarities are those of the view.

    References
    ----------
    .. [1] A. Salmi, K. Hammouche, L. Macaire, "Similarity-based constraint score
       for feature selection", Knowledge-Based Systems 209, 106429, 2020,
       doi:10.1016/j.knosys.2020.106429.
    .. [2] K. Benabdeslem, H. Elghazel, M. Hindawi, "Ensemble constrained Laplacian
       score for efficient and robust semi-supervised feature selection",
       Knowledge and Information Systems 49, 1161-1185, 2016.

    Examples
    --------
    >>> import numpy as np
    >>> from pairsift.scores import ensemble_constraint_score
    >>> rng = np.random.default_rng(0)
    >>> X = rng.random((30, 4))
    >>> X[:, 2] += np.arange(30) % 2
    >>> scores = ensemble_constraint_score(
    ...     X, [(0, 2), (1, 3)], [(0, 1), (2, 3)], random_state=0
    ... )
    >>> int(scores.argmax())
    2
    """
    X = as_matrix(X)
    check_at_least(n_replicates, "n_replicates", 1)
    if not 0 < feature_share <= 1:
        raise ValueError(
            f"feature_share must be above 0 and at most 1, got {feature_share!r}."
        )
    must = as_pairs(must_link, len(X), name="must_link")
    cannot = as_pairs(cannot_link, len(X), name="cannot_link")
    rng = as_generator(random_state)
    is_unlabelled = unlabelled_rows(len(X), must, cannot)
    unlabelled, constrained = np.flatnonzero(is_unlabelled), ~is_unlabelled
    n_drawn = max(1, int(feature_share * X.shape[1] + 1e-9))
    sums, n_times = np.zeros(X.shape[1]), np.zeros(X.shape[1])
    for _ in range(n_replicates):
        is_kept = constrained.copy()
        is_kept[rng.choice(unlabelled, unlabelled.size)] = True
        features = np.sort(rng.choice(X.shape[1], n_drawn, replace=False))
        # Number of each kept row in the view.
        place = np.cumsum(is_kept) - 1
        sums[features] += constraint_score_6(
            X[np.ix_(is_kept, features)],
            place[must],
            place[cannot],
            n_neighbors=n_neighbors,
            sigma=sigma,
            n_jobs=n_jobs,
        )
        n_times[features] += 1
    return np.where(n_times > 0, sums / np.maximum(n_times, 1), -np.inf)
