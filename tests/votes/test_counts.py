"""`VoteCounts` and `LabeledVoteCounts` against lists of the questions themselves, with and without gaps."""

import copy
import itertools
import math
import pickle
import random
import time
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
import sympy
from gmpy2 import mpq, mpz
from hypothesis import given
from hypothesis import strategies as st

from ntqr_exact import LabeledVoteCounts, VoteCounts, count_rows
from ntqr_exact.errors import BadDocument, BadNumber, BadVotes, EmptyTest, NotANumber, NtqrExactError
from ntqr_exact.varieties.consistent import ConsistentSet
from ntqr_exact.votes.names import join_pattern, split_pattern

LABELS = ("a", "b", "c")
EMPTY = VoteCounts({}, judges=["A", "B"])
TWO_NORM = VoteCounts(
    {"aaa": 181, "aab": 90, "aba": 86, "abb": 115, "baa": 86, "bab": 109, "bba": 100, "bbb": 233},
    judges=["A", "B", "C"],
)


def draw(seed, judges=3, gaps=True):
    """Return questions, each with at least one answer, and their votes."""
    rng = random.Random(seed)
    cells = (None, *LABELS) if gaps else LABELS
    rows = [tuple(rng.choice(cells) for _ in range(judges)) for _ in range(rng.randint(1, 12))]
    rows = [row for row in rows if any(row)] or [("a",) * judges]
    return rows, VoteCounts({row: rows.count(row) for row in rows}, LABELS)


# -- rates and moments -------------------------------------------------------------------------------


@pytest.mark.parametrize("gaps", [True, False])
@pytest.mark.parametrize("seed", range(40))
def test_statistics_agree_with_the_list_of_questions(seed, gaps):
    rows, votes = draw(seed, gaps=gaps)
    assert votes.size == len(rows)
    assert votes.has_gaps == any(None in row for row in rows)
    for judge in range(3):
        given_labels = [row[judge] for row in rows if row[judge]]
        assert votes.responses(judge) == {label: given_labels.count(label) for label in LABELS}
        assert votes.answered(judge) == len(given_labels)
        if given_labels:
            assert votes.response_rate(judge, "a") == Fraction(given_labels.count("a"), len(given_labels))
    for group in [*itertools.permutations(range(3), 2), (2, 0, 1), (1,)]:
        chosen = [tuple(row[judge] for judge in group) for row in rows]
        some = [row for row in chosen if any(row)]
        whole = [row for row in chosen if None not in row]
        assert dict(votes.marginal(group).counts) == {row: some.count(row) for row in some}
        assert dict(votes.common(group).counts) == {row: whole.count(row) for row in whole}
        if whole:
            size = len(whole)
            assert votes.agreement(*group) == Fraction(sum(len(set(row)) == 1 for row in whole), size)
            rates = [Fraction(sum(row[i] == "b" for row in whole), size) for i in range(len(group))]
            products = (math.prod((row[i] == "b") - rate for i, rate in enumerate(rates)) for row in whole)
            assert votes.central_moment(group, label="b") == sum(products) / Fraction(size)
    assert votes.marginal(0, 1, 2) == votes == votes.marginal(2, 0, 1).marginal(1, 2, 0)
    assert count_rows(rows, labels=LABELS) == votes
    for label in LABELS:
        part = votes.restricted(0, label)
        assert part == count_rows(
            [row for row in rows if row[0] == label], labels=LABELS, judges=votes.judges
        )


def test_moments_of_pairs_and_trios_are_those_of_the_printed_formulas():
    f = {
        (group, label): TWO_NORM.marginal(group).frequency((label,) * len(group))
        for size in (1, 2, 3)
        for group in itertools.combinations(range(3), size)
        for label in "ab"
    }
    for label, sign in (("b", 1), ("a", -1)):
        delta = {
            (i, j): f[(i, j), label] - f[(i,), label] * f[(j,), label] for i, j in ((0, 1), (0, 2), (1, 2))
        }
        for (i, j), value in delta.items():
            assert TWO_NORM.pair_moment(i, j) == TWO_NORM.pair_moment(j, i, label=label) == value
        x, y, z = (f[(i,), label] for i in range(3))
        trio = f[(0, 1, 2), label] - (x * y * z + x * delta[1, 2] + y * delta[0, 2] + z * delta[0, 1])
        assert (
            TWO_NORM.trio_moment(0, 1, 2, label=label) == trio == sign * TWO_NORM.trio_moment("A", "B", "C")
        )


@pytest.mark.parametrize(
    "rate",
    [
        lambda votes: votes.frequency("aa"),
        lambda votes: votes.response_rate(0, "a"),
        lambda votes: votes.agreement(),
        lambda votes: votes.pair_moment(0, 1),
    ],
)
def test_an_empty_test_has_counts_but_no_rates(rate):
    assert (EMPTY.size, EMPTY.counts["ab"], EMPTY.responses("A")) == (0, 0, {"a": 0, "b": 0})
    assert EMPTY + EMPTY == EMPTY
    with pytest.raises(EmptyTest):
        rate(EMPTY)


# -- the value ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "count", [3, "3", mpz(3), mpq(3), Fraction(3), Decimal("3.0"), np.int64(3), np.uint8(3), sympy.Integer(3)]
)
def test_a_count_may_be_a_whole_number_of_any_library(count):
    votes = VoteCounts({"ab": count})
    assert votes == VoteCounts({"ab": 3})
    assert type(votes.counts["ab"]) is int


@pytest.mark.parametrize(
    "count",
    [-1, Fraction(1, 2), "1/2", 1.0, np.float64(2), True, np.True_, None, [1], "", "1e999999999", 10**1000],
)
def test_an_invalid_count_names_its_pattern(count):
    with pytest.raises((BadNumber, NotANumber), match="'ab'"):
        VoteCounts({"aa": 1, "ab": count})


def test_huge_counts_are_kept_exactly_and_can_be_shown():
    huge = 10**1000 - 1
    votes = VoteCounts({"ab": huge}) + VoteCounts({"ab": huge, "aa": 1})
    assert votes.frequency("aa") == mpq(1, 2 * huge + 1)
    assert str(2 * huge) in str(votes)
    assert VoteCounts.from_json(VoteCounts({"ab": huge}).to_json()).size == huge


@pytest.mark.parametrize(
    "arguments",
    [
        ({"aa": 1, "aab": 1},),
        ({"aa": 1}, "ab", ["A", "B", "C"]),
        ({"aa": 1}, ["a"]),
        ({"aa": 1}, ["a", "a"]),
        ({"aa": 1}, ["a", ""]),
        ({"aa": 1}, ["a", b"b"]),
        ({"aa": 1}, ["a", "x\ud800"]),
        ({"aa": 1}, 5),
        ({"aa": 1}, ["a", "b"], "AB"),
        ({"aa": 1}, ["a", "b"], []),
        ({"ac": 1},),
        ({("a", 1): 1},),
        ({("a", "b"): 1, "ab": 1},),
        ({("a", ""): 1},),
        ({(None, None): 1},),
        ({5: 1},),
        ({(): 1},),
        ({"yes": 1}, ["yes", "no"]),
        ({},),
        ([("aa", 1)],),
        (None,),
    ],
)
def test_invalid_votes_are_refused(arguments):
    with pytest.raises(BadVotes):
        VoteCounts(*arguments)


@pytest.mark.parametrize("judge", [-1, 3, 10**30, True, 1.0, None, "D", "", ("A",), np.int64(3)])
@pytest.mark.parametrize(
    "ask",
    [
        TWO_NORM.responses,
        lambda judge: TWO_NORM.agreement(0, judge),
        lambda judge: TWO_NORM.pair_moment(judge, 1),
        lambda judge: TWO_NORM.marginal(1, judge),
        lambda judge: TWO_NORM.restricted(judge, "a"),
        lambda _: TWO_NORM.marginal(0, 0),
        lambda _: TWO_NORM.central_moment([]),
        lambda _: TWO_NORM.restricted(0, "c"),
        lambda _: draw(1)[1].pair_moment(0, 1),
        lambda _: TWO_NORM.relabeled({"a": "x"}, ["a", "b"]),
        lambda _: TWO_NORM.relabeled({"a": "b"}, ["b"]),
        lambda _: TWO_NORM.frequency("aa"),
    ],
)
def test_an_unknown_judge_or_label_is_refused(ask, judge):
    with pytest.raises(BadVotes):
        ask(judge)


def test_judges_are_named_by_index_by_name_or_by_an_iterable():
    expected = VoteCounts({"aa": 267, "ba": 205, "ab": 186, "bb": 342}, judges=["C", "A"])
    for wanted in ((2, 0), ("C", "A"), ("C", np.int64(0)), ([2, 0],), (iter(["C", "A"]),)):
        assert TWO_NORM.marginal(*wanted) == expected
        labeled = LabeledVoteCounts({"a": TWO_NORM})
        again = wanted if not hasattr(wanted[0], "__next__") else ["C", "A"]
        assert labeled.marginal(*again).observed() == expected


def test_patterns_are_in_the_order_of_the_labels_and_others_count_zero():
    votes = VoteCounts({"ab": 1, "ba": 2, "bb": 3}, labels=["b", "a"])
    assert list(votes.counts) == [("b", "b"), ("b", "a"), ("a", "b")]
    assert list(votes.patterns()) == [("b", "b"), ("b", "a"), ("a", "b"), ("a", "a")]
    for pattern in ("aa", ("a", "a"), ["a", "a"]):
        assert votes.counts[pattern] == votes.counts.get(pattern) == 0
        assert pattern not in votes.counts
    for pattern in ("a", "abb", "ac", ("a", 1), 3, None, {}, ""):
        with pytest.raises(BadVotes):
            votes.counts[pattern]
        assert pattern not in votes.counts


def test_votes_with_other_labels_judges_or_counts_are_not_equal_and_do_not_merge():
    votes = VoteCounts({"ab": 1})
    others = [
        VoteCounts({"ab": 1}, labels=["b", "a"]),
        VoteCounts({"ab": 1}, labels=LABELS),
        VoteCounts({"ab": 1}, judges=["A", "B"]),
    ]
    for other in others:
        assert votes != other
        with pytest.raises(BadVotes):
            votes + other
        with pytest.raises(BadVotes):
            LabeledVoteCounts({"a": votes}) + LabeledVoteCounts({"a": other})
    assert votes not in (VoteCounts({"ab": 2}), {"ab": 1}, LabeledVoteCounts({"a": votes}))
    with pytest.raises(TypeError):
        LabeledVoteCounts({"a": votes}) + votes


def test_labels_are_renamed_swapped_and_joined():
    assert TWO_NORM.relabeled({"a": "no", "b": "yes"}, ["no", "yes"]).counts["no", "no", "yes"] == 90
    assert TWO_NORM.relabeled({"a": "b", "b": "a"}, ["a", "b"]).counts["bba"] == 90
    labeled = LabeledVoteCounts(
        {"a": VoteCounts({"ab": 2, ("c", None): 1}, LABELS), "c": VoteCounts({"cc": 1}, LABELS)}
    )
    joined = labeled.relabeled({"a": "x", "b": "x", "c": "y"}, ("x", "y"))
    assert joined.to_document()["counts_by_label"] == {"x": {"x,x": 2, "y,": 1}, "y": {"y,y": 1}}


# -- the answer key ----------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(20))
def test_votes_with_a_key_agree_with_the_list_of_questions(seed):
    rows, votes = draw(seed)
    rng = random.Random(seed)
    truth = [rng.choice(LABELS) for _ in rows]
    graded = count_rows(rows, truth=truth, labels=LABELS)
    assert graded.observed() == votes
    assert graded.key_counts == {label: truth.count(label) for label in LABELS}
    assert (graded.size, graded.labels, graded.judges) == (votes.size, votes.labels, votes.judges)
    for judge in range(3):
        pairs = [(true, row[judge]) for row, true in zip(rows, truth, strict=True)]
        assert graded.confusion(judge) == {t: {x: pairs.count((t, x)) for x in LABELS} for t in LABELS}
    assert graded.common(0, 1).observed() == votes.common(0, 1)
    assert graded.has_gaps == votes.has_gaps
    assert graded + graded == count_rows(rows + rows, truth=truth + truth, labels=LABELS)


@pytest.mark.parametrize(
    "given",
    [
        {},
        None,
        [VoteCounts({"a": 1})],
        {"a": {"aa": 1}},
        {"a": None},
        {"c": VoteCounts({"a": 1})},
        {1: VoteCounts({"a": 1})},
        {"a": VoteCounts({"a": 1}), "b": VoteCounts({"ab": 1})},
        {"a": VoteCounts({"a": 1}), "b": VoteCounts({"a": 1}, ["b", "a"])},
        {"a": VoteCounts({"a": 1}), "b": 5},
    ],
)
def test_invalid_labeled_votes_are_refused(given):
    with pytest.raises(BadVotes):
        LabeledVoteCounts(given)


def test_evaluators_without_a_rule_for_gaps_refuse_them():
    votes = VoteCounts({("a", None): 2, "ab": 1})
    assert VoteCounts({"ab": 1}).without_gaps("it") == VoteCounts({"ab": 1})
    with pytest.raises(BadVotes, match="2 gaps"):
        ConsistentSet(votes).nearest(None)


# -- forms -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(10))
def test_every_form_is_read_back(seed):
    _, votes = draw(seed)
    for value in (votes, LabeledVoteCounts({"a": votes, "b": votes})):
        kind = type(value)
        assert kind.from_json(value.to_json()) == kind.from_document(value.to_document()) == value
        assert kind.from_json(value.to_json()).to_json() == value.to_json()
        for copied in (copy.deepcopy(value), pickle.loads(pickle.dumps(value)), eval(repr(value))):
            assert copied == value
            assert hash(copied) == hash(value)


def test_the_json_form_is_the_fixed_one_with_a_gap_as_an_empty_label():
    votes = VoteCounts({"ab": 90, ("a", None): 2**60}, judges=["A", "B"])
    counts = {"a,b": 90, "a,": 2**60}
    assert votes.to_document() == {"labels": ["a", "b"], "judges": ["A", "B"], "counts": counts}
    labeled = LabeledVoteCounts({"a": votes}).to_document()
    assert labeled["counts_by_label"] == {"a": {"a,b": 90, "a,": 2**60}, "b": {}}


GOOD = '{"labels": ["a", "b"], "judges": ["A", "B"], "counts": {"a,b": 1}}'


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"labels"', '"label"'),
        ('"counts"', '"x": 1, "counts"'),
        ('["a", "b"]', '"ab"'),
        ('["A", "B"]', "null"),
        ('["A", "B"]', '["A", "A"]'),
        ('"a,b"', '"a,c"'),
        ('"a,b"', '"a"'),
        ('"a,b"', '","'),
        ('"a,b"', '"a\\\\,b"'),
        ('"a,b"', '"a,\\\\b"'),
        (": 1", ": 1.0"),
        (": 1", ": NaN"),
        (": 1", ': "1e999999999"'),
        (": 1", ": " + "9" * 1_000_000),
        ('"b"]', '"\\ud800"]'),
        ("}}", "}"),
        (GOOD, ""),
        (GOOD, "[]"),
        (GOOD, "[" * 100_000),
    ],
)
def test_a_wrong_document_is_refused_at_once_with_one_line(old, new):
    assert old in GOOD
    begin = time.perf_counter()
    with pytest.raises(NtqrExactError) as caught:
        VoteCounts.from_json(GOOD.replace(old, new, 1))
    assert time.perf_counter() - begin < 0.5
    assert len(str(caught.value)) <= 300
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "change", [{"extra": 1}, {"counts_by_label": {}}, {"counts_by_label": {"a": [1]}}, {"labels": "ab"}]
)
def test_a_wrong_document_with_a_key_is_refused(change):
    document = LabeledVoteCounts({"a": VoteCounts({"ab": 2})}).to_document()
    with pytest.raises(BadDocument):
        LabeledVoteCounts.from_document({**document, **change})


@given(st.lists(st.one_of(st.none(), st.text(alphabet=",\\a", min_size=1), st.text(min_size=1)), min_size=1))
def test_splitting_a_pattern_undoes_joining(pattern):
    assert split_pattern(join_pattern(tuple(pattern))) == tuple(pattern)


@pytest.mark.parametrize("text", ["a\\", "\\a", "a,\\b", "a\\\\\\"])
def test_a_backslash_before_anything_else_is_refused(text):
    with pytest.raises(BadVotes):
        split_pattern(text)


def test_a_label_that_is_not_a_text_is_never_a_gap() -> None:
    for cell in (0, False):
        with pytest.raises(BadVotes):
            count_rows([["a", cell], ["b", "a"]])
