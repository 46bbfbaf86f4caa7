"""Three judges, two labels, independent errors: closed form against the forward model and all answer keys."""

from __future__ import annotations

import copy
import json
import pickle
from fractions import Fraction
from itertools import product
from math import comb, gcd, isqrt

import pytest
from gmpy2 import mpq
from hypothesis import assume, given
from hypothesis import strategies as st

from ntqr_exact import Surd, VoteCounts, example
from ntqr_exact.alarms.alarm import AlarmKind
from ntqr_exact.errors import BadVotes, EmptyTest
from ntqr_exact.evaluators.grade import grade
from ntqr_exact.evaluators.independent import solve_independent
from ntqr_exact.evaluators.independent.independent_solution import Identification

TRIO = list(product("ab", repeat=3))


def trio(*counts: int) -> VoteCounts:
    return VoteCounts(dict(zip(TRIO, counts, strict=True)))


def kinds(votes: VoteCounts) -> set[AlarmKind]:
    return {alarm.kind for alarm in solve_independent(votes).alarms}


def compositions(total: int, parts: int):
    if parts == 1:
        yield (total,)
        return
    for first in range(total + 1):
        for rest in compositions(total - first, parts - 1):
            yield (first, *rest)


def is_product(counts: tuple[int, ...]) -> bool:
    """Whether eight counts are those of three independent judges: all pair and trio moments vanish."""
    size = sum(counts)
    ones = [sum(n for pattern, n in zip(TRIO, counts, strict=True) if pattern[i] == "b") for i in range(3)]
    for pattern, count in zip(TRIO, counts, strict=True):
        expected = 1
        for i, label in enumerate(pattern):
            expected *= ones[i] if label == "b" else size - ones[i]
        if count * size * size != expected:
            return False
    return True


def independent_votes_by_brute_force(size: int) -> set[tuple[int, ...]]:
    """All votes of a test size that have an answer key with independent errors: sums of two products."""
    products = {n: [c for c in compositions(n, 8) if is_product(c)] for n in range(size + 1)}
    return {
        tuple(x + y for x, y in zip(first, second, strict=True))
        for n in range(size + 1)
        for first in products[n]
        for second in products[size - n]
    }


@pytest.mark.parametrize("size", range(1, 7))
def test_for_all_votes_of_up_to_six_questions_no_alarm_means_that_an_independent_key_exists(
    size: int,
) -> None:
    possible = independent_votes_by_brute_force(size)
    total = 0
    for counts in compositions(size, 8):
        total += 1
        solution = solve_independent(trio(*counts))
        assert (not solution.alarms) == (counts in possible), counts
        assert bool(solution.keys) == (not solution.alarms)
        for key in solution.keys:
            assert key.observed() == trio(*counts)
            for part in key.by_label.values():
                assert is_product(tuple(part.counts[pattern] for pattern in TRIO))
    assert total == comb(size + 7, 7)


rates = st.fractions(0, 1, max_denominator=6)


@given(rates, st.lists(rates, min_size=6, max_size=6))
def test_what_was_put_into_the_model_comes_out_of_it(prevalence: Fraction, accuracy: list[Fraction]) -> None:
    x, y = accuracy[:3], accuracy[3:]
    assume(0 < prevalence < 1 and all(x[i] + y[i] != 1 for i in range(3)))
    shares = {}
    for pattern in TRIO:
        a_part, b_part = prevalence, 1 - prevalence
        for i, label in enumerate(pattern):
            a_part *= x[i] if label == "a" else 1 - x[i]
            b_part *= 1 - y[i] if label == "a" else y[i]
        shares[pattern] = a_part + b_part
    scale = 1
    for share in shares.values():
        scale = scale * share.denominator // gcd(scale, share.denominator)
    solution = solve_independent(VoteCounts({pattern: share * scale for pattern, share in shares.items()}))
    assert solution.identification is Identification.IDENTIFIED
    assert {alarm.kind for alarm in solution.alarms} <= {AlarmKind.NOT_WHOLE}
    found = [(s.prevalence["a"], [(r["a"], r["b"]) for r in s.accuracy]) for s in solution.solutions]
    assert (prevalence, list(zip(x, y, strict=True))) in found
    assert (1 - prevalence, [(1 - q, 1 - p) for p, q in zip(x, y, strict=True)]) in found
    assert all(solution.quadratic(s.prevalence["a"]) == 0 for s in solution.solutions)


@given(st.lists(st.integers(0, 9), min_size=8, max_size=8).filter(any))
def test_the_solutions_satisfy_the_postulates_even_where_they_are_irrational_or_imaginary(counts) -> None:
    votes = trio(*counts)
    for solution in solve_independent(votes).solutions:
        for pattern in TRIO:
            total = Surd()
            for label in "ab":
                term = Surd(1) * solution.prevalence[label]
                for judge_rates, given_label in zip(solution.response_rates, pattern, strict=True):
                    term = term * judge_rates[label][given_label]
                total = total + term
            assert total == votes.frequency(pattern)


@given(st.lists(st.integers(0, 9), min_size=8, max_size=8).filter(any))
def test_moments_are_those_of_the_votes(counts) -> None:
    votes = trio(*counts)
    moments = solve_independent(votes).moments
    assert all(value == votes.pair_moment(*pair) for pair, value in moments.pair.items())
    assert moments.trio == votes.trio_moment(0, 1, 2)
    assert moments.pair_product == moments.pair[0, 1] * moments.pair[0, 2] * moments.pair[1, 2]
    assert moments.discriminant == moments.trio**2 + 4 * moments.pair_product


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        ((0, 1, 1, 0, 1, 0, 0, 3), {AlarmKind.IRRATIONAL, AlarmKind.OUT_OF_RANGE}),
        ((0, 1, 1, 1, 1, 1, 1, 0), {AlarmKind.NEGATIVE_PRODUCT, AlarmKind.IMAGINARY}),
        ((0, 1, 1, 0, 1, 0, 0, 0), {AlarmKind.NEGATIVE_PRODUCT, AlarmKind.NO_ROOT}),
        ((0, 0, 0, 1, 2, 1, 1, 1), {AlarmKind.NOT_WHOLE}),
        ((0, 0, 0, 1, 2, 1, 1, 0), {AlarmKind.OUT_OF_RANGE, AlarmKind.NOT_WHOLE}),
        ((0, 0, 0, 1, 1, 1, 2, 0), {AlarmKind.NEGATIVE_PRODUCT, AlarmKind.OUT_OF_RANGE}),
        ((3, 1, 1, 0, 0, 1, 1, 3), {AlarmKind.IRRATIONAL, AlarmKind.OUT_OF_RANGE}),
        ((1, 0, 1, 0, 1, 0, 1, 1), set()),
    ],
)
def test_the_alarms_of_small_tests_fire_as_known(counts, expected) -> None:
    assert kinds(trio(*counts)) == expected


def test_the_numbers_of_the_small_tests() -> None:
    def solved(*counts):
        return solve_independent(trio(*counts))

    assert solved(0, 1, 1, 1, 1, 1, 1, 0).moments.trio == 0
    assert {s.prevalence["a"] * 6 for s in solved(0, 0, 0, 1, 2, 1, 1, 1).solutions} == {mpq(9, 2), mpq(3, 2)}
    assert 2 in {s.accuracy[0]["a"] for s in solved(0, 0, 0, 1, 2, 1, 1, 0).solutions}
    assert mpq(-1, 5) in {s.prevalence["a"] for s in solved(0, 0, 0, 1, 1, 1, 2, 0).solutions}
    level = solved(3, 1, 1, 0, 0, 1, 1, 3)
    assert (level.moments.trio, level.moments.discriminant) == (0, mpq(9, 2000))
    assert {s.prevalence["a"] for s in level.solutions} == {mpq(1, 2)}
    assert solved(1, 0, 1, 0, 1, 0, 1, 1).moments.discriminant == mpq(1, 25) ** 2


def test_the_synthetic_evaluation_of_tables_8_and_9_comes_out_as_19_20_and_1_20() -> None:
    counts = (2010437, 931913, 448913, 251237, 776713, 330937, 171437, 78413)
    solution = solve_independent(trio(*counts))
    assert solution.moments.trio == mpq(-165699, 200000000)
    assert solution.moments.discriminant == mpq(338964921, 400000000000000) == mpq(18411, 20000000) ** 2
    assert {s.prevalence["a"] for s in solution.solutions} == {mpq(19, 20), mpq(1, 20)}
    truth = next(s for s in solution.solutions if s.prevalence["a"] == mpq(19, 20))
    assert [(r["a"], r["b"]) for r in truth.accuracy] == [
        (mpq(18, 25), mpq(11, 100)),
        (mpq(41, 50), mpq(19, 50)),
        (mpq(71, 100), mpq(43, 50)),
    ]


@pytest.mark.parametrize(
    ("name", "radicand", "on_a", "on_b"),
    [
        (
            "two-norm",
            657031321,
            [(59839, 111804), (56635, 106368), (53317, 102096)],
            [(51965, 111804), (49733, 106368), (48779, 102096)],
        ),
        ("uci-adult", 11686017, [(8309, 12572), (5953, 11776), (44407, 52648)], None),
    ],
)
def test_the_radicals_of_tables_2_3_and_6_come_out_exactly(name, radicand, on_a, on_b) -> None:
    solution = solve_independent(example(name).votes).solutions[0]
    for label, printed in (("a", on_a), ("b", on_b)):
        for judge, (constant, denominator) in enumerate(printed or ()):
            expected = Surd(mpq(constant, denominator), mpq(1, denominator), radicand)
            assert solution.accuracy[judge][label] == expected


def test_the_alarm_of_the_correlated_uci_adult_test_is_imaginary() -> None:
    assert AlarmKind.IMAGINARY in kinds(example("uci-adult-imaginary").votes)


def test_an_irrational_alarm_carries_the_squares_around_the_number() -> None:
    (alarm,) = solve_independent(example("two-norm").votes).alarms
    whole, below, above = (
        int(alarm.proof[name]) for name in ("times_q_to_the_6", "lower_root", "upper_root")
    )
    assert below**2 < whole < above**2
    assert above == below + 1 == isqrt(whole) + 1
    assert alarm.proof["discriminant"] == mpq(whole, 1000**6)


def test_exactly_one_vanishing_pair_moment_is_a_contradiction() -> None:
    found = []
    for counts in compositions(4, 8):
        votes = trio(*counts)
        solution = solve_independent(votes)
        zero = sum(value == 0 for value in solution.moments.pair.values())
        if zero and (zero == 1 or solution.moments.trio != 0):
            found.append(counts)
            assert [alarm.kind for alarm in solution.alarms] == [AlarmKind.CONTRADICTION]
            assert solution.identification is Identification.NONE
    assert found


def test_votes_without_any_moment_leave_a_family_with_the_keys_of_one_label() -> None:
    solution = solve_independent(trio(1, 1, 1, 1, 1, 1, 1, 1))
    assert solution.identification is Identification.FAMILY
    assert not solution.alarms
    assert {tuple(key.key_counts.values()) for key in solution.keys} == {(8, 0), (0, 8)}
    assert "at most one judge" in solution.notes[0]


def test_a_judge_who_cannot_tell_the_labels_apart_leaves_a_family() -> None:
    solution = solve_independent(trio(2, 2, 0, 0, 0, 0, 2, 2))
    assert solution.identification is Identification.FAMILY
    assert not solution.alarms
    for key in solution.keys:
        assert all(value == 0 for value in grade(key).correlations.values())
    assert any("J3 cannot tell the labels apart" in note for note in solution.notes)


def test_a_family_always_has_a_key_in_which_a_judge_of_the_pair_is_right() -> None:
    families, independent = 0, independent_votes_by_brute_force(5)
    for counts in compositions(5, 8):
        solution = solve_independent(trio(*counts))
        if solution.identification is Identification.FAMILY:
            families += 1
            assert not solution.alarms
            assert counts in independent
            assert [key.observed() for key in solution.keys] == [solution.votes] * 2
    assert families


def test_a_blind_judge_that_never_gives_a_label_leaves_a_key() -> None:
    solution = solve_independent(trio(7, 0, 3, 0, 3, 0, 3, 0))
    assert not solution.alarms
    assert len(solution.keys) == 2
    for key in solution.keys:
        assert key.observed() == solution.votes
        assert all(value == 0 for value in grade(key).correlations.values() if isinstance(value, type(mpq())))


def test_identical_judges_look_perfect_and_the_solution_says_so() -> None:
    solution = solve_independent(trio(3, 0, 0, 0, 0, 0, 0, 2))
    assert not solution.alarms
    assert solution.solutions[0].accuracy == ({"a": 1, "b": 1},) * 3
    assert len(solution.notes) == 1
    assert solution.notes[0].startswith("J1, J2 and J3 never disagree: copies of one judge look perfect")


def test_three_judges_are_needed_and_questions() -> None:
    with pytest.raises(BadVotes, match="three judges or more"):
        solve_independent(VoteCounts({"ab": 1}))
    with pytest.raises(EmptyTest, match="cannot be solved"):
        solve_independent(VoteCounts({}, judges=["A", "B", "C"]))


def test_a_solution_explains_itself_in_words_latex_and_json() -> None:
    solution = solve_independent(example("two-norm").votes)
    text = str(solution)
    assert "(59839 + √657031321)/111804 ≈ 0.764477" in text
    assert "ALARM, irrational" in text
    assert r"\frac{59839 + \sqrt{657031321}}{111804}" in solution.latex()
    assert solution._repr_latex_() == f"${solution.latex()}$"
    document = json.loads(solution.to_json())
    assert document["quadratic"][0] == "657031321/1000000000000"
    assert document["alarms"][0]["kind"] == "irrational"
    assert document["solutions"][0]["prevalence"]["a"]["radicand"] == "657031321"
    assert r"P^2" in solution.quadratic.latex()
    assert "(imaginary)" in str(solve_independent(example("uci-adult-imaginary").votes))
    clean = solve_independent(trio(1, 0, 1, 0, 1, 0, 1, 1))
    assert "No alarm" in str(clean)
    assert json.loads(clean.to_json())["keys"]


def test_a_solution_can_be_copied_and_sent_to_another_process() -> None:
    solution = solve_independent(example("uci-adult").votes)
    assert pickle.loads(pickle.dumps(solution)) == solution
    assert copy.deepcopy(solution) == solution
    assert hash(solution.alarms[0]) == hash(pickle.loads(pickle.dumps(solution.alarms[0])))
