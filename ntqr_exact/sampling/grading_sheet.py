"""The sheet of questions to grade: a CSV with an empty column for the truth, to be filled in and read back.

The questions stand in the order in which they were drawn. Whoever fills in the truth from the top may stop at any
line: what is filled in is still a random sample. A gap is refused: a question that was skipped was not skipped at
random.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import IO

from ntqr_exact.csv_rows import CsvSource, numbered_rows, opened
from ntqr_exact.errors import BadDecisions
from ntqr_exact.sampling.choosing import ChosenQuestions
from ntqr_exact.sampling.drawing import Drawn
from ntqr_exact.sampling.partial_key import PartialKey
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.names import Pattern, join_pattern

TRUTH = "truth"
_QUESTION = "question"


def write_sheet(
    chosen: ChosenQuestions, target: IO[str], *, source: CsvSource | None = None, delimiter: str | None = None
) -> None:
    """Write the sheet; from the CSV that was counted, with all its columns, if that is given as `source`.

    `question` is the row in the source, from 1, or else the pattern and the number among its questions. Raises
    `BadDecisions` where the source does not hold the votes.

    >>> import sys
    >>> from ntqr_exact.sampling.choosing import choose_questions
    >>> write_sheet(choose_questions(VoteCounts({"ab": 3}), 2, seed=1), sys.stdout)
    question,J1,J2,truth
    "a,b 1",a,b,
    "a,b 3",a,b,
    """
    writer = csv.writer(target, lineterminator="\n")
    if source is None:
        writer.writerow([_QUESTION, *chosen.votes.judges, TRUTH])
        for pattern, number in chosen.questions:
            writer.writerow([f"{join_pattern(pattern)} {number}", *pattern, ""])
        return
    header, rows = _source_rows(chosen, source, delimiter)
    for name in (_QUESTION, TRUTH):
        if name in header:
            raise BadDecisions(name, "the sheet has a column of this name", "rename it in the decisions")
    writer.writerow([_QUESTION, *header, TRUTH])
    for question in chosen.questions:
        if question not in rows:
            raise BadDecisions(question, "the decisions do not hold this question of the votes")
        number, cells = rows[question]
        writer.writerow([number, *cells, ""])


def read_sheet(
    votes: VoteCounts,
    sheet: CsvSource,
    *,
    drawn: Drawn | str = Drawn.AT_RANDOM,
    strata: Iterable[Iterable[object]] | None = None,
    truth: str = TRUTH,
    delimiter: str | None = None,
) -> PartialKey:
    r"""Return the partial key of votes whose questions were drawn by `choose_questions` and then graded.

    >>> import io
    >>> filled = io.StringIO("question,J1,J2,truth\n1,a,b,a\n2,a,b,\n")
    >>> read_sheet(VoteCounts({"ab": 3}), filled).graded_size
    1

    Raises `BadDecisions`, with its line, for a gap in a stratum or a cell that is no label.
    """
    empty = PartialKey(votes, {}, drawn=drawn, strata=strata)
    stratum = {pattern: place for place, group in enumerate(empty.strata) for pattern in group}
    graded: dict[str, Counter[Pattern]] = {label: Counter() for label in votes.labels}
    stopped: dict[int, int] = {}
    with opened(sheet) as stream:
        lines = numbered_rows(stream, delimiter)
        _, header = next(lines, (1, []))
        places = _places(header, [*votes.judges, truth])
        for line, row in lines:
            if len(row) != len(header):
                raise BadDecisions(row, f"this row has {len(row)} cells for {len(header)} columns", line=line)
            *cells, label = (row[place] for place in places)
            pattern = tuple(cells)
            if pattern not in stratum:
                raise BadDecisions(pattern, "no question of the votes has these answers", line=line)
            group = stratum[pattern]
            if not label:
                stopped.setdefault(group, line)
            elif label not in graded:
                rule = f"the labels are {', '.join(map(repr, votes.labels))}"
                raise BadDecisions(label, rule, line=line, column=truth)
            elif group in stopped and empty.drawn is not Drawn.NOT_AT_RANDOM:
                rule = "a graded question follows, so that this one was skipped"
                raise BadDecisions("", rule, "grade it", line=stopped[group])
            else:
                graded[label][pattern] += 1
    return PartialKey(votes, graded, drawn=drawn, strata=strata)


def _places(header: Sequence[str], names: Sequence[str]) -> list[int]:
    for name in names:
        if name not in header:
            rule = f"there is no such column; the columns are {', '.join(map(repr, header))}"
            raise BadDecisions(name, rule, line=1)
    return [header.index(name) for name in names]


def _source_rows(
    chosen: ChosenQuestions, source: CsvSource, delimiter: str | None
) -> tuple[list[str], dict[tuple[Pattern, int], tuple[int, list[str]]]]:
    wanted = set(chosen.questions)
    seen: Counter[Pattern] = Counter()
    rows: dict[tuple[Pattern, int], tuple[int, list[str]]] = {}
    with opened(source) as stream:
        lines = numbered_rows(stream, delimiter)
        _, header = next(lines, (1, []))
        places = _places(header, chosen.votes.judges)
        for number, (_, row) in enumerate(lines, start=1):
            pattern = tuple(row[place] for place in places)
            seen[pattern] += 1
            if (pattern, seen[pattern]) in wanted:
                rows[pattern, seen[pattern]] = (number, row)
    return header, rows
