"""`study_votes`: which parts there are, and numbers that agree with the functions that they come from."""

from __future__ import annotations

from itertools import product

import pytest
from gmpy2 import mpq

from ntqr_exact import (
    ConsistentSet,
    VoteCounts,
    example,
    grade,
    study_votes,
    work_limit,
)
from ntqr_exact.errors import BadChoice, EmptyTest
from ntqr_exact.study.grades_study import rate_cell
from ntqr_exact.study.votes_study import TITLES

TWO_NORM = example("two-norm")


def of_judges(number: int, labels: str = "ab") -> VoteCounts:
    patterns = product(labels, repeat=number)
    return VoteCounts({p: (7 * n) % 5 for n, p in enumerate(patterns)}, tuple(labels))


ALWAYS = {"grades", "safety"}


@pytest.mark.parametrize(
    ("votes", "more"),
    [
        (of_judges(1), set()),
        (of_judges(2), {"dependence"}),
        (
            VoteCounts({"aaa": 2, "aab": 1, "aba": 1, "bbb": 3, "baa": 1}),
            {"dependence", "independent", "agreement"},
        ),
        (of_judges(3, "abc"), {"independent"}),
        (of_judges(4), {"dependence", "independent"}),
    ],
    ids=["one judge", "two", "three", "three labels", "four"],
)
def test_a_study_has_the_parts_that_apply_and_no_others(votes: VoteCounts, more: set[str]) -> None:
    study = study_votes(votes)
    assert set(study.parts) == ALWAYS | more
    assert [section.name for section in study.sections()] == [
        "screen",
        *(n for n in TITLES if n in study.parts),
    ]
    assert set(study.to_document()) == {"votes", "screen", *study.parts}


def test_only_requested_parts_are_computed_and_an_unknown_part_is_an_error() -> None:
    assert list(study_votes(TWO_NORM.votes, parts=["grades"]).parts) == ["grades"]
    with pytest.raises(BadChoice):
        study_votes(TWO_NORM.votes, parts=["grade"])
    with pytest.raises(EmptyTest):
        study_votes(VoteCounts({}, judges=["A"]))


def test_a_key_may_be_in_the_votes_in_counts_or_in_rates() -> None:
    labeled = ConsistentSet(VoteCounts({"aab": 5, "bba": 4, "abb": 3})).sample(seed=1)
    assert study_votes(labeled, parts=["grades"])["grades"].estimates[0].evaluation == grade(labeled)
    in_counts = study_votes(TWO_NORM.votes, TWO_NORM.evaluation, parts=["grades"])
    in_rates = study_votes(TWO_NORM.votes, TWO_NORM.evaluation.rates(), parts=["grades"])
    assert in_counts.to_json() == in_rates.to_json()


def test_grades_have_a_row_for_each_share_and_rate() -> None:
    table = next(study_votes(TWO_NORM.votes, parts=["grades"])["grades"].blocks())
    assert len(table.rows) == 2 + 3 * (2 + 1)  # the share of each label; each judge on each label, and in all


def test_a_rate_outside_0_to_1_is_marked() -> None:
    assert rate_cell(mpq(1)) == mpq(1)
    assert rate_cell(mpq(-1, 8)) == "-1/8 = -0.125, outside 0 to 1"
    assert "outside 0 to 1" in str(study_votes(VoteCounts({"aab": 9, "aba": 5, "bbb": 2, "baa": 1})))


@pytest.mark.slow
@pytest.mark.parametrize("labels", ["ab", "abc"])
def test_counts_too_large_for_floats_are_graded(labels: str) -> None:
    votes = of_judges(3, labels)
    large = {p: n * 10**998 + index for index, (p, n) in enumerate(votes.counts.items())}
    assert study_votes(VoteCounts(large, tuple(labels)), parts=["grades"])["grades"].estimates


def test_a_part_that_takes_too_long_is_named_with_its_command() -> None:
    with work_limit(20_000):
        study = study_votes(of_judges(7), parts=["independent", "grades"], source="mine.csv")
    assert "grades" not in study.parts
    assert any("Grades" in line and "mine.csv --details --work-limit" in line for line in study.left_out)


def test_a_panel_with_gaps_is_solved_by_the_trios_with_most_common_questions() -> None:
    rows = [("a", "b", "a", None), ("a", "a", "b", None), ("b", "b", "b", None), (None, "a", "b", "a")]
    votes = VoteCounts({row: n for n, row in enumerate(rows, start=1)})
    trios = study_votes(votes, parts=["independent"])["independent"].trios
    assert [(one.votes.judges, one.votes.size) for one in trios] == [
        (("J1", "J2", "J3"), 6),
        (("J2", "J3", "J4"), 4),
    ]
    assert "6 questions that all three answered" in str(study_votes(votes))
