"""
Which pixels tell two digits apart?
===================================

Pixels are features, so that a ranking of features is a picture. Fifty pairs of
handwritten digits were said to be the same or different, and
:class:`~pairsift.ConstraintScore2` scores each pixel.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits

from pairsift import ConstraintScore2, PairConstraints

# %%
# Images of 8 by 8 pixels, which come with scikit-learn. Pixels that are white in all
# images score 0.

digits = load_digits()


def pixel_scores(a, b):
    rows = np.isin(digits.target, [a, b])
    X, y = digits.data[rows], digits.target[rows]
    pairs = PairConstraints.sample(y, 25, 25, random_state=0)
    return ConstraintScore2(5, lambda_=1.0).fit(X, constraints=pairs)


# %%
# Beside the mean image of each digit the scores of the pixels: purple where different
# digits differ more than equal ones, orange where less. Frames mark the five best
# pixels.

figure, axes = plt.subplots(3, 3, figsize=(6, 6), layout="constrained")
for line, (a, b) in zip(axes, [(0, 1), (3, 8), (4, 9)], strict=True):
    selector = pixel_scores(a, b)
    for ax, digit in zip(line[:2], (a, b), strict=True):
        mean = digits.images[digits.target == digit].mean(axis=0)
        ax.imshow(mean, cmap="gray_r")
        ax.set_title(f"mean of {digit}")
    scores = selector.scores_.reshape(8, 8)
    most = np.abs(scores).max()
    line[2].imshow(scores, cmap="PuOr", vmin=-most, vmax=most)
    line[2].set_title(f"{a} or {b}?")
    for pixel in selector.order_[:5]:
        x, y = pixel % 8 - 0.5, pixel // 8 - 0.5
        line[2].add_patch(plt.Rectangle((x, y), 1, 1, fill=False, linewidth=1.5))
    best = [(int(p) // 8, int(p) % 8) for p in selector.order_[:3]]
    print(f"{a} or {b}: best pixels (row, column) {best}")
for ax in axes.ravel():
    ax.set(xticks=[], yticks=[])
plt.show()
