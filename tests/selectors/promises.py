"""Which selectors do not promise what, and why: the tests share these tables.

A selector that is in none of them gives equal scores for any order of rows and of
columns and in any units, up to rounding.
"""

# The order of the rows matters.
ROW_ORDER = {
    "ClusterHomogeneity": "K-means starts from random rows, and permutes rows",
    "ClusterVarianceScore": "K-means starts from random rows",
    "EnsembleConstraintScore": "draws rows",
    "FSSFS": "draws rows",
    "ForwardBackwardMI": "permutes rows",
    "LMFS": "where a search among several minima ends depends on rounding",
    "OnlineIRelief": "takes rows one after the other",
    "S3VMSelector": "one of several solutions of a linear program",
    "SSFC": "permutes rows",
    "Simba": "takes rows one after the other, in random order",
    "SimbaSc": "takes pairs one after the other, in an order drawn by their places",
}
# The order of the columns matters.
COLUMN_ORDER = {
    "ClusterHomogeneity": "one stream of random numbers for all features",
    "ClusterVarianceScore": "K-means may end elsewhere after other rounding",
    "EnsembleConstraintScore": "draws columns",
    "FSSFS": "accuracies of few rows are tied, the first is taken",
    "FeatureClusterMI": "distances of counts are tied, the first are merged",
    "ForwardBackwardMI": "one stream of random numbers for all features",
    "LMFS": "one stream of random numbers for all features",
    "NearestNeighborForward": "accuracies of few rows are tied, the first is taken",
    "OnlineIRelief": "small weights are chaotic: other rounding, other weights",
    "S3VMSelector": "one of several solutions of a linear program",
    "SSFC": "one stream of random numbers for all features",
}
# Only between tied features, of which the first is taken, does their order matter.
TIES_BY_COLUMN = {
    "CollinearityFilter": "of two collinear features the first stays",
    "FCRSC": "of a cluster the first of the best represents it",
    "GramSchmidt": "features with equal cosines are added in order",
    "IteraGraphFS": "of tied features the first are in the graph",
    "MCFS": "of copies the first has the coefficient",
    "MICI": "of two similar features the first is retained",
    "MRMR": "features with equal values are added in order",
    "PairLogistic": "of copies the first has the weight",
    "SemiMRMR": "features with equal values are added in order",
    "SimilarityConstraintScore": "features with equal errors are added in order",
    "TuRF": "of tied features the last are dropped, and others are scored without them",
    "UnsupervisedMRMR": "features with equal values are added in order",
}
# Only where rows are tied, or data symmetric, does the order of rows matter.
TIES_BY_ROW = {
    "MCFS": "eigenvectors of a symmetric graph are not unique",
    "SimilarityConstraintScore": "a row as near to two prototypes takes the first",
    "TuRF": "a score that is 0 but for rounding is not tied with 0",
}
# Where columns are copies of each other, scores depend on the processor: its rounding
# grows on the way.
COPIES_BY_PROCESSOR = {
    "LMFS": "weights of copies have no one minimum, and a search ends anywhere on it",
}
# The unit of a column, or its zero, matters.
UNITS = {
    "ClusterVarianceScore": "Euclidean clusters",
    "ConstraintScore2": "a difference of squares",
    "ConstraintScore3": "Euclidean neighbours",
    "ConstraintScore4": "a graph of Euclidean distances",
    "ConstraintScore5": "a graph of Euclidean distances",
    "ConstraintScore6": "a graph of Euclidean distances",
    "ConstraintScore7": "a graph of Euclidean distances",
    "EnsembleConstraintScore": "a graph of Euclidean distances",
    "LaplacianScore": "a graph of Euclidean distances",
    "MCFS": "a graph of Euclidean distances",
    "MICI": "variances of features are compared",
    "NearestNeighborForward": "Euclidean neighbours",
    "RankEnsemble": "its default members: the graph of LaplacianScore",
    "SCGS": "a graph of Euclidean distances",
    "SPEC": "a graph of Euclidean distances",
    "SSelect": "a graph of Euclidean distances",
    "SVDEntropy": "singular values of the data as given",
    "SimilarityConstraintScore": "similarities of Euclidean distances",
    "VarianceScore": "a variance has a unit",
}
# Scores that have a unit: rounding is small beside the largest of them only.
WITH_UNIT = {"ConstraintScore2", "MICI", "SCGS", "VarianceScore"}
# With other values than the default of these, order may matter to any selector.
ORDER_PARAMETERS = {
    "max_samples": "draws rows",
    "null": "'random-pairs' draws rows",
    "penalty": "draws folds of rows",
    "prefer": "'first' takes features in order",
    "symmetric": "False counts from the first row of a pair",
    "ties": "'index' takes the first row",
    "unlabelled_weight": "draws rows",
}
# Selectors that accept n_features_to_select="auto".
FINDS_NUMBER = {
    "ClusterHomogeneity",
    "CollinearityFilter",
    "FCRSC",
    "FSSFS",
    "FeatureClusterMI",
    "ForwardBackwardMI",
    "GramSchmidt",
    "LMFS",
    "MICI",
    "PairLogistic",
    "S3VMSelector",
    "SSFC",
    "SVDEntropy",
    "SemiMRMR",
    "SimilarityConstraintScore",
}
# The score of a feature is what it brought on the way, which depends on the others.
SUBSET_SEARCH = {
    "ClusterHomogeneity",
    "FCRSC",
    "FSSFS",
    "FeatureClusterMI",
    "ForwardBackwardMI",
    "GramSchmidt",
    "MRMR",
    "SSFC",
    "SemiMRMR",
    "SimilarityConstraintScore",
    "NearestNeighborForward",
    "TuRF",
    "UnsupervisedMRMR",
}
# How many features are wanted decides how far they search, or what they ask others.
SCORES_BY_NUMBER = (
    FINDS_NUMBER | SUBSET_SEARCH | {*("IteraGraphFS", "MCFS", "RankEnsemble")}
)
# Of equal features one stays, and its copies are left out: their scores differ.
LEAVES_COPIES_OUT = {
    *("CollinearityFilter", "MCFS", "MICI", "PairLogistic", "S3VMSelector")
}
# A constant feature has the score 0, which is better than a negative one.
SCORES_ZERO = {
    "ReliefSc",
    "ReliefFSc",
    "ConstraintScore2",
    "IRelief",
    "OnlineIRelief",
    "Relief",
    "ReliefF",
    "IterativeRelief",
    "RReliefF",
    "STIR",
    "SURF",
    "SURFStar",
    "SWRFStar",
    "MultiSURF",
    "MultiSURFStar",
}
