"""The first screen: the panel, the judges, whether to trust the columns, what is proven, and what to do next."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from gmpy2 import mpq

from ntqr_exact.alarms.failing_judges import FailingJudges, failing_judges
from ntqr_exact.alarms.misalignment import BestLevel, best_level
from ntqr_exact.blocks.block import Block, Bullets, Code, Heading, Picture, Sentence, Table
from ntqr_exact.blocks.value import Value
from ntqr_exact.budget import own_budget
from ntqr_exact.dependence.bounds import evaluate_within, least_dependence
from ntqr_exact.errors import NtqrExactError, TooMuchWork
from ntqr_exact.evaluation import Evaluation
from ntqr_exact.evaluators.dawid_skene import dawid_skene
from ntqr_exact.evaluators.grade import share_right
from ntqr_exact.evaluators.majority import TiePolicy, majority_vote
from ntqr_exact.exact.json_text import fields_document
from ntqr_exact.exact.show import counted, fixed_text, safe_text
from ntqr_exact.sampling.chance_agreement import agreement
from ntqr_exact.sampling.partial_key import PartialKey
from ntqr_exact.study.graded_study import GradedStudy, study_graded
from ntqr_exact.study.grades_study import right_in_all
from ntqr_exact.study.logic_study import LEVELS, failing_document
from ntqr_exact.study.verdict import Ends, JudgeRow, Reason, Verdict, column_verdict
from ntqr_exact.votes.abstentions import AbstainingVotes
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts

BUDGET = mpq(1, 10)
"""The covariance at which ranges are given: the median of the true ones of 28 real panels."""

NOT_INFORMATIVE = mpq(1, 2)
"""A wider range is printed as "not informative"."""

MAX_ROWS = 10
"""Judges that the table shows: of more, the first five and the last five by the best column there is."""

_MAX_RANGES = 9
"""Judges up to which ranges and the common level are computed."""

_MAX_LEVELS = 200
_MAX_REASONS = 5
_GRADES = 50
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Screen(Value):
    """What the first screen shows; `left_out` names what was not computed, why, and the command that does it."""

    questions: int
    labels: tuple[str, ...]
    gaps: int
    alpha: mpq | None
    judges: tuple[JudgeRow, ...]
    verdict: Verdict
    covariance: mpq | None
    """The largest covariance that is proven, whatever the key."""
    sample_covariance: mpq | None
    failing: tuple[FailingJudges, ...]
    common_level: BestLevel | None
    better: tuple[tuple[str, str], ...]
    """Pairs of a better and a worse judge: by the graded sample, else by the ranges."""
    source: str = "FILE"
    left_out: tuple[str, ...] = ()

    def to_document(self) -> dict[str, Any]:
        """Return the fields; failing judges without their proofs."""
        level = self.common_level
        ends = None if level is None else {"attained": level.attained, "proven": level.proven}
        return fields_document(self) | {"failing": failing_document(self.failing), "common_level": ends}

    def blocks(self) -> Iterator[Block]:
        """Yield the panel, the judges, the verdict, what is proven, and the next step."""
        yield Heading("The panel")
        yield Sentence(self._panel())
        yield Heading("The judges: share of right answers")
        yield self._table()
        yield self._picture()
        yield Heading("Can you trust these columns?")
        yield self.verdict.headline()
        reasons = (*self.verdict.reasons[:_MAX_REASONS], *self._ranking())
        yield Bullets(tuple(Sentence(one.text, one.kind) for one in reasons))
        yield Heading("Proven, whatever the key")
        yield Bullets(tuple(self._proven()))
        if self.left_out:
            yield Heading("Left out")
            yield Bullets(self.left_out)
        if not any(row.by_key is not None or row.graded is not None for row in self.judges):
            yield Heading("Next: grade a random sample (fill in the column truth), and see exact intervals")
            yield Code(self._commands(), "wrapped")
        yield Sentence("All judges, grades on each label, and the alarms of exact independence: `--details`.")

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
        withheld = self.verdict.kind == "withheld" or any(
            one.kind == "withheld" for one in self.verdict.reasons
        )
        columns: list[tuple[str, Callable[[JudgeRow], Any]]] = [
            ("majority", lambda row: _decimal(row.majority)),
            ("Dawid-Skene", lambda row: "withheld" if withheld else _decimal(row.dawid_skene)),
        ]
        if not any(row.sample is not None for row in self.judges):
            columns.insert(0, ("answered", lambda row: row.answered))
        if any(row.within is not None for row in self.judges):
            columns.append((f"covariance ≤ {fixed_text(BUDGET, 2)}", lambda row: _range(row.within)))
        informative = {_range(row.within_sample) for row in self.judges} - {"–", "not informative"}
        if self.sample_covariance is not None and informative:
            name = f"≤ {safe_text(self.sample_covariance, 3, up=True)} (sample)"
            columns.append((name, lambda row: _range(row.within_sample)))
        if any(row.sample is not None for row in self.judges):
            columns.append(("graded", lambda row: "{} of {}".format(*row.sample) if row.sample else "–"))
        if any(row.graded is not None for row in self.judges):
            columns.append(("from your grades", lambda row: _range(row.graded)))
        if any(row.by_key is not None for row in self.judges):
            columns.append(("with the key", lambda row: _decimal(row.by_key)))
        half, count = MAX_ROWS // 2, len(self.judges)
        best = f"The {half} best and the {half} worst of {count} judges" if count > MAX_ROWS else ""
        cells = [[str(cell(row)) for _, cell in columns] for row in self._rows()]
        widths = (max(map(len, column)) for column in zip([name for name, _ in columns], *cells, strict=True))
        room = 98 - sum(width + 2 for width in widths)  # for the names, in a line of 100 characters
        names = [_short(row.judge, max(8, min(24, room))) for row in self._rows()]
        body = tuple((name, *row) for name, row in zip(names, cells, strict=True))
        return Table(best, ("judge", *(name for name, _ in columns)), body, "judges")

    def _rows(self) -> Sequence[JudgeRow]:
        if len(self.judges) <= MAX_ROWS:
            return self.judges
        ordered = sorted(self.judges, key=_rank, reverse=True)
        return ordered[: MAX_ROWS // 2] + ordered[-(MAX_ROWS // 2) :]

    def _picture(self) -> Picture:
        names = {
            "majority": "majority",
            "dawid_skene": "Dawid-Skene",
            "within": f"covariance ≤ {fixed_text(BUDGET, 2)}",
            "graded": "from your grades",
            "by_key": "with the key",
        }
        columns = {
            name: {row.judge: getattr(row, field) for row in self._rows()} for field, name in names.items()
        }
        return Picture("judges", "Share of right answers of each judge", "plot_judge_grades", (columns,))

    def _proven(self) -> Iterator[Sentence | str]:
        proven = {one.proven: one for one in reversed(self.failing) if one.proven}  # the lowest level of each
        for one in [*reversed(proven.values())][-3:]:
            yield replace(one, must_fail=one.must_fail if len(self.judges) <= MAX_ROWS else ()).sentence()
        if self.failing and not proven:
            levels = ", ".join(str(one.level) for one in self.failing)
            yield f"No judge must fail: all could be better than {levels} on every label."
        if (level := self.common_level) is not None:
            most = safe_text(level.proven, 3, up=True)
            yield f"No key lets every judge be right on more than {most} of the questions of every label."

    def _ranking(self) -> Iterator[Reason]:
        if any(row.by_key is not None for row in self.judges):
            return
        by_grades = any(row.graded is not None for row in self.judges)
        by = "by your grades" if by_grades else f"if no covariance exceeds {fixed_text(BUDGET, 2)}"
        pairs = ", ".join(f"{_short(better)} > {_short(worse)}" for better, worse in self.better[:4])
        more = f" and {counted(len(self.better) - 4, 'other')}" if len(self.better) > 4 else ""
        text = f"{by}: {pairs}{more}." if pairs else "no judge is shown to be better than another."
        yield Reason("ranking", text)

    def _commands(self) -> str:
        number = min(_GRADES, self.questions)
        return (
            f"ntqr-exact choose {self.source} --number {number} -o sheet.csv\n"
            f"ntqr-exact graded {self.source} sheet.csv"
        )


def study_screen(
    votes: VoteCounts | LabeledVoteCounts | PartialKey | AbstainingVotes,
    known: Evaluation | None = None,
    *,
    level: str = "0.95",
    source: str = "FILE",
    grades: GradedStudy | None = None,
) -> Screen:
    """Return the first screen of votes, of votes with their key, or of votes with a partial key.

    `known` are the rates under the key where the key itself is not given, `grades` the study of a partial key if it is
    made already. An abstention counts as a wrong answer. Each part has a budget of its own, and what is not computed
    is named in `left_out`.

    >>> screen = study_screen(VoteCounts({"aaa": 40, "aab": 5, "bbb": 30, "bba": 4}))
    >>> screen.judges[0].majority, screen.verdict.kind
    (mpq(1,1), 'doubtful')
    """
    partial = votes if isinstance(votes, PartialKey) else None
    given = votes.votes if isinstance(votes, PartialKey) else votes
    labeled = given if isinstance(given, LabeledVoteCounts) else None
    observed = given if isinstance(given, VoteCounts) else given.observed()
    answers = given if isinstance(given, AbstainingVotes) else observed
    count, left_out = len(observed.judges), []

    def computed(name: str, compute: Callable[[], _T], command: str) -> _T | None:
        try:
            with own_budget():
                return compute()
        except NtqrExactError as error:
            reason = error.rule if isinstance(error, TooMuchWork) else str(error)
            left_out.append(f"{name}: {reason}; `ntqr-exact {command}`")
            return None

    if partial is not None and grades is None:
        grades = study_graded(partial, level=level)
    several = count > 1
    two = several and len(observed.labels) == 2
    dependence = f"dependence {source}"
    least = within = within_sample = common = None
    sample = grades.covariance if grades is not None else None
    if two and count <= _MAX_RANGES:
        least = computed("proven covariance", lambda: least_dependence(observed), dependence)
        budget = f"{dependence} --budget {fixed_text(BUDGET, 2)}"
        within = computed("ranges", lambda: evaluate_within(observed, BUDGET), budget)
        if sample is not None:
            seen = abs(sample.value)
            within_sample = computed("ranges", lambda: evaluate_within(observed, seen), dependence)
    elif two:
        names = ",".join(observed.judges[:3])
        reason = f"ranges and proven covariance: for at most {_MAX_RANGES} judges"
        left_out.append(f"{reason}; `ntqr-exact {dependence} --judges {names}`")
    if several and count <= _MAX_RANGES:
        best = f"alarm {source} --best-level"
        common = computed("common level", lambda: best_level(observed), best)
    alpha = computed("agreement", lambda: agreement(observed), f"agreement {source}") if several else None
    levels = LEVELS if count <= _MAX_LEVELS else LEVELS[1::2]
    failing = [
        computed(
            f"failing judges at {each}",
            lambda each=each: failing_judges(observed, each),  # type: ignore[misc]
            f"alarm {source} --level {each}",
        )
        for each in levels
    ]
    majority = majority_vote(answers, ties=TiePolicy.FIRST_LABEL)
    estimate = dawid_skene(answers)
    rows = tuple(
        JudgeRow(
            judge,
            observed.answered(index),
            share_right(majority.key, index),
            estimate.accuracy[index],
            within.overall[index] if within is not None else None,
            within_sample.overall[index] if within_sample is not None else None,
            None if grades is None else (grades.intervals[index].right, grades.intervals[index].graded),
            None if grades is None else grades.intervals[index].share,
            _by_key(labeled, known, index),
        )
        for index, judge in enumerate(observed.judges)
    )
    known_failing = tuple(one for one in failing if one is not None)
    alpha = alpha if isinstance(alpha, mpq) else None
    return Screen(
        observed.size,
        observed.labels,
        observed.size * count - sum(row.answered for row in rows),
        alpha,
        rows,
        column_verdict(
            observed,
            rows,
            estimate=estimate,
            alpha=alpha,
            failing=known_failing,
            least=least,
            assumed=() if within is None else within.assumed,
        ),
        None if least is None else least.proven,
        None if sample is None else abs(sample.value),
        known_failing,
        common,
        _better(rows, grades),
        source,
        tuple(left_out),
    )


def _by_key(labeled: LabeledVoteCounts | None, known: Evaluation | None, judge: int) -> mpq | None:
    if labeled is not None:
        return share_right(labeled, judge)
    right = None if known is None else right_in_all(known, judge)
    return right if isinstance(right, mpq) else None


def _better(rows: Sequence[JudgeRow], grades: GradedStudy | None) -> tuple[tuple[str, str], ...]:
    if grades is not None:
        return tuple(one.better for one in grades.differences if one.better is not None)
    return tuple(
        (one.judge, other.judge)
        for one in rows
        for other in rows
        if one.within is not None and other.within is not None and one.within[0] > other.within[1]
    )


def _rank(row: JudgeRow) -> mpq:
    """Return the number by which judges are ordered: by the key, the sample, or the majority."""
    if row.by_key is not None:
        return row.by_key
    return sum(row.graded, mpq(0)) / 2 if row.graded is not None else row.majority or mpq(0)


def _short(name: str, longest: int = 24) -> str:
    return name if len(name) <= longest else f"{name[: longest - 1]}…"


def _decimal(value: mpq | None) -> str:
    if value is None:
        return "–"
    return fixed_text(value, 3) + ("" if 0 <= value <= 1 else " (outside 0 to 1)")


def _range(ends: Ends | None) -> str:
    if ends is None:
        return "–"
    if ends[1] - ends[0] > NOT_INFORMATIVE:
        return "not informative"
    return f"{safe_text(ends[0], 3, up=False)} to {safe_text(ends[1], 3, up=True)}"
