"""The degenerate cases of three independent judges: some pair moments vanish.

Under independence Δ_ij = P_aP_b d_i d_j and T is P_aP_b d_1 d_2 d_3 times a factor. One vanishing Δ alone
therefore contradicts it, and so does T ≠ 0 beside any. Two or three that vanish, with T = 0, leave a family that
always has an answer key.
"""

from __future__ import annotations

from gmpy2 import mpq

from ntqr_exact.alarms.alarm import Alarm, AlarmKind
from ntqr_exact.evaluators.independent.whole_moments import PAIRS, WholeMoments
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts


def contradiction(whole: WholeMoments, vanishing: list[tuple[int, int]]) -> Alarm:
    """Return the alarm of moments that vanish where they cannot, or do not where they must."""
    names = ", ".join(f"Δ_{i + 1}{j + 1}" for i, j in vanishing)
    pair = {(i, j): mpq(whole.pair[i, j], whole.size**2) for i, j in PAIRS}
    trio = mpq(whole.trio, whole.size**3)
    if whole.trio != 0:
        words = f"{names} = 0 makes T = 0 under independence, but T is {trio}"
    else:
        others = ", ".join(f"Δ_{i + 1}{j + 1} = {pair[i, j]}" for i, j in PAIRS if pair[i, j])
        words = (
            f"{names} = 0 needs a judge with d = 0 (or one label only), and that makes a second Δ vanish, "
            f"but {others}"
        )
    proof = {f"pair_moment_{i + 1}{j + 1}": value for (i, j), value in pair.items()}
    return Alarm(AlarmKind.CONTRADICTION, words, {**proof, "trio_moment": trio})


def solve_family(
    votes: VoteCounts, vanishing: list[tuple[int, int]]
) -> tuple[tuple[LabeledVoteCounts, ...], str]:
    """Return two answer keys, mirror images, and a description, where two or three Δ and T vanish.

    With Δ_ik = Δ_jk = T = 0 the votes are those of judges i and j times the rates of judge k. If all Δ vanish,
    i and j are independent, too, and one label for all questions is a key. If not, let judge i always be right:
    on each label it gives one answer, and the other two are independent of each other.
    """
    first, second = votes.labels
    if len(vanishing) == 3:
        parts = {first: votes}
        note = (
            "Every moment vanishes: each judge answers as if by itself. Any key with all questions of one label "
            "fits, and so does every evaluation in which at most one judge tells the labels apart."
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
