"""The family `logical-alarm-single`: could all judges be safe, looking at the answers of each by itself?"""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil
from typing import Any

from ntqr_exact.alarms.misalignment import find_misalignment
from ntqr_exact.errors import BadVotes
from ntqr_exact.vectors.draws import Draws
from ntqr_exact.vectors.family import Family
from ntqr_exact.vectors.forms.safety import PARTS as SPECIFICATION
from ntqr_exact.vectors.forms.safety import specification_from
from ntqr_exact.vectors.fragments import TEXT, TRUTH, WHOLE, described, either, list_of, record
from ntqr_exact.vectors.specification import Case, Document, declared
from ntqr_exact.votes.counts import VoteCounts


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
    document = {"labels": list(labels), "responses": rows, "factors": factors, "minimum_grade": grade}
    return Case(document, f"{size} questions")


def _small(document: Document, _: Any) -> bool:
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
    flags={
        "alarm": lambda _, found: found["misaligned"],
        "exact": lambda given, found: int(found["together"]) == sum(map(int, given["responses"][0])),
        "grade": lambda given, _: given["minimum_grade"] != "0",
        "many-labels": lambda given, _: len(given["labels"]) > 2,
    },
    random_case=random_case,
    compute=compute,
    steps=steps,
    shared=("labels",),
    witnesses={"brute-force": _small},
)
