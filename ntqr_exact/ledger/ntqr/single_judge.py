"""Checks of section 3: one judge once the responses are seen, eqs. 11 to 17 and figures 2 to 4."""

from __future__ import annotations

from collections.abc import Iterator

from gmpy2 import mpq

from ntqr_exact.algebra.ideal import Ideal
from ntqr_exact.exact.value_text import with_decimal
from ntqr_exact.examples import EXAMPLES
from ntqr_exact.ledger.judgement import Finding, by_reading, counterexample, decided
from ntqr_exact.ledger.ntqr import graded_tests as graded
from ntqr_exact.ledger.ntqr.counting import small_tests, value_in
from ntqr_exact.ledger.ntqr.symbols import Printed, read, symbols
from ntqr_exact.postulates.single import single
from ntqr_exact.varieties.consistent import ConsistentSet
from ntqr_exact.varieties.pair_bounds import single_interval
from ntqr_exact.varieties.possible import PossibleSet
from ntqr_exact.varieties.projection import individual_from_right
from ntqr_exact.votes.counts import VoteCounts

_POINT = ("key_count_a", "key_responses_a_a_1", "key_responses_b_b_1")
_RATES = ("prevalence_a", "accuracy_a_1", "accuracy_b_1")


def complete_by(printed: Printed) -> Finding:
    """Judge that an equation follows from eqs. 1, 11, 12 and the excluded middle on each label."""
    known = single().responses
    few = Ideal([known[name].polynomial for name in ("1", "11", "12", "Q(a)", "Q(b)")])
    claim = printed.formula.polynomial()
    return decided(
        few.contains(claim),
        "11 + 12, with R^a_a + R^a_b = Q_a, R^b_a + R^b_b = Q_b and eq. 1, is 13",
        right="R_a + R_b = Q",
        slip=True,
    )


def no_more_equations() -> Finding:
    """List all whole solutions of 1, 11, 12 with the excluded middle, and compare with tests."""

    def cases() -> Iterator[tuple[str, bool]]:
        for size in range(1, 5):
            solutions: set[tuple[object, ...]] = {
                (key, right_a, right_b, right_a + size - key - right_b)
                for key in range(size + 1)
                for right_a in range(key + 1)
                for right_b in range(size - key + 1)
            }
            names = (*_POINT, "responses_a_1")
            tests = [test for test in small_tests(1, size) if test.size == size]
            found = {tuple(value_in(test, name) for name in names) for test in tests}
            yield f"Q = {size}: {len(solutions)} solutions, {len(found)} kinds of tests", solutions == found

    return counterexample(
        cases(),
        checked="whole solutions and tests are the same, Q from 1 to 4",
        proof="for whole numbers within eqs. 6 and 7 choose so many questions of each label and answer them rightly",
    )


def one_follows(printed: tuple[Printed, Printed]) -> Finding:
    """Judge that of two postulates the second follows from the first, once the frequencies add up to 1."""
    first, second = (each.formula.polynomial() for each in printed)
    prevalences, total = read("Pa + Pb = 1").polynomial(), read("fa1 + fb1 = 1").polynomial()
    follows = Ideal([first, prevalences, total]).contains(second)
    return decided(
        follows and not Ideal([first, prevalences]).contains(second),
        "15 follows from 14, P_a + P_b = 1 and f_a + f_b = 1 (eq. 13 in rates)",
        "without f_a + f_b = 1 it does not: then each gives its own frequency",
    )


def same_as(printed: tuple[Printed, ...]) -> Finding:
    """Judge that the postulates before the last amount to the last one."""
    *several, one = (each.formula.polynomial() for each in printed)
    conditions = [read("Pa + Pb = 1").polynomial(), read("fa1 + fb1 = 1").polynomial()]
    return decided(
        Ideal([*several, *conditions]).equals(Ideal([one, *conditions])),
        "with P_a + P_b = 1 and f_a + f_b = 1 the ideals of {14, 15} and of {16} are equal",
        right="eq. 16, first line",
        slip=True,
    )


def _consistent(said_a: int, size: int) -> int:
    """Return (R_a + 1)(R_b + 1)."""
    return ConsistentSet(VoteCounts({"a": said_a, "b": size - said_a})).count()


def reduction(*, questions: int) -> Finding:
    """Judge by what factor the votes of one judge reduce its possible evaluations, at least."""
    possible = PossibleSet(questions).count()
    most = max(_consistent(said, questions) for said in range(questions + 1))
    factor = mpq(possible, most)
    return decided(
        factor > mpq(questions, 2),
        f"Q = {questions}: of {possible} evaluations at most {most} and at least {_consistent(0, questions)} remain",
        f"so at least a factor {with_decimal(factor, 1)}",
    )


def about(printed: mpq) -> Finding:
    """Compare a round number with the counts of the nine classifiers, and with the most that can be."""
    counts = {
        f"{each.name}, judge {judge + 1}": ConsistentSet(each.votes.marginal(judge)).count()
        for each in EXAMPLES.values()
        for judge in range(3)
    }
    least, most = min(counts, key=counts.__getitem__), max(counts, key=counts.__getitem__)
    size = next(iter(EXAMPLES.values())).votes.size
    limit = _consistent(size // 2, size)
    near = [name for name, count in counts.items() if abs(count - printed) <= printed / 20]
    return by_reading(
        {
            "at most so many": decided(
                abs(limit - printed) <= printed / 200,
                f"(R_a+1)(R_b+1) is at most {limit}, at R_a = {size // 2}",
            ),
            "each of the nine classifiers, within 5 percent": decided(
                len(near) == len(counts),
                f"{len(near)} of {len(counts)} are; least {counts[least]} ({least}), most {counts[most]} ({most})",
            ),
        }
    )


def varies() -> Finding:
    """Judge that the number of consistent evaluations depends on the votes."""
    counts = sorted({_consistent(said, 10) for said in range(11)})
    return decided(len(counts) > 1, f"Q = 10: (R_a+1)(R_b+1) takes the values {', '.join(map(str, counts))}")


def degree(*, postulate: str, in_rates: bool, degree: int) -> Finding:
    """Judge the degree of a postulate of one judge in the coordinates of its evaluation, the votes being numbers."""
    form = (single().rates if in_rates else single().responses)[postulate].polynomial
    change = {"Pb": "1 - Pa"} if in_rates else {"Qb": "Q - Qa"}
    images = {symbols()[name].variables()[0]: read(text).polynomial() for name, text in change.items()}
    unknown = _RATES if in_rates else _POINT
    found = max(
        sum(power for name, power in monomial if name in unknown)
        for monomial in form.substitute(images).terms
    )
    return decided(found == degree, f"{form} = 0 has degree {found} there, the votes being numbers")


def questions(printed: mpq, *, tests: tuple[str, ...]) -> Finding:
    """Judge how many questions tests have."""
    found = {test: graded.votes_of(test).size for test in tests}
    text = ", ".join(f"{test} has {count} questions" for test, count in found.items())
    return decided(
        all(printed == count for count in found.values()), text, right=str(found[tests[0]]), slip=True
    )


def counts_per_key(*, test: str) -> Finding:
    """Judge that the evaluations left, counted for each Q_a, are (R_a + 1)(R_b + 1) in all."""
    lines = []
    holds = True
    for judge in range(3):
        seen = graded.votes_of(test).responses(judge)
        ends = [single_interval(key, seen["a"], seen["b"]) for key in range(sum(seen.values()) + 1)]
        number = sum(high - low + 1 for low, high in ends)
        holds = holds and number == (seen["a"] + 1) * (seen["b"] + 1)
        lines.append(f"judge {judge + 1}: {seen['a'] + 1}·{seen['b'] + 1} = {number}")
    return decided(holds, *lines)


def plane(*, tests: tuple[str, ...]) -> Finding:
    """Judge that the evaluations left lie in the plane R^a_a − R^b_b − Q_a + R_b = 0."""

    def cases() -> Iterator[tuple[str, bool]]:
        for test in tests:
            for judge in range(3):
                votes = graded.votes_of(test).marginal(judge)
                seen = votes.responses(0)
                consistent = ConsistentSet(votes).projection()
                for key in range(0, votes.size + 1, 50):
                    for right in single_interval(key, seen["a"], seen["b"]):
                        point = individual_from_right(votes, key, (right,))
                        on_b = point.correct[0]["b"]
                        name = f"{test}, judge {judge + 1}: Q_a = {key}, R^a = {right}, R^b = {on_b}"
                        yield name, point in consistent and right - on_b - key + seen["b"] == 0

    return counterexample(
        cases(),
        checked="the ends of the line of each fiftieth Q_a",
        proof="R^a_a − R^b_b = Q_a − R_b, the second line of eq. 16 as corrected there, is a plane for given R_b",
    )


def split(printed: tuple[mpq, mpq], *, tests: tuple[str, ...]) -> Finding:
    """Judge of how many hundredths of the questions each label is true."""
    keys = {test: graded.truth_of(test).key_counts for test in tests}
    text = ", ".join(f"{test}: {key['a']} of a and {key['b']} of b" for test, key in keys.items())
    first, second = printed
    holds = all(first * key["b"] == second * key["a"] for key in keys.values()) and first + second == 100
    return decided(holds, text, right="40/60", slip=True)


def structure(printed: tuple[mpq, mpq, mpq]) -> Finding:
    """Judge the number of questions of all three tests, and those of a and of b."""
    lines = []
    holds = True
    for test in graded.TESTS:
        key, votes = graded.truth_of(test).key_counts, graded.votes_of(test)
        holds = holds and list(printed) == [mpq(count) for count in (votes.size, key["a"], key["b"])]
        lines.append(f"{test}: {votes.size} votes, {key['a']} of a and {key['b']} of b")
    return decided(holds, *lines, right="1000, 400 and 600", slip=True)
