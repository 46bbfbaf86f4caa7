"""The key under which the judges err as independently as a search can make them.

The search moves questions of one pattern from one label to another while that meets more of the conditions, or makes
sums of |Γ|², then of higher powers, smaller. This proves nothing: what it returns is measured exactly.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, product
from math import comb
from typing import TypeAlias

from ntqr_exact.alarms.safety import local_moves
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

_POWERS = 2, 8, 32
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
    search, starts = _Search(votes, conditions), _starts(votes)
    for powers, kept in (((2,), 4), (_POWERS, 1)):  # all starts roughly, then the best of them thoroughly
        effort = _EFFORT // (2 * max(1, len(starts)))
        results = sorted(search.improved(start, powers, Budget(effort)) for start in starts)
        starts = [shares for missing, _, shares in results[:kept] if not missing]
    if not starts:
        return None
    shares, labels = starts[0], votes.labels
    if len(labels) == 2 and not conditions:  # of two names, those that make more answers right
        rows = zip(votes.counts, shares, strict=True)
        if sum((p.count(labels[0]) - p.count(labels[1])) * (row[1] - row[0]) for p, row in rows) > 0:
            shares = [row[::-1] for row in shares]
    return from_splits(labels, votes.judges, votes.counts, [tuple(row) for row in shares])


def _starts(votes: VoteCounts) -> list[Shares]:
    """Return the keys by Dawid and Skene, by majority (ties to the first label), by judge, and with one label only."""
    labels, judges, rows = votes.labels, range(min(len(votes.judges), 8)), votes.counts.items()
    keys = [[max(labels, key=p.count), *(p[i] or labels[0] for i in judges), *labels] for p in votes.counts]
    starts = [
        [[n * (name == label) for label in labels] for (_, n), name in zip(rows, names, strict=True)]
        for names in zip(*keys, strict=True)
    ]
    if votes.size <= _MAX_ESTIMATED:
        parts = dawid_skene(votes).key.by_label.values()
        starts.insert(0, [[part.counts[p] for part in parts] for p in votes.counts])
    return starts


class _Search:
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

    def improved(self, start: Shares, powers: Sequence[int], budget: Budget) -> tuple[int, int, Shares]:
        """Return by how much a better key misses the conditions, its largest |Γ| times 2^30, and the key."""
        shares = [list(row) for row in start]
        # For each label and covariance: questions that both answered, first answers, second answers, joint answers.
        self.sums = [[(0, 0, 0, 0)] * len(self.cells) for _ in self.labels]
        for p, row in enumerate(shares):
            for label, n in enumerate(row):
                for k, cell, _ in self._changed(p, label, n) if n else ():
                    self.sums[label][k] = cell
        self.sizes = [[_size(*cell) for cell in cells] for cells in self.sums]
        slack = [condition.slack(shares) for condition in self.conditions]
        with suppress(TooMuchWork):
            for power in powers:
                for p, source, to, count in local_moves(shares):
                    budget.spend(4 * len(self.marks[p]))
                    gains = [condition.gains[p] for condition in self.conditions]
                    after = [x + count * (row[to] - row[source]) for x, row in zip(slack, gains, strict=True)]
                    changed = [
                        (a, *cell)
                        for a, n in ((source, -count), (to, count))
                        for cell in self._changed(p, a, n)
                    ]
                    gain = sum([self.sizes[a][k] ** power - size**power for a, k, _, size in changed])
                    if (_missing(slack), gain) > (_missing(after), 0):
                        slack = after
                        shares[p][source] -= count
                        shares[p][to] += count
                        for a, k, cell, size in changed:
                            self.sums[a][k], self.sizes[a][k] = cell, size
        return _missing(slack), max(map(max, self.sizes)), shares

    def _changed(self, p: int, label: int, n: int) -> Iterator[tuple[int, tuple[int, int, int, int], int]]:
        """Yield the sums and |Γ| that change if a label gets n more questions of a pattern."""
        for k, u, v in self.marks[p]:
            m, first, second, both = self.sums[label][k]
            cell = m + n, first + n * u, second + n * v, both + n * (u and v)
            yield k, cell, _size(*cell)


def _missing(slack: Sequence[int]) -> int:
    return -sum(min(0, x) for x in slack)


def _size(m: int, first: int, second: int, both: int) -> int:
    """Return |Γ| times 2^30, rounded down."""
    return (abs(m * both - first * second) << 30) // (m * m) if m else 0
