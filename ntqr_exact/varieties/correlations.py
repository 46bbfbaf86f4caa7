"""Error correlations of a pair of judges: their exact range, and which of them go with given grades.

On the Q_l questions of true label l let n_11, n_10, n_01, n_00 count those on which both judges, only the
first, only the second, and none are right. Then (Corrada-Emmanuel 2023, eqs. 24 and 25)

    Q_l²·Γ^l = Q_l·n_11 − (n_11 + n_10)(n_11 + n_01) = n_11·n_00 − n_10·n_01.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

from gmpy2 import mpq

from ntqr_exact.budget import check_work
from ntqr_exact.errors import EmptyTest, NotSupported
from ntqr_exact.evaluation import CountEvaluation, Rate
from ntqr_exact.exact.undefined_value import Undefined
from ntqr_exact.varieties.compositions import from_splits
from ntqr_exact.varieties.explanation import explain_individual, first_label_point
from ntqr_exact.varieties.linear_range import Range
from ntqr_exact.varieties.pair_bounds import PairBounds
from ntqr_exact.varieties.trio_decision import TrioDecision
from ntqr_exact.votes.counts import Judge, VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts


def pair_correlation(graded: LabeledVoteCounts, label: str, first: Judge, second: Judge) -> Rate:
    """Return Γ^l of two judges in a group evaluation, on the questions that both answered.

    >>> graded = LabeledVoteCounts({"a": VoteCounts({"aa": 1, "bb": 1})})
    >>> pair_correlation(graded, "a", 0, 1), pair_correlation(graded, "b", 0, 1)
    (mpq(1,4), <Undefined.NO_QUESTIONS: 'no question has this label'>)
    """
    votes = graded.by_label[label].common(first, second)
    return votes.central_moment((0, 1), label=label) if votes.size else Undefined.NO_QUESTIONS


def correlation_range(
    votes: VoteCounts, label: str, judges: tuple[Judge, Judge], key: tuple[int, ...] | None
) -> Range:
    """Return the range of Γ^l of two judges, at key counts or over all with a question of label l.

    Any Q_l questions can be those of label l, so only the pair's four kinds of patterns matter, for any
    number of judges and labels. With t = n_11 + n_00 given, the greatest n_11·n_00 − n_10·n_01 has
    n_11 and n_00 as near to each other as their limits allow, and n_10, n_01 as far apart; the least the
    other way round. So O(Q_l) steps find both ends. Over all key counts, xw − yz over (x + y + z + w)² is at most
    xw/(x + w)² ≤ 1/4, which x = w = 1 attains; if x or w has no question it is at most 0.

    >>> result = correlation_range(VoteCounts({"aa": 2, "ab": 1, "bb": 1}), "a", (0, 1), (2, 2))
    >>> result.minimum, result.maximum
    (mpq(0,1), mpq(1,4))
    """
    votes.without_gaps("the range of a correlation")
    first, second = (votes.place(judge) for judge in judges)
    where = votes.labels.index(label)
    kinds = [(pattern[first] == label, pattern[second] == label) for pattern in votes.counts]
    limits = dict.fromkeys(product((True, False), repeat=2), 0)
    for kind, count in zip(kinds, votes.counts.values(), strict=True):
        limits[kind] += count
    equal, unequal = ((True, True), (False, False)), ((True, False), (False, True))
    ends = []
    for order in ((*unequal, *equal), (*equal, *unequal)):  # for the least Γ the two change roles
        most = [limits[kind] for kind in order]
        chosen = _over_all(most) if key is None else _at(most, key[where])
        wanted = dict(zip(order, chosen, strict=True))
        left = None if key is None else list(key)
        splits = []
        for kind, count in zip(kinds, votes.counts.values(), strict=True):
            split = [0] * len(votes.labels)
            split[where] = min(count, wanted[kind])
            wanted[kind] -= split[where]
            for other in range(len(split)):
                if other != where:
                    rest = count - sum(split)
                    split[other] = rest if left is None else min(rest, left[other])
                    if left is not None:
                        left[other] -= split[other]
            splits.append(tuple(split))
        ends.append(from_splits(votes.labels, votes.judges, votes.counts, splits))
    values = [pair_correlation(end, label, first, second) for end in ends]
    least, greatest = (value if isinstance(value, mpq) else mpq(0) for value in values)
    return Range(least, greatest, *ends)


def _over_all(limits: list[int]) -> list[int]:
    """Return a choice that maximises (k_1 k_2 − k_3 k_4)/(k_1 + k_2 + k_3 + k_4)²."""
    if limits[0] and limits[1]:
        return [1, 1, 0, 0]
    for place, limit in enumerate(limits):
        if limit:  # one question alone has no correlation
            return [int(other == place) for other in range(4)]
    raise EmptyTest(limits, "a test without questions has no correlations")


def _at(limits: list[int], key: int) -> list[int]:
    """Return a choice of `key` questions that maximises k_1 k_2 − k_3 k_4."""
    if key == 0:
        raise EmptyTest(key, "the label must have a question at these key counts to have a correlation")

    def choice(like: int) -> list[int]:
        unlike = key - like
        near = min(max(like // 2, like - limits[1]), limits[0])
        ends = (max(0, unlike - limits[3]), min(unlike, limits[2]))
        far = min(ends, key=lambda k: (k * (unlike - k), k))
        return [near, like - near, far, unlike - far]

    likes = range(max(0, key - limits[2] - limits[3]), min(key, limits[0] + limits[1]) + 1)
    return max(map(choice, likes), key=lambda k: k[0] * k[1] - k[2] * k[3])


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

    Raises `NotSupported` for other than two labels and two or three judges, `TooMuchWork` for millions of points.
    """
    both = _both_right(votes, evaluation, first, second)
    check_work(
        "so many pairs of correlations; pair_correlation_ends has their ends", 5 * (both.stop - both.start)
    )
    return tuple(_point(votes, evaluation, (first, second), on_first) for on_first in both)


def pair_correlation_ends(
    votes: VoteCounts, evaluation: CountEvaluation, first: Judge, second: Judge
) -> tuple[int, tuple[PairPoint, ...]]:
    """Return how many points `pair_correlations` would list, and the first and the last, without listing them.

    Γ^a increases and Γ^b decreases along the list, so that the two points hold the ends of both.
    """
    both = _both_right(votes, evaluation, first, second)
    count = max(0, both.stop - both.start)  # Python's own length of a range ends at 2^63
    ends = (both.start, both.stop - 1) if count else ()
    return count, tuple(_point(votes, evaluation, (first, second), on_first) for on_first in ends)


def _both_right(votes: VoteCounts, evaluation: CountEvaluation, first: Judge, second: Judge) -> range:
    """Return the consistent numbers R^a_aa of questions of the first label on which both are right."""
    votes.without_gaps("correlations of a pair")
    if len(votes.labels) != 2 or not 2 <= len(votes.judges) <= 3:
        raise NotSupported(
            f"{len(votes.judges)} judges and {len(votes.labels)} labels",
            "the consistent correlations of a pair are listed for two labels and two or three judges",
            "take the votes of the pair alone with marginal",
        )
    if not explain_individual(votes, evaluation):
        return range(0)
    i, j = votes.place(first), votes.place(second)
    key, right = first_label_point(evaluation)
    if len(right) == 2:
        low, high = PairBounds.of(votes, i, j).joint_interval(key, right[i], right[j])
        return range(low, high + 1)
    order = (i, j, 3 - i - j)
    trio = TrioDecision.of(votes.marginal(*order))
    return trio.joint_interval(key, [right[place] for place in order]).whole


def _point(
    votes: VoteCounts, evaluation: CountEvaluation, judges: tuple[Judge, Judge], on_first: int
) -> PairPoint:
    i, j = (votes.place(judge) for judge in judges)
    key, right = first_label_point(evaluation)
    both = (on_first, PairBounds.of(votes, i, j).bb - (key - right[i] - right[j]) - on_first)
    correlations: list[Rate] = []
    for label, count in zip(votes.labels, both, strict=True):
        asked, rights = evaluation.key_counts[label], [evaluation.correct[k][label] for k in (i, j)]
        numerator = asked * count - rights[0] * rights[1]
        correlations.append(mpq(numerator, asked**2) if asked else Undefined.NO_QUESTIONS)
    return PairPoint(both, (correlations[0], correlations[1]))
