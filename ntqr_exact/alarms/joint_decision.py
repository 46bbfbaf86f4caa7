"""Could groups of judges be safe? Branch and bound over the key counts, the right answers and the key itself.

At each node the linear program of `joint_rows` is either refuted, and its multipliers are a leaf of the proof; or its
solution suggests key counts, at which each group by itself is decided the same way, depth first; or a quantity that is
not whole, or asks for a right answer too few, is split. Only the groups that excluded some suggestion take part.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from gmpy2 import mpq

from ntqr_exact.alarms.answer import Answer
from ntqr_exact.alarms.few_judges import keys_at, safe_counts
from ntqr_exact.alarms.joint_rows import Demand, JointRows, facet_at
from ntqr_exact.alarms.key_repair import plurality_key, repaired, rounded_key
from ntqr_exact.alarms.proof_checker import (
    Bounds,
    Question,
    leaf_holds,
    least_right,
    parts_of,
    root,
)
from ntqr_exact.errors import Undecided
from ntqr_exact.linear.program import Table
from ntqr_exact.linear.simplex import solve
from ntqr_exact.linear.tree import Leaf, Split, Tree

Key: TypeAlias = tuple[tuple[int, ...], ...]
"""How many questions of each pattern of a group are of each label."""

MOST_NODES = 500
"""How many programs are solved before a question is left undecided; long ones count as several."""

_STEPS = 40_000
"""A program counts as one more for this many numbers of the simplex method, pivots times rows squared."""

_RELAXED = 12
"""So many groups are looked at together for a guess of an end."""

_MOVES = 60
"""How many questions are moved to make a key safe before another way is taken."""

_DIVE = 60
"""How many nodes a suggestion of key counts is worth."""


@dataclass(frozen=True, slots=True)
class JointDecision:
    """The answer to a question, with the keys of all groups or the proof; `nodes` programs were solved."""

    question: Question
    answer: Answer
    keys: tuple[Key, ...] = ()
    proof: Tree | None = None
    nodes: int = 0

    @property
    def key_counts(self) -> tuple[int, ...]:
        """The questions of each label under the keys."""
        return tuple(map(sum, zip(*self.keys[0], strict=True)))


class _OutOfNodes(Exception):
    """The stated number of programs was solved."""


class _Found(Exception):  # a result travels up through the tree of calls
    """Safe keys of all groups."""

    def __init__(self, keys: tuple[Key, ...]) -> None:
        self.keys = keys


def decide(question: Question, *, most_nodes: int = MOST_NODES) -> JointDecision:
    """Return whether all groups could be safe at the same key counts, within the bounds of the question."""
    answer, counts = safe_counts(question)
    if answer is Answer.POSSIBLE:
        return JointDecision(question, answer, keys=keys_at(question, counts))
    search = _Search(question, most_nodes)
    try:
        proof = search.refuted()
    except _Found as found:
        return JointDecision(question, Answer.POSSIBLE, keys=found.keys, nodes=search.nodes)
    except (_OutOfNodes, Undecided):
        return JointDecision(question, Answer.UNDECIDED, nodes=search.nodes)
    return JointDecision(question, Answer.IMPOSSIBLE, proof=proof, nodes=search.nodes)


def proof_holds(question: Question, bounds: Bounds | None, proof: Tree) -> bool:
    """Tell whether a proof shows that no key within the bounds is safe."""
    if bounds is None:
        return True
    if isinstance(proof, Leaf):
        return leaf_holds(question, bounds, proof.multipliers)
    parts = parts_of(question, bounds, proof.variable, int(proof.at))
    return all(
        proof_holds(question, part, side)
        for part, side in zip(parts, (proof.below, proof.above), strict=True)
    )


def relaxed_end(question: Question, label: int, side: int) -> int | None:
    """Return the least (side −1) or greatest Q_l over fractional keys, rounded inwards; `None` if it was not found.

    It is a guess where the whole keys end: the rows of some groups may be left out.
    """
    search = _Search(question, MOST_NODES)
    search.rows = JointRows(question, tuple(range(min(len(question.groups), _RELAXED))))
    empty = (0,) * len(question.factors)
    counts = tuple(side * (other == label) for other in range(len(question.factors)))
    bounds = root(question)
    if bounds is None:
        return None
    try:
        key = search._solved(bounds, (*((empty,) * (len(search.rows.counts) - 2)), counts, empty))
    except (_OutOfNodes, Undecided):
        return None
    if isinstance(key, Leaf):
        return None
    end = side * search.rows.questions(key)[label]
    return side * int(end.numerator // end.denominator)


class _Search:
    def __init__(self, question: Question, most_nodes: int) -> None:
        self.question, self.most_nodes, self.nodes = question, most_nodes, 0
        self.rows = JointRows(question, (0,))
        self.tried: set[tuple[int, ...]] = set()

    def refuted(self) -> Tree:
        bounds = root(self.question)
        if bounds is None:
            return Leaf(())
        if len(self.question.groups) == 1:
            self._repaired(bounds, plurality_key(self.question, 0))
            key = self._solved(bounds, self.rows.room)
            if isinstance(key, Leaf):
                return key
            self._repaired(bounds, rounded_key(key[:-2]))
        return self._node(bounds)

    def _repaired(self, bounds: Bounds, key: list[list[int]]) -> None:
        """Look for a safe key of the only group near a key."""
        found = repaired(self.question, 0, bounds, key, _MOVES)
        if found is not None:
            raise _Found((found,))

    def _node(self, bounds: Bounds | None) -> Tree:
        """Return a proof that no key within the bounds is safe; `_Found` comes in its place if there is one."""
        if bounds is None:
            return Leaf(())
        key = self._solved(bounds)
        while not isinstance(key, Leaf):
            excluded = self._suggested(bounds, key)
            if excluded is None:
                break
            self.rows = JointRows(self.question, (*self.rows.groups, excluded))
            key = self._solved(bounds)
        if isinstance(key, Leaf):
            return key
        name, at, upper_first = self._split(bounds, key)
        below, above = parts_of(self.question, bounds, name, at)
        if upper_first:
            upper = self._node(above)
            return Split(name, mpq(at), self._node(below), upper)
        return Split(name, mpq(at), self._node(below), self._node(above))

    def _solved(self, bounds: Bounds, objective: Table | None = None) -> Leaf | Sequence[Sequence[mpq]]:
        """Solve the program of a node, with all facets that its solution violates."""
        demands = self.rows.first_demands(bounds)
        while True:
            if self.nodes >= self.most_nodes:
                raise _OutOfNodes
            solution = solve(self.rows.program(demands), objective)
            self.nodes += 1 + solution.pivots * len(demands) ** 2 // _STEPS
            if not solution.is_feasible:
                parts = self.rows.weights(demands, solution.multipliers)
                if not leaf_holds(self.question, bounds, parts):
                    raise Undecided(bounds, "a leaf that should refute these bounds does not")
                return Leaf(parts)
            violated = self._violated(bounds, solution.key)
            if not violated:
                return solution.key
            demands += violated

    def _violated(self, bounds: Bounds, key: Sequence[Sequence[mpq]]) -> list[Demand]:
        questions = self.rows.questions(key)
        facets = [
            facet_at(self.question, label, *bounds[f"questions {label}"], q)
            for label, q in enumerate(questions)
        ]
        found = []
        for group, judge, label, right in self.rows.right(key):
            u, v, w = facets[label]
            if u * right - v * questions[label] < w:
                found.append(self.rows.facet_demand(group, judge, label, facets[label]))
        return found

    # -- suggestions -----------------------------------------------------------------------------------

    def _suggested(self, bounds: Bounds, key: Sequence[Sequence[mpq]]) -> int | None:
        """Try the key counts of a solution, rounded; return a group, not looked at yet, that excludes them.

        `None` says that no such group was found. Raises `_Found` if every group has a safe key.
        """
        counts = self._rounded(bounds, self.rows.questions(key))
        groups = range(len(self.question.groups))
        if counts is None or (counts in self.tried and len(self.rows.groups) == len(groups)):
            return None
        found = self._whole_keys(key)
        if len(groups) == 1 and not found and all(low == high for low, high in self._ranges(bounds)):
            return None  # deciding about these key counts is what goes on here
        self.tried.add(counts)
        for group in (*self.rows.groups, *(group for group in groups if group not in self.rows.groups)):
            if group not in found:
                decision = self._alone(group, counts)
                if decision.answer is not Answer.POSSIBLE:
                    return None if group in self.rows.groups else group
                found[group] = decision.keys[0]
        raise _Found(tuple(found[group] for group in groups))

    def _whole_keys(self, key: Sequence[Sequence[mpq]]) -> dict[int, Key]:
        """Return the keys of a solution that are whole and safe."""
        counts = self.rows.questions(key)
        if any(x.denominator != 1 for x in counts):
            return {}
        short = {
            group
            for group, _, label, right in self.rows.right(key)
            if right < least_right(self.question, label, int(counts[label]))
        }
        found = {}
        for group, start in self.rows.starts.items():
            splits = key[start : start + len(self.question.groups[group])]
            if group not in short and all(x.denominator == 1 for split in splits for x in split):
                found[group] = tuple(tuple(map(int, split)) for split in splits)
        return found

    def _alone(self, group: int, counts: tuple[int, ...]) -> JointDecision:
        """Decide about one group at fixed key counts."""
        bounds = {f"questions {label}": (n, n) for label, n in enumerate(counts)}
        alone = replace(self.question, groups=(self.question.groups[group],), bounds=bounds)
        decision = decide(alone, most_nodes=min(_DIVE, max(1, self.most_nodes - self.nodes)))
        self.nodes += decision.nodes or 1
        if self.nodes >= self.most_nodes and len(self.question.groups) > self.most_nodes:
            raise _OutOfNodes
        return decision

    def _rounded(self, bounds: Bounds, questions: Sequence[mpq]) -> tuple[int, ...] | None:
        """Return whole key counts near the given ones, within the bounds."""
        counts = [int(q) for q in questions]
        by_rest = sorted(range(len(counts)), key=lambda label: (counts[label] - questions[label], label))
        for label in by_rest[: self.question.size - sum(counts)]:
            counts[label] += 1
        within = all(
            low <= count <= high for count, (low, high) in zip(counts, self._ranges(bounds), strict=True)
        )
        return tuple(counts) if within else None

    def _ranges(self, bounds: Bounds) -> list[tuple[int, int]]:
        return [bounds[f"questions {label}"] for label in range(len(self.question.factors))]

    # -- splits ----------------------------------------------------------------------------------------

    def _split(self, bounds: Bounds, key: Sequence[Sequence[mpq]]) -> tuple[str, int, bool]:
        """Return which quantity is split where, and whether the upper part is looked at first."""
        questions = self.rows.questions(key)
        right = list(self.rows.right(key))
        for _, _, label, answers in right:
            low, high = bounds[f"questions {label}"]
            q = int(questions[label])
            if low < high and answers < least_right(self.question, label, q + (questions[label] > q)):
                # Near 0 a hull is far from its points: labels without questions are a case of their own.
                at = 0 if low == 0 else min(q, high - 1)
                return f"questions {label}", at, questions[label] - at > mpq(1, 2)
        for label, count in enumerate(questions):
            if count.denominator != 1:
                return f"questions {label}", int(count), count - int(count) > mpq(1, 2)
        for group, judge, label, answers in right:
            if answers.denominator != 1:
                return f"right {group} {judge} {label}", int(answers), answers - int(answers) > mpq(1, 2)
        for group in self.rows.groups:
            for place in range(len(self.question.groups[group])):
                for label, number in enumerate(key[self.rows.starts[group] + place]):
                    if number.denominator != 1:
                        name = f"split {group} {place} {label}"
                        return name, int(number), number - int(number) > mpq(1, 2)
        # All is whole, and some group that is looked at could not be decided alone: fix the key counts.
        for label, count in enumerate(questions):
            low, high = bounds[f"questions {label}"]
            if low < high:
                return f"questions {label}", min(int(count), high - 1), int(count) > high - 1
        raise _OutOfNodes
