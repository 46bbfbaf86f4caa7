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
        is_pair = len(chosen) == len(document["labels"]) == 2 and measure == "every_label"
        if is_pair and not group["leaves"]:
            wrong = [] if _is_impossible(asked["votes"], document["labels"], level) else ["the pair can pass"]
        else:
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
    failing = _failing(document, rows, level, max(sizes))
    if failing is None:
        return [*found, "the key does not split the votes"]
    if len(failing) != document["attained"] or failing & {*document["trust"]}:
        found.append(f"{len(failing)} judges fail under the key, not {document['attained']}")
    return found


def _failing(document: Any, rows: Any, level: Fraction, largest: int) -> set[str] | None:
    """Return the judges that fail under the key, or `None` if it is not one of these votes."""
    key = [[int(x) for x in split] for split in document["key"]]
    labels, judges = list(document["labels"]), document["judges"]
    if [sum(split) for split in key] != [n for _, n in rows] or any(
        min(x) < 0 or len(x) != len(labels) for x in key
    ):
        return None
    failing = set()
    for j, judge in enumerate(judges):
        asked = _safety(document, [j], rows, level, largest) | {"answer": "yes"}
        splits = {label: [0 for _ in labels] for label in (*labels, None)}
        for (pattern, _), split in zip(rows, key, strict=True):
            splits[pattern[j]] = [x + y for x, y in zip(splits[pattern[j]], split, strict=True)]
        asked["key"] = [splits[pattern[0]] for pattern, _ in asked["votes"]]
        if safety_checker.problems(asked) if asked["votes"] else document["measure"] == "overall":
            failing.add(judge)
    return failing


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


def _is_impossible(votes: Any, labels: Any, level: Fraction) -> bool:
    """Return whether two judges cannot both pass, over all keys of two labels that are not worse than others.

    Where they agree, or only one answered, the label that was said is best. Of the questions "ab" x are a, of "ba" y.
    """
    (a, b), (t, s) = labels, level.as_integer_ratio()
    n = {tuple(pattern): int(count) for pattern, count in votes}
    ab, ba, u = n.get((a, b), 0), n.get((b, a), 0), s - t
    a_i, b_i = (n.get((x, x), 0) + n.get((x, None), 0) for x in (a, b))
    a_j, b_j = (n.get((x, x), 0) + n.get((None, x), 0) for x in (a, b))
    for x, y in ((0, 0), (ab, ba)):  # only there a judge can have no question of a label
        v, w = ab - x, ba - y
        cells = (
            (a_i + x, a_i + x + y),
            (a_j + y, a_j + x + y),
            (b_i + w, b_i + v + w),
            (b_j + v, b_j + v + w),
        )
        if all(not size or s * right > t * size for right, size in cells):
            return False
    for x in range(ab + 1) if t else ():
        low = max(-(-(t * x - u * a_j + 1) // u), ba - (u * (ab - x + b_j) - 1) // t, 0)
        high = min((u * (x + a_i) - 1) // t, ba + (u * b_i - t * (ab - x) - 1) // u, ba)
        if low <= high:
            return False
    return t > 0


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
