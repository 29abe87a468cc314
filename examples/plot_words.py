"""
Which words tell topics apart?
==============================

Counts of words are a sparse matrix: most words are in few documents. Some selectors
take it as it is, and never make all of it dense.
"""

import matplotlib.pyplot as plt
import numpy as np
from scipy import sparse
from sklearn.feature_extraction.text import CountVectorizer

from pairsift import FisherScore, PairConstraints, PairLogistic

# %%
# A corpus is made up: each document has a topic, from which a fifth of its words come.
# The others are of no topic.

rng = np.random.default_rng(0)
TOPICS = {
    "sea": ["ship", "harbour", "sail", "captain", "wave", "anchor"],
    "kitchen": ["bread", "butter", "oven", "salt", "kettle", "spoon"],
    "garden": ["rose", "seed", "spade", "hedge", "lawn", "bee"],
}
OTHERS = [f"word{number:03d}" for number in range(300)]
names = list(TOPICS)
y = rng.integers(0, len(names), 300)
texts = [
    " ".join([*rng.choice(TOPICS[names[topic]], 8), *rng.choice(OTHERS, 32)])
    for topic in y
]
vectorizer = CountVectorizer()
X = vectorizer.fit_transform(texts)
words = vectorizer.get_feature_names_out()
assert sparse.issparse(X)
share = X.nnz / np.prod(X.shape)
print(f"{X.shape[0]} documents, {X.shape[1]} words, {share:.0%} of the cells not zero")

# %%
# From labels, and from 200 pairs of documents said to be of one topic or of two.

by_labels = FisherScore(18).fit(X, y)
pairs = PairConstraints.sample(y, 100, 100, random_state=0)
by_pairs = PairLogistic(18).fit(X, constraints=pairs)
print("labels:", *words[by_labels.order_[:6]])
print("pairs: ", *words[by_pairs.order_[:6]])
chosen = by_labels.transform(X)
print(f"the selected columns are sparse, too: {type(chosen).__name__}, {chosen.shape}")

# %%
# The best words; one that belongs to no topic would be orange. With 40 pairs in place
# of 200, twelve of the eighteen would be.

of_topic = {word for group in TOPICS.values() for word in group}
figure, axes = plt.subplots(1, 2, figsize=(8, 4.5), layout="constrained")
titles = ("Fisher score, 300 labels", "pair model, 200 pairs")
for ax, selector, title in zip(axes, (by_labels, by_pairs), titles, strict=True):
    best = selector.order_[:18]
    colors = ["#0072b2" if words[j] in of_topic else "#d55e00" for j in best]
    ax.barh(words[best], selector.scores_[best], color=colors)
    ax.invert_yaxis()
    ax.set(title=title, xlabel="score")
    n_found = sum(words[j] in of_topic for j in best)
    print(f"{title}: {n_found} of the best 18 are words of a topic")
plt.show()
