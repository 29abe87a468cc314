"""Feature selectors in the form of scikit-learn transformers."""

# Names imported as themselves (`X as X`) are shared with other packages, not public.
from pairsift.selectors._base import (
    BaseScoreSelector as BaseScoreSelector,
    all_or_nothing as all_or_nothing,
    refuse_wrong_labels as refuse_wrong_labels,
)
from pairsift.selectors._catalogue import (
    find_method,
    methods,
    selector_classes as selector_classes,
)
from pairsift.selectors._cluster_homogeneity import (
    ClusterHomogeneity,
    complete_labels,
)
from pairsift.selectors._cluster_variance import ClusterVarianceScore
from pairsift.selectors._collinearity import CollinearityFilter
from pairsift.selectors._constrained_laplacian import (
    CCLS,
    CLS,
    ConstraintScore5,
    ConstraintScore6,
    ConstraintScore7,
)
from pairsift.selectors._constraint import (
    LSDF,
    ConstraintScore1,
    ConstraintScore2,
    ConstraintScore3,
    ConstraintScore4,
)
from pairsift.selectors._cost import estimate_seconds
from pairsift.selectors._ensemble import EnsembleConstraintScore
from pairsift.selectors._fcrsc import FCRSC
from pairsift.selectors._feature_cluster_mi import FeatureClusterMI
from pairsift.selectors._forward_backward import ForwardBackwardMI
from pairsift.selectors._fs_manifold import FSManifold
from pairsift.selectors._fssfs import FSSFS
from pairsift.selectors._gram_schmidt import GramSchmidt
from pairsift.selectors._irelief import IRelief
from pairsift.selectors._iteragraph import IteraGraphFS
from pairsift.selectors._iterative_relief import IterativeRelief
from pairsift.selectors._laplacian import LaplacianScore
from pairsift.selectors._lmfs import LMFS
from pairsift.selectors._logistic_irelief import LogisticIRelief, SemiLogisticIRelief
from pairsift.selectors._margins import ReliefFSc, ReliefSc
from pairsift.selectors._mcfs import MCFS
from pairsift.selectors._method import Method as Method
from pairsift.selectors._mici import MICI
from pairsift.selectors._mrmr import MRMR
from pairsift.selectors._nearest_neighbor import NearestNeighborForward
from pairsift.selectors._odd_cells import (
    Values as Values,
    find_date as find_date,
    find_date_number as find_date_number,
    find_odd_cells as find_odd_cells,
    is_sign as is_sign,
    values_of as values_of,
)
from pairsift.selectors._online_irelief import OnlineIRelief
from pairsift.selectors._pair_logistic import PairLogistic
from pairsift.selectors._pearson import PearsonScore
from pairsift.selectors._rank_ensemble import RankEnsemble
from pairsift.selectors._relief import Relief, ReliefF
from pairsift.selectors._rrelieff import RReliefF
from pairsift.selectors._s3vm import S3VMSelector
from pairsift.selectors._scgs import SCGS
from pairsift.selectors._search import ForwardSearch as ForwardSearch
from pairsift.selectors._semi_mrmr import SemiMRMR
from pairsift.selectors._simba_labels import Simba
from pairsift.selectors._simba_sc import SimbaSc
from pairsift.selectors._similarity import SimilarityConstraintScore
from pairsift.selectors._spec import SPEC
from pairsift.selectors._sselect import SSelect
from pairsift.selectors._ssfc import SSFC
from pairsift.selectors._stir import STIR
from pairsift.selectors._surf import (
    SURF,
    MultiSURF,
    MultiSURFStar,
    SURFStar,
    SWRFStar,
)
from pairsift.selectors._svd_entropy import SVDEntropy
from pairsift.selectors._tables import (
    Numbering as Numbering,
    Table as Table,
    as_table as as_table,
    mixed_table,
    read_block as read_block,
    table_of_blocks as table_of_blocks,
    text_numbering as text_numbering,
    text_values as text_values,
)
from pairsift.selectors._turf import TuRF
from pairsift.selectors._unsupervised_mrmr import UnsupervisedMRMR
from pairsift.selectors._variance import FisherScore, VarianceScore

__all__ = [
    "CCLS",
    "CLS",
    "FCRSC",
    "FSSFS",
    "LMFS",
    "LSDF",
    "MCFS",
    "MICI",
    "MRMR",
    "SCGS",
    "SPEC",
    "SSFC",
    "STIR",
    "SURF",
    "ClusterHomogeneity",
    "ClusterVarianceScore",
    "CollinearityFilter",
    "ConstraintScore1",
    "ConstraintScore2",
    "ConstraintScore3",
    "ConstraintScore4",
    "ConstraintScore5",
    "ConstraintScore6",
    "ConstraintScore7",
    "EnsembleConstraintScore",
    "FSManifold",
    "FeatureClusterMI",
    "FisherScore",
    "ForwardBackwardMI",
    "GramSchmidt",
    "IRelief",
    "IteraGraphFS",
    "IterativeRelief",
    "LaplacianScore",
    "LogisticIRelief",
    "MultiSURF",
    "MultiSURFStar",
    "NearestNeighborForward",
    "OnlineIRelief",
    "PairLogistic",
    "PearsonScore",
    "RReliefF",
    "RankEnsemble",
    "Relief",
    "ReliefF",
    "ReliefFSc",
    "ReliefSc",
    "S3VMSelector",
    "SSelect",
    "SURFStar",
    "SVDEntropy",
    "SWRFStar",
    "SemiLogisticIRelief",
    "SemiMRMR",
    "Simba",
    "SimbaSc",
    "SimilarityConstraintScore",
    "TuRF",
    "UnsupervisedMRMR",
    "VarianceScore",
    "complete_labels",
    "estimate_seconds",
    "find_method",
    "methods",
    "mixed_table",
]
