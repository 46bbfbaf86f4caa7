"""The dependence of an answer key: its largest error covariance, exactly, and a bound on that of every key.

Γ^l_ij(r, s) = P(r, s | l) − P(r | l)·P(s | l) on the questions of label l that both judges answered; for three judges
it is the third central moment. With two labels all choices of answers have the same |Γ|, at most 1/4. Then Δ_ij =
w_i·w_j + P·Γ^a_ij + (1−P)·Γ^b_ij, with w_i = (α_i − β_i)·√(P(1−P)), so |Δ_ij − w_i·w_j| ≤ δ if no |Γ| exceeds δ:

- tetrads: (w_i w_k)(w_j w_l) = (w_i w_j)(w_k w_l) gives (|Δ_ik|−δ)(|Δ_jl|−δ) ≤ (|Δ_ij|+δ)(|Δ_kl|+δ), where δ² cancels;
- Heywood: the same with l = k, as w_k² ≤ Δ_kk = f_k(1−f_k); then Δ_ij has the sign of Δ_ik·Δ_jk, or counts as negative.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations, permutations, product

from gmpy2 import mpq

from ntqr_exact.blocks.block import Block, Sentence
from ntqr_exact.blocks.value import Value
from ntqr_exact.budget import check_work
from ntqr_exact.errors import BadChoice, BadVotes, EmptyTest, NotVotes
from ntqr_exact.exact.show import counted, safe_text
from ntqr_exact.votes.counts import Judge, VoteCounts
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

    largest: mpq
    greatest: Covariance | None


def covariances(key: LabeledVoteCounts, orders: Iterable[int] = (2,)) -> Iterator[Covariance]:
    """Iterate over the covariances of a key, by label, order, judges and answers."""
    for label, votes in key.by_label.items():
        for order in orders if votes.size else ():
            for judges in combinations(key.judges, order):
                common = votes.common(*judges) if votes.has_gaps else votes
                choices = product(key.labels, repeat=order) if len(key.labels) > 2 else [(label,) * order]
                for answers in choices if common.size else ():
                    yield Covariance(label, judges, answers, common.central_moment(judges, label=answers))


def dependence_of(key: LabeledVoteCounts, orders: Iterable[int] = (2,)) -> Dependence:
    """Return the largest |Γ| of a key, of pairs (order 2), trios (3) or both, and where it is.

    >>> key = LabeledVoteCounts({"a": VoteCounts({"aa": 2, "bb": 2}), "b": VoteCounts({"bb": 4})})
    >>> dependence_of(key).largest
    mpq(1,4)

    Raises `BadChoice` for other orders, `BadVotes` for fewer than two judges or labels, `EmptyTest` for no questions.
    """
    check_panel(key.observed())
    largest, greatest = mpq(0), None
    for covariance in covariances(key, check_orders(orders)):
        if abs(covariance.value) > largest:
            largest, greatest = abs(covariance.value), covariance
    return Dependence(largest, greatest)


def total_variation(key: LabeledVoteCounts) -> mpq:
    """Return Σ_l P_l · ½·Σ_p |P(p | l) − Π_i P(p_i | l)|: how far the answers are from independent ones.

    >>> total_variation(LabeledVoteCounts({"a": VoteCounts({"aa": 1, "bb": 1})}))
    mpq(1,2)
    """
    total = mpq(0)
    for votes in (part for part in key.by_label.values() if part.size):
        rates = [votes.responses(judge) for judge in key.judges]
        apart, unseen = mpq(0), mpq(1)
        for pattern, count in votes.counts.items():
            expected = math.prod(rate[answer] for rate, answer in zip(rates, pattern, strict=True))
            chance = mpq(expected, votes.size ** len(rates))
            apart, unseen = apart + abs(mpq(count, votes.size) - chance), unseen - chance
        total += mpq(votes.size, key.size) * (apart + unseen) / 2
    return total


def check_orders(orders: Iterable[int]) -> tuple[int, ...]:
    """Return the orders of covariances that count: pairs (2), trios (3), or both."""
    result = tuple(sorted(set(orders)))
    if result not in ((2,), (3,), (2, 3)):
        raise BadChoice(orders, "orders must be 2 (pairs), 3 (trios) or both")
    return result


def check_panel(votes: VoteCounts, *, common: bool = False) -> VoteCounts:
    """Return votes of two judges and two labels or more; if `common`, on the questions that all judges answered."""
    if not isinstance(votes, VoteCounts):
        raise NotVotes(votes, "votes must be VoteCounts", "labeled votes have observed()")
    if min(len(votes.judges), len(votes.labels)) < 2:
        given = f"{counted(len(votes.judges), 'judge')}, {counted(len(votes.labels), 'label')}"
        raise BadVotes(given, "votes must have at least two judges and two labels")
    result = votes.common() if common else votes
    if votes.size == 0:
        raise EmptyTest(0, "at least one question must be answered")
    if result.size == 0:
        remedy = "`ntqr-exact dependence FILE` takes a group of judges; in Python votes.common(judges)"
        raise EmptyTest(0, "at least one question must be answered by all judges", remedy)
    return result


def common_group(votes: VoteCounts, named: Iterable[Judge] = ()) -> VoteCounts:
    """Return the votes on the questions that all judges answered or, if there are none, those of a group.

    It has the named judges, or else three with most common questions, as far as the best pairs lead to them, and
    every judge that answered these questions too.

    >>> common_group(VoteCounts({("a", "b", None, "a"): 5, ("b", "b", "a", None): 1})).judges
    ('J1', 'J2', 'J4')

    Raises `BadVotes` for fewer than two judges or labels, `EmptyTest` if no two of them answered the same question.
    """
    if (every := check_panel(votes).common()).size:
        return every
    answers = [(frozenset(i for i, a in enumerate(p) if a is not None), n) for p, n in votes.counts.items()]
    check_work("the common questions of judges", sum(len(who) ** 2 for who, _ in answers) // 4)
    required, pairs = frozenset(map(votes.place, named)), Counter[tuple[int, ...]]()
    for who, n in answers:
        pairs.update(dict.fromkeys(combinations(sorted(who), 2), n))
    ranked = sorted(pairs.items(), key=lambda item: (-item[1], item[0]))
    starts = [required] if len(required) > 1 else [frozenset(s) for s, _ in ranked if required <= {*s}]
    best: tuple[int, int, list[frozenset[int]]] = (0, 0, [])
    for start in starts[:_MAX_STARTS]:
        shared = Counter[int]()
        for who, n in answers:
            shared.update(dict.fromkeys(who, n) if start <= who else {})
        others = sorted(shared.keys() - start, key=lambda i: (-shared[i], i)) if len(start) == 2 else []
        group = start | {*others[:1]}
        size = min((shared[i] for i in group), default=0)
        if (len(group), size) > best[:2]:
            best = len(group), size, [who for who, _ in answers if group <= who]
    if not best[2]:
        names = ", ".join(votes.judges[i] for i in sorted(required)) or "no common question of any two"
        remedy = "`ntqr-exact alarm FILE` does without common questions"
        raise EmptyTest(names, "judges must have answered a common question", remedy)
    return votes.common(*sorted(frozenset.intersection(*best[2])))


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
    text = safe_text(value, places, up=is_upper)
    return str(mpq(text)) if mpq(text).denominator == 1 else text


NO_BOUND = (
    "With three labels or more no bound on dependence is claimed. The closest key shows how independent the errors "
    "could be, and joint alarms show what cannot be true."
)

_MAX_STARTS = 30


@dataclass(frozen=True, slots=True)
class TetradBound(Value):
    """A number that the dependence of no key falls below, and the inequality that fails below it, in words."""

    value: mpq
    kind: str = ""
    judges: tuple[str, ...] = ()
    text: str = "No dependence is proven."

    def blocks(self) -> Iterator[Block]:
        """Yield the inequality."""
        yield Sentence(self.text)


def tetrad_bound(votes: VoteCounts) -> TetradBound:
    """Return a proven lower bound of the least dependence in closed form: by tetrads or Heywood cases.

    >>> quarrel = VoteCounts({"aab": 1, "aba": 1, "baa": 1, "abb": 1, "bab": 1, "bba": 1})
    >>> tetrad_bound(quarrel).value, tetrad_bound(quarrel).kind
    (mpq(1,12), 'Heywood')

    Raises `BadVotes` for fewer than two judges or labels, `EmptyTest` if no question was answered by all judges.
    """
    votes = check_panel(votes, common=True)
    if len(votes.labels) > 2:
        return TetradBound(mpq(0), text=NO_BOUND)
    best = TetradBound(mpq(0))
    for bound in _bounds(votes.marginal(*most_varying(votes))):
        best = bound if bound.value > best.value else best
    return best


def most_varying(votes: VoteCounts, how_many: int = 16) -> list[int]:
    """Return the judges with the largest Σ|Δ|, by index: a bound for some of the judges is one for all."""
    judges, label = range(len(votes.judges)), votes.labels[0]
    if len(judges) <= how_many:
        return list(judges)
    sums = [sum(abs(votes.pair_moment(i, j, label=label)) for j in judges if j != i) for i in judges]
    return sorted(sorted(judges, key=lambda i: (-sums[i], i))[:how_many])


def _bounds(votes: VoteCounts) -> Iterator[TetradBound]:
    names, judges, first = votes.judges, range(len(votes.judges)), votes.labels[0]
    moment = {(i, j): votes.pair_moment(i, j) for i, j in permutations(judges, 2)}
    moment |= {(k, k): votes.response_rate(k, first) * (1 - votes.response_rate(k, first)) for k in judges}
    tetrads = [(four[0], *rest) for four in combinations(judges, 4) for rest in permutations(four[1:])]
    heywood = [(i, k, j, k) for k in judges for i, j in combinations(judges, 2) if k not in (i, j)]
    for i, k, j, m in tetrads + heywood:
        pairs = ((i, k), (j, m), (i, j), (k, m))
        a, b, c, d = (abs(moment[pair]) for pair in pairs)
        if k == m and moment[i, k] * moment[j, k] * moment[i, j] < 0:
            c = -c
        least = min(a, b)
        value = least if c <= -least else (a * b - c * d) / (a + b + c + d)
        if value > 0:
            left, right, other, own = (f"Δ({names[x]}, {names[y]})" for x, y in pairs)
            text = f"(|{left}|−δ)(|{right}|−δ) ≤ ({'±' if k == m else ''}|{other}|+δ)(|{own}|+δ)"
            values = ", ".join(map(bound_text, (a, b, c, d)))
            kind = "Heywood" if k == m else "tetrad"
            line = f"{kind}: {text} with {values} fails below {bound_text(value)}"
            yield TetradBound(value, kind, tuple(dict.fromkeys(names[x] for x in (i, k, j, m))), line)
