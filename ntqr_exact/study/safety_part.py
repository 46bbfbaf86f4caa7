"""Could all judges be safe, whatever the answer key? The verdicts of judges, pairs, trios and all, with proofs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from math import comb
from typing import Any, ClassVar

from ntqr_exact.alarms.group_size import looked_at
from ntqr_exact.alarms.impossible_groups import ImpossibleGroups, impossible_groups
from ntqr_exact.alarms.misalignment import Alignment, Misalignment, find_misalignment
from ntqr_exact.alarms.specification import SafetySpecification
from ntqr_exact.blocks.block import Block, Bullets, Fold, Picture, Sentence, Table
from ntqr_exact.evaluation import CountEvaluation
from ntqr_exact.exact.arguments import checked
from ntqr_exact.exact.counted import counted
from ntqr_exact.exact.json_text import as_document
from ntqr_exact.exact.value_text import shown
from ntqr_exact.study.study import Brief, Part
from ntqr_exact.votes.counts import VoteCounts

_MOST_STEPS = 20_000
"""Key counts times groups of judges that are gone through one by one."""

_MOST_DRAWN = 2_000
"""Key counts of three labels times groups of judges that are gone through for a picture."""

_MOST_GROUPS = 60
"""Of this many groups of judges the least and the greatest safe key count are looked for."""

_MOST_JUDGES = 6
"""Of this many judges the smallest groups that cannot all be safe are looked for."""

_MOST_UNASKED = 20_000
"""Pairs, or trios, that are looked at unless sizes are given."""

EFFORT = 100
"""Linear programs to solve for a verdict in a study."""


@dataclass(frozen=True, slots=True)
class KeyRun:
    """Numbers of questions of the first label, from `first` to `last`, with one verdict."""

    first: int
    last: int
    excluded_by: tuple[str, ...]

    @property
    def is_safe(self) -> bool:
        """Whether all judges could be safe there."""
        return not self.excluded_by


def key_runs(misalignment: Misalignment) -> list[KeyRun]:
    """Return the trace of an alarm of two labels in runs of equal verdicts, from no question of a to all.

    >>> from ntqr_exact import VoteCounts, find_misalignment
    >>> key_runs(find_misalignment(VoteCounts({"aa": 2, "bb": 1})))
    [KeyRun(first=0, last=1, excluded_by=('J1', 'J2')), KeyRun(first=2, last=3, excluded_by=())]
    """
    runs = []
    for excluded_by, members in groupby(misalignment.trace(), key=lambda verdict: verdict.excluded_by):
        keys = [verdict.key_counts[misalignment.votes.labels[0]] for verdict in members]
        runs.append(KeyRun(keys[0], keys[-1], excluded_by))
    return runs


@dataclass(frozen=True, slots=True)
class SafetyVerdict:
    """A verdict, the runs of key counts of two labels if they were gone through, and the safe region if not."""

    found: Misalignment
    runs: tuple[KeyRun, ...] | None
    region: tuple[int | None, int, int] | None
    """How many key counts of two labels are safe, if counted, and the least and greatest count of the first label."""
    smallest: ImpossibleGroups | None = None
    """If all judges together cannot be safe: the smallest groups that cannot."""

    @property
    def looked_at(self) -> str:
        """Which groups of judges were looked at, in words."""
        return looked_at(self.found.votes, self.found.group_size)

    @property
    def can_be_drawn(self) -> bool:
        """Whether the region of three labels takes no long walk: it is a box, or has few key counts and groups."""
        found = self.found
        steps = comb(found.votes.size + 2, 2) * comb(len(found.votes.judges), found.group_size)
        decided = found.alignment is not Alignment.UNDECIDED
        return decided and (found.safe_region.is_box or steps <= _MOST_DRAWN)

    @property
    def verdict(self) -> str:
        """The verdict in a word."""
        return str(self.found).partition(":")[0]

    def line(self, subject: str = "") -> Sentence:
        """Return the verdict as a line, after its subject."""
        undecided = self.found.alignment is Alignment.UNDECIDED
        fires = None if undecided else self.found.is_misaligned
        return Sentence(self.words(), f"{subject}{self.looked_at}: {self.verdict}", fires=fires)

    def to_document(self) -> dict[str, Any]:
        """Return the verdict with what was asked, and the runs."""
        asked = self.found.specification
        factor = asked.factor
        document = {
            **self.found.to_document(),
            "looked_at": self.looked_at,
            "questions": self.found.votes.size,
            "factor": dict(factor) if isinstance(factor, Mapping) else factor,
            "minimum_grade": asked.minimum_grade,
        }
        more = {"impossible_groups": self.smallest, "runs": self.runs}
        return document | {name: as_document(part) for name, part in more.items() if part is not None}

    def words(self) -> str:
        """Return what the verdict says of the key counts."""
        found = self.found
        if found.is_misaligned:
            return str(self.smallest) if self.smallest is not None and self.smallest.groups else found.words
        if self.region is None:
            alone = found.group_size == 1 and len(found.votes.labels) > 2
            alone = alone and not found.specification.minimum_grade
            number = found.safe_region.count() if alone else None
            return found.words + (f" (one of {counted(number, 'such key count')})" if number else "")
        number, least, greatest = self.region
        first, size = found.votes.labels[0], found.votes.size
        gaps = "" if number in (None, greatest - least + 1) else f" (with gaps: {number} key counts)"
        asked = counted(size, "question")
        return f"all judges could be safe if {_span(least, greatest)} of the {asked} are {first}{gaps}"


@dataclass(frozen=True, slots=True)
class SafetyStudy(Part):
    """What is asked of every judge, and the verdict of each size of groups; `true_key` is drawn if it is known."""

    anchor: ClassVar[str] = "safety"
    title: ClassVar[str] = "Could all judges be safe, whatever the key?"

    specification: SafetySpecification
    verdicts: tuple[SafetyVerdict, ...]
    true_key: tuple[tuple[str, int], ...] | None = None

    @property
    def fires(self) -> bool:
        """Whether an alarm fires."""
        return any(one.found.is_misaligned for one in self.verdicts)

    @property
    def asked(self) -> str:
        """What is asked of every judge, in words."""
        factor, grade = self.specification.factor, self.specification.minimum_grade
        told = str(factor)
        if isinstance(factor, Mapping):
            told = "(" + ", ".join(f"{one} on {label}" for label, one in factor.items()) + ")"
        overall = f", and at least {grade} of all its answers are right" if grade else ""
        return f"A judge is safe if on every label {told} × its right answers > questions{overall}."

    def to_document(self) -> list[dict[str, Any]]:
        """Return the verdicts."""
        return [one.to_document() for one in self.verdicts]

    def brief(self) -> Brief:
        """Return the verdicts, and what their silence means."""
        unknown = (
            "Which judge is not safe: a logical alarm proves that under every answer key at least one of them fails."
            if self.fires
            else "Whether all judges are safe: that no alarm fires proves only that they could be."
        )
        know = "Whoever knows that the true key counts are not among the safe ones knows that some judge is not safe."
        return Brief(
            proven=(self.asked, *(one.line("Safety, ") for one in self.verdicts)),
            unknown=(unknown,),
            next_steps=() if self.fires else (know,),
        )

    def blocks(self) -> Iterator[Block]:
        """Yield what is asked, a line for each verdict, and the proofs folded."""
        yield Sentence(self.asked)
        yield Bullets(tuple(one.line() for one in self.verdicts))
        size = self.verdicts[0].found.votes.size
        caption = (
            "The most questions of each label on which every judge, by itself, could be safe; fewer than "
            f"{size} in all would be a proof"
        )
        most = tuple(self.verdicts[0].found.most_questions.items())
        yield Fold("the most questions of each label", (Table(caption, ("label", "most questions"), most),))
        for one in self.verdicts:
            if one.runs is not None:
                yield Fold(f"the proof key by key, looking at {one.looked_at}", (_trace(one),))
            elif len(one.found.votes.labels) == 2:
                many = "the key counts are too many to be listed one by one"
                yield Sentence(f"Looking at {one.looked_at}, {many}.")
        yield from self._picture()

    def _picture(self) -> Iterator[Block]:
        traced = tuple(one.found for one in self.verdicts if one.runs is not None)
        labels = self.verdicts[0].found.votes.labels
        key = dict(self.true_key) if self.true_key is not None else None
        drawn = tuple(one.found.safe_region for one in self.verdicts if len(labels) == 3 and one.can_be_drawn)
        if traced:
            caption = (
                "Key counts at which all judges could be safe (open bars), and at which some judge is not"
            )
            first = {"true_key": None if key is None else key[labels[0]]}
            yield Picture(
                "safe", f"{caption} (hatched)", "plot_safe_keys", (traced,), first, 17 + 5 * len(traced)
            )
        elif drawn:
            caption = "Key counts of three labels at which all judges could be safe"
            yield Picture(
                "safe", caption, "plot_safe_region", (drawn,), {"true_key": key}, 48 + 2 * len(drawn)
            )


@checked
def study_safety(
    votes: VoteCounts,
    specification: SafetySpecification,
    true_key: CountEvaluation | None = None,
    *,
    sizes: Iterable[int] = (),
    effort: int = EFFORT,
) -> SafetyStudy:
    """Return the verdicts from groups of some sizes: single judges, pairs, trios and all judges, unless given.

    Pairs and trios are looked at unasked where there are at most 20,000 of them.
    `effort` is the number of linear programs to solve for each before it is "undecided".
    """
    judges = len(votes.judges)
    few = (size for size in (1, 2, 3) if size <= judges and comb(judges, size) <= _MOST_UNASKED)
    chosen = list(sizes) or sorted({*few, 1, judges})
    found = [find_misalignment(votes, specification, group_size=size, effort=effort) for size in chosen]
    key = None if true_key is None else tuple(true_key.key_counts.items())
    return SafetyStudy(specification, tuple(map(safety_verdict, found)), key)


def safety_verdict(found: Misalignment) -> SafetyVerdict:
    """Return a verdict with the key counts of two labels at which all judges could be safe."""
    judges, smallest = len(found.votes.judges), None
    groups = comb(judges, found.group_size)
    if found.is_misaligned and 2 < found.group_size == judges <= _MOST_JUDGES:
        smallest = impossible_groups(found.votes, found.specification, effort=EFFORT)
    if len(found.votes.labels) != 2:
        return SafetyVerdict(found, None, None, smallest)
    if (found.votes.size + 1) * groups > _MOST_STEPS:
        known = found.safe_key is not None and groups <= _MOST_GROUPS
        ends = found.safe_region.ends(found.votes.labels[0]) if known else None
        region = None if ends is None else (None, ends[0].attained, ends[1].attained)
        return SafetyVerdict(found, None, region, smallest)
    runs = tuple(key_runs(found))
    safe = [run for run in runs if run.is_safe]
    number = sum(run.last - run.first + 1 for run in safe)
    return SafetyVerdict(found, runs, (number, safe[0].first, safe[-1].last) if safe else None, smallest)


def _trace(one: SafetyVerdict) -> Table:
    a, b = one.found.votes.labels
    rows = tuple((_span(run.first, run.last), Sentence(_then(run))) for run in one.runs or ())
    return Table(f"If so many questions are {a}, and the others {b}", (f"questions of {a}", "then"), rows)


def _span(first: int, last: int) -> str:
    return shown(first) if first == last else f"{shown(first)} to {shown(last)}"


def _then(run: KeyRun) -> str:
    if run.is_safe:
        return "all judges could be safe"
    alone = len(run.excluded_by) == 1
    return f"{'not safe' if alone else 'not all safe together'}: {', '.join(run.excluded_by)}"
