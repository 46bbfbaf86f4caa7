"""Two labels, up to three judges, no gaps: which right answers on the first label are consistent, in closed form.

At key counts (Q_a, Q_b) an individual evaluation of a judge is s_i = R^a_{a_i}: the votes give the rest.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from ntqr_exact.budget import check_work
from ntqr_exact.errors import NotSupported
from ntqr_exact.exact.show import counted
from ntqr_exact.votes.counts import VoteCounts


def single_interval(key: int, answered_a: int, answered_b: int) -> tuple[int, int]:
    """Return the consistent right answers on a of one judge: max(0, Q_a − R_b) ≤ s ≤ min(Q_a, R_a).

    >>> single_interval(400, 472, 528)
    (0, 400)
    """
    return max(0, key - answered_b), min(key, answered_a)


@dataclass(frozen=True, slots=True)
class PairBounds:
    """The observed counts of a pair of judges, and what they allow.

    With k_v the number of questions with pattern v and true label a, 0 ≤ k_v ≤ c_v, the pair has k_aa = e,
    k_ab = s_1 − e, k_ba = s_2 − e, k_bb = Q_a − s_1 − s_2 + e: (s_1, s_2) is consistent iff some whole e satisfies the
    four pairs of bounds. Their slopes are ±1: comparing each lower with each upper bound eliminates e without loss.
    """

    aa: int
    ab: int
    ba: int
    bb: int

    @classmethod
    def of(cls, votes: VoteCounts, first: int, second: int) -> PairBounds:
        """Return the counts of two judges, given by their indices."""
        a, b = votes.labels
        counts = votes.marginal(first, second).counts
        return cls(aa=counts[a, a], ab=counts[a, b], ba=counts[b, a], bb=counts[b, b])

    def partner_interval(self, key: int, right: int) -> tuple[int, int]:
        """Return the s_2 that are consistent with a consistent s_1 = right at Q_a = key.

        Next to its own bounds, Q_a − c_bb ≤ s_1 + s_2 ≤ Q_a + c_aa and −c_ba ≤ s_1 − s_2 ≤ c_ab. It is never empty:
        the questions that give s_1 have some number of right answers of the other judge.
        """
        return (
            max(0, key - self.ab - self.bb, key - self.bb - right, right - self.ab),
            min(key, self.aa + self.ba, key + self.aa - right, right + self.ba),
        )

    def joint_interval(self, key: int, first: int, second: int) -> tuple[int, int]:
        """Return the bounds of e = R^a_{aa}; the lower is above the upper iff (s_1, s_2) is not consistent."""
        both = first + second - key
        return (max(0, first - self.ab, second - self.ba, both), min(self.aa, first, second, both + self.bb))

    def count_at(self, key: int) -> int:
        """Return the number of consistent (s_1, s_2) at Q_a = key.

        The single bounds make a rectangle; each of the four pair bounds cuts a triangle off one of its corners. As
        `partner_interval` is never empty, some point of every side is left: the triangles do not meet.
        """
        low_1, high_1 = single_interval(key, self.aa + self.ab, self.ba + self.bb)
        low_2, high_2 = single_interval(key, self.aa + self.ba, self.ab + self.bb)
        cuts = (
            high_1 + high_2 - (key + self.aa),
            (key - self.bb) - (low_1 + low_2),
            high_1 - low_2 - self.ab,
            high_2 - low_1 - self.ba,
        )
        corners = sum(leg * (leg + 1) // 2 for leg in cuts if leg > 0)
        return (high_1 - low_1 + 1) * (high_2 - low_2 + 1) - corners


@dataclass(frozen=True)
class TrioDecision:
    """The eight observed counts of three judges, in the order aaa aab aba abb baa bab bba bbb.

    Given Q_a and s_i, the number e of `a` questions on which judges 1 and 2 are right fixes, as for a pair, how many
    `a` questions m_w have each pattern w of judges 1 and 2. Of these, judge 3 can have answered a in any number from
    max(0, m_w − c_wb) to min(m_w, c_wa), free of the others. Hence s_3 is consistent with e iff

        Σ_w max(0, m_w − c_wb) ≤ s_3 ≤ Σ_w min(m_w, c_wa)   and   0 ≤ m_w ≤ c_wa + c_wb.

    The first sum is convex in e and the second concave, with slopes −2, …, 2 and bends at whole numbers: the e that
    remain are an interval with ends in halves, such as 1/2 to 1/2, where no whole question does.

    At given e the values of s_3 are an interval, and between those of e and e + 1 a whole number is missing only if
    both are single points 2 apart. Then no pattern w leaves judge 3 a choice, and the two patterns that are moved up
    both have the answer of judge 3 that counts: the votes are exactly aaa, abb, bab, bba, or exactly aab, aba, baa,
    bbb. For these every second s_3 is consistent, for all other votes all from the least to the greatest.
    """

    counts: tuple[int, ...]

    @classmethod
    def of(cls, votes: VoteCounts) -> TrioDecision:
        """Return the counts of votes of three judges between two labels."""
        return cls(tuple(votes.counts[pattern] for pattern in votes.patterns()))

    @cached_property
    def step(self) -> int:
        """2 for the two kinds of votes in which every second s_3 is consistent, else 1."""
        seen = [count > 0 for count in self.counts]
        return 2 if seen in ([i.bit_count() % 2 == parity for i in range(8)] for parity in (0, 1)) else 1

    @cached_property
    def pair(self) -> PairBounds:
        """The first two judges."""
        return PairBounds(*map(sum, zip(self.counts[0::2], self.counts[1::2], strict=True)))

    def joint_values(self, key: int, right: Sequence[int], parts: int = 1) -> range:
        """Return the consistent e for Q_a = key and (s_1, s_2, s_3), in units of 1/parts.

        >>> trio = TrioDecision((0, 1, 1, 0, 1, 0, 0, 1))
        >>> trio.joint_values(2, (1, 1, 1)), trio.joint_values(2, (1, 1, 1), parts=2)
        (range(0, 0), range(1, 2))
        """
        first, second, third = (parts * number for number in right)
        with_a, with_b = ([parts * count for count in self.counts[index::2]] for index in (0, 1))
        low, high = self.pair.joint_interval(key, right[0], right[1])
        allowed = []
        for e in range(parts * low, parts * high + 1):
            members = (e, first - e, second - e, parts * key - first - second + e)
            forced = sum(max(0, m - b) for m, b in zip(members, with_b, strict=True))
            if forced <= third <= sum(map(min, members, with_a)):
                allowed.append(e)
        return range(allowed[0], allowed[-1] + 1) if allowed else range(0)

    def third_values(self, key: int, first: int, second: int) -> range:
        """Return all s_3 that are consistent with Q_a, s_1 and s_2; empty if these are not consistent.

        >>> TrioDecision((0, 1, 1, 0, 1, 0, 0, 1)).third_values(2, 1, 1)
        range(0, 3, 2)
        """
        aaa, aab, aba, abb, baa, bab, bba, bbb = self.counts
        neither = key - first - second
        low, high = self.pair.joint_interval(key, first, second)
        if low > high:
            return range(0)

        def least_excess(aa: int, ab: int, ba: int, bb: int) -> int:
            # Σ_w max(0, m_w − limit_w) has slope 0 past two of its four bends.
            bend = sorted((aa, first - ab, second - ba, bb - neither))[1]
            e = min(max(bend, low), high)
            excess = (e - aa, first - e - ab, second - e - ba, neither + e - bb)
            return sum(max(0, each) for each in excess)

        # Σ_w min(m_w, c_wa) = Q_a − Σ_w max(0, m_w − c_wa), since the m_w add up to Q_a.
        least, most = least_excess(aab, abb, bab, bbb), key - least_excess(aaa, aba, baa, bba)
        return range(least, most + 1, self.step)

    def witness(self, key: int, right: Sequence[int], joint: int) -> tuple[int, ...]:
        """Return how many questions of each of the eight patterns have label a, for a consistent e.

        >>> TrioDecision((1, 1, 1, 0, 1, 0, 0, 1)).witness(2, (1, 1, 1), 1)
        (1, 0, 0, 0, 0, 0, 0, 1)
        """
        first, second, third = right
        members = (joint, first - joint, second - joint, key - first - second + joint)
        rows = list(zip(members, self.counts[0::2], self.counts[1::2], strict=True))
        missing, chosen = third - sum(max(0, m - b) for m, _, b in rows), []
        for m, a, b in rows:
            more = min(missing, min(m, a) - max(0, m - b))
            missing -= more
            here = max(0, m - b) + more
            chosen += [here, m - here]
        return tuple(chosen)


def has_closed_form(votes: VoteCounts) -> bool:
    """Return whether the votes are between two labels, of up to three judges, without gaps."""
    return len(votes.labels) == 2 and len(votes.judges) <= 3 and not votes.has_gaps


class RightAnswers:
    """The consistent (s_1, …, s_N) of up to three judges, one judge after the other."""

    def __init__(self, votes: VoteCounts) -> None:
        if not has_closed_form(votes):
            shape = f"{counted(len(votes.judges), 'judge')} and {len(votes.labels)} labels"
            rule = "votes must have two labels, at most three judges and no gaps"
            raise NotSupported(shape, rule, "take some of the judges with marginal")
        self.given = [tuple(votes.responses(judge).values()) for judge in votes.judges]
        self.pair = PairBounds.of(votes, 0, 1) if len(self.given) > 1 else None
        self.trio = TrioDecision.of(votes) if len(self.given) > 2 else None

    def following(self, key: int, *right: int) -> range:
        """Return what the next judge may have at Q_a = key, after consistent right answers of those before."""
        if self.trio is not None and len(right) == 2:
            return self.trio.third_values(key, *right)
        if self.pair is not None and len(right) == 1:
            low, high = self.pair.partner_interval(key, *right)
        else:
            low, high = single_interval(key, *self.given[0])
        return range(low, high + 1)

    def at(self, key: int, *right: int) -> Iterator[tuple[int, ...]]:
        """Iterate over those at Q_a = key that begin with these, in increasing order."""
        if len(right) == len(self.given) - 1:
            yield from ((*right, last) for last in self.following(key, *right))
            return
        for here in self.following(key, *right):
            yield from self.at(key, *right, here)

    def count(self, keys: range) -> int:
        """Return how many there are for all Q_a in a range; for three judges the s_3 are added up over all pairs."""
        if self.pair is None:
            return sum(len(self.following(key)) for key in keys)
        check_work("right answers of a pair", 2 * len(keys))
        pairs = sum(map(self.pair.count_at, keys))
        if self.trio is None:
            return pairs
        check_work("right answers of a pair", 4 * pairs)
        firsts = ((key, first) for key in keys for first in self.following(key))
        prefixes = ((*each, second) for each in firsts for second in self.following(*each))
        return sum(len(self.following(*prefix)) for prefix in prefixes)
