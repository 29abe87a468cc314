"""
The must-links that prototypes spread to
========================================

Salmi (2020) lets every row take the class of its nearest prototype. Rows of one class
found so are must-links, the set :math:`M^{SS}`; a picture of it as a matrix shows how
many there are, and which are wrong.
"""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.colors import ListedColormap
from sklearn.datasets import load_wine
from sklearn.preprocessing import minmax_scale

from pairsift.evaluation import draw_prototypes, must_link_expansion

# %%
# Three prototypes of each of the three classes of wines, which are in the order of
# their classes.

X, y = load_wine(return_X_y=True)
X = minmax_scale(X)
prototypes = draw_prototypes(y, 3, random_state=0)
found = must_link_expansion(X, prototypes, y)
print(f"{found.n_must_link} ordered must-links between prototypes")
print(f"{found.n_expanded} after the expansion, {found.nml:.0f} for each given")
print(f"{found.cnml:.0%} of the new ones join wines of one class")

# %%
# A cell is a pair of rows. On the left the pairs of prototypes, enlarged to be seen; on
# the right all pairs of :math:`M^{SS}`, wrong ones in orange. Lines part the true
# classes: a perfect expansion would fill the three squares on the diagonal.

is_same = found.classes[:, None] == found.classes
is_wrong = is_same & (y[:, None] != y)
np.fill_diagonal(is_same, False)
colors = ListedColormap(["white", "#0072b2", "#d55e00"])

figure, axes = plt.subplots(1, 2, figsize=(8, 4), layout="constrained", sharey=True)
rows = np.flatnonzero(prototypes >= 0)
a, b = np.meshgrid(rows, rows)
is_given = (prototypes[a] == prototypes[b]) & (a != b)
axes[0].scatter(a[is_given], b[is_given], s=12, marker="s", color="#0072b2")
axes[1].imshow(is_same + is_wrong.astype(int), cmap=colors, interpolation="nearest")
for ax, title in zip(axes, ("given", r"$M^{SS}$"), strict=True):
    for edge in np.flatnonzero(np.diff(y)) + 0.5:
        ax.axhline(edge, color="0.4", linewidth=0.8)
        ax.axvline(edge, color="0.4", linewidth=0.8)
    ax.set(title=title, xlabel="row", aspect="equal")
    ax.set(xlim=(-0.5, len(y) - 0.5), ylim=(len(y) - 0.5, -0.5))
axes[0].set_ylabel("row")
plt.show()
