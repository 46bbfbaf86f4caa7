"""The family `independent-three-labels`: three judges between three labels, if their errors were independent."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from math import prod
from typing import Any

from ntqr_exact.alarms.alarm import AlarmKind
from ntqr_exact.algebra.rational_matrix import inverse, matrix
from ntqr_exact.citation import Citation
from ntqr_exact.evaluation import Evaluation, rational_rate
from ntqr_exact.evaluators.independent import solve_independent
from ntqr_exact.evaluators.independent_solution import Identification, IndependentSolution
from ntqr_exact.vectors.draws import Draws
from ntqr_exact.vectors.family import Case, Document, Family
from ntqr_exact.vectors.fragments import RATIONAL, Fragment, either, list_of, one_of, record
from ntqr_exact.vectors.forms.matrix_steps import matrix_steps
from ntqr_exact.vectors.forms.votes import PARTS, SHARED, WORDS, counts_of, votes_from, votes_input

ALARMS = (
    "complex-roots",
    "contradiction",
    "irrational-roots",
    "no-key-in-family",
    "not-commuting",
    "not-diagonalisable",
    "not-whole",
    "out-of-range",
    "singular",
    "unidentified",
    "zero-prevalence",
)

REFUSALS = (
    "Refuse as bad-votes unless there is a count for each pattern, as bad-number a negative count, and as empty-test "
    "if Q = 0. An input has one fault at most."
)

MATRICES = (
    "For a pair p < q of judges let S be the R by R table of how often p and q gave each two labels (rows: p), and "
    "for each other judge r and each label k let T_k be the part of S where r answered k; M_k = T_k·S⁻¹. Take the "
    "pairs in the order 12, 13, …, 23, …, and the first whose S is regular.",
    "If two of the M of that pair, of all other judges and labels, do not commute: alarm not-commuting, and that is "
    "all. Otherwise, for t = 1, 2, …, take Σ tᵐ·M_m, where m = 0, 1, … numbers the matrices by judge and then by "
    "label, and its characteristic polynomial. If that has a root that is not real: alarm complex-roots; if all are "
    "real and one is irrational: alarm irrational-roots; if all are rational and one is multiple, but the matrix is "
    "not diagonalisable: alarm not-diagonalisable; and that is all. If a root is multiple and the matrix is "
    "diagonalisable, go on with the next t; if this is still so for t = (number of matrices)·R·(R − 1)/2, the pair "
    "is unidentified, and the next pair with a regular S is taken. If all roots are simple and an eigenvector has the "
    "sum 0: alarm contradiction, and that is all. Otherwise the eigenvectors, each divided by its sum, are the rates "
    "with which judge p gives the labels, one vector for each true label.",
    "identification is none after one of these alarms, identified if the eigenvectors have been found, and "
    "family if they have been found with no pair.",
    "identified: U is the matrix with the eigenvectors as columns. The sums of the rows of U⁻¹·S/Q are the shares of "
    "the true labels, its rows divided by their sums are the rates of judge q, and the diagonal of U⁻¹·M_k·U holds "
    "the rates with which judge r answers k on each true label. If a share is 0: alarm zero-prevalence, and that is "
    "all (identification is none).",
)
"""The steps that turn votes of any number of judges and labels into rates."""

COMPONENTS = (
    "components: empty if identification is not identified; otherwise for each true label its share of the "
    "questions, and for each judge the list of its rates of the labels. As true labels come out without names, the "
    "components are in decreasing order of the list (share, rates of judge 1, rates of judge 2, …).",
    "alarms: the set of alarms as a list in alphabetical order. key_exists: whether there is no alarm.",
    "key: empty if identification is not identified or there is an alarm; otherwise for each component, in order, the "
    "list of its counts Q·share·(product of the rates of the judges) for all patterns.",
)
"""How the answer is written."""

EXPECTED: Fragment = record(
    identification=one_of("identified", "family", "none"),
    components=list_of(record(share=RATIONAL, rates=list_of(list_of(RATIONAL)))),
    key_exists={"type": "boolean"},
    key=list_of(list_of(either({"type": "integer"}, RATIONAL))),
)


def expected(alarms: Sequence[str]) -> Fragment:
    """Return the schema of the answer, in which only some alarms can be."""
    parts = {**EXPECTED["properties"], "alarms": list_of(one_of(*alarms))}
    return record(parts)


def compute(document: Document) -> dict[str, Any]:
    """Return what independent errors mean, with the true labels in an order that does not depend on their names."""
    solution = solve_independent(votes_from(document))
    identified = solution.identification is Identification.IDENTIFIED
    order = _order(solution) if identified else []
    found = solution.solutions[0] if identified else None
    return {
        "identification": solution.identification.name.lower(),
        "components": [] if found is None else [_component(found, label) for label in order],
        "alarms": sorted({alarm.kind.title.replace(" ", "-") for alarm in solution.alarms}),
        "key_exists": not solution.alarms,
        "key": [counts_of(solution.keys[0].by_label[label]) for label in order if solution.keys],
    }


def _component(evaluation: Evaluation, label: str) -> dict[str, Any]:
    rates = [list(rates[label].values()) for rates in evaluation.response_rates]
    return {"share": evaluation.prevalence[label], "rates": rates}


def _order(solution: IndependentSolution) -> list[str]:
    evaluation = solution.solutions[0]

    def numbers(label: str) -> list[Any]:
        rates = [rate for row in evaluation.response_rates for rate in row[label].values()]
        return [rational_rate(rate) for rate in (evaluation.prevalence[label], *rates)]

    return sorted(evaluation.labels, key=numbers, reverse=True)


def steps(document: Document) -> Iterator[str]:
    """Tell the matrices up to the one that decides, what was found, and why each alarm fires."""
    votes, found = votes_from(document), compute(document)
    solution = solve_independent(votes)
    yield f"Q = {votes.size}, {len(votes.judges)} judges, labels {', '.join(votes.labels)}"
    yield from matrix_steps(votes)
    yield f"identification: {found['identification']}, {solution.identification.value}"
    for component in found["components"]:
        yield f"a true label with the share {component['share']}"
        for judge, rates in enumerate(component["rates"], start=1):
            yield f"  judge {judge} answers with rates {', '.join(map(str, rates))}"
    yield from (f"alarm, {alarm}" for alarm in solution.alarms)
    yield from (f"note: {note}" for note in solution.notes)
    if not solution.alarms:
        yield "no alarm: a key exists under which the errors are independent"




_WITH_A_THIRD = {
    (0, 1, 1, 0, 1, 0, 0, 3): "a root is irrational",
    (3, 1, 1, 0, 0, 1, 1, 3): "a root is irrational, T = 0",
    (0, 1, 1, 1, 1, 1, 1, 0): "a root is not real",
    (0, 1, 1, 1, 1, 1, 2, 0): "a root is not real, T ≠ 0",
    (0, 1, 1, 0, 1, 0, 0, 0): "too few eigenvectors",
    (0, 0, 0, 1, 2, 1, 1, 0): "a rate of 2",
    (0, 0, 0, 1, 1, 1, 2, 0): "a negative share",
    (0, 0, 0, 1, 2, 1, 1, 1): "rational and in range, but not whole",
    (1, 0, 1, 0, 1, 0, 1, 1): "a key exists",
    (2, 2, 0, 0, 0, 0, 1, 1): "the third judge cannot tell a and b apart",
    (1, 0, 0, 1, 0, 1, 1, 0): "all pair moments of a and b vanish",
    (0, 1, 1, 2, 2, 1, 1, 0): "one pair moment of a and b vanishes alone",
    (0, 0, 0, 1, 1, 1, 1, 0): "one pair moment vanishes, T does not",
}
"""Votes between a and b, with the questions of c these judges know."""

_SMALL = (
    ({"aaa": 1, "bbb": 1, "ccc": 1}, "perfect judges, a question of each label"),
    ({"aaa": 3, "bbb": 2, "ccc": 1}, "perfect judges, shares 1/2, 1/3, 1/6"),
    ({"abc": 1, "bca": 1, "cab": 1}, "judges who are sure, and sure to differ"),
    ({"aaa": 1}, "one question: all tables are singular"),
    ({"aaa": 1, "bbb": 1}, "two labels only: singular, and a key exists"),
    ({"abc": 1, "bac": 1}, "two questions, singular"),
    ({"aaa": 1, "aab": 1, "aba": 1, "baa": 1}, "singular, and a key exists"),
    ({"aab": 1, "aba": 1, "baa": 1, "bbb": 1}, "singular, a parity"),
    ({"aab": 1, "aba": 1, "baa": 1, "bbb": 1, "ccc": 1}, "singular: a parity and a third label"),
    ({"aaa": 1, "bba": 1, "ccc": 1}, "the third judge has the same rates on two labels: unidentified"),
    ({"aaa": 2, "bba": 1, "cca": 1}, "the third judge always says the same"),
    ({"aaa": 1, "bab": 1, "cac": 1}, "the second judge always says the same"),
    ({"aaa": 1, "abb": 1, "acc": 1}, "the first judge always says the same"),
    ({"aaa": 1, "bba": 1, "bbb": 1, "ccc": 1}, "the third judge guesses on b"),
    ({"aaa": 1, "abb": 1, "bca": 1, "cbc": 1, "bbc": 1}, "five questions"),
    ({"aab": 1, "bba": 1, "ccc": 1, "abc": 1}, "four questions"),
    ({"aab": 1, "aca": 1, "acb": 1, "baa": 1, "cba": 1}, "unidentified, and no key"),
    ({"aaa": 1, "abb": 1, "bac": 1, "caa": 1, "cba": 1}, "a label would have no questions"),
    ({"aba": 1, "bab": 1, "ccc": 1, "aab": 1, "bba": 1}, "five questions, not identified, and a key exists"),
    ({"aaa": 1, "bbb": 1, "ccc": 1, "abb": 1, "bca": 1}, "five questions, one for each label and two more"),
)


def random_case(draws: Draws, index: int) -> Case:
    """Return, in turn, votes of independent judges, the same with one question moved, and any votes."""
    while True:
        if index % 3 == 2:
            size = 12 + index // 2 + draws.below(6)
            case = _case(draws.counts(size, 27), f"any votes on {size} questions")
        else:
            counts = model(*drawn_model(draws, index, labels=3))
            if index % 3 == 1:
                places = [place for place, count in enumerate(counts) if count]
                counts = moved(counts, draws.pick(places), draws.below(27))
                case = _case(counts, f"independent judges on {sum(counts)} questions, one moved", "changed")
            else:
                case = _case(counts, f"independent judges on {sum(counts)} questions")
        if not {"family", "singular", "unidentified"} & set(case.flags):
            return case


def drawn_model(
    draws: Draws, index: int, *, labels: int, judges: int = 3
) -> tuple[list[int], list[list[list[int]]]]:
    """Return weights of the labels and rates of the judges in small parts, mostly right."""
    base = 2 + (index // 3) % 3
    rates: list[list[list[int]]] = []
    while len(rates) < judges:
        rows = []
        for true in range(labels):
            row = draws.counts(base, labels)
            rows.append(row if draws.below(3) else [base * (given == true) for given in range(labels)])
        # A judge with singular rates may leave the others unidentified, and a key to be searched for.
        if inverse(matrix(rows)) is not None:
            rates.append(rows)
    return [draws.between(1, 2 + index // 30) for _ in range(labels)], rates


def model(weights: Sequence[int], rates: Sequence[Sequence[Sequence[int]]]) -> list[int]:
    """Return the counts of independent judges: rates[judge][true][given] in parts, weights for the true labels.

    >>> model([1, 2], [[[1, 0], [0, 1]], [[1, 1], [0, 2]]])
    [1, 1, 0, 4]
    """
    labels = range(len(weights))
    return [
        sum(
            weight * prod(judge[true][given] for judge, given in zip(rates, pattern, strict=True))
            for true, weight in enumerate(weights)
        )
        for pattern in product(labels, repeat=len(rates))
    ]


def moved(counts: Sequence[int], old: int, new: int) -> list[int]:
    """Return the counts with one question moved from a pattern to another, or one added if there is none to move."""
    after = list(counts)
    after[old] -= 1 if after[old] else 0
    after[new] += 1
    return after


def sparse(counts: dict[str, int], *, labels: str = "abc") -> list[int]:
    """Return counts given by their patterns as the list of all."""
    judges = len(next(iter(counts)))
    return [counts.get("".join(pattern), 0) for pattern in product(labels, repeat=judges)]


def _case(counts: Sequence[int], comment: str, *flags: str) -> Case:
    return case_of(votes_input(counts, labels="abc"), comment, *flags)


def case_of(document: Document, comment: str, *flags: str) -> Case:
    """Return a case whose flags also tell what comes out."""
    found = compute(document)
    outcome = [
        *found["alarms"],
        *(["key"] if found["key"] else []),
        *(["family"] if found["identification"] == "family" else []),
    ]
    return Case(document, comment, (*flags, *outcome))


def flags_of(alarms: Sequence[str]) -> dict[str, str]:
    """Return the flags of such a family with their meanings."""
    return {
        **{name: AlarmKind[name.upper().replace("-", "_")].value for name in alarms},
        "key": "an independent answer key exists, the only one up to the names of the true labels",
        "family": "the rates are not identified",
        "large": "counts that doubles do not hold",
        "changed": "votes of independent judges with one question moved to another pattern",
        "refused": "the counts make no votes",
    }


ERRORS = {
    "bad-votes": "the number of counts is not that of the patterns",
    "bad-number": "a count is negative",
    "empty-test": "there is no question, so that no rate exists",
}

FAMILY = Family(
    *declared("independent-three-labels"),
    input=record(PARTS),
    expected=expected(ALARMS),
    random_case=random_case,
    compute=compute,
    steps=steps,
    shared=SHARED,
)
