"""``pairsift propagate``: pairs spread, written, and read again."""

import csv
import io

import numpy as np
import pandas as pd
import pytest

from pairsift.active import propagate
from pairsift.constraints import PairConstraints

GIVEN = "a,b,link\n0,1,cannot\n2,3,cannot\n0,2,must\n"


@pytest.fixture
def groups(tmp_path):
    """Two groups far apart: even rows and odd rows."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 2)) + 8.0 * (np.arange(40) % 2)[:, None]
    frame = pd.DataFrame(X, columns=["x", "z"])
    frame["kind"] = np.where(np.arange(40) % 2, "odd", "even")
    frame["name"] = [f"n{row}" for row in range(40)]
    path = tmp_path / "groups.csv"
    frame.to_csv(path, index=False)
    return path


@pytest.fixture
def spread(run, groups, write_csv):
    """Spread the given pairs with some options, without the columns of text."""

    def command(*options):
        pairs = write_csv("pairs.csv", GIVEN)
        words = ["propagate", groups, "--constraints", pairs, "--label", "kind"]
        return run(*words, "--drop", "name", *options)

    return command


def test_the_pairs_are_those_of_the_library(spread, groups):
    result = spread("--alpha", "0.9", "--links", "both", "--threshold", "1e-4")
    X = pd.read_csv(groups)[["x", "z"]]
    expected = propagate(
        PairConstraints([(0, 2)], [(0, 1), (2, 3)], n_samples=40),
        (X - X.min()) / (X.max() - X.min()),
        alpha=0.9,
        graph="knn",
        links="both",
        threshold=1e-4,
    )
    rows = list(csv.DictReader(io.StringIO(result.stdout)))
    found = {
        link: [[int(r["a"]), int(r["b"])] for r in rows if r["link"] == link]
        for link in ("must", "cannot")
    }

    assert result.exit_code == 0, result.stderr
    assert found["must"] == expected.must_link.tolist()
    assert found["cannot"] == expected.cannot_link.tolist()
    assert len(found["cannot"]) > 2
    confidences = [float(r["confidence"]) for r in rows if r["link"] == "cannot"]
    np.testing.assert_allclose(confidences, expected.cannot_confidence, rtol=1e-5)


def test_agreement_with_labels_counts_the_new_pairs(spread, strict_json):
    result = spread("--threshold", "1e-5", "--json")
    document = strict_json(result.stdout)
    new = [pair for pair in document["pairs"] if not pair["given"]]
    n_right = sum((int(c["a"]) - int(c["b"])) % 2 for c in new)

    assert document["n_given"] == 3
    assert document["agreement"] == {
        "n_new": len(new),
        "n_agreeing": n_right,
        "n_disagreeing": len(new) - n_right,
        "n_unlabelled": 0,
        # 20 rows of each kind: 400 of 780 pairs are of two kinds.
        "share_by_chance": pytest.approx(400 / 780),
    }
    assert f"of {len(new)} new pairs, {n_right} agree with the labels" in (
        result.stderr
    )


def test_rows_without_a_label_are_counted_apart(spread, groups, strict_json):
    frame = pd.read_csv(groups)
    frame["kind"] = None
    frame.to_csv(groups, index=False)
    agreement = strict_json(spread("--threshold", "1e-5", "--json").stdout)["agreement"]

    assert agreement["n_unlabelled"] == agreement["n_new"] > 0


def test_the_file_is_read_again_as_constraints(spread, run, groups, tmp_path):
    out = tmp_path / "spread.csv"
    result = spread("--out", out)
    again = run(
        "select", groups, "--constraints", out, "--label", "kind", "--drop", "name"
    )

    assert result.stdout == ""
    assert f"wrote {out}" in result.stderr
    assert again.exit_code == 0, again.stderr


@pytest.mark.parametrize("is_right", [True, False])
def test_the_command_says_how_far_to_trust_the_pairs(
    run, groups, write_csv, strict_json, is_right
):
    rng = np.random.default_rng(0)
    kind = np.arange(40) % 2 if is_right else rng.integers(0, 2, 40)
    pairs = {tuple(sorted(pair)) for pair in rng.integers(0, 40, (50, 2)).tolist()}
    lines = [
        f"{a},{b},{'same' if kind[a] == kind[b] else 'different'}\n"
        for a, b in sorted(pairs)
        if a != b
    ]
    pairs = write_csv("pairs.csv", "a,b,link\n" + "".join(lines))
    words = ["propagate", groups, "--constraints", pairs, "--drop", "name"]
    result = run(*words, "--drop", "kind", "--json")
    (check,) = strict_json(result.stdout)["held_out"]
    said = " ".join(result.stderr.split())

    assert result.exit_code == 0, result.stderr
    assert check["link"] == "cannot"
    assert check["is_chance"] == (not is_right)
    assert ("may be no better than chance: " in said) == (not is_right)
    assert ("check of the cannot-links: " in said) == is_right
    assert f"in {check['auc']:.0%} of all comparisons (50% is chance" in said


def test_too_few_pairs_to_check_have_no_number(spread, strict_json):
    result = spread("--json")
    (check,) = strict_json(result.stdout)["held_out"]

    assert check["auc"] is None
    assert "too few given cannot-links" in " ".join(result.stderr.split())


def test_select_says_that_confidences_are_not_weighed(spread, run, groups, tmp_path):
    out = tmp_path / "spread.csv"
    spread("--out", out)
    words = ["select", groups, "--drop", "kind", "--drop", "name", "--constraints", out]
    said = " ".join(run(*words).stderr.split())

    assert "the column confidence is not used: each pair counts the same" in said


def test_ids_name_the_rows(run, groups, write_csv):
    pairs = write_csv("pairs.csv", "a,b,link\nn0,n1,cannot\n")
    words = ["propagate", groups, "--constraints", pairs, "--id", "name"]
    result = run(*words, "--drop", "kind")

    assert result.exit_code == 0, result.stderr
    assert "n0,n1,cannot," in result.stdout


def test_with_a_file_json_holds_no_pairs(spread, tmp_path, strict_json):
    document = strict_json(spread("--json", "--out", tmp_path / "s.csv").stdout)

    assert "pairs" not in document
    assert document["n_cannot_link"] >= 2


def test_mixed_columns_are_compared(run, groups, write_csv):
    result = run(
        "propagate", groups, "--constraints", write_csv("p.csv", GIVEN), "--quiet"
    )

    assert result.exit_code == 0
    assert result.stderr == ""


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--alpha", "1"], "alpha must be above 0 and below 1"),
        (["--threshold", "high"], "--threshold takes a positive number"),
        (["--threshold", "-1"], "threshold must be"),
        (["--graph", "some"], "--graph"),
        (["--out", "no/such/file.csv"], "there is no folder"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_wrong_options_are_refused(refused, groups, write_csv, options, said):
    pairs = write_csv("pairs.csv", GIVEN)

    assert said in refused("propagate", groups, "--constraints", pairs, *options)


def test_nothing_to_spread_is_refused(refused, groups, write_csv):
    pairs = write_csv("pairs.csv", "a,b,link\n0,2,must\n")
    said = refused("propagate", groups, "--constraints", pairs)

    assert "links='cannot' has nothing to spread" in said


def test_contradicting_pairs_are_refused(refused, groups, write_csv):
    pairs = write_csv("pairs.csv", GIVEN + "2,4,must\n0,4,cannot\n")

    assert "chain" in refused("propagate", groups, "--constraints", pairs)
