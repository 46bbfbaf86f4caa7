"""The stand-alone checker of safety certificates: it shares no code with the search.

A certificate of NO lists leaves. A leaf says where it applies, and gives multipliers ≥ 0 of rows that every safe key
meets there: s·right − t·Q ≥ 1 for a judge with questions of a label, ≥ 0 if that is not said; right answers in all ≥
its minimum; least ≤ questions of a label ≤ most. It is refuted if the largest value of the weighted rows, over all
splits that it allows, is less than their weighted right sides. The leaves must cover all keys.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

FORMAT = "ntqr-exact safety certificate 3"


def problems(document: Any) -> list[str]:
    """Return the problems of a certificate: none if it proves its answer."""
    try:
        if document["format"] != FORMAT or document["answer"] not in ("yes", "no"):
            return [f"format must be {FORMAT!r} and answer yes or no"]
        case = _Case(document)
        return (
            case.of_key(document["key"]) if document["answer"] == "yes" else case.of_proof(document["leaves"])
        )
    except (
        KeyError,
        TypeError,
        ValueError,
        IndexError,
        AttributeError,
        ArithmeticError,
        RecursionError,
    ) as e:
        return [f"not a safety certificate: {type(e).__name__}: {e}"]


def _whole(text: Any) -> int:
    if isinstance(text, (bool, float)):
        raise TypeError(f"{text!r} is not a whole number")
    return int(text)


class _Case:
    """The question of a certificate: votes and what is asked, with judges, labels and patterns as indices."""

    def __init__(self, document: Any) -> None:
        labels, judges = list(document["labels"]), list(document["judges"])
        index = {label: a for a, label in enumerate(labels)} | {None: None}
        self.patterns = [[index[one] for one in pattern] for pattern, _ in document["votes"]]
        self.counts = [_whole(count) for _, count in document["votes"]]
        factors = [[document["factor"][judge][label] for label in labels] for judge in judges]
        grade = Fraction(document["minimum_grade"])
        shaped = len(index) == len(labels) + 1 and all(len(p) == len(judges) for p in self.patterns)
        if not shaped or min(self.counts) < 0 or not 0 <= grade <= 1:
            raise ValueError("labels, votes, factor or minimum_grade are out of range")
        # Without a factor the row is 1·right − (−1)·Q ≥ 1, which holds for every key.
        self.factors = [
            [(1, -1) if x is None else Fraction(x).as_integer_ratio() for x in row] for row in factors
        ]
        if any(not 0 < t < s for row in self.factors for s, t in row if t != -1):
            raise ValueError("a factor must be greater than 1")
        every = range(len(self.counts))
        self.answered = [{p for p in every if self.patterns[p][j] is not None} for j in range(len(judges))]
        self.minimum = [-(-grade * sum(self.counts[p] for p in own) // 1) for own in self.answered]
        self.ranges = [(0, sum(self.counts)) for _ in labels]
        for label, (low, high) in document["key_counts"].items():
            self.ranges[labels.index(label)] = (_whole(low), _whole(high))

    def of_key(self, key: Any) -> list[str]:
        """Return where a key is not one of these votes, or leaves a judge unsafe."""
        key = [[_whole(x) for x in split] for split in key]
        if [sum(split) for split in key] != self.counts or min(map(min, key)) < 0:
            return ["the key does not split the votes"]
        sizes = [sum(column) for column in zip(*key, strict=True)]
        found = [f"too few or too many questions of label {a}" for a, (low, high) in enumerate(self.ranges)
                 if not low <= sizes[a] <= high]  # fmt: skip
        for j, (own, row) in enumerate(zip(self.answered, self.factors, strict=True)):
            for a, (s, t) in enumerate(row):
                right = sum(key[p][a] for p in own if self.patterns[p][j] == a)
                if s * right <= t * sum(key[p][a] for p in own) != 0:
                    found.append(f"judge {j} is not safe on label {a}")
            if sum(key[p][self.patterns[p][j]] for p in own) < self.minimum[j]:
                found.append(f"judge {j} is below the minimum grade")
        return found

    def of_proof(self, leaves: Any) -> list[str]:
        """Return which leaves refute nothing, and whether they do not cover all keys."""
        boxes = [self._box(leaf["where"]) for leaf in leaves]
        pairs = zip(leaves, boxes, strict=True)
        found = [f"leaf {i} is not refuted" for i, pair in enumerate(pairs) if not self._refuted(*pair)]
        return found if self._covered({}, boxes) else [*found, "the leaves do not cover all keys"]

    def _range(self, box: dict[Any, tuple[int, int]], name: tuple[bool, int, int]) -> tuple[int, int]:
        """(True, j, a) says whether judge j has questions of label a; (False, p, a) is a split of pattern p."""
        return box.get(name) or ((0, 1) if name[0] else (0, self.counts[name[1]]))

    def _box(self, where: Any) -> dict[Any, tuple[int, int]]:
        box: dict[Any, tuple[int, int]] = {}
        for kind, first, a, n in where:
            name = (kind in ("uses", "lacks"), _whole(first), _whole(a))
            low, high = self._range(box, name)
            ends = {
                "uses": (1, 1),
                "lacks": (0, 0),
                "at least": (_whole(n), high),
                "at most": (low, _whole(n)),
            }
            box[name] = (max(low, ends[kind][0]), min(high, ends[kind][1]))
        return box

    def _refuted(self, leaf: Any, box: dict[Any, tuple[int, int]]) -> bool:
        labels = range(len(self.ranges))
        right = [(_whole(j), a, _whole(row[a])) for j, row in leaf["right"].items() for a in labels]
        grade = [(_whole(j), _whole(x)) for j, x in leaf["grade"].items()]
        questions = [_whole(leaf["questions"][a]) if leaf["questions"] else 0 for a in labels]
        if any(x < 0 for *_, x in (*right, *grade)):
            return False
        used = [(self.answered[j], a) for (is_flag, j, a), (low, _) in box.items() if is_flag and low]
        lacks = [(self.answered[j], a) for (is_flag, j, a), (_, high) in box.items() if is_flag and not high]
        rest = sum(x * any(b == a and own <= self.answered[j] for own, b in used) for j, a, x in right)
        rest += sum(x * self.minimum[j] for j, x in grade)
        rest += sum(x * self.ranges[a][x < 0] for a, x in enumerate(questions))
        for p, (pattern, count) in enumerate(zip(self.patterns, self.counts, strict=True)):
            none = {a for own, a in lacks if p in own}
            ends = [self._range(box, (False, p, a)) if a not in none else (0, 0) for a in labels]
            left = count - sum(low for low, _ in ends)
            if left < 0 or any(low > high for low, high in ends) or sum(high for _, high in ends) < count:
                return True  # no split of this pattern is allowed
            worth = [x + sum(y for j, y in grade if pattern[j] == a) for a, x in enumerate(questions)]
            for j, a, x in right:
                s, t = self.factors[j][a]
                worth[a] += x * (s * (pattern[j] == a) - t) if pattern[j] is not None else 0
            for a in sorted(labels, key=lambda a: -worth[a]):
                more = min(left, ends[a][1] - ends[a][0])
                rest, left = rest - worth[a] * (ends[a][0] + more), left - more
        return bool(rest > 0)

    def _covered(self, known: dict[Any, tuple[int, int]], boxes: list[dict[Any, tuple[int, int]]]) -> bool:
        """Return whether boxes cover all keys within what is known, split where the first box ends."""
        for name, (low, high) in boxes[0].items() if boxes else ():
            least, most = self._range(known, name)
            cut = low if low > least else high + 1
            if least < cut <= most:
                parts = ((least, cut - 1), (cut, most))
                ends = [self._range(box, name) for box in boxes]
                return all(self._covered(known | {name: (x, y)}, [
                    box for box, (z, w) in zip(boxes, ends, strict=True) if max(x, z) <= min(y, w)
                ]) for x, y in parts)  # fmt: skip
        return bool(boxes)
