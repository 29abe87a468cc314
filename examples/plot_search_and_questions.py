"""
Inside a search, inside a session
=================================

Two pictures of work in progress: the error that
:class:`pairsift.SimilarityConstraintScore` saw on its way through the features, and the
pairs that :class:`pairsift.ActiveSession` asked about.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_wine
from sklearn.preprocessing import minmax_scale

from pairsift import ActiveSession, SimilarityConstraintScore
from pairsift.plotting import plot_embedding, plot_path

X, y = load_wine(return_X_y=True, as_frame=True)
X[:] = minmax_scale(X)

# %%
# One row in twenty is labelled. The error falls while features help and rises again
# when they only push rows apart; the smallest tells the number of features. The minimum
# is flat, and where it lies depends on the width ``sigma`` as much as on the features.

few_labels = np.where(np.arange(len(y)) % 20 == 0, y, -1)
selector = SimilarityConstraintScore(sigma=0.5).fit(X, few_labels)
plot_path(selector)
print(f"error with {selector.n_features_to_select_} features:", end=" ")
print(f"{selector.path_scores_.min():.4f}, with all: {selector.path_scores_[-1]:.4f}")

# %%
# Twelve questions. Each asks about the pair whose answer would move the most
# uncertain row most: that row against rows at the ends of the eigenvector.

session = ActiveSession(X, strategy="eigenvector")
for _ in range(12):
    i, j = session.ask()
    session.tell(i, j, "same" if y[i] == y[j] else "different")
print(session)
plot_embedding(session)
plt.show()
