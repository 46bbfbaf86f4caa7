"""Which evaluations are consistent: yes with a witness, or no with the postulates that fail; and individual sets.

Which individual evaluations have a group evaluation is decided in whole numbers: in closed form for one judge, and for
two labels with up to three judges and no gaps; else by adding up the questions one after the other, up to a limit.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from itertools import count as count_from
from math import prod
from operator import add
from typing import TypeAlias

from gmpy2 import mpq

from ntqr_exact.budget import Budget
from ntqr_exact.citation import Citation
from ntqr_exact.errors import NotVotes
from ntqr_exact.evaluation import CountEvaluation
from ntqr_exact.varieties.closed_forms import PairBounds, RightAnswers, TrioDecision, has_closed_form
from ntqr_exact.varieties.compositions import KeyCounts, check_key_counts, count_compositions, from_splits
from ntqr_exact.varieties.sampling import count_splits
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts
from ntqr_exact.votes.names import join_pattern

_Vector: TypeAlias = tuple[int, ...]

MAX_STEPS = 5_000_000
"""Vectors that are added up before a set of individual evaluations is refused: some seconds."""

SHAPE = Citation("ntqr", "section 1")
KEY_COUNTS = Citation("ntqr", "eq. 1")
SINGLE = Citation("ntqr", "eqs. 11 and 12")
PAIR = Citation("ntqr", "eqs. 26a to 26d, in counts")
TRIO = Citation("ntqr", "section 5, the eight postulates of a trio, in counts")
ENSEMBLE = Citation("ntqr", "section 5, the complete postulates of an ensemble, in counts")


@dataclass(frozen=True, slots=True)
class Breach:
    """One postulate that an evaluation breaks; `residual` is by how much the sides of the postulate differ."""

    postulate: str
    residual: mpq
    citation: Citation

    def __str__(self) -> str:
        return f"{self.postulate} fails by {self.residual} ({self.citation})"


@dataclass(frozen=True, slots=True)
class Verdict:
    """Yes with a group evaluation as `witness`, or no with the broken postulates of the fewest judges."""

    witness: LabeledVoteCounts | None = None
    breaches: tuple[Breach, ...] = ()

    def __bool__(self) -> bool:
        return not self.breaches

    def __str__(self) -> str:
        if not self.breaches:
            return "yes: some answer key has this evaluation"
        return "\n".join(["no:", *(f"  {breach}" for breach in self.breaches)])


def explain(votes: VoteCounts, evaluation: LabeledVoteCounts | CountEvaluation) -> Verdict:
    """Decide a group evaluation or an individual one: single judges, pairs, trios, all.

    Each step is necessary, and the last one is exact in whole numbers.
    """
    if isinstance(evaluation, LabeledVoteCounts):
        return _explain_group(votes, evaluation)
    if not isinstance(evaluation, CountEvaluation):
        rule = "evaluation must be LabeledVoteCounts or a CountEvaluation"
        raise NotVotes(evaluation, rule, "rates are consistent if nearest(rates) is at distance 0")
    if evaluation.labels != votes.labels or len(evaluation.confusion) != len(votes.judges):
        return _refusal("the labels and judges are those of the votes", 1, SHAPE)
    if residual := evaluation.size - votes.size:
        return _refusal(f"the key counts add up to the {votes.size} questions", residual, KEY_COUNTS)
    has_pairs = len(votes.labels) == 2 and not votes.has_gaps
    for find in (_single_breaches, _pair_breaches, _trio_breaches) if has_pairs else (_single_breaches,):
        if breaches := tuple(find(votes, evaluation)):
            return Verdict(breaches=breaches)
    splits = _splits(votes, evaluation)
    if splits is None:
        return _refusal("some answer key gives all judges these confusions", 1, ENSEMBLE)
    return Verdict(from_splits(votes.labels, votes.judges, votes.counts, splits))


def _refusal(postulate: str, residual: int, citation: Citation) -> Verdict:
    return Verdict(breaches=(Breach(postulate, mpq(residual), citation),))


def _explain_group(votes: VoteCounts, graded: LabeledVoteCounts) -> Verdict:
    """Test the response postulates of a group evaluation: Σ_l R^l_v = c_v for every pattern v, with gaps or not."""
    if (graded.labels, graded.judges) != (votes.labels, votes.judges):
        return _refusal("the labels and judges are those of the votes", 1, SHAPE)
    citation = {1: SINGLE, 2: PAIR, 3: TRIO}.get(len(votes.judges), ENSEMBLE)
    observed = graded.observed().counts
    breaches = []
    for pattern in dict.fromkeys((*votes.counts, *observed)):
        seen = votes.counts[pattern]
        if residual := observed[pattern] - seen:
            answers = f"the questions with the answers {join_pattern(pattern)}"
            message = f"{answers} add up over the true labels to the {seen} observed"
            breaches.append(Breach(message, mpq(residual), citation))
    return Verdict(None if breaches else graded, tuple(breaches))


def _splits(votes: VoteCounts, evaluation: CountEvaluation) -> list[_Vector] | None:
    """Return splits of the patterns that give an evaluation, which keeps the postulates of up to three judges."""
    judges = len(votes.judges)
    if judges == 1:
        (rows,) = evaluation.confusion
        return [tuple(rows[label][given] for label in votes.labels) for (given,) in votes.counts]
    if not has_closed_form(votes):
        return _reached_splits(votes, evaluation)
    key, right = first_label_point(evaluation)
    if judges == 2:
        e, _ = PairBounds.of(votes, 0, 1).joint_interval(key, *right)
        chosen: tuple[int, ...] = (e, right[0] - e, right[1] - e, key - sum(right) + e)
    else:
        trio = TrioDecision.of(votes)
        chosen = trio.witness(key, right, trio.joint_values(key, right)[0])
    of_first = dict(zip(votes.patterns(), chosen, strict=True))
    return [(of_first[pattern], count - of_first[pattern]) for pattern, count in votes.counts.items()]


def first_label_point(evaluation: CountEvaluation) -> tuple[int, tuple[int, ...]]:
    """Return Q_a and the right answers s_i = R^a_{a_i} on the first of two labels."""
    first = evaluation.labels[0]
    return evaluation.key_counts[first], tuple(right[first] for right in evaluation.correct)


def _single_breaches(votes: VoteCounts, evaluation: CountEvaluation) -> Iterator[Breach]:
    for judge, confusion in zip(votes.judges, evaluation.confusion, strict=True):
        for given, seen in votes.responses(judge).items():
            if residual := sum(row[given] for row in confusion.values()) - seen:
                message = f"the answers {given!r} of judge {judge!r} add up over the true labels to {seen}"
                yield Breach(message, mpq(residual), SINGLE)


def _pair_breaches(votes: VoteCounts, evaluation: CountEvaluation) -> Iterator[Breach]:
    key, right = first_label_point(evaluation)
    for i, j in combinations(range(len(right)), 2):
        low, high = PairBounds.of(votes, i, j).joint_interval(key, right[i], right[j])
        if low > high:
            both = f"judges {votes.judges[i]!r} and {votes.judges[j]!r} right"
            message = f"the number of {votes.labels[0]!r} questions with {both} is from {low} to {high}; this"
            yield Breach(message, mpq(low - high), PAIR)


def _trio_breaches(votes: VoteCounts, evaluation: CountEvaluation) -> Iterator[Breach]:
    key, right = first_label_point(evaluation)
    for trio in combinations(range(len(right)), 3):
        decision, point = TrioDecision.of(votes.marginal(*trio)), [right[judge] for judge in trio]
        if not decision.joint_values(key, point):
            halves = decision.joint_values(key, point, parts=2)
            names = ", ".join(repr(votes.judges[judge]) for judge in trio)
            how = f", though {mpq(halves[0], 2)} would be" if halves else ""
            message = f"a number of {votes.labels[0]!r} questions with the first two of {names} right is possible{how}"
            yield Breach(f"{message}; this", mpq(1), TRIO)


# -- any number of judges and labels, with gaps -------------------------------------------------------


@lru_cache(maxsize=1)
def reachable_sums(votes: VoteCounts) -> list[dict[_Vector, tuple[_Vector, int]]]:
    """Return for the first 0, 1, 2, … questions the individual evaluations that they can have, each with one way.

    An evaluation is a vector: for each true label its questions, and for each judge how often it gave each label on
    them. Each question adds one of R known vectors; the way is the vector before and the index of the true label.
    Raises `TooMuchWork` beyond `MAX_STEPS`.
    """
    labels, judges = votes.labels, len(votes.judges)
    budget = Budget(MAX_STEPS)
    start = (0,) * (len(labels) * (1 + judges * len(labels)))
    levels: list[dict[_Vector, tuple[_Vector, int]]] = [{start: (start, 0)}]
    for pattern, count in votes.counts.items():
        row = (1, *(int(given == label) for given in pattern for label in labels))
        vectors = [tuple(n * (true == label) for label in labels for n in row) for true in labels]
        steps = list(enumerate(vectors))
        for _ in range(count):
            budget.spend(len(levels[-1]) * len(labels), "a set of individual evaluations")
            sums = ((tuple(map(add, old, each)), (old, true)) for old in levels[-1] for true, each in steps)
            levels.append(dict(sums))
    return levels


def _reached_splits(votes: VoteCounts, evaluation: CountEvaluation) -> list[_Vector] | None:
    """Return splits of the patterns seen that give an evaluation, or `None` if there are none."""
    vector: _Vector = ()
    for label, count in evaluation.key_counts.items():
        vector += (count, *(n for rows in evaluation.confusion for n in rows[label].values()))
    levels = reachable_sums(votes)
    if vector not in levels[-1]:
        return None
    splits = [[0] * len(votes.labels) for _ in votes.counts]
    patterns = [index for index, count in enumerate(votes.counts.values()) for _ in range(count)]
    for index, level in zip(reversed(patterns), reversed(levels), strict=False):
        vector, true = level[vector]
        splits[index][true] += 1
    return [tuple(split) for split in splits]


@dataclass(frozen=True, slots=True)
class Projection:
    """The individual evaluations, `CountEvaluation`, that are consistent with the votes.

    >>> shadow = Projection(VoteCounts({"a": 472, "b": 528}))
    >>> shadow.count(), shadow.count_at({"a": 400, "b": 600})
    (250217, 401)

    With gaps, each judge counts on the questions that it answered; the key counts are those of all questions.
    """

    votes: VoteCounts

    def __contains__(self, evaluation: CountEvaluation) -> bool:
        return bool(explain(self.votes, evaluation))

    def count(self) -> int:
        """Return the number of consistent individual evaluations; for one judge Π_l C(R_l + R − 1, R − 1)."""
        if len(self.votes.judges) == 1:
            return prod(count_compositions(n, len(self.votes.labels)) for n in self.votes.counts.values())
        if not has_closed_form(self.votes):
            return len(reachable_sums(self.votes)[-1])
        return RightAnswers(self.votes).count(range(self.votes.size + 1))

    def count_at(self, at: KeyCounts) -> int:
        """Return the number of them at key counts."""
        key = check_key_counts(at, self.votes.labels, self.votes.size)
        if len(self.votes.judges) == 1:
            return count_splits(list(self.votes.counts.values()), key)
        if not has_closed_form(self.votes):
            return sum(1 for _ in self.at(at))
        return RightAnswers(self.votes).count(range(key[0], key[0] + 1))

    def __iter__(self) -> Iterator[CountEvaluation]:
        if has_closed_form(self.votes):
            for key in range(self.votes.size + 1):
                yield from self._at(key)
        else:
            for vector in sorted(reachable_sums(self.votes)[-1]):
                yield self._from_vector(vector)

    def at(self, key_counts: KeyCounts) -> Iterator[CountEvaluation]:
        """Iterate over those at key counts, in the same order.

        >>> next(Projection(VoteCounts({"aa": 1, "bb": 1})).at({"a": 1, "b": 1})).correct
        ({'a': 0, 'b': 0}, {'a': 0, 'b': 0})
        """
        key = check_key_counts(key_counts, self.votes.labels, self.votes.size)
        if has_closed_form(self.votes):
            return self._at(key[0])
        return (each for each in self if tuple(each.key_counts.values()) == key)

    def points(self) -> Iterator[tuple[int, ...]]:
        """Iterate over (Q_a, R^a_{a_1}, R^b_{b_1}, R^a_{a_2}, …) as plain numbers, in the same order.

        >>> list(Projection(VoteCounts({"a": 1, "b": 1})).points())
        [(0, 0, 1), (1, 0, 0), (1, 1, 1), (2, 1, 0)]

        Raises `NotSupported` for more than two labels or three judges, or gaps.
        """
        answers = RightAnswers(self.votes)
        for key in range(self.votes.size + 1):
            # The postulate of one judge: R^b_b = R^a_a − Q_a + R_b.
            shifts = [given_b - key for _, given_b in answers.given]
            if len(shifts) == 1:  # plain numbers, as fast as zip makes them
                right = answers.following(key)
                yield from zip([key] * len(right), right, count_from(right.start + shifts[0]), strict=False)
                continue
            for point in answers.at(key):
                yield (key, *(n for s, shift in zip(point, shifts, strict=True) for n in (s, s + shift)))

    def _at(self, key: int) -> Iterator[CountEvaluation]:
        return (individual_from_right(self.votes, key, right) for right in RightAnswers(self.votes).at(key))

    def _from_vector(self, vector: tuple[int, ...]) -> CountEvaluation:
        labels, numbers = self.votes.labels, iter(vector)
        key: dict[str, int] = {}
        confusion: list[dict[str, dict[str, int]]] = [{} for _ in self.votes.judges]
        for label in labels:
            key[label] = next(numbers)
            for rows in confusion:
                rows[label] = {given: next(numbers) for given in labels}
        return CountEvaluation(key, confusion)


def individual_from_right(votes: VoteCounts, key: int, right: tuple[int, ...]) -> CountEvaluation:
    """Return the evaluation with Q_a = key and s_i right answers on a, which the votes complete.

    The postulate of one judge is R^a_a + (Q_b − R^b_b) = R_a, hence R^b_b = Q_b − R_a + s.
    """
    a, b = votes.labels
    of_b = votes.size - key
    return CountEvaluation.from_correct(
        {a: key, b: of_b}, [{a: s, b: of_b - votes.responses(judge)[a] + s} for judge, s in enumerate(right)]
    )
