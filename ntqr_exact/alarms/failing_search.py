"""The search for a proof that judges must fail, and for a key under which few do.

A group is impossible if no key lets all of it pass. Two judges and two labels have a closed form: questions on which
they agree, or that one of them did not answer, are best given the label that was said; what remains are two whole
numbers, x of the questions "ab" and y of the questions "ba" that are given the label a. Two judges that differ on D
questions have at most Q_i + Q_j − D right answers together: overall this decides, and on every label it is necessary.
Other groups are decided by `safety`.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from functools import reduce
from itertools import combinations
from operator import and_, or_
from typing import Any, Literal, TypeAlias

from gmpy2 import mpq

from ntqr_exact.alarms.misalignment import best_level, indexed, nearest_fraction
from ntqr_exact.alarms.safety import Key, Leaf, Question, decide, judges_of
from ntqr_exact.answer import Answer
from ntqr_exact.budget import Budget
from ntqr_exact.errors import BadChoice, TooMuchWork
from ntqr_exact.votes.counts import VoteCounts

Measure: TypeAlias = Literal["every_label", "overall"]
Group: TypeAlias = tuple[int, ...]
Tree: TypeAlias = dict[str, Any]
"""{"judge", "fails", "passes"}: a judge fails or passes; or {"parts": [{"kind", "judges", "failures"}]}.

At least `failures` of the judges of a part fail: all but one of a clique of impossible pairs, one of an impossible
group, or as many as a crowd cannot have right together. Parts share only judges that pass.
"""

BUDGET = 350_000
"""The default budget of one level in steps, less than a second; pairs have budgets of their own."""

PASSES = 100
"""How often the judges are covered by cliques, in other orders."""

PAIR_BUDGET, _ALL_PAIRS_BUDGET, _MAX_PAIRS = 40_000, 700_000, 3_000
"""Steps to decide a pair, and all pairs, of three labels or more, and their number; others count as possible."""

_MAX_COLUMNS = 10_000
"""Whole numbers x that are tried for a pair; only a thin strip between parallel lines needs many of them."""

_MAX_CORE, _MAX_TRIED, _MAX_STARTS, _ROUNDS = 12, 30, 6, 4


class Panel:
    """Votes in whole numbers at a level t/s, with the answers of each judge as bits over the patterns."""

    def __init__(self, votes: VoteCounts, level: mpq, measure: Measure) -> None:
        self.votes, self.level, self.measure = votes, level, measure
        self.judges, self.labels = range(len(votes.judges)), range(len(votes.labels))
        self.patterns, self.counts = indexed(votes)
        self.columns = list(zip(*self.patterns, strict=True))
        self.sizes = [votes.answered(j) for j in self.judges]
        self.whole = self.question(self.judges)
        self.given = [[_mask(own) for own in rows] for rows in self.whole.given]
        self.answered = [reduce(or_, row) for row in self.given]
        width = max(self.counts).bit_length()
        self.planes = [_mask(p for p, n in enumerate(self.counts) if n >> b & 1) for b in range(width)]
        self.said = [list(map(self._count, row)) for row in self.given]
        self.has_closed_form = measure == "overall" or len(self.labels) == 2

    def question(self, group: Sequence[int], *, merged: bool = False) -> Question:
        """Return the question whether a group could pass; `merged` if patterns that are alike for it are one."""
        # More than 0 of a whole number is more than a share that no question reaches.
        exact = self.level or mpq(1, self.votes.size + 1)
        s, t = int(exact.denominator), int(exact.numerator)
        every, counts = self.measure == "every_label", self.counts
        patterns = tuple(zip(*[self.columns[j] for j in group], strict=True))
        if merged:
            cells = Counter[tuple[int | None, ...]]()
            for pattern, count in zip(patterns, counts, strict=True):
                cells[pattern] += count
            patterns, counts = tuple(cells), tuple(cells.values())
        factors = (((s, t),) * len(self.labels) if every else (),) * len(group)
        minimum = tuple(0 if every else self.least(j, self.level) for j in group)
        return Question(patterns, counts, factors, minimum, ((0, sum(counts)),) * len(self.labels))

    def impossible_pairs(self) -> Iterator[tuple[int, int]]:
        """Yield pairs of which no key lets both pass: all of them, or those that are decided within a budget."""
        pairs, own = combinations([j for j in self.judges if self.sizes[j]], 2), self.answered
        common = sorted(pairs, key=lambda pair: -(own[pair[0]] & own[pair[1]]).bit_count())
        budget, share = Budget(_ALL_PAIRS_BUDGET), _ALL_PAIRS_BUDGET // PAIR_BUDGET
        for number, pair in enumerate(common):
            is_open = not self.has_closed_form and number < _MAX_PAIRS and self._differ(*pair)
            if self.cannot_both_pass(*pair, self.level) or (is_open and self.leaves(pair, budget, share)):
                yield pair

    def least(self, j: int, level: mpq) -> int:
        """Return how many right answers a judge that passes has at least in all."""
        return int(level * self.sizes[j]) + 1 if self.sizes[j] or self.measure == "overall" else 0

    def _count(self, patterns: int) -> int:
        """Return how many questions a set of patterns has: plane b holds the patterns whose count has the digit b."""
        return sum([(plane & patterns).bit_count() << b for b, plane in enumerate(self.planes)])

    def _differ(self, i: int, j: int) -> int:
        """Return the patterns, as bits, on which two judges differ; without any they could be right on all."""
        same = reduce(or_, map(and_, self.given[i], self.given[j]))
        return int(self.answered[i] & self.answered[j] & ~same)

    def leaves(self, group: Sequence[int], budget: Budget, share: int = 1) -> tuple[Leaf, ...]:
        """Return a proof that a small group is impossible; none if it is not found."""
        return decide(self.question(group, merged=True), budget, share)[2]

    def proofs(self, groups: Iterable[Group], *, counted: bool = False) -> list[dict[str, Any]]:
        """Return the leaves of impossible groups; without those of pairs that the checker counts, unless `counted`."""
        result = []
        for group in groups:
            is_counted = len(group) == 2 and self.cannot_both_pass(*group, self.level)
            if counted or not is_counted or self._count(self._differ(*group)) > _MAX_COLUMNS:
                leaves = self.leaves(group, Budget(PAIR_BUDGET if is_counted else None))
                result += [{"judges": list(group), "leaves": leaves}] if leaves else []
        return result

    def threshold(self, i: int, j: int, budget: int) -> tuple[mpq, bool]:
        """Return a level that no key lets two judges exceed, and whether it is the least one."""
        low, high, most = mpq(0), mpq(1), max(self.sizes[i], self.sizes[j])
        fails_alone = self.measure == "overall" and not self.sizes[i] * self.sizes[j]
        if fails_alone or self.cannot_both_pass(i, j, low):
            return low, True
        if self.measure == "every_label" and not self._differ(i, j):
            return high, True
        while (high - low) * 2 * most * most > 1:
            middle = (low + high) / 2
            low, high = (low, middle) if self.cannot_both_pass(i, j, middle) else (middle, high)
        # Levels are fractions of at most `most` questions, and only one of these is so near.
        level = nearest_fraction(high, most)
        is_proven = self.cannot_both_pass(i, j, level)
        high = level if is_proven else high
        if self.has_closed_form or not budget:
            return high, self.has_closed_form and is_proven
        found = best_level(self.votes.marginal((i, j)), budget=budget)
        return min(found.proven, high), found.is_exact

    def cannot_both_pass(self, i: int, j: int, level: mpq) -> bool:
        """Return whether counts prove that two judges cannot both exceed a level: in closed form if there is one."""
        if self.measure == "overall" or len(self.labels) != 2:
            most = self.sizes[i] + self.sizes[j] - self._count(self._differ(i, j))
            return self.least(i, level) + self.least(j, level) > most
        level = level or mpq(1, self.votes.size + 1)
        t, u = int(level.numerator), int(level.denominator - level.numerator)
        (ia, ib), (ja, jb) = self.given[i], self.given[j]
        ab, ba = self._count(ia & jb), self._count(ib & ja)
        a_i, b_i, a_j, b_j = (
            x - y for x, y in zip((*self.said[i], *self.said[j]), (ab, ba, ba, ab), strict=True)
        )
        for x, y in ((0, 0), (ab, ba)):  # only there a judge can have no question of a label
            v, w = ab - x, ba - y
            cells = ((a_i + x, y), (a_j + y, x), (b_i + w, v), (b_j + v, w))  # right and wrong
            if all(not right + wrong or u * right > t * wrong for right, wrong in cells):
                return False
        # u·x − t·y ≥ 1 − u·a_i and so on: y lies between lower and upper lines over x, (slope·x + constant)/divisor.
        lower = [(0, 0, 1), (t, 1 - u * a_j, u), (u, t * ba + 1 - u * (ab + b_j), t)]
        upper = [(0, ba, 1), (u, u * a_i - 1, t), (t, u * (ba + b_i) - 1 - t * ab, u)]
        low, high = 0, ab
        for m, c, d in lower:
            for n, e, f in upper:  # (m·x + c)/d ≤ (n·x + e)/f
                slope, most = m * f - n * d, e * d - c * f
                if slope > 0:
                    high = min(high, most // slope)
                elif slope < 0:
                    low = max(low, -(most // -slope))
                elif most < 0:
                    return True
        return high < low + _MAX_COLUMNS and all(
            max(-(-(m * x + c) // d) for m, c, d in lower) > min((n * x + e) // f for n, e, f in upper)
            for x in range(low, high + 1)
        )


def groups_of(tree: Tree) -> Iterator[Group]:
    """Yield the groups that a proof needs to be impossible."""
    for side in ("fails", "passes"):
        if side in tree:
            yield from groups_of(tree[side])
    for part in tree.get("parts", ()):
        if part["kind"] != "crowd":
            size = 2 if part["kind"] == "clique" else len(part["judges"])
            yield from combinations(part["judges"], size)


def clique_cover(adjacent: Sequence[int], judges: Iterable[int], passes: int) -> list[int]:
    """Return few cliques, as bits, that cover the judges: greedily, again and again in other orders."""
    draw, every = random.Random(0), [*judges]
    within = _mask(every)
    lone = [1 << j for j in every if not adjacent[j] & within]
    order = sorted(bits(within & ~_union(lone)), key=lambda j: adjacent[j].bit_count())
    best: list[int] = []
    for _ in range(passes if order else 0):
        found: list[int] = []
        for j in order:
            others = ~adjacent[j]
            for i, clique in enumerate(found):
                if not clique & others:
                    found[i] = clique | 1 << j
                    break
            else:
                found.append(1 << j)
        if not best or len(found) <= len(best):
            best = found
        again = sorted(best, key=int.bit_count, reverse=True)
        if draw.randrange(2):
            draw.shuffle(again)
        order = [j for clique in again for j in bits(clique)]  # keeping classes together is never worse
    return best + lone


def bits(mask: int) -> list[int]:
    """Return the members of a set that is bits."""
    found = []
    while mask:
        found.append((mask & -mask).bit_length() - 1)
        mask &= mask - 1
    return found


def _mask(judges: Iterable[int]) -> int:
    return _union(1 << j for j in judges)


def _union(sets: Iterable[int]) -> int:
    return reduce(or_, sets, 0)


class FailingSearch:
    """The search for a proof and for a key: impossible groups, the best key so far, and the budget."""

    def __init__(self, panel: Panel, trusted: Group, budget: Budget) -> None:
        self.panel, self.trusted, self.budget = panel, trusted, budget
        self.adjacent = [0 for _ in panel.judges]
        # Overall, a judge without answers fails under every key.
        self.groups = [1 << j for j in panel.judges if panel.measure == "overall" and not panel.sizes[j]]
        self.proven, self.tree, self.every = 0, dict[str, Any](), _mask(panel.judges)
        self.key = self._first_key()
        self.failing = panel.whole.unsafe(self.key)

    def run(self) -> None:
        """Prove as much as the budget allows, and find a key that fails in few judges."""
        for i, j in self.panel.impossible_pairs():
            self.adjacent[i] |= 1 << j
            self.adjacent[j] |= 1 << i
        leaves = (self._leaf(0, _mask(self.trusted), PASSES), self._crowd())
        self.proven, self.tree = max(leaves, key=lambda item: item[0])
        with suppress(TooMuchWork):
            self._improve_key()
        while self.proven < len(self.failing) and (tree := self.prove(self.proven + 1, self.trusted)):
            self.proven, self.tree = self.proven + 1, tree

    # -- lower ends ------------------------------------------------------------------------------------

    def prove(self, goal: int, trusted: Group) -> Tree | None:
        """Return a tree that proves that `goal` judges fail if these pass, learning impossible groups on the way."""
        with suppress(TooMuchWork):
            while isinstance(result := self._branch(0, _mask(trusted), goal), int):
                if not self._learn(bits(self.every & ~result)):
                    return None
            return result
        return None

    def _learn(self, group: list[int]) -> bool:
        """Decide a group that no known group excludes: a better key, or a new impossible group."""
        self.budget.spend(len(self.panel.patterns) * len(group) // 16)  # to pose the question
        answer, key, leaves = decide(self.panel.question(group), self.budget, 2)
        if key is not None:
            self._take(key)
        if answer is not Answer.NO:
            return False
        core = [group[j] for j in judges_of(leaves)]
        for j in core[:] if 2 < len(core) <= _MAX_CORE else ():  # a smaller group excludes more
            fewer = [i for i in core if i != j]
            if len(fewer) > 1 and self.panel.leaves(fewer, self.budget, 20):
                core = fewer
        self.groups.append(_mask(core))
        return True

    def _branch(self, failed: int, passed: int, goal: int) -> Tree | int:
        """Return a tree that proves the goal below a node, or judges, as bits, that hit all known groups."""
        count, leaf = self._leaf(failed, passed, 2)
        if count >= goal:
            return leaf
        self.budget.spend(50 + 4 * len(self.panel.judges))
        single = (_mask(part["judges"]) & ~passed for part in leaf["parts"])
        forced = reduce(or_, (judges for judges in single if judges.bit_count() == 1), failed)
        rest = self.every & ~forced & ~passed
        groups = [group for group in self.groups if not group & forced]
        degrees = {
            j: (self.adjacent[j] & rest).bit_count() + sum(x >> j & 1 for x in groups) for j in bits(rest)
        }
        judge = max(degrees, key=lambda j: degrees[j], default=-1)
        if judge < 0 or not degrees[judge]:
            return forced
        fails = self._branch(failed | 1 << judge, passed, goal)
        if isinstance(fails, int):
            return fails
        passes = self._branch(failed, passed | 1 << judge, goal)
        return passes if isinstance(passes, int) else {"judge": judge, "fails": fails, "passes": passes}

    def _leaf(self, failed: int, passed: int, passes: int) -> tuple[int, Tree]:
        """Return how many judges fail by disjoint parts, and these parts."""
        parts: list[dict[str, Any]] = []
        rest = self.every & ~failed & ~passed
        pairs = [1 << i | 1 << j for i in bits(passed) for j in bits(self.adjacent[i])]
        for group in (*pairs, *self.groups):
            left = group & ~passed
            if not group & failed and not left:
                return len(self.panel.judges) + 1, {"parts": [_part(group)]}
            if left.bit_count() == 1 and left & rest:
                parts.append(_part(group))
                rest &= ~left
        cliques = clique_cover(self.adjacent, bits(rest), passes)
        parts += [_part(clique, "clique") for clique in cliques if clique.bit_count() > 1]
        free = reduce(or_, (clique for clique in cliques if clique.bit_count() == 1), 0)
        for group in sorted(self.groups, key=int.bit_count):
            if not group & ~passed & ~free and not group & failed:
                parts.append(_part(group))
                free &= ~group
        return failed.bit_count() + sum(part["failures"] for part in parts), {"parts": parts}

    def _crowd(self) -> tuple[int, Tree]:
        """Any m judges have at most Σ min(m, plurality) right answers together, and need their least ones."""
        panel, needs = self.panel, sorted(self.panel.least(j, self.panel.level) for j in self.panel.judges)
        most = Counter[int]()
        for pattern, count in zip(panel.patterns, panel.counts, strict=True):
            most[max(map(pattern.count, panel.labels))] += count
        for m in range(1, len(needs) + 1):
            if sum(n * min(m, x) for x, n in most.items()) < sum(needs[:m]):
                return len(needs) - m + 1, {"parts": [_part(self.every, "crowd", len(needs) - m + 1)]}
        return 0, {"parts": []}

    # -- upper ends ------------------------------------------------------------------------------------

    def _first_key(self) -> Key:
        """Return the best of simple keys: of the majority, of each judge, and of those that pass under one of these."""
        panel, keys = self.panel, {}
        chosen = [[*panel.judges], *([j] for j in panel.judges if 2 * panel.sizes[j] > panel.votes.size)]
        for _ in range(_ROUNDS):
            for judges in chosen:
                key = panel.whole.plurality_key(judges)
                failing = panel.whole.unsafe(key)
                keys[key] = (bool(failing & {*self.trusted}), len(failing), failing)
            best = sorted(keys, key=lambda key: keys[key][:2])[:_MAX_STARTS]
            chosen = [sorted({*panel.judges} - keys[key][2]) for key in best]
        if not keys[best[0]][0]:
            return best[0]
        answer, found, _ = decide(panel.question(self.trusted), Budget(10 * BUDGET))
        if found is None:
            names = "these judges" if answer is Answer.NO else "judges whose group is not decided"
            raise BadChoice(self.trusted, f"trust must name judges that can all pass; {names} cannot")
        return found

    def _take(self, key: Key) -> None:
        failing = self.panel.whole.unsafe(key)
        if len(failing) < len(self.failing) and not failing & {*self.trusted}:
            self.key, self.failing = key, failing

    def _improve_key(self) -> None:
        """Let one more judge pass, while that works."""
        part, before = Budget((self.budget.limit or BUDGET) // 2), len(self.panel.judges) + 1
        while self.proven < len(self.failing) < before:
            before, passing = len(self.failing), self.every & ~_mask(self.failing)
            part.spend(len(self.panel.patterns) * len(self.panel.judges) // 16)
            short = dict.fromkeys(self.failing, 0)
            for j, _, size, slack in self.panel.whole.slacks(self.key):
                if j in short and size:
                    short[j] += max(0, 1 - slack)
            for j in sorted(short, key=lambda j: short[j])[:_MAX_TRIED]:
                if len(self.failing) == before and not self.adjacent[j] & passing:
                    part.spend(len(self.panel.patterns) * passing.bit_count() // 16)  # to pose the question
                    _, key, _ = decide(self.panel.question(bits(passing | 1 << j)), part, 4)
                    if key is not None:
                        self._take(key)


def _part(group: int, kind: str = "group", failures: int = 1) -> dict[str, Any]:
    judges = bits(group)
    kind = {1: "crowd", 2: "clique"}.get(len(judges), kind)
    return {"kind": kind, "judges": judges, "failures": len(judges) - 1 if kind == "clique" else failures}
