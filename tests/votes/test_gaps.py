"""Votes in which some judges did not answer some questions, against lists of the questions themselves."""

import itertools
import json
import random
from fractions import Fraction

import pytest

from ntqr_exact import LabeledVoteCounts, VoteCounts, count_rows
from ntqr_exact.errors import BadVotes
from ntqr_exact.varieties.consistent import ConsistentSet

LABELS = ("a", "b", "c")


def draw(seed, judges=3, labels=LABELS):
    """Return questions with gaps, each with at least one answer, and their votes."""
    rng = random.Random(seed)
    rows = [tuple(rng.choice((None, *labels)) for _ in range(judges)) for _ in range(rng.randint(1, 12))]
    rows = [row for row in rows if any(row)] or [("a",) * judges]
    counts = {row: rows.count(row) for row in rows}
    return rows, VoteCounts(counts, labels)


@pytest.mark.parametrize("seed", range(40))
def test_statistics_agree_with_the_list_of_questions(seed):
    rows, votes = draw(seed)
    assert votes.size == len(rows)
    assert votes.has_gaps == any(None in row for row in rows)
    for judge in range(3):
        given = [row[judge] for row in rows if row[judge]]
        assert votes.responses(judge) == {label: given.count(label) for label in LABELS}
        assert votes.answered(judge) == len(given)
        if given:
            assert votes.response_rate(judge, "a") == Fraction(given.count("a"), len(given))
    for group in [*itertools.permutations(range(3), 2), (2, 0, 1)]:
        chosen = [tuple(row[judge] for judge in group) for row in rows]
        some = [row for row in chosen if any(row)]
        whole = [row for row in chosen if None not in row]
        assert dict(votes.marginal(group).counts) == {row: some.count(row) for row in some}
        assert dict(votes.common(group).counts) == {row: whole.count(row) for row in whole}
        if whole:
            size = len(whole)
            assert votes.agreement(*group) == Fraction(sum(len(set(row)) == 1 for row in whole), size)
            rates = [Fraction(sum(row[i] == "b" for row in whole), size) for i in range(len(group))]
            moment = Fraction(0)
            for row in whole:
                product = Fraction(1, size)
                for i, rate in enumerate(rates):
                    product *= (row[i] == "b") - rate
                moment += product
            assert votes.central_moment(group, label="b") == moment
    assert votes.marginal(0, 1, 2) == votes == votes.reordered(2, 0, 1).reordered(1, 2, 0)
    assert count_rows(rows, labels=LABELS) == votes


@pytest.mark.parametrize("seed", range(10))
def test_every_form_is_read_back(seed):
    _, votes = draw(seed)
    assert VoteCounts.from_json(votes.to_json()) == votes
    assert eval(repr(votes)) == votes
    labeled = LabeledVoteCounts({"a": votes, "b": votes})
    assert LabeledVoteCounts.from_json(labeled.to_json()) == labeled
    assert labeled.has_gaps == votes.has_gaps
    assert labeled.common(0, 1).observed() == votes.common(0, 1) + votes.common(0, 1)
    assert votes.swapped_labels("a", "b").swapped_labels("a", "b") == votes
    assert (votes + votes).size == 2 * votes.size


def test_json_writes_a_gap_as_an_empty_label():
    votes = VoteCounts({("a", None): 2, (None, "b"): 1})
    assert json.loads(votes.to_json())["counts"] == {"a,": 2, ",b": 1}


def test_a_pattern_without_answers_is_refused():
    with pytest.raises(BadVotes):
        VoteCounts({(None, None): 1})
    with pytest.raises(BadVotes):
        VoteCounts.from_document({"labels": ["a", "b"], "judges": ["A"], "counts": {"": 1}})


def test_evaluators_without_a_rule_for_gaps_refuse_them():
    votes = VoteCounts({("a", None): 2, "ab": 1})
    assert VoteCounts({"ab": 1}).without_gaps("it") == VoteCounts({"ab": 1})
    with pytest.raises(BadVotes, match="missing"):
        ConsistentSet(votes).projection()
