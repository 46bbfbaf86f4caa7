"""`impossible_groups`: the smallest groups of judges that cannot all be safe, whatever the answer key."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Any

from ntqr_exact.alarms.few_judges import Answer
from ntqr_exact.alarms.group_size import and_joined, cannot_be_safe
from ntqr_exact.alarms.joint_decision import MOST_NODES
from ntqr_exact.alarms.joint_safety import JointSafety, decide_safety
from ntqr_exact.alarms.specification import SafetySpecification
from ntqr_exact.errors import EmptyTest
from ntqr_exact.exact.arguments import checked
from ntqr_exact.exact.counted import counted
from ntqr_exact.exact.json_text import write_json
from ntqr_exact.votes.counts import VoteCounts

_MOST_NAMED = 8

_MOST_GROUPS = 2000
"""So many groups are decided about: all of ten judges, and pairs and trios of twenty."""


@dataclass(frozen=True, slots=True)
class ImpossibleGroups:
    """The groups that cannot all be safe and lose this if any judge leaves, each with its proof.

    `complete` says that these are all of them; otherwise some groups were not decided or not looked at.
    """

    votes: VoteCounts
    specification: SafetySpecification
    proofs: tuple[JointSafety, ...]
    complete: bool

    @property
    def groups(self) -> tuple[tuple[str, ...], ...]:
        """The names of the judges of each group."""
        return tuple(tuple(self.votes.judges[place] for place in proof.groups[0]) for proof in self.proofs)

    def __str__(self) -> str:
        """Return the groups in a sentence.

        >>> print(impossible_groups(VoteCounts({"ab": 1, "ba": 1}, judges=["gpt", "llama"])))
        whatever the answer key, gpt and llama cannot both be safe
        """
        more = "" if self.complete else " (there may be other groups)"
        if not self.groups:
            return f"no group of judges was found that cannot all be safe{more}"
        if len(self.groups) == 1:
            return f"{cannot_be_safe(self.groups[0])}{more}"
        shown = "; ".join(and_joined(names) for names in self.groups[:_MOST_NAMED])
        others = len(self.groups) - _MOST_NAMED
        rest = f"; and {counted(others, 'more group')}" if others > 0 else ""
        return f"whatever the answer key, none of these groups can all be safe: {shown}{rest}{more}"

    def to_document(self) -> dict[str, Any]:
        """Return the groups as a JSON document, with the certificate of each."""
        return {
            "groups": [list(names) for names in self.groups],
            "complete": self.complete,
            "certificates": [proof.to_document() for proof in self.proofs],
        }

    def to_json(self) -> str:
        """Return the groups as JSON, the same bytes every time."""
        return write_json(self.to_document())


@checked
def impossible_groups(
    votes: VoteCounts,
    specification: SafetySpecification | None = None,
    *,
    largest: int | None = None,
    effort: int = MOST_NODES,
) -> ImpossibleGroups:
    """Return the irreducible groups of judges, of up to `largest` of them, that cannot all be safe.

    A judge alone could always be right; a group that contains an impossible one is impossible, and so is passed over.
    """
    specification = SafetySpecification() if specification is None else specification
    if votes.size == 0:
        raise EmptyTest(votes, "a test without questions has no alarms")
    specification.check_labels(votes.labels)
    judges = range(len(votes.judges))
    found: list[JointSafety] = []
    left, complete = _MOST_GROUPS, largest is None or largest >= len(judges)
    whole = decide_safety(votes, specification, [judges], effort=effort)
    if whole.answer is Answer.POSSIBLE:  # so could every smaller group
        return ImpossibleGroups(votes, specification, (), complete=True)
    for size in range(2, min(len(judges), largest or len(judges)) + 1):
        for group in combinations(judges, size):
            if any(set(smaller.groups[0]) <= set(group) for smaller in found):
                continue
            if not left:
                return ImpossibleGroups(votes, specification, tuple(found), complete=False)
            left -= 1
            safety = decide_safety(votes, specification, [group], effort=effort)
            if safety.answer is Answer.IMPOSSIBLE:
                found.append(safety)
            complete = complete and safety.answer is not Answer.UNDECIDED
    return ImpossibleGroups(votes, specification, tuple(found), complete)
