"""The first screen of large panels, against the Dawid–Skene estimate of crowd-kit, if that is installed.

Nine judges and 3,200 questions, 39 and 108, and 164 and 800 with 94 % of the answers missing: judges right four
times in five, drawn from a seed. The screen may take five times crowd-kit's time, and one second more.
"""

from __future__ import annotations

import importlib.util
import random

from benchmarks.measure import Ratio, compare
from ntqr_exact.study.screen import study_screen
from ntqr_exact.votes.counts import VoteCounts

PANELS = ((9, 3200, 1.0), (39, 108, 1.0), (164, 800, 0.06))


def rows(*, quick: bool) -> list[Ratio]:
    if importlib.util.find_spec("crowdkit") is None:
        print("crowd-kit is not installed: its rows are left out")
        return []
    return [_row(*panel, repeats=1 if quick else 3) for panel in PANELS]


def _row(judges: int, questions: int, filled: float, *, repeats: int) -> Ratio:
    import pandas as pd
    from crowdkit.aggregation import DawidSkene

    draw = random.Random(0)
    patterns = []
    for _ in range(questions):
        truth = draw.choice("ab")
        wrong = "b" if truth == "a" else "a"
        pattern = [
            (truth if draw.random() < 0.8 else wrong) if draw.random() < filled else None
            for _ in range(judges)
        ]
        patterns.append(tuple(pattern))
    counts: dict[tuple[str | None, ...], int] = {}
    for pattern in patterns:
        counts[pattern] = counts.get(pattern, 0) + 1
    votes = VoteCounts(counts, ["a", "b"])
    answers = pd.DataFrame(
        [
            (question, judge, given)
            for question, pattern in enumerate(patterns)
            for judge, given in enumerate(pattern)
            if given is not None
        ],
        columns=["task", "worker", "label"],
    )
    measured = compare(
        f"first screen, {judges} judges, {questions} questions, less 1 s",
        "Dawid-Skene of crowd-kit",
        ours=lambda: study_screen(votes),
        theirs=lambda: DawidSkene(n_iter=100).fit_predict(answers),
        limit=5,
        repeats=repeats,
    )
    return Ratio(measured.name, measured.peer, max(measured.ours - 1, 0), measured.theirs, measured.limit)
