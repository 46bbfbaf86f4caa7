"""`take_census`: every vote of a test size, classified, in full or up to symmetry, with exact totals."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import Executor
from contextlib import nullcontext
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, Literal

from ntqr_exact.alarms.alarm import AlarmKind
from ntqr_exact.census.chunk import Checkpoint, TallyRow, chunk_at, merged, tally_chunk
from ntqr_exact.census.enumeration import orbits_count, votes_count
from ntqr_exact.errors import BadDocument, BadNumber, NotSupported
from ntqr_exact.evaluators.independent.independence_class import (
    TRIO_ALARMS,
    IndependenceClass,
    alarms_of_mask,
)
from ntqr_exact.exact.arguments import checked
from ntqr_exact.exact.json_text import write_json
from ntqr_exact.exact.rational import RationalLike, whole_number
from ntqr_exact.sweep import sweep

JUDGES = 3
_RANKS_PER_CHUNK = 1 << 18
"""How many votes one chunk visits: a second or less of work, so that little is lost when it is stopped."""

RECOUNT = 3
"""How many finished chunks of a checkpoint are counted again unless told otherwise."""

_FORMAT = 1


@dataclass(frozen=True, slots=True)
class Share:
    """How many votes there are of a kind, and how many orbits they make up; orbits are `None` in a full census."""

    votes: int
    orbits: int | None


@dataclass(frozen=True, slots=True)
class Census:
    """All votes of a test of one size: how many there are of each class, alarms and size of orbit.

    `trusted` chunks were taken from a checkpoint and not counted again. Their checksums are right, which tells of
    damage, and each has as many votes as it should. But whoever can write to the file could have forged them.
    """

    questions: int
    symmetry: bool
    rows: tuple[TallyRow, ...]
    trusted: int = field(default=0, compare=False, repr=False)

    @property
    def total(self) -> Share:
        """All votes together."""
        return self._share(lambda _code, _mask: True)

    def classes(self) -> dict[IndependenceClass, Share]:
        """Return how many votes there are of each class; they exclude each other and make up the total."""
        return {
            kind: self._share(lambda code, _mask, kind=kind: code == kind)  # type: ignore[misc]
            for kind in IndependenceClass
        }

    def alarms(self) -> dict[AlarmKind, Share]:
        """Return for how many votes each alarm fires; several can fire for one."""
        return {
            kind: self._share(lambda _code, mask, bit=bit: mask >> bit & 1)  # type: ignore[misc]
            for bit, kind in enumerate(TRIO_ALARMS)
        }

    def combinations(self) -> dict[tuple[IndependenceClass, tuple[AlarmKind, ...]], Share]:
        """Return how many votes there are of each class with exactly these alarms."""
        pairs = sorted({(code, mask) for code, mask, _, _ in self.rows})
        return {
            (IndependenceClass(code), alarms_of_mask(mask)): self._share(
                lambda other_code, other_mask, pair=(code, mask): (other_code, other_mask) == pair  # type: ignore[misc]
            )
            for code, mask in pairs
        }

    @property
    def with_key(self) -> Share:
        """The votes for which an independent answer key exists: the independent and the unidentified ones."""
        return self._share(
            lambda code, _mask: code in (IndependenceClass.INDEPENDENT, IndependenceClass.UNIDENTIFIED)
        )

    def holds(self) -> bool:
        """Check that nothing is missing or double: C(Q + 7, 7) votes, and as many orbits as Burnside counts."""
        total = self.total
        orbits = orbits_count(self.questions) if self.symmetry else None
        return (total.votes, total.orbits) == (votes_count(self.questions), orbits)

    def to_document(self) -> dict[str, Any]:
        """Return the census as a JSON document, the same whether it was interrupted or not."""
        return {
            "judges": JUDGES,
            "labels": 2,
            "questions": self.questions,
            "symmetry": self.symmetry,
            "total": _document(self.total),
            "classes": {kind.name.lower(): _document(share) for kind, share in self.classes().items()},
            "with_key": _document(self.with_key),
            "alarms": {kind.name.lower(): _document(share) for kind, share in self.alarms().items()},
            "combinations": [
                {
                    "class": kind.name.lower(),
                    "alarms": [alarm.name.lower() for alarm in alarms],
                    **_document(share),
                }
                for (kind, alarms), share in self.combinations().items()
            ],
        }

    def to_json(self) -> str:
        """Return the census as JSON, the same bytes every time."""
        return write_json(self.to_document())

    def _share(self, belongs: Callable[[int, int], object]) -> Share:
        rows = [row for row in self.rows if belongs(row[0], row[1])]
        votes = sum(size * count for _, _, size, count in rows)
        return Share(votes, sum(row[3] for row in rows) if self.symmetry else None)


@checked
def take_census(
    questions: RationalLike,
    *,
    judges: RationalLike = JUDGES,
    symmetry: bool = False,
    executor: Executor | Callable[[], Executor] | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    recount: RationalLike | Literal["all"] = RECOUNT,
    ranks_per_chunk: RationalLike = _RANKS_PER_CHUNK,
    progress: Callable[[int], object] | None = None,
) -> Census:
    """Return the census of all votes of three judges between two labels on a test with this number of questions.

    >>> census = take_census(5)
    >>> census.total.votes, census.classes()[IndependenceClass.INDEPENDENT].votes
    (792, 304)

    With `symmetry=True` one vote of each orbit under permuted judges and exchanged labels is classified and counts
    for all of them. `executor` is any that `sweep` takes. `checkpoint` names a file in which finished chunks are
    kept; a census that is started again with it goes on from there, to the same result. Of the chunks in it
    `recount` are counted again, drawn at random, or "all"; the others are `trusted`. `progress` is called with the
    number of votes visited in each chunk that is finished, or was finished before.

    Raises `NotSupported` for other than three judges, `BadNumber` for no questions, `BadDocument` for a checkpoint
    that is not this census's, or in which a chunk is not what it is counted to be.
    """
    size, group = whole_number(questions), whole_number(judges)
    if group != JUDGES:
        raise NotSupported(
            group, "a census is of three judges between two labels, whose votes are decided in closed form"
        )
    total, ranks = votes_count(size), whole_number(ranks_per_chunk)
    if ranks < 1:
        raise BadNumber(ranks, "a chunk has at least one vote")
    again = None if recount == "all" else whole_number(recount)
    header = {"census": _FORMAT, "judges": group, "questions": size, "symmetry": symmetry, "ranks": ranks}

    def visited(start: int) -> int:
        return min(ranks, total - start)

    tell = progress or (lambda _visited: None)
    with nullcontext() if checkpoint is None else Checkpoint(checkpoint, header) as kept:
        rows: tuple[TallyRow, ...] = () if kept is None else kept.rows
        finished = frozenset() if kept is None else frozenset(kept.finished)
        checked_again = [] if kept is None else kept.drawn(again)
        trusted = finished.difference(checked_again)
        for start in trusted:
            tell(visited(start))
        new = (start for start in range(0, total, ranks) if start not in finished)
        tasks = (chunk_at(header, start) for start in chain(checked_again, new))
        for tally in sweep(tally_chunk, tasks, executor=executor, ordered=False):
            if kept is not None:
                kept.add(tally)
            if tally.start not in finished:
                rows = merged((*rows, *tally.rows))
            tell(visited(tally.start))
    census = Census(size, symmetry, rows, len(trusted))
    if not census.holds():
        raise _not_whole(checkpoint)
    return census


def _not_whole(checkpoint: str | os.PathLike[str] | None) -> BadDocument:
    return BadDocument(
        str(checkpoint), "the chunks of this census do not add up to all votes", "count it without this file"
    )


def _document(share: Share) -> dict[str, int]:
    return {"votes": share.votes} if share.orbits is None else {"orbits": share.orbits, "votes": share.votes}
