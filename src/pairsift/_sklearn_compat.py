"""The only file that may import a private scikit-learn name, or one for scores."""

import warnings

from sklearn.base import BaseEstimator
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils._set_output import _get_output_config

from pairsift._typing import FloatArray

__all__ = ["Interval", "StrOptions", "lasso_by_steps", "output_of"]


def output_of(transformer: BaseEstimator) -> str:
    """Return what `transform` gives: "default" (an array), "pandas" or "polars"."""
    return str(_get_output_config("transform", transformer)["dense"])


def lasso_by_steps(columns: FloatArray, target: FloatArray, n_steps: int) -> FloatArray:
    """Coefficients of Lasso after `n_steps` steps of least angle regression."""
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.linear_model import lars_path

    with warnings.catch_warnings():
        # A column that others add up to is left out, as it should be.
        warnings.simplefilter("ignore", ConvergenceWarning)
        _, _, path = lars_path(columns, target, method="lasso", max_iter=n_steps)
    return path[:, -1]
