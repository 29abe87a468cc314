"""Parameters of the selectors that stand on a similarity graph."""

from numbers import Integral, Real
from typing import Any, ClassVar

from scipy.sparse import csr_array

from pairsift._sklearn_compat import Interval, StrOptions
from pairsift._typing import FloatArray
from pairsift.graphs import FullGraph, full_graph, similarity_graph
from pairsift.selectors._base import N_JOBS, BaseScoreSelector

N_NEIGHBORS = [Interval(Integral, 1, None, closed="left")]
SIGMA = [Interval(Real, 0, None, closed="neither"), StrOptions({"auto"})]


class OnGraph(BaseScoreSelector):
    """Base of the selectors that build a similarity graph of the rows."""

    _graph_constraints: ClassVar[dict[str, list[Any]]] = {
        "graph": [StrOptions({"knn", "mutual-knn", "epsilon", "full"})],
        "n_neighbors": N_NEIGHBORS,
        "epsilon": [None, Interval(Real, 0, None, closed="neither")],
        "kernel": [
            StrOptions({"gaussian", "self-tuning", "inverse", "cosine", "binary"})
        ],
        "sigma": SIGMA,
        "n_jobs": N_JOBS,
    }

    def _similarities(
        self, X: FloatArray, *, loops: bool = False
    ) -> csr_array | FullGraph:
        """Return the graph of these rows; the full one is never stored.

        With `loops`, each row of the full graph has an edge to itself, of weight 1.
        """
        options = {
            "n_neighbors": self.n_neighbors,
            "kernel": self.kernel,
            "sigma": self.sigma,
            "n_jobs": self.n_jobs,
        }
        if self.graph == "full":
            return full_graph(X, loops=loops, **options)
        return similarity_graph(X, graph=self.graph, epsilon=self.epsilon, **options)
