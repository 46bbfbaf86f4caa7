"""What is proven about dependent errors, for two labels: the least of all keys, ranges under a budget, and claims.

With w_i = (α_i − β_i)·√(P(1−P)), Δ_ij = w_i·w_j + P·Γ^a_ij + (1−P)·Γ^b_ij. So |Δ_ij − w_i·w_j| ≤ δ if no |Γ| exceeds δ:

- tetrads: (w_i w_k)(w_j w_l) = (w_i w_j)(w_k w_l) gives (|Δ_ik|−δ)(|Δ_jl|−δ) ≤ (|Δ_ij|+δ)(|Δ_kl|+δ), where δ² cancels;
- Heywood: the same with l = k, as w_k² ≤ Δ_kk = f_k(1−f_k); then Δ_ij has the sign of Δ_ik·Δ_jk, or counts as negative.

Everything else follows from the cells that `products` leaves. Ranges and claims need a judge that is assumed to be no
worse than chance: the two labels of every key can be swapped, which changes no covariance.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from itertools import combinations, permutations
from typing import Any

from gmpy2 import mpq

from ntqr_exact.answer import Answer
from ntqr_exact.blocks.block import NOT_INFORMATIVE, Abridged, Block, Sentence, Table
from ntqr_exact.blocks.value import Value
from ntqr_exact.dependence.measure import bound_text, check_panel, dependence_of, moments, most_varying
from ntqr_exact.dependence.measure import closest_to_independence as closest_evaluation
from ntqr_exact.dependence.products import Cell, JudgeClaim, KeyQuantity, Keys, Range, read_claim
from ntqr_exact.errors import BadNumber, TooMuchWork
from ntqr_exact.exact.json_text import fields_document
from ntqr_exact.exact.rational import RationalLike, rational
from ntqr_exact.frozen_mapping import FrozenMapping
from ntqr_exact.votes.counts import Judge, VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts

EFFORT = 3_000_000  # the default number of steps of a proof, each about a microsecond
_ALWAYS, _FULL = mpq(1, 4), (mpq(0), mpq(1))  # no covariance of two or three judges exceeds 1/4

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
    votes = votes.marginal(*most_varying(votes))
    names, judges, first = votes.judges, range(len(votes.judges)), votes.labels[0]
    moment = {group: value for (i, j), _, value in moments(votes, 2, [first]) for group in ((i, j), (j, i))}
    moment |= {(k, k): rate * (1 - rate) for k in judges for rate in (votes.response_rate(k, first),)}
    tetrads = [(four[0], *rest) for four in combinations(judges, 4) for rest in permutations(four[1:])]
    heywood = [(i, k, j, k) for k in judges for i, j in combinations(judges, 2) if k not in (i, j)]
    best = TetradBound(mpq(0))
    for i, k, j, m in tetrads + heywood:
        a, b, c, d = [abs(moment[pair]) for pair in ((i, k), (j, m), (i, j), (k, m))]
        if k == m and moment[i, k] * moment[j, k] * moment[i, j] < 0:
            c = -c
        least = min(a, b)
        value = least if c <= -least else (a * b - c * d) / (a + b + c + d or 1)
        if value > best.value:
            w, x, y, z = (names[index] for index in (i, k, j, m))
            kind, sign = ("Heywood", "±") if k == m else ("tetrad", "")
            text = f"(|Δ({w}, {x})|−δ)(|Δ({y}, {z})|−δ) ≤ ({sign}|Δ({w}, {y})|+δ)(|Δ({x}, {z})|+δ)"
            text = f"{kind}: {text} with {', '.join(map(bound_text, (a, b, c, d)))} fails below {bound_text(value)}"
            best = TetradBound(value, kind, tuple(dict.fromkeys((w, x, y, z))), text)
    return best


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
        least = f"Under every answer key two judges have an error covariance of at least {bound_text(self.proven)}."
        yield Sentence(least if self.proven else self.closed_form.text)
        text, most = (
            "Some answer key has no error covariance at all.",
            bound_text(self.attained, is_upper=True),
        )
        if (greatest := dependence_of(self.witness).greatest) is not None:
            most = "exactly that" if self.proven == self.attained else f"at most {most}"
            text = f"Some answer key has covariances of {most}. The greatest is that of {greatest}."
        yield Sentence(text)


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
        return {j: {x: self.ranges[KeyQuantity(x, j)] for x in self.votes.labels} for j in self.votes.judges}

    @property
    def overall(self) -> tuple[Range, ...]:
        """The range of each judge's accuracy on all questions."""
        return tuple(self.ranges[KeyQuantity(None, judge)] for judge in self.votes.judges)

    def blocks(self) -> Iterator[Block]:
        """Yield the assumption, whether there is a key, and the ranges."""
        yield Sentence(_assumption(self.assumed))
        who = "two" if self.orders == (2,) else "two or three"
        keys = f"all error covariances of {who} judges at most {bound_text(self.correlation)}"
        keys += " and meets the assumption" if self.assumed else ""
        if self.existence is Answer.NO:
            yield Sentence(f"No answer key has {keys}.", "IMPOSSIBLE", fires=True)
            return
        if self.existence is Answer.UNDECIDED:
            yield Sentence(f"No answer key was found that has {keys}; none is excluded.", "UNDECIDED")
        rows = tuple(_row(str(quantity), *ends) for quantity, ends in self.ranges.items())
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
    closed, closest, document = tetrad_bound(votes), closest_evaluation(votes), None
    proven, attained = closed.value, closest.dependence.largest
    if len(votes.labels) == 2 and attained:
        keys = Keys(votes.marginal(*most_varying(votes)), (2,), False, effort)
        proven = max(proven, keys.largest(attained, [None], lambda *_: False, strict=True) or proven)
        document = keys.certificate(proven, {"strict": True}) if proven else None
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
    keys, delta = Keys(votes, orders, better_than_chance, effort), rational(correlation)
    if delta < 0:
        raise BadNumber(correlation, "budget must be >= 0")
    votes, hulls, is_open = keys.votes, dict[KeyQuantity, Range](), False
    rates = [KeyQuantity(label, judge) for judge in votes.judges for label in (*votes.labels, None)]
    wanted = {quantity: JudgeClaim(quantity) for quantity in (*map(KeyQuantity, votes.labels), *rates)}

    def is_known(quantity: KeyQuantity, cell: Cell) -> bool:
        ends, hull = wanted[quantity].margin_in(cell, votes), hulls.get(quantity)
        return ends is None or (hull is not None and hull[0] <= ends[0] and ends[1] <= hull[1])

    try:
        for cell, quantities in keys.cells(delta, [*wanted], is_known):
            for quantity in quantities:
                ends = wanted[quantity].margin_in(cell, votes) or _FULL
                low, high = hulls.get(quantity, ends)
                hulls[quantity] = min(low, ends[0]), max(high, ends[1])
    except TooMuchWork:
        is_open, hulls = True, {}
    ranges = FrozenMapping({quantity: hulls.get(quantity, _FULL) for quantity in wanted})
    key, existence, parts = None, Answer.NO, {}
    if is_open or hulls:
        key, largest = keys.closest()
        key = None if largest is None or largest > delta else key
        existence = Answer.UNDECIDED if key is None else Answer.YES
        parts = {"ranges": [[asdict(q), str(low), str(high)] for q, (low, high) in ranges.items()]}
    document = None if is_open else keys.certificate(delta, parts)
    return EvaluationWithin(votes, delta, keys.orders, keys.names, existence, ranges, key, document)


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
    keys = Keys(votes, orders, better_than_chance, effort)
    stated = claim if isinstance(claim, JudgeClaim) else read_claim(claim, keys.votes)

    def holds(claim: JudgeClaim, cell: Cell) -> bool:
        margin = claim.margin_in(cell, keys.votes)
        return margin is None or bool(margin[0] > 0)

    key, attained = keys.closest(stated.failure(keys.votes))
    proven = keys.largest(attained or _ALWAYS, [stated], holds)
    sides = {name: side if isinstance(side, dict) else str(side) for name, side in asdict(stated).items()}
    document = None if proven is None else keys.certificate(proven, {"claim": sides})
    proven = proven or mpq(0)
    return BreakdownPoint(keys.votes, stated, keys.orders, keys.names, proven, attained, key, document)


def _row(name: str, low: mpq, high: mpq) -> tuple[str | Abridged, ...]:
    """Return the row of a range, with exact values to unfold."""
    if high - low > NOT_INFORMATIVE:
        return name, "not informative", ""
    ends = ((bound_text(low), str(low)), (bound_text(high, is_upper=True), str(high)))
    return name, *(text if text == exact else Abridged(text, exact) for text, exact in ends)


def _assumption(names: tuple[str, ...]) -> str:
    if not names:
        return "No judge is assumed to be better than chance."
    who = f"{', '.join(names[:-1])} and {names[-1]} are" if names[1:] else f"{names[0]} is"
    return f"Assumed: {who} no worse than chance. Without this, the two labels of every answer key can be swapped."
