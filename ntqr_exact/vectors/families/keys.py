"""Votes with an answer key, known or by majority: grades, error correlations and dependence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

from gmpy2 import mpq

from ntqr_exact.dependence.measure import covariances, dependence_of, total_variation
from ntqr_exact.errors import BadVotes
from ntqr_exact.evaluation import Evaluation, Rate, Undefined, rational_rate
from ntqr_exact.evaluators.agreement_solution import independence_defect
from ntqr_exact.evaluators.grade import grade
from ntqr_exact.evaluators.majority import TiePolicy, majority_vote
from ntqr_exact.vectors.draws import Draws
from ntqr_exact.vectors.family import Family
from ntqr_exact.vectors.forms.votes import votes_from, votes_input
from ntqr_exact.vectors.specification import Case, Document, declared
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts

_UNDEFINED = "undefined"
"""The word for a rate that would be a share of no questions."""


def _written(rate: Rate) -> Any:
    """Return a rate, or the word for one that is not defined."""
    return _UNDEFINED if isinstance(rate, Undefined) else rate


def _key_from(document: Document) -> LabeledVoteCounts:
    """Return the votes with their key; raises `BadVotes` unless there is a list of counts for each label."""
    labels, by_key = document["labels"], document["counts_by_key"]
    if len(labels) != len(by_key):
        raise BadVotes(len(by_key), f"there are {len(labels)} true labels, and a list of counts for each")
    parts = [votes_from({**document, "counts": counts}) for counts in by_key]
    return LabeledVoteCounts(dict(zip(labels, parts, strict=True)))


def _key_input(counts_by_key: Sequence[Sequence[int]], *, labels: str = "ab", judges: int = 3) -> Document:
    """Return the input of votes with their key."""
    rows = [votes_input(counts, labels=labels, judges=judges)["counts"] for counts in counts_by_key]
    return {"labels": list(labels), "judges": judges, "counts_by_key": rows}


def _grade(document: Document) -> dict[str, Any]:
    key = _key_from(document)
    found = grade(key, order=3)
    judges = range(document["judges"])

    def correlations(length: int) -> list[list[Any]]:
        subsets = list(combinations(judges, length))
        return [[_written(found.correlations[label, subset]) for subset in subsets] for label in key.labels]

    return {
        "prevalence": [_written(found.prevalence[label]) for label in key.labels],
        "response_rates": [
            [[_written(rates[true][given]) for given in key.labels] for true in key.labels]
            for rates in found.response_rates
        ],
        "pair_correlations": correlations(2),
        "trio_correlations": correlations(3),
    }


def _grade_steps(document: Document) -> Iterator[str]:
    found, key = _grade(document), _key_from(document)
    yield f"key counts: {key.key_counts}, Q = {key.size}"
    for place, label in enumerate(key.labels):
        yield f"P_{label} = {key.key_counts[label]}/{key.size} = {found['prevalence'][place]}"
        for judge, rates in enumerate(found["response_rates"]):
            given = key.confusion(judge)[label]
            shares = ", ".join(map(str, rates[place]))
            yield f"  judge {judge + 1} gave {given} on the questions of {label}: rates {shares}"
        for length, name in ((2, "pair_correlations"), (3, "trio_correlations")):
            subsets = combinations(range(document["judges"]), length)
            for subset, value in zip(subsets, found[name][place], strict=True):
                names = ", ".join(str(judge + 1) for judge in subset)
                yield f"  Γ of judges {names}: mean of the products of (1 if right else 0) − accuracy = {value}"


def _grade_case(draws: Draws, index: int) -> Case:
    """Return votes with a key, in turn of three, two, four judges and of three labels."""
    labels, judges = (("ab", 3), ("ab", 2), ("abc", 2), ("ab", 3), ("ab", 4), ("abc", 3))[index % 6]
    size = 2 + index // 2 + draws.below(6)
    cells = len(labels) ** (judges + 1)
    counts = draws.counts(size, cells)
    width = cells // len(labels)
    by_key = [counts[start : start + width] for start in range(0, cells, width)]
    document = _key_input(by_key, labels=labels, judges=judges)
    return Case(document, f"any votes and any key of {size} questions")


def _is_small(document: Document, found: Any) -> bool:
    return "error" not in found and sum(int(count) for row in document["counts_by_key"] for count in row) < 40


_POLICIES = tuple(policy.value for policy in TiePolicy)


def _majority(document: Document) -> dict[str, Any]:
    if document["ties"] not in _POLICIES:
        raise BadVotes(document["ties"], f"ties are one of {', '.join(_POLICIES)}")
    found = majority_vote(votes_from(document), ties=document["ties"])
    opposite = found.reversed_evaluation
    return {
        "tied_questions": str(found.ties),
        "key_counts": [str(count) for count in found.key.key_counts.values()],
        "if_right": _graded(found.evaluation),
        "if_wrong": None if opposite is None else _graded(opposite),
    }


def _graded(evaluation: Evaluation) -> dict[str, Any]:
    pairs = list(combinations(range(len(evaluation.accuracy)), 2))
    return {
        "prevalence": [_written(evaluation.prevalence[label]) for label in evaluation.labels],
        "accuracies": [
            [_written(right[label]) for label in evaluation.labels] for right in evaluation.accuracy
        ],
        "pair_correlations": [
            [_written(evaluation.correlations[label, pair]) for pair in pairs] for label in evaluation.labels
        ],
    }


def _majority_steps(document: Document) -> Iterator[str]:
    votes, found = votes_from(document), _majority(document)
    result = majority_vote(votes, ties=document["ties"])
    yield f"ties: {document['ties']}; {found['tied_questions']} questions are tied"
    for label, part in result.key.by_label.items():
        seen = ", ".join(f"{''.join(pattern)} {count}" for pattern, count in part.counts.items() if count)
        yield f"true label {label}: {seen or 'nothing'}, together {part.size} of {votes.size}"
    for name in ("if_right", "if_wrong"):
        graded = found[name]
        if graded is not None:
            yield f"{name}: prevalence {', '.join(map(str, graded['prevalence']))}"
            for judge, right in enumerate(graded["accuracies"], start=1):
                yield f"  judge {judge}: accuracies {', '.join(map(str, right))}"
            for label, values in zip(votes.labels, graded["pair_correlations"], strict=True):
                yield f"  pair correlations on {label}: {', '.join(map(str, values))}"


def _majority_case(draws: Draws, index: int) -> Case:
    """Return any votes of two to four judges between two or three labels, with a policy for ties."""
    labels, judges = (("ab", 3), ("ab", 4), ("abc", 3), ("ab", 2), ("ab", 3))[index % 5]
    size = 2 + index // 2 + draws.below(6)
    policy = draws.pick(_POLICIES[1:]) if index % 5 in {1, 2, 3} else draws.pick(_POLICIES)
    counts = draws.counts(size, len(labels) ** judges)
    return Case(
        {**votes_input(counts, labels=labels, judges=judges), "ties": policy},
        f"any votes on {size} questions",
    )


_RIGHT, _WRONG = "right", "wrong"


def _defect(document: Document) -> dict[str, Any]:
    key = _key_from(document)
    found, errors = grade(key, order=2), _errors(key)
    pairs = list(combinations(range(len(key.judges)), 2))
    return {
        "error_rates": [errors.response_rate(judge, _WRONG) for judge in range(len(key.judges))],
        "defects": [errors.pair_moment(*pair, label=_WRONG) for pair in pairs],
        "within": [
            sum(
                (
                    rational_rate(found.prevalence[label]) * rational_rate(found.correlations[label, pair])
                    for label in key.labels
                ),
                mpq(0),
            )
            for pair in pairs
        ],
        "between": [independence_defect(found, *pair) for pair in pairs],
    }


def _errors(key: LabeledVoteCounts) -> VoteCounts:
    """Return the votes with each answer replaced by whether it is right."""
    counts: dict[tuple[str, ...], int] = {}
    for label, votes in key.by_label.items():
        for pattern, count in votes.counts.items():
            errors = tuple(_RIGHT if given == label else _WRONG for given in pattern)
            counts[errors] = counts.get(errors, 0) + count
    return VoteCounts(counts, [_RIGHT, _WRONG], key.judges)


def _defect_steps(document: Document) -> Iterator[str]:
    key, found = _key_from(document), _defect(document)
    evaluation, errors = grade(key, order=2), _errors(key)
    a, b = key.labels
    shares = {label: evaluation.prevalence[label] for label in key.labels}
    yield f"Q = {key.size}, P_a = {shares[a]}, P_b = {shares[b]}"
    for judge, rate in enumerate(found["error_rates"]):
        x, y = (evaluation.accuracy[judge][label] for label in key.labels)
        yield f"judge {judge + 1}: x = {x}, y = {y}, error rate e = P_a(1 − x) + P_b(1 − y) = {rate}"
    for place, (i, j) in enumerate(combinations(range(len(key.judges)), 2)):
        both = errors.marginal(i, j).frequency((_WRONG, _WRONG))
        name = f"{i + 1}{j + 1}"
        gamma = [evaluation.correlations[label, (i, j)] for label in key.labels]
        yield f"e_{name} = {both}, so the defect is e_{name} − e_{i + 1}·e_{j + 1} = {found['defects'][place]}"
        yield f"  within: P_a·({gamma[0]}) + P_b·({gamma[1]}) = {found['within'][place]}"
        yield f"  between: P_a·P_b·(x_{i + 1} − y_{i + 1})(x_{j + 1} − y_{j + 1}) = {found['between'][place]}"


def _defect_case(draws: Draws, index: int) -> Case:
    """Return, in turn, any votes with a key, and keys under which errors are independent."""
    if index % 3 == 0:
        base = 2 + index % 4
        by_key = []
        for _ in range(2):
            rates = [draws.between(0, base) for _ in range(2)]
            scale = draws.between(1, 2 + index // 20)
            cells = [(p, q) for p in (rates[0], base - rates[0]) for q in (rates[1], base - rates[1])]
            by_key.append([scale * p * q for p, q in cells])
        return Case(_key_input(by_key, judges=2), "independent errors of two judges")
    judges = 2 + index % 3
    size = 3 + index // 2 + draws.below(5)
    cells_of_one = 2**judges
    counts = draws.counts(size, 2 * cells_of_one)
    halves = [counts[:cells_of_one], counts[cells_of_one:]]
    for half in halves:
        half[draws.below(cells_of_one)] += 1
    return Case(_key_input(halves, judges=judges), f"any votes and any key of {size + 2} questions")


def _dependence(document: Document) -> dict[str, Any]:
    key = _key_from(document)
    pairs, trios = (dependence_of(key, (order,)) for order in (2, 3))
    return {
        "pairs": pairs.largest,
        "trios": trios.largest,
        "largest": max(pairs.largest, trios.largest),
        "one_label": pairs.has_one_label,
        "total_variation": total_variation(key),
    }


def _dependence_steps(document: Document) -> Iterator[str]:
    key = _key_from(document)
    for one in covariances(key, (2, 3)):
        names = ", ".join(str(key.judges.index(judge) + 1) for judge in one.judges)
        yield f"on {one.label}, judges {names}, answers {', '.join(one.answers)}: Γ = {one.value}"
    found = _dependence(document)
    yield f"largest: pairs {found['pairs']}, trios {found['trios']}; total variation {found['total_variation']}"


FAMILIES = (
    Family(
        *declared("grade", _grade, _grade_steps, _grade_case),
        flags={
            "empty-label": lambda given, _: any(not any(counts) for counts in given["counts_by_key"]),
            "many-labels": lambda given, _: len(given["labels"]) > 2,
            "few-judges": lambda given, _: given["judges"] < 3,
        },
        witnesses={"brute-force": _is_small},
    ),
    Family(
        *declared("majority", _majority, _majority_steps, _majority_case),
        flags={
            "ties": lambda _, found: found["tied_questions"] != "0",
            "many-labels": lambda given, _: len(given["labels"]) > 2,
        },
    ),
    Family(
        *declared("independence-defect", _defect, _defect_steps, _defect_case),
        flags={
            "independent": lambda _, found: set(found["within"]) == {"0"},
            "multiplies": lambda _, found: set(found["defects"]) == {"0"},
        },
    ),
    Family(
        *declared("key-dependence", _dependence, _dependence_steps, _grade_case),
        flags={
            "one-label": lambda _, found: found["one_label"],
            "independent": lambda _, found: found["largest"] == "0",
            "many-labels": lambda given, _: len(given["labels"]) > 2,
        },
    ),
)
