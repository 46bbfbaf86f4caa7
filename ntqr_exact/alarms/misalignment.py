"""`find_misalignment`: is there any answer key under which all judges are safe? The verdict, its key or its proof."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal

from ntqr_exact.alarms.safety import BUDGET, SafetyDecision, decide
from ntqr_exact.alarms.safety_checker import FORMAT, problems
from ntqr_exact.alarms.safety_question import Question
from ntqr_exact.alarms.specification import SafetySpecification, could_be_safe_alone
from ntqr_exact.answer import Answer
from ntqr_exact.blocks.block import Block, Sentence
from ntqr_exact.blocks.value import Value
from ntqr_exact.budget import Budget
from ntqr_exact.errors import BadChoice, EmptyTest, NotVotes
from ntqr_exact.exact.show import counted, shown
from ntqr_exact.varieties.compositions import from_splits
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts

KeyRanges = Mapping[str, tuple[int, int]]
"""The least and the greatest number of questions of some labels."""

_MAX_GROUPS = 2000
"""So many groups of judges are decided by `impossible_groups`: all groups of ten judges."""

_MAX_NAMES = 8


def question_of(
    votes: VoteCounts, specification: SafetySpecification, ranges: KeyRanges | None = None
) -> Question:
    """Return the question whether all judges of some votes could be safe, in whole numbers."""
    index: dict[str | None, int | None] = {None: None}
    index.update((label, place) for place, label in enumerate(votes.labels))
    rows = [(tuple([index[one] for one in pattern]), n) for pattern, n in votes.counts.items() if n]
    own = [sum(n for row, n in rows if row[j] is not None) for j in range(len(votes.judges))]
    factors = [[specification.factor_of(label, judge) for label in votes.labels] for judge in votes.judges]
    return Question(
        tuple(row for row, _ in rows),
        tuple(n for _, n in rows),
        tuple(tuple((int(f.numerator), int(f.denominator)) for f in row) for row in factors),
        tuple(specification.least_total(questions) for questions in own),
        tuple((ranges or {}).get(label, (0, votes.size)) for label in votes.labels),
    )


@dataclass(frozen=True, slots=True)
class Misalignment(Value):
    """The verdict: YES, some key makes all judges safe; NO, there is none; or UNDECIDED within the budget.

    The judges are looked at together, at key counts within `ranges`. With `group_size` 1 only the numbers of answers of
    each judge are looked at. The document is a certificate that `check_safety_certificate` checks.
    """

    votes: VoteCounts
    specification: SafetySpecification
    group_size: Literal[1, "all"]
    ranges: KeyRanges
    decision: SafetyDecision

    @property
    def answer(self) -> Answer:
        """Whether all judges could be safe."""
        return self.decision.answer

    @property
    def is_misaligned(self) -> bool:
        """Whether the alarm fires: under every key some judge is not safe."""
        return self.answer is Answer.NO

    @property
    def witness(self) -> LabeledVoteCounts | None:
        """The answers by true label under a key that makes all judges safe, if one was found."""
        if self.decision.key is None:
            return None
        patterns = [pattern for pattern, count in self.votes.counts.items() if count]
        return from_splits(self.votes.labels, self.votes.judges, patterns, self.decision.key)

    @property
    def safe_key(self) -> dict[str, int] | None:
        """The number of questions of each label under the witness."""
        key = self.decision.key
        if key is None:
            return None
        return dict(zip(self.votes.labels, map(sum, zip(*key, strict=True)), strict=True))

    @property
    def conflicting(self) -> tuple[str, ...]:
        """The judges that the proof speaks of: they cannot all be safe."""
        used = {j for leaf in self.decision.leaves for j in (*leaf.right, *leaf.grade)}
        return tuple(name for j, name in enumerate(self.votes.judges) if j in used)

    @property
    def message(self) -> str:
        """The verdict in a sentence, without its title."""
        if self.answer is Answer.UNDECIDED:
            return "neither a safe key nor a proof was found; a greater budget may decide it"
        if self.safe_key is not None:
            return f"all judges could be safe, for example if the key has {_listed(self.safe_key)}"
        if self.answer is Answer.YES:
            return "each judge alone could be safe"
        if self.group_size == 1:
            return "the key counts at which each judge alone could be safe have nothing in common"
        return _cannot_be_safe(self.conflicting)

    def sentence(self) -> Sentence:
        """Return the verdict as a line."""
        title = {Answer.YES: "no alarm", Answer.NO: "ALARM", Answer.UNDECIDED: "undecided"}[self.answer]
        fires = None if self.answer is Answer.UNDECIDED else self.is_misaligned
        return Sentence(self.message, title, fires=fires)

    def blocks(self) -> Iterator[Block]:
        """Yield the verdict."""
        yield self.sentence()

    def to_document(self) -> dict[str, Any]:
        """Return the certificate; an undecided verdict, and one of each judge alone, have no proof."""
        votes, labels = self.votes, self.votes.labels
        document: dict[str, Any] = {
            "format": FORMAT,
            "labels": list(labels),
            "judges": list(votes.judges),
            "votes": [[list(pattern), str(count)] for pattern, count in votes.counts.items() if count],
            "factor": {
                judge: {label: str(self.specification.factor_of(label, judge)) for label in labels}
                for judge in votes.judges
            },
            "minimum_grade": str(self.specification.minimum_grade),
            "key_counts": {label: [str(low), str(high)] for label, (low, high) in self.ranges.items()},
            "answer": self.answer.value,
        }
        if self.decision.key is not None:
            document["key"] = [list(map(str, split)) for split in self.decision.key]
        elif self.decision.leaves:
            document["leaves"] = [leaf.to_document() for leaf in self.decision.leaves]
        return document


def find_misalignment(
    votes: VoteCounts,
    specification: SafetySpecification | None = None,
    *,
    group_size: Literal[1, "all"] = "all",
    key_counts: KeyRanges | None = None,
    budget: int = BUDGET,
) -> Misalignment:
    """Return whether all judges could satisfy the specification (better than half, unless given).

    `group_size` 1 looks only at how often each judge gave each label, a weaker alarm. `key_counts` limits the questions
    of some labels. `budget` is the number of steps, about a microsecond each, before the answer is UNDECIDED.

    >>> votes = VoteCounts({"ab": 1, "ba": 1})
    >>> [find_misalignment(votes, group_size=size).is_misaligned for size in (1, "all")]
    [False, True]

    Raises `EmptyTest` for no questions, `BadVotes` for factors of other labels, `BadChoice` for another group size.
    """
    specification = checked_specification(votes, specification)
    if group_size == 1:
        answer = Answer.YES if could_be_safe_alone(votes, specification) else Answer.NO
        return Misalignment(votes, specification, 1, {}, SafetyDecision(answer))
    if group_size != "all":
        raise BadChoice(
            group_size, 'group_size must be 1 or "all"', "votes.marginal(...) is a pair or a trio"
        )
    return decide_safety(votes, specification, key_counts, Budget(budget))


def checked_specification(
    votes: VoteCounts, specification: SafetySpecification | None
) -> SafetySpecification:
    """Return the specification that is meant, after a check that it fits the votes."""
    if not isinstance(votes, VoteCounts):
        raise NotVotes(votes, "votes must be VoteCounts", "labeled votes have observed()")
    specification = SafetySpecification() if specification is None else specification
    if not isinstance(specification, SafetySpecification):
        raise NotVotes(specification, "specification must be a SafetySpecification")
    if votes.size == 0:
        raise EmptyTest(votes, "votes must have a question")
    specification.check_names(votes.labels, votes.judges)
    return specification


def decide_safety(
    votes: VoteCounts, specification: SafetySpecification, ranges: KeyRanges | None, budget: Budget
) -> Misalignment:
    """Return the verdict about all judges of some votes, at key counts within ranges."""
    decision = decide(question_of(votes, specification, ranges), budget)
    return Misalignment(votes, specification, "all", dict(ranges or {}), decision)


def check_safety_certificate(document: object) -> list[str]:
    """Return the problems of a safety certificate: none if it proves its answer.

    >>> check_safety_certificate(find_misalignment(VoteCounts({"ab": 1, "ba": 1})).to_document())
    []
    """
    return problems(document)


@dataclass(frozen=True, slots=True)
class ImpossibleGroups(Value):
    """The groups that cannot all be safe and lose this if any judge leaves, each with its proof.

    `complete` says that these are all of them; otherwise some groups were undecided, or there were too many.
    """

    proofs: tuple[Misalignment, ...]
    complete: bool

    @property
    def groups(self) -> tuple[tuple[str, ...], ...]:
        """The names of the judges of each group."""
        return tuple(proof.votes.judges for proof in self.proofs)

    def blocks(self) -> Iterator[Block]:
        """Yield the groups in a sentence."""
        more = "" if self.complete else " (there may be other groups)"
        if not self.groups:
            yield Sentence(f"no group of judges was found that cannot all be safe{more}")
        elif len(self.groups) == 1:
            yield Sentence(f"{_cannot_be_safe(self.groups[0])}{more}")
        else:
            named = "; ".join(_and_joined(names) for names in self.groups[:_MAX_NAMES])
            others = len(self.groups) - _MAX_NAMES
            rest = f"; and {counted(others, 'more group')}" if others > 0 else ""
            yield Sentence(
                f"whatever the answer key, none of these groups can all be safe: {named}{rest}{more}"
            )


def impossible_groups(
    votes: VoteCounts,
    specification: SafetySpecification | None = None,
    *,
    largest: int | None = None,
    budget: int = BUDGET,
) -> ImpossibleGroups:
    """Return the irreducible groups of judges, of up to `largest` of them, that cannot all be safe.

    A group that contains an impossible one is impossible, and so is skipped. `budget` is that of all decisions.

    >>> print(impossible_groups(VoteCounts({"ab": 1, "ba": 1}, judges=["gpt", "llama"])))
    whatever the answer key, gpt and llama cannot both be safe
    """
    specification = checked_specification(votes, specification)
    judges, steps = range(len(votes.judges)), Budget(budget)
    whole = decide_safety(votes, specification, None, steps)
    if whole.answer is Answer.YES:  # and so could every smaller group
        return ImpossibleGroups((), complete=True)
    proofs: list[Misalignment] = []
    found: list[set[int]] = []
    decided, complete = 0, largest is None or largest >= len(judges)
    for size in range(1, min(len(judges), largest or len(judges)) + 1):
        for group in combinations(judges, size):
            if any(smaller <= set(group) for smaller in found):
                continue
            decided += 1
            if decided > _MAX_GROUPS:
                return ImpossibleGroups(tuple(proofs), complete=False)
            verdict = decide_safety(votes.marginal(group), specification, None, steps)
            if verdict.is_misaligned:
                proofs.append(verdict)
                found.append(set(group))
            complete = complete and verdict.answer is not Answer.UNDECIDED
    return ImpossibleGroups(tuple(proofs), complete)


def _and_joined(names: Sequence[str]) -> str:
    """Return names in a sentence.

    >>> _and_joined(["gpt", "llama", "gemini"])
    'gpt, llama and gemini'
    """
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _cannot_be_safe(names: Sequence[str]) -> str:
    """Return the sentence that some judges cannot all be safe."""
    if not names:
        return "no answer key has these key counts"
    if len(names) == 1:
        return f"whatever the answer key, {names[0]} cannot be safe"
    who = _and_joined(names) if len(names) <= _MAX_NAMES else f"these {len(names)} judges"
    return f"whatever the answer key, {who} cannot {'both' if len(names) == 2 else 'all'} be safe"


def _listed(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{shown(count)} of {label}" for label, count in counts.items())
