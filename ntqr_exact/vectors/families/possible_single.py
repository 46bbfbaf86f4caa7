"""The family `possible-single`: how many evaluations of one judge are possible, and how many are consistent."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ntqr_exact.citation import Citation
from ntqr_exact.varieties.consistent import ConsistentSet
from ntqr_exact.varieties.possible import PossibleSet
from ntqr_exact.vectors.draws import Draws
from ntqr_exact.vectors.family import Case, Document, Family
from ntqr_exact.vectors.fragments import TEXT, WHOLE, described, list_of, record
from ntqr_exact.votes.counts import VoteCounts

_INTEGERS = list_of({"type": "integer"})


def compute(document: Document) -> dict[str, Any]:
    """Return the numbers of possible and of consistent evaluations, in all and at the key counts."""
    labels = document["labels"]
    votes = _votes(document)
    key = dict(zip(labels, document["key_counts"], strict=True))
    possible, consistent = PossibleSet(votes.size, labels=labels), ConsistentSet(votes)
    numbers = {
        "possible": possible.count(),
        "possible_at": possible.count_at(key),
        "consistent": consistent.count(),
        "consistent_at": consistent.count_at(key),
    }
    return {name: str(number) for name, number in numbers.items()}


def steps(document: Document) -> Iterator[str]:
    """Tell which binomials are multiplied, and list the splits if they are few."""
    found = compute(document)
    answers, key = document["responses"], document["key_counts"]
    labels, size = len(answers), sum(answers)
    yield f"R = {labels} labels, Q = {' + '.join(map(str, answers))} = {size} questions"
    cells = labels * labels
    yield f"possible: {size} questions over {cells} cells, C({size + cells - 1}, {cells - 1}) = {found['possible']}"
    binomials = " · ".join(f"C({count + labels - 1}, {labels - 1})" for count in key)
    yield f"possible at the key counts: {binomials} = {found['possible_at']}"
    binomials = " · ".join(f"C({count + labels - 1}, {labels - 1})" for count in answers)
    yield f"consistent: {binomials} = {found['consistent']}"
    tables = f"tables of whole numbers with row sums {answers} and column sums {key}"
    yield f"consistent at the key counts: {tables}: {found['consistent_at']}"
    if labels == 2:
        (first, second), (of_first, _) = answers, key
        lowest, highest = max(0, of_first - second), min(of_first, first)
        yield f"the right answers on the first label run from {lowest} to {highest}"


def edge_cases() -> Iterator[Case]:
    """Yield empty and one-sided tests, all key counts of small ones, more labels, and keys that do not fit."""
    yield _case("ab", [0, 0], [0, 0], "no question: there is one evaluation, the empty one", "empty")
    for size in (1, 2, 3):
        for first in range(size + 1):
            for of_first in range(size + 1):
                yield _case("ab", [first, size - first], [of_first, size - of_first], "small, complete")
    yield _case("ab", [5, 0], [3, 2], "the judge never answers b", "one-sided")
    yield _case("ab", [0, 5], [3, 2], "the judge never answers a", "one-sided")
    yield _case("ab", [3, 2], [5, 0], "all questions are a", "one-sided")
    yield _case("ab", [571, 429], [400, 600], "a thousand questions: C(1003, 3) possible evaluations")
    yield _case(
        "ab", [10**6, 10**6 + 1], [10**6 - 1, 10**6 + 2], "numbers beyond the range of doubles", "large"
    )
    yield _case(
        "abc", [1, 1, 1], [1, 1, 1], "three labels, once each: six permutations and more", "many-labels"
    )
    yield _case("abc", [2, 3, 1], [1, 1, 4], "three labels", "many-labels")
    yield _case("abc", [4, 0, 2], [0, 6, 0], "three labels, one key", "many-labels", "one-sided")
    yield _case("abcd", [1, 2, 0, 2], [2, 1, 1, 1], "four labels", "many-labels")
    yield _case("ab", [3, 2], [3, 3], "the key counts make another number of questions", "refused")
    yield _case("ab", [3, 2], [6, -1], "a negative key count", "refused")
    yield _case("ab", [-1, 3], [1, 1], "a negative number of answers", "refused")


def random_case(draws: Draws, index: int) -> Case:
    """Return answers and key counts over two to four labels, on a number of questions growing with the index."""
    labels = "abcd"[: (2, 2, 3, 2, 4)[index % 5]]
    size = 1 + (index * index // 10 if len(labels) == 2 else min(index // 5, 20)) + draws.below(4)
    responses, key = draws.counts(size, len(labels)), draws.counts(size, len(labels))
    return _case(labels, responses, key, f"{size} questions")


def _votes(document: Document) -> VoteCounts:
    counts = zip(document["labels"], document["responses"], strict=True)
    return VoteCounts({(label,): count for label, count in counts}, document["labels"], ["J1"])


def _case(labels: str, responses: list[int], key_counts: list[int], comment: str, *flags: str) -> Case:
    document = {"labels": list(labels), "responses": responses, "key_counts": key_counts}
    return Case(document, comment, flags)


FAMILY = Family(
    name="possible-single",
    version=1,
    title="Possible and consistent evaluations of one judge",
    citations=(Citation("ntqr", "eq. 16"), Citation("ntqr", "eq. 17")),
    algorithm=(
        "The input gives R labels, how often the judge answered each of them (responses), and how many questions have "
        "each of them as their true label (key_counts), all in the order of the labels.",
        "Refuse as bad-number a response that is negative; as bad-key-counts key counts of which one is negative or "
        "whose sum is not Q, the sum of the responses. No questions at all, Q = 0, is a valid case.",
        "An evaluation is an R by R table of counts that are not negative: how many questions with each true label "
        "got each answer. C(n, k) is the binomial coefficient. All four results are whole numbers, written as texts.",
        "possible: the tables of any Q questions, C(Q + R² − 1, R² − 1).",
        "possible_at: the tables with these key counts Q_l, the product over the labels l of C(Q_l + R − 1, R − 1).",
        "consistent: the tables with these responses R_l, whatever the key counts: the product over the labels l of "
        "C(R_l + R − 1, R − 1).",
        "consistent_at: the tables with these responses and these key counts. For R = 2 it is min(Q_a, R_a) − "
        "max(0, Q_a − R_b) + 1 if that is positive, and it always is. For larger R: for each answer l, in turn, "
        "distribute its R_l questions over the true labels in every way, and count the ways that use up the key "
        "counts exactly.",
    ),
    input=record(
        labels=list_of(TEXT),
        responses=described(_INTEGERS, "how often the judge gave each label"),
        key_counts=described(_INTEGERS, "how many questions have each true label"),
    ),
    expected=record(possible=WHOLE, possible_at=WHOLE, consistent=WHOLE, consistent_at=WHOLE),
    flags={
        "empty": "a test without questions",
        "one-sided": "a label that is never given, or never true",
        "large": "results that doubles do not hold",
        "many-labels": "more than two labels",
        "refused": "the numbers make no test",
    },
    errors={
        "bad-number": "a number of answers is negative",
        "bad-key-counts": "a key count is negative, or they do not add up to the number of questions",
    },
    edge_cases=edge_cases,
    random_case=random_case,
    compute=compute,
    steps=steps,
    shared=("labels",),
    witnesses={
        "brute-force": lambda document: min(document["responses"]) >= 0 and sum(document["responses"]) <= 3
    },
)
