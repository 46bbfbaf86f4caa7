"""`find_misalignment`: is there any answer key under which all judges could be safe?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from itertools import combinations
from math import comb
from typing import Any

from ntqr_exact.alarms.safe_region import SafeRegion
from ntqr_exact.alarms.safe_witness import safe_choice
from ntqr_exact.alarms.specification import SafetySpecification
from ntqr_exact.errors import BadVotes, EmptyTest, NotVotes
from ntqr_exact.evaluation import CountEvaluation
from ntqr_exact.exact.counted import counted
from ntqr_exact.exact.json_text import write_json
from ntqr_exact.exact.rational import whole_number
from ntqr_exact.frozen_mapping import FrozenMapping
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts

_MOST_KEYS_LISTED = 10_000
"""A document lists up to so many key counts; a list of millions is of no use to its reader."""


class Alignment(Enum):
    """Whether all judges could be safe on this test."""

    POSSIBLE = "there are key counts at which every group of judges that was looked at could be safe"
    IMPOSSIBLE = "whatever the answer key, some judge is not safe"


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


@dataclass(frozen=True, slots=True)
class Misalignment:
    """The verdict with its witness, or with the numbers that prove that there is none.

    `most_questions[l]` is the largest number of questions of label l on which every judge, by itself, could be
    safe; fewer than Q of them in all are a proof. Otherwise `trace` proves an alarm key by key. `safe_key` are
    key counts at which all could be safe; the witnesses show how.
    """

    votes: VoteCounts
    specification: SafetySpecification
    group_size: int
    alignment: Alignment
    most_questions: Mapping[str, int]
    words: str
    safe_key: Mapping[str, int] | None = None

    def __post_init__(self) -> None:
        """Freeze the counts."""
        object.__setattr__(self, "most_questions", FrozenMapping(self.most_questions))
        if self.safe_key is not None:
            object.__setattr__(self, "safe_key", FrozenMapping(self.safe_key))

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
        if self.safe_key is None or 1 < self.group_size < len(self.votes.judges):
            return None
        return self.safe_region.witness(self.safe_key)

    @property
    def group_witnesses(self) -> dict[tuple[str, ...], LabeledVoteCounts]:
        """For every pair or trio, answers by true label at the safe key in which each of them is safe."""
        return {} if self.safe_key is None else self.safe_region.group_witnesses(self.safe_key)

    def trace(self) -> Iterator[KeyVerdict]:
        """Iterate over all key counts of two labels, from no question of the first label to all of them."""
        return _trace(self.votes, self.specification, self.group_size)

    def safe_keys(self) -> list[Mapping[str, int]]:
        """Return the key counts of two labels at which all judges could be safe."""
        if len(self.votes.labels) != 2:
            raise BadVotes(len(self.votes.labels), "safe keys are listed for two labels", "see safe_region")
        return [FrozenMapping(key) for key in self.safe_region]

    def __str__(self) -> str:
        """Return the verdict in words."""
        return f"{'ALARM' if self.is_misaligned else 'no alarm'}: {self.words}"

    def to_document(self) -> dict[str, Any]:
        """Return the verdict as a JSON document; with two labels, with all safe key counts, if they are 10 000 or less.

        If there are more, the safe region tells how many, and the first and the last.
        """
        document: dict[str, Any] = {
            "misaligned": self.is_misaligned,
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
        if len(self.votes.labels) == 2 and document["safe_region"]["count"] <= _MOST_KEYS_LISTED:
            document["safe_keys"] = [dict(key) for key in self.safe_keys()]
        return document

    def to_json(self) -> str:
        """Return the verdict as JSON, the same bytes every time."""
        return write_json(self.to_document())


def find_misalignment(
    votes: VoteCounts, specification: SafetySpecification | None = None, *, group_size: int | None = None
) -> Misalignment:
    """Return whether all judges could satisfy the specification (better than half, unless given).

    `group_size` says what is looked at: 1 takes each judge's own answers, 2 and 3 the joint answers of every
    pair or trio, at the same key counts for all; larger groups give alarms that are at least as strong. The
    default is the largest that there is: up to 3 for two labels, 1 for more.

    >>> votes = VoteCounts({"ab": 1, "ba": 1})
    >>> [find_misalignment(votes, group_size=size).is_misaligned for size in (1, 2)]
    [False, True]

    Raises `BadVotes` for a group size that is not possible here, `EmptyTest` for no questions.
    """
    specification = SafetySpecification() if specification is None else specification
    if not isinstance(votes, VoteCounts):
        raise NotVotes(votes, "alarms are found in VoteCounts", "labeled votes have observed()")
    if not isinstance(specification, SafetySpecification):
        raise NotVotes(specification, "a specification is needed", f"SafetySpecification({specification!r})")
    if votes.size == 0:
        raise EmptyTest(votes, "a test without questions has no alarms")
    largest = min(len(votes.judges), 3) if len(votes.labels) == 2 else 1
    size = largest if group_size is None else whole_number(group_size)
    if not 1 <= size <= largest:
        raise BadVotes(
            group_size,
            f"groups have 1 to {largest} judges here",
            "joint answers are looked at for two labels and up to three judges",
        )
    specification.check_labels(votes.labels)
    region = SafeRegion(votes, specification, size)
    most = region.most_questions
    bound = sum(most.values())
    if bound < votes.size:
        words = (
            f"all judges could be safe on at most {_listed(most)}, {counted(bound, 'question')} together, "
            f"but there are {votes.size}"
        )
        return Misalignment(votes, specification, size, Alignment.IMPOSSIBLE, most, words)
    if size == 1 and not specification.minimum_grade:
        key = _first_key(most, votes.size)
    else:
        found = next(iter(region), None)
        if found is None:
            kind = ("judge", "pair", "trio")[size - 1]
            keys = comb(votes.size + len(votes.labels) - 1, len(votes.labels) - 1)
            words = f"each of the {keys} possible key counts is excluded by the answers of some {kind}"
            return Misalignment(votes, specification, size, Alignment.IMPOSSIBLE, most, words)
        key = found
    return Misalignment(
        votes,
        specification,
        size,
        Alignment.POSSIBLE,
        most,
        f"all judges could be safe if the key has {_listed(key)}",
        safe_key=key,
    )


def _listed(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{count} of {label}" for label, count in counts.items())


# -- each judge by itself ----------------------------------------------------------------------------


def _first_key(most: Mapping[str, int], size: int) -> dict[str, int]:
    """Return key counts within the bounds, as many as possible of the first labels."""
    key, missing = {}, size
    for label, bound in most.items():
        key[label] = min(bound, missing)
        missing -= key[label]
    return key


# -- joint answers of two labels ---------------------------------------------------------------------


def _trace(votes: VoteCounts, specification: SafetySpecification, size: int) -> Iterator[KeyVerdict]:
    if len(votes.labels) != 2:
        raise BadVotes(len(votes.labels), "key counts are traced for two labels only")
    a, b = votes.labels
    groups = [
        (tuple(votes.judges[judge] for judge in group), votes.marginal(*group))
        for group in combinations(range(len(votes.judges)), size)
    ]
    for questions in range(votes.size + 1):
        excluded: tuple[str, ...] = ()
        for names, joint in groups:
            if safe_choice(joint, specification, questions) is None:
                excluded = names
                break
        yield KeyVerdict({a: questions, b: votes.size - questions}, excluded)
