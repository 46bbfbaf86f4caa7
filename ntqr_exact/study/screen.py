"""The first screen: the panel, the judges, whether to trust the columns, what is proven, and what to do next.

The rules of the verdict on the columns, in this order:

* *refuted by your grades*: the interval of a judge from graded questions excludes the column;
* *withheld*: the panel speaks against Dawid and Skene's estimate (see `dawid_skene`), or a covariance above 1/20 is
  proven;
* *dependent*: some covariance is proven, whatever the key;
* *premise*: the range rests on a judge that is assumed to be no worse than chance;
* *unknown*: nothing speaks for or against the columns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial as partial_call
from typing import Any, TypeVar

from gmpy2 import mpq

from ntqr_exact.alarms.failing_judges import FailingJudges, failing_judges
from ntqr_exact.alarms.misalignment import BestLevel, best_level
from ntqr_exact.blocks.block import Block, Bullets, Code, Heading, Section, Sentence, Table
from ntqr_exact.blocks.value import Value
from ntqr_exact.dependence.bounds import EvaluationWithin, evaluate_within
from ntqr_exact.dependence.tetrads import TetradBound, tetrad_bound
from ntqr_exact.errors import NtqrExactError
from ntqr_exact.evaluation import Evaluation
from ntqr_exact.evaluators.dawid_skene import DawidSkene, dawid_skene
from ntqr_exact.evaluators.majority import TiePolicy, majority_vote
from ntqr_exact.exact.json_text import write_json
from ntqr_exact.exact.show import counted, fixed_text, safe_text
from ntqr_exact.sampling.chance_agreement import agreement
from ntqr_exact.sampling.partial_key import PartialKey
from ntqr_exact.study.graded_part import GradedStudy, study_graded
from ntqr_exact.study.grades_part import right_in_all, share_right
from ntqr_exact.study.votes_study import VotesStudy
from ntqr_exact.votes.abstentions import AbstainingVotes
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts

BUDGET = mpq(1, 10)
"""The covariance at which ranges are given: the median of the true ones of 28 real panels."""

LEVELS = (mpq(1, 2), mpq(2, 3), mpq(4, 5), mpq(9, 10))
"""Levels at which the number of failing judges is given."""

MAX_COVARIANCE = mpq(1, 20)
"""Above this proven covariance an estimate that assumes independent errors is withheld."""

NOT_INFORMATIVE = mpq(1, 2)
"""A wider range is printed as "not informative"."""

MAX_JUDGES = 20
"""Judges that the table on the screen shows; the JSON document has all."""

_MAX_RANGES = 9
_MAX_LEVELS = 200
_GRADES = 50
_LEVEL_BUDGET = 1_000_000
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class JudgeRow:
    """One judge: its answers and its share of right answers, each way; `None` where there is no number."""

    judge: str
    answered: int
    majority: mpq | None
    dawid_skene: mpq | None
    within: tuple[mpq, mpq] | None
    graded: tuple[mpq, mpq] | None
    by_key: mpq | None


@dataclass(frozen=True, slots=True)
class Verdict:
    """One verdict on the columns of point estimates with its reason."""

    kind: str
    reason: str


@dataclass(frozen=True, slots=True)
class Screen(Value):
    """What the first screen shows; `left_out` names what could not be computed, and why."""

    questions: int
    labels: tuple[str, ...]
    gaps: int
    alpha: mpq | None
    judges: tuple[JudgeRow, ...]
    verdicts: tuple[Verdict, ...]
    failing: tuple[FailingJudges, ...]
    common_level: BestLevel | None
    separated: tuple[tuple[str, str], ...]
    source: str = "FILE"
    left_out: tuple[str, ...] = ()

    def blocks(self) -> Iterator[Block]:
        """Yield the four blocks."""
        yield Heading("The panel")
        yield Sentence(self._panel())
        yield Heading("The judges: share of right answers")
        yield self._table()
        yield Heading("Can you trust these columns?")
        yield Bullets(tuple(Sentence(one.reason, one.kind) for one in (*self.verdicts, self._ranking())))
        yield Heading("Proven, whatever the key")
        yield Bullets(tuple(self._proven()))
        if self.left_out:
            yield Heading("Left out")
            yield Bullets(self.left_out)
        if not any(row.by_key is not None or row.graded is not None for row in self.judges):
            yield Heading("Next: grade a random sample (fill in the column truth), and see exact intervals")
            yield Code(self._commands(), "wrapped")
        yield Sentence("Grades on each label, the independent solution and its alarms: `--details`.")

    def _panel(self) -> str:
        answers = sum(row.answered for row in self.judges)
        gaps = f"{self.gaps} of {self.gaps + answers} answers are missing" if self.gaps else "no gaps"
        alpha = "undefined" if self.alpha is None else fixed_text(self.alpha, 3)
        labels = ", ".join(self.labels[:8]) + (", …" if len(self.labels) > 8 else "")
        return (
            f"{counted(self.questions, 'question')}, {counted(len(self.judges), 'judge')}, labels {labels}; {gaps}. "
            f"Agreement beyond chance (Krippendorff's alpha): {alpha}."
        )

    def _table(self) -> Table:
        rows = self.judges[:MAX_JUDGES]
        columns: list[tuple[str, list[Any]]] = [
            ("answered", [row.answered for row in rows]),
            ("majority", [_decimal(row.majority) for row in rows]),
        ]
        withheld = any(one.kind == "withheld" for one in self.verdicts)
        cells = ["withheld" if withheld else _decimal(row.dawid_skene) for row in rows]
        columns.append(("Dawid-Skene", cells))
        if any(row.within is not None for row in rows):
            name = f"covariance ≤ {fixed_text(BUDGET, 2)}"
            columns.append((name, [_range(row.within) for row in rows]))
        if any(row.graded is not None for row in rows):
            columns.append(("from your grades", [_range(row.graded) for row in rows]))
        if any(row.by_key is not None for row in rows):
            columns.append(("with the key", [_decimal(row.by_key) for row in rows]))
        cut = f" ({MAX_JUDGES} of {len(self.judges)} judges)" if len(self.judges) > MAX_JUDGES else ""
        body = zip((row.judge for row in rows), *(cells for _, cells in columns), strict=True)
        return Table(f"In all{cut}", ("judge", *(name for name, _ in columns)), tuple(body), "judges")

    def _proven(self) -> Iterator[Sentence | str]:
        said = [one for one in self.failing if one.proven]
        for one in said[-3:]:
            yield one.sentence()
        if self.failing and not said:
            levels = ", ".join(str(one.level) for one in self.failing)
            yield f"No judge must fail: all could be better than {levels} on every label."
        if (level := self.common_level) is not None:
            most = safe_text(level.proven, 3, up=True)
            yield f"No key lets every judge be right on more than {most} of the questions of every label."

    def _ranking(self) -> Verdict:
        pairs = ", ".join(f"{better} > {worse}" for better, worse in self.separated[:5])
        more = f" and {counted(len(self.separated) - 5, 'other')}" if len(self.separated) > 5 else ""
        text = (
            f"by the ranges, if no covariance exceeds {fixed_text(BUDGET, 2)}: {pairs}{more}."
            if pairs
            else ""
        )
        return Verdict(
            "ranking", text or "the judges are not separated; only grades can tell which is better."
        )

    def _commands(self) -> str:
        number = min(_GRADES, self.questions)
        return (
            f"ntqr-exact choose {self.source} --number {number} -o sheet.csv\n"
            f"ntqr-exact graded {self.source} --grades sheet.csv --drawn at_random"
        )


@dataclass(frozen=True, slots=True)
class Evaluated:
    """The first screen with the details of a study, if they are wanted and there are any."""

    screen: Screen
    details: VotesStudy | GradedStudy | None = None

    def sections(self) -> tuple[Section, ...]:
        """Return the screen as the first section, then the details."""
        first = Section("screen", "First screen", tuple(self.screen.blocks()))
        return (first, *(self.details.sections() if self.details is not None else ()))

    def to_json(self) -> str:
        """Return screen and details as JSON."""
        details = {} if self.details is None else self.details.to_document()
        return write_json({"screen": self.screen.to_document(), **details})

    def __str__(self) -> str:
        return str(self.screen) if self.details is None else f"{self.screen}\n\n{self.details}"


def study_screen(
    votes: VoteCounts | LabeledVoteCounts | PartialKey | AbstainingVotes,
    known: Evaluation | None = None,
    *,
    level: str = "0.95",
    source: str = "FILE",
    grades: GradedStudy | None = None,
) -> Screen:
    """Return the first screen of votes, of votes with their key, or of votes with a partial key.

    `known` are the rates under the key where the key itself is not given, `grades` the study of a partial key if it has
    been made already. An abstention counts as an answer that is wrong.

    Each part has a budget of its own, and what cannot be computed is named in `left_out`.

    >>> screen = study_screen(VoteCounts({"aaa": 40, "aab": 5, "bbb": 30, "bba": 4}))
    >>> screen.judges[0].majority, screen.verdicts[0].kind
    (mpq(1,1), 'premise')
    """
    partial = votes if isinstance(votes, PartialKey) else None
    given = votes.votes if isinstance(votes, PartialKey) else votes
    labeled = given if isinstance(given, LabeledVoteCounts) else None
    observed = given if isinstance(given, VoteCounts) else given.observed()
    answers = given if isinstance(given, AbstainingVotes) else observed
    left_out: list[str] = []

    def unless_refused(name: str, compute: Callable[[], _T]) -> _T | None:
        try:
            return compute()
        except NtqrExactError as error:
            left_out.append(f"{name}: {error}")
            return None

    few = len(observed.judges) <= _MAX_RANGES
    two = len(observed.labels) == 2 and len(observed.judges) >= 2 and few
    majority = majority_vote(answers, ties=TiePolicy.FIRST_LABEL)
    estimate = dawid_skene(answers)
    bound = unless_refused("proven covariance", lambda: tetrad_bound(observed)) if two else None
    within = unless_refused("ranges", lambda: evaluate_within(observed, BUDGET)) if two else None
    if partial is not None and grades is None:
        grades = study_graded(partial, level=level)
    alpha = unless_refused("agreement", lambda: agreement(observed)) if len(observed.judges) > 1 else None
    levels = LEVELS if len(observed.judges) <= _MAX_LEVELS else LEVELS[1::2]
    if levels != LEVELS:
        left_out.append(f"failing judges at {LEVELS[0]} and {LEVELS[2]}: use `ntqr-exact alarm --level`")
    tried = [
        unless_refused(f"failing judges at {each}", partial_call(failing_judges, observed, each))
        for each in levels
    ]
    failing = tuple(one for one in tried if one is not None)
    rows = tuple(
        JudgeRow(
            judge,
            observed.answered(place),
            share_right(majority.key, place),
            estimate.accuracy[place],
            within.overall[place] if within is not None else None,
            _interval(grades, place),
            _by_key(labeled, known, place),
        )
        for place, judge in enumerate(observed.judges)
    )
    return Screen(
        observed.size,
        observed.labels,
        observed.size * len(observed.judges) - sum(row.answered for row in rows),
        alpha if isinstance(alpha, mpq) else None,
        rows,
        tuple(_verdicts(rows, estimate, bound, within)),
        failing,
        unless_refused("common level", lambda: best_level(observed, budget=_LEVEL_BUDGET)) if few else None,
        _separated(rows),
        source,
        tuple(left_out),
    )


def _by_key(labeled: LabeledVoteCounts | None, known: Evaluation | None, place: int) -> mpq | None:
    if labeled is not None:
        return share_right(labeled, place)
    if known is None:
        return None
    right = right_in_all(known, place)
    return right if isinstance(right, mpq) else None


def _verdicts(
    rows: tuple[JudgeRow, ...],
    estimate: DawidSkene,
    bound: TetradBound | None,
    within: EvaluationWithin | None,
) -> Iterator[Verdict]:
    refuted = False
    for name, column in (("majority", "majority"), ("Dawid-Skene", "dawid_skene")):
        outside = [row for row in rows if _is_outside(getattr(row, column), row.graded)]
        if outside:
            refuted, first = True, outside[0]
            value = _decimal(getattr(first, column))
            text = (
                f"{name}, for {len(outside)} of {counted(len(rows), 'judge')}: {first.judge} has {value}, "
                f"and your grades say {_range(first.graded)}."
            )
            yield Verdict("refuted by your grades", text)
    for reason in estimate.withheld:
        yield Verdict("withheld", reason.message)
    if bound is not None and bound.value:
        least = safe_text(bound.value, 3, up=False)
        strong = bound.value > MAX_COVARIANCE
        text = f"Some pair of judges has a covariance of at least {least}, whatever the key."
        yield Verdict("withheld" if strong else "dependent", text)
    if within is not None and within.assumed:
        names = " and ".join(within.assumed)
        yield Verdict("premise", f"The ranges assume that {names} is no worse than chance.")
    if not refuted and not estimate.withheld and (bound is None or not bound.value):
        yield Verdict(
            "unknown", "Nothing in the votes speaks against these columns; only grades can confirm them."
        )


def _is_outside(value: mpq | None, ends: tuple[mpq, mpq] | None) -> bool:
    return value is not None and ends is not None and not ends[0] <= value <= ends[1]


def _separated(rows: tuple[JudgeRow, ...]) -> tuple[tuple[str, str], ...]:
    return tuple(
        (one.judge, other.judge)
        for one in rows
        for other in rows
        if one.within is not None and other.within is not None and one.within[0] > other.within[1]
    )


def _interval(grades: GradedStudy | None, place: int) -> tuple[mpq, mpq] | None:
    if grades is None or not grades.intervals:
        return None
    size = max(1, grades.key.votes.answered(place))
    low, high = grades.intervals[place].central
    return mpq(low, size), mpq(high, size)


def _decimal(value: mpq | None) -> str:
    return "–" if value is None else fixed_text(value, 3)


def _range(ends: tuple[mpq, mpq] | None) -> str:
    if ends is None:
        return "–"
    if ends[1] - ends[0] > NOT_INFORMATIVE:
        return "not informative"
    return f"{safe_text(ends[0], 3, up=False)} to {safe_text(ends[1], 3, up=True)}"
