"""Could all judges be safe, whatever the answer key? The verdicts of each judge alone and of all together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from math import comb
from typing import Any, ClassVar

from ntqr_exact.alarms.failing_judges import FailingCurve, FailingJudges, failing_curve, failing_judges
from ntqr_exact.alarms.misalignment import (
    ImpossibleGroups,
    Misalignment,
    find_misalignment,
    impossible_groups,
)
from ntqr_exact.alarms.safe_region import SafeRangeEnd, SafeRegion
from ntqr_exact.alarms.safety import BUDGET
from ntqr_exact.alarms.specification import SafetySpecification
from ntqr_exact.answer import Answer
from ntqr_exact.blocks.block import Block, Bullets, Fold, Picture, Sentence, Table
from ntqr_exact.evaluation import CountEvaluation
from ntqr_exact.exact.json_text import as_document
from ntqr_exact.exact.rational import RationalLike
from ntqr_exact.exact.show import counted
from ntqr_exact.study.study import Brief, Part
from ntqr_exact.votes.counts import VoteCounts

_MAX_JUDGES = 8
"""Of so many judges the smallest groups that cannot all be safe are searched."""

_MAX_DRAWN = 600
"""So many key counts are decided one by one for a picture."""


_MAX_CURVE = 40
"""Of so many judges and two labels the staircase of failing judges is drawn."""

LEVELS = ("2/3", "4/5", "9/10")
"""The levels at which failing judges are counted."""


@dataclass(frozen=True, slots=True)
class SafetyStudy(Part):
    """What is asked of every judge, and the verdicts; `true_key` is drawn if it is known."""

    anchor: ClassVar[str] = "safety"
    title: ClassVar[str] = "Could all judges be safe, whatever the key?"

    specification: SafetySpecification
    alone: Misalignment | None
    together: Misalignment
    smallest: ImpossibleGroups | None = None
    ranges: tuple[tuple[str, tuple[SafeRangeEnd, SafeRangeEnd]], ...] = ()
    true_key: tuple[tuple[str, int], ...] | None = None
    failing: tuple[FailingJudges, ...] = ()
    curve: FailingCurve | None = None
    grades: CountEvaluation | None = None

    @property
    def fires(self) -> bool:
        """Whether an alarm fires."""
        return self.together.is_misaligned or (self.alone is not None and self.alone.is_misaligned)

    @property
    def asked(self) -> str:
        """What is asked of every judge, in a sentence."""
        factor, grade = self.specification.factor, self.specification.minimum_grade
        text = str(factor)
        if isinstance(factor, Mapping):
            text = "(" + ", ".join(f"{one} on {label}" for label, one in factor.items()) + ")"
        overall = f", and at least {grade} of all its answers are right" if grade else ""
        return f"A judge is safe if on every label {text} × its right answers > questions{overall}."

    def to_document(self) -> dict[str, Any]:
        """Return the verdicts with their certificates."""
        parts = (self.alone, self.together, self.smallest, self.curve)
        named = zip(("alone", "together", "smallest", "curve"), map(as_document, parts), strict=True)
        failing = [
            {
                "level": one.level,
                "proven": one.proven,
                "attained": one.attained,
                "must_fail": list(one.must_fail),
            }
            for one in self.failing
        ]
        ranges = {label: as_document(list(ends)) for label, ends in self.ranges}
        return {
            "fires": self.fires,
            "failing": as_document(failing),
            "specification": as_document(self.specification),
            **{name: part for name, part in named if part is not None},
            "ranges": ranges,
        }

    def lines(self, subject: str = "") -> tuple[Sentence, ...]:
        """Return a line for each verdict."""
        found = []
        for name, verdict in (("each judge alone", self.alone), ("all judges together", self.together)):
            if verdict is not None:
                line = verdict.sentence()
                text = self._text(verdict, line.text)
                found.append(Sentence(text, f"{subject}{name}: {line.verdict}", fires=line.fires))
        return tuple(found)

    def _text(self, verdict: Misalignment, text: str) -> str:
        if verdict is not self.together:
            return text
        if self.smallest is not None and self.smallest.groups:
            return str(self.smallest)
        if self.ranges:
            label, (low, high) = self.ranges[0]
            span = str(low.proven) if low.proven == high.proven else f"{low.proven} to {high.proven}"
            questions = counted(verdict.votes.size, "question")
            return f"all judges could be safe only if {span} of the {questions} are {label}"
        return text

    def brief(self) -> Brief:
        """Return the verdicts, and what their silence means."""
        unknown = (
            "Which judge is not safe: a logical alarm proves that under every answer key at least one of them fails."
            if self.fires
            else "Whether all judges are safe: that no alarm fires proves only that they could be."
        )
        step = "If the true key counts are not among the safe ones, then some judge is not safe."
        return Brief(
            proven=(*(one.sentence() for one in self.failing), self.asked, *self.lines("Safety, ")),
            unknown=(unknown,),
            next_steps=() if self.fires else (step,),
        )

    def blocks(self) -> Iterator[Block]:
        """Yield what is asked, a line for each verdict, and the key counts of safe keys."""
        if self.failing:
            yield Bullets(tuple(one.sentence() for one in self.failing))
        if self.curve is not None:
            caption = "How many judges must fail at each level, whatever the key"
            yield Picture(
                "failing", caption, "plot_failing_judges", (self.curve,), {"truth": self.grades}, 36
            )
        yield Sentence(self.asked)
        yield Bullets(self.lines())
        if self.ranges:
            rows = tuple((label, low.proven, high.proven) for label, (low, high) in self.ranges)
            caption = "The fewest and the most questions of each label over all safe keys, proven"
            yield Fold("questions of each label", (Table(caption, ("label", "at least", "at most"), rows),))
        votes = self.together.votes
        drawn = len(votes.labels) in (2, 3) and not votes.has_gaps
        if drawn and comb(votes.size + len(votes.labels) - 1, len(votes.labels) - 1) <= _MAX_DRAWN:
            regions = tuple(SafeRegion(votes, self.specification, size) for size in (1, "all"))
            key = {"true_key": dict(self.true_key) if self.true_key is not None else None}
            caption = "Key counts at which all judges could be safe"
            yield Picture(
                "safe", caption, "plot_safe_keys", (regions,), key, 30 if len(votes.labels) == 2 else 50
            )


def study_safety(
    votes: VoteCounts,
    specification: SafetySpecification,
    true_key: CountEvaluation | None = None,
    *,
    levels: Iterable[RationalLike] = LEVELS,
    ranges: bool = False,
    budget: int = BUDGET,
) -> SafetyStudy:
    """Return the verdicts of each judge alone and of all together; with `ranges`, the key counts of safe keys.

    First comes how many judges must fail at some levels. Each verdict has the budget, and so has the search for the
    smallest groups that cannot all be safe.
    """
    together = find_misalignment(votes, specification, budget=budget)
    alone = None if votes.has_gaps else find_misalignment(votes, specification, group_size=1)
    smallest: ImpossibleGroups | None = None
    ends: tuple[tuple[str, tuple[SafeRangeEnd, SafeRangeEnd]], ...] = ()
    if together.is_misaligned and len(votes.judges) <= _MAX_JUDGES:
        smallest = impossible_groups(votes, specification, budget=budget)
    if together.answer is Answer.YES and (ranges or len(votes.labels) == 2):
        region = SafeRegion(votes, specification, budget=budget // 10)
        pairs = ((label, region.ends(label)) for label in votes.labels)
        ends = tuple((label, pair) for label, pair in pairs if pair is not None)
    key = None if true_key is None else tuple(true_key.key_counts.items())
    failing = tuple(failing_judges(votes, level, budget=budget // 10) for level in levels)
    few = len(votes.judges) <= (_MAX_CURVE if len(votes.labels) == 2 else _MAX_JUDGES)
    curve = failing_curve(votes) if few and len(votes.judges) > 1 else None
    grades = None if votes.has_gaps else true_key
    return SafetyStudy(specification, alone, together, smallest, ends, key, failing, curve, grades)
