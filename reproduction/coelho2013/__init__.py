"""The tables of F. Coelho's thesis of 2013: selection with mutual information."""

from reproduction._experiment import Paper
from reproduction.coelho2013._clusters import CLUSTER_TABLES
from reproduction.coelho2013._illustrations import ILLUSTRATIONS
from reproduction.coelho2013._mixed import MIXED_TABLES
from reproduction.coelho2013._networks import NETWORK_TABLES
from reproduction.coelho2013._problems import KEY
from reproduction.coelho2013._similarity import SIMILARITY_TABLES

__all__ = ["PAPER"]

PAPER = Paper(
    key=KEY,
    citation="F. Coelho, “Semi-supervised feature selection”, PhD thesis, "
    "Universidade Federal de Minas Gerais and Université catholique de Louvain, 2013",
    experiments=(
        *SIMILARITY_TABLES,
        *CLUSTER_TABLES,
        *ILLUSTRATIONS,
        *NETWORK_TABLES,
        *MIXED_TABLES,
    ),
)
