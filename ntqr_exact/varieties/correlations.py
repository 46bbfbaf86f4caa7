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
from ntqr_exact.errors import BadVotes, EmptyTest, NotSupported
from ntqr_exact.evaluation import CountEvaluation, Rate
from ntqr_exact.exact.undefined_value import Undefined
from ntqr_exact.varieties.closed_forms import PairBounds, TrioDecision
from ntqr_exact.varieties.membership import explain_individual, first_label_point
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
) -> tuple[mpq, mpq]:
    """Return the range of Γ^l of two judges on the questions of l that both answered, at key counts if given.

    Any Q_l questions can be those of label l, so only the pair's four kinds of answers matter, for any number of
    judges and labels. Without gaps Q_l of them are of label l; a question with a gap may take the place of any.

    >>> correlation_range(VoteCounts({"aa": 2, "ab": 1, "bb": 1}), "a", (0, 1), (2, 2))
    (mpq(0,1), mpq(1,4))

    Raises `EmptyTest` if no question of label l can be one that both answered.
    """
    if label not in votes.labels:
        raise BadVotes(label, f"label must be one of {', '.join(map(repr, votes.labels))}")
    common = votes.common(*judges)
    limits = dict.fromkeys(product((True, False), repeat=2), 0)
    for (first, second), count in common.counts.items():
        limits[first == label, second == label] += count
    sizes = range(1, common.size + 1)
    if key is not None:
        asked = key[votes.labels.index(label)]
        sizes = range(max(1, asked - votes.size + common.size), min(asked, common.size) + 1)
        check_work("the range of a correlation", 2 * len(sizes) * asked)
    if not sizes:
        raise EmptyTest(
            key, f"{label!r} must have a question that both judges answered to have a correlation"
        )
    equal = [limits[True, True], limits[False, False]]
    unequal = [limits[True, False], limits[False, True]]
    greatest = [_greatest(*some, sizes if key else None) for some in ((unequal, equal), (equal, unequal))]
    return -greatest[0], greatest[1]


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

    Raises `NotSupported` for other than two labels and two or three judges, `BadVotes` for gaps, and `TooMuchWork`.
    """
    both = _both_right(votes, evaluation, first, second)
    check_work("a list of pair correlations", 5 * (both.stop - both.start))
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
        shape = f"{len(votes.judges)} judges and {len(votes.labels)} labels"
        rule = "pair correlations need two labels and two or three judges"
        raise NotSupported(shape, rule, "take the votes of the pair alone with marginal")
    if not explain_individual(votes, evaluation):
        return range(0)
    i, j = votes.place(first), votes.place(second)
    key, right = first_label_point(evaluation)
    if len(right) == 2:
        low, high = PairBounds.of(votes, i, j).joint_interval(key, right[i], right[j])
        return range(low, high + 1)
    order = (i, j, 3 - i - j)
    return TrioDecision.of(votes.marginal(*order)).joint_values(key, [right[judge] for judge in order])


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
