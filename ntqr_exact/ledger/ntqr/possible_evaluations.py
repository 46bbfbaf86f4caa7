"""Checks of section 2: possible evaluations of one judge, eqs. 6 to 10, the algorithm and figure 1."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from gmpy2 import mpq

from ntqr_exact.exact.value_text import with_decimal
from ntqr_exact.ledger.judgement import Finding, by_reading, counterexample, decided, equal
from ntqr_exact.ledger.ntqr.counting import first_disagreement, small_tests, value_in
from ntqr_exact.ledger.ntqr.identities import written_test
from ntqr_exact.ledger.ntqr.symbols import Printed, read, symbols
from ntqr_exact.varieties.possible import PossibleSet

_LARGEST_COUNTED = 12
"""Questions up to which possible evaluations are listed one by one; a cubic needs four values."""


@dataclass(frozen=True, slots=True)
class Loop:
    """A loop of the algorithm: a counter from 0 to a bound."""

    counter: Printed
    to: Printed

    def latex(self) -> str:
        """Return it in LaTeX."""
        return rf"\text{{for }} {self.counter.latex()} \leftarrow 0 \text{{ to }} {self.to.latex()}"

    def text(self) -> str:
        """Return it in words."""
        return f"{self.counter.text()} from 0 to {self.to.text()}"


def bounds(printed: tuple[Printed, Printed, Printed]) -> Finding:
    """Compare the three quantities of low ≤ count ≤ high in every small test; all values must be reached."""

    def cases() -> Iterator[tuple[str, bool]]:
        reached: dict[mpq, set[mpq]] = {}
        for test in small_tests(1, 4):
            values = []
            for side in printed:
                known = {name: value_in(test, name) for name in side.formula.variables()}
                values.append(mpq(side.formula.evaluate(known)))  # type: ignore[arg-type]
            yield f"{written_test(test)}: {values[0]} ≤ {values[1]} ≤ {values[2]}", values == sorted(values)
            reached.setdefault(values[2], set()).add(values[1])
        for most, found in reached.items():
            yield f"up to {most}, {', '.join(sorted(map(str, found)))} occur", len(found) == most + 1

    return counterexample(
        cases(),
        checked="tests of up to 4 questions, and each value within the bounds occurs",
        proof="the questions of a label that are answered rightly are some of the questions of that label",
    )


def right_answers(printed: tuple[Printed, Printed]) -> Finding:
    """Judge whether two symbols are the numbers of right answers on a and on b."""
    evidence = []
    fine = True
    for shown, label in zip(printed, "ab", strict=True):
        name, right = shown.formula.variables()[0], symbols()[f"R{label}{label}1"].variables()[0]
        failing = next(
            (test for test in small_tests(1) if value_in(test, name) != value_in(test, right)), None
        )
        fine = fine and failing is None
        evidence.append(
            f"{shown.text()} is the number of right answers on {label}"
            if failing is None
            else f"{written_test(failing)}: {shown.text()} = {value_in(failing, name)}, but "
            f"{value_in(failing, right)} is the number of right answers on {label}"
        )
    return decided(fine, *evidence, slip=True)


def evaluation_tuple(printed: tuple[Printed, ...]) -> Finding:
    """Judge that an evaluation tells tests apart exactly as far as the judge's answers by label do."""
    names = [each.formula.variables()[0] for each in printed]

    def cases() -> Iterator[tuple[str, bool]]:
        for size in range(1, 5):
            tests = [test for test in small_tests(1, size) if test.size == size]
            found = {tuple(value_in(test, name) for name in names) for test in tests}
            possible = PossibleSet(size).count()
            yield f"Q = {size}: {len(found)} tuples for {possible} evaluations", len(found) == possible

    return counterexample(cases(), checked="Q from 1 to 4: as many tuples as possible evaluations")


def seen(printed: Printed) -> Finding:
    """Judge whether the votes give a quantity: alone, or once Q_b is known."""
    alone, given = first_disagreement(printed.short), first_disagreement(printed.short, given=("Qb",))
    return by_reading(
        {
            "for a given number of questions of each label": decided(
                given is None,
                f"{printed.text()} is then a function of the votes: R_a − Q_b"
                if given is None
                else f"the same votes and the same Q_b: {given[0]}; {given[1]}",
            ),
            "from the votes alone": decided(
                alone is None,
                f"the same vote, two keys: {alone[0]}; {alone[1]}" if alone else "it is their function",
            ),
        }
    )


def unseen(printed: Printed) -> Finding:
    """Judge that the votes do not give a quantity, even once Q_b is known."""
    both = first_disagreement(printed.short, given=("Qb",))
    return decided(
        both is not None,
        f"same votes and same Q_b: {both[0]}; {both[1]}" if both else "it follows from the votes and Q_b",
    )


def loops(printed: tuple[Loop, ...]) -> Finding:
    """Run printed loops, innermost last, and compare what they list with all evaluations."""
    counters = [loop.counter.short for loop in printed]
    free = [name for name in ("Qa", "Raa1", "Rbb1") if name not in counters]
    listed = [_runs(printed, size) for size in range(6)]
    possible = [PossibleSet(size).count() for size in range(6)]
    return decided(
        not free and listed == possible,
        f"for Q = 0 to 5 the loops run {', '.join(map(str, listed))} times; "
        f"there are {', '.join(map(str, possible))} evaluations",
        *(f"{read(name)} gets no value" for name in free),
        slip=True,
    )


def _runs(loops: tuple[Loop, ...], size: int) -> int:
    """Return how often nested loops run, each bound a formula of the counters outside it."""

    def run(place: int, values: dict[str, mpq]) -> int:
        if place == len(loops):
            return 1
        most = mpq(loops[place].to.formula.evaluate(values))  # type: ignore[arg-type]
        code = loops[place].counter.formula.variables()[0]
        return sum(run(place + 1, {**values, code: mpq(step)}) for step in range(int(most) + 1))

    return run(0, {symbols()["Q"].variables()[0]: mpq(size)})


def possible_count(printed: Printed) -> Finding:
    """Judge a formula for the number of possible evaluations by listing them; both are cubics in Q."""
    formula, question = printed.formula, symbols()["Q"].variables()[0]

    def cases() -> Iterator[tuple[str, bool]]:
        yield f"{printed.text()} is no cubic in Q", formula.numerator.degree <= 3
        for size in range(_LARGEST_COUNTED + 1):
            value = formula.evaluate({question: mpq(size)})
            listed = sum((key + 1) * (size - key + 1) for key in range(size + 1))
            yield f"Q = {size}: the formula gives {value}, listing {listed}", value == listed

    return counterexample(
        cases(),
        checked=f"Q = 0 to {_LARGEST_COUNTED}",
        proof="Σ (Q_a+1)(Q−Q_a+1) over Q_a is a cubic in Q, so that four values prove the formula",
    )


def wedge(*, questions: int) -> Finding:
    """Judge that the points of a figure are all possible evaluations."""
    listed = sum(
        1 for key in range(questions + 1) for _ in range(key + 1) for _ in range(questions - key + 1)
    )
    return decided(
        listed == PossibleSet(questions).count(),
        f"for Q = {questions} the points with 0 ≤ R^a ≤ Q_a and 0 ≤ R^b ≤ Q − Q_a are {listed} = C({questions + 3}, 3)",
        "they fill the tetrahedron with corners (0,0,0), (0,0,Q), (Q,0,0), (Q,Q,0): a wedge",
    )


def hundreds_of_millions(*, questions: int) -> Finding:
    """Judge a round number of possible evaluations."""
    count = PossibleSet(questions).count()
    return by_reading(
        {
            "of the order of a hundred million": decided(
                10**8 <= count < 10**9, f"{count} has {len(str(count))} digits"
            ),
            "at least two hundred million": decided(
                count >= 2 * 10**8, f"{count} is {with_decimal(mpq(count, 10**8), 2)} hundred million"
            ),
        }
    )


def count_of_questions(printed: tuple[Printed, mpq], *, questions: int) -> Finding:
    """Judge a product and its value: the number of possible evaluations of a test of this many questions."""
    product, value = printed
    exact = mpq(PossibleSet(questions).count())
    computed = mpq(product.formula.evaluate({}))  # type: ignore[arg-type]
    if computed != exact:
        return equal(computed, exact, f"C({questions + 3}, 3)")
    return equal(value, exact, f"the product, C({questions + 3}, 3),")
