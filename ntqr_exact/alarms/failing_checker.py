"""The stand-alone checker of certificates of failing judges: it shares no code with the search.

It checks that each group is impossible by its leaves, or a pair of two labels key by key; that the tree counts right;
and which judges fail under the key.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations
from typing import Any

from ntqr_exact.alarms.safety_checker import ERRORS, Case, _whole, read_votes

FORMAT = "ntqr-exact failing judges certificate 5"


def check_failing_certificate(document: Any) -> list[str]:
    """Return the problems of a certificate of failing judges: none if it proves its numbers."""
    try:
        return list(_Certificate(document).problems())
    except ERRORS as e:
        return [f"not a certificate of failing judges: {type(e).__name__}: {e}"]


class _Certificate:
    def __init__(self, document: Any) -> None:
        self.document, self.level = document, Fraction(document["level"])
        self.labels, self.judges, self.patterns, self.counts = read_votes(document, FORMAT)
        if not 0 <= self.level < 1 or document["measure"] not in ("every_label", "overall"):
            raise ValueError("level must be at least 0 and less than 1, and measure be known")
        self.overall = document["measure"] == "overall"
        self.whole = self.case(range(len(self.judges)))
        self.proven = set[tuple[int, ...]]()

    def case(self, group: Any) -> Case:
        """What is asked of a group: s·right > t·Q on every label, or more than the level overall."""
        # More than 0 of a whole number is more than a share that no question reaches.
        t, s = (self.level or Fraction(1, sum(self.counts) + 1)).as_integer_ratio()
        rows = Counter[Any]()
        for pattern, count in zip(self.patterns, self.counts, strict=True):
            rows[tuple([pattern[j] for j in group])] += count
        factors = [[] if self.overall else [(s, t) for _ in self.labels] for _ in group]
        ranges = [(0, sum(self.counts)) for _ in self.labels]
        least = lambda size: int(size * self.level // 1 + 1) if size or self.overall else 0  # noqa: E731
        return Case([*rows], [*rows.values()], factors, least, ranges)

    def problems(self) -> Any:
        """Yield what is wrong."""
        document, trust = self.document, {self.judges.index(name) for name in self.document["trust"]}
        for group in document["groups"]:
            judges = tuple(sorted(_whole(j) for j in group["judges"]))
            if self.case(judges).of_proof(group["leaves"]):
                yield f"the leaves do not refute {', '.join(self.judges[j] for j in judges)}"
            else:
                self.proven.add(judges)
        if self.least(document["tree"], set(), trust) < document["proven"]:
            yield "the tree does not prove the number"
        for name, tree in document["must_fail"]:
            if self.least(tree, set(), trust | {self.judges.index(name)}) <= document["attained"]:
                yield f"it is not proven that {name!r} must fail"
        failing = {*self.whole.unsafe(document["key"])}
        if len(failing) != document["attained"] or failing & trust:
            yield f"{len(failing)} judges fail under the key, not {document['attained']}, or a trusted one"

    def least(self, tree: Any, failed: set[int], passed: set[int]) -> int:
        """Return how many judges fail at least, by a tree, if some fail and some pass."""
        if "judge" in tree:
            j = _whole(tree["judge"])
            if j in failed | passed or not 0 <= j < len(self.judges):
                raise ValueError("a branch repeats a judge")
            sides = (tree["fails"], failed | {j}, passed), (tree["passes"], failed, passed | {j})
            return min(self.least(*side) for side in sides)
        seen, total = set(failed), len(failed)
        for part in tree["parts"]:
            judges, failures = sorted({_whole(j) for j in part["judges"]}), _whole(part["failures"])
            if not {*judges} <= {*range(len(self.judges))} or seen & {*judges}:
                raise ValueError("parts overlap")
            if not self.must_fail(part["kind"], judges, failures):
                raise ValueError("a part is not proven")
            if failures > len({*judges} - passed):
                return len(self.judges) + 1  # the judges of this branch cannot all pass
            seen, total = seen | ({*judges} - passed), total + failures
        return total

    def must_fail(self, kind: str, judges: list[int], failures: int) -> bool:
        """Return whether at least this many of some judges fail: in a clique, a group or a crowd."""
        if kind == "clique":
            return failures < len(judges) and all(map(self.is_impossible, combinations(judges, 2)))
        if kind == "group":
            return failures <= 1 and tuple(judges) in self.proven
        # Any m judges have at most Σ min(m, plurality) right answers together, and need their least ones.
        m, case = len(judges) - failures + 1, self.case(judges)
        most = [max(map(pattern.count, case.labels)) for pattern in case.patterns]
        right = sum(n * min(m, x) for n, x in zip(case.counts, most, strict=True))
        return m >= 1 and right < sum(sorted(case.minimum)[:m])

    def is_impossible(self, pair: tuple[int, int]) -> bool:
        """Return whether two judges cannot both pass: by leaves, by counting, or by trying all keys.

        Where they agree, or only one answered, the label that was said is best. Of the questions "ab" x are a, of "ba"
        y; v and w are b. So judge i is right on a on a_i + x and wrong on y questions, and so on.
        """
        if pair in self.proven or self.overall or len(self.labels) != 2:
            return pair in self.proven or self.must_fail("crowd", [*pair], 1)
        case = self.case(pair)
        n, ((s, t), _) = Counter(dict(zip(case.patterns, case.counts, strict=True))), case.factors[0]
        u, ab, ba = s - t, n[0, 1], n[1, 0]
        (a_i, a_j), (b_i, b_j) = ((n[x, x] + n[x, None], n[x, x] + n[None, x]) for x in (0, 1))
        for x, y in ((0, 0), (ab, ba)):  # only there a judge can have no question of a label
            v, w = ab - x, ba - y
            cells = ((a_i + x, y), (a_j + y, x), (b_i + w, v), (b_j + v, w))
            if all(not right + wrong or u * right > t * wrong for right, wrong in cells):
                return False
        return all(  # no y is between the least and the greatest one for x
            max(0, (t * x) // u - a_j + 1, ba - (u * (b_j + ab - x) - 1) // t)
            > min(ba, (u * (a_i + x) - 1) // t, ba + b_i - (t * (ab - x)) // u - 1)
            for x in range(ab + 1)
        )
