"""Ratings: labels that have an order, and their views with two labels, below a level and from it on.

Every evaluator here compares labels by name: a 4 in place of a 5 is as wrong as a 1. A view says which difference
matters, and all evaluators for two labels apply to it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TypeVar

from ntqr_exact.errors import BadVotes, NotVotes, listed
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts
from ntqr_exact.votes.names import check_labels

_RANGE = re.compile(r"(-?\d{1,6})\.\.(-?\d{1,6})")
_MAX_LEVELS = 101
_Votes = TypeVar("_Votes", VoteCounts, LabeledVoteCounts, VoteCounts | LabeledVoteCounts)


def rating_levels(text: str) -> tuple[str, ...]:
    """Return the levels that a text names, lowest first: whole numbers from..to, or names between commas.

    >>> rating_levels("1..5"), rating_levels("poor,fair,good")
    (('1', '2', '3', '4', '5'), ('poor', 'fair', 'good'))
    """
    match = _RANGE.fullmatch(text.strip())
    if match is None:
        return check_labels([part.strip() for part in text.split(",")])
    low, high = map(int, match.groups())
    if not low < high < low + _MAX_LEVELS:
        raise BadVotes(text, f"levels must go up, and be at most {_MAX_LEVELS}")
    return tuple(map(str, range(low, high + 1)))


def from_level_on(votes: _Votes, at_least: str, *, levels: Sequence[str] | None = None) -> _Votes:
    """Return votes with two labels, `below L` and `L or above`, in place of ratings, in the key as in the answers.

    The levels are the labels in their order, lowest first, unless given. Raises `BadVotes` for a level that is not one
    of them, and for the lowest.

    >>> from_level_on(VoteCounts({"13": 2, "23": 1}, ["1", "2", "3"]), "3")
    VoteCounts({('below 3', '3 or above'): 3}, labels=('below 3', '3 or above'), judges=('J1', 'J2'))
    """
    if not isinstance(votes, VoteCounts | LabeledVoteCounts):
        raise NotVotes(votes, "votes must be VoteCounts or LabeledVoteCounts")
    order = votes.labels if levels is None else check_labels(levels)
    names, new_name = two_labels(order, at_least)
    for label in votes.labels:
        if label not in order:
            raise BadVotes(label, f"a rating must be one of the levels {listed(order)}")
    return votes.relabeled(new_name, names)


def two_labels(levels: Sequence[str], at_least: str) -> tuple[tuple[str, str], dict[str, str]]:
    """Return the two labels of a view, and which of them each level becomes.

    >>> two_labels(["1", "2", "3"], "3")[1]
    {'1': 'below 3', '2': 'below 3', '3': '3 or above'}
    """
    if at_least not in levels[1:]:
        raise BadVotes(at_least, f"a view must begin at one of the levels {listed(levels[1:])}")
    names, first = (f"below {at_least}", f"{at_least} or above"), levels.index(at_least)
    return names, {level: names[place >= first] for place, level in enumerate(levels)}
