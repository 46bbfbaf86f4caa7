"""Fisher's and McNemar's exact p-values: every table counted by hand, and two peers."""

from itertools import product
from math import comb

import pytest
from gmpy2 import mpq
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar

from ntqr_exact.errors import BadNumber
from ntqr_exact.sampling.exact_tests import Alternative, fisher_test, mcnemar_test

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
def test_mcnemars_p_value_is_that_of_a_fair_coin_and_of_statsmodels(b, c):
    found = mcnemar_test(b, c)
    assert abs(float(found) - mcnemar([[0, b], [c, 0]], exact=True).pvalue) < 1e-12
    at_most = [mpq(sum(comb(b + c, k) for k in range(side + 1)), 2 ** (b + c)) for side in (b, c)]
    assert found == min(1, 2 * min(at_most))
    assert [mcnemar_test(b, c, alternative=kind) for kind in ("higher", "lower")] == at_most
    middle = mpq(comb(b + c, b), 2 ** (b + c + 1))
    assert mcnemar_test(b, c, alternative="higher", tail="mid") == at_most[0] - middle
    assert mcnemar_test(b, c, tail="mid") == min(1, 2 * (min(at_most) - middle))


def test_more_positives_than_outputs_are_refused():
    with pytest.raises(BadNumber, match="at most as many positives"):
        fisher_test((3, 2), (1, 2))
