"""Recovering the votes of three judges from their published majority-vote grades.

Of three judges between two labels, one is wrong under majority vote exactly where it stands alone. So its wrong
answers on each majority label are one of the eight counts, and what is left over is the count of full
agreement: the grades determine all the votes.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from gmpy2 import mpq

from ntqr_exact.errors import BadVotes
from ntqr_exact.exact.rational import RationalLike, rational
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.names import Pattern


def votes_from_majority_grades(
    questions: Mapping[str, int], right: Mapping[str, Sequence[int]], *, judges: Sequence[str] | None = None
) -> VoteCounts:
    """Return the votes of three judges, given their grades under majority vote.

    `questions[l]` is how many questions the majority gave label l, `right[l]` how often each judge did so, too.

    >>> votes_from_majority_grades({"a": 3, "b": 1}, {"a": [3, 3, 2], "b": [1, 1, 1]})
    VoteCounts({'aaa': 2, 'aab': 1, 'bbb': 1}, labels=('a', 'b'), judges=('J1', 'J2', 'J3'))

    Raises `BadVotes` if no votes have these grades.
    """
    labels = tuple(questions)
    if len(labels) != 2 or set(right) != set(labels) or any(len(counts) != 3 for counts in right.values()):
        rule = "majority grades are three numbers of right answers for each of two labels"
        raise BadVotes(dict(right), rule)
    votes: dict[Pattern, int] = {}
    for label, other in (labels, labels[::-1]):
        alone = [questions[label] - count for count in right[label]]
        for judge, count in enumerate(alone):
            votes[tuple(other if place == judge else label for place in range(3))] = count
        votes[label, label, label] = questions[label] - sum(alone)
    return VoteCounts(votes, labels, judges)


def count_behind_decimal(decimal: RationalLike, questions: int, places: int) -> int:
    """Return the one count whose share of `questions` is `decimal` when rounded to as many places.

    >>> count_behind_decimal("0.689", 582, 3)
    401

    Raises `BadVotes` if there is no such count, or more than one.
    """
    half = mpq(1, 2 * 10**places)
    value = rational(decimal)
    lowest, highest = math.ceil(questions * (value - half)), math.floor(questions * (value + half))
    if lowest != highest:
        rule = f"{highest - lowest + 1} counts of {questions} round to this at {places} places"
        raise BadVotes(decimal, rule)
    return int(lowest)
