"""What every score function says of numbers it cannot compute with."""

import inspect
import re
import warnings

import numpy as np
import pytest

from pairsift import scores
from pairsift.graphs import similarity_graph

FUNCTIONS = {
    name: getattr(scores, name) for name in scores.__all__ if not name[0].isupper()
}


def arguments(function, X):
    """Data for the parameters of a function that have no default."""
    labels = np.arange(len(X)) % 2
    known = {
        "X": X,
        "S": similarity_graph(np.arange(len(X) * 2.0).reshape(-1, 2)),
        "labels": labels,
        "classes": labels,
        "clusters": labels,
        "target": np.arange(len(X)) % 5 * 1.0,
        "must_link": [(0, 2), (1, 3)],
        "cannot_link": [(0, 1), (2, 3)],
    }
    parameters = inspect.signature(function).parameters.values()
    return {
        parameter.name: known[parameter.name]
        for parameter in parameters
        if parameter.default is inspect.Parameter.empty
        and parameter.kind is not inspect.Parameter.VAR_KEYWORD
    }


def is_count_or_number(parameter):
    is_number = isinstance(parameter.default, int | float)
    is_flag = isinstance(parameter.default, bool)
    return is_number and not is_flag and parameter.name != "random_state"


def refusal(function, given):
    """What the function says, or nothing when it returns; NaN is never returned."""
    try:
        with warnings.catch_warnings():
            # A sentence is all right, NumPy's RuntimeWarning is not.
            warnings.simplefilter("ignore", UserWarning)
            found = function(**given)
    except ValueError as error:
        return str(error)
    for value in found if isinstance(found, tuple) else [found]:
        is_numeric = isinstance(value, np.ndarray) and value.dtype == np.float64
        assert not is_numeric or not np.isnan(value).any()
    return ""


# With weights that may be that large LMFS cannot end at a minimum, and says so.
@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:a projected gradient step still changes")
@pytest.mark.parametrize(
    ("name", "parameter"),
    [
        (name, parameter.name)
        for name, function in FUNCTIONS.items()
        for parameter in inspect.signature(function).parameters.values()
        if is_count_or_number(parameter)
    ],
)
def test_parameter_of_thirty_digits_is_taken_or_refused(name, parameter, rng):
    function = FUNCTIONS[name]
    given = arguments(function, rng.random((12, 3))) | {parameter: 10**30}
    message = refusal(function, given)
    assert not message or (parameter in message and message.endswith("."))


@pytest.mark.slow
@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("scale", [1e100, 1e200, 1.7e308, 1e-200, 1e-320])
def test_numbers_of_any_size_are_taken_or_refused(name, scale, rng):
    """Without any NumPy warning, which the tests make an error."""
    function = FUNCTIONS[name]
    X = rng.uniform(-1.0, 1.0, (12, 3)) * scale
    message = refusal(function, arguments(function, X))
    assert not message or re.search("scale (it|X) first", message)
