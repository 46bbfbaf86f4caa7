"""Safety and its alarms: could all judges be safe, under which keys, and how good at best."""

from __future__ import annotations

from itertools import combinations
from typing import Any

from ntqr_exact.alarms.misalignment import SafeRegion, checked_specification, find_misalignment
from ntqr_exact.alarms.misalignment import best_level as find_best_level
from ntqr_exact.alarms.specification import SafetySpecification, most_questions
from ntqr_exact.errors import BadVotes
from ntqr_exact.vectors.family import Document, family
from ntqr_exact.vectors.inputs import Draws, votes_of
from ntqr_exact.votes.counts import VoteCounts

_SHAPES = (("ab", 2), ("abc", 2), ("ab", 3), ("abc", 3), ("ab", 4), ("abcd", 2))
_FACTORS = ("2", "2", "3/2", "3", "5/3", "4")


def _specification(labels: Any, factors: Any, minimum_grade: Any) -> SafetySpecification:
    if len(labels) != len(factors):
        raise BadVotes(len(factors), f"factors must be {len(labels)}, one for each label")
    return SafetySpecification(dict(zip(labels, factors, strict=True)), minimum_grade=minimum_grade)


def _asked(draws: Draws, labels: Any, index: int) -> Document:
    grade = draws.rate(6) if index % 4 == 3 else "0"
    return {"factors": [draws.pick(_FACTORS) for _ in labels], "minimum_grade": grade}


def _responses(draws: Draws, index: int) -> Document:
    labels, size = list("abcd"[: draws.between(2, 4)]), 2 + index
    rows = [
        [size // 2 + more for more in draws.counts(size, len(labels))] for _ in range(draws.between(1, 4))
    ]
    return {"labels": labels, "responses": rows, **_asked(draws, labels, index)}


@family("ntqr: section 3, of whose postulates it is a consequence", draw=_responses)
def logical_alarm_single(labels: Any, responses: Any, factors: Any, minimum_grade: Any) -> Document:
    """Logical alarms from the answers of each judge alone.

    The input gives R labels and, for each judge, how often it gave each label (responses, in the order of the labels;
    a number beyond 2^53 is a text). factors gives for each label l a rational f_l, and minimum_grade a rational g, as
    texts. A judge is safe if for each label l with Q_l > 0 questions f_l·(its right answers on l) > Q_l, and if at
    least g·Q of all its answers are right. A label without questions asks for nothing.

    Refuse as bad-votes unless every judge has a number for each label, all judges have the same sum Q, and there is a
    factor for each label; as bad-number a negative number of answers, a factor that is not greater than 1, or a
    minimum grade that is not from 0 to 1; as empty-test if Q = 0. An input has one fault at most.

    most_questions: for each label l the largest number of questions of l on which every judge could be safe: with m
    the smallest number of answers l of a judge, the largest whole number less than f_l·m, which is ⌈f_l·m⌉ − 1; but 0
    if m = 0. together: their sum. All are whole numbers written as texts.

    misaligned: whether no key counts Q_l exist (whole numbers from 0 with sum Q) at which every judge, alone,
    could be safe. At key counts Q_l a judge with responses R_l is right at most min(Q_l, R_l) times on each label l,
    and can be so on all labels at once. So with g = 0 misaligned says that together is less than Q; otherwise it says
    that no key counts with Q_l ≤ most_questions_l have Σ_l min(Q_l, R_l) ≥ g·Q for every judge.
    """
    left = [[int(count) for count in row] for row in responses]
    if len({sum(row) for row in left}) != 1 or any(len(row) != len(labels) for row in left):
        raise BadVotes(left, "every judge must answer every question with one of the labels")
    votes, specification = _in_order(labels, left), _specification(labels, factors, minimum_grade)
    result = find_misalignment(votes, specification, group_size=1)
    most = list(most_questions(votes, specification).values())
    return {
        "most_questions": [str(count) for count in most],
        "together": str(sum(most)),
        "misaligned": result.is_misaligned,
    }


def _in_order(labels: Any, left: list[list[int]]) -> VoteCounts:
    """Return votes of judges who give their answers in the order of the labels: any votes with these sums will do."""
    least = min(count for row in left for count in row)
    counts = {
        (labels[0],) * len(left): min(least, 0)
    }  # the library refuses what is negative, and no questions
    while least >= 0 and any(map(any, left)):
        places = [next(place for place, count in enumerate(row) if count) for row in left]
        step = min(row[place] for row, place in zip(left, places, strict=True))
        counts[tuple(labels[place] for place in places)] = step
        for row, place in zip(left, places, strict=True):
            row[place] -= step
    return VoteCounts(counts, labels, [f"J{judge + 1}" for judge in range(len(left))])


def _groups(draws: Draws, index: int) -> Document:
    votes = draws.votes(2 + index // 25, _SHAPES, agreed=2 + min(index // 8, 8))
    size = draws.between(2, votes["judges"])
    return {**votes, "group_size": size, **_asked(draws, votes["labels"], index)}


@family("ntqr: section 3, of whose postulates it is a consequence", draw=_groups)
def logical_alarm_joint(
    labels: Any, judges: Any, counts: Any, group_size: Any, factors: Any, minimum_grade: Any
) -> Document:
    """Logical alarms from the joint answers of groups of judges.

    {votes}
    factors gives for each label l a rational f_l, and minimum_grade a rational g, as texts. A judge is safe if for
    each label l with Q_l > 0 questions f_l·(its right answers on l) > Q_l, and if at least g·Q of all its answers are
    right. A label without questions asks for nothing. group_size is the number of judges that are considered together.

    Refuse as bad-votes unless there are a count for each pattern and a factor for each label, and group_size is from 1
    to N; as bad-number a negative count, a factor that is not greater than 1, or a minimum grade that is not from 0 to
    1; as empty-test if Q = 0. An input has one fault at most.

    {key-of-a-group} {safe-key}
    safe_keys: the list, in lexicographic order, of all key counts, each a list of Q_l in the order of the labels, at
    which each group of group_size of the N judges could be safe. The keys of different groups need to have nothing in
    common but the key counts. misaligned: whether this list is empty.
    """
    votes, specification = votes_of(labels, judges, counts), _specification(labels, factors, minimum_grade)
    checked_specification(votes, specification)
    if not 1 <= group_size <= judges:
        raise BadVotes(group_size, f"group_size must be from 1 to {judges}")
    groups = combinations(range(judges), group_size if group_size > 1 else judges + 1)
    regions = [SafeRegion(votes.marginal(group), specification) for group in groups]
    safe = [
        list(point.values())
        for point in SafeRegion(votes, specification, 1)
        if all(region.contains(point) for region in regions)
    ]
    return {"misaligned": not safe, "safe_keys": safe}


def _level(draws: Draws, index: int) -> Document:
    votes = draws.votes(4 + index // 20, _SHAPES[:4], agreed=index // 10)
    return {**votes, "every_label": bool(draws.below(2))}


@family("ntqr: section 6", draw=_level)
def best_level(labels: Any, judges: Any, counts: Any, every_label: Any) -> Document:
    """The largest accuracy that all judges could have on every label.

    {votes}
    Refuse as bad-votes unless each pattern has a count; as bad-number a negative count; as empty-test if Q =
    0; as bad-votes if every_label is true and there are fewer questions than labels. An input has one fault at most.

    An answer key says for each pattern how many of its questions have each true label, whole numbers from 0 whose sum
    is the count of the pattern. Under a key, label l has Q_l questions, and judge j answered l on right_jl of them. If
    every_label is true, only keys with a question of each label count; otherwise a label may have none. The
    level of a key is the least right_jl/Q_l over all judges j and all labels l with Q_l > 0.

    level: the largest level of all keys. factor: 1/level, or the word none if the level is 0: all judges could be
    right on more than one in f of the questions of every label for every f above it, and for none up to it.
    """
    result = find_best_level(votes_of(labels, judges, counts), every_label=every_label)
    return {"level": result.attained, "factor": 1 / result.attained if result.attained else "none"}
