"""`study_votes`: everything that the votes of a test say about the judges, computed once, as one value."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Any

from ntqr_exact.alarms.specification import SafetySpecification
from ntqr_exact.blocks.block import Section
from ntqr_exact.choice import chosen
from ntqr_exact.errors import BadChoice, EmptyTest
from ntqr_exact.evaluation import CountEvaluation, Evaluation, Undefined
from ntqr_exact.evaluators.grade import grade
from ntqr_exact.evaluators.independent import EFFORT, solve_independent
from ntqr_exact.evaluators.majority import MajorityEvaluation, TiePolicy, majority_vote
from ntqr_exact.exact.rational import RationalLike
from ntqr_exact.study.agreement import AgreementStudy, study_agreement
from ntqr_exact.study.grades import GradesStudy, best_solution, study_grades
from ntqr_exact.study.independent import IndependentStudy
from ntqr_exact.study.nearest import NearestStudy, study_nearest
from ntqr_exact.study.study import Part, Study
from ntqr_exact.study.trios import TriosStudy, study_trios
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts

GRADING = ("grades", "independent", "nearest", "agreement", "trios")
"""The parts that grade the judges: what `ntqr-exact evaluate` shows."""

Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class VotesStudy(Study):
    """A test and all that was found out about it; a part that was not asked for, or does not apply, is `None`.

    The parts stand in the order in which they are read.
    """

    votes: VoteCounts
    labeled: LabeledVoteCounts | None
    key: Evaluation | None
    majority: MajorityEvaluation
    grades: GradesStudy | None = None
    independent: IndependentStudy | None = None
    nearest: NearestStudy | None = None
    agreement: AgreementStudy | None = None
    trios: TriosStudy | None = None

    def parts(self) -> dict[str, Part]:
        """Return the parts that there are, by their names."""
        named = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: part for name, part in named.items() if isinstance(part, Part)}

    def to_document(self) -> dict[str, Any]:
        """Return votes, key and majority, and each part under its name."""
        document: dict[str, Any] = {"votes": self.votes.to_document()}
        if self.key is not None:
            document["key"] = self.key.to_document()
        document["majority"] = {
            "evaluation": self.majority.evaluation.to_document(),
            "ties": self.majority.ties,
        }
        if self.majority.reversed_evaluation is not None:
            document["majority"]["reversed"] = self.majority.reversed_evaluation.to_document()
        return document | {name: part.to_document() for name, part in self.parts().items()}

    def sections(self) -> tuple[Section, ...]:
        """Return the section of each part."""
        return tuple(part.section() for part in self.parts().values())


PARTS = GRADING


def study_votes(
    votes: VoteCounts | LabeledVoteCounts,
    key: Evaluation | CountEvaluation | None = None,
    *,
    ties: TiePolicy | str = TiePolicy.FIRST_LABEL,
    effort: int = EFFORT,
    factor: RationalLike | Mapping[str, RationalLike] | SafetySpecification = 2,
    parts: Iterable[str] = PARTS,
    progress: Progress = lambda _: None,
) -> VotesStudy:
    """Return everything about a test: grades by every evaluator, alarms with proofs, what could be true.

    `key` are grades that are known where the votes have no key of their own. `ties` says what the majority decides
    where several labels lead, `effort` how long a search for an answer key may take, `factor` what safe judges must
    satisfy. `parts` names what is studied, and `progress` is told what comes next.

    >>> found = study_votes(VoteCounts({"aaa": 2, "aab": 1, "bbb": 2}))
    >>> found.grades.estimates[0].name, found.majority.ties
    ('majority', 0)

    Raises `EmptyTest` for a test without questions.
    """
    asked = _parts(parts)
    labeled = votes if isinstance(votes, LabeledVoteCounts) else None
    observed = votes.observed() if isinstance(votes, LabeledVoteCounts) else votes
    if observed.size == 0:
        raise EmptyTest(observed, "a test without questions cannot be graded")
    judges, labels = len(observed.judges), len(observed.labels)
    known = key.rates() if isinstance(key, CountEvaluation) else key
    if labeled is not None:
        known = grade(labeled, order=min(3, judges))
    policy = chosen(ties, TiePolicy)
    progress("grades")
    majority = majority_vote(observed, ties=policy)
    solution = solve_independent(observed, effort=effort) if judges >= 3 else None
    best = best_solution(solution)
    is_trio = judges == 3 and labels == 2
    first = observed.labels[0]
    marks = {"by key": known, "majority": majority.evaluation}
    return VotesStudy(
        votes=observed,
        labeled=labeled,
        key=known,
        majority=majority,
        grades=study_grades(observed, known, majority, best, policy) if "grades" in asked else None,
        independent=IndependentStudy(
            solution,
            tuple(
                (name, one.prevalence[first])
                for name, one in marks.items()
                if one is not None and not isinstance(one.prevalence[first], Undefined)
            ),
        )
        if solution is not None and "independent" in asked
        else None,
        nearest=study_nearest(observed, best)
        if best is not None and is_trio and "nearest" in asked
        else None,
        agreement=study_agreement(observed, best) if is_trio and "agreement" in asked else None,
        trios=study_trios(observed, effort, progress) if judges > 3 and "trios" in asked else None,
    )


def _parts(names: Iterable[str]) -> frozenset[str]:
    asked = frozenset(names)
    for name in sorted(asked - frozenset(PARTS)):
        raise BadChoice(name, f"the parts of a study are {', '.join(PARTS)}")
    return asked
