"""
Thirty measurements, how many of them different?
================================================

The breast cancer data has thirty columns, but they are ten measurements of cells, each
as a mean, a standard error and a worst case: many say the same. A ranking by relevance
alone, :class:`pairsift.ReliefFSc`, keeps all copies of a good feature near the top.
:class:`pairsift.FCRSC` first joins features that can be rebuilt from one another, then
takes the best of each cluster.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_breast_cancer

from pairsift import FCRSC, PairConstraints, ReliefFSc
from pairsift.evaluation import redundancy_rate
from pairsift.plotting import plot_dendrogram

X, y = load_breast_cancer(return_X_y=True, as_frame=True)
pairs = PairConstraints.sample(y, n_cannot_link=40, random_state=0)
selector = FCRSC().fit(X, constraints=pairs)

# %%
# The clusters need no pairs: they come from the data alone. Merging goes on from the
# most similar features to less similar ones, and ends where clusters would be joined to
# clusters. The best feature of each, by its margin, is bold.

plot_dendrogram(selector)

# %%
# What was gained: how much the first features of both rankings are correlated.

relevance_only = ReliefFSc().fit(X, constraints=pairs)
sizes = range(2, selector.n_clusters_ + 1)
figure, ax = plt.subplots(figsize=(6, 3.4), layout="constrained")
for name, order, colour in (
    ("ReliefFSc", relevance_only.order_, "#8c8c8c"),
    ("FCRSC", selector.order_, "#0072b2"),
):
    rates = [redundancy_rate(X, order[:size]) for size in sizes]
    ax.plot(sizes, rates, color=colour, label=name)
    print(f"{name}: redundancy rate of the first 10 features {rates[8]:.2f}")
ax.set(xlabel="number of features", ylabel="redundancy rate")
ax.legend(frameon=False)
plt.show()
