"""The stand-alone checker of certificates of failing judges: it shares no code with the search.

It checks that each group is impossible, by its leaves or, for two judges, in closed form; that the tree counts right;
and which judges fail under the key.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations
from typing import Any

from ntqr_exact.alarms.safety_checker import ERRORS, Case, _whole, read_votes

FORMAT = "ntqr-exact failing judges certificate 3"


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
        self.proven: dict[tuple[int, ...], bool] = {}

    def case(self, group: Any) -> Case:
        """What is asked of a group: s·right > t·Q on every label, or more than the level overall."""
        # More than 0 of a whole number is more than a share that no question reaches.
        t, s = (self.level or Fraction(1, sum(self.counts) + 1)).as_integer_ratio()
        rows = [tuple([pattern[j] for j in group]) for pattern in self.patterns]
        factors = [[] if self.overall else [(s, t) for _ in self.labels] for _ in group]
        ranges = [(0, sum(self.counts)) for _ in self.labels]
        return Case(rows, self.counts, factors, lambda n: self.overall * (n * self.level // 1 + 1), ranges)

    def problems(self) -> Any:
        """Yield what is wrong."""
        document, trust = self.document, {self.judges.index(name) for name in self.document["trust"]}
        for group in document["groups"]:
            judges = tuple(sorted(_whole(j) for j in group["judges"]))
            self.proven[judges] = not self.case(judges).of_proof(group["leaves"])
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
            return failures <= 1 and self.proven.get(tuple(judges), False)
        # Any m judges have at most Σ min(m, plurality) right answers together, and need their least ones.
        m = len(judges) - failures + 1
        most = [max([p[j] for j in judges].count(a) for a in range(len(self.labels))) for p in self.patterns]
        right = sum(n * min(m, x) for n, x in zip(self.counts, most, strict=True))
        return self.overall and m >= 1 and right < sum(sorted(self.whole.minimum[j] for j in judges)[:m])

    def is_impossible(self, pair: tuple[int, int]) -> bool:
        """Return whether two judges cannot both pass."""
        if pair not in self.proven:
            form = self.must_fail("crowd", [*pair], 1) if self.overall else self.cannot_both_pass(*pair)
            self.proven[pair] = form
        return self.proven[pair]

    def cannot_both_pass(self, i: int, j: int) -> bool:
        """Return whether no key of two labels lets two judges pass on both.

        Where they agree, or only one answered, the label that was said is best. Of the questions "ab" x are a, of "ba"
        y; v and w are b. Judge i is right on a on a_i + x and wrong on y questions, and so on.
        """
        ((s, t), _), _ = self.case((i, j)).factors
        u, n = s - t, Counter[Any]()
        for pattern, count in zip(self.patterns, self.counts, strict=True):
            n[pattern[i], pattern[j]] += count
        ab, ba, a_both, b_both = n[0, 1], n[1, 0], n[0, 0], n[1, 1]
        a_i, a_j, b_i, b_j = (
            a_both + n[0, None],
            a_both + n[None, 0],
            b_both + n[1, None],
            b_both + n[None, 1],
        )
        for x, y in ((0, 0), (ab, ba)):  # only there a judge can have no question of a label
            v, w = ab - x, ba - y
            cells = ((a_i + x, y), (a_j + y, x), (b_i + w, v), (b_j + v, w))
            if all(not right + wrong or u * right > t * wrong for right, wrong in cells):
                return False
        rows = [(u, -t, 1 - u * a_i), (-t, u, 1 - u * a_j), (1, 0, 0), (-1, 0, -ab), (0, 1, 0), (0, -1, -ba)]
        rows += [(t, -u, 1 - u * (b_i + ba) + t * ab), (-u, t, 1 - u * (b_j + ab) + t * ba)]
        # p·x + q·y ≥ r for all rows: the range of x without y, then each x in it
        up, down = [row for row in rows if row[1] > 0], [row for row in rows if row[1] < 0]
        flat = [(p, r) for p, q, r in rows if not q]
        flat += [(q * m - n * p, q * k - n * r) for p, q, r in up for m, n, k in down]
        low, high = max(-(-r // p) for p, r in flat if p > 0), min(-r // -p for p, r in flat if p < 0)
        return any(not p and r > 0 for p, r in flat) or all(
            max(-((p * x - r) // q) for p, q, r in up) > min((p * x - r) // -q for p, q, r in down)
            for x in range(low, high + 1)
        )
