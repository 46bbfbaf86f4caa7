"""`study_votes`: which parts there are, what the first page says, and answers that agree with the functions below."""

from __future__ import annotations

from itertools import combinations, product

import pytest
from gmpy2 import mpq

from ntqr_exact import (
    ConsistentSet,
    Evaluation,
    LabeledVoteCounts,
    Surd,
    VoteCounts,
    example,
    find_misalignment,
    grade,
    solve_agreement,
    study_votes,
    tetrad_bound,
)
from ntqr_exact.answer import Answer
from ntqr_exact.blocks.block import Abridged, Picture
from ntqr_exact.dependence.measure import bound_text, dependence_of
from ntqr_exact.errors import BadChoice, EmptyTest
from ntqr_exact.study.correlations_part import pair_ranges
from ntqr_exact.study.grades_part import right_in_all
from ntqr_exact.study.study import Column
from ntqr_exact.study.votes_study import PARTS
from ntqr_exact.varieties.correlations import pair_correlation_ends

TWO_NORM = example("two-norm")
GRADING_PARTS = ("grades", "independent", "nearest", "agreement", "trios")


def of_judges(number: int, labels: str = "ab") -> VoteCounts:
    patterns = product(labels, repeat=number)
    return VoteCounts({p: (7 * place) % 5 for place, p in enumerate(patterns)}, tuple(labels))


@pytest.mark.parametrize(
    ("votes", "missing"),
    [
        (of_judges(1), {"independent", "nearest", "agreement", "trios", "correlations"}),
        (of_judges(2), {"independent", "nearest", "agreement", "trios"}),
        (VoteCounts({"aaa": 2, "aab": 1, "aba": 1, "bbb": 3, "baa": 1}), {"trios"}),
        (VoteCounts({"aab": 1, "aba": 1, "abb": 1, "baa": 1, "bab": 1, "bba": 1}), {"trios", "nearest"}),
        pytest.param(of_judges(3, "abc"), {"trios", "nearest", "agreement"}, marks=pytest.mark.slow),
        pytest.param(of_judges(4), {"nearest", "agreement"}, marks=pytest.mark.slow),
    ],
    ids=["one judge", "two", "three", "imaginary", "three labels", "four"],
)
def test_a_study_has_the_parts_that_apply_and_no_others(votes: VoteCounts, missing: set[str]) -> None:
    found = study_votes(votes)
    expected = {*GRADING_PARTS, "answers", "safety", "consistent", "correlations"} - missing
    assert not missing & set(found.parts())
    assert expected <= set(found.parts()) <= set(PARTS)
    assert set(found.parts()) <= set(found.to_document())
    assert found.sections()[0].name == "summary"


def test_only_what_is_asked_for_is_computed_and_an_unknown_part_is_refused() -> None:
    found = study_votes(TWO_NORM.votes, parts=["grades"])
    assert list(found.parts()) == ["grades"]
    with pytest.raises(BadChoice):
        study_votes(TWO_NORM.votes, parts=["grade"])
    with pytest.raises(BadChoice):
        study_votes(TWO_NORM.votes, ties="coin")
    with pytest.raises(EmptyTest):
        study_votes(VoteCounts({}, judges=["A"]))


def test_a_key_may_be_in_the_votes_in_counts_or_in_rates() -> None:
    labeled = ConsistentSet(VoteCounts({"aab": 5, "bba": 4, "abb": 3})).sample(seed=1)
    of_votes = study_votes(labeled, parts=["grades"])
    assert of_votes.key == grade(labeled)
    in_counts = study_votes(TWO_NORM.votes, TWO_NORM.evaluation, parts=["grades"])
    in_rates = study_votes(TWO_NORM.votes, TWO_NORM.evaluation.rates(), parts=["grades"])
    assert in_counts == in_rates
    assert in_rates.key_counts == TWO_NORM.evaluation


def test_the_parts_agree_with_the_functions_they_come_from() -> None:
    found = study_votes(
        TWO_NORM.votes,
        TWO_NORM.evaluation,
        factor="3/2",
        parts=["grades", "independent", "agreement", "safety", "consistent"],
    )
    best = found.independent.best
    assert dict(found.agreement.defects) == {
        tuple(TWO_NORM.votes.judges[place] for place in pair): value
        for pair, value in solve_agreement(TWO_NORM.votes).defects(best).items()
    }
    assert (
        found.safety.together.message == find_misalignment(TWO_NORM.votes, found.safety.specification).message
    )
    assert found.consistent.group.consistent == ConsistentSet(TWO_NORM.votes).count()
    key, majority, independent = found.grades.estimates
    assert (key.distance, found.grades.closest) == (None, ("independent",))
    assert independent.distance < majority.distance


def test_right_in_all_is_the_share_of_questions_answered_as_the_key_says() -> None:
    labeled = LabeledVoteCounts({"a": VoteCounts({"ab": 3, "bb": 2}), "b": VoteCounts({"bb": 4, "ba": 1})})
    evaluation = grade(labeled)
    assert [right_in_all(evaluation, judge) for judge in (0, 1)] == [mpq(8, 10), mpq(4, 10)]
    empty = Evaluation.from_accuracies({"a": 1, "b": 0}, [{"a": "1/3", "b": 1}])
    assert right_in_all(empty, 0) == mpq(1, 3)


@pytest.mark.parametrize(("i", "j"), list(combinations(range(3), 2)))
def test_the_ends_of_correlations_are_those_of_the_whole_list(i: int, j: int) -> None:
    votes, grades = TWO_NORM.votes, TWO_NORM.evaluation
    points = ConsistentSet(votes).pair_correlations(grades, i, j)
    count, ends = pair_correlation_ends(votes, grades, i, j)
    assert (count, ends) == (len(points), (points[0], points[-1]))
    for place, one in enumerate(pair_ranges(votes, grades, i, j)):
        values = [point.correlations[place] for point in points]
        assert (one.least, one.greatest, one.points) == (min(values), max(values), len(points))
    assert pair_correlation_ends(
        votes, type(grades).from_correct({"a": 0, "b": 1000}, [{"a": 0, "b": 0}] * 3), i, j
    ) == (0, ())


def test_the_order_of_judges_follows_from_shares_and_from_ranges() -> None:
    half, root = mpq(1, 2), Surd.sqrt(2) / 2
    exact = Column("x", "y", ((half, half), (root, root), (half, half)))
    assert exact.order(("A", "B", "C")) == "B > A = C"
    assert exact.better() == [(1, 0), (1, 2)]
    ranges = Column("x", "y", ((half, root), (mpq(0), half), (mpq(0), mpq(1, 3))))
    assert ranges.order(("A", "B", "C")) == "A > C"
    assert (
        Column("x", "y", ((mpq(0), mpq(1)),) * 2).order(("A", "B"))
        == "no judge is shown to be better than another"
    )
    assert ranges.cells()[2] == Abridged("0 to ≈ 0.3333", "0 to 1/3 ≈ 0.333333")
    assert ranges.ranked() == [0, 1, 2]


def test_the_first_page_tells_copies_and_what_a_key_would_add() -> None:
    copies = study_votes(VoteCounts({"aab": 3, "bba": 2, "aaa": 4, "bbb": 5}, judges=["A", "B", "C"]))
    told = copies.to_document()["summary"]
    assert "A, B answered alike on every question." in told["proven"]
    assert "No two judges differ on more than 5 questions (A, C)" in told["proven"][0]
    assert any("--truth" in line for line in told["next_steps"])
    keyed = study_votes(TWO_NORM.votes, TWO_NORM.evaluation, parts=["answers", "grades"]).to_document()[
        "summary"
    ]
    assert keyed["key_counts"] == {"a": 400, "b": 600}
    assert not any("--truth" in line for line in keyed["next_steps"])
    assert [column["name"] for column in keyed["columns"]] == ["by key", "majority", "independent"]


def test_grades_tell_proven_and_attained_dependence_with_a_solution_and_without() -> None:
    solved, unsolved = example("uci-adult").votes, of_judges(4)
    for votes, column in ((solved, "independent"), (unsolved, "closest")):
        found = study_votes(votes, parts=GRADING_PARTS)
        assert found.grades is not None
        least = found.grades.to_document()["least_dependence"]
        assert found.grades.estimates[-1].name == column
        assert tetrad_bound(votes).value == least["proven"] <= least["attained"]
        assert found.grades.dependence is not None
        assert dependence_of(found.grades.dependence.witness).largest == least["attained"]
        assert bound_text(least["attained"], is_upper=True) in str(found.summary)


def test_grades_leave_dependence_to_its_own_part() -> None:
    found = study_votes(of_judges(3), parts=("grades", "dependence"))
    assert found.grades is not None
    assert "least_dependence" not in found.grades.to_document()


@pytest.mark.parametrize("labels", ["ab", "abc"])
def test_counts_too_large_for_floats_are_graded(labels: str) -> None:
    votes = of_judges(3, labels)
    large = VoteCounts(
        {p: n * 10**998 + place for place, (p, n) in enumerate(votes.counts.items())}, tuple(labels)
    )
    found = study_votes(large, parts=["grades"])
    assert found.grades is not None
    assert found.grades.to_document()["least_dependence"]["attained"] < mpq(1, 4)


def test_a_funnel_has_ranges_where_the_trio_of_the_closest_key_is_far_more_dependent_than_its_pairs():
    votes = VoteCounts({"aab": 2, "aba": 4, "abb": 1, "baa": 3, "bba": 2, "bbb": 4})
    funnel = study_votes(votes, funnel=True, parts=["dependence"]).dependence.funnel
    assert {found.existence for found in funnel} == {Answer.YES}


@pytest.mark.parametrize(("labels", "panels"), [(20, 20), (21, 0)])
def test_the_grades_on_very_many_labels_are_not_drawn_one_by_one(labels: int, panels: int) -> None:
    names = tuple(f"l{number}" for number in range(labels))
    found = study_votes(
        VoteCounts({(names[0], names[0]): 3, (names[1], names[0]): 2}, labels=names), parts=["grades"]
    )
    (picture,) = (block for block in found.summary.blocks() if isinstance(block, Picture))
    assert {len(column.by_label) for column in picture.data[0]} <= {0, panels}
    assert ("on each label" in picture.caption) == bool(panels)
