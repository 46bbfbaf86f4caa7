"""Which questions to grade: drawn at random from a seed, among all, in strata, or where two judges differ; the sheet.

A sheet is a CSV with an empty column for the truth. Its questions are in the order in which they were drawn, so that
any beginning is a random sample. A skipped question is refused: it was not skipped at random.
"""

from __future__ import annotations

import csv
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import accumulate
from typing import IO, Any

from gmpy2 import mpq

from ntqr_exact.budget import check_work
from ntqr_exact.errors import BadDecisions, BadNumber, BadVotes, listed
from ntqr_exact.exact.rational import RationalLike, whole_number
from ntqr_exact.exact.seeded_draws import below, bits_from
from ntqr_exact.sampling.graded_ranges import differ_on
from ntqr_exact.sampling.partial_key import Drawn, PartialKey, Strata, check_strata
from ntqr_exact.votes.counts import Judge, VoteCounts
from ntqr_exact.votes.names import Pattern, join_pattern
from ntqr_exact.votes.read_votes import plain_label
from ntqr_exact.votes.table import Table
from ntqr_exact.votes.tables import Source, open_table

TRUTH = "truth"
_QUESTION = "question"


@dataclass(frozen=True, slots=True)
class ChosenQuestions:
    """Questions to grade in the order drawn, stratum by stratum: a pattern, and a number from 1 among its questions."""

    votes: VoteCounts
    drawn: Drawn
    strata: Strata
    seed: int
    questions: tuple[tuple[Pattern, int], ...]

    def to_document(self) -> dict[str, Any]:
        """Return the choice as a JSON document."""
        strata = [[join_pattern(pattern) for pattern in group] for group in self.strata]
        questions = [{"pattern": join_pattern(pattern), "number": n} for pattern, n in self.questions]
        about = {"size": self.votes.size, "drawn": self.drawn.value, "seed": self.seed}
        return {**about, "strata": strata, "questions": questions}


def choose_questions(
    votes: VoteCounts,
    number: RationalLike,
    *,
    by_pattern: bool = False,
    between: tuple[Judge, Judge] | None = None,
    seed: RationalLike,
) -> ChosenQuestions:
    """Return `number` questions to grade, drawn at random among all: every choice is equally likely.

    With `by_pattern`, each answer pattern gets its share by size, and at least one question while there are enough.
    `between` names two judges: only questions on which they differ are drawn, and a gap differs from nothing.

    >>> chosen = choose_questions(VoteCounts({"aa": 60, "ab": 25, "ba": 15}), 3, between=(0, 1), seed=7)
    >>> chosen.drawn.value, [pattern for pattern, _ in chosen.questions]
    ('by_strata', [('a', 'b'), ('a', 'b'), ('b', 'a')])
    """
    wanted, bits = whole_number(number), bits_from(seed)
    if between is not None and by_pattern:
        raise BadVotes(between, "between must be left out where questions are drawn by pattern")
    kind = Drawn.BY_STRATA if by_pattern or between is not None else Drawn.AT_RANDOM
    groups = check_strata(votes, kind, None) if between is None else differing(votes, *between)
    sizes = [sum(votes.counts[pattern] for pattern in group) for group in groups]
    numbers = _shares(sizes, wanted) if between is None else [wanted, 0][: len(groups)]
    questions: list[tuple[Pattern, int]] = []
    for group, size, share in zip(groups, sizes, numbers, strict=True):
        if share > size:
            rule = f"number must be at most {size}: only {size} questions can be drawn there"
            raise BadNumber(number, rule)
        check_work(f"a draw of {share} questions", 10 * share)
        ends = [0, *accumulate(votes.counts[pattern] for pattern in group)]
        moved: dict[int, int] = {}  # of a shuffle of all questions only what is not in its own place is kept
        for drawn in range(share):
            other = drawn + below(bits, size - drawn)
            place, moved[other] = moved.get(other, other), moved.get(drawn, drawn)
            of = bisect_right(ends, place) - 1
            questions.append((group[of], place - ends[of] + 1))
    return ChosenQuestions(votes, kind, groups, whole_number(seed), tuple(questions))


def differing(votes: VoteCounts, first: Judge, second: Judge) -> Strata:
    """Return two strata: the patterns in which two judges differ, and the others."""
    i, j = votes.place(first), votes.place(second)
    apart = tuple(pattern for pattern in votes.counts if differ_on(pattern, i, j))
    alike = tuple(pattern for pattern in votes.counts if not differ_on(pattern, i, j))
    return (apart, alike) if alike else (apart,)


def _shares(sizes: list[int], wanted: int) -> list[int]:
    """Return the parts of a number in proportion to sizes: one each first, then by the largest remainders."""
    total = sum(sizes)
    if wanted > total:
        raise BadNumber(wanted, f"number must be at most {total} questions")
    exact = [mpq(wanted * size, max(1, total)) for size in sizes]
    least = 1 if wanted >= len(sizes) else 0
    shares = [max(least, int(part)) for part in exact]
    while sum(shares) != wanted:
        step = 1 if sum(shares) < wanted else -1
        movable = [i for i, share in enumerate(shares) if (share < sizes[i] if step > 0 else share > least)]
        best = max(movable, key=lambda i: (step * (exact[i] - shares[i]), -i))
        shares[best] += step
    return shares


def write_sheet(
    chosen: ChosenQuestions,
    target: IO[str],
    *,
    source: Source | None = None,
    delimiter: str | None = None,
    questions: Iterable[tuple[str, Pattern]] = (),
) -> None:
    """Write the sheet; from the table that was counted, with all its columns but `truth`, if that is given as `source`.

    `question` is the source's own column of this name, or the row in the source, from 1, or the name in `questions`
    (names with their patterns, in order), or else the pattern and its number. Raises `BadDecisions` where the source
    does not hold the votes.
    """
    wanted, seen = set(chosen.questions), Counter[Pattern]()
    rows: dict[tuple[Pattern, int], list[Any]] = {}

    def take(pattern: Pattern, cells: Iterable[Any]) -> None:
        seen[pattern] += 1
        if (pattern, seen[pattern]) in wanted:
            rows[pattern, seen[pattern]] = list(cells)

    header = [_QUESTION, *chosen.votes.judges]
    if source is None:
        for name, pattern in questions:
            take(pattern, [name, *(cell or "" for cell in pattern)])
        for pattern, number in wanted - rows.keys():
            rows[pattern, number] = [f"{join_pattern(pattern)} {number}", *(cell or "" for cell in pattern)]
    else:
        with open_table(source, delimiter=delimiter) as table:
            places = _places(table, chosen.votes.judges)
            kept = [name for name in table.columns if name != TRUTH]  # the grader does not see the key
            header = [*([] if _QUESTION in kept else [_QUESTION]), *kept]
            for number, (_, row) in enumerate(table.rows(), start=1):
                own = [cell for name, cell in zip(table.columns, row, strict=True) if name != TRUTH]
                pattern = tuple(plain_label(row[place], chosen.votes.labels) for place in places)
                take(pattern, own if _QUESTION in kept else [number, *own])
    writer = csv.writer(target, lineterminator="\n")
    writer.writerow([*header, TRUTH])
    for question in chosen.questions:
        if question not in rows:
            raise BadDecisions(question, "decisions must have each chosen question")
        writer.writerow([*rows[question], ""])


def read_sheet(votes: VoteCounts, sheet: Source, *, drawn: Drawn | str = Drawn.AT_RANDOM) -> PartialKey:
    """Return the partial key of votes whose questions were drawn by `choose_questions` and then graded.

    Raises `BadDecisions`, with its line, for a gap in a stratum or a cell that is not a label.
    """
    empty = PartialKey(votes, {}, drawn=drawn)
    stratum = {pattern: place for place, group in enumerate(empty.strata) for pattern in group}
    graded: dict[str, Counter[Pattern]] = {label: Counter() for label in votes.labels}
    stopped: dict[int, int | None] = {}
    with open_table(sheet, header=True) as table:
        places = _places(table, [*votes.judges, TRUTH])
        for line, row in table.rows():
            *cells, label = (row[place] for place in places)
            pattern = tuple(plain_label(cell, votes.labels) for cell in cells)
            if pattern not in stratum:
                raise BadDecisions(pattern, "the votes must have a question with these answers", line=line)
            group = stratum[pattern]
            if not label:
                stopped.setdefault(group, line)
            elif label not in graded:
                rule = f"a label must be one of {listed(votes.labels)}"
                raise BadDecisions(label, rule, line=line, column=TRUTH)
            elif group in stopped and empty.drawn is not Drawn.NOT_AT_RANDOM:
                rule = "a graded question follows, so that this one was skipped"
                raise BadDecisions("", rule, "grade it", line=stopped[group])
            else:
                graded[label][pattern] += 1
    return PartialKey(votes, graded, drawn=drawn)


def _places(table: Table, names: Iterable[str]) -> list[int]:
    return [table.columns.index(table.column(name)) for name in names]
