"""Alarms as blocks: a box for each kind, with what it proves and the numbers of the proof folded."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ntqr_exact.alarms.alarm import Alarm, AlarmKind
from ntqr_exact.blocks.block import Block, Box, Bullets, Facts, Fold, Sentence


def alarm_blocks(alarms: Iterable[Alarm], otherwise: str) -> Iterator[Block]:
    """Yield a box for each kind of alarm, or one calm box that says `otherwise`.

    >>> [box.blocks[0].text for box in alarm_blocks([], "an answer key exists.")]
    ['an answer key exists.']
    """
    by_kind: dict[AlarmKind, list[Alarm]] = {}
    for alarm in alarms:
        by_kind.setdefault(alarm.kind, []).append(alarm)
    if not by_kind:
        yield Box((Sentence(otherwise, "No alarm", fires=False),), fires=False)
    for kind, (first, *others) in by_kind.items():
        more = f"; and {len(others)} more" if others else ""
        proof: list[Block] = [Sentence(f"{kind.value[0].upper()}{kind.value[1:]}.")]
        if first.proof:
            numbers = tuple((name.replace("_", " "), value) for name, value in first.proof.items())
            proof.append(Facts("The numbers of the proof", numbers))
        if others:
            proof.append(Bullets(tuple(alarm.words for alarm in others)))
        shown = Sentence(f"{first.words}{more}", f"ALARM, {kind.title}", fires=True)
        yield Box((shown, Fold("what it proves, with its numbers", tuple(proof))), fires=True)
