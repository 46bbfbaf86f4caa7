"""Small tests and small votes, counted through: where definitions are judged, and counterexamples looked for.

A pair of judges on a test is eight whole numbers. They are written here as Q_a, Q_b, R^a_{a_1}, R^a_{a_2},
R^a_{a_1,a_2} and the same for b; everything else about the test is a quotient of polynomials in these.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from functools import cache

from gmpy2 import mpq

from ntqr_exact.errors import BadDocument
from ntqr_exact.evaluators.independent import solve_independent
from ntqr_exact.evaluators.independent.independent_solution import Identification
from ntqr_exact.exact.undefined_value import Undefined
from ntqr_exact.ledger.judgement import Finding, as_printed, counterexample, decided
from ntqr_exact.ledger.ntqr.identities import Printed, code, in_rates, read, symbols, written, written_test
from ntqr_exact.postulates.ideal import Outcome, eliminate_prevalence
from ntqr_exact.postulates.notation import read_name
from ntqr_exact.postulates.polynomial import Formula, Polynomial
from ntqr_exact.postulates.refutations import all_tests
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts

LARGEST = 3
"""Questions of the largest tests that are counted through."""


def in_counts(formula: Formula) -> Formula:
    """Return a formula on one or two judges in the eight numbers of a test: 0 iff it holds where it is defined.

    >>> in_counts(read("fa1 = Pa*x1 + Pb*(1 - y1)")) == 0
    True
    """
    changed = formula.substitute(_images())
    total = symbols()["Qa"] + symbols()["Qb"]
    return changed.substitute({"Q": total})


_IN_COUNTS = """
Pa = Qa/Q; x1 = Raa1/Qa; x2 = Raa2/Qa; Ga12 = Raa1a2/Qa - x1*x2; Rab1 = Qa - Raa1; Rab2 = Qa - Raa2;
Pb = Qb/Q; y1 = Rbb1/Qb; y2 = Rbb2/Qb; Gb12 = Rbb1b2/Qb - y1*y2; Rba1 = Qb - Rbb1; Rba2 = Qb - Rbb2;
Raa1b2 = Raa1 - Raa1a2; Rab1a2 = Raa2 - Raa1a2; Rab1b2 = Rab1 - Rab1a2;
Rbb1a2 = Rbb1 - Rbb1b2; Rba1b2 = Rbb2 - Rbb1b2; Rba1a2 = Rba1 - Rba1b2;
Ra1 = Raa1 + Rba1; Ra2 = Raa2 + Rba2; Rb1 = Rab1 + Rbb1; Rb2 = Rab2 + Rbb2;
fa1 = Ra1/Q; fa2 = Ra2/Q; fb1 = Rb1/Q; fb2 = Rb2/Q;
Ra1a2 = Raa1a2 + Rba1a2; Ra1b2 = Raa1b2 + Rba1b2; Rb1a2 = Rab1a2 + Rbb1a2; Rb1b2 = Rab1b2 + Rbb1b2;
fa1a2 = Ra1a2/Q; fa1b2 = Ra1b2/Q; fb1a2 = Rb1a2/Q; fb1b2 = Rb1b2/Q; D12 = fb1b2 - fb1*fb2;
g1 = Raa1 + Rbb1; e1 = (Q - g1)/Q; e12 = (Rab1b2 + Rba1a2)/Q; a12 = fa1a2 + fb1b2
"""
"""Every quantity of one or two judges in the eight numbers and Q, by those that stand before it."""


@cache
def _images() -> Mapping[str, Formula]:
    found: dict[str, Formula] = {}
    for line in _IN_COUNTS.split(";"):
        name, _, meaning = line.partition("=")
        found[name.strip()] = read(meaning.strip(), found)
    return {code(name): formula for name, formula in found.items()}


def definition(printed: Printed) -> Finding:
    """Judge whether a printed equation agrees with counting, in the counts of a general test and in small tests.

    A test in which a quantity is undefined, as a rate on a label without questions, is passed over.

    >>> definition(Printed("Pa = Qb/Q")).evidence
    ('smallest test on which it fails: key a: a×1; key b: none; left − right = 1',)
    """
    formula = printed.formula
    if not formula.numerator:
        raise BadDocument(printed.short, "this equation is 0 = 0 as it stands, and claims nothing")
    checked, failed = _count_through(formula)
    if failed is None and in_counts(formula) == 0:
        return decided(
            True,
            f"{printed.text()}: identically true in the counts of a general test",
            f"and so counted in all {checked} tests with up to {LARGEST} questions where it is defined",
        )
    evidence = f"smallest test on which it fails: {failed}" if failed else "it is not true of larger tests"
    return as_printed(False, evidence)


def whole_multiples(*, quantities: Mapping[str, str], largest: int) -> Finding:
    """Judge that quantities of a test are quotients of whole numbers: each times its denominator is whole."""

    def cases() -> Iterator[tuple[str, bool]]:
        for test in small_tests(1, largest):
            for name, below in quantities.items():
                value = value_in(test, code(name))
                times = value_in(test, code(below))
                if value is not None and times is not None:
                    yield f"{written_test(test)}: {written(name)} = {value}", (value * times).denominator == 1

    names = ", ".join(f"{written(name)}·{written(below)}" for name, below in quantities.items())
    return counterexample(cases(), checked=f"{names} in tests of up to {largest} questions")


def _count_through(formula: Formula) -> tuple[int, str | None]:
    """Return in how many tests the formula is defined and 0, and the first where it is not 0."""
    names = formula.variables()
    judges = max((judge + 1 for name in names for judge in read_name(name).judges), default=1)
    checked = 0
    for test in small_tests(judges):
        values = values_in(test, names)
        if values is None or formula.denominator.evaluate(values) == 0:
            continue
        value = formula.evaluate(values)
        if value != 0:
            return checked, f"{written_test(test)}; left − right = {value}"
        checked += 1
    return checked, None


def values_in(test: LabeledVoteCounts, names: tuple[str, ...]) -> dict[str, mpq] | None:
    """Return the numbers of a test with its key that code names stand for; None if one is undefined."""
    values: dict[str, mpq] = {}
    for name in names:
        value = value_in(test, name)
        if value is None:
            return None
        values[name] = value
    return values


def value_in(test: LabeledVoteCounts, name: str) -> mpq | None:
    """Return what one code name stands for in a test, counted there; None if it is undefined."""
    value = in_rates("value", Polynomial.variable(name)).residual(test)
    return None if isinstance(value, Undefined) else mpq(value)  # type: ignore[arg-type]


def small_tests(judges: int, largest: int = LARGEST) -> Iterator[LabeledVoteCounts]:
    """Iterate over all tests of up to this many questions, with their keys, smallest first."""
    for size in range(1, largest + 1):
        yield from all_tests(judges, size)


def first_disagreement(
    printed: str, judges: int = 1, *, given: tuple[str, ...] = (), largest: int = LARGEST
) -> tuple[str, str] | None:
    """Return two tests that look the same and differ in the value of a formula; None if no small ones do.

    They look the same if the votes are the same, and the quantities `given` by short name.
    """
    formula = read(printed)
    known = tuple(code(name) for name in given)
    seen: dict[object, tuple[mpq, str]] = {}
    for test in small_tests(judges, largest):
        values = values_in(test, formula.variables())
        if values is None:
            continue
        value = mpq(formula.evaluate(values))  # type: ignore[arg-type]
        look = (test.observed(), tuple(value_in(test, name) for name in known))
        text = f"{written_test(test)}: {value}"
        first = seen.setdefault(look, (value, text))
        if first[0] != value:
            return first[1], text
    return None


PATTERNS = tuple("".join(pattern) for pattern in itertools.product("ab", repeat=3))


def votes_of_size(size: int) -> Iterator[VoteCounts]:
    """Iterate over all votes of three judges on this many questions."""
    for chosen in itertools.combinations_with_replacement(PATTERNS, size):
        yield VoteCounts({pattern: chosen.count(pattern) for pattern in PATTERNS})


def votes_text(votes: VoteCounts) -> str:
    """Return votes in few words.

    >>> votes_text(without_solution())
    'aaa×1, abb×1, bab×1'
    """
    return ", ".join(f"{''.join(pattern)}×{count}" for pattern, count in votes.counts.items() if count)


def moments(votes: VoteCounts) -> tuple[mpq, mpq, mpq]:
    """Return T, Π and A of the votes."""
    product = votes.pair_moment(0, 1) * votes.pair_moment(0, 2) * votes.pair_moment(1, 2)
    third = votes.trio_moment(0, 1, 2)
    return third, product, third**2 + 4 * product


@cache
def without_solution() -> VoteCounts:
    """Return the smallest votes that no three independent judges have, over the complex numbers either."""
    return next(
        votes
        for size in itertools.count(1)
        for votes in votes_of_size(size)
        if solve_independent(votes).identification is Identification.NONE
        and eliminate_prevalence(votes).outcome is Outcome.CONTRADICTION
    )
