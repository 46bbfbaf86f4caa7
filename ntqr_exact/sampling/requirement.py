"""`prove_requirement`: whether graded questions prove what is required of a judge, and how many more would decide.

A requirement is proven if every number in the interval at the level meets it, and refuted if none does. It is the
interval that `PartialKey` gives, so that a gate and a report never contradict each other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import NamedTuple

from gmpy2 import mpq

from ntqr_exact.answer import Answer
from ntqr_exact.blocks.block import Sentence
from ntqr_exact.blocks.value import Value
from ntqr_exact.errors import BadChoice, BadNumber, EmptyTest
from ntqr_exact.exact.rational import RationalLike, rational
from ntqr_exact.exact.show import counted, short_decimal
from ntqr_exact.sampling.designs import Hypergeometric, check_level, last_kept
from ntqr_exact.sampling.graded_ranges import differ_on
from ntqr_exact.sampling.partial_key import PartialKey
from ntqr_exact.votes.counts import VoteCounts

MAX_PLANNED = 20_000
"""Questions up to which the number of further grades is computed."""

_POWER = mpq(4, 5)
_VERDICTS = {Answer.YES: "proven", Answer.NO: "refuted", Answer.UNDECIDED: "not proven"}


class Requirement(NamedTuple):
    """What is required: a measure of one or two judges, and the bound that it reaches, or exceeds if strict."""

    measure: str
    judges: tuple[str, ...]
    bound: mpq
    strict: bool


@dataclass(frozen=True, slots=True)
class RequirementProof(Value):
    """Whether a requirement is proven at a level (`Answer.YES`), refuted (`NO`), or open.

    `lower` and `upper` are the ends of the interval, and `seen` describes the sample. `more_grades` of further random
    questions decide it with a probability of 4/5, if their share is that of the sample: of all questions, or for a
    difference of those on which the judges differ. It is `None` where that is not computed.
    """

    requirement: str
    measure: str
    level: mpq
    answer: Answer
    seen: str
    lower: mpq | None
    upper: mpq | None
    more_grades: int | None

    @property
    def line(self) -> str:
        """The one line that a log needs."""
        (sentence,) = self.blocks()
        return str(sentence)

    def blocks(self) -> Iterator[Sentence]:
        """Yield the verdict and its reason."""
        ends = "no interval"
        if self.lower is not None and self.upper is not None:
            ends = f"interval {_number(self.lower)} to {_number(self.upper)}"
        text = f"{self.requirement} at the level {_number(self.level)} ({self.seen}; {ends})"
        if self.more_grades:
            where = " where they differ" if self.measure == "difference" else ""
            text += f"; about {counted(self.more_grades, 'more grade')}{where} would decide"
        yield Sentence(text, _VERDICTS[self.answer], fires=self.answer is not Answer.YES)


def _number(value: mpq) -> str:
    return short_decimal(value).removeprefix("≈ ")


def read_requirement(text: str, votes: VoteCounts) -> Requirement:
    """Return the requirement that a text states of the judges of votes.

    >>> votes = VoteCounts({"aa": 1}, judges=["GPT-4", "Claude"])
    >>> read_requirement("GPT-4 - Claude >= 0.05", votes).judges, read_requirement("GPT-4 > Claude", votes).bound
    (('GPT-4', 'Claude'), mpq(0,1))
    """
    form = re.fullmatch(r"(.+)(>=|≥|>)(.+)", text.strip(), re.DOTALL)
    if form:
        left, sign, right = (part.strip() for part in form.groups())
        if right in votes.judges:
            left, right = f"{left} - {right}", "0"
        for measure, judges in _measures(left):
            if {*judges} <= {*votes.judges} and len({*judges}) == len(judges):
                with suppress(BadNumber):
                    return Requirement(measure, judges, rational(right), sign == ">")
    rule = "requirement must be 'J >= 0.85', 'J > K', 'J - K >= 0.05' or 'kappa(J) >= 0.6'"
    raise BadChoice(text, rule, f"judges: {', '.join(votes.judges)}")


def _measures(text: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield what a text may mean; names of judges may have signs in them."""
    yield "accuracy", (text,)
    if kappa := re.fullmatch(r"kappa\((.*)\)", text, re.DOTALL):
        yield "kappa", (kappa[1].strip(),)
    for found in re.finditer(r"\s-\s", text):
        yield "difference", (text[: found.start()].strip(), text[found.end() :].strip())


def prove_requirement(key: PartialKey, requirement: str, *, level: RationalLike = "0.95") -> RequirementProof:
    """Return whether the graded questions prove a requirement at a level, and how many more grades would decide.

    `J >= 0.85` is of the share of right answers among all questions that J answered; `J - K >= 0.05` of the difference
    of these shares among the questions that both answered, `J > K` of the same; `kappa(J) >= 0.6` of Cohen's κ with the
    answer key.

    >>> votes = VoteCounts({"aa": 60, "ab": 15, "bb": 25})
    >>> key = PartialKey(votes, {"a": {"aa": 11, "ab": 2}, "b": {"ab": 1, "bb": 6}}, drawn="at_random")
    >>> print(prove_requirement(key, "J1 >= 0.7").line)
    proven: J1 >= 0.7 at the level 0.95 (19 of 20 right; interval 0.78 to 0.99)
    >>> prove_requirement(key, "J1 >= 0.9").more_grades
    48

    Raises `BadChoice` for a text that states no requirement, `NotAtRandom` where there are no intervals.
    """
    share, asked, more = check_level(level), read_requirement(requirement, key.votes), None
    i, j = (key.votes.place(judge) for judge in (asked.judges[0], asked.judges[-1]))
    if asked.measure == "kappa":
        ends = key.kappa(i, share)
        lower, upper = (end if isinstance(end, mpq) else None for end in (ends.lower, ends.upper))
        answer = Answer.UNDECIDED if ends.undefined is not None else _decided(lower, upper, asked)
        seen = f"{key.graded_size} of {key.size} questions graded"
    else:
        size = key.votes.common(*{i, j}).size
        if size == 0:
            raise EmptyTest(asked.judges, "there must be questions that they answered")
        mine, theirs = (
            key.cells(
                lambda p, label, place=place: p[place] == label,  # type: ignore[misc]
                lambda p: p[i] is not None if i == j else differ_on(p, i, j),
            )
            for place in (i, j)
        )
        right, other = (sum(cell.right for cell in cells) for cells in (mine, theirs))
        graded = sum(cell.design.graded for cell in mine)
        seen = f"where they differ {right} and {other} of {graded} right"
        seen = f"{right} of {graded} right" if i == j else seen
        low, high = key.right_answers(i, share) if i == j else key.difference(i, j, share)
        lower, upper = mpq(low, size), mpq(high, size)
        answer = _decided(lower, upper, asked)
        if len(mine) == 1 and (i == j or len(key.votes.labels) == 2):
            # With two labels the lead is twice the right answers where they differ, minus their number.
            bound = asked.bound * size
            bound = bound if i == j else (bound + mine[0].design.size) / 2
            required = int(bound // 1) + 1 if asked.strict else -int(-bound // 1)
            more = _more_grades(mine[0].design, right, required, share)
    more = 0 if answer is not Answer.UNDECIDED else more
    return RequirementProof(requirement, asked.measure, share, answer, seen, lower, upper, more)


def _decided(lower: mpq | None, upper: mpq | None, asked: Requirement) -> Answer:
    if lower is None or upper is None:
        return Answer.UNDECIDED
    if lower > asked.bound or (lower == asked.bound and not asked.strict):
        return Answer.YES
    if upper < asked.bound or (upper == asked.bound and asked.strict):
        return Answer.NO
    return Answer.UNDECIDED


def _more_grades(design: Hypergeometric, right: int, required: int, level: mpq) -> int | None:
    """Return the fewest further grades after which the interval decides with the power, if the truth is as seen.

    With m grades and r right ones in all, the interval lies above M − 1 iff P_{M−1}(X ≥ r) is at most α/2, and below M
    iff P_M(X ≤ r) is.
    """
    size, graded = design.size, design.graded
    if not 0 < graded < size <= MAX_PLANNED:
        return None
    truth = min(max((2 * right * size + graded) // (2 * graded), right), size - graded + right)
    if truth < required:  # the mirror image: that many wrong answers refute it
        right, truth, required = graded - right, size - truth, size - required + 1

    def decides(more: int) -> bool:
        whole, further = Hypergeometric(size, graded + more), Hypergeometric(size - graded, more)
        limit = whole.limit((1 - level) / 2)
        enough = last_kept(lambda r: whole.at_least(required - 1, r) <= limit, graded + more + 1, -1)
        return further.at_least(truth - right, enough - right) >= _POWER * further.samples()

    most, step = size - graded, 1
    while step < most and not decides(step):
        step *= 2
    return last_kept(decides, min(step, most), step // 2)
