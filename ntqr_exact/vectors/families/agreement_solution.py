"""The family `agreement-solution`: what agreement rates mean if error rates multiply over the whole test."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod
from typing import Any

from ntqr_exact.alarms.alarm import AlarmKind
from ntqr_exact.citation import Citation
from ntqr_exact.evaluators.agreement_solution import solve_agreement
from ntqr_exact.examples import EXAMPLES
from ntqr_exact.vectors.draws import Draws
from ntqr_exact.vectors.family import Case, Document, Family
from ntqr_exact.vectors.fragments import NUMBER, RATIONAL, list_of, one_of, record
from ntqr_exact.vectors.votes_input import PARTS, SHARED, WORDS, counts_of, votes_from, votes_input

_ALARMS = ("contradiction", "imaginary", "irrational", "not-whole", "out-of-range")


def compute(document: Document) -> dict[str, Any]:
    """Return the agreement rates, c², both branches of the error rates and the kinds of alarms."""
    solution = solve_agreement(votes_from(document))
    return {
        "agreements": list(solution.agreements.values()),
        "square": solution.square,
        "branches": [list(errors) for errors in solution.branches],
        "alarms": sorted({alarm.kind.title.replace(" ", "-") for alarm in solution.alarms}),
    }


def steps(document: Document) -> Iterator[str]:
    """Tell how c² and the error rates come about, and why each alarm fires."""
    solution = solve_agreement(votes_from(document))
    for (i, j), rate in solution.agreements.items():
        name = f"{i + 1}{j + 1}"
        yield f"a_{name}, the share of questions on which judges {i + 1} and {j + 1} agree: {rate}"
    yield f"c² = (2a_12 − 1)(2a_13 − 1)(2a_23 − 1) = {solution.square}"
    for sign, errors in zip("−+", solution.branches, strict=False):
        for judge, others in enumerate(("23", "13", "12")):
            yield f"e_{judge + 1} = (1 {sign} c/(2a_{others} − 1))/2 = {errors[judge]}"
    yield from (f"alarm, {alarm}" for alarm in solution.alarms)
    if solution.note:
        yield solution.note


def edge_cases() -> Iterator[Case]:
    """Yield rational, irrational and imaginary roots, rates out of range, vanishing factors, and refusals."""
    for small, comment in _SMALL.items():
        yield _case(small, comment)
    for example in EXAMPLES.values():
        yield _case(counts_of(example.votes), example.title, "source")
    large = [10**15 * count for count in (6, 3, 2, 1, 0, 0, 0, 0)]
    yield _case(large, "rates 0, 1/4, 1/3, counts beyond doubles", "large")
    for place in (0, 3):
        more = [count + (place == other) for other, count in enumerate(large)]
        yield _case(more, "the same with one question more", "large")
    base, wrong = 10**6 + 3, (123457, 271829, 314159)
    counts = [_product(place, base, wrong) for place in range(8)]
    yield _case(counts, "rates with large denominators: a root of a number beyond doubles", "large")
    counts[5] += 1
    yield _case(counts, "the same with one question more", "large")
    yield Case(votes_input([0] * 8), "no question at all", ("refused",))
    yield Case(votes_input([1, 1, -1, 1, 1, 1, 1, 1]), "a negative count", ("refused",))
    yield Case(votes_input([1] * 7), "a count is missing", ("refused",))
    yield Case(votes_input([1] * 4, judges=2), "two judges", ("refused",))
    yield Case(votes_input([1] * 16, judges=4), "four judges", ("refused",))
    yield Case(votes_input([1] * 27, labels="abc"), "three labels", ("refused",))


_SMALL = {
    (6, 3, 2, 1, 0, 0, 0, 0): "error rates 0, 1/4, 1/3, or one minus each",
    (
        0,
        0,
        0,
        0,
        1,
        2,
        3,
        6,
    ): "the same with the first judge turned round: the order of the branches is by c > 0",
    (2, 0, 0, 0, 0, 0, 0, 1): "three judges who always agree: no errors, or nothing else",
    (0, 0, 0, 1, 1, 0, 0, 0): "two agree, one is their opposite: c = 1, rates of 0 and 1",
    (3, 1, 1, 1, 1, 1, 1, 3): "equal agreements: c² = (1/3)³, irrational",
    (5, 1, 1, 0, 1, 0, 0, 0): "c² = (1/2)³, irrational",
    (0, 1, 1, 0, 1, 0, 0, 0): "agreements of 1/3: c² < 0, imaginary",
    (0, 1, 1, 1, 1, 1, 1, 0): "agreements of 1/3, on six questions",
    (0, 2, 1, 0, 1, 0, 0, 0): "one factor vanishes with others that do not",
    (1, 1, 0, 0, 0, 0, 0, 0): "two factors vanish: the third judge has error rate 1/2",
    (1, 0, 1, 0, 0, 0, 0, 0): "two factors vanish: the second judge has error rate 1/2",
    (1, 0, 0, 0, 1, 0, 0, 0): "two factors vanish: the first judge has error rate 1/2",
    (1, 1, 1, 1, 1, 1, 1, 1): "all factors vanish: two judges or more have error rate 1/2",
    (0, 0, 1, 2, 2, 1, 1, 1): "three agreements below and above one half",
    (4, 1, 0, 0, 0, 0, 0, 0): "two never disagree",
    (5, 1, 1, 0, 0, 0, 0, 0): "a rate below 0",
    (9, 1, 1, 0, 0, 0, 0, 0): "a rate below 0, irrational",
    (1, 0, 0, 0, 0, 0, 0, 0): "one question",
    (0, 1, 0, 0, 0, 0, 0, 0): "one question, one dissents",
    (4, 2, 2, 0, 1, 0, 0, 0): "two factors are equal",
    (25, 3, 3, 1, 3, 1, 1, 27): "c² = (3/4)³, irrational",
    (1, 5, 0, 3, 0, 0, 0, 0): "two factors are negative, on nine questions",
    (0, 9, 0, 3, 3, 0, 1, 0): "two factors are negative, so that c² > 0",
    (11, 4, 4, 6, 0, 0, 0, 0): "c is rational, but the first judge would have made 25/3 errors",
    (0, 2, 2, 5, 0, 0, 0, 0): "rational, out of range",
    (0, 5, 1, 0, 0, 1, 0, 0): "two factors are negative, on seven questions",
}


def random_case(draws: Draws, index: int) -> Case:
    """Return, in turn, votes whose error rates multiply, the same with one question more, and any votes."""
    if index % 3 == 2:
        size = 3 + index // 2 + draws.below(4)
        return _case(draws.counts(size, 8), f"any votes on {size} questions")
    base = 3 + index // 30 + draws.below(3)
    wrong = [draws.between(0, base) for _ in range(3)]
    counts = [_product(place, base, wrong) for place in range(8)]
    # The first label is taken for the truth; half of the questions may be of the second without any difference.
    if draws.below(2):
        counts = [left + right for left, right in zip(counts, counts[::-1], strict=True)]
    comment = "error rates multiply"
    if index % 3 == 1:
        counts[draws.below(8)] += 1
        comment = "error rates that multiply, one question more"
    return _case(counts, comment)


def _product(place: int, base: int, wrong: Sequence[int]) -> int:
    """Return the count of a pattern, of base³ questions, if judges answer b independently in base-th parts."""
    bits = (place >> 2 & 1, place >> 1 & 1, place & 1)
    return prod(parts if bit else base - parts for bit, parts in zip(bits, wrong, strict=True))


def _case(counts: Sequence[int], comment: str, *flags: str) -> Case:
    document = votes_input(counts)
    found = compute(document)
    outcome = [
        *found["alarms"],
        *(["half"] if not found["square"] and not found["alarms"] else []),
        *(["fits"] if found["branches"] and not found["alarms"] else []),
    ]
    return Case(document, comment, (*flags, *outcome))


FAMILY = Family(
    name="agreement-solution",
    version=1,
    title="Error rates from agreement rates",
    citations=(Citation("ntqr", "eq. 22"), Citation("ntqr", "eq. 23, with 1 − 2a in place of 1 − a")),
    algorithm=(
        WORDS,
        "Refuse as bad-votes unless there are three judges, two labels and exactly eight counts, as bad-number a "
        "negative count, and as empty-test if Q = 0. An input has one fault at most.",
        "agreements: a_12, a_13, a_23, the shares of the questions on which two judges give the same answer.",
        "square: c² = (2a_12 − 1)·(2a_13 − 1)·(2a_23 − 1). If error rates of pairs multiply over the whole test, "
        "2a_ij − 1 = (1 − 2e_i)·(1 − 2e_j).",
        "If c² = 0, branches is empty. If exactly one of the three factors is zero the alarm is contradiction (a judge "
        "with e = 1/2 would make two of them zero), otherwise there is no alarm; and that is all.",
        "branches: for c = √c² (for c² < 0, i·√(−c²)) and then for c = −√c² the list of e_1, e_2, e_3 with "
        "e_i = (1 − c/(2a_jk − 1))/2, jk being the two other judges. All lie in Q(c).",
        "If c² < 0, the alarm is imaginary, and that is the only one. Otherwise: alarm irrational if c² is not the "
        "square of a rational; alarm out-of-range if some e_i in one of the branches is less than 0 or more than 1; "
        "alarm not-whole if some e_i of the first branch is rational and Q·e_i is not a whole number.",
        "alarms: the set of alarms as a list in alphabetical order.",
    ),
    input=record(PARTS),
    expected=record(
        agreements=list_of(RATIONAL, exactly=3),
        square=RATIONAL,
        branches=list_of(list_of(NUMBER, exactly=3)),
        alarms=list_of(one_of(*_ALARMS)),
    ),
    flags={
        **{name: AlarmKind[name.upper().replace("-", "_")].value for name in _ALARMS},
        "half": "two judges or more agree on half of the questions with all others: error rates are not determined",
        "fits": "no alarm: error rates that multiply fit the votes",
        "source": "votes of a test in the source",
        "large": "counts that doubles do not hold",
        "refused": "the counts make no votes of three judges between two labels",
    },
    errors={
        "bad-votes": "not three judges, two labels and eight counts",
        "bad-number": "a count is negative",
        "empty-test": "there is no question, so that no rate exists",
    },
    edge_cases=edge_cases,
    random_case=random_case,
    compute=compute,
    steps=steps,
    shared=SHARED,
)
