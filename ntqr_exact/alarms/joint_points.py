"""Which key counts a group of judges could be safe at, one after the other, each helped by those before it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import permutations, product

from ntqr_exact.alarms.answer import Answer
from ntqr_exact.alarms.few_judges import keys_at, safe_counts
from ntqr_exact.alarms.joint_decision import Key, decide
from ntqr_exact.alarms.key_repair import repaired
from ntqr_exact.alarms.proof_checker import LeafWeights, Question, leaf_holds
from ntqr_exact.errors import Undecided
from ntqr_exact.linear.tree import Leaf

_REMEMBERED = 6
"""So many refutations are tried before a new one is looked for."""

_KEYS_KEPT = 2000

_MOVES = 6
"""So many questions are moved in the key of a neighbour."""


@dataclass
class JointPoints:
    """A question about one group, with the safe keys and the last refutations: neighbours often share them."""

    question: Question
    keys: dict[tuple[int, ...], Key] = field(default_factory=dict)
    refutations: list[tuple[LeafWeights, ...]] = field(default_factory=list)

    def key_at(self, counts: tuple[int, ...]) -> Key | None:
        """Return a safe key with these key counts, or `None` if there is none.

        Raises `Undecided` if neither was found.
        """
        bounds = {f"questions {label}": (n, n) for label, n in enumerate(counts)}
        question = replace(self.question, bounds=bounds)
        answer, _ = safe_counts(question)
        if answer is not Answer.UNDECIDED:
            return keys_at(question, counts)[0] if answer is Answer.POSSIBLE else None
        for place, parts in enumerate(self.refutations):
            if leaf_holds(self.question, bounds, parts):
                self.refutations.insert(0, self.refutations.pop(place))
                return None
        for near in self._keys_near(counts):
            found = repaired(self.question, 0, bounds, near, _MOVES)
            if found is not None:
                return self._kept(counts, found)
        decision = decide(question)
        if decision.answer is Answer.UNDECIDED:
            raise Undecided(counts, "whether these key counts could be safe was not found out")
        if decision.answer is Answer.POSSIBLE:
            return self._kept(counts, decision.keys[0])
        if isinstance(decision.proof, Leaf) and decision.proof.multipliers:
            self.refutations = [decision.proof.multipliers, *self.refutations[: _REMEMBERED - 1]]
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
