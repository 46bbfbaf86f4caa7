"""What is proven about dependent errors, for two labels: the least of all keys, ranges under a budget, and claims.

With w_i = (α_i − β_i)·√(P(1−P)), Δ_ij = w_i·w_j + P·Γ^a_ij + (1−P)·Γ^b_ij. So |Δ_ij − w_i·w_j| ≤ δ if no |Γ| exceeds δ:

- tetrads: (w_i w_k)(w_j w_l) = (w_i w_j)(w_k w_l) gives (|Δ_ik|−δ)(|Δ_jl|−δ) ≤ (|Δ_ij|+δ)(|Δ_kl|+δ), where δ² cancels;
- Heywood: the same with l = k, as w_k² ≤ Δ_kk = f_k(1−f_k); then Δ_ij has the sign of Δ_ik·Δ_jk, or counts as negative.

Everything else follows from the cells that `products` leaves. Ranges and claims need a judge that is assumed to be no
worse than chance: the two labels of every key can be swapped, which changes no covariance.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from itertools import combinations, permutations
from typing import Any

from gmpy2 import mpq

from ntqr_exact.answer import Answer
from ntqr_exact.blocks.block import NOT_INFORMATIVE, Abridged, Block, Sentence, Table
from ntqr_exact.blocks.value import Value
from ntqr_exact.budget import Budget
from ntqr_exact.dependence.budget_checker import FORMAT, checksum, statement
from ntqr_exact.dependence.measure import bound_text, check_panel, closest_key, dependence_of
from ntqr_exact.dependence.measure import closest_to_independence as closest_evaluation
from ntqr_exact.dependence.products import (
    CELLS,
    JudgeClaim,
    KeyCell,
    KeyQuantity,
    Products,
    Range,
    read_claim,
)
from ntqr_exact.errors import BadChoice, BadNumber, BadVotes, TooMuchWork
from ntqr_exact.exact.json_text import fields_document
from ntqr_exact.exact.rational import RationalLike, rational
from ntqr_exact.frozen_mapping import FrozenMapping
from ntqr_exact.votes.counts import Judge, VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts

EFFORT = 3_000_000
"""Default number of steps of a proof, each about a microsecond."""

_ALWAYS = mpq(1, 4)  # no covariance of two or three judges exceeds this
_UNIT, _FULL = 10**6, (mpq(0), mpq(1))

NO_BOUND = (
    "With three labels or more no bound on dependence is claimed. The closest key shows how independent the errors "
    "could be, and joint alarms show what cannot be true."
)


class _Proven(Value):
    """A result with votes (with gaps, those on the questions that all judges answered) and a certificate."""

    __slots__ = ()

    def to_document(self) -> dict[str, Any]:
        """Return the other fields; the certificate is a document of its own."""
        return fields_document(self, "votes", "certificate")


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

    Only questions that all judges answered count. Raises `EmptyTest` for none, `BadVotes` for one judge or label.
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


@dataclass(frozen=True, slots=True)
class LeastDependence(_Proven):
    """The least dependence of all keys lies between `proven` and `attained`; the witness attains the latter."""

    votes: VoteCounts
    proven: mpq
    attained: mpq
    witness: LabeledVoteCounts
    closed_form: TetradBound
    certificate: Mapping[str, Any] | None

    def blocks(self) -> Iterator[Block]:
        """Yield both bounds and the greatest covariance of the witness."""
        if len(self.votes.labels) > 2:
            yield Sentence(NO_BOUND)
        elif self.proven:
            least = bound_text(self.proven)
            yield Sentence(f"Under every answer key two judges have an error covariance of at least {least}.")
        else:
            yield Sentence("No dependence is proven.")
        if (greatest := dependence_of(self.witness).greatest) is None:
            yield Sentence("Some answer key has no error covariance at all.")
        else:
            most = f"at most {bound_text(self.attained, is_upper=True)}"
            most = "exactly that" if self.proven == self.attained else most
            yield Sentence(f"Some answer key has covariances of {most}. The greatest is that of {greatest}.")


@dataclass(frozen=True, slots=True)
class EvaluationWithin(_Proven):
    """Proven ranges of every share and accuracy over all keys with no error covariance above `correlation`.

    They hold the numbers of every such key under which the judges named in `assumed` do no worse than chance, and are
    from 0 to 1 where nothing is proven. `existence` says whether there is such a key; the `witness` is one.
    """

    votes: VoteCounts
    correlation: mpq
    orders: tuple[int, ...]
    assumed: tuple[str, ...]
    existence: Answer
    ranges: Mapping[KeyQuantity, Range]
    witness: LabeledVoteCounts | None
    certificate: Mapping[str, Any] | None

    @property
    def prevalence(self) -> dict[str, Range]:
        """The range of the share of each label."""
        return {label: self.ranges[KeyQuantity(label)] for label in self.votes.labels}

    @property
    def accuracy(self) -> dict[str, dict[str, Range]]:
        """The range of each judge's accuracy on each label."""
        labels, judges = self.votes.labels, self.votes.judges
        return {j: {label: self.ranges[KeyQuantity(label, j)] for label in labels} for j in judges}

    @property
    def overall(self) -> tuple[Range, ...]:
        """The range of each judge's accuracy on all questions."""
        return tuple(self.ranges[KeyQuantity(None, judge)] for judge in self.votes.judges)

    def blocks(self) -> Iterator[Block]:
        """Yield the assumption, whether there is a key, and the ranges."""
        yield Sentence(_assumption(self.assumed))
        who = "two judges" if self.orders == (2,) else "two or three judges"
        keys = f"all error covariances of {who} at most {bound_text(self.correlation)}"
        keys += " and meets the assumption" if self.assumed else ""
        if self.existence is Answer.NO:
            yield Sentence(f"No answer key has {keys}.", "IMPOSSIBLE", fires=True)
            return
        if self.existence is Answer.UNDECIDED:
            yield Sentence(f"No answer key was found that has {keys}; none is excluded.", "UNDECIDED")
        ends = self.ranges.items()
        rows = tuple(
            (str(q), bound_cell(low), bound_cell(high, is_upper=True))
            if high - low <= NOT_INFORMATIVE
            else (str(q), "not informative", "")
            for q, (low, high) in ends
        )
        yield Table(f"Ranges over every answer key that has {keys}", ("", "at least", "at most"), rows)


@dataclass(frozen=True, slots=True)
class BreakdownPoint(_Proven):
    """No key with covariances up to `proven` contradicts the claim; the witness, with `attained`, does.

    This is about keys under which the judges named in `assumed` do no worse than chance. `attained` and `witness` are
    `None` if no key was found that contradicts the claim.
    """

    votes: VoteCounts
    claim: JudgeClaim
    orders: tuple[int, ...]
    assumed: tuple[str, ...]
    proven: mpq
    attained: mpq | None
    witness: LabeledVoteCounts | None
    certificate: Mapping[str, Any] | None

    def blocks(self) -> Iterator[Sentence]:
        """Yield how far the claim can be trusted, and the assumption."""
        fails = "No answer key was found under which it fails."
        if self.attained is not None:
            most = bound_text(self.attained, is_upper=True)
            fails = f"It fails under an answer key with covariances of at most {most}."
        known = f" unless some error covariance exceeds {bound_text(self.proven)}. {fails}"
        if self.proven >= _ALWAYS:
            known = f" under every answer key{' that meets the assumption' if self.assumed else ''}."
        text = str(self.claim)[0].upper() + str(self.claim)[1:]
        yield Sentence(text + (known if self.proven else f": not proven. {fails}"))
        yield Sentence(_assumption(self.assumed))


def least_dependence(votes: VoteCounts, *, effort: int = EFFORT) -> LeastDependence:
    """Return bounds of the least dependence of all keys, of pairs: proven from below, attained by a key from above.

    `effort` limits the steps of the proof. With three labels or more nothing is proven.

    >>> least = least_dependence(VoteCounts({"aab": 1, "aba": 1, "baa": 1, "abb": 1, "bab": 1, "bba": 1}))
    >>> least.proven, least.attained
    (mpq(1,12), mpq(1,12))

    Only questions that all judges answered count. Raises `EmptyTest` for none, `BadVotes` for one judge or label.
    """
    votes = check_panel(votes, common=True)
    closed, closest = tetrad_bound(votes), closest_evaluation(votes)
    proven, attained = closed.value, closest.dependence.largest
    if len(votes.labels) == 2 and proven < attained:
        products, budget = Products(votes.marginal(*most_varying(votes))), Budget(effort)

        def is_proven(delta: mpq) -> bool:
            return not any(products.cells(delta, is_strict=True, budget=budget))

        proven = _largest(is_proven, attained, proven) or proven
    document = _certificate(votes, proven, (2,), (), {"strict": True}) if proven else None
    return LeastDependence(votes, proven, attained, closest.witness, closed, document)


def evaluate_within(
    votes: VoteCounts,
    correlation: RationalLike,
    *,
    better_than_chance: bool | Judge | Iterable[Judge] = True,
    orders: Iterable[int] = (2, 3),
    effort: int = EFFORT,
) -> EvaluationWithin:
    """Return proven ranges of shares and accuracies over all keys with no error covariance above a budget.

    `better_than_chance` names the judges that are assumed to give the first label at least as often on its own
    questions as on others; `True` chooses the judge whose answers vary most with the others', `False` none. The
    budget is for pairs, orders (2,), or also for trios, (2, 3). Beyond `effort` steps nothing is proven.

    >>> votes = VoteCounts({"aaa": 40, "bbb": 40, "aab": 5, "bba": 5, "aba": 5, "bab": 5})
    >>> low, high = evaluate_within(votes, "1/100").prevalence["a"]
    >>> 0 < low < mpq(1, 2) < high < 1
    True

    Raises `BadNumber` for a negative budget, `BadChoice` for orders without pairs, `BadVotes` for other than two labels
    or fewer than two judges, `EmptyTest` if no question was answered by all judges: only these count.
    """
    votes, orders, assumed = _arguments(votes, orders, better_than_chance)
    delta, hulls = rational(correlation), dict[KeyQuantity, Range]()
    if delta < 0:
        raise BadNumber(correlation, "budget must be >= 0")
    shares = [KeyQuantity(label) for label in votes.labels]
    rates = [KeyQuantity(label, judge) for judge in votes.judges for label in (*votes.labels, None)]
    wanted, is_open = {quantity: JudgeClaim(quantity) for quantity in shares + rates}, False

    def added(cell: KeyCell) -> Iterator[tuple[KeyQuantity, Range]]:
        """Yield the ranges that a cell makes wider, with it."""
        for quantity, claim in wanted.items():
            if (ends := claim.margin_in(cell, votes)) is not None:
                low, high = hulls.get(quantity, ends)
                if quantity not in hulls or ends[0] < low or high < ends[1]:
                    yield quantity, (min(low, ends[0]), max(high, ends[1]))

    products, budget = Products(votes, orders), Budget(effort)
    try:
        for cell in products.cells(delta, assumed, is_known=lambda cell: not any(added(cell)), budget=budget):
            hulls.update(list(added(cell)))
    except TooMuchWork:
        is_open = True
    names = tuple(votes.judges[i] for i in assumed)
    ranges = FrozenMapping({q: _FULL if is_open else hulls.get(q, _FULL) for q in wanted})
    key, existence, parts = None, Answer.NO, {}
    if is_open or hulls:
        key = closest_key(votes, (), assumed)
        key = key if key is not None and dependence_of(key, orders).largest <= delta else None
        existence = Answer.UNDECIDED if key is None else Answer.YES
        parts = {"ranges": [[asdict(q), str(low), str(high)] for q, (low, high) in ranges.items()]}
    document = None if is_open else _certificate(votes, delta, orders, names, parts)
    return EvaluationWithin(votes, delta, orders, names, existence, ranges, key, document)


def breakdown_point(
    votes: VoteCounts,
    claim: str | JudgeClaim,
    *,
    better_than_chance: bool | Judge | Iterable[Judge] = True,
    orders: Iterable[int] = (2, 3),
    effort: int = EFFORT,
) -> BreakdownPoint:
    """Return how large an error covariance has to be before a claim can fail: proven from below, attained from above.

    The arguments are those of `evaluate_within`; only questions that all judges answered count.

    >>> votes = VoteCounts({"aaa": 4, "bbb": 4, "aab": 1, "bba": 1})
    >>> point = breakdown_point(votes, "J1 > J3")
    >>> point.attained is None or point.proven <= point.attained
    True

    Raises `BadQuery` for a text that is not a claim, and the errors of `evaluate_within`.
    """
    votes, orders, assumed = _arguments(votes, orders, better_than_chance)
    stated = claim if isinstance(claim, JudgeClaim) else read_claim(claim, votes)
    products, budget = Products(votes, orders), Budget(effort)

    def holds(cell: KeyCell) -> bool:
        margin = stated.margin_in(cell, votes)
        return margin is None or bool(margin[0] > 0)

    def is_proven(delta: mpq) -> bool:
        return not any(products.cells(delta, assumed, is_known=holds, budget=budget))

    key = closest_key(votes, stated.failure(votes), assumed)
    attained = None if key is None else dependence_of(key, orders).largest
    proven, names = _largest(is_proven, attained or _ALWAYS), tuple(votes.judges[i] for i in assumed)
    sides = {"greater": stated.greater, "lesser": stated.lesser}
    parts = {"claim": {n: asdict(s) if isinstance(s, KeyQuantity) else str(s) for n, s in sides.items()}}
    document = None if proven is None else _certificate(votes, proven, orders, names, parts)
    return BreakdownPoint(votes, stated, orders, names, proven or mpq(0), attained, key, document)


def bound_cell(value: mpq, *, is_upper: bool = False) -> str | Abridged:
    """Return a bound for a table, with its exact value to unfold."""
    text = bound_text(value, is_upper=is_upper)
    return text if text == str(value) else Abridged(text, str(value))


def _arguments(
    votes: VoteCounts, orders: Iterable[int], wanted: Any
) -> tuple[VoteCounts, tuple[int, ...], tuple[int, ...]]:
    """Return checked votes and orders, and the judges that are assumed to be no worse than chance."""
    votes, checked = check_panel(votes, common=True), tuple(sorted(set(orders)))
    if len(votes.labels) != 2:
        remedy = "closest_to_independence and joint alarms take more"
        raise BadVotes(votes.labels, "votes must have two labels for bounds on dependence", remedy)
    if checked not in ((2,), (2, 3)):
        raise BadChoice(orders, "orders must be (2,) or (2, 3)")
    if isinstance(wanted, bool):
        return votes, checked, (most_varying(votes, 1)[0],) if wanted else ()
    judges = list(wanted) if isinstance(wanted, Iterable) and not isinstance(wanted, str) else [wanted]
    try:
        return votes, checked, tuple(map(votes.place, judges))
    except TypeError:
        raise BadChoice(wanted, "better_than_chance must be True, False or some judges") from None


def _assumption(names: tuple[str, ...]) -> str:
    if not names:
        return "No judge is assumed to be better than chance."
    who = f"{', '.join(names[:-1])} and {names[-1]} are" if names[1:] else f"{names[0]} is"
    return f"Assumed: {who} no worse than chance. Without this, the two labels of every answer key can be swapped."


def _largest(is_proven: Callable[[mpq], bool], limit: mpq, known: mpq | None = None) -> mpq | None:
    """Return the largest budget proven by bisection, in millionths, up to a limit; the best so far if work runs out."""
    best = known
    with suppress(TooMuchWork):
        if is_proven(limit):
            return limit
        if best is None and is_proven(mpq(0)):
            best = mpq(0)
        low, high = (0, 0) if best is None else (int(best * _UNIT), int(limit * _UNIT) + 1)
        while high - low > 1 + high // 10_000:
            middle = (low + high) // 2
            if is_proven(mpq(middle, _UNIT)):
                low, best = middle, max(best or mpq(0), mpq(middle, _UNIT))
            else:
                high = middle
    return best


def _certificate(
    votes: VoteCounts, delta: mpq, orders: Iterable[int], assumed: Iterable[str], parts: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the document that `check_dependence_certificate` reads."""
    counts = [[list(pattern), count] for pattern, count in votes.counts.items()]
    document = {
        "format": FORMAT,
        "votes": {"labels": list(votes.labels), "judges": list(votes.judges), "counts": counts},
        "orders": list(orders),
        "budget": str(delta),
        "strict": False,
        "assumed": list(assumed),
        "cells": CELLS,
        **parts,
    }
    document["statement"] = statement(document)
    return {**document, "checksum": checksum(document)}
