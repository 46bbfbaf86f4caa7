"""The first screen: the panel, the judges, whether to trust the columns, what is proven, and what to do next."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields
from typing import Any

from gmpy2 import mpq

from ntqr_exact.alarms.failing_judges import FailingJudges, failing_judges
from ntqr_exact.alarms.misalignment import BestLevel, best_level, impossible_groups
from ntqr_exact.alarms.safety import BUDGET as SAFETY_BUDGET
from ntqr_exact.alarms.specification import SafetySpecification
from ntqr_exact.blocks.block import Block, Bullets, Code, Heading, Picture, Sentence, Table, range_text
from ntqr_exact.blocks.value import Value
from ntqr_exact.budget import accounted, check_work
from ntqr_exact.dependence.bounds import EvaluationWithin, LeastDependence, evaluate_within, least_dependence
from ntqr_exact.errors import NotVotes, NtqrExactError, TooMuchWork
from ntqr_exact.evaluation import Evaluation
from ntqr_exact.evaluators.dawid_skene import DawidSkene, dawid_skene
from ntqr_exact.evaluators.grade import share_right
from ntqr_exact.evaluators.majority import MajorityEvaluation, TiePolicy, majority_vote
from ntqr_exact.exact.json_text import as_document
from ntqr_exact.exact.show import counted, fixed_text, safe_text
from ntqr_exact.sampling.chance_agreement import agreement
from ntqr_exact.sampling.partial_key import PartialKey
from ntqr_exact.study.grades_study import GradedStudy, right_in_all, study_graded
from ntqr_exact.study.logic_study import LEVELS, failing_document
from ntqr_exact.study.verdict import (
    Ends,
    JudgeRow,
    Reason,
    Verdict,
    better_pairs,
    ranked,
    to_separate,
    verdict_on,
)
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts

BUDGET = mpq(1, 10)
"""The covariance at which ranges are given: the median of the true ones of 28 real panels."""

PARTS = 10
"""A computation of a study may take this part of the work limit, so that none of them starves another."""

MAX_ROWS = 10
"""Judges that the table shows: of more, the first five and the last five by the best column there is."""

_MAX_RANGES = MAX_ROWS
"""Judges up to which ranges, impossible groups and the common level are computed."""

_MAX_LEVELS = 200
_CELLS_OF_A_STEP = 4
"""Of the table of patterns and judges: at the default limit, failing judges of 4 million cells are counted."""
_MAX_REASONS, _MAX_NAMED, _MAX_NAME = 4, 3, 24
_GRADES = 50
_GROUPS = SAFETY_BUDGET // 100
_WIDTH = 98
_AT_BUDGET = f"covariance ≤ {fixed_text(BUDGET, 2)}"
_IN_PARTS = {"majority", "dawid_skene", "least", "within", "failing", "common_level", "grades", "staircase"}


@dataclass(frozen=True, slots=True)
class Screen(Value):
    """What the first screen shows; `left_out` names what was not computed, why, and the command that does it."""

    questions: int
    labels: tuple[str, ...]
    gaps: int
    alpha: mpq | None
    judges: tuple[JudgeRow, ...]
    verdict: Verdict
    majority: MajorityEvaluation
    dawid_skene: DawidSkene
    least: LeastDependence | None
    within: EvaluationWithin | None
    failing: tuple[FailingJudges, ...]
    groups: tuple[tuple[str, ...], ...]
    """The smallest groups that cannot all pass the lowest level at which some judge must fail."""
    common_level: BestLevel | None
    grades: GradedStudy | None
    better: tuple[tuple[str, str], ...]
    """Pairs of a better and a worse judge: by the graded sample, else by the ranges."""
    to_separate: tuple[str, str, int] | None
    """The two judges that seem best, if no pair is separated, and about how many random grades would separate them."""
    source: str
    left_out: tuple[str, ...]
    staircase: Picture | None = None
    """How many judges must fail at each level, if a study has computed it."""

    @property
    def covariance(self) -> mpq | None:
        """The largest covariance that is proven, whatever the key."""
        return None if self.least is None else self.least.proven

    def to_document(self) -> dict[str, Any]:
        """Return the fields in short: proofs and the graded sample are parts of the study."""
        level, grades = self.common_level, self.grades
        names = [one.name for one in fields(self) if one.name not in _IN_PARTS]
        return {name: as_document(getattr(self, name)) for name in names} | {
            "covariance": self.covariance,
            "failing": failing_document(self.failing),
            "common_level": level and {"attained": level.attained, "proven": level.proven},
            "grades": grades and {"sample": grades.sample(), "plan": grades.plan()},
        }

    def blocks(self, *, exact: bool = False) -> Iterator[Block]:
        """Yield the panel, the judges, the verdict, what is proven, and the next step; numbers may be exact."""
        yield Heading("The panel")
        yield Sentence(self._panel(exact))
        yield Heading("The judges: share of right answers")
        yield self._table(exact)
        yield self._picture()
        yield Heading("Can you trust these columns?")
        yield self.verdict.headline()
        reasons = self.verdict.reasons  # the premise of the ranges is the last, and always shown
        first = reasons[: _MAX_REASONS - (len(reasons) > _MAX_REASONS)]
        shown = (*first, *reasons[len(first) :][-1:], *self._more_reasons())
        yield Bullets(tuple(Sentence(self._shortened(one.text), one.kind) for one in shown))
        if proven := tuple(map(self._shortened, self._proven(exact))):
            lowest = next((str(one.level) for one in self._levels()), "2/3")
            passes = f"to pass at {lowest}: right on more than {lowest} of each label's questions"
            yield Heading(f"Proven, whatever the key ({passes})")
            yield Bullets(proven)
            yield from () if self.staircase is None else (self.staircase,)
        if self.left_out:
            yield Heading("Left out")
            yield Bullets(self.left_out)
        if not any(row.by_key is not None or row.graded is not None for row in self.judges):
            number = min(_GRADES, self.questions)
            text = f"Next: draw {number} random questions, fill in the column truth, and see exact intervals"
            yield Heading(text)
            choose = f"ntqr-exact choose {self.source}", f"--number {number} -o sheet.csv"
            graded = f"ntqr-exact graded {self.source}", "sheet.csv"
            yield Code("\n".join(map(_command, (choose, graded))))
        more = "prints all judges, grades on each label, and the alarms of exact independence."
        yield Sentence(f"`--details` {more}")

    def _panel(self, exact: bool) -> str:
        answers = sum(row.answered for row in self.judges)
        verb = "is" if self.gaps == 1 else "are"
        gaps = f"{self.gaps} of {self.gaps + answers} answers {verb} missing" if self.gaps else "no gaps"
        alpha = "undefined" if self.alpha is None else str(self.alpha) if exact else fixed_text(self.alpha, 3)
        labels = ", ".join(self.labels[:8]) + (", …" if len(self.labels) > 8 else "")
        return (
            f"{counted(self.questions, 'question')}, {counted(len(self.judges), 'judge')}, labels {labels}; {gaps}. "
            f"Agreement beyond chance (Krippendorff's alpha): {alpha}."
        )

    def _columns(self) -> dict[str, list[Any]]:
        """Return the columns by their names: numbers, ranges and words, in the order of the rows."""
        rows, seen = self._rows(), self.grades and self.grades.covariance
        is_withheld = any(one.kind == "withheld" for one in self.verdict.reasons)
        columns: dict[str, list[Any]] = {
            "answered": [None if row.sample else str(row.answered) for row in rows],
            "majority": [row.majority for row in rows],
            "Dawid-Skene": ["withheld" if is_withheld else row.dawid_skene for row in rows],
            _AT_BUDGET: [row.within for row in rows],
            "graded": [f"{row.sample[0]} of {row.sample[1]}" if row.sample else None for row in rows],
            "from your grades": [row.graded for row in rows],
            "with the key": [row.by_key for row in rows],
        }
        if seen and {_cell(row.within_sample) for row in rows} - {"–", "not informative"}:
            name = f"≤ {safe_text(abs(seen.value), 3, up=True)} (sample)"
            columns[name] = [row.within_sample for row in rows]
        return {name: cells for name, cells in columns.items() if {*cells} != {None}}

    def _table(self, exact: bool) -> Table:
        columns = {name: [_cell(one, exact) for one in cells] for name, cells in self._columns().items()}
        width = sum(max(map(len, (name, *cells))) + 2 for name, cells in columns.items())
        room = max(8, min(_MAX_NAME, _WIDTH - width))  # for the names
        short = _short_names([row.judge for row in self.judges], room)
        names = [short[row.judge] for row in self._rows()]
        half, count = MAX_ROWS // 2, len(self.judges)
        best = f"The {half} highest and the {half} lowest of {count} judges" if count > MAX_ROWS else ""
        return Table(best, ("judge", *columns), tuple(zip(names, *columns.values(), strict=True)), "judges")

    def _picture(self) -> Picture:
        """Draw the columns without what the table withholds or calls not informative."""
        judges = [row.judge for row in self._rows()]
        columns: dict[str, dict[str, Any]] = {}
        for name, cells in self._columns().items():
            drawn = (
                None if isinstance(one, str) or _cell(one) == "not informative" else one for one in cells
            )
            columns[name] = dict(zip(judges, drawn, strict=True))
        return Picture("judges", "Share of right answers of each judge", "plot_judge_grades", (columns,))

    def _shortened(self, text: str) -> str:
        """Return a text with the names of judges as in the table."""
        short = _short_names([row.judge for row in self.judges], _MAX_NAME)
        for name in sorted(short, key=len, reverse=True):
            text = text.replace(name, short[name])
        return text

    def _rows(self) -> Sequence[JudgeRow]:
        if len(self.judges) <= MAX_ROWS:
            return self.judges
        ordered = ranked(self.judges)
        return ordered[: MAX_ROWS // 2] + ordered[-(MAX_ROWS // 2) :]

    def _proven(self, exact: bool) -> Iterator[str]:
        levels = self._levels()
        for one in levels:
            text = f"At {one.level}, at least {one.proven} of {counted(len(self.judges), 'judge')} must fail"
            exactly = f"{'exactly ' if one.is_exact else ''}{one.attained}"
            who = one.who() if len(one.must_fail) <= _MAX_NAMED else ""  # --details names more
            yield f"{text} ({exactly} with some key).{who}"
        if self.failing and not levels:
            passed = [one.level for one in self.failing if not one.attained]
            all_pass = f"With some key, all judges pass at {passed[-1]}." if passed else ""
            yield all_pass or "No judge is proven to fail."
        if self.groups:
            lowest = next(one.level for one in self.failing if one.proven)
            each = _names([" + ".join(group) for group in self.groups], "; ", 2, "group")
            yield f"Groups that cannot all pass at {lowest}: {each}."
        if (level := self.common_level) is not None:
            most = str(level.proven) if exact else safe_text(level.proven, 3, up=True)
            yield f"Some judge is right on at most {most} of the questions of some label."

    def _levels(self) -> list[FailingJudges]:
        """Return the failing judges at the levels that say most: of equal numbers the lowest level."""
        proven = {one.proven: one for one in reversed(self.failing) if one.proven}
        return [*reversed(proven.values())][-3:]

    def _more_reasons(self) -> Iterator[Reason]:
        if any(row.by_key is not None for row in self.judges):
            return
        by = "by your grades" if self.grades is not None else f"if no {_AT_BUDGET.replace('≤', 'exceeds')}"
        pairs = _names([f"{better} > {worse}" for better, worse in self.better], most=2)
        text = f"{by}: {pairs}." if pairs else "no judge is shown to be better than another."
        if self.to_separate is not None:
            first, second, grades = self.to_separate
            whole = grades >= self.questions
            need = "Only a complete key" if whole else f"About {counted(grades, 'random grade')}"
            text += f" {need} would show which of {first} and {second} is better."
        elif not pairs and self.grades is None:
            text += " No number of random grades was found that would separate the best."
        yield Reason("ranking", text)
        if self.grades is not None:
            yield Reason("sample", self.grades.sample())
            yield Reason("more grades", self.grades.plan())


def study_screen(
    votes: VoteCounts | LabeledVoteCounts | PartialKey,
    known: Evaluation | None = None,
    *,
    level: str = "0.95",
    source: str = "FILE",
    progress: Callable[[str], None] = lambda _: None,
) -> Screen:
    """Return the first screen of votes, of votes with their key, or of votes with a partial key.

    `known` are the rates under the key where the key itself is not given. Each part has a budget of its own, and what
    is not computed is named in `left_out`; `progress` takes the name of each.

    >>> screen = study_screen(VoteCounts({"aaa": 40, "aab": 5, "bbb": 30, "bba": 4}))
    >>> screen.judges[0].majority, screen.verdict.kind
    (mpq(1,1), 'doubtful')
    """
    observed, labeled = taken_apart(votes)
    count, left_out = len(observed.judges), []

    def computed(name: str, command: str, compute: Callable[..., Any], *values: Any, **more: Any) -> Any:
        progress(name)
        try:
            with accounted(PARTS):
                return compute(observed, *values, **more)
        except NtqrExactError as error:
            reason = error.rule if isinstance(error, TooMuchWork) else str(error)
            left_out.append(f"{name}: {reason}; `ntqr-exact {command}`")
            return None

    grades = study_graded(votes, level=level) if isinstance(votes, PartialKey) else None
    few, two = 1 < count <= _MAX_RANGES, count > 1 and len(observed.labels) == 2
    dependence, alarm = f"dependence {source}", f"alarm {source}"
    least = within = in_sample = common = groups = None
    if few and two:
        least = computed("proven covariance", dependence, least_dependence)
        budget = fixed_text(BUDGET, 2)
        command = f"{dependence} --budget {budget}"
        within = computed(f"ranges at a covariance of {budget}", command, evaluate_within, BUDGET)
        if grades is not None and grades.covariance is not None:
            seen = abs(grades.covariance.value)
            command = f"{dependence} --budget {seen}"
            in_sample = computed("ranges at the sample's covariance", command, evaluate_within, seen)
    if few:
        common = computed("common level", f"{alarm} --best-level", best_level)
    elif count > 1:
        more = f"more than {_MAX_RANGES} judges; `ntqr-exact"
        left_out += [f"ranges and proven covariance: {more} {dependence}`"] if two else []
        left_out.append(f"level that all judges could reach: {more} {alarm} --best-level`")
    alpha = computed("agreement", f"agreement {source}", agreement) if count > 1 else None
    levels = LEVELS if count <= _MAX_LEVELS else LEVELS[1::2]
    counts = [computed(f"failing judges at {one}", f"{alarm} --level {one}", _failing, one) for one in levels]
    failing = tuple(one for one in counts if one is not None)
    if few and (lowest := next((one.level for one in failing if one.proven), None)):
        command, better_than = f"{alarm} --factor {1 / lowest}", SafetySpecification(1 / lowest)
        groups = computed("impossible groups", command, impossible_groups, better_than, budget=_GROUPS)
    progress("estimates")
    majority, estimate = majority_vote(observed, ties=TiePolicy.FIRST_LABEL), dawid_skene(observed)
    ranges, sample_ranges = (overall_ranges(one, observed) for one in (within, in_sample))
    intervals = grades.intervals if grades else (None,) * count
    rows = tuple(
        JudgeRow(
            judge,
            observed.answered(index),
            share_right(majority.key, index),
            estimate.accuracy[index],
            ranges[index],
            sample_ranges[index],
            None if interval is None else (interval.right, interval.graded),
            None if interval is None else interval.share,
            _by_key(labeled, known, index),
        )
        for index, (judge, interval) in enumerate(zip(observed.judges, intervals, strict=True))
    )
    alpha = alpha if isinstance(alpha, mpq) else None
    better = better_pairs(rows, grades)
    return Screen(
        observed.size,
        observed.labels,
        observed.size * count - sum(row.answered for row in rows),
        alpha,
        rows,
        verdict_on(rows, estimate, alpha=alpha, failing=failing, least=least, within=within),
        majority,
        estimate,
        least,
        within,
        failing,
        () if groups is None else groups.groups,
        common,
        grades,
        better,
        None if better or labeled else to_separate(rows, majority.key, grades),
        source,
        tuple(left_out),
    )


def taken_apart(
    votes: VoteCounts | LabeledVoteCounts | PartialKey,
) -> tuple[VoteCounts, LabeledVoteCounts | None]:
    """Return the votes without their key, and those with their whole key if it is known."""
    match votes:
        case PartialKey():
            return votes.votes, None
        case LabeledVoteCounts():
            return votes.observed(), votes
        case VoteCounts():
            return votes, None
    raise NotVotes(votes, "votes must be VoteCounts, LabeledVoteCounts or a PartialKey")


def overall_ranges(within: EvaluationWithin | None, votes: VoteCounts) -> Sequence[Ends | None]:
    """Return the range of each judge over all its answers; where not all judges answered, any answer may be right."""
    if within is None:
        return [None for _ in votes.judges]
    parts = [mpq(within.votes.size, votes.answered(judge)) for judge in votes.judges]
    return [
        (low * part, 1 - (1 - high) * part) for (low, high), part in zip(within.overall, parts, strict=True)
    ]


def _failing(votes: VoteCounts, level: mpq) -> FailingJudges:
    check_work("failing judges", len(votes.counts) * len(votes.judges) // _CELLS_OF_A_STEP)
    return failing_judges(votes, level)


def _by_key(labeled: LabeledVoteCounts | None, known: Evaluation | None, judge: int) -> mpq | None:
    if labeled is not None:
        return share_right(labeled, judge)
    right = None if known is None else right_in_all(known, judge)
    return right if isinstance(right, mpq) else None


def _command(words: tuple[str, str]) -> str:
    """Return a command in one line, or in two if it is longer than a line of the screen."""
    line = " ".join(words)
    return line if len(line) <= _WIDTH else " \\\n  ".join(words)


def _short_names(names: Sequence[str], longest: int) -> dict[str, str]:
    """Return a name of at most this length for each: without the parts in which all end, else without its middle.

    >>> [*_short_names(["gpt-4:vanilla:ab", "llama-2:vanilla:ab"], 10).values()]
    ['gpt-4…', 'llama-2…']
    """
    if max(map(len, names)) <= longest:
        return {name: name for name in names}
    first = names[0]
    end = next(first[i:] for i in range(len(first) + 1) if all(name.endswith(first[i:]) for name in names))
    start = next((index for index, letter in enumerate(end) if not letter.isalnum()), len(end))
    cut = len(end) - start if len(end) < min(map(len, names)) else 0
    results: dict[str, str] = {}
    for index, name in enumerate(names, 1):
        text = f"{name[:-cut]}…" if cut > 1 else name
        results[name] = _without_middle(text, longest)
        if [*results.values()].count(results[name]) > 1:
            results[name] = _without_middle(f"{index}: {name}", longest)
    return results


def _without_middle(name: str, longest: int) -> str:
    return name if len(name) <= longest else f"{name[: longest // 2 - 1]}…{name[-(longest - longest // 2) :]}"


def _names(names: Sequence[str], between: str = ", ", most: int = _MAX_NAMED, kind: str = "") -> str:
    more = counted(len(names) - most, f"other {kind}".strip())
    return between.join(names[:most]) + (f" and {more}" if len(names) > most else "")


def _cell(value: Any, exact: bool = False) -> str:
    """Return a number, a range or a word as the table shows it."""
    if value is None or isinstance(value, str):
        return value or "–"
    if isinstance(value, tuple):
        return range_text(value, exact=exact)
    text = str(value) if exact else fixed_text(value, 3)
    return text if 0 <= value <= 1 else f"{text} (outside 0 to 1)"
