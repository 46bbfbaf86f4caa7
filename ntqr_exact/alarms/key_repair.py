"""From a key that is nearly safe to a safe one: move single questions to other labels while that helps.

What is wrong with a key is counted: right answers that judges lack, and questions of a label outside its bounds. A move
of one question from a label to another changes what is wrong by a sum over the judges, from two small tables, so that the
best of all moves is quickly found. A move is not taken back for a while, so that the search can leave a dead end.
"""

from __future__ import annotations

from collections.abc import Sequence

from gmpy2 import mpq

from ntqr_exact.alarms.proof_checker import Bounds, Question, least_right

_RESTING = 7
"""A moved question stays for so many moves."""


def plurality_key(question: Question, group: int) -> list[list[int]]:
    """Return the key that gives every pattern the label that most judges gave it, the first of equals."""
    key = []
    for pattern, count in question.groups[group]:
        votes = [pattern.count(label) for label in range(len(question.factors))]
        best = votes.index(max(votes))
        key.append([count * (label == best) for label in range(len(votes))])
    return key


def rounded_key(splits: Sequence[Sequence[mpq]]) -> list[list[int]]:
    """Return whole splits near fractional ones, with the same sum for each pattern."""
    key = []
    for split in splits:
        row = [int(x) for x in split]
        by_rest = sorted(range(len(row)), key=lambda label: (row[label] - split[label], label))
        for label in by_rest[: int(sum(split)) - sum(row)]:
            row[label] += 1
        key.append(row)
    return key


def repaired(
    question: Question, group: int, bounds: Bounds, key: Sequence[Sequence[int]], moves: int
) -> tuple[tuple[int, ...], ...] | None:
    """Return a safe key of a group within the bounds of the Q_l, at most so many moves away; `None` if none was found."""
    rows = question.groups[group]
    state = [list(row) for row in key]
    labels = range(len(question.factors))
    judges = range(len(rows[0][0]))
    counts = [sum(row[label] for row in state) for label in labels]
    right = [[0 for _ in labels] for _ in judges]
    for row, (pattern, _) in zip(state, rows, strict=True):
        for judge, label in enumerate(pattern):
            right[judge][label] += row[label]
    ranges = [bounds[f"questions {label}"] for label in labels]

    def outside(label: int, questions: int) -> int:
        low, high = ranges[label]
        return max(low - questions, questions - high, 0)

    resting: dict[tuple[int, int], int] = {}
    for step in range(moves + 1):
        lacking = [[least_right(question, label, counts[label]) - right[j][label] for label in labels] for j in judges]
        short = [question.total - sum(right[j]) for j in judges]
        if (
            not any(outside(label, counts[label]) for label in labels)
            and max(map(max, lacking)) <= 0
            and max(short) <= 0
        ):
            return tuple(map(tuple, state))
        if step == moves:
            return None
        # change[sign][l][j][answered l]: what one question of l less (0) or more (1) changes for judge j.
        change = [
            [_changes(question, label, counts[label], sign, [lacking[j][label] for j in judges], short) for label in labels]
            for sign in (-1, 1)
        ]
        beyond = [
            [outside(label, counts[label] + sign) - outside(label, counts[label]) for label in labels]
            for sign in (-1, 1)
        ]
        best = None
        for place, (row, (pattern, _)) in enumerate(zip(state, rows, strict=True)):
            less, more = (
                [
                    beyond[side][label] + sum([c[answer == label] for c, answer in zip(change[side][label], pattern)])
                    for label in labels
                ]
                for side in (0, 1)
            )
            for source in labels:
                if row[source] and resting.get((place, source), 0) <= step:
                    for target in labels:
                        if target != source and (best is None or less[source] + more[target] < best[0]):
                            best = (less[source] + more[target], place, source, target)
        if best is None:
            return None
        _, place, source, target = best
        resting[place, target] = step + _RESTING
        for label, sign in ((source, -1), (target, 1)):
            state[place][label] += sign
            counts[label] += sign
            for judge, answer in enumerate(rows[place][0]):
                if answer == label:
                    right[judge][label] += sign
    return None


def _changes(
    question: Question, label: int, count: int, sign: int, lacking: list[int], short: list[int]
) -> list[tuple[int, int]]:
    """Return for each judge what its lacks change by if it gave another label there, and if it gave this one."""
    shift = least_right(question, label, count + sign) - least_right(question, label, count) if count + sign >= 0 else 0
    return [
        (
            max(0, lack + shift) - max(0, lack),
            max(0, lack + shift - sign) - max(0, lack) + max(0, total - sign) - max(0, total),
        )
        for lack, total in zip(lacking, short, strict=True)
    ]
