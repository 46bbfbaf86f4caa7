"""Sections 1 to 3 of the NTQR paper: tests, evaluations of one judge, and its one postulate."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from math import prod

from gmpy2 import mpq

from ntqr_exact.evaluators.majority import majority_vote
from ntqr_exact.exact.show import with_decimal
from ntqr_exact.examples import example
from ntqr_exact.ledger.book import Book
from ntqr_exact.ledger.judgement import Finding, all_cases, as_printed, by_reading, decided, equal
from ntqr_exact.ledger.ntqr.identities import (
    Printed,
    definition,
    evaluated,
    first_disagreement,
    identity,
    in_counts,
    poly,
    small_tests,
    value_in,
    written,
    written_test,
)  # fmt: skip
from ntqr_exact.postulates.derivations import Ideal, all_tests
from ntqr_exact.postulates.equations import complete, single
from ntqr_exact.postulates.postulate import Space
from ntqr_exact.varieties.compositions import PossibleSet, compositions
from ntqr_exact.varieties.consistent import ConsistentSet
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts

BOOK = Book("ntqr", r"""
The mathematics of the paper is right in its main lines: the postulates 26, the pair postulate 37, the generating set 41 to 48,
the quadratic for $\hat P_a$, and the theorem that an unresolved square root proves that classifiers are not error
independent. The synthetic evaluation (tables 8 and 9) is exact. The vote counts behind tables 2 to 7 are not printed, yet the
majority-vote columns determine them; all other cells were checked against these. What changes results or conclusions:

- Given the individual evaluations, there is not one consistent pair correlation but an interval of them. The iAE correlations
  in the tables are one choice of many.
- Eq. 40 has one of two branches. The estimates in tables 2 and 6 are of the other.
- The true correlations on label b are one row, printed in three tables. With the right values, the most correlated pair of
  the imaginary evaluation (section 5.3) is 2,3 and not 1,2.
- The correlations of the pair 2,3 by majority voting were computed with a wrong accuracy. With the right values majority
  voting does not estimate a large correlation in section 5.3.
- Table 11 adds three patterns in place of four. Its rates do not give $\hat P_a = 19/20$; the right ones do.
- Eq. 23 has factors $1 - a$ in place of $2a - 1$. With the right ones the solution of Platanios et al. is correct for errors
  that are independent over the whole test, but not for errors that are independent on each label, as the paper criticizes.

The independent evaluator recovers the synthetic evaluation exactly, its solution of the first UCI adult test is imaginary, and
majority voting estimates the prevalence of the last test better. The other entries are slips without consequences.
""")  # fmt: skip

TESTS = ("two-norm", "uci-adult-imaginary", "uci-adult")


def _consistent(said_a: int, size: int) -> int:
    return ConsistentSet(VoteCounts({"a": said_a, "b": size - said_a})).count()


@BOOK.claim
def _() -> Finding:
    """abstract/majority-vote | abstract
    Majority vote is not a safe way to find the best of some judges who may know little.
    """

    def right(test: LabeledVoteCounts) -> list[int]:
        return [sum(counts[label] for label, counts in test.confusion(judge).items()) for judge in range(3)]

    for test in small_tests(3):
        true, voted = right(test), right(majority_vote(test.observed()).key)
        best = true.index(max(true))
        if true.count(max(true)) == 1 == voted.count(min(voted)) and voted[best] == min(voted):
            grades = [", ".join(map(str, each)) for each in (true, voted)]
            text = f"{written_test(test)}: the judges have {grades[0]} right answers, by the majority's key {grades[1]}"
            return decided(True, text, "the best judge, who is alone, is graded last")
    return decided(False, "majority vote ranks the best judge well in every small test")


@BOOK.claim
def _() -> Finding:
    """abstract/consistency | abstract, and section 3 after eq. 13
    Complete postulates can prove or disprove that an evaluation is logically consistent with the votes; for one judge no
    further equation is needed.
    """
    names = ("Qa", "Raa1", "Rbb1", "Ra1")

    def cases() -> Iterator[tuple[str, bool]]:
        for size in range(1, 5):
            keys = itertools.product(range(size + 1), repeat=3)
            fits = ((key, a, b, a + size - key - b) for key, a, b in keys if a <= key and b <= size - key)
            solutions: set[tuple[object, ...]] = set(fits)
            result = {tuple(value_in(test, name) for name in names) for test in all_tests(1, size)}
            count = sum(_consistent(said, size) for said in range(size + 1))
            text = f"Q = {size}: {len(solutions)} solutions, {len(result)} kinds of tests, {count} consistent evaluations"
            yield text, solutions == result and len(result) == count

    return all_cases(
        cases(),
        checked="the whole solutions are exactly the evaluations of tests, one judge, Q from 1 to 4",
        proof="a solution says how many a votes and how many b votes are right; a key can have any such",
    )


@BOOK.claim
def _() -> Finding:
    """abstract/each-point | abstract and section 1
    For any number of judges $N$, questions $Q$ and responses $R$ there is a complete set of postulates.
    """

    def cases() -> Iterator[tuple[str, bool]]:
        for judges, size in ((1, 2), (1, 3), (2, 2), (2, 3), (3, 2)):
            labels = tuple("abc"[:size])
            known = complete(judges, labels, spaces=[Space.RESPONSES])
            true = all(each.residual(test) == 0 for test in all_tests(judges, 1, labels) for each in known)
            yield f"N = {judges}, R = {size}: {len(known)} postulates R_v = Σ R^l_v and sums of them", true

    return all_cases(
        cases(),
        checked="N ≤ 3 with R = 2, N ≤ 2 with R = 3, each postulate on each test of one question; "
        "they are linear, so on every test",
        proof="R_v = Σ_l R^l_v puts each question with answers v under its one true label, for any N, Q and R",
    )


@BOOK.claim
def _(printed: tuple[Printed, ...]) -> Finding:
    """sec-1/dual-language | section 1 | fa1 = Pa*x1 + Pb*(1 - y1); Ra1 = Raa1 + Rba1; Qa + Qb = Q; Pa + Pb = 1
    The same postulates can be written in rates and in responses, by a change of variables, as eqs. 4 and 5 are.
    note: a rate on a label without questions has no value, so that both labels must have questions
    """
    wrong = [written(each) for each in printed if in_counts(each.formula).numerator]
    return as_printed(not wrong, f"not true in the counts of a general test: {', '.join(wrong) or 'none'}")


BOOK.table(
    identity,
    r"""
    eq-1 | eqs. 1 and 4 | Qa + Qb = Q
        Every question is an $a$ or a $b$ question: $Q_a + Q_b = Q$.
    eq-13 | eq. 13, and before it | Ra1 + Rb1 = Q | 13 | coq=equation_13
        $R_{a_i} + R_{b_i} = Q$: eqs. 11 and 12 are complete because they satisfy 13; with eq. 1 they add up to it.
    eq-16/rates | eq. 16, first line | Pa*(x1 - fa1) = Pb*(y1 - fb1) | 16 | coq=equation_16
    eq-16/responses | eq. 16, second line, and eq. 10 | Raa1 - Rbb1 = Ra1 - Rb1 | 16R | verdict=misprint | essential
        | coq=printed_16_in_counts_is_wrong, equation_16_in_counts
        right: Raa1 - Rbb1 = Ra1 - Qb
        instead: $R^a_{a_i} - R^b_{b_i} = R_{a_i} - Q_b = Q_a - R_{b_i}$
        why: The first line of eq. 16, times $Q$, has $Q_b$ where the second line has $R_{b_i}$. So the responses give the
        difference of eq. 10 only once $Q_b$ is known.
        by hand: One $a$ question, answered $b$: the left side is 0, the printed right side is $-1$.
    """,
)
BOOK.table(
    definition,
    r"""
    eq-2 | eq. 2 | Pa = Qa/Q
    eq-3 | eq. 3 | Pb = Qb/Q
    eq-5 | eq. 5 | Pa + Pb = 1
    eq-9 | eq. 9 | g1 = Raa1 + Rbb1
        The grade is $g_i = R^a_{a_i} + R^b_{b_i}$.
    eq-11 | eq. 11 | Ra1 = Raa1 + Rba1 | coq=equations_11_and_12
    eq-12 | eq. 12 | Rb1 = Rab1 + Rbb1 | coq=equations_11_and_12
    eq-14 | eq. 14 | fa1 = Pa*x1 + Pb*(1 - y1) | coq=single_postulates
    eq-15 | eq. 15 | fb1 = Pa*(1 - x1) + Pb*y1 | coq=single_postulates
    """,
)


@BOOK.claim
def _() -> Finding:
    """sec-1-1/soundness | sections 1.1 and 6
    Without the answer key only consistency can be shown: no evaluation can be shown to be the true one.
    """

    def cases() -> Iterator[tuple[str, bool]]:
        for judges, size in (*((1, size) for size in range(1, 7)), (3, 1), (3, 2), (3, 3)):
            patterns = list(itertools.product("ab", repeat=judges))
            for counts in compositions(size, len(patterns)):
                number = ConsistentSet(VoteCounts(dict(zip(patterns, counts, strict=True)))).count()
                yield f"{counts}: {number}", number == prod(count + 1 for count in counts) >= 2

    return all_cases(
        cases(),
        checked="all votes of 1 judge on up to 6 questions, and of 3 on up to 3",
        proof="each pattern's c questions can have 0 to c true labels a, so Π(c + 1) ≥ 2 evaluations are consistent",
    )


@BOOK.claim
def _(quantities: dict[str, str], largest: int) -> Finding:
    """sec-1-1/integers | sections 1.1, 4 after eq. 23, and 5.1 | Pa: Q; x1: Qa; y1: Qb; e1: Q | 4
    Whatever measures correctness is a whole number: rates and error rates times their numbers of questions.
    """

    def cases() -> Iterator[tuple[str, bool]]:
        for test in small_tests(1, largest):
            for name, below in quantities.items():
                value, times = value_in(test, name), value_in(test, below)
                if value is not None and times is not None:
                    yield f"{written_test(test)}: {written(name)} = {value}", (value * times).denominator == 1

    names = ", ".join(f"{written(name)}·{written(below)}" for name, below in quantities.items())
    return all_cases(cases(), checked=f"{names} in tests of up to {largest} questions")


@BOOK.claim
def _(printed: int, low: int, high: int) -> Finding:
    """sec-1-2/scores | section 1.2 | 100 | 0 | 100 | verdict=depends
    Whole scores from 0 to 100 make a test with $R = 100$.
    quote: a score between 0 and 100 at integer intervals … the $(N, T = 1, Q, R = 100)$ tests
    why: If both 0 and 100 can be given, there are 101 scores and $R = 101$.
    """
    values = high - low + 1
    return by_reading({
        f"both {low} and {high} can be given": decided(printed == values, f"there are {values} whole numbers from {low} on"),
        f"only one of {low} and {high} can be given": decided(printed == values - 1, f"then there are {values - 1}"),
    })  # fmt: skip


@BOOK.table
def _bounds(printed: tuple[Printed, Printed, Printed]) -> Finding:
    r"""
    eq-6 | eq. 6 | 0; Raa1; Qa
        $0 \le R^a_{a_i} \le Q_a$.
    eq-7 | eq. 7 | 0; Rbb1; Qb
        $0 \le R^b_{b_i} \le Q_b$.
    """

    def cases() -> Iterator[tuple[str, bool]]:
        reached: dict[mpq, set[mpq]] = {}
        for test in small_tests(1, 4):
            low, count, high = (evaluated(side.formula, test) or mpq(0) for side in printed)
            yield f"{written_test(test)}: {low} ≤ {count} ≤ {high}", low <= count <= high
            reached.setdefault(high, set()).add(count)
        for most, result in reached.items():
            yield f"up to {most}, {', '.join(sorted(map(str, result)))} occur", len(result) == most + 1

    return all_cases(
        cases(),
        checked="tests of up to 4 questions, and each value within the bounds occurs",
        proof="the questions of a label that are answered rightly are some of the questions of that label",
    )


@BOOK.table
def _right_answers(printed: tuple[Printed, Printed]) -> Finding:
    """
    fig-1/symbols | figure 1, caption | Rba1; Rbb1 | verdict=misprint
        $R^b_{a_i}$ and $R^b_{b_i}$ count the right answers to the $a$ and the $b$ questions.
        quote: figure 1: $R^b_{a_i}$ and $R^b_{b_i}$; section 2, twice: $R_{a_i}$ and $R_{b_i}$
        right: Raa1; Rbb1
        instead: $R^a_{a_i}$ and $R^b_{b_i}$
        why: The numbers of right answers are $R^a_{a_i}$ and $R^b_{b_i}$, as in eqs. 6 to 8. $R^b_{a_i}$ counts $b$ questions
        answered $a$, and $R_{a_i}$ all answers $a$ (eq. 11).
        garbled: an upper index may be misread or lost
    """
    evidence, fine = [], True
    for symbol, label in zip(printed, "ab", strict=True):
        right = f"R{label}{label}1"
        failing = [test for test in small_tests(1) if value_in(test, symbol.name) != value_in(test, right)]
        fine = fine and not failing
        wrong = f"{written_test(failing[0])}: {written(symbol)} = {value_in(failing[0], symbol.name)}, but " if failing else ""
        number = f"{value_in(failing[0], right)}" if failing else written(symbol)
        evidence.append(f"{wrong}{number} is the number of right answers on {label}")
    return as_printed(fine, *evidence)


@BOOK.claim
def _(printed: tuple[Printed, ...]) -> Finding:
    """eq-8 | eq. 8 | Qa; Raa1; Rbb1
    An evaluation of one judge is $(Q_a, R^a_{a_i}, R^b_{b_i})$.
    """

    def cases() -> Iterator[tuple[str, bool]]:
        for size in range(1, 5):
            result = {tuple(value_in(test, each.name) for each in printed) for test in all_tests(1, size)}
            possible = PossibleSet(size).count()
            yield f"Q = {size}: {len(result)} tuples for {possible} evaluations", len(result) == possible

    return all_cases(cases(), checked="Q from 1 to 4: as many tuples as possible evaluations")


@BOOK.claim
def _(printed: Printed) -> Finding:
    """eq-10 | eq. 10 | Raa1 - Rbb1 | verdict=depends
    The responses alone give the difference $R^a_{a_i} - R^b_{b_i}$.
    with: eq-16/responses
    """
    alone, given = first_disagreement(printed), first_disagreement(printed, given=("Qb",))
    return by_reading({
        "for a given number of questions of each label": decided(
            given is None,
            f"the same votes and the same Q_b: {given[0]}; {given[1]}" if given else "it is then R_a − Q_b",
        ),
        "from the votes alone": decided(
            alone is None, f"the same vote, two keys: {alone[0]}; {alone[1]}" if alone else "it is their function"
        ),
    })  # fmt: skip


@BOOK.claim
def _(printed: Printed) -> Finding:
    """sec-2/sum | section 2, after eq. 10 | Raa1 + Rbb1
    They do not give the sum $R^a_{a_i} + R^b_{b_i}$ that ranks judges, the grade of eq. 9.
    """
    both, grade = first_disagreement(printed, given=("Qb",)), BOOK.printed("eq-9") == f"g1 = {printed}"
    text = f"same votes and same Q_b: {both[0]}; {both[1]}" if both else "it follows from the votes and Q_b"
    return decided(grade and both is not None, text)


@BOOK.claim
def _(printed: tuple[tuple[Printed, Printed], ...]) -> Finding:
    """algorithm-1 | section 2, algorithm | Qa, Q; Raa1, Qa | verdict=misprint
    Two loops, of a counter from 0 to a bound each, list all possible evaluations of a test with $Q$ questions.
    quote: two loops: $Q_a$ from 0 to $Q$, $R^a_{a_i}$ from 0 to $Q_a$
    right: Qa, Q; Raa1, Qa; Rbb1, Q - Qa
    instead: a third loop: $R^b_{b_i}$ from 0 to $Q - Q_a$
    why: A third loop is needed, since $R^b_{b_i}$ gets no value. The text has lost the layout of the algorithm, and the loop
    may be lost with it. For $Q = 1$ the loops run 3 times, and there are 4 evaluations.
    garbled: The layout of the algorithm is lost; two lines "for" and two "end" are left.
    """

    def run(place: int, values: dict[str, mpq]) -> int:
        if place == len(printed):
            return 1
        counter, bound = printed[place]
        most = int(mpq(bound.formula.evaluate(values)))  # type: ignore[arg-type]
        return sum(run(place + 1, {**values, counter.name: mpq(step)}) for step in range(most + 1))

    free = [name for name in ("Qa", "Raa1", "Rbb1") if name not in [counter for counter, _ in printed]]
    listed = [run(0, {"Q": mpq(size)}) for size in range(6)]
    possible = [PossibleSet(size).count() for size in range(6)]
    return as_printed(
        not free and listed == possible,
        f"for Q = 0 to 5 the loops run {', '.join(map(str, listed))} times; "
        f"there are {', '.join(map(str, possible))} evaluations",
        *(f"{written(name)} gets no value" for name in free),
    )


@BOOK.claim
def _(printed: Printed) -> Finding:
    r"""sec-2/possible-count | section 2, and figure 1, caption | 1/6*(Q + 1)*(Q + 2)*(Q + 3)
    There are $\frac16 (Q+1)(Q+2)(Q+3)$ possible evaluations; by the relations 1, 6 and 7 they fill a wedge, as for $Q = 20$.
    note: they fill the tetrahedron with corners (0,0,0), (0,0,Q), (Q,0,0), (Q,Q,0): a wedge
    """

    def cases() -> Iterator[tuple[str, bool]]:
        yield f"{written(printed)} is not a cubic in Q", printed.formula.numerator.degree <= 3
        for size in range(21):
            value = printed.formula.evaluate({"Q": mpq(size)})
            listed = sum((key + 1) * (size - key + 1) for key in range(size + 1))
            text = f"Q = {size}: the formula gives {value}, listing {listed}"
            yield text, value == listed == PossibleSet(size).count()

    proof = "Σ (Q_a+1)(Q−Q_a+1) over Q_a is a cubic in Q, so that four values prove the formula"
    return all_cases(cases(), checked="Q = 0 to 20", proof=proof)


@BOOK.claim
def _(questions: int) -> Finding:
    r"""sec-2/hundreds-of-millions | section 2 | 1000 | verdict=depends
    A test of 1000 questions has hundreds of millions of possible evaluations.
    quote: hundreds of millions of possible evaluations
    why: The number is 167668501 by eq. 17: more than one hundred million, and less than two.
    """
    count = PossibleSet(questions).count()
    return by_reading({
        "of the order of a hundred million": decided(10**8 <= count < 10**9, f"{count} has {len(str(count))} digits"),
        "at least two hundred million": decided(
            count >= 2 * 10**8, f"{count} is {with_decimal(mpq(count, 10**8), 2)} hundred million"
        ),
    })  # fmt: skip


@BOOK.claim
def _(printed: tuple[Printed, ...]) -> Finding:
    """sec-3/single-postulate | section 3, after eq. 15
    | fa1 = Pa*x1 + Pb*(1 - y1); fb1 = Pa*(1 - x1) + Pb*y1; Pa*(x1 - fa1) = Pb*(y1 - fb1)
    Eqs. 14 and 15 are complete, but one follows from the other; they amount to the single postulate 16.
    note: 15 follows from 14, P_a + P_b = 1 and f_a + f_b = 1, without which each gives its own frequency; with both the ideals
    of {14, 15} and of {16} are equal
    """
    first, second, one = (each.polynomial for each in printed)
    prevalences, total = poly("Pa + Pb = 1"), poly("fa1 + fb1 = 1")
    follows = Ideal([first, prevalences, total]).contains(second) and not Ideal([first, prevalences]).contains(second)
    same = Ideal([first, second, prevalences, total]).equals(Ideal([one, prevalences, total]))
    return as_printed(follows and same)


@BOOK.claim
def _(questions: int) -> Finding:
    """sec-3/reduction | sections 2 and 3 | 1000
    Seeing the responses reduces the number of possible evaluations enormously; how many remain depends on the responses.
    """
    possible = PossibleSet(questions).count()
    counts = [_consistent(said, questions) for said in range(0, questions + 1, questions // 10)]
    return decided(
        2 * possible > questions * max(counts) > questions * min(counts),
        f"Q = {questions}: of {possible} evaluations at most {max(counts)} and at least {min(counts)} remain, (R_a+1)(R_b+1)",
        f"so at least a factor {with_decimal(mpq(possible, max(counts)), 1)}",
    )


@BOOK.claim
def _(printed: tuple[Printed, mpq], questions: int) -> Finding:
    """eq-17 | eq. 17 | 1/6*(1000 + 1)*(1000 + 2)*(1000 + 3); 167668501 | 1000
    A test of 1000 questions has 167 668 501 possible evaluations of one judge.
    """
    exact, computed = mpq(PossibleSet(questions).count()), mpq(printed[0].formula.evaluate({}))  # type: ignore[arg-type]
    return equal(computed if computed != exact else printed[1], exact, f"the product, C({questions + 3}, 3),")


@BOOK.claim
def _(printed: mpq) -> Finding:
    r"""sec-3/quarter-million | section 3, after eq. 17 | 250000 | verdict=depends
    About a quarter of a million evaluations remain of the $Q = 1000$ tests.
    quote: about a quarter of a million
    why: The number is $(R_{a_i} + 1)(R_{b_i} + 1)$, at most 251001. 7 of the 9 classifiers are near it; two have fewer,
    down to 157365.
    """
    counts = {
        f"{name}, judge {judge + 1}": ConsistentSet(example(name).votes.marginal(judge)).count()
        for name in TESTS
        for judge in range(3)
    }
    least, most = min(counts, key=counts.__getitem__), max(counts, key=counts.__getitem__)
    limit = _consistent(500, 1000)
    near = [name for name, count in counts.items() if abs(count - printed) <= printed / 20]
    return by_reading({
        "at most so many": decided(
            abs(limit - printed) <= printed / 200, f"(R_a+1)(R_b+1) is at most {limit}, at R_a = 500"
        ),
        "each of the nine classifiers, within 5 percent": decided(
            len(near) == len(counts),
            f"{len(near)} of {len(counts)} are; least {counts[least]} ({least}), most {counts[most]} ({most})",
        ),
    })  # fmt: skip


@BOOK.table
def _degree(postulate: str, language: str, degree: int) -> Finding:
    """
    sec-3/plane | section 3, after eq. 17; figures 3 and 4, captions | 16R | responses | 1
        In $(N, T, Q, R)$ variables postulate 16, in its right form, is a plane,
        in which the evaluations lie that the answers leave.
    sec-3/quadric | section 3, after eq. 17 | 16 | rates | 2
        In rates postulate 16 is a quadratic surface.
    """
    rates = language == "rates"
    form = (single().rates if rates else single().responses)[postulate].polynomial
    images = {"Pb": poly("1 - Pa")} if rates else {"Qb": poly("Q - Qa")}
    unknown = ("Pa", "x1", "y1") if rates else ("Qa", "Raa1", "Rbb1")
    powers = [sum(power for name, power in monomial if name in unknown) for monomial in form.substitute(images).terms]
    return decided(max(powers) == degree, f"{form} = 0 has degree {max(powers)} there, the votes being numbers")


@BOOK.claim
def _() -> Finding:
    """fig-2/counts | figure 2, caption
    For each $Q_a$ the figure counts the evaluations of a judge of two-norm that its answers leave; in all they are
    $(R_a + 1)(R_b + 1)$.
    """
    seen = [example("two-norm").votes.responses(judge) for judge in range(3)]
    numbers = [sum(min(key, each["a"]) - max(0, key - each["b"]) + 1 for key in range(1001)) for each in seen]
    lines = [f"{each['a'] + 1}·{each['b'] + 1} = {number}" for each, number in zip(seen, numbers, strict=True)]
    holds = all((each["a"] + 1) * (each["b"] + 1) == number for each, number in zip(seen, numbers, strict=True))
    return decided(holds, f"the three judges: {', '.join(lines)}")
