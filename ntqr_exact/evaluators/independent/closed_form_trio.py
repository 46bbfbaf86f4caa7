"""Three judges, two labels, independent errors: solved in closed form over Q(√A).

With the central moments Δ_ij and T of the votes, Π = Δ_12 Δ_13 Δ_23 and A = T² + 4Π, the prevalence
solves A·P² − A·P + Π = 0, and with σ = ±1 and s = √A

    P_a = (1 + σT/s)/2,   x_i = f_{a_i} + (σs − T)/(2Δ_jk),   y_i = f_{b_i} + (σs + T)/(2Δ_jk).

Nothing divides by T: T = 0 is an ordinary case. All of it is computed over the whole numbers
D_ij = Q²Δ_ij, Q³T and Q⁶A. The source prints one of the two roots as if it were P_a (eq. 40).
"""

from __future__ import annotations

from collections.abc import Iterator

import gmpy2
from gmpy2 import mpq, mpz

from ntqr_exact.alarms.alarm import Alarm, AlarmKind
from ntqr_exact.evaluation import Evaluation, rational_rate
from ntqr_exact.evaluators.copies import copy_notes
from ntqr_exact.evaluators.independent.degenerate_trio import contradiction, solve_family
from ntqr_exact.evaluators.independent.independent_solution import (
    Identification,
    IndependentSolution,
    PrevalenceQuadratic,
    TrioMoments,
    joint_counts,
    key_from_rates,
    range_alarms,
)
from ntqr_exact.evaluators.independent.whole_moments import PAIRS, WholeMoments, whole_moments
from ntqr_exact.exact.surd import Surd
from ntqr_exact.exact.value_text import shown
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts

_PAIR_OF_OTHERS = ((1, 2), (0, 2), (0, 1))


def solve_trio(votes: VoteCounts) -> IndependentSolution:
    """Return everything that independent errors of three judges between two labels would mean."""
    whole = whole_moments(votes)
    vanishing = [pair for pair in PAIRS if whole.pair[pair] == 0]
    if not vanishing:
        return _regular(votes, whole)
    if whole.trio != 0 or len(vanishing) == 1:
        return _result(votes, whole, Identification.NONE, alarms=(contradiction(whole, vanishing),))
    keys, note = solve_family(votes, vanishing)
    return _result(votes, whole, Identification.FAMILY, keys=keys, notes=(note,))


def _result(
    votes: VoteCounts,
    whole: WholeMoments,
    identification: Identification,
    *,
    solutions: tuple[Evaluation, ...] = (),
    alarms: tuple[Alarm, ...] = (),
    keys: tuple[LabeledVoteCounts, ...] = (),
    notes: tuple[str, ...] = (),
) -> IndependentSolution:
    square, cube = whole.size**2, whole.size**3
    moments = TrioMoments(
        pair={pair: mpq(value, square) for pair, value in whole.pair.items()},
        trio=mpq(whole.trio, cube),
        pair_product=mpq(whole.pair_product, cube * cube),
        discriminant=mpq(whole.discriminant, cube * cube),
    )
    return IndependentSolution(
        votes=votes,
        identification=identification,
        solutions=solutions,
        findings=alarms,
        keys=keys,
        notes=(*copy_notes(votes), *notes),
        moments=moments,
        quadratic=PrevalenceQuadratic(moments.discriminant, -moments.discriminant, moments.pair_product),
    )


# -- the regular case: no pair moment vanishes -------------------------------------------------------


def _regular(votes: VoteCounts, whole: WholeMoments) -> IndependentSolution:
    alarms: list[Alarm] = []
    discriminant = whole.discriminant
    product = mpq(whole.pair_product, whole.size**6)
    if product < 0:
        alarms.append(
            Alarm(
                AlarmKind.NEGATIVE_PRODUCT,
                f"the product of the pair moments is {product}, but under independence it is (P_aP_b)³(d₁d₂d₃)²",
                {"product": product},
            )
        )
    if discriminant == 0:
        alarms.append(
            Alarm(
                AlarmKind.NO_ROOT,
                f"the quadratic has become the constant Π = {shown(product)}, which is not zero",
                {"product": product},
            )
        )
        return _result(votes, whole, Identification.NONE, alarms=tuple(alarms))
    root = Surd.sqrt(discriminant)
    if discriminant < 0:
        alarms.append(
            Alarm(
                AlarmKind.IMAGINARY,
                f"the discriminant A is negative, Q⁶A = {shown(discriminant)}, so its root is imaginary",
                {"discriminant": mpq(discriminant, whole.size**6), "times_q_to_the_6": mpz(discriminant)},
            )
        )
    elif not root.is_rational:
        below = gmpy2.isqrt(discriminant)
        alarms.append(
            Alarm(
                AlarmKind.IRRATIONAL,
                f"the discriminant A is not the square of a rational: Q⁶A = {shown(discriminant)} lies between "
                f"{shown(below)}² and {shown(below + 1)}²",
                {
                    "discriminant": mpq(discriminant, whole.size**6),
                    "times_q_to_the_6": mpz(discriminant),
                    "lower_root": below,
                    "upper_root": below + 1,
                },
            )
        )
    first = _solution(votes, whole, root)
    solutions = (first, _mirrored(first))
    keys: tuple[LabeledVoteCounts, ...] = ()
    # The solutions are mirror images: both are in range, or neither.
    if root.is_real and any(range_alarms(solutions[:1], votes)):
        alarms += range_alarms(solutions, votes)
    if root.is_rational:
        alarms += _not_whole(votes, solutions[0])
        if not alarms:
            keys = tuple(key_from_rates(votes, solution) for solution in solutions)
    return _result(
        votes, whole, Identification.IDENTIFIED, solutions=solutions, alarms=tuple(alarms), keys=keys
    )


def _solution(votes: VoteCounts, whole: WholeMoments, root: Surd) -> Evaluation:
    """Return the evaluation that belongs to the root √(Q⁶A)."""
    a, b = votes.labels
    size = whole.size
    tilt = mpq(whole.trio, 2 * whole.discriminant)  # 1/s = s/A
    half = mpq(1, 2)
    rows = []
    for judge in range(3):
        scale = mpq(1, 2 * size * whole.pair[_PAIR_OF_OTHERS[judge]])
        shift = scale * whole.trio
        f_a, f_b = mpq(whole.first[judge], size), mpq(whole.second[judge], size)
        # In the first row x and 1 − x, in the second 1 − y and y; f_a + f_b = 1.
        rows.append(
            {
                a: {a: root.scaled(scale, f_a - shift), b: root.scaled(-scale, f_b + shift)},
                b: {a: root.scaled(-scale, f_a - shift), b: root.scaled(scale, f_b + shift)},
            }
        )
    return Evaluation({a: root.scaled(tilt, half), b: root.scaled(-tilt, half)}, rows)


def _mirrored(solution: Evaluation) -> Evaluation:
    """Return the evaluation of the other root: the same with the names of the true labels exchanged.

    With −s for s the formulas above give 1 − P_a for P_a and 1 − y_i for x_i.
    """
    a, b = solution.labels
    return Evaluation(
        {a: solution.prevalence[b], b: solution.prevalence[a]},
        [{a: rates[b], b: rates[a]} for rates in solution.response_rates],
    )


def _not_whole(votes: VoteCounts, solution: Evaluation) -> Iterator[Alarm]:
    """Yield an alarm for each count of the answer key that is no whole number.

    The two solutions are each other's mirror image (a and b exchanged), so one of them decides for both.
    """
    for label, share in solution.prevalence.items():
        count = votes.size * rational_rate(share)
        if count.denominator != 1:
            words = f"the number of questions of {label} would be {shown(count)}"
            yield Alarm(AlarmKind.NOT_WHOLE, words, {"label": label, "count": count})
    for label, counts in joint_counts(votes, solution).items():
        for pattern, count in counts.items():
            if count.denominator != 1:
                answers = ", ".join(pattern)
                words = (
                    f"the number of questions of {label} with the answers {answers} would be {shown(count)}"
                )
                yield Alarm(AlarmKind.NOT_WHOLE, words, {"label": label, "pattern": answers, "count": count})
