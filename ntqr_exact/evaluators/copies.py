"""Copies and opposites among the judges: votes that look like knowledge and are one judge's alone."""

from __future__ import annotations

from collections.abc import Iterator

from ntqr_exact.alarms.group_size import and_joined
from ntqr_exact.votes.counts import VoteCounts


def copy_notes(votes: VoteCounts) -> Iterator[str]:
    """Yield a sentence for judges who never disagree, and for judges who answer alike under other names.

    Two judges are alike up to the names of the labels exactly if their answers, numbered in the order in which they
    first occur, are the same; between two labels such a judge is another's opposite.

    >>> [note.partition(":")[0] for note in copy_notes(VoteCounts({"aab": 2, "bba": 3}))]
    ['J1 and J2 never disagree', 'J3 is the opposite of J1 and J2']
    """
    alike: dict[tuple[int, ...], dict[tuple[str, ...], list[str]]] = {}
    for name, answers in zip(votes.judges, zip(*votes.counts, strict=True), strict=False):
        order = {label: number for number, label in enumerate(dict.fromkeys(answers))}
        shape = tuple([order[label] for label in answers])
        alike.setdefault(shape, {}).setdefault(answers, []).append(name)
    for shape, columns in alike.items():
        for names in columns.values():
            if len(names) > 1:
                yield (
                    f"{and_joined(names)} never disagree: copies of one judge look perfect to the algebra of "
                    "independent errors, which takes their agreement for knowledge."
                )
        if not any(shape):  # judges who give one answer always say nothing about each other
            continue
        (first, names), *others = columns.items()
        for answers, renamed in others:
            verb = "is" if len(renamed) == 1 else "are"
            how = "the opposite of"
            if len(votes.labels) > 2:
                pairs = dict(zip(first, answers, strict=True))
                told = ", ".join(f"{new} for {old}" for old, new in pairs.items())
                how = f"under other names ({told}) a copy of"
            yield (
                f"{and_joined(renamed)} {verb} {how} {and_joined(names)}: to the algebra of independent errors that is "
                "as good as a copy."
            )
