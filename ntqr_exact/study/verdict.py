"""Can the columns of point estimates be trusted, and who is better? One verdict with its reasons, the gravest first.

`docs/studies.md` has the rules, and the panels on which their limits were chosen.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import combinations

from gmpy2 import mpq

from ntqr_exact.alarms.failing_judges import FailingJudges
from ntqr_exact.blocks.block import Sentence, range_text
from ntqr_exact.dependence.bounds import EvaluationWithin, LeastDependence
from ntqr_exact.errors import NtqrExactError
from ntqr_exact.evaluators.dawid_skene import DawidSkene
from ntqr_exact.exact.show import counted, fixed_text, safe_text
from ntqr_exact.sampling.planning import grades_to_separate, prove_requirement
from ntqr_exact.study.grades_study import GradedStudy
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts

Ends = tuple[mpq, mpq]

MAX_COVARIANCE = mpq(1, 20)
MAX_DIFFERENCE = mpq(1, 20)
MAX_ERROR = mpq(1, 10)
MAX_MOVED = mpq(3, 20)
MIN_RELIABILITY = mpq(3, 5)
SLIGHT = mpq(3, 10)
FAILING_LEVEL = mpq(2, 3)
MIN_ANSWERS = 30
_MAX_BEST = 6

_COLUMNS = {"majority": "majority", "dawid_skene": "Dawid-Skene"}
_CALM = "nothing in the votes speaks against these columns; only grades can confirm them."
_HEADLINES = {  # the gravest first
    "refuted": "do not use these columns.",
    "confirmed": "the key agrees with these columns.",
    "withheld": "do not use these columns; grade a sample.",
    "doubtful": "grade a sample before you use these columns.",
    "not refuted": "the graded sample agrees with these columns.",
    "dependent": f"a small error covariance is proven; otherwise {_CALM}",
    "premise": _CALM,
    "unknown": _CALM,
}


@dataclass(frozen=True, slots=True)
class JudgeRow:
    """One judge: its answers and its share of right answers, each way; `None` where it has no value."""

    judge: str
    answered: int
    majority: mpq | None
    dawid_skene: mpq | None
    within: Ends | None
    within_sample: Ends | None
    """The range at the largest covariance that the graded sample shows."""
    sample: tuple[int, int] | None
    """How many of its answers in the graded sample are right, of how many."""
    graded: Ends | None
    by_key: mpq | None

    @property
    def truth(self) -> mpq | None:
        """The share under the key, which grades of all answers are."""
        low, high = self.graded or (None, None)
        return low if self.by_key is None and low == high else self.by_key


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a verdict is given."""

    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """The verdict on the columns of point estimates, and all reasons, the gravest first."""

    kind: str
    reasons: tuple[Reason, ...]

    def headline(self) -> Sentence:
        """Return the verdict in one sentence."""
        fires = self.kind in {"refuted", "withheld", "doubtful"}
        return Sentence(_HEADLINES[self.kind], self.kind.upper(), fires=fires)


def verdict_on(
    rows: Sequence[JudgeRow],
    estimate: DawidSkene,
    *,
    alpha: mpq | None,
    failing: Sequence[FailingJudges],
    least: LeastDependence | None,
    within: EvaluationWithin | None,
) -> Verdict:
    """Return the verdict on the columns `majority` and `dawid_skene` of the rows."""
    votes = estimate.votes
    reasons = [Reason("withheld", text) for text in _withheld(len(rows), estimate, least)]
    if alpha is not None:
        reasons += _agreement(alpha, mpq(sum(row.answered for row in rows), votes.size), estimate)
    is_withheld = any(one.kind == "withheld" for one in reasons)
    columns = ["majority"] if is_withheld else [*_COLUMNS]  # what is withheld is not judged
    reasons += [*_refuted(rows, columns)] or _confirmed(rows, columns)
    reasons += [Reason("doubtful", text) for text in (*_doubts(rows, columns, failing), *_copies(votes))]
    if least is not None and 0 < least.proven <= MAX_COVARIANCE:
        reasons.append(Reason("dependent", _covariance(least)))
    if within is not None:
        budget, common = fixed_text(within.correlation, 2), within.votes.size
        text = f"the ranges assume that {' and '.join(within.assumed)} is no worse than chance, and covariances of at "
        text += f"most {budget}, the median of 28 real panels (documentation: real_panels)."
        if common < votes.size:
            text += f" They use the {common} questions that all judges answered; on others, any answer may be right."
        reasons.append(Reason("premise", text))
    reasons.sort(key=lambda one: [*_HEADLINES].index(one.kind))
    return Verdict(reasons[0].kind if reasons else "unknown", tuple(reasons))


def _refuted(rows: Sequence[JudgeRow], columns: Sequence[str]) -> Iterator[Reason]:
    for column in columns:
        name = _COLUMNS[column]
        values = [(row, value) for row in rows if (value := getattr(row, column)) is not None]
        outside = [
            f"{row.judge} has {_text(value)}, the sample says {range_text(row.graded, most=mpq(1))}."
            for row, value in values
            if row.graded is not None and row.truth is None and not row.graded[0] <= value <= row.graded[1]
        ]
        if outside:
            of = f"{len(outside)} of {counted(len(rows), 'judge')}"
            yield Reason("refuted", f"by your grades, {name} for {of}: {outside[0]}")
        errors = [(abs(value - key), row, value) for row, value in values if (key := row.truth) is not None]
        error, row, value = max(errors, key=lambda one: one[0], default=(0, None, None))
        if row is not None and error > MAX_ERROR:
            text = f"by the key, {name}: {row.judge} has {_text(value)}, and in truth {_text(row.truth)}."
            yield Reason("refuted", text)


def _confirmed(rows: Sequence[JudgeRow], columns: Sequence[str]) -> Iterator[Reason]:
    pairs = [(getattr(row, column), row.truth) for row in rows for column in columns]
    errors = [abs(value - key) for value, key in pairs if value is not None and key is not None]
    if errors:
        yield Reason("confirmed", f"the columns differ from the key by at most {_text(max(errors))}.")
    elif any(row.graded is not None for row in rows):
        yield Reason("not refuted", "every column lies in the interval from your grades.")


def _withheld(judges: int, estimate: DawidSkene, least: LeastDependence | None) -> Iterator[str]:
    if judges < 3:
        yield "fewer than three judges cannot show who is right where they differ."
    yield from (one.message for one in estimate.withheld)
    if least is not None and least.proven > MAX_COVARIANCE:
        yield _covariance(least)


def _agreement(alpha: mpq, answers: mpq, estimate: DawidSkene) -> Iterator[Reason]:
    """Yield what the judges' agreement says, with this number of answers a question."""
    if (value := reliability(alpha, answers)) <= MIN_RELIABILITY:
        text = (
            f"the judges agree too little for their number: the reliability of a majority is {_text(value)}"
        )
        yield Reason("withheld", f"{text}, at most {_text(MIN_RELIABILITY, 2)}.")
    elif alpha <= SLIGHT:
        text = f"the judges agree little beyond chance: alpha is {_text(alpha)}, at most {_text(SLIGHT, 2)}"
        if estimate.moved > MAX_MOVED:
            text += f", and Dawid-Skene overrules the majority on {_text(estimate.moved)} of the questions"
        yield Reason("withheld" if estimate.moved > MAX_MOVED else "doubtful", f"{text}.")


def reliability(alpha: mpq, answers: mpq) -> mpq:
    """Return Spearman and Brown's reliability of k answers a question, kα/(1 + (k − 1)α); 0 for a negative α."""
    return answers * alpha / (1 + (answers - 1) * alpha) if alpha > 0 else mpq(0)


def _covariance(least: LeastDependence) -> str:
    judges = least.closed_form.judges
    among = f" among {', '.join(judges)}" if judges else ""
    return f"some pair{among} has a covariance of at least {safe_text(least.proven, 3, up=False)}, whatever the key."


def _doubts(
    rows: Sequence[JudgeRow], columns: Sequence[str], failing: Sequence[FailingJudges]
) -> Iterator[str]:
    judges = counted(len(rows), "judge")
    pairs = [
        (abs(x - y), f"{row.judge}: {_text(x)} and {_text(y)}")
        for row in rows
        if (x := row.majority) is not None and (y := row.dawid_skene) is not None
    ]
    worst, text = max(pairs, key=lambda one: one[0], default=(0, ""))
    if worst > MAX_DIFFERENCE and "dawid_skene" in columns:
        yield f"majority and Dawid-Skene disagree on {text}."
    for one in failing:
        if one.level == FAILING_LEVEL and 2 * one.proven >= len(rows):
            yield f"{one.proven} of {judges} must be right on at most 2/3 of some label."
    if few := [row for row in rows if row.answered < MIN_ANSWERS]:
        example = f"({few[0].judge} gave {few[0].answered})"
        yield f"{len(few)} of {judges} gave fewer than {MIN_ANSWERS} answers {example}."


def _copies(votes: VoteCounts) -> Iterator[str]:
    by_answers: dict[tuple[str | None, ...], list[str]] = {}
    for judge, answers in zip(votes.judges, zip(*votes.counts, strict=True), strict=False):
        if votes.answered(judge) >= MIN_ANSWERS:
            by_answers.setdefault(answers, []).append(judge)
    if copies := [names for names in by_answers.values() if len(names) > 1]:
        more = f" and {counted(len(copies) - 1, 'other group')}" if len(copies) > 1 else ""
        yield f"{' and '.join(copies[0][:2])}{more} answered alike on every question: copies count twice."


def _text(value: mpq | None, places: int = 3) -> str:
    return "–" if value is None else fixed_text(value, places)


# -- who is better -------------------------------------------------------------------------------------------


def better_pairs(rows: Sequence[JudgeRow], grades: GradedStudy | None) -> tuple[tuple[str, str], ...]:
    """Return pairs of a better and a worse judge: by the graded sample, else by the ranges."""
    if grades is not None:
        return tuple(one.better for one in grades.differences if one.better is not None)
    ranges = [(row.judge, *row.within) for row in rows if row.within is not None]
    return tuple((one, other) for one, low, _ in ranges for other, _, high in ranges if low > high)


def to_separate(
    rows: Sequence[JudgeRow], key: LabeledVoteCounts, grades: GradedStudy | None
) -> tuple[str, str, int] | None:
    """Return the best two judges, and the grades that would separate them, if the majority or the sample is right.

    The best two of whom grades say so: in a crowd, judges that have few common questions do not differ on any.
    """
    names = [row.judge for row in ranked(rows)[:_MAX_BEST]]
    for first, second in combinations(names, 2):
        with suppress(NtqrExactError):  # too much work, no intervals, or a name that reads like a formula
            claim = None if grades is None else prove_requirement(grades.key, f"{first} > {second}")
            if more := claim.more_grades if claim else grades_to_separate(key, first, second):
                return first, second, more
    return None


def ranked(rows: Sequence[JudgeRow]) -> list[JudgeRow]:
    """Return the rows in order: by the key, the sample, or the majority, the best judge first."""

    def rank(row: JudgeRow) -> mpq:
        if row.by_key is not None:
            return row.by_key
        return sum(row.graded, mpq(0)) / 2 if row.graded is not None else row.majority or mpq(0)

    return sorted(rows, key=rank, reverse=True)
