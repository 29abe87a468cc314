"""Correlations of features and classes, in the place of information in SSFC."""

import numpy as np

from pairsift._typing import FloatArray, IndexArray
from pairsift.scores._columns import centred_columns, unit_columns


class Correlations:
    """Correlations of features with each other and with the classes, from 0 to 1.

    Of two features the absolute Pearson correlation, on all rows; of a feature and the
    classes the correlation ratio, on labelled rows: the root of the share of the
    variance that is between classes, which for two classes is the absolute correlation.
    """

    def __init__(self, X: FloatArray, codes: IndexArray) -> None:
        self.is_labelled = codes >= 0
        self.codes = codes[self.is_labelled]
        self.units = unit_columns(centred_columns(X))
        self.labelled = unit_columns(centred_columns(X[self.is_labelled]))
        self.relevance = self._ratios(self.labelled, self.codes)
        self.information = np.minimum(np.abs(self.units.T @ self.units), 1.0)

    def shuffled(
        self, feature: int, other: int, n_times: int, rng: np.random.Generator
    ) -> tuple[FloatArray, FloatArray]:
        """Correlation with another feature, and the classes, of a shuffled one."""
        n_rows = len(self.units)
        orders = np.column_stack([rng.permutation(n_rows) for _ in range(n_times)])
        columns = self.units[orders, feature]
        labelled = unit_columns(centred_columns(columns[self.is_labelled]))
        shared = np.abs(self.units[:, other] @ columns)
        return shared, self._ratios(labelled, self.codes)

    def chance_relevance(
        self, features: IndexArray, n_times: int, rng: np.random.Generator
    ) -> FloatArray:
        """Correlation of features with shuffled classes, (features, n_times)."""
        orders = [rng.permutation(self.codes.size) for _ in range(n_times)]
        columns = self.labelled[:, features]
        return np.column_stack(
            [self._ratios(columns, self.codes[order]) for order in orders]
        )

    @staticmethod
    def _ratios(units: FloatArray, codes: IndexArray) -> FloatArray:
        is_of_class = np.equal.outer(np.unique(codes), codes).astype(np.float64)
        sums = is_of_class @ units
        between = (sums**2 / is_of_class.sum(axis=1)[:, None]).sum(axis=0)
        return np.sqrt(np.minimum(between, 1.0))
