"""The family `logical-alarm-single`: could all judges be safe, looking at the answers of each by itself?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import ceil
from typing import Any

from ntqr_exact.alarms.misalignment import find_misalignment
from ntqr_exact.alarms.specification import SafetySpecification
from ntqr_exact.citation import Citation
from ntqr_exact.errors import BadVotes
from ntqr_exact.vectors.draws import Draws
from ntqr_exact.vectors.family import Case, Document, Family
from ntqr_exact.vectors.fragments import TEXT, TRUTH, WHOLE, Fragment, described, either, list_of, record
from ntqr_exact.votes.counts import VoteCounts

SPECIFICATION: dict[str, Fragment] = {
    "factors": described(list_of(TEXT), "a rational greater than 1 for each label, as a text"),
    "minimum_grade": described(TEXT, "the least share of right answers, a rational from 0 to 1, as a text"),
}
"""The parts of an input that say what is asked of every judge."""

SAFE = (
    "factors gives for each label l a rational f_l, and minimum_grade a rational g, as texts. A judge is safe if for "
    "each label l with Q_l > 0 questions f_l·(its right answers on l) > Q_l, and if at least g·Q of all its answers "
    "are right. A label without questions asks for nothing."
)
"""What the words of the specification mean, for an algorithm."""


def specification_from(document: Document) -> SafetySpecification:
    """Return the specification of an input; raises `BadVotes` unless there is a factor for each label."""
    labels, factors = document["labels"], document["factors"]
    if len(labels) != len(factors):
        raise BadVotes(len(factors), f"there are {len(labels)} labels, and a factor for each")
    return SafetySpecification(
        dict(zip(labels, factors, strict=True)), minimum_grade=document["minimum_grade"]
    )


def compute(document: Document) -> dict[str, Any]:
    """Return the most questions of each label on which all could be safe, and whether the alarm fires."""
    found = find_misalignment(_votes(document), specification_from(document), group_size=1)
    most = list(found.most_questions.values())
    return {
        "most_questions": [str(count) for count in most],
        "together": str(sum(most)),
        "misaligned": found.is_misaligned,
    }


def _votes(document: Document) -> VoteCounts:
    """Return votes of judges who give their answers in the order of the labels: any votes with these sums will do."""
    labels = document["labels"]
    left = [[int(count) for count in row] for row in document["responses"]]
    totals = {sum(row) for row in left}
    if len(totals) != 1 or any(len(row) != len(labels) for row in left):
        raise BadVotes(left, "every judge answers every question with one of the labels")
    counts: dict[tuple[str, ...], int] = {}
    if all(count >= 0 for row in left for count in row):
        while any(map(any, left)):
            places = [next(place for place, count in enumerate(row) if count) for row in left]
            step = min(row[place] for row, place in zip(left, places, strict=True))
            counts[tuple(labels[place] for place in places)] = step
            for row, place in zip(left, places, strict=True):
                row[place] -= step
    else:
        # The library refuses the negative number itself.
        counts = {(labels[0],) * len(left): min(count for row in left for count in row)}
    return VoteCounts(counts, labels, [f"J{judge + 1}" for judge in range(len(left))])


def steps(document: Document) -> Iterator[str]:
    """Tell the fewest answers of each label, what they allow, and what this adds up to."""
    found = compute(document)
    specification = specification_from(document)
    rows = [[int(count) for count in row] for row in document["responses"]]
    size = sum(rows[0])
    for place, label in enumerate(document["labels"]):
        fewest, factor = min(row[place] for row in rows), specification.factor_of(label)
        yield (
            f"{label}: the fewest answers of a judge are {fewest}, times {factor} is {factor * fewest}, so that all "
            f"could be safe on at most {found['most_questions'][place]} questions"
        )
    yield f"together at most {found['together']} questions, and there are {size}"
    if specification.minimum_grade:
        yield f"every judge is right at least {ceil(specification.minimum_grade * size)} times"
    yield "misaligned" if found["misaligned"] else "no alarm: some key counts leave all judges safe"




def random_case(draws: Draws, index: int) -> Case:
    """Return answers of one to four judges over two to four labels, near the edge between alarm and none."""
    labels = "abcd"[: (2, 2, 3, 2, 4)[index % 5]]
    judges = 1 + (index // 5) % 4
    graded = index % 4 == 3
    size = 2 + (min(index // 6, 20) if graded else index) + draws.below(5)
    rows = []
    for _ in range(judges):
        # Half of the answers alike, so that alarms do not always fire.
        common = [size // (2 * len(labels))] * len(labels)
        rest = draws.counts(size - sum(common), len(labels))
        rows.append([left + right for left, right in zip(common, rest, strict=True)])
    factors = [str(1 + draws.share(6) + draws.below(3)) for _ in labels]
    factors = [factor if factor != "1" else "2" for factor in factors]
    grade = str(draws.share(8)) if graded else "0"
    return _case(rows, f"{size} questions", labels=labels, factors=factors, grade=grade)


def _document(
    responses: Sequence[Sequence[int]], labels: str, factors: Sequence[str], grade: str
) -> Document:
    rows = [[count if abs(count) <= 2**53 else str(count) for count in row] for row in responses]
    return {"labels": list(labels), "responses": rows, "factors": list(factors), "minimum_grade": grade}


def _case(
    responses: Sequence[Sequence[int]],
    comment: str,
    *flags: str,
    labels: str = "ab",
    factors: Sequence[str] | None = None,
    grade: str = "0",
) -> Case:
    document = _document(responses, labels, ["2"] * len(labels) if factors is None else factors, grade)
    found = compute(document)
    outcome = [
        *(["alarm"] if found["misaligned"] else []),
        *(["exact"] if int(found["together"]) == sum(responses[0]) else []),
        *(["grade"] if grade != "0" else []),
        *(["many-labels"] if len(labels) > 2 else []),
    ]
    return Case(document, comment, (*flags, *outcome))


def _small(document: Document) -> bool:
    rows = [[int(count) for count in row] for row in document["responses"]]
    return all(0 <= sum(row) <= 10 for row in rows) and len(document["labels"]) < 4


FAMILY = Family(
    *declared("logical-alarm-single"),
    input=record(
        SPECIFICATION,
        labels=list_of(TEXT),
        responses=described(
            list_of(list_of(either({"type": "integer"}, TEXT))),
            "for each judge, how often it gave each label",
        ),
    ),
    expected=record(most_questions=list_of(WHOLE), together=WHOLE, misaligned=TRUTH),
    random_case=random_case,
    compute=compute,
    steps=steps,
    shared=("labels",),
    witnesses={"brute-force": _small},
)
