"""Correlation of the features with the classes."""

from typing import Any

import numpy as np

from pairsift._checks import as_matrix, check_squarable
from pairsift._docstrings import documented
from pairsift._typing import FloatArray
from pairsift.scores._columns import centred_columns, unit_columns
from pairsift.scores._irelief import class_codes


@documented
def pearson_score(X: FloatArray, labels: Any) -> FloatArray:
    r"""Score features by their correlation with the classes.

    Parameters
    ----------
    {X, labels_two}

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
    {coelho2013}

    Examples
    --------
    >>> import numpy as np
    >>> from pairsift.scores import pearson_score
    >>> X = np.array([[0.0, 0.0], [0.0, 4.0], [1.0, 0.0], [1.0, 4.0]])
    >>> pearson_score(X, [0, 0, 1, 1])
    array([1., 0.])
    """
    X = as_matrix(X)
    check_squarable(X)
    codes = class_codes(labels, len(X))
    columns = unit_columns(centred_columns(X[codes >= 0]))
    codes = codes[codes >= 0]
    best = np.zeros(X.shape[1])
    for c in range(codes.max() + 1):
        size = int((codes == c).sum())
        length = np.sqrt(size * (codes.size - size) / codes.size)
        # The columns are centred, the target need not be.
        best = np.maximum(best, np.abs(columns[codes == c].sum(axis=0)) / length)
    return np.minimum(best, 1.0)
