"""Grading by a key, by the majority and by Dawid and Skene's fixed point, against counting rows one by one."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from itertools import combinations
from math import prod

import pytest
from gmpy2 import mpq

from ntqr_exact import (
    AbstainingVotes,
    LabeledVoteCounts,
    VoteCounts,
    dawid_skene,
    grade,
    majority_vote,
    solve_agreement,
    solve_independent,
)
from ntqr_exact.errors import BadChoice, BadNumber, BadVotes, EmptyTest, NotVotes
from ntqr_exact.exact.undefined_value import Undefined

JUDGES = ("J1", "J2", "J3", "J4")


def rows_with_gaps(seed, labels="abc", *, questions=30, judges=4, accuracy=0.7, gaps=0.3):
    """Return (answers, truth) of each question; nobody is asked nothing."""
    draw = random.Random(seed)
    rows = []
    while len(rows) < questions:
        true = draw.choice(labels)
        answers = tuple(
            None if draw.random() < gaps else true if draw.random() < accuracy else draw.choice(labels)
            for _ in range(judges)
        )
        if any(answers):
            rows.append((answers, true))
    return rows


def votes_of(rows, labels="abc") -> VoteCounts:
    return VoteCounts(Counter(answers for answers, _ in rows), tuple(labels))


def labeled(rows, labels="abc") -> LabeledVoteCounts:
    judges = [f"J{i + 1}" for i in range(len(rows[0][0]))]
    return LabeledVoteCounts(
        {
            label: VoteCounts(Counter(a for a, t in rows if t == label), tuple(labels), judges)
            for label in labels
        }
    )


# -- grade -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(8))
def test_grades_are_what_counting_the_answered_rows_gives(seed) -> None:
    rows = rows_with_gaps(seed, questions=12, gaps=0 if seed % 2 else 0.4)
    evaluation = grade(labeled(rows))
    for label in "abc":
        asked = [answers for answers, true in rows if true == label]
        assert evaluation.prevalence[label] == mpq(len(asked), len(rows))
        for judge in range(4):
            given = [answers[judge] for answers in asked if answers[judge] is not None]
            for answer in "abc":
                expected = mpq(given.count(answer), len(given)) if given else Undefined.NO_QUESTIONS
                assert evaluation.response_rates[judge][label][answer] == expected
        for size in (2, 3, 4):
            for group in combinations(range(4), size):
                common = [[a[j] == label for j in group] for a in asked if all(a[j] for j in group)]
                rates = [Fraction(sum(column), len(common)) for column in zip(*common, strict=True)]
                products = [prod(r - p for r, p in zip(row, rates, strict=True)) for row in common]
                expected = Fraction(sum(products), len(common)) if common else Undefined.NO_QUESTIONS
                assert evaluation.correlations[label, group] == expected


def test_the_order_limits_the_correlations() -> None:
    key = LabeledVoteCounts({"a": VoteCounts({"aaa": 1, "bbb": 1}), "b": VoteCounts({"aab": 1})})
    assert not grade(key, order=1).correlations
    assert {len(group) for _, group in grade(key, order=2).correlations} == {2}
    assert grade(key, order=9) == grade(key)


def test_large_panels_have_no_correlations_unless_they_are_requested(monkeypatch) -> None:
    key = LabeledVoteCounts({"a": VoteCounts({"aab": 2, "abb": 1}), "b": VoteCounts({"bba": 3})})
    assert grade(key).correlations
    monkeypatch.setattr("ntqr_exact.evaluators.grade._MAX_PAIR_STEPS", 8)  # three pairs, three patterns
    assert not grade(key).correlations
    assert {len(group) for _, group in grade(key, order=2).correlations} == {2}


@pytest.mark.parametrize(
    ("key", "order", "error"),
    [
        (VoteCounts({"aa": 1}), None, NotVotes),
        (LabeledVoteCounts({"a": VoteCounts({"aa": 0})}), None, EmptyTest),
        (LabeledVoteCounts({"a": VoteCounts({"aa": 1})}), 0, BadNumber),
    ],
)
def test_bad_keys_and_orders_are_refused(key, order, error) -> None:
    with pytest.raises(error):
        grade(key, order=order)


# -- majority ----------------------------------------------------------------------------------------


def test_the_majority_is_among_the_answers_given() -> None:
    rows = rows_with_gaps(5)
    result = majority_vote(votes_of(rows), ties="first-label")
    tied = 0
    for label, part in result.key.by_label.items():
        for pattern, count in part.counts.items():
            most = max(pattern.count(other) for other in "abc")
            leaders = [other for other in "abc" if pattern.count(other) == most]
            assert label == leaders[0]
            tied += count * (len(leaders) > 1)
    assert result.ties == tied > 0
    assert result.evaluation == grade(result.key)


@pytest.mark.parametrize(
    ("policy", "label"), [("first-label", "a"), ("last-label", "b"), ("first-judge", "b")]
)
def test_a_tie_goes_as_the_policy_says(policy, label) -> None:
    assert majority_vote(VoteCounts({"ba": 1}), ties=policy).key.key_counts[label] == 1


@pytest.mark.parametrize("ties", ["refuse", "nonsense"])
def test_a_tie_needs_a_policy(ties) -> None:
    with pytest.raises((BadVotes, BadChoice)):
        majority_vote(VoteCounts({"ba": 1}), ties=ties)


# -- Dawid and Skene ---------------------------------------------------------------------------------


def plain_fixed_point(rows, labels):
    """Return the key of each row, and the probability of each label: the same rules in plain fractions, row by row."""
    answers = [{j: r for j, r in enumerate(a) if r is not None} for a, _ in rows]
    key = [max(labels, key=lambda x: (list(a.values()).count(x), -labels.index(x))) for a in answers]
    seen = set()
    while tuple(key) not in seen:
        seen.add(tuple(key))
        n, size = Counter(), Counter()
        for a, k in zip(answers, key, strict=True):
            for j, r in a.items():
                n[j, k, r] += 1
                size[j, k] += 1
        scores = [
            {
                x: prod(Fraction(1 + n[j, x, r], len(labels) + size[j, x]) for j, r in a.items())
                for x in labels
            }
            for a in answers
        ]
        tops = [[x for x in labels if score[x] == max(score.values())] for score in scores]
        key = [k if k in top else top[0] for k, top in zip(key, tops, strict=True)]
    return key, [{x: value / sum(score.values()) for x, value in score.items()} for score in scores]


@pytest.mark.parametrize("labels", ["ab", "abc", "abcd"])
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("size", [12, 40])  # of twelve questions, a tie keeps a label that is not the first
def test_the_fixed_point_is_that_of_plain_fractions(labels, seed, size) -> None:
    judges = 3 if size == 12 else 3 + seed
    rows = rows_with_gaps(seed, labels, questions=size, judges=judges, accuracy=0.5, gaps=0.1 * seed)
    result = dawid_skene(votes_of(rows, labels))
    key, chances = plain_fixed_point(rows, labels)
    assert result.key == labeled([(a, k) for (a, _), k in zip(rows, key, strict=True)], labels)
    first = [max(labels, key=lambda x: (a.count(x), -labels.index(x))) for a, _ in rows]
    assert result.moved == mpq(sum(x != y for x, y in zip(key, first, strict=True)), len(rows))
    for judge, share in enumerate(result.accuracy):
        right = [chance[a[judge]] for (a, _), chance in zip(rows, chances, strict=True) if a[judge]]
        assert abs(share - mpq(sum(right)) / len(right)) < mpq(1, 250) if right else share is None
    assert result.evaluation == grade(result.expected, order=1)
    for label, part in result.expected.by_label.items():
        for (answers, _), chance in zip(rows, chances, strict=True):
            total = votes_of(rows, labels).counts[answers]
            assert abs(mpq(part.counts[answers], 1000 * total) - mpq(chance[label])) < mpq(len(labels), 1000)


def test_it_is_better_than_the_majority_if_some_judges_guess(monkeypatch) -> None:
    draw = random.Random(2)
    rows = []
    for _ in range(300):
        true = draw.choice("ab")
        good = [true if draw.random() < 0.9 else draw.choice("ab") for _ in range(3)]
        rows.append(((*good, *(draw.choice("ab") for _ in range(4))), true))
    votes = votes_of(rows, "ab")
    truth = dict(rows)

    def wrong(key):
        return sum(
            n for label, part in key.by_label.items() for p, n in part.counts.items() if truth[p] != label
        )

    result = dawid_skene(votes)
    assert wrong(result.key) < wrong(majority_vote(votes).key)
    assert not result.withheld
    monkeypatch.setattr("ntqr_exact.evaluators.dawid_skene.LIKELIHOOD_RATIO", mpq(1, 10))
    assert dawid_skene(votes).withheld[0].numbers["difference"] > mpq(1, 5)


def test_an_abstention_is_an_answer_but_never_a_label() -> None:
    counts = {"aan": 3, "ann": 9, "bbb": 5, "nbb": 2, "nnn": 1}
    for labels in (("a", "b", "n"), ("n", "a", "b")):
        result = dawid_skene(AbstainingVotes(VoteCounts(counts, labels), "n"))
        assert result.key.key_counts["n"] == 0
        assert result.key.key_counts["b"] == 7


@pytest.mark.parametrize(
    ("counts", "labels", "kind"),
    [
        ({"ab": 5, "ba": 5}, "ab", "agreement"),
        ({"bba": 4, "bab": 4, "abb": 4, "aaa": 1}, "ab", "label share"),
        ({"aab": 4, "aba": 4, "baa": 4, "bbb": 1}, "ab", "label share"),
        ({"ab": 5, "ba": 5}, "ab", "swapped labels"),
    ],
)
def test_an_estimate_is_withheld_for_each_reason(counts, labels, kind) -> None:
    result = dawid_skene(VoteCounts(counts, tuple(labels)))
    numbers = {reason.kind: reason.numbers for reason in result.withheld}
    assert numbers[kind].get("label", "a") == "a"
    text = " ".join(str(result).split())
    assert all(reason.message in text for reason in result.withheld)
    assert result.to_document()["withheld"][0]["message"]


def test_two_camps_of_judges_are_two_fixed_points() -> None:
    """Three judges answer one question, and three others another: both keys are as likely."""
    rows = [((x,) * 3 + (y,) * 3, x) for x in "ab" for y in "ab" for _ in range(10)]
    reasons = {reason.kind: reason for reason in dawid_skene(votes_of(rows, "ab")).withheld}
    assert reasons["second fixed point"].numbers["difference"] >= mpq(1, 4)


def test_chance_agreement_is_that_of_all_pairs() -> None:
    from ntqr_exact.evaluators.dawid_skene import _Panel

    rows = rows_with_gaps(4)
    votes = votes_of(rows)
    observed, expected = _Panel(votes, votes.labels).agreement()
    pairs = [pair for answers, _ in rows for pair in combinations(filter(None, answers), 2)]
    given = Counter(answer for answers, _ in rows for answer in answers if answer)
    assert observed == sum(a == b for a, b in pairs)
    assert expected == len(pairs) * sum(mpq(n, given.total()) ** 2 for n in given.values())


@pytest.mark.parametrize(
    ("votes", "error"), [({"aa": 1}, NotVotes), (None, NotVotes), (VoteCounts({"aa": 0}), EmptyTest)]
)
@pytest.mark.parametrize("evaluator", [dawid_skene, majority_vote, solve_agreement, solve_independent])
def test_bad_votes_are_refused(evaluator, votes, error) -> None:
    with pytest.raises((error, BadVotes)):
        evaluator(votes)
