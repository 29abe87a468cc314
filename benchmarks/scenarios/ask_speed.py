"""What a question costs, and the path of the pair model beside scikit-learn's saga."""

import time
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from benchmarks._scenario import Scenario


class AskQuestion(Scenario):
    """One question after 30 answers, many rows and columns."""

    name = "ask-question"
    reference = "time_question"
    sizes: ClassVar = {"n_samples": 100_000, "n_features": 1_000, "n_answers": 30}
    tiny_sizes: ClassVar = {"n_samples": 60, "n_features": 5, "n_answers": 12}

    def setup(self) -> None:
        from pairsift import ActiveSession

        rng = np.random.default_rng(self.seed)
        X = rng.normal(size=(self.size["n_samples"], self.size["n_features"]))
        y = X[:, 3] + X[:, 1] > 0.0
        self.session = ActiveSession(X, strategy="uncertainty", n_jobs=self.threads)
        for _ in range(self.size["n_answers"]):
            i, j = self.session.ask()
            self.session.tell(i, j, "same" if y[i] == y[j] else "different")

    def time_question(self) -> tuple[int, int]:
        pair = self.session.ask()
        self.session.tell(*pair, "unsure")
        self.session.undo()
        return pair


class AskPath(Scenario):
    """The whole path of penalties, beside scikit-learn's saga to the same accuracy.

    saga has no bound w ≥ 0: it solves the problem with weights of either sign, whose
    duality gap is certified in the same way. It is stopped when it has taken `patience`
    times as long as ours; the ratio is then a lower bound.
    """

    name = "ask-path"
    reference = "time_pairsift"
    sizes: ClassVar = {"n_pairs": 2_000, "n_features": 10_000, "patience": 6}
    tiny_sizes: ClassVar = {"n_pairs": 40, "n_features": 30, "patience": 2}
    tolerance: ClassVar = 1e-6

    def setup(self) -> None:
        rng = np.random.default_rng(self.seed)
        n_samples, n_features = self.size["n_pairs"] // 2, self.size["n_features"]
        self.X = rng.normal(size=(n_samples, n_features))
        y = self.X[:, [n_features // 2, 3, n_features - 1]].sum(axis=1) > 0.0
        pairs = np.sort(rng.integers(n_samples, size=(5 * n_samples, 2)), axis=1)
        pairs = np.unique(pairs[pairs[:, 0] < pairs[:, 1]], axis=0)
        pairs = pairs[rng.permutation(len(pairs))[: self.size["n_pairs"]]]
        is_same = y[pairs[:, 0]] == y[pairs[:, 1]]
        self.must, self.cannot = pairs[is_same], pairs[~is_same]

    def time_pairsift(self) -> Any:
        from pairsift.scores import pair_logistic_path

        return pair_logistic_path(
            self.X, self.must, self.cannot, tol=self.tolerance, n_jobs=self.threads
        )

    def track_largest_gap(self) -> float:
        """How far our objectives can be above their minimum, at most."""
        return float(self.time_pairsift().gaps.max())

    def track_times_faster_than_saga(self) -> float:
        """Ratio of the times of the penalties that saga came to, or a lower bound."""
        return self._saga[0]

    def report(self) -> str:
        ratio, n_reached, n_penalties = self._saga
        return (
            f"saga reached {n_reached} of {n_penalties} penalties within its time; "
            f"{'at least ' if n_reached < n_penalties else ''}{ratio:.1f} times slower"
        )

    @cached_property
    def _saga(self) -> tuple[float, int, int]:
        start = time.perf_counter()
        path = self.time_pairsift()
        ours = time.perf_counter() - start
        limit = self.size["patience"] * ours
        seconds, n_reached = run_saga(self, path.penalties, limit)
        return seconds / ours, n_reached, len(path.penalties)


def run_saga(
    scenario: AskPath, penalties: np.ndarray, limit: float
) -> tuple[float, int]:
    """Fit penalty after penalty, warm, until the gap is small or the time is up."""
    import warnings

    from sklearn.linear_model import LogisticRegression

    pairs = np.concatenate([scenario.must, scenario.cannot])
    D = np.abs(scenario.X[pairs[:, 0]] - scenario.X[pairs[:, 1]])
    D = -D / np.ptp(scenario.X, axis=0)
    # The intercept takes the means up, and saga needs fewer steps without them.
    D -= D.mean(axis=0)
    counts = len(scenario.must), len(scenario.cannot)
    sign = np.repeat([1.0, -1.0], counts)
    share = np.repeat([0.5 / counts[0], 0.5 / counts[1]], counts)
    model = LogisticRegression(
        solver="saga", warm_start=True, tol=1e-12, max_iter=20, **_lasso()
    )
    begin = time.perf_counter()
    for n_reached, penalty in enumerate(penalties):
        model.set_params(C=1.0 / penalty)
        while True:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                model.fit(D, sign, sample_weight=share)
            if time.perf_counter() - begin > limit:
                return time.perf_counter() - begin, n_reached
            if _signed_gap(model, D, sign, share, penalty) <= scenario.tolerance:
                break
    return time.perf_counter() - begin, len(penalties)


def _lasso() -> dict[str, Any]:
    """Ask for the l1 penalty as the version of scikit-learn wants it."""
    import sklearn

    version = tuple(map(int, sklearn.__version__.split(".")[:2]))
    return {"l1_ratio": 1.0} if version >= (1, 8) else {"penalty": "l1"}


def _signed_gap(
    model: Any, D: np.ndarray, sign: np.ndarray, share: np.ndarray, penalty: float
) -> float:
    """Certify how far the objective of a model can be above its minimum."""
    w = model.coef_[0]
    margin = sign * (D @ w + model.intercept_[0])
    value = share @ np.logaddexp(0.0, -margin) + penalty * np.abs(w).sum()
    wrong = 1.0 / (1.0 + np.exp(margin))
    # The intercept is not yet the best: balance the two kinds.
    same, different = (
        (share * wrong)[sign > 0].sum(),
        (share * wrong)[sign < 0].sum(),
    )
    least = min(same, different)
    wrong *= np.where(sign > 0, least / same, least / different)
    steepest = np.abs((share * sign * wrong) @ D).max()
    u = wrong * min(1.0, penalty / steepest)
    entropy = -(u * np.log(u) + (1.0 - u) * np.log1p(-u))
    return float(value - share @ entropy)
