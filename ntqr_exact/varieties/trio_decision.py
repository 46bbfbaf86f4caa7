"""Two labels, three judges: the exact integer decision which right answers are consistent.

Given Q_a and s_i = R^a_{a_i}, let e = R^a_{aa} be the number of `a` questions on which judges 1 and 2
are right. As for a pair, e fixes how many `a` questions have each pattern w of judges 1 and 2:

    m_aa = e,   m_ab = s_1 − e,   m_ba = s_2 − e,   m_bb = Q_a − s_1 − s_2 + e.

Of the m_w questions with pattern w, judge 3 can have answered a in any number from max(0, m_w − c_wb)
to min(m_w, c_wa), and the four choices are free of each other. Hence s_3 is consistent with e iff

    Σ_w max(0, m_w − c_wb) ≤ s_3 ≤ Σ_w min(m_w, c_wa)   and   0 ≤ m_w ≤ c_wa + c_wb.

The first sum is convex in e and the second concave, with slopes −2, …, 2 and bends at whole numbers: the e that remain
are an interval with ends in halves. A slope of 2 is why it may be, say, from 1/2 to 1/2, where a fraction of a question
would do and no whole one does.

That happens only to peculiar votes. At given e the values of s_3 are an interval [low(e), high(e)], and
between those of e and e + 1 a whole number is missing only if both are single points 2 apart. Then no
pattern w leaves judge 3 a choice, that is c_wa = 0 or c_wb = 0, each is moved, so c_wa + c_wb > 0, and
the two patterns w that are moved up both have the answer of judge 3 that counts: the votes are exactly
aaa, abb, bab, bba, or exactly aab, aba, baa, bbb. For all other votes the consistent s_3 are all whole
numbers from the least low(e) to the greatest high(e), and for these two every second one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import ceil, floor

from gmpy2 import mpq

from ntqr_exact.votes.counts import VoteCounts


@dataclass(frozen=True, slots=True)
class JointInterval:
    """The numbers e = R^a_{aa} that the right answers of three judges allow: from `low` to `high`, in halves."""

    low: mpq
    high: mpq

    @property
    def whole(self) -> range:
        """The whole numbers in the interval: there is an answer key if there is one."""
        return range(ceil(self.low), floor(self.high) + 1)

    @property
    def holds_a_number(self) -> bool:
        """Whether a fraction of a question, at least, would do."""
        return self.low <= self.high


@dataclass(frozen=True, slots=True)
class TrioDecision:
    """The eight observed counts of three judges, in the order aaa aab aba abb baa bab bba bbb."""

    counts: tuple[int, ...]
    step: int = field(init=False, repr=False, compare=False)
    """2 for the two kinds of votes in which every second s_3 is consistent, else 1."""

    def __post_init__(self) -> None:
        seen = [count > 0 for count in self.counts]
        parities = ([place.bit_count() % 2 == parity for place in range(8)] for parity in (0, 1))
        object.__setattr__(self, "step", 2 if seen in parities else 1)

    @classmethod
    def of(cls, votes: VoteCounts) -> TrioDecision:
        """Return the counts of votes of three judges between two labels."""
        return cls(tuple(votes.counts[pattern] for pattern in votes.patterns()))

    def joint_interval(self, key: int, right: Sequence[int]) -> JointInterval:
        """Return the interval of e for Q_a = key and right answers (s_1, s_2, s_3) on a; none is from 0 to −1.

        >>> TrioDecision((0, 1, 1, 0, 1, 0, 0, 1)).joint_interval(2, (1, 1, 1))
        JointInterval(low=mpq(1,2), high=mpq(1,2))
        """
        first, second, third = (2 * number for number in right)
        with_a, with_b = ([2 * count for count in self.counts[place::2]] for place in (0, 1))
        allowed = []
        low, high = self._pair_bounds(key, right[0], right[1])
        for e in range(2 * low, 2 * high + 1):  # everything is doubled
            members = (e, first - e, second - e, 2 * key - first - second + e)
            forced = sum(max(0, m - b) for m, b in zip(members, with_b, strict=True))
            if forced <= third <= sum(map(min, members, with_a)):
                allowed.append(e)
        return (
            JointInterval(mpq(allowed[0], 2), mpq(allowed[-1], 2))
            if allowed
            else JointInterval(mpq(0), mpq(-1))
        )

    def _pair_bounds(self, key: int, first: int, second: int) -> tuple[int, int]:
        aaa, aab, aba, abb, baa, bab, bba, bbb = self.counts
        both = first + second - key
        return (
            max(0, first - aba - abb, second - baa - bab, both),
            min(aaa + aab, first, second, bba + bbb + both),
        )

    def is_consistent(self, key: int, right: Sequence[int]) -> bool:
        """Tell whether an answer key has these right answers on a.

        >>> TrioDecision((0, 1, 1, 0, 1, 0, 0, 1)).is_consistent(2, (1, 1, 1))
        False
        """
        return right[2] in self.third_values(key, right[0], right[1])

    def third_values(self, key: int, first: int, second: int) -> range:
        """Return all s_3 that are consistent with Q_a, s_1 and s_2; empty if these are not consistent.

        >>> TrioDecision((0, 1, 1, 0, 1, 0, 0, 1)).third_values(2, 1, 1)
        range(0, 3, 2)
        """
        aaa, aab, aba, abb, baa, bab, bba, bbb = self.counts
        neither = key - first - second
        low, high = self._pair_bounds(key, first, second)
        if low > high:
            return range(0)

        def least_excess(aa: int, ab: int, ba: int, bb: int) -> int:
            """Return the least Σ_w max(0, m_w − limit_w): its slope is 0 past two of its four bends."""
            bend = sorted((aa, first - ab, second - ba, bb - neither))[1]
            e = min(max(bend, low), high)
            return (
                max(0, e - aa) + max(0, first - e - ab) + max(0, second - e - ba) + max(0, neither + e - bb)
            )

        # Σ_w min(m_w, c_wa) = Q_a − Σ_w max(0, m_w − c_wa), since the m_w add up to Q_a.
        least, most = least_excess(aab, abb, bab, bbb), key - least_excess(aaa, aba, baa, bba)
        return range(least, most + 1, self.step)

    def witness(self, key: int, right: Sequence[int], joint: int) -> tuple[int, ...]:
        """Return how many questions of each of the eight patterns have label a, for an allowed e.

        >>> TrioDecision((1, 1, 1, 0, 1, 0, 0, 1)).witness(2, (1, 1, 1), 1)
        (1, 0, 0, 0, 0, 0, 0, 1)
        """
        first, second, third = right
        members = (joint, first - joint, second - joint, key - first - second + joint)
        with_a, with_b = self.counts[0::2], self.counts[1::2]
        chosen = [max(0, m - b) for m, b in zip(members, with_b, strict=True)]
        missing = third - sum(chosen)
        for place, (m, a) in enumerate(zip(members, with_a, strict=True)):
            more = min(missing, min(m, a) - chosen[place])
            chosen[place] += more
            missing -= more
        return tuple(part for m, here in zip(members, chosen, strict=True) for part in (here, m - here))
