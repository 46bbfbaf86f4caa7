"""Three judges, two labels, independent errors: solved in closed form over Q(√A).

With the central moments Δ_ij and T of the votes, Π = Δ_12 Δ_13 Δ_23 and A = T² + 4Π, the prevalence
solves A·P² − A·P + Π = 0, and with σ = ±1 and s = √A

    P_a = (1 + σT/s)/2,   x_i = f_{a_i} + (σs − T)/(2Δ_jk),   y_i = f_{b_i} + (σs + T)/(2Δ_jk).

Nothing divides by T: T = 0 is an ordinary case. All of it is computed over the whole numbers
D_ij = Q²Δ_ij, Q³T and Q⁶A. Two or three Δ that vanish, with T = 0, leave a family that always has an answer key.
The source prints one of the two roots as if it were P_a (eq. 40).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

import gmpy2
from gmpy2 import mpq, mpz

from ntqr_exact.alarms.alarm import Alarm, AlarmKind, ProofValue
from ntqr_exact.evaluation import Evaluation, rational_rate
from ntqr_exact.evaluators.independent.independent_solution import (
    Identification,
    IndependentSolution,
    PrevalenceQuadratic,
    TrioMoments,
    joint_counts,
    key_from_rates,
    not_whole_alarms,
    range_alarms,
)
from ntqr_exact.exact.show import shown
from ntqr_exact.exact.surd import Surd
from ntqr_exact.frozen_mapping import FrozenMapping
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts

PAIRS = ((0, 1), (0, 2), (1, 2))


class WholeMoments(NamedTuple):
    """The moments over one denominator: counts of b answers, Q²Δ, Q³T, Q⁶Π and Q⁶A, A = T² + 4Π."""

    size: int
    second: tuple[int, int, int]
    pair: dict[tuple[int, int], int]
    trio: int
    pair_product: int
    discriminant: int

    @property
    def rates(self) -> list[tuple[int, int]]:
        """For each judge the whole c and w with x = (c + s)/w and 1 − y = (c − s)/w, where s = √(Q⁶A)."""
        pairs = zip(self.second, reversed(self.pair.values()), strict=True)
        return [(2 * d * (self.size - b) - self.trio, 2 * d * self.size) for b, d in pairs]

    @property
    def is_in_range(self) -> bool:
        """Whether, for a real s, the shares (1 ± T/s)/2 and all rates are between 0 and 1."""
        # With such shares f_a lies between x and 1 − y: they are on both sides of it, and s is at most |c| and |w − c|.
        is_near = (self.discriminant <= min(c * c, (w - c) ** 2) for c, w in self.rates)
        return self.pair_product >= 0 and all(is_near)


def whole_moments(counts: Sequence[int]) -> WholeMoments:
    """Return the moments of giving the second label, from the counts of aaa, aab, aba, abb, baa, bab, bba, bbb.

    >>> whole_moments((2, 0, 0, 0, 0, 0, 0, 1)).pair[0, 1]
    2
    """
    _, aab, aba, abb, baa, bab, bba, bbb = counts
    size = sum(counts)
    b1, b2, b3 = baa + bab + bba + bbb, aba + abb + bba + bbb, aab + abb + bab + bbb
    d12 = size * (bba + bbb) - b1 * b2
    d13 = size * (bab + bbb) - b1 * b3
    d23 = size * (abb + bbb) - b2 * b3
    trio = size**2 * bbb - b1 * b2 * b3 - b1 * d23 - b2 * d13 - b3 * d12
    product, pair = d12 * d13 * d23, {(0, 1): d12, (0, 2): d13, (1, 2): d23}
    return WholeMoments(size, (b1, b2, b3), pair, trio, product, trio**2 + 4 * product)


def solve_trio(votes: VoteCounts) -> IndependentSolution:
    """Return everything that independent errors of three judges between two labels would mean."""
    whole = whole_moments([*map(votes.counts.get, votes.patterns())])
    square, cube = whole.size**2, whole.size**3
    moments = TrioMoments(
        pair=FrozenMapping({pair: mpq(value, square) for pair, value in whole.pair.items()}),
        trio=mpq(whole.trio, cube),
        pair_product=mpq(whole.pair_product, cube * cube),
        discriminant=mpq(whole.discriminant, cube * cube),
    )
    quadratic = PrevalenceQuadratic(moments.discriminant, -moments.discriminant, moments.pair_product)
    solution = partial(IndependentSolution, votes, moments=moments, quadratic=quadratic)
    vanishing = [pair for pair in PAIRS if whole.pair[pair] == 0]
    if not vanishing:
        return _regular(solution, votes, whole, moments)
    if whole.trio != 0 or len(vanishing) == 1:
        return solution(Identification.NONE, alarms=(_contradiction(moments, vanishing),))
    keys, note = _family(votes, vanishing)
    return solution(Identification.FAMILY, keys=keys, notes=(note,))


def _regular(
    solution: Callable[..., IndependentSolution], votes: VoteCounts, whole: WholeMoments, moments: TrioMoments
) -> IndependentSolution:
    alarms: list[Alarm] = []
    discriminant, product = whole.discriminant, moments.pair_product
    if product < 0:
        message = (
            f"the product of the pair moments is {product}, but under independence it is (P_aP_b)³(d₁d₂d₃)²"
        )
        alarms.append(Alarm(AlarmKind.NEGATIVE_PRODUCT, message, {"product": product}))
    if discriminant == 0:
        message = f"the quadratic has become the constant Π = {shown(product)}, which is not zero"
        alarms.append(Alarm(AlarmKind.NO_ROOT, message, {"product": product}))
        return solution(Identification.NONE, alarms=tuple(alarms))
    root = Surd.sqrt(discriminant)
    proof: dict[str, ProofValue] = {
        "discriminant": moments.discriminant,
        "times_q_to_the_6": mpz(discriminant),
    }
    if discriminant < 0:
        message = f"the discriminant A is negative, Q⁶A = {shown(discriminant)}, so its root is imaginary"
        alarms.append(Alarm(AlarmKind.IMAGINARY, message, proof))
    elif not root.is_rational:
        below = gmpy2.isqrt(discriminant)
        message = (
            f"the discriminant A is not the square of a rational: Q⁶A = {shown(discriminant)} lies between "
            f"{shown(below)}² and {shown(below + 1)}²"
        )
        proof |= {"lower_root": below, "upper_root": below + 1}
        alarms.append(Alarm(AlarmKind.IRRATIONAL, message, proof))
    both = _solutions(votes, whole, root)
    keys: tuple[LabeledVoteCounts, ...] = ()
    if root.is_real and not whole.is_in_range:
        alarms += range_alarms(both, votes)
    if root.is_rational:  # the solutions are mirror images: one of them decides whether counts are whole
        for label, share in both[0].prevalence.items():
            count = votes.size * rational_rate(share)
            if count.denominator != 1:
                message = f"the number of questions of {label} would be {shown(count)}"
                alarms.append(Alarm(AlarmKind.NOT_WHOLE, message, {"label": label, "count": count}))
        alarms += not_whole_alarms(joint_counts(votes, both[0], votes.patterns()))
        if not alarms:
            keys = tuple(key_from_rates(votes, each) for each in both)
    return solution(Identification.IDENTIFIED, both, tuple(alarms), keys)


def _solutions(votes: VoteCounts, whole: WholeMoments, root: Surd) -> tuple[Evaluation, ...]:
    """Return the evaluations of the roots ±√(Q⁶A): the same but for the names of the true labels."""
    a, b = votes.labels
    half, tilt = mpq(1, 2), mpq(whole.trio, 2 * whole.discriminant)  # 1/s = s/A
    share, other, rows = root.scaled(tilt, half), root.scaled(-tilt, half), []
    for center, width in whole.rates:
        x, scale = mpq(center, width), mpq(1, width)
        on_a = {a: root.scaled(scale, x), b: root.scaled(-scale, 1 - x)}
        on_b = {a: root.scaled(-scale, x), b: root.scaled(scale, 1 - x)}
        rows.append((on_a, on_b))
    return (
        Evaluation({a: share, b: other}, [{a: on_a, b: on_b} for on_a, on_b in rows]),
        Evaluation({a: other, b: share}, [{a: on_b, b: on_a} for on_a, on_b in rows]),
    )


def _contradiction(moments: TrioMoments, vanishing: list[tuple[int, int]]) -> Alarm:
    """Return the alarm of one Δ = P_aP_b d_i d_j that vanishes alone, or next to T, a multiple of d_1 d_2 d_3."""
    names = ", ".join(f"Δ_{i + 1}{j + 1}" for i, j in vanishing)
    if moments.trio != 0:
        message = f"{names} = 0 makes T = 0 under independence, but T is {moments.trio}"
    else:
        others = ", ".join(f"Δ_{i + 1}{j + 1} = {value}" for (i, j), value in moments.pair.items() if value)
        message = (
            f"{names} = 0 needs a judge with d = 0 (or one label only), and that makes a second Δ vanish, "
            f"but {others}"
        )
    proof = {f"pair_moment_{i + 1}{j + 1}": value for (i, j), value in moments.pair.items()}
    return Alarm(AlarmKind.CONTRADICTION, message, {**proof, "trio_moment": moments.trio})


def _family(votes: VoteCounts, vanishing: list[tuple[int, int]]) -> tuple[tuple[LabeledVoteCounts, ...], str]:
    """Return two answer keys, mirror images, and a description, where two or three Δ and T vanish.

    With Δ_ik = Δ_jk = T = 0 judge k is independent of i and j. If all Δ vanish, one label for all questions is a key.
    If not, let judge i always be right: on each label it gives one answer, and the other two are independent.
    """
    first, second = votes.labels
    if len(vanishing) == 3:
        parts = {first: votes}
        note = (
            "Every moment vanishes: the judges answer independently of each other. Any key with all questions of one "
            "label fits, and so does every evaluation in which at most one judge tells the labels apart."
        )
    else:
        (i, j) = next(pair for pair in PAIRS if pair not in vanishing)
        k = 3 - i - j
        names = votes.judges
        parts = {label: votes.restricted(i, label) for label in votes.labels}
        note = (
            f"Judge {names[k]} cannot tell the labels apart: its rates are the same on both. For {names[i]} and "
            f"{names[j]} only the product P_aP_b·d·d is fixed: a family of evaluations with two parameters. In the "
            f"key given, {names[i]} is always right."
        )
    key = LabeledVoteCounts(parts)
    mirrored = LabeledVoteCounts({first: key.by_label[second], second: key.by_label[first]})
    return (key, mirrored), note
