"""The stand-alone checker of certificates of failing judges: it shares no code with the search.

It checks that each group is impossible by its leaves (`safety_checker`), that the tree counts right, and the key.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from ntqr_exact.alarms import safety_checker

FORMAT = "ntqr-exact failing judges certificate 1"


def problems(document: Any) -> list[str]:
    """Return the problems of a certificate: none if it proves its numbers."""
    try:
        return _problems(document)
    except (
        KeyError,
        TypeError,
        ValueError,
        IndexError,
        AttributeError,
        ArithmeticError,
        RecursionError,
    ) as e:
        return [f"not a certificate of failing judges: {type(e).__name__}: {e}"]


def _problems(document: Any) -> list[str]:
    judges, level = list(document["judges"]), Fraction(document["level"])
    rows = [(list(pattern), int(count)) for pattern, count in document["votes"]]
    measure, trust = document["measure"], {judges.index(name) for name in document["trust"]}
    if document["format"] != FORMAT or measure not in ("every_label", "overall") or not 0 <= level < 1:
        return [f"format must be {FORMAT!r}, and measure and level must be known"]
    if len({*judges}) < len(judges) or any(len(p) != len(judges) or n < 1 for p, n in rows):
        return ["judges and votes do not fit together"]
    sizes = [sum(n for p, n in rows if p[j] is not None) for j in range(len(judges))]
    found: list[str] = []
    proven = {frozenset([j]) for j, size in enumerate(sizes) if measure == "overall" and not size}
    for group in document["groups"]:
        chosen = [int(j) for j in group["judges"]]
        asked = _safety(document, chosen, rows, level, max(sizes)) | {
            "answer": "no",
            "leaves": group["leaves"],
        }
        wrong = safety_checker.problems(asked)
        found += [f"group {chosen}: {problem}" for problem in wrong]
        proven |= set() if wrong else {frozenset(chosen)}
    case = (
        document["labels"],
        rows,
        [sizes[j] * level // 1 + 1 for j in range(len(judges))],
        measure,
        proven,
    )
    if _least(document["tree"], set(), trust, case) < document["proven"]:
        found.append("the tree does not prove the number")
    for name, tree in document["must_fail"]:
        if _least(tree, set(), trust | {judges.index(name)}, case) <= document["attained"]:
            found.append(f"it is not proven that {name!r} must fail")
    failing = set()
    for j, judge in enumerate(judges):
        asked = _safety(document, [j], rows, level, max(sizes)) | {"answer": "yes"}
        merged: dict[Any, list[int]] = {}
        for (pattern, count), split in zip(rows, document["key"], strict=True):
            numbers = [int(x) for x in split]
            if sum(numbers) != count or min(numbers) < 0 or len(numbers) != len(document["labels"]):
                return [*found, "the key does not split the votes"]
            if pattern[j] is not None:
                merged[pattern[j]] = [
                    x + y for x, y in zip(merged.get(pattern[j], [0] * len(numbers)), numbers, strict=True)
                ]
        asked["key"] = [merged[pattern[0]] for pattern, _ in asked["votes"]]
        if safety_checker.problems(asked) if asked["votes"] else measure == "overall":
            failing.add(judge)
    if len(failing) != document["attained"] or failing & {*document["trust"]}:
        found.append(f"{len(failing)} judges fail under the key, not {document['attained']}")
    return found


def _safety(document: Any, group: list[int], rows: Any, level: Fraction, largest: int) -> dict[str, Any]:
    """Return the question whether a group could pass, as a certificate of safety asks it."""
    votes: dict[tuple[Any, ...], int] = {}
    for pattern, count in rows:
        row = tuple(pattern[j] for j in group)
        if any(x is not None for x in row):
            votes[row] = votes.get(row, 0) + count
    names, labels = [str(j) for j in group], list(document["labels"])
    overall = (
        document["measure"] == "overall"
    )  # more than the level is at least a little more, for whole numbers
    factor = None if overall or not level else str(1 / level)
    if not overall and not level:
        factor = str(largest + 1)
    return {
        "format": safety_checker.FORMAT,
        "labels": labels,
        "judges": names,
        "votes": [[list(row), str(count)] for row, count in votes.items()],
        "factor": {name: dict.fromkeys(labels, factor) for name in names},
        "minimum_grade": str(level + Fraction(1, level.denominator * largest)) if overall else "0",
        "key_counts": {},
    }


def _least(tree: Any, failed: set[int], passed: set[int], case: Any) -> int:
    """Return how many judges fail at least, by a tree, if some fail and some pass."""
    labels, rows, needs, measure, proven = case
    if "judge" in tree:
        j = int(tree["judge"])
        if j in failed | passed:
            raise ValueError("a branch repeats a judge")
        return min(
            _least(tree["fails"], failed | {j}, passed, case),
            _least(tree["passes"], failed, passed | {j}, case),
        )
    seen, total = failed | passed, len(failed)
    for part in tree["parts"]:
        judges, failures = [int(j) for j in part["judges"]], int(part["failures"])
        if part["kind"] == "group":
            group = {int(j) for j in part["group"]}
            if (
                frozenset(group) not in proven
                or group & failed
                or group - passed != {*judges}
                or failures > 1
            ):
                raise ValueError("a group is not proven")
            if not judges:
                return len(needs) + 1  # the judges of this branch cannot all pass
        elif part["kind"] == "clique":
            pairs = (frozenset((i, j)) for i in judges for j in judges if i < j)
            if not all(pair in proven for pair in pairs) or failures > len({*judges}) - 1:
                raise ValueError("a pair of a clique is not proven")
        else:
            m = len(judges) - failures + 1
            right = sum(
                n * min(m, max(sum(p[j] == label for j in judges) for label in labels)) for p, n in rows
            )
            if (
                part["kind"] != "crowd"
                or measure != "overall"
                or right >= sum(sorted(needs[j] for j in judges)[:m])
            ):
                raise ValueError("a crowd is not proven")
        if seen & {*judges} or len({*judges}) < len(judges) or not {*judges} <= {*range(len(needs))}:
            raise ValueError("parts overlap")
        seen, total = seen | {*judges}, total + failures
    return total
