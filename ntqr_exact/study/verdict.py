"""Can the columns of point estimates be trusted? One verdict with its reasons, the gravest first.

`docs/studies.md` has the rules, and the panels on which their limits were chosen.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gmpy2 import mpq

from ntqr_exact.alarms.failing_judges import FailingJudges
from ntqr_exact.blocks.block import Sentence
from ntqr_exact.dependence.bounds import EvaluationWithin, LeastDependence
from ntqr_exact.evaluators.dawid_skene import DawidSkene
from ntqr_exact.exact.show import counted, fixed_text, safe_text
from ntqr_exact.votes.counts import VoteCounts

Ends = tuple[mpq, mpq]

MAX_COVARIANCE = mpq(1, 20)
MAX_DIFFERENCE = mpq(1, 20)
MAX_ERROR = mpq(1, 10)
MAX_MOVED = mpq(3, 20)
MIN_RELIABILITY = mpq(3, 5)
SLIGHT = mpq(3, 10)
FAILING_LEVEL = mpq(2, 3)
MIN_ANSWERS = 30

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


def column_verdict(
    votes: VoteCounts,
    rows: Sequence[JudgeRow],
    *,
    estimate: DawidSkene,
    alpha: mpq | None,
    failing: Sequence[FailingJudges],
    least: LeastDependence | None,
    within: EvaluationWithin | None,
) -> Verdict:
    """Return the verdict on the columns `majority` and `dawid_skene` of the rows."""
    reasons = [*_withheld(len(rows), estimate, least)]
    if alpha is not None:
        reasons += _agreement(alpha, mpq(sum(row.answered for row in rows), votes.size), estimate)
    is_withheld = any(one.kind == "withheld" for one in reasons)
    columns = ["majority"] if is_withheld else [*_COLUMNS]  # what is withheld is not judged
    refuted = [*_refuted(rows, columns)] or [*_confirmed(rows, columns)]
    reasons += [*refuted, *_doubts(rows, columns, failing), *_copies(votes)]
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
            f"{row.judge} has {_text(value)}, the sample says {_outwards(*row.graded)}."
            for row, value in values
            if row.graded is not None and not row.graded[0] <= value <= row.graded[1]
        ]
        if outside:
            of = f"{len(outside)} of {counted(len(rows), 'judge')}"
            yield Reason("refuted", f"by your grades, {name} for {of}: {outside[0]}")
        errors = [(abs(value - row.by_key), row, value) for row, value in values if row.by_key is not None]
        error, row, value = max(errors, key=lambda one: one[0], default=(0, None, None))
        if row is not None and error > MAX_ERROR:
            text = f"by the key, {name}: {row.judge} has {_text(value)}, and in truth {_text(row.by_key)}."
            yield Reason("refuted", text)


def _confirmed(rows: Sequence[JudgeRow], columns: Sequence[str]) -> Iterator[Reason]:
    errors = [
        abs(value - row.by_key)
        for row in rows
        for value in (getattr(row, column) for column in columns)
        if value is not None and row.by_key is not None
    ]
    if errors:
        yield Reason("confirmed", f"the columns differ from the key by at most {_text(max(errors))}.")
    elif any(row.graded is not None for row in rows):
        yield Reason("not refuted", "every column lies in the interval from your grades.")


def _withheld(judges: int, estimate: DawidSkene, least: LeastDependence | None) -> Iterator[Reason]:
    if judges < 3:
        yield Reason("withheld", "fewer than three judges cannot show who is right where they differ.")
    for one in estimate.withheld:
        yield Reason("withheld", one.message)
    if least is not None and least.proven > MAX_COVARIANCE:
        yield Reason("withheld", _covariance(least))


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
) -> Iterator[Reason]:
    pairs = [
        (abs(x - y), f"{row.judge}: {_text(x)} and {_text(y)}")
        for row in rows
        if (x := row.majority) is not None and (y := row.dawid_skene) is not None
    ]
    worst, text = max(pairs, key=lambda one: one[0], default=(0, ""))
    if worst > MAX_DIFFERENCE and "dawid_skene" in columns:
        yield Reason("doubtful", f"majority and Dawid-Skene disagree on {text}.")
    for one in failing:
        if one.level == FAILING_LEVEL and 2 * one.proven >= len(rows):
            text = (
                f"{one.proven} of {counted(len(rows), 'judge')} must be right on at most 2/3 of some label."
            )
            yield Reason("doubtful", text)
    few = [row for row in rows if row.answered < MIN_ANSWERS]
    if few:
        of = f"{len(few)} of {counted(len(rows), 'judge')}"
        text = f"{of} gave fewer than {MIN_ANSWERS} answers ({few[0].judge} gave {few[0].answered})."
        yield Reason("doubtful", text)


def _copies(votes: VoteCounts) -> Iterator[Reason]:
    by_answers: dict[tuple[str | None, ...], list[str]] = {}
    for judge, answers in zip(votes.judges, zip(*votes.counts, strict=True), strict=False):
        if votes.answered(judge) >= MIN_ANSWERS:
            by_answers.setdefault(answers, []).append(judge)
    copies = [names for names in by_answers.values() if len(names) > 1]
    if copies:
        pair = " and ".join(copies[0][:2])
        more = f" and {counted(len(copies) - 1, 'other group')}" if len(copies) > 1 else ""
        text = f"{pair}{more} answered alike on every question: copies count twice."
        yield Reason("doubtful", text)


def _outwards(low: mpq, high: mpq) -> str:
    return f"{safe_text(low, 3, up=False)} to {safe_text(high, 3, up=True)}"


def _text(value: mpq | None, places: int = 3) -> str:
    return "–" if value is None else fixed_text(value, places)
