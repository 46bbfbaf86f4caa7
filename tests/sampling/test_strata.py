"""The interval for strata: never below its level, never below the exact worst split, and far shorter than boxes."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import comb, prod

import pytest
from gmpy2 import mpq

from ntqr_exact.sampling.designs import Hypergeometric
from ntqr_exact.sampling.graded_ranges import Boxed, GradedStratum, strata_interval, worst_tail
from tests.sampling.test_intervals import chances

LEVEL = mpq(19, 20)


def exact_worst(strata: list[Boxed], reach: int) -> dict[int, Fraction]:
    """The greatest tail over all splits, each summed over all samples: slow, and independent."""
    worst: dict[int, Fraction] = {}
    for split in product(*(range(low, high + 1) for _, _, low, high in strata)):
        rows = [chances(s[0].size, s[0].graded, truth) for s, truth in zip(strata, split, strict=True)]
        tail = sum(
            prod(row[x] for row, x in zip(rows, xs, strict=True))
            for xs in product(*(range(len(row)) for row in rows))
            if sum(weight * x for (_, weight, _, _), x in zip(strata, xs, strict=True)) <= reach
        )
        worst[sum(split)] = max(worst.get(sum(split), Fraction(0)), Fraction(tail))
    return worst


@pytest.mark.parametrize("reach", [0, 3, 7, 11])
def test_the_fixed_point_bound_is_above_the_exact_worst_split_and_near_it(reach: int) -> None:
    strata = [
        (Hypergeometric(5, 2), 2, 0, 4),
        (Hypergeometric(4, 3), 1, 1, 4),
        (Hypergeometric(6, 2), 3, 2, 6),
    ]
    bound, exact = worst_tail(strata, reach), exact_worst(strata, reach)
    assert bound.keys() == exact.keys()
    assert all(exact[total] <= Fraction(str(bound[total])) for total in exact)
    alone = [(Hypergeometric(8, 4), 3, 0, 8)]  # one stratum has nothing to split: only rounding is left
    exact, bound = exact_worst(alone, reach), worst_tail(alone, reach)
    assert all(0 <= Fraction(str(bound[g])) - exact[g] <= Fraction(6, 2**26) for g in exact)


def test_groups_of_truths_bound_their_greatest_total() -> None:
    strata = [(Hypergeometric(9, 3), 1, 0, 9), (Hypergeometric(7, 3), 2, 1, 6)]
    fine, coarse = worst_tail(strata, 4), worst_tail(strata, 4, step=3)
    for total, chance in fine.items():
        assert any(total <= greatest <= total + 4 and bound >= chance for greatest, bound in coarse.items())


@pytest.mark.parametrize(
    ("sizes", "graded"),
    [((4, 5), (2, 2)), ((3, 6), (1, 4)), ((4, 3, 3), (2, 2, 1)), ((5, 4), (0, 3)), ((4, 3), (4, 1))],
)
@pytest.mark.parametrize("level", ["0.95", "0.6"])
def test_every_split_of_small_strata_is_covered(
    sizes: tuple[int, ...], graded: tuple[int, ...], level: str
) -> None:
    designs = [Hypergeometric(q, m) for q, m in zip(sizes, graded, strict=True)]
    seen = {
        xs: strata_interval(
            [GradedStratum(d, x) for d, x in zip(designs, xs, strict=True)], mpq(Fraction(level))
        )
        for xs in product(*(range(m + 1) for m in graded))
    }
    ways = prod(comb(q, m) for q, m in zip(sizes, graded, strict=True))
    for split in product(*(range(q + 1) for q in sizes)):
        covered = sum(
            prod(int(d.at(truth, x)) for d, truth, x in zip(designs, split, xs, strict=True))
            for xs, (low, high) in seen.items()
            if low <= sum(split) <= high
        )
        assert Fraction(covered, ways) >= Fraction(level)


def test_no_interval_goes_beyond_all_questions_where_truths_share_a_bound() -> None:
    strata = [GradedStratum(Hypergeometric(250, 40), 40), GradedStratum(Hypergeometric(2400, 0), 0)]
    low, high = strata_interval(strata, LEVEL)
    assert 0 < low < 250
    assert high == 2650
    assert strata_interval([GradedStratum(s.design, 0) for s in strata], LEVEL) == (0, 2650 - low)


def test_a_single_open_stratum_needs_no_second_stage() -> None:
    known = GradedStratum(Hypergeometric(4, 4), 3)
    alone = strata_interval([GradedStratum(Hypergeometric(30, 10), 8)], LEVEL)
    assert strata_interval([known, GradedStratum(Hypergeometric(30, 10), 8)], LEVEL) == (
        alone[0] + 3,
        alone[1] + 3,
    )
    assert strata_interval([known], LEVEL) == (3, 3)
