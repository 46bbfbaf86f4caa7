"""The key under which the judges err as independently as a search can make them.

The search moves questions of one pattern from one label to another. With m questions that both judges answered, R and
R' answers and S joint answers, Γ = C/m², C = m·S − R·R'. Adding t questions changes C by t·D, D = m·u·v + S − R·v −
R'·u, where u and v say whether the pattern has the answers: linear in t, so that a least-squares step is a quotient.
Sums of |Γ|², then of higher powers, are made smaller. This proves nothing: what it returns is measured exactly.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, permutations, product
from math import comb
from typing import TypeAlias

from ntqr_exact.blocks.block import Block, Sentence
from ntqr_exact.blocks.value import Value
from ntqr_exact.budget import Budget, check_work
from ntqr_exact.dependence.measure import Dependence, bound_text, check_panel, dependence_of, total_variation
from ntqr_exact.dependence.products import Condition
from ntqr_exact.errors import TooMuchWork
from ntqr_exact.evaluation import Evaluation
from ntqr_exact.evaluators.dawid_skene import dawid_skene
from ntqr_exact.evaluators.grade import grade
from ntqr_exact.varieties.compositions import from_splits
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts

Shares: TypeAlias = list[list[int]]
"""How many questions of each pattern have each label."""

_EFFORT = 2_000_000
"""Steps of the search, each about half a microsecond."""

_SHIFT = 30
_POWERS, _MAX_SWEEPS = (2, 8, 32), 40
_MAX_ESTIMATED = 20_000
"""Questions up to which Dawid and Skene's estimate, which weighs likelihoods exactly, is a start."""


@dataclass(frozen=True, slots=True)
class ClosestEvaluation(Value):
    """A key whose pairs of judges err as independently as the search could make them, and its evaluation.

    It is a guess: other keys may be as close, and the truth need not be close at all.
    """

    votes: VoteCounts
    witness: LabeledVoteCounts
    is_independent: bool
    dependence: Dependence

    @property
    def evaluation(self) -> Evaluation:
        """Prevalence, rates and pair covariances under the key."""
        return grade(self.witness, order=2)

    def blocks(self) -> Iterator[Block]:
        """Yield the largest covariance, and how the labels are named; `evaluation` has the numbers of the judges."""
        most = bound_text(self.dependence.largest, is_upper=True)
        largest = f"no two judges have an error covariance above {most}"
        yield Sentence(f"Under this key {'errors are independent' if self.is_independent else largest}.")
        yield Sentence("Labels are named so that most answers are right; other names are as independent.")


def closest_to_independence(votes: VoteCounts) -> ClosestEvaluation:
    """Return the evaluation under the key with the smallest pair covariances that a search finds.

    Gaps are allowed: a covariance is taken over the questions that both judges answered.

    >>> votes = VoteCounts({"aaa": 1, "aba": 1, "baa": 1, "bba": 1, "bbb": 1})
    >>> closest = closest_to_independence(votes)
    >>> closest.is_independent, closest.evaluation.prevalence["a"]
    (True, mpq(4,5))

    Raises `BadVotes` for fewer than two judges or labels, `EmptyTest` for no questions.
    """
    key = closest_key(check_panel(votes), ())  # as the cache has it
    if key is None:
        raise RuntimeError("without conditions every start is a key")
    dependence = dependence_of(key)
    # Pairs without covariances are independent only if larger groups are, too.
    is_independent = dependence.largest == 0 and not votes.has_gaps and total_variation(key) == 0
    return ClosestEvaluation(votes, key, is_independent, dependence)


@lru_cache(maxsize=8)
def closest_key(votes: VoteCounts, conditions: tuple[Condition, ...] = ()) -> LabeledVoteCounts | None:
    """Return the least dependent key found that meets the conditions; `None` if no start can be made to meet them."""
    search, starts = KeySearch(votes, conditions), _starts(votes)
    for powers, kept in (((2,), 4), (_POWERS, 1)):  # all starts roughly, then the best of them thoroughly
        results = []
        for start in starts:
            if search.start(start):
                search.improve(powers, Budget(_EFFORT // (2 * len(starts))))
                results.append((max(map(max, search.sizes)), search.shares))
        starts = [shares for _, shares in sorted(results)[:kept]]
    if not starts:
        return None
    shares, labels = starts[0], votes.labels
    if len(labels) == 2 and not conditions:  # of two names, those that make more answers right
        rows = zip(votes.counts, shares, strict=True)
        if sum((p.count(labels[0]) - p.count(labels[1])) * (row[1] - row[0]) for p, row in rows) > 0:
            shares = [row[::-1] for row in shares]
    return from_splits(labels, votes.judges, votes.counts, [tuple(row) for row in shares])


def shares_of(votes: VoteCounts, key: LabeledVoteCounts) -> Shares:
    """Return how many questions of each pattern have each label."""
    return [[key.by_label[label].counts[p] for label in votes.labels] for p in votes.counts]


def _starts(votes: VoteCounts) -> list[Shares]:
    """Return the keys by Dawid and Skene, by majority (ties to the first label), by judge, and with one label only."""
    labels, judges = votes.labels, range(min(len(votes.judges), 8))
    choices = [
        [max(labels, key=p.count), *(p[i] or labels[0] for i in judges), *labels] for p in votes.counts
    ]
    starts = [shares_of(votes, dawid_skene(votes).key)] if votes.size <= _MAX_ESTIMATED else []
    return starts + [
        [
            [n * (name == label) for label in labels]
            for n, name in zip(votes.counts.values(), names, strict=True)
        ]
        for names in zip(*choices, strict=True)
    ]


class KeySearch:
    """A key in whole numbers with the sums of its covariances, and moves that make them smaller."""

    def __init__(self, votes: VoteCounts, conditions: tuple[Condition, ...]) -> None:
        self.conditions, self.labels = conditions, range(len(votes.labels))
        answers = votes.labels if len(votes.labels) > 2 else votes.labels[:1]
        pairs = combinations(range(len(votes.judges)), 2)
        many = comb(len(votes.judges), 2) * len(answers) ** 2 * len(votes.labels) * len(votes.counts)
        check_work("the covariances of all pairs under a key", 3 * many)
        self.cells = [(i, j, r, s) for i, j in pairs for r, s in product(answers, repeat=2)]
        self.marks = [
            [(k, p[i] == r, p[j] == s) for k, (i, j, r, s) in enumerate(self.cells) if p[i] and p[j]]
            for p in votes.counts
        ]

    def start(self, shares: Shares) -> bool:
        """Begin at a key, changed as little as it takes to meet the conditions; `False` if it does not meet them."""
        self.shares = [list(row) for row in shares]
        for condition in self.conditions * 3:  # one may undo another
            self._repair(condition)
        self.slack = [condition.slack(self.shares) for condition in self.conditions]
        # For each label and covariance: questions that both answered, first answers, second answers, joint answers.
        self.sums = [[(0, 0, 0, 0)] * len(self.cells) for _ in self.labels]
        for row, marks in zip(self.shares, self.marks, strict=True):
            for label, n in enumerate(row):
                sums = self.sums[label]
                for k, u, v in marks if n else ():
                    m, first, second, both = sums[k]
                    sums[k] = m + n, first + n * u, second + n * v, both + n * (u and v)
        self.sizes = [[_size(*cell) for cell in cells] for cells in self.sums]
        return all(slack >= 0 for slack in self.slack)

    def _repair(self, condition: Condition) -> None:
        """Move the questions that gain most until the condition is met."""
        slack = condition.slack(self.shares)
        moves = [
            (gains[to] - gains[source], p, source, to)
            for p, gains in enumerate(condition.gains)
            for source, to in permutations(self.labels, 2)
            if gains[to] > gains[source]
        ]
        for gain, p, source, to in sorted(moves, reverse=True):
            count = max(0, min(self.shares[p][source], -(slack // gain)))
            self.shares[p][source] -= count
            self.shares[p][to] += count
            slack += count * gain

    def improve(self, powers: Sequence[int], budget: Budget) -> None:
        """Move questions as long as that makes sums of powers of |Γ| smaller, or until the budget is spent."""
        self.budget = budget
        with suppress(TooMuchWork):
            for self.power in powers:
                for _ in range(_MAX_SWEEPS):
                    if not self._sweep():
                        break

    def _sweep(self) -> bool:
        """Try to move questions of all patterns between all labels; return whether that helped."""
        helped = False
        for pattern, row in enumerate(self.shares):
            used = [label for label in self.labels if row[label]]
            for source, to in sorted({(min(a, b), max(a, b)) for a in used for b in self.labels if a != b}):
                for count in self.counts(pattern, source, to):
                    limited = max(-row[to], min(row[source], count))
                    if limited and self.attempt(pattern, source, to, limited):
                        helped = True
                        break
        return helped

    def counts(self, pattern: int, source: int, to: int) -> Iterator[int]:
        """Yield the least-squares step, its half, and one question."""
        marks = self.marks[pattern]
        self.budget.spend(6 * len(marks))
        top = bottom = 0
        for label, way in ((source, -1), (to, 1)):
            for k, u, v in marks:
                m, first, second, both = self.sums[label][k]
                if m:
                    change = way * ((m * (u and v) + both - first * v - second * u) << _SHIFT) // (m * m)
                    weight = change * self.sizes[label][k] ** (self.power - 2)
                    top -= weight * (((m * both - first * second) << _SHIFT) // (m * m))
                    bottom += weight * change
        step = (2 * top + bottom) // (2 * bottom) if bottom else 0
        yield from dict.fromkeys((step, step // 2, (top > 0) - (top < 0)))

    def attempt(self, pattern: int, source: int, to: int, count: int) -> bool:
        """Make a move if it meets the conditions and makes the sum of powers smaller."""
        self.budget.spend(4 * len(self.marks[pattern]))
        changes, gain, new = ((source, -count), (to, count)), 0, []
        gains = [condition.gains[pattern] for condition in self.conditions]
        slack = [s + count * (row[to] - row[source]) for s, row in zip(self.slack, gains, strict=True)]
        for label, n in changes:
            sums, sizes = self.sums[label], self.sizes[label]
            for k, u, v in self.marks[pattern]:
                m, first, second, both = sums[k]
                cell = m + n, first + n * u, second + n * v, both + n * (u and v)
                size = _size(*cell)
                gain += sizes[k] ** self.power - size**self.power
                new.append((label, k, cell, size))
        if gain <= 0 or any(s < 0 for s in slack):
            return False
        for label, k, cell, size in new:
            self.sums[label][k], self.sizes[label][k] = cell, size
        for label, n in changes:
            self.shares[pattern][label] += n
        self.slack = slack
        return True


def _size(m: int, first: int, second: int, both: int) -> int:
    """Return |Γ| times 2^30, rounded down."""
    return (abs(m * both - first * second) << _SHIFT) // (m * m) if m else 0
