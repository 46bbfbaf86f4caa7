"""Is there any answer key under which all judges are safe? The verdict, the smallest groups, and the best level."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, islice
from typing import Any, Literal

from gmpy2 import mpq

from ntqr_exact.alarms.safety import BUDGET, Key, Question, SafetyDecision, decide
from ntqr_exact.alarms.safety_checker import FORMAT
from ntqr_exact.alarms.specification import SafetySpecification, could_be_safe_alone
from ntqr_exact.answer import Answer
from ntqr_exact.blocks.block import Block, Sentence
from ntqr_exact.blocks.value import Value
from ntqr_exact.budget import Budget
from ntqr_exact.errors import BadChoice, BadVotes, EmptyTest, NotVotes, Undecided
from ntqr_exact.exact.rational import RationalLike
from ntqr_exact.exact.show import counted, shown
from ntqr_exact.varieties.compositions import from_splits
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts

KeyRanges = Mapping[str, tuple[int, int]]
"""The least and the greatest number of questions of some labels."""

_MAX_GROUPS = 2000
"""Groups of judges that `impossible_groups` considers: all groups of ten judges."""

_MAX_NAMES = 8

_CLOSE = mpq(1, 200)
"""No proof is searched so close above a level that was not decided."""


@dataclass(frozen=True, slots=True)
class Misalignment(Value):
    """The verdict: YES, some key makes all judges safe; NO, there is none; or UNDECIDED within the budget.

    It is about all judges together, at key counts within `ranges`; with `group_size` 1, only about the numbers of
    answers of each judge. The document is a certificate that `check_safety_certificate` checks.
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
        key = self.decision.key
        return None if key is None else _labeled(self.votes, key)

    @property
    def safe_key(self) -> dict[str, int] | None:
        """The number of questions of each label under the witness."""
        key = self.decision.key
        return (
            None
            if key is None
            else dict(zip(self.votes.labels, map(sum, zip(*key, strict=True)), strict=True))
        )

    @property
    def conflicting(self) -> tuple[str, ...]:
        """The judges that the proof speaks of: they cannot all be safe."""
        return tuple(self.votes.judges[j] for j in self.decision.conflicting)

    def sentence(self) -> Sentence:
        """Return the verdict as a line."""
        if self.answer is Answer.UNDECIDED:
            text = "neither a safe key nor a proof was found; a greater budget may decide it"
            return Sentence(text, "undecided")
        if self.answer is Answer.NO:
            text = "the key counts at which each judge alone could be safe have nothing in common"
            text = text if self.group_size == 1 else _cannot_be_safe(self.conflicting)
            return Sentence(text, "ALARM", fires=True)
        counts = ", ".join(f"{shown(count)} of {label}" for label, count in (self.safe_key or {}).items())
        text = f"all judges could be safe, for example if the key has {counts}"
        return Sentence(text if counts else "each judge alone could be safe", "no alarm", fires=False)

    def blocks(self) -> Iterator[Block]:
        """Yield the verdict."""
        yield self.sentence()

    def to_document(self) -> dict[str, Any]:
        """Return the certificate; an undecided verdict, and one of each judge alone, have no proof."""
        labels, factor_of = self.votes.labels, self.specification.factor_of
        proof: dict[str, Any] = {}
        if self.decision.key is not None:
            proof = {"key": [list(map(str, split)) for split in self.decision.key]}
        elif self.decision.leaves:
            proof = {"leaves": list(self.decision.leaves)}
        return {
            **votes_document(self.votes, FORMAT),
            "factor": {j: {label: str(factor_of(label, j)) for label in labels} for j in self.votes.judges},
            "minimum_grade": str(self.specification.minimum_grade),
            "key_counts": {label: list(map(str, ends)) for label, ends in self.ranges.items()},
            "answer": self.answer.value,
            **proof,
        }


def votes_document(votes: VoteCounts, form: str) -> dict[str, Any]:
    """Return the first fields of a certificate: its format and the votes."""
    rows = [[list(pattern), str(count)] for pattern, count in votes.counts.items() if count]
    return {"format": form, "labels": list(votes.labels), "judges": list(votes.judges), "votes": rows}


def find_misalignment(
    votes: VoteCounts,
    specification: SafetySpecification | None = None,
    *,
    group_size: Literal[1, "all"] = "all",
    key_counts: KeyRanges | None = None,
    budget: int = BUDGET,
) -> Misalignment:
    """Return whether all judges could satisfy the specification (better than half, unless given).

    `group_size` 1 considers only how often each judge gave each label, a weaker alarm. `key_counts` limits the
    questions of some labels. `budget` is the number of steps, about a microsecond each, before it is UNDECIDED.

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
        rule = 'group_size must be 1 or "all"'
        raise BadChoice(group_size, rule, "votes.marginal(...) is a pair or a trio")
    return decide_safety(votes, specification, key_counts, Budget(budget))


def checked_specification(
    votes: VoteCounts, specification: SafetySpecification | None
) -> SafetySpecification:
    """Return the specification, or the default one, after a check that it fits the votes."""
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
    votes: VoteCounts,
    specification: SafetySpecification,
    ranges: KeyRanges | None,
    budget: Budget,
    share: int = 1,
) -> Misalignment:
    """Return the verdict about all judges of some votes, at key counts within ranges."""
    decision = decide(question_of(votes, specification, ranges), budget, share)
    return Misalignment(votes, specification, "all", dict(ranges or {}), decision)


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
class ImpossibleGroups(Value):
    """The groups that cannot all be safe, though they could without any one of them, each with its proof.

    `complete` says that these are all of them; otherwise some groups were undecided, or there were too many.
    """

    proofs: tuple[Misalignment, ...]
    complete: bool

    @property
    def groups(self) -> tuple[tuple[str, ...], ...]:
        """The names of the judges of each group."""
        return tuple(proof.votes.judges for proof in self.proofs)

    def sentence(self) -> Sentence:
        """Return the groups in a sentence."""
        text = "no group of judges was found that cannot all be safe"
        if len(self.groups) == 1:
            text = _cannot_be_safe(self.groups[0])
        elif self.groups:
            named = "; ".join(_and_joined(names) for names in self.groups[:_MAX_NAMES])
            others = len(self.groups) - _MAX_NAMES
            rest = f"; and {counted(others, 'more group')}" if others > 0 else ""
            text = f"whatever the answer key, none of these groups can all be safe: {named}{rest}"
        return Sentence(text if self.complete else f"{text} (there may be other groups)")

    def blocks(self) -> Iterator[Block]:
        """Yield the groups in a sentence."""
        yield self.sentence()


def impossible_groups(
    votes: VoteCounts, specification: SafetySpecification | None = None, *, budget: int = BUDGET
) -> ImpossibleGroups:
    """Return the smallest groups of judges that cannot all be safe; `budget` is that of all decisions.

    >>> print(impossible_groups(VoteCounts({"ab": 1, "ba": 1}, judges=["gpt", "llama"])))
    whatever the answer key, gpt and llama cannot both be safe
    """
    specification = checked_specification(votes, specification)
    judges, steps, complete = range(len(votes.judges)), Budget(budget), True
    if decide_safety(votes, specification, None, steps).answer is Answer.YES:  # and so could every group
        return ImpossibleGroups((), complete=True)
    proofs: dict[frozenset[int], Misalignment] = {}
    every = (group for size in judges for group in combinations(judges, size + 1))
    for group in islice(every, _MAX_GROUPS):
        own = votes.marginal(group)
        if own.size and not any(smaller <= {*group} for smaller in proofs):
            verdict = decide_safety(own, specification, None, steps)
            if verdict.is_misaligned:
                proofs[frozenset(group)] = verdict
            complete = complete and verdict.answer is not Answer.UNDECIDED
    return ImpossibleGroups(tuple(proofs.values()), complete and next(every, None) is None)


@dataclass(frozen=True, slots=True)
class BestLevel(Value):
    """The best level: `attained` by the witness, exceeded by no key beyond `proven`; equal unless the budget ended.

    The proof is `None` where the level is 1, which nothing exceeds.
    """

    attained: mpq
    proven: mpq
    witness: LabeledVoteCounts
    proof: Misalignment | None

    @property
    def is_exact(self) -> bool:
        """Whether the best level is known: proven and attained."""
        return self.attained == self.proven

    @property
    def factor(self) -> mpq | None:
        """All judges could be safe for every factor above this one, 1/attained; `None` if for none."""
        return 1 / self.attained if self.attained else None

    def blocks(self) -> Iterator[Block]:
        """Yield the level in a sentence."""
        text = f"All judges could be right on {self.attained} of the questions of every label"
        if self.is_exact:
            yield Sentence(f"{text}, and not on more.")
        else:
            yield Sentence(f"{text}. More than {self.proven} is impossible; what lies between is undecided.")


def best_level(
    votes: VoteCounts,
    *,
    minimum_grade: RationalLike = 0,
    every_label: bool = False,
    budget: int = BUDGET // 2,
) -> BestLevel:
    """Return the largest c such that all judges could be right on the share c of the questions of every label.

    "Some key has a level above c" is safety at the factor 1/c: a bisection. `every_label` asks for at least one
    question of each label. If the budget does not suffice, the level lies between what is attained and proven.

    >>> best_level(VoteCounts({"ab": 1, "ba": 1, "aa": 2})).attained
    mpq(3,4)

    Raises `BadVotes` for fewer questions than labels if each is to have one, or a grade that no key attains,
    `Undecided` if not even that was decided.
    """
    checked_specification(votes, None)
    if every_label and votes.size < len(votes.labels):
        needed = f"every_label needs at least {len(votes.labels)} questions, one of each label"
        raise BadVotes(votes.size, needed)
    ranges = dict.fromkeys(votes.labels, (1, votes.size)) if every_label else {}
    steps = Budget(budget)
    question = question_of(votes, SafetySpecification(2, minimum_grade=minimum_grade), ranges)
    first = decide(replace(question, factors=((),) * len(votes.judges)), steps)  # without any level
    if first.answer is Answer.NO:
        raise BadVotes(minimum_grade, "minimum_grade must be one that some answer key attains")
    if first.key is None:
        raise Undecided(minimum_grade, "whether some key attains the minimum grade was not decided")
    key, proof = first.key, None
    attained, proven, undecided = question.level(key), mpq(1), mpq(-1)
    while max(attained, undecided) < proven and proven - undecided > _CLOSE:
        low = max(attained, undecided)
        width = proven - low
        # Levels are fractions of at most Q questions: in a narrow range the next question is about the witness.
        narrow = low == attained and width * votes.size**2 <= 1
        tried = attained if narrow else _simplest_between(low + width / 4, proven - width / 4)
        # Without a level any right answer is enough: a factor that no number of questions reaches.
        factor = 1 / tried if tried else mpq(votes.size + 1)
        specification = SafetySpecification(factor, minimum_grade=minimum_grade)
        found = decide_safety(votes, specification, ranges, steps, share=3)
        if found.decision.key is not None:
            key, attained = found.decision.key, question.level(found.decision.key)
        elif found.is_misaligned:
            proof, proven = found, tried
        else:  # more may be proven above
            undecided = tried
    return BestLevel(attained, proven, _labeled(votes, key), proof)


def _simplest_between(low: mpq, high: mpq) -> mpq:
    """Return the fraction of the least denominator from low to high, both positive (Stern and Brocot).

    >>> _simplest_between(mpq(31, 100), mpq(35, 100))
    mpq(1,3)
    """
    whole = low.numerator // low.denominator
    if whole == low:
        return low
    if whole + 1 <= high:
        return mpq(whole + 1)
    return whole + 1 / _simplest_between(1 / (high - whole), 1 / (low - whole))


def _labeled(votes: VoteCounts, key: Key) -> LabeledVoteCounts:
    patterns = [pattern for pattern, count in votes.counts.items() if count]
    return from_splits(votes.labels, votes.judges, patterns, key)


def _and_joined(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _cannot_be_safe(names: Sequence[str]) -> str:
    if not names:
        return "no answer key has these key counts"
    if len(names) == 1:
        return f"whatever the answer key, {names[0]} cannot be safe"
    who = _and_joined(names) if len(names) <= _MAX_NAMES else f"these {len(names)} judges"
    return f"whatever the answer key, {who} cannot {'both' if len(names) == 2 else 'all'} be safe"
