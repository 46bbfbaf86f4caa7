"""`tetrad_bound`: why the errors depend on each other, in an inequality that a person can check.

Under any key of two labels Δ_ij = w_i·w_j + P·Γ^a_ij + (1−P)·Γ^b_ij, with w_i = (α_i − β_i)·√(P(1−P)), so that
|Δ_ij − w_i·w_j| ≤ δ if no |Γ| exceeds δ. Products of the w agree in more than one way; the Δ do not, unless δ is large:

- tetrads: (w_i w_k)(w_j w_l) = (w_i w_j)(w_k w_l) gives (|Δ_ik|−δ)(|Δ_jl|−δ) ≤ (|Δ_ij|+δ)(|Δ_kl|+δ), where δ² cancels;
- Heywood: w_k² ≤ f_k(1−f_k) gives (|Δ_ik|−δ)(|Δ_jk|−δ) ≤ (±Δ_ij+δ)·f_k(1−f_k), ± the sign of Δ_ik·Δ_jk, as long as
  δ is below |Δ_ik| and |Δ_jk|;
- signs: around a trio the product of the w_i·w_j is a square; if that of the Δ_ij is negative, one has |Δ_ij| ≤ δ.

Products of ranges use all of these at once and prove a little more.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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
_MAX_JUDGES = 16


@dataclass(frozen=True, slots=True)
class ClosedBound:
    """One inequality that fails unless some covariance reaches `value`."""

    kind: str
    judges: tuple[str, ...]
    value: mpq
    text: str

    def __str__(self) -> str:
        """Return the inequality with its numbers."""
        return f"{self.kind}: {self.text} fails below {bound_text(self.value)}"


@dataclass(frozen=True, slots=True)
class TetradBound(Value):
    """A number that the dependence of no key falls below, with the inequality of each kind that proves most."""

    value: mpq
    bounds: tuple[ClosedBound, ...]
    has_two_labels: bool = True

    def blocks(self) -> Iterator[Block]:
        """Yield the bound, and a line for each kind of inequality."""
        if not self.has_two_labels:
            yield Sentence(NO_BOUND)
            return
        value = bound_text(self.value)
        yield Sentence(
            f"Under every answer key some two judges have an error covariance of at least {value}."
        )
        yield Bullets(tuple(map(str, self.bounds)))


def tetrad_bound(votes: VoteCounts) -> TetradBound:
    """Return a proven lower bound of the least dependence in closed form: tetrads, Heywood cases or signs.

    >>> quarrel = VoteCounts({"aab": 1, "aba": 1, "baa": 1, "abb": 1, "bab": 1, "bba": 1})
    >>> tetrad_bound(quarrel).value, tetrad_bound(quarrel).bounds[0].kind
    (mpq(1,12), 'signs')

    Raises `BadVotes` for fewer than two judges or labels, `EmptyTest` if no question was answered by all judges.
    """
    votes = check_panel(votes, common=True)
    if len(votes.labels) > 2:
        return TetradBound(mpq(0), (), has_two_labels=False)
    bounds = [bound for bound in _bounds(votes.marginal(*most_varying(votes))) if bound.value > 0]
    bounds.sort(key=lambda bound: -bound.value)
    return TetradBound(bounds[0].value if bounds else mpq(0), tuple(bounds))


def most_varying(votes: VoteCounts, how_many: int = _MAX_JUDGES) -> list[int]:
    """Return the judges with the largest Σ|Δ|, by index: a bound for some of the judges is one for all."""
    judges, label = range(len(votes.judges)), votes.labels[0]
    if len(judges) <= how_many:
        return list(judges)
    sums = [sum(abs(votes.pair_moment(i, j, label=label)) for j in judges if j != i) for i in judges]
    return sorted(sorted(judges, key=lambda i: (-sums[i], i))[:how_many])


def _bounds(votes: VoteCounts) -> Iterator[ClosedBound]:
    """Iterate over the inequality of each kind that proves most."""
    names, judges = votes.judges, range(len(votes.judges))
    moment = {(i, j): votes.pair_moment(i, j) for i, j in permutations(judges, 2)}
    rates = [votes.response_rate(i, votes.labels[0]) for i in judges]

    def size(*pairs: Sequence[int]) -> list[mpq]:
        return [abs(moment[i, j]) for i, j in pairs]

    def tetrad(order: Sequence[int]) -> mpq:
        i, k, j, m = order
        a, b, c, d = size((i, k), (j, m), (i, j), (k, m))
        return (a * b - c * d) / (a + b + c + d) if a + b + c + d else mpq(0)

    def sides(trio: Sequence[int]) -> list[mpq]:
        i, j, k = trio
        sign = 1 if (moment[i, k] >= 0) == (moment[j, k] >= 0) else -1
        return [*size((i, k), (j, k)), sign * moment[i, j], rates[k] * (1 - rates[k])]

    fours = [(i, *rest) for i, *others in combinations(judges, 4) for rest in permutations(others)]
    if fours:
        best = max(fours, key=tetrad)
        i, k, j, m = who = tuple(names[judge] for judge in best)
        pairs = ((best[x], best[y]) for x, y in ((0, 1), (2, 3), (0, 2), (1, 3)))
        numbers = ", ".join(map(bound_text, size(*pairs)))
        text = f"(|Δ({i}, {k})|−δ)(|Δ({j}, {m})|−δ) ≤ (|Δ({i}, {j})|+δ)(|Δ({k}, {m})|+δ) with |Δ| = {numbers}"
        yield ClosedBound("tetrad", who, tetrad(best), text)
    trios = [(i, j, k) for i, j in combinations(judges, 2) for k in judges if k not in (i, j)]
    if trios:
        trio = max(trios, key=lambda trio: _heywood_root(*sides(trio)))
        i, j, k = who = tuple(names[judge] for judge in trio)
        numbers = ", ".join(map(bound_text, sides(trio)))
        text = f"(|Δ({i}, {k})|−δ)(|Δ({j}, {k})|−δ) ≤ (±Δ({i}, {j})+δ)·f(1−f) with {numbers}"
        yield ClosedBound("Heywood", who, _heywood_root(*sides(trio)), text)
    negative = [
        t for t in combinations(judges, 3) if moment[t[0], t[1]] * moment[t[0], t[2]] * moment[t[1], t[2]] < 0
    ]
    if negative:
        trio = max(negative, key=lambda trio: min(size(*combinations(trio, 2))))
        text = " · ".join(
            f"Δ({names[i]}, {names[j]}) = {bound_text(moment[i, j])}" for i, j in combinations(trio, 2)
        )
        value = min(size(*combinations(trio, 2)))
        yield ClosedBound("signs", tuple(names[i] for i in trio), value, f"{text}: one |Δ| ≤ δ")


def _heywood_root(a: mpq, b: mpq, c: mpq, room: mpq) -> mpq:
    """Return, rounded down, the least δ ≥ 0 with (a−δ)(b−δ) ≤ (c+δ)·room, or min(a, b) if that is less.

    The difference of the sides falls as long as δ < min(a, b) and is convex: all below its smaller root are excluded.
    """
    least = min(a, b)
    if a * b - c * room <= 0:
        return mpq(0)
    if (a - least) * (b - least) > (c + least) * room:  # c + δ < 0 up to there
        return least
    half = (a + b + room) / 2
    scaled = (half * half - (a * b - c * room)) * _DIGITS**2
    return max(mpq(0), min(least, half - mpq(isqrt(scaled.numerator // scaled.denominator) + 1, _DIGITS)))
