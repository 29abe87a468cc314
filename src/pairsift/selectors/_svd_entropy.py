"""SVDEntropy."""

from typing import Any, ClassVar

import numpy as np

from pairsift._sklearn_compat import StrOptions
from pairsift._typing import FloatArray
from pairsift.scores import svd_entropy_score
from pairsift.selectors._base import N_JOBS, BaseScoreSelector, Supervision
from pairsift.selectors._method import NOTHING, Method
from pairsift.selectors._tables import Table


class SVDEntropy(BaseScoreSelector):
    """Select the features that make the singular values of the data more even.

    Features that repeat what many others say make the spectrum of the data uneven, and
    contribute little or less than nothing to its entropy. Needs no labels and no pairs.
    The data is taken as given: where units differ, scale it first
    (``sklearn.preprocessing.StandardScaler``).

    Parameters
    ----------
    n_features_to_select : "auto", int, float or None, default=None
        Number or share of features to select; ``"auto"`` goes by `rule`; None keeps all
        and only ranks.
    rule : {"high", "not-low"}, default="high"
        What ``"auto"`` selects: features whose contribution is larger than the mean
        plus one standard deviation of all contributions, or all but those whose
        contribution is smaller than the mean less one. One feature at least.
    center : bool, default=False
        Whether to take the mean off every column first. As published it stays, and
        where it is large the first singular value has most of it.
    n_jobs : int or None, default=-1
        Number of threads: -1 for all cores, None as in joblib.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
        Contribution of each feature to the entropy, ``-inf`` for a constant one.
    order_ : ndarray of shape (n_features,)
        Feature indices, best first; ties go to the lower index.
    ranking_ : ndarray of shape (n_features,)
        Rank of each feature, 1 is best.
    support_ : ndarray of shape (n_features,), dtype=bool
        Mask of the selected features.
    n_features_to_select_ : int
        Number of selected features.
    n_features_in_ : int
        Number of features seen in fit.
    feature_names_in_ : ndarray of shape (n_features,)
        Names of the features, when `X` has them.
    n_constraints_used_ : int
        Always 0.

    See Also
    --------
    pairsift.scores.svd_entropy_score : The same as a function on arrays.

    Notes
    -----
    Equation 3.2 of [1]_ after [2]_: by how much the entropy of the singular values
    falls without the feature; :func:`pairsift.scores.svd_entropy_score` has the
    formula.

    Simple ranking by :math:`CE_f` with the two rules of [1]_; population standard
    deviation, constant features left out of both. N is the smaller side of the matrix
    at hand, with or without f. A constant feature tells no rows apart and ranks last,
    although without centring it has a part in the entropy.

    References
    ----------
    .. [1] F. Coelho, "Semi-supervised feature selection", PhD thesis, Universidade
       Federal de Minas Gerais and Université catholique de Louvain, 2013.
    .. [2] R. Varshavsky, A. Gottlieb, M. Linial, D. Horn, "Novel unsupervised
       feature filtering of biological data", Bioinformatics 22(14), e507-e513,
       2006.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.preprocessing import scale
    >>> from pairsift import SVDEntropy
    >>> X, _ = load_wine(return_X_y=True)
    >>> SVDEntropy("auto").fit(scale(X)).get_support(indices=True)
    array([4])
    """

    _method: ClassVar = Method(
        name="svd-entropy",
        learns_from=NOTHING,
        orientation="maximised",
        cost="O(dm²) time with m = min(n, d), O(nd) memory",
        seconds=lambda s, z: (
            (9e-9 / z.t * min(z.n, z.d) + 3e-9 * z.n) * z.d * min(z.n, z.d)
        ),
        citation="Varshavsky et al. 2006; Coelho 2013, eq. 3.2",
    )
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "n_features_to_select": [
            *BaseScoreSelector._parameter_constraints["n_features_to_select"],
            StrOptions({"auto"}),
        ],
        "rule": [StrOptions({"high", "not-low"})],
        "center": ["boolean"],
        "n_jobs": N_JOBS,
    }

    def __init__(
        self,
        n_features_to_select: int | float | str | None = None,
        *,
        rule: str = "high",
        center: bool = False,
        n_jobs: int | None = -1,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.rule = rule
        self.center = center
        self.n_jobs = n_jobs

    def _score(self, table: Table, supervision: Supervision) -> FloatArray:
        return svd_entropy_score(table.X, center=self.center, n_jobs=self.n_jobs)

    def _best_number(self) -> int:
        defined = self.scores_[np.isfinite(self.scores_)]
        if not defined.size:
            return 1
        mean, deviation = defined.mean(), defined.std()
        if self.rule == "high":
            return max(1, int(np.count_nonzero(defined > mean + deviation)))
        return int(np.count_nonzero(defined >= mean - deviation))
