"""The family `independent-binary`: three judges between two labels, if their errors were independent."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

from ntqr_exact.alarms.alarm import AlarmKind
from ntqr_exact.citation import Citation
from ntqr_exact.evaluation import Evaluation
from ntqr_exact.evaluators.independent import solve_independent
from ntqr_exact.evaluators.independent.independent_solution import Identification, IndependentSolution
from ntqr_exact.examples import EXAMPLES
from ntqr_exact.vectors.draws import Draws
from ntqr_exact.vectors.families.vote_moments import steps as moment_steps
from ntqr_exact.vectors.family import Case, Document, Family
from ntqr_exact.vectors.fragments import COUNT, NUMBER, RATIONAL, TRUTH, described, list_of, one_of, record
from ntqr_exact.vectors.votes_input import PARTS, SHARED, WORDS, counts_of, votes_from, votes_input

_ALARMS = (
    "contradiction",
    "imaginary",
    "irrational",
    "negative-product",
    "no-root",
    "not-whole",
    "out-of-range",
)


def compute(document: Document) -> dict[str, Any]:
    """Return the quadratic, both solutions, the kinds of alarms and the answer keys."""
    solution = solve_independent(votes_from(document))
    quadratic = solution.quadratic
    return {
        "quadratic": [] if quadratic is None else [quadratic.leading, quadratic.linear, quadratic.constant],
        "identification": solution.identification.name.lower(),
        "solutions": [_solution(evaluation) for evaluation in solution.solutions],
        "alarms": sorted({alarm.kind.title.replace(" ", "-") for alarm in solution.alarms}),
        "key_exists": not solution.alarms,
        "keys": _keys(solution),
    }


def _solution(evaluation: Evaluation) -> dict[str, Any]:
    first, second = evaluation.labels
    return {
        "prevalence": evaluation.prevalence[first],
        "accuracies": [[right[first], right[second]] for right in evaluation.accuracy],
    }


def _keys(solution: IndependentSolution) -> list[list[int]]:
    if solution.identification is not Identification.IDENTIFIED:
        return []  # a family may hold many keys, of which none is the first by right
    return [counts_of(key.by_label[solution.votes.labels[0]]) for key in solution.keys]


def steps(document: Document) -> Iterator[str]:
    """Tell how the solutions come about, and why each alarm fires."""
    votes = votes_from(document)
    solution = solve_independent(votes)
    yield from moment_steps(document)
    yield f"A·P² − A·P + Π = 0: {solution.quadratic}"
    yield f"identification: {solution.identification.name.lower()}, {solution.identification.value}"
    for sign, evaluation in zip("+−", solution.solutions, strict=False):
        share = evaluation.prevalence[votes.labels[0]]
        yield f"with {sign}√A: P_a = (1 {sign} T/√A)/2 = {share}"
        for judge, right in enumerate(evaluation.accuracy, start=1):
            x, y = (right[label] for label in votes.labels)
            delta = f"(2Δ_{''.join(other for other in '123' if other != str(judge))})"
            root = f"{sign.strip('+')}√A"
            yield f"  x_{judge} = 1 − f_b{judge} + ({root} − T)/{delta} = {x}"
            yield f"  y_{judge} = f_b{judge} + ({root} + T)/{delta} = {y}"
    yield from (f"alarm, {alarm}" for alarm in solution.alarms)
    if not solution.alarms:
        yield "no alarm: a key exists under which the errors are independent"


def edge_cases() -> Iterator[Case]:
    """Yield each set of alarms on the smallest test there is, keys, degenerate moments, and the source's tests."""
    for counts, comment in _SMALL.items():
        yield _case(counts, comment)
    for example in EXAMPLES.values():
        yield _case(counts_of(example.votes), example.title, "source")
    for name, rates in (
        ("equal judges", (4, 4, 4)),
        ("different judges", (2, 3, 4)),
        ("a bad judge", (3, 4, 1)),
    ):
        yield _case(_independent(250, 375, rates, (3, 4, 3)), f"made from a key: {name}")
    large = _independent(5 * 10**17, 10**18, (1, 2, 4), (3, 4, 3))
    yield _case(large, "made from a key, counts beyond doubles", "large")
    for place in (0, 7):
        more = [count + (place == other) for other, count in enumerate(large)]
        yield _case(more, "the same with one question more", "large")
    by_chance = _independent(5 * 10**17, 10**18, (1, 2, 4), (4, 3, 1))
    by_chance[0] += 1
    yield _case(by_chance, "judges who guess, and one question that all three know", "large")
    yield Case(votes_input([0] * 8), "no question at all", ("refused",))
    yield Case(votes_input([1, 1, -1, 1, 1, 1, 1, 1]), "a negative count", ("refused",))
    yield Case(votes_input([1] * 7), "a count is missing", ("refused",))


_SMALL = {
    (1, 0, 1, 0, 1, 0, 1, 1): "√A = 1/25, and an independent key exists",
    (0, 1, 1, 0, 1, 0, 0, 3): "A is not a square",
    (0, 1, 1, 1, 1, 1, 1, 0): "A < 0, with T = 0",
    (0, 1, 1, 1, 1, 1, 2, 0): "A < 0, with T ≠ 0",
    (0, 1, 1, 0, 1, 0, 0, 0): "A = 0 and Π ≠ 0: the quadratic has no root",
    (0, 0, 0, 1, 0, 1, 1, 0): "A = 0 and Π ≠ 0, labels exchanged",
    (0, 0, 0, 1, 2, 1, 1, 1): "rational and in range, but Q_a = 9/2",
    (0, 0, 1, 2, 2, 1, 1, 1): "T = 0, rational and in range, but not whole",
    (0, 0, 0, 1, 2, 1, 1, 0): "a rate of 2",
    (0, 0, 0, 1, 1, 1, 2, 0): "P_a = −1/5",
    (0, 0, 0, 2, 1, 1, 1, 0): "whole, but out of range",
    (0, 0, 0, 5, 1, 1, 1, 0): "T = 0, whole, but out of range",
    (0, 0, 0, 1, 2, 1, 3, 0): "three alarms at once, √A rational",
    (0, 1, 1, 0, 1, 1, 1, 2): "three alarms at once, √A irrational",
    (3, 1, 1, 0, 0, 1, 1, 3): "T = 0, P_a = 1/2, and A = 9/2000 is not a square",
    (2, 1, 1, 1, 1, 1, 1, 2): "T = 0, in range, and A is not a square",
    (1, 0, 0, 0, 0, 0, 0, 1): "T = 0 with perfect judges",
    (0, 0, 0, 1, 1, 0, 0, 0): "T = 0 with a judge who is always wrong",
    (2, 0, 0, 0, 0, 0, 0, 1): "three copies of one judge look perfect",
    (27, 9, 9, 3, 9, 3, 3, 1): "every moment vanishes: all questions may be of one label",
    (1, 1, 1, 1, 1, 1, 1, 1): "every pattern once: every moment vanishes",
    (1, 0, 0, 0, 0, 0, 0, 0): "one question, all agree: nothing varies",
    (0, 1, 0, 0, 0, 0, 0, 0): "one question, one dissents",
    (2, 2, 0, 0, 0, 0, 1, 1): "the third judge cannot tell the labels apart",
    (2, 0, 2, 0, 0, 1, 0, 1): "the second judge cannot tell the labels apart",
    (2, 0, 0, 1, 2, 0, 0, 1): "the first judge cannot tell the labels apart",
    (1, 1, 2, 2, 2, 2, 1, 1): "two moments vanish, Δ_12 is negative",
    (3, 3, 1, 1, 1, 1, 2, 2): "two moments vanish, Δ_12 is positive",
    (0, 0, 0, 1, 1, 1, 1, 0): "one pair moment is zero alone, or T is not zero",
    (0, 1, 1, 2, 2, 1, 1, 0): "T = 0, and one pair moment is zero alone",
    (1, 0, 0, 1, 0, 1, 1, 0): "all pair moments vanish and T does not",
    (0, 1, 1, 0, 1, 0, 0, 1): "all pair moments vanish and T does not, labels exchanged",
}


def random_case(draws: Draws, index: int) -> Case:
    """Return, in turn, votes made from an independent key, the same with one vote changed, and any votes."""
    if index % 3 == 2:
        size = 3 + index // 2 + draws.below(3)
        return _case(draws.counts(size, 8), f"any votes on {size} questions")
    base = 2 + index % 2 + index // 30
    right = [[draws.between(0, base) for _ in range(3)] for _ in range(2)]
    sizes = [base**3 * draws.between(1, 2 + index // 15) for _ in range(2)]
    counts = _independent(sizes[0], sizes[1], right[0], right[1], base=base)
    if index % 3 == 0:
        return _case(counts, f"made from a key of {sum(sizes)} questions")
    old, new = draws.pick([place for place in range(8) if counts[place]]), draws.below(8)
    counts[old] -= 1
    counts[new] += 1
    return _case(counts, f"made from a key of {sum(sizes)} questions, one vote changed", "changed")


def _case(counts: Sequence[int], comment: str, *flags: str) -> Case:
    """Return a case whose flags also tell what comes out: alarms, keys, a family, T = 0."""
    document = votes_input(counts)
    found = compute(document)
    leading, _, constant = found["quadratic"]
    outcome = [
        *found["alarms"],
        *(["key"] if found["keys"] else []),
        *(["family"] if found["identification"] == "family" else []),
        *(["t-zero"] if leading == 4 * constant else []),
    ]
    return Case(document, comment, (*flags, *outcome))


def _independent(
    of_first: int,
    of_second: int,
    right_on_first: Sequence[int],
    right_on_second: Sequence[int],
    *,
    base: int = 5,
) -> list[int]:
    """Return the counts of independent judges with right answers in base-th parts, base³ must divide the key counts."""
    counts = []
    for pattern in product("ab", repeat=3):
        first, second = of_first, of_second
        for given, x, y in zip(pattern, right_on_first, right_on_second, strict=True):
            first *= x if given == "a" else base - x
            second *= y if given == "b" else base - y
        counts.append(first // base**3 + second // base**3)
    return counts


FAMILY = Family(
    name="independent-binary",
    version=1,
    title="Three judges between two labels who err independently",
    citations=(Citation("ntqr", "section 5"), Citation("ntqr", "eq. 40")),
    algorithm=(
        WORDS,
        "Refuse as bad-votes unless there are exactly eight counts, as bad-number a count that is not a whole number "
        "or negative, and as empty-test if Q = 0.",
        "Moments: f_ai and f_bi = 1 − f_ai are the shares of the questions to which judge i answered a and b; f_bibj "
        "that in which judges i and j both answered b. Δ_ij = f_bibj − f_bi·f_bj; T = f_bbb − (f_b1·f_b2·f_b3 + "
        "f_b1·Δ_23 + f_b2·Δ_13 + f_b3·Δ_12); Π = Δ_12·Δ_13·Δ_23; A = T² + 4Π.",
        "quadratic: [A, −A, Π], the coefficients of A·P² − A·P + Π.",
        "If some Δ is zero: (1) If T is not zero, or exactly one Δ is zero, identification is none and the alarm is "
        "contradiction. (2) If T = 0 and two or three Δ are zero, identification is family and there is no alarm: the "
        "answers of a judge whose Δ with another is not zero (of any judge, if all are zero) taken for the true labels "
        "are a key under which errors are independent. In both cases solutions and keys are empty.",
        "If no Δ is zero: alarm negative-product if Π < 0. If A = 0: alarm no-root, identification none, and that is "
        "all. Otherwise identification is identified; alarm imaginary if A < 0; alarm irrational if A > 0 is not the "
        "square of a rational number.",
        "solutions: for s = √A (for A < 0, i·√(−A)) and then for s = −√A: prevalence P_a = (1 + T/s)/2, and for each "
        "judge i, with jk the two others, the pair [x_i, y_i], x_i = f_ai + (s − T)/(2Δ_jk), "
        "y_i = f_bi + (s + T)/(2Δ_jk). All lie in Q(√A).",
        "Alarm out-of-range if A > 0 and one of P_a, x_i, y_i is less than 0 or more than 1.",
        "Alarm not-whole if A is the square of a rational and, in the first solution, one of these numbers is not "
        "whole: Q·P_a; and for each of the eight patterns Q·P_a times the product over the judges m of (x_m if m "
        "answers a, else 1 − x_m), and Q·(1 − P_a) times the product over the judges m of (y_m if m answers b, else "
        "1 − y_m).",
        "alarms: the set of alarms as a list in alphabetical order. key_exists: whether there is no alarm.",
        "keys: empty if identification is not identified or there is an alarm; otherwise for each solution the list of "
        "the eight numbers Q·P_a times the product of (x_m or 1 − x_m), in the order of the patterns: how many "
        "questions of the first label got each pattern.",
    ),
    input=record(PARTS),
    expected=record(
        quadratic=list_of(RATIONAL, exactly=3),
        identification=one_of("identified", "family", "none"),
        solutions=list_of(
            record(prevalence=NUMBER, accuracies=list_of(list_of(NUMBER, exactly=2), exactly=3))
        ),
        alarms=list_of(one_of(*_ALARMS)),
        key_exists=TRUTH,
        keys=described(
            list_of(list_of({"anyOf": [COUNT, RATIONAL]}, exactly=8)), "questions of the first label"
        ),
    ),
    flags={
        **{name: AlarmKind[name.upper().replace("-", "_")].value for name in _ALARMS},
        "key": "an independent answer key exists, and only this and its mirror image",
        "t-zero": "T = 0: formulas that divide by T fail",
        "family": "not identified: pair moments and T vanish",
        "source": "votes of a test in the source",
        "large": "counts that doubles do not hold",
        "changed": "votes of an independent key with one vote moved to another pattern",
        "refused": "the counts make no votes",
    },
    errors={
        "bad-votes": "the number of counts is not eight",
        "bad-number": "a count is not a whole number, or negative",
        "empty-test": "there is no question, so that no rate exists",
    },
    edge_cases=edge_cases,
    random_case=random_case,
    compute=compute,
    steps=steps,
    shared=SHARED,
)
