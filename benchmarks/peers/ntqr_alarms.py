"""The logical alarm of `ntqr` from the answers of each judge alone, at small sizes: it goes through all errors."""

from __future__ import annotations

from itertools import product
from typing import Any

from benchmarks.peers.conformance import NotAsked, Quantity, exactly

LARGEST = {2: 10, 3: 2}
"""The largest test that is asked about, by the number of labels; beyond it takes long."""


def _alarm(document: dict[str, Any], responses: list[list[Any]]) -> tuple[Any, list[list[int]]]:
    """The alarm and the responses; it has a specification by label, and none by grade."""
    import ntqr.r2.evaluations
    import ntqr.r2.raxioms
    import ntqr.r3.evaluations
    import ntqr.r3.raxioms
    from ntqr.alarms import SingleClassifierAxiomsAlarm

    labels = tuple(document["labels"])
    whole = [[int(n) for n in numbers] for numbers in responses]
    size = sum(whole[0]) if whole else 0
    if exactly(document["minimum_grade"]) or size > LARGEST.get(len(labels), -1):
        raise NotAsked
    parts = ntqr.r2 if len(labels) == 2 else ntqr.r3
    axioms = [parts.raxioms.SingleClassifierAxioms(labels, f"J{judge}") for judge in range(len(whole))]
    alarm = SingleClassifierAxiomsAlarm(size, axioms, parts.evaluations.SingleClassifierEvaluations)
    alarm.set_safety_specification([exactly(factor) for factor in document["factors"]])
    return alarm, whole


def _misaligned(document: dict[str, Any]) -> bool:
    alarm, responses = _alarm(document, document["responses"])
    return bool(alarm.are_misaligned(responses))


def _safe_keys(document: dict[str, Any]) -> list[list[int]]:
    """The key counts at which its trace has no alarm, for groups of one."""
    labels, judges, counts = document["labels"], document["judges"], document["counts"]
    patterns = list(product(labels, repeat=judges))
    if document["group_size"] != 1 or len(counts) != len(patterns) or min(map(int, counts)) < 0:
        raise NotAsked
    seen = list(zip(patterns, map(int, counts), strict=True))
    responses = [
        [sum(n for pattern, n in seen if pattern[judge] == label) for label in labels]
        for judge in range(judges)
    ]
    alarm, whole = _alarm(document, responses)
    return sorted(list(key) for key, misaligned in alarm.misalignment_trace(whole) if not misaligned)


ALARMS: dict[str, dict[str, Quantity]] = {
    "logical-alarm-single": {"misaligned": _misaligned},
    "logical-alarm-joint": {"safe_keys": _safe_keys},
}
