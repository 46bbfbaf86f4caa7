"""Dawid and Skene's estimate as a fixed point in whole numbers: a key that is the most likely one given its own rates.

With an answer key, judge j answers r on label l at the rate (1 + n_j(l, r)) / (R + n_j(l)): counts from the key itself,
with one answer of each kind added. All labels weigh the same. Each pattern takes the label under which its answers have
the largest product of rates, a tie keeps the label it has, and so on until the key repeats. The start is the plurality.
Products of fractions are compared exactly, and a gap is simply no factor.

Source: A. P. Dawid and A. M. Skene, Applied Statistics 28 (1979) 20, with hard assignments.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TypeAlias

from gmpy2 import mpq, mpz

from ntqr_exact.blocks.block import Block, Bullets, Facts, Sentence
from ntqr_exact.blocks.value import Value
from ntqr_exact.budget import spend
from ntqr_exact.errors import EmptyTest, NotVotes
from ntqr_exact.evaluation import Evaluation
from ntqr_exact.evaluators.grade import grade, share_right
from ntqr_exact.exact.enclosure import log_sum_sign
from ntqr_exact.exact.show import with_decimal
from ntqr_exact.frozen_mapping import FrozenMapping
from ntqr_exact.votes.abstentions import AbstainingVotes
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts

Key: TypeAlias = tuple[int, ...]
"""The label of each pattern, by index."""

MAX_ROUNDS = 100
MAX_STARTS = 5
"""How many judges' answers are tried as a start of a second fixed point: those with the most answers."""
SHARE_MARGIN = mpq(1, 10)
"""A label's share may exceed its largest share in the answers of a judge by this much."""
DIFFERENT = mpq(1, 5)
"""Two keys are different estimates if they differ, whatever the names of the labels, on more than this share."""
LIKELIHOOD_RATIO = mpq(99, 100)
"""A second fixed point is nearly as likely if its likelihood is at least this much of ours for each question."""


@dataclass(frozen=True, slots=True)
class Reason:
    """Why an estimate should not be used: what the panel shows, and the numbers."""

    kind: str
    message: str
    numbers: Mapping[str, mpq | int | str]

    def __str__(self) -> str:
        return self.message


@dataclass(frozen=True, slots=True)
class DawidSkene(Value):
    """The fixed point: the key, each judge's share of right answers by it, the rounds, and reasons to withhold it."""

    votes: VoteCounts
    key: LabeledVoteCounts
    accuracy: tuple[mpq | None, ...]
    rounds: int
    withheld: tuple[Reason, ...] = ()

    @property
    def evaluation(self) -> Evaluation:
        """The rates of the judges by the key, without correlations."""
        return grade(self.key, order=1)

    def blocks(self) -> Iterator[Block]:
        """Yield the accuracies, and above them the reasons not to use them."""
        if self.withheld:
            yield Sentence("The panel speaks against this estimate:", "withheld", fires=True)
            yield Bullets(tuple(reason.message for reason in self.withheld))
        rows = [
            (f"accuracy of {judge}", "no answers" if share is None else with_decimal(share))
            for judge, share in zip(self.key.judges, self.accuracy, strict=True)
        ]
        shares = [
            (f"share of {label}", with_decimal(mpq(count, self.key.size)))
            for label, count in self.key.key_counts.items()
        ]
        yield Facts("Dawid-Skene (fixed point in whole numbers)", (*rows, *shares))


def dawid_skene(votes: VoteCounts | AbstainingVotes) -> DawidSkene:
    """Return Dawid and Skene's estimate, started at the plurality, as a fixed point in whole numbers.

    Judges may have gaps, and a label of abstention is never the label of a question. `withheld` has the reasons that
    speak against the estimate: agreement no better than chance, a label without a question, a share of a label far
    beyond its share in any judge's answers, other names of the labels under which the judges are right as often, and a
    second fixed point that is nearly as likely.

    >>> result = dawid_skene(VoteCounts({"aab": 3, "aaa": 4, "bbb": 4, ("b", None, "a"): 1}))
    >>> result.key.key_counts, result.accuracy[1], result.withheld
    ({'a': 7, 'b': 5}, mpq(1,1), ())

    Raises `EmptyTest` if there are no questions.
    """
    observed = votes.observed() if isinstance(votes, AbstainingVotes) else votes
    if not isinstance(observed, VoteCounts):
        raise NotVotes(votes, "votes must be VoteCounts", "labeled votes have observed()")
    if observed.size == 0:
        raise EmptyTest(votes, "votes must have at least one question")
    panel = _Panel(observed, votes.labels)
    start = panel.plurality()
    fixed, rounds = panel.fixed_point(start)
    key = LabeledVoteCounts(
        {
            label: VoteCounts(
                {p: n for (p, n), k in zip(observed.counts.items(), fixed, strict=True) if k == index},
                observed.labels,
                observed.judges,
            )
            for index, label in enumerate(observed.labels)
        }
    )
    reasons = tuple(panel.reasons(fixed, start))
    accuracy = tuple(share_right(key, judge) for judge in range(len(key.judges)))
    return DawidSkene(observed, key, accuracy, rounds, reasons)


class _Panel:
    """Votes as whole numbers: for each pattern its count and the (judge, answer) pairs, by index.

    `truths` are the labels that a question may have; the others are answers only.
    """

    def __init__(self, votes: VoteCounts, truths: tuple[str, ...]) -> None:
        index = {label: i for i, label in enumerate(votes.labels)}
        self.votes = votes
        self.truths = tuple(index[label] for label in truths)
        self.answers = range(len(votes.labels))
        self.counts = tuple(votes.counts.values())
        self.patterns = tuple(
            tuple((judge, index[given]) for judge, given in enumerate(pattern) if given is not None)
            for pattern in votes.counts
        )
        self.size = votes.size

    def plurality(self) -> Key:
        """Return the label with the most answers of each pattern, the first of equal ones."""
        return tuple(
            max(self.truths, key=lambda label: (sum(given == label for _, given in pattern), -label))
            for pattern in self.patterns
        )

    def table(self, key: Sequence[int]) -> list[list[list[int]]]:
        """Return n_j(l, r): how often judge j answered r on the questions of label l."""
        table = [[[0 for _ in self.answers] for _ in self.answers] for _ in self.votes.judges]
        for pattern, count, label in zip(self.patterns, self.counts, key, strict=True):
            for judge, given in pattern:
                table[judge][label][given] += count
        return table

    def fixed_point(self, key: Key) -> tuple[Key, int]:
        """Return where the rounds end, and their number; a cycle ends where a key returns."""
        seen: set[Key] = set()
        while key not in seen and len(seen) < MAX_ROUNDS:
            seen.add(key)
            key = self._next(key)
        return key, len(seen)

    def _next(self, key: Key) -> Key:
        """Return the most likely label of each pattern, given the rates of the key."""
        answers = sum(map(len, self.patterns))
        spend("the rounds of Dawid and Skene", len(self.truths) * answers // 4)
        table = self.table(key)
        shown = [[[mpz(1 + n) for n in row] for row in rows] for rows in table]
        total = [[mpz(len(self.answers) + sum(row)) for row in rows] for rows in table]
        result = []
        for pattern, label in zip(self.patterns, key, strict=True):
            best, above, below = label, *_product(pattern, shown, total, label)
            for other in self.truths:
                if other != label:
                    numerator, denominator = _product(pattern, shown, total, other)
                    if numerator * below > above * denominator:
                        best, above, below = other, numerator, denominator
            result.append(best)
        return tuple(result)

    def log_likelihood(self, key: Key, sign: int) -> Iterator[tuple[int, mpq]]:
        """Yield pairs (c, m): Σ c·log m is the sign times Σ_j Σ_l Σ_r n_j(l, r)·log((1 + n_j(l, r)) / (R + n_j(l)))."""
        for row in (row for rows in self.table(key) for row in rows):
            yield from ((sign * n, mpq(1 + n)) for n in row)
            yield -sign * sum(row), mpq(len(self.answers) + sum(row))

    # -- reasons to withhold ---------------------------------------------------------------------

    def reasons(self, key: Key, start: Key) -> Iterator[Reason]:
        """Yield what speaks against a key."""
        observed, expected = self.agreement()
        if observed <= expected and len(self.votes.judges) > 1:
            message = "The judges agree no more often than by chance."
            yield _reason("agreement", message, agreements=observed, by_chance=expected)
        yield from self._label_reasons(key)
        yield from self._naming_reasons(key)
        yield from self._second_fixed_point(key, start)

    def agreement(self) -> tuple[int, mpq]:
        """Return the number of agreements of two judges on a question, and how many chance would give.

        By chance, two judges agree on a question that both answered at the rate Σ_l f_i(l) f_j(l), where f are the
        shares of the labels in all answers of a judge; Σ over pairs of f_i f_j is ((Σ f)² − Σ f²)/2.
        """
        given = [list(self.votes.responses(judge).values()) for judge in range(len(self.votes.judges))]
        shares = [[mpq(n, sum(row)) if n else mpq(0) for n in row] for row in given]
        observed, expected = 0, mpq(0)
        by_judges: dict[tuple[int, ...], int] = {}
        for pattern, count in zip(self.patterns, self.counts, strict=True):
            votes = [0 for _ in self.answers]
            for _, label in pattern:
                votes[label] += 1
            observed += count * sum(n * (n - 1) // 2 for n in votes)
            judges = tuple(judge for judge, _ in pattern)
            by_judges[judges] = by_judges.get(judges, 0) + count
        for judges, count in by_judges.items():
            for label in self.answers:
                rates = [shares[judge][label] for judge in judges]
                total = sum(rates, mpq(0))
                expected += count * (total * total - sum((f * f for f in rates), mpq(0))) / 2
        return observed, expected

    def _label_reasons(self, key: Key) -> Iterator[Reason]:
        judges = [self.votes.responses(judge) for judge in range(len(self.votes.judges))]
        for index in self.truths:
            label = self.votes.labels[index]
            shares = [mpq(n[label], sum(n.values())) for n in judges if any(n.values())]
            most = max(shares)
            share = mpq(self._weight(k == index for k in key), self.size)
            if most and not share:
                message = f"No question has the label {label}, which judges gave."
                yield _reason("label without a question", message, label=label, most_of_a_judge=most)
            if share > most + SHARE_MARGIN:
                message = (
                    f"{with_decimal(share)} of the questions have the label {label}, but no judge gave it more "
                    f"often than {with_decimal(most)}."
                )
                yield _reason("label share", message, label=label, share=share, most_of_a_judge=most)

    def _naming_reasons(self, key: Key) -> Iterator[Reason]:
        """Yield a reason if the judges are right as often with two labels swapped in the key."""
        table = self.table(key)
        right = [
            [sum(rows[label][given] for rows in table) for given in self.answers] for label in self.answers
        ]
        for a, b in combinations(self.truths, 2):
            ours, swapped = right[a][a] + right[b][b], right[a][b] + right[b][a]
            if ours and swapped >= ours:
                names = [self.votes.labels[label] for label in (a, b)]
                message = f"With {names[0]} and {names[1]} swapped in the key the judges are right as often."
                yield _reason("swapped labels", message, right=ours, right_if_swapped=swapped)

    def _second_fixed_point(self, key: Key, start: Key) -> Iterator[Reason]:
        answered: dict[int, int] = dict.fromkeys(range(len(self.votes.judges)), 0)
        for pattern, count in zip(self.patterns, self.counts, strict=True):
            for judge, _ in pattern:
                answered[judge] += count
        margin: tuple[int, mpq] = (-self.size, LIKELIHOOD_RATIO)
        seen = {key}
        for judge in sorted(answered, key=lambda judge: -answered[judge])[:MAX_STARTS]:
            own = tuple(
                next((given for j, given in pattern if j == judge and given in self.truths), label)
                for pattern, label in zip(self.patterns, start, strict=True)
            )
            other, _ = self.fixed_point(own)
            if other in seen:
                continue
            seen.add(other)
            difference = mpq(self._difference(key, other), self.size)
            terms = (*self.log_likelihood(other, 1), *self.log_likelihood(key, -1), margin)
            if difference > DIFFERENT and log_sum_sign(terms) >= 0:
                name = self.votes.judges[judge]
                message = (
                    f"A second fixed point, started at the answers of {name}, is nearly as likely or more so, and "
                    f"differs on {with_decimal(difference)} of the questions."
                )
                yield _reason("second fixed point", message, judge=name, difference=difference)
                return

    def _difference(self, left: Key, right: Key) -> int:
        """Return on how many questions two keys differ, after each label of the right takes its most frequent name."""
        together = [[0 for _ in self.answers] for _ in self.answers]
        for a, b, count in zip(left, right, self.counts, strict=True):
            together[b][a] += count
        return self.size - sum(max(row) for row in together)

    def _weight(self, chosen: Iterable[bool]) -> int:
        return sum(count for count, is_chosen in zip(self.counts, chosen, strict=True) if is_chosen)


def _product(
    pattern: Iterable[tuple[int, int]], shown: list[list[list[mpz]]], total: list[list[mpz]], label: int
) -> tuple[mpz, mpz]:
    """Return the product of the rates of the answers on a label, as numerator and denominator."""
    above = below = mpz(1)
    for judge, given in pattern:
        above *= shown[judge][label][given]
        below *= total[judge][label]
    return above, below


def _reason(kind: str, message: str, **numbers: mpq | int | str) -> Reason:
    return Reason(kind, message, FrozenMapping(numbers))
