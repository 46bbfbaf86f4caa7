"""Could groups of judges be safe? Branch and bound over the key counts, the right answers and the key itself.

At each node the linear program of `joint_rows` is either refuted, and its multipliers are a leaf of the proof; or its
solution suggests key counts, at which each group by itself is decided the same way, depth first; or a quantity that is
not whole, or asks for a right answer too few, is split. Only the groups that excluded some suggestion take part.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import permutations, product
from typing import Any, TypeAlias

from gmpy2 import mpq

from ntqr_exact.alarms.few_judges import Answer, keys_at, safe_counts
from ntqr_exact.alarms.joint_rows import Demand, JointRows, facet_at
from ntqr_exact.alarms.key_repair import plurality_key, repaired, rounded_key
from ntqr_exact.alarms.proof_checker import Bounds, Question, least_right, parts_of, proves, root
from ntqr_exact.errors import Undecided
from ntqr_exact.linear.simplex import Table, solve

Proof: TypeAlias = dict[str, Any]
"""A tree of splits and leaves as it stands in a certificate."""

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

_REMEMBERED = 6
"""So many refutations are tried before a new one is looked for."""

_KEYS_KEPT, _NEIGHBOUR_MOVES = 2000, 6
"""So many keys are remembered, and so many questions are moved in the key of a neighbour."""


@dataclass(frozen=True, slots=True)
class JointDecision:
    """The answer to a question, with the keys of all groups or the proof; `nodes` programs were solved."""

    question: Question
    answer: Answer
    keys: tuple[Key, ...] = ()
    proof: Proof | None = None
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
    if isinstance(key, dict):
        return None
    end = side * search.rows.questions(key)[label]
    return side * int(end.numerator // end.denominator)


class _Search:
    def __init__(self, question: Question, most_nodes: int) -> None:
        self.question, self.most_nodes, self.nodes = question, most_nodes, 0
        self.rows = JointRows(question, (0,))
        self.tried: set[tuple[int, ...]] = set()

    def refuted(self) -> Proof:
        bounds = root(self.question)
        if bounds is not None and len(self.question.groups) == 1:
            self._repaired(bounds, plurality_key(self.question, 0))
            key = self._solved(bounds, self.rows.room)
            if isinstance(key, dict):
                return key
            self._repaired(bounds, rounded_key(key[:-2]))
        return self._node(bounds)

    def _repaired(self, bounds: Bounds, key: list[list[int]]) -> None:
        """Look for a safe key of the only group near a key."""
        found = repaired(self.question, 0, bounds, key, _MOVES)
        if found is not None:
            raise _Found((found,))

    def _node(self, bounds: Bounds | None) -> Proof:
        """Return a proof that no key within the bounds is safe; `_Found` comes in its place if there is one."""
        if bounds is None:
            return {"leaf": []}
        key = self._solved(bounds)
        while not isinstance(key, dict):
            excluded = self._suggested(bounds, key)
            if excluded is None:
                break
            self.rows = JointRows(self.question, (*self.rows.groups, excluded))
            key = self._solved(bounds)
        if isinstance(key, dict):
            return key
        name, at, upper_first = self._split(bounds, key)
        below, above = parts_of(self.question, bounds, name, at)
        upper = self._node(above) if upper_first else None
        tree = {"split": name, "at": str(at), "below": self._node(below)}
        return {**tree, "above": self._node(above) if upper is None else upper}

    def _solved(self, bounds: Bounds, objective: Table | None = None) -> Proof | Sequence[Sequence[mpq]]:
        """Solve the program of a node, with all facets that its solution violates; a leaf refutes it."""
        demands = self.rows.first_demands(bounds)
        while True:
            if self.nodes >= self.most_nodes:
                raise _OutOfNodes
            solution = solve(self.rows.program(demands), objective)
            self.nodes += 1 + solution.pivots * len(demands) ** 2 // _STEPS
            if not solution.is_feasible:
                leaf = self.rows.leaf(demands, solution.multipliers)
                if not proves(self.question, bounds, leaf):
                    raise Undecided(bounds, "a leaf that should refute these bounds does not")
                return leaf
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
        return [
            Demand("right", group, judge, label, u, -v, w)
            for group, judge, label, right in self.rows.right(key)
            for u, v, w in [facets[label]]
            if u * right - v * questions[label] < w
        ]

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
        for name, number in self._quantities(questions, right, key):
            if number.denominator != 1:
                return name, int(number), number - int(number) > mpq(1, 2)
        # All is whole, and some group that is looked at could not be decided alone: fix the key counts.
        for label, count in enumerate(questions):
            low, high = bounds[f"questions {label}"]
            if low < high:
                return f"questions {label}", min(int(count), high - 1), int(count) > high - 1
        raise _OutOfNodes

    def _quantities(
        self,
        questions: Sequence[mpq],
        right: Sequence[tuple[int, int, int, mpq]],
        key: Sequence[Sequence[mpq]],
    ) -> Iterator[tuple[str, mpq]]:
        """Iterate over all that may be split, with its value."""
        for label, count in enumerate(questions):
            yield f"questions {label}", count
        for group, judge, label, answers in right:
            yield f"right {group} {judge} {label}", answers
        for group in self.rows.groups:
            for place in range(len(self.question.groups[group])):
                for label, number in enumerate(key[self.rows.starts[group] + place]):
                    yield f"split {group} {place} {label}", number


@dataclass
class JointPoints:
    """At which key counts one group could be safe: neighbours often share safe keys and refutations."""

    question: Question
    keys: dict[tuple[int, ...], Key] = field(default_factory=dict)
    refutations: list[Proof] = field(default_factory=list)

    def key_at(self, counts: tuple[int, ...]) -> Key | None:
        """Return a safe key with these key counts, or `None` if there is none.

        Raises `Undecided` if neither was found.
        """
        bounds = {f"questions {label}": (n, n) for label, n in enumerate(counts)}
        question = replace(self.question, bounds=bounds)
        answer, _ = safe_counts(question)
        if answer is not Answer.UNDECIDED:
            return keys_at(question, counts)[0] if answer is Answer.POSSIBLE else None
        for place, proof in enumerate(self.refutations):
            if proves(self.question, bounds, proof):
                self.refutations.insert(0, self.refutations.pop(place))
                return None
        for near in self._keys_near(counts):
            found = repaired(self.question, 0, bounds, near, _NEIGHBOUR_MOVES)
            if found is not None:
                return self._kept(counts, found)
        decision = decide(question)
        if decision.answer is Answer.UNDECIDED:
            raise Undecided(counts, "whether these key counts could be safe was not found out")
        if decision.answer is Answer.POSSIBLE:
            return self._kept(counts, decision.keys[0])
        if decision.proof and decision.proof.get("leaf"):
            self.refutations = [decision.proof, *self.refutations[: _REMEMBERED - 1]]
        return None

    def _keys_near(self, counts: tuple[int, ...]) -> Iterator[Key]:
        """Iterate over safe keys with one or two questions less of one label and more of another."""
        for step, (source, target) in product((1, 2), permutations(range(len(counts)), 2)):
            near = list(counts)
            near[source] -= step
            near[target] += step
            if tuple(near) in self.keys:
                yield self.keys[tuple(near)]

    def _kept(self, counts: tuple[int, ...], key: Key) -> Key:
        if len(self.keys) >= _KEYS_KEPT:
            self.keys.clear()
        self.keys[counts] = key
        return key
