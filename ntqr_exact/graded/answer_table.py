"""`AnswerTable`: answers of several judges, some of which may be missing, with all labels declared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from ntqr_exact.csv_rows import CsvSource, numbered_rows, opened
from ntqr_exact.errors import BadDecisions, BadVotes
from ntqr_exact.exact.arguments import checked
from ntqr_exact.votes.counted_rows import choose_columns
from ntqr_exact.votes.counts import Judge, VoteCounts
from ntqr_exact.votes.names import check_judges, check_labels, default_judges

Answers: TypeAlias = "tuple[str | None, ...]"


@dataclass(frozen=True, slots=True, init=False)
class AnswerTable:
    """How often each row of answers was seen; `None` stands for an answer that is missing.

    >>> table = AnswerTable([("a", "b"), ("a", None), ("a", "b")], labels=["a", "b", "c"])
    >>> table.rows
    ((('a', None), 1), (('a', 'b'), 2))

    The labels are never inferred: several coefficients depend on how many there are.
    """

    rows: tuple[tuple[Answers, int], ...]
    labels: tuple[str, ...]
    judges: tuple[str, ...]

    @checked
    def __init__(
        self, rows: Iterable[Sequence[str | None]], labels: Iterable[str], judges: Iterable[str] | None = None
    ) -> None:
        """Check and sort."""
        known = check_labels(labels)
        counts: Counter[Answers] = Counter()
        names = None if judges is None else check_judges(judges)
        for row in rows:
            answers = tuple(row)
            names = default_judges(len(answers)) if names is None else names
            if len(answers) != len(names):
                raise BadVotes(
                    row, f"a row has {len(names)} answers, one for each judge; None if it is missing"
                )
            for answer in answers:
                if answer is not None and answer not in known:
                    raise BadVotes(row, f"{answer!r} is not one of the labels {', '.join(map(repr, known))}")
            counts[answers] += 1
        if names is None:
            raise BadVotes([], "a table without rows does not tell how many judges there are", "name them")
        _fill(self, counts, known, names)

    @classmethod
    def from_votes(cls, votes: VoteCounts) -> AnswerTable:
        """Return votes as a table in which no answer is missing."""
        table = object.__new__(cls)
        counts: Counter[Answers] = Counter()
        counts.update(dict(votes.counts.items()))
        _fill(table, counts, votes.labels, votes.judges)
        return table

    @classmethod
    def from_csv(
        cls,
        source: CsvSource,
        labels: Iterable[str],
        *,
        judges: Sequence[str] | None = None,
        truth: str | None = None,
        delimiter: str = ",",
    ) -> AnswerTable:
        """Return the table in a CSV with a header, in which an empty cell is a missing answer.

        A column `truth` is left out. Raises `BadDecisions` with the line for what cannot be read.
        """
        known = check_labels(labels)
        rows = []
        with opened(source) as stream:
            lines = numbered_rows(stream, delimiter)
            _, header = next(lines, (1, []))
            columns = choose_columns(header, judges, truth)
            columns = columns if truth is None else columns[:-1]
            places = [header.index(column) for column in columns]
            for line, row in lines:
                if len(row) != len(header):
                    raise BadDecisions(
                        row, f"this row has {len(row)} cells for {len(header)} columns", line=line
                    )
                for place, column in zip(places, columns, strict=True):
                    if row[place] and row[place] not in known:
                        rule = f"the labels are {', '.join(map(repr, known))}"
                        raise BadDecisions(row[place], rule, line=line, column=column)
                rows.append([row[place] or None for place in places])
        return cls(rows, known, columns)

    def marginal(self, *judges: Judge) -> AnswerTable:
        """Return the answers of some of the judges."""
        places = [VoteCounts({}, self.labels, self.judges).place(judge) for judge in judges]
        counts: Counter[Answers] = Counter()
        for answers, count in self.rows:
            counts[tuple(answers[place] for place in places)] += count
        table = object.__new__(AnswerTable)
        _fill(table, counts, self.labels, check_judges([self.judges[place] for place in places]))
        return table

    def to_document(self) -> dict[str, Any]:
        """Return the table as a JSON document; a missing answer is null."""
        rows = [{"answers": list(answers), "count": count} for answers, count in self.rows]
        return {"labels": list(self.labels), "judges": list(self.judges), "rows": rows}


def _fill(
    table: AnswerTable, counts: Counter[Answers], labels: tuple[str, ...], judges: tuple[str, ...]
) -> None:
    rank = {label: place for place, label in enumerate(labels, start=1)}
    ordered = sorted(counts.items(), key=lambda item: [0 if a is None else rank[a] for a in item[0]])
    object.__setattr__(table, "rows", tuple(ordered))
    object.__setattr__(table, "labels", labels)
    object.__setattr__(table, "judges", judges)
