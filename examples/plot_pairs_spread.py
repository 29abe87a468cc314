"""
Pairs before and after they are spread
======================================

Three answers about rows in the plane, and what :func:`~pairsift.propagate` makes of
them: here most of the new pairs join rows in the dense middle of the two groups.
"""

import matplotlib.pyplot as plt
import numpy as np

from pairsift import PairConstraints, propagate

# %%
# Two groups, and three cannot-links between them.

rng = np.random.default_rng(0)
X = np.concatenate(
    [rng.normal([0.3, 0.5], 0.08, (15, 2)), rng.normal([0.7, 0.5], 0.08, (15, 2))]
)
y = np.repeat([0, 1], 15)
given = PairConstraints(cannot_link=[(0, 15), (4, 20), (9, 27)], n_samples=len(X))
spread = propagate(given, X)
print(f"{given.n_cannot_link} cannot-links given, {spread.n_cannot_link} after")
is_right = y[spread.cannot_link[:, 0]] != y[spread.cannot_link[:, 1]]
print(f"{is_right.mean():.0%} of them join rows of different groups")

# %%
# Each line is a cannot-link: given ones in orange, new ones in grey, and in black those
# that part two rows of one group.

figure, axes = plt.subplots(1, 2, figsize=(8, 3.6), layout="constrained", sharey=True)
titles = (f"given: {given.n_cannot_link}", f"spread: {spread.n_cannot_link}")
for ax, pairs, title in zip(axes, (given, spread), titles, strict=True):
    for a, b in pairs.cannot_link:
        color = "black" if y[a] == y[b] else "0.8"
        ax.plot(*X[[a, b]].T, color=color, linewidth=0.8, zorder=1)
    for a, b in given.cannot_link:
        ax.plot(*X[[a, b]].T, color="#d55e00", linewidth=1.8, zorder=2)
    for group, color in enumerate(("#0072b2", "#009e73")):
        ax.scatter(*X[y == group].T, s=25, color=color, zorder=3)
    ax.set(title=title, xlabel="feature 0", aspect="equal")
axes[0].set_ylabel("feature 1")
plt.show()
