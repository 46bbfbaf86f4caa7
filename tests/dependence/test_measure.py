"""The dependence of a key against its definition and against grading, and the identities that the bounds rest on."""

from __future__ import annotations

import random
from itertools import combinations

import pytest
from gmpy2 import mpq
from sympy import expand, symbols

from ntqr_exact import LabeledVoteCounts, VoteCounts
from ntqr_exact.dependence.measure import (
    bound_text,
    common_group,
    dependence_of,
)
from ntqr_exact.errors import BadChoice, BadVotes, EmptyTest
from tests.dependence.brute_force import all_keys, dependence, random_votes


def as_key(key: dict, votes: VoteCounts) -> LabeledVoteCounts:
    return LabeledVoteCounts(
        {label: VoteCounts(share, votes.labels, votes.judges) for label, share in key.items()}
    )


@pytest.mark.parametrize(("labels", "judges"), [("ab", 3), ("ab", 4), ("abc", 3), ("abc", 2)])
def test_dependence_of_a_key_is_its_definition(labels: str, judges: int) -> None:
    rng = random.Random(7)
    for _ in range(12):
        votes = random_votes(rng, judges, labels, most=5)
        orders = (2, 3) if judges > 2 else (2,)
        key = rng.choice(list(all_keys(votes)))
        assert dependence_of(as_key(key, votes), orders).largest == dependence(key, judges, orders)


def test_gaps_leave_the_questions_that_the_judges_concerned_answered() -> None:
    rng = random.Random(11)
    for _ in range(20):
        patterns = {
            tuple(rng.choice(("a", "b", None)) for _ in range(3)): rng.randint(1, 3) for _ in range(5)
        }
        votes = VoteCounts(
            {p: n for p, n in patterns.items() if any(p)}, labels=("a", "b"), judges=list("XYZ")
        )
        key = {"a": {p: n for p, n in votes.counts.items() if rng.random() < 0.6}}
        key["b"] = {p: n for p, n in votes.counts.items() if p not in key["a"]}
        assert dependence_of(as_key(key, votes), (2, 3)).largest == dependence(key, 3, (2, 3))


def test_a_group_with_most_common_questions_speaks_where_no_question_has_all_answers() -> None:
    rng, raised = random.Random(3), 0
    for _ in range(60):
        rows = [tuple(rng.choice(("a", "b", None, None)) for _ in range(4)) for _ in range(6)]
        votes = VoteCounts({("a", *row): rng.randint(1, 9) for row in rows}, judges=list("VWXYZ"))
        groups = [group for size in (2, 3) for group in combinations(votes.judges, size)]
        for named in ((), ("W",), ("X", "Y")) if votes.common().size == 0 else ():
            sizes = [(len(g), n) for g in groups if {*named} <= {*g} and (n := votes.common(*g).size)]
            if sizes:
                found = common_group(votes, named)
                assert {*named} <= {*found.judges}
                assert found == votes.common(*found.judges)
                assert (min(3, len(found.judges)), found.size) == max(sizes)
            else:
                raised += 1
                with pytest.raises(EmptyTest):
                    common_group(votes, named)
    assert raised
    many_pairs = VoteCounts({("a",) * 9 + (None,) * 3: 1, (None,) * 9 + ("a", "b", "a"): 5})
    assert common_group(many_pairs).judges == ("J10", "J11", "J12")


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: dependence_of(LabeledVoteCounts({"a": VoteCounts({"a": 2})})), BadVotes),
        (lambda: dependence_of(LabeledVoteCounts({"a": VoteCounts({}, judges=["A", "B"])})), EmptyTest),
        (lambda: dependence_of(LabeledVoteCounts({"a": VoteCounts({"aa": 2})}), (4,)), BadChoice),
        (lambda: dependence_of(LabeledVoteCounts({"a": VoteCounts({"aa": 2})}), ()), BadChoice),
    ],
)
def test_bad_input_is_refused(call, error) -> None:
    with pytest.raises(error):
        call()


def test_printed_bounds_are_rounded_to_the_safe_side() -> None:
    rng = random.Random(5)
    for _ in range(200):
        value = mpq(rng.randint(0, 10**9), rng.randint(1, 10**9))
        value /= 10 ** rng.randint(0, 12)
        low, high = (mpq(bound_text(value, is_upper=upper)) for upper in (False, True))
        assert low <= value <= high
        assert high - low <= value / 999


# On the questions of a label judges answer `a` at rates r_i, two together at r_i·r_j + Γ_ij, and all three at
# r_1·r_2·r_3 + Σ r_i·Γ_jk + Γ_123: this defines the Γ. The rest is expanded.
P = symbols("P")
X, Y = symbols("x1:4"), symbols("y1:4")
PAIRS = ((0, 1), (0, 2), (1, 2))
G = {name: {p: symbols(f"{name}{p[0]}{p[1]}") for p in PAIRS} for name in "gh"}
T3 = {"g": symbols("g123"), "h": symbols("h123")}


def mixed(term) -> object:
    return P * term(X, "g") + (1 - P) * term(Y, "h")


F = [mixed(lambda r, _, i=i: r[i]) for i in range(3)]
BOTH = {p: mixed(lambda r, g, p=p: r[p[0]] * r[p[1]] + G[g][p]) for p in PAIRS}
D = [x - y for x, y in zip(X, Y, strict=True)]


def test_pair_moment_is_a_product_of_w_and_a_mean_covariance() -> None:
    for i, j in PAIRS:
        mean = P * G["g"][i, j] + (1 - P) * G["h"][i, j]
        assert expand(BOTH[i, j] - F[i] * F[j] - P * (1 - P) * D[i] * D[j] - mean) == 0


def test_trio_moment_adds_the_difference_of_pairs_between_labels() -> None:
    def all_three(r, g):
        return r[0] * r[1] * r[2] + sum(r[3 - i - j] * G[g][i, j] for i, j in PAIRS) + T3[g]

    moment = mixed(all_three) - sum(F[3 - i - j] * BOTH[i, j] for i, j in PAIRS) + 2 * F[0] * F[1] * F[2]
    w_product = (1 - 2 * P) * P * (1 - P) * D[0] * D[1] * D[2]
    between = sum(P * (1 - P) * D[3 - i - j] * (G["g"][i, j] - G["h"][i, j]) for i, j in PAIRS)
    assert expand(moment - w_product - between - P * T3["g"] - (1 - P) * T3["h"]) == 0


def test_rates_and_variances_follow_from_w() -> None:
    for f, x, y, d in zip(F, X, Y, D, strict=True):
        assert expand(f + (1 - P) * d - x) == 0
        assert expand(f - P * d - y) == 0
        rest = P * x * (1 - x) + (1 - P) * y * (1 - y)
        assert expand(f * (1 - f) - P * (1 - P) * d**2 - rest) == 0
