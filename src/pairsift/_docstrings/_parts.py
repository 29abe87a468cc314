r"""Texts that several docstrings share: a key, and below it the text.

A key is the name of the parameter or attribute, with a suffix where methods differ.
"""

SENTENCES = """
classes_from_pairs
    Given pairs and no labels, the groups of rows joined by must-links serve as classes.
pairs_from_labels
    Given labels and no pairs, all pairs of labelled rows are used.
units
    The data is taken as given: where units differ, scale to [0, 1] first
    (``sklearn.preprocessing.MinMaxScaler``).
"""

DATA = """
X
    X : ndarray of shape (n_samples, n_features)
        The data.
X_any
    X : array-like of shape (n_samples, n_features)
        The data.
X_table
    X : array-like of shape (n_samples, n_features)
        The data: NumPy, pandas or polars, and SciPy sparse where the tag
        ``input_tags.sparse`` of a selector says so.
X_missing
    X : ndarray of shape (n_samples, n_features)
        The data; NaN marks missing values.
X_as_given
    X : ndarray of shape (n_samples, n_features)
        The data, taken as given: scale it first if the units differ.
X_complete
    X : ndarray of shape (n_samples, n_features)
        Data without missing values, taken as given.
X_columns
    X : array-like of shape (n_samples, n_features)
        The columns.
X_features
    X : ndarray of shape (n_samples, n_features)
        The features.
X_finite
    X : array-like of shape (n_samples, n_features)
        Data, all finite.
X_test
    X_test : array-like of shape (n_test, n_features)
        Rows to be judged on.
y_test
    y_test : array-like of shape (n_test,)
        Class of each test row.
y_partial
    y : array-like of shape (n_samples,)
        Class labels; unlabelled rows hold -1 (numbers) or None, NaN or empty text.
S
    S : csr_array, ndarray or FullGraph of shape (n_samples, n_samples)
        Symmetric similarities.
S_graph
    S : csr_array, ndarray or FullGraph of shape (n_samples, n_samples)
        Symmetric similarities, for instance from
        :func:`pairsift.graphs.similarity_graph`.
labels
    labels : array-like of shape (n_samples,)
        Class numbers; rows with -1 are left out of everything.
labels_two
    labels : array-like of shape (n_samples,)
        Class labels, at least two of them; unlabelled rows (-1) are left out.
labels_partial
    labels : array-like of shape (n_samples,)
        Class numbers, at least two of them, and -1 for unlabelled rows.
labels_of_missing
    labels : ndarray of shape (n_samples,), default=None
        Class numbers, -1 for none; only used for the probabilities of missing values.
missing_label
    missing_label : label, None or "auto", default="auto"
        Label that means "no label", beside None, NaN and empty text. None or NaN if
        every label is a class; "auto" is -1, with a warning where that may be one.
cannot_link_ordered
    cannot_link : array-like of shape (n_pairs, 2)
        Ordered pairs (n, m) of rows, used as given.
links_once
    must_link, cannot_link : array-like of shape (n_pairs, 2)
        Pairs of rows, each counted once.
links_counted
    must_link, cannot_link : array-like of shape (n_pairs, 2)
        Pairs of rows; a pair given twice counts twice.
is_categorical
    is_categorical : ndarray of shape (n_features,), dtype=bool, default=None
        Categorical columns; None for none.
"""

PARAMETERS = r"""
n_features_to_select
    n_features_to_select : int or float, default=None
        Number or share of features to select; None keeps all and only ranks.
n_features_significant
    n_features_to_select : int, float, "significant" or None, default=None
        Number or share of features to select; None keeps all and only ranks.
        ``"significant"`` selects the features whose margin exceeds the threshold τ of
        Kira and Rendell, often none: see the Notes of :class:`Relief`.
alpha_threshold
    alpha : float, default=0.05
        Largest probability that a feature without any margin exceeds τ; only used by
        ``n_features_to_select="significant"``.
n_features_found
    n_features_to_select : "auto", int, float or None, default="auto"
        ``"auto"`` selects the features found, the best one at least. A number or a
        share takes the best of the ranking, None keeps all and only ranks. The search
        is the same.
n_features_added
    n_features : int, default=None
        Number of features to add, None for all.
n_features_steps
    n_features : int, default=None
        Number of steps, None for all features.
max_iter_warned
    max_iter : int, default=100
        Most steps; a warning tells when they did not suffice.
max_iter_margins
    max_iter : int, default=100
        Most times that margins are taken; a warning tells when they did not suffice.
pairs_of_features
    pairs : bool, default=True
        When no single feature is good enough, try to add two at once. Their number
        grows with the square of the number of features: with hundreds of features,
        False saves much time.
note
    note : Note, default=None
        Who did it, and how long it took.
n_jobs
    n_jobs : int or None, default=-1
        Number of threads: -1 for all cores, None as in joblib.
n_jobs_graph
    n_jobs : int or None, default=-1
        Number of threads for building the graph: -1 for all cores, None as in joblib.
random_state
    random_state : int, Generator, RandomState or None, default=None
        Seed of the draw.
random_state_data
    random_state : int, Generator, RandomState or None, default=None
        Seed or source of the random numbers.
random_state_fixed
    random_state : int, Generator, RandomState or None, default=0
        Seed of the draw.
random_state_null
    random_state : int, Generator, RandomState or None, default=0
        Seed of the random pairs; nothing else is random.
random_state_orders
    random_state : int, Generator, RandomState or None, default=None
        Seed of the orders.
random_state_shuffling
    random_state : int, Generator, RandomState or None, default=None
        Seed of the shuffling.
categorical_features
    categorical_features : "auto", array-like or None, default="auto"
        Categorical columns as a mask, indices or names; ``"auto"`` takes the text,
        category and boolean columns of a data frame.
missing
    missing : {"probability", "ignore", "constant", "distinct"}, default="probability"
        Difference to a missing value (NaN): the probability of another value, in its
        class where there are classes (ReliefD), left out (ReliefC), one minus one over
        the number of values (ReliefB), or 1 to a known and 0 to a missing value
        (Relieved-F).
discrete_features
    discrete_features : "auto", bool or ndarray of shape (n_features,), default="auto"
        Discrete columns: all, none, or a mask. ``"auto"`` takes a column for discrete
        when it has at most :math:`\max(10, \sqrt n)` distinct values, and at most half
        as many as rows, among all rows.
discrete_features_as
    discrete_features : "auto", bool or ndarray of shape (n_features,), default="auto"
        Discrete columns, as in :func:`mutual_information`.
max_samples
    max_samples : int, default=None
        Most labelled rows to take the mean over, drawn at random; None for all.
        Neighbours are found among all labelled rows anyway.
ties
    ties : {"share", "index"}, default="share"
        Which rows take the last places when rows are equally far: all of them share
        the places left, so that the order of rows does not matter, or the smaller row
        numbers take them.
ramp
    ramp : tuple of two floats or None, default=None
        ``(low, high)``, shares of the range of a feature: differences of numbers up to
        `low` count as 0, from `high` on as 1, and linearly between. None is the share
        itself, see :func:`pairsift.scores.relieff_score`.
metric
    metric : {"manhattan", "euclidean"}, default="manhattan"
        Distance by which neighbours are found, over the differences Δ.
exclude
    exclude : {"pair", "self"}, default="pair"
        Which rows are no near-hits of an end of a pair: both ends, or only itself as
        published.
symmetric
    symmetric : bool, default=True
        Average both directions of every pair, so that the numbering of the rows
        cannot change the result. False is the published sum over (n, m), with the
        smaller row number as n.
must_link_weight
    must_link_weight : float, default=0.0
        Weight of the margins of must-links, which are subtracted; 0 is published.
null
    null : {"random-pairs", "must-links"} or None, default=None
        Pairs whose mean margin is subtracted from that of the cannot-links: random
        pairs of rows, or the must-links. None is published, and biased, see Notes.
n_near_hits
    n_neighbors : int, default=10
        Number K of near-hits on either side; where there are fewer candidates the mean
        is taken over those there are.
miss_weighting
    miss_weighting : {"prior", "pooled"}, default="prior"
        Misses of more than two classes: the mean over each class weighted by its
        prior, as in ReliefF, or one mean over all of them.
multi_class
    multi_class : {"prior", "nearest"}, default="prior"
        Misses of more than two classes: the near-misses of every other class weighted
        by its prior (I-Relief-1), or the nearest of them all (I-Relief-2).
step
    step : float, default=1.0
        Length of the gradient steps.
n_neighbors
    n_neighbors : int, default=5
        Number of nearest neighbours, cut to ``n_samples - 1``.
n_neighbors_information
    n_neighbors : int, default=6
        Number of neighbours by which continuous columns are estimated.
n_neighbors_of_columns
    n_neighbors : int, default=6
        Number k of neighbours for continuous columns.
neighbors
    neighbors : csr_array of shape (n_samples, n_samples), default=None
        Graph whose edges join the neighbours, whatever their weights; built with
        `n_neighbors` when None.
form
    form : {"sum", "matrix"}, default="sum"
        Which of the two published denominators, see Notes: they are not equal.
graph
    graph : {"knn", "mutual-knn", "epsilon", "full"}, default="knn"
        Which rows are joined, see :func:`pairsift.graphs.similarity_graph`. The full
        graph is never stored, but takes time in proportion to n_samples².
kernel
    kernel : str, default="gaussian"
        "gaussian", "self-tuning", "inverse", "cosine" or "binary": weight of an edge.
epsilon
    epsilon : float, default=None
        Distance below which rows are joined in the epsilon graph.
sigma
    sigma : float or "auto", default=1.0
        The :math:`\sigma` of :math:`\exp(-d^2/2\sigma^2)`; ``"auto"`` is the mean
        distance to the `n_neighbors`-th neighbour.
sigma_auto
    sigma : float or "auto", default="auto"
        The :math:`\sigma` of :math:`\exp(-d^2/2\sigma^2)`; ``"auto"`` is the mean
        distance to the `n_neighbors`-th neighbour.
sigma_similarity
    sigma : float or "auto", default=1.0
        The :math:`\sigma` of the similarities :math:`w_{ij} = \exp(-d^2/2\sigma^2)`;
        1 suits few features scaled to [0, 1], ``"auto"`` is the mean distance to the
        `n_neighbors`-th neighbour.
tol_of_weights
    tol : float, default=1e-6
        It stops when margins and weights agree: when the weights change by no more
        than this share of their Euclidean norm.
n_permutations
    n_permutations : int, default=20
        How often a feature is shuffled for a test.
ax
    ax : matplotlib.axes.Axes, default=None
        Where to draw; None makes a figure.
ax_high
    ax : matplotlib.axes.Axes, default=None
        Where to draw; None makes a figure as high as the features need.
feature_names
    feature_names : sequence of str, default=None
        Names of the features; None takes those seen in fit, or x0, x1, ...
features
    features : array-like of int or bool, optional
        Column numbers of the subset, or a mask such as ``selector.support_``; all
        columns by default.
order
    order : iterable of int or str
        Features, best first, such as ``selector.order_``: column numbers or names.
sizes
    sizes : array-like of int, optional
        Numbers of features to measure; all from 1 to `n_ranked` by default.
shuffle_columns
    shuffle_columns : bool, default=True
        Put the columns in random order. Otherwise the relevant ones come first, then
        their copies, then the irrelevant ones.
shuffle_columns_relevant
    shuffle_columns : bool, default=True
        Put the columns in random order. Otherwise the relevant ones come first.
noise_of_copies
    noise : float, default=0.1
        Standard deviation of the noise of a copy, in standard deviations of the
        copied feature; 0 gives exact copies.
paper
    paper : str, optional
        Such as "hijazi2019"; all papers by default.
table
    table : str, optional
        Such as "4.2"; all tables and figures of the paper by default.
"""

ATTRIBUTES = """
ranked
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
used_must_links
    n_constraints_used_ : int
        Number of must-links that made the classes, 0 when labels did.
used_none
    n_constraints_used_ : int
        Always 0.
used_pairs
    n_constraints_used_ : int
        Number of must-links and cannot-links used.
scores_margin
    scores_ : ndarray of shape (n_features,)
        The mean margin of each feature, from -1 to 1; 0 for a constant one.
threshold_
    threshold_ : float
        The threshold τ, with ``n_features_to_select="significant"`` only.
scores_two_margins
    scores_ : ndarray of shape (n_features,)
        The mean margin of each feature, from -2 to 2; 0 for a constant one.
scores_pair_margin
    scores_ : ndarray of shape (n_features,)
        The margins z, so that negative margins are still ranked; with a `null`, z per
        pair minus that of the null pairs.
scores_constraint
    scores_ : ndarray of shape (n_features,)
        Negated constraint scores, so that higher is better; ``-inf`` where the
        denominator is not positive.
scores_ratio_of_pairs
    scores_ : ndarray of shape (n_features,)
        Negated constraint scores, so that higher is better; ``-inf`` where all
        cannot-links are 0 apart.
scores_squared_weights
    scores_ : ndarray of shape (n_features,)
        Squared weights, the largest of which is 1; 0 for a constant feature.
scores_information
    scores_ : ndarray of shape (n_features,)
        What each feature added to what the set tells about the classes, in nats, two
        added at once half each; or what it would add in the end. At least 0, and at
        most that of the feature before it in `order_`: those found in order of
        addition, those removed again, then the others.
path_information
    n_found_ : int
        Number of features found.
    removed_ : ndarray of shape (n_removed,)
        Features added and removed again, in this order.
    path_scores_ : ndarray of shape (n_additions,)
        What the features added tell about the classes after each addition, in nats; two
        features at once are one addition.
    path_thresholds_ : ndarray of shape (n_additions,)
        What it had to exceed.
margins_
    margins_ : ndarray of shape (n_features,)
        The margins z as published, with a `null` too.
weights_
    weights_ : ndarray of shape (n_features,)
        The weights w, the positive part of `scores_` at unit norm; without a `null`
        they are the published ones.
weights_sparse
    weights_ : ndarray of shape (n_features,)
        The weights w, most of them 0.
accuracies_
    accuracies_ : ndarray of shape (n_steps,) or None
        Share of held-out labelled rows that the first 1, 2, ... features find again;
        None when the number was given.
n_labelled_
    n_labelled_ : int
        Number of rows with a class; the others are left out of everything.
n_iter_
    n_iter_ : int
        Number of steps.
"""

# Parts may name other parts.
FAMILIES = """
surf
    {X_missing, labels, miss_weighting, ramp, is_categorical, missing, max_samples}
    {random_state, n_jobs}
surf_table
    {n_features_significant, alpha_threshold, miss_weighting, ramp}
    {categorical_features, missing, max_samples, random_state, n_jobs}
"""

RETURNS = r"""
returns_self
    self : object
        The fitted selector. After an error it is as it was before.
returns_margins
    scores : ndarray of shape (n_features,)
        The mean margin of every feature; 0 for a constant one.
returns_pair_margins
    scores : ndarray of shape (n_features,)
        The margin z of every feature, minus its null if there is one; 0 for a constant
        feature.
returns_constraint
    scores : ndarray of shape (n_features,)
        Negated constraint scores; ``-inf`` where the denominator is not positive.
returns_ratio_of_pairs
    scores : ndarray of shape (n_features,)
        Negated constraint scores; ``-inf`` where all cannot-links are 0 apart.
returns_squared_weights
    scores : ndarray of shape (n_features,)
        Squared weights, the largest of which is 1; 0 for a constant feature.
returns_degrees
    d : ndarray of shape (n_samples,)
        Degrees.
returns_forms
    forms : ndarray of shape (n_features,)
        Quadratic forms.
returns_curve
    AccuracyCurve
        The sizes in ascending order, each once, and the accuracy at each.
returns_errors
    order : ndarray of shape (n_columns,), dtype=int64
        All features in the order in which they were added; behind them those that were
        not, by their error beside the others at the last step.
    errors : ndarray of shape (n_columns,)
        The error :math:`\varepsilon` after each step, smaller is better; for features
        that were not added, the error with them at the last step.
    sigma : float
        The width used.
returns_order_relevance
    order : ndarray of shape (n_features,), dtype=int64
        All features: those added, in order, then the others by their relevance.
"""

EXAMPLES = """
wine
    >>> from sklearn.datasets import load_wine
    >>> X, y = load_wine(return_X_y=True)
wine_01
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.preprocessing import minmax_scale
    >>> X, y = load_wine(return_X_y=True)
    >>> X = minmax_scale(X)
wine_df
    >>> from sklearn.datasets import load_wine
    >>> X, y = load_wine(return_X_y=True, as_frame=True)
"""
