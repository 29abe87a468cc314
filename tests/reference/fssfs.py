"""Forward semi-supervised selection in plain loops (slow), after Ren et al. 2008."""

from collections import Counter

import numpy as np
from sklearn.base import clone


def predict(model, X, y, training, test):
    classes = [y[r] for r in training]
    if len(set(classes)) == 1 or all((X[r] == X[training[0]]).all() for r in training):
        counts = Counter(classes)
        return [min(counts, key=lambda c: (-counts[c], c))] * len(test)
    fitted = clone(model).fit([X[r] for r in training], classes)
    return list(fitted.predict([X[r] for r in test]))


def accuracy(model, X, y, rows, folds, is_judged):
    n_hits = n_judged = 0
    for fold in sorted(set(folds)):
        training = [r for r, f in zip(rows, folds, strict=True) if f != fold]
        test = [
            r for r, f in zip(rows, folds, strict=True) if f == fold and is_judged[r]
        ]
        found = predict(model, X, y, training, test)
        n_hits += sum(y[r] == c for r, c in zip(test, found, strict=True))
        n_judged += len(test)
    return n_hits / n_judged


def fssfs(model, X, labels, n_steps, n_trials, share, n_folds, judge, rng):
    """Features added one by one and then the others, accuracies, shares of votes."""
    n, d = X.shape
    known = [r for r in range(n) if labels[r] >= 0]
    unknown = [r for r in range(n) if labels[r] < 0]
    is_judged = [labels[r] >= 0 or judge == "all" for r in range(n)]
    y, added, means, shares = list(labels), [], [], []

    def deal(rows):
        folds = [None] * len(rows)
        places = rng.permutation(len(rows)).tolist()
        places.sort(key=lambda p: (not is_judged[rows[p]], y[rows[p]]))
        for i, place in enumerate(places):
            folds[place] = i % min(n_folds, len(known))
        return folds

    def relabel(left):
        """Labels by the features added, and how each of the others alone tells them."""
        rows = list(known)
        if added:
            found = predict(model, X[:, added], y, known, unknown)
            for r, c in zip(unknown, found, strict=True):
                y[r] = c
            rows = list(range(n))
        folds = deal(rows)
        return {f: accuracy(model, X[:, [f]], y, rows, folds, [True] * n) for f in left}

    for _ in range(n_steps):
        left = [f for f in range(d) if f not in added]
        alone = relabel(left)
        votes, sums = Counter(), Counter()
        for _ in range(n_trials):
            rows = list(known)
            if added:
                n_drawn = round(share * len(unknown))
                rows += rng.choice(unknown, n_drawn, replace=False).tolist()
            folds = deal(rows)
            found = {
                f: accuracy(model, X[:, [*added, f]], y, rows, folds, is_judged)
                for f in left
            }
            tied = [f for f in left if found[f] >= max(found.values()) - 1e-12]
            for f in tied:
                votes[f] += 1 / len(tied)
            for f in left:
                sums[f] += found[f] / n_trials
        best = max(
            left,
            key=lambda f: (round(votes[f], 9), round(sums[f], 12), alone[f], -f),
        )
        if added and sums[best] < max(means) + 1 / len(known) - 1e-12:
            best = max(left, key=lambda f: (round(alone[f], 12), -f))
        added.append(best)
        means.append(sums[best])
        shares.append(votes[best] / n_trials)
    left = [f for f in range(d) if f not in added]
    alone = relabel(left)
    left.sort(key=lambda f: (-alone[f], f))
    return added + left, np.array(means), np.array(shares)
