"""The second eigenvector of a graph Laplacian that answers keep changing.

Every answer changes the weight of one edge, and with it the Laplacian by a matrix of
rank one. So nothing is computed anew: the eigenvector is improved from where it was,
and its sensitivity is the solution of one linear system.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.linalg import eigh
from scipy.linalg.lapack import spotrf, spotri
from scipy.sparse import csr_array, issparse
from scipy.sparse.linalg import ArpackNoConvergence, LinearOperator, eigsh

from pairsift._typing import FloatArray
from pairsift.graphs import degrees, laplacian

# Up to this number of rows all eigenvectors are computed, above it those needed.
FEW_ROWS = 400
# Relative to the largest degree: eigenvalues that count as equal, and how exact an
# eigenvector is.
EQUAL = 1e-12
RESIDUAL = 1e-11
MAX_STEPS = 60
MAX_ITERATIONS = 5_000
# This number of iterations costs as much as factoring a full graph anew.
MANY_ITERATIONS = 12


class Spectrum:
    """Lowest eigenvectors of L = D - S but the constant one, and systems of L.

    Parameters
    ----------
    S : csr_array or ndarray of shape (n_samples, n_samples)
        Symmetric similarities of a connected graph.
    """

    def __init__(self, S: csr_array | FloatArray) -> None:
        self.n_samples = S.shape[0]
        self.value = 0.0
        self.vector: FloatArray = np.empty(0)
        self._L: Any = laplacian(S)
        self._scale = float(degrees(S).max())
        self._weights: dict[tuple[int, int], float] = {}
        self._ends = np.empty((0, 2), dtype=np.int64)
        self._changes = np.empty(0)
        self._n_iterations = 0
        self._all: tuple[FloatArray, FloatArray] | None = None
        if self.n_samples > FEW_ROWS:
            diagonal = np.maximum(self._L.diagonal(), EQUAL * self._scale)
            self._precondition = _times_diagonal(1.0 / diagonal)

    def set_weight(self, n: int, m: int, weight: float | None) -> None:
        """Give the edge between two rows a weight, None for its first one.

        Kept as weights, not as steps, so that the order of answers leaves no rounding.
        """
        pair = min(n, m), max(n, m)
        self._weights.pop(pair, None)
        if weight is not None:
            self._weights[pair] = weight
        pairs = sorted(self._weights)
        self._ends = np.array(pairs, dtype=np.int64).reshape(-1, 2)
        self._changes = np.array(
            [self._weights[c] + float(self._L[c]) for c in pairs], dtype=np.float64
        )

    def improve(self) -> None:
        """Find the second eigenpair after the changes, from the last one."""
        if self.n_samples <= FEW_ROWS:
            # The constant vector is moved beyond the far end of the spectrum, also
            # where answers cut the graph and its eigenvalue is not the only 0.
            far = 4.0 * (self._scale + len(self._changes)) / self.n_samples
            values, vectors = eigh(self._matrix() + far)
            self._all = values[:-1], vectors[:, :-1]
            self.value, self.vector = float(values[0]), _turned(vectors[:, 0])
        else:
            self._improve_step_by_step()

    def response(self, row: int) -> FloatArray:
        r"""Return the g by which changes of edges move a row on the eigenvector.

        With :math:`g = \sum_{p>2} v_p(i) v_p / (\lambda_2 - \lambda_p)`, the derivative
        of :math:`v_2(i)` by the weight of the edge (n, m) is
        :math:`(v_2(n) - v_2(m)) (g(n) - g(m))`. Eigenvalues equal to the second are
        left out of the sum.
        """
        if self._all is not None:
            values, vectors = self._all
            gap = values[0] - values
            is_other = np.abs(gap) > EQUAL * values[-1]
            return vectors[:, is_other] @ (vectors[row, is_other] / gap[is_other])
        e = np.zeros(self.n_samples)
        e[row] = -1.0
        g, direction = self._solve(e, self.value, self.vector[:, None])
        if direction is not None:
            g, _ = self._solve(e, self.value, self._equal_vectors())
        return g

    def response_among(
        self, row: int, q: int, values: FloatArray, vectors: FloatArray
    ) -> FloatArray:
        """Return the same g for column q of the lowest eigenvectors.

        What lies among them is summed, what lies above is solved for.
        """
        e = np.zeros(self.n_samples)
        e[row] = -1.0
        if self._all is None:
            g, _ = self._solve(e, float(values[q]), vectors)
        else:
            above, V = (part[..., len(values) :] for part in self._all)
            gap = values[q] - above
            weight = np.divide(V[row], gap, out=np.zeros_like(gap), where=gap != 0)
            g = V @ weight
        gap = values[q] - values
        is_other = np.abs(gap) > EQUAL * self._scale
        return g + vectors[:, is_other] @ (vectors[row, is_other] / gap[is_other])

    def lowest(self, n_pairs: int) -> tuple[FloatArray, FloatArray]:
        """Return the second and following eigenvalues, and their vectors as columns."""
        if self._all is not None:
            values, vectors = self._all
            return values[:n_pairs], vectors[:, :n_pairs]
        far = 4.0 * (self._scale + len(self._changes))
        if not issparse(self._L):
            lifted = self._matrix() + far / self.n_samples
            return eigh(lifted, subset_by_index=[0, n_pairs - 1], overwrite_a=True)
        operator = LinearOperator(
            (self.n_samples, self.n_samples),
            matvec=lambda x: self._times(x) + far * x.mean(),
            dtype=np.float64,
        )
        start = np.random.default_rng(1).normal(size=self.n_samples)
        try:
            return eigsh(operator, n_pairs, which="SA", v0=start)
        except ArpackNoConvergence as error:
            # Eigenvalues too close to be told apart: those that were.
            return error.eigenvalues, error.eigenvectors

    def _matrix(self) -> FloatArray:
        L = self._L.toarray() if issparse(self._L) else self._L.copy()
        n, m = self._ends.T
        np.add.at(L, (n, n), self._changes)
        np.add.at(L, (m, m), self._changes)
        np.subtract.at(L, (n, m), self._changes)
        np.subtract.at(L, (m, n), self._changes)
        return L

    def _times(self, x: FloatArray) -> FloatArray:
        """Return L x, with all changes so far."""
        y = self._L @ x
        n, m = self._ends.T
        flow = self._changes * (x[n] - x[m])
        np.add.at(y, n, flow)
        np.subtract.at(y, m, flow)
        return y

    def _improve_step_by_step(self) -> None:
        """Solve the system of the error again and again (Jacobi-Davidson).

        The error shrinks like its square or faster. A direction of less energy that is
        met on the way shows that the vector is not the second one.
        """
        v = self.vector if self.vector.size else self._start()
        for _ in range(MAX_STEPS):
            v = _unit(v)
            Lv = self._times(v)
            value = float(v @ Lv)
            residual = Lv - value * v
            if np.linalg.norm(residual) <= RESIDUAL * self._scale:
                break
            step, below = self._solve(-residual, value, v[:, None], exactness=1e-4)
            v = v + step if below is None else self._lower(v, below)
        self.value, self.vector = value, _turned(v)
        if self._n_iterations > MANY_ITERATIONS and not issparse(self._L):
            self._precondition = self._preconditioner(value, v[:, None])
            self._n_iterations = 0

    def _solve(
        self, b: FloatArray, value: float, Q: FloatArray, exactness: float = 1e-11
    ) -> tuple[FloatArray, FloatArray | None]:
        """Solve (L - value I) x = b among the vectors without part in 1 and Q.

        Conjugate gradients. The second result is None, or a direction in which the
        quadratic form is not positive, met on the way.
        """
        b = _without(b, Q)
        x, r, p = np.zeros_like(b), b.copy(), np.zeros_like(b)
        rz, enough = 1.0, exactness * float(np.linalg.norm(b))
        for iteration in range(MAX_ITERATIONS):
            if np.linalg.norm(r) <= enough:
                break
            self._n_iterations = max(self._n_iterations, iteration)
            z = _without(self._precondition(r), Q)
            rz, last = float(r @ z), rz
            if rz <= 0:
                break
            p *= rz / last
            p += z
            Ap = self._times(p)
            Ap -= value * p
            Ap -= Q @ (Q.T @ Ap)
            curvature = float(p @ Ap)
            if curvature <= EQUAL * self._scale * float(p @ p):
                return x, p
            x += (rz / curvature) * p
            r -= (rz / curvature) * Ap
        return x, None

    def _preconditioner(
        self, value: float, Q: FloatArray
    ) -> Callable[[FloatArray], FloatArray]:
        """Return an approximate inverse of L - value I without 1 and Q."""
        # Far up the spectrum, 1 and Q do not disturb.
        lifted = self._matrix() + self._scale / self.n_samples
        lifted += self._scale * (Q @ Q.T)
        lifted[np.diag_indices(self.n_samples)] -= value
        # An approximation may be coarse: single precision halves the memory to read.
        factor, failed = spotrf(lifted.astype(np.float32), lower=True)
        if failed:
            return self._precondition
        inverse, _ = spotri(factor, lower=True)
        inverse = np.tril(inverse) + np.tril(inverse, -1).T
        return lambda r: (inverse @ r.astype(np.float32)).astype(np.float64)

    def _start(self) -> FloatArray:
        """Return a vector rich in the low end of the spectrum, always the same."""
        v = np.random.default_rng(0).normal(size=self.n_samples)
        nothing = np.empty((self.n_samples, 0))
        for _ in range(6):
            v, flat = self._solve(_unit(v), 0.0, nothing, exactness=1e-2)
            if flat is not None:
                return flat
        return v

    def _lower(self, v: FloatArray, direction: FloatArray) -> FloatArray:
        """Return the vector of least energy in the plane of two."""
        basis = np.column_stack([v, _unit(_without(direction, v[:, None]))])
        energy = basis.T @ np.column_stack([self._times(q) for q in basis.T])
        return basis @ np.linalg.eigh((energy + energy.T) / 2)[1][:, 0]

    def _equal_vectors(self) -> FloatArray:
        """Return the second eigenvector and those whose eigenvalue equals its own."""
        values, vectors = self.lowest(6)
        is_equal = values <= self.value + 1e3 * EQUAL * self._scale
        return np.linalg.qr(np.column_stack([self.vector, vectors[:, is_equal]]))[0]


def _times_diagonal(diagonal: FloatArray) -> Callable[[FloatArray], FloatArray]:
    return lambda r: diagonal * r


def _without(x: FloatArray, Q: FloatArray) -> FloatArray:
    """Return x without its parts in the constant vector and in the columns of Q."""
    x = x - x.mean()
    return x - Q @ (Q.T @ x)


def _unit(x: FloatArray) -> FloatArray:
    x = x - x.mean()
    return x / np.linalg.norm(x)


def _turned(v: FloatArray) -> FloatArray:
    """Return v or -v: the one whose largest entry is positive."""
    return v if v[np.argmax(np.abs(v))] > 0 else -v
