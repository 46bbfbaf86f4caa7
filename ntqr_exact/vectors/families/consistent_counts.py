"""The family `consistent-counts`: how many evaluations the votes of several judges allow."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ntqr_exact.citation import Citation
from ntqr_exact.varieties.consistent import ConsistentSet
from ntqr_exact.vectors.draws import Draws
from ntqr_exact.vectors.family import Case, Document, Family
from ntqr_exact.vectors.fragments import WHOLE, described, list_of, one_of, record
from ntqr_exact.vectors.votes_input import PARTS, SHARED, WORDS, pattern_names, votes_from, votes_input

_MOST_TRIED = 5000
_LARGEST_GROUP = {(2, 1): 150, (2, 2): 120, (2, 3): 100, (2, 4): 60, (3, 1): 24, (3, 2): 16, (4, 1): 12}
_LARGEST_INDIVIDUAL = {(2, 1): 40, (2, 2): 14, (2, 3): 9, (2, 4): 4, (3, 1): 8, (3, 2): 4}


def compute(document: Document) -> dict[str, Any]:
    """Return how many group or individual evaluations are consistent, in all and at the key counts."""
    consistent = ConsistentSet(votes_from(document))
    asked = consistent.projection() if document["evaluations"] == "individual" else consistent
    key = dict(zip(document["labels"], document["key_counts"], strict=True))
    return {"consistent": str(asked.count()), "consistent_at": str(asked.count_at(key))}


def steps(document: Document) -> Iterator[str]:
    """Tell how the numbers come about."""
    found = compute(document)
    names = pattern_names(document["labels"], document["judges"])
    labels = len(document["labels"])
    seen = {name: count for name, count in zip(names, document["counts"], strict=True) if count}
    yield f"patterns seen: {', '.join(f'{name} {count}' for name, count in seen.items()) or 'none'}"
    key = ", ".join(map(str, document["key_counts"]))
    if document["evaluations"] == "group":
        binomials = " · ".join(f"C({count + labels - 1}, {labels - 1})" for count in seen.values())
        yield f"consistent: {binomials or '1, the empty product'} = {found['consistent']}"
        if labels == 2:
            factors = "".join(f"(1 + … + x^{count})" for count in seen.values())
            power = document["key_counts"][0]
            yield f"at the key counts ({key}): the coefficient of x^{power} in {factors or '1'},"
            yield f"  {found['consistent_at']}"
        else:
            yield f"at the key counts ({key}): {found['consistent_at']} of them"
        return
    yield "every way to split the questions of each pattern over the true labels gives each judge a confusion"
    yield f"different confusions of all judges: {found['consistent']}"
    yield f"those of them with the key counts ({key}): {found['consistent_at']}"


def edge_cases() -> Iterator[Case]:
    """Yield empty tests, small ones, the source's, votes with gaps, more labels and judges, and refusals."""
    for kind in ("group", "individual"):
        yield _case(
            kind, ("ab", 2), [0, 0, 0, 0], [0, 0], "no question: one evaluation, the empty one", "empty"
        )
        yield _case(kind, ("ab", 1), [2, 3], [2, 3], "one judge: (R_a + 1)(R_b + 1) = 12")
        for of_first in range(4):
            yield _case(
                kind, ("ab", 2), [2, 0, 0, 1], [of_first, 3 - of_first], "two judges who agree always"
            )
            yield _case(kind, ("ab", 2), [1, 1, 1, 0], [of_first, 3 - of_first], "two judges, three patterns")
        yield _case(
            kind, ("ab", 2), [1, 1, 1, 1], [2, 2], "every pattern once: groups are more than individuals"
        )
        yield _case(kind, ("ab", 3), [1] * 8, [4, 4], "three judges, every pattern once")
        yield _case(kind, ("ab", 3), [0, 1, 1, 0, 1, 0, 0, 1], [2, 2], "patterns of one parity: gaps", "gaps")
        yield _case(kind, ("ab", 3), [1, 0, 0, 1, 0, 1, 1, 0], [2, 2], "patterns of the other parity", "gaps")
        yield _case(kind, ("ab", 3), [1, 0, 0, 2, 0, 1, 2, 0], [3, 3], "gaps with larger counts", "gaps")
        yield _case(kind, ("ab", 4), [1, 0, 0, 1] + [0] * 10 + [1, 1], [2, 2], "four judges")
        yield _case(kind, ("abc", 1), [2, 1, 1], [1, 2, 1], "three labels", "many-labels")
        yield _case(
            kind,
            ("abc", 2),
            [1, 0, 1, 0, 1, 0, 0, 0, 1],
            [2, 1, 1],
            "three labels, two judges",
            "many-labels",
        )
        yield _case(
            kind, ("ab", 1), [472, 528], [400, 600], "one judge of the two-norm test: 250217 in all", "source"
        )
    source = [269, 88, 88, 60, 81, 74, 64, 276]
    yield _case(
        "group", ("ab", 3), source, [400, 600], "a thousand questions: 14445808519252500 in all", "large"
    )
    yield _case(
        "group",
        ("ab", 3),
        [181, 90, 86, 115, 86, 109, 100, 233],
        [400, 600],
        "the two-norm test",
        "source",
        "large",
    )
    yield _case(
        "group", ("ab", 2), [371, 200, 201, 228], [500, 500], "two judges, a thousand questions", "large"
    )
    yield _case(
        "individual",
        ("ab", 2),
        [371, 200, 201, 228],
        [500, 500],
        "two judges, counted in closed form",
        "large",
    )
    yield _case(
        "group", ("ab", 2), [371, 200, 201, 228], [0, 1000], "all questions are b: one evaluation", "large"
    )
    for broken, comment in (
        ({"key_counts": [3, 2]}, "the key counts make another number of questions"),
        ({"key_counts": [5, -1]}, "a negative key count"),
        ({"counts": [1, 1, 1, -1], "key_counts": [1, 1]}, "a negative count"),
        ({"counts": [1, 1, 1], "key_counts": [1, 2]}, "a count is missing"),
    ):
        document = {**votes_input([1, 1, 1, 1], judges=2), "evaluations": "group", **broken}
        yield Case(document, comment, ("refused",))


def random_case(draws: Draws, index: int) -> Case:
    """Return votes with a number of questions growing with the index, for groups and individuals in turn."""
    kind, sizes = (("group", _LARGEST_GROUP), ("individual", _LARGEST_INDIVIDUAL))[index % 2]
    labels, judges = draws.pick(sorted(sizes))
    largest = sizes[labels, judges]
    size = max(1, min(largest, 1 + largest * index // 120))
    key = draws.counts(size, labels)
    counts = draws.counts(size, labels**judges)
    return _case(kind, ("abcd"[:labels], judges), counts, key, f"{size} questions")


def _case(
    kind: str, shape: tuple[str, int], counts: Sequence[int], key: list[int], comment: str, *flags: str
) -> Case:
    labels, judges = shape
    document = {**votes_input(counts, labels=labels, judges=judges), "key_counts": key, "evaluations": kind}
    return Case(document, comment, (kind, *flags))


def _is_small(document: Document) -> bool:
    """Tell whether every answer key can be tried."""
    return bool(0 < len(document["labels"]) ** sum(document["counts"]) <= _MOST_TRIED)


FAMILY = Family(
    name="consistent-counts",
    version=1,
    title="How many evaluations are consistent with the votes",
    citations=(Citation("ntqr", "eqs. 11 and 12"), Citation("ntqr", "section 3")),
    algorithm=(
        WORDS,
        "key_counts gives how many questions have each true label, in the order of the labels.",
        "Refuse as bad-votes unless there are exactly R^N counts, as bad-number a count that is negative; then as "
        "bad-key-counts key counts of which one is negative or whose sum is not Q. Q = 0 is a valid case.",
        "A group evaluation is consistent with the votes if it splits the c_v questions of each pattern v over the R "
        "true labels: it is a whole number k_v,l ≥ 0 for each v and l, with Σ_l k_v,l = c_v. Its key counts are Q_l = "
        "Σ_v k_v,l. Its individual evaluation is for each true label l, each judge i and each answer g the sum of "
        "k_v,l over the patterns v in which judge i answers g.",
        "If evaluations is group: consistent is the number of consistent group evaluations, the product over the "
        "patterns of C(c_v + R − 1, R − 1); consistent_at is the number of those with the key counts given. For R = 2 "
        "this is the coefficient of x^Q_a in the product over the patterns of (1 + x + … + x^c_v).",
        "If evaluations is individual: the same for the different individual evaluations that consistent group "
        "evaluations have. Go through the patterns and keep the set of all sums that can come about; this is feasible "
        "for most tests here. For one judge individual and group are the same. For R = 2 and two judges, count at each "
        "Q_a the whole (s_1, s_2), the right answers on a, with max(0, Q_a − R_bi) ≤ s_i ≤ min(Q_a, R_ai), "
        "Q_a − c_bb ≤ s_1 + s_2 ≤ Q_a + c_aa and −c_ba ≤ s_1 − s_2 ≤ c_ab, where R_ai and R_bi are the numbers of "
        "answers a and b of judge i.",
        "Both results are whole numbers, written as texts.",
    ),
    input=record(
        {
            **PARTS,
            "key_counts": described(list_of({"type": "integer"}), "how many questions have each true label"),
            "evaluations": one_of("group", "individual"),
        }
    ),
    expected=record(consistent=WHOLE, consistent_at=WHOLE),
    flags={
        "group": "group evaluations are counted",
        "individual": "individual evaluations are counted",
        "empty": "a test without questions",
        "gaps": "only patterns of one parity were seen: not every whole point between consistent ones is consistent",
        "many-labels": "more than two labels",
        "source": "votes of a test in the source",
        "large": "many questions, or results that doubles do not hold",
        "refused": "the input is refused",
    },
    errors={
        "bad-votes": "the number of counts is not R^N",
        "bad-number": "a count is negative",
        "bad-key-counts": "a key count is negative, or their sum is not the number of questions",
    },
    edge_cases=edge_cases,
    random_case=random_case,
    compute=compute,
    steps=steps,
    shared=SHARED,
    witnesses={"brute-force": _is_small},
)
