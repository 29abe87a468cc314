"""Known relevant columns, found by forward-backward search or not."""

from collections.abc import Callable
from functools import cached_property
from typing import Any, ClassVar, NamedTuple

import numpy as np

from benchmarks._scenario import Scenario

# Without pairs, and tests as if the best candidate were the only one.
PUBLISHED = {"pairs": False, "familywise": False, "must_rise": False}


class Recovery(NamedTuple):
    """What was found over all seeds."""

    name: str
    n_complete: int
    """Seeds with all relevant columns found."""
    n_missed: int
    n_noise: int
    n_copies: int
    n_seeds: int
    n_noise_columns: int
    """In all seeds together."""

    def __str__(self) -> str:
        return (
            f"{self.name:<18} {self.n_complete:>3} of {self.n_seeds:<3} "
            f"{self.n_missed:>6} {self.n_noise:>5} of {self.n_noise_columns:<4} "
            f"{self.n_copies:>6}"
        )


class InformationRecovery(Scenario):
    """Forward-backward search with the mixed estimator on generated problems."""

    name = "information-recovery"
    reference = "time_published"
    sizes: ClassVar = {"n_samples": 2000, "n_seeds": 10}
    tiny_sizes: ClassVar = {"n_samples": 100, "n_seeds": 1}

    def setup(self) -> None:
        from pairsift.datasets import make_xor

        problem = make_xor(self.size["n_samples"], random_state=self.seed)
        self.X, self.y = problem.data, problem.target

    def time_forward_backward(self) -> np.ndarray:
        return self._search(self.X, self.y, self.seed)

    def time_published(self) -> np.ndarray:
        return self._search(self.X, self.y, self.seed, **PUBLISHED)

    def track_fewest_complete(self) -> float:
        """Seeds with all relevant columns, on the worst problem."""
        return min(found.n_complete for found in self.recovered)

    def track_noise_rate(self) -> float:
        """Share of the useless columns that were selected."""
        n_columns = sum(found.n_noise_columns for found in self.recovered)
        return sum(found.n_noise for found in self.recovered) / n_columns

    def report(self) -> str:
        header = f"{'problem':<18} {'complete':>10} {'missed':>6} {'noise':>12} copies"
        published = self._recover_all(", published", PUBLISHED)
        return "\n".join([header, *map(str, self.recovered), *map(str, published)])

    @cached_property
    def recovered(self) -> list[Recovery]:
        return self._recover_all("", {})

    def _recover_all(self, note: str, options: dict[str, bool]) -> list[Recovery]:
        from pairsift.datasets import make_dcbench, make_fbench, make_xor

        makers = {"XOR": make_xor, "DCbench": make_dcbench, "FBench": make_fbench}
        return [
            self._recover(name + note, make, options) for name, make in makers.items()
        ]

    def _recover(
        self, name: str, make: Callable[..., Any], options: dict[str, bool]
    ) -> Recovery:
        counts = np.zeros(5, dtype=int)
        for seed in range(self.size["n_seeds"]):
            problem = make(self.size["n_samples"], random_state=seed)
            order = self._search(problem.data, problem.target, seed, **options)
            found = set(order.tolist())
            relevant, copies = set(problem.relevant), set(problem.redundant)
            n_noise_columns = problem.data.shape[1] - len(relevant) - len(copies)
            missed = relevant - found
            noise = found - relevant - copies
            counts += [
                not missed,
                len(missed),
                len(noise),
                len(found & copies),
                n_noise_columns,
            ]
        *some, n_noise_columns = counts.tolist()
        return Recovery(name, *some, self.size["n_seeds"], n_noise_columns)

    def _search(
        self, X: np.ndarray, y: np.ndarray, seed: int, **options: bool
    ) -> np.ndarray:
        from pairsift import ForwardBackwardMI

        selector = ForwardBackwardMI(
            random_state=seed, n_jobs=self.threads, **options
        ).fit(X, y)
        return selector.order_[: selector.n_found_]
