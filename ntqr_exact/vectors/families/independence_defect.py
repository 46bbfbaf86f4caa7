"""The family `independence-defect`: by how much error rates fail to multiply over the whole test."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

from gmpy2 import mpq

from ntqr_exact.citation import Citation
from ntqr_exact.evaluation import rational_rate
from ntqr_exact.evaluators.agreement_solution import independence_defect
from ntqr_exact.evaluators.grade import grade
from ntqr_exact.vectors.draws import Draws
from ntqr_exact.vectors.families.grade import KEYED, key_from, key_input
from ntqr_exact.vectors.family import Case, Document, Family
from ntqr_exact.vectors.fragments import RATIONAL, list_of, record
from ntqr_exact.vectors.votes_input import PARTS, SHARED
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts

_RIGHT, _WRONG = "right", "wrong"


def compute(document: Document) -> dict[str, Any]:
    """Return the error rates, the defects e_ij − e_i·e_j, and the two parts of which each is made."""
    key = key_from(document)
    found, errors = grade(key, order=2), _errors(key)
    pairs = list(combinations(range(len(key.judges)), 2))
    return {
        "error_rates": [errors.response_rate(judge, _WRONG) for judge in range(len(key.judges))],
        "defects": [errors.pair_moment(*pair, label=_WRONG) for pair in pairs],
        "within": [
            sum(
                (
                    rational_rate(found.prevalence[label]) * rational_rate(found.correlations[label, pair])
                    for label in key.labels
                ),
                mpq(0),
            )
            for pair in pairs
        ],
        "between": [independence_defect(found, *pair) for pair in pairs],
    }


def _errors(key: LabeledVoteCounts) -> VoteCounts:
    """Return the votes with each answer replaced by whether it is right."""
    counts: dict[tuple[str, ...], int] = {}
    for label, votes in key.by_label.items():
        for pattern, count in votes.counts.items():
            errors = tuple(_RIGHT if given == label else _WRONG for given in pattern)
            counts[errors] = counts.get(errors, 0) + count
    return VoteCounts(counts, [_RIGHT, _WRONG], key.judges)


def steps(document: Document) -> Iterator[str]:
    """Tell the rates of errors, alone and together, and the two parts of each defect."""
    key, found = key_from(document), compute(document)
    evaluation, errors = grade(key, order=2), _errors(key)
    a, b = key.labels
    shares = {label: evaluation.prevalence[label] for label in key.labels}
    yield f"Q = {key.size}, P_a = {shares[a]}, P_b = {shares[b]}"
    for judge, rate in enumerate(found["error_rates"]):
        x, y = (evaluation.accuracy[judge][label] for label in key.labels)
        yield f"judge {judge + 1}: x = {x}, y = {y}, error rate e = P_a(1 − x) + P_b(1 − y) = {rate}"
    for place, (i, j) in enumerate(combinations(range(len(key.judges)), 2)):
        both = errors.marginal(i, j).frequency((_WRONG, _WRONG))
        name = f"{i + 1}{j + 1}"
        gamma = [evaluation.correlations[label, (i, j)] for label in key.labels]
        yield f"e_{name} = {both}, so the defect is e_{name} − e_{i + 1}·e_{j + 1} = {found['defects'][place]}"
        yield f"  within: P_a·({gamma[0]}) + P_b·({gamma[1]}) = {found['within'][place]}"
        yield f"  between: P_a·P_b·(x_{i + 1} − y_{i + 1})(x_{j + 1} − y_{j + 1}) = {found['between'][place]}"


def edge_cases() -> Iterator[Case]:
    """Yield vanishing parts and sums, opposite signs, two to four judges, large counts and refusals."""
    one = [1] * 8
    yield _case([one, one], "every pattern once on each label: all parts vanish")
    yield _case(
        [[27, 9, 9, 3, 9, 3, 3, 1], [1, 3, 3, 9, 3, 9, 9, 27]], "independent errors, x = y: no defect"
    )
    yield _case(
        [[8, 0, 0, 0, 0, 0, 0, 0], one], "independent errors, x ≠ y: the defect is all between the labels"
    )
    yield _case([[0, 0, 0, 0, 0, 0, 0, 8], one], "always wrong on a, chance on b")
    yield _case([[2, 1, 1, 0, 0, 0, 0, 0], [1, 0, 0, 0, 0, 0, 0, 3]], "all parts differ")
    yield _case([[1, 0, 0, 0, 0, 0, 0, 1], [1, 0, 0, 0, 0, 0, 0, 1]], "judges who err together, x = y")
    yield _case([[0, 0, 1, 0, 0, 1, 0, 0], [0, 1, 0, 0, 0, 0, 1, 0]], "within of both signs")
    yield _case([[4, 0, 4, 0, 0, 0, 0, 0], [0, 0, 0, 0, 4, 4, 0, 0]], "x − y of different signs: between < 0")
    yield _case([[0, 1, 1, 0, 0, 0, 0, 0], [1, 0, 0, 0, 0, 0, 0, 0]], "small, correlated on a")
    yield _case([[5, 0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0, 5]], "always right")
    yield _case([[0, 0, 0, 0, 0, 0, 0, 5], [5, 0, 0, 0, 0, 0, 0, 0]], "always wrong: e = 1 and no defect")
    yield _case([[0, 0, 0, 0, 0, 0, 0, 5], [0, 0, 0, 0, 0, 0, 0, 5]], "always b: errors agree, x = 0, y = 1")
    yield _case([[1, 1, 0, 1], [2, 0, 0, 1]], "two judges", judges=2)
    yield _case([[0, 1, 1, 0], [0, 1, 1, 0]], "two judges, always of different answers", judges=2)
    yield _case([[3, 1, 1, 0], [0, 1, 1, 1]], "parts that cancel in part", judges=2)
    yield _case([list(range(16)), [5] * 16], "four judges: six pairs", judges=4)
    large = [10**17 * count + place for place, count in enumerate((7, 3, 2, 5, 1, 1, 4, 9))]
    yield _case([large, large[::-1]], "counts beyond doubles", "large")
    yield _case([large, [2 * count + 1 for count in large]], "counts beyond doubles", "large")
    for counts, where in (([one, [0] * 8], "b"), ([[0] * 8, one], "a"), ([[0] * 8] * 2, "any label")):
        yield Case(key_input(counts), f"no question of {where}", ("refused",))
    yield Case(key_input([one, [1, 1, 1, 1, 1, 1, 1, -1]]), "a negative count", ("refused",))
    yield Case(key_input([one, [1] * 9]), "a count too many", ("refused",))
    yield Case(key_input([one, one, one]), "a list too many", ("refused",))


def random_case(draws: Draws, index: int) -> Case:
    """Return, in turn, any votes with a key, and keys under which errors are independent."""
    if index % 3 == 0:
        base = 2 + index % 4
        by_key = []
        for _ in range(2):
            rates = [draws.between(0, base) for _ in range(2)]
            scale = draws.between(1, 2 + index // 20)
            cells = [(p, q) for p in (rates[0], base - rates[0]) for q in (rates[1], base - rates[1])]
            by_key.append([scale * p * q for p, q in cells])
        return _case(by_key, "independent errors of two judges", judges=2)
    judges = 2 + index % 3
    size = 3 + index // 2 + draws.below(5)
    cells_of_one = 2**judges
    counts = draws.counts(size, 2 * cells_of_one)
    halves = [counts[:cells_of_one], counts[cells_of_one:]]
    for half in halves:
        half[draws.below(cells_of_one)] += 1
    return _case(halves, f"any votes and any key of {size + 2} questions", judges=judges)


def _case(by_key: Sequence[Sequence[int]], comment: str, *flags: str, judges: int = 3) -> Case:
    document = key_input(by_key, judges=judges)
    found = compute(document)
    outcome = [
        *(["independent"] if not any(found["within"]) else []),
        *(["multiplies"] if not any(found["defects"]) else []),
    ]
    return Case(document, comment, (*flags, *outcome))


FAMILY = Family(
    name="independence-defect",
    version=1,
    title="By how much error rates fail to multiply over the whole test",
    citations=(Citation("ntqr", "eqs. 31 and 32"),),
    algorithm=(
        "The input gives two labels a and b, the number N of judges and, for each of the two true labels, a list of "
        "counts: how many questions with this true label got each of the 2^N patterns, in lexicographic order with "
        "the last judge changing fastest (for three judges: aaa aab aba abb baa bab bba bbb). A count is a whole "
        "number that is not negative; one beyond 2^53 is a text. An input has one fault at most.",
        "Refuse as bad-votes unless there is a list for each label and a count in it for each pattern; as bad-number "
        "a negative count; as empty-test if one of the labels, or both, have no questions.",
        "A judge errs on a question if its answer is not the true label. Lists over pairs of judges i < j are in the "
        "order 12, 13, …, 23, …",
        "error_rates: for each judge the share e_i of all Q questions on which it errs.",
        "defects: for each pair e_ij − e_i·e_j, where e_ij is the share of all questions on which both err.",
        "within: for each pair P_a·Γ^a_ij + P_b·Γ^b_ij, where P_l is the share of the questions with true label l, and "
        "Γ^l_ij is, among these, the share on which both are right less the product of the shares on which each is.",
        "between: for each pair P_a·P_b·(x_i − y_i)·(x_j − y_j), where x_i and y_i are the shares of right answers of "
        "judge i on the questions of a and of b. The defect is always the sum of within and between: errors may be "
        "independent on each label (within is 0) and error rates still not multiply.",
    ),
    input=record(labels=PARTS["labels"], judges=PARTS["judges"], counts_by_key=KEYED),
    expected=record(
        error_rates=list_of(RATIONAL),
        defects=list_of(RATIONAL),
        within=list_of(RATIONAL),
        between=list_of(RATIONAL),
    ),
    flags={
        "independent": "errors are independent on each label, or their correlations cancel: within is 0",
        "multiplies": "all error rates multiply: the defects are 0",
        "large": "counts that doubles do not hold",
        "refused": "the counts make no test with two labels",
    },
    errors={
        "bad-votes": "a list of counts is missing or too many, or a count in one",
        "bad-number": "a count is negative",
        "empty-test": "a label has no questions, so that no accuracy on it exists",
    },
    edge_cases=edge_cases,
    random_case=random_case,
    compute=compute,
    steps=steps,
    shared=SHARED,
)
