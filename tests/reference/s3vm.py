"""The objective of the semi-supervised machine in plain loops."""


def objective(X, signs, w, b, C, unlabelled):
    """|w|₁ and the mean costs; signs are 0 for rows without a label."""
    labelled, others = [], []
    for x, sign in zip(X, signs, strict=True):
        f = sum(a * v for a, v in zip(w, x, strict=True)) + b
        if sign:
            labelled.append(max(0.0, 1.0 - sign * f))
        else:
            others.append(min(max(0.0, 1.0 - f), max(0.0, 1.0 + f)))
    total = sum(abs(v) for v in w) + C * sum(labelled) / len(labelled)
    if others:
        total += C * unlabelled * sum(others) / len(others)
    return total
