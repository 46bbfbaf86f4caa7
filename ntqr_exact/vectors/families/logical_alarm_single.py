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


def edge_cases() -> Iterator[Case]:
    """Yield ends of inequalities, factors and grades of all kinds, many judges and labels, and refusals."""
    yield _case([[1, 1], [1, 1]], "a label each: no alarm from single answers")
    yield _case([[2, 0], [0, 2]], "never the same answer")
    yield _case([[2, 0], [2, 0]], "always the same answer, on one label")
    yield _case([[5, 0], [0, 5]], "nobody could be safe on anything", "zero")
    yield _case([[3, 7], [4, 6]], "2·3 − 1 and 2·6 − 1 questions are enough")
    yield _case([[1, 9], [9, 1]], "1 and 1 question, of ten")
    yield _case([[4, 6], [8, 2]], "7 and 3 questions are just ten")
    yield _case([[4, 7], [9, 2]], "7 and 3 questions, of eleven")
    yield _case([[4, 6], [8, 2]], "⌈3/2·4⌉ − 1 = 5 and 2", factors=["3/2", "3/2"])
    yield _case(
        [[4, 6], [7, 3]], "a factor with f·R whole and one with f·R not whole", factors=["3/2", "5/3"]
    )
    yield _case([[4, 6], [8, 2]], "a factor of 100 asks for nearly nothing", factors=["100", "2"])
    yield _case([[4, 6], [8, 2]], "a factor near 1 asks for nearly all", factors=["101/100", "101/100"])
    yield _case(
        [[4, 6]], "one judge with a factor near 1 could always be right", factors=["101/100", "101/100"]
    )
    yield _case([[4, 6]], "one judge with a minimum grade of 1", grade="1")
    yield _case([[4, 6], [4, 6]], "two alike with a minimum grade of 1", grade="1")
    yield _case([[4, 6], [5, 5]], "not both can be always right", grade="1")
    yield _case([[4, 6], [5, 5]], "one error each is allowed: one of them has it", grade="9/10")
    yield _case(
        [[2, 8], [8, 2]], "six answers differ: three errors for each", factors=["9", "9"], grade="7/10"
    )
    yield _case([[2, 8], [8, 2]], "the same, a little more", factors=["9", "9"], grade="71/100")
    yield _case([[0, 0, 4], [4, 0, 0]], "three labels, one never given", labels="abc")
    yield _case([[1, 2, 2], [2, 2, 1], [2, 1, 2]], "three labels, each judge in its way", labels="abc")
    yield _case([[1, 1, 1], [2, 1, 0]], "three labels", labels="abc", factors=["2", "3", "5"])
    yield _case(
        [[1, 1, 1], [2, 1, 0]], "three labels, a grade", labels="abc", factors=["2", "3", "5"], grade="2/3"
    )
    yield _case(
        [[2, 2, 0], [0, 2, 2]], "three labels, half right", labels="abc", factors=["5", "5", "5"], grade="1/2"
    )
    yield _case([[1, 0, 2, 1], [0, 2, 1, 1], [1, 1, 1, 1]], "four labels", labels="abcd", factors=["3"] * 4)
    yield _case([[5 + judge % 3, 7 - judge % 3] for judge in range(8)], "eight judges")
    big = 10**18
    yield _case([[big, big + 1], [big + 1, big]], "2·10^18 − 1 twice, numbers beyond doubles", "large")
    yield _case([[big, 3 * big], [3 * big + 1, big - 1]], "just too few", "large", factors=["5/2", "3/2"])
    yield _case(
        [[big, big], [big, big]],
        "f·R is not whole",
        "large",
        factors=["1000000000000000003/1000000000000000001"] * 2,
    )
    for responses, factors, grade, comment in (
        ([[0, 0], [0, 0]], ["2", "2"], "0", "no question at all"),
        ([[2, 1], [2, 2]], ["2", "2"], "0", "judges who answered different numbers of questions"),
        ([[2, 1, 0], [2, 1, 0]], ["2", "2"], "0", "more numbers than labels"),
        ([[3, -1], [1, 1]], ["2", "2"], "0", "a negative number of answers"),
        ([[1, 1]], ["1", "2"], "0", "a factor of 1"),
        ([[1, 1]], ["2", "-2"], "0", "a negative factor"),
        ([[1, 1]], ["2"], "0", "a factor is missing"),
        ([[1, 1]], ["2", "2"], "11/10", "a minimum grade above 1"),
        ([[1, 1]], ["2", "2"], "-1/10", "a negative minimum grade"),
    ):
        yield Case(_document(responses, "ab", factors, grade), comment, ("refused",))


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
    name="logical-alarm-single",
    version=1,
    title="Logical alarms from the answers of each judge by itself",
    citations=(Citation("ntqr", "section 3, of whose postulates it is a consequence"),),
    algorithm=(
        "The input gives R labels and, for each judge, how often it gave each label (responses, in the order of the "
        "labels; a number beyond 2^53 is a text). " + SAFE,
        "Refuse as bad-votes unless every judge has a number for each label, all judges have the same sum Q, and "
        "there is a factor for each label; as bad-number a negative number of answers, a factor that is not greater "
        "than 1, or a minimum grade that is not from 0 to 1; as empty-test if Q = 0. An input has one fault at most.",
        "most_questions: for each label l the largest number of questions of l on which every judge could be safe: "
        "with m the smallest number of answers l of a judge, the largest whole number less than f_l·m, which is "
        "⌈f_l·m⌉ − 1; but 0 if m = 0. together: their sum. All are whole numbers written as texts.",
        "misaligned: whether there are no key counts Q_l (whole numbers from 0 with sum Q) at which every judge, by "
        "itself, could be safe. At key counts Q_l a judge with responses R_l is right at most min(Q_l, R_l) times on "
        "each label l, and can be so on all labels at once. So with g = 0 misaligned says that together is less than "
        "Q; otherwise it says that no key counts with Q_l ≤ most_questions_l have Σ_l min(Q_l, R_l) ≥ g·Q for every "
        "judge.",
    ),
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
        "alarm": "whatever the answer key, some judge is not safe",
        "exact": "the bounds add up to just the number of questions",
        "zero": "no judge could be safe on any question of a label",
        "grade": "a minimum grade is asked for",
        "many-labels": "more than two labels",
        "large": "numbers that doubles do not hold",
        "refused": "the numbers make no test or no specification",
    },
    errors={
        "bad-votes": "numbers of answers or factors are missing, or judges answered different numbers of questions",
        "bad-number": "a negative number of answers, a factor not above 1, or a grade not from 0 to 1",
        "empty-test": "there is no question",
    },
    edge_cases=edge_cases,
    random_case=random_case,
    compute=compute,
    steps=steps,
    shared=("labels",),
    witnesses={"brute-force": _small},
)
