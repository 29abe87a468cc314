"""
Thirty questions and a sparse model of "same"
=============================================

No class is named here. Thirty pairs of tumours are shown to a person who says
"same" or "different", and from the answers :class:`~pairsift.PairLogistic` ranks the
measurements.
"""

# %%
# Asking
# ------
# The labels of the data set answer in the place of a person. After eight pairs from
# different regions, each question is about the pair of which the model of the answers
# so far is least sure.

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import MinMaxScaler

from pairsift import PairLogistic, ReliefF, ReliefFSc, select_constraints
from pairsift.evaluation import accuracy_curve
from pairsift.plotting import plot_accuracy_curve, plot_path

data = load_breast_cancer()
X_train, X_test, y_train, y_test = train_test_split(
    data.data, data.target, test_size=0.5, stratify=data.target, random_state=0
)
scaler = MinMaxScaler().fit(X_train)
X_train, X_test = scaler.transform(X_train), scaler.transform(X_test)

answers = select_constraints(
    X_train, y_train, None, max_queries=30, strategy="uncertainty"
)
print(answers)

# %%
# The path
# --------
# From left to right the penalty falls, and features enter the model one after the
# other.

selector = PairLogistic().fit(X_train, constraints=answers)
print([str(data.feature_names[j]) for j in selector.order_[:5]])
plot_path(selector, feature_names=data.feature_names)

# %%
# Second thoughts
# ---------------
# An answer that the other answers speak against is worth a second look. Here all are
# true, and yet some are surprising.

for doubt in selector.doubtful_answers(X_train, constraints=answers)[:3]:
    print(doubt)

# %%
# What the questions are worth
# ----------------------------
# The curves tell how often a nearest neighbour is right that compares the best features
# only: asked by the model, at random, by the published strategy with its own ranking,
# and with all labels. Every curve has the mean of ten runs, and one data set proves
# nothing: the guide has 26.

ways = {
    "unsure pairs": ("uncertainty", PairLogistic),
    "random pairs": ("random", PairLogistic),
    "published": ("eigenvector", ReliefFSc),
}
curves: dict[str, list[np.ndarray]] = {name: [] for name in (*ways, "all labels")}
for seed in range(10):
    X_train, X_test, y_train, y_test = train_test_split(
        data.data, data.target, test_size=0.7, stratify=data.target, random_state=seed
    )
    scaler = MinMaxScaler().fit(X_train)
    X_train, X_test = scaler.transform(X_train), scaler.transform(X_test)
    orders = {"all labels": ReliefF().fit(X_train, y_train).order_}
    for name, (strategy, selector_class) in ways.items():
        answers = select_constraints(
            X_train, y_train, None, 30, strategy=strategy, random_state=seed
        )
        orders[name] = selector_class().fit(X_train, constraints=answers).order_
    for name, order in orders.items():
        curve = accuracy_curve(X_train, y_train, X_test, y_test, order[:15])
        curves[name].append(curve.accuracies)

plot_accuracy_curve({name: np.array(runs) for name, runs in curves.items()})
plt.show()
