"""Ranges at several budgets lie in each other."""

from __future__ import annotations

from dataclasses import replace

from gmpy2 import mpq

from ntqr_exact import VoteCounts, evaluate_within
from ntqr_exact.dependence.nested_ranges import nested
from ntqr_exact.dependence.ranges import RangeProof

VOTES = VoteCounts({"aaa": 8, "bbb": 6, "aab": 2, "bba": 1, "aba": 1, "bab": 1})


def test_a_weaker_end_at_a_smaller_budget_takes_the_proof_of_the_larger() -> None:
    small, large = (evaluate_within(VOTES, budget, effort="1/10") for budget in ("0.03", "0.06"))
    weak = replace(
        small,
        ends=tuple(
            replace(end, proven=mpq(int(end.is_upper)), proof=RangeProof.LIMIT, certificate=None)
            for end in small.ends
        ),
    )
    cut, kept = nested([weak, large])
    assert kept == large
    assert [end.proven for end in cut.ends] == [end.proven for end in large.ends]
    assert all(
        (end.proof, end.certificate, end.attained) == (wide.proof, wide.certificate, own.attained)
        for end, wide, own in zip(cut.ends, large.ends, small.ends, strict=True)
        if end.proven != int(end.is_upper)
    )
    assert any(end.proven != int(end.is_upper) for end in cut.ends)


def test_neither_a_smaller_budget_nor_other_assumptions_cut_a_range() -> None:
    small, large = (evaluate_within(VOTES, budget, effort="1/10") for budget in ("0.03", "0.06"))
    assert nested([small, large])[1] == large
    pairs = replace(small, correlation=mpq(1, 2), better=())
    assert nested([large, pairs])[0] == large
