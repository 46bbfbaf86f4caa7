"""`ConsistentSet`: all evaluations that the votes allow; exact ranges of linear statistics and of pair correlations.

If both judges are right on n_11 questions of label l, only the first on n_10, only the second on n_01, none on n_00,
then Q_l²·Γ^l = Q_l·n_11 − (n_11 + n_10)(n_11 + n_01) = n_11·n_00 − n_10·n_01 (Corrada-Emmanuel 2023, eqs. 24 and 25).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, permutations, product
from math import prod
from operator import mul
from typing import TypeAlias

from gmpy2 import mpq

from ntqr_exact.budget import check_work
from ntqr_exact.errors import BadVotes, EmptyTest, NotSupported
from ntqr_exact.evaluation import CountEvaluation, Evaluation, Rate
from ntqr_exact.exact.rational import RationalLike, rational
from ntqr_exact.exact.show import counted
from ntqr_exact.exact.undefined_value import Undefined
from ntqr_exact.varieties.closed_forms import PairBounds, TrioDecision
from ntqr_exact.varieties.compositions import (
    KeyCounts,
    all_splits,
    check_key_counts,
    count_compositions,
    from_splits,
)
from ntqr_exact.varieties.membership import Projection, Verdict, explain, first_label_point
from ntqr_exact.varieties.nearest import Nearest, nearest
from ntqr_exact.varieties.sampling import GroupSampler, count_splits, group_sampler, split_table
from ntqr_exact.votes.counts import Judge, VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts
from ntqr_exact.votes.names import Pattern, check_pattern

Statistic: TypeAlias = Mapping[tuple[str, Pattern | str], RationalLike]
"""A rational weight for each true label and pattern; what is not given weighs 0."""


@dataclass(frozen=True, slots=True)
class Range:
    """The least and the greatest value of a statistic, with a group evaluation that attains each."""

    minimum: mpq
    maximum: mpq
    minimizer: LabeledVoteCounts
    maximizer: LabeledVoteCounts


@dataclass(frozen=True, slots=True)
class PairPoint:
    """One consistent pair of correlations: both right R^a_aa and R^b_bb times, and Γ^a and Γ^b."""

    both_right: tuple[int, int]
    correlations: tuple[Rate, Rate]


@dataclass(frozen=True, slots=True)
class ConsistentSet:
    """The group evaluations consistent with votes: each pattern's questions split over the true labels.

    >>> consistent = ConsistentSet(VoteCounts({"aa": 2, "bb": 1}))
    >>> consistent.count(), consistent.count_at({"a": 1, "b": 2})
    (6, 2)

    Its elements are the `LabeledVoteCounts` whose observed votes are the votes. Patterns may have gaps.
    """

    votes: VoteCounts

    def __post_init__(self) -> None:
        if not isinstance(self.votes, VoteCounts):
            raise BadVotes(self.votes, "votes must be VoteCounts", "LabeledVoteCounts have their observed()")

    def count(self) -> int:
        """Return the number of consistent group evaluations, Π_v C(c_v + R − 1, R − 1)."""
        return prod(count_compositions(count, len(self.votes.labels)) for count in self._counts)

    def count_at(self, at: KeyCounts) -> int:
        """Return how many have the key counts.

        Raises `TooMuchWork` where several labels have too many questions.
        """
        return count_splits(self._counts, self._key(at))

    def counts_by_key(self) -> dict[tuple[int, ...], int]:
        """Return how many have each key counts, given in the order of the labels; O(2^N Q) if R = 2."""
        size, labels = self.votes.size, len(self.votes.labels)
        sums = product(range(size + 1), repeat=labels - 1)
        table = split_table(self._counts, [size] * labels)
        return {
            (*some, size - sum(some)): n for some, n in zip(sums, table, strict=True) if sum(some) <= size
        }

    def explain(self, evaluation: LabeledVoteCounts | CountEvaluation) -> Verdict:
        """Return yes with a witness, or no with the postulates that fail and by how much.

        A group evaluation must give the votes; an individual one must have a group evaluation that does. With gaps, a
        judge's row of counts is over the questions that it answered.
        """
        return explain(self.votes, evaluation)

    def __contains__(self, evaluation: LabeledVoteCounts | CountEvaluation) -> bool:
        return bool(self.explain(evaluation))

    def __iter__(self) -> Iterator[LabeledVoteCounts]:
        return map(self._group, all_splits(self._counts, [self.votes.size] * len(self.votes.labels)))

    def at(self, key_counts: KeyCounts) -> Iterator[LabeledVoteCounts]:
        """Iterate over those at key counts, in the same order."""
        return map(self._group, all_splits(self._counts, self._key(key_counts)))

    def sample(self, *, seed: RationalLike, at: KeyCounts | None = None) -> LabeledVoteCounts:
        """Return a uniform group evaluation, at key counts if given; the same for the same seed."""
        return next(self.sampler(at=at).draws(seed=seed))

    def sampler(self, *, at: KeyCounts | None = None) -> GroupSampler:
        """Return what draws again and again: two labels by a walk with exact weights, more at key counts by rejection.

        A draw that takes more than 50 million splits of a pattern raises `TooMuchWork`.
        """
        return group_sampler(self.votes, None if at is None else self._key(at))

    def range_of(self, statistic: Statistic, *, at: KeyCounts | None = None) -> Range:
        """Return the exact range of Σ w(l, v)·R^l_v, with a group evaluation that attains each end.

        >>> result = ConsistentSet(VoteCounts({"aa": 2, "ab": 1})).range_of({("a", "aa"): 1, ("b", "ab"): -1})
        >>> result.minimum, result.maximum
        (mpq(-1,1), mpq(2,1))

        Raises `BadVotes` for weights of other labels or patterns.
        """
        votes, key = self.votes, self._key(at) if at is not None else None
        weights: dict[tuple[str, Pattern], mpq] = {}
        for each, weight in statistic.items():
            if not isinstance(each, tuple) or len(each) != 2 or each[0] not in votes.labels:
                raise BadVotes(each, "a weight must belong to a true label and a pattern")
            pattern = check_pattern(each[1], votes.labels)
            if len(pattern) != len(votes.judges):
                raise BadVotes(each, f"a pattern must have {len(votes.judges)} labels")
            weights[each[0], pattern] = rational(weight)
        ends: list[tuple[mpq, LabeledVoteCounts]] = []
        for sign in (-1, 1):
            gains = [
                [sign * weights.get((a, pattern), mpq(0)) for a in votes.labels] for pattern in votes.counts
            ]
            splits = _best_splits(gains, self._counts, key)
            value = sum((sum(map(mul, *each), mpq(0)) for each in zip(gains, splits, strict=True)), mpq(0))
            ends.append((sign * value, self._group([tuple(split) for split in splits])))
        (least, minimizer), (most, maximizer) = ends
        return Range(least, most, minimizer, maximizer)

    def correlation_range(
        self, label: str, first: Judge, second: Judge, *, at: KeyCounts | None = None
    ) -> tuple[mpq, mpq]:
        """Return the least and the greatest Γ^label of two judges on the questions of the label that both answered.

        Any Q_l questions can be those of label l, so only the pair's four kinds of answers matter, for any number of
        judges and labels. Without gaps Q_l of them are of label l; a question with a gap may take the place of any.

        >>> ConsistentSet(VoteCounts({"aa": 2, "ab": 1, "bb": 1})).correlation_range("a", 0, 1, at={"a": 2, "b": 2})
        (mpq(0,1), mpq(1,4))

        Raises `EmptyTest` if no question of label l can be one that both answered.
        """
        votes, common = self.votes, self.votes.common(first, second)
        if label not in votes.labels:
            raise BadVotes(label, f"label must be one of {', '.join(map(repr, votes.labels))}")
        limits = dict.fromkeys(product((True, False), repeat=2), 0)
        for (one, other), count in common.counts.items():
            limits[one == label, other == label] += count
        sizes = range(1, common.size + 1)
        if at is not None:
            asked = self._key(at)[votes.labels.index(label)]
            sizes = range(max(1, asked - votes.size + common.size), min(asked, common.size) + 1)
            check_work("the range of a correlation", 2 * len(sizes) * asked)
        if not sizes:
            rule = f"{label!r} must have a question that both judges answered to have a correlation"
            raise EmptyTest(at, rule)
        equal = [limits[True, True], limits[False, False]]
        unequal = [limits[True, False], limits[False, True]]
        wanted = sizes if at else None
        return -_greatest(unequal, equal, wanted), _greatest(equal, unequal, wanted)

    def pair_correlations(
        self, evaluation: CountEvaluation, first: Judge, second: Judge
    ) -> tuple[PairPoint, ...]:
        """Return all (Γ^a, Γ^b) of two judges that are consistent with individual evaluations of all judges.

        They are one for each whole number e = R^a_aa in an interval, here in increasing order; only P_aΓ^a + P_bΓ^b
        is the same for all. A third judge can make the interval shorter.

        >>> grades = CountEvaluation.from_correct({"a": 2, "b": 2}, [{"a": 1, "b": 1}, {"a": 1, "b": 1}])
        >>> votes = VoteCounts({"aa": 1, "ab": 1, "ba": 1, "bb": 1})
        >>> [point.correlations for point in ConsistentSet(votes).pair_correlations(grades, 0, 1)]
        [(mpq(-1,4), mpq(1,4)), (mpq(1,4), mpq(-1,4))]

        Raises `NotSupported` for other than two labels and two or three judges, `BadVotes` for gaps, `TooMuchWork`.
        """
        votes = self.votes.without_gaps("correlations of a pair")
        if len(votes.labels) != 2 or not 2 <= len(votes.judges) <= 3:
            shape = f"{counted(len(votes.judges), 'judge')} and {len(votes.labels)} labels"
            rule = "votes must have two labels and two or three judges"
            raise NotSupported(shape, rule, "take the votes of the pair alone with marginal")
        if not explain(votes, evaluation):
            return ()
        i, j = votes.place(first), votes.place(second)
        key, right = first_label_point(evaluation)
        pair = PairBounds.of(votes, i, j)
        if len(right) == 2:
            low, high = pair.joint_interval(key, right[i], right[j])
        else:
            order = (i, j, 3 - i - j)
            joint = TrioDecision.of(votes.marginal(*order)).joint_values(key, [right[k] for k in order])
            low, high = joint.start, joint.stop - 1
        check_work("a list of pair correlations", 5 * (high - low))
        on_second = pair.bb - (key - right[i] - right[j])
        return tuple(_pair_point(evaluation, (i, j), (e, on_second - e)) for e in range(low, high + 1))

    def projection(self) -> Projection:
        """Return the set of the consistent individual evaluations."""
        return Projection(self.votes)

    def nearest(self, target: Evaluation | CountEvaluation, *, at: KeyCounts | None = None) -> Nearest:
        """Return the consistent individual evaluation nearest to a target; ties go to the smallest."""
        return nearest(self.votes, target, None if at is None else self._key(at))

    @property
    def _counts(self) -> tuple[int, ...]:
        return tuple(self.votes.counts.values())

    def _key(self, at: KeyCounts) -> tuple[int, ...]:
        return check_key_counts(at, self.votes.labels, self.votes.size)

    def _group(self, splits: Sequence[tuple[int, ...]]) -> LabeledVoteCounts:
        return from_splits(self.votes.labels, self.votes.judges, self.votes.counts, splits)


def right_answers(votes: VoteCounts, judge: Judge, label: str | None = None) -> Statistic:
    """Return the statistic R^l_{l_i}: how often a judge is right, on a true label or on all.

    >>> right_answers(VoteCounts({"ab": 1, "aa": 1}), 1)
    {('a', ('a', 'a')): 1, ('b', ('a', 'b')): 1}
    """
    index = votes.place(judge)
    if label is not None and label not in votes.labels:
        raise BadVotes(label, f"label must be one of {', '.join(map(repr, votes.labels))}")
    labels = votes.labels if label is None else (label,)
    return {(true, pattern): 1 for true in labels for pattern in votes.counts if pattern[index] == true}


def _best_splits(
    gains: list[list[mpq]], counts: tuple[int, ...], key: tuple[int, ...] | None
) -> list[list[int]]:
    """Return splits with the greatest gain; the first label wins ties.

    Every pattern goes to its best label. At key counts questions are then moved from labels with too many to labels
    with too few along cheapest paths, which keep the assignment optimal for its own key counts (Ford and
    Fulkerson, Flows in Networks, 1962, chapter III).
    """
    splits = [[0] * len(row) for row in gains]
    for row, split, count in zip(gains, splits, counts, strict=True):
        split[row.index(max(row))] = count
    if key is None:
        return splits
    surplus = [sum(split[label] for split in splits) - count for label, count in enumerate(key)]
    while any(surplus):
        moves = _best_moves(gains, splits)
        path = _best_path(moves, surplus)
        steps = list(pairwise(path))
        amount = min(surplus[path[0]], -surplus[path[-1]])
        amount = min(amount, *(splits[moves[step][1]][step[0]] for step in steps))
        for source, target in steps:
            pattern = moves[source, target][1]
            splits[pattern][source] -= amount
            splits[pattern][target] += amount
        surplus[path[0]] -= amount
        surplus[path[-1]] += amount
    return splits


def _best_moves(gains: list[list[mpq]], splits: list[list[int]]) -> dict[tuple[int, int], tuple[mpq, int]]:
    """Return for each two labels the most that moving one question gains, and of which pattern."""
    moves: dict[tuple[int, int], tuple[mpq, int]] = {}
    for pattern, (row, split) in enumerate(zip(gains, splits, strict=True)):
        for source, target in permutations(range(len(row)), 2):
            gain = row[target] - row[source]
            if split[source] and ((source, target) not in moves or gain > moves[source, target][0]):
                moves[source, target] = (gain, pattern)
    return moves


def _best_path(moves: dict[tuple[int, int], tuple[mpq, int]], surplus: list[int]) -> list[int]:
    """Return the path of greatest gain from a label with too many to one with too few (Bellman-Ford)."""
    best = {label: (mpq(0), [label]) for label, count in enumerate(surplus) if count > 0}
    for _ in surplus:
        for (source, target), (gain, _pattern) in moves.items():
            if source in best and target not in best[source][1]:
                total = best[source][0] + gain
                if target not in best or total > best[target][0]:
                    best[target] = (total, [*best[source][1], target])
    return max((best[label] for label in best if surplus[label] < 0), key=lambda each: each[0])[1]


# -- correlations -------------------------------------------------------------------------------------


def error_correlation(graded: LabeledVoteCounts, label: str, *judges: Judge) -> Rate:
    """Return Γ^l of judges in a group evaluation, on the questions that all of them answered."""
    try:
        return graded.by_label[label].central_moment(judges, label=label)
    except EmptyTest:
        return Undefined.NO_QUESTIONS


def _greatest(like: list[int], unlike: list[int], sizes: range | None) -> mpq:
    """Return the greatest (k_1·k_2 − k_3·k_4)/n² with k_1, k_2 ≤ like, k_3, k_4 ≤ unlike and sum n in the sizes.

    With k_1 + k_2 given, k_1 and k_2 are as near to each other as their limits allow, and k_3, k_4 as far apart. Over
    all sizes it is at most k_1·k_2/(k_1 + k_2)² ≤ 1/4, which k_1 = k_2 = 1 attains; if one of them has no question it
    is at most 0, which one question alone attains.
    """
    if sizes is None:
        return mpq(int(all(like)), 4)
    best = mpq(-1)  # below every covariance
    for size in sizes:
        for alike in range(max(0, size - sum(unlike)), min(size, sum(like)) + 1):
            near, other = min(max(alike // 2, alike - like[1]), like[0]), size - alike
            far = min(other, unlike[0])
            ends = (far * (other - far), max(0, other - unlike[1]) * min(other, unlike[1]))
            value = mpq(near * (alike - near) - min(ends), size**2)
            best = max(best, value)
    return best


def _pair_point(evaluation: CountEvaluation, judges: tuple[int, int], both: tuple[int, int]) -> PairPoint:
    correlations: list[Rate] = []
    for (label, asked), count in zip(evaluation.key_counts.items(), both, strict=True):
        first, second = (evaluation.correct[judge][label] for judge in judges)
        value = mpq(asked * count - first * second, asked**2) if asked else Undefined.NO_QUESTIONS
        correlations.append(value)
    return PairPoint(both, (correlations[0], correlations[1]))
