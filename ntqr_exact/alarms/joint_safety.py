"""Could one, two or three judges be safe at given key counts, knowing how they answered together?

For two labels. Say that `questions` of the test are of the first label a. A judge's right answers on a, s_i,
fix its right answers on b, and more is better for both; so a specification is a lower bound m_i on each s_i,
and the question is whether `questions` can be chosen among the patterns seen so that each judge answered a
on at least m_i of them. Exchanging a chosen pattern for one with more a's never hurts.
"""

from __future__ import annotations

from collections.abc import Sequence

from ntqr_exact.alarms.specification import SafetySpecification
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.names import Pattern


def least_right_answers(
    votes: VoteCounts, judge: int, questions: int, specification: SafetySpecification
) -> int:
    """Return m, the least s = right answers on the first label with which a judge is safe.

    On the second label it is right R_b − (Q_a − s) times; altogether 2s + R_b − Q_a times.
    """
    a, b = votes.labels
    answered_b = votes.responses(judge)[b]
    others = votes.size - questions
    on_b = specification.least_right(b, others) - answered_b + questions
    total = specification.least_total(votes.size) - answered_b + questions
    return max(0, questions - answered_b, specification.least_right(a, questions), on_b, -(-total // 2))


def choose_safely(votes: VoteCounts, questions: int, least: Sequence[int]) -> dict[Pattern, int] | None:
    """Return which questions could be of the first label so that judge i answered it on `least[i]` of them.

    The result tells for each pattern how many; `None` says that there is no such choice. For one, two or
    three judges.

    >>> choose_safely(VoteCounts({"ab": 1, "ba": 1}), 1, [1, 1]) is None
    True
    >>> choose_safely(VoteCounts({"aa": 1, "bb": 1}), 1, [1, 1])
    {('a', 'a'): 1, ('b', 'b'): 0}
    """
    a, b = votes.labels
    n = len(votes.judges)
    if any(wanted > questions for wanted in least):
        return None
    counts = votes.counts
    all_a = min(counts[(a,) * n], questions)
    needs = [max(0, wanted - all_a) for wanted in least]
    chosen = {(a,) * n: all_a}
    if n == 1:
        if needs[0]:
            return None
    elif n == 2:
        chosen |= {(a, b): needs[0], (b, a): needs[1]}
    else:
        best = _three(votes, needs)
        if best is None:
            return None
        chosen |= best
    if any(count > counts[pattern] for pattern, count in chosen.items()) or sum(chosen.values()) > questions:
        return None
    return _filled(votes, chosen, questions)


def _three(votes: VoteCounts, needs: list[int]) -> dict[Pattern, int] | None:
    """Return the fewest questions with two or one a's that cover the needs of three judges.

    x, y, z questions have two a's, for judges 1 and 2, 1 and 3, 2 and 3; the rest of each need falls on
    questions with one a. For fixed x the total is x + max(y, n₁−x) + max(z, n₂−x) + max(n₃−y−z, 0): y up to
    n₁−x and z up to n₂−x cost nothing, and one more of either costs 1 and saves at most 1. So y and z are as
    large as is free, or as the questions with one a force them to be.

    In x the least total is convex: it is the value of a linear program, which is whole for whole x, since y stands
    in the rows of judges 1 and 3, z in those of 2 and 3, and such a matrix is totally unimodular. So a
    bisection finds the least x after which the total falls no more.
    """
    a, b = votes.labels
    n1, n2, n3 = needs
    one = [votes.counts[a, b, b], votes.counts[b, a, b], votes.counts[b, b, a]]
    two = [votes.counts[a, a, b], votes.counts[a, b, a], votes.counts[b, a, a]]
    if n3 > one[2] + two[1] + two[2]:
        return None

    def with_shared(x: int) -> tuple[int, int, int]:
        """Return the least total with x questions shared by judges 1 and 2, and its y and z."""
        y = max(n1 - x - one[0], min(max(n1 - x, 0), two[1]))
        z = max(n2 - x - one[1], min(max(n2 - x, 0), two[2]))
        forced = max(0, n3 - one[2] - y - z)
        more_y = min(forced, two[1] - y)
        y, z = y + more_y, z + forced - more_y
        return x + max(y, n1 - x) + max(z, n2 - x) + max(n3 - y - z, 0), y, z

    # With fewer shared, judge 1 or 2 has too few questions left; more than both need help nobody.
    low, high = max(0, n1 - one[0] - two[1], n2 - one[1] - two[2]), min(two[0], max(n1, n2))
    if low > high:
        return None
    while low < high:
        middle = (low + high) // 2
        if with_shared(middle + 1)[0] < with_shared(middle)[0]:
            low = middle + 1
        else:
            high = middle
    x = low
    _, y, z = with_shared(x)
    return {
        (a, a, b): x,
        (a, b, a): y,
        (b, a, a): z,
        (a, b, b): max(n1 - x - y, 0),
        (b, a, b): max(n2 - x - z, 0),
        (b, b, a): max(n3 - y - z, 0),
    }


def _filled(votes: VoteCounts, chosen: dict[Pattern, int], questions: int) -> dict[Pattern, int]:
    """Add questions of any pattern, in order, until there are enough; more of them harm nobody."""
    missing = questions - sum(chosen.values())
    filled = {}
    for pattern, count in votes.counts.items():
        taken = chosen.get(pattern, 0)
        extra = min(count - taken, missing)
        missing -= extra
        filled[pattern] = taken + extra
    return filled
