"""The number of features that `select` takes when none is given."""

import numpy as np
import pandas as pd
import pytest

from pairsift import methods
from pairsift.cli._number import with_number
from pairsift.selectors import find_method


@pytest.fixture
def wide(tmp_path):
    """Sixty rows of two classes, and thirty columns of which two differ by class."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(60, 30))).add_prefix("x")
    is_high = np.arange(60) % 2
    frame["x3"] += 4.0 * is_high
    frame["x7"] += 4.0 * is_high
    frame["class"] = np.where(is_high, "high", "low")
    path = tmp_path / "wide.csv"
    frame.to_csv(path, index=False)
    return path


def selected(document):
    return [line["feature"] for line in document["ranking"] if line["selected"]]


def test_a_method_that_finds_its_number_is_asked_for_it(run, wide, strict_json):
    result = run("select", wide, "--label", "class", "--json")
    document = strict_json(result.stdout)
    assert 1 <= len(selected(document)) < 10
    assert document["n_selected"] == len(selected(document))
    assert document["n_selected_chosen_by"] == "method"
    assert document["parameters"]["n_features_to_select"] == "auto"
    assert "semi-mrmr chose the number of features itself; --top takes" in result.stderr


@pytest.mark.parametrize("method", ["fisher-score", "unsupervised-mrmr"])
def test_other_methods_take_ten(run, wide, strict_json, method):
    known = ["--label", "class"] if method == "fisher-score" else ["--drop", "class"]
    result = run("select", wide, *known, "--method", method, "--json")
    document = strict_json(result.stdout)
    assert len(selected(document)) == document["n_selected"] == 10
    assert document["n_selected_chosen_by"] == "default"
    assert "10 features, the default here; --top takes another." in result.stderr


def test_all_features_are_taken_where_there_are_fewer_than_ten(run, data, strict_json):
    result = run("select", data, "--method", "variance-score", "--json")
    assert strict_json(result.stdout)["n_selected"] == 4
    assert "4 features, the default here" in result.stderr


@pytest.mark.parametrize("word", ["--top=3", "--param=n_features_to_select=3"])
def test_a_number_that_is_given_is_taken_without_a_note(run, wide, strict_json, word):
    result = run("select", wide, "--label", "class", word, "--json")
    document = strict_json(result.stdout)
    assert document["n_selected"] == 3
    assert document["n_selected_chosen_by"] == "user"
    assert "--top takes another" not in result.stderr


@pytest.mark.parametrize("method", methods()["name"])
def test_each_method_takes_the_number(method):
    selector_class = find_method(method)
    number = with_number(selector_class, {}, 20)
    selector_class(**number.parameters)._validate_params()
    default = selector_class().n_features_to_select
    # A method that chooses a number by default goes on doing so.
    assert (default == "auto") <= (number.chosen_by == "method")


def test_mrmr_finds_a_number_by_correlation_only():
    chosen_by = {
        estimator: with_number(find_method("mrmr"), {"estimator": estimator}, 20)[1]
        for estimator in ("correlation", "information")
    }
    assert chosen_by == {"correlation": "method", "information": "default"}
    assert with_number(find_method("mrmr"), {}, 20).chosen_by == "default"
