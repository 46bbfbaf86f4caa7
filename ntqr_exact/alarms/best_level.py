"""`best_level`: the largest accuracy that all judges could have on every label, with a witness at it and a proof above.

The level of a key is the least right/Q_{j,l} over judges and labels with questions. All judges could satisfy a factor f
exactly if f > 1/level for some key, so that the best level says it for all factors at once. "Some key has a level above
c" is the question of safety at the factor 1/c, and a bisection ends at a level that a key has and none exceeds.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from gmpy2 import mpq

from ntqr_exact.alarms.misalignment import Misalignment, checked_specification, question_of
from ntqr_exact.alarms.safety import BUDGET, decide
from ntqr_exact.alarms.safety_question import Key, Question, slacks
from ntqr_exact.alarms.specification import SafetySpecification
from ntqr_exact.answer import Answer
from ntqr_exact.blocks.block import Block, Sentence
from ntqr_exact.blocks.value import Value
from ntqr_exact.budget import Budget
from ntqr_exact.errors import BadVotes, Undecided
from ntqr_exact.exact.rational import RationalLike
from ntqr_exact.varieties.compositions import from_splits
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts


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
    budget: int = 3 * BUDGET,
) -> BestLevel:
    """Return the largest c such that all judges could be right on the share c of the questions of every label.

    `every_label` asks for at least one question of each label: else the best key may leave one out. If the budget of
    all steps does not suffice, the level lies between what is attained and what is proven.

    >>> best_level(VoteCounts({"ab": 1, "ba": 1, "aa": 2})).attained
    mpq(3,4)

    Raises `BadVotes` for fewer questions than labels if each is to have one, or a grade that no key attains,
    `Undecided` if not even that was decided.
    """
    least = SafetySpecification(2, minimum_grade=minimum_grade)
    checked_specification(votes, least)
    if every_label and votes.size < len(votes.labels):
        raise BadVotes(
            votes.size, f"every_label needs at least {len(votes.labels)} questions, one of each label"
        )
    ranges = dict.fromkeys(votes.labels, (1, votes.size)) if every_label else None
    steps = Budget(budget)
    question = question_of(votes, least, ranges)
    # First without any level: 1·right > −1·Q holds wherever there is a question.
    free = replace(question, factors=tuple(((1, -1),) * len(votes.labels) for _ in votes.judges))
    first = decide(free, steps)
    if first.answer is Answer.NO:
        raise BadVotes(minimum_grade, "minimum_grade must be one that some answer key attains")
    if first.key is None:
        raise Undecided(minimum_grade, "whether some key attains the minimum grade was not decided")
    key, proof = first.key, None
    attained, proven = _level_of(question, key), mpq(1)
    while attained < proven:
        width = proven - attained
        # Levels are fractions of at most Q questions: in a narrow range the next question is about the witness.
        narrow = width * votes.size**2 <= 1
        tried = attained if narrow else _simplest_between(attained + width / 4, proven - width / 4)
        # Without a level any right answer is enough: a factor that no number of questions reaches.
        specification = SafetySpecification(
            1 / tried if tried else mpq(votes.size + 1), minimum_grade=minimum_grade
        )
        asked = question_of(votes, specification, ranges)
        # First whether a key has this level, then whether one exceeds it: the first proof serves the second.
        for margin in (0, 1) if not narrow else (1,):
            part = Budget(None if steps.limit is None else (steps.limit - steps.spent) // 4)
            found = decide(replace(asked, margin=margin), part)
            steps.spend(min(part.spent, 10**18) if part.limit is None else min(part.spent, part.limit))
            if found.key is not None:
                key, attained = found.key, _level_of(question, found.key)
            elif found.answer is Answer.NO:
                proof, proven = Misalignment(votes, specification, "all", dict(ranges or {}), found), tried
                break
        if found.answer is Answer.UNDECIDED:
            break
    patterns = [pattern for pattern, count in votes.counts.items() if count]
    witness = from_splits(votes.labels, votes.judges, patterns, key)
    return BestLevel(attained, proven, witness, proof)


def _level_of(question: Question, key: Key) -> mpq:
    """Return the least share of right answers of a judge on a label with questions, under a key."""
    plain = replace(question, factors=tuple(((1, 0),) * len(question.labels) for _ in question.judges))
    return min((mpq(right, size) for _, _, size, right in slacks(plain, key) if size), default=mpq(1))


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
