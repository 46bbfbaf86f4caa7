"""Grading by an answer key, against counting by hand."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product
from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ntqr_exact import LabeledVoteCounts, VoteCounts, count_rows
from ntqr_exact.errors import EmptyTest
from ntqr_exact.evaluators.grade import grade
from ntqr_exact.exact.undefined_value import Undefined


@st.composite
def graded_rows(draw: st.DrawFn) -> tuple[tuple[str, ...], list[tuple[str, ...]], list[str]]:
    labels = draw(st.sampled_from([("a", "b"), ("a", "b", "c"), ("w", "x", "y", "z")]))
    judges = draw(st.integers(1, 4))
    label = st.sampled_from(labels)
    rows = draw(st.lists(st.tuples(*[label] * judges), min_size=1, max_size=12))
    return labels, rows, [draw(label) for _ in rows]


@given(graded_rows())
def test_every_rate_and_correlation_is_what_counting_the_rows_gives(case) -> None:
    labels, rows, key = case
    judges = range(len(rows[0]))
    names = [f"J{judge}" for judge in judges]
    evaluation = grade(count_rows(rows, labels=labels, judges=names, truth=key))
    for label in labels:
        mine = [row for row, true in zip(rows, key, strict=True) if true == label]
        assert evaluation.prevalence[label] == Fraction(len(mine), len(rows))
        if not mine:
            assert set(evaluation.response_rates[0][label].values()) == {Undefined.NO_QUESTIONS}
            continue
        right = [Fraction(sum(row[judge] == label for row in mine), len(mine)) for judge in judges]
        for judge in judges:
            assert evaluation.accuracy[judge][label] == right[judge]
            for given_label in labels:
                share = Fraction(sum(row[judge] == given_label for row in mine), len(mine))
                assert evaluation.response_rates[judge][label][given_label] == share
        for length in range(2, len(judges) + 1):
            for subset in combinations(judges, length):
                mean = sum(prod((row[i] == label) - right[i] for i in subset) for row in mine) / Fraction(
                    len(mine)
                )
                assert evaluation.correlations[label, subset] == mean


def test_the_order_of_correlations_can_be_limited() -> None:
    labeled = LabeledVoteCounts({"a": VoteCounts({"aaa": 1, "bbb": 1})})
    assert {len(subset) for _, subset in grade(labeled).correlations} == {2, 3}
    assert {len(subset) for _, subset in grade(labeled, order=2).correlations} == {2}


def test_pair_correlation_is_equation_24_of_the_source() -> None:
    a = VoteCounts(dict(zip(product("ab", repeat=2), (5, 2, 1, 3), strict=True)))
    value = grade(LabeledVoteCounts({"a": a})).correlations["a", (0, 1)]
    assert value == Fraction(5, 11) - Fraction(7, 11) * Fraction(6, 11)


def test_a_test_without_questions_cannot_be_graded() -> None:
    with pytest.raises(EmptyTest, match="cannot be graded"):
        grade(LabeledVoteCounts({"a": VoteCounts({}, judges=["A"])}))
