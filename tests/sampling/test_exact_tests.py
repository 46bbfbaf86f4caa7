"""Exact p-values of Fisher and McNemar: every table counted by hand, and two peers; t-tests against scipy."""

from itertools import product
from math import comb

import pytest
from gmpy2 import mpq
from scipy import stats

from ntqr_exact.errors import BadNumber
from ntqr_exact.sampling.exact_tests import Alternative, fisher_test, mcnemar_test, t_test

SIZES = [(2, 2), (3, 5), (6, 4)]


def by_hand(left, n, right, m, kind):
    total = left + right
    weights = {k: comb(m, k) * comb(n, total - k) for k in range(total + 1) if k <= m and total - k <= n}
    kept = {
        "two-sided": [w for w in weights.values() if w <= weights[right]],
        "higher": [w for k, w in weights.items() if k >= right],
        "lower": [w for k, w in weights.items() if k <= right],
    }[kind]
    return mpq(sum(kept), comb(n + m, total))


@pytest.mark.parametrize("kind", Alternative)
@pytest.mark.parametrize(("n", "m"), SIZES)
def test_fishers_p_value_is_the_share_of_tables_as_extreme_and_that_of_scipy(kind, n, m):
    names = {"two-sided": "two-sided", "higher": "greater", "lower": "less"}
    for left, right in product(range(n + 1), range(m + 1)):
        found = fisher_test((left, n), (right, m), alternative=kind)
        assert found == by_hand(left, n, right, m, kind.value)
        table = [[right, m - right], [left, n - left]]
        assert abs(float(found) - stats.fisher_exact(table, alternative=names[kind.value]).pvalue) < 1e-9


@pytest.mark.parametrize(("b", "c"), [(0, 0), (0, 5), (1, 7), (4, 4), (12, 3)])
def test_mcnemars_p_value_is_that_of_a_fair_coin_and_of_scipy(b, c):
    found = mcnemar_test(b, c)
    if b + c:
        assert abs(float(found) - stats.binomtest(b, b + c).pvalue) < 1e-12
    at_most = [mpq(sum(comb(b + c, k) for k in range(side + 1)), 2 ** (b + c)) for side in (b, c)]
    assert found == min(1, 2 * min(at_most))
    assert [mcnemar_test(b, c, alternative=kind) for kind in ("higher", "lower")] == at_most
    middle = mpq(comb(b + c, b), 2 ** (b + c + 1))
    assert mcnemar_test(b, c, alternative="higher", mid_p=True) == at_most[0] - middle
    assert mcnemar_test(b, c, mid_p=True) == min(1, 2 * (min(at_most) - middle))


@pytest.mark.parametrize("welch", [False, True])
@pytest.mark.parametrize(
    ("left", "right"),
    [
        ([1, 2, 4], [2, 9]),
        ([0, 0, 1], [1, 1, 0, 0, 1]),
        ([3, 4], [1, 5, 9]),
        (range(40), [*range(30, 70, 3)]),
    ],
)
def test_t_tests_are_those_of_scipy(left, right, welch):
    found = t_test(list(left), right, welch=welch)
    theirs = stats.ttest_ind(right, left, equal_var=not welch)
    assert float(found.t.decimal(12)) == pytest.approx(theirs.statistic, abs=1e-9)
    assert float(found.degrees) == pytest.approx(theirs.df)
    assert float(found.p_value) == pytest.approx(theirs.pvalue, rel=1e-9)


def test_more_positives_than_outputs_are_refused():
    with pytest.raises(BadNumber, match="positives must be at most"):
        fisher_test((3, 2), (1, 2))
