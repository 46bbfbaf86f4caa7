"""What the library proves of failing judges lies around the number that trying all keys gives, in every vector."""

from __future__ import annotations

from collections import Counter

from ntqr_exact.alarms.failing_judges import failing_judges
from ntqr_exact.vectors.files import all_tests, read_family, shipped
from ntqr_exact.votes.counts import VoteCounts


def test_proven_and_attained_numbers_enclose_the_least_one_of_every_vector() -> None:
    exactly = 0
    tests = [
        test for test in all_tests(read_family(shipped(), "failing-judges")) if test.body["result"] == "valid"
    ]
    for test in tests:
        rows = Counter(tuple(row) for row in test.input["answers"] if any(row))
        if not rows:
            continue
        names = [f"J{judge + 1}" for judge in range(len(test.input["answers"][0]))]
        votes = VoteCounts(rows, test.input["labels"], names)
        asked = {"measure": test.input["measure"]}
        found = failing_judges(votes, test.input["level"], **asked)
        least = test.body["expected"]["least"]
        assert found.proven <= least <= found.attained, test.id
        exactly += found.proven == found.attained
        for judge, fewest in enumerate(test.body["expected"]["if_trusted"]):
            if fewest is None:
                continue
            trusted = failing_judges(votes, test.input["level"], **asked, trust=[judge])
            assert trusted.proven <= fewest <= trusted.attained, (test.id, judge)
    assert 10 * exactly > 9 * len(tests)
