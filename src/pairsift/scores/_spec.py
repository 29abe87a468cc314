"""SPEC: features that are smooth on a graph, or follow its smooth eigenvectors."""

from typing import Any

import numpy as np
from scipy.sparse import csr_array

from pairsift._checks import (
    as_matrix,
    check_at_least,
    check_squarable,
    warn_of_clusters,
)
from pairsift._typing import FloatArray
from pairsift.graphs import (
    TIED_EIGENVALUES,
    FullGraph,
    check_graph,
    degrees,
    degrees_and_forms,
    smooth_spectrum,
    spreads,
)
from pairsift.scores._irelief import class_codes
from pairsift.scores._laplacian import laplacian_score, negated_ratio
from pairsift.scores._variance import class_scatters

DEFAULT_CLUSTERS = 8


def spec_score(
    X: FloatArray,
    S: csr_array | FloatArray | FullGraph,
    *,
    style: int = 3,
    n_clusters: int | None = None,
    n_jobs: int | None = -1,
) -> FloatArray:
    r"""Score features by the spectrum of a graph of the rows.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        The data.
    S : csr_array, ndarray or FullGraph of shape (n_samples, n_samples)
        Symmetric similarities, for instance from
        :func:`pairsift.graphs.similarity_graph`. The third style stores a full graph.
    style : {1, 2, 3}, default=3
        Which of the three ranking functions: :math:`\varphi_1`, :math:`\varphi_2` or
        :math:`\varphi_3`.
    n_clusters : int, default=None
        The k of :math:`\varphi_3`, cut to the number of rows that have edges, with a
        warning; None is 8, or this number of rows.
    n_jobs : int or None, default=-1
        Number of threads: -1 for all cores, None as in joblib.

    Returns
    -------
    scores : ndarray of shape (n_features,)
        :math:`-\varphi_1`, :math:`-\varphi_2` or :math:`\varphi_3`. A feature that is
        constant on the rows that have edges scores ``-inf`` in the first two styles
        and 0 in the third.

    See Also
    --------
    spec_label_score : The same on the graph that joins the rows of a class.

    Notes
    -----
    With :math:`\hat f = D^{1/2} f / \|D^{1/2} f\|`, eigenvalues :math:`\lambda_j` and
    eigenvectors :math:`\xi_j` of :math:`L_{sym} = D^{-1/2} L D^{-1/2}` in increasing
    order, and :math:`\alpha_j = \hat f^T \xi_j` [1]_:

    .. math::
        \varphi_1 = \hat f^T L_{sym} \hat f = \sum_j \lambda_j \alpha_j^2, \qquad
        \varphi_2 = \frac{\varphi_1}{1 - \alpha_1^2}, \qquad
        \varphi_3 = \sum_{j=2}^k (2 - \lambda_j) \alpha_j^2

    The first two are minimised, and negated here. The function :math:`\gamma` of [1]_,
    which may bend the eigenvalues, is the identity. :math:`\varphi_2` is the Laplacian
    score of the same graph. :math:`\varphi_1` and :math:`\varphi_3` depend on where a
    feature has its zero, as published: :math:`\hat f` is not centred.

    Three things are settled here. A constant feature has, as published, the best
    possible :math:`\varphi_1`, 0; it ranks last instead. Rows without edges weigh
    nothing and give no eigenvectors. And where k cuts through a multiple eigenvalue
    (0 is one when the graph has several components), the sum over all its eigenvectors
    is taken, which does not depend on how they were chosen, times the share of them
    that k leaves room for; computed eigenvalues within 1e-9 count as equal.

    References
    ----------
    .. [1] Z. Zhao, H. Liu, "Spectral feature selection for supervised and
       unsupervised learning", ICML 24, 1151-1157, 2007.

    Examples
    --------
    >>> import numpy as np
    >>> from pairsift.scores import spec_score
    >>> S = np.array([[0.0, 1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 1], [0, 0, 1, 0]])
    >>> X = np.array([[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]])
    >>> spec_score(X, S, n_clusters=2)
    array([2., 0.])
    >>> spec_score(X, S, style=1)
    array([-0., -2.])
    """
    X = as_matrix(X)
    check_squarable(X)
    _check_style(style)
    if n_clusters is not None:
        check_at_least(n_clusters, "n_clusters", 1)
    if style == 2:
        return laplacian_score(X, S, n_jobs=n_jobs)
    if style == 1:
        d, forms = degrees_and_forms(S, X, n_jobs=n_jobs)
        return negated_ratio(forms, _sizes(X, d))
    check_graph(S, X)
    if isinstance(S, FullGraph):
        S = S.whole()
    d = degrees(S)
    n_joined = int(np.count_nonzero(d))
    if n_clusters is None:
        n_clusters = min(DEFAULT_CLUSTERS, n_joined)
    warn_of_clusters(n_clusters, n_joined, "rows that have edges")
    sizes = _sizes(X, d)
    return _ratio(_smooth_energy(X, S, d, n_clusters), sizes)


def spec_label_score(
    X: FloatArray, labels: Any, *, style: int = 3, n_clusters: int | None = None
) -> FloatArray:
    r"""Score features by the spectrum of the graph that joins the rows of a class.

    The same as :func:`spec_score` on the graph with :math:`s_{ij} = 1/n_l` for two rows
    of class l, of :math:`n_l` rows, and 0 between classes, but without that graph.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        The data.
    labels : array-like of shape (n_samples,)
        Class numbers, at least two of them; rows with -1 are left out.
    style : {1, 2, 3}, default=3
        Which of the three ranking functions.
    n_clusters : int, default=None
        The k of :math:`\varphi_3`, cut to the number of labelled rows; None for the
        number of classes.

    Returns
    -------
    scores : ndarray of shape (n_features,)
        :math:`-\varphi_1`, :math:`-\varphi_2` or :math:`\varphi_3`. A feature that is
        constant on the labelled rows scores ``-inf`` in the first two styles and 0 in
        the third.

    See Also
    --------
    spec_score : The same on any graph, with the formulas.

    Notes
    -----
    A row is joined to itself too, as published [1]_, so that all degrees are 1. The
    eigenvalues are 0, once for each of the c classes, and 1 for the rest. With the
    scatters :math:`B` between and :math:`W` within the classes, and the share of each
    eigenspace that k leaves room for:

    .. math::
        \varphi_1 = \frac{W}{f^T f}, \qquad \varphi_2 = \frac{W}{B + W}, \qquad
        \varphi_3 = \frac{2 B \min(\frac{k-1}{c-1}, 1)
                          + W \max(\frac{k-c}{n-c}, 0)}{f^T f}

    References
    ----------
    .. [1] Z. Zhao, H. Liu, "Spectral feature selection for supervised and
       unsupervised learning", ICML 24, 1151-1157, 2007.

    Examples
    --------
    >>> import numpy as np
    >>> from pairsift.scores import spec_label_score
    >>> X = np.array([[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]])
    >>> spec_label_score(X, [0, 0, 1, 1])
    array([2., 0.])
    """
    X = as_matrix(X)
    check_squarable(X)
    _check_style(style)
    codes = class_codes(labels, len(X))
    n_classes = int(codes.max()) + 1
    if n_clusters is None:
        n_clusters = n_classes
    check_at_least(n_clusters, "n_clusters", 1)
    between, within = class_scatters(X, codes)
    if style == 2:
        return negated_ratio(within, between + within)
    sizes = _sizes(X, (codes >= 0).astype(np.float64))
    if style == 1:
        return negated_ratio(within, sizes)
    n_rows = int((codes >= 0).sum())
    warn_of_clusters(n_clusters, n_rows, "labelled rows")
    energy = 2.0 * between * min((n_clusters - 1) / (n_classes - 1), 1.0)
    n_more = min(n_clusters, n_rows) - n_classes
    if n_more > 0:
        energy += within * n_more / (n_rows - n_classes)
    return _ratio(energy, sizes)


def _check_style(style: Any) -> None:
    if style not in (1, 2, 3):
        raise ValueError(f"style must be 1, 2 or 3, got {style!r}.")


def _sizes(X: FloatArray, d: FloatArray) -> FloatArray:
    """Return f'Df for every column f of X, 0 for one constant where d is not 0."""
    return np.where(spreads(d, X) > 0, (d[:, None] * X**2).sum(axis=0), 0.0)


def _ratio(energy: FloatArray, sizes: FloatArray) -> FloatArray:
    return np.divide(energy, sizes, out=np.zeros_like(energy), where=sizes != 0)


def _smooth_energy(
    X: FloatArray, S: csr_array | FloatArray, d: FloatArray, n_clusters: int
) -> FloatArray:
    """Σ_{j=2..k} (2 - λ_j) (ξ_j' D^½ f)² for every column f of X."""
    joined = np.flatnonzero(d)
    if joined.size < len(d):
        X, S, d = X[joined], S[joined][:, joined], d[joined]
    # Without its mean a feature has no part in the trivial eigenvector, and a constant
    # one no part in any. Sums over rows, not products of matrices: equal columns get
    # equal bits.
    centred = X - X[0]
    centred -= (d[:, None] * centred).sum(axis=0) / d.sum()
    spectrum = smooth_spectrum(S, n_clusters)
    n_components = int(spectrum.component.max()) + 1
    n_places = min(n_clusters, len(d)) - 1
    energy = np.zeros(X.shape[1])
    if n_components > 1:
        members = csr_array((d, (spectrum.component, np.arange(len(d)))))
        sizes = np.bincount(spectrum.component, d)
        share = min(n_places / (n_components - 1), 1.0)
        energy += 2.0 * share * ((members @ centred) ** 2 / sizes[:, None]).sum(axis=0)
    values = spectrum.values
    if values.size:
        n_left = n_places - (n_components - 1)
        is_last = values >= values[n_left - 1] - TIED_EIGENVALUES
        share = (n_left - np.count_nonzero(~is_last)) / np.count_nonzero(is_last)
        weights = np.where(is_last, share, 1.0) * (2.0 - values)
        weighted = np.sqrt(d)[:, None] * centred
        for weight, vector in zip(weights, spectrum.vectors.T, strict=True):
            energy += weight * (vector[:, None] * weighted).sum(axis=0) ** 2
    return energy
