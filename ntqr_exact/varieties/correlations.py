"""Error correlations of a pair of judges: their exact range, and which of them go with given grades.

On the Q_l questions of true label l let n_11, n_10, n_01, n_00 count those on which both judges, only the
first, only the second, and none are right. Then (Corrada-Emmanuel 2023, eqs. 24 and 25)

    Q_l²·Γ^l = Q_l·n_11 − (n_11 + n_10)(n_11 + n_01) = n_11·n_00 − n_10·n_01.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from gmpy2 import mpq

from ntqr_exact.errors import EmptyTest, NotSupported
from ntqr_exact.evaluation import CountEvaluation, Rate
from ntqr_exact.exact.undefined_value import Undefined
from ntqr_exact.varieties.explanation import explain_individual, first_label_point
from ntqr_exact.varieties.group import from_splits
from ntqr_exact.varieties.linear_range import Range
from ntqr_exact.varieties.pair_bounds import PairBounds
from ntqr_exact.varieties.trio_decision import TrioDecision
from ntqr_exact.votes.counts import Judge, VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts

_BOTH, _FIRST, _SECOND, _NONE = (True, True), (True, False), (False, True), (False, False)


def pair_correlation(graded: LabeledVoteCounts, label: str, first: Judge, second: Judge) -> Rate:
    """Return Γ^l of two judges in a group evaluation.

    >>> graded = LabeledVoteCounts({"a": VoteCounts({"aa": 1, "bb": 1})})
    >>> pair_correlation(graded, "a", 0, 1), pair_correlation(graded, "b", 0, 1)
    (mpq(1,4), <Undefined.NO_QUESTIONS: 'no question has this label'>)
    """
    votes = graded.by_label[label].marginal(first, second)
    if votes.size == 0:
        return Undefined.NO_QUESTIONS
    right = dict.fromkeys((_BOTH, _FIRST, _SECOND, _NONE), 0)
    for (i, j), count in votes.counts.items():
        right[i == label, j == label] += count
    return mpq(right[_BOTH] * right[_NONE] - right[_FIRST] * right[_SECOND], votes.size**2)


def correlation_range(
    votes: VoteCounts, label: str, judges: tuple[Judge, Judge], key: tuple[int, ...] | None
) -> Range:
    """Return the range of Γ^l of two judges, at key counts or over all with a question of label l.

    Any Q_l questions can be those of label l, so only the pair's four kinds of patterns matter, for any
    number of judges and labels. With t = n_11 + n_00 given, the greatest n_11·n_00 − n_10·n_01 has
    n_11 and n_00 as near to each other as their limits allow, and n_10, n_01 as far apart; the least the
    other way round. So O(Q_l) steps find both ends.

    Over all key counts, xw − yz over (x + y + z + w)² is at most xw/(x + w)² ≤ 1/4, which x = w = 1
    attains; if x or w has no question it is at most 0. So the ends are ±1/4 or 0.

    >>> found = correlation_range(VoteCounts({"aa": 2, "ab": 1, "bb": 1}), "a", (0, 1), (2, 2))
    >>> found.minimum, found.maximum
    (mpq(0,1), mpq(1,4))
    """
    places = tuple(votes.place(judge) for judge in judges)
    limits = dict.fromkeys((_BOTH, _FIRST, _SECOND, _NONE), 0)
    for pattern, count in votes.marginal(*places).counts.items():
        limits[pattern[0] == label, pattern[1] == label] += count
    where = votes.labels.index(label)
    ends: list[LabeledVoteCounts] = []
    for like, unlike in (((_FIRST, _SECOND), (_BOTH, _NONE)), ((_BOTH, _NONE), (_FIRST, _SECOND))):
        # The greatest product of `like` minus product of `unlike`; for the least Γ the two change roles.
        kinds = (*like, *unlike)
        most = [limits[kind] for kind in kinds]
        chosen = _over_all(most) if key is None else _at(most, key[where], votes)
        ends.append(_witness(votes, where, places, dict(zip(kinds, chosen, strict=True)), key))
    values = [pair_correlation(end, label, *places) for end in ends]
    least, most_value = (value if isinstance(value, mpq) else mpq(0) for value in values)
    return Range(least, most_value, *ends)


def _over_all(limits: list[int]) -> list[int]:
    """Return a choice that maximises (k_1 k_2 − k_3 k_4)/(k_1 + k_2 + k_3 + k_4)²."""
    if limits[0] and limits[1]:
        return [1, 1, 0, 0]
    for place, limit in enumerate(limits):
        if limit:  # one question alone has no correlation
            return [int(other == place) for other in range(4)]
    raise EmptyTest(limits, "a test without questions has no correlations")


def _at(limits: list[int], key: int, votes: VoteCounts) -> list[int]:
    """Return a choice of `key` questions that maximises k_1 k_2 − k_3 k_4."""
    if key == 0:
        raise EmptyTest(votes, "no question has this label at these key counts, so it has no correlations")
    best: tuple[int, list[int]] | None = None
    for like in range(max(0, key - limits[2] - limits[3]), min(key, limits[0] + limits[1]) + 1):
        unlike = key - like
        near = min(max(like // 2, like - limits[1]), limits[0])
        far = min(
            (max(0, unlike - limits[3]), min(unlike, limits[2])), key=lambda k: (k * (key - like - k), k)
        )
        chosen = [near, like - near, far, unlike - far]
        value = chosen[0] * chosen[1] - chosen[2] * chosen[3]
        if best is None or value > best[0]:
            best = (value, chosen)
    return best[1] if best else []


def _witness(
    votes: VoteCounts,
    where: int,
    places: tuple[int, ...],
    chosen: dict[tuple[bool, bool], int],
    key: tuple[int, ...] | None,
) -> LabeledVoteCounts:
    """Take the chosen numbers of questions from the first patterns of each kind, others as they come."""
    label, labels = votes.labels[where], range(len(votes.labels))
    left = None if key is None else list(key)
    wanted = dict(chosen)
    splits = []
    for pattern, count in votes.counts.items():
        kind = (pattern[places[0]] == label, pattern[places[1]] == label)
        split = [0] * len(labels)
        split[where] = min(count, wanted[kind])
        wanted[kind] -= split[where]
        rest = count - split[where]
        for other in labels:
            if other != where:
                take = rest if left is None else min(rest, left[other])
                split[other] = take
                rest -= take
                if left is not None:
                    left[other] -= take
        splits.append(tuple(split))
    return from_splits(votes.labels, votes.judges, votes.counts, splits)


_MOST_LISTED = 10**6
"""The most points that are listed: some seconds."""


@dataclass(frozen=True, slots=True)
class PairPoint:
    """One consistent pair of correlations: both right R^a_aa and R^b_bb times, and Γ^a and Γ^b."""

    both_right: tuple[int, int]
    correlations: tuple[Rate, Rate]


def pair_correlations(
    votes: VoteCounts, evaluation: CountEvaluation, first: Judge, second: Judge
) -> tuple[PairPoint, ...]:
    """Return all (Γ^a, Γ^b) of a pair that are consistent with the individual evaluations of the judges.

    They are one for each whole number e = R^a_aa in an interval, here in increasing order; only
    P_aΓ^a + P_bΓ^b is the same for all. None is consistent with an inconsistent evaluation. With three
    judges the grades and votes of the third can make the interval shorter than the pair's own.

    >>> votes = VoteCounts({"aa": 1, "ab": 1, "ba": 1, "bb": 1})
    >>> grades = CountEvaluation.from_correct({"a": 2, "b": 2}, [{"a": 1, "b": 1}, {"a": 1, "b": 1}])
    >>> [point.correlations for point in pair_correlations(votes, grades, 0, 1)]
    [(mpq(-1,4), mpq(1,4)), (mpq(1,4), mpq(-1,4))]

    Raises `NotSupported` for other than two labels and two or three judges, and for more than a million points.
    """
    count, both, point_at = _points(votes, evaluation, first, second)
    if count > _MOST_LISTED:
        rule = f"so many pairs of correlations are not listed; the limit is {_MOST_LISTED}"
        raise NotSupported(count, rule, "pair_correlation_ends tells their number and their ends")
    return tuple(map(point_at, both))


def pair_correlation_ends(
    votes: VoteCounts, evaluation: CountEvaluation, first: Judge, second: Judge
) -> tuple[int, tuple[PairPoint, ...]]:
    """Return how many points `pair_correlations` would list, and the first and the last, without listing them.

    Γ^a increases and Γ^b decreases along the list, so that the two points hold the ends of both.

    >>> votes = VoteCounts({"aa": 1, "ab": 1, "ba": 1, "bb": 1})
    >>> grades = CountEvaluation.from_correct({"a": 2, "b": 2}, [{"a": 1, "b": 1}, {"a": 1, "b": 1}])
    >>> count, (first, last) = pair_correlation_ends(votes, grades, 0, 1)
    >>> count, first.correlations, last.correlations
    (2, (mpq(-1,4), mpq(1,4)), (mpq(1,4), mpq(-1,4)))
    """
    count, both, point_at = _points(votes, evaluation, first, second)
    return count, tuple(map(point_at, (both.start, both.stop - 1) if count else ()))


def _points(
    votes: VoteCounts, evaluation: CountEvaluation, first: Judge, second: Judge
) -> tuple[int, range, Callable[[int], PairPoint]]:
    """Return how many points there are, the numbers R^a_aa of both right on the first label, and the point of each."""
    votes.without_gaps("correlations of a pair")
    if len(votes.labels) != 2 or not 2 <= len(votes.judges) <= 3:
        raise NotSupported(
            f"{len(votes.judges)} judges and {len(votes.labels)} labels",
            "the consistent correlations of a pair are listed for two labels and two or three judges",
            "take the votes of the pair alone with marginal",
        )
    consistent = explain_individual(votes, evaluation)
    i, j = votes.place(first), votes.place(second)
    key, right = first_label_point(evaluation)
    seen = PairBounds.of(votes, i, j)
    low, high = 0, -1
    if consistent and len(right) == 2:
        low, high = seen.joint_interval(key, right[i], right[j])
    elif consistent:
        order = (i, j, 3 - i - j)
        trio = TrioDecision.of(votes.marginal(*order))
        interval = trio.joint_interval(key, [right[place] for place in order])
        low, high = interval.whole_low, interval.whole_high

    correct = evaluation.correct
    by_label = [
        (evaluation.key_counts[label], *(correct[k][label] for k in (i, j))) for label in votes.labels
    ]

    def point_at(on_first: int) -> PairPoint:
        both = (on_first, seen.bb - (key - right[i] - right[j]) - on_first)
        of_a, of_b = (
            _correlation(asked, count, *rights)
            for (asked, *rights), count in zip(by_label, both, strict=True)
        )
        return PairPoint(both, (of_a, of_b))

    # Python's own length of a range ends at 2^63.
    return max(0, high + 1 - low), range(low, high + 1), point_at


def _correlation(questions: int, both: int, first: int, second: int) -> Rate:
    return mpq(questions * both - first * second, questions**2) if questions else Undefined.NO_QUESTIONS
