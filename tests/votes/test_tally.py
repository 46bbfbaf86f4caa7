"""From counted rows to votes: which columns, which labels."""

import pytest

from ntqr_exact import LabeledVoteCounts, VoteCounts
from ntqr_exact.errors import BadDecisions, BadVotes
from ntqr_exact.votes.tally import MAX_INFERRED_LABELS, Tally, choose_columns, infer_labels

COLUMNS = ["id", "A", "key", "B"]


@pytest.mark.parametrize(
    ("judges", "truth", "chosen"),
    [
        (None, None, ["id", "A", "key", "B"]),
        (None, "key", ["id", "A", "B", "key"]),
        (["B", "A"], None, ["B", "A"]),
        (["B", "A"], "key", ["B", "A", "key"]),
        (iter(["B", "A"]), "id", ["B", "A", "id"]),
    ],
)
def test_columns_are_the_judges_in_their_order_and_the_truth_last(judges, truth, chosen):
    assert choose_columns(COLUMNS, judges, truth) == chosen


@pytest.mark.parametrize(
    ("judges", "truth", "error", "rule"),
    [
        (["A", "C"], None, BadDecisions, "there is no such column; the columns are 'id', 'A', 'key', 'B'"),
        (None, "C", BadDecisions, "there is no such column"),
        (["A"], "", BadDecisions, "there is no such column"),
        (["A", "key"], "key", BadDecisions, "the answer key cannot be a judge as well"),
        (["A", "A"], None, BadVotes, "this judge is named twice"),
        ([], None, BadVotes, "at least one judge"),
        ("AB", None, BadVotes, "as a list of texts"),
        ([1], None, BadVotes, "a judge is a text"),
    ],
)
def test_wrong_columns_are_refused(judges, truth, error, rule):
    with pytest.raises(error, match=rule):
        choose_columns(COLUMNS, judges, truth)


def test_a_file_of_the_truth_alone_has_no_judge():
    with pytest.raises(BadDecisions, match="there is no column of a judge"):
        choose_columns(["key"], None, "key")


@pytest.mark.parametrize("patterns", [[], [("a", "a")]])
def test_fewer_than_two_labels_cannot_be_all(patterns):
    with pytest.raises(BadVotes, match="fewer than two labels occur"):
        infer_labels(patterns)


def test_a_tally_becomes_votes_with_or_without_a_key():
    counts, labels = {("b", "a"): 2, ("c", "c"): 1}, ("c", "b", "a")
    assert Tally(("A", "B"), labels, counts, has_key=False).votes() == VoteCounts(counts, labels, ["A", "B"])
    assert Tally(("A",), labels, counts, has_key=True).votes() == LabeledVoteCounts(
        {"a": VoteCounts({"b": 2}, labels, ["A"]), "c": VoteCounts({"c": 1}, labels, ["A"])}
    )


def test_a_true_label_that_is_not_among_the_named_ones_is_refused():
    with pytest.raises(BadVotes, match="a true label is one of 'a', 'b'"):
        Tally(("A",), ("a", "b"), {("a", "c"): 1}, has_key=True).votes()


def test_too_many_different_labels_are_no_labels():
    rows = [(f"id {number}", "a") for number in range(MAX_INFERRED_LABELS - 1)]
    assert len(infer_labels(rows)) == MAX_INFERRED_LABELS
    with pytest.raises(BadVotes, match="101: more than 100 different labels; name the columns of the judges"):
        infer_labels([*rows, ("one more", "a")])
