"""The adapters put the same question to a peer: it is right wherever nothing special is in the input."""

from __future__ import annotations

import pytest

from benchmarks.peers import crowd_kit, ntqr_package, scikit_learn
from benchmarks.peers.conformance import ACCEPTED, VALUE, Peer, report, shipped_tests

FEW = 6


def needs(peer: Peer) -> None:
    if peer.version is None:
        pytest.skip(f"{peer.name} is not installed")


@pytest.mark.slow
def test_equal_scores_as_doubles_are_the_only_cause_of_wrong_areas() -> None:
    needs(scikit_learn.PEER)
    tests = list(shipped_tests(["areas"], 20))
    (row,) = report({"areas": {"roc_auc": scikit_learn.AREAS["roc_auc"]}}, tests=tests)
    assert row.defects[VALUE].test.input["scores"] == ["0.30000000000000000001", "0.3"]
    wrong = {name for name, outcome in row.outcomes.items() if outcome == VALUE}
    assert wrong <= {test.id for test in tests if "close" in test.body["flags"]}


@pytest.mark.parametrize(
    "family", ["vote-moments", "majority", "grade", "single-postulates", "pair-postulates", "possible-group"]
)
def test_ntqr_fails_in_these_families_only_by_taking_what_must_be_refused(family: str) -> None:
    needs(ntqr_package.PEER)
    tests = shipped_tests([family], FEW)
    rows = report({family: ntqr_package.ASKED[family]}, tests=tests)
    assert min(row.passed for row in rows) > FEW
    assert {kind for row in rows for kind in row.defects} <= {ACCEPTED}


def test_one_polynomial_of_three_judges_is_wrong_in_ntqr_and_the_seven_others_are_right() -> None:
    needs(ntqr_package.PEER)
    family = "trio-postulates"
    tests = shipped_tests([family], FEW)
    rows = report({family: ntqr_package.ASKED[family]}, tests=tests)
    assert [row.quantity for row in rows if row.defects] == ["residuals/f(b,a,b)"]


@pytest.mark.slow
def test_ntqr_loses_the_accuracies_exactly_where_T_is_0() -> None:
    needs(ntqr_package.PEER)
    family, quantity = "independent-binary", "solutions/*/accuracies"
    tests = [t for t in shipped_tests([family], 0) if t.body["expected"].get("solutions")]
    (row,) = report({family: {quantity: ntqr_package.ASKED[family][quantity]}}, tests=tests)
    failed = {name for name, outcome in row.outcomes.items() if outcome != "right"}
    assert failed == {test.id for test in tests if "t-zero" in test.body["flags"]} != set()


def test_crowd_kit_votes_and_grades_rightly_where_there_is_no_tie() -> None:
    needs(crowd_kit.PEER)
    tests = shipped_tests(crowd_kit.ASKED, FEW)
    rows = report(crowd_kit.ASKED, tests=tests)
    assert min(row.passed for row in rows) > FEW
    assert {kind for row in rows for kind in row.defects} <= {ACCEPTED}


@pytest.mark.parametrize(
    ("rows", "tied"),
    [
        (["aab"], False),
        (["ab"], True),
        (["aab", "abc"], True),
        (["aabb"], True),
        (["aabc"], False),
        ([], False),
    ],
)
def test_a_tie_is_seen_in_any_row(rows: list[str], tied: bool) -> None:
    assert crowd_kit._tied([tuple(row) for row in rows]) == tied
