"""
Four methods, one data set: do they agree?
==========================================

A ranking alone does not say how far to trust it. Here four selectors, from no labels at
all to every label, rank the thirteen measurements of the wine data, and the pictures of
:mod:`pairsift.plotting` show where they agree, how redundant their first features are,
and what that means to a classifier.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_wine
from sklearn.preprocessing import minmax_scale

from pairsift import MRMR, LaplacianScore, PairConstraints, ReliefF, ReliefFSc
from pairsift.evaluation import compare
from pairsift.plotting import (
    plot_comparison,
    plot_ranking,
    plot_ranks,
    plot_redundancy,
)

X, y = load_wine(return_X_y=True, as_frame=True)
X[:] = minmax_scale(X)
pairs = PairConstraints.sample(y, n_cannot_link=20, random_state=0)
selectors = {
    "Laplacian score, no labels": LaplacianScore().fit(X),
    "ReliefF-Sc, 20 pairs": ReliefFSc(5).fit(X, constraints=pairs),
    "ReliefF, all labels": ReliefF().fit(X, y),
    "mRMR, all labels": MRMR().fit(X, y),
}

# %%
# One ranking: the margins that twenty cannot-links give. The five features selected are
# in colour.

plot_ranking(selectors["ReliefF-Sc, 20 pairs"])

# %%
# All rankings: dark is good. A line of one shade is a feature about which the methods
# agree.

plot_ranks(selectors)

# %%
# Three of the methods look at one feature after the other; mRMR also asks how much a
# feature repeats those before it.

plot_redundancy(X, selectors)

# %%
# And the accuracy, on rows that took no part in the ranking. The bands are wide: ten
# splits of 178 rows do not tell these methods apart at every size.

result = compare(
    [LaplacianScore(), ReliefFSc(), ReliefF(), MRMR(discretize=1)],
    X,
    y,
    classifiers=["1nn"],
    n_pairs=20,
    n_splits=10,
)
plot_comparison(result)
columns = ["selector", "mean_accuracy", "low", "high", "best_size", "mean_rank"]
print(result.summary()[columns].round(3).to_string(index=False))
plt.show()
