"""The family `possible-group`: how many evaluations of several judges are possible, before any vote is seen."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ntqr_exact.citation import Citation
from ntqr_exact.varieties.possible import PossibleSet
from ntqr_exact.vectors.draws import Draws
from ntqr_exact.vectors.family import Case, Document, Family
from ntqr_exact.vectors.fragments import TEXT, WHOLE, described, list_of, record

_INTEGER = {"type": "integer"}
_MOST_TRIED = 8192


def compute(document: Document) -> dict[str, Any]:
    """Return the numbers of possible group and individual evaluations, and of groups at the key counts."""
    labels = document["labels"]
    possible = PossibleSet(document["questions"], document["judges"], labels)
    at = dict(zip(labels, document["key_counts"], strict=True))
    numbers = {
        "possible": possible.count(),
        "possible_at": possible.count_at(at),
        "individual": possible.individual_count(),
    }
    return {name: str(number) for name, number in numbers.items()}


def steps(document: Document) -> Iterator[str]:
    """Tell which binomials are multiplied."""
    found = compute(document)
    labels, judges, size = len(document["labels"]), document["judges"], document["questions"]
    width = labels**judges
    yield f"R^N = {labels}^{judges} = {width} patterns, R·R^N = {labels * width} cells, Q = {size} questions"
    cells = labels * width
    yield f"possible: C({size + cells - 1}, {cells - 1}) = {found['possible']}"
    binomials = " · ".join(f"C({count + width - 1}, {width - 1})" for count in document["key_counts"])
    yield f"possible at the key counts: {binomials} = {found['possible_at']}"
    one_key = " · ".join(f"C(Q_{label} + {labels - 1}, {labels - 1})" for label in document["labels"])
    yield f"individual: the sum over all key counts of ({one_key})^{judges} = {found['individual']}"


def edge_cases() -> Iterator[Case]:
    """Yield tests without questions, all key counts of small tests, many judges and labels, and refusals."""
    yield _case("ab", 2, [0, 0], "no question: there is one evaluation, the empty one", "empty")
    yield _case("abc", 3, [0, 0, 0], "no question, three labels", "empty")
    for judges in (1, 2, 3):
        for size in (1, 2, 3):
            for of_first in range(size + 1):
                yield _case("ab", judges, [of_first, size - of_first], "small, complete")
    yield _case("abc", 1, [1, 0, 1], "three labels, one judge", "many-labels")
    yield _case("abc", 2, [1, 1, 0], "three labels, two judges", "many-labels")
    yield _case("abcd", 1, [1, 0, 0, 1], "four labels", "many-labels")
    yield _case("ab", 4, [2, 1], "four judges")
    yield _case("ab", 3, [400, 600], "the size of the tests in the source: C(1015, 15)", "large")
    yield _case("ab", 1, [400, 600], "one judge of such a test: 167668501", "large")
    yield _case("ab", 2, [40, 60], "a hundred questions, two judges", "large")
    yield _case("abc", 3, [20, 20, 20], "sixty questions, three labels", "large", "many-labels")
    yield _case("abcd", 3, [5, 4, 3, 2], "four labels, three judges: 256 cells", "large", "many-labels")
    yield _case("ab", 9, [3, 4], "nine judges: 1024 cells", "large")
    yield _refused({"questions": 5, "key_counts": [3, 3]}, "the key counts make another number of questions")
    yield _refused({"questions": 5, "key_counts": [6, -1]}, "a negative key count")
    yield _refused({"questions": -1, "key_counts": [0, 0]}, "fewer questions than none")
    yield _refused({"questions": 2, "key_counts": [1, 1], "judges": 0}, "no judge")
    yield _refused({"questions": 2, "key_counts": [2], "labels": ["a"]}, "one label")
    yield _refused({"questions": 2, "key_counts": [1, 1], "labels": ["a", "a"]}, "a label named twice")
    yield _refused({"questions": 2, "key_counts": [1, 1], "labels": ["a", ""]}, "a label without a name")


def random_case(draws: Draws, index: int) -> Case:
    """Return key counts over two to four labels, for one to five judges, growing with the index."""
    labels = "abcd"[: (2, 3, 2, 4, 2, 3)[index % 6]]
    judges = draws.between(1, {2: 5, 3: 3, 4: 2}[len(labels)])
    size = draws.below(3) + (index if len(labels) == 2 else min(index // 4, 24))
    return _case(labels, judges, draws.counts(size, len(labels)), f"{size} questions")


def _case(labels: str, judges: int, key_counts: list[int], comment: str, *flags: str) -> Case:
    document = {
        "labels": list(labels),
        "judges": judges,
        "questions": sum(key_counts),
        "key_counts": key_counts,
    }
    return Case(document, comment, flags)


def _refused(parts: Document, comment: str) -> Case:
    return Case({"labels": ["a", "b"], "judges": 2, **parts}, comment, ("refused",))


def _is_small(document: Document) -> bool:
    """Tell whether every way to give each question a cell can be tried."""
    cells = len(document["labels"]) ** (document["judges"] + 1)
    return bool(0 <= document["questions"] < 20 and 1 < cells ** document["questions"] <= _MOST_TRIED)


FAMILY = Family(
    name="possible-group",
    version=1,
    title="Possible evaluations of several judges",
    citations=(Citation("ntqr", "eq. 17"),),
    algorithm=(
        "The input gives R labels, the number N of judges, the number Q of questions, and how many questions have each "
        "label as their true label (key_counts, in the order of the labels).",
        "Refuse as bad-number a negative Q; as bad-votes less than one judge, fewer than two labels, a label that is "
        "empty or given twice; then as bad-key-counts key counts of which one is negative or whose sum is not Q. Q = 0 "
        "is a valid case.",
        "A group evaluation says for each true label and each of the R^N patterns of answers how many questions have "
        "them. An individual evaluation says for each true label, each judge and each answer how many questions have "
        "them: what is left of a group evaluation if only one judge at a time is looked at. C(n, k) is the binomial "
        "coefficient. All results are whole numbers, written as texts.",
        "possible: the group evaluations of Q questions, C(Q + m − 1, m − 1) with m = R·R^N.",
        "possible_at: those with the key counts Q_l, the product over the labels l of C(Q_l + R^N − 1, R^N − 1).",
        "individual: the individual evaluations of Q questions, the sum over all key counts (Q_1, …, Q_R) with sum Q "
        "of (the product over the labels l of C(Q_l + R − 1, R − 1)) to the power N.",
    ),
    input=record(
        labels=list_of(TEXT),
        judges=described(_INTEGER, "N"),
        questions=described(_INTEGER, "Q"),
        key_counts=described(list_of(_INTEGER), "how many questions have each true label"),
    ),
    expected=record(possible=WHOLE, possible_at=WHOLE, individual=WHOLE),
    flags={
        "empty": "a test without questions",
        "many-labels": "more than two labels",
        "large": "results that doubles do not hold, or many cells",
        "refused": "the input is refused",
    },
    errors={
        "bad-number": "the number of questions is negative",
        "bad-votes": "no judge, or labels that are too few, empty or given twice",
        "bad-key-counts": "a key count is negative, or their sum is not the number of questions",
    },
    edge_cases=edge_cases,
    random_case=random_case,
    compute=compute,
    steps=steps,
    shared=("labels", "judges"),
    witnesses={"brute-force": _is_small},
)
