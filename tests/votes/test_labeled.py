"""`LabeledVoteCounts`: votes with an answer key, against brute force over the questions."""

import copy
import pickle

import pytest

from ntqr_exact import LabeledVoteCounts, VoteCounts, count_rows
from ntqr_exact.errors import BadDocument, BadVotes

ROWS = ["aab", "abb", "bbb", "aaa", "aab", "bab", "bbb"]
KEY = "abbabab"
GRADED = count_rows(ROWS, truth=KEY)
THREE = count_rows(["ab", "cb", "cc", "ab", "ba"], truth="abccb")
ALL = [GRADED, THREE, LabeledVoteCounts({"a": VoteCounts({"aa": 1})})]


def test_observed_key_counts_size_labels_and_judges_are_those_of_the_rows():
    assert GRADED.observed() == count_rows(ROWS)
    assert GRADED.key_counts == {"a": 3, "b": 4}
    assert GRADED.size == 7
    assert GRADED.labels == ("a", "b")
    assert GRADED.judges == ("J1", "J2", "J3")
    assert THREE.key_counts == {"a": 1, "b": 2, "c": 2}
    assert list(THREE.by_label) == ["a", "b", "c"]


@pytest.mark.parametrize("judge", range(3))
def test_confusion_counts_are_those_of_brute_force(judge):
    pairs = [(true, row[judge]) for row, true in zip(ROWS, KEY, strict=True)]
    expected = {true: {given: pairs.count((true, given)) for given in "ab"} for true in "ab"}
    assert GRADED.confusion(judge) == GRADED.confusion(f"J{judge + 1}") == expected


def test_a_true_label_that_is_not_given_has_no_questions():
    votes = LabeledVoteCounts({"b": VoteCounts({"ab": 2})})
    assert votes.key_counts == {"a": 0, "b": 2}
    assert votes == LabeledVoteCounts({"b": VoteCounts({"ab": 2}), "a": VoteCounts({"ab": 0})})


@pytest.mark.parametrize(
    ("given", "rule"),
    [
        ({}, "labeled votes map each true label"),
        (None, "labeled votes map each true label"),
        ([VoteCounts({"a": 1})], "labeled votes map each true label"),
        ({"a": {"aa": 1}}, "are VoteCounts, not dict"),
        ({"a": None}, "are VoteCounts, not NoneType"),
        ({"c": VoteCounts({"a": 1})}, "a true label is one of 'a', 'b'"),
        ({1: VoteCounts({"a": 1})}, "a true label is one of 'a', 'b'"),
        ({"a": VoteCounts({"a": 1}), "b": VoteCounts({"ab": 1})}, "the same labels and judges"),
        ({"a": VoteCounts({"a": 1}), "b": VoteCounts({"a": 1}, ["b", "a"])}, "the same labels and judges"),
    ],
)
def test_what_makes_no_labeled_votes_is_refused(given, rule):
    with pytest.raises(BadVotes, match=rule):
        LabeledVoteCounts(given)


@pytest.mark.parametrize("votes", ALL)
def test_repr_pickle_copies_and_json_come_back(votes):
    assert eval(repr(votes)) == votes
    for copied in (copy.copy(votes), copy.deepcopy(votes), pickle.loads(pickle.dumps(votes))):
        assert copied == votes
        assert hash(copied) == hash(votes)
    assert LabeledVoteCounts.from_json(votes.to_json()) == votes
    assert LabeledVoteCounts.from_json(votes.to_json()).to_json() == votes.to_json()


def test_marginals_and_orders_take_places_names_and_any_iterable():
    for wanted in ((2, 0), ("J3", "J1"), ([2, 0],), ((i for i in (2, 0)),), (iter(["J3", "J1"]),)):
        votes = GRADED.marginal(*wanted)
        assert votes == count_rows([row[2] + row[0] for row in ROWS], truth=KEY, judges=["J3", "J1"])
    for wanted in ((2, 0, 1), ([2, 0, 1],), (iter((2, 0, 1)),)):
        votes = GRADED.reordered(*wanted)
        assert votes == count_rows(
            [row[2] + row[0] + row[1] for row in ROWS], truth=KEY, judges=["J3", "J1", "J2"]
        )
    with pytest.raises(BadVotes, match="a new order names all 3 judges"):
        GRADED.reordered(0, 1)


def test_renaming_and_swapping_change_the_key_as_well():
    exchanged = str.maketrans("ab", "ba")
    swapped = count_rows([row.translate(exchanged) for row in ROWS], truth=KEY.translate(exchanged))
    assert GRADED.swapped_labels() == GRADED.swapped_labels("b", "a") == swapped
    renamed = count_rows(
        [[{"a": "no", "b": "yes"}[c] for c in row] for row in ROWS],
        truth=[{"a": "no", "b": "yes"}[c] for c in KEY],
    )
    assert GRADED.with_labels(iter(["no", "yes"])) == renamed
    assert GRADED.with_judges(iter("xyz")) == count_rows(ROWS, truth=KEY, judges=["x", "y", "z"])
    assert THREE.swapped_labels("a", "c").key_counts == {"a": 2, "b": 2, "c": 1}


def test_merging_adds_for_each_true_label():
    again = count_rows(ROWS + ROWS, truth=KEY + KEY)
    assert again == GRADED + GRADED
    for labels in (["b", "a"], ["x", "y"]):
        with pytest.raises(BadVotes, match="only if their labels are the same"):
            GRADED + GRADED.with_labels(labels)
    with pytest.raises(BadVotes, match="only if their judges are the same"):
        GRADED + GRADED.marginal(0)
    with pytest.raises(TypeError):
        GRADED + GRADED.observed()


def test_the_json_form_has_counts_for_each_true_label():
    votes = LabeledVoteCounts({"a": VoteCounts({"ab": 2})})
    assert votes.to_document() == {
        "labels": ["a", "b"],
        "judges": ["J1", "J2"],
        "counts_by_label": {"a": {"a,b": 2}, "b": {}},
    }


DOCUMENT = LabeledVoteCounts({"a": VoteCounts({"ab": 2})}).to_document()


@pytest.mark.parametrize(
    "change",
    [
        {"extra": 1},
        {"counts_by_label": {}},
        {"counts_by_label": [1]},
        {"counts_by_label": {"a": [1]}},
        {"labels": "ab"},
        {"judges": None},
    ],
)
def test_a_wrong_document_is_refused(change):
    with pytest.raises(BadDocument, match="votes are an object with the keys"):
        LabeledVoteCounts.from_document({**DOCUMENT, **change})
