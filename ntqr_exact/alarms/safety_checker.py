"""The stand-alone checker of safety certificates: it shares no code with the search.

A leaf of NO says where it applies, and gives multipliers x ≥ 0 of rows that every safe key meets there: right answers
and questions of a label, right answers in all, questions in all. No split that it allows may meet their sum.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

FORMAT = "ntqr-exact safety certificate 5"
ERRORS = (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError)


def check_safety_certificate(document: Any) -> list[str]:
    """Return the problems of a safety certificate: none if it proves its answer."""
    try:
        labels, judges, patterns, counts = read_votes(document, FORMAT)
        factors = [[Fraction(document["factor"][j][a]).as_integer_ratio() for a in labels] for j in judges]
        grade, limits = Fraction(document["minimum_grade"]), dict(document["key_counts"])
        ranges = [(_whole(x), _whole(y)) for x, y in (limits.pop(a, (0, sum(counts))) for a in labels)]
        if limits or not 0 <= grade <= 1 or any(not 0 < t < s for row in factors for s, t in row):
            return ["factor must be > 1, minimum_grade from 0 to 1, and key_counts of these labels"]
        case = Case(patterns, counts, factors, lambda size: -(-grade * size // 1), ranges)
        if document["answer"] == "yes":
            return [f"judge {judges[j]!r} is not safe" for j in case.unsafe(document["key"])]
        return case.of_proof(document["leaves"] if document["answer"] == "no" else [])
    except ERRORS as e:
        return [f"not a safety certificate: {type(e).__name__}: {e}"]


def _whole(text: Any) -> int:
    return int(str(text))  # fractions and booleans are refused


def read_votes(document: Any, form: str) -> tuple[list[str], list[str], list[list[Any]], list[int]]:
    """Return the labels and the judges of a document, its patterns, with labels as indices, and their counts."""
    labels, judges, votes = list(document["labels"]), list(document["judges"]), list(document["votes"])
    index = {label: a for a, label in enumerate(labels)} | {None: None}
    patterns, counts = [[index[x] for x in pattern] for pattern, _ in votes], [_whole(n) for _, n in votes]
    differ = len(index) > len(labels) and len({*judges}) == len(judges)
    if not differ or min(counts) < 1 or {*map(len, patterns)} != {len(judges)} or document["format"] != form:
        raise ValueError(f"format must be {form!r}, and labels, judges and votes fit together")
    return labels, judges, patterns, counts


class Case:
    """What is asked of a key: factors (s, t) by judge and label; right answers by size; questions by label."""

    def __init__(self, patterns: Any, counts: Any, factors: Any, minimum: Any, ranges: Any) -> None:
        self.patterns, self.counts, self.factors, self.ranges = patterns, counts, factors, ranges
        self.answered = [{p for p, x in enumerate(patterns) if x[j] is not None} for j in range(len(factors))]
        self.labels = range(len(ranges))
        self.minimum = [minimum(sum(counts[p] for p in own)) for own in self.answered]

    def unsafe(self, key: Any) -> Iterator[int]:
        """Yield the judges that are not safe under a key; raises `ValueError` if it does not split these votes."""
        key = [[_whole(x) for x in split] for split in key]
        totals = zip(map(sum, zip(*key, strict=True)), self.ranges, strict=True)
        fits = [sum(split) for split in key] == self.counts and min(map(min, key)) >= 0
        if not fits or not all(low <= size <= high for size, (low, high) in totals):
            raise ValueError("the key does not split the votes, or has other key counts")
        for j, least in enumerate(self.minimum):
            own = [(self.patterns[p][j], key[p]) for p in self.answered[j]]
            right = [sum(split[a] for x, split in own if x == a) for a in self.labels]
            sizes = [sum(split[a] for _, split in own) for a in self.labels]
            rows = zip(self.factors[j], right, sizes, strict=False)
            if sum(right) < least or any(n and s * r <= t * n for (s, t), r, n in rows):
                yield j

    def of_proof(self, leaves: Any) -> list[str]:
        """Return which leaves refute nothing, and whether they do not cover all keys."""
        wheres = [[(kind, *map(_whole, numbers)) for kind, *numbers in leaf["where"]] for leaf in leaves]
        boxes = [{tuple(name): (low, high) for *name, low, high in where} for where in wheres]
        found = [f"leaf {i} is not refuted" for i, x in enumerate(leaves) if not self._refuted(x, boxes[i])]
        boxes = [box for box in boxes if all(low <= high for low, high in box.values())]
        known = {
            name: (0, 1 if name[0] == "judge" else self.counts[name[1]]) for box in boxes for name in box
        }
        return found if _covered(known, boxes) else [*found, "the leaves do not cover all keys"]

    def _refuted(self, leaf: Any, box: dict[Any, Any]) -> bool:
        flags = [(self.answered[j], a, ends) for (kind, j, a), ends in box.items() if kind == "judge"]
        rows = [(_whole(x), *self._row(kind, _whole(i), _whole(a), flags)) for kind, i, a, x in leaf["rows"]]
        rest = sum(x * side for x, side, _ in rows)
        for p, (pattern, count) in enumerate(zip(self.patterns, self.counts, strict=True)):
            none = {a for own, a, ends in flags if ends[1] < 1 and p in own}
            ends = [(0, 0) if a in none else box.get(("pattern", p, a), (0, count)) for a in self.labels]
            left = count - sum(low for low, _ in ends)
            if left < 0 or any(low > high for low, high in ends) or sum(high for _, high in ends) < count:
                return True  # no split of this pattern is allowed
            worth = [sum(x * gain(pattern, b) for x, _, gain in rows) for b in self.labels]
            for a in sorted(self.labels, key=lambda a: -worth[a]):
                more = min(left, ends[a][1] - ends[a][0])
                rest, left = rest - worth[a] * (ends[a][0] + more), left - more
        return bool(rest > 0) and all(x >= 0 for x, _, _ in rows)

    def _row(self, kind: str, i: int, a: int, flags: Any) -> tuple[int, Any]:
        """Return the right side of a row, and what a question of a pattern and a true label adds to it."""
        if kind == "grade":
            return self.minimum[i], lambda pattern, b: pattern[i] == b
        if kind not in ("right", "questions") or not 0 <= a < len(self.ranges):
            raise ValueError("a row must be of right answers, a grade or questions")
        if kind == "questions":
            return i * self.ranges[a][i < 0], lambda _, b: i * (b == a)
        s, t = self.factors[i][a]
        is_used = any(b == a and low > 0 and own <= self.answered[i] for own, b, (low, _) in flags)
        return is_used, lambda pattern, b: (b == a and pattern[i] is not None) * (s * (pattern[i] == a) - t)


def _covered(known: Any, boxes: list[Any]) -> bool:
    boxes = [b for b in boxes if all(x <= known[n][1] and known[n][0] <= y for n, (x, y) in b.items())]
    for name, (low, high) in boxes[0].items() if boxes else ():
        least, most = known[name]
        cut = low if low > least else high + 1
        if cut <= most:  # split where the first box ends
            return all(_covered(known | {name: x}, boxes) for x in ((least, cut - 1), (cut, most)))
    return bool(boxes)
