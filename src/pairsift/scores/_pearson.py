"""Correlation of the features with the classes."""

from typing import Any

import numpy as np

from pairsift._checks import check_squarable_range
from pairsift._typing import FloatArray
from pairsift.scores._in_blocks import as_blocks
from pairsift.scores._irelief import class_codes
from pairsift.scores._variance import class_moments


def pearson_score(X: FloatArray, labels: Any) -> FloatArray:
    r"""Score features by their correlation with the classes.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        The data.
    labels : array-like of shape (n_samples,)
        Class labels, at least two of them; unlabelled rows (-1) are left out.

    Returns
    -------
    scores : ndarray of shape (n_features,)
        Absolute correlations, between 0 and 1; 0 for a constant feature.

    Notes
    -----
    Equation 3.1 of [1]_, with the class as target, 1 for its rows and 0 for others:

    .. math::
        C_f = \max_c \frac{|\sum_i (x_{if} - \bar x_f)(y_{ic} - \bar y_c)|}
              {\sqrt{\sum_i (x_{if} - \bar x_f)^2 \sum_i (y_{ic} - \bar y_c)^2}}

    Of two classes both have the same correlation; of more, the best told from the rest
    counts, so that the numbering of classes does not matter.

    References
    ----------
    .. [1] F. Coelho, "Semi-supervised feature selection", PhD thesis, Universidade
       Federal de Minas Gerais and Université catholique de Louvain, 2013.

    Examples
    --------
    >>> import numpy as np
    >>> from pairsift.scores import pearson_score
    >>> X = np.array([[0.0, 0.0], [0.0, 4.0], [1.0, 0.0], [1.0, 4.0]])
    >>> pearson_score(X, [0, 0, 1, 1])
    array([1., 0.])
    """
    blocks = as_blocks(X)
    low, high, _ = blocks.extremes
    check_squarable_range(low, high)
    moments = class_moments(blocks, class_codes(labels, len(blocks)))
    between, within = moments.between_and_within()
    lengths = np.sqrt(between + within)
    sizes, n_rows = moments.sizes[:, None], moments.sizes.sum()
    # Σ (x - x̄)(y - ȳ) over all rows is Σ (x - x̄) over those of the class.
    sums = sizes * np.abs(moments.means - moments.mean)
    sums /= np.sqrt(sizes * (n_rows - sizes) / n_rows)
    best = sums.max(axis=0) / np.where(lengths > 0.0, lengths, 1.0)
    return np.minimum(best, 1.0)
