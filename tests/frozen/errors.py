"""Common mistakes of users; their messages are compared as text."""

import re
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from scipy.sparse import csr_array
from sklearn.datasets import load_wine

import pairsift
from pairsift import ActiveSession, PairConstraints

WINE, CLASSES = load_wine(return_X_y=True, as_frame=True)
X, Y = WINE.to_numpy(), CLASSES.to_numpy()
PAIRS = PairConstraints([(0, 9), (61, 80)], [(0, 70), (3, 140)], n_samples=178)
GAPS = WINE.mask(WINE > 1000)
TEXT = WINE.assign(colour=np.where(Y == 1, "red", "white"))


def session() -> ActiveSession:
    """Return a session with two piles."""
    begun = ActiveSession(WINE)
    for _ in range(2):
        begun.place(begun.ask_card().row, "new")
    return begun


MISTAKES: dict[str, Callable[[], Any]] = {
    "no labels": lambda: pairsift.ReliefF().fit(X),
    "no pairs": lambda: pairsift.PairLogistic().fit(X),
    "one class": lambda: pairsift.FisherScore().fit(X, np.zeros(178, dtype=int)),
    "-1 and 1": lambda: pairsift.ReliefF().fit(X, np.where(Y == 1, -1, 1)),
    "number to predict": lambda: pairsift.SemiMRMR().fit(X, WINE["hue"]),
    "missing cells": lambda: pairsift.VarianceScore().fit(GAPS),
    "text": lambda: pairsift.FisherScore().fit(TEXT, Y),
    "infinity": lambda: pairsift.ReliefF().fit(np.where(X > 1500, np.inf, X), Y),
    "labels of other rows": lambda: pairsift.ReliefF().fit(X, Y[:100]),
    "name of a column as labels": lambda: pairsift.ReliefF().fit(WINE, "hue"),
    "pairs as labels": lambda: pairsift.ReliefF().fit(X, PAIRS),
    "session as labels": lambda: pairsift.SemiMRMR().fit(X, session()),
    "labels as data": lambda: pairsift.ReliefF().fit(Y, X),
    "path as data": lambda: pairsift.ReliefF().fit("wine.csv", Y),
    "sparse data": lambda: pairsift.ReliefF().fit(csr_array(X), Y),
    "a column twice": lambda: pairsift.ReliefF().fit(
        pd.concat([WINE, WINE["hue"]], axis=1), Y
    ),
    "lists as pairs": lambda: pairsift.PairLogistic().fit(X, constraints=[(0, 1)]),
    "fold without sample_ids": lambda: pairsift.PairLogistic().fit(
        X[:100], constraints=PAIRS
    ),
    "wrong number of sample_ids": lambda: pairsift.PairLogistic().fit(
        X[:100], constraints=PAIRS, sample_ids=np.arange(178)
    ),
    "no pair in the fold": lambda: pairsift.PairLogistic().fit(
        X[100:130], constraints=PAIRS, sample_ids=np.arange(100, 130)
    ),
    "contradiction": lambda: pairsift.FisherScore().fit(
        X, constraints=PairConstraints([(0, 1), (1, 2)], [(0, 2)], n_samples=178)
    ),
    "too many features": lambda: pairsift.ReliefF(99).fit(X, Y),
    "unknown value": lambda: pairsift.ReliefF(ties="shere").fit(X, Y),
    "number out of range": lambda: pairsift.ReliefF(n_neighbors=0).fit(X, Y),
    "unknown categorical column": lambda: pairsift.ReliefF(
        categorical_features=["taste"]
    ).fit(WINE, Y),
    "not fitted": lambda: pairsift.ReliefF().transform(X),
    "other columns": lambda: pairsift.ReliefF().fit(WINE, Y).transform(WINE[["hue"]]),
    "row of a pair outside": lambda: PairConstraints([(0, 178)], n_samples=178),
    "pair of a row with itself": lambda: PairConstraints([(3, 3)]),
    "must and cannot": lambda: PairConstraints([(1, 2)], [(2, 1)]),
    "id that is none": lambda: PairConstraints([("a", "c")], ids=["a", "b"]),
    "unknown pile": lambda: session().place(100, 7),
    "unknown answer": lambda: session().tell(1, 2, "maybe"),
    "pair asked of one row": lambda: session().tell(1, 1, "same"),
    "no session file": lambda: ActiveSession.load(Path(__file__)),
    "unknown strategy": lambda: ActiveSession(X, strategy="sorted"),
    "oracle that answers oddly": lambda: pairsift.choose_features(
        X, lambda i, j: "perhaps", n_questions=3
    ),
    "unknown method": lambda: pairsift.selectors.find_method("relief-z"),
}


def message(mistake: Callable[[], Any]) -> str:
    """Return the type and the text of the error that a mistake raises."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            mistake()
        except Exception as error:
            # Files lie elsewhere on other machines, and scikit-learn lists the values
            # that a parameter accepts in any order.
            text = str(error).replace(str(Path(__file__)), "FILE")
            return f"{type(error).__name__}: {re.sub('{.*}', '{...}', text)}"
    return "no error"
