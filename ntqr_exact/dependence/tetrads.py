"""`tetrad_bound`: why the errors depend on each other, in an inequality that a person can check.

Under any key of two labels Δ_ij = w_i·w_j + P·Γ^a_ij + (1−P)·Γ^b_ij, with w_i = (α_i − β_i)·√(P(1−P)), so that
|Δ_ij − w_i·w_j| ≤ δ if no |Γ| exceeds δ. Products of the w agree in more than one way; the Δ do not, unless δ is large:

- tetrads: (w_i w_k)(w_j w_l) = (w_i w_j)(w_k w_l) gives (|Δ_ik|−δ)(|Δ_jl|−δ) ≤ (|Δ_ij|+δ)(|Δ_kl|+δ), where δ² cancels;
- Heywood: w_k² ≤ v = f_k(1−f_k) gives (|Δ_ik|−δ)(|Δ_jk|−δ) ≤ (±Δ_ij+δ)·v, ± the sign of Δ_ik·Δ_jk, as long as δ is
  below |Δ_ik| and |Δ_jk|.

Products of ranges use all of these at once and prove a little more.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, permutations

from gmpy2 import isqrt, mpq

from ntqr_exact.blocks.block import Block, Bullets, Sentence
from ntqr_exact.blocks.value import Value
from ntqr_exact.dependence.measure import bound_text, check_panel
from ntqr_exact.votes.counts import VoteCounts

NO_BOUND = (
    "With three labels or more no bound on dependence is claimed. The closest key shows how independent the errors "
    "could be, and joint alarms show what cannot be true."
)

_DIGITS = 10**12


@dataclass(frozen=True, slots=True)
class ClosedBound:
    """One inequality that fails unless some covariance reaches `value`."""

    kind: str
    judges: tuple[str, ...]
    value: mpq
    text: str

    def __str__(self) -> str:
        return f"{self.kind}: {self.text} fails below {bound_text(self.value)}"


@dataclass(frozen=True, slots=True)
class TetradBound(Value):
    """A number that the dependence of no key falls below, with the inequality of each kind that proves most."""

    value: mpq
    bounds: tuple[ClosedBound, ...]
    has_two_labels: bool = True

    def blocks(self) -> Iterator[Block]:
        """Yield the bound, and a line for each kind of inequality."""
        least = bound_text(self.value)
        text = f"Under every answer key two judges have an error covariance of at least {least}."
        yield Sentence(text if self.has_two_labels else NO_BOUND)
        yield Bullets(tuple(map(str, self.bounds)))


def tetrad_bound(votes: VoteCounts) -> TetradBound:
    """Return a proven lower bound of the least dependence in closed form: by tetrads or Heywood cases.

    >>> quarrel = VoteCounts({"aab": 1, "aba": 1, "baa": 1, "abb": 1, "bab": 1, "bba": 1})
    >>> tetrad_bound(quarrel).value, tetrad_bound(quarrel).bounds[0].kind
    (mpq(1,12), 'Heywood')

    Raises `BadVotes` for fewer than two judges or labels, `EmptyTest` if no question was answered by all judges.
    """
    votes = check_panel(votes, common=True)
    if len(votes.labels) > 2:
        return TetradBound(mpq(0), (), has_two_labels=False)
    best: dict[str, ClosedBound] = {}
    for bound in _bounds(votes.marginal(*most_varying(votes))):
        if bound.value > (best[bound.kind].value if bound.kind in best else 0):
            best[bound.kind] = bound
    bounds = tuple(sorted(best.values(), key=lambda bound: -bound.value))
    return TetradBound(bounds[0].value if bounds else mpq(0), bounds)


def most_varying(votes: VoteCounts, how_many: int = 16) -> list[int]:
    """Return the judges with the largest Σ|Δ|, by index: a bound for some of the judges is one for all."""
    judges, label = range(len(votes.judges)), votes.labels[0]
    if len(judges) <= how_many:
        return list(judges)
    sums = [sum(abs(votes.pair_moment(i, j, label=label)) for j in judges if j != i) for i in judges]
    return sorted(sorted(judges, key=lambda i: (-sums[i], i))[:how_many])


def _bounds(votes: VoteCounts) -> Iterator[ClosedBound]:
    names, judges, first = votes.judges, range(len(votes.judges)), votes.labels[0]
    moment = {(i, j): votes.pair_moment(i, j) for i, j in permutations(judges, 2)}
    room = [votes.response_rate(i, first) * (1 - votes.response_rate(i, first)) for i in judges]

    def delta(i: int, j: int) -> str:
        return f"Δ({names[i]}, {names[j]})"

    for four in combinations(judges, 4):
        for i, k, j, m in ((four[0], *rest) for rest in permutations(four[1:])):
            pairs = ((i, k), (j, m), (i, j), (k, m))
            a, b, c, d = (abs(moment[pair]) for pair in pairs)
            if a * b > c * d:
                terms = [f"|{delta(*pair)}|{'−' if n < 2 else '+'}δ" for n, pair in enumerate(pairs)]
                text = "({})({}) ≤ ({})({})".format(*terms) + f" with |Δ| = {_numbers(a, b, c, d)}"
                who = tuple(names[x] for x in (i, k, j, m))
                yield ClosedBound("tetrad", who, (a * b - c * d) / (a + b + c + d), text)
    for trio in combinations(judges, 3):
        for k in trio:
            i, j = (x for x in trio if x != k)
            sign = 1 if (moment[i, k] >= 0) == (moment[j, k] >= 0) else -1
            sides = abs(moment[i, k]), abs(moment[j, k]), sign * moment[i, j], room[k]
            text = f"(|{delta(i, k)}|−δ)(|{delta(j, k)}|−δ) ≤ (±{delta(i, j)}+δ)·v with {_numbers(*sides)}"
            yield ClosedBound("Heywood", tuple(names[x] for x in trio), _heywood_root(*sides), text)


def _numbers(*values: mpq) -> str:
    return ", ".join(map(bound_text, values))


def _heywood_root(a: mpq, b: mpq, c: mpq, room: mpq) -> mpq:
    """Return, rounded down, the least δ ≥ 0 with (a−δ)(b−δ) ≤ (c+δ)·room, or min(a, b) if that is less.

    The difference of the sides falls as long as δ < min(a, b) and is convex: all below its smaller root are excluded.
    """
    least = min(a, b)
    if a * b - c * room <= 0:
        return mpq(0)
    if (a - least) * (b - least) >= (c + least) * room:
        return least
    half = (a + b + room) / 2
    scaled = (half * half - (a * b - c * room)) * _DIGITS**2
    return max(mpq(0), min(least, half - mpq(isqrt(scaled.numerator // scaled.denominator) + 1, _DIGITS)))
