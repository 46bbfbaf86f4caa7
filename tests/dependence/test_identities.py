"""The identities that everything about dependence stands on, proven as polynomials.

On the questions of label l the judges answer `a` at rates r_i, together at r_i·r_j + Γ_ij, and all three at
r_1·r_2·r_3 + Σ r_i·Γ_jk + Γ_123: this defines the Γ. Everything else is expanded.
"""

from __future__ import annotations

import pytest

from ntqr_exact.postulates.polynomial import Polynomial

V = Polynomial.variable
P = V("P")
ONE = Polynomial.constant(1)
TRIO = (1, 2, 3)
PAIRS = ((1, 2), (1, 3), (2, 3))
OTHER = {(1, 2): 3, (1, 3): 2, (2, 3): 1}


def gamma(label: str, *judges: int) -> Polynomial:
    return V(f"g{label}" + "".join(map(str, judges)))


def together(label: str, judges: tuple[int, ...]) -> Polynomial:
    """The share of the questions of a label to which all of the judges answer `a`."""
    rate = {i: V(f"{label}{i}") for i in TRIO}
    if not judges:
        return ONE
    if len(judges) == 1:
        return rate[judges[0]]
    if len(judges) == 2:
        return rate[judges[0]] * rate[judges[1]] + gamma(label, *judges)
    mixed = sum((rate[OTHER[pair]] * gamma(label, *pair) for pair in PAIRS), Polynomial())
    return rate[1] * rate[2] * rate[3] + mixed + gamma(label, *TRIO)


def votes(judges: tuple[int, ...]) -> Polynomial:
    return P * together("x", judges) + (ONE - P) * together("y", judges)


def d(i: int) -> Polynomial:
    """α_i − β_i, so that w_i·w_j = P(1−P)·d_i·d_j."""
    return V(f"x{i}") - V(f"y{i}")


S2 = P * (ONE - P)


@pytest.mark.parametrize("pair", PAIRS)
def test_a_pair_moment_is_a_product_of_w_and_the_mean_correlation(pair: tuple[int, int]) -> None:
    i, j = pair
    moment = votes(pair) - votes((i,)) * votes((j,))
    assert moment == S2 * d(i) * d(j) + P * gamma("x", i, j) + (ONE - P) * gamma("y", i, j)


def test_the_trio_moment_adds_what_pairs_differ_by_between_the_labels() -> None:
    f = {i: votes((i,)) for i in TRIO}
    delta = {pair: votes(pair) - f[pair[0]] * f[pair[1]] for pair in PAIRS}
    trio = votes(TRIO) - f[1] * f[2] * f[3] - sum((f[OTHER[p]] * delta[p] for p in PAIRS), Polynomial())
    # (ρ − 1/ρ)·w₁w₂w₃ = (1 − 2P)·P(1−P)·d₁d₂d₃ and s·w_k = P(1−P)·d_k.
    product = (ONE - 2 * P) * S2 * d(1) * d(2) * d(3)
    mixed = sum((S2 * d(OTHER[p]) * (gamma("x", *p) - gamma("y", *p)) for p in PAIRS), Polynomial())
    assert trio == product + mixed + P * gamma("x", *TRIO) + (ONE - P) * gamma("y", *TRIO)


@pytest.mark.parametrize("i", TRIO)
def test_rates_follow_from_w_and_the_share_of_answers(i: int) -> None:
    # α = f + w·ρ with w·ρ = (1−P)·d; β = f − w/ρ with w/ρ = P·d.
    assert V(f"x{i}") == votes((i,)) + (ONE - P) * d(i)
    assert V(f"y{i}") == votes((i,)) - P * d(i)


@pytest.mark.parametrize("i", TRIO)
def test_the_variance_of_an_answer_leaves_room_for_w(i: int) -> None:
    f, x, y = votes((i,)), V(f"x{i}"), V(f"y{i}")
    assert f * (ONE - f) == S2 * d(i) ** 2 + P * x * (ONE - x) + (ONE - P) * y * (ONE - y)


def test_moments_about_a_moved_centre_differ_by_products_of_the_moves() -> None:
    """E Π(p_i − c_i), which is linear in the key: Γ_ij + ε_iε_j, and Γ_123 + Σ ε_iΓ_jk + ε₁ε₂ε₃ with ε = r − c."""
    move = {i: V(f"x{i}") - V(f"c{i}") for i in TRIO}

    def moved(judges: tuple[int, ...]) -> Polynomial:
        total = Polynomial()
        for chosen in range(2 ** len(judges)):
            inside = tuple(i for k, i in enumerate(judges) if chosen >> k & 1)
            term = together("x", inside)
            for i in judges:
                if i not in inside:
                    term = term * -V(f"c{i}")
            total = total + term
        return total

    for i, j in PAIRS:
        assert moved((i, j)) == gamma("x", i, j) + move[i] * move[j]
    mixed = sum((move[OTHER[p]] * gamma("x", *p) for p in PAIRS), Polynomial())
    assert moved(TRIO) == gamma("x", *TRIO) + mixed + move[1] * move[2] * move[3]


def test_exchanging_the_labels_exchanges_the_share_and_the_signs() -> None:
    mirrored = {"P": ONE - P} | {f"{a}{i}": V(f"{b}{i}") for a, b in ("xy", "yx") for i in TRIO}
    assert (S2 * d(1) * d(2)).substitute(mirrored) == S2 * d(1) * d(2)
    assert d(1).substitute(mirrored) == -d(1)
