"""Which questions to grade: drawn at random from a seed, among all, in strata, or where two judges differ."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from gmpy2 import mpq

from ntqr_exact.budget import check_work
from ntqr_exact.errors import BadNumber, BadVotes
from ntqr_exact.exact.arguments import checked
from ntqr_exact.exact.rational import RationalLike, whole_number
from ntqr_exact.exact.seeded_draws import below, bits_from
from ntqr_exact.sampling.drawing import Drawn, Strata, check_strata
from ntqr_exact.votes.counts import Judge, VoteCounts
from ntqr_exact.votes.names import Pattern, join_pattern

PATTERNS = "patterns"


@dataclass(frozen=True, slots=True)
class ChosenQuestions:
    """Questions to grade, in the order in which they were drawn, stratum by stratum.

    A question is named by its pattern and its number, from 1, among the questions with that pattern. Any
    beginning of the drawn questions of a stratum is a random sample of it, too: one may stop early.
    """

    votes: VoteCounts
    drawn: Drawn
    strata: Strata
    seed: int
    questions: tuple[tuple[Pattern, int], ...]

    def to_document(self) -> dict[str, Any]:
        """Return the choice as a JSON document."""
        return {
            "size": self.votes.size,
            "drawn": self.drawn.value,
            "seed": self.seed,
            "strata": [[join_pattern(pattern) for pattern in group] for group in self.strata],
            "questions": [
                {"pattern": join_pattern(pattern), "number": number} for pattern, number in self.questions
            ],
        }


@checked
def choose_questions(
    votes: VoteCounts,
    number: RationalLike,
    *,
    strata: str | Iterable[Iterable[object]] | None = None,
    between: tuple[Judge, Judge] | None = None,
    seed: RationalLike,
) -> ChosenQuestions:
    """Return `number` questions to grade, drawn at random: every choice is equally likely.

    Without strata they are drawn among all questions. `strata` are groups of patterns, or "patterns" for each of
    its own; each gets its share by size, and at least one question while there are enough. `between` names two
    judges: only questions on which they differ are drawn.

    >>> chosen = choose_questions(VoteCounts({"aa": 60, "ab": 25, "ba": 15}), 3, between=(0, 1), seed=7)
    >>> chosen.drawn.value, [pattern for pattern, _ in chosen.questions]
    ('by_strata', [('a', 'b'), ('a', 'b'), ('b', 'a')])
    """
    votes.without_gaps("drawing questions by pattern")
    wanted, bits = whole_number(number), bits_from(seed)
    if between is not None and strata is not None:
        raise BadVotes(strata, "questions are drawn by strata or where two judges differ, not both")
    if between is not None:
        groups: Strata = differing(votes, *between)
        numbers = [wanted, 0][: len(groups)]
    else:
        kind = Drawn.AT_RANDOM if strata is None else Drawn.BY_STRATA
        given = None if strata is None or isinstance(strata, str) else strata
        if isinstance(strata, str) and strata != PATTERNS:
            raise BadVotes(strata, f"strata are groups of patterns, or {PATTERNS!r}")
        groups = check_strata(votes, kind, given)
        numbers = _shares([_size(votes, group) for group in groups], wanted)
    questions: list[tuple[Pattern, int]] = []
    for group, share in zip(groups, numbers, strict=True):
        size = _size(votes, group)
        if share > size:
            raise BadNumber(number, f"only {size} questions can be drawn there")
        check_work("a draw of so many questions", 10 * share)
        ends = [0, *accumulate(votes.counts[pattern] for pattern in group)]
        moved: dict[int, int] = {}  # of a shuffle of all questions only what is not in its own place is kept
        for drawn in range(share):
            other = drawn + below(bits, size - drawn)
            place, moved[other] = moved.get(other, other), moved.get(drawn, drawn)
            of = bisect_right(ends, place) - 1
            questions.append((group[of], place - ends[of] + 1))
    drawn_how = Drawn.AT_RANDOM if strata is None and between is None else Drawn.BY_STRATA
    return ChosenQuestions(votes, drawn_how, groups, whole_number(seed), tuple(questions))


def differing(votes: VoteCounts, first: Judge, second: Judge) -> Strata:
    """Return two strata: the patterns in which two judges differ, and the others."""
    i, j = votes.place(first), votes.place(second)
    apart = tuple(pattern for pattern in votes.counts if pattern[i] != pattern[j])
    alike = tuple(pattern for pattern in votes.counts if pattern[i] == pattern[j])
    return tuple(group for group in (apart, alike) if group) if apart else ((), alike)


def _size(votes: VoteCounts, group: Iterable[Pattern]) -> int:
    return sum(votes.counts[pattern] for pattern in group)


def _shares(sizes: list[int], wanted: int) -> list[int]:
    """Return the parts of a number in proportion to sizes: one each first, then by the largest remainders."""
    total = sum(sizes)
    if wanted > total:
        raise BadNumber(wanted, f"there are {total} questions to choose from")
    if not total:
        return [0] * len(sizes)
    exact = [mpq(wanted * size, total) for size in sizes]
    least = 1 if wanted >= len(sizes) else 0
    shares = [max(least, int(part)) for part in exact]
    while sum(shares) != wanted:
        step = 1 if sum(shares) < wanted else -1
        movable = [i for i, share in enumerate(shares) if (share < sizes[i] if step > 0 else share > least)]
        best = max(movable, key=lambda i: (step * (exact[i] - shares[i]), -i))
        shares[best] += step
    return shares
