"""The family `pair-correlation-interval`: which error correlations of two judges go with given right answers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ntqr_exact.citation import Citation
from ntqr_exact.evaluation import Rate, Undefined
from ntqr_exact.varieties.consistent import ConsistentSet
from ntqr_exact.varieties.correlations import PairPoint
from ntqr_exact.vectors.draws import Draws
from ntqr_exact.vectors.families.consistent_membership import (
    EVALUATION_ERRORS,
    EVALUATION_PARTS,
    EVALUATION_REFUSALS,
    EVALUATION_WORDS,
    KEY_RULE,
    evaluation_from,
    evaluation_input,
    graded_counts,
)
from ntqr_exact.vectors.family import Case, Document, Family
from ntqr_exact.vectors.fragments import (
    COUNT,
    NULL,
    RATIONAL,
    TRUTH,
    described,
    either,
    list_of,
    one_of,
    record,
)
from ntqr_exact.vectors.votes_input import SHARED, WORDS, votes_from

_NONE = "no-questions"
_CORRELATION = either(RATIONAL, one_of(_NONE))
_POINT = either(
    NULL,
    record(both_right=list_of(COUNT, exactly=2), correlations=list_of(_CORRELATION, exactly=2)),
)
_RANGE = either(one_of(_NONE), list_of(RATIONAL, exactly=2))


def compute(document: Document) -> dict[str, Any]:
    """Return both ends of the interval, how many points it has, and the ranges at these key counts alone."""
    votes, evaluation = votes_from(document), evaluation_from(document)
    first, second = (judge - 1 for judge in document["pair"])
    consistent = ConsistentSet(votes)
    points = consistent.pair_correlations(evaluation, first, second)
    ranges: dict[str, Any] = {}
    for label, questions in evaluation.key_counts.items():
        if questions:
            found = consistent.correlation_range(label, first, second, at=evaluation.key_counts)
            ranges[label] = [found.minimum, found.maximum]
        else:
            ranges[label] = _NONE
    return {
        "consistent": bool(points),
        "points": len(points),
        "lowest": _told(points[0]) if points else None,
        "highest": _told(points[-1]) if points else None,
        "range_a": ranges["a"],
        "range_b": ranges["b"],
    }


def _told(point: PairPoint) -> dict[str, Any]:
    return {
        "both_right": list(point.both_right),
        "correlations": [_rate(value) for value in point.correlations],
    }


def _rate(value: Rate) -> Any:
    return _NONE if isinstance(value, Undefined) else value


def steps(document: Document) -> Iterator[str]:
    """Tell the points of the interval, the first ones and the last, and the ranges."""
    found = compute(document)
    evaluation = evaluation_from(document)
    first, second = document["pair"]
    right = evaluation.correct
    yield f"judges {first} and {second}, key counts {document['key_counts']}, right {document['right']}"
    if not found["consistent"]:
        yield "no answer key gives all judges these right answers: no correlation is consistent"
    for name in ("lowest", "highest"):
        if found[name]:
            e, rest = found[name]["both_right"]
            gamma_a, gamma_b = found[name]["correlations"]
            yield f"{name}: both right on {e} questions of a and on {rest} of b"
            for label, both, gamma in (("a", e, gamma_a), ("b", rest, gamma_b)):
                size = evaluation.key_counts[label]
                one, other = right[first - 1][label], right[second - 1][label]
                yield (
                    f"  Γ^{label} = ({size}·{both} − {one}·{other})/{size}² = {gamma}"
                    if size
                    else f"  Γ^{label}: {gamma}"
                )
    yield f"{found['points']} points in all"
    for label in "ab":
        value = found[f"range_{label}"]
        told = value if value == _NONE else f"from {value[0]} to {value[1]}"
        yield f"whatever the right answers are, Γ^{label} at these key counts: {told}"


def edge_cases() -> Iterator[Case]:
    """Yield intervals of one and more points, third judges who shorten them, empty labels, and refusals."""
    every = [1, 1, 1, 1]
    yield _case(
        evaluation_input(every, 2, [1, 1]), "Γ^a and Γ^b are ±1/4, and their signs are not determined"
    )
    misfit = {**evaluation_input(every, 2, [1, 1]), "right": [[1, 2], [1, 1]]}
    yield _case(misfit, "not consistent: the first judge's right answers on b do not fit its votes")
    yield _case(evaluation_input(every, 2, [2, 1]), "a judge without an error on a: no correlation there")
    yield _case(evaluation_input(every, 2, [0, 0]), "not consistent: only one question got bb")
    yield _case(evaluation_input(every, 4, [2, 2]), "all questions are a")
    yield _case(evaluation_input(every, 0, [0, 0]), "all questions are b")
    yield _case(evaluation_input([2, 0, 0, 2], 2, [2, 2]), "two copies of one judge: one point")
    yield _case(evaluation_input([2, 0, 0, 2], 2, [1, 1]), "two copies of one judge, half right")
    yield _case(evaluation_input([2, 0, 0, 2], 2, [1, 2]), "two copies of one judge cannot differ")
    yield _case(evaluation_input([0, 2, 2, 0], 2, [1, 1]), "two judges who never agree")
    yield _case(evaluation_input([5, 5, 5, 5], 10, [5, 5]), "six points, from −1/4 to 1/4")
    yield _case(evaluation_input([5, 2, 3, 6], 7, [4, 4]), "all counts different")
    yield _case(
        evaluation_input([5, 2, 3, 6], 7, [4, 4]), "the same, judges named in the other order", pair=(2, 1)
    )
    yield _case(evaluation_input([5, 2, 3, 6], 8, [5, 4]), "different right answers")
    yield _case(
        evaluation_input([5, 2, 3, 6], 8, [5, 4]), "different right answers, judges exchanged", pair=(2, 1)
    )
    yield _case(evaluation_input([1, 0, 0, 0], 1, [1, 1]), "one question")
    yield _case(evaluation_input([3, 0, 0, 1], 4, [3, 3]), "rates on b are not there")
    odd, even = [0, 1, 1, 0, 1, 0, 0, 1], [1, 0, 0, 1, 0, 1, 1, 0]
    yield _case(
        evaluation_input(odd, 2, [1, 1, 1]), "a trio with a gap: not consistent, though the pair alone is"
    )
    yield _case(evaluation_input(odd, 2, [1, 1, 2]), "a trio with a gap: one point of two")
    yield _case(evaluation_input(odd, 2, [1, 1, 0]), "a trio with a gap: the other point")
    yield _case(evaluation_input(even, 2, [1, 1, 0]), "the other parity")
    for pair in ((1, 2), (1, 3), (2, 3), (3, 1)):
        document = evaluation_input([3, 2, 2, 1, 2, 1, 1, 3], 7, [4, 5, 4])
        yield _case(document, f"each pair of three judges: {pair[0]} and {pair[1]}", pair=pair)
    yield _case(
        evaluation_input([2, 0, 2, 0, 2, 0, 2, 0], 4, [2, 2, 4]), "a third judge who always answers a"
    )
    yield _case(evaluation_input([2, 0, 0, 2, 2, 0, 0, 2], 4, [2, 2, 2]), "the third judge copies the second")
    yield _case(evaluation_input([2, 0, 0, 0, 0, 0, 0, 2], 2, [1, 1, 1]), "three copies")
    source = [181, 90, 86, 115, 86, 109, 100, 233]
    yield _case(evaluation_input(source, 400, [295, 276, 295]), "the two-norm votes", "source")
    yield _refused({"key_counts": [2, 3], "right": [[1, 1], [1, 1]]}, "key counts of five questions for four")
    yield _refused({"right": [[3, 1], [1, 1]]}, "right more often than there are questions")
    yield _refused({"right": [[-1, 1], [1, 1]]}, "a negative number of right answers")
    yield _refused({"counts": [1, 1, 1]}, "a count is missing")


def random_case(draws: Draws, index: int) -> Case:
    """Return the right answers of a key, or near them, for two or three judges on more and more questions."""
    judges = 2 + index % 2
    size = 3 + index // (7, 8)[judges - 2] + draws.below(4)
    counts = draws.counts(size, 2**judges)
    of_a = [draws.between(0, count) for count in counts]
    document = graded_counts(counts, of_a, judges)
    order = draws.shuffled(range(1, judges + 1))
    comment = f"the right answers under a key of {size} questions"
    if draws.below(4) == 0:
        (of_first, of_second), (right, other) = document["key_counts"], document["right"][0]
        if right < of_first and other < of_second:
            document["right"][0] = [right + 1, other + 1]
            comment += ", one judge changed"
    return _case(document, comment, pair=(order[0], order[1]))


def _case(document: Document, comment: str, *flags: str, pair: Sequence[int] = (1, 2)) -> Case:
    """Return a case whose flags also tell how many points there are."""
    asked = {**document, "pair": list(pair)}
    found = compute(asked)
    many = {0: "none", 1: "one"}.get(found["points"], "interval")
    words = [many, *(["trio"] if document["judges"] == 3 else [])]
    words += [_NONE] if _NONE in (found["range_a"], found["range_b"]) else []
    return Case(asked, comment, (*flags, *words))


def _refused(parts: Document, comment: str) -> Case:
    document = {**evaluation_input([1, 1, 1, 1], 2, [1, 1]), "pair": [1, 2], **parts}
    return Case(document, comment, ("refused",))


FAMILY = Family(
    name="pair-correlation-interval",
    version=1,
    title="Error correlations of two judges that are consistent with right answers and votes",
    citations=(Citation("ntqr", "eqs. 24 and 25"), Citation("ntqr", "eq. 37")),
    algorithm=(
        WORDS + " Here N is 2 or 3.",
        EVALUATION_WORDS,
        "pair names two of the judges, i and j, counted from 1.",
        EVALUATION_REFUSALS + " Refuse as bad-key-counts key counts whose sum is not Q.",
        "A key says for each pattern v how many of its c_v questions have the true label a, a whole number k_v with "
        "0 ≤ k_v ≤ c_v. It goes with the evaluation if Q_a = Σ k_v and all judges have the right answers s_i, t_i "
        "under it. So s_i + Q_b − t_i must be the number of answers a of judge i, for each i.",
        KEY_RULE,
        "For such a key let e_a and e_b be the numbers of questions of a and of b on which the judges i and j are "
        "both right. Then Γ^a = (Q_a·e_a − s_i·s_j)/Q_a² and Γ^b = (Q_b·e_b − t_i·t_j)/Q_b²; where Q_a or Q_b is 0, "
        "the word no-questions stands for it. e_b = N_bb − (Q_a − s_i − s_j + e_a), with N_bb the number of "
        "questions that both answered b.",
        "points: how many different e_a such keys have; they are the whole numbers of an interval. consistent: whether "
        "there is one at all. lowest and highest: both_right, [e_a, e_b], and correlations, [Γ^a, Γ^b], at the least "
        "and at the greatest e_a; null if there is none.",
        "For N = 2, e_a runs from max(0, s_i − N_ab, s_j − N_ba, s_i + s_j − Q_a) to min(N_aa, s_i, s_j, "
        "s_i + s_j − Q_a + N_bb), with N the counts of the answers of i and j in this order. For N = 3 the third judge "
        "h may shorten this interval: only the e that fulfil its condition above are left.",
        "range_a and range_b: for each label l the least and the greatest Γ^l over all keys with Q_a questions of a, "
        "whatever the right answers are; the word no-questions if Q_l = 0. With n_11, n_10, n_01, n_00 the numbers of "
        "questions of label l on which both, only i, only j and none are right, each at most the number of questions "
        "with such answers and Q_l in sum, Γ^l = (n_11·n_00 − n_10·n_01)/Q_l².",
    ),
    input=record(
        {**EVALUATION_PARTS, "pair": described(list_of(COUNT, exactly=2), "two judges, counted from 1")}
    ),
    expected=record(
        consistent=TRUTH, points=COUNT, lowest=_POINT, highest=_POINT, range_a=_RANGE, range_b=_RANGE
    ),
    flags={
        "none": "no correlation is consistent, since the right answers are not",
        "one": "the correlations are determined",
        "interval": "several correlations are consistent with the same votes and right answers",
        "trio": "there is a third judge",
        _NONE: "a label without questions",
        "source": "votes of a test in the source",
        "refused": "the input is refused",
    },
    errors={**EVALUATION_ERRORS, "bad-key-counts": "the key counts do not add up to the number of questions"},
    edge_cases=edge_cases,
    random_case=random_case,
    compute=compute,
    steps=steps,
    shared=SHARED,
    witnesses={"brute-force": lambda document: 0 < sum(document["counts"]) <= 9},
)
