"""The first page of a test: how good is each judge, who is better, what is proven, what is not, what to do next."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from ntqr_exact.blocks.block import Block, Bullets, Heading, Picture, Sentence, Table
from ntqr_exact.exact.counted import counted
from ntqr_exact.study.brief import Brief
from ntqr_exact.study.study import Part
from ntqr_exact.votes.counts import VoteCounts


@dataclass(frozen=True, slots=True)
class Summary(Part):
    """What all parts of a study add to its first page; `key_counts` are those of the answer key, if it is known."""

    anchor: ClassVar[str] = "summary"
    title: ClassVar[str] = "In short"

    votes: VoteCounts
    key_counts: Mapping[str, int] | None
    told: Brief
    graded: int | None = None
    """How many questions have a key, where only some have one."""

    def to_document(self) -> dict[str, Any]:
        """Return the columns with the order of the judges in each, and the lists."""
        judges = self.votes.judges
        return {
            "questions": self.votes.size,
            "graded": self.graded,
            "key_counts": None if self.key_counts is None else dict(self.key_counts),
            "columns": [one.to_document(judges) for one in self.told.columns],
            "proven": [str(line) for line in self.told.proven],
            "unknown": list(self.told.unknown),
            "next_steps": list(self.told.next_steps),
        }

    def blocks(self) -> Iterator[Block]:
        """Yield the five answers."""
        votes, told = self.votes, self.told
        key = "There is no answer key."
        if self.key_counts is not None:
            counts = ", ".join(f"{count} of {label}" for label, count in self.key_counts.items())
            key = f"The answer key is known: {counts}."
        elif self.graded is not None:
            key = f"The answer key of {self.graded} of them is known."
        yield Sentence(
            f"{counted(votes.size, 'question')}, {counted(len(votes.judges), 'judge')}, "
            f"labels {', '.join(votes.labels)}. {key}"
        )
        if told.columns:
            yield Heading("How good is each judge?")
            told_by = "a point is known, a bar is a range"
            caption = f"Share of right answers of each judge, in all and on each label: {told_by}"
            options = {"judges": votes.judges}
            yield Picture("judges", caption, "plot_judge_grades", (told.columns,), options, ground="figure")
            header = ("judge", *(one.name for one in told.columns))
            rows = tuple(zip(votes.judges, *(one.cells() for one in told.columns), strict=True))
            yield Table("Share of right answers in all", header, rows, "judges")
            assumed = (
                (one.name, one.assumes, f"; {one.caution}" if one.caution else "") for one in told.columns
            )
            yield Bullets(tuple(f"{name} assumes that {what}{caution}." for name, what, caution in assumed))
            if len(votes.judges) > 1:
                yield Heading("Who is better than whom?")
                yield Bullets(tuple(f"{one.name}: {one.order(votes.judges)}" for one in told.columns))
        for title, lines in (
            ("What the votes prove", told.proven),
            ("What they cannot tell", told.unknown),
            ("What to do next", told.next_steps),
        ):
            if lines:
                yield Heading(title)
                yield Bullets(lines)
