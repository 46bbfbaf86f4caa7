"""Claims of section 2: possible evaluations of one judge, eqs. 6 to 10, the algorithm and figure 1."""

from __future__ import annotations

import re
from collections.abc import Iterator

from gmpy2 import mpq

from ntqr_exact.exact.with_decimal import with_decimal
from ntqr_exact.examples import EXAMPLES
from ntqr_exact.ledger.claim import Claim, Kind
from ntqr_exact.ledger.finding import Finding
from ntqr_exact.ledger.judgement import all_of, by_reading, counterexample, decided
from ntqr_exact.ledger.ntqr.counting import definition, first_disagreement, small_tests, value_in
from ntqr_exact.ledger.ntqr.identities import written_test
from ntqr_exact.ledger.ntqr.symbols import read, symbols
from ntqr_exact.ledger.ntqr.synthetic_trio import synthetic_votes
from ntqr_exact.varieties.possible import PossibleSet

LARGEST_COUNTED = 12
"""Questions up to which possible evaluations are listed one by one; a cubic needs four values."""


def _bounds(printed: str) -> Finding:
    """Compare the three quantities of low <= count <= high in every small test; all values must be reached."""
    low, count, high = (read(side) for side in printed.split("<="))

    def cases() -> Iterator[tuple[str, bool]]:
        reached: dict[mpq, set[mpq]] = {}
        for test in small_tests(1, 4):
            values = []
            for side in (low, count, high):
                known = {name: value_in(test, name) for name in side.variables()}
                values.append(mpq(side.evaluate(known)))  # type: ignore[arg-type]
            yield f"{written_test(test)}: {values[0]} ≤ {values[1]} ≤ {values[2]}", values == sorted(values)
            reached.setdefault(values[2], set()).add(values[1])
        for most, found in reached.items():
            yield f"up to {most}, {sorted(map(str, found))} occur", len(found) == most + 1

    return counterexample(
        cases(),
        checked="tests of up to 4 questions, and each value within the bounds occurs",
        proof="the questions of a label that are answered rightly are some of the questions of that label",
    )


def _count_right(printed: str) -> Finding:
    """Tell whether the names printed are the numbers of right answers on a and on b."""
    meant = [read(f"R{label}{label}1").variables()[0] for label in "ab"]
    evidence = []
    fine = True
    for name, right, label in zip(printed.split(","), meant, "ab", strict=True):
        shown = read(name.strip())
        failing = next(
            (
                test
                for test in small_tests(1)
                if value_in(test, shown.variables()[0]) != value_in(test, right)
            ),
            None,
        )
        fine = fine and failing is None
        evidence.append(
            f"{shown} is the number of right answers on {label}"
            if failing is None
            else f"{written_test(failing)}: {shown} = {value_in(failing, shown.variables()[0])}, but "
            f"{value_in(failing, right)} is the number of right answers on {label}"
        )
    return decided(fine, *evidence, right=f"{read('Raa1')} and {read('Rbb1')}", slip=True)


def _tuple(printed: str) -> Finding:
    """An evaluation of one judge must tell tests apart exactly as far as the judge's answers by label do."""
    names = [read(name).variables()[0] for name in printed.split(",")]

    def cases() -> Iterator[tuple[str, bool]]:
        for size in range(1, 5):
            found = {
                tuple(value_in(test, name) for name in names)
                for test in small_tests(1, size)
                if test.size == size
            }
            possible = PossibleSet(size).count()
            yield f"Q = {size}: {len(found)} tuples for {possible} evaluations", len(found) == possible

    return counterexample(cases(), checked="Q from 1 to 4: as many tuples as possible evaluations")


def _difference(printed: str) -> Finding:
    both = first_disagreement(printed)
    given = first_disagreement(printed, given=("Qb",))
    return decided(
        both is None,
        f"the same vote, two keys: {both[0]}; {both[1]}" if both else f"{printed} is a function of the votes",
        "with Q_b known it is R_a − Q_b" if given is None else "even with Q_b known it is open",
        right="the votes give R^a_a − R^b_b + Q_b = R_a: the difference only once Q_b is known",
    )


def _sum(printed: str) -> Finding:
    both = first_disagreement(printed, given=("Qb",))
    return decided(
        both is not None,
        f"same votes and same Q_b: {both[0]}; {both[1]}" if both else f"{printed} follows from votes and Q_b",
    )


_LOOP = re.compile(r"(\w+) from 0 to ([^;]+)")


def _algorithm(printed: str) -> Finding:
    """Run the printed loops, innermost last, and compare what they list with all evaluations."""
    loops = [(match[1], match[2].strip()) for match in _LOOP.finditer(printed)]
    free = [name for name in ("Qa", "Raa1", "Rbb1") if name not in [loop for loop, _ in loops]]
    listed, possible = (
        [_listed(loops, size) for size in range(6)],
        [PossibleSet(size).count() for size in range(6)],
    )
    mended = [*loops, *((name, "Q - Qa") for name in free)]
    right = [_listed(mended, size) for size in range(6)] == possible
    return decided(
        not free and listed == possible,
        f"for Q = 0 to 5 the loops run {listed} times; there are {possible} evaluations",
        *(f"{read(name)} gets no value" for name in free),
        right="a third loop inside: R^b_b from 0 to Q − Q_a" if right and free else "",
        slip=True,
        arose="the innermost loop was left out" if right and free else "",
    )


def _listed(loops: list[tuple[str, str]], size: int) -> int:
    """Return how often nested loops run, each bound a formula of the variables outside it."""

    def run(place: int, values: dict[str, mpq]) -> int:
        if place == len(loops):
            return 1
        name, bound = loops[place]
        most = mpq(read(bound).evaluate(values))  # type: ignore[arg-type]
        code = symbols()[name].variables()[0]
        return sum(run(place + 1, {**values, code: mpq(step)}) for step in range(int(most) + 1))

    return run(0, {symbols()["Q"].variables()[0]: mpq(size)})


def _possible_count(printed: str) -> Finding:
    formula, question = read(printed), symbols()["Q"].variables()[0]

    def cases() -> Iterator[tuple[str, bool]]:
        for size in range(LARGEST_COUNTED + 1):
            value = formula.evaluate({question: mpq(size)})
            listed = sum((key + 1) * (size - key + 1) for key in range(size + 1))
            yield f"Q = {size}: the formula gives {value}, listing {listed}", value == listed

    found = counterexample(cases(), checked=f"Q = 0 to {LARGEST_COUNTED}")
    return all_of(
        {
            "values": found,
            "degree": decided(
                formula.numerator.degree <= 3,
                "Σ (Q_a+1)(Q−Q_a+1) over Q_a is a cubic in Q, so that four values prove the formula",
                right="a cubic",
            ),
        }
    )


def _figure_count(printed: str) -> Finding:
    size = int(printed)
    listed = sum(1 for key in range(size + 1) for _ in range(key + 1) for _ in range(size - key + 1))
    return decided(
        listed == PossibleSet(size).count(),
        f"for Q = {size} the points with 0 ≤ R^a ≤ Q_a and 0 ≤ R^b ≤ Q − Q_a are {listed} = C({size + 3}, 3)",
        "they fill the tetrahedron with corners (0,0,0), (0,0,Q), (Q,0,0), (Q,Q,0): a wedge",
    )


def _hundreds_of_millions(printed: str) -> Finding:
    count = PossibleSet(int(printed)).count()
    return by_reading(
        {
            "of the order of a hundred million": decided(
                10**8 <= count < 10**9, f"{count} has {len(str(count))} digits"
            ),
            "at least two hundred million": decided(
                count >= 2 * 10**8,
                f"{count} is {with_decimal(mpq(count, 10**8), 2)} hundred million",
                right="more than one hundred million, and less than two",
            ),
        }
    )


def _experiments(printed: str) -> Finding:
    sizes = {name: each.votes.size for name, each in EXAMPLES.items()}
    return by_reading(
        {
            "the tests on data sets": decided(
                set(sizes.values()) == {int(printed)}, f"questions of the three tests: {sizes}"
            ),
            "the synthetic evaluation of section 7.2 too": decided(
                synthetic_votes().size == int(printed),
                f"the smallest test with its frequencies has Q = {synthetic_votes().size}",
                right=f"Q = {synthetic_votes().size}, or a multiple",
            ),
        }
    )


CLAIMS: tuple[Claim, ...] = (
    Claim(
        "ntqr/eq-6",
        "eq. 6",
        Kind.IDENTITY,
        r"$0 \le R^a_{a_i} \le Q_a$.",
        _bounds,
        printed="0 <= Raa1 <= Qa",
    ),
    Claim(
        "ntqr/eq-7",
        "eq. 7",
        Kind.IDENTITY,
        r"$0 \le R^b_{b_i} \le Q_b$.",
        _bounds,
        printed="0 <= Rbb1 <= Qb",
    ),
    Claim(
        "ntqr/fig-1/symbols",
        "figure 1, caption",
        Kind.DEFINITION,
        "$R^b_{a_i}$ and $R^b_{b_i}$ count the right answers to the $a$ and the $b$ questions.",
        _count_right,
        printed="Rba1, Rbb1",
    ),
    Claim(
        "ntqr/fig-1/wedge",
        "figure 1, caption",
        Kind.COUNT,
        "The possible evaluations of a $Q = 20$ test fill a wedge, because of the relations 1, 6 and 7.",
        _figure_count,
        printed="20",
    ),
    Claim(
        "ntqr/eq-8",
        "eq. 8",
        Kind.DEFINITION,
        "An evaluation of one judge is $(Q_a, R^a_{a_i}, R^b_{b_i})$.",
        _tuple,
        printed="Qa, Raa1, Rbb1",
    ),
    Claim(
        "ntqr/eq-8/text",
        "section 2, after eq. 8",
        Kind.DEFINITION,
        "The numbers of right answers in (8) are called $R_{a_i}$ and $R_{b_i}$.",
        _count_right,
        printed="Ra1, Rb1",
    ),
    Claim(
        "ntqr/eq-9",
        "eq. 9",
        Kind.DEFINITION,
        "The grade is $g_i = R^a_{a_i} + R^b_{b_i}$.",
        definition,
        printed="g1 = Raa1 + Rbb1",
    ),
    Claim(
        "ntqr/eq-10",
        "eq. 10",
        Kind.SENTENCE,
        "The responses alone give the difference $R^a_{a_i} - R^b_{b_i}$.",
        _difference,
        printed="Raa1 - Rbb1",
        by_hand="One question, answered a: the difference is 1 if the key says a, and 0 if it says b.",
    ),
    Claim(
        "ntqr/sec-2/sum",
        "section 2, after eq. 10",
        Kind.SENTENCE,
        "They do not give the sum $R^a_{a_i} + R^b_{b_i}$ that ranks judges.",
        _sum,
        printed="Raa1 + Rbb1",
    ),
    Claim(
        "ntqr/sec-2/relations",
        "section 2, before the algorithm",
        Kind.DEFINITION,
        "The relations used are those between $Q$, $Q_a$, $Q_b$ and the right answers, written $R_{a_i}$, $R_{b_i}$.",
        _count_right,
        printed="Ra1, Rb1",
    ),
    Claim(
        "ntqr/algorithm-1",
        "section 2, algorithm",
        Kind.DEFINITION,
        "Two loops list all possible evaluations of a test with $Q$ questions.",
        _algorithm,
        printed="Qa from 0 to Q; Raa1 from 0 to Qa",
        garbled="The text has lost the layout of the algorithm, but it has two `for` and two `end`.",
        by_hand="For Q = 1 the loops run 3 times, and there are 4 evaluations.",
    ),
    Claim(
        "ntqr/sec-2/possible-count",
        "section 2",
        Kind.COUNT,
        r"There are $\frac16 (Q+1)(Q+2)(Q+3)$ possible evaluations.",
        _possible_count,
        printed="1/6*(Q + 1)*(Q + 2)*(Q + 3)",
        by_hand="They are the ways to put Q questions into four cells: C(Q+3, 3).",
    ),
    Claim(
        "ntqr/sec-2/experiments",
        "section 2, last paragraph",
        Kind.SENTENCE,
        "The experiments are tests of 1000 questions.",
        _experiments,
        printed="1000",
    ),
    Claim(
        "ntqr/sec-2/hundreds-of-millions",
        "section 2",
        Kind.COUNT,
        "A test of 1000 questions has hundreds of millions of possible evaluations.",
        _hundreds_of_millions,
        printed="1000",
    ),
)
