"""`best_level`: the largest accuracy that all judges could have on every label, with a witness at it and a proof above.

The level of a key is the least right/Q_l over judges and labels with questions. All judges could satisfy a factor f
exactly if f > 1/level for some key, so that the best level says it for all factors at once. "Some key has a level above
c" is the question of joint safety at the factor 1/c, and a bisection ends at a level that a key has and none exceeds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal

from gmpy2 import mpq

from ntqr_exact.alarms.few_judges import Answer
from ntqr_exact.alarms.group_size import group_size_of
from ntqr_exact.alarms.joint_decision import MOST_NODES
from ntqr_exact.alarms.joint_safety import JointSafety, decide_safety
from ntqr_exact.alarms.specification import SafetySpecification
from ntqr_exact.errors import BadVotes, EmptyTest, Undecided
from ntqr_exact.exact.arguments import checked
from ntqr_exact.exact.json_text import write_json
from ntqr_exact.exact.rational import RationalLike, rational
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts

_STRETCHES = 6
"""So many lower levels are tried with a proof that was found."""


@dataclass(frozen=True, slots=True)
class BestLevel:
    """The best level: `attained` by the witness, exceeded by no key beyond `proven`; equal unless the effort ended.

    The proof is `None` where the level is 1, which nothing exceeds; a level of 0 needs no witness, as any key has it.
    """

    attained: mpq
    proven: mpq
    witness: JointSafety | None
    proof: JointSafety | None

    @property
    def is_exact(self) -> bool:
        """Whether the best level is known: proven and attained."""
        return self.attained == self.proven

    @property
    def factor(self) -> mpq | None:
        """All judges could be safe for every factor above this one, 1/attained; `None` if for none."""
        return 1 / self.attained if self.attained else None

    def __str__(self) -> str:
        """Return the level in words."""
        if self.is_exact:
            return f"all judges could be right on {self.attained} of the questions of every label, and not on more"
        return (
            f"all judges could be right on {self.attained} of the questions of every label; more than {self.proven} is "
            "impossible, and what lies between is undecided"
        )

    def to_document(self) -> dict[str, Any]:
        """Return the level as a JSON document, with a certificate of each side."""
        return {
            "attained": self.attained,
            "proven": self.proven,
            "factor": self.factor,
            "key_counts": self.witness and self.witness.key_counts,
            "witness": self.witness and self.witness.to_document(),
            "proof": self.proof and self.proof.to_document(),
        }

    def to_json(self) -> str:
        """Return the level as JSON, the same bytes every time."""
        return write_json(self.to_document())


@checked
def best_level(
    votes: VoteCounts,
    *,
    group_size: int | Literal["all"] = "all",
    minimum_grade: RationalLike = 0,
    every_label: bool = False,
    effort: int = MOST_NODES,
) -> BestLevel:
    """Return the largest c such that all judges could be right on the share c of the questions of every label.

    `every_label` asks for at least one question of each label: else the best key may leave one out. `group_size` is
    that of `find_misalignment`. `effort` is the number of linear programs to solve in all; if they do not suffice, the
    level lies between what is attained and what is proven.

    >>> best_level(VoteCounts({"ab": 1, "ba": 1, "aa": 2})).attained
    mpq(3,4)

    Raises `BadVotes` for fewer questions than labels if each is to have one, or a grade that no key attains,
    `Undecided` if not even that was found out.
    """
    if votes.size == 0:
        raise EmptyTest(votes, "a test without questions has no levels")
    if every_label and votes.size < len(votes.labels):
        raise BadVotes(votes.size, f"{len(votes.labels)} labels with a question each need as many questions")
    groups = list(combinations(range(len(votes.judges)), group_size_of(votes, group_size)))
    ranges = dict.fromkeys(votes.labels, (1, votes.size)) if every_label else None
    grade = rational(minimum_grade)

    def above(level: mpq, effort: int) -> JointSafety:
        # Without a level any right answer is enough: a factor that no number of questions reaches.
        factor = 1 / level if level else mpq(votes.size + 1)
        specification = SafetySpecification(factor, minimum_grade=grade)
        return decide_safety(votes, specification, groups, key_counts=ranges, effort=effort)

    return _bisected(votes, above, effort)


def _bisected(votes: VoteCounts, above: Callable[[mpq, int], JointSafety], effort: int) -> BestLevel:
    found = above(mpq(0), effort)
    if found.answer is Answer.UNDECIDED:
        raise Undecided(votes.size, "whether any key has right answers everywhere was not found out")
    if found.answer is Answer.IMPOSSIBLE:
        return BestLevel(mpq(0), mpq(0), None, found)
    witness, proof = found, None
    attained, proven = _level_of(witness.witnesses), mpq(1)
    while attained < proven:
        width = proven - attained
        # Levels are fractions of at most Q questions: in a narrow range the next question is about the witness.
        narrow = width * votes.size**2 <= 1
        tried = attained if narrow else _simplest_between(attained + width / 4, proven - width / 4)
        found = above(tried, effort)
        effort = max(0, effort - found.decision.nodes)
        if found.answer is Answer.UNDECIDED:
            break
        if found.answer is Answer.IMPOSSIBLE:
            proof, proven = _stretched(found, tried, attained)
        else:
            witness, attained = found, _level_of(found.witnesses)
    return BestLevel(attained, proven, witness, proof)


def _stretched(proof: JointSafety, proven: mpq, attained: mpq) -> tuple[JointSafety, mpq]:
    """Return the same proof for a lower level, the lowest of some tried, and that level."""
    low, level = attained, attained
    for _ in range(_STRETCHES):
        lower = proof.for_factor(1 / level)
        if lower is None:
            low = level
        else:
            proof, proven = lower, level
        if proven == attained:
            break
        level = _simplest_between(low + (proven - low) / 4, proven - (proven - low) / 4)
    return proof, proven


def _level_of(witnesses: Mapping[tuple[str, ...], LabeledVoteCounts]) -> mpq:
    """Return the least share of right answers of a judge on a label with questions."""
    return min(
        mpq(labeled.confusion(judge)[label][label], count)
        for labeled in witnesses.values()
        for label, count in labeled.key_counts.items()
        if count
        for judge in labeled.judges
    )


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
