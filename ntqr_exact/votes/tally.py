"""One checker for decisions of every form: a stream of rows goes in, a tally of checked patterns comes out.

A CSV, JSON lines and a frame each bring their rows in batches. What a cell may be, what is missing and what is
doubtful is decided here, once for all of them.
"""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from ntqr_exact.errors import BadDecisions, BadVotes, DecisionsNote, listed
from ntqr_exact.exact.counted import counted
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.decision_rows import Batch, DecisionRows, by_question
from ntqr_exact.votes.doubtful import warn_of_doubtful_columns, warn_of_doubtful_labels, without_numbers
from ntqr_exact.votes.labeled import LabeledVoteCounts
from ntqr_exact.votes.names import Pattern, check_judges, check_labels

DROP, KEEP, LABEL = "drop", "keep", "label:"
"""Missing answers: leave their questions out, keep them as gaps, or make them an answer of their own."""

MAX_INFERRED_LABELS = 100
"""More different labels than this in a file without named labels: probably a column that is not a judge."""

_MANY_LABELS = f"more than {MAX_INFERRED_LABELS} different labels"
_INSTEAD_OF_MANY = "name the columns of the judges (--judges), or the labels"
_EMPTY = "this cell is empty"


@dataclass(frozen=True, slots=True)
class Tally:
    """How often each pattern was seen, the true label last where there is a key, and the labels of all of them."""

    judges: tuple[str, ...]
    labels: tuple[str, ...]
    counts: Mapping[tuple[str, ...], int]
    has_key: bool

    def votes(self) -> VoteCounts | LabeledVoteCounts:
        """Return the votes, with the key if there is one."""
        return self._graded() if self.has_key else VoteCounts(_gaps(self.counts), self.labels, self.judges)

    def votes_and_graded(self) -> tuple[VoteCounts, LabeledVoteCounts]:
        """Return all votes and those with a true label, where an empty true label means none.

        >>> votes, graded = Tally(("A",), ("a", "b"), {("a", "b"): 2, ("b", ""): 5}, has_key=True).votes_and_graded()
        >>> votes.size, graded.key_counts
        (7, {'a': 0, 'b': 2})
        """
        every = Counter[tuple[str, ...]]()
        for (*pattern, _), count in self.counts.items():
            every[tuple(pattern)] += count
        return VoteCounts(_gaps(every), self.labels, self.judges), self._graded()

    def _graded(self) -> LabeledVoteCounts:
        parts: dict[str, dict[tuple[str, ...], int]] = {label: {} for label in self.labels}
        for (*pattern, true_label), count in self.counts.items():
            if true_label in parts:
                parts[true_label][tuple(pattern)] = count
            elif true_label:
                raise BadVotes(true_label, f"a true label is one of {', '.join(map(repr, self.labels))}")
        votes = {label: VoteCounts(_gaps(part), self.labels, self.judges) for label, part in parts.items()}
        return LabeledVoteCounts(votes)


def _gaps(counts: Mapping[tuple[str, ...], int]) -> dict[Pattern, int]:
    """Return patterns in which a missing answer is None; those without any answer are left out."""
    return {
        tuple(cell or None for cell in pattern): count for pattern, count in counts.items() if any(pattern)
    }


def tally(
    rows: DecisionRows,
    *,
    judges: Sequence[str] | None = None,
    labels: Iterable[str] | None = None,
    truth: str | None = None,
    long: Sequence[str] | None = None,
    missing: str | None = None,
    progress: Callable[[int], None] | None = None,
    key_in_part: bool = False,
    keeps_missing: bool = False,
) -> Tally:
    """Return the checked patterns of all rows with their counts.

    `long` names the columns of question, judge and answer where there is a row for each answer, if they are not to be
    recognised. `missing` says what to do about missing answers of judges, which are refused without it; with
    `keeps_missing` they stay as "". A missing true label is refused unless the key may be there `key_in_part`. Raises
    `BadDecisions`, with line and column where there are such, for what cannot be counted; warns of columns and labels
    that look amiss.
    """
    filler = _filler(missing)
    keeps_missing = keeps_missing or missing == KEEP
    known = None if labels is None else check_labels(labels)
    if known is not None and filler and filler not in known:
        known = (*known, filler)
    rows = by_question(rows, long=long, judges=judges, truth=truth)
    columns = choose_columns(rows.columns, judges, truth)
    batches = rows.batches(columns)
    if judges is None:
        columns, batches = without_numbers(columns, batches, truth)
    names = columns if truth is None else columns[:-1]
    checker = _Checker(columns, known, may_be_missing=truth if key_in_part else None, key=truth)
    counts = checker.count(batches, progress)
    if checker.first_missing is not None and not keeps_missing:
        counts = _settled(counts, names, missing, filler, checker.first_missing)
    if judges is None:
        warn_of_doubtful_columns(names, counts)
    if known is None:
        if not counts and checker.first_missing is None:
            rule = "there is a header, and no question under it"
            raise BadVotes(list(columns), rule, "name the labels to have an empty test")
        answers = Counter[str]()
        for pattern, count in counts.items():
            for cell in pattern:
                answers[cell] += count
        del answers[""]
        known = infer_labels([tuple(answers)])
        warn_of_doubtful_labels(answers, filler)
    return Tally(tuple(names), known, counts, has_key=truth is not None)


def infer_labels(patterns: Iterable[Sequence[str]]) -> tuple[str, ...]:
    """Return the labels that occur, sorted; raises where they cannot be all.

    >>> infer_labels([("b", "a"), ("b", "c")])
    ('a', 'b', 'c')
    """
    seen = sorted({label for pattern in patterns for label in pattern if label})
    if len(seen) < 2:
        raise BadVotes(tuple(seen), "fewer than two labels occur", "name all labels that could occur")
    if len(seen) > MAX_INFERRED_LABELS:
        raise BadVotes(len(seen), _MANY_LABELS, _INSTEAD_OF_MANY)
    return check_labels(seen)


def choose_columns(columns: Sequence[str], judges: Sequence[str] | None, truth: str | None) -> list[str]:
    """Return the columns to count: the judges (all but the truth unless named), the truth last.

    >>> choose_columns(["A", "key", "B"], None, "key")
    ['A', 'B', 'key']
    """
    chosen = [column for column in columns if column != truth] if judges is None else [*check_judges(judges)]
    both, known = [*chosen, *(() if truth is None else (truth,))], set(columns)
    for column in both:
        if column not in known:
            raise BadDecisions(column, f"there is no such column; the columns are {listed(columns)}")
    if truth in chosen:
        raise BadDecisions(truth, "the answer key cannot be a judge as well")
    if not chosen:
        raise BadDecisions(list(columns), "there is no column of a judge")
    return both


class _Checker:
    """Looks at each cell that has not been seen before, and remembers where the first answer is missing."""

    def __init__(
        self,
        columns: Sequence[str],
        labels: tuple[str, ...] | None,
        *,
        may_be_missing: str | None,
        key: str | None,
    ) -> None:
        self._columns, self._labels, self._key = columns, labels, key
        self._may_be_missing = may_be_missing
        self._found: set[str] = set(labels or ())
        self._blank = False
        self.first_missing: BadDecisions | None = None

    def count(
        self, batches: Iterable[Batch], progress: Callable[[int], None] | None
    ) -> dict[tuple[str, ...], int]:
        counts: Counter[tuple[str, ...]] = Counter()
        for batch in batches:
            known = len(counts)
            counts.update(batch.patterns)
            for pattern in islice(counts, known, None):
                for column, cell in zip(self._columns, pattern, strict=True):
                    if cell not in self._found:
                        self._look_at(cell, column, batch)
            if progress is not None:
                progress(batch.rows)
        return self._with_blanks_as_missing(counts) if self._blank else counts

    def _look_at(self, cell: str, column: str, batch: Batch) -> None:
        if not cell.strip():
            self._blank = self._blank or cell != ""
            if column == self._may_be_missing:
                return
            place = BadDecisions(cell, _EMPTY, line=batch.line_of(column, cell), column=column)
            if column == self._key:
                raise place
            self.first_missing = self.first_missing or place
            return
        if problem := self._problem(cell):
            raise BadDecisions(cell, problem, line=batch.line_of(column, cell), column=column)
        self._found.add(cell)

    def _problem(self, cell: str) -> str:
        """Return what is wrong with a cell that has not been seen before; nothing if it is a label."""
        if "\0" in cell:
            return "this cell holds a NUL byte; is this a binary file?"
        if self._labels is not None:
            return f"the labels are {', '.join(map(repr, self._labels))}"
        if cell != cell.strip():
            beside = f", and {cell.strip()!r} is there without them" if cell.strip() in self._found else ""
            return f"this label has blanks around it{beside}; remove them, or name the labels"
        if len(self._found) >= MAX_INFERRED_LABELS:
            return f"{_MANY_LABELS}; {_INSTEAD_OF_MANY}"
        return ""

    def _with_blanks_as_missing(self, counts: Mapping[tuple[str, ...], int]) -> Counter[tuple[str, ...]]:
        """Return the counts with "" for every cell of blanks that is no label."""
        cleaned: Counter[tuple[str, ...]] = Counter()
        for pattern, count in counts.items():
            cleaned[tuple(cell if cell in self._found else cell.strip() for cell in pattern)] += count
        return cleaned


def _filler(missing: str | None) -> str:
    """Return the label that missing answers become, or nothing."""
    if missing is None or missing in (DROP, KEEP):
        return ""
    if isinstance(missing, str) and missing.startswith(LABEL) and missing.removeprefix(LABEL).strip():
        return missing.removeprefix(LABEL)
    raise BadDecisions(missing, f"what to do about missing answers is {KEEP}, {DROP} or {LABEL}NAME")


def _settled(
    counts: Mapping[tuple[str, ...], int],
    judges: Sequence[str],
    missing: str | None,
    filler: str,
    first: BadDecisions,
) -> dict[tuple[str, ...], int]:
    """Return the counts without missing answers, as the user decided; raises, if nothing was, and says how many."""
    complete = {pattern: count for pattern, count in counts.items() if all(pattern[: len(judges)])}
    size = sum(counts.values())
    without = size - sum(complete.values())
    if missing is not None:
        done = f"answers are {filler!r} now" if filler else "questions are left out"
        told = f"answers are missing on {without} of {counted(size, 'question')}"
        warnings.warn(f"{told}; these {done}", DecisionsNote, stacklevel=3)
    if filler:
        filled: Counter[tuple[str, ...]] = Counter()
        for pattern, count in counts.items():
            filled[tuple(cell or filler for cell in pattern[: len(judges)]) + pattern[len(judges) :]] += count
        return filled
    if missing == DROP:
        return complete
    by_judge = [sum(n for pattern, n in counts.items() if not pattern[place]) for place in range(len(judges))]
    whose = ", ".join(f"{judge!r} {n}" for judge, n in zip(judges, by_judge, strict=True) if n)
    raise BadDecisions(
        first.given,
        f"{_EMPTY}; {counted(sum(by_judge), 'answer')} of {size * len(judges)} missing: {whose}, on "
        f"{without} of {counted(size, 'question')}",
        f"decide what is done (--missing): {DROP} leaves these questions out, {LABEL}NAME makes an answer of it",
        line=first.line,
        column=first.column,
    )
