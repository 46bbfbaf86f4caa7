"""Independent errors: all votes of small tests against all answer keys, and models that must come out again."""

from __future__ import annotations

import json
import random
from fractions import Fraction
from itertools import combinations, permutations, product
from math import comb, lcm

import pytest
from gmpy2 import mpq

from ntqr_exact import ConsistentSet, Surd, VoteCounts, example, grade, solve_independent
from ntqr_exact.alarms.alarm import AlarmKind
from ntqr_exact.answer import Answer
from ntqr_exact.blocks.block import Facts
from ntqr_exact.errors import BadVotes, EmptyTest, NotVotes
from ntqr_exact.evaluators.independent.commuting_matrices import solve_general
from ntqr_exact.evaluators.independent.independent_solution import (
    Identification,
    joint_counts,
)
from tests.compositions import compositions

TRIO = list(product("ab", repeat=3))


def votes_of(counts, labels="ab", judges=3) -> VoteCounts:
    return VoteCounts(dict(zip(product(labels, repeat=judges), counts, strict=True)), tuple(labels))


def kinds(votes) -> set[AlarmKind]:
    return {alarm.kind for alarm in solve_independent(votes).alarms}


def is_product(counts, labels, judges) -> bool:
    """Whether counts by pattern are those of judges who answer independently of each other."""
    size = sum(counts.values())
    given = [
        {label: sum(n for p, n in counts.items() if p[j] == label) for label in labels} for j in range(judges)
    ]
    for pattern in product(labels, repeat=judges):
        expected = size
        for judge, label in enumerate(pattern):
            expected *= Fraction(given[judge][label], size) if size else 0
        if counts.get(pattern, 0) != expected:
            return False
    return True


def has_independent_parts(key) -> bool:
    return all(is_product(dict(part.counts), key.labels, len(key.judges)) for part in key.by_label.values())


@pytest.mark.parametrize("size", range(1, 6))
def test_small_trios_have_no_alarm_exactly_if_an_independent_key_exists(size) -> None:
    by_size = {
        n: [c for c in compositions(n, 8) if is_product(dict(zip(TRIO, c, strict=True)), "ab", 3)]
        for n in range(size + 1)
    }
    possible = {
        tuple(x + y for x, y in zip(first, second, strict=True))
        for n in range(size + 1)
        for first in by_size[n]
        for second in by_size[size - n]
    }
    number = 0
    for counts in compositions(size, 8):
        number += 1
        solution = solve_independent(votes_of(counts))
        assert (solution.existence is Answer.YES) == (counts in possible) == (not solution.alarms)
        assert all(key.observed() == votes_of(counts) and has_independent_parts(key) for key in solution.keys)
    assert number == comb(size + 7, 7)


def test_rates_below_0_or_above_1_raise_their_alarm_and_no_others() -> None:
    draw = random.Random(5)
    for _ in range(200):
        votes = votes_of([draw.choice((0, 1, 2, draw.randrange(40), draw.randrange(400))) for _ in TRIO])
        solution = next(iter(solve_independent(votes).solutions), None)
        rows = [row for each in solution.response_rates for row in each.values()] if solution else []
        rates = [rate for row in rows for rate in row.values()]
        is_bad = all(getattr(rate, "is_real", True) for rate in rates) and any(not 0 <= x <= 1 for x in rates)
        assert (AlarmKind.OUT_OF_RANGE in kinds(votes)) == is_bad


@pytest.mark.parametrize(("labels", "judges"), [("ab", 4), ("abc", 3)])
def test_small_votes_of_more_judges_or_labels_agree_with_all_keys_unless_not_identified(
    labels, judges
) -> None:
    draw = random.Random(13)
    seen = set()
    for _ in range(60):
        rows = [tuple(draw.choice(labels) for _ in range(judges)) for _ in range(draw.randrange(1, 6))]
        votes = VoteCounts({row: rows.count(row) for row in rows}, tuple(labels))
        expected = any(map(has_independent_parts, ConsistentSet(votes)))
        solution = solve_independent(votes)
        seen.add(solution.existence)
        assert (solution.existence is Answer.UNDECIDED) == (solution.identification is Identification.FAMILY)
        if solution.existence is Answer.UNDECIDED:
            assert set(solution.ranks) == set(combinations(range(judges), 2))
            assert max(solution.ranks.values()) <= len(labels)
        else:
            assert (solution.existence is Answer.YES) == expected
        assert all(key.observed() == votes and has_independent_parts(key) for key in solution.keys)
    assert seen >= {Answer.NO, Answer.UNDECIDED}


def model(prevalence, responses, labels) -> VoteCounts:
    """Return the votes of independent judges; responses[judge][true label][answer]."""
    shares = {}
    for pattern in product(range(len(labels)), repeat=len(responses)):
        total = Fraction(0)
        for true, share in enumerate(prevalence):
            term = Fraction(share)
            for judge, answer in enumerate(pattern):
                term *= responses[judge][true][answer]
            total += term
        shares[tuple(labels[i] for i in pattern)] = total
    scale = lcm(*(share.denominator for share in shares.values()))
    return VoteCounts({pattern: share * scale for pattern, share in shares.items()}, tuple(labels))


def distribution(draw, size, *, lowest=0):
    weights = [0]
    while not sum(weights):
        weights = [draw.randint(lowest, 5) for _ in range(size)]
    return tuple(Fraction(w, sum(weights)) for w in weights)


def is_regular(rows) -> bool:
    """By the Leibniz formula, which is nobody else's."""
    total = Fraction(0)
    for order in permutations(range(len(rows))):
        sign = (-1) ** sum(order[i] > order[j] for i, j in combinations(range(len(rows)), 2))
        for i, j in enumerate(order):
            sign *= rows[i][j]
        total += sign
    return total != 0


@pytest.mark.parametrize(("labels", "judges"), [("ab", 3), ("ab", 4), ("ab", 5), ("abc", 3), ("abcd", 3)])
def test_solving_the_votes_of_a_model_gives_the_model_up_to_label_names(labels, judges) -> None:
    draw = random.Random(7)
    size = len(labels)
    done = 0
    while done < 8:
        prevalence = distribution(draw, size, lowest=1)
        responses = [[distribution(draw, size) for _ in labels] for _ in range(judges)]
        if not all(map(is_regular, responses)):
            continue
        done += 1
        solution = solve_general(model(prevalence, responses, labels))
        assert {alarm.kind for alarm in solution.alarms} <= {AlarmKind.NOT_WHOLE}
        expected = {
            tuple((prevalence[i], *(table[i] for table in responses)) for i in order)
            for order in permutations(range(size))
        }
        result = {
            tuple(
                (
                    one.prevalence[true],
                    *(tuple(rates[true][g] for g in labels) for rates in one.response_rates),
                )
                for true in labels
            )
            for one in solution.solutions
        }
        assert result == expected if size == 2 else result < expected
        if (size, judges) == (2, 3):
            closed = solve_independent(solution.votes)
            assert set(closed.solutions) == set(solution.solutions)


def test_the_first_of_many_labelings_has_the_most_right_answers() -> None:
    draw = random.Random(3)
    responses = [[distribution(draw, 3) for _ in range(3)] for _ in range(3)]
    (best,) = solve_general(model([Fraction(1, 3)] * 3, responses, "abc")).solutions
    right = [
        sum(rows[k][i] for rows in responses for i, k in enumerate(order)) for order in permutations(range(3))
    ]
    assert sum(sum(each.values()) for each in best.accuracy) == max(right)


def test_irrational_and_imaginary_solutions_reproduce_the_frequencies() -> None:
    draw = random.Random(5)
    surds = 0
    for _ in range(60):
        votes = votes_of([draw.randrange(6) for _ in TRIO])
        for solution in solve_independent(votes).solutions:
            surds += isinstance(solution.prevalence["a"], Surd)
            for pattern in TRIO:
                total = Surd(mpq(0))
                for label in "ab":
                    term = Surd(mpq(1)) * solution.prevalence[label]
                    for rates, given in zip(solution.response_rates, pattern, strict=True):
                        term = term * rates[label][given]
                    total = total + term
                assert total == Surd(votes.frequency(pattern))
    assert surds > 20


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        ((0, 1, 1, 0, 1, 0, 0, 3), {AlarmKind.IRRATIONAL, AlarmKind.OUT_OF_RANGE}),
        ((0, 1, 1, 1, 1, 1, 1, 0), {AlarmKind.NEGATIVE_PRODUCT, AlarmKind.IMAGINARY}),
        ((0, 1, 1, 0, 1, 0, 0, 0), {AlarmKind.NEGATIVE_PRODUCT, AlarmKind.NO_ROOT}),
        ((1, 0, 1, 0, 1, 0, 1, 1), set()),
    ],
)
def test_small_trios_raise_the_expected_alarms(counts, expected) -> None:
    assert kinds(votes_of(counts)) == expected


@pytest.mark.parametrize(
    ("counts", "kind"),
    [
        ((0, 0, 0, 1, 0, 1, 1, 0), AlarmKind.NOT_DIAGONALISABLE),
        ((0, 0, 0, 1, 1, 1, 1, 0), AlarmKind.CONTRADICTION),
        ((0, 0, 1, 1, 0, 1, 1, 0), AlarmKind.ZERO_PREVALENCE),
        ((0, 0, 0, 1, 1, 1, 2, 0), AlarmKind.OUT_OF_RANGE),
        ((0, 1, 1, 0, 1, 0, 0, 2), AlarmKind.IRRATIONAL_ROOTS),
        ((0, 1, 1, 1, 1, 1, 1, 0), AlarmKind.COMPLEX_ROOTS),
        ((0, 0, 0, 1, 2, 1, 1, 1), AlarmKind.NOT_WHOLE),
    ],
)
def test_each_alarm_of_the_matrices_fires_on_the_smallest_votes_that_raise_it(counts, kind) -> None:
    solution = solve_general(votes_of(counts))
    assert {alarm.kind for alarm in solution.alarms} == {kind}
    assert solution.existence is Answer.NO


def test_trios_whose_fourth_judge_is_dependent_are_not_enough() -> None:
    """Every three of four judges are independent of each other on one label, but all four are not."""
    even = {pattern: 1 for pattern in product("ab", repeat=4) if pattern.count("a") % 2 == 0}
    mixed = VoteCounts({**even, ("a",) * 4: 9})
    assert kinds(mixed)


def test_a_pair_that_does_not_identify_leaves_it_to_another() -> None:
    good = [[Fraction(1, 2), Fraction(1, 4), Fraction(1, 4)], [0, 1, 0], [Fraction(1, 4), 0, Fraction(3, 4)]]
    blind = [[Fraction(1, 3)] * 3] * 3
    three = solve_independent(model([Fraction(1, 3)] * 3, [good, good, blind], "abc"))
    assert (three.identification, three.existence) == (Identification.FAMILY, Answer.UNDECIDED)
    assert three.ranks[0, 1] == 3
    four = solve_independent(model([Fraction(1, 3)] * 3, [blind, good, good, good], "abc"))
    assert four.identification is Identification.IDENTIFIED


def test_a_key_has_the_rates_of_its_solution() -> None:
    solution = solve_independent(VoteCounts({"aaa": 1, "aba": 1, "baa": 1, "bba": 1, "bbb": 1}))
    for key, one in zip(solution.keys, solution.solutions, strict=True):
        assert grade(key, order=1).prevalence == one.prevalence
        counts = joint_counts(solution.votes, one, solution.votes.patterns())["a"]
        assert {p: n for p, n in counts.items() if n} == key.by_label["a"].counts


def test_a_solution_has_a_text_and_an_exact_document() -> None:
    for votes in (example("two-norm").votes, VoteCounts({"aaaa": 5}), VoteCounts({"aaa": 2, "bbb": 1})):
        solution = solve_independent(votes)
        document = json.loads(solution.to_json())
        assert document["independent_key"] == solution.existence.value
        assert str(solution)
        assert solution._repr_html_()
    assert "never disagree" in str(solution)


def test_a_mirrored_solution_is_printed_once() -> None:
    solution = solve_independent(example("two-norm").votes)
    assert len(solution.solutions) == 2
    assert [type(block) for block in solution.blocks()].count(Facts) == 1


@pytest.mark.parametrize(
    ("votes", "error"),
    [
        ({"aaa": 1}, NotVotes),
        (VoteCounts({"aa": 1}), BadVotes),
        (VoteCounts({"aaa": 0}), EmptyTest),
        (VoteCounts({("a", None, "b"): 3}), EmptyTest),
    ],
)
def test_bad_votes_are_refused(votes, error) -> None:
    with pytest.raises(error):
        solve_independent(votes)


def test_the_likeliest_label_is_that_of_the_largest_product_of_rates():
    rates = (("9/10", "4/5"), ("4/5", "7/10"), ("3/5", "9/10"))
    share = Fraction(1, 10)
    counts, expected = {}, {}
    for pattern in product("ab", repeat=3):
        chance = {"a": share, "b": 1 - share}
        for (on_a, on_b), answer in zip(rates, pattern, strict=True):
            chance["a"] *= Fraction(on_a) if answer == "a" else 1 - Fraction(on_a)
            chance["b"] *= Fraction(on_b) if answer == "b" else 1 - Fraction(on_b)
        counts[pattern] = sum(chance.values()) * 50_000
        expected[pattern] = max(chance, key=chance.__getitem__)
    solution = solve_independent(VoteCounts(counts))
    assert {pattern: solution.likeliest_label(pattern) for pattern in counts} == expected
    assert solution.likeliest_label((None, None, "a")) == "b"
    imaginary = solve_independent(VoteCounts({"aba": 1, "baa": 1, "bba": 1, "abb": 1, "bab": 1, "aab": 1}))
    assert imaginary.likeliest_label("aab") is None
