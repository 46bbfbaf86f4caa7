"""More labels and more judges: models put in come out, and every alarm of the matrices fires somewhere."""

from __future__ import annotations

import json
import random
from fractions import Fraction
from itertools import permutations, product
from math import factorial, lcm, prod

import pytest
from gmpy2 import mpq
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from ntqr_exact import ConsistentSet, VoteCounts
from ntqr_exact.alarms.alarm import AlarmKind
from ntqr_exact.algebra.rational_matrix import (
    RootKind,
    characteristic_polynomial,
    combination,
    identity,
    inverse,
    is_squarefree,
    kernel,
    kind_of_roots,
    matrix,
    multiply,
    rational_roots,
)
from ntqr_exact.evaluators.grade import grade
from ntqr_exact.evaluators.independent import solve_independent
from ntqr_exact.evaluators.independent.commuting_matrices import response_matrices, solve_general
from ntqr_exact.evaluators.independent.independent_solution import Identification
from ntqr_exact.exact.undefined_value import Undefined

LABELS = "abcde"
CYCLIC_24 = (2, 1, 1, 1, 1, 0, 1, 0, 1, 1, 1, 0, 1, 2, 1, 0, 1, 1, 1, 0, 1, 0, 1, 1, 1, 1, 2)
MIXED_256 = (24, 15, 13, 9, 10, 9, 3, 3, 10, 12, 12, 8, 5, 14, 9, 3, 6, 11, 12, 9, 7, 6, 8, 10, 6, 3, 19)


def votes_of(counts, *, labels: str = "abc", judges: int = 3) -> VoteCounts:
    return VoteCounts(dict(zip(product(labels, repeat=judges), counts, strict=True)), tuple(labels))


def votes_of_model(prevalence, responses) -> VoteCounts:
    """The votes of independent judges; responses[judge][true label][answer]."""
    labels = LABELS[: len(prevalence)]
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


@st.composite
def distributions(draw: st.DrawFn, labels: int, *, positive: bool = False) -> tuple[Fraction, ...]:
    weights = draw(
        st.lists(st.integers(int(positive), 5), min_size=labels, max_size=labels).filter(lambda w: sum(w) > 0)
    )
    return tuple(Fraction(w, sum(weights)) for w in weights)


@st.composite
def models(draw: st.DrawFn):
    labels = draw(st.integers(2, 4))
    judges = draw(st.integers(3, 4 if labels < 4 else 3))
    prevalence = draw(distributions(labels, positive=True))
    return prevalence, [[draw(distributions(labels)) for _ in range(labels)] for _ in range(judges)]


@given(models())
@settings(suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow])
def test_what_was_put_in_comes_out_up_to_the_names_of_the_labels(model) -> None:
    prevalence, responses = model
    for table in responses:
        assume(inverse(matrix(table)) is not None)
    solution = solve_general(votes_of_model(prevalence, responses), relabelings=True, effort=1)
    labels = LABELS[: len(prevalence)]
    assert solution.identification is Identification.IDENTIFIED
    assert {alarm.kind for alarm in solution.alarms} <= {AlarmKind.NOT_WHOLE}
    assert len(solution.solutions) == factorial(len(labels))
    expected = {
        (
            tuple(prevalence[i] for i in order),
            tuple(tuple(tuple(table[i]) for i in order) for table in responses),
        )
        for order in permutations(range(len(labels)))
    }
    found = {
        (
            tuple(s.prevalence[label] for label in labels),
            tuple(tuple(tuple(r[label][g] for g in labels) for label in labels) for r in s.response_rates),
        )
        for s in solution.solutions
    }
    assert found == expected


@given(st.data())
@settings(max_examples=6, suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow])
def test_random_models_of_five_labels_come_out_as_well(data) -> None:
    prevalence = data.draw(distributions(5, positive=True))
    responses = [[data.draw(distributions(5)) for _ in range(5)] for _ in range(3)]
    for table in responses:
        assume(inverse(matrix(table)) is not None)
    (solution,) = solve_general(votes_of_model(prevalence, responses), effort=1).solutions
    labels = LABELS[:5]
    found = {
        (
            solution.prevalence[true],
            *(tuple(rates[true][given] for given in labels) for rates in solution.response_rates),
        )
        for true in labels
    }
    assert found == {(prevalence[i], *(tuple(table[i]) for table in responses)) for i in range(5)}


def test_five_labels_come_out_as_well() -> None:
    prevalence = [Fraction(n, 15) for n in (1, 2, 3, 4, 5)]
    good = [[Fraction(2, 3) if i == j else Fraction(1, 12) for j in range(5)] for i in range(5)]
    skew = [
        [Fraction(1, 2) if i == j else Fraction(1, 2) * (j == (i + 1) % 5) for j in range(5)]
        for i in range(5)
    ]
    votes = votes_of_model(prevalence, [good, skew, good])
    solution = solve_independent(votes)
    assert [solution.solutions[0].prevalence[label] for label in "abcde"] == prevalence
    assert [solution.solutions[0].accuracy[judge]["c"] for judge in range(3)] == [
        Fraction(2, 3),
        Fraction(1, 2),
        Fraction(2, 3),
    ]


def test_the_cyclic_test_of_24_questions_is_solved() -> None:
    solution = solve_independent(votes_of(CYCLIC_24))
    assert not solution.alarms
    assert set(solution.solutions[0].prevalence.values()) == {mpq(1, 3)}
    assert all(
        set(row.values()) == {mpq(1, 2), mpq(0)}
        for r in solution.solutions[0].response_rates
        for row in r.values()
    )
    (key,) = solution.keys
    assert key.observed() == votes_of(CYCLIC_24)
    assert key.key_counts == {"a": 8, "b": 8, "c": 8}


def test_the_mixed_test_of_256_questions_has_its_characteristic_polynomial() -> None:
    votes = votes_of(MIXED_256)
    matrices = response_matrices(votes, (0, 1), 2)
    assert characteristic_polynomial(combination([0, 1, 1], matrices)) == (
        1,
        mpq(-9, 4),
        mpq(13, 8),
        mpq(-3, 8),
    )
    assert not solve_independent(votes).alarms


def test_moving_one_question_breaks_commutation_although_the_polynomial_still_splits() -> None:
    moved = list(MIXED_256)
    moved[1] -= 1
    moved[2] += 1
    votes = votes_of(moved)
    matrices = response_matrices(votes, (0, 1), 2)
    assert kind_of_roots(characteristic_polynomial(combination([0, 1, 1], matrices))) is RootKind.RATIONAL
    (alarm,) = solve_independent(votes).alarms
    assert alarm.kind is AlarmKind.NOT_COMMUTING
    assert (alarm.proof["left"], alarm.proof["right"]) == ("J3 answering a", "J3 answering b")
    forth, back = multiply(matrices[0], matrices[1]), multiply(matrices[1], matrices[0])
    assert alarm.proof["difference"] == forth[0][0] - back[0][0]
    assert f"differ by {alarm.proof['difference']} in row 1, column 1" in alarm.words


def test_four_judges_whose_trios_all_look_independent_are_refused() -> None:
    by_number_of_b = (83, 29, 19, 29, 83)
    votes = VoteCounts({pattern: by_number_of_b[pattern.count("b")] for pattern in product("ab", repeat=4)})
    assert votes.size == 512
    for trio in ((0, 1, 2), (0, 1, 3), (0, 2, 3), (1, 2, 3)):
        assert not solve_independent(votes.marginal(*trio)).alarms
    (alarm,) = solve_independent(votes).alarms
    assert alarm.kind is AlarmKind.NOT_REPRODUCED
    assert (alarm.proof["seen"], alarm.proof["expected"]) == (83, 82)


@given(st.lists(st.integers(0, 6), min_size=8, max_size=8).filter(any))
def test_the_matrices_agree_with_the_closed_form_for_three_judges_and_two_labels(counts) -> None:
    votes = votes_of(counts, labels="ab")
    closed, general = solve_independent(votes), solve_general(votes, effort=1000)
    assert closed.identification in (Identification.IDENTIFIED, general.identification) or general.alarms
    if not closed.alarms and closed.identification is Identification.IDENTIFIED:
        assert not general.alarms
        assert set(general.solutions) == set(closed.solutions)
        assert set(general.keys) == set(closed.keys)
    if closed.alarms:
        assert general.alarms
    found = {alarm.kind for alarm in general.alarms}
    if AlarmKind.IMAGINARY in {alarm.kind for alarm in closed.alarms}:
        assert found == {AlarmKind.COMPLEX_ROOTS}
    elif AlarmKind.IRRATIONAL in {alarm.kind for alarm in closed.alarms}:
        assert found == {AlarmKind.IRRATIONAL_ROOTS}


def test_the_solution_that_is_shown_is_the_one_with_the_most_right_answers() -> None:
    votes = votes_of(MIXED_256)
    best = solve_independent(votes).solutions[0]

    def right(evaluation):
        return sum(rate for accuracy in evaluation.accuracy for rate in accuracy.values())

    everything = solve_independent(votes, relabelings=True).solutions
    assert right(best) == max(map(right, everything))
    assert best == everything[0]


def test_every_key_of_a_solution_is_graded_independent() -> None:
    for key in solve_independent(votes_of(CYCLIC_24), relabelings=True).keys:
        assert all(value == 0 for value in grade(key).correlations.values())


def is_independent(graded) -> bool:
    return all(value == 0 or value is Undefined.NO_QUESTIONS for value in grade(graded).correlations.values())


def product_part(part) -> bool:
    """Whether the answers on one label are independent, all labels considered, by the definition."""
    size, judges = part.size, range(len(part.judges))
    return all(
        Fraction(part.counts[pattern], size)
        == prod(Fraction(part.responses(judge)[pattern[judge]], size) for judge in judges)
        for pattern in part.patterns()
    ) if size else True  # fmt: skip


@pytest.mark.parametrize(("labels", "judges"), [("ab", 4), ("abc", 3)])
def test_small_votes_raise_no_alarm_exactly_when_some_key_is_independent(labels: str, judges: int) -> None:
    generator = random.Random(13)
    seen = set()
    for _ in range(60):
        rows = [
            tuple(generator.choice(labels) for _ in range(judges)) for _ in range(generator.randrange(1, 6))
        ]
        rows += rows[: generator.randrange(3)]
        votes = VoteCounts({row: rows.count(row) for row in rows}, tuple(labels))
        expected = any(all(map(product_part, key.by_label.values())) for key in ConsistentSet(votes))
        solution = solve_independent(votes)
        assert (not solution.alarms) == expected == bool(solution.keys)
        for key in solution.keys:
            assert key.observed() == votes
            assert all(map(product_part, key.by_label.values()))
        seen.add(expected)
    assert seen == {True, False}


def test_votes_of_one_pattern_have_the_key_of_one_label() -> None:
    solution = solve_independent(VoteCounts({"aaaa": 5}))
    assert not solution.alarms
    assert "not identified" in solution.notes[0]
    assert is_independent(solution.keys[0])


def test_a_judge_with_the_same_rates_on_all_labels_leaves_the_others_unidentified() -> None:
    good = [[Fraction(1, 2), Fraction(1, 4), Fraction(1, 4)], [0, 1, 0], [Fraction(1, 4), 0, Fraction(3, 4)]]
    blind = [[Fraction(1, 3)] * 3] * 3
    votes = votes_of_model([Fraction(1, 3)] * 3, [good, good, blind])
    solution = solve_independent(votes)
    assert solution.identification is Identification.FAMILY
    assert "all judges but J1, J2 give the same rates on two labels" in solution.notes[0]
    assert is_independent(solution.keys[0])


def test_a_fourth_judge_identifies_what_three_could_not() -> None:
    good = [[Fraction(1, 2), Fraction(1, 4), Fraction(1, 4)], [0, 1, 0], [Fraction(1, 4), 0, Fraction(3, 4)]]
    blind = [[Fraction(1, 3)] * 3] * 3
    solution = solve_independent(votes_of_model([Fraction(1, 3)] * 3, [blind, good, good, good]))
    assert solution.identification is Identification.IDENTIFIED
    assert solution.solutions[0].accuracy[1] == {"a": mpq(1, 2), "b": 1, "c": mpq(3, 4)}


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
    solution = solve_general(votes_of(counts, labels="ab"), effort=1000)
    assert {alarm.kind for alarm in solution.alarms} == {kind}
    assert solution.keys == ()
    assert all(str(alarm) and alarm.to_document()["words"] for alarm in solution.alarms)


def test_a_polynomial_that_does_not_split_is_written_out_in_the_proof() -> None:
    (alarm,) = solve_general(votes_of((0, 1, 1, 1, 1, 1, 1, 0), labels="ab"), effort=1000).alarms
    text = alarm.proof["polynomial"]
    assert text.startswith("(1)·x^2 + (")
    assert text.endswith(")·x^0")


def test_a_solution_of_several_labels_can_be_written_as_json_and_has_no_quadratic() -> None:
    document = json.loads(solve_independent(votes_of(CYCLIC_24)).to_json())
    assert document["solutions"][0]["prevalence"] == {"a": "1/3", "b": "1/3", "c": "1/3"}
    assert not {"quadratic", "moments"} & set(document)


# -- the matrices themselves -------------------------------------------------------------------------

entries = st.fractions(-3, 3, max_denominator=3)
squares = st.integers(1, 4).flatmap(
    lambda n: st.lists(st.lists(entries, min_size=n, max_size=n), min_size=n, max_size=n).map(matrix)
)


@given(squares)
def test_an_inverse_is_one_and_a_matrix_without_it_has_a_kernel(square) -> None:
    found = inverse(square)
    if found is None:
        vectors = kernel(square)
        assert vectors
        assert all(not any(x for (x,) in multiply(square, tuple((v,) for v in vector))) for vector in vectors)
    else:
        assert multiply(square, found) == multiply(found, square) == identity(len(square))
        assert len(kernel(square)) == 0


@given(squares)
def test_a_matrix_is_a_root_of_its_characteristic_polynomial(square) -> None:
    polynomial = characteristic_polynomial(square)
    assert polynomial[0] == 1
    powers = [identity(len(square))]
    for _ in polynomial[1:]:
        powers.insert(0, multiply(powers[0], square))
    assert not any(any(row) for row in combination(polynomial, powers))


@given(st.lists(st.fractions(-3, 3, max_denominator=4), min_size=1, max_size=4))
def test_rational_roots_are_found_with_their_multiplicity(roots) -> None:
    polynomial = [mpq(1)]
    for root in roots:
        polynomial = [x - root * y for x, y in zip([*polynomial, 0], [0, *polynomial], strict=True)]
    assert rational_roots(polynomial) == tuple(sorted(roots))
    assert kind_of_roots(polynomial) is RootKind.RATIONAL
    assert is_squarefree(polynomial) == (len(set(roots)) == len(roots))


@pytest.mark.parametrize(
    ("polynomial", "kind"),
    [
        ((1, 0, -2), RootKind.IRRATIONAL),
        ((1, 0, 1), RootKind.COMPLEX),
        ((1, -1, -2, 2), RootKind.IRRATIONAL),
        ((1, 0, 0, -2), RootKind.COMPLEX),
        ((1, 0, -4, 0, 4), RootKind.IRRATIONAL),
        ((1, 0, 2, 0, 1), RootKind.COMPLEX),
    ],
)
def test_irrational_and_complex_roots_are_told_apart(polynomial, kind) -> None:
    assert kind_of_roots([mpq(c) for c in polynomial]) is kind
