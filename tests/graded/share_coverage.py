"""The exact coverage of the corrected share, and of the interval that others have published, over all outcomes."""

from __future__ import annotations

from itertools import product

from gmpy2 import bincoef, mpq

from ntqr_exact import corrected_share
from ntqr_exact.exact.enclosure import Enclosure, decide_sign
from ntqr_exact.significance.interval import squared_quantile

LEVEL = mpq(19, 20)


def coverage(holds, sizes: tuple[int, int, int], share: str, sensitivity: str, specificity: str) -> mpq:  # type: ignore[no-untyped-def]
    """The probability that `holds` is true of the share and what was called positive, hit and rejected."""
    theta, q1, q0 = mpq(share), mpq(sensitivity), mpq(specificity)
    chances = [
        [bincoef(trials, k) * rate**k * (1 - rate) ** (trials - k) for k in range(trials + 1)]
        for trials, rate in zip(sizes, (theta * q1 + (1 - theta) * (1 - q0), q1, q0), strict=True)
    ]
    total = mpq(0)
    for outcome in product(*(range(size + 1) for size in sizes)):
        first, second, third = (chance[k] for chance, k in zip(chances, outcome, strict=True))
        if first * second * third and holds(theta, *zip(outcome, sizes, strict=True)):
            total += first * second * third
    return total


def rectangle_holds(
    theta: mpq, called: tuple[int, int], hit: tuple[int, int], rejected: tuple[int, int]
) -> bool:
    found = corrected_share(called, sensitivity=hit, specificity=rejected)
    return found.lower is not None and found.lower <= theta <= found.upper


def published_holds(
    theta: mpq, called: tuple[int, int], hit: tuple[int, int], rejected: tuple[int, int], level: mpq = LEVEL
) -> bool:
    """Tell whether the interval of Lee and others (How to correctly report LLM-as-a-judge evaluations) holds θ.

    With ñ = n + z², p̃ = (k + z²/2)/ñ, m̃ = m + 2 and q̃ = (k + 1)/m̃ it is θ̃ + d ± z·√S/e, where e = q̃0 + q̃1 − 1,
    θ̃ = (p̃ + q̃0 − 1)/e, d = 2z²(θ̃·V1 − (1−θ̃)·V0), S = p̃(1−p̃)/ñ + (1−θ̃)²V0 + θ̃²V1 and V = q̃(1−q̃)/m̃. If e = 0 its
    ends are infinite, and it is taken to hold everything; if e < 0 its lower end lies above its upper end, and it
    holds nothing. Else θ lies in it iff (θ − θ̃ − d)²·e² ≤ z²·S, in which z comes as z² only.
    """
    (k1, m1), (k0, m0) = hit, rejected
    q1, q0 = mpq(k1 + 1, m1 + 2), mpq(k0 + 1, m0 + 2)
    v1, v0 = q1 * (1 - q1) / (m1 + 2), q0 * (1 - q0) / (m0 + 2)
    slope = q0 + q1 - 1
    if slope <= 0:
        return slope == 0

    def excess(bits: int) -> Enclosure:
        square = squared_quantile(level, bits)
        size = called[1] + square
        p = (called[0] + square / 2) / size
        guess = (p + (q0 - 1)) / slope
        shift = 2 * square * (guess * v1 - (1 - guess) * v0)
        spread = p * (1 - p) / size + (1 - guess) * (1 - guess) * v0 + guess * guess * v1
        miss = theta - guess - shift
        return miss * miss * slope**2 - square * spread

    return decide_sign(excess) <= 0
