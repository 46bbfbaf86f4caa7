"""The search for a proof that judges must fail, and for a key under which few do.

The proof is a tree. A branch says that a judge fails, or that it passes. A leaf has disjoint parts with known least
failures: a clique of impossible pairs fails in all judges but one, and an impossible group in at least one judge that
is not said to pass. The upper end is a key, found from the majority by local moves, or from a group that could pass.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Any, TypeAlias

from ntqr_exact.alarms.panel_pairs import Panel, union
from ntqr_exact.alarms.safety import SafetyDecision, decide
from ntqr_exact.alarms.safety_question import Key, repaired, slacks
from ntqr_exact.answer import Answer
from ntqr_exact.budget import Budget
from ntqr_exact.errors import BadChoice, TooMuchWork

Group: TypeAlias = tuple[int, ...]
Tree: TypeAlias = dict[str, Any]
"""{"judge", "fails", "passes"}, or {"parts": [{"kind", "judges", "failures", …}]}."""

BUDGET = 400_000
"""The default budget of one level in steps, less than a second; pairs are decided in any case."""

PASSES = 100
"""So often the judges are covered by cliques, in other orders."""

_MAX_CORE, _MAX_TRIED = 12, 30


def clique_cover(adjacent: Sequence[int], judges: Iterable[int], passes: int) -> list[int]:
    """Return few cliques, as bits, that cover the judges: greedily, again and again in other orders."""
    draw = random.Random(0)
    order = sorted(judges, key=lambda j: adjacent[j].bit_count())
    best: list[int] = []
    for _ in range(passes):
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
        chance = draw.randrange(20)
        again = sorted(best, key=int.bit_count, reverse=True) if chance < 8 else best[::-1]
        if chance > 13:
            draw.shuffle(again)
        order = [j for clique in again for j in _bits(clique)]  # keeping classes together is never worse
        if chance == 19:
            order.sort(key=lambda j: 8 * adjacent[j].bit_count() + draw.randrange(48))
    return best


def _bits(mask: int) -> list[int]:
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return found


def groups_of_tree(tree: Tree) -> Iterator[Group]:
    """Yield the groups that a tree needs to be impossible."""
    for part in tree.get("parts", ()):
        if part["kind"] == "clique":
            yield from ((j, i) for i in part["judges"] for j in part["judges"] if j < i)
        elif part["kind"] == "group":
            yield tuple(part["group"])
    for side in ("fails", "passes"):
        if side in tree:
            yield from groups_of_tree(tree[side])


class FailingSearch:
    """The search for a proof and for a key: impossible groups, the best key so far, and the budget."""

    def __init__(self, panel: Panel, trusted: Group, budget: Budget) -> None:
        self.panel, self.trusted, self.budget = panel, trusted, budget
        self.adjacent = [0 for _ in panel.judges]
        # Overall, a judge without answers fails under every key.
        silent = [j for j in panel.judges if panel.measure == "overall" and not panel.sizes[j]]
        self.groups = [1 << j for j in silent]
        self.proven = 0
        self.tree: Tree = {"parts": []}
        self.key, self.failing = self._first_key()

    def run(self) -> None:
        """Prove as much as the budget allows, and find a key that fails in few judges."""
        panel = self.panel
        for i in panel.judges:
            for j in range(i):
                if panel.is_impossible(i, j):
                    self.adjacent[i] |= 1 << j
                    self.adjacent[j] |= 1 << i
        self.proven, self.tree = self._leaf(0, _mask(self.trusted), PASSES)
        crowd = self._crowd()
        if crowd is not None and crowd["failures"] > self.proven:
            self.proven, self.tree = crowd["failures"], {"parts": [crowd]}
        with suppress(TooMuchWork):
            self._improve_key()
        while self.proven < len(self.failing):
            tree = self.prove(self.proven + 1, self.trusted)
            if tree is None:
                break
            self.proven, self.tree = self.proven + 1, tree

    # -- lower ends ------------------------------------------------------------------------------------

    def prove(self, goal: int, trusted: Group) -> Tree | None:
        """Return a tree that proves that `goal` judges fail if these pass, learning impossible groups on the way."""
        while True:
            try:
                result = self._branch(0, _mask(trusted), goal)
                if isinstance(result, dict):
                    return result
                if not self._learn(_bits(_mask(self.panel.judges) & ~result)):
                    return None
            except TooMuchWork:
                return None

    def _learn(self, group: list[int]) -> bool:
        """Decide a group that no known group excludes: a better key, or a new impossible group."""
        found = self._decided(group, 2)
        if found.key is not None:
            self._take(self._extended(group, found.key))
        if found.answer is not Answer.NO:
            return False
        core = sorted({group[j] for leaf in found.leaves for j in (*leaf.right, *leaf.grade)})
        for j in core[:] if 2 < len(core) <= _MAX_CORE else ():  # a smaller group excludes more
            fewer = [i for i in core if i != j]
            if len(fewer) > 1 and self._decided(fewer, 20).answer is Answer.NO:
                core = fewer
        self.groups.append(_mask(core))
        return True

    def _decided(self, group: list[int], share: int) -> SafetyDecision:
        """Decide whether a group could pass, within a share of what is left of the budget."""
        limit = self.budget.limit
        part = Budget(None if limit is None else max(0, limit - self.budget.spent) // share)
        found = decide(self.panel.question(group), part)
        self.budget.spend(part.spent if part.limit is None else min(part.spent, part.limit))
        return found

    def _branch(self, failed: int, passed: int, goal: int) -> Tree | int:
        """Return a tree that proves the goal below a node, or judges, as bits, that hit all known groups."""
        self.budget.spend(50 + 4 * len(self.panel.judges))
        count, leaf = self._leaf(failed, passed, 2)
        if count >= goal:
            return leaf
        forced = failed | union(
            1 << j for part in leaf["parts"] if len(part["judges"]) == 1 for j in part["judges"]
        )
        rest = _mask(self.panel.judges) & ~forced & ~passed
        open_groups = [group & ~passed for group in self.groups if not group & forced]
        degrees = {
            j: (self.adjacent[j] & rest).bit_count() + sum(group >> j & 1 for group in open_groups)
            for j in _bits(rest)
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
        rest = _mask(self.panel.judges) & ~failed & ~passed
        known = [(1 << i | 1 << j) for i in _bits(passed) for j in _bits(self.adjacent[i])] if passed else []
        for group in (*known, *self.groups):
            left = group & ~passed
            if not group & failed and not left:
                return len(self.panel.judges) + 1, {"parts": [_group_part(group, 0)]}
            if left.bit_count() == 1 and left & rest:
                parts.append(_group_part(group, left))
                rest &= ~left
        cliques = clique_cover(self.adjacent, _bits(rest), passes)
        parts += [
            {"kind": "clique", "judges": _bits(clique), "failures": clique.bit_count() - 1}
            for clique in cliques
            if clique.bit_count() > 1
        ]
        free = union(clique for clique in cliques if clique.bit_count() == 1)
        for group in sorted(self.groups, key=int.bit_count):
            if not group & ~passed & ~free and not group & failed:
                parts.append(_group_part(group, group & ~passed))
                free &= ~group
        return failed.bit_count() + sum(part["failures"] for part in parts), {"parts": parts}

    def _crowd(self) -> dict[str, Any] | None:
        """Overall: any m judges have at most Σ min(m, plurality) right answers together, and need their least ones."""
        panel = self.panel
        if panel.measure != "overall" or self.trusted:
            return None
        most = [max(map(pattern.count, panel.labels)) for pattern in panel.patterns]
        needs = sorted(panel.t * size // panel.s + 1 for size in panel.sizes)
        for m in range(1, len(needs) + 1):
            if sum(n * min(m, x) for n, x in zip(panel.counts, most, strict=True)) < sum(needs[:m]):
                return {"kind": "crowd", "judges": list(panel.judges), "failures": len(needs) - m + 1}
        return None

    # -- upper ends ------------------------------------------------------------------------------------

    def _first_key(self) -> tuple[Key, set[int]]:
        """Return the best of simple keys: of the majority, of each judge, and then of those that passed."""
        panel = self.panel
        majority = self._labels_of(panel.judges)
        starts = [majority]
        for given in panel.given:
            rest = ~union(given)
            starts.append([mask | (other & rest) for mask, other in zip(given, majority, strict=True)])
        found = sorted(
            ((self._rank(labels), i) for i, labels in enumerate(starts)), key=lambda item: item[0][:2]
        )
        best, labels = found[0][0], starts[found[0][1]]
        for rank, _ in found[:12]:
            for _ in range(4):
                of = self._labels_of([j for j in panel.judges if j not in rank[2]] or panel.judges)
                rank = self._rank(of)  # noqa: PLW2901
                if rank[:2] < best[:2]:
                    best, labels = rank, of
        key = tuple(tuple(count * (mask >> p & 1) for mask in labels) for p, count in enumerate(panel.counts))
        if best[0]:
            group = decide(panel.question(self.trusted), Budget(BUDGET))
            if group.key is None:
                names = "these judges" if group.answer is Answer.NO else "judges whose group is not decided"
                raise BadChoice(self.trusted, f"trust must name judges that can all pass; {names} cannot")
            key = self._extended(self.trusted, group.key)
        return key, panel.failing(key)

    def _rank(self, labels: Sequence[int]) -> tuple[bool, int, set[int]]:
        """Return whether a trusted judge fails, how many judges fail, and which, by bits: patterns have one label."""
        panel, found = self.panel, set()
        for j, given in enumerate(panel.given):
            right = [panel.count(mask & label) for mask, label in zip(given, labels, strict=True)]
            if panel.measure == "overall":
                is_bad = panel.s * sum(right) <= panel.t * panel.sizes[j]
            else:
                every = union(given)
                sizes = [panel.count(every & label) for label in labels]
                is_bad = any(n and panel.s * r <= panel.t * n for r, n in zip(right, sizes, strict=True))
            if is_bad:
                found.add(j)
        return bool(found & set(self.trusted)), len(found), found

    def _labels_of(self, judges: Iterable[int]) -> list[int]:
        """Return the patterns of each label, as bits, by the plurality of some judges."""
        labels, chosen = [0 for _ in self.panel.labels], list(judges)
        for p, pattern in enumerate(self.panel.patterns):
            answers = [pattern[j] for j in chosen]
            votes = [answers.count(a) for a in self.panel.labels]
            labels[votes.index(max(votes))] |= 1 << p
        return labels

    def _extended(self, group: Sequence[int], key: Key) -> Key:
        """Return a key of all patterns that splits those of a group as its key does; others get the majority."""
        panel = self.panel
        left = {p: list(split) for p, split in zip(panel.question(group).patterns, key, strict=True)}
        majority, whole = self._labels_of(panel.judges), []
        for p, (pattern, count) in enumerate(zip(panel.patterns, panel.counts, strict=True)):
            default = [count * (mask >> p & 1) for mask in majority]
            rest = left.get(tuple([pattern[j] for j in group]))
            if rest is None:
                whole.append(tuple(default))
                continue
            row = [0 for _ in panel.labels]
            for a in sorted(panel.labels, key=lambda a: -default[a]):
                row[a] = min(count - sum(row), rest[a])
                rest[a] -= row[a]
            whole.append(tuple(row))
        return tuple(whole)

    def _take(self, key: Key) -> None:
        failing = self.panel.failing(key)
        if len(failing) < len(self.failing) and not failing & set(self.trusted):
            self.key, self.failing = key, failing

    def _improve_key(self) -> None:
        """Move questions so that one more judge passes, while that works."""
        question, tried = self.panel.whole, True
        part = Budget(None if self.budget.limit is None else self.budget.limit // 2)
        while tried and len(self.failing) > self.proven:
            tried = False
            short: dict[int, int] = dict.fromkeys(self.failing, 0)
            for j, _, size, slack in slacks(question, self.key):
                if j in short and size:
                    short[j] += max(0, 1 - slack)
            passing = [j for j in self.panel.judges if j not in self.failing]
            blocked = _mask(passing)
            order = sorted(short, key=lambda j: ((self.adjacent[j] & blocked).bit_count(), short[j]))
            for j in order[:_MAX_TRIED]:
                before = len(self.failing)
                self._take(repaired(question, self.key, part, [*passing, j]))
                if len(self.failing) < before:
                    tried = True
                    break


def _group_part(group: int, left: int) -> dict[str, Any]:
    return {"kind": "group", "group": _bits(group), "judges": _bits(left), "failures": int(left > 0)}


def _mask(judges: Iterable[int]) -> int:
    return union(1 << j for j in judges)
