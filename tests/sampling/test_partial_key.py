"""Partial keys: coverage of right answers and differences over all samples, and what is refused."""

from __future__ import annotations

import pickle
from fractions import Fraction

import pytest
from gmpy2 import mpq

from ntqr_exact import Hypergeometric, PartialKey, VoteCounts, interval
from ntqr_exact.errors import BadDocument, BadSamples, BadVotes, FloatRefused, NotSupported, NotVotes
from ntqr_exact.exact.json_text import read_json
from ntqr_exact.sampling.designs import independent_share
from ntqr_exact.sampling.graded_ranges import ValueRange, kappa_range
from tests.sampling.enumeration import Truth, coverage, kappa, right, truths
from tests.sampling.test_intervals import by_definition

VOTES = VoteCounts({"aa": 60, "ab": 15, "bb": 25})
GRADED = {"a": {"aa": 11, "ab": 2}, "b": {"ab": 1, "bb": 6}}


def holds_right(key: PartialKey, truth: Truth) -> bool:
    low, high = key.right_answers(0, LEVEL)
    return low <= right(truth, 0) <= high


def holds_difference(key: PartialKey, truth: Truth) -> bool:
    low, high = key.difference(0, 1, LEVEL)
    return low <= right(truth, 0, 1) - right(truth, 1, 0) <= high


def holds_kappa(key: PartialKey, truth: Truth) -> bool:
    ends, value = key.kappa(0, LEVEL), kappa(truth, key.votes.labels)
    return ends.undefined is not None if value is None else ends.lower <= value <= ends.upper


LEVEL = "0.8"
"""Low enough that intervals of so small tests are short enough to miss."""

GAPS = {("a", "a"): 2, ("a", None): 2, ("b", "a"): 2, (None, "b"): 1}
DESIGNS = [
    ({"aa": 3, "ab": 2, "ba": 1, "bb": 1}, "ab", "at_random", {("aa", "ab", "ba", "bb"): 4}),
    ({"aa": 2, "ab": 4, "ba": 2}, "ab", "at_random", {("aa", "ab", "ba"): 5}),
    ({"aa": 3, "ab": 2, "ba": 2}, "ab", "by_strata", {("aa",): 1, ("ab",): 1, ("ba",): 1}),
    ({"aa": 3, "ab": 2, "ba": 2}, "ab", "by_strata", {("aa", "ab"): 3, ("ba",): 1}),
    ({"ab": 2, "bc": 2, "cc": 1}, "abc", "at_random", {("ab", "bc", "cc"): 3}),
    ({"ab": 2, "bc": 2}, "abc", "by_strata", {("ab",): 1, ("bc",): 1}),
    (GAPS, "ab", "at_random", {(*GAPS,): 3}),
]


@pytest.mark.parametrize("holds", [holds_right, holds_difference, holds_kappa])
@pytest.mark.parametrize(("counts", "labels", "drawn", "sizes"), DESIGNS)
def test_every_truth_of_a_small_test_is_covered(counts, labels, drawn, sizes, holds) -> None:
    for truth in truths(counts, labels):
        assert coverage(counts, truth, sizes, drawn, holds, labels=labels) >= Fraction(LEVEL)


def test_a_difference_rests_on_the_differing_questions_alone() -> None:
    key = PartialKey(
        VoteCounts({"ab": 41, "ba": 22, "aa": 437}), {"a": {"ab": 20}, "b": {"ba": 15}}, drawn="at_random"
    )
    more = PartialKey(
        VoteCounts({"ab": 41, "ba": 22, "aa": 9437}),
        {"a": {"ab": 20, "aa": 50}, "b": {"ba": 15}},
        drawn="at_random",
    )
    assert key.difference(0, 1) == more.difference(0, 1)
    assert key.difference(1, 0) == tuple(-end for end in reversed(key.difference(0, 1)))
    votes = VoteCounts({("a", None): 20, (None, "b"): 30})
    gaps = PartialKey(votes, {"a": {("a", None): 5, (None, "b"): 9}}, drawn="at_random")
    assert gaps.right_answers(0) == interval(Hypergeometric(20, 5), 5, "central")  # of its own answers


def test_questions_that_were_not_drawn_at_random_have_ranges_and_no_interval() -> None:
    key = PartialKey(VOTES, GRADED, drawn="not_at_random")
    assert key.ranges("J1").right == (19, 99)
    for ask in (lambda: key.right_answers(0), lambda: key.difference(0, 1), lambda: key.kappa(0)):
        with pytest.raises(BadSamples, match="random"):
            ask()


def test_a_complete_key_leaves_no_doubt_and_an_empty_one_all_of_it() -> None:
    complete = PartialKey(VOTES, {"a": {"aa": 60, "ab": 15}, "b": {"bb": 25}}, drawn="at_random")
    assert complete.right_answers(0) == complete.right_answers(0, method="anytime") == (100, 100)
    assert complete.difference(0, 1) == (15, 15)
    assert complete.kappa(0) == ValueRange(mpq(1), mpq(1))
    nothing = PartialKey(VOTES, {}, drawn="at_random")
    assert nothing.right_answers(0) == nothing.right_answers(0, method="anytime") == (0, 100)


@pytest.mark.parametrize("strata", [None, [["aa", "ab"], ["bb"]]])
def test_a_partial_key_survives_json_and_pickle(strata: list[list[str]] | None) -> None:
    for drawn in ("at_random", "by_strata", "not_at_random"):
        if strata is None or drawn == "by_strata":
            key = PartialKey(VOTES, GRADED, drawn=drawn, strata=strata)
            assert (
                PartialKey.from_document(read_json(key.to_json())) == key == pickle.loads(pickle.dumps(key))
            )


DOCUMENT = {"graded": {}, "drawn": "at_random", "labels": ["a", "b"], "judges": ["A"], "counts": {}}


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: PartialKey(VOTES, {"b": {"bb": 26}}, drawn="at_random"), BadVotes),
        (lambda: PartialKey(VOTES, {"a": VoteCounts({"a": 1})}, drawn="at_random"), BadVotes),
        (lambda: PartialKey(VOTES, [1], drawn="at_random"), NotVotes),
        (lambda: PartialKey({"aa": 1}, {}, drawn="at_random"), NotVotes),
        (lambda: PartialKey(VOTES, GRADED, drawn="by_strata", strata=[["aa"], ["bb"]]), BadVotes),
        (lambda: PartialKey(VOTES, GRADED, drawn="at_random", strata=[["aa", "ab", "bb"]]), BadVotes),
        (lambda: PartialKey(VOTES, GRADED, drawn="at_random").right_answers(0, 0.95), FloatRefused),
        (
            lambda: PartialKey(VOTES, GRADED, drawn="by_strata").right_answers(0, "0.9", "blaker"),
            NotSupported,
        ),
        (lambda: PartialKey(VOTES, GRADED, drawn="at_random").right_answers(0, "0.9", "wald"), NotSupported),
        (lambda: PartialKey.from_document({}), BadDocument),
        (lambda: PartialKey.from_document({**DOCUMENT, "strata": "x"}), BadDocument),
    ],
)
def test_invalid_partial_keys_are_refused(call, error) -> None:
    with pytest.raises(error):
        call()


def test_a_difference_with_three_labels_divides_its_level() -> None:
    three = PartialKey(
        VoteCounts({"ab": 40, "ca": 20, "aa": 30}, ["a", "b", "c"]),
        {"a": {"ab": 11, "ca": 2, "aa": 3}, "b": {"ab": 2, "ca": 1}, "c": {"ca": 4}},
        drawn="at_random",
    )
    first, second = (by_definition(60, 20, right, Fraction("0.975"), "central") for right in (15, 4))
    assert three.difference(0, 1) == (
        first[0] - min(second[1], 60 - first[0]),
        min(first[1], 60 - second[0]) - second[0],
    )


@pytest.mark.parametrize("labels", ["ab", "abc"])
def test_kappa_divides_the_level_over_its_boxes(labels) -> None:
    answers = dict(zip(labels, (40, 30, 20), strict=False))
    rows = {"a": {"a": 9, "b": 2, "c": 0}, "b": {"a": 1, "b": 6, "c": 1}, "c": {"a": 2, "b": 1, "c": 5}}
    graded = {label: {given: rows[label][given] for given in labels} for label in labels}
    key = PartialKey(VoteCounts(answers, list(labels)), graded, drawn="at_random")
    share = independent_share(mpq(19, 20), len(labels))
    at = Fraction(str(share if labels == "ab" else 1 - (1 - share) / 3))
    boxes = {
        given: {
            label: by_definition(
                n, sum(row[given] for row in graded.values()), graded[label][given], at, "central"
            )
            for label in labels
        }
        for given, n in answers.items()
    }
    assert key.kappa(0) == kappa_range(boxes, answers)
