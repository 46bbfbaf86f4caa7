"""Checks of sections 2 and 3: one judge, before and after the responses are seen, eqs. 6 to 17 and figures 1 to 4."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from gmpy2 import mpq

from ntqr_exact.exact.value_text import with_decimal
from ntqr_exact.examples import EXAMPLES
from ntqr_exact.ledger.judgement import Finding, as_printed, by_reading, counterexample, decided, equal
from ntqr_exact.ledger.ntqr import graded_tests as graded
from ntqr_exact.ledger.ntqr.counting import first_disagreement, small_tests, value_in
from ntqr_exact.ledger.ntqr.identities import Printed, code, read, written_test
from ntqr_exact.postulates.equations import single
from ntqr_exact.postulates.ideal import Ideal
from ntqr_exact.varieties.consistent import ConsistentSet
from ntqr_exact.varieties.pair_bounds import single_interval
from ntqr_exact.varieties.possible import PossibleSet
from ntqr_exact.varieties.projection import individual_from_right
from ntqr_exact.votes.counts import VoteCounts

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
        name, right = shown.formula.variables()[0], code(f"R{label}{label}1")
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
    return as_printed(fine, *evidence)


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
    return as_printed(
        not free and listed == possible,
        f"for Q = 0 to 5 the loops run {', '.join(map(str, listed))} times; "
        f"there are {', '.join(map(str, possible))} evaluations",
        *(f"{read(name)} gets no value" for name in free),
    )


def _runs(loops: tuple[Loop, ...], size: int) -> int:
    """Return how often nested loops run, each bound a formula of the counters outside it."""

    def run(place: int, values: dict[str, mpq]) -> int:
        if place == len(loops):
            return 1
        most = mpq(loops[place].to.formula.evaluate(values))  # type: ignore[arg-type]
        code = loops[place].counter.formula.variables()[0]
        return sum(run(place + 1, {**values, code: mpq(step)}) for step in range(int(most) + 1))

    return run(0, {code("Q"): mpq(size)})


def possible_count(printed: Printed) -> Finding:
    """Judge a formula for the number of possible evaluations by listing them; both are cubics in Q."""
    formula, question = printed.formula, code("Q")

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


_POINT = ("Qa", "Raa1", "Rbb1")
_RATES = ("Pa", "x1", "y1")


def complete_by(printed: Printed) -> Finding:
    """Judge that an equation follows from eqs. 1, 11, 12 and the excluded middle on each label."""
    known = single().responses
    few = Ideal([known[name].polynomial for name in ("1", "11", "12", "Q(a)", "Q(b)")])
    claim = printed.formula.polynomial()
    return as_printed(few.contains(claim))


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
            names = (*_POINT, "Ra1")
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
    return decided(follows and not Ideal([first, prevalences]).contains(second))


def same_as(printed: tuple[Printed, ...]) -> Finding:
    """Judge that the postulates before the last amount to the last one."""
    *several, one = (each.formula.polynomial() for each in printed)
    conditions = [read("Pa + Pb = 1").polynomial(), read("fa1 + fb1 = 1").polynomial()]
    return as_printed(Ideal([*several, *conditions]).equals(Ideal([one, *conditions])))


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
    images = {code(name): read(text).polynomial() for name, text in change.items()}
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
    return as_printed(all(printed == count for count in found.values()), text)


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
    return as_printed(holds, text)


def structure(printed: tuple[mpq, mpq, mpq]) -> Finding:
    """Judge the number of questions of all three tests, and those of a and of b."""
    lines = []
    holds = True
    for test in graded.TESTS:
        key, votes = graded.truth_of(test).key_counts, graded.votes_of(test)
        holds = holds and list(printed) == [mpq(count) for count in (votes.size, key["a"], key["b"])]
        lines.append(f"{test}: {votes.size} votes, {key['a']} of a and {key['b']} of b")
    return as_printed(holds, *lines)
