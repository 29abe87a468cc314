"""About how long a fit takes."""

from numbers import Integral
from typing import Any, NamedTuple

from pairsift._cores import number_of_jobs


class Problem(NamedTuple):
    """What the time of a fit depends on, named as in `Method.cost`."""

    n: int
    """Samples."""
    d: int
    """Features."""
    m: int
    """Labelled samples."""
    p: int
    """Pairs."""
    c: int
    """Classes."""
    t: int
    """Threads."""


def estimate_seconds(
    selector: Any,
    n_samples: int,
    n_features: int,
    *,
    n_labelled: int | None = None,
    n_pairs: int = 0,
    n_classes: int = 2,
    n_jobs: int | None = -1,
) -> float:
    """Estimate how long a selector would take to fit.

    Parameters
    ----------
    selector : estimator
        A selector of pairsift, with its parameters.
    n_samples : int
        Number of samples.
    n_features : int
        Number of features.
    n_labelled : int, default=None
        Number of samples that have a label; None for all, or none if there are pairs.
    n_pairs : int, default=0
        Number of pairs.
    n_classes : int, default=2
        Number of classes of the labels.
    n_jobs : int or None, default=-1
        Most threads to reckon with: -1 for all cores, None as in joblib. A selector
        with fewer takes its own number.

    Returns
    -------
    seconds : float
        About how long, after compiling. The number of operations is counted; what one
        takes was measured on one machine, an AMD EPYC of 2023. Expect to be wrong by a
        factor of three, more where the number of steps depends on the data.

    Examples
    --------
    >>> import pairsift
    >>> pairsift.estimate_seconds(pairsift.VarianceScore(), 1000, 20) < 1
    True
    """
    selector._validate_params()
    if not isinstance(n_samples, Integral) or not isinstance(n_features, Integral):
        raise TypeError(
            "n_samples and n_features must be whole numbers, got "
            f"{type(n_samples).__name__} and {type(n_features).__name__}: for data X "
            "write estimate_seconds(selector, *X.shape)."
        )
    if n_labelled is None:
        n_labelled = n_samples if n_pairs == 0 else 0
    if n_pairs == 0:
        n_pairs = n_labelled * (n_labelled - 1) // 2
    n_threads = number_of_jobs(n_jobs)
    problem = Problem(n_samples, n_features, n_labelled, n_pairs, n_classes, n_threads)
    return seconds_of(selector, problem)


def seconds_of(selector: Any, problem: Problem) -> float:
    """Return the estimate of a selector, 0 for an estimator that is not of pairsift."""
    if not hasattr(selector, "_method"):
        return 0.0
    n_threads = number_of_jobs(getattr(selector, "n_jobs", -1))
    problem = problem._replace(t=min(n_threads, problem.t))
    return float(selector._method.seconds(selector, problem))


def graph_seconds(selector: Any, z: Problem) -> float:
    """Of a graph of the samples, and of sums over its edges."""
    kind = getattr(selector, "graph", "knn")
    if kind == "full":
        return (2e-10 * z.d + 1.6e-8) * z.n**2 / z.t
    if kind == "epsilon":
        return 5e-10 * z.n**2 * z.d
    return (1e-10 * z.n / z.t + 1e-7) * z.n * z.d


def pair_seconds(z: Problem) -> float:
    """Of weights of all pairs, which are listed and sorted."""
    return (2e-6 + 1e-9 * z.d) * z.p


def margin_seconds(z: Problem, *, has_ramp: bool = False) -> float:
    """Of the near-hits of the ends of pairs, and of margins to them."""
    n_ends = z.m or min(2 * z.p, z.n)
    # Pairs of labels are summed without a list, but for a ramp.
    n_listed = 0 if z.m and not has_ramp else z.p
    return (2e-10 * z.n * n_ends + 2e-8 * n_listed) * z.d / z.t + 1e-7 * z.n * z.d


def relief_seconds(selector: Any, z: Problem, n_neighbors: int) -> float:
    """Of the distances between labelled samples, and of their nearest ones."""
    n_judged = selector.max_samples or z.m
    return (1.2e-10 * z.m * z.d + 4e-7 * z.c * n_neighbors) * n_judged / z.t


def soft_seconds(z: Problem, n_steps: int) -> float:
    """Of steps in which each labelled sample is a neighbour of all by probability."""
    return (5e-10 * z.d + 1.5e-8) * n_steps * z.n * z.m / z.t


def n_tried(selector: Any, z: Problem) -> float:
    """Return how many features a forward search tries in all its steps."""
    n_steps = selector._n_steps(z.d)
    return float(n_steps * (z.d - (n_steps - 1) / 2))
