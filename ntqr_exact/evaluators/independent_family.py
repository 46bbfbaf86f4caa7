"""The degenerate cases of three independent judges: some pair moments vanish.

Under independence Δ_ij = P_aP_b d_i d_j and T is P_aP_b d_1 d_2 d_3 times a factor. One vanishing Δ alone
therefore contradicts it, and so does T ≠ 0 beside any. Two or three that vanish leave a family, in which
answer keys are searched for, exactly and completely.
"""

from __future__ import annotations

from collections.abc import Iterator

from gmpy2 import mpq

from ntqr_exact.alarms.alarm import Alarm, AlarmKind
from ntqr_exact.evaluators.whole_moments import PAIRS, WholeMoments
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts


def contradiction(whole: WholeMoments, vanishing: list[tuple[int, int]]) -> Alarm:
    """Return the alarm of moments that vanish where they cannot, or do not where they must."""
    names = ", ".join(f"Δ_{i + 1}{j + 1}" for i, j in vanishing)
    if whole.trio != 0:
        words = f"{names} = 0 makes T = 0 under independence, but T is not 0"
    else:
        words = f"{names} = 0 needs a judge with d = 0 (or one label only), and that makes a second Δ vanish"
    proof: dict[str, mpq] = {
        f"pair_moment_{i + 1}{j + 1}": mpq(whole.pair[i, j], whole.size**2) for i, j in PAIRS
    }
    return Alarm(AlarmKind.CONTRADICTION, words, {**proof, "trio_moment": mpq(whole.trio, whole.size**3)})


def solve_family(
    votes: VoteCounts, whole: WholeMoments, vanishing: list[tuple[int, int]]
) -> tuple[tuple[Alarm, ...], tuple[LabeledVoteCounts, ...], str]:
    """Return the alarms, the answer keys found and a description, where two or three Δ and T vanish."""
    if len(vanishing) == 3:
        empty = VoteCounts({}, votes.labels, votes.judges)
        first, second = votes.labels
        one_label = tuple(
            LabeledVoteCounts({label: votes, other: empty})
            for label, other in ((first, second), (second, first))
        )
        note = (
            "Every moment vanishes: each judge answers as if by itself. Any key with all questions of one label "
            "fits, and so does every evaluation in which at most one judge tells the labels apart."
        )
        return (), one_label, note
    (i, j) = next(pair for pair in PAIRS if pair not in vanishing)
    k = 3 - i - j
    names = votes.judges
    note = (
        f"Judge {names[k]} cannot tell the labels apart: its rates are the same on both. For {names[i]} and "
        f"{names[j]} only the product P_aP_b·d·d is fixed: a family of evaluations with two parameters."
    )
    key = next(_family_keys(votes, whole, (i, j, k)), None)
    if key is None:
        alarm = Alarm(
            AlarmKind.NO_KEY_IN_FAMILY,
            "no number of questions of the first label, with any number of right answers, makes all counts whole",
            {"questions": whole.size},
        )
        return (alarm,), (), note
    mirrored = LabeledVoteCounts(dict(zip(votes.labels, reversed(list(key.by_label.values())), strict=True)))
    return (), (key, mirrored), note


def _family_keys(
    votes: VoteCounts, whole: WholeMoments, roles: tuple[int, int, int]
) -> Iterator[LabeledVoteCounts]:
    """Yield the answer keys of the family, by Q_a and then by the right answers of judge i on them.

    Judge k has rate f_{a_k} on both labels. With u = x − f_a, the postulate of one judge gives d = u/P_b, so
    Δ_ij = P_aP_b d_i d_j means u_i u_j = Δ_ij P_b/P_a: judge i determines judge j.
    """
    i, j, k = roles
    size = whole.size
    for questions in range(1, size):
        if questions * whole.first[k] % size:
            continue
        odds = mpq(size - questions, questions)
        lowest = max(0, questions - whole.second[i])
        for right in range(lowest, min(questions, whole.first[i]) + 1):
            excess = mpq(right, questions) - mpq(whole.first[i], size)
            if excess == 0:
                continue
            other = mpq(whole.first[j], size) + mpq(whole.pair[i, j], size**2) * odds / excess
            if (questions * other).denominator != 1 or not 0 <= other <= 1:
                continue
            rate = [mpq(0)] * 3
            rate[i], rate[j], rate[k] = mpq(right, questions), other, mpq(whole.first[k], size)
            counts = _product_counts(votes, questions, rate)
            if counts is not None:
                yield counts


def _product_counts(votes: VoteCounts, questions: int, rate: list[mpq]) -> LabeledVoteCounts | None:
    """Return the key whose first label has these independent rates, if all its counts are whole and fit."""
    a, b = votes.labels
    of_first, of_second = {}, {}
    for pattern in votes.patterns():
        count = mpq(questions)
        for label, share in zip(pattern, rate, strict=True):
            count *= share if label == a else 1 - share
        rest = votes.counts[pattern] - count
        if count.denominator != 1 or rest < 0:
            return None
        of_first[pattern], of_second[pattern] = count, rest
    return LabeledVoteCounts(
        {
            a: VoteCounts(of_first, votes.labels, votes.judges),
            b: VoteCounts(of_second, votes.labels, votes.judges),
        }
    )
