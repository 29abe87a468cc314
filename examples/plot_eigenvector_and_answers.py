"""
The second eigenvector while questions are answered
===================================================

The published strategy of Hijazi (2019) asks about the row nearest to zero on the second
eigenvector of the graph Laplacian. Each answer changes the graph, and the eigenvector
with it.
"""

import matplotlib.pyplot as plt
import numpy as np

from pairsift import ActiveSession

# %%
# Two groups that overlap. The true groups answer in the place of a person.

rng = np.random.default_rng(3)
y = np.repeat([0, 1], 8)
X = rng.normal(size=(16, 2)) * 0.2 + np.where(y[:, None] == 0, 0.35, 0.65)
session = ActiveSession(X, strategy="eigenvector")

shown, pictures, asked = (0, 8, 24), {}, []
for number in range(max(shown) + 1):
    if number in shown:
        pictures[number] = session.embedding_.copy(), list(asked)
    first, second = session.ask()
    session.tell(first, second, "same" if y[first] == y[second] else "different")
    asked.append((first, second))

# %%
# Rows in the order of their groups; a row whose sign is that of the other group is on
# the wrong side. Grey lines join the pairs asked about. The sign of an eigenvector is
# free: here the second group is on top.

figure, axes = plt.subplots(1, 3, figsize=(9, 3.2), layout="constrained", sharey=True)
for ax, (number, (vector, pairs)) in zip(axes, pictures.items(), strict=True):
    vector = vector * (1 if vector[y == 1].mean() > 0 else -1)
    for a, b in pairs:
        ax.plot([a, b], vector[[a, b]], color="0.8", linewidth=0.8, zorder=1)
    for group, color in enumerate(("#0072b2", "#d55e00")):
        rows = np.flatnonzero(y == group)
        ax.scatter(rows, vector[rows], s=18, color=color, zorder=2)
    ax.axhline(0, color="0.4", linewidth=0.8, zorder=0)
    n_wrong = int(((vector > 0) != (y == 1)).sum())
    ax.set(title=f"{number} answers, {n_wrong} on the wrong side", xlabel="row")
    print(f"after {number} answers {n_wrong} of {y.size} rows are on the wrong side")
axes[0].set_ylabel("second eigenvector")
plt.show()
