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
from functools import lru_cache, reduce
from itertools import combinations, product
from operator import and_, mul
from typing import Any, TypeAlias

from gmpy2 import mpq

from ntqr_exact.alarms.safety import local_moves
from ntqr_exact.blocks.block import Block, Sentence
from ntqr_exact.blocks.value import Value
from ntqr_exact.budget import Budget, check_work, spend
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

Gains: TypeAlias = tuple[tuple[mpq | int, ...], ...]
"""The sum of these numbers, by pattern and label, over the questions of a key must not be negative."""

_EFFORT = 150_000  # covariances that the search computes, each in about half a microsecond
_MIN_STARTS, _POWERS = 2, (2, 8, 32)
_MAX_ESTIMATED = 20_000  # questions up to which Dawid and Skene's estimate is a start
_MAX_PAIRS = 30  # from which a group of judges with common questions is searched


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
    for (label, votes), order in product(key.by_label.items(), orders):
        for judges, answers, value in moments(votes, order, [label] if len(key.labels) == 2 else key.labels):
            if abs(value) > largest:
                names = tuple(key.judges[i] for i in judges)
                largest, greatest = abs(value), Covariance(label, names, answers, value)
    return Dependence(largest, greatest)


def moments(votes: VoteCounts, order: int, answers: Sequence[str]) -> Iterator[tuple[Any, Any, mpq]]:
    """Yield each group of judges, by index, each choice of their answers, and the central moment where all answered.

    >>> [(judges, value) for judges, _, value in moments(VoteCounts({"aa": 1, "bb": 1}), 2, ["a"])]
    [((0, 1), mpq(1,4))]
    """
    groups, size = combinations(range(len(votes.judges)), order), votes.size
    if votes.has_gaps:
        for group in groups:
            for _, choice, value in moments(votes.common(*group), order, answers):
                yield group, choice, value
        return
    columns = {}
    for i, given in enumerate(zip(*votes.counts, strict=True)):
        for answer, total in votes.responses(i).items():
            columns[i, answer] = [size * (x == answer) - total for x in given]
    for group, choice in product(groups, product(answers, repeat=order)) if size else ():
        spend("the moments of groups of judges", 2 + order * len(votes.counts) // 16)
        terms: Iterable[int] = votes.counts.values()
        for cell in zip(group, choice, strict=True):
            terms = map(mul, terms, columns[cell])
        yield group, choice, mpq(sum(terms), size ** (order + 1))


def total_variation(key: LabeledVoteCounts) -> mpq:
    """Return Σ_l P_l · ½·Σ_p |P(p | l) − Π_i P(p_i | l)|: how far answers without gaps are from independence.

    >>> total_variation(LabeledVoteCounts({"a": VoteCounts({"aa": 1, "bb": 1})}))
    mpq(1,2)
    """
    total = mpq(0)
    for votes in key.by_label.values():
        rates, scale = [votes.responses(judge) for judge in key.judges], votes.size ** (len(key.judges) - 1)
        for pattern, count in votes.counts.items():  # the sum of all shares that exceed what is expected
            expected = math.prod(rate[answer] for rate, answer in zip(rates, pattern, strict=True))
            total += max(mpq(0), count - mpq(expected, scale))
    return total / key.size


def most_varying(votes: VoteCounts, how_many: int = 16) -> list[int]:
    """Return the judges with the largest Σ|Δ|, by index: a bound for some of the judges is one for all."""
    sums = Counter[int]()
    for pair, _, value in moments(votes, 2, votes.labels[:1]):
        sums.update(dict.fromkeys(pair, abs(value)))
    return sorted(sorted(range(len(votes.judges)), key=lambda i: -sums[i])[:how_many])


def check_panel(votes: VoteCounts, *, common: bool = False) -> VoteCounts:
    """Return votes of two judges and two labels or more; if `common`, on the questions that all judges answered."""
    if not isinstance(votes, VoteCounts):
        raise NotVotes(votes, "votes must be VoteCounts", "labeled votes have observed()")
    if min(len(votes.judges), len(votes.labels)) < 2:
        given = f"{counted(len(votes.judges), 'judge')}, {counted(len(votes.labels), 'label')}"
        raise BadVotes(given, "votes must have at least two judges and two labels")
    if (result := votes.common() if common else votes).size == 0:
        remedy = "`ntqr-exact dependence FILE` takes a group of judges; in Python votes.common(judges)"
        who, remedy = (" by all judges", remedy) if votes.size else ("", "")
        raise EmptyTest(0, f"at least one question must be answered{who}", remedy)
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
    judges, required, counts = range(len(votes.judges)), {*map(votes.place, named)}, votes.counts.values()
    check_work("the common questions of judges", len(judges) * (len(judges) + votes.size // 20))
    answered = [  # of each judge, a bit for each question
        int("".join(n * "01"[answer is not None] for answer, n in zip(column, counts, strict=True)), 2)
        for column in zip(*votes.counts, strict=True)
    ]

    pairs = [pair for pair in combinations(judges, 2) if required <= {*pair}]
    shared: dict[tuple[int, ...], int] = {(i, j): answered[i] & answered[j] for i, j in pairs}
    best = sorted(pairs, key=lambda pair: -shared[pair].bit_count())[:_MAX_PAIRS]
    shared = {pair: shared[pair] for pair in best}
    shared |= {(*pair, i): shared[pair] & answered[i] for pair in best for i in judges if i not in pair}
    shared = shared or {(*sorted(required),): reduce(and_, (answered[i] for i in required))}
    questions = max(shared.items(), key=lambda one: (one[1] > 0, len(one[0]), one[1].bit_count()))[1]
    if not questions:
        names = ", ".join(votes.judges[i] for i in sorted(required)) or "no common question of any two"
        remedy = "`ntqr-exact alarm FILE` does without common questions"
        raise EmptyTest(names, "judges must have answered a common question", remedy)
    return votes.common(*(i for i in judges if answered[i] & questions == questions))


def bound_text(value: mpq, *, is_upper: bool = False) -> str:
    """Return a bound for people: a short fraction, or four significant digits rounded to the safe side.

    >>> bound_text(mpq(1, 12)), bound_text(mpq(1030075, 10**8)), bound_text(mpq(10**5 - 1, 10**5), is_upper=True)
    ('1/12', '0.01030', '1')
    """
    if value.denominator < 10**4:
        return str(value)
    text = safe_text(value, 3 + len(str(int(1 / abs(value)))), up=is_upper)
    return str(mpq(text)) if mpq(text).denominator == 1 else text


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
    key: Any = closest_key(check_panel(votes))  # without conditions every start is a key
    return ClosestEvaluation(votes, key, not votes.has_gaps and total_variation(key) == 0, dependence_of(key))


@lru_cache(maxsize=8)
def closest_key(votes: VoteCounts, conditions: tuple[Gains, ...] = ()) -> LabeledVoteCounts | None:
    """Return the least dependent key found that meets conditions; `None` if no start can be made to meet them."""
    labels, effort = votes.labels, _EFFORT
    if conditions and (plain := closest_key(votes)) is not None:
        shares, effort = _shares(plain, votes), 4 * _EFFORT
        for named in (shares, [row[::-1] for row in shares]):  # other names change no covariance
            if all(slack(condition, named) >= 0 for condition in conditions):
                return from_splits(labels, votes.judges, votes.counts, [tuple(row) for row in named])
    search = _Search(votes, conditions)
    # So many starts could each try a move of each pattern; a quarter of them, or half of all, are improved thoroughly.
    many = max(_MIN_STARTS, effort // (2 + 2 * sum(map(len, search.marks))))
    starts = _starts(votes)[:many]
    for powers, kept in ((2,), max(_MIN_STARTS, min((len(starts) + 1) // 2, many // 4))), (_POWERS, 1):
        results = sorted(search.improved(one, powers, Budget(effort // (2 * len(starts)))) for one in starts)
        starts = [shares for missing, _, shares in results[:kept] if not missing]
    if not starts:
        return None
    shares = starts[0]
    if len(labels) == 2 and not conditions:  # of two names, those that make more answers right
        rows = zip(votes.counts, shares, strict=True)
        if sum((p.count(labels[0]) - p.count(labels[1])) * (row[1] - row[0]) for p, row in rows) > 0:
            shares = [row[::-1] for row in shares]
    return from_splits(labels, votes.judges, votes.counts, [tuple(row) for row in shares])


def slack(condition: Gains, shares: Shares) -> Any:
    """Return the sum of a condition over the questions of a key."""
    return sum(sum(map(mul, row, gains)) for row, gains in zip(shares, condition, strict=True))


def _starts(votes: VoteCounts) -> list[Shares]:
    """Return the keys by Dawid and Skene, by majority (ties to the first label), with one label only, and by judge."""
    labels, judges, rows = votes.labels, range(min(len(votes.judges), 8)), votes.counts.items()
    keys = [[max(labels, key=p.count), *labels, *(p[i] or labels[0] for i in judges)] for p in votes.counts]
    starts = [
        [[n * (name == label) for label in labels] for (_, n), name in zip(rows, names, strict=True)]
        for names in zip(*keys, strict=True)
    ]
    if votes.size <= _MAX_ESTIMATED:
        starts.insert(0, _shares(dawid_skene(votes).key, votes))
    return starts


def _shares(key: LabeledVoteCounts, votes: VoteCounts) -> Shares:
    return [[part.counts[p] for part in key.by_label.values()] for p in votes.counts]


class _Search:
    """A key in whole numbers with its covariances, and moves that make them smaller.

    A covariance of two judges, for an answer of each, is taken over m questions: n_3 have both answers, n_1 and n_2 one
    of them, n_0 none. With one more question of kind x, m²·Γ = n_3·n_0 − n_1·n_2 changes by ±n_{3−x}.
    """

    def __init__(self, votes: VoteCounts, conditions: tuple[Gains, ...]) -> None:
        self.conditions, self.labels = conditions, range(len(votes.labels))
        answers = votes.labels if len(votes.labels) > 2 else votes.labels[:1]
        cells = [*enumerate(product(combinations(range(len(votes.judges)), 2), answers, answers))]
        check_work(
            "the covariances of pairs under a key", 3 * len(cells) * len(votes.labels) * len(votes.counts)
        )
        # Covariance k and 4·k + x: of all covariances, and of those that a question of each pattern changes.
        self.every, self.marks = [(k, 4 * k) for k, _ in cells], list[list[tuple[int, int]]]()
        for p in votes.counts:
            changed = [(k, 2 * (p[i] == r) + (p[j] == s)) for k, ((i, j), r, s) in cells if p[i] and p[j]]
            self.marks.append([(k, 4 * k + x) for k, x in changed])

    def improved(self, start: Shares, powers: Sequence[int], budget: Budget) -> tuple[Any, int, Shares]:
        """Return by how much a better key misses the conditions, its largest |Γ| times 2^30, and the key."""
        shares, many = [list(row) for row in start], len(self.every)
        # By label: m²·Γ and m of each covariance, and what a question adds to m²·Γ.
        self.sums = [([0] * many, [0] * many, [0] * 4 * many) for _ in self.labels]
        for p, row in enumerate(shares):
            for label, n in enumerate(row):
                self._add(p, label, n)
        slacks = [slack(condition, shares) for condition in self.conditions]
        missing = -sum(min(0, x) for x in slacks)
        with suppress(TooMuchWork):
            for power in powers:
                sizes = [self._sizes(self.every, label, 0, power) for label in self.labels]
                for p, source, to, count in local_moves(shares):
                    marks, moves, gain = self.marks[p], ((source, -count), (to, count)), 0
                    budget.spend(len(marks))
                    rows = zip(slacks, (condition[p] for condition in self.conditions), strict=True)
                    after = [x + count * (gains[to] - gains[source]) for x, gains in rows]
                    for label, n in moves:
                        gain += sum([sizes[label][k] for k, _ in marks]) - sum(
                            self._sizes(marks, label, n, power)
                        )
                    if (missing, gain) > (less := -sum(min(0, x) for x in after), 0):
                        slacks, missing = after, less
                        for label, n in moves:
                            shares[p][label] += n
                            self._add(p, label, n)
                            sizes[label] = self._sizes(self.every, label, 0, power)
        return missing, max(max(self._sizes(self.every, a, 0, 1)) for a in self.labels), shares

    def _add(self, p: int, label: int, n: int) -> None:
        mixed, numbers, steps = self.sums[label]
        for k, x in self.marks[p] if n else ():
            mixed[k] += n * steps[x]
            numbers[k] += n
            steps[x ^ 3] += n if x & 3 in (0, 3) else -n

    def _sizes(self, marks: list[tuple[int, int]], label: int, n: int, power: int) -> list[int]:
        """Return powers of |Γ| times 2^30, rounded down, on a label with n more questions."""
        mixed, numbers, steps = self.sums[label]
        return [
            ((abs(mixed[k] + n * steps[x]) << 30) // ((numbers[k] + n) ** 2 or 1)) ** power for k, x in marks
        ]
