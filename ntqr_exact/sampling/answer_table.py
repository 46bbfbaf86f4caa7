"""`AnswerTable`: answers of several judges, some of which may be missing, with all labels declared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from ntqr_exact.budget import spend
from ntqr_exact.errors import BadVotes, shown
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

    def __init__(
        self, rows: Iterable[Sequence[str | None]], labels: Iterable[str], judges: Iterable[str] | None = None
    ) -> None:
        known = check_labels(labels)
        counts: Counter[Answers] = Counter()
        names = None if judges is None else check_judges(judges)
        for row in rows:
            answers = tuple(row)
            names = check_judges(default_judges(len(answers))) if names is None else names
            if len(answers) != len(names):
                rule = f"a row has {len(names)} answers, one for each judge; None if it is missing"
                raise BadVotes(row, rule)
            for answer in answers:
                if answer is not None and answer not in known:
                    raise BadVotes(
                        row, f"{shown(answer)} is not one of the labels {', '.join(map(repr, known))}"
                    )
            counts[answers] += 1
        if names is None:
            raise BadVotes([], "a table without rows does not tell how many judges there are", "name them")
        _fill(self, counts, known, names)

    @classmethod
    def from_votes(cls, votes: VoteCounts) -> AnswerTable:
        """Return votes as a table; a gap is a missing answer."""
        return _fill(object.__new__(cls), votes.counts, votes.labels, votes.judges)

    def marginal(self, *judges: Judge) -> AnswerTable:
        """Return the answers of some of the judges."""
        spend("the answers of so many groups of judges", 20 + len(self.rows) + len(self.judges) // 2)
        every = VoteCounts({}, self.labels, self.judges)
        places = [every.place(judge) for judge in judges]
        counts: Counter[Answers] = Counter()
        for answers, count in self.rows:
            counts[tuple(answers[place] for place in places)] += count
        names = check_judges([self.judges[place] for place in places])
        return _fill(object.__new__(AnswerTable), counts, self.labels, names)

    def relabeled(self, seen_as: Mapping[str, str | None], labels: Iterable[str]) -> AnswerTable:
        """Return the answers under other labels, several of which may become one, or missing.

        >>> AnswerTable([("a", "?")], ["a", "b", "?"]).relabeled({"a": "a", "b": "b", "?": None}, ["a", "b"]).rows
        ((('a', None), 1),)
        """
        counts: Counter[Answers] = Counter()
        for answers, count in self.rows:
            counts[tuple(None if answer is None else seen_as[answer] for answer in answers)] += count
        return _fill(object.__new__(AnswerTable), counts, check_labels(labels), self.judges)

    def to_document(self) -> dict[str, Any]:
        """Return the table as a JSON document; a missing answer is null."""
        rows = [{"answers": list(answers), "count": count} for answers, count in self.rows]
        return {"labels": list(self.labels), "judges": list(self.judges), "rows": rows}


def _fill(
    table: AnswerTable, counts: Mapping[Any, int], labels: tuple[str, ...], judges: tuple[str, ...]
) -> AnswerTable:
    rank: dict[str | None, int] = {label: place for place, label in enumerate((None, *labels))}
    ordered = sorted(counts.items(), key=lambda item: [rank[answer] for answer in item[0]])
    for name, value in (("rows", tuple(ordered)), ("labels", labels), ("judges", judges)):
        object.__setattr__(table, name, value)
    return table
