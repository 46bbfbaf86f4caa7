"""Which key counts a group of judges could be safe at, one after the other, each helped by those before it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from ntqr_exact.alarms.answer import Answer
from ntqr_exact.alarms.closed_form import keys_at, safe_counts
from ntqr_exact.alarms.joint_decision import Key, decide
from ntqr_exact.alarms.key_repair import repaired
from ntqr_exact.alarms.proof_checker import LeafWeights, Question, leaf_holds
from ntqr_exact.errors import Undecided
from ntqr_exact.linear.tree import Leaf

_REMEMBERED = 6
"""So many refutations are tried before a new one is looked for."""


@dataclass
class JointPoints:
    """A question about one group, with the last safe key and the last refutations: neighbours often share them."""

    question: Question
    key: Key | None = None
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
        if self.key is not None:
            far = sum(abs(sum(row[label] for row in self.key) - n) for label, n in enumerate(counts))
            found = repaired(self.question, 0, bounds, self.key, far + 4) if far <= 8 else None
            if found is not None:
                self.key = found
                return found
        decision = decide(question)
        if decision.answer is Answer.UNDECIDED:
            raise Undecided(counts, "whether these key counts could be safe was not found out")
        if decision.answer is Answer.POSSIBLE:
            self.key = decision.keys[0]
            return self.key
        if isinstance(decision.proof, Leaf) and decision.proof.multipliers:
            self.refutations = [decision.proof.multipliers, *self.refutations[: _REMEMBERED - 1]]
        return None
