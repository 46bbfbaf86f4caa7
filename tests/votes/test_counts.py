"""`VoteCounts`: a frozen value, its rates and moments, and the votes derived from it."""

import itertools
import math
import time
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
import sympy
from gmpy2 import mpq, mpz

from ntqr_exact import LabeledVoteCounts, VoteCounts
from ntqr_exact.errors import (
    BadDocument,
    BadNumber,
    BadVotes,
    EmptyTest,
    FloatRefused,
    NotANumber,
    NtqrExactError,
)

TWO_NORM = VoteCounts(
    {"aaa": 181, "aab": 90, "aba": 86, "abb": 115, "baa": 86, "bab": 109, "bba": 100, "bbb": 233},
    judges=["A", "B", "C"],
)
WORDS = VoteCounts({("yes", "no"): 3, ("maybe", "yes"): 2, ("no", "no"): 1}, labels=["yes", "no", "maybe"])
EMPTY = VoteCounts({}, judges=["A", "B"])
THREE_LABELS = VoteCounts({"abc": 3, "cab": 2, "bbb": 5, "aac": 1}, labels=["a", "b", "c"])
ALL = [TWO_NORM, WORDS, EMPTY, THREE_LABELS, VoteCounts({"a": 1}), VoteCounts({"ab": 10**30})]


# -- counts ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "count", [3, "3", mpz(3), mpq(3), Fraction(3), Decimal("3.0"), np.int64(3), np.uint8(3), sympy.Integer(3)]
)
def test_a_count_may_be_a_whole_number_of_any_library(count):
    votes = VoteCounts({"ab": count})
    assert votes == VoteCounts({"ab": 3})
    assert type(votes.counts["ab"]) is int


@pytest.mark.parametrize(
    ("count", "error", "rule"),
    [
        (-1, BadNumber, "a count must not be negative"),
        (np.int64(-1), BadNumber, "a count must not be negative"),
        (Fraction(1, 2), BadNumber, "a count must be a whole number"),
        ("1/2", BadNumber, "a count must be a whole number"),
        ("2.5", BadNumber, "a count must be a whole number"),
        (1.0, FloatRefused, "a float is not exact"),
        (float("nan"), FloatRefused, "a float is not exact"),
        (np.float64(2), FloatRefused, "a float is not exact"),
        (True, NotANumber, "a truth value is not a number"),
        (np.True_, NotANumber, "bool is not an exact number"),
        (None, NotANumber, "NoneType is not an exact number"),
        ([1], NotANumber, "list is not an exact number"),
        ("", BadNumber, "not a number"),
        ("many", BadNumber, "not a number"),
        ("1e999999999", BadNumber, "a number has at most 100000 digits written out"),
        (10**1000, BadNumber, "a count has at most 1000 digits"),
        ("1e1000", BadNumber, "a count has at most 1000 digits"),
    ],
)
def test_a_count_that_is_none_is_refused_and_its_pattern_named(count, error, rule):
    with pytest.raises(error) as caught:
        VoteCounts({"aa": 1, "ab": count})
    assert caught.value.rule == f"{rule} (this is the count of 'ab')"
    assert caught.value.given is count
    assert "\n" not in str(caught.value)


def test_huge_counts_are_kept_exactly_and_can_be_shown():
    huge = 10**1000 - 1
    votes = VoteCounts({"ab": huge}) + VoteCounts({"ab": huge, "aa": 1})
    assert votes.size == 2 * huge + 1
    assert votes.frequency("aa") == mpq(1, 2 * huge + 1)
    assert str(2 * huge) in str(votes)
    assert str(2 * huge) in repr(votes)
    single = VoteCounts({"ab": huge})
    assert VoteCounts.from_json(single.to_json()) == single


def test_patterns_have_one_label_for_each_judge():
    with pytest.raises(BadVotes, match="a pattern here has 2 labels, one for each judge"):
        VoteCounts({"aa": 1, "aab": 1})
    with pytest.raises(BadVotes, match="a pattern here has 3 labels, one for each judge"):
        VoteCounts({"aa": 1}, judges=["A", "B", "C"])
    with pytest.raises(BadVotes, match="a pattern here has 2 labels"):
        VoteCounts({"aa": 1, "aab": 0})


@pytest.mark.parametrize("pattern", ["ac", ("a", "c"), ("a", 1), 5, ()])
def test_a_pattern_of_other_things_than_the_labels_is_refused(pattern):
    with pytest.raises(BadVotes):
        VoteCounts({pattern: 1})


# -- the empty test ----------------------------------------------------------------------------------


def test_an_empty_test_has_counts_but_no_rates():
    assert EMPTY.size == 0
    assert EMPTY.counts["ab"] == 0
    assert EMPTY.responses("A") == {"a": 0, "b": 0}
    assert EMPTY.frequencies() == {}
    assert EMPTY.marginal(0) == VoteCounts({}, judges=["A"])
    assert EMPTY + EMPTY == EMPTY


@pytest.mark.parametrize(
    "rate",
    [
        lambda votes: votes.frequency("aa"),
        lambda votes: votes.response_rate(0, "a"),
        lambda votes: votes.agreement(),
        lambda votes: votes.pair_moment(0, 1),
    ],
)
def test_a_rate_of_an_empty_test_is_an_error_of_its_own(rate):
    with pytest.raises(EmptyTest, match=r"a test without questions has no (rates|moments)"):
        rate(EMPTY)


# -- the value ---------------------------------------------------------------------------------------


def test_patterns_stand_in_the_order_of_the_labels_not_of_the_alphabet():
    votes = VoteCounts({"ab": 1, "ba": 2, "bb": 3}, labels=["b", "a"])
    assert list(votes.counts) == [("b", "b"), ("b", "a"), ("a", "b")]
    assert list(votes.patterns()) == [("b", "b"), ("b", "a"), ("a", "b"), ("a", "a")]


def test_votes_with_other_labels_judges_or_counts_are_not_equal():
    votes = VoteCounts({"ab": 1})
    assert votes != VoteCounts({"ab": 2})
    assert votes != VoteCounts({"ba": 1})
    assert votes != VoteCounts({"ab": 1}, labels=["b", "a"])
    assert votes != VoteCounts({"ab": 1}, labels=["a", "b", "c"])
    assert votes != VoteCounts({"ab": 1}, judges=["A", "B"])
    assert votes != {"ab": 1}
    assert votes != LabeledVoteCounts({"a": votes})


# -- the mapping -------------------------------------------------------------------------------------


@pytest.mark.parametrize("pattern", ["ba", ("b", "a"), ["b", "a"]])
def test_a_pattern_that_was_not_seen_counts_zero(pattern):
    counts = VoteCounts({"ab": 3}).counts
    assert counts[pattern] == 0
    assert counts.get(pattern) == 0
    assert pattern not in counts


@pytest.mark.parametrize("pattern", ["a", "abb", "ac", ("a",), ("a", "b", "b"), ("a", 1), 3, None, {}, ""])
def test_what_is_no_pattern_of_these_votes_raises_and_is_not_contained(pattern):
    counts = VoteCounts({"ab": 3}).counts
    with pytest.raises(BadVotes):
        counts[pattern]
    assert pattern not in counts


# -- rates and moments -------------------------------------------------------------------------------


def brute(votes):
    """Return the questions written out: one pattern for each."""
    return [pattern for pattern, count in votes.counts.items() for _ in range(count)]


def test_size_and_frequencies_are_shares_of_the_questions():
    assert TWO_NORM.size == 1000
    assert TWO_NORM.frequency("aab") == mpq(9, 100)
    assert TWO_NORM.frequency(("b", "b", "b")) == mpq(233, 1000)
    assert sum(TWO_NORM.frequencies().values()) == 1
    assert VoteCounts({"ab": 2, "bb": 1}).frequencies() == {
        ("a", "b"): mpq(2, 3),
        ("b", "b"): mpq(1, 3),
    }
    assert VoteCounts({"ab": 2}).frequency("aa") == 0
    with pytest.raises(BadVotes):
        TWO_NORM.frequency("aa")


@pytest.mark.parametrize("votes", [TWO_NORM, WORDS, THREE_LABELS])
def test_responses_rates_and_agreement_are_those_of_brute_force(votes):
    rows = brute(votes)
    for place, name in enumerate(votes.judges):
        for label in votes.labels:
            given = sum(row[place] == label for row in rows)
            assert votes.responses(place)[label] == votes.responses(name)[label] == given
            assert votes.response_rate(name, label) == mpq(given, len(rows))
        assert list(votes.responses(place)) == list(votes.labels)
    for size in range(1, len(votes.judges) + 1):
        for chosen in itertools.combinations(range(len(votes.judges)), size):
            agreed = sum(len({row[i] for i in chosen}) == 1 for row in rows)
            assert votes.agreement(*chosen) == mpq(agreed, len(rows))
            assert votes.agreement(*(votes.judges[i] for i in chosen)) == mpq(agreed, len(rows))
    assert votes.agreement() == votes.agreement(*votes.judges)


@pytest.mark.parametrize(
    ("votes", "label"),
    [(TWO_NORM, "b"), (TWO_NORM, "a"), (THREE_LABELS, "a"), (THREE_LABELS, "b"), (THREE_LABELS, "c")],
)
def test_moments_are_those_of_the_printed_formulas(votes, label):
    def f(*pairs):
        rows = brute(votes)
        return mpq(sum(all(row[i] == label for i in pairs) for row in rows), len(rows))

    def delta(i, j):
        return f(i, j) - f(i) * f(j)

    for i, j in itertools.permutations(range(3), 2):
        assert votes.pair_moment(i, j, label=label) == delta(i, j)
    for i, j, k in itertools.permutations(range(3)):
        expected = f(i, j, k) - (
            f(i) * f(j) * f(k) + f(i) * delta(j, k) + f(j) * delta(i, k) + f(k) * delta(i, j)
        )
        assert votes.trio_moment(i, j, k, label=label) == expected


def test_central_moments_of_any_number_of_judges_are_means_of_products():
    votes = VoteCounts({"aabb": 3, "abab": 1, "bbbb": 2, "baaa": 4}, judges=["A", "B", "C", "D"])
    rows = brute(votes)
    for label in "ab":
        rates = [mpq(sum(row[i] == label for row in rows), len(rows)) for i in range(4)]
        for size in range(1, 5):
            for chosen in itertools.permutations(range(4), size):
                products = [math.prod((row[i] == label) - rates[i] for i in chosen) for row in rows]
                assert votes.central_moment(chosen, label=label) == sum(products) / len(rows)
    assert votes.central_moment(iter(["A", "B"])) == votes.pair_moment("A", "B")
    assert votes.central_moment(["A", "B", "D"]) == votes.trio_moment(0, 1, 3)
    for wrong, rule in ([], "at least one judge"), (["A", 0], "named twice"), (["E"], "a judge is one of"):
        with pytest.raises(BadVotes, match=rule):
            votes.central_moment(wrong)


def test_with_two_labels_the_second_is_meant_and_the_first_has_the_opposite_sign():
    for i, j in itertools.combinations(range(3), 2):
        assert TWO_NORM.pair_moment(i, j) == TWO_NORM.pair_moment(i, j, label="b")
        assert TWO_NORM.pair_moment(i, j) == TWO_NORM.pair_moment(i, j, label="a")
    assert TWO_NORM.trio_moment(0, 1, 2) == TWO_NORM.trio_moment(0, 1, 2, label="b")
    assert TWO_NORM.trio_moment(0, 1, 2) == -TWO_NORM.trio_moment(0, 1, 2, label="a")


def test_with_three_labels_the_label_of_a_moment_must_be_named():
    with pytest.raises(BadVotes, match="with 3 labels, name the one whose moment is meant"):
        THREE_LABELS.pair_moment(0, 1)
    with pytest.raises(BadVotes, match="a label is one of"):
        THREE_LABELS.pair_moment(0, 1, label="d")


@pytest.mark.parametrize("judge", [-1, 3, 10**30, True, False, 1.0, None, "D", "", ("A",), np.int64(3)])
@pytest.mark.parametrize(
    "ask",
    [
        TWO_NORM.responses,
        lambda judge: TWO_NORM.agreement(0, judge),
        lambda judge: TWO_NORM.pair_moment(judge, 1),
        lambda judge: TWO_NORM.marginal(1, judge),
        lambda judge: TWO_NORM.restricted(judge, "a"),
        TWO_NORM.place,
    ],
)
def test_a_judge_that_is_none_is_refused(ask, judge):
    with pytest.raises(BadVotes, match="a judge is one of A, B, C, or its place from 0 to 2"):
        ask(judge)


# -- other votes of the same test --------------------------------------------------------------------


def test_marginals_are_named_by_place_by_name_or_by_an_iterable():
    rows = [(row[2], row[0]) for row in brute(TWO_NORM)]
    counted = {pattern: rows.count(pattern) for pattern in set(rows)}
    expected = VoteCounts(counted, judges=["C", "A"])
    for votes in (
        TWO_NORM.marginal(2, 0),
        TWO_NORM.marginal("C", "A"),
        TWO_NORM.marginal("C", 0),
        TWO_NORM.marginal([2, 0]),
        TWO_NORM.marginal(("C", "A")),
        TWO_NORM.marginal(name for name in ("C", "A")),
    ):
        assert votes == expected
    assert TWO_NORM.marginal("B") == TWO_NORM.marginal(["B"]) == TWO_NORM.marginal(1)


def test_reordering_names_all_judges():
    votes = TWO_NORM.reordered("C", "A", "B")
    assert votes.judges == ("C", "A", "B")
    assert votes.counts["bab"] == TWO_NORM.counts["abb"] == 115
    assert votes.reordered(["A", "B", "C"]) == TWO_NORM
    with pytest.raises(BadVotes, match="a new order names all 3 judges"):
        TWO_NORM.reordered(0, 1)
    with pytest.raises(BadVotes, match="a judge is named twice"):
        TWO_NORM.reordered(0, 1, 1)


def test_a_restriction_keeps_the_questions_and_all_judges():
    votes = TWO_NORM.restricted("B", "b")
    assert votes == VoteCounts({"aba": 86, "abb": 115, "bba": 100, "bbb": 233}, judges=["A", "B", "C"])
    assert votes + TWO_NORM.restricted("B", "a") == TWO_NORM
    assert THREE_LABELS.restricted(0, "c").labels == ("a", "b", "c")


def test_judges_and_labels_can_be_renamed():
    votes = TWO_NORM.with_judges(iter(["x", "y", "z"]))
    assert votes.judges == ("x", "y", "z")
    assert votes.counts == TWO_NORM.counts
    renamed = TWO_NORM.with_labels(["no", "yes"])
    assert renamed.labels == ("no", "yes")
    assert renamed.counts["no", "no", "yes"] == 90
    # The names of labels may be exchanged, too; the order of the labels goes with the names.
    turned = TWO_NORM.with_labels(["b", "a"])
    assert turned.labels == ("b", "a")
    assert turned.counts["bba"] == TWO_NORM.counts["aab"] == 90


def test_two_labels_are_swapped_without_naming_them():
    swapped = TWO_NORM.swapped_labels()
    assert swapped.labels == ("a", "b")
    assert swapped.counts["bba"] == 90
    assert swapped == TWO_NORM.swapped_labels("a", "b") == TWO_NORM.swapped_labels("b", "a")


def test_merging_adds_the_counts():
    assert VoteCounts({"aa": 1, "ab": 2}) + VoteCounts({"ab": 3, "bb": 4}) == VoteCounts(
        {"aa": 1, "ab": 5, "bb": 4}
    )


@pytest.mark.parametrize(
    ("other", "kind"),
    [
        (VoteCounts({"aa": 1}, labels=["b", "a"]), "labels"),
        (VoteCounts({"aa": 1}, labels=["a", "b", "c"]), "labels"),
        (VoteCounts({"aa": 1}, judges=["J2", "J1"]), "judges"),
        (VoteCounts({"aaa": 1}), "judges"),
    ],
)
def test_votes_of_other_labels_or_judges_do_not_merge(other, kind):
    with pytest.raises(BadVotes, match=f"only if their {kind} are the same"):
        VoteCounts({"aa": 1}) + other


# -- forms -------------------------------------------------------------------------------------------


# -- JSON --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("votes", ALL)
def test_json_comes_back_byte_for_byte(votes):
    text = votes.to_json()
    assert VoteCounts.from_json(text) == votes
    assert VoteCounts.from_json(text).to_json() == text
    assert VoteCounts.from_document(votes.to_document()) == votes


def test_the_json_form_is_the_fixed_one():
    votes = VoteCounts({"aab": 90, "bbb": 2**60}, judges=["A", "B", "C"])
    assert votes.to_document() == {
        "labels": ["a", "b"],
        "judges": ["A", "B", "C"],
        "counts": {"a,a,b": 90, "b,b,b": 2**60},
    }
    assert '"b,b,b": "1152921504606846976"' in votes.to_json()
    assert '"a,a,b": 90' in votes.to_json()


def test_labels_with_commas_and_backslashes_survive_json():
    labels = [",", "\\", "\\,", "a,b", 'q"', "\n", "é", "😀"]
    votes = VoteCounts({pair: i + 1 for i, pair in enumerate(itertools.permutations(labels, 2))}, labels)
    assert VoteCounts.from_json(votes.to_json()) == votes


GOOD = '{"labels": ["a", "b"], "judges": ["A", "B"], "counts": {"a,b": 1}}'


@pytest.mark.parametrize(
    ("old", "new", "error", "rule"),
    [
        ('"counts": {', '"counts": {"a,b": 2, ', BadDocument, "this key is given twice"),
        ('"labels"', '"labels": ["a", "b"], "labels"', BadDocument, "this key is given twice"),
        ('"labels": ["a", "b"], ', "", BadDocument, "votes are an object"),
        ('"judges": ["A", "B"], ', "", BadDocument, "votes are an object"),
        ("{", '{"extra": 1, ', BadDocument, "votes are an object"),
        ('["a", "b"]', '"ab"', BadDocument, "votes are an object"),
        ('["A", "B"]', "null", BadDocument, "votes are an object"),
        ('{"a,b": 1}', "[1]", BadDocument, "votes are an object"),
        ('["a", "b"]', '["a", 1]', BadVotes, "a label is a text, not int"),
        ('["a", "b"]', '["a"]', BadVotes, "at least two labels"),
        ('["A", "B"]', '["A", "A"]', BadVotes, "this judge is named twice"),
        ('["A", "B"]', "[]", BadVotes, "at least one judge"),
        ('"a,b"', '"a,c"', BadVotes, "'c' is not one of the labels"),
        ('"a,b"', '"a,b,a"', BadVotes, "a pattern here has 2 labels"),
        ('"a,b"', '"a"', BadVotes, "a pattern here has 2 labels"),
        ('"a,b"', '""', BadVotes, "a pattern here has 2 labels"),
        ('"a,b"', '"a\\\\,b"', BadVotes, "'a,b' is not one of the labels"),
        ('"a,b"', '"a,\\\\b"', BadVotes, "a backslash in a pattern"),
        (": 1", ": -1", BadNumber, "must not be negative"),
        (": 1", ": 1.0", BadDocument, "must be a whole count"),
        (": 1", ": 1e5", BadDocument, "must be a whole count"),
        (": 1", ": NaN", BadDocument, "must be finite"),
        (": 1", ": true", NotANumber, "a truth value is not a number"),
        (": 1", ": null", NotANumber, "NoneType is not an exact number"),
        (": 1", ": [1]", NotANumber, "list is not an exact number"),
        (": 1", ': "1/2"', BadNumber, "must be a whole number"),
        (": 1", ': "1e999999999"', BadNumber, "at most 100000 digits"),
        (": 1", ": 1e999999999", BadDocument, "must be a whole count"),
        (": 1", ": " + "9" * 1_000_000, BadNumber, "at most 100000 digits"),
        (": 1", ': "' + "9" * 1_000_000 + '"', BadNumber, "at most 100000 digits"),
        (": 1", ": " + "9" * 5000, BadNumber, "at most 1000 digits"),
        ('"b"]', '"\\ud800"]', BadDocument, "surrogate"),
        ("}}", "}", BadDocument, "not JSON"),
        ("{", "\ufeff{", BadDocument, "not JSON"),
        (GOOD, "", BadDocument, "not JSON"),
        (GOOD, "[]", BadDocument, "votes are an object"),
        (GOOD, "[" * 100_000, BadDocument, "nested too deeply"),
    ],
)
def test_a_wrong_document_is_refused_at_once_with_one_line(old, new, error, rule):
    assert old in GOOD
    begin = time.perf_counter()
    with pytest.raises(error, match=rule) as caught:
        VoteCounts.from_json(GOOD.replace(old, new, 1))
    assert isinstance(caught.value, NtqrExactError)
    assert time.perf_counter() - begin < 0.5
    assert len(str(caught.value)) < 500
    assert "\n" not in str(caught.value)
