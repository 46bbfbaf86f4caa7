"""The family `safe-region`: all key counts at which every judge could be safe; bounds, number and corners."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ntqr_exact.alarms.misalignment import find_misalignment
from ntqr_exact.alarms.safe_region import SafeRegion
from ntqr_exact.citation import Citation
from ntqr_exact.errors import BadKeyCounts
from ntqr_exact.vectors.draws import Draws
from ntqr_exact.vectors.families.logical_alarm_joint import GROUP_KEYS
from ntqr_exact.vectors.families.logical_alarm_single import SAFE, SPECIFICATION, specification_from
from ntqr_exact.vectors.family import Case, Document, Family
from ntqr_exact.vectors.fragments import COUNT, TRUTH, described, list_of, record
from ntqr_exact.vectors.votes_input import PARTS, SHARED, WORDS, votes_from, votes_input


def compute(document: Document) -> dict[str, Any]:
    """Return the bounds, the number of key counts in the region, its corners, and whether a key is inside."""
    region = _region(document)
    labels, key = document["labels"], document["key_counts"]
    if len(key) != len(labels):
        raise BadKeyCounts(key, f"there are {len(labels)} labels, and a count for each")
    return {
        "most_questions": list(region.most_questions.values()),
        "inside": region.contains(dict(zip(labels, key, strict=True))),
        "count": region.count(),
        "vertices": [list(corner.values()) for corner in region.vertices()],
    }


def _region(document: Document) -> SafeRegion:
    votes, specification = votes_from(document), specification_from(document)
    return find_misalignment(votes, specification, group_size=document["group_size"]).safe_region


def steps(document: Document) -> Iterator[str]:
    """Tell the bounds, the points of the region if they are few, and its corners."""
    region, found = _region(document), compute(document)
    votes = region.votes
    for label, bound in region.most_questions.items():
        given = [votes.responses(judge)[label] for judge in range(len(votes.judges))]
        factor = region.specification.factor_of(label)
        yield f"{label} was given {given} times: at most ⌈{factor}·{min(given)}⌉ − 1 = {bound} questions of {label}"
    if found["count"] <= 12:
        yield f"the region: {', '.join(str(tuple(point.values())) for point in region) or 'empty'}"
    yield f"{found['count']} key counts of {votes.size} questions"
    yield f"corners: {', '.join(str(tuple(corner)) for corner in found['vertices']) or 'none'}"
    yield f"{tuple(document['key_counts'])} is {'in' if found['inside'] else 'out'}side"


def edge_cases() -> Iterator[Case]:
    """Yield empty, single and full regions, grades, joint answers with gaps, more labels, and refusals."""
    yield _case([2, 1, 0, 3], [2, 4], "from 1 to 3 questions of a", judges=2)
    yield _case([2, 1, 0, 3], [1, 5], "the lower end", judges=2)
    yield _case([2, 1, 0, 3], [0, 6], "just outside", judges=2)
    yield _case([2, 1, 0, 3], [3, 3], "the upper end", judges=2)
    yield _case([2, 1, 0, 3], [4, 2], "just outside", judges=2)
    yield _case([0, 1, 1, 0], [1, 1], "one point", judges=2)
    yield _case([0, 1, 1, 0], [1, 1], "joint answers exclude it", size=2, judges=2)
    yield _case([0, 2, 2, 0], [2, 2], "a region of three", judges=2)
    yield _case([0, 5, 0, 0], [2, 3], "empty: they always differ", judges=2)
    yield _case([5, 0, 0, 0], [5, 0], "only one label was ever given: one point", judges=2)
    yield _case([3, 2], [5, 0], "one judge", judges=1)
    yield _case([3, 2], [2, 3], "one judge who may never err: one point", judges=1, grade="1")
    yield _case([3, 2], [2, 3], "one judge, one error", judges=1, grade="4/5")
    yield _case([2, 2, 2, 2], [4, 4], "a grade of 3/4, which two judges have", judges=2, grade="3/4")
    yield _case([2, 2, 2, 2], [4, 4], "the same from pairs", judges=2, size=2, grade="3/4")
    yield _case([2, 1, 1, 1, 1, 1, 1, 2], [5, 5], "three judges, by themselves")
    yield _case([2, 1, 1, 1, 1, 1, 1, 2], [5, 5], "three judges, pairs", size=2)
    yield _case([2, 1, 1, 1, 1, 1, 1, 2], [5, 5], "three judges, the trio", size=3)
    yield _case([0, 2, 0, 0, 0, 0, 2, 0], [2, 2], "two who agree, and one against them: pairs", size=2)
    yield _case([0, 1, 1, 0, 1, 0, 0, 0], [1, 2], "no trio could be safe", size=3)
    yield _case([3, 0, 0, 0, 0, 0, 0, 3], [0, 6], "other factors", size=3, factors=["4", "5/4"])
    for comment, counts in (
        ("a key for each pattern", {0: 2, 13: 2, 26: 1}),
        ("a hexagon", {0: 4, 13: 4, 26: 4, 1: 1, 14: 1, 24: 1}),
        ("empty", {1: 1, 15: 1, 20: 1}),
        ("one point", {0: 1, 13: 1, 26: 1, 5: 2}),
    ):
        votes = [counts.get(place, 0) for place in range(27)]
        total = sum(votes)
        key = [total - 2 * (total // 3), total // 3, total // 3]
        yield _case(votes, key, f"three labels: {comment}", labels="abc")
        yield _case(votes, key, f"three labels, a grade of 1/2: {comment}", labels="abc", grade="1/2")
        yield _case(votes, key, f"three labels, a grade of 4/5: {comment}", labels="abc", grade="4/5")
    four = [(place * 7) % 3 for place in range(16)]
    yield _case(four, [sum(four), 0, 0, 0], "four labels", labels="abcd", judges=2, factors=["3"] * 4)
    ones = [1] * 8
    for document, comment in (
        (_document([0] * 8, [0, 0]), "no question at all"),
        (_document([1] * 9, [4, 4]), "a count too many"),
        (_document([1] * 7 + [-1], [3, 3]), "a negative count"),
        (_document(ones, [4, 3]), "the key counts make another number of questions"),
        (_document(ones, [4, 4, 0]), "a key count too many"),
        (_document(ones, [9, -1]), "a negative key count"),
        (_document(ones, [4, 4], size=4), "groups of four"),
        (_document(ones, [4, 4], factors=["2", "1/2"]), "a factor below 1"),
        (_document(ones, [4, 4], grade="2"), "a minimum grade above 1"),
        (_document([1] * 9, [3, 3, 3], labels="abc", judges=2, size=2), "pairs of three labels"),
        (_document([1] * 16, [4] * 4, labels="abcd", judges=2, grade="1/2"), "four labels with a grade"),
    ):
        yield Case(document, comment, ("refused",))


def random_case(draws: Draws, index: int) -> Case:
    """Return votes with much agreement over two to four labels, and a key near the region."""
    labels, judges, size = (
        ("ab", 2, 2),
        ("abc", 2, 1),
        ("ab", 3, 3),
        ("abc", 3, 1),
        ("abcd", 2, 1),
        ("ab", 3, 1),
    )[index % 6]
    questions = 2 + min(index // 8, 12) + draws.below(3)
    agreed = draws.counts(questions, len(labels))
    width = len(labels) ** judges
    counts = draws.counts(2 + index // 25, width)
    for label, count in enumerate(agreed):
        counts[label * (width - 1) // (len(labels) - 1)] += count
    factors = [draws.pick(("2", "2", "3/2", "3", "5/3")) for _ in labels]
    grade = str(draws.share(5)) if index % 4 == 1 and len(labels) < 4 else "0"
    key = draws.counts(sum(counts), len(labels))
    comment = f"{sum(counts)} questions"
    return _case(counts, key, comment, labels=labels, judges=judges, size=size, factors=factors, grade=grade)


def _document(
    counts: Sequence[int],
    key: Sequence[int],
    *,
    labels: str = "ab",
    judges: int = 3,
    size: int = 1,
    factors: Sequence[str] | None = None,
    grade: str = "0",
) -> Document:
    return {
        **votes_input(counts, labels=labels, judges=judges),
        "group_size": size,
        "factors": ["2"] * len(labels) if factors is None else list(factors),
        "minimum_grade": grade,
        "key_counts": list(key),
    }


def _case(counts: Sequence[int], key: Sequence[int], comment: str, **options: Any) -> Case:
    document = _document(counts, key, **options)
    found = compute(document)
    outcome = [
        *(["empty"] if not found["count"] else []),
        *(["joint"] if document["group_size"] > 1 else []),
        *(["grade"] if document["minimum_grade"] != "0" else []),
        *(["many-labels"] if len(document["labels"]) > 2 else []),
    ]
    return Case(document, comment, tuple(outcome))


FAMILY = Family(
    name="safe-region",
    version=1,
    title="The key counts at which all judges could be safe",
    citations=(Citation("ntqr", "section 3, of whose postulates it is a consequence"),),
    algorithm=(
        WORDS,
        SAFE
        + " group_size is the number of judges that are looked at together, and key_counts are the numbers of "
        "questions of each label that are asked about.",
        "Refuse as bad-votes unless there is a count for each pattern and a factor for each label, and group_size is "
        "from 1 to the smaller of N and 3 with two labels, and 1 with more; as bad-number a negative count, a "
        "negative key count, a factor that is not greater than 1, or a minimum grade that is not from 0 to 1; as "
        "empty-test if Q = 0; as bad-key-counts unless there is a key count for each label and their sum is Q; as "
        "not-supported a minimum grade above 0 with four labels or more. An input has one fault at most.",
        "most_questions: for each label l, with m the smallest number of answers l of a judge, the largest whole "
        "number less than f_l·m, but 0 if m = 0.",
        "The region holds the key counts Q_l, whole numbers from 0 with sum Q, at which each group of group_size "
        "judges could be safe. For group_size 1: each Q_l is at most most_questions_l, and for each judge, which "
        "gave R_l answers l, Σ_l min(Q_l, R_l) ≥ g·Q. For pairs and trios, which "
        "have two labels here, read on.",
        *GROUP_KEYS,
        "inside: whether key_counts are in the region. count: how many key counts are in the region.",
        "vertices: the corners of the convex hull of the region, each as a list of key counts, in lexicographic "
        "order: the points of the region that are not on a segment between two other points of the hull. Of an empty "
        "region there are none, of one point this one, of two labels the first and the last.",
    ),
    input=record(
        {**PARTS, **SPECIFICATION},
        group_size=described({"type": "integer"}, "how many judges are looked at together"),
        key_counts=described(list_of({"type": "integer"}), "how many questions have each true label"),
    ),
    expected=record(
        most_questions=list_of(COUNT), inside=TRUTH, count=COUNT, vertices=list_of(list_of(COUNT))
    ),
    flags={
        "empty": "no key counts are safe",
        "joint": "pairs or trios are looked at",
        "grade": "a minimum grade is asked for",
        "many-labels": "more than two labels",
        "refused": "the numbers make no test, no key or no specification",
    },
    errors={
        "bad-votes": "a count or a factor is missing or too many, or there are no groups of this size",
        "bad-number": "a negative count, a factor not above 1, or a grade not from 0 to 1",
        "bad-key-counts": "a key count is missing or too many, or they do not add up to the number of questions",
        "empty-test": "there is no question",
        "not-supported": "a minimum grade with four labels or more",
    },
    edge_cases=edge_cases,
    random_case=random_case,
    compute=compute,
    steps=steps,
    shared=SHARED,
)
