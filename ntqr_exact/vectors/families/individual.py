"""Votes with an evaluation of their judges in whole numbers: is it consistent, what is nearest, which correlations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from math import prod
from typing import Any

from ntqr_exact.evaluation import CountEvaluation, Evaluation, Rate, Undefined
from ntqr_exact.exact.json_text import decode_number
from ntqr_exact.varieties.consistent import ConsistentSet
from ntqr_exact.varieties.correlations import PairPoint
from ntqr_exact.varieties.explanation import KEY_COUNTS, PAIR, SINGLE, TRIO, first_label_point
from ntqr_exact.varieties.trio_decision import TrioDecision
from ntqr_exact.varieties.verdict import Accepted, Verdict
from ntqr_exact.vectors.draws import Draws
from ntqr_exact.vectors.family import Family, named
from ntqr_exact.vectors.forms.votes import pattern_names, votes_from, votes_input
from ntqr_exact.vectors.specification import Case, Document, declared
from ntqr_exact.votes.counts import VoteCounts


def _evaluation_from(document: Document) -> CountEvaluation:
    """Return the individual evaluation of an input."""
    labels = document["labels"]
    return CountEvaluation.from_correct(
        dict(zip(labels, document["key_counts"], strict=True)),
        [dict(zip(labels, right, strict=True)) for right in document["right"]],
    )


def _graded_counts(counts: Sequence[int], of_a: Sequence[int], judges: int) -> Document:
    """Return votes with the evaluation under the key that has this many questions of a in each pattern.

    The postulate of one judge gives the right answers on b: R^b_b = Q_b − R_a + R^a_a.
    """
    document = votes_input(counts, judges=judges)
    votes, key = votes_from(document), list(zip(pattern_names("ab", judges), of_a, strict=True))
    of_b = votes.size - sum(of_a)
    right = []
    for judge in range(judges):
        on_a = sum(count for name, count in key if name[judge] == "a")
        right.append([on_a, of_b - votes.responses(judge)["a"] + on_a])
    return {**document, "key_counts": [sum(of_a), of_b], "right": right}


_LEVELS = {KEY_COUNTS: "key-counts", SINGLE: "single", PAIR: "pair", TRIO: "trio"}
_BROKEN = ("none", "key-counts", "single", "pair", "trio", "whole")
_MOST_TRIED = 4096


def _membership(document: Document) -> dict[str, Any]:
    votes, evaluation = votes_from(document), _evaluation_from(document)
    verdict = ConsistentSet(votes).explain(evaluation)
    return {"consistent": bool(verdict), "broken": _broken(votes, evaluation, verdict)}


def _broken(votes: VoteCounts, evaluation: CountEvaluation, verdict: Verdict) -> str:
    if isinstance(verdict, Accepted):
        return "none"
    level = _LEVELS[verdict.breaches[0].citation]
    if level == "trio":
        key, right = first_label_point(evaluation)
        return "whole" if TrioDecision.of(votes).joint_interval(key, right).holds_a_number else "trio"
    return level


def _membership_steps(document: Document) -> Iterator[str]:
    votes, evaluation = votes_from(document), _evaluation_from(document)
    verdict = ConsistentSet(votes).explain(evaluation)
    q, right = first_label_point(evaluation)
    yield f"Q_a = {q}, Q_b = {evaluation.key_counts[votes.labels[1]]}; s = {', '.join(map(str, right))}"
    if isinstance(verdict, Accepted):
        of_a = verdict.witness.by_label[votes.labels[0]]
        counts = ", ".join(f"{''.join(pattern)} {count}" for pattern, count in of_a.counts.items())
        yield f"consistent: let these questions be the ones of a: {counts or 'none'}"
    else:
        yield f"not consistent: {_broken(votes, evaluation, verdict)}"
        yield from (f"  {breach}" for breach in verdict.breaches)


def _membership_case(draws: Draws, index: int) -> Case:
    """Return the evaluation of a key, as it is, with right answers moved, or for votes with gaps."""
    judges = 1 + index % 3
    width = 2**judges
    size = 3 + index // (1, 2, 6)[judges - 1] + draws.below(4)
    counts = draws.counts(size, width)
    if judges == 3 and draws.below(2):
        parity = draws.below(2)
        names = pattern_names("ab", 3)
        four = iter([count + 1 for count in draws.counts(size, 4)])
        counts = [next(four) if name.count("a") % 2 == parity else 0 for name in names]
    of_a = [draws.between(0, count) for count in counts]
    document = _graded_counts(counts, of_a, judges)
    questions = sum(counts)
    if draws.below(3) == 0:
        return Case(document, f"the evaluation of a key of {questions} questions")
    for place, (right, wrong) in enumerate(document["right"]):
        room = range(
            -min(right, wrong, 3),
            min(document["key_counts"][0] - right, document["key_counts"][1] - wrong, 3) + 1,
        )
        step = draws.pick(room)
        document["right"][place] = [right + step, wrong + step]
    return Case(document, f"near the evaluation of a key of {questions} questions")


def _is_small(document: Document, _: Any) -> bool:
    """Tell whether every answer key can be tried."""
    counts = document["counts"]
    ways = prod(max(count, 0) + 1 for count in counts)
    return bool(ways <= _MOST_TRIED) and len(counts) == 2 ** document["judges"]


_NONE = "no-questions"


def _correlations(document: Document) -> dict[str, Any]:
    votes, evaluation = votes_from(document), _evaluation_from(document)
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


def _correlations_steps(document: Document) -> Iterator[str]:
    found = _correlations(document)
    evaluation = _evaluation_from(document)
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


def _correlations_case(draws: Draws, index: int) -> Case:
    """Return the right answers of a key, or near them, for two or three judges on more and more questions."""
    judges = 2 + index % 2
    size = 3 + index // (7, 8)[judges - 2] + draws.below(4)
    counts = draws.counts(size, 2**judges)
    of_a = [draws.between(0, count) for count in counts]
    document = _graded_counts(counts, of_a, judges)
    order = draws.shuffled(range(1, judges + 1))
    comment = f"the right answers under a key of {size} questions"
    if draws.below(4) == 0:
        (of_first, of_second), (right, other) = document["key_counts"], document["right"][0]
        if right < of_first and other < of_second:
            document["right"][0] = [right + 1, other + 1]
            comment += ", one judge changed"
    return Case({**document, "pair": order[:2]}, comment)


def _nearest(document: Document) -> dict[str, Any]:
    votes, target = votes_from(document), _target(document)
    at = None if "at" not in document else dict(zip(document["labels"], document["at"], strict=True))
    found = ConsistentSet(votes).nearest(target, at=at)
    evaluation = found.evaluation
    return {
        "key_counts": list(evaluation.key_counts.values()),
        "right": [list(right.values()) for right in evaluation.correct],
        "squared_distance": found.squared_distance,
    }


def _target(document: Document) -> CountEvaluation | Evaluation:
    if "right" in document:
        return _evaluation_from(document)
    labels = document["labels"]
    rates = [[*map(_read, row)] for row in (document["prevalence"], *document["accuracies"])]
    prevalence, *accuracies = (dict(zip(labels, row, strict=True)) for row in rates)
    return Evaluation.from_accuracies(prevalence, accuracies)


def _read(rate: Any) -> Any:
    return Undefined.NO_QUESTIONS if rate is None else decode_number(rate)


def _nearest_steps(document: Document) -> Iterator[str]:
    votes, found = votes_from(document), _nearest(document)
    q, rest = _coordinates(document, votes.size)
    yield f"the point: q = {q}" + "".join(
        f"; x_{judge} = {x}, y_{judge} = {y}" for judge, (x, y) in enumerate(rest, start=1)
    )
    if "at" in document:
        yield f"among the evaluations with the key counts {document['at']}"
    best = (found["key_counts"][0], *(right[0] for right in found["right"]))
    yield f"nearest: key counts {found['key_counts']}, right {found['right']}"
    terms = [
        (best[0], q),
        *(
            (s, x)
            for pair, row in zip(found["right"], rest, strict=True)
            for s, x in zip(pair, row, strict=True)
        ),
    ]
    yield f"D = {' + '.join(f'({s} − ({x}))²' for s, x in terms)} = {found['squared_distance']}"
    yield "(Q_a, s_1, …) one step away from it:"
    for place, step in product(range("at" in document, len(best)), (-1, 1)):
        other = tuple(number + step * (place == index) for index, number in enumerate(best))
        yield f"  {other}: {_nearest_told(votes, other, q, rest)}"


def _coordinates(document: Document, size: int) -> tuple[Any, list[list[Any]]]:
    """Return q, and x and y of each judge: the point in numbers of questions."""
    if "right" in document:
        return document["key_counts"][0], document["right"]
    prevalence = [decode_number(rate) for rate in document["prevalence"]]
    rows = [
        [
            0 if rate is None else size * share * decode_number(rate)
            for share, rate in zip(prevalence, row, strict=True)
        ]
        for row in document["accuracies"]
    ]
    return size * prevalence[0], rows


def _nearest_told(votes: VoteCounts, point: tuple[int, ...], q: Any, rest: list[list[Any]]) -> str:
    """Return whether there is such a candidate, and its distance."""
    (a, b), (key, *right) = votes.labels, point
    wrong = [key - votes.responses(judge)[b] for judge in range(len(right))]
    pairs = [(s, s - more) for s, more in zip(right, wrong, strict=True)]
    if not (0 <= key <= votes.size) or any(
        not (0 <= s <= key and 0 <= t <= votes.size - key) for s, t in pairs
    ):
        return "not consistent"
    evaluation = CountEvaluation.from_correct({a: key, b: votes.size - key}, [{a: s, b: t} for s, t in pairs])
    if evaluation not in ConsistentSet(votes):
        return "not consistent"
    gaps = [
        key - q,
        *(s - x for pair, row in zip(pairs, rest, strict=True) for s, x in zip(pair, row, strict=True)),
    ]
    return f"D = {sum(gap * gap for gap in gaps)}"


def _nearest_case(draws: Draws, index: int) -> Case:
    """Return in turn a point near the evaluation of a key, any small point, and a point in rates."""
    judges = 1 + index % 3
    if index % 2:
        size = 2 + min(index // 8, (12, 9, 5)[judges - 1]) + draws.below(3)
        counts = draws.counts(size, 2**judges)
        if index % 4 == 1:
            key = draws.counts(size, 2)
            right = [[draws.between(0, key[0]), draws.between(0, key[1])] for _ in range(judges)]
            at = {"at": draws.counts(size, 2)} if draws.below(4) == 0 else {}
            document = {**votes_input(counts, judges=judges), "key_counts": key, "right": right, **at}
            return Case(document, f"any point of {size} questions")
        share = draws.share(9)
        rates = [[str(draws.share(9)), str(draws.share(9))] for _ in range(judges)]
        point = {"prevalence": [str(share), str(1 - share)], "accuracies": rates}
        return Case({**votes_input(counts, judges=judges), **point}, f"rates for {size} questions")
    size = 4 + index // (1, 2, 6)[judges - 1] + draws.below(3)
    counts = draws.counts(size, 2**judges)
    document = _graded_counts(counts, [draws.between(0, count) for count in counts], judges)
    key = document["key_counts"]
    right = [
        [min(max(0, count + draws.between(-1, 1)), most) for count, most in zip(row, key, strict=True)]
        for row in document["right"]
    ]
    return Case({**document, "right": right}, f"near the evaluation of a key of {size} questions")


FAMILIES = (
    Family(
        *declared("consistent-membership", _membership, _membership_steps, _membership_case),
        flags=named("broken", _BROKEN),
        witnesses={"brute-force": _is_small},
    ),
    Family(
        *declared("pair-correlation-interval", _correlations, _correlations_steps, _correlations_case),
        flags={
            "none": lambda _, found: found["points"] == 0,
            "one": lambda _, found: found["points"] == 1,
            "interval": lambda _, found: found["points"] > 1,
            "trio": lambda given, _: given["judges"] == 3,
            _NONE: lambda _, found: _NONE in (found["range_a"], found["range_b"]),
        },
        witnesses={"brute-force": lambda document, _: 0 < sum(document["counts"]) <= 9},
    ),
    Family(
        *declared("nearest-evaluation", _nearest, _nearest_steps, _nearest_case),
        flags={
            "rates": lambda given, _: "prevalence" in given,
            "consistent": lambda _, found: found["squared_distance"] == "0",
            "irrational": lambda _, found: isinstance(found["squared_distance"], dict),
            "at": lambda given, _: "at" in given,
        },
        witnesses={
            "brute-force": lambda document, _: (
                sum(document["counts"]) <= (12, 8, 5)[document["judges"] - 1] and min(document["counts"]) >= 0
            )
        },
    ),
)
