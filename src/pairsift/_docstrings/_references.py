"""The bibliography: a key, and below it the work; docs/references.md prints it."""

# Where the formulas were taken from.
SOURCES = """
hijazi2019
    S. Hijazi, "Semi-supervised margin-based feature selection for
    classification", PhD thesis, Université du Littoral Côte d'Opale and
    Lebanese University, 2019, HAL tel-02489733.
hijazi2021
    S. Hijazi, V. T. Hoang, "Constrained feature selection based on feature
    clustering and hypothesis margin", 2021.
salmi2020
    A. Salmi, K. Hammouche, L. Macaire, "Similarity-based constraint score
    for feature selection", Knowledge-Based Systems 209, 106429, 2020,
    doi:10.1016/j.knosys.2020.106429.
coelho2013
    F. Coelho, "Semi-supervised feature selection", PhD thesis, Universidade
    Federal de Minas Gerais and Université catholique de Louvain, 2013.
"""

# Where the methods were first published.
METHODS = """
benabdeslem2011
    K. Benabdeslem, M. Hindawi, "Constrained Laplacian score for
    semi-supervised feature selection", ECML PKDD, 204-218, 2011.
benabdeslem2014
    K. Benabdeslem, M. Hindawi, "Efficient semi-supervised feature selection:
    constraint, relevance, and redundancy", IEEE Transactions on Knowledge
    and Data Engineering 26, 1131-1143, 2014.
benabdeslem2016
    K. Benabdeslem, H. Elghazel, M. Hindawi, "Ensemble constrained Laplacian
    score for efficient and robust semi-supervised feature selection",
    Knowledge and Information Systems 49, 1161-1185, 2016.
cai2010
    D. Cai, C. Zhang, X. He, "Unsupervised feature selection for
    multi-cluster data", KDD 16, 333-342, 2010.
chen1989
    S. Chen, S. A. Billings, W. Luo, "Orthogonal least squares methods and
    their application to non-linear system identification", International
    Journal of Control 50(5), 1873-1896, 1989.
cheng2008
    Y. Cheng, Y. Cai, Y. Sun, J. Li, "Semi-supervised feature selection under
    logistic I-Relief framework", ICPR, 2008.
ding2005
    C. Ding, H. Peng, "Minimum redundancy feature selection from microarray
    gene expression data", Journal of Bioinformatics and Computational
    Biology 3(2), 185-205, 2005.
draper2003
    B. Draper, C. Kaito, J. Bins, "Iterative Relief", CVPR Workshop, 62,
    2003.
giladbachrach2004
    R. Gilad-Bachrach, A. Navot, N. Tishby, "Margin based feature selection:
    theory and algorithms", ICML, 2004.
granizo2013
    D. Granizo-Mackenzie, J. H. Moore, "Multiple threshold spatially uniform
    ReliefF for the genetic analysis of complex human diseases", EvoBIO,
    1-10, 2013.
greene2009
    C. S. Greene, N. M. Penrod, J. Kiralis, J. H. Moore, "Spatially Uniform
    ReliefF (SURF) for computationally-efficient filtering of gene-gene
    interactions", BioData Mining 2:5, 2009.
greene2010
    C. S. Greene, D. S. Himmelstein, J. Kiralis, J. H. Moore, "The
    informative extremes: using both nearest and farthest individuals can
    improve Relief algorithms in the domain of human genetics", EvoBIO,
    182-193, 2010.
he2005
    X. He, D. Cai, P. Niyogi, "Laplacian score for feature selection", NIPS
    18, 507-514, 2005.
hijazi2020
    S. Hijazi, D. Hamad, M. Kalakech, A. Kalakech, "Active learning of
    constraints for weighted feature selection", Advances in Data Analysis
    and Classification, 2020.
kalakech2011
    M. Kalakech, P. Biela, L. Macaire, D. Hamad, "Constraint scores for
    semi-supervised feature selection: a comparative study", Pattern
    Recognition Letters 32, 656-665, 2011.
kira1992
    K. Kira, L. A. Rendell, "A practical approach to feature selection",
    ICML, 249-256, 1992.
kohavi1997
    R. Kohavi, G. H. John, "Wrappers for feature subset selection",
    Artificial Intelligence 97(1-2), 273-324, 1997.
kononenko1994
    I. Kononenko, "Estimating attributes: analysis and extensions of RELIEF",
    ECML, 171-182, 1994.
le2019
    T. T. Le, R. J. Urbanowicz, J. H. Moore, B. A. McKinney, "STatistical
    Inference Relief (STIR) feature selection", Bioinformatics 35(8),
    1358-1365, 2019.
liu2016
    M. Liu, D. Zhang, "Pairwise constraint-guided sparse learning for feature
    selection", IEEE Transactions on Cybernetics 46(1), 298-310, 2016.
llobet2005
    E. Llobet, O. Gualdron, J. Brezmes, X. Vilanova, X. Correig, "An
    unsupervised dimensionality-reduction technique", IEEE Sensors, 2005.
mitra2002
    P. Mitra, C. A. Murthy, S. K. Pal, "Unsupervised feature selection using
    feature similarity", IEEE TPAMI 24(3), 301-312, 2002,
    doi:10.1109/34.990133.
moore2007
    J. H. Moore, B. C. White, "Tuning ReliefF for genome-wide genetic
    analysis", EvoBIO, LNCS 4447, 166-175, 2007.
peng2005
    H. Peng, F. Long, C. Ding, "Feature selection based on mutual
    information: criteria of max-dependency, max-relevance, and
    min-redundancy", IEEE TPAMI 27(8), 1226-1238, 2005.
robnik1997
    M. Robnik-Šikonja, I. Kononenko, "An adaptation of Relief for attribute
    estimation in regression", ICML, 296-304, 1997.
robnik2003
    M. Robnik-Šikonja, I. Kononenko, "Theoretical and empirical analysis of
    ReliefF and RReliefF", Machine Learning 53, 23-69, 2003.
stokes2012
    M. E. Stokes, S. Visweswaran, "Application of a spatially-weighted Relief
    algorithm for ranking genetic predictors of disease", BioData Mining
    5:20, 2012.
stoppiglia2003
    H. Stoppiglia, G. Dreyfus, R. Dubois, Y. Oussar, "Ranking a random
    feature for variable and feature selection", JMLR 3, 1399-1414, 2003.
sun2007
    Y. Sun, "Iterative RELIEF for feature weighting: algorithms, theories,
    and applications", IEEE TPAMI 29(6), 1035-1051, 2007.
sun2010
    Y. Sun, S. Todorovic, S. Goodison, "Local-learning-based feature
    selection for high-dimensional data analysis", IEEE TPAMI 32(9),
    1610-1626, 2010.
tang2018
    B. Tang, L. Zhang, "Semi-supervised feature selection based on logistic
    I-RELIEF for multi-classification", PRICAI, 719-731, 2018.
tang2019
    B. Tang, L. Zhang, "Multi-class semi-supervised logistic I-RELIEF feature
    selection based on nearest neighbor", PAKDD, 281-292, 2019.
urbanowicz2018
    R. J. Urbanowicz, R. S. Olson, P. Schmitt, M. Meeker, J. H. Moore,
    "Benchmarking Relief-based feature selection methods for bioinformatics
    data mining", Journal of Biomedical Informatics 85, 168-188, 2018.
varshavsky2006
    R. Varshavsky, A. Gottlieb, M. Linial, D. Horn, "Novel unsupervised
    feature filtering of biological data", Bioinformatics 22(14), e507-e513,
    2006.
yang2010
    M. Yang, J. Song, "A novel hypothesis-margin based approach for feature
    selection with side pairwise constraints", Neurocomputing 73(16-18),
    2859-2872, 2010.
yang2016
    X.-K. Yang, L. He, D. Qu, W.-Q. Zhang, M. T. Johnson, "Semi-supervised
    feature selection for audio classification based on constraint
    compensated Laplacian score", EURASIP Journal on Audio, Speech, and Music
    Processing, 9, 2016.
yu2004
    L. Yu, H. Liu, "Efficient feature selection via analysis of relevance and
    redundancy", JMLR 5, 1205-1224, 2004.
zeng2007
    H. Zeng, Y. Cheung, "Iterative feature selection in Gaussian mixture
    clustering with automatic model selection", IJCNN, 2277-2282, 2007.
zhang2008
    D. Zhang, S. Chen, Z.-H. Zhou, "Constraint score: a new filter method for
    feature selection with pairwise constraints", Pattern Recognition 41(5),
    1440-1451, 2008.
zhao2007icml
    Z. Zhao, H. Liu, "Spectral feature selection for supervised and
    unsupervised learning", ICML 24, 1151-1157, 2007.
zhao2007sdm
    Z. Zhao, H. Liu, "Semi-supervised feature selection via spectral
    analysis", SDM 7, 641-646, 2007.
zhao2008
    J. Zhao, K. Lu, X. He, "Locality sensitive semi-supervised feature
    selection", Neurocomputing 71, 1842-1849, 2008.
"""

# Where estimators, measures, tests and test problems come from.
MEASURES = """
bansal2004
    N. Bansal, A. Blum, S. Chawla, "Correlation clustering", Machine Learning
    56, 89-113, 2004, doi:10.1023/B:MACH.0000033116.57574.95.
bilenko2004
    M. Bilenko, S. Basu, R. J. Mooney, "Integrating constraints and metric
    learning in semi-supervised clustering", ICML, 2004,
    doi:10.1145/1015330.1015360.
davidson2006
    I. Davidson, K. Wagstaff, S. Basu, "Measuring constraint-set utility for
    partitional clustering algorithms", PKDD, 115-126, 2006,
    doi:10.1007/11871637_15.
demsar2006
    J. Demšar, "Statistical comparisons of classifiers over multiple data
    sets", JMLR 7, 1-30, 2006.
francois2006
    D. François, V. Wertz, M. Verleysen, "The permutation test for feature
    selection by mutual information", ESANN, 239-244, 2006.
friedman1991
    J. H. Friedman, "Multivariate adaptive regression splines", The Annals of
    Statistics 19(1), 1-67, 1991.
gomez2009
    V. Gómez-Verdejo, M. Verleysen, J. Fleury, "Information-theoretic feature
    selection for functional data classification", Neurocomputing 72,
    3580-3589, 2009.
kamvar2003
    S. D. Kamvar, D. Klein, C. D. Manning, "Spectral learning", IJCAI,
    561-566, 2003.
kozachenko1987
    L. F. Kozachenko, N. N. Leonenko, "Sample estimate of the entropy of a
    random vector", Problems of Information Transmission 23, 95-101, 1987.
kraskov2004
    A. Kraskov, H. Stögbauer, P. Grassberger, "Estimating mutual
    information", Physical Review E 69, 066138, 2004.
liu2004
    H. Liu, H. Motoda, L. Yu, "A selective sampling approach to active
    feature selection", Artificial Intelligence 159(1-2), 49-74, 2004.
ng2001
    A. Y. Ng, M. I. Jordan, Y. Weiss, "On spectral clustering: analysis and
    an algorithm", NIPS 14, 849-856, 2001.
nogueira2018
    S. Nogueira, K. Sechidis, G. Brown, "On the stability of feature
    selection algorithms", JMLR 18(174), 1-54, 2018.
zhao2010
    Z. Zhao, L. Wang, H. Liu, "Efficient spectral feature selection with
    minimum redundancy", AAAI 24(1), 673-678, 2010.
"""
