"""What the comments and flags of tests say is so, and what a specification says of its tests holds for all of them."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import pytest

from ntqr_exact.sampling.share_intervals import (
    DifferenceMethod,
    ShareMethod,
    difference_interval,
    share_interval,
)
from tests.vectors.shipped_tests import shipped_tests


def test_a_tie_of_fisher_is_where_another_table_is_as_likely_and_a_comment_tells_of_no_other() -> None:
    unequal = at_the_level = 0
    for test in shipped_tests("fisher-test"):
        if test.body["result"] == "invalid":
            continue
        (a, m), (b, n) = ([int(Fraction(x)) for x in test.input[name]] for name in ("control", "treatment"))
        ways = [comb(a + b, x) * comb(m + n - a - b, n - x) for x in range(min(a + b, n) + 1)]
        is_tie = ways.count(ways[b]) > 1
        assert ("tie" in test.body["flags"]) == is_tie, test.id
        assert is_tie or "tie" not in test.body["comment"].split(), test.id
        unequal += is_tie and m != n
        at_the_level += test.body["expected"]["two_sided"] == "1/20"
    assert unequal >= 4
    assert at_the_level >= 3


@pytest.mark.slow
def test_no_end_of_an_interval_of_shares_is_halfway_between_two_roundings() -> None:
    half = Fraction(1, 2 * 10**9)
    for test in shipped_tests("share-intervals"):
        if test.body["result"] == "invalid":
            continue
        pair, level = [test.input[name] for name in ("control", "treatment")], test.input["level"]
        found = [share_interval(*one, method=method, level=level) for method in ShareMethod for one in pair]
        found += [difference_interval(*pair, method=method, level=level) for method in DifferenceMethod]
        for interval in found:
            for end in map(Fraction, interval.decimals(25)):
                assert abs(end - round(end, 9)) != half, test.id
