"""From a key that is nearly safe to a safe one: move single questions to other labels while that helps.

What is wrong with a key is counted: right answers that judges lack, and questions of a label outside its bounds. A move
of one question from a label to another changes what is wrong by a sum over the judges, from two small tables, so that
the best of all moves is quickly found. A move is not taken back for a while: so the search leaves a dead end.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gmpy2 import mpq

from ntqr_exact.alarms.proof_checker import Bounds, Question, least_right

_RESTING = 7
"""A moved question stays for this many moves."""


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
    """Return a safe key of a group within the bounds of the Q_l, at most this many moves away, or `None`."""
    state = _State(question, group, bounds, key)
    resting: dict[tuple[int, int], int] = {}
    for step in range(moves):
        if state.is_safe():
            break
        resting = {item: until for item, until in resting.items() if until > step}
        best = state.best_move(resting)
        if best is None:
            return None
        place, source, target = best
        resting[place, target] = step + _RESTING
        state.move(place, source, -1)
        state.move(place, target, 1)
    return tuple(map(tuple, state.key)) if state.is_safe() else None


class _State:
    """A key with its key counts and right answers."""

    def __init__(self, question: Question, group: int, bounds: Bounds, key: Sequence[Sequence[int]]) -> None:
        self.question, self.rows = question, question.groups[group]
        self.labels = range(len(question.factors))
        self.ranges = [bounds[f"questions {label}"] for label in self.labels]
        self.key = [list(row) for row in key]
        self.counts = [sum(row[label] for row in key) for label in self.labels]
        self.right = [[0 for _ in self.labels] for _ in self.rows[0][0]]
        for row, (pattern, _) in zip(key, self.rows, strict=True):
            for judge, label in enumerate(pattern):
                self.right[judge][label] += row[label]

    def lacking(self, judge: int, label: int, more: int = 0, right: int = 0) -> int:
        """Right answers that a judge lacks with this many more questions of a label and right answers on them."""
        least = least_right(self.question, label, self.counts[label] + more)
        return max(0, least - self.right[judge][label] - right)

    def short(self, judge: int, right: int = 0) -> int:
        """Right answers anywhere that a judge lacks with this many more of them."""
        return max(0, self.question.total - sum(self.right[judge]) - right)

    def outside(self, label: int, more: int = 0) -> int:
        """How far this many more questions of a label are outside its bounds."""
        low, high = self.ranges[label]
        return max(low - self.counts[label] - more, self.counts[label] + more - high, 0)

    def is_safe(self) -> bool:
        judges = range(len(self.right))
        return not any(self.outside(label) for label in self.labels) and not any(
            self.short(judge) or any(self.lacking(judge, label) for label in self.labels) for judge in judges
        )

    def move(self, place: int, label: int, sign: int) -> None:
        """Let one question of a pattern be of a label, or no more."""
        self.key[place][label] += sign
        self.counts[label] += sign
        for judge, answer in enumerate(self.rows[place][0]):
            if answer == label:
                self.right[judge][label] += sign

    def _changes(self, label: int, sign: int) -> tuple[int, list[tuple[int, int]]]:
        """What a question of a label more or less changes: the bounds, and each judge, not having given it or so."""
        judges = range(len(self.right))
        if self.counts[label] + sign < 0:
            return 0, [(0, 0) for _ in judges]
        return self.outside(label, sign) - self.outside(label), [
            (
                self.lacking(judge, label, sign) - self.lacking(judge, label),
                self.lacking(judge, label, sign, sign)
                - self.lacking(judge, label)
                + self.short(judge, sign)
                - self.short(judge),
            )
            for judge in judges
        ]

    def best_move(self, resting: Mapping[tuple[int, int], int]) -> tuple[int, int, int] | None:
        """Return the pattern, the label and the new label of the move after which least is wrong."""
        tables = [[self._changes(label, sign) for label in self.labels] for sign in (-1, 1)]
        # As if no judge had given a label; then what those change who have.
        nobody = [[own + sum([c[0] for c in changes]) for own, changes in table] for table in tables]
        best, found = None, None
        for place, (row, (pattern, _)) in enumerate(zip(self.key, self.rows, strict=True)):
            less, more = map(list, nobody)
            for totals, table in zip((less, more), tables, strict=True):
                for judge, answer in enumerate(pattern):
                    without, given = table[answer][1][judge]
                    totals[answer] += given - without
            for source in self.labels:
                if row[source] and (place, source) not in resting:
                    for target in self.labels:
                        total = less[source] + more[target]
                        if target != source and (best is None or total < best):
                            best, found = total, (place, source, target)
        return found
