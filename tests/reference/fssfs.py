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
    """Features added one by one, their mean accuracies and shares of votes."""
    n, d = X.shape
    known = [r for r in range(n) if labels[r] >= 0]
    unknown = [r for r in range(n) if labels[r] < 0]
    is_judged = [labels[r] >= 0 or judge == "all" for r in range(n)]
    y, added, means, shares = list(labels), [], [], []
    for _ in range(n_steps):
        left = [f for f in range(d) if f not in added]
        if added:
            found = predict(model, X[:, added], y, known, unknown)
            for r, c in zip(unknown, found, strict=True):
                y[r] = c
        votes, sums = Counter(), Counter()
        for _ in range(n_trials):
            rows = list(known)
            if added:
                n_drawn = round(share * len(unknown))
                rows += rng.choice(unknown, n_drawn, replace=False).tolist()
            folds = [None] * len(rows)
            places = rng.permutation(len(rows)).tolist()
            places.sort(key=lambda p: (not is_judged[rows[p]], y[rows[p]]))
            for i, place in enumerate(places):
                folds[place] = i % min(n_folds, len(known))
            found = {
                f: accuracy(model, X[:, [*added, f]], y, rows, folds, is_judged)
                for f in left
            }
            votes[max(left, key=lambda f: (found[f], -f))] += 1
            for f in left:
                sums[f] += found[f] / n_trials
        best = max(left, key=lambda f: (votes[f], round(sums[f], 12), -f))
        added.append(best)
        means.append(sums[best])
        shares.append(votes[best] / n_trials)
    return added, np.array(means), np.array(shares)
