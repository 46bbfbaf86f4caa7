"""Two labels, one or two judges: which right answers on the first label are consistent, in closed form.

At key counts (Q_a, Q_b) an individual evaluation of a judge is s_i = R^a_{a_i}: the observed votes give
the rest, R^b_{a_i} = R_{a_i} − s_i. With k_v the number of questions with pattern v and true label a,
0 ≤ k_v ≤ c_v, the pair has

    k_aa = e,   k_ab = s_1 − e,   k_ba = s_2 − e,   k_bb = Q_a − s_1 − s_2 + e,

so that (s_1, s_2) is consistent iff some whole e satisfies the four pairs of bounds. Their slopes are ±1: comparing
each lower bound with each upper one eliminates e without loss.
"""

from __future__ import annotations

from dataclasses import dataclass

from ntqr_exact.budget import check_work
from ntqr_exact.votes.counts import VoteCounts


@dataclass(frozen=True, slots=True)
class PairBounds:
    """The observed counts of a pair of judges between two labels, and what they allow.

    >>> PairBounds(aa=1, ab=2, ba=3, bb=4).single_interval(5), PairBounds(aa=1, ab=1, ba=1, bb=1).count()
    ((0, 3), 15)
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

    def single_interval(self, key: int) -> tuple[int, int]:
        """Return the consistent s_1 at Q_a = key."""
        return single_interval(key, self.aa + self.ab, self.ba + self.bb)

    def partner_interval(self, key: int, right: int) -> tuple[int, int]:
        """Return the s_2 that are consistent with a consistent s_1 = right at Q_a = key.

        Next to its own bounds, Q_a − c_bb ≤ s_1 + s_2 ≤ Q_a + c_aa and −c_ba ≤ s_1 − s_2 ≤ c_ab. It is
        never empty: the questions that give s_1 have some number of right answers of the other judge.
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
        """Return the number of consistent (s_1, s_2) at Q_a = key, in closed form.

        The single bounds make a rectangle, and each of the four pair bounds cuts a triangle off one of
        its corners. As `partner_interval` is never empty, on every side of the rectangle some point is
        left; hence the triangles do not meet, and may simply be subtracted.
        """
        low_1, high_1 = self.single_interval(key)
        low_2, high_2 = single_interval(key, self.aa + self.ba, self.ab + self.bb)
        cuts = (
            high_1 + high_2 - (key + self.aa),
            (key - self.bb) - (low_1 + low_2),
            high_1 - low_2 - self.ab,
            high_2 - low_1 - self.ba,
        )
        corners = sum(leg * (leg + 1) // 2 for leg in cuts if leg > 0)
        return (high_1 - low_1 + 1) * (high_2 - low_2 + 1) - corners

    def count(self) -> int:
        """Return the number of consistent (Q_a, s_1, s_2)."""
        size = self.aa + self.ab + self.ba + self.bb
        check_work("the key counts of so many questions", 2 * size)
        return sum(map(self.count_at, range(size + 1)))


def single_interval(key: int, answered_a: int, answered_b: int) -> tuple[int, int]:
    """Return the consistent right answers on a of one judge: max(0, Q_a − R_b) ≤ s ≤ min(Q_a, R_a).

    >>> single_interval(400, 472, 528)
    (0, 400)
    """
    return max(0, key - answered_b), min(key, answered_a)
