"""What a method learns from, as data: the prose and the questions that follow."""

import pytest

from pairsift import ReliefF
from pairsift.selectors._method import (
    BOTH_LINKS,
    CANNOT_LINKS,
    CLASSES,
    CLASSES_AND_ROWS,
    EITHER_LINKS,
    NOTHING,
    Learns,
)

CASES = [
    (NOTHING, "nothing", "unsupervised"),
    (Learns(labels="if given"), "nothing (labels if given)", "unsupervised"),
    (Learns(labels="numbers"), "a numeric target", "supervised"),
    (CLASSES, "labels (or must-links)", "supervised"),
    (CLASSES_AND_ROWS, "labels (or must-links)", "semi-supervised"),
    (CANNOT_LINKS, "cannot-links (or labels)", "constrained"),
    (BOTH_LINKS, "must-links and cannot-links (or labels)", "constrained"),
    (EITHER_LINKS, "must-links or cannot-links (or labels)", "constrained"),
    (
        Learns("if any", "required", "as pairs"),
        "cannot-links, must-links if any (or labels)",
        "constrained",
    ),
    (
        Learns("for classes", "if supervised", "as pairs"),
        "must-links, cannot-links if supervised (or labels)",
        "constrained",
    ),
    (
        Learns(cannot="required", labels="as pairs", others="its members need"),
        "cannot-links (or labels), or what its members need",
        "constrained",
    ),
]


@pytest.mark.parametrize(("learns", "needs", "context"), CASES)
def test_prose_follows_from_the_record(learns, needs, context):
    assert learns.needs == needs
    assert learns.context == context


@pytest.mark.parametrize(
    ("learns", "kinds", "required"),
    [
        (NOTHING, (), ()),
        (CLASSES, ("must",), ()),
        (CANNOT_LINKS, ("cannot",), ("cannot",)),
        (BOTH_LINKS, ("must", "cannot"), ("must", "cannot")),
        (EITHER_LINKS, ("must", "cannot"), ()),
        (Learns("if any", "required", "as pairs"), ("must", "cannot"), ("cannot",)),
        (Learns("for classes", "if any", "as pairs"), ("must", "cannot"), ()),
    ],
)
def test_kinds_of_pairs_follow_from_the_record(learns, kinds, required):
    assert learns.kinds == kinds
    assert learns.required == required


def test_questions_exclude_each_other():
    for learns, _, _ in CASES:
        n_yes = learns.is_free + learns.from_pairs + learns.from_numbers
        assert n_yes == (learns.labels != "required")


def test_a_borrowed_record_stays_that_of_the_class_that_made_it():
    class Borrower:
        _method = ReliefF._method

    assert Borrower._method.class_name == "ReliefF"
