"""A person who is labels: right, wrong as often as said, and the same each time."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from pairsift import choose_features, select_constraints
from pairsift.active import Card, Person, Pile

LABELS = np.array([0, 0, 1, 1, 2, -1])


def card(row, *shown):
    return Card(row, [Pile(k, [s], s) for k, s in enumerate(shown)])


def test_without_errors_the_labels_answer():
    person = Person(LABELS)
    assert person.pair(0, 1) == person(1, 0) == "same"
    assert person.pair(0, 2) == "different"
    assert person.pair(0, 5) == person.card(card(5, 0)) == "unsure"
    assert person.card(card(3, 0, 2)) == person(card(3, 0, 2)) == 1
    assert person.card(card(4, 0, 2)) == "new"
    # The likeliest of two piles that show rows of one class.
    assert person.card(card(3, 2, 3)) == 0


@pytest.mark.parametrize("wrong", [0.1, 0.5])
def test_a_share_of_the_answers_is_wrong(wrong):
    labels = np.arange(80) % 2
    right, careless = Person(labels), Person(labels, wrong, random_state=1)
    pairs = [(i, j) for j in range(80) for i in range(j)]
    is_wrong = np.array([right.pair(*p) != careless.pair(*p) for p in pairs])
    error = np.sqrt(wrong * (1 - wrong) / len(pairs))
    assert abs(is_wrong.mean() - wrong) < 4 * error
    # Asked again, in another order and the other way round.
    again = np.array([right.pair(*p) != careless.pair(*p[::-1]) for p in pairs[::-1]])
    assert_array_equal(is_wrong, again[::-1])
    other = Person(labels, wrong, random_state=2)
    assert any(other.pair(*p) != careless.pair(*p) for p in pairs)


def test_a_wrong_card_goes_to_any_other_place():
    person = Person(np.zeros(300, dtype=int), wrong=1.0)
    labels = person.labels.copy()
    labels[[1, 2]] = 1, 2
    person = Person(labels, wrong=1.0)
    said = [person.card(card(row, 0, 1, 2)) for row in range(3, 300)]
    assert set(said) == {1, 2, "new"}
    counts = [said.count(choice) for choice in (1, 2, "new")]
    assert max(counts) < 1.5 * min(counts)
    # The first card has no other place.
    assert person.card(card(3)) == "new"


def test_a_person_is_an_oracle():
    rng = np.random.default_rng(0)
    y = np.arange(40) % 2
    X = rng.normal(size=(40, 3)) + 5.0 * y[:, None]
    person = Person(y)
    assert select_constraints(X, person, max_queries=8) == select_constraints(
        X, y, max_queries=8
    )
    for mode in ("cards", "pairs"):
        by_person = choose_features(X, person, 8, mode=mode)
        by_labels = choose_features(X, y, 8, mode=mode)
        assert by_person.session_.history == by_labels.session_.history
    wrong = choose_features(X, Person(y, 1.0), 8, mode="pairs").constraints_
    same, apart = y[wrong.must_link], y[wrong.cannot_link]
    assert (same[:, 0] != same[:, 1]).all()
    assert (apart[:, 0] == apart[:, 1]).all()


def test_wrong_arguments_are_named():
    with pytest.raises(ValueError, match=r"wrong must be a share from 0 to 1, got 1.5"):
        Person(LABELS, wrong=1.5)
    with pytest.raises(ValueError, match="wrong must be a share"):
        Person(LABELS, wrong=True)
    with pytest.raises(ValueError, match="one label for each of the 3 rows of X, got"):
        choose_features(np.eye(3), Person(LABELS), 1)
