"""The dependence of an answer key, its largest error covariance, exactly; and the key under which a search finds least.

Γ^l_ij(r, s) = P(r, s | l) − P(r | l)·P(s | l) on the questions of label l that both judges answered; for three judges
it is the third central moment. With two labels all choices of answers have the same |Γ|, at most 1/4.

The search moves questions of one pattern from one label to another while that meets more of the conditions, or makes
sums of |Γ|², then of higher powers, smaller. This proves nothing: what it returns is measured exactly.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, product
from typing import TypeAlias

from gmpy2 import mpq

from ntqr_exact.alarms.safety import local_moves
from ntqr_exact.blocks.block import Block, Sentence
from ntqr_exact.blocks.value import Value
from ntqr_exact.budget import Budget, check_work
from ntqr_exact.errors import BadChoice, BadVotes, EmptyTest, NotVotes, TooMuchWork
from ntqr_exact.evaluation import Evaluation
from ntqr_exact.evaluators.dawid_skene import dawid_skene
from ntqr_exact.evaluators.grade import grade
from ntqr_exact.exact.show import counted, safe_text
from ntqr_exact.varieties.compositions import from_splits
from ntqr_exact.votes.counts import Judge, VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts

Shares: TypeAlias = list[list[int]]
"""How many questions of each pattern have each label."""

_EFFORT = 1_000_000
"""Steps of the search, each about half a microsecond."""

_POWERS = 2, 8, 32
_MIN_STARTS = 2
_MAX_ESTIMATED = 20_000
"""Questions up to which Dawid and Skene's estimate, which weighs likelihoods exactly, is a start."""

_MAX_STARTS = 30
"""Pairs of judges from which a group with common questions is searched."""


@dataclass(frozen=True, slots=True)
class Covariance:
    """Γ of two or three judges on the questions of a label, for the answers named."""

    label: str
    judges: tuple[str, ...]
    answers: tuple[str, ...]
    value: mpq

    def __str__(self) -> str:
        who = f"{', '.join(self.judges[:-1])} and {self.judges[-1]}"
        return f"{who} on {self.label} (answers {', '.join(self.answers)}): {bound_text(self.value)}"


@dataclass(frozen=True, slots=True)
class Dependence:
    """The largest |Γ| of a key; `greatest` is the first covariance of that size, `None` if all are zero."""

    largest: mpq
    greatest: Covariance | None


def dependence_of(key: LabeledVoteCounts, orders: Iterable[int] = (2,)) -> Dependence:
    """Return the largest |Γ| of pairs (order 2), trios (3) or both, on the questions they answered, and where it is.

    >>> key = LabeledVoteCounts({"a": VoteCounts({"aa": 2, "bb": 2}), "b": VoteCounts({"bb": 4})})
    >>> dependence_of(key).largest
    mpq(1,4)

    Raises `BadChoice` for other orders, `BadVotes` for fewer than two judges or labels, `EmptyTest` for no questions.
    """
    check_panel(key.observed())
    largest, greatest, orders = mpq(0), None, tuple(sorted(set(orders)))
    if orders not in ((2,), (3,), (2, 3)):
        raise BadChoice(orders, "orders must be 2 (pairs), 3 (trios) or both")
    groups = [judges for order in orders for judges in combinations(key.judges, order)]
    for label, judges in product((label for label, votes in key.by_label.items() if votes.size), groups):
        votes = key.by_label[label]
        votes = votes.common(*judges) if votes.has_gaps else votes
        answers = [label] if len(key.labels) == 2 else key.labels
        for choice in product(answers, repeat=len(judges)) if votes.size else ():
            value = votes.central_moment(judges, label=choice)
            if abs(value) > largest:
                largest, greatest = abs(value), Covariance(label, judges, choice, value)
    return Dependence(largest, greatest)


def total_variation(key: LabeledVoteCounts) -> mpq:
    """Return Σ_l P_l · ½·Σ_p |P(p | l) − Π_i P(p_i | l)|: how far answers without gaps are from independence.

    >>> total_variation(LabeledVoteCounts({"a": VoteCounts({"aa": 1, "bb": 1})}))
    mpq(1,2)
    """
    total = mpq(0)
    for votes in (part for part in key.by_label.values() if part.size):
        rates = [votes.responses(judge) for judge in key.judges]
        apart, unseen = mpq(0), mpq(1)
        for pattern, count in votes.counts.items():
            expected = math.prod(rate[answer] for rate, answer in zip(rates, pattern, strict=True))
            chance = mpq(expected, votes.size ** len(rates))
            apart, unseen = apart + abs(mpq(count, votes.size) - chance), unseen - chance
        total += mpq(votes.size, key.size) * (apart + unseen) / 2
    return total


def check_panel(votes: VoteCounts, *, common: bool = False) -> VoteCounts:
    """Return votes of two judges and two labels or more; if `common`, on the questions that all judges answered."""
    if not isinstance(votes, VoteCounts):
        raise NotVotes(votes, "votes must be VoteCounts", "labeled votes have observed()")
    if min(len(votes.judges), len(votes.labels)) < 2:
        given = f"{counted(len(votes.judges), 'judge')}, {counted(len(votes.labels), 'label')}"
        raise BadVotes(given, "votes must have at least two judges and two labels")
    result = votes.common() if common else votes
    if votes.size == 0:
        raise EmptyTest(0, "at least one question must be answered")
    if result.size == 0:
        remedy = "`ntqr-exact dependence FILE` takes a group of judges; in Python votes.common(judges)"
        raise EmptyTest(0, "at least one question must be answered by all judges", remedy)
    return result


def common_group(votes: VoteCounts, named: Iterable[Judge] = ()) -> VoteCounts:
    """Return the votes on the questions that all judges answered or, if there are none, those of a group.

    It has the named judges, or else three with most common questions, as far as the best pairs lead to them, and
    every judge that answered these questions too.

    >>> common_group(VoteCounts({("a", "b", None, "a"): 5, ("b", "b", "a", None): 1})).judges
    ('J1', 'J2', 'J4')

    Raises `BadVotes` for fewer than two judges or labels, `EmptyTest` if no two of them answered the same question.
    """
    if (every := check_panel(votes).common()).size:
        return every
    answers = [(frozenset(i for i, a in enumerate(p) if a is not None), n) for p, n in votes.counts.items()]
    check_work("the common questions of judges", sum(len(who) ** 2 for who, _ in answers) // 4)
    required, pairs = frozenset(map(votes.place, named)), Counter[tuple[int, ...]]()
    for who, n in answers:
        pairs.update(dict.fromkeys(combinations(sorted(who), 2), n))
    ranked = sorted(pairs.items(), key=lambda item: (-item[1], item[0]))
    starts = [required] if len(required) > 1 else [frozenset(s) for s, _ in ranked if required <= {*s}]
    best: tuple[int, int, list[frozenset[int]]] = (0, 0, [])
    for start in starts[:_MAX_STARTS]:
        shared = Counter[int]()
        for who, n in answers:
            shared.update(dict.fromkeys(who, n) if start <= who else {})
        others = sorted(shared.keys() - start, key=lambda i: (-shared[i], i)) if len(start) == 2 else []
        group = start | {*others[:1]}
        size = min((shared[i] for i in group), default=0)
        if (len(group), size) > best[:2]:
            best = len(group), size, [who for who, _ in answers if group <= who]
    if not best[2]:
        names = ", ".join(votes.judges[i] for i in sorted(required)) or "no common question of any two"
        remedy = "`ntqr-exact alarm FILE` does without common questions"
        raise EmptyTest(names, "judges must have answered a common question", remedy)
    return votes.common(*sorted(frozenset.intersection(*best[2])))


def bound_text(value: mpq, *, is_upper: bool = False) -> str:
    """Return a bound for people: a short fraction, or four significant digits rounded to the safe side.

    >>> bound_text(mpq(1, 12)), bound_text(mpq(1030075, 10**8)), bound_text(mpq(10**5 - 1, 10**5), is_upper=True)
    ('1/12', '0.01030', '1')
    """
    if value.denominator < 10**4:
        return str(value)
    places = 4
    while abs(value) * 10**places < 1000:
        places += 1
    text = safe_text(value, places, up=is_upper)
    return str(mpq(text)) if mpq(text).denominator == 1 else text


# -- the closest key ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Condition:
    """A sum over the questions that must be at least `minimum`: `gains[pattern][label]` for each question."""

    gains: tuple[tuple[int, ...], ...]
    minimum: int = 0

    def slack(self, shares: Sequence[Sequence[int]]) -> int:
        """Return by how much the sum exceeds the minimum if `shares[pattern][label]` questions have each label."""
        rows = zip(shares, self.gains, strict=True)
        return sum(n * g for row, gains in rows for n, g in zip(row, gains, strict=True)) - self.minimum


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
    key = closest_key(check_panel(votes))
    if key is None:
        raise RuntimeError("without conditions every start is a key")
    dependence = dependence_of(key)
    # Pairs without covariances are independent only if larger groups are, too.
    is_independent = dependence.largest == 0 and not votes.has_gaps and total_variation(key) == 0
    return ClosestEvaluation(votes, key, is_independent, dependence)


@lru_cache(maxsize=8)
def closest_key(
    votes: VoteCounts, conditions: tuple[Condition, ...] = (), assumed: tuple[int, ...] = ()
) -> LabeledVoteCounts | None:
    """Return the least dependent key found that meets conditions; `None` if no start can be made to meet them.

    The judges in `assumed` are no worse than chance: Σ (Q·[first answer] − F) ≥ 0 over those of the first label.
    """
    first, size = votes.labels[0], votes.size
    for i in assumed:
        count = votes.responses(i)[first]
        conditions += (Condition(tuple((size * (p[i] == first) - count, 0) for p in votes.counts)),)
    if conditions:
        plain = closest_key(votes)
        parts = [] if plain is None else [part.counts for part in plain.by_label.values()]
        splits = [[part[p] for part in parts] for p in votes.counts]
        if plain is not None and all(condition.slack(splits) >= 0 for condition in conditions):
            return plain  # the search that is already done
    search = _Search(votes, conditions)
    number = _EFFORT // (1 + sum(map(len, search.marks)))  # the covariances of each start are summed once
    starts = _starts(votes)[: max(_MIN_STARTS, number)]
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
        many = math.comb(len(votes.judges), 2) * len(answers) ** 2 * len(votes.labels) * len(votes.counts)
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
