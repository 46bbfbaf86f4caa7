"""Joint safety without a linear program: judges by themselves, and pairs between two labels.

A judge by itself can be right min(Q_l, R_l) times on every label l at once. So the factors allow every Q_l within the
bounds of `root`, and a grade asks for Σ_l max(0, R_l − Q_l) ≤ Q − G, which with two labels is |R_a − Q_a|.

A pair between two labels has s_1 and s_2 right answers on a. On b judge i is right R_b − (Q_a − s_i) times, so that
all that is asked of it is a lower bound of s_i. The bounds of `PairBounds` are the others: s_2 lies between numbers
that rise or fall with s_1 by at most 1, and each lower with each upper one bounds s_1. As all of it is whole, nothing
is lost.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import Enum
from typing import TypeAlias

from ntqr_exact.alarms.proof_checker import Question, least_right, root
from ntqr_exact.varieties.pair_bounds import PairBounds, single_interval

Split: TypeAlias = tuple[int, ...]
Rows: TypeAlias = Sequence[tuple[tuple[int, ...], int]]

_MOST_TRIED, _MOST_STEPS = 256, 20_000
"""So many key counts are tried one by one, and pairs at them; where there are more, a linear program is quicker."""


class Answer(Enum):
    """Whether there is a safe key."""

    POSSIBLE = "keys under which each group is safe are given"
    IMPOSSIBLE = "no key is safe, and a proof is given"
    UNDECIDED = "neither a safe key nor a proof was found within the stated number of programs"


def safe_counts(question: Question) -> tuple[Answer, tuple[int, ...]]:
    """Return whether all groups could be safe and key counts at which; undecided where no closed form tells.

    >>> ab_and_ba = (((0, 1), 1), ((1, 0), 1))
    >>> safe_counts(Question((ab_and_ba,), ((2, 1), (2, 1)), 0, 2))[0].name
    'IMPOSSIBLE'
    """
    judges = {len(rows[0][0]) for rows in question.groups}
    if judges != {1} and not (len(question.factors) == 2 and judges <= {1, 2}):
        return Answer.UNDECIDED, ()
    bounds = root(question)
    if bounds is None:
        return Answer.IMPOSSIBLE, ()
    if judges == {1}:
        labels = range(len(question.factors))
        given = [[dict(rows).get((label,), 0) for label in labels] for rows in question.groups]
        ranges = [bounds[f"questions {label}"] for label in labels]
        return _single_counts(given, ranges, question.size - question.total)
    low, high = bounds["questions 0"]
    pairs = [_pair(rows) for rows in question.groups]
    near = sum(2 * pair.aa + pair.ab + pair.ba for pair in pairs) // (2 * len(pairs))
    tried = max(2, min(_MOST_TRIED, _MOST_STEPS // len(pairs)))
    for count in _outward(low, high, near, tried):
        if all(_right_answers(question, pair, count) is not None for pair in pairs):
            return Answer.POSSIBLE, (count, question.size - count)
    return (Answer.IMPOSSIBLE if high - low < tried else Answer.UNDECIDED), ()


def keys_at(question: Question, counts: tuple[int, ...]) -> tuple[tuple[Split, ...], ...]:
    """Return a key of each group with these key counts, at which it could be safe, as `safe_counts` finds them."""
    found = []
    for rows in question.groups:
        if len(rows[0][0]) == 1:
            found.append(_single_key(rows, counts))
        else:
            pair = _pair(rows)
            first, second = _right_answers(question, pair, counts[0]) or (0, 0)
            both = pair.joint_interval(counts[0], first, second)[1]
            on_a = {(0, 0): both, (0, 1): first - both, (1, 0): second - both}
            on_a[1, 1] = counts[0] - sum(on_a.values())
            found.append(tuple((on_a[row[0], row[1]], count - on_a[row[0], row[1]]) for row, count in rows))
    return tuple(found)


def least_right_on_first(question: Question, count: int, given_second: int) -> int:
    """Return the least right answers on the first of two labels with which a judge is safe.

    With Q_a = `count` and R_b = `given_second`, s right answers on a go with R_b − (Q_a − s) on b.

    >>> least_right_on_first(Question((), ((2, 1), (2, 1)), 0, 9), 4, 5)
    3
    """
    missed = count - given_second
    return max(
        0,
        missed,
        least_right(question, 0, count),
        least_right(question, 1, question.size - count) + missed,
        -(-(question.total + missed) // 2),
    )


def _single_counts(
    given: Sequence[Sequence[int]], ranges: Sequence[tuple[int, int]], wrong: int
) -> tuple[Answer, tuple[int, ...]]:
    """Return key counts within ranges at which each judge by itself could be safe, given its answers R_l.

    The ranges, which leave room for ΣQ_l = Q, are those that the factors allow, and each judge may give this many
    `wrong` answers. With three labels or more and a limit on these, it is undecided where counts near the mean answers
    do not serve.
    """
    size = sum(given[0])
    if len(ranges) == 2:
        firsts = [answers[0] for answers in given]
        low, high = max(ranges[0][0], max(firsts) - wrong), min(ranges[0][1], min(firsts) + wrong)
        if low > high:
            return Answer.IMPOSSIBLE, ()
        first = min(max(sum(firsts) // len(firsts), low), high)
        return Answer.POSSIBLE, (first, size - first)
    means = [sum(numbers) // len(given) for numbers in zip(*given, strict=True)]
    counts = [min(max(mean, low), high) for mean, (low, high) in zip(means, ranges, strict=True)]
    for label, (low, high) in enumerate(ranges):
        counts[label] = min(max(counts[label] + size - sum(counts), low), high)
    if any(sum(max(0, r - q) for r, q in zip(row, counts, strict=True)) > wrong for row in given):
        return Answer.UNDECIDED, ()
    return Answer.POSSIBLE, tuple(counts)


def _single_key(rows: Rows, counts: tuple[int, ...]) -> tuple[Split, ...]:
    """Return the key under which a judge is right as often as it can be; the rest goes where there is room."""
    right = {label: min(counts[label], count) for (label,), count in rows}
    room = [count - right.get(label, 0) for label, count in enumerate(counts)]
    key = []
    for (label,), count in rows:
        split, left = [0] * len(counts), count - right[label]
        split[label] = right[label]
        for other, free in enumerate(room):
            taken = min(left, free)
            split[other] += taken
            room[other] -= taken
            left -= taken
        key.append(tuple(split))
    return tuple(key)


def _pair(rows: Rows) -> PairBounds:
    """Return the votes of a pair; a judge by itself is a pair with itself."""
    votes = {(row[0], row[-1]): count for row, count in rows}
    aa, ab, ba, bb = (votes.get((i, j), 0) for i in (0, 1) for j in (0, 1))
    return PairBounds(aa=aa, ab=ab, ba=ba, bb=bb)


def _right_answers(question: Question, pair: PairBounds, count: int) -> tuple[int, int] | None:
    """Return the most right answers on a with which both are safe at Q_a, or `None` if there are none."""
    low, high = pair.single_interval(count)
    low = max(low, least_right_on_first(question, count, pair.ba + pair.bb))
    low_2, high_2 = single_interval(count, pair.aa + pair.ba, pair.ab + pair.bb)
    low_2 = max(low_2, least_right_on_first(question, count, pair.ab + pair.bb))
    low = max(low, low_2 - pair.ba, count - pair.bb - high_2)
    high = min(high, count + pair.aa - low_2, high_2 + pair.ab)
    if low > high or low_2 > high_2:
        return None
    return high, min(high_2, count + pair.aa - high, high + pair.ba)


def _outward(low: int, high: int, near: int, most: int) -> Iterator[int]:
    """Iterate over up to this many numbers between two bounds, the nearest ones to a number first."""
    middle = min(max(near, low), high)
    for step in range(most):
        if middle + step <= high:
            yield middle + step
        if step and middle - step >= low:
            yield middle - step
