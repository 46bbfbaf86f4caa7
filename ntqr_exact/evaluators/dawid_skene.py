"""Dawid and Skene's estimate as a fixed point in whole numbers: a key that is the most likely one given its own rates.

With a key, judge j answers r on label l at the rate (1 + n_j(l, r)) / (R + n_j(l)), counted from the key itself. Each
pattern takes the label under which its answers have the largest product of rates, compared exactly, a tie keeps the
label it has, and so on until the key repeats. The start is the plurality. Gaps add no factor. The judges are graded by
the probabilities of the labels at the last rates.
Source: A. P. Dawid and A. M. Skene, Applied Statistics 28 (1979) 20, with hard assignments and equal weights of labels.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations, compress
from math import comb, lcm, prod
from operator import ne
from typing import TypeAlias

from gmpy2 import mpq

from ntqr_exact.blocks.block import Block, Bullets, Facts, Sentence
from ntqr_exact.blocks.value import Value
from ntqr_exact.budget import spend
from ntqr_exact.evaluation import Evaluation
from ntqr_exact.evaluators.grade import grade, share_right, with_key, without_key
from ntqr_exact.exact.enclosure import log_sum_sign
from ntqr_exact.exact.show import fixed_text
from ntqr_exact.frozen_mapping import FrozenMapping
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import AbstainingVotes, LabeledVoteCounts

Key: TypeAlias = tuple[int, ...]
"""The label of each pattern, by index."""

MAX_ROUNDS = 100
PARTS = 1000
"""The probability of a label is a whole number of thousandths, so that rates are short fractions."""
MAX_STARTS = 5
"""How many judges' answers are tried as a start of a second fixed point: those with the most answers."""
SHARE_MARGIN = mpq(1, 50)
"""A label's share may lie this far outside the range of its shares in the answers of each judge."""
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


@dataclass(frozen=True, slots=True)
class DawidSkene(Value):
    """The fixed point: the key, the grades of the judges, the rounds, and reasons to withhold it.

    `expected` are the votes a thousand times, as many under each label as it is probable; `accuracy` is each judge's
    share of right answers by them. `moved` is the share of the questions whose label is not that of the plurality.
    """

    votes: VoteCounts
    key: LabeledVoteCounts
    expected: LabeledVoteCounts
    accuracy: tuple[mpq | None, ...]
    rounds: int
    moved: mpq
    withheld: tuple[Reason, ...] = ()

    @property
    def evaluation(self) -> Evaluation:
        """The expected rates of the judges, without correlations."""
        return grade(self.expected, order=1)

    def blocks(self) -> Iterator[Block]:
        """Yield the accuracies, and above them the reasons not to use them."""
        if self.withheld:
            yield Sentence("The panel speaks against this estimate:", "withheld", fires=True)
            yield Bullets(tuple(reason.message for reason in self.withheld))
        rows = [
            (f"accuracy of {judge}", "no answers" if share is None else fixed_text(share, 3))
            for judge, share in zip(self.key.judges, self.accuracy, strict=True)
        ]
        counts, size = self.expected.key_counts.items(), self.expected.size
        rows += [(f"share of {label}", fixed_text(mpq(count, size), 3)) for label, count in counts]
        yield Facts("Dawid-Skene (fixed point in whole numbers)", tuple(rows))


def dawid_skene(votes: VoteCounts | AbstainingVotes) -> DawidSkene:
    """Return Dawid and Skene's estimate, started at the plurality, as a fixed point in whole numbers.

    Judges may have gaps, and a label of abstention is never the label of a question. `withheld` has the reasons that
    speak against the estimate.

    >>> result = dawid_skene(VoteCounts({"aab": 3, "aaa": 4, "bbb": 4, ("b", None, "a"): 1}))
    >>> result.key.key_counts, result.moved, result.withheld
    ({'a': 7, 'b': 5}, mpq(1,12), ())

    Raises `EmptyTest` for a test without questions.
    """
    observed = without_key(votes)
    panel = _Panel(observed, votes.labels)
    start = panel.plurality()
    fixed, rounds = panel.fixed_point(start)
    expected = panel.labeled(panel.probabilities(fixed))
    accuracy = tuple(share_right(expected, judge) for judge in range(len(observed.judges)))
    moved = mpq(sum(compress(panel.counts, map(ne, fixed, start))), panel.size)
    key = panel.labeled({label: 1} for label in fixed)
    return DawidSkene(observed, key, expected, accuracy, rounds, moved, tuple(panel.reasons(fixed, start)))


class _Panel:
    """Votes as whole numbers: for each pattern its count and the (judge, answer) pairs, by index.

    `truths` are the labels that a question may have; the others are answers only.
    """

    def __init__(self, votes: VoteCounts, truths: tuple[str, ...]) -> None:
        index = {label: i for i, label in enumerate(votes.labels)}
        self.votes, self.size = votes, votes.size
        self.truths = tuple(index[label] for label in truths)
        self.answers = range(len(votes.labels))
        self.counts = tuple(votes.counts.values())
        self.patterns = tuple(
            tuple((judge, index[given]) for judge, given in enumerate(pattern) if given is not None)
            for pattern in votes.counts
        )
        self.given = [list(votes.responses(judge).values()) for judge in range(len(votes.judges))]

    def plurality(self) -> Key:
        """Return the label with the most answers of each pattern, the first of equal ones."""
        answers = (Counter(given for _, given in pattern) for pattern in self.patterns)
        return tuple(max(self.truths, key=counts.__getitem__) for counts in answers)

    def table(self, key: Key) -> list[list[list[int]]]:
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
        return tuple(
            min((-scores[other], other != label, other) for other in self.truths)[-1]
            for label, scores in zip(key, self._scores(key), strict=True)
        )

    def probabilities(self, key: Key) -> Iterator[dict[int, int]]:
        """Yield the probabilities of the labels of each pattern, rounded down; the label that it has gets the rest."""
        for label, scores in zip(key, self._scores(key), strict=True):
            total = sum(scores[other] for other in self.truths)
            parts = {other: PARTS * scores[other] // total for other in self.truths}
            yield parts | {label: parts[label] + PARTS - sum(parts.values())}

    def labeled(self, shares: Iterable[dict[int, int]]) -> LabeledVoteCounts:
        """Return the votes with their labels: for each pattern, how many times its count each label has."""
        names = self.votes.labels
        return with_key(self.votes, ({names[label]: n for label, n in share.items()} for share in shares))

    def _scores(self, key: Key) -> Iterator[list[int]]:
        """Yield for each pattern the likelihoods of its labels, given the rates of the key, times a common number."""
        spend("the rounds of Dawid and Skene", len(self.truths) * sum(map(len, self.patterns)) // 4)
        weights = []  # by judge, answer and label: the rate times a common multiple of all R + n_j(l) of the judge
        for rows in self.table(key):
            sums = [len(self.answers) + sum(row) for row in rows]
            common = lcm(*sums)
            weight = [[common // n * (1 + m) for m in row] for n, row in zip(sums, rows, strict=True)]
            weights.append([*zip(*weight, strict=True)])
        for pattern in self.patterns:
            yield [*map(prod, zip(*[weights[judge][given] for judge, given in pattern], strict=True))]

    def log_likelihood(self, key: Key, sign: int) -> Iterator[tuple[int, mpq]]:
        """Yield pairs (c, m): Σ c·log m is the sign times Σ_j Σ_l Σ_r n_j(l, r)·log((1 + n_j(l, r)) / (R + n_j(l)))."""
        for row in (row for rows in self.table(key) for row in rows):
            yield from ((sign * n, mpq(1 + n)) for n in row)
            yield -sign * sum(row), mpq(len(self.answers) + sum(row))

    def reasons(self, key: Key, start: Key) -> Iterator[Reason]:
        """Yield the reasons against a key."""
        observed, expected = self.agreement()
        if observed <= expected and len(self.votes.judges) > 1:
            message = "The judges agree no more often than by chance."
            yield _reason("agreement", message, agreements=observed, by_chance=expected)
        yield from self._label_reasons(key)
        yield from self._second_fixed_point(key, start)

    def agreement(self) -> tuple[int, mpq]:
        """Return the number of agreements of two judges on a question, and how many chance would give.

        By chance, two answers agree at the rate Σ_l f(l)², where f are the shares of the labels in all answers.
        """
        observed = pairs = 0
        for pattern, count in zip(self.patterns, self.counts, strict=True):
            observed += count * sum(comb(n, 2) for n in Counter(given for _, given in pattern).values())
            pairs += count * comb(len(pattern), 2)
        given = [*map(sum, zip(*self.given, strict=True))]
        return observed, pairs * mpq(sum(n * n for n in given), sum(given) ** 2)

    def _label_reasons(self, key: Key) -> Iterator[Reason]:
        """Yield labels with fewer or more questions than the answers support, and those that could be swapped."""
        names, table = self.votes.labels, self.table(key)
        for index in self.truths:
            given = [mpq(row[index], sum(row)) for row in self.given if any(row)]
            share = mpq(sum(compress(self.counts, (label == index for label in key))), self.size)
            least, most = min(given), max(given)
            if not least - SHARE_MARGIN <= share <= most + SHARE_MARGIN:
                message = (
                    f"The label {names[index]} has {fixed_text(share, 3)} of the questions, but between "
                    f"{fixed_text(least, 3)} and {fixed_text(most, 3)} of each judge's answers."
                )
                yield _reason("label share", message, label=names[index], share=share, least=least, most=most)
                break
        for a, b in combinations(self.truths, 2):
            ours, swapped = (sum(rows[a][x] + rows[b][y] for rows in table) for x, y in ((a, b), (b, a)))
            if ours and swapped >= ours:
                message = f"With {names[a]} and {names[b]} swapped in the key the judges are right as often."
                yield _reason("swapped labels", message, right=ours, right_if_swapped=swapped)

    def _second_fixed_point(self, key: Key, start: Key) -> Iterator[Reason]:
        """Yield the first other fixed point, started at a judge's answers, that is nearly as likely."""
        margin: tuple[int, mpq] = (-self.size, LIKELIHOOD_RATIO)
        for judge in sorted(range(len(self.given)), key=lambda judge: -sum(self.given[judge]))[:MAX_STARTS]:
            own = tuple(
                next((given for j, given in pattern if j == judge and given in self.truths), label)
                for pattern, label in zip(self.patterns, start, strict=True)
            )
            other, _ = self.fixed_point(own)
            difference = mpq(self._difference(key, other), self.size)
            if difference <= DIFFERENT:
                continue
            if log_sum_sign((*self.log_likelihood(other, 1), *self.log_likelihood(key, -1), margin)) >= 0:
                name = self.votes.judges[judge]
                message = (
                    f"A second fixed point, started at the answers of {name}, is nearly as likely or more so, and "
                    f"differs on {fixed_text(difference, 3)} of the questions."
                )
                yield _reason("second fixed point", message, judge=name, difference=difference)
                return

    def _difference(self, left: Key, right: Key) -> int:
        """Return on how many questions two keys differ, after each label of the right takes its most frequent name."""
        together = [[0 for _ in self.answers] for _ in self.answers]
        for a, b, count in zip(left, right, self.counts, strict=True):
            together[b][a] += count
        return self.size - sum(max(row) for row in together)


def _reason(kind: str, message: str, **numbers: mpq | int | str) -> Reason:
    return Reason(kind, message, FrozenMapping(numbers))
