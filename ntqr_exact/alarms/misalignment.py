"""`find_misalignment`: is there any answer key under which all judges could be safe?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from math import comb
from typing import Any, Literal

from ntqr_exact.alarms.few_judges import Answer, safe_counts
from ntqr_exact.alarms.group_size import cannot_be_safe, group_size_of, groups_of
from ntqr_exact.alarms.joint_decision import MOST_NODES, JointPoints
from ntqr_exact.alarms.joint_safety import JointSafety, decide_safety, question_of
from ntqr_exact.alarms.safe_region import SafeRegion, common_witness
from ntqr_exact.alarms.specification import SafetySpecification
from ntqr_exact.budget import spend
from ntqr_exact.errors import BadVotes, EmptyTest, NotVotes
from ntqr_exact.evaluation import CountEvaluation
from ntqr_exact.exact.arguments import checked
from ntqr_exact.exact.counted import counted
from ntqr_exact.exact.json_text import write_json
from ntqr_exact.exact.value_text import shown
from ntqr_exact.frozen_mapping import FrozenMapping
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts

_MOST_KEYS_LISTED = 10_000
"""The most key counts that a document lists; nobody reads a list of millions."""


class Alignment(Enum):
    """Whether all judges could be safe on this test."""

    POSSIBLE = "there are key counts at which every group of judges that was looked at could be safe"
    IMPOSSIBLE = "whatever the answer key, some judge is not safe"
    UNDECIDED = "neither a safe key nor a proof that there is none was found with the effort given"


@dataclass(frozen=True, slots=True)
class KeyVerdict:
    """Whether all judges could be safe at these key counts; `excluded_by` names a group that could not."""

    key_counts: Mapping[str, int]
    excluded_by: tuple[str, ...]

    def __post_init__(self) -> None:
        """Freeze the counts."""
        object.__setattr__(self, "key_counts", FrozenMapping(self.key_counts))

    @property
    def is_safe(self) -> bool:
        """Whether no group of judges excludes these key counts."""
        return not self.excluded_by


@dataclass(frozen=True)
class Misalignment:
    """The verdict, with its witness or with the numbers that prove that there is none, made when they are asked for.

    `most_questions[l]` is the largest number of questions of label l on which every judge, by itself, could be
    safe. `safe_key` are key counts at which all could be safe, if there are any; the witnesses show how.
    """

    votes: VoteCounts
    specification: SafetySpecification
    group_size: int
    alignment: Alignment
    safe_key: Mapping[str, int] | None
    effort: int = field(default=MOST_NODES, repr=False)

    def __post_init__(self) -> None:
        """Freeze the counts."""
        if self.safe_key is not None:
            object.__setattr__(self, "safe_key", FrozenMapping(self.safe_key))

    @cached_property
    def safety(self) -> JointSafety:
        """Safe keys of all groups, or the proof that there are none; its document is a certificate."""
        return decide_safety(self.votes, self.specification, self.safe_region.groups, effort=self.effort)

    @property
    def words(self) -> str:
        """What the verdict rests on."""
        votes, most = self.votes, self.most_questions
        if self.safe_key is not None:
            return f"all judges could be safe if the key has {_listed(self.safe_key)}"
        safety = self.safety
        if self.alignment is Alignment.UNDECIDED:
            return (
                f"neither a safe key nor a proof was found in {safety.decision.nodes} linear programs; the limit is "
                f"{self.effort}, and a greater effort raises it"
            )
        bound = sum(most.values())
        if bound < votes.size:
            return (
                f"all judges could be safe on at most {_listed(most)}, {counted(bound, 'question')} together, "
                f"but there are {shown(votes.size)}"
            )
        if len(safety.blamed) == 1 and self.group_size > 1:
            return cannot_be_safe(safety.blamed[0])
        kind = ("judge", "pair", "trio")[self.group_size - 1] if self.group_size <= 3 else "group"
        keys = comb(votes.size + len(votes.labels) - 1, len(votes.labels) - 1)
        return f"each of the {shown(keys)} possible key counts is excluded by the answers of some {kind}"

    @property
    def most_questions(self) -> Mapping[str, int]:
        """What the factors allow on each label, each judge by itself."""
        return self.safe_region.most_questions

    @property
    def is_misaligned(self) -> bool:
        """Whether the alarm fires."""
        return self.alignment is Alignment.IMPOSSIBLE

    @property
    def safe_region(self) -> SafeRegion:
        """All key counts at which all judges could be safe, for any number of labels."""
        return SafeRegion(self.votes, self.specification, self.group_size)

    @property
    def witness(self) -> CountEvaluation | None:
        """An evaluation at the safe key in which every judge is safe.

        It is `None` where no key is safe, and where groups smaller than the whole were looked at each by itself;
        then `group_witnesses` has one for each.
        """
        if 1 < self.group_size < len(self.votes.judges):
            return None
        return common_witness(self.safety, self.group_size)

    @property
    def group_witnesses(self) -> dict[tuple[str, ...], LabeledVoteCounts]:
        """For every group, answers by true label at the safe key in which each of them is safe."""
        return self.safety.witnesses if self.group_size > 1 else {}

    def trace(self) -> Iterator[KeyVerdict]:
        """Iterate over all key counts of two labels, from no question of the first label to all of them."""
        votes = self.votes
        if len(votes.labels) != 2:
            raise BadVotes(len(votes.labels), "key counts are traced for two labels only")
        groups = {
            tuple(votes.judges[judge] for judge in group): JointPoints(
                question_of(votes, self.specification, [group])
            )
            for group in self.safe_region.groups
        }
        for questions in range(votes.size + 1):
            point = (questions, votes.size - questions)
            excluded = next((names for names, points in groups.items() if points.key_at(point) is None), ())
            yield KeyVerdict(dict(zip(votes.labels, point, strict=True)), excluded)

    def safe_keys(self) -> list[Mapping[str, int]]:
        """Return the key counts of two labels at which all judges could be safe."""
        if len(self.votes.labels) != 2:
            raise BadVotes(len(self.votes.labels), "safe keys are listed for two labels", "see safe_region")
        return list(self.safe_region.points())

    def __str__(self) -> str:
        """Return the verdict in words."""
        titles = {
            Alignment.POSSIBLE: "no alarm",
            Alignment.IMPOSSIBLE: "ALARM",
            Alignment.UNDECIDED: "undecided",
        }
        return f"{titles[self.alignment]}: {self.words}"

    def to_document(self) -> dict[str, Any]:
        """Return the verdict as a JSON document; with two labels, with all safe key counts, if they are 10 000 or less.

        If there are more, the safe region tells how many, and the first and the last.
        """
        document: dict[str, Any] = {
            "misaligned": self.is_misaligned,
            "alignment": self.alignment.name.lower(),
            "group_size": self.group_size,
            "words": self.words,
            "most_questions": dict(self.most_questions),
            "safe_region": self.safe_region.to_document(),
            "group_witnesses": [
                {"judges": list(judges), "votes": labeled.to_document()}
                for judges, labeled in self.group_witnesses.items()
            ],
        }
        witness = self.witness
        if witness is not None:
            document["witness"] = {"key_counts": dict(witness.key_counts), "right": list(witness.correct)}
        if self.is_misaligned:
            document["certificate"] = self.safety.to_document()
        if len(self.votes.labels) == 2 and 0 <= document["safe_region"].get("count", -1) <= _MOST_KEYS_LISTED:
            document["safe_keys"] = [dict(key) for key in self.safe_keys()]
        return document

    def to_json(self) -> str:
        """Return the verdict as JSON, the same bytes every time."""
        return write_json(self.to_document())


@checked
def find_misalignment(
    votes: VoteCounts,
    specification: SafetySpecification | None = None,
    *,
    group_size: int | Literal["all"] | None = None,
    effort: int = MOST_NODES,
) -> Misalignment:
    """Return whether all judges could satisfy the specification (better than half, unless given).

    `group_size` says what is looked at: 1 takes each judge's own answers, 2 and 3 the joint answers of every
    pair or trio, "all" those of all judges, at the same key counts for all; larger groups give alarms that are at least
    as strong. The default is 3, or all if there are fewer. `effort` is the number of linear programs to solve before
    the answer is "undecided".

    >>> votes = VoteCounts({"ab": 1, "ba": 1})
    >>> [find_misalignment(votes, group_size=size).is_misaligned for size in (1, 2)]
    [False, True]

    Raises `BadVotes` for a group size that is not possible here, `EmptyTest` for no questions.
    """
    specification = SafetySpecification() if specification is None else specification
    if not isinstance(votes, VoteCounts):
        raise NotVotes(votes, "alarms are found in VoteCounts", "labeled votes have observed()")
    if not isinstance(specification, SafetySpecification):
        raise NotVotes(specification, "a specification is needed", "such as SafetySpecification(2)")
    votes.without_gaps("safety")
    if votes.size == 0:
        raise EmptyTest(votes, "a test without questions has no alarms")
    size = group_size_of(votes, group_size)
    specification.check_labels(votes.labels)
    spend("the groups of so many judges", comb(len(votes.judges), size) * (10 + len(votes.counts) // 2))
    answer, counts = safe_counts(question_of(votes, specification, groups_of(votes, size)))
    if answer is not Answer.UNDECIDED:
        key = dict(zip(votes.labels, counts, strict=True)) if counts else None
        return Misalignment(votes, specification, size, Alignment[answer.name], key, effort)
    safety = decide_safety(votes, specification, groups_of(votes, size), effort=effort)
    alignment = Alignment[safety.answer.name]
    found = Misalignment(votes, specification, size, alignment, safety.key_counts, effort)
    vars(found)["safety"] = safety
    return found


def _listed(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{shown(count)} of {label}" for label, count in counts.items())
