"""Is there any answer key under which all judges are safe? The verdict, the safe key counts, groups, the best level."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import combinations, islice
from typing import Any, Literal

from gmpy2 import mpq

from ntqr_exact.alarms.safety import BUDGET, Key, Leaf, Question, decide, judges_of
from ntqr_exact.alarms.safety_checker import FORMAT
from ntqr_exact.alarms.specification import SafetySpecification, most_questions
from ntqr_exact.answer import Answer
from ntqr_exact.blocks.block import Sentence
from ntqr_exact.blocks.value import Value
from ntqr_exact.budget import Budget
from ntqr_exact.errors import BadChoice, BadKeyCounts, BadVotes, EmptyTest, NotVotes, Undecided
from ntqr_exact.exact.rational import RationalLike
from ntqr_exact.exact.show import counted, shown
from ntqr_exact.varieties.compositions import all_key_counts, check_key_counts, from_splits
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts

KeyRanges = Mapping[str, tuple[int, int]]
"""The least and the greatest number of questions of some labels."""

GroupSize = Literal[1, "all"]

_MAX_GROUPS = 2000
"""Groups of judges that `impossible_groups` considers: all groups of ten judges."""

MAX_NAMES = 8

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
    group_size: GroupSize
    ranges: KeyRanges
    answer: Answer
    key: Key | None = None
    leaves: tuple[Leaf, ...] = ()

    @property
    def is_misaligned(self) -> bool:
        """Whether the alarm fires: under every key some judge is not safe."""
        return self.answer is Answer.NO

    @property
    def witness(self) -> LabeledVoteCounts | None:
        """The answers by true label under a key that makes all judges safe, if one was found."""
        return None if self.key is None else labeled(self.votes, self.key)

    @property
    def safe_key(self) -> dict[str, int] | None:
        """The number of questions of each label under the witness."""
        return None if self.witness is None else dict(self.witness.key_counts)

    @property
    def conflicting(self) -> tuple[str, ...]:
        """The judges that the proof is about: they cannot all be safe."""
        return tuple(self.votes.judges[j] for j in judges_of(self.leaves))

    def sentence(self) -> Sentence:
        """Return the verdict as a line."""
        if self.answer is Answer.UNDECIDED:
            text = "neither a safe key nor a proof was found; a greater budget may decide it"
            return Sentence(text, "undecided")
        if self.answer is Answer.NO:
            alone = "the key counts at which each judge alone could be safe have nothing in common"
            text = alone if self.group_size == 1 else _cannot_be_safe(self.conflicting)
            return Sentence(text, "ALARM", fires=True)
        counts = ", ".join(f"{shown(count)} of {label}" for label, count in (self.safe_key or {}).items())
        text = f"all judges could be safe, for example if the key has {counts}"
        return Sentence(text if counts else "each judge alone could be safe", "no alarm", fires=False)

    def to_document(self) -> dict[str, Any]:
        """Return the certificate; an undecided verdict, and one of each judge alone, have no proof."""
        labels, factor_of = self.votes.labels, self.specification.factor_of
        proof: dict[str, Any] = {"leaves": list(self.leaves)} if self.leaves else {}
        if self.key is not None:
            proof = {"key": [list(map(str, split)) for split in self.key]}
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
    group_size: GroupSize = "all",
    key_counts: KeyRanges | None = None,
    budget: int = BUDGET,
) -> Misalignment:
    """Return whether all judges could be safe (better than half, unless specified) on the questions that they answered.

    `group_size` 1 considers only how often each judge gave each label, without gaps: weaker. `key_counts` limits the
    questions of some labels. `budget` is the number of steps, about five million a second, before it is UNDECIDED.

    >>> votes = VoteCounts({"ab": 1, "ba": 1})
    >>> [find_misalignment(votes, group_size=size).is_misaligned for size in (1, "all")]
    [False, True]

    Raises `EmptyTest` for no questions, `BadVotes` for factors of other labels, `BadChoice` for another group size.
    """
    specification = checked_specification(votes, specification)
    if group_size == 1:
        is_empty = SafeRegion(votes, specification, 1).is_empty()
        return Misalignment(votes, specification, 1, {}, Answer.NO if is_empty else Answer.YES)
    if group_size != "all":
        raise BadChoice(group_size, 'group_size must be 1 or "all"', "marginal(...) gives a pair or trio")
    return _decided(votes, specification, key_counts, Budget(budget))


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


def _decided(
    votes: VoteCounts,
    specification: SafetySpecification,
    ranges: KeyRanges | None,
    budget: Budget,
    share: int = 1,
) -> Misalignment:
    """Return the verdict about all judges of some votes, at key counts within ranges."""
    decision = decide(_question(votes, specification, ranges or {}), budget, share)
    return Misalignment(votes, specification, "all", dict(ranges or {}), *decision)


def _question(votes: VoteCounts, specification: SafetySpecification, ranges: KeyRanges) -> Question:
    """Return the question whether all judges of some votes could be safe, in whole numbers."""
    factors = [[specification.factor_of(label, judge) for label in votes.labels] for judge in votes.judges]
    return Question(
        *indexed(votes),
        tuple(tuple((int(f.numerator), int(f.denominator)) for f in row) for row in factors),
        tuple(specification.least_total(votes.answered(judge)) for judge in votes.judges),
        tuple(ranges.get(label, (0, votes.size)) for label in votes.labels),
    )


def indexed(votes: VoteCounts) -> tuple[tuple[tuple[int | None, ...], ...], tuple[int, ...]]:
    """Return the patterns, with labels as indices, and their counts."""
    index = {label: place for place, label in enumerate(votes.labels)}
    rows = [(tuple([index.get(x) for x in pattern]), n) for pattern, n in votes.counts.items() if n]
    return tuple(row for row, _ in rows), tuple(n for _, n in rows)


@dataclass(frozen=True, slots=True)
class SafeRegion:
    """The key counts at which all judges could be safe, in the order of the counts of the first labels.

    >>> region = SafeRegion(VoteCounts({"aa": 2, "ab": 1, "bb": 3}))
    >>> region.count(), list(region), {"a": 2, "b": 4} in region
    (3, [{'a': 1, 'b': 5}, {'a': 2, 'b': 4}, {'a': 3, 'b': 3}], True)

    `group_size` 1 considers the numbers of answers of each judge alone, "all" the joint answers. `budget` is that of
    one decision. Key counts are those of all questions; each judge is safe or not on those that it answered.
    """

    votes: VoteCounts
    specification: SafetySpecification = field(default_factory=SafetySpecification)
    group_size: GroupSize = "all"
    budget: int = BUDGET

    def __post_init__(self) -> None:
        checked_specification(self.votes, self.specification)
        if self.group_size == 1:
            self.votes.without_gaps("the alarm of each judge alone")

    def contains(self, key_counts: Mapping[str, int]) -> bool:
        """Return whether all judges could be safe at these key counts.

        Raises `BadKeyCounts` for counts that no answer key of the test has, `Undecided` if the budget is too small.
        """
        key = check_key_counts(key_counts, self.votes.labels, self.votes.size)
        if self.group_size != 1:
            ends = zip(key, key, strict=True)
            return self._decided(dict(zip(self.votes.labels, ends, strict=True))).answer is Answer.YES
        least = self.specification.least_total(self.votes.size)
        rows = [self.votes.responses(judge).values() for judge in self.votes.judges]
        fits = zip(key, most_questions(self.votes, self.specification).values(), strict=True)
        # A judge is right at most min(Q_l, R_l) times on each label.
        return all(n <= most for n, most in fits) and all(sum(map(min, row, key)) >= least for row in rows)

    def __contains__(self, key_counts: object) -> bool:
        try:
            return isinstance(key_counts, Mapping) and self.contains(key_counts)
        except BadKeyCounts:
            return False

    def __iter__(self) -> Iterator[dict[str, int]]:
        return filter(self.contains, all_key_counts(self.votes.labels, self.votes.size))

    def count(self) -> int:
        """Return how many key counts are in the region."""
        return sum(1 for _ in self)

    def is_empty(self) -> bool:
        """Return whether no such key exists: then the judges are misaligned."""
        if self.group_size != 1:
            return self._decided({}).is_misaligned
        if self.specification.minimum_grade:
            return next(iter(self), None) is None
        return sum(most_questions(self.votes, self.specification).values()) < self.votes.size

    def _decided(self, ranges: KeyRanges) -> Misalignment:
        found = _decided(self.votes, self.specification, ranges, Budget(self.budget))
        if found.answer is Answer.UNDECIDED:
            raise Undecided(self.votes.size, "whether some key is safe was not decided within the budget")
        return found


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
            others = len(self.groups) - MAX_NAMES
            groups = "; ".join(map(joined, self.groups[:MAX_NAMES]))
            rest = f"; and {counted(others, 'more group')}" if others > 0 else ""
            text = f"whatever the answer key, none of these groups can all be safe: {groups}{rest}"
        return Sentence(text if self.complete else f"{text} (there may be other groups)")


def impossible_groups(
    votes: VoteCounts, specification: SafetySpecification | None = None, *, budget: int = BUDGET
) -> ImpossibleGroups:
    """Return the smallest groups of judges that cannot all be safe where they answered; `budget` is that of all.

    >>> print(impossible_groups(VoteCounts({"ab": 1, "ba": 1}, judges=["gpt", "llama"])))
    whatever the answer key, gpt and llama cannot both be safe
    """
    specification = checked_specification(votes, specification)
    judges, steps, complete = range(len(votes.judges)), Budget(budget), True
    whole = _decided(votes, specification, None, steps)
    if whole.answer is Answer.YES:  # and so could every group
        return ImpossibleGroups((), complete=True)
    proofs: dict[frozenset[int], Misalignment] = {}
    every = (group for size in judges for group in combinations(judges, size + 1))
    for group in islice(every, _MAX_GROUPS):
        own = votes.marginal(group)
        if own.size and not any(smaller <= {*group} for smaller in proofs):
            is_whole = len(group) == len(judges)
            verdict = whole if is_whole else _decided(own, specification, None, steps, share=4)
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

    def sentence(self) -> Sentence:
        """Return the level in a sentence."""
        more = f". More than {self.proven} is impossible; what lies between is undecided."
        rest = ", and not on more." if self.is_exact else more
        return Sentence(f"All judges could be right on {self.attained} of the questions of every label{rest}")


def best_level(
    votes: VoteCounts,
    *,
    minimum_grade: RationalLike = 0,
    every_label: bool = False,
    budget: int = BUDGET // 40,
) -> BestLevel:
    """Return the largest c such that all judges could be right on the share c of what they answered, on every label.

    "Some key has a level above c" is safety at the factor 1/c. `every_label` asks for a question of each label.

    >>> best_level(VoteCounts({"ab": 1, "ba": 1, "aa": 2})).attained
    mpq(3,4)

    Raises `BadVotes` for fewer questions than labels if each is to have one, or a grade that no key attains,
    `Undecided` if not even that was decided.
    """
    checked_specification(votes, None)
    if every_label and votes.size < len(votes.labels):
        needed = f"votes must have at least {len(votes.labels)} questions for every_label"
        raise BadVotes(votes.size, needed)
    ranges = dict.fromkeys(votes.labels, (1, votes.size)) if every_label else {}
    steps = Budget(budget)
    question = _question(votes, SafetySpecification(2, minimum_grade=minimum_grade), ranges)
    answer, key, _ = decide(replace(question, factors=((),) * len(votes.judges)), steps)  # without any level
    if answer is Answer.NO:
        raise BadVotes(minimum_grade, "minimum_grade must be one that some answer key attains")
    if key is None:
        raise Undecided(minimum_grade, "whether some key attains the minimum grade was not decided")
    proof, attained, proven = None, _level(question, key), mpq(1)
    low = attained  # no proof is searched below
    while low < proven and (low == attained or proven - low > _CLOSE):
        # Levels are fractions of at most Q questions: in a narrow range the next question is about the witness.
        tried = low
        if (proven - low) * votes.size**2 > 1:
            tried = nearest_fraction((low + proven) / 2, int(2 / (proven - low)) + 1)
        # Without a level any right answer is enough: a factor that no number of questions reaches.
        factor = 1 / (tried or mpq(1, votes.size + 1))
        specification = SafetySpecification(factor, minimum_grade=minimum_grade)
        found = _decided(votes, specification, ranges, steps, share=3)
        if found.key is not None:
            key = found.key
            low = attained = _level(question, key)
        elif found.is_misaligned:
            proof, proven = found, tried
        elif tried > low:
            low = tried
        else:
            break
    return BestLevel(attained, proven, labeled(votes, key), proof)


def nearest_fraction(number: mpq, largest: int) -> mpq:
    """Return the fraction next to a number whose denominator is at most `largest`."""
    return mpq(Fraction(int(number.numerator), int(number.denominator)).limit_denominator(largest))


def _level(question: Question, key: Key) -> mpq:
    """Return the least share right/Q_{j,l} of a judge on a label with questions, under a key, at factors of 2."""
    rows = ((size, slack) for _, a, size, slack in question.slacks(key) if a >= 0 and size)
    return min((mpq(slack + size, 2 * size) for size, slack in rows), default=mpq(1))


def labeled(votes: VoteCounts, key: Key) -> LabeledVoteCounts:
    """Return the answers by true label under a key."""
    patterns = [pattern for pattern, count in votes.counts.items() if count]
    return from_splits(votes.labels, votes.judges, patterns, key)


def joined(names: Sequence[str]) -> str:
    """Return names as a list in words; of many, the first ones and how many others there are."""
    if len(names) > MAX_NAMES:
        names = (*names[:MAX_NAMES], counted(len(names) - MAX_NAMES, "other"))
    return " and ".join([*filter(None, [", ".join(names[:-1])]), *names[-1:]])


def _cannot_be_safe(names: Sequence[str]) -> str:
    if not names:
        return "no answer key has these key counts"
    if len(names) == 1:
        return f"whatever the answer key, {names[0]} cannot be safe"
    return f"whatever the answer key, {joined(names)} cannot {'both' if len(names) == 2 else 'all'} be safe"
