"""The dependence of an answer key: its largest error covariance, exactly.

Under a key, Γ^l_ij(r, s) = P(r, s | l) − P(r | l)·P(s | l) says how much more often judges i and j answer r and s
together on the questions of label l than their rates alone would give; for three judges it is the third central
moment. It is `VoteCounts.central_moment`, taken over the questions of l that all of these judges answered. With two
labels all choices of answers have the same |Γ|, and the right answers represent them. A covariance is never above
1/4.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations, product

from gmpy2 import mpq

from ntqr_exact.errors import BadChoice, BadVotes, EmptyTest, NotVotes
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts


@dataclass(frozen=True, slots=True)
class Covariance:
    """Γ of two or three judges on the questions of a label, for the answers named."""

    label: str
    judges: tuple[str, ...]
    answers: tuple[str, ...]
    value: mpq

    def __str__(self) -> str:
        who = f"{', '.join(self.judges[:-1])} and {self.judges[-1]}"
        return f"{who} on {self.label} (answers {', '.join(self.answers)}): {bound_text(self.value)}"


@dataclass(frozen=True, slots=True)
class Dependence:
    """The largest |Γ| of a key; `greatest` is the first covariance of that size, `None` if all are zero."""

    orders: tuple[int, ...]
    largest: mpq
    greatest: Covariance | None
    has_one_label: bool


def covariances(key: LabeledVoteCounts, orders: Iterable[int] = (2,)) -> Iterator[Covariance]:
    """Iterate over the covariances of a key, by label, order, judges and answers.

    >>> key = LabeledVoteCounts({"a": VoteCounts({"aa": 2, "bb": 2}), "b": VoteCounts({"bb": 4})})
    >>> [covariance.value for covariance in covariances(key)]
    [mpq(1,4), mpq(0,1)]
    """
    for label, votes in key.by_label.items():
        for order in check_orders(orders) if votes.size else ():
            for judges in combinations(key.judges, order):
                common = votes.common(*judges) if votes.has_gaps else votes
                choices = product(key.labels, repeat=order) if len(key.labels) > 2 else [(label,) * order]
                for answers in choices if common.size else ():
                    yield Covariance(label, judges, answers, common.central_moment(judges, label=answers))


def dependence_of(key: LabeledVoteCounts, orders: Iterable[int] = (2,)) -> Dependence:
    """Return the largest |Γ| of a key, and where it is.

    >>> key = LabeledVoteCounts({"a": VoteCounts({"aa": 2, "bb": 2}), "b": VoteCounts({"bb": 4})})
    >>> dependence_of(key).largest
    mpq(1,4)

    Raises `BadChoice` for orders other than 2 and 3, `BadVotes` for fewer than two judges or labels, `EmptyTest` for no
    questions.
    """
    orders = check_orders(orders)
    check_panel(key.observed())
    largest, greatest = mpq(0), None
    for covariance in covariances(key, orders):
        if abs(covariance.value) > largest:
            largest, greatest = abs(covariance.value), covariance
    return Dependence(orders, largest, greatest, sum(map(bool, key.key_counts.values())) == 1)


def total_variation(key: LabeledVoteCounts) -> mpq:
    """Return Σ_l P_l · ½·Σ_p |P(p | l) − Π_i P(p_i | l)|: how far the answers are from independent ones.

    Patterns that were not seen count with the share that independence would give them.

    >>> total_variation(LabeledVoteCounts({"a": VoteCounts({"aa": 1, "bb": 1})}))
    mpq(1,2)
    """
    total = mpq(0)
    for votes in key.by_label.values():
        size = votes.size
        rates = [votes.responses(judge) for judge in key.judges]
        apart, seen = mpq(0), mpq(0)
        for pattern, count in votes.counts.items():
            chance = mpq(math.prod(rate[answer] for rate, answer in zip(rates, pattern, strict=True)))
            chance /= size ** len(rates)
            apart += abs(mpq(count, size) - chance)
            seen += chance
        total += mpq(size, key.size) * (apart + 1 - seen) / 2 if size else 0
    return total


def check_orders(orders: Iterable[int]) -> tuple[int, ...]:
    """Return the orders of covariances that count: pairs (2), trios (3), or both."""
    result = set(orders) if isinstance(orders, Iterable) else set()
    if not result or not result <= {2, 3}:
        raise BadChoice(orders, "orders must be 2 (pairs), 3 (trios) or both")
    return tuple(sorted(map(int, result)))


def check_panel(votes: VoteCounts, *, common: bool = False) -> VoteCounts:
    """Return votes of two judges and two labels or more; if `common`, on the questions that all judges answered."""
    if not isinstance(votes, VoteCounts):
        raise NotVotes(votes, "votes must be VoteCounts", "labeled votes have observed()")
    for names, what in ((votes.judges, "judges"), (votes.labels, "labels")):
        if len(names) < 2:
            raise BadVotes(names, f"dependence needs at least two {what}")
    if votes.size == 0:
        raise EmptyTest(votes, "dependence needs at least one question")
    result = votes.common() if common else votes
    if result.size == 0:
        rule = "some question must be answered by all judges"
        raise EmptyTest(votes, rule, "marginal() takes fewer judges")
    return result


def bound_text(value: mpq, *, is_upper: bool = False) -> str:
    """Return a bound for people: a short fraction, or four significant digits rounded to the safe side.

    >>> bound_text(mpq(1, 12)), bound_text(mpq(1030075, 10**8)), bound_text(mpq(10**5 - 1, 10**5), is_upper=True)
    ('1/12', '0.01030', '1')
    """
    if value.denominator < 10**4:
        return str(value)
    places = 4
    while abs(value) * 10**places < 1000:
        places += 1
    scaled = math.ceil(value * 10**places) if is_upper else math.floor(value * 10**places)
    if scaled % 10**places == 0:
        return str(scaled // 10**places)
    digits = str(abs(scaled)).rjust(places + 1, "0")
    return f"{'-' if scaled < 0 else ''}{digits[:-places]}.{digits[-places:]}"
